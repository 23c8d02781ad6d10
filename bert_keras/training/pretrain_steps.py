"""The steps of a pretraining: train, log, look at the dev split, write checkpoints."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bert_keras.models.bert import BertPretrainer
from bert_keras.training import (
    checkpoints,
    distribution,
    evaluate,
    loop,
    optimizers,
    pipeline,
    plan,
    record,
)
from bert_keras.training.batches import PretrainingBatches
from bert_keras.training.early_stop import EarlyStop
from bert_keras.training.progress import Meter, progress_bar
from bert_keras.training.sections import PretrainConfig
from bert_keras.training.tensorboard import ScalarLog


def train(
    config: PretrainConfig,
    model: BertPretrainer,
    batches: dict[str, PretrainingBatches],
    progress: dict[str, Any],
    stopper: EarlyStop,
    scope,
) -> dict[str, float]:
    """Train to the end, or until the dev loss has stopped falling.

    Args:
        config: the run configuration.
        model: from `pretrain.build_model`.
        batches: from `pretrain.build_batches`.
        progress: where the run is; updated in place.
        stopper: knows when to stop.
        scope: of `distribution.scope`; says who writes and what this process feeds.

    Returns:
        Speed, as from `Meter.rates`.

    Raises:
        NonFiniteLossError: the loss became infinite or not a number.
        CheckpointError: no room for a checkpoint.
        BatchError: the prepared text does not fit the model.
    """
    settings, folder = config.training, Path(config.run.directory)
    make, short_steps = batch_maker(config, batches, model.backbone.vocabulary_size)

    def feed(number: int):
        return tuple(scope.shard(part) for part in make(number))

    every = (settings.log_every, settings.checkpoint_every, settings.evaluate_every)
    averages = record.Averages(progress.setdefault("averages", {}))
    dev = batches["dev"].held_out(settings.dev_pairs) if settings.evaluate_every else None
    bar = progress_bar("pretraining", "steps", settings.steps, progress["step"])
    meter = Meter(bar, *_yardstick(config, model, scope))
    total = progress["step"] if stopper.stopped else settings.steps
    with bar, _scalars(config, progress, scope) as scalars:
        for stretch in loop.stretches(
            model,
            feed,
            meter,
            step=progress["step"],
            total=total,
            stops=(short_steps,),
            every=every,
            widths_vary=lambda number: _vary(batches["short" if number < short_steps else "train"]),
        ):
            step = progress["step"] = stretch.step
            averages.add(stretch.logs, stretch.count)
            last = step == settings.steps
            row: dict[str, Any] = {}
            speed: dict[str, float] = {}
            if last or step % settings.log_every == 0:
                row |= averages.take() | _optimizer_figures(model.optimizer)
                speed = meter.rates(recent=True)
                progress["speed"].append({"step": step, **speed})
            if dev and (last or step % settings.evaluate_every == 0):
                figures, _ = evaluate.held_out_figures(
                    scope.local(model), dev, batches["dev"].batch_size
                )
                row |= {f"dev_{name}": round(value, 6) for name, value in figures.items()}
                stopper.look(step, scope.agree(figures["masked"]))
            if row:
                progress["history"].append({"step": step, **row})
                scalars({**progress["history"][-1], **speed})
            due = settings.checkpoint_every and step % settings.checkpoint_every == 0
            if last or due or stopper.stopped:
                path = folder / record.CHECKPOINT
                checkpoints.save(
                    path, model, model.optimizer, progress, stopper.best, scope.is_main
                )
            if stopper.stopped:
                break
    return meter.rates()


def batch_maker(
    config: PretrainConfig, batches: dict[str, PretrainingBatches], vocabulary_size: int
) -> tuple[Callable[[int], Any], int]:
    """The batches of a run, by the number of their step.

    Most of a run may use short rows, which cost less and make it easier to find out which places
    to look at; the rest uses full rows. BERT itself was trained so: 90 % of its steps had 128
    positions, the rest 512.

    Args:
        config: the run configuration.
        batches: from `pretrain.build_batches`.
        vocabulary_size: int, of the model.

    Returns:
        The function, and the number of steps with short rows, which come first.
    """
    settings, length = config.training, config.model.max_sequence_length
    short_steps = round(settings.short_share * settings.steps) if "short" in batches else 0

    def make(number: int):
        batch = batches["short" if number < short_steps else "train"].batch(number)
        pipeline.check_inputs(batch[0], number, vocabulary_size, length)
        return batch

    return make, short_steps


def _vary(batches: PretrainingBatches) -> bool:
    return len(getattr(batches, "widths", ())) > 1


def _optimizer_figures(optimizer) -> dict[str, float]:
    """Learning rate, gradient norm and loss scale of the last update."""
    updates = int(distribution.to_numpy(optimizer.iterations))
    figures = {"learning_rate": optimizers.learning_rate_at(optimizer, max(0, updates - 1))}
    norm, scale = optimizers.gradient_norm(optimizer), optimizers.loss_scale(optimizer)
    if norm is not None:
        figures["gradient_norm"] = round(norm, 6)
    if scale is not None:
        figures["loss_scale"] = scale
    return figures


def _yardstick(config: PretrainConfig, model, scope):
    """What a step costs, as a function of its inputs, and what this machine could do."""
    sizes = dataclasses.replace(plan.sizes(config), V=model.backbone.vocabulary_size)

    def operations(inputs) -> int:
        (rows, length), places = inputs["token_ids"].shape, inputs["mask_positions"].shape[1]
        return plan.step_flops(dataclasses.replace(sizes, B=rows, T=length, P=places))

    if not config.training.mfu:
        return operations, 0.0
    from bert_keras.bench.gemm import matmul_peak

    return operations, matmul_peak(config.training.precision) * max(1, len(scope.devices))


@contextlib.contextmanager
def _scalars(config: PretrainConfig, progress: dict[str, Any], scope):
    """A function that writes a row of figures for TensorBoard, or does nothing."""
    if not (config.training.tensorboard and scope.is_main):
        yield lambda row: None
        return
    speed = {row["step"]: row for row in progress["speed"]}
    rows = [{**row, **speed.get(row["step"], {})} for row in progress["history"]]
    log = ScalarLog(config.run.directory, rows)
    try:
        yield log.add
    finally:
        log.close()
