"""Mistakes in switching heads off: switches, sentences and hints."""

MASK_HINTS = (
    (
        "N = 2、H = D = 1，两个头的结果是 3 和 5，kernel 都是 1，偏置是 10："
        "mask 是 [1, 0] 时得 13。",
        "N = 2, H = D = 1, the heads found 3 and 5, kernels are 1, the bias is 10: with a mask of "
        "[1, 0] it makes 13.",
    ),
    (
        "每个头的结果乘它自己的那个数，别的什么也不变。",
        "What a head found is multiplied with its own number, and nothing else changes.",
    ),
)
AXIS_HINTS = (
    (
        "head_outputs 的四个轴里，哪一个是头？(N,) 直接去乘，对上的是哪一个？",
        "Which of the four axes of head_outputs is that of heads? And with which one does (N,) "
        "line up if it is simply multiplied?",
    ),
    (
        "让 mask 成为 (N, 1)：最后那个 1 对着 H。",
        "Make the mask (N, 1): its last axis faces H.",
    ),
)
BIAS_HINTS = (
    (
        "所有的头都关掉，输出应当是什么？",
        "What should come out with all heads off?",
    ),
    (
        "偏置不属于哪个头：加一次，不乘什么。",
        "The bias belongs to no head: it is added once, and multiplied with nothing.",
    ),
)
PROJECTION_HINTS = (
    (
        "N = 2、H = 2、D = 1，用纸笔算：头 n 的第 h 个数，乘 kernel 的哪一个数？",
        "N = 2, H = 2, D = 1, on paper: number h of head n goes with which number of the kernel?",
    ),
    (
        "对 n 和 h 两个轴求和：每个头有自己的一块 kernel。",
        "The sum is over n and h: each head has its own part of the kernel.",
    ),
)
OFF_HINTS = (
    (
        "关掉一个头，别的头的贡献变了没有？不该变。",
        "Does what other heads contribute change when one is off? It shouldn't.",
    ),
    (
        "关掉就是乘 0：不补偿，也不拿平均来填。",
        "Off is times 0: nothing makes up for it, and no mean takes its place.",
    ),
)
GRADIENT_HINTS = (
    (
        "比较（>、==）、四舍五入、转成整数、NumPy：过了它们，导数就没有了。",
        "Comparisons, rounding, ints, NumPy: behind any of these there is no derivative.",
    ),
    (
        "只用 keras.ops 的乘和加，导数自己就在。",
        "With nothing but products and sums of keras.ops there is a derivative by itself.",
    ),
)

ABLATION = {
    "mask_ignored": (
        {"factor": "ones"},
        "head_mask 没有用上。",
        "head_mask isn't used.",
        MASK_HINTS,
    ),
    "mask_inverted": (
        {"factor": "inverted"},
        "反了：1 是原样，0 是关掉。",
        "It is the other way round: 1 leaves a head as it is, 0 turns it off.",
        MASK_HINTS,
    ),
    "only_on_or_off": (
        ({"factor": "not_zero"}, {"factor": "above_half"}, {"factor": "ones_only"}),
        "中间的数被当成了开或关：0.3 就是乘 0.3。",
        "Numbers between are taken for on or off; 0.3 means times 0.3.",
        GRADIENT_HINTS,
    ),
    "another_factor": (
        (
            {"factor": "squared"},
            {"factor": "softmax"},
            {"factor": "mean"},
            {"factor": "backwards"},
            {"factor": "one_more"},
            {"factor": "not_below_a_tenth"},
        ),
        "乘的不是 head_mask 里的那个数。",
        "What heads are multiplied with isn't their number in head_mask.",
        MASK_HINTS,
    ),
    "rescaled": (
        ({"factor": "rescaled"}, {"factor": "shares"}),
        "剩下的头被放大（或缩小）了：不补偿。",
        "The other heads are made larger (or smaller); nothing is to make up for those off.",
        OFF_HINTS,
    ),
    "mean_instead_of_zero": (
        ({"off": "mean_of_the_others"}, {"off": "mean_over_tokens"}),
        "关掉的头换成了平均值，应当是 0。",
        "A head that is off is replaced by a mean; it should count 0.",
        OFF_HINTS,
    ),
    "mask_on_another_axis": (
        (
            {"along": "features"},
            {"along": "tokens"},
            {"along": "rows"},
            {"along": "output"},
            {"along": "reshaped"},
        ),
        "head_mask 乘到别的轴上去了。",
        "head_mask is multiplied along another axis.",
        AXIS_HINTS,
    ),
    "bias_missing": (
        ({"bias": "missing"}, {"bias": "subtracted"}),
        "没有加偏置。",
        "The bias isn't added.",
        BIAS_HINTS,
    ),
    "bias_multiplied": (
        (
            {"bias": "of_every_head"},
            {"bias": "of_heads_that_are_on"},
            {"bias": "scaled_by_the_mean"},
        ),
        "偏置加的不是正好一次：它不属于哪个头，关掉谁都照加一次。",
        "The bias isn't added just once: it belongs to no head, and which are off changes nothing.",
        BIAS_HINTS,
    ),
    "heads_merged_wrongly": (
        ({"projection": "other_order"}, {"projection": "kernel_other_order"}),
        "N 和 H 合成一个轴时，次序乱了：head_outputs 和 kernel 不一致。",
        "N and H are merged in different orders in head_outputs and in the kernel.",
        PROJECTION_HINTS,
    ),
    "one_kernel_for_all": (
        ({"projection": "first_kernel"}, {"projection": "mean_kernel"}),
        "所有的头用了同一块 kernel。",
        "All heads use one part of the kernel.",
        PROJECTION_HINTS,
    ),
    "heads_not_added_up": (
        (
            {"projection": "heads_apart"},
            {"projection": "mean_of_heads"},
            {"projection": "missing"},
        ),
        "各个头的贡献没有加起来（取了平均，或者还分着）。",
        "The contributions of heads aren't added up (but averaged, or still apart).",
        PROJECTION_HINTS,
    ),
    "derivative_lost": (
        {"gradient": "stops"},
        "数值对，可是对 head_mask 求不了导。",
        "The numbers are right, but there is no derivative by head_mask.",
        GRADIENT_HINTS,
    ),
}
