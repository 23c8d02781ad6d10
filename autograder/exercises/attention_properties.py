"""What every right attention has, to say where to look when no mistake can be named."""

import numpy as np


def add_properties(exercise):
    """Register the properties of a pair (output, weights) with an exercise."""

    @exercise.property(
        "rows_sum_to_one",
        zh="权重的每一行之和应为 1，你的不是。",
        en="Every row of weights should sum to one; yours don't.",
    )
    def rows_do_not_sum_to_one(seen):
        # As far as the right rows do: cases put zeros where the contract leaves a row free.
        wanted = np.asarray(seen.expected[1]).sum(axis=-1)
        return not np.allclose(_weights(seen).sum(axis=-1), wanted, atol=1e-4)

    @exercise.property(
        "weights_not_negative",
        zh="权重里有负数。",
        en="Some weights are negative.",
    )
    def negative_weights(seen):
        return bool((_weights(seen) < -1e-6).any())

    @exercise.property(
        "closed_keys_get_nothing",
        zh="有的键已经关闭，却还分到了权重。",
        en="Some closed keys still get weight.",
    )
    def closed_keys_get_weight(seen):
        mask = seen.args[3]
        if mask is None:
            return False
        weights = _weights(seen)
        if weights.ndim == 4 and mask.ndim == 3:
            mask = mask[:, None]
        # A query without any open key may have whatever weights it likes.
        closed = ~mask & mask.any(axis=-1, keepdims=True)
        return bool((np.where(closed, weights, 0) > 1e-6).any())

    @exercise.property(
        "pair_returned",
        zh="应当返回一对：（输出，权重）。",
        en="It should return the pair (output, weights).",
    )
    def no_pair(seen):
        wanted = seen.prediction.parts[:2] == ("output", "weights")
        return wanted and not (isinstance(seen.actual, tuple) and len(seen.actual) == 2)

    @exercise.property(
        "shapes_are_right",
        zh="形状不对：逐个轴对照说明。",
        en="A shape is wrong: compare it with the contract axis by axis.",
    )
    def a_shape_is_wrong(seen):
        pairs = zip(_pair(seen), seen.expected, strict=True)
        return any(np.shape(got) != np.shape(want) for got, want in pairs)

    @exercise.property(
        "scores_have_the_right_size",
        zh="权重的次序对得上，大小却不对：分数整体差了一个倍数，检查缩放。",
        en="The weights are too even or too uneven: all scores are off by one factor, so look at "
        "the scaling.",
    )
    def scores_are_off_by_a_factor(seen):
        actual, wanted = _weights(seen), np.asarray(seen.expected[1])
        if (actual <= 1e-6).any() or (wanted <= 1e-6).any():
            return False  # with closed keys there is no saying
        mine, right = (_centred(np.log(w.astype(float))) for w in (actual, wanted))
        factor = np.sum(mine * right) / np.sum(right * right)
        return abs(factor - 1) > 1e-2 and np.allclose(mine, factor * right, atol=1e-3, rtol=1e-3)

    @exercise.property(
        "weights_come_out_right",
        zh="问题出在得到权重之前：分数、缩放、掩码或 softmax。",
        en="Something is wrong before the weights are done: scores, scaling, mask or softmax.",
    )
    def weights_are_wrong(seen):
        return not np.allclose(_weights(seen), seen.expected[1], atol=1e-4)

    @exercise.property(
        "weights_are_right",
        zh="权重是对的，问题出在权重之后：加权求和或最后的投影。",
        en="The weights are right; what is wrong comes after them: the weighted sum or the last "
        "projection.",
    )
    def only_the_output_is_wrong(seen):
        expected = seen.expected[1]
        return np.allclose(_weights(seen), expected, atol=1e-4)


def _centred(x):
    return x - x.mean(axis=-1, keepdims=True)


def _pair(seen):
    if seen.prediction.parts[:2] != ("output", "weights"):
        raise LookupError("no attention weights here")
    return seen.actual


def _weights(seen):
    """The weights of an observation.

    Raises:
        LookupError: it is about something else, such as gradients.
    """
    weights = np.asarray(_pair(seen)[1])
    if weights.shape != np.asarray(seen.expected[1]).shape:
        raise LookupError("the weights have another shape")
    return weights
