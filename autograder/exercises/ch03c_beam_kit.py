"""Languages for the beam search of ch03c, and words for what is wrong with its result."""

import numpy as np

from autograder.exercises.common import normal
from autograder.messages import Text
from autograder.oracles.beam import as_pairs

CLOSE = {"atol": 2e-4, "rtol": 1e-4}


def a_language(rng, size, begin_id, end_id, length, ends=0.0):
    """Scripts and echo of a language of `size` tokens.

    Args:
        rng: generator.
        size: V.
        begin_id, end_id: int; the first is never said.
        length: how many places have scores of their own.
        ends: how much likelier than other tokens the end is.
    """
    scripts, echo = normal(rng, length, size), 1.5 * normal(rng, size, size)
    echo[:, begin_id] = 0.0
    scripts[:, end_id] += ends
    scripts[:, begin_id] = -40.0
    return scripts, echo


def with_twins(rng, size, begin_id, end_id, length, ends):
    """A language in which every token but the begin and the end has a twin.

    Twins are alike likely, and so is all that follows them: to the last digit, whoever computes.
    """
    scripts, echo = a_language(rng, size, begin_id, end_id, length, ends)
    others = [token for token in range(size) if token not in (begin_id, end_id)]
    for one, other in zip(others[::2], others[1::2], strict=True):
        scripts[:, other], echo[:, other], echo[other] = scripts[:, one], echo[:, one], echo[one]
    return scripts, echo


def in_words(got, wanted):
    """The first hypothesis that is wrong, beside the right one."""
    (found, scores), (right, right_scores) = as_pairs(*got), as_pairs(*wanted)
    if len(found) != len(right):
        return Text(
            f"应当返回 {len(right)} 个假设，实际是 {len(found)} 个。",
            f"The number of hypotheses should be {len(right)}, but is {len(found)}.",
        )
    for number, (has, should) in enumerate(zip(found, right, strict=True), start=1):
        if has != should:
            shown = f"{has[:10]}"[:-1] + (", …]" if len(has) > 10 else "]")
            return Text(
                f"第 {number} 个假设应当是 {should}，实际是 {shown}。",
                f"Hypothesis {number} should be {should}, but is {shown}.",
            )
    number = int(np.argmin(np.isclose(scores, right_scores, **CLOSE)))
    return Text(
        f"第 {number + 1} 个假设 {right[number]} 的得分应当是 {right_scores[number]:.5g}，"
        f"实际是 {scores[number]:.5g}。",
        f"Hypothesis {number + 1}, {right[number]}: its score should be "
        f"{right_scores[number]:.5g}, but is {scores[number]:.5g}.",
    )
