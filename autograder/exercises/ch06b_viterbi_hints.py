"""Hints for finding the best path."""

GREEDY_HINTS = (
    (
        "两个位置、两种标签：scores 是 [[3, 2], [1, 1]]，从 0 出发的转移都是 −5。最好的路是哪条？",
        "Two places and two tags: scores [[3, 2], [1, 1]], and all transitions from tag 0 are −5. "
        "Which path is best?",
    ),
    (
        "每一步都要给**每种**标签记一个数：以它结尾的路里，最高的总分。",
        "At every place keep a number for **every** tag: the highest sum of all paths that end in "
        "it.",
    ),
)
MOVE_HINTS = (
    (
        "T = 2、C = 2，把 transitions 写成四个不同的数，用纸笔算出四条路的总分。",
        "T = 2 and C = 2: write four different numbers into transitions and work out the sums of "
        "the four paths on paper.",
    ),
    (
        "transitions[before, after]：行是前一个，列是后一个。对哪个轴取最大？",
        "transitions[before, after]: rows are the earlier tag, columns the later one. Over which "
        "axis is the maximum taken?",
    ),
)
AXIS_HINTS = (
    (
        "C = 2：best 是 [10, 0]，transitions 全是 0。下一步两种标签的“来处”各是哪一种？",
        "C = 2, best is [10, 0], and transitions are all 0: where do the two tags of the next "
        "place come from?",
    ),
    (
        "给 ways 的两个轴写上名字：[前, 后]。best 在哪个轴上变？max 和 argmax 各消掉哪个轴？",
        "Name the two axes of ways: [before, after]. Along which does best vary? Which one do max "
        "and argmax take away?",
    ),
)
START_HINTS = (
    (
        "T = 1 时，最好的标签是 starts + scores[0] 最大的那个。你的呢？",
        "With T = 1 the best tag is where starts + scores[0] is largest. Is it yours?",
    ),
    (
        "starts 在总分里正好出现一次：第一个位置。",
        "starts is a part of the sum exactly once, at the first place.",
    ),
)
SUM_HINTS = (
    (
        "C = 1 时只有一条路：你记的总分，应当是所有 scores、转移和 starts 的和。打印看看。",
        "With C = 1 there is one path: the sum that you keep should be that of all scores, "
        "transitions and starts. Print it.",
    ),
    (
        "新的总分 = 旧的总分 + 转移，对前一个取最大，再加上**这个位置、这种标签**的分数。",
        "The new sum is the old one plus the transition, the largest over the tags before, plus "
        "the score of **this place and this tag**.",
    ),
)
TRACE_HINTS = (
    (
        "每个位置的最高分各属于哪条路？它们未必在同一条路上。",
        "To which paths do the highest sums of all places belong? They need not be on one path.",
    ),
    (
        "记下每种标签的最高分**从哪种标签来**；最后从末尾最高的那个，一步步退回去，再倒过来。",
        "Note for every tag **where its best sum came from**; in the end walk back from the best "
        "last tag, step by step, and turn the result round.",
    ),
)
ORDER_HINTS = (
    (
        "T = 3：从最后一个标签往回走，先查哪个位置的“来处”，后查哪个？",
        "T = 3: walking back from the last tag, at which place do you ask first where it came "
        "from, and at which next?",
    ),
    (
        "“来处”是从前往后记下的，往回走时要从后往前用。",
        "Origins were noted from the front to the back; walking back uses them from the back.",
    ),
)
TURN_HINTS = (
    (
        "往回走时，最先知道的是哪个位置的标签？它在你的列表里排第几？",
        "Walking back, of which place do you know the tag first? Where in your list does it stand?",
    ),
    (
        "退回去得到的次序是从最后一个位置到第一个；返回时要从第一个到最后一个。",
        "Walking back lists the tags from the last place to the first; from the first to the last "
        "is what should come back.",
    ),
)
OVERWRITE_HINTS = (
    (
        "C = 2，正算这个位置的标签 1：这时 best[0] 还是前一个位置的总分，还是刚写进去的新数？",
        "C = 2, and it is tag 1's turn at this place: is best[0] still the sum up to the place "
        "before, or the new number that was just written there?",
    ),
    (
        "这个位置的总分先写进另一个数组，所有标签都算完，再换过来。",
        "Write this place's sums into another array, and let it take over when all tags are done.",
    ),
)
LEAST_HINTS = (
    (
        "所有总分都是负的（例如对数概率）：你的循环一开始的“最大”是多少？找得到比它大的吗？",
        'When all sums are negative (log probabilities, say), what is the "largest" that your loop '
        "begins with, and is anything larger?",
    ),
    (
        "从 −∞ 开始，或者直接用 max 和 argmax。",
        "Begin with minus infinity, or let max and argmax do it.",
    ),
)
FORBID_HINTS = (
    (
        "−∞ 加上任何数还是 −∞，取最大时自己就让开了：什么也不用做。",
        "Minus infinity plus anything stays minus infinity, and loses every maximum: nothing needs "
        "to be done about it.",
    ),
    (
        "对返回的路检查一遍：有没有哪一步的转移是 −∞？",
        "Check the path that comes back: is the transition of some step minus infinity?",
    ),
)
FORM_HINTS = (
    (
        "打印返回值和 T：应当是 T 个整数，从第一个位置到最后一个。",
        "Print what comes back, and T: T ints are wanted, from the first place to the last.",
    ),
    (
        "对照说明里“返回”那一条。",
        "Compare with what the contract says under Returns.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行用了 +=，或者往传进来的数组里写了数？",
        "Which line uses += or writes into an array that was handed in?",
    ),
    (
        "scores[0] 是原来数组的一部分，不是复制；写成 a = a + b，就是新的数组。",
        "scores[0] is a part of the original array and no copy; a = a + b makes a new one.",
    ),
)
