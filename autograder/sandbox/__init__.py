"""Runs students' code in processes of its own: one warm process, a jailed fork per submission.

The grader keeps one `Sandbox` and asks it for a `Child` per submission; a child runs cells and
answers calls. Whatever happens in it, the grader sees an outcome or an `Incident`, and `close`
leaves neither a process nor a file behind. Importing this loads nothing that only POSIX has.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from autograder.sandbox.children import Child, SandboxError
from autograder.sandbox.limits import ENVIRONMENT, CellOutcome, Limits
from autograder.sandbox.own_line import packed, receive_json, send_json
from autograder.sandbox.removal import remove

__all__ = ["ENVIRONMENT", "CellOutcome", "Child", "Limits", "Sandbox", "SandboxError"]

PRELOAD = (
    *("numpy", "keras", "bert_keras"),
    *("autograder.executor", "autograder.reading", "autograder.sandbox.child"),
)
START_SECONDS = 120
# What decides where the course keeps data sets and weights of the user who grades.
HOME = ("BERT_COURSE_CACHE", "XDG_CACHE_HOME", "HOME")


class Sandbox:
    """One warm process that has imported Keras, and forks jailed children on request.

    Thread safe. Use it as a context manager, or call `close`.

    Args:
        limits: What every child may use.
        python: The interpreter to start.
        env: Environment variables on top of `ENVIRONMENT`.
        preload: Modules that the warm process imports.
        optional: Modules that it imports where they exist.
        tier: Which containment the children enter, see `jail`; "auto" is the best that works here,
            "any" does without where none works.
        data: Folders with data sets and weights that students' code may read; None for the
            course's own cache of them.
        hidden: Folders that it must not see even inside the Python environment.
        wait: Whether to wait here until it can be used. Otherwise that happens when it is first
            needed, and the errors come then: importing Keras takes seconds, in which the caller
            has other things to do.

    Raises:
        SandboxError: when it cannot start, or this system cannot contain student code.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        python: str = sys.executable,
        env: dict[str, str] | None = None,
        preload: tuple[str, ...] = PRELOAD,
        optional: tuple[str, ...] = (),
        tier: str = "auto",
        data: tuple[Path, ...] | None = None,
        hidden: tuple[Path, ...] = (),
        wait: bool = True,
    ):
        if sys.platform != "linux":
            raise SandboxError("grading a class needs Linux; use the container, or WSL on Windows")
        self.limits = limits or Limits()
        self._python = python
        self._env = {"BERT_COURSE_OFFLINE": "1", **(env or {})}
        self._settings = {
            "preload": list(preload),
            "optional": list(optional),
            "tier": tier,
            "data": None if data is None else [str(path) for path in data],
            "home": {name: os.environ[name] for name in HOME if name in os.environ},
            "hidden": [str(path) for path in hidden],
        }
        self._lock = threading.Lock()
        self._closed = False
        self.scratch = Path(tempfile.mkdtemp(prefix="autograder-"))
        # Root's children become nobody, who has to get to the one folder in here that is its own.
        self.scratch.chmod(0o711)
        self._log = open(self.scratch / "warm.log", "w+b")  # noqa: SIM115 (lives as long as we do)
        self._answer: dict | None = None
        try:
            self._start()
            if wait:
                self._ready()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The warm process."""
        return self._process.pid

    @property
    def tier(self) -> str:
        """Which containment the children enter."""
        with self._lock:
            return self._ready()["tier"]

    @property
    def declined(self) -> tuple[str, ...]:
        """Why not a better one."""
        with self._lock:
            return tuple(self._ready()["declined"])

    def spawn(self) -> Child:
        """Forks a fresh child; starts the warm process again where it was killed.

        Raises:
            SandboxError: when that is impossible.
        """
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            for attempt in (1, 2):
                try:
                    self._ready()
                    return self._spawn()
                except OSError as error:
                    if attempt == 2:
                        raise SandboxError(f"the warm process does not answer: {error}") from None
                    self._stop()
                    self._start()
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Ends the warm process and every child, and removes all temporary folders."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._stop()
            self._log.close()
            remove(str(self.scratch))

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parents[2])
        home = self.scratch / "home"
        home.mkdir(exist_ok=True)
        env = {**ENVIRONMENT, "PATH": os.defpath, "HOME": str(home), "TMPDIR": str(home)}
        env.update({"KERAS_HOME": str(home), "MPLCONFIGDIR": str(home), "PYTHONPATH": root})
        env.update(self._env)
        command = [self._python, "-s", "-P", "-m", "autograder.sandbox.zygote"]
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=home,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control, self._answer = ours, None
        ours.settimeout(START_SECONDS)
        send_json(ours, {**self._settings, "scratch": str(self.scratch)})

    def _ready(self) -> dict:
        """What the warm process said when it was ready; waits until it is."""
        if self._answer is None:
            try:
                answer = receive_json(self._control)
            except OSError as error:
                reason = f"{error}{self._tail()}"
                raise SandboxError(f"the warm process did not start: {reason}") from None
            if not answer.get("ready"):
                raise SandboxError(f"the warm process did not start: {answer.get('error')}")
            self._answer = answer
        return self._answer

    def _tail(self) -> str:
        self._log.flush()
        self._log.seek(0)
        lines = self._log.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return f" ({lines[-1]})" if lines else ""

    def _stop(self) -> None:
        control = getattr(self, "_control", None)
        if control is None:
            return
        control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _spawn(self) -> Child:
        pairs = [socket.socketpair() for _ in range(2)]
        pipes = [os.pipe() for _ in range(2)]
        theirs = [pair[1].fileno() for pair in pairs] + [pipe[1] for pipe in pipes]
        request = {"limits": self.limits.to_wire(), "scratch": str(self.scratch)}
        length, body = packed(request)
        try:
            socket.send_fds(self._control, [length], theirs)
            self._control.sendall(body)
            answer = receive_json(self._control)
        except OSError:
            for pair in pairs:
                pair[0].close()
            for pipe in pipes:
                os.close(pipe[0])
            raise
        finally:
            for pair in pairs:
                pair[1].close()
            for pipe in pipes:
                os.close(pipe[1])
        child = Child(self.limits, pairs[0][0], pairs[1][0], pipes[0][0], pipes[1][0])
        if not answer.get("ok"):
            child.close()
            raise SandboxError(str(answer.get("error")))
        return child
