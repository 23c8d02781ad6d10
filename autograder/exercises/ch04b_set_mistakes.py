"""Mistakes in asking with several rows, both orders or every answer: switches, sentences, hints."""

from autograder.exercises.ch04b_frame_mistakes import CUT_HINTS, FRAME
from autograder.exercises.ch04b_pair_mistakes import CUTS, DELIMITER, ORDER_HINTS

BOTH_HINTS = (
    (
        "把两个参数对调再调用一次：应当得到同样的两行，只是次序对调。",
        "Exchange the two texts and call again: the same two lines should come back, in the other "
        "order.",
    ),
    (
        "第二行不是第一行倒着写：两段文字对调，每段里的词元次序不变。",
        "The second line isn't the first one backwards: the texts change places, and each keeps "
        "the order of its tokens.",
    ),
)
ALIKE_HINTS = (
    (
        "两段各 7 个词元，只放得下 9 个：两行里，同一段文字剩下的词元一样吗？",
        "Two texts of 7 tokens and room for 9: does each text keep the same tokens in both lines?",
    ),
    (
        "先决定每段文字留下什么，再排成两种次序。",
        "Decide first what stays of each text, and only then put it in both orders.",
    ),
)
HALF_HINTS = (
    (
        "两段各有 8 个和 2 个词元，只放得下 6 个：短的那一段非裁不可吗？长的最多能留几个？",
        "Texts of 8 and 2 tokens and room for 6: does the short one have to be cut? How many can "
        "the long one keep?",
    ),
    (
        "只有两段都比一半长，才各裁到一半。",
        "Both are cut to a half only where both are longer than that.",
    ),
)
CHOICE_HINTS = (
    (
        "三个答案，应当返回几行？每一行里都有上文吗？",
        "Three answers: how many lines should come back, and does each hold the context?",
    ),
    (
        "模型一次只读一行：没有上文的一行，等于没有读题就作答。",
        "The model reads one line at a time: without the context it answers a question that it "
        "hasn't read.",
    ),
)
ONE_CUT_HINTS = (
    (
        "一个答案很长，另一个很短：短的那一行里，上文非得裁得跟长的一样多吗？",
        "One answer is long and another short: does the context in the short one's line have to be "
        "cut as much?",
    ),
    (
        "每一行各裁各的：拿那一个答案和上文去裁。",
        "Every line is cut for itself: that answer with the context.",
    ),
)

