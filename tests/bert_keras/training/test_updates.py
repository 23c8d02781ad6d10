import keras
import numpy as np
from keras import ops

from bert_keras.training.updates import adamw_step, no_decay_variables, warmup_linear_decay


def test_the_schedule_by_hand():
    rates = ops.convert_to_numpy(warmup_linear_decay(np.arange(12), 1.0, 4, 10))
    wanted = [1 / 4, 2 / 4, 3 / 4, 1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0, 0]
    np.testing.assert_allclose(rates, wanted, atol=1e-6)
    assert float(warmup_linear_decay(0, 3.0, 1, 2)) == 3.0


def test_only_the_last_part_of_a_path_counts():
    class Named:
        def __init__(self, path):
            self.path = path

    paths = ["a/kernel", "a/bias", "beta_block/kernel", "norm/gamma", "head/output_bias", "b/beta"]
    found = [v.path for v in no_decay_variables([Named(path) for path in paths])]
    assert found == ["a/bias", "norm/gamma", "head/output_bias", "b/beta"]


def test_a_step_by_hand():
    """The gradient's size cancels; decay goes around it."""
    zero = np.zeros((), "float32")
    for gradient, wanted in ((2.0, 0.899), (0.002, 0.899), (0.0, 0.999)):
        weight, _, _ = adamw_step(np.float32(1), np.float32(gradient), zero, zero, 1, 0.1)
        np.testing.assert_allclose(float(weight), wanted, atol=1e-4)


def test_many_steps_are_those_of_keras():
    """But for epsilon, which Keras adds to the root of the velocity before it is corrected."""
    rng = np.random.default_rng(0)
    start = rng.normal(size=(3, 4)).astype("float32")
    variable = keras.Variable(start)
    optimizer = keras.optimizers.AdamW(0.02, weight_decay=0.3, beta_2=0.9, epsilon=1e-8)
    weight, m, v = ops.convert_to_tensor(start), ops.zeros((3, 4)), ops.zeros((3, 4))
    for number in range(25):
        gradient = ops.convert_to_tensor(rng.normal(size=(3, 4)).astype("float32"))
        optimizer.apply([gradient], [variable])
        weight, m, v = adamw_step(
            weight, gradient, m, v, number + 1, 0.02, 0.9, 0.9, epsilon=1e-8, weight_decay=0.3
        )
    np.testing.assert_allclose(
        ops.convert_to_numpy(weight), ops.convert_to_numpy(variable), atol=3e-5
    )
