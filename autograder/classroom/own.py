"""How far a student has come, read from the notebooks as they were saved; nothing is run."""

from __future__ import annotations

import html
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.assemble import TEXT_STUB
from autograder.messages import LANGUAGES, language

COURSE = Path(__file__).resolve().parent.parent.parent / "course"
_MAX_BYTES = 50_000_000
_MAX_DEPTH = 4
_SKIPPED = {"build", "node_modules", "release", "source", "autograded", "feedback"}
# What our own checks write behind the arrow: the first sentence of the diagnosis.
_SAID = re.compile(r"<div>→ ([^<]{1,600})</div>")
_BLANK = re.compile(r"^\s*raise NotImplementedError\(\)", re.M)


@dataclass(frozen=True)
class Step:
    """One exercise in a student's notebook.

    Args:
        exercise: its id.
        title: the heading above it.
        points: what its last check gave, or None where it was never checked.
        max_points: the most it gives.
        stretch: whether its points come on top.
        blank: whether nothing is written there yet.
        stale: whether the answer was run again after its last check.
        said: the first sentence that the check said about a mistake, or "".
    """

    exercise: str
    title: str
    points: float | None
    max_points: float
    stretch: bool = False
    blank: bool = False
    stale: bool = False
    said: str = ""

    @property
    def passed(self) -> bool:
        """Whether its last check gave all points."""
        return self.points is not None and self.points >= self.max_points - 1e-9

    @property
    def tried(self) -> bool:
        """Whether there is something to check, or was."""
        return not self.blank or bool(self.points)


@dataclass(frozen=True)
class Book:
    """One notebook of a student's.

    Args:
        notebook: its id.
        title: its first heading.
        lang: its language.
        path: the file.
        steps: its exercises, in order.
        written: whether the question in words is answered; None where there is none.
    """

    notebook: str
    title: str
    lang: str
    path: Path
    steps: tuple[Step, ...]
    written: bool | None = None

    def points(self, stretch: bool = False) -> tuple[float, float]:
        """Points so far and the most there are, of the core or of what comes on top."""
        mine = [step for step in self.steps if step.stretch == stretch]
        return sum(step.points or 0.0 for step in mine), sum(step.max_points for step in mine)

    @property
    def passed(self) -> int:
        """How many exercises have all points, stretch ones included."""
        return sum(step.passed for step in self.steps)

    @property
    def begun(self) -> bool:
        """Whether anything was written or checked."""
        return any(step.tried for step in self.steps) or bool(self.written)

    @property
    def done(self) -> bool:
        """Whether all core exercises pass."""
        return all(step.passed for step in self.steps if not step.stretch)

    @property
    def next(self) -> Step | None:
        """What to do next: the first core exercise that doesn't pass, then the stretch ones."""
        open_steps = [step for step in self.steps if not step.passed]
        return min(open_steps, key=lambda step: step.stretch, default=None)


def find_books(where: Path | None = None) -> tuple[Path, list[Book]]:
    """Find a student's notebooks; of several copies of one, the one with the most points.

    Args:
        where: a folder or a notebook; None is `course/` here, else this folder, else the project's
            own `course/`.

    Returns:
        The folder that was searched, and the notebooks in the course's order.
    """
    here = Path.cwd()
    places = [where] if where else [here / "course", here, COURSE]
    for place in places:
        books = list(_books(place)) if place.exists() else []
        if books:
            break
    best: dict[str, Book] = {}
    spoken = language()
    for book in books:
        other = best.get(book.notebook)
        if other is None or _worth(book, spoken) > _worth(other, spoken):
            best[book.notebook] = book
    return place, [best[name] for name in sorted(best)]


def next_of(books: Iterable[Book]) -> Book | None:
    """The notebook to go on with: the first that is begun and not done, else the first new one."""
    books = list(books)
    begun = [book for book in books if book.begun and not book.done]
    fresh = [book for book in books if not book.begun]
    return next(iter(begun + fresh), None)


