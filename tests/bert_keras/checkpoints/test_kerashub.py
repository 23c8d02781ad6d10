import json

import keras
import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.checkpoints import ConversionError, MismatchError
from bert_keras.layers import MaskedLMHead

keras_hub = pytest.importorskip("keras_hub")


def randomize(model, seed=1):
    rng = np.random.default_rng(seed)
    model.set_weights(
        [
            rng.normal(float(w.path.endswith("gamma")), 0.3, w.shape).astype("float32")
            for w in model.weights
        ]
    )
    return model


@pytest.fixture(scope="module")
def backbone():
    return randomize(
        keras_hub.models.BertBackbone(29, 2, 3, 12, 20, dropout=0.2, max_sequence_length=11)
    )


@pytest.fixture(scope="module")
def masked_lm(backbone):
    model = keras_hub.models.BertMaskedLM(backbone)
    rng = np.random.default_rng(2)
    for weight in model.masked_lm_head.weights:
        if weight.path.startswith("mlm_head"):
            center = float(weight.path.endswith("gamma"))
            weight.assign(rng.normal(center, 0.3, weight.shape))
    return model


def states_of(backbone, batch):
    """KerasHub's output after every layer."""
    layers = [backbone.get_layer("embeddings_layer_norm"), *backbone.transformer_layers]
    probe = keras.Model(
        backbone.inputs, [layer.output for layer in layers] + [backbone.output["pooled_output"]]
    )
    *hidden, pooled = probe(batch)
    return {"hidden_states": [np.asarray(h) for h in hidden], "pooled_output": np.asarray(pooled)}


def test_every_layer_equals_kerashub_with_its_form_of_gelu(backbone):
    checkpoint = checkpoints.from_kerashub(backbone)
    assert checkpoint.sizes["activation"] == "gelu_tanh" and checkpoint.sizes["dropout"] == 0.2
    assert any("tanh" in note for note in checkpoint.notes)
    ours = checkpoints.build_backbone(checkpoint)
    batch = numpy_bert.random_batch()
    expected = states_of(backbone, batch)
    numpy_bert.assert_layers_close(ours.all_states(batch), expected)
    exact = checkpoints.build_backbone(checkpoint, activation="gelu")
    with pytest.raises(AssertionError):  # the default form is another function
        numpy_bert.assert_layers_close(exact.all_states(batch), expected)


def test_masked_lm_logits(masked_lm):
    checkpoint = checkpoints.from_kerashub(masked_lm)
    assert checkpoint.parts == ["encoder", "masked_lm"]
    backbone = checkpoints.build_backbone(checkpoint)
    # KerasHub's head has other settings than its encoder.
    head = MaskedLMHead(activation="gelu", layer_norm_epsilon=1e-5, name="head")
    head.build((None, None, 12), (None, None), (29, 12))
    for weight in head.weights:
        name = "masked_lm_head/" + weight.path.split("/", 1)[1]
        weight.assign(checkpoint.weights[name])
    batch = numpy_bert.random_batch()
    positions = np.array([[1, 4, 6], [0, 2, 3]], "int32")
    table = backbone.embeddings.token_embedding.embeddings
    found = head(backbone(batch)["sequence_output"], positions, keras.ops.convert_to_tensor(table))
    right = masked_lm({**batch, "mask_positions": positions})
    assert np.abs(np.asarray(found) - np.asarray(right)).max() <= 1e-5
    with pytest.raises(ConversionError, match="next_sentence head"):
        checkpoints.build_pretrainer(checkpoint)


def same(first, second):
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.fixture
def preset(backbone, tmp_path):
    folder = tmp_path / "preset"
    backbone.save_to_preset(str(folder))
    tokens = folder / "assets" / "tokenizer" / "vocabulary.txt"
    tokens.parent.mkdir(parents=True)
    tokens.write_text("\n".join(numpy_bert.TOKENS) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps({"config": {"lowercase": False}}))
    return folder


