"""What a task has to say so that `bert_keras.training.finetune` can train and judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import keras
import numpy as np

from bert_keras.models.bert import BertBackbone
from bert_keras.models.task_base import TaskModel
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training.config import ConfigError
from bert_keras.training.evaluate import predict
from bert_keras.training.tasks.batches import Encoded, TaskBatches


class Task:
    """A task: from rows of a set to arrays, from a model's outputs to answers and figures.

    Attributes:
        measure: str, the name of the figure that decides, the higher the better.
        bar_measures: dict, names of simple models to the names of the figures that they are judged
            by, where that is not the measure.
        corpus: str, the set that is taken unless another is named.
        suffix: str, of a file of predictions.
        fields: tuple of str, the texts that a new row is made of; where the last ends in "…", there
            may be more like it.
        row_type: kind of the rows that `examples` and `new_row` make.

    Args:
        section: the `[data]` section.
        splits: dict of "train", "dev" and "test", lists of rows; what a task has to know of them it
            reads off "train", and `examples` are rows that tell it the same.
    """

    measure = "accuracy"
    bar_measures: ClassVar[Mapping[str, str]] = {}
    corpus = ""
    suffix = "tsv"
    fields: tuple[str, ...] = ("text",)
    row_type: Any = LabelledText

    def __init__(self, section, splits: dict[str, list]):
        self.section = section

    def texts(self, rows: Iterable) -> Iterator[str]:
        """All texts of some rows, for a vocabulary from scratch.

        Args:
            rows: rows of the set.

        Returns:
            Iterator of str.
        """
        raise NotImplementedError

    def encode(self, rows: Sequence, tokenizer: WordPieceTokenizer, length: int) -> Encoded:
        """Rows as arrays.

        Args:
            rows: rows of the set.
            tokenizer: of the encoder.
            length: int, the length T of a sequence.

        Returns:
            `Encoded`; it may have more rows than there were, which `guesses` puts together.
        """
        raise NotImplementedError

    def model(self, backbone: BertBackbone, dropout: float) -> TaskModel:
        """A model with a new head.

        Args:
            backbone: the encoder.
            dropout: float, the share of its output dropped in training, before the head.

        Returns:
            `TaskModel`.
        """
        raise NotImplementedError

    def answers(self, model: TaskModel, data: TaskBatches, rows: Sequence, batch_size: int) -> list:
        """What a model answers to some rows.

        Args:
            model: from `model`, trained.
            data: the rows, encoded.
            rows: the rows.
            batch_size: int, how many at once.

        Returns:
            An answer for each row.
        """
        return self.guesses(self.outputs(model, data, batch_size), data.encoded, rows)

    def outputs(self, model: TaskModel, data: TaskBatches, batch_size: int) -> list:
        """What a model gives for encoded rows.

        Args:
            model: from `model`, trained.
            data: encoded rows.
            batch_size: int, how many at once.

        Returns:
            For each encoded row an array, or a dict of arrays, as long as the row was wide.
        """
        outputs: list[Any] = [None] * len(data)
        for members, width in data.by_width():
            inputs = data.inputs(members, width)
            for places, found in predict(model, inputs, batch_size):
                found = keras.tree.map_structure(np.asarray, found)
                for place, row in enumerate(members[places]):
                    outputs[row] = keras.tree.map_structure(lambda x, n=place: x[n], found)
        return outputs

    def examples(self) -> list:
        """The fewest rows from which a task like this one can be made again.

        Returns:
            Rows, to be saved beside a model; none where the training rows decide nothing.
        """
        return []

    def new_row(self, *texts: str) -> Any:
        """A row that nobody has labelled.

        Args:
            *texts: str, one for each of `fields`.

        Returns:
            The row.

        Raises:
            ConfigError: the texts make no row of this task.
        """
        return self.row_type(*texts, None)

    def said(self, guess: Any, row: Any) -> Any:
        """An answer as a person reads it.

        Args:
            guess: from `guesses`.
            row: its row.

        Returns:
            JSON values; unless a task says otherwise, the answer itself.
        """
        return guess

    def certainty(self, output: Any) -> dict[Any, float] | None:
        """How sure a model is.

        Args:
            output: what it gave for a row, an array or a dict of arrays.

        Returns:
            Answers → probabilities, where the output is a choice between answers; or None.
        """
        return None

    def guesses(self, outputs: Sequence, encoded: Encoded, rows: Sequence) -> list:
        """Answers, read off what a model gave.

        Args:
            outputs: from `outputs`.
            encoded: from `encode`.
            rows: the rows it was made of.

        Returns:
            An answer for each row.
        """
        raise NotImplementedError

    def scores(self, guesses: Sequence, rows: Sequence) -> dict[str, float]:
        """How good some answers are.

        Args:
            guesses: from `guesses`.
            rows: the rows.

        Returns:
            dict of figures by name, the measure among them; unless a task says otherwise, the
            share of answers that are their row's label.
        """
        right = [guess == row.label for guess, row in zip(guesses, rows, strict=True)]
        return {"accuracy": float(np.mean(right))}

    def bars(self, splits: dict[str, list]) -> dict[str, Callable[[], float]]:
        """Simple models to compare with.

        Args:
            splits: the set.

        Returns:
            dict of functions by name; each returns what a model reaches on the test split.
        """
        raise NotImplementedError

    def lines(self, guesses: Sequence, rows: Sequence) -> Iterator[str]:
        """Answers as the field's scripts take them; unless a task says otherwise, as GLUE's do.

        Args:
            guesses: from `guesses`.
            rows: the rows.

        Yields:
            Str, the lines of a file: the number of a row and its answer.
        """
        yield "index\tprediction"
        for number, guess in enumerate(guesses):
            yield f"{number}\t{guess}"


def measured(bars: dict[str, Callable[[], float]]) -> dict[str, float | None]:
    """Figures of simple models.

    Args:
        bars: functions by name.

    Returns:
        What they return, rounded; None where scikit-learn is not installed.
    """
    found: dict[str, float | None] = {}
    for name, bar in bars.items():
        try:
            found[name] = round(float(bar()), 4)
        except CorpusError:
            found[name] = None
    return found


def probabilities(answers: Sequence, scores: np.ndarray) -> dict[Any, float]:
    """Softmax of scores.

    Args:
        answers: what they are the scores of.
        scores: float (C,).

    Returns:
        dict of float by answer.
    """
    powers = np.exp(np.float64(scores) - scores.max())
    return dict(zip(answers, (powers / powers.sum()).tolist(), strict=True))


def is_chinese(rows: Iterable[str]) -> bool:
    """Whether words are not set apart by spaces, judged by the first texts.

    Args:
        rows: texts.

    Returns:
        bool.
    """
    sample = "".join(text for text, _ in zip(rows, range(200), strict=False))
    return sum("\u4e00" <= character <= "\u9fff" for character in sample) > len(sample) / 4


def numbered(labels: Iterable) -> dict[Any, int]:
    """A number for each label, in their order.

    Args:
        labels: those of the train split; another label is never guessed.

    Returns:
        dict of int by label.

    Raises:
        ConfigError: there are fewer than two.
    """
    found = sorted(set(labels))
    if len(found) < 2:
        raise ConfigError(f"the train split has {len(found)} labels; two are needed to choose from")
    return {label: number for number, label in enumerate(found)}
