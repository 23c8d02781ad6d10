"""A class: parallel, resumable, idempotent; every error is one line and writes nothing."""

import functools
import json
import os
import stat
import subprocess
import sys
import time

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, POINTS, TINY, released, to_bytes

from autograder import running
from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.sandbox import Limits, Sandbox

TOTAL = sum(POINTS.values())
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path):
    return make_class(tmp_path / "class")


def _grade(course, warm, **options):
    return grade_class(course, TINY, limits=LIMITS, spawner=warm, **options)


def _scores(summary):
    return {student["id"]: student["score"] for student in summary["students"]}


def _fill(course):
    submit(course, "anna")
    submit(course, "ben", double="def double(x):\n    return 3 * x\n")
    submit(course, "cara", released())
    submit(course, "dan", b"no notebook at all")
    submit(course, "eve", scale="import os\nos._exit(0)")


EXPECTED = {"anna": TOTAL, "ben": TOTAL - 3, "cara": 0, "dan": 0, "eve": TOTAL - 2}


def test_a_class_is_graded_and_a_second_run_changes_nothing(course, warm):
    _fill(course)
    summary = _grade(course, warm, jobs=2)
    assert _scores(summary) == EXPECTED
    assert summary["graded"] == 5 and summary["gradebook_errors"] == []
    assert {student["max_score"] for student in summary["students"]} == {TOTAL}
    before = normalised_dump(course.root)
    assert sum(row["auto_score"] or 0 for row in before) == sum(EXPECTED.values())
    files = _tree(course.root)

    again = _grade(course, warm, jobs=1)
    assert again["graded"] == 0 and _scores(again) == EXPECTED
    assert normalised_dump(course.root) == before
    assert _tree(course.root) == files

    fresh = _grade(course, warm, jobs=2, fresh=True)
    assert fresh["graded"] == 5 and _scores(fresh) == EXPECTED
    assert normalised_dump(course.root) == before


def _tree(root):
    """Every file of the class with its time stamp."""
    return {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}


def test_only_changed_submissions_are_graded_again(course, warm):
    _fill(course)
    _grade(course, warm)
    submit(course, "cara")
    submit(course, "fred")
    summary = _grade(course, warm)
    assert summary["graded"] == 2
    assert _scores(summary) == {**EXPECTED, "cara": TOTAL, "fred": TOTAL}


def test_a_run_that_was_cut_off_is_resumed(course, warm):
    _fill(course)
    seen = []

    def stop(result):
        seen.append(result["student"])
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _grade(course, warm, progress=stop)
    assert len(list((course.root / "results").glob("*/*.json"))) == 2
    summary = _grade(course, warm)
    assert summary["graded"] == 3 and _scores(summary) == EXPECTED


def test_stopping_does_not_wait_for_what_runs(course, monkeypatch):
    """Ctrl-C while a submission hangs: its process is ended at once, finished work is kept."""
    submit(course, "anna", b"broken")
    submit(course, "zed", double="while True: pass")
    modules = ("numpy", "autograder.reading", "autograder.sandbox.child")
    small = functools.partial(Sandbox, preload=modules)
    monkeypatch.setattr(running, "Sandbox", small)
    limits, stopped = Limits(cell_seconds=60), []

    def stop(result):
        assert result["student"] == "anna"
        stopped.append(time.monotonic())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade_class(course, TINY, jobs=2, limits=limits, gradebook=False, progress=stop)
    assert time.monotonic() - stopped[0] < 15
    assert course.result_path("anna", TINY).exists()
    assert not course.result_path("zed", TINY).exists()


def test_a_damaged_result_is_made_again(course, warm):
    submit(course, "anna")
    _grade(course, warm, gradebook=False)
    path = course.result_path("anna", TINY)
    path.write_text(path.read_text()[:100])
    assert _grade(course, warm, gradebook=False)["graded"] == 1


def test_results_are_private(course, warm):
    submit(course, "anna")
    _grade(course, warm, gradebook=False)
    mode = course.result_path("anna", TINY).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert not (course.root / "autograded").exists()


