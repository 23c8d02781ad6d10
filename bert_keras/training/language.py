"""Train language models on running text; their perplexity beside that of an n-gram model."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np

from bert_keras.models.elmo import ElmoLanguageModel
from bert_keras.models.gpt import GPTBackbone, GPTLanguageModel
from bert_keras.training import checkpoints, devices, language_data, logged, optimizers, record
from bert_keras.training.config import ConfigError
from bert_keras.training.language_data import LanguageBatches, LanguageData
from bert_keras.training.language_sections import LanguageConfig

VOCABULARY = "vocabulary.json"
WEIGHTS = "model.keras"


def train(config: LanguageConfig, *, resume: bool = False, force: bool = False) -> dict[str, Any]:
    """Train a language model and measure its perplexity on the test split.

    The run folder receives `config.toml`, `checkpoint.npz`, `model.keras`, `vocabulary.json` and,
    at the end, `run.json`. A run killed at any moment and continued with `resume` goes on from its
    last checkpoint and ends with the same figures.

    Args:
        config: the run configuration.
        resume: continue from the checkpoint in the run folder.
        force: replace the run that is in the run folder.

    Returns:
        The run record; its `scores` have the perplexity of a token of the test split, [EOS]
        included and [BOS] not, and, of a model that also reads backwards, `backward_perplexity`,
        [BOS] included and [EOS] not; `baseline` has what an n-gram model of the same tokens
        reaches.

    Raises:
        CorpusError: the text cannot be had.
        ConfigError: sizes that do not fit together, or a folder that holds a run.
        CheckpointError: nothing to resume, a checkpoint of another run, or no room for one.
        NonFiniteLossError: the loss became infinite or not a number.
    """
    started = time.perf_counter()
    settings, folder = config.training, Path(config.run.directory)
    record.check_folder(config, resume=resume, force=force)
    devices.tune_process()
    devices.set_precision(settings.precision)
    data = language_data.load(config.text)
    batches = batches_of(config, data)  # refuses what does not fit, before it writes
    model = build_model(config, data)
    checkpoint = folder / record.CHECKPOINT
    progress: dict[str, Any] = {
        "data": data.checksum,
        "settings": record.decisive(config, ("text", "model", "optimizer", "training")),
        **logged.fresh_progress(),
    }
    if resume and checkpoint.exists():
        check = record.same_run(checkpoint, progress)
        progress, _ = checkpoints.restore(checkpoint, model, model.optimizer, check)
    record.start_run(config, force=force)
    dev = data.splits["dev"][: settings.dev_rows or None]

    def look():
        found = perplexities(model, batches, dev)
        return {f"dev_{name}": round(value, 3) for name, value in found.items()}

    def save():
        checkpoints.save(checkpoint, model, model.optimizer, progress)

    logged.fit(model, batches.batch, settings, progress, look, save)
    if not settings.checkpoint_every or settings.steps % settings.checkpoint_every:
        save()  # otherwise the last step has done so
    checkpoints.write_json(folder / VOCABULARY, data.vocabulary)
    model.save(folder / WEIGHTS)
    return record.finish_run(
        folder, "train", config, started, _content(config, data, batches, model, progress)
    )


def build_model(config: LanguageConfig, data: LanguageData) -> keras.Model:
    """A compiled model whose weights depend on the seed alone.

    Args:
        config: the run configuration.
        data: for the size of its vocabulary.

    Returns:
        `GPTLanguageModel` or `ElmoLanguageModel`, with its optimizer built.
    """
    settings, sizes = config.training, config.model
    keras.utils.set_random_seed(config.run.seed)
    if sizes.kind == "gpt":
        model = GPTLanguageModel(
            GPTBackbone(
                len(data.vocabulary),
                sizes.num_layers,
                sizes.num_heads,
                sizes.hidden_dim,
                sizes.intermediate_dim,
                max_sequence_length=sizes.max_sequence_length,
                dropout=sizes.dropout,
                norm_first=sizes.norm_first,
            )
        )
    else:
        model = ElmoLanguageModel(
            len(data.vocabulary),
            num_layers=sizes.num_layers,
            hidden_dim=sizes.hidden_dim,
            dropout=sizes.dropout,
        )
    optimizer = optimizers.build_optimizer(
        model,
        config.optimizer,
        total_steps=settings.steps,
        loss_scaling=settings.precision == "mixed_float16",
    )
    model.compile(optimizer=optimizer, jit_compile=settings.jit_compile, auto_scale_loss=False)
    return model


def batches_of(config: LanguageConfig, data: LanguageData) -> LanguageBatches:
    """The training batches.

    Args:
        config: the run configuration.
        data: the text.

    Returns:
        `LanguageBatches`.

    Raises:
        ConfigError: fewer sequences than a batch has.
    """
    settings = config.training
    try:
        return LanguageBatches(
            data.splits["train"],
            settings.batch_size,
            settings.bucket_width,
            config.model.max_sequence_length,
            config.run.seed,
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None


def perplexities(
    model: keras.Model, batches: LanguageBatches, sequences: Sequence[np.ndarray]
) -> dict[str, float]:
    """How well a model predicts every token of some sequences.

    Args:
        model: `GPTLanguageModel` or `ElmoLanguageModel`, compiled.
        batches: for their way of cutting and encoding.
        sequences: list of int32 arrays.

    Returns:
        dict of `perplexity` and, of a model that also reads backwards, `backward_perplexity`: e to
        the mean negative log-probability of a predicted token.
    """
    cut = [piece for ids in sequences for piece in language_data.pieces(ids, batches.longest)]
    cut.sort(key=len)
    names = {"lm_loss": "perplexity", "forward_loss": "perplexity"}
    names["backward_loss"] = "backward_perplexity"
    totals: dict[str, float] = {}
    for start in range(0, len(cut), batches.batch_size):
        chosen = cut[start : start + batches.batch_size]
        found = model.test_on_batch(batches.encode(chosen), return_dict=True)
        for metric in names.keys() & found.keys():
            tokens = sum(len(piece) - 1 for piece in chosen)
            totals[metric] = totals.get(metric, 0.0) + tokens * float(found[metric])
    count = sum(len(piece) - 1 for piece in cut)
    return {names[metric]: math.exp(total / count) for metric, total in sorted(totals.items())}


def _content(config, data, batches, model, progress) -> dict[str, Any]:
    scores = perplexities(model, batches, data.splits["test"])
    bar = None
    if config.training.baseline:
        bar = {"name": "n-grams", "perplexity": language_data.ngram_perplexity(data)}
    return {
        "data": {
            "checksum": data.checksum,
            "rows": {name: len(rows) for name, rows in data.splits.items()},
            "tokens": {
                name: sum(len(ids) - 1 for ids in rows) for name, rows in data.splits.items()
            },
            "vocabulary": len(data.vocabulary),
        },
        "parameters": model.count_params(),
        "scores": {name: record.spread([value]) for name, value in scores.items()},
        "train_seconds": record.spread([round(progress["seconds"], 1)]),
        "baseline": bar,
        "history": progress["history"],
    }
