"""English sentences and how positive people found them.

The default set comes with the paper on VADER: sentences from film reviews, product reviews,
editorials and tweets, each rated by about 20 people from -4 to 4. With a path, the same function
reads SST-2, IMDB, CoLA and other tables of texts and labels.

Reference:
    Hutto & Gilbert (2014), VADER: A Parsimonious Rule-based Model for Sentiment Analysis of
    Social Media Text, https://doi.org/10.1609/icwsm.v8i1.14550
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from bert_keras.text.corpora import archives, published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import (
    SPLITS,
    LabelledText,
    split_groups,
    split_rows,
    unique,
    without_overlap,
)

DOMAINS = {
    "movies": "movieReviewSnippets",
    "products": "amazonReviewSnippets",
    "editorials": "nytEditorialSnippets",
    "tweets": "tweets",
}
LABEL_NAMES = {
    "binary": ("negative", "positive"),
    "three": ("negative", "neutral", "positive"),
    "rating": (),
}
MARGIN = 0.5  # mean ratings within ±MARGIN are neutral

_INNER = "additional_resources/hutto_ICWSM_2014.tar.gz"
_PUBLIC_LABELS = {"0": 0, "1": 1, "neg": 0, "pos": 1, "negative": 0, "positive": 1}


def load(
    path: str | Path | None = None,
    *,
    domain: str = "movies",
    kind: str = "binary",
    seed: int = 13,
) -> dict[str, list[LabelledText]]:
    """Sentences with a sentiment, without duplicates, split into train, dev and test.

    Sentences of one product review or one editorial stay in one part of the split.

    Args:
        path: None for the packaged set; otherwise a table with the columns `sentence` (or `text`)
            and `label` (0 or 1), or a folder with one for each of train, dev and test; .tsv,
            .csv, .jsonl, .json or .parquet. The test labels of SST-2 are secret: without a test
            part the dev part is the test, and a tenth of train takes its place.
        domain: "movies", "products", "editorials", "tweets", or "all" of them.
        kind: "binary" leaves out sentences rated within ±0.5; "three" calls them neutral;
            "rating" gives the mean rating, a float in -4..4.
        seed: which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `LabelledText`; the labels of each kind
        are named in `LABEL_NAMES`.

    Raises:
        CorpusError: unknown domain or kind, a file that cannot be read, or no such file.
    """
    if kind not in LABEL_NAMES:
        raise CorpusError(f"kind is {kind!r}; it can be {', '.join(LABEL_NAMES)}")
    if path is not None:
        return _load_public(path, kind, seed)
    if domain not in (*DOMAINS, "all"):
        raise CorpusError(f"domain is {domain!r}; it can be {', '.join(DOMAINS)} or all")
    groups: dict[tuple[str, str], list[LabelledText]] = {}
    seen = set()
    for name in DOMAINS if domain == "all" else (domain,):
        for group, text, rating in rated(name):
            label = _label(rating, kind)
            if label is not None and text not in seen:
                seen.add(text)
                groups.setdefault((name, group), []).append(LabelledText(text, label))
    return split_groups(groups, seed)


def rated(domain: str) -> Iterator[tuple[str, str, float]]:
    """The packaged sentences of one domain in the order of their file, each text once.

    Args:
        domain: a key of `DOMAINS`.

    Yields:
        (number of the review, editorial or tweet; text; mean rating in -4..4).

    Raises:
        CorpusError: the archive cannot be had, or is not laid out as expected.
    """
    outer = archives.read_members(archives.VADER, (_INNER,))[_INNER]
    name = f"{DOMAINS[domain]}_GroundTruth.txt"
    with tarfile.open(fileobj=io.BytesIO(outer)) as bundle:
        member = next((m for m in bundle if m.name.endswith(f"/{name}")), None)
        if member is None:
            raise CorpusError(f"{_INNER} in {archives.VADER.filename} has no file {name}")
        content = bundle.extractfile(member).read().decode("utf-8")
    rows = []
    for number, line in enumerate(content.split("\n"), 1):
        cells = line.split("\t")
        if len(cells) == 3:
            rows.append((cells[0].partition("_")[0], cells[2].strip(), float(cells[1])))
        elif line.strip():
            raise CorpusError(f"{name}, row {number}: expected number, rating and text")
    yield from unique(rows, lambda row: row[1])


def _label(rating: float, kind: str) -> int | float | None:
    if kind == "rating":
        return rating
    positive, negative = rating > MARGIN, rating < -MARGIN
    if kind == "three":
        return 2 if positive else 0 if negative else 1
    return int(positive) if positive or negative else None


def _load_public(path: str | Path, kind: str, seed: int) -> dict[str, list[LabelledText]]:
    if kind != "binary":
        raise CorpusError(f"kind is {kind!r}, but files of your own are read as binary only")
    parts = published.load_parts(path, _read_table, hidden_test=True, seed=seed)
    if isinstance(parts, list):
        return split_rows(unique(parts, lambda row: row.text), seed)
    return without_overlap({name: parts[name] for name in SPLITS}, lambda row: row.text)


def _read_table(path: Path) -> list[LabelledText]:
    table = tables.read(path)
    # CoLA's files have no header: what stands there then is source, label, mark and sentence.
    if len(table.columns) == 4 and table.columns[1] in _PUBLIC_LABELS:
        names = ["source", "label", "mark", "sentence"]
        cells = [table.columns, *(list(row.values()) for row in table.rows)]
        rows = [dict(zip(names, row, strict=True)) for row in cells]
        table = tables.Table(path, names, rows)
    if published.labels_are_hidden(table):
        return []
    found = table.columns_for(sentence=("sentence", "text", "review"), label=("label", "sentiment"))
    return [
        LabelledText(
            table.text(n, found["sentence"]).strip(),
            table.choice(n, found["label"], _PUBLIC_LABELS),
        )
        for n in range(1, len(table.rows) + 1)
    ]
