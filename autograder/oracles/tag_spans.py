"""Spans read off BIO tags, in plain Python, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.text_words import told


def _named(tag, naming):
    """The kind that a tag names."""
    return {
        "after_the_first_dash": tag.partition("-")[2],
        "whole_tag": tag,
        "after_the_last_dash": tag.rpartition("-")[2],
        "between_dashes": tag.split("-")[1] if "-" in tag else "",
        "small": tag.partition("-")[2].lower(),
        "prefix": tag[:1],
    }[naming]


def _runs(tags, orphans, others, again, outside, extent, naming):
    """(number of a tag that names the kind, start, end), ends exclusive; and what is still open."""
    runs, now, named = [], None, 0
    # Who cuts the kind wrongly compares what is left of it.
    by = naming if "dash" in naming else "after_the_first_dash"

    def close(end):
        nonlocal now
        if now is not None:
            runs.append((now[0], now[1], named if outside == "open" else end))
        now = None

    for i, tag in enumerate(tags):
        if i and tags[i - 1] != "O":
            named = i  # so far the last word with a kind stands right before
        prefix = tag.partition("-")[0]
        same = now is not None and _named(tags[now[0]], by) == _named(tag, by)
        if prefix not in ("B", "I"):
            if outside == "counted" and not (now and tags[now[0]] == tag):
                close(i)
                now = [i, i]
            elif outside == "open":  # stays open over what belongs to nothing
                continue
            elif outside != "counted":
                close(i)
            continue
        if outside == "counted" and now is not None and tags[now[0]] == "O":
            close(i)
            same = False
        if prefix == "B" and not (again == "merged" and same):
            close(i)
            now = [i, i]
        elif prefix == "I" and extent == "first_token":  # never goes on
            close(i)
        elif prefix == "I" and extent == "every_token":
            close(i)
            now = [i, i]
        elif now is None:
            if orphans == "begin":
                now = [i, i]
        elif not same and prefix == "I":
            if others == "go_on":
                continue
            if others == "rename":
                now[0] = i
                continue
            close(i)
            if others == "begin":
                now = [i, i]
    if outside != "open" or (tags and tags[-1] != "O"):
        named = len(tags)
    return runs, now and (*now, named)


@oracle(parts=("spans",))
def bio_spans(
    tags,
    *,
    orphans="begin",
    others="begin",
    again="begin",
    outside="closes",
    extent="whole",
    last="kept",
    end="exclusive",
    start="from_zero",
    naming="after_the_first_dash",
    lost="none",
    order="of_the_sentence",
    returned="triples",
):
    """Spans of one sentence, written out.

    Args:
        tags: list of str.
        orphans, others, again, outside, extent, last, end, start, naming, lost, order, returned:
            the switches.

    Returns:
        str ().

    Raises:
        Crash: where a tag has more dashes than the mistake asked for can take.
    """
    if naming == "two_parts" and any(tag.count("-") > 1 for tag in tags):
        raise Crash("ValueError")
    naming = "after_the_first_dash" if naming == "two_parts" else naming
    runs, left = _runs(tags, orphans, others, again, outside, extent, naming)
    if left is not None and last == "kept":
        runs.append(left)
    if left is not None and last == "short":
        runs.append((*left[:2], left[2] - 1))
    if lost == "single":
        runs = [run for run in runs if run[2] - run[1] > 1]
    elif lost == "at_the_start":
        runs = [run for run in runs if run[1] > 0]
    late = {"inclusive": -1, "one_late": 1}.get(end, 0)
    first = 1 if start == "from_one" else 0
    by = late + (1 if start == "from_one" and end == "exclusive" else 0)
    spans = [(_named(tags[of], naming), a + first, b + by) for of, a, b in runs]
    if end == "length":
        spans = [(kind, a, b - a) for kind, a, b in spans]
    spans = {
        "by_kind": sorted(spans),
        "reversed": spans[::-1],
        "by_kind_in_turn": [s for kind in dict.fromkeys(s[0] for s in spans) for s in spans
                            if s[0] == kind],
    }.get(order, spans)  # fmt: skip
    if lost == "of_a_kind_again":
        spans = list({span[0]: span for span in spans}.values())
    elif lost == "but_the_first":
        spans = spans[:1]
    return written(
        {
            "kind_last": [(a, b, kind) for kind, a, b in spans],
            "ends_only": [(a, b) for _, a, b in spans],
            "ends_in_a_pair": [(kind, (a, b)) for kind, a, b in spans],
            "kinds_only": [kind for kind, _, _ in spans],
            "by_kind": {
                kind: [(a, b) for other, a, b in spans if other == kind] for kind, _, _ in spans
            },
            "tags": list(tags),
        }.get(returned, spans)
    )


def written(found):
    """What came back, written out; NumPy's ints are ints."""
    return told(_plain(found))


def _plain(found):
    if isinstance(found, (tuple, list)):
        return [_plain(each) for each in found]
    if isinstance(found, dict):
        return {key: _plain(each) for key, each in found.items()}
    if isinstance(found, np.ndarray):
        return found.tolist()
    return found
