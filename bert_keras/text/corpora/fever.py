"""Claims in the form of FEVER, and Wikipedia, in which the evidence has to be found.

A line of a file of claims is an object with `id`, `claim`, `label` and `evidence`, a list of sets
of [annotation, evidence, page, line]; a line of a file of pages one with `id` and `lines`, the
numbered sentences of the page.

A claim's store are the sentences of the pages whose titles stand in the claim: they are found
without a look at the evidence, so a page may be missed, and then no model can have the claim right.

Reference:
    Thorne et al. (2018), FEVER, https://arxiv.org/abs/1803.05355; Hanselowski et al. (2018),
    UKP-Athene, https://arxiv.org/abs/1809.01479, for finding pages by the names in a claim.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bert_keras.text.corpora import published
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_claims import REFUTED, SUPPORTED, UNKNOWN, Claim
from bert_keras.text.corpora.labelled import SPLITS, split_groups, unique, without_overlap

LABELS = {"SUPPORTS": SUPPORTED, "REFUTES": REFUTED, "NOT ENOUGH INFO": UNKNOWN}
PAGES = "wiki-pages"

_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":"}
_WORD = re.compile(r"\w+")
_LONGEST = 8  # words of a title
_MOST = 8  # pages of a store


class _Raw(NamedTuple):
    """A claim whose pages have not been read: its evidence are sets of (page, line)."""

    number: str
    claim: str
    label: int
    evidence: tuple[frozenset[tuple[str, int]], ...]


def load(path: str | Path, *, seed: int = 13) -> dict[str, list[Claim]]:
    """Read claims, and those pages of Wikipedia whose titles stand in them.

    Args:
        path: a folder with the claims, a .jsonl file for each of train, dev and test, and the
            folder wiki-pages with the .jsonl files of the pages; or one file of claims, beside
            which that folder lies. FEVER's test labels are secret: without them the dev part is
            the test, and a tenth of train takes its place.
        seed: which tenth, or which split of a single file.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Claim` with their numbers, the names of
        their statements, and all their sets of evidence. No claim is in two parts.

    Raises:
        CorpusError: a file or the pages are missing, or a line is none of FEVER's; the message
            names it.
    """
    path = Path(path)
    parts = published.load_parts(path, _read_claims, (".jsonl",), hidden_test=True, seed=seed)
    if isinstance(parts, dict):
        parts = without_overlap(parts, lambda row: row.claim)
    else:
        parts = split_groups({row.claim: [row] for row in unique(parts, lambda r: r.claim)}, seed)
    folder = (path if path.is_dir() else path.parent) / PAGES
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise CorpusError(f"{folder} has no .jsonl files: unpack FEVER's {PAGES}.zip there")
    wanted = {title for rows in parts.values() for row in rows for title in _phrases(row.claim)}
    pages: dict[str, list[tuple[str, dict[int, str]]]] = {}
    for file in files:
        for name, lines in _read_pages(file, wanted):
            pages.setdefault(_key(name), []).append((name, lines))
    return {name: [_with_store(row, pages) for row in parts[name]] for name in SPLITS}


def _with_store(row: _Raw, pages: dict) -> Claim:
    # Long titles first: they say more exactly what is meant.
    phrases = sorted(set(_phrases(row.claim)), key=lambda phrase: (-len(phrase), phrase))
    found = [page for phrase in phrases for page in pages.get(phrase, ())][:_MOST]
    names, store = [], []
    for page, lines in found:
        for line, text in lines.items():
            names.append((page, line))
            # A sentence of an article says "he": the title says who.
            store.append(f"{_title(page)}: {text}")
    place = {name: number for number, name in enumerate(names)}
    sets = tuple(
        tuple(sorted(place[name] for name in wanted))
        for wanted in row.evidence
        if all(name in place for name in wanted)
    )
    first = next((place[name] for group in row.evidence for name in sorted(group)
                  if name in place), -1)  # fmt: skip
    return Claim(row.claim, tuple(store), first, row.label, row.number, tuple(names), sets)


def _plain(text: str) -> str:
    for written, meant in _ESCAPES.items():
        text = text.replace(written, meant)
    return text


def _title(page: str) -> str:
    return _plain(page.replace("_", " "))


def _key(page: str) -> str:
    """The words of a title in lower case, without what tells it from others of the same name."""
    title = re.sub(r" \([^)]*\)$", "", _title(page))
    return " ".join(_WORD.findall(title.lower()))


def _phrases(claim: str) -> Iterator[str]:
    """What may be a title: some words of the claim, the first with a capital letter or a digit."""
    words = _WORD.findall(claim)
    for start, word in enumerate(words):
        if word[0].isupper() or word[0].isdigit():
            for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
                yield " ".join(words[start:end]).lower()


def _objects(path: Path) -> Iterator[tuple[int, dict]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    item = json.loads(line)
                except json.JSONDecodeError as error:
                    raise CorpusError(
                        f"{path}, line {number}: expected one JSON object a line ({error.msg}); "
                        "fetch the file again"
                    ) from None
                if not isinstance(item, dict):
                    raise CorpusError(f"{path}, line {number}: expected a JSON object")
                yield number, item
    except OSError as error:
        raise CorpusError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CorpusError(f"cannot read {path}: it is not UTF-8 text; fetch it again") from None


def _read_claims(path: Path) -> list[_Raw]:
    rows = []
    for number, item in _objects(path):
        where = f"{path}, line {number}"
        if "label" not in item and published.part_of(path.name) == "test":
            return []  # FEVER's test labels are secret
        if not isinstance(item.get("claim"), str) or "id" not in item:
            raise CorpusError(f"{where}: expected an id and a claim, a text")
        if item.get("label") not in LABELS:
            raise CorpusError(
                f"{where}: label {item.get('label')!r} is not {', '.join(list(LABELS)[:-1])} or "
                f"{list(LABELS)[-1]}"
            )
        label = LABELS[item["label"]]
        evidence = () if label == UNKNOWN else _sets(where, item.get("evidence"))
        rows.append(_Raw(str(item["id"]), item["claim"], label, evidence))
    return rows


def _sets(where: str, evidence: Any) -> tuple[frozenset[tuple[str, int]], ...]:
    try:
        sets = [frozenset((page, int(line)) for _, _, page, line in group) for group in evidence]
    except (TypeError, ValueError):
        sets = []
    if not sets or not all(sets):
        raise CorpusError(
            f"{where}: expected evidence as sets of [annotation, evidence, page, line], with a "
            "page and a line in each"
        )
    return tuple(dict.fromkeys(sets))


def _read_pages(path: Path, wanted: set[str]) -> Iterator[tuple[str, dict[int, str]]]:
    for number, item in _objects(path):
        name, lines = item.get("id"), item.get("lines")
        if not isinstance(name, str) or not isinstance(lines, str):
            raise CorpusError(f"{path}, line {number}: expected a page's id and lines, both texts")
        if _key(name) in wanted and not name.endswith("-LRB-disambiguation-RRB-"):
            yield name, dict(_sentences(lines))


def _sentences(lines: str) -> Iterator[tuple[int, str]]:
    """A line is a number, a sentence and what it links to; some are empty, some go on below."""
    for line in lines.split("\n"):
        number, _, rest = line.partition("\t")
        text = rest.partition("\t")[0].strip()
        if number.isdecimal() and text:
            yield int(number), _plain(text)
