import json

import numpy as np
import numpy_bert
import pytest
from numpy_bert import CONFIG, D, V

from bert_keras import checkpoints
from bert_keras.checkpoints import ConversionError, MismatchError


def without_heads(weights):
    return {name: value for name, value in weights.items() if not name.startswith("cls.")}


def test_every_layer_and_both_heads_equal_an_independent_bert(folder, weights):
    checkpoint = checkpoints.read(folder)
    assert checkpoint.parts == ["encoder", "masked_lm", "next_sentence"]
    pretrainer = checkpoints.build_pretrainer(checkpoint)
    batch = numpy_bert.random_batch()
    expected = numpy_bert.forward(weights, CONFIG, batch)
    numpy_bert.assert_layers_close(pretrainer.backbone.all_states(batch), expected)
    positions = np.array([[1, 4, 6], [0, 2, 3]], "int32")
    outputs = pretrainer({**batch, "mask_positions": positions})
    right = np.take_along_axis(expected["mlm_logits"], positions[..., None], axis=1)
    assert np.abs(np.asarray(outputs["mlm_logits"]) - right).max() <= 1e-5
    assert np.abs(np.asarray(outputs["nsp_logits"]) - expected["nsp_logits"]).max() <= 1e-5


@pytest.mark.parametrize(
    ("activation", "gelu"),
    [("gelu_new", "gelu_tanh"), ("gelu_pytorch_tanh", "gelu_tanh"), ("gelu_python", "gelu_erf")],
)
def test_the_form_of_gelu(tmp_path, activation, gelu):
    weights = numpy_bert.random_weights(heads=False)
    config = {**CONFIG, "hidden_act": activation}
    folder = numpy_bert.write_folder(tmp_path / "model", weights, config)
    backbone = checkpoints.build_backbone(checkpoints.read(folder))
    batch = numpy_bert.random_batch()
    expected = {
        name: numpy_bert.forward(weights, config, batch, getattr(numpy_bert, name))
        for name in ("gelu_tanh", "gelu_erf")
    }
    states = backbone.all_states(batch)
    numpy_bert.assert_layers_close(states, expected.pop(gelu))
    with pytest.raises(AssertionError):  # the two forms can be told apart
        numpy_bert.assert_layers_close(states, expected.popitem()[1])


def test_epsilon_is_read(tmp_path):
    weights = numpy_bert.random_weights(heads=False)
    config = {**CONFIG, "layer_norm_eps": 0.01}
    folder = numpy_bert.write_folder(tmp_path / "model", weights, config)
    batch = numpy_bert.random_batch()
    states = checkpoints.build_backbone(checkpoints.read(folder)).all_states(batch)
    numpy_bert.assert_layers_close(states, numpy_bert.forward(weights, config, batch, epsilon=0.01))


def rewrite(weights, change):
    found = {}
    for name, value in weights.items():
        found |= change(name, value)
    return found


OLD_FORMS = {
    "without the prefix": lambda name, value: {name.removeprefix("bert."): value},
    "gamma and beta": lambda name, value: {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): value
    },
    "position ids": lambda name, value: {
        name: value,
        "bert.embeddings.position_ids": np.arange(11)[None],
    },
    "decoder copied": lambda name, value: (
        {name: value, "cls.predictions.decoder.weight": value}
        if name.endswith("word_embeddings.weight")
        else {name: value}
    ),
    "decoder alone": lambda name, value: (
        {"cls.predictions.decoder.weight": value}
        if name.endswith("word_embeddings.weight")
        else {name: value}
    ),
    "decoder bias copied": lambda name, value: (
        {name: value, "cls.predictions.decoder.bias": value}
        if name == "cls.predictions.bias"
        else {name: value}
    ),
    "decoder bias alone": lambda name, value: (
        {"cls.predictions.decoder.bias": value} if name == "cls.predictions.bias" else {name: value}
    ),
}


@pytest.mark.parametrize("form", OLD_FORMS)
def test_other_ways_to_write_the_same(tmp_path, folder, weights, form):
    other = numpy_bert.write_folder(tmp_path / "other", rewrite(weights, OLD_FORMS[form]))
    right, found = checkpoints.read(folder), checkpoints.read(other)
    assert found.weights.keys() == right.weights.keys()
    for name, value in right.weights.items():
        assert np.array_equal(found.weights[name], value)


def test_halves_become_float32(tmp_path, weights):
    halves = {name: value.astype(np.float16) for name, value in weights.items()}
    checkpoint = checkpoints.read(numpy_bert.write_folder(tmp_path / "half", halves))
    found = checkpoint.weights["pooler/dense/kernel"]
    assert found.dtype == np.float32
    assert np.array_equal(found, halves["bert.pooler.dense.weight"].T.astype(np.float32))
    assert any("F16" in note for note in checkpoint.notes)


