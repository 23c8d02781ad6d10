"""The drill of notebook ch07b: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch07b_layers_and_languages/drill.py, in its order, as the oracle's switches;
# a test compares them.
ILLS = {
    "chosen_on_the_test": {"chosen_on": "part_2"},
    "fitted_on_two_parts": {"fitting": "parts_0_1"},
    "scaled_by_all": {"scaling": "by_all"},
    "scaled_each_by_itself": {"scaling": "each_by_itself"},
    "embeddings_left_out": (
        {"embeddings": "left_out"},
        {"embeddings": "left_out_and_shifted"},
    ),
    "highest_of_equals": {"equals": "highest"},
    "last_layer_judged": {"judged": "last"},
    "commonest_of_the_test": {"baseline": "commonest_of_the_judged"},
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：拿一个手算得出来的小例子，"
    "看看它和你手算的一样不一样。",
    "repaired has one of the faults in the list (still, or newly): take an example small enough to "
    "do by hand, and compare.",
)
ILL_HINTS = (
    (
        "每次只改一部分的数：第 0 部分、第 1 部分、第 2 部分。哪个结果变了，而它不该知道这一部分？",
        "Change the numbers of one part at a time, 0, 1 or 2: which result moves that shouldn't "
        "know of that part?",
    ),
    (
        "用纸笔走一遍：拿谁的平均来标准化，拿谁来学，拿谁来挑层，拿谁来判；一样高时挑哪一层。",
        "Go through it on paper: whose mean scales, who is learnt from, who chooses the layer, who "
        "judges, and which of equal layers is chosen.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "把中间结果的形状和数打印出来，跟说明里的每一句对。",
        "Print shapes and numbers on the way, and hold them against every sentence of the "
        "contract.",
    ),
)
SCALE_HINTS = (
    (
        "取第 0 部分标准化以后的一列：平均应当是 0，标准差应当是 1。",
        "Take a column of part 0 after it was scaled: its mean should be 0 and its standard "
        "deviation 1.",
    ),
    (
        "先减平均，后除以标准差，都是第 0 部分那一列的；三个部分用的是同样的两个数。",
        "Take off the mean, then divide by the standard deviation, both of that column in part 0; "
        "all three parts use the same two numbers.",
    ),
)
BASELINE_HINTS = (
    (
        "baseline 是一个不看特征的人得的分：他从哪一部分知道哪类最多，又在哪一部分上被判？",
        "baseline is what somebody scores who doesn't look at features: from which part does he "
        "know the commonest class, and by which one is he judged?",
    ),
    (
        "最多的类从第 0 部分数，一样多取编号小的；份额在第 2 部分上算。",
        "The commonest class is counted in part 0, the smaller number of equals; its share is "
        "taken over part 2.",
    ),
)

OTHERS = {
    "not_standardised": (
        (
            {"scaling": "not"},
            {"scaling": "mean_alone"},
            {"scaling": "spread_alone"},
            {"scaling": "one_number"},
        ),
        "特征没有逐列标准化（没有减平均，或者没有除以标准差）。",
        "Features aren't standardised column by column: the mean or the standard deviation is "
        "missing.",
        SCALE_HINTS,
    ),
    "scaled_by_another_part": (
        (
            {"scaling": "by_two_parts"},
            {"scaling": "by_judged"},
            {"scaling": "by_chosen"},
            {"scaling": "fitted_and_rest"},
        ),
        "标准化用的平均和标准差里，有第 1 或第 2 部分的数。",
        "The mean and standard deviation that scale know numbers of part 1 or 2.",
        SCALE_HINTS,
    ),
    "divided_by_the_variance": (
        {"spread": "variance"},
        "除以的是方差，不是标准差。",
        "It is the variance that is divided by, not the standard deviation.",
        SCALE_HINTS,
    ),
    "fitted_on_another_part": (
        (
            {"fitting": "all"},
            {"fitting": "part_1"},
            {"fitting": "part_2"},
            {"fitting": "parts_1_2"},
        ),
        "探针学的不是第 0 部分。",
        "It isn't part 0 that the probe learns from.",
        STEP_HINTS,
    ),
    "chosen_on_another_part": (
        (
            {"chosen_on": "part_0"},
            {"chosen_on": "all"},
            {"chosen_on": "parts_1_2"},
            {"chosen_on": "parts_0_1"},
        ),
        "挑层的时候看的不只是第 1 部分。",
        "Part 1 isn't what the layer is chosen by, or not it alone.",
        STEP_HINTS,
    ),
    "judged_on_another_part": (
        (
            {"judged_on": "part_1"},
            {"judged_on": "part_0"},
            {"judged_on": "all"},
            {"judged_on": "parts_1_2"},
        ),
        "返回的准确率不是第 2 部分上的。",
        "The accuracy that comes back isn't that on part 2.",
        STEP_HINTS,
    ),
    "another_layer_judged": (
        (
            {"judged": "best"},
            {"judged": "first"},
            {"judged": "one_below"},
            {"judged": "mean"},
        ),
        "返回的准确率不是挑中的那一层的。",
        "The accuracy that comes back isn't that of the chosen layer.",
        STEP_HINTS,
    ),
    "worst_layer_chosen": (
        {"equals": "worst"},
        "挑的是最差的一层。",
        "It is the worst layer that is chosen.",
        STEP_HINTS,
    ),
    "layers_counted_from_one": (
        {"embeddings": "counted_from_one"},
        "层是从 1 数起的：嵌入应当是第 0 层。",
        "Layers are counted from 1; the embeddings are layer 0.",
        STEP_HINTS,
    ),
    "another_baseline": (
        (
            {"baseline": "chance"},
            {"baseline": "share_where_it_was_fitted"},
            {"baseline": "commonest_of_two_parts"},
            {"baseline": "commonest_of_the_chosen"},
            {"baseline": "commonest_of_all"},
            {"baseline": "largest_of_equals"},
            {"baseline": "class_0"},
            {"baseline_on": "all"},
            {"baseline_on": "part_1"},
        ),
        "baseline 不对：应当总猜第 0 部分里最多的类（一样多取小的），算它在第 2 部分的份额。",
        "baseline is wrong: the commonest class of part 0 (the smaller of equals) should always be "
        "guessed, and judged on part 2.",
        BASELINE_HINTS,
    ),
    "another_form": (
        (
            {"returned": "two"},
            {"returned": "baseline_before"},
            {"returned": "gain"},
        ),
        "返回的不是 (chosen, accuracy, baseline)。",
        "What comes back isn't (chosen, accuracy, baseline).",
        STEP_HINTS,
    ),
}
