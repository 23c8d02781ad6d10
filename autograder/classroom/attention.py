"""Who may need a word from the teacher, and why; plain rules over the term's table."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import fmean

from autograder.chapters import is_drill
from autograder.classroom.term import MISSING, Entry, Term, TermNotebook
from autograder.messages import Text
from autograder.report.data import ExerciseInfo
from autograder.report.summary import summarise

LOW = 0.6  # of the core, over the last three notebooks that were handed in
DROP = 0.3  # below the mean of what came before
RECENT = 3


@dataclass(frozen=True)
class Concern:
    """One student who may need help.

    Args:
        student: their id.
        reasons: sentences that say why.
        behind: notebooks that should have come by now.
    """

    student: str
    reasons: tuple[Text, ...]
    behind: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shared:
    """A mistake that several students made.

    Args:
        notebook: where.
        exercise: in which exercise.
        names: its name; several: one of them.
        students: who.
    """

    notebook: str
    exercise: ExerciseInfo
    names: tuple[str, ...]
    students: tuple[str, ...]


def expected(term: Term) -> dict[str, list[str]]:
    """Say what each student should have handed in by now and has not.

    Due for this student and past; without a due date, handed in by half of the class. What nobody
    has handed in was not collected yet.

    Args:
        term: the table.

    Returns:
        By student, notebooks in order.
    """
    behind: dict[str, list[str]] = {}
    for notebook in term.notebooks:
        entries = [(who, term.entries[who, notebook.id]) for who in term.students]
        missing = [(who, one) for who, one in entries if one.status == MISSING]
        usual = len(entries) - len(missing) >= max(1, len(entries) / 2)
        if len(missing) == len(entries):
            continue
        for who, one in missing:
            if one.deadline < term.now if one.deadline else usual:
                behind.setdefault(who, []).append(notebook.id)
    return behind


def concerns(term: Term) -> list[Concern]:
    """List who may need help, those with most reasons first.

    Args:
        term: the table.
    """
    behind, found = expected(term), []
    for who in term.students:
        missing = behind.get(who, [])
        reasons = [*_missing(term, who, missing), *_points(term, who), *_again(term, who)]
        if reasons:
            found.append(Concern(who, tuple(reasons), tuple(missing)))
    found.sort(key=lambda one: (-len(one.behind), -len(one.reasons)))
    return found


def _missing(term: Term, who: str, missing: list[str]):
    if not missing:
        return
    if all(one.status == MISSING for one in term.row(who)):
        yield Text("还没有交过任何作业", "has handed nothing in yet")
        return
    shown = [name.split("_")[0] for name in missing[:6]]
    more = f" … ({len(missing)})" if len(missing) > 6 else ""
    yield Text(f"没交：{'、'.join(shown)}{more}", f"not handed in: {', '.join(shown)}{more}")


def _points(term: Term, who: str):
    shares = [one.share for one in term.row(who) if one.status == "graded"]
    recent = shares[-RECENT:]
    if recent and fmean(recent) < LOW:
        share = f"{100 * fmean(recent):.0f}%"
        if len(recent) == 1:
            yield Text(f"必做题得 {share}", f"{share} of the core")
            return
        yield Text(
            f"最近 {len(recent)} 次必做题平均得 {share}",
            f"{share} of the core on average in the last {len(recent)} notebooks",
        )
    elif len(shares) > 2 and shares[-1] < fmean(shares[:-1]) - DROP:
        share = f"{100 * shares[-1]:.0f}%"
        before = f"{100 * fmean(shares[:-1]):.0f}%"
        yield Text(f"最近一次降到 {share}（之前平均 {before}）", f"fell from {before} to {share}")


def _again(term: Term, who: str):
    """Mistakes of one name in several notebooks: a matter not understood yet."""
    where = defaultdict(list)
    for notebook, one in zip(term.notebooks, term.row(who), strict=True):
        for name in sure_names(one):
            where[name].append(notebook.id)
    exercises = [exercise for notebook in term.notebooks for exercise in notebook.exercises]
    texts = {name: text for one in exercises for name, text in one.misconceptions.items()}
    for name, notebooks in where.items():
        if len(notebooks) > 1:
            places = [one.split("_")[0] for one in notebooks]
            said = texts.get(name, Text(name, name))
            yield Text(
                f"同样的错又出现了（{'、'.join(places)}）：{said.zh}",
                f"the same mistake again ({', '.join(places)}): {said.en}",
            )


def sure_names(entry: Entry) -> set[str]:
    """Name the mistakes recognised for sure in one student's notebook.

    A drill's are left out: they say nothing of what is understood elsewhere.

    Args:
        entry: of the term's table.
    """
    return {
        names[0] for exercise, names in entry.named if len(names) == 1 and not is_drill(exercise)
    }


def shared_mistakes(notebook: TermNotebook, most: int = 3) -> list[Shared]:
    """List the most shared mistakes of a notebook, made by two students at least.

    Args:
        notebook: one that is graded.
        most: how many.
    """
    if notebook.results is None:
        return []
    return [
        Shared(notebook.id, lesson.exercise, lesson.names, lesson.students)
        for lesson in summarise(notebook.results).lessons[:most]
        if len(lesson.students) > 1
    ]


def returning(term: Term, most: int = 8) -> list[tuple[str, Text, Counter]]:
    """List mistakes of one name that were made in several notebooks, over time.

    Args:
        term: the table.
        most: how many.

    Returns:
        Name, sentence and, by notebook, how many students made it; the most frequent first.
    """
    counts: dict[str, Counter] = defaultdict(Counter)
    texts: dict[str, Text] = {}
    for notebook in term.graded:
        for exercise in notebook.exercises:
            texts |= {name: text for name, text in exercise.misconceptions.items()}
        for who in term.students:
            for name in sure_names(term.entries[who, notebook.id]):
                counts[name][notebook.id] += 1
    several = [(n, texts.get(n, Text(n, n)), c) for n, c in counts.items() if len(c) > 1]
    several.sort(key=lambda row: (-row[2].total(), row[0]))
    return several[:most]
