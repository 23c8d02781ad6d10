"""Notebook ch04a, exercise 8 (stretch): a word from its characters."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import NOTEBOOK
from autograder.exercises.ch04a_char_mistakes import CHARACTERS
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles.char_cnn import char_cnn as oracle

CharCNN = Exercise(
    "CharCNN",
    notebook=NOTEBOOK,
    points=6,
    kind="layer",
    stretch=True,
    library="bert_keras.layers.char_cnn:CharCNN",
    forbids=("bert_keras.layers.CharCNN",),
)


def built(student, rng, ids, filters, character_dim, hidden_dim, num_highways):
    """A layer and its weights, all of order one and none of them zero; the gates half open.

    Convolutions have a positive bias, as a trained one may: a window of zeros is then worth more
    than nothing, and it shows whether padding was allowed to win.
    """
    num_characters, total = 9, sum(count for _, count in filters)
    config = {"num_characters": num_characters, "hidden_dim": hidden_dim, "filters": filters}
    config |= {"character_dim": character_dim, "num_highways": num_highways}
    layer = student.build(inputs=(ids,), **config)
    weights = {"character_embedding.embeddings": normal(rng, num_characters, character_dim)}
    for number, (width, count) in enumerate(filters):
        weights[f"convolutions.{number}.kernel"] = 0.7 * normal(rng, width, character_dim, count)
        bias = rng.uniform(0.3, 0.9, count).astype("float32")
        weights[f"convolutions.{number}.bias"] = bias
    for number in range(num_highways):
        for part in ("transform_dense", "gate_dense"):
            path = f"highways.{number}.{part}"
            weights[f"{path}.kernel"] = 0.5 * normal(rng, total, total)
            weights[f"{path}.bias"] = 0.5 * normal(rng, total)
    weights["output_dense.kernel"] = normal(rng, total, hidden_dim)
    weights["output_dense.bias"] = normal(rng, hidden_dim)
    layer.set_weights(weights)
    return layer, weights


def words(rng, lengths, longest):
    """Character ids (B, T, longest) of words of these lengths, int (B, T)."""
    lengths = np.asarray(lengths)
    ids = rng.integers(1, 9, (*lengths.shape, longest))
    return np.where(np.arange(longest) < lengths[..., None], ids, 0).astype("int32")


def spelt(layer, ids, weights, filters, num_highways):
    """The layer's vectors beside the oracle's."""
    expect(layer(ids)).equals(oracle(ids, weights, filters, num_highways), atol=1e-4, rtol=1e-4)


@CharCNN.case(
    points=1,
    zh="没有 highway，一种宽度，每个词都是满的",
    en="no highways, one width, and words that fill their rows",
)
def full_words(student, rng):
    """Windows of one character first, where nothing is beyond the end; then of three."""
    for width, shape in ((1, (2, 3)), (3, (3, 2))):
        ids, filters = words(rng, np.full(shape, 5), 5), [[width, 4]]
        layer, weights = built(student, rng, ids, filters, 3, 6, 0)
        spelt(layer, ids, weights, filters, 0)


@CharCNN.case(
    points=1,
    zh="几种宽度，两层 highway",
    en="windows of several widths, and two highways",
)
def widths_and_highways(student, rng):
    """Counts differ, and as many numbers leave the highways as the projection makes."""
    filters = [[2, 3], [1, 2], [4, 3]]
    ids = words(rng, np.full((2, 3), 6), 6)
    for hidden_dim, num_highways in ((5, 2), (8, 3)):
        layer, weights = built(student, rng, ids, filters, 4, hidden_dim, num_highways)
        spelt(layer, ids, weights, filters, num_highways)


@CharCNN.case(
    points=2,
    zh="长短不一的词：短于窗口的也行，行尾的 0 不算字符",
    en="words of all lengths, shorter than a window, too; zeros at the end aren't characters",
)
def short_words(student, rng):
    """One to six characters; then in rows that are narrower than the widest window."""
    filters = [[3, 4], [1, 3], [5, 2]]
    lengths = rng.permutation([1, 2, 3, 4, 5, 6]).reshape(2, 3)
    ids = words(rng, lengths, 7)
    layer, weights = built(student, rng, ids, filters, 3, 4, 1)
    spelt(layer, ids, weights, filters, 1)
    spelt(layer, words(rng, [[1, 2, 2], [2, 1, 2]], 2), weights, filters, 1)


@CharCNN.case(
    points=1,
    zh="行尾多补几个 0，结果不变；没有字符的词也有有限的向量",
    en="more zeros at the end change nothing; a word without characters has a finite vector",
)
def more_zeros(student, rng):
    """The same words again in wider rows; some words are padding."""
    filters = [[2, 3], [4, 3]]
    ids = words(rng, [[4, 1, 0], [2, 0, 0], [3, 4, 2]], 4)
    layer, weights = built(student, rng, ids, filters, 3, 5, 1)
    spelt(layer, ids, weights, filters, 1)
    wider = np.concatenate([ids, np.zeros((3, 3, 5), "int32")], axis=-1)
    spelt(layer, wider, weights, filters, 1)


@CharCNN.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def spelt_in_training(student, rng):
    """No number of sentences is known; plain numbers are expected."""
    filters = [[1, 2], [3, 3]]
    ids = words(rng, [[3, 1], [4, 0], [2, 2]], 4)
    layer, weights = built(student, rng, ids, filters, 3, 4, 1)
    found = layer.request("call", args=[ids], kwargs={}, unknown=[0])
    wanted = oracle(ids, weights, filters, 1)
    expect(found).equals(wanted, evidence=False, atol=1e-4, rtol=1e-4)


for _name, (_switch, _zh, _en, _hints) in CHARACTERS.items():
    CharCNN.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _wrong_words(seen):
    """Which words, bool (B T), have wrong vectors.

    Raises:
        LookupError: the vectors have another shape.
    """
    actual = np.asarray(seen.actual, float)
    if actual.shape != seen.expected.shape:
        raise LookupError("another shape")
    close = np.isclose(actual, seen.expected, atol=1e-3, rtol=1e-3)
    return ~close.all(axis=-1).reshape(-1)


def _lengths(seen):
    return (seen.args[0] != 0).sum(axis=-1).reshape(-1)


@CharCNN.property(
    "a_vector_for_every_word",
    zh="形状不对：应当是 (B, T, D)。",
    en="The shape is wrong: it should be (B, T, D).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@CharCNN.property(
    "full_words_are_right",
    zh="连填满整行的词也不对：先不管补的 0，查卷积、取最大值、highway 和投影。",
    en="Even words that fill their rows are wrong: leave zeros aside, and look at convolutions, "
    "maxima, highways and projection.",
)
def full_words_are_wrong(seen):
    full = _lengths(seen) == seen.args[0].shape[-1]
    return bool(_wrong_words(seen)[full].any())


@CharCNN.property(
    "short_words_are_right",
    zh="词有长有短的时候，填满整行的都对，后面有 0 的不对：看那些 0 进了哪里。",
    en="Where words differ in length, those that fill their rows are right and those followed by "
    "zeros aren't: see where these zeros get in.",
)
def only_short_words_are_wrong(seen):
    full = _lengths(seen) == seen.args[0].shape[-1]
    bad = _wrong_words(seen)
    # Where no word fills its row, nothing is known of those that do.
    return bool(full.any() and not bad[full].any() and bad[_lengths(seen) > 0].any())


@CharCNN.property(
    "empty_words_are_right",
    zh="只有没有字符的词不对：它们的最大值约定是 0。",
    en="Only words without characters are wrong: their maximum was agreed to be 0.",
)
def only_empty_words_are_wrong(seen):
    bad, empty = _wrong_words(seen), _lengths(seen) == 0
    return bool(bad[empty].any() and not bad[~empty].any())


@CharCNN.property(
    "highways_are_right",
    zh="没有 highway 的时候对，有的时候不对。",
    en="It is right without highways and wrong with them.",
    alone=True,
)
def only_highways_are_wrong(seen):
    return seen.args[3] > 0
