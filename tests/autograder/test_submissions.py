"""One submission: what goes wrong costs its own case, and everything else keeps its points."""

import codecs
import json
import signal
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from tiny_course import LIMITS, POINTS, assignment, cell, filled, handed, to_bytes

from autograder.attempt import Attempt, Gate
from autograder.matching import CellPlan
from autograder.results import StudentDied, StudentTimeout
from autograder.sandbox import SandboxError
from autograder.sandbox.processes import descendants, send_signal
from autograder.submissions import grade_submission

TOTAL = sum(POINTS.values())
pytestmark = pytest.mark.usefixtures("tiny")


def _grade(warm, notebook):
    return grade_submission(handed(notebook), assignment(), warm, LIMITS, Gate())


def _points(result):
    return {entry["id"]: entry["score"] for entry in result["exercises"]}


def _codes(result):
    return {note["code"] for note in result["repairs"]}


def test_right_answers_get_everything(warm):
    result = _grade(warm, filled())
    assert _points(result) == POINTS
    assert (result["score"], result["max_score"]) == (TOTAL, TOTAL)
    assert result["repairs"] == [] and result["cells"] == [] and result["respawns"] == 0
    json.dumps(result)


def test_blank_gets_nothing(warm):
    from tiny_course import released

    result = _grade(warm, released())
    assert result["score"] == 0 and result["repairs"] == []


def test_a_syntax_error_costs_its_cell(warm):
    result = _grade(warm, filled(double="def double(x:\n    return"))
    assert _points(result) == {**POINTS, "double": 0}
    trouble = result["exercises"][0]["cell"]
    assert trouble["status"] == "error" and trouble["type"] == "SyntaxError"


def test_an_endless_cell_costs_its_exercise(warm):
    result = _grade(warm, filled(pair_sum="while True: pass"))
    assert _points(result) == {**POINTS, "pair_sum": 0}
    assert result["exercises"][1]["incidents"][0] == "timeout"
    assert result["cells"][0]["cell"] == "answer_pair_sum"


HANGS = "def double(x):\n    while (x < 0).all():\n        pass\n    return x + x\n"


def test_a_hung_case_costs_itself_and_is_tried_twice_only(warm):
    started = time.monotonic()
    result = _grade(warm, filled(double=HANGS))
    assert _points(result) == {**POINTS, "double": 2}
    assert result["exercises"][0]["incidents"] == ["timeout"]
    assert 2 * LIMITS.call_seconds <= time.monotonic() - started < 4 * LIMITS.call_seconds + 2
    assert result["respawns"] == 2


def test_after_a_confirmed_hang_the_rest_of_the_exercise_is_not_retried(warm):
    result = _grade(warm, filled(double="def double(x):\n    while True: pass\n"))
    assert _points(result) == {**POINTS, "double": 0}
    assert result["exercises"][0]["incidents"] == ["timeout"] * 3
    # 2 for the first (it and its retry), 1 for each of the other two.
    assert result["respawns"] <= 4
    assert result["seconds"] < 2 * LIMITS.call_seconds + 4


def test_greed_costs_itself(warm):
    greedy = """
def double(x):
    if (x < 0).all():
        x = list(range(10**9))
    return 2 * x
"""
    result = _grade(warm, filled(double=greedy))
    assert _points(result) == {**POINTS, "double": 2}
    assert result["exercises"][0]["incidents"] == ["memory"]


def test_a_death_costs_itself_and_is_not_retried(warm):
    dies = (
        "import os\ndef double(x):\n    if (x < 0).all():\n        os._exit(0)\n    return 2 * x\n"
    )
    result = _grade(warm, filled(double=dies))
    assert _points(result) == {**POINTS, "double": 2}
    assert result["exercises"][0]["incidents"] == ["died"]
    assert result["respawns"] == 1


def test_a_cell_of_the_students_own_that_dies_is_left_out(warm):
    notebook = filled()
    notebook["cells"].insert(2, cell("code", "import os\nos._exit(1)", "mine"))
    notebook["cells"].insert(2, cell("code", "helper = 1", "mine-too"))
    result = _grade(warm, notebook)
    assert _points(result) == POINTS
    assert [trouble["status"] for trouble in result["cells"]] == ["died"]


def test_own_helpers_are_there(warm):
    notebook = filled(double="def double(x):\n    return twice(x)\n")
    notebook["cells"].insert(2, cell("code", "def twice(x):\n    return 2 * x", "mine"))
    assert _points(_grade(warm, notebook)) == POINTS


def test_experiments_and_checks_are_not_run(warm):
    notebook = filled()
    for part in notebook["cells"]:
        if part["id"].startswith("check"):
            part["source"] = "raise SystemError('the check cell ran')"
    result = _grade(warm, notebook)
    assert _points(result) == POINTS and result["cells"] == []
    assert _codes(result) == {"edited_check"}


