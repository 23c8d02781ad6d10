"""Mistakes in linear CKA: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import ARGUMENT_CHANGED

CENTRE_HINTS = (
    (
        "给 x 的每一列都加上 10：结果应当一点不变。你的变了吗？y 呢？",
        "Add 10 to every column of x: the result shouldn't move at all. Does yours? And with y?",
    ),
    (
        "每列减去自己的平均，对所有例子取的；x 和 y 都要。",
        "Each column less its own mean over all examples, in x and in y.",
    ),
)
SPREAD_HINTS = (
    (
        "把 x 的一列拉长到 10 倍：两个表示不那么像了，结果应当变。你的变吗？",
        "Stretch one column of x tenfold: the two aren't as alike any more, and the result should "
        "change. Does yours?",
    ),
    (
        "只减平均，别除以各列的标准差或各行的长度。",
        "Take off means only; don't divide by the spread of columns or the length of rows.",
    ),
)
SQUARE_HINTS = (
    (
        "x 和它自己比：应当正好是 1。把 x 乘 3 再比：还是 1。",
        "Compare x with itself: it should be exactly 1. With 3 times x: still 1.",
    ),
    (
        "分子是范数的平方；分母是两个范数相乘，不平方，不开方。",
        "Above the line is a squared norm, below it two norms multiplied, neither squared nor with "
        "a root taken.",
    ),
)
NORM_HINTS = (
    (
        "分母里的范数是哪两个矩阵的？各是什么形状？",
        "Which two matrices are the norms below the line of, and of what shape?",
    ),
    (
        "Frobenius 范数：所有的数平方、求和、开方；分母里是 (D1, D1) 和 (D2, D2) 的矩阵。",
        "A Frobenius norm squares all entries, adds them up and takes the root; below the line it "
        "is of matrices (D1, D1) and (D2, D2).",
    ),
)
AXIS_HINTS = (
    (
        "n = 6，D1 = 3，D2 = 5：每一步的形状是什么？什么时候 3 和 5 会碰到一起？",
        "With n = 6, D1 = 3, D2 = 5, what is the shape of every step, and where do 3 and 5 meet?",
    ),
    (
        "每行是一个例子；特征之间没有一一对应，x 的第 1 列和 y 的第 1 列没有关系。",
        "Every row is an example; features have no partners, and column 1 of x has nothing to do "
        "with column 1 of y.",
    ),
)
SCALE_HINTS = (
    (
        "完全一样应当是 1，毫无关系接近 0。",
        "It should be 1 where the two are the same, and near 0 where they have nothing in common.",
    ),
    (
        "就是公式里的那个商：不开方，不平方，不拿 1 去减。",
        "It is the quotient of the formula itself: no root, no square, nothing taken from 1.",
    ),
)

CKA = {
    "not_centred": (
        ({"centring": "neither"}, {"centring": "y_alone"}, {"centring": "x_alone"}),
        "没有减去各列的平均（x 或 y，或者两个都没减）。",
        "The columns' means aren't taken off, of x, of y, or of both.",
        CENTRE_HINTS,
    ),
    "mean_of_the_wrong_axis": (
        ({"centring": "rows"}, {"centring": "one_number"}),
        "平均取错了轴：应当每列一个平均。",
        "The mean is over the wrong axis: each column should have its own.",
        CENTRE_HINTS,
    ),
    "standardised": (
        ({"centring": "unit_spread"}, {"centring": "unit_rows"}),
        "还除以了各列的标准差，或者各行的长度：这样拉长一个方向就看不出来了。",
        "Columns are divided by their spread, or rows by their length, too, so that stretching a "
        "direction no longer shows.",
        SPREAD_HINTS,
    ),
    "not_squared": (
        ({"above": "as_it_is"}, {"below": "squared"}),
        "平方不对：分子的范数没有平方，或者分母也平方了。",
        "The square is wrong: the norm above the line isn't squared, or those below are, too.",
        SQUARE_HINTS,
    ),
    "root_below": (
        {"below": "root"},
        "分母开了方：两个范数相乘就好。",
        "A root is taken below the line; the product of both norms will do.",
        SQUARE_HINTS,
    ),
    "norms_of_the_features": (
        (
            {"below": "of_the_features"},
            {"below": "of_the_features_once"},
            {"below": "of_the_features_once", "above": "as_it_is"},
        ),
        "分母是 X、Y 自己的范数，应当是 XᵀX 和 YᵀY 的。",
        "Below the line stand norms of X and Y themselves; they should be of XᵀX and YᵀY.",
        NORM_HINTS,
    ),
    "another_divisor": (
        (
            {"below": "of_x"},
            {"below": "of_y"},
            {"below": "added"},
            {"below": "mean"},
            {"below": "none"},
            {"below": "examples"},
        ),
        "分母不是两个范数的积：只用了一个，用了和，或者没有除。",
        "Below the line isn't the product of both norms: only one of them is used, their sum, or "
        "nothing.",
        SQUARE_HINTS,
    ),
    "another_norm": (
        (
            {"norm": "largest_stretch"},
            {"norm": "sum_of_sizes"},
            {"norm": "nuclear"},
        ),
        "用的不是 Frobenius 范数。",
        "The norm isn't that of Frobenius.",
        NORM_HINTS,
    ),
    "examples_and_features_exchanged": (
        {"axes": "turned"},
        "例子和特征弄反了：每行应当是一个例子。",
        "Examples and features are exchanged: every row should be an example.",
        AXIS_HINTS,
    ),
    "feature_by_feature": (
        {"measure": "flat"},
        "把两个数组逐个数地比：好像 x 的第 i 个特征就是 y 的第 i 个。",
        "The arrays are compared number by number, as if feature i were the same in both.",
        AXIS_HINTS,
    ),
    "the_same_for_every_map": (
        {"measure": "canonical"},
        "这个量在任何可逆的线性变换下都不变（典型相关）；CKA 只在转动和放大下不变。",
        "This measure stays for every linear map that has an inverse (canonical correlations); CKA "
        "stays for turning and scaling alone.",
        SPREAD_HINTS,
    ),
    "another_scale": (
        ({"scale": "root"}, {"scale": "difference"}, {"scale": "square"}),
        "最后又多了一步：开方、平方，或者用 1 去减。",
        "There is one step too many at the end: a root, a square, or a subtraction from 1.",
        SCALE_HINTS,
    ),
    "arguments_changed": ARGUMENT_CHANGED,
}
