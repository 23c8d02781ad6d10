"""Mistakes in giving every layer its learning rate: switches, sentences and hints."""

NUMBER_HINTS = (
    (
        "有 12 个块时，编号 1、10、11 的块各是几次方？打印你从路径里读出来的编号。",
        "With 12 blocks, which power do the blocks number 1, 10 and 11 get? Print the number that "
        "you read off their paths.",
    ),
    (
        "编号可能是两位数；encoder_block_1 这几个字，在 encoder_block_11 里也有。",
        "A number may have two digits, and the letters of encoder_block_1 occur in "
        "encoder_block_11, too.",
    ),
)
PART_HINTS = (
    (
        '打印 path.split("/")：哪一段说明了它在哪里？只是含有那个词的段呢？',
        'Print path.split("/"): which part says where it is? And what of parts that merely contain '
        "the word?",
    ),
    (
        "一段要整个相等才算；最后一段是变量自己的名字。",
        "A part counts where all of it is equal; the last part is the variable's own name.",
    ),
)
COUNT_HINTS = (
    (
        "L = 3 时，在纸上从上往下写：头、块 2、块 1、块 0、嵌入，各是几次方？",
        "With L = 3, write from the top down: head, block 2, block 1, block 0, embeddings. Which "
        "powers?",
    ),
    (
        "头是 0 次方，每往下一层多一次，嵌入在块 0 的下面。",
        "The head has power 0, each layer further down one more, and the embeddings are below "
        "block 0.",
    ),
)
POWER_HINTS = (
    (
        "decay = 0.5、往下两层：应当剩下几分之一？",
        "With decay = 0.5 and two layers down, what share should be left?",
    ),
    (
        "每往下一层乘一次，乘的次数就是指数；再乘上头的学习率。",
        "One factor for every layer further down: their number is the exponent. The head's rate "
        "times that.",
    ),
)

