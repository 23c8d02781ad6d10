"""Generators from BERT: what is masked, what is copied, and what a cache must equal."""

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import beam_search
from bert_keras.models import BertSeq2Seq, PrefixWriter

CLS, SEP = 2, 3


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def randomized(model, seed=3):
    rng = np.random.default_rng(seed)
    model.set_weights(
        [
            rng.normal(float(w.name == "gamma"), 0.4, w.shape).astype("float32")
            for w in model.weights
        ]
    )
    return model


@pytest.fixture
def sources():
    """Three packed sources of 5, 3 and 4 tokens, [CLS] first and [SEP] last."""
    token_ids = np.array([[2, 9, 8, 7, 3], [2, 11, 3, 0, 0], [2, 5, 6, 3, 0]], "int32")
    return token_ids, token_ids > 0


def packed(sources, targets):
    """Sources and targets of one length each as two segments of one row."""
    token_ids, mask = sources
    rows = np.zeros((3, 5 + targets.shape[1]), "int32")
    segments = np.zeros_like(rows)
    real = np.zeros(rows.shape, bool)
    for row, length in enumerate(mask.sum(axis=1)):
        end = length + targets.shape[1]
        rows[row, :length] = token_ids[row, :length]
        rows[row, length:end] = targets[row]
        segments[row, length:end] = 1
        real[row, :end] = True
    return {"token_ids": rows, "segment_ids": segments, "padding_mask": real}


@pytest.fixture
def targets():
    return np.random.default_rng(1).integers(4, 29, (3, 4)).astype("int32")


def test_a_prefix_writer_never_looks_ahead_and_reads_all_of_the_source(
    make_backbone, sources, targets
):
    model = randomized(PrefixWriter(make_backbone()))
    inputs = packed(sources, targets)
    before = numbers(model(inputs))
    lengths = sources[1].sum(axis=1)
    other = {**inputs, "token_ids": inputs["token_ids"].copy()}
    for row, length in enumerate(lengths):
        other["token_ids"][row, length + 2] = 20  # the third token of each target
    after = numbers(model(other))
    for row, length in enumerate(lengths):
        np.testing.assert_allclose(before[row, : length + 2], after[row, : length + 2], atol=1e-5)
        assert np.abs(before[row, length + 2] - after[row, length + 2]).max() > 1e-3
    other["token_ids"][:, 1] = 21  # a source token: everything that is real may change
    changed = np.abs(numbers(model(other)) - after).max(axis=-1)
    assert (changed[inputs["padding_mask"]] > 1e-4).all()


def test_writing_with_a_cache_says_what_reading_it_all_scores_highest(make_backbone, sources):
    model = randomized(PrefixWriter(make_backbone()))
    said = numbers(model.generate(*sources, end_id=-1, max_length=5))
    assert said.shape == (3, 5) and said.dtype == np.int32
    inputs = packed(sources, said)
    guessed = numbers(model(inputs)).argmax(axis=-1)
    for row, length in enumerate(sources[1].sum(axis=1)):
        np.testing.assert_array_equal(guessed[row, length - 1 : length + 4], said[row])
    _, scores = model.generate(*sources, end_id=SEP, max_length=4, decode=beam_search, beam_width=2)
    assert scores.shape == (3, 2)
    with pytest.raises(InputError, match="5 tokens and 7 more are too many"):
        model.generate(*sources, end_id=SEP, max_length=7)


def test_a_decoder_starts_from_the_encoder_where_it_can(make_backbone):
    backbone = make_backbone()
    model = BertSeq2Seq(backbone, num_decoder_layers=2, dropout=0.0)
    assert len(model.decoder_blocks) == 2
    names = [path.split("/")[2:] for path in model.copied]
    assert {name[0] for name in names} == {
        "self_attention",
        "self_attention_layer_norm",
        "feed_forward",
        "feed_forward_layer_norm",
    }
    assert all("/cross_attention" in path for path in model.fresh)
    blocks = {v.path for block in model.decoder_blocks for v in block.weights}
    assert {*model.copied, *model.fresh} == blocks
    for decoder, encoder in zip(model.decoder_blocks, backbone.encoder_blocks, strict=False):
        for part in ("self_attention", "self_attention_layer_norm", "feed_forward"):
            pairs = zip(
                getattr(decoder, part).get_weights(),
                getattr(encoder, part).get_weights(),
                strict=True,
            )
            assert all(np.array_equal(*pair) for pair in pairs)
    with pytest.raises(ValueError, match="num_decoder_layers is 4; the backbone has 3"):
        BertSeq2Seq(backbone, num_decoder_layers=4)


