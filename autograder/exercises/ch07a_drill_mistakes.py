"""The drill of notebook ch07a: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch07a_heads/drill.py, in its order, as the oracle's switches; a test
# compares them.
ILLS = {
    "signs_cancel": {"size": "of_the_mean"},
    "absolute_too_early": (
        {"size": "of_every_token"},
        {"size": "of_every_number"},
        {"size": "of_every_feature"},
    ),
    "padding_counts": {"padding": "counts"},
    "layers_not_normalised": {"normalised": "not"},
    "normalised_over_layers": {"normalised": "over_layers"},
    "most_important_removed": {"order": "largest_first"},
    "a_layer_is_emptied": {"last_of_a_layer": "goes"},
    "layer_and_head_mixed_up": {"places": "by_layers"},
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：拿一个手算得出来的小例子，"
    "看看它和你手算的一样不一样。",
    "repaired has one of the faults in the list (still, or newly): take an example small enough to "
    "do by hand, and compare.",
)
ILL_HINTS = (
    (
        "每次只动一样：一行的正负、填充位置上的数、一层梯度的大小、removed。哪一次不该变却变了？",
        "Change one thing at a time: the sign of one text, a number at padding, the size of a "
        "layer's gradients, removed. When does the result change and shouldn't?",
    ),
    (
        "用纸笔走一遍：每行每头的和、绝对值、平均、除以范数、排序、一个个关。",
        "Go through it on paper: the sum for each text and head, absolute value, mean, norm, "
        "order, and heads off one by one.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "把中间结果的形状和数打印出来，跟说明里的每一句对。",
        "Print shapes and numbers on the way, and hold them against every sentence of the "
        "contract.",
    ),
)
NORM_HINTS = (
    (
        "一层的重要性是 3 和 4：除以范数以后是 0.6 和 0.8。",
        "A layer's importance is 3 and 4: divided by its norm it makes 0.6 and 0.8.",
    ),
    (
        "L2 范数：平方、求和、开方，每层自己的。",
        "An L2 norm: squares, sum, root, for each layer by itself.",
    ),
)
LAST_HINTS = (
    (
        "轮到一层仅剩的头：跳过它，接着看下一个，关掉的个数不变。",
        "When it is the turn of the last head of a layer it is passed over, the next one is looked "
        "at, and as many go as before.",
    ),
    (
        "拿 L = 2、N = 2、removed = 2 走一遍：每层正好留一个。",
        "Go through L = 2, N = 2, removed = 2: just one head stays in each layer.",
    ),
)

OTHERS = {
    "another_product": (
        (
            {"product": "gradients_alone"},
            {"product": "outputs_alone"},
            {"product": "plus"},
            {"product": "mean_of_tokens"},
            {"product": "first_token"},
        ),
        "一行的导数不对：应当是 head_outputs 乘 gradients，在真词元和 H 上求和。",
        "The derivative of a text is wrong: it should be head_outputs times gradients, summed over "
        "real tokens and H.",
        STEP_HINTS,
    ),
    "no_absolute_value": (
        ({"size": "signed"}, {"size": "squared"}),
        "没有取绝对值（或者取了平方）。",
        "The absolute value is missing (or a square took its place).",
        STEP_HINTS,
    ),
    "texts_not_averaged": (
        (
            {"texts": "sum", "normalised": "not"},
            {"texts": "largest"},
            {"texts": "first"},
        ),
        "各行没有平均：每行的分量应当一样。",
        "Texts aren't averaged; each should count the same.",
        STEP_HINTS,
    ),
    "mask_inverted": (
        {"padding": "inverted"},
        "掩码反了：算的是填充位置。",
        "The mask is inverted: it is padding that counts.",
        STEP_HINTS,
    ),
    "another_norm": (
        (
            {"normalised": "all_together"},
            {"normalised": "by_sum"},
            {"normalised": "by_largest"},
            {"normalised": "by_square"},
            {"normalised": "by_mean_square"},
        ),
        "除的不是每层自己的 L2 范数。",
        "What is divided by isn't the L2 norm of each layer.",
        NORM_HINTS,
    ),
    "norm_for_the_order_only": (
        {"returned": "before_the_norm"},
        "挑头时除以了范数，返回的 importance 却是没有除过的那一份。",
        "Heads are chosen by importance divided by the norms, and what comes back is importance "
        "that isn't.",
        STEP_HINTS,
    ),
    "another_number_removed": (
        (
            {"number": "in_every_layer"},
            {"number": "one_more"},
            {"number": "one_less"},
            {"number": "kept"},
        ),
        "关掉的个数不对：所有层合起来一共 removed 个。",
        "The number of heads that go is wrong: it is removed of them in all layers together.",
        STEP_HINTS,
    ),
    "last_heads_otherwise": (
        (
            {"last_of_a_layer": "stays_and_counts"},
            {"last_of_a_layer": "ends_it"},
            {"last_of_a_layer": "two_stay"},
        ),
        "一层仅剩的头：应当跳过，接着关下一个。",
        "The last head of a layer should be passed over, and the next one goes instead.",
        LAST_HINTS,
    ),
    "kept_turned_round": (
        {"meaning": "off"},
        "kept 反了：True 是留着。",
        "kept is the other way round: True stays.",
        STEP_HINTS,
    ),
    "another_form": (
        ({"returned": "turned"}, {"returned": "kept_alone"}),
        "返回的不是 (importance, kept)。",
        "What comes back isn't (importance, kept).",
        STEP_HINTS,
    ),
}
