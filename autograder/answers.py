"""Answers as text: the reference, the blank, and what has to run before an answer."""

from pathlib import Path

from autograder import assemble, chapters, drills
from autograder.chapters import BEGIN, END
from autograder.drill_sources import read_bugs
from autograder.release import PUBLIC_SEED, ROOT
from autograder.sources import insert_markers, library_source

# What the first cells of every notebook bind.
PRELUDE = "import math\n\nimport keras\nimport numpy as np\nfrom keras import ops\n"
STUB = "raise NotImplementedError()"


def marked_answer(exercise, seed=PUBLIC_SEED, solutions=None):
    """Return an exercise's reference answer with the markers of its blanks.

    Args:
        exercise: Exercise.
        seed: int, which bug a drill shows.
        solutions: Path of the folder that holds the notebooks' sources; None is our own.

    Returns:
        str, what the answer cell of the notebook's source holds.

    Raises:
        LookupError: if neither the notebook nor the library has an answer.
    """
    if exercise.library is not None:
        methods = ("call",) if exercise.kind == "layer" else ()
        return insert_markers(library_source(exercise.library), methods)
    folder = Path(solutions or ROOT / "solutions") / exercise.notebook
    if exercise.kind == "drill":
        bug = drills.choose(read_bugs(folder / "drill.py"), seed)
        return assemble.drill_text(folder / "drill.py", bug, solved=True)
    source = folder / f"{exercise.notebook}.py"
    if source.is_file():
        for cell in chapters.parse(source).answers:
            if cell.exercise == exercise.id:
                return cell.source
    raise LookupError(f"{exercise.id}: neither the library nor {source} holds its answer")


def reference(exercise, seed=PUBLIC_SEED, solutions=None):
    """Return the reference answer as a student would have written it."""
    return assemble.without_markers(marked_answer(exercise, seed, solutions))


def blank(exercise, seed=PUBLIC_SEED, solutions=None):
    """Return the answer cell as it is handed out, with nothing filled in."""
    return blanked(marked_answer(exercise, seed, solutions))


def blanked(text):
    """Put nbgrader's stub in place of every marked part of a text."""
    lines, inside = [], False
    for line in text.split("\n"):
        if line.strip() == BEGIN:
            inside = True
            lines.append(line.replace(BEGIN, "# YOUR CODE HERE"))
            lines.append(line.replace(BEGIN, STUB))
        elif line.strip() == END:
            inside = False
        elif not inside:
            # What stands outside the markers of a solved drill is its answer.
            lines.append("suspect = None" if line.startswith("suspect = ") else line)
    return "\n".join(lines)


def preparation(exercise, exercises, solutions=None):
    """Return the cells that run before an answer.

    Args:
        exercise: Exercise.
        exercises: the exercises of its notebook, in order.

    Returns:
        list of str: the imports and, for a capstone, which binds nothing while it is judged, the
        references of the exercises before it, in place of the student's own.
    """
    cells = [PRELUDE]
    if exercise.id.startswith("capstone_"):
        for earlier in exercises:
            if earlier.id == exercise.id:
                break
            if earlier.kind != "drill":
                cells.append(reference(earlier, solutions=solutions))
    return cells


def seed_of_bug(exercise, key, solutions=None):
    """Return a seed with which a drill shows the bug of that key."""
    path = Path(solutions or ROOT / "solutions") / exercise.notebook / "drill.py"
    keys = [bug.key for bug in read_bugs(path)]
    return keys.index(key)
