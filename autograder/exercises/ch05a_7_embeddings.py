"""Notebook ch05a, exercise 7: three tables, their sum, its norm."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch03b_1b_table import what_came_of
from autograder.exercises.ch05a_embeddings_mistakes import EMBEDDINGS
from autograder.exercises.common import IN_TRAINING, derived, normal
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import bert_embeddings as oracles

NOTEBOOK = "ch05a_inputs"
# At this rate single precision drops everything, on purpose: what is left needs no statistics.
EVERYTHING = 1 - 1e-12
EPSILON = 0.01
# With one table alone the norm takes a factor out, unless epsilon is large enough to show it.
SMALL = 1e-6
# Ids of tokens are rows of positions too, and segments have a row to spare: so mistakes run.
SIZE, LIMIT, SEGMENTS = 7, 8, 3
NOT_REFUSED = Text(
    "比 max_sequence_length 还长的句子，应当抛出 ValueError。",
    "A sequence longer than max_sequence_length should raise a ValueError.",
)

BertEmbeddings = Exercise(
    "BertEmbeddings",
    notebook=NOTEBOOK,
    points=5,
    kind="layer",
    forbids=(
        "bert_keras.layers.embeddings.BertEmbeddings",
        "keras_hub.layers.TokenAndPositionEmbedding",
        "keras_nlp.layers.TokenAndPositionEmbedding",
    ),
)


def not_refused(found):
    """What to say of a long sequence; made from `what_came_of`."""
    zh, en = {
        "accepted": ("这里没有报错", "here nothing is raised"),
        "returned": ("这里错误是返回的，没有抛出", "here the error is returned and not raised"),
        "ValueError": ("这一句却不长", "this one isn't longer"),
    }.get(str(found), ("这里报的是别的错误", "here it is another error"))
    return Text(f"{NOT_REFUSED.zh[:-1]}；{zh}。", f"{NOT_REFUSED.en[:-1]}; {en}.")


def some_input(rng, batch, length):
    """Token ids and segments: both segments occur in every row, at places of its own."""
    tokens = rng.integers(0, SIZE, (batch, length)).astype("int32")
    borders = rng.integers(1, max(length, 2), (batch, 1))
    return tokens, (np.arange(length) >= borders).astype("int32")


def some_tables(rng, width):
    """The weights by attribute path: tables of one spread, a norm that isn't the identity."""
    sizes = dict(zip(oracles.TABLES, (SIZE, LIMIT, SEGMENTS), strict=True))
    weights = {f"{name}.embeddings": normal(rng, rows, width) for name, rows in sizes.items()}
    signs = rng.choice([-1, 1], width)
    weights["layer_norm.gamma"] = (rng.uniform(0.5, 2, width) * signs).astype("float32")
    weights["layer_norm.beta"] = normal(rng, width)
    return weights


def made(student, rng, weights, width, dropout=0.0, epsilon=EPSILON):
    """The student's layer with these weights, or the failure to make it so."""

    def build(length):
        layer = student.build(
            inputs=some_input(rng, 2, length),
            vocabulary_size=SIZE,
            hidden_dim=width,
            max_sequence_length=LIMIT,
            num_segments=SEGMENTS,
            dropout=dropout,
            layer_norm_epsilon=epsilon,
        )
        assign(layer, weights)
        return layer

    # Who adds the whole table can take nothing shorter, and who refuses too early nothing longer.
    layer = attempted(lambda: build(LIMIT))
    return attempted(lambda: build(4)) if isinstance(layer, Failed) else layer


@BertEmbeddings.case(
    points=1,
    zh="三张表，每次只有一张不是 0",
    en="three tables, of which all but one are zeros",
)
def each_table(student, rng):
    """What a table adds shows alone; the norm is the plain one."""
    width = 6
    for which in oracles.TABLES:
        weights = some_tables(rng, width)
        for name in oracles.TABLES:
            if name != which:
                weights[f"{name}.embeddings"] *= 0
        weights["layer_norm.gamma"] = np.ones(width, "float32")
        weights["layer_norm.beta"] = np.zeros(width, "float32")
        layer = made(student, rng, weights, width, epsilon=SMALL)
        given = some_input(rng, 3, 5)
        actual = usable(layer, lambda: layer(*given))  # noqa: B023
        expect(actual).equals(oracles.one_table(*given, weights, SMALL, which), atol=5e-5)


@BertEmbeddings.case(points=1, zh="先相加，再归一化", en="first the sum, then the norm")
def sum_then_norm(student, rng):
    """Other lengths and batches through one layer, the longest first; then as many of all."""
    weights = some_tables(rng, 5)
    layer = made(student, rng, weights, 5)
    for batch, length in ((2, LIMIT), (3, 4), (1, 1), (4, 4)):
        given = some_input(rng, batch, length)
        actual = usable(layer, lambda: layer(*given))  # noqa: B023
        expect(actual).equals(oracles.bert_embeddings(*given, weights, EPSILON), atol=5e-5)


