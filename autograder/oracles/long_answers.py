"""An answer in a text of several windows, as the drill of chapter 6b has it, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.answer_spans import area_of, chosen
from autograder.oracles.attention import with_switches_of
from autograder.oracles.text_windows import windows_of


def read(tables, token_ids, segment_ids):
    """Scores of a row's places as first and as last tokens of an answer.

    A place's score depends on its token, its segment and both of its neighbours; that of the first
    place on all of the row.

    Args:
        tables: float (2, 2, V + 2), for starts and for ends: scores of a token and what it adds
            to its neighbours'; the last two of a row are those of the segments.
        token_ids, segment_ids: int (n,).
    """
    ids, segments = np.asarray(token_ids), np.asarray(segment_ids)
    both = []
    for own, before in tables:
        scores = own[ids] + own[-2:][segments]
        beside = before[ids] + own[-2:][segments]
        scores[1:] += 0.5 * beside[:-1]
        scores[:-1] += 0.3 * beside[1:]
        scores[0] += before[ids].mean() * 2
        both.append(scores)
    return both[0], both[1]


# Rows that were read already: hundreds of mistakes are acted out on the same ones.
_KNOWN: dict = {}


def _read_once(tables, ids, parts):
    """As `read`; the arrays are shared and mustn't be changed."""
    key = id(tables), tuple(ids), tuple(parts)
    if key not in _KNOWN:
        if len(_KNOWN) > 20000:
            _KNOWN.clear()
        _KNOWN[key] = tables, read(tables, ids, parts)  # tables are kept, and with them their id
    return _KNOWN[key][1]


def _row(context, question, window, special_ids, marks, segments):
    """Ids and segments of a row."""
    cls, sep = special_ids
    start, end = window
    head = {"cls_missing": [*question, sep], "exchanged": [sep, *question, cls]}.get(
        marks, [cls, *question, sep]
    )
    tail = context[start:end] + ([] if marks == "sep_missing" else [sep])
    ids = [*head, *tail]
    parts = {
        "zeros": [0] * len(ids),
        "turned": [1] * len(head) + [0] * len(tail),
        "sep_in_the_second": [0] * (len(head) - 1) + [1] * (len(tail) + 1),
        "last_sep_zero": [0] * len(head) + [1] * (len(tail) - 1) + [0],
    }.get(segments, [0] * len(head) + [1] * len(tail))
    return ids, parts, len(head)


def _told(best, null, threshold, decided):
    """Whether it is said that there is no answer."""
    return {
        "turned": best - null > threshold,
        "threshold_turned": null - best > -threshold,
        "threshold_missing": null > best,
        "at_least": null - best >= threshold,
        "never": False,
        "ratio": null > best * threshold,
        "answer_below": best < threshold,
    }.get(decided, null - best > threshold)


def _read_all(given, how, windows):
    """Of every window the best answer and its places, and the two scores of having none."""
    context, question, tables, length, stride, max_answer, special_ids = given
    search, order, limit, area, places, marks, segments = how
    found, nulls = [], []
    for window in windows_of(len(context), len(question), length, stride, **windows):
        if window[0] >= window[1]:  # a loop over the text ends before that
            continue
        ids, parts, offset = _row(context, question, window, special_ids, marks, segments)
        starts, ends = _read_once(tables, ids, parts)
        begin, end = area_of(offset, window[1] - window[0], len(ids), area)
        score, first, last = chosen(
            starts[begin:end], ends[begin:end], max_answer, search, order, limit
        )
        by = {
            "in_the_window": begin - offset,
            "in_the_row": begin,
            "in_the_row_and_the_text": begin + window[0],
        }.get(places, begin - offset + window[0])
        found.append((score, first + by, last + by + (places == "end_exclusive")))
        nulls.append((starts[0], ends[0]))
    return found, nulls


def _best(found, kept="best"):
    return {"last": found[-1], "first": found[0], "worst": min(found)}.get(kept) or max(
        found, key=lambda one: one[0]
    )


def lowest_of(nulls, winner, null="lowest"):
    """What counts as the score of having no answer, of those of all windows."""
    return {
        "last": nulls[-1],
        "first": nulls[0],
        "highest": max(nulls),
        "mean": sum(nulls) / len(nulls),
        "of_the_best": nulls[winner],
    }.get(null, min(nulls))


def between(question, null):
    """The threshold halfway between deciding rightly and by another score of no answer."""
    context, words, tables, length, stride, most, _, marks = question
    how = ("pairs", "end_not_before", "tokens", "window", "in_the_text", "both", "right")
    found, nulls = _read_all((context, words, tables, length, stride, most, marks), how, {})
    nulls, best = [sum(pair) for pair in nulls], _best(found)
    other = lowest_of(nulls, found.index(best), null)
    return float((min(nulls) + other) / 2 - best[0])


@oracle(parts=("first", "last"))
@with_switches_of(windows_of)
def long_answer(
    context,
    question,
    tables,
    max_sequence_length,
    stride,
    max_answer,
    threshold,
    special_ids,
    *,
    search="pairs",
    order="end_not_before",
    limit="tokens",
    area="window",
    places="in_the_text",
    null="lowest",
    kept="best",
    decided="null_above",
    marks="both",
    segments="right",
    returned="pair",
    **windows,
):
    """First and last token of the answer, or -1 and -1.

    Args:
        context, question: lists of int.
        tables: see `read`.
        max_sequence_length, stride, max_answer: int.
        threshold: float.
        special_ids: pair of int.
        search, order, limit, area, places, null, kept, decided, marks, segments, returned: the
            switches.
        **windows: switches of `windows_of`.

    Returns:
        int () and int (), unless a switch says otherwise.
    """
    found, nulls = _read_all(
        (context, question, tables, max_sequence_length, stride, max_answer, special_ids),
        (search, order, limit, area, places, marks, segments),
        windows,
    )
    if null == "start_only":
        nulls = [starts for starts, _ in nulls]
    else:
        nulls = [starts + ends for starts, ends in nulls]
    best = _best(found, kept)
    lowest = lowest_of(nulls, found.index(best), null)
    _, first, last = best
    if _told(best[0], lowest, threshold, decided):
        first, last = -1, -1
    return np.asarray(first), np.asarray(last)


@oracle(parts=("answers",))
@with_switches_of(long_answer.raw)
def long_answers(questions, **switches):
    """Answers to several questions, each a tuple of the arguments of `long_answer`: int (n, 2)."""
    return np.array([long_answer.raw(*one, **switches) for one in questions]).astype(int)
