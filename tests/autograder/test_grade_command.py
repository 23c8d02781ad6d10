"""`autograder grade` as an instructor meets it: hints, the bar, and what it leaves alone."""

import hashlib
import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from class_kit import make_class, submit
from leftovers import adopting, orphans, orphans_after
from tiny_course import POINTS, TINY

from autograder import grade_options
from autograder.__main__ import main

TOTAL = sum(POINTS.values())
SCRIPT = Path(__file__).with_name("tiny_command.py")


@pytest.fixture
def course(tmp_path, tiny):
    course = make_class(tmp_path / "class")
    submit(course, "anna")
    submit(course, "ben", double="def double(x):\n    return 3 * x\n")
    return course


def _grade(course, *more, **options):
    command = [sys.executable, SCRIPT, "grade", TINY, "--course", course.root, *more]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([*map(str, command)], text=True, check=False, **options)


@pytest.mark.parametrize("command", ["grade", "merge", "regrade", "rebuild"])
def test_without_a_class_the_hint_is_one_line(capsys, command):
    assert main([command, TINY]) == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1
    assert f"autograder {command}: which class? Add --course DIR" in said.err
    assert f"autograder {command} {TINY} --course" in said.err


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--jobs", "0"], "--jobs"),
        (["--shard", "3/2"], "2/8"),
        (["--cluster", "tcp://127.0.0.1:8786"], "tls://host:port"),
        (["--cluster", "tls://127.0.0.1:8786"], "--cluster-cert"),
        (["--cluster", "tls://127.0.0.1:8786", "--cache", "x"], "--cache"),
        (["--fresh", "--cache", "/proc/nowhere"], "--cache"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(course, capsys, options, hint):
    before = _digest(course.root)
    assert main(["grade", TINY, "--course", str(course.root), *options]) == 2
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1 and hint in said.err
    assert _digest(course.root) == before


def _digest(root, left_out=()):
    """Every file and folder with its rights, its time and what is in it."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if name.parts[0] in left_out or str(name).startswith(".autograder/lock"):
            continue
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(name)] = (status.st_mode, content, status.st_mtime_ns if content else 0)
    return found


def test_grading_leaves_the_class_and_the_machine_as_they_were(course, tmp_path):
    ours = ("results", "autograded", "feedback", "gradebook.db", ".autograder")
    before, private = _digest(course.root, ours), course.root / ".autograder" / "course.json"
    seed, there = private.read_bytes(), orphans()
    temporary, place = tmp_path / "tmp", tmp_path / "place"
    for folder in (temporary, place):
        folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "HOME": str(place)}
    submit(course, "ben", double="import os\nif os.fork():\n    os._exit(0)\nwhile True: pass")
    before = _digest(course.root, ours)
    with adopting():
        done = _grade(course, "--jobs", "2", cwd=place, env=environment)
        assert done.returncode == 0, done.stderr
        assert orphans_after(there, 5) == set()
    assert _digest(course.root, ours) == before and private.read_bytes() == seed
    assert os.listdir(temporary) == [] and os.listdir(place) == []
    # Without a terminal there is no bar, and nothing went wrong: nothing is said.
    assert done.stderr == "" and f"{TINY}: 2 submissions" in done.stdout


def test_standard_output_is_one_json_object(course):
    done = _grade(course, "--json", "--no-gradebook", "--shard", "1/1")
    summary = json.loads(done.stdout)
    assert summary["graded"] == 2 and summary["lowered"] == [] and summary["shard"] == "1/1"
    assert {s["id"]: s["score"] for s in summary["students"]} == {"anna": TOTAL, "ben": TOTAL - 3}
    assert not (course.root / "autograded").exists()


def test_a_terminal_gets_a_bar_that_ends_full(course):
    ours, theirs = os.openpty()
    try:
        done = _grade(course, "--no-gradebook", stderr=theirs)
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
    finally:
        os.close(ours)
    assert done.returncode == 0
    assert b"100%" in shown and b"2/2" in shown and TINY.encode() in shown


def _read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # nobody has the other end open any more
        return b""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_time_that_is_left_does_not_count_what_was_finished_earlier(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with grade_options.bar("ch03a", quiet=False) as shown:
        shown.begin(10, 6)
        # One submission took ten seconds: three more take thirty.
        shown._bar.start_t = time.time() - 10
        shown.step({})
        line = str(shown._bar)
    assert "7/10" in line and "<00:30" in line


@pytest.mark.parametrize(("terminal", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
def test_nobody_looking_nothing_shown(monkeypatch, terminal, quiet):
    monkeypatch.setattr(sys, "stderr", terminal)
    with grade_options.bar("ch03a", quiet=quiet) as shown:
        shown.begin(2, 0)
        shown.step({})
    assert terminal.getvalue() == ""
