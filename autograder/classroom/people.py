"""Who is in a class: a roster's rows as people whom nbgrader can have as students."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.errors import CommandError
from autograder.messages import for_reader
from autograder.report.clean import plain
from autograder.report.roster import CANVAS, MOODLE, OTHER, WORKSHEET, Roster, match, read_roster

_MOODLE_IDS = ("username", "id number", "email address")
# Columns that may be the students' ids here, the likeliest first; small letters.
_IDS = {
    CANVAS: ("sis login id", "sis user id", "id"),
    MOODLE: _MOODLE_IDS,
    WORKSHEET: _MOODLE_IDS,
    OTHER: ("id", "student id", "login", "user", "学号", "用户名", "账号", "编号"),
}
_LMS = {CANVAS: ("id",), MOODLE: ("id number",), WORKSHEET: ("id number",), OTHER: ()}
_MAILS = ("email address", "email", "e-mail", "mail", "邮箱", "电子邮箱", "电子邮件", "邮件地址")
_NAMES = ("student", "full name", "name", "student name", "姓名", "名字", "学生姓名")
_FIRST = ("first name", "given name", "名")
_LAST = ("last name", "surname", "family name", "姓")
_MAX = 128  # what nbgrader's columns hold
_TEST_STUDENT = "student, test"  # Canvas puts it into every course


@dataclass(frozen=True)
class Person:
    """One student as nbgrader keeps them.

    Args:
        id: what their folder in `submitted/` is called.
        first_name, last_name, email: as the roster has them, or "".
        lms_id: their id in the learning management system, or "".
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""


@dataclass(frozen=True)
class People:
    """What a roster says.

    Args:
        persons: in the roster's order.
        column: the title of the column that the ids come from.
        notes: sentences that a person should read.
    """

    persons: tuple[Person, ...]
    column: str
    notes: tuple[str, ...] = field(default=())


def read_people(path: Path, by: str | None = None) -> People:
    """Read a class list: an export of Canvas or Moodle, or a table with id, name and email.

    Args:
        path: a CSV file; see `read_roster`.
        by: the title of the column with the ids; None takes the likeliest.

    Returns:
        The people.

    Raises:
        CommandError: it is no such list, or some of them cannot be told apart; the message names
            them and nothing is taken from the file.
    """
    roster = read_roster(path)
    if any("\0" in cell for cell in (*roster.header, *roster.rows[0])):
        raise _wrong(
            f"{path}：编码读不出来（像是没有标记的 UTF-16）；请在表格软件里另存为“CSV UTF-8”",
            f"{path}: its encoding can't be read (it looks like UTF-16 without a mark); save it as "
            '"CSV UTF-8" in your spreadsheet',
        )
    place = _id_column(path, roster, by)
    rows, notes = _rows(path, roster, place)
    persons = tuple(_person(path, roster, row, place) for row in rows)
    _refuse_doubles(path, persons, roster.header[place])
    if roster.encoding in ("gb18030", "latin-1"):
        some = "; ".join(plain(" ".join(filter(None, row)), 60) for row in rows[:2])
        notes.append(
            for_reader(
                f"这个文件不是 UTF-8，按 {roster.encoding.upper()} 读入：{some}。"
                "如果名字是乱码，请另存为“CSV UTF-8”再来一次",
                f"the file is not UTF-8 and was read as {roster.encoding.upper()}: {some}. If the "
                'names look wrong, save it as "CSV UTF-8" and run this again',
            )
        )
    notes += _unmatched(roster, rows, persons)
    return People(persons, roster.header[place], tuple(notes))


def _wrong(zh: str, en: str) -> CommandError:
    return CommandError(for_reader(zh, en))


def _id_column(path: Path, roster: Roster, by: str | None) -> int:
    """The place of the column with the ids."""
    titles = ", ".join(repr(title) for title in roster.header[:20])
    if by is not None:
        place = roster.column(" ".join(by.split()).casefold())
        if place is None:
            raise _wrong(
                f"{path} 没有 {by!r} 这一列；现有：{titles}",
                f"{path} has no column {by!r}; it has: {titles}",
            )
        return place
    for name in _IDS[roster.kind]:
        place = roster.column(name)
        # Canvas writes columns that a school doesn't use, and leaves them empty.
        if place is not None and any(row[place].strip() for row in roster.rows):
            return place
    raise _wrong(
        f"{path} 里没有能当学号的列，请用 --id 列名 指定；现有：{titles}",
        f"{path} has no column that is known to hold ids; say which with --id COLUMN. "
        f"It has: {titles}",
    )


