"""Sizes and bars of the sets of running text and of sequence pairs, measured anew.

    python -m bert_keras.text.corpora.figures pinyin

prints what `docs/data.md` tells about that set.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from bert_keras.text import corpora
from bert_keras.text.bleu import bleu
from bert_keras.text.corpora import ngrams, sequence_bars, sequences
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.letters_to_phones import ContextLookup


def words_of(sentence: str) -> list[str]:
    """Lower-case words and single punctuation marks: what the word models count.

    Args:
        sentence: str.

    Returns:
        list of str.
    """
    return re.findall(r"\w+|[^\w\s]", sentence.lower())


def pronunciations() -> dict[str, float]:
    """Bar of the pronunciations: letters looked up in their context.

    Returns:
        Phone error rate and share of words without an error on the test split.
    """
    parts = corpora.load("pronunciations")
    return _sequence_score(ContextLookup(parts["train"]), parts["test"])


def pinyin() -> dict[str, float]:
    """Bar of pinyin: the commonest reading of each character.

    Returns:
        Syllable error rate and share of phrases without an error on the test split.
    """
    parts = corpora.load("pinyin")
    return _sequence_score(sequence_bars.SymbolTable(parts["train"]), parts["test"])


def interface_strings(language: str = "zh-Hans") -> dict[str, float]:
    """Bar of the interface strings: copying the translation of the nearest known string.

    Args:
        language: str, as for the loader.

    Returns:
        BLEU over characters and over words, and the share that is exactly right.
    """
    parts = corpora.load("interface_strings", language=language)
    copy, test = sequence_bars.NearestCopy(parts["train"]), parts["test"]
    return _translation_score([copy.predict(p.source) for p in test], [p.target for p in test])


def bible_pairs() -> dict[str, float]:
    """Bar of the verse pairs: leaving the old English as it is.

    Returns:
        BLEU over characters and over words, and the share that is exactly right.
    """
    test = corpora.load("bible_pairs")["test"]
    return _translation_score([p.source for p in test], [p.target for p in test])


def peoples_daily() -> dict[str, float]:
    """Bars of the newspaper: character n-grams.

    Returns:
        Perplexity for each character of the test split, by order.
    """
    texts = {
        name: [paragraph.text for paragraph in rows]
        for name, rows in corpora.load("peoples_daily").items()
    }
    return {
        f"perplexity of characters, order {order}": ngrams.NGramModel(
            texts["train"], order
        ).perplexity(texts["test"])
        for order in (2, 3, 4)
    }


def bbc_news() -> dict[str, float]:
    """Bars of the BBC news: n-grams of words and of characters, lower case.

    Returns:
        Perplexity for each word or character of the test split, by order; words that occur less
        than three times are one word.
    """
    sentences = {
        name: [sentence.lower() for paragraph in rows for sentence in paragraph.sentences]
        for name, rows in corpora.load("bbc_news").items()
    }
    words = {name: [words_of(s) for s in found] for name, found in sentences.items()}
    result = {
        f"perplexity of words, order {order}": ngrams.NGramModel(
            words["train"], order, minimum_count=3
        ).perplexity(words["test"])
        for order in (2, 3)
    }
    model = ngrams.NGramModel(sentences["train"], 5)
    return result | {"perplexity of characters, order 5": model.perplexity(sentences["test"])}


FIGURES = {
    function.__name__: function
    for function in (
        pronunciations,
        pinyin,
        interface_strings,
        bible_pairs,
        peoples_daily,
        bbc_news,
    )
}


def report(names: list[str]) -> Iterator[str]:
    """Lines that tell the sizes and bars of sets.

    Args:
        names: keys of `FIGURES`; all of them if empty.

    Yields:
        str, one line at a time.

    Raises:
        CorpusError: a name is unknown, or a set cannot be had.
    """
    for name in names or FIGURES:
        if name not in FIGURES:
            raise CorpusError(f"no figures for {name!r}; there are {', '.join(FIGURES)}")
        sizes = ", ".join(f"{part} {len(rows)}" for part, rows in corpora.load(name).items())
        yield f"{name}: {sizes}"
        for label, value in FIGURES[name]().items():
            yield f"  {label}: {value:.4g}"


def _sequence_score(model, pairs: list[sequences.SequencePair]) -> dict[str, float]:
    score = sequences.score((model.predict(p.source) for p in pairs), (p.targets for p in pairs))
    return score._asdict()


def _translation_score(predictions: list[str], targets: list[str]) -> dict[str, float]:
    equal = sum(a == b for a, b in zip(predictions, targets, strict=True))
    return {
        "BLEU of characters": sequences.character_bleu(predictions, targets),
        "BLEU of words": bleu(map(str.split, predictions), map(str.split, targets)),
        "exact": equal / len(targets),
    }


if __name__ == "__main__":
    try:
        for line in report(sys.argv[1:]):
            print(line, flush=True)
    except CorpusError as error:
        sys.exit(str(error))
