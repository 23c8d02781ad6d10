"""Who takes part: the implementations by name, what they need, and whether this machine has it."""

from __future__ import annotations

import difflib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bert_keras.bench.pipes import BenchError

# Memory that a step frees stays with the process, so the next step needs not ask the kernel for
# it again, page by page. glibc's own settings; other allocators ignore them.
TUNED_MALLOC = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
    "MALLOC_TOP_PAD_": str(2**26),
}


@dataclass(frozen=True)
class Contestant:
    """One implementation in one setting.

    Attributes:
        name: as it appears in results.
        kind: of worker, a key of `bert_keras.bench.worker.HOMES`.
        options: further arguments of the worker's class.
        environment: variables to set for its process.
        needs: packages that must be there.
        ops: operations it takes part in.
    """

    name: str
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    ops: tuple[str, ...] = ("train", "infer")


def _on(backend: str) -> dict[str, str]:
    return {"KERAS_BACKEND": backend}


_TORCH = ("torch", "transformers")
CONTESTANTS = {
    contestant.name: contestant
    for contestant in (
        Contestant("ours", "ours"),
        Contestant("ours_jax", "ours", environment=_on("jax"), needs=("jax",)),
        Contestant(
            "kerashub_tf_default", "kerashub", environment=_on("tensorflow"), needs=("keras_hub",)
        ),
        Contestant(
            "kerashub_tf_nostall",
            "kerashub",
            {"autotune": False},
            _on("tensorflow"),
            needs=("keras_hub",),
        ),
        Contestant(
            "kerashub_tf_xla",
            "kerashub",
            {"autotune": False, "jit_compile": True},
            _on("tensorflow"),
            needs=("keras_hub",),
        ),
        Contestant("kerashub_jax", "kerashub", environment=_on("jax"), needs=("keras_hub", "jax")),
        Contestant("hf_stock", "huggingface", needs=_TORCH),
        # Gathering concerns the masked-LM head, which inference here does without.
        Contestant("hf_gather", "huggingface", {"gather": True}, needs=_TORCH, ops=("train",)),
        Contestant(
            "hf_tuned", "huggingface", {"gather": True, "fused": True}, TUNED_MALLOC, needs=_TORCH
        ),
    )
}
# KerasHub on JAX takes part when it is asked for by name: the TensorFlow rows are what counts.
ON_REQUEST = ("kerashub_jax",)


def choose(only: Sequence[str] = (), torch_python: str = "") -> tuple[list[Contestant], list[str]]:
    """The contestants that can start here.

    Args:
        only: names to keep; empty means all but those on request.
        torch_python: path of another interpreter that has PyTorch; empty means this one.

    Returns:
        The pair of contestants, "ours" first, and a line for each that is left out.

    Raises:
        BenchError: an unknown name, an interpreter that does not work, or nobody left.
    """
    for name in only:
        if name not in CONTESTANTS:
            nearest = difflib.get_close_matches(name, CONTESTANTS, n=1, cutoff=0.0)[0]
            raise BenchError(f"--only {name}: unknown; did you mean {nearest}?")
    wanted = [c for c in CONTESTANTS.values() if c.name in (only or CONTESTANTS)]
    if not only:
        wanted = [c for c in wanted if c.name not in ON_REQUEST]
        if os.environ.get("KERAS_BACKEND") == "jax":
            wanted = [c for c in wanted if c.name != "ours_jax"]  # ours is that already
    torch_found = _packages_of(torch_python, _TORCH) if torch_python else None
    chosen, notes = [], []
    for contestant in wanted:
        missing = [
            package
            for package in contestant.needs
            if not (
                package in torch_found
                if torch_found is not None and package in _TORCH
                else importlib.util.find_spec(package)
            )
        ]
        if missing:
            hint = "; --torch-python names a Python that has it" if "torch" in missing else ""
            notes.append(f"{contestant.name} left out: no {' and no '.join(missing)} here{hint}")
        else:
            chosen.append(contestant)
    if not chosen:
        raise BenchError(f"nobody to time: {'; '.join(notes)}")
    return chosen, notes


def interpreter(contestant: Contestant, torch_python: str = "") -> str:
    """The Python that a contestant runs under.

    Args:
        contestant: the contestant.
        torch_python: as for `choose`.

    Returns:
        Path of the interpreter.
    """
    return torch_python if torch_python and "torch" in contestant.needs else sys.executable


def _packages_of(python: str, packages: Sequence[str]) -> list[str]:
    code = (
        "import importlib.util, sys; "
        "print(*[p for p in sys.argv[1:] if importlib.util.find_spec(p)])"
    )
    try:
        found = subprocess.run(
            [python, "-c", code, *packages], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not answer"
        raise BenchError(f"--torch-python {python}: {reason}") from None
    if found.returncode:
        raise BenchError(f"--torch-python {python} is no working Python interpreter")
    return found.stdout.split()
