"""Smaller encoders equal what they should, and live like any other."""

import json
import re

import keras
import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.checkpoints import ours
from bert_keras.checkpoints.contents import ConversionError
from bert_keras.checkpoints.models import from_model
from bert_keras.compression.backbone import CompressedBackbone
from bert_keras.compression.compress import CompressionError, compress, weakest_heads
from bert_keras.compression.prune import keep_zeros
from bert_keras.compression.size import batch_of, latency_ratio, size_of
from bert_keras.models import BertBackbone
from bert_keras.models.tasks import TextClassifier
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training.checkpoints import export_backbone, load_backbone


def output(model, batch):
    return np.asarray(model(batch)["sequence_output"])


def kernel(backbone, layer, name):
    path = f"encoder_block_{layer}/{name}"
    return next(v for v in backbone.weights if v.path.endswith(path))


def test_pruned_heads_equal_silent_ones(make_backbone, batch):
    backbone = make_backbone()
    smaller = compress(backbone, heads=[(1, 2), (3, 1), (3, 4)])
    for layer, head in ((0, 1), (2, 0), (2, 3)):
        rows = kernel(backbone, layer, "self_attention/output/kernel")
        silent = np.array(rows)
        silent[3 * head : 3 * head + 3] = 0
        rows.assign(silent)
    np.testing.assert_allclose(output(smaller, batch), output(backbone, batch), atol=1e-5)
    # Of each head 3 columns in three kernels and biases, and 3 rows of the fourth kernel.
    assert backbone.count_params() - smaller.count_params() == 3 * (3 * 3 * (12 + 1) + 3 * 12)
    assert [w.shape[1] for w in smaller.all_states(batch)["attention_weights"]] == [3, 4, 2, 4]


def test_a_layer_without_heads(make_backbone, batch):
    backbone = make_backbone()
    smaller = compress(backbone, heads=[(2, n) for n in (1, 2, 3, 4)])
    rows = kernel(backbone, 1, "self_attention/output/kernel")
    rows.assign(np.zeros(rows.shape))
    np.testing.assert_allclose(output(smaller, batch), output(backbone, batch), atol=1e-5)
    assert smaller.all_states(batch)["attention_weights"][1].shape == (2, 0, 7, 7)


def test_layers_that_stay(make_backbone, batch):
    """Of four layers two are layers 2 and 4."""
    backbone = make_backbone()
    smaller = compress(backbone, layers=2)
    assert type(smaller) is BertBackbone and smaller.num_layers == 2
    x = backbone.embeddings(batch["token_ids"], batch["segment_ids"])
    mask = batch["padding_mask"][:, None]
    for number in (1, 3):
        x, _ = backbone.encoder_blocks[number](x, attention_mask=mask)
    np.testing.assert_allclose(output(smaller, batch), x, atol=1e-5)


def test_full_rank_changes_nothing_and_a_low_one_saves(make_backbone, batch):
    backbone = make_backbone()
    np.testing.assert_allclose(
        output(compress(backbone, rank=12), batch), output(backbone, batch), atol=1e-4
    )
    # Two kernels of 12 by 18 become 12 by 3 and 3 by 18 each, four times.
    saved = backbone.count_params() - compress(backbone, rank=3).count_params()
    assert saved == 4 * 2 * (12 * 18 - 3 * (12 + 18))


def test_one_block_for_all(make_backbone, batch):
    """The mean of equal blocks is each of them."""
    backbone = make_backbone()
    for block in backbone.encoder_blocks[1:]:
        block.set_weights(backbone.encoder_blocks[0].get_weights())
    smaller = compress(backbone, shared=True)
    np.testing.assert_allclose(output(smaller, batch), output(backbone, batch), atol=1e-5)
    one = sum(w.size for w in backbone.encoder_blocks[0].get_weights())
    assert backbone.count_params() - smaller.count_params() == 3 * one


def test_zeros_of_all_blocks_together(make_backbone):
    backbone = make_backbone()
    smaller = compress(backbone, share=0.25)
    kernels = [v for v in smaller.weights if re.search(r"encoder_block.*/kernel", v.path)]
    assert len(kernels) == 4 * 6
    zeros = sum(int((np.asarray(v) == 0).sum()) for v in kernels)
    assert zeros == round(0.25 * sum(int(np.prod(v.shape)) for v in kernels))
    before = size_of(backbone)
    assert before["parameters"] == backbone.count_params()
    assert before["nonzero"] - size_of(smaller)["nonzero"] == zeros
    assert size_of(smaller)["gzip_bytes"] < before["gzip_bytes"]


def test_int8_is_near(make_backbone, batch):
    backbone = make_backbone(initializer_stddev=0.02)
    smaller = compress(backbone, int8=True)
    found, expected = output(smaller, batch), output(backbone, batch)
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.999
    assert kernel(smaller, 0, "feed_forward/output/kernel").dtype == "int8"


def test_a_step_keeps_the_zeros(classifier, batch):
    pruned = TextClassifier(compress(classifier().backbone, layers=1, share=0.5), 3)
    zeros = [np.asarray(v) == 0 for v in pruned.trainable_variables]
    assert keep_zeros(pruned) == 6
    pruned.compile(optimizer=keras.optimizers.Adam(0.1), jit_compile=False)
    labels = np.array([0, 2])
    for _ in range(3):
        pruned.train_on_batch(batch, labels)
    for variable, before in zip(pruned.trainable_variables, zeros, strict=True):
        if variable.path.endswith("/kernel"):
            assert np.all(np.asarray(variable)[before] == 0)
            if "encoder_block" in variable.path:
                assert (np.asarray(variable)[~before] != 0).any()


