import errno
import json
import subprocess
import sys

import keras
import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.checkpoints import formats, ours
from bert_keras.training import checkpoints as training
from bert_keras.training import convert as conversion
from bert_keras.training.checkpoints import load_backbone


def contents(folder):
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def same(first, second):
    assert first.weights.keys() == second.weights.keys()
    assert all(np.array_equal(second.weights[n], v) for n, v in first.weights.items())
    assert first.sizes == second.sizes and first.lowercase == second.lowercase
    assert first.vocabulary.tokens == second.vocabulary.tokens


@pytest.mark.parametrize("heads", [True, False])
def test_round_the_world_is_exact(tmp_path, run, heads):
    weights = numpy_bert.random_weights(heads=heads)
    first = numpy_bert.write_folder(tmp_path / "0", weights)
    for number, to in enumerate(("keras", "google", "keras", "huggingface", "google")):
        words = ("convert", tmp_path / str(number), tmp_path / str(number + 1), "--to", to)
        code, out, errors = run(*words)
        assert code == 0 and errors == [] and str(tmp_path / str(number + 1)) in out
    same(checkpoints.read(first), checkpoints.read(tmp_path / "5"))
    assert {path.name for path in tmp_path.iterdir()} == set("012345")


def test_fine_tuning_finds_what_it_starts_from(folder, tmp_path, run, weights):
    assert run("convert", folder, tmp_path / "run", "--to", "keras")[0] == 0
    backbone, vocabulary, lowercase = load_backbone(tmp_path / "run", dropout=0.0)
    assert list(vocabulary.tokens) == numpy_bert.TOKENS and lowercase is True
    batch = numpy_bert.random_batch()
    expected = numpy_bert.forward(weights, numpy_bert.CONFIG, batch)
    numpy_bert.assert_layers_close(backbone.all_states(batch), expected)


def test_json(folder, tmp_path, run):
    code, out, errors = run("convert", folder, tmp_path / "out", "--to", "keras", "--json")
    result = json.loads(out)
    assert code == 0 and errors == []
    sizes = {name: array.size for name, array in numpy_bert.random_weights().items()}
    assert (result["from"], result["to"]) == ("huggingface", "keras")
    assert (result["tensors"], result["parameters"]) == (len(sizes), sum(sizes.values()))
    assert result["parts"] == ["encoder", "masked_lm", "next_sentence"]


def test_json_of_a_mismatch_lists_all_names(tmp_path, weights, run):
    dropped = [name for name in weights if ".attention.self." in name]
    for name in dropped:
        del weights[name]
    source = numpy_bert.write_folder(tmp_path / "source", weights)
    code, out, errors = run("convert", source, tmp_path / "out", "--to", "keras", "--json")
    assert code == 2 and len(errors) == 1 and "12 missing" in errors[0]
    assert json.loads(out)["missing"] == dropped
    assert list(tmp_path.iterdir()) == [source]


def test_a_target_that_is_there(folder, tmp_path, run):
    target = tmp_path / "target"
    target.mkdir()
    assert run("convert", folder, target, "--to", "keras")[0] == 0  # an empty folder is no loss
    before = contents(target)
    code, _, errors = run("convert", folder, target, "--to", "huggingface")
    assert code == 2 and "--force replaces it" in errors[0] and contents(target) == before
    assert run("convert", folder, target, "--to", "huggingface", "--force")[0] == 0
    assert "model.safetensors" in contents(target) and "backbone.json" not in contents(target)
    assert {path.name for path in tmp_path.iterdir()} == {"huggingface", "target"}


def test_force_never_takes_what_is_no_checkpoint(folder, tmp_path, run):
    homework = tmp_path / "homework"
    homework.mkdir()
    (homework / "essay.txt").write_text("mine")
    file = tmp_path / "file"
    file.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(folder)
    before = contents(tmp_path)
    for target in (homework, file, link):
        code, _, errors = run("convert", folder, target, "--to", "keras", "--force")
        assert code == 2 and len(errors) == 1
    for target in (folder, tmp_path):
        code, _, errors = run("convert", folder, target, "--to", "keras", "--force")
        assert code == 2 and "the source or lies around it" in errors[0]
    assert contents(tmp_path) == before


