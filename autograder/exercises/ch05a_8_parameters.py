"""Notebook ch05a, exercise 8: counting the parameters of BERT."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05a_parameters_mistakes import PARAMETERS
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import parameters

NOTEBOOK = "ch05a_inputs"
NAMES = (
    *("vocabulary_size", "num_layers", "num_heads", "hidden_dim"),
    *("intermediate_dim", "max_sequence_length", "num_segments"),
)
ONE_MORE = {
    "num_layers": Text("一个编码器块（num_layers 加 1）", "block (num_layers + 1)"),
    "vocabulary_size": Text("一个词元（vocabulary_size 加 1）", "token (vocabulary_size + 1)"),
    "max_sequence_length": Text(
        "一个位置（max_sequence_length 加 1）", "position (max_sequence_length + 1)"
    ),
    "num_segments": Text("一个片段（num_segments 加 1）", "segment (num_segments + 1)"),
}
# Devlin et al. (2019), base and large, with the English uncased vocabulary.
RELEASED = ((30522, 12, 12, 768, 3072, 512, 2), (30522, 24, 16, 1024, 4096, 512, 2))

count_parameters = Exercise(
    "count_parameters",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.models.presets:count_parameters",
    tensors=False,
)


def some_sizes(rng):
    """Sizes that all differ; the middle isn't four times the width, and segments aren't two."""
    heads = int(rng.integers(4, 7))
    hidden = heads * int(rng.integers(7, 11))
    middle = 3 * hidden + int(rng.integers(1, 20))
    sizes = (
        int(rng.integers(900, 1500)), int(rng.integers(8, 12)), heads, hidden, middle,
        int(rng.integers(300, 400)), 3,
    )  # fmt: skip
    return dict(zip(NAMES, sizes, strict=True))


def _asked(student, sizes):
    """What the answer says of these sizes; where it is a whole number, as a plain one."""
    found = student(fixture("bert_sizes", *sizes.values()))
    whole = isinstance(found, np.ndarray) and found.shape == () and found.dtype.kind in "iu"
    return int(found) if whole else found


@count_parameters.case(points=1, zh="所有参数的总数", en="all parameters")
def in_all(student, rng):
    """All sizes differ."""
    for _ in range(2):
        sizes = some_sizes(rng)
        expect(_asked(student, sizes)).equals(parameters.count_parameters(sizes))


def _more(student, sizes, what):
    """How much one more of something adds."""
    both = [_asked(student, each) for each in (sizes, {**sizes, what: sizes[what] + 1})]
    failed = [each for each in both if isinstance(each, Failed)]
    numbers = [np.asarray(each) for each in both if not isinstance(each, Failed)]
    if any(number.shape != () or number.dtype.kind not in "biuf" for number in numbers):
        return both[0]
    found = failed[0] if failed else (numbers[1] - numbers[0])[()]
    wanted = parameters.one_more(sizes, what)

    def how_many(got):
        return Text(
            f"多{ONE_MORE[what].zh}，应当多 {wanted.value} 个参数，实际多了 {got}。",
            f"One more {ONE_MORE[what].en} should add {wanted.value} parameters, not {got}.",
        )

    expect(found).equals(wanted, otherwise=how_many)


@count_parameters.case(
    points=1,
    zh="每多一个编码器块，多多少",
    en="how many one more encoder block adds",
)
def one_more_block(student, rng):
    """That is the size of a block."""
    for _ in range(2):
        _more(student, some_sizes(rng), "num_layers")


@count_parameters.case(
    points=1,
    zh="每多一个词元、一个位置、一个片段，多多少",
    en="how many one more token, position or segment adds",
)
def one_more_row(student, rng):
    """A row of a table is as wide as the model."""
    sizes = some_sizes(rng)
    for what in ("vocabulary_size", "max_sequence_length", "num_segments"):
        _more(student, sizes, what)


@count_parameters.case(
    points=1,
    zh="公开的两种尺寸；一个编码器块也没有",
    en="the two released sizes; and no block at all",
)
def released(student, rng):
    """Without a block there are embeddings and pooler."""
    for numbers in RELEASED:
        sizes = dict(zip(NAMES, numbers, strict=True))
        expect(_asked(student, sizes)).equals(parameters.count_parameters(sizes))
    sizes = {**some_sizes(rng), "num_layers": 0}
    expect(_asked(student, sizes)).equals(parameters.count_parameters(sizes))


for _name, _data in PARAMETERS.items():
    count_parameters.misconception(_name, **_data)


@count_parameters.property(
    "whole_number",
    zh="应当返回一个整数。",
    en="It should return one whole number.",
)
def no_whole_number(seen):
    found = np.asarray(seen.actual)
    return found.shape != () or found.dtype.kind not in "iu"


def _difference(seen):
    return float(np.asarray(seen.actual)) - float(seen.expected)


@count_parameters.property(
    "block_is_counted_right",
    zh="一个编码器块里的参数数得不对。",
    en="The parameters of one encoder block are miscounted.",
)
def block_is_wrong(seen):
    return seen.prediction.function.__name__ == "one_more" and seen.args[1] == "num_layers"


@count_parameters.property(
    "tables_are_counted_right",
    zh="三张嵌入表里有数得不对的：多一行应当多 D 个参数。",
    en="A table of embeddings is miscounted: one more row should be D more numbers.",
)
def tables_are_wrong(seen):
    return seen.prediction.function.__name__ == "one_more" and seen.args[1] != "num_layers"


@count_parameters.property(
    "rest_is_counted_right",
    zh="没有编码器块的时候就不对：嵌入层（连它的归一化）或池化层数得不对。",
    en="Wrong without any block: embeddings, their norm included, or the pooler are miscounted.",
)
def rest_is_wrong(seen):
    return seen.prediction.parts == ("parameters",) and seen.args[0]["num_layers"] == 0


@count_parameters.property("not_too_many", zh="总数多了。", en="There are too many.", alone=True)
def too_many(seen):
    return _difference(seen) > 0


@count_parameters.property("not_too_few", zh="总数少了。", en="There are too few.", alone=True)
def too_few(seen):
    return _difference(seen) < 0
