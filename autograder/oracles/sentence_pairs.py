"""Pairs for next-sentence prediction: their form, and laws for labels and wrong sentences."""

from __future__ import annotations

import numpy as np

from autograder.laws import Anything, Statistical
from autograder.messages import Text
from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.mask_position_laws import FINE, share
from autograder.oracles.sentence_draws import neighbours_of, places_of, wrong_sentences

EXACT = ("exactly_half", "exactly_half_up")
AGAIN = "again_in_every_document"  # each document begins with the same random numbers
FAULTS = ("list", "triples", "count", "firsts", "labels")
NEGATIVE = Text("标签是 1 的对子", "pairs with label 1")
TRUE_NEXT = Text(
    "标签是 0、而且真是下一句的对子", "pairs with label 0 whose second sentence is the next one"
)
OWN = Text("标签是 1、第二句却出自同一篇文档的对子", "pairs with label 1 from one document")
STRANGE = Text(
    "标签是 1、第二句不在任何文档里的对子",
    "pairs with label 1 whose second sentence is in no document",
)
ALIKE = Text("相邻的两对，标签相同的", "neighbouring pairs with the same label")
SAME_WRONG = Text(
    "同一篇文档里相邻的两对，标签都是 1，抽到同一句的",
    "neighbouring pairs of one document with label 1 that got the same sentence",
)
HALVED = Text(
    "恰好一半（奇数时少一个）的对子标签是 1 的调用",
    "calls in which just half of the pairs (rounded down) have label 1",
)
CALLS_ALIKE = Text(
    "相邻的两次调用，第一对的标签相同的", "neighbouring calls whose first labels are the same"
)


@oracle(parts=("pairs",))
@with_switches_of(wrong_sentences)
def laws(
    sizes,
    calls,
    *,
    rate="half",
    label="zero_is_next",
    lots="each_pair",
    drawn="each_pair",
    seed_use="right",
    **switches,
):
    """The laws of `outcomes`.

    Args:
        sizes: list of int, the number of sentences of each document.
        calls: how many calls there are, each with a seed of its own.
        rate, label, lots, drawn, seed_use: the switches.
        **switches: of `wrong_sentences`.

    Returns:
        A `Statistical`.
    """
    drawn_share = {"never": 0.0, "always": 1.0, "rare": 0.15, "third": 1 / 3}.get(rate, 0.5)
    inverted = label == "inverted"
    ones = 1 - drawn_share if inverted else drawn_share
    places = places_of(sizes)
    chances = dict(
        zip(places, [wrong_sentences(sizes, *p, **switches) for p in places], strict=True)
    )
    # How many outcomes may hang together, by who shares a lot and who shares a sentence.
    again = calls if seed_use == "fixed" else 1
    groups = {"document": max(sizes), "call": len(places), AGAIN: len(sizes)}
    by_lot = again * groups.get(lots, 1)
    by_sentence = again * (max(sizes) if drawn == "document" else 1)
    by_sentence *= len(sizes) if lots == AGAIN else 1
    # Where calls have few lots between them, what is asked about a label may have no outcomes.
    often = lots in ("each_pair", "document", AGAIN, *EXACT) and seed_use != "fixed"

    def given(possible, p, what, dependent):
        return share(p, what, dependent) if possible else Anything(what)

    next_drawn = np.mean([found.get((d, p + 1), 0.0) for (d, p), found in chances.items()])
    own_drawn = np.mean(
        [sum(c for one, c in found.items() if one[0] == d) for (d, _), found in chances.items()]
    )
    found = {
        "negative": given(lots != "in_turn", ones, NEGATIVE, by_lot),
        "true_next": given(ones < 1, next_drawn if inverted else 1.0, TRUE_NEXT, by_sentence),
        "own": given(ones > 0, 1.0 if inverted else own_drawn, OWN, by_sentence),
        "strange": given(ones > 0, 0.0, STRANGE, 1),
    }
    for document, other, place in _foreign(sizes):
        mine = [c.get((other, place), 0.0) for (d, _), c in chances.items() if d == document]
        found[f"from{document}_{other}_{place}"] = given(
            often and ones > 0,
            0.0 if inverted else np.mean(mine),
            _sentence_text(document, other, place),
            by_sentence,
        )
    even = drawn_share**2 + (1 - drawn_share) ** 2
    alike = {"each_pair": even, AGAIN: even, "in_turn": 0.0}.get(lots, 1.0)
    count, half = len(places), len(places) // 2
    if lots in EXACT:  # so many cards with a 1, shuffled
        wrong = half if lots == "exactly_half" else count - half
        found["negative"] = share(wrong / count, NEGATIVE, again)
        alike = wrong * (wrong - 1) + (count - wrong) * (count - wrong - 1)
        alike = alike / (count * (count - 1))
        halved = float(wrong == half)
    else:
        halved = _chance_of(half, _groups(sizes, lots), ones)
    found["alike"] = share(alike, ALIKE, again)
    found["halved"] = given(lots not in ("in_turn", AGAIN), halved, HALVED, again)
    same = np.mean(
        [
            sum(chance * chances[d, p + 1].get(one, 0.0) for one, chance in chances[d, p].items())
            for d, p in neighbours_of(sizes)
        ]
    )
    found["same_wrong"] = given(
        often and not inverted and ones > 0.4, 1.0 if drawn == "document" else same, SAME_WRONG, 1
    )
    found["calls"] = share(1.0 if lots == "in_turn" or seed_use == "fixed" else even, CALLS_ALIKE)
    return Statistical(**found)


