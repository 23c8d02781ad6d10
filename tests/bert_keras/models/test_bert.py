import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.models import BertBackbone, BertPretrainer, count_parameters, preset

numpy = ops.convert_to_numpy


def same(a, b, atol=1e-5):
    for x, y in zip(keras.tree.flatten(a), keras.tree.flatten(b), strict=True):
        np.testing.assert_allclose(numpy(x), numpy(y), atol=atol, rtol=1e-5)


def gelu_tanh(x):
    """KerasHub's BERT has the approximation."""
    return keras.activations.gelu(x, approximate=True)


def test_every_state_equals_kerashub(make_backbone, batch):
    keras_hub = pytest.importorskip("keras_hub")
    ours = make_backbone(activation=gelu_tanh)
    sizes = (
        "vocabulary_size",
        "num_layers",
        "num_heads",
        "hidden_dim",
        "intermediate_dim",
        "max_sequence_length",
    )
    theirs = keras_hub.models.BertBackbone(**{name: getattr(ours, name) for name in sizes})
    tables = ours.embeddings
    for table in ("token_embedding", "position_embedding", "segment_embedding"):
        getattr(theirs, table).set_weights(getattr(tables, table).get_weights())
    theirs.embeddings_layer_norm.set_weights(tables.layer_norm.get_weights())
    for our_block, block in zip(ours.encoder_blocks, theirs.transformer_layers, strict=True):
        attention = our_block.self_attention
        weights = []
        for dense in (attention.query_dense, attention.key_dense, attention.value_dense):
            kernel, bias = dense.get_weights()
            weights += [kernel.reshape(8, 2, 4), bias.reshape(2, 4)]
        kernel, bias = attention.output_dense.get_weights()
        block._self_attention_layer.set_weights([*weights, kernel.reshape(2, 4, 8), bias])
        for target, source in (
            (block._self_attention_layer_norm, our_block.self_attention_layer_norm),
            (block._feedforward_intermediate_dense, our_block.feed_forward.intermediate_dense),
            (block._feedforward_output_dense, our_block.feed_forward.output_dense),
            (block._feedforward_layer_norm, our_block.feed_forward_layer_norm),
        ):
            target.set_weights(source.get_weights())
    theirs.pooled_dense.set_weights(ours.pooler.dense.get_weights())
    assert ours.count_params() == theirs.count_params()

    layers = [theirs.embeddings_dropout, *theirs.transformer_layers]
    probe = keras.Model(theirs.inputs, [layer.output for layer in layers])
    expected_states = probe.predict_on_batch(batch)
    states = ours.all_states(batch)
    real = batch["padding_mask"]
    for state, expected in zip(states["hidden_states"], expected_states, strict=True):
        np.testing.assert_allclose(numpy(state)[real], numpy(expected)[real], atol=1e-5)
    np.testing.assert_allclose(
        ours(batch)["pooled_output"], theirs.predict_on_batch(batch)["pooled_output"], atol=1e-5
    )


def test_all_states(make_backbone, batch):
    backbone = make_backbone()
    states, outputs = backbone.all_states(batch), backbone(batch)
    assert set(outputs) == {"sequence_output", "pooled_output"}
    assert outputs["sequence_output"].shape == (3, 7, 8)
    assert outputs["pooled_output"].shape == (3, 8)
    assert len(states["hidden_states"]) == 4 and len(states["attention_weights"]) == 3
    same(states["hidden_states"][0], backbone.embeddings(batch["token_ids"], batch["segment_ids"]))
    same(states["hidden_states"][-1], outputs["sequence_output"])
    same(states["sequence_output"], outputs["sequence_output"])
    same(states["pooled_output"], outputs["pooled_output"])
    for weights in map(numpy, states["attention_weights"]):
        assert weights.shape == (3, 2, 7, 7)
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
        assert (weights[1, :, :, 4:] == 0).all() and (weights[0] > 0).all()


def test_padding_does_not_matter(make_backbone, batch):
    backbone = make_backbone()
    real = batch["padding_mask"]
    before = backbone(batch)
    changed = {
        **batch,
        "token_ids": np.where(real, batch["token_ids"], 5),
        "segment_ids": np.where(real, batch["segment_ids"], 1),
    }
    longer = {name: np.pad(x, ((0, 0), (0, 3))) for name, x in batch.items()}
    alone = {name: x[1:2, :4] for name, x in batch.items()}
    for other, rows, length in ((changed, slice(None), 7), (longer, slice(None), 7)):
        after = backbone(other)
        same(after["pooled_output"], before["pooled_output"][rows])
        sequence = numpy(after["sequence_output"])[:, :length]
        np.testing.assert_allclose(
            sequence[real], numpy(before["sequence_output"])[real], atol=1e-5
        )
    same(backbone(alone)["sequence_output"], before["sequence_output"][1:2, :4])


