"""Keys: whatever a score depends on changes them, and nothing else does."""

import dataclasses
import subprocess
import sys

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, TINY, filled, handed

from autograder import keys
from autograder.grading import plan_work
from autograder.keys import data_digest, grader_key, halves, result_key
from autograder.running import How

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path):
    return make_class(tmp_path / "class")


def _key(course, **how):
    submit(course, "anna")
    how.setdefault("limits", LIMITS)
    return plan_work(course, TINY, How(**how)).todo[0][1]


def test_the_same_circumstances_give_the_same_key(course):
    assert _key(course) == _key(course) == _key(course, jobs=7, cache=course.root)


@pytest.mark.parametrize(
    "change",
    [
        lambda course: {"limits": dataclasses.replace(LIMITS, memory_mb=1300)},
        lambda course: {"tier": "limits"},
        lambda course: course.released(TINY).write_text(course.released(TINY).read_text() + " "),
        lambda course: (course.released(TINY).parent / "corpus.txt").write_text("data"),
        lambda course: object.__setattr__(course, "seed", course.seed + 1),
    ],
    ids=["limits", "jail", "release", "data", "seed"],
)
def test_what_a_score_depends_on_changes_the_graders_half(course, change):
    before = _key(course)
    how = change(course)
    after = _key(course, **(how if isinstance(how, dict) else {}))
    assert halves(before)[0] != halves(after)[0]
    assert halves(before)[1] == halves(after)[1]


def test_another_file_changes_the_submissions_half():
    one, two = (result_key("a" * 32, handed(filled(double=text))) for text in ("x = 1", "x = 2"))
    assert halves(one)[0] == halves(two)[0] and halves(one)[1] != halves(two)[1]
    assert result_key("a", handed(filled(), "anna")) == result_key("a", handed(filled(), "ben"))


def test_a_jail_is_a_jail(course):
    """Machines with different jails can share a class; a machine without one cannot."""
    assert _key(course, tier="namespaces") == _key(course, tier="landlock") == _key(course)


@pytest.mark.parametrize("key", [None, 3, "", "abc", "abc-"])
def test_what_is_no_key_has_no_halves(key):
    assert halves(key) == ("", "")


def test_data_in_another_file_is_other_data(tmp_path):
    released = tmp_path / "nb.ipynb"
    released.write_text("{}")
    (tmp_path / "a").write_text("12")
    first = data_digest(released)
    (tmp_path / "a").rename(tmp_path / "b")
    assert data_digest(released) != first


def test_no_module_that_scores_come_from_is_left_out_of_the_key():
    """Loads all that grades a submission, on both sides, and compares with the list."""
    code = """
import sys
import autograder.submissions, autograder.exercise, autograder.sandbox.child
import autograder.sandbox.zygote, autograder.executor, autograder.judge
autograder.exercise.all_exercises()
print("\\n".join(name for name in sys.modules if name.startswith("autograder.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert {"attempt", "compare", "oracles", "judge", "matching"} <= loaded
    assert not {name for name in loaded if name in keys.UNRELATED or f"{name}.py" in keys.UNRELATED}


def test_the_list_names_only_what_exists():
    missing = {name for name in keys.UNRELATED if not (keys.HOME / name).exists()}
    assert not missing


def test_the_key_of_a_release_is_private_to_its_class(course):
    """The seed is in the key as a digest only (a seed too long to turn up in one by chance)."""
    from autograder.submissions import open_assignment

    seed = 908172635445362718
    assignment = open_assignment(TINY, course.released(TINY), seed)
    key = grader_key(assignment, LIMITS, contained=True, data=b"")
    assert len(key) == keys.LENGTH and str(seed) not in key
