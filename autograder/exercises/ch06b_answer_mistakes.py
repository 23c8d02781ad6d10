"""Mistakes in finding the best answer: switches, sentences and hints."""

ENDS_HINTS = (
    (
        "窗里三个词元，开头的分数 [0, 1, 5]，结尾的 [4, 1, 0]：最好的一段是哪段？",
        "Three tokens in the window, start scores [0, 1, 5] and end scores [4, 1, 0]: which span "
        "is best?",
    ),
    (
        "先定下一端再挑另一端，可能错过更好的一对：每一对合法的都要比。",
        "Choosing one end first may miss a better pair; every legal pair has to be compared.",
    ),
)
AREA_HINTS = (
    (
        "offset 是 4，window_length 是 3：这一行的哪几个位置可以是答案？",
        "offset is 4 and window_length 3: which places of the row may be the answer?",
    ),
    (
        "窗以外的地方，分数再高也不算：先把窗切出来，再找。",
        "However high a score outside of the window is, it doesn't count: cut the window out "
        "first, then search.",
    ),
)
LENGTH_HINTS = (
    (
        "max_answer 是 1：开头和结尾是什么关系？是 2 呢？",
        "max_answer is 1: how are first and last related? And with 2?",
    ),
    (
        "从 first 到 last，两端都含，一共 last − first + 1 个词元。",
        "From first to last, both included, there are last − first + 1 tokens.",
    ),
)
PLACE_HINTS = (
    (
        "offset 是 4，window_start 是 100，答案是窗里的第一个词元：应当返回几？",
        "offset is 4, window_start 100, and the answer is the window's first token: what should "
        "come back?",
    ),
    (
        "一行里的位置减去 offset，是在窗里的位置；再加 window_start，是在文章里的。",
        "A place in the row less offset is the place in the window; plus window_start, it is that "
        "in the text.",
    ),
)
LAST_HINTS = (
    (
        "答案只有一个词元：first 和 last 应当是什么关系？你的呢？",
        "The answer is a single token: how should first and last be related? Are yours?",
    ),
    (
        "两端都属于答案：这里没有“不含”的一端。",
        "Both ends belong to the answer; neither of them is exclusive here.",
    ),
)
SCORE_HINTS = (
    (
        "开头的分数 2，结尾的分数 3：这一段是几分？",
        "A start score of 2 and an end score of 3: what is the score of the span?",
    ),
    (
        "分数就是两个数的和，不用 softmax，也不用减去别的。",
        "The score is the sum of two numbers, without a softmax and with nothing taken off.",
    ),
)
NULL_HINTS = (
    (
        "[CLS] 是这一行的第几个位置？",
        "Which place of the row is [CLS]?",
    ),
    (
        "空答案的分数也是两个数的和：[CLS] 作为开头，加 [CLS] 作为结尾。",
        "The score of no answer is a sum of two as well: [CLS] as first token plus [CLS] as last.",
    ),
)
LEAST_HINTS = (
    (
        "所有分数都是负的，你的循环一开始的“最好”是多少？",
        'When all scores are negative, what is the "best" that your loop begins with?',
    ),
    (
        "从 −∞ 开始，或者从第一个合法的一段开始。",
        "Begin with minus infinity, or with the first legal span.",
    ),
)
FORM_HINTS = (
    (
        "对照说明里“返回”那一条：四样，什么次序？",
        "Compare with what the contract says under Returns: four things, in which order?",
    ),
    (
        "要不要这个答案，不在这里决定：两个分数都交出去就行。",
        "Whether the answer is taken isn't decided here: both scores are handed on.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行用了 +=，或者往传进来的数组里写了数？",
        "Which line uses += or writes into an array that was handed in?",
    ),
    (
        "切片不是复制：往切片里写，原来的数组也变。",
        "A slice is no copy: what is written into it changes the original.",
    ),
)

