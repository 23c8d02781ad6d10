"""Stored experiments of chapter 7a: the roles of MiniLM's heads, and which of them matter."""

from __future__ import annotations

import functools
import tempfile
from typing import Any

import keras
import numpy as np
from keras import ops

from bert_keras.analysis.ablation import heads_off, masked_states
from bert_keras.analysis.head_roles import BARS, role_table, roles_of
from bert_keras.analysis.heads import attention_of, head_similarity
from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.experiments import Experiment
from bert_keras.layers.heads import ClassifierHead
from bert_keras.layers.pooling import masked_mean
from bert_keras.models.losses import labelled_loss
from bert_keras.text import packing
from bert_keras.text.corpora import bbc_news, english_sentiment
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import devices, optimizers


@functools.lru_cache(maxsize=1)
def checkpoint_of_minilm():
    """MiniLM and its tokenizer."""
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
    return checkpoint, WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


# --- head_roles -------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def paragraphs(longest: int):
    """Paragraphs of the newspaper that end with a full stop, as ids, in one order."""
    _, tokenizer = checkpoint_of_minilm()
    splits = bbc_news.load()
    texts = [one.text for part in ("test", "dev", "train") for one in splits[part]]
    ids = [tokenizer.encode(text) for text in texts if text.endswith(".")]
    return [one for one in ids if 10 <= len(one) <= longest - 2]


def draw(number: int, config: dict[str, Any]):
    """Attention, tokens and mask of one draw; no paragraph is in two of them."""
    checkpoint, _ = checkpoint_of_minilm()
    every = paragraphs(config["length"])
    order = np.random.default_rng(0).permutation(len(every))
    count = config["paragraphs"]
    rows = [(every[n], None) for n in order[number * count : (number + 1) * count]]
    inputs = packing.pack_batch(rows, checkpoint.vocabulary, config["length"])
    real = inputs["padding_mask"]
    tokens = [
        checkpoint.vocabulary.words(row[mask])
        for row, mask in zip(inputs["token_ids"], real, strict=True)
    ]
    backbone = build_backbone(checkpoint, dropout=0.0)
    return attention_of(backbone, inputs), tokens, real


@functools.lru_cache(maxsize=1)
def roles_of_another_draw(paragraphs_of_a_draw: int, length: int):
    """The roles that a draw of its own gives every head."""
    sizes = {"paragraphs": paragraphs_of_a_draw, "length": length}
    return roles_of(role_table(*draw(0, sizes)))


