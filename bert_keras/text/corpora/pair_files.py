"""Published sets of sentence pairs: LCQMC, AFQMC, MRPC, QQP, RTE, MNLI, SNLI, STS-B and their like.

They differ in the names of their columns and in how they write labels, and in little else.
"""

from __future__ import annotations

from pathlib import Path

from bert_keras.text.corpora import published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Pair, split_groups, unique, without_overlap

PARAPHRASE = {"0": 0, "1": 1}
INFERENCE = {
    "entailment": 0,
    "neutral": 1,
    "contradiction": 2,
    "not_entailment": 1,
    "0": 0,
    "1": 1,
    "2": 2,
}

_SUFFIXES = (*tables.SUFFIXES, ".txt")
_A = ("sentence1", "text_a", "premise", "question1", "#1 String", "text1", "sent1")
_B = ("sentence2", "text_b", "hypothesis", "question2", "#2 String", "text2", "sent2")
_LABEL = ("label", "gold_label", "Quality", "is_duplicate", "score")


def load(
    path: str | Path, labels: dict[str, int] | None = PARAPHRASE, *, seed: int = 13
) -> dict[str, list[Pair]]:
    """Read a published set of pairs.

    Test parts with secret labels are passed over: then the dev part is the test, and a tenth of
    train takes its place.

    Args:
        path: a table (.tsv, .csv, .jsonl, .json, .parquet; .txt is read as TSV), or a folder with
            one for each of train, dev and test.
        labels: how labels are written → their numbers; None where they are numbers themselves, to
            be read as floats.
        seed: which split, where the files leave one open.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Pair`; no pair is in two parts, in
        either order.

    Raises:
        CorpusError: a file cannot be read or is laid out differently; the message names the row.
    """
    parts = published.load_parts(
        path,
        lambda file: _read(file, labels),
        _SUFFIXES,
        hidden_test=True,
        group=lambda row: row.a,
        seed=seed,
    )
    if isinstance(parts, dict):
        return without_overlap(parts, unordered)
    groups: dict[str, list[Pair]] = {}
    for row in unique(parts, unordered):
        groups.setdefault(row.a, []).append(row)
    return split_groups(groups, seed)


def load_similarity(path: str | Path, *, seed: int = 13) -> dict[str, list[Pair]]:
    """Read pairs with a number for how alike they are, such as STS-B's from 0 to 5.

    Args:
        path: as for `load`; the number is in the column `score` or `label`.
        seed: which split, where the files leave one open.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Pair` whose labels are floats.

    Raises:
        CorpusError: as `load`.
    """
    return load(path, None, seed=seed)


def unordered(pair: Pair) -> tuple[str, str]:
    """The two texts of a pair in alphabetical order: what makes two pairs the same.

    Args:
        pair: `Pair`.

    Returns:
        Tuple of two str.
    """
    return (pair.a, pair.b) if pair.a <= pair.b else (pair.b, pair.a)


def _read(path: Path, labels: dict[str, int] | None) -> list[Pair]:
    table = tables.read(path)
    # The first LCQMC files have no header: what stands there then is a pair.
    if labels and len(table.columns) == 3 and table.columns[2].strip() in labels:
        table = tables.Table(
            path,
            ["sentence1", "sentence2", "label"],
            [
                dict(zip(("sentence1", "sentence2", "label"), cells, strict=True))
                for cells in (table.columns, *(list(row.values()) for row in table.rows))
            ],
        )
    if published.labels_are_hidden(table, *_LABEL):
        return []
    found = table.columns_for(sentence1=_A, sentence2=_B, label=_LABEL)
    rows = []
    for number in range(1, len(table.rows) + 1):
        if table.rows[number - 1][found["label"]] == "-":
            continue  # SNLI: the annotators did not agree
        a, b = (table.text(number, found[name]).strip() for name in ("sentence1", "sentence2"))
        if not a or not b:
            raise CorpusError(f"{path}, row {number}: expected two sentences, one is empty")
        if labels is None:
            label = table.number(number, found["label"])
        else:
            label = table.choice(number, found["label"], labels)
        rows.append(Pair(a, b, label))
    return rows
