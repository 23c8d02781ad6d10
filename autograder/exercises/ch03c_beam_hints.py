"""Hints for mistakes in beam search, two for each kind."""

START_HINTS = (
    (
        "第一步以后，留下的几个假设各是什么？打印出来看。",
        "What hypotheses are left after the first step? Print them.",
    ),
    (
        "开头只有一个：还什么都没说的那个。",
        "There is one to begin with: the one that has said nothing yet.",
    ),
)
WIDTH_HINTS = (
    (
        "每一步有多少个候选，留下几个？一个假设的后代可以占几个位置？",
        "How many candidates does a step have, and how many are kept? How many places may the "
        "continuations of one hypothesis take?",
    ),
    (
        "所有候选放在一起比，不管是谁的后代。",
        "All candidates are compared with each other, whoever they continue.",
    ),
)
ORDER_HINTS = (
    (
        "打印一步的候选和得分，排好序再看一遍：最前面的是得分最高的，还是最低的？",
        "Print the candidates of a step with their scores, once they are sorted: does the highest "
        "score come first, or the lowest?",
    ),
    (
        "sorted 默认从小到大，按整个一项来比；你切下来的是哪一头，比的又是什么？",
        "Unless told otherwise, sorted goes from small to large and compares whole entries. Which "
        "end do you cut off, and what is it that is compared?",
    ),
)
TIE_HINTS = (
    (
        "两个候选得分一模一样，谁该排在前面？在说明里找。",
        "Two candidates have the very same score. Which comes first? The contract says.",
    ),
    (
        '从小到大排好，再整个倒过来，得分相同的也跟着倒了；np.argsort 除非 kind="stable"，'
        "不保证它们的次序。",
        "To sort upwards and turn the result round turns equal ones round as well; and np.argsort "
        'promises nothing about them unless it is told kind="stable".',
    ),
)
LIST_HINTS = (
    (
        "打印同一步里两个候选的词元：它们怎么会一样长、一样的内容？",
        "Print the tokens of two candidates of one step. Why are they equally long, and the same?",
    ),
    (
        "append（和 +=）改的是列表本身，拿着它的人都看得到；每个候选要有一个自己的新列表。",
        "append (and +=) change the list itself, for everybody who holds it; each candidate needs "
        "a new list of its own.",
    ),
)
IMPOSSIBLE_HINTS = (
    (
        "有的词元的对数概率是负无穷：那样的一句话，概率是多少？",
        "Some tokens have a log-probability of minus infinity. How probable is a sentence with "
        "one of them?",
    ),
    (
        "候选不够 K 个的时候，宁可少留几个。",
        "Where there are fewer than K candidates, fewer are kept.",
    ),
)
ID_HINTS = (
    (
        "换一套编号：begin_id 是 7，end_id 是 5，你的函数还对吗？",
        "Take other ids, 7 for begin_id and 5 for end_id: is your function still right?",
    ),
    (
        "函数里用的名字，是参数，还是 notebook 里前面定义的？",
        "Look at the names inside the function: are they its arguments, or defined further up in "
        "the notebook?",
    ),
)
SUM_HINTS = (
    (
        "一句话的概率是各步概率的乘积；对数呢？",
        "The probability of a sentence is a product over its tokens. And the logarithm of it?",
    ),
    (
        "走两步，用纸笔算出一个假设的 log P，再跟你存的比。",
        "Walk two steps, work out log P of one hypothesis on paper, and compare with what you "
        "keep.",
    ),
)
PENALTY_HINTS = (
    (
        "取 n = 1：除数应当是 1。取 length_penalty = 0：除数也应当是 1。",
        "Put n = 1 in: the divisor should be 1. Put length_penalty = 0 in: it should be 1 again.",
    ),
    (
        "n 是这个假设自己说了几个词元，end_id 也算，begin_id 不算。",
        "n is how many tokens this hypothesis has said itself, end_id included and begin_id not.",
    ),
)
KEEP_HINTS = (
    (
        "留下来的和排序用的是不是同一个数？存下来的又是哪一个？",
        "Is the number by which they are kept the one they are ranked by? And which one is stored?",
    ),
    (
        "存的一直是 log P；除以长度的只在比较和返回时算。",
        "What is stored is log P all along; the division by length is for comparing and returning.",
    ),
)
END_HINTS = (
    (
        "一个假设说了 end_id，下一步它变成什么？它的得分呢？",
        "A hypothesis has said end_id. What becomes of it in the next step, and of its score?",
    ),
    (
        "结束了的假设原样参加比较：留得住就留，被更好的挤掉就算了。",
        "An ended hypothesis takes part in the comparison as it is: it stays until something "
        "better takes its place.",
    ),
)
STOP_HINTS = (
    (
        "什么时候可以停：有一个结束，最好的结束，还是全部结束？",
        "When may it stop: when one has ended, the best one, or all?",
    ),
    (
        "数一数：max_length 是几，每个假设最多就说几个词元。",
        "Count: no hypothesis says more tokens than max_length.",
    ),
)
PREFIX_HINTS = (
    (
        "打印每次交给 next_log_probs 的前缀。",
        "Print every prefix that next_log_probs is given.",
    ),
    (
        "前缀从 begin_id 开始，后面是这个假设说过的全部。",
        "A prefix begins with begin_id, and all that the hypothesis has said follows.",
    ),
)
FORM_HINTS = (
    (
        "对照说明：一个列表，每一项是一对，最好的在前。",
        "Compare with the contract: a list of pairs, the best one first.",
    ),
    (
        "打印返回值的长度和第一项。",
        "Print the length of what comes back, and its first entry.",
    ),
)
