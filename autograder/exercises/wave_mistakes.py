"""Known mistakes in sinusoidal positions: name → switches, sentences and hints."""

FREQUENCY_HINTS = (
    (
        "取 D = 4，手算位置 1 的四个数，和你的比一比：从第几列起不一样？",
        "Take D = 4 and work out the four numbers of position 1 by hand: from which column on do "
        "yours differ?",
    ),
    (
        "D = 4 时只有两根指针，i 取 0 和 1；第 2、3 列是同一根的。你的四列出自几根？",
        "With D = 4 there are just two hands, for i = 0 and 1; columns 2 and 3 share one. "
        "How many are behind your four columns?",
    ),
)
SPEED_HINTS = (
    (
        "取 D = 4，看位置 1：第 0 根指针转过 1 弧度，第 1 根转过 0.01 弧度。你的各是多少？",
        "Take D = 4 and look at position 1: the first hand has turned by 1 radian, the second by "
        "0.01. And yours?",
    ),
    (
        "先只算 i = 1 的那个除数，和手算的 100 比一比，再看分子和分母各是从哪里来的。",
        "Work out the divisor for i = 1 alone, compare it with 100 by hand, and see where each "
        "part of it comes from.",
    ),
)
LAYOUT_HINTS = (
    (
        "打印第 0 行：正弦是 0，余弦是 1。它们各站在哪几列？",
        "Print row 0, where sines are 0 and cosines 1: which columns hold which?",
    ),
    (
        "再打印第 1 行的头两列：它们应当属于同一对。",
        "Then print the first two columns of row 1: they should belong to one pair.",
    ),
)
POSITION_HINTS = (
    (
        "打印第 0 行和第 1 行：哪一行是位置 0？",
        "Print rows 0 and 1: which of them is position 0?",
    ),
    (
        "位置 0 上，每根指针的角度都是 0，不管它转得多快。",
        "At position 0 every hand's angle is 0, however fast it turns.",
    ),
)
SHAPE_HINTS = (
    (
        "取 T = 3、D = 8，打印结果的形状。",
        "Take T = 3 and D = 8 and print the shape of the result.",
    ),
    (
        "位置竖着排，对横着排：两个数组各要几个轴，才能广播成一张表？",
        "Positions go down and pairs go across: how many axes does each need to broadcast into a "
        "table?",
    ),
)

