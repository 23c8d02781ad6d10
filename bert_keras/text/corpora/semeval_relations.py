"""Relations in the form of SemEval-2010 Task 8: a sentence with two marked nouns, and its label.

An entry has a number and the sentence in quotation marks, the label on the next line, then a
comment, which is not read, and an empty line:

    17<tab>"The <e1>lid</e1> of the <e2>jar</e2> was loose."
    Component-Whole(e1,e2)
    Comment:

Reference:
    Hendrickx et al. (2010), SemEval-2010 Task 8, https://aclanthology.org/S10-1006/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from bert_keras.text.corpora import published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_relations import Relation
from bert_keras.text.corpora.labelled import split_groups, unique, without_overlap

_SENTENCE = re.compile(r'(\d+)\t"(.*)"')
_MARKED = re.compile(r"(.*)<(e[12])>(.+)</\2>(.*)<(e[12])>(.+)</\5>(.*)")
_LABEL = re.compile(r"Other|[\w-]+\(e[12],e[12]\)")


def load(path: str | Path, *, seed: int = 13) -> dict[str, list[Relation]]:
    """Read sentences with two marked nouns.

    Args:
        path: a file, or a folder with one for train and one for test, such as TRAIN_FILE.TXT and
            TEST_FILE_FULL.TXT. Files of a folder without labels, and those with labels alone, are
            passed over; without a dev part a tenth of train takes its place.
        seed: which tenth, or which split of a single file.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Relation` with their numbers; the first
        noun is the head. No sentence is in two parts.

    Raises:
        CorpusError: a file cannot be read; the message names the line.
    """
    parts = published.load_parts(path, _read, (".txt", ".TXT"), dev_from_train=True, seed=seed)
    if isinstance(parts, dict):
        return without_overlap(parts, _sentence)
    return split_groups({_sentence(row): [row] for row in unique(parts, _sentence)}, seed)


def _sentence(row: Relation) -> tuple:
    return row[:3]


def _read(path: Path) -> list[Relation]:
    lines = [line.rstrip() for line in tables.read_text(path).split("\n")]
    filled = [line for line in lines if line]
    if filled and not any('"' in line for line in filled):
        return []  # a key: numbers and labels
    if filled and all(_SENTENCE.fullmatch(line) for line in filled):
        return []  # sentences without labels
    return list(_entries(path, lines))


def _entries(path: Path, lines: list[str]) -> Iterator[Relation]:
    number = 0
    while number < len(lines):
        if not lines[number] or lines[number].startswith("Comment"):
            number += 1
            continue
        found = _SENTENCE.fullmatch(lines[number])
        if not found:
            _refuse(path, number, 'expected a number, a tab and the sentence in "quotation marks"')
        label = lines[number + 1] if number + 1 < len(lines) else ""
        if not _LABEL.fullmatch(label):
            _refuse(path, number + 1, "expected the label of the sentence above it, such as "
                    f"Cause-Effect(e1,e2) or Other, not {label[:40]!r}")  # fmt: skip
        yield _relation(path, number, found[1], found[2], label)
        number += 2


def _relation(path: Path, line: int, number: str, marked: str, label: str) -> Relation:
    found = _MARKED.fullmatch(marked)
    signs = [marked.count(sign) for sign in ("<e1>", "</e1>", "<e2>", "</e2>")]
    if not found or signs != [1, 1, 1, 1]:
        _refuse(path, line, "mark one noun as <e1>noun</e1> and one as <e2>noun</e2>, side by side")
    before, first, one, between, second, other, behind = found.groups()
    start = len(before) + len(one) + len(between)
    places = {
        first: (len(before), len(before) + len(one)),
        second: (start, start + len(other)),
    }
    text = before + one + between + other + behind
    return Relation(text, places["e1"], places["e2"], label, number)


def _refuse(path: Path, line: int, expected: str) -> NoReturn:
    raise CorpusError(f"{path}, line {line + 1}: {expected}")
