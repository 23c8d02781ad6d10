"""Notebook ch03a, exercise 4: padding and attention masks together."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens, some_open
from autograder.exercises.mask_mistakes import (
    EXTRA_AXIS,
    NOT_BOOLEAN,
    POLARITY,
    POLARITY_HINTS,
    add_type_property,
    mask_of,
)
from autograder.expectations import expect
from autograder.oracles import masks

NOTEBOOK = "ch03a_self_attention"

combine_masks = Exercise(
    "combine_masks",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.masks:combine_masks",
)


@combine_masks.case(
    points=1,
    zh="全批共用的掩码 (T, S)：查询数与键数不同",
    en="one mask (T, S) for the whole batch, with other numbers of queries and keys",
)
def shared_mask(student, rng):
    """Three different sizes: only the right axes broadcast."""
    padding, mask = real_tokens([5, 3], 7), some_open(rng, 5, 7)
    expect(student(padding, mask)).equals(masks.combine_masks(padding, mask))


@combine_masks.case(
    points=1,
    zh="每项各有掩码 (B, T, S)",
    en="a mask (B, T, S) of its own for every item",
)
def mask_per_item(student, rng):
    """As many items as queries: a missing axis still broadcasts, to the wrong answer."""
    padding, mask = some_open(rng, 3, 6), some_open(rng, 3, 3, 6)
    expect(student(padding, mask)).equals(masks.combine_masks(padding, mask))


@combine_masks.case(
    points=1,
    zh="因果掩码与填充：关闭的是键所在的列",
    en="causal mask and padding: what is closed are columns, the keys",
)
def causal_and_padding(student, rng):
    """As many queries as keys: rows and columns can be confused."""
    lengths = [4, int(rng.integers(1, 4)), 3]
    padding, mask = real_tokens(lengths, 6), np.tril(np.ones((6, 6), bool))
    padding[2, 1] = False  # a pad that real queries could look at, were it only its row that closes
    expect(student(padding, mask)).equals(masks.combine_masks(padding, mask))


@combine_masks.case(
    points=1,
    zh="用进注意力：填充的键得不到权重",
    en="used in attention: padded keys get no weight",
)
def padded_keys_get_no_weight(student, rng):
    """Attention itself is the grader's own here."""
    padding = real_tokens([3, 4], 6)
    mask = np.tril(np.ones((6, 6), bool))
    query, key = normal(rng, 2, 6, 4), normal(rng, 2, 6, 4)
    actual = student(padding, mask)
    expect(derived(actual, lambda joined: masks.weights_under(joined, query, key))).equals(
        masks.combined_weights(padding, mask, query, key)
    )


JOIN_HINTS = (
    (
        "一个键要同时满足什么条件，才可以被看？",
        "Which conditions must a key meet, all at once, to be seen?",
    ),
    (
        "给两个掩码各取一格，列出四种组合，写下你想要的结果。",
        "Take one entry of each mask, list the four combinations and write down what you want.",
    ),
)
AXIS_HINTS = (
    (
        "填充掩码的形状是 (B, S)。写出它在 (B, T, S) 里应占哪两个轴。",
        "The padding mask is (B, S). Which two axes of (B, T, S) are these?",
    ),
    (
        "广播从最后一个轴对起。缺的那个轴在哪儿？",
        "Broadcasting lines up the last axes. Where is the one that is missing?",
    ),
)


