"""Mistakes in a linear probe: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import ARGUMENT_CHANGED, REFUSAL_HINTS

CENTRE_HINTS = (
    (
        "给 features 和 test_features 的每一列都加上 100：分数应当一点不变。你的变了吗？",
        "Add 100 to every column of both features and test_features: scores shouldn't move at all. "
        "Do yours?",
    ),
    (
        "要减去的总是训练部分每列的平均；特征和测试特征减的是同一个。",
        "What is taken off is always the mean of each column over the training part, the same from "
        "features and test features.",
    ),
)
BACK_HINTS = (
    (
        "把 ridge 取得极大，W 就几乎是 0：这时每一行分数应当是训练部分各类的份额。",
        "Make the ridge huge and W is nearly 0: every row of scores should then be the shares of "
        "the classes in the training part.",
    ),
    (
        "解 W 之前从独热目标里减掉了什么，打分时就把什么加回来。",
        "What is taken off the one-hot targets before solving is put back when scoring.",
    ),
)
RIDGE_HINTS = (
    (
        "n = 1、D = 1 用纸笔算不出什么；n = 2、x = 1 和 −1、类 0 和 1，ridge = 2：W 是多少？",
        "Take n = 2, x = 1 and −1, classes 0 and 1, and a ridge of 2: what is W on paper?",
    ),
    (
        "公式里 λ 乘的是单位阵，加在 XᵀX 上；不除以 n，也不乘 n。",
        "In the formula λ multiplies the identity and is added to XᵀX; it is neither divided nor "
        "multiplied by n.",
    ),
)
TARGET_HINTS = (
    (
        "把独热目标打印出来：(n, C)，每行一个 1，在这个例子的类那一列。",
        "Print the one-hot targets: (n, C), with a single 1 in each row, in the column of its "
        "class.",
    ),
    (
        "C 由 num_classes 说了算，不由 labels 里出现了哪些类决定。",
        "C is what num_classes says, not what happens to occur in labels.",
    ),
)
RESULT_HINTS = (
    (
        "结果应当是 (M, C)：每个测试例子一行，每一类一列。",
        "The result should be (M, C): a row for each test example, a column for each class.",
    ),
    (
        "要的是分数本身：线性的，可以是负的，也可以大于 1。",
        "Scores themselves are wanted: linear, and they may be negative or above 1.",
    ),
)

PROBE = {
    "features_not_centred": (
        ({"centring": "targets_alone"}, {"centring": "none"}),
        "特征没有减去平均：常数项没人管，或者要靠斜率去凑。",
        "The features keep their means, so that slopes have to make up for a constant.",
        CENTRE_HINTS,
    ),
    "test_features_not_centred": (
        ({"centring": "test_left_alone"}, {"centring": "test_alone"}),
        "特征和测试特征，一个减了平均，一个没减。",
        "Of features and test features, one has its mean taken off and the other hasn't.",
        CENTRE_HINTS,
    ),
    "centred_by_the_test": (
        ({"centring": "test_by_itself"}, {"centring": "all_features"}),
        "减去的平均里有测试部分：它应当只是训练部分的。",
        "The mean that is taken off knows the test part; it should be that of the training part "
        "alone.",
        CENTRE_HINTS,
    ),
    "mean_of_the_wrong_axis": (
        (
            {"centring": "one_number_for_x"},
            {"centring": "one_number"},
            {"centring": "every_row"},
        ),
        "平均取错了轴：应当每列一个平均。",
        "The mean is over the wrong axis: each column should have its own.",
        CENTRE_HINTS,
    ),
    "target_mean_not_put_back": (
        (
            {"centring": "not_put_back"},
            {"centring": "equal_shares_back"},
            {"centring": "taken_off_once_more"},
        ),
        "打分时没有把训练部分各类的份额（独热目标的平均）加回来。",
        "The mean of the one-hot targets, the shares of the classes in the training part, isn't "
        "put back when scoring.",
        BACK_HINTS,
    ),
    "constant_penalised": (
        {"constant": "penalised"},
        "常数项也受了罚：给特征添了一列 1，岭也加在它上面。",
        "The constant is penalised, too: a column of ones was added, and the ridge falls on it.",
        BACK_HINTS,
    ),
    "standardised": (
        {"scaled": "to_unit_spread"},
        "特征还除以了标准差：这里只减平均。",
        "Features are divided by their standard deviation, too; here only the mean is taken off.",
        CENTRE_HINTS,
    ),
    "no_ridge": (
        ({"penalty": "none"}, {"penalty": "turned"}),
        "岭没有加上（或者成了减）。",
        "The ridge isn't added (or is taken off).",
        RIDGE_HINTS,
    ),
    "ridge_not_passed_on": (
        {"penalty": "always_1"},
        "不管 ridge 给多少，用的都是 1。",
        "Whatever ridge is given, 1 is used.",
        RIDGE_HINTS,
    ),
    "ridge_on_all_entries": (
        {"penalty": "on_all_entries"},
        "岭加在了矩阵的每个数上，应当只加在对角线上。",
        "The ridge is added to every entry of the matrix; it belongs on the diagonal alone.",
        RIDGE_HINTS,
    ),
    "ridge_of_another_size": (
        (
            {"penalty": "times_n"},
            {"penalty": "over_n"},
            {"penalty": "squared"},
            {"penalty": "halved"},
            {"penalty": "doubled"},
            {"penalty": "root"},
            {"penalty": "inverse"},
        ),
        "岭的大小不对：乘了、除了 n 或别的数，或者平方了。",
        "The ridge has the wrong size: it is multiplied or divided by n or something else, or "
        "squared.",
        RIDGE_HINTS,
    ),
    "classes_by_what_occurs": (
        (
            {"targets": "up_to_the_largest"},
            {"targets": "those_that_occur"},
            {"missing": "refused"},
        ),
        "有几类是照着 labels 里出现的来数的：没有例子的类也要有一列。",
        "The number of classes is read off labels; a class without an example should have a "
        "column, too.",
        TARGET_HINTS,
    ),
    "labels_as_numbers": (
        ({"targets": "the_numbers"}, {"targets": "the_numbers", "result": "in_one_row"}),
        "回归的目标是类的编号：第 3 类并不比第 1 类大两倍。",
        "The targets of the regression are the classes' numbers, as if class 3 were three times "
        "class 1.",
        TARGET_HINTS,
    ),
    "other_targets": (
        (
            {"targets": "plus_and_minus_one"},
            {"targets": "counted_from_one"},
            {"targets": "shares_of_classes"},
        ),
        "目标不是 0 和 1 的独热：用了别的数，或者 1 放错了列。",
        "The targets aren't one-hot with 0 and 1: other numbers are used, or the 1 is in the wrong "
        "column.",
        TARGET_HINTS,
    ),
    "not_scores": (
        ({"result": "softmax"}, {"result": "sigmoid"}, {"result": "one_hot"}),
        "返回的不是分数：又做了 softmax 或别的处理。",
        "What comes back aren't scores: a softmax or the like was put on them.",
        RESULT_HINTS,
    ),
    "classes_come_back": (
        ({"result": "classes"}, {"result": "largest"}),
        "每个例子只返回了一个数：应当是每一类一个分数。",
        "A single number comes back for each example; a score for each class is wanted.",
        RESULT_HINTS,
    ),
    "training_examples_scored": (
        {"result": "of_the_fitted"},
        "打分的是训练的例子，不是 test_features。",
        "It is the training examples that are scored, not test_features.",
        RESULT_HINTS,
    ),
    "axes_exchanged": (
        {"result": "turned"},
        "轴反了：应当是 (M, C)。",
        "The axes are the wrong way round: it should be (M, C).",
        RESULT_HINTS,
    ),
    "bad_labels_not_refused": (
        (
            {"refusal": "none"},
            {"refusal": "too_large_only"},
            {"refusal": "negative_only"},
            {"refusal": "larger_than_c"},
        ),
        "labels 里有小于 0 或不小于 C 的数，却没有抛出 ValueError。",
        "labels below 0, or C and above, don't raise a ValueError.",
        REFUSAL_HINTS,
    ),
    "arguments_changed": ARGUMENT_CHANGED,
}
