"""`autograder late`: the class's rule for late work, its due dates, and whose grade they change."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder import private
from autograder.class_dir import ClassDir
from autograder.classroom.policy import FILE, Policy, make_policy, read_policy, write_policy
from autograder.classroom.stamps import odd_stamps
from autograder.errors import CommandError
from autograder.grade_options import open_course
from autograder.messages import LANGUAGES, Text, for_reader

NO_RULE = Text(
    "本班还没有迟交规则（{file}），按 nbgrader_config.py 的设置计算。"
    "想定规则：autograder late --course {root} --grace-days 3 --per-day 10%",
    "This class has no rule for late work ({file}); what nbgrader_config.py says counts. "
    "To make one: autograder late --course {root} --grace-days 3 --per-day 10%",
)
DUE = Text("截止时间", "Due")
NO_DATE = Text("没有设", "none")
NOBODY = Text("没有人的迟交扣分改变。", "Nobody's late penalty changes.")
LOWERED = Text("↓ 总分降低", "↓ LOWERED")
WOULD = Text("（试算，什么都没有写入）", "(dry run: nothing was written)")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `late` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "late",
        help="rule for late work and due dates of a class; says whose grade they change",
        description="Show the class's rule for late work (late_policy.toml) and the due dates, "
        "and bring all late penalties in step with them. With options: change them first.",
    )
    parser.add_argument("--course", required=True, type=Path, metavar="DIR", help="class folder")
    parser.add_argument("--grace-days", type=int, metavar="N", help="free late days a student")
    text = "what each further day begun takes: 10%% of the points earned, or points such as 2"
    parser.add_argument("--per-day", metavar="WHAT", help=text)
    text = "later than N days gives no points; none: no such limit"
    parser.add_argument("--latest-days", metavar="N", help=text)
    parser.add_argument("--timezone", metavar="NAME", help="e.g. Asia/Shanghai, Europe/Berlin")
    parser.add_argument(
        "--due",
        nargs=2,
        action="append",
        default=[],
        metavar=("NOTEBOOK", "DATE"),
        help="when a notebook is due: 2026-10-01, '2026-10-01 18:00' or none; may be repeated",
    )
    parser.add_argument("--dry-run", action="store_true", help="say only what would change")
    parser.add_argument("--lang", choices=LANGUAGES, help="language")
    parser.add_argument("--json", action="store_true", help="print it all as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Show, and change where asked.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: for what the user can put right.
    """
    from autograder.gradebook import BridgeError, term

    course = open_course(args)
    lang = args.lang or (course.lang if course.lang in LANGUAGES else "en")
    before = read_policy(course.root)
    rule = _wanted(before, args, course.lang)
    try:
        dates = _dates(course, args.due, rule or Policy())
        if rule is not None:
            _use_plugin(course.root, term, dry_run=args.dry_run)
        with course.working():
            if not args.dry_run:
                if rule is not None and rule != before:
                    write_policy(course.root, rule)
                for notebook, moment in dates.items():
                    term.set_due(course.root, notebook, moment)
            changes = term.recompute(course.root, policy=rule, due=dates, dry_run=args.dry_run)
        due = {**term.due_dates(course.root), **dates}
    except BridgeError as error:
        raise CommandError(str(error)) from None
    for note in odd_stamps(course, [name for name, moment in due.items() if moment]):
        print(f"autograder late: {note[lang]}", file=sys.stderr)
    if args.json:
        print(json.dumps(_as_json(rule, due, changes), ensure_ascii=False))
    else:
        print("\n".join(describe(course.root, rule, due, changes, lang, args.dry_run)))
    return 0


