"""One implementation in a process of its own: reads orders from a pipe, answers with figures.

The parent starts it with a line of code, see `bert_keras.bench.pipes`; orders and answers are one
JSON object a line. What libraries print goes to standard error, never between the answers.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any

from bert_keras.bench.work import Work

# Every implementation: the module and the class that is built with (work, **options).
HOMES = {
    "ours": ("ours", "Ours"),
    "kerashub": ("kerashub", "KerasHub"),
    "huggingface": ("huggingface", "HuggingFace"),
    "gemm": ("yardsticks", "KerasProducts"),
    "gemm_torch": ("yardsticks", "TorchProducts"),
    "parts": ("parts", "Parts"),
    "feeding": ("feeding", "Feeding"),
}


def main() -> int:
    """Serve orders until the pipe closes.

    The first line names the implementation: {"kind", "work", "options"}. Then come
    {"steps": n} for a timed run, or {"call": method, "arguments": {...}} for anything else.

    Returns:
        The exit code.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(values: dict[str, Any]) -> None:
        answers.write(json.dumps({**values, "peak_rss_mb": peak_rss_mb()}) + "\n")
        answers.flush()

    implementation = None
    for line in sys.stdin:
        order = json.loads(line)
        if implementation is None:
            implementation, loaded = load(order)
            answer(loaded)
        elif "call" in order:
            result = getattr(implementation, order["call"])(**order["arguments"])
            answer({"result": result})
        else:
            answer(timed(implementation, order["steps"]))
    return 0


def load(order: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Import, build and make the first step, each timed.

    Args:
        order: dict of kind, work and options.

    Returns:
        The implementation, and a dict of import_seconds, compile_seconds (everything from the
        end of the import to the end of the first step), first_loss, parameters and about.
    """
    start = time.perf_counter()
    module, name = HOMES[order["kind"]]
    kind = getattr(importlib.import_module(f"bert_keras.bench.{module}"), name)
    imported = time.perf_counter()
    work = Work.from_dict(order["work"]) if order["work"] else None
    implementation = kind(work, **order["options"])
    first_loss = implementation.run(1)
    return implementation, {
        "import_seconds": imported - start,
        "compile_seconds": time.perf_counter() - imported,
        "first_loss": first_loss,
        "parameters": implementation.parameters,
        "about": implementation.about,
    }


def timed(implementation: Any, steps: int) -> dict[str, Any]:
    """Run some steps.

    Args:
        implementation: what `load` gave.
        steps: int, how many.

    Returns:
        dict of seconds by the clock, cpu_seconds (user and system, all threads) and loss, that
        of the last step.
    """
    cpu, clock = time.process_time(), time.perf_counter()
    loss = implementation.run(steps)
    return {
        "seconds": time.perf_counter() - clock,
        "cpu_seconds": time.process_time() - cpu,
        "loss": loss,
    }


def peak_rss_mb() -> float:
    """The most memory that this process ever had resident, in MiB."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 1024)
