"""Masks and counts against entries written by hand."""

import numpy as np
import pytest

from autograder.oracles import Crash, costs, masks


def test_selective_mask_by_hand():
    found = masks.selective_mask.raw([(1, 0), (2, 2), (1, 2)], 3, 4)
    wanted = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 1, 0]]
    assert found.dtype == bool and found.tolist() == np.array(wanted, bool).tolist()


@pytest.mark.parametrize(
    ("switch", "row"),
    [
        ({"several": "last_wins"}, [0, 0, 1, 0]),
        ({"several": "first_wins"}, [1, 0, 0, 0]),
        ({"several": "all_at_once"}, [0, 0, 0, 0]),
        ({"link": "forbidden"}, [0, 1, 0, 1]),
        ({"link": "opens_only"}, [1, 1, 1, 1]),
        ({"link": "self_too"}, [1, 1, 1, 0]),
    ],
)
def test_links_misread(switch, row):
    found = masks.selective_mask.raw([(1, 0), (1, 2)], 3, 4, **switch)
    assert found[1].tolist() == np.array(row, bool).tolist()


@pytest.mark.parametrize(
    ("triangle", "wanted"),
    [
        ("lower", [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ("upper", [[1, 1, 1], [0, 1, 1], [0, 0, 1]]),
        ("strict_lower", [[0, 0, 0], [1, 0, 0], [1, 1, 0]]),
        ("one_ahead", [[1, 1, 0], [1, 1, 1], [1, 1, 1]]),
    ],
)
def test_triangles(triangle, wanted):
    found = masks.causal_mask.raw(3, triangle=triangle)
    assert found.tolist() == np.array(wanted, bool).tolist()


def test_padding_closes_columns():
    padding, causal = np.array([[1, 1, 1, 0]], bool), np.tril(np.ones((4, 4), bool))
    found = masks.combine_masks.raw(padding, causal)[0]
    assert not found[:, 3].any()
    assert found[0].tolist() == [True, False, False, False]
    joined = masks.combine_masks.raw(padding, causal, combine="or")[0]
    assert joined[0].tolist() == [True, True, True, False]


def test_a_missing_axis_crashes_unless_sizes_agree():
    padding, mask = np.ones((2, 6), bool), np.ones((2, 5, 6), bool)
    missing = {"padding_axis": "missing"}
    assert isinstance(masks.combine_masks(padding, mask).predict(missing), Crash)
    padding, mask = np.eye(3, 6, dtype=bool), np.ones((3, 3, 6), bool)
    assert masks.combine_masks(padding, mask).predict(missing).shape == (3, 3, 6)


def test_counts_by_loop():
    queries, keys, hidden, heads = 3, 5, 8, 2
    projections = attention = 0
    for rows in (queries, keys, keys, queries):
        for _ in range(rows * hidden):
            projections += 2 * hidden
    for _ in range(heads * queries):
        attention += 2 * keys * (hidden // heads)  # scores
        attention += 2 * keys * (hidden // heads)  # weighted sum
    assert costs.attention_flops.raw(queries, keys, hidden, heads) == (projections, attention)