ALL = {"layers": 1, "heads": [(1, 2)], "share": 0.5, "rank": 4}


@pytest.mark.parametrize(
    "steps",
    [{"heads": [(1, 2)]}, {"rank": 4}, {"shared": True}, {"int8": True}, {**ALL, "int8": True}],
)
def test_saved_and_loaded(make_backbone, batch, steps, tmp_path):
    smaller = compress(make_backbone(), **steps)
    vocabulary = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(18))])
    export_backbone(tmp_path, smaller, vocabulary, True)
    loaded, _, _ = load_backbone(tmp_path, dropout=0.0)
    assert type(loaded) is CompressedBackbone and loaded.compression == smaller.compression
    assert np.array_equal(output(loaded, batch), output(smaller, batch))
    with pytest.raises(ConversionError, match="compressed"):
        ours.read(tmp_path)


def test_a_compressed_encoder_learns(classifier, batch):
    model = TextClassifier(compress(classifier().backbone, **ALL), 3, dropout=0.0)
    model.compile(optimizer=keras.optimizers.Adam(0.01), jit_compile=False)
    labels = np.array([0, 2])
    losses = [float(model.train_on_batch(batch, labels)) for _ in range(30)]
    assert losses[-1] < losses[0] / 4


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ({"layers": 5}, "5 layers can't learn from 4"),
        ({"heads": [(5, 1)]}, "no layer 5"),
        ({"heads": [(1, 0)]}, "no head 1-0"),
        ({"heads": [(1, 5)]}, "no head 1-5"),
        ({"rank": 13}, "from 1 to 12"),
        ({"heads": [(1, 1)], "shared": True}, "one block"),
    ],
)
def test_what_there_is_not(make_backbone, steps, said):
    with pytest.raises(CompressionError, match=said):
        compress(make_backbone(), **steps)


def test_twice(make_backbone):
    backbone = make_backbone()
    again = compress(compress(backbone, heads=[(1, 1)]), heads=[(1, 3), (2, 1)])
    assert again.heads_left == [2, 3, 4, 4]
    for steps in ({"int8": True}, {"rank": 4}):
        with pytest.raises(CompressionError, match="already"):
            compress(compress(backbone, **steps), **steps)
    with pytest.raises(ConversionError):
        from_model(again)


def test_the_weakest_heads_go_and_no_layer_loses_all(make_backbone):
    backbone = make_backbone()
    rows = kernel(backbone, 2, "self_attention/output/kernel")
    rows.assign(np.asarray(rows) * 1e-3)  # all heads of layer 3 are weaker than any other
    found = weakest_heads(backbone, 4 / 16)
    assert len(found) == 4 and [layer for layer, _ in found].count(3) == 3
    with pytest.raises(CompressionError, match="at most 12"):
        weakest_heads(backbone, 13 / 16)


def test_latency_is_a_ratio(make_backbone):
    backbone = make_backbone()
    batch = batch_of(23, 2, 5)
    assert batch["token_ids"].shape == (2, 5) and batch["token_ids"].max() < 23
    assert latency_ratio(backbone, backbone, batch, rounds=3) > 0


@pytest.fixture
def folder(make_backbone, tmp_path):
    vocabulary = Vocabulary(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(18))])
    path = tmp_path / "bert"
    path.mkdir()
    export_backbone(path, make_backbone(), vocabulary, True)
    return path


def test_the_command(folder, tmp_path, capsys):
    target = tmp_path / "small"
    words = ["compress", str(folder), str(target), "--layers", "2", "--heads", "0.25", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    loaded, _, _ = load_backbone(target)
    assert sum(loaded.heads_left) == 6 and len(told["heads_removed"]) == 2
    assert told["after"]["parameters"] == loaded.count_params() < told["before"]["parameters"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bert", "small"]
    assert main(words) == 2 and "--force" in capsys.readouterr().err
    assert main([*words[:3], "--int8", "--heads", "1-2,1-3", "--force", "--time"]) == 0
    out = capsys.readouterr().out
    assert "2 heads removed: 1-2 1-3" in out and "of the original's" in out
    assert load_backbone(target)[0].int8
    config = tmp_path / "run.toml"
    config.write_text(f'[run]\ndirectory = "{tmp_path}/run"\n[training]\ncheckpoint = "{target}"\n')
    assert main(["finetune", str(config)]) == 2
    assert "int8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "nothing to do"),
        (["--heads", "1.5"], "a share between 0 and 1"),
        (["--heads", "1-2,x"], "a share between 0 and 1"),
        (["--heads", "9-1"], "no layer 9"),
        (["--heads", "0.9"], "would leave a layer without any"),
        (["--zeros", "1"], "--zeros"),
        (["--rank", "100"], "rank must be"),
    ],
)
def test_one_line_says_what_is_wrong(folder, tmp_path, capsys, options, said):
    assert main(["compress", str(folder), str(tmp_path / "small"), *options]) == 2
    error = capsys.readouterr().err.strip()
    assert said in error and "\n" not in error
    assert not (tmp_path / "small").exists()
