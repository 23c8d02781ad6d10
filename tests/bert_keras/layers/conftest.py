"""One generic test that every layer passes."""

import json

import keras
import numpy as np
import pytest
from keras import ops


def arrays(tree):
    return [ops.convert_to_numpy(leaf) for leaf in keras.tree.flatten(tree)]


def randomize(layer, seed=0, scale=0.5):
    """Give every weight, also gammas and biases, its own random numbers."""
    rng = np.random.default_rng(seed)
    layer.set_weights([rng.normal(0, scale, w.shape).astype("float32") for w in layer.weights])


def symbolic_inputs(inputs):
    """Keras inputs with free batch size and length, and fixed features."""
    result = []
    for i, x in enumerate(inputs):
        shape = (*(None,) * (x.ndim - 2), x.shape[-1]) if x.dtype.kind == "f" else (None,)
        if x.dtype.kind == "b":
            shape = (None,) * (x.ndim - 1)
        result.append(keras.Input(shape, dtype=x.dtype.name, name=f"input_{i}"))
    return result


@pytest.fixture
def check_layer(tmp_path):
    """check_layer(cls, inputs, call_kwargs={}, no_gradient=(), **config)."""

    def check(cls, inputs, call_kwargs=None, no_gradient=(), **config):
        call_kwargs = call_kwargs or {}
        layer = cls(name="tested", **config)
        layer(*inputs, **call_kwargs)
        randomize(layer)
        eager = arrays(layer(*inputs, **call_kwargs))

        # Config round trip, through JSON, loses nothing and repeats itself.
        restored = cls.from_config(json.loads(json.dumps(layer.get_config())))
        assert restored.get_config() == layer.get_config()
        for name, value in config.items():
            if isinstance(value, int | float):
                assert restored.get_config()[name] == value
        restored(*inputs, **call_kwargs)
        assert [w.path for w in restored.weights] == [w.path for w in layer.weights]
        restored.set_weights(layer.get_weights())
        for a, b in zip(eager, arrays(restored(*inputs, **call_kwargs)), strict=True):
            np.testing.assert_array_equal(a, b)

        # Symbolic use with free sizes, the saved file, and eager use agree.
        symbols = symbolic_inputs([*inputs, *call_kwargs.values()])
        named = dict(zip(call_kwargs, symbols[len(inputs) :], strict=True))
        model = keras.Model(symbols, layer(*symbols[: len(inputs)], **named))
        batch = [*inputs, *call_kwargs.values()]
        path = tmp_path / "layer.keras"
        model.save(path)
        for candidate in (model, keras.models.load_model(path)):
            for a, b in zip(eager, arrays(candidate.predict_on_batch(batch)), strict=True):
                assert a.shape == b.shape
                np.testing.assert_allclose(a, b, atol=1e-5, rtol=1e-5)

        # One step of training moves every weight: gradients reach all of them.
        before = layer.get_weights()
        first = keras.tree.flatten(model.output)[0]
        trainer = keras.Model(symbols, first)
        trainer.compile(
            optimizer=keras.optimizers.SGD(1.0), loss=lambda y, y_pred: ops.sum(y * y_pred)
        )
        target = np.random.default_rng(1).normal(size=eager[0].shape).astype("float32")
        trainer.train_on_batch(batch, target)
        for weight, old in zip(layer.weights, before, strict=True):
            if not weight.path.endswith(tuple(no_gradient)):
                assert np.abs(ops.convert_to_numpy(weight) - old).max() > 1e-6, weight.path

        # Mixed precision: half-precision results, full-precision weights.
        half = cls(dtype="mixed_float16", **config)
        outputs = half(*inputs, **call_kwargs)
        for output in keras.tree.flatten(outputs):
            assert keras.backend.standardize_dtype(output.dtype) == "float16"
        assert all(np.isfinite(x).all() for x in arrays(outputs))
        assert {w.dtype for w in half.weights} <= {"float32"}

    return check


@pytest.fixture
def rng():
    return np.random.default_rng(20181011)


@pytest.fixture
def randomized():
    """randomized(layer, *inputs): the layer, built, with random weights everywhere."""

    def build(layer, *inputs):
        layer(*inputs)
        randomize(layer)
        return layer

    return build
