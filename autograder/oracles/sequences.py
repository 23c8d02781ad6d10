"""Batches of sequences in plain NumPy: ids and masks, unrolling, teacher forcing; with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


@oracle(parts=("token_ids", "padding_mask"))
def encode_batch(
    sequences,
    vocabulary,
    *,
    begin="added",
    end="added",
    unknown="unk",
    pad="pad",
    side="right",
    length="longest",
    mask="real",
    rows="as_given",
    returned="pair",
):
    """Ids and padding mask of a batch of token lists.

    Args:
        sequences: list of lists of str.
        vocabulary: dict of str to int with the four special tokens.
        begin, end, unknown, pad, side, length, mask, rows, returned: the switches.

    Returns:
        The pair (token_ids int32 (B, T), padding_mask bool (B, T)), unless ``returned`` differs.

    Raises:
        Crash: where the mistake asked for could not run on these sequences.
    """
    special = {name: vocabulary[f"[{name}]"] for name in ("PAD", "UNK", "BOS", "EOS")}
    first = {"added": ["BOS"], "missing": [], "end_token": ["EOS"], "pad_token": ["PAD"]}[begin]
    last = {"added": ["EOS"], "missing": [], "begin_token": ["BOS"], "twice": ["EOS", "EOS"]}.get(
        end, []
    )
    if rows.startswith("changed"):
        given = max(map(len, sequences))
        sequences = _changed(sequences, at_once=rows == "changed")
        if rows == "changed_too_wide" and max(map(len, sequences)) > given:
            raise Crash("ValueError")
    numbered = []
    for tokens in sequences:
        ids = [special[name] for name in first]
        for token in tokens[::-1] if rows == "reversed" else tokens:
            if token in vocabulary:
                ids.append(vocabulary[token])
            elif unknown == "crash":
                raise Crash("KeyError")
            elif unknown != "skipped":
                zero = {"zero": 0, "minus_one": -1, "length": len(vocabulary)}
                ids.append(zero.get(unknown, special.get(unknown.upper(), 0)))
        numbered.append(ids + [special[name] for name in last])
    if rows == "sorted":
        numbered = sorted(numbered, key=len, reverse=True)
    width = {
        "longest": max(map(len, numbered)),
        "words_only": max(map(len, sequences)),
        "shortest": min(map(len, numbered)),
        "one_more": max(map(len, numbered)) + 1,
        "one_short": max(map(len, numbered)) - 1,
        "first": len(numbered[0]),
        "as_given": max(map(len, sequences)) + 2,
    }[length]
    if length == "first" and max(map(len, numbered)) > width:
        raise Crash("ValueError")
    fill = {"pad": special["PAD"], "zero": 0, "unk": special["UNK"], "eos": special["EOS"]}[pad]
    width += end == "last_column"
    token_ids = np.full((len(numbered), width), fill, np.int32)
    is_real = np.zeros(token_ids.shape, bool)
    for row, ids in enumerate(numbered):
        ids = ids[:width]
        place = slice(width - len(ids), width) if side == "left" else slice(0, len(ids))
        token_ids[row, place] = ids
        is_real[row, place] = True
    if end == "last_column":
        token_ids[:, -1] = special["EOS"]
        is_real[:, -1] = True
    chosen = {
        "real": is_real,
        "inverted": ~is_real,
        "everything": np.ones_like(is_real),
        "nonzero": token_ids != 0,
        "words": is_real & ~np.isin(token_ids, [special["BOS"], special["EOS"]]),
        "not_end": is_real & (token_ids != special["EOS"]),
        "not_begin": is_real & (token_ids != special["BOS"]),
        "known": is_real & (token_ids != special["UNK"]),
        "by_length": _real([len(ids) for ids in numbered], width),
        "by_given_length": _real([len(tokens) + 2 for tokens in sequences], width),
        "integers": is_real.astype(np.int32),
        "floats": is_real.astype(np.float32),
    }[mask]
    return {
        "pair": (token_ids, chosen),
        "ids_only": token_ids,
        "mask_first": (chosen, token_ids),
        "floats": (token_ids.astype(np.float32), chosen),
        "time_first": (token_ids.T, chosen.T),
    }[returned]


def _real(lengths, width):
    """True at the first so many places of every row, bool (B, width)."""
    return np.arange(width) < np.asarray(lengths)[:, None]


def _changed(sequences, at_once):
    """Rows after an answer wrote [BOS] and [EOS] into its own input, where some are one object.

    Cases give such rows equal tokens. Either all are written to before the first is numbered, or
    each just before it is numbered itself.
    """
    done = []
    for place, tokens in enumerate(sequences):
        before = sequences if at_once else sequences[: place + 1]
        times = sum(other == tokens for other in before) - 1
        done.append(["[BOS]"] * times + list(tokens) + ["[EOS]"] * times)
    return done


@oracle(parts=("input_ids", "label_ids", "label_mask"))
def shift_right(
    token_ids, padding_mask, *, shift="right", inputs="", labels="", mask="shifted", order="ilm"
):
    """Decoder inputs, labels and their mask.

    Args:
        token_ids: int (B, T + 1).
        padding_mask: bool (B, T + 1).
        shift: how inputs and labels stand to each other.
        inputs, labels: "" or another way to cut only these.
        mask, order: the other switches.

    Returns:
        The triple (input_ids, label_ids, label_mask), each (B, T).
    """
    if shift == "along_batch":
        return token_ids[:-1], token_ids[1:], padding_mask[1:]
    before, after, whole = slice(None, -1), slice(1, None), slice(None)
    own, wanted = {
        "right": (before, after),
        "none": (before, before),
        "none_after": (after, after),
        "nothing_cut": (whole, whole),
        "left": (after, before),
        "by_two": (slice(None, -2), slice(2, None)),
        "inside": (slice(1, -1), slice(2, None)),
    }[shift]
    cuts = {"before": before, "after": after, "whole": whole, "by_two": slice(2, None)}
    input_ids = token_ids[:, cuts.get(inputs, own)]
    label_ids = token_ids[:, cuts.get(labels, wanted)]
    if inputs == "rolled":
        input_ids = np.roll(token_ids, 1, axis=1)
    if labels == "rolled":
        label_ids = np.roll(token_ids, -1, axis=1)
    label_mask = padding_mask[:, wanted]
    label_mask = {
        "shifted": label_mask,
        "of_inputs": padding_mask[:, own],
        "before": padding_mask[:, before],
        "after": padding_mask[:, after],
        "whole": padding_mask,
        "both": padding_mask[:, before] & padding_mask[:, after],
        "not_end": label_mask & np.pad(label_mask[:, 1:], ((0, 0), (0, 1))),
        "inverted": ~label_mask,
        "everything": np.ones_like(label_mask),
        "nonzero": label_ids != 0,
        "integers": label_mask.astype(np.int32),
        "floats": label_mask.astype(np.float32),
    }[mask]
    found = {"i": input_ids, "l": label_ids, "m": label_mask}
    return found[order] if len(order) == 1 else tuple(found[letter] for letter in order)


@oracle(parts=("outputs", "states[0]", "states[1]"))
def masked_unroll(
    step,
    x,
    states,
    padding_mask,
    *,
    pads="states_kept",
    walk="forwards",
    collected="after",
    threaded="states",
    final="kept",
    returned="pair",
):
    """All first states and the last states of a walk that stands still at padding.

    Args:
        step: function of (x (B, D), *states) that returns the new states and works on NumPy.
        x: float (B, T, D).
        states: tuple of float (B, any).
        padding_mask: bool (B, T).
        pads, walk, collected, threaded, final, returned: the switches.

    Returns:
        outputs (B, T, H), then each of the last states (B, any); see `flat`.
    """
    start, outputs, times = states, [], list(range(x.shape[1]))
    times = {
        "backwards": times[::-1],
        "backwards_put_right": times[::-1],
        "first_skipped": times[1:],
        "last_skipped": times[:-1],
        "one_step": times[:1],
    }.get(walk, times)
    for now in times:
        is_real = _guard(pads, padding_mask, now)[:, None]
        given = x[:, now] * padding_mask[:, now, None] if pads == "inputs_zeroed" else x[:, now]
        moved = step(given, *states)
        if pads == "states_zeroed":
            kept = tuple(np.where(is_real, new, new.dtype.type(0)) for new in moved)
        elif pads == "back_to_start":
            pairs = zip(moved, start, strict=True)
            kept = tuple(np.where(is_real, new, old) for new, old in pairs)
        elif pads == "first_only":
            kept = (np.where(is_real, moved[0], states[0]), *moved[1:])
        elif pads == "others_only":
            pairs = zip(moved[1:], states[1:], strict=True)
            kept = (moved[0], *(np.where(is_real, new, old) for new, old in pairs))
        elif pads == "added":
            pairs = zip(moved, states, strict=True)
            kept = tuple(np.where(is_real, new + old, old) for new, old in pairs)
        else:
            pairs = zip(moved, states, strict=True)
            kept = tuple(np.where(is_real, new, old) for new, old in pairs)
        outputs.append(
            {
                "after": kept[0],
                "before": states[0],
                "unguarded": moved[0],
                "last_state": kept[-1],
                "zero_at_pads": kept[0] * padding_mask[:, now, None],
                "unguarded_zero_at_pads": moved[0] * padding_mask[:, now, None],
            }[collected]
        )
        last = moved
        states = {
            "states": kept,
            "start": start,
            "unguarded": moved,
            "first_from_start": (start[0], *kept[1:]),
        }[threaded]
    states = {"kept": kept, "unguarded": last, "start": start}[final]
    if walk == "backwards_put_right":
        outputs = outputs[::-1]
    stacked = np.stack(outputs, axis=0 if returned == "time_first" else 1)
    if returned == "one_row":
        stacked = np.concatenate(outputs, axis=-1)
    return flat(
        {
            "states_first": (states, stacked),
            "outputs_only": stacked,
            "states_only": states,
            "last_output": (outputs[-1], states),
            "first_state": (stacked, states[0]),
            "last_state": (stacked, states[-1]),
            "list": (tuple(outputs), states),
        }.get(returned, (stacked, states))
    )


def _guard(pads, padding_mask, now):
    """Which rows move at this time, bool (B,)."""
    here = padding_mask[:, now]
    return {
        "ignored": np.ones_like(here),
        "inputs_zeroed": np.ones_like(here),
        "inverted": ~here,
        "first_row": np.repeat(here[:1], len(here)),
        "any_row": np.repeat(here.any(), len(here)),
        "every_row": np.repeat(here.all(), len(here)),
        "next_column": padding_mask[:, min(now + 1, padding_mask.shape[1] - 1)],
    }.get(pads, here)


# The same walk with a single state: as many parts as there are.
masked_unroll_of_one = oracle(parts=("outputs", "states[0]"))(masked_unroll.raw)


def flat(result):
    """The pair (outputs, states) as one row of arrays; anything else as it is."""
    if isinstance(result, (tuple, list)) and len(result) == 2:
        outputs, states = result
        if isinstance(states, (tuple, list)) and not isinstance(outputs, (tuple, list)):
            return (outputs, *states)
    return result