def _groups(sizes, lots):
    """How many pairs share each lot."""
    if lots == "document":
        return [size - 1 for size in sizes if size > 1]
    pairs = len(places_of(sizes))
    return [pairs] if lots == "call" else [1] * pairs


def _chance_of(number, groups, p):
    """How probable it is that just so many pairs get a 1, where groups of them share a lot."""
    chances = {0: 1.0}
    for group in groups:
        added = {total + group: chance * p for total, chance in chances.items()}
        chances = {total: chance * (1 - p) for total, chance in chances.items()}
        for total, chance in added.items():
            chances[total] = chances.get(total, 0.0) + chance
    return chances.get(number, 0.0)


def _foreign(sizes):
    """(document of a pair, other document, place) for every sentence that a wrong one may be."""
    return [
        (document, other, place)
        for document, size in enumerate(sizes)
        for other, count in enumerate(sizes)
        for place in range(count)
        if size > 1 and other != document
    ]


def _sentence_text(document, other, place):
    return Text(
        f"第一句出自文档 {document}、标签是 1 的对子里，抽到文档 {other} 的第 {place} 句的",
        f"pairs with label 1 and a first sentence from document {document} that got sentence "
        f"{place} of document {other}",
    )


def outcomes(found, documents):
    """What was drawn, as one array of outcomes for each law of `laws`.

    Args:
        found: list of what came back, one for each call, whose form is fine.
        documents: list of lists of str.
    """
    sizes = [len(sentences) for sentences in documents]
    known = {s: (d, p) for d, sentences in enumerate(documents) for p, s in enumerate(sentences)}
    places = places_of(sizes)
    labels = np.array([[int(label) for _, _, label in pairs] for pairs in found])
    seconds = [[known.get(str(second)) for _, second, _ in pairs] for pairs in found]
    is_next = np.array([[s == (d, p + 1) for s, (d, p) in zip(row, places, strict=True)]
                        for row in seconds])  # fmt: skip
    own = np.array([[s is not None and s[0] == d for s, (d, _) in zip(row, places, strict=True)]
                    for row in seconds])  # fmt: skip
    strange = np.array([[s is None for s in row] for row in seconds])
    wrong = labels == 1
    arrays = [wrong, is_next[~wrong], own[wrong], strange[wrong]]
    for document, other, place in _foreign(sizes):
        arrays.append(
            [
                row[column] == (other, place)
                for row, is_wrong in zip(seconds, wrong, strict=True)
                for column, (d, _) in enumerate(places)
                if d == document and is_wrong[column]
            ]
        )
    left = [places.index(one) for one in neighbours_of(sizes)]
    arrays.append(np.concatenate([labels[:, i] == labels[:, i + 1] for i in left]))
    arrays.append(labels.sum(axis=1) == labels.shape[1] // 2)
    same = [
        row[i] == row[i + 1]
        for row, is_wrong in zip(seconds, wrong, strict=True)
        for i in left
        if is_wrong[i] and is_wrong[i + 1]
    ]
    arrays.append(same)
    first = labels[:, 0]
    arrays.append(first[: len(first) // 2 * 2 : 2] == first[1::2])
    return tuple(np.asarray(each, float).ravel() for each in arrays)


def form_of(found, documents):
    """What is wrong with the form of what came back, as a word from `FAULTS`, or `FINE`."""
    if not isinstance(found, (tuple, list)):
        return "list"
    if any(not isinstance(one, (tuple, list)) or len(one) != 3 for one in found):
        return "triples"
    kinds = [[np.asarray(part).dtype.kind for part in one if np.ndim(part) == 0] for one in found]
    if any(len(kind) != 3 or kind[:2] != ["U", "U"] or kind[2] not in "iub" for kind in kinds):
        return "triples"
    wanted = [documents[d][p] for d, p in places_of([len(s) for s in documents])]
    if len(found) != len(wanted):
        return f"count {len(found)}"
    if [str(first) for first, _, _ in found] != wanted:
        return "firsts"
    return FINE if {int(label) for _, _, label in found} <= {0, 1} else "labels"


@oracle(parts=("form",))
def form(sizes, *, pairs="neighbours", returned="triples", refusal="right", negatives="others"):
    """What `form_of` says.

    Args:
        sizes: list of int, the number of sentences of each document.
        pairs, returned, refusal, negatives: the switches.

    Raises:
        Crash: where so few documents are refused, or there is nothing to draw from.
    """
    for place in places_of(sizes):
        wrong_sentences(sizes, *place, negatives=negatives)
    if refusal == "one_more" and len(sizes) < 3:
        raise Crash("ValueError")
    if returned != "triples":
        return "list" if returned == "a_dict" else "triples"
    if pairs in ("sorted", "shuffled", "first_is_drawn"):
        return "firsts"
    right = len(places_of(sizes))
    number = {
        "every_second": sum(size // 2 for size in sizes),
        "last_pair_missing": sum(max(size - 2, 0) for size in sizes),
        "across_documents": sum(sizes) - 1,
        "both_kinds": 2 * right,
        "last_sentences_too": sum(sizes),
        "first_document_only": sizes[0] - 1,
    }.get(pairs, right)
    return FINE if number == right else f"count {number}"


def worst_form(found, documents):
    """The first fault that any call shows."""
    forms = sorted({form_of(each, documents) for each in found})
    return next((one for word in FAULTS for one in forms if one.split()[0] == word), FINE)


@oracle(parts=("repeats",))
def repeats(*, seed_use="right", rate="half"):
    """Bool (2,): whether two calls with one seed agree, and two with different seeds."""
    if rate == "never" or seed_use == "fixed":
        return np.array([True, True])
    return np.array([seed_use != "ignored", False])


def begin_alike(found, documents):
    """Whether all documents begin with the same lots, call after call.

    A generator made anew for each document does that, and nothing else does: labels that are the
    same in all calls, or throughout a call, don't count.

    Args:
        found: list of what came back, one for each call.
        documents: list of lists of str.
    """
    if worst_form(found, documents) != FINE:
        return np.asarray(False)
    places = places_of([len(sentences) for sentences in documents])
    starts = [column for column, (_, place) in enumerate(places) if place == 0]
    labels = np.array([[int(label) for _, _, label in pairs] for pairs in found])
    first = labels[:, starts]  # of every document
    alike = (first == first[:, :1]).all()
    mixed = (labels != labels[:, :1]).any()
    return np.asarray(alike and mixed and len(set(first[:, 0].tolist())) > 1)


@oracle(parts=("beginnings",))
def beginnings(
    sizes, *, lots="each_pair", rate="half", seed_use="right", pairs="neighbours",
    returned="triples",
):  # fmt: skip
    """What `begin_alike` says.

    Args:
        sizes: list of int, the number of sentences of each document.
        lots, rate, seed_use, pairs, returned: the switches.
    """
    fine = form.raw(sizes, pairs=pairs, returned=returned) == FINE
    drawn = rate not in ("never", "always")
    return np.asarray(fine and drawn and lots == AGAIN and seed_use == "right")


@oracle(parts=("refused",))
def refused(sizes, *, refusal="right"):
    """Whether a ValueError says that there are fewer than two documents."""
    count = len(sizes)
    found = {"missing": False, "one_more": count < 3, "empty_only": count < 1}
    return np.asarray(found.get(refusal, count < 2))
