import keras
import numpy as np
import pytest

from bert_keras.models import BertBackbone, BertPretrainer

SIZES = dict(
    vocabulary_size=29,
    num_layers=3,
    num_heads=2,
    hidden_dim=8,
    intermediate_dim=20,
    max_sequence_length=11,
)


@pytest.fixture
def rng():
    return np.random.default_rng(20181011)


@pytest.fixture
def make_backbone():
    """make_backbone(**changes): a small encoder with random weights everywhere."""

    def make(seed=0, **changes):
        backbone = BertBackbone(**{**SIZES, **changes})
        randomize(backbone, seed)
        return backbone

    return make


@pytest.fixture
def make_pretrainer(make_backbone):
    def make(**changes):
        pretrainer = BertPretrainer(make_backbone(**changes))
        randomize(pretrainer)
        return pretrainer

    return make


def randomize(model, seed=0):
    """Give every weight its own random numbers; gammas stay around 1, so that tokens differ."""
    rng = np.random.default_rng(seed)
    model.set_weights(
        [
            rng.normal(float(w.name == "gamma"), 0.5, w.shape).astype("float32")
            for w in model.weights
        ]
    )


@pytest.fixture
def batch(rng):
    """Three sequences of seven tokens: one full, two padded."""
    padding_mask = np.array([[1] * 7, [1] * 4 + [0] * 3, [1] * 2 + [0] * 5], bool)
    return {
        "token_ids": rng.integers(1, 29, (3, 7)).astype("int32") * padding_mask,
        "segment_ids": np.array([[0, 0, 0, 1, 1, 1, 1]] * 3, "int32") * padding_mask,
        "padding_mask": padding_mask,
    }


@pytest.fixture
def masked_batch(batch, rng):
    """The same with four slots for masked tokens, not all of them used."""
    inputs = {
        **batch,
        "mask_positions": np.array([[1, 3, 4, 6], [2, 1, 0, 0], [1, 0, 0, 0]], "int32"),
    }
    targets = {
        "mask_ids": rng.integers(1, 29, (3, 4)).astype("int32"),
        "mask_weights": np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0]], "float32"),
        "next_sentence_label": np.array([0, 1, 1], "int32"),
    }
    return inputs, targets


@pytest.fixture
def symbolic_batch():
    return {
        "token_ids": keras.Input((None,), dtype="int32", name="token_ids"),
        "segment_ids": keras.Input((None,), dtype="int32", name="segment_ids"),
        "padding_mask": keras.Input((None,), dtype="bool", name="padding_mask"),
    }
