import keras
import numpy as np
import pytest

from bert_keras.models import BertBackbone
from bert_keras.models.tasks import TextClassifier


@pytest.fixture
def rng():
    return np.random.default_rng(20150612)


@pytest.fixture
def make_backbone():
    """make_backbone(**changes): four layers of four heads, with weights far from 0."""

    def make(seed=0, **changes):
        keras.utils.set_random_seed(seed)
        sizes = {
            "vocabulary_size": 23,
            "num_layers": 4,
            "num_heads": 4,
            "hidden_dim": 12,
            "intermediate_dim": 18,
            "max_sequence_length": 9,
        }
        backbone = BertBackbone(**{**sizes, **changes})
        rng = np.random.default_rng(seed)
        for variable in backbone.weights:
            center = float(variable.name == "gamma")
            variable.assign(rng.normal(center, 0.4, variable.shape).astype("float32"))
        return backbone

    return make


@pytest.fixture
def batch(rng):
    padding_mask = np.array([[True] * 7, [True] * 5 + [False] * 2])
    return {
        "token_ids": rng.integers(1, 23, (2, 7)).astype("int32") * padding_mask,
        "segment_ids": np.array([[0] * 4 + [1] * 3, [0] * 7], "int32"),
        "padding_mask": padding_mask,
    }


@pytest.fixture
def classifier(make_backbone):
    """classifier(**changes): a classifier into three classes on such an encoder."""

    def make(seed=0, **changes):
        return TextClassifier(make_backbone(seed, **changes), 3)

    return make
