"""Files that are there as a whole or not at all, and checksums to prove it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.text.corpora.archives import CorpusError

VERIFIED = "verified.json"
HEADER = 128  # bytes before the data of a .npy file


@contextlib.contextmanager
def saying_why(path: Path) -> Iterator[None]:
    """Turn a failing write into one line that says what to do.

    Args:
        path: what is written.

    Yields:
        Nothing; the write goes inside.

    Raises:
        CorpusError: it failed.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            reason = f"no space left for {path}; free some"
        else:
            reason = f"cannot write {path} ({error.strerror})"
        raise CorpusError(
            f"{reason} and run the same command again: finished shards are kept"
        ) from None


def write_file(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all.

    Args:
        path: its name.
        content: what it holds.

    Raises:
        CorpusError: it cannot be written; an older file of that name is left as it was.
    """
    scratch = path.with_name(f".{path.name}.part")
    with saying_why(path):
        try:
            with scratch.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            scratch.replace(path)
        except BaseException:
            scratch.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from working towards the same path.

    A process that dies, however it dies, leaves no lock behind. On Windows nothing is locked.

    Args:
        path: what is worked on; the lock is a hidden file beside it.

    Yields:
        Nothing; the work goes inside.

    Raises:
        CorpusError: another process holds the lock.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    name = path.with_name(f".{path.name}.lock")
    with saying_why(name):
        file = name.open("ab")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The holder before may have removed the file that was just locked.
            ours = os.path.samestat(os.fstat(file.fileno()), name.stat())
        except OSError:
            ours = False
        if not ours:
            raise CorpusError(f"another process is preparing {path}; wait for it")
        try:
            yield
        finally:
            name.unlink(missing_ok=True)


class GrowingArray:
    """A one-dimensional .npy file that is appended to; memory holds only what is being appended.

    Args:
        path: its name once it is whole.
        dtype: of its elements.
    """

    def __init__(self, path: Path, dtype: np.dtype):
        self.path = path
        self.dtype = np.dtype(dtype)
        self.count = 0
        self._scratch = path.with_name(f".{path.name}.part")
        with saying_why(path):
            self._file = self._scratch.open("w+b")
            self._file.write(bytes(HEADER))

    def append(self, values: np.ndarray) -> None:
        """Add elements (n,).

        Args:
            values: (n,), of any dtype that can be cast.

        Raises:
            CorpusError: they cannot be written.
        """
        with saying_why(self.path):
            self._file.write(np.ascontiguousarray(values, self.dtype).data)
        self.count += len(values)

    def finish(self) -> dict[str, Any]:
        """Complete the file and give it its name.

        Returns:
            Its `sha256` and `bytes`.

        Raises:
            CorpusError: it cannot be written.
        """
        description = {
            "descr": np.lib.format.dtype_to_descr(self.dtype),
            "fortran_order": False,
            "shape": (self.count,),
        }
        prefix = np.lib.format.magic(1, 0) + (HEADER - 10).to_bytes(2, "little")
        header = prefix + repr(description).encode("ascii").ljust(HEADER - 11) + b"\n"
        with saying_why(self.path):
            self._file.seek(0)
            self._file.write(header)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.seek(0)
            digest = hashlib.file_digest(self._file, "sha256").hexdigest()
            self._file.close()
            self._scratch.replace(self.path)
        return {"sha256": digest, "bytes": HEADER + self.count * self.dtype.itemsize}

    def discard(self) -> None:
        """Give up: nothing of the file stays."""
        self._file.close()
        self._scratch.unlink(missing_ok=True)


def damaged(directory: Path, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Files that are not what the summary says.

    A file that was found whole is not read again while its size and time of change stay the same;
    `verified.json` beside the files remembers that.

    Args:
        directory: the folder.
        files: `sha256` and `bytes` of each.

    Returns:
        What is wrong with each damaged file; empty if all are whole.
    """
    try:
        known = json.loads((directory / VERIFIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    known = known if isinstance(known, dict) else {}
    wrong, seen = {}, {}
    for name, wanted in files.items():
        try:
            state = (directory / name).stat()
            mark = [state.st_size, state.st_mtime_ns, wanted["sha256"]]
            if known.get(name) != mark:
                with (directory / name).open("rb") as file:
                    if hashlib.file_digest(file, "sha256").hexdigest() != wanted["sha256"]:
                        wrong[name] = "is damaged"
                        continue
            seen[name] = mark
        except OSError as error:
            wrong[name] = "is missing" if error.errno == errno.ENOENT else f"{error.strerror}"
    if seen != known:
        # In a folder that cannot be written to, the next run reads everything again.
        with contextlib.suppress(CorpusError):
            write_file(directory / VERIFIED, json.dumps(seen).encode())
    return wrong
