"""Mistakes in laying windows over a text: switches, sentences and hints."""

ROOM_HINTS = (
    (
        "问题 3 个词元，T = 10：[CLS]、问题、[SEP]、窗、[SEP]，窗里放得下几个？",
        "A question of 3 tokens and T = 10: [CLS], question, [SEP], window, [SEP]. How many fit "
        "into the window?",
    ),
    (
        "一行里有三个特殊词元：开头一个，窗的前后各一个。",
        "There are three special tokens in a row, one in front and one on either side of the "
        "window.",
    ),
)
STEP_HINTS = (
    (
        "room 是 10，stride 是 4：第二个窗从 4 开始，还是从 6 开始？",
        "With a room of 10 and a stride of 4, does the second window begin at 4 or at 6?",
    ),
    (
        "stride 是下一个窗晚开始几个词元，不是两个窗共有几个。",
        "The stride is by how many tokens the next window begins later, not how many both have.",
    ),
)
LARGE_HINTS = (
    (
        "room 是 5，stride 是 8：第 5 到第 7 个词元在哪个窗里？",
        "With a room of 5 and a stride of 8, in which window are tokens 5 to 7?",
    ),
    (
        "步长比 room 大就会跳过词元；这时一次走 room 个，正好接上。",
        "A step larger than room skips tokens; then a step of room just joins the windows.",
    ),
)
LAST_HINTS = (
    (
        "文章 10 个词元，room 是 6，stride 是 2：哪个窗第一个到了末尾？后面还要不要？",
        "A text of 10 tokens, a room of 6, a stride of 2: which window is the first to reach the "
        "end, and is another one needed?",
    ),
    (
        "加进一个窗以后就看它的末端：到了文章末尾，就停。",
        "Look at a window's end as soon as it is added: where it is the text's, stop.",
    ),
)
END_HINTS = (
    (
        "文章 7 个词元，room 是 5，stride 是 3：第二个窗是 (3, 7)。你的呢？",
        "A text of 7 tokens, a room of 5, a stride of 3: the second window is (3, 7). Is yours?",
    ),
    (
        "末端不含，而且不超过文章的长度；最后一个窗短一些没关系，它的开始不动。",
        "Ends are exclusive and never beyond the text; the last window may be shorter, and its "
        "start stays.",
    ),
)
REFUSE_HINTS = (
    (
        "问题很长，room 是 0，或者是负数：循环会怎么样？stride 是 0 呢？",
        "The question is long and room is 0, or negative: what does the loop do? And with a stride "
        "of 0?",
    ),
    (
        "在循环前面问两件事：room 至少是 1 吗？stride 至少是 1 吗？",
        "Ask two things before the loop: is room at least 1, and is the stride?",
    ),
)
FORM_HINTS = (
    (
        "对照说明里“返回”那一条：窗是 context[start:end]。",
        "Compare with what the contract says under Returns: a window is context[start:end].",
    ),
    (
        "位置是在文章里的，不是在一行里的。",
        "Places are those in the text, not those in the row.",
    ),
)

