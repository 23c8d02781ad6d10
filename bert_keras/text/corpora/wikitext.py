"""WikiText: English Wikipedia articles, read from files that you have downloaded."""

from __future__ import annotations

import re
from pathlib import Path

from bert_keras.text.corpora import published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.running_text import SPLITS, Paragraph, paragraphs_in

# " = Title = " begins an article, " = = Section = = " a section.
_HEADING = re.compile(r"=\s.*\s=")
_TITLE = re.compile(r"=\s[^=]+\s=")
_SUFFIXES = (".parquet", ".tokens", ".raw", ".txt")


def load(
    path: str | Path | None = None, *, minimum_characters: int = 20
) -> dict[str, list[Paragraph]]:
    """Articles as documents, headings left out, split as published.

    Args:
        path: folder with the files of one configuration (such as wikitext-2-raw-v1): parquet with
            the column `text`, or wiki.train.tokens and its siblings.
        minimum_characters: int, shorter paragraphs are left out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`. A paragraph that stands
        in several parts is kept in test before dev before train.

    Raises:
        CorpusError: no path, or files are missing or of another kind.
    """
    if path is None:
        raise CorpusError(
            "wikitext has no packaged form: give a path to its files, or, with a network, "
            "the path hf:Salesforce/wikitext/wikitext-2-raw-v1"
        )
    parts = published.load_parts(path, _articles, _SUFFIXES)
    if isinstance(parts, list):
        raise CorpusError(f"{path} is one file: give the folder with train, validation and test")
    articles = [(name, article) for name in reversed(SPLITS) for article in parts[name]]
    paragraphs = paragraphs_in((article for _, article in articles), minimum_characters)
    return {name: [p for p in paragraphs if articles[p.document][0] == name] for name in SPLITS}


def _articles(path: Path) -> list[list[str]]:
    if path.suffix == ".parquet":
        table = tables.read(path)
        column = table.columns_for(text=("text",))["text"]
        lines = [table.text(number, column) for number in range(1, len(table.rows) + 1)]
    else:
        lines = tables.read_text(path).split("\n")
    found: list[list[str]] = [[]]
    for line in map(str.strip, lines):
        if _TITLE.fullmatch(line):
            found.append([])
        elif line and not _HEADING.fullmatch(line):
            found[-1].append(line)
    return [article for article in found if article]