def test_an_answer_that_shadows_the_check_gains_nothing(warm):
    result = _grade(
        warm,
        filled(double="def check(*a, **k):\n    return 3\ndef double(x):\n    return 3 * x\n"),
    )
    assert _points(result)["double"] == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "unreadable"),
        (b"\x00\x01\x02", "unreadable"),
        (b"[" * 200_000, "unreadable"),
        (b'{"cells": "no"}', "unreadable"),
        (b'{"cells": [{"cell_type": "code", "source": 3}], "nbformat": 4}', "broken_cell"),
    ],
)
def test_what_is_no_notebook_is_reported(warm, data, code):
    result = _grade(warm, data)
    assert result["score"] == 0 and code in _codes(result)


@pytest.mark.parametrize("damage", ["bom", "utf16", "windows", "truncated"])
def test_damaged_files_keep_their_points(warm, damage):
    text = to_bytes(filled()).decode()
    data = {
        "bom": codecs.BOM_UTF8 + text.encode(),
        "utf16": text.encode("utf-16"),
        "windows": text.replace("\\n", "\\r\\n").encode(),
        "truncated": text.encode()[: text.index("Why?")],
    }[damage]
    result = _grade(warm, data)
    assert _points(result) == POINTS


class _Marked:
    """A sandbox whose first process alone has FIRST set."""

    def __init__(self, warm):
        self.warm, self.count = warm, 0

    def spawn(self):
        child = self.warm.spawn()
        self.count += 1
        if self.count == 1:
            child.run_cell("FIRST = True", "mark")
        return child


def test_a_layer_is_built_again_after_a_hang(warm):
    """A call on a built layer hangs once: its weights must be back when it is tried again."""
    scale = """
class Scale(keras.layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(shape=(), initializer="ones", name="factor")
    def call(self, x):
        while float(self.factor) == 2.5 and "FIRST" in globals():
            pass
        return x * self.factor
"""
    spawner = _Marked(warm)
    submission = handed(filled(scale=scale))
    result = grade_submission(submission, assignment(), spawner, LIMITS, Gate())
    assert _points(result) == POINTS
    assert result["exercises"][2]["incidents"] == [] and result["respawns"] == 1


class _Spawner:
    """Processes that answer from a script; records what they were asked."""

    def __init__(self, *scripts):
        self.scripts, self.spawned = list(scripts), []

    def spawn(self):
        child = _Child(self.scripts.pop(0))
        self.spawned.append(child)
        return child


class _Child:
    def __init__(self, replies):
        self.replies, self.alive, self.cells, self.ops = list(replies), True, [], []

    def run_cell(self, source, name, timeout):
        from autograder.sandbox import CellOutcome

        self.cells.append(name)
        return CellOutcome("ok")

    def request(self, op, timeout):
        self.ops.append(op)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            self.alive = False
            raise reply
        return {"ok": True, "value": reply}

    def close(self):
        self.alive = False


CELLS = [CellPlan("setup", "", "a"), CellPlan("answer", "", "b")]


def test_a_time_out_is_retried_in_a_fresh_process_with_the_same_cells():
    spawner = _Spawner([StudentTimeout()], [5])
    attempt = Attempt(spawner, CELLS, LIMITS, Gate())
    attempt.run_cells()
    assert attempt.request({"op": "call", "target": "f"})["value"] == 5
    assert [child.cells for child in spawner.spawned] == [["a", "b"], ["a", "b"]]
    assert not spawner.spawned[0].alive


def test_objects_are_made_again_in_order_with_their_weights():
    spawner = _Spawner(
        ["layer0", None, StudentTimeout()],
        ["other7", None, 8],
    )
    attempt = Attempt(spawner, CELLS, LIMITS, Gate())
    attempt.run_cells()
    name = attempt.request({"op": "build", "target": "L", "args": [1]})["value"]
    attempt.request({"op": "set_weights", "object": name, "values": {"w": 2}})
    assert attempt.request({"op": "call", "object": name})["value"] == 8
    assert [(op["op"], op.get("object")) for op in spawner.spawned[1].ops] == [
        ("build", None),
        ("set_weights", "other7"),
        ("call", "other7"),
    ]


def test_a_death_is_raised_at_once_and_the_next_request_meets_a_fresh_process():
    spawner = _Spawner([StudentDied()], [1])
    attempt = Attempt(spawner, CELLS, LIMITS, Gate())
    attempt.run_cells()
    with pytest.raises(StudentDied):
        attempt.request({"op": "call"})
    assert attempt.request({"op": "call"})["value"] == 1


