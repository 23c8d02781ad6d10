"""Notebook ch02, exercise 7: one step of a decoder that looks back."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import add_shape_property
from autograder.exercises.cell_mistakes import CELL_MISTAKES
from autograder.exercises.ch02_2_scores import ATTENTION_LAYERS, BEFORE, LIBRARY, NOTEBOOK
from autograder.exercises.common import derived, gradients, normal, real_tokens
from autograder.expectations import expect
from autograder.oracles import attention_step
from autograder.results import StudentError

CELL = "bert_keras.layers.attention_decoder"

attention_decoder_cell = Exercise(
    "AttentionDecoderCell",
    notebook=NOTEBOOK,
    points=8,
    kind="layer",
    library=f"{CELL}:AttentionDecoderCell",
    forbids=ATTENTION_LAYERS,
    needs={name: f"{LIBRARY}:{name}" for name in (*BEFORE, "context_vector")},
    blanks=("look_back", "call"),
)


def random_weights(rng, kind, input_dim, hidden, source_dim):
    """Weights by attribute path, of order one in effect and all different."""
    blocks = attention_step.BLOCKS[kind]
    bias = (2, 3 * hidden) if kind == "gru" else (blocks * hidden,)
    joined = source_dim + hidden
    return {
        "cell.kernel": normal(rng, input_dim, blocks * hidden) / np.float32(input_dim**0.5),
        "cell.recurrent_kernel": normal(rng, hidden, blocks * hidden) / np.float32(hidden**0.5),
        "cell.bias": normal(rng, *bias) / 2,
        "score_kernel": normal(rng, hidden, source_dim) / np.float32(hidden**0.5),
        "output_dense.kernel": normal(rng, joined, hidden) / np.float32(joined**0.5),
    }


def built(student, rng, kind, x, states, source):
    """The student's cell with the grader's weights, and these weights.

    One that can't do without a mask is built with one, so that a case sees where it fails.
    """
    hidden = states[0].shape[-1]
    try:
        cell = student.build(inputs=(x, states, source), hidden_dim=hidden, kind=kind)
    except StudentError as error:
        everything = np.ones(source.shape[:2], bool)
        try:
            inputs = (x, states, source, everything)
            cell = student.build(inputs=inputs, hidden_dim=hidden, kind=kind)
        except StudentError:
            raise error from None
    weights = random_weights(rng, kind, x.shape[-1], hidden, source.shape[-1])
    cell.set_weights(weights)
    return cell, weights


def inputs_of(rng, batch, dims, length, states=1):
    """x (B, D), a list of states (B, H) and a source (B, S, K)."""
    input_dim, hidden, source_dim = dims
    return (
        normal(rng, batch, input_dim),
        [normal(rng, batch, hidden) / 2 for _ in range(states)],
        normal(rng, batch, length, source_dim),
    )


def flat(actual):
    """The answer with its list of states unpacked."""
    return derived(actual, attention_step.flat)


@attention_decoder_cell.case(
    points=2,
    zh="走一步，没有填充；一批三句，一批一句",
    en="one step, no padding; a batch of 3, of 1",
)
def one_step(student, rng):
    """Every size differs: the source comes from an encoder that reads in both directions.

    Then a single sentence, as when somebody looks at one: its batch axis stays.
    """
    for batch in (3, 1):
        inputs = inputs_of(rng, batch, (5, 4, 8), 6)
        cell, weights = built(student, rng, "gru", *inputs)
        expect(flat(cell(*inputs))).equals(
            attention_step.decoder_step(*inputs, None, weights, "gru"), atol=2e-5
        )


@attention_decoder_cell.case(
    points=2, zh="源句有填充：填充处没有权重", en="padding in the source gets no weight"
)
def with_padding(student, rng):
    """What stands at the pads is large, so that a look at it shows."""
    x, states, source = inputs_of(rng, 4, (3, 5, 6), 7)
    mask = real_tokens((7, 2, 5, 3), 7)
    source = np.where(mask[..., None], source, 3 * source).astype(np.float32)
    cell, weights = built(student, rng, "gru", x, states, source)
    expect(flat(cell(x, states, source, mask))).equals(
        attention_step.decoder_step(x, states, source, mask, weights, "gru"), atol=2e-5
    )
    expect(flat(cell(x, states, source, padding_mask=mask))).equals(
        attention_step.decoder_step(x, states, source, mask, weights, "gru"), atol=2e-5
    )


@attention_decoder_cell.case(points=1, zh="LSTM：有两个状态", en="an LSTM, which has two states")
def with_two_states(student, rng):
    """The state asks, not the carry."""
    inputs = inputs_of(rng, 3, (3, 4, 6), 5, states=2)
    cell, weights = built(student, rng, "lstm", *inputs)
    expect(flat(cell(*inputs))).equals(
        attention_step.decoder_step_lstm(*inputs, None, weights, "lstm"), atol=2e-5
    )


@attention_decoder_cell.case(
    points=1, zh="状态与源句的维数相同", en="state and source of the same size"
)
def of_one_size(student, rng):
    """Where sizes agree, a matrix that is turned or left out causes no error."""
    inputs = inputs_of(rng, 3, (5, 5, 5), 4)
    cell, weights = built(student, rng, "gru", *inputs)
    expect(flat(cell(*inputs))).equals(
        attention_step.decoder_step(*inputs, None, weights, "gru"), atol=2e-5
    )


@attention_decoder_cell.case(points=1, zh="接着走第二步", en="a second step from there")
def two_steps(student, rng):
    """The states that come back are what the next step begins with."""
    x, states, source = inputs_of(rng, 3, (4, 3, 5), 6)
    mask, then = real_tokens((4, 6, 2), 6), normal(rng, 3, 4)
    cell, weights = built(student, rng, "gru", x, states, source)
    first = flat(cell(x, states, source, mask))
    expect(first).equals(
        attention_step.decoder_step(x, states, source, mask, weights, "gru"), atol=2e-5
    )
    moved = [np.asarray(first[1])]
    second = flat(cell(then, moved, source, mask))
    expect(second).equals(
        attention_step.decoder_step(then, moved, source, mask, weights, "gru"), atol=2e-5
    )


@attention_decoder_cell.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """To the input and to every source token, against finite differences."""
    x, states, source = inputs_of(rng, 3, (3, 4, 5), 4)
    mask = real_tokens((4, 2, 3), 4)
    cell, weights = built(student, rng, "gru", x, states, source)
    cotangent = normal(rng, 3, 4)
    found = cell.gradient(x, states, source, mask, wrt=(0, 2), output=0, cotangent=cotangent)
    expect(gradients(found, (x, source))).equals(
        attention_step.decoder_step_gradient(x, states[0], source, mask, weights, cotangent),
        atol=1e-3,
        rtol=1e-3,
    )


for _name, _data in CELL_MISTAKES.items():
    attention_decoder_cell.misconception(_name, **_data)
add_shape_property(attention_decoder_cell)


def _triple(seen):
    """Output, states and weights of a step.

    Raises:
        LookupError: the observation is about gradients.
    """
    if seen.prediction.parts[0] != "output":
        raise LookupError("no step here")
    return seen.actual[0], seen.actual[1:-1], seen.actual[-1]


@attention_decoder_cell.property(
    "weights_sum_to_one",
    zh="权重的每一行之和应为 1。",
    en="Every row of weights should sum to one.",
)
def weights_do_not_sum_to_one(seen):
    return not np.allclose(np.asarray(_triple(seen)[2]).sum(axis=-1), 1, atol=1e-4)


@attention_decoder_cell.property("pads_get_nothing", zh="填充处分到了权重。", en="Pads get weight.")
def pads_get_weight(seen):
    mask = seen.args[3]
    return mask is not None and bool((np.asarray(_triple(seen)[2])[~mask] > 1e-6).any())


@attention_decoder_cell.property(
    "state_is_right",
    zh="第一步就不对：新状态与循环单元给出的不同。",
    en="The first step is wrong already: the new state isn't what the recurrent cell gives.",
)
def state_is_wrong(seen):
    states, wanted = _triple(seen)[1], seen.expected[1:-1]
    return any(not np.allclose(a, b, atol=1e-4) for a, b in zip(states, wanted, strict=True))


@attention_decoder_cell.property(
    "weights_come_out_right",
    alone=True,
    zh="状态对，权重不对：问题在打分、掩码或 softmax。",
    en="The state is right but the weights aren't: look at the scores, the mask or the softmax.",
)
def weights_are_wrong(seen):
    return not np.allclose(_triple(seen)[2], seen.expected[-1], atol=1e-4)


@attention_decoder_cell.property(
    "only_the_output_is_wrong",
    zh="状态和权重都对，输出不对：问题在上下文、拼接或最后一层。",
    en="State and weights are right, the output isn't: look at the context, the joining or the "
    "last layer.",
)
def output_alone_is_wrong(seen):
    output, states, weights = _triple(seen)
    return all(
        np.allclose(a, b, atol=1e-4)
        for a, b in zip((*states, weights), seen.expected[1:], strict=True)
    ) and not np.allclose(output, seen.expected[0], atol=1e-4)


@attention_decoder_cell.property(
    "gradients_are_right",
    alone=True,
    zh="梯度不对；要是前面也有数值不对，先改数值。",
    en="The gradients are wrong; where values are wrong above, mend those first.",
)
def gradients_are_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
