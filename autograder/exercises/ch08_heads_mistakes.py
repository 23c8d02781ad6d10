"""Mistakes in cutting heads out: switches, sentences and hints."""

from autograder.messages import Text

CHANGED = Text(
    "传进来的 weights 被改动了。",
    "weights, which was handed in, is changed.",
)
NOT_REFUSED = Text(
    "有不存在的头（负数也算），应当抛出 ValueError。",
    "A head that there isn't, a negative one too, should raise a ValueError.",
)
OUTPUT_HINTS = (
    (
        "output_kernel 的形状是 (N·H, D)：头在哪个轴上？",
        "output_kernel has shape (N·H, D): on which axis are the heads?",
    ),
    (
        "一个头的结果从左边去乘 output_kernel：它碰到的是自己的那几行。",
        "What a head finds is multiplied with output_kernel from the left: it meets rows of its "
        "own.",
    ),
)
PROJECTION_HINTS = (
    (
        "query_kernel 的形状是 (任意, N·H)：去掉一个头，哪个数变小？偏置的呢？",
        "query_kernel has shape (any, N·H): which of them becomes smaller without a head? And of "
        "the bias?",
    ),
    (
        "Q、K、V 三份做同样的事：核切列，偏置也跟着切。",
        "Q, K and V are all treated alike: columns of the kernel go, and the bias's places with "
        "them.",
    ),
)
PLACE_HINTS = (
    (
        "N = 2、H = 3：N·H 的六个位置，头 0 占哪三个？",
        "N = 2 and H = 3: which three of the six places N·H belong to head 0?",
    ),
    (
        "H 个挨着的位置是一个头。H 从 output_kernel 的行数算，除以 N。",
        "A head has H neighbouring places. H follows from the rows of output_kernel, divided by N.",
    ),
)
BIAS_HINTS = (
    (
        "所有的头都剪掉，层还会输出什么？",
        "What does the layer still put out when all heads are gone?",
    ),
    (
        "output_bias 不属于哪个头：原样返回。",
        "output_bias belongs to no head: it comes back as it was.",
    ),
)
WHICH_HINTS = (
    (
        "四个头，heads = [1]：剩下的是 0、2、3。你剩下的是哪几个？",
        "Four heads, heads = [1]: those left are 0, 2 and 3. Which are left with you?",
    ),
    (
        "先定好哪几个位置留下，再一次切好；边剪边数，后面的号就变了。",
        "First settle which places stay, then cut once; who counts while cutting finds the numbers "
        "behind moved.",
    ),
)
VALUE_HINTS = (
    (
        "剪完以后，形状应当变小；留下的数应当一个不变。",
        "Shapes should be smaller afterwards, and the numbers that stay just as they were.",
    ),
    (
        "切出来就行：不填 0，不放大，不借别的核。",
        "Just cut: no zeros, no factors, no other part's numbers.",
    ),
)
ALL_HINTS = (
    (
        "heads 里是所有的头：形状里的 n 是几？",
        "heads holds all of them: what is n in the shapes?",
    ),
    (
        "0 列、0 行的数组，NumPy 也有；这里不用特殊对待。",
        "NumPy has arrays of 0 columns or rows; nothing special is needed here.",
    ),
)
REFUSAL_HINTS = (
    (
        "N = 4 时，拿 −1、0、3、4 各试一次：哪几个该抛出 ValueError？",
        "With N = 4, try −1, 0, 3 and 4: which of them should raise a ValueError?",
    ),
    (
        "Python 里 −1 是最后一个，这里不是：先查每个号在不在 0 到 N − 1 之间。",
        "To Python −1 is the last one, not here: first see whether each number is from 0 to N − 1.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行改了传进来的字典，或者往它的数组里写了东西？",
        "Which line changes the dict that was handed in, or writes into one of its arrays?",
    ),
    (
        "新建一个字典，往它里面放新的数组。",
        "Make a new dict and put new arrays into it.",
    ),
)
FORM_HINTS = (
    (
        "返回的字典有八个名字，跟 weights 的一样；你的有几个？",
        "The dict that comes back has the eight names of weights; how many has yours?",
    ),
    (
        "不随头变的那一个也要放进去。",
        "The one that doesn't change with the heads belongs there as well.",
    ),
)

