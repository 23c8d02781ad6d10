"""Stored experiments of chapter 4b: few labels, senses by layer, perplexities."""

from __future__ import annotations

import functools
import json
from typing import Any

import keras
import numpy as np

from bert_keras.analysis import pseudo_words
from bert_keras.experiments import Experiment
from bert_keras.models.elmo import ElmoLanguageModel
from bert_keras.models.gpt import GPTBackbone, GPTLanguageModel
from bert_keras.models.gpt_pieces import gpt_finetune_loss, last_real
from bert_keras.text import contexts
from bert_keras.text.corpora import chinese_reviews, news_words
from bert_keras.text.task_inputs import Marks, classification_input, pad_task_inputs
from bert_keras.training import config as configuration
from bert_keras.training import devices, language, language_data, logged
from bert_keras.training.language_sections import LanguageConfig
from bert_keras.training.sequence_data import vocabulary_of


def rising_and_falling(rate: float, steps: int):
    """An optimizer whose rate rises over the first tenth of the steps and then falls to zero."""
    schedule = keras.optimizers.schedules.CosineDecay(
        0.0, max(1, steps - steps // 10), warmup_target=rate, warmup_steps=max(1, steps // 10)
    )
    return keras.optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0)


def pretrain(model, sequences, config: dict[str, Any], seed: int, name: str = "steps"):
    """Train a language model on sequences of ids, [BOS] first and [EOS] last."""
    batches = language_data.LanguageBatches(
        sequences, config["batch_size"], 16, config["max_length"], seed
    )
    steps = config[name]
    model.compile(optimizer=rising_and_falling(config["learning_rate"], steps))
    for number in range(steps):
        model.train_on_batch(*batches.batch(number))
    return batches


def gpt(vocabulary_size: int, config: dict[str, Any]) -> GPTLanguageModel:
    """A small GPT, its dropout included."""
    size = config["hidden_dim"]
    return GPTLanguageModel(
        GPTBackbone(
            vocabulary_size,
            config["num_layers"],
            4,
            size,
            4 * size,
            max_sequence_length=config["max_length"],
            dropout=config["dropout"],
        )
    )


# --- gpt_few_labels ---------------------------------------------------------------------------


class GPTClassifier(keras.Model):
    """A language model and a linear map at the last token, with the loss of fine-tuning."""

    def __init__(self, language_model, num_classes):
        super().__init__()
        self.language_model = language_model
        self.class_dense = keras.layers.Dense(num_classes)
        # A variable, so that another weight compiles nothing anew.
        self.lm_weight = self.add_weight(shape=(), initializer="zeros", trainable=False)

    def call(self, inputs):
        backbone = self.language_model.backbone
        states = backbone(inputs)  # (B, T, D)
        class_logits = self.class_dense(last_real(states, inputs["padding_mask"]))
        return class_logits, backbone.score_tokens(states)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        class_logits, lm_logits = y_pred
        texts = x["token_ids"], x["padding_mask"]
        return gpt_finetune_loss(class_logits, y, lm_logits, *texts, lm_weight=self.lm_weight)