@combine_masks.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No points: an answer that is right on given sizes is right, but `fit` would stop at it."""
    padding, mask = real_tokens([5, 3, 4], 5), some_open(rng, 3, 4, 5)
    actual = student.in_training(padding, mask, unknown=(0, 1))
    expect(actual).equals(masks.combine_masks(padding, mask))


for _name, _data in {
    "mask_not_boolean": NOT_BOOLEAN,
    "mask_polarity": POLARITY,
    "masks_joined_with_or": dict(
        switch={"combine": "or"},
        zh="两个掩码用“或”连在一起：只要有一个允许就放行了。",
        en="The masks are joined with OR: one of them is enough to let a key through.",
        hints=JOIN_HINTS,
    ),
    "masks_joined_with_xor": dict(
        switch={"combine": "xor"},
        zh="两个掩码用“异或”连在一起：两个都允许时反而关上了。",
        en="The masks are joined with XOR: where both allow, the result says no.",
        hints=JOIN_HINTS,
    ),
    "masks_compared": dict(
        switch={"combine": "equal"},
        zh="两个掩码只是比较是否相等：两个都关闭的地方反而打开了。",
        en="The masks are only compared for equality: where both are closed the result is open.",
        hints=JOIN_HINTS,
    ),
    "open_where_both_are_closed": dict(
        switch={"combine": "neither"},
        zh="结果恰好在两个掩码都关闭的地方是 True：两个都读反了。",
        en="The result is True just where both masks are closed: both are read the wrong way "
        "round.",
        hints=POLARITY_HINTS,
    ),
    "attention_mask_inverted": dict(
        switch={"attention_polarity": "inverted"},
        zh="注意力掩码读反了：True 表示允许看。",
        en="The attention mask is read the wrong way round: True means may attend.",
        hints=POLARITY_HINTS,
    ),
    "attention_mask_transposed": dict(
        switch={"attention_axes": "transposed"},
        zh="注意力掩码被转置了：行是查询，列是键，拿来就可以用。",
        en="The attention mask is transposed; its rows are queries and its columns keys as it is.",
        hints=AXIS_HINTS,
    ),
    "padding_merged_over_batch": dict(
        switch=tuple(
            {"batch": form}
            for form in ("any_item", "every_item", "any_item_alone", "every_item_alone")
        ),
        zh="整批的填充被合成了一份；每一项有自己的长度。",
        en="The padding of all items is merged into one; each item has a length of its own.",
        hints=AXIS_HINTS,
    ),
    "last_item_returned": dict(
        switch={"batch": "last_returned"},
        zh="只返回了最后一项的掩码；要的是整批的 (B, T, S)。",
        en="Only the mask of the last item comes back; it should be all of them, (B, T, S).",
        hints=AXIS_HINTS,
    ),
    "only_three_axes_work": dict(
        switch={"attention_axes": "three_only"},
        zh="全批共用的掩码 (T, S) 会出错：(T, S) 和 (B, T, S) 都要能用。",
        en="A mask (T, S) for the whole batch raises an error: both (T, S) and (B, T, S) must "
        "work.",
        hints=AXIS_HINTS,
    ),
    "causal_inside": dict(
        switch={"inside": "triangle"},
        zh="这里多加了一个因果掩码：该不该遮住未来，由传进来的掩码说了算。",
        en="A causal mask is added here: whether the future is hidden is up to the mask that is "
        "passed in.",
        hints=JOIN_HINTS,
    ),
    "extra_axis": EXTRA_AXIS,
    "masks_added": dict(
        switch={"combine": "sum"},
        zh="两个掩码被加在了一起：得到 0、1、2，而不是布尔值。",
        en="The masks are added: that gives 0, 1 and 2 and no booleans.",
        hints=JOIN_HINTS,
    ),
    "attention_mask_ignored": dict(
        switch=({"combine": "padding_only"}, {"combine": "padding_row"}),
        zh="注意力掩码没有起作用，只剩下填充掩码。",
        en="The attention mask has no effect; only the padding mask is left.",
        hints=JOIN_HINTS,
    ),
    "padding_mask_ignored": dict(
        switch=({"combine": "attention_only"}, {"combine": "attention_as_given"}),
        zh="填充掩码没有起作用：填充的键仍然看得见。",
        en="The padding mask has no effect: padded keys can still be seen.",
        hints=JOIN_HINTS,
    ),
    "padding_on_query_rows": dict(
        switch={"padding_axis": "queries"},
        zh="填充关的是行（查询）；应当关列（键）：没有谁该去看填充。",
        en="Padding closes rows (queries); it should close columns (keys): nobody should look at "
        "padding.",
        hints=AXIS_HINTS,
    ),
    "padding_on_rows_and_columns": dict(
        switch={"padding_axis": "both"},
        zh="填充把行和列都关上了；只该关列，填充的行留着不管。",
        en="Padding closes rows and columns; only columns should close, padded rows are left "
        "alone.",
        hints=AXIS_HINTS,
    ),
    "padding_without_query_axis": dict(
        switch={"padding_axis": "missing"},
        zh="填充掩码少了一个轴：广播时它的批轴被对到了查询轴上。",
        en="The padding mask lacks an axis: broadcasting lines its batch axis up with the queries.",
        hints=AXIS_HINTS,
    ),
    "padding_inverted": dict(
        switch={"padding_polarity": "inverted"},
        zh="填充掩码读反了：True 表示真实的词。",
        en="The padding mask is read the wrong way round: True means a real token.",
        hints=POLARITY_HINTS,
    ),
    "first_item_for_all": dict(
        switch=({"batch": "first_item"}, {"batch": "first_item_alone"}),
        zh="整批都用了第一项的填充；每一项有自己的长度。",
        en="Every item gets the padding of the first; each has a length of its own.",
        hints=AXIS_HINTS,
    ),
    "axis_added_to_three": dict(
        switch={"attention_axes": "always_added"},
        zh="注意力掩码已有三个轴时又多加了一个：(T, S) 和 (B, T, S) 都要能用。",
        en="A mask that has three axes already gets a fourth: both (T, S) and (B, T, S) must work.",
        hints=AXIS_HINTS,
    ),
}.items():
    combine_masks.misconception(_name, **_data)


@combine_masks.property(
    "padded_keys_are_closed",
    zh="有的填充键还看得见。",
    en="Some padded keys can still be seen.",
)
def padded_keys_are_open(seen):
    mask = mask_of(seen)
    padding = np.asarray(seen.args[0])
    return mask.dtype == bool and bool((mask & ~padding[:, None, :]).any())


@combine_masks.property(
    "forbidden_keys_are_closed",
    zh="注意力掩码关掉的位置又打开了。",
    en="Places that the attention mask closes are open again.",
)
def forbidden_keys_are_open(seen):
    mask = mask_of(seen)
    return mask.dtype == bool and bool((mask & ~np.asarray(seen.args[1])).any())


@combine_masks.property(
    "allowed_real_keys_are_open",
    zh="有的真实的键，两个掩码都允许看，却关上了。",
    en="Some real keys that may be seen are closed.",
)
def open_keys_are_closed(seen):
    mask = mask_of(seen)
    wanted = np.asarray(seen.args[0])[:, None] & np.asarray(seen.args[1])
    return mask.dtype == bool and bool((wanted & ~mask).any())


@combine_masks.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, T, S)。",
    en="The shape is wrong: it should be (B, T, S).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != np.shape(seen.expected)


add_type_property(combine_masks)
