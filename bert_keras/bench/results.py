"""From measurements to rows, ratios and a table."""

from __future__ import annotations

from typing import Any

from bert_keras.bench.race import Measured
from bert_keras.bench.work import Work, flops


def rows_of(work: Work, measured: dict[str, Measured], peak: float) -> list[dict[str, Any]]:
    """One row for each implementation.

    Args:
        work: the sizes and the operation.
        measured: what a race gave.
        peak: operations a second of a bare matrix product.

    Returns:
        Rows as JSON values.
    """
    return [
        {
            "implementation": name,
            "op": work.op,
            "size": work.size,
            "tokens_per_second": round(work.tokens / one.step_ms * 1e3, 1),
            "step_ms": round(one.step_ms, 3),
            "cpu_ms": round(one.cpu_ms, 3),
            "mfu": round(flops(work) / (one.step_ms / 1e3) / peak, 4),
            "peak_rss_mb": round(one.peak_rss_mb, 1),
            "compile_seconds": round(one.loaded["compile_seconds"], 3),
            "import_seconds": round(one.loaded["import_seconds"], 3),
            "parameters": one.loaded["parameters"],
            "first_loss": round(one.loaded["first_loss"], 4),
            "last_loss": round(one.runs[-1]["loss"], 4),
            "about": one.loaded["about"],
            "rounds_ms": [round(run["seconds"] / one.steps * 1e3, 3) for run in one.runs],
        }
        for name, one in measured.items()
    ]


def ratios_of(measured: dict[str, Measured], cpu: bool = False) -> dict[str, float]:
    """Tokens per second of ours, divided by those of every other, from the same race.

    Args:
        measured: what a race gave.
        cpu: whether to compare processor time instead of time.

    Returns:
        dict from names to ratios, above 1 where ours is faster; empty where ours did not run.
    """
    return {
        name: round(one.cpu_ms / one.rival_cpu if cpu else one.step_ms / one.rival, 4)
        for name, one in measured.items()
        if name != "ours" and one.rival
    }


def lines(result: dict[str, Any]) -> list[str]:
    """Tables for people, one for each size and operation.

    Args:
        result: of `bert_keras.bench.run.bench`.

    Returns:
        Lines of text.
    """
    found = [f"bare matrix product: {result['gemm_gflops']:,.0f} GFLOP/s, {result['dtype']}"]
    for part in result.get("sizes", {result.get("size"): result}).values():
        for op in dict.fromkeys(row["op"] for row in part["rows"]):
            found += ["", f"{_TITLES[op]}, {part['size']}, {part['setting']}"]
            found += _table([row for row in part["rows"] if row["op"] == op], part["ratios"][op])
    return found + [f"note: {note}" for note in result["notes"]]


_TITLES = {"train": "training step", "infer": "inference (encoder and pooler)"}
_HEAD = (
    f"{'':<22}{'ms':>9}{'tokens/s':>11}{'of peak':>9}{'CPU ms':>9}{'MiB':>8}"
    f"{'1st step s':>12}   ours is"
)


def _table(rows: list[dict[str, Any]], ratios: dict[str, float]) -> list[str]:
    found = [_HEAD]
    for row in rows:
        name = row["implementation"]
        line = (
            f"{name:<22}{row['step_ms']:>9.1f}{row['tokens_per_second']:>11,.0f}"
            f"{row['mfu']:>9.1%}{row['cpu_ms']:>9.1f}{row['peak_rss_mb']:>8,.0f}"
            f"{row['compile_seconds']:>12.1f}"
        )
        if name in ratios:
            ratio = ratios[name]
            word = "faster" if ratio > 1 else "slower" if ratio < 1 else "as fast"
            line += f"   {ratio:.2f} x, {word}"
        found.append(line)
    return found
