"""The progress of a class over the term: one page, and the points as a table."""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from statistics import fmean, median
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder import private
from autograder.class_dir import ClassDir
from autograder.classroom.attention import concerns, expected, returning, shared_mistakes
from autograder.classroom.progress_words import words
from autograder.classroom.term import GRADED, MISSING, Term, TermNotebook, term_table
from autograder.errors import CommandError
from autograder.messages import LANGUAGES, Text, for_reader
from autograder.report.clean import plain, spreadsheet_cell
from autograder.report.page import heat, notebook_title, number, points

_CONCERNS_SHOWN = 20


def write(args: argparse.Namespace) -> int:
    """Write the page and the table of a class.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: there is no such class, or nothing is graded in it.
    """
    course = ClassDir.open(args.course)
    lang = args.lang or (course.lang if course.lang in LANGUAGES else "en")
    chosen = course.notebooks(args.where) if args.where else None
    term = term_table(course.root, chosen)
    if not term.graded:
        raise CommandError(
            for_reader(
                f"{args.course} 里还没有批改过的笔记本；先运行 autograder grade",
                f"nothing is graded in {args.course} yet; run autograder grade first",
            )
        )
    titles = {one.id: notebook_title(course.root, one.id, lang) or one.id for one in term.notebooks}
    page = args.out or course.root / "reports" / "progress.html"
    table = page.with_suffix(".csv")
    private.write(page, render(term, lang, titles, course.root.name).encode("utf-8"))
    private.write(table, points_csv(term))
    if args.json:
        print(json.dumps(_as_json(term, page, table), ensure_ascii=False))
    else:
        print(f"{page}\n{table}")
    return 0


def render(term: Term, lang: str, titles: dict[str, str], name: str) -> str:
    """Return the page as one HTML document.

    Args:
        term: the table.
        lang: "zh" or "en".
        titles: of the notebooks, in that language.
        name: of the class.

    Returns:
        HTML text with the style sheet inside, no scripts and no links to elsewhere.
    """
    environment = Environment(
        loader=PackageLoader("autograder.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda v: v if isinstance(v, (Markup, int, float)) else plain(v, 1200),
    )
    found = concerns(term)
    shares = [one.share for one in term.entries.values() if one.status == GRADED]
    return environment.get_template("progress.html.j2").render(
        t={key: Markup(value) for key, value in words(lang).items()},
        lang=lang,
        name=name,
        term=term,
        titles=titles,
        style=Markup(environment.loader.get_source(environment, "class.css")[0]),
        now=term.clock.shown(term.now),
        mean=f"{100 * fmean(shares):.0f}%" if shares else "–",
        concerns=found[:_CONCERNS_SHOWN],
        more_concerns=found[_CONCERNS_SHOWN:],
        n_concerns=len(found),
        notebooks=[_notebook(term, one) for one in term.notebooks],
        returning=returning(term),
        graded=term.graded,
        rows=_rows(term),
        short=lambda notebook: notebook.split("_")[0],
        number=number,
        points=points,
        heat=heat,
        text=lambda value: value[lang] if isinstance(value, Text) else value,
    )


def _notebook(term: Term, one: TermNotebook) -> dict[str, Any]:
    """A line about one notebook."""
    entries = [term.entries[who, one.id] for who in term.students]
    graded = [entry.core for entry in entries if entry.status == GRADED]
    return {
        "id": one.id,
        "due": term.clock.shown(one.due) if one.due else "",
        "handed": sum(entry.status != MISSING for entry in entries),
        "median": median(graded) if graded else None,
        "core": one.core,
        "mistakes": shared_mistakes(one),
    }


def _rows(term: Term) -> list[dict[str, Any]]:
    """The table of students."""
    behind = expected(term)
    return [
        {
            "id": who,
            "name": name,
            "entries": list(zip(term.notebooks, term.row(who), strict=True)),
            "behind": behind.get(who, []),
            "total": sum(entry.final for entry in term.row(who)),
        }
        for who, name in term.students.items()
    ]


def points_csv(term: Term) -> bytes:
    """Return the final points as the bytes of a CSV file: a row a student, a column a notebook.

    What is not graded is an empty cell.

    Args:
        term: the table.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["student", "name", "total", *(one.id for one in term.notebooks)])
    for row in _rows(term):
        cells = [f"{round(e.final, 4):g}" if e.status == GRADED else "" for _, e in row["entries"]]
        who = (spreadsheet_cell(row["id"]), spreadsheet_cell(row["name"]))
        writer.writerow([*who, f"{round(row['total'], 4):g}", *cells])
    return b"\xef\xbb\xbf" + buffer.getvalue().encode("utf-8", "replace")


def _as_json(term: Term, page: Path, table: Path) -> dict[str, Any]:
    return {
        "page": str(page),
        "csv": str(table),
        "students": len(term.students),
        "notebooks": [one.id for one in term.graded],
        "concerns": [
            {"id": one.student, "behind": list(one.behind), "reasons": [r.en for r in one.reasons]}
            for one in concerns(term)
        ],
    }
