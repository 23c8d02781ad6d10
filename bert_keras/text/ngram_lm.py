"""A language model that only counts: the yardstick for every perplexity later in the course."""

import math

import numpy as np


def ngram_lm(train, test, vocabulary_size, end_id, trust=(0.99, 0.6, 0.3)):
    """Count one text, then say how likely every token of another one was.

    An interpolated trigram. The guess starts as 1 / V for everything. Then the token by itself,
    after one token and after two have their say: each mixes its own share, a count divided by how
    often its context was seen, into the guess so far. A context that the first text lacks has
    nothing to say and leaves the guess alone. So the guesses for all V tokens always sum to 1.

    Args:
        train: list of lists of int, the sequences to count.
        test: list of lists of int, the sequences to predict.
        vocabulary_size: int, V: how many tokens can follow, the end counted, the start not.
        end_id: int, the token that ends every sequence; the sequences come without it.
        trust: three floats in [0, 1): how much of the new guess is the share of the token by
            itself, after one token, after two tokens.

    Returns:
        The pair (probabilities, perplexity): a float array with one number for every token of
        every test sequence, its end included, in order; and a float, e to the mean of -log p.

    Reference:
        Jelinek & Mercer (1980), Interpolated estimation of Markov source parameters; Chen &
        Goodman (1998), section 2.3.
    """
    counts, totals = {}, {}
    for sequence in train:
        padded = [None, None, *sequence, end_id]  # two marks, so that every token has a past
        for t in range(2, len(padded)):
            for order in range(3):
                context = tuple(padded[t - order : t])
                counts[context, padded[t]] = counts.get((context, padded[t]), 0) + 1
                totals[context] = totals.get(context, 0) + 1
    probabilities = []
    for sequence in test:
        padded = [None, None, *sequence, end_id]
        for t in range(2, len(padded)):
            guess = 1 / vocabulary_size
            for order in range(3):
                context = tuple(padded[t - order : t])
                if context in totals:
                    share = counts.get((context, padded[t]), 0) / totals[context]
                    guess = trust[order] * share + (1 - trust[order]) * guess
            probabilities.append(guess)
    surprise = [-math.log(probability) for probability in probabilities]
    return np.array(probabilities), math.exp(sum(surprise) / len(surprise))
