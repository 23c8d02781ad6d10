"""Mistakes in integrated gradients: switches, sentences and hints."""

POINT_HINTS = (
    (
        "路从 0 到 1，分两段：两个中点在哪里？打印你问的点。",
        "The way from 0 to 1 in two parts: where are their middles? Print the points that you ask "
        "at.",
    ),
    (
        "第一个点离起点半段，最后一个点离终点半段，个数正好是 steps。",
        "The first point is half a part from the beginning, the last half a part from the end, and "
        "there are just as many as steps.",
    ),
)
WAY_HINTS = (
    (
        "baseline 是 2，inputs 是 6，一步：在 4 那里问。你在哪里问的？",
        "From a baseline of 2 to inputs of 6 in one step: ask at 4. Where do you?",
    ),
    (
        "从 baseline 出发，加上两者之差的一部分。",
        "Begin at the baseline and add a part of the difference.",
    ),
)
TIMES_HINTS = (
    (
        "F(x) = 3x，从 2 到 6：功劳应当是 12，不管几步。你的是多少？",
        "F(x) = 3x from 2 to 6: there are 12 to share out, however many steps. What is yours?",
    ),
    (
        "梯度的平均，逐个乘“终点减起点”；一样长的路，正负也要对。",
        "The mean gradient times end minus beginning, number by number, with its sign.",
    ),
)
BRACKET_HINTS = (
    (
        "steps = 4：四个 α 应当是 0.125、0.375、0.625、0.875。打印你的。",
        "With steps = 4 the four α should be 0.125, 0.375, 0.625, 0.875. Print yours.",
    ),
    (
        "Python 先除后加：哪几个数要先加好，再一起除？",
        "Python divides before it adds: which numbers have to be added first, to be divided "
        "together?",
    ),
)
RETURN_HINTS = (
    (
        "走三步，gradient 应当被问三次：在循环里加一句 print，看看问了几次。",
        "With three steps gradient should be asked three times: print in the loop, and count.",
    ),
    (
        "return 前面有几个空格？它该在循环的外面。",
        "How far is return indented? It belongs outside the loop.",
    ),
)
ONE_NUMBER_HINTS = (
    (
        "np.mean 不说 axis，就把所有的数平均成一个：打印它的形状。",
        "np.mean without an axis makes one number of them all: print its shape.",
    ),
    (
        "平均的只是 steps 个点；inputs 的轴一个也不能少。",
        "The mean is over the points only; all axes of inputs stay.",
    ),
)
MEAN_HINTS = (
    (
        "F(x) = 3x 从 0 到 1：一步、十步，结果都该是 3。",
        "F(x) = 3x from 0 to 1: with one step or ten, it should be 3.",
    ),
    (
        "每个点的分量一样，加起来除以点的个数。",
        "Every point counts the same; add up and divide by how many there are.",
    ),
)
FORM_HINTS = (
    (
        "打印返回值的形状和 inputs 的形状。",
        "Print the shape of what comes back, and that of inputs.",
    ),
    (
        "每个数有自己的功劳，可以是负的：不取绝对值，不加起来。",
        "Every number has its own share, which may be negative: no absolute values, no sums.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行用了 +=？左边的数组是谁的？",
        "Which line uses +=, and whose array is on its left?",
    ),
    (
        "point = baseline 不是复制：两个名字，一个数组。",
        "point = baseline makes no copy: two names for one array.",
    ),
)

