"""The record of a run: what was run, on what, with which result."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import platform
import shutil
import subprocess
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.training import config as configuration
from bert_keras.training import devices
from bert_keras.training.checkpoints import CheckpointError, write_atomically, write_json

CHECKPOINT = "checkpoint.npz"
# All that a run writes into its folder; --force removes it, and nothing else.
FILES = (
    CHECKPOINT,
    "config.toml",
    "run.json",
    "backbone.json",
    "backbone.weights.h5",
    "head.npz",
    "task.json",
    "vocab.txt",
    "model.keras",
    "vocabularies.json",
    "tensorboard",
)

# What may differ between a run and its continuation; anything else would make it another run.
_FREE = {
    "checkpoint_every",
    "log_every",
    "evaluation_pairs",
    "jit_compile",
    "tensorboard",
    "mfu",
    "path",
}


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide about a result."""
    found = {"python": platform.python_version()}
    for name in ("keras", "tensorflow", "jax", "numpy", "tokenizers", "scikit-learn"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def source_commit() -> str | None:
    """The commit of the source tree that this package runs from; None for an installed one.

    Returns:
        The hash, followed by "+" if files of the package differ from it.
    """
    package = Path(__file__).resolve().parents[1]
    if not (package.parent / ".git").exists():
        return None
    try:
        said = [
            subprocess.run(
                ["git", *arguments], cwd=package, capture_output=True, text=True, timeout=10
            )
            for arguments in (["rev-parse", "HEAD"], ["status", "--porcelain", "--", "."])
        ]
    except (OSError, subprocess.TimeoutExpired):
        return None
    if any(done.returncode for done in said):
        return None
    return said[0].stdout.strip() + ("+" if said[1].stdout.strip() else "")


class Averages:
    """Means over the batches since they were last taken.

    Keras starts its own averages anew with every `fit`. These live in a dict of plain numbers, so
    that a checkpoint can hold them and a resumed run reports what it would have.

    Args:
        state: where the sums are kept; changed in place.
    """

    def __init__(self, state: dict[str, Any]):
        self.state = state

    def add(self, logs: dict[str, Any], batches: int = 1) -> None:
        """Count some batches in.

        Args:
            logs: dict of their averages.
            batches: int, how many they are.
        """
        self.state["batches"] = self.state.get("batches", 0) + batches
        sums = self.state.setdefault("sums", {})
        for name, value in logs.items():
            sums[name] = sums.get(name, 0.0) + batches * float(value)

    def take(self) -> dict[str, float]:
        """The means so far; counting starts anew."""
        batches, sums = self.state.pop("batches"), self.state.pop("sums")
        return {name: round(total / batches, 6) for name, total in sums.items()}


def holds_run(folder: Path) -> bool:
    """Whether a run, finished or not, wrote into this folder.

    Args:
        folder: that may be one of a run.

    Returns:
        Whether one did.
    """
    return any((folder / name).exists() for name in FILES)


def check_folder(config: Any, *, resume: bool, force: bool) -> None:
    """Refuse to overwrite a run by accident, before anything slow begins.

    Args:
        config: the configuration of the run.
        resume: whether it goes on with what is there.
        force: whether it may remove what is there.

    Raises:
        ConfigError: the folder holds a run and neither is so, or both are.
        CheckpointError: there is nothing to go on with.
    """
    folder = Path(config.run.directory)
    if resume and force:
        raise configuration.ConfigError("--resume keeps a run and --force removes it: choose one")
    if resume:
        begun = (folder / "config.toml").exists() and not (folder / "run.json").exists()
        # A run killed before its first checkpoint goes on from its first step.
        if not (folder / CHECKPOINT).exists() and not begun:
            raise CheckpointError(f"there is no checkpoint {folder / CHECKPOINT} to resume from")
    elif not force and holds_run(folder):
        raise configuration.ConfigError(
            f"{folder} already holds a run: continue it with --resume, replace it with --force, "
            "or set run.directory to another folder"
        )


def decisive(config: Any, sections: tuple[str, ...]) -> dict[str, Any]:
    """All settings that decide what a run computes.

    Args:
        config: the configuration of the run.
        sections: their names, but for `run`, of which only the seed counts.

    Returns:
        dict of values by "section.key".
    """
    found = {"run.seed": config.run.seed}
    for name in sections:
        for key, value in dataclasses.asdict(getattr(config, name)).items():
            if key not in _FREE:
                found[f"{name}.{key}"] = list(value) if isinstance(value, tuple) else value
    return found


def same_run(checkpoint: Path, fresh: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    """A function that refuses the progress of another run.

    Args:
        checkpoint: where it comes from.
        fresh: the progress of a run that begins: the checksum of its "data", and its "settings".

    Returns:
        A function of a progress; it raises CheckpointError.
    """

    def check(progress: dict[str, Any]) -> None:
        if progress.get("data") != fresh["data"]:
            raise CheckpointError(
                f"{checkpoint} was trained on another text than this configuration's: resume with "
                "the same data, or start over with --force"
            )
        for name, value in fresh["settings"].items():
            before = progress.get("settings", {}).get(name, value)
            if before != value:
                raise CheckpointError(
                    f"{checkpoint} was made with {name} = {before}, not {value}: resume with that, "
                    "or start over with --force"
                )

    return check


def start_run(config: Any, *, force: bool = False) -> Path:
    """Create the run folder and write the resolved configuration into it.

    Args:
        config: the configuration of the run.
        force: whether to remove what an earlier run left there.

    Returns:
        The folder.

    Raises:
        ConfigError: the folder cannot be written.
    """
    folder = Path(config.run.directory)
    text = configuration.dump(config)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if force:
            for name in FILES:
                _remove(folder / name)
        # What a killed run was in the middle of writing, and a record that would stand beside
        # files that are no longer those it speaks of.
        for leftover in folder.glob(".*.tmp*"):
            _remove(leftover)
        _remove(folder / "run.json")
        write_atomically(folder / "config.toml", lambda file: file.write(text.encode("utf-8")))
    except OSError as error:
        raise configuration.ConfigError(
            f"cannot create the run folder {folder}: {error.strerror}"
        ) from None
    return folder


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def finish_run(
    folder: Path,
    command: str,
    config: Any,
    started: float,
    content: dict[str, Any],
    write: bool = True,
) -> dict[str, Any]:
    """Write `run.json` and return its content.

    Args:
        folder: the run folder.
        command: "pretrain" or "finetune".
        config: the resolved configuration.
        started: `time.perf_counter()` at the start.
        content: figures, checksums and whatever else belongs to the run.
        write: False in all but one of the processes that share a run.

    Returns:
        The record.

    Raises:
        CheckpointError: the disk is full; everything else is in the folder already.
    """
    record = {
        "command": command,
        "seed": config.run.seed,
        **content,
        "seconds": round(time.perf_counter() - started, 1),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "versions": versions(),
        "commit": source_commit(),
        "device": devices.describe(),
        "config": configuration.to_dict(config),
    }
    record = json.loads(json.dumps(record))  # tuples become lists, as whoever reads it will see
    if write:
        try:
            write_json(folder / "run.json", record)
        except OSError as error:
            raise CheckpointError(
                f"cannot write {folder / 'run.json'}: {error.strerror}; make room and run again "
                "with --resume"
            ) from None
    return record


def spread(values: list[float]) -> dict[str, Any]:
    """What a figure is over several seeds.

    Args:
        values: one per seed.

    Returns:
        dict of mean, standard_deviation (None for a single seed) and seeds, their number.
    """
    deviation = round(float(np.std(values, ddof=1)), 4) if len(values) > 1 else None
    return {
        "mean": round(float(np.mean(values)), 4),
        "standard_deviation": deviation,
        "seeds": len(values),
    }
