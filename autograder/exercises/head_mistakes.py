"""Mistakes in putting multi-head attention together, which several exercises can contain."""

WIRING_HINTS = (
    (
        "画一张图：三个输入、三个投影、三条箭头，箭头不交叉。",
        "Draw it: three inputs, three projections, three arrows, and no arrow crosses another.",
    ),
    (
        "让 query、key、value 取三个不同的张量再调用；自注意力会把这种错误藏起来。",
        "Call it with three different tensors; self-attention hides this kind of mistake.",
    ),
)
HEAD_HINTS = (
    (
        "分头、注意力、合头：在每一行后面写下形状。",
        "Split, attend, merge: write the shape after every line.",
    ),
    (
        "打乱输入里词的次序，输出应当跟着打乱。你的呢？",
        "Reorder the tokens of the input: the outputs should follow. Do yours?",
    ),
)
AXIS_HINTS = (
    (
        "分数的形状是 (B, N, T, S)，掩码是 (B, T, S)。两者从右边对齐，谁会对上谁？",
        "Scores are (B, N, T, S), the mask is (B, T, S). Lined up from the right, what meets what?",
    ),
    (
        "各个头共用一个掩码：缺的那个轴长度是 1，它站在哪里？",
        "All heads share one mask: the missing axis has length 1. Where does it stand?",
    ),
)

