"""Stored experiments of chapter 2: the same models with and without attention."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np

from bert_keras.experiments import Experiment
from bert_keras.training import config as configuration
from bert_keras.training import devices, sequence_data, sequence_scores, sequence_steps
from bert_keras.training.sequence_sections import Seq2SeqConfig

COMMON = {
    "model.kind": "gru",
    "optimizer.warmup_share": 0.05,
    "optimizer.weight_decay": 0.0,
    "training.log_every": 250,
    "training.checkpoint_every": 0,
}


def trained(settings: dict[str, Any], seed: int, score=None) -> dict[str, Any]:
    """Train one model and score it; see `sequence_steps.fit`."""
    devices.tune_process()
    run, data = ready(json.dumps(settings))
    model = sequence_steps.build_model(run, data, seed)
    return sequence_steps.fit(run, model, data, sequence_steps.fresh_start(seed), score=score)


@functools.lru_cache(maxsize=1)
def ready(settings: str):
    """Configuration and data; several models in a row share them."""
    run = configuration.filled(Seq2SeqConfig, json.loads(settings))
    return run, sequence_data.load(run.data)


@functools.lru_cache(maxsize=4)
def bar(settings: str) -> dict[str, float]:
    """The set's simple bar, which has no seed: fitted once."""
    run, data = ready(settings)
    return sequence_scores.baseline(run.data.corpus, data)[1]


# --- attention_by_length ----------------------------------------------------------------------

GENERATED = {
    **COMMON,
    "data.corpus": "toy_translation",
    "data.kind": "grammar",
    "data.count": 20_000,
    "data.test_rows": 1000,
    "model.embedding_dim": 64,
    "model.hidden_dim": 96,
    "optimizer.learning_rate": 4e-3,
    "training.batch_size": 64,
    "training.steps": 600,
}


