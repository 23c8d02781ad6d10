"""Runs a command as a person would, and counts what it cost, its children included."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from autograder.errors import CommandError
from autograder.sandbox.processes import descendants

SAMPLE_SECONDS = 0.1
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Cost:
    """What one command took.

    Args:
        begun: when it was started, on the clock that all processes share.
        seconds: wall clock, from its start to its end.
        cpu_seconds: processor time of the command and of everything it started and waited for.
        parts: processor seconds of the children that were watched, one each.
        output: its standard output.
        errors: the end of its standard error.
    """

    begun: float
    seconds: float
    cpu_seconds: float
    parts: list[float] = field(default_factory=list)
    output: str = ""
    errors: str = ""


def run(argv: list[str], folder: Path, env: dict[str, str], watch: str = "") -> Cost:
    """Runs a command to its end.

    Args:
        argv: the command.
        folder: its working directory; its output goes to files beside it.
        env: its environment variables.
        watch: children whose command line holds this word are counted one by one.

    Returns:
        What it cost.

    Raises:
        CommandError: it failed; the last line that it wrote is in the message.
    """
    out, err = folder.with_name(f"{folder.name}.out"), folder.with_name(f"{folder.name}.err")
    with open(out, "wb") as stdout, open(err, "wb") as stderr:
        begun = time.monotonic()
        process = subprocess.Popen(
            argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr
        )
        watcher = _Watcher(process.pid, watch) if watch else None
        try:
            # The resource usage of the command covers whatever it has waited for, at any depth.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            if watcher:
                watcher.stop()
        seconds = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    errors = err.read_text("utf-8", "replace")[-20_000:]
    if process.returncode:
        last = next((line for line in reversed(errors.splitlines()) if line.strip()), "no message")
        command = " ".join(" ".join(argv[1:4]).split())[:60]
        raise CommandError(f"exit code {process.returncode} of {command}: {last[:300]}")
    cpu = usage.ru_utime + usage.ru_stime
    parts = watcher.found if watcher else []
    return Cost(begun, seconds, cpu, parts, out.read_text("utf-8", "replace"), errors)


class _Watcher(threading.Thread):
    """Looks at a process's children ten times a second and keeps their last processor time."""

    def __init__(self, pid: int, word: str):
        super().__init__(daemon=True)
        self._pid, self._word = pid, word.encode()
        self._seconds: dict[int, float] = {}
        self._over = threading.Event()
        self.start()

    @property
    def found(self) -> list[float]:
        return list(self._seconds.values())

    def run(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            for pid in descendants(self._pid, direct=True):
                self._look(pid)

    def stop(self) -> None:
        self._over.set()
        self.join()

    def _look(self, pid: int) -> None:
        try:
            known = pid in self._seconds
            if not known and self._word not in Path(f"/proc/{pid}/cmdline").read_bytes():
                return
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # it has just ended
            return
        # utime, stime, and those of its own children that it has waited for
        self._seconds[pid] = sum(int(ticks) for ticks in fields[11:15]) / TICKS
