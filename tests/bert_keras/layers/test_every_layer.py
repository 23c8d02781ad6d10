"""One generic test that every public layer passes; a layer without a case fails it."""

import importlib
import inspect
import json
import pkgutil
import warnings

import keras
import numpy as np
import pytest
from backend_tools import arrays, compiled, randomize, step
from keras import ops
from layer_cases import CASES, V

import bert_keras.layers

every_layer = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def built(case, **changes):
    """The layer with random weights, called once."""
    layer = case.layer(**changes)
    layer(**case.inputs())
    randomize(layer)
    return layer


def public_layers():
    found = set()
    for module in pkgutil.iter_modules(bert_keras.layers.__path__):
        content = importlib.import_module(f"bert_keras.layers.{module.name}")
        for name, value in inspect.getmembers(content, inspect.isclass):
            ours = value.__module__ == content.__name__ and not name.startswith("_")
            if ours and issubclass(value, keras.Layer):
                found.add(value)
    return found


def test_no_layer_is_left_out():
    assert {case.cls for case in CASES} == public_layers()


@every_layer
def test_configuration_round_trip(case):
    """Through JSON, it loses nothing, repeats itself, and builds a layer that computes the same."""
    layer, inputs = built(case), case.inputs()
    config = layer.get_config()
    restored = case.cls.from_config(json.loads(json.dumps(config)))
    assert restored.get_config() == config
    assert {key: config[key] for key in case.config} == case.config
    restored(**inputs)
    assert [w.path for w in restored.weights] == [w.path for w in layer.weights]
    restored.set_weights(layer.get_weights())
    for found, right in zip(arrays(restored(**inputs)), arrays(layer(**inputs)), strict=True):
        np.testing.assert_array_equal(found, right)


@every_layer
def test_symbolic_saved_and_eager_agree_at_odd_sizes(case, tmp_path):
    """One graph for all batch sizes and lengths, and the file that it was saved to."""
    layer = built(case)

    def symbol(name, x):
        if name in case.fixed:
            return keras.Input(batch_shape=x.shape, dtype=x.dtype.name)
        sizes = (None,) * (x.ndim - 1)
        if x.dtype.kind == "f":
            sizes = (*sizes[:-1], x.shape[-1])  # features are known, lengths are not
        elif name.endswith("mask") and x.ndim == 3:
            sizes = (1, None)
        return keras.Input(sizes, dtype=x.dtype.name)

    symbols = {
        name: [symbol(name, x) for x in value] if isinstance(value, list) else symbol(name, value)
        for name, value in case.inputs().items()
    }
    model = keras.Model(keras.tree.flatten(symbols), layer(**symbols))
    model.save(tmp_path / "layer.keras")
    loaded = keras.models.load_model(tmp_path / "layer.keras")
    for batch, length in ((3, 5), (1, 1), (2, 7)):
        inputs = case.inputs(batch, length)
        right = arrays(layer(**inputs))
        assert all(np.isfinite(array).all() for array in right)
        for candidate in (model, loaded):
            for found, expected in zip(
                arrays(candidate(keras.tree.flatten(inputs))), right, strict=True
            ):
                assert found.shape == expected.shape
                np.testing.assert_allclose(found, expected, atol=1e-5, rtol=1e-5)


@every_layer
def test_compiled_by_xla_equals_eager(case):
    layer, inputs = built(case), case.inputs()
    for found, right in zip(arrays(compiled(layer, inputs)), arrays(layer(**inputs)), strict=True):
        np.testing.assert_allclose(found, right, atol=1e-5, rtol=1e-5)


@every_layer
def test_gradients_reach_every_weight(case):
    layer, inputs = built(case), case.inputs()
    first = keras.tree.flatten(layer(**inputs))[0]
    direction = np.random.default_rng(1).normal(size=first.shape).astype("float32")
    _, gradients, _ = step(
        layer, inputs, lambda outputs: ops.sum(keras.tree.flatten(outputs)[0] * direction)
    )
    assert len(layer.trainable_variables) == len(layer.weights) == len(gradients)
    for weight, gradient in zip(layer.weights, gradients, strict=True):
        assert gradient is not None and gradient.shape == weight.shape
        if not weight.path.endswith(case.free_of_gradient or ("no such",)):
            assert np.abs(gradient).max() > 1e-5, weight.path


