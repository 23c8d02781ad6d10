"""Bible verses in the English of 1611 and of today: does the second say what the first says?

A pair that does not is the verse with the most rare words in common, so it is not enough to see
that both speak of Jerusalem.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict

from bert_keras.text.corpora import bible
from bert_keras.text.corpora.labelled import SPLITS, Pair, normalise
from bert_keras.text.corpora.running_text import split_of_key

DIFFERENT, SAME = 0, 1
LABEL_NAMES = ("different", "same")

_RARE = 8  # rare words of a verse that look for its neighbours
_COMMON = 200  # a word in more verses than this finds nothing
_NEAR = 30  # neighbours of which the most similar is taken
_PARALLEL = 0.5  # verses that share so much of their words may say the same


def load(*, seed: int = 13) -> dict[str, list[Pair]]:
    """Verse pairs: each King James verse once, beside its modern self or its hardest neighbour.

    Args:
        seed: which verses get a neighbour, and which chapters are held out: the same ones as in
            `bible.load`.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Pair` with label 1 for the same verse.
        Both verses of a pair belong to chapters of its part.

    Raises:
        CorpusError: an archive cannot be had.
    """
    parts: dict[str, dict[int, tuple[str, str]]] = {name: {} for name in SPLITS}
    seen: set[str] = set()
    for number, (old, new) in shared_verses().items():
        if old != new and old not in seen and new not in seen:
            seen.update((old, new))
            parts[split_of_key(f"{seed}/{number // 1000}")][number] = (old, new)
    return {name: _pairs(verses, random.Random(seed)) for name, verses in parts.items()}


def shared_verses() -> dict[int, tuple[str, str]]:
    """Verses that both translations have.

    Returns:
        `{number: (King James, modern)}` in the order of the text.

    Raises:
        CorpusError: an archive cannot be had.
    """
    old, new = bible.verses("kjv"), bible.verses("web")
    return {n: (normalise(old[n]), normalise(new[n])) for n in old if n in new}


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z']+", text.lower()))


def _pairs(verses: dict[int, tuple[str, str]], rng: random.Random) -> list[Pair]:
    old = {number: _words(pair[0]) for number, pair in verses.items()}
    new = {number: _words(pair[1]) for number, pair in verses.items()}
    where: dict[str, list[int]] = defaultdict(list)
    for number, words in new.items():
        for word in words:
            where[word].append(number)
    weight = {word: math.log(len(verses) / len(found)) for word, found in where.items()}

    def similarity(number: int, other: int) -> float:
        """Weighted share of common words."""
        shared = sum(weight[word] for word in old[number] & new[other])
        return shared / (1 + sum(weight.get(word, 0) for word in old[number] | new[other]))

    pairs = []
    for number, (text, modern) in verses.items():
        if rng.random() < 0.5:
            pairs.append(Pair(text, modern, SAME))
            continue
        rare = sorted((w for w in old[number] if w in where), key=lambda w: (len(where[w]), w))
        scores: Counter[int] = Counter()
        for word in rare[:_RARE]:
            if len(where[word]) <= _COMMON:
                for other in where[word]:
                    scores[other] += weight[word]
        near = [n for n, _ in scores.most_common(_NEAR) if not _parallel(old, new, number, n)]
        if near:
            neighbour = max(near, key=lambda other: similarity(number, other))
            pairs.append(Pair(text, verses[neighbour][1], DIFFERENT))
    return pairs


def _parallel(old, new, first: int, second: int) -> bool:
    """Whether two verses may say the same: itself, or Kings beside Chronicles, say."""
    if first == second:
        return True
    return any(
        len(words[first] & words[second]) >= _PARALLEL * len(words[first] | words[second])
        for words in (old, new)
    )
