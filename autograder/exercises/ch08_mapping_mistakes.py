"""Mistakes in which layer learns from which: switches, sentences and hints."""

from autograder.messages import Text

NOT_REFUSED = Text(
    "M 小于 1，或者大于 L，应当抛出 ValueError。",
    "An M below 1 or above L should raise a ValueError.",
)
SPREAD_HINTS = (
    (
        "M = 2、L = 3：应当是 [0, 1, 3]。你的呢？",
        "M = 2 and L = 3: it should be [0, 1, 3]. What is yours?",
    ),
    (
        "先乘后除，最后才取整：先取整的步长会走不到最后一层。",
        "Multiply before dividing, and round last: with a step that is rounded first you never get "
        "to the last layer.",
    ),
)
LIST_HINTS = (
    (
        "列表有 M + 1 个数：第 0 个是嵌入，第 M 个是最后一层。",
        "The list has M + 1 numbers: entry 0 is the embeddings, entry M the last layer.",
    ),
    (
        "第一个总是 0，最后一个总是 L。",
        "The first is always 0, and the last always L.",
    ),
)
MAPPING_REFUSAL_HINTS = (
    (
        "L = 4，M 取 0、1、4、5：哪几个该抛出 ValueError？",
        "L = 4 and M of 0, 1, 4 and 5: which of them should raise a ValueError?",
    ),
    (
        "M 至少是 1，最多是 L；一样多也可以，除不尽也可以。",
        "M is at least 1 and at most L; as many is fine, and so is a division with a remainder.",
    ),
)

MAPPING = {
    "rounded_otherwise": (
        (
            {"entry": "nearest"},
            {"entry": "up"},
            {"entry": "half_up"},
            {"entry": "from_the_end"},
        ),
        "取整不对：m·L / M 应当向下取整。",
        "It is rounded another way; m·L / M should be rounded down.",
        SPREAD_HINTS,
    ),
    "step_rounded_first": (
        ({"entry": "step_down"}, {"entry": "step_nearest"}, {"entry": "step_up"}),
        "步长 L / M 先取了整，再乘 m：除不尽时就走偏了。",
        "The step L / M is rounded before it is multiplied with m: with a remainder it goes "
        "astray.",
        SPREAD_HINTS,
    ),
    "not_spread_evenly": (
        (
            {"entry": "first_ones"},
            {"entry": "last_ones"},
            {"entry": "all_last_ones"},
            {"entry": "turned"},
        ),
        "没有均匀地分：只用了老师开头（或末尾）的几层，或者 M 和 L 弄反了。",
        "Layers aren't spread evenly: only the teacher's first (or last) ones are used, or M and L "
        "are exchanged.",
        SPREAD_HINTS,
    ),
    "ends_do_not_meet": (
        ({"entry": "one_less"}, {"entry": "last_but_one"}, {"entry": "as_many_more"}),
        "编号差了一个：0 是嵌入，L 是老师的最后一层。",
        "Numbers are one off: 0 is the embeddings, and L the teacher's last layer.",
        LIST_HINTS,
    ),
    "another_number_of_entries": (
        ({"first": "left_out"}, {"first": "last_left_out"}, {"first": "one_more"}),
        "列表的长度不对：应当是 M + 1 个，从嵌入到最后一层。",
        "The list has a wrong length: it should have M + 1 entries, from the embeddings to the "
        "last layer.",
        LIST_HINTS,
    ),
    "no_whole_numbers": (
        ({"returned": "floats"}, {"returned": "exact"}, {"returned": "pairs"}),
        "应当返回整数的列表。",
        "A list of ints should come back.",
        LIST_HINTS,
    ),
    "numbers_not_checked": (
        (
            {"refusal": "never"},
            {"refusal": "more_only"},
            {"refusal": "none_only"},
            {"refusal": "negative_or_more"},
        ),
        NOT_REFUSED.zh,
        NOT_REFUSED.en,
        MAPPING_REFUSAL_HINTS,
    ),
    "too_much_refused": (
        ({"refusal": "equal_too"}, {"refusal": "one_too"}, {"refusal": "uneven_too"}),
        "不该报错的也报错了：M 从 1 到 L 都可以。",
        "More is refused than should be: any M from 1 to L is fine.",
        MAPPING_REFUSAL_HINTS,
    ),
}
