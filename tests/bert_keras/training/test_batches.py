import numpy as np
import pytest

from bert_keras.training import prepare
from bert_keras.training.batches import PretrainingBatches, _random_windows, prefetch


@pytest.fixture(scope="module")
def make(prepared):
    corpus = prepare.load(prepared)

    def build(split="train", **changes):
        settings = {"batch_size": 11, "max_sequence_length": 26, "seed": 4} | changes
        return PretrainingBatches(corpus.splits[split], corpus.vocabulary, **settings)

    return build


def equal(a, b):
    return all(np.array_equal(x[k], y[k]) for x, y in zip(a, b, strict=True) for k in x)


def test_a_batch_depends_on_seed_and_number_alone(make):
    batches = make()
    last = batches.batches_per_epoch - 1
    wanted = {k: batches.batch(k) for k in (0, 1, last, last + 1)}
    other = make()
    for number in (last + 1, 1, last, 0):  # another order, another object
        assert equal(other.batch(number), wanted[number])
    assert not equal(wanted[0], wanted[1])
    assert not equal(wanted[0], wanted[last + 1])
    assert not equal(make(seed=5).batch(0), wanted[0])


def test_shapes_and_contents(make):
    batches = make()
    inputs, targets = batches.batch(3)
    assert {k: v.shape for k, v in inputs.items()} == {
        "token_ids": (11, 26),
        "segment_ids": (11, 26),
        "padding_mask": (11, 26),
        "mask_positions": (11, 3),
    }
    assert {k: v.shape for k, v in targets.items()} == {
        "mask_ids": (11, 3),
        "mask_weights": (11, 3),
        "next_sentence_label": (11,),
    }
    ordinary = inputs["padding_mask"].sum(axis=1) - 3
    assert np.array_equal(targets["mask_weights"].sum(axis=1), np.round(0.15 * ordinary))


def test_one_epoch_uses_every_pair_once(make):
    batches = make(batch_size=1, max_sequence_length=80, mask_rate=0.0)
    first = sorted(batches._drawn(0)[0].tolist())
    assert first == sorted(batches.pairs.first.tolist())
    labels = np.concatenate([batches._drawn(epoch)[2] for epoch in range(12)])
    assert abs(labels.mean() - 0.5) < 6 * np.sqrt(0.25 / labels.size)


def test_long_sentences_lose_a_random_part():
    first, second = np.arange(20), np.arange(100, 103)
    rng = np.random.default_rng(0)
    starts = set()
    for _ in range(400):
        a, b = _random_windows(first, second, 9, rng)
        assert len(a) == 6 and b.tolist() == [100, 101, 102]
        assert (np.diff(a) == 1).all()
        starts.add(int(a[0]))
    assert starts == set(range(15))
    assert _random_windows(first, second, 23, rng) == (first, second)


def test_held_out_pairs_are_always_the_same(make):
    inputs, masked, label = make("dev").held_out()
    again = make("dev", batch_size=3).held_out()
    assert equal([inputs], again[:1]) and np.array_equal(label, again[2])
    assert np.array_equal(masked.treatment, again[1].treatment)
    assert len(make("dev").held_out(limit=5)[2]) == 5


def test_too_little_text_is_refused(make):
    with pytest.raises(ValueError, match="fewer than the batch size"):
        make("dev", batch_size=10_000)


def test_prefetch_keeps_order_and_passes_errors_on():
    assert list(prefetch(lambda n: n * n, 3, 7)) == [9, 16, 25, 36]
    assert list(prefetch(lambda n: n, 5, 5)) == []
    stream = prefetch(lambda n: 1 // (2 - n), 0, 4)
    assert next(stream) == 0 and next(stream) == 1
    with pytest.raises(ZeroDivisionError):
        next(stream)
