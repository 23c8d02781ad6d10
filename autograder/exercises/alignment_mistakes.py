"""Mistakes and properties that the scores and weights of early attention share."""

import numpy as np

PAPER_HINTS = (
    (
        "拿一个小例子（2 个查询、3 个键、每个 2 维）在纸上算一格分数，再与你的那一格对照。",
        "Take two queries, three keys, two numbers each, work out one score on paper and compare "
        "that entry.",
    ),
    (
        "逐步写下每一步之后的形状：哪一轴该消失，哪一轴该留下？",
        "Write down the shape after every step: which axis should be gone, which should stay?",
    ),
)
BARE_HINTS = (
    ("题目要的是分数本身。后面还有谁会加工它？", "The scores are wanted. Who works on them later?"),
    (
        "对照公式，数一数你的代码多做了哪一步。",
        "Compare your code with the formula: which step is one too many?",
    ),
)

SCORES = {
    "keys_ask_queries": dict(
        switch={"output": "transposed"},
        zh="行列反了：行应当是查询，列是键，形状为 (B, T, S)。",
        en="Rows and columns are exchanged: rows are queries, columns are keys: (B, T, S).",
        hints=PAPER_HINTS,
    ),
    "softmax_too_early": dict(
        switch={"output": "softmax"},
        zh="已经做了 softmax：这里要的是分数，权重是下一步的事。",
        en="A softmax is taken already: the scores are asked for, weights come later.",
        hints=BARE_HINTS,
    ),
    "negative_scores": dict(
        switch={"output": "negative"},
        zh="正负号反了：越相似，分数反而越低。",
        en="The sign is turned: the better two fit, the lower they score.",
        hints=PAPER_HINTS,
    ),
}
PRODUCTS = SCORES | {
    "reshaped_not_transposed": dict(
        switch={"turn": "reshaped"},
        zh="键的两轴是用 reshape “转”过来的：形状对了，数却串了位；reshape 不会转置。",
        en="The keys are turned by a reshape: the shape is right but the numbers are in other "
        "places; a reshape doesn't transpose.",
        hints=(
            (
                "把 [[1, 2, 3], [4, 5, 6]] 变成 3 行 2 列：转置得到什么，reshape 又得到什么？",
                "Make three rows of two out of [[1, 2, 3], [4, 5, 6]]: what does a transpose give, "
                "what a reshape?",
            ),
            ("哪个运算会交换两个轴？", "Which operation exchanges two axes?"),
        ),
    ),
    "scores_scaled": dict(
        switch=({"scale": "root"}, {"scale": "dim"}),
        zh="分数被维数（或它的平方根）除过了：这一章的分数不缩放，缩放要到 3a 才出现。",
        en="The scores are divided by the size of the vectors, or its root: in this notebook they "
        "aren't scaled; that comes in 3a.",
        hints=BARE_HINTS,
    ),
    "vectors_normalised": dict(
        switch={"sides": "cosine"},
        zh="向量先被化成了单位长度（余弦相似度）；这里长度也算数。",
        en="The vectors are brought to length one first (cosine similarity); here length counts.",
        hints=BARE_HINTS,
    ),
    "distance_not_product": dict(
        switch={"sides": "distance"},
        zh="算的是距离，不是点积。",
        en="Distances are computed, not dot products.",
        hints=PAPER_HINTS,
    ),
    "one_side_compared_with_itself": dict(
        switch=({"sides": "query_query"}, {"sides": "key_key"}),
        zh="自己和自己比了：每个查询要与每个键相比。",
        en="One side is compared with itself; it should be every query with every key.",
        hints=PAPER_HINTS,
    ),
    "items_of_the_batch_mixed": dict(
        switch={"batch": "mixed"},
        zh="批里的各句串在了一起：一句的查询只该看同一句的键。",
        en="The items of the batch are mixed: queries of one sentence should meet the keys of that "
        "sentence only.",
        hints=(
            ("只放一句进去，再放两句，第一句的分数变了吗？", "Feed one sentence, then two: did the "
             "first one's scores change?"),
            ("哪个字母（哪一轴）该在两边都出现、并且留下来？", "Which axis should be on both sides "
             "and stay?"),
        ),
    ),
    "products_not_summed": dict(
        switch={"batch": "not_summed"},
        zh="逐个分量相乘之后没有求和：一个查询和一个键只该得到一个数。",
        en="The components are multiplied but not added up: one query and one key should give one "
        "number.",
        hints=PAPER_HINTS,
    ),
}  # fmt: skip


