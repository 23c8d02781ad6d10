"""Gradients by hand against finite differences, and Adam against its formula."""

import numpy as np
import pytest

from autograder.oracles import Crash, scale_shift, training_loop

RNG = np.random.default_rng(0)


def problem():
    weights = [RNG.normal(size=s) for s in ((3, 4), (4,), (4, 5), (5,))]
    return weights, RNG.normal(size=(6, 3)), np.array([0, 1, 2, 3, 4, 0])


def numeric(function, arrays):
    """Central differences of a number by every entry of some arrays."""
    found = []
    for array in arrays:
        slope = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            kept = array[i]
            array[i] = kept + 1e-6
            up = function()
            array[i] = kept - 1e-6
            slope[i], array[i] = (up - function()) / 2e-6, kept
        found.append(slope)
    return found


@pytest.mark.parametrize(
    "kind",
    ["cross_entropy", "softmax_twice", "sum", "first_example", "last_example", "squared",
     "squared_of_probabilities", "negative", "negated_logits", "first_half", "without_the_last"],
)  # fmt: skip
def test_gradients_of_every_loss(kind):
    weights, x, y = problem()
    factors = np.array([0.0, 1.5, 1.5, 2.0])

    def loss_and_slopes():
        return training_loop._loss_and_slopes(weights, x, y, kind, factors)

    slopes, wanted = loss_and_slopes()[1], numeric(lambda: loss_and_slopes()[0], weights)
    for slope, right in zip(slopes, wanted, strict=True):
        np.testing.assert_allclose(slope, right, atol=1e-7)


def test_the_first_step_of_adam_goes_by_the_learning_rate():
    weights, x, y = problem()
    losses, *trained = training_loop.overfit.raw(weights, x, y, 1, 0.01)
    assert losses == pytest.approx([training_loop.cross_entropy(weights, x, y)])
    slopes = training_loop._loss_and_slopes(weights, x, y, "cross_entropy")[1]
    for before, after, slope in zip(weights, trained, slopes, strict=True):
        np.testing.assert_allclose(after, before - 0.01 * np.sign(slope), atol=1e-4)


def test_when_losses_are_noted_and_updates_made():
    weights, x, y = problem()
    before, *_ = training_loop.overfit.raw(weights, x, y, 4, 0.1)
    after, *trained = training_loop.overfit.raw(weights, x, y, 3, 0.1, noted="after")
    assert after == pytest.approx(before[1:])
    assert after[-1] == pytest.approx(training_loop.cross_entropy(trained, x, y))
    losses, *late = training_loop.overfit.raw(weights, x, y, 3, 0.1, when="after_the_loop")
    assert losses == pytest.approx([before[0]] * 3)
    once = training_loop.overfit.raw(weights, x, y, 1, 0.1)[1:]
    for one, other in zip(late, once, strict=True):
        np.testing.assert_allclose(one, other)


def test_what_acts_in_training_only_acts_there():
    weights, x, y = problem()
    factors = np.array([0.0, 1.5, 1.5, 2.0])
    acts = training_loop.overfit.raw(weights, x, y, 1, 0.1, factors)[0]
    does_not = training_loop.overfit.raw(weights, x, y, 1, 0.1, factors, mode="inference")[0]
    assert acts != pytest.approx(does_not)
    assert does_not == pytest.approx([training_loop.cross_entropy(weights, x, y)])
    folded = [*weights[:2], factors[:, None] * weights[2], weights[3]]
    assert acts == pytest.approx([training_loop.cross_entropy(folded, x, y)])


def test_training_learns_the_batch_and_mistakes_do_not():
    weights, x, y = problem()
    by_heart, moved = training_loop.by_heart.raw, training_loop.moved.raw
    assert by_heart(weights, x, y, 60, 0.1, 0.2)
    for switch in ({"reached": "none"}, {"direction": "up"}, {"rate_used": "default"}):
        assert not by_heart(weights, x, y, 60, 0.1, 0.2, **switch), switch
    assert moved(weights, x, y, 1, 0.1) == (True,) * 4
    assert moved(weights, x, y, 1, 0.1, reached="last_layer") == (False, False, True, True)
    # The arrays that were given are left alone.
    assert training_loop.cross_entropy(weights, x, y) > 0.5


# ------------------------------------------------------------------ the layer