_NO_FORM = {name: data for name, data in (FRAME | DELIMITER).items() if name != "zero_cuts"}
SIMILAR = _NO_FORM | {
    "never_cut": (
        {"cut": "none"},
        "没有裁：结果比 max_length 长。",
        "Nothing is cut: the results are longer than max_length.",
        CUT_HINTS,
    ),
    "one_order_only": (
        ({"orders": "one"}, {"orders": "one_in_a_list"}),
        "只有一种次序：两段文字地位相同，两种次序都要。",
        "There is one order only; the texts are of equal rank, and both orders are wanted.",
        BOTH_HINTS,
    ),
    "same_order_twice": (
        {"orders": "same_twice"},
        "两行是同一种次序。",
        "Both lines have the same order.",
        BOTH_HINTS,
    ),
    "second_order_first": (
        {"orders": "turned_first"},
        "两行的先后反了：先按参数的次序。",
        "The lines have changed places: the order of the arguments comes first.",
        BOTH_HINTS,
    ),
    "tokens_reversed": (
        ({"orders": "second_marks_turned"}, {"orders": "words_reversed"}),
        "第二行是倒着写的：对调的是两段文字，不是词元。",
        "The second line is written backwards: texts change places, tokens don't.",
        BOTH_HINTS,
    ),
    "both_in_one_sequence": (
        ({"orders": "joined"}, {"orders": "joined_begin_once"}),
        "两种次序连成了一行；模型要分开读，应当返回两行。",
        "Both orders are joined into one line; the model reads each for itself, so two lines "
        "should come back.",
        BOTH_HINTS,
    ),
    "each_order_cut_for_itself": (
        {"agreement": "each_for_itself"},
        "两种次序各裁各的：放不下的那一个词元，在两行里从不同的文字上去掉了。",
        "Each order is cut for itself: the odd token comes off one text in one line and off the "
        "other in the other.",
        ALIKE_HINTS,
    ),
    "cut_by_the_first_order": (
        {"agreement": "by_the_first_order"},
        "按第一种次序裁的：对调参数，裁法就不一样了。两段都太长时，各留一样多。",
        "The cut is that of the first order: with the arguments exchanged it would be another. "
        "Where both are too long, both keep the same number.",
        ALIKE_HINTS,
    ),
    "both_cut_to_half": (
        (
            {"agreement": "other", "cut": "half_each"},
            {"agreement": "other", "cut": "half_always"},
            {"agreement": "other", "cut": "half_if_too_long"},
        ),
        "两段各裁到一半：短的那一段明明放得下，长的可以多留。",
        "Each text is cut to a half, although the shorter would fit and leave the longer more.",
        HALF_HINTS,
    ),
    "one_text_cut_only": (
        (
            {"agreement": "other", "cut": "second_then_first"},
            {"agreement": "other", "cut": "first_then_second"},
        ),
        "总是裁排在后面（或前面）的那一段：两行里留下的就不一样了。",
        "It is always the text that stands last, or first, that is cut: the lines keep different "
        "tokens.",
        ALIKE_HINTS,
    ),
    "zero_cuts": FRAME["zero_cuts"],
}
CHOICES = (
    FRAME
    | CUTS
    | DELIMITER
    | {
        "context_missing": (
            ({"shared": "left_out"}, {"shared": "none"}),
            "没有上文，只有答案：模型没有读题。",
            "There are answers and no context: the model hasn't read the question.",
            CHOICE_HINTS,
        ),
        "context_with_the_first_only": (
            {"shared": "first_only"},
            "只有第一个答案带着上文；每一个都要带。",
            "Only the first answer comes with the context; every one should.",
            CHOICE_HINTS,
        ),
        "context_grows": (
            {"shared": "grows"},
            "上文越来越长：前面的答案留在了里面。",
            "The context grows: the answers before are still in it.",
            CHOICE_HINTS,
        ),
        "all_answers_in_one_sequence": (
            ({"asked": "joined"}, {"asked": "joined_without_marks"}),
            "所有答案排进了一行；每个答案要有自己的一行，各打各的分。",
            "All answers stand in one line; each needs a line and a score of its own.",
            CHOICE_HINTS,
        ),
        "answers_left_out": (
            (
                {"asked": "last_bare"},
                {"asked": "first_bare"},
                {"asked": "first_only"},
                {"asked": "last_only"},
            ),
            "只返回了一行；每个答案都要有一行。",
            "One line comes back; every answer should have one.",
            CHOICE_HINTS,
        ),
        "first_answer_again": (
            {"asked": "first_again"},
            "每一行都是第一个答案。",
            "Every line holds the first answer.",
            CHOICE_HINTS,
        ),
        "answers_in_another_order": (
            {"asked": "backwards"},
            "行的次序跟答案的次序反了：标签就对不上了。",
            "The lines are in reverse order, and labels no longer match.",
            CHOICE_HINTS,
        ),
        "answer_before_the_context": (
            ({"order": "turned_before_the_cut"}, {"order": "turned"}),
            "答案排到了上文前面；约定上文在前。",
            "The answer stands before the context; the context should come first.",
            ORDER_HINTS,
        ),
        "one_cut_for_all": (
            ({"one_cut": "longest"}, {"one_cut": "first"}),
            "上文只裁了一次，大家共用：每一行应当各裁各的。",
            "The context is cut once for all lines; each should be cut for itself.",
            ONE_CUT_HINTS,
        ),
    }
)
