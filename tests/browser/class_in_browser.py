"""A class folder for the tests with a browser, made and graded by a teacher's commands."""

import json
import os
import subprocess
import sys

from lab_kit import ROOT


def autograder(*arguments):
    """Run one of the commands; returns what it prints, parsed if that is JSON."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2"}
    argv = [sys.executable, "-m", "autograder", *map(str, arguments)]
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True)
    # `check` ends with 1 where points are missing.
    assert done.returncode == 0 or arguments[0] == "check", done.stdout + done.stderr
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


def grade(notebook, course):
    """Grade a class; returns exercise → points, for every student."""
    summary = autograder("grade", notebook, "--course", course, "--json")
    assert summary["gradebook_errors"] == []
    return {
        student["id"]: {one["id"]: one["score"] for one in student["exercises"]}
        for student in summary["students"]
    }
