"""The stored experiments of this notebook: `make experiments` measures them."""

import functools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bert_keras.experiments import Experiment


@functools.lru_cache(maxsize=1)
def _text(vocabulary, paragraphs):
    from bert_keras.training import small_bert

    return small_bert.newspaper("zh", vocabulary, paragraphs)


def _batches(config, seed, split="train", **options):
    from bert_keras.training import small_bert

    text = _text(config["vocabulary"], config["paragraphs"])
    sizes = {
        "batch_size": config["tokens"] // config["length"],
        "max_sequence_length": config["length"],
    }
    return small_bert.batches(text, split, **{**sizes, "seed": seed, **options})


def _reading(config, seed, steps, **options):
    """A function that gives the batches of a training: short rows first, then full ones."""
    from bert_keras.training import small_bert

    text = _text(config["vocabulary"], config["paragraphs"])
    sizes = {name: config[name] for name in ("tokens", "length")}
    return small_bert.short_rows_first(text, steps, **{**sizes, "seed": seed, **options})


def _model(config, seed, steps, **changes):
    """A compiled model; changes go to the model's sizes or to its optimizer."""
    from dataclasses import fields

    from bert_keras.training import small_bert
    from bert_keras.training.sections import ModelSection

    known = {field.name for field in fields(ModelSection)} | {"next_sentence"}
    text = _text(config["vocabulary"], config["paragraphs"])
    model = small_bert.build(
        len(text.vocabulary), seed, **{k: v for k, v in changes.items() if k in known}
    )
    rest = {k: v for k, v in changes.items() if k not in known}
    small_bert.prepare(model, steps, **{"learning_rate": config["rate"], **rest})
    return model


def _all_of(training):
    """Make all the steps of a training; its points (steps made, mean loss)."""
    return list(training)


# ------------------------------------------------------------------ the curve


def pretraining_curve(seed, config):
    """Held-out losses of a nano BERT along its training, beside models that only count."""
    from bert_keras.training import small_bert

    text = _text(config["vocabulary"], config["paragraphs"])
    # Short rows all along: before the full ones come, later places have learnt nothing.
    short = small_bert.SHORT
    test = _batches(
        config, 0, "test", batch_size=config["tokens"] // short, max_sequence_length=short
    )
    steps = config["steps"]
    model = _model(config, seed, steps)
    batch = _reading(config, seed, steps)
    figures = {"counted": small_bert.counted(text, test, config["tested"]), "steps": {}}
    stops = [steps * part // config["looks"] for part in range(1, config["looks"] + 1)]
    figures["steps"]["0"] = small_bert.held_out(model, test, config["tested"])
    for step, _ in small_bert.train(model, batch, steps, stops=stops):
        figures["steps"][str(step)] = small_bert.held_out(model, test, config["tested"])
    return figures


def _curve_holds(figures):
    counted, steps = figures["counted"], figures["steps"]
    last = steps[max(steps, key=int)]
    early = [one for step, one in steps.items() if 0 < int(step) <= max(map(int, steps)) * 0.15]

    def values(node):
        return np.array(node["values"])

    unigram = values(counted["unigram"])
    return {
        "1": any(bool((abs(values(one["masked"]) - unigram) < 0.15).all()) for one in early),
        "2": bool((values(last["masked"]) < unigram - 0.8).all()),
        "3": bool((values(last["masked"]) > values(counted["neighbours"])).all()),
        "4": bool((values(last["kept"]) < values(last["masked"])).all()),
    }


# ------------------------------------------------------------------ resume

FORGOTTEN = ("nothing", "dropout", "moments", "optimizer", "place")


def resume_is_exact(seed, config):
    """How far runs that were resumed end from the one that was never stopped."""
    from bert_keras.training import checkpoints, small_bert

    steps, half = config["steps"], config["steps"] // 2
    batch, dev = _reading(config, seed, steps), _batches(config, 0, "dev")
    stops = range(0, steps + 1, config["every"])
    figures = {"killed": _killed(seed, config), "curve": {}, "difference": {}, "masked": {}}

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoint.npz"
        model = _model(config, seed, steps, dropout=config["dropout"])
        points = _all_of(small_bert.train(model, batch, half, stops=stops))
        checkpoints.save(path, model, model.optimizer, {})
        points += _all_of(small_bert.train(model, batch, steps, half, stops))
        wanted = checkpoints.weights_of(model)
        figures["curve"]["never_stopped"] = {str(step): loss for step, loss in points}
        figures["masked"]["never_stopped"] = _masked(model, dev, config)

        for what in FORGOTTEN:
            model = _model(config, seed + 1000, steps, dropout=config["dropout"])
            _restore(path, model, what)
            first = half if what == "place" else 0
            points = _all_of(
                small_bert.train(model, lambda n, skip=first: batch(n - skip), steps, half, stops)
            )
            found = checkpoints.weights_of(model)
            gaps = [np.abs(found[name] - wanted[name]).max() for name in wanted]
            figures["curve"][what] = {str(step): loss for step, loss in points}
            figures["difference"][what] = float(max(gaps))
            figures["masked"][what] = _masked(model, dev, config)
    return figures


def _restore(path, model, forgotten):
    """Restore a checkpoint, but for what is forgotten."""
    import keras

    from bert_keras.training import checkpoints

    optimizer = model.optimizer
    kept = []
    if forgotten == "dropout":
        kept = [v for v in model.variables if "seed_generator_state" in v.path]
    elif forgotten == "moments":
        kept = [v for v in optimizer.variables if v is not optimizer.iterations and v.shape]
    elif forgotten == "optimizer":
        kept = list(optimizer.variables)
    before = [(variable, keras.ops.convert_to_numpy(variable)) for variable in kept]
    checkpoints.restore(path, model, optimizer)
    for variable, value in before:
        variable.assign(value)


def _masked(model, batches, config):
    from bert_keras.training import small_bert

    return small_bert.held_out(model, batches, config["tested"])["masked"]


def _killed(seed, config):
    """Kill the command with a signal after its first checkpoint, resume it, compare all arrays."""
    with tempfile.TemporaryDirectory() as folder:
        whole, broken = Path(folder) / "whole", Path(folder) / "broken"
        values = {
            "data.directory": "build/data/peoples_daily",
            "run.seed": seed,
            "model.dropout": config["dropout"],
            "training.steps": config["killed_steps"],
            "training.batch_size": 16,
            "training.checkpoint_every": config["killed_steps"] // 3,
            "training.evaluation_pairs": 50,
            "training.jit_compile": "false",
            "training.mfu": "false",
        }
        command = [sys.executable, "-m", "bert_keras"]
        settings = [f"--set={name}={value}" for name, value in values.items()]
        source = "configs/pretrain_nano_zh.toml"
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*command, "prepare", source, *settings], check=True, **options)

        def pretrain(directory, *more):
            return [
                *command,
                "pretrain",
                source,
                *settings,
                f"--set=run.directory={directory}",
                *more,
            ]

        subprocess.run(pretrain(whole), check=True, **options)
        run = subprocess.Popen(pretrain(broken), **options)
        while run.poll() is None and not (broken / "checkpoint.npz").exists():
            time.sleep(0.05)
        run.kill()
        run.wait()
        subprocess.run(pretrain(broken, "--resume"), check=True, **options)
        arrays = [np.load(directory / "checkpoint.npz") for directory in (whole, broken)]
        names = [name for name in arrays[0].files if name != "progress"]
        return float(max(np.abs(arrays[0][name] - arrays[1][name]).max() for name in names))


