import math

import keras
import numpy as np
from keras import ops

from bert_keras.layers.activations import gelu, quick


def test_gelu_is_exact_over_all_that_matters():
    x = np.linspace(-12, 12, 4801).astype("float32")
    exact = [v * 0.5 * math.erfc(-v / math.sqrt(2)) for v in x.astype("float64")]
    error = np.abs(ops.convert_to_numpy(gelu(x)) - exact)
    assert (error < 1e-6 * (1 + np.abs(x))).all()


def test_only_keras_own_exact_gelu_is_replaced():
    assert quick(keras.activations.gelu) is gelu
    assert quick(keras.activations.relu) is keras.activations.relu
