"""Mistakes in a causal stack with tied output: switches, sentences and hints."""

from autograder.exercises.ch04b_tying_mistakes import TYING

MASK_HINTS = (
    (
        "三个词元、没有填充：在纸上画出 3 × 3 的掩码，哪几格是 True？再把最后一个换成填充。",
        "Three tokens and no padding: draw the 3 × 3 mask. Which cells are True? Now make the last "
        "token a pad.",
    ),
    (
        "改动最后一个词元：前面各位置的 logits 动了吗？改动填充处的编号呢？",
        "Change the last token: do the logits before it move? And when you change the id of a pad?",
    ),
)
POSITION_HINTS = (
    (
        "把 blocks 换成空列表：这时 logits 应当等于什么？按第 0、1、2 个位置各算一遍。",
        "Take an empty list of blocks: what must the logits be then? Work out positions 0 to 2.",
    ),
    (
        "position_table 的一行对应一个位置，从 0 数起；形状 (T, D) 加到 (B, T, D) 上。",
        "A row of position_table belongs to a position, counted from 0; (T, D) is added to "
        "(B, T, D).",
    ),
)
COLUMN_HINTS = (
    (
        "一行的左边填充了两格：第一个真词元站在第几列？你给它加的是位置表的第几行？",
        "A row has two pads on its left: in which column is its first real token, and which row of "
        "the position table do you add to it?",
    ),
    (
        "没有填充的批看不出这个错：换一行左边或中间有填充的，看看那里的 logits。",
        "Without padding this doesn't show: take a row with pads on the left or in the middle, and "
        "look at its logits.",
    ),
)
STACK_HINTS = (
    (
        "给每个块编号：各块拿到的是什么，交出去的又给了谁？",
        "Number the blocks: what is each of them given, and who gets what it returns?",
    ),
    (
        "先放一个块，再放两个：从哪一次起结果不对？",
        "Try it with one block, then with two: from when on is the result wrong?",
    ),
)
OUTPUT_HINTS = (
    (
        "把 blocks 换成空列表，用纸笔算一个位置的 logits：只有一次加法和一次矩阵乘法。",
        "Take an empty list of blocks and work out one position on paper: one addition and one "
        "matrix product, no more.",
    ),
    (
        "logits 可以是任何实数；把最后的状态放大一倍，它们应当正好大一倍。",
        "Logits may be any real number, and with states twice as large they are just twice as "
        "large.",
    ),
)
FORM_HINTS = (
    (
        "对照说明：返回的是什么，形状是 (B, T, V) 吗？",
        "Compare with the contract: what comes back, and is its shape (B, T, V)?",
    ),
    (
        "每个位置都要给 V 个词元打分；错开一格是损失的事。",
        "Every position scores all V tokens; shifting is the loss's business.",
    ),
)

