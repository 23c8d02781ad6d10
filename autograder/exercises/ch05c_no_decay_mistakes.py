"""Mistakes in telling what weight decay leaves alone: switches, sentences and hints."""

PATH_HINTS = (
    (
        "把每个变量的 path 打印出来：不该衰减的那些，路径有什么共同之处？",
        "Print the path of every variable: what do the paths of those to be left alone share?",
    ),
    (
        "先从路径里取出最后一个 / 后面的那一段，再看它的结尾。",
        "First take what stands after the last / of the path, then look at how it ends.",
    ),
)
LIST_HINTS = (
    (
        "优化器的 exclude_from_weight_decay 要的是变量。你的列表里是什么？",
        "An optimizer's exclude_from_weight_decay wants variables. What is in your list?",
    ),
    (
        "打印 type(...)：返回的列表里，每一项跟 variables 里的是不是同一类东西？",
        "Print type(...): are the things in your list of the same kind as those in variables?",
    ),
)
EVERYTHING_HINTS = (
    (
        "给它一个 kernel：你的条件为什么成立？",
        "Give it a kernel: why is your condition true?",
    ),
    (
        '`a == "x" or "y"` 永远成立：or 后面单独一个不空的字符串，本身就算真。每个词都要单独比。',
        '`a == "x" or "y"` is always true: a string alone after or counts as true unless it is '
        "empty. Every word needs a comparison of its own.",
    ),
)
ORDER_HINTS = (
    (
        "variables 的次序是 beta、kernel、bias 的话，你返回的是什么次序？",
        "If variables are a beta, a kernel and a bias, in which order are yours?",
    ),
    (
        "从头到尾只走一遍 variables，走到一个就判断一个。",
        "Walk through variables once, from front to back, and decide about each as you come to it.",
    ),
)
LOOP_HINTS = (
    (
        "给它两个偏置：返回几个？",
        "Give it two biases: how many come back?",
    ),
    (
        "函数一碰到 return 就结束：它是不是缩进到循环里面去了？",
        "A function ends at its first return: is yours indented into the loop?",
    ),
)
ELSEWHERE_HINTS = (
    (
        "换一个模型的变量传进来，返回的跟着换吗？",
        "Hand in the variables of another model: does what comes back change?",
    ),
    (
        "函数里出现的每个名字，要么是参数，要么是函数里自己造的。有没有哪个是外面的模型？",
        "Every name in the function should be its argument, or made in it. Is one of them a model "
        "from outside?",
    ),
)

NO_DECAY = {
    "norms_decay": (
        {"rule": "biases_only"},
        "只挑出了偏置：层归一化的 gamma 和 beta 也不该衰减。",
        "Only biases are picked: gamma and beta of norms shouldn't decay either.",
        PATH_HINTS,
    ),
    "biases_decay": (
        {"rule": "norms_only"},
        "只挑出了归一化的参数：偏置也不该衰减。",
        "Only the weights of norms are picked: biases shouldn't decay either.",
        PATH_HINTS,
    ),
    "half_of_a_norm": (
        ({"rule": "without_gamma"}, {"rule": "without_beta"}),
        "归一化的两种参数（gamma 和 beta）只挑出了一种。",
        "Of the two weights of a norm, gamma and beta, only one is picked.",
        PATH_HINTS,
    ),
    "longer_names_missed": (
        {"rule": "whole_part"},
        "最后一段要跟那几个词完全相同才算；像 output_bias 这样只是以它结尾的，漏掉了。",
        "The last part has to be one of the words; what merely ends in one, such as output_bias, "
        "is missed.",
        PATH_HINTS,
    ),
    "words_within_the_last_part": (
        {"rule": "anywhere_in_the_last"},
        "最后一段里有这几个词就算；要以它们结尾才算，bias_table 照样衰减。",
        "The last part counts where it has one of the words in it; it has to end in one, and a "
        "bias_table decays.",
        PATH_HINTS,
    ),
    "names_of_layers_count": (
        tuple({"rule": rule} for rule in ("anywhere", "any_part", "any_part_ends")),
        "整条路径里哪里有这几个词都算；层的名字里也可能有，只看最后一段。",
        "The words count wherever they stand in the path; names of layers may have them too, and "
        "only the last part tells.",
        PATH_HINTS,
    ),
    "told_by_the_layer": (
        tuple({"rule": rule} for rule in ("of_norms", "of_layer_norms", "bias_or_norm")),
        "是不是归一化，是从层的名字里有没有 norm 看的；归一化层可以叫别的，别的层也可以有这个词。",
        "Norms are told by the word norm in the path; a norm may be called otherwise, and other "
        "layers may have the word.",
        PATH_HINTS,
    ),
    "told_by_the_shape": (
        tuple({"rule": rule} for rule in ("vectors", "up_to_vectors", "no_matrices")),
        "是从形状看的（有几个轴）；偏置可以有两个轴，只有一个轴的也不一定是偏置。",
        "It is told by the shape, the number of axes; biases may have two, and a vector needn't "
        "be a bias.",
        PATH_HINTS,
    ),
    "nothing_exempt": (
        {"rule": "nothing"},
        "一个也没有挑出来：多半是拿整条路径去比那几个词，永远不相等。",
        "Nothing is picked: most likely the whole path is compared with the words, and is never "
        "one of them.",
        PATH_HINTS,
    ),
    "everything_exempt": (
        {"rule": "everything"},
        "全都返回了：这样就没有什么会衰减。",
        "Everything comes back, and so nothing would decay.",
        EVERYTHING_HINTS,
    ),
    "the_other_half": (
        {"rule": "inverted"},
        "返回的是该衰减的那些；要的正好是其余的。",
        "What comes back is what should decay; the others are wanted.",
        PATH_HINTS,
    ),
    "all_but_kernels": (
        {"rule": "all_but_kernels"},
        "除了 kernel 全都挑出来了；嵌入表和别的参数照样要衰减。",
        "All but kernels are picked; tables and other weights do decay.",
        PATH_HINTS,
    ),
    "tables_exempt": (
        ({"rule": "tables_too"}, {"rule": "embeddings_too"}),
        "嵌入表也挑出来了；它们照样要衰减。",
        "Embedding tables are picked as well; they do decay.",
        PATH_HINTS,
    ),
    "no_variables_returned": (
        {"returned": "others"},
        "返回的列表里不是变量本身（而是名字、路径、真假值或编号）。",
        "The list that comes back holds no variables, but names, paths, truth values or numbers.",
        LIST_HINTS,
    ),
    "variables_from_elsewhere": (
        {"returned": "strangers"},
        "返回的变量不在传进来的 variables 里：函数里用的是不是外面的某个模型？",
        "The variables that come back aren't in the list that was handed in: does the function "
        "use a model from outside?",
        ELSEWHERE_HINTS,
    ),
    "returned_too_early": (
        ({"returned": "first_found"}, {"returned": "first_seen"}),
        "没有看完就返回了：最多只有一个变量。",
        "It returns before it has seen all: there is one variable at most.",
        LOOP_HINTS,
    ),
    "in_another_order": (
        ({"order": "by_word"}, {"order": "reversed"}, {"order": "by_path"}),
        "该返回的都返回了，次序却跟 variables 里的不一样。",
        "The right variables come back, but not in the order in which they stand in variables.",
        ORDER_HINTS,
    ),
}
