"""Stored experiments of chapter 6b: names in a newspaper, answers in a text, who "it" is."""

from __future__ import annotations

import functools
import tempfile
from typing import Any

import keras
import numpy as np

from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.experiments import Experiment
from bert_keras.text import answer_windows
from bert_keras.text.corpora import bars, question_answering
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize
from bert_keras.training import devices, small_tasks
from bert_keras.training.evaluate import predict
from bert_keras.training.small_tasks import encode
from bert_keras.training.tasks.batches import TaskBatches
from bert_keras.training.tasks.tagging import TagReader

# --- what all of them share -------------------------------------------------------------------

# The sizes on which pretraining depends.
PRETRAINING = ("vocabulary", "paragraphs", "hidden_dim", "pretraining_tokens", "pretraining_steps")


def read_newspaper(language: str, config: dict[str, Any], length: int):
    """A small BERT that has read a newspaper, with one seed: tokenizer, sizes, weights."""
    sizes = {name: config[name] for name in PRETRAINING}
    return small_tasks.read_newspaper(language, length=length, **sizes)


def tuned(task, backbone, train: TaskBatches, steps: int, rate: float, size: int, seed: int):
    """A model of a task, fine-tuned from what the backbone is now."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng([seed, len(train)])
    options = {"steps": steps, "rate": rate, "batch_size": size, "beta_2": 0.98}
    return small_tasks.fine_tune(task, backbone, train, rng=rng, **options)


# --- ner_span_f1 ------------------------------------------------------------------------------


def ner_span_f1(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """F1 of names by where the encoder begins, by how it is read, and by labels."""
    devices.tune_process()
    length = config["lengths"]["zh"]
    tokenizer, sizes, news = read_newspaper("zh", config, length)
    counts = config["rows"], config["test_rows"]
    task, splits = small_tasks.load(*counts, task="tagging", corpus="named_entities")
    test_rows = splits["test"]
    test = encode(task, test_rows, tokenizer, length)
    readers = {
        name: TagReader((row.tags for row in splits["train"]), legal=name == "legal")
        for name in ("apart", "legal")
    }
    order = np.random.default_rng(seed).permutation(len(splits["train"]))
    figures: dict[str, Any] = {}
    for count, steps in config["steps_by_labels"].items():
        rows = [splits["train"][number] for number in order[: int(count)]]
        train = encode(task, rows, tokenizer, length)
        known = bars.longest_match({"train": rows, "test": test_rows})
        figures[count] = {"dictionary": {"legal": known}}
        for start in ("scratch", "pretrained"):
            backbone = small_tasks.fresh_backbone(len(tokenizer.vocabulary), sizes, seed)
            if start == "pretrained":
                backbone.set_weights(news)
            model = tuned(task, backbone, train, steps, config["rate"], config["batch_size"], seed)
            found: dict[str, float] = {}
            for name, reader in readers.items():
                task.reader = reader
                scores = task.scores(task.answers(model, test, test_rows, 128), test_rows)
                found[name] = scores["f1"]
                if name == "apart":
                    found["words"] = scores["word_accuracy"]
            figures[count][start] = found
    return figures


def ner_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The four parts of the claim, seed by seed."""

    def values(count, start, name):
        return np.array(figures[count][start][name]["values"])

    counts = list(figures)
    most = counts[-1]
    return {
        "1": all(
            bool((values(c, "pretrained", "legal") > values(c, "scratch", "legal")).all())
            for c in counts
        ),
        "2": bool(
            (values(most, "pretrained", "legal") > values(most, "dictionary", "legal")).all()
        ),
        "3": all(
            bool((values(c, start, "legal") >= values(c, start, "apart")).all())
            for c in counts
            for start in ("scratch", "pretrained")
        ),
        "4": all(
            bool((values(c, start, "words") >= values(c, start, "apart") + 0.1).all())
            for c in counts
            for start in ("scratch", "pretrained")
        ),
    }


# --- cloze_qa ---------------------------------------------------------------------------------

MAX_ANSWER = 16  # tokens


def illegal_share(model, data: TaskBatches, max_answer: int) -> float:
    """In which share of the windows the two highest ends are no legal span, [CLS] left out."""
    illegal = []
    for members, width in data.by_width():
        for places, found in predict(model, data.inputs(members, width), 128):
            kept = np.asarray(found)[: len(places)]  # the last batch is filled up
            for number, (start, end) in zip(members[places], kept, strict=True):
                window: answer_windows.Window = data.encoded.notes[number][1]
                first, last = int(start[1:].argmax()) + 1, int(end[1:].argmax()) + 1
                stop = window.offset + window.end - window.start
                inside = window.offset <= first < stop and window.offset <= last < stop
                illegal.append(not inside or not 0 <= last - first < max_answer)
    return float(np.mean(illegal))


