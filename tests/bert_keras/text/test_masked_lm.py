import numpy as np
import pytest

from bert_keras.text.masked_lm import KEPT, MASKED, RANDOM, UNUSED, mask_tokens
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *(chr(0x4E00 + n) for n in range(20))])


def rows_of_text(count, length, seed=0):
    """[CLS] text [SEP] text [SEP] padding, with [UNK] here and there."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(5, 25, (count, length)).astype(np.int32)
    ids[rng.random(ids.shape) < 0.05] = VOCABULARY.unk_id
    ids[:, 0], ids[:, length // 2], ids[:, -4] = 2, 3, 3
    ids[:, -3:] = 0
    return ids


def test_targets_are_the_original_tokens_and_the_rest_is_untouched():
    ids = rows_of_text(7, 41)
    before = ids.copy()
    batch = mask_tokens(ids, VOCABULARY, np.random.default_rng(1), max_predictions=9)
    assert np.array_equal(ids, before)
    touched = np.zeros(ids.shape, bool)
    for row in range(7):
        used = batch.mask_weights[row] == 1
        positions = batch.mask_positions[row][used]
        assert len(set(positions)) == len(positions) and (np.diff(positions) > 0).all()
        assert np.array_equal(batch.mask_ids[row][used], ids[row, positions])
        touched[row, positions] = True
        assert (batch.treatment[row][used] != UNUSED).all()
        assert (batch.treatment[row][~used] == UNUSED).all()
        for position, treatment in zip(positions, batch.treatment[row][used], strict=True):
            new = batch.token_ids[row, position]
            if treatment == MASKED:
                assert new == VOCABULARY.mask_id
            elif treatment == KEPT:
                assert new == ids[row, position]
            else:
                assert new >= 5
    assert np.array_equal(batch.token_ids[~touched], ids[~touched])
    assert not np.isin(ids[touched], VOCABULARY.special_ids).any()


def test_number_of_predictions():
    ids = rows_of_text(50, 61, seed=3)
    batch = mask_tokens(ids, VOCABULARY, np.random.default_rng(0), max_predictions=12)
    ordinary = (ids >= 5).sum(axis=1)
    expected = np.minimum(12, np.maximum(1, np.round(0.15 * ordinary)))
    assert np.array_equal(batch.mask_weights.sum(axis=1), expected)
    capped = mask_tokens(ids, VOCABULARY, np.random.default_rng(0), max_predictions=3)
    assert (capped.mask_weights.sum(axis=1) == 3).all()


def test_at_least_one_and_none_where_there_is_nothing():
    ids = np.array([[2, 7, 3, 0, 0], [2, 3, 3, 0, 0]], np.int32)
    batch = mask_tokens(ids, VOCABULARY, np.random.default_rng(0), max_predictions=7)
    assert batch.mask_weights.shape == (2, 7)
    assert batch.mask_weights.sum(axis=1).tolist() == [1, 0]
    assert batch.mask_positions[0, 0] == 1 and batch.mask_ids[0, 0] == 7
    assert np.array_equal(batch.token_ids[1], ids[1])


def test_shares_of_the_three_treatments():
    ids = rows_of_text(3000, 103, seed=5)
    rng = np.random.default_rng(11)
    batch = mask_tokens(ids, VOCABULARY, rng, max_predictions=15)
    treatment = batch.treatment[batch.treatment != UNUSED]
    for kind, share in ((MASKED, 0.8), (RANDOM, 0.1), (KEPT, 0.1)):
        sigma = np.sqrt(share * (1 - share) / treatment.size)
        assert abs((treatment == kind).mean() - share) < 6 * sigma
    # Every ordinary token serves as a replacement, equally often, and no other does.
    row, slot = np.nonzero(batch.treatment == RANDOM)
    replacements = batch.token_ids[row, batch.mask_positions[row, slot]]
    counts = np.bincount(replacements, minlength=25)
    assert counts[:5].sum() == 0
    sigma = np.sqrt(replacements.size * (1 / 20) * (19 / 20))
    assert (abs(counts[5:] - replacements.size / 20) < 6 * sigma).all()


def test_every_ordinary_position_is_as_likely():
    ids = np.tile(rows_of_text(1, 23, seed=8), (20000, 1))
    batch = mask_tokens(ids, VOCABULARY, np.random.default_rng(2), max_predictions=5)
    used = batch.mask_weights == 1
    counts = np.bincount(batch.mask_positions[used], minlength=23)
    ordinary = ids[0] >= 5
    share = used.sum() / ordinary.sum() / 20000
    sigma = np.sqrt(20000 * share * (1 - share))
    assert (counts[~ordinary] == 0).all()
    assert (abs(counts[ordinary] - 20000 * share) < 6 * sigma).all()


def test_same_seed_same_masks_next_draw_other_masks():
    ids = rows_of_text(4, 31)
    rng = np.random.default_rng(5)
    first = mask_tokens(ids, VOCABULARY, rng, max_predictions=4)
    second = mask_tokens(ids, VOCABULARY, rng, max_predictions=4)
    again = mask_tokens(ids, VOCABULARY, np.random.default_rng(5), max_predictions=4)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.mask_positions, second.mask_positions)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_extreme_rates(rate):
    ids = rows_of_text(3, 19)
    batch = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(0), max_predictions=19, mask_rate=rate
    )
    ordinary = (ids >= 5).sum(axis=1)
    expected = ordinary if rate else np.ones(3)
    assert np.array_equal(batch.mask_weights.sum(axis=1), expected)
