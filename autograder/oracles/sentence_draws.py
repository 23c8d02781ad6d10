"""Which sentence comes as the wrong one of a pair: exact probabilities, with the known mistakes."""

from __future__ import annotations

from autograder.oracles import Crash


def wrong_sentences(sizes, document, place, *, negatives="others"):
    """How probable every sentence is as the wrong one of a pair.

    Args:
        sizes: list of int, the number of sentences of each document.
        document, place: of the pair's first sentence.
        negatives: the switch.

    Returns:
        dict, (document, place) → probability.
    """
    every = [(d, p) for d, size in enumerate(sizes) for p in range(size)]
    foreign = [one for one in every if one[0] != document]
    own = [one for one in every if one[0] == document]
    following = (document, place + 1)
    others = [d for d in range(len(sizes)) if d != document]
    if negatives == "document_first":
        return {(d, p): 1 / len(others) / sizes[d] for d in others for p in range(sizes[d])}
    if negatives == "any_document_first":
        return {(d, p): 1 / len(sizes) / sizes[d] for d, p in every}
    if negatives == "first_sentence_of_a_document":
        return {(d, 0): 1 / len(others) for d in others}
    among = {
        "anywhere": every,
        "anywhere_but_next": [one for one in every if one != following],
        "anywhere_but_the_pair": [
            one for one in every if one not in (following, (document, place))
        ],
        "own_document": own,
        "own_document_but_next": [one for one in own if one != following],
        "own_document_but_the_pair": [
            one for one in own if one not in (following, (document, place))
        ],
        "next_document": [one for one in every if one[0] == (document + 1) % len(sizes)],
        "last_never": foreign[:-1],
        "first_never": foreign[1:],
        "second_sentences": [one for one in foreign if one[1]],
        "no_single_sentences": [one for one in foreign if sizes[one[0]] > 1],
        "true_next": [following],
        "always_the_first": foreign[:1],
    }.get(negatives, foreign)
    if not among:
        raise Crash
    return {one: 1 / len(among) for one in among}


def places_of(sizes):
    """(document, place) of the first sentence of every pair, in order.

    Args:
        sizes: list of int, the number of sentences of each document.
    """
    return [(d, p) for d, size in enumerate(sizes) for p in range(size - 1)]


def neighbours_of(sizes):
    """The left ones of neighbouring pairs of a document, of which none is in two couples."""
    return [(d, p) for d, size in enumerate(sizes) for p in range(0, size - 2, 2)]
