"""Cells and calls in a child; whatever a child does costs itself, and nothing is left behind.

The hostile snippets act inside their own child only: bounded in number, memory and time.
"""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from autograder.results import BadReply, StudentDied, StudentMemory, StudentTimeout
from autograder.sandbox import Sandbox, SandboxError
from autograder.sandbox.processes import descendants, wait_gone


@pytest.fixture
def child(warm):
    with warm.spawn() as child:
        yield child


def _run(child, source, name="cell_1", **options):
    return child.run_cell(textwrap.dedent(source), name, **options)


def _left(warm, folders_before=None):
    """What is still there of any child: processes below the warm one, scratch folders."""
    deadline = time.monotonic() + 3
    while True:
        processes = descendants(warm.pid)
        folders = list(warm.scratch.glob("submission-*"))
        if not (processes or folders) or time.monotonic() > deadline:
            return processes, folders
        time.sleep(0.02)


def _call(name, *args, **kwargs):
    return {"op": "call", "target": name, "args": list(args), "kwargs": kwargs, "tensors": False}


def test_a_cell_runs_and_what_it_prints_comes_back(child):
    outcome = _run(child, "print('你好', 1 + 1)\nx = 3")
    assert (outcome.status, outcome.stdout) == ("ok", "你好 2\n")
    assert _run(child, "print(x)").stdout == "3\n"


def test_a_notebooks_display_prints(child):
    outcome = _run(child, "display([1], 'a', raw=False)\nx = 3\nprint(x)")
    assert (outcome.status, outcome.stdout) == ("ok", "[1]\n'a'\n3\n")


def test_an_error_is_told_with_its_line_and_the_child_goes_on(child):
    outcome = _run(child, "a = 1\nb = a / 0\n", name="answer_x")
    assert outcome.status == "error" and outcome.alive
    assert outcome.error["type"] == "ZeroDivisionError"
    assert outcome.error["where"] == "answer_x, line 2"
    assert "b = a / 0" in outcome.error["traceback"]
    assert "autograder" not in outcome.error["traceback"]
    assert _run(child, "print(a)").stdout == "1\n"


def test_a_syntax_error_costs_its_cell_only(child):
    assert _run(child, "def f(:").error["type"] == "SyntaxError"
    assert _run(child, "y = 1").status == "ok"


@pytest.mark.parametrize("source", ["raise SystemExit(3)", "raise KeyboardInterrupt", "exit()"])
def test_exits_end_a_cell_and_no_more(child, source):
    assert _run(child, source).status == "error"
    assert _run(child, "y = 1").status == "ok"


def test_the_source_is_there_for_autograph(child):
    source = "def f(x):\n    return x + 1\n\nimport inspect\nprint(inspect.getsource(f))"
    assert "return x + 1" in _run(child, source).stdout


def test_checks_are_stubs_and_the_graders_side_is_not_there(child):
    outcome = _run(
        child,
        """
        from autograder import check, ready
        from autograder.check import check as other
        print(check("x", None), ready("x"), other("y", 1, variant="z"))
        try:
            import autograder.oracles
        except ImportError:
            print("no oracles")
        """,
    )
    assert outcome.stdout == "0.0 False 0.0\nno oracles\n"


def test_a_call_takes_and_gives_arrays(child):
    _run(child, "def f(x, k=1):\n    return x * k, {'n': len(x)}")
    x = np.arange(5, dtype="float32")
    value = child.request(_call("f", x, k=3))["value"]
    np.testing.assert_array_equal(value[0], x * 3)
    assert value[1] == {"n": 5}


def test_keras_works_after_the_fork(child):
    source = """
        import keras
        layer = keras.layers.Dense(3)
        def f(x):
            return layer(x)
        """
    assert _run(child, source).status == "ok"
    op = {**_call("f", np.ones((2, 4), "float32")), "tensors": True}
    assert child.request(op)["value"].shape == (2, 3)


def test_an_error_in_a_call_is_data(child):
    _run(child, "def f(x):\n    raise ValueError('bad x')", name="answer_f")
    reply = child.request(_call("f", 1))
    assert not reply["ok"] and reply["error"]["type"] == "ValueError"


