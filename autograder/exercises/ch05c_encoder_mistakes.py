"""Mistakes in putting BERT's encoder together: switches, sentences and hints."""

MASK_HINTS = (
    (
        "把一个填充位置的词元换掉：真词元的隐状态动吗？",
        "Change the token at a padded position: do the hidden states of real tokens move?",
    ),
    (
        "attention_mask 的三条轴是：句子、谁在看、看谁。填充掩码该放在哪一条上？",
        "The axes of attention_mask are the sentence, who looks, and who is looked at. Along which "
        "does the padding mask lie?",
    ),
)
INPUT_HINTS = (
    (
        "词元不动，只改 segment_ids：第 0 个隐状态变了吗？",
        "Keep the tokens and change segment_ids: does hidden state 0 change?",
    ),
    (
        "embeddings 要两样东西，次序写在约定里。",
        "embeddings takes two things; the contract has their order.",
    ),
)
STACK_HINTS = (
    (
        "一块也没有、一块、两块：隐状态分别是哪几个？",
        "With no block, with one, with two: which hidden states are there?",
    ),
    (
        "每一块读的是前一块的输出。循环里的变量更新了吗？",
        "Every block reads what the one before it gave. Is the variable in the loop replaced?",
    ),
)
LEFT_OUT_HINTS = (
    (
        "给它三块：得到几个隐状态？每一块都走到了吗？",
        "Give it three blocks: how many hidden states are there? Does each block have its turn?",
    ),
    (
        "函数一碰到 return 就结束：它是不是缩进到循环里面去了？循环里的变量更新了吗？",
        "A function ends at its first return: is yours indented into the loop? And is the variable "
        "in the loop replaced?",
    ),
)
LIST_HINTS = (
    (
        "L 块一共有 L + 1 个隐状态。数一数，你有几个，第一个是什么，最后一个是什么？",
        "L blocks make L + 1 hidden states. How many have you, and which are the first and the "
        "last?",
    ),
    (
        "append 写在块的前面还是后面？循环开始之前，列表里该有什么？",
        "Does append come before or after the block? And what should be in the list before the "
        "loop begins?",
    ),
)
POOLER_HINTS = (
    (
        "pooler 拿到的是哪一个张量？它的形状对吗，它是最后一块的输出吗？",
        "Which tensor is the pooler given? Has it the right shape, and is it what the last block "
        "gave?",
    ),
    (
        "pooler 自己会取第一个词元，再过一层 tanh。",
        "The pooler takes the first token itself, and sends it through a layer with a tanh.",
    ),
)
OUTPUT_HINTS = (
    (
        "返回的是一对：前面是列表，后面是一个张量。",
        "What comes back is a pair: a list first, then one tensor.",
    ),
    (
        "数一数 hidden_states 有几个，再打印每一个的形状。",
        "Count the hidden states, and print the shape of each.",
    ),
)

