"""BBC news articles of 2004 and 2005 in five topics: English running text, and topics to classify.

All tasks of the course that use these articles share the split made here, so no article that a
task is tested on was ever trained on by another.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from bert_keras.text.corpora import archives, published, tables
from bert_keras.text.corpora.labelled import (
    LabelledText,
    normalise,
    split_rows,
    unique,
    without_overlap,
)
from bert_keras.text.corpora.running_text import SPLITS, Paragraph, paragraphs_in, split_of_key
from bert_keras.text.corpora.sequences import Translation

TOPICS = ("business", "entertainment", "politics", "sports", "tech")
Row = TypeVar("Row")

# Shorter paragraphs ("But he added:") are shared by chance.
_SHARED = 60


class Article(NamedTuple):
    """One article.

    Attributes:
        number: int, counts the distinct articles in the order of the archive.
        title: str.
        paragraphs: tuple of str, without the title.
        topic: int, index into `TOPICS`.
        split: str, "train", "dev" or "test".
    """

    number: int
    title: str
    paragraphs: tuple[str, ...]
    topic: int
    split: str


def articles(*, seed: int = 13) -> list[Article]:
    """All distinct articles.

    The BBC reran stories with small changes. Articles that share a paragraph go to the same
    split, and so does a chain of them.

    Args:
        seed: int, which split; every task of the course uses the default.

    Returns:
        list of `Article`, topic after topic.

    Raises:
        CorpusError: the archive cannot be had.
    """
    files = archives.read_matching(archives.BBC, r"bbcnews/data/\w+/\d+\.txt$")
    found: dict[str, int] = {}
    for name, content in files.items():
        # The files come from several editors; a byte that is not UTF-8 becomes a question mark.
        text = content.decode("utf-8", "replace")
        found.setdefault(text, TOPICS.index(name.split("/")[-2]))
    bodies = [[normalise(line) for line in text.split("\n") if line.strip()] for text in found]
    splits = _splits(bodies, seed)
    return [
        Article(number, body[0], tuple(body[1:]), topic, split)
        for number, (body, topic, split) in enumerate(
            zip(bodies, found.values(), splits, strict=True)
        )
    ]


def load(*, seed: int = 13, minimum_characters: int = 20) -> dict[str, list[Paragraph]]:
    """English running text with documents marked, titles left out, each paragraph once.

    Args:
        seed: int, which split.
        minimum_characters: int, shorter paragraphs are left out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`.

    Raises:
        CorpusError: the archive cannot be had.
    """
    found = articles(seed=seed)
    paragraphs = paragraphs_in((a.paragraphs for a in found), minimum_characters)
    return {name: [p for p in paragraphs if found[p.document].split == name] for name in SPLITS}


def load_topics(
    path: str | Path | None = None, *, part: str = "title", seed: int = 13
) -> dict[str, list[LabelledText]]:
    """Articles to sort into five topics. Titles are the useful task: whole texts are too easy.

    Args:
        path: None for the packaged set; otherwise a folder with train, dev (or validation) and
            test files whose columns are `text` and `label`, a number or a name in `TOPICS`.
        part: "title" or "text", the title and all paragraphs. Files of your own are taken whole.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `LabelledText`, each text once.

    Raises:
        CorpusError: the data cannot be had, or `part` is another word.
    """
    if part not in ("title", "text"):
        raise archives.CorpusError(f"part is {part!r}; it must be 'title' or 'text'")
    if path is not None:
        parts = published.load_parts(path, _read_topics)
        if isinstance(parts, list):
            raise archives.CorpusError(f"{path}: expected a folder with train, dev and test files")
        return without_overlap(parts, key=lambda row: row.text)

    def row(article: Article) -> LabelledText:
        body = (article.title, *article.paragraphs) if part == "text" else (article.title,)
        return LabelledText("\n".join(body), article.topic)

    found = articles(seed=seed)
    parts = {name: [row(a) for a in found if a.split == name] for name in SPLITS}
    return without_overlap(parts, key=lambda labelled: labelled.text)


def load_headlines(
    path: str | Path | None = None, *, seed: int = 13
) -> dict[str, list[Translation]]:
    """Articles and their headlines: a short summary.

    Args:
        path: None for the packaged set; otherwise a table (.parquet, .jsonl, .tsv, .csv) with the
            columns `document` (or `text`, `article`) and `summary` (or `headline`, `title`), as
            XSum, Gigaword and LCSTS have them, or a folder with one for each part.
        seed: int, which split of the packaged set or of a single file.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Translation`: the article's first
        paragraph, or all of a document, and its title.

    Raises:
        CorpusError: the data cannot be had, or is laid out differently.
    """
    if path is not None:
        parts = published.load_parts(path, _read_headlines)
        if isinstance(parts, list):
            return split_rows(unique(parts, lambda pair: pair.source), seed)
        return without_overlap(parts, key=lambda pair: pair.source)

    def row(article: Article) -> list[Translation]:
        return [Translation(article.paragraphs[0], article.title)] if article.paragraphs else []

    return without_overlap(by_split(articles(seed=seed), row), key=lambda pair: pair.source)


def by_split(found: list[Article], make: Callable[[Article], list[Row]]) -> dict[str, list[Row]]:
    """Rows made from articles, each in the split of its article.

    Args:
        found: what `articles` gives.
        make: turns an article into rows.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, in the order of the articles.
    """
    parts: dict[str, list[Row]] = {name: [] for name in SPLITS}
    for article in found:
        parts[article.split] += make(article)
    return parts


def _read_headlines(path: Path) -> list[Translation]:
    table = tables.read(path)
    names = table.columns_for(
        source=("document", "text", "article"), target=("summary", "headline", "title")
    )
    return [
        Translation(*(normalise(table.text(number, names[name])) for name in ("source", "target")))
        for number in range(1, len(table.rows) + 1)
    ]


def _read_topics(path: Path) -> list[LabelledText]:
    table = tables.read(path)
    names = table.columns_for(text=("text",), label=("label", "label_text", "category"))
    allowed = {name: number for number, name in enumerate(TOPICS)}
    allowed |= {str(number): number for number in range(len(TOPICS))}
    return [
        LabelledText(
            normalise(table.text(number, names["text"])),
            table.choice(number, names["label"], allowed),
        )
        for number in range(1, len(table.rows) + 1)
    ]


def _splits(bodies: list[list[str]], seed: int) -> list[str]:
    """Split of each article; articles that share a long paragraph have the same one."""
    parent = list(range(len(bodies)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first: dict[str, int] = {}
    for number, body in enumerate(bodies):
        for text in body[1:]:
            if len(text) >= _SHARED:
                other = first.setdefault(text, number)
                parent[root(number)] = root(other)
    return [split_of_key(f"{seed}/{root(number)}") for number in range(len(bodies))]
