import errno
import json
import re

import keras
import numpy as np
import pytest

from bert_keras.errors import UserError
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.training import checkpoints, curves, devices, prepare, pretrain, pretrain_steps
from bert_keras.training.config import load
from bert_keras.training.record import FILES, check_folder, start_run
from bert_keras.training.sections import PretrainConfig
from bert_keras.training.tensorboard import read_scalars

WORDS = Vocabulary([*SPECIAL_TOKENS, *(chr(0x4E00 + n) for n in range(55))])


class Killed(Exception):
    pass


EVERYTHING = (
    "training.evaluate_every=4",
    "training.dev_pairs=20",
    "training.patience=9",
    "training.tensorboard=true",
)


@pytest.fixture(scope="module")
def finished(prepared, make_config, tmp_path_factory):
    """An uninterrupted run with everything that a run can have."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return folder, pretrain.pretrain(make_config(folder, *EVERYTHING))


def progress_of(folder):
    with np.load(folder / "checkpoint.npz") as file:
        return json.loads(bytes(file["progress"]))


def killed_at(step, config, monkeypatch):
    whole = pretrain_steps.batch_maker

    def broken(*arguments):
        make, short_steps = whole(*arguments)

        def until(number):
            if number == step:
                raise Killed
            return make(number)

        return until, short_steps

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(pretrain_steps, "batch_maker", broken)
        pretrain.pretrain(config)


def test_killed_and_resumed_equals_uninterrupted(finished, make_config, tmp_path, monkeypatch):
    folder, record = finished
    config = make_config(tmp_path / "run", *EVERYTHING)
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
        assert any(name.startswith("best/") for name in a.files)
        names = [name for name in a.files if name != "progress"]
        assert [n for n in names if not np.array_equal(a[n], b[n])] == []
    states = [progress_of(folder), progress_of(tmp_path / "run")]
    for state in states:
        del state["speed"]  # seconds are never the same twice
    assert states[0] == states[1]
    # Every step stands once in the curves, though the killed run had written step 4.
    written = read_scalars(tmp_path / "run")
    assert written.keys() == read_scalars(folder).keys()
    assert [step for step, _ in written["loss"]] == [2, 4, 6, 8, 9]
    assert [step for step, _ in written["dev_masked"]] == [4, 8, 9]


def test_history_has_what_one_wants_to_plot(finished, tmp_path):
    _, record = finished
    rows = {row["step"]: row for row in record["history"]}
    assert list(rows) == [2, 4, 6, 8, 9]
    assert set(rows[2]) == {
        *("step", "loss", "mlm_loss", "nsp_loss", "learning_rate", "gradient_norm")
    }
    # One warm-up update of nine; the update after step s has number s, and s - 1 came before.
    for step, row in rows.items():
        assert row["learning_rate"] == pytest.approx(1e-3 * min(1, (9 - (step - 1)) / 8))
        assert row["loss"] == pytest.approx(row["mlm_loss"] + row["nsp_loss"], rel=1e-2)
    looks = {step: row["dev_masked"] for step, row in rows.items() if "dev_masked" in row}
    assert list(looks) == [4, 8, 9]
    assert record["best_step"] == min(looks, key=looks.get)
    assert curves.curves_of(record)["dev"] == list(looks.items())
    curves.plot_losses(record, tmp_path / "loss.png")
    assert (tmp_path / "loss.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with pytest.raises(UserError, match="there is no folder"):
        curves.check(tmp_path / "none" / "loss.png")


def test_stops_early_and_exports_the_best_weights(make_config, prepared, tmp_path, monkeypatch):
    masked, looks = iter([3.0, 2.0, 2.5, 2.1]), []

    def figures(model, held_out, batch_size):
        table = model.backbone.embeddings.token_embedding.embeddings
        looks.append(keras.ops.convert_to_numpy(table).copy())
        return {"masked": next(masked)}, {}

    monkeypatch.setattr(pretrain_steps.evaluate, "held_out_figures", figures)
    monkeypatch.setattr(pretrain.evaluate, "held_out_report", lambda *args, **more: {})
    config = make_config(
        tmp_path / "run",
        "training.short_length=0",
        "training.evaluate_every=1",
        "training.patience=2",
        "training.checkpoint_every=0",
    )
    result = pretrain.pretrain(config)
    assert (result["steps"], result["best_step"], len(looks)) == (4, 2, 4)
    exported, _, _ = checkpoints.load_backbone(tmp_path / "run")
    table = keras.ops.convert_to_numpy(exported.embeddings.token_embedding.embeddings)
    assert np.array_equal(table, looks[1]) and not np.array_equal(table, looks[3])
    # Resumed, there is nothing left to do, and the result is the same.
    again = pretrain.pretrain(config, resume=True)
    assert (again["steps"], again["best_step"], len(looks)) == (4, 2, 4)


def test_a_run_is_not_overwritten_by_accident(finished, make_config):
    folder, record = finished
    before = (folder / "checkpoint.npz").read_bytes()
    with pytest.raises(UserError, match=r"already holds a run: .*--resume, .*--force") as caught:
        pretrain.pretrain(make_config(folder))
    assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match="choose one"):
        pretrain.pretrain(make_config(folder), resume=True, force=True)
    assert (folder / "checkpoint.npz").read_bytes() == before
    assert json.loads((folder / "run.json").read_text(encoding="utf-8")) == record


def test_force_removes_the_run_and_nothing_else(make_config, tmp_path):
    config = make_config(tmp_path)
    for name in (*FILES, "notes.txt", ".checkpoint.npz.17.tmp"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    check_folder(config, resume=False, force=True)
    start_run(config, force=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.toml", "notes.txt"]


def test_a_full_disk_costs_one_line_and_no_checkpoint(make_config, tmp_path, monkeypatch):
    model = pretrain.build_model(make_config(tmp_path, "model.hidden_dim=24"), WORDS)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(b"old")

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(checkpoints.np, "savez", full)
    with pytest.raises(UserError, match=r"No space left on device; .*--resume") as caught:
        checkpoints.save(path, model, model.optimizer, {})
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_the_loss_scale_is_part_of_a_checkpoint(make_config, tmp_path):
    config = make_config(tmp_path, "training.precision=mixed_float16")
    devices.set_precision("mixed_float16")
    try:
        model, fresh = (pretrain.build_model(config, WORDS) for _ in range(2))
    finally:
        devices.set_precision("float32")
    for optimizer, scale, steps in ((model.optimizer, 2.0**9, 7), (fresh.optimizer, 4.0, 1)):
        optimizer.dynamic_scale.assign(scale)
        optimizer.step_counter.assign(steps)
    checkpoints.save(tmp_path / "checkpoint.npz", model, model.optimizer, {"step": 5})
    checkpoints.restore(tmp_path / "checkpoint.npz", fresh, fresh.optimizer)
    assert float(fresh.optimizer.dynamic_scale) == 2.0**9
    assert int(fresh.optimizer.step_counter) == 7


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.999])
def test_a_checkpoint_that_is_cut_off_is_refused(finished, make_config, tmp_path, kept):
    folder, _ = finished
    content = (folder / "checkpoint.npz").read_bytes()
    (tmp_path / "checkpoint.npz").write_bytes(content[: int(kept * len(content))])
    with pytest.raises(UserError, match="not a readable checkpoint") as caught:
        checkpoints.restore(tmp_path / "checkpoint.npz", None, None)
    assert "\n" not in str(caught.value)


def test_other_files_are_no_checkpoints(tmp_path):
    path = tmp_path / "checkpoint.npz"
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(UserError, match="not a readable checkpoint"):
        checkpoints.restore(path, None, None)
    np.savez(path, a=np.arange(3))
    with pytest.raises(UserError, match="not a readable checkpoint"):
        checkpoints.restore(path, None, None)


def test_dropout_is_part_of_what_is_resumed(finished):
    folder, _ = finished
    with np.load(folder / "checkpoint.npz") as file:
        states = [name for name in file.files if "seed" in name]
        assert len(states) >= 3
        assert all(file[name].any() for name in states)


def test_positions_may_start_as_sinusoids(make_config, tmp_path):
    config = make_config(tmp_path, "model.position_scale=0.5", "model.hidden_dim=6")
    table = pretrain.build_model(config, WORDS).backbone.embeddings.position_embedding.embeddings
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
    assert load(PretrainConfig, folder / "config.toml") == make_config(folder, *EVERYTHING)
    assert sorted(p.name for p in folder.iterdir()) == [
        "backbone.json",
        "backbone.weights.h5",
        "checkpoint.npz",
        "config.toml",
        "run.json",
        "tensorboard",
        "vocab.txt",
    ]
    assert record["padded_tokens_per_second"] > record["tokens_per_second"] > 0
    assert record["mfu"] is None and record["speed"][-1]["step"] == 9
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
    with pytest.raises(UserError, match=r"was made with model\.hidden_dim = 24, not 27") as caught:
        pretrain.pretrain(make_config(folder, *EVERYTHING, "model.hidden_dim=27"), resume=True)
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


def test_further_pretraining_starts_where_another_run_ended(finished, make_config, tmp_path):
    """The text is prepared with the first run's tokens, and all weights are the first run's."""
    folder, record = finished
    again = [f"data.directory={tmp_path / 'data'}", f"data.vocabulary_file={folder / 'vocab.txt'}"]
    config = make_config(
        tmp_path / "run", *again, f"training.checkpoint={folder}", "model.num_layers=7"
    )
    corpus = prepare.prepare(config) and prepare.load(config.data.directory)
    assert corpus.vocabulary.tokens == checkpoints.load_backbone(folder)[1].tokens
    model = pretrain.build_model(config, corpus.vocabulary, corpus.lowercase)
    assert model.backbone.num_layers == record["config"]["model"]["num_layers"]
    with np.load(folder / "checkpoint.npz") as file:
        bias = next(file[name] for name in file.files if name.endswith("output_bias"))
    found = keras.ops.convert_to_numpy(model.masked_lm_head.output_bias)
    assert np.array_equal(found, bias) and bias.any()
    encoder = checkpoints.load_backbone(folder)[0]
    for new, old in zip(model.backbone.weights, encoder.weights, strict=True):
        assert np.array_equal(*map(keras.ops.convert_to_numpy, (new, old)))


def test_further_pretraining_on_other_tokens_is_refused(finished, make_config, tmp_path):
    folder, _ = finished
    given = [f"training.checkpoint={folder}"]
    config = make_config(tmp_path / "run", *given)
    tokens = checkpoints.load_backbone(folder)[1].tokens
    with pytest.raises(UserError, match=r"other tokens than .* data\.vocabulary_file"):
        pretrain.build_model(config, Vocabulary([*tokens[:-1], "鑫"]))
    with pytest.raises(UserError, match=r"data\.lowercase = false, .* trained with true"):
        pretrain.build_model(config, Vocabulary(tokens), lowercase=False)
    longer = make_config(tmp_path / "run", *given, "model.max_sequence_length=64")
    with pytest.raises(UserError, match=r"\(64\) exceeds what .* has positions for \(29\)"):
        pretrain.build_model(longer, Vocabulary(tokens))
    missing = make_config(tmp_path / "run", "data.vocabulary_file=none.txt")
    with pytest.raises(UserError, match=r"cannot read data\.vocabulary_file none\.txt: No such"):
        prepare.prepare(missing)
