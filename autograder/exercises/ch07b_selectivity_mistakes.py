"""Mistakes in selectivity: switches, sentences and hints."""

SPLIT_HINTS = (
    (
        "数一数：probe_layer 学了几个例子，打分几个，各是哪一部分？",
        "Count: how many examples does probe_layer learn from, how many does it score, and which "
        "ones are they?",
    ),
    (
        "学的只有 train 是 True 的；考的只有 False 的；准确率只在后一部分上平均。",
        "It learns where train is True and is judged where it is False, and accuracy is a mean "
        "over the latter alone.",
    ),
)
CONTROL_HINTS = (
    (
        "令 controls 跟 labels 毫无关系：第二次用探针时，学的和考的都是 controls 吗？",
        "Let controls have nothing to do with labels: in the second use of the probe, is it "
        "controls that is learnt, and controls that it is judged by?",
    ),
    (
        "两次除了类别都一样：特征、划分、C、ridge。",
        "Both times all but the classes is the same: features, split, C, ridge.",
    ),
)
SETTING_HINTS = (
    (
        "ridge 给 1 和给 100，结果会变吗？",
        "Does the result change between a ridge of 1 and one of 100?",
    ),
    (
        "num_classes 和 ridge 都原样交给 probe_layer，两次都是。",
        "num_classes and ridge both go on to probe_layer as they are, both times.",
    ),
)
FORM_HINTS = (
    (
        "任务 0.9，对照 0.4：应当返回 0.9、0.4、0.5，按这个次序。",
        "With 0.9 for the task and 0.4 for the control it should return 0.9, 0.4, 0.5, in this "
        "order.",
    ),
    (
        "准确率是猜对的份额，0 到 1；差可以是负的，别取绝对值。",
        "An accuracy is a share from 0 to 1; the difference may be negative, so leave its sign.",
    ),
)
TIE_HINTS = (
    (
        "所有特征都是 0 时，分数只剩各类的份额；两类一样多，该猜哪一类？",
        "With features of 0 all that is left are the shares of the classes; of two equal ones, "
        "which is the guess?",
    ),
    (
        "最大的分数，一样大时取最前面的。",
        "The largest score, and of equals the first.",
    ),
)

SELECTIVITY = {
    "judged_by_what_it_learnt": (
        ({"judging": "train"}, {"judging": "all"}),
        "考的例子里有学过的：背下来的也算成了本事。",
        "It is judged by examples that it learnt from: what it knows by heart counts.",
        SPLIT_HINTS,
    ),
    "learns_from_the_test": (
        ({"fitting": "all"}, {"fitting": "rest"}, {"fitting": "all", "judging": "all"}),
        "学的时候用上了要考的例子。",
        "It learns from the examples that it is judged by.",
        SPLIT_HINTS,
    ),
    "train_turned_round": (
        {"fitting": "rest", "judging": "train"},
        "train 反了：学的是 False 的部分，考的是 True 的部分。",
        "train is turned round: it learns where train is False and is judged where it is True.",
        SPLIT_HINTS,
    ),
    "control_is_the_task": (
        {"control": "labels_again"},
        "对照那一次用的还是 labels。",
        "It is labels once more that are used for the control.",
        CONTROL_HINTS,
    ),
    "control_learnt_or_judged_by_labels": (
        ({"control": "taught_labels"}, {"control": "judged_by_labels"}),
        "对照那一次，学的和考的不是同一套类别。",
        "For the control, what is learnt and what it is judged by aren't the same classes.",
        CONTROL_HINTS,
    ),
    "task_and_control_exchanged": (
        (
            {"control": "exchanged"},
            {"returned": "control_first"},
            {"control": "exchanged", "difference": "control_less_task"},
        ),
        "任务和对照弄反了。",
        "Task and control are exchanged.",
        FORM_HINTS,
    ),
    "difference_turned": (
        {"difference": "control_less_task"},
        "差反了：应当是任务减对照。",
        "The difference is the wrong way round: it is the task less the control.",
        FORM_HINTS,
    ),
    "another_difference": (
        (
            {"difference": "size"},
            {"difference": "ratio"},
            {"difference": "not_below_0"},
            {"difference": "over_task"},
            {"difference": "less_chance"},
        ),
        "第三个数不是任务减对照：取了绝对值、比值，或者减的是别的。",
        "The third number isn't the task less the control: it is an absolute value, a ratio, or "
        "something else is taken off.",
        FORM_HINTS,
    ),
    "ridge_not_passed_on": (
        {"penalty": "always_1"},
        "ridge 没有交给 probe_layer。",
        "ridge isn't passed on to probe_layer.",
        SETTING_HINTS,
    ),
    "classes_by_what_occurs": (
        {"classes": "of_the_labels"},
        "有几类是照着 labels 数的，没有用 num_classes：对照可以有更多的类。",
        "The number of classes is read off labels; num_classes isn't used, and the control may "
        "have more.",
        SETTING_HINTS,
    ),
    "last_of_equals": (
        {"tie": "last"},
        "分数一样高时，猜的是最后一类，应当是第一类。",
        "Of equal scores the last class is the guess; it should be the first.",
        TIE_HINTS,
    ),
    "not_a_share": (
        (
            {"scale": "percent"},
            {"scale": "count"},
            {"scale": "errors"},
            {"scale": "over_all"},
        ),
        "准确率不是猜对的份额：成了百分数、个数、错的份额，或者除以了所有的例子。",
        "An accuracy isn't the share of right guesses: it is per cent, a count, the share of wrong "
        "ones, or divided by all examples.",
        FORM_HINTS,
    ),
    "another_form": (
        (
            {"returned": "difference_alone"},
            {"returned": "two"},
            {"returned": "difference_first"},
        ),
        "返回的不是三个数：任务、对照、差，按这个次序。",
        "What comes back aren't three numbers: task, control, difference, in this order.",
        FORM_HINTS,
    ),
}