def _rows(path: Path, roster: Roster, place: int) -> tuple[list[tuple[str, ...]], list[str]]:
    """The rows that are people with an id; Canvas's test student is left out and said."""
    rows, notes, without = [], [], []
    for row in roster.rows:
        who = row[roster.person_column].strip()
        if roster.kind == CANVAS and who.casefold() == _TEST_STUDENT:
            notes.append(
                for_reader("略过了 Canvas 的测试学生", "Canvas's test student was left out")
            )
        elif row[place].strip():
            rows.append(row)
        else:
            without.append(who or " ".join(cell for cell in row if cell.strip()))
    if without or not rows:
        column, some = roster.header[place], _some(without) or "–"
        raise _wrong(
            f"{path}：有 {len(without)} 人的 {column!r} 一列是空的：{some}；"
            "请补上，或用 --id 换一列",
            f"{path}: {len(without)} people have nothing in {column!r}: {some}; fill it in, or "
            "choose another column with --id",
        )
    return rows, notes


def _person(path: Path, roster: Roster, row: tuple[str, ...], place: int) -> Person:
    def cell(*names: str) -> str:
        found = roster.column(*names)
        return "" if found is None else " ".join(row[found].split())

    name = row[place].strip()
    mail = cell(*_MAILS) or (cell("sis login id") if "@" in cell("sis login id") else "")
    given = name
    # Folders, and accounts of a hub, are called by what stands before the @.
    name = name.partition("@")[0] if "@" in name else name
    bad = (
        not name
        or name.startswith(".")
        or not name.isprintable()
        or re.search(r'[/\\:*?"<>|]', name)
    )
    if bad or len(name) > _MAX:
        raise _wrong(
            f"{path}：{given!r} 不能当学生的文件夹名；请改一改，或用 --id 换一列",
            f"{path}: {given!r} cannot be the name of a student's folder; change it, or choose "
            "another column with --id",
        )
    first, last = cell(*_FIRST), cell(*_LAST)
    if not (first or last):
        first, last = _split(cell(*_NAMES))
    if "@" in given and not mail:
        mail = given
    lms = cell(*_LMS[roster.kind]) if _LMS[roster.kind] else ""
    return Person(name, first[:_MAX], last[:_MAX], mail[:_MAX], lms[:_MAX])


def _split(name: str) -> tuple[str, str]:
    """First and last name of a whole one: `Lovelace, Ada`, `Ada Lovelace`, 王小明."""
    if "," in name or "，" in name:
        last, _, first = re.sub("，", ",", name).partition(",")
        return first.strip(), last.strip()
    first, _, last = name.rpartition(" ")
    if not first or "\u3400" <= name[0] <= "\u9fff":
        return name, ""  # a Chinese name is not cut up by guessing
    return first, last


def _refuse_doubles(path: Path, persons: Iterable[Person], column: str) -> None:
    # Two ids that differ in case only are one folder on Windows and macOS.
    count = Counter(person.id.casefold() for person in persons)
    doubled = [person.id for person in persons if count[person.id.casefold()] > 1]
    if doubled:
        some = _some(list(dict.fromkeys(doubled)))
        raise _wrong(
            f"{path}：{column!r} 一列有重复：{some}；删掉多余的行，或用 --id 换一列",
            f"{path}: ids stand twice in {column!r}: {some}; take the spare rows out, or choose "
            "another column with --id",
        )


def _unmatched(roster: Roster, rows: list, persons: tuple[Person, ...]) -> list[str]:
    """Whom `autograder export --roster` could not find again in this very file."""
    if roster.kind == OTHER:
        return []
    found = match(roster, {one.id: [one.lms_id, one.email] for one in persons})
    right = {(who, roster.rows[place]) for place, who in found.rows.items()}
    lost = [p.id for p, row in zip(persons, rows, strict=True) if (p.id, row) not in right]
    if not lost:
        return []
    return [
        for_reader(
            f"导出成绩时（export --roster）会认不准这些人：{_some(lost)}；"
            "他们的学号和别人的编号撞了，请用 --id 换一列",
            f"export --roster would not know these for sure: {_some(lost)}; their ids are also "
            "somebody else's in another column. Choose another one with --id",
        )
    ]


def _some(names: list[str]) -> str:
    shown = ", ".join(plain(name, 60) for name in names[:12])
    return shown + (f" … ({len(names)})" if len(names) > 12 else "")
