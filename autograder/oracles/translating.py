"""A scripted translator and greedy decoding with it, in plain NumPy with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.decoding import handed_back, over, pick_token


def _mean(x, mask):
    real = mask.astype(x.dtype)[..., None]
    return (x * real).sum(axis=1) / np.maximum(real.sum(axis=1), 1)


def _mask(padding_mask, kind):
    if kind == "right":
        return padding_mask
    return np.ones_like(padding_mask) if kind == "ones" else ~padding_mask


class Translator:
    """The arithmetic of the scripted translator.

    Args:
        script: dict of table (V, D), plans (V,), kernel (D, V), scripts (L, V), echo (V, V), and
            the numbers begin_id and end_id.
    """

    def __init__(self, script):
        self.script = script

    def encode(self, token_ids, padding_mask, times=0):
        """What was read, (B, S, D), when it was read so many times before."""
        table = self.script["table"]
        half = table.dtype.type(0.5)
        read = table[token_ids]
        read = read + half * _mean(read, padding_mask)[:, None]
        tired = np.cos(np.arange(table.shape[1])).astype(table.dtype)
        return read + table.dtype.type(times) * tired

    def decode(self, target_ids, source, padding_mask, plan):
        """Scores (B, T, V) of the token after each."""
        script = self.script
        scripts, echo = script["scripts"], script["echo"]
        memory = _mean(np.tanh(source), padding_mask) @ script["kernel"]
        places, heard = [], np.zeros_like(memory)
        for place in range(target_ids.shape[1]):
            heard = scripts.dtype.type(0.5) * heard + echo[target_ids[:, place]]
            scores = scripts[min(place, len(scripts) - 1)] + memory + heard
            if script["plans"].any():
                scores[:, script["end_id"]] = np.where(place == plan - 1, 60, -40)
            scores[:, script["begin_id"]] = -40
            places.append(scores)
        return np.stack(places, axis=1)

    def log_probs_after(self, source, padding_mask):
        """A function of a prefix, for one source (1, S, D): log-probabilities (V,) of what follows.

        Many prefixes begin alike, so what was heard of them is kept.
        """
        script = self.script
        scripts, echo, begin = script["scripts"], script["echo"], script["begin_id"]
        half, memory = scripts.dtype.type(0.5), _mean(np.tanh(source), padding_mask)[0]
        memory, heard, known = memory @ script["kernel"], {(): np.zeros_like(echo[0])}, {}

        def hear(prefix):
            if prefix not in heard:
                heard[prefix] = half * hear(prefix[:-1]) + echo[prefix[-1]]
            return heard[prefix]

        def log_probs(prefix):
            prefix = tuple(prefix)
            if prefix not in known:
                scores = scripts[min(len(prefix), len(scripts)) - 1] + memory + hear(prefix)
                scores[begin] = -40
                shifted = scores - scores.max()
                known[prefix] = shifted - np.log(np.exp(shifted).sum())
            return known[prefix]

        return log_probs

    def plan(self, token_ids):
        """How many tokens every source is translated to."""
        return np.rint(self.script["plans"][token_ids[:, 0]])


@oracle(parts=("token_ids",))
def greedy_decode_transformer(
    script,
    token_ids,
    padding_mask,
    end_id,
    max_length,
    *,
    pick="largest",
    prefix="all",
    place="last",
    encoded="once",
    encode_mask="right",
    decode_mask="right",
    ended="filled",
    stops="all_ended",
    first="begin",
    limit="max_length",
    ids="given",
    returned="tokens",
):
    """The tokens that a scripted translator says.

    Args:
        script: of the translator.
        token_ids: int (B, S).
        padding_mask: bool (B, S).
        end_id, max_length: int.
        pick, prefix, place, encoded, encode_mask, decode_mask, ended, stops, first, limit, ids,
            returned: the switches.

    Returns:
        int32 (B, L), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for raises.
    """
    model, batch = Translator(script), len(token_ids)
    if ids in ("end_fixed", "both_fixed"):  # those of the notebook's vocabulary
        end_id = 3
    if ids == "both_fixed":
        first = "two"
    begin = {"begin": script["begin_id"], "end": end_id}.get(first)
    begin = {"zero": 0, "one": 1, "two": 2}[first] if begin is None else begin
    read, plan = model.encode(token_ids, _mask(padding_mask, encode_mask)), model.plan(token_ids)
    seen = _mask(padding_mask, decode_mask)
    given = np.full((batch, 1), begin, np.int32)
    has_ended = np.zeros(batch, bool)
    said, all_scores = [], []
    most = max_length + {"one_more": 1, "one_less": -1}.get(limit, 0)
    while len(said) < most:
        if over(stops, has_ended, said, end_id):
            break
        if encoded != "once":
            times = len(said) + (encoded == "every_time_and_before")
            read = model.encode(token_ids, _mask(padding_mask, encode_mask), times)
        logits = model.decode(given, read, seen, plan)
        scores = {
            "last": logits[:, -1],
            "mean": logits.mean(axis=1),
            "largest_anywhere": logits.max(axis=1),
        }[place]
        likeliest = pick_token(scores, pick, end_id)
        fill = {"filled": end_id, "zero": 0, "minus_one": -1, "begin": begin}
        now = likeliest
        if ended in fill:
            now = np.where(has_ended, fill[ended], likeliest).astype(np.int32)
        has_ended = has_ended | (now == end_id)
        if ended == "end_left_out":
            now = np.where(has_ended, 0, likeliest).astype(np.int32)
        said.append(now)
        all_scores.append(scores)
        if prefix == "first_row":
            now = np.repeat(now[:1], batch)
        given = {
            "last_only": now[:, None],
            "begin_only": given[:, :1],
            "without_begin": np.stack(said, axis=1),
            "newest_first": np.concatenate([now[:, None], given], axis=1),
            "begin_repeated": np.concatenate([given[:, :1], given], axis=1),
            "last_two": np.concatenate([given[:, -1:], now[:, None]], axis=1),
            "begin_and_last": np.concatenate([given[:, :1], now[:, None]], axis=1),
            "said_twice": np.concatenate([given, now[:, None], now[:, None]], axis=1),
        }.get(prefix, np.concatenate([given, now[:, None]], axis=1))
    if not said:
        raise Crash("ValueError", "InvalidArgumentError")
    return handed_back(returned, said, all_scores, has_ended, begin, end_id, max_length)
