"""The parts of our training step, each as a small model of its own that `fit` trains.

A part gets its input from a trained scale, so that its gradient goes all the way back to the input
as it does inside the whole model. Its own optimizer is plain gradient descent at rate 0, the least
that `fit` can do with a gradient; AdamW is a part of its own.
"""

from __future__ import annotations

import time
from typing import Any

import keras
import numpy as np
from keras import ops

from bert_keras.bench.ours import build_backbone, build_pretrainer
from bert_keras.bench.work import DISTINCT_BATCHES, Work
from bert_keras.models.losses import masked_lm_loss
from bert_keras.training import devices, pipeline

_LEAST_SECONDS = 0.5  # of a timed run


class Parts:
    """All parts, compiled; every order times each of them once.

    Args:
        work: the sizes.
    """

    about = "our own step, in parts"

    def __init__(self, work: Work):
        devices.tune_process()
        devices.set_precision(work.dtype)
        keras.utils.set_random_seed(work.seed)
        self.work = work
        self.batches = work.batches()
        quiet = build_pretrainer(build_backbone(work, dropout=0.0), work)
        self.parameters = quiet.count_params()
        self.models: dict[str, keras.Model] = {
            "step": build_pretrainer(build_backbone(work), work),
            "step without dropout": quiet,
            "fit alone": _Part(lambda inputs, targets: 0.0),
            **{name: _Part(part, layers) for name, (part, layers) in _parts(work).items()},
            "AdamW": _update_alone(build_pretrainer(build_backbone(work, dropout=0.0), work), work),
        }
        for part in list(self.models.values())[2:-1]:
            part.compile(optimizer=keras.optimizers.SGD(0.0), jit_compile=_jit(quiet))
        self.steps: dict[str, int] = {}

    def run(self, steps: int) -> float:
        """Compile everything, and find out how many steps of each part make a run.

        Args:
            steps: int, not used.

        Returns:
            float: the loss of a step of the whole model.
        """
        loss = 0.0
        for name, model in self.models.items():
            found = self._fit(model, 2)
            loss = found if name == "step" else loss
            start = time.perf_counter()
            self._fit(model, 2)
            each = (time.perf_counter() - start) / 2
            self.steps[name] = max(3, min(40, round(_LEAST_SECONDS / each)))
        return loss

    def round(self) -> dict[str, float]:
        """Time every part once.

        Returns:
            dict from names to seconds of a step.
        """
        found = {}
        for name, model in self.models.items():
            start = time.perf_counter()
            self._fit(model, self.steps[name])
            found[name] = (time.perf_counter() - start) / self.steps[name]
        return found

    def flops(self) -> dict[str, int]:
        """Operations of the parts that consist of matrix products, forward and backward.

        Returns:
            dict from names to numbers.
        """
        w = self.work
        d, tokens, picked = w.hidden_dim, w.tokens, w.batch_size * w.predictions
        attention = tokens * (8 * d * d + 4 * w.sequence_length * d)
        return {
            "attention": 3 * w.num_layers * attention,
            "feed-forward": 3 * w.num_layers * tokens * 4 * d * w.intermediate_dim,
            "vocabulary head": 6 * picked * (d * d + d * w.vocabulary_size),
        }

    def _fit(self, model: keras.Model, steps: int) -> float:
        def batch(number: int) -> Any:
            return self.batches[number % DISTINCT_BATCHES]

        data = pipeline.as_dataset(batch, 0, steps)
        history = model.fit(data, epochs=1, steps_per_epoch=steps, verbose=0)
        return float(history.history["loss"][-1])


class _Part(keras.Model):
    """Anything with a loss of its own; `run(inputs, targets)` computes it."""

    def __init__(self, run, layers=()):
        super().__init__(name="part")
        self.run, self.parts = run, list(layers)
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")
        self.built = True

    def call(self, inputs):
        return inputs

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return self.run(x, y) + 0.0 * ops.cast(self.scale, "float32")


def _parts(work: Work) -> dict[str, tuple[Any, list[Any]]]:
    backbone = build_backbone(work, dropout=0.0)
    model = build_pretrainer(backbone, work)
    blocks, shape = backbone.encoder_blocks, (work.batch_size, work.sequence_length)
    rng = np.random.default_rng(work.seed)
    # A variable, so that the way back to the input is computed too.
    states = keras.Variable(
        rng.normal(size=(*shape, work.hidden_dim)).astype("float32"), name="states"
    )  # (B, T, D)
    layer = keras.layers.Layer(name="input_states")
    layer.states = states
    layer.built = True

    def start():
        return ops.cast(states, backbone.compute_dtype)

    def total(x):
        return ops.mean(ops.square(ops.cast(x, "float32")))

    def attention(inputs, targets):
        mask = ops.expand_dims(ops.cast(inputs["padding_mask"], "bool"), 1)  # (B, 1, T)
        x = start()
        for block in blocks:
            x = block.self_attention(x, x, x, attention_mask=mask)[0]
        return total(x)

    def feed_forward(inputs, targets):
        x = start()
        for block in blocks:
            x = block.feed_forward(x)
        return total(x)

    def norms(inputs, targets):
        x = start()
        for block in blocks:
            # With the addition that stands before each norm of a block.
            x = block.self_attention_layer_norm(x + x)
            x = block.feed_forward_layer_norm(x + x)
        return total(x)

    def embeddings(inputs, targets):
        return total(backbone.embeddings(inputs["token_ids"], inputs["segment_ids"]))

    def head(inputs, targets):
        table = ops.convert_to_tensor(backbone.embeddings.token_embedding.embeddings)
        logits = model.masked_lm_head(start(), inputs["mask_positions"], table)
        return masked_lm_loss(logits, targets["mask_ids"], targets["mask_weights"])

    return {
        "attention": (attention, [layer, *(block.self_attention for block in blocks)]),
        "feed-forward": (feed_forward, [layer, *(block.feed_forward for block in blocks)]),
        "sums and norms": (
            norms,
            [layer]
            + [block.self_attention_layer_norm for block in blocks]
            + [block.feed_forward_layer_norm for block in blocks],
        ),
        "embeddings": (embeddings, [backbone.embeddings]),
        "vocabulary head": (
            head,
            [layer, model.masked_lm_head, backbone.embeddings.token_embedding],
        ),
    }


def _update_alone(model: keras.Model, work: Work) -> keras.Model:
    """AdamW on all weights of a model, with gradients that cost nothing to compute."""

    def sum_of_weights(inputs, targets):
        return 1e-6 * sum(ops.sum(ops.cast(w, "float32")) for w in model.trainable_variables)

    part = _Part(sum_of_weights, [model])
    part.compile(
        optimizer=keras.optimizers.AdamW(work.learning_rate, work.weight_decay),
        jit_compile=_jit(model),
    )
    return part


def _jit(model: keras.Model) -> bool:
    """Whether the whole model is compiled with XLA; its parts then are too."""
    return bool(getattr(model, "jit_compile", False))
