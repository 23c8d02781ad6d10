"""Mistakes in joining an encoder and a decoder: switches, sentences and hints."""

WIRING_HINTS = (
    (
        "编码器走完以后手里有两样东西；解码器出发时要几样？",
        "The encoder ends with two things in its hands; how many does the decoder set out with?",
    ),
    (
        "哪一样是状态，哪一样是记忆？两边的次序一样吗？",
        "Which is the state and which the carry? Do both sides have the same order?",
    ),
)
PADDING_HINTS = (
    (
        "给源句多补几个填充，logits 变了吗？",
        "Put more padding behind the source: do the logits move?",
    ),
    (
        "masked_unroll 的最后一个参数是做什么用的？编码器和解码器各该给它什么？",
        "What is the last argument of masked_unroll for? What should the encoder give it, what the "
        "decoder?",
    ),
)
WEIGHTS_HINTS = (
    (
        "weights 里有六样东西：每样各用了几次？",
        "There are six things in weights: how often do you use each?",
    ),
    (
        "画一张图：两张表、两个单元、一个输出矩阵，各连着谁。",
        "Draw it: two tables, two cells, one output matrix, and what each is connected to.",
    ),
)
DECODING_HINTS = (
    (
        "把解码器第 2 步的输入换掉：哪些 logits 变了？应当是哪些？",
        "Change the decoder's input at step 2: which logits move, and which should?",
    ),
    (
        "解码器也是从左走到右，上一步的状态要传给下一步。",
        "The decoder walks from left to right too, and each step hands its states to the next.",
    ),
)
OUTPUT_HINTS = (
    (
        "logits 可以是负数，一行加起来也不必是 1。你的呢？",
        "Logits may be negative, and a row needn't add up to 1. What about yours?",
    ),
    (
        "对照说明：从哪样东西，乘哪个矩阵，加什么？",
        "Compare with the contract: from what, times which matrix, plus what?",
    ),
)

