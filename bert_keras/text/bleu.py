"""BLEU: how much of a translation is also in the reference."""

import math
from collections import Counter


def bleu(predictions, references, max_order=4, smooth=False):
    """Score a whole set of translations, with one reference for each.

    Every sequence is cut into runs of 1, 2, … max_order neighbouring tokens. Of each length, count
    how many runs of the predictions are in their reference (each at most as often as it is there),
    over the whole set, and divide by the number of runs predicted. The score is the geometric mean
    of these precisions, times a penalty where the predictions are shorter than the references
    altogether. Tokens are what a sequence is made of: the characters of a str, the words of a list
    of words.

    Args:
        predictions: list of sequences of tokens.
        references: list of sequences of tokens, one for each prediction.
        max_order: int, the longest run.
        smooth: whether to add one to the matches and to the totals of every length above 1. As
            it is, one length without any match makes the score 0.

    Returns:
        float from 0 to 100.

    Raises:
        ValueError: unless there are as many references as predictions.

    Reference:
        Papineni et al., BLEU: a Method for Automatic Evaluation of Machine Translation (2002); Lin
        and Och, ORANGE (2004), for the smoothing.
    """

    def runs(tokens, n):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    matches, totals = [0] * max_order, [0] * max_order
    predicted_length = reference_length = 0
    for prediction, reference in zip(predictions, references, strict=True):
        predicted_length += len(prediction)
        reference_length += len(reference)
        for n in range(1, max_order + 1):
            predicted = runs(prediction, n)
            matches[n - 1] += (predicted & runs(reference, n)).total()  # the smaller of both counts
            totals[n - 1] += predicted.total()
    if smooth:
        matches[1:] = [count + 1 for count in matches[1:]]
        totals[1:] = [count + 1 for count in totals[1:]]
    if 0 in matches:
        return 0.0
    log_precision = sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / max_order
    brevity = min(0.0, 1 - reference_length / predicted_length)
    return 100 * math.exp(brevity + log_precision)
