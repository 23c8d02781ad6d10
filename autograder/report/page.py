"""Write the class page: one HTML file that needs nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder import chapters
from autograder.messages import Text
from autograder.report.clean import plain
from autograder.report.data import ClassResults
from autograder.report.figures import ENOUGH_STUDENTS, Scores
from autograder.report.summary import Summary, summarise
from autograder.report.words import words

_NAMES_SHOWN = 18  # more names than this fold away, so that 300 students don't drown the page
_LESSONS_SHOWN = 10
_MAX_NOTEBOOK_BYTES = 20_000_000
ROOT = Path(__file__).resolve().parent.parent.parent


def render(
    results: ClassResults, lang: str, title: str | None = None, rubric: str | None = None
) -> str:
    """Return the class page as one HTML document.

    Every value that is printed passes through `plain` and is then escaped, wherever it comes from:
    the template cannot forget it.

    Args:
        results: the class, as read by `load_class`.
        lang: "zh" or "en".
        title: the notebook's title in that language; its id is shown in any case.
        rubric: what a good written answer has, for teachers; Markdown, shown as text.

    Returns:
        HTML text with the style sheet inside, no scripts and no links to elsewhere.
    """
    environment = Environment(
        loader=PackageLoader("autograder.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    summary = summarise(results)
    style = environment.loader.get_source(environment, "class.css")[0]
    return environment.get_template("class.html.j2").render(
        t={key: Markup(value) for key, value in words(lang).items()},  # keeps "、" and ", " whole
        lang=lang,
        title=title or results.notebook,
        s=summary,
        r=results,
        style=Markup(style),
        histogram=histogram(summary.core, words(lang)),
        number=number,
        points=points,
        percent=lambda share: f"{100 * share:.0f}%",
        heat=heat,
        text=lambda value: value[lang] if isinstance(value, Text) else value,
        names_shown=_NAMES_SHOWN,
        lessons_shown=_LESSONS_SHOWN,
        to_look_at=len({who for group in summary.unnamed for who in group.students}),
        full_core=sum(v >= summary.core.max_score - 1e-9 for v in summary.core.values),
        students=rows(summary),
        discriminates=any(item.discrimination is not None for item in summary.items),
        enough=ENOUGH_STUDENTS,
        rubric=_paragraphs(rubric),
        waiting=[s.id for s in results.students if s.standing and s.standing.needs],
        late=sum(bool(s.standing and s.standing.seconds_late) for s in results.students),
        **_corrections(results),
    )


def _corrections(results: ClassResults) -> dict[str, int]:
    """How many grades differ from the automatic points, and how many columns that takes."""
    by_hand = sum(bool(student.by_hand) for student in results.students)
    penalised = sum(bool(student.penalty) for student in results.students)
    extra = bool(by_hand) + bool(penalised) + bool(by_hand or penalised)
    return {"by_hand": by_hand, "penalised": penalised, "extra": extra}


def _paragraphs(markdown: str | None) -> list[str]:
    """The lines of a short Markdown text without its stars."""
    lines = (markdown or "").replace("**", "").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _finalize(value: object) -> object:
    """Clean every printed value; markup made by us (the style sheet) passes."""
    if isinstance(value, (Markup, int, float)):
        return value
    return plain(value, 1200)


def rows(summary: Summary) -> list[dict]:
    """Return what the table of students shows, one dictionary a student."""
    out = []
    for student in summary.results.students:
        cells = []
        for exercise in summary.results.exercises:
            outcome = student.outcomes.get(exercise.id)
            cells.append(
                {
                    "kind": outcome.kind if outcome else "absent",
                    "score": outcome.result.score if outcome else 0,
                    "heat": heat(outcome.share) if outcome else "absent",
                    "incident": bool(outcome and outcome.result.incidents),
                }
            )
        core, stretch = summary.points[student.id]
        out.append({"student": student, "cells": cells, "core": core, "stretch": stretch})
    return out


def heat(share: float) -> str:
    """Return the name of the tint for a share of the points: h0 (all) to h4 (none)."""
    if share >= 1 - 1e-9:
        return "h0"
    return "h1" if share >= 0.75 else "h2" if share >= 0.5 else "h3" if share > 1e-9 else "h4"


def number(value: float) -> str:
    """Return a figure about a class without a trailing zero: 7, 7.5, 33.3."""
    return f"{round(value, 1):g}"


def points(value: float) -> str:
    """Return what one person got; a penalty of a quarter must still add up: 32.75."""
    return f"{round(value, 2):g}"


def histogram(scores: Scores, t: dict[str, str]) -> dict:
    """Return the geometry of the histogram in a 720 × 200 picture.

    Args:
        scores: the distribution to draw.
        t: the page's words.

    Returns:
        `bars` (x, y, width, height, middle, count), `ticks` (x, label), `median` (x) and `alt`.
    """
    left, right, top, base = 8.0, 712.0, 24.0, 168.0  # the page's picture has the same numbers
    step = (right - left) / len(scores.bins)
    tallest = max(n for _, _, n in scores.bins) or 1
    bars = []
    for i, (low, high, n) in enumerate(scores.bins):
        height = (base - top) * n / tallest
        x = left + i * step
        bars.append(
            {
                "x": round(x + 1.5, 1),
                "y": round(base - height, 1),
                "width": round(step - 3, 1),
                "height": round(height, 1),
                "middle": round(x + step / 2, 1),
                "count": n,
                "range": f"{number(low)}–{number(high)}",
            }
        )
    every = 1 if len(scores.bins) <= 10 else 2
    edges = [low for low, _, _ in scores.bins] + [scores.bins[-1][1]]
    last = len(edges) - 1
    ticks = [
        (round(left + i * step, 1), number(edge))
        for i, edge in enumerate(edges)
        if i % every == 0 or i == last
    ]
    filled = [
        t["hist_bin"].format(low=number(low), high=number(high), n=n)
        for low, high, n in scores.bins
        if n
    ]
    return {
        "bars": bars,
        "ticks": ticks,
        "left": left,
        "right": right,
        "base": base,
        "median": round(left + (right - left) * scores.median / scores.bins[-1][1], 1),
        "alt": t["hist_alt"].format(bins=t["sep"].join(filled)),
    }


def rubric_of(notebook: str, lang: str) -> str | None:
    """Return what a good written answer has, from the notebook's source; None where it has none.

    Args:
        notebook: the assignment.
        lang: the page's language.
    """
    path = ROOT / "solutions" / notebook / f"{notebook}.py"
    try:
        cells = chapters.parse(path).cells
    except (OSError, chapters.ChapterError):
        return None
    found = [c.source for c in cells if "instructor" in c.tags and c.lang in (None, lang)]
    return "\n".join(found) or None


def notebook_title(course: Path, notebook: str, lang: str) -> str | None:
    """Return the first heading of a notebook in the page's language.

    The class's own notebook has it where the languages agree; the course's editions otherwise.

    Args:
        course: the class directory.
        notebook: the assignment.
        lang: the page's language.

    Returns:
        The heading's words, or None.
    """
    for folder in (course / "source", course / "release", ROOT / "course" / lang):
        path = folder / notebook / f"{notebook}.ipynb"
        try:
            if path.stat().st_size > _MAX_NOTEBOOK_BYTES:
                continue
            content = json.loads(path.read_text("utf-8"))
            if content["metadata"]["course"]["lang"] != lang:
                continue
            for cell in content["cells"]:
                for line in "".join(cell["source"]).splitlines():
                    if cell["cell_type"] == "markdown" and line.startswith("# "):
                        return line[2:].strip()
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None
