"""Stored experiments of chapter 3c: recurrence against attention alone, and the two tricks."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

import keras
import numpy as np

from bert_keras.experiments import Experiment
from bert_keras.training import config as configuration
from bert_keras.training import devices, sequence_data, sequence_scores, sequence_steps
from bert_keras.training.sequence_data import SequenceBatches
from bert_keras.training.sequence_sections import Seq2SeqConfig

COMMON = {
    "training.log_every": 100,
    "training.checkpoint_every": 0,
}


@functools.lru_cache(maxsize=8)
def ready(settings: str):
    """Configuration and data; the data are read once for all models of an experiment."""
    run = configuration.filled(Seq2SeqConfig, json.loads(settings))
    return run, data_of(run.data)


@functools.lru_cache(maxsize=2)
def data_of(section):
    """The pairs of a section, ready for training."""
    return sequence_data.load(section)


def for_steps(run: Seq2SeqConfig, steps: int) -> Seq2SeqConfig:
    """The same configuration for another number of steps."""
    return dataclasses.replace(run, training=dataclasses.replace(run.training, steps=steps))


# --- translation_at_equal_time ----------------------------------------------------------------

STRINGS = {
    **COMMON,
    "data.corpus": "interface_strings",
    "data.max_length": 40,
    "data.minimum_count": 2,
    "training.batch_size": 64,
}
# The recurrent models are those of chapter 2, setting by setting.
RECURRENT = {
    "model.kind": "gru",
    "model.embedding_dim": 64,
    "model.hidden_dim": 128,
    "model.dropout": 0.2,
    "optimizer.learning_rate": 3e-3,
    "optimizer.warmup_share": 0.05,
    "optimizer.weight_decay": 0.01,
}
MODELS = {
    "gru": {**RECURRENT, "model.attention": "none"},
    "gru_attention": {**RECURRENT, "model.attention": "additive"},
    "transformer": {
        "model.kind": "transformer",
        "model.num_encoder_layers": 2,
        "model.num_decoder_layers": 2,
        "model.num_heads": 4,
        "model.hidden_dim": 128,
        "model.intermediate_dim": 256,
        "model.max_sequence_length": 512,
        "model.norm_first": True,
        "model.dropout": 0.2,
        "optimizer.learning_rate": 2e-3,
        "optimizer.warmup_share": 0.1,
        "optimizer.weight_decay": 0.01,
    },
}


def seconds_per_step(run, data, seed: int, steps: tuple[int, int]) -> float:
    """What a step takes once everything is traced: the steps between two numbers, timed.

    Args:
        run: the configuration.
        data: the set.
        seed: int.
        steps: so many are not timed, so many are made in all.

    Returns:
        float, seconds.
    """
    first, last = steps
    model = sequence_steps.build_model(for_steps(run, last), data, seed)
    current = sequence_steps.fresh_start(seed)
    passed = []
    for stop in (first, last):
        sequence_steps.fit(for_steps(run, stop), model, data, current, score=lambda *_: {})
        passed.append(current["seconds"])
    return (passed[1] - passed[0]) / (last - first)


def translation_at_equal_time(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Three models given the same number of seconds, and copying the nearest string.

    Every model's speed is measured first; then it is trained for the number of steps that fit into
    the budget, so that its learning rate comes to its end with the budget.
    """
    devices.tune_process()
    figures: dict[str, Any] = {}
    run = data = None
    for name, settings in config["models"].items():
        run, data = ready(json.dumps({**config["settings"], **settings}))
        speed = seconds_per_step(run, data, seed, tuple(config["timed"]))
        steps = max(2, round(config["budget"] / speed))
        model = sequence_steps.build_model(for_steps(run, steps), data, seed)
        current = sequence_steps.fresh_start(seed)
        found = sequence_steps.fit(for_steps(run, steps), model, data, current)
        figures[name] = {
            **found["scores"],
            "steps": steps,
            "train_seconds": found["train_seconds"],
            "parameters": model.count_params(),
        }
        if name == "transformer":
            wider = sequence_steps.scores(model, data, beam_width=config["beam_width"])
            figures["transformer_beam"] = wider
    _, copied = sequence_scores.baseline(run.data.corpus, data)
    return {**figures, "copy": {name: round(value, 6) for name, value in copied.items()}}


