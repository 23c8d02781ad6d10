"""The whole benchmark: sizes, operations, contestants, and the yardstick under all of them."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import Any

from bert_keras.bench import contestants, results
from bert_keras.bench.contestants import Contestant, choose, interpreter
from bert_keras.bench.pipes import BenchError, Worker
from bert_keras.bench.race import race
from bert_keras.bench.work import Work, parameters
from bert_keras.models.presets import PRESETS, preset

OPS = ("train", "infer")
DTYPES = ("float32", "mixed_bfloat16", "mixed_float16")
# Small sizes in the batches that they are trained with on a laptop, large ones in what fits.
_BATCH_SIZES = {"base": 8, "large": 4, "chinese_base": 8, "multilingual_base": 8}


def work_of(
    size: str,
    op: str,
    *,
    batch_size: int = 0,
    sequence_length: int = 128,
    predictions: int = 20,
    dtype: str = "float32",
) -> Work:
    """The work that a size means.

    Args:
        size: name of a preset.
        op: "train" or "infer".
        batch_size: int, rows; 0 means 16, and 8 or fewer from base on.
        sequence_length: int, tokens of a row.
        predictions: int, predicted positions of a row.
        dtype: policy to compute in.

    Returns:
        Work.

    Raises:
        BenchError: sizes that do not exist or do not fit together.
    """
    try:
        config = preset(size)
    except ValueError as error:
        raise BenchError(f"--size: {error}") from None
    if op not in OPS:
        raise BenchError(f"--op {op}: the operations are {', '.join(OPS)}")
    if dtype not in DTYPES:
        raise BenchError(f"--dtype {dtype}: the policies are {', '.join(DTYPES)}")
    if not 4 <= sequence_length <= config.max_sequence_length:
        raise BenchError(
            f"--sequence-length {sequence_length}: {size} has positions for 4 to "
            f"{config.max_sequence_length}"
        )
    if not 1 <= predictions < sequence_length:
        raise BenchError(
            f"--predictions {predictions}: rows of {sequence_length} tokens have 1 to "
            f"{sequence_length - 1} to predict"
        )
    if batch_size < 0:
        raise BenchError(f"--batch-size {batch_size}: at least 1, or 0 for the size's own")
    sizes = dataclasses.asdict(config)
    sizes.pop("num_segments")
    return Work(
        size=size,
        op=op,
        batch_size=batch_size or _BATCH_SIZES.get(size, 16),
        sequence_length=sequence_length,
        predictions=predictions,
        dtype=dtype,
        **sizes,
    )


def bench(
    works: Sequence[Work],
    *,
    only: Sequence[str] = (),
    torch_python: str = "",
    rounds: int = 5,
    steps: int = 0,
) -> dict[str, Any]:
    """Time everybody at everything.

    Args:
        works: sizes and operations; all of one dtype.
        only: names of implementations; empty means all that can run here.
        torch_python: another interpreter, one that has PyTorch and transformers.
        rounds: int, timed runs of each, in turns.
        steps: int, steps of a run; 0 means about two seconds.

    Returns:
        dict of gemm_gflops, rows and ratios; for several sizes, of gemm_gflops and sizes, which
        holds the same for each. Notes say who was left out and why.

    Raises:
        BenchError: nothing to time, or a worker died.
    """
    if rounds < 1 or steps < 0:
        raise BenchError(f"--rounds {rounds} --steps {steps}: at least 1 round, 0 or more steps")
    chosen, notes = choose(only, torch_python)
    for note in notes:
        say(note)

    def python_of(contestant: Contestant) -> str:
        return interpreter(contestant, torch_python)

    dtype = works[0].dtype
    peak = gemm_peak(chosen, dtype, python_of)
    parts: dict[str, dict[str, Any]] = {}
    for work in works:
        taking_part = [c for c in chosen if work.op in c.ops]
        if not taking_part:
            notes.append(f"nobody to time at {work.op} {work.size}")
            continue
        measured = race(work, taking_part, rounds=rounds, steps=steps, python_of=python_of, say=say)
        part = parts.setdefault(
            work.size,
            {"size": work.size, "setting": _setting(work), "rows": [], "ratios": {}},
        )
        part["rows"] += results.rows_of(work, measured, peak)
        part["ratios"][work.op] = results.ratios_of(measured)
        part.setdefault("cpu_ratios", {})[work.op] = results.ratios_of(measured, cpu=True)
        notes += _doubts(work, part["rows"])
    head = {"gemm_gflops": round(peak / 1e9, 1), "dtype": dtype, "notes": notes}
    if len({work.size for work in works}) == 1:
        return {**head, **next(iter(parts.values()), {"rows": [], "ratios": {}})}
    return {**head, "sizes": parts}


def gemm_peak(chosen: Sequence[Contestant], dtype: str, python_of) -> float:
    """The best of the matrix products that are at hand.

    Args:
        chosen: who takes part; PyTorch's products count where one of them needs it.
        dtype: policy or type.
        python_of: which interpreter a contestant runs under.

    Returns:
        float: operations a second.

    Raises:
        BenchError: a worker died.
    """
    yardsticks = {"gemm": "ours"}
    if "jax" in {package for c in chosen for package in c.needs}:
        yardsticks["gemm on jax"] = "ours_jax"
    if "torch" in {package for c in chosen for package in c.needs}:
        yardsticks["gemm_torch"] = "hf_stock"
    best = 0.0
    for name, like in yardsticks.items():
        contestant = contestants.CONTESTANTS[like]
        worker = Worker(
            name,
            name.split()[0],
            None,
            {"dtype": dtype},
            contestant.environment,
            python_of(contestant),
        )
        try:
            found = max(worker.loaded["first_loss"], worker.run(1)["loss"])
        finally:
            worker.close()
        say(f"bare matrix product, {worker.loaded['about']}: {found / 1e9:,.0f} GFLOP/s")
        best = max(best, found)
    return best


def say(line: str) -> None:
    """One line of progress, to standard error.

    Args:
        line: what to say.
    """
    print(line, file=sys.stderr, flush=True)


def _setting(work: Work) -> str:
    predicted = f", {work.predictions} predicted" if work.op == "train" else ""
    return f"{work.batch_size} rows of {work.sequence_length} tokens{predicted}, {work.dtype}"


def _doubts(work: Work, rows: list[dict[str, Any]]) -> list[str]:
    """What would make a row unfit for comparison: another model, or one that does not learn."""
    found = []
    for row in rows:
        if row["op"] != work.op:
            continue
        name, expected = row["implementation"], parameters(work)
        if row["parameters"] != expected:
            found.append(f"{name} has {row['parameters']:,} weights instead of {expected:,}")
        if work.op == "train" and not row["last_loss"] < row["first_loss"]:
            found.append(f"the loss of {name} at {work.size} did not fall in these steps")
    return found


SIZES = tuple(PRESETS)
