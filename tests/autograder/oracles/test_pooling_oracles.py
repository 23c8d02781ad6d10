"""Masks and means against examples written out by hand, and mistakes against what they give."""

import numpy as np
import pytest

from autograder.oracles import Crash, pooling

IDS = np.array([[7, 3, 9, 0, 0], [2, 0, 5, 0, 4]])
X = np.array(
    [[[2.0, 0.0], [4.0, 2.0], [9.0, 9.0]], [[1.0, 5.0], [8.0, 8.0], [-3.0, 1.0]]]
)  # (2, 3, 2)
MASK = np.array([[True, True, False], [True, False, True]])


def mask(pad_id=0, **switches):
    return pooling.padding_mask.raw(IDS, pad_id, **switches)


def mean(x=X, real=MASK, **switches):
    return pooling.masked_mean.raw(x, real, **switches).tolist()


def test_real_words_are_what_has_another_id():
    assert mask().astype(int).tolist() == [[1, 1, 1, 0, 0], [1, 0, 1, 0, 1]]
    assert mask(3).astype(int).tolist() == [[1, 0, 1, 1, 1], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize(
    ("switches", "second_row"),
    [
        ({"polarity": "true_is_pad"}, [0, 1, 0, 1, 0]),
        ({"found": "counted_from_the_left"}, [1, 1, 1, 0, 0]),
        ({"found": "up_to_the_last"}, [1, 1, 1, 1, 1]),
        ({"found": "up_to_the_first_pad"}, [1, 0, 0, 0, 0]),
        ({"found": "same_in_every_row"}, [1, 1, 1, 0, 1]),
        ({"kind": "ids"}, [2, 0, 5, 0, 4]),
    ],
)
def test_mistakes_in_finding_pads(switches, second_row):
    assert mask(**switches)[1].astype(int).tolist() == second_row


def test_ids_are_no_sizes_and_zero_is_no_pad():
    assert mask(3, found="larger")[0].tolist() == [True, False, True, False, False]
    assert mask(3, found="smaller")[0].tolist() == [False, False, False, True, True]
    assert (mask(3, pad="zero") == mask(0)).all()


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        ("key_axis", (2, 1, 5)),
        ("query_axis", (2, 5, 1)),
        ("transposed", (5, 2)),
        ("flat", (10,)),
        ("lengths", (2,)),
    ],
)
def test_forms(form, shape):
    assert mask(form=form).shape == shape


def test_the_mean_of_the_real_words():
    assert mean() == [[3.0, 1.0], [-1.0, 3.0]]
    longer = np.concatenate([X, np.full((2, 4, 2), 50.0)], axis=1)
    assert mean(longer, np.pad(MASK, ((0, 0), (0, 4)))) == mean()
    assert mean(real=np.array([[False] * 3, [True] * 3]))[0] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("switches", "first"),
    [
        ({"summed": "all", "divisor": "length"}, [5.0, 11 / 3]),
        ({"divisor": "length"}, [2.0, 2 / 3]),
        ({"summed": "all"}, [7.5, 5.5]),
        ({"summed": "pads", "divisor": "pads"}, [9.0, 9.0]),
        ({"divisor": "one"}, [6.0, 2.0]),
        ({"divisor": "one_more"}, [2.0, 2 / 3]),
        ({"divisor": "all_in_the_batch"}, [1.5, 0.5]),
        ({"divisor": "mean_of_the_batch"}, [3.0, 1.0]),
        ({"divisor": "batch_size"}, [3.0, 1.0]),
        ({"divisor": "times_features"}, [1.5, 0.5]),
        ({"divisor": "root"}, [6 / 2**0.5, 2 / 2**0.5]),
        ({"divisor": "tenth_more"}, [6 / 2.1, 2 / 2.1]),
        ({"divisor": "nonzero_real"}, [3.0, 2.0]),
        ({"summed": "truth"}, [1.0, 0.5]),
        ({"divisor": "nonzero"}, [2.0, 1.0]),
        ({"mask_from": "vectors"}, [5.0, 11 / 3]),
        ({"reduced": "first"}, [2.0, 0.0]),
        ({"reduced": "last"}, [9.0, 9.0]),
        ({"reduced": "last_real"}, [4.0, 2.0]),
        ({"reduced": "largest"}, [4.0, 2.0]),
        ({"averaged": "batch"}, [1.5, 2.5]),
    ],
)
def test_mistakes_in_the_mean(switches, first):
    np.testing.assert_allclose(mean(**switches)[0], first)


def test_a_missing_axis_fits_by_accident_only():
    """Checked against NumPy's own broadcasting."""
    with pytest.raises(Crash):
        mean(mask_axis="missing")
    x, real = np.arange(27.0).reshape(3, 3, 3), np.tri(3, dtype=bool)
    total, count = (x * real).sum(axis=1), real.sum(axis=1)
    assert mean(x, real, mask_axis="missing") == (total / count[:, None]).tolist()
    total = (x * real[..., None]).sum(axis=1)
    assert mean(x, real, count_axis="missing") == (total / count).tolist()


def test_mean_of_features():
    feature_mean = mean(averaged="features", summed="all", divisor="length")
    assert feature_mean == X.mean(axis=-1).tolist()


def test_a_bug_of_the_drill_is_left_or_new():
    table = np.arange(20.0).reshape(10, 2)
    bug, how = {"summed": "all"}, {"patient": "pads_in_the_sum"}
    assert pooling.sentence_vectors.raw(IDS, table, **bug, **how, left="pads_in_the_sum").any()
    assert pooling.sentence_vectors.raw(IDS, table, **bug, **how, new="mask_inverted").any()
    for switch in ({"left": "mask_inverted"}, {"new": "pads_in_the_sum"}):
        with pytest.raises(ValueError):
            pooling.sentence_vectors.raw(IDS, table, **bug, **how, **switch)


def test_a_sentence_without_words_gives_nan_without_care():
    with np.errstate(invalid="ignore"):
        found = mean(real=np.zeros((2, 3), bool), empty="nan")
    assert np.isnan(found).all()
    assert np.shape(mean(kept="token_axis")) == (2, 1, 2)


def test_sentence_vectors_are_means_of_rows():
    table = np.arange(20.0).reshape(10, 2)
    ids = np.array([[3, 5, 0], [0, 0, 0]])
    assert pooling.sentence_vectors.raw(ids, table).tolist() == [[8.0, 9.0], [0.0, 0.0]]
    fixed = pooling.sentence_vectors.raw(ids, table, 5, pad="zero")
    assert fixed.tolist() == [[8.0, 9.0], [0.0, 0.0]]
    assert pooling.sentence_vectors.raw(ids, table, tokens="without_the_last")[0].tolist() == [8, 9]
    assert pooling.sentence_vectors.raw(ids, table, tokens="without_the_first")[0].tolist() == [
        10.0,
        11.0,
    ]
