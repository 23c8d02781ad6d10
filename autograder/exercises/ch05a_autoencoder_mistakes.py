"""Mistakes in an autoencoder's two layers and in its loss: switches, sentences and hints."""

ENCODE_HINTS = (
    (
        "B、D、H 各取 1，数取 x = 2、W = 0.5、b = 1：纸上算出 hidden，再跟你的函数对。",
        "Let B, D and H be 1, x = 2, W = 0.5, b = 1: work hidden out on paper and compare.",
    ),
    (
        "在每一步旁边写下它的形状；激活函数作用在哪一步的结果上，只在那里吗？",
        "Write its shape beside every step. On which step's result does the activation act, and "
        "only there?",
    ),
)
DECODE_HINTS = (
    (
        "重建要能取到任何实数：比 1 大的像素，你的函数给得出来吗？",
        "A reconstruction may be any real number: can your function give one above 1?",
    ),
    (
        "让 hidden 全是 0，剩下的应当正好是哪一个参数？",
        "Let hidden be all zeros: just which argument should be left?",
    ),
)
BIAS_HINTS = (
    (
        "把两个核都设成 0，再调用：两个结果里还剩什么？",
        "Set both kernels to 0 and call it: what is left in the two results?",
    ),
    (
        "五个参数，每个都该出现一次。逐个数一数。",
        "Five arguments, and each should occur once. Count them.",
    ),
)
KERNEL_HINTS = (
    (
        "(B, D) 乘一个 (D, H) 的核得到 (B, H)；往回走时，形状要怎么变？",
        "(B, D) times a kernel (D, H) gives (B, H); how do shapes change on the way back?",
    ),
    (
        "让 D 和 H 不相等再试：哪一步报错，或者结果跟哪个参数无关？",
        "Try it where D and H differ: which step raises, or which argument has no effect?",
    ),
)
FORM_HINTS = (
    (
        "对照约定：返回几样东西，什么次序，各是什么形状？",
        "Compare with the contract: how many things, in what order, of what shapes?",
    ),
    ("打印返回值的类型和每一项的形状。", "Print the type of what you return and each shape."),
)

FORWARD = {
    "activation_missing": dict(
        switch={"bend_where": "nowhere"},
        zh="隐藏层没有经过 tanh：两层连在一起还只是一次线性变换。",
        en="The hidden layer lacks its tanh: two layers in a row are still one linear map.",
        hints=ENCODE_HINTS,
    ),
    "activation_on_the_reconstruction": dict(
        switch=({"bend_where": "both"}, {"bend_where": "output"}),
        zh="重建也经过了 tanh：它应当是线性的，否则超不出 −1 到 1。",
        en="The reconstruction goes through a tanh too: it should be linear, or it can't leave "
        "the range from −1 to 1.",
        hints=DECODE_HINTS,
    ),
    "another_activation": dict(
        switch=tuple({"bend": name} for name in ("relu", "sigmoid", "gelu", "softmax", "silu")),
        zh="激活函数不是 tanh。",
        en="The activation isn't tanh.",
        hints=ENCODE_HINTS,
    ),
    "biases_missing": dict(
        switch=tuple({"biases": which} for which in ("none", "decoder_only", "encoder_only")),
        zh="有的偏置没有加上。",
        en="A bias isn't added.",
        hints=BIAS_HINTS,
    ),
    "bias_after_the_activation": dict(
        switch={"biases": "after_the_bend"},
        zh="编码器的偏置加在了 tanh 外面；它应当在里面。",
        en="The encoder's bias is added outside the tanh; it belongs inside.",
        hints=ENCODE_HINTS,
    ),
    "biases_subtracted": dict(
        switch={"biases": "subtracted"},
        zh="偏置是减去的；应当加上。",
        en="Biases are subtracted; they should be added.",
        hints=BIAS_HINTS,
    ),
    "biases_exchanged": dict(
        switch={"biases": "exchanged"},
        zh="两个偏置用反了。",
        en="The two biases are exchanged.",
        hints=BIAS_HINTS,
    ),
    "kernels_exchanged": dict(
        switch={"kernels": "exchanged"},
        zh="两个核用反了：编码用了解码器的核。",
        en="The two kernels are exchanged: the decoder's is used to encode.",
        hints=KERNEL_HINTS,
    ),
    "kernels_transposed": dict(
        switch={"kernels": "transposed"},
        zh="核被转置了；这里的核已经是（输入，输出）的次序。",
        en="The kernels are transposed; here they already are (inputs, outputs).",
        hints=KERNEL_HINTS,
    ),
    "decoder_kernel_unused": dict(
        switch={"kernels": "tied"},
        zh="解码用的是编码核的转置，decoder_kernel 没有用上。（共用一个核也是一种自编码器，"
        "但不是这里约定的。）",
        en="Decoding uses the encoder's kernel turned round, and decoder_kernel isn't used. (Tied "
        "kernels make an autoencoder too, but not the one agreed on here.)",
        hints=KERNEL_HINTS,
    ),
    "decoded_before_the_activation": dict(
        switch={"decoded": "before_the_bend"},
        zh="解码的是 tanh 之前的数；应当从 hidden 往回走。",
        en="What is decoded are the numbers from before the tanh; start from hidden.",
        hints=DECODE_HINTS,
    ),
    "input_added_again": dict(
        switch=({"around": "input_added"}, {"around": "input_subtracted"}),
        zh="重建里混进了 x 本身（加上或减去）：那样什么也不用学。",
        en="x itself gets into the reconstruction (added or subtracted): nothing need be learned "
        "then.",
        hints=DECODE_HINTS,
    ),
    "pair_swapped": dict(
        switch={"returned": "swapped"},
        zh="次序反了：先 hidden，后 reconstruction。",
        en="The order is reversed: hidden first, then reconstruction.",
        hints=FORM_HINTS,
    ),
    "something_else_returned": dict(
        switch=tuple(
            {"returned": form}
            for form in ("reconstruction_only", "hidden_only", "scores_first", "input_first")
        ),
        zh="返回的不是 (hidden, reconstruction) 这一对。",
        en="What comes back isn't the pair (hidden, reconstruction).",
        hints=FORM_HINTS,
    ),
}

