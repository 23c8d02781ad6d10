"""Mistakes in finding the best path: switches, sentences and hints."""

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

PATHS = {
    "every_place_alone": (
        {"search": "each_alone"},
        "每个位置各挑各的最高分，没有管转移，也没有管句首。",
        "Every place takes its best tag by itself, whatever transitions and starts say.",
        GREEDY_HINTS,
    ),
    "never_taken_back": (
        ({"search": "step_by_step"}, {"search": "step_by_step", "moves": "turned"}),
        "一步步往前挑，挑了就不改：前面差一点的，后面可能好得多。",
        "A tag is chosen step by step and never taken back; what begins a little worse may go on "
        "much better.",
        GREEDY_HINTS,
    ),
    "transitions_turned_round": (
        ({"moves": "turned"}, {"axis": "after"}),
        "转移的方向反了：[前, 后]，取最大是对前一个标签取。",
        "Transitions go the wrong way: they are [before, after], and the maximum is over the tag "
        "before.",
        MOVE_HINTS,
    ),
    "best_on_the_wrong_axis": (
        {"axis": "best_after"},
        "前面的总分加错了轴：它属于前一个标签，也就是 transitions 的行。",
        "The sums so far are added along the wrong axis: they belong to the tag before, which is "
        "the row of transitions.",
        AXIS_HINTS,
    ),
    "pointers_over_the_wrong_axis": (
        {"axis": "pointers_after"},
        "“从哪里来”取错了轴：总分和来处要对同一个轴取。",
        "Where a sum came from is looked for along the wrong axis; the maximum and its place are "
        "of one axis.",
        AXIS_HINTS,
    ),
    "transitions_not_added": (
        ({"moves": "missing"}, {"moves": "only_forbids"}),
        "转移的分数没有加上（或者只用来禁止）。",
        "The scores of transitions aren't added, or only used to forbid.",
        MOVE_HINTS,
    ),
    "transitions_subtracted": (
        ({"moves": "subtracted"}, {"moves": "without_the_diagonal"}),
        "转移的分数减掉了，或者同种标签之间的没有加。",
        "Transitions are subtracted, or not added between tags of one kind.",
        MOVE_HINTS,
    ),
    "starts_not_added": (
        ({"begins": "missing"}, {"begins": "only_forbids"}),
        "句首的分数 starts 没有加上（或者只用来禁止）。",
        "The scores of starts aren't added, or only used to forbid.",
        START_HINTS,
    ),
    "starts_misplaced": (
        (
            {"begins": "everywhere"},
            {"begins": "twice"},
            {"begins": "in_the_end"},
        ),
        "starts 加错了地方：只在第一个位置加一次。",
        "starts is added in the wrong place; it belongs to the first place, once.",
        START_HINTS,
    ),
    "first_scores_missing": (
        {"begins": "alone"},
        "第一个位置的 scores 没有加上。",
        "The scores of the first place aren't added.",
        SUM_HINTS,
    ),
    "scores_not_added": (
        ({"added": "never"}, {"added": "before"}),
        "后面位置的 scores 没有加上，或者加给了前一个标签。",
        "The scores of later places aren't added, or are given to the tag before.",
        SUM_HINTS,
    ),
    "sum_not_carried_on": (
        ({"kept": "one_step"}, {"kept": "not_carried"}),
        "总分没有一路带下去：每一步只看了前一个位置。",
        "The sum isn't carried on: every step looks at the place before it only.",
        SUM_HINTS,
    ),
    "all_paths_added_up": (
        {"best": "sum"},
        "算的是所有路合起来（logsumexp），不是最好的一条。",
        "All paths are added up (a logsumexp); the best one is wanted.",
        SUM_HINTS,
    ),
    "worst_path": (
        {"best": "worst"},
        "取了最小，不是最大。",
        "The smallest is taken, not the largest.",
        SUM_HINTS,
    ),
    "not_traced_back": (
        (
            {"traced": "best_of_every_place"},
            {"traced": "pointers_of_the_best"},
            {"traced": "from_the_first"},
        ),
        "没有从末尾一步步退回去：每个位置各取最高的，不在同一条路上。",
        "The path isn't traced back from its end; the best of every place need not be on one path.",
        TRACE_HINTS,
    ),
    "another_last_tag": (
        ({"last": "of_scores"}, {"last": "zero"}),
        "最后一个标签选错了：应当是总分最高的那个。",
        "The last tag is chosen wrongly; it should be the one with the highest sum.",
        TRACE_HINTS,
    ),
    "path_backwards": (
        {"returned": "reversed"},
        "路是倒着的：从末尾退回来以后，要倒过来。",
        "The path is backwards; after walking back it has to be turned round.",
        TRACE_HINTS,
    ),
    "path_too_short": (
        (
            {"returned": "without_the_first"},
            {"returned": "without_the_last"},
            {"returned": "with_a_start"},
        ),
        "路少了一个位置，或者多了一个。",
        "The path has a place too few, or one too many.",
        FORM_HINTS,
    ),
    "forbidden_allowed": (
        (
            {"allowed": "forbidden_too"},
            {"allowed": "negative_too"},
            {"allowed": "signs_lost"},
            {"allowed": "minus_five"},
            {"allowed": "minus_ten"},
            {"allowed": "minus_hundred"},
        ),
        "−∞ 没有禁止住（换成有限的数也不够）：走了不许走的路。",
        "Minus infinity doesn't forbid (nor is a finite number in its place enough): the path "
        "isn't allowed.",
        FORBID_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "with_score"},
            {"returned": "score"},
            {"returned": "one_hot"},
            {"returned": "floats"},
        ),
        "返回的不是整数的列表。",
        "What comes back isn't a list of ints.",
        FORM_HINTS,
    ),
    "scores_changed": (
        {"edits": "in_place"},
        "传进来的 scores 被改动了。",
        "scores, which was handed in, is changed.",
        CHANGE_HINTS,
    ),
}
