"""A fine-tuned model that answers about new texts.

    from bert_keras.training.predictor import Predictor
    predictor = Predictor.load("build/runs/finetune_sentiment_zh")
    predictor([["房间很干净"], ["再也不来了"]])[0].said

A run of fine-tuning leaves its encoder as every other run does (`backbone.json` with the weights
beside it, so `bert-keras compress`, `analyze` and a further fine-tuning start from it), the weights
of its head, `head.npz`, and `task.json`: what the answers are called and how texts become rows.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.models.task_base import TaskModel
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import checkpoints, tasks
from bert_keras.training.checkpoints import CheckpointError
from bert_keras.training.config import ConfigError
from bert_keras.training.distribution import to_numpy
from bert_keras.training.finetune_sections import FinetuneConfig, TaskSection
from bert_keras.training.tasks.base import Task
from bert_keras.training.tasks.batches import TaskBatches

HEAD, TASK = "head.npz", "task.json"


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a model answers about one row.

    Attributes:
        texts: the row.
        said: the answer as a person reads it: a label, a choice, names with their kinds, a stretch
            of the context, a text.
        probabilities: answers → probabilities, the most probable first; None where the answer is
            no choice between a few.
    """

    texts: tuple[str, ...]
    said: Any
    probabilities: dict[Any, float] | None


class Predictor:
    """A model of a task, with all that it needs to read texts.

    Args:
        task: what it does.
        model: the model, trained.
        tokenizer: of its encoder.
        section: the `[data]` section that it was trained with.
        bucket_width: int, rows are padded to a multiple of this.
        batch_size: int, rows at once.
    """

    def __init__(
        self,
        task: Task,
        model: TaskModel,
        tokenizer: WordPieceTokenizer,
        section: TaskSection,
        bucket_width: int = 16,
        batch_size: int = 32,
    ):
        self.task, self.model, self.tokenizer, self.section = task, model, tokenizer, section
        self.bucket_width, self.batch_size = bucket_width, batch_size

    @classmethod
    def load(cls, folder: str | Path) -> Predictor:
        """Read a model that `bert-keras finetune` left.

        Args:
            folder: of the run, or what `bert-keras compress` made of it.

        Returns:
            `Predictor`.

        Raises:
            CheckpointError: there is none, or it cannot be read.
        """
        folder = Path(folder)
        if not (folder / TASK).exists():
            raise CheckpointError(f"no fine-tuned model in {folder}: run bert-keras finetune first")
        backbone, vocabulary, lowercase = checkpoints.load_backbone(folder)
        try:
            content = json.loads((folder / TASK).read_text(encoding="utf-8"))
            section = TaskSection(**content["data"])
            kind = tasks.kind_of(section)
            task = kind(section, {"train": [kind.row_type(*row) for row in content["examples"]]})
            model = task.model(backbone, 0.0)
            tokenizer = WordPieceTokenizer(vocabulary, lowercase)
            found = cls(
                task, model, tokenizer, section, content["bucket_width"], content["batch_size"]
            )
            with np.load(folder / HEAD) as weights:
                for variable, array in zip(_head(model), weights.values(), strict=True):
                    variable.assign(array)
        except checkpoints.UNREADABLE as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise CheckpointError(
                f"the fine-tuned model in {folder} can't be read ({reason}): fine-tune it again"
            ) from None
        return found

    def __call__(self, rows: Sequence[Sequence[str]]) -> list[Answer]:
        """Answer about new rows.

        Args:
            rows: each has one text for each of the task's `fields`.

        Returns:
            An answer for each row.

        Raises:
            ConfigError: a row with too few or too many texts, an empty one, or one that makes no
                row of the task.
        """
        if not rows:
            return []
        made = [self._row(texts) for texts in rows]
        encoded = self.task.encode(made, self.tokenizer, self.section.max_sequence_length)
        data = TaskBatches(encoded, self.bucket_width)
        guesses, certainties = self._answers(data, made)
        return [
            Answer(tuple(texts), self.task.said(guess, row), _sorted(certainty))
            for texts, row, guess, certainty in zip(rows, made, guesses, certainties, strict=True)
        ]

    def _answers(self, data: TaskBatches, rows: list) -> tuple[list, list]:
        """Guesses, and how certain they are where the task can say so."""
        if type(self.task).certainty is Task.certainty:
            guesses = self.task.answers(self.model, data, rows, self.batch_size)
            return guesses, [None] * len(rows)
        outputs = self.task.outputs(self.model, data, self.batch_size)
        guesses = self.task.guesses(outputs, data.encoded, rows)
        return guesses, [self.task.certainty(output) for output in outputs]

    def _row(self, texts: Sequence[str]) -> Any:
        fields = self.task.fields
        more = fields[-1].endswith("…")
        fits = len(texts) >= len(fields) if more else len(texts) == len(fields)
        if not fits or not all(text.strip() for text in texts):
            raise ConfigError(
                f"{self.section.task} needs {_listed(fields)}, with a tab between each in a line, "
                f"not {list(texts)}"
            )
        return self.task.new_row(*texts)


def save(config: FinetuneConfig, task: Task, model: TaskModel, source) -> None:
    """Leave a model in the run folder.

    Args:
        config: the run configuration.
        task: what the model does.
        model: trained, on one device.
        source: `EncoderSource`, for the vocabulary.

    Raises:
        CheckpointError: the disk is full, or the folder cannot be written.
    """
    folder = Path(config.run.directory)
    content = {
        "data": dataclasses.asdict(config.data),
        "bucket_width": config.training.bucket_width,
        "batch_size": 4 * config.training.batch_size,
        "examples": task.examples(),
    }
    weights = {f"{n}/{v.name}": to_numpy(v) for n, v in enumerate(_head(model))}
    checkpoints.export_backbone(folder, model.backbone, source.vocabulary, source.lowercase)
    try:
        checkpoints.write_atomically(folder / HEAD, lambda file: np.savez(file, **weights))
        # Last, because this is the file that says that there is a model.
        checkpoints.write_json(folder / TASK, content)
    except OSError as error:
        raise CheckpointError(
            f"cannot write the model into {folder}: {error.strerror or error}; make room and run "
            "again with --resume"
        ) from None


def copy_head(source: str | Path, target: str | Path) -> None:
    """Keep the head of a fine-tuned model beside what became of its encoder.

    Args:
        source: a folder with an encoder; nothing happens if it has no head.
        target: another.
    """
    if (Path(source) / TASK).exists():
        for name in (HEAD, TASK):
            shutil.copyfile(Path(source) / name, Path(target) / name)


def _head(model: TaskModel) -> list:
    """All weights but the encoder's."""
    encoder = {id(variable) for variable in model.backbone.weights}
    return [variable for variable in model.weights if id(variable) not in encoder]


def _sorted(certainty: dict[Any, float] | None) -> dict[Any, float] | None:
    if certainty is None:
        return None
    return dict(sorted(certainty.items(), key=lambda item: -item[1]))


def _listed(fields: tuple[str, ...]) -> str:
    named = [f"a {field}" for field in fields]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
