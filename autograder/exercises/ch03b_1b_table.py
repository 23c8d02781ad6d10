"""Notebook ch03b, exercise 2: a table of positions that is learned."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch03b_1a_waves import LIBRARY, NOTEBOOK
from autograder.exercises.common import IN_TRAINING, derived, normal
from autograder.exercises.table_mistakes import TABLE
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import positions

LearnedPositions = Exercise(
    "LearnedPositions",
    notebook=NOTEBOOK,
    points=3,
    kind="layer",
    stretch=True,
    library=f"{LIBRARY}:LearnedPositions",
    forbids=(
        "keras_hub.layers.PositionEmbedding",
        "keras_nlp.layers.PositionEmbedding",
    ),
    blanks=("build", "call"),
)
WRONG_START = Text(
    "表的初始值不对：应当随机，标准差是 initializer_stddev。",
    "The table's first values are wrong: they should be random, with the standard deviation "
    "initializer_stddev.",
)
NOT_LEARNED = Text(
    "训练了一步，表还是原来的样子。", "After a step of training the table is what it was before."
)
NOT_REFUSED = Text(
    "比 max_sequence_length 还长的句子，应当抛出 ValueError。",
    "A sequence longer than max_sequence_length should raise a ValueError.",
)


def not_refused(found):
    """What to say of a long sequence; made from `what_came_of`."""
    zh, en = {
        "accepted": ("这里没有报错", "here nothing is raised"),
        "returned": ("这里错误是返回的，没有抛出", "here the error is returned and not raised"),
        "AssertionError": ("这里报的是 AssertionError", "here it is an AssertionError"),
    }.get(found, ("这里报的是别的错误", "here it is another error"))
    return Text(f"{NOT_REFUSED.zh[:-1]}；{zh}。", f"{NOT_REFUSED.en[:-1]}; {en}.")


def shape_of(found):
    """The shape of the weight `table` as text, or that there is none of that name."""
    if "table" not in found:
        return positions.NO_TABLE
    return positions.shape_in_words(np.shape(found["table"]))


def wrong_shape(found):
    """What to say of a table; made from `shape_of`."""
    if found == positions.NO_TABLE:
        return Text("没有名叫 table 的参数。", "There is no weight called table.")
    return Text(
        f"table 的形状是 {found}，应当是 max_sequence_length × D。",
        f"The table's shape is {found}; it should be max_sequence_length × D.",
    )


def filled(student, rng, x, max_length):
    """A layer whose table is set, or the failure to make it so, and the table."""
    table = normal(rng, max_length, x.shape[-1])

    def made():
        layer = student.build(inputs=(x,), max_sequence_length=max_length)
        assign(layer, {"table": table})
        return layer

    return attempted(made), table


@LearnedPositions.case(
    points=1,
    zh="build：表的名字、形状和初始值",
    en="build: the table's name, shape and first values",
)
def a_table(student, rng):
    """Large, so that its spread is sure; the bounds lie six standard errors away."""
    max_length, hidden_dim, stddev = 400, 24, float(rng.uniform(0.2, 0.5))
    x = normal(rng, 1, 5, hidden_dim)
    sizes = {"max_sequence_length": max_length, "initializer_stddev": stddev}
    found = attempted(lambda: student.build(inputs=(x,), **sizes).weights())
    # Who adds the whole table can take nothing shorter; one on its side fits a single feature.
    for length, width in ((max_length, hidden_dim), (5, 1)):
        if isinstance(found, Failed):
            x = normal(rng, 1, length, width)
            again = attempted(lambda: student.build(inputs=(x,), **sizes).weights())  # noqa: B023
            if not isinstance(again, Failed):
                found, hidden_dim = again, width
    expect(derived(found, shape_of)).equals(
        positions.table_shape(max_length, hidden_dim, 5, 1), otherwise=wrong_shape
    )
    expect(positions.spread_in_words(found["table"], stddev)).equals(
        positions.table_start(stddev, (max_length, hidden_dim)), otherwise=WRONG_START
    )


@LearnedPositions.case(
    points=1,
    zh="call：第 t 个词加上第 t 行，长短都行；表会跟着训练变",
    en="call: row t is added to token t, for any length; training moves the table",
)
def rows_are_added(student, rng):
    """As many items as tokens once, so that rows taken by item run; then the whole table.

    One token is what the step of training sees: whether the first row moves is all that is asked.
    """
    max_length = 7
    layer, table = filled(student, rng, normal(rng, 1, 5, 4), max_length)
    for shape in ((4, 4, 4), (3, 5, 4), (2, 7, 4), (1, 1, 4)):
        x = normal(rng, *shape)
        actual = usable(layer, lambda: layer(x))  # noqa: B023
        expect(actual).equals(positions.learned_positions(x, table))
    how = {"steps": 1, "learning_rate": 0.5, "weights": ("table",)}
    trained = usable(layer, lambda: layer.train((x,), 0 * x + 9, **how))
    moved = derived(trained, lambda after: positions.moved_in_words(table, after[1]))
    expect(moved).equals(positions.table_learns(), otherwise=NOT_LEARNED)


@LearnedPositions.case(
    points=1, zh="太长的句子：抛出 ValueError", en="a sequence that is too long raises ValueError"
)
def too_long(student, rng):
    """By one token, and by many; a sequence as long as the table is fine.

    Built on one such sequence, which an answer that adds the whole table can take; it has as many
    features, so that a table on its side fits too.
    """
    size = max_length = int(rng.integers(4, 7))
    x, sizes = normal(rng, 1, max_length, size), {"max_sequence_length": max_length}
    layer = attempted(lambda: student.build(inputs=(x,), **sizes))
    for length in (max_length, 2 * max_length + 1, max_length + 1):
        x = normal(rng, 1, length, size)
        told = what_came_of(usable(layer, lambda: layer(x)), length > max_length)  # noqa: B023
        expect(told).equals(positions.refuses(length, max_length), otherwise=not_refused)


def what_came_of(actual, is_long):
    """Whether a sequence was refused, and how, as text; an error that has other causes as it is."""
    if not isinstance(actual, Failed):
        return "accepted"
    kind, message = actual.error.type, actual.error.message
    if kind == "Nothing":  # a return is missing, and another case says so; nothing was raised here
        return "accepted"
    if not is_long or kind in ("NotImplementedError", "Forbidden"):
        return actual
    if kind == "Unusable" and "Error" in message:
        return "returned"
    return kind if kind in ("ValueError", "AssertionError") else "another error"


@LearnedPositions.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def table_in_training(student, rng):
    """No number of sentences is known."""
    layer, table = filled(student, rng, normal(rng, 1, 4, 4), 6)
    x = normal(rng, 3, 5, 4)
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    actual = usable(layer, lambda: layer.request("call", **call))
    expect(actual).equals(positions.learned_positions(x, table))


for _name, _data in TABLE.items():
    LearnedPositions.misconception(_name, **_data)


@LearnedPositions.property(
    "one_weight_called_table",
    zh="应当有一个名叫 table 的参数，形状是 (max_sequence_length, D)。",
    en="There should be a weight called table, of shape (max_sequence_length, D).",
)
def no_such_table(seen):
    return seen.prediction.parts == ("shape",)


@LearnedPositions.property("table_starts_rightly", zh=WRONG_START.zh, en=WRONG_START.en)
def table_starts_wrongly(seen):
    return seen.prediction.parts == ("start",)


@LearnedPositions.property("table_learns", zh=NOT_LEARNED.zh, en=NOT_LEARNED.en)
def table_stays(seen):
    return seen.prediction.parts == ("learns",)


@LearnedPositions.property("length_is_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def length_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)


@LearnedPositions.property(
    "shape_stays",
    zh="输出的形状应当和 x 一样。",
    en="The output should have the shape of x.",
)
def shape_changes(seen):
    return _added(seen) is None


@LearnedPositions.property(
    "every_item_gets_the_same",
    zh="同一个位置，不同的句子加上的向量不一样。",
    en="At one position, different sequences get different vectors.",
)
def items_differ(seen):
    added = _added(seen)
    return not np.allclose(added, added[:1], atol=1e-4)


@LearnedPositions.property(
    "rows_of_the_table_are_added",
    alone=True,
    zh="加上去的不是表里各个位置的那一行。",
    en="What is added isn't the row of the table that belongs to each position.",
)
def something_else_is_added(seen):
    return _added(seen) is not None


def _added(seen):
    """What an answer added to its tokens, or None where the shape is another."""
    if seen.prediction.parts != ("output",):
        raise LookupError("no output here")
    x = np.asarray(seen.args[0])
    actual = np.asarray(seen.actual)
    return actual - x if actual.shape == x.shape else None
