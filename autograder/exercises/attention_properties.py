"""What every right attention has, to say where to look when no mistake can be named."""

import numpy as np

from autograder.oracles.dropout import PARTS


def add_properties(exercise, masked=True):
    """Register the properties of a pair (output, weights) with an exercise.

    Args:
        exercise: the exercise.
        masked: whether the keys that a mask closes are spoken of in general, or by properties of
            the exercise's own that say which keys these are.
    """

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
        "result_is_finite",
        zh="结果里有 NaN 或无穷大：某一步用了无穷大、除以了 0，或对负数开了方。",
        en="There are NaN or infinities in the result: some step uses infinity, divides by zero or "
        "takes the root of a negative number.",
    )
    def not_finite(seen):
        if seen.prediction.function.__name__ == "finite_queries":
            return not np.asarray(seen.actual).all()
        return any(not np.isfinite(part).all() for part in _pair(seen))

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
        alone=not masked,
        zh="有的键已经关闭，却还分到了权重。",
        en="Some closed keys still get weight.",
    )
    def closed_keys_get_weight(seen):
        wanted = np.asarray(seen.expected[1])
        # A query without any open key may have whatever weights it likes.
        closed = (wanted < 1e-12) & (wanted.sum(axis=-1, keepdims=True) > 0.5)
        return bool((np.where(closed, _weights(seen), 0) > 1e-6).any())

    @exercise.property(
        "open_keys_get_something",
        alone=not masked,
        zh="有的键是开放的，却几乎没有分到权重。",
        en="Some open keys get hardly any weight.",
    )
    def open_keys_get_nothing(seen):
        wanted = np.asarray(seen.expected[1])
        return bool((_weights(seen)[wanted > 1e-3] < 1e-9).any())

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
        alone=True,
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

    @exercise.property(
        "gradient_reaches_every_input",
        zh="数值算得出，梯度却到不了某个输入：中途有一步不可导，或离开了张量。",
        en="There are values, but no gradient reaches one of the inputs: some step can't be "
        "differentiated or leaves the tensors.",
    )
    def a_gradient_is_zero(seen):
        pairs = zip(_gradients(seen), seen.expected, strict=True)
        return any(not np.any(got) and np.any(want) for got, want in pairs)

    @exercise.property(
        "gradients_are_right",
        alone=True,
        zh="数值对，梯度的数值却不对：求导所走的路与前向计算不一致。",
        en="The values are right but the gradients aren't: what is differentiated isn't what is "
        "computed.",
    )
    def gradients_are_wrong(seen):
        return len(_gradients(seen)) > 0  # only what is wrong is ever asked


def add_output_property(exercise):
    """For functions that are given the values themselves: the output has to follow from them."""

    @exercise.property(
        "output_follows_from_weights",
        zh="输出不是“用你返回的权重对 value 加权求和”的结果：参与求和的是别的东西。",
        en="The output isn't the values summed with the weights that you return: something else "
        "takes part in the sum.",
    )
    def output_is_another_sum(seen):
        dropout = seen.args[4] if len(seen.args) > 4 else None
        if dropout is not None:
            return False
        weights, value = _weights(seen), np.asarray(seen.args[2])
        rows = np.asarray(seen.expected[1]).sum(axis=-1) > 0.5  # those that aren't free
        gap = np.abs(np.asarray(seen.actual[0]) - weights @ value).max(axis=-1)
        return bool((gap[rows] > 1e-4).any())


def add_layer_properties(exercise):
    """What is asked of a layer beyond its numbers: it repeats itself, and all its parts count."""

    @exercise.property(
        "calls_agree",
        zh="同样的输入调用两次，结果不同：推理时有一步是随机的。",
        en="Two calls on the same input differ: some step of inference is random.",
    )
    def calls_differ(seen):
        if seen.prediction.parts == PARTS:
            return not np.all(seen.actual[0])
        if seen.prediction.function.__name__ in ("weights_that_count", "calls_agree"):
            return not np.asarray(seen.actual).ravel()[-1]
        return False

    @exercise.property(
        "every_projection_counts",
        zh="有的投影改了也不影响输出：它没有被用上。",
        en="Some projection can be changed without any effect: it isn't used.",
    )
    def a_projection_is_idle(seen):
        if seen.prediction.function.__name__ != "weights_that_count":
            return False
        facts = np.asarray(seen.actual)
        return bool(facts[-1] and not facts.all())

    @exercise.property(
        "dropout_acts_in_training",
        zh="训练时 dropout 没有动静，或者丢掉的份额不对。",
        en="In training nothing is dropped, or another share than asked for.",
    )
    def dropout_is_idle(seen):
        return _law_is_broken(seen, "dropped")

    @exercise.property(
        "dropped_weights_vanish_alone",
        zh="训练时应当是个别权重变成 0、其余按比例放大，你的不是：看看 dropout 作用在什么上、"
        "作用了几次。",
        en="What training changes isn't single weights that vanish while the others grow in "
        "proportion: look at what dropout acts on, and how often.",
    )
    def dropout_acts_elsewhere(seen):
        return any(_law_is_broken(seen, part) for part in ("ratios", "twins", "neighbours"))

    @exercise.property(
        "returned_weights_are_from_before_dropout",
        zh="训练时返回的权重变了：约定返回 dropout 之前的。",
        en="In training the returned weights change; those from before dropout are asked for.",
    )
    def returned_weights_change(seen):
        return _law_is_broken(seen, "returned")


def _law_is_broken(seen, part) -> bool:
    if seen.prediction.parts != PARTS or not np.all(seen.actual[0]):
        return False
    law, outcomes = seen.expected.laws[part], seen.actual[PARTS.index(part)]
    return law.surprise(outcomes) <= seen.alpha / len(PARTS)


def _centred(x):
    return x - x.mean(axis=-1, keepdims=True)


def _pair(seen):
    if seen.prediction.parts[:2] != ("output", "weights"):
        raise LookupError("no attention weights here")
    return seen.actual


def _gradients(seen):
    if not seen.prediction.parts[0].startswith("d_"):
        raise LookupError("no gradients here")
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
