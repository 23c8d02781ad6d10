"""Stored experiments: a claim, stated before it is measured, and the figures that came out.

A notebook's `experiments.py` declares them, `tools/experiments.py` measures them and writes
`results/<id>.json` beside the notebook's source, and the notebook plots what `stored` returns.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MINIMUM_SEEDS = 3
KEYS = ("id", "claim", "holds", "seeds", "config", "figures", "command", "versions", "seconds")
_LEAF = {"mean", "sd", "values"}


@dataclass(frozen=True)
class Experiment:
    """One experiment, as a notebook declares it.

    Attributes:
        id: str, the name of its file.
        claim: dict of "zh" and "en", what is expected, written down before measuring. Where it has
            several parts, number them.
        run: function of a seed (int) and the sizes (dict) that measures once and returns numbers,
            in dicts of dicts if there are several conditions. Every seed returns the same keys.
        holds: function of the figures, as `summarise` returns them, that says whether the claim
            holds: a bool, or a dict of them by part.
        config: dict of sizes, JSON values.
        quick: dict, what of `config` a trial of seconds changes.
        seeds: tuple of int, at least three.
        minutes: float, how long all seeds take on two idle cores, about.

    Raises:
        ValueError: too few seeds, or a claim that is not in both languages.
    """

    id: str
    claim: dict[str, str]
    run: Callable[[int, dict[str, Any]], dict[str, Any]]
    holds: Callable[[dict[str, Any]], bool | dict[str, bool]]
    config: dict[str, Any] = field(default_factory=dict)
    quick: dict[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0, 1, 2)
    minutes: float = 1.0

    def __post_init__(self):
        if len(set(self.seeds)) < MINIMUM_SEEDS:
            raise ValueError(f"{self.id}: {len(set(self.seeds))} seeds; {MINIMUM_SEEDS} at least")
        if set(self.claim) != {"zh", "en"} or not all(self.claim.values()):
            raise ValueError(f"{self.id}: the claim has to be stated in zh and in en")
        if unknown := sorted(set(self.quick) - set(self.config)):
            raise ValueError(f"{self.id}: quick changes {', '.join(unknown)}, not in config")


def stored(experiment: str, folder: str | Path = "results") -> dict[str, Any] | None:
    """What was measured, if it was.

    Args:
        experiment: its id.
        folder: where results lie; beside the notebook, as seen from the notebook.

    Returns:
        The content of `<id>.json`, or None where there is none yet, or none that can be read.
    """
    try:
        content = json.loads((Path(folder) / f"{experiment}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def summarise(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation over the seeds, key by key.

    Args:
        runs: what `Experiment.run` returned for each seed: numbers in nested dicts, with the same
            keys every time.

    Returns:
        The same dicts, with {"mean", "sd", "values"} in place of every number; `sd` divides by
        one less than the number of seeds, and is None for a single seed.

    Raises:
        ValueError: the seeds differ in their keys, or something is not a finite number.
    """
    return _summarise(runs, "figures")


def _summarise(runs: Sequence[Any], name: str) -> dict[str, Any]:
    if all(isinstance(run, Mapping) for run in runs):
        if any(list(run) != list(runs[0]) for run in runs) or not runs[0]:
            raise ValueError(f"{name}: the seeds have different keys, or none")
        return {str(k): _summarise([run[k] for run in runs], f"{name}.{k}") for k in runs[0]}
    values = []
    for run in runs:
        if isinstance(run, Mapping) or not math.isfinite(float(run)):
            raise ValueError(f"{name}: {run!r} is not a finite number")
        values.append(_rounded(run))
    spread = _rounded(statistics.stdev(values)) if len(values) > 1 else None
    return {"mean": _rounded(statistics.fmean(values)), "sd": spread, "values": values}


def _rounded(value: float) -> float:
    """Six digits that count, whatever the size: gradients may be a billionth."""
    return float(f"{float(value):.6g}")


def verdict(experiment: Experiment, figures: dict[str, Any]) -> dict[str, Any]:
    """Whether the claim holds.

    Args:
        experiment: with its `holds`.
        figures: from `summarise`.

    Returns:
        dict of `holds`, a bool, and, for a claim of several parts, `parts`, a dict of bools.
    """
    found = experiment.holds(figures)
    if isinstance(found, Mapping):
        parts = {str(name): bool(part) for name, part in found.items()}
        return {"holds": all(parts.values()), "parts": parts}
    return {"holds": bool(found)}


def faults(content: Any, minimum_seeds: int = MINIMUM_SEEDS) -> list[str]:
    """What is wrong with a stored result.

    Args:
        content: of the JSON file.
        minimum_seeds: int, fewer are a fault.

    Returns:
        Lines of text; empty if nothing is wrong.
    """
    if not isinstance(content, dict):
        return ["not a JSON object"]
    wrong = [f"{key} is missing" for key in KEYS if key not in content]
    if wrong:
        return wrong
    claim, seeds = content["claim"], content["seeds"]
    if not isinstance(claim, dict) or set(claim) != {"zh", "en"} or not all(claim.values()):
        wrong.append("claim must have zh and en")
    if not isinstance(content["holds"], bool):
        wrong.append("holds must be true or false")
    if not isinstance(seeds, list) or len(set(seeds)) < minimum_seeds:
        wrong.append(f"seeds must be {minimum_seeds} different numbers at least")
        return wrong
    if not isinstance(content["config"], dict):
        wrong.append("config must be an object")
    if not isinstance(content["versions"], dict) or not content["versions"]:
        wrong.append("versions must be an object that holds something")
    if not isinstance(content["seconds"], (int, float)) or content["seconds"] < 0:
        wrong.append("seconds must be a number")
    return wrong + _wrong_leaves(content["figures"], "figures", len(seeds))


def _wrong_leaves(node: Any, name: str, seeds: int) -> list[str]:
    if not isinstance(node, dict) or not node:
        return [f"{name} must be an object that holds something"]
    if "values" not in node:
        return [line for key in node for line in _wrong_leaves(node[key], f"{name}.{key}", seeds)]
    if set(node) != _LEAF or not isinstance(node["values"], list) or len(node["values"]) != seeds:
        return [f"{name} must have mean, sd and {seeds} values"]
    fresh = summarise([{"it": value} for value in node["values"]])["it"]
    slack = 2e-5 * max(map(abs, node["values"]))
    close = all(
        (fresh[key] is None and node[key] is None)
        or (isinstance(node[key], (int, float)) and abs(fresh[key] - node[key]) <= slack)
        for key in ("mean", "sd")
    )
    return [] if close else [f"{name}: mean or sd do not belong to the values"]
