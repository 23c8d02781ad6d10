"""Hints for mistakes in putting a Transformer together, two for each kind."""

PATH_HINTS = (
    (
        "在纸上画出两条路：源句从词元走到哪里？译文从词元走到哪里？它们在哪里相遇？",
        "Draw the two paths on paper: how far does the source go, how far the target, and where "
        "do they meet?",
    ),
    (
        "给每个变量写上它是哪一边的、经过了几块：你交给每一块的是哪一个？",
        "Write beside every variable which side it is of and how many blocks it has passed: which "
        "one do you hand to each block?",
    ),
)
MASK_HINTS = (
    (
        "三种注意力，三个掩码：编码器看源句，解码器看译文，解码器看源句。各是谁看谁？",
        "Three attentions, three masks: the encoder on the source, the decoder on the target, the "
        "decoder on the source. Who looks at whom in each?",
    ),
    (
        "改一个填充词元、改一个后面的译文词元：哪些 logits 动了，应当动吗？",
        "Change a token of the padding, or a later token of the target: which logits move, and "
        "should they?",
    ),
)
TRIANGLE_HINTS = (
    (
        "译文第 t 个位置能看到哪些位置？打印 T = 3 的掩码。",
        "Which positions may position t of the target see? Print the mask for T = 3.",
    ),
    (
        "自己和前面的开着，后面的关着。",
        "Itself and those before it are open, those after it closed.",
    ),
)
STACK_HINTS = (
    (
        "数一数：每一块用了几次？每一块拿到的是不是上一块的输出？",
        "Count: how often is each block used, and is each given what the one before it returned?",
    ),
    (
        "循环里，左边的变量和右边交进去的变量是同一个吗？",
        "In your loop, is the variable on the left the one that is handed in on the right?",
    ),
)
OUTPUT_HINTS = (
    (
        "对照说明：返回什么，形状是什么？",
        "Compare with the contract: what is returned, and in what shape?",
    ),
    (
        "最后一步只做一件事：给解码器的输出打分。",
        "The last step does one thing: it scores what the decoder gives.",
    ),
)
AXIS_HINTS = (
    (
        "三个轴是批次、谁在看、被看的谁。padding_mask 说的是哪一边的词元？",
        "The three axes are the batch, who looks, and who is looked at. Of which of these does "
        "padding_mask speak?",
    ),
    (
        "看源句的，不管是谁，都看不见填充：新加的轴应当能沿着“谁在看”广播。",
        "Whoever looks at the source, padding is hidden from all: the new axis is the one of those "
        "who look.",
    ),
)
