"""Precision, recall and F1 of spans, in plain Python, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _hit(span, others, matched):
    kind, start, end = span
    return {
        "exact": lambda o: tuple(o) == span,
        "ends": lambda o: o[1:] == (start, end),
        "kind_and_start": lambda o: o[:2] == (kind, start),
        "kind_and_end": lambda o: (o[0], o[2]) == (kind, end),
        "start": lambda o: o[1] == start,
        "kind": lambda o: o[0] == kind,
        "overlap": lambda o: o[0] == kind and o[1] < end and start < o[2],
        "overlap_of_any_kind": lambda o: o[1] < end and start < o[2],
    }[matched.removesuffix("_both_ways")](others)


def _counts(gold, predicted, matched, twice):
    """Hits among what was said, hits among what is right, and how many there are of each."""
    gold, predicted = ([tuple(span) for span in spans] for spans in (gold, predicted))
    if matched == "tokens":
        gold, predicted = (
            [(kind, i, i) for kind, a, b in dict.fromkeys(spans) for i in range(a, b)]
            for spans in (gold, predicted)
        )
        matched = "exact"
    elif matched == "tokens_of_any_kind":
        gold, predicted = (
            sorted({("", i, i) for _, a, b in spans for i in range(a, b)})
            for spans in (gold, predicted)
        )
        matched = "exact"
    if matched == "in_order":
        hits = sum(a == b for a, b in zip(gold, predicted, strict=False))
        return hits, hits, len(gold), len(predicted)
    if twice == "once":
        gold, predicted = list(dict.fromkeys(gold)), list(dict.fromkeys(predicted))
    if twice == "spent":  # every right one can be hit once, but what is said twice counts twice
        rest, hits = list(gold), 0
        for span in predicted:
            found = next((other for other in rest if _hit(span, other, matched)), None)
            if found is not None:
                rest.remove(found)
                hits += 1
        return hits, hits, len(gold), len(predicted)
    said = sum(any(_hit(span, other, matched) for other in gold) for span in predicted)
    if matched.endswith("_both_ways"):
        there = sum(any(_hit(span, other, matched) for other in predicted) for span in gold)
    else:
        there = said
    return said, there, len(gold), len(predicted)


def _share(part, whole, zero):
    if whole:
        return part / whole
    if zero == "crash":
        raise Crash("ZeroDivisionError")
    return {"one": 1.0, "nan": np.nan}.get(zero, 0.0)


# Where only one of the three divisions is thought of wrongly.
_APART = {
    "precision_one": ("one", "zero", "zero"),
    "recall_one": ("zero", "one", "zero"),
    "precision_crash": ("crash", "zero", "zero"),
    "recall_crash": ("zero", "crash", "zero"),
    "f1_crash": ("zero", "zero", "crash"),
}


def _three(said, there, right, told_, zero, mean):
    """Precision, recall and F1 of counts."""
    if zero == "one_if_both_empty":
        if not right and not told_:
            return 1.0, 1.0, 1.0
        zero = "zero"
    of_precision, of_recall, zero = _APART.get(zero, (zero,) * 3)
    precision, recall = _share(said, told_, of_precision), _share(there, right, of_recall)
    return precision, recall, _combined(precision, recall, zero, mean, (said, right, told_))


def _combined(p, r, zero, mean, counts):
    said, right, told_ = counts
    zero = "zero" if zero == "one" else zero
    return {
        "arithmetic": lambda: (p + r) / 2,
        "geometric": lambda: float(np.sqrt(p * r)),
        "not_doubled": lambda: _share(p * r, p + r, zero),
        "jaccard": lambda: _share(said, right + told_ - said, zero),
        "least": lambda: min(p, r),
        "product": lambda: p * r,
        "squares": lambda: _share(2 * p * r, p * p + r * r, zero),
    }.get(mean, lambda: _share(2 * p * r, p + r, zero))()


def _by_kind(gold, predicted):
    """Every kind's spans alone, as if they were sentences."""
    kinds = sorted({span[0] for spans in (*gold, *predicted) for span in spans})
    for kind in kinds:
        yield tuple(
            [(n, *span) for n, spans in enumerate(all_) for span in spans if span[0] == kind]
            for all_ in (gold, predicted)
        )


@oracle(parts=("precision", "recall", "f1"))
def span_f1(
    gold,
    predicted,
    *,
    averaged="micro",
    matched="exact",
    sentences="apart",
    twice="once",
    zero="zero",
    mean="harmonic",
    returned="three",
):
    """Precision, recall and F1 over all sentences.

    Args:
        gold, predicted: lists of lists of (kind, start, end).
        averaged, matched, sentences, twice, zero, mean, returned: the switches.

    Returns:
        three float (), unless a switch says otherwise.

    Raises:
        Crash: where there is nothing to divide by, and nobody has thought of it.
    """
    gold, predicted = ([[tuple(s) for s in spans] for spans in each] for each in (gold, predicted))
    if sentences == "pooled":
        gold, predicted = ([[s for spans in each for s in spans]] for each in (gold, predicted))
    elif sentences == "first":
        gold, predicted = gold[:1], predicted[:1]
    counts = [_counts(a, b, matched, twice) for a, b in zip(gold, predicted, strict=True)]
    if averaged == "kinds":
        if matched != "exact" or twice != "once":
            raise ValueError("not both")
        counts = [
            (hits := len(set(a) & set(b)), hits, len(set(a)), len(set(b)))
            for a, b in _by_kind(gold, predicted)
        ]
    if averaged == "micro":
        total = np.sum(counts, axis=0).tolist() if counts else [0] * 4
        three = _three(*total, zero, mean)
        if returned == "counts":
            return tuple(np.asarray(float(n)) for n in (total[0], total[3] - total[0],
                                                        total[2] - total[0]))  # fmt: skip
    elif averaged == "whole_sentences":
        shares = [set(a) == set(b) for a, b in zip(gold, predicted, strict=True)]
        three = (float(np.mean(shares)),) * 3
    else:
        rows = [c for c in counts if averaged != "some_sentences" or c[2] or c[3]]
        if not rows:
            raise Crash
        each = np.array([_three(*row, zero, mean) for row in rows], float)
        three = tuple(each.mean(axis=0).tolist())
        if averaged == "f1_of_means":
            three = (*three[:2], _combined(*three[:2], zero, mean, (0, 0, 0)))
    return as_three(_shown(three, returned))


def _shown(three, returned):
    p, r, f = three
    if returned == "counts":
        raise Crash
    return {
        "exchanged": (r, p, f),
        "f1_first": (f, p, r),
        "f1_only": f,
        "pair": (p, r),
        "percent": (100 * p, 100 * r, 100 * f),
        "rounded": tuple(round(x, 2) for x in three),
        "rounded_3": tuple(round(x, 3) for x in three),
        "rounded_4": tuple(round(x, 4) for x in three),
        "errors": (1 - p, 1 - r, 1 - f),
    }.get(returned, three)


def as_three(found):
    """Numbers as floats; an int 0 is as good as 0.0. Anything else as it is."""
    if isinstance(found, (tuple, list)):
        return tuple(as_three(each) for each in found)
    whole = isinstance(found, int) and not isinstance(found, bool)
    if whole or isinstance(found, float):
        return np.asarray(float(found))
    if isinstance(found, np.ndarray) and found.shape == () and found.dtype.kind in "iuf":
        return found.astype(float)
    if isinstance(found, np.ndarray) and found.shape == (3,) and found.dtype.kind in "iuf":
        return tuple(found.astype(float))
    return found
