import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers.convolution import MaskedConvolution, conv1d_same, receptive_field


@pytest.mark.parametrize("dilation_rate", [1, 2, 3])
@pytest.mark.parametrize("kernel_size", [1, 3, 5])
def test_against_kerass_convolution(kernel_size, dilation_rate, rng):
    x = rng.normal(size=(2, 9, 3)).astype("float32")
    kernel = rng.normal(size=(kernel_size, 3, 4)).astype("float32")
    bias = rng.normal(size=4).astype("float32")
    theirs = keras.layers.Conv1D(4, kernel_size, padding="same", dilation_rate=dilation_rate)
    theirs.build(x.shape)
    theirs.set_weights([kernel, bias])
    ours = conv1d_same(x, kernel, bias, dilation_rate=dilation_rate)
    np.testing.assert_allclose(ours, theirs(x), atol=1e-5)


@pytest.mark.parametrize(
    ("sizes", "rates", "seen"),
    [([3], None, 3), ([3, 3], None, 5), ([5, 3, 3], None, 9), ([3, 3, 3], [1, 2, 4], 15)],
)
def test_the_receptive_field_is_what_an_output_really_depends_on(sizes, rates, seen):
    assert receptive_field(sizes, rates) == seen
    length, middle = 31, 15
    changed = []
    for position in range(length):
        x = np.zeros((1, length, 1), "float32")
        x[0, position] = 1
        for size, rate in zip(sizes, rates or [1] * len(sizes), strict=True):
            kernel = np.ones((size, 1, 1), "float32")
            x = conv1d_same(x, kernel, np.zeros(1, "float32"), dilation_rate=rate)
        changed.append(float(ops.convert_to_numpy(x)[0, middle, 0]) != 0)
    assert sum(changed) == seen
    assert changed[middle - seen // 2 : middle + seen // 2 + 1] == [True] * seen


def test_padding_counts_as_nothing(rng, randomized):
    x = rng.normal(size=(2, 6, 3)).astype("float32")
    mask = np.arange(6) < np.array([[6], [3]])
    layer = randomized(MaskedConvolution(4, 3), x)
    output = ops.convert_to_numpy(layer(x, mask=mask))
    alone = ops.convert_to_numpy(layer(x[1:, :3]))
    np.testing.assert_allclose(output[1, :3], alone[0], atol=1e-6)


def test_an_even_window_is_refused():
    with pytest.raises(ValueError, match="kernel_size is 4"):
        MaskedConvolution(2, 4)