def test_shards(tmp_path, folder, weights):
    names = sorted(weights)
    shards = {"model-00001-of-00002.safetensors": names[::2]}
    shards["model-00002-of-00002.safetensors"] = names[1::2]
    (folder / "model.safetensors").unlink()
    for file, members in shards.items():
        content = numpy_bert.safetensors_bytes({name: weights[name] for name in members})
        (folder / file).write_bytes(content)
    index = {"weight_map": {name: file for file, members in shards.items() for name in members}}
    place = folder / "model.safetensors.index.json"
    place.write_text(json.dumps(index))
    checkpoint = checkpoints.read(folder)
    assert np.array_equal(
        checkpoint.weights["pooler/dense/kernel"], weights["bert.pooler.dense.weight"].T
    )
    for map_, message in [
        ({"a": "../elsewhere.safetensors"}, "not a file beside it"),
        ({"a": "none.safetensors"}, "No such file"),
        ({"a": "model-00001-of-00002.safetensors"}, "promises a"),
        (["a"], "no weight_map"),
    ]:
        place.write_text(json.dumps({"weight_map": map_}))
        with pytest.raises(ConversionError, match=message):
            checkpoints.read(folder)


@pytest.mark.parametrize("heads", [True, False])
def test_round_trip_is_exact_and_the_file_is_as_documented(tmp_path, heads):
    weights = numpy_bert.random_weights(heads=heads)
    source = numpy_bert.write_folder(tmp_path / "source", weights)
    first = checkpoints.read(source)
    checkpoints.write(first, tmp_path / "target", "huggingface")
    content = (tmp_path / "target" / "model.safetensors").read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header.pop("__metadata__") == {"format": "pt"}
    expected = weights if heads else {n.removeprefix("bert."): v for n, v in weights.items()}
    assert header.keys() == expected.keys()
    for name, value in expected.items():
        begin, end = header[name]["data_offsets"]
        data = np.frombuffer(content[8 + length :][begin:end], "<f4")
        assert np.array_equal(data.reshape(header[name]["shape"]), value), name
    config = json.loads((tmp_path / "target" / "config.json").read_text())
    assert {key: config[key] for key in CONFIG if key != "architectures"} == {
        key: CONFIG[key] for key in CONFIG if key != "architectures"
    }
    assert config["architectures"] == ["BertForPreTraining" if heads else "BertModel"]
    second = checkpoints.read(tmp_path / "target")
    assert second.sizes == first.sizes and second.vocabulary.tokens == first.vocabulary.tokens
    assert all(np.array_equal(second.weights[n], v) for n, v in first.weights.items())


def test_a_model_survives_the_way_out_and_in(tmp_path, folder):
    pretrainer = checkpoints.build_pretrainer(checkpoints.read(folder))
    vocabulary = checkpoints.read(folder).vocabulary
    out = checkpoints.from_model(pretrainer, vocabulary, lowercase=False)
    checkpoints.write(out, tmp_path / "out", "huggingface")
    back = checkpoints.build_pretrainer(checkpoints.read(tmp_path / "out"))
    for first, second in zip(pretrainer.weights, back.weights, strict=True):
        assert np.array_equal(np.asarray(first.value), np.asarray(second.value))
    assert checkpoints.read(tmp_path / "out").lowercase is False


def test_the_report_lists_every_name(tmp_path, weights):
    weights["bert.encoder.layer.0.output.dense.weight"] = np.zeros((20, 12), np.float32)
    weights["bert.pooler.dense.bias"] = np.zeros(12, np.int64)
    weights["classifier.weight"] = np.zeros((2, 12), np.float32)
    for layer in (0, 1):
        for name in ("query", "key", "value"):
            del weights[f"bert.encoder.layer.{layer}.attention.self.{name}.bias"]
    broken = numpy_bert.write_folder(tmp_path / "broken", weights)
    with pytest.raises(MismatchError) as caught:
        checkpoints.read(broken)
    report = caught.value.report
    assert report.missing == [
        f"bert.encoder.layer.{layer}.attention.self.{name}.bias"
        for layer in (0, 1)
        for name in ("query", "key", "value")
    ]
    assert report.unexpected == ["classifier.weight"]
    assert report.misshapen == [
        "bert.encoder.layer.0.output.dense.weight is (20, 12), not (12, 20)"
    ]
    assert report.mistyped == ["bert.pooler.dense.bias holds I64, not a float type"]
    line = str(caught.value)
    assert "6 missing" in line and "and 2 more" in line and "\n" not in line


def test_names_without_a_place_are_left_out_only_when_asked(tmp_path, weights):
    weights["classifier.weight"] = np.zeros((2, D), np.float32)
    folder = numpy_bert.write_folder(tmp_path / "tuned", weights)
    with pytest.raises(MismatchError, match=r"1 unexpected \(classifier.weight\)"):
        checkpoints.read(folder)
    assert checkpoints.read(folder, ignore=["classifier.*"]).ignored == ["classifier.weight"]


