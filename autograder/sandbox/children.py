"""One student's process, seen from the grader: requests, deadlines, output, and its end."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from typing import Any

import numpy as np

from autograder.results import BadReply, StudentDied, StudentDisk, StudentMemory, StudentTimeout
from autograder.sandbox import protocol
from autograder.sandbox.limits import CellOutcome, Limits
from autograder.sandbox.own_line import receive_json


class SandboxError(RuntimeError):
    """The sandbox itself is not available; nothing a student's code can cause."""


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
        except (StudentDied, StudentDisk, BadReply) as incident:
            return outcome("died", {"type": incident.kind, "message": incident.detail})

    def assemble(self, data: bytes, trusted: bytes, asked: dict[str, dict[str, list[str]]]) -> Any:
        """Has the child read and repair a submission, before it runs any of it.

        Args:
            data: The file as it was handed in.
            trusted: The released notebook.
            asked: See `autograder.reading`.

        Raises:
            Incident: when the file breaks the process that reads it.
        """
        request = {
            "data": np.frombuffer(data, np.uint8),
            "trusted": np.frombuffer(trusted, np.uint8),
            "asked": asked,
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
            How it ended: `{"why", "signal", "code", "max_rss", "cpu_seconds"}`.
        """
        if self._closed:
            return self._report or {}
        self._closed = True
        try:
            if self._report is None:
                self._line.settimeout(15)
                self._line.sendall(b"k")
                self._report = receive_json(self._line)
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
            # A submission that was read can be long, but nothing of it has run yet then.
            small = "repair" not in request
            message = protocol.receive(lambda count: self._read(count, deadline), small=small)
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
                self._report = receive_json(self._line)
            except OSError:
                self._report = None
        report = self.close()
        if report.get("why") == "jail":
            return SandboxError(f"a student's process could not be confined: {report.get('error')}")
        errors = bytes(self._pipes[self._err])
        if report.get("why") == "memory" or b"bad_alloc" in errors or b"MemoryError" in errors:
            return StudentMemory()
        if report.get("signal") in (signal.SIGXCPU,):
            return StudentTimeout("processor time")
        if report.get("why") == "lost":
            return StudentDied("lost")
        if report.get("why") == "disk":
            return StudentDisk()
        if report.get("why") == "processes":
            return StudentDied("too many processes")
        if report.get("signal"):
            return StudentDied(signal.Signals(report["signal"]).name)
        return StudentDied(f"exit code {report.get('code', '?')}")

    def _bad(self, detail: str) -> BadReply:
        self.close()
        return BadReply(detail)


def _text(value: Any) -> str:
    """Text from a student's process, bounded and without terminal codes."""
    if not isinstance(value, str):
        return ""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in value[:10_000])
