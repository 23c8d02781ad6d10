"""Notebook ch03a, exercise 1: scaled dot-product attention."""

from autograder.exercise import Exercise
from autograder.exercises.attention_mistakes import MASK_HINTS, SCALE_HINTS, SHARED, with_fills
from autograder.exercises.attention_properties import add_output_property, add_properties
from autograder.exercises.common import NOT_FINITE, derived, gradients, normal, some_open
from autograder.expectations import expect
from autograder.fixtures import BUILDERS, fixture
from autograder.oracles import attention

NOTEBOOK = "ch03a_self_attention"
ATTENTION_LAYERS = (
    "keras.ops.dot_product_attention",
    "keras.ops.nn.dot_product_attention",
    "keras.layers.Attention",
    "keras.layers.AdditiveAttention",
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
)

scaled_dot_product = Exercise(
    "scaled_dot_product",
    notebook=NOTEBOOK,
    points=6,
    library="bert_keras.layers.attention:scaled_dot_product",
    forbids=ATTENTION_LAYERS,
)


@scaled_dot_product.case(
    points=1, zh="没有掩码：分数、softmax、加权求和", en="no mask: scores, softmax, weighted sum"
)
def without_a_mask(student, rng):
    """Every size differs, so that no axis can stand in for another."""
    query, key, value = normal(rng, 3, 5, 7), normal(rng, 3, 8, 7), normal(rng, 3, 8, 6)
    answer = attention.scaled_dot_product(query, key, value)
    expect(student(query, key, value)).equals(answer)
    x = normal(rng, 4, 6, 5)  # and the commonest call of all: one tensor three times
    expect(student(x, x, x)).equals(attention.scaled_dot_product(x, x, x))


@scaled_dot_product.case(
    points=2,
    zh="掩码：关闭的键权重为 0，其余权重之和仍为 1",
    en="masks: closed keys get no weight, the open ones still sum to one",
)
def with_a_mask(student, rng):
    """First with a head axis and one mask for all heads, then one mask for the whole batch."""
    query, key, value = normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 7, 4), normal(rng, 2, 3, 7, 6)
    mask = some_open(rng, 2, 1, 5, 7)
    mask[0, :, 3] = True  # a query that may look at everything,
    mask[1, :, :, 4] = False  # and a key that nobody may look at, as padding is
    mask[1, :, :, 2] |= ~mask[1].any(axis=-1)
    answer = attention.scaled_dot_product(query, key, value, mask)
    expect(student(query, key, value, mask)).equals(answer)
    query, key, value = normal(rng, 3, 4, 5), normal(rng, 3, 6, 5), normal(rng, 3, 6, 2)
    mask = some_open(rng, 4, 6)
    answer = attention.scaled_dot_product(query, key, value, mask)
    expect(student(query, key, value, mask=mask)).equals(answer)


@scaled_dot_product.case(
    points=1,
    zh="某个查询的键全部关闭：结果必须是有限的数",
    en="a query without any open key: the result must be finite",
)
def without_an_open_key(student, rng):
    """Which finite numbers is free; the other queries have right answers as ever."""
    query, key, value = normal(rng, 2, 6, 5), normal(rng, 2, 6, 5), normal(rng, 2, 6, 3)
    mask = some_open(rng, 2, 6, 6)
    mask[0, 2] = mask[1, 4] = False
    actual = student(query, key, value, mask)
    expect(derived(actual, attention.finite_rows)).equals(
        attention.finite_queries(query, key, value, mask), otherwise=NOT_FINITE
    )
    expect(derived(actual, lambda pair: attention.blank_closed(pair, mask))).equals(
        attention.open_queries(query, key, value, mask)
    )


@scaled_dot_product.case(
    points=1,
    zh="dropout 作用在参与加权的权重上；返回的是 dropout 之前的权重",
    en="dropout acts on the weights that mix; those returned are from before it",
)
def with_dropout(student, rng):
    """A deterministic stand-in for dropout, so that the result can be predicted."""
    query, key, value = normal(rng, 3, 5, 4), normal(rng, 3, 8, 4), normal(rng, 3, 8, 6)
    answer = attention.scaled_dot_product(query, key, value, None, BUILDERS["thin_out"]())
    expect(student(query, key, value, dropout=fixture("thin_out"))).equals(answer)


@scaled_dot_product.case(
    points=1,
    zh="梯度能传回 query、key 和 value",
    en="gradients reach query, key and value",
)
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    query, key, value = normal(rng, 2, 3, 4), normal(rng, 2, 5, 4), normal(rng, 2, 5, 2)
    mask, cotangent = some_open(rng, 2, 3, 5), normal(rng, 2, 3, 2)
    found = student.gradient(query, key, value, mask, wrt=(0, 1, 2), output=0, cotangent=cotangent)
    expect(gradients(found, (query, key, value))).equals(
        attention.scaled_dot_product_gradient(query, key, value, mask, cotangent),
        atol=1e-4,
        rtol=1e-3,
    )


