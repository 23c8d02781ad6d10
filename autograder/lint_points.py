"""What lint finds, and whether a notebook and its checks speak of the same exercises."""

import re
from dataclasses import dataclass

from autograder.prose import Prose


@dataclass(frozen=True, order=True)
class Finding:
    """One thing to put right, and where."""

    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


def finding_of(error):
    """Return what a ChapterError says, as a Finding."""
    return Finding(str(error.path), error.line, error.message)


def at(chapter, cell, message, line=1):
    """Return a Finding at a line of a cell's text."""
    return Finding(str(chapter.path), cell.first + line - 1, message)


def points_of(notebook):
    """Return the points of a notebook's exercises, as the checks have them."""
    from autograder import exercise

    found = exercise.all_exercises().values()
    return {known.id: known.points for known in found if known.notebook == notebook}


def points(chapter, registry):
    """The exercises are those the checks know, and the first table lists them with points."""
    findings = []
    for cell in chapter.answers:
        if cell.exercise not in registry:
            findings.append(at(chapter, cell, f"no exercise {cell.exercise!r} in the checks"))
    for name in registry:
        if name not in chapter.exercises:
            message = f"the checks know {name!r} but the notebook lacks it"
            findings.append(Finding(str(chapter.path), 1, message))
    for cell in chapter.cells:
        table = Prose(cell.source).first_table if cell.lang else None
        if table:
            break
    else:
        message = "no table of the exercises at the top"
        return [*findings, Finding(str(chapter.path), 1, message)]
    sibling = chapter.cells[chapter.cells.index(cell) + 1]
    for part in (cell, sibling):
        findings += _table(chapter, part, registry)
    return findings


def blanks(chapter):
    """The methods that a class is handed out without are those the checks know of."""
    from autograder import exercise

    known = exercise.all_exercises()
    for cell in chapter.answers:
        asked = known.get(cell.exercise)
        if asked is None or asked.kind != "layer" or not cell.blank:
            continue
        if set(asked.blanks) != set(cell.blank):
            methods = ",".join(asked.blanks)
            yield at(chapter, cell, f'{cell.exercise!r}: the checks have blank="{methods}"')


def _table(chapter, cell, registry):
    """Compare a table with the exercises of the notebook."""
    line, rows = Prose(cell.source).first_table or (1, [])
    wanted = list(chapter.exercises)
    for offset, row in enumerate(rows[1:], 1):
        name = row[0].strip().strip("`")
        if name.startswith("written_"):
            continue
        where = line + 1 + offset
        if not wanted or name != wanted[0]:
            expected = f"{wanted[0]!r}" if wanted else "no more rows"
            yield at(chapter, cell, f"the table has {name!r} where {expected} belongs", where)
            return
        wanted.pop(0)
        points = registry.get(name)
        if points is not None and (len(row) < 2 or not _is(row[1], points)):
            yield at(chapter, cell, f"{name!r} is worth {points:g} points", where)
    if wanted:
        yield at(chapter, cell, f"the table lacks {wanted[0]!r}", line)


def _is(text, number):
    found = re.search(r"\d+(\.\d+)?", text)
    return found is not None and float(found[0]) == number
