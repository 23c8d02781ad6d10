"""Notebook ch01a, exercise 5: walking over padded sequences."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import RECURRENT_LAYERS
from autograder.exercises.ch01a_unroll_mistakes import UNROLL
from autograder.exercises.common import derived, normal
from autograder.expectations import Unmet, expect
from autograder.fixtures import BUILDERS, fixture
from autograder.handle import Failed
from autograder.oracles.sequences import flat, masked_unroll_of_one
from autograder.oracles.sequences import masked_unroll as oracle_of_two

NOTEBOOK = "ch01a_seq2seq"

masked_unroll = Exercise(
    "masked_unroll",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.recurrent:masked_unroll",
    forbids=RECURRENT_LAYERS,
)


def walked(student, kernels, x, states, padding_mask):
    """What the student's walk gives, and what the oracle expects of it."""
    found = student(fixture("fading_memories", *kernels), x, states, padding_mask)
    step = BUILDERS["fading_memories"](*kernels)
    oracle = oracle_of_two if len(kernels) == 2 else masked_unroll_of_one
    try:
        expect(derived(found, flat)).equals(oracle(step, x, states, padding_mask))
    except Unmet:
        wrong = None if isinstance(found, Failed) else wrong_form(found, len(kernels))
        if wrong:  # in the words of the contract, rather than in parts laid side by side
            expect(found).holds(False, *wrong)
        raise


def wrong_form(found, count):
    """What isn't as the contract has it, in both languages: a pair with the states in a tuple."""
    if found is None:
        return None
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return (
            "应当返回一对 (outputs, states)：一个张量，和所有最后状态的元组。",
            "It should return a pair (outputs, states): a tensor, and the tuple of all last "
            "states.",
        )
    outputs, states = found
    if isinstance(outputs, (tuple, list)):
        return (
            "一对里的第一样 outputs 应当是一个张量，这里是一串。",
            "The first of the pair, outputs, should be one tensor, and is a list or a tuple.",
        )
    if not isinstance(states, (tuple, list)):
        return (
            "一对里的第二样 states 应当是元组，装着所有最后的状态（只有一个时也是）；"
            "这里是单个张量。",
            "The second of the pair, states, should be the tuple of all last states (even of "
            "one); it is a single tensor.",
        )
    if len(states) != count:
        return (
            f"states 里应当有 {count} 个状态，跟出发时一样多；这里有 {len(states)} 个。",
            f"states should hold {count}, as many as there were to begin with, and holds "
            f"{len(states)}.",
        )
    return None


@masked_unroll.case(points=1, zh="没有填充：一步接一步", en="no padding: step after step")
def no_padding(student, rng):
    """Two states of different sizes, so that neither can stand in for the other."""
    kernels = (0.6 * normal(rng, 5, 4), 0.6 * normal(rng, 5, 3))
    states = (normal(rng, 2, 4), normal(rng, 2, 3))
    walked(student, kernels, normal(rng, 2, 6, 5), states, np.ones((2, 6), bool))


@masked_unroll.case(
    points=1, zh="填充处，每个状态都原地不动", en="at padding every state stays as it is"
)
def padded(student, rng):
    """Padding also stands inside a row, before another, and in a whole column."""
    kernels = (0.6 * normal(rng, 4, 3), 0.6 * normal(rng, 4, 2))
    states = (normal(rng, 4, 3), normal(rng, 4, 2))
    mask = np.array(
        [
            [True, True, True, True, True, False],
            [True, True, False, False, False, False],
            [True, False, True, True, False, False],
            [False, False, True, False, True, False],
        ]
    )
    walked(student, kernels, normal(rng, 4, 6, 4), states, mask)


@masked_unroll.case(points=1, zh="只有一个状态，也照样走", en="a single state walks as well")
def one_state(student, rng):
    """What a simple RNN and a GRU have."""
    kernels = (0.6 * normal(rng, 3, 5),)
    mask = np.arange(7) < np.array([[4], [7], [1]])
    walked(student, kernels, normal(rng, 3, 7, 3), (normal(rng, 3, 5),), mask)


@masked_unroll.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Plain numbers are expected: an error here says nothing about which mistake was made."""
    kernels, states = (0.6 * normal(rng, 3, 2),), (normal(rng, 4, 2),)
    x, mask = normal(rng, 4, 5, 3), np.arange(5) < np.array([[3], [5], [1], [2]])
    step = fixture("fading_memories", *kernels)
    found = student.in_training(step, x, states, mask, unknown=(1, 3))
    own = BUILDERS["fading_memories"](*kernels)
    wanted = masked_unroll_of_one(own, x, states, mask)
    expect(derived(found, flat)).equals(wanted, evidence=False)


for _name, (_switch, _zh, _en, _hints) in UNROLL.items():
    masked_unroll.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """Outputs and states where they have their shapes.

    Raises:
        LookupError: they don't.
    """
    actual = [np.asarray(part) for part in seen.actual]
    if [part.shape for part in actual] != [part.shape for part in seen.expected]:
        raise LookupError("another form")
    return actual


def _wrong(got, wanted):
    return not np.allclose(got, wanted, atol=1e-5, rtol=1e-5)


@masked_unroll.property(
    "form_is_right",
    zh="形式不对：约定返回 outputs (B, T, H) 和所有最后状态的元组。",
    en="The form is wrong: it should be outputs (B, T, H) and the tuple of all last states.",
)
def form_is_wrong(seen):
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [part.shape for part in seen.expected]


@masked_unroll.property(
    "first_step_is_right", zh="第一步的输出已经不对。", en="The output of the first step is wrong."
)
def first_step_is_wrong(seen):
    begins = seen.args[3][:, 0]
    return _wrong(_parts(seen)[0][begins, 0], seen.expected[0][begins, 0])


@masked_unroll.property(
    "waits_at_leading_padding",
    zh="以填充开头的行，第一步的输出不对；开头就是真词元的行，第一步是对的。",
    en="The first output is wrong in rows that begin with padding, and right in rows that begin "
    "with a real token.",
)
def moves_at_leading_padding(seen):
    begins, got, want = seen.args[3][:, 0], _parts(seen)[0][:, 0], seen.expected[0][:, 0]
    return _wrong(got[~begins], want[~begins]) and not _wrong(got[begins], want[begins])


@masked_unroll.property(
    "stands_still_at_padding",
    zh="有填充的行不对，没有填充的行对：查掩码。",
    en="Rows with padding are wrong and rows without are right: look at the mask.",
)
def walks_at_padding(seen):
    parts, mask = _parts(seen), seen.args[3]
    whole = mask.all(axis=1)
    pairs = list(zip(parts, seen.expected, strict=True))
    return bool(whole.any() and not whole.all()) and (
        not any(_wrong(got[whole], want[whole]) for got, want in pairs)
    )


@masked_unroll.property(
    "last_states_are_right",
    zh="每一步的输出都对，最后的状态不对。",
    en="The outputs of all steps are right, the last states wrong.",
)
def last_states_are_wrong(seen):
    parts = _parts(seen)
    return not _wrong(parts[0], seen.expected[0])


@masked_unroll.property(
    "outputs_are_right", zh="输出的数值不对。", en="The outputs have wrong numbers.", alone=True
)
def outputs_are_wrong(seen):
    return _wrong(_parts(seen)[0], seen.expected[0])
