"""Mistakes of the attention formula, which several exercises can contain."""

SCALE_HINTS = (
    (
        "随机取一些 d 维向量，算算点积的方差：它随 d 怎样变化？",
        "Take random vectors of size d and look at the variance of their dot products: how does "
        "it depend on d?",
    ),
    (
        "除数只跟“一次点积加了几项”有关。写出它用到的数，再看它的次方对不对。",
        "The divisor depends only on how many terms one dot product adds up. Write that number "
        "down, then check the power it is raised to.",
    ),
)
MASK_HINTS = (
    (
        "手算一行：三个分数，第三个键关闭。softmax 之后前两个权重之和应当是多少？",
        "Do one row by hand: three scores, the third key closed. What must the first two weights "
        "add up to after the softmax?",
    ),
    (
        "把进入 softmax 之前的分数打印出来：关闭的键那一格，取指数以后是不是接近 0？",
        "Print the scores just before the softmax: do the closed entries vanish when "
        "exponentiated, and only those?",
    ),
)
DROPOUT_HINTS = (
    (
        "顺着数据走一遍：分数 → 权重 → 输出。dropout 站在哪两步之间？",
        "Follow the data: scores → weights → output. Between which two of them does dropout stand?",
    ),
    (
        "返回的权重和参与加权求和的权重可以是两个变量。",
        "The weights you return and the weights you mix with may be two variables.",
    ),
)


def with_fills(switch):
    """A switch, and the same with the other numbers that students put in closed places.

    Needed where scores themselves, and not only what a softmax makes of them, reach the result.
    """
    others = ({"mask_use": f"fill_{fill}"} for fill in ("-1e9", "-1e4", "-inf"))
    return (switch, *({**switch, **other} for other in others))


