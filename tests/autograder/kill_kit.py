"""Runs `autograder grade` on a small class and kills a part of it at a moment drawn by a seed."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from class_kit import make_class, submit
from leftovers import below
from tiny_course import DOUBLE, TINY

from autograder.class_dir import ClassDir
from autograder.gradebook import normalised_dump

SCRIPT = Path(__file__).with_name("tiny_command.py")
LIMITS = ["--cell-seconds", "8", "--call-seconds", "4", "--memory-mb", "1200"]
SLOW = "import time\ntime.sleep(0.4)\n"


def small_class(root):
    """Four submissions that take long enough to be hit."""
    course = make_class(root)
    submit(course, "anna", double=SLOW + DOUBLE, timestamp="2026-03-01 09:30:00 UTC")
    submit(course, "ben", double=SLOW + "def double(x):\n    return 3 * x\n", written="because")
    submit(course, "dan", b"no notebook at all")
    submit(course, "eve", double=SLOW + DOUBLE, scale="import os\nos._exit(0)")
    return course


def outcome(root):
    """Gradebook and results without what time puts into them."""
    results = {}
    for path in sorted((root / "results").glob("*/*.json")):
        result = json.loads(path.read_text())
        for key in ("seconds", "cpu_seconds", "respawns", "key"):
            del result[key]
        results[path.parent.name] = result
    return {"dump": normalised_dump(root), "results": results}


def half_written(root):
    """Files that a killed grader left in a class, or that are not whole."""
    found = []
    for place in ("results", ".autograder", "autograded"):
        for path in sorted((root / place).rglob("*")):
            if path.is_file() and path.suffix in (".json", ".ipynb"):
                try:
                    json.loads(path.read_bytes())
                except ValueError:
                    found.append(path)
            elif path.is_file() and path.name.startswith("."):
                found.append(path)
    return found


@dataclasses.dataclass
class Grading:
    """`autograder grade` on a class, with a temporary folder of its own.

    Args:
        root: The class.
        temporary: Where it and everything below it put temporary files.
    """

    root: Path
    temporary: Path

    def start(self):
        self.temporary.mkdir(exist_ok=True)
        command = [sys.executable, SCRIPT, "grade", TINY, "--course", self.root, "--jobs", "2"]
        return subprocess.Popen(
            [*map(str, [*command, *LIMITS])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def finish(self):
        """Runs it to its end; returns how long that took."""
        started = time.monotonic()
        process = self.start()
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors[-3000:]
        return time.monotonic() - started

    def hit(self, target, rng, seconds):
        """Starts it and kills a part of it.

        Args:
            target: "controller", "warm" or "child".
            rng: Draws the moment.
            seconds: How long it takes when nobody disturbs it.

        Returns:
            Whether something was killed, the controller's exit code, and what it said.
        """
        process = self.start()
        killed = False
        if target == "controller":
            time.sleep(rng.uniform(0.02, 1.0) * seconds)
            killed = process.poll() is None
            process.kill()
        else:
            # From the moment there is a warm process, at some time until the end.
            while process.poll() is None and not warm_process(process.pid):
                time.sleep(0.02)
            time.sleep(rng.uniform(0.1, 0.6) * seconds if target == "warm" else rng.uniform(0, 2))
            while process.poll() is None and not killed:
                killed = self._kill_below(process.pid, target, rng)
                time.sleep(0.01)
        _, errors = process.communicate(timeout=300)
        return killed, process.returncode, errors

    @staticmethod
    def _kill_below(controller, target, rng):
        warm = warm_process(controller)
        if not warm:
            return False
        victims = [warm] if target == "warm" else below(warm)
        if not victims:
            return False
        try:
            os.kill(rng.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


def warm_process(controller):
    """The warm process of a running grader, or None."""
    for pid in below(controller):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"autograder.sandbox.zygote" in command:
            return pid
    return None


def copy_class(course, root):
    """The same class somewhere else."""
    return ClassDir.open(Path(shutil.copytree(course.root, root)))
