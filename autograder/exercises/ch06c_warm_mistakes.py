"""Mistakes in starting a decoder from an encoder: switches, sentences and hints."""

COPY_HINTS = (
    (
        "抄完以后，拿每个子层的第一个参数跟编码器的比一比：哪些一样，哪些不一样？",
        "After copying, compare the first weight of every sublayer with the encoder's: which agree "
        "and which don't?",
    ),
    (
        "一块里有六个子层：四个在编码器里有同名的，值全都抄；带 cross 的两个一个也别动。",
        "A block has six sublayers: four have a namesake in the encoder, and all of their values "
        "are copied; the two with cross in their name aren't touched.",
    ),
)
BLOCK_HINTS = (
    (
        "两个解码器块、四个编码器块：在纸上连线，每一块从哪一块抄？",
        "With two decoder blocks and four encoder blocks, draw the lines on paper: which takes "
        "from which?",
    ),
    (
        "第 l 块从第 l 块抄，都从下面数起；多出来的是上面的几块。",
        "Block l takes from block l, both counted from the bottom; those that are left over are on "
        "top.",
    ),
)
DIRECTION_HINTS = (
    (
        "跑完以后，编码器的参数变了吗？",
        "Have the encoder's weights changed afterwards?",
    ),
    (
        "写到哪一边去，从哪一边读？",
        "Which side is written to, and which is read?",
    ),
)
LIST_HINTS = (
    (
        "一个解码器块一共有多少个参数？两个列表加起来是不是这么多？有没有重复的？",
        "How many weights has one decoder block in all? Are both lists together that long, and is "
        "anything in them twice?",
    ),
    (
        "列表里是解码器参数的 path，整个字符串；抄了的进第一个，没动的进第二个。",
        "What the lists hold are paths of the decoder's weights, whole strings: what was copied in "
        "the first, what stayed in the second.",
    ),
)
LENGTH_HINTS = (
    (
        "三个解码器块、两个编码器块，会怎么样？zip 到短的那个就停，一声不响；"
        "用编号去取，抛出的又是 IndexError。",
        "What happens with three decoder blocks and two encoder blocks? zip stops at the shorter "
        "one and says nothing, and an index that is too large raises an IndexError.",
    ),
    (
        "先比长短，再动参数。",
        "Compare the lengths first, and only then move any weight.",
    ),
)


def _wherever_listed(*switches):
    """The same slip with the three ways of listing what was left out."""
    return tuple(
        {**switch, **how}
        for switch in switches
        for how in ({}, {"left": "fresh"}, {"left": "copied"})
    )


