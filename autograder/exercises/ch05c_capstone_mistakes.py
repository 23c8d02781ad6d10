"""Mistakes in filling an encoder from a file: switches, sentences and hints."""

from autograder.exercises.ch05c_encoder_mistakes import ENCODER
from autograder.exercises.ch05c_names_mistakes import NAMES
from autograder.messages import Text

NUMBER_HINTS = (
    (
        "换一个 epsilon、换一种 GELU、换一个头数：哪一个能让第 1 个隐状态跟着变？"
        "约定里写的是什么？",
        "Try another epsilon, another GELU, another number of heads: which of them moves hidden "
        "state 1? And what does the contract say?",
    ),
    (
        "造层的时候，哪些参数用了默认值？默认值跟约定一样吗？",
        "Which arguments have their defaults where you make the layers, and are those the "
        "contract's?",
    ),
)
ORDER_HINTS = (
    (
        "十一块的时候，按次序打印每一块的名字。",
        "With eleven blocks, print their names in the order in which they run.",
    ),
    (
        "“encoder_block_10”和“encoder_block_2”，按文字排序谁在前面？",
        "encoder_block_10 and encoder_block_2: which comes first when sorted as text?",
    ),
)
HIGHEST_HINTS = (
    (
        "十一块的时候，你得到的最大编号是几？",
        "With eleven blocks, which highest number do you get?",
    ),
    (
        "“9”和“10”按文字比，谁大？编号要先变成整数，两位都要读。",
        "As text, is 9 or 10 larger? Numbers become int first, and both digits are read.",
    ),
)
FILLED_HINTS = (
    (
        "装完以后，打印每一层有几个变量，装了几个。",
        "When all is put in, print for each layer how many variables it has and how many got "
        "their tensor.",
    ),
    (
        "没有 build、也没有调用过的层还没有变量，循环就一个也碰不到；以后第一次调用才造，是随机的。"
        "装参数的循环里，是不是也漏了哪一层？",
        "A layer that was neither built nor called has no variables yet, and a loop finds none; "
        "they are made in its first call, at random. And does the loop that fills go over every "
        "layer?",
    ),
)
GAP_HINTS = (
    (
        "从字典里拿掉一个张量再调用：得到什么？",
        "Take one tensor out of the dict and call it: what do you get?",
    ),
    (
        "每个变量都要找到自己的那一个；找不到就停下，说出它的路径。",
        "Every variable has to find its own; where it can't, stop and say its path.",
    ),
)
NAMED_HINTS = (
    (
        "造好一层以后，打印它第一个变量的 path，跟 convert_name 给出的路径比。",
        "Make a layer and print the path of its first variable; compare with what convert_name "
        "gives.",
    ),
    (
        "路径的开头是层的名字。造每一层的时候，写了 name=… 吗？",
        "A path begins with the layer's name. Did every layer get its name=…?",
    ),
)
COUNT_HINTS = (
    (
        "文件里块的编号是 0 和 1 的话，一共几块？你的函数造了几块？",
        "Where the file has the numbers 0 and 1, how many blocks are there, and how many do you "
        "make?",
    ),
    (
        "编号从 0 数起，所以块数比最大的编号多 1。",
        "Numbers begin at 0, so there is one block more than the highest of them.",
    ),
)