def test_half_a_head_is_missing_something(tmp_path, weights):
    del weights["cls.seq_relationship.bias"]
    folder = numpy_bert.write_folder(tmp_path / "model", weights)
    with pytest.raises(MismatchError, match=r"1 missing \(cls.seq_relationship.bias\)"):
        checkpoints.read(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "roberta"}, "type 'roberta'"),
        ({"position_embedding_type": "relative_key"}, "absolute positions"),
        ({"is_decoder": True}, "is an encoder"),
        ({"add_cross_attention": True}, "is an encoder"),
        ({"embedding_size": 5}, "one size for both"),
        ({"hidden_act": "mish"}, "'mish' is not known"),
        ({"hidden_act": None}, "None is not known"),
        ({"hidden_size": None}, "does not say hidden_size"),
        ({"hidden_size": "12"}, "positive whole number"),
        ({"num_hidden_layers": 0}, "positive whole number"),
        ({"num_hidden_layers": True}, "positive whole number"),
        ({"num_hidden_layers": 10**9}, "which no BERT has"),
        ({"num_attention_heads": 5}, "multiple of"),
        ({"layer_norm_eps": "small"}, "from 0 to 1"),
        ({"hidden_dropout_prob": float("nan")}, "from 0 to 1"),
        ({"vocab_size": V + 1}, "29 tokens, but the model has 30"),
    ],
)
def test_models_that_ours_cannot_be(tmp_path, weights, change, message):
    folder = numpy_bert.write_folder(tmp_path / "model", weights, {**CONFIG, **change})
    with pytest.raises(ConversionError, match=message) as caught:
        checkpoints.read(folder)
    assert "\n" not in str(caught.value) and str(folder) in str(caught.value)


def test_an_untied_decoder_is_refused(tmp_path, weights):
    weights["cls.predictions.decoder.weight"] = (
        weights["bert.embeddings.word_embeddings.weight"] + 1
    )
    folder = numpy_bert.write_folder(tmp_path / "model", weights)
    with pytest.raises(ConversionError, match=r"differs from bert\.embeddings"):
        checkpoints.read(folder)


def test_missing_files(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ConversionError, match="pickle"):
        checkpoints.read(folder)
    (folder / "pytorch_model.bin").rename(folder / "model.safetensors")
    (folder / "vocab.txt").unlink()
    with pytest.raises(ConversionError, match=r"no vocab.txt or tokenizer.json; --vocabulary"):
        checkpoints.read(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(ConversionError, match="is not JSON"):
        checkpoints.read(folder)
    (folder / "config.json").unlink()
    with pytest.raises(ConversionError, match="no checkpoint that is known"):
        checkpoints.read(folder)


def tokenizer(vocabulary, **more):
    return json.dumps({"model": {"type": "WordPiece", "vocab": vocabulary}, **more})


def test_a_vocabulary_from_tokenizer_json(folder):
    tokens = numpy_bert.TOKENS
    (folder / "vocab.txt").unlink()
    table = {token: number for number, token in reversed(list(enumerate(tokens[:-1])))}
    added = [{"content": tokens[-1], "id": len(tokens) - 1}, {"content": "[PAD]", "id": 0}]
    file = folder / "tokenizer.json"
    file.write_text(tokenizer(table, added_tokens=added, normalizer={"lowercase": False}))
    checkpoint = checkpoints.read(folder)
    assert list(checkpoint.vocabulary.tokens) == tokens and checkpoint.lowercase is False
    for content, message in [
        (json.dumps({"model": {"type": "BPE"}}), "not a WordPiece"),
        (json.dumps({}), "not a WordPiece"),
        (tokenizer(["a"]), "no vocabulary"),
        (tokenizer({"a": 1, "b": 2}), "not 0, 1, 2"),
        (tokenizer({"a": 0, "b": "x"}), "not 0, 1, 2"),
        (tokenizer({"a": 0}), "lacks"),
        (tokenizer({"a": 0}, added_tokens=["b"]), "added_tokens are damaged"),
    ]:
        file.write_text(content)
        with pytest.raises(ConversionError, match=message):
            checkpoints.read(folder)


@pytest.mark.parametrize(("token", "lowercase"), [("Z", False), ("z", True)])
def test_lowercase_is_judged_by_the_vocabulary_unless_a_file_says(folder, token, lowercase):
    tokens = [*numpy_bert.TOKENS[:-1], f"##{token}"]
    (folder / "vocab.txt").write_text("\n".join(tokens) + "\n")
    assert checkpoints.read(folder).lowercase is lowercase
    (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": not lowercase}))
    assert checkpoints.read(folder).lowercase is not lowercase