WINDOWS = {
    "room_miscounted": (
        (
            {"room": "two_marks"},
            {"room": "no_marks"},
            {"room": "one_mark"},
            {"room": "four_marks"},
        ),
        "room 数错了：一行里有三个特殊词元。",
        "room is miscounted: a row has three special tokens.",
        ROOM_HINTS,
    ),
    "question_forgotten": (
        {"room": "question_forgotten"},
        "room 里没有减去问题的长度。",
        "The question's length isn't taken off room.",
        ROOM_HINTS,
    ),
    "stride_as_overlap": (
        (
            {"step": "overlap_at_least_one"},
            {"step": "overlap"},
            {"step": "overlap", "too_large": "not_looked_at"},
        ),
        "stride 当成了两个窗重叠的长度；它是步长。",
        "The stride is taken for the length of the overlap; it is the step.",
        STEP_HINTS,
    ),
    "another_step": (
        (
            {"step": "room"},
            {"step": "one"},
            {"step": "half"},
            {"step": "stride_more_one"},
            {"step": "stride_less_one"},
        ),
        "步长不是 stride。",
        "The step isn't stride.",
        STEP_HINTS,
    ),
    "large_stride_skips_tokens": (
        {"too_large": "not_looked_at"},
        "stride 大于 room 时漏了词元。",
        "Tokens are left out where stride is larger than room.",
        LARGE_HINTS,
    ),
    "large_stride_as_room_less_one": (
        {"too_large": "less_than_room"},
        "stride 不小于 room 时，一次走的不是 room 个。",
        "Where stride is room or more, the step isn't room.",
        LARGE_HINTS,
    ),
    "windows_after_the_last": (
        (
            {"until": "starts", "empty": "none"},
            {"until": "starts"},
            {"until": "starts", "empty": "none", "too_large": "not_looked_at"},
            {"until": "starts", "too_large": "not_looked_at"},
            {"until": "starts_after_adding"},
        ),
        "已经到了文章末尾，后面还有窗：它们里面的词元前一个窗全有。",
        "There are windows after one that reaches the end; the last one has all their tokens.",
        LAST_HINTS,
    ),
    "one_window_more_if_it_fits": (
        {"until": "past_the_end"},
        "窗正好到文章末尾时，后面还多了一个。",
        "Where a window just reaches the end, there is one more after it.",
        LAST_HINTS,
    ),
    "last_window_lost": (
        (
            {"until": "full_only"},
            {"until": "full_only_even_the_first"},
            {"until": "full_only_even_the_first", "too_large": "not_looked_at"},
            {"until": "full_only", "too_large": "not_looked_at"},
        ),
        "放不满的最后一个窗丢了：文章末尾没有人读。",
        "The last window is lost unless it is full, and nobody reads the end of the text.",
        LAST_HINTS,
    ),
    "stops_too_early": (
        ({"until": "first_only"}, {"until": "a_token_early"}),
        "停得太早：还没有到文章末尾。",
        "It stops too early, before the end of the text.",
        LAST_HINTS,
    ),
    "end_beyond_the_text": (
        {"tail": "not_clipped"},
        "最后一个窗的末端超出了文章。",
        "The last window ends beyond the text.",
        END_HINTS,
    ),
    "last_window_moved_back": (
        {"tail": "moved_back"},
        "最后一个窗往回挪了，凑成了满的；它应当短一些。",
        "The last window is moved back to be full; it should be shorter.",
        END_HINTS,
    ),
    "ends_misplaced": (
        (
            {"tail": "inclusive"},
            {"tail": "length"},
            {"tail": "short"},
            {"tail": "from_one"},
        ),
        "end 不对：它是最后一个词元的位置加 1，从 0 数起。",
        "end is wrong: it is the place of the last token plus 1, counted from 0.",
        END_HINTS,
    ),
    "empty_text_without_a_window": (
        ({"empty": "none"}, {"empty": "refused"}),
        "空文章没有窗，或者报错：应当有一个 (0, 0)。",
        "An empty text has no window, or raises; it should have one, (0, 0).",
        LAST_HINTS,
    ),
    "not_refused": (
        (
            {"refusal": "never"},
            {"refusal": "room_only"},
            {"refusal": "stride_only"},
            {"refusal": "negative_only"},
            {"refusal": "not_of_an_empty_text"},
        ),
        "放不下或者走不动时没有抛出 ValueError。",
        "No ValueError is raised where there is no room or no step.",
        REFUSE_HINTS,
    ),
    "too_much_refused": (
        ({"refusal": "full_windows_too"}, {"refusal": "large_strides_too"}),
        "不该报错的也抛出了 ValueError。",
        "A ValueError is raised where nothing is wrong.",
        REFUSE_HINTS,
    ),
    "windows_backwards": (
        {"returned": "reversed"},
        "窗都对，次序反了：从文章开头的那个排起。",
        "The windows are right, their order is reversed: the one at the beginning of the text "
        "comes first.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "starts"},
            {"returned": "places_in_the_row"},
            {"returned": "tokens"},
            {"returned": "with_offset"},
        ),
        "返回的不是 (start, end) 的列表。",
        "What comes back isn't a list of (start, end).",
        FORM_HINTS,
    ),
}
