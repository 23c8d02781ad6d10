"""The figures of the term page: points over the weeks, exercises, mistakes that last, lateness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from autograder.chapters import is_drill
from autograder.classroom.attention import sure_names
from autograder.classroom.term import GRADED, Term, TermNotebook
from autograder.messages import Text
from autograder.report.data import ExerciseInfo, Outcome
from autograder.report.figures import Scores, discrimination, distribution

LOW_DISCRIMINATION = 0.2


@dataclass(frozen=True)
class Week:
    """How one notebook went.

    Args:
        notebook: which.
        shares: the shares of its core, in percent; None before it is graded.
        late: how many handed in after their own deadline.
        penalised: how many lost points by that.
        taken: the points that lateness took, all together.
        missing: how many handed nothing in.
    """

    notebook: TermNotebook
    shares: Scores | None
    late: int
    penalised: int
    taken: float
    missing: int


@dataclass(frozen=True)
class TermItem:
    """How one exercise did over the term.

    Args:
        notebook: its notebook's id.
        exercise: which.
        count: how many answers the figures are about; blank ones are left out.
        blank: how many left it blank.
        mean: mean share of its points, 0 to 1; 0 where nobody answered.
        discrimination: correlation with the mean share of all other core exercises of the term;
            None with fewer than 20 answers, or where all are alike.
    """

    notebook: str
    exercise: ExerciseInfo
    count: int
    blank: int
    mean: float
    discrimination: float | None

    @property
    def doubtful(self) -> bool:
        """Whether it hardly tells strong students from weak ones."""
        return self.discrimination is not None and self.discrimination < LOW_DISCRIMINATION


@dataclass(frozen=True)
class Lasting:
    """A mistake of one name over the term.

    Args:
        name: its name.
        text: what it is.
        made: how many students made it at least once.
        cured: by how many a later notebook that could show it was answered without it.
        lasting: by how many it was made in two notebooks or more, the last chance included.
        by_notebook: how many made it, by notebook.
    """

    name: str
    text: Text
    made: int
    cured: int
    lasting: int
    by_notebook: dict[str, int]


def weeks(term: Term) -> list[Week]:
    """Return how each notebook went, in the order of the course.

    Args:
        term: the table.
    """
    found = []
    for one in term.notebooks:
        entries = [term.entries[who, one.id] for who in term.students]
        graded = [entry for entry in entries if entry.status == GRADED]
        found.append(
            Week(
                one,
                distribution([100 * e.share for e in graded], 100) if graded else None,
                sum(e.days_late > 0 for e in graded),
                sum(e.penalty > 0 for e in graded),
                sum(e.penalty for e in graded),
                sum(e.status == "missing" for e in entries),
            )
        )
    return found


def items(term: Term) -> list[TermItem]:
    """Return how each exercise did, with all the rest of the term as the yardstick.

    Args:
        term: the table.
    """
    rest: dict[str, list[tuple[tuple[str, str], float]]] = {}
    for notebook, exercise, who, outcome in outcomes(term):
        if not exercise.stretch and outcome.kind != "blank":
            rest.setdefault(who, []).append(((notebook.id, exercise.id), outcome.share))
    sums = {who: (sum(share for _, share in rows), len(rows)) for who, rows in rest.items()}
    grouped: dict[tuple[str, str], list[tuple[str, Outcome]]] = {}
    for notebook, exercise, who, outcome in outcomes(term):
        grouped.setdefault((notebook.id, exercise.id), []).append((who, outcome))
    found = []
    for notebook in term.graded:
        for exercise in notebook.exercises:
            rows = grouped.get((notebook.id, exercise.id), [])
            answered = [(who, one) for who, one in rows if one.kind != "blank"]
            pairs = []
            for who, one in answered:
                total, count = sums.get(who, (0.0, 0))
                own = 0 if exercise.stretch else 1
                if count > own:
                    pairs.append((one.share, (total - own * one.share) / (count - own)))
            found.append(
                TermItem(
                    notebook.id,
                    exercise,
                    len(answered),
                    len(rows) - len(answered),
                    fmean(one.share for _, one in answered) if answered else 0.0,
                    discrimination(pairs),
                )
            )
    return found


def lasting(term: Term, most: int = 12) -> list[Lasting]:
    """Return mistakes that several notebooks could show: who keeps making them, who stopped.

    A notebook can show a mistake where one of its exercises knows that name. Drills don't count:
    their mistakes were made by somebody else.

    Args:
        term: the table.
        most: how many, those made by most students first.
    """
    places: dict[str, list[TermNotebook]] = {}
    texts: dict[str, Text] = {}
    for notebook in term.graded:
        for exercise in notebook.exercises:
            for name, text in exercise.misconceptions.items():
                texts.setdefault(name, text)
                if not is_drill(exercise.id) and notebook not in places.setdefault(name, []):
                    places[name].append(notebook)
    sure = {place: sure_names(entry) for place, entry in term.entries.items()}
    found = []
    for name, notebooks in places.items():
        if len(notebooks) < 2:
            continue
        # Whether a student made it, in each of these notebooks that is graded for them.
        rows = [
            [
                name in sure[who, one.id]
                for one in notebooks
                if term.entries[who, one.id].status == GRADED
            ]
            for who in term.students
        ]
        made = [row for row in rows if any(row)]
        if not made:
            continue
        counts = dict.fromkeys((one.id for one in notebooks), 0)
        for who in term.students:
            for one in notebooks:
                counts[one.id] += name in sure[who, one.id]
        cured = sum(not row[-1] for row in made)
        lasts = sum(row[-1] and sum(row) > 1 for row in made)
        found.append(Lasting(name, texts[name], len(made), cured, lasts, counts))
    found.sort(key=lambda one: (-one.made, one.name))
    return found[:most]


def outcomes(term: Term) -> Iterator[tuple[TermNotebook, ExerciseInfo, str, Outcome]]:
    """Go through every judged answer of the term.

    Args:
        term: the table.

    Yields:
        Notebook, exercise, student and what was found.
    """
    for notebook in term.graded:
        for student in notebook.results.students:
            for exercise in notebook.exercises:
                outcome = student.outcomes.get(exercise.id)
                if outcome is not None:
                    yield notebook, exercise, student.id, outcome