def test_no_environment_no_descriptors_no_seed(warm, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    source = """
        import os, sys
        numbers = sorted(map(int, os.listdir("/proc/self/fd")))
        print("SECRET_OF_THE_GRADER" in os.environ, numbers[:4])
        print(len(numbers) <= 5, os.path.realpath(os.getcwd()) == os.environ["HOME"])
        print(sys.stdin.read() == "", os.getsid(0) == os.getpid())
        """
    with warm.spawn() as child:
        lines = _run(child, source).stdout.splitlines()
    assert lines == ["False [0, 1, 2, 3]", "True True", "True True"]


def test_children_see_nothing_of_each_other(warm):
    with warm.spawn() as one, warm.spawn() as two:
        _run(one, "x = 1\nopen('note.txt', 'w').write('1')\nimport numpy\nnumpy.pi = 3")
        assert _run(two, "x").error["type"] == "NameError"
        source = "import os, numpy\nprint(os.path.exists('note.txt'), numpy.pi > 3.1)"
        assert _run(two, source).stdout == "False True\n"


def test_scratch_folders_go_even_when_locked(warm):
    with warm.spawn() as child:
        source = "import os\nos.mkdir('d')\nopen('d/f', 'w').close()\nos.chmod('d', 0)"
        assert _run(child, source).status == "ok"
    assert _left(warm) == (set(), [])


# --- hostile ---------------------------------------------------------------------------------

SWALLOWS = """
import signal, time
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
while True:
    try:
        while True:
            time.sleep(0.05)
    except BaseException:
        pass
"""


@pytest.mark.parametrize("source", ["while True: pass", SWALLOWS, "'a' * 7 ** 9 * 7 ** 99"])
def test_what_does_not_end_is_ended(warm, source):
    with warm.spawn() as child:
        started = time.monotonic()
        outcome = _run(child, source, timeout=0.6)
        assert outcome.status in ("timeout", "error", "memory")
        assert time.monotonic() - started < 4
    assert _left(warm) == (set(), [])


def test_a_hung_call_is_an_incident_and_the_child_is_gone(warm):
    with warm.spawn() as child:
        _run(child, "def f():\n    while True: pass")
        with pytest.raises(StudentTimeout):
            child.request(_call("f"), timeout=0.5)
        with pytest.raises(StudentDied):
            child.request(_call("f"))
        assert _run(child, "x = 1").status == "died"
    assert _left(warm) == (set(), [])


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nblocks = []\nwhile True: blocks.append(np.ones(10**7))",
        "text = 'x' * 10**7\nwhile True: text += text",
        "x = bytearray(10**10)",
    ],
)
def test_greed_is_stopped_at_the_limit(warm, source):
    with warm.spawn() as child:
        assert _run(child, source, timeout=20).status == "memory"
    assert _left(warm) == (set(), [])


def test_greed_in_a_call_is_an_incident(warm):
    with warm.spawn() as child:
        _run(child, "import numpy as np\ndef f():\n    return np.ones(10**10)")
        with pytest.raises(StudentMemory):
            child.request(_call("f"))


def test_greed_of_many_processes_together_is_stopped(warm):
    source = """
        import os, time
        import numpy as np
        for _ in range(3):
            if os.fork() == 0:
                x = np.ones(9 * 10**7)  # 720 MB each, below the limit of one process
                time.sleep(30)
        time.sleep(30)
        """
    with warm.spawn() as child:
        started = time.monotonic()
        outcome = _run(child, source, timeout=20)
        assert outcome.status == "memory", outcome
        assert time.monotonic() - started < 15
    assert _left(warm) == (set(), [])


def test_too_many_processes_are_stopped(warm):
    source = """
        import os, time
        for _ in range(40):
            if os.fork() == 0:
                time.sleep(30)
        time.sleep(30)
        """
    with warm.spawn() as child:
        outcome = _run(child, source, timeout=20)
        assert (outcome.status, outcome.error["message"]) == ("died", "too many processes")
    assert _left(warm) == (set(), [])


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("import os\nos._exit(3)", "exit code 3"),
        ("import os\nos.kill(os.getpid(), 9)", "SIGKILL"),
        ("import os\nos.abort()", "SIGABRT"),
        ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
    ],
)
def test_a_death_is_told(warm, source, how):
    with warm.spawn() as child:
        outcome = _run(child, source)
        assert (outcome.status, outcome.error["message"]) == ("died", how)
        assert not outcome.alive


def test_daemons_do_not_outlive_their_child(warm):
    source = """
        import os, time
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(60)
                os._exit(0)
        time.sleep(0.2)
        print("done")
        """
    with warm.spawn() as child:
        assert _run(child, source).stdout == "done\n"
        assert len(descendants(warm.pid)) >= 5
    assert _left(warm) == (set(), [])


