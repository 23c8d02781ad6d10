"""Notebook ch03a, exercise 8: counting operations."""

from autograder.exercise import Exercise
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


@attention_flops.case(points=1, zh="自注意力：T = S", en="self-attention: T = S")
def same_length(student, rng):
    """The common case."""
    queries, _, hidden, num_heads = _sizes(rng)
    sizes = (queries, queries, hidden, num_heads)
    expect(student(*sizes)).equals(costs.attention_flops(*sizes))


@attention_flops.case(points=1, zh="查询与键的个数不同", en="other numbers of queries and keys")
def two_lengths(student, rng):
    """Projections of queries and of keys count different rows."""
    sizes = _sizes(rng)
    expect(student(*sizes)).equals(costs.attention_flops(*sizes))


@attention_flops.case(points=1, zh="头数不改变总量", en="the number of heads changes nothing")
def one_head(student, rng):
    """One head, then as many as the width allows."""
    queries, keys, hidden, _ = _sizes(rng)
    for num_heads in (1, hidden):
        sizes = (queries, keys, hidden, num_heads)
        expect(student(*sizes)).equals(costs.attention_flops(*sizes))


COUNT_HINTS = (
    (
        "(a, b) 乘 (b, c)：结果有几个数？每个数要几次乘法、几次加法？",
        "(a, b) times (b, c): how many numbers come out, and how many multiplications and "
        "additions does each take?",
    ),
    (
        "把每个矩阵乘法的三个大小列成表：四个投影、打分、加权求和。",
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
        {"heads": "per_head_projection"},
        "投影只数到一个头那么宽；投影的结果有 D 宽。",
        "The projections are counted as wide as one head; they are D wide.",
        HEADS_HINTS,
    ),
    "key_length_forgotten": (
        {"keys": "query_length"},
        "键的个数当成了查询的个数：S 没有用上。",
        "The number of keys is taken to be that of the queries: S isn't used.",
        COUNT_HINTS,
    ),
    "output_projection_not_counted": (
        {"projected": "no_output"},
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
        "四个投影只数了两个：每条序列各经过两个投影。",
        "Only two of the four projections are counted: each sequence goes through two.",
        COUNT_HINTS,
    ),
    "keys_projected_per_query": (
        ({"projected": "queries_only"}, {"projected": "keys_only"}),
        "四个投影都按同一个长度来数了；键和值有 S 个，查询和输出有 T 个。",
        "All four projections are counted over one length; there are S keys and values, and T "
        "queries and outputs.",
        COUNT_HINTS,
    ),
    "one_product_counted": (
        {"products": "scores_only"},
        "注意力有两个矩阵乘法：打分，以及加权求和。你只数了一个。",
        "Attention has two matrix products, the scores and the weighted sum; one is counted.",
        COUNT_HINTS,
    ),
    "extras_counted": (
        ({"extras": "softmax"}, {"extras": "scaling"}, {"extras": "biases"}),
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
        {"returned": "floats"},
        "返回了小数；次数是整数，整除用 //。",
        "Floats are returned; counts are whole numbers, and // divides without a fraction.",
        COUNT_HINTS,
    ),
}.items():
    attention_flops.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
