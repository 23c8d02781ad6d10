"""Who was given more time: `extensions.csv` in the class folder, one row an extension.

nbgrader can keep an extension only of somebody who has handed in; this file keeps all of them, and
survives a lost gradebook.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder import private
from autograder.errors import CommandError
from autograder.messages import for_reader

FILE = "extensions.csv"
HEADER = ("student", "notebook", "until_utc", "granted_utc", "note")
_FORMAT = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True)
class Extension:
    """More time for one student in one notebook; moments are UTC, without a zone."""

    student: str
    notebook: str
    until: datetime
    granted: datetime
    note: str = ""


def read_extensions(root: Path) -> dict[tuple[str, str], Extension]:
    """Read all extensions of a class.

    Args:
        root: the class folder.

    Returns:
        By student and notebook; where one has several rows the last one counts.

    Raises:
        CommandError: a row cannot be read; the message names it.
    """
    path = root / FILE
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None
    found = {}
    for number, row in enumerate(csv.reader(io.StringIO(text, newline="")), start=1):
        if number == 1 or not any(row):
            continue
        try:
            student, notebook, until, granted, *note = row
            one = Extension(
                student.removeprefix("'"),
                notebook,
                datetime.strptime(until.strip(), _FORMAT),
                datetime.strptime(granted.strip(), _FORMAT),
                "".join(note[:1]),
            )
        except ValueError:
            raise CommandError(
                for_reader(
                    f"{path} 第 {number} 行读不懂：{','.join(row)!r}；各列应为 "
                    f"{', '.join(HEADER)}，时间写成 2026-10-01 15:59:00（UTC）",
                    f"{path}, row {number} cannot be read: {','.join(row)!r}; its columns are "
                    f"{', '.join(HEADER)}, times like 2026-10-01 15:59:00 (UTC)",
                )
            ) from None
        found[one.student, one.notebook] = one
    return found


def write_extensions(root: Path, extensions: dict[tuple[str, str], Extension]) -> Path:
    """Write all extensions of a class; whole or not at all.

    Args:
        root: the class folder.
        extensions: by student and notebook.

    Returns:
        The file.
    """
    from autograder.report.clean import spreadsheet_cell  # the report reads extensions itself

    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(HEADER)
    for key in sorted(extensions):
        one = extensions[key]
        moments = (one.until.strftime(_FORMAT), one.granted.strftime(_FORMAT))
        cells = (spreadsheet_cell(one.student), one.notebook, *moments, spreadsheet_cell(one.note))
        writer.writerow(cells)
    private.write(root / FILE, b"\xef\xbb\xbf" + buffer.getvalue().encode("utf-8"))
    return root / FILE