def test_files_hold_what_the_model_holds(backbone, masked_lm, preset, tmp_path):
    right = checkpoints.from_kerashub(backbone)
    found = checkpoints.read(preset)
    same(found.weights, right.weights)
    assert found.sizes == right.sizes and found.lowercase is False
    assert list(found.vocabulary.tokens) == numpy_bert.TOKENS

    file = tmp_path / "task.weights.h5"
    masked_lm.save_weights(file)
    same(checkpoints.read(file).weights, checkpoints.from_kerashub(masked_lm).weights)
    file.rename(preset / "task.weights.h5")
    assert checkpoints.read(preset).parts == ["encoder", "masked_lm"]


def test_a_preset_becomes_an_encoder_to_fine_tune(preset, tmp_path, run):
    code, out, errors = run("convert", preset, tmp_path / "run", "--to", "keras")
    assert code == 0 and errors == [] and "gelu_tanh" in out
    same(checkpoints.read(tmp_path / "run").weights, checkpoints.read(preset).weights)


def test_a_bare_file_needs_a_vocabulary(masked_lm, tmp_path, run):
    file = tmp_path / "m.weights.h5"
    masked_lm.save_weights(file)
    code, _, errors = run("convert", file, tmp_path / "out", "--to", "huggingface")
    assert code == 2 and "--vocabulary" in errors[0] and not (tmp_path / "out").exists()
    vocabulary = tmp_path / "tokens.txt"
    vocabulary.write_text("\n".join(numpy_bert.TOKENS) + "\n")
    words = ("convert", file, tmp_path / "out", "--to", "huggingface", "--vocabulary", vocabulary)
    assert run(*words)[0] == 0
    same(checkpoints.read(tmp_path / "out").weights, checkpoints.read(file).weights)
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["hidden_act"] == "gelu_new"
    vocabulary.write_text("\n".join([*numpy_bert.TOKENS, "more"]) + "\n")
    code, _, errors = run(*words, "--force")
    assert code == 2 and "30 tokens, but the model has 29" in errors[0]


def test_other_models_and_damaged_files(preset, tmp_path):
    config = json.loads((preset / "config.json").read_text())
    for change, message in [
        ({"class_name": "RobertaBackbone", "registered_name": None}, "not a BertBackbone"),
        ({"config": {"num_layers": 3}}, "num_layers 2, but config.json says 3"),
    ]:
        (preset / "config.json").write_text(json.dumps({**config, **change}))
        with pytest.raises(ConversionError, match=message):
            checkpoints.read(preset)
    (preset / "config.json").write_text(json.dumps(config))
    weights = preset / "model.weights.h5"
    whole = weights.read_bytes()
    for content in (b"", b"not HDF5", whole[: len(whole) // 2]):
        weights.write_bytes(content)
        with pytest.raises(ConversionError, match="cut off, damaged or no HDF5") as caught:
            checkpoints.read(preset, "kerashub")
        assert "\n" not in str(caught.value)
    weights.unlink()
    with pytest.raises(ConversionError, match="no such file"):
        checkpoints.read(preset, "kerashub")
    other = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    other.save_weights(tmp_path / "other.weights.h5")
    with pytest.raises(ConversionError, match="is not KerasHub's BERT"):
        checkpoints.read(tmp_path / "other.weights.h5")


def test_a_missing_tensor_in_a_file_is_named(preset):
    import h5py

    with h5py.File(preset / "model.weights.h5", "a") as file:
        del file["layers/transformer_encoder_1/_feedforward_output_dense/vars/1"]
    with pytest.raises(MismatchError) as caught:
        checkpoints.read(preset)
    assert caught.value.report.missing == ["transformer_encoder_1/_feedforward_output_dense/vars/1"]


def test_kerashub_reads_the_huggingface_folder_that_we_write(backbone, preset, tmp_path):
    pytest.importorskip("safetensors")
    checkpoints.write(checkpoints.read(preset), tmp_path / "out", "huggingface")
    theirs = keras_hub.models.BertBackbone.from_preset(str(tmp_path / "out"))
    for first, second in zip(backbone.weights, theirs.weights, strict=True):
        assert np.array_equal(np.asarray(first), np.asarray(second))
