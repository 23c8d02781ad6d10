"""Train a tiny BERT a few steps in this process and write losses and weights down.

Run by test_distribution.py in processes of its own, because devices are counted and backends
chosen once in a process:

    python distributed_steps.py OUT.npz SECTION [SECTION …]

A SECTION is a DistributionSection as JSON, with "fit": true to feed through `fit` and "logical"
for so many logical TensorFlow devices. Arrays are written as "NUMBER/loss" and "NUMBER/PATH".
"""

import json
import sys

import keras
import numpy as np

from bert_keras.models import BertBackbone, BertPretrainer
from bert_keras.training import distribution
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.pipeline import as_dataset
from bert_keras.training.sections import DistributionSection, OptimizerSection

V, T, P, ROWS, STEPS = 24, 7, 3, 8, 4


def batch(number):
    """Rows with different numbers of masked tokens, so that replicas have, too."""
    rng = np.random.default_rng(number)
    length = rng.integers(3, T + 1, ROWS)
    masked = np.arange(ROWS) % P + 1  # 1, 2, 3, 1, 2, 3, 1, 2
    inputs = {
        "token_ids": rng.integers(0, V, (ROWS, T)).astype("int32"),
        "segment_ids": rng.integers(0, 2, (ROWS, T)).astype("int32"),
        "padding_mask": np.arange(T) < length[:, None],
        "mask_positions": rng.integers(0, 3, (ROWS, P)).astype("int32"),
    }
    targets = {
        "mask_ids": rng.integers(0, V, (ROWS, P)).astype("int32"),
        "mask_weights": (np.arange(P) < masked[:, None]).astype("float32"),
        "next_sentence_label": rng.integers(0, 2, ROWS).astype("int32"),
    }
    return inputs, targets


def train(section, by_fit):
    """Losses of every step, or of all of them by `fit`, and the weights afterwards."""
    keras.utils.set_random_seed(3)
    with distribution.scope(section) as where:
        model = BertPretrainer(BertBackbone(V, 1, 2, 8, 12, max_sequence_length=T, dropout=0.0))
        # A gradient norm above the limit: clipping must see the whole batch's gradient.
        settings = OptimizerSection(learning_rate=0.01, clip_norm=0.5)
        model.compile(build_optimizer(model, settings, total_steps=8), jit_compile="auto")
        if keras.backend.backend() == "tensorflow":
            model.jit_compile = False
        where.adopt(model)

        def feed(number):
            return tuple(where.shard(part) for part in batch(number))

        if by_fit:
            history = model.fit(as_dataset(feed, 0, STEPS), verbose=0, shuffle=False).history
            logs = {name: values for name, values in history.items()}
        else:
            steps = [model.train_on_batch(*feed(n), return_dict=True) for n in range(STEPS)]
            logs = {name: [step[name] for step in steps] for name in steps[0]}
        found = {name: np.array(values, "float64") for name, values in logs.items()}
        found["norm"] = distribution.to_numpy(model.optimizer.gradient_norm)
        found["devices"] = np.array(len(where.devices))
        local = where.local(model)
        again = model.optimizer.variables
        found["moments"] = sum(np.abs(distribution.to_numpy(v)).sum() for v in again)
        parts = [
            len({str(s.index) for s in v.value.addressable_shards}) > 1
            for v in model.trainable_variables
            if hasattr(v.value, "addressable_shards")
        ]
        found["divided"] = np.array(sum(parts))
        agreed = where.agree(0.1 + where.process)
        assert agreed == 0.1
        # Evaluation needs nobody else, and a number of rows that no 4 devices could share.
        rows = {name: array[:3] for name, array in batch(9)[0].items()}
        found["logits"] = local.predict_on_batch(rows)["mlm_logits"]
    weights = {v.path: keras.ops.convert_to_numpy(v.value) for v in local.trainable_variables}
    return found | weights, where


def main(out, *sections):
    """Train once for each section."""
    found, is_main = {}, True
    for number, text in enumerate(sections):
        options = json.loads(text)
        by_fit, logical = options.pop("fit", False), options.pop("logical", 0)
        if logical:
            import tensorflow as tf

            one = tf.config.LogicalDeviceConfiguration()
            cpu = tf.config.list_physical_devices("CPU")[0]
            tf.config.set_logical_device_configuration(cpu, [one] * logical)
        arrays, where = train(DistributionSection(**options), by_fit)
        is_main = is_main and where.is_main
        found |= {f"{number}/{name}": array for name, array in arrays.items()}
    np.savez(out, **found)
    print("main" if is_main else "other")


if __name__ == "__main__":
    main(*sys.argv[1:])
