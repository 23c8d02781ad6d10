"""Notebook ch03b, exercises 4 and 5: a branch, its bypass and its norm, in two orders."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03b_1a_waves import NOTEBOOK
from autograder.exercises.common import normal
from autograder.exercises.residual_mistakes import mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import residual

LENT = "autograder.stand_ins.ch03b_blocks."  # where later exercises find them

residual_post_ln = Exercise(
    "residual_post_ln", notebook=NOTEBOOK, points=2, forbids=(f"{LENT}residual_post_ln",)
)
residual_pre_ln = Exercise(
    "residual_pre_ln", notebook=NOTEBOOK, points=2, forbids=(f"{LENT}residual_pre_ln",)
)


def _expect(student, rng, way, shape, silent=False):
    """Call it with a branch in which tokens mix and with a norm that scales and shifts."""
    _, length, hidden_dim = shape
    x = 2 * normal(rng, *shape) + 1
    kernel = normal(rng, hidden_dim, hidden_dim) / np.float32(hidden_dim**0.5)
    mixing = rng.dirichlet(np.ones(length), length).astype(np.float32)
    if silent:
        kernel, mixing = 0 * kernel, 0 * mixing
    gamma = rng.uniform(0.5, 2.0, hidden_dim).astype(np.float32)
    beta = normal(rng, hidden_dim)
    actual = student(x, fixture("branch", kernel, mixing), fixture("norm", gamma, beta))
    expect(actual).equals(
        residual.residual(x, kernel, mixing, gamma, beta, way), atol=5e-5, rtol=1e-4
    )


def _add_cases(exercise, way, zh, en):
    @exercise.case(points=1, zh="输出从 x、支路和归一化算得出来",
                   en="the output follows from x, branch and norm")  # fmt: skip
    def branch_and_norm(student, rng):
        """Twice, with other sizes."""
        for shape in ((2, 5, 4), (3, 4, 6)):
            _expect(student, rng, way, shape)

    @exercise.case(points=1, zh=zh, en=en)
    def silent_branch(student, rng):
        """What is left where the branch has nothing to say."""
        _expect(student, rng, way, (2, 3, 5), silent=True)

    for name, data in mistakes(way).items():
        exercise.misconception(name, **data)
    _add_properties(exercise, way)


def _add_properties(exercise, way):
    @exercise.property(
        "shape_stays", zh="输出的形状应当和 x 一样。", en="The output should have the shape of x."
    )
    def shape_changes(seen):
        return np.shape(seen.actual) != np.shape(seen.expected)

    @exercise.property(
        "result_is_finite",
        zh="结果里有 NaN 或无穷大。",
        en="There are NaN or infinities in the result.",
    )
    def not_finite(seen):
        return not np.isfinite(np.asarray(seen.actual)).all()

    @exercise.property(
        "the_given_norm_is_used",
        zh="结果是归一化过的，用的却不是传进来的 norm。",
        en="The result is normalised, but not by the norm that was passed in.",
    )
    def another_norm(seen):
        return way == "post" and _is_plainly_normalised(np.asarray(seen.actual))

    if way == "post":

        @exercise.property(
            "output_is_normalised",
            zh="后归一化的输出应当是归一化过的：最后一步是 norm。",
            en="With post-LN the output is normalised: the norm comes last.",
        )
        def not_normalised(seen):
            _, _, _, gamma, beta, _ = seen.args
            if _is_plainly_normalised(np.asarray(seen.actual)):
                return False
            plain = (np.asarray(seen.actual) - beta) / gamma
            return not np.allclose(plain.mean(axis=-1), 0, atol=1e-2)

    @exercise.property(
        "a_silent_branch_changes_nothing" if way == "pre" else "a_silent_branch_leaves_the_norm",
        zh="支路输出全是 0 的时候，结果就已经不对：问题出在旁路或归一化上。",
        en="Even with a branch that gives zeros the result is wrong: look at bypass and norm.",
    )
    def wrong_without_a_branch(seen):
        return not np.asarray(seen.args[2]).any()

    @exercise.property(
        "sum_is_right",
        alone=True,
        zh="问题出在支路上：进去的是什么，出来的怎样用。",
        en="Something is wrong about the branch: what enters it, or how its output is used.",
    )
    def output_is_wrong(seen):
        return True


def _is_plainly_normalised(output):
    """Whether every token has mean 0 and variance 1, as a norm that nobody trained gives it."""
    mean, spread = output.mean(axis=-1), output.std(axis=-1)
    return bool(np.allclose(mean, 0, atol=1e-3) and np.allclose(spread, 1, atol=0.02))


_add_cases(
    residual_post_ln,
    "post",
    "支路的输出全是 0 时，剩下归一化了的 x",
    "a branch that gives zeros leaves x, normalised",
)
_add_cases(
    residual_pre_ln,
    "pre",
    "支路的输出全是 0 时，x 原样通过",
    "a branch that gives zeros leaves x untouched",
)