OWN = {
    "another_epsilon": (
        tuple({"epsilon": form} for form in ("of_keras", "of_torch", "small")),
        "层归一化的 ε 不是 1e-12：小的向量会被压扁。",
        "The norms' ε isn't 1e-12, and small vectors come out too small.",
        NUMBER_HINTS,
    ),
    "another_activation": (
        ({"gelu": "tanh_form"}, {"gelu": "relu"}),
        "前馈网络里的激活不是精确的 GELU（用 erf）。",
        "The activation of the feed-forward networks isn't the exact GELU, with erf.",
        NUMBER_HINTS,
    ),
    "number_of_heads_not_used": (
        ({"heads": "one"}, {"heads": "two"}),
        "num_heads 没有用上：头数是写死的。",
        "num_heads isn't used: the number of heads is fixed.",
        NUMBER_HINTS,
    ),
    "norm_in_front": (
        {"order": "norm_first"},
        "层归一化在支路前面（前归一化）；BERT 是相加以后再归一化。",
        "Norms stand in front of the branches; BERT's come after the sum.",
        NUMBER_HINTS,
    ),
    "blocks_sorted_as_text": (
        {"stack": "as_text"},
        "块是按文字排序的：encoder_block_10 排到了 encoder_block_2 前面。",
        "Blocks are sorted as text: encoder_block_10 comes before encoder_block_2.",
        ORDER_HINTS,
    ),
    "highest_number_as_text": (
        {"highest": "as_text"},
        "有 10 号块，得到的最大编号却是 9：编号是按文字比的，或者只读了一位。",
        "There is a block number 10, and the highest number comes out as 9: numbers are compared "
        "as text, or only one digit of them is read.",
        HIGHEST_HINTS,
    ),
    "random_start_kept": (
        {"filled": "not_all"},
        "有的层没有装上参数，留着随机的初始值：同样的文件，调用两次，结果不同。",
        "Some layer isn't filled and keeps its random start: two calls with the same file give "
        "different results.",
        FILLED_HINTS,
    ),
    "gap_not_noticed": (
        {"gap": "unnoticed"},
        "少了张量也不报错：那个参数留着随机的初始值。",
        "A missing tensor isn't noticed: its weight keeps its random start.",
        GAP_HINTS,
    ),
    "gap_told_otherwise": (
        tuple(
            {"gap": form}
            for form in ("another_error", "unnamed", "returned", "another_error_from_sizes")
        ),
        "少了张量时，应当抛出 ValueError，并且说出是哪一个；从形状读大小之前，也要先看它在不在。",
        "A missing tensor should raise ValueError and say which it is, also where a size is read "
        "off its shape.",
        GAP_HINTS,
    ),
    "layers_without_their_names": (
        {"called": "unnamed"},
        "变量的路径对不上：有的层没有照约定起名，路径的开头就是 Keras 自己编的。",
        "Paths of variables don't fit: some layer doesn't have the name agreed on, and Keras made "
        "one up.",
        NAMED_HINTS,
    ),
}
# What shows here too when a piece of one's own is wrong; the rest only makes names unknown.
_OF_NAMES = (
    "gamma_and_beta_exchanged",
    "nothing_transposed",
    "query_key_value_mixed_up",
    "outputs_mixed_up",
    "norms_mixed_up",
)
CAPSTONE = {
    **OWN,
    **{name: NAMES[name] for name in _OF_NAMES},
    **ENCODER,
    "blocks_left_out": (*ENCODER["blocks_left_out"][:3], COUNT_HINTS),
}

# What is told of a case.
# A layer without a name gets one from Keras, with a number that counts all layers of its kind.
UNNAMED = Text(
    "检查点是全的，却找不到一个变量的张量：它的路径不是以 embeddings、encoder_block_0……或 pooler "
    "开头的。",
    "The checkpoint has everything, and yet a variable finds no tensor: its path doesn't begin "
    "with embeddings, encoder_block_0, … or pooler.",
)
RANDOM = Text(
    "同样的文件，调用两次，结果不同：有参数留着随机的初始值。",
    "Two calls with the same file give different results: some weight keeps its random start.",
)
GAPS = {
    "accepted": Text(
        "少了 {name}，却照样算出了结果：那个参数还是随机的初始值。",
        "{name} is missing, and a result comes out all the same: that weight has its random start.",
    ),
    "unnamed": Text(
        "少了 {name}：抛出的 ValueError 没有说少的是哪一个。",
        "{name} is missing: the ValueError doesn't say which tensor it is.",
    ),
    "returned": Text(
        "少了 {name}：错误是 return 回来的，应当用 raise 抛出。",
        "{name} is missing: an error comes back with return; it should be raised.",
    ),
    "other": Text(
        "少了 {name}：应当抛出 ValueError，抛出的是别的错误。",
        "{name} is missing: it should raise ValueError, and raises another error.",
    ),
}
