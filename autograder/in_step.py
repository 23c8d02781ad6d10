"""Brings nbgrader's gradebook in step with results; one student's trouble is not another's."""

from __future__ import annotations

import contextlib
import errno
import logging
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.errors import CommandError
from autograder.submissions import Assignment

# With less room than this a gradebook cannot be written, whatever else is said to be wrong.
ROOM = 256 * 1024


class InStep:
    """Writes results into a class's gradebook.

    Args:
        stack: What closes the gradebook again.
        root: The class folder.
        assignment: The notebook.

    Raises:
        CommandError: when the gradebook cannot take this notebook at all.
    """

    def __init__(self, stack: contextlib.ExitStack, root: Path, assignment: Assignment):
        from autograder import gradebook

        self._root = root
        self._error = gradebook.BridgeError
        self.troubles: list[str] = []
        stack.enter_context(_unlogged())
        try:
            self._write = stack.enter_context(gradebook.recorder(root, assignment))
        except self._error as error:
            check_room(root, error)
            hint = f"if the gradebook was lost: autograder rebuild --course {root}"
            raise CommandError(f"{error} ({hint})") from None

    def record(self, result: dict[str, Any]) -> None:
        """Brings one student's entry in step; what nbgrader refuses is noted in `troubles`.

        Raises:
            CommandError: when the disk is full, which would be everybody's trouble.
        """
        try:
            self._write(result["student"], result)
        except (self._error, OSError) as error:
            check_room(self._root, error)
            self.troubles.append(f"{result['student']}: {error}")


@contextlib.contextmanager
def _unlogged() -> Iterator[None]:
    """Keeps a log off the terminal in which nbgrader puts a traceback for every database error."""
    log = logging.getLogger("tornado.application")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(level)


def check_room(folder: Path, error: BaseException | None) -> None:
    """Raises where an error comes from a full disk.

    Raises:
        CommandError: one line saying so.
    """
    seen = error
    full = shutil.disk_usage(folder).free < ROOM
    while seen is not None and not full:
        full = getattr(seen, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        full |= isinstance(seen, sqlite3.OperationalError) and "full" in str(seen)
        seen = seen.__cause__ or seen.__context__
    if full:
        text = f"no space left in {folder}: make room and run the same command again"
        raise CommandError(f"{text}; what was finished is kept") from None
