"""Stored experiments of chapter 5b: where the loss falls, and ways of masking."""

from __future__ import annotations

import functools
import json
from typing import Any

import keras
import numpy as np

from bert_keras.analysis.blind_guess import blind_loss
from bert_keras.experiments import Experiment
from bert_keras.text import masked_lm
from bert_keras.training import config as configuration
from bert_keras.training import devices, evaluate, prepare, pretrain, pretrain_steps
from bert_keras.training.batches import PretrainingBatches, for_run
from bert_keras.training.sections import PretrainConfig
from bert_keras.training.yardsticks import NeighbourModel, UnigramModel

# The nano run of configs/pretrain_nano_zh.toml.
NANO = {
    "data.directory": "build/data/peoples_daily",
    "data.minimum_count": 2,
    "model.num_layers": 2,
    "model.num_heads": 2,
    "model.hidden_dim": 64,
    "model.intermediate_dim": 256,
    "model.max_sequence_length": 64,
    "model.dropout": 0.0,
    "model.initializer_stddev": 0.1,
    "model.position_scale": 0.3,
    "optimizer.learning_rate": 5e-3,
    "optimizer.warmup_share": 0.05,
    "optimizer.beta_2": 0.98,
    "training.batch_size": 64,
    "training.widths": 1,
}


@functools.lru_cache(maxsize=1)
def prepared(data: str):
    """The text, prepared once; `data` are its settings as JSON."""
    run = configuration.filled(PretrainConfig, json.loads(data))
    prepare.prepare(run)
    return prepare.load(run.data.directory)


def opened(settings: dict[str, Any]):
    """A run's configuration and its text."""
    data = {name: value for name, value in settings.items() if name.startswith("data.")}
    return configuration.filled(PretrainConfig, settings), prepared(json.dumps(data))


# --- pretraining_yardsticks -------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def counted(data: str):
    """The two models that only count, the second one's mixture tuned on the dev split."""
    corpus = prepared(data)
    vocabulary, sentences = corpus.vocabulary, corpus.splits["train"].sentences
    unigram = UnigramModel(sentences, len(vocabulary), vocabulary.ordinary_ids)
    neighbours = NeighbourModel(sentences, unigram, vocabulary.sep_id)
    dev = PretrainingBatches(
        corpus.splits["dev"], vocabulary, batch_size=1, max_sequence_length=16
    ).held_out(4000)
    return unigram, neighbours.tune(*evaluate.neighbours(dev[0], dev[1], vocabulary))


