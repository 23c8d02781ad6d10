"""The label guessed from one text alone, by word counts: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of

SIGNS = ".,!?;:'\"()-"


def cut(text, words="lower", when="training"):
    """The words of a text, unless the switch says otherwise."""
    kept = {"kept": True, "lower_in_training": when == "test", "lower_in_test": when == "training"}
    if not kept.get(words, False):
        text = text.lower()
    if words == "characters":
        return [sign for sign in text if not sign.isspace()]
    if words == "without_signs":
        return text.translate(str.maketrans(SIGNS, " " * len(SIGNS))).split()
    if words == "stripped":
        return [word for each in text.split() if (word := each.strip(SIGNS))]
    return text.split(" ") if words == "blanks_only" else text.split()


def _counts(texts, labels, num_classes, words, counted, known):
    """How often every word of the vocabulary stands in the texts of every class, (C, V)."""
    held = [cut(text, words) for text in texts]
    everything = [*held, *known]
    vocabulary = {
        word: number
        for number, word in enumerate(dict.fromkeys(w for each in everything for w in each))
    }
    found = np.zeros((num_classes, len(vocabulary)))
    for each, label in zip(held, labels, strict=True):
        for word in set(each) if counted == "texts" else each:
            found[label, vocabulary[word]] += 1
    return found, vocabulary


def _likelihoods(found, smoothing, given):
    """log P(word | class), (C, V), and what a word gets that no training text has, (C,)."""
    totals, sizes = found.sum(axis=1), np.full(len(found), found.shape[1])
    if smoothing == "own_vocabulary":
        sizes = (found > 0).sum(axis=1)
    above = {"none": 0.0, "half": 0.5, "tenth": 0.1, "two": 2.0, "below_only": 0.0}.get(
        smoothing, 1.0
    )
    below = {
        "none": totals,
        "above_only": totals,
        "one_below": totals + 1,
        "number_of_classes": totals + len(found),
        "all_words": np.full_like(totals, found.sum()) + sizes,
        "half": totals + 0.5 * sizes,
        "tenth": totals + 0.1 * sizes,
        "two": totals + 2 * sizes,
        "twice_the_classes": totals + sizes * len(found),
    }.get(smoothing, totals + sizes)
    with np.errstate(all="ignore"):
        if given == "word":  # the share of each class among a word's occurrences
            rows = np.log((found + above) / (found.sum(axis=0) + above * len(found)))
            return rows, np.full(len(found), -np.log(len(found)))
        if given == "nothing":  # not divided at all
            return np.log(found + above), np.full(len(found), np.log(above))
        return np.log((found + above) / below[:, None]), np.log(above / below)


def _priors(found, labels, prior):
    """What every class starts with, (C,)."""
    num_classes = len(found)
    numbers = np.bincount(labels, minlength=num_classes).astype(float)
    if prior == "none":
        return np.zeros(num_classes)
    if prior == "share_of_words":
        return np.log(found.sum(axis=1) / found.sum())
    if prior == "smoothed":
        return np.log((numbers + 1) / (len(labels) + num_classes))
    if prior == "not_logged":
        return numbers / len(labels)
    if prior == "count":
        return numbers
    return np.log(numbers / len(labels))


def scores_of(
    texts,
    labels,
    test_texts,
    num_classes,
    *,
    words="lower",
    counted="occurrences",
    repeated="each_time",
    smoothing="one",
    given="class",
    prior="logged",
    unknown="skipped",
    product="logs",
    total="sum",
):
    """The score of every class for every test text, float (M, C).

    Args:
        texts, labels, test_texts, num_classes: as in the contract.
        words, counted, repeated, smoothing, given, prior, unknown, product, total: the switches.
    """
    labels = np.asarray(labels)
    asked = [cut(text, words, "test") for text in test_texts]
    known = asked if unknown == "test_words_too" else []
    found, vocabulary = _counts(texts, labels, num_classes, words, counted, known)
    likelihoods, for_new = _likelihoods(found, smoothing, given)
    starts = _priors(found, labels, prior)
    rows = []
    for each in asked:
        if repeated == "once":
            each = list(dict.fromkeys(each))
        if unknown == "text_given_up" and any(word not in vocabulary for word in each):
            rows.append(starts)
            continue
        terms = []
        for word in each:
            if word not in vocabulary:
                if unknown == "stops":
                    break
                if unknown == "counts":
                    terms.append(for_new)
                continue
            number = vocabulary[word]
            term = likelihoods[:, number]
            if unknown == "new_to_the_class":
                term = np.where(found[:, number] > 0, term, 0.0)
            terms.append(term)
        with np.errstate(all="ignore"):
            terms = np.array(terms).reshape(-1, num_classes)
            if product == "probabilities":
                start = np.exp(starts) if prior != "not_logged" else starts
                rows.append(start * np.prod(np.exp(terms), axis=0))
                continue
            if product == "sum_of_probabilities":
                rows.append(np.exp(starts) + np.exp(terms).sum(axis=0))
                continue
            summed = terms.mean(axis=0) if total == "mean" and len(terms) else terms.sum(axis=0)
            if prior == "for_every_word":
                summed = summed + (len(terms) - 1) * starts
            rows.append(starts + summed)
    return np.array(rows).reshape(-1, num_classes)


@oracle(parts=("guesses",))
@with_switches_of(scores_of)
def hypothesis_only_baseline(
    texts,
    labels,
    test_texts,
    num_classes,
    *,
    choice="largest",
    equals="smaller",
    returned="classes",
    **switches,
):
    """The class of every test text.

    Args:
        texts: list of str; labels: ints; test_texts: list of M str; num_classes: int.
        choice, equals, returned: switches, beside those of `scores_of`.

    Returns:
        int (M,), unless a switch says otherwise.

    Raises:
        Crash: where the mistake would raise.
    """
    if switches.get("unknown") == "looked_up":
        known = {word for text in texts for word in cut(text)}
        if any(word not in known for text in test_texts for word in cut(text)):
            raise Crash("KeyError", "ValueError", "IndexError")
        switches = {**switches, "unknown": "skipped"}
    scores = scores_of(texts, labels, test_texts, num_classes, **switches)
    if returned == "scores":
        return scores
    if returned == "likelihoods":
        return np.exp(scores)
    if returned == "shares":
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)
    if choice == "smallest":
        return scores.argmin(axis=1)
    if choice == "majority":
        return np.full(len(scores), np.bincount(labels).argmax())
    if equals == "larger":
        best = scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1)
    else:
        best = scores.argmax(axis=1)
    return best + 1 if returned == "from_one" else best