LAYER = {
    "query_projects_keys": dict(
        switch=({"inputs": "query_from_key"}, {"inputs": "query_from_value"}),
        zh="查询的投影读错了输入：它应当读 query。",
        en="The query projection reads the wrong input: it should read query.",
        hints=WIRING_HINTS,
    ),
    "key_projects_queries": dict(
        switch={"inputs": "key_from_query"},
        zh="键的投影读了 query：两个序列不同时，看的就成了自己。",
        en="The key projection reads query: with two sequences it would look at itself.",
        hints=WIRING_HINTS,
    ),
    "key_projects_values": dict(
        switch={"inputs": "key_from_value"},
        zh="键的投影读了 value：三个输入是分开的，它应当读 key。",
        en="The key projection reads value: the three inputs are separate, it should read key.",
        hints=WIRING_HINTS,
    ),
    "value_projects_keys": dict(
        switch={"inputs": "value_from_key"},
        zh="值的投影读了 key：三个输入是分开的，它应当读 value。",
        en="The value projection reads key: the three inputs are separate, it should read value.",
        hints=WIRING_HINTS,
    ),
    "value_projects_queries": dict(
        switch={"inputs": "value_from_query"},
        zh="值的投影读了 query，混合的就成了提问者自己。",
        en="The value projection reads query, so what is mixed are the askers themselves.",
        hints=WIRING_HINTS,
    ),
    "everything_projects_queries": dict(
        switch=({"inputs": "all_from_query"}, {"inputs": "all_from_key"}),
        zh="三个投影读的是同一个输入：只有自注意力时才碰巧对。",
        en="All three projections read one input: right by luck in self-attention alone.",
        hints=WIRING_HINTS,
    ),
    "key_and_value_inputs_swapped": dict(
        switch={"inputs": "key_value_exchanged"},
        zh="key 与 value 两个输入对调了（Keras 自带的层次序不同：query, value, key）。",
        en="The inputs key and value are exchanged (Keras's own layer has another order: query, "
        "value, key).",
        hints=WIRING_HINTS,
    ),
    "key_and_value_swapped": dict(
        switch={"inputs": "key_value_exchanged", "projections": "key_value_exchanged"},
        zh="进入注意力时键与值对调了：分数要用键，被混合的是值。",
        en="Keys and values change places on their way into the attention: keys make the scores, "
        "values get mixed.",
        hints=WIRING_HINTS,
    ),
    "projections_mixed_up": dict(
        switch=tuple(
            {"projections": mixed}
            for mixed in (
                "key_value_exchanged",
                "query_key_exchanged",
                "query_value_exchanged",
                "cycle",
                "cycle_back",
            )
        ),
        zh="投影层用错了对象：每个输入有自己的那一个。",
        en="Projections are exchanged: each input has one of its own.",
        hints=WIRING_HINTS,
    ),
    "one_shared_projection": dict(
        switch=tuple(
            {"projections": shared}
            for shared in (
                "shared",
                "key_shared",
                "value_shared",
                "key_value_shared",
                "query_key_shared",
            )
        ),
        zh="几个输入共用了一个投影；提问、应答、内容应当各有各的矩阵。",
        en="Inputs share one projection; asking, answering and content each have their own matrix.",
        hints=WIRING_HINTS,
    ),
    "projection_missing": dict(
        switch=tuple({"projections": name} for name in ("no_query", "no_key", "no_value", "none")),
        zh="有的输入没有经过投影就进入了注意力。",
        en="An input goes into the attention without its projection.",
        hints=WIRING_HINTS,
    ),
    "activation_on_projections": dict(
        switch=tuple(
            {"activation": f"{how}{where}"}
            for how in ("relu", "tanh", "gelu", "sigmoid")
            for where in ("", "_on_query", "_on_key", "_on_value", "_on_output")
        ),
        zh="投影之后多了激活函数；这里的投影是线性的，负数要留着。",
        en="There is an activation after the projections; they are linear here and negative "
        "numbers must survive.",
        hints=(
            (
                "投影之后有负数吗？应当有吗？",
                "Are there negative numbers after the projections? Should there be?",
            ),
            ("整个注意力里唯一的非线性在哪里？", "Where is the only nonlinearity in attention?"),
        ),
    ),
    "bare_reshape": dict(
        switch=({"split": "bare_reshape"}, {"split": "bare_reshape", "merge": "bare_reshape"}),
        zh="分头时只做了 reshape：不同词的特征混进了同一个头。",
        en="The heads are split by a bare reshape: features of different tokens mix in one head.",
        hints=HEAD_HINTS,
    ),
    "merged_by_bare_reshape": dict(
        switch={"merge": "bare_reshape"},
        zh="合头时没有先把轴换回来：一个词的输出里混进了别的词。",
        en="The heads are merged without moving the axes back: other tokens get into a token's "
        "output.",
        hints=HEAD_HINTS,
    ),
    "heads_reduced": dict(
        switch=tuple(
            {"merge": f"{how}{rest}"}
            for how in ("mean", "sum", "max")
            for rest in ("", "_tiled", "_repeated")
        ),
        zh="各个头被平均或相加了；应当并排拼接，再由输出投影来混合。",
        en="The heads are averaged or added; they should stand side by side, and the output "
        "projection mixes them.",
        hints=HEAD_HINTS,
    ),
    "single_head": dict(
        switch={"split": "single"},
        zh="没有分头：只有一个头，宽度是整个模型。",
        en="There is no splitting: one head as wide as the model.",
        hints=HEAD_HINTS,
    ),
    "head_count_and_size_swapped": dict(
        switch={"split": "sizes_swapped"},
        zh="头的个数与头的大小对调了：权重里头的个数不对。",
        en="The number of heads and their size are exchanged: count the heads of the weights.",
        hints=HEAD_HINTS,
    ),
    "attention_over_heads": dict(
        switch=({"split": "not_transposed", "merge": "flat"}, {"split": "not_transposed"}),
        zh="头的轴没有移到词的前面：每个词的各个头在互相看，而不是词与词。",
        en="The heads stay behind the tokens: the heads of one token look at each other, and not "
        "tokens at tokens.",
        hints=HEAD_HINTS,
    ),
    "heads_are_copies": dict(
        switch=({"split": "first_block"}, {"split": "everything"}),
        zh="每个头拿到的是同样的特征；应当各有各的一段。",
        en="All heads get the same features; each should have a block of its own.",
        hints=HEAD_HINTS,
    ),
    "output_projected_twice": dict(
        switch={"output_projection": "twice"},
        zh="输出投影用了两次。",
        en="The output projection is applied twice.",
        hints=(
            ("输出经过了几次 output_dense？", "How often does the output go through output_dense?"),
            ("四个投影，各用一次。", "Four projections, each used once."),
        ),
    ),
    "output_projection_missing": dict(
        switch={"output_projection": "missing"},
        zh="合头之后少了输出投影。",
        en="The output projection after merging is missing.",
        hints=(
            (
                "__init__ 里建了四个 Dense，你用了几个？",
                "There are four Dense layers in __init__: how many do you use?",
            ),
            (
                "各个头的结果并排之后，谁来把它们混合？",
                "Once the heads stand side by side, what mixes them?",
            ),
        ),
    ),
    "weights_averaged_over_heads": dict(
        switch=tuple(
            {"returned": form}
            for form in (
                "averaged_heads",
                "summed_heads",
                "largest_heads",
                "first_head",
                "averaged_heads_kept",
            )
        ),
        zh="返回的权重不是每个头一份（取了平均、相加，或只留一个）；约定都返回：(B, N, T, S)。",
        en="The returned weights aren't those of every head (averaged, added, or one alone); each "
        "head's should be returned: (B, N, T, S).",
        hints=(
            ("返回的权重应有几个轴？", "How many axes should the returned weights have?"),
            ("后面要逐头画图。", "Later every head is drawn on its own."),
        ),
    ),
    "mask_without_head_axis": dict(
        switch={"head_axis": "missing"},
        zh="掩码少了头的轴：广播时批的轴被对到了头上。",
        en="The mask lacks the head axis: broadcasting lines the batch up with the heads.",
        hints=AXIS_HINTS,
    ),
    "mask_axis_misplaced": dict(
        switch=({"head_axis": "at_2"}, {"head_axis": "at_the_end"}),
        zh="掩码的头轴加错了位置。",
        en="The head axis of the mask is in the wrong place.",
        hints=AXIS_HINTS,
    ),
    "mask_order_against_heads": dict(
        switch={"head_axis": "tiled"},
        zh="掩码复制的次序与头的次序对不上：同一项的各个头要挨在一起用同一份掩码。",
        en="The copies of the mask come in another order than the heads: all heads of one item "
        "need that item's mask.",
        hints=AXIS_HINTS,
    ),
    "first_mask_for_all": dict(
        switch={"head_axis": "first_item"},
        zh="整批都用了第一项的掩码。",
        en="Every item uses the mask of the first.",
        hints=AXIS_HINTS,
    ),
    "attention_over_the_batch": dict(
        switch={"over": "batch"},
        zh="注意力沿着批的轴进行：同一位置上的不同句子互相看。",
        en="Attention runs along the batch: different sentences look at each other.",
        hints=(
            (
                "改动批里的第二句，第一句的输出会变吗？",
                "Change the second sentence of the batch: does the output of the first move?",
            ),
            (
                "哪个轴是词？在每一行后面写下形状。",
                "Which axis holds the tokens? Write the shape after every line.",
            ),
        ),
    ),
    "layers_made_in_call": dict(
        random=True,
        switch=tuple({"layers": made} for made in ("fresh", "fresh_projections", "fresh_output")),
        zh="在 call 里新建了层：每次调用都是一组新的随机权重，永远学不到东西。",
        en="Layers are made inside call: every call draws new random weights, and nothing can ever "
        "be learned.",
        hints=(
            ("同样的输入调用两次，结果一样吗？", "Call it twice with one input: do results agree?"),
            (
                "权重要跟着层活下去。层是在哪个方法里建的？",
                "Weights must live as long as the layer. Which method makes the parts?",
            ),
        ),
    ),
    "features_interleaved": dict(
        switch=(
            {"split": "interleaved"},
            {"merge": "interleaved"},
            {"split": "interleaved", "merge": "interleaved"},
        ),
        zh="特征在各头之间交错分配；每个头应当拿到连续的一段。",
        en="The features are dealt out to the heads in turn; each head should get one block.",
        hints=HEAD_HINTS,
    ),
    "heads_in_reverse": dict(
        switch=({"split": "reversed"}, {"merge": "reversed"}),
        zh="头的次序反了：头 0 对应第一段特征。",
        en="The heads are in reverse order: head 0 belongs to the first block of features.",
        hints=HEAD_HINTS,
    ),
    "biases_missing": dict(
        switch=tuple(
            {"biases": which} for which in ("missing", "missing_in_output", "missing_in_inputs")
        ),
        zh="有的投影只用了矩阵，偏置没有加上：直接调用整个层就不会漏。",
        en="Of some projections only the kernel is used and not the bias: calling the whole layer "
        "forgets nothing.",
        hints=WIRING_HINTS,
    ),
    "causal_inside": dict(
        switch=({"causal": "always"}, {"causal": "without_a_mask"}),
        zh="在层里面加了因果掩码：这个层不管因果，谁能看谁由传进来的掩码说了算。",
        en="There is a causal mask inside the layer: it's the mask passed in that says who may "
        "look at whom.",
        hints=AXIS_HINTS,
    ),
    "residual_added": dict(
        switch=({"residual": "query"}, {"residual": "projected_query"}),
        zh="把输入加到了输出上：残差连接属于外面的块，不属于注意力层。",
        en="The input is added to the output: the residual connection belongs to the block around "
        "it and not to attention.",
        hints=WIRING_HINTS,
    ),
}