def pretraining_yardsticks(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Losses at [MASK], kept and random positions and next sentences, by step; and counting."""
    devices.tune_process()
    run, corpus = opened({**config["settings"], "run.seed": seed})
    batches = pretrain.build_batches(run, corpus)
    model = pretrain.build_model(run, corpus.vocabulary, corpus.lowercase)
    make, _ = pretrain_steps.batch_maker(run, batches, len(corpus.vocabulary))
    # Short rows all along: before the full ones come, later places have learnt nothing.
    test = PretrainingBatches(
        corpus.splits["test"],
        corpus.vocabulary,
        batch_size=run.training.batch_size,
        max_sequence_length=run.training.short_length or run.model.max_sequence_length,
    )
    held_out = test.held_out(config["pairs"])
    names = ("masked", "random", "kept", "next_sentence_accuracy")
    figures: dict[str, Any] = {name: {} for name in names}
    for step in range(1, run.training.steps + 1):
        model.train_on_batch(*make(step - 1))
        if step in config["looks"]:
            found, _ = evaluate.held_out_figures(model, held_out, run.training.batch_size)
            for name in names:
                figures[name][str(step)] = found[name]

    inputs, masked, label = held_out
    data = {name: v for name, v in config["settings"].items() if name.startswith("data.")}
    unigram, neighbours = counted(json.dumps(data))
    left, right, word = evaluate.neighbours(inputs, masked, corpus.vocabulary)
    rows, slots = np.nonzero(masked.mask_weights)
    shown = inputs["token_ids"][rows, masked.mask_positions[rows, slots]]
    blind = blind_loss(
        unigram.probabilities, shown, masked.mask_ids[rows, slots], corpus.vocabulary.mask_id
    )
    treatment = masked.treatment[rows, slots]
    return {
        **figures,
        "unigram": unigram.loss(word),
        "neighbours": neighbours.loss(left, right, word),
        "blind": {
            "all": float(blind.mean()),
            "kept": float(blind[treatment == masked_lm.KEPT].mean()),
            "random": float(blind[treatment == masked_lm.RANDOM].mean()),
        },
        "majority": float(max(label.mean(), 1 - label.mean())),
    }


def mean_of_all(figures: dict[str, Any], step: str) -> np.ndarray:
    """The loss over all picked positions, by seed: 80 % [MASK], 10 % random, 10 % kept."""
    at = {name: np.array(figures[name][step]["values"]) for name in ("masked", "random", "kept")}
    return 0.8 * at["masked"] + 0.1 * at["random"] + 0.1 * at["kept"]


def yardsticks_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""
    steps = sorted(figures["masked"], key=int)
    at_mask = {step: np.array(figures["masked"][step]["values"]) for step in steps}
    unigram, neighbours = (np.array(figures[n]["values"]) for n in ("unigram", "neighbours"))
    fooled = [(mean_of_all(figures, s) < unigram) & (at_mask[s] >= unigram - 0.05) for s in steps]
    return {
        "1": bool(np.any(fooled, axis=0).all()),
        "2": bool((at_mask[steps[-1]] < unigram - 0.5).all()),
        "3": bool((at_mask[steps[-1]] > neighbours).all()),
    }


# --- masking_styles ---------------------------------------------------------------------------

STYLES = {
    "five": {"pretraining.mask_rate": 0.05},
    "fifteen": {"pretraining.mask_rate": 0.15},
    "forty": {"pretraining.mask_rate": 0.40},
    "always_mask": {"pretraining.mask_rate": 0.15},
    "whole_words": {"pretraining.mask_rate": 0.15, "pretraining.whole_word": True},
}


def all_hidden(inputs, targets, mask_id: int):
    """The same batch with [MASK] at every picked position, none random and none kept."""
    token_ids = inputs["token_ids"].copy()
    rows, slots = np.nonzero(targets["mask_weights"])
    token_ids[rows, inputs["mask_positions"][rows, slots]] = mask_id
    return {**inputs, "token_ids": token_ids}


def masking_styles(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Loss on two common held-out sets after as many steps with different masks."""
    devices.tune_process()
    run, corpus = opened({**config["settings"], "run.seed": seed})
    held_out = {}
    for name, whole_word in (("single", False), ("words", True)):
        test = PretrainingBatches(
            corpus.splits["test"],
            corpus.vocabulary,
            batch_size=run.training.batch_size,
            max_sequence_length=run.model.max_sequence_length,
            max_predictions=run.pretraining.max_predictions,
            whole_word=whole_word,
        )
        held_out[name] = test.held_out(config["pairs"])
    # One model and one optimizer for all styles, set back before each: nothing is compiled twice.
    model = pretrain.build_model(run, corpus.vocabulary, corpus.lowercase)
    fresh = model.get_weights()
    untouched = [np.array(variable) for variable in model.optimizer.variables]
    figures: dict[str, Any] = {}
    for style, changes in STYLES.items():
        model.set_weights(fresh)
        for variable, value in zip(model.optimizer.variables, untouched, strict=True):
            variable.assign(value)
        keras.utils.set_random_seed(seed)
        settings = {**config["settings"], **changes, "run.seed": seed}
        batches = for_run(configuration.filled(PretrainConfig, settings), corpus)
        for number in range(run.training.steps):
            inputs, targets = batches.batch(number)
            if style == "always_mask":
                inputs = all_hidden(inputs, targets, corpus.vocabulary.mask_id)
            model.train_on_batch(inputs, targets)
        figures[style] = {}
        for name, rows in held_out.items():
            found, _ = evaluate.held_out_figures(model, rows, run.training.batch_size)
            figures[style][name] = {part: found[part] for part in ("masked", "random", "kept")}
    return figures


def styles_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(style, held_out="single", part="masked"):
        return np.array(figures[style][held_out][part]["values"])

    base = "fifteen"
    return {
        "1": bool((values("five") > values(base)).all() and (values(base) > values("forty")).all()),
        "2": bool(
            (values("always_mask") < values(base)).all()
            and (values("always_mask", part="kept") > values(base, part="kept")).all()
        ),
        "3": bool(
            (values("whole_words") > values(base)).all()
            and (values("whole_words", "words") < values(base, "words")).all()
        ),
    }


# Rarer characters left out: fewer scores to compute, and something is learnt in fewer steps.
SHORT = {
    **NANO,
    "data.directory": "build/data/peoples_daily_common",
    "data.minimum_count": 20,
    "model.max_sequence_length": 16,
    "pretraining.max_predictions": 7,
    "training.batch_size": 256,
    "training.steps": 1000,
}
QUICK = {
    "data.directory": "build/data/peoples_daily_quick",
    "data.paragraphs": 1200,
    "model.hidden_dim": 16,
    "model.intermediate_dim": 16,
    "training.batch_size": 8,
    "training.steps": 4,
    "training.jit_compile": False,
}
LOOKS = [25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1250, 1500, 1750, 2000]
LOOKS += [2200, 2400]

EXPERIMENTS = [
    Experiment(
        id="pretraining_yardsticks",
        claim={
            "zh": "中文报纸，一个小 BERT，训练 2400 步，损失按位置分开量。每个种子都有：（1）训练"
            "途中有一个时刻，全部挑中位置的平均损失已经低于“只数词频”，而 [MASK] 位置上的还没有低"
            "出 0.05；（2）最后，[MASK] 位置上的损失比“只数词频”至少低 0.5；（3）最后，它仍然高于"
            "“数左右邻居”。",
            "en": "A Chinese newspaper, a small BERT, 2400 steps, the loss taken apart by "
            "position. For every seed: (1) at some moment of the training the mean loss over all "
            "picked positions is below that of frequencies, while at [MASK] it isn't lower by even "
            "0.05; (2) in the end the loss at [MASK] is at least 0.5 below that of frequencies; "
            "(3) in the end it is still above that of counting both neighbours.",
        },
        run=pretraining_yardsticks,
        holds=yardsticks_hold,
        config={
            "settings": {
                **NANO,
                "training.steps": 2400,
                "training.short_length": 16,
                "training.short_share": 0.6,
            },
            "looks": LOOKS,
            "pairs": 3000,
        },
        quick={
            "settings": {**NANO, **QUICK},
            "looks": [2, 4],
            "pairs": 40,
        },
        minutes=12,
    ),
    Experiment(
        id="masking_styles",
        claim={
            "zh": "中文报纸，一个小 BERT，步数相同，在同一套留出的掩码上比 [MASK] 位置的损失。每个"
            "种子都有：（1）挑 40% 的低于挑 15% 的，挑 15% 的低于挑 5% 的；（2）全部换成 [MASK]"
            "（100/0/0）的低于 80/10/10，但在没动的位置上损失更高；（3）盖整词练出来的，在单个词元"
            "的掩码上损失更高，在整词的掩码上更低。",
            "en": "A Chinese newspaper, a small BERT, as many steps, compared by the loss at "
            "[MASK] on the same held-out masks. For every seed: (1) picking 40 % gives less than "
            "picking 15 %, and 15 % less than 5 %; (2) always [MASK] (100/0/0) gives less than "
            "80/10/10, but more at kept positions; (3) trained on whole words it has more loss "
            "where single tokens are hidden, and less where whole words are.",
        },
        run=masking_styles,
        holds=styles_hold,
        config={"settings": SHORT, "pairs": 1000},
        quick={
            "settings": {**SHORT, **QUICK},
            "pairs": 40,
        },
        minutes=14,
    ),
]
