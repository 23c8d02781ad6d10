"""How much of a summary a text says: words, pairs of words, and words in their order.

Reference: Lin, ROUGE: A Package for Automatic Evaluation of Summaries (2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bert_keras.text.wordpiece import basic_tokenize


def rouge_n(said: Sequence, wanted: Sequence, size: int) -> float:
    """F1 of the n-grams that both have.

    Args:
        said: words.
        wanted: words.
        size: int, words of an n-gram.

    Returns:
        Float in 0..1; 0 where either has no n-gram.
    """
    said, wanted = (
        Counter(tuple(words[n : n + size]) for n in range(len(words) - size + 1))
        for words in (said, wanted)
    )
    return _f1((said & wanted).total(), said.total(), wanted.total())


def rouge_l(said: Sequence, wanted: Sequence) -> float:
    """F1 of the longest sequence of words that stands in both, in this order, with gaps.

    Args:
        said: words.
        wanted: words.

    Returns:
        Float in 0..1; 0 where either is empty.
    """
    row = [0] * (len(wanted) + 1)
    for word in said:
        before = 0
        for place, other in enumerate(wanted, 1):
            now = row[place]
            row[place] = before + 1 if word == other else max(row[place], row[place - 1])
            before = now
    return _f1(row[-1], len(said), len(wanted))


def rouge(said: Sequence[str], wanted: Sequence[str]) -> dict[str, float]:
    """Mean scores of some texts. Words are those of `basic_tokenize`: in Chinese, characters.

    Args:
        said: texts.
        wanted: as many texts.

    Returns:
        dict of rouge_1, rouge_2 and rouge_l, floats in 0..1.
    """
    pairs = [tuple(map(basic_tokenize, pair)) for pair in zip(said, wanted, strict=True)]
    sums = {
        "rouge_1": sum(rouge_n(*pair, 1) for pair in pairs),
        "rouge_2": sum(rouge_n(*pair, 2) for pair in pairs),
        "rouge_l": sum(rouge_l(*pair) for pair in pairs),
    }
    return {name: total / max(1, len(pairs)) for name, total in sums.items()}


def _f1(shared: int, said: int, wanted: int) -> float:
    return 2 * shared / (said + wanted) if said and wanted else 0.0
