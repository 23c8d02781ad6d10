"""Stored experiments of chapter 8: what compression costs, and what a teacher is worth."""

from __future__ import annotations

import functools
import tempfile
from typing import Any

import keras
import numpy as np

from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.compression.compress import compress, weakest_heads
from bert_keras.compression.distiller import Distiller
from bert_keras.compression.prune import keep_zeros
from bert_keras.compression.size import batch_of, latency_ratio, size_of
from bert_keras.experiments import Experiment
from bert_keras.models.tasks import TextClassifier
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import devices, optimizers, small_tasks


@functools.lru_cache(maxsize=1)
def checkpoint_of_minilm():
    """MiniLM and its tokenizer."""
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
    return checkpoint, WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


@functools.lru_cache(maxsize=2)
def reviews(rows: int, test_rows: int, length: int):
    """The task of English film reviews, and the batches of train and test."""
    task, splits = small_tasks.load(
        rows, test_rows, task="classification", corpus="english_sentiment"
    )
    _, tokenizer = checkpoint_of_minilm()
    parts = {n: small_tasks.encode(task, splits[n], tokenizer, length) for n in ("train", "test")}
    return task, parts


def data_of(config: dict[str, Any]):
    """The task and its batches, by the sizes."""
    return reviews(config["rows"], config["test_rows"], config["length"])


def fine_tuned(seed: int, config: dict[str, Any]) -> keras.Model:
    """MiniLM, every weight of which has learnt to tell praise from blame."""
    task, parts = data_of(config)
    keras.utils.set_random_seed(seed)
    return small_tasks.fine_tune(
        task,
        build_backbone(checkpoint_of_minilm()[0], dropout=0.1),
        parts["train"],
        steps=config["steps"],
        rate=config["rate"],
        batch_size=config["batch_size"],
        rng=np.random.default_rng(seed),
    )


