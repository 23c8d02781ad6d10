"""Grading on a Dask cluster: TLS or not at all, and nothing is lost with a worker.

Everybody who holds a certificate of the cluster can run code on it and read what travels there, the
class's seed included; that is how Dask works, so the certificates belong to the graders alone.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
import uuid
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import result_files
from autograder.cluster_worker import close_idle, grade_one, order
from autograder.errors import CommandError
from autograder.matching import assemble
from autograder.results import CaseResult, ExerciseResult, StudentDied
from autograder.running import How, Item
from autograder.submissions import FORMAT, Assignment

KEPT = "what was finished is kept; run the same command again"
# How long to wait for a scheduler, for a first worker, and for one after all have gone.
PATIENCE = 60.0
# How often to look whether there is still a worker.
LOOK = 2.0


@dataclass(frozen=True)
class Cluster:
    """Where a Dask cluster is and how to be let in.

    Args:
        address: `tls://host:port` of its scheduler.
        cert, key: This grader's certificate and its key.
        ca: The certificate of the authority that signed everybody's.
    """

    address: str
    cert: Path
    key: Path
    ca: Path

    @classmethod
    def parse(cls, address: str, cert: Path | None, key: Path | None, ca: Path | None) -> Cluster:
        """Checks what a command line says, before anything is connected.

        Raises:
            CommandError: when it is not encrypted or not complete.
        """
        if not address.startswith("tls://"):
            raise CommandError(
                f"--cluster {address}: it takes tls://host:port; submissions and the seed never "
                f"travel unencrypted"
            )
        for name, path in (("cert", cert), ("key", key), ("ca", ca)):
            if path is None:
                raise CommandError(f"--cluster needs --cluster-{name} FILE too (PEM)")
            if not path.is_file():
                raise CommandError(f"--cluster-{name} {path}: there is no such file")
        return cls(address, cert, key, ca)

    def run(self, todo: list[Item], assignment: Assignment, how: How) -> Iterator[dict[str, Any]]:
        """Grades submissions on the cluster and yields their results as they come.

        Args:
            todo: Submissions with their results' keys.
            assignment: The notebook.
            how: Limits and jail.

        Raises:
            CommandError: when the cluster is not there, is lost, or cannot grade.
        """
        with self._connected() as client:
            run = _Run(client, assignment, how)
            try:
                yield from run.results(todo)
            finally:
                run.close()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Any]:
        try:
            from distributed import Client, Security
        except ImportError:
            hint = "pip install 'bert-from-scratch[cluster]'"
            raise CommandError(f"--cluster needs Dask's distributed: {hint}") from None
        # What it logs is said in one line of ours; large submissions are as they are.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", message="Sending large graph")
        security = Security(
            require_encryption=True,
            tls_ca_file=str(self.ca),
            tls_client_cert=str(self.cert),
            tls_client_key=str(self.key),
        )
        try:
            client = Client(self.address, security=security, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            why = " ".join(str(error).split())[:300] or type(error).__name__
            raise CommandError(f"--cluster {self.address} cannot be reached: {why}") from None
        with client:
            yield client


class _Run:
    """One notebook's submissions on a connected cluster."""

    def __init__(self, client: Any, assignment: Assignment, how: How):
        self._client, self._assignment, self._how = client, assignment, how
        self._running: dict[Any, Item] = {}
        self._name = uuid.uuid4().hex[:12]
        self._count = 0
        self._seen_worker = time.monotonic()

    def results(self, todo: list[Item]) -> Iterator[dict[str, Any]]:
        """All results. Who was on a worker each time it died is tried once more, alone."""
        suspects: list[Item] = []
        waiting = deque(todo)
        while waiting or self._running:
            while waiting and len(self._running) < self._window():
                self._submit(waiting.popleft())
            for item, result in self._finished():
                if result is None:
                    suspects.append(item)
                else:
                    yield result
        for item in suspects:
            self._submit(item)
            while self._running:
                for _, result in self._finished():
                    yield result or _died(item, self._assignment)

    def close(self) -> None:
        """Takes back what is still running and ends the workers' idle warm processes."""
        with contextlib.suppress(Exception):  # a cluster that is gone has nothing left to end
            self._client.cancel(list(self._running))
            self._client.run(close_idle)

    def _window(self) -> int:
        """How many to have on the way: what the workers can do at once, and as many again."""
        return max(1, 2 * sum(self._client.nthreads().values()))

    def _submit(self, item: Item) -> None:
        handed, _ = item
        self._count += 1
        future = self._client.submit(
            grade_one,
            order(handed, self._assignment, self._how),
            self._assignment.data,
            handed.data,
            key=f"autograder-{self._name}-{self._count}",
            pure=False,
        )
        self._running[future] = item

    def _finished(self) -> Iterator[tuple[Item, dict[str, Any] | None]]:
        """What has ended by now, after waiting a moment; None stands for a worker that died."""
        from distributed import KilledWorker, wait

        with contextlib.suppress(TimeoutError):
            wait(list(self._running), timeout=LOOK, return_when="FIRST_COMPLETED")
        self._look_for_workers()
        for future in [future for future in self._running if future.done()]:
            item = self._running.pop(future)
            if future.status == "finished":
                yield item, self._read(item, future.result())
            elif future.status == "error" and isinstance(future.exception(), KilledWorker):
                yield item, None
            elif future.status == "error":
                raise CommandError(f"the cluster failed: {future.exception()}; {KEPT}")
            else:
                raise CommandError(f"the cluster was lost ({future.status}); {KEPT}")

    def _look_for_workers(self) -> None:
        now = time.monotonic()
        if self._client.status != "running":
            raise CommandError(f"the cluster was lost; {KEPT}")
        if self._client.nthreads():
            self._seen_worker = now
        elif now - self._seen_worker > PATIENCE:
            raise CommandError(f"the cluster has had no worker for {PATIENCE:g} s; {KEPT}")

    def _read(self, item: Item, text: Any) -> dict[str, Any] | None:
        """A worker's result, if it is one; None is like a worker that died."""
        handed, key = item
        try:
            reply = json.loads(text)
            if "error" in reply:
                raise CommandError(f"a worker cannot grade: {reply['error']}; {KEPT}")
            result = result_files.parse_result(json.dumps({"key": key, **reply["result"]}))
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        if result is None or result_files.fault(result, self._assignment, handed.student):
            return None
        return result


def _died(item: Item, assignment: Assignment) -> dict[str, Any]:
    """The result of a submission that took a worker with it whenever it was tried."""
    handed, key = item
    nothing = assemble(b'{"cells": [], "nbformat": 4}', assignment.trusted, {})
    results = []
    for exercise in assignment.exercises:
        cases = [
            CaseResult(case.name, case.title, 0.0, case.points, "died", StudentDied.text)
            for case in exercise.cases
        ]
        results.append(ExerciseResult(exercise.id, cases, incidents=["died"]))
    return {
        "key": key,
        "format": FORMAT,
        "student": handed.student,
        "assignment": assignment.name,
        "score": 0.0,
        "max_score": float(sum(exercise.points for exercise in assignment.exercises)),
        "exercises": [result.to_json() for result in results],
        "repairs": [note.to_json() for note in handed.repairs],
        "cells": [],
        "plan": [vars(cell) for cell in nothing.plan if not cell.trusted],
        "defects": [],
        "respawns": 0,
        "cpu_seconds": 0.0,
        "seconds": 0.0,
    }
