"""Whole-word masking: the choice of words against a loop that takes them one at a time."""

import numpy as np
import pytest

from bert_keras.text.masked_lm import KEPT, MASKED, RANDOM, MaskingError, mask_tokens
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *(chr(0x4E00 + n) for n in range(40))])


def rows_of_words(count, length, seed=0, longest=4):
    """Rows [CLS] words [SEP] words [SEP] [PAD]…, and where words begin."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(5, 45, (count, length)).astype(np.int32)
    ids[rng.random(ids.shape) < 0.04] = VOCABULARY.unk_id
    ids[:, 0], ids[:, length // 2], ids[:, -4] = 2, 3, 3
    ids[:, -3:] = 0
    starts = np.zeros((count, length), np.uint8)
    for row in range(count):
        place = 0
        while place < length:
            starts[row, place] = 1
            place += rng.integers(1, longest + 1)
    return ids, starts


def words_of(ids, starts):
    """Lists of positions, one a word, by the rules of the docstring and without NumPy."""
    words = []
    for place, (token, begins) in enumerate(zip(ids.tolist(), starts.tolist(), strict=True)):
        apart = token in (0, 2, 3, 4)
        if place == 0 or begins or apart or words[-1][1]:
            words.append(([], apart))
        words[-1][0].append(place)
    return [places for places, _ in words]


def test_a_word_is_chosen_whole_or_not_at_all_and_within_the_budget():
    ids, starts = rows_of_words(400, 67)
    batch = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(1), max_predictions=9, word_starts=starts
    )
    full = 0
    for row in range(400):
        chosen = set(batch.mask_positions[row][batch.mask_weights[row] == 1].tolist())
        budget = min(9, max(1, round(0.15 * (ids[row] >= 5).sum())))
        assert len(chosen) == batch.mask_weights[row].sum() <= budget
        left_out = []
        for places in words_of(ids[row], starts[row]):
            assert chosen.issuperset(places) or chosen.isdisjoint(places), places
            known = (ids[row, places] >= 5).all()
            assert known or chosen.isdisjoint(places)
            if known and chosen.isdisjoint(places):
                left_out.append(len(places))
        # No word that would still fit was passed over.
        assert len(chosen) + min(left_out) > budget
        full += len(chosen) == budget
        assert np.array_equal(batch.mask_ids[row][: len(chosen)], ids[row, sorted(chosen)])
    assert full > 380


def test_words_are_taken_in_random_order_each_if_it_still_fits():
    # Words of 1, 2 and 3 tokens and a budget of 3: taking them in each of the 6 equally likely
    # orders, one at a time, gives these sets, with these probabilities.
    ids = np.array([[5, 6, 7, 8, 9, 10]], np.int32).repeat(60_000, axis=0)
    starts = np.array([[1, 1, 0, 1, 0, 0]], bool).repeat(60_000, axis=0)
    batch = mask_tokens(
        ids,
        VOCABULARY,
        np.random.default_rng(2),
        max_predictions=3,
        mask_rate=0.5,
        word_starts=starts,
    )
    found = batch.mask_positions.tolist()
    shares = {(0, 1, 2): 4 / 6, (3, 4, 5): 2 / 6}
    assert batch.mask_weights.all()
    for places, share in shares.items():
        count = sum(tuple(row) == places for row in found)
        # Fails with probability below 2e-9 where the draw is right.
        assert abs(count - 60_000 * share) < 6 * np.sqrt(60_000 * share * (1 - share))
    assert {tuple(row) for row in found} == set(shares)


def test_words_of_one_length_are_equally_likely():
    ids, _ = rows_of_words(1, 43, seed=5)
    ids = np.where(ids == VOCABULARY.unk_id, 5, ids).repeat(20_000, axis=0)
    starts = np.zeros(ids.shape, np.uint8)
    starts[:, 1:21:2] = 1
    starts[:, 22:39:2] = 1
    batch = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(3), max_predictions=6, word_starts=starts
    )
    counts = np.bincount(batch.mask_positions[batch.mask_weights == 1], minlength=43)
    words = [p for p in words_of(ids[0], starts[0]) if len(p) == 2 and ids[0, p[0]] >= 5]
    singles = [p for p in words_of(ids[0], starts[0]) if len(p) == 1 and ids[0, p[0]] >= 5]
    assert len(words) > 15 and not counts[ids[0] < 5].any()
    per_word = np.array([counts[places] for places in words])
    assert (per_word[:, 0] == per_word[:, 1]).all()
    mean = per_word[:, 0].mean()
    # 18 words, each off by more than 6 sigma with probability below 2e-9.
    assert (abs(per_word[:, 0] - mean) < 6 * np.sqrt(mean)).all(), (per_word, singles)


def test_what_happens_is_drawn_for_each_token():
    ids, starts = rows_of_words(4000, 67, seed=7)
    batch = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(4), max_predictions=12, word_starts=starts
    )
    used = batch.mask_weights == 1
    total = used.sum()
    for kind, share in ((MASKED, 0.8), (RANDOM, 0.1), (KEPT, 0.1)):
        sigma = np.sqrt(share * (1 - share) / total)
        assert abs((batch.treatment[used] == kind).mean() - share) < 6 * sigma
    # Within a word, the token after a [MASK] is one in 80 % of cases too, not always.
    neighbours = used[:, 1:] & (np.diff(batch.mask_positions, axis=1) == 1)
    after = batch.treatment[:, 1:][neighbours & (batch.treatment[:, :-1] == MASKED)]
    assert abs((after == MASKED).mean() - 0.8) < 6 * np.sqrt(0.16 / after.size)


def test_words_longer_than_the_budget_are_never_chosen():
    ids = np.array([[2, 5, 6, 7, 8, 3]], np.int32)
    starts = np.array([[1, 1, 0, 0, 0, 1]], np.uint8)
    batch = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(0), max_predictions=5, word_starts=starts
    )
    assert batch.mask_weights.sum() == 0 and np.array_equal(batch.token_ids, ids)


def test_every_token_a_word_gives_the_number_of_single_tokens():
    ids, _ = rows_of_words(50, 61)
    ones = np.ones(ids.shape, bool)
    whole = mask_tokens(
        ids, VOCABULARY, np.random.default_rng(0), max_predictions=8, word_starts=ones
    )
    single = mask_tokens(ids, VOCABULARY, np.random.default_rng(0), max_predictions=8)
    assert np.array_equal(whole.mask_weights, single.mask_weights)
    assert whole.mask_positions.shape == (50, 8) and whole.mask_positions.dtype == np.int32


def test_same_seed_same_words_and_the_input_stays():
    ids, starts = rows_of_words(5, 37)
    before, begins = ids.copy(), starts.copy()
    draws = [
        mask_tokens(
            ids, VOCABULARY, np.random.default_rng(s), max_predictions=5, word_starts=starts
        )
        for s in (1, 1, 2)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(draws[0], draws[1], strict=True))
    assert not np.array_equal(draws[0].mask_positions, draws[2].mask_positions)
    assert np.array_equal(ids, before) and np.array_equal(starts, begins)


@pytest.mark.parametrize(
    "starts", [np.ones((5, 36), bool), np.ones((5, 37), np.int64), np.ones(37, bool)]
)
def test_starts_that_do_not_fit_are_refused(starts):
    ids, _ = rows_of_words(5, 37)
    with pytest.raises(MaskingError, match=r"bool or uint8 \(5, 37\)") as caught:
        mask_tokens(
            ids, VOCABULARY, np.random.default_rng(0), max_predictions=5, word_starts=starts
        )
    assert "\n" not in str(caught.value)
