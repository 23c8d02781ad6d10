"""The student's pre-flight: grades their own notebook as the class will, on their own machine.

Same repair, same cases, same judge as grading; another seed, and an ordinary subprocess instead of
the sandbox, since it is their own code. Works on Linux, macOS and Windows.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from autograder.attempt import Gate
from autograder.errors import CommandError
from autograder.judge import PUBLIC_SEED
from autograder.matching import TrustedNotebook
from autograder.messages import LANGUAGE_VARIABLE, language
from autograder.notebooks import read_bytes
from autograder.preflight_text import describe
from autograder.reading import Asked, read_submission
from autograder.results import (
    BadReply,
    Incident,
    StudentDied,
    StudentMemory,
    StudentTimeout,
)
from autograder.sandbox import ENVIRONMENT, CellOutcome, Limits, protocol
from autograder.submissions import Assignment, Handed, grade_submission, open_assignment

ROOT = Path(__file__).resolve().parent.parent
COURSE = ROOT / "course"
LIMITS = Limits(cell_seconds=120, call_seconds=30, submission_seconds=900)
# What the subprocess keeps of the student's own environment: enough for Python and Keras to start.
KEPT = (
    *("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "TEMP", "TMP", "TMPDIR"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("BERT_COURSE_CACHE", "XDG_CACHE_HOME"),  # where the data is
)


class PlainSpawner:
    """Starts an ordinary subprocess for a notebook: no jail, but the same requests and replies."""

    def __init__(self, folder: Path):
        self.folder = folder

    def spawn(self) -> PlainChild:
        return PlainChild(self.folder)


class PlainChild:
    """A student's process on their own machine, over pipes; the interface of `sandbox.Child`."""

    def __init__(self, folder: Path):
        env = {name: os.environ[name] for name in KEPT if name in os.environ}
        env.update({name: value for name, value in ENVIRONMENT.items() if name != "LANG"})
        backend = os.environ.get("KERAS_BACKEND")
        env.update({"KERAS_BACKEND": backend} if backend else {})
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        env["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder.sandbox.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=env,
        )
        self._number = 0
        self._ended: type[Incident] = StudentDied
        self._replies: queue.Queue = queue.Queue()
        # Pipes cannot be waited for on every system, so a thread reads and a queue waits.
        threading.Thread(target=self._read_all, daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def assemble(self, data: bytes, trusted: bytes, asked: Asked) -> Any:
        """Repairs the notebook, in this very process: it is the student's own file."""
        return read_submission(data, TrustedNotebook.from_bytes(trusted), asked)

    def run_cell(self, source: str, name: str, timeout: float) -> CellOutcome:
        """Runs one cell; never raises for anything the cell does."""
        started = time.monotonic()
        try:
            reply = self._exchange({"cell": {"source": source, "name": name}}, timeout)
        except (StudentTimeout, StudentDied, BadReply) as incident:
            status = "timeout" if isinstance(incident, StudentTimeout) else "died"
            return CellOutcome(status, {"type": incident.kind, "message": incident.detail})
        keys = ("type", "message", "where", "traceback")
        error = None if reply["status"] == "ok" else {key: reply.get(key, "") for key in keys}
        seconds = time.monotonic() - started
        return CellOutcome(reply["status"], error, "", self.alive, seconds)

    def request(self, op: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Sends one op; raises an incident where no usable reply comes."""
        reply = self._exchange({"op": op}, timeout)
        if (reply.get("error") or {}).get("type") in ("MemoryError", "ResourceExhaustedError"):
            self._end(StudentMemory)
            raise StudentMemory()
        return reply

    def close(self) -> None:
        """Ends the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def _end(self, reason: type[Incident]) -> None:
        """Ends the process and remembers why: to be stopped is not to end unexpectedly."""
        self._ended = reason
        self.close()

    def _exchange(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        self._number += 1
        try:
            self._process.stdin.write(protocol.encode({"number": self._number, "request": request}))
            self._process.stdin.flush()
            message = self._replies.get(timeout=timeout)
        except queue.Empty:
            self._end(StudentTimeout)
            raise StudentTimeout() from None
        except (OSError, ValueError):
            message = None
        if isinstance(message, protocol.ProtocolError):
            self.close()
            raise BadReply(str(message))
        if message is None:
            self.close()
            raise self._ended(f"exit code {self._process.returncode}")
        if message.get("number") != self._number:
            self.close()
            raise BadReply("the reply does not belong to the request")
        return message["reply"]

    def _read_all(self) -> None:
        def read(count: int) -> bytes:
            data = self._process.stdout.read(count)
            if len(data) < count:
                raise EOFError
            return data

        try:
            while True:
                self._replies.put(protocol.receive(read))
        except protocol.ProtocolError as error:
            self._replies.put(error)
        except (EOFError, OSError, ValueError):
            self._replies.put(None)


def check_file(path: Path, notebook: str | None = None) -> dict[str, Any]:
    """Grades one notebook file with the public seed.

    Args:
        path: The student's notebook.
        notebook: Its id; None reads it from the file.

    Returns:
        The result, as `submissions.grade_submission` gives it.

    Raises:
        CommandError: when the file or the notebook it belongs to cannot be found or read.
    """
    if not path.exists():
        raise CommandError(f"there is no file {path}")
    data, repairs = read_bytes(path.resolve())  # their own file: a link to it is as good
    if data is None:
        raise CommandError(f"{path}: {repairs[0].en}")
    assignment = _assignment(path, data, notebook)
    with tempfile.TemporaryDirectory(prefix="autograder-check-") as folder:
        handed = Handed("me", path, data)
        spawner = PlainSpawner(Path(folder))
        result = grade_submission(handed, assignment, spawner, LIMITS, Gate())
    if any(note["code"] == "unreadable" for note in result["repairs"]):
        raise CommandError(f"{path} is no notebook that could be read")
    return {**result, "lang": assignment.trusted.lang}


def _assignment(path: Path, data: bytes, notebook: str | None) -> Assignment:
    """Which released notebook a file belongs to: by its metadata, then by its name."""
    metadata, content = {}, None
    try:
        content = json.loads(data.decode("utf-8-sig"))
        metadata = content["metadata"]["course"]
        metadata = metadata if isinstance(metadata, dict) else {}
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    known = {folder.name for folder in COURSE.glob("*/*") if folder.is_dir()}
    name = notebook or str(metadata.get("notebook", "")) or path.stem
    if name not in known:
        # Copies are called "notebook (1)" or "notebook-Copy1".
        name = next((one for one in sorted(known) if path.stem.startswith(one)), name)
    if content is None and name not in known:
        raise CommandError(f"{path} is damaged and can't be read; if you know its id: --notebook")
    if name not in known:
        listed = ", ".join(sorted(known)) or "none"
        raise CommandError(f"{path}: there is no notebook {name!r} in this course; known: {listed}")
    lang = metadata.get("lang") if metadata.get("lang") in ("zh", "en") else language()
    released = COURSE / lang / name / f"{name}.ipynb"
    return open_assignment(name, released, PUBLIC_SEED)


def add_parser(subparsers: Any) -> None:
    """Adds `check` to the command line."""
    parser = subparsers.add_parser("check", help="check your own notebook before handing it in")
    parser.add_argument("file", type=Path, help="your notebook")
    parser.add_argument("--notebook", help="its id, where the file does not tell")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `check`.

    Returns:
        0 where every exercise has full marks, 1 otherwise.

    Raises:
        CommandError: for what the user can put right.
    """
    result = check_file(args.file, args.notebook)
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        chosen = os.environ.get(LANGUAGE_VARIABLE)
        print(describe(result, language() if chosen else result["lang"]))
    return int(result["score"] < result["max_score"])
