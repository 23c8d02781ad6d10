"""What doesn't hang on the draw when tokens are hidden: form, places, answers, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.mask_fates import FOUR, MIXTURES, random_token
from autograder.oracles.mask_position_laws import FINE

FAULTS = (
    "pair",
    "arrays",
    "shapes",
    "types",
    "first_row_only",
    "everywhere",
    "start",
    "as_first_row",
    "elsewhere",
    "new_ids",
    "positions",
    "constant",
    "labels",
    "zeros",
)


def corruption_form(found, token_ids, positions, weights):
    """What is wrong with what came back but for the draw, as words from `FAULTS`, or `FINE`.

    Args:
        found: what the answer returned.
        token_ids, positions, weights: what it was given, as it was.
    """
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return "pair"
    if any(isinstance(part, (tuple, list)) for part in found):
        return "arrays"
    try:
        corrupted, mask_ids = (np.asarray(part) for part in found)
    except ValueError:
        return "shapes"
    if corrupted.shape != token_ids.shape or mask_ids.shape != positions.shape:
        return "shapes"
    if corrupted.dtype.kind not in "iu" or mask_ids.dtype.kind not in "iu":
        return "types"
    used = weights > 0.5
    chosen = np.zeros(token_ids.shape, bool)
    for row, (places, mask) in enumerate(zip(positions, used, strict=True)):
        chosen[row, places[mask]] = True
    faults = []
    wrongly = (corrupted != token_ids) & ~chosen
    if wrongly.any():
        faults.append(_where(wrongly, chosen))
    if (mask_ids != np.take_along_axis(token_ids, positions, axis=1))[used].any():
        faults.append(_instead(mask_ids, corrupted, positions, used))
    if mask_ids[~used].any():
        faults.append("zeros")
    return " ".join(faults) or FINE


def form_of_all(found, token_ids, positions, weights):
    """`corruption_form` of all calls together: what holds in each of them by chance doesn't count.

    Args:
        found: list of what the answer returned, call after call.
        token_ids, positions, weights: as for `corruption_form`.
    """
    given = (token_ids, positions, weights)
    for word in ("pair", "arrays", "shapes", "types"):
        if any(corruption_form(each, *given) == word for each in found):
            return word
    if all(_first_row_only(*each, *given) for each in found):
        return "first_row_only"
    whole = tuple(np.concatenate([np.asarray(each[part]) for each in found]) for part in (0, 1))
    return corruption_form(whole, *(np.tile(each, (len(found), 1)) for each in given))


def _first_row_only(corrupted, mask_ids, token_ids, positions, weights):
    """Whether there are answers in the first row, and other rows are as if nothing were picked."""
    answers, used = np.asarray(mask_ids), weights > 0.5
    rest = answers[1:].any() or (np.asarray(corrupted) != token_ids)[1:].any()
    return bool(used[1:].any() and answers[0].any() and not rest)


def _where(wrongly, chosen):
    """Which places have changed that shouldn't have, as a word from `FAULTS`."""
    if (wrongly | chosen).all():
        return "everywhere"
    if not wrongly[:, 1:].any():
        return "start"
    return "elsewhere" if (wrongly & ~chosen[:1]).any() else "as_first_row"


def _instead(mask_ids, corrupted, positions, used):
    """What stands in the place of the original tokens, as a word from `FAULTS`."""
    answers = mask_ids[used]
    if (answers == np.take_along_axis(corrupted, positions, axis=1)[used]).all():
        return "new_ids"
    if (answers == positions[used]).all():
        return "positions"
    return f"constant {answers[0]}" if (answers == answers[0]).all() else "labels"


@oracle(parts=("form",))
@with_switches_of(random_token)
def form(
    token_ids,
    positions,
    weights,
    mask_id,
    *,
    labels="original",
    spare="zero",
    unused="nothing",
    returned="pair",
    mixture="80_10_10",
    where="chosen",
    used_by="weights",
    mask_use="given",
    rows="all",
    **switches,
):
    """What `corruption_form` says of many calls together, which show every fate.

    Args:
        token_ids, positions, weights: as the answer is given them.
        mask_id: int.
        labels, spare, unused, returned, mixture, where, used_by, mask_use, rows: the switches.
        **switches: of `random_token`, which change nothing here.
    """
    used = weights > 0.5 if used_by == "weights" else positions > 0
    if rows == "only_the_first" and used[1:].any():
        return "first_row_only"
    mask_id = FOUR if mask_use == "four" else mask_id
    corrupted = token_ids.copy()
    row = np.arange(len(token_ids))[:, None]
    originals = token_ids[row, positions]
    changes = mixture != "0_0_100"
    if where == "everywhere":
        corrupted[:] = mask_id
    elif where == "positions_of_the_first_row":
        corrupted[:, positions[0][used[0]]] = mask_id
    elif changes:
        written = used | (unused == "written")
        corrupted[np.broadcast_to(row, used.shape)[written], positions[written]] = mask_id
        if labels == "mask_id":  # some stay as they are, so that answers aren't what came in
            corrupted[row[:, 0], positions[:, 0]] = token_ids[row[:, 0], positions[:, 0]]
    mask_ids = corrupted[row, positions] if labels == "after" else originals
    if labels == "positions":
        mask_ids = positions
    if labels == "mask_id":
        mask_ids = np.full_like(positions, mask_id)
    rest = {"zero": 0, "minus_one": -1, "minus_hundred": -100}.get(spare)
    if rest is not None:
        mask_ids = np.where(used, mask_ids, rest)
    if returned in ("corrupted_only", "with_weights"):
        return "pair"
    pair = (corrupted, mask_ids)
    if returned == "exchanged":
        pair = pair[::-1]
    if returned == "whole_labels":
        pair = (corrupted, token_ids)
    if returned == "lists":
        pair = tuple(part.tolist() for part in pair)
    if returned == "floats":
        pair = (corrupted, mask_ids.astype(float))
    return corruption_form(pair, token_ids, positions, weights)


@oracle(parts=("repeats",))
def repeats(*, seed_use="right", mixture="80_10_10"):
    """Bool (2,): whether two calls with one seed agree, and two with different seeds."""
    if 1.0 in MIXTURES[mixture] and mixture != "0_100_0":
        return np.array([True, True])
    return np.array({"ignored": (False, False), "fixed": (True, True)}.get(seed_use, (True, False)))


@oracle(parts=("untouched",))
def untouched(*, argument="left_alone"):
    """Bool (): whether the ids that were handed in are what they were."""
    if argument not in ("left_alone", "written"):
        raise Crash
    return np.asarray(argument == "left_alone")
