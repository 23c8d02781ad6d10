"""The training loop of every run: Keras's `fit`, one stretch of steps at a time.

`fit` does not wait for an accelerator after every step; `train_on_batch` does. A stretch ends
wherever a run wants to look at the model: to log, to evaluate, to write a checkpoint. Where it ends
depends on the number of the step alone, so a resumed run has the stretches of one never stopped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np

from bert_keras.errors import UserError
from bert_keras.training import distribution, optimizers
from bert_keras.training.pipeline import BatchStream
from bert_keras.training.progress import Meter


class NonFiniteLossError(UserError):
    """The loss became infinite or not a number; the message is one line."""


@dataclass(frozen=True)
class Stretch:
    """Some steps that were made.

    Attributes:
        step: int, the number of steps made since the start of the run.
        count: int, how many of them were made in this stretch.
        logs: dict of float, averages over the stretch: the loss and every metric.
    """

    step: int
    count: int
    logs: dict[str, float]


def next_stop(step: int, total: int, stops: tuple[int, ...], every: tuple[int, ...]) -> int:
    """Where the stretch that begins after `step` steps ends.

    Args:
        step: int, steps made.
        total: int, steps of the run.
        stops: step numbers to stop at.
        every: distances; all their multiples are stops, 0 means none.

    Returns:
        The number of the next stop.
    """
    multiples = [(step // distance + 1) * distance for distance in every if distance]
    return min(total, *multiples, *(stop for stop in stops if stop > step), total)


def stretches(
    model,
    make: Callable[[int], Any],
    meter: Meter,
    *,
    step: int,
    total: int,
    stops: tuple[int, ...] = (),
    every: tuple[int, ...] = (),
    widths_vary: Callable[[int], bool] = lambda number: False,
) -> Iterator[Stretch]:
    """Train, and hand over at every stop.

    Args:
        model: a compiled Keras model.
        make: function of a number, 0 for the first step of the run, that returns the batch of that
            step: inputs and targets, nested structures of NumPy arrays.
        meter: counts and shows the steps.
        step: int, steps that were made before.
        total: int, steps of the run.
        stops: further step numbers to stop at, such as those where the shape of batches changes.
        every: a stop after every multiple of these; 0 means none.
        widths_vary: whether the batches of the stretch that begins with this number differ in the
            length of their rows.

    Yields:
        A `Stretch` for each; the model may be used and changed meanwhile.

    Raises:
        NonFiniteLossError: at the end of the stretch in which it happened; on CPUs at once.
    """
    with BatchStream(meter.watch(make), step, total) as stream:
        while step < total:
            stop = next_stop(step, total, stops, every)
            watcher = _Watcher(model, meter, step)
            meter.begin(step)
            try:
                batches = stream.take(stop - step, widths_vary(step))
                model.fit(
                    batches,
                    steps_per_epoch=stop - step,
                    callbacks=watcher,
                    verbose=0,
                    shuffle=False,
                )
            except Exception:
                if stream.failure is not None:
                    raise stream.failure from None
                raise
            logs = watcher.logs
            if (failed := watcher.first_bad()) is not None:
                raise NonFiniteLossError(_diagnosis(model, failed))
            meter.end(stop, logs["loss"], watcher.waits)
            yield Stretch(stop, stop - step, logs)
            step = stop


class _Watcher(keras.callbacks.CallbackList):
    """Sees the loss of every step. Only where that costs nothing does it wait for the number.

    Keras's own list of callbacks turns every number of every step into a Python float before
    anyone gets to see it, and so waits for the device.
    """

    def __init__(self, model, meter: Meter, step: int):
        super().__init__(model=model, add_history=True, add_progbar=False, epochs=1)
        self.trained = model
        self.meter = meter
        self.first = step
        self.waits = on_processor()
        self.losses: list[Any] = []  # running averages since the start of the stretch
        self.logs: dict[str, float] = {}

    def on_train_batch_begin(self, batch, logs=None):
        """Nothing to do."""

    def on_train_batch_end(self, batch, logs=None):
        """Remember the loss; stop as soon as it is known to be no number."""
        number, loss = self.first + len(self.losses), logs["loss"]
        if self.waits:
            loss = float(loss)
            if not math.isfinite(loss):
                self.trained.stop_training = True
        self.losses.append(loss)
        self.meter.stepped(number, loss if self.waits else None)

    def on_epoch_end(self, epoch, logs=None):
        """The stretch is over: its averages."""
        self.logs = {name: float(value) for name, value in (logs or {}).items()}

    def first_bad(self) -> int | None:
        """The number of steps made when the loss first was infinite or not a number."""
        losses = np.array([float(loss) for loss in self.losses])
        bad = np.flatnonzero(~np.isfinite(losses))
        return self.first + int(bad[0]) + 1 if bad.size else None


def on_processor() -> bool:
    """Whether models run on the same processors as Python does, where waiting costs nothing."""
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        return not tf.config.list_logical_devices("GPU") + tf.config.list_logical_devices("TPU")
    if backend == "jax":
        import jax

        return jax.default_backend() == "cpu"
    if backend == "torch":
        import torch

        return not torch.cuda.is_available()
    return True


def _diagnosis(model, step: int) -> str:
    """One line about a loss that is no number: where, and what to look at."""
    optimizer = model.optimizer
    updates = int(distribution.to_numpy(optimizer.iterations))
    parts = [f"learning rate {optimizers.learning_rate_at(optimizer, max(0, updates - 1)):.2e}"]
    norm = optimizers.gradient_norm(optimizer)
    if norm is not None:
        parts.append(f"gradient norm of the last update {norm:.3g}")
    if (scale := optimizers.loss_scale(optimizer)) is not None:
        parts.append(f"loss scale {scale:g}")
    for variable in model.trainable_variables:
        if not np.isfinite(distribution.to_numpy(variable)).all():
            parts.append(f"first weight that is no number: {variable.path}")
            break
    else:
        parts.append("all weights are finite, so look at the data")
    return (
        f"the loss is not finite at step {step} ({'; '.join(parts)}): lower "
        "optimizer.learning_rate, set optimizer.clip_norm, or use mixed_bfloat16 instead of "
        f"mixed_float16; the data of that step is batch {step - 1}; the last checkpoint is whole"
    )
