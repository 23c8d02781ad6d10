"""Mistakes in blanking positions: switches, sentences and hints."""

RATE_HINTS = (
    (
        "一大批数据，rate 取 0.2：is_corrupted 的平均值大约是多少？",
        "Take a large batch and a rate of 0.2: what is the mean of is_corrupted?",
    ),
    (
        "均匀分布的随机数小于 0.2 的概率是多少？大于呢？",
        "How probable is a uniform random number below 0.2, and above?",
    ),
)
BLOCK_HINTS = (
    (
        "T = 7、span = 3：在纸上写出每个位置属于第几块。",
        "Let T be 7 and span 3: write down which block every position belongs to.",
    ),
    (
        "要抽几次签：每行一次，每块一次，还是每个位置一次？抽完怎么传给块里的各个位置？",
        "How often is something drawn: once a row, a block, or a position? And how does it reach "
        "all positions of a block?",
    ),
)
SHARE_HINTS = (
    (
        "打印 is_corrupted 的前几行：它们一样吗？每行的个数一样吗？",
        "Print the first rows of is_corrupted: are they the same? Have all the same number?",
    ),
    (
        "随机数组的形状应当是什么，各行各块才各有一个自己的数？",
        "Of what shape must the random numbers be, so that every row and block has its own?",
    ),
)
FEATURE_HINTS = (
    (
        "一个坏掉的位置，它的所有特征都是 0 吗？打印一个看看。",
        "Are all features of a damaged position 0? Print one.",
    ),
    (
        "命运是位置的，不是特征的：决定的数组没有特征那个轴。",
        "A fate belongs to a position, not to a feature: what decides has no axis of features.",
    ),
)
VALUE_HINTS = (
    (
        "同一个位置，把 x 和结果并排打印：没坏的一样吗？坏的是什么？",
        "Print x and the result side by side: are clean positions the same, and what are "
        "damaged ones?",
    ),
    (
        "dropout 会放大留下来的；去噪自编码器的输入不放大，因为目标就是原来的数。",
        "Dropout scales up what stays; a denoising autoencoder's input isn't scaled, since the "
        "numbers themselves are the target.",
    ),
)
MASK_HINTS = (
    (
        "is_corrupted 里 True 说的是什么？拿一个坏掉的位置对一对。",
        "What does True mean in is_corrupted? Look at one damaged position.",
    ),
    (
        "is_corrupted 从抽签来，不从结果里找：0 也可能是原来就有的。",
        "is_corrupted comes from the draw and isn't looked for in the result: a 0 may have been "
        "there before.",
    ),
)
COPY_HINTS = (
    (
        "调用之后再打印你的 x：它还是原来的样子吗？",
        "Print your x again after the call: is it still what it was?",
    ),
    (
        "给切片或下标赋值，改的是原来的数组；先造一个新的。",
        "Assigning to an index changes the array itself; make a new one first.",
    ),
)
SEED_HINTS = (
    (
        "同一个种子调用两次，再换一个种子：哪两次一样？",
        "Call it twice with one seed, then with another: which two agree?",
    ),
    (
        "随机数生成器要在函数里面，用参数 seed 来造；seed 是 None 时它每次不同。",
        "Make the random generator inside the function from the argument seed; from None it "
        "differs every time.",
    ),
)
AGAIN_HINTS = (
    (
        "取 seed=0，打印 is_corrupted 的前几行；再取 seed=None，打印一次。差别在哪里？",
        "Print the first rows of is_corrupted with seed=0, and once more with seed=None. What is "
        "different?",
    ),
    (
        "同一个整数种子造出来的生成器，每次都从头给出同样的数：一次调用里造了几个？",
        "A generator made from the same int begins with the same numbers every time: how many of "
        "them does one call make?",
    ),
)
TURNED_HINTS = (
    (
        "取一行，把 is_corrupted、x 和结果并排打印：标着 True 的位置，结果里是什么？",
        "Take one row and print is_corrupted, x and the result side by side: what does the result "
        "hold where it says True?",
    ),
    (
        "抽签和标记都对；要查的是拿标记去清零的那一步，它选中的是哪些位置？",
        "The draw is right and so is the mask; look at the step that blanks by it: which positions "
        "does it choose?",
    ),
)
FORM_HINTS = (
    (
        "对照约定：返回几样东西，什么次序？",
        "Compare with the contract: how many things, in what order?",
    ),
    ("打印每一样的形状和 dtype。", "Print shape and dtype of each."),
)

