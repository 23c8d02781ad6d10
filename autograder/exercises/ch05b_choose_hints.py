"""Hints for mistakes in choosing the positions to guess."""

NUMBER_HINTS = (
    (
        "一行有 5 个普通词元，比例 0.35：n 是几？有 4 个呢？比例 0.15 呢？先用纸笔算。",
        "A row has 5 ordinary tokens and the rate is 0.35: what is n? And with 4 tokens? With a "
        "rate of 0.15? Work it out on paper.",
    ),
    (
        "调用几次，数一数每行有几个权重是 1，跟纸上的比。",
        "Call it a few times, count the weights of 1 in every row, and compare with your paper.",
    ),
)
SPECIAL_HINTS = (
    (
        "造一行 [CLS] a b [SEP] [PAD]，调用一百次：出现过哪些位置？",
        "Make a row [CLS] a b [SEP] [PAD] and call it a hundred times: which positions come up?",
    ),
    (
        "哪些编号不能挑，参数里全写着；编号的大小和站在哪里都说明不了什么。",
        "An argument lists all ids that can't be picked; neither their size nor where they stand "
        "tells anything.",
    ),
)
DRAW_HINTS = (
    (
        "五个里挑两个，一共有几种挑法？调用一千次，每一种各出现几次？",
        "How many ways are there to pick two out of five? Call it a thousand times: how often does "
        "each come up?",
    ),
    (
        "不放回地抽：抽过的不能再抽。抽的是位置，不是它在候选名单里的序号。",
        "Draw without putting back: what was drawn is gone. And it is positions that are wanted, "
        "not their numbers in the list of candidates.",
    ),
)
ROW_HINTS = (
    (
        "把同一行放进去十遍：十行挑中的位置一样吗？",
        "Hand in one and the same row ten times: are the same positions picked in all ten?",
    ),
    (
        "随机数发生器在哪里造？抽签在哪里抽，是在行的循环里面还是外面？",
        "Where is the generator made, and where does it draw: inside the loop over rows, or "
        "outside?",
    ),
)
FIRST_ROW_HINTS = (
    (
        "放进去三行一样的句子，打印两个结果：第二行、第三行是什么？",
        "Hand in three equal rows and print both results: what do the second and third rows hold?",
    ),
    (
        "函数一走到 return 就结束了。你的 return 前面空了几格，属于哪一层？",
        "A function ends where it meets return. How far is yours indented, and to which block does "
        "it belong?",
    ),
)
FRONT_HINTS = (
    (
        "一行开头就是普通词元，只挑中了它：mask_positions 和 mask_weights 应当各是什么？",
        "A row begins with an ordinary token, and it is the only pick: what should mask_positions "
        "and mask_weights be?",
    ),
    (
        "位置 0 和空槽位里的 0 长得一样：用上几个，挑的时候就知道，别从位置倒推。",
        "Position 0 looks like the 0 of an unused slot. How many are in use is known when they are "
        "picked; don't work it out from positions.",
    ),
)
FORM_HINTS = (
    (
        "P = 4，挑中了位置 5 和 2：这一行的两个数组应当各是什么？写下来，跟你的比。",
        "P = 4, and positions 5 and 2 are picked: what should this row hold in both arrays? Write "
        "it down and compare with yours.",
    ),
    (
        "先造两个全是 0 的 (B, P)，再往每一行的开头填。",
        "Begin with two arrays of zeros of shape (B, P), then fill in each row from its start.",
    ),
)
EMPTY_HINTS = (
    (
        "一行只有 [CLS]、[SEP] 和填充：N 是几，n 应当是几？",
        "A row is [CLS], [SEP] and padding, and nothing else: what is N, and what should n be?",
    ),
    (
        "至少一个，但不超过 N：两个条件都要。",
        "One at least, but no more than N: both conditions hold.",
    ),
)
SEED_HINTS = (
    (
        "同一个种子调用两次，结果一样吗？换一个呢？",
        "Call it twice with one seed: is the result the same? And with another seed?",
    ),
    (
        "种子交给谁了？一次调用里只该造一个发生器，而且要用上参数里的种子。",
        "Who gets the seed? A call makes one generator, from the seed that it is given.",
    ),
)
