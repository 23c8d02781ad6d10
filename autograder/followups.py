"""A cause is told once: results that only follow from something else refer to it.

One broken cell can leave names undefined in five exercises. Told five times it looks like five
mistakes, and the one that has to be mended drowns. This module reads results and broken cells and
says which is a consequence of which; it changes no points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder import mishaps
from autograder.messages import Text
from autograder.results import FOLLOWING, ExerciseResult, StudentError

_UNDEFINED = re.compile(r"NameError: (?:free variable|name) '(\w+)'")

OWN_CELL = Text(
    "这一格运行时出错（{error}），所以什么也没有定义。先改好它。",
    "The cell stopped with {error}, so it defined nothing. Mend that first.",
)
OTHER_CELL = Text(
    "原因在别处：单元格 {cell} 运行时出错（{error}），{name} 因此没有定义。先改好那一格。",
    "The cause lies elsewhere: cell {cell} stopped with {error}, so {name} isn't defined. Mend "
    "that cell first.",
)
OTHER_EXERCISE = Text(
    "原因在 {exercise}：那里还没有定义 {name}。先完成那一题。",
    "The cause lies in {exercise}, which doesn't define {name} yet. Finish that first.",
)
SAME_CAUSE = Text(
    "原因与 {exercise} 相同：{name} 没有定义。改好一处，两处都好。",
    "Same cause as in {exercise}: {name} isn't defined. Mending it mends both.",
)
SAME_MISTAKE = Text(
    "这一题用的是你自己写的 {exercise}：错误就在那里，这里不必另改。",
    "This uses your own {exercise}: the mistake is there, and nothing needs mending here.",
)
BUILT_ON = Text(
    "这一题用的是你自己写的函数，而 {exercises} 还没有全对：先改好它们，再回来看这一题。",
    "This is built of your own pieces, and something in {exercises} isn't right yet: mend that "
    "first and then come back.",
)
BLANK_PIECE = Text(
    "运行时碰到了还没写的代码：可能在这一题里，也可能在它用到的 {exercises} 里。",
    "It ran into code that isn't written yet: in this exercise, or in {exercises}, which it may "
    "use.",
)


@dataclass(frozen=True)
class BrokenCell:
    """A cell that did not run to its end.

    Args:
        name: what the report calls it.
        error: the exception and its text, in one line.
        defines: names that it would have defined.
        exercise: the exercise whose answer it holds, or "".
    """

    name: str
    error: str
    defines: tuple[str, ...] = ()
    exercise: str = ""


def refer(
    results: Iterable[ExerciseResult],
    defines: Mapping[str, Iterable[str]],
    broken: Iterable[BrokenCell] = (),
    built_of: Mapping[str, Iterable[str]] | None = None,
) -> None:
    """Fill in `cause` and `follows` of every result that is the consequence of something else.

    Args:
        results: of one student, in the order of the notebook; changed in place.
        defines: for each exercise the names that its answer defines.
        broken: the cells that did not run.
        built_of: for a capstone the exercises that it uses; one that isn't there, or has none,
            may use all earlier ones.
    """
    results, broken = list(results), list(broken)
    first_told: dict[str, str] = {}
    for place, result in enumerate(results):
        if result.full:
            continue
        earlier = results[:place]
        own = next((cell for cell in broken if cell.exercise == result.id), None)
        error = own.error if own and _all_missing(result) else _only_error(result)
        name = _undefined(error)
        if result.cause is not None:  # told before
            if name:
                first_told.setdefault(name, result.follows or result.id)
            continue
        if name and _by_name(result, name, results, defines, broken, first_told):
            continue
        if own and _all_missing(result):
            result.cause = OWN_CELL.format(error=own.error)
        elif result.id.startswith("capstone_"):
            pieces = set((built_of or {}).get(result.id, ()))
            _of_pieces(result, [r for r in earlier if not pieces or r.id in pieces])


def broken_cells(plan, outcomes: Mapping, defines: Mapping[str, Iterable[str]]) -> list[BrokenCell]:
    """The cells of a submission that did not run.

    Args:
        plan: its cells, each with a `name` and the `exercise` whose answer it holds, or none.
        outcomes: what became of them, by name, each with `status` and `error`.
        defines: for each exercise the names that its answer defines.
    """
    found = []
    for cell in plan:
        outcome = outcomes.get(cell.name)
        if outcome is None or outcome.status == "ok":
            continue
        error = outcome.error or {}
        told = StudentError(str(error.get("type") or outcome.status), str(error.get("message", "")))
        exercise = getattr(cell, "exercise", None) or ""
        names = tuple(defines.get(exercise, ()))
        where = f" ({error['where']})" if error.get("where") else ""
        found.append(BrokenCell(cell.name, mishaps.one_line(told) + where, names, exercise))
    return found


def _by_name(result, name, results, defines, broken, first_told) -> bool:
    """Refer to whatever should have defined a name; False where this is where it is told."""
    maker = next((e for e, names in defines.items() if name in names and e != result.id), None)
    there = {r.id: r for r in results}
    if maker in there and _all_missing(there[maker]):
        result.follows = maker
        result.cause = OTHER_EXERCISE.format(exercise=maker, name=name)
        return True
    if name in first_told:
        result.follows = first_told[name]
        result.cause = SAME_CAUSE.format(exercise=first_told[name], name=name)
        return True
    first_told[name] = result.id
    cell = next((c for c in broken if name in c.defines and c.exercise != result.id), None)
    if cell is None:
        return False
    result.cause = OTHER_CELL.format(cell=cell.name, error=cell.error, name=name)
    return True


def _of_pieces(result, earlier) -> None:
    """A capstone is built of the student's own pieces, and their mistakes show in it."""
    if result.blank:
        blank = [r.id for r in earlier if r.blank]
        if blank:
            result.cause = BLANK_PIECE.format(exercises=_listed(blank))
        return
    same = next((r.id for r in earlier if r.named and set(result.named) == set(r.named)), None)
    if same:
        result.follows, result.cause = same, SAME_MISTAKE.format(exercise=same)
        return
    unfinished = [r.id for r in earlier if r.score < r.max_score and not r.id.startswith("drill_")]
    if unfinished:
        result.cause = BUILT_ON.format(exercises=_listed(unfinished))


def _listed(names) -> Text:
    return Text("、".join(names), ", ".join(names))


def _all_missing(result: ExerciseResult) -> bool:
    return bool(result.cases) and all(case.status == "missing" for case in result.cases)


def _only_error(result: ExerciseResult) -> str:
    """The one error behind all that failed, or ""."""
    failed = [case for case in result.cases if not case.passed and case.max_points]
    errors = {case.error for case in failed if case.status in FOLLOWING}
    alike = len(errors) == 1 and all(case.status in FOLLOWING for case in failed)
    return errors.pop() if alike else ""


def _undefined(error: str) -> str:
    found = _UNDEFINED.match(error)
    return found.group(1) if found else ""
