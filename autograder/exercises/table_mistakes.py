"""Known mistakes in learned positions: name → switches, sentences and hints."""

TABLE_HINTS = (
    (
        "造一层，max_sequence_length 取 10，用 (2, 3, 4) 的输入调用一次，再打印 layer.weights。",
        "Make the layer with max_sequence_length 10, call it on an input of shape (2, 3, 4), and "
        "print layer.weights.",
    ),
    (
        "表有多大，不看这一次的句长，只看两个数：最多几个位置，每个词几个特征。",
        "How long this input happens to be has no say in the table's size; two numbers have: how "
        "many positions at most, and how many features.",
    ),
)
START_HINTS = (
    (
        "构造时给 initializer_stddev 一个大数，比如 5，再看表里的数有多大。",
        "Make the layer with a large initializer_stddev, say 5: how large are the table's numbers?",
    ),
    (
        "add_weight 有一个参数专管初始值；不给它，Keras 就用自己的。",
        "add_weight has an argument for the first values; without it Keras takes its own.",
    ),
)
ROW_HINTS = (
    (
        "让 x 全是 0，输出就是加上去的东西。第 t 个词得到的是表的第几行？",
        "Let x be all zeros: the output is what was added. Which row of the table does token t "
        "get?",
    ),
    (
        "换几种句长和批的大小再看：哪个数决定取几行？",
        "Try other lengths and batch sizes: which number decides how many rows are taken?",
    ),
)
SUM_HINTS = (
    (
        "让表全是 0：输出应当就是 x。你的呢？",
        "Let the table be all zeros: the output should be x. Is yours?",
    ),
    (
        "再让 x 全是 0：输出应当就是表的前几行。",
        "Then let x be all zeros: the output should be the first rows of the table.",
    ),
)
LENGTH_HINTS = (
    (
        "用形状 (2, 5, 4) 的输入调用一次，在 call 里打印你当作句长的那个数：应当是 5。",
        "Call it on an input of shape (2, 5, 4) and print, inside call, what you take for the "
        "length: it should be 5.",
    ),
    (
        "(B, T, D)：三个轴，从 0 数起，句长是第几个？",
        "(B, T, D): counting axes from 0, which of them is the length?",
    ),
)
LEARN_HINTS = (
    (
        "造一层，调用一次，打印 layer.trainable_weights：表在里面吗？",
        "Make the layer, call it once and print layer.trainable_weights: is the table among them?",
    ),
    (
        "从 self.table 到返回值，中途有没有离开张量（NumPy），或者停掉梯度？",
        "On the way from self.table to what is returned, does anything leave the tensors (NumPy) "
        "or stop the gradient?",
    ),
)
CHECK_HINTS = (
    (
        "max_sequence_length 取 4，拿长 4 和长 5 的输入各调用一次。",
        "Take max_sequence_length 4 and call the layer on inputs of lengths 4 and 5.",
    ),
    (
        "正好那么长是可以的；再长一个词就该报错，而且要报约定的那一种。",
        "Just that long is fine; one token more should raise, and raise what the contract says.",
    ),
)

