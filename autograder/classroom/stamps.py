"""Times of submission that nobody can be sure of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from autograder.class_dir import ClassDir
from autograder.handed_files import read_bytes
from autograder.messages import Text

_MISSING = Text(
    "{notebook}：没有提交时间（timestamp.txt），按准时计算：{who}",
    "{notebook}: no time of submission (timestamp.txt), counted as in time: {who}",
)
_ODD = Text(
    "{notebook}：提交时间读不懂，按准时计算：{who}",
    "{notebook}: time of submission can't be read, counted as in time: {who}",
)
_ZONE = Text(
    "{notebook}：提交时间里的时区缩写这台机器不认识，nbgrader 会当成 UTC："
    "{who}；请在 timestamp.txt 里改写成 UTC 时间",
    "{notebook}: the zone's abbreviation in the time of submission is not known here and nbgrader "
    "takes it for UTC: {who}; write it in UTC in timestamp.txt",
)


def odd_stamps(course: ClassDir, notebooks: Iterable[str]) -> Iterator[Text]:
    """Say whose time of submission is missing, unreadable, or in a zone that nobody knows.

    Args:
        course: the class.
        notebooks: those that have a due date.

    Yields:
        A sentence for each kind of trouble in each notebook.
    """
    for notebook in sorted(notebooks):
        found: dict[Text, list[str]] = {_MISSING: [], _ODD: [], _ZONE: []}
        for folder in sorted((course.root / "submitted").glob(f"*/{notebook}")):
            data, _ = read_bytes(folder / "timestamp.txt")
            _, trouble = read_stamp((data or b"")[:200].decode("utf-8", "replace"))
            if trouble:
                found[trouble].append(folder.parent.name)
        for text, who in found.items():
            if who:
                more = f" … ({len(who)})" if len(who) > 12 else ""
                yield text.format(notebook=notebook, who=", ".join(who[:12]) + more)


def read_stamp(text: str) -> tuple[datetime | None, Text | None]:
    """Read a time of submission.

    nbgrader writes `2026-03-01 12:00:00.000000 UTC`. It can read an offset such as `+0800` too, but
    takes it for 800 seconds; here it is eight hours.

    Args:
        text: what stands in `timestamp.txt`.

    Returns:
        The moment (UTC, without a zone) or None, and what is wrong with it or None.
    """
    from dateutil import parser, tz

    text = " ".join(text.split())
    if not text:
        return None, _MISSING
    trouble = None
    try:
        day, _, zone = text.rpartition(" ")
        named = " " in day and not zone[:1].isdigit()
        moment = parser.parse(day if named else text)
        if named and zone[:1] in "+-":
            moment = parser.parse(f"{day}{zone}")
        elif named:
            known = tz.gettz(zone)
            trouble = None if known else _ZONE
            moment = moment.replace(tzinfo=known)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, TypeError):
        return None, _ODD
    return moment, trouble
