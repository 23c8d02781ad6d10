"""Stored experiments of chapter 1a: what one vector loses, and what each cell remembers."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
from keras import ops

from bert_keras.experiments import Experiment
from bert_keras.layers.recurrent import RecurrentCell
from bert_keras.training import config as configuration
from bert_keras.training import devices, sequence_data, sequence_scores, sequence_steps
from bert_keras.training.sequence_sections import Seq2SeqConfig

# --- bottleneck_by_length ---------------------------------------------------------------------

SETTINGS = {
    "data.corpus": "toy_translation",
    "data.kind": "grammar",
    "data.count": 20_000,
    "data.test_rows": 1000,
    "model.kind": "gru",
    "model.attention": "none",
    "model.embedding_dim": 64,
    "optimizer.learning_rate": 4e-3,
    "optimizer.warmup_share": 0.05,
    "optimizer.weight_decay": 0.0,
    "training.batch_size": 64,
    "training.steps": 1500,
    "training.log_every": 250,
    "training.checkpoint_every": 0,
}


def bottleneck(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy by length of models that differ in the size of their one vector."""
    devices.tune_process()
    figures = {}
    for size in config["hidden_dims"]:
        settings = {**config["settings"], "model.hidden_dim": size}
        run = configuration.filled(Seq2SeqConfig, settings)
        data = sequence_data.load(run.data)
        model = sequence_steps.build_model(run, data, seed)

        def by_length(model, data):
            test = data.splits["test"]
            said = sequence_scores.generate(model, data, test)
            return sequence_scores.by_length(said, test)

        found = sequence_steps.fit(
            run, model, data, sequence_steps.fresh_start(seed), score=by_length
        )
        figures[str(size)] = {**found["scores"], "train_seconds": found["train_seconds"]}
    return figures


def bottleneck_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """Both parts of the claim, seed by seed."""
    small, *_, large = figures

    def values(size, bucket):
        return np.array(figures[size][bucket]["token"]["values"])

    return {
        "1": all((values(s, "5-10") - values(s, "31-40") >= 0.2).all() for s in figures),
        "2": bool((values(large, "31-40") > values(small, "31-40")).all()),
    }


# --- delayed_recall ---------------------------------------------------------------------------

ITEMS = 8
KINDS = {
    "rnn": ("rnn", 0.0),
    "gru": ("gru", 0.0),
    "lstm_0": ("lstm", 0.0),
    "lstm_1": ("lstm", 1.0),
    "lstm_large": ("lstm", 4.0),
}


def recall_rows(rng, count: int, distances, length: int):
    """Rows of noise with one item in each, `distance` places before the end.

    Returns:
        ids int32 (N, T): 0 to 7 are items, 8 to 15 noise; and the items, int32 (N,).
    """
    ids = rng.integers(ITEMS, 2 * ITEMS, (count, length)).astype("int32")
    item = rng.integers(0, ITEMS, count).astype("int32")
    ids[np.arange(count), length - 1 - rng.choice(distances, count)] = item
    return ids, item


def recall_model(kind: str, forget_bias: float, hidden_dim: int) -> keras.Model:
    """Embedding, one recurrent layer, and an answer after the last step."""
    return keras.Sequential(
        [
            keras.layers.Embedding(2 * ITEMS, 16),
            keras.layers.RNN(RecurrentCell(kind, hidden_dim, forget_bias=forget_bias)),
            keras.layers.Dense(ITEMS),
        ]
    )


def gradients_by_distance(model, ids, item, distances) -> dict[str, float]:
    """Norm of the loss's gradient at inputs so far back, ÷ that at the last input."""
    table, walk, answer = model.layers
    x = table(ops.convert_to_tensor(ids))  # (N, T, E)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    if keras.backend.backend() == "jax":
        import jax

        gradient = jax.grad(lambda x: loss(item, answer(walk(x))))(x)
    elif keras.backend.backend() == "torch":
        x = x.detach().requires_grad_()
        loss(item, answer(walk(x))).backward()
        gradient = x.grad
    else:
        import tensorflow as tf

        with tf.GradientTape() as tape:
            tape.watch(x)
            value = loss(item, answer(walk(x)))
        gradient = tape.gradient(value, x)
    norms = np.linalg.norm(np.asarray(gradient, "float64"), axis=-1).mean(axis=0)  # (T,)
    # Below a billionth it is nothing, and a logarithm has to be taken of it.
    return {str(d): max(float(norms[-1 - d] / norms[-1]), 1e-9) for d in distances}


