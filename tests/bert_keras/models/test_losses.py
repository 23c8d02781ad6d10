import math

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.models import masked_lm_loss, next_sentence_loss
from bert_keras.models.losses import sparse_cross_entropy


def logits_with_loss(losses, vocabulary_size=5, target=2):
    """Logits whose cross-entropy at `target` is exactly what was asked for."""
    losses = np.asarray(losses, "float64")
    logits = np.zeros((*losses.shape, vocabulary_size))
    # p = exp(-loss): the others share 1 - p.
    logits[..., target] = np.log((vocabulary_size - 1) / np.expm1(losses))
    return logits.astype("float32")


def test_only_used_slots_count_and_their_number_divides():
    logits = logits_with_loss([[2, 4, 8], [8, 6, 1]])
    ids = np.full((2, 3), 2)
    weights = np.array([[1, 1, 0], [0, 1, 0]], "float32")
    loss = float(masked_lm_loss(logits, ids, weights))
    assert loss == pytest.approx((2 + 4 + 6) / (3 + 1e-5), rel=1e-5)
    moved = logits.copy()
    moved[0, 2] = 50 * np.arange(5)  # an unused slot
    assert float(masked_lm_loss(moved, ids, weights)) == loss


def test_uniform_logits_cost_the_log_of_the_vocabulary():
    loss = masked_lm_loss(np.zeros((2, 3, 7)), np.zeros((2, 3), int), np.ones((2, 3)))
    assert float(loss) == pytest.approx(math.log(7), rel=1e-5)


def test_the_small_constant_of_the_divisor():
    loss = masked_lm_loss(logits_with_loss([[3.0]]), np.array([[2]]), np.array([[1e-5]]))
    assert float(loss) == pytest.approx(1.5, rel=1e-4)
    assert float(masked_lm_loss(np.zeros((2, 3, 7)), np.zeros((2, 3), int), np.zeros((2, 3)))) == 0


def test_half_precision_logits_lose_little():
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 5, (2, 3, 1000)).astype("float16")
    ids = rng.integers(0, 1000, (2, 3))
    exact = logits.astype("float64")
    exact = np.log(np.exp(exact).sum(-1)) - np.take_along_axis(exact, ids[..., None], -1)[..., 0]
    loss = float(masked_lm_loss(logits, ids, np.ones((2, 3), "float16")))
    assert loss == pytest.approx(exact.mean(), rel=1e-4)


def test_next_sentence_by_hand():
    logits = np.array([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0]], "float32")
    expected = [math.log1p(math.exp(-2)), math.log1p(math.exp(3)), math.log(2)]
    loss = float(next_sentence_loss(logits, np.array([0, 0, 1])))
    assert loss == pytest.approx(sum(expected) / 3, rel=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_cross_entropy_and_its_gradient_are_softmax_minus_one_hot(compiled):
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 4, (2, 3, 7)).astype("float32")
    logits[1, 2] += 3e4  # far beyond what exp can hold
    ids = rng.integers(0, 7, (2, 3)).astype("int32")
    weights = rng.normal(size=(2, 3)).astype("float32")
    exact = logits.astype("float64") - logits.max(-1, keepdims=True)
    softmax = np.exp(exact) / np.exp(exact).sum(-1, keepdims=True)
    one_hot = np.eye(7)[ids]

    class Scores(keras.Model):
        """A model that is nothing but its logits, trained by one step of plain descent."""

        def __init__(self):
            super().__init__()
            self.logits = self.add_weight(shape=logits.shape, name="logits")
            self.logits.assign(logits)

        def call(self, ids):
            return sparse_cross_entropy(self.logits * 1.0, ids)

    model = Scores()
    found = ops.convert_to_numpy(model(ids))
    expected = -np.log((softmax * one_hot).sum(-1))
    np.testing.assert_allclose(found[0], expected[0], rtol=2e-5)
    np.testing.assert_allclose(found, expected, atol=4e-3)  # 3e4 has few decimals left
    model.compile(keras.optimizers.SGD(1.0), loss=lambda y, x: ops.sum(x * y), jit_compile=compiled)
    model.train_on_batch(ids, weights)
    moved = logits.astype("float64") - ops.convert_to_numpy(model.logits)
    expected = (softmax - one_hot) * weights[..., None]
    np.testing.assert_allclose(moved[0], expected[0], atol=3e-6)
    np.testing.assert_allclose(moved[1, 2], expected[1, 2], atol=4e-3)