LOGITS = {
    "future_visible": (
        ({"mask": "padding"}, {"mask": "none"}),
        "看得见未来：没有用因果掩码，每个位置都能偷看它要预测的词元。",
        "The future is visible: there is no causal mask, and every position can look at the token "
        "that it has to predict.",
        MASK_HINTS,
    ),
    "padding_visible": (
        ({"mask": "causal"}, {"mask": "padding_rows"}),
        "真词元看得见填充：只用了因果掩码，或者填充掩码关的是行（查询）而不是列（键）。",
        "Real tokens see padding: only the causal mask is used, or padding closes rows (queries) "
        "and not columns (keys).",
        MASK_HINTS,
    ),
    "wrong_triangle": (
        ({"mask": "upper"}, {"mask": "strict_upper"}),
        "三角形反了：看得见后面，看不见前面。",
        "The triangle is the other one: what follows is visible and what went before isn't.",
        MASK_HINTS,
    ),
    "own_token_hidden": (
        {"mask": "strict"},
        "对角线关上了：每个位置看不见自己的词元；它已经读到了，可以看。",
        "The diagonal is closed: no position sees its own token, which it has read and may see.",
        MASK_HINTS,
    ),
    "sees_one_ahead": (
        {"mask": "one_ahead"},
        "三角形差了一格：每个位置看得见下一个词元，那正是答案。",
        "The triangle is off by one: every position sees the next token, which is the answer.",
        MASK_HINTS,
    ),
    "own_position_only": (
        {"mask": "own_only"},
        "每个位置只看得见自己；前面的也应当看得见。",
        "Every position sees itself alone; it should see those before it too.",
        MASK_HINTS,
    ),
    "mask_of_two_axes": (
        {"mask": "two_axes"},
        "交给块的掩码只有两个轴 (B, T)：它没有说是谁在看，也关不上未来；要 (B, T, T)。",
        "The mask that blocks are given has two axes, (B, T): it doesn't say who is looking and "
        "closes no future; (B, T, T) is wanted.",
        MASK_HINTS,
    ),
    "masks_joined_wrongly": (
        ({"mask": "or"}, {"mask": "xor"}),
        "两个掩码合错了：要“既是真词元，又不在后面”。",
        "The two masks are joined wrongly: a token has to be real and must not come later.",
        MASK_HINTS,
    ),
    "attention_mask_inverted": (
        ({"mask": "negated"}, {"mask": "padding_inverted"}),
        "掩码反了（整个，或者填充那一半）：True 表示看得见。",
        "The mask, or the half of it that is about padding, is inverted: True means visible.",
        MASK_HINTS,
    ),
    "positions_missing": (
        {"position": "none"},
        "没有加位置向量。",
        "The positions aren't added.",
        POSITION_HINTS,
    ),
    "positions_added_again": (
        ({"position": "every_block"}, {"position": "twice"}),
        "位置向量加了不止一次：只在第一个块之前加一次。",
        "Positions are added more than once; once is enough, in front of the first block.",
        POSITION_HINTS,
    ),
    "other_rows_of_positions": (
        (
            {"position": "one_late"},
            {"position": "last_rows"},
            {"position": "reversed"},
            {"position": "first_row"},
            {"position": "by_length"},
        ),
        "取错了位置向量的行：第 t 个位置用第 t 行，从 0 数起。",
        "Other rows of the position table are taken: position t has row t, counted from 0.",
        POSITION_HINTS,
    ),
    "positions_by_row_of_the_batch": (
        {"position": "by_batch"},
        "位置向量按批里的第几句取了，整句加了同一个；应当按时刻取。",
        "Positions are taken by the row of the batch, one for the whole sequence; they go by time.",
        POSITION_HINTS,
    ),
    "positions_by_token": (
        {"position": "by_token"},
        "位置向量用词元编号去查了；应当按位置查。",
        "Positions are looked up by token id; they should go by place.",
        POSITION_HINTS,
    ),
    "positions_skip_padding": (
        {"position": "counted"},
        "位置只数了真词元；这里约定数列：第 t 列就是位置 t。",
        "Positions count real tokens only; here they count columns: column t is position t.",
        COLUMN_HINTS,
    ),
    "embeddings_scaled": (
        ({"embedding": "times_root"}, {"embedding": "all_times_root"}),
        "嵌入乘了根号 D：那是 2017 年 Transformer 的做法，GPT 不乘。",
        "Embeddings are multiplied by the root of D: so did the Transformer of 2017, GPT doesn't.",
        POSITION_HINTS,
    ),
    "blocks_not_in_turn": (
        ({"stack": "not_in_turn"}, {"stack": "not_in_turn_unbound"}),
        "只有最后一个块起了作用：每个块拿到的都是最初的嵌入，前一个的输出没有交给下一个。",
        "Only the last block counts: each is given the embeddings, and what one returns isn't "
        "handed to the next.",
        STACK_HINTS,
    ),
    "blocks_reversed": (
        {"stack": "reversed"},
        "块的次序反了：先用列表里的第一个。",
        "The blocks come in reverse order; the first of the list goes first.",
        STACK_HINTS,
    ),
    "blocks_left_out": (
        (
            {"stack": "last_left_out"},
            {"stack": "first_only"},
            {"stack": "first_returned"},
            {"stack": "unused"},
        ),
        "有的块没有用上。",
        "Some blocks aren't used.",
        STACK_HINTS,
    ),
    "one_block_again_and_again": (
        {"stack": "first_again"},
        "每一层用的都是第一个块。",
        "The first block does the work of all.",
        STACK_HINTS,
    ),
    "pair_not_taken_apart": (
        {"stack": "pair_kept"},
        "块返回的一对（输出，权重）没有拆开，就整个交给了下一步。",
        "The pair that a block returns, output and weights, is handed on as a whole.",
        (
            (
                "单独调用一个块，打印返回值的类型：是一个张量，还是两样东西？",
                "Call a block by itself and print the type of what comes back: is it a tensor, or "
                "two things?",
            ),
            (
                "一对里只有第一样要交给下一个块；第二样这里用不着。",
                "Only the first of the two goes to the next block; the second isn't needed here.",
            ),
        ),
    ),
    "residual_added_again": (
        {"stack": "skip_again"},
        "在块的外面又加了一次输入：残差已经在块里了。",
        "The input is added once more around each block: the residual is inside the block already.",
        STACK_HINTS,
    ),
    "activation_before_the_output": (
        (
            {"output": "gelu"},
            {"output": "gelu_exact"},
            {"output": "relu"},
            {"output": "tanh"},
        ),
        "最后的状态先过了一个激活函数，才去和词元表相乘。",
        "The last states go through an activation before they meet the token table.",
        OUTPUT_HINTS,
    ),
    "probabilities_returned": (
        ({"output": "softmax"}, {"output": "log_softmax"}),
        "返回的是 softmax 之后的概率（或它的对数）；应当是 logits。",
        "Probabilities, or their logarithms, come back from behind a softmax; logits are asked "
        "for.",
        OUTPUT_HINTS,
    ),
    "states_rescaled": (
        ({"output": "normalised"}, {"output": "divided_by_root"}),
        "最后的状态被归一化或缩放了：约定里没有这一步。",
        "The last states are normalised or rescaled, which the contract doesn't ask for.",
        OUTPUT_HINTS,
    ),
    "embeddings_added_at_the_end": (
        {"output": "embeddings_added"},
        "最后又把嵌入加了上去。",
        "The embeddings are added once more at the end.",
        OUTPUT_HINTS,
    ),
    "compared_with_positions": (
        {"output": "position_table"},
        "最后乘的是位置表；要和词元表的各行比。",
        "The last states meet the position table; they should be compared with the token table.",
        OUTPUT_HINTS,
    ),
    "shifted_here": (
        ({"returned": "cut"}, {"returned": "first_cut"}),
        "这里就切掉了一个位置：logits 每个位置都要有，错开由损失来做。",
        "A position is cut off here: logits are wanted at all of them, the loss does the shifting.",
        FORM_HINTS,
    ),
    "last_position_only": (
        {"returned": "last_position"},
        "只返回了最后一个位置的 logits。",
        "Only the logits of the last position come back.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        ({"returned": "states"}, {"returned": "ids"}, {"returned": "time_first"}),
        "返回的不是 (B, T, V) 的 logits：是状态、是编号，或者轴的次序不对。",
        "What comes back isn't logits (B, T, V), but states, ids, or another order of axes.",
        FORM_HINTS,
    ),
} | TYING