WAVES = {
    "exponent_from_column": dict(
        switch=(
            {"exponent": "two_columns"},
            {"exponent": "column"},
            {"exponent": "next_for_cosine"},
        ),
        zh="一对里的两列不是同一根指针：算指数时用了列号，余弦那一列多走了一步；i 数的是“对”。",
        en="The two columns of a pair aren't one hand: the exponent counts columns, so "
        "that the cosine's is one further; i counts pairs.",
        hints=SPEED_HINTS,
    ),
    "exponent_not_doubled": dict(
        switch=({"exponent": "pair_alone"}, {"base": 100}),
        zh="指针一根比一根慢，但慢得不够：指数少了因子 2，或者底数用了 100（是一回事）。",
        en="Each hand is slower than the one before, but not by enough: the factor 2 is missing "
        "from the exponent, or the base is 100, which comes to the same.",
        hints=SPEED_HINTS,
    ),
    "exponent_doubled_again": dict(
        switch={"exponent": "twice_pair"},
        zh="指数大了一倍：指针慢下来得太快。循环变量已经是偶数列号时，不必再乘 2。",
        en="The exponent is twice as large: hands get slow too soon. What already runs over even "
        "columns needs no factor 2.",
        hints=SPEED_HINTS,
    ),
    "exponent_up_to_one": dict(
        switch={"exponent": "to_the_last"},
        zh="指数除以的是对数减一，让最后一对正好落在 1；这里的公式除以的是 D。",
        en="The exponent is divided by the number of pairs less one, so that the last is just 1; "
        "the formula here divides by D.",
        hints=SPEED_HINTS,
    ),
    "exponent_starts_late": dict(
        switch={"exponent": "from_one"},
        zh="i 从 1 数起了：第 0 根指针每走一个位置应当转 1 弧度。",
        en="i starts from 1: hand 0 should turn by 1 radian from one position to the next.",
        hints=SPEED_HINTS,
    ),
    "exponent_not_divided": dict(
        switch={"exponent": "not_divided"},
        zh="指数没有除以 D：第 1 根指针就几乎不转了。",
        en="The exponent isn't divided by D: even hand 1 hardly turns.",
        hints=SPEED_HINTS,
    ),
    "one_frequency_for_all": dict(
        switch={"exponent": "none"},
        zh="所有的指针一样快：指数没有随 i 变化（除法写成整除也会这样）。",
        en="All hands are equally fast: the exponent doesn't change with i (an integer division "
        "does that too).",
        hints=SPEED_HINTS,
    ),
    "integer_division": dict(
        switch={"wave": "floored_logarithm"},
        zh="指数里用了整除：该有小数的地方被抹成了整数。",
        en="There is an integer division in the exponent, which wipes out its fractions.",
        hints=SPEED_HINTS,
    ),
    "wrong_base": dict(
        switch=tuple({"base": base} for base in (1000, 100000, 10, 1e6)),
        zh="底数不对：应当是 10000。",
        en="The base is wrong: it should be 10000.",
        hints=SPEED_HINTS,
    ),
    "base_and_exponent_swapped": dict(
        switch={"wave": "swapped"},
        zh="底数和指数写反了。",
        en="Base and exponent have changed places.",
        hints=SPEED_HINTS,
    ),
    "base_times_exponent": dict(
        switch={"wave": "product"},
        zh="10000 只是乘了指数，没有取它的幂。",
        en="10000 is multiplied by the exponent and not raised to it.",
        hints=SPEED_HINTS,
    ),
    "multiplied_not_divided": dict(
        switch={"wave": "multiplied"},
        zh="位置乘上了 10000 的幂；应当除以它：越往后的指针转得越慢。",
        en="Positions are multiplied by the power of 10000; dividing makes later hands turn more "
        "slowly.",
        hints=SPEED_HINTS,
    ),
    "angle_in_other_units": dict(
        switch=({"wave": "full_turns"}, {"wave": "degrees"}),
        zh="角度换了单位（多了 2π，或换成了度）；这里直接用弧度。",
        en="The angle is in other units (times 2π, or degrees); it goes into sine and cosine as it "
        "is.",
        hints=SPEED_HINTS,
    ),
    "positions_from_one": dict(
        switch={"start": "one"},
        zh="位置从 1 数起了；约定从 0 数起。",
        en="Positions count from 1; here they start at 0.",
        hints=POSITION_HINTS,
    ),
    "halves_not_interleaved": dict(
        switch={"layout": "halves"},
        zh="前一半全是正弦，后一半全是余弦；约定是交错排列。",
        en="All sines come first and all cosines after; here they are interleaved.",
        hints=LAYOUT_HINTS,
    ),
    "sine_and_cosine_exchanged": dict(
        switch={"functions": "cosine_sine"},
        zh="正弦和余弦对调了：偶数列是正弦，奇数列是余弦。",
        en="Sine and cosine are exchanged: even columns are sines, odd ones cosines.",
        hints=LAYOUT_HINTS,
    ),
    "exchanged_and_in_halves": dict(
        switch={"functions": "cosine_sine", "layout": "halves"},
        zh="前一半全是余弦，后一半全是正弦；约定是一列正弦、一列余弦，交错排列。",
        en="All cosines come first and all sines after; here a sine and a cosine take turns.",
        hints=LAYOUT_HINTS,
    ),
    "sine_by_position": dict(
        switch={"functions": "by_position"},
        zh="正弦还是余弦，看的是位置的奇偶；应当看列的奇偶。",
        en="Whether it is a sine or a cosine depends on the position being odd or even; it should "
        "be the column.",
        hints=LAYOUT_HINTS,
    ),
    "sines_only": dict(
        switch=({"functions": "sines"}, {"functions": "cosines"}),
        zh="两列用了同一个函数：一列应当是正弦，另一列是余弦。",
        en="Both columns are the same function: one should be the sine, the other the cosine.",
        hints=LAYOUT_HINTS,
    ),
    "no_sine_at_all": dict(
        switch={"functions": "none"},
        zh="表里放的是角度本身，没有取正弦和余弦。",
        en="The table holds the angles themselves, without sine and cosine.",
        hints=LAYOUT_HINTS,
    ),
    "stacked_along_rows": dict(
        switch={"layout": "rows"},
        zh="正弦和余弦叠在了另一个轴上，reshape 之后行和列混在一起。",
        en="Sines and cosines are stacked along another axis, and the reshape mixes rows and "
        "columns.",
        hints=LAYOUT_HINTS,
    ),
    "table_transposed": dict(
        switch={"shape": "transposed"},
        zh="表横过来了：行应当是位置，列是特征。",
        en="The table lies on its side: rows are positions and columns are features.",
        hints=SHAPE_HINTS,
    ),
    "sizes_exchanged": dict(
        switch={"shape": "sizes_exchanged"},
        zh="length 和 hidden_dim 对调了。",
        en="length and hidden_dim are exchanged.",
        hints=SHAPE_HINTS,
    ),
    "batch_axis_added": dict(
        switch={"shape": "batch_of_one"},
        zh="多了一个批的轴；约定返回 (T, D)，相加时会自己广播。",
        en="There is a batch axis too many; (T, D) is asked for, and broadcasts when it is added.",
        hints=SHAPE_HINTS,
    ),
}
