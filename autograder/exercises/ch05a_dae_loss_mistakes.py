"""Mistakes in a denoising autoencoder's loss: switches, sentences and hints."""

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
NUMBER_HINTS = (
    (
        "打印损失的形状：应当是 ()，一个轴也没有。",
        "Print the shape of the loss: it should be (), without any axis.",
    ),
    (
        "哪几个轴还没有求平均（或求和）？",
        "Which axes have not been averaged (or summed) yet?",
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
        hints=NUMBER_HINTS,
    ),
}
