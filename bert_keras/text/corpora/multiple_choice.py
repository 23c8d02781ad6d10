"""A text and several continuations, one of them right.

The default set asks which sentence comes next in a BBC article: the sentences are real, the task
is constructed. With a path, the same function reads SWAG, HellaSwag and RACE.

Reference:
    Zellers et al. (2018), SWAG, https://arxiv.org/abs/1808.05326
    Lai et al. (2017), RACE, https://arxiv.org/abs/1704.04683
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bert_keras.text.corpora import bbc_news, published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import (
    SPLITS,
    Choice,
    normalise,
    split_groups,
    unique,
    without_overlap,
)

_SUFFIXES = (".parquet", ".csv", ".jsonl", ".json", ".txt")
_SENTENCE_END = re.compile(r"(?<=[.!?\"])\s+(?=[A-Z\"])")
_WORDS = 5  # shorter sentences are left out
_SENTENCES = 10  # and shorter articles
_APART = 2  # wrong choices from the same article stand further away than this
_LETTERS = {letter: number for number, letter in enumerate("ABCDEFGH")}


def load(
    path: str | Path | None = None,
    *,
    choices: int = 4,
    questions: int = 4,
    same_article: bool = False,
    seed: int = 13,
) -> dict[str, list[Choice]]:
    """Choices split into train, dev and test.

    Args:
        path: None for the constructed set; otherwise a table with the columns `startphrase` (or
            `sent1` and `sent2`), `ending0`, … and `label` (SWAG), `ctx` and `endings`
            (HellaSwag), or `article`, `question`, `options` and `answer` (RACE), or a folder with
            files or folders of that kind for each of train, dev and test.
        choices: how many there are, in the constructed set.
        questions: how many are asked about an article.
        same_article: take the wrong choices from the same article, which is very hard, and not
            from others.
        seed: what is drawn.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Choice`, split by article; no context
        occurs twice.

    Raises:
        CorpusError: the archive cannot be had, or a file is laid out differently.
    """
    if path is not None:
        return _load_public(Path(path), seed)
    if choices < 2:
        raise CorpusError(f"choices is {choices}; there have to be at least 2")
    parts: dict[str, list[Choice]] = {}
    articles = documents()
    for name in SPLITS:
        rng = random.Random(seed)
        rows = _ask(articles[name], choices, questions, same_article, rng)
        parts[name] = unique(rows, lambda row: row.context)
    return without_overlap(parts, lambda row: row.context)


def documents() -> dict[str, list[list[str]]]:
    """The sentences of each BBC article that is long enough, in the split that all tasks share.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, each a list of lists of at least 10 sentences.

    Raises:
        CorpusError: the archive cannot be had.
    """
    parts: dict[str, list[list[str]]] = {name: [] for name in SPLITS}
    for article in bbc_news.articles():
        sentences = [
            sentence.strip()
            for paragraph in article.paragraphs
            for sentence in _SENTENCE_END.split(paragraph)
            if len(sentence.split()) >= _WORDS
        ]
        if len(sentences) >= _SENTENCES:
            parts[article.split].append(sentences)
    return parts


def _ask(articles, choices, questions, same_article, rng) -> Iterable[Choice]:
    for number, sentences in enumerate(articles):
        places = range(len(sentences) - 1)
        for place in rng.sample(places, min(questions, len(places))):
            right = sentences[place + 1]
            if same_article:
                pool = [s for i, s in enumerate(sentences) if abs(i - place) > _APART]
            else:
                others = rng.sample(range(len(articles)), min(len(articles), choices))
                pool = [rng.choice(articles[other]) for other in others if other != number]
            pool = [s for s in unique(pool) if s != right]
            if len(pool) < choices - 1:
                continue
            offered = [right, *rng.sample(pool, choices - 1)]
            order = rng.sample(range(choices), choices)
            shown = tuple(offered[i] for i in order)
            yield Choice(sentences[place], shown, order.index(0))


def _load_public(path: Path, seed: int) -> dict[str, list[Choice]]:
    # RACE as first published: train/high/1234.txt, each a JSON object about one article.
    folders = path.is_dir() and any(
        entry.is_dir() and published.part_of(entry.name) for entry in path.iterdir()
    )
    read = _read_folder if folders else _read_file
    parts = published.load_parts(
        path,
        read,
        _SUFFIXES,
        hidden_test=True,
        folders=folders,
        group=lambda row: row.context,
        seed=seed,
    )
    if isinstance(parts, dict):
        return without_overlap(parts, lambda row: row[:2])
    groups: dict[str, list[Choice]] = {}
    for row in unique(parts, lambda row: row[:2]):
        groups.setdefault(row.context, []).append(row)
    return split_groups(groups, seed)


def _read_folder(folder: Path) -> list[Choice]:
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".txt", ".json"))
    return [row for file in files for row in _read_file(file)]


def _read_file(path: Path) -> list[Choice]:
    if path.suffix in (".txt", ".json"):
        items = tables.read_json(path)
        items = items if isinstance(items, list) else [items]
        if items and isinstance(items[0], dict) and "questions" in items[0]:
            return [row for item in items for row in _race_article(path, item)]
        if path.suffix == ".txt":
            raise CorpusError(
                f"{path}: expected a JSON object with article, questions, options and answers"
            )
    table = tables.read(path)
    if published.labels_are_hidden(table, "label", "answer"):
        return []
    return [_table_row(table, number) for number in range(1, len(table.rows) + 1)]


def _race_article(path: Path, item: Any) -> Iterable[Choice]:
    fields = ("article", "questions", "options", "answers")
    missing = [name for name in fields if name not in item]
    if missing:
        raise CorpusError(f"{path}: needs the fields {', '.join(fields)}, {missing[0]} is missing")
    rows = zip(item["questions"], item["options"], item["answers"], strict=False)
    for number, (question, options, answer) in enumerate(rows, 1):
        yield _choice(f"{path}, row {number}", f"{item['article']} {question}", options, answer)


def _table_row(table: tables.Table, number: int) -> Choice:
    row = table.rows[number - 1]
    where = f"{table.path}, row {number}"
    if "options" in table.columns:
        found = table.columns_for(article=("article",), question=("question",), answer=("answer",))
        context = f"{table.text(number, found['article'])} {table.text(number, found['question'])}"
        return _choice(where, context, row["options"], row[found["answer"]])
    found = table.columns_for(startphrase=("startphrase", "ctx", "sent1"), label=("label",))
    endings = row.get("endings")
    if endings is None:
        names = sorted(name for name in table.columns if re.fullmatch(r"ending\d", name))
        endings = [row[name] for name in names]
    context = table.text(number, found["startphrase"])
    start = row.get("sent2") or ""
    # SWAG's sent2 begins the ending; its startphrase holds both already.
    if start and found["startphrase"] == "sent1":
        context = f"{context} {start}"
    return _choice(where, context, endings, row[found["label"]])


def _choice(where: str, context: str, options: Any, answer: Any) -> Choice:
    if not isinstance(options, list) or len(options) < 2 or not all(options):
        raise CorpusError(f"{where}: options {str(options)[:40]!r} is not a list of texts")
    written = str(answer).strip()
    label = _LETTERS.get(written, int(written) if written.isdecimal() else -1)
    if not 0 <= label < len(options):
        raise CorpusError(
            f"{where}: answer {answer!r} is not a number below {len(options)} or a letter"
        )
    return Choice(normalise(context), tuple(normalise(str(option)) for option in options), label)
