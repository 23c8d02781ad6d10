"""Stored experiments of chapter 6a: few labels, MiniLM, pairs and choices, commands, seeds."""

from __future__ import annotations

import functools
import tempfile
from typing import Any

import keras
import numpy as np
from keras import ops

from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.experiments import Experiment
from bert_keras.layers.heads import ClassifierHead
from bert_keras.layers.pooling import masked_mean
from bert_keras.models.losses import labelled_loss
from bert_keras.text import masked_lm, packing
from bert_keras.text.corpora import bars, english_sentiment
from bert_keras.text.corpora.labelled import TaggedTokens
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import devices, optimizers, small_bert, small_tasks
from bert_keras.training.small_tasks import encode
from bert_keras.training.tasks.batches import TaskBatches

# --- what all of them share -------------------------------------------------------------------

# The sizes on which pretraining depends.
PRETRAINING = ("vocabulary", "paragraphs", "hidden_dim", "pretraining_tokens", "pretraining_steps")


def read_newspaper(language: str, config: dict[str, Any], seed: int = 0):
    """A small BERT that has read a newspaper; its tokenizer, its sizes and its weights."""
    sizes = {name: config[name] for name in PRETRAINING}
    return small_tasks.read_newspaper(language, seed, length=config["lengths"][language], **sizes)


