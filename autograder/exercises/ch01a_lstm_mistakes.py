"""Mistakes in a step of an LSTM: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST
from autograder.oracles.recurrent import LSTM_GATES, LSTM_ORDERS

BLOCK_HINTS = (
    (
        "把偏置设成 4 段不同的常数，其余全是 0：每个门应当等于多少？",
        "Make the bias four blocks of different constants and everything else 0: what should each "
        "gate be?",
    ),
    (
        "约定里四段的次序是什么？逐段念出来，对照你的变量名。",
        "Which order do the four blocks have in the contract? Read it aloud along your names.",
    ),
)
GATE_HINTS = (
    (
        "门在 0 和 1 之间：哪几个是门，哪一个是内容？",
        "A gate is between 0 and 1: which are gates, and which one is content?",
    ),
    (
        "让遗忘门全开、输入门全关：新的记忆应当就是旧的。你的呢？",
        "Open the forget gate and close the input gate: the new carry should be the old one.",
    ),
)
SHOWN_HINTS = (
    (
        "存起来的和拿出来给人看的，是两样东西。",
        "What is stored and what is shown are two different things.",
    ),
    (
        "记忆可以大于 1 吗？状态呢？用大的数试一试。",
        "May the carry be larger than 1? May the state? Try large numbers.",
    ),
)
FORM_HINTS = (
    (
        "对照说明：返回哪两样，什么次序？",
        "Compare with the contract: which two come back, in which order?",
    ),
    (
        "新状态和新的记忆，各在你的哪一行里算出来？return 后面写的是它们吗？",
        "Which of your lines makes the new state, and which the new carry? Do both stand behind "
        "return?",
    ),
)

LSTM = {
    "gates_in_another_order": (
        tuple({"order": order} for order in LSTM_ORDERS),
        "四段的次序不对：这里约定输入、遗忘、候选、输出。",
        "The four blocks are taken in another order: here it is input, forget, candidate, output.",
        BLOCK_HINTS,
    ),
    "gate_uses_another_block": (
        tuple(
            {"copied": f"{gate}_from_{other}"}
            for gate in LSTM_GATES
            for other in LSTM_GATES
            if gate != other
        ),
        "有一段用了两次，另一段没有用上：多半是复制粘贴以后忘了改名字。",
        "One block is used twice and another not at all: probably copied, pasted and not renamed.",
        BLOCK_HINTS,
    ),
    "blocks_interleaved": (
        {"order": "interleaved"},
        "每 4 列取一列了；四段是连续的，每段 H 列。",
        "Every fourth column is taken; the four blocks are contiguous, H columns each.",
        BLOCK_HINTS,
    ),
    "state_without_tanh": (
        {"shown": "no_tanh"},
        "新状态少了 tanh：记忆可以很大，拿出来之前要先压回 -1 到 1。",
        "The new state lacks its tanh: the carry may be large and is squeezed before it is shown.",
        SHOWN_HINTS,
    ),
    "tanh_stored_in_the_carry": (
        {"shown": "tanh_stored"},
        "tanh 存进了记忆里：记忆每走一步就被压缩一次，传不远。",
        "The tanh is stored in the carry: it is squeezed at every step and won't get far.",
        SHOWN_HINTS,
    ),
    "tanh_misplaced": (
        ({"shown": "tanh_outside"}, {"shown": "tanh_twice"}, {"shown": "sigmoid_of_carry"}),
        "新状态里的激活函数不对：先压缩记忆，再乘输出门，只压一次。",
        "The activation in the new state is wrong: squeeze the carry by tanh, once, then multiply "
        "by the output gate.",
        SHOWN_HINTS,
    ),
    "old_carry_shown": (
        {"shown": "old_carry"},
        "新状态是从旧的记忆算出来的；应当用新的。",
        "The new state is made from the old carry; it should be the new one.",
        SHOWN_HINTS,
    ),
    "candidate_shown": (
        {"shown": "candidate"},
        "新状态是从候选算出来的；应当从记忆里来。",
        "The new state is made from the candidate; it should come from the carry.",
        SHOWN_HINTS,
    ),
    "output_gate_unused": (
        {"shown": "no_output_gate"},
        "输出门没有用上。",
        "The output gate isn't used.",
        SHOWN_HINTS,
    ),
    "input_gate_added": (
        {"combined": "added"},
        "输入门和候选相加了；门是用来乘的。",
        "Input gate and candidate are added; a gate multiplies.",
        GATE_HINTS,
    ),
    "input_gate_unused": (
        ({"combined": "no_input_gate"}, {"combined": "inverted_input"}),
        "候选没有经过输入门（或者门用反了）。",
        "The candidate doesn't pass the input gate (or the gate is inverted).",
        GATE_HINTS,
    ),
    "forget_gate_unused": (
        {"combined": "no_forget_gate"},
        "遗忘门没有用上：旧的记忆原封不动地留着。",
        "The forget gate isn't used: the old carry stays whole.",
        GATE_HINTS,
    ),
    "forget_gate_inverted": (
        {"combined": "inverted_forget"},
        "遗忘门用反了：它等于 1 时应当全部记住。",
        "The forget gate is inverted: at 1 everything is kept.",
        GATE_HINTS,
    ),
    "gates_coupled": (
        {"combined": "coupled"},
        "输入门被换成了 1 减遗忘门；那是另一种单元，这里两个门各管各的。",
        "One minus the forget gate stands in for the input gate; that's another cell, here the two "
        "gates are independent.",
        GATE_HINTS,
    ),
    "old_carry_lost": (
        {"combined": "nothing_kept"},
        "旧的记忆没有留下：新的记忆里只有候选。",
        "Nothing of the old carry is kept: the new one has only the candidate.",
        GATE_HINTS,
    ),
    "state_kept_for_the_carry": (
        ({"combined": "state_kept"}, {"combined": "product"}),
        "新的记忆不是由旧的记忆和候选相加得来的。",
        "The new carry isn't a sum of the old carry and the candidate, each behind its gate.",
        GATE_HINTS,
    ),
    "candidate_is_a_gate": (
        ({"candidate_activation": "sigmoid"}, {"candidate_activation": "none"}),
        "候选的激活函数不对：它是内容，要有正有负，用 tanh。",
        "The candidate has another activation: it is content, of either sign, and takes tanh.",
        GATE_HINTS,
    ),
    "gates_without_sigmoid": (
        tuple({"gate_activation": name} for name in ("tanh", "none", "relu", "softmax")),
        "门的激活函数不对：门在 0 和 1 之间，用 sigmoid。",
        "The gates have another activation: they lie between 0 and 1, by a sigmoid.",
        GATE_HINTS,
    ),
    "bias_counted_wrongly": (
        ({"bias_use": "missing"}, {"bias_use": "twice"}),
        "偏置的次数不对：四段各加一次。",
        "The bias isn't added just once to each block.",
        BLOCK_HINTS,
    ),
    "one_added_to_the_forget_gate": (
        ({"forget_bias": "one_more"}, {"forget_bias": "one_after_the_gate"}),
        "遗忘门那里多加了 1；要加的已经在 bias 里了。",
        "1 is added for the forget gate; what is to be added is in bias already.",
        (
            (
                "bias 里遗忘那一段如果是 0，遗忘门该是多少？你的呢？",
                "With 0 in the forget block of bias and all else 0, what should the gate be? And "
                "yours?",
            ),
            (
                "再看一遍说明的最后一条。",
                "Read the last line of the contract again.",
            ),
        ),
    ),
    "gates_read_the_carry": (
        ({"reads": "carry"}, {"reads": "nothing"}),
        "各个门看的不是旧状态（看了记忆，或者什么也没看）。",
        "The gates don't look at the old state (but at the carry, or at nothing).",
        GATE_HINTS,
    ),
    "pair_swapped": (
        {"returned": "carry_state"},
        "一对的次序反了：先状态，后记忆。",
        "The pair is in the wrong order: state first, carry second.",
        FORM_HINTS,
    ),
    "one_of_the_two_missing": (
        (
            {"returned": "state_only"},
            {"returned": "state_twice"},
            {"returned": "carry_twice"},
            {"returned": "old_carry"},
            {"returned": "output_first"},
        ),
        "应当返回新状态和新的记忆，各一份。",
        "It should return the new state and the new carry, one each.",
        FORM_HINTS,
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