def test_a_dead_child_with_a_living_daemon_does_not_hold_up_the_grader(warm):
    source = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        os._exit(0)
        """
    with warm.spawn() as child:
        started = time.monotonic()
        assert _run(child, source).status == "died"
        assert time.monotonic() - started < 2
    assert _left(warm) == (set(), [])


def test_a_killed_keeper_leaves_nothing(warm):
    source = """
        import os, time
        if os.fork() == 0:
            os.setsid()
        time.sleep(60)
        """
    with warm.spawn() as child:
        (keeper,) = descendants(warm.pid, direct=True)
        killer = threading.Timer(1.0, os.kill, (keeper, signal.SIGKILL))
        killer.start()
        assert _run(child, source).status == "died"
        killer.join()
    processes, _ = _left(warm)
    assert processes == set()
    with warm.spawn() as child:
        assert _run(child, "x = 1").status == "ok"


def test_a_flood_of_output_is_cut_and_the_run_goes_on(warm):
    with warm.spawn() as child:
        outcome = _run(
            child,
            "import sys\nfor _ in range(50): print('x' * 10**6)\nsys.stderr.write('y' * 10**7)",
        )
        assert outcome.status == "ok"
        assert len(outcome.stdout) == warm.limits.output_bytes
        assert _run(child, "print('after')").stdout == "after\n"


def test_a_file_may_not_grow_without_end(warm):
    source = """
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with open("big", "wb") as file:
            for _ in range(20):
                file.write(bytes(10**6))
        """
    with warm.spawn() as child:
        assert _run(child, source).error["type"] == "OSError"


@pytest.mark.parametrize(
    "reply",
    [
        "b'garbage that is no frame'",
        "b'\\xff' * 64",
        "protocol.encode({'number': 99, 'reply': {'ok': True, 'value': 1}})",
        "protocol.encode({'number': 2, 'reply': 'text'})",
        "protocol.encode([1])",
        "protocol.encode({'number': 2, 'reply': {'ok': 1}})",
    ],
)
def test_a_forged_reply_is_an_incident(warm, reply):
    with warm.spawn() as child:
        _run(
            child,
            f"""
            import os, time
            from autograder.sandbox import protocol
            def f():
                os.write(3, {reply})
                time.sleep(60)
            """,
        )
        with pytest.raises(BadReply):
            child.request(_call("f"), timeout=3)
        assert not child.alive
    assert _left(warm) == (set(), [])


def test_what_cannot_travel_is_an_error_and_not_an_incident(child):
    _run(child, "import numpy as np\ndef f():\n    return np.array([object()])")
    assert child.request(_call("f"))["ok"] is False
    _run(child, "def f():\n    x = []\n    x.append(x)\n    return x")
    assert child.request(_call("f"))["ok"] is False


def test_deep_recursion_is_an_error(child):
    _run(child, "def f(x):\n    return f(x)")
    assert child.request(_call("f", 1))["error"]["type"] == "RecursionError"


# --- the warm process ------------------------------------------------------------------------


def test_a_killed_warm_process_is_started_again_and_close_leaves_nothing():
    with Sandbox(preload=("numpy", "autograder.sandbox.child")) as sandbox:
        first = sandbox.pid
        os.kill(first, signal.SIGKILL)
        sandbox._process.wait()
        with sandbox.spawn() as child:
            assert _run(child, "print(1)").stdout == "1\n"
            inside = descendants(sandbox.pid)
        assert sandbox.pid != first
        scratch, pid = sandbox.scratch, sandbox.pid
    assert not scratch.exists()
    assert wait_gone({pid, *inside}, 3) == set()
    with pytest.raises(SandboxError):
        sandbox.spawn()


def test_children_end_with_a_killed_grader(tmp_path):
    """The grader is killed while a child hangs: nobody is there to clean up, and nothing stays."""
    script = tmp_path / "grader.py"
    script.write_text(
        textwrap.dedent(
            """
            from autograder.sandbox import Sandbox
            sandbox = Sandbox(preload=("numpy", "autograder.sandbox.child"))
            child = sandbox.spawn()
            print(sandbox.pid, flush=True)
            child.run_cell("import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(60)", "c")
            """
        )
    )
    grader = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=_env(tmp_path)
    )
    try:
        warm_pid = int(grader.stdout.readline())
        deadline = time.monotonic() + 5
        while len(descendants(warm_pid)) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        everybody = {warm_pid, *descendants(warm_pid)}
        assert len(everybody) >= 4
    finally:
        grader.kill()
        grader.wait()
        grader.stdout.close()
    assert wait_gone(everybody, 10) == set()


def _env(folder):
    return {**os.environ, "TMPDIR": str(folder)}


def test_a_module_that_starts_threads_is_refused(tmp_path):
    (tmp_path / "threads.py").write_text("import threading, time\n")
    (tmp_path / "busy.py").write_text(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\n"
    )
    path = os.pathsep.join([str(tmp_path), os.getcwd()])
    with pytest.raises(SandboxError, match="2 threads"):
        Sandbox(preload=("busy",), env={"PYTHONPATH": path})


def test_a_module_that_is_missing_is_told():
    with pytest.raises(SandboxError, match="no_such_module"):
        Sandbox(preload=("no_such_module",))


def test_the_grader_never_imports_keras():
    code = (
        "import sys, autograder.grading, autograder.sandbox, autograder.preflight\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('keras', 'tensorflow', 'jax')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
