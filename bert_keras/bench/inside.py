"""Where our own step goes, and whether the data keep it waiting; both in a worker process."""

from __future__ import annotations

import statistics
from typing import Any

from bert_keras.bench.contestants import CONTESTANTS, interpreter
from bert_keras.bench.pipes import BenchError, Worker
from bert_keras.bench.run import gemm_peak, say
from bert_keras.bench.work import Work, flops


def profile(work: Work, rounds: int = 5) -> dict[str, Any]:
    """Time the parts of a training step, each compiled and differentiated on its own.

    The parts take turns with the whole step. What a step takes beyond the sum of its parts, or
    saves against it because the compiler fuses across their borders, is the part called "rest".

    Args:
        work: the sizes; the operation is training.
        rounds: int, timed runs of each part.

    Returns:
        dict of size, setting, gemm_gflops, step_ms, mfu, and parts: dicts of part, ms, share (of
        the step), gflop, and of_peak, None for parts without matrix products.

    Raises:
        BenchError: the worker died, or there is nothing to measure.
    """
    if rounds < 1:
        raise BenchError(f"--rounds {rounds}: at least 1")
    ours = CONTESTANTS["ours"]
    peak = gemm_peak([ours], work.dtype, interpreter)
    worker = Worker("the profile", "parts", work.as_dict())
    try:
        found: dict[str, list[float]] = {}
        for number in range(rounds):
            say(f"profile {work.size}: round {number + 1} of {rounds}")
            for name, seconds in worker.call("round").items():
                found.setdefault(name, []).append(seconds)
        work_of_part = worker.call("flops")
    finally:
        worker.close()
    return {
        "size": work.size,
        "setting": f"{work.batch_size} rows of {work.sequence_length} tokens, {work.dtype}",
        "gemm_gflops": round(peak / 1e9, 1),
        **account(
            {name: statistics.median(times) for name, times in found.items()},
            work_of_part,
            flops(work),
            peak,
        ),
    }


def account(
    seconds: dict[str, float], work_of_part: dict[str, int], whole: int, peak: float
) -> dict[str, Any]:
    """Turn the raw times into a bill.

    Args:
        seconds: of each timed run, by name: "step", "step without dropout", "fit alone" (a model
            with next to nothing in it) and the parts.
        work_of_part: operations of the parts that have any.
        whole: operations of the step.
        peak: operations a second of a bare matrix product.

    Returns:
        dict of step_ms, mfu and parts, the parts adding up to the step.
    """
    times = dict(seconds)
    step, quiet, idle = (times.pop(k) for k in ("step", "step without dropout", "fit alone"))
    bill = {name: max(0.0, time - idle) for name, time in times.items()}
    bill["dropout"] = step - quiet
    bill["fit and its data"] = idle
    bill["rest, or saved by fusion"] = step - sum(bill.values())
    return {
        "step_ms": round(step * 1e3, 3),
        "mfu": round(whole / step / peak, 4),
        "parts": [
            {
                "part": name,
                "ms": round(time * 1e3, 3),
                "share": round(time / step, 4),
                "gflop": round(work_of_part.get(name, 0) / 1e9, 3),
                "of_peak": (
                    round(work_of_part[name] / time / peak, 4)
                    if name in work_of_part and time > 0
                    else None
                ),
            }
            for name, time in bill.items()
        ],
    }


def profile_lines(result: dict[str, Any]) -> list[str]:
    """A bill for people.

    Args:
        result: of `profile`.

    Returns:
        Lines of text.
    """
    found = [
        f"training step, {result['size']}, {result['setting']}: {result['step_ms']:.1f} ms, "
        f"{result['mfu']:.1%} of a bare matrix product's {result['gemm_gflops']:,.0f} GFLOP/s",
        f"{'':<28}{'ms':>9}{'of step':>10}{'GFLOP':>9}{'of peak':>10}",
    ]
    for row in result["parts"]:
        peak = "" if row["of_peak"] is None else f"{row['of_peak']:.1%}"
        gflop = "" if row["of_peak"] is None else f"{row['gflop']:.2f}"
        found.append(f"{row['part']:<28}{row['ms']:>9.2f}{row['share']:>10.1%}{gflop:>9}{peak:>10}")
    return found


def pipeline(config_path: str, rounds: int = 5, steps: int = 0) -> dict[str, Any]:
    """Compare steps on real prepared data with steps on one batch that is always at hand.

    Args:
        config_path: TOML file of a pretraining whose text has been prepared.
        rounds: int, timed runs of each, in turns.
        steps: int, steps of a run; 0 means 30.

    Returns:
        dict of config, steps, real_ms, cached_ms, ratio (medians), cpu_ratio, padding_share and
        widths.

    Raises:
        UserError: the configuration or the prepared text is unusable, or the worker died.
        BenchError: the worker died or said nothing.
    """
    from bert_keras.training import config, prepare
    from bert_keras.training.sections import PretrainConfig

    if rounds < 1 or steps < 0:
        raise BenchError(f"--rounds {rounds} --steps {steps}: at least 1 round, 0 or more steps")
    # Mistakes are found here, where they are one line.
    prepare.load(config.load(PretrainConfig, config_path).data.directory)
    steps = steps or 30
    worker = Worker("the pipeline", "feeding", None, {"path": config_path, "steps": steps})
    runs: dict[str, list[dict[str, float]]] = {"real": [], "cached": []}
    try:
        for number in range(rounds):
            for kind in ("real", "cached") if number % 2 == 0 else ("cached", "real"):
                runs[kind].append(worker.call("timed", kind=kind))
            say(
                f"pipeline: round {number + 1} of {rounds}, ms a step: "
                + ", ".join(f"{k} {v[-1]['seconds'] / steps * 1e3:.1f}" for k, v in runs.items())
            )
        padding = worker.call("padding")
    finally:
        worker.close()
    real, cached = (statistics.median(run["seconds"] for run in runs[k]) for k in runs)
    least = {kind: min(run["cpu_seconds"] for run in runs[kind]) for kind in runs}
    return {
        "config": config_path,
        "steps": steps,
        "real_ms": round(real / steps * 1e3, 3),
        "cached_ms": round(cached / steps * 1e3, 3),
        "ratio": round(real / cached, 4),
        "cpu_ratio": round(least["real"] / least["cached"], 4),
        **padding,
    }


def pipeline_lines(result: dict[str, Any]) -> list[str]:
    """The comparison for people.

    Args:
        result: of `pipeline`.

    Returns:
        Lines of text.
    """
    verdict = "never waits" if result["ratio"] <= 1.03 else "waits for its data"
    return [
        f"real data {result['real_ms']:.1f} ms a step, one cached batch "
        f"{result['cached_ms']:.1f} ms: {result['ratio']:.3f} x, the device {verdict}",
        f"processor time {result['cpu_ratio']:.3f} x",
        f"padding {result['padding_share']:.1%} of all tokens, rows of "
        f"{', '.join(map(str, result['widths']))} tokens",
    ]
