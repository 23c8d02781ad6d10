"""Mistakes in pruning by size: switches, sentences and hints."""

from autograder.messages import Text

CHANGED = Text(
    "传进来的 kernels 被改动了。",
    "kernels, which were handed in, are changed.",
)
NOT_REFUSED = Text(
    "share 不在 0 到 1 之间，应当抛出 ValueError。",
    "A share that isn't from 0 to 1 should raise a ValueError.",
)
SIZE_HINTS = (
    (
        "一个核 [−3, 1, 2, 0.5]，去掉一半：留下的应当是 −3 和 2。你留下的是哪两个？",
        "One kernel, [−3, 1, 2, 0.5], and half of it goes: −3 and 2 should stay. Which two do you "
        "keep?",
    ),
    (
        "排队看的是离 0 多远，不是谁在数轴的左边。",
        "The order is by how far a number is from 0, not by who stands left on the number line.",
    ),
)
GLOBAL_HINTS = (
    (
        "两个核 [1, 2] 和 [10, 20]，去掉一半：两个小的都在第一个核里，它应当全没了。",
        "Two kernels, [1, 2] and [10, 20], and half goes: both small ones are in the first, of "
        "which nothing should stay.",
    ),
    (
        "先把所有核的数接成一排，一起排；最后再按各个核的大小切开。",
        "Put the numbers of all kernels into one row first and rank them there; cut it up by the "
        "kernels' sizes in the end.",
    ),
)
NUMBER_HINTS = (
    (
        "数一数：一共几个数，几个 False？它应当是 Python 的 round(份额 × 个数)。",
        "Count: how many numbers are there, and how many False? The latter should be Python's "
        "round of share times their number.",
    ),
    (
        "别用阈值去比，用名次：排好以后，前 k 个的位置上写 False。",
        "Don't compare with a threshold, use ranks: once they are in order, False goes to the "
        "places of the first k.",
    ),
)
TIES_HINTS = (
    (
        "一个核 [1, −1, 1, 2]，去掉一半：恰好去掉两个，是前两个。",
        "One kernel, [1, −1, 1, 2], and half goes: exactly two go, and they are the first two.",
    ),
    (
        "排序要稳定：大小相同的，保持原来的先后。查一查你用的排序函数有没有这个选项。",
        "The order has to be stable: equal sizes keep their places among each other. See whether "
        "your sorting function has an option for that.",
    ),
)
FORM_HINTS = (
    (
        "返回的是列表，一个核一个 bool 数组，形状和核相同。",
        "What comes back is a list with a bool array for each kernel, of that kernel's shape.",
    ),
    (
        "掩码说谁留下（True），数值本身别动。",
        "A mask says who stays (True); the numbers themselves are left alone.",
    ),
)
ZERO_HINTS = (
    (
        "剪掉一半，用掩码乘一遍，再剪一半：两次的掩码应当一样。",
        "Remove half, multiply with the masks, remove half again: both times the masks should be "
        "the same.",
    ),
    (
        "0 也是数：它算在 n 里，也排在队里，而且排在最前面。",
        "Zeros are numbers: they count in n and are ranked, in front of all others.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行往传进来的数组里写了东西：kernel[...] = …、*=、out=…？",
        "Which line writes into an array that was handed in: kernel[...] = …, *=, or an out=…?",
    ),
    (
        "先拷贝一份，或者只用会造出新数组的运算。",
        "Take a copy first, or use only what makes new arrays.",
    ),
)
REFUSAL_HINTS = (
    (
        "拿 −0.1、0、1、1.1 四个份额各试一次：哪几个该抛出 ValueError？",
        "Try shares of −0.1, 0, 1 and 1.1: which of them should raise a ValueError?",
    ),
    (
        "0 和 1 是允许的：一个也不去，全都去掉。",
        "0 and 1 are allowed: nothing goes, or everything.",
    ),
)

