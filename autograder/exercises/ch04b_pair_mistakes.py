"""Mistakes in putting two texts into one row: switches, sentences and hints."""

from autograder.exercises.ch04b_frame_mistakes import FORM, FORM_HINTS, FRAME, MARK_HINTS

PAIR_HINTS = (
    (
        "两段文字各有 7 个和 3 个词元，一共只放得下 6 个：应当各剩几个？7 个和 7 个，放 9 个呢？",
        "Texts of 7 and 3 tokens and room for 6: how many of each should stay? And of 7 and 7 with "
        "room for 9?",
    ),
    (
        "每次从长的那一段末尾去掉一个，直到放得下；一样长，就去掉第二段的。",
        "Take a token off the end of the longer text until both fit; of equal ones off the second.",
    ),
)
ORDER_HINTS = (
    (
        "第一个参数的文字，在结果里排第几？",
        "Which place does the text of the first argument have in the result?",
    ),
    (
        "“下雨了”推得出“地湿了”，倒过来不一定：次序是有意义的。",
        "“It rains” may entail “the street is wet”, but hardly the other way round: order matters.",
    ),
)

CUTS = {
    "longest_from_the_start": (
        {"cut": "longest_from_the_start"},
        "裁的是开头：约定裁末尾。",
        "It is the beginning that is cut; it should be the end.",
        PAIR_HINTS,
    ),
    "one_text_cut_only": (
        (
            {"cut": "second_then_first"},
            {"cut": "second_only"},
            {"cut": "first_then_second"},
            {"cut": "first_only"},
            {"cut": "longer_only"},
        ),
        "总是裁同一段：应当每次从长的那一段去掉一个。",
        "It is always the same text that is cut; each token should come off the longer one.",
        PAIR_HINTS,
    ),
    "both_cut_to_half": (
        (
            {"cut": "half_each"},
            {"cut": "half_always"},
            {"cut": "half_if_too_long"},
            {"cut": "half_if_too_long_odd_second"},
            {"cut": "half_always_odd_second"},
            {"cut": "half_each_odd_second"},
            {"cut": "half_each_odd_first"},
            {"cut": "in_proportion"},
        ),
        "两段各裁到一半（或按比例）：短的那一段明明放得下，不用裁。",
        "Each text is cut to a half, or in proportion, although the shorter one would fit.",
        PAIR_HINTS,
    ),
    "end_put_back_after_the_cut": (
        {"cut": "with_marks_extract_put_back"},
        "先拼好整行再裁，最后把 [EXTRACT] 补上：裁掉的总是第二段，第二段裁光了，就轮到分隔记号和"
        "第一段。",
        "The finished line is cut and [EXTRACT] put back: it is the second text that goes, and "
        "once it is gone, the delimiter and the first.",
        PAIR_HINTS,
    ),
    "each_cut_for_itself": (
        {"cut": "each_to_the_room"},
        "两段各自裁到了全部的位置：合在一起还是太长。",
        "Each text is cut to the whole room: together they are still too long.",
        PAIR_HINTS,
    ),
}
DELIMITER = {
    "delimiter_missing": (
        {"delimiter": "missing"},
        "两段之间没有分隔记号：模型分不清一段到哪里为止。",
        "There is no delimiter: the model can't tell where one text ends.",
        MARK_HINTS,
    ),
    "another_mark_between": (
        ({"delimiter": "begin"}, {"delimiter": "extract"}),
        "两段之间用错了记号：应当是 marks.delimiter。",
        "Another mark stands between the texts; it should be marks.delimiter.",
        MARK_HINTS,
    ),
    "delimiter_twice": (
        ({"delimiter": "delimiter_and_begin"}, {"delimiter": "twice"}),
        "两段之间多了一个记号。",
        "There is one mark too many between the texts.",
        MARK_HINTS,
    ),
    "delimiter_in_front": (
        {"delimiter": "in_front"},
        "分隔记号没有放在两段之间。",
        "The delimiter doesn't stand between the texts.",
        MARK_HINTS,
    ),
}
PAIR = (
    FRAME
    | FORM
    | CUTS
    | DELIMITER
    | {
        "texts_exchanged": (
            ({"order": "turned"}, {"order": "turned_before_the_cut"}),
            "两段文字的次序反了：前提在前，假设在后。",
            "The texts are in the wrong order: the premise comes first.",
            ORDER_HINTS,
        ),
        "equal_texts_cut_the_other_way": (
            {"cut": "ties_first"},
            "两段一样长的时候，裁的是第一段；约定裁第二段。",
            "Of two texts of one length the first is cut; it should be the second.",
            PAIR_HINTS,
        ),
        "two_sequences": (
            ({"returned": "two_rows"}, {"returned": "both_orders"}),
            "返回了两行；蕴含只要一行，两段文字都在里面。",
            "Two lines come back; entailment is asked with one that holds both texts.",
            FORM_HINTS,
        ),
    }
)
