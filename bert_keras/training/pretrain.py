"""Pretrain BERT on masked tokens and sentence pairs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import keras
import numpy as np
from tqdm import tqdm

from bert_keras.models.bert import BertBackbone, BertPretrainer
from bert_keras.training import checkpoints, devices, evaluate, prepare, record
from bert_keras.training.batches import PretrainingBatches, prefetch
from bert_keras.training.config import ConfigError
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.sections import PretrainConfig

CHECKPOINT = "checkpoint.npz"


def pretrain(config: PretrainConfig, *, resume: bool = False) -> dict[str, Any]:
    """Run, or continue, a pretraining.

    The run folder receives `config.toml`, `checkpoint.npz`, the encoder for fine-tuning
    (`backbone.json`, `backbone.weights.h5`, `vocab.txt`) and, at the end, `run.json`. A run killed
    at any moment and continued with `resume` goes through the same losses as one that was not.

    Args:
        config: the run configuration; its text must have been prepared.
        resume: continue from the checkpoint in the run folder.

    Returns:
        The run record.

    Raises:
        CorpusError: the text is not prepared.
        CheckpointError: nothing to resume, or a checkpoint of another run.
        ConfigError: sizes that do not fit together.
    """
    started = time.perf_counter()
    settings = config.training
    corpus = prepare.load(config.data.directory)
    batches = build_batches(config, corpus)
    checkpoint = Path(config.run.directory) / CHECKPOINT
    if resume and not checkpoint.exists():
        raise checkpoints.CheckpointError(f"there is no checkpoint {checkpoint} to resume from")

    devices.set_precision(settings.precision)
    model = build_model(config, len(corpus.vocabulary))
    progress: dict[str, Any] = {"step": 0, "history": [], "data": corpus.checksum}
    if resume:
        progress = checkpoints.restore(checkpoint, model, model.optimizer)
        if progress["data"] != corpus.checksum:
            raise checkpoints.CheckpointError(
                f"{checkpoint} was trained on another prepared text than {config.data.directory}"
            )
    folder, resumed_at = record.start_run(config), progress["step"]
    tokens_per_second = train(config, model, batches, progress, checkpoint)
    checkpoints.export_backbone(folder, model.backbone, corpus.vocabulary, corpus.lowercase)

    with _progress_bar("evaluating", "pairs", None) as bar:
        report = evaluate.held_out_report(
            model, corpus, batches, limit=settings.evaluation_pairs, progress=bar.update
        )
    content = {
        "data": {"directory": config.data.directory, "checksum": corpus.checksum},
        "parameters": model.count_params(),
        "vocabulary_size": len(corpus.vocabulary),
        "steps": progress["step"],
        "resumed_at_step": resumed_at if resume else None,
        "tokens_per_second": tokens_per_second,
        "held_out": report,
        "history": progress["history"],
    }
    return record.finish_run(folder, "pretrain", config, started, content)


def build_batches(config: PretrainConfig, corpus) -> dict[str, PretrainingBatches]:
    """Batches of the three splits, and "short" ones of the train split if the run has them.

    Held-out draws do not depend on the seed of the run.
    """
    tasks, settings, length = config.pretraining, config.training, config.model.max_sequence_length

    def build(name: str, length: int, batch_size: int) -> PretrainingBatches:
        return PretrainingBatches(
            corpus.splits[name],
            corpus.vocabulary,
            batch_size=batch_size,
            max_sequence_length=length,
            max_predictions=tasks.max_predictions,
            mask_rate=tasks.mask_rate,
            negative_rate=tasks.negative_rate,
            negative_distance=tasks.negative_distance,
            seed=config.run.seed if name == "train" else 0,
        )

    try:
        batches = {name: build(name, length, settings.batch_size) for name in corpus.splits}
        if short := settings.short_length:
            batches["short"] = build("train", short, settings.batch_size * length // short)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return batches


def build_model(config: PretrainConfig, vocabulary_size: int) -> BertPretrainer:
    """The model of a run, compiled, with weights that depend on the seed alone."""
    sizes, settings = config.model, config.training
    keras.utils.set_random_seed(config.run.seed)
    backbone = BertBackbone(
        vocabulary_size=vocabulary_size,
        num_layers=sizes.num_layers,
        num_heads=sizes.num_heads,
        hidden_dim=sizes.hidden_dim,
        intermediate_dim=sizes.intermediate_dim,
        max_sequence_length=sizes.max_sequence_length,
        dropout=sizes.dropout,
        initializer_stddev=sizes.initializer_stddev,
    )
    if sizes.position_scale:
        positions = backbone.embeddings.position_embedding.embeddings  # (max T, D)
        positions.assign(sizes.position_scale * _sinusoids(*positions.shape))
    model = BertPretrainer(backbone)
    optimizer = build_optimizer(
        model,
        config.optimizer,
        total_steps=max(1, settings.steps // settings.gradient_accumulation),
        gradient_accumulation=settings.gradient_accumulation,
    )
    model.compile(optimizer=optimizer, jit_compile=settings.jit_compile)
    return model


def train(
    config: PretrainConfig,
    model: BertPretrainer,
    batches: dict[str, PretrainingBatches],
    progress: dict[str, Any],
    checkpoint: Path,
) -> float:
    """The training loop; `progress` is updated in place.

    Most of a run may use short rows, which cost less and make it easier to find out which places
    to look at; the rest uses full rows. BERT itself was trained so: 90 % of its steps had 128
    positions, the rest 512.

    Returns:
        Tokens per second, padding included, after the first (compiling) step.
    """
    settings = config.training
    first_step = progress["step"]
    tokens_per_step = settings.batch_size * config.model.max_sequence_length
    short_steps = round(settings.short_share * settings.steps) if "short" in batches else 0

    def batch(number: int):
        return batches["short" if number < short_steps else "train"].batch(number)

    averages = record.Averages(progress.setdefault("averages", {}))
    clock, rate = None, 0.0
    with _progress_bar("pretraining", "steps", settings.steps, first_step) as bar:
        for inputs, targets in prefetch(batch, first_step, settings.steps):
            logs = model.train_on_batch(inputs, targets, return_dict=True)
            step = progress["step"] = progress["step"] + 1
            clock = clock or (time.perf_counter(), step)
            averages.add(logs)
            if step % settings.log_every == 0 or step == settings.steps:
                progress["history"].append({"step": step, **averages.take()})
            elapsed = time.perf_counter() - clock[0]
            if step > clock[1]:
                rate = (step - clock[1]) * tokens_per_step / elapsed
            bar.set_postfix_str(f"loss {float(logs['loss']):.3f}, {rate:,.0f} tokens/s", False)
            bar.update()
            every = settings.checkpoint_every
            if step == settings.steps or (every and step % every == 0):
                checkpoints.save(checkpoint, model, model.optimizer, progress)
    return round(rate, 1)


def _sinusoids(length: int, hidden_dim: int) -> np.ndarray:
    """Sinusoids of wavelengths from 2π to about the length of the sequence, float (T, D)."""
    position = np.arange(length)[:, None]
    angle = position / length ** (np.arange(0, hidden_dim, 2) / hidden_dim)  # (T, D/2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, -1)[:, :hidden_dim]


def _progress_bar(what: str, unit: str, total: int | None, initial: int = 0):
    return tqdm(
        total=total,
        initial=initial,
        desc=what,
        unit=f" {unit}",
        file=sys.stderr,
        dynamic_ncols=True,
        mininterval=1.0,
    )
