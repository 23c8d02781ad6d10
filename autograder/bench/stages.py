"""Where a grading run's time goes: clocks around the stages, put on from outside."""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
import threading
import time
from collections.abc import Iterator

# Stage → functions that are it, as "module:attribute". A function that is called inside another
# stage's counts for itself alone: every second is told once.
STAGES = {
    "opening the gradebook": ("autograder.grading:InStep.__init__",),
    "start of the warm process": ("autograder.sandbox:Sandbox._start",),
    "fork": ("autograder.sandbox:Sandbox._spawn",),
    "jail and repair": ("autograder.sandbox.children:Child.assemble",),
    "cells": ("autograder.sandbox.children:Child.run_cell",),
    "calls of cases": ("autograder.sandbox.children:Child.request",),
    "end of the process": ("autograder.sandbox.children:Child.close",),
    "judging": ("autograder.submissions:judge",),
    "staging": ("autograder.gradebook.recording:staged_notebook",),
    "nbgrader's converter": ("autograder.gradebook.recording:Recorder._convert",),
    "gradebook": ("autograder.gradebook.recording:Recorder.record",),
    "writing results": ("autograder.grading:write_json",),
    "the rest of a submission": ("autograder.running:grade_submission",),
}


class Stages:
    """Clocks for the stages of `STAGES`; thread safe."""

    def __init__(self, stages: dict[str, tuple[str, ...]] = STAGES):
        self._stages = stages
        self._lock = threading.Lock()
        self._local = threading.local()
        self._totals = {name: [0, 0.0, 0.0, math.inf, -math.inf] for name in stages}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[None]:
        """Puts the clocks on, and takes them off again.

        Raises:
            LookupError: a stage's function isn't where `STAGES` says.
        """
        saved = []
        try:
            for stage, places in self._stages.items():
                for place in places:
                    holder, name = _find(place)
                    saved.append((holder, name, getattr(holder, name)))
                    setattr(holder, name, self._clocked(stage, getattr(holder, name)))
            yield
        finally:
            for holder, name, function in reversed(saved):
                setattr(holder, name, function)

    def table(self) -> list[dict]:
        """One row per stage that was reached, the longest first.

        Returns:
            `{"stage", "calls", "seconds", "cpu_seconds", "first", "last"}`: seconds are added up
            over all threads; `cpu_seconds` is what the grader itself computed meanwhile (the rest
            it waited); `first` and `last` are when the stage first began and last ended, on the
            clock that all processes share.
        """
        keys = ("calls", "seconds", "cpu_seconds", "first", "last")
        rows = [
            {"stage": stage, **dict(zip(keys, values, strict=True))}
            for stage, values in self._totals.items()
            if values[0]
        ]
        return sorted(rows, key=lambda row: -row["seconds"])

    def _clocked(self, stage, function):
        @functools.wraps(function)
        def clocked(*args, **kwargs):
            stack = self._local.__dict__.setdefault("stack", [])
            stack.append([0.0, 0.0])
            begun, cpu = time.monotonic(), time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                ended = time.monotonic()
                wall, cpu = ended - begun, time.thread_time() - cpu
                inner = stack.pop()
                if stack:
                    stack[-1][0] += wall
                    stack[-1][1] += cpu
                with self._lock:
                    row = self._totals[stage]
                    row[0] += 1
                    row[1] += wall - inner[0]
                    row[2] += cpu - inner[1]
                    row[3], row[4] = min(row[3], begun), max(row[4], ended)

        return clocked


def _find(place: str):
    """The object that holds a function, and its name there."""
    module, _, path = place.partition(":")
    *parents, name = path.split(".")
    holder = importlib.import_module(module)
    for parent in parents:
        holder = getattr(holder, parent, None)
    if not hasattr(holder, name):
        raise LookupError(f"{place} is not there any more; mend STAGES in {__name__}")
    return holder, name
