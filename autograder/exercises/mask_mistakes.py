"""Mistakes and properties that any function which makes a mask can have."""

import numpy as np

BOOLEAN_HINTS = (
    ("打印结果的 dtype。", "Print the dtype of your result."),
    (
        "比较运算直接给出布尔值；换算成加到分数上的数是注意力函数的事。",
        "A comparison gives booleans at once; turning them into numbers for the scores is the "
        "attention function's business.",
    ),
)
NOT_BOOLEAN = dict(
    switch=tuple(
        {"output": form}
        for form in (
            "zeros_and_ones",
            "integers",
            "integers_close",
            "ones_close",
            "additive",
            "additive_small",
            "additive_infinite",
        )
    ),
    zh="掩码的类型不对：约定用布尔值，True 表示“可以看”，不用 0/1 或 -1e9。",
    en="The mask has the wrong type: it should be boolean, True = may attend, and not 0/1 or -1e9.",
    hints=BOOLEAN_HINTS,
)
AXES_HINTS = (
    ("打印形状，与说明里的对一对。", "Print the shape and hold it against the contract."),
    (
        "约定里有几个轴？其余的轴，谁用它谁来加。",
        "How many axes does the contract have? Whoever uses the mask adds any others.",
    ),
)
EXTRA_AXIS = dict(
    switch=tuple(
        {"output": form} for form in ("extra_axis", "axis_at_1", "axis_at_end", "two_axes")
    ),
    zh="多了一个轴（或几个）：形状要与说明一致，广播留给用它的人。",
    en="There is an axis too many: the shape should be that of the contract; whoever uses the mask "
    "will broadcast it.",
    hints=AXES_HINTS,
)
LISTS = dict(
    switch={"output": "lists"},
    zh="返回的是 Python 列表；约定返回布尔张量（或数组），它才有形状和类型。",
    en="It returns Python lists; it should be a boolean tensor (or array), which has a shape and a "
    "type.",
    hints=BOOLEAN_HINTS,
)
POLARITY_HINTS = (
    (
        "True 表示什么？对照说明里的那一句。",
        "What does True mean? See the sentence in the contract.",
    ),
    (
        "挑一格手算：这个查询能不能看这个键？再看你的矩阵。",
        "Work out one entry by hand: may this query see this key? Then look at your matrix.",
    ),
)
POLARITY = dict(
    switch={"output": "inverted"},
    zh="掩码整个反了：可以看的地方应当是 True。",
    en="The whole mask is inverted: True belongs where a query may look.",
    hints=POLARITY_HINTS,
)


def mask_of(seen):
    """The mask of an observation: itself, or as far as attention weights show it.

    A row that is closed altogether gets even weights.
    """
    actual = np.asarray(seen.actual)
    if not seen.prediction.function.__name__.endswith("_weights"):
        return actual
    even = np.ptp(actual, axis=-1, keepdims=True) < 1e-7
    return (actual > 1e-9) & ~even


def add_shape_property(exercise):
    """Register what every mask of one sequence has: rows are queries, columns are keys."""

    @exercise.property(
        "shape_is_right",
        zh="形状不对：行是查询，列是键，没有别的轴。",
        en="The shape is wrong: rows are queries, columns are keys, and there is no other axis.",
    )
    def shape_is_wrong(seen):
        return np.shape(seen.actual) != np.shape(seen.expected)

    add_type_property(exercise)


def add_type_property(exercise):
    """Register that a mask is made of booleans."""

    @exercise.property(
        "is_boolean",
        zh="掩码应当是布尔值的张量（或数组），你的不是。",
        en="A mask should be a tensor (or array) of booleans; yours isn't.",
    )
    def is_something_else(seen):
        wanted = np.asarray(seen.expected).dtype == bool
        return wanted and (isinstance(seen.actual, tuple) or np.asarray(seen.actual).dtype != bool)
