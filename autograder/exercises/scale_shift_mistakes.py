"""Known mistakes in a first layer of one's own: name → switches, sentences and hints."""

WEIGHT_HINTS = (
    (
        "造一层，用一个张量调用一次，再打印 layer.weights。",
        "Make the layer, call it on some tensor, and print layer.weights.",
    ),
    (
        "逐个对照约定：几个参数，各叫什么，形状是什么，从什么数开始？",
        "Hold them against the contract: how many, which names, which shapes, which first values?",
    ),
)
SIZE_HINTS = (
    (
        "先用句长 5 的输入建好这一层，再用句长 3 的调用，会怎样？",
        "Build the layer on sentences of five words, then call it on three: what happens?",
    ),
    (
        "输入的形状里，哪一个数对所有句子都一样？",
        "Which number in the input's shape is the same for all sentences?",
    ),
)
CALL_HINTS = (
    (
        "取 scale = 2、shift = 1、x = 3，手算应得几，你的得几？",
        "Take scale = 2, shift = 1, x = 3: what should come out, and what does yours give?",
    ),
    ("先乘还是先加，结果不一样。", "Multiplying first or adding first makes a difference."),
)
LEARN_HINTS = (
    (
        "训练前后各打印一次 layer.trainable_weights。",
        "Print layer.trainable_weights before and after training.",
    ),
    (
        "优化器只动它认得的参数：你的参数登记了吗？",
        "An optimizer moves only what it knows of: are your weights registered as trainable?",
    ),
)
MASK_HINTS = (
    (
        "自己写的一层，默认不往下传掩码；Keras 只警告一次，很容易看漏。",
        "By default a layer of your own hands no mask on; Keras warns once, easily missed.",
    ),
    (
        "有一个属性告诉 Keras “这一层不妨碍掩码”。在 Keras 文档里查 masking。",
        "One attribute tells Keras that a layer leaves masks alone; look up masking in its guides.",
    ),
)
CONFIG_HINTS = (
    (
        "打印 layer.get_config()：造这一层时给的每一样都在里面吗？",
        "Print layer.get_config(): is everything in it that the layer was made with?",
    ),
    (
        "你的参数加上 Keras 自己的那一份，键的名字就是 __init__ 的参数名。",
        "Your own argument and Keras's own part, under the names of the arguments of __init__.",
    ),
)