def _resume_holds(figures):
    def values(*path):
        node = figures
        for name in path:
            node = node[name]
        return np.array(node["values"])

    return {
        "1": bool((values("killed") == 0).all()),
        "2": bool((values("difference", "nothing") == 0).all()),
        "3": all(
            bool((values("difference", what) > 0).all()) for what in FORGOTTEN if what != "nothing"
        ),
        "4": bool((values("masked", "optimizer") > values("masked", "nothing")).all()),
    }


# ------------------------------------------------------------------ next sentences


WAYS = {
    "both": ({}, {}),
    "same_rows": ({"next_sentence": 0.0}, {}),
    "true_pairs": ({"next_sentence": 0.0}, {"negative_rate": 0.0}),
}


def with_and_without_nsp(seed, config):
    """[MASK] loss and two probes of encoders pretrained with and without the next sentence."""
    from bert_keras.training import bert_probes, small_bert

    text = _text(config["vocabulary"], config["paragraphs"])
    pairs = [_pairs(config, split) for split in ("train", "test")]
    judge = _batches(config, 0, "test", negative_rate=0.0)
    figures = {}
    for way, (changes, rows) in WAYS.items():
        model = _model(config, seed, config["steps"], **changes)
        batch = _reading(config, seed, config["steps"], **rows)
        _all_of(small_bert.train(model, batch, config["steps"]))
        steps = {"steps": config["probe_steps"], "seed": seed}
        counts = config["labelled"], config["tested"]
        figures[way] = {
            "masked": _masked(model, judge, config),
            "sentiment": bert_probes.sentiment(model.backbone, text.tokenizer, counts, **steps),
            "next_sentence": bert_probes.next_sentences(model.backbone, *pairs, **steps),
        }
    return figures