OWN = {
    "scaled_the_wrong_way": dict(
        switch=({"scale": "multiplied"}, {"scale": "multiplied_by_head_dim"}),
        zh="缩放的方向反了：分数应当除以 √d_k，你却让它乘大了。",
        en="The scaling goes the wrong way: scores should be divided by √d_k, yours are multiplied "
        "and grow.",
        hints=SCALE_HINTS,
    ),
    "scaled_by_sequence_length": dict(
        switch=(
            {"scale": "root_key_length"},
            {"scale": "root_query_length"},
            {"scale": "root_num_heads"},
            {"scale": "key_length"},
            {"scale": "query_length"},
            {"scale": "root_batch"},
        ),
        zh="缩放用错了轴：用了序列长度（或别的轴），而一次点积的项数是向量的维数。",
        en="The scaling reads the wrong axis: a length (or another axis) in place of the size of "
        "the vectors, which is how many terms a dot product has.",
        hints=SCALE_HINTS,
    ),
    "scaled_by_value_dim": dict(
        switch={"scale": "root_value_dim"},
        zh="缩放用了 value 的维数；点积是 query 与 key 之间的。",
        en="Scaled by the size of the values; the dot products are between queries and keys.",
        hints=SCALE_HINTS,
    ),
    "scaled_with_fourth_root": dict(
        switch={"scale": "fourth_root"},
        zh="缩放不够：只除了 d_k 的四次方根（若分摊给 query 和 key，两边都要除）。",
        en="Scaled too little: only by the fourth root of d_k (if query and key share the "
        "scaling, both need it).",
        hints=SCALE_HINTS,
    ),
    "softmax_missing": dict(
        switch=with_fills({"softmax_axis": "none"}),
        zh="没有做 softmax：拿分数直接去加权了。",
        en="There is no softmax: the raw scores are used as weights.",
        hints=(
            ("权重会是负数吗？它们的和是多少？", "Can a weight be negative? What do they sum to?"),
            ("分数与加权求和之间还差一步。", "One step is missing between scores and sum."),
        ),
    ),
    "softmax_incomplete": dict(
        switch=(*with_fills({"softmax_axis": "no_exponential"}), {"softmax_axis": "no_division"}),
        zh="softmax 只做了一半：先取指数，再除以一行之和，两步缺一不可。",
        en="Only half of the softmax is there: take exponentials, then divide by the sum of the "
        "row; it needs both.",
        hints=(
            ("权重会是负数吗？每行的和是多少？", "Can a weight be negative? What do rows sum to?"),
            (
                "把 softmax 的公式写下来，逐步对照。",
                "Write the softmax down and compare step by step.",
            ),
        ),
    ),
    "softmax_twice": dict(
        switch={"softmax_axis": "twice"},
        zh="softmax 做了两次：权重几乎变成平均，关闭的键也重新分到了权重。",
        en="The softmax is taken twice: weights become nearly even, and closed keys get weight "
        "again.",
        hints=(
            ("什么东西进了 softmax？应当是什么？", "What goes into the softmax, and what should?"),
            ("数一数，softmax 出现了几次。", "Count how often a softmax is applied."),
        ),
    ),
    "logarithm_of_softmax": dict(
        switch=with_fills({"softmax_axis": "logarithm"}),
        zh="得到的是 softmax 的对数：权重全是负数。",
        en="It is the logarithm of the softmax: all weights are negative.",
        hints=(
            ("权重会是负数吗？", "Can a weight be negative?"),
            ("对数形式是给损失函数用的。", "The logarithmic form is meant for losses."),
        ),
    ),
    "largest_score_takes_all": dict(
        switch={"softmax_axis": "largest_only"},
        zh="只有分数最高的键得到权重；softmax 让每个键按分数各得一份。",
        en="Only the best key gets any weight; a softmax gives every key a share.",
        hints=(
            ("一行权重里有几个不是 0？", "How many weights of a row aren't zero?"),
            ("取最大的那个，还能求导吗？", "Can picking the largest be differentiated?"),
        ),
    ),
    "negative_scores": dict(
        switch={"similarity": "negative"},
        zh="分数的正负号反了：越相似的键，权重反而越小。",
        en="The scores have the wrong sign: the better a key fits, the less weight it gets.",
        hints=SCALE_HINTS,
    ),
    "vectors_normalised": dict(
        switch=({"similarity": "cosine"}, {"similarity": "cosine", "scale": "none"}),
        zh="query 和 key 先被化成了单位长度（余弦相似度）；这里用的是点积本身。",
        en="Queries and keys are brought to length one first (cosine similarity); here it is the "
        "plain dot product.",
        hints=SCALE_HINTS,
    ),
    "one_side_compared_with_itself": dict(
        switch=(
            {"score_order": "key_key"},
            {"score_order": "query_query"},
            {"score_order": "query_value"},
        ),
        zh="分数的两边用错了：每个查询要与每个键相比。",
        en="The wrong two are compared: it should be every query with every key.",
        hints=(
            (
                "分数矩阵应有几行、几列？在纸上写出两个矩阵的形状。",
                "How many rows and columns should the scores have? Write both shapes on paper.",
            ),
            ("三个输入各出现了几次？", "How often does each of the three inputs appear?"),
        ),
    ),
    "mixes_with_scores": dict(
        switch=(*with_fills({"mixed": "scores"}), {"mixed": "unmasked_scores"}),
        zh="加权求和用的是分数，而不是 softmax 之后的权重。",
        en="The weighted sum uses the scores and not the weights that the softmax makes of them.",
        hints=(
            ("分数之和是多少？权重之和呢？", "What do the scores of a row sum to? The weights?"),
            (
                "看看变量名：分数和权重是同一条路上的前后两站。",
                "Look at the names: scores and weights are two stops on one road.",
            ),
        ),
    ),
    "residual_added": dict(
        switch={"residual": "query"},
        zh="把 query 加到了输出上：残差连接不属于这个函数。",
        en="The query is added to the output: a residual connection has no place here.",
        hints=(
            ("输出里除了加权求和，还有什么？", "What is in the output besides the weighted sum?"),
            ("对照公式，看看多了哪一项。", "Hold it against the formula: which term is extra?"),
        ),
    ),
    "sigmoid_for_softmax": dict(
        switch={"softmax_axis": "sigmoid"},
        zh="用了 sigmoid：每个权重各自为政，加起来不等于 1。",
        en="A sigmoid in place of the softmax: every weight is on its own and they don't sum to "
        "one.",
        hints=(
            ("注意力是在键之间分配一份总量。", "Attention divides one whole among the keys."),
            ("哪个函数让一行数互相竞争？", "Which function makes the numbers of a row compete?"),
        ),
    ),
    "mask_added": dict(
        switch={"mask_use": "added_as_number"},
        zh="把布尔掩码当成 0 和 1 加到了分数上：关闭的键只少了 1 分。",
        en="The boolean mask is added to the scores as 0 and 1: closed keys lose just one point.",
        hints=MASK_HINTS,
    ),
    "mask_transposed": dict(
        switch={"mask_use": "transposed"},
        zh="掩码被转置了：行是查询，列是键。",
        en="The mask is transposed: its rows are queries, its columns keys.",
        hints=MASK_HINTS,
    ),
    "nan_without_open_key": dict(
        switch={"mask_use": "minus_infinity"},
        zh="一行全是 -inf 时，softmax 得到 NaN，梯度也会跟着变成 NaN。",
        en="Where a whole row is -inf the softmax gives NaN, and gradients become NaN with it.",
        hints=(
            (
                "只放一行、全部关闭，看看 softmax 的每一步。",
                "Take one row with every key closed and follow the softmax step by step.",
            ),
            (
                "有没有一个数，足够小，却还是有限的？",
                "Is there a number that is small enough and still finite?",
            ),
        ),
    ),
    "keys_ask_queries": dict(
        switch={"score_order": "key_query"},
        zh="点积的左右反了：得到的矩阵行是键、列是查询。",
        en="The product is the wrong way round: its rows are keys and its columns queries.",
        hints=(
            (
                "分数矩阵应有几行、几列？在纸上写出两个矩阵的形状。",
                "How many rows and columns should the scores have? Write both shapes on paper.",
            ),
            ("提问的是查询，所以每个查询占一行。", "Queries ask, so each of them has one row."),
        ),
    ),
    "mixes_keys_not_values": dict(
        switch=({"values": "key"}, {"values": "query"}),
        zh="加权求和的对象不是 value：权重来自 query 与 key，被混合的应是 value。",
        en="The weighted sum isn't over the values: queries and keys make the weights, values are "
        "what gets mixed.",
        hints=(
            ("输出的最后一个轴应与谁一样长？", "Whose last axis should the output share?"),
            ("三个输入里，有一个你还没用到。", "One of the three inputs isn't used yet."),
        ),
    ),
}
for _name, _data in (SHARED | OWN).items():
    scaled_dot_product.misconception(_name, **_data)

add_properties(scaled_dot_product)
add_output_property(scaled_dot_product)