def describe(root: Path, rule: Policy | None, due: dict, changes: list, lang: str, dry: bool):
    """Say it in lines of text.

    Args:
        root: the class folder.
        rule: its rule, or None.
        due: moments (UTC, without a zone) or None, by notebook.
        changes: `gradebook.term.Change`s.
        lang: "zh" or "en".
        dry: whether nothing was written.

    Returns:
        list of str.
    """
    lines = [rule.sentence()[lang] if rule else NO_RULE.format(file=FILE, root=root)[lang]]
    clock = rule or Policy()
    lines.append(f"{DUE[lang]} ({clock.timezone}):")
    for name, moment in sorted(due.items()):
        lines.append(f"  {name:<28} {clock.shown(moment) if moment else NO_DATE[lang]}")
    lines += change_lines(changes, lang) or [NOBODY[lang]]
    return lines + [WOULD[lang]] * dry


def change_lines(changes: list, lang: str) -> list[str]:
    """Whose late penalty changes, a line each."""
    lines = []
    for one in changes:
        said = one.lateness.words() if one.lateness else None
        why = f"  {said[lang]}" if said else ""
        finals = f"{one.raw - one.before:g} → {one.raw - one.now:g}"
        down = f"  {LOWERED[lang]}" if one.now > one.before else ""
        lines.append(f"  {one.student:<20} {one.notebook:<28} {finals}{why}{down}")
    return lines


def _wanted(rule: Policy | None, args: argparse.Namespace, lang: str) -> Policy | None:
    """The rule that the options ask for; the class's own without any."""
    asked = (args.grace_days, args.per_day, args.latest_days, args.timezone)
    if all(value is None for value in asked):
        return rule
    rule = rule or Policy(timezone="Asia/Shanghai" if lang == "zh" else "UTC")
    latest = args.latest_days
    if latest is not None and latest.isdecimal():
        latest = int(latest)
    content = {
        "timezone": args.timezone or rule.timezone,
        "grace_days": rule.grace_days if args.grace_days is None else args.grace_days,
        "per_day": rule.per_day if args.per_day is None else args.per_day,
    }
    made = make_policy(**content, **({} if latest in (None, "none") else {"latest_days": latest}))
    return replace(made, latest_days=rule.latest_days) if latest is None else made


def _dates(course: ClassDir, asked: list, clock: Policy) -> dict[str, datetime | None]:
    """The due dates that the options ask for."""
    found = {}
    for name, text in asked:
        (*others, notebook) = course.notebooks(name)
        if others:
            raise CommandError(
                for_reader(
                    f"{name!r} 有好几个笔记本，请逐个写", f"{name!r} means several notebooks"
                )
            )
        found[notebook] = None if text.strip() == "none" else clock.moment(text)
    return found


def _use_plugin(root: Path, term: Any, *, dry_run: bool) -> None:
    """Have nbgrader ask our plugin; classes of earlier versions don't yet."""
    chosen = term.plugin_of(root)
    if chosen == term.PLUGIN or (dry_run and not chosen):
        return
    path = root / "nbgrader_config.py"
    if chosen:
        raise CommandError(
            for_reader(
                f"{path} 用的是另一个插件 {chosen}，{FILE} 不会生效；"
                f'请把那一行改成 c.AssignLatePenalties.plugin_class = "{term.PLUGIN}"',
                f"{path} names another plugin, {chosen}, so {FILE} would count for nothing; make "
                f'that line c.AssignLatePenalties.plugin_class = "{term.PLUGIN}"',
            )
        )
    text = path.read_text("utf-8") if path.is_file() else "c = get_config()  # noqa: F821\n"
    line = f'c.AssignLatePenalties.plugin_class = "{term.PLUGIN}"\n'
    private.write(path, f"{text.rstrip()}\n\n# Late work: late_policy.toml\n{line}".encode())
    print(f"autograder late: {path}: + {line}", end="", file=sys.stderr)


def _as_json(rule: Policy | None, due: dict, changes: list) -> dict[str, Any]:
    return {
        "policy": asdict(rule) if rule else None,
        "due_utc": {name: moment and f"{moment}Z" for name, moment in sorted(due.items())},
        "changes": [
            {"id": c.student, "notebook": c.notebook, "before": c.raw - c.before}
            | {"now": c.raw - c.now, "days": c.lateness and c.lateness.days}
            for c in changes
        ],
    }