WARM = {
    "whole_blocks_copied": (
        {"way": "whole_blocks"},
        "整块抄不过去，两边参数的个数不同：解码器块多了交叉注意力。一个子层一个子层地抄。",
        "A whole block can't be copied: a decoder block has cross-attention on top. Go sublayer by "
        "sublayer.",
        COPY_HINTS,
    ),
    "layers_put_in_place": (
        {"way": "layers_put_in"},
        "把编码器的子层整个换了进来，那样两边会共用一份参数；要抄的是参数的值。",
        "The encoder's sublayer itself is put in, so that both sides would share its weights; what "
        "is to be copied are the values.",
        COPY_HINTS,
    ),
    "nothing_copied": (
        _wherever_listed({"copies": "none"}),
        "解码器的参数一个也没有变。",
        "No weight of the decoder has changed.",
        COPY_HINTS,
    ),
    "copied_backwards": (
        ({"copies": "backwards", "left": "copied"},),
        "抄反了：解码器的参数写到编码器里去了。",
        "It is copied the wrong way: the encoder got the decoder's weights.",
        DIRECTION_HINTS,
    ),
    "norms_left_out": (
        (
            {"norms": "left", "cross_listed": "norm_nowhere"},
            *_wherever_listed({"norms": "left"}, {"norms": "first_left"}, {"norms": "second_left"}),
        ),
        "有的归一化没有抄：gamma 和 beta 也是 BERT 学来的。",
        "Some norms aren't copied; BERT has learnt gamma and beta, too.",
        COPY_HINTS,
    ),
    "norms_exchanged": (
        ({"norms": "exchanged"}, {"norms": "first_for_both"}, {"norms": "second_for_both"}),
        "归一化抄错了地方：自注意力的和前馈网络的各抄各的。",
        "Norms are copied to the wrong place: self-attention's and the feed-forward network's are "
        "two.",
        COPY_HINTS,
    ),
    "attention_left_out": (
        _wherever_listed({"attention": "left"}),
        "自注意力没有抄。",
        "Self-attention isn't copied.",
        COPY_HINTS,
    ),
    "feed_forward_left_out": (
        _wherever_listed({"network": "left"}, {"network": "left", "norms": "second_left"}),
        "前馈网络没有抄。",
        "The feed-forward network isn't copied.",
        COPY_HINTS,
    ),
    "only_some_weights_of_a_layer": (
        _wherever_listed({"kinds": "kernels"}, {"kinds": "first_of_part"}),
        "子层的参数只抄了一部分：bias 和 beta 这些也要抄。",
        "Only some weights of a sublayer are copied; bias and beta are among them as well.",
        COPY_HINTS,
    ),
    "cross_attention_filled": (
        (
            {"cross": "attention_from_self"},
            {"cross": "attention_from_self", "cross_listed": "copied"},
            {"cross": "attention_from_self", "cross_listed": "norm_copied"},
            {"cross": "both_from_self"},
            {"cross": "both_from_self", "cross_listed": "copied"},
            {"cross": "other_numbers"},
        ),
        "交叉注意力被改了：BERT 没有它，它应当保持原样。",
        "Cross-attention was changed; BERT has none, and it should stay as it is.",
        COPY_HINTS,
    ),
    "cross_norm_filled": (
        tuple(
            {"cross": cross, "cross_listed": listed}
            for cross in ("norm_from_self", "norm_from_network")
            for listed in ("norm_copied", "fresh")
        ),
        "交叉注意力的归一化被改了：它跟交叉注意力一样，应当保持原样。",
        "The norm of cross-attention was changed; like cross-attention itself it should stay as it "
        "is.",
        COPY_HINTS,
    ),
    "last_blocks_taken": (
        ({"blocks": "last"}, {"blocks": "from_the_top"}),
        "用的是编码器最后的几块，应当是前几块。",
        "It is the encoder's last blocks that are used; it should be the first ones.",
        BLOCK_HINTS,
    ),
    "blocks_spread": (
        {"blocks": "spread"},
        "编码器的块是隔着取的，应当是前几块。",
        "The encoder's blocks are picked at a distance; it should be the first ones.",
        BLOCK_HINTS,
    ),
    "blocks_upside_down": (
        {"blocks": "upside_down"},
        "块的次序倒了：第 l 块应当从第 l 块抄。",
        "Blocks are upside down; block l should take from block l.",
        BLOCK_HINTS,
    ),
    "one_block_for_all": (
        ({"blocks": "first_for_all"}, {"blocks": "final_for_all"}),
        "所有的块都从同一块抄。",
        "All blocks take from one and the same.",
        BLOCK_HINTS,
    ),
    "one_block_only": (
        (
            {"blocks": "first_only", "reset": "first_block"},
            {"blocks": "first_only"},
            {"blocks": "final_only", "reset": "each_block"},
            {"blocks": "final_only"},
        ),
        "只有一块抄了：循环里早早就返回了？",
        "Only one block is copied: does the loop return early?",
        BLOCK_HINTS,
    ),
    "lists_of_one_block": (
        ({"reset": "each_block"}, {"reset": "first_block"}),
        "列表里只有一块的参数：每到新的一块，列表又从空的开始了。",
        "The lists have weights of one block only: with every block they begin anew.",
        LIST_HINTS,
    ),
    "lists_exchanged": (
        {"lists": "exchanged"},
        "两个列表对调了：先是抄过来的，后是保持原样的。",
        "The lists are exchanged: first what was copied, then what stayed.",
        LIST_HINTS,
    ),
    "one_list_missing": (
        (
            {"lists": "copied_only"},
            {"lists": "empty"},
            {"cross_listed": "nowhere"},
        ),
        "少了一个列表，或者它是空的。",
        "A list is missing or empty.",
        LIST_HINTS,
    ),
    "listed_twice": (
        ({"lists": "all_fresh"}, {"lists": "all_copied"}),
        "有的参数两个列表里都有：每个应当恰好出现一次。",
        "Some weights are in both lists; each should occur just once.",
        LIST_HINTS,
    ),
    "cross_attention_listed_as_copied": (
        ({"cross_listed": "copied"}, {"cross_listed": "norm_copied"}),
        "交叉注意力（或它的归一化）没有动，却列在抄过来的里面。",
        "Cross-attention or its norm hasn't moved, and is listed among what was copied.",
        LIST_HINTS,
    ),
    "cross_attention_half_listed": (
        ({"cross_listed": "norm_nowhere"}, {"cross_listed": "attention_nowhere"}),
        "保持原样的列表缺了东西：交叉注意力有参数，它的归一化也有。",
        "What stayed as it was is incomplete: cross-attention has weights, and so has its norm.",
        LIST_HINTS,
    ),
    "not_the_whole_path": (
        (
            {"named": "name"},
            {"named": "part"},
            {"named": "block_and_part"},
            {"named": "without_the_block"},
        ),
        "列表里不是参数的 path：名字会重复，整条路径才认得出是哪一个。",
        "What is listed aren't paths of weights: names recur, and only the whole path tells one "
        "from the other.",
        LIST_HINTS,
    ),
    "paths_of_the_encoder": (
        {"named": "encoder_path"},
        "列出的是编码器参数的 path，应当是解码器的。",
        "The paths are those of the encoder's weights; they should be the decoder's.",
        LIST_HINTS,
    ),
    "no_texts_listed": (
        {"lists": "no_texts"},
        "返回的不是两个字符串列表：每个参数的 path，直接放进列表里。",
        "What comes back isn't two lists of strings: each weight's path should be put right into "
        "one of them.",
        LIST_HINTS,
    ),
    "more_decoder_blocks_accepted": (
        ({"longer": "accepted"}, {"longer": "another_error"}),
        "解码器的块更多时，没有抛出 ValueError。",
        "Where the decoder has more blocks, no ValueError is raised.",
        LENGTH_HINTS,
    ),
    "refused_too_late": (
        {"longer": "too_late"},
        "ValueError 抛得太晚：这时有的参数已经抄过去了。",
        "The ValueError comes too late: by then some weights have been copied.",
        LENGTH_HINTS,
    ),
}