def layer():
    return RNG.normal(size=(2, 3, 4)), RNG.normal(size=4), RNG.normal(size=4)


@pytest.mark.parametrize(
    ("order", "scaled", "shifted"),
    [
        ("scale_first", "times", "plus"),
        ("scale_first", "times", "minus"),
        ("scale_first", "times", "none"),
        ("scale_first", "over", "plus"),
        ("scale_first", "plus", "plus"),
        ("scale_first", "one_plus", "plus"),
        ("scale_first", "none", "minus"),
        ("shift_first", "times", "plus"),
        ("names_swapped", "times", "plus"),
    ],
)
def test_gradients_of_the_layer(order, scaled, shifted):
    x, scale, shift = layer()
    targets, how = RNG.normal(size=x.shape), dict(order=order, scaled=scaled, shifted=shifted)

    def loss():
        return np.mean((scale_shift.scale_shift.raw(x, scale, shift, **how) - targets) ** 2)

    wanted = numeric(loss, (scale, shift))
    losses, *after = scale_shift.trained.raw(x, scale, shift, targets, 0.1, 1, **how)
    assert losses == pytest.approx([loss()])
    for before, moved, slope in zip((scale, shift), after, wanted, strict=True):
        np.testing.assert_allclose((before - moved) / 0.1, slope, atol=1e-7)


def test_exchanged_names_exchange_the_values():
    x, scale, shift = layer()
    exchanged = scale_shift.scale_shift.raw(x, scale, shift, names="exchanged")
    np.testing.assert_allclose(exchanged, x * shift + scale)
    start = scale_shift.first_weights.raw(4, 2.5, 3, 2, names="exchanged")
    assert [part.tolist() for part in start] == [[0] * 4, [2.5] * 4]
    _, one, two = scale_shift.trained.raw(x, scale, shift, 0 * x, 0.1, 2, names="exchanged")
    _, other_two, other_one = scale_shift.trained.raw(x, shift, scale, 0 * x, 0.1, 2)
    np.testing.assert_allclose([one, two], [other_one, other_two])


def test_what_does_not_learn_stays():
    x, scale, shift = layer()
    _, one, two = scale_shift.trained.raw(x, scale, shift, 0 * x, 0.1, 3, learns="shift")
    assert (one == scale).all() and (two != shift).all()


def test_the_mean_behind_the_layer_needs_the_mask():
    x, scale, shift = layer()
    mask = np.array([[True, True, False], [True, False, False]])
    right = scale_shift.mean_after.raw(x, mask, scale, shift)
    np.testing.assert_allclose(right[1], x[1, 0] * scale + shift)
    lost = scale_shift.mean_after.raw(x, mask, scale, shift, passes="lost")
    np.testing.assert_allclose(lost[1], x[1, 0] * scale / 3 + shift)


def test_three_axes_where_there_may_be_any_number():
    x, scale, shift = layer()
    any_axes = scale_shift.any_axes.raw
    np.testing.assert_allclose(any_axes(x[0], scale, shift, 2), x[0] * scale + shift)
    for two, built_on, axes in ((x[0], 3, "three"), (x, 2, "three_in_build")):
        with pytest.raises(Crash):
            any_axes(two, scale, shift, built_on, axes=axes)
    np.testing.assert_allclose(
        any_axes(x[0], scale, shift, 3, axes="three_in_build"), x[0] * scale + shift
    )


def test_a_twin_knows_what_the_config_says():
    x = RNG.normal(size=(2, 4))
    np.testing.assert_allclose(scale_shift.fresh.raw(x, 2.5, "twin"), 2.5 * x)
    np.testing.assert_allclose(scale_shift.fresh.raw(x, 2.5, "twin", config="incomplete"), x)
    with pytest.raises(Crash):
        scale_shift.fresh.raw(x, 2.5, "twin", config="missing")
    learnt = np.arange(1.0, 5.0)
    twin = scale_shift.fresh.raw(x, 2.5, "twin", learnt, config="learnt")
    np.testing.assert_allclose(twin, learnt * x)
    assert scale_shift.output_dtype.raw("float16", "layer", config="without_base") == "float16"
    for asked, found in (("mixed_float16", "float16"), ("float16", "float32")):
        assert scale_shift.output_dtype.raw(asked, "layer", weight_dtype="fixed") == found
    assert scale_shift.output_dtype.raw("float16", "twin", config="without_base") == "float32"
