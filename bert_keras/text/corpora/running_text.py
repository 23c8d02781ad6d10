"""What all sets of running text have in common: paragraphs of sentences, cut without leaks.

Pretraining needs to know three things about a sentence: which paragraph it is in, where that
paragraph stands in the text, and, where the source marks documents, which document it belongs to.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SPLITS = ("train", "dev", "test")

_GAP = re.compile(r"(?<=[.!?])([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9])")
# A full stop after one of these words, or after a single capital, does not end a sentence.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Sir|Gen|Col|Rev|Sen|Rep|No|vs|Jan|Feb|Aug|Sept|Oct"
    r"|Nov|Dec|[A-Z])\.$"
)


class Paragraph(NamedTuple):
    """One paragraph of running text.

    Attributes:
        position: int, counts the paragraphs in the order of the source, over all splits.
        sentences: tuple of str.
        document: int or None, which document it belongs to, where the source marks documents.
            Paragraphs of one document are all in the same split.
        separator: str, what stands between two sentences: " " in English, nothing in Chinese.
        words: None, or for each sentence a tuple of its words, where the source is segmented.
    """

    position: int
    sentences: tuple[str, ...]
    document: int | None = None
    separator: str = ""
    words: tuple[tuple[str, ...], ...] | None = None

    @property
    def text(self) -> str:
        """str, the whole paragraph."""
        return self.separator.join(self.sentences)


def split_english(text: str) -> tuple[str, ...]:
    """Cut English text into sentences.

    A sentence ends at . ! or ? and the closing quotation marks and brackets after it, where white
    space and a capital, a digit or an opening mark follow. Initials and common abbreviations such
    as *Mr.* end none.

    Args:
        text: str, one paragraph.

    Returns:
        tuple of str without white space at the ends; joined with a space they give the text back,
        up to white space.
    """
    sentences, start = [], 0
    for gap in _GAP.finditer(text):
        if gap.group(1) or not _ABBREVIATION.search(text[start : gap.start()]):
            sentences.append(text[start : gap.end(1)].strip())
            start = gap.end()
    sentences.append(text[start:].strip())
    return tuple(sentence for sentence in sentences if sentence)


def paragraphs_in(
    documents: Iterable[Sequence[str]], minimum_characters: int = 20
) -> list[Paragraph]:
    """Turn English documents into paragraphs, each text once.

    Args:
        documents: documents in order, each a sequence of paragraphs.
        minimum_characters: int, shorter paragraphs are left out.

    Returns:
        list of `Paragraph` in the order of the source, `document` counting the documents from 0.
    """
    found, seen, position = [], set(), 0
    for number, document in enumerate(documents):
        for text in document:
            text = unicodedata.normalize("NFKC", " ".join(text.split()))
            if len(text) >= minimum_characters and text not in seen:
                seen.add(text)
                found.append(Paragraph(position, split_english(text), number, " "))
            position += 1
    return found


def split_documents(paragraphs: Iterable[Paragraph], seed: int = 13) -> dict[str, list[Paragraph]]:
    """Put each document into one split.

    The split of a document depends on its number and the seed alone.

    Args:
        paragraphs: with their `document`s.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, about 80, 10 and 10 % of the documents, the
        paragraphs in their order.
    """
    parts: dict[str, list[Paragraph]] = {name: [] for name in SPLITS}
    for paragraph in paragraphs:
        parts[split_of_key(f"{seed}/{paragraph.document}")].append(paragraph)
    return parts


def split_of_key(key: str) -> str:
    """Draw a split for a key, always the same one.

    Args:
        key: str; put the seed into it.

    Returns:
        "train" for 80 % of the keys, "dev" for 10 %, "test" for 10 %.
    """
    draw = random.Random(key).random()
    return "test" if draw < 0.1 else "dev" if draw < 0.2 else "train"
