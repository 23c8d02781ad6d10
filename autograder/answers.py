"""Answers as text: the reference, the blank, and what has to run before an answer."""

import ast
import contextlib
from pathlib import Path

from autograder import assemble, chapters, drills
from autograder.chapters import BEGIN, END
from autograder.drill_sources import read_bugs
from autograder.release import PUBLIC_SEED, ROOT
from autograder.sources import global_names, insert_markers, library_source

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
        methods = exercise.blanks if exercise.kind == "layer" else ()
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
            if line.startswith("suspect = "):
                _, comment, words = line.partition("  #")
                line = f"suspect = None{comment}{words}"
            lines.append(line)
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
    earlier = []
    if exercise.id.startswith("capstone_"):
        for one in exercises[: [e.id for e in exercises].index(exercise.id)]:
            if one.kind != "drill":
                earlier.append(reference(one, solutions=solutions))
    texts = list(earlier)
    with contextlib.suppress(LookupError):  # a task that has no answer of ours needs nothing more
        texts.append(reference(exercise, solutions=solutions))
    return [PRELUDE + _imports(exercise.notebook, texts, solutions), *earlier]


def _imports(notebook, texts, solutions):
    """What the notebook's set-up cells import for these answers, beyond the usual."""
    path = Path(solutions or ROOT / "solutions") / notebook / f"{notebook}.py"
    if not path.is_file():
        return ""
    wanted = {name for text in texts for name in global_names(text)}
    lines = []
    for cell in chapters.parse(path).cells:
        for node in ast.parse(cell.source).body if cell.is_plain else ():
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            if (getattr(node, "module", None) or "").startswith("autograder"):
                continue
            node.names = [n for n in node.names if (n.asname or n.name.split(".")[0]) in wanted]
            if node.names:
                lines.append(ast.unparse(node) + "\n")
    return "".join(line for line in lines if line not in PRELUDE)


def seed_of_bug(exercise, key, solutions=None):
    """Return a seed with which a drill shows the bug of that key."""
    path = Path(solutions or ROOT / "solutions") / exercise.notebook / "drill.py"
    keys = [bug.key for bug in read_bugs(path)]
    return keys.index(key)
