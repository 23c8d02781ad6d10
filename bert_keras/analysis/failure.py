"""Where a model fails: cues that give the answer away, distractors, pairs that differ in a word."""

from collections import Counter

import numpy as np


def hypothesis_only_baseline(texts, labels, test_texts, num_classes):
    """Guess the label of a pair from its second text alone, by multinomial naive Bayes.

    Whoever beats chance so has found that the labels can be told without reading the pair.

    Args:
        texts: list of str; words are what stands between white space, in lower case.
        labels: list of int, from 0 to C - 1, every class among them.
        test_texts: list of M str; words that no training text has are passed over.
        num_classes: int, the number of classes C.

    Returns:
        int array of shape (M,): the class with the largest log prior plus sum of log likelihoods,
        with one added to the count of every word of the training texts; of equals the smaller.

    Reference:
        Poliak et al., Hypothesis Only Baselines in Natural Language Inference (2018).
        Gururangan et al., Annotation Artifacts in Natural Language Inference Data (2018).
    """
    counts = [Counter() for _ in range(num_classes)]
    for text, label in zip(texts, labels, strict=True):
        counts[label].update(text.lower().split())
    vocabulary = set().union(*counts)
    priors = np.log(np.bincount(labels, minlength=num_classes) / len(labels))  # (C,)
    totals = [sum(count.values()) + len(vocabulary) for count in counts]
    guesses = []
    for text in test_texts:
        words = [word for word in text.lower().split() if word in vocabulary]
        scores = [
            prior + sum(np.log((count[word] + 1) / total) for word in words)
            for prior, count, total in zip(priors, counts, totals, strict=True)
        ]
        guesses.append(int(np.argmax(scores)))
    return np.array(guesses, dtype="int64")


def cue_productivity(choices, labels, cue):
    """How much a single word gives away about the right choice.

    A cue applies where some of the choices have it and others don't. It is productive where the
    right choice has it and no other does.

    Args:
        choices: list of n lists of sets of words, a set for each choice.
        labels: n ints, which choice is right.
        cue: str, the word.

    Returns:
        Two floats: productivity, the share of rows where the cue applies in which it is
        productive (0 where it never applies); and coverage, the share of all rows where it applies.

    Reference:
        Niven and Kao, Probing Neural Network Comprehension of Natural Language Arguments (2019).
    """
    applies = productive = 0
    for sets, label in zip(choices, labels, strict=True):
        has_cue = [cue in words for words in sets]
        applies += any(has_cue) and not all(has_cue)
        productive += has_cue[label] and sum(has_cue) == 1 and len(sets) > 1
    return (productive / applies if applies else 0.0), applies / len(choices)


def add_distractor(words, answer, distractor, position):
    """Put words into a text that are no answer, and keep track of where the answer is.

    Args:
        words: list of str, the text.
        answer: pair (first, last) of ints, the places of the answer, both included.
        distractor: list of str.
        position: int from 0 to the number of words; the distractor comes before that word.

    Returns:
        The pair (words, answer): a new list, and the places of the answer in it.

    Raises:
        ValueError: a position outside of the text or inside the answer, or a distractor that has
            the answer in it and so would be a second right one.

    Reference:
        Jia and Liang, Adversarial Examples for Evaluating Reading Comprehension Systems (2017).
    """
    first, last = answer
    if not 0 <= position <= len(words):
        raise ValueError(f"position must be from 0 to {len(words)}, not {position}")
    if first < position <= last:
        raise ValueError(f"position {position} lies inside the answer, {first} to {last}")
    right = list(words[first : last + 1])
    for start in range(len(distractor) - len(right) + 1):
        if list(distractor[start : start + len(right)]) == right:
            raise ValueError(f"the distractor has the answer in it: {' '.join(right)}")
    shift = len(distractor) if position <= first else 0
    changed = [*words[:position], *distractor, *words[position:]]
    return changed, (first + shift, last + shift)


def contrast_edit(words, opposites):
    """All texts that differ from one in a single word, turned into its opposite.

    Args:
        words: list of str.
        opposites: dict of str by str; each pair is read both ways.

    Returns:
        List of pairs (words, index): a new list with one word exchanged, and where; in the order of
        the text.

    Reference:
        Gardner et al., Evaluating Models' Local Decision Boundaries via Contrast Sets (2020).
    """
    both = {**{value: key for key, value in opposites.items()}, **opposites}
    return [
        ([*words[:index], both[word], *words[index + 1 :]], index)
        for index, word in enumerate(words)
        if word in both
    ]


def contrast_consistency(right, groups):
    """How often a model is right about a text and all its changed copies.

    Args:
        right: bool array of shape (n,), whether each answer was right.
        groups: int array of shape (n,); members of a group have the same number.

    Returns:
        float: the share of groups all of whose members are right.

    Reference:
        Gardner et al., Evaluating Models' Local Decision Boundaries via Contrast Sets (2020).
    """
    right, groups = np.asarray(right, bool), np.asarray(groups)
    return float(np.mean([right[groups == group].all() for group in np.unique(groups)]))
