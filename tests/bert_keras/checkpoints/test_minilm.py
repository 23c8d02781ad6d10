"""Real weights: on this machine if the package is in the cache, else with `-m slow`."""

import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.checkpoints import minilm, safetensors
from bert_keras.text.corpora.archives import cache_directory
from bert_keras.text.packing import pack_batch
from bert_keras.text.wordpiece import WordPieceTokenizer

CACHED = (cache_directory() / minilm.MINILM.filename).exists()
pytestmark = [] if CACHED else [pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return minilm.unpack(tmp_path_factory.mktemp("minilm"))


@pytest.fixture(scope="module")
def checkpoint(folder):
    return checkpoints.read(folder)


def test_the_numbers_on_the_package(checkpoint):
    assert checkpoint.parts == ["encoder"] and checkpoint.lowercase
    assert checkpoint.ignored == ["embeddings.position_ids"]
    assert sum(array.size for array in checkpoint.weights.values()) == 22_713_216
    assert len(checkpoint.vocabulary) == 30_522
    assert checkpoint.sizes["activation"] == "gelu"


def test_every_layer_equals_an_independent_bert(folder, checkpoint):
    backbone = checkpoints.build_backbone(checkpoint)
    stored = safetensors.read(folder / "model.safetensors")
    weights = {name: tensor.read() for name, tensor in stored.items()}
    batch = numpy_bert.random_batch(length=13, vocabulary_size=30_522)
    config = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 384}
    expected = numpy_bert.forward(weights, config, batch)
    numpy_bert.assert_layers_close(backbone.all_states(batch), expected)


def test_sentences_that_mean_the_same_are_near(checkpoint):
    """Cosines that the model is known for; they need our tokenizer to be right, too."""
    sentences = [
        "That is a happy person",
        "That is a very happy person",
        "That is a happy dog",
        "Today is a sunny day",
    ]
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)
    encoded = [(tokenizer.encode(sentence), None) for sentence in sentences]
    inputs = pack_batch(encoded, checkpoint.vocabulary, 12)
    output = checkpoints.build_backbone(checkpoint)(inputs)["sequence_output"]
    mask = inputs["padding_mask"][..., None]
    mean = (np.asarray(output) * mask).sum(1) / mask.sum(1)
    mean /= np.linalg.norm(mean, axis=-1, keepdims=True)
    assert mean[1:] @ mean[0] == pytest.approx([0.9429, 0.6946, 0.2569], abs=1e-4)
