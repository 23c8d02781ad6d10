import numpy as np
import pytest
from keras import ops

from bert_keras.layers import (
    causal_mask,
    combine_masks,
    padding_mask_from_ids,
    prefix_mask,
    selective_mask,
)


def as_bool(mask):
    mask = ops.convert_to_numpy(mask)
    assert mask.dtype == bool
    return mask


def test_padding_is_found_by_id():
    token_ids = np.array([[7, 3, 0, 0, 0], [2, 1, 1, 4, 0]])
    assert as_bool(padding_mask_from_ids(token_ids)).tolist() == [
        [True, True, False, False, False],
        [True, True, True, True, False],
    ]
    assert as_bool(padding_mask_from_ids(token_ids, pad_id=1)).tolist() == [
        [True, True, True, True, True],
        [True, False, False, True, True],
    ]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_causal_mask_is_a_lower_triangle(length):
    mask = as_bool(causal_mask(length))
    assert mask.shape == (length, length)
    for t in range(length):
        assert mask[t].tolist() == [True] * (t + 1) + [False] * (length - t - 1)


def test_selective_mask_closes_the_row_and_opens_the_links():
    mask = as_bool(selective_mask([(1, 0), (3, 2), (1, 4)], query_length=4, key_length=5))
    assert mask.astype(int).tolist() == [
        [1, 1, 1, 1, 1],
        [1, 0, 0, 0, 1],
        [1, 1, 1, 1, 1],
        [0, 0, 1, 0, 0],
    ]


def test_selective_mask_without_links_is_open_and_refuses_missing_positions():
    assert as_bool(selective_mask([], 2, 3)).all()
    with pytest.raises(IndexError):
        selective_mask([(0, 3)], 2, 3)
    with pytest.raises(IndexError):
        selective_mask([(2, 0)], 2, 3)


@pytest.mark.parametrize("per_sequence", [False, True])
@pytest.mark.parametrize("dtype", [bool, "int32"])
def test_combined_mask_closes_columns_of_padded_keys(rng, per_sequence, dtype):
    batch, queries, keys = 2, 3, 5
    padding_mask = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]], dtype)
    shape = (batch, queries, keys) if per_sequence else (queries, keys)
    attention_mask = rng.integers(0, 2, shape).astype(bool)
    mask = as_bool(combine_masks(padding_mask, attention_mask))
    assert mask.shape == (batch, queries, keys)
    for b in range(batch):
        for t in range(queries):
            for s in range(keys):
                allowed = attention_mask[b, t, s] if per_sequence else attention_mask[t, s]
                assert mask[b, t, s] == (bool(padding_mask[b, s]) and allowed)


def test_rows_of_padded_queries_stay_open():
    mask = as_bool(combine_masks(np.array([[True, True, False]]), causal_mask(3)))
    assert mask[0].astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]


def test_prefix_mask_reads_the_source_and_writes_the_target():
    mask = as_bool(prefix_mask(np.array([[0, 0, 1, 1], [0, 0, 0, 1]])))
    assert mask[0].astype(int).tolist() == [
        [1, 1, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 1, 0],
        [1, 1, 1, 1],
    ]
    assert mask[1].astype(int).tolist() == [[1, 1, 1, 0]] * 3 + [[1, 1, 1, 1]]
