"""Pretrain BERT on masked tokens and sentence pairs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import keras
import numpy as np

from bert_keras import checkpoints as published
from bert_keras.checkpoints.models import build_pretrainer
from bert_keras.models.bert import BertPretrainer
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training import (
    checkpoints,
    devices,
    distribution,
    evaluate,
    optimizers,
    prepare,
    record,
)
from bert_keras.training.batches import PretrainingBatches, for_run
from bert_keras.training.config import ConfigError
from bert_keras.training.early_stop import EarlyStop
from bert_keras.training.encoders import build_backbone
from bert_keras.training.pretrain_steps import train
from bert_keras.training.progress import progress_bar
from bert_keras.training.sections import PretrainConfig


def pretrain(
    config: PretrainConfig, *, resume: bool = False, force: bool = False
) -> dict[str, Any]:
    """Run, or continue, a pretraining.

    The run folder receives `config.toml`, `checkpoint.npz`, the encoder for fine-tuning
    (`backbone.json`, `backbone.weights.h5`, `vocab.txt`) and, at the end, `run.json`. A run killed
    at any moment and continued with `resume` goes through the same losses as one that was not.

    Args:
        config: the run configuration; its text must have been prepared.
        resume: continue from the checkpoint in the run folder.
        force: replace the run that is in the run folder.

    Returns:
        The run record.

    Raises:
        CorpusError: the text is not prepared.
        CheckpointError: nothing to resume, a checkpoint of another run, or no room for one.
        ConfigError: sizes that do not fit together, or a folder that holds a run.
        NonFiniteLossError: the loss became infinite or not a number.
    """
    started = time.perf_counter()
    settings = config.training
    record.check_folder(config, resume=resume, force=force)
    corpus = prepare.load(config.data.directory)
    checkpoint = Path(config.run.directory) / record.CHECKPOINT
    devices.tune_process()
    devices.set_precision(settings.precision)
    with distribution.scope(config.distribution) as scope:
        batches = build_batches(config, corpus, scope.replicas)
        model = scope.adopt(build_model(config, corpus.vocabulary, corpus.lowercase))
        progress: dict[str, Any] = {
            "step": 0,
            "history": [],
            "speed": [],
            "data": corpus.checksum,
            "settings": record.decisive(config, ("model", "pretraining", "optimizer", "training")),
        }
        best: dict[str, np.ndarray] = {}
        if resume and checkpoint.exists():
            check = record.same_run(checkpoint, progress)
            progress, best = checkpoints.restore(checkpoint, model, model.optimizer, check)
        resumed_at = progress["step"]
        folder = checkpoint.parent
        if scope.is_main:
            record.start_run(config, force=force)
        stopper = EarlyStop(model, settings.patience, progress.setdefault("best", {}), best)
        rates = train(config, model, batches, progress, stopper, scope)
        best_step = stopper.take_best()
        trained = scope.local(model)
        if scope.is_main:
            checkpoints.export_backbone(
                folder, trained.backbone, corpus.vocabulary, corpus.lowercase
            )
        with progress_bar("evaluating", "pairs", None) as bar:
            report = evaluate.held_out_report(
                trained, corpus, batches, limit=settings.evaluation_pairs, progress=bar.update
            )
        content = {
            "data": {"directory": config.data.directory, "checksum": corpus.checksum},
            "started_from": settings.checkpoint or None,
            "parameters": model.count_params(),
            "vocabulary_size": len(corpus.vocabulary),
            "steps": progress["step"],
            "best_step": best_step,
            "resumed_at_step": resumed_at if resume else None,
            "tokens_per_second": rates.get("tokens_per_second"),
            "padded_tokens_per_second": rates.get("padded_tokens_per_second"),
            "mfu": rates.get("mfu"),
            "held_out": report,
            "history": progress["history"],
            "speed": progress["speed"],
        }
        return record.finish_run(folder, "pretrain", config, started, content, scope.is_main)


def build_batches(
    config: PretrainConfig, corpus, row_multiple: int = 1
) -> dict[str, PretrainingBatches]:
    """Batches of the three splits, and "short" ones of the train split if the run has them.

    Args:
        config: the run configuration.
        corpus: the prepared text.
        row_multiple: int, numbers of rows are multiples of it, so that devices can share a batch.

    Returns:
        dict of `PretrainingBatches`.

    Raises:
        ConfigError: fewer rows than a batch has.
    """
    names = [*corpus.splits, *(["short"] if config.training.short_length else [])]
    try:
        return {name: for_run(config, corpus, name, row_multiple) for name in names}
    except ValueError as error:
        raise ConfigError(str(error)) from None


def build_model(
    config: PretrainConfig, vocabulary: Vocabulary, lowercase: bool = True
) -> BertPretrainer:
    """The model of a run, compiled. New weights depend on the seed alone.

    Args:
        config: the run configuration.
        vocabulary: of the prepared text.
        lowercase: whether that text was lowercased.

    Returns:
        `BertPretrainer`, with its optimizer built.

    Raises:
        ConfigError: sizes that do not fit together, or a checkpoint with another vocabulary.
        ConversionError: no checkpoint where the configuration says.
    """
    settings = config.training
    keras.utils.set_random_seed(config.run.seed)
    if settings.checkpoint:
        model = _started_from(config, vocabulary, lowercase)
    else:
        model = BertPretrainer(build_backbone(config.model, len(vocabulary)))
    optimizer = optimizers.build_optimizer(
        model,
        config.optimizer,
        total_steps=max(1, settings.steps // settings.gradient_accumulation),
        gradient_accumulation=settings.gradient_accumulation,
        loss_scaling=settings.precision == "mixed_float16",
    )
    model.compile(optimizer=optimizer, jit_compile=settings.jit_compile, auto_scale_loss=False)
    return model


def _started_from(config: PretrainConfig, vocabulary: Vocabulary, lowercase: bool):
    """The model of a checkpoint, whose tokens must be those of the text."""
    source, longest = config.training.checkpoint, config.model.max_sequence_length
    found = published.read(source)
    if found.vocabulary is None or found.vocabulary.tokens != vocabulary.tokens:
        raise ConfigError(
            f"the text was prepared with other tokens than {source} knows: prepare it with "
            "data.vocabulary_file, the checkpoint's vocab.txt"
        )
    if found.lowercase != lowercase:
        raise ConfigError(
            f"the text was prepared with data.lowercase = {str(lowercase).lower()}, {source} was "
            f"trained with {str(found.lowercase).lower()}"
        )
    if longest > found.sizes["max_sequence_length"]:
        raise ConfigError(
            f"model.max_sequence_length ({longest}) exceeds what {source} has positions for "
            f"({found.sizes['max_sequence_length']})"
        )
    heads = [part for part in found.parts if part != "encoder"]
    return build_pretrainer(found, heads=heads, dropout=config.model.dropout)
