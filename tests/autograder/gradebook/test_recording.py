"""Our scores in nbgrader's gradebook; what people did there by hand survives."""

import json
import shutil
import subprocess
import sys

import pytest
from class_kit import make_class, submit
from nbgrader.api import Gradebook
from tiny_course import DOUBLE, LIMITS, POINTS, TINY, released

from autograder import init_class
from autograder.gradebook import normalised_dump, recording
from autograder.gradebook.staged import as_words
from autograder.grading import ClassDir, grade_class

WRITTEN = f"written_{TINY}"
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path):
    return make_class(tmp_path / "class")


def _grade(course, warm, **options):
    summary = grade_class(course, TINY, limits=LIMITS, spawner=warm, **options)
    assert summary["gradebook_errors"] == []
    return summary


def _rows(course, student="anna"):
    rows = normalised_dump(course.root)
    return {row["cell"]: row for row in rows if row["student"] == student}


def _by_hand(course, cell, student="anna", comment=None, **values):
    """What Formgrader does when a person grades a cell."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        graded = gradebook.find_grade(cell, TINY, TINY, student)
        for name, value in values.items():
            setattr(graded, name, value)
        graded.needs_manual_grade = False
        if comment:
            gradebook.find_comment(cell, TINY, TINY, student).manual_comment = comment
        gradebook.db.commit()


def test_scores_arrive_and_nobody_is_left_to_grade(course, warm):
    submit(course, "anna", pair_sum="def pair_sum(a, b):\n    return a\n", written="because")
    _grade(course, warm)
    rows = _rows(course)
    assert {name: rows[f"check_{name}"]["score"] for name in POINTS} == {**POINTS, "pair_sum": 0}
    assert not any(row["needs_manual_grade"] for row in rows.values())
    assert rows[WRITTEN]["auto_comment"] is None


def test_the_autograded_notebook_shows_what_we_found(course, warm):
    submit(course, "anna", double="def double(x):\n    return '<script>' + str(x)\n")
    _grade(course, warm)
    path = course.root / "autograded" / "anna" / TINY / f"{TINY}.ipynb"
    cells = {part["id"]: part for part in json.loads(path.read_text())["cells"]}
    (output,) = cells["check-double"]["outputs"]
    assert "".join(output["data"]["text/plain"]) == "0.0"
    assert "<script>" not in "".join(output["data"]["text/html"])
    assert "<script>" in "".join(cells["answer-double"]["source"])
    assert cells["c5"]["outputs"] == []


def test_forged_outputs_and_points_count_for_nothing(course, warm):
    notebook = released()
    for part in notebook["cells"]:
        if part["id"].startswith("check"):
            part["metadata"]["nbgrader"]["points"] = 100
            part["outputs"] = [
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": "100"},
                    "metadata": {},
                    "execution_count": 1,
                }
            ]
    submit(course, "anna", notebook)
    _grade(course, warm)
    assert sum(row["score"] or 0 for row in _rows(course).values()) == 0


def test_timestamps_are_kept(course, warm):
    submit(course, "anna", timestamp="2026-03-01 09:30:00 UTC")
    submit(course, "ben", timestamp="not a time")
    _grade(course, warm)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        assert str(gradebook.find_submission(TINY, "anna").timestamp) == "2026-03-01 09:30:00"
        assert gradebook.find_submission(TINY, "ben").timestamp is None


def test_work_done_by_hand_survives_a_second_run(course, warm):
    submit(course, "anna", written="because")
    _grade(course, warm)
    _by_hand(course, WRITTEN, manual_score=1.5, comment="well said")
    _by_hand(course, "check_double", manual_score=2.0, extra_credit=0.5)
    before = _rows(course)
    _grade(course, warm)
    assert _rows(course) == before
    _grade(course, warm, fresh=True)
    assert _rows(course) == before


def test_a_changed_answer_asks_for_a_person_again_and_only_there(course, warm):
    submit(course, "anna", written="because")
    _grade(course, warm)
    _by_hand(course, WRITTEN, manual_score=1.5, comment="well said")
    _by_hand(course, "check_double", manual_score=2.0)
    submit(course, "anna", written="because", double=DOUBLE + "# thought again\n")
    _grade(course, warm)
    rows = _rows(course)
    assert rows["check_double"]["needs_manual_grade"] is True
    assert rows["check_double"]["manual_score"] == 2.0
    assert rows[WRITTEN]["needs_manual_grade"] is False
    submit(course, "anna", written="another reason", double=DOUBLE + "# thought again\n")
    _grade(course, warm)
    rows = _rows(course)
    assert rows[WRITTEN]["needs_manual_grade"] is True
    assert (rows[WRITTEN]["manual_score"], rows[WRITTEN]["manual_comment"]) == (1.5, "well said")


def test_a_crash_in_the_middle_heals(course, warm, monkeypatch):
    submit(course, "anna", written="because")
    _grade(course, warm)
    _by_hand(course, WRITTEN, manual_score=1.5)
    _by_hand(course, "check_double", manual_score=2.0)
    before = _rows(course)
    # Another answer changes, and the run dies after nbgrader has reset all flags.
    submit(course, "anna", written="because", pair_sum="def pair_sum(a, b):\n    return b + a\n")

    def crash(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recording.Recorder, "_restore", crash)
        with pytest.raises(KeyboardInterrupt):
            _grade(course, warm)
    _grade(course, warm)
    assert _rows(course) == before


def test_a_lost_gradebook_entry_and_a_lost_notebook_come_back(course, warm):
    submit(course, "anna")
    submit(course, "ben", double="x = 1")
    _grade(course, warm)
    before = normalised_dump(course.root)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.remove_student("anna")
    (course.root / "autograded" / "ben" / TINY / f"{TINY}.ipynb").unlink()
    assert _grade(course, warm)["graded"] == 0
    assert normalised_dump(course.root) == before
    assert (course.root / "autograded" / "ben" / TINY / f"{TINY}.ipynb").exists()


def test_other_rows_are_left_alone(course, warm):
    submit(course, "anna")
    _grade(course, warm)
    before = _rows(course)
    submit(course, "ben")
    _grade(course, warm)
    assert _rows(course) == before
    assert not (course.root / ".autograder" / "staged").exists()


def test_nbgrader_says_nothing(course, warm, capfd):
    submit(course, "anna", b"broken", timestamp="2026-03-01 09:30:00 UTC")
    _grade(course, warm)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_stock_nbgrader_gives_the_same_points(tmp_path):
    """The real notebook, answers and blank: ours, then `nbgrader autograde` in the same folder."""
    notebook = "ch03a_self_attention"
    init_class.create(tmp_path / "class", "en", [notebook])
    course = ClassDir.open(tmp_path / "class")
    for student, place in (("perfect", "source"), ("blank", "release")):
        folder = course.root / "submitted" / student / notebook
        folder.mkdir(parents=True)
        shutil.copy(course.root / place / notebook / f"{notebook}.ipynb", folder)
    grade_class(course, notebook, jobs=2)
    ours = _auto_scores(course)
    assert sum(ours.values()) > 0
    command = [sys.executable, "-m", "nbgrader", "autograde", notebook, "--force"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert _auto_scores(course) == ours


def _auto_scores(course):
    rows = normalised_dump(course.root)
    return {(row["student"], row["cell"]): row["auto_score"] or 0 for row in rows}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"),
        ("<!-- x --><?php ?></p>", "< !-- x -->< ?php ?>< /p>"),
        ("$1 < 2$, a <= b, x <- y, 3<4", "$1 < 2$, a <= b, x <- y, 3<4"),
        ("**so** `code`", "**so** `code`"),
    ],
)
def test_written_answers_hold_no_html(text, shown):
    assert as_words(text) == shown


def test_the_secret_of_a_submission_travels_with_it(course, warm):
    submit(course, "anna", timestamp="2026-03-01 09:30:00 UTC")
    place = course.root / "submitted" / "anna" / TINY
    (place / "submission_secret.txt").write_text("5ecret")
    submit(course, "ben")
    (course.root / "submitted" / "ben" / TINY / "submission_secret.txt").symlink_to(
        course.root / ".autograder" / "course.json"
    )
    _grade(course, warm)
    copy = course.root / "autograded" / "anna" / TINY / "submission_secret.txt"
    assert copy.read_text() == "5ecret"
    assert not (course.root / "autograded" / "ben" / TINY / "submission_secret.txt").exists()
