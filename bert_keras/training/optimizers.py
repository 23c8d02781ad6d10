"""AdamW and LAMB as BERT uses them: no decay for biases and norms, warm-up, decay, clipping."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

from bert_keras.training import distribution
from bert_keras.training.updates import no_decay_variables, warmup_linear_decay


@keras.saving.register_keras_serializable(package="bert_keras")
class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    """`warmup_linear_decay` as a schedule of Keras's optimizers.

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
        """The rate of one update.

        Args:
            step: int tensor of shape (), the number of the batch, 0 for the first.

        Returns:
            float32 tensor of shape ().
        """
        update = ops.floor(ops.cast(step, "float32") / self.batches_per_update)
        return warmup_linear_decay(update, self.peak, self.warmup_steps, self.total_steps)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same schedule again."""
        return {
            "peak": self.peak,
            "warmup_steps": self.warmup_steps,
            "total_steps": self.total_steps,
            "batches_per_update": self.batches_per_update,
        }


class _GlobalNorm:
    """What both optimizers do with gradients before an update: measure them, then clip them.

    The norm of the last update stays in `gradient_norm`, a float32 variable of shape (), where a
    log can read it for nothing. Without clipping nothing is measured, since that takes time. Under
    a TensorFlow strategy the gradients of all replicas are summed first: clipping each on its own
    would not be clipping by the norm of the batch.
    """

    def build(self, variables):
        """Create the moments of all variables, and the norm."""
        if self.built:
            return
        super().build(variables)
        if not self.global_clipnorm:
            return
        self.gradient_norm = self.add_variable(
            shape=(),
            dtype="float32",
            initializer="zeros",
            aggregation="only_first_replica",
            name="gradient_norm",
        )

    def _clip_gradients(self, grads):
        if keras.backend.backend() == "tensorflow":
            pairs = super()._all_reduce_sum_gradients(
                list(zip(grads, self._trainable_variables, strict=False))
            )
            import tensorflow as tf

            # Rows of a table that were looked up more than once must be added up before squaring.
            grads = [tf.convert_to_tensor(gradient) for gradient, _ in pairs]
        if not self.global_clipnorm:
            return grads
        squares = [ops.sum(ops.square(ops.cast(g, "float32"))) for g in grads]
        norm = ops.sqrt(sum(squares))
        self.gradient_norm.assign(norm)
        # A norm that is not finite makes everything NaN, which the loss of the next step shows.
        scale = self.global_clipnorm * ops.minimum(1.0 / norm, 1.0 / self.global_clipnorm)
        scale = scale + (norm - norm)
        return [g * ops.cast(scale, g.dtype) for g in grads]

    def _all_reduce_sum_gradients(self, grads_and_vars):
        return list(grads_and_vars)  # already done, before clipping


@keras.saving.register_keras_serializable(package="bert_keras")
class AdamW(_GlobalNorm, keras.optimizers.AdamW):
    """Keras's AdamW, which also remembers the norm of the gradient.

    Args:
        **options: of `keras.optimizers.AdamW`.

    Reference:
        Loshchilov and Hutter, Decoupled weight decay regularization (2019).
    """


@keras.saving.register_keras_serializable(package="bert_keras")
class Lamb(_GlobalNorm, keras.optimizers.Lamb):
    """Adam whose step is as long, layer by layer, as a fixed share of the layer's weights.

    That allows batches of tens of thousands of rows. For a weight x with bias-corrected moments m
    and v, r = m / (sqrt(v) + epsilon) + weight_decay * x, and x moves by
    -rate * (norm(x) / norm(r)) * r. The ratio is 1 where a norm is 0. Keras's own LAMB leaves the
    decay out of r; here it is in, as in the paper. Variables exempt from decay, small vectors that
    start at 0 or 1, are not scaled either, as in the authors' program.

    Args:
        **options: of `keras.optimizers.Lamb`.

    Reference:
        You et al., Large Batch Optimization for Deep Learning: Training BERT in 76 minutes (2020),
        algorithm 2.
    """

    def _apply_weight_decay(self, variables):
        """Nothing: decay is a part of the update, and so of its norm."""

    def update_step(self, gradient, variable, learning_rate):
        """Move one variable.

        Args:
            gradient: float tensor of the variable's shape, clipped.
            variable: the variable.
            learning_rate: float32 tensor of shape ().
        """
        dtype = variable.dtype
        index = self._get_variable_index(variable)
        m, v = self._momentums[index], self._velocities[index]
        rate, gradient = ops.cast(learning_rate, dtype), ops.cast(gradient, dtype)
        update_number = ops.cast(self.iterations + 1, dtype)
        self.assign_add(m, (gradient - m) * (1 - self.beta_1))
        self.assign_add(v, (ops.square(gradient) - v) * (1 - self.beta_2))
        m_hat = m / (1 - ops.power(ops.cast(self.beta_1, dtype), update_number))
        v_hat = v / (1 - ops.power(ops.cast(self.beta_2, dtype), update_number))
        update = m_hat / (ops.sqrt(v_hat) + self.epsilon)
        if self._use_weight_decay(variable):
            update = update + (self.weight_decay or 0.0) * variable
            weight_norm = ops.sqrt(ops.sum(ops.square(variable)))
            update_norm = ops.sqrt(ops.sum(ops.square(update)))
            both = ops.logical_and(weight_norm > 0, update_norm > 0)
            safe = ops.where(both, update_norm, ops.ones_like(update_norm))
            update = update * ops.where(both, weight_norm / safe, ops.ones_like(safe))
        self.assign_sub(variable, rate * update)


def build_optimizer(
    model, settings, total_steps: int, gradient_accumulation: int = 1, loss_scaling: bool = False
):
    """The optimizer of a model whose weights exist.

    Args:
        model: the Keras model.
        settings: an `OptimizerSection`.
        total_steps: int, number of updates of the run.
        gradient_accumulation: int, batches that are averaged for one update. When all of them have
            the same sum of weights, that is exactly the update of one batch as large as all.
        loss_scaling: bool, whether to multiply the loss so that float16 gradients do not vanish;
            the factor halves, and the step is skipped, whenever one overflows.

    Returns:
        A Keras optimizer, already built for the model's trainable variables.

    Reference:
        Micikevicius et al., Mixed precision training (2018), for the scaling.
    """
    schedule = WarmupLinearDecay(
        settings.learning_rate,
        max(1, round(settings.warmup_share * total_steps)),
        total_steps,
        gradient_accumulation,
    )
    kind = {"adamw": AdamW, "lamb": Lamb}[settings.name]
    if kind is AdamW and keras.backend.backend() == "torch":
        kind = keras.optimizers.AdamW  # this very class updates all variables in one go there
    optimizer = kind(
        learning_rate=schedule,
        weight_decay=settings.weight_decay,
        beta_1=settings.beta_1,
        beta_2=settings.beta_2,
        epsilon=settings.epsilon,
        global_clipnorm=settings.clip_norm or None,
        gradient_accumulation_steps=gradient_accumulation if gradient_accumulation > 1 else None,
    )
    optimizer.exclude_from_weight_decay(var_list=no_decay_variables(model.trainable_variables))
    if loss_scaling:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
    optimizer.build(model.trainable_variables)
    return optimizer


def gradient_norm(optimizer) -> float | None:
    """The global norm of the gradient at the last update, before clipping.

    Args:
        optimizer: from `build_optimizer`.

    Returns:
        The norm; None where the optimizer does not measure it: without clipping, and AdamW on
        torch.
    """
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    variable = getattr(inner, "gradient_norm", None)
    return None if variable is None else float(distribution.to_numpy(variable))


def learning_rate_at(optimizer, update: int) -> float:
    """The learning rate of one update.

    Args:
        optimizer: from `build_optimizer`.
        update: int, 0 for the first.

    Returns:
        The rate.
    """
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    schedule = inner._learning_rate
    return float(schedule(update * getattr(schedule, "batches_per_update", 1)))


def loss_scale(optimizer) -> float | None:
    """The factor of dynamic loss scaling; None without it.

    Args:
        optimizer: from `build_optimizer`.

    Returns:
        The factor, or None.
    """
    variable = getattr(optimizer, "dynamic_scale", None)
    return None if variable is None else float(distribution.to_numpy(variable))