MISTAKES = {
    "weights_without_names": (
        {"names": "unnamed"},
        "参数有两个，但没有按约定起名：登记的时候就要给它们名字 scale 和 shift。",
        "There are two weights, but not under the names agreed on: scale and shift, given when "
        "they are registered.",
        WEIGHT_HINTS,
    ),
    "not_weights_of_the_layer": (
        {"owned": "neither"},
        "这一层没有参数：scale 和 shift 只是普通的张量，Keras 不知道它们，不会训练也不会保存。",
        "The layer has no weights: scale and shift are mere tensors, so Keras neither trains nor "
        "saves them.",
        WEIGHT_HINTS,
    ),
    "one_weight_missing": (
        ({"owned": "scale"}, {"owned": "shift", "scaled": "none"}),
        "只有一个参数：scale 和 shift 各要一个。",
        "There is one weight only: it takes a scale and a shift.",
        WEIGHT_HINTS,
    ),
    "one_number_for_all_features": (
        ({"size": "one"}, {"size": "one_in_a_row"}),
        "所有特征共用一个数：每个特征要有自己的 scale 和 shift。",
        "All features share one number: each needs a scale and a shift of its own.",
        SIZE_HINTS,
    ),
    "tied_to_the_input_shape": (
        ({"size": "positions_too"}, {"size": "whole_input"}),
        "参数的形状里有句长或批次大小：换一批句子就用不了了。",
        "The weights' shape contains the length or the size of the batch: other sentences won't "
        "fit.",
        SIZE_HINTS,
    ),
    "initial_scale_ignored": (
        {"start": "one"},
        "scale 的初值总是 1：参数 initial_scale 没有用上。",
        "The scale starts at 1 always: the argument initial_scale isn't used.",
        WEIGHT_HINTS,
    ),
    "starts_wrongly": (
        (
            {"shift_start": "initial_scale"},
            {"shift_start": "ones"},
            {"start": "zero"},
        ),
        "初值不对：scale 从 initial_scale 开始，shift 从 0 开始。",
        "The first values are wrong: scale starts at initial_scale and shift at 0.",
        WEIGHT_HINTS,
    ),
    "shift_before_scale": (
        {"order": "shift_first"},
        "次序反了：先加后乘，shift 也被放大了；应当先乘后加。",
        "The order is turned: it adds and then multiplies, so the shift is scaled too. Multiply "
        "first.",
        CALL_HINTS,
    ),
    "scale_and_shift_swapped": (
        {"order": "names_swapped"},
        "scale 和 shift 用反了：拿 shift 去乘，拿 scale 去加。",
        "Scale and shift are swapped: the shift multiplies and the scale is added.",
        CALL_HINTS,
    ),
    "shift_subtracted": (
        {"shifted": "minus"},
        "shift 是减掉的，应当加上。",
        "The shift is subtracted; it should be added.",
        CALL_HINTS,
    ),
    "shift_not_used": (
        {"shifted": "none"},
        "shift 没有用上：输出里只有乘，没有加。",
        "The shift isn't used: the output is only multiplied, nothing is added.",
        CALL_HINTS,
    ),
    "scale_not_used": (
        {"scaled": "none"},
        "scale 没有用上：输出里只有加，没有乘。",
        "The scale isn't used: something is added, nothing is multiplied.",
        CALL_HINTS,
    ),
    "scale_used_wrongly": (
        ({"scaled": "one_plus"}, {"scaled": "plus"}, {"scaled": "over"}),
        "scale 的用法不对：输入应当乘以它，不多也不少。",
        "The scale is used in another way: the input should be multiplied by it, no more, no less.",
        CALL_HINTS,
    ),
    "does_not_learn": (
        ({"learns": "neither"}, {"learns": "scale"}, {"learns": "shift"}),
        "训练动不了它：至少有一个参数不可训练，或者断了梯度。",
        "Training doesn't move it: at least one weight isn't trainable or is cut off from its "
        "gradient.",
        LEARN_HINTS,
    ),
    "mask_is_lost": (
        {"passes": "lost"},
        "掩码到这一层就断了：后面的层不知道哪些是填充，会把它们也平均进去。",
        "The mask ends here: the layers behind don't know the pads and average them in.",
        MASK_HINTS,
    ),
    "mask_handed_on_inverted": (
        {"passes": "inverted"},
        "传下去的掩码反了：True 是真词。",
        "The mask that is handed on is inverted: True is a real word.",
        MASK_HINTS,
    ),
    "config_incomplete": (
        {"config": "incomplete"},
        "get_config 里没有 initial_scale：照它再造一层，用的就是默认值了。",
        "initial_scale isn't in the config: a layer made from it falls back to the default.",
        CONFIG_HINTS,
    ),
    "config_without_base": (
        {"config": "without_base"},
        "get_config 里只有你自己的参数，丢了 Keras 的那一份（名字、dtype……）。",
        "The config holds only your own argument and lacks Keras's part (name, dtype and so on).",
        CONFIG_HINTS,
    ),
    "config_useless": (
        {"config": "missing"},
        "照 get_config 造不出这一层：要返回一个字典，键就是 __init__ 的参数名。",
        "No layer can be made from this config: it should be a dict whose keys are the arguments "
        "of __init__.",
        CONFIG_HINTS,
    ),
    "options_not_passed_on": (
        {"options": "dropped"},
        "Keras 自己的选项没有交给父类：name、dtype 这些给了也不起作用。",
        "Keras's own options aren't handed to the base class: giving a name or dtype does nothing.",
        CONFIG_HINTS,
    ),
}
