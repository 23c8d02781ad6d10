"""Counting language models, with a switch for every way of getting one wrong."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle

# What stands before the first word; ids of words are never negative.
MARKS = {"own": (-1, -1), "zeros": (0, 0), "zero_and_one": (0, 1), "one_and_zero": (1, 0)}
NUMBER_OF_MARKS = {"two": 2, "one": 1, "none": 0}
DEFAULT_TRUST = (0.99, 0.6, 0.3)


def _padded(sequence, end_id, starts, ended, mark):
    marks = MARKS[mark][: NUMBER_OF_MARKS[starts]]
    return [*marks, *sequence] + ([end_id] if ended else [])


def _context(padded, t, order, edge):
    """The tokens before place t; near the start a slice may do what Python's slices do."""
    start = t - order if edge == "python" else max(0, t - order)
    return tuple(padded[start:t])


def _events(sequence, end_id, starts, edge, first, ended, look, mark):
    """(token, its three contexts) for every place that is predicted."""
    padded = _padded(sequence, end_id, starts, ended, mark)
    for t in range(
        {"all": NUMBER_OF_MARKS[starts], "third_on": 2, "marks_too": 0}[first], len(padded)
    ):
        contexts = [_context(padded, t, order, edge) for order in range(3)]
        if look == "skips_one":
            contexts[2] = contexts[2][:1]
        elif look == "unordered":
            contexts = [tuple(sorted(context)) for context in contexts]
        elif look == "ahead":
            ahead = padded[t + 1 : t + 3]
            contexts = [tuple(ahead[:order]) for order in range(3)]
        yield padded[t], contexts


@oracle(parts=("probabilities", "perplexity"))
def ngram_lm(
    train,
    test,
    vocabulary_size,
    end_id,
    trust,
    guarded=False,
    before=(),
    *,
    starts="two",
    mark="own",
    arguments="left_alone",
    edge="clipped",
    first="all",
    ends="both",
    joined="no",
    look="back",
    orders="three",
    counted="train",
    total="of_context",
    share="plain",
    unseen="left_alone",
    mixing="nested",
    floor="one_in_v",
    weights="in_order",
    mean="of_logs",
    base="e",
    returned="pair",
):
    """Probabilities of all tokens of the test sequences, and their perplexity.

    Args:
        train, test: lists of lists of int.
        vocabulary_size: V, int.
        end_id: int.
        trust: three floats.
        guarded: bool, whether the lists refuse to be changed.
        before: list of lists of int, what a call before this one has counted; it plays no part.
        starts, mark, arguments, edge, first, ends, joined, look, orders, counted, total, share,
            unseen, mixing, floor, weights, mean, base, returned: the switches.

    Returns:
        float array (words and ends of the test sequences,) and a float.
    """
    if guarded and arguments == "edited":
        raise Crash("EditedInPlace")
    in_train, in_test = ends in ("both", "train_only"), ends in ("both", "test_only")
    if joined == "yes":
        train = [[token for s in train for token in [*s, end_id]][:-1]]
        test = [[token for s in test for token in [*s, end_id]][:-1]]
    counts, totals = {}, {}
    for text in {"train": [train], "both": [train, test], "test": [test]}[counted]:
        for sequence in text:
            events = _events(sequence, end_id, starts, edge, first, in_train, look, mark)
            for token, contexts in events:
                for context in _by_order(contexts, orders):
                    counts[context, token] = counts.get((context, token), 0) + 1
                    totals[context] = totals.get(context, 0) + 1
    totals = _totals(total, totals, counts, train, end_id, starts, in_train, mark)
    trust = list(trust)[::-1] if weights == "reversed" else list(trust)
    if weights == "written_in":
        trust = list(DEFAULT_TRUST)
    if weights == "swapped":
        trust = [1 - each for each in trust]
    known = len({token for _, token in counts})
    lowest = {
        "one_in_v": 1 / vocabulary_size,
        "one_in_known": 1 / max(known, 1),
        "one_in_v_and_one": 1 / (vocabulary_size + 1),
        "one_in_v_and_two": 1 / (vocabulary_size + 2),
        "one_in_v_less_one": 1 / (vocabulary_size - 1),
        "nothing": 0.0,
        "nothing_raises": 0.0,
    }[floor]
    rows = []
    for sequence in test:
        row = []
        events = _events(sequence, end_id, starts, edge, first, in_test, look, mark)
        for token, contexts in events:
            shares = []
            for context in _by_order(contexts, orders):
                if totals.get(context, 0) > 0:
                    found, whole = counts.get((context, token), 0), totals[context]
                    if share == "add_one":
                        found, whole = found + 1, whole + vocabulary_size
                    shares.append(None if share == "zero_skipped" and not found else found / whole)
                else:
                    shares.append(None)
            row.append(_mixed(shares, trust, lowest, unseen, mixing))
        rows.append(row)
    probabilities = np.array([p for row in rows for p in row])
    perplexity = _perplexity(rows, test, mean, base)
    if floor == "nothing_raises" and (probabilities == 0).any():
        raise Crash("ValueError")
    return _as_returned(returned, probabilities, perplexity, rows)


