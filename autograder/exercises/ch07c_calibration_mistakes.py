"""Mistakes in how far confidence and accuracy are apart: switches, sentences and hints."""

SURE_HINTS = (
    (
        "一行 [0.2, 0.7, 0.1]，正确的是 0：把握是多少，答对了吗？",
        "A row is [0.2, 0.7, 0.1] and class 0 is right: what is the confidence, and is the answer "
        "right?",
    ),
    (
        "把握和答案都不看 labels：前者是最大的概率，后者是它的位置；labels 只用来判对错。",
        "Neither confidence nor answer looks at labels: one is the largest probability, the other "
        "its place; labels only say whether that is right.",
    ),
)
EDGE_HINTS = (
    (
        "四个格子，把握 0.5 和 1.0 各应当落在第几个格子？",
        "With four bins, into which one should confidences of 0.5 and of 1.0 fall?",
    ),
    (
        "右边含，左边不含：正好在边界上的属于下面的那个格子，所以 1.0 在最后一个里。",
        "Bins are closed above and open below: what lies on an edge belongs to the bin below it, "
        "and so 1.0 is in the last one.",
    ),
)
WEIGHT_HINTS = (
    (
        "两个格子，一个 9 行、差 0.1，一个 1 行、差 0.5：应当是 0.14。你的呢？",
        "Two bins, one of 9 rows with a gap of 0.1, one of a single row with 0.5: that makes 0.14. "
        "What is yours?",
    ),
    (
        "每个格子的差先取绝对值，再乘上它的行数占总行数的几成，然后相加。",
        "Take the absolute value of each bin's gap first, then multiply by the share of rows that "
        "are in the bin, and add up.",
    ),
)
GAP_HINTS = (
    (
        "一个格子里有把握 0.6 和 0.8 的两行，对了一行：差应当是 0.2。",
        "A bin has two rows of confidence 0.6 and 0.8, one of them right: the gap should be 0.2.",
    ),
    (
        "拿来和准确率比的，是格子里各行把握的平均，不是格子的边或者中点。",
        "What is held against accuracy is the mean confidence of the rows in the bin, not an edge "
        "or the middle of the bin.",
    ),
)
BIN_HINTS = (
    (
        "num_bins 是 5：五个格子的边界是哪几个数？",
        "With num_bins 5, which numbers are the edges of the five bins?",
    ),
    (
        "格子从 0 到 1，一样宽，跟数据无关。",
        "Bins go from 0 to 1 and are equally wide, whatever the data.",
    ),
)
EMPTY_HINTS = (
    (
        "一个格子里一行也没有时，它的平均是什么？",
        "What is the mean of a bin without any row?",
    ),
    (
        "空格子什么也不算，跳过去。",
        "Empty bins count nothing: pass them over.",
    ),
)