def _worth(book: Book, spoken: str) -> tuple:
    points = book.points()[0] + book.points(stretch=True)[0]
    tried = sum(step.tried for step in book.steps)
    return points, tried, book.lang == spoken, book.path.stat().st_mtime


def _books(place: Path) -> Iterator[Book]:
    for path in [place] if place.is_file() else _files(place):
        book = read_book(path)
        if book is not None:
            yield book


def _files(place: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(place):
        depth = len(Path(folder).relative_to(place).parts)
        deeper = depth < _MAX_DEPTH
        names[:] = sorted(n for n in names if deeper and n[0] != "." and n not in _SKIPPED)
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".ipynb"))


def read_book(path: Path) -> Book | None:
    """Read one notebook.

    Args:
        path: an `.ipynb` file.

    Returns:
        What stands in it, or None where it isn't one of the course or cannot be read.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        content = json.loads(path.read_text("utf-8-sig"))
        course = content["metadata"]["course"]
        name, lang = str(course["notebook"]), course["lang"]
        if lang not in LANGUAGES:
            return None
        return _book(path, name, lang, content["cells"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _book(path: Path, name: str, lang: str, cells: list[dict[str, Any]]) -> Book:
    title, heading, written = name, "", None
    answers: dict[str, dict[str, Any]] = {}
    steps = []
    stretch = _stretch(name)
    for cell in cells:
        source = _joined(cell["source"])
        mark = cell.get("metadata", {}).get("nbgrader", {})
        grade_id = str(mark.get("grade_id", ""))
        if cell["cell_type"] == "markdown" and not mark:
            headings = re.findall(r"^#{1,4} +(.+)$", source, re.M)
            title = headings[0].strip() if headings and title == name else title
            heading = headings[-1].strip() if headings else heading
        elif mark.get("grade") and mark.get("solution"):
            written = bool(source.strip()) and source.strip() not in TEXT_STUB.values()
        elif mark.get("solution"):
            answers[grade_id.removeprefix("answer_")] = cell
        elif mark.get("grade"):
            exercise = grade_id.removeprefix("check_")
            most = float(mark.get("points", 0))
            steps.append(_step(exercise, heading, most, cell, answers.get(exercise), stretch))
    return Book(name, title, lang, path, tuple(steps), written)


def _step(exercise, heading, most, check, answer, stretch) -> Step:
    points = _points(check, most)
    source = _joined(answer["source"]) if answer else ""
    counts = [(cell or {}).get("execution_count") for cell in (answer, check)]
    stale = None not in counts and counts[0] > counts[1] and points is not None
    blank = answer is None or bool(_BLANK.search(source)) or not source.strip()
    passed = points is not None and points >= most - 1e-9
    said = "" if passed else _said(check)
    return Step(exercise, heading, points, most, exercise in stretch, blank, stale, said)


def _outputs(cell: dict[str, Any], kind: str) -> Iterator[str]:
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if kind in data:
            yield _joined(data[kind])


def _points(cell: dict[str, Any], most: float) -> float | None:
    """What a saved check gave: a bare number between 0 and the most there is."""
    found = None
    for text in _outputs(cell, "text/plain"):
        try:
            number = float(text)
        except ValueError:
            continue
        if math.isfinite(number):
            found = min(max(number, 0.0), most)
    return found


def _said(cell: dict[str, Any]) -> str:
    for text in _outputs(cell, "text/html"):
        found = _SAID.search(text)
        if found:
            return " ".join(html.unescape(found[1]).split())
    return ""


def _stretch(notebook: str) -> set[str]:
    """Exercises whose points come on top; the checks know, and loading them loads no Keras."""
    from autograder.exercise import load

    try:
        return {exercise.id for exercise in load(notebook) if exercise.stretch}
    except LookupError:
        return set()  # a notebook of another version of the course


def _joined(text: Any) -> str:
    return text if isinstance(text, str) else "".join(text)
