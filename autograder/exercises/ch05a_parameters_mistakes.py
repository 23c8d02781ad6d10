"""Mistakes in counting BERT's parameters: switches, sentences and hints."""

TABLE_HINTS = (
    (
        "列一张单子：嵌入层里有哪几张表，各有几行、几列？",
        "Make a list: which tables are in the embeddings, of how many rows and columns?",
    ),
    (
        "嵌入层最后还有什么带参数？",
        "What else in the embeddings has parameters, at their end?",
    ),
)
BIAS_HINTS = (
    (
        "一个有 m 个输入、n 个输出的全连接层，有几个参数？偏置有几个数？",
        "How many parameters has a dense layer of m inputs and n outputs? How many numbers are its "
        "bias?",
    ),
    (
        "一个编码器块里有六个全连接层，各写一行：输入、输出、偏置。",
        "There are six dense layers in a block. Write a line for each: inputs, outputs, bias.",
    ),
)
NORM_HINTS = (
    (
        "层归一化有哪两个参数，各有几个数？",
        "Which two parameters has a layer norm, and how many numbers is each?",
    ),
    (
        "一个编码器块里有几个归一化？嵌入层里呢？",
        "How many norms are in a block? And in the embeddings?",
    ),
)
BLOCK_HINTS = (
    (
        "注意力：哪几个投影？每个从多宽到多宽？头数在里面约掉了吗？",
        "Attention: which projections, each from which width to which? Does the number of heads "
        "cancel?",
    ),
    (
        "前馈网络：先变宽，再变窄，一共几个矩阵？",
        "Feed-forward network: first wider, then narrow again. How many matrices is that?",
    ),
)
WHOLE_HINTS = (
    (
        "总数 = 嵌入层 + 块数 × 一个块 + 池化层。哪一项跟块数有关？",
        "All = embeddings + blocks × one block + pooler. Which of these depend on the number of "
        "blocks?",
    ),
    (
        "约定说只数编码器和池化层：预训练用的头在里面吗？",
        "By the contract it is the encoder with its pooler: are the heads of pretraining in it?",
    ),
)
UNIT_HINTS = (
    (
        "打印返回值和它的类型：末尾有小数点吗？",
        "Print what you return and its type: is there a decimal point in it?",
    ),
    (
        "只有加法和乘法时，整数还是整数：哪一步让它变了？",
        "Sums and products of ints are ints: which step makes something else of it?",
    ),
)