def train_on(model, parts, steps: int, seed: int, config: dict[str, Any]) -> None:
    """Train a model that is there already; what is 0 in its kernels stays 0 if it says so."""
    schedule = optimizers.WarmupLinearDecay(config["rate"], max(1, steps // 10), steps)
    optimizer = optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0)
    optimizer.exclude_from_weight_decay(
        var_list=optimizers.no_decay_variables(model.trainable_variables)
    )
    model.compile(optimizer=optimizer, jit_compile=False, auto_scale_loss=False)
    rng = np.random.default_rng([seed, steps])
    for rows, width in parts.steps(steps, config["batch_size"], rng):
        model.train_on_batch(parts.inputs(rows, width), parts.targets(rows, width))


def accuracy_of(model, test, length: int) -> float:
    """Share of the test that is told right; not compiled, as no model is asked often."""
    right = []
    for start in range(0, len(test), 100):
        rows = np.arange(start, min(start + 100, len(test)))
        logits = keras.ops.convert_to_numpy(model(test.inputs(rows, length), training=False))
        right.append(logits.argmax(axis=-1) == test.targets(rows, length))
    return float(np.mean(np.concatenate(right)))


def with_backbone(model: TextClassifier, backbone) -> TextClassifier:
    """The same head on another encoder."""
    copy = TextClassifier(backbone, model.num_classes, dropout=0.1)
    copy.classifier.set_weights(model.classifier.get_weights())
    return copy


def distilled(teacher, layers: int, train, seed: int, config: dict[str, Any], **learning):
    """Some of a teacher's layers, trained beside it; alpha = 0 is a student without a teacher."""
    keras.utils.set_random_seed(seed)
    student = with_backbone(teacher, compress(teacher.backbone, layers=layers))
    distiller = Distiller(student, teacher, temperature=config["temperature"], **learning)
    train_on(distiller, train, config["student_steps"], seed, config)
    return student


# --- compression_table ------------------------------------------------------------------------

_sizes: dict[str, dict[str, int]] = {}  # they are the same for every seed


def sizes_of(name: str, backbone) -> dict[str, int]:
    """How large the encoder of a row is; packing takes a while, so it is done once."""
    if name not in _sizes:
        _sizes[name] = size_of(backbone)
    return _sizes[name]


def compression_table(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Size, time and accuracy of every way, as it is and after a short training."""
    devices.tune_process()
    _, parts = data_of(config)
    whole = fine_tuned(seed, config)
    full = sizes_of("whole", whole.backbone)
    batch = batch_of(whole.backbone.vocabulary_size, config["timed_rows"], config["length"], seed)
    table: dict[str, dict[str, float]] = {}
    compressed = {}

    def row(name, model, as_it_is=None):
        sizes = sizes_of(name, model.backbone)
        after = accuracy_of(model, parts["test"], config["length"])
        table[name] = {
            **{key: sizes[key] / full[key] for key in sizes},
            "time": latency_ratio(model.backbone, whole.backbone, batch, rounds=config["rounds"]),
            "as_it_is": after if as_it_is is None else as_it_is,
            "after": after,
        }

    def trained_row(name, **options):
        """Compress, look, train a little, look again."""
        keras.utils.set_random_seed(seed)
        model = with_backbone(whole, compress(whole.backbone, **options))
        at_once = accuracy_of(model, parts["test"], config["length"])
        keep_zeros(model)
        train_on(model, parts["train"], config["more_steps"], seed, config)
        row(name, model, at_once)
        compressed[name] = model

    for share in config["zeros"]:
        trained_row(f"zeros_{round(100 * share)}", share=share)
    trained_row("heads_50", heads=weakest_heads(whole.backbone, 0.5))
    trained_row("rank", rank=config["rank"])
    row("int8", with_backbone(whole, compress(whole.backbone, int8=True)))
    student = distilled(
        whole, config["student_layers"], parts["train"], seed, config, alpha=0.9, hidden=1.0
    )
    row("distilled", student)
    row("distilled_int8", with_backbone(student, compress(student.backbone, int8=True)))
    thin = compressed["heads_50"]
    trained_row_of_both = with_backbone(thin, compress(thin.backbone, rank=config["rank"]))
    train_on(trained_row_of_both, parts["train"], config["more_steps"], seed, config)
    both = compress(trained_row_of_both.backbone, int8=True)
    row("heads_rank_int8", with_backbone(trained_row_of_both, both))
    return {
        "whole": accuracy_of(whole, parts["test"], config["length"]),
        "bytes": full["bytes"],
        "table": table,
    }


def table_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The five parts of the claim, seed by seed."""

    def column(name, key):
        return np.array(figures["table"][name][key]["values"])

    whole = np.array(figures["whole"]["values"])
    lost = whole - column("zeros_80", "as_it_is")
    regained = column("zeros_80", "after") - column("zeros_80", "as_it_is")
    return {
        "1": bool((np.abs(column("zeros_90", "time") - 1) <= 0.15).all()),
        "2": bool(
            (column("int8", "after") >= whole - 0.01 - 1e-9).all()
            and (column("int8", "bytes") <= 0.3).all()
        ),
        "3": bool((lost >= 0.05).all() and (regained >= lost / 2).all()),
        "4": bool((column("heads_50", "after") >= whole - 0.03 - 1e-9).all()),
        "5": bool(
            (column("distilled", "time") <= 0.5).all()
            and (column("distilled", "after") >= whole - 0.05 - 1e-9).all()
        ),
    }


# --- distilled_or_alone -----------------------------------------------------------------------

_WAYS = {
    "alone": {"alpha": 0.0},
    "logits": {"alpha": 0.9},
    "logits_and_layers": {"alpha": 0.9, "hidden": 1.0, "attention": 1.0},
}


def distilled_or_alone(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy of a student with a teacher and without one; rows, steps and begin are the same."""
    devices.tune_process()
    _, parts = data_of(config)
    teacher = fine_tuned(seed, config)
    found = {"teacher": accuracy_of(teacher, parts["test"], config["length"])}
    for name, learning in _WAYS.items():
        student = distilled(
            teacher, config["student_layers"], parts["train"], seed, config, **learning
        )
        found[name] = accuracy_of(student, parts["test"], config["length"])
    return found


def students_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim."""
    teacher, alone, logits, layers = (
        np.array(figures[name]["values"]) for name in ("teacher", *_WAYS)
    )
    return {
        "1": bool(logits.mean() >= alone.mean() + 0.01),
        "2": bool(layers.mean() >= logits.mean() + 0.01),
        "3": bool((np.maximum(logits, layers) < teacher).all()),
    }


COMMON = {
    "rows": 1600,
    "test_rows": 400,
    "length": 32,
    "batch_size": 16,
    "rate": 1e-4,
    "steps": 150,
    "student_steps": 150,
    "student_layers": 2,
    "temperature": 2.0,
}
SMALL = {"rows": 24, "test_rows": 8, "length": 8, "batch_size": 4, "steps": 1, "student_steps": 1}

EXPERIMENTS = [
    Experiment(
        id="compression_table",
        claim={
            "zh": "MiniLM 在英文影评上微调（1600 句），再一样一样地压缩，每个种子都有：（1）90 % 是"
            "0 的模型，时间跟原来相差不到 15 %；（2）int8 最多掉 1 个百分点，文件不到原来的三成；"
            "（3）80 % 改成 0 至少掉 5 个百分点，接着练 40 步（0 保持是 0）至少追回一半；（4）切掉"
            "一半的头，再练 40 步，最多掉 3 个百分点；（5）蒸馏成六层中的两层，时间不到一半，最多"
            "掉 5 个百分点。",
            "en": "MiniLM, fine-tuned on 1600 English film reviews, and then compressed in one way "
            "after the other. For every seed: (1) with 90 % zeros it takes the time that it took "
            "before, within 15 %; (2) int8 loses one point at most, and the file is below three "
            "tenths; (3) 80 % zeros lose 5 points at least, and 40 more steps that keep them zero "
            "regain half of that or more; (4) without half of its heads and after 40 more steps it "
            "has lost 3 points at most; (5) distilled into two of its six layers it takes less "
            "than half of the time and has lost 5 points at most.",
        },
        run=compression_table,
        holds=table_holds,
        config={
            **COMMON,
            "zeros": [0.5, 0.8, 0.9],
            "rank": 96,
            "more_steps": 40,
            "timed_rows": 8,
            "rounds": 9,
        },
        quick={**SMALL, "more_steps": 1, "timed_rows": 1, "rounds": 1},
        minutes=15.0,
    ),
    Experiment(
        id="distilled_or_alone",
        claim={
            "zh": "老师是微调过的 MiniLM（1600 句影评），学生从它六层中的两层出发，同样的句子、同样"
            "的步数，三个种子平均：（1）听老师的 logits，比只看标签的至少高 1 个百分点；（2）连隐藏"
            "状态和注意力一起学，再高至少 1 个百分点。（3）每个种子，两个学生都不如老师。",
            "en": "The teacher is MiniLM, fine-tuned on 1600 film reviews; students begin as two "
            "of its six layers and see the same sentences for as many steps. On average over three "
            "seeds: (1) with the teacher's logits a student is at least 1 point above the one "
            "that has labels only; (2) with hidden states and attention, too, it is at least 1 "
            "point above that. (3) For every seed both stay below their teacher.",
        },
        run=distilled_or_alone,
        holds=students_hold,
        config=COMMON,
        quick=SMALL,
        minutes=12.0,
    ),
]