MODEL = {
    "source_padding_is_read": (
        ({"source_padding": "read"}, {"source_padding": "nonzero_ids"}),
        "编码器把填充也读了进去：同一句话，补的填充多少不同，上下文就不同。",
        "The encoder reads the padding too: one sentence gets another context with every pad.",
        PADDING_HINTS,
    ),
    "source_mask_inverted": (
        {"source_padding": "inverted"},
        "编码器的掩码反了：它只读了填充。",
        "The encoder's mask is inverted: it reads nothing but padding.",
        PADDING_HINTS,
    ),
    "decoder_stops_at_padding": (
        {"decoding": "stops_at_zero"},
        "解码器在编号 0 处停了下来；这里它每个位置都要走，填充留给损失去管。",
        "The decoder stands still at id 0; here it walks over every position, and padding is the "
        "loss's business.",
        PADDING_HINTS,
    ),
    "decoder_uses_the_source_mask": (
        {"decoding": "source_mask"},
        "给解码器的是源句的掩码；源句和译文的长短没有关系，解码器每个位置都要走。",
        "The decoder is given the source's mask; source and target differ in length, and the "
        "decoder walks over every position.",
        PADDING_HINTS,
    ),
    "carry_lost": (
        ({"wiring": "state_twice"}, {"wiring": "state_only"}),
        "编码器的记忆没有交给解码器：只传了状态。",
        "The encoder's carry isn't handed to the decoder: only the state is.",
        WIRING_HINTS,
    ),
    "state_lost": (
        ({"wiring": "carry_twice"}, {"wiring": "carry_only"}),
        "编码器的状态没有交给解码器：只传了记忆。",
        "The encoder's state isn't handed to the decoder: only the carry is.",
        WIRING_HINTS,
    ),
    "state_and_carry_exchanged": (
        {"wiring": "exchanged"},
        "交接的时候，状态和记忆对调了。",
        "State and carry are exchanged when they are handed over.",
        WIRING_HINTS,
    ),
    "decoder_never_hears_of_the_source": (
        {"wiring": "nothing"},
        "解码器从全 0 出发：源句说了什么，它一点也不知道。",
        "The decoder sets out from zeros: it knows nothing of the source.",
        WIRING_HINTS,
    ),
    "another_moment_is_kept": (
        ({"wiring": "first_step"}, {"wiring": "mean_of_states"}),
        "交接的不是编码器最后的状态（是第一步的，或者各步的平均）。",
        "It isn't the encoder's last state that is handed over (but the first, or a mean).",
        WIRING_HINTS,
    ),
    "another_rows_context": (
        {"wiring": "rolled"},
        "每一行拿到的是别的行的上下文。",
        "Every row gets the context of another row.",
        WIRING_HINTS,
    ),
    "encoder_does_not_start_at_zero": (
        {"matrices": "starts_with_ones"},
        "编码器不是从全 0 的状态和记忆出发的。",
        "The encoder doesn't set out from a state and a carry of zeros.",
        WIRING_HINTS,
    ),
    "source_backwards": (
        {"source_order": "backwards"},
        "源句是倒着读的（Sutskever 等 2014 的窍门）；这里约定正着读。",
        "The source is read backwards (Sutskever et al. 2014 did); here it is read forwards.",
        DECODING_HINTS,
    ),
    "cells_mixed_up": (
        (
            {"matrices": "encoder_twice"},
            {"matrices": "decoder_twice"},
            {"matrices": "cells_exchanged"},
        ),
        "编码器和解码器的参数拿混了。",
        "The weights of encoder and decoder are mixed up.",
        WEIGHTS_HINTS,
    ),
    "tables_mixed_up": (
        (
            {"matrices": "source_table_twice"},
            {"matrices": "target_table_twice"},
            {"matrices": "tables_exchanged"},
        ),
        "两张嵌入表拿混了：源句和译文各有各的。",
        "The two embedding tables are mixed up: source and target each have their own.",
        WEIGHTS_HINTS,
    ),
    "decoder_starts_afresh_at_every_step": (
        {"decoding": "restarted"},
        "解码器每一步都从上下文重新出发：已经说过的词全忘了。",
        "The decoder starts from the context at every step and forgets what it has said.",
        DECODING_HINTS,
    ),
    "decoder_walks_backwards": (
        {"decoding": "backwards"},
        "解码器是倒着走的：后面的输入漏到了前面。",
        "The decoder walks backwards: later inputs leak into earlier logits.",
        DECODING_HINTS,
    ),
    "inputs_unused": (
        ({"decoding": "no_input"}, {"decoding": "first_input_only"}),
        "解码器没有用上每一步的输入。",
        "The decoder doesn't use the input of every step.",
        DECODING_HINTS,
    ),
    "softmax_on_the_logits": (
        ({"output": "softmax"}, {"output": "log_softmax"}),
        "返回的是 softmax 之后的概率（或它的对数）；约定返回 logits，损失自己会做 softmax。",
        "Probabilities (or their logarithms) come back; it should be logits, the loss has its own "
        "softmax.",
        OUTPUT_HINTS,
    ),
    "output_bias_forgotten": (
        ({"output": "no_bias"}, {"output": "bias_twice"}),
        "输出的偏置没有正好加一次。",
        "The output bias isn't added exactly once.",
        OUTPUT_HINTS,
    ),
    "logits_from_something_else": (
        ({"output": "carry"}, {"output": "tanh"}, {"output": "with_context"}),
        "logits 不是直接从解码器的状态算出来的。",
        "The logits aren't computed straight from the decoder's states.",
        OUTPUT_HINTS,
    ),
    "only_the_last_step": (
        {"returned": "last_only"},
        "只返回了最后一步；每一步都要有 logits。",
        "Only the last step comes back; there should be logits for every one.",
        OUTPUT_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "states"},
            {"returned": "ids"},
            {"returned": "with_states"},
            {"returned": "time_first"},
        ),
        "返回的不是 (B, T, V) 的 logits。",
        "What comes back aren't logits of shape (B, T, V).",
        OUTPUT_HINTS,
    ),
}