def head_roles(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """How many heads of each layer have which role, and how alike heads are."""
    devices.tune_process()
    attention, tokens, real = draw(seed, config)
    table = role_table(attention, tokens, real)
    roles = roles_of(table)
    other = roles_of_another_draw(config["paragraphs"], config["length"])
    layers, heads = table["entropy"].shape
    some = slice(0, config["compared"])  # all pairs of heads: fewer rows will do
    together = np.concatenate(list(attention[:, some]), axis=1)
    similarity = head_similarity(together, real[some])
    layer = np.repeat(np.arange(layers), heads)
    same = (layer[:, None] == layer) & ~np.eye(len(layer), dtype=bool)
    return {
        "roles": {
            name: {
                str(n): sum(name in found for (at, _), found in roles.items() if at == n)
                for n in range(1, layers + 1)
            }
            for name in BARS
        },
        "entropy": {str(n + 1): float(row.mean()) for n, row in enumerate(table["entropy"])},
        "cls": {str(n + 1): float(row.mean()) for n, row in enumerate(table["cls"])},
        "sep": {str(n + 1): float(row.mean()) for n, row in enumerate(table["sep"])},
        "broadest_layer": 1 + int(table["entropy"].max(axis=1).argmax()),
        "same_layer": float(similarity[same].mean()),
        "other_layer": float(similarity[layer[:, None] != layer].mean()),
        "kept_roles": float(np.mean([found == other[head] for head, found in roles.items()])),
    }


def roles_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The five parts of the claim, draw by draw."""

    def heads_with(*names):
        counts = [one["values"] for name in names for one in figures["roles"][name].values()]
        return np.sum(counts, axis=0)

    broadest = np.array(figures["broadest_layer"]["values"])
    inside, between = (np.array(figures[n]["values"]) for n in ("same_layer", "other_layer"))
    return {
        "1": bool((heads_with("previous") >= 1).all() and (heads_with("next") >= 1).all()),
        "2": bool((heads_with("sep") >= 1).all()),
        "3": bool((broadest <= 2).all()),
        "4": bool((inside >= between + 0.05).all()),
        "5": bool((np.array(figures["kept_roles"]["values"]) >= 0.9).all()),
    }


# --- heads_that_matter ------------------------------------------------------------------------


class MeanClassifier(keras.Model):
    """A backbone, the mean of its real tokens, and a head; MiniLM's pooler never learned."""

    def __init__(self, backbone, num_classes):
        super().__init__()
        self.backbone = backbone
        backbone.pooler.trainable = False
        self.head = ClassifierHead(num_classes)

    def call(self, inputs):
        states = self.backbone(inputs)["sequence_output"]
        return self.head(masked_mean(states, inputs["padding_mask"]))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return labelled_loss(y_pred, y)


def reviews(config: dict[str, Any]):
    """Arrays and labels of both parts."""
    checkpoint, tokenizer = checkpoint_of_minilm()
    splits, found = english_sentiment.load(), {}
    for part, count in (("train", config["labels"]), ("test", config["test_rows"])):
        some = splits[part][:count]
        ids = [(tokenizer.encode(row.text)[: config["length"] - 2], None) for row in some]
        arrays = packing.pack_batch(ids, checkpoint.vocabulary, config["length"])
        found[part] = arrays, np.array([row.label for row in some])
    return found


def fine_tuned(seed: int, data, config: dict[str, Any]) -> MeanClassifier:
    """MiniLM, every weight of which has learnt to tell praise from blame."""
    keras.utils.set_random_seed(seed)
    backbone = build_backbone(checkpoint_of_minilm()[0], dropout=0.1)
    model = MeanClassifier(backbone, 2)
    steps = config["steps"]
    schedule = optimizers.WarmupLinearDecay(config["rate"], max(1, steps // 10), steps)
    model.compile(
        optimizer=optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0),
        jit_compile=False,
        auto_scale_loss=False,
    )
    arrays, labels = data["train"]
    rng, size = np.random.default_rng(seed), config["batch_size"]
    passes = [rng.permutation(len(labels)) for _ in range(steps * size // len(labels) + 1)]
    for rows in np.concatenate(passes)[: steps * size].reshape(steps, size):
        model.train_on_batch({n: array[rows] for n, array in arrays.items()}, labels[rows])
    return model


def importance_of(model: MeanClassifier, data, config: dict[str, Any]) -> np.ndarray:
    """Mean size of the derivative of each text's loss by each head's switch; layers normalised.

    Args:
        model: after fine-tuning.
        data: from `reviews`.
        config: with batch_size.

    Returns:
        float array of shape (L, N).
    """
    import tensorflow as tf

    arrays, labels = data["train"]
    backbone = model.backbone
    total = np.zeros((backbone.num_layers, backbone.num_heads))
    for start in range(0, len(labels), config["batch_size"]):
        part = slice(start, start + config["batch_size"])
        real, right = arrays["padding_mask"][part], labels[part]
        x = backbone.embeddings(arrays["token_ids"][part], arrays["segment_ids"][part])
        masks = [tf.ones((len(right), backbone.num_heads)) for _ in backbone.encoder_blocks]
        with tf.GradientTape() as tape:
            tape.watch(masks)
            logits = model.head(masked_mean(masked_states(backbone, x, real, masks), real))
            loss = labelled_loss(logits, right) * len(right)  # a sum, for each row its own
        total += [np.abs(np.asarray(one)).sum(axis=0) for one in tape.gradient(loss, masks)]
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def order_of_removal(importance: np.ndarray) -> list[tuple[int, int]]:
    """All heads (layer, head) from 1, the least important first."""
    heads = importance.shape[1]
    return [(int(n) // heads + 1, int(n) % heads + 1) for n in importance.argsort(axis=None)]


def heads_that_matter(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy lost without each head, and along two orders of removing more and more."""
    devices.tune_process()
    data = reviews(config)
    model = fine_tuned(seed, data, config)
    backbone = model.backbone
    layers, heads = backbone.num_layers, backbone.num_heads
    arrays, labels = data["test"]
    real = arrays["padding_mask"]

    def accuracy(states):
        logits = ops.convert_to_numpy(model.head(masked_mean(states, real)))
        return float(np.mean(logits.argmax(axis=-1) == labels))

    def predicted():
        states = backbone.predict(arrays, batch_size=100, verbose=0)["sequence_output"]
        return accuracy(ops.convert_to_tensor(states))

    # Without one head everything below its layer stays: begin at the layer.
    before = backbone.all_states(arrays)["hidden_states"]
    whole = accuracy(before[-1])
    alone: dict[str, dict[str, float]] = {}
    for layer in range(layers):
        alone[str(layer + 1)] = {}
        for head in range(heads):
            mask = np.ones(heads, "float32")
            mask[head] = 0.0
            masks = [ops.convert_to_tensor(mask)] + [None] * (layers - layer - 1)
            states = masked_states(backbone, before[layer], real, masks, layer)
            alone[str(layer + 1)][str(head + 1)] = whole - accuracy(states)
    importance = importance_of(model, data, config)
    rng = np.random.default_rng(seed)
    every = order_of_removal(importance)
    orders = [[every[n] for n in rng.permutation(len(every))] for _ in range(config["orders"])]
    curve: dict[str, dict[str, float]] = {"by_importance": {}, "random": {}}
    for share in config["shares"]:
        count = round(share * len(every))
        with heads_off(backbone, every[:count]):
            curve["by_importance"][str(share)] = predicted()
        by_chance = []
        for order in orders:
            with heads_off(backbone, order[:count]):
                by_chance.append(predicted())
        curve["random"][str(share)] = float(np.mean(by_chance))
    drops = np.array([list(one.values()) for one in alone.values()])
    return {
        "whole": whole,
        "alone": alone,
        "largest_drop": float(drops.max()),
        "spared": float(np.mean(drops <= config["point"] + 1e-9)),
        "curve": curve,
    }


def matter_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def at(name, share):
        return np.array(figures["curve"][name][share]["values"])

    whole = np.array(figures["whole"]["values"])
    return {
        "1": bool((np.array(figures["spared"]["values"]) >= 0.9).all()),
        "2": bool((at("by_importance", "0.2") >= whole - 0.02 - 1e-9).all()),
        "3": bool((at("by_importance", "0.5") > at("random", "0.5")).all()),
    }


EXPERIMENTS = [
    Experiment(
        id="head_roles",
        claim={
            "zh": "MiniLM，三批各 200 段新闻，每一批都有：（1）至少一个头看前一个词、至少一个看后"
            "一个词，多于一半的时候看对；（2）至少一个头把一半以上的权重给 [SEP]；（3）最散的头在"
            "第 1 层或第 2 层；（4）同一层的头平均相似度比不同层的至少高 0.05；（5）九成以上的头，"
            "角色和另外一批（第四批）量出来的相同。",
            "en": "MiniLM on three draws of 200 paragraphs of news. For every draw: (1) at least "
            "one head looks at the word before and one at the word after, right more than half of "
            "the time; (2) at least one head gives more than half of its weight to [SEP]; (3) the "
            "broadest head is in layer 1 or 2; (4) heads of one layer are on average more alike "
            "than heads of different layers by 0.05 or more; (5) at least nine tenths of the heads "
            "have the roles that a fourth draw gives them.",
        },
        run=head_roles,
        holds=roles_hold,
        config={"paragraphs": 200, "length": 48, "compared": 60},
        quick={"paragraphs": 6, "compared": 2},
        seeds=(1, 2, 3),  # draw 0 is the one that they are compared with
        minutes=3.0,
    ),
    Experiment(
        id="heads_that_matter",
        claim={
            "zh": "整个微调过的 MiniLM，英文影评，每个种子都有：（1）至少九成的头，单独关掉，准确率"
            "最多掉 1 个百分点；（2）按梯度的重要性关掉最不重要的两成，最多掉 2 个百分点；（3）关掉"
            "一半时，按重要性的高于随机的。",
            "en": "MiniLM, fine-tuned as a whole, on film reviews. For every seed: (1) at least "
            "nine tenths of the heads can be switched off by themselves for a loss of at most one "
            "point of accuracy; (2) without the fifth that gradients call least important it loses "
            "2 points at most; (3) without half of its heads it is better if they went by "
            "importance than at random.",
        },
        run=heads_that_matter,
        holds=matter_holds,
        config={
            "labels": 600,
            "test_rows": 300,
            "length": 32,
            "steps": 120,
            "batch_size": 16,
            "rate": 5e-5,
            "shares": [0.1, 0.2, 0.3, 0.5, 0.7],
            "orders": 3,
            "point": 0.01,
        },
        quick={
            "labels": 16,
            "test_rows": 8,
            "length": 12,
            "steps": 2,
            "batch_size": 8,
            "orders": 1,
            "shares": [0.2, 0.5],
        },
        minutes=13.0,
    ),
]
