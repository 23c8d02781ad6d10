"""Notebook ch02, exercises 3 to 5: three ways to score every pair of query and key."""

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import (
    BARE_HINTS,
    GRADIENT_LOST,
    PAPER_HINTS,
    PRODUCTS,
    SCORES,
    add_score_properties,
)
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import alignment

NOTEBOOK = "ch02_attention"
LIBRARY = "bert_keras.layers.alignment"
ATTENTION_LAYERS = (
    "keras.ops.dot_product_attention",
    "keras.ops.nn.dot_product_attention",
    "keras.layers.Attention",
    "keras.layers.AdditiveAttention",
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
)
BEFORE = ("mask_to_additive", "masked_softmax", "dot_score", "general_score", "additive_score")


def earlier(exercise_id):
    """The references of the exercises before this one, for `needs`."""
    names = BEFORE[: BEFORE.index(exercise_id)]
    return {name: f"{LIBRARY}:{name}" for name in names}


# ------------------------------------------------------------------ dot_score

dot_score = Exercise(
    "dot_score",
    notebook=NOTEBOOK,
    points=2,
    library=f"{LIBRARY}:dot_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("dot_score"),
)


@dot_score.case(points=1, zh="每个查询与每个键相乘", en="every query times every key")
def every_pair(student, rng):
    """Every size differs, so that no axis can stand in for another."""
    query, key = normal(rng, 3, 4, 6), normal(rng, 3, 5, 6)
    expect(student(query, key)).equals(alignment.dot_score(query, key))


@dot_score.case(
    points=1, zh="键数与维数相等；只有一个查询", en="as many keys as components; a single query"
)
def where_shapes_forgive(student, rng):
    """With as many keys as components a forgotten transpose runs; one query keeps its axis."""
    query, key = normal(rng, 2, 3, 4), normal(rng, 2, 4, 4)
    expect(student(query, key)).equals(alignment.dot_score(query, key))
    query, key = normal(rng, 4, 1, 5), normal(rng, 4, 3, 5)
    expect(student(query, key)).equals(alignment.dot_score(query, key))


for _name, _data in PRODUCTS.items():
    dot_score.misconception(_name, **_data)
dot_score.misconception(
    "key_not_turned",
    switch={"turn": "none"},
    zh="键没有转过来：矩阵乘法让查询的分量碰上了键的个数，而不是键的分量。",
    en="The keys aren't turned: the product lets components of a query meet the number of keys, "
    "not their components.",
    hints=PAPER_HINTS,
)
add_score_properties(dot_score)

# ------------------------------------------------------------------ general_score

general_score = Exercise(
    "general_score",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:general_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("general_score"),
)


@general_score.case(
    points=2, zh="查询与键的维数不同，由矩阵接上", en="queries and keys of different sizes, joined"
)
def of_different_sizes(student, rng):
    """A decoder of 4 units looks at a bidirectional encoder of 2 × 3."""
    query, key, kernel = normal(rng, 3, 2, 4), normal(rng, 3, 5, 6), normal(rng, 4, 6)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))
    query, key, kernel = normal(rng, 2, 5, 7), normal(rng, 2, 4, 3), normal(rng, 7, 3)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))


@general_score.case(
    points=1, zh="维数相同：矩阵的方向也要对", en="equal sizes: the matrix must face the right way"
)
def of_one_size(student, rng):
    """Where the matrix is square it can be turned, or left out, without an error."""
    query, key, kernel = normal(rng, 2, 3, 4), normal(rng, 2, 4, 4), normal(rng, 4, 4)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))
    query, key, kernel = normal(rng, 3, 4, 5), normal(rng, 3, 6, 5), normal(rng, 5, 5)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))


for _name, _data in PRODUCTS.items():
    general_score.misconception(_name, **_data)
KERNEL_HINTS = (
    (
        "查询有 4 维、键有 6 维时，矩阵的形状是什么？谁从左边乘进来？",
        "With queries of 4 components and keys of 6, what shape has the matrix, and who comes to "
        "it from the left?",
    ),
    (
        "拿一个不对称的 2×2 矩阵，在纸上算一个分数。",
        "Take a 2 by 2 matrix that isn't symmetric and work out one score on paper.",
    ),
)
for _name, _data in {
    "kernel_turned": dict(
        switch={"kernel_use": "transposed"},
        zh="矩阵转置了：方阵时不报错，分数却不对。",
        en="The matrix is transposed: with a square one there is no error, but the scores are "
        "wrong.",
        hints=KERNEL_HINTS,
    ),
    "kernel_not_used": dict(
        switch={"kernel_use": "unused"},
        zh="没有用上矩阵：这只是点积。",
        en="The matrix isn't used: this is the plain dot product.",
        hints=KERNEL_HINTS,
    ),
    "key_not_turned": dict(
        switch={"turn": "none"},
        zh="键没有转过来：矩阵乘法让查询的分量碰上了键的个数。",
        en="The keys aren't turned: the product lets components meet the number of keys.",
        hints=PAPER_HINTS,
    ),
    "activation_added": dict(
        switch={"activation": "tanh"},
        zh="多了一个 tanh：这一种分数是双线性的，没有激活函数；tanh 属于下一题。",
        en="There is a tanh too many: this score is bilinear, without an activation; tanh belongs "
        "to the next exercise.",
        hints=BARE_HINTS,
    ),
}.items():
    general_score.misconception(_name, **_data)
add_score_properties(general_score)

# ------------------------------------------------------------------ additive_score

additive_score = Exercise(
    "additive_score",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}:additive_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("additive_score"),
)


