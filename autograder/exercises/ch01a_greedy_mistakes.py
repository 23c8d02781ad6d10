"""Mistakes in greedy decoding: switches, sentences and hints."""

LOOP_HINTS = (
    (
        "在纸上走两步：第一步给它什么，第二步给它什么？",
        "Walk two steps on paper: what is it given in the first, and what in the second?",
    ),
    (
        "每一步拿到的，都应当是它自己上一步刚说的那个词元。",
        "Every step is given the token that was said just before.",
    ),
)
STATE_HINTS = (
    (
        "step 返回两样东西：第二样下一步要用。",
        "step returns two things, and the next step needs the second.",
    ),
    (
        "同一个词元连着给两次，分数应当一样吗？",
        "Should the same token, given twice in a row, get the same scores?",
    ),
)
END_HINTS = (
    (
        "一行结束以后，循环也许还要为别的行继续：那时这一行该写什么？",
        "Once a row has ended, the loop may have to go on for others: what is written in that row?",
    ),
    (
        "给每一行记一个“结束了没有”，每一步都更新它。",
        "Keep a flag for every row, whether it has ended, and update it at every step.",
    ),
)
STOP_HINTS = (
    (
        "什么时候可以停：一行结束，还是所有行都结束？",
        "When may it stop: when one row has ended, or when all have?",
    ),
    (
        "数一数：max_length 是几，最多就说几个词元。",
        "Count: no more tokens than max_length are ever said.",
    ),
)
FORM_HINTS = (
    (
        "对照说明：一行一句，不含开头给的那个。",
        "Compare with the contract: a row for each, without what was given first.",
    ),
    ("打印结果的形状和 dtype。", "Print shape and dtype of the result."),
)

GREEDY = {
    "never_stops_early": (
        ({"stops": "never"}, {"returned": "padded"}),
        "大家都结束了还在说：应当在最后一行结束时停下。",
        "It goes on though every row has ended: it should stop with the last of them.",
        STOP_HINTS,
    ),
    "stops_with_the_first_row_to_end": (
        {"stops": "any_ended"},
        "有一行结束就全停了：别的句子还没说完。",
        "It stops as soon as one row has ended: the others aren't done.",
        STOP_HINTS,
    ),
    "only_one_row_is_watched": (
        ({"stops": "first_ended"}, {"stops": "last_ended"}),
        "只看一行结束了没有，就决定停不停。",
        "A single row decides when to stop.",
        STOP_HINTS,
    ),
    "all_must_end_at_once": (
        {"stops": "all_say_end_at_once", "ended": "speaks_on"},
        "只看这一步是不是所有行都说了结束：早结束的行没有被记住。",
        "It stops only if all rows end in the same step: rows that ended earlier aren't "
        "remembered.",
        END_HINTS,
    ),
    "ended_rows_speak_on": (
        {"ended": "speaks_on"},
        "已经结束的行还在往下说；它应当一直填 end_id。",
        "Rows that have ended speak on; they should be filled with end_id.",
        END_HINTS,
    ),
    "filled_with_another_token": (
        tuple({"ended": form} for form in ("zero", "minus_one", "begin", "end_left_out")),
        "结束以后填的不是 end_id。",
        "Rows that have ended are filled with something else than end_id.",
        END_HINTS,
    ),
    "always_given_the_first_token": (
        {"fed": "begin"},
        "每一步给的都是 begin_id：它听不到自己说了什么。",
        "begin_id is given at every step: it never hears what it said.",
        LOOP_HINTS,
    ),
    "given_the_token_before_last": (
        {"fed": "one_late"},
        "给的词元晚了一步：应当是刚说的那个。",
        "It is given a token one step late: it should be the one just said.",
        LOOP_HINTS,
    ),
    "all_rows_hear_the_first": (
        {"fed": "first_row"},
        "所有行听到的都是第一行说的。",
        "All rows are given what the first row said.",
        LOOP_HINTS,
    ),
    "begins_with_another_token": (
        tuple({"first": form} for form in ("end", "zero", "one", "two")),
        "第一个给的不是 begin_id。",
        "What is given first isn't begin_id.",
        LOOP_HINTS,
    ),
    "states_not_carried_on": (
        ({"threaded": "start"}, {"threaded": "where_only"}),
        "状态没有传给下一步：每一步都从头开始。",
        "States aren't handed to the next step: each begins from the start.",
        STATE_HINTS,
    ),
    "not_the_likeliest": (
        tuple({"pick": form} for form in ("smallest", "second", "largest_size")),
        "选的不是分数最高的词元。",
        "It isn't the token with the highest score that is said.",
        LOOP_HINTS,
    ),
    "one_choice_for_all_rows": (
        {"pick": "over_batch"},
        "整批只选了一次；每一行要选自己的。",
        "One choice is made for the whole batch; every row makes its own.",
        LOOP_HINTS,
    ),
    "never_says_the_end": (
        {"pick": "not_the_end"},
        "不让它说 end_id，就永远结束不了。",
        "It is kept from saying end_id and can never end.",
        END_HINTS,
    ),
    "one_token_off": (
        ({"limit": "one_more"}, {"limit": "one_less"}),
        "次数差了一个：最多说 max_length 个词元。",
        "Off by one: at most max_length tokens are said.",
        STOP_HINTS,
    ),
    "begin_returned_too": (
        ({"returned": "begin_kept"}, {"returned": "begin_kept_last_lost"}),
        "结果里混进了 begin_id：那是给它的，不是它说的。",
        "begin_id is in the result: it was given, not said.",
        FORM_HINTS,
    ),
    "end_cut_off": (
        (
            {"returned": "end_cut"},
            {"returned": "last_end_cut"},  # the loop is left before the last end is kept
            {"returned": "lists_to_end"},
        ),
        "结束的词元被切掉了；约定留着它。",
        "The token that ends a row is cut off; it should stay.",
        FORM_HINTS,
    ),
    "time_comes_first": (
        {"returned": "time_first"},
        "时间轴跑到了批的前面；约定 (B, L)。",
        "Time stands before the batch; it should be (B, L).",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "last_only"},
            {"returned": "scores"},
            {"returned": "floats"},
            {"returned": "list"},
        ),
        "返回的不是 (B, L) 的整数编号。",
        "What comes back aren't whole-number ids of shape (B, L).",
        FORM_HINTS,
    ),
}
