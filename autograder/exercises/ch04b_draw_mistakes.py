"""Mistakes in drawing a token, in seeds and in what is returned: switches, sentences and hints."""

DRAW_HINTS = (
    (
        "分数都一样的一千行：抽到的应当各不相同，每种词元的份额接近它的概率。",
        "A thousand rows with the same scores: draws should differ, with each token's share close "
        "to its probability.",
    ),
    (
        "看看你用的抽样函数要的是什么：logits，还是概率？",
        "Look up what your drawing function wants: logits or probabilities?",
    ),
)
ROW_HINTS = (
    (
        "两种分数不同的行，交替排列：两种行抽到的，各自符合自己的分布吗？",
        "Rows of two kinds in turn: does each kind draw by its own distribution?",
    ),
    (
        "每一行都要有自己的一次抽签。给 B 行，抽了几次？",
        "Every row needs a draw of its own. Given B rows, how many draws are there?",
    ),
)
SEED_HINTS = (
    (
        "同一个整数调用两次、换一个整数、两次都不给种子：哪些应当相同，哪些应当不同？",
        "Call it twice with one int, with another int, and twice with none: which should agree and "
        "which should differ?",
    ),
    (
        "把 seed 原样交给 Keras 的抽样函数，它三种都认得。",
        "Hand the seed on to Keras's random functions as it is: they know all three kinds.",
    ),
)
FORM_HINTS = (
    (
        "打印结果的形状和 dtype：是 (B,) 的整数吗？",
        "Print shape and dtype of the result: integers, of shape (B,)?",
    ),
    (
        "返回的是词元的编号：不是概率，不是名次，也不是一列。",
        "Ids of tokens are asked for: no probabilities, no ranks, no column.",
    ),
)
REFUSED_HINTS = (
    (
        "温度给 0，再给 −1：应当抛出 ValueError，你的呢？",
        "Try temperature 0, then −1: a ValueError should be raised. What happens?",
    ),
    (
        "除以 0 得无穷大，除以负数会把分布倒过来：两样都不是抽样。",
        "Dividing by 0 gives infinities and by a negative number a distribution upside down: "
        "neither is sampling.",
    ),
)

