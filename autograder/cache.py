"""Results of whole submissions, kept by what is in them: equal cells are judged once.

The key is made of the cells that run, as they are after repair, and of everything else that a score
depends on. So the same work handed in again with other outputs, or by somebody else, is found; what
belongs to the student alone (id, repairs, written answers) never comes from the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import private, result_files
from autograder.attempt import Gate, Spawner
from autograder.errors import CommandError
from autograder.reading import read_back
from autograder.results import Incident
from autograder.submissions import Assignment, Handed

# What judging yields; the rest of a result belongs to the submission.
JUDGED = ("format", "assignment", "score", "max_score", "exercises", "cells", "defects", "respawns")


@dataclass(frozen=True)
class Cache:
    """A folder of results for one assignment under one set of circumstances.

    Args:
        folder: Where the entries are.
        circumstances: A digest of everything but the cells.
        assignment: The notebook.
    """

    folder: Path
    circumstances: str
    assignment: Assignment

    @classmethod
    def open(cls, folder: Path, assignment: Assignment, grader: str, tier: str) -> Cache:
        """Opens a cache folder and makes it where it is missing.

        Args:
            folder: The folder.
            assignment: The notebook.
            grader: `keys.grader_key` of this run.
            tier: The jail that submissions run in.

        Raises:
            CommandError: when others could have written into it.
        """
        folder = private_folder(folder)
        circumstances = _digest([grader, tier, _machine(), _data()])
        return cls(folder, circumstances, assignment)

    def recall(self, handed: Handed, spawner: Spawner, gate: Gate) -> dict[str, Any] | None:
        """The result of a submission whose cells have been judged before.

        It is read and repaired in a process of its own, as for grading; nothing of it runs.

        Returns:
            The result without its key, or None where it must be graded.
        """
        if handed.data is None:
            return None
        with gate.shared():
            child = spawner.spawn()
            try:
                asked = self.assignment.asked
                content = child.assemble(handed.data, self.assignment.data, asked)
                submission, _ = read_back(content, self.assignment.trusted)
            except (Incident, ValueError):
                return None
            finally:
                child.close()
        plan = [vars(cell) for cell in submission.plan if not cell.trusted]
        judged = self._read(self._path(plan))
        if judged is None:
            return None
        repairs = [*handed.repairs, *submission.repairs]
        result = {
            **judged,
            "student": handed.student,
            "repairs": [note.to_json() for note in repairs],
            "plan": plan,
            "cpu_seconds": 0.0,
            "seconds": 0.0,
            "cached": True,
        }
        whole = {"key": "", **result}
        return None if result_files.fault(whole, self.assignment, handed.student) else result

    def keep(self, result: dict[str, Any]) -> None:
        """Stores a result, unless chance had a part in it."""
        if not _certain(result):
            return
        judged = {key: result[key] for key in JUDGED}
        path = self._path(result["plan"])
        entry = {"name": path.stem, "sha256": _digest(judged), "judged": judged}
        # A cache that cannot be written, on a full disk say, costs time and nothing else.
        with contextlib.suppress(OSError):
            private.write_json(path, entry)

    def _path(self, plan: list[dict[str, Any]]) -> Path:
        """Where the result for these cells is kept."""
        cells = [cell for cell in plan if cell["role"] != "written"]
        return self.folder / f"{_digest([self.circumstances, cells])}.json"

    def _read(self, path: Path) -> dict[str, Any] | None:
        """An entry, or None where it is missing, damaged, or not from us."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as file:
                status = os.fstat(descriptor)
                ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
                if not ours or status.st_mode & 0o022 or status.st_size > result_files.MAX_BYTES:
                    return None
                entry = json.loads(file.read())
            judged = entry["judged"]
            same = entry["name"] == path.stem and entry["sha256"] == _digest(judged)
            return judged if same and set(judged) == set(JUDGED) else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None


def private_folder(folder: Path) -> Path:
    """Makes a cache folder where it is missing.

    Returns:
        Its absolute path.

    Raises:
        CommandError: when others could write into it.
    """
    folder = folder.expanduser().absolute()
    try:
        private.folder(folder)
        distrust = _distrust(folder)
    except OSError as error:
        raise CommandError(f"--cache {folder}: {error.strerror}") from None
    if distrust:
        raise CommandError(f"--cache {folder}: {distrust}")
    return folder


def _certain(result: dict[str, Any]) -> bool:
    """Whether the same cells would get the same result again, on a busy machine too."""
    if result["defects"] or result["respawns"] or any(e["incidents"] for e in result["exercises"]):
        return False
    if any(note["code"] == "unreadable" for note in result["repairs"]):
        return False
    return all(cell["status"] == "error" for cell in result["cells"])


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _data() -> list[str]:
    """The data sets and weights that students' code may read, by name, size and time.

    They are verified when they are downloaded; reading gigabytes again at every start would cost
    more than the cache saves.
    """
    from bert_keras.text.corpora.archives import cache_directory

    found, root = [], cache_directory()
    for path in sorted(root.rglob("*")):
        with contextlib.suppress(OSError):
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                name = path.relative_to(root).as_posix()
                found.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return found


def _machine() -> list[Any]:
    """What of this machine can change the last digits of a number, or whether code runs."""
    packages = sorted(f"{d.name} {d.version}" for d in importlib.metadata.distributions())
    lines = []
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    system = [platform.machine(), *platform.libc_ver(), *platform.python_build()]
    return [system, flags, packages]


def _distrust(folder: Path) -> str | None:
    """Why somebody else could put entries into a folder, or None."""
    us = os.geteuid()
    status = os.lstat(folder)
    if stat.S_ISLNK(status.st_mode) or not stat.S_ISDIR(status.st_mode):
        return "it is no folder of its own (a link, or a file)"
    if status.st_uid != us:
        return "it belongs to somebody else; entries there cannot be trusted"
    if status.st_mode & 0o022:
        return f"others may write into it; close it with: chmod 700 {folder}"
    for above in folder.resolve().parents:
        status = os.stat(above)
        open_to_others = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
        if status.st_uid not in (us, 0) or open_to_others:
            return f"others may replace it, since they may write into {above}"
    return None