@pytest.mark.parametrize("batch_size", [None, 2, 3, 64])
def test_predict_gives_every_row_once_and_in_order(make_backbone, batch, batch_size):
    """Also where the last batch is a short one."""
    backbone = make_backbone()
    rows = {name: np.concatenate([array] * 3)[:5] for name, array in batch.items()}
    rows["token_ids"][:, 1] = np.arange(5) + 1  # so that no two rows are alike
    same(backbone.predict(rows, batch_size=batch_size, verbose=0), backbone(rows))


def test_inputs_that_must_matter(make_backbone, batch):
    """Segments, order and both directions of context."""
    backbone = make_backbone()
    before = numpy(backbone(batch)["sequence_output"])
    ids = batch["token_ids"].copy()
    ids[0, 6] = ids[0, 6] % 28 + 1  # the last token of the first sequence
    for name, value in (
        ("segment_ids", np.zeros_like(batch["segment_ids"])),
        ("token_ids", batch["token_ids"][:, ::-1]),
        ("token_ids", ids),
    ):
        after = numpy(backbone({**batch, name: value})["sequence_output"])
        assert np.abs(after - before)[0, 0].max() > 1e-3  # seen at [CLS]
    one_changed = numpy(backbone({**batch, "token_ids": ids})["sequence_output"])
    np.testing.assert_allclose(one_changed[1:], before[1:], atol=1e-6)


def test_eager_equals_symbolic_equals_saved(make_backbone, batch, symbolic_batch, tmp_path):
    backbone = make_backbone()
    eager = backbone(batch)
    same(keras.Model(symbolic_batch, backbone(symbolic_batch)).predict_on_batch(batch), eager)
    everything = keras.Model(symbolic_batch, backbone.all_states(symbolic_batch))
    same(everything.predict_on_batch(batch), backbone.all_states(batch))
    backbone.save(tmp_path / "bert.keras")
    restored = keras.models.load_model(tmp_path / "bert.keras")
    assert type(restored) is BertBackbone and restored.get_config() == backbone.get_config()
    same(restored(batch), eager, atol=0)
    backbone.save_weights(tmp_path / "bert.weights.h5")
    other = make_backbone(seed=1)
    other.load_weights(tmp_path / "bert.weights.h5")
    same(other(batch), eager, atol=0)


def test_missing_and_extra_inputs(make_backbone, batch):
    backbone = make_backbone()
    with pytest.raises(ValueError, match="lack padding_mask, segment_ids"):
        backbone({"token_ids": batch["token_ids"]})
    same(backbone({**batch, "mask_positions": np.zeros((3, 2), int)}), backbone(batch))


@pytest.mark.parametrize("size", ["nano", "tiny"])
def test_number_of_weights(size):
    config = preset(size, vocabulary_size=101)
    backbone = BertBackbone(**vars(config))
    assert backbone.count_params() == count_parameters(config)


def test_paths_are_stable_and_unique(make_pretrainer):
    make_pretrainer()
    pretrainer = make_pretrainer()  # the second one gets the same names
    paths = [w.path for w in pretrainer.weights]
    assert len(set(paths)) == len(paths) == 5 + 3 * 16 + 2 + 5 + 2
    assert paths[0] == "bert_backbone/embeddings/token_embedding/embeddings"
    assert "bert_backbone/encoder_block_2/self_attention/query/kernel" in paths
    assert "bert_backbone/pooler/dense/kernel" in paths
    assert "bert_pretrainer/masked_lm_head/output_bias" in paths
    assert "bert_pretrainer/next_sentence_head/dense/bias" in paths


def test_weights_start_as_bert_does():
    keras.utils.set_random_seed(3)
    sizes = dict(vocabulary_size=500, num_heads=2, hidden_dim=32, intermediate_dim=64)
    first = BertPretrainer(BertBackbone(num_layers=2, **sizes))
    seen = set()
    for weight in first.weights:
        values = numpy(weight)
        if weight.name == "gamma":
            assert (values == 1).all()
        elif weight.name in ("beta", "bias", "output_bias"):
            assert (values == 0).all()
        else:
            assert np.abs(values).max() <= 0.0401
            assert 0.013 < values.std() < 0.022
            seen.add(values.tobytes())
    assert len(seen) == 3 + 2 * 6 + 1 + 1 + 1  # no two alike
    keras.utils.set_random_seed(3)
    again = BertPretrainer(BertBackbone(num_layers=2, **sizes))
    same(first.get_weights(), again.get_weights(), atol=0)


def test_dropout_in_training_only_and_repeatable(make_backbone, batch):
    def draws():
        keras.utils.set_random_seed(5)
        backbone = make_backbone(dropout=0.5)
        return [numpy(backbone(batch, training=True)["sequence_output"]) for _ in range(2)]

    first, second = draws()
    assert np.abs(first - second).max() > 1e-3
    same(draws(), [first, second], atol=1e-6)
    backbone = make_backbone(dropout=0.5)
    same(backbone(batch), make_backbone(dropout=0.0)(batch))
    same(backbone.all_states(batch)["sequence_output"], backbone(batch)["sequence_output"])


