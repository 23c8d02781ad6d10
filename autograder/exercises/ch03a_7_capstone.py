"""Notebook ch03a, exercise 10: the capstone, judged with the student's own pieces."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.attention_properties import add_layer_properties, add_properties
from autograder.exercises.ch03a_1_attention import ATTENTION_LAYERS
from autograder.exercises.ch03a_2b_causal_mask import TRIANGLE_HINTS
from autograder.exercises.ch03a_3_combine import JOIN_HINTS
from autograder.exercises.ch03a_4_multi_head import FORMULA, NOT_REPEATED, put, random_weights
from autograder.exercises.common import derived, normal, real_tokens
from autograder.exercises.head_mistakes import LAYER
from autograder.expectations import expect
from autograder.oracles import capstone as oracles
from autograder.oracles.capstone import agree

NOTEBOOK = "ch03a_self_attention"

capstone = Exercise(
    "capstone_self_attention",
    notebook=NOTEBOOK,
    points=4,
    kind="layer",
    built_of=(
        "scaled_dot_product",
        "causal_mask",
        "combine_masks",
        "split_heads",
        "MultiHeadAttention",
    ),
    defines=("CausalSelfAttention",),
    # A stretch exercise: who skipped it is lent the reference, and so is everybody else.
    needs={"merge_heads": "bert_keras.layers.attention:merge_heads"},
    forbids=(
        *ATTENTION_LAYERS,
        "bert_keras.layers.attention.MultiHeadAttention",
        "bert_keras.layers.attention.scaled_dot_product",
    ),
)


def _built(student, rng, x, padding, num_heads):
    layer = student.build(inputs=(x, padding), num_heads=num_heads, hidden_dim=12)
    weights = random_weights(rng, x.shape[-1])
    put(layer, {f"attention.{name}": array for name, array in weights.items()})
    return layer, weights


def _expect(actual, x, padding, weights, num_heads):
    expect(derived(actual, lambda pair: oracles.real_queries(pair, padding))).equals(
        oracles.causal_self_attention(x, padding, weights, num_heads), atol=2e-5
    )


@capstone.case(points=1, zh="没有填充的批", en="a batch without padding")
def without_padding(student, rng):
    """As many items as heads, so that a mask without a head axis runs and is wrong."""
    x, padding = normal(rng, 3, 5, 12), np.ones((3, 5), bool)
    layer, weights = _built(student, rng, x, padding, 3)
    actual, again = layer(x, padding), layer(x, padding)
    expect(derived(again, lambda second: derived(actual, lambda a: agree(a, second)))).equals(
        oracles.calls_agree(x, padding, weights, 3), otherwise=NOT_REPEATED
    )
    _expect(actual, x, padding, weights, 3)


@capstone.case(
    points=2,
    zh="长短不一的批：看不到未来，也看不到填充",
    en="padding: neither it nor the future shows",
)
def with_padding(student, rng):
    """What comes out at padded positions is nobody's concern."""
    x = normal(rng, 3, 6, 12)
    padding = real_tokens([6, int(rng.integers(2, 5)), 5], 6)
    padding[2, int(rng.integers(1, 3))] = False  # a hole: a real query could look at this pad
    layer, weights = _built(student, rng, x, padding, 3)
    _expect(layer(x, padding), x, padding, weights, 3)


@capstone.case(points=1, zh="换一种大小再来一次", en="once more with other sizes")
def other_sizes(student, rng):
    """Another number of heads and another length, through one built layer."""
    x, padding = normal(rng, 2, 4, 12), real_tokens([3, 4], 4)
    layer, weights = _built(student, rng, x, padding, 2)
    x, padding = normal(rng, 4, 7, 12), real_tokens([3, 7, 1, 5], 7)
    _expect(layer(x, padding), x, padding, weights, 2)