def equal_time_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The four parts of the claim, seed by seed."""

    def values(name, figure="character_bleu"):
        return np.array(figures[name][figure]["values"])

    return {
        "1": bool((values("transformer") > values("gru_attention")).all()),
        "2": bool((values("gru_attention") > values("gru")).all()),
        "3": bool((values("transformer") < values("copy")).all()),
        "4": bool((values("transformer_beam") > values("transformer")).all()),
    }


# --- smoothing_and_warmup ---------------------------------------------------------------------

LETTERS = {
    **COMMON,
    "data.corpus": "pronunciations",
    "data.test_rows": 1500,
    "model.kind": "transformer",
    "model.num_encoder_layers": 3,
    "model.num_decoder_layers": 3,
    "model.num_heads": 4,
    "model.hidden_dim": 64,
    "model.intermediate_dim": 256,
    "model.max_sequence_length": 64,
    "model.norm_first": False,
    "model.dropout": 0.1,
    "optimizer.learning_rate": 3e-3,
    "optimizer.weight_decay": 0.0,
    "training.batch_size": 128,
    "training.steps": 800,
    "training.bucket_width": 4,
}
BOTH = {
    "neither": {"model.label_smoothing": 0.0, "optimizer.warmup_share": 0.0},
    "smoothing": {"model.label_smoothing": 0.1, "optimizer.warmup_share": 0.0},
    "warmup": {"model.label_smoothing": 0.0, "optimizer.warmup_share": 0.1},
    "both": {"model.label_smoothing": 0.1, "optimizer.warmup_share": 0.1},
}
BINS = 10


def confidence_figures(model, data, pairs) -> dict[str, float]:
    """How sure a model is of its next token on held-out pairs, and how often it is right.

    The right target is fed. Nothing is smoothed here, whatever the model was trained with.

    Args:
        model: `Transformer`.
        data: the set.
        pairs: list of `TokenPair`.

    Returns:
        dict of loss (nats per token), accuracy, confidence (mean of the highest probability) and
        calibration_error: the difference of the last two, taken in ten bins of equal width by
        confidence, each weighted by how many tokens are in it.
    """
    batches = SequenceBatches(pairs, data, 1, 8, 0)
    sure, right, losses = [], [], []
    for start in range(0, len(pairs), 250):
        inputs, labels = batches.encode(pairs[start : start + 250])
        logits = model({name: keras.ops.convert_to_tensor(x) for name, x in inputs.items()})
        chances = np.asarray(keras.ops.softmax(logits, axis=-1), dtype="float64")
        real = labels["label_mask"]
        chosen = np.take_along_axis(chances, np.asarray(labels["label_ids"])[..., None], axis=-1)
        losses.append(-np.log(chosen[..., 0][real] + 1e-30))
        sure.append(chances.max(axis=-1)[real])
        right.append((chances.argmax(axis=-1) == labels["label_ids"])[real])
    sure, right = np.concatenate(sure), np.concatenate(right)
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = [
        abs(sure[place == n].mean() - right[place == n].mean()) * np.mean(place == n)
        for n in range(BINS)
        if (place == n).any()
    ]
    return {
        "loss": float(np.concatenate(losses).mean()),
        "accuracy": float(right.mean()),
        "confidence": float(sure.mean()),
        "calibration_error": float(sum(gaps)),
    }


def smoothing_and_warmup(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """A post-LN Transformer with and without either trick: how well, how sure, how it got there."""
    devices.tune_process()
    figures = {}
    for name, settings in config["conditions"].items():
        run, data = ready(json.dumps({**config["settings"], **settings}))
        model = sequence_steps.build_model(run, data, seed)

        def score(model, data):
            test = data.splits["test"]
            exact = sequence_scores.score(sequence_scores.generate(model, data, test), test)
            return {**confidence_figures(model, data, test), **exact}

        found = sequence_steps.fit(run, model, data, sequence_steps.fresh_start(seed), score=score)
        figures[name] = {
            **found["scores"],
            "train_loss": {str(row["step"]): row["train_loss"] for row in found["history"]},
            "train_seconds": found["train_seconds"],
        }
    return figures


def tricks_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(name, figure):
        return np.array(figures[name][figure]["values"])

    return {
        "1": all(
            (values(warm, "accuracy") > values(cold, "accuracy")).all()
            for warm, cold in (("warmup", "neither"), ("both", "smoothing"))
        ),
        "2": bool((values("both", "confidence") < values("warmup", "confidence")).all()),
        "3": bool((values("both", "loss") > values("warmup", "loss")).all()),
    }


TINY = {"data.rows": 200, "data.test_rows": 40, "training.batch_size": 16}

EXPERIMENTS = [
    Experiment(
        id="translation_at_equal_time",
        claim={
            "zh": "界面文字英译中，同一份数据，每个模型训练同样多的秒数。每个种子都有：（1）Trans"
            "former 的字符 BLEU 高于带注意力的 GRU；（2）带注意力的 GRU 高于不带的；（3）Trans"
            "former 仍低于照抄最近的一条；（4）同一个 Transformer，宽度为 4 的束搜索高于贪心解码。",
            "en": "Interface strings, English to Chinese, one split, every model trained for the "
            "same number of seconds. For every seed: (1) the Transformer has more character BLEU "
            "than the GRU with attention; (2) the GRU has more with attention than without; (3) "
            "the Transformer stays below copying the nearest string; (4) for one and the same "
            "Transformer a beam search of width 4 scores above greedy decoding.",
        },
        run=translation_at_equal_time,
        holds=equal_time_holds,
        config={
            "settings": STRINGS,
            "models": MODELS,
            "budget": 100.0,
            "timed": [40, 100],
            "beam_width": 4,
        },
        quick={
            "settings": {**STRINGS, **TINY},
            "models": {
                name: {**settings, "model.hidden_dim": 8, "model.embedding_dim": 8}
                if name != "transformer"
                else {**settings, "model.hidden_dim": 8, "model.intermediate_dim": 8}
                for name, settings in MODELS.items()
            },
            "budget": 1.0,
            "timed": [2, 4],
            "beam_width": 2,
        },
        minutes=24,
    ),
    Experiment(
        id="smoothing_and_warmup",
        claim={
            "zh": "字母变音素，三块加三块、后归一化的小 Transformer，同样的 800 步，学习率的最高点"
            "也一样。每个种子都有：（1）不论有没有标签平滑，在没见过的单词上，有预热的音素准确率都高"
            "于没有预热的；（2）都有预热时，有平滑的平均把握低于没有平滑的；（3）都有预热时，有平滑的"
            "普通交叉熵高于没有平滑的。",
            "en": "Letters to phones with a small post-LN Transformer of three blocks and three, "
            "the same 800 steps, the same highest learning rate. For every seed: (1) with and "
            "without label smoothing, warming up gives more right phones on unseen words than not "
            "warming up; (2) both warmed up, the smoothed model is less sure of itself on average; "
            "(3) both warmed up, the smoothed one has the higher plain cross-entropy.",
        },
        run=smoothing_and_warmup,
        holds=tricks_hold,
        config={"settings": LETTERS, "conditions": BOTH},
        quick={
            "settings": {
                **LETTERS,
                **TINY,
                "model.num_encoder_layers": 1,
                "model.num_decoder_layers": 1,
                "model.num_heads": 2,
                "model.hidden_dim": 8,
                "model.intermediate_dim": 8,
                "training.steps": 6,
                "training.log_every": 3,
            },
            "conditions": BOTH,
        },
        minutes=12,
    ),
]