@pytest.mark.parametrize("why", ["SIGKILL", "lost"])
def test_a_process_that_something_else_killed_is_tried_once_more(why):
    spawner = _Spawner([StudentDied(why)], [5], [StudentDied(why)], [StudentDied(why)], [6])
    attempt = Attempt(spawner, CELLS, LIMITS, Gate())
    attempt.run_cells()
    assert attempt.request({"op": "call", "target": "f"})["value"] == 5
    spawner.spawned[-1].replies = [StudentDied(why)]
    with pytest.raises(StudentDied):
        attempt.request({"op": "call", "target": "f"})
    assert len(spawner.spawned) == 3


class _Killer:
    """Spawns real processes and kills the first one from outside, while it reads or in a call."""

    def __init__(self, warm, when):
        self.warm, self.when, self.spawned = warm, when, 0

    def spawn(self):
        child = self.warm.spawn()
        self.spawned += 1
        if self.spawned == 1:
            timer = threading.Timer(self.when, self._kill)
            timer.daemon = True
            timer.start()
        return child

    def _kill(self):
        killed, until = False, time.monotonic() + 5
        while not killed and time.monotonic() < until:  # it may not have been forked yet
            for keeper in descendants(self.warm.pid, direct=True):
                for student in descendants(keeper, direct=True):
                    killed = True
                    send_signal(student, signal.SIGKILL)


@pytest.mark.parametrize("when", [0.0, 0.7])
def test_a_kill_from_outside_costs_nobody_anything(warm, when):
    slow = "import time\ndef double(x):\n    time.sleep(0.5)\n    return x + x\n"
    spawner = _Killer(warm, when)
    result = grade_submission(handed(filled(double=slow)), assignment(), spawner, LIMITS, Gate())
    assert _points(result) == POINTS and result["repairs"] == []
    assert [entry["incidents"] for entry in result["exercises"]] == [[], [], []]
    assert spawner.spawned == 2


def test_a_jail_that_fails_ends_the_run(warm, monkeypatch):
    """It is the machine's fault: no result at all is better than a wrong 0."""
    monkeypatch.setattr(warm, "limits", replace(warm.limits, memory_mb=2**60))
    with pytest.raises(SandboxError, match="could not be confined"):
        _grade(warm, filled())


def test_restarts_are_capped():
    from autograder import attempt as module

    spawner = _Spawner(*([StudentDied()] for _ in range(module.MAX_RESPAWNS + 1)))
    attempt = Attempt(spawner, CELLS, LIMITS, Gate())
    attempt.run_cells()
    for _ in range(module.MAX_RESPAWNS + 5):
        with pytest.raises(StudentDied):
            attempt.request({"op": "call"})
    assert len(spawner.spawned) == module.MAX_RESPAWNS + 1


def test_the_gate_lets_one_alone():
    gate, log = Gate(), []
    inside = threading.Event()

    def shared(number):
        with gate.shared():
            log.append(f"in{number}")
            inside.set()
            time.sleep(0.1)
            log.append(f"out{number}")

    def alone():
        with gate.alone():
            log.append("alone")
            time.sleep(0.1)
            log.append("done")

    first = threading.Thread(target=shared, args=(1,))
    first.start()
    inside.wait()
    second = threading.Thread(target=alone)
    second.start()
    time.sleep(0.02)
    third = threading.Thread(target=shared, args=(2,))
    third.start()
    for thread in (first, second, third):
        thread.join(5)
    assert log == ["in1", "out1", "alone", "done", "in2", "out2"]


def test_numbers_of_any_size_survive(warm):
    """An answer that returns an enormous array is an incident or an error, never a stop."""
    big = "import numpy as np\ndef double(x):\n    return np.ones(5 * 10**7)\n"
    result = _grade(warm, filled(double=big))
    assert _points(result) == {**POINTS, "double": 0}
    assert np.isfinite(result["score"])


@pytest.mark.parametrize(
    "source",
    [
        "-" * 90_000 + "1",
        "(" * 90_000,
        "[" * 5000 + "]" * 5000,
        "x = a" + ".a" * 90_000,
        "x = 1" + "+1" * 90_000,
        "x = " + "not " * 40_000 + "1",
        "x = " + "lambda: " * 20_000 + "1",
        "x = " + "a if b else " * 15_000 + "1",
        "f" + "(1)" * 60_000,
        "\n".join(" " * n + "if 1:" for n in range(400)),
    ],
    ids=lambda source: source[:9].strip(),
)
def test_deep_syntax_costs_its_cell(warm, source):
    result = _grade(warm, filled(double=source + "\n"))
    assert _points(result) == {**POINTS, "double": 0}
