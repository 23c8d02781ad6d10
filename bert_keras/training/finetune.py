"""Fine-tune a pretrained encoder to tell positive from negative reviews."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
from tqdm import tqdm

from bert_keras.models.tasks import TextClassifier
from bert_keras.text import packing, wordpiece
from bert_keras.text.corpora import chinese_reviews
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training import baselines, checkpoints, devices, record
from bert_keras.training.config import ConfigError
from bert_keras.training.evaluate import predict
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.sections import FinetuneConfig


class ReviewBatches:
    """Reviews as packed rows, grouped by length so that little padding is computed.

    Args:
        reviews: list of `Review`.
        tokenizer: of the pretrained encoder.
        max_sequence_length: longer texts keep their head and their tail.
        bucket_width: rows are padded to a multiple of this.
    """

    def __init__(self, reviews, tokenizer, max_sequence_length: int, bucket_width: int):
        vocabulary: Vocabulary = tokenizer.vocabulary
        budget = max_sequence_length - 2  # [CLS] and [SEP]
        encoded = [
            (packing.head_and_tail(tokenizer.encode(review.text), budget), None)
            for review in reviews
        ]
        self.inputs = packing.pack_batch(encoded, vocabulary, max_sequence_length)
        self.labels = np.array([review.label for review in reviews], np.int32)  # (N,)
        lengths = self.inputs["padding_mask"].sum(axis=1)  # (N,)
        widths = -(-lengths // bucket_width) * bucket_width
        self.widths = np.minimum(widths, max_sequence_length)  # (N,)

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, rows: np.ndarray, width: int) -> dict[str, np.ndarray]:
        """The inputs of some rows, cut to `width` columns."""
        return {name: array[rows, :width] for name, array in self.inputs.items()}

    def epoch(
        self, batch_size: int, rng: np.random.Generator
    ) -> Iterator[tuple[dict[str, np.ndarray], np.ndarray]]:
        """One pass in random order, every batch of one width.

        Rows that do not fill a batch of their width join the next wider one; what is left at the
        end, fewer rows than a batch, sits this pass out.
        """
        batches, waiting = [], np.array([], int)
        for width in np.unique(self.widths):
            waiting = np.concatenate(
                [waiting, rng.permutation(np.flatnonzero(self.widths == width))]
            )
            full = len(waiting) // batch_size * batch_size
            batches += [(rows, width) for rows in waiting[:full].reshape(-1, batch_size)]
            waiting = waiting[full:]
        for number in rng.permutation(len(batches)):
            rows, width = batches[number]
            yield self.rows(rows, width), self.labels[rows]


def finetune(config: FinetuneConfig) -> dict[str, Any]:
    """Fine-tune once for each seed and compare with models that know no pretraining.

    Args:
        config: the run configuration.

    Returns:
        The run record; its `accuracy` has mean and standard deviation over the seeds on the test
        rows, next to the majority class and TF-IDF with logistic regression.

    Raises:
        CheckpointError: no pretrained encoder where the configuration says.
        CorpusError: the reviews cannot be had.
        ConfigError: sizes that do not fit together.
    """
    started = time.perf_counter()
    settings = config.training
    devices.set_precision(settings.precision)
    backbone, vocabulary, lowercase = checkpoints.load_backbone(settings.checkpoint)
    if config.data.max_sequence_length > backbone.max_sequence_length:
        raise ConfigError(
            f"data.max_sequence_length ({config.data.max_sequence_length}) exceeds what the "
            f"encoder was pretrained for ({backbone.max_sequence_length})"
        )
    reviews = chinese_reviews.load(config.data.path or None, seed=config.data.split_seed)
    if config.data.rows:
        reviews = {name: rows[: config.data.rows] for name, rows in reviews.items()}
    tokenizer = wordpiece.WordPieceTokenizer(vocabulary, lowercase)
    data = {
        name: ReviewBatches(rows, tokenizer, config.data.max_sequence_length, settings.bucket_width)
        for name, rows in reviews.items()
    }
    if len(data["train"]) < settings.batch_size:
        raise ConfigError(
            f"training.batch_size ({settings.batch_size}) exceeds the {len(data['train'])} "
            "training rows"
        )
    folder = record.start_run(config)

    runs = []
    model = None
    for number in range(settings.seeds):
        seed = config.run.seed + number
        model = _fresh_model(config, model, seed, len(data["train"]))
        runs.append(_run(config, model, data, seed, f"fine-tuning {number + 1}/{settings.seeds}"))

    test = [run["test_accuracy"] for run in runs]
    bars = baselines.classification_baselines(reviews)
    content = {
        "data": {
            "checksum": _checksum(reviews),
            "rows": {name: len(rows) for name, rows in reviews.items()},
        },
        "checkpoint": settings.checkpoint,
        "accuracy": {
            "mean": round(float(np.mean(test)), 4),
            "standard_deviation": round(float(np.std(test, ddof=1)), 4) if len(test) > 1 else None,
            "seeds": len(test),
            **bars,
        },
        "runs": runs,
    }
    return record.finish_run(folder, "finetune", config, started, content)


def _fresh_model(config: FinetuneConfig, model: TextClassifier | None, seed: int, rows: int):
    """A classifier with pretrained encoder and new head.

    For further seeds the values go into the model that exists, which is compiled already.
    """
    keras.utils.set_random_seed(seed)
    settings = config.training
    backbone, _, _ = checkpoints.load_backbone(settings.checkpoint, dropout=settings.dropout)
    fresh = TextClassifier(backbone, num_classes=2, dropout=settings.classifier_dropout)
    if model is None:
        updates = rows // settings.batch_size * settings.epochs
        fresh.compile(
            optimizer=build_optimizer(fresh, config.optimizer, total_steps=updates),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            jit_compile=settings.jit_compile,
        )
        return fresh
    for variable, value in zip(model.variables, fresh.variables, strict=True):
        variable.assign(value)
    for variable in model.optimizer.variables:
        variable.assign(keras.ops.zeros_like(variable))
    return model


def _run(config, model, data, seed: int, title: str) -> dict[str, Any]:
    settings = config.training
    rng = np.random.default_rng(seed)
    history: list[dict[str, float]] = []
    averages = record.Averages({})
    started, tokens, step = time.perf_counter(), 0, 0
    steps = len(data["train"]) // settings.batch_size * settings.epochs
    with tqdm(total=steps, desc=title, unit=" steps", file=sys.stderr, mininterval=1.0) as bar:
        for epoch in range(settings.epochs):
            for inputs, labels in data["train"].epoch(settings.batch_size, rng):
                logs = model.train_on_batch(inputs, labels, return_dict=True)
                averages.add(logs)
                step += 1
                tokens += inputs["token_ids"].size
                rate = tokens / (time.perf_counter() - started)
                bar.set_postfix_str(f"loss {float(logs['loss']):.3f}, {rate:,.0f} tokens/s", False)
                bar.update()
            history.append(
                {
                    "epoch": epoch + 1,
                    "train_loss": round(averages.take()["loss"], 4),
                    "dev_accuracy": round(_accuracy(model, data["dev"], settings.batch_size), 4),
                }
            )
    return {
        "seed": seed,
        "test_accuracy": round(_accuracy(model, data["test"], settings.batch_size), 4),
        "history": history,
        "seconds": round(time.perf_counter() - started, 1),
    }


def _accuracy(model, data: ReviewBatches, batch_size: int) -> float:
    """Share of rows whose highest logit is that of their label."""
    correct = 0
    for width in np.unique(data.widths):
        members = np.flatnonzero(data.widths == width)
        for places, logits in predict(model, data.rows(members, width), 4 * batch_size):
            guessed = np.asarray(logits)[: len(places)].argmax(axis=-1)
            correct += int((guessed == data.labels[members[places]]).sum())
    return correct / len(data)


def _checksum(reviews) -> str:
    digest = hashlib.sha256()
    for name in sorted(reviews):
        for text, label in reviews[name]:
            digest.update(f"{name}\t{label}\t{text}\n".encode())
    return digest.hexdigest()