def network(rng, query_dim, key_dim, hidden_dim):
    """The two kernels and the last vector."""
    shapes = ((query_dim, hidden_dim), (key_dim, hidden_dim), (hidden_dim,))
    return [normal(rng, *shape) for shape in shapes]


@additive_score.case(
    points=2,
    zh="查询、键、隐藏层的大小都不同",
    en="queries, keys and hidden layer all differ in size",
)
def of_different_sizes_too(student, rng):
    """No axis can stand in for another."""
    inputs = [normal(rng, 2, 3, 4), normal(rng, 2, 5, 6), *network(rng, 4, 6, 7)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))
    inputs = [normal(rng, 4, 5, 3), normal(rng, 4, 2, 8), *network(rng, 3, 8, 6)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))


@additive_score.case(
    points=1, zh="大小碰巧相同：每一对都要算到", en="equal sizes: still every pair"
)
def of_equal_sizes(student, rng):
    """As many queries as keys: without its own axis each query meets one key, and no error."""
    inputs = [normal(rng, 3, 4, 5), normal(rng, 3, 4, 5), *network(rng, 5, 5, 6)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))


@additive_score.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    inputs = [normal(rng, 2, 3, 4), normal(rng, 2, 4, 3), *network(rng, 4, 3, 5)]
    cotangent = normal(rng, 2, 3, 4)
    found = student.gradient(*inputs, wrt=(0, 1, 2, 4), cotangent=cotangent)
    expect(gradients(found, [inputs[i] for i in (0, 1, 2, 4)])).equals(
        alignment.additive_score_gradient(*inputs, cotangent), atol=1e-4, rtol=1e-3
    )


NETWORK_HINTS = (
    (
        "这是一个有一层隐藏单元的小网络。画出来：谁和谁相加，相加之后经过什么，最后怎样变成一个数？",
        "It is a small network with one hidden layer. Draw it: what is added to what, what does "
        "the sum go through, and how does it become one number?",
    ),
    (
        "全部取 1 维，在纸上算：q = 1，k = 2，两个矩阵都是 1，最后的权重是 3。",
        "Let every size be 1 and do it on paper: q = 1, k = 2, both kernels 1, the last weight 3.",
    ),
)
for _name in SCORES:
    additive_score.misconception(_name, **SCORES[_name])
for _name, _data in {
    "no_activation": dict(
        switch={"activation": "none"},
        zh="少了 tanh：没有它，查询那一项对所有的键都一样，softmax 之后就不起作用了。",
        en="The tanh is missing: without it a query adds the same to all keys, which the softmax "
        "drops.",
        hints=NETWORK_HINTS,
    ),
    "another_activation": dict(
        switch=({"activation": "relu"}, {"activation": "sigmoid"}),
        zh="激活函数不是 tanh。",
        en="The activation isn't tanh.",
        hints=NETWORK_HINTS,
    ),
    "activation_before_the_sum": dict(
        switch={"activation": "each_side"},
        zh="tanh 分别作用在了两边，然后才相加：那样查询和键就互不相干了。",
        en="The tanh acts on each side before they are added: then query and key have nothing to "
        "do with each other.",
        hints=NETWORK_HINTS,
    ),
    "activation_at_the_end": dict(
        switch={"activation": "after_sum"},
        zh="tanh 作用在了最后的分数上；它应当作用在隐藏单元上。",
        en="The tanh acts on the finished score; it belongs on the hidden units.",
        hints=NETWORK_HINTS,
    ),
    "last_weights_not_used": dict(
        switch={"counted": "unscaled"},
        zh="没有用上 scale：隐藏单元只是简单相加。",
        en="The argument scale isn't used: the hidden units are simply added up.",
        hints=NETWORK_HINTS,
    ),
    "hidden_units_not_summed": dict(
        switch={"counted": "nothing_summed"},
        zh="隐藏单元没有加起来：一个查询和一个键只该得到一个数。",
        en="The hidden units aren't added up: one query and one key should give one number.",
        hints=NETWORK_HINTS,
    ),
    "hidden_units_averaged": dict(
        switch={"counted": "averaged"},
        zh="对隐藏单元取了平均；应当求和。",
        en="The hidden units are averaged; they should be summed.",
        hints=NETWORK_HINTS,
    ),
    "sides_multiplied": dict(
        switch={"join": "product"},
        zh="两边相乘了；这一种分数叫“加性”，是把两边相加。",
        en="The two sides are multiplied; this score is called additive because they are added.",
        hints=NETWORK_HINTS,
    ),
    "sides_subtracted": dict(
        switch={"join": "difference"},
        zh="两边相减了；应当相加。",
        en="One side is taken from the other; they should be added.",
        hints=NETWORK_HINTS,
    ),
    "position_by_position": dict(
        switch={"join": "position_by_position"},
        zh="第 t 个查询只遇到了第 t 个键：相加之前，两边各缺一个轴，才能让每一对都相遇。",
        en="Query t meets key t only: before they are added each side needs an axis of its own, so "
        "that every pair meets.",
        hints=PAPER_HINTS,
    ),
    "kernels_exchanged": dict(
        switch={"kernels": "exchanged"},
        zh="两个矩阵用反了。",
        en="The two kernels are exchanged.",
        hints=NETWORK_HINTS,
    ),
    "one_kernel_for_both": dict(
        switch=({"kernels": "query_twice"}, {"kernels": "key_twice"}),
        zh="两边用了同一个矩阵；查询和键各有各的。",
        en="Both sides use one kernel; queries and keys have one each.",
        hints=NETWORK_HINTS,
    ),
    "gradient_lost": dict(switch={"gradient": "lost"}, **GRADIENT_LOST),
}.items():
    additive_score.misconception(_name, **_data)
add_score_properties(additive_score)