PATH = {
    "ends_not_middles": (
        (
            {"points": "left"},
            {"points": "right"},
            {"points": "both_ends", "weighing": "trapezoid"},
            {"points": "both_ends"},
            {"points": "both_ends", "total": "over_steps"},
            {"points": "both_ends_apart"},
            {"points": "both_ends_apart", "weighing": "trapezoid"},
        ),
        "问的不是每段的中点，而是段的端点。",
        "The gradient is asked at the ends of the parts, not in their middles.",
        POINT_HINTS,
    ),
    "other_points": (
        (
            {"points": "inner"},
            {"points": "middles_over_one_more"},
            {"points": "one_middle_more"},
            {"points": "middles_but_the_last"},
            {"points": "one_middle_more", "total": "over_steps"},
            {"points": "middles_but_the_last", "total": "over_steps"},
        ),
        "问的点差了一个，或者除错了数：应当是 steps 个中点。",
        "There is a point too many or too few, or they are spaced wrongly: it should be as many "
        "middles as steps.",
        POINT_HINTS,
    ),
    "brackets_missing": (
        {"points": "brackets_missing"},
        "α 算成了 k + (½ / steps)：少了一对括号，走到路外面去了。",
        "α is k + (½ / steps): brackets are missing, and the points are off the way.",
        BRACKET_HINTS,
    ),
    "steps_not_used": (
        tuple({"points": f"always_{number}"} for number in (10, 16, 20, 50, 100)),
        "不管 steps 是几，走的步数都一样。",
        "There are always as many steps, whatever steps says.",
        POINT_HINTS,
    ),
    "returned_in_the_loop": (
        ({"total": "returned_after_one"}, {"total": "returned_after_one_undivided"}),
        "只走了一步就返回了：return 多半写在了循环里面。",
        "It returns after one step: most likely return stands inside the loop.",
        RETURN_HINTS,
    ),
    "one_point_only": (
        (
            {"points": "end_only"},
            {"points": "start_only"},
            {"points": "middle_only"},
            {"points": "both_ends_only"},
            {"total": "the_last"},
        ),
        "只在一两个点上问了梯度，没有走一路。",
        "The gradient is asked at a point or two only, not along the way.",
        POINT_HINTS,
    ),
    "baseline_left_out_of_the_way": (
        (
            {"way": "from_zero"},
            {"way": "baseline_not_added"},
            {"way": "from_zero", "times": "inputs"},
        ),
        "路不是从 baseline 出发的，而是从 0。",
        "The way doesn't begin at the baseline, but at 0.",
        WAY_HINTS,
    ),
    "another_way": (
        ({"way": "baseline_added"}, {"way": "beyond"}, {"way": "the_other_way"}),
        "路走偏了：应当从 baseline 笔直走到 inputs。",
        "The way leads elsewhere; it should go straight from baseline to inputs.",
        WAY_HINTS,
    ),
    "times_inputs": (
        ({"times": "inputs"}, {"times": "baseline"}),
        "最后乘的是 inputs（或 baseline），不是两者之差。",
        "In the end it is multiplied with inputs (or baseline), not with their difference.",
        TIMES_HINTS,
    ),
    "not_multiplied": (
        {"times": "nothing"},
        "最后没有乘两者之差：这只是平均的梯度。",
        "It isn't multiplied with the difference in the end; this is just the mean gradient.",
        TIMES_HINTS,
    ),
    "difference_turned": (
        ({"times": "turned"}, {"times": "length"}, {"times": "squared"}),
        "乘的差不对：应当是 inputs 减 baseline，带着正负。",
        "The difference is wrong: it should be inputs minus baseline, with its sign.",
        TIMES_HINTS,
    ),
    "sum_not_mean": (
        ({"total": "sum"}, {"total": "over_one_more"}, {"total": "over_one_less"}),
        "梯度没有（正确地）平均：要除以步数。",
        "The gradients aren't averaged (rightly): divide by the number of steps.",
        MEAN_HINTS,
    ),
    "mean_of_all_numbers": (
        {"total": "one_number"},
        "梯度平均成了一个数：每个输入应当有它自己的平均。",
        "The gradients are averaged into one number; every input should have a mean of its own.",
        ONE_NUMBER_HINTS,
    ),
    "not_an_even_mean": (
        ({"weighing": "by_share"}, {"weighing": "trapezoid"}, {"total": "largest"}),
        "各点的分量不一样：应当一样。",
        "Points don't count the same; they should.",
        MEAN_HINTS,
    ),
    "gradient_changed": (
        ({"taken": "absolute"}, {"taken": "squared"}, {"taken": "positive"}),
        "梯度取了绝对值、平方，或者只要了正的。",
        "Gradients are made absolute, squared, or only positive ones are taken.",
        FORM_HINTS,
    ),
    "result_changed": (
        (
            {"taken": "absolute_in_the_end"},
            {"taken": "summed_up"},
            {"taken": "summed_over_features"},
            {"taken": "shares"},
        ),
        "最后多做了一步：取绝对值、求和，或者除以总和。",
        "Something more is done in the end: absolute values, a sum, or shares of a total.",
        FORM_HINTS,
    ),
    "arguments_changed": (
        (
            {"changes": "in_place"},
            {"changes": "in_place", "way": "baseline_moves"},
            {"changes": "in_place", "way": "baseline_moves_straight"},
            {"changes": "in_place", "times": "baseline_moved"},
            {"changes": "in_place", "times": "baseline_moved_to_the_end", "points": "right"},
        ),
        "传进来的 inputs 或 baseline 被改动了。",
        "inputs or baseline, which were handed in, are changed.",
        CHANGE_HINTS,
    ),
}
