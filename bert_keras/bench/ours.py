"""Our own step, the way a user gets it: `compile`, `fit` and `predict` with their defaults."""

from __future__ import annotations

import keras
import numpy as np

from bert_keras.bench.work import DISTINCT_BATCHES, Work
from bert_keras.models.bert import BertBackbone, BertPretrainer
from bert_keras.training import devices, pipeline
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.sections import OptimizerSection


class Ours:
    """`BertPretrainer` trained by `fit`, or `BertBackbone` used by `predict`.

    Args:
        work: the sizes and the operation.
    """

    def __init__(self, work: Work):
        devices.tune_process()  # as `bert-keras pretrain` begins
        devices.set_precision(work.dtype)
        keras.utils.set_random_seed(work.seed)
        self.work = work
        self.batches = work.batches()
        backbone = build_backbone(work)
        self.model = backbone if work.op == "infer" else build_pretrainer(backbone, work)
        self.parameters = self.model.count_params()
        self.about = f"Keras {keras.__version__} on {keras.backend.backend()}"
        self._next = 0

    def run(self, steps: int) -> float:
        """Train or infer on the next batches.

        Args:
            steps: int, how many batches.

        Returns:
            float: mean loss over the steps, or for inference the sum of the last pooled output.
        """
        start, self._next = self._next, self._next + steps
        if self.work.op == "infer":
            batches = [self._inputs(number) for number in range(start, self._next)]
            rows = {name: np.concatenate([b[name] for b in batches]) for name in batches[0]}
            outputs = self.model.predict(rows, batch_size=self.work.batch_size, verbose=0)
            return float(np.sum(outputs["pooled_output"][-1]))
        data = pipeline.as_dataset(self._batch, start, self._next)
        history = self.model.fit(data, epochs=1, steps_per_epoch=steps, verbose=0)
        return float(history.history["loss"][-1])

    def learns(self, steps: int = 12) -> list[float]:
        """Train on one and the same batch: the loss must fall, or no training is timed here.

        Args:
            steps: int, how many steps.

        Returns:
            Losses of the steps.
        """
        data = pipeline.as_dataset(lambda _: self.batches[0], 0, steps)
        losses = _Losses()
        self.model.fit(data, epochs=1, steps_per_epoch=steps, verbose=0, callbacks=[losses])
        return losses.found

    def _batch(self, number: int):
        return self.batches[number % DISTINCT_BATCHES]

    def _inputs(self, number: int):
        inputs, _ = self._batch(number)
        return {name: inputs[name] for name in ("token_ids", "segment_ids", "padding_mask")}


class _Losses(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.found: list[float] = []
        self._before = 0.0

    def on_train_batch_end(self, batch, logs=None):
        # Keras reports the mean since the start of the epoch.
        total = float(logs["loss"]) * (batch + 1)
        self.found.append(total - self._before)
        self._before = total


def build_backbone(work: Work, **changes) -> BertBackbone:
    """The encoder of some work.

    Args:
        work: the sizes.
        **changes: arguments of `BertBackbone` to replace.

    Returns:
        BertBackbone, with fresh weights.
    """
    sizes = {
        "vocabulary_size": work.vocabulary_size,
        "num_layers": work.num_layers,
        "num_heads": work.num_heads,
        "hidden_dim": work.hidden_dim,
        "intermediate_dim": work.intermediate_dim,
        "max_sequence_length": work.max_sequence_length,
        "dropout": work.dropout,
    }
    return BertBackbone(**{**sizes, **changes})


def build_pretrainer(backbone: BertBackbone, work: Work) -> BertPretrainer:
    """The encoder with its heads, compiled with AdamW at a steady rate and no clipping.

    The others clip nothing and do not change their rate either.

    Args:
        backbone: BertBackbone, the encoder.
        work: rate and decay.

    Returns:
        BertPretrainer; `jit_compile` is left to its default.
    """
    model = BertPretrainer(backbone)
    settings = OptimizerSection(
        learning_rate=work.learning_rate,
        weight_decay=work.weight_decay,
        warmup_share=0.0,
        clip_norm=0.0,
    )
    model.compile(optimizer=build_optimizer(model, settings, total_steps=10**9))
    return model