TABLE = {
    "table_of_another_name": dict(
        switch={"named": "other"},
        zh="没有名叫 table 的参数：表用 add_weight 来建，登记的名字也叫 table。",
        en="There is no weight called table: it is made by add_weight, under that name.",
        hints=TABLE_HINTS,
    ),
    "table_of_this_length": dict(
        switch=(
            {"table": "of_input", "kept": "other"},
            {"table": "batch_too", "kept": "other"},
        ),
        zh="表的大小跟着这一次的输入走：换一个更长的句子就不够用了。",
        en="The table is as long as the first input: a longer one won't fit.",
        hints=TABLE_HINTS,
    ),
    "one_vector_for_all": dict(
        switch=tuple(
            {"table": size, "kept": "broadcast"}
            for size in ("vector", "one_row", "one_number", "numbers")
        ),
        zh="表太小了：每个位置都要有自己的 D 个数。",
        en="The table is too small: every position needs D numbers of its own.",
        hints=TABLE_HINTS,
    ),
    "table_has_other_axes": dict(
        switch=tuple(
            {"table": size, "kept": "other"}
            for size in ("transposed", "batch_of_one", "one_longer")
        ),
        zh="表的形状不是 (max_sequence_length, D)。",
        en="The table's shape isn't (max_sequence_length, D).",
        hints=TABLE_HINTS,
    ),
    "starts_at_zero": dict(
        switch=({"begins": "zeros"}, {"begins": "ones"}),
        zh="表的初始值处处相同；应当随机，否则一开始各个位置分不出来。",
        en="The table starts with one number everywhere; it should be random, or positions can't "
        "be told apart at first.",
        hints=START_HINTS,
    ),
    "spread_not_asked_for": dict(
        switch=tuple({"begins": begins} for begins in ("default", "0.05", "0.02", "1.0")),
        zh="初始值的标准差不是 initializer_stddev。",
        en="The first values don't have the standard deviation initializer_stddev.",
        hints=START_HINTS,
    ),
    "one_row_for_all": dict(
        switch=({"rows": "of_the_length"}, {"rows": "of_the_last"}, {"rows": "one_for_all"}),
        zh="每个词加上的是同一行：取了表的一行，而不是前 T 行。",
        en="All tokens get one row: a single row of the table is taken and not the first T.",
        hints=ROW_HINTS,
    ),
    "rows_taken_by_item": dict(
        switch=({"rows": "item_of_batch"}, {"rows": "by_batch"}),
        zh="行是按批里的第几句取的；应当按第几个词取。",
        en="Rows are taken by the item of the batch; they belong to the position of the token.",
        hints=ROW_HINTS,
    ),
    "length_from_the_batch": dict(
        switch={"rows": "by_batch", "checked": "cut"},
        zh="句长取错了轴：x 的第 0 轴数的是句子，第 1 轴数的才是词。",
        en="The length is read off the wrong axis: axis 0 of x counts sequences, axis 1 tokens.",
        hints=LENGTH_HINTS,
    ),
    "last_rows": dict(
        switch=({"rows": "last"}, {"rows": "backwards"}),
        zh="取的不是从头数起的前 T 行（取了最后 T 行，或者倒着取）。",
        en="It isn't the first T rows from the start (but the last T, or in reverse).",
        hints=ROW_HINTS,
    ),
    "rows_from_one": dict(
        switch={"rows": "from_one"},
        zh="位置从 1 数起了：第 0 个词应当得到第 0 行。",
        en="Positions count from 1: token 0 should get row 0.",
        hints=ROW_HINTS,
    ),
    "whole_table_added": dict(
        switch={"rows": "whole"},
        zh="加的是整张表：句子比表短就加不上。",
        en="The whole table is added, which fails for sequences shorter than it.",
        hints=ROW_HINTS,
    ),
    "positions_without_tokens": dict(
        switch=({"combined": "alone"}, {"combined": "rows_alone"}),
        zh="返回的只有位置，词本身不见了。",
        en="Only the positions are returned: the tokens themselves are gone.",
        hints=SUM_HINTS,
    ),
    "tokens_without_positions": dict(
        switch={"combined": "not_added"},
        zh="返回的是 x 本身，位置没有加上去。",
        en="x comes back as it was: no positions were added.",
        hints=SUM_HINTS,
    ),
    "not_a_sum": dict(
        switch=tuple({"combined": how} for how in ("multiplied", "joined", "subtracted")),
        zh="位置和词没有相加（乘上了、减掉了，或拼在后面）。",
        en="Tokens and positions aren't added (but multiplied, subtracted or joined end to end).",
        hints=SUM_HINTS,
    ),
    "tokens_scaled_up": dict(
        switch={"combined": "tokens_scaled"},
        zh="词先乘了 √D；这一层只相加，不缩放。",
        en="Tokens are multiplied by √D first; this layer adds and doesn't scale.",
        hints=SUM_HINTS,
    ),
    "table_does_not_learn": dict(
        switch={"learns": "no"},
        zh="训练时表不动：登记时关掉了训练，或者没有梯度传到它。",
        en="The table doesn't move in training: it is registered as not trainable, or no gradient "
        "reaches it.",
        hints=LEARN_HINTS,
    ),
    "length_not_checked": dict(
        switch=({"checked": "nothing"}, {"checked": "cut"}),
        zh="太长的句子没有报 ValueError：没有比较长度（截断了，或者等到形状对不上才出别的错），"
        "或者抛出的是别的错误。",
        en="Too long a sequence raises no ValueError: the lengths aren't compared (it is cut, or "
        "shapes don't fit in the end), or what is raised is another error.",
        hints=CHECK_HINTS,
    ),
    "error_not_raised": dict(
        switch=({"checked": "AssertionError"}, {"checked": "returned"}),
        zh="要用 raise 抛出 ValueError，不是 assert，也不是 return。",
        en="A ValueError has to be raised with raise; neither assert nor return does that.",
        hints=CHECK_HINTS,
    ),
    "checked_off_by_one": dict(
        switch=({"checked": "one_too_early"}, {"checked": "one_late"}),
        zh="长度的界限差了一格：正好 max_sequence_length 个词可以，多一个就不行。",
        en="The limit is off by one: max_sequence_length tokens are fine, one more is not.",
        hints=CHECK_HINTS,
    ),
}
