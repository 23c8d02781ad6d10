"""KerasHub's BERT doing the same work, fed and compiled as its users would, or better."""

from __future__ import annotations

import importlib

import keras
import numpy as np

from bert_keras.bench.work import DISTINCT_BATCHES, Work

keras_hub = importlib.import_module("keras_hub")


class KerasHub:
    """KerasHub's encoder and masked-LM head, with the pooler's two classes added for equal work.

    Args:
        work: the sizes and the operation.
        autotune: whether tf.data chooses its own parallelism, as it ships.
        jit_compile: of `compile`; "auto" is Keras's own choice.
    """

    def __init__(self, work: Work, autotune: bool = True, jit_compile: bool | str = "auto"):
        keras.config.set_dtype_policy(work.dtype)
        keras.utils.set_random_seed(work.seed)
        self.work, self.autotune = work, autotune
        backbone = keras_hub.models.BertBackbone(
            vocabulary_size=work.vocabulary_size,
            num_layers=work.num_layers,
            num_heads=work.num_heads,
            hidden_dim=work.hidden_dim,
            intermediate_dim=work.intermediate_dim,
            max_sequence_length=work.max_sequence_length,
            dropout=work.dropout,
        )
        if work.op == "infer":
            self.model = backbone
            self.model.compile(jit_compile=jit_compile)
        else:
            self.model = self._with_heads(backbone)
            self.model.compile(
                optimizer=keras.optimizers.AdamW(work.learning_rate, work.weight_decay),
                loss={
                    "masked": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                    "next": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                },
                jit_compile=jit_compile,
            )
        self.parameters = self.model.count_params()
        self.about = (
            f"KerasHub {keras_hub.__version__}, Keras {keras.__version__} on "
            f"{keras.backend.backend()}"
        )
        self.batches = [self._renamed(batch) for batch in work.batches()]
        self._next = 0

    def run(self, steps: int) -> float:
        """Train or infer on the next batches.

        Args:
            steps: int, how many batches.

        Returns:
            float: mean loss over the steps, or for inference the sum of the last pooled output.
        """
        numbers = range(self._next, self._next + steps)
        self._next += steps
        data = self._dataset([self.batches[n % DISTINCT_BATCHES] for n in numbers])
        if self.work.op == "infer":
            outputs = self.model.predict(data, steps=steps, verbose=0)
            return float(np.sum(outputs["pooled_output"][-1]))
        history = self.model.fit(data, epochs=1, steps_per_epoch=steps, verbose=0)
        return float(history.history["loss"][-1])

    def _with_heads(self, backbone):
        work = self.work
        positions = keras.Input((work.predictions,), dtype="int32", name="mask_positions")
        states = backbone(backbone.input)
        head = keras_hub.layers.MaskedLMHead(
            token_embedding=backbone.token_embedding,
            intermediate_activation=lambda x: keras.activations.gelu(x, approximate=True),
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=0.02),
            name="masked",
        )
        pair = keras.layers.Dense(2, name="next")(states["pooled_output"])  # (B, 2)
        return keras.Model(
            {**backbone.input, "mask_positions": positions},
            {"masked": head(states["sequence_output"], positions), "next": pair},
        )

    def _renamed(self, batch):
        inputs, targets = batch
        inputs = {**inputs, "padding_mask": inputs["padding_mask"].astype("int32")}
        if self.work.op == "infer":
            return ({name: inputs[name] for name in self.model.input},)
        # All slots are in use, so Keras's mean over the slots is the mean over masked tokens.
        labels = {"masked": targets["mask_ids"], "next": targets["next_sentence_label"]}
        return inputs, labels

    def _dataset(self, batches):
        if keras.backend.backend() != "tensorflow":
            return iter(batches)
        import tensorflow as tf

        rows = keras.tree.map_structure(lambda *arrays: np.concatenate(arrays), *batches)
        data = tf.data.Dataset.from_tensor_slices(rows)
        data = data.batch(self.work.batch_size, drop_remainder=True)
        if self.autotune:
            return data.prefetch(tf.data.AUTOTUNE)
        options = tf.data.Options()
        options.autotune.enabled = False
        return data.prefetch(2).with_options(options)
