"""Notebook ch06a, exercise 7: a learning rate for every layer."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06a_1_classifier import NOTEBOOK
from autograder.exercises.ch06a_rate_mistakes import RATES
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.layer_rates import layer_rates as oracle

CLOSE = {"atol": 1e-12, "rtol": 1e-5}

layerwise_decay = Exercise(
    "layerwise_decay",
    notebook=NOTEBOOK,
    points=6,
    tensors=False,
)

EMBEDDED = (
    "text_classifier/bert_backbone/embeddings/token_embedding/embeddings",
    "text_classifier/bert_backbone/embeddings/layer_norm/gamma",
    "bert_backbone/embeddings/position_embedding/embeddings",
)
HEADS = (
    "text_classifier/bert_backbone/pooler/dense/kernel",
    "text_classifier/logits/kernel",
    "multiple_choice/scorer/bias",
)
# Where the part that counts is the first, the third, or deep in the path.
PLACES = (
    "embeddings/token_embedding/embeddings",
    "encoder_block_0/feed_forward/intermediate/kernel",
    "encoder_block_2/self_attention/query/bias",
    "a/b/c/encoder_block_1/feed_forward_layer_norm/beta",
    "a/b/c/d/embeddings/segment_embedding/embeddings",
    "model/encoder_block_2/kernel",
    "model/embeddings/kernel",
    "pooler/dense/bias",
)
# Parts that only contain the words, and words where they don't count.
NAMES = (
    "tagger/label_embeddings/kernel",
    "tagger/embeddings_2/kernel",
    "tagger/label_table/embeddings",
    "tagger/embedding/kernel",
    "tagger/my_encoder_block_1/kernel",
    "tagger/encoder_block_1x/kernel",
    "tagger/encoder_block/kernel",
    "tagger/decoder_block_1/kernel",
    "embeddings",
    "bert_backbone/encoder_block_1/label_embeddings/kernel",
    "bert_backbone/encoder_block_0/relative_positions/embeddings",
    "bert_backbone/embeddings/my_encoder_block_1/kernel",
)


def in_blocks(rng, numbers):
    """A path in each of these blocks."""
    inside = (
        "self_attention/query/kernel",
        "self_attention/output/bias",
        "self_attention_layer_norm/gamma",
        "feed_forward/intermediate/kernel",
        "feed_forward/output/bias",
        "feed_forward_layer_norm/beta",
    )
    return tuple(
        f"text_classifier/bert_backbone/encoder_block_{number}/{inside[rng.integers(len(inside))]}"
        for number in numbers
    )


def some_rates(rng):
    """A rate of heads, and a factor that is far enough from 1 and from 1/2.

    The rate is higher than any that trains, so that small differences show.
    """
    decay = float(rng.choice([rng.uniform(0.6, 0.7), rng.uniform(0.75, 0.92)]))
    return round(float(rng.uniform(0.1, 0.6)), 4), round(decay, 3)


def _blocks(num_layers):
    return {f"encoder_block_{number}" for number in range(num_layers)}


def _rank(path, num_layers):
    """What to show first, in the order of the properties below: a head, embeddings, a block.

    A lone name is the odd one, and shown only where nothing else is wrong.
    """
    parts = path.split("/")
    in_block = bool(_blocks(num_layers) & set(parts[:-1]))
    return len(parts) == 1, 1 if "embeddings" in parts[:-1] else 2 * in_block


def judge(student, rng, paths, num_layers, decay=None):
    """Ask for one path after another, and compare all rates at once."""
    rate, factor = some_rates(rng)
    factor = factor if decay is None else decay
    paths = tuple(paths[i] for i in rng.permutation(len(paths)))
    wanted = oracle(paths, rate, factor, num_layers)
    found = [student(path, rate, factor, num_layers) for path in paths]
    odd = [each for each in found if isinstance(each, Failed) or np.shape(each) != ()]
    strange = [each for each in found if isinstance(each, (str, bool))]

    def said(got):
        wrong = np.flatnonzero(~np.isclose(got, wanted.value, **CLOSE))
        place = min(wrong, key=lambda i: _rank(paths[i], num_layers))
        facts = (paths[place], f"{wanted.value[place]:.5g}", f"{got[place]:.5g}")
        return Text(
            f"learning_rate = {rate:.5g}、decay = {factor:g}、num_layers = {num_layers} 时，"
            f"{facts[0]} 的学习率应为 {facts[1]}，实际为 {facts[2]}。",
            f"With learning_rate = {rate:.5g}, decay = {factor:g} and num_layers = {num_layers} "
            f"the rate of {facts[0]} should be {facts[1]}, but is {facts[2]}.",
        )

    if odd or strange:
        expect((odd + strange)[0]).equals(wanted)
    expect(np.asarray([float(each) for each in found])).equals(wanted, otherwise=said, **CLOSE)


@layerwise_decay.case(
    points=1,
    zh="各块：越靠下，乘的次数越多",
    en="blocks: the further down, the more factors",
)
def blocks_of_a_small_bert(student, rng):
    """Of three and of five; heads as they are."""
    judge(student, rng, in_blocks(rng, range(3)) + HEADS[1:2], 3)
    judge(student, rng, in_blocks(rng, range(5)) + HEADS[:1], 5)


@layerwise_decay.case(
    points=1,
    zh="嵌入最慢，池化层和头原样",
    en="embeddings are slowest, pooler and heads as they are",
)
def embeddings_and_heads(student, rng):
    """Beside the blocks, so that each may be held against its neighbours."""
    judge(student, rng, EMBEDDED + HEADS + in_blocks(rng, (0, 3)), 4)


@layerwise_decay.case(
    points=1,
    zh="12 个块：1 和 10、11 不能混",
    en="twelve blocks: 1 isn't 10 or 11",
)
def twelve_blocks(student, rng):
    """And twenty-four, where 2 stands in front of 20 to 23."""
    judge(student, rng, in_blocks(rng, (0, 1, 2, 9, 10, 11)), 12)
    judge(student, rng, in_blocks(rng, (1, 2, 12, 19, 21, 23)) + EMBEDDED[:1], 24)


@layerwise_decay.case(
    points=1,
    zh="那一段在路径的哪里都行",
    en="the part may stand anywhere in the path",
)
def anywhere_in_the_path(student, rng):
    """First, in the middle, and right before the name."""
    judge(student, rng, PLACES, 3)


@layerwise_decay.case(
    points=1,
    zh="名字会骗人：只是含有那个词，不算",
    en="names mislead: merely containing the word doesn't count",
)
def misleading_names(student, rng):
    """Names of heads, and names of variables."""
    judge(student, rng, NAMES, 4)


@layerwise_decay.case(
    points=1,
    zh="decay 是 1，只有一个块，学习率是整数",
    en="a decay of 1, a single block, a rate that is whole",
)
def other_numbers(student, rng):
    """Nothing is slowed down where decay is 1; every result is a float."""
    judge(student, rng, EMBEDDED + HEADS + in_blocks(rng, range(6)), 6, 1.0)
    judge(student, rng, EMBEDDED[:2] + HEADS[:2] + in_blocks(rng, (0,)), 1)
    judge(student, rng, EMBEDDED[:1] + HEADS[:1] + in_blocks(rng, (0, 1)), 2, 0.25)


for _name, (_switch, _zh, _en, _hints) in RATES.items():
    layerwise_decay.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _wrong_paths(seen):
    """The paths whose rates are wrong.

    Raises:
        LookupError: something else than one number for each came back.
    """
    got = np.asarray(seen.actual, float)
    if got.shape != seen.expected.shape:
        raise LookupError("no rates")
    wrong = ~np.isclose(got, seen.expected, **CLOSE)
    return [path for path, bad in zip(seen.args[0], wrong, strict=True) if bad]


@layerwise_decay.property(
    "one_number_for_a_path",
    zh="应当返回一个数（Python 的 float）。",
    en="One number should come back, a float of Python's.",
)
def no_number(seen):
    return np.shape(seen.actual) != seen.expected.shape


@layerwise_decay.property(
    "heads_are_right",
    zh="有的路径既不在块里，也不在嵌入里，学习率却不是原样。",
    en="Some paths are neither in a block nor in the embeddings, and their rate isn't as it was.",
)
def head_is_wrong(seen):
    paths = set(_wrong_paths(seen))
    plain = oracle.raw(seen.args[0], 1.0, 0.5, seen.args[3]) == 1.0
    return any(
        path in paths for path, as_it_is in zip(seen.args[0], plain, strict=True) if as_it_is
    )


@layerwise_decay.property(
    "embeddings_are_right",
    zh="嵌入的学习率不对。",
    en="The rate of the embeddings is wrong.",
)
def embedding_is_wrong(seen):
    return any("embeddings" in path.split("/")[:-1] for path in _wrong_paths(seen))


@layerwise_decay.property(
    "blocks_are_right",
    zh="有的块学习率不对。",
    en="The rate of some blocks is wrong.",
)
def block_is_wrong(seen):
    blocks = _blocks(seen.args[3])
    wrong = [path.split("/")[:-1] for path in _wrong_paths(seen)]
    return any(blocks & set(parts) and "embeddings" not in parts for parts in wrong)
