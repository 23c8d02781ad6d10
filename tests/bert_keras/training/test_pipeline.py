"""Batches on their way into `fit`: in order, once each, and only sound ones."""

import threading

import keras
import numpy as np
import pytest

from bert_keras.training import pipeline


def numbered(number, width=3):
    return {"a": np.full((2, width), number, "int32")}, np.full(2, number, "float32")


def taken(dataset):
    return [int(np.asarray(inputs["a"])[0, 0]) for inputs, _ in dataset]


def test_every_batch_once_in_order_whatever_the_parts():
    asked = []

    def make(number):
        asked.append((number, threading.current_thread() is threading.main_thread()))
        return numbered(number)

    with pipeline.BatchStream(make, 4, 15) as stream:
        assert taken(stream.take(3)) == [4, 5, 6]
        assert taken(stream.take(1)) == [7]
        assert taken(stream.take(99)) == [8, 9, 10, 11, 12, 13, 14]
    assert asked == [(number, False) for number in range(4, 15)]


def test_the_shape_is_told_unless_it_varies():
    if keras.backend.backend() != "tensorflow":
        pytest.skip("only TensorFlow is told shapes")
    inputs, labels = pipeline.as_dataset(numbered, 0, 5).element_spec
    assert inputs["a"].shape == (2, 3) and labels.shape == (2,)
    assert int(pipeline.as_dataset(numbered, 0, 5).cardinality()) == 5

    def widening(number):
        return numbered(number, 3 + number % 2)

    found = pipeline.as_dataset(widening, 0, 5, widths_vary=True)
    assert [inputs["a"].shape[1] for inputs, _ in found] == [3, 4, 3, 4, 3]


def test_predict_takes_inputs_alone():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, use_bias=False)])
    model.compile(run_eagerly=True)
    rows = np.arange(24, dtype="float32").reshape(4, 2, 3)
    found = model.predict(pipeline.as_dataset(lambda n: rows[n], 0, 4), verbose=0)
    kernel = keras.ops.convert_to_numpy(model.weights[0])
    np.testing.assert_allclose(found, rows.reshape(8, 3) @ kernel, rtol=1e-5)


def sound():
    return {
        "token_ids": np.array([[2, 7, 8, 3], [2, 9, 3, 0]]),
        "padding_mask": np.array([[1, 1, 1, 1], [1, 1, 1, 0]], bool),
        "mask_positions": np.array([[1], [3]]),
    }


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("token_ids", lambda a: a + 3, r"row 1 of batch 6 holds the id 12, .* has 12 tokens"),
        ("token_ids", lambda a: a - 1, "row 1 of batch 6 holds the id -1"),
        ("token_ids", lambda a: np.pad(a, ((0, 0), (0, 1))), "rows of 5 tokens; .* 4 at most"),
        ("padding_mask", lambda a: a.astype("int32"), r"must be bool \(2, 4\), not int32"),
        ("padding_mask", lambda a: a[:, :3], r"must be bool \(2, 4\), not bool \(2, 3\)"),
        ("mask_positions", lambda a: a + 1, "prediction outside its 4 places"),
    ],
)
def test_what_would_read_past_a_table_is_refused(name, change, message):
    inputs = sound()
    pipeline.check_inputs(inputs, 6, vocabulary_size=12, length=4)
    inputs[name] = change(inputs[name])
    with pytest.raises(pipeline.BatchError, match=message) as caught:
        pipeline.check_inputs(inputs, 6, vocabulary_size=12, length=4)
    assert "\n" not in str(caught.value)
