"""Fine-tune a pretrained encoder on a task."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np

from bert_keras.models.task_base import TaskModel
from bert_keras.text import wordpiece
from bert_keras.training import (
    checkpoints,
    devices,
    distribution,
    files,
    loop,
    predictor,
    record,
    tasks,
)
from bert_keras.training.config import ConfigError
from bert_keras.training.early_stop import EarlyStop
from bert_keras.training.encoders import EncoderSource
from bert_keras.training.finetune_sections import FinetuneConfig
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.progress import Meter, progress_bar
from bert_keras.training.tasks.base import Task, measured
from bert_keras.training.tasks.batches import TaskBatches
from bert_keras.training.tensorboard import ScalarLog


def finetune(
    config: FinetuneConfig, *, resume: bool = False, force: bool = False
) -> dict[str, Any]:
    """Fine-tune once for each seed and compare with models that know no pretraining.

    A run killed at any moment and continued with `resume` ends with the same figures: seeds that
    were done are kept, and the one that was not goes on from its last checkpoint.

    The run folder receives a file of predictions on the test split for every seed, and the model
    of the seed that was best on the dev split, for `bert_keras.training.predictor`.

    Args:
        config: the run configuration.
        resume: continue from the checkpoint in the run folder.
        force: replace the run that is in the run folder.

    Returns:
        The run record; its `scores` have mean and standard deviation over the seeds on the test
        split, its `baselines` what simple models reach there, `baseline_measures` by which score,
        and `measure` is the name of the score that decides.

    Raises:
        CheckpointError: no pretrained encoder where the configuration says, or nothing to resume.
        CorpusError: the rows cannot be had.
        ConfigError: sizes that do not fit together, or a folder that holds a run.
        NonFiniteLossError: the loss became infinite or not a number.
    """
    started = time.perf_counter()
    settings = config.training
    record.check_folder(config, resume=resume, force=force)
    devices.tune_process()
    devices.set_precision(settings.precision)
    task, splits = tasks.load(config.data)
    source = EncoderSource(config, lambda: task.texts(splits["train"]))
    tokenizer = wordpiece.WordPieceTokenizer(source.vocabulary, source.lowercase)
    data = {
        name: TaskBatches(
            task.encode(rows, tokenizer, config.data.max_sequence_length), settings.bucket_width
        )
        for name, rows in splits.items()
    }
    if len(data["train"]) < settings.batch_size:
        raise ConfigError(
            f"training.batch_size ({settings.batch_size}) exceeds the {len(data['train'])} "
            "training rows"
        )
    checksum = _checksum(splits)
    with distribution.scope(config.distribution) as scope:
        run = _Run(config, task, splits, data, scope, source)
        runs = _all_seeds(run, checksum, resume, force)
        is_main = scope.is_main
    folder = Path(config.run.directory)
    bars = measured(task.bars(splits)) if is_main else {}
    if settings.tensorboard and is_main:
        ScalarLog(folder, list(_curve_rows(runs))).close()
    content = {
        "task": config.data.task,
        "data": {
            "checksum": checksum,
            "rows": {name: len(rows) for name, rows in splits.items()},
        },
        "checkpoint": settings.checkpoint,
        "encoder": source.description,
        "measure": task.measure,
        "scores": {
            name: record.spread([run["test"][name] for run in runs]) for name in runs[0]["test"]
        },
        "baselines": bars,
        "baseline_measures": {name: task.bar_measures.get(name, task.measure) for name in bars},
        "runs": runs,
    }
    return record.finish_run(folder, "finetune", config, started, content, is_main)


class _Run(NamedTuple):
    """What stays the same over the seeds."""

    config: FinetuneConfig
    task: Task
    splits: dict[str, list]
    data: dict[str, TaskBatches]
    scope: Any
    source: EncoderSource


def _all_seeds(run: _Run, checksum: str, resume: bool, force: bool) -> list:
    """What came out with every seed; those that a checkpoint has are not repeated."""
    config, settings, scope = run.config, run.config.training, run.scope
    seeded = SeededModel(config, run.task, run.source, len(run.data["train"]))
    model = scope.adopt(seeded.model)
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
            seeded.start(seed)
            progress["current"] = {"seed": seed, "step": 0, "history": [], "averages": {}}
        title = f"fine-tuning {number + 1}/{settings.seeds}"
        done = _run(run, model, progress, best, title)
        if all(done["dev"] > earlier["dev"] for earlier in progress["runs"]):
            local = scope.local(model)
            if scope.is_main:
                predictor.save(config, run.task, local, run.source)
        progress["runs"].append(done)
        progress["current"], best = {}, {}
        checkpoints.save(checkpoint, model, model.optimizer, progress, write=scope.is_main)
    return progress["runs"]


class SeededModel:
    """One compiled model that can be given the first weights of any seed.

    Args:
        config: the run configuration.
        task: makes the model.
        source: makes encoders.
        rows: int, training rows; they decide about the length of the schedule.
    """

    def __init__(self, config: FinetuneConfig, task: Task, source: EncoderSource, rows: int):
        settings = config.training
        self.task, self.source = task, source
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
            jit_compile=settings.jit_compile,
            auto_scale_loss=False,
        )
        self._optimizer_start = [
            np.array(keras.ops.convert_to_numpy(variable.value)) for variable in optimizer.variables
        ]

    def _fresh(self, seed: int) -> TaskModel:
        keras.utils.set_random_seed(seed)
        return self.task.model(self.source.build(), self.dropout)

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


def _run(run: _Run, model, progress, best, title: str) -> dict[str, Any]:
    """Train and test with the seed that `progress` says, from where it says."""
    config, task, scope = run.config, run.task, run.scope
    settings, current = config.training, progress["current"]
    folder, train = Path(config.run.directory), run.data["train"]
    checkpoint = folder / record.CHECKPOINT
    # All draws of a seed come from one generator, so the order of every epoch is drawn first.
    rng = np.random.default_rng(current["seed"])
    order = [
        batch for _ in range(settings.epochs) for batch in train.epoch(settings.batch_size, rng)
    ]
    per_epoch = len(order) // settings.epochs

    def make(number: int):
        rows, width = order[number]
        return scope.shard(train.inputs(rows, width)), scope.shard(train.targets(rows, width))

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
                figure = _judge(run, scope.local(model), "dev")[0][task.measure]
                stopper.look(step, scope.agree(-figure))
                row = {
                    "epoch": step // per_epoch,
                    "train_loss": round(averages.take()["loss"], 4),
                    f"dev_{task.measure}": round(figure, 4),
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
    # The weights are those of the best epoch if a seed may stop early, else of the last.
    figures = [row[f"dev_{task.measure}"] for row in current["history"]]
    scores, guesses = _judge(run, scope.local(model), "test")
    if scope.is_main:
        lines = task.lines(guesses, run.splits["test"])
        name = f"predictions_{current['seed']}.{task.suffix}"
        files.write_file(folder / name, "".join(f"{line}\n" for line in lines).encode())
    return {
        "seed": current["seed"],
        "steps": current["step"],
        "dev": max(figures) if settings.patience else figures[-1],
        "test": {name: round(value, 4) for name, value in scores.items()},
        "history": current["history"],
        "seconds": round(time.perf_counter() - started, 1),
    }


def _judge(run: _Run, model, split: str) -> tuple[dict[str, float], list]:
    """Figures and answers on the rows of a split."""
    rows = run.splits[split]
    batch_size = 4 * run.config.training.batch_size
    answers = run.task.answers(model, run.data[split], rows, batch_size)
    return run.task.scores(answers, rows), answers


def _curve_rows(runs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for run in runs:
        for row in run["history"]:
            figures = {f"seed_{run['seed']}/{name}": row[name] for name in row if name != "epoch"}
            yield {"step": row["epoch"], **figures}


def _checksum(splits: dict[str, list]) -> str:
    digest = hashlib.sha256()
    for name in sorted(splits):
        for row in splits[name]:
            digest.update(f"{name}\t{row!r}\n".encode())
    return digest.hexdigest()
