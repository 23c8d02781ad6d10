"""Beam search over a scripted language in plain NumPy, with a switch for every way to go wrong."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of

NOBODY = -1  # where a hypothesis has no token any more
MOST, LONGEST = 32, 16  # more than any right answer has


def scripted_log_probs(scripts, echo):
    """The scripted language: from a prefix to log-probabilities (V,)."""
    known = {}

    def next_log_probs(prefix):
        prefix = tuple(prefix)
        if prefix not in known:
            if not prefix:
                raise Crash("ValueError")
            heard = np.zeros_like(scripts[0])
            for token in prefix:
                heard = scripts.dtype.type(0.6) * heard + echo[token]
            scores = scripts[min(len(prefix), len(scripts)) - 1] + heard
            shifted = scores - scores.max()
            known[prefix] = shifted - np.log(np.exp(shifted).sum())
        return known[prefix]

    return next_log_probs


def divisor(form, tokens, step, end_id, max_length, alpha):
    """What log P is divided by, for the tokens of a hypothesis at a step (1, 2, …)."""
    count = len(tokens)
    if form == "step":
        count = step
    if form == "max_length":
        count = max_length
    if form == "end_not_counted":
        count -= bool(tokens) and tokens[-1] == end_id
    count += {"begin_counted": 1, "one_less": -1}.get(form, 0)
    return {
        "none": lambda: 1.0,
        "length": lambda: max(count, 1) ** alpha,
        "always_length": lambda: float(max(count, 1)),
        "no_exponent": lambda: (5 + count) / 6,
        "exponent_on_numerator": lambda: (5 + count) ** alpha / 6,
        "six_under_length": lambda: (5 + count / 6) ** alpha,
        "not_over_six": lambda: (5 + count) ** alpha,
        "length_over_six": lambda: (max(count, 1) / 6) ** alpha,
        "one_plus": lambda: ((1 + count) / 6) ** alpha,
        "multiplied": lambda: ((5 + count) / 6) ** -alpha,
        "times_exponent": lambda: (5 + count) / 6 * alpha,
    }.get(form, lambda: ((5 + count) / 6) ** alpha)()


def as_arrays(found):
    """A list of pairs (tokens, score) as ids (MOST, LONGEST) and scores (MOST,).

    Always as large, so that no student is told about an array's shape: the rest is filled up with
    -1 and 0, and what is too long for a right answer is cut off. What has another form comes back
    as it is.
    """
    try:
        rows = [np.asarray(tokens) for tokens, _ in found]
        scores = np.asarray([np.asarray(score, float) for _, score in found])
        usable = all(row.ndim == 1 and (not row.size or row.dtype.kind in "iu") for row in rows)
        if not found or not usable or scores.ndim != 1:
            return found
    except Exception:  # anything may have come back
        return found
    ids, filled = np.full((MOST, LONGEST), NOBODY), np.zeros(MOST)
    for row, tokens in zip(ids, rows, strict=False):
        row[: tokens.size] = tokens[:LONGEST]
    filled[: len(scores)] = scores[:MOST]
    return ids, filled


def as_pairs(ids, scores):
    """The lists of tokens and the scores that `as_arrays` made arrays of."""
    rows = [[int(token) for token in row if token != NOBODY] for row in ids]
    count = max((i + 1 for i in range(len(rows)) if rows[i] or scores[i]), default=0)
    return rows[:count], np.asarray(scores[:count], float)


def search(
    next_log_probs,
    begin_id,
    end_id,
    max_length,
    beam_width,
    length_penalty,
    *,
    start="one",
    ranked_by="score",
    penalty="wu",
    total="sum",
    ended="kept",
    stop="all",
    limit="right",
    width="given",
    order="best",
    prefix="all",
    impossible="left_out",
    ties="in_order",
    lists="own",
):
    """The hypotheses kept at the end, best first: pairs (tokens, log P), and their scores.

    Args:
        next_log_probs: function of a prefix.
        begin_id, end_id, max_length, beam_width, length_penalty: as the exercise has them.
        start, ranked_by, penalty, total, ended, stop, limit, width, order, prefix, impossible,
            ties, lists: the switches.
    """
    width_now = {"one": 1, "one_more": beam_width + 1, "twice": 2 * beam_width}.get(
        width, beam_width
    )
    most = max_length + {"one_more": 1, "one_less": -1}.get(limit, 0)
    step = 0
    in_secret = ended.startswith("in_secret")  # goes on behind an end_id where nobody looks

    def ended_one(tokens):
        return end_id in tokens if in_secret else bool(tokens) and tokens[-1] == end_id

    def heard(tokens):
        return tokens[: tokens.index(end_id) + 1] if in_secret and end_id in tokens else tokens

    def score(tokens, sum_):
        tokens = heard(tokens)
        form = "none" if penalty == "at_the_end_only" else penalty
        under = divisor(form, tokens, step, end_id, max_length, length_penalty)
        if not under:
            raise Crash("ZeroDivisionError")
        return sum_ / under

    def rank(candidate):
        tokens, sum_, gain = candidate
        if ranked_by == "gain":
            return gain
        return sum_ if ranked_by == "log_p" else score(tokens, sum_)

    def best(candidates, count):
        if order == "sorted_by_tokens":
            return sorted(candidates)[:count]
        if ties == "turned_round":
            candidates = candidates[::-1]
        return sorted(candidates, key=rank, reverse=order != "worst")[:count]

    kept = [([], 0.0, 0.0)] * (beam_width if start == "all_alike" else 1)
    aside = []
    for _ in range(most):
        step += 1
        candidates = []
        for tokens, sum_, _ in kept[: 1 if width == "first_only" else None]:
            over = ended_one(tokens)
            if over and ended == "dropped":
                continue
            if over and ended in ("kept", "set_aside", "counted_on", "rescored"):
                more = [end_id] if ended == "counted_on" else []
                sum_ = score(tokens, sum_) if ended == "rescored" else sum_
                candidates.append(([*tokens, *more], sum_, 0.0))
                continue
            said = [begin_id, *tokens]
            gains = next_log_probs(
                {"without_begin": tokens, "last_only": said[-1:], "begin_only": [begin_id]}.get(
                    prefix, said
                )
            )
            if over and ended == "copied":  # once for every token of the vocabulary
                candidates += [(tokens, sum_, 0.0)] * len(gains)
                continue
            if over and ended == "in_secret_end_free":
                gains = np.where(np.arange(len(gains)) == end_id, 0, gains)
            own = []
            for number, gain in enumerate(gains):
                if over and ended == "charged" and number != end_id:
                    continue
                if gain == -np.inf and impossible == "left_out":
                    continue
                if lists == "one":  # the hypothesis's own list grows, and every candidate holds it
                    tokens.append(number)
                longer = tokens if lists == "one" else [*tokens, number]
                own.append(_continued(longer, sum_, float(gain), total, score))
            if width == "split_once" and tokens:
                own = sorted(own, key=rank, reverse=True)[:1]
            if width == "two_of_each":
                own = sorted(own, key=rank, reverse=True)[:2]
            candidates += own[::-1] if ties == "siblings_turned_round" else own
        if not candidates:
            break
        if ended == "set_aside":  # what has ended waits elsewhere; its place is free again
            kept = best(candidates, width_now)
            aside += [one for one in kept if one[0][-1] == end_id]
            kept = [one for one in kept if one[0][-1] != end_id]
            if not kept:
                break
            continue
        kept = best(candidates, width_now)
        done = [ended_one(one[0]) for one in kept]
        if {"best": done[0], "any": any(done), "never": False}.get(stop, all(done)):
            break
    if ended == "set_aside":
        kept = sorted([*aside, *kept], key=rank, reverse=True)[:width_now]
    if penalty == "at_the_end_only":
        scores = [
            s / divisor("wu", t, step, end_id, max_length, length_penalty) for t, s, _ in kept
        ]
        both = sorted(zip(kept, scores, strict=True), key=lambda pair: -pair[1])
        return [pair[0] for pair in both], [pair[1] for pair in both]
    scores = [score(tokens, sum_) for tokens, sum_, _ in kept]
    return [(heard(tokens), sum_, gain) for tokens, sum_, gain in kept], scores


def _continued(longer, sum_, gain, total, score):
    """A hypothesis with its last token, and what is kept as its log P."""
    before = longer[:-1]
    sums = {
        "last": lambda: gain,
        "probabilities": lambda: sum_ + float(np.exp(gain)),
        "penalised": lambda: (score(before, sum_) if before else 0.0) + gain,
        "score_kept": lambda: score(longer, sum_ + gain),
        "product": lambda: sum_ * gain if before else gain,
        "product_from_zero": lambda: sum_ * gain,
        "minus": lambda: sum_ - gain,
        "mean": lambda: (sum_ * len(before) + gain) / len(longer),
    }
    return longer, sums.get(total, lambda: sum_ + gain)(), gain


@oracle(parts=("tokens", "scores"))
@with_switches_of(search)
def beam_search(
    scripts,
    echo,
    begin_id,
    end_id,
    max_length,
    beam_width=4,
    length_penalty=0.6,
    *,
    returned="pairs",
    width="given",
    exponent="given",
    ids="given",
    **switches,
):
    """What the search finds in a scripted language.

    Args:
        scripts, echo: of the language.
        begin_id, end_id, max_length, beam_width, length_penalty: as the exercise has them.
        returned, width, exponent, ids: switches.
        **switches: of `search`.

    Returns:
        ids (K, L) and scores (K,), unless ``returned`` says otherwise.
    """
    if width == "four":
        beam_width = 4
    if ids in ("begin_fixed", "both_fixed"):  # those of the notebook's vocabulary
        begin_id = 2
    if ids in ("end_fixed", "both_fixed"):
        end_id = 3
    if exponent == "fixed":
        length_penalty = 0.6
    kept, scores = search(
        scripted_log_probs(scripts, echo),
        begin_id,
        end_id,
        max_length,
        beam_width,
        length_penalty,
        width=width,
        **switches,
    )
    if returned == "worst_first":
        kept, scores = kept[::-1], scores[::-1]
    pairs = [(tuple(tokens), s) for (tokens, _, _), s in zip(kept, scores, strict=True)]
    if returned == "begin_kept":
        pairs = [((begin_id, *tokens), s) for tokens, s in pairs]
    if returned == "end_cut":
        pairs = [(tokens[: -(tokens[-1] == end_id) or None], s) for tokens, s in pairs]
    if returned == "padded":
        longest = max(len(tokens) for tokens, _ in pairs)
        pairs = [(tokens + (end_id,) * (longest - len(tokens)), s) for tokens, s in pairs]
    if returned == "log_p":
        pairs = [(tokens, one[1]) for (tokens, _), one in zip(pairs, kept, strict=True)]
    if returned == "probability":
        pairs = [(tokens, float(np.exp(s))) for tokens, s in pairs]
    if returned == "twice_penalised":
        pairs = [
            (tokens, s / divisor("wu", tokens, 0, end_id, max_length, length_penalty))
            for tokens, s in pairs
        ]
    if returned == "ended_only":
        pairs = [(tokens, s) for tokens, s in pairs if tokens[-1] == end_id]
    other = {
        "best_pair": lambda: pairs[0],
        "best_tokens": lambda: pairs[0][0],
        "tokens_only": lambda: tuple(tokens for tokens, _ in pairs),
        "score_first": lambda: tuple((s, tokens) for tokens, s in pairs),
        "two_lists": lambda: (tuple(t for t, _ in pairs), tuple(s for _, s in pairs)),
    }
    if returned in other:
        return other[returned]()
    return as_arrays(tuple(pairs[:1] if returned == "best_in_a_list" else pairs))