CORRUPT = {
    "mask_inverted": dict(
        switch={"flags": "kept"},
        zh="is_corrupted 反了：True 应当表示坏掉了。",
        en="is_corrupted is inverted: True should mean damaged.",
        hints=MASK_HINTS,
    ),
    "rate_is_what_stays": dict(
        switch={"rate_use": "kept"},
        zh="rate 当成了留下的比例；它是坏掉的比例。",
        en="rate is taken for the share that stays; it is the share that is damaged.",
        hints=RATE_HINTS,
    ),
    "rate_not_used": dict(
        switch=({"rate_use": "default"}, {"rate_use": "half"}),
        zh="参数 rate 没有用上，比例是写死的。",
        en="The argument rate isn't used: the share is written in.",
        hints=RATE_HINTS,
    ),
    "rate_changed_by_span": dict(
        switch=({"rate_use": "divided_by_span"}, {"rate_use": "times_span"}),
        zh="rate 又除以（或乘以）了 span；每一块坏掉的概率就是 rate。",
        en="rate is divided (or multiplied) by span; every block is damaged with probability rate.",
        hints=RATE_HINTS,
    ),
    "span_ignored": dict(
        switch={"blocks": "positions"},
        zh="span 没有用上：每个位置各抽各的，块没有一起坏掉。",
        en="span isn't used: every position is drawn for itself, and no block goes as a whole.",
        hints=BLOCK_HINTS,
    ),
    "spans_start_anywhere": dict(
        switch={"blocks": "sliding"},
        zh="每个位置都可能开始一段，各段还会重叠；这里的块是从第一个位置起依次排好的。",
        en="A span may start at any position, and spans overlap; here blocks are laid out one "
        "after the other from the first position on.",
        hints=BLOCK_HINTS,
    ),
    "blocks_laid_out_wrongly": dict(
        switch=tuple(
            {"blocks": how}
            for how in ("from_the_end", "last_block_longer", "so_many_blocks", "tiled")
        ),
        zh="块分得不对：从第一个位置起，每 span 个位置一块，最后一块可以短一些。",
        en="The blocks are laid out wrongly: from the first position on, every span positions are "
        "one; the last may be shorter.",
        hints=BLOCK_HINTS,
    ),
    "short_block_left_out": dict(
        switch={"blocks": "whole_blocks_only"},
        zh="末尾那个不满 span 的块从来不坏。",
        en="The last block, which is shorter than span, is never damaged.",
        hints=BLOCK_HINTS,
    ),
    "length_must_divide": dict(
        switch={"blocks": "reshaped"},
        zh="T 不是 span 的倍数时报错：最后一块可以短一些。",
        en="Raises where T isn't a multiple of span: the last block may be shorter.",
        hints=BLOCK_HINTS,
    ),
    "first_of_each_block_only": dict(
        switch={"blocks": "first_of_block"},
        zh="每一块只坏了第一个位置；整块都应当坏掉。",
        en="Of every block only the first position is damaged; it should be the whole block.",
        hints=BLOCK_HINTS,
    ),
    "rows_share_a_draw": dict(
        switch={"fates": "same_in_every_row"},
        zh="一批里所有的行坏在同样的地方：每一行要各抽各的。",
        en="All rows of a batch are damaged in the same places: every row draws for itself.",
        hints=SHARE_HINTS,
    ),
    "whole_rows_corrupted": dict(
        switch={"blocks": "whole_rows"},
        zh="一行只抽了一次：整行一起坏掉，或者一起留下。",
        en="There is one draw for a row: all of it is damaged or none.",
        hints=SHARE_HINTS,
    ),
    "same_number_in_every_row": dict(
        switch={"fates": "exact_count"},
        zh="每行坏掉的块数都一样多；各块要独立地抽，个数会上下浮动。",
        en="Every row has the same number of damaged blocks; blocks are drawn independently, so "
        "that the number varies.",
        hints=SHARE_HINTS,
    ),
    "features_drawn_apart": dict(
        switch=(
            {"features": "any_apart"},
            {"features": "any_apart", "blocks": "positions"},
            {"features": "all_apart"},
            {"features": "all_apart", "blocks": "positions"},
        ),
        zh="一个位置的各个特征各抽各的；要坏就所有特征一起坏。",
        en="The features of a position are drawn one by one; they should be blanked together.",
        hints=FEATURE_HINTS,
    ),
    "not_blanked": dict(
        switch={"blank": "other"},
        zh="坏掉的位置里不是 0（是噪声、平均值，或者没有动）。",
        en="Damaged positions don't hold 0 (but noise, a mean, or what was there).",
        hints=VALUE_HINTS,
    ),
    "the_others_blanked": dict(
        switch={"blank": "the_others"},
        zh="清零清反了：标成坏掉的留着，没标的倒变成了 0。",
        en="The wrong ones are blanked: positions that are marked stay, and the others become 0.",
        hints=TURNED_HINTS,
    ),
    "rest_scaled": dict(
        switch=({"kept": "scaled_up"}, {"kept": "scaled_down"}),
        zh="留下来的数被放大（或缩小）了；应当原样不动。",
        en="What stays is scaled; it should be left as it is.",
        hints=VALUE_HINTS,
    ),
    "mask_read_off_the_result": dict(
        switch=({"flags": "zeros_found"}, {"flags": "differences_found"}),
        zh="is_corrupted 是从结果里找出来的（等于 0 的，或和 x 不同的）：本来就是 0 的位置弄错了。",
        en="is_corrupted is read off the result (zeros, or what differs from x): that goes wrong "
        "for positions that were 0 before.",
        hints=MASK_HINTS,
    ),
    "x_changed": dict(
        switch={"x_use": "changed"},
        zh="传进来的 x 被改动了：损失要和干净的 x 比，它却已经坏了。",
        en="The x that was passed in is changed: the loss compares with the clean x, which is "
        "gone.",
        hints=COPY_HINTS,
    ),
    "seed_not_used": dict(
        switch={"seed_use": "ignored"},
        zh="seed 没有用上：同一个种子两次，结果不同。",
        en="seed isn't used: the same seed gives different results.",
        hints=SEED_HINTS,
    ),
    "seed_is_fixed": dict(
        switch=({"seed_use": "fixed"}, {"seed_use": "fixed_without"}),
        zh="种子是写死的：换了种子，或者不给种子，结果还是一样。",
        en="The seed is written in: another one, or none, changes nothing.",
        hints=SEED_HINTS,
    ),
    "generator_made_again": dict(
        switch=({"seed_use": "again_in_every_row"}, {"seed_use": "again_in_every_block"}),
        zh="给了种子以后，一行跟一行（或者一块跟一块）抽到的一样：生成器在循环里又造了一遍，"
        "每次都从头抽起。",
        en="With a seed every row (or every block) has the same draw: the generator is made again "
        "inside the loop and begins anew each time.",
        hints=AGAIN_HINTS,
    ),
    "another_dtype": dict(
        switch={"dtype": "another"},
        zh="弄坏的数组和 x 的 dtype 不同；形状和 dtype 都应当照旧。",
        en="The damaged array has another dtype than x; shape and dtype should stay.",
        hints=(
            (
                "float32 的数组，乘上一个整数数组，得到的是什么 dtype？",
                "What dtype has a float32 array after it was multiplied by an array of ints?",
            ),
            FORM_HINTS[1],
        ),
    ),
    "mask_has_features": dict(
        switch={"returned": "mask_with_features"},
        zh="is_corrupted 多了特征那个轴：它的形状是 (B, T)。",
        en="is_corrupted has an axis of features: its shape is (B, T).",
        hints=FORM_HINTS,
    ),
    "mask_is_not_boolean": dict(
        switch={"returned": "integers"},
        zh="is_corrupted 应当是布尔数组，不是 0 和 1。",
        en="is_corrupted should be boolean, not zeros and ones.",
        hints=FORM_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple({"returned": form} for form in ("swapped", "corrupted_only", "flags_only")),
        zh="返回的不是 (corrupted, is_corrupted) 这一对，或者次序反了。",
        en="What comes back isn't the pair (corrupted, is_corrupted), in this order.",
        hints=FORM_HINTS,
    ),
}
