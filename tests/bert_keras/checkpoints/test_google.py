import json
import sys

import numpy as np
import numpy_bert
import pytest
from numpy_bert import D, F, L, V

from bert_keras import checkpoints
from bert_keras.checkpoints import ConversionError, MismatchError

tf = pytest.importorskip("tensorflow")


def google_name(name):
    """Google's name of a tensor of PyTorch's, and whether one is the other's transpose."""
    kernels = ("query", "key", "value", "dense")
    if name == "cls.seq_relationship.weight":
        return "cls/seq_relationship/output_weights", False
    if name == "cls.seq_relationship.bias":
        return "cls/seq_relationship/output_bias", False
    if name == "cls.predictions.bias":
        return "cls/predictions/output_bias", False
    for number in range(L):
        name = name.replace(f"layer.{number}.", f"layer_{number}.")
    start, _, end = name.rpartition(".")
    last = start.rpartition(".")[2]
    start = start.replace(".", "/")
    if last == "LayerNorm":
        return f"{start}/{'gamma' if end == 'weight' else 'beta'}", False
    if last in kernels:
        return f"{start}/{'kernel' if end == 'weight' else 'bias'}", end == "weight"
    return start, False  # the tables


def google_variables(weights):
    found = {}
    for name, value in weights.items():
        theirs, transposed = google_name(name)
        found[theirs] = value.T if transposed else value
    return found