def add_shape_property(exercise):
    """Register what is asked of every array first: its shape."""

    @exercise.property(
        "shape_is_right",
        zh="形状不对：逐个轴对照说明。",
        en="The shape is wrong: compare it with the contract axis by axis.",
    )
    def shape_is_wrong(seen):
        return any(np.shape(a) != np.shape(b) for a, b in zip(*_parts(seen), strict=True))

    @exercise.property(
        "result_is_finite",
        zh="结果里有 NaN 或无穷大。",
        en="There are NaN or infinities in the result.",
    )
    def not_finite(seen):
        actual, expected = _parts(seen)
        return any(
            np.isfinite(b).all() and not np.isfinite(a).all()
            for a, b in zip(actual, expected, strict=True)
        )


def _parts(seen):
    actual, expected = seen.actual, seen.expected
    if not isinstance(expected, tuple):
        actual, expected = (actual,), (expected,)
    return [np.asarray(a) for a in actual], [np.asarray(b) for b in expected]


def add_score_properties(exercise):
    """Register what scores of every pair have."""
    add_shape_property(exercise)

    @exercise.property(
        "items_do_not_mix",
        zh="第一句的分数对，别的句子不对：批里的各句没有各算各的。",
        en="The first item's scores are right, others aren't: the items of the batch aren't each "
        "on their own.",
    )
    def only_the_first_item_is_right(seen):
        (actual,), (expected,) = _parts(seen)
        right = [np.allclose(a, b, atol=1e-4) for a, b in zip(actual, expected, strict=True)]
        return right[0] and not all(right)

    @exercise.property(
        "scores_differ_by_a_factor",
        zh="所有分数都差同一个倍数。",
        en="All scores are off by one and the same factor.",
    )
    def off_by_a_factor(seen):
        (actual,), (expected,) = _parts(seen)
        factor = np.sum(actual * expected) / np.sum(expected * expected)
        return abs(factor - 1) > 1e-3 and np.allclose(actual, factor * expected, atol=1e-3)

    @exercise.property(
        "scores_come_out_right",
        alone=True,
        zh="形状对，分数的数值不对：挑一格手算，对照公式。",
        en="The shape is right but the scores aren't: work one entry out by hand and compare it "
        "with the formula.",
    )
    def scores_are_wrong(seen):
        (actual,), (expected,) = _parts(seen)
        return not np.allclose(actual, expected, atol=1e-4)

    @exercise.property(
        "gradient_reaches_every_input",
        zh="数值算得出，梯度却到不了某个输入：中途离开了张量，或有一步不可导。",
        en="There are values, but no gradient reaches one of the inputs: some step leaves the "
        "tensors or can't be differentiated.",
    )
    def a_gradient_is_zero(seen):
        if not seen.prediction.parts[0].startswith("d_"):
            return False
        pairs = zip(seen.actual, seen.expected, strict=True)
        return any(not np.any(got) and np.any(want) for got, want in pairs)


GRADIENT_LOST = dict(
    switch=({"gradient": "lost"}, {"gradient": "lost_in_0"}, {"gradient": "lost_in_1"}),
    zh="数值是对的，但梯度断了：中途变成了 NumPy 数组，训练时这一段学不到东西。",
    en="The values are right but the gradient is cut: somewhere tensors become NumPy arrays, and "
    "nothing before that place can learn.",
    hints=(
        (
            "找一找哪里把张量变成了 NumPy 数组。",
            "Look for the place where a tensor turns into a NumPy array.",
        ),
        (
            "你用的每个 np 函数，在 ops 里几乎都有同名的一个。",
            "Nearly every np function that you use has a namesake in ops.",
        ),
    ),
)
