"""Several workers, one at a time, in turns: a machine that slows down slows all of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bert_keras.bench.contestants import Contestant
from bert_keras.bench.pipes import BenchError, Worker
from bert_keras.bench.work import Work, flops, parameters

_RUNTIME_BYTES = 8e8  # what a framework needs before the first weight
_STEADY = 1.5e11  # operations a second, to guess how many steps make a run long enough to time


@dataclass
class Measured:
    """What is known of one implementation after a race.

    Attributes:
        loaded: answer to the first order, see `bert_keras.bench.worker.load`.
        steps: steps of a run.
        runs: answers of the timed runs.
        rival: milliseconds of a step of ours in the same race; None where ours did not run.
        rival_cpu: the same, milliseconds of processor time.
    """

    loaded: dict[str, Any]
    steps: int
    runs: list[dict[str, Any]] = field(default_factory=list)
    rival: float | None = None
    rival_cpu: float | None = None

    @property
    def step_ms(self) -> float:
        """Median milliseconds of a step."""
        return statistics.median(run["seconds"] for run in self.runs) / self.steps * 1e3

    @property
    def cpu_ms(self) -> float:
        """Least milliseconds of processor time that a step took; other programs add to it."""
        return min(run["cpu_seconds"] for run in self.runs) / self.steps * 1e3

    @property
    def peak_rss_mb(self) -> float:
        """The most memory, in MiB."""
        return max(answer["peak_rss_mb"] for answer in (self.loaded, *self.runs))


def steps_of(work: Work) -> int:
    """How many steps make a run of about two seconds on a small machine.

    Args:
        work: the sizes and the operation.

    Returns:
        int: from 4 to 60.
    """
    return max(4, min(60, round(2 * _STEADY / flops(work))))


def turns(names: Sequence[str], number: int) -> list[str]:
    """The order within a round: there and back, so that nobody always follows the same one.

    Args:
        names: the contestants.
        number: int, of the round.

    Returns:
        The names in order.
    """
    return list(names) if number % 2 == 0 else list(reversed(names))


def heats(names: Sequence[str], bytes_each: float, available: float) -> list[list[str]]:
    """Share out contestants so that each heat fits into memory; "ours" runs in every one.

    Args:
        names: the contestants.
        bytes_each: memory that one of them is expected to take.
        available: bytes that there are.

    Returns:
        Lists of names; at least two run against each other even where memory is short.
    """
    if len(names) * bytes_each <= available:
        return [list(names)]
    room = max(2, int(available // bytes_each))
    anchor = ["ours"] if "ours" in names else []
    others = [name for name in names if name not in anchor]
    width = max(1, room - len(anchor))
    # Evenly: six others with room for four become three and three.
    width = math.ceil(len(others) / math.ceil(len(others) / width))
    return [anchor + others[i : i + width] for i in range(0, len(others), width)]


def race(
    work: Work,
    contestants: Sequence[Contestant],
    *,
    rounds: int,
    steps: int,
    python_of: Callable[[Contestant], str],
    say: Callable[[str], None],
    start: Callable[..., Worker] = Worker,
    available: float | None = None,
) -> dict[str, Measured]:
    """Time all contestants at one piece of work.

    Args:
        work: the sizes and the operation.
        contestants: who takes part.
        rounds: int, timed runs of each.
        steps: int, steps of a run; 0 means as many as take about two seconds.
        python_of: which interpreter a contestant runs under.
        say: takes a line about what happens.
        start: makes a worker; tests put their own here.
        available: bytes of memory; None asks the system.

    Returns:
        dict from names to what was measured.

    Raises:
        BenchError: a worker died, or its loss is not a finite number.
    """
    steps = steps or steps_of(work)
    by_name = {contestant.name: contestant for contestant in contestants}
    available = memory_available() if available is None else available
    found: dict[str, Measured] = {}
    for heat in heats(list(by_name), memory_of(work), available):
        workers: dict[str, Worker] = {}
        here: dict[str, Measured] = {}
        try:
            for name in heat:
                contestant = by_name[name]
                say(f"{work.op} {work.size}: {name} loads and compiles")
                workers[name] = worker = start(
                    name,
                    contestant.kind,
                    work.as_dict(),
                    contestant.options,
                    contestant.environment,
                    python_of(contestant),
                )
                here[name] = Measured(worker.loaded, steps)
                _demand_finite(name, work, worker.loaded["first_loss"])
                worker.run(2)  # not counted: the caches warm up, memory is laid out
            for number in range(rounds):
                for name in turns(heat, number):
                    run = workers[name].run(steps)
                    _demand_finite(name, work, run["loss"])
                    here[name].runs.append(run)
                times = ", ".join(
                    f"{name} {measured.runs[-1]['seconds'] / steps * 1e3:.1f}"
                    for name, measured in here.items()
                )
                say(f"{work.op} {work.size}: round {number + 1} of {rounds}, ms a step: {times}")
        finally:
            for worker in workers.values():
                worker.close()
        if ours := here.get("ours"):
            for measured in here.values():
                measured.rival, measured.rival_cpu = ours.step_ms, ours.cpu_ms
        if "ours" in found:
            found["ours"].runs.extend(here.pop("ours").runs)
        found.update(here)
    return found


def _demand_finite(name: str, work: Work, loss: float) -> None:
    if not math.isfinite(loss):
        raise BenchError(f"the loss of {name} at {work.size} is {loss}: nothing to time")


def memory_of(work: Work) -> float:
    """A generous guess of what one worker takes.

    Args:
        work: the sizes and the operation.

    Returns:
        float: bytes.
    """
    weights = 4 * parameters(work)
    per_token = 10 * work.hidden_dim + 2 * work.intermediate_dim
    per_token += 2 * work.num_heads * work.sequence_length
    if work.op == "infer":
        return _RUNTIME_BYTES + 2 * weights + 4 * work.tokens * 2 * per_token
    activations = 4 * work.tokens * work.num_layers * per_token
    # The stock loop keeps logits at all positions, with their gradient.
    return _RUNTIME_BYTES + 5 * weights + activations + 8 * work.tokens * work.vocabulary_size


def memory_available() -> float:
    """Memory that can be had, with a fifth held back.

    Returns:
        float: bytes; infinity where the system does not say.
    """
    found = [math.inf]
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
        limits = Path("/sys/fs/cgroup")
        limit = (limits / "memory.max").read_text(encoding="ascii").strip()
        if limit != "max":
            found.append(int(limit) - int((limits / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):
        pass  # not Linux, or an older kind of limits
    return 0.8 * min(found)