def cloze_qa(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Answers found in texts by a small BERT that has read a newspaper."""
    devices.tune_process()
    figures: dict[str, Any] = {}
    for language in ("zh", "en"):
        # Both read rows of one length, so the positions of either go as far.
        length = config["lengths"]["en"]
        tokenizer, sizes, news = read_newspaper(language, config, length)
        task, splits = small_tasks.load(
            config["rows"],
            config["test_rows"],
            task="spans",
            corpus="question_answering",
            language=language,
            stride=config["stride"],
            max_answer=MAX_ANSWER,
        )
        test_rows = splits["test"]
        train = encode(task, splits["train"], tokenizer, length)
        test = encode(task, test_rows, tokenizer, length)
        backbone = small_tasks.fresh_backbone(len(tokenizer.vocabulary), sizes, seed)
        backbone.set_weights(news)
        size, steps = config["batch_size"], config["steps"]
        model = tuned(task, backbone, train, steps, config["rate"], size, seed)
        scores = task.scores(task.answers(model, test, test_rows, 128), test_rows)
        looked_up = bars.exact_matches({"test": test_rows}, question_answering.match_question)
        figures[language] = {
            "exact": scores["exact"],
            "f1": scores["f1"],
            "looked_up": looked_up,
            "illegal": illegal_share(model, test, MAX_ANSWER),
        }
    return figures


def cloze_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed and in both languages."""
    parts = {"1": True, "2": True, "3": True}
    for one in figures.values():
        exact, f1, looked_up, illegal = (
            np.array(one[name]["values"]) for name in ("exact", "f1", "looked_up", "illegal")
        )
        parts["1"] &= bool((exact > looked_up).all())
        parts["2"] &= bool((f1 >= exact + 0.05).all())
        parts["3"] &= bool((illegal >= 0.02).all())
    return parts


# --- reference_resolution ---------------------------------------------------------------------


@functools.lru_cache(maxsize=1)
def packaged_minilm():
    """The packaged checkpoint."""
    with tempfile.TemporaryDirectory() as folder:
        return minilm.load(folder)


def reference_resolution(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy of who "it" is, by language, by labels, and with MiniLM."""
    devices.tune_process()
    figures: dict[str, Any] = {}
    for language in ("zh", "en"):
        counts = config["rows"], config["test_rows"]
        task, splits = small_tasks.load(
            *counts, task="coreference", corpus="referent", language=language
        )
        test_rows = splits["test"]
        texts = (" ".join(row.tokens) for part in splits.values() for row in part)
        known = {piece for text in texts for piece in basic_tokenize(text)}
        tokenizer = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, *sorted(known)]))
        length = config["length"]
        test = encode(task, test_rows, tokenizer, length)
        sizes = {"hidden_dim": config["hidden_dim"], "max_sequence_length": length}
        order = np.random.default_rng(seed).permutation(len(splits["train"]))
        figures[language] = {
            "words": task.bars({**splits, "test": test_rows})["tfidf_logistic_regression"]()
        }
        for count, steps in config["steps_by_labels"].items():
            rows = [splits["train"][number] for number in order[: int(count)]]
            train = encode(task, rows, tokenizer, length)
            backbone = small_tasks.fresh_backbone(len(tokenizer.vocabulary), sizes, seed)
            model = tuned(task, backbone, train, steps, config["rate"], config["batch_size"], seed)
            scores = task.scores(task.answers(model, test, test_rows, 128), test_rows)
            figures[language][count] = scores["accuracy"]
        if language == "en":
            count, steps = config["minilm"]
            checkpoint = packaged_minilm()
            reader = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)
            rows = [splits["train"][number] for number in order[:count]]
            train, test = (encode(task, some, reader, length) for some in (rows, test_rows))
            backbone = build_backbone(checkpoint, dropout=0.1)
            model = tuned(task, backbone, train, steps, config["minilm_rate"], 16, seed)
            scores = task.scores(task.answers(model, test, test_rows, 64), test_rows)
            figures[language][f"minilm_{count}"] = scores["accuracy"]
    return figures


def reference_holds(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(language, name):
        return np.array(figures[language][name]["values"])

    few, many = [name for name in figures["zh"] if name != "words"]
    with_minilm = next(name for name in figures["en"] if name.startswith("minilm"))
    return {
        "1": all(bool((np.abs(values(one, "words") - 0.5) <= 0.06).all()) for one in figures),
        "2": all(bool((values(one, many) >= 0.8).all()) for one in figures),
        "3": bool((values("en", with_minilm) >= values("en", few) + 0.1).all()),
    }


# --- declared ---------------------------------------------------------------------------------

COMMON = {
    "rows": 0,
    "vocabulary": 4000,
    "paragraphs": 0,
    "lengths": {"zh": 64, "en": 128},
    "hidden_dim": 64,
    "pretraining_tokens": 4096,
    "pretraining_steps": 3000,
    "rate": 2e-3,
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
        id="ner_span_f1",
        claim={
            "zh": "《人民日报》里的名字，小 BERT 读过一次报纸（一个种子），微调三次。每个种子都有："
            "（1）2000 句和 8000 句标签时，读过报纸的 F1 都高于从头开始的；（2）8000 句时，读过报纸"
            "的高于同样那些句子记成的词典；（3）四种情形下，只走合法的路都不低于逐个取最高；（4）四"
            "种情形下，字的准确率都比名字的 F1 至少高 0.1。",
            "en": "Names in People's Daily; a small BERT has read the newspaper once (one seed) "
            "and is fine-tuned three times. For every seed: (1) with 2000 and with 8000 labelled "
            "sentences the F1 of the one that read is above that from scratch; (2) with 8000 it "
            "is above the dictionary made of the same sentences; (3) in all four cases legal "
            "paths are no worse than the best tag at each place; (4) in all four cases accuracy "
            "of characters is at least 0.1 above the F1 of names.",
        },
        run=ner_span_f1,
        holds=ner_holds,
        config={**COMMON, "test_rows": 1500, "steps_by_labels": {"2000": 400, "8000": 1000}},
        quick={**SMALL, "steps_by_labels": {"20": 2, "40": 2}},
        minutes=18,
    ),
    Experiment(
        id="cloze_qa",
        claim={
            "zh": "造出来的填空题，小 BERT 读过一次报纸（一个种子），微调三次。每个种子、两种语言都"
            "有：（1）完全答对的比例，高于把问题在文章里照原样查；（2）词的 F1 比完全答对的比例至"
            "少高 0.05；（3）开头结尾各取最高分，至少 2 % 的窗里不合法。",
            "en": "Made cloze questions; a small BERT has read a newspaper once (one seed) and is "
            "fine-tuned three times. For every seed and in both languages: (1) the share of "
            "exact answers is above looking the question up as it stands; (2) F1 of words is at "
            "least 0.05 above the share of exact answers; (3) with each end by itself at least "
            "2 % of the windows have no legal span.",
        },
        run=cloze_qa,
        holds=cloze_holds,
        config={**COMMON, "test_rows": 600, "stride": 48, "steps": 1500},
        quick={**SMALL, "stride": 48, "steps": 2},
        minutes=20,
    ),
    Experiment(
        id="reference_resolution",
        claim={
            "zh": "“它”是谁，正确答案的搭配训练时没有见过。每个种子都有：（1）数词的逻辑回归离一半"
            "不超过 6 个百分点，两种语言都是；（2）4000 句标签时，从头开始的小 BERT 至少对 80 %，"
            "两种语言都是；（3）英文 512 句时，MiniLM 比从头开始的至少高 10 个百分点。",
            "en": 'Who "it" is, where the right noun and its adjective were never a pair in '
            "training. For every seed: (1) a logistic regression on words is within 6 points of "
            "one half, in both languages; (2) with 4000 labelled sentences a small BERT from "
            "scratch is right for at least 80 %, in both languages; (3) with 512 English "
            "sentences MiniLM is at least 10 points above the one from scratch.",
        },
        run=reference_resolution,
        holds=reference_holds,
        config={
            "rows": 0,
            "test_rows": 500,
            "length": 32,
            "hidden_dim": 64,
            "rate": 3e-3,
            "batch_size": 64,
            "steps_by_labels": {"512": 200, "4000": 500},
            "minilm": [512, 96],
            "minilm_rate": 1e-4,
        },
        quick={
            "rows": 64,
            "test_rows": 20,
            "hidden_dim": 16,
            "batch_size": 8,
            "steps_by_labels": {"16": 2, "32": 2},
            "minilm": [16, 1],
        },
        minutes=9,
    ),
]
