"""Sentences of a newspaper as plain words: for counting, and for word vectors.

Chinese is People's Daily, segmented by Peking University; English is the BBC's news in small
letters. Punctuation and numbers are left out. The split is that of the running text, so words of
dev and test paragraphs never enter training.
"""

from __future__ import annotations

import re

from bert_keras.text.corpora import bbc_news, peoples_daily
from bert_keras.text.corpora.archives import CorpusError

_CHINESE = re.compile(r"[㐀-鿿]")
_ENGLISH = re.compile(r"[a-z]+(?:'[a-z]+)?")


def load(language: str) -> dict[str, list[list[str]]]:
    """All sentences that hold a word.

    Args:
        language: str, "zh" or "en".

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of sentences, each a list of words, in the
        order of the text.

    Raises:
        CorpusError: another language, or the archive cannot be had.
    """
    if language == "zh":
        splits = peoples_daily.load()
        words_of = _chinese
    elif language == "en":
        splits = bbc_news.load()
        words_of = _english
    else:
        raise CorpusError(f"language is {language!r}; it must be 'zh' or 'en'")
    return {
        split: [words for paragraph in paragraphs for words in words_of(paragraph) if words]
        for split, paragraphs in splits.items()
    }


def _chinese(paragraph):
    return [[w for w in words if _CHINESE.search(w)] for words in paragraph.words or ()]


def _english(paragraph):
    return [_ENGLISH.findall(sentence.lower()) for sentence in paragraph.sentences]
