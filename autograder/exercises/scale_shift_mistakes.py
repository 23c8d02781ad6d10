"""Known mistakes in a first layer of one's own: name → switches, sentences and hints."""

from autograder.messages import Text

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
ONE_NUMBER_HINTS = (
    (
        "造一层，用 D = 4 的输入调用一次，打印每个参数的 shape。",
        "Make the layer, call it on an input with D = 4, and print the shape of every weight.",
    ),
    (
        "每个特征一个数，D 个特征就是几个数？D 从 input_shape 里读。",
        "One number for each feature: how many for D features? input_shape tells you D.",
    ),
)
AXES_HINTS = (
    (
        "拿形状 (5, 4) 的输入建一层，再拿 (2, 3, 2, 4) 的调用它。",
        "Build the layer on an input of shape (5, 4), then call it on one of shape (2, 3, 2, 4).",
    ),
    (
        "特征总在最后一根轴；从后面数，就不用管前面有几根。",
        "Features are always on the last axis; count from the end and it doesn't matter how many "
        "there are in front.",
    ),
)
OPTION_HINTS = (
    (
        "造一层时给它 name，再打印 layer.name：是你给的那个吗？",
        "Give the layer a name when you make it and print layer.name: is it yours?",
    ),
    (
        "__init__ 收下的 kwargs 到哪里去了？父类要拿到它们才行。",
        "Where do the kwargs go that __init__ takes? The base class has to get them.",
    ),
)
WEIGHT_DTYPE_HINTS = (
    (
        "造一层，给它 dtype=“float16”，调用一次，再打印每个参数的 dtype。",
        "Make the layer with dtype “float16”, call it once, and print the dtype of every weight.",
    ),
    (
        "参数的类型不用你写：交给 add_weight，它按这一层的 dtype 来建。",
        "You needn't say what dtype a weight has: add_weight goes by the dtype of the layer.",
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
        "自己写的一层，默认不往下传掩码；约定里说了用哪个属性放行。它写对了吗，一个字母也不差？",
        "By default a layer of your own hands no mask on; the contract names the attribute that "
        "lets it pass. Is yours spelt just like that?",
    ),
    (
        "它写在 __init__ 里，而且要在 super().__init__ 那一行之后：写在前面，会被父类改回去。",
        "It belongs in __init__, after the line with super().__init__: set before, the base class "
        "sets it back.",
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
    "names_exchanged": (
        {"names": "exchanged"},
        "两个名字给反了：用来乘的那个参数登记的名字是 shift，用来加的是 scale。",
        "The names are exchanged: the weight that multiplies is registered as shift, and the one "
        "that is added as scale.",
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
        ONE_NUMBER_HINTS,
    ),
    "tied_to_the_input_shape": (
        ({"size": "positions_too"}, {"size": "whole_input"}),
        "参数的形状里有句长或批次大小：换一批句子就用不了了。",
        "The weights' shape contains the length or the size of the batch: other sentences won't "
        "fit.",
        SIZE_HINTS,
    ),
    "three_axes_assumed": (
        ({"axes": "three"}, {"axes": "three_in_build"}),
        "只有输入正好三根轴时才能用：约定是前面有几根轴都行。",
        "It only works for inputs of three axes: there may be any number in front, says the "
        "contract.",
        AXES_HINTS,
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
    "initial_scale_in_the_call": (
        {"scaled": "initial"},
        "call 里乘的是 initial_scale 这个数，不是参数 scale：初值看不出来，可是训练动不了它。",
        "The call multiplies by the number initial_scale and not by the weight scale: at first "
        "nobody can tell, but training doesn't move it.",
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
        "get_config 里没有这一层自己的 initial_scale（漏了，或者写成了一个固定的数）："
        "照它再造一层，用的就是默认值了。",
        "The config doesn't hold the layer's own initial_scale (it is missing, or it is some fixed "
        "number): a layer made from it falls back to the default.",
        CONFIG_HINTS,
    ),
    "config_of_the_weights": (
        {"config": "learnt"},
        "get_config 里的 initial_scale 是参数 scale 现在的值，不是造这一层时给的那个数："
        "训练以后就变了，张量也存不进文件。",
        "What the config calls initial_scale is the present value of the weight scale, not the "
        "number that the layer was made with: training changes it, and a tensor can't be saved in "
        "a config.",
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
        OPTION_HINTS,
    ),
    "weights_of_a_fixed_dtype": (
        {"weight_dtype": "fixed"},
        "参数的类型写死成了 float32：给这一层别的 dtype，参数不跟着变。",
        "The weights are float32 whatever happens: give the layer another dtype, and they don't "
        "follow.",
        WEIGHT_DTYPE_HINTS,
    ),
}


def wrong_dtype(asked):
    """What to say where a layer of that dtype computes in another."""
    return Text(
        f"造这一层时给了 dtype=“{asked}”，输出却不是 float16。",
        f"The layer was made with dtype “{asked}”, but its output isn't float16.",
    )
