"""What nbgrader is given to record: the released notebook with a student's cells and our points.

Nothing here touches nbgrader or the disk.
"""

import copy
import hashlib
import re


def staged_notebook(trusted, result):
    """Return the released notebook with a student's cells and our scores in it.

    Args:
        trusted: `matching.TrustedNotebook`.
        result: dict, a stored result.

    Returns:
        dict, a notebook in which every graded cell has exactly one output: its points.
    """
    notebook = copy.deepcopy(trusted.content)
    chosen = {cell["index"]: cell for cell in result["plan"] if cell["index"] >= 0}
    troubles = {cell["cell"]: cell for cell in result["cells"]}
    entries = {entry["id"]: entry for entry in result["exercises"]}
    cells = []
    own = _own_cells(result)
    cells += own.get(-1, [])
    for index, (cell, known) in enumerate(zip(notebook["cells"], trusted.cells, strict=True)):
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        if index in chosen:
            plan = chosen[index]
            text = plan["original"] or plan["source"]
            cell["source"] = text if cell["cell_type"] == "code" else as_words(text)
            if plan["name"] in troubles and cell["cell_type"] == "code":
                cell["outputs"] = [_said(troubles[plan["name"]])]
        elif known.role == "check":
            cell["outputs"] = [_points_output(entries[known.exercise], known.points, trusted.lang)]
        cells.append(cell)
        cells += own.get(index, [])
    notebook["cells"] = cells
    return notebook


def as_words(markdown):
    """Return a written answer in which no HTML is left, and nothing else is changed.

    Formgrader and nbgrader's feedback show Markdown with whatever HTML is in it, scripts included,
    on pages that may start programs in the teacher's name. A space behind the bracket makes text of
    a tag; formulas, code and comparisons read as before.

    Args:
        markdown: str.

    Returns:
        str.
    """
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", markdown)


def scores(trusted, result):
    """Points by grade id, within what the course gives."""
    entries = {entry["id"]: entry["score"] for entry in result["exercises"]}
    checks = [cell for cell in trusted.cells if cell.role == "check"]
    return {cell.grade_id: _clip(entries[cell.exercise], cell.points) for cell in checks}


def _clip(score, points):
    return round(min(max(float(score), 0.0), points), 6)


def answer_digests(trusted, result):
    """A digest for each graded cell of what a person looked at when grading it."""
    texts = {}
    for cell in result["plan"]:
        if cell["role"] == "written":
            texts[cell["grade_id"]] = cell["source"]
        elif cell["role"] == "answer":
            texts[f"check_{cell['exercise']}"] = cell["original"] or cell["source"]
    return {cell: hashlib.sha256(text.encode()).hexdigest() for cell, text in texts.items()}


def _own_cells(result):
    """Code cells that only the student has, by the trusted cell they follow."""
    own = {}
    for plan in result["plan"]:
        if plan["role"] == "student":
            cell = {
                "cell_type": "code",
                "id": f"own-{plan['name'].replace('_', '-')}",
                "metadata": {},
                "source": plan["original"] or plan["source"],
                "outputs": [],
                "execution_count": None,
            }
            own.setdefault(plan["after"], []).append(cell)
    return own


def _points_output(entry, points, lang):
    """The one output of a graded cell: a bare number for nbgrader, the words for people."""
    from autograder.render import result_html
    from autograder.results import ExerciseResult

    words = result_html(ExerciseResult.from_json(entry), lang)
    number = repr(_clip(entry["score"], points))
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": number, "text/html": words},
    }


def _said(trouble):
    """How a cell failed, as plain text: never on stderr, for which nbgrader takes all points."""
    line = ": ".join(part for part in (trouble["type"], trouble["message"]) if part)
    return {"output_type": "stream", "name": "stdout", "text": f"{line or trouble['status']}\n"}
