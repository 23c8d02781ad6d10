"""`autograder extend`: more time for one student in one notebook."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.class_dir import ClassDir
from autograder.classroom.extensions import (
    Extension,
    read_extensions,
    write_extensions,
)
from autograder.classroom.late_cli import change_lines
from autograder.classroom.policy import Policy, read_policy
from autograder.errors import CommandError
from autograder.grade_options import open_course
from autograder.messages import LANGUAGES, Text, for_reader

GRANTED = Text(
    "{student}：{notebook} 延到 {until}（{clock}），原定 {due}",
    "{student}: {notebook} is due {until} ({clock}) instead of {due}",
)
TAKEN = Text(
    "{student}：{notebook} 的延期取消了，截止时间 {due}（{clock}）",
    "{student}: {notebook} is due {due} ({clock}) again",
)


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `extend` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "extend",
        help="give a student more time for a notebook",
        description="Give a student more time. It is kept in extensions.csv and in nbgrader's "
        "gradebook; the student's late penalties are worked out again at once.",
    )
    parser.add_argument("student", help="their id")
    parser.add_argument("notebook", help="e.g. ch03a_self_attention")
    parser.add_argument("--course", required=True, type=Path, metavar="DIR", help="class folder")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--days", type=float, metavar="N", help="days after the class's due date")
    how.add_argument("--until", metavar="DATE", help="2026-10-04, or '2026-10-04 18:00'")
    how.add_argument("--remove", action="store_true", help="take an extension back")
    parser.add_argument("--note", default="", help="why, for yourself")
    parser.add_argument("--lang", choices=LANGUAGES, help="language")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Grant it, or take it back.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: there is no such student, notebook, due date or extension.
    """
    from autograder.gradebook import BridgeError, term
    from autograder.gradebook.enrol import students

    course = open_course(args)
    lang = args.lang or (course.lang if course.lang in LANGUAGES else "en")
    (*others, notebook) = course.notebooks(args.notebook)
    if others:
        raise CommandError(f"{args.notebook!r} means several notebooks; name one")
    clock = read_policy(course.root) or Policy()
    try:
        with course.working():
            _known(course, args.student, students(course.root))
            due = term.due_dates(course.root).get(notebook)
            if due is None and not args.remove:
                raise _wrong(
                    f"{notebook} 还没有截止时间；先设：autograder late --course {args.course} "
                    f"--due {notebook} 日期",
                    f"{notebook} has no due date; set it first: autograder late --course "
                    f"{args.course} --due {notebook} DATE",
                )
            given = read_extensions(course.root)
            key = (args.student, notebook)
            if args.remove:
                if given.pop(key, None) is None:
                    raise _wrong(
                        f"{args.student} 在 {notebook} 上没有延期",
                        f"{args.student} has no extension in {notebook}",
                    )
                text, until = TAKEN, due
            else:
                until = _until(args, clock, due)
                now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
                given[key] = Extension(args.student, notebook, until, now, args.note)
                text = GRANTED
            write_extensions(course.root, given)
            if args.remove:
                term.drop_extension(course.root, notebook, args.student)
            changes = term.recompute(course.root, args.student)
    except BridgeError as error:
        raise CommandError(str(error)) from None
    shown = {name: clock.shown(m) if m else "–" for name, m in (("until", until), ("due", due))}
    who = {"student": args.student, "notebook": notebook, "clock": clock.timezone}
    print(text.format(**who, **shown)[lang])
    print("".join(f"{line}\n" for line in change_lines(changes, lang)), end="")
    return 0


def _wrong(zh: str, en: str) -> CommandError:
    return CommandError(for_reader(zh, en))


def _known(course: ClassDir, student: str, enrolled: dict) -> None:
    """Refuse an id that nobody has: an extension for a slip of the pen helps nobody."""
    folders = {folder.name for folder in (course.root / "submitted").glob("*") if folder.is_dir()}
    if student in enrolled or student in folders:
        return
    some = ", ".join(sorted(enrolled)[:12]) or "–"
    raise _wrong(
        f"班里没有 {student!r}；已知的学号：{some}",
        f"there is no student {student!r} in this class; known: {some}",
    )


def _until(args: argparse.Namespace, clock: Policy, due: datetime) -> datetime:
    """The moment (UTC, without a zone) that is asked for."""
    until = clock.moment(args.until) if args.until else None
    if until is None:
        if not 0 < args.days <= 3650:
            raise _wrong(f"--days {args.days:g}：应大于 0", f"--days {args.days:g}: not above 0")
        until = clock.later(due, args.days)
    if until <= due:
        raise _wrong(
            f"{clock.shown(until)} 不晚于截止时间 {clock.shown(due)}（{clock.timezone}）",
            f"{clock.shown(until)} is not after the due date {clock.shown(due)} ({clock.timezone})",
        )
    return until.replace(microsecond=0)
