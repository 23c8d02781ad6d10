import numpy as np
import pytest

from bert_keras.text.packing import head_and_tail, pack, pack_batch, truncate_pair
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *"abcdefghijkl"])
PAD, CLS, SEP = 0, 2, 3


def one_at_a_time(first, second, budget):
    """The textbook loop: drop the last token of the longer sequence until both fit."""
    first, second = list(first), list(second)
    while len(first) + len(second) > budget:
        (first if len(first) > len(second) else second).pop()
    return first, second


def test_truncation_equals_the_textbook_loop():
    for a in range(9):
        for b in range(9):
            for budget in range(19):
                first, second = list(range(a)), list(range(20, 20 + b))
                assert truncate_pair(first, second, budget) == one_at_a_time(first, second, budget)


def test_a_pair():
    row = pack([5, 6, 7], [8, 9], VOCABULARY, 10)
    assert row["token_ids"].tolist() == [CLS, 5, 6, 7, SEP, 8, 9, SEP, PAD, PAD]
    assert row["segment_ids"].tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 0, 0]
    assert row["padding_mask"].tolist() == [True] * 8 + [False] * 2
    assert row["token_ids"].dtype == np.int32 and row["padding_mask"].dtype == bool


def test_a_single_text():
    row = pack([5, 6, 7], None, VOCABULARY, 6)
    assert row["token_ids"].tolist() == [CLS, 5, 6, 7, SEP, PAD]
    assert row["segment_ids"].tolist() == [0] * 6


def test_no_separator_is_lost():
    rows = pack_batch(
        [([5] * 9, [6] * 4), ([5] * 9, None), ([5], [6] * 30), ([], [])], VOCABULARY, 7
    )
    assert rows["token_ids"].tolist() == [
        [CLS, 5, 5, SEP, 6, 6, SEP],
        [CLS, 5, 5, 5, 5, 5, SEP],
        [CLS, 5, SEP, 6, 6, 6, SEP],
        [CLS, SEP, SEP, PAD, PAD, PAD, PAD],
    ]
    assert rows["segment_ids"][2].tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_no_room_is_refused():
    with pytest.raises(ValueError, match="no room for 3"):
        pack([5], [6], VOCABULARY, 2)


@pytest.mark.parametrize(
    ("length", "budget", "kept"),
    [(5, 5, [0, 1, 2, 3, 4]), (6, 5, [0, 1, 3, 4, 5]), (9, 4, [0, 1, 7, 8]), (3, 1, [2])],
)
def test_a_long_text_keeps_its_head_and_its_tail(length, budget, kept):
    assert list(head_and_tail(list(range(length)), budget)) == kept
