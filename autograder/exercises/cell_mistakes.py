"""Mistakes of one step of a decoder that looks back."""

from autograder.exercises.alignment_mistakes import GRADIENT_LOST
from autograder.exercises.attention_mistakes import MASK_HINTS

ORDER_HINTS = (
    (
        "图上的箭头从哪里出发？先走一步，再回头看，还是反过来？",
        "Where do the arrows of the picture start? Does it step first and look then, or the other "
        "way round?",
    ),
    (
        "在纸上把一步里的五样东西排好次序：新状态、分数、权重、上下文、输出。每一样用到了谁？",
        "Put the five things of a step in order on paper: new state, scores, weights, context, "
        "output. What does each of them use?",
    ),
)
RETURN_HINTS = (
    (
        "对照说明里“返回”那一段，逐项看形状。",
        "Read the Returns part again and compare every shape.",
    ),
    ("下一步从哪里接着走？", "What does the next step begin with?"),
)
CELL_MISTAKES = {
    "old_state_asks": dict(
        switch=({"query": "old_state", "joined_state": "old_state"}, {"query": "old_state"}),
        zh="去查询的是旧状态；这里约定先走一步，由新状态去查询（Luong 的次序，Bahdanau 的相反）。",
        en="The old state does the asking; here the cell moves first and the new state asks "
        "(Luong's order; Bahdanau's is the other).",
        hints=ORDER_HINTS,
    ),
    "carry_asks": dict(
        switch=({"query": "carry", "joined_state": "carry"}, {"query": "carry"}),
        zh="LSTM 里去查询的成了记忆（carry）；应当是状态，也就是列表里的第一个。",
        en="With an LSTM the carry does the asking; it should be the state, the first of the list.",
        hints=ORDER_HINTS,
    ),
    "joined_with_old_state": dict(
        switch={"joined_state": "old_state"},
        zh="和上下文拼在一起的是旧状态；应当是新状态。",
        en="The context is joined with the old state; it should be the new one.",
        hints=ORDER_HINTS,
    ),
    "state_joined_first": dict(
        switch={"join": "state_first"},
        zh="拼接的次序反了：约定上下文在前，状态在后。",
        en="The two are joined in the other order: the context comes first, the state second.",
        hints=ORDER_HINTS,
    ),
    "score_kernel_not_used": dict(
        switch={"score": "dot"},
        zh="分数里没有用上 score_kernel：维数相同时，少了它也不报错。",
        en="The scores don't use score_kernel: where sizes agree nothing complains.",
        hints=ORDER_HINTS,
    ),
    "score_kernel_turned": dict(
        switch={"score": "transposed"},
        zh="score_kernel 转置了。",
        en="score_kernel is transposed.",
        hints=ORDER_HINTS,
    ),
    "scores_scaled": dict(
        switch=({"score": "scaled"}, {"score": "scaled_by_state"}),
        zh="分数被维数的平方根除过了；这一章的分数不缩放。",
        en="The scores are divided by the root of the size; in this notebook they aren't scaled.",
        hints=ORDER_HINTS,
    ),
    "mixes_projected_source": dict(
        switch={"values": "projected"},
        zh="被加权的是乘过矩阵的源向量；矩阵只用来打分，加权的是 source 本身。",
        en="What is mixed is the source times the matrix; the matrix is for scoring only, what is "
        "mixed is the source itself.",
        hints=ORDER_HINTS,
    ),
    "context_without_weights": dict(
        switch={"values": "evenly"},
        zh="上下文是源向量的简单平均，没有用上权重。",
        en="The context is a plain mean of the source; the weights aren't used.",
        hints=ORDER_HINTS,
    ),
    "softmax_axis": dict(
        switch=({"softmax_axis": "queries"}, {"softmax_axis": "batch"}),
        zh="softmax 的方向不对：权重应当在源句的各个词之间分配，和是 1。",
        en="The softmax runs along the wrong axis: weights are shared among the source tokens and "
        "sum to one.",
        hints=(
            ("权重沿哪一轴求和得到 1？", "Along which axis do the weights sum to one?"),
            ("长度为 1 的轴上做 softmax 会得到什么？", "What does a softmax give on an axis of "
             "length 1?"),
        ),
    ),
    "mask_without_effect": dict(
        switch={"mask_use": "discarded"},
        zh="padding_mask 没有起作用：填充处也分到了权重。",
        en="padding_mask has no effect: pads get weight too.",
        hints=MASK_HINTS,
    ),
    "mask_inverted": dict(
        switch={"mask_use": "inverted"},
        zh="掩码的方向反了：True 表示真词。",
        en="The mask is read the wrong way round: True means a real token.",
        hints=MASK_HINTS,
    ),
    "mask_after_softmax": dict(
        switch={"mask_use": "after_softmax"},
        zh="掩码用在了 softmax 之后：剩下的权重之和不再是 1。",
        en="The mask comes after the softmax: what is left no longer sums to one.",
        hints=MASK_HINTS,
    ),
    "mask_without_query_axis": dict(
        switch={"mask_axis": "missing"},
        zh="掩码是 (B, S)，分数是 (B, T, S)：少了查询那一轴，对不上。",
        en="The mask is (B, S) and the scores are (B, T, S): without an axis for the query they "
        "don't line up.",
        hints=(
            ("打印掩码和分数的形状。", "Print the shapes of mask and scores."),
            ("所有查询共用一张掩码，广播时那一轴该有多长？", "All queries share one mask: how long "
             "must that axis be to broadcast?"),
        ),
    ),
    "none_used_as_a_mask": dict(
        switch={"no_mask": "used"},
        zh="没有给掩码的时候，也去给它添轴、拿它去遮：那时它是 None，不是张量，要先问一句。",
        en="Where no mask is given you treat it as one all the same: it is None then, and no "
        "tensor, so ask first.",
        hints=(
            ("不给掩码，走一步试试。", "Take a step without a mask."),
            (
                "没有掩码的时候，masked_softmax 该拿到什么？",
                "What should masked_softmax be given when there is no mask?",
            ),
        ),
    ),
    "moves_twice": dict(
        switch={"moves": "twice"},
        zh="一次调用里走了两步。",
        en="One call takes two steps.",
        hints=ORDER_HINTS,
    ),
    "never_moves": dict(
        switch={"moves": "never"},
        zh="循环单元没有走：状态还是旧的。",
        en="The recurrent cell never moves: the state stays the old one.",
        hints=ORDER_HINTS,
    ),
    "old_states_returned": dict(
        switch={"returned_states": "old"},
        zh="返回的是旧状态：下一步又从原地出发。",
        en="The old states come back: the next step begins where this one did.",
        hints=RETURN_HINTS,
    ),
    "output_fed_back": dict(
        switch={"returned_states": "output"},
        zh="输出被当成新状态交了回去（类似 input feeding）；这里约定，下一步只从循环单元自己的"
        "状态出发。",
        en="The output goes back as if it were the new state (much like input feeding); here the "
        "next step begins with the recurrent cell's own states.",
        hints=RETURN_HINTS,
    ),
    "output_not_transformed": dict(
        switch=({"output": "joined"}, {"output": "context"}, {"output": "state"}),
        zh="输出没有经过 output_dense：约定是拼接之后再过这一层（tanh）。",
        en="The output doesn't go through output_dense: what was joined should (a tanh layer).",
        hints=ORDER_HINTS,
    ),
    "second_tanh": dict(
        switch={"output": "tanh_twice"},
        zh="tanh 用了两次：output_dense 自己已经带着一个。",
        en="The tanh is taken twice: output_dense has one of its own.",
        hints=ORDER_HINTS,
    ),
    "scores_returned": dict(
        switch={"returned": "scores"},
        zh="返回的是分数；约定返回 softmax 之后的权重。",
        en="The scores come back; it should be the weights, from after the softmax.",
        hints=RETURN_HINTS,
    ),
    "query_axis_kept": dict(
        switch={"returned": "with_query_axis"},
        zh="只有一个查询的那一轴没有去掉：输出是 (B, H)，权重是 (B, S)。",
        en="The axis of the one query is still there: the output is (B, H), the weights (B, S).",
        hints=RETURN_HINTS,
    ),
    "triple_in_another_order": dict(
        switch={"returned": "weights_second"},
        zh="三样返回值的次序不对：输出、状态、权重。",
        en="The three results are in another order: output, states, weights.",
        hints=RETURN_HINTS,
    ),
    "pair_swapped": dict(
        switch={"returned": "pair_swapped"},
        zh="输出和权重对调了：look_back 返回的一对，先是输出，后是权重。",
        en="Output and weights are exchanged: look_back returns the output first, the weights "
        "second.",
        hints=RETURN_HINTS,
    ),
    "batch_axis_lost": dict(
        switch=tuple(
            {"returned": which} for which in ("squeezed", "output_squeezed", "weights_squeezed")
        ),
        zh="批里只有一句时，连批次轴也被压掉了：squeeze 不写 axis，会去掉所有长度为 1 的轴。",
        en="With a single sentence the batch axis is squeezed away too: squeeze without an axis "
        "drops every axis of length 1.",
        hints=(
            ("批次大小是 1 的时候，形状应当是什么？", "What should the shapes be with a batch of "
             "one?"),
            ("你想去掉的是哪一个轴？", "Which axis did you mean to drop?"),
        ),
    ),
    "carry_not_returned": dict(
        switch={"returned": "one_state"},
        zh="LSTM 有两个状态，返回的列表里只有一个：记忆丢了，下一步接不上。",
        en="An LSTM has two states and the list that comes back holds one: without the carry the "
        "next step can't begin.",
        hints=RETURN_HINTS,
    ),
    "state_not_in_a_list": dict(
        switch={"returned": "bare_state"},
        zh="返回的是新状态本身，不是列表：约定返回所有新状态的列表，只有一个也一样，下一步才接得上。",
        en="The new state comes back by itself; the list of all new states is asked for, even of "
        "one, so that the next step can begin with it.",
        hints=RETURN_HINTS,
    ),
    "gradient_lost": GRADIENT_LOST
    | dict(
        switch=tuple(
            {"gradient": path}
            for path in ("lost_in_context", "lost", "lost_in_source", "lost_in_x")
        )
    ),
}  # fmt: skip
