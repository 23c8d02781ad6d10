"""Notebook ch07b, exercise 8: taught in one language, tested in another."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_kit import (
    NOTEBOOK,
    REPRESENTATION,
    add_finite_property,
    add_shape_property,
    numbers_of,
)
from autograder.exercises.ch07b_language_mistakes import TRANSFER
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import languages as oracles

transfer_table = Exercise(
    "transfer_table",
    notebook=NOTEBOOK,
    points=3,
    library=f"{REPRESENTATION}:transfer_table",
    tensors=False,
)


def some_accuracies(rng, size):
    """What every model would reach on every split, float (2, K, 2, K), no two alike."""
    number = 4 * size * size
    return rng.permutation(np.linspace(0.05, 0.95, number)).reshape(2, size, 2, size)


def _judge(student, planted):
    """The table first, then what was learnt, which the same call says."""
    size = planted.shape[1]
    both = student.followed_by(fixture("fits_afterwards"), fixture("planted_languages", planted))
    expect(derived(both, lambda pair: pair[0])).equals(oracles.transfer_table(planted))
    calls = derived(both, lambda pair: np.asarray(oracles.in_words(pair[1].tolist(), size)))

    def said(got):
        wanted = oracles.in_words(range(size), size)
        return Text(
            f"fit 依次收到的应当是 {wanted}；实际是 {got}。",
            f"What fit is given should be {wanted}, in turn; it was {got}.",
        )

    expect(calls).equals(oracles.fits(size), otherwise=said)


@transfer_table.case(
    points=2,
    zh="三种、四种语言：整张表；每种语言只学一次，按次序",
    en="three and four languages: the whole table; each is learnt once, in their order",
)
def whole_table(student, rng):
    """No two accuracies are alike, on whichever split."""
    for size in (3, 4):
        _judge(student, some_accuracies(rng, size))


@transfer_table.case(
    points=1,
    zh="两种语言，一种语言，很多种",
    en="two languages, a single one, and many",
)
def other_numbers(student, rng):
    """A single one still makes a table."""
    for size in (2, 1, 7):
        _judge(student, some_accuracies(rng, size))


name_mistakes(transfer_table, TRANSFER)
add_shape_property(
    transfer_table,
    "形状不对：应当是 (K, K) 的数组。",
    "The shape is wrong: an array (K, K) is wanted.",
    "table",
)
add_finite_property(transfer_table, "table")


@transfer_table.property(
    "diagonal_is_right",
    zh="对角线不对：每个模型在自己语言的 test 上的准确率。",
    en="The diagonal is wrong: it holds what every model reaches on the test of its own language.",
)
def diagonal_is_wrong(seen):
    got, wanted = numbers_of(seen, "table")
    return not np.allclose(np.diag(got), np.diag(wanted), atol=1e-5)


@transfer_table.property(
    "other_cells_are_right",
    zh="对角线对，别的格子不对：哪一行是谁学的，哪一列是谁考的？",
    en="The diagonal is right and other cells aren't: who is taught in which row, and who is "
    "tested in which column?",
)
def others_are_wrong(seen):
    got, wanted = numbers_of(seen, "table")
    return not diagonal_is_wrong(seen) and not np.allclose(got, wanted, atol=1e-5)


@transfer_table.property(
    "learnt_once_in_order",
    zh="表对，可是 fit 叫的次数或次序不对：每种语言一次，按 sets 的次序。",
    en="The table is right, but fit isn't called once for every language, in the order of sets.",
)
def learnt_otherwise(seen):
    return seen.prediction.parts == ("fits",)
