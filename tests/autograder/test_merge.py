"""A class graded in parts: the same students in each, one gradebook at the end."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, POINTS, TINY, register, unregister

from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.merge import merge
from autograder.running import How
from autograder.shards import Shard

TOTAL = sum(POINTS.values())
STUDENTS = ("anna", "ben", "cara", "王小明", "zoë [1]")
HOW = How(limits=LIMITS)
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path):
    course = make_class(tmp_path / "class")
    _fill(course)
    return course


def _fill(course):
    for student in STUDENTS:
        submit(course, student)
    submit(course, "ben", double="def double(x):\n    return 3 * x\n")


def _grade(course, warm, **options):
    return grade_class(course, TINY, limits=LIMITS, spawner=warm, **options)


@pytest.fixture(scope="module")
def results(tmp_path_factory, warm):
    """Results of the whole class, graded once."""
    register()
    course = make_class(tmp_path_factory.mktemp("graded") / "class")
    _fill(course)
    _grade(course, warm, gradebook=False)
    unregister()
    return course.root / "results"


@pytest.fixture
def graded(course, results):
    shutil.copytree(results, course.root / "results")
    return course


def _shards(course, warm, count=3):
    return [_grade(course, warm, shard=Shard(i + 1, count), gradebook=False) for i in range(count)]


def test_every_student_is_in_exactly_one_part():
    students = [f"s{number}" for number in range(500)]
    for count in (1, 2, 7):
        parts = [Shard(number + 1, count) for number in range(count)]
        sizes = Counter(
            number for student in students for number, p in enumerate(parts) if p.holds(student)
        )
        assert sum(sizes.values()) == 500
        assert all(sizes[number] > 500 / count / 2 for number in range(count))


def test_parts_do_not_depend_on_the_rest_of_the_class_nor_on_the_machine():
    # The first eight bytes of SHA-256 of each id, modulo 4, worked out with sha256sum.
    assert [next(i for i in range(1, 5) if Shard(i, 4).holds(s)) for s in ("anna", "ben")] == [
        int("55579b557896d0ce", 16) % 4 + 1,
        int("6700869c8ff7480e", 16) % 4 + 1,
    ]


@pytest.mark.parametrize("text", ["", "0/3", "4/3", "1", "1/0", "-1/3", "a/b", "1/3/5", "1.5/3"])
def test_what_is_no_part_is_told(text):
    with pytest.raises(CommandError, match="2/8"):
        Shard.parse(text)


def test_parts_and_merge_equal_one_run(course, warm, tmp_path):
    whole = ClassDir.open(shutil.copytree(course.root, tmp_path / "whole"))
    _grade(whole, warm)
    summaries = _shards(course, warm)
    assert sum(len(summary["students"]) for summary in summaries) == len(STUDENTS)
    assert not (course.root / "autograded").exists()
    merged = merge(course, TINY, HOW, [])
    assert merged["missing"] == merged["refused"] == merged["gradebook_errors"] == []
    assert normalised_dump(course.root) == normalised_dump(whole.root)
    assert merge(course, TINY, HOW, []) == merged


def test_parts_graded_in_copies_are_collected(course, warm, tmp_path):
    places = []
    for number in (1, 2):
        copy = ClassDir.open(shutil.copytree(course.root, tmp_path / f"node{number}"))
        _grade(copy, warm, shard=Shard(number, 2), gradebook=False)
        places.append(copy.root / "results")
    merged = merge(course, TINY, HOW, places)
    assert [s["id"] for s in merged["students"]] == sorted(STUDENTS)
    scores = {s["id"]: s["score"] for s in merged["students"]}
    assert scores == {**dict.fromkeys(STUDENTS, TOTAL), "ben": TOTAL - 3}
    assert _grade(course, warm)["graded"] == 0


def test_who_is_missing_is_named_and_the_others_are_in(graded):
    course = graded
    course.result_path("cara", TINY).unlink()
    merged = merge(course, TINY, HOW, [])
    assert merged["missing"] == ["cara"]
    rows = normalised_dump(course.root)
    assert {row["student"] for row in rows} == set(STUDENTS) - {"cara"}


def _forge(result, **changes):
    return {**result, **changes}


def _more_points(result):
    entries = json.loads(json.dumps(result["exercises"]))
    entries[0]["cases"][0]["points"] = 1e6
    return {**result, "exercises": entries}


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda r: _forge(r, student="ben"), "belongs to 'ben'"),
        (lambda r: _forge(r, assignment="ch01"), "it is for"),
        (lambda r: _forge(r, key="0" * 32 + r["key"][32:]), "another grader"),
        (lambda r: _forge(r, key=r["key"][:33] + "0" * 32), "another file"),
        (lambda r: _forge(r, score=r["score"] + 1), "add up"),
        (lambda r: _forge(r, exercises=r["exercises"][1:]), "other exercises"),
        (_more_points, "impossible points"),
        (lambda r: _forge(r, plan=[{"role": "answer"}]), "damaged"),
        (lambda r: _forge(r, cells=[{"cell": 3}]), "damaged"),
        (lambda r: _forge(r, format=0), "cannot be read"),
        (lambda r: _forge(r, score=float("nan")), "cannot be read"),
        (lambda r: [r], "cannot be read"),
    ],
)
def test_a_result_that_does_not_belong_is_refused(graded, damage, why):
    path = graded.result_path("anna", TINY)
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    for student in STUDENTS[1:]:  # nbgrader takes its time for each of them
        shutil.rmtree(graded.root / "submitted" / student)
    merged = merge(graded, TINY, HOW, [])
    assert merged["missing"] == ["anna"]
    assert [entry["id"] for entry in merged["refused"]] == ["anna"]
    assert why in merged["refused"][0]["why"]


def test_a_newer_file_is_not_given_an_older_result(graded):
    course = graded
    submit(course, "anna", double="x = 1")
    merged = merge(course, TINY, HOW, [])
    assert merged["missing"] == ["anna"]


def test_two_parts_at_once_are_let_in_and_a_whole_run_is_not(course):
    one, two = Shard(1, 2).lock, Shard(2, 2).lock
    with course.working(one), course.working(two):
        for part in ("", one):
            with pytest.raises(CommandError, match="at work"):
                course.working(part).__enter__()
    with course.working(), pytest.raises(CommandError, match="at work"):
        course.working(one).__enter__()


def test_the_command_names_who_is_missing(graded):
    script = Path(__file__).with_name("tiny_command.py")
    command = [sys.executable, script, "merge", TINY, "--course", graded.root, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    # The command has other limits than the parts were graded with: all are refused, and why.
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert summary["missing"] == sorted(STUDENTS)
    assert f"{len(STUDENTS)} not graded yet: {', '.join(sorted(STUDENTS))}" in done.stderr
    # A reason that holds for all is said once.
    assert done.stderr.count("another grader made it") == 1 and "and 4 more" in done.stderr
    assert len(done.stderr.splitlines()) == 2