def _pairs(config, split):
    """Unmasked pairs, half of them wrong ones, and their labels."""
    from bert_keras.training.rows import cut, pack

    text, source = _text(config["vocabulary"], config["paragraphs"]), _batches(config, 0, split)
    rows = source.source.draw(np.random.default_rng(2))
    count = config["labelled" if split == "train" else "tested"]
    chosen = np.linspace(0, len(rows.label) - 1, count).round().astype(int)
    rows = cut(rows.take(chosen), config["length"] - 3, None)
    inputs = pack(rows, text.splits[split], text.vocabulary, config["length"])
    return inputs, rows.label


def _nsp_holds(figures):
    def values(way, what):
        return np.array(figures[way][what]["values"])

    without = [values(way, "masked").mean() for way in ("same_rows", "true_pairs")]
    sentiment = [values(way, "sentiment").mean() for way in WAYS]
    others = [values(way, "next_sentence") for way in ("same_rows", "true_pairs")]
    return {
        "1": bool(min(without) <= values("both", "masked").mean() + 0.01),
        "2": all(bool((values("both", "next_sentence") > other).all()) for other in others),
        "3": bool(max(sentiment) - min(sentiment) < 0.02),
    }


# ------------------------------------------------------------------ objectives


def objectives_at_equal_tokens(seed, config):
    """What linear layers find in encoders that read the same tokens with different riddles."""
    from bert_keras.training import bert_probes, small_bert

    text = _text(config["vocabulary"], config["paragraphs"])
    batch = _reading(config, seed, config["steps"], negative_rate=0.0)
    counts, figures = (config["labelled"], config["tested"]), {}
    for kind in ("untrained", "masked", "causal", "denoising"):
        model = _model(config, seed, config["steps"], next_sentence=0.0)
        if kind != "untrained":
            _all_of(
                small_bert.train(
                    model,
                    lambda number, kind=kind: small_bert.riddle(kind, *batch(number)),
                    config["steps"],
                )
            )
        options = {"steps": config["probe_steps"], "seed": seed, "causal": kind == "causal"}
        figures[kind] = {
            task.__name__: task(model.backbone, text.tokenizer, counts, **options)
            for task in (bert_probes.sentiment, bert_probes.entities)
        }
    return figures


def _objectives_hold(figures):
    def values(kind, task):
        return np.array(figures[kind][task]["values"])

    trained = ("masked", "causal", "denoising")
    names = {kind: values(kind, "entities") for kind in trained}
    return {
        "1": all(
            bool((values(kind, task) > values("untrained", task)).all())
            for kind in trained
            for task in ("sentiment", "entities")
        ),
        "2": bool((names["masked"] > names["causal"]).all()),
        "3": bool((names["masked"] > names["denoising"]).all()),
    }


# ------------------------------------------------------------------ tips


TIPS = {
    "recipe": {},
    "no_warmup": {"warmup_share": 0.0},
    "full_rows_only": {"short_share": 0.0},
    "batch_times_four": {"batch": 4},
    "dropout": {"dropout": 0.1},
    "small_start": {"initializer_stddev": 0.02},
    "no_decay": {"weight_decay": 0.0},
}


def training_tips(seed, config):
    """[MASK] loss on held-out text after as many tokens, with one thing changed at a time."""
    return {tip: {"masked": _with_tip(changes, seed, config)} for tip, changes in TIPS.items()}


def _with_tip(changes, seed, config):
    from bert_keras.training import small_bert

    changes = dict(changes)
    factor, rows = changes.pop("batch", 1), {"share": changes.pop("short_share", 0.6)}
    steps = round(config["steps"] / factor)
    batch = _reading(config, seed, steps, tokens=round(config["tokens"] * factor), **rows)
    model = _model(config, seed, steps, **changes)
    _all_of(small_bert.train(model, batch, steps))
    return _masked(model, _batches(config, 0, "test"), config)


def _tips_hold(figures):
    def worse(tip, by=0.0):
        found = [np.array(figures[name]["masked"]["values"]) for name in (tip, "recipe")]
        return found[0].mean() - found[1].mean() > by

    return {
        "1": bool(worse("no_warmup")),
        "2": bool(worse("full_rows_only")),
        "3": bool(worse("batch_times_four")),
        "4": bool(worse("dropout")),
        "5": bool(worse("small_start")),
        "6": not worse("no_decay", 0.02),
    }


# ------------------------------------------------------------------ what there is

SIZES = {"vocabulary": 4000, "paragraphs": 0, "length": 64, "tokens": 4096, "rate": 5e-3}
QUICK = {"vocabulary": 500, "paragraphs": 300, "steps": 4, "tested": 40, "tokens": 256}
PROBED = {"labelled": 2000, "tested": 800, "probe_steps": 300}