PRUNING = {
    "signed_ranking": (
        ({"size": "signed"}, {"size": "negated"}),
        "排的是带正负号的数：绝对值很大的负数也被去掉了。",
        "Numbers are ranked with their signs, so that large negative ones go.",
        SIZE_HINTS,
    ),
    "each_kernel_by_itself": (
        (
            {"scope": "each"},
            {"scope": "first"},
        ),
        "每个核各剪各的；应当所有核的数放在一起排。",
        "Each kernel is pruned by itself; the numbers of all kernels should be ranked together.",
        GLOBAL_HINTS,
    ),
    "sizes_made_comparable": (
        (
            {"scope": "over_the_largest"},
            {"scope": "over_the_mean"},
            {"scope": "over_the_deviation"},
            {"scope": "over_the_norm"},
        ),
        "每个核先除以了自己的大小；应当直接比绝对值。",
        "Each kernel was divided by its own size first; it is the plain sizes that should be "
        "compared.",
        GLOBAL_HINTS,
    ),
    "largest_removed": (
        {"order": "largest"},
        "去掉的是最大的。",
        "It is the largest ones that go.",
        SIZE_HINTS,
    ),
    "mask_inverted": (
        {"meaning": "goes"},
        "掩码反了：True 应当是留下。",
        "The masks are inverted: True should mean that a weight stays.",
        FORM_HINTS,
    ),
    "share_that_stays": (
        ({"number": "what_stays"}, {"number": "what_stays_rounded"}),
        "share 被当成了留下的份额；它是去掉的份额。",
        "share is taken for the share that stays; it is the one that goes.",
        NUMBER_HINTS,
    ),
    "another_number_goes": (
        (
            {"number": "floor"},
            {"number": "ceil"},
            {"number": "half_up"},
            {"number": "one_more"},
            {"number": "one_less"},
            {"number": "quantile_too"},
            {"number": "quantile_below"},
        ),
        "去掉的个数不对：n 个数里应当去掉 share × n 个，四舍五入，正好一半取偶数。",
        "The number of weights that go is wrong: of n it should be share times n, rounded, an "
        "exact half to the even number.",
        NUMBER_HINTS,
    ),
    "share_taken_for_a_size": (
        (
            {"number": "below_the_share"},
            {"number": "below_a_share_of_the_largest"},
            {"number": "below_a_share_of_the_range"},
        ),
        "share 被当成了大小的界线（或者最大值的几分之几）；它说的是个数的份额。",
        "share is taken for a limit of size (or a fraction of the largest); it is a share of how "
        "many there are.",
        NUMBER_HINTS,
    ),
    "ties_go_or_stay_together": (
        ({"ties": "all_go"}, {"ties": "all_stay"}),
        "绝对值正好等于界线的，一起去掉（或一起留下）了；应当排在前面的先去，够数就停。",
        "All numbers just as large as the limit go (or stay) together; the earlier ones should go, "
        "until there are enough.",
        TIES_HINTS,
    ),
    "later_ties_go_first": (
        ({"ties": "later"}, {"layout": "columns"}),
        "绝对值相同的，去掉的不是排在前面的（先看第几个核，核里按行读）。",
        "Of equal sizes it isn't the earlier ones that go (by the kernel's place, and within it "
        "row by row).",
        TIES_HINTS,
    ),
    "zeros_left_out": (
        ({"number": "of_those_left"}, {"number": "zeros_first"}),
        "已经是 0 的没有算进去：再剪一遍，去掉的就更多了。",
        "Zeros don't count: pruned a second time, more would go.",
        ZERO_HINTS,
    ),
    "mask_in_another_order": (
        {"layout": "columns_then_rows"},
        "按列读出来，却按行放了回去：掩码的位置乱了。",
        "Numbers are read column by column and masks put back row by row, so they are in the wrong "
        "places.",
        FORM_HINTS,
    ),
    "not_bool_masks": (
        (
            {"returned": "pruned"},
            {"returned": "flat"},
            {"returned": "one_row"},
            {"returned": "integers"},
            {"returned": "floats"},
            {"returned": "first"},
        ),
        "返回的不是 bool 掩码的列表，每个核一个、形状相同。",
        "What comes back isn't a list of bool masks, one for each kernel and of its shape.",
        FORM_HINTS,
    ),
    "share_not_checked": (
        ({"refusal": "never"}, {"refusal": "above_only"}, {"refusal": "below_only"}),
        NOT_REFUSED.zh,
        NOT_REFUSED.en,
        REFUSAL_HINTS,
    ),
    "ends_refused": (
        {"refusal": "ends_too"},
        "share 是 0 或 1 时不该抛出错误。",
        "Shares of 0 and 1 shouldn't be refused.",
        REFUSAL_HINTS,
    ),
    "kernels_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
