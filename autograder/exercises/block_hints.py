"""Hints about the wiring of a Transformer block, the vaguest first."""

ORDER_HINTS = (
    (
        "为两种次序各画一张图：每条支路从哪里分出去，归一化站在哪里，在哪里相加？",
        "Draw one picture for each order: where does each branch leave, where does the norm stand, "
        "where is the sum?",
    ),
    (
        "让注意力和前馈网络的输出全是 0（output_dense 的参数设成 0）：前归一化的块应当原样返回 x，"
        "后归一化的块应当返回归一化过的 x。",
        "Make attention and feed-forward network give zeros (set the weights of output_dense to "
        "0): with pre-LN the block should return x itself, with post-LN x normalised.",
    ),
)
NORM_HINTS = (
    (
        "给每个归一化的 gamma 一个不同的常数，看看输出里出现的是哪几个。",
        "Give the gamma of every norm a constant of its own and see which of them show in the "
        "output.",
    ),
    (
        "每条支路有自己的归一化，名字里写着是谁的。",
        "Every branch has a norm of its own; its name says whose it is.",
    ),
)
SKIP_HINTS = (
    (
        "让某条支路的输出全是 0：x 还能从旁边过去吗？过去的是哪个 x？",
        "Make one branch give zeros: does x still get past it, and which x?",
    ),
    (
        "旁路上走的是进这条支路之前的那个张量：不是块最初的输入，也不是支路自己的输出。",
        "What passes is the tensor just before this branch: not what the block was given at first, "
        "nor what the branch gives.",
    ),
)
INPUT_HINTS = (
    (
        "逐个写下：这条支路吃进去的是什么，它经过了哪些步骤？",
        "Write it down for each branch: what goes into it, and which steps has that been through?",
    ),
    (
        "后一条支路接着前一条的结果做；前一条的结果包含旁路（后归一化时还包含归一化）。",
        "Each branch goes on from the result of the one before; that result includes the bypass "
        "(and the norm, with post-LN).",
    ),
)
MASK_HINTS = (
    (
        "打印返回的权重：该是 0 的格子是 0 吗？",
        "Print the returned weights: are those zero that should be?",
    ),
    (
        "顺着掩码的名字往下找：它最后交给了谁，是原样吗？",
        "Follow the mask's name down your code: who gets it in the end, and unchanged?",
    ),
)
DROPOUT_HINTS = (
    (
        "造一层，dropout 取一个很大的数（如 0.99），训练时和推理时各调用一次，看看剩下什么。",
        "Make the block with a large dropout (0.99, say), call it in training and in inference, "
        "and see what is left.",
    ),
    (
        "dropout 作用在支路的输出上，在它加到旁路之前；旁路上的东西从不丢。",
        "Dropout acts on what a branch gives, before it is added; nothing on the bypass is ever "
        "dropped.",
    ),
)
STAGE_HINTS = (
    (
        "数一数：每个零件各用了几次，先后次序是什么？",
        "Count: how often is each part used, and in which order?",
    ),
    (
        "再照着约定里的次序核对一遍。",
        "Then go through the order that the contract gives.",
    ),
)
RETURN_HINTS = (
    ("返回了几样东西，次序是什么？", "How many things are returned, and in which order?"),
    (
        "每一样的形状是什么？再对照约定。",
        "What shape does each have? Hold it against the contract.",
    ),
)