def test_no_space_left_leaves_nothing_and_keeps_the_old(folder, tmp_path, run, monkeypatch):
    target = tmp_path / "target"
    assert run("convert", folder, target, "--to", "huggingface")[0] == 0
    before = contents(tmp_path)

    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("bert_keras.checkpoints.safetensors.write", full)
    code, _, errors = run("convert", folder, target, "--to", "huggingface", "--force")
    assert code == 2 and "No space left" in errors[0] and len(errors) == 1
    monkeypatch.undo()

    rename = conversion.os.rename

    def last_move_fails(source, destination):
        if str(source).endswith("new"):
            full()
        rename(source, destination)

    monkeypatch.setattr(conversion.os, "rename", last_move_fails)
    code, _, errors = run("convert", folder, target, "--to", "huggingface", "--force")
    assert code == 2 and "No space left" in errors[0]
    assert contents(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {"huggingface", "target"}


def test_two_formats_in_one_folder(folder, tmp_path, run):
    assert run("convert", folder, tmp_path / "google", "--to", "google")[0] == 0
    for path in (tmp_path / "google").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    code, _, errors = run("convert", folder, tmp_path / "out", "--to", "keras")
    assert code == 2 and "google and huggingface" in errors[0] and "--from" in errors[0]
    words = ("convert", folder, tmp_path / "out", "--to", "keras", "--from", "google", "--json")
    assert json.loads(run(*words)[1])["from"] == "google"


@pytest.mark.parametrize(
    ("source", "message"),
    [("none", "there is no"), ("empty", "no checkpoint that is known"), ("file.txt", "is a file")],
)
def test_sources_that_are_none(tmp_path, run, source, message):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("x")
    code, out, errors = run("convert", tmp_path / source, tmp_path / "out", "--to", "keras")
    assert code == 2 and out == "" and len(errors) == 1 and message in errors[0]
    assert not (tmp_path / "out").exists()


def test_damaged_files_of_ours(folder, tmp_path, run):
    assert run("convert", folder, tmp_path / "run", "--to", "keras")[0] == 0
    for name in ("heads.npz", "backbone.weights.h5", "backbone.json"):
        path = tmp_path / "run" / name
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        code, _, errors = run("convert", tmp_path / "run", tmp_path / "out", "--to", "google")
        assert code == 2 and len(errors) == 1, name
        assert not (tmp_path / "out").exists()
        path.write_bytes(whole)
    assert run("convert", tmp_path / "run", tmp_path / "out", "--to", "google")[0] == 0


def test_the_heads_of_a_pretraining_run(folder, tmp_path):
    right = checkpoints.read(folder)
    pretrainer = checkpoints.build_pretrainer(right)
    optimizer = keras.optimizers.AdamW()
    optimizer.build(pretrainer.trainable_variables)
    run_folder = tmp_path / "run"
    run_folder.mkdir()
    training.export_backbone(run_folder, pretrainer.backbone, right.vocabulary, True)
    assert checkpoints.read(run_folder).parts == ["encoder"]
    training.save(run_folder / "checkpoint.npz", pretrainer, optimizer, {"step": 3})
    same(right, checkpoints.read(run_folder))
    # A run that went on after its encoder was exported has heads that belong to another encoder.
    table = pretrainer.backbone.embeddings.token_embedding.embeddings
    table.assign(table + 1)
    training.save(run_folder / "checkpoint.npz", pretrainer, optimizer, {"step": 4})
    found = checkpoints.read(run_folder)
    assert found.parts == ["encoder"] and "another step" in found.notes[0]


def test_formats_are_named(folder, tmp_path):
    checkpoint = checkpoints.read(folder)
    for use in (
        lambda: checkpoints.read(folder, "onnx"),
        lambda: checkpoints.write(checkpoint, tmp_path / "out", "kerashub"),
    ):
        with pytest.raises(checkpoints.ConversionError, match="is not one of the formats"):
            use()
    assert set(formats.WRITTEN) < set(formats.FORMATS) and ours.HEADS == "heads.npz"


def test_a_new_process_knows_the_form_of_gelu(folder, tmp_path, run):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_act": "gelu_new"}))
    assert run("convert", folder, tmp_path / "run", "--to", "keras")[0] == 0
    code = (
        "from bert_keras.training.checkpoints import load_backbone; import sys; "
        "print(load_backbone(sys.argv[1])[0].activation.__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "run")], capture_output=True, text=True
    )
    assert done.stdout.strip() == "gelu_tanh", done.stderr
