import numpy as np
import pytest

from bert_keras.text.vocabulary import build_character_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import bert_probes, small_bert
from bert_keras.training.shards import TokenizedSplit

SIZES = {"num_layers": 1, "num_heads": 2, "hidden_dim": 8, "intermediate_dim": 16}


@pytest.fixture(scope="module")
def text():
    rng = np.random.default_rng(0)
    sentences = ["".join(rng.choice(list("天地人你我他"), 5)) + "。" for _ in range(1300)]
    tokenizer = WordPieceTokenizer(build_character_vocabulary("".join(sentences)))
    ids = [tokenizer.encode(sentence) for sentence in sentences]
    split = TokenizedSplit.of(ids, np.arange(len(ids)) // 2)
    return small_bert.Newspaper(tokenizer, {"train": split, "dev": split, "test": split})


@pytest.fixture(scope="module")
def batches(text):
    return small_bert.batches(text, batch_size=8, max_sequence_length=16, seed=3)


def test_the_clean_text_comes_back(text, batches):
    inputs, targets = batches.batch(0)
    clean = small_bert.clean_ids(inputs, targets)
    assert not (clean == text.vocabulary.mask_id).any()
    used = targets["mask_weights"] > 0
    found = np.take_along_axis(clean, inputs["mask_positions"], axis=1)
    assert (found[used] == targets["mask_ids"][used]).all()


def test_riddles_ask_for_what_they_say(batches):
    batch = batches.batch(1)
    clean, real = small_bert.clean_ids(*batch), batch[0]["padding_mask"]
    assert small_bert.riddle("masked", *batch) == batch
    inputs, targets = small_bert.riddle("causal", *batch)
    assert (targets["mask_ids"] == clean[:, 1:]).all()
    assert (targets["mask_weights"] == real[:, 1:]).all()
    assert (inputs["token_ids"] == clean).all()
    assert not inputs["attention_mask"][0, 2, 3] and inputs["attention_mask"][0, 3, 3]
    inputs, targets = small_bert.riddle("denoising", *batch)
    assert (targets["mask_ids"] == clean).all()
    assert (inputs["token_ids"] == batch[0]["token_ids"]).all()
    with pytest.raises(ValueError, match="riddle"):
        small_bert.riddle("riddle", *batch)


def test_training_goes_on_and_hands_over(text, batches):
    model = small_bert.build(len(text.vocabulary), seed=0, next_sentence=0.0, **SIZES)
    small_bert.prepare(model, 6, jit_compile=False)
    points = list(small_bert.train(model, batches.batch, 6, stops=(2, 4)))
    assert [steps for steps, _ in points] == [2, 4, 6]
    figures = small_bert.held_out(model, batches, 16)
    assert 0 < figures["masked"] < 10
    counted = small_bert.counted(text, batches, 100)
    # All characters are equally frequent and nothing tells them apart but the full stop's place.
    assert counted["neighbours"] < counted["unigram"] < np.log(7) + 0.2


def test_a_loss_without_next_sentences(text, batches):
    inputs, targets = batches.batch(0)
    model = small_bert.build(len(text.vocabulary), seed=0, next_sentence=0.0, **SIZES)
    losses = model.losses_of(targets, model(inputs))
    assert float(losses["loss"]) == pytest.approx(float(losses["mlm_loss"]))


def test_layers_are_read_in_the_order_of_the_rows(text, batches):
    model = small_bert.build(len(text.vocabulary), seed=0, **SIZES)
    inputs, _ = batches.batch(0)
    inputs = {name: inputs[name] for name in ("token_ids", "segment_ids", "padding_mask")}
    wanted = model.backbone.all_states(inputs)["hidden_states"]
    many = {name: np.concatenate([array] * 15) for name, array in inputs.items()}
    layers = bert_probes.read_layers(model.backbone, many)
    assert len(layers) == 2 and layers[0].shape == (120, 16, 8)
    for layer, right in zip(layers, wanted, strict=True):
        np.testing.assert_allclose(layer[112:], np.asarray(right), atol=1e-5)
    ahead = {name: array.copy() for name, array in many.items()}
    ahead["token_ids"][:, 9:] = text.vocabulary.mask_id
    before, after = (bert_probes.read_layers(model.backbone, x, causal=True) for x in (many, ahead))
    np.testing.assert_allclose(before[-1][:, :9], after[-1][:, :9], atol=1e-6)


def test_neighbours_are_told_by_a_linear_layer(text, batches):
    """With the answer written into the first segment's length, anything can tell."""
    model = small_bert.build(len(text.vocabulary), seed=0, **SIZES)
    inputs, _ = batches.batch(0)
    label = np.arange(len(inputs["token_ids"])) % 2
    inputs["token_ids"][:, 1:] = np.where(label[:, None] == 1, text.vocabulary.mask_id, 7)
    share = bert_probes.next_sentences(
        model.backbone, (inputs, label), (inputs, label), steps=60, seed=0
    )
    assert share == 1.0
