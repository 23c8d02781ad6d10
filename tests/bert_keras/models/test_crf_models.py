"""Task models whose tags are judged as a sequence."""

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers import LinearChainCRF
from bert_keras.models import JointIntentSlot, TokenClassifier
from bert_keras.models.token_tasks import tags_loss

LABELS = np.array([[-1, 2, 0, -1, 2, 1, -1], [-1, 1, -1, -1, -1, -1, -1], [-1] * 7], "int32")


@pytest.fixture(params=["tags", "slots"])
def made(request, make_backbone):
    """A model with a CRF, and targets."""
    crf = LinearChainCRF(3, allowed_starts=[True, True, False], scale=5.0)
    if request.param == "tags":
        return TokenClassifier(make_backbone(), 3, dropout=0.0, crf=crf), LABELS
    model = JointIntentSlot(make_backbone(), 4, 3, dropout=0.0, crf=crf)
    return model, {"intent": np.array([3, 0, 1], "int32"), "slots": LABELS}


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def test_the_loss_is_per_word_and_begins_with_that_of_the_words():
    logits = np.random.default_rng(0).normal(size=(3, 7, 3)).astype("float32")
    crf = LinearChainCRF(3)
    per_word = float(tags_loss(logits, LABELS))
    assert float(tags_loss(logits, LABELS, crf)) == pytest.approx(per_word, abs=1e-5)
    assert float(tags_loss(logits, np.full_like(LABELS, -1), crf)) == 0
    crf.set_weights([np.eye(3), np.zeros(3), np.ones(3)])
    likelihood = numbers(crf(logits, LABELS, LABELS >= 0)).sum()
    assert float(tags_loss(logits, LABELS, crf)) == pytest.approx(-likelihood / 5, abs=1e-5)


def test_fit_learns_moves_and_a_saved_model_keeps_them(made, batch, tmp_path):
    model, targets = made
    model.compile(optimizer=keras.optimizers.Adam(1e-3), jit_compile=True)
    # Batches of two rows and of one: `fit` does not say beforehand how many there are.
    history = model.fit(batch, targets, epochs=6, batch_size=2, shuffle=False, verbose=0)
    assert history.history["loss"][-1] < history.history["loss"][0]
    moves, starts, ends = model.crf.potentials()
    assert np.abs(moves).max() > 1e-3 and np.abs(ends).max() > 1e-3 and np.isneginf(starts[2])
    model.save(tmp_path / "model.keras")
    restored = keras.models.load_model(tmp_path / "model.keras")
    assert restored.get_config() == model.get_config()
    for new, old in zip(restored.crf.potentials(), (moves, starts, ends), strict=True):
        np.testing.assert_array_equal(new, old)
    paths = [variable.path for variable in model.crf.weights]
    assert paths == [f"{model.name}/{model.crf.name}/{name}" for name in WEIGHTS]


WEIGHTS = ("transitions", "starts", "ends")
