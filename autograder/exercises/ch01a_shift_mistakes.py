"""Mistakes in making inputs and labels: switches, sentences and hints."""

SHIFT_HINTS = (
    (
        "拿 [BOS] a b [EOS]：读到 [BOS] 该说什么？读到 a 呢？",
        "Take [BOS] a b [EOS]: what should be said after reading [BOS], and after reading a?",
    ),
    (
        "把输入和标签上下对齐写两行：上一行的每个词元，下面是紧跟着它的那个。",
        "Write inputs and labels in two rows: below every token stands the one that follows it.",
    ),
)
MASK_HINTS = (
    (
        "掩码说的是哪一行：输入，还是标签？",
        "Which of the two rows does the mask speak about: inputs or labels?",
    ),
    (
        "短的那句里，读到 [EOS] 以后的标签是 [PAD]：那一格应当计入损失吗？",
        "In a short row the label after reading [EOS] is [PAD]: should that cell count?",
    ),
)
BATCH_HINTS = (
    (
        "打印切之前和切之后的形状：变短的是哪一根轴？",
        "Print shapes before and after the cut: which axis has become shorter?",
    ),
    (
        "形状是 (B, T + 1)：句子沿着哪一根轴写？",
        "The shape is (B, T + 1): along which of the two is a sentence written?",
    ),
)
BOOLEAN_HINTS = (
    (
        "打印掩码的 dtype：是 bool，还是 int、float？",
        "Print the mask's dtype: is it bool, or int, or float?",
    ),
    (
        "传进来的 padding_mask 是布尔的；在哪一行变了？",
        "The padding_mask that comes in is boolean; which line changes that?",
    ),
)
FORM_HINTS = (
    ("三样东西的形状应当一样。", "All three should have one shape."),
    ("对照说明里的次序：输入、标签、掩码。", "The order in the contract: inputs, labels, mask."),
)

SHIFT = {
    "no_shift": (
        (
            {"shift": "none"},
            {"shift": "nothing_cut"},
            {"shift": "none_after"},
            {"shift": "none", "mask": "after"},
            {"shift": "none_after", "mask": "before"},
        ),
        "输入和标签没有错开：模型只要照抄输入，损失就接近 0，什么也学不到。",
        "Inputs and labels aren't shifted: copying the input brings the loss to about zero, and "
        "nothing is learnt.",
        SHIFT_HINTS,
    ),
    "shifted_the_wrong_way": (
        {"shift": "left"},
        "方向反了：成了读到一个词元，说出它前面的那个。",
        "Shifted the wrong way: after a token the one before it would be said.",
        SHIFT_HINTS,
    ),
    "shifted_by_two": (
        ({"shift": "by_two"}, {"labels": "by_two"}, {"labels": "by_two", "mask": "after"}),
        "错开了两格：每次都跳过一个词元。",
        "Shifted by two places: a token is skipped every time.",
        SHIFT_HINTS,
    ),
    "begin_lost": (
        {"shift": "inside"},
        "输入里没有 [BOS] 了：第一个词元就没有人教。",
        "[BOS] is gone from the inputs: nothing teaches the first token.",
        SHIFT_HINTS,
    ),
    "rolled": (
        (
            {"labels": "rolled", "inputs": "whole", "mask": "whole"},
            {"inputs": "rolled", "labels": "whole", "mask": "whole"},
            {"labels": "rolled", "inputs": "whole"},
            {"inputs": "rolled", "labels": "whole"},
        ),
        "用了循环移位：边上的词元绕到了另一头；应当切掉一列。",
        "Rolled around: a token from one end turns up at the other; a column should be cut off.",
        SHIFT_HINTS,
    ),
    "one_of_them_not_cut": (
        (
            {"inputs": "whole"},
            {"labels": "whole"},
            {"mask": "whole"},
            {"labels": "whole", "mask": "whole"},
        ),
        "有一样没有切掉一列：三样的长度应当都是 T。",
        "One of them hasn't lost a column: all three should have length T.",
        FORM_HINTS,
    ),
    "mask_of_the_inputs": (
        ({"mask": "of_inputs"}, {"mask": "before"}),
        "掩码切错了一头：它是输入的，不是标签的，短句里 [EOS] 之后那一格也会计入损失。",
        "The mask is cut at the wrong end: it belongs to the inputs, so a short row's [PAD] after "
        "[EOS] would count.",
        MASK_HINTS,
    ),
    "mask_inverted": (
        {"mask": "inverted"},
        "掩码反了：标签不是 [PAD] 的地方才是 True。",
        "The mask is inverted: it is True where the label isn't [PAD].",
        MASK_HINTS,
    ),
    "mask_open_everywhere": (
        ({"mask": "everything"}, {"mask": "nonzero"}),
        "掩码在填充处也是 True（编号不是 0，不等于不是 [PAD]）。",
        "The mask is True at padding too (an id other than 0 may still be [PAD]).",
        MASK_HINTS,
    ),
    "mask_is_not_boolean": (
        ({"mask": "integers"}, {"mask": "floats"}),
        "掩码应当是布尔张量，不是 0 和 1。",
        "The mask should be boolean, not zeros and ones.",
        BOOLEAN_HINTS,
    ),
    "end_not_counted": (
        {"mask": "not_end"},
        "标签是 [EOS] 的那一格也被关掉了：什么时候该说“写完了”，也要学。",
        "The cell whose label is [EOS] is closed too: when to say that it is done has to be "
        "learnt as well.",
        MASK_HINTS,
    ),
    "cut_along_the_batch": (
        {"shift": "along_batch"},
        "切掉的是批那一轴的一行（少了一句话）；要切的是时间轴。",
        "The cut is along the batch, and a whole sentence is gone; it should be along time.",
        BATCH_HINTS,
    ),
    "order_of_the_three": (
        tuple({"order": order} for order in ("lim", "mil", "iml", "mli", "lmi")),
        "三样的次序不对：输入、标签、掩码。",
        "The three are in another order: inputs, labels, mask.",
        FORM_HINTS,
    ),
    "something_missing": (
        tuple({"order": order} for order in ("il", "li", "im", "lm", "i", "l")),
        "少返回了东西：输入、标签、标签的掩码，三样都要。",
        "Something isn't returned: inputs, labels and the labels' mask are all needed.",
        FORM_HINTS,
    ),
}
