"""One submission being graded: its process, its cells, and going on after something goes wrong.

`Attempt` is the transport that a `Handle` talks to. A request that hangs, dies or eats memory costs
itself alone: the process is replaced, the cells are run again without those that killed it, layers
that the running case has built are built again, and the next request goes on as if nothing had
happened. Time-outs, memory kills and kills from outside are tried once more with no other
submission running, because a busy machine must not cost anybody a point.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

from autograder.matching import CellPlan
from autograder.results import Incident, StudentDied, StudentMemory, StudentTimeout
from autograder.sandbox import CellOutcome, Limits

MAX_RESPAWNS = 30
# After a hang that was confirmed alone, later calls of that exercise get this share of the time.
IMPATIENCE = 0.3


# How a process looks that something else ended: the system when memory ran out, or a person.
FROM_OUTSIDE = ("SIGKILL", "lost")


def _may_be_chance(kind: str, error: dict[str, str] | None) -> bool:
    """Whether an accident may be the machine's doing rather than the answer's."""
    if kind == "died":
        return (error or {}).get("message") in FROM_OUTSIDE
    return kind in ("timeout", "memory")


class Spawner(Protocol):
    """What makes processes: the sandbox, or the plain subprocess of the pre-flight."""

    def spawn(self) -> Any: ...


class Gate:
    """Lets many submissions run together, or one alone.

    Everything that a student's code does happens inside `shared()` or `alone()`. A thread that
    waits for `alone` lets nobody new in, so its wait is at most one request long.
    """

    def __init__(self):
        self._condition = threading.Condition()
        self._running = 0
        self._exclusive = False
        self._waiting = 0

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        with self._condition:
            self._condition.wait_for(lambda: not self._exclusive and not self._waiting)
            self._running += 1
        try:
            yield
        finally:
            with self._condition:
                self._running -= 1
                self._condition.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        with self._condition:
            self._waiting += 1
            self._condition.wait_for(lambda: not self._exclusive and not self._running)
            self._waiting -= 1
            self._exclusive = True
        try:
            yield
        finally:
            with self._condition:
                self._exclusive = False
                self._condition.notify_all()


class Attempt:
    """Runs a submission's cells and serves requests on what they define.

    Args:
        spawner: Makes processes.
        cells: What to run, in order.
        limits: Wall-clock limits; memory and the like are the process's own.
        gate: Shared by all submissions of a run.
    """

    def __init__(self, spawner: Spawner, cells: list[CellPlan], limits: Limits, gate: Gate):
        self._spawner, self._cells, self._limits, self._gate = spawner, cells, limits, gate
        self._child: Any = None
        self._skipped: set[str] = set()
        self._respawns = 0
        self._spent = 0.0
        self._hung: set[str] = set()
        self._objects: dict[str, tuple[str, list[dict]]] = {}
        self._made_in: dict[str, Any] = {}
        self._numbers = 0
        self.exercise = ""
        self.cpu_seconds = 0.0
        self.outcomes: dict[str, CellOutcome] = {}

    def run_cells(self, child: Any = None) -> None:
        """Runs every cell once; afterwards `outcomes` says how each ended.

        Args:
            child: A fresh process to start with; None spawns one.
        """
        self._child = child
        for number, cell in enumerate(self._cells):
            if self._exhausted:
                self.outcomes[cell.name] = CellOutcome("timeout", {"message": "submission"})
                self._skipped.add(cell.name)
                continue
            try:
                self._ensure(number)
            except Incident as incident:
                status = "timeout" if isinstance(incident, StudentTimeout) else "died"
                self.outcomes[cell.name] = CellOutcome(status, {"message": incident.detail})
                continue
            outcome = self._run(cell, self._gate.shared())
            if _may_be_chance(outcome.status, outcome.error) and not self._exhausted:
                with contextlib.suppress(Incident), self._gate.alone():
                    self._drop()
                    self._ensure(number, gated=True)
                    outcome = self._run(cell, contextlib.nullcontext())
            self.outcomes[cell.name] = outcome
            if outcome.status not in ("ok", "error"):
                self._skipped.add(cell.name)
                self._drop()

    def request(self, op: dict[str, Any]) -> dict[str, Any]:
        """Serves one request of a `Handle`.

        Raises:
            Incident: it was not possible; the next request meets a fresh process again.
        """
        if self._exhausted:
            raise StudentTimeout("submission")
        try:
            return self._attempt(op, self._gate.shared())
        except Incident as incident:
            self._drop()
            chance = _may_be_chance(incident.kind, {"message": incident.detail})
            if not chance or self.exercise in self._hung or self._exhausted:
                raise
        with self._gate.alone():
            try:
                return self._attempt(op, contextlib.nullcontext(), gated=True)
            except Incident as incident:
                if isinstance(incident, (StudentTimeout, StudentMemory)):
                    self._hung.add(self.exercise)
                self._drop()
                raise

    def close(self) -> None:
        """Ends the process."""
        self._drop()

    @property
    def seconds(self) -> float:
        """Wall clock spent in the student's code."""
        return self._spent

    @property
    def respawns(self) -> int:
        return self._respawns

    @property
    def _exhausted(self) -> bool:
        return self._spent > self._limits.submission_seconds

    def _attempt(self, op: dict[str, Any], gate, gated: bool = False) -> dict[str, Any]:
        self._ensure(len(self._cells), gated)
        with gate:
            reply = self._exchange(self._rebound(op))
        return self._remember(op, reply)

    def _exchange(self, op: dict[str, Any]) -> dict[str, Any]:
        share = IMPATIENCE if self.exercise in self._hung else 1.0
        timeout = min(self._limits.call_seconds * share, self._left())
        with self._clock():
            return self._child.request(op, timeout=timeout)

    def _run(self, cell: CellPlan, gate) -> CellOutcome:
        with gate, self._clock():
            timeout = min(self._limits.cell_seconds, self._left())
            outcome = self._child.run_cell(cell.source, cell.name, timeout=timeout)
        # Nobody asks for what was printed, and thousands of cells can print a lot.
        return replace(outcome, stdout="")

    def _left(self) -> float:
        return max(0.5, self._limits.submission_seconds - self._spent)

    @contextlib.contextmanager
    def _clock(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self._spent += time.monotonic() - started

    def _ensure(self, upto: int, gated: bool = False) -> None:
        """Makes sure that a process is there in which the first `upto` cells have run."""
        if self._child is not None and self._child.alive:
            return
        self._drop()
        if self.outcomes and self._respawns >= MAX_RESPAWNS:
            raise StudentDied("too many restarts")
        self._respawns += bool(self.outcomes)
        self._child = self._spawner.spawn()
        for cell in self._cells[:upto]:
            if cell.name in self._skipped:
                continue
            gate = contextlib.nullcontext() if gated else self._gate.shared()
            outcome = self._run(cell, gate)
            if outcome.status not in ("ok", "error"):
                # It ran before and does not now: leave it out from here on, once and for all.
                self._skipped.add(cell.name)
                self.outcomes[cell.name] = outcome
                self._drop()
                if self._exhausted:
                    raise StudentTimeout("submission")
                return self._ensure(upto, gated)

    def _drop(self) -> None:
        if self._child is not None:
            report = self._child.close() or {}
            self.cpu_seconds += float(report.get("cpu_seconds", 0.0))
            self._child = None

    def _remember(self, op: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
        """Gives objects names that outlive the process, and notes how each was made."""
        if not reply.get("ok"):
            return reply
        if op.get("op") in ("build", "rebuild"):
            self._numbers += 1
            name = f"object{self._numbers}"
            # The name that the process uses, good for this process only, and the way to remake it.
            self._objects[name] = (str(reply.get("value")), [op])
            self._made_in[name] = self._child
            return {**reply, "value": name}
        if op.get("op") == "set_weights" and op.get("object") in self._objects:
            self._objects[op["object"]][1].append(op)
        return reply

    def _rebound(self, op: dict[str, Any]) -> dict[str, Any]:
        """The op with the object's name in the present process, remaking the object if needed."""
        name = op.get("object")
        if name is None or name not in self._objects:
            return op
        own_name, history = self._objects[name]
        if self._made_in.get(name) is not self._child:
            for step in history:
                step = self._rebound(step) if step["op"] == "rebuild" else dict(step)
                if step["op"] == "set_weights":
                    step["object"] = own_name
                reply = self._exchange(step)
                if not reply.get("ok"):
                    raise StudentDied("the layer could not be built again")
                if step["op"] in ("build", "rebuild"):
                    own_name = str(reply.get("value"))
            self._objects[name] = (own_name, history)
            self._made_in[name] = self._child
        return {**op, "object": own_name}
