"""The time limit of `check()`: it ends loops, spares the kernel and leaves Ctrl-C alone."""

import importlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from autograder import exercise as registry
from autograder import time_limit
from autograder.check import check
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.time_limit import OutOfTime, limited

check_module = importlib.import_module("autograder.check")


def loop():
    while True:
        pass


def swallow():
    while True:
        try:
            while True:
                time.sleep(0.01)
        except Exception:
            pass


def stubborn(until):
    """Swallows every interrupt for a while."""
    while time.monotonic() < until:
        try:
            while time.monotonic() < until:
                pass
        except BaseException:
            pass
    loop()


@pytest.mark.parametrize("busy", [loop, swallow, lambda: time.sleep(30)])
def test_what_does_not_end_is_interrupted(busy):
    started, before = time.monotonic(), signal.getsignal(signal.SIGINT)
    with pytest.raises(OutOfTime), limited(0.2):
        busy()
    assert time.monotonic() - started < 5
    assert signal.getsignal(signal.SIGINT) is before


def test_code_that_swallows_interrupts_is_interrupted_again(monkeypatch):
    monkeypatch.setattr(time_limit, "AGAIN", 0.1)
    with pytest.raises(OutOfTime), limited(0.1):
        stubborn(time.monotonic() + 0.5)


def test_what_ends_in_time_is_left_alone_and_so_is_the_next_line():
    before = signal.getsignal(signal.SIGINT)
    for _ in range(200):
        # Long enough for the timer to ring just before, while and after the block ends.
        try:
            with limited(0.002):
                time.sleep(0.0018)
        except OutOfTime:
            pass
        time.sleep(0.0005)  # an interrupt that comes late would be raised here
    assert signal.getsignal(signal.SIGINT) is before
    time.sleep(0.05)
    assert not [t for t in threading.enumerate() if t.name == "time limit"]


@pytest.fixture
def interruptible():
    """Ctrl-C as in a notebook's kernel, also where the shell that began the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_students_own_interrupt_stays_one(interruptible):
    timer = threading.Timer(
        0.1, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)
    )
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught, limited(20):
        loop()
    assert caught.type is KeyboardInterrupt


def test_other_threads_have_no_limit():
    done = []

    def work():
        with limited(0.05):
            time.sleep(0.2)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_where_interrupts_are_ignored_only_the_timers_is_heard():
    """As in a server, and its kernels, that a script started in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with limited(5):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(OutOfTime), limited(0.1):
            loop()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def toy(monkeypatch):
    exercise = Exercise("toy", notebook="toy_notebook", points=3, tensors=False)

    def right(x):
        return np.asarray(x) * 2

    @exercise.case(points=1, zh="小", en="small")
    def small(student, rng):
        x = rng.normal(size=3)
        expect(student(x)).equals(right(x))

    @exercise.case(points=1, zh="大", en="large")
    def large(student, rng):
        x = rng.normal(size=300)
        expect(student(x)).equals(right(x))

    @exercise.case(points=1, zh="更大", en="larger")
    def larger(student, rng):
        x = rng.normal(size=301)
        expect(student(x)).equals(right(x))

    for name in ("_shares", "_results"):
        monkeypatch.setattr(check_module, name, {})
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    monkeypatch.setattr(time_limit, "SECONDS", 0.4)
    monkeypatch.setattr(time_limit, "SECONDS_AFTER_A_HANG", 0.2)
    yield exercise
    registry._REGISTRY.pop("toy")


def test_an_endless_loop_costs_its_case_and_the_message_names_it(toy, capsys):
    def answer(x):
        while len(x) == 300:
            pass
        return x * 2

    points = check("toy", answer)
    words = capsys.readouterr().out
    assert points == 2 and points.result.incidents == ["timeout"]
    assert [case.status for case in points.result.cases] == ["passed", "timeout", "passed"]
    lines = words.splitlines()
    assert lines[0] == "toy: 2/3"
    place = next(i for i, line in enumerate(lines) if "✗ large" in line)
    assert "ran out of time" in lines[place + 1]


def test_a_loop_in_every_case_takes_less_for_each_after_the_first(toy, monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 1.5)
    started = time.monotonic()
    points = check("toy", lambda x: loop())
    assert points == 0 and points.result.incidents == ["timeout"] * 3
    assert 1.5 < time.monotonic() - started < 10


def test_a_check_loses_patience_with_what_hangs_or_is_slow_in_every_case():
    now = [0.0]
    patience = time_limit.Patience(clock=lambda: now[0])
    given = []
    for _ in range(4):
        given.append(patience.seconds())
        with patience.limited():
            now[0] += 50
    assert given == [60, 60, 20, 5], "two minutes for all calls, and a little for each of the rest"
    patience = time_limit.Patience(clock=lambda: now[0])
    given = []
    for _ in range(3):
        given.append(patience.seconds())
        with pytest.raises(OutOfTime), patience.limited():
            raise OutOfTime
    assert given == [60, 5, 2]


def test_checking_goes_on_after_a_loop(toy):
    check("toy", lambda x: loop())
    assert check("toy", lambda x: x * 2) == 3


def test_a_real_ctrl_c_ends_the_check(toy, monkeypatch, interruptible):
    monkeypatch.setattr(time_limit, "SECONDS", 30)
    main = threading.main_thread().ident
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        check("toy", lambda x: loop())
    assert caught.type is KeyboardInterrupt


def test_without_signals_of_the_system_a_loop_is_interrupted_too():
    """As on Windows, where there is no `pthread_kill`."""
    code = """
        import signal, time
        del signal.pthread_kill
        from autograder.time_limit import OutOfTime, limited
        try:
            with limited(0.2):
                while True:
                    pass
        except OutOfTime:
            print("stopped")
        time.sleep(0.1)
        print("alive")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ},
    )
    assert done.stdout.split() == ["stopped", "alive"], done.stderr


@pytest.mark.slow
def test_a_kernel_survives_a_loop(tmp_path):
    """The real thing: an IPython kernel whose cell checks an endless loop, then goes on."""
    import nbformat
    from nbclient import NotebookClient

    cells = [
        "from autograder import time_limit\n"
        "time_limit.SECONDS = 1.0\ntime_limit.SECONDS_AFTER_A_HANG = 0.5\n"
        "from autograder import check\n",
        "def causal_mask(length):\n    while True:\n        pass\n",
        'p = check("causal_mask", causal_mask)\nprint(p.result.incidents)',
        "print(6 * 7)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    texts = ["".join(o.get("text", "") for o in c.outputs) for c in notebook.cells]
    assert "timeout" in texts[2] and texts[3].strip() == "42"
