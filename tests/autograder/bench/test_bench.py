"""`autograder bench`: its clocks, its accounts, and a tiny run of it."""

import json
import sys
import threading
import time

import pytest

from autograder.__main__ import main
from autograder.bench import cli, commands, measure, sides, stages, work
from autograder.bench import exercises as bench
from autograder.errors import CommandError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading a class needs Linux")

BURN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


@pytest.fixture(autouse=True)
def no_trace():
    """The measuring notebook's exercises leave the registry again."""
    yield
    bench.unregister()


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def test_a_command_costs_what_its_grandchildren_cost(place):
    child = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN.format(0.4)!r}])"
    parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])\nprint(7)"
    cost = commands.run([sys.executable, "-c", parent], place, {})
    assert 0.4 <= cost.cpu_seconds < 3
    assert cost.seconds >= 0.4
    assert cost.output == "7\n"


def test_children_are_told_apart_by_their_command_lines(place):
    loads = (0.5, 1.0)
    texts = [f"marked = 1\n{BURN.format(load)}" for load in loads] + [BURN.format(0.7)]
    parent = "import subprocess, sys\n" + "".join(
        f"subprocess.run([sys.executable, '-c', {text!r}])\n" for text in texts
    )
    cost = commands.run([sys.executable, "-c", parent], place, {}, watch="marked")
    assert len(cost.parts) == 2
    for part, load in zip(cost.parts, loads, strict=True):
        # It is looked at ten times a second, and Python starts in some hundredths.
        assert load - 0.2 <= part < load + 0.5
    assert cost.cpu_seconds > sum(cost.parts) + 0.6


def test_a_command_that_fails_says_what_it_said_last(place):
    code = "import sys\nprint('first', file=sys.stderr)\nsys.exit('no such class\\n')"
    with pytest.raises(CommandError, match=r"^exit code 1 of -c import .*: no such class$"):
        commands.run([sys.executable, "-c", code], place, {})


def test_every_second_is_told_once(monkeypatch):
    clocks = stages.Stages({"outer": (f"{__name__}:outer",), "inner": (f"{__name__}:inner",)})
    with clocks.measuring():
        threads = [threading.Thread(target=outer) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert outer.__name__ == "outer" and not hasattr(outer, "__wrapped__")
    rows = {row["stage"]: row for row in clocks.table()}
    assert rows["outer"]["calls"] == 2 and rows["inner"]["calls"] == 4
    assert rows["outer"]["seconds"] == pytest.approx(2 * 0.1, abs=0.08)
    assert rows["inner"]["seconds"] == pytest.approx(4 * 0.15, abs=0.15)
    assert rows["inner"]["cpu_seconds"] < 0.1
    assert rows["outer"]["first"] <= rows["inner"]["first"] < rows["inner"]["last"]


def inner():
    time.sleep(0.15)


def outer():
    time.sleep(0.1)
    inner()
    inner()


def test_a_stage_that_has_moved_is_no_silent_zero():
    clocks = stages.Stages({"lost": (f"{__name__}:nowhere",)})
    with pytest.raises(LookupError, match="nowhere"), clocks.measuring():
        pass


def test_every_stage_is_where_it_is_said_to_be():
    with stages.Stages().measuring():
        pass


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--ours", "0"], "--ours 0"),
        (["--stock", "20", "--ours", "10"], "no more than --ours"),
        (["--rounds", "9", "--ours", "3", "--stock", "0"], "more rounds"),
        (["--growth", "15,many"], "--growth 15,many"),
        (["--keep", "/"], "exists"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(options, word, capsys):
    assert main(["bench", *options]) == 2
    error = capsys.readouterr().err
    assert word in error and error.count("\n") == 1


def test_parts_are_of_equal_size():
    assert [len(part) for part in measure._split(list(range(11)), 3)] == [3, 4, 4]
    assert measure._split([], 2) == [[], []]


def cost(seconds, cpu):
    return commands.Cost(0.0, seconds, cpu)


def handed(student, **points):
    return work.Submission(student, b"", {name: float(p) for name, p in points.items()}, {})


def test_scores_that_are_not_the_known_ones_are_told():
    class_of_two = [handed("anna", one=2, two=3), handed("ben", one=0, two=3)]
    turn = sides.Round(
        cost(30.0, 12.0),
        {"anna": 5.0, "ben": 2.0},
        {"anna": {"one": 2.0, "two": 3.0}, "ben": {"two": 2.0}},
        [5.0, 7.0],
    )
    side = measure._side([turn], class_of_two)
    assert side["wrong"] == [{"student": "ben", "exercise": "two", "score": 2.0, "expected": 3.0}]
    assert side["per_minute"] == 4.0
    assert side["cpu_seconds"] == {"median": 6.0, "worst": 7.0, "mean": 6.0}
    assert measure._side([], [])["per_minute"] == 0.0


def test_what_is_nobodys_is_shared_out_evenly():
    assert sides._shared_out(cost(1, 10.0), [1.0, 3.0], 2) == [4.0, 6.0]


def check_report(report, n, stock):
    """What scripts rely on."""
    assert report["ours"]["n"] == n and report["nbgrader"]["n"] == stock
    assert report["ours"]["scores"] == report["expected"]
    assert report["ours"]["wrong"] == [] and report["ours"]["unnamed"] == []
    assert report["ours"]["seconds"] > 0
    assert 0 < report["cpu_seconds_per_submission"]["ours"] < 60


def test_a_tiny_run_of_ours(capsys):
    """Right answers, a mistake, a mistake of training: scores and names as known beforehand."""
    assert main(["bench", "--ours", "3", "--stock", "0", "--rounds", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, 3, 0)
    assert report["ratio"] is None
    assert list(report["expected"].values())[:2] == [22.0, 22.0]
    assert report["expected"]["s0002"] < 22
    text = "\n".join(cli.lines(report))
    assert "3/3" in text and "≠" not in text


@pytest.mark.slow
def test_a_tiny_run_of_both(capsys, tmp_path):
    """Both sides on the same work, growth and the profile; folders are kept where asked."""
    keep = tmp_path / "kept"
    options = ["--ours", "4", "--stock", "2", "--rounds", "2", "--growth", "2,4"]
    options += ["--profile", "--keep", str(keep), "--json"]
    assert main(["bench", *options]) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, 4, 2)
    assert set(report["nbgrader"]["scores"]) == {"s0000", "s0001"}
    assert report["nbgrader"]["cpu_seconds"]["worst"] >= report["nbgrader"]["cpu_seconds"]["median"]
    assert len(report["nbgrader"]["round_seconds"]) == 2
    assert report["ratio"] == pytest.approx(
        report["ours"]["per_minute"] / report["nbgrader"]["per_minute"]
    )
    assert [n for n, _ in report["scaling"]] == [2, 4]
    rows = {row["stage"]: row for row in report["profile"]["stages"]}
    assert rows["jail and repair"]["calls"] == 4 and rows["judging"]["calls"] >= 4 * 6 - 6
    assert all(0 <= row["first"] <= row["last"] for row in rows.values())
    assert len(list(keep.glob("*/gradebook.db"))) == 5
    text = "\n".join(cli.lines(report))
    assert "ratio" in text and "class of" in text and "nbgrader's converter" in text
