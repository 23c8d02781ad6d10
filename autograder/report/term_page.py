"""The term page: one HTML file about everything that was graded so far."""

from __future__ import annotations

from math import exp
from statistics import fmean

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.classroom.attention import concerns
from autograder.classroom.term import GRADED, Term
from autograder.messages import Text
from autograder.report.clean import plain
from autograder.report.figures import ENOUGH_STUDENTS
from autograder.report.page import number
from autograder.report.term_alike import Alike
from autograder.report.term_figures import Week, items, lasting, weeks
from autograder.report.term_words import words

_SHOWN = 20
_LEFT, _WIDTH, _ROW = 150, 560, 46  # of the curves' picture, in its own units
_BROAD = 6.0  # of a curve's kernel, in percent of the points


def render(
    term: Term, found: Alike, lang: str, titles: dict[str, str], name: str, now: str = ""
) -> str:
    """Return the page as one HTML document.

    Args:
        term: the table.
        found: what `term_alike.alike` says of the class.
        lang: "zh" or "en".
        titles: of the notebooks, in that language.
        name: of the class.
        now: the moment to print; "" takes the table's.

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
    worrying, went = concerns(term), weeks(term)
    shares = [one.share for one in term.entries.values() if one.status == GRADED]
    exercises = items(term)
    texts = {
        key: said
        for notebook in term.notebooks
        for exercise in notebook.exercises
        for key, said in exercise.misconceptions.items()
    }
    return environment.get_template("term.html.j2").render(
        t={key: Markup(value) for key, value in words(lang).items()},
        lang=lang,
        name=name,
        term=term,
        titles=titles,
        style=Markup(environment.loader.get_source(environment, "class.css")[0]),
        now=now or term.clock.shown(term.now),
        mean=percent(fmean(shares)) if shares else "–",
        weeks=went,
        curves=curves([week for week in went if week.shares]),
        frame={"left": _LEFT, "width": _WIDTH, "row": _ROW},
        items=exercises,
        lasting=lasting(term),
        concerns=worrying[:_SHOWN],
        more_concerns=worrying[_SHOWN:],
        alike=found,
        enough=ENOUGH_STUDENTS,
        number=number,
        percent=percent,
        chance=lambda value: f"{100 * value:.2g}%",
        meaning=lambda key: [texts.get(one, Text(one, one)) for one in key.split("+")],
        short=lambda notebook: notebook.split("_")[0],
        text=lambda value: value[lang] if isinstance(value, Text) else value,
    )


def percent(share: float) -> str:
    """A share of 0 to 1 as a whole percentage."""
    return f"{100 * share:.0f}%"


def curves(went: list[Week]) -> list[dict]:
    """Return how the shares of each notebook are spread, as lines to draw.

    Args:
        went: notebooks that are graded.

    Returns:
        For each its id, the outline as the points of a polygon, and where the median lies.
    """
    drawn = []
    for row, week in enumerate(went):
        base = (row + 1) * _ROW
        heights = density(week.shares.values)
        top = max(heights)
        outline = [(_LEFT, base)]
        for i, height in enumerate(heights):
            x = _LEFT + _WIDTH * i / (len(heights) - 1)
            outline.append((x, base - 0.85 * _ROW * height / top))
        outline.append((_LEFT + _WIDTH, base))
        drawn.append(
            {
                "id": week.notebook.id,
                "base": base,
                "outline": " ".join(f"{x:.0f},{y:.1f}" for x, y in outline),
                "median": round(_LEFT + _WIDTH * week.shares.median / 100),
            }
        )
    return drawn


def density(values: tuple[float, ...]) -> list[float]:
    """Return a smoothed distribution of percentages at 0, 2, …, 100.

    What a kernel puts beyond 0 or 100 is folded back, so that a class in which everybody has full
    marks doesn't look as if half of it were missing.

    Args:
        values: percentages; at least one.
    """

    def kernel(x: float) -> float:
        return exp(-0.5 * (x / _BROAD) ** 2)

    return [
        sum(kernel(x - v) + kernel(x + v) + kernel(200 - x - v) for v in values) / len(values)
        for x in range(0, 101, 2)
    ]