EXPERIMENTS = [
    Experiment(
        id="pretraining_curve",
        claim={
            "zh": "一个两层的小 BERT，读《人民日报》3000 步，每个种子都成立：（1）头 15% 的步子里，"
            "[MASK] 上的损失停在一元模型附近（相差不到 0.15 奈特）；（2）最后比一元模型低 0.8 奈特"
            "以上；（3）最后还不如数左右邻居的模型；（4）没遮住的词元上，损失比 [MASK] 上低。",
            "en": "A tiny BERT of two layers reads People's Daily for 3000 steps, and for every "
            "seed: (1) within the first 15 % of the steps its loss at [MASK] stands near the "
            "unigram model's (less than 0.15 nats away); (2) in the end it is at least 0.8 nats "
            "below it; (3) in the end it is still above a model that counts both neighbours; (4) "
            "at tokens that were kept the loss is lower than at [MASK].",
        },
        run=pretraining_curve,
        holds=_curve_holds,
        config={
            **SIZES,
            "steps": 3000,
            "looks": 25,
            "tested": 3000,
        },
        quick={**QUICK, "looks": 2},
        minutes=12,
    ),
    Experiment(
        id="resume_is_exact",
        claim={
            "zh": "每个种子都成立：（1）预训练的命令被强行杀掉再接上，最后的每一个数都跟没有中断过"
            "的一样；（2）从检查点恢复全部状态，最后的参数一位不差；（3）漏掉 dropout 的状态、动"
            "量、整个优化器或数据读到哪里，哪一样都会让最后的参数不同；（4）丢掉整个优化器的，最"
            "后在 [MASK] 上的损失比什么都没丢的高。",
            "en": "For every seed: (1) a pretraining command that was killed and resumed ends with "
            "the same numbers, all of them, as one that wasn't; (2) with all states restored from "
            "a checkpoint the final weights are equal to the last bit; (3) leaving out the state "
            "of dropout, the moments, the whole optimizer or the place in the data each changes "
            "the final weights; (4) where the whole optimizer is lost the final loss on [MASK] is "
            "higher than where nothing is.",
        },
        run=resume_is_exact,
        holds=_resume_holds,
        config={
            **SIZES,
            "steps": 400,
            "every": 20,
            "dropout": 0.1,
            "tested": 800,
            "killed_steps": 60,
        },
        quick={**QUICK, "every": 2, "killed_steps": 6},
        minutes=14,
    ),
    Experiment(
        id="with_and_without_nsp",
        claim={
            "zh": "（1）不做下一句预测，[MASK] 上的损失平均不会更高（两种做法里较好的一种，容许 0."
            "01 奈特）；（2）做了下一句预测的，线性探针在每个种子上都更认得出下一句；（3）三种做"
            "法的情感探针平均相差不到 2 个百分点。",
            "en": "(1) Without the next sentence the loss on [MASK] is no higher on average (the "
            "better of the two ways without it, give or take 0.01 nats); (2) with it a linear "
            "probe tells next sentences better, for every seed; (3) the sentiment probes of all "
            "three ways differ by less than 2 points on average.",
        },
        run=with_and_without_nsp,
        holds=_nsp_holds,
        config={**SIZES, **PROBED, "steps": 1500},
        quick={**QUICK, "labelled": 60, "probe_steps": 3},
        minutes=17,
    ),
    Experiment(
        id="objectives_at_equal_tokens",
        claim={
            "zh": "读同样多的词元，每个种子都成立：（1）三种题目预训练出来的编码器，两个探针都胜过"
            "没有训练过的；（2）标命名实体，掩码的胜过从左往右的；（3）标命名实体，掩码的胜过把每"
            "个词元都重建一遍的。",
            "en": "With as many tokens read, for every seed: (1) after each of the three riddles "
            "both probes beat those of an untrained encoder; (2) for named entities masked beats "
            "left to right; (3) for named entities masked beats rebuilding every token.",
        },
        run=objectives_at_equal_tokens,
        holds=_objectives_hold,
        config={**SIZES, **PROBED, "steps": 1500},
        quick={**QUICK, "labelled": 60, "probe_steps": 3},
        minutes=22,
    ),
    Experiment(
        id="training_tips",
        claim={
            "zh": "读同样多的词元，三个种子平均，在没见过的文本的 [MASK] 上：（1）不预热更差；（2"
            "）一开始就用长行更差；（3）批次大四倍、步数少四倍更差；（4）dropout 0.1 更差；（5）"
            "初始值的标准差用 0.02 更差；（6）不衰减，差也不超过 0.02 奈特。",
            "en": "With as many tokens read, on average over three seeds, at [MASK] in unseen "
            "text: (1) without warm-up it is worse; (2) with full rows from the beginning it is "
            "worse; (3) with batches four times as large and a quarter of the steps it is worse; "
            "(4) with dropout 0.1 it is worse; (5) with a spread of 0.02 to start from it is "
            "worse; (6) without decay it is worse by 0.02 nats at most.",
        },
        run=training_tips,
        holds=_tips_hold,
        config={
            **SIZES,
            "steps": 800,
            "tested": 800,
        },
        quick=QUICK,
        minutes=24,
    ),
]