CALIBRATION = {
    "confidence_of_the_label": (
        ({"confidence": "of_the_label"}, {"right": "probability_of_the_label"}),
        "用了正确类的概率：把握是最大的概率，对错只有 1 和 0。",
        "The probability of the right class is used; confidence is the largest probability, and a "
        "row is right or wrong, 1 or 0.",
        SURE_HINTS,
    ),
    "another_confidence": (
        (
            {"confidence": "lead"},
            {"confidence": "smallest"},
            {"confidence": "first_class"},
            {"confidence": "last_class"},
            {"confidence": "mean"},
            {"confidence": "entropy"},
        ),
        "把握不是最大的概率。",
        "Confidence isn't the largest probability.",
        SURE_HINTS,
    ),
    "every_class_counts": (
        {"confidence": "every_class"},
        "每一类的概率都算了一次：一行只算它最大的概率。",
        "The probabilities of all classes are counted; of each row it is the largest alone.",
        SURE_HINTS,
    ),
    "another_answer": (
        (
            {"right": "misses"},
            {"right": "smallest"},
            {"right": "first_class"},
            {"right": "more_than_half"},
            {"right": "last_of_equals"},
        ),
        "答对没有判错了：答案是概率最大的类，一样大取第一个。",
        "Right and wrong are mixed up: the answer is the class with the largest probability, of "
        "equals the first.",
        SURE_HINTS,
    ),
    "edges_belong_above": (
        ({"edges": "above"}, {"edges": "above_own_bin"}, {"edges": "above_lost"}),
        "正好在边界上的归错了格子（左闭右开）：应当左开右闭。",
        "What lies on an edge is in the wrong bin (closed below, open above); bins are open below "
        "and closed above.",
        EDGE_HINTS,
    ),
    "edges_lost": (
        {"edges": "both_open"},
        "正好在边界上的丢了，哪个格子也没有进。",
        "What lies on an edge is lost: it is in no bin.",
        EDGE_HINTS,
    ),
    "rounded_to_a_bin": (
        {"edges": "rounded"},
        "格子是四舍五入得来的：边界跑到了中间。",
        "Bins come from rounding, which moves their edges to where the middles should be.",
        BIN_HINTS,
    ),
    "other_bins": (
        (
            {"spread": "from_the_smallest"},
            {"spread": "from_chance"},
            {"spread": "one_more"},
            {"spread": "one_less"},
            {"spread": "ten"},
            {"spread": "fifteen"},
            {"spread": "same_size"},
        ),
        "格子分得不对：应当把 0 到 1 分成 num_bins 个一样宽的。",
        "The bins are wrong: 0 to 1 should be cut into num_bins of equal width.",
        BIN_HINTS,
    ),
    "bins_weigh_the_same": (
        ({"weight": "same"}, {"weight": "over_all_bins"}, {"weight": "none"}),
        "每个格子的分量一样了：应当按行数加权。",
        "All bins weigh the same; they should be weighted by their rows.",
        WEIGHT_HINTS,
    ),
    "not_divided_by_the_rows": (
        ({"weight": "rows"}, {"weight": "rows_over_bins"}, {"weight": "percent"}),
        "权重不是份额：行数要除以总行数。",
        "The weights aren't shares: rows of a bin have to be divided by all rows.",
        WEIGHT_HINTS,
    ),
    "signs_cancel": (
        (
            {"weight": "signed_sum"},
            {"weight": "signed"},
            {"weight": "signed_turned"},
            {"weight": "signed_mean"},
            {"weight": "too_sure_only"},
        ),
        "绝对值取晚了（或者没有取）：有的格子太自信，有的太不自信，互相抵消了。",
        "The absolute value comes too late or not at all: bins that are too sure and bins that "
        "aren't sure enough cancel out.",
        WEIGHT_HINTS,
    ),
    "gap_of_every_row": (
        {"weight": "row_by_row"},
        "每一行先取了绝对值，再平均：差是一整格的准确率减去一整格的平均把握。",
        "The absolute value is taken row by row; the gap is between the accuracy of a whole bin "
        "and its mean confidence.",
        GAP_HINTS,
    ),
    "another_mean": (
        (
            {"weight": "largest"},
            {"weight": "squared"},
            {"weight": "root_of_squares"},
            {"weight": "one_minus"},
        ),
        "算的是别的：最大的差，或者平方。",
        "It is something else: the largest gap, or a square.",
        WEIGHT_HINTS,
    ),
    "middle_of_the_bin": (
        (
            {"middle": "middle_of_the_bin"},
            {"middle": "upper_edge"},
            {"middle": "lower_edge"},
            {"middle": "median"},
        ),
        "用了格子的中点（或边）代替格子里把握的平均。",
        "The middle or an edge of the bin stands for the mean confidence in it.",
        GAP_HINTS,
    ),
    "empty_bins_count": (
        ({"empty": "nan"}, {"empty": "middle", "weight": "over_all_bins"}),
        "空格子也算了：0 除以 0 成了 NaN。",
        "Empty bins count: 0 divided by 0 is NaN.",
        EMPTY_HINTS,
    ),
}