for _name, _data in {
    "future_visible": dict(
        switch={"triangle": "everything"},
        zh="没有因果掩码：每个位置看得见未来。",
        en="There is no causal mask: every position sees the future.",
        hints=(
            (
                "你一共写了两种掩码。这里用上了几种？",
                "You have written two kinds of masks. How many of them are used here?",
            ),
            (
                "第一个词能看到哪些词？打印权重的第一行。",
                "Which tokens can the first one see? Print the first row of the weights.",
            ),
        ),
    ),
    "wrong_triangle": dict(
        switch=({"triangle": "upper"}, {"triangle": "strict_upper"}),
        zh="因果掩码的三角形反了。",
        en="The causal mask is the other triangle.",
        hints=TRIANGLE_HINTS,
    ),
    "diagonal_masked": dict(
        switch={"triangle": "strict_lower"},
        zh="每个位置看不见自己：对角线也关上了。",
        en="No position sees itself: the diagonal is closed too.",
        hints=TRIANGLE_HINTS,
    ),
    "sees_one_ahead": dict(
        switch=({"triangle": "one_ahead"}, {"triangle": "two_ahead"}),
        zh="每个位置能偷看后面的词：三角形的边界差了一格或两格。",
        en="Every position can peek ahead: the edge of the triangle is off by one or two.",
        hints=TRIANGLE_HINTS,
    ),
    "padding_visible": dict(
        # What happens in padded rows is free here, so that closing them shows nowhere else.
        switch=({"combine": "attention_only"}, {"padding_axis": "queries"}),
        zh="真实的词看得见填充：填充掩码没有用上，或者关的是行（查询）而不是列（键）。",
        en="Real tokens see padding: the padding mask isn't used, or it closes rows (queries) and "
        "not columns (keys).",
        hints=JOIN_HINTS,
    ),
    "masks_joined_with_or": dict(
        switch={"combine": "or"},
        zh="两个掩码用“或”连在一起：只要有一个允许就放行了。",
        en="The masks are joined with OR: one of them is enough to let a key through.",
        hints=JOIN_HINTS,
    ),
    "own_position_only": dict(
        switch={"triangle": "diagonal"},
        zh="每个位置只看得见自己；前面的位置也应当看得见。",
        en="Every position sees only itself; it should see the positions before it too.",
        hints=TRIANGLE_HINTS,
    ),
    "masks_joined_with_xor": dict(
        switch={"combine": "xor"},
        zh="两个掩码用“异或”连在一起：两个都允许时反而关上了。",
        en="The masks are joined with XOR: where both allow, the result says no.",
        hints=JOIN_HINTS,
    ),
    "padding_inverted": dict(
        switch={"padding_polarity": "inverted"},
        zh="填充掩码读反了：True 表示真实的词。",
        en="The padding mask is read the wrong way round: True means a real token.",
        hints=JOIN_HINTS,
    ),
}.items():
    capstone.misconception(_name, **_data)
for _name, _data in FORMULA.items():
    # A causal mask read for all queries at once is no causal mask, which has a name above.
    if not _name.startswith(("dropout", "dropped", "gradient", "mask_read_in_part")):
        capstone.misconception(_name, **_data)
READS_ANOTHER_INPUT = (  # impossible here: query, key and value are one tensor
    "query_projects_keys",
    "key_projects_queries",
    "key_projects_values",
    "value_projects_keys",
    "value_projects_queries",
    "everything_projects_queries",
    "key_and_value_inputs_swapped",
    "key_and_value_swapped",
)
for _name, _data in LAYER.items():
    if _name not in READS_ANOTHER_INPUT:
        capstone.misconception(_name, **_data)


def _weights(seen):
    """The weights of an observation as (B, N, T, T), and which of the queries are real."""
    if seen.prediction.function.__name__ != "causal_self_attention":
        raise LookupError("no weights here")
    weights, padding = np.asarray(seen.actual[1]), np.asarray(seen.args[1])
    if weights.shape != np.asarray(seen.expected[1]).shape:
        raise LookupError("the weights have another shape")
    return weights, padding


@capstone.property(
    "future_gets_nothing",
    zh="有权重流向未来：某些词看见了它后面的词。",
    en="Weight goes to the future: some words see words after them.",
)
def future_gets_weight(seen):
    """Padded queries have zeros here."""
    weights, _ = _weights(seen)
    return bool((np.triu(weights, 1) > 1e-6).any())


@capstone.property(
    "padding_gets_nothing",
    zh="有权重流向填充：某些真实的词看见了填充。",
    en="Weight goes to padding: some real words see it.",
)
def padding_gets_weight(seen):
    weights, padding = _weights(seen)
    return bool((weights * ~padding[:, None, None, :] > 1e-6).any())


@capstone.property(
    "past_is_seen",
    zh="有的词看不见前面的某些真实的词，或者看不见自己。",
    en="Some words can't see some of the real words before them, or themselves.",
)
def past_is_hidden(seen):
    weights, _ = _weights(seen)
    return bool((weights[np.asarray(seen.expected[1]) > 1e-3] < 1e-9).any())


add_layer_properties(capstone)
add_properties(capstone, masked=False)