@BertEmbeddings.case(
    points=1,
    zh="dropout：训练时作用在归一化之后，推理时关着",
    en="dropout: in training on what the norm gives, off in inference",
)
def dropout_while_training(student, rng):
    """At a rate at which everything is dropped the result is known without statistics."""
    weights = some_tables(rng, 5)
    layer = made(student, rng, weights, 5, dropout=EVERYTHING)
    given = some_input(rng, 2, 4)
    for mode in ("training", "inference"):
        actual = usable(layer, lambda: layer(*given, training=mode == "training"))  # noqa: B023
        wanted = oracles.embeddings_dropping(*given, weights, EPSILON, mode)
        expect(actual).equals(wanted, atol=5e-5)


@BertEmbeddings.case(
    points=1, zh="太长的句子：抛出 ValueError", en="a sequence that is too long raises ValueError"
)
def too_long(student, rng):
    """By one token, and by many; a sequence as long as the table is fine."""
    layer = made(student, rng, some_tables(rng, 4), 4)
    for length in (LIMIT, 2 * LIMIT + 1, LIMIT + 1):
        given = some_input(rng, 2, length)
        told = what_came_of(usable(layer, lambda: layer(*given)), length > LIMIT)  # noqa: B023
        told = derived(told, np.asarray)
        expect(told).equals(oracles.too_long_refused(length, LIMIT), otherwise=not_refused)


@BertEmbeddings.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def embeddings_in_training(student, rng):
    """No number of rows is known."""
    weights = some_tables(rng, 4)
    layer = made(student, rng, weights, 4)
    given = some_input(rng, 3, 6)
    call = {"args": list(given), "kwargs": {}, "unknown": [0, 1]}
    actual = usable(layer, lambda: layer.request("call", **call))
    # Plain numbers: an error here says nothing about which mistake was made.
    wanted = oracles.bert_embeddings(*given, weights, EPSILON).value
    expect(actual).equals(wanted, atol=5e-5, rtol=5e-5)


for _name, _data in EMBEDDINGS.items():
    BertEmbeddings.misconception(_name, **_data)


def _outputs(seen):
    """What came back and what should have.

    Raises:
        LookupError: the observation is about something else, or has another shape.
    """
    if seen.prediction.parts != ("output",):
        raise LookupError("no output here")
    found = np.asarray(seen.actual)
    if found.shape != seen.expected.shape:
        raise LookupError("another shape")
    return found, seen.expected


@BertEmbeddings.property(
    "shape_is_right",
    zh="输出的形状应当是 (B, T, D)。",
    en="The output should have shape (B, T, D).",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == ("output",) and (
        np.shape(seen.actual) != np.shape(seen.expected)
    )


def _alone(seen, which):
    if seen.prediction.function.__name__ != "one_table":
        raise LookupError("all tables are there")
    found, wanted = _outputs(seen)
    return seen.args[4] == which and not np.allclose(found, wanted, atol=1e-4)


@BertEmbeddings.property(
    "token_table_is_read",
    zh="只有词元表不是 0 时就不对：查这张表的是 token_ids，而且只有它吗？",
    en="Wrong where only the token table isn't zero: is it read with token_ids, and with nothing "
    "else?",
)
def tokens_are_wrong(seen):
    return _alone(seen, "token_embedding")


@BertEmbeddings.property(
    "position_table_is_read",
    zh="只有位置表不是 0 时就不对：第 t 个词元应当得到第 t 行，每一句都一样。",
    en="Wrong where only the position table isn't zero: token t should get row t, in every row.",
)
def positions_are_wrong(seen):
    return _alone(seen, "position_embedding")


@BertEmbeddings.property(
    "segment_table_is_read",
    zh="只有片段表不是 0 时就不对：查这张表的是 segment_ids，而且只有它吗？",
    en="Wrong where only the segment table isn't zero: is it read with segment_ids, and with "
    "nothing else?",
)
def segments_are_wrong(seen):
    return _alone(seen, "segment_embedding")


@BertEmbeddings.property(
    "sum_is_normalised",
    zh="三张表单独看都对，合在一起不对：怎样合起来，在哪里归一化？",
    en="Each table alone may be right, together they aren't: how are they put together, and where "
    "is the norm?",
    alone=True,
)
def sum_is_wrong(seen):
    found, wanted = _outputs(seen)
    return not np.allclose(found, wanted, atol=1e-4)


@BertEmbeddings.property(
    "dropout_is_right",
    zh="dropout 不对：训练时丢掉最后的结果，推理时什么也不丢。",
    en="Dropout is wrong: in training it drops the final result, in inference nothing.",
)
def dropout_is_wrong(seen):
    """In inference other things may be wrong too; what is dropped then is everything."""
    if seen.prediction.function.__name__ != "embeddings_dropping":
        return False
    return seen.args[4] == "training" or not np.any(seen.actual)


@BertEmbeddings.property("length_is_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def length_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)
