"""Notebook ch03a, exercise 8: counting operations."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.oracles import costs

NOTEBOOK = "ch03a_self_attention"

attention_flops = Exercise(
    "attention_flops",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.attention:attention_flops",
    tensors=False,
)


def _sizes(rng):
    """Four sizes that differ, the last a divisor of the third."""
    heads_, head_dim = int(rng.integers(3, 6)), int(rng.integers(6, 10))
    queries = int(rng.integers(11, 20))
    return queries, queries + int(rng.integers(1, 9)), heads_ * head_dim, heads_


def _pair(actual):
    """The result, whose two counts may also come as one array of integers."""

    def unpacked(found):
        array = isinstance(found, np.ndarray) and found.shape == (2,)
        return tuple(found) if array else found

    return derived(actual, unpacked)


@attention_flops.case(points=1, zh="自注意力：T = S", en="self-attention: T = S")
def same_length(student, rng):
    """The common case."""
    queries, _, hidden, num_heads = _sizes(rng)
    sizes = (queries, queries, hidden, num_heads)
    expect(_pair(student(*sizes))).equals(costs.attention_flops(*sizes))


@attention_flops.case(points=1, zh="查询与键的个数不同", en="other numbers of queries and keys")
def two_lengths(student, rng):
    """Projections of queries and of keys count different rows."""
    sizes = _sizes(rng)
    expect(_pair(student(*sizes))).equals(costs.attention_flops(*sizes))


@attention_flops.case(points=1, zh="换几种头数", en="other numbers of heads")
def one_head(student, rng):
    """One head, then as many as the width allows."""
    queries, keys, hidden, _ = _sizes(rng)
    for num_heads in (1, hidden):
        sizes = (queries, keys, hidden, num_heads)
        expect(_pair(student(*sizes))).equals(costs.attention_flops(*sizes))


COUNT_HINTS = (
    (
        "(a, b) 乘 (b, c)：结果有几个数？每个数要几次乘法、几次加法？",
        "(a, b) times (b, c): how many numbers come out, and how many multiplications and "
        "additions does each take?",
    ),
    (
        "把每个矩阵乘法的三个大小列成表：四个投影、分数、加权求和。",
        "List the three sizes of every matrix product: four projections, scores, weighted sum.",
    ),
)
HEADS_HINTS = (
    (
        "一个头有多宽？N 个头合起来有多宽？",
        "How wide is one head? How wide are N heads together?",
    ),
    (
        "用 N = 1 和 N = 2 各算一遍：头多了，每个头却窄了。",
        "Work it out for N = 1 and N = 2: more heads, but narrower ones.",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "mac_counted_once": (
        {"mac": "one"},
        "一次乘加算成了 1 次运算；这里约定乘法和加法各算 1 次。",
        "A multiply-add is counted as one; here multiplication and addition count one each.",
        COUNT_HINTS,
    ),
    "attention_times_heads": (
        {"heads": "times_attention"},
        "注意力部分多乘了头数：每个头只有 D/N 宽，N 个头合起来才是 D。",
        "The attention part is multiplied by the heads once too often: a head is D/N wide, and N "
        "of them make D.",
        HEADS_HINTS,
    ),
    "projections_times_heads": (
        {"heads": "times_projection"},
        "投影部分多乘了头数：一个 D × D 的矩阵已经包含所有的头。",
        "The projections are multiplied by the heads: one D × D matrix holds all heads already.",
        HEADS_HINTS,
    ),
    "everything_times_heads": (
        {"heads": "times_both"},
        "两个数都多乘了头数。",
        "Both numbers are multiplied by the heads once too often.",
        HEADS_HINTS,
    ),
    "one_head_counted": (
        {"heads": "one_head"},
        "注意力部分只数了一个头。",
        "Only one head is counted in the attention part.",
        HEADS_HINTS,
    ),
    "one_head_projected": (
        ({"heads": "per_head_projection"}, {"heads": "per_head_square"}),
        "投影的宽度里用了 D/N；投影是 D × D 的矩阵，包含所有的头。",
        "The projections are counted with the width of a head; they are D × D and hold all heads.",
        HEADS_HINTS,
    ),
    "key_length_forgotten": (
        {"keys": "query_length"},
        "键的个数当成了查询的个数：S 没有用上。",
        "The number of keys is taken to be that of the queries: S isn't used.",
        COUNT_HINTS,
    ),
    "output_projection_not_counted": (
        ({"projected": "no_output"}, {"projected": "three_of_queries"}),
        "少数了输出投影。",
        "The output projection isn't counted.",
        COUNT_HINTS,
    ),
    "output_projected_per_key": (
        {"projected": "output_over_keys"},
        "输出投影数成了每个键一次；输出是每个查询一个。",
        "The output projection is counted once per key; there is one output per query.",
        COUNT_HINTS,
    ),
    "projections_undercounted": (
        {"projected": "one_of_each"},
        "投影只数到一半：四个投影漏了两个，或者一次乘加只算了 1 次。",
        "Just half of the projections is counted: two of the four are missing, or a multiply-add "
        "counts once.",
        COUNT_HINTS,
    ),
    "keys_projected_per_query": (
        ({"projected": "queries_only"}, {"projected": "keys_only"}),
        "四个投影都按同一个长度来数了；键和值有 S 个，查询和输出有 T 个。",
        "All four projections are counted over one length; there are S keys and values, and T "
        "queries and outputs.",
        COUNT_HINTS,
    ),
    "one_length_squared": (
        ({"keys": "queries_squared"}, {"keys": "keys_squared"}),
        "注意力部分数成了一个长度的平方；查询有 T 个，键有 S 个。",
        "The attention part counts one length squared; there are T queries and S keys.",
        COUNT_HINTS,
    ),
    "key_or_value_not_counted": (
        {"projected": "key_and_value_once"},
        "键和值的投影只数了一个。",
        "Of the projections of keys and of values only one is counted.",
        COUNT_HINTS,
    ),
    "last_addition_saved": (
        ({"mac": "exact"}, {"mac": "exact_whole"}),
        "按 n 次乘法、n − 1 次加法来数了；这里约定一次乘加就是 2 次运算。",
        "Counted as n multiplications and n − 1 additions; here a multiply-add is simply two.",
        COUNT_HINTS,
    ),
    "one_product_counted": (
        {"products": "scores_only"},
        "注意力只数到一半：分数与加权求和漏了一个，或者一次乘加只算了 1 次。",
        "Just half of the attention is counted: scores or weighted sum are missing, or a "
        "multiply-add counts once.",
        COUNT_HINTS,
    ),
    "extras_counted": (
        (
            {"extras": "biases"},
            *(
                {"extras": f"{count}_per_{where}"}
                for count in range(1, 7)
                for where in ("head", "pair")
            ),
        ),
        "把偏置、缩放或 softmax 也数了进去；约定只数矩阵乘法。",
        "Biases, scaling or softmax are counted too; only the matrix products should be.",
        COUNT_HINTS,
    ),
    "flops_swapped": (
        {"order": "attention_first"},
        "两个数的次序反了：先投影，后注意力。",
        "The two numbers are in the wrong order: projections first, attention second.",
        COUNT_HINTS,
    ),
    "flops_added_up": (
        {"returned": "total"},
        "返回的是总和；约定两部分分开返回。",
        "The sum is returned; the two parts should be returned apart.",
        COUNT_HINTS,
    ),
    "flops_are_floats": (
        ({"returned": "floats"}, {"returned": "first_is_float"}, {"returned": "second_is_float"}),
        "返回了小数；次数是整数，整除用 //。",
        "Floats are returned; counts are whole numbers, and // divides without a fraction.",
        COUNT_HINTS,
    ),
}.items():
    attention_flops.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@attention_flops.property(
    "two_counts_returned",
    zh="应当返回两个整数：投影、注意力。",
    en="It should return two whole numbers: projections, attention.",
)
def no_two_counts(seen):
    return not (isinstance(seen.actual, tuple) and len(seen.actual) == 2)


@attention_flops.property(
    "projections_are_counted_right", zh="投影的次数不对。", en="The projections are miscounted."
)
def projections_are_wrong(seen):
    return int(seen.actual[0]) != seen.expected[0]


@attention_flops.property(
    "attention_is_counted_right", zh="注意力的次数不对。", en="The attention is miscounted."
)
def attention_is_wrong(seen):
    return int(seen.actual[1]) != seen.expected[1]
