"""From running text to the shards that pretraining reads.

In three passes over the pieces of the text: a survey finds repeated texts and gives every
paragraph its split; a sample of the train split makes the vocabulary; then everything is tokenized
and written. Pairs and masks are drawn anew in every pass of a training, so nothing about them is
stored.

What is written depends on text and settings alone, bit for bit: not on the number of processes, on
a cluster, or on how often the work was interrupted. It is done in a hidden folder beside its
destination and takes its name only when it is whole.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training import files
from bert_keras.training.preparation import (
    FORMAT,
    SUMMARY,
    VOCABULARY,
    Preparation,
    checksum_of,
    files_of,
    read_json,
)
from bert_keras.training.sections import CorpusSection, PretrainConfig
from bert_keras.training.shards import TokenizedSplit, read_split
from bert_keras.training.sources import SPLITS, Source, open_sources
from bert_keras.training.workers import Cluster, open_workers

# What `prepare` writes, today and in older versions; a folder with anything else is left alone.
_OURS = re.compile(
    r"(vocab\.txt|summary\.json|verified\.json|corpus\.npz|(train|dev|test)-\d+\.\w+\.npy)"
)


@dataclass(frozen=True)
class PreparedCorpus:
    """What `prepare` wrote.

    Attributes:
        vocabulary: the `Vocabulary`.
        splits: `TokenizedSplit` of train, dev and test.
        lowercase: whether the text was lower-cased.
        checksum: str, changes when anything of it does.
    """

    vocabulary: Vocabulary
    splits: dict[str, TokenizedSplit]
    lowercase: bool
    checksum: str


def prepare(
    config: PretrainConfig, *, jobs: int = 1, cluster: Cluster | None = None
) -> dict[str, Any]:
    """Build the vocabulary on the train split, tokenize all splits and write everything.

    The folder appears only when it is complete. If it already holds what the configuration asks
    for, nothing is done, and if only some of it, as after a kill or damage, only the rest is made.

    Args:
        config: the run configuration; only its `data` section is used.
        jobs: processes on this machine; a text of fewer pieces takes fewer.
        cluster: a Dask cluster that does the work in their place.

    Returns:
        The summary, and `already_prepared`, `megabytes` of text, `seconds`, `jobs` and
        `mb_per_second_per_core` of this call.

    Raises:
        CorpusError: the text cannot be had or has too few paragraphs, the folder holds other files,
            no space is left, or workers were lost.
    """
    start = time.perf_counter()
    directory = Path(config.data.directory)
    sources = open_sources(config.data)
    with files.saying_why(directory):
        directory.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(directory):
        result, megabytes, count = _prepare(config.data, directory, sources, jobs, cluster)
    return result | _speed(megabytes, start, count)


def _prepare(
    data: CorpusSection, directory: Path, sources: list[Source], jobs: int, cluster: Cluster | None
) -> tuple[dict[str, Any], float, int]:
    """What `prepare` does while no other one is at work there."""
    settings = _settings(data, sources)
    _finish_exchange(directory)
    if directory.exists() and not all(_OURS.fullmatch(path.name) for path in directory.iterdir()):
        raise CorpusError(f"{directory} holds other files; set data.directory to another folder")
    summary = read_json(directory / SUMMARY)
    same = summary is not None and summary.get("checksum") == checksum_of(summary)
    same = same and summary["settings"] == settings
    if same and not files.damaged(directory, files_of(summary)):
        return summary | {"already_prepared": True}, 0.0, 0

    work = directory.with_name(f".{directory.name}.partial")
    with files.saying_why(work):
        if same:
            shutil.rmtree(work, ignore_errors=True)
            directory.replace(work)
        work.mkdir(parents=True, exist_ok=True)
    pieces = sum(len(source.pieces) for source in sources)
    with open_workers(min(jobs, pieces), cluster) as (mapped, count):
        job = Preparation(work, settings, sources, data, mapped)
        try:
            megabytes = job.run()
        except Exception:
            if not job.shards:
                shutil.rmtree(work, ignore_errors=True)
            raise
    _exchange(work, directory)
    return job.summary | {"already_prepared": False}, megabytes, count


def load(directory: str | Path) -> PreparedCorpus:
    """Open what `prepare` wrote.

    Checksums of all files are compared the first time, and of those that changed since then. Token
    arrays of large texts stay in their files and are read where they are needed.

    Args:
        directory: the folder.

    Returns:
        The corpus.

    Raises:
        CorpusError: nothing prepared there, or it is damaged.
    """
    directory = Path(directory)
    summary = read_json(directory / SUMMARY)
    if summary is None:
        raise CorpusError(f"no prepared text in {directory}; run bert-keras prepare first")
    if summary.get("format") != FORMAT:
        raise CorpusError(
            f"{directory} was prepared by another version; run bert-keras prepare again"
        )
    if checksum_of(summary) != summary.get("checksum"):
        raise CorpusError(f"{directory / SUMMARY} is damaged; run bert-keras prepare again")
    for name, problem in files.damaged(directory, files_of(summary)).items():
        raise CorpusError(
            f"{directory / name} {problem}; run bert-keras prepare again: it makes that part anew"
        )
    splits = {
        name: read_split(directory, name, summary["shards"], summary["sources"]) for name in SPLITS
    }
    tokens = Vocabulary.load(directory / VOCABULARY)
    return PreparedCorpus(tokens, splits, summary["settings"]["lowercase"], summary["checksum"])


def _settings(data: CorpusSection, sources: list[Source]) -> dict[str, Any]:
    """Everything that the result depends on, as JSON values."""
    chosen = {key: value for key, value in asdict(data).items() if key != "directory"}
    # Training alone draws by language. Without any, folders of earlier versions stay good.
    del chosen["language_exponent"]
    if not chosen["languages"]:
        del chosen["languages"]
    # What counts is what stands in the file; without one, folders of earlier versions stay good.
    if given := chosen.pop("vocabulary_file"):
        chosen["vocabulary_tokens"] = _sha256(given)
    chosen |= {"format": FORMAT, "fingerprints": [source.fingerprint for source in sources]}
    return json.loads(json.dumps(chosen))


def _sha256(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise CorpusError(f"cannot read data.vocabulary_file {path}: {error.strerror}") from None


def _speed(megabytes: float, start: float, jobs: int) -> dict[str, Any]:
    seconds = time.perf_counter() - start
    rate = round(megabytes / seconds / jobs, 3) if megabytes and jobs else None
    return {
        "megabytes": round(megabytes, 2),
        "seconds": round(seconds, 2),
        "jobs": jobs,
        "mb_per_second_per_core": rate,
    }


def _exchange(work: Path, directory: Path) -> None:
    """Give the finished folder its name; an older one under that name goes."""
    old = directory.with_name(f".{directory.name}.old")
    with files.saying_why(directory):
        if directory.exists():
            shutil.rmtree(old, ignore_errors=True)
            directory.replace(old)
        work.replace(directory)
    shutil.rmtree(old, ignore_errors=True)


def _finish_exchange(directory: Path) -> None:
    """Undo an exchange that was interrupted between its two steps."""
    old = directory.with_name(f".{directory.name}.old")
    if old.exists():
        if directory.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.replace(directory)
