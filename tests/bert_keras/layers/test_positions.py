import numpy as np
import pytest
from keras import ops

from bert_keras.layers.positions import LearnedPositions, SinusoidalPositions, sinusoidal_positions


def test_waves_by_the_formula():
    table = ops.convert_to_numpy(sinusoidal_positions(5, 6))
    for t in range(5):
        for i in range(3):
            angle = t / 10000 ** (2 * i / 6)
            np.testing.assert_allclose(table[t, 2 * i], np.sin(angle), atol=1e-6)
            np.testing.assert_allclose(table[t, 2 * i + 1], np.cos(angle), atol=1e-6)


def test_a_step_to_the_side_is_the_same_turn_everywhere():
    table = ops.convert_to_numpy(sinusoidal_positions(40, 8)).astype("float64")
    step = 7
    for i in range(4):
        turn = step / 10000 ** (2 * i / 8)
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        pair = table[:, 2 * i : 2 * i + 2]
        np.testing.assert_allclose(pair[step:], pair[:-step] @ rotation.T, atol=1e-5)


def test_tokens_are_scaled_before_waves_are_added(rng):
    x = rng.normal(size=(2, 3, 4)).astype("float32")
    output = SinusoidalPositions(8, scale=2.0)(x)
    expected = 2 * x + ops.convert_to_numpy(sinusoidal_positions(3, 4))
    np.testing.assert_allclose(output, expected, atol=1e-6)


def test_learned_positions_are_rows_of_the_table(rng, randomized):
    x = rng.normal(size=(2, 3, 4)).astype("float32")
    layer = randomized(LearnedPositions(8), x)
    np.testing.assert_allclose(layer(x), x + ops.convert_to_numpy(layer.table)[:3], atol=1e-6)


@pytest.mark.parametrize("cls", [LearnedPositions, SinusoidalPositions])
def test_too_long_is_refused(cls, rng):
    x = rng.normal(size=(1, 5, 4)).astype("float32")
    with pytest.raises(ValueError, match=r"have 5 tokens.*4 positions only"):
        cls(4)(x)


def test_waves_come_in_pairs(rng):
    with pytest.raises(ValueError, match="even size, not 3"):
        SinusoidalPositions(4)(rng.normal(size=(1, 2, 3)).astype("float32"))
