"""The parent's end: a worker process, orders down, answers up, and no silent death."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import bert_keras
from bert_keras.errors import UserError

# This package, and nothing that lies beside it, under whatever interpreter: once the package is
# known, its folder leaves the path again, so that the interpreter's own libraries are used.
_START = (
    "import sys; sys.path[0] = sys.argv[1]; import bert_keras; del sys.path[0]; "
    "from bert_keras.bench import worker; sys.exit(worker.main())"
)


class BenchError(UserError):
    """Something cannot be timed; the message is one line."""


class Worker:
    """One implementation in its own process.

    Args:
        name: for messages.
        kind: of implementation, a key of `bert_keras.bench.worker.HOMES`.
        work: the sizes and the operation as a dict, or None.
        options: further arguments of the implementation.
        environment: variables to set for the process.
        python: path of the interpreter.
    """

    def __init__(
        self,
        name: str,
        kind: str,
        work: dict[str, Any] | None,
        options: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        python: str = sys.executable,
    ):
        self.name = name
        # What the libraries print, for its last line. It lives as long as the worker.
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        # Allocator settings of the caller's shell would tune everybody.
        inherited = {key: v for key, v in os.environ.items() if not key.startswith("MALLOC_")}
        if python != sys.executable:
            inherited.pop("PYTHONPATH", None)
        quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore", "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            [python, "-c", _START, str(Path(bert_keras.__file__).parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**inherited, **quiet, **(environment or {})},
            text=True,
            encoding="utf-8",
        )
        self.loaded = self._ask({"kind": kind, "work": work, "options": options or {}})

    def run(self, steps: int) -> dict[str, Any]:
        """Let it run some steps and wait.

        Args:
            steps: int, how many.

        Returns:
            dict of seconds, cpu_seconds, loss and peak_rss_mb.

        Raises:
            BenchError: the worker died.
        """
        return self._ask({"steps": steps})

    def call(self, method: str, **arguments: Any) -> Any:
        """Call another method of the implementation.

        Args:
            method: its name.
            **arguments: JSON values.

        Returns:
            What it returned, as JSON values.

        Raises:
            BenchError: the worker died.
        """
        return self._ask({"call": method, "arguments": arguments})["result"]

    def close(self) -> None:
        """End the process, if it has not ended."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            try:
                stream.close()
            except OSError:  # an order that nobody read
                continue

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def _ask(self, order: dict[str, Any]) -> dict[str, Any]:
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        except BaseException:  # interrupted
            self.close()
            raise
        if not line:
            message = self._obituary()
            self.close()
            raise BenchError(message)
        return json.loads(line)

    def _obituary(self) -> str:
        code = self._process.wait()
        if code < 0:
            name = signal.Signals(-code).name
            hint = " (is there enough memory?)" if name == "SIGKILL" else ""
            return f"the worker of {self.name} was ended by {name}{hint}"
        self._log.seek(0)
        said = self._log.read().decode("utf-8", "replace").strip().splitlines()
        # Frameworks end long traces in blank lines and pictures of carets.
        last = next((line.strip() for line in reversed(said) if line.strip(" ^~")), "no message")
        return f"the worker of {self.name} ended with code {code}: {last[:300]}"
