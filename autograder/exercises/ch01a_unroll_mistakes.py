"""Mistakes in walking over padded sequences: switches, sentences and hints."""

MASK_HINTS = (
    (
        "给同一句话后面多补两个填充：最后的状态变了吗？",
        "Put two more pads behind the same sentence: does the last state move?",
    ),
    (
        "每一步之后，每一行都要选一次：用新状态，还是留着旧的？",
        "After every step each row makes a choice: the new state, or the one it had?",
    ),
)
THREAD_HINTS = (
    (
        "第 3 步拿到的状态，应当是哪一步留下的？",
        "Which step left the state that the third step is given?",
    ),
    (
        "打印每一步之前和之后的状态：上一行的“之后”应当是下一行的“之前”。",
        "Print the state before and after every step: one line's after is the next line's before.",
    ),
)
COLLECT_HINTS = (
    (
        "输出的最后一列，应当跟最后的第一个状态一样。",
        "The last column of the outputs should equal the first of the last states.",
    ),
    ("收集的是哪个状态，在哪一刻？", "Which state is collected, and at which moment?"),
)
FORM_HINTS = (
    (
        "对照说明：返回一对，第二样是元组。",
        "Compare with the contract: a pair, its second part a tuple.",
    ),
    ("打印 outputs 的形状：批、时间、大小。", "Print the shape of outputs: batch, time, size."),
)

UNROLL = {
    "padding_is_read": (
        {"pads": "ignored"},
        "填充也被当成词读了：最后的状态取决于后面补了多少填充。",
        "Padding is read like tokens: the last state depends on how much of it follows.",
        MASK_HINTS,
    ),
    "mask_inverted": (
        {"pads": "inverted"},
        "掩码用反了：真词元处不动，填充处反而在走。",
        "The mask is inverted: it stands still at tokens and walks at padding.",
        MASK_HINTS,
    ),
    "state_zeroed_at_padding": (
        ({"pads": "states_zeroed"}, {"pads": "back_to_start"}),
        "填充处状态被清零（或退回起点）了，记住的全丢了；应当留着原来的。",
        "At padding the state is set to zero (or back to the start) and all is forgotten; it "
        "should stay as it was.",
        MASK_HINTS,
    ),
    "only_inputs_masked": (
        {"pads": "inputs_zeroed"},
        "只把填充处的输入变成了 0，状态照样往前走。",
        "Only the inputs are set to zero at padding, and the states walk on all the same.",
        MASK_HINTS,
    ),
    "not_every_state_is_kept": (
        ({"pads": "first_only"}, {"pads": "others_only"}),
        "只护住了一个状态；填充处每个状态都要留着原来的。",
        "Only one of the states is kept at padding; every one of them should stay.",
        MASK_HINTS,
    ),
    "one_mask_for_all_rows": (
        ({"pads": "first_row"}, {"pads": "any_row"}, {"pads": "every_row"}),
        "整批用了同一个掩码：每一行要看自己的。",
        "One mask serves the whole batch: each row has its own.",
        MASK_HINTS,
    ),
    "mask_of_another_time": (
        {"pads": "next_column"},
        "用了下一个时刻的掩码。",
        "It's the mask of the next time that is used.",
        MASK_HINTS,
    ),
    "old_state_added": (
        {"pads": "added"},
        "新旧状态加在了一起；每一行二者只取其一。",
        "New and old state are added; each row takes one of the two.",
        MASK_HINTS,
    ),
    "states_not_carried_on": (
        ({"threaded": "start"}, {"threaded": "first_from_start"}),
        "每一步都从最初的状态出发：上一步的结果没有传下去。",
        "Every step sets out from the first states: what the step before left isn't carried on.",
        THREAD_HINTS,
    ),
    "unguarded_state_carried_on": (
        {"threaded": "unguarded"},
        "收集的对，传给下一步的却是没有经过掩码的状态。",
        "What is collected is right, but the next step is given states that the mask hasn't seen.",
        THREAD_HINTS,
    ),
    "last_state_unguarded": (
        {"final": "unguarded"},
        "最后返回的状态没有经过掩码：末尾是填充的行就错了。",
        "The last states haven't passed the mask: they are wrong for rows that end in padding.",
        MASK_HINTS,
    ),
    "first_states_returned": (
        {"final": "start"},
        "返回的还是最初的状态。",
        "The states that come back are still those from the beginning.",
        THREAD_HINTS,
    ),
    "walks_backwards": (
        ({"walk": "backwards"}, {"walk": "backwards_put_right"}),
        "方向反了：应当从左往右走。",
        "It walks the wrong way: it should go from left to right.",
        THREAD_HINTS,
    ),
    "one_step_short": (
        ({"walk": "last_skipped"}, {"walk": "first_skipped"}),
        "少走了一步：T 个时刻，T 步。",
        "A step is missing: T times make T steps.",
        THREAD_HINTS,
    ),
    "returns_after_one_step": (
        {"walk": "one_step"},
        "只走了一步就返回了：return 多半缩进到了循环里面。",
        "It returns after a single step: the return probably stands inside the loop.",
        (
            (
                "outputs 的时间轴有多长？x 的呢？",
                "How long is the axis of time in outputs, and in x?",
            ),
            (
                "在循环的每一圈里打印 now：一共打印了几次？",
                "Print something in every round of the loop: how often is it printed?",
            ),
        ),
    ),
    "state_before_the_step": (
        {"collected": "before"},
        "收集的是走这一步之前的状态；应当是之后的。",
        "The state from before each step is collected; it should be the one after.",
        COLLECT_HINTS,
    ),
    "unguarded_state_collected": (
        {"collected": "unguarded"},
        "收集的状态没有经过掩码：填充处的输出应当还是原来的状态。",
        "The states collected haven't passed the mask: at padding the output is the state that was "
        "kept.",
        COLLECT_HINTS,
    ),
    "zeros_collected_at_padding": (
        ({"collected": "zero_at_pads"}, {"collected": "unguarded_zero_at_pads"}),
        "填充处的输出被清零了；这里约定是留着的状态。",
        "Outputs are zero at padding; here they are the state that was kept.",
        COLLECT_HINTS,
    ),
    "another_state_collected": (
        {"collected": "last_state"},
        "收集的是最后一个状态；应当是第一个。",
        "The last of the states is collected; it should be the first.",
        COLLECT_HINTS,
    ),
    "time_comes_first": (
        {"returned": "time_first"},
        "输出的时间轴跑到了批的前面；约定 (B, T, H)。",
        "Time stands before the batch; outputs should be (B, T, H).",
        FORM_HINTS,
    ),
    "outputs_run_together": (
        ({"returned": "one_row"}, {"returned": "list"}),
        "各步的输出没有叠成时间轴：(B, T, H)。",
        "The outputs of all steps aren't stacked along an axis of time: (B, T, H).",
        FORM_HINTS,
    ),
    "pair_swapped": (
        {"returned": "states_first"},
        "一对的次序反了：先输出，后状态。",
        "The pair is in the wrong order: outputs first, states second.",
        FORM_HINTS,
    ),
    "something_not_returned": (
        (
            {"returned": "outputs_only"},
            {"returned": "states_only"},
            {"returned": "last_output"},
            {"returned": "first_state"},
            {"returned": "last_state"},
        ),
        "少返回了东西：要每一步的输出，还要所有最后的状态。",
        "Something isn't returned: the outputs of every step, and all of the last states.",
        FORM_HINTS,
    ),
}