HEADS = {
    "output_cut_along_columns": (
        {"output_axis": "columns"},
        "output_kernel 切了列；头在它的行上。",
        "output_kernel loses columns; heads are on its rows.",
        OUTPUT_HINTS,
    ),
    "output_not_cut": (
        {"output_axis": "none"},
        "output_kernel 没有切：剪掉的头，行也该去掉。",
        "output_kernel isn't cut: rows of the heads that go have to go, too.",
        OUTPUT_HINTS,
    ),
    "projections_cut_along_rows": (
        (
            {"projections": "rows"},
            {"projections": "query_by_rows"},
            {"projections": "key_by_rows"},
            {"projections": "value_by_rows"},
        ),
        "Q、K、V 的核切了行；头在列上。",
        "Kernels of Q, K or V lose rows; their heads are on the columns.",
        PROJECTION_HINTS,
    ),
    "a_projection_is_left_out": (
        (
            {"projections": "without_value"},
            {"projections": "without_key"},
            {"projections": "without_query"},
            {"projections": "none"},
        ),
        "Q、K、V 里有没切的。",
        "One of Q, K and V isn't cut.",
        PROJECTION_HINTS,
    ),
    "biases_not_cut": (
        {"biases": "kept"},
        "Q、K、V 的偏置没有跟着切。",
        "The biases of Q, K and V aren't cut.",
        PROJECTION_HINTS,
    ),
    "output_bias_changed": (
        (
            {"output_bias": "cut"},
            {"output_bias": "scaled"},
            {"output_bias": "zeros"},
            {"output_bias": "gone"},
        ),
        "output_bias 变了；它不属于哪个头，应当原样。",
        "output_bias is changed; it belongs to no head and should be as it was.",
        BIAS_HINTS,
    ),
    "heads_interleaved": (
        {"layout": "interleaved"},
        "头的位置弄错了：一个头占的是挨着的 H 个，不是每隔 N 个一个。",
        "The places are wrong: a head has H neighbouring ones, not every N-th.",
        PLACE_HINTS,
    ),
    "another_head_size": (
        (
            {"head_dim": "of_the_output"},
            {"head_dim": "of_the_input"},
            {"head_dim": "of_the_output_repeated"},
            {"head_dim": "of_the_input_repeated"},
        ),
        "H 算错了：N·H 不一定等于 D，也不一定等于输入的大小。",
        "H is wrong: N·H need not be D, nor the size of the input.",
        PLACE_HINTS,
    ),
    "listed_heads_stay": (
        {"which": "listed_stay"},
        "反了：heads 里的头应当剪掉，这里却只留下了它们。",
        "It is the other way round: heads lists those that go, and here only they stay.",
        WHICH_HINTS,
    ),
    "other_heads_go": (
        (
            {"which": "counted_from_one"},
            {"which": "first_ones"},
            {"which": "last_ones"},
            {"which": "from_the_end"},
            {"which": "first_listed_only"},
        ),
        "剪掉的不是 heads 里的那几个（从 0 数起）。",
        "It isn't the heads of the list that go (they are counted from 0).",
        WHICH_HINTS,
    ),
    "one_after_the_other": (
        ({"which": "one_after_the_other"}, {"which": "one_after_the_other_once"}),
        "一个个地剪：剪掉一个，后面的号就往前移了，接着剪的就不是原来的那一个。",
        "Heads are cut one after the other: behind one that is gone the numbers move, and the next "
        "cut hits another head.",
        WHICH_HINTS,
    ),
    "repeated_heads_count_again": (
        {"repeated": "counts_again"},
        "同一个头写了两遍，就被算成了两个。",
        "A head that is listed twice counts twice.",
        WHICH_HINTS,
    ),
    "zeros_instead_of_a_cut": (
        {"values": "zeros"},
        "剪掉的头只是填了 0，没有切出去：参数一个也没少。",
        "Heads are blanked with zeros and not cut out, so there are as many weights as before.",
        VALUE_HINTS,
    ),
    "other_values": (
        ({"values": "rescaled"}, {"values": "query_for_all"}),
        "留下的数变了：不放大，三份核也各是各的。",
        "The numbers that stay are changed; nothing makes up for what is gone, and each of the "
        "three has its own kernel.",
        VALUE_HINTS,
    ),
    "the_last_head_may_not_go": (
        (
            {"last": "refused"},
            {"last": "first_stays"},
            {"last": "last_stays"},
            {"last": "all_stay"},
        ),
        "所有的头都剪掉是可以的：剩下的是 0 列、0 行的数组和 output_bias。",
        "All heads may go: what is left are arrays of 0 columns or rows, and output_bias.",
        ALL_HINTS,
    ),
    "names_missing": (
        ({"returned": "without_output_bias"}, {"returned": "kernels_only"}),
        "返回的字典里少了名字。",
        "Names are missing from the dict that comes back.",
        FORM_HINTS,
    ),
    "heads_not_checked": (
        (
            {"refusal": "never"},
            {"refusal": "too_large_only"},
            {"refusal": "negative_only"},
            {"refusal": "one_too_late"},
        ),
        NOT_REFUSED.zh,
        NOT_REFUSED.en,
        REFUSAL_HINTS,
    ),
    "weights_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