ENCODER = {
    "padding_visible": (
        {"mask": "none"},
        "块看得见填充：padding_mask 没有传给它们。",
        "The blocks see padding: padding_mask doesn't reach them.",
        MASK_HINTS,
    ),
    "padding_mask_inverted": (
        {"mask": "inverted"},
        "填充掩码反了：True 表示真的词元，可以看。",
        "The padding mask is inverted: True means a real token, which may be looked at.",
        MASK_HINTS,
    ),
    "padding_mask_on_the_wrong_axis": (
        {"mask": "by_query"},
        "padding_mask 放到了“谁在看”的轴上：大家都看得见填充。",
        "padding_mask lies along the axis of those who look, and everybody sees padding.",
        MASK_HINTS,
    ),
    "padding_guessed_from_the_ids": (
        {"mask": "nonzero_ids"},
        "填充是从编号猜的（不是 0 就算真）；要用参数里的 padding_mask。",
        "Padding is guessed from the ids (real where they aren't 0); padding_mask tells it.",
        MASK_HINTS,
    ),
    "future_closed": (
        ({"mask": "causal_and_padding"}, {"mask": "causal"}),
        "多了因果掩码：BERT 的每个词元前后都看。",
        "There is a causal mask: in BERT every token looks both ways.",
        MASK_HINTS,
    ),
    "segments_not_used": (
        ({"segments": "zeros"}, {"segments": "ones"}),
        "segment_ids 没有用上。",
        "segment_ids aren't used.",
        INPUT_HINTS,
    ),
    "segments_turned_round": (
        {"segments": "turned"},
        "片段 0 和 1 弄反了。",
        "Segments 0 and 1 are exchanged.",
        INPUT_HINTS,
    ),
    "ids_mixed_up": (
        ({"segments": "exchanged"}, {"segments": "token_ids"}),
        "给 embeddings 的两样东西弄混了：先是 token_ids，后是 segment_ids。",
        "What embeddings is given is mixed up: token_ids first, segment_ids second.",
        INPUT_HINTS,
    ),
    "embeddings_not_listed": (
        {"kept": "without_embeddings"},
        "hidden_states 里没有嵌入的输出：它是第 0 个。",
        "hidden_states lacks the output of the embeddings, which is number 0.",
        LIST_HINTS,
    ),
    "last_state_not_listed": (
        {"kept": "without_the_last"},
        "hidden_states 里没有最后一块的输出：列进去的是每一块的输入。",
        "hidden_states lacks the output of the last block: it lists what goes into each block.",
        LIST_HINTS,
    ),
    "a_state_listed_twice": (
        (
            {"kept": "last_twice"},
            {"kept": "embeddings_twice"},
            {"kept": "inputs_and_last"},
        ),
        "有一个隐状态在列表里出现了两次。",
        "One hidden state stands in the list twice.",
        LIST_HINTS,
    ),
    "last_state_only": (
        ({"returned": "last_state"}, {"kept": "last_only"}, {"kept": "last_again_and_again"}),
        "hidden_states 里只有最后一块的输出；每一层的都要。",
        "hidden_states holds the output of the last block only; all layers are wanted.",
        LIST_HINTS,
    ),
    "states_in_another_order": (
        {"kept": "reversed"},
        "hidden_states 的次序反了：嵌入的输出在最前面。",
        "hidden_states are in the opposite order: the output of the embeddings comes first.",
        LIST_HINTS,
    ),
    "changes_listed": (
        {"kept": "changes"},
        "列进去的是每一块改动了多少，不是它的输出。",
        "What is listed is how much each block changes, not what it gives.",
        LIST_HINTS,
    ),
    "blocks_not_chained": (
        {"chained": "none"},
        "每一块读的都是嵌入的输出；应当一块接一块。",
        "Every block reads the output of the embeddings; they should be chained.",
        STACK_HINTS,
    ),
    "one_block_again_and_again": (
        {"blocks": "first_repeated"},
        "用来用去都是第一块；每一块有自己的参数。",
        "It is the first block again and again; every block has weights of its own.",
        STACK_HINTS,
    ),
    "blocks_in_another_order": (
        {"blocks": "reversed"},
        "块的次序反了。",
        "The blocks are used in the opposite order.",
        STACK_HINTS,
    ),
    "blocks_left_out": (
        (
            {"blocks": "first_left_out"},
            {"blocks": "last_left_out"},
            {"blocks": "first"},
            {"blocks": "none"},
        ),
        "有的块没有用上。",
        "Some blocks aren't used.",
        LEFT_OUT_HINTS,
    ),
    "blocks_used_twice": (
        {"blocks": "twice"},
        "整叠块用了两遍。",
        "The whole stack is used twice.",
        STACK_HINTS,
    ),
    "pooled_from_another_layer": (
        tuple({"pooled": form} for form in ("embeddings", "first_block", "before_the_last", "sum")),
        "pooler 读的不是最后一块的输出。",
        "The pooler doesn't read the output of the last block.",
        POOLER_HINTS,
    ),
    "pooler_not_used": (
        ({"pooled": "first_token"}, {"pooled": "states"}),
        "pooled_output 没有经过 pooler。",
        "The pooled output hasn't passed the pooler.",
        POOLER_HINTS,
    ),
    "pooled_from_other_tokens": (
        ({"pooled": "mean"}, {"pooled": "plain_mean"}, {"pooled": "last_token"}),
        "pooler 该读第一个词元（[CLS]），不是平均，也不是最后一个。",
        "The pooler should read the first token, [CLS], and neither a mean nor the last one.",
        POOLER_HINTS,
    ),
    "states_stacked": (
        {"returned": "stacked"},
        "hidden_states 应当是一个列表，不要叠成一个张量。",
        "hidden_states should be a list and not stacked into one tensor.",
        OUTPUT_HINTS,
    ),
    "returned_in_another_form": (
        ({"returned": "exchanged"}, {"returned": "states_only"}),
        "返回的应当是一对：先是 hidden_states，后是 pooled_output。",
        "A pair should come back: hidden_states first, then pooled_output.",
        OUTPUT_HINTS,
    ),
}
