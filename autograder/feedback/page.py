"""Write one student's page from their result: never from the cases, whose text stays secret."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.feedback.words import words
from autograder.messages import Text
from autograder.report.clean import block, plain
from autograder.report.data import ExerciseInfo, Student
from autograder.report.page import points
from autograder.report.summary import core_and_stretch
from autograder.results import ExerciseResult

MAX_BYTES = 300_000
_CODE_ROOM = 150_000  # for all cells of a page together, shared out evenly
_NOTES = 40
_LINE = 500
_NO_ANSWER = "No response."  # nbgrader's own words, put in as a comment


@dataclass(frozen=True)
class Page:
    """What a feedback page is made from.

    Args:
        student: the result, with the gradebook's entry where there is one.
        exercises: all exercises of the notebook, in order.
        code: the student's own cells, by exercise; written answers by grade id.
        written: grade ids of the written questions, in order.
        notebook: the notebook's id.
        title: its title in the page's language.
        late_rule: what lateness costs in this class, where it has a rule of ours.
    """

    student: Student
    exercises: tuple[ExerciseInfo, ...]
    code: Mapping[str, str]
    written: tuple[str, ...]
    notebook: str
    title: str
    late_rule: Text | None = None


def of_record(
    record: Mapping, student: Student, exercises, title: str, late_rule: Text | None = None
) -> Page:
    """Gather a page from a stored result.

    Args:
        record: the parsed JSON of `results/<student>/<notebook>.json`.
        student: the same, as `load_class` reads it.
        exercises: of the notebook, in order.
        title: of the notebook, in the student's language.
        late_rule: what lateness costs in this class, or None.

    Returns:
        The page.
    """
    code, written = {}, []
    for cell in record.get("plan", []):
        text = str(cell.get("original") or cell.get("source") or "")
        if cell.get("role") == "answer":
            code[str(cell.get("exercise"))] = text
        elif cell.get("role") == "written":
            written.append(str(cell.get("grade_id")))
            code[written[-1]] = text
    name = str(record["assignment"])
    return Page(student, tuple(exercises), code, tuple(written), name, title, late_rule)


def render(page: Page, lang: str) -> bytes:
    """Return a student's feedback as one HTML file that needs nothing else.

    Args:
        page: what to say.
        lang: "zh" or "en".

    Returns:
        UTF-8, at most `MAX_BYTES` long whatever the student handed in.
    """
    for share in (1.0, 0.5, 0.2, 0.05, 0.0):
        html = _render(page, lang, int(_CODE_ROOM * share), int(_LINE * max(share, 0.2)))
        content = html.encode("utf-8", "replace")
        if len(content) <= MAX_BYTES:
            break
    return content


def _render(page: Page, lang: str, room: int, line: int) -> str:
    t = words(lang)
    # Empty exercises leave their share to nobody: a page shouldn't change with its neighbours.
    each = room // max(1, len(page.exercises) + len(page.written))
    items = [_item(page, exercise, each) for exercise in page.exercises]
    core, stretch = core_and_stretch(page.student, page.exercises)
    return _template().render(
        t={key: Markup(value) for key, value in t.items()},
        lang=lang,
        page=page,
        one=page.student,
        items=items,
        todo=[item for item in items if not item["full"]],
        written=[_written(page, name, each) for name in page.written],
        core=(core, sum(e.points for e in page.exercises if not e.stretch)),
        stretch=(stretch, sum(e.points for e in page.exercises if e.stretch)),
        late=_duration(page.student, t),
        late_rule=page.late_rule,
        notes=_notes(page.student, lang),
        notes_shown=_NOTES,
        incidents=_incidents(page.student),
        points=points,
        text=lambda value: plain(value[lang] if isinstance(value, Text) else value, line),
        style=_style(),
    )


@functools.cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("autograder.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )


@functools.cache
def _template():
    return _environment().get_template("feedback.html.j2")


@functools.cache
def _style() -> Markup:
    environment = _environment()
    return Markup(environment.loader.get_source(environment, "feedback.css")[0])


class _Block(str):
    """Text that `block` has cleaned: printed with its lines, and escaped like all other text."""


def _finalize(value: object) -> object:
    """Clean every printed value; words and styles of ours, numbers and code blocks pass."""
    if isinstance(value, (Markup, int, float, _Block)):
        return value
    return plain(value, _LINE)


def _item(page: Page, exercise: ExerciseInfo, room: int) -> dict:
    outcome = page.student.outcomes.get(exercise.id)
    shown = outcome.result.as_shown() if outcome else None
    code, cut = block(page.code.get(exercise.id, ""), room)
    manual = _manual(page.student, f"check_{exercise.id}", f"answer_{exercise.id}")
    return {
        "exercise": exercise,
        "code": _Block(code),
        "cut": cut,
        "error": outcome.error if outcome else "",
        "manual": manual,
        "score": outcome.result.score if outcome else 0.0,
        "result": shown,
        "kind": outcome.kind if outcome else "absent",
        "full": bool(outcome and outcome.kind == "full"),
        "about": _about(outcome.result) if outcome else None,
        "cases": shown.cases if shown else [],
    }


def _about(result: ExerciseResult) -> Text | None:
    """The one sentence that says most, for the list at the top; None where there are several."""
    if result.cause is not None:
        return result.cause
    said = result.diagnosis
    if result.certainty == "partial":
        return said[1] if len(said) > 1 else None
    return said[0] if said and result.certainty in ("exact", "") else None


def _manual(student: Student, *names: str):
    """What a person said of an exercise: points stand at its check, comments at its answer."""
    cells = student.standing.cells if student.standing else {}
    found = [cells[name] for name in names if name in cells]
    comments = [cell.comment for cell in found if cell.comment not in ("", _NO_ANSWER)]
    points = next((cell for cell in found if cell.touched), None)
    said = [_Block(block(comment, 6_000)[0]) for comment in comments[:2]]
    return {"cell": points, "comments": said}


def _written(page: Page, name: str, room: int) -> dict:
    text, cut = block(page.code.get(name, ""), room)
    standing = page.student.standing
    cell = standing.cells.get(name) if standing else None
    unanswered = bool(cell and cell.comment == _NO_ANSWER)
    comment = "" if cell is None or unanswered else block(cell.comment, 6_000)[0]
    return {
        "text": _Block("" if unanswered else text),
        "cut": cut,
        "cell": cell,
        "comment": _Block(comment),
        "waiting": bool(cell and cell.needs),
    }


def _duration(student: Student, t: dict[str, str]) -> str:
    """How late it was, in the two largest units; "" when in time."""
    seconds = student.standing.seconds_late if student.standing else 0
    if seconds <= 0:
        return ""
    minutes = max(1, round(seconds / 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [("days", days), ("hours", hours), ("minutes", minutes)]
    said = [t[name].format(n=n) for name, n in parts if n]
    return " ".join(said[:2])


def _notes(student: Student, lang: str) -> list[dict]:
    """Repairs, equal ones together."""
    found: dict[str, list[str]] = {}
    for cell, text in student.repairs:
        found.setdefault(text[lang], []).extend([cell] if cell else [])
    return [{"text": text, "cells": cells[:20]} for text, cells in found.items()]


def _incidents(student: Student) -> list[tuple[str, str]]:
    """Each kind of accident once an exercise, in the order of the notebook."""
    return [
        (name, kind)
        for name, outcome in student.outcomes.items()
        for kind in dict.fromkeys(outcome.result.incidents)
    ]
