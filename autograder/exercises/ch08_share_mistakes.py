"""Mistakes in letting one block stand for many: switches, sentences and hints."""

PASS_HINTS = (
    (
        "拿一个“加 1”的块、num_layers = 3、输入 0：状态应当是 0、1、2、3。你的呢？",
        "Take a block that adds 1, num_layers = 3 and an input of 0: the states should be 0, 1, 2 "
        "and 3. What are yours?",
    ),
    (
        "每一遍的输入是上一遍的输出；输入本身也在列表里，排在最前。",
        "What goes into a pass is what came out of the one before; the input itself is in the "
        "list, too, in front.",
    ),
)
MASK_HINTS = (
    (
        "第二遍里，填充位置还看得见吗？",
        "Is padding visible in the second pass?",
    ),
    (
        "每一遍都把 attention_mask 按名字交给块。",
        "In every pass attention_mask is handed to the block by its name.",
    ),
)
RETURN_HINTS = (
    (
        "返回的是列表，一共 L + 1 个 (B, T, D)。",
        "What comes back is a list of L + 1 tensors of shape (B, T, D).",
    ),
    (
        "注意力的权重不要：块返回的一对里，只留第一样。",
        "Attention weights aren't wanted: of the pair that the block returns only the first stays.",
    ),
)
WEIGHT_HINTS = (
    (
        "num_layers 从 2 改到 20，参数的个数变不变？不该变。",
        "From num_layers = 2 to 20, does the number of weights change? It shouldn't.",
    ),
    (
        "只有 self.block 这一个块，别造新的：循环里反复调用它。",
        "There is self.block and no other; make no new ones, and call it again and again.",
    ),
)
BUILD_HINTS = (
    (
        "给它一个没建的块，再给它一个建好的：各发生了什么？",
        "Give it a block that isn't built, and then one that is: what happens?",
    ),
    (
        "层有一个属性，说它建好了没有；先看它，再建。",
        "A layer has an attribute that says whether it is built; look at it before you build.",
    ),
)

SHARING = {
    "another_number_of_passes": (
        ({"passes": "one_more"}, {"passes": "one_less"}, {"passes": "once"}),
        "块调用的次数不是 num_layers。",
        "The block isn't called num_layers times.",
        PASS_HINTS,
    ),
    "always_from_the_input": (
        {"chained": "from_the_input"},
        "每一遍都从输入重新开始；应当接着上一遍的输出。",
        "Every pass starts from the input again; it should go on from the one before.",
        PASS_HINTS,
    ),
    "input_not_in_front": (
        (
            {"first": "left_out"},
            {"first": "twice"},
            {"first": "twice_and_no_last"},
            {"first": "at_the_end"},
        ),
        "列表不对：输入应当在最前面，出现一次，最后一遍的输出在末尾。",
        "The list is wrong: the input should stand in front, once, and the last pass at the end.",
        PASS_HINTS,
    ),
    "mask_not_in_every_pass": (
        ({"masked": "never"}, {"masked": "first_only"}, {"masked": "last_only"}),
        "掩码没有（每一遍都）交给块。",
        "The mask doesn't reach the block (in every pass).",
        MASK_HINTS,
    ),
    "residual_added_again": (
        (
            {"around": "added_again"},
            {"around": "input_added"},
            {"around": "difference"},
        ),
        "块的外面又加（减）了东西：残差在块里面，外面什么也不加。",
        "Something is added (or subtracted) around the block; residuals are inside of it, and "
        "nothing is needed outside.",
        PASS_HINTS,
    ),
    "not_a_list_of_states": (
        (
            {"returned": "last"},
            {"returned": "stacked"},
            {"returned": "backwards"},
            {"returned": "last_in_a_list"},
        ),
        "返回的不是所有状态的列表，从输入到最后一遍。",
        "What comes back isn't the list of all states, from the input to the last pass.",
        RETURN_HINTS,
    ),
}
BUILDING = {
    "block_not_built": (
        {"building": "never"},
        "build 没有把块建起来。",
        "build doesn't build the block.",
        BUILD_HINTS,
    ),
    "block_built_again": (
        {"building": "always"},
        "块已经建好了，又建了一遍。",
        "The block was built before, and is built once more.",
        BUILD_HINTS,
    ),
    "a_block_for_every_layer": (
        ({"copies": "for_every_layer"}, {"copies": "and_the_block"}),
        "每一层各有一个块：参数是 num_layers 份，没有共享。",
        "Every layer has a block of its own: there are num_layers sets of weights and nothing is "
        "shared.",
        WEIGHT_HINTS,
    ),
}