SHARED = {
    "unscaled_scores": dict(
        switch={"scale": "none"},
        zh="分数没有缩放：维数一大，点积的数值就大，softmax 会变得几乎非 0 即 1。",
        en="The scores aren't scaled: with many dimensions dot products grow and the softmax "
        "becomes nearly all or nothing.",
        hints=SCALE_HINTS,
    ),
    "scaled_without_root": dict(
        switch={"scale": "head_dim"},  # scaling twice comes to the same
        zh="缩放过头了：点积被除以了 d_k 本身，而不是它的平方根（也可能是缩放了两次）。",
        en="Scaled too much: the dot products are divided by d_k itself and not by its root (or "
        "they are scaled twice).",
        hints=SCALE_HINTS,
    ),
    "scaled_by_model_dim": dict(
        switch={"scale": "root_model_dim"},
        zh="缩放用的是整个模型的宽度；每个头里的点积只加了 head_dim 项。",
        en="Scaled by the width of the whole model; a dot product inside a head adds up only "
        "head_dim terms.",
        hints=SCALE_HINTS,
    ),
    "scaled_after_softmax": dict(
        switch=({"scale": "after_softmax"}, {"scale": "after_output"}),
        zh="缩放放在了 softmax 之后：它应当在 softmax 之前作用于分数。",
        en="The scaling comes after the softmax; it should act on the scores before it.",
        hints=SCALE_HINTS,
    ),
    "mask_after_softmax": dict(
        switch=(
            {"mask_use": "after_softmax"},
            *({"mask_use": f"after_softmax_{fill}"} for fill in ("-1e9", "-1e4", "-3e4", "-inf")),
        ),
        zh="掩码用在了 softmax 之后：softmax 已经把权重分给了关闭的键，剩下的权重之和不再是 1。",
        en="The mask comes after the softmax: closed keys have had their share by then, and what "
        "is left no longer sums to one.",
        hints=MASK_HINTS,
    ),
    "closed_keys_score_zero": dict(
        switch=({"mask_use": "multiplied"}, {"mask_use": "tiny_fill"}),
        zh="关闭的键得到的分数是 0 上下（掩码乘进了分数，或者填的是 1e-9 之类的数）："
        "0 分往往比负分还高。",
        en="Closed keys get a score of about 0 (the mask is multiplied in, or the fill is "
        "something like 1e-9), and 0 beats every negative score.",
        hints=MASK_HINTS,
    ),
    "mask_fill_too_weak": dict(
        switch=tuple(
            {"mask_use": f"fill_{fill}"} for fill in (-0.5, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10)
        ),
        zh="填给关闭位置的数不够小：这些键仍然分到了不少权重。",
        en="The number put in the closed places isn't small enough: those keys still get a good "
        "deal of weight.",
        hints=MASK_HINTS,
    ),
    "mask_fill_positive": dict(
        switch=({"mask_use": "plus_infinity"}, {"mask_use": "large_positive"}),
        zh="填充值的符号反了：关闭的键拿到一个极大的分数，把权重全吸走了（或变成 NaN）。",
        en="The fill has the wrong sign: closed keys get a huge score and take all the weight (or "
        "give NaN).",
        hints=MASK_HINTS,
    ),
    "mask_inverted": dict(
        switch=({"mask_use": "inverted"}, {"mask_use": "penalty_on_kept"}),
        zh="掩码的方向反了：True 表示“可以看”，而你压低的正是这些位置。",
        en="The mask is read the wrong way round: True means “may attend”, and those are the "
        "places that you push down.",
        hints=MASK_HINTS,
    ),
    "mask_without_effect": dict(
        switch={"mask_use": "discarded"},
        zh="掩码没有起作用：结果与不带掩码时一样。检查那个运算的返回值有没有被用上，"
        "加上去的数是不是小得看不见。",
        en="The mask has no effect: the result is that without a mask. See whether what that "
        "operation returns is used at all, or whether it adds too small a number.",
        hints=MASK_HINTS,
    ),
    "mask_on_values": dict(
        switch={"mask_use": "on_values"},
        zh="掩码用在了 value 上：分数没有受到影响，关闭的键照样分走权重。",
        en="The mask acts on the values: the scores know nothing of it, and closed keys still take "
        "their share of the weights.",
        hints=MASK_HINTS,
    ),
    "mask_read_in_part": dict(
        switch=tuple(
            {"mask_use": part} for part in ("first_row", "first_column", "any_query", "every_query")
        ),
        zh="掩码没有逐个查询、逐个键地使用：一行、一列或一个汇总代替了整个掩码。",
        en="The mask isn't used entry by entry: one row, one column or a summary of it stands for "
        "the whole.",
        hints=MASK_HINTS,
    ),
    "infinity_times_zero": dict(
        switch={"mask_use": "infinity_times_zero"},
        zh="开放的位置上算出了 0 × 无穷大，结果是 NaN：乘出来的惩罚要用有限的数。",
        en="At open places 0 is multiplied by infinity, which gives NaN: a penalty that is "
        "multiplied must be finite.",
        hints=MASK_HINTS,
    ),
    "softmax_axis": dict(
        switch=tuple(
            {"softmax_axis": axis}
            for axis in ("queries", "axis_1", "batch", "all_pairs", "everything")
        ),
        zh="softmax 的方向不对：应当让每个查询的权重对所有键求和为 1。",
        en="The softmax runs along the wrong axis: the weights of one query must sum to one over "
        "its keys.",
        hints=(
            (
                "对 weights 的各个轴分别求和，哪一个得到全 1？",
                "Sum the weights along each axis in turn: along which do you get ones?",
            ),
            (
                "一行分数属于一个查询。行内变化的是哪一个轴？从后往前数比从前往后数可靠。",
                "A row of scores belongs to one query. Which axis runs along a row? Counting from "
                "the end is safer than counting from the front.",
            ),
        ),
    ),
    "dropout_ignored": dict(
        switch={"dropout_use": "ignored"},
        zh="没有用上 dropout：它应当作用在权重上。",
        en="Dropout isn't used: it should act on the weights.",
        hints=DROPOUT_HINTS,
    ),
    "dropped_weights_returned": dict(
        switch={"dropout_use": "returned"},
        zh="返回的是 dropout 之后的权重；约定返回之前的，这样每行之和才是 1。",
        en="The returned weights are those after dropout; it should be those before, whose rows "
        "sum to one.",
        hints=DROPOUT_HINTS,
    ),
    "dropout_on_scores": dict(
        switch={"dropout_use": "on_scores"},
        zh="dropout 用在了 softmax 之前：分数里的 0 并不等于没有权重。",
        en="Dropout acts before the softmax: a zero among the scores isn't the same as no weight.",
        hints=DROPOUT_HINTS,
    ),
    "dropout_on_output": dict(
        switch=({"dropout_use": "on_output"}, {"dropout_use": "on_values"}),
        zh="dropout 用在了输出（或 value）上；应当丢掉的是个别的注意力权重。",
        en="Dropout acts on the output (or the values); what should be dropped are single "
        "attention weights.",
        hints=DROPOUT_HINTS,
    ),
    "dropout_twice": dict(
        switch={"dropout_use": "twice"},
        zh="dropout 用了两次：丢得太多，留下来的也放大了两次。",
        en="Dropout acts twice: too much is dropped, and what stays is scaled up twice.",
        hints=DROPOUT_HINTS,
    ),
    "weights_transposed": dict(
        switch={"returned": "transposed_weights"},
        zh="返回的权重行列对调了：行应当是查询，列是键。",
        en="The returned weights have rows and columns exchanged: rows are queries, columns keys.",
        hints=(
            ("返回的权重沿哪个轴求和得到 1？", "Along which axis do the weights sum to one?"),
            ("对照说明里权重的形状。", "Compare their shape with the one in the contract."),
        ),
    ),
    "gradient_lost": dict(
        switch=tuple(
            {"gradient": path}
            for path in ("lost", "lost_in_weights", "lost_in_query", "lost_in_key", "lost_in_value")
        ),
        zh="数值是对的，但梯度断了：中途变成了 NumPy 数组，或者有一步不可导（取整、取最大），"
        "训练时这一段学不到东西。",
        en="The values are right but the gradient is cut: somewhere tensors become NumPy arrays, "
        "or a step such as rounding can't be differentiated, and nothing before it can learn.",
        hints=(
            (
                "找一找哪里把张量变成了 NumPy 数组。",
                "Look for the place where a tensor turns into a NumPy array.",
            ),
            (
                "你用的每个 np 函数，在 ops 里几乎都有同名的一个。",
                "Nearly every np function that you use has a namesake in ops.",
            ),
        ),
    ),
    "scores_returned": dict(
        switch=(*with_fills({"returned": "scores"}), {"returned": "unmasked_scores"}),
        zh="第二个返回值是分数（softmax 之前），约定返回权重（softmax 之后）。",
        en="The second thing returned is the scores (before the softmax); it should be the "
        "weights (after it).",
        hints=(
            ("这一项的每一行之和是多少？", "What does each row of it sum to?"),
            (
                "看看变量名：分数和权重是同一条路上的前后两站。",
                "Look at the names: scores and weights are two stops on one road.",
            ),
        ),
    ),
    "pair_swapped": dict(
        switch={"returned": "weights_first"},
        zh="两个返回值的顺序反了：约定先输出、后权重。",
        en="The two results are in the wrong order: output first, weights second.",
        hints=(
            ("读一遍说明里 Returns 那一段。", "Read the Returns part of the docstring again."),
            (
                "两项的最后一个轴长度不同，可以用来辨认。",
                "Their last axes differ in length, which tells them apart.",
            ),
        ),
    ),
    "output_only": dict(
        switch={"returned": "output_only"},
        zh="只返回了输出；约定返回一对：（输出，权重）。",
        en="Only the output is returned; it should be the pair (output, weights).",
        hints=(
            (
                "后面的图要画权重，它们从哪里来？",
                "Later pictures draw the weights: where do they come from?",
            ),
            (
                "Python 函数可以一次返回两样东西。",
                "A Python function can return two things at once.",
            ),
        ),
    ),
}
