"""Files and folders that only the grader's own user may read: results, seed, grades.

Modes are set one by one, not through the umask, which belongs to the whole process.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


def folder(path: Path) -> Path:
    """Make a folder, and whatever is missing above it, for this user alone.

    Args:
        path: the folder; folders that exist already keep their modes.

    Returns:
        The path.
    """
    for missing in reversed([p for p in (path, *path.parents) if not p.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return path


def write(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all.

    Args:
        path: the file to make or to replace; its folder is made when missing.
        content: the bytes.
    """
    folder(path.parent)
    # mkstemp makes the file with mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:80]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_json(path: Path, content: Any) -> None:
    """Write a value as a private JSON file, whole or not at all."""
    write(path, json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"))


def close(path: Path) -> None:
    """Take everybody else's rights to a file, or to a folder with all that is in it.

    Args:
        path: nothing happens where it does not exist; links are not followed.
    """
    if path.is_symlink():
        return
    with contextlib.suppress(FileNotFoundError):
        os.chmod(path, path.stat().st_mode & 0o700)
        if path.is_dir():
            for name in os.listdir(path):
                close(path / name)
