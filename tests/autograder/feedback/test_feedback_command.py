"""Feedback where nbgrader looks for it: its own commands take it from there."""

import json
import os
import re
import stat
import subprocess
import sys

import pytest
from class_kit import make_class, submit
from nbgrader.api import Gradebook
from tiny_course import LIMITS, TINY, filled

from autograder.errors import CommandError
from autograder.feedback import cli
from autograder.grading import grade_class

WRITTEN = f"written_{TINY}"
SECRET = "c0ffee" * 10
WRONG = "def double(x):\n    return x * 3  # <script>alert(1)</script>\n"
# HTML in an answer would run on the pages of Formgrader.
WRITTEN_TEXT = "because $a<b$ <script>alert(2)</script> <img src=x onerror=alert(3)> **so**"
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path, warm):
    """Anna came through the exchange; Ben's file was put there by hand, in Chinese."""
    old = os.umask(0o022)
    course = make_class(tmp_path / "class")
    submit(course, "anna", timestamp="2026-03-01 09:30:00 UTC", double=WRONG, written=WRITTEN_TEXT)
    anna = course.root / "submitted" / "anna" / TINY
    (anna / "submission_secret.txt").write_text(SECRET)
    notebook = filled()
    notebook["metadata"]["course"]["lang"] = "zh"
    submit(course, "ben", notebook)
    grade_class(course, TINY, limits=LIMITS, spawner=warm)
    yield course
    os.umask(old)


def pages(course, **options):
    return {student: path for student, path, _ in cli.write_all(course.root, TINY, **options)}


def test_everybody_gets_a_page_in_the_language_of_their_notebook(course):
    found = pages(course)
    assert sorted(found) == ["anna", "ben"]
    for student, lang in (("anna", "en"), ("ben", "zh-Hans")):
        path = course.root / "feedback" / student / TINY / f"{TINY}.html"
        assert found[student] == path and f'lang="{lang}"' in path.read_text("utf-8")
    assert "return x * 3" in found["anna"].read_text("utf-8")
    assert 'lang="zh-Hans"' in pages(course, lang="zh", only=["anna"])["anna"].read_text("utf-8")


def test_an_unknown_student_is_told(course):
    with pytest.raises(CommandError, match="graded: anna, ben"):
        pages(course, only=["anne"])


def test_comments_given_by_hand_arrive_with_the_next_run(course):
    pages(course)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        grade = gradebook.find_grade(WRITTEN, TINY, TINY, "anna")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 0.0, 1.5, False
        comment = gradebook.find_comment(WRITTEN, TINY, TINY, "anna")
        comment.manual_comment = "Well argued; see § 3."
        gradebook.db.commit()
    text = pages(course)["anna"].read_text("utf-8")
    assert "Well argued; see § 3." in text and "+1.5" in text


def test_files_are_private_and_the_page_can_be_handed_out(course):
    """`release_feedback` copies the page with its mode; in the exchange a student must read it."""
    pages(course)
    root = course.root
    os.chmod(root, 0o755)  # private even if somebody opens the class folder itself
    for name in ("autograded", "feedback", "results"):
        assert stat.S_IMODE((root / name).stat().st_mode) == 0o700, name
    # .autograder is init-class's; here the kit made it.
    inside = [root / "gradebook.db", *(root / ".autograder").rglob("*")]
    inside += [p for name in ("autograded", "results") for p in (root / name).rglob("*")]
    inside += [p for p in (root / "feedback").rglob("*") if p.suffix != ".html"]
    assert len(inside) > 12
    for path in inside:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert not mode & 0o077, f"{path} has {mode:o}"
    page = root / "feedback" / "anna" / TINY / f"{TINY}.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o644


def nbgrader(course, *command, exchange):
    """Run one of nbgrader's own commands in the class folder."""
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    options = [f"--Exchange.root={exchange}", "--CourseDirectory.course_id=tiny"]
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command, *options],
        cwd=course.root,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_release_feedback_takes_the_pages(course, tmp_path):
    from nbgrader.utils import notebook_hash

    exchange = tmp_path / "exchange"
    exchange.mkdir()
    os.chmod(exchange, 0o777)
    found = pages(course)
    nbgrader(course, "release_feedback", TINY, exchange=exchange)
    place = exchange / "tiny" / "feedback"
    # Anna finds hers by the secret that was made when she submitted. Ben's, which has none, stops
    # nobody and lies where nobody can guess.
    hers = place / f"{notebook_hash(secret=SECRET, notebook_id=TINY)}.html"
    assert hers.read_bytes() == found["anna"].read_bytes()
    assert stat.S_IMODE(hers.stat().st_mode) & 0o044 == 0o044
    assert len(list(place.iterdir())) == 2


def test_nbgraders_own_feedback_works_and_leaks_nothing(course, tmp_path):
    nbgrader(course, "generate_feedback", TINY, "--force", exchange=tmp_path)
    text = (course.root / "feedback" / "anna" / TINY / f"{TINY}.html").read_text("utf-8")
    visible = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    visible = re.sub(r"<script.*?</script>", "", visible, flags=re.DOTALL)
    assert "one number" in visible and "Score: 4.0 / 7.0" in " ".join(visible.split())
    assert not re.search(r"<script>alert|<img|onerror=\"", visible + text[-5000:])
    assert "&lt; script&gt;alert(2)" in visible and "<strong>so</strong>" in visible
    # Nothing of the cases: neither their source, nor the seed, nor how they expect something.
    for secret in ("seed", "rng.", "expect(", ".equals(", "np.abs", "def negative", "oracle"):
        assert secret not in visible, secret
    assert (course.root / "feedback" / "anna" / TINY / "submission_secret.txt").exists()


def test_the_pages_hold_no_test_source(course):
    for path in pages(course).values():
        text = path.read_text("utf-8")
        for secret in ("seed", "rng.", "expect(", ".equals(", "np.abs", "def negative"):
            assert secret not in text, secret


@pytest.mark.parametrize(
    ("head", "lang"),
    [
        ('{"metadata": {"course": {"lang": "en", "notebook": "x"}}}', "en"),
        ('{"metadata": {"course" :\n{"notebook": "x",\n "lang":"zh"}}}', "zh"),
        ('{"lang": "en"}', None),
        ('{"course": {"lang": "fr"}}', None),
        ("not JSON \x00 at all", None),
        ("[" * 100_000, None),
        ('"course":{' * 200_000, None),
        ('{"metadata": {"course": {"lang": "zh"}, "widgets": "' + "x" * 300_000 + '"}}', "zh"),
    ],
)
def test_the_edition_is_read_without_parsing(head, lang, tmp_path):
    folder = tmp_path / "submitted" / "anna" / TINY
    folder.mkdir(parents=True)
    (folder / "other_name.ipynb").write_text(head)
    assert cli.edition(tmp_path, "anna", TINY) == lang
    assert cli.edition(tmp_path, "ben", TINY) is None


def test_a_broken_result_is_named_and_the_rest_is_written(course, capsys):
    (course.root / "results" / "ben" / f"{TINY}.json").write_text("{")
    import argparse

    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers())
    args = parser.parse_args(["feedback", TINY, "--course", str(course.root), "--json"])
    assert cli.run(args) == 1
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert [one["student"] for one in told["written"]] == ["anna"]
    assert told["unreadable"] == ["ben"] and "ben" in said.err