PARAMETERS = {
    "positions_not_counted": dict(
        switch=({"tables": "no_positions"}, {"tables": "usual_positions"}),
        zh="位置表没有数（或者行数是写死的）。",
        en="The position table isn't counted (or its number of rows is written in).",
        hints=TABLE_HINTS,
    ),
    "segments_not_counted": dict(
        switch=({"tables": "no_segments"}, {"tables": "two_segments"}),
        zh="片段表没有数（或者行数是写死的）。",
        en="The segment table isn't counted (or its number of rows is written in).",
        hints=TABLE_HINTS,
    ),
    "token_table_only": dict(
        switch={"tables": "tokens_only"},
        zh="嵌入层里只数了词元表。",
        en="Of the embeddings only the token table is counted.",
        hints=TABLE_HINTS,
    ),
    "norm_of_embeddings_not_counted": dict(
        switch={"norms": "none_for_embeddings"},
        zh="嵌入层的归一化没有数。",
        en="The norm of the embeddings isn't counted.",
        hints=NORM_HINTS,
    ),
    "norms_not_counted": dict(
        switch={"norms": "none"},
        zh="归一化的参数一个也没有数。",
        en="No norm is counted.",
        hints=NORM_HINTS,
    ),
    "norm_miscounted": dict(
        switch=({"norms": "one_number"}, {"norms": "features_and_one"}),
        zh="每个归一化的参数数得不对：gamma 和 beta 各有 D 个数。",
        en="A norm is miscounted: gamma and beta are D numbers each.",
        hints=NORM_HINTS,
    ),
    "number_of_norms": dict(
        switch=({"norms": "one_in_a_block"}, {"norms": "three_in_a_block"}),
        zh="一块编码器里归一化的个数不对：有两个。",
        en="The number of norms in a block is wrong: there are two.",
        hints=NORM_HINTS,
    ),
    "one_norm_a_block_and_no_other": dict(
        switch={"norms": "one_in_a_block_alone"},
        zh="归一化只在每块里数了一个：一块有两个，嵌入之后还有一个。",
        en="Of the norms, only one in each block is counted: a block has two, and there is one "
        "behind the embeddings.",
        hints=NORM_HINTS,
    ),
    "biases_not_counted": dict(
        switch=(
            {"biases": "none"},
            {"biases": "none_in_attention"},
            {"biases": "none_in_feed_forward"},
        ),
        zh="全连接层的偏置没有数（或者没有数全）。",
        en="Biases of dense layers aren't counted (or not all).",
        hints=BIAS_HINTS,
    ),
    "bias_miscounted": dict(
        switch=tuple(
            {"biases": how}
            for how in ("both_hidden", "both_middle", "first_only", "last_only", "one_each")
        ),
        zh="前馈网络的偏置数得不对：每层有几个输出，偏置就有几个数（全连接层都是这样）。",
        en="Biases of the feed-forward network are miscounted: a dense layer's bias has as many "
        "numbers as it has outputs.",
        hints=BIAS_HINTS,
    ),
    "number_of_projections": dict(
        switch=({"attention": "three"}, {"attention": "one"}, {"attention": "five"}),
        zh="注意力里投影的个数不对：查询、键、值，还有输出。",
        en="The number of projections in the attention is wrong: query, key, value, and output.",
        hints=BLOCK_HINTS,
    ),
    "heads_counted": dict(
        switch=(
            {"heads": "times_heads"},
            {"heads": "queries_times_heads"},
            {"heads": "one_head"},
        ),
        zh="头数进了结果：一个 D × D 的投影已经包含所有的头。",
        en="The number of heads gets into the result: one D × D projection holds all heads.",
        hints=BLOCK_HINTS,
    ),
    "feed_forward_miscounted": dict(
        switch=tuple({"middle": how} for how in ("one", "square", "sum")),
        zh="前馈网络的矩阵数得不对：从 D 到 F，再从 F 回到 D。",
        en="The matrices of the feed-forward network are miscounted: from D to F, and from F back "
        "to D.",
        hints=BLOCK_HINTS,
    ),
    "middle_written_in": dict(
        switch={"middle": "four_times"},
        zh="前馈网络的宽度写死成了 4D：F 在 config.intermediate_dim 里，不一定是 4D。",
        en="The width of the feed-forward network is written in as 4D: F is "
        "config.intermediate_dim and needn't be 4D.",
        hints=(
            (
                "把 intermediate_dim 换一个数，别的不动：你的结果变了吗？",
                "Change intermediate_dim and nothing else: does your result change?",
            ),
            (
                "config 里的七个尺寸，你的代码用到了哪几个？",
                "Which of the seven sizes of config does your code use?",
            ),
        ),
    ),
    "pooler_not_counted": dict(
        switch={"pooler": "missing"},
        zh="池化层没有数。",
        en="The pooler isn't counted.",
        hints=WHOLE_HINTS,
    ),
    "pooler_miscounted": dict(
        switch=(
            {"pooler": "without_bias"},
            {"pooler": "hidden_only"},
            {"pooler": "twice"},
            {"blocks": "pooler_in_each"},
        ),
        zh="池化层数得不对：一个从 D 到 D 的全连接层，整个模型只有一个。",
        en="The pooler is miscounted: one dense layer from D to D, and only one in the model.",
        hints=WHOLE_HINTS,
    ),
    "blocks_miscounted": dict(
        switch=(
            {"blocks": "one"},
            {"blocks": "everything_times_layers"},
            {"blocks": "one_more"},
            {"blocks": "one_less"},
        ),
        zh="块数用得不对：编码器块有 num_layers 个，别的只有一份。",
        en="The number of blocks is used wrongly: there are num_layers of them, and one of all "
        "else.",
        hints=WHOLE_HINTS,
    ),
    "embeddings_not_counted": dict(
        switch={"blocks": "embeddings_missing"},
        zh="嵌入层没有数。",
        en="The embeddings aren't counted.",
        hints=WHOLE_HINTS,
    ),
    "heads_of_pretraining_counted": dict(
        switch=tuple(
            {"extra": how}
            for how in (
                "output_table",
                "output_bias",
                "masked_lm_head",
                "both_heads",
                "next_sentence_head",
                "output_table_and_bias",
            )
        ),
        zh="把预训练用的头（或输出层）也数了进去；这里只数编码器和池化层。",
        en="Heads of pretraining (or an output layer) are counted too; it should be the encoder "
        "and its pooler alone.",
        hints=WHOLE_HINTS,
    ),
    "not_a_whole_number": dict(
        switch=({"unit": "float"}, {"unit": "millions"}),
        zh="返回的不是整数（是小数，或者以百万计）。",
        en="What comes back isn't a whole number (but a float, or millions).",
        hints=UNIT_HINTS,
    ),
    "bytes_counted": dict(
        switch={"unit": "bytes"},
        zh="数的是字节；要数的是参数的个数。",
        en="Bytes are counted; it should be parameters.",
        hints=UNIT_HINTS,
    ),
}
