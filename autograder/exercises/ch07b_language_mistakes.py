"""Mistakes in sampling languages and in the table of transfer: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import ARGUMENT_CHANGED, REFUSAL_HINTS

POWER_HINTS = (
    (
        "counts 是 900 和 100：指数 1 应当是 0.9 和 0.1，指数 0 各一半，0.5 是 0.75 和 0.25。",
        "Let counts be 900 and 100: an exponent of 1 should give 0.9 and 0.1, one of 0 a half "
        "each, and 0.5 makes 0.75 and 0.25.",
    ),
    (
        "份额取 s 次幂，s 就是 exponent，不是它的倒数，也不是 1 减去它。",
        "Shares are raised to the power s, and s is exponent itself, not its inverse nor 1 less "
        "it.",
    ),
)
ANEW_HINTS = (
    (
        "把结果加起来：应当是 1。",
        "Add the result up: it should make 1.",
    ),
    (
        "取过幂以后，份额加起来不再是 1，要再除以它们的和。",
        "Raised to a power, shares no longer add up to 1; they have to be divided by their sum.",
    ),
)
NOTHING_HINTS = (
    (
        "counts 里有一个 0，exponent = 0：0 的 0 次幂在 NumPy 里是多少？",
        "One of counts is 0 and the exponent is 0: what does NumPy make of 0 to the power of 0?",
    ),
    (
        "没有文字的语言一次也抽不到：它的份额是 0，位置留着，别的语言也不因它而变。",
        "A language without text is never drawn: its share is 0, it keeps its place, and the "
        "others don't change by it.",
    ),
)

WEIGHTS = {
    "not_shared_anew": (
        (
            {"shared": "not"},
            {"shared": "not", "smoothing": "of_counts"},
            {"shared": "by_counts", "smoothing": "of_counts"},
            {"shared": "by_largest"},
            {"shared": "length_one"},
        ),
        "取幂以后没有再归一：份额加起来不是 1。",
        "After the power shares aren't divided by their sum: they don't add up to 1.",
        ANEW_HINTS,
    ),
    "not_smoothed": (
        ({"shared": "before"}, {"power": "one"}),
        "没有取幂：份额还是原来的。",
        "No power is taken: the shares are what they were.",
        POWER_HINTS,
    ),
    "exponent_not_used": (
        ({"power": "always_0.7"}, {"power": "always_half"}),
        "不管 exponent 给多少，用的都是同一个指数。",
        "Whatever exponent is given, one and the same is used.",
        POWER_HINTS,
    ),
    "another_exponent": (
        ({"power": "inverse"}, {"power": "one_less"}, {"power": "negative"}),
        "指数不对：用了倒数、1 减去它，或者它的相反数。",
        "The exponent is another one: the inverse, 1 less it, or its negative.",
        POWER_HINTS,
    ),
    "another_smoothing": (
        (
            {"smoothing": "logarithm"},
            {"smoothing": "exponential"},
            {"smoothing": "exponential_of_shares"},
            {"smoothing": "towards_equal"},
            {"smoothing": "towards_equal_turned"},
        ),
        "平滑的办法不对：用了对数、softmax、或者和均匀份额的平均，不是取幂。",
        "Smoothing is done in another way: by logarithms, a softmax, or a mean with equal shares, "
        "not by a power.",
        POWER_HINTS,
    ),
    "nothing_gets_a_share": (
        ({"nothing": "one_of_it"}, {"nothing": "one_more"}),
        "没有文字的语言也分到了份额（0 的 0 次幂是 1，或者每个数都加了 1）。",
        "A language without text gets a share: 0 to the power of 0 is 1, or 1 was added to all "
        "counts.",
        NOTHING_HINTS,
    ),
    "nothing_is_left_out": (
        {"nothing": "left_out"},
        "没有文字的语言从结果里消失了：位置应当留着，份额是 0。",
        "A language without text is missing from the result; it should keep its place, with a "
        "share of 0.",
        NOTHING_HINTS,
    ),
    "per_cent": (
        {"shared": "percent"},
        "份额成了百分数。",
        "Shares are per cent.",
        ANEW_HINTS,
    ),
    "bad_counts_not_refused": (
        (
            {"refusal": "none"},
            {"refusal": "sum_only"},
            {"refusal": "zero_only"},
            {"refusal": "negative_only"},
            {"refusal": "negative_sum_only"},
        ),
        "有负数，或者全是 0，却没有抛出 ValueError。",
        "A negative count, or counts that are all 0, don't raise a ValueError.",
        REFUSAL_HINTS,
    ),
    "arguments_changed": ARGUMENT_CHANGED,
}

TURN_HINTS = (
    (
        "两种语言：第 0 行第 1 列，应当是谁学、谁考？",
        "Of two languages: who is taught and who is tested in row 0, column 1?",
    ),
    (
        "一行里只有一个模型，一列里只有一份 test。",
        "There is one model in a row and one test split in a column.",
    ),
)
ONCE_HINTS = (
    (
        "在你交给 fit 的函数里数一数它被叫了几次，每次是哪种语言。",
        "Count inside of the fit that you hand in how often it is called, and with which language.",
    ),
    (
        "一种语言学好一个模型，这个模型考完所有的 test，再也不用学。",
        "A language makes one model, and that model takes all the tests; nothing is learnt anew.",
    ),
)
SPLIT_HINTS = (
    (
        "每一对里，前一个是用来学的，后一个是用来考的。",
        "Of every pair the first is to learn from and the second to be tested by.",
    ),
    (
        "fit 只见 train，accuracy 只见 test，对角线上也一样。",
        "fit sees train only, accuracy sees test only, on the diagonal, too.",
    ),
)
CELL_HINTS = (
    (
        "K = 3 应当有 9 个数：打印你的表，哪几格没有叫过 accuracy？",
        "With K = 3 there should be 9 numbers: print your table, and see which cells accuracy was "
        "never called for.",
    ),
    (
        "每个模型考每一份 test，自己语言的也考；英考中和中考英是两个数。",
        "Every model takes every test, that of its own language, too; from English to Chinese and "
        "back are two numbers.",
    ),
)

TRANSFER = {
    "rows_and_columns_exchanged": (
        {"turned": "rows_are_tested"},
        "行和列反了：行是学的语言，列是考的语言。",
        "Rows and columns are exchanged: a row is the language learnt from, a column the one "
        "tested on.",
        TURN_HINTS,
    ),
    "fitted_for_every_cell": (
        (
            {"fitting": "for_every_cell"},
            {"fitting": "for_every_cell_by_columns"},
            {"fitting": "twice"},
        ),
        "fit 叫了不止 K 次：每种语言只该学一次。",
        "fit is called more than K times; every language should be learnt once.",
        ONCE_HINTS,
    ),
    "fitted_in_another_order": (
        {"order": "backwards"},
        "学的次序不是 sets 的次序。",
        "Languages aren't learnt in the order of sets.",
        ONCE_HINTS,
    ),
    "judged_by_train": (
        {"tested": "train"},
        "考的是 train，不是 test。",
        "It is train that models are tested on, not test.",
        SPLIT_HINTS,
    ),
    "fitted_on_test": (
        ({"taught": "test"}, {"taught": "test", "tested": "train"}),
        "学的是 test，不是 train。",
        "It is test that is learnt from, not train.",
        SPLIT_HINTS,
    ),
    "one_model_for_all": (
        ({"model": "last"}, {"model": "first"}),
        "每一行用的都是同一个模型。",
        "All rows use one and the same model.",
        CELL_HINTS,
    ),
    "diagonal_missing": (
        (
            {"cells": "others"},
            {"cells": "others_and_nan"},
            {"cells": "others_and_one"},
        ),
        "对角线没有算：自己的语言也要考。",
        "The diagonal isn't filled in: models take the test of their own language, too.",
        CELL_HINTS,
    ),
    "half_of_the_table": (
        ({"cells": "mirrored"}, {"cells": "upper"}, {"scale": "mean_of_both"}),
        "只算了一半的表，另一半是照抄的（或者是 0）：两个方向是两个数。",
        "Only half of the table is computed, the other is copied, or 0: the two directions are two "
        "numbers.",
        CELL_HINTS,
    ),
    "own_language_only": (
        ({"cells": "own"}, {"cells": "own_in_a_table"}),
        "只考了自己的语言。",
        "Only the models' own languages are tested.",
        CELL_HINTS,
    ),
    "not_a_table": (
        ({"cells": "in_one_row"}, {"cells": "first_column"}, {"scale": "mean"}),
        "形状不对：应当是 (K, K)。",
        "The shape is wrong: it should be (K, K).",
        CELL_HINTS,
    ),
    "something_done_to_it": (
        (
            {"scale": "less_its_own"},
            {"scale": "over_its_own"},
            {"scale": "percent"},
            {"scale": "errors"},
        ),
        "表里不是 accuracy 给的数：减了、除了对角线，成了百分数或者错的份额。",
        "The table doesn't hold what accuracy gave: the diagonal is taken off or divided by, or it "
        "is per cent or the share of errors.",
        CELL_HINTS,
    ),
}
