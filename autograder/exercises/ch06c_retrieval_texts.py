"""Claims and statements to search, drawn so that mistakes show."""

import numpy as np

from autograder.oracles import retrieval as oracles

# Each word of the first row is a part of the one below it.
WORDS = ("art", "rain", "sun", "owl", "ear", "ant", "pin", "oak")
LONGER = ("cart", "train", "sunny", "bowl", "pear", "plant", "spin", "cloak")
FILL = ("the", "a", "of", "river", "stone", "green", "walks", "sees", "nine", "lamp")
HAN = "天地人山水火木金日月星云风雨"


def a_sentence(rng, words):
    """Words as a sentence: a capital in front and a mark at the end."""
    text = " ".join(words)
    return text[:1].upper() + text[1:] + str(rng.choice(list(".!?")))


def some_words(rng, asked, length, share):
    """So many words, a share of them from those that the claim has, the first ones most often."""
    odds = 0.5 ** np.arange(len(asked))
    return [
        str(rng.choice(asked, p=odds / odds.sum()) if rng.random() < share else rng.choice(FILL))
        for _ in range(length)
    ]


def some_texts(rng, number, asked, share=0.4):
    """Sentences of three to twenty words."""
    lengths = rng.permutation(np.linspace(3, 20, number).astype(int))
    return [a_sentence(rng, some_words(rng, asked, int(length), share)) for length in lengths]


def well_apart(scores):
    """Whether scores are the same or so far from each other that rounding can't matter."""
    ordered = np.sort(scores)
    gaps = np.diff(ordered)
    return bool(((gaps == 0) | (gaps > 2e-3)).all())


def drawn(make, telling, rest, apart=()):
    """Claim and texts for which these mistakes show.

    Args:
        make: function that draws a claim and texts.
        telling: switches, each of which has to change the result.
        rest: count, and the two parameters, if any.
        apart: pairs of switches that have to give different results.
    """

    def found(**switch):
        return oracles.retrieve_evidence.raw(*given, **switch).tolist()

    for _ in range(300):
        claim, texts = make()
        scores = oracles.scores_of(claim, texts, *(rest[1:] or (1.2, 0.75)))
        given = (claim, texts, *rest)
        right = found()
        if (
            well_apart(scores)
            and all(found(**switch) != right for switch in telling)
            and all(found(**one) != found(**other) for one, other in apart)
        ):
            break
    return claim, texts


def about(rng, number, words=5, share=0.4):
    """Draws a claim of some words and texts that have them more or less."""

    def make():
        asked = [str(word) for word in rng.permutation(WORDS)[:words]]
        return a_sentence(rng, asked), some_texts(rng, number, asked, share)

    return make