class Tuner:
    """One compiled model of a task that can begin anew, from any weights of its encoder.

    Args:
        task: makes the model and judges it.
        vocabulary_size: int.
        sizes: dict, changes of `small_bert.NANO`.
        config: dict with fine_tuning_rate and batch_size.
        seed: int.
    """

    def __init__(self, task, vocabulary_size: int, sizes, config: dict[str, Any], seed: int):
        self.task, self.config, self.seed = task, config, seed
        self.backbone = small_tasks.fresh_backbone(vocabulary_size, sizes, seed)
        self.fresh = self.backbone.get_weights()
        self.model = task.model(self.backbone, 0.1)
        self.optimizer = optimizers.AdamW(learning_rate=1e-3, weight_decay=0.01, global_clipnorm=1)
        exempt = optimizers.no_decay_variables(self.model.trainable_variables)
        self.optimizer.exclude_from_weight_decay(var_list=exempt)
        self.optimizer.build(self.model.trainable_variables)
        self.untouched = [ops.convert_to_numpy(one) for one in self.optimizer.variables]
        self.model.compile(optimizer=self.optimizer, jit_compile=False, auto_scale_loss=False)

    def run(self, weights, train: TaskBatches, steps: int, seed: int | None = None) -> None:
        """Fine-tune from some weights of the encoder, with a new head."""
        seed = self.seed if seed is None else seed
        keras.utils.set_random_seed(seed)
        self.backbone.set_weights(weights)
        heads = [layer for layer in self.model.layers if isinstance(layer, ClassifierHead)]
        for number, head in enumerate(heads):
            start = keras.initializers.TruncatedNormal(stddev=0.05, seed=100 * seed + number)
            head.dense.kernel.assign(start(head.dense.kernel.shape))
            head.dense.bias.assign(ops.zeros_like(head.dense.bias))
        for variable, value in zip(self.optimizer.variables, self.untouched, strict=True):
            variable.assign(value)
        rng = np.random.default_rng([seed, len(train)])
        batches = train.steps(steps, self.config["batch_size"], rng)
        for number, (rows, width) in enumerate(batches):
            rate = optimizers.warmup_linear_decay(
                number, self.config["fine_tuning_rate"], max(1, steps // 10), steps
            )
            self.optimizer.learning_rate = float(rate)
            self.model.train_on_batch(train.inputs(rows, width), train.targets(rows, width))

    def scores(self, data: TaskBatches, rows) -> dict[str, float]:
        """How good the model is on some rows."""
        answers = self.task.answers(self.model, data, rows, 128)
        return self.task.scores(answers, rows)


def loaded(config: dict[str, Any], **section):
    """A task and its rows, not more of them than the sizes say."""
    return small_tasks.load(config["rows"], config["test_rows"], **section)


# --- zh_sentiment_by_labels -------------------------------------------------------------------


def read_reviews(sizes, weights, tokenizer, rows, config: dict[str, Any], seed: int):
    """Go on guessing characters in the text of reviews; the weights afterwards."""
    vocabulary, length = tokenizer.vocabulary, config["lengths"]["zh"]
    ids = [packing.head_and_tail(tokenizer.encode(row.text), length - 2) for row in rows]
    arrays = packing.pack_batch([(one, None) for one in ids], vocabulary, length)
    model = small_bert.build(len(vocabulary), seed, next_sentence=0.0, **sizes)
    model.backbone.set_weights(weights)
    size, steps = config["pretraining_tokens"] // length, config["review_steps"]

    def batch(number: int):
        rng = np.random.default_rng([seed, number])
        chosen = rng.integers(len(rows), size=size)
        inputs = {name: array[chosen] for name, array in arrays.items()}
        hidden = masked_lm.mask_tokens(
            inputs["token_ids"], vocabulary, rng, max_predictions=round(0.15 * length)
        )
        inputs |= {"token_ids": hidden.token_ids, "mask_positions": hidden.mask_positions}
        nothing = np.zeros(size, np.int32)  # the next sentence, whose loss counts for nothing
        targets = {"mask_ids": hidden.mask_ids, "mask_weights": hidden.mask_weights}
        return inputs, targets | {"next_sentence_label": nothing}

    small_bert.prepare(model, steps, learning_rate=1e-3)
    list(small_bert.train(model, batch, steps))
    return model.backbone.get_weights()


def zh_sentiment_by_labels(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy on reviews by where the encoder begins and how many labels there are."""
    devices.tune_process()
    tokenizer, sizes, news = read_newspaper("zh", config, seed)
    task, splits = loaded(config, task="classification", corpus="chinese_reviews")
    reviews = read_reviews(sizes, news, tokenizer, splits["train"], config, seed)
    length = config["lengths"]["zh"]
    test = encode(task, splits["test"], tokenizer, length)
    tuner = Tuner(task, len(tokenizer.vocabulary), sizes, config, seed)
    starts = {"scratch": tuner.fresh, "newspaper": news, "reviews": reviews}
    order = np.random.default_rng(seed).permutation(len(splits["train"]))
    figures: dict[str, Any] = {name: {} for name in (*starts, "tfidf")}
    for count, steps in config["steps_by_labels"].items():
        chosen = order if count == "all" else order[: int(count)]
        rows = [splits["train"][number] for number in chosen]
        train = encode(task, rows, tokenizer, length)
        for name, weights in starts.items():
            tuner.run(weights, train, steps)
            figures[name][count] = tuner.scores(test, splits["test"])["accuracy"]
        part = {"train": rows, "test": splits["test"]}
        figures["tfidf"][count] = bars.tfidf_logistic(part, analyzer="char")
    return figures


def by_labels_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The four parts of the claim, seed by seed."""
    values = {
        name: {count: np.array(one["values"]) for count, one in figures[name].items()}
        for name in figures
    }
    counts = list(values["scratch"])
    fewest, most = counts[0], counts[-1]
    reviews, news = (np.mean([values[n][c] for c in counts], 0) for n in ("reviews", "newspaper"))
    return {
        "1": bool((values["reviews"][fewest] >= values["scratch"][fewest] + 0.03).all()),
        "2": bool((reviews >= news).all()),
        "3": bool((values["tfidf"][fewest] > values["scratch"][fewest]).all()),
        "4": bool((values["reviews"][most] >= values["tfidf"][most]).all()),
    }


# --- en_sentiment_minilm ----------------------------------------------------------------------


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


@functools.lru_cache(maxsize=1)
def films_and_vectors(rows: int, test_rows: int, length: int):
    """The rows, their arrays, and the mean vector of each, which have no seed."""
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)
    backbone = build_backbone(checkpoint, dropout=0.0)
    splits = english_sentiment.load()
    chosen = {"train": splits["train"][: rows or None], "test": splits["test"][: test_rows or None]}
    arrays, vectors = {}, {}
    for part, some in chosen.items():
        ids = [(tokenizer.encode(row.text)[: length - 2], None) for row in some]
        arrays[part] = packing.pack_batch(ids, checkpoint.vocabulary, length)
        states = backbone.predict(arrays[part], batch_size=50, verbose=0)["sequence_output"]
        mask = arrays[part]["padding_mask"]
        vectors[part] = ops.convert_to_numpy(masked_mean(ops.array(states), mask))
    return checkpoint, chosen, arrays, vectors


def en_sentiment_minilm(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy on film reviews: MiniLM frozen and fine-tuned, and counting words."""
    from sklearn.linear_model import LogisticRegression

    devices.tune_process()
    sizes = config["rows"], config["test_rows"], config["length"]
    checkpoint, splits, arrays, vectors = films_and_vectors(*sizes)
    labels = {part: np.array([row.label for row in rows]) for part, rows in splits.items()}
    keras.utils.set_random_seed(seed)
    backbone = build_backbone(checkpoint, dropout=0.1)
    begin = backbone.get_weights()
    order = np.random.default_rng(seed).permutation(len(splits["train"]))
    figures: dict[str, Any] = {"tfidf": {}, "frozen": {}, "finetuned": {}}
    for count, steps in config["steps_by_labels"].items():
        chosen = order[: int(count)]
        part = {"train": [splits["train"][n] for n in chosen], "test": splits["test"]}
        figures["tfidf"][count] = bars.tfidf_logistic(part)
        regression = LogisticRegression(C=3.0, max_iter=2000)
        regression.fit(vectors["train"][chosen], labels["train"][chosen])
        figures["frozen"][count] = float(regression.score(vectors["test"], labels["test"]))

        keras.utils.set_random_seed(seed)
        backbone.set_weights(begin)
        model = MeanClassifier(backbone, 2)
        schedule = optimizers.WarmupLinearDecay(
            config["fine_tuning_rate"], max(1, steps // 10), steps
        )
        model.compile(
            optimizer=optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0),
            jit_compile=False,
            auto_scale_loss=False,
        )
        size = min(config["batch_size"], len(chosen))
        rng = np.random.default_rng([seed, len(chosen)])
        passes = [rng.permutation(chosen) for _ in range(steps * size // len(chosen) + 1)]
        for rows in np.concatenate(passes)[: steps * size].reshape(steps, size):
            batch = {name: array[rows] for name, array in arrays["train"].items()}
            model.train_on_batch(batch, labels["train"][rows])
        guesses = model.predict(arrays["test"], batch_size=50, verbose=0).argmax(axis=-1)
        figures["finetuned"][count] = float(np.mean(guesses == labels["test"]))
    return figures


def minilm_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(name, count):
        return np.array(figures[name][count]["values"])

    fewest, most = list(figures["frozen"])
    return {
        "1": bool((values("frozen", fewest) >= values("tfidf", fewest) + 0.05).all()),
        "2": bool((values("finetuned", most) > values("frozen", most)).all()),
        "3": bool((values("frozen", fewest) >= values("finetuned", fewest)).all()),
    }


# --- pairs_and_choices, intents_and_slots -----------------------------------------------------


def with_and_without(language: str, config: dict[str, Any], seed: int, section, length: int, steps):
    """Scores of a task from an encoder that has read a newspaper, and from scratch."""
    tokenizer, sizes, weights = read_newspaper(language, config)
    task, splits = loaded(config, **section)
    train, test = (encode(task, splits[part], tokenizer, length) for part in ("train", "test"))
    tuner = Tuner(task, len(tokenizer.vocabulary), sizes, config, seed)
    found = {}
    for name, start in (("pretrained", weights), ("scratch", tuner.fresh)):
        tuner.run(start, train, steps)
        found[name] = tuner.scores(test, splits["test"])
    return found, splits


def pairs_and_choices(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy on pairs of commands in two languages, and on multiple choice."""
    devices.tune_process()
    figures: dict[str, Any] = {}
    for language, code, analyzer in (("zh", "zh-CN", "char"), ("en", "en", "word")):
        section = {"task": "pairs", "corpus": "paraphrases", "language": code}
        found, splits = with_and_without(language, config, seed, section, 48, config["pair_steps"])
        figures[f"pairs_{language}"] = {
            **{name: scores["accuracy"] for name, scores in found.items()},
            "overlap": bars.overlap_logistic(splits, analyzer=analyzer),
        }
    section = {"task": "choices", "corpus": "generated_readings", "language": "en"}
    smaller = {**config, "batch_size": max(2, config["batch_size"] // 4)}  # four lines a row
    tokens = config["lengths"]["en"]
    found, splits = with_and_without("en", smaller, seed, section, tokens, config["choice_steps"])
    figures["choices_en"] = {
        **{name: scores["accuracy"] for name, scores in found.items()},
        "nearest": bars.tfidf_choice(splits),
    }
    return figures


def pairs_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(task, name):
        return np.array(figures[task][name]["values"])

    pairs = ("pairs_zh", "pairs_en")
    return {
        "1": all(
            bool((values(t, "pretrained") >= values(t, "overlap") + 0.03).all()) for t in pairs
        ),
        "2": all(bool((values(t, "pretrained") > values(t, "scratch")).all()) for t in pairs),
        "3": bool(
            (values("choices_en", "pretrained") >= values("choices_en", "nearest") + 0.1).all()
        ),
    }


def intents_and_slots(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Whole commands right, intents right and F1 of slots, in two languages."""
    devices.tune_process()
    figures: dict[str, Any] = {}
    chinese = {"analyzer": "char", "ngrams": (1, 3)}
    for language, code, options in (("zh", "zh-CN", chinese), ("en", "en", {})):
        section = {"task": "intents", "corpus": "intents", "language": code}
        found, splits = with_and_without(language, config, seed, section, 32, config["steps"])
        figures[language] = {
            name: {
                "frame": scores["frame_accuracy"],
                "intent": scores["intent_accuracy"],
                "slots": scores["slot_f1"],
            }
            for name, scores in found.items()
        }
        tagged = {
            part: [TaggedTokens(*row.tagged) for row in rows] for part, rows in splits.items()
        }
        figures[language]["bars"] = {
            "intent": bars.intent_logistic(splits, **options),
            "slots": bars.longest_match(tagged),
        }
    return figures


def intents_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed and in both languages."""
    parts = {"1": True, "2": True, "3": True}
    for one in figures.values():
        ours, scratch, counting = (
            {name: np.array(figure["values"]) for name, figure in one[kind].items()}
            for kind in ("pretrained", "scratch", "bars")
        )
        parts["1"] &= bool((ours["slots"] >= counting["slots"] + 0.2).all())
        parts["2"] &= bool((ours["frame"] >= scratch["frame"] + 0.03).all())
        parts["3"] &= bool((ours["frame"] <= ours["intent"] - 0.05).all())
    return parts


# --- seed_sweep -------------------------------------------------------------------------------


def seed_sweep(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy on dev and test after fine-tuning with the same labels and another seed."""
    devices.tune_process()
    tokenizer, sizes, weights = read_newspaper("zh", config)
    task, splits = loaded(config, task="classification", corpus="chinese_reviews")
    splits["dev"] = splits["dev"][: config["test_rows"] or None]
    length = config["lengths"]["zh"]
    train = encode(task, splits["train"][: config["labels"]], tokenizer, length)
    tuner = Tuner(task, len(tokenizer.vocabulary), sizes, config, seed)
    tuner.run(weights, train, config["steps"])
    return {
        part: tuner.scores(encode(task, splits[part], tokenizer, length), splits[part])["accuracy"]
        for part in ("dev", "test")
    }


def sweep_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The two parts of the claim, over all seeds."""
    dev, test = (np.array(figures[part]["values"]) for part in ("dev", "test"))
    best = dev.argmax()
    lead = {part: values[best] - values.mean() for part, values in (("dev", dev), ("test", test))}
    return {
        "1": bool(test.max() - test.min() >= 0.03),
        "2": bool(lead["dev"] >= 0.01 and lead["test"] < lead["dev"]),
    }


# --- declared ---------------------------------------------------------------------------------

COMMON = {
    "rows": 0,
    "test_rows": 1000,
    "vocabulary": 4000,
    "paragraphs": 0,
    "lengths": {"zh": 64, "en": 128},
    "hidden_dim": 64,
    "pretraining_tokens": 4096,
    "pretraining_steps": 2000,
    "fine_tuning_rate": 5e-4,
    "batch_size": 32,
}
SMALL = {
    "rows": 80,
    "test_rows": 20,
    "vocabulary": 600,
    "paragraphs": 800,  # negatives stand 200 paragraphs away
    "hidden_dim": 16,
    "pretraining_tokens": 512,
    "pretraining_steps": 3,
    "batch_size": 8,
}

EXPERIMENTS = [
    Experiment(
        id="zh_sentiment_by_labels",
        claim={
            "zh": "中文评论，同一个小 BERT，同样的步数。每个种子都有：（1）200 条标签时，读过报纸"
            "又读过评论的比从头开始的至少高 3 个百分点；（2）四种标签数平均，又读过评论的不低于"
            "只读过报纸的；（3）200 条标签时，TF-IDF 高于从头开始的；（4）用上全部标签，又读过评"
            "论的不低于 TF-IDF。",
            "en": "Chinese reviews, one small BERT, as many steps. For every seed: (1) with 200 "
            "labels the one that read a newspaper and then reviews is at least 3 points above "
            "the one from scratch; (2) averaged over the four numbers of labels, having read "
            "reviews, too, is no worse than the newspaper alone; (3) with 200 labels TF-IDF is "
            "above the one from scratch; (4) with all labels the one that read reviews, too, is "
            "no worse than TF-IDF.",
        },
        run=zh_sentiment_by_labels,
        holds=by_labels_holds,
        config={
            **COMMON,
            "review_steps": 300,
            "steps_by_labels": {"200": 60, "1000": 120, "4000": 240, "all": 430},
        },
        quick={**SMALL, "review_steps": 2, "steps_by_labels": {"20": 2, "40": 2, "all": 2}},
        minutes=24,
    ),
    Experiment(
        id="en_sentiment_minilm",
        claim={
            "zh": "英文影评。每个种子都有：（1）400 条标签时，冻住的 MiniLM 比 TF-IDF 至少高 5 个"
            "百分点；（2）4000 条标签时，微调的高于冻住的；（3）400 条标签时，冻住的不低于微调的"
            "。",
            "en": "Film reviews. For every seed: (1) with 400 labels MiniLM, frozen, is at least "
            "5 points above TF-IDF; (2) with 4000 labels the fine-tuned one is above the frozen "
            "one; (3) with 400 labels the frozen one is no worse than the fine-tuned one.",
        },
        run=en_sentiment_minilm,
        holds=minilm_holds,
        config={
            "rows": 0,
            "test_rows": 0,
            "length": 36,
            "fine_tuning_rate": 1e-4,
            "batch_size": 32,
            "steps_by_labels": {"400": 39, "4000": 125},
        },
        quick={
            "rows": 60,
            "test_rows": 20,
            "length": 16,
            "batch_size": 4,
            "steps_by_labels": {"20": 1, "40": 1},
        },
        minutes=20,
    ),
    Experiment(
        id="pairs_and_choices",
        claim={
            "zh": "小 BERT 读过一次报纸（一个种子），微调三次。每个种子都有：（1）成对的口令，两"
            "种语言里都比数重合多少的逻辑回归至少高 3 个百分点；（2）两种语言里都高于从头开始的"
            "；（3）英文选择题，比挑最像上文的答案至少高 10 个百分点。",
            "en": "A small BERT has read a newspaper once (one seed) and is fine-tuned three "
            "times. For every seed: (1) on pairs of commands it is at least 3 points above a "
            "logistic regression on overlap, in both languages; (2) it is above the one from "
            "scratch in both languages; (3) on English choices it is at least 10 points above "
            "taking the answer most like the context.",
        },
        run=pairs_and_choices,
        holds=pairs_hold,
        config={**COMMON, "test_rows": 0, "pair_steps": 400, "choice_steps": 600},
        quick={**SMALL, "pair_steps": 2, "choice_steps": 2},
        minutes=20,
    ),
    Experiment(
        id="intents_and_slots",
        claim={
            "zh": "小 BERT 读过一次报纸（一个种子），微调三次；测试的句式没有见过。每个种子、两种"
            "语言都有：（1）槽的 F1 比最长匹配至少高 0.2；（2）整句都对的比例，比从头开始的至少"
            "高 3 个百分点；（3）整句都对的比例，比意图的准确率至少低 5 个百分点。",
            "en": "A small BERT has read a newspaper once (one seed) and is fine-tuned three "
            "times; the test has templates never seen. For every seed and in both languages: "
            "(1) F1 of slots is at least 0.2 above the longest match; (2) the share of whole "
            "commands is at least 3 points above that from scratch; (3) it is at least 5 points "
            "below the accuracy of intents.",
        },
        run=intents_and_slots,
        holds=intents_hold,
        config={**COMMON, "test_rows": 0, "steps": 900},
        quick={**SMALL, "steps": 2},
        minutes=18,
    ),
    Experiment(
        id="seed_sweep",
        claim={
            "zh": "同一个读过报纸的小 BERT，同样 200 条评论，十个种子：（1）测试准确率最高与最低"
            "至少差 3 个百分点；（2）验证集最好的那一次，在验证集上比平均至少高 1 个百分点，在测"
            "试集上高得没有那么多。",
            "en": "One small BERT that has read a newspaper, the same 200 reviews, ten seeds: "
            "(1) the highest and the lowest test accuracy are at least 3 points apart; (2) the "
            "run that is best on dev is at least 1 point above the mean there, and leads by "
            "less on the test.",
        },
        run=seed_sweep,
        holds=sweep_holds,
        config={**COMMON, "labels": 200, "steps": 60},
        quick={**SMALL, "labels": 40, "steps": 2},
        seeds=tuple(range(10)),
        minutes=6,
    ),
]
