import numpy_bert
import pytest


@pytest.fixture
def weights():
    return numpy_bert.random_weights()


@pytest.fixture
def folder(tmp_path, weights):
    """A model in Hugging Face's format, written by hand."""
    return numpy_bert.write_folder(tmp_path / "huggingface", weights)


@pytest.fixture
def run(capsys):
    """run(*words): exit code, standard output, lines of standard error of `bert-keras`."""
    from bert_keras.__main__ import main

    def call(*words):
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err.strip().splitlines()

    return call
