"""Runs students' code in processes of its own: one warm process, a jailed fork per submission.

The grader keeps one `Sandbox` and asks it for a `Child` per submission; a child runs cells and
answers calls. Whatever happens in it, the grader sees an outcome or an `Incident`, and `close`
leaves neither a process nor a file behind. Importing this loads nothing that only POSIX has.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.results import BadReply, StudentDied, StudentMemory, StudentTimeout
from autograder.sandbox import protocol

__all__ = ["CellOutcome", "Child", "Limits", "Sandbox", "SandboxError"]

PRELOAD = ("numpy", "keras", "bert_keras", "autograder.executor", "autograder.sandbox.child")
START_SECONDS = 120
# Variables that a student's process sees; everything else of the grader's environment stays out.
ENVIRONMENT = {
    "KERAS_BACKEND": "tensorflow",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUTF8": "1",
    "LANG": "C.UTF-8",
}


class SandboxError(RuntimeError):
    """The sandbox itself is not available; nothing a student's code can cause."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Args:
        cell_seconds: Wall clock for one cell.
        call_seconds: Wall clock for one call that a case makes.
        submission_seconds: Wall clock for all cells and calls of a submission together.
        memory_mb: Private memory of one process; all of a submission together get 1.5 times this.
        output_bytes: How much of a cell's output is kept; the rest is dropped and the run goes on.
        file_mb: Largest file that may be written.
        processes: How many processes a submission may have at once.
        descriptors: How many files may be open.
    """

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    submission_seconds: float = 300.0
    memory_mb: int = 3000
    output_bytes: int = 1_000_000
    file_mb: int = 64
    processes: int = 32
    descriptors: int = 256

    def to_wire(self) -> dict[str, int]:
        """The limits as jail and keeper read them."""
        return {
            "memory_bytes": self.memory_mb * 2**20,
            "memory_total": self.memory_mb * 2**20 * 3 // 2,
            "file_bytes": self.file_mb * 2**20,
            "cpu_seconds": int(self.submission_seconds * 4 + 10),
            "descriptors": self.descriptors,
            "processes": 4096,
            "processes_total": self.processes,
        }


@dataclass(frozen=True)
class CellOutcome:
    """How running one cell ended.

    Args:
        status: "ok", "error", "timeout", "memory" or "died". After the last three, or where
            `alive` is false, the child is gone.
        error: `{"type", "message", "where", "traceback"}` for "error", a detail otherwise.
        stdout: What the cell printed, up to the limit.
        alive: Whether the child can go on.
        seconds: Wall clock.
    """

    status: str
    error: dict[str, str] | None = None
    stdout: str = ""
    alive: bool = True
    seconds: float = 0.0


class Sandbox:
    """One warm process that has imported Keras, and forks jailed children on request.

    Thread safe. Use it as a context manager, or call `close`.

    Args:
        limits: What every child may use.
        python: The interpreter to start.
        env: Environment variables on top of `ENVIRONMENT`.
        preload: Modules that the warm process imports.
        optional: Modules that it imports where they exist.
        tier: Which containment the children enter; see `jail`.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        python: str = sys.executable,
        env: dict[str, str] | None = None,
        preload: tuple[str, ...] = PRELOAD,
        optional: tuple[str, ...] = (),
        tier: str = "limits",
    ):
        if sys.platform != "linux":
            raise SandboxError("grading a class needs Linux; use the container, or WSL on Windows")
        self.limits = limits or Limits()
        self.tier = tier
        self._python, self._env = python, dict(env or {})
        self._modules = json.dumps([list(preload), list(optional)])
        self._lock = threading.Lock()
        self._closed = False
        self.scratch = Path(tempfile.mkdtemp(prefix="autograder-"))
        self._log = open(self.scratch / "warm.log", "w+b")  # noqa: SIM115 (lives as long as we do)
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The warm process."""
        return self._process.pid

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
            shutil.rmtree(self.scratch, ignore_errors=True)

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
                [*command, str(theirs.fileno()), self._modules],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                cwd=home,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control = ours
        ours.settimeout(START_SECONDS)
        try:
            answer = _receive_json(ours)
        except OSError as error:
            raise SandboxError(f"the warm process did not start: {error}{self._tail()}") from None
        if not answer.get("ready"):
            raise SandboxError(f"the warm process did not start: {answer.get('error')}")
        self.start_seconds = answer["seconds"]

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
        request = {
            "limits": self.limits.to_wire(),
            "tier": self.tier,
            "scratch": str(self.scratch),
        }
        body = json.dumps(request).encode()
        try:
            socket.send_fds(self._control, [struct.pack(">I", len(body))], theirs)
            self._control.sendall(body)
            answer = _receive_json(self._control)
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


class Child:
    """One student's process, seen from the grader. Not thread safe.

    After an incident the process is gone and every further request raises `StudentDied`.
    """

    def __init__(self, limits: Limits, line: socket.socket, channel: socket.socket, out, err):
        self.limits = limits
        self._line, self._channel = line, channel
        self._pipes = {out: bytearray(), err: bytearray()}
        self._out, self._err = out, err
        self._number = 0
        self._report: dict | None = None
        self._closed = False
        channel.setblocking(False)
        for pipe in (out, err):
            os.set_blocking(pipe, False)

    @property
    def alive(self) -> bool:
        return not self._closed

    def run_cell(self, source: str, name: str, timeout: float | None = None) -> CellOutcome:
        """Runs one cell; never raises for anything the cell does."""
        started = time.monotonic()
        for buffer in self._pipes.values():
            buffer.clear()
        timeout = self.limits.cell_seconds if timeout is None else timeout

        def outcome(status, error=None):
            seconds = time.monotonic() - started
            return CellOutcome(status, error, self.output(), self.alive, seconds)

        try:
            reply = self._exchange({"cell": {"source": source, "name": name}}, timeout)
            status = reply.get("status")
            if status not in ("ok", "error", "memory"):
                raise self._bad("the reply to a cell has no status")
            if status == "ok":
                return outcome("ok")
            keys = ("type", "message", "where", "traceback")
            return outcome(status, {key: _text(reply.get(key)) for key in keys})
        except StudentTimeout as incident:
            return outcome("timeout", {"type": "timeout", "message": incident.detail})
        except StudentMemory as incident:
            return outcome("memory", {"type": "memory", "message": incident.detail})
        except (StudentDied, BadReply) as incident:
            return outcome("died", {"type": incident.kind, "message": incident.detail})

    def assemble(self, data: bytes, trusted: bytes, defines: dict[str, list[str]]) -> Any:
        """Has the child read and repair a submission, before it runs any of it.

        Raises:
            Incident: when the file breaks the process that reads it.
        """
        request = {
            "data": np.frombuffer(data, np.uint8),
            "trusted": np.frombuffer(trusted, np.uint8),
            "defines": defines,
        }
        reply = self._exchange({"repair": request}, self.limits.cell_seconds)
        if reply.get("ok") is not True or "value" not in reply:
            raise self._bad("the submission could not be read")
        return reply["value"]

    def request(self, op: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        """Sends one op to the child's executor and returns its reply: a transport for `Handle`.

        Raises:
            StudentTimeout, StudentMemory, StudentDied, BadReply: the process is gone then.
        """
        timeout = self.limits.call_seconds if timeout is None else timeout
        reply = self._exchange({"op": op}, timeout)
        if reply.get("ok") is True and "value" in reply:
            return reply
        error = reply.get("error")
        if reply.get("ok") is not False or not isinstance(error, dict):
            raise self._bad("the reply is neither a value nor an error")
        # Running out of memory leaves a process in no state to be trusted with the next case.
        if error.get("type") in ("MemoryError", "_ArrayMemoryError", "ResourceExhaustedError"):
            self.close()
            raise StudentMemory(_text(error.get("message")))
        fields = {key: _text(error.get(key)) for key in ("type", "message", "where")}
        return {**reply, "error": fields}

    def output(self) -> str:
        """What was printed since the last cell began, up to the limit."""
        return bytes(self._pipes[self._out]).decode("utf-8", "replace")

    def close(self) -> dict:
        """Kills the whole process tree and waits until it is gone.

        Returns:
            How it ended: `{"why", "signal", "code", "max_rss"}`.
        """
        if self._closed:
            return self._report or {}
        self._closed = True
        try:
            if self._report is None:
                self._line.settimeout(15)
                self._line.sendall(b"k")
                self._report = _receive_json(self._line)
        except OSError:
            self._report = self._report or {"why": "lost", "signal": 0, "code": 0, "max_rss": 0}
        self._drain()
        self._line.close()
        self._channel.close()
        for pipe in self._pipes:
            os.close(pipe)
        return self._report

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _exchange(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """One request and its reply, both before the deadline."""
        if self._closed:
            raise StudentDied("the process is gone")
        deadline = time.monotonic() + timeout
        self._number += 1
        frame = protocol.encode({"number": self._number, "request": request})
        self._write(frame, deadline)
        try:
            message = protocol.receive(lambda count: self._read(count, deadline))
        except protocol.ProtocolError as error:
            raise self._bad(str(error)) from None
        self._drain()
        if not isinstance(message, dict) or set(message) != {"number", "reply"}:
            raise self._bad("the reply has the wrong parts")
        # A number that is not ours means that something else wrote on the channel.
        if message["number"] != self._number or not isinstance(message["reply"], dict):
            raise self._bad("the reply does not belong to the request")
        return message["reply"]

    def _write(self, frame: bytes, deadline: float) -> None:
        view = memoryview(frame)
        while view:
            self._wait(deadline, writing=True)
            try:
                view = view[self._channel.send(view) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def _read(self, count: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < count:
            self._wait(deadline)
            try:
                part = self._channel.recv(min(count - len(data), 1 << 20))
            except BlockingIOError:
                continue
            except OSError:
                part = b""
            if not part:
                raise self._ended()
            data += part
        return bytes(data)

    def _wait(self, deadline: float, writing: bool = False) -> None:
        """Waits for the channel, draining output meanwhile; raises when the child is over."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self.close()
                raise StudentTimeout()
            poll = select.poll()
            poll.register(self._channel, select.POLLOUT if writing else select.POLLIN)
            poll.register(self._line, select.POLLIN)
            for pipe in self._pipes:
                if pipe not in self._finished:
                    poll.register(pipe, select.POLLIN)
            ready = {descriptor for descriptor, _ in poll.poll(left * 1000)}
            self._drain()
            if self._channel.fileno() in ready:
                return
            if self._line.fileno() in ready:
                raise self._ended()

    @property
    def _finished(self) -> set[int]:
        return self.__dict__.setdefault("_closed_pipes", set())

    def _drain(self) -> None:
        """Reads what is in the output pipes; keeps the beginning, drops what is over the limit."""
        for pipe, buffer in self._pipes.items():
            for _ in range(64):
                try:
                    part = os.read(pipe, 1 << 16)
                except OSError:
                    break
                if not part:
                    self._finished.add(pipe)
                    break
                buffer += part[: max(0, self.limits.output_bytes - len(buffer))]

    def _ended(self) -> Exception:
        """The incident that fits how the process ended."""
        if self._report is None:
            try:
                self._line.settimeout(15)
                self._report = _receive_json(self._line)
            except OSError:
                self._report = None
        report = self.close()
        errors = bytes(self._pipes[self._err])
        if report.get("why") == "memory" or b"bad_alloc" in errors or b"MemoryError" in errors:
            return StudentMemory()
        if report.get("signal") in (signal.SIGXCPU,):
            return StudentTimeout("processor time")
        if report.get("why") == "processes":
            return StudentDied("too many processes")
        if report.get("signal"):
            return StudentDied(signal.Signals(report["signal"]).name)
        return StudentDied(f"exit code {report.get('code', '?')}")

    def _bad(self, detail: str) -> BadReply:
        self.close()
        return BadReply(detail)


def _text(value: Any) -> str:
    return value[:10_000] if isinstance(value, str) else ""


def _receive_json(source: socket.socket) -> dict:
    """One length-prefixed JSON message from our own processes."""
    parts = []
    for count in (4, None):
        size = count if count is not None else struct.unpack(">I", parts[0])[0]
        data = bytearray()
        while len(data) < size:
            part = source.recv(size - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        parts.append(bytes(data))
    return json.loads(parts[1])
