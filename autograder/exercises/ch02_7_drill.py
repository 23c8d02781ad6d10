"""Notebook ch02, exercise 10: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.attention_mistakes import SHARED
from autograder.exercises.ch02_2_scores import ATTENTION_LAYERS, LIBRARY, NOTEBOOK
from autograder.exercises.common import normal, real_tokens
from autograder.exercises.drill_parts import STILL_ILL, ask_for_the_name, tell_a_wrong_name
from autograder.exercises.softmax_mistakes import SOFTMAX
from autograder.expectations import expect
from autograder.oracles import attention_step

# The keys of solutions/ch02_attention/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "softmax_over_one_number",
    "softmax_over_the_batch",
    "mask_after_softmax",
    "mask_multiplied",
    "context_from_scores",
    "context_divided_by_length",
)

drill = Exercise(
    "drill_ch02_attention",
    notebook=NOTEBOOK,
    points=4,
    kind="drill",
    defines=("suspect", "repaired"),
    forbids=(
        *ATTENTION_LAYERS,
        *(f"{LIBRARY}.{name}" for name in ("masked_softmax", "dot_score", "context_vector")),
    ),
    variants=DRILL_BUGS,
)

ILL_HINTS = (
    (
        "源句只有三个词，状态全取 0：权重应当是多少，上下文应当在哪里？",
        "Three source tokens and a state of zeros: what must the weights be, and where must the "
        "context lie?",
    ),
    (
        "你自己写的 masked_softmax 和 context_vector 在同样的输入上得到什么？从第一处不同往回找。",
        "What do your own masked_softmax and context_vector give for the same input? Go back from "
        "the first place where they differ.",
    ),
)


ask_for_the_name(drill)


def looks(rng, batch, length, hidden):
    """A state (B, H) and a source (B, S, H)."""
    return normal(rng, batch, hidden), normal(rng, batch, length, hidden)


@drill.case(points=1, zh="修好之后：不带掩码", en="repaired: without a mask")
def repaired_without_a_mask(student, rng):
    """All sizes differ; a single sentence keeps its axis."""
    for batch in (4, 1):
        state, source = looks(rng, batch, 5, 3)
        actual = student.named("repaired")(state, source)
        expect(actual).equals(attention_step.look(state, source, None))


@drill.case(points=2, zh="修好之后：带填充", en="repaired: with padding")
def repaired_with_padding(student, rng):
    """Every source has a length of its own; a single token is a source too."""
    state, source = looks(rng, 4, 6, 5)
    mask = real_tokens((6, 1, 3, 5), 6)
    actual = student.named("repaired")(state, source, mask)
    expect(actual).equals(attention_step.look(state, source, mask))
    # Scores below zero throughout: there a closed score of 0 would win.
    state, source = np.abs(state), -np.abs(source)
    actual = student.named("repaired")(state, source, mask)
    expect(actual).equals(attention_step.look(state, source, mask))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码：给它一个小输入，看哪里不对劲——权重之和？填充处？上下文的大小？",
            "Don't read yet: feed it something small and see what looks off. Sums of weights? "
            "Pads? The size of the context?",
        ),
        (
            "逐行问：这一行之后，形状和数值应当是什么？",
            "Ask of every line: what shape and which numbers should there be after it?",
        ),
    ),
)
ILL = {
    "softmax_axis": {"switch": ({"softmax_axis": "queries"}, {"softmax_axis": "batch"})},
    "mask_after_softmax": {"switch": SHARED["mask_after_softmax"]["switch"]},
    "closed_keys_score_zero": {"switch": SHARED["closed_keys_score_zero"]["switch"]},
    "mixes_with_scores": {"switch": ({"mixed": "unmasked_scores"}, {"mixed": "scores"})},
    "sum_divided_by_keys": {"switch": {"mixed": "divided_by_keys"}},
}
for _name, _data in ILL.items():
    drill.misconception(
        _name,
        **_data,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
for _name in ("mask_inverted", "mask_without_effect", "mask_fill_too_weak", "mask_fill_positive"):
    drill.misconception(_name, **SHARED[_name])
for _name in ("softmax_missing", "softmax_twice", "sigmoid_for_softmax", "mask_added"):
    drill.misconception(_name, **SOFTMAX[_name])


@drill.property(
    "pair_returned",
    zh="应当返回一对：（上下文，权重），形状 (B, H) 和 (B, S)。",
    en="It should return the pair (context, weights), of shapes (B, H) and (B, S).",
)
def no_pair(seen):
    wanted = [np.shape(part) for part in seen.expected]
    actual = seen.actual if isinstance(seen.actual, tuple) else (seen.actual,)
    return seen.prediction.parts[0] == "context" and [np.shape(part) for part in actual] != wanted


def _pair(seen):
    """Context and weights.

    Raises:
        LookupError: there is no pair; its first two sentences would pass for one.
    """
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair here")
    return seen.actual


@drill.property("weights_sum_to_one", zh="权重之和应为 1。", en="The weights should sum to one.")
def weights_do_not_sum_to_one(seen):
    return not np.allclose(np.asarray(_pair(seen)[1]).sum(axis=-1), 1, atol=1e-4)


@drill.property(
    "context_follows_from_weights",
    zh="上下文不是“用返回的权重对源向量加权求和”的结果。",
    en="The context isn't the source summed with the weights that you return.",
)
def context_is_another_sum(seen):
    context, weights = _pair(seen)
    mixed = np.einsum("bs,bsh->bh", np.asarray(weights), np.asarray(seen.args[1]))
    return not np.allclose(context, mixed, atol=1e-4)


@drill.property(
    "weights_come_out_right",
    alone=True,
    zh="权重就不对：看分数、掩码和 softmax。",
    en="The weights are wrong already: look at scores, mask and softmax.",
)
def weights_are_wrong(seen):
    return not np.allclose(_pair(seen)[1], seen.expected[1], atol=1e-4)