def _by_order(contexts, orders):
    if orders == "two":
        return contexts[:2]
    if orders == "highest_twice":
        return [contexts[0], contexts[2], contexts[2]]
    return contexts


def _totals(total, totals, counts, train, end_id, starts, ended, mark):
    if total == "of_context":
        return totals
    if total == "distinct":
        return {context: sum(c == context for c, _ in counts) for context in totals}
    if total == "all_tokens":
        return {context: totals[()] for context in totals}
    # Counts of the context wherever it stands, marks and last tokens included.
    grams = {}
    for sequence in train:
        padded = _padded(sequence, end_id, starts, ended, mark)
        for t in range(len(padded)):
            for length in (1, 2):
                if t + length <= len(padded):
                    gram = tuple(padded[t : t + length])
                    grams[gram] = grams.get(gram, 0) + 1
    tokens = sum(n for gram, n in grams.items() if len(gram) == 1)
    marks = NUMBER_OF_MARKS[starts] * len(train)
    ends = len(train) if ended else 0
    if total == "all_grams":
        return {context: grams.get(context, tokens) for context in totals}
    if total == "ends_left_out":
        return {**totals, (): tokens - marks - ends}
    if total == "marks_in_unigrams":
        return {**totals, (): tokens}
    if total == "marks_twice":
        return {context: grams.get(context, n) for context, n in totals.items()}
    raise ValueError(total)


def _mixed(shares, trust, lowest, unseen, mixing):
    if mixing == "backoff":
        seen = [s for s in shares if s]
        return seen[-1] if seen else lowest
    if mixing == "highest_context":
        seen = [s for s in shares if s is not None]
        return seen[-1] if seen else lowest
    if mixing == "flat":
        return sum(t * (s or 0.0) for t, s in zip(trust, shares, strict=False))
    if mixing == "flat_over_floor":
        return lowest + sum(t * (s or 0.0) for t, s in zip(trust, shares, strict=False))
    if mixing == "even":
        return sum(s or 0.0 for s in shares) / len(shares)
    if mixing == "product":
        return math.prod(s or 0.0 for s in shares)
    guess = lowest
    for t, s in zip(trust, shares, strict=False):
        if s is None:
            if unseen == "left_alone":
                continue
            s = {"share_zero": 0.0, "share_floor": lowest}[unseen]
        if mixing == "added":
            guess = guess + t * s
        elif mixing == "lower_at_full":
            guess = t * s + guess
        else:
            guess = t * s + (1 - t) * guess
    return guess


def _perplexity(rows, test, mean, base):
    flat = [p for row in rows for p in row]
    if not flat:
        return math.nan
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(flat, float))
    if base == "two_of_nats":
        power = lambda x: 2.0**x  # noqa: E731
    elif base == "e_of_bits":
        power, logs = np.exp, logs / math.log(2)
    elif base == "e_of_tens":
        power, logs = np.exp, logs / math.log(10)
    else:
        power = np.exp
    if mean == "of_logs":
        return float(power(-logs.mean()))
    if mean == "entropy":
        return float(-logs.mean())
    if mean == "entropy_in_bits":
        return float(-logs.mean() / math.log(2))
    if mean == "sign":
        return float(power(logs.mean()))
    if mean == "sum":
        return float(power(-logs.sum()))
    if mean == "per_sequence":
        return float(np.mean([power(-np.mean(np.log(row))) for row in rows if row]))
    if mean == "sequence_logs":
        return float(power(np.mean([-np.mean(np.log(row)) for row in rows if row])))
    if mean == "sentence_sums":
        return float(power(-logs.sum() / max(len(rows), 1)))
    if mean == "words_only":
        return float(power(-logs.sum() / max(sum(len(s) for s in test), 1)))
    if mean == "of_inverses":
        return float(np.mean(1 / np.asarray(flat)))
    if mean == "inverse_of_mean":
        return float(1 / np.mean(flat))
    raise ValueError(mean)


def _as_returned(returned, probabilities, perplexity, rows):
    if returned == "pair":
        return probabilities, perplexity
    if returned == "swapped":
        return perplexity, probabilities
    if returned == "perplexity_only":
        return perplexity
    if returned == "probabilities_only":
        return probabilities
    if returned == "logs":
        return np.log(probabilities), perplexity
    if returned == "minus_logs":
        return -np.log(probabilities), perplexity
    if returned == "by_sequence":
        return tuple(np.array(row) for row in rows), perplexity
    if returned == "one_per_sequence":
        return np.array([math.prod(row) for row in rows]), perplexity
    raise ValueError(returned)
