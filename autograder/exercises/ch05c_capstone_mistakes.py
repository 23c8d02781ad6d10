"""Mistakes in filling an encoder from a file: switches, sentences and hints."""

from autograder.exercises.ch05c_encoder_mistakes import ENCODER
from autograder.exercises.ch05c_names_mistakes import NAMES

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
