"""Mistakes in choosing the positions to guess: switches and sentences."""

from autograder.exercises.ch05b_choose_hints import (
    DRAW_HINTS,
    EMPTY_HINTS,
    FIRST_ROW_HINTS,
    FORM_HINTS,
    FRONT_HINTS,
    NUMBER_HINTS,
    ROW_HINTS,
    SEED_HINTS,
    SPECIAL_HINTS,
)

CHOOSING = {
    "special_tokens_chosen": (
        (
            {"candidates": "all"},
            {"candidates": "all", "count": "of_the_ordinary"},
            {"candidates": "nonzero"},
            {"candidates": "not_the_ends"},
            {"candidates": "first_special_only"},
            {"candidates": "last_special_only"},
            {"candidates": "above_specials"},
        ),
        "特殊词元没有排除干净：要看编号在不在 special_ids 里，不是看它是不是 0、站在哪里，或者"
        "大不大。",
        "Special tokens aren't left out as they should be: what counts is whether an id is in "
        "special_ids, not whether it is 0, where it stands or how large it is.",
        SPECIAL_HINTS,
    ),
    "only_special_tokens_chosen": (
        {"candidates": "inverted"},
        "反了：挑的全是特殊词元。",
        "The wrong way round: only special tokens are picked.",
        SPECIAL_HINTS,
    ),
    "own_special_ids": (
        {"candidates": "zero_to_four"},
        "没有用参数 special_ids，排除的总是编号 0 到 4：是用了外面的名字（如 SPECIAL），还是"
        "写死了？",
        "The argument special_ids isn't used; ids 0 to 4 are left out instead. Is it a name from "
        "outside, such as SPECIAL, or are they written into the code?",
        SPECIAL_HINTS,
    ),
    "id_zero_never_chosen": (
        {"candidates": "ordinary_but_zero"},
        "编号 0 的词元从来不挑：它是普通词元，跟别的一样。",
        "The token with id 0 is never picked: it is an ordinary one like the others.",
        SPECIAL_HINTS,
    ),
    "specials_of_the_first_row": (
        {"candidates": "of_the_first_row"},
        "每一行都用了第一行的普通位置。",
        "Every row uses the ordinary positions of the first.",
        ROW_HINTS,
    ),
    "share_of_all_tokens": (
        ({"count": "of_the_length"}, {"drawing": "filtered", "count": "of_the_length"}),
        "个数是按整行的长度 T 算的，特殊词元和填充也数了进去。",
        "The number is a share of the whole row, T, in which special tokens and padding count too.",
        NUMBER_HINTS,
    ),
    "share_of_another_number": (
        ({"count": "of_the_slots"}, {"count": "of_the_first_row"}, {"count": "of_the_mean"}),
        "个数不是按这一行自己的普通词元算的（按了 P、第一行，或者平均数）。",
        "The number isn't worked out from this row's own ordinary tokens, but from P, from the "
        "first row, or from a mean.",
        NUMBER_HINTS,
    ),
    "rounded_down": (
        ({"count": "floor"}, {"count": "floor_without_minimum"}),
        "个数一律舍去了小数：约定四舍五入。",
        "The number is always rounded down; it should go to the nearest.",
        NUMBER_HINTS,
    ),
    "rounded_up": (
        {"count": "ceiling"},
        "个数一律进了一：约定四舍五入。",
        "The number is always rounded up; it should go to the nearest.",
        NUMBER_HINTS,
    ),
    "at_least_one_forgotten": (
        {"count": "no_minimum"},
        "普通词元少的行一个也没挑：约定至少一个。",
        "Rows with few ordinary tokens have no picks at all; there should be one at least.",
        NUMBER_HINTS,
    ),
    "another_number": (
        (
            {"count": "one_always"},
            {"count": "all_slots"},
            {"count": "one_more"},
            {"count": "rate_of_the_rest"},
        ),
        "每行挑的个数不对：总是一个，总是填满槽位，多一个，比例用反了，或者没有用参数 mask_rate"
        "（比如写死了 0.15）。",
        "The number of picks is wrong: always one, always as many as there are slots, one too "
        "many, a share of what should stay, or mask_rate isn't used (a fixed 0.15, say).",
        NUMBER_HINTS,
    ),
    "more_than_the_slots": (
        ({"count": "uncapped"}, {"count": "uncapped_wider"}),
        "挑的个数超过了 max_predictions，放不进 P 个槽位。",
        "More are picked than max_predictions, and P slots can't hold them.",
        NUMBER_HINTS,
    ),
    "cut_after_sorting": (
        {"drawing": "cut_after_sorting"},
        "挑多了，排好序再留前 P 个：靠前的位置就更容易留下来。先把个数减到 P，再抽签。",
        "Too many are drawn, sorted, and then cut to P, which favours positions in front. Bring "
        "the number down to P first and draw then.",
        DRAW_HINTS,
    ),
    "each_token_on_its_own": (
        (
            {"drawing": "independent"},
            {"drawing": "independent_crash"},
            {"drawing": "independent_at_least_one"},
        ),
        "每个词元各抽各的签，于是每行的个数忽多忽少；约定每行正好 n 个。",
        "Every token draws its own lot, so that the number in a row varies; exactly n should be "
        "picked in each.",
        NUMBER_HINTS,
    ),
    "filtered_after_the_draw": (
        {"drawing": "filtered"},
        "先在整行里抽，再把抽到的特殊词元去掉：剩下的常常不到 n 个。",
        "Drawn from the whole row, with special tokens taken out afterwards: often fewer than n "
        "are left.",
        DRAW_HINTS,
    ),
    "drawn_with_replacement": (
        ({"drawing": "replaced"}, {"drawing": "replaced_once"}),
        "抽过的又放了回去：同一个位置会抽到两次。",
        "What was drawn is put back: one position can be drawn twice.",
        DRAW_HINTS,
    ),
    "neighbours_chosen": (
        {"drawing": "run"},
        "挑的总是连着的一段：应当哪几个都有同样的机会。",
        "It is always a run of neighbours that is picked; any positions should have the same "
        "chance.",
        DRAW_HINTS,
    ),
    "always_the_same_places": (
        ({"drawing": "first"}, {"drawing": "last"}),
        "挑的总是最前面（或最后面）的几个，没有抽签。",
        "It is always the first (or last) ones that are picked; nothing is drawn.",
        DRAW_HINTS,
    ),
    "numbers_of_candidates": (
        {"drawing": "numbers_of_candidates"},
        "返回的是候选名单里的序号（第几个普通词元），不是它们在行里的位置。",
        "What comes back are numbers in the list of candidates (the how-manieth ordinary token), "
        "not positions in the row.",
        DRAW_HINTS,
    ),
    "rows_share_a_draw": (
        {"rows_share": "one_draw"},
        "各行用的是同一次抽签：同样的行总挑中同样的位置。",
        "All rows share one draw: equal rows have equal picks.",
        ROW_HINTS,
    ),
    "only_the_first_row": (
        {"rows_share": "only_the_first"},
        "只有第一行挑了，后面的行全空着：return 是不是缩进到行的循环里去了？",
        "Only the first row has picks, and all others are empty: is return indented into the loop "
        "over rows?",
        FIRST_ROW_HINTS,
    ),
    "position_zero_left_out": (
        ({"candidates": "place_zero_never"}, {"drawing": "place_zero_unseen"}),
        "位置 0 从来挑不中，或者挑中了权重却是 0：那里也可能站着普通词元，“位置大于 0”什么也"
        "说明不了。",
        "Position 0 is never picked, or its weight is 0 when it is: an ordinary token may stand "
        "there, too, so “positions above 0” tells nothing.",
        FRONT_HINTS,
    ),
    "not_ascending": (
        {"order": "as_drawn"},
        "挑中的位置没有从小到大排。",
        "The picked positions aren't in ascending order.",
        FORM_HINTS,
    ),
    "slots_in_another_order": (
        ({"order": "sorted_with_empty_slots"}, {"order": "at_the_end"}),
        "空着的槽位跑到了前面：用上的应当在前。（是不是连填充的 0 一起排了序？）",
        "Unused slots come first, and those in use should. (Were the zeros sorted along with the "
        "positions?)",
        FORM_HINTS,
    ),
    "unused_slots_filled": (
        ({"fill": "minus_one"}, {"fill": "length"}, {"fill": "others"}),
        "空着的槽位里不是 0：是 −1、T，或者没用上的位置。",
        "Unused slots hold something else than 0: −1, T, or positions that aren't in use.",
        FORM_HINTS,
    ),
    "weights_are_wrong": (
        (
            {"weights": "all_ones"},
            {"weights": "ints"},
            {"weights": "bools"},
            {"weights": "shares"},
            {"weights": "double"},
        ),
        "权重不对：用上的槽位是 1.0，空着的是 0.0，类型是 float32（NumPy 不说就是 float64）。",
        "The weights are wrong: 1.0 in slots in use and 0.0 in others, as float32 (NumPy takes "
        "float64 unless told otherwise).",
        FORM_HINTS,
    ),
    "another_width": (
        ({"width": "as_needed"}, {"width": "no_more_than_length"}, {"width": "length"}),
        "列数不对：不管用上几个，总是 P 列。",
        "The number of columns is wrong: there are always P, however many are in use.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "exchanged"},
            {"returned": "positions_only"},
            {"returned": "token_ids"},
            {"returned": "floats"},
            {"returned": "lists"},
        ),
        "返回的不是（位置，权重）两个数组：次序反了，少了一样，是列表，是词元编号，或者位置不是整数。",
        "What comes back isn't two arrays (positions, weights): they are exchanged, one is "
        "missing, they are lists, or token ids, or positions that aren't ints.",
        FORM_HINTS,
    ),
    "empty_row_not_foreseen": (
        ({"empty": "crash"}, {"empty": "first_place"}, {"empty": "any_place"}),
        "一行里没有普通词元时出了错，或者还是挑了一个。",
        "A row without ordinary tokens ends in an error, or something is picked all the same.",
        EMPTY_HINTS,
    ),
    "seed_not_used": (
        ({"seed_use": "ignored"}, {"seed_use": "fixed"}),
        "种子没有用上：同一个种子给出不同的结果，或者换了种子结果还一样。",
        "The seed isn't used: one seed gives different results, or different seeds the same.",
        SEED_HINTS,
    ),
    "argument_written": (
        {"argument": "written"},
        "传进来的 token_ids 被改动了：后面的步骤还要用它。",
        "The token_ids that were handed in are changed, and later steps still need them.",
        (
            (
                "调用前后各打印一次 token_ids：一样吗？",
                "Print token_ids before and after the call: are they the same?",
            ),
            ("哪一行往它里面写了东西？", "Which line writes into it?"),
        ),
    ),
}
