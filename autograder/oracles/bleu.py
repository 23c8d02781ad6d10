"""BLEU by counting one run after the other, with a switch for every way of getting it wrong."""

from __future__ import annotations

import math
from itertools import chain

import numpy as np

from autograder.oracles import Crash, oracle


def _runs(tokens, length, runs):
    last = len(tokens) - length + (runs != "last_missing")
    found = [tuple(tokens[i : i + length]) for i in range(last)]
    if runs == "unordered":
        return [tuple(sorted(run)) for run in found]
    if runs == "joined":
        return ["".join(run) for run in found]
    return sorted(set(found)) if runs == "distinct" else found


def _matches(ours, theirs, clip):
    if clip == "sets":
        return len({*ours} & {*theirs})
    if clip == "every_pair":
        return sum(theirs.count(run) for run in ours)
    if clip == "none":
        return sum(run in theirs for run in ours)
    left, count = list(theirs), 0
    for run in ours:
        if run in left:
            left.remove(run)
            count += 1
    return count


def _cut(sequence, unit):
    if unit == "slices" and sequence and not isinstance(sequence, str):
        raise Crash("TypeError")  # a slice of a list is a list, and no Counter takes one for a key
    if unit == "words" and isinstance(sequence, str):
        return sequence.split()
    return [*"".join(sequence)] if unit == "characters" else list(sequence)


def score(
    predictions,
    references,
    max_order,
    smooth,
    *,
    clip="reference",
    runs="counted",
    mean="geometric",
    orders="all",
    divided_by="predicted",
    brevity="corpus",
    smoothing="longer_runs",
    when_zero="zero",
    level="corpus",
    unit="given",
    scale="hundred",
    roles="own",
):
    """BLEU of a corpus with one reference each, 0 to 100.

    Args:
        predictions, references: lists of sequences.
        max_order: int.
        smooth: bool.
        clip, runs, mean, orders, divided_by, brevity, smoothing, when_zero, level, unit, scale,
            roles: the switches.
    """
    switches = {
        "clip": clip, "runs": runs, "mean": mean, "orders": orders, "divided_by": divided_by,
        "brevity": brevity, "smoothing": smoothing, "when_zero": when_zero, "unit": unit,
        "scale": scale, "roles": roles,
    }  # fmt: skip
    if level == "sentences":
        pairs = list(zip(predictions, references, strict=True))
        scores = [score([p], [r], max_order, smooth, **switches) for p, r in pairs]
        return sum(scores) / len(scores)
    if roles == "swapped":
        predictions, references = references, predictions
    predictions = [_cut(sequence, unit) for sequence in predictions]
    references = [_cut(sequence, unit) for sequence in references]
    if level == "joined":
        predictions, references = [[*chain(*predictions)]], [[*chain(*references)]]
    every = range(1, max_order + 1)
    lengths = {
        "one_short": range(1, max_order), "one_short_of_all": range(1, max_order),
        "four": range(1, 5), "longest": [max_order], "from_two": range(2, max_order + 1),
    }.get(orders, every)  # fmt: skip
    precisions = []
    for length in lengths:
        matched = total = 0
        for prediction, reference in zip(predictions, references, strict=True):
            if orders == "longest_never_counted" and length == max_order:
                break
            ours, theirs = _runs(prediction, length, runs), _runs(reference, length, runs)
            matched += _matches(ours, theirs, clip)
            total += len(theirs if divided_by == "reference" else ours)
        extra = {
            "longer_runs": smooth and length > 1, "every_run": smooth, "never": False,
            "always": length > 1, "matches_only": smooth and length > 1,
            "inverted": not smooth and length > 1,
        }[smoothing]  # fmt: skip
        matched, total = matched + extra, total + (extra and smoothing != "matches_only")
        precisions.append(matched / total if total else 0.0)
    roots = {"one_short_of_all": max_order, "four_roots": 4}.get(orders, len(precisions))
    precision = _mean(precisions, mean, when_zero, roots)
    if brevity.startswith("each_"):
        penalty = _penalty_of_each(predictions, references, brevity)
    else:
        penalty = _penalty(*(sum(map(len, each)) for each in (predictions, references)), brevity)
    return precision * penalty * (100 if scale == "hundred" else 1)


def _mean(precisions, mean, when_zero, roots):
    if not roots:
        raise Crash("ZeroDivisionError", "ValueError", "IndexError")
    if when_zero == "skipped":
        precisions = [p for p in precisions if p] or [0.0]
        roots = len(precisions)
    if mean == "arithmetic":
        return sum(precisions) / roots
    if mean == "arithmetic_unless_zero":
        return sum(precisions) / roots if all(precisions) else 0.0
    if mean == "product":
        return math.prod(precisions)
    if not all(precisions):
        if when_zero == "crash":
            raise Crash("ValueError", "ZeroDivisionError")
        return 0.0
    return math.exp(sum(map(math.log, precisions)) / roots)


def _penalty_of_each(predictions, references, brevity):
    """A penalty for every sentence, multiplied or averaged; e^(1 - r/0) is 0, or an error.

    Or one for all of them, in which what is too long makes up for nothing.
    """
    found = []
    if brevity == "each_shortfall":
        ours = [len(prediction) for prediction in predictions]
        wanted = [max(n, len(reference)) for n, reference in zip(ours, references, strict=True)]
        return _penalty(sum(ours), sum(wanted), "corpus")
    for prediction, reference in zip(predictions, references, strict=True):
        if not prediction and not brevity.endswith("_guarded"):
            raise Crash("ZeroDivisionError")
        found.append(_penalty(len(prediction), len(reference), "corpus") if prediction else 0.0)
    return math.prod(found) if brevity.startswith("each_multiplied") else sum(found) / len(found)


def _penalty(ours, theirs, brevity):
    if brevity == "none" or not ours:
        return 1.0
    if brevity == "ratio":
        return min(1.0, ours / theirs)
    if brevity == "long":  # punishes what is longer
        return math.exp(min(0.0, 1 - ours / theirs))
    if brevity == "both_ways":
        return math.exp(1 - theirs / ours)
    if brevity == "other_ratio":
        return math.exp(min(0.0, ours / theirs - 1))
    if brevity == "turned":
        return math.exp(max(0.0, 1 - ours / theirs))
    return math.exp(min(0.0, 1 - theirs / ours))


bleu = oracle(parts=("score",))(score)


@oracle(parts=("refused",))
def refused(predictions, references, *, pairing="strict"):
    """Whether a ValueError says that there aren't as many references as predictions."""
    return np.asarray(pairing == "strict" and len(predictions) != len(references))
