"""Small BERTs that have read a newspaper and learn a task, for experiments.

Like `small_bert`, of which this goes on: nothing is written to a disk, and all follows from seeds.
Runs that are worth keeping are made by `bert_keras.training.finetune`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import keras
import numpy as np

from bert_keras.models.bert import BertBackbone
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import encoders, optimizers, small_bert, tasks
from bert_keras.training.finetune_sections import TaskSection
from bert_keras.training.sections import ModelSection
from bert_keras.training.tasks.base import Task
from bert_keras.training.tasks.batches import TaskBatches

_newspaper = functools.lru_cache(maxsize=4)(small_bert.newspaper)


class Reader(NamedTuple):
    """What is left of a pretraining.

    Attributes:
        tokenizer: `WordPieceTokenizer`.
        sizes: dict, changes of `small_bert.NANO`.
        weights: list of arrays, of the encoder.
    """

    tokenizer: WordPieceTokenizer
    sizes: dict[str, int]
    weights: list[np.ndarray]


@functools.lru_cache(maxsize=4)
def read_newspaper(
    language: str,
    seed: int = 0,
    *,
    vocabulary: int,
    paragraphs: int,
    length: int,
    hidden_dim: int,
    pretraining_tokens: int,
    pretraining_steps: int,
) -> Reader:
    """Pretrain a small BERT on a newspaper; asked for once more, it is there already.

    Args:
        language: "zh" or "en".
        seed: int, of weights and batches.
        vocabulary: int, tokens at most.
        paragraphs: int, use only so many of each split; 0 means all.
        length: int, tokens in a full row. Up to 64 a row is a pair of sentences, else of stretches.
        hidden_dim: int, D; the middle of a feed-forward network has 4 D.
        pretraining_tokens: int, in a batch.
        pretraining_steps: int.

    Returns:
        `Reader`; its arrays are shared, so they must not be changed.

    Raises:
        CorpusError: the newspaper cannot be had.
    """
    text = _newspaper(language, vocabulary, paragraphs)
    rows = "sentences" if length <= 64 else "segments"
    sizes = {
        "max_sequence_length": length,
        "hidden_dim": hidden_dim,
        "intermediate_dim": 4 * hidden_dim,
    }
    batch = small_bert.short_rows_first(
        text, pretraining_steps, pretraining_tokens, length, rows=rows, seed=seed
    )
    model = small_bert.build(len(text.vocabulary), seed, **sizes)
    small_bert.prepare(model, pretraining_steps)
    list(small_bert.train(model, batch, pretraining_steps))
    return Reader(text.tokenizer, sizes, model.backbone.get_weights())


def load(rows: int, test_rows: int, **section: Any) -> tuple[Task, dict[str, list]]:
    """A task and its rows.

    Args:
        rows: int, use only so many of each split; 0 means all.
        test_rows: int, use only so many of the test split; 0 means all.
        **section: fields of `TaskSection`, such as task, corpus and language.

    Returns:
        The pair of the task and a dict of the rows of "train", "dev" and "test".
    """
    task, splits = tasks.load(TaskSection(rows=rows, **section))
    return task, {**splits, "test": splits["test"][: test_rows or None]}


def encode(task: Task, rows: list, tokenizer: WordPieceTokenizer, length: int) -> TaskBatches:
    """Rows of one width, so that nothing is compiled twice.

    Args:
        task: of these rows.
        rows: as `load` returns them.
        tokenizer: of the encoder.
        length: int, tokens in a row.

    Returns:
        `TaskBatches`.
    """
    return TaskBatches(task.encode(rows, tokenizer, length), length)


def fresh_backbone(vocabulary_size: int, sizes: dict[str, int], seed: int) -> BertBackbone:
    """An encoder with new weights, which drops in training.

    Args:
        vocabulary_size: int.
        sizes: dict, changes of `small_bert.NANO`.
        seed: int, decides the weights and whatever is drawn next.

    Returns:
        The encoder.
    """
    keras.utils.set_random_seed(seed)
    settings = ModelSection(**small_bert.NANO | sizes | {"dropout": 0.1})
    return encoders.build_backbone(settings, vocabulary_size)


def fine_tune(
    task: Task,
    backbone: BertBackbone,
    train: TaskBatches,
    *,
    steps: int,
    rate: float,
    batch_size: int,
    rng: np.random.Generator,
    **adam: float,
) -> keras.Model:
    """Put a task's head on an encoder and train both; the head follows from Keras's seed.

    Args:
        task: makes the model.
        backbone: where it begins; it learns, too.
        train: from `encode`.
        steps: int; a tenth of them warm up.
        rate: float, the highest learning rate; from there a straight line to 0.
        batch_size: int, rows in a batch.
        rng: decides about their order.
        **adam: changes of AdamW's own settings, such as beta_2.

    Returns:
        The model.
    """
    model = task.model(backbone, 0.1)  # a decoder takes its weights from the encoder here
    schedule = optimizers.WarmupLinearDecay(rate, max(1, steps // 10), steps)
    optimizer = optimizers.AdamW(schedule, weight_decay=0.01, global_clipnorm=1.0, **adam)
    exempt = optimizers.no_decay_variables(model.trainable_variables)
    optimizer.exclude_from_weight_decay(var_list=exempt)
    model.compile(optimizer=optimizer, jit_compile=False, auto_scale_loss=False)
    for rows, width in train.steps(steps, batch_size, rng):
        model.train_on_batch(train.inputs(rows, width), train.targets(rows, width))
    return model