def test_odd_ids_and_links_in_the_folder(course, warm, tmp_path):
    for student in ("zoë [1]", "a*b?", "王小明", "o'neil; rm -rf"):
        submit(course, student)
    (course.root / "submitted" / "linked").symlink_to(course.root / "submitted" / "王小明")
    (course.root / "submitted" / ".hidden").mkdir()
    (course.root / "submitted" / "empty").mkdir()
    secret = tmp_path / "secret.ipynb"
    secret.write_bytes(to_bytes(released()))
    folder = course.root / "submitted" / "mallory" / TINY
    folder.mkdir(parents=True)
    (folder / f"{TINY}.ipynb").symlink_to(secret)
    summary = _grade(course, warm)
    scores = _scores(summary)
    assert scores.pop("mallory") == 0
    assert set(scores) == {"zoë [1]", "a*b?", "王小明", "o'neil; rm -rf"}
    assert set(scores.values()) == {TOTAL} and summary["gradebook_errors"] == []


def test_another_file_name_is_found_and_reported(course, warm):
    submit(course, "anna")
    folder = course.root / "submitted" / "anna" / TINY
    (folder / f"{TINY}.ipynb").rename(folder / f"{TINY} (1).ipynb")
    summary = _grade(course, warm)
    assert _scores(summary) == {"anna": TOTAL}
    assert [note["code"] for note in summary["students"][0]["repairs"]] == ["renamed"]


def test_an_empty_class_starts_nothing(course):
    assert grade_class(course, TINY, spawner=None)["students"] == []


# --- errors ----------------------------------------------------------------------------------


def test_what_is_no_class_is_told(tmp_path):
    with pytest.raises(CommandError, match="there is no folder"):
        ClassDir.open(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="init-class"):
        ClassDir.open(tmp_path)
    (tmp_path / ".autograder").mkdir()
    (tmp_path / ".autograder" / "course.json").write_text("{")
    with pytest.raises(CommandError, match="damaged"):
        ClassDir.open(tmp_path)


def test_an_unknown_notebook_is_told(course):
    with pytest.raises(CommandError, match=TINY):
        course.notebooks("ch99")
    assert course.notebooks(TINY) == [TINY]


def test_a_broken_release_is_told(course):
    course.released(TINY).write_text("{}")
    with pytest.raises(CommandError, match="cannot be read"):
        grade_class(course, TINY)


def test_a_gradebook_of_another_version_is_told(course, warm):
    submit(course, "anna")
    (course.root / "gradebook.db").unlink()
    with pytest.raises(CommandError, match="release it"):
        _grade(course, warm)


@pytest.mark.parametrize(
    "argv",
    [
        ["grade", "ch03a", "--course", "no-such-folder"],
        ["grade", "ch03a", "--course", "."],
        ["init-class", ".", "--lang", "zh"],
        ["init-class", "new", "--lang", "en", "--notebook", "no_such_notebook"],
        ["check", "missing.ipynb"],
        ["check", "broken.ipynb"],
    ],
)
def test_commands_fail_with_one_line_and_write_nothing(tmp_path, argv):
    (tmp_path / "broken.ipynb").write_text("{")
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "BERT_COURSE_LANG": "en"}
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *argv],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stdout == "" and len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith(f"autograder {argv[0]}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.ipynb"]


def test_two_graders_at_once_are_refused(course):
    with course.working(), pytest.raises(CommandError, match="at work"):
        course.working().__enter__()


def test_the_summary_follows_the_contract(course, warm):
    submit(course, "anna", double="def double(x):\n    return 3 * x\n")
    summary = json.loads(json.dumps(_grade(course, warm, gradebook=False)))
    assert {"assignment", "seconds", "jobs", "students"} <= set(summary)
    (student,) = summary["students"]
    assert {"id", "score", "max_score", "exercises", "repairs", "seconds"} == set(student)
    assert [set(entry) for entry in student["exercises"]] == 3 * [
        {"id", "score", "max_score", "named", "incidents"}
    ]