def test_mixed_precision(masked_batch):
    inputs, targets = masked_batch
    sizes = dict(num_layers=2, num_heads=2, hidden_dim=8, intermediate_dim=12)
    pretrainer = BertPretrainer(BertBackbone(29, dtype="mixed_float16", **sizes))
    outputs = pretrainer(inputs)
    for output in outputs.values():
        assert keras.backend.standardize_dtype(output.dtype) == "float16"
    losses = pretrainer.losses_of(targets, outputs)
    assert all(keras.backend.standardize_dtype(x.dtype) == "float32" for x in losses.values())
    assert all(np.isfinite(float(x)) for x in losses.values())
    assert {w.dtype for w in pretrainer.weights} == {"float32"}


def test_pretrainer_outputs(make_pretrainer, masked_batch):
    inputs, _ = masked_batch
    pretrainer = make_pretrainer()
    outputs = pretrainer(inputs)
    assert outputs["mlm_logits"].shape == (3, 4, 29) and outputs["nsp_logits"].shape == (3, 2)
    encoded = pretrainer.backbone(inputs)
    table = pretrainer.backbone.embeddings.token_embedding.embeddings
    head, positions = pretrainer.masked_lm_head, inputs["mask_positions"]
    expected = head(encoded["sequence_output"], positions, ops.convert_to_tensor(table))
    same(outputs["mlm_logits"], expected)
    same(outputs["nsp_logits"], pretrainer.next_sentence_head(encoded["pooled_output"]))


def test_pretrainer_is_saved_with_its_tie(make_pretrainer, masked_batch, tmp_path):
    inputs, _ = masked_batch
    pretrainer = make_pretrainer()
    pretrainer.save(tmp_path / "pretrainer.keras")
    restored = keras.models.load_model(tmp_path / "pretrainer.keras")
    assert type(restored) is BertPretrainer
    assert restored.get_config() == pretrainer.get_config()
    same(restored(inputs), pretrainer(inputs), atol=0)
    assert len(restored.weights) == len(pretrainer.weights)
    table = restored.backbone.embeddings.token_embedding.embeddings
    before = numpy(restored(inputs)["mlm_logits"])
    row = int(np.setdiff1d(np.arange(29), inputs["token_ids"])[0])  # not in the input
    values = numpy(table).copy()
    values[row] += 1
    table.assign(values)
    moved = np.abs(numpy(restored(inputs)["mlm_logits"]) - before).max((0, 1))
    assert (moved > 1e-4).tolist() == [i == row for i in range(29)]


def test_one_step_moves_every_weight(make_pretrainer, masked_batch):
    pretrainer = make_pretrainer(dropout=0.0)
    pretrainer.compile(optimizer=keras.optimizers.SGD(1.0), run_eagerly=True)
    before = pretrainer.get_weights()
    pretrainer.train_on_batch(*masked_batch)
    for weight, old in zip(pretrainer.weights, before, strict=True):
        # The softmax does not notice a bias on the keys, so its gradient is zero.
        if not weight.path.endswith("key/bias"):
            assert np.abs(numpy(weight) - old).max() > 1e-6, weight.path


def test_fit_reports_averages_over_tokens_and_pairs(make_pretrainer, masked_batch):
    """Two batches of different sizes with different numbers of masked tokens."""
    pretrainer = make_pretrainer(dropout=0.0)
    pretrainer.compile(optimizer="sgd", run_eagerly=True)
    inputs, targets = masked_batch
    losses = pretrainer.losses_of(targets, pretrainer(inputs))
    split = (
        tuple({k: v[rows] for k, v in part.items()} for part in masked_batch)
        for rows in (slice(0, 2), slice(2, 3))
    )
    report = pretrainer.evaluate(split, steps=2, verbose=0, return_dict=True)
    assert report["mlm_loss"] == pytest.approx(float(losses["mlm_loss"]), rel=1e-4)
    assert report["nsp_loss"] == pytest.approx(float(losses["nsp_loss"]), rel=1e-4)


def test_dropout_is_on_in_fit(make_pretrainer, masked_batch):
    inputs, targets = masked_batch
    pretrainer = make_pretrainer(dropout=0.5)
    pretrainer.compile(optimizer=keras.optimizers.SGD(0.0), run_eagerly=True)
    losses = [pretrainer.train_on_batch(inputs, targets, return_dict=True) for _ in range(3)]
    assert len({float(loss["loss"]) for loss in losses}) == 3


def test_it_learns(masked_batch):
    keras.utils.set_random_seed(0)
    inputs, targets = masked_batch
    sizes = dict(num_layers=1, num_heads=2, hidden_dim=16, intermediate_dim=32, dropout=0.0)
    pretrainer = BertPretrainer(BertBackbone(29, **sizes))
    pretrainer.compile(optimizer=keras.optimizers.Adam(0.02))
    history = [
        float(pretrainer.train_on_batch(inputs, targets, return_dict=True)["loss"])
        for _ in range(50)
    ]
    assert history[0] == pytest.approx(np.log(29) + np.log(2), rel=0.1)
    assert history[-1] < 0.1
