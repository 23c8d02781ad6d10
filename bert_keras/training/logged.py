"""A training with a history: steps, a line now and then, a look at the dev split, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bert_keras.training import loop, record
from bert_keras.training.progress import Meter, progress_bar


def fresh_progress() -> dict[str, Any]:
    """Where a training is before its first step; see `fit`.

    Returns:
        dict of step, history, averages and seconds, plain values that a checkpoint can hold.
    """
    return {"step": 0, "history": [], "averages": {}, "seconds": 0.0}


def fit(
    model,
    batch: Callable[[int], Any],
    settings,
    progress: dict[str, Any],
    look: Callable[[], dict[str, float]],
    save: Callable[[], None],
    title: str = "training",
) -> None:
    """Train from where the progress is, which is updated in place.

    Args:
        model: compiled Keras model.
        batch: the batch of a number, from 0.
        settings: section with steps, log_every, checkpoint_every and evaluate_every.
        progress: as from `fresh_progress`; its seconds are those of the steps and of compiling.
        look: figures of the dev split for a line of the history.
        save: writes a checkpoint.
        title: str, before the bar.

    Raises:
        NonFiniteLossError: the loss became infinite or not a number.
    """
    averages = record.Averages(progress["averages"])
    since = time.perf_counter()
    with progress_bar(title, "steps", settings.steps, progress["step"]) as bar:
        for stretch in loop.stretches(
            model,
            batch,
            Meter(bar),
            step=progress["step"],
            total=settings.steps,
            every=(settings.log_every, settings.checkpoint_every, settings.evaluate_every),
            widths_vary=lambda number: True,
        ):
            step = progress["step"] = stretch.step
            averages.add(stretch.logs, stretch.count)
            progress["seconds"] += time.perf_counter() - since
            row: dict[str, Any] = {}
            if step % settings.log_every == 0 or step == settings.steps:
                row["train_loss"] = round(averages.take()["loss"], 4)
            if settings.evaluate_every and step % settings.evaluate_every == 0:
                row |= look()
            if row:
                progress["history"].append({"step": step, **row})
            if settings.checkpoint_every and step % settings.checkpoint_every == 0:
                save()
            since = time.perf_counter()