# Relative to the largest number in the output: 8 bits of mantissa, and 11.
@pytest.mark.parametrize(
    ("policy", "tolerance"), [("mixed_bfloat16", 0.06), ("mixed_float16", 0.008)]
)
@every_layer
def test_half_precision(case, policy, tolerance):
    """Half-precision results near the full ones, full-precision weights, finite gradients."""
    full, half, inputs = built(case), built(case, dtype=policy), case.inputs()
    half.set_weights(full.get_weights())
    assert {w.dtype for w in half.weights} <= {"float32"}
    for found, right in zip(half_outputs(half, inputs), arrays(full(**inputs)), strict=True):
        assert keras.backend.standardize_dtype(found.dtype) == policy.removeprefix("mixed_")
        found = ops.convert_to_numpy(ops.cast(found, "float32"))
        assert np.abs(found - right).max() <= tolerance * max(1, np.abs(right).max())
    _, gradients, _ = step(half, inputs, lambda outputs: ops.sum(keras.tree.flatten(outputs)[0]))
    assert all(np.isfinite(g.astype("float32")).all() for g in gradients)


def half_outputs(layer, inputs):
    return keras.tree.flatten(layer(**inputs))


@every_layer
def test_what_stands_at_padding_changes_no_real_position(case):
    layer, inputs = built(case), case.inputs()
    real = {}  # input → (B, S), True at real positions
    for mask, closed in case.masks.items():
        for name in closed:
            real[name] = inputs[mask].reshape(len(inputs[mask]), -1)
    if case.rows and case.rows not in real:  # every position on its own: any may be padding
        real[case.rows] = np.arange(5) < np.array([5, 3, 1])[:, None]
    if not real:
        pytest.skip("no positions")
    changed = dict(inputs)
    for name, mask in real.items():
        other = -1 - inputs[name] if inputs[name].dtype.kind == "f" else V - 1 - inputs[name]
        where = mask if inputs[name].ndim == 2 else mask[..., None]
        changed[name] = np.where(where, inputs[name], other)
        assert (changed[name] != inputs[name]).any(), "the test changes nothing"
    before = arrays(layer(**inputs))[0]
    after = arrays(layer(**changed))[0]
    if case.rows:
        before, after = before[real[case.rows]], after[real[case.rows]]
    np.testing.assert_allclose(after, before, atol=1e-6)


@every_layer
def test_masks_of_numbers_are_refused(case):
    """In other libraries a mask may be 0 where open and -1e9 where closed: here it would invert."""
    if case.cls is bert_keras.layers.MultiHeadAttention:
        pytest.skip("its code is what the course shows; the blocks' own attention looks")
    for name in case.masks:
        inputs = case.inputs()
        inputs[name] = np.where(inputs[name], 0, -1e9).astype("float32")
        with pytest.raises(ValueError, match="mask must be bool"):
            case.layer()(**inputs)


@every_layer
def test_a_keras_mask_is_passed_on_or_its_end_is_announced(case):
    """Attention takes its masks by name: there Keras says that the implicit one goes no further."""
    inputs = case.inputs()
    name = next(iter(inputs))
    if isinstance(inputs[name], list) or inputs[name].ndim < 3:
        pytest.skip("no positions with features, or several tensors")
    if case.passes_mask_on:
        inputs.pop("mask", None)
    x = ops.convert_to_tensor(inputs[name])
    mask = ops.convert_to_tensor(np.arange(5) < np.array([5, 3, 1])[:, None])
    keras.src.backend.set_keras_mask(x, mask)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        outputs = case.layer()(**{**inputs, name: x})
    first = keras.tree.flatten(outputs)[0]
    found = getattr(first, "_keras_mask", None)
    announced = any("destroy the mask" in str(warning.message) for warning in said)
    if case.passes_mask_on:
        np.testing.assert_array_equal(found, mask)
        assert not announced
    else:
        assert found is None and announced
