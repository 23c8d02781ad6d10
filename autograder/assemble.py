"""Turn a chapter into notebooks: nbgrader's source edition, or one that runs with the answers."""

import ast
import hashlib
import json

from autograder import drills, start_cell
from autograder.chapters import BEGIN, END, is_drill
from autograder.drill_sources import chosen_bug, read_bugs
from autograder.sources import Scope, Source, exercise_source, insert_markers

# What nbgrader writes into the cell of a written answer.
TEXT_STUB = {"zh": "（在这里写下你的回答。）", "en": "(Write your answer here.)"}
SUSPECT = "suspect = {}  # the name of the bug, as a string from the list above"


def answer_id(exercise_id):
    """Return the grade id of an exercise's answer cell."""
    return f"answer_{exercise_id}"


def check_id(exercise_id):
    """Return the grade id of an exercise's check cell."""
    return f"check_{exercise_id}"


def answer_sources(chapter, seed, *, solved=False):
    """Return the text of every answer cell, with its solution markers.

    Args:
        chapter: Chapter.
        seed: int, which bug the drill shows.
        solved: bool, whether the drill also names its bug (no marker can hide that line, since
            what nbgrader puts between markers raises).

    Returns:
        dict from exercise id to text, in the order of the notebook.

    Raises:
        ChapterError: for the first answer cell that can't be built.
    """
    scope, texts = Scope(), {}
    for cell in chapter.cells:
        if cell.is_answer:
            if is_drill(cell.exercise):
                text = _drill(chapter, cell, scope, seed, solved)
            else:
                text = exercise_source(chapter, cell, scope)
            texts[cell.exercise] = text
            scope = scope.after(text)
        elif cell.is_plain:
            scope = scope.after(cell.source)
    return texts


def _drill(chapter, cell, scope, seed, solved):
    """Return the text of a drill's cell, having checked every bug, chosen or not."""
    if cell.source != "from drill import patient, suspect, repaired":
        raise chapter.error(cell, "a drill's cell is: from drill import patient, suspect, repaired")
    path = chapter.path.parent / "drill.py"
    for bug in read_bugs(path):
        for name, text in (("patient", bug.source), ("repaired", bug.fixed)):
            scope.resolve(Source(name, text, path, bug.line, "", {}))
    return drill_text(path, chosen_bug(chapter, seed), solved=solved)


def drill_text(path, bug, *, solved=False):
    """Return a drill's cell for one bug: the patient, the line that names it, the repair."""
    repaired = insert_markers(Source("repaired", bug.fixed, path, bug.line, "", {}))
    suspect = SUSPECT.format(json.dumps(bug.key) if solved else None)
    return f"{bug.source}\n\n\n{suspect}\n\n\n{repaired}"


def check_source(chapter, cell, seed):
    """Return the text of a check cell; a drill's gets the code of its bug."""
    body = ast.parse(cell.source).body
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    right = (
        isinstance(call, ast.Call)
        and getattr(call.func, "id", None) == "check"
        and len(call.args) == 2
        and not call.keywords
        and getattr(call.args[0], "value", None) == cell.check
    )
    if not right or "#" in cell.source:
        raise chapter.error(cell, f'a check cell is one call: check("{cell.check}", answer)')
    if not is_drill(cell.check):
        return cell.source
    variant = drills.code(cell.check, chosen_bug(chapter, seed).key)
    return f'{cell.source.rstrip()[:-1].rstrip().rstrip(",")}, variant="{variant}")'


def build(chapter, lang, *, seed, points, solved=False):
    """Build one edition of a notebook.

    Args:
        chapter: Chapter.
        lang: str, ``"zh"`` or ``"en"``.
        seed: int, which bug the drill shows.
        points: callable from an exercise id to its points.
        solved: bool, whether to leave out the solution markers, so that the notebook runs top
            to bottom; otherwise the result is what nbgrader's `generate_assignment` reads.

    Returns:
        dict in the form of a notebook file, format 4.5.

    Raises:
        ChapterError: if a cell can't be built.
    """
    answers = answer_sources(chapter, seed, solved=solved)
    cells = []
    for cell in chapter.cells:
        if "instructor" in cell.tags or cell.lang not in (None, lang):
            continue
        if cell.kind == "markdown":
            cells.append(_cell("markdown", cell.source, len(cells)))
            if cell.exercise:
                cells.append(_written(cell.exercise, TEXT_STUB[lang]))
        elif cell.is_answer:
            text = answers[cell.exercise]
            made = _cell("code", without_markers(text) if solved else text, len(cells))
            cells.append(_graded(made, answer_id(cell.exercise), cell.exercise, solution=True))
        elif cell.check:
            made = _cell("code", check_source(chapter, cell, seed), len(cells))
            worth = points(cell.check)
            worth = int(worth) if worth == int(worth) else worth
            cells.append(_graded(made, check_id(cell.check), cell.check, points=worth))
        else:
            made = _cell("code", cell.source, len(cells))
            if cell.tags:
                made["metadata"]["tags"] = list(cell.tags)
            cells.append(made)
    course = {"notebook": chapter.notebook, "lang": lang, "version": _version(cells)}
    # After the digest: where the course lies on the web does not make another notebook of it.
    start_cell.insert(cells, chapter.notebook, lang)
    metadata = {
        "course": course,
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def without_markers(text):
    """Return a source without the lines that mark its solution."""
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END))


def solutions(text):
    """Return the texts between the markers of a source."""
    blocks, block = [], None
    for line in text.split("\n"):
        if line.strip() == BEGIN:
            block = []
        elif line.strip() == END:
            blocks.append("\n".join(block))
            block = None
        elif block is not None:
            block.append(line)
    return blocks


def _cell(kind, source, number):
    """Return a cell whose id says where it stands, the same in both editions."""
    cell = {"cell_type": kind, "id": f"cell-{number + 1:03d}", "metadata": {}, "source": source}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def _graded(cell, grade_id, exercise_id, *, solution=False, points=None):
    """Mark a cell as an exercise's answer or, with points, as its check."""
    mark = {
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": points is not None,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        mark["points"] = points
    cell["id"] = grade_id.replace("_", "-")
    cell["metadata"] |= {"nbgrader": mark, "course": {"exercise": exercise_id}}
    return cell


def _written(exercise_id, stub):
    """Return the cell for a written answer: graded by hand, no points unless a teacher says so."""
    cell = _graded(_cell("markdown", stub, 0), exercise_id, exercise_id, solution=True, points=0)
    cell["metadata"]["nbgrader"]["locked"] = False
    return cell


def _version(cells):
    """Return a short digest of the code and the graded cells: what a submission is matched to."""
    parts = [
        [cell["id"], cell["source"] if cell["cell_type"] == "code" else ""]
        for cell in cells
        if cell["cell_type"] == "code" or "nbgrader" in cell["metadata"]
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def to_bytes(notebook):
    """Return the bytes of a notebook file: sorted keys, one space, no output, one line end."""
    cells = []
    for cell in notebook["cells"]:
        source = cell["source"]
        if isinstance(source, str):
            source = source.splitlines(keepends=True)
        cell = cell | {"source": source}
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    whole = notebook | {"cells": cells}
    return (json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()