def delayed_recall(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """What every kind of cell recalls after training, and its gradients before."""
    devices.tune_process()
    distances, length = config["distances"], max(config["distances"]) + 1
    figures: dict[str, Any] = {}
    before: dict[str, Any] = {}
    for name, (kind, forget_bias) in KINDS.items():
        rng = np.random.default_rng(seed)
        keras.utils.set_random_seed(seed)
        model = recall_model(kind, forget_bias, config["hidden_dim"])
        ids, item = recall_rows(rng, 64, distances, length)
        model(ids)
        before[name] = gradients_by_distance(model, ids, item, distances)
        model.compile(
            optimizer=keras.optimizers.Adam(config["learning_rate"], global_clipnorm=1.0),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            jit_compile=False,  # compiling would take longer than it saves
        )
        # Short distances too: what is near is learnt first, and is a bridge to what is far.
        every = np.arange(1, length)
        rows = recall_rows(rng, config["steps"] * config["batch_size"], every, length)
        model.fit(*rows, batch_size=config["batch_size"], shuffle=False, verbose=0)
        figures[name] = {}
        for distance in distances:
            ids, item = recall_rows(np.random.default_rng(99), 500, [distance], length)
            guess = model.predict(ids, batch_size=500, verbose=0).argmax(axis=-1)
            figures[name][str(distance)] = float(np.mean(guess == item))
    return {**figures, "gradient_at_start": before}


def delayed_recall_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim."""
    start, farthest = figures["gradient_at_start"], list(figures["rnn"])[-1]

    def values(name):
        return np.array(figures[name][farthest]["values"])

    def gradient(name):
        return np.array(start[name][farthest]["values"])

    return {
        "1": bool((gradient("rnn") > np.maximum(gradient("gru"), gradient("lstm_1"))).all()),
        "2": bool((np.minimum(values("gru"), values("lstm_large")) > values("rnn")).all()),
        "3": bool((values("lstm_large") > values("lstm_0") + 0.2).all()),
    }


EXPERIMENTS = [
    Experiment(
        id="bottleneck_by_length",
        claim={
            "zh": "造出来的小语言，句长 5 到 40，没有注意力，解码器只拿到一个向量。每个种子都"
            "有：（1）不论向量大小，31 到 40 词的句子比 5 到 10 词的句子，词的准确率至"
            "少低 0.2；（2）在最长的一组里，128 维胜过 32 维。",
            "en": "Generated language, 5 to 40 words, no attention: the decoder gets one vector. "
            "For every seed: (1) whatever the size of the vector, sentences of 31 to 40 words have "
            "a share of right words at least 0.2 below that of sentences of 5 to 10; (2) in the "
            "longest group 128 numbers beat 32.",
        },
        run=bottleneck,
        holds=bottleneck_holds,
        config={"settings": SETTINGS, "hidden_dims": [32, 128]},
        quick={
            "settings": {
                **SETTINGS,
                "data.count": 600,
                "data.test_rows": 60,
                "training.steps": 6,
                "training.batch_size": 16,
            },
            "hidden_dims": [4, 8],
        },
        minutes=9,
    ),
    Experiment(
        id="delayed_recall",
        claim={
            "zh": "一串噪声里藏着一个要记的符号，读完之后说出它；距离 10 到 60。每个种子都有："
            "（1）训练之前，60 步以外的梯度，简单 RNN 的比 GRU 和遗忘偏置为 1 的 LSTM "
            "的都大，与教科书的排序相反；（2）训练之后，距离 60 处，GRU 和遗忘偏置很大"
            "的 LSTM 都胜过简单 RNN；（3）遗忘偏置很大的 LSTM 比偏置为 0 的至少高 0.2。",
            "en": "One symbol to remember among noise, asked for at the end; distances 10 to 60. "
            "For every seed: (1) before training, the gradient 60 steps back is larger in the "
            "simple RNN than in the GRU and in the LSTM with forget bias 1, which is not the order "
            "of the textbooks; (2) after training, at distance 60 the GRU and the LSTM with a "
            "large forget bias beat the simple RNN; (3) the LSTM with a large forget bias is at "
            "least 0.2 above the one with bias 0.",
        },
        run=delayed_recall,
        holds=delayed_recall_holds,
        config={
            "distances": [10, 20, 30, 40, 50, 60],
            "hidden_dim": 48,
            "steps": 800,
            "batch_size": 64,
            "learning_rate": 3e-3,
            "kinds_and_forget_biases": {name: list(kind) for name, kind in KINDS.items()},
        },
        quick={"distances": [3, 6], "hidden_dim": 6, "steps": 4, "batch_size": 8},
        minutes=5,
    ),
]
