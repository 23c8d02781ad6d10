"""What runs next to the student's code: executes cells and serves calls on what they defined.

The same loop serves the jailed child (over a socket) and the ordinary subprocess of the student's
pre-flight (over pipes), so both see the same behaviour. Nothing here knows seeds, expected values
or points; the cells' own `check(...)` calls meet a stub.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import socket
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from autograder.sandbox import protocol

MESSAGE_LIMIT = 2000
TRACE_LIMIT = 8000


class Session:
    """One student's namespace and the requests it understands."""

    def __init__(self):
        self.module = types.ModuleType("__main__")
        self.namespace = self.module.__dict__
        self.namespace.update({"__builtins__": __builtins__, "__name__": "__main__"})
        self.namespace["display"] = _display  # notebooks have it without an import
        self.executor = None
        sys.modules["__main__"] = self.module
        _install_stubs()

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answers one request: `{"cell": …}`, `{"op": …}` or, before any cell, `{"repair": …}`."""
        if "repair" in request:
            return _repair(**request["repair"])
        if "cell" in request:
            return self.run_cell(request["cell"]["source"], request["cell"]["name"])
        if self.executor is None:
            from autograder.executor import Executor

            self.executor = Executor(self.namespace)
        return self.executor.execute(request["op"])

    def run_cell(self, source: str, name: str) -> dict[str, Any]:
        """Runs one cell in the student's namespace.

        The source is put where tracebacks and AutoGraph look for it, under the cell's name.

        Returns:
            `{"status": "ok"}`, or `"error"` or `"memory"` with type, message and traceback.
        """
        filename = f"<{name}>"
        lines = source.splitlines(keepends=True)
        linecache.cache[filename] = (len(source), None, lines, filename)
        try:
            tree = ast.parse(source, filename)
            exec(compile(tree, filename, "exec"), self.namespace)
            return {"status": "ok"}
        except MemoryError as error:
            return _failure("memory", error, filename)
        except BaseException as error:  # SystemExit and KeyboardInterrupt end a cell, no more.
            status = "memory" if type(error).__name__ == "ResourceExhaustedError" else "error"
            return _failure(status, error, filename)


def serve(read: Callable[[int], bytes], write: Callable[[bytes], None]) -> None:
    """Answers requests until the other end closes.

    Args:
        read: Returns exactly n bytes, or raises EOFError.
        write: Sends bytes.
    """
    session = Session()
    while True:
        try:
            message = protocol.receive(read, fixtures=True)
        except EOFError:
            return
        try:
            reply = session.handle(message["request"])
        except MemoryError as error:
            reply = _raised(error)
        except BaseException as error:
            reply = _raised(error)
        _flush()
        number = message["number"]
        try:
            small = "repair" not in message["request"]
            frame = protocol.encode({"number": number, "reply": reply}, small)
        except Exception as error:
            frame = protocol.encode({"number": number, "reply": _raised(error)})
        reply = None
        write(frame)


def serve_socket(channel: socket.socket) -> None:
    """Serves one connected socket."""

    def read(count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            part = channel.recv(min(count - len(data), 1 << 20))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    serve(read, channel.sendall)


def serve_pipes() -> None:
    """Serves over this process's standard input and output (the pre-flight, on any system)."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)

    def read(count: int) -> bytes:
        data = source.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def write(frame: bytes) -> None:
        sink.write(frame)
        sink.flush()

    serve(read, write)


def _repair(data, trusted, asked) -> dict[str, Any]:
    """Reads a submission here, where a file that breaks the parser breaks nothing else."""
    from autograder.matching import TrustedNotebook
    from autograder.reading import read_submission

    course = TrustedNotebook.from_bytes(trusted.tobytes())
    return {"ok": True, "value": read_submission(data.tobytes(), course, asked)}


def _install_stubs() -> None:
    """Puts a stand-in for `autograder.check` in place: trusted set-up cells import it.

    A module that can also be called, because notebooks import the function from the package.
    """
    package = sys.modules.get("autograder")
    stub = _Stub("autograder.check")
    stub.check = stub
    stub.ready = lambda *exercise_ids: False
    sys.modules["autograder.check"] = stub
    if package is not None:
        package.check, package.ready = stub, stub.ready
        package.stored = lambda result_id: None
    # Judging happens elsewhere. Real containment hides the files too; see jail.py.
    for name in ("autograder.oracles", "autograder.exercises"):
        sys.modules[name] = None


def _display(*objects: Any, **_) -> None:
    """Stands in for IPython's: what is shown is printed."""
    for thing in objects:
        print(repr(thing))


class _Stub(types.ModuleType):
    def __call__(self, exercise_id, answer=None, variant=None) -> float:
        return 0.0


def _failure(status: str, error: BaseException, filename: str) -> dict[str, Any]:
    where = ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith("<"):
            where = f"{frame.filename.strip('<>')}, line {frame.lineno}"
            break
    return {"status": status, "where": where, **_describe(error), "traceback": _trace(error)}


def _raised(error: BaseException) -> dict[str, Any]:
    return {"ok": False, "error": {**_describe(error), "where": ""}}


def _describe(error: BaseException) -> dict[str, str]:
    try:
        message = str(error)
    except BaseException:
        message = ""
    return {"type": type(error).__name__[:100], "message": message[:MESSAGE_LIMIT]}


def _trace(error: BaseException) -> str:
    """The traceback without our own frames, its end kept where it is too long."""
    try:
        tb = error.__traceback__
        # The student's cells have names in angle brackets; what called them is ours.
        while tb is not None and not tb.tb_frame.f_code.co_filename.startswith("<"):
            tb = tb.tb_next
        lines = traceback.format_exception(type(error), error, tb, limit=-20)
        return "".join(lines)[-TRACE_LIMIT:]
    except BaseException:
        return ""


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


if __name__ == "__main__":
    serve_pipes()
