"""Train models that turn one sequence into another, and score them beside their simple bar."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import keras

from bert_keras.models.seq2seq import Seq2Seq
from bert_keras.models.transformer import Transformer
from bert_keras.training import checkpoints, devices, record, sequence_data, sequence_scores
from bert_keras.training.sequence_data import SequenceData
from bert_keras.training.sequence_sections import Seq2SeqConfig
from bert_keras.training.sequence_steps import batches_of, build_model, fit, fresh_start

VOCABULARIES = "vocabularies.json"
WEIGHTS = "model.keras"


def train(config: Seq2SeqConfig, *, resume: bool = False, force: bool = False) -> dict[str, Any]:
    """Train once for each seed and score every model on the test split.

    The run folder receives `config.toml`, `checkpoint.npz`, the model of the last seed
    (`model.keras`, `vocabularies.json`) and, at the end, `run.json`. A run killed at any moment and
    continued with `resume` ends with the same figures: seeds that were done are kept, and the one
    that was not goes on from its last checkpoint.

    Args:
        config: the run configuration.
        resume: continue from the checkpoint in the run folder.
        force: replace the run that is in the run folder.

    Returns:
        The run record; its `scores` have mean and standard deviation over the seeds, `baseline`
        what the set's simple bar reaches on the same split.

    Raises:
        CorpusError: the data cannot be had.
        ConfigError: sizes that do not fit together, or a folder that holds a run.
        CheckpointError: nothing to resume, a checkpoint of another run, or no room for one.
        NonFiniteLossError: the loss became infinite or not a number.
    """
    started = time.perf_counter()
    settings, folder = config.training, Path(config.run.directory)
    record.check_folder(config, resume=resume, force=force)
    devices.tune_process()
    devices.set_precision(settings.precision)
    data = sequence_data.load(config.data)
    batches_of(config, data, config.run.seed)  # refuses what does not fit, before it writes
    model, runs = _all_seeds(config, data, resume, force)
    checkpoints.write_json(folder / VOCABULARIES, _vocabularies(data))
    model.save(folder / WEIGHTS)
    return record.finish_run(folder, "train", config, started, _content(config, data, runs, model))


def _all_seeds(config: Seq2SeqConfig, data: SequenceData, resume: bool, force: bool):
    """The model of the last seed, and what came out with every seed."""
    checkpoint = Path(config.run.directory) / record.CHECKPOINT
    progress: dict[str, Any] = {
        "data": data.checksum,
        "settings": record.decisive(config, ("data", "model", "optimizer", "training")),
        "runs": [],
        "current": {},
    }
    model = None
    if resume and checkpoint.exists():
        model = build_model(config, data, config.run.seed)  # its numbers come from the file
        check = record.same_run(checkpoint, progress)
        progress, _ = checkpoints.restore(checkpoint, model, model.optimizer, check)
    record.start_run(config, force=force)

    def save():
        checkpoints.save(checkpoint, model, model.optimizer, progress)

    for number in range(len(progress["runs"]), config.training.seeds):
        if not progress["current"]:
            seed = config.run.seed + number
            model = build_model(config, data, seed)
            progress["current"] = fresh_start(seed)
        progress["runs"].append(fit(config, model, data, progress["current"], save))
        progress["current"] = {}
        save()
    return model, progress["runs"]


def load_run(
    folder: str | Path,
) -> tuple[Seq2Seq | Transformer, dict[str, int], dict[str, int]]:
    """The model that a run left behind.

    Args:
        folder: the run folder.

    Returns:
        `Seq2Seq` or `Transformer`, the source's vocabulary and the target's.

    Raises:
        CheckpointError: the folder has no finished run.
    """
    folder = Path(folder)
    try:
        content = json.loads((folder / VOCABULARIES).read_text(encoding="utf-8"))
        model = keras.saving.load_model(folder / WEIGHTS, compile=False)
        return model, content["source"], content["target"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise checkpoints.CheckpointError(
            f"no trained model can be read in {folder} ({reason}): run bert-keras train first"
        ) from None


def _vocabularies(data: SequenceData) -> dict[str, dict[str, int]]:
    return {"source": data.source_vocabulary, "target": data.target_vocabulary}


def _content(config: Seq2SeqConfig, data: SequenceData, runs: list, model) -> dict[str, Any]:
    bar = sequence_scores.baseline(config.data.corpus, data) if config.training.baseline else None
    names = runs[0]["scores"]
    return {
        "data": {
            "checksum": data.checksum,
            "rows": {name: len(pairs) for name, pairs in data.splits.items()},
            "source_vocabulary": len(data.source_vocabulary),
            "target_vocabulary": len(data.target_vocabulary),
        },
        "parameters": model.count_params(),
        "scores": {name: record.spread([run["scores"][name] for run in runs]) for name in names},
        "train_seconds": record.spread([run["train_seconds"] for run in runs]),
        "baseline": {"name": bar[0], **bar[1]} if bar else None,
        "runs": runs,
    }
