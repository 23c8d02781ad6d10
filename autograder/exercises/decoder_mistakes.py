"""Known mistakes in a decoder block, beyond those that every block can contain."""

from autograder.exercises.block_hints import (
    MASK_HINTS,
    RETURN_HINTS,
    SKIP_HINTS,
    STAGE_HINTS,
)
from autograder.exercises.block_mistakes import mask_not_passed

SOURCE_HINTS = (
    (
        "改动 source，输出变吗？交叉注意力的权重是 (B, N, T, S) 吗？",
        "Change the source: does the output move? Are the weights of cross-attention (B, N, T, S)?",
    ),
    (
        "交叉注意力里，提问的是译文，被看的是源句：键和值都来自它。",
        "In cross-attention the target asks and the source is looked at: both keys and values come "
        "from it.",
    ),
)


def in_orders(switch, *values):
    """Each value for both orders, then for one of them."""
    return tuple({switch: f"{value}{end}"} for end in ("", "/pre", "/post") for value in values)


DECODER = {
    "keys_from_the_decoder": dict(
        switch=in_orders(
            "cross_inputs", "stream", "keys_from_stream", "values_from_stream", "raw_stream",
            "keys_from_raw_stream", "values_from_raw_stream",
        ),
        zh="交叉注意力的键或值来自译文自己；两者都应当来自 source。",
        en="Keys or values of cross-attention come from the target itself; both should come from "
        "source.",
        hints=SOURCE_HINTS,
    ),
    "cross_attention_turned_round": dict(
        switch=in_orders("cross_inputs", "turned", "source_only", "query_from_source"),
        zh="交叉注意力的方向反了：提问的应当是译文，不是源句。",
        en="Cross-attention is turned round: the target should ask, not the source.",
        hints=SOURCE_HINTS,
    ),
    "self_attention_reads_the_source": dict(
        switch=in_orders("self_inputs", "source"),
        zh="自注意力看的是 source；它的键和值应当来自译文自己。",
        en="Self-attention looks at source; its keys and values should come from the target.",
        hints=SOURCE_HINTS,
    ),
    "source_normalised": dict(
        switch=in_orders("cross_inputs", "source_normed"),
        zh="source 在块里又被归一化了；它原样进入交叉注意力。",
        en="source is normalised inside the block; it enters cross-attention as it is.",
        hints=SOURCE_HINTS,
    ),
    "skip_from_the_source": dict(
        switch=in_orders("skip", "source/cross", "source/self", "source/ffn"),
        zh="旁路走的是源句：交叉注意力的输出应当加到译文上。",
        en="A bypass carries the source: what cross-attention gives is added to the target.",
        hints=SKIP_HINTS,
    ),
    "attentions_exchanged": dict(
        switch=in_orders("attentions", "exchanged"),
        zh="两个注意力层用反了：self_attention 与 cross_attention 对调了。",
        en="The two attention layers are exchanged: self_attention and cross_attention.",
        hints=STAGE_HINTS,
    ),
    "one_attention_for_both": dict(
        switch=in_orders("attentions", "self", "cross"),
        zh="两次用的是同一个注意力层；自注意力和交叉注意力各有各的。",
        en="One attention layer is used both times; self-attention and cross-attention each have "
        "their own.",
        hints=STAGE_HINTS,
    ),
    "masks_exchanged": dict(
        switch=in_orders("masking", "exchanged", "exchanged/cross", "exchanged/self"),
        zh="掩码给错了注意力：attention_mask 归自注意力，source_mask 归交叉注意力。",
        en="A mask goes to the wrong attention: attention_mask is for self-attention, source_mask "
        "for cross-attention.",
        hints=MASK_HINTS,
    ),
    **mask_not_passed(
        "attention_mask_not_passed",
        "missing/self",
        "attention_mask 没有交给自注意力",
        "attention_mask doesn't reach self-attention",
    ),
    **mask_not_passed(
        "source_mask_not_passed",
        "missing/cross",
        "source_mask 没有交给交叉注意力",
        "source_mask doesn't reach cross-attention",
    ),
    **mask_not_passed(
        "masks_not_passed",
        "missing",
        "两个掩码都没有交给注意力",
        "Neither mask reaches its attention",
    ),
    "cross_attention_missing": dict(
        switch=({"sequence": "no_cross"}, {"sequence": "no_cross", "returned": "self_only"}),
        zh="没有交叉注意力：译文从头到尾没有看过 source。",
        en="There is no cross-attention: the target never looks at source.",
        hints=STAGE_HINTS,
    ),
    "attentions_in_one_sum": dict(
        switch=({"sequence": "one_sum"}, {"sequence": "one_sum_last_norm"}),
        zh="两个注意力并在了一起：都从同一个 x 出发，加在同一个和里；应当一个接一个，各有各的残差"
        "连接和归一化。",
        en="Both attentions start from one x and are added in one sum; they come one after the "
        "other, each with its own residual connection and norm.",
        hints=STAGE_HINTS,
    ),
    "wrong_order_of_stages": dict(
        switch=tuple(
            {"sequence": order} for order in ("cross_first", "ffn_before_cross", "ffn_first")
        ),
        zh="次序不对：先是自注意力，再是交叉注意力，最后是前馈网络。",
        en="The order is wrong: self-attention, then cross-attention, then the feed-forward "
        "network.",
        hints=STAGE_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple(
            {"returned": form}
            for form in ("output_only", "weights_exchanged", "cross_only", "self_only",
                         "weights_first", "self_twice", "cross_twice", "nested")
        ),
        zh="返回的不是（输出，自注意力的权重，交叉注意力的权重）这三样。",
        en="What is returned isn't the triple (output, weights of self-attention, weights of "
        "cross-attention).",
        hints=RETURN_HINTS,
    ),
}  # fmt: skip