DRAWING = {
    "always_the_likeliest": (
        {"drawn": "largest"},
        "总是取最可能的词元：这是贪心，不是抽样。",
        "It always takes the likeliest token: that is greedy, no sampling.",
        DRAW_HINTS,
    ),
    "always_the_unlikeliest": (
        {"drawn": "smallest"},
        "总是取最不可能的词元。",
        "It always takes the unlikeliest token.",
        DRAW_HINTS,
    ),
    "drawn_evenly": (
        {"drawn": "evenly"},
        "留下的词元抽得一样多：应当按各自的概率抽。",
        "All tokens that are left are drawn alike; each should be drawn by its probability.",
        DRAW_HINTS,
    ),
    "probabilities_taken_for_logits": (
        (
            {"drawn": "softmax_twice"},
            {"drawn": "softmax_of_cut_shares"},
            {"drawn": "softmax_of_open_shares"},
            {"drawn": "softmax_of_early_shares", "nucleus_of": "everything"},
        ),
        "softmax 做了两次：抽样函数要的是 logits，拿到的却是概率。",
        "The softmax is taken twice: the drawing function wants logits and is given probabilities.",
        DRAW_HINTS,
    ),
    "softmax_over_the_batch": (
        {"drawn": "softmax_over_rows"},
        "softmax 的方向错了：要在一行的 V 个词元之间分配概率。",
        "The softmax runs along another axis; it shares out probability among a row's V tokens.",
        DRAW_HINTS,
    ),
    "first_row_for_all": (
        {"drawn": "first_row_for_all"},
        "每一行都按第一行的分布抽了。",
        "Every row is drawn by the distribution of the first.",
        ROW_HINTS,
    ),
    "rows_share_one_draw": (
        (
            {"rows_share": "one_draw_if_seeded"},
            {"drawn": "one_for_all"},
            {"rows_share": "one_draw"},
        ),
        "整批只抽了一次签：每一行要各抽各的（在循环里反复用同一个种子，也是只抽了一次）。",
        "All rows share one draw; every row should have its own (using the same seed again in a "
        "loop is one draw, too).",
        ROW_HINTS,
    ),
    "seed_ignored": (
        {"seed_use": "ignored"},
        "种子没有用上：同一个整数应当抽到同样的词元。",
        "The seed isn't used: the same int should draw the same tokens.",
        SEED_HINTS,
    ),
    "always_the_same_seed": (
        ({"seed_use": "fixed"}, {"seed_use": "fixed_without"}),
        "每次都抽到一样的：不给种子，或者换一个种子，应当抽到别的。",
        "Every call draws the same: without a seed, or with another, it should draw anew.",
        SEED_HINTS,
    ),
    "generator_starts_again": (
        {"seed_use": "generator_reset"},
        "种子生成器没有往前走：第二次调用抽到了跟第一次一样的。",
        "The seed generator doesn't move on: the second call draws what the first did.",
        SEED_HINTS,
    ),
    "generator_refused": (
        {"seed_use": "int_only"},
        "种子是 SeedGenerator 时出错了：整数、SeedGenerator 和 None 都要能用。",
        "A SeedGenerator as the seed raises an error; ints, SeedGenerators and None should all do.",
        SEED_HINTS,
    ),
    "temperature_not_checked": (
        ({"refusal": "missing"}, {"refusal": "zero_only"}, {"refusal": "below_zero_only"}),
        "温度不大于 0 时没有抛出 ValueError（0 和负数都算）。",
        "A temperature that isn't above 0 raises no ValueError (neither 0 nor less is allowed).",
        REFUSED_HINTS,
    ),
    "ranks_returned": (
        (
            {"returned": "rank_with_top_k"},
            {"returned": "rank_with_top_p"},
            {"returned": "rank"},
            {"returned": "rank_from_below"},
        ),
        "返回的是排序之后的名次，不是词元的编号。",
        "It is the rank after sorting that comes back, and not the token's id.",
        FORM_HINTS,
    ),
    "ids_off_by_one": (
        {"returned": "one_more"},
        "编号大了 1：词元从 0 数起。",
        "Ids are too large by one: tokens are counted from 0.",
        FORM_HINTS,
    ),
    "column_returned": (
        ({"returned": "column"}, {"returned": "column_of_floats"}),
        "返回的是一列 (B, 1)；应当是 (B,)。",
        "A column (B, 1) comes back; it should be (B,).",
        FORM_HINTS,
    ),
    "floats_returned": (
        {"returned": "floats"},
        "编号成了小数；应当是整数。",
        "Ids are floats; they should be integers.",
        FORM_HINTS,
    ),
    "a_table_returned": (
        ({"returned": "table_of_floats"}, {"returned": "table_of_integers"}),
        "返回的是每个词元的数 (B, V)，还没有抽；应当每行一个编号。",
        "Numbers for every token (B, V) come back and nothing is drawn; one id for each row is "
        "asked for.",
        FORM_HINTS,
    ),
    "axis_lost_with_one_row": (
        {"returned": "squeezed"},
        "只有一行的时候，返回的形状成了 ()：去掉大小是 1 的轴时，把批次的轴也去掉了。",
        "With a single row the result has shape (): along with the axis of size 1 that of the "
        "batch is gone.",
        (
            (
                "给一批只有一行的 logits：返回的形状是 (1,) 吗？",
                "Give it a batch of one row: is the shape of the result (1,)?",
            ),
            (
                "要去掉的是哪一个轴？说出它的号码，别的轴就不会跟着去掉。",
                "Which axis is to go? Say its number, and no other goes with it.",
            ),
        ),
    ),
    "a_single_token_returned": (
        ({"returned": "single"}, {"returned": "single_in_a_list"}),
        "只返回了一个词元；每一行都要有一个。",
        "A single token comes back; every row should have one.",
        FORM_HINTS,
    ),
}
