"""Hints about the loss of two directions."""

SHIFT_HINTS = (
    (
        "拿四个词元的一句，写出每个位置的状态读过哪些词元，又该猜哪一个。",
        "Take a sentence of four tokens and write down, for the state at each position, what it "
        "has read and which token it is to guess.",
    ),
    (
        "有没有哪个状态要猜的词元，它自己已经读过了？",
        "Is there a state that has already read the token which it is to guess?",
    ),
)
PADDING_HINTS = (
    (
        "改动填充处的状态或编号：损失变了吗？应当变吗？",
        "Change the states or the ids at padding: does the loss move? Should it?",
    ),
    (
        "3 个真词元、2 个填充：每个方向一共猜几次？写出每一次从哪里猜、猜哪一个。",
        "With 3 real tokens and 2 pads, how many guesses does each direction make? Write down for "
        "each from where it is made, and what is guessed.",
    ),
)
MEAN_HINTS = (
    (
        "两句话，一句猜 4 次、每次损失 2，另一句猜 1 次、损失 1：约定的平均是多少？",
        "Two sentences, one with four guesses of loss 2, the other with one guess of loss 1: what "
        "is the mean as agreed?",
    ),
    ("分母里数的是什么？", "What is it that the denominator counts?"),
)
CROSS_HINTS = (
    (
        "模型把全部概率给了正确的词元时，损失应当是多少？V 个词元平分时呢？",
        "What should the loss be when the right token has all the probability? And when V tokens "
        "share it evenly?",
    ),
    (
        "softmax、取对数、挑出标签那一个、变号：每步各做一次。",
        "Softmax, logarithm, the label's entry, the sign: each of them once.",
    ),
)
SIDES_HINTS = (
    (
        "把所有后向的状态换成 0：你的哪个损失变了，哪个应当变？",
        "Set all backward states to zero: which of your losses moves, and which should?",
    ),
    ("每个方向的状态用了几次？", "How often is each direction's state used?"),
)
LAYER_HINTS = (
    (
        "两层时，把最上面一层的状态换成 0，或者把最下面一层的换成 0：各看一次，你的损失变了吗？",
        "With two layers, set the states of the top one to zero, then those of the bottom one: "
        "does your loss move each time?",
    ),
    (
        "列表里的第几个是最上面一层？打分时用到了哪些层？",
        "Which entry of the list is the top layer? And which layers are scored?",
    ),
)
FORM_HINTS = (
    (
        "说明里“返回”那一条写的是几个数，按什么次序？",
        "How many numbers does the contract ask for, and in which order?",
    ),
    (
        "打印返回值：是三个没有轴的数吗？",
        "Print what comes back: is it three numbers without axes?",
    ),
)
