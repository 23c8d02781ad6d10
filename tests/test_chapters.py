"""Every released notebook: fresh, the same in both languages, and it runs from top to bottom.

What takes seconds for a notebook is done for one of them by default, and for all with `-m slow`.
"""

import json
import time
from pathlib import Path

import nbclient
import nbformat
import pytest

from autograder import answers, chapters, exercise, release
from autograder.messages import LANGUAGES
from autograder.results import BLANK

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(chapters.find(ROOT / "solutions"))
# The shortest of them; it has everything that a notebook can have.
FAST = "ch00_start"
SOME = [pytest.param(n, marks=[] if n == FAST else [pytest.mark.slow]) for n in NOTEBOOKS]
# Two minutes on two cores is the promise; a busy machine gets this many times as long.
PATIENCE = 4


def released(lang, notebook):
    path = ROOT / "course" / lang / notebook / f"{notebook}.ipynb"
    return nbformat.read(path, as_version=4)


def execute(notebook, folder):
    """Run a notebook as nbgrader does, and go on after an error as a student would."""
    client = nbclient.NotebookClient(
        notebook,
        timeout=120 * PATIENCE,
        allow_errors=True,
        resources={"metadata": {"path": folder}},
    )
    client.execute()
    return notebook


def points_of(notebook):
    """Exercise → what its check cell shows as text, which is what nbgrader reads."""
    found = {}
    for cell in notebook.cells:
        grade = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if grade.startswith("check_"):
            shown = [out.data for out in cell.outputs if out.output_type == "execute_result"]
            found[grade.removeprefix("check_")] = shown[-1] if shown else {}
    return found


def errors_of(notebook):
    return [
        (cell.source[:60], out.ename, out.evalue)
        for cell in notebook.cells
        for out in cell.get("outputs", [])
        if out.output_type == "error"
    ]


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_course_is_not_older_than_its_sources(notebook):
    """Cell by cell; what nbgrader itself makes of the sources takes seconds, see below."""
    chapter = release.open_chapter(notebook)
    for lang in LANGUAGES:
        made = release.source_files(chapter, lang)
        cells = json.loads(made.pop(f"{notebook}.ipynb"))["cells"]
        wanted = [answers.blanked("".join(cell["source"])) for cell in cells]
        assert [cell.source for cell in released(lang, notebook).cells] == wanted, "make course"
        for name, content in made.items():
            path = ROOT / "course" / lang / notebook / name
            assert path.read_bytes() == content, f"{lang}/{name}: run `make course`"


@pytest.mark.parametrize("notebook", SOME)
def test_course_is_what_release_makes(notebook):
    for lang, files in release.release(notebook).items():
        folder = ROOT / "course" / lang / notebook
        for name, content in files.items():
            assert (folder / name).read_bytes() == content, f"{lang}/{name}: run `make course`"
        assert not release.stale_files(folder, files)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_editions_differ_only_in_prose(notebook):
    zh, en = (released(lang, notebook) for lang in LANGUAGES)
    assert [c.cell_type for c in zh.cells] == [c.cell_type for c in en.cells]
    for one, other in zip(zh.cells, en.cells, strict=True):
        # Checksums cover the text of the written question too, which is prose.
        marks = [dict(c.metadata.get("nbgrader", {})) for c in (one, other)]
        if one.cell_type == "code":
            assert (one.source, marks[0]) == (other.source, marks[1])
        assert marks[0].get("grade_id") == marks[1].get("grade_id")


@pytest.mark.parametrize("notebook", SOME)
def test_with_answers_a_notebook_runs_and_scores_everything(notebook, tmp_path, monkeypatch):
    monkeypatch.delenv("BERT_COURSE_LANG", raising=False)
    monkeypatch.setenv("BERT_COURSE_OFFLINE", "1")
    chapter = release.open_chapter(notebook)
    for name, content in release.solved_files(chapter, "zh").items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    start = time.monotonic()
    ran = execute(nbformat.read(tmp_path / f"{notebook}.ipynb", 4), str(tmp_path))
    assert time.monotonic() - start < 120 * PATIENCE
    assert errors_of(ran) == []
    scores = {name: float(shown["text/plain"]) for name, shown in points_of(ran).items()}
    assert scores == {e.id: e.points for e in exercise.load(notebook)}
    # Only what a student should see: no warnings, no log lines.
    noise = [
        out.text
        for cell in ran.cells
        for out in cell.get("outputs", [])
        if out.output_type == "stream" and out.name == "stderr"
    ]
    assert noise == []


@pytest.mark.parametrize("notebook", SOME)
def test_the_student_edition_fails_only_at_its_checks(notebook, tmp_path, monkeypatch):
    monkeypatch.delenv("BERT_COURSE_LANG", raising=False)
    folder = ROOT / "course" / "en" / notebook
    for path in folder.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    ran = execute(nbformat.read(tmp_path / f"{notebook}.ipynb", 4), str(tmp_path))
    assert errors_of(ran) == []
    shown = points_of(ran)
    assert set(shown) == {e.id for e in exercise.load(notebook)}
    for name, data in shown.items():
        assert float(data["text/plain"]) == 0, name
        assert BLANK.en in data["text/html"], f"{name}: the message does not help"
