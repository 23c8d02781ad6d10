"""The record of a run: what was run, on what, with which result."""

from __future__ import annotations

import platform
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from bert_keras.training import config as configuration
from bert_keras.training import devices
from bert_keras.training.checkpoints import write_atomically, write_json


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide about a result."""
    found = {"python": platform.python_version()}
    for name in ("keras", "tensorflow", "jax", "numpy", "tokenizers", "scikit-learn"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


class Averages:
    """Means over the batches since they were last taken.

    Keras forgets its own averages at every `train_on_batch`. These live in a dict of plain
    numbers, so that a checkpoint can hold them and a resumed run reports what it would have.

    Args:
        state: where the sums are kept; changed in place.
    """

    def __init__(self, state: dict[str, Any]):
        self.state = state

    def add(self, logs: dict[str, Any]) -> None:
        """Count one batch in."""
        self.state["batches"] = self.state.get("batches", 0) + 1
        sums = self.state.setdefault("sums", {})
        for name, value in logs.items():
            sums[name] = sums.get(name, 0.0) + float(value)

    def take(self) -> dict[str, float]:
        """The means so far; counting starts anew."""
        batches, sums = self.state.pop("batches"), self.state.pop("sums")
        return {name: round(total / batches, 6) for name, total in sums.items()}


def start_run(config: Any) -> Path:
    """Create the run folder and write the resolved configuration into it."""
    folder = Path(config.run.directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise configuration.ConfigError(
            f"cannot create the run folder {folder}: {error.strerror}"
        ) from None
    # A record of an earlier run must not stand beside the files of this one.
    (folder / "run.json").unlink(missing_ok=True)
    text = configuration.dump(config)
    write_atomically(folder / "config.toml", lambda file: file.write(text.encode("utf-8")))
    return folder


def finish_run(
    folder: Path, command: str, config: Any, started: float, content: dict[str, Any]
) -> dict[str, Any]:
    """Write `run.json` and return its content.

    Args:
        folder: the run folder.
        command: "pretrain" or "finetune".
        config: the resolved configuration.
        started: `time.perf_counter()` at the start.
        content: figures, checksums and whatever else belongs to the run.
    """
    record = {
        "command": command,
        "seed": config.run.seed,
        **content,
        "seconds": round(time.perf_counter() - started, 1),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "versions": versions(),
        "device": devices.describe(),
        "config": configuration.to_dict(config),
    }
    write_json(folder / "run.json", record)
    return record
