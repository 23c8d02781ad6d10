"""Real weights, 6 layers of 384: every layer against NumPy in float64, and against PyTorch."""

import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.text.packing import pack_batch
from bert_keras.text.wordpiece import WordPieceTokenizer

SIZES = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 384}


@pytest.fixture(scope="module")
def checkpoint(minilm_folder):
    return checkpoints.read(minilm_folder)


@pytest.fixture(scope="module")
def backbone(checkpoint):
    return checkpoints.build_backbone(checkpoint)


def test_the_numbers_on_the_package(checkpoint):
    assert checkpoint.parts == ["encoder"] and checkpoint.lowercase
    assert checkpoint.ignored == ["embeddings.position_ids"]
    assert sum(array.size for array in checkpoint.weights.values()) == 22_713_216
    assert len(checkpoint.vocabulary) == 30_522
    assert checkpoint.sizes["activation"] == "gelu"


def test_every_layer_equals_an_independent_bert(minilm_weights, backbone, minilm_batch):
    expected = numpy_bert.forward(minilm_weights, SIZES, minilm_batch)
    assert len(expected["hidden_states"]) == 7
    numpy_bert.assert_layers_close(backbone.all_states(minilm_batch), expected)


def test_the_other_form_of_gelu_is_seen(minilm_weights, backbone, minilm_batch):
    """The tolerance tells the two forms apart by a factor of hundreds."""
    other = numpy_bert.forward(minilm_weights, SIZES, minilm_batch, gelu=numpy_bert.gelu_tanh)
    last = np.asarray(backbone.all_states(minilm_batch)["sequence_output"])
    assert 1e-3 < np.abs(last - other["hidden_states"][-1]).max() < 1e-2


def test_every_layer_equals_transformers(minilm_folder, backbone, minilm_batch):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    theirs = transformers.BertModel.from_pretrained(minilm_folder).float().eval()
    with torch.no_grad():
        right = theirs(
            input_ids=torch.tensor(minilm_batch["token_ids"], dtype=torch.long),
            token_type_ids=torch.tensor(minilm_batch["segment_ids"], dtype=torch.long),
            attention_mask=torch.tensor(minilm_batch["padding_mask"], dtype=torch.long),
            output_hidden_states=True,
        )
    expected = {
        "hidden_states": [state.numpy() for state in right.hidden_states],
        "pooled_output": right.pooler_output.numpy(),
    }
    numpy_bert.assert_layers_close(backbone.all_states(minilm_batch), expected)


def test_sentences_that_mean_the_same_are_near(checkpoint, backbone):
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
    output = backbone(inputs)["sequence_output"]
    mask = inputs["padding_mask"][..., None]
    mean = (np.asarray(output) * mask).sum(1) / mask.sum(1)
    mean /= np.linalg.norm(mean, axis=-1, keepdims=True)
    assert mean[1:] @ mean[0] == pytest.approx([0.9429, 0.6946, 0.2569], abs=1e-4)
