"""Mistakes that any function which makes a mask can contain."""

BOOLEAN_HINTS = (
    ("打印结果的 dtype。", "Print the dtype of your result."),
    (
        "比较运算直接给出布尔值；换算成加到打分上的数是注意力函数的事。",
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