ANSWERS = {
    "ends_chosen_alone": (
        (
            {"search": "each_alone"},
            {"search": "exchanged_if_turned"},
            {"search": "one_end_for_both"},
            {"search": "each_alone", "area": "row"},
        ),
        "开头和结尾各挑各的最高分：合起来未必是一段。",
        "First and last token are chosen by themselves; together they need not be a span.",
        ENDS_HINTS,
    ),
    "one_end_first": (
        (
            {"search": "start_first"},
            {"search": "end_first"},
            {"search": "start_first_unlimited"},
        ),
        "先定一端，再挑另一端：可能错过更好的一对。",
        "One end is chosen first and the other one after it, which may miss a better pair.",
        ENDS_HINTS,
    ),
    "end_before_start": (
        {"order": "any"},
        "结尾可以在开头前面了。",
        "The last token may be before the first.",
        ENDS_HINTS,
    ),
    "single_tokens_excluded": (
        {"order": "end_after"},
        "只有一个词元的答案不许了：开头和结尾可以是同一个。",
        "Answers of one token aren't allowed; first and last may be the same.",
        ENDS_HINTS,
    ),
    "outside_of_the_window": (
        (
            {"area": "row"},
            {"area": "all_but_cls"},
            {"area": "to_the_end_of_the_row"},
            {"area": "all_up_to_the_window"},
            {"area": "one_more"},
            {"area": "one_early"},
        ),
        "窗外面的位置也可以是答案：问题、特殊词元，或者填充。",
        "Places outside of the window may be the answer: question, special tokens or padding.",
        AREA_HINTS,
    ),
    "window_misplaced": (
        (
            {"area": "offset_forgotten"},
            {"area": "offset_forgotten", "places": "in_the_row_and_the_text"},
            {"area": "shifted_early"},
            {"area": "shifted_late"},
        ),
        "窗在一行里的位置错了：从 offset 起，共 window_length 个。",
        "The window is looked for in the wrong place: it is window_length places from offset on.",
        AREA_HINTS,
    ),
    "part_of_the_window": (
        ({"area": "one_less"}, {"area": "without_its_first"}),
        "窗的第一个或最后一个词元不能是答案了。",
        "The window's first or last token can't be the answer.",
        AREA_HINTS,
    ),
    "length_not_limited": (
        {"limit": "none"},
        "没有管 max_answer：答案太长。",
        "max_answer isn't heeded, and answers are too long.",
        LENGTH_HINTS,
    ),
    "length_off_by_one": (
        ({"limit": "one_more"}, {"limit": "one_less"}),
        "长度差了一个：两端都含，一共 last − first + 1 个词元。",
        "The length is off by one: both ends belong to the answer, which has last − first + 1 "
        "tokens.",
        LENGTH_HINTS,
    ),
    "length_exactly": (
        {"limit": "exactly"},
        "只找了正好 max_answer 个词元的；短的也可以。",
        "Only answers of exactly max_answer tokens are tried; shorter ones are fine, too.",
        LENGTH_HINTS,
    ),
    "places_not_in_the_text": (
        (
            {"places": "in_the_row"},
            {"places": "in_the_window"},
            {"places": "in_the_row_and_the_text"},
            {"places": "last_left_in_the_window"},
        ),
        "返回的位置不是在文章里的。",
        "The places that come back aren't those in the text.",
        PLACE_HINTS,
    ),
    "end_exclusive": (
        ({"places": "end_exclusive"}, {"places": "length"}),
        "last 应当是答案的最后一个词元，不是它后面的一个，也不是长度。",
        "last should be the last token of the answer, neither the one after it nor a length.",
        LAST_HINTS,
    ),
    "another_score": (
        (
            {"scored": "mean"},
            {"scored": "product"},
            {"scored": "start_only"},
            {"scored": "end_only"},
            {"scored": "log_shares"},
            {"scored": "shares"},
            {"scored": "best_of_each"},
        ),
        "位置对，分数不是两端之和。",
        "The places are right, but the score isn't the sum of both ends'.",
        SCORE_HINTS,
    ),
    "null_taken_off": (
        {"returned": "above_null"},
        "分数里减去了空答案的分数。",
        "The score of no answer is taken off the score.",
        SCORE_HINTS,
    ),
    "another_null": (
        (
            {"null": "start_only"},
            {"null": "end_only"},
            {"null": "mean"},
            {"null": "product"},
            {"null": "first_of_the_window"},
            {"null": "last_of_the_row"},
            {"null": "sep"},
            {"null": "best_outside"},
            {"null": "cls_and_sep"},
            {"null": "zero"},
        ),
        "空答案的分数不对：它是 [CLS] 那个位置的两个分数之和。",
        "The score of no answer is wrong: it is the sum of both scores at [CLS].",
        NULL_HINTS,
    ),
    "best_begins_at_zero": (
        ({"least": "zeros"}, {"least": "none"}, {"least": "start"}, {"least": "row"}),
        "分数全是负的时什么也没找到：“最好”是从 0 开始的。",
        "Nothing is found where all scores are negative: the best one so far begins at 0.",
        LEAST_HINTS,
    ),
    "best_begins_at_null": (
        (
            {"least": "null_zeros"},
            {"least": "null_none"},
            {"least": "null_start"},
            {"least": "null_row"},
        ),
        "空答案的分数高时，报的是它的分数：空答案不参加比较，它单独返回。",
        "Where no answer scores higher, its score is reported; no answer takes no part in the "
        "comparison, and is returned by itself.",
        FORM_HINTS,
    ),
    "unlawful_spans_score_zero": (
        {"unlawful": "zero"},
        "不合法的段记成了 0 分：合法的全是负分时，0 反而最高。",
        "Spans that aren't legal get a score of 0, which is the highest where all legal ones are "
        "negative.",
        LEAST_HINTS,
    ),
    "answer_already_decided": (
        {"returned": "answer_or_none"},
        "空答案的分数高时位置成了 −1：要不要答案，不在这里决定。",
        "Where no answer scores higher the places become −1; that isn't decided here.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "three"},
            {"returned": "places_only"},
            {"returned": "null_first"},
            {"returned": "places_first"},
            {"returned": "exchanged"},
        ),
        "返回的不是 (score, first, last, null_score)。",
        "What comes back isn't (score, first, last, null_score).",
        FORM_HINTS,
    ),
    "scores_changed": (
        {"edits": "in_place"},
        "传进来的 start_scores 被改动了。",
        "start_scores, which was handed in, is changed.",
        CHANGE_HINTS,
    ),
}
