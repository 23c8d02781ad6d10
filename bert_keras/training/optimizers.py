"""AdamW as BERT uses it: no decay for biases and norms, warm-up, linear decay, clipping."""

from __future__ import annotations

import keras
from keras import ops

# The last part of a variable's path says what it is.
_EXEMPT = ("bias", "gamma", "beta")


@keras.saving.register_keras_serializable(package="bert_keras")
class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    """Learning rate that rises linearly from 0, then falls linearly back to 0.

    Update number u (the first is 0) uses peak * (u + 1) / warmup_steps while u < warmup_steps, so
    that the first update is not wasted, and peak * (total - u) / (total - warmup) after that. From
    `total_steps` on the rate is 0.

    Args:
        peak: the highest rate.
        warmup_steps: updates until the peak.
        total_steps: updates until 0.
        batches_per_update: with gradient accumulation Keras passes the number of the batch, not of
            the update; this many batches make one update.
    """

    def __init__(
        self, peak: float, warmup_steps: int, total_steps: int, batches_per_update: int = 1
    ):
        super().__init__()
        self.peak = peak
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps
        self.batches_per_update = batches_per_update

    def __call__(self, step):
        step = ops.floor(ops.cast(step, "float32") / self.batches_per_update)
        rise = (step + 1) / max(1, self.warmup_steps)
        fall = (self.total_steps - step) / max(1, self.total_steps - self.warmup_steps)
        return self.peak * ops.minimum(1.0, ops.minimum(rise, ops.maximum(0.0, fall)))

    def get_config(self):
        return {
            "peak": self.peak,
            "warmup_steps": self.warmup_steps,
            "total_steps": self.total_steps,
            "batches_per_update": self.batches_per_update,
        }


def no_decay_variables(variables) -> list:
    """Variables that weight decay must leave alone: biases, and gamma and beta of LayerNorm.

    Args:
        variables: Keras variables, usually `model.trainable_variables`.

    Returns:
        Those of them that are exempt.
    """
    return [v for v in variables if v.path.split("/")[-1].endswith(_EXEMPT)]


def build_optimizer(model, settings, total_steps: int, gradient_accumulation: int = 1):
    """AdamW for a model whose weights exist.

    Args:
        model: the Keras model.
        settings: an `OptimizerSection`.
        total_steps: number of updates of the run.
        gradient_accumulation: batches that are averaged for one update.

    Returns:
        A Keras optimizer, already built for the model's trainable variables.

    Reference:
        Loshchilov and Hutter, Decoupled weight decay regularization (2019).
    """
    schedule = WarmupLinearDecay(
        settings.learning_rate,
        max(1, round(settings.warmup_share * total_steps)),
        total_steps,
        gradient_accumulation,
    )
    optimizer = keras.optimizers.AdamW(
        learning_rate=schedule,
        weight_decay=settings.weight_decay,
        beta_1=settings.beta_1,
        beta_2=settings.beta_2,
        epsilon=settings.epsilon,
        global_clipnorm=settings.clip_norm or None,
        gradient_accumulation_steps=gradient_accumulation if gradient_accumulation > 1 else None,
    )
    optimizer.exclude_from_weight_decay(var_list=no_decay_variables(model.trainable_variables))
    optimizer.build(model.trainable_variables)
    return optimizer
