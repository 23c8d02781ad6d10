"""The drill of notebook ch06b: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch06b_spans/drill.py, in its order, as the oracle's switches; a test
# compares them.
ILLS = {
    "stride_as_overlap": {"step": "overlap_at_least_one"},
    "last_window_lost": {"until": "full_only"},
    "end_before_start": ({"search": "each_alone"}, {"order": "any"}),
    "span_in_question": (
        {"area": "all_up_to_the_window"},
        {"area": "all_but_cls"},
        {"area": "row"},
    ),
    "place_in_window": ({"places": "in_the_window"}, {"places": "in_the_row"}),
    "null_of_last_window": {"null": "last"},
    "threshold_sign": {"decided": "turned"},
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同样的小文章，"
    "看看答案是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small text and see whether the answers agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：一个词元的分数、它的位置、stride、threshold。答案哪一次不该变却变了，该变却没变？",
        "Change one thing at a time: the score of a token, its place, stride, threshold. When does "
        "the answer change and shouldn't, or stay and shouldn't?",
    ),
    (
        "拿 3 个窗的文章，用纸笔走一遍：窗的两端、每个窗最好的一段、[CLS] 的分数、最后的决定。",
        "Go through a text of 3 windows on paper: the windows' ends, the best span of each, the "
        "scores at [CLS], the decision.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "每一行先打印出来看：这个窗从哪里到哪里，这一行是哪些词元？",
        "Print every row: from where to where is the window, and which tokens are in the row?",
    ),
)
NULL_HINTS = (
    (
        "三个窗，[CLS] 的分数是 5、2、4：空答案得几分？",
        "Three windows with scores 5, 2 and 4 at [CLS]: what is the score of no answer?",
    ),
    (
        "只要有一个窗觉得里面有答案，就该算有：所以取最小的。",
        "If one window thinks that it has an answer, there may be one: that is why the smallest "
        "counts.",
    ),
)
DECIDE_HINTS = (
    (
        "空答案 5 分，最好的一段 3 分，threshold 是 1：有没有答案？threshold 是 3 呢？",
        "No answer scores 5, the best span 3, threshold is 1: is there an answer? And with a "
        "threshold of 3?",
    ),
    (
        "对照说明里的那句话：高出多于 threshold，才说没有。",
        "Compare with the contract: only if it is above by more than threshold there is none.",
    ),
)

OTHERS = {
    "another_null": (
        (
            {"null": "first"},
            {"null": "highest"},
            {"null": "mean"},
            {"null": "of_the_best"},
            {"null": "start_only"},
        ),
        "空答案的分数不对：应当是各窗里最小的那个和。",
        "The score of no answer is wrong: it should be the smallest of the windows' sums.",
        NULL_HINTS,
    ),
    "decided_otherwise": (
        (
            {"decided": "threshold_turned"},
            {"decided": "threshold_missing"},
            {"decided": "answer_below"},
            {"decided": "ratio"},
            {"decided": "never"},
        ),
        "有没有答案，决定得不对：threshold 用反了，或者没有用。",
        "Whether there is an answer is decided wrongly: threshold has the wrong sign, or isn't "
        "used.",
        DECIDE_HINTS,
    ),
    "another_window_wins": (
        ({"kept": "last"}, {"kept": "first"}, {"kept": "worst"}, {"until": "first_only"}),
        "最好的一段不是在所有窗里挑的。",
        "The best span isn't chosen among all windows.",
        STEP_HINTS,
    ),
    "one_end_first": (
        ({"search": "start_first"}, {"search": "end_first"}, {"order": "end_after"}),
        "先定一端再挑另一端，或者不许只有一个词元的答案。",
        "One end is chosen before the other, or answers of one token aren't allowed.",
        STEP_HINTS,
    ),
    "length_wrong": (
        ({"limit": "one_more"}, {"limit": "one_less"}, {"limit": "none"}),
        "答案的长度：max_answer 没有用上，或者差了一个。",
        "The length of the answer: max_answer isn't used, or is off by one.",
        STEP_HINTS,
    ),
    "part_of_the_row": (
        (
            {"area": "one_less"},
            {"area": "without_its_first"},
            {"area": "one_more"},
            {"area": "one_early"},
        ),
        "能当答案的位置差了一个：应当正好是窗里的词元。",
        "Places for the answer are off by one; they should be just the window's tokens.",
        STEP_HINTS,
    ),
    "another_room": (
        ({"room": "two_marks"}, {"room": "four_marks"}, {"room": "no_marks"}),
        "一行放得下几个词元，数错了。",
        "How many tokens fit into a row is miscounted.",
        STEP_HINTS,
    ),
    "another_step": (
        ({"step": "room"}, {"step": "one"}, {"too_large": "not_looked_at"}),
        "步长不对。",
        "The step is wrong.",
        STEP_HINTS,
    ),
    "another_end": (
        ({"tail": "moved_back"},),
        "最后一个窗往回挪了，凑成了满的。",
        "The last window is moved back to be full.",
        STEP_HINTS,
    ),
    "row_wrong": (
        (
            {"segments": "zeros"},
            {"segments": "turned"},
            {"segments": "sep_in_the_second"},
            {"segments": "last_sep_zero"},
            {"marks": "sep_missing"},
        ),
        "交给 score 的一行不对：少了 [SEP]，或者片段号错了。",
        "The row that score gets is wrong: a [SEP] is missing, or segments are.",
        STEP_HINTS,
    ),
    "places_off": (
        ({"places": "end_exclusive"}, {"places": "in_the_row_and_the_text"}),
        "答案的位置差了：两端都含，都是在文章里的。",
        "The places of the answer are off: both ends belong to it, and are those in the text.",
        STEP_HINTS,
    ),
}
