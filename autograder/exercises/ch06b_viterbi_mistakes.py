"""Mistakes in finding the best path: switches, sentences and hints."""

from autograder.exercises.ch06b_viterbi_hints import (
    AXIS_HINTS,
    CHANGE_HINTS,
    FORBID_HINTS,
    FORM_HINTS,
    GREEDY_HINTS,
    LEAST_HINTS,
    MOVE_HINTS,
    ORDER_HINTS,
    OVERWRITE_HINTS,
    START_HINTS,
    SUM_HINTS,
    TRACE_HINTS,
    TURN_HINTS,
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
    "sums_overwritten": (
        {"kept": "in_place"},
        "前一个位置的总分还要用，就被改掉了：后面的标签读到的是这个位置的新数。",
        "The sums up to the place before are overwritten while they are still needed: later tags "
        "read this place's new ones.",
        OVERWRITE_HINTS,
    ),
    "maximum_begins_at_zero": (
        {"best": "at_least_zero"},
        "找最大时从 0 开始：总分全是负的，就什么也找不到。",
        "The search for the largest sum begins at 0, and finds nothing where all are negative.",
        LEAST_HINTS,
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
            {"traced": "origins_of_the_best"},
            {"traced": "from_the_first"},
        ),
        "没有从末尾一步步退回去：每个位置各取最高的，不在同一条路上。",
        "The path isn't traced back from its end; the best of every place need not be on one path.",
        TRACE_HINTS,
    ),
    "walked_in_the_wrong_order": (
        ({"traced": "in_order"}, {"traced": "in_order", "returned": "reversed"}),
        "往回走时，“来处”用的次序不对：应当从最后一个位置的用起。",
        "Walking back uses the origins in the wrong order: those of the last place come first.",
        ORDER_HINTS,
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
        TURN_HINTS,
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