CORRUPT_HINTS = (
    (
        "造一个 1×2×2 的例子：只有第二个位置坏了。两种损失在纸上各是多少？",
        "Make an example of shape 1×2×2 of which only the second position is damaged. What are "
        "both losses on paper?",
    ),
    (
        "is_corrupted 是 (B, T)，差的平方是 (B, T, D)：一个坏位置要算几个数？",
        "is_corrupted is (B, T), the squares are (B, T, D): how many numbers does one damaged "
        "position count for?",
    ),
)
TARGET_HINTS = (
    (
        "模型见到的是坏的，要猜的是什么？",
        "The model sees something damaged. What is it to guess?",
    ),
    (
        "让 reconstruction 等于 x：损失应当正好是 0，不论哪些位置坏了。",
        "Let reconstruction be x: the loss should be exactly 0, wherever it is damaged.",
    ),
)
MEAN_HINTS = (
    (
        "让每一处的差都是 2：损失应当是 4，不论 B、T、D 多大，也不论坏了几处。",
        "Let all differences be 2: the loss should be 4, whatever B, T and D and however many are "
        "damaged.",
    ),
    (
        "打印你的分母：它数的是位置，还是数？",
        "Print your denominator: does it count positions or numbers?",
    ),
)
EMPTY_HINTS = (
    (
        "is_corrupted 全是 False 时，你的分母是多少？",
        "What is your denominator where is_corrupted is all False?",
    ),
    (
        "分子已经是 0 了：只要分母不是 0，结果就对。",
        "The numerator is 0 already: any denominator other than 0 will do.",
    ),
)
FLAG_HINTS = (
    (
        "同样的输入，only_corrupted 取 True 和 False 各调用一次：结果不同吗？",
        "Call it on one input with only_corrupted True and False: do the results differ?",
    ),
    (
        "默认是 False：这时候哪些位置算进去？",
        "The default is False: which positions count then?",
    ),
)

