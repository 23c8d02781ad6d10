"""Words in numbers, and every word with its neighbours: what word vectors are trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

NOBODY = ""  # the word of id 0: a place beyond the edge of a sentence


def frequent_words(sentences: Iterable[Sequence[str]], size: int) -> list[str]:
    """The commonest words, commonest first; words that are equally common in the order of text.

    Args:
        sentences: of the train split, as words.
        size: int, how many words at most.

    Returns:
        list of str; place 0 holds "", so that id 0 is no word.
    """
    counts = Counter(word for sentence in sentences for word in sentence)
    return [NOBODY, *(word for word, _ in counts.most_common(size))]


def encode_known(sentences: Iterable[Sequence[str]], words: Sequence[str]) -> list[np.ndarray]:
    """Sentences as ids, with the words that are not listed left out.

    Args:
        sentences: as words.
        words: list of str, what `frequent_words` gives.

    Returns:
        list of int32 arrays, one for each sentence; some may be empty.
    """
    ids = {word: i for i, word in enumerate(words)}
    return [
        np.array([ids[word] for word in sentence if word in ids], np.int32)
        for sentence in sentences
    ]


def thin_out(
    sentences: Sequence[np.ndarray], threshold: float, rng: np.random.Generator
) -> list[np.ndarray]:
    """Leave out many of the most frequent words: they are everybody's neighbours.

    A word whose share of the text is f stays with probability sqrt(threshold / f), and always
    where f is smaller than the threshold.

    Args:
        sentences: list of int arrays.
        threshold: float, a share of the text, such as 1e-4.
        rng: NumPy's generator.

    Returns:
        list of int arrays.

    Reference:
        Mikolov et al. (2013), Distributed Representations of Words and Phrases, section 2.3.
    """
    text = np.concatenate(sentences)
    share = np.bincount(text) / len(text)  # of the whole text: counts alone would grow with it
    kept = np.minimum(1.0, np.sqrt(threshold / np.maximum(share, 1e-12)))
    return [sentence[rng.random(len(sentence)) < kept[sentence]] for sentence in sentences]


def context_windows(sentences: Sequence[np.ndarray], size: int) -> tuple[np.ndarray, np.ndarray]:
    """Every word as a target, with up to `size` neighbours to either side.

    Args:
        sentences: list of int arrays without 0; a window never crosses from one to the next.
        size: int, neighbours to either side.

    Returns:
        `context_ids` int32 (N, 2 * size), nearest to the left edge first, 0 where the sentence
        has no word; and `target_ids` int32 (N,). N is the number of words.
    """
    gap = np.zeros(size, np.int32)
    parts = [gap]
    for sentence in sentences:
        parts += [np.asarray(sentence, np.int32), gap]
    text = np.concatenate(parts)
    places = np.nonzero(text)[0]
    offsets = [*range(-size, 0), *range(1, size + 1)]
    return text[places[:, None] + offsets], text[places]


def similar_pairs(
    counts: np.ndarray, first: int, last: int, number: int, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Draw pairs of words that are about equally frequent, no word in two of them.

    Args:
        counts: int array (V,), how often each word occurs, commonest words at small ids.
        first, last: int, the ids between which words are drawn, the last left out.
        number: int, how many pairs.
        rng: NumPy's generator.

    Returns:
        list of pairs of int; the less frequent word of each occurs at least two thirds as often as
        the other.
    """
    free = list(rng.permutation(np.arange(first, last)))
    pairs = []
    while free and len(pairs) < number:
        one = free.pop()
        fitting = [w for w in free if 2 / 3 <= counts[w] / max(counts[one], 1) <= 3 / 2]
        if fitting:
            other = fitting[0]
            free.remove(other)
            pairs.append((int(one), int(other)))
    return pairs


def merge_words(
    sentences: Sequence[np.ndarray],
    pairs: Sequence[tuple[int, int]],
    first_new: int,
    share: float = 1.0,
    rng: np.random.Generator | None = None,
) -> list[np.ndarray]:
    """Give two words one form: a pseudo-word, whose sense at every place is known for free.

    Args:
        sentences: list of int arrays.
        pairs: ids of the two words of each pseudo-word.
        first_new: int, the id of the first pseudo-word; the others follow.
        share: float, how many of the places change; elsewhere the two words stay themselves.
        rng: NumPy's generator, which draws the places where `share` is below 1.

    Returns:
        list of int arrays in which both words of pair i have become `first_new + i`.

    Reference:
        Gale, Church & Yarowsky (1992), Work on Statistical Methods for Word Sense Disambiguation.
    """
    last = max([first_new - 1, *(word for pair in pairs for word in pair)])
    form = np.arange(last + 1, dtype=np.int32)
    for i, pair in enumerate(pairs):
        form[list(pair)] = first_new + i
    if share >= 1:
        return [form[sentence] for sentence in sentences]
    return [
        np.where(rng.random(len(sentence)) < share, form[sentence], sentence)
        for sentence in sentences
    ]
