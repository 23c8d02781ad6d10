import json
import re

import keras
import numpy as np
import pytest

from bert_keras.errors import UserError
from bert_keras.training import checkpoints, pretrain
from bert_keras.training.batches import prefetch
from bert_keras.training.config import load
from bert_keras.training.sections import PretrainConfig


class Killed(Exception):
    pass


@pytest.fixture(scope="module")
def finished(prepared, make_config, tmp_path_factory):
    """An uninterrupted run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return folder, pretrain.pretrain(make_config(folder))


def killed_at(step, config, monkeypatch):
    def until(make, start, stop):
        for number, item in zip(range(start, stop), prefetch(make, start, stop), strict=True):
            if number == step:
                raise Killed
            yield item

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(pretrain, "prefetch", until)
        pretrain.pretrain(config)


def test_killed_and_resumed_equals_uninterrupted(finished, make_config, tmp_path, monkeypatch):
    folder, record = finished
    config = make_config(tmp_path / "run")
    killed_at(5, config, monkeypatch)
    # The checkpoint is that of step 3, half-way to the averages of step 4.
    keras.utils.set_random_seed(999)
    resumed = pretrain.pretrain(config, resume=True)
    assert [row["step"] for row in resumed["history"]] == [2, 4, 6, 8, 9]
    assert resumed["history"] == record["history"]
    assert resumed["resumed_at_step"] == 3
    assert resumed["held_out"] == record["held_out"]
    with np.load(folder / "checkpoint.npz") as a, np.load(tmp_path / "run/checkpoint.npz") as b:
        assert a.files == b.files
        assert [n for n in a.files if not np.array_equal(a[n], b[n])] == []


def test_dropout_is_part_of_what_is_resumed(finished):
    folder, _ = finished
    with np.load(folder / "checkpoint.npz") as file:
        states = [name for name in file.files if "seed" in name]
        assert len(states) >= 3
        assert all(file[name].any() for name in states)


def test_positions_may_start_as_sinusoids(make_config, tmp_path):
    config = make_config(tmp_path, "model.position_scale=0.5", "model.hidden_dim=6")
    table = pretrain.build_model(config, 12).backbone.embeddings.position_embedding.embeddings
    table = keras.ops.convert_to_numpy(table)
    assert table.shape == (29, 6)
    for position in (0, 1, 17):
        for feature, exponent in ((0, 0), (2, 1 / 3), (4, 2 / 3)):
            angle = position / 29**exponent
            expected = [0.5 * np.sin(angle), 0.5 * np.cos(angle)]
            np.testing.assert_allclose(table[position, feature : feature + 2], expected, atol=1e-6)


def test_run_folder(finished, make_config):
    folder, record = finished
    assert json.loads((folder / "run.json").read_text(encoding="utf-8")) == record
    assert load(PretrainConfig, folder / "config.toml") == make_config(folder)
    assert sorted(p.name for p in folder.iterdir()) == [
        "backbone.json",
        "backbone.weights.h5",
        "checkpoint.npz",
        "config.toml",
        "run.json",
        "vocab.txt",
    ]
    assert record["data"]["checksum"] and record["versions"]["keras"] and record["seed"] == 13
    loss = record["held_out"]["loss_in_nats"]
    assert set(loss) >= {"masked", "random", "kept", "unigram", "neighbours"}
    assert loss["neighbours"] < loss["unigram"] < loss["uniform"]
    assert record["held_out"]["pairs"] == 50 and record["resumed_at_step"] is None


def test_exported_encoder_is_the_trained_one(finished):
    folder, _ = finished
    backbone, vocabulary, lowercase = checkpoints.load_backbone(folder)
    assert len(vocabulary) == backbone.vocabulary_size and lowercase
    with np.load(folder / "checkpoint.npz") as file:
        saved = {n.split("/", 2)[2]: file[n] for n in file.files if n.startswith("model/")}
    compared = 0
    for variable in backbone.trainable_variables:
        path = re.sub(r"_[0-9]+", "", variable.path)
        key = next(name for name in saved if name.endswith(path))
        assert np.array_equal(saved[key], keras.ops.convert_to_numpy(variable))
        compared += 1
    assert compared > 15


def test_the_model_learns_more_than_frequencies(prepared, make_config, tmp_path):
    config = make_config(
        tmp_path / "run",
        "training.steps=700",
        "training.batch_size=32",
        "training.log_every=700",
        "training.evaluation_pairs=0",
        "model.num_layers=2",
        "model.hidden_dim=32",
        "model.num_heads=2",
        "model.intermediate_dim=64",
        "model.dropout=0.0",
        "model.initializer_stddev=0.1",
        "optimizer.learning_rate=4e-3",
    )
    loss = pretrain.pretrain(config)["held_out"]["loss_in_nats"]
    assert loss["masked"] < loss["unigram"] - 0.3


def test_resume_refuses_what_does_not_fit(finished, make_config, tmp_path):
    folder, _ = finished
    with pytest.raises(UserError, match=r"no checkpoint .* to resume from"):
        pretrain.pretrain(make_config(tmp_path / "new"), resume=True)
    assert not (tmp_path / "new").exists()
    with pytest.raises(UserError, match="belongs to another model") as caught:
        pretrain.pretrain(make_config(folder, "model.hidden_dim=27"), resume=True)
    assert "\n" not in str(caught.value)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/checkpoint.npz").write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(UserError, match="not a readable checkpoint"):
        pretrain.pretrain(make_config(tmp_path / "bad"), resume=True)


def test_a_failing_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(file):
        file.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        checkpoints.write_atomically(path, fail)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