def gpt_few_labels(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Accuracy on reviews, pretrained or not, with the side job or without, by labels."""
    devices.tune_process()
    reviews = chinese_reviews.load()
    train = reviews["train"][: config["rows"] or None]
    test = reviews["test"][: config["test_rows"]]
    vocabulary = vocabulary_of((row.text for row in train), config["minimum_count"])
    begin, end, unknown = (vocabulary[mark] for mark in ("[BOS]", "[EOS]", "[UNK]"))
    marks = Marks(begin, len(vocabulary), len(vocabulary))  # one more row, for [EXTRACT]

    def ids_of(row):
        return [vocabulary.get(character, unknown) for character in row.text]

    def arrays(rows):
        length = config["max_length"]
        lines = [classification_input(ids_of(row), marks, length) for row in rows]
        return pad_task_inputs(lines, length=length), np.array([row.label for row in rows])

    keras.utils.set_random_seed(seed)
    model = gpt(len(vocabulary) + 1, config)
    fresh = model.get_weights()
    sequences = [np.array([begin, *ids_of(row), end], np.int32) for row in train]
    batches = pretrain(model, sequences, config, seed)
    held_out = [np.array([begin, *ids_of(row), end], np.int32) for row in test]
    found = language.perplexities(model, batches, held_out)
    pretrained = model.get_weights()

    classifier = GPTClassifier(model, 2)
    inputs, labels = arrays(train)
    test_inputs, test_labels = arrays(test)
    classifier({name: array[:1] for name, array in inputs.items()})
    head = classifier.class_dense.get_weights()
    # One optimizer for all runs, set back before each: nothing is compiled twice.
    optimizer = keras.optimizers.AdamW(
        config["fine_tuning_rate"], weight_decay=0.01, global_clipnorm=1.0
    )
    classifier.compile(optimizer=optimizer, jit_compile=True)
    optimizer.build(classifier.trainable_variables)
    untouched = [np.array(variable) for variable in optimizer.variables]
    order = np.random.default_rng(seed).permutation(len(train))
    figures: dict[str, Any] = {}
    for start, weights in (("pretrained", pretrained), ("scratch", fresh)):
        for name, lm_weight in ((f"{start}_lm", 0.5), (start, 0.0)):
            classifier.lm_weight.assign(lm_weight)
            for count, steps in config["steps_by_labels"].items():
                model.set_weights(weights)
                classifier.class_dense.set_weights(head)
                for variable, value in zip(optimizer.variables, untouched, strict=True):
                    variable.assign(value)
                rows = order[: int(count)]
                fine_tune(classifier, inputs, labels, rows, steps, config["batch_size"], seed)
                guesses = classifier.predict(test_inputs, batch_size=50, verbose=0)[0]
                right = guesses.argmax(axis=1) == test_labels
                figures.setdefault(name, {})[count] = float(np.mean(right))
    return {**figures, "language_model": found}


def fine_tune(classifier, inputs, labels, rows, steps, size, seed):
    """Train on some rows, over and over, in another order every time."""
    rng = np.random.default_rng([seed, len(rows)])
    passes = [rng.permutation(rows) for _ in range(steps * size // len(rows) + 1)]
    for chosen in np.concatenate(passes)[: steps * size].reshape(steps, size):
        batch = {name: array[chosen] for name, array in inputs.items()}
        classifier.train_on_batch(batch, labels[chosen])


def few_labels_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def values(name, count):
        return np.array(figures[name][count]["values"])

    counts = list(figures["scratch"])
    fewest, most = min(counts, key=int), max(counts, key=int)
    lead = {n: values("pretrained_lm", n) - values("scratch_lm", n) for n in (fewest, most)}
    side_job = np.mean([values("pretrained_lm", n) - values("pretrained", n) for n in counts], 0)
    return {
        "1": bool((lead[fewest] >= 0.05).all()),
        "2": bool((lead[most] < lead[fewest]).all()),
        "3": bool((side_job >= 0).all()),
    }


FEW_LABELS = {
    "rows": 0,
    "test_rows": 1000,
    "minimum_count": 10,
    "max_length": 64,
    "num_layers": 2,
    "hidden_dim": 128,
    "dropout": 0.1,
    "batch_size": 32,
    "steps": 1200,
    "learning_rate": 2e-3,
    "fine_tuning_rate": 5e-4,
    "steps_by_labels": {"100": 60, "400": 120, "1600": 240},
}


# --- senses_static_elmo_gpt -------------------------------------------------------------------


def senses_static_elmo_gpt(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """How often a linear probe tells the two senses of a pseudo-word, by model and layer."""
    devices.tune_process()
    rng = np.random.default_rng(seed)
    news = news_words.load("zh")
    known = contexts.frequent_words(news["train"], config["vocabulary"])
    count = len(known) + config["pairs"]  # then [BOS] and [EOS]

    def numbered(sentences, limit):
        encoded = [ids for ids in contexts.encode_known(sentences, known) if len(ids) > 2]
        longest = config["max_length"] - 2
        return [np.array([count, *ids[:longest], count + 1], np.int32) for ids in encoded[:limit]]

    train = numbered(news["train"], config["sentences"])
    test = numbered(news["dev"] + news["test"], config["sentences"])
    counts = np.bincount(np.concatenate(train), minlength=count + 2)
    pairs = contexts.similar_pairs(counts, *config["ranks"], config["pairs"], rng)
    places = {
        "train": pseudo_words.find_places(train, pairs, config["per_sense"], rng),
        "test": pseudo_words.find_places(test, pairs, config["per_sense"], rng),
    }
    merged = {"train": merge(train, pairs, len(known)), "test": merge(test, pairs, len(known))}

    keras.utils.set_random_seed(seed)
    elmo = ElmoLanguageModel(count + 2, 2, config["hidden_dim"], config["dropout"])
    pretrain(elmo, merged["train"], config, seed, "elmo_steps")
    of_gpt = gpt(count + 2, config)
    pretrain(of_gpt, merged["train"], config, seed)

    def inputs_of(token_ids, mask):
        return {"token_ids": token_ids, "padding_mask": mask}

    def read_elmo(token_ids, mask):
        return elmo.features(inputs_of(token_ids, mask))

    def read_forward(token_ids, mask):
        embedded, forward, _ = elmo.all_states(inputs_of(token_ids, mask))
        return [embedded, *forward]

    def read_gpt(token_ids, mask):
        return of_gpt.backbone.all_states(inputs_of(token_ids, mask))["hidden_states"]

    def read_table(token_ids, mask):
        return [of_gpt.backbone.token_embedding(token_ids)]

    def shares(read):
        found = {
            part: pseudo_words.vectors_at(read, merged[part], places[part])
            for part in ("train", "test")
        }
        return [
            float(np.mean(pseudo_words.sense_accuracy(x, places["train"], y, places["test"])))
            for x, y in zip(found["train"], found["test"], strict=True)
        ]

    names = ("embedding", "layer_1", "layer_2")
    readers = {"elmo": read_elmo, "elmo_forward": read_forward, "gpt": read_gpt}
    figures = {name: dict(zip(names, shares(read), strict=True)) for name, read in readers.items()}
    return {"static": shares(read_table)[0], **figures}


def merge(sentences, pairs, first_new):
    """Sentences with pseudo-words; ids that stand for no word are left as they are."""
    words = contexts.merge_words(
        [np.where(ids < first_new, ids, 0) for ids in sentences], pairs, first_new
    )
    return [
        np.where(ids < first_new, new, ids).astype(np.int32)
        for ids, new in zip(sentences, words, strict=True)
    ]


def senses_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The three parts of the claim, seed by seed."""

    def best(name):
        layers = ("layer_1", "layer_2")
        return np.max([figures[name][layer]["values"] for layer in layers], axis=0)

    static = np.array(figures["static"]["values"])
    return {
        "1": bool((best("gpt") >= static + 0.1).all() and (best("elmo") >= static + 0.1).all()),
        "2": bool((best("elmo") > best("gpt")).all()),
        "3": bool((np.abs(best("gpt") - best("elmo_forward")) < 0.05).all()),
    }


SENSES = {
    "vocabulary": 3000,
    "sentences": 25_000,
    "ranks": [100, 800],
    "pairs": 40,
    "per_sense": 60,
    "max_length": 48,
    "num_layers": 2,
    "hidden_dim": 128,
    "dropout": 0.1,
    "batch_size": 32,
    "steps": 800,
    "elmo_steps": 800,
    "learning_rate": 2e-3,
}


# --- perplexity_of_language_models ------------------------------------------------------------

CHARACTERS = {
    "text.corpus": "peoples_daily",
    "text.minimum_count": 5,
    "model.hidden_dim": 192,
    "model.intermediate_dim": 768,
    "model.max_sequence_length": 64,
    "optimizer.learning_rate": 2e-3,
    "optimizer.warmup_share": 0.1,
    "training.bucket_width": 32,
    "training.checkpoint_every": 0,
}
STEPS = {"gpt": 900, "elmo": 500}


def perplexity_of_language_models(seed: int, config: dict[str, Any]) -> dict[str, Any]:
    """Perplexity of a character for two models and for counting, on the same characters."""
    devices.tune_process()
    figures: dict[str, Any] = {}
    for kind, name in (("gpt", "gpt"), ("elmo", "elmo_forward")):
        settings = {
            **config["settings"],
            "model.kind": kind,
            "training.steps": config["steps"][kind],
            "run.seed": seed,
        }
        run = configuration.filled(LanguageConfig, settings)
        data = text_of(json.dumps({**config["settings"]}))
        model = language.build_model(run, data)
        batches = language.batches_of(run, data)
        progress = logged.fresh_progress()
        logged.fit(model, batches.batch, run.training, progress, dict, lambda: None)
        found = language.perplexities(model, batches, data.splits["test"])
        figures[name] = {**found, "train_seconds": progress["seconds"]}
    return {**figures, "ngram": {"perplexity": counted(json.dumps({**config["settings"]}))}}


@functools.lru_cache(maxsize=1)
def text_of(settings: str):
    """The text, read once for all models and seeds."""
    return language_data.load(configuration.filled(LanguageConfig, json.loads(settings)).text)


@functools.lru_cache(maxsize=1)
def counted(settings: str) -> float:
    """What counting reaches, which has no seed."""
    return language_data.ngram_perplexity(text_of(settings))


def perplexities_hold(figures: dict[str, Any]) -> dict[str, bool]:
    """The two parts of the claim, seed by seed."""
    ours, elmo, counting = (
        np.array(figures[name]["perplexity"]["values"]) for name in ("gpt", "elmo_forward", "ngram")
    )
    return {
        "1": bool((ours > counting).all() and (elmo > counting).all()),
        "2": bool((ours < elmo).all()),
    }


EXPERIMENTS = [
    Experiment(
        id="gpt_few_labels",
        claim={
            "zh": "中文评论，同一个小 GPT，步数相同。每个种子都有：（1）只有 100 条标签时，预训"
            "练过的（λ = 0.5）比从头开始的（λ = 0.5）准确率至少高 5 个百分点；（2）标签多到 "
            "1600 条，这个差距比 100 条时小；（3）预训练过的，λ = 0.5 在三种标签数上的平均准"
            "确率不低于 λ = 0。",
            "en": "Chinese reviews, one small GPT, as many steps. For every seed: (1) with 100 "
            "labels the pretrained one (λ = 0.5) is at least 5 points of accuracy above the one "
            "from scratch (λ = 0.5); (2) with 1600 labels that lead is smaller than with 100; "
            "(3) of the pretrained ones, λ = 0.5 is no worse than λ = 0, averaged over the three "
            "numbers of labels.",
        },
        run=gpt_few_labels,
        holds=few_labels_hold,
        config=FEW_LABELS,
        quick={
            "rows": 300,
            "test_rows": 50,
            "max_length": 32,
            "hidden_dim": 16,
            "batch_size": 10,
            "steps": 4,
            "steps_by_labels": {"20": 2, "100": 2},
        },
        minutes=22,
    ),
    Experiment(
        id="senses_static_elmo_gpt",
        claim={
            "zh": "中文新闻里的 40 个伪词。每个种子都有：（1）ELMo 和 GPT 最好的一层，认对词义的"
            "比例比静态向量至少高 0.1；（2）ELMo 最好的一层高于 GPT 最好的一层，因为它两边都"
            "看；（3）只看左边的两个，GPT 与 ELMo 的正向，最好的一层相差不到 0.05。",
            "en": "Forty pseudo-words in Chinese news. For every seed: (1) the best layer of ELMo "
            "and that of GPT tell the sense at least 0.1 more often than static vectors; (2) "
            "ELMo's best layer is above GPT's, since it sees both sides; (3) of the two that see "
            "the left side only, GPT and ELMo's forward direction, the best layers are less than "
            "0.05 apart.",
        },
        run=senses_static_elmo_gpt,
        holds=senses_hold,
        config=SENSES,
        quick={
            "vocabulary": 300,
            "sentences": 400,
            "ranks": [20, 100],
            "pairs": 5,
            "per_sense": 8,
            "max_length": 16,
            "hidden_dim": 16,
            "batch_size": 8,
            "steps": 3,
            "elmo_steps": 3,
        },
        minutes=15,
    ),
    Experiment(
        id="perplexity_of_language_models",
        claim={
            "zh": "中文报纸，一个字一个词元，各训练几分钟。每个种子都有：（1）GPT 和 ELMo 的正向"
            "语言模型，困惑度都还高于三元模型；（2）GPT 低于 ELMo 的正向。",
            "en": "A Chinese newspaper by characters, a few minutes of training each. For every "
            "seed: (1) GPT and ELMo's forward language model still have a higher perplexity than "
            "the trigram; (2) GPT's is lower than that of ELMo's forward direction.",
        },
        run=perplexity_of_language_models,
        holds=perplexities_hold,
        config={"settings": CHARACTERS, "steps": STEPS},
        quick={
            "settings": {
                **CHARACTERS,
                "text.rows": 300,
                "text.test_rows": 40,
                "model.hidden_dim": 16,
                "model.intermediate_dim": 16,
                "training.batch_size": 8,
            },
            "steps": {"gpt": 3, "elmo": 3},
        },
        minutes=20,
    ),
]