def test_a_decoder_that_ignores_the_source_is_a_causal_encoder(make_backbone):
    """With attention to the source and its norm switched off, a copied block is BERT's block."""
    backbone = make_backbone()
    model = BertSeq2Seq(backbone, num_decoder_layers=1)
    x = ops.convert_to_tensor(np.random.default_rng(0).normal(size=(2, 4, 8)).astype("float32"))
    mask = np.tril(np.ones((1, 4, 4), bool))
    right, _ = backbone.encoder_blocks[0](x, attention_mask=mask)
    block = model.decoder_blocks[0]
    for weight in (*block.cross_attention.weights, *block.cross_attention_layer_norm.weights):
        weight.assign(ops.zeros_like(weight))
    # A norm of zeros would forget the bypass, too: let it hand on what it is given.
    block.cross_attention_layer_norm = lambda x: x
    found, _, _ = block(x, x, attention_mask=mask)
    np.testing.assert_allclose(numbers(found), numbers(right), atol=1e-5)


@pytest.mark.parametrize("beam_width", [1, 2])
def test_an_encoder_and_decoder_speak(make_backbone, sources, targets, beam_width):
    model = randomized(BertSeq2Seq(make_backbone(), num_decoder_layers=2))
    token_ids, mask = sources
    options = {"begin_id": CLS, "end_id": SEP, "max_length": 5, "beam_width": beam_width}
    said = numbers(model.generate(token_ids, mask, **options))
    again = numbers(model.generate(token_ids, mask, **options, use_cache=False))
    np.testing.assert_array_equal(said, again)
    source, _ = model.encode(token_ids, mask)
    inputs = {
        "token_ids": token_ids,
        "segment_ids": np.zeros_like(token_ids),
        "padding_mask": mask,
        "target_ids": targets,
    }
    logits, _, cross = model.decode(targets, source, mask)
    np.testing.assert_allclose(numbers(model(inputs)), numbers(logits), atol=1e-6)
    assert all((numbers(w)[1, :, :, 3:] < 1e-6).all() for w in cross)  # no look at padding
    with pytest.raises(InputError, match="target_ids has 40"):
        model.predict({**inputs, "target_ids": targets + 40 - targets}, verbose=0)


@pytest.mark.parametrize("kind", [PrefixWriter, BertSeq2Seq])
def test_they_train_and_are_saved(make_backbone, sources, targets, kind, tmp_path):
    model = kind(make_backbone(), dropout=0.0)
    if kind is PrefixWriter:
        inputs = packed(sources, targets)
        labels = np.full_like(inputs["token_ids"], -1)
        labels[:, :-1] = np.where(inputs["segment_ids"][:, 1:] == 1, inputs["token_ids"][:, 1:], -1)
    else:
        token_ids, mask = sources
        inputs = {"token_ids": token_ids, "padding_mask": mask}
        inputs["segment_ids"] = np.zeros_like(token_ids)
        inputs["target_ids"] = np.concatenate([np.full((3, 1), CLS, "int32"), targets], axis=1)
        labels = np.concatenate([targets, np.full((3, 1), SEP, "int32")], axis=1)
    model.compile(optimizer=keras.optimizers.Adam(0.01), run_eagerly=True)
    losses = [float(model.train_on_batch(inputs, labels)) for _ in range(8)]
    assert losses[-1] < losses[0] - 0.5
    model.save(tmp_path / "model.keras")
    restored = keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_allclose(numbers(restored(inputs)), numbers(model(inputs)), atol=1e-6)
