"""A class's folder: where things are in it, what was handed in, and who may work in it."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import CommandError
from autograder.handed_files import read_bytes
from autograder.repairs import repair
from autograder.submissions import Handed


@dataclass(frozen=True)
class ClassDir:
    """A class: nbgrader's course folder plus our private part.

    Args:
        root: The folder.
        lang: The class's language.
        seed: Its seed, never shown to students.
    """

    root: Path
    lang: str
    seed: int

    @classmethod
    def open(cls, root: Path) -> ClassDir:
        """Opens a class folder.

        Raises:
            CommandError: when it is none.
        """
        root = root.resolve()
        if not root.is_dir():
            raise CommandError(f"there is no folder {root}")
        try:
            content = json.loads((root / ".autograder" / "course.json").read_bytes())
            return cls(root, str(content["lang"]), int(content["seed"]))
        except FileNotFoundError:
            hint = f"make one with: autograder init-class {root} --lang zh"
            raise CommandError(f"{root} is not a class folder; {hint}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{root}/.autograder/course.json is damaged: {error}") from None

    def notebooks(self, name: str | None) -> list[str]:
        """The released notebooks that a name means: itself, or all of a chapter (`ch03`).

        Args:
            name: A notebook's id or a chapter; None means everything that is released.

        Raises:
            CommandError: when nothing of that name is released.
        """
        folders = sorted(path.parent.name for path in (self.root / "release").glob("*/*.ipynb"))
        if name in folders:
            return [name]
        chapter = name is None or name.startswith("ch")
        found = [folder for folder in folders if chapter and folder.startswith(name or "")]
        if not found:
            known = ", ".join(folders) or "none yet; see autograder release --class-dir"
            what = "no notebook" if name is None else f"no notebook {name!r}"
            raise CommandError(f"{what} is released in this class. Released: {known}")
        return found

    def released(self, notebook: str) -> Path:
        return self.root / "release" / notebook / f"{notebook}.ipynb"

    def result_path(self, student: str, notebook: str) -> Path:
        return self.root / "results" / student / f"{notebook}.json"

    def handed_in(
        self, notebook: str, wanted: Callable[[str], bool] = lambda student: True
    ) -> list[Handed]:
        """Everybody's file for a notebook, in order of the students' ids.

        Args:
            notebook: The notebook's id.
            wanted: Says of a student's id whether that file is asked for.
        """
        base, found = self.root / "submitted", []
        if not base.is_dir():
            return found
        for folder in sorted(base.iterdir()):
            work = folder / notebook
            student = folder.name
            if folder.is_symlink() or not student.isprintable() or student.startswith("."):
                continue
            if work.is_symlink() or not work.is_dir() or not wanted(student):
                continue
            path, notes = work / f"{notebook}.ipynb", []
            if not os.path.lexists(path):
                others = sorted(p for p in work.glob("*.ipynb") if not p.is_symlink())
                if len(others) == 1:
                    path = others[0]
                    notes.append(repair("renamed", name=path.name))
            data, more = read_bytes(path)
            found.append(Handed(student, path, data, (*notes, *more)))
        return found

    def graded(self, notebook: str) -> list[str]:
        """The students who have a result for a notebook, in order."""
        paths = (self.root / "results").glob(f"*/{notebook}.json")
        return sorted(p.parent.name for p in paths if not p.parent.name.startswith("."))

    @contextlib.contextmanager
    def working(self, part: str = "") -> Iterator[None]:
        """Keeps other graders out of this class while it is being worked in.

        The system lets go of both locks when this process dies, however it dies.

        Args:
            part: A shard's name: graders of other shards may work beside it then.

        Raises:
            CommandError: when another grader is at work.
        """
        import fcntl

        private = self.root / ".autograder"
        with contextlib.ExitStack() as stack:
            everything = stack.enter_context(_open_lock(private / "lock"))
            _lock(everything, fcntl.LOCK_SH if part else fcntl.LOCK_EX, self.root)
            if part:
                own = stack.enter_context(_open_lock(private / f"lock.{part}"))
                _lock(own, fcntl.LOCK_EX, self.root)
            yield


def _open_lock(path: Path) -> Any:
    """A lock's file, open; only its owner can read it, as all that is private here."""
    return open(path, "a+", opener=lambda name, flags: os.open(name, flags, 0o600))


def _lock(file: Any, kind: int, root: Path) -> None:
    import fcntl

    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            raise CommandError(f"another grader is at work in {root}; wait for it") from None
        message = f"{file.name} cannot be locked ({error.strerror}); grade in a copy elsewhere"
        raise CommandError(message) from None