RATES = {
    "block_1_found_in_block_11": (
        ({"blocks": "first_substring"}, {"blocks": "one_digit"}, {"blocks": "one_digit_anywhere"}),
        "两位数的编号读错了：encoder_block_11 当成了 encoder_block_1。",
        "Numbers of two digits are misread: encoder_block_11 is taken for encoder_block_1.",
        NUMBER_HINTS,
    ),
    "last_digit_only": (
        {"blocks": "last_digit"},
        "两位数的编号只读了最后一位。",
        "Of numbers with two digits only the last is read.",
        NUMBER_HINTS,
    ),
    "block_names_contained": (
        (
            {"blocks": "anywhere"},
            {"blocks": "ends_a_part"},
            {"blocks": "begins_a_part"},
            {"blocks": "last_substring"},
            {"blocks": "before_a_slash"},
            {"blocks": "before_a_slash", "first": "blocks"},
        ),
        "名字里只是含有 encoder_block_… 的段也算成了块；要整段相等。",
        "Parts that merely contain encoder_block_… are taken for blocks; all of the part should be "
        "equal.",
        PART_HINTS,
    ),
    "place_in_the_path_assumed": (
        (
            {"blocks": "behind_a_slash"},
            {"blocks": "second_part"},
            {"blocks": "first_part"},
            {"embeddings": "behind_a_slash"},
            {"embeddings": "second_part"},
            {"embeddings": "first_part"},
            {"blocks": "behind_a_slash", "embeddings": "behind_a_slash"},
            {"blocks": "second_part", "embeddings": "second_part"},
            {"blocks": "first_part", "embeddings": "first_part"},
        ),
        "认那一段，靠的是它排在第几，或者前面有没有 /；可它在路径的哪里都行，开头也行。",
        "The part is recognised in one place of the path only (or behind a /); it may stand "
        "anywhere in it.",
        PART_HINTS,
    ),
    "last_part_counts": (
        (
            {"embeddings": "any_part"},
            {"embeddings": "last_part"},
            {"embeddings": "any_part", "first": "blocks"},
            {"embeddings": "last_part", "first": "blocks"},
        ),
        "最后一段也算了：嵌入表自己的名字都叫 embeddings，头里的表也是。",
        "The last part counts, too: every table's own name is embeddings, that of a head's as "
        "well.",
        PART_HINTS,
    ),
    "embedding_names_contained": (
        (
            {"embeddings": "anywhere"},
            {"embeddings": "anywhere_not_the_last"},
            {"embeddings": "singular_anywhere"},
            {"embeddings": "ends_a_part"},
            {"embeddings": "begins_a_part"},
            {"embeddings": "anywhere", "first": "blocks"},
        ),
        "名字里只是含有 embeddings 的段也算成了嵌入；要整段相等，最后一段不算。",
        "Parts that merely contain embeddings are taken for the embeddings; all of the part should "
        "be equal, and the last doesn't count.",
        PART_HINTS,
    ),
    "embeddings_not_lowest": (
        ({"lowest": "as_block_zero"}, {"lowest": "one_further"}),
        "嵌入的次数不对：比块 0 正好多一次。",
        "The embeddings have a wrong power: it should be just one more than that of block 0.",
        COUNT_HINTS,
    ),
    "embeddings_forgotten": (
        ({"embeddings": "never"}, {"lowest": "as_the_head"}),
        "嵌入没有变慢：得到的是头的学习率。",
        "The embeddings aren't slowed down: they get the head's rate.",
        COUNT_HINTS,
    ),
    "embeddings_frozen": (
        {"lowest": "frozen"},
        "嵌入的学习率是 0：应当最慢，可还是在学。",
        "The rate of the embeddings is 0; they should be slowest, yet learn.",
        COUNT_HINTS,
    ),
    "blocks_forgotten": (
        ({"blocks": "none"}, {"counted": "all_alike"}),
        "各块的学习率没有区别。",
        "All blocks have the same rate.",
        COUNT_HINTS,
    ),
    "topmost_as_the_head": (
        (
            {"counted": "topmost_as_the_head"},
            {"counted": "topmost_as_the_head", "lowest": "as_block_zero"},
        ),
        "块的次数少了一次：最上面的块应当乘一次，而不是跟头一样。",
        "Blocks have one factor too few: the topmost should have one, not none as the head.",
        COUNT_HINTS,
    ),
    "one_factor_too_many": (
        (
            {"counted": "one_too_many"},
            {"counted": "one_too_many", "lowest": "one_further"},
        ),
        "块的次数多了一次：最上面的块（编号 L − 1）只乘一次。",
        "Blocks have one factor too many: the topmost, number L − 1, has one.",
        COUNT_HINTS,
    ),
    "counted_from_the_bottom": (
        ({"counted": "from_the_bottom"}, {"counted": "from_the_bottom_plus_one"}),
        "次数是从下面数的：越靠下应当越慢。",
        "The power is counted from the bottom; the further down, the slower it should be.",
        COUNT_HINTS,
    ),
    "heads_slowed_down": (
        ({"rest": "once"}, {"rest": "as_the_lowest"}),
        "头和池化层也变慢了：它们用原来的学习率。",
        "Heads and pooler are slowed down, too; they have the rate as it is.",
        COUNT_HINTS,
    ),
    "heads_frozen": (
        {"rest": "frozen"},
        "头和池化层的学习率是 0：应当原样，也就是 decay 的 0 次方。",
        "The rate of heads and pooler is 0; it should be as it is, decay to the power 0.",
        COUNT_HINTS,
    ),
    "not_a_power": (
        (
            {"grows": "times"},
            {"grows": "once"},
            {"grows": "one_less_each"},
            {"grows": "root"},
            {"grows": "exponential"},
        ),
        "不是 decay 的几次方：每往下一层应当再乘一次。",
        "It isn't a power of decay: every layer further down should have one more factor.",
        POWER_HINTS,
    ),
    "faster_further_down": (
        {"grows": "divided"},
        "除以了 decay：越靠下反而越快。",
        "It is divided by decay: the further down, the faster.",
        POWER_HINTS,
    ),
    "another_number_returned": (
        ({"returned": "factor"}, {"returned": "depth"}, {"returned": "to_the_power"}),
        "返回的不是学习率：没有乘 learning_rate，或者给它做了乘方。",
        "It isn't the rate that comes back: learning_rate is left out, or raised to a power.",
        POWER_HINTS,
    ),
}
