"""Read the list of people that a learning management system exports, and find ours in it.

What is read is kept as it came: header, order, ids, delimiter and byte order mark, so that the
file that goes back is the one that the system knows, with grades in it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.errors import CommandError

MAX_BYTES = 50_000_000
CANVAS, MOODLE, WORKSHEET, OTHER = "canvas", "moodle", "worksheet", "other"

# Columns that identify a person, by the kind of file; names in small letters.
_IDS = {
    CANVAS: ("sis login id", "sis user id", "id", "integration id"),
    MOODLE: ("id number", "username", "email address"),
    WORKSHEET: ("id number", "username", "email address", "identifier"),
    OTHER: (),
}
_MAIL = ("sis login id", "email address", "username")
_NAMES = ("student", "full name")


@dataclass(frozen=True)
class Roster:
    """A table of people.

    Args:
        kind: "canvas" (its gradebook), "moodle" (its grade export), "worksheet" (Moodle's offline
            grading worksheet) or "other".
        header: the first row.
        notes: rows of Canvas that are no people: posting policy, points possible.
        rows: one a person, each as long as the header.
        delimiter: the character between two cells.
        mark: whether the file starts with a byte order mark.
        encoding: what the file was read as.
    """

    kind: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[tuple[str, ...], ...] = ()
    delimiter: str = ","
    mark: bool = False
    encoding: str = "utf-8"

    def column(self, *names: str) -> int | None:
        """Return the place of the first of these columns (small letters) that is there."""
        found = [_plain(title) for title in self.header]
        return next((found.index(name) for name in names if name in found), None)

    @property
    def person_column(self) -> int:
        """The column that names a row for the reader."""
        place = self.column(*_NAMES, "email address", "id number", "sis login id")
        return 0 if place is None else place


@dataclass
class Match:
    """Who is who.

    Args:
        rows: place of a row to the student it belongs to.
        unknown: students who are in no row.
        unclear: students who fit several rows, or share one.
    """

    rows: dict[int, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)


def read_roster(path: Path) -> Roster:
    """Read a file that Canvas or Moodle exported, or any table with a header.

    Args:
        path: a CSV file in UTF-8, UTF-16 or GB18030, with commas, semicolons or tabs.

    Returns:
        The roster.

    Raises:
        CommandError: it cannot be read as a table of people.
    """
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from None
    text, encoding = _decode(data)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        table = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)]
    except csv.Error as error:
        raise CommandError(f"{path}: not a table: {error}") from None
    table = [row for row in table if any(cell.strip() for cell in row)]
    if len(table) < 2 or len(table[0]) < 2:
        raise CommandError(f"{path}: it has no table with a header and people in it")
    width = len(table[0])
    header = tuple(cell.strip() for cell in table[0])
    body = [tuple((row + [""] * width)[:width]) for row in table[1:]]
    kind = _kind(header)
    notes = []
    if kind == CANVAS:
        who = [_plain(title) for title in header].index("student")
        while body and (body[0][who].strip() in ("", "Points Possible")):
            notes.append(body.pop(0))
    mark = data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    return Roster(kind, header, tuple(body), tuple(notes), delimiter, mark, encoding)


def match(roster: Roster, students: Mapping[str, Iterable[str]], by: str | None = None) -> Match:
    """Find the students' rows.

    An id must fit exactly one row; nobody is guessed at. Ids come first, then what stands before
    the @ of an address, then full names.

    Args:
        roster: the people.
        students: our ids, each with the other names it may go by (addresses, ids).
        by: the one column to look in; None looks in those that identify people.

    Returns:
        Who is who.

    Raises:
        CommandError: there is no column `by`, or none that identifies people.
    """
    tiers = _tiers(roster, by)
    found = Match()
    claims: dict[int, list[str]] = {}
    for student, others in students.items():
        keys = {_key(name) for name in (student, *others) if name}
        rows: set[int] = set()
        for tier in tiers:
            rows = set().union(*(tier.get(key, ()) for key in keys))
            if rows:
                break
        if len(rows) == 1:
            claims.setdefault(rows.pop(), []).append(student)
        else:
            (found.unclear if rows else found.unknown).append(student)
    for row, people in claims.items():
        if len(people) == 1:
            found.rows[row] = people[0]
        else:
            found.unclear += people
    return found


def _tiers(roster: Roster, by: str | None) -> list[dict[str, set[int]]]:
    """What a row may be called, the surest first: name to places of rows."""
    if by is not None:
        place = roster.column(_plain(by))
        if place is None:
            raise CommandError(f"the roster has no column {by!r}; it has: {_list(roster.header)}")
        columns = [(place,), (), ()]
    else:
        titles = [_plain(title) for title in roster.header]
        columns = [
            tuple(titles.index(name) for name in names if name in titles)
            for names in (_IDS[roster.kind], _MAIL, _NAMES)
        ]
        if not columns[0]:
            raise CommandError(
                f"no column of the roster is known to identify people; say which one has the "
                f"students' ids with --match. It has: {_list(roster.header)}"
            )
    tiers: list[dict[str, set[int]]] = [{}, {}, {}]
    for tier, places, read in zip(tiers, columns, (_key, _before_at, _key), strict=True):
        for number, row in enumerate(roster.rows):
            for place in places:
                for name in {read(row[place])} - {""}:
                    tier.setdefault(name, set()).add(number)
    return tiers


def _key(name: str) -> str:
    """A name as it is compared: Moodle's "Participant 123" is 123."""
    return re.sub(r"^participant\s+(?=\d+$)", "", " ".join(name.split()).casefold())


def _before_at(address: str) -> str:
    return _key(address.partition("@")[0]) if "@" in address else ""


def _kind(header: tuple[str, ...]) -> str:
    titles = {_plain(title) for title in header}
    if "student" in titles and titles & {"id", "sis login id", "sis user id"}:
        return CANVAS
    if {"identifier", "grade", "maximum grade"} <= titles:
        return WORKSHEET
    return MOODLE if titles & set(_IDS[MOODLE]) else OTHER


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def _decode(data: bytes) -> tuple[str, str]:
    """The text, and what it was read as."""
    encodings = ["utf-8-sig", "gb18030"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings.insert(0, "utf-16")
    for encoding in encodings:
        try:
            return data.decode(encoding), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _list(header: tuple[str, ...]) -> str:
    return ", ".join(repr(title) for title in header[:20])
