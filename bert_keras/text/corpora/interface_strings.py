"""Sentences of a user interface with their translations: English into Chinese, German, French, ….

People translated them for Home Assistant. The register is narrow and many strings resemble each
other, so a translation has to be compared with copying the nearest known string
(`sequence_bars.NearestCopy`).
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bert_keras.text.corpora import archives, published, tables
from bert_keras.text.corpora.archives import Archive
from bert_keras.text.corpora.labelled import SPLITS, normalise, split_rows, without_overlap
from bert_keras.text.corpora.sequences import Translation

HOME_ASSISTANT = Archive(
    requirement="homeassistant==2026.2.3",
    filename="homeassistant-2026.2.3-py3-none-any.whl",
    sha256="8167820cac4b8defe895fd2c36ac23402a445d1fe6028e8cde24caabb935282c",
    licence="Interface texts and their translations from Home Assistant 2026.2.3 (Apache-2.0).",
    # The package wants a newer Python than the course does; we only read its text files.
    pip_arguments=("--only-binary", ":all:", "--python-version", "3.14"),
)

MARKUP = re.compile(r"[{}<>\[\]`*\n]|https?:|\\n")
_HAN = re.compile("[\u4e00-\u9fff]")
_SUFFIXES = (*tables.SUFFIXES, ".txt")


def load(
    path: str | Path | None = None,
    *,
    language: str = "zh-Hans",
    sentences_only: bool = False,
    minimum_words: int = 3,
    maximum_words: int = 20,
    seed: int = 13,
) -> dict[str, list[Translation]]:
    """Pairs of an English text and its translation.

    Strings with markup or places to fill in are left out, and so are untranslated ones. English
    texts that differ only in capitals or punctuation stay in one split.

    Args:
        path: None for the interface strings; otherwise your own pairs or a public set's: a table
            (.parquet, .jsonl, .json, .tsv, .csv) with one column for each language or a column
            `translation` that holds both, or a .txt file with source, tab and target on each
            line; or a folder of such files named train, dev (or validation) and test.
        language: str, what to translate into; in the packaged set one of its codes, such as
            "zh-Hans", "de" or "fr", in a table the name of the column.
        sentences_only: keep only pairs that end like sentences on both sides.
        minimum_words: int, shorter English texts are left out.
        maximum_words: int, longer English texts are left out.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Translation`, each English text once.

    Raises:
        CorpusError: the data cannot be had, or has nothing in that language.
    """

    def wanted(pair: Translation) -> bool:
        if sentences_only and not (
            re.search(r"[.?!]$", pair.source) and re.search(r"[.?!。？！]$", pair.target)
        ):
            return False
        return minimum_words <= len(pair.source.split()) <= maximum_words

    if path is None:
        return _split(filter(wanted, _packaged(language)), seed)
    found = published.load_parts(path, lambda file: _read(file, language), _SUFFIXES)
    if isinstance(found, list):
        return _split(filter(wanted, found), seed)
    parts = {name: list(filter(wanted, rows)) for name, rows in found.items()}
    return without_overlap(parts, key=lambda pair: _key(pair.source))


def _packaged(language: str) -> list[Translation]:
    found: dict[str, str] = {}
    available = set()
    with zipfile.ZipFile(archives.fetch(HOME_ASSISTANT)) as wheel:
        names = set(wheel.namelist())
        for name in sorted(names):
            folder, slash, file = name.rpartition("/translations/")
            if not slash or not file.endswith(".json"):
                continue
            available.add(file.removesuffix(".json"))
            english = f"{folder}/translations/en.json"
            if file != f"{language}.json" or english not in names:
                continue
            translated = dict(strings(json.loads(wheel.read(name))))
            for key, source in strings(json.loads(wheel.read(english))):
                target = translated.get(key, "")
                # Some files hold English where nobody has translated yet.
                translated_at_all = target not in ("", source) and (
                    not language.startswith("zh") or _HAN.search(target)
                )
                if translated_at_all and not MARKUP.search(source + target):
                    found.setdefault(source, target)
    if not found or language == "en":
        raise archives.CorpusError(
            f"the interface strings are not in {language!r}; they are in "
            f"{', '.join(sorted(available - {'en'}))}"
        )
    return [Translation(source, target) for source, target in found.items()]


def strings(tree: dict, path: str = "") -> Iterator[tuple[str, str]]:
    """All strings of a file.

    Args:
        tree: what the file holds, dicts of dicts.
        path: str, where the tree hangs.

    Yields:
        Pairs of a path, such as "/config/step/user/title", and its string.
    """
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from strings(value, f"{path}/{key}")
        elif isinstance(value, str):
            yield f"{path}/{key}", value.strip()


def _read(path: Path, language: str) -> list[Translation]:
    if path.suffix == ".txt":
        pairs = []
        for number, line in enumerate(tables.read_text(path).split("\n"), 1):
            cells = line.rstrip("\r").split("\t")
            if len(cells) >= 2:
                pairs.append(Translation(normalise(cells[0]), normalise(cells[1])))
            elif line.strip():
                raise archives.CorpusError(f"{path}, line {number}: no tab between two languages")
        return pairs
    table = tables.read(path)
    if "translation" in table.columns and "en" not in table.columns:  # as WMT is published
        rows = [row["translation"] for row in table.rows]
        columns = list(rows[0]) if rows and isinstance(rows[0], dict) else []
        table = tables.Table(path, columns, rows)
    names = table.columns_for(
        source=("en", "english", "source"),
        target=(language, language.split("-")[0], "target"),
    )
    return [
        Translation(
            normalise(table.text(number, names["source"])),
            normalise(table.text(number, names["target"])),
        )
        for number in range(1, len(table.rows) + 1)
    ]


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _split(pairs: Iterable[Translation], seed: int) -> dict[str, list[Translation]]:
    """Cut 80/10/10; texts that are the same but for capitals and punctuation stay together."""
    groups: dict[str, dict[str, Translation]] = {}
    for pair in pairs:
        groups.setdefault(_key(pair.source), {}).setdefault(pair.source, pair)
    parts = split_rows((tuple(group.values()) for group in groups.values()), seed)
    return {name: [pair for group in parts[name] for pair in group] for name in SPLITS}
