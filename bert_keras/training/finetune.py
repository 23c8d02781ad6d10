"""Fine-tune a pretrained encoder to tell positive from negative reviews."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keras
import numpy as np

from bert_keras.models.tasks import TextClassifier
from bert_keras.text import wordpiece
from bert_keras.text.corpora import chinese_reviews
from bert_keras.training import baselines, checkpoints, devices, distribution, loop, record
from bert_keras.training.config import ConfigError
from bert_keras.training.early_stop import EarlyStop
from bert_keras.training.encoders import EncoderSource
from bert_keras.training.evaluate import predict
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.progress import Meter, progress_bar
from bert_keras.training.reviews import ReviewBatches
from bert_keras.training.sections import FinetuneConfig
from bert_keras.training.tensorboard import ScalarLog

CLASSES = 2


def finetune(
    config: FinetuneConfig, *, resume: bool = False, force: bool = False
) -> dict[str, Any]:
    """Fine-tune once for each seed and compare with models that know no pretraining.

    A run killed at any moment and continued with `resume` ends with the same figures: seeds that
    were done are kept, and the one that was not goes on from its last checkpoint.

    Args:
        config: the run configuration.
        resume: continue from the checkpoint in the run folder.
        force: replace the run that is in the run folder.

    Returns:
        The run record; its `accuracy` has mean and standard deviation over the seeds on the test
        rows, next to the majority class and TF-IDF with logistic regression.

    Raises:
        CheckpointError: no pretrained encoder where the configuration says, or nothing to resume.
        CorpusError: the reviews cannot be had.
        ConfigError: sizes that do not fit together, or a folder that holds a run.
        NonFiniteLossError: the loss became infinite or not a number.
    """
    started = time.perf_counter()
    settings = config.training
    record.check_folder(config, resume=resume, force=force)
    devices.tune_process()
    devices.set_precision(settings.precision)
    source = EncoderSource(config, lambda: _reviews(config)["train"])
    reviews = _reviews(config)
    tokenizer = wordpiece.WordPieceTokenizer(source.vocabulary, source.lowercase)
    data = {
        name: ReviewBatches(rows, tokenizer, config.data.max_sequence_length, settings.bucket_width)
        for name, rows in reviews.items()
    }
    if len(data["train"]) < settings.batch_size:
        raise ConfigError(
            f"training.batch_size ({settings.batch_size}) exceeds the {len(data['train'])} "
            "training rows"
        )
    with distribution.scope(config.distribution) as scope:
        runs = _all_seeds(config, source, data, _checksum(reviews), scope, resume, force)
        is_main = scope.is_main
    folder = Path(config.run.directory)
    if settings.tensorboard and is_main:
        ScalarLog(folder, list(_curve_rows(runs))).close()
    test = [run["test_accuracy"] for run in runs]
    content = {
        "data": {
            "checksum": _checksum(reviews),
            "rows": {name: len(rows) for name, rows in reviews.items()},
        },
        "checkpoint": settings.checkpoint,
        "encoder": source.description,
        "accuracy": {
            **record.spread(test),
            **baselines.classification_baselines(reviews),
        },
        "runs": runs,
    }
    return record.finish_run(folder, "finetune", config, started, content, is_main)


def _all_seeds(config, source, data, checksum: str, scope, resume: bool, force: bool) -> list:
    """What came out with every seed; those that a checkpoint has are not repeated."""
    settings = config.training
    classifier = SeededClassifier(config, source, len(data["train"]))
    model = scope.adopt(classifier.model)
    progress: dict[str, Any] = {
        "data": checksum,
        "settings": record.decisive(config, ("run", "data", "model", "optimizer", "training")),
        "runs": [],
        "current": {},
    }
    best: dict[str, np.ndarray] = {}
    checkpoint = Path(config.run.directory) / record.CHECKPOINT
    if resume and checkpoint.exists():
        check = record.same_run(checkpoint, progress)
        progress, best = checkpoints.restore(checkpoint, model, model.optimizer, check)
    if scope.is_main:
        record.start_run(config, force=force)
    for number in range(len(progress["runs"]), settings.seeds):
        seed = config.run.seed + number
        if not progress["current"]:
            classifier.start(seed)
            progress["current"] = {"seed": seed, "step": 0, "history": [], "averages": {}}
        title = f"fine-tuning {number + 1}/{settings.seeds}"
        progress["runs"].append(_run(config, model, data, progress, best, title, scope))
        progress["current"], best = {}, {}
        checkpoints.save(checkpoint, model, model.optimizer, progress, write=scope.is_main)
    return progress["runs"]


class SeededClassifier:
    """One compiled classifier that can be given the first weights of any seed.

    Args:
        config: the run configuration.
        source: makes encoders.
        rows: int, training rows; they decide about the length of the schedule.
    """

    def __init__(self, config: FinetuneConfig, source: EncoderSource, rows: int):
        settings = config.training
        self.source = source
        self.dropout = settings.classifier_dropout
        self.model = self._fresh(config.run.seed)
        optimizer = build_optimizer(
            self.model,
            config.optimizer,
            total_steps=rows // settings.batch_size * settings.epochs,
            loss_scaling=settings.precision == "mixed_float16",
        )
        self.model.compile(
            optimizer=optimizer,
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            jit_compile=settings.jit_compile,
            auto_scale_loss=False,
        )
        # Keras would build the loss with a batch of the data, and on JAX lose it by that.
        self.model.compute_loss(y=np.zeros(1, np.int32), y_pred=np.zeros((1, CLASSES), np.float32))
        self._optimizer_start = [
            np.array(keras.ops.convert_to_numpy(variable.value)) for variable in optimizer.variables
        ]

    def _fresh(self, seed: int) -> TextClassifier:
        keras.utils.set_random_seed(seed)
        return TextClassifier(self.source.build(), num_classes=CLASSES, dropout=self.dropout)

    def start(self, seed: int) -> None:
        """Pretrained encoder, new head, new optimizer: as if nothing had been trained.

        Args:
            seed: int, decides about the head and about dropout.
        """
        fresh = self._fresh(seed)
        pairs = zip(_without_metrics(self.model), _without_metrics(fresh), strict=True)
        for variable, value in pairs:
            variable.assign(value)
        for variable, value in zip(
            self.model.optimizer.variables, self._optimizer_start, strict=True
        ):
            variable.assign(value)


def _without_metrics(model) -> list:
    metrics = {id(variable) for variable in model.metrics_variables}
    return [variable for variable in model.variables if id(variable) not in metrics]


def _run(config, model, data, progress, best, title: str, scope) -> dict[str, Any]:
    """Train and test with the seed that `progress` says, from where it says."""
    settings, current = config.training, progress["current"]
    train, checkpoint = data["train"], Path(config.run.directory) / record.CHECKPOINT
    # All draws of a seed come from one generator, so the order of every epoch is drawn first.
    rng = np.random.default_rng(current["seed"])
    order = [
        batch for _ in range(settings.epochs) for batch in train.epoch(settings.batch_size, rng)
    ]
    per_epoch = len(order) // settings.epochs

    def make(number: int):
        rows, width = order[number]
        return scope.shard(train.rows(rows, width)), scope.shard(train.labels[rows])

    averages = record.Averages(current["averages"])
    stopper = EarlyStop(model, settings.patience, current.setdefault("best", {}), best)
    started = time.perf_counter()
    with progress_bar(title, "steps", len(order), current["step"]) as bar:
        for stretch in loop.stretches(
            model,
            make,
            Meter(bar),
            step=current["step"],
            total=current["step"] if stopper.stopped else len(order),
            every=(settings.log_every, settings.checkpoint_every, per_epoch),
            widths_vary=lambda number: len(np.unique(train.widths)) > 1,
        ):
            step = current["step"] = stretch.step
            averages.add(stretch.logs, stretch.count)
            if step % per_epoch == 0:
                accuracy = _accuracy(scope.local(model), data["dev"], settings.batch_size)
                stopper.look(step, scope.agree(-accuracy))
                row = {
                    "epoch": step // per_epoch,
                    "train_loss": round(averages.take()["loss"], 4),
                    "dev_accuracy": round(accuracy, 4),
                }
                current["history"].append(row)
            every = settings.checkpoint_every
            if every and (step % per_epoch == 0 or step % every == 0):
                checkpoints.save(
                    checkpoint, model, model.optimizer, progress, stopper.best, scope.is_main
                )
            if stopper.stopped:
                break
    stopper.take_best()
    accuracy = _accuracy(scope.local(model), data["test"], settings.batch_size)
    return {
        "seed": current["seed"],
        "steps": current["step"],
        "test_accuracy": round(accuracy, 4),
        "history": current["history"],
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


def _reviews(config: FinetuneConfig) -> dict[str, list]:
    reviews = chinese_reviews.load(config.data.path or None, seed=config.data.split_seed)
    if config.data.rows:
        reviews = {name: rows[: config.data.rows] for name, rows in reviews.items()}
    return reviews


def _curve_rows(runs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for run in runs:
        for row in run["history"]:
            yield {
                "step": row["epoch"],
                f"seed_{run['seed']}/train_loss": row["train_loss"],
                f"seed_{run['seed']}/dev_accuracy": row["dev_accuracy"],
            }


def _checksum(reviews) -> str:
    digest = hashlib.sha256()
    for name in sorted(reviews):
        for text, label in reviews[name]:
            digest.update(f"{name}\t{label}\t{text}\n".encode())
    return digest.hexdigest()
