"""Notebook ch03a, exercise 7: multi-head attention."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.attention_mistakes import DROPOUT_HINTS, SHARED
from autograder.exercises.attention_properties import add_properties
from autograder.exercises.ch03a_1_attention import ATTENTION_LAYERS, OWN
from autograder.exercises.common import derived, gradients, normal, some_open
from autograder.exercises.head_mistakes import LAYER
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import heads
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
    for name in heads.PROJECTIONS:
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
        heads.multi_head_attention(*inputs, None, weights, HEADS), atol=2e-5
    )
    inputs = three(rng, 4, 7, batch=3, width=HIDDEN)
    expect(layer(*inputs)).equals(
        heads.multi_head_attention(*inputs, None, weights, HEADS), atol=2e-5
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
        heads.multi_head_attention(*inputs, mask, weights, HEADS), atol=2e-5
    )
    inputs = three(rng, 5, 7, batch=2)
    mask = some_open(rng, 2, 1, 7)
    expect(layer(*inputs, mask)).equals(
        heads.multi_head_attention(*inputs, mask, weights, HEADS), atol=2e-5
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
    expect(layer(x, x, x)).equals(heads.multi_head_attention(x, x, x, None, weights, 2), atol=2e-5)
    mask = some_open(rng, 4, 6, 6)  # more items than heads: copies of the mask in a wrong order run
    expect(layer(x, x, x, mask)).equals(
        heads.multi_head_attention(x, x, x, mask, weights, 2), atol=2e-5
    )


NOT_REPEATED = Text(
    "同样的输入调用两次，结果不同。", "Two calls on the same input give different results."
)


def _which_do_not_count(moved):
    """Names of the projections whose kernel may be anything."""
    if not moved[-1]:
        return NOT_REPEATED
    idle = [name for name, counts in zip(heads.PROJECTIONS, moved, strict=False) if not counts]
    names = Text("、".join(idle), ", ".join(idle))
    return Text(
        "改变 {names} 的参数，输出毫无变化。", "Changing the kernel of {names} changes no output."
    ).format(names=names)


def _how_dropout_acts(facts):
    if not facts[-1]:
        return NOT_REPEATED
    if not facts[0]:
        return Text("训练时和推理时的输出一样。", "In training the output is the same as ever.")
    return Text(
        "训练时输出确实变了，但不像是丢掉了注意力权重。",
        "In training the output does change, but not as if attention weights were dropped.",
    )


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
        for name in heads.PROJECTIONS
    }

    def run(values):
        put(layer, values)
        return np.asarray(output_of(layer(*inputs)))

    first = layer(*inputs)
    expect(derived(first, lambda _: heads.which_count(run, weights, change))).equals(
        heads.weights_that_count(*inputs, weights, HEADS, change), otherwise=_which_do_not_count
    )


@multi_head_attention.case(
    points=1,
    zh="训练时的 dropout 作用在注意力权重上",
    en="in training, dropout acts on the attention weights",
)
def dropout_in_training(student, rng):
    """All values are one, so that an output shows which weights were kept; see the oracle."""
    inputs = three(rng, 5, 9, batch=3)
    layer, weights = built(student, rng, *inputs, dropout=0.5)
    weights["value_dense.kernel"] = np.zeros((WIDTH, HIDDEN), np.float32)
    weights["value_dense.bias"] = np.ones(HIDDEN, np.float32)
    weights["output_dense.kernel"] = np.eye(HIDDEN, dtype=np.float32)
    weights["output_dense.bias"] = np.zeros(HIDDEN, np.float32)
    put(layer, weights)
    before, again = layer(*inputs), layer(*inputs)
    after = derived(before, lambda _: layer(*inputs, training=True))
    expect(derived(after, lambda _: heads.facts_of_dropout(after, before, again, HEADS))).equals(
        heads.dropout_facts(*inputs, weights, HEADS, 0.5), otherwise=_how_dropout_acts
    )


@multi_head_attention.case(points=1, zh="梯度能传回三个输入", en="gradients reach all three inputs")
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    inputs = three(rng, 3, 3, width=4)
    layer, weights = built(student, rng, *inputs)
    cotangent = normal(rng, 2, 3, HIDDEN)
    found = layer.gradient(*inputs, wrt=(0, 1, 2), output=0, cotangent=cotangent)
    expect(gradients(found, inputs)).equals(
        heads.multi_head_gradient(*inputs, None, weights, HEADS, cotangent), atol=1e-3, rtol=1e-3
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
add_properties(multi_head_attention)
