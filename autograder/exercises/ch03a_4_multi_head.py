"""Notebook ch03a, exercise 7: multi-head attention."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.attention_mistakes import DROPOUT_HINTS, SHARED
from autograder.exercises.attention_properties import add_layer_properties, add_properties
from autograder.exercises.ch03a_1_attention import ATTENTION_LAYERS, OWN
from autograder.exercises.common import derived, gradients, normal, some_open
from autograder.exercises.head_mistakes import LAYER
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import dropout, multi_head
from autograder.oracles.attention import output_of

NOTEBOOK = "ch03a_self_attention"
WIDTH, HIDDEN, HEADS = 10, 12, 3
LIBRARY = "bert_keras.layers.attention"

multi_head_attention = Exercise(
    "MultiHeadAttention",
    notebook=NOTEBOOK,
    points=8,
    kind="layer",
    library=f"{LIBRARY}:MultiHeadAttention",
    forbids=ATTENTION_LAYERS,
    needs={
        name: f"{LIBRARY}:{name}" for name in ("scaled_dot_product", "split_heads", "merge_heads")
    },
)


def random_weights(rng, width=WIDTH, hidden=HIDDEN):
    """Weights of the four projections, all different and of order one in effect."""
    weights = {}
    for name in multi_head.PROJECTIONS:
        rows = hidden if name == "output_dense" else width
        weights[f"{name}.kernel"] = normal(rng, rows, hidden) / np.float32(np.sqrt(rows))
        weights[f"{name}.bias"] = normal(rng, hidden) / 2
    return weights


def built(student, rng, *inputs, dropout=0.0, num_heads=HEADS):
    """The student's layer with the grader's weights, and these weights."""
    layer = student.build(inputs=inputs, num_heads=num_heads, hidden_dim=HIDDEN, dropout=dropout)
    weights = random_weights(rng, inputs[0].shape[-1])
    put(layer, weights)
    return layer, weights


def put(layer, weights):
    """Assign what the layer has: a projection that is never used may have no weights at all."""
    own = layer.weights()
    layer.set_weights({name: array for name, array in weights.items() if name in own})


def three(rng, queries, keys, batch=2, width=WIDTH):
    """Query, key and value: three tensors that differ."""
    return (
        normal(rng, batch, queries, width),
        normal(rng, batch, keys, width),
        normal(rng, batch, keys, width),
    )


@multi_head_attention.case(
    points=2,
    zh="query、key、value 各不相同，长度也不同",
    en="query, key and value all differ, in length too",
)
def cross_attention(student, rng):
    """First as many queries as keys: there a mix-up of the inputs runs and shows in the values."""
    inputs = three(rng, 5, 5, width=HIDDEN)  # the one width at which a missing projection runs
    layer, weights = built(student, rng, *inputs)
    expect(layer(*inputs)).equals(
        multi_head.multi_head_attention(*inputs, None, weights, HEADS), atol=2e-5
    )
    inputs = three(rng, 4, 7, batch=3, width=HIDDEN)
    expect(layer(*inputs)).equals(
        multi_head.multi_head_attention(*inputs, None, weights, HEADS), atol=2e-5
    )


@multi_head_attention.case(
    points=2,
    zh="掩码：每一项有自己的掩码，各头共用",
    en="masks: each item has its own, all heads share it",
)
def masks_per_item(student, rng):
    """As many items as heads, where a mask without its head axis runs and is wrong."""
    inputs = three(rng, 3, 3, batch=3)
    layer, weights = built(student, rng, *inputs)
    mask = some_open(rng, 3, 3, 3)
    mask[1, :, 2] = False  # a key that nobody may look at, as padding is
    mask[1, :, 0] |= ~mask[1].any(axis=-1)
    expect(layer(*inputs, attention_mask=mask)).equals(
        multi_head.multi_head_attention(*inputs, mask, weights, HEADS), atol=2e-5
    )
    inputs = three(rng, 5, 7, batch=2)
    mask = some_open(rng, 2, 1, 7)
    expect(layer(*inputs, mask)).equals(
        multi_head.multi_head_attention(*inputs, mask, weights, HEADS), atol=2e-5
    )


@multi_head_attention.case(
    points=1,
    zh="自注意力：打乱词的次序，输出只跟着换位；批中各项互不影响",
    en="self-attention: reordered tokens give reordered outputs, and items don't mix",
)
def tokens_and_items(student, rng):
    """One tensor three times, its tokens in an order that depends on the seed."""
    x = normal(rng, 4, 6, WIDTH)[:, rng.permutation(6)]
    layer, weights = built(student, rng, x, x, x, num_heads=2)
    expect(layer(x, x, x)).equals(
        multi_head.multi_head_attention(x, x, x, None, weights, 2), atol=2e-5
    )
    mask = some_open(rng, 4, 6, 6)  # more items than heads: copies of the mask in a wrong order run
    expect(layer(x, x, x, mask)).equals(
        multi_head.multi_head_attention(x, x, x, mask, weights, 2), atol=2e-5
    )


NOT_REPEATED = Text(
    "同样的输入调用两次，结果不同。", "Two calls on the same input give different results."
)


def _which_do_not_count(moved):
    """Names of the projections whose kernel may be anything."""
    if not moved[-1]:
        return NOT_REPEATED
    idle = [name for name, counts in zip(multi_head.PROJECTIONS, moved, strict=False) if not counts]
    names = Text("、".join(idle), ", ".join(idle))
    return Text(
        "改变 {names} 的参数，输出毫无变化。", "Changing the kernel of {names} changes no output."
    ).format(names=names)


def _how_dropout_acts(seen):
    """In words, where there are simple ones; else None."""
    repeats, ratios = seen[0], seen[1]
    if repeats.size and not repeats.all():
        return NOT_REPEATED
    if ratios.size and np.allclose(ratios, 1, atol=1e-3):
        return Text("训练时和推理时的输出一样。", "In training the output is the same as ever.")
    return None


@multi_head_attention.case(
    points=1,
    zh="四个投影都用上了，两次调用结果相同",
    en="all four projections count, and two calls agree",
)
def projections_count(student, rng):
    """Change one kernel at a time and see whether the output moves."""
    inputs = three(rng, 4, 4)
    layer, weights = built(student, rng, *inputs)
    change = {
        f"{name}.kernel": normal(rng, *weights[f"{name}.kernel"].shape)
        for name in multi_head.PROJECTIONS
    }

    def run(values):
        put(layer, values)
        return np.asarray(output_of(layer(*inputs)))

    first = layer(*inputs)
    expect(derived(first, lambda _: multi_head.which_count(run, weights, change))).equals(
        multi_head.weights_that_count(*inputs, weights, HEADS, change),
        otherwise=_which_do_not_count,
    )


RATE = 0.3


@multi_head_attention.case(
    points=1,
    zh="训练时的 dropout 作用在注意力权重上",
    en="in training, dropout acts on the attention weights",
)
def dropout_in_training(student, rng):
    """Outputs show the fate of 1920 single weights; refuses right ones one time in a billion."""
    batch, length, keys, num_heads = 16, 20, 3, 2
    query, key, _ = three(rng, length, keys, batch=batch)
    value = np.zeros((batch, keys, WIDTH), np.float32)
    value[:, np.arange(keys), np.arange(keys)] = 1
    inputs = (query, key, value)
    layer, weights = built(student, rng, *inputs, dropout=RATE, num_heads=num_heads)
    weights["query_dense.kernel"] *= np.float32(0.3)  # no weight so small that it looks dropped
    shown = np.tile(np.repeat(np.eye(keys), dropout.TWINS, axis=1), (1, num_heads))
    kernel = np.concatenate([shown, np.zeros((WIDTH - keys, HIDDEN))])
    weights["value_dense.kernel"] = kernel.astype(np.float32)
    weights["output_dense.kernel"] = np.eye(HIDDEN, dtype=np.float32)
    weights["value_dense.bias"] = weights["output_dense.bias"] = np.zeros(HIDDEN, np.float32)
    put(layer, weights)
    before, again = layer(*inputs), layer(*inputs)
    after = derived(before, lambda _: layer(*inputs, training=True))
    shape = (batch, length, num_heads, keys)
    expect(derived(after, lambda _: dropout.fates(after, before, again, shape))).follows(
        dropout.dropout_laws(*inputs, weights, num_heads, RATE), otherwise=_how_dropout_acts
    )
    # What training scales up must not be paid for in inference.
    expect(before).equals(
        multi_head.multi_head_attention(*inputs, None, weights, num_heads), atol=2e-5
    )


@multi_head_attention.case(points=1, zh="梯度能传回三个输入", en="gradients reach all three inputs")
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    inputs = three(rng, 3, 3, width=4)
    layer, weights = built(student, rng, *inputs)
    cotangent = normal(rng, 2, 3, HIDDEN)
    found = layer.gradient(*inputs, wrt=(0, 1, 2), output=0, cotangent=cotangent)
    expect(gradients(found, inputs)).equals(
        multi_head.multi_head_gradient(*inputs, None, weights, HEADS, cotangent),
        atol=1e-3,
        rtol=1e-3,
    )


FORMULA = SHARED | {
    name: OWN[name]
    for name in (
        "scaled_the_wrong_way",
        "scaled_by_sequence_length",
        "softmax_missing",
        "softmax_incomplete",
        "softmax_twice",
        "logarithm_of_softmax",
        "largest_score_takes_all",
        "negative_scores",
        "vectors_normalised",
        "mixes_with_scores",
        "sigmoid_for_softmax",
        "mask_added",
        "mask_transposed",
        "keys_ask_queries",
        "mixes_keys_not_values",
    )
}
MASK_NOT_PASSED_ON = dict(
    zh="掩码没有起作用：attention_mask 没有传到 scaled_dot_product。",
    en="The mask has no effect: attention_mask never reaches scaled_dot_product.",
    hints=(
        (
            "顺着 attention_mask 这个名字往下找：它最后交给了谁？",
            "Follow the name attention_mask down your code: who gets it in the end?",
        ),
        (
            "scaled_dot_product 有几个参数？你传了几个？",
            "How many arguments does scaled_dot_product take, and how many do you pass?",
        ),
    ),
)
for _name, _data in FORMULA.items():
    if _name == "mask_without_effect":
        _data = {**_data, **MASK_NOT_PASSED_ON}
    multi_head_attention.misconception(_name, **_data)
for _name, _data in LAYER.items():
    multi_head_attention.misconception(_name, **_data)
multi_head_attention.misconception(
    "dropout_always_on",
    switch={"dropout_when": "always"},
    zh="推理时 dropout 也开着：同样的输入，两次结果不同。",
    en="Dropout is on in inference too: the same input gives two results.",
    hints=DROPOUT_HINTS,
)
multi_head_attention.misconception(
    "dropout_wrong_rate",
    switch=tuple({"dropout_rate": rate} for rate in ("kept", "0.1", "0.2", "0.5")),
    zh="丢掉的份额不对：rate 是丢掉多少，由层的参数给定，不是写死的数，也不是留下多少。",
    en="The wrong share is dropped: the rate is how much to drop, the layer is given it, and it is "
    "neither a fixed number nor the share to keep.",
    hints=(
        (
            "训练时调用很多次，数一数被丢掉的权重占多少。",
            "Call it many times in training and count: what share of the weights is dropped?",
        ),
        (
            "__init__ 收到的 dropout 存到哪里去了？你用的是它吗？",
            "What becomes of the dropout that __init__ is given, and is that what you use?",
        ),
    ),
)
multi_head_attention.misconception(
    "dropout_not_rescaled",
    switch={"dropout_scaling": "none"},
    zh="留下来的权重没有放大：训练时的总量比推理时小。",
    en="The weights that stay aren't scaled up: in training there is less of everything than in "
    "inference.",
    hints=(
        (
            "丢掉一部分以后，一行权重之和平均是多少？应当是多少？",
            "Once a part is dropped, what do the weights of a row sum to on average, and what "
            "should they?",
        ),
        (
            "推理时不再丢，网络却要看到同样的大小：谁来补上这个差？",
            "Inference drops nothing and yet the network must see the same sizes: what makes up "
            "for the difference?",
        ),
    ),
)
add_layer_properties(multi_head_attention)
add_properties(multi_head_attention)