def save_with_tensorflow(folder, variables, config=numpy_bert.CONFIG):
    """A folder as Google's scripts leave it, by the saver that they use."""
    folder.mkdir()
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        for name, value in variables.items():
            tf.compat.v1.get_variable(name, initializer=tf.constant(value), use_resource=False)
        session.run(tf.compat.v1.global_variables_initializer())
        tf.compat.v1.train.Saver().save(
            session, str(folder / "bert_model.ckpt"), write_meta_graph=False
        )
    words = ("architectures", "model_type", "layer_norm_eps")
    config = {key: value for key, value in config.items() if key not in words}
    (folder / "bert_config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(numpy_bert.TOKENS) + "\n")
    return folder


@pytest.fixture
def variables(weights):
    return google_variables(weights)


@pytest.fixture
def google(tmp_path, variables):
    return save_with_tensorflow(tmp_path / "google", variables)


def test_names_are_those_that_google_published(variables):
    assert {
        "bert/embeddings/word_embeddings",
        "bert/embeddings/LayerNorm/gamma",
        "bert/encoder/layer_1/attention/self/query/kernel",
        "bert/encoder/layer_0/attention/output/dense/bias",
        "bert/encoder/layer_0/intermediate/dense/kernel",
        "bert/pooler/dense/kernel",
        "cls/predictions/transform/LayerNorm/beta",
        "cls/seq_relationship/output_weights",
    } <= set(variables)
    assert variables["bert/encoder/layer_0/intermediate/dense/kernel"].shape == (D, F)
    assert variables["cls/seq_relationship/output_weights"].shape == (2, D)


def test_a_checkpoint_of_tensorflows_own_saver(google, weights):
    checkpoint = checkpoints.read(google)
    assert checkpoint.parts == ["encoder", "masked_lm", "next_sentence"]
    pretrainer = checkpoints.build_pretrainer(checkpoint)
    batch = numpy_bert.random_batch()
    expected = numpy_bert.forward(weights, numpy_bert.CONFIG, batch)
    numpy_bert.assert_layers_close(pretrainer.backbone.all_states(batch), expected)
    outputs = pretrainer({**batch, "mask_positions": np.zeros((2, 1), "int32")})
    right = expected["mlm_logits"][:, :1]
    assert np.abs(np.asarray(outputs["mlm_logits"]) - right).max() <= 1e-5
    assert np.abs(np.asarray(outputs["nsp_logits"]) - expected["nsp_logits"]).max() <= 1e-5


def test_what_training_left_is_listed_and_skipped(tmp_path, variables):
    pooler = "bert/pooler/dense/kernel"
    left = {
        f"{pooler}/adam_m": variables[pooler],
        f"{pooler}/adam_v": variables[pooler],
        "global_step": np.array(1000000, np.int64),
    }
    folder = save_with_tensorflow(tmp_path / "trained", variables | left)
    checkpoint = checkpoints.read(folder)
    assert checkpoint.ignored == sorted(left)
    assert np.array_equal(checkpoint.weights["pooler/dense/kernel"], variables[pooler])


def test_round_trip_is_exact(tmp_path, google, variables):
    first = checkpoints.read(google)
    checkpoints.write(first, tmp_path / "again", "google")
    assert {path.name for path in (tmp_path / "again").iterdir()} == {
        "bert_model.ckpt.index",
        "bert_model.ckpt.data-00000-of-00001",
        "bert_config.json",
        "vocab.txt",
    }
    reader = tf.train.load_checkpoint(str(tmp_path / "again" / "bert_model.ckpt"))
    assert set(reader.get_variable_to_shape_map()) == set(variables)
    for name, value in variables.items():
        found = reader.get_tensor(name)
        assert found.dtype == np.float32 and np.array_equal(found, value), name
    second = checkpoints.read(tmp_path / "again")
    assert second.sizes == first.sizes and second.vocabulary.tokens == first.vocabulary.tokens
    assert all(np.array_equal(second.weights[n], v) for n, v in first.weights.items())


def test_tensorflows_own_saver_restores_what_we_write(tmp_path, google, variables):
    checkpoints.write(checkpoints.read(google), tmp_path / "again", "google")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        made = {
            name: tf.compat.v1.get_variable(name, value.shape, use_resource=False)
            for name, value in variables.items()
        }
        tf.compat.v1.train.Saver().restore(session, str(tmp_path / "again" / "bert_model.ckpt"))
        for name, value in session.run(made).items():
            assert np.array_equal(value, variables[name])


def test_tanh_and_epsilon(tmp_path, google):
    checkpoint = checkpoints.read(google)
    checkpoint.sizes["activation"] = "gelu_tanh"
    checkpoints.write(checkpoint, tmp_path / "tanh", "google")
    assert checkpoints.read(tmp_path / "tanh").sizes["activation"] == "gelu_tanh"
    checkpoint.sizes["layer_norm_epsilon"] = 1e-5
    with pytest.raises(ConversionError, match="fixed at 1e-12"):
        checkpoints.write(checkpoint, tmp_path / "epsilon", "google")


def test_the_report(tmp_path, variables):
    del variables["bert/pooler/dense/bias"]
    variables["cls/squad/output_weights"] = np.zeros((2, D), np.float32)
    variables["cls/predictions/output_bias"] = np.zeros(V + 1, np.float32)
    variables["cls/seq_relationship/output_bias"] = np.zeros(2, np.int32)
    with pytest.raises(MismatchError) as caught:
        checkpoints.read(save_with_tensorflow(tmp_path / "odd", variables))
    assert vars(caught.value.report) == {
        "missing": ["bert/pooler/dense/bias"],
        "unexpected": ["cls/squad/output_weights"],
        "misshapen": ["cls/predictions/output_bias is (30,), not (29,)"],
        "mistyped": ["cls/seq_relationship/output_bias holds int32, not a float type"],
    }


def test_damaged_files(google):
    data = google / "bert_model.ckpt.data-00000-of-00001"
    index = google / "bert_model.ckpt.index"
    whole, table = data.read_bytes(), index.read_bytes()
    for path, content in [
        (data, whole[: len(whole) // 2]),
        (data, b""),
        (data, whole[:100] + bytes([whole[100] ^ 1]) + whole[101:]),  # one bit of a weight
        (index, table[: len(table) // 2]),
        (index, b""),
        (index, b"no index at all" * 20),
    ]:
        data.write_bytes(whole)
        index.write_bytes(table)
        path.write_bytes(content)
        with pytest.raises(ConversionError, match="cut off, damaged") as caught:
            checkpoints.read(google)
        assert "\n" not in str(caught.value) and str(google) in str(caught.value)
    data.unlink()
    with pytest.raises(ConversionError, match=r"has no bert_model\.ckpt\.data"):
        checkpoints.read(google)
    index.unlink()
    with pytest.raises(ConversionError, match=r"has no bert_model\.ckpt\.index"):
        checkpoints.read(google)


def test_several_checkpoints_in_one_folder(google):
    for name in ("model.ckpt-10", "model.ckpt-20"):
        for ending in ("index", "data-00000-of-00001"):
            content = (google / f"bert_model.ckpt.{ending}").read_bytes()
            (google / f"{name}.{ending}").write_bytes(content)
    assert checkpoints.read(google).parts[0] == "encoder"  # the published name wins
    (google / "bert_model.ckpt.index").unlink()
    with pytest.raises(ConversionError, match="several checkpoints"):
        checkpoints.read(google)


def test_tf2_checkpoints_are_named(tmp_path, google):
    for path in google.glob("bert_model.ckpt.*"):
        path.unlink()
    tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(google / "bert_model.ckpt"))
    with pytest.raises(ConversionError, match="TF2 object checkpoint"):
        checkpoints.read(google)


def test_without_tensorflow(google, folder, tmp_path, monkeypatch):
    checkpoint = checkpoints.read(folder)
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    for use in (
        lambda: checkpoints.read(google),
        lambda: checkpoints.write(checkpoint, tmp_path / "out", "google"),
    ):
        with pytest.raises(ConversionError, match="pip install tensorflow"):
            use()
