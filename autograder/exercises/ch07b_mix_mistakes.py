"""Mistakes in mixing layers: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import CHANGE_HINTS, CHANGED

WEIGHT_HINTS = (
    (
        "logits 是 0、0、0：每层的权重应当是三分之一。给每个 logit 都加 5，权重不变。",
        "Let logits be 0, 0, 0: each layer should weigh a third. Add 5 to all of them, and weights "
        "stay as they are.",
    ),
    (
        "权重都是正的，加起来是 1：先取 e 的幂，再除以它们的和。",
        "Weights are positive and add up to 1: powers of e, divided by their sum.",
    ),
)
STABLE_HINTS = (
    (
        "e 的 1000 次幂，float64 装得下吗？把这样的 logits 的中间结果打印出来。",
        "Does float64 hold e to the power of 1000? Print what becomes of such logits on the way.",
    ),
    (
        "所有 logits 减去同一个数，权重不变；减去哪个数，幂就都不超过 1？",
        "Taking one number off all logits leaves the weights as they are; which one keeps every "
        "power at or below 1?",
    ),
)
LAYER_HINTS = (
    (
        "把全部权重放在第 0 层：mixed 应当就是嵌入，centre 是 0。",
        "Put all weight on layer 0: mixed should be the embeddings, and centre 0.",
    ),
    (
        "第 0 层和别的层一样：有 logit，有权重，混进去，编号是 0。",
        "Layer 0 is like any other: it has a logit and a weight, is mixed in, and has the number "
        "0.",
    ),
)
CENTRE_HINTS = (
    (
        "两层各一半权重：centre 应当是 0.5。三层平分：1。",
        "Two layers of half the weight each: centre should be 0.5. Three layers alike: 1.",
    ),
    (
        "层的编号按权重求平均；用的是和 mixed 同一组权重，不再除以别的。",
        "The mean of the layers' numbers by weight: by the weights that mix, and divided by "
        "nothing else.",
    ),
)
SHAPE_HINTS = (
    (
        "layers 的三个轴各是什么，哪一个应当消失？",
        "What are the three axes of layers, and which of them should be gone afterwards?",
    ),
    (
        "加权和在第一个轴上，层；例子和特征都留着，(n, D)。",
        "The weighted sum is over the first axis, layers; examples and features stay, (n, D).",
    ),
)

MIX = {
    "weights_without_softmax": (
        (
            {"weighing": "logits"},
            {"weighing": "shares_of_logits"},
            {"weighing": "sigmoid"},
            {"weighing": "logarithms"},
        ),
        "权重不是 softmax：用了 logits 本身、它们的份额或者别的函数。",
        "The weights aren't a softmax: logits themselves are used, their shares, or another "
        "function.",
        WEIGHT_HINTS,
    ),
    "softmax_not_divided": (
        (
            {"weighing": "not_divided"},
            {"weighing": "not_divided_but_shifted"},
            {"weighing": "length_one"},
        ),
        "权重加起来不是 1：幂没有除以它们的和。",
        "Weights don't add up to 1: the powers aren't divided by their sum.",
        WEIGHT_HINTS,
    ),
    "other_weights": (
        (
            {"weighing": "largest_only"},
            {"weighing": "equal"},
            {"weighing": "turned"},
            {"weighing": "base_2"},
        ),
        "权重不对：只用了最大的那层，各层一样，正负反了，或者底不是 e。",
        "The weights are others: only the largest layer, all alike, the sign turned, or a base "
        "that isn't e.",
        WEIGHT_HINTS,
    ),
    "exp_overflows": (
        {"stable": "not"},
        "logits 很大或很小时，exp 溢出（或者全成了 0），结果是 NaN。",
        "Where logits are very large or small exp overflows, or gives 0 throughout, and NaN comes "
        "out.",
        STABLE_HINTS,
    ),
    "embeddings_left_out": (
        ({"embeddings": "left_out"}, {"embeddings": "weighed_and_dropped"}),
        "第 0 层（嵌入）没有混进去。",
        "Layer 0, the embeddings, isn't mixed in.",
        LAYER_HINTS,
    ),
    "layers_counted_from_one": (
        {"counted": "from_one"},
        "层是从 1 数起的：嵌入应当是第 0 层。",
        "Layers are counted from 1; the embeddings are layer 0.",
        LAYER_HINTS,
    ),
    "layers_counted_from_the_top": (
        {"counted": "from_the_top"},
        "层是从最上面往下数的。",
        "Layers are counted from the top downwards.",
        LAYER_HINTS,
    ),
    "another_centre": (
        (
            {"counted": "largest"},
            {"counted": "by_logits"},
            {"counted": "over_depth"},
            {"counted": "over_layers"},
        ),
        "centre 不是按权重平均的层号：取了最大的那层，用了 logits，或者又除以了层数。",
        "centre isn't the mean number of a layer by weight: it is the largest layer, goes by "
        "logits, or is divided by the number of layers.",
        CENTRE_HINTS,
    ),
    "mean_instead_of_sum": (
        {"mean": "mean"},
        "加权和又除以了层数：权重已经加起来是 1 了。",
        "The weighted sum is divided by the number of layers, too, though weights add up to 1 "
        "already.",
        WEIGHT_HINTS,
    ),
    "sum_over_another_axis": (
        (
            {"axis": "examples"},
            {"axis": "features"},
            {"mean": "summed_over_examples"},
        ),
        "加权和的轴不对：应当是层那个轴，例子和特征都留着。",
        "The weighted sum is over the wrong axis: it should be that of layers, and examples and "
        "features stay.",
        SHAPE_HINTS,
    ),
    "another_form": (
        ({"returned": "turned"}, {"returned": "mixed_alone"}),
        "返回的不是 (mixed, centre)。",
        "What comes back isn't (mixed, centre).",
        SHAPE_HINTS,
    ),
    "arguments_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
