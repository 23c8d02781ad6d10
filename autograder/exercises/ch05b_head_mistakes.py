"""Mistakes in the head that guesses masked tokens: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST

PICK_HINTS = (
    (
        "两句话，每句 5 个位置，要猜的是 [3, 1] 和 [0, 4]：取出来的四个向量各在哪一句、哪个位置？",
        "Two sentences of 5 positions, to be guessed at [3, 1] and [0, 4]: in which sentence and "
        "at which position are the four vectors that are taken out?",
    ),
    (
        "打印取出来的形状：应当是 (B, P, D)。第 b 行的位置只在第 b 句里取。",
        "Print the shape of what you take out: (B, P, D). Positions of row b are taken in sentence "
        "b only.",
    ),
)
ORDER_HINTS = (
    (
        "在每一步后面写下形状和名字：取出 → Dense → 激活 → 归一化 → 点积 → 偏置。你的有几步，次序"
        "一样吗？",
        "Write a name and a shape after every step: taken out → dense → activation → norm → dot "
        "products → bias. How many have you, and in the same order?",
    ),
    (
        "self.dense、self.activation、self.layer_norm 各用一次。",
        "self.dense, self.activation and self.layer_norm are used once each.",
    ),
)
BIAS_HINTS = (
    (
        "把 output_bias 全设成 1：每个分数应当正好大 1，你的呢？",
        "Set all of output_bias to 1: every score should be greater by 1. Is yours?",
    ),
    (
        "最后的乘积是 (B, P, V)，偏置是 (V,)：加一次就够。",
        "The last product is (B, P, V) and the bias (V,): adding it once is enough.",
    ),
)
TABLE_HINTS = (
    (
        "词元表是 (V, D)，取出的向量是 D 维：哪两个轴要对上，结果才是 V 个分？",
        "The table is (V, D) and a vector has D numbers: which axes have to meet for V scores?",
    ),
    (
        "第 v 个分数，是向量跟词元表第 v 行的点积。",
        "Score number v is the dot product with row v of the table.",
    ),
)
FORM_HINTS = (
    (
        "把 output_bias 全设成 10：分数会跟着变大吗？概率不会。",
        "Set all of output_bias to 10: do scores grow with it? Probabilities wouldn't.",
    ),
    (
        "对照说明：返回的是 (B, P, V) 的 logits，哪一步是多出来的，或者少了？",
        "Compare with the contract: logits (B, P, V) come back. Which step is one too many, or "
        "missing?",
    ),
)
LATE_HINTS = (
    (
        "T = 128、P = 20：你的 Dense 给几个位置算了？跟词元表的乘积呢？",
        "T = 128 and P = 20: for how many positions does your dense layer compute, and the product "
        "with the table?",
    ),
    (
        "取出这一步移到最前面，后面的都只算 P 个。",
        "With the positions taken out at the very start, everything after it is for P of them.",
    ),
)

HEAD = {
    "gathered_last": (
        {"gather": "last"},
        "先给所有位置都算了一遍，最后才取：结果一样，计算却多出好几倍。",
        "All positions are computed and only then some are taken out: the same numbers for several "
        "times the work.",
        LATE_HINTS,
    ),
    "nothing_taken_out": (
        {"gather": "never"},
        "没有按 mask_positions 取出来：每个位置都打了分。",
        "Nothing is taken out by mask_positions: all positions get scores.",
        PICK_HINTS,
    ),
    "positions_of_another_row": (
        (
            {"gather": "every_row_for_every_row"},
            {"gather": "first_row_for_all"},
            {"gather": "from_the_first_row"},
        ),
        "取错了行：每一句都用了所有各行的位置，或者第一行的，或者都从第一句里取。",
        "The wrong rows: every sentence uses the positions of all rows, or of the first, or all "
        "are taken from the first sentence.",
        PICK_HINTS,
    ),
    "other_positions": (
        ({"gather": "one_later"}, {"gather": "one_earlier"}, {"gather": "first_places"}),
        "取的不是 mask_positions 写的位置：错开了一格，或者总是最前面的几个。",
        "Other positions are taken than mask_positions says: off by one, or always the first ones.",
        PICK_HINTS,
    ),
    "norm_before_the_activation": (
        {"order": "norm_before_activation"},
        "归一化和激活函数的次序反了：先激活，再归一化。",
        "Norm and activation are exchanged: the activation comes first.",
        ORDER_HINTS,
    ),
    "norm_first": (
        {"order": "norm_first"},
        "归一化放在了最前面：它在激活函数之后。",
        "The norm comes at the very start; its place is after the activation.",
        ORDER_HINTS,
    ),
    "activation_first": (
        {"order": "activation_first"},
        "激活函数放在了 Dense 之前。",
        "The activation comes before the dense layer.",
        ORDER_HINTS,
    ),
    "dense_missing": (
        ({"order": "no_dense"}, {"order": "norm_only"}),
        "没有用 self.dense。",
        "self.dense isn't used.",
        ORDER_HINTS,
    ),
    "activation_missing": (
        {"order": "no_activation"},
        "没有激活函数。",
        "There is no activation.",
        ORDER_HINTS,
    ),
    "norm_missing": (
        {"order": "no_norm"},
        "没有归一化。",
        "There is no norm.",
        ORDER_HINTS,
    ),
    "several_steps_missing": (
        ({"order": "nothing"}, {"order": "dense_only"}),
        "取出来就去跟词元表比了：中间的几步漏了。",
        "What is taken out meets the table right away; steps in between are missing.",
        ORDER_HINTS,
    ),
    "a_step_twice": (
        (
            {"order": "activation_twice"},
            {"order": "activation_last_too"},
            {"order": "dense_twice"},
        ),
        "有一步做了两次：激活函数，或者 Dense。",
        "One step is done twice, the activation or the dense layer.",
        ORDER_HINTS,
    ),
    "activation_written_in": (
        tuple({"which": name} for name in ("gelu", "gelu_tanh", "relu", "sigmoid")),
        "激活函数写死了，没有用 self.activation。",
        "The activation is fixed; it should be self.activation.",
        (
            (
                '分别用 activation="relu" 和 "tanh" 各造一层，同样的参数，输出一样吗？',
                'Make one head with activation="relu" and one with "tanh": with equal weights, do '
                "outputs differ?",
            ),
            (
                "构造函数把给它的激活函数存在了哪里？",
                "Where does the constructor keep the activation that it was given?",
            ),
        ),
    ),
    "bias_missing": (
        {"bias": "never"},
        "没有加 output_bias。",
        "output_bias isn't added.",
        BIAS_HINTS,
    ),
    "bias_twice": (
        {"bias": "twice"},
        "output_bias 加了两次。",
        "output_bias is added twice.",
        BIAS_HINTS,
    ),
    "table_not_transposed": (
        {"tied": "not_transposed"},
        "词元表没有转置：V 和 D 不相等时就乘不了，相等时分数全错。",
        "The table isn't transposed: with V and D different it can't be multiplied, and with V = D "
        "all scores are wrong.",
        TABLE_HINTS,
    ),
    "table_cut_off": (
        {"gradient": "lost_in_the_table"},
        "数值对，但梯度传不到词元表：用的是它的一份拷贝，输出层就不再跟嵌入共用参数了。",
        "The numbers are right, but no gradient reaches the token table: a copy of it is used, and "
        "the output no longer shares its weights with the embeddings.",
        (
            (
                "你的 token_table 一路上有没有变成 NumPy 数组，或者存进了一个新变量？",
                "Does token_table become a NumPy array on its way, or the value of a new variable?",
            ),
            (
                "共用的意思是同一个变量，不是同样的数值。",
                "Shared means one and the same variable, not equal numbers.",
            ),
        ),
    ),
    "encoder_cut_off": (
        {"gradient": "lost_in_the_output"},
        "数值对，但梯度传不回编码器的输出：编码器就永远学不到东西。",
        "The numbers are right, but no gradient gets back to the encoder's output, and the encoder "
        "never learns.",
        GRADIENT_LOST["hints"],
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
    "probabilities_returned": (
        ({"returned": "softmax"}, {"returned": "log_softmax"}),
        "返回的是 softmax 之后的概率（或它的对数）；应当是 logits。",
        "Probabilities, or their logarithms, come back from behind a softmax; logits are asked "
        "for.",
        FORM_HINTS,
    ),
    "states_changed": (
        ({"around": "residual"}, {"around": "divided_by_root"}),
        "多了一步：取出来的向量又加了回去，或者除了根号 D。",
        "One step too many: what was taken out is added again, or something is divided by the root "
        "of D.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        ({"returned": "states"}, {"returned": "ids"}, {"returned": "flat"}),
        "返回的不是 (B, P, V) 的 logits：是向量、是编号，或者拉平了。",
        "What comes back isn't logits (B, P, V), but vectors, ids, or something flattened.",
        FORM_HINTS,
    ),
}
