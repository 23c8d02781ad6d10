"""Mistakes in putting a Transformer together: switches and sentences."""

from autograder.exercises.ch03c_model_hints import (
    AXIS_HINTS,
    MASK_HINTS,
    OUTPUT_HINTS,
    PATH_HINTS,
    STACK_HINTS,
    TRIANGLE_HINTS,
)

MODEL = {
    "future_visible": (
        {"target_mask": "none"},
        "解码器没有因果掩码：每个位置看得见后面的译文。",
        "The decoder has no causal mask: every position sees the target after it.",
        TRIANGLE_HINTS,
    ),
    "wrong_triangle": (
        ({"target_mask": "upper"}, {"target_mask": "strict_upper"}),
        "因果掩码的三角形反了。",
        "The causal mask is the other triangle.",
        TRIANGLE_HINTS,
    ),
    "edge_of_the_triangle_is_off": (
        ({"target_mask": "strict_lower"}, {"target_mask": "one_ahead"}),
        "三角形的边差了一格：看不见自己，或者看得见后面一个。",
        "The edge of the triangle is off by one: positions don't see themselves, or see one ahead.",
        TRIANGLE_HINTS,
    ),
    "triangle_of_the_source": (
        {"target_mask": "causal_of_source"},
        "因果掩码是按源句的长度 S 做的；译文看自己，长度是 T。",
        "The causal mask is made for S, the length of the source; it is the target that looks at "
        "itself, and its length is T.",
        TRIANGLE_HINTS,
    ),
    "own_position_only": (
        {"target_mask": "own"},
        "译文的每个位置只看得见自己。",
        "Every position of the target sees itself only.",
        TRIANGLE_HINTS,
    ),
    "source_mask_on_the_target": (
        (
            {"target_mask": "source_padding", "cross_mask": "causal"},
            {"target_mask": "source_padding"},
            {"target_mask": "source_padding_too"},
        ),
        "源句的填充掩码用到了译文自己的注意力上。",
        "The source's padding mask acts on the target's attention to itself.",
        MASK_HINTS,
    ),
    "target_padding_guessed": (
        ({"target_mask": "and_nonzero_ids"}, {"target_mask": "nonzero_ids"}),
        "从译文的编号猜填充（0 就关上）；这里 0 也可能是真词元，译文不需要填充掩码。",
        "The target's padding is guessed from its ids (closed where they are 0); 0 may be a real "
        "token, and the target needs no padding mask.",
        MASK_HINTS,
    ),
    "encoder_sees_padding": (
        {"source_mask": "none"},
        "编码器看得见填充：padding_mask 没有传给编码器的块。",
        "The encoder sees padding: padding_mask doesn't reach its blocks.",
        MASK_HINTS,
    ),
    "decoder_sees_padding": (
        {"cross_mask": "none"},
        "解码器看源句时看得见填充：交叉注意力没有拿到源句的掩码。",
        "The decoder sees the source's padding: cross-attention isn't given the source's mask.",
        MASK_HINTS,
    ),
    "padding_visible_everywhere": (
        {"source_mask": "none", "cross_mask": "none"},
        "padding_mask 哪里都没有用上：编码器和交叉注意力都看得见填充。",
        "padding_mask isn't used at all: encoder and cross-attention both see padding.",
        MASK_HINTS,
    ),
    "padding_mask_inverted": (
        (
            {"source_mask": "inverted", "cross_mask": "inverted"},
            {"source_mask": "inverted"},
            {"cross_mask": "inverted"},
        ),
        "填充掩码读反了：True 表示真实的词元，可以看。",
        "The padding mask is read the wrong way round: True means a real token, which may be seen.",
        MASK_HINTS,
    ),
    "padding_guessed_from_the_ids": (
        (
            {"source_mask": "nonzero_ids", "cross_mask": "nonzero_ids"},
            {"source_mask": "nonzero_ids"},
            {"cross_mask": "nonzero_ids"},
        ),
        "源句的填充是从编号猜的（不是 0）；要用参数里的 padding_mask。",
        "The source's padding is guessed from its ids (not 0); padding_mask is what tells it.",
        MASK_HINTS,
    ),
    "padding_mask_on_the_wrong_axis": (
        (
            {"source_mask": "by_query", "cross_mask": "by_query"},
            {"source_mask": "by_query"},
        ),
        "padding_mask 放到了“谁在看”的轴上：填充词元自己什么也看不见，别人却都看得见它们。",
        "padding_mask lies along the axis of those who look: padding sees nothing itself, while "
        "everybody sees padding.",
        AXIS_HINTS,
    ),
    "encoder_is_causal": (
        {"source_mask": "causal_and_padding"},  # causal alone is the same: padding stands behind
        "编码器也用了因果掩码；源句是全都知道的，每个词元都可以看前后。",
        "The encoder has a causal mask too; all of the source is known, and every token may look "
        "both ways.",
        MASK_HINTS,
    ),
    "source_hidden_by_a_triangle": (
        ({"cross_mask": "causal"}, {"cross_mask": "causal_and_padding"}),
        "交叉注意力用了因果掩码：译文的第一个词元也应当看得见源句的最后一个。",
        "Cross-attention has a causal mask: the target's first token should see the source's last "
        "one too.",
        MASK_HINTS,
    ),
    "encoder_not_used": (
        ({"memory": "embedded"}, {"encoder": "none"}),
        "解码器看的是源句的嵌入，没有经过编码器的块。",
        "The decoder looks at the embedded source, which hasn't passed the encoder's blocks.",
        PATH_HINTS,
    ),
    "level_by_level": (
        {"memory": "same_level"},
        "解码器第 i 块看的是编码器第 i 块的输出；每一块都应当看编码器最后的输出。",
        "The decoder's block i looks at the output of the encoder's block i; every block should "
        "look at what the encoder gives in the end.",
        PATH_HINTS,
    ),
    "another_level_of_the_encoder": (
        {"memory": "sum_of_levels"},
        "解码器看的是编码器各块输出之和，不是最后一块的输出。",
        "The decoder looks at the sum of the encoder's blocks, not at what the last one gives.",
        PATH_HINTS,
    ),
    "source_read_again": (
        {"memory": "read_again"},
        "每过一块解码器，源句又进了一遍编码器；源句只读一遍。",
        "For every block of the decoder the source passes the encoder again; it is read once.",
        PATH_HINTS,
    ),
    "decoder_looks_at_itself": (
        (
            {"memory": "target"},
            {"memory": "target", "cross_mask": "causal"},
            {"memory": "target", "cross_mask": "none"},
            {"memory": "embedded_target"},
        ),
        "交叉注意力看的是译文，不是源句。",
        "Cross-attention looks at the target, not at the source.",
        PATH_HINTS,
    ),
    "embeddings_exchanged": (
        ({"tables": "exchanged"}, {"tables": "source_twice"}, {"tables": "target_twice"}),
        "嵌入拿错了：源句用 source_embeddings，译文用 target_embeddings。",
        "The embeddings are mixed up: source_embeddings is for the source and target_embeddings "
        "for the target.",
        PATH_HINTS,
    ),
    "sides_exchanged": (
        {"target": "sides_exchanged"},
        "两句话弄反了：进编码器的应当是 token_ids，进解码器的应当是 target_ids。",
        "The two sentences are swapped: token_ids belongs into the encoder, target_ids into the "
        "decoder.",
        PATH_HINTS,
    ),
    "target_not_read": (
        ({"target": "source"}, {"target": "first_only"}),
        "解码器没有读译文 target_ids（读的是源句，或只有它的第一个词元）。",
        "The decoder doesn't read target_ids (but the source, or their first token alone).",
        PATH_HINTS,
    ),
    "target_shifted_again": (
        {"target": "shifted_again"},
        "target_ids 又少了一个词元：它已经右移好了，一个位置一行 logits。",
        "target_ids loses one more token: they are shifted already, and each position gets its "
        "logits.",
        OUTPUT_HINTS,
    ),
    "blocks_not_chained": (
        ({"encoder": "last"}, {"decoder": "last"}, {"encoder": "last", "decoder": "last"}),
        "每一块拿到的都是最初的嵌入，只有最后一块算数；应当一块接一块。",
        "Every block is given the embeddings, so that only the last one counts; they should be "
        "chained.",
        STACK_HINTS,
    ),
    "blocks_left_out": (
        (
            *(
                {side: form}
                for form in ("first", "last_left_out", "first_left_out")
                for side in ("encoder", "decoder")
            ),
            {"encoder": "first", "decoder": "first"},
            {"decoder": "none"},
        ),
        "有的块没有用上，或者它的结果没有传到后面。",
        "Some blocks aren't used, or what they give gets nowhere.",
        STACK_HINTS,
    ),
    "one_block_again_and_again": (
        (
            {"encoder": "first_repeated", "decoder": "first_repeated"},
            {"encoder": "first_repeated"},
            {"decoder": "first_repeated"},
        ),
        "用来用去都是第一块；每一块有自己的参数。",
        "It is the first block again and again; every block has weights of its own.",
        STACK_HINTS,
    ),
    "blocks_in_another_order": (
        (
            {"encoder": "reversed"},
            {"decoder": "reversed"},
            {"encoder": "reversed", "decoder": "reversed"},
        ),
        "块的次序反了。",
        "The blocks are used in the opposite order.",
        STACK_HINTS,
    ),
    "blocks_used_twice": (
        ({"encoder": "twice"}, {"decoder": "twice"}),
        "整叠块用了两遍。",
        "The whole stack is used twice.",
        STACK_HINTS,
    ),
    "scaled_again": (
        ({"extra": "scaled"}, {"extra": "source_scaled"}, {"extra": "target_scaled"}),
        "又乘了一次 √D：给你的嵌入已经乘过了。",
        "Multiplied by √D once more: the embeddings that you are given have done that.",
        PATH_HINTS,
    ),
    "softmax_returned": (
        ({"output": "softmax"}, {"output": "log_softmax"}),
        "返回的是 softmax 之后的概率（或它的对数）；要 logits 本身。",
        "Probabilities come back, from after a softmax, or their logarithms; it should be the "
        "logits.",
        OUTPUT_HINTS,
    ),
    "not_scored": (
        {"output": "states"},
        "返回的是解码器的输出，没有经过 score。",
        "What comes back is the decoder's output, without being scored.",
        OUTPUT_HINTS,
    ),
    "last_position_only": (
        ({"output": "last_only"}, {"output": "last_kept"}),
        "只返回了最后一个位置；训练时每个位置都要打分。",
        "Only the last position comes back; in training every position is scored.",
        OUTPUT_HINTS,
    ),
    "something_else_scored": (
        ({"output": "source_scored"}, {"output": "added_to_the_embedded"}),
        "打分的不是解码器最后的输出。",
        "It isn't the decoder's output that is scored.",
        OUTPUT_HINTS,
    ),
    "another_form_returned": (
        ({"output": "ids"}, {"output": "with_source"}, {"output": "time_first"}),
        "返回的不是 (B, T, V) 的 logits。",
        "What comes back aren't logits of shape (B, T, V).",
        OUTPUT_HINTS,
    ),
}
