"""Notebook ch05a, exercise 2: a denoising autoencoder's loss."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch05a_dae_loss_mistakes import LOSS
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles import autoencoders as oracles

NOTEBOOK = "ch05a_inputs"

dae_loss = Exercise("dae_loss", notebook=NOTEBOOK, points=4)


def some_corruption(rng, counts, length):
    """A bool mask (B, T) with so many damaged positions in each row."""
    places = np.argsort(rng.random((len(counts), length)), axis=1)
    return places < np.asarray(counts)[:, None]


def _judge(student, rng, counts, length, width, *asked):
    shape = (len(counts), length, width)
    inputs = (normal(rng, *shape), normal(rng, *shape), some_corruption(rng, counts, length))
    expect(student(*inputs, *asked)).equals(oracles.dae_loss(*inputs, *asked))


@dae_loss.case(points=1, zh="所有位置", en="all positions")
def everything(student, rng):
    """Without the flag, and with one of False; some rows have no damaged position."""
    _judge(student, rng, (2, 0, 4), 5, 2)
    _judge(student, rng, (1, 3), 3, 4, False)


@dae_loss.case(points=1, zh="只算坏掉的位置", en="damaged positions only")
def corrupted_only(student, rng):
    """Rows of which quite different numbers are damaged, all of one of them; D isn't 1, nor T."""
    _judge(student, rng, (1, 4, 2), 5, 3, True)
    _judge(student, rng, (6, 1), 6, 2, True)


@dae_loss.case(
    points=1,
    zh="一个坏位置也没有；全都坏了",
    en="not a single damaged position; nothing else than such",
)
def none_and_all(student, rng):
    """Some rows without any in front of those; then a batch without any at all."""
    _judge(student, rng, (0, 3, 0, 2), 4, 3, True)
    _judge(student, rng, (4, 4), 4, 2, True)
    _judge(student, rng, (0, 0, 0), 4, 2, True)


@dae_loss.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def loss_in_training(student, rng):
    """Both ways."""
    for asked in (False, True):
        shape = (3, 5, 2)
        inputs = (normal(rng, *shape), normal(rng, *shape), some_corruption(rng, (1, 0, 3), 5))
        wanted = oracles.dae_loss(*inputs, asked)
        works_in_training(student, (*inputs, asked), wanted, unknown=(0, 1, 2))


for _name, _data in LOSS.items():
    dae_loss.misconception(_name, **_data)


@dae_loss.property("one_number", zh="应当返回一个数。", en="It should return one number.")
def not_one_number(seen):
    return np.shape(seen.actual) != ()


@dae_loss.property(
    "loss_is_finite",
    zh="损失是 NaN 或无穷大：是不是除以了 0？",
    en="The loss is NaN or infinite: is something divided by 0?",
)
def not_finite(seen):
    return not np.isfinite(np.asarray(seen.actual)).all()


@dae_loss.property(
    "all_positions_are_right",
    zh="连所有位置的平均都不对：先查平方和平均。",
    en="Even the mean over all positions is wrong: look at the squares and their mean first.",
)
def all_is_wrong(seen):
    """Only of what the case about all positions sees: in training it is plain numbers."""
    return seen.prediction is not None and not any(seen.args[3:])


@dae_loss.property(
    "corrupted_positions_are_right",
    zh="只算坏掉的位置时不对：哪些数算进去了，除以了多少？",
    en="Wrong where only damaged positions count: which numbers are added, and divided by what?",
)
def corrupted_is_wrong(seen):
    return seen.args[3] and bool(np.asarray(seen.args[2]).any())


@dae_loss.property(
    "nothing_corrupted_is_zero",
    zh="一个坏位置也没有时，应当得到 0。",
    en="Where nothing is damaged, the result should be 0.",
    alone=True,
)
def nothing_is_not_zero(seen):
    return seen.args[3] and not np.asarray(seen.args[2]).any()