def attention_by_length(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy by length without attention and with either kind, and where attention looks."""

    def score(model, data):
        test = data.splits["test"]
        figures = sequence_scores.by_length(sequence_scores.generate(model, data, test), test)
        if model.attention is not None:
            figures["aligned"] = sequence_scores.aligned(model, data, test)
        return figures

    figures = {}
    for kind in ("none", "multiplicative", "additive"):
        found = trained({**config["settings"], "model.attention": kind}, seed, score)
        figures[kind] = {**found["scores"], "train_seconds": found["train_seconds"]}
    return figures


def attention_by_length_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(kind, bucket):
        return np.array(figures[kind][bucket]["token"]["values"])

    both, longest, shortest = ("multiplicative", "additive"), "31-40", "5-10"
    without = values("none", longest)
    return {
        "1": all((values(kind, longest) >= without + 0.3).all() for kind in both),
        "2": all((values(kind, shortest) - values(kind, longest) < 0.1).all() for kind in both),
        "3": all(min(figures[kind]["aligned"]["values"]) > 0.8 for kind in both),
    }


# --- letters_to_phones ------------------------------------------------------------------------

LETTERS = {
    **COMMON,
    "data.corpus": "pronunciations",
    "data.test_rows": 2000,
    "model.embedding_dim": 64,
    "model.hidden_dim": 128,
    "optimizer.learning_rate": 3e-3,
    "training.batch_size": 128,
    "training.steps": 1200,
    "training.bucket_width": 4,
}


def letters_to_phones(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Exact words and phone error rate of two models and of looking letters up."""
    figures = {}
    for kind in ("none", "additive"):
        found = trained({**config["settings"], "model.attention": kind}, seed)
        figures[kind] = {
            "exact": found["scores"]["exact"],
            "phone_error_rate": found["scores"]["error_rate"],
            "train_seconds": found["train_seconds"],
        }
    lookup = bar(json.dumps({**config["settings"], "model.attention": "additive"}))
    figures["lookup"] = {"exact": lookup["exact"], "phone_error_rate": lookup["error_rate"]}
    return figures


def letters_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The two parts of the claim, seed by seed."""
    none, additive, lookup = (
        np.array(figures[name]["exact"]["values"]) for name in ("none", "additive", "lookup")
    )
    return {
        "1": bool((np.minimum(none, additive) > lookup).all()),
        "2": bool((additive > none).all()),
    }


# --- interface_strings ------------------------------------------------------------------------

STRINGS = {
    **COMMON,
    "data.corpus": "interface_strings",
    "data.max_length": 40,
    "data.minimum_count": 2,
    "model.embedding_dim": 64,
    "model.hidden_dim": 128,
    "model.dropout": 0.2,
    "optimizer.learning_rate": 3e-3,
    "optimizer.weight_decay": 0.01,
    "training.batch_size": 64,
    "training.steps": 1200,
}


def interface_strings(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Character BLEU and exact strings of two models and of copying the nearest string."""
    figures = {}
    for kind in ("none", "additive"):
        found = trained({**config["settings"], "model.attention": kind}, seed)
        figures[kind] = {**found["scores"], "train_seconds": found["train_seconds"]}
    copy = bar(json.dumps({**config["settings"], "model.attention": "additive"}))
    return {**figures, "copy": copy}


def strings_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(name, figure):
        return np.array(figures[name][figure]["values"])

    return {
        "1": bool((values("additive", "character_bleu") > values("none", "character_bleu")).all()),
        "2": bool((values("additive", "exact") > values("copy", "exact")).all()),
        "3": bool((values("additive", "character_bleu") > values("copy", "character_bleu")).all()),
    }


def small(settings: dict[str, Any], **changes) -> dict[str, Any]:
    """Settings of a trial of seconds."""
    tiny = {"model.embedding_dim": 6, "model.hidden_dim": 8, "training.batch_size": 16}
    rows = {"data.rows": 200, "data.test_rows": 60, "training.steps": 6}
    return {"settings": {**settings, **tiny, **rows, **changes}}


EXPERIMENTS = [
    Experiment(
        id="attention_by_length",
        claim={
            "zh": "造出来的小语言，句长 5 到 40，三个模型只差注意力。每个种子都有：（1）31 到"
            " 40 词的句子，两种注意力的词准确率都比没有注意力的至少高 0.3；（2）有注意"
            "力时，最短一组与最长一组相差不到 0.1；（3）解码器看得最多的那个源词，八成"
            "以上正是造句时定下的那一个。",
            "en": "Generated language, 5 to 40 words; three models that differ in attention alone. "
            "For every seed: (1) on 31 to 40 words both attentions have a share of right words at "
            "least 0.3 above that without attention; (2) with attention the longest group is less "
            "than 0.1 below the shortest; (3) for more than 80 % of the target words the source "
            "word looked at most is one that was planted as deciding.",
        },
        run=attention_by_length,
        holds=attention_by_length_holds,
        config={"settings": GENERATED},
        quick=small(GENERATED, **{"data.count": 600, "data.rows": 0}),
        minutes=9,
    ),
    Experiment(
        id="letters_to_phones",
        claim={
            "zh": "英文单词的字母变成音素，2000 个没见过的词。每个种子都有：（1）有无注意力的"
            "模型，全对的词都多于按上下文查表；（2）有注意力的全对的词更多。",
            "en": "Letters of English words to phones, 2000 unseen words. For every seed: (1) with "
            "and without attention, more words are right to the last phone than by looking letters "
            "up in their context; (2) more with attention than without.",
        },
        run=letters_to_phones,
        holds=letters_hold,
        config={"settings": LETTERS},
        quick=small(LETTERS),
        minutes=9,
    ),
    Experiment(
        id="interface_strings",
        claim={
            "zh": "界面文字英译中，训练只有约一万对。每个种子都有：（1）有注意力的字符 BLEU "
            "高于没有注意力的；（2）有注意力的译文一字不差的比例高于照抄最近的一条；（3）"
            "字符 BLEU 也高于照抄。",
            "en": "Interface strings, English to Chinese, about ten thousand pairs to learn from. "
            "For every seed: (1) attention has more character BLEU than no attention; (2) with "
            "attention more strings are exactly right than by copying the nearest known one; (3) "
            "and character BLEU is above copying, too.",
        },
        run=interface_strings,
        holds=strings_hold,
        config={"settings": STRINGS},
        quick=small(STRINGS),
        minutes=10,
    ),
]