LOSS = {
    "corrupted_input_as_target": dict(
        switch=({"compared": "corrupted"}, {"compared": "reconstruction_blanked"}),
        zh="坏掉的位置被当成 0 来比（目标或重建在那里被抹掉了）：要比的是干净的 x。",
        en="Damaged positions are compared as zeros (target or reconstruction are blanked "
        "there): the target is the clean x.",
        hints=TARGET_HINTS,
    ),
    "target_missing": dict(
        switch={"compared": "zero"},
        zh="没有和 x 相减。",
        en="x isn't subtracted.",
        hints=TARGET_HINTS,
    ),
    "not_squared": dict(
        switch=({"distance": "absolute"}, {"distance": "signed"}, {"distance": "fourth_power"}),
        zh="差没有平方（用了绝对值、差本身，或平方了两次）。",
        en="Differences aren't squared (but taken as they are, by size, or squared twice).",
        hints=MEAN_HINTS,
    ),
    "root_taken": dict(
        switch={"factor": "root"},
        zh="最后多开了一次方。",
        en="A square root is taken at the end.",
        hints=MEAN_HINTS,
    ),
    "halved": dict(
        switch={"factor": "half"},
        zh="损失多乘了 1/2。",
        en="The loss is halved.",
        hints=MEAN_HINTS,
    ),
    "negated": dict(
        switch={"factor": "minus"},
        zh="符号反了：损失不会是负的。",
        en="The sign is wrong: this loss is never negative.",
        hints=MEAN_HINTS,
    ),
    "summed_not_averaged": dict(
        switch=({"reduced": "sum"}, {"divisor": "rows"}),
        zh="平方没有平均（只相加，或只除以了句数）。",
        en="The squares aren't averaged (but added, or divided by the number of rows alone).",
        hints=MEAN_HINTS,
    ),
    "divided_by_positions": dict(
        switch=({"divisor": "positions_if_only"}, {"divisor": "positions"}),
        zh="分母数的是位置；每个位置有 D 个特征，都要数。",
        en="The denominator counts positions; each has D features, and all of them count.",
        hints=CORRUPT_HINTS,
    ),
    "divided_by_everything": dict(
        switch={"divisor": "everything"},
        zh="只算坏掉的位置时，分母还是全部的数：坏得少，损失就小。",
        en="Only damaged positions are added up, but the denominator still counts all: the less "
        "is damaged, the smaller the loss.",
        hints=CORRUPT_HINTS,
    ),
    "rows_averaged_first": dict(
        switch=({"reduced": "rows_first"}, {"reduced": "rows_first", "empty": "nan"}),
        zh="先在每一行里平均，再平均各行：坏得多的行和坏得少的行一样重了。",
        en="Every row is averaged by itself and then the rows: one with many damaged positions "
        "weighs no more than one with few.",
        hints=CORRUPT_HINTS,
    ),
    "flag_ignored": dict(
        switch=({"flag": "ignored"}, {"flag": "always"}, {"flag": "inverted"}),
        zh="only_corrupted 没有起该起的作用（没有看它，或者看反了）。",
        en="only_corrupted doesn't do what it should (it is ignored, or read the other way round).",
        hints=FLAG_HINTS,
    ),
    "clean_positions_counted": dict(
        switch={"flag": "clean_ones"},
        zh="算的是没坏的位置：is_corrupted 里 True 是坏了。",
        en="The clean positions are counted: True in is_corrupted means damaged.",
        hints=CORRUPT_HINTS,
    ),
    "nothing_corrupted": dict(
        switch=({"empty": "nan"}, {"empty": "everything"}),
        zh="一个坏位置也没有时结果不对：应当是 0，不是 NaN，也不是全部的平均。",
        en="Wrong where nothing is damaged: it should be 0, neither NaN nor the mean of all.",
        hints=EMPTY_HINTS,
    ),
    "one_too_many_counted": dict(
        switch={"empty": "one_more"},
        zh="分母多了 1：防止除以 0 不能改变别的结果。",
        en="The denominator is one too large: what guards against dividing by 0 mustn't change "
        "other results.",
        hints=EMPTY_HINTS,
    ),
    "not_one_number": dict(
        switch=(
            {"reduced": "per_position"},
            {"reduced": "per_row"},
            {"form": "each"},
            {"form": "one_in_a_row"},
        ),
        zh="返回的不是一个数：损失要对所有的轴求平均。",
        en="What comes back isn't one number: the mean goes over all axes.",
        hints=FORM_HINTS,
    ),
}
