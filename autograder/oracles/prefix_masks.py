"""A mask that lets a source be read and a target be written, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash, with_switches_of
from autograder.oracles.masks import as_kind, weights_under


def spared(mask, segment_ids, padding_mask):
    """The mask with the right answer in the rows of padding, of which nothing is asked.

    Args:
        mask: what came back, (B, T, T) of bool or of 0 and 1; anything else stays as it is.
        segment_ids: int (B, T); padding_mask: bool (B, T).
    """
    batch, length = segment_ids.shape
    if not isinstance(mask, np.ndarray) or mask.shape != (batch, length, length):
        return mask
    if mask.dtype != bool and not np.isin(mask, (0, 1)).all():
        return mask
    right = _open(segment_ids == 0, "prefix") & padding_mask[:, None]
    return np.where(padding_mask[:, :, None], mask, right.astype(mask.dtype))


def _open(source, rule):
    """Who may look where, padding aside: source bool (B, T) to bool (B, T, T)."""
    length = source.shape[1]
    earlier = np.tri(length, dtype=bool)
    key, query = source[:, None, :], source[:, :, None]
    every = np.ones((len(source), length, length), bool)
    return {
        "prefix": lambda: key | earlier,
        "causal": lambda: every & earlier,
        "everything": lambda: every,
        "source_only": lambda: every & key,
        "strict": lambda: key | np.tri(length, k=-1, dtype=bool),
        "one_ahead": lambda: key | np.tri(length, k=1, dtype=bool),
        "upper": lambda: key | earlier.T,
        "target_sees_all": lambda: key | ~query,
        "apart": lambda: (key == query) & (key | earlier),
        "same_segment": lambda: key == query,
        "exchanged": lambda: ~key | earlier,
        "source_sees_all": lambda: query | earlier,
        "both": lambda: key & earlier,
        "either": lambda: key ^ earlier,
        "source_apart": lambda: (key & query) | earlier,
        "target_itself": lambda: key | np.eye(length, dtype=bool),
        "source_reads_forward": lambda: np.where(query, earlier, True),
    }[rule]()


def prefix_mask_array(
    segment_ids,
    padding_mask,
    *,
    rule="prefix",
    source="asked",
    axis="keys",
    padding="keys",
    real="given",
    batch="each",
    transposed="no",
    output="boolean",
):
    """Which token may look at which: bool (B, T, T), unless a switch says otherwise.

    Args:
        segment_ids: int (B, T).
        padding_mask: bool (B, T).
        rule, source, axis, padding, real, batch, transposed, output: the switches.

    Raises:
        Crash: where the mistake does not broadcast on these sizes.
    """
    is_source = segment_ids == 0
    if source != "asked":  # its length is counted, and so many places from the left are taken
        counted = is_source & padding_mask if source == "real_ones_counted" else is_source
        places = np.arange(segment_ids.shape[1])
        is_source = places < counted.sum(axis=1, keepdims=True)
    given = ~padding_mask if real == "inverted" else padding_mask
    if batch == "first":
        is_source = np.repeat(is_source[:1], len(is_source), axis=0)
    length = is_source.shape[1]
    earlier = np.tri(length, dtype=bool)
    keys = given[:, None, :]
    try:
        found = is_source | earlier if axis == "missing" else _open(is_source, rule)
        found = {
            "keys": lambda: found & keys,
            "ignored": lambda: found,
            "queries": lambda: found & given[:, :, None],
            "both": lambda: found & keys & given[:, :, None],
            "missing": lambda: found & given,
            "or": lambda: found | keys,
            "source_only": lambda: (is_source[:, None] & keys) | earlier,
            "target_only": lambda: is_source[:, None] | (earlier & keys),
            "target_part_only": lambda: found & (keys | is_source[:, None]),
            "source_part_only": lambda: found & (keys | ~is_source[:, None]),
            "pads_see_nothing_new": lambda: found & (keys | ~given[:, :, None]),
        }[padding]()
    except ValueError as error:
        raise shapes_clash() from error
    if transposed == "yes":
        found = np.swapaxes(found, -1, -2)
    if batch == "first_only":
        found = found[0]
    found = spared(found, segment_ids, padding_mask)
    return spared(as_kind(found, output), segment_ids, padding_mask)


prefix_mask = oracle(parts=("mask",))(prefix_mask_array)


@oracle(parts=("weights",))
@with_switches_of(prefix_mask_array)
def prefix_weights(segment_ids, padding_mask, query, key, **switches):
    """Attention weights (B, T, T) under such a mask."""
    mask = prefix_mask_array(segment_ids, padding_mask, **switches)
    try:
        return weights_under(mask, query, key)
    except ValueError as error:
        raise shapes_clash() from error
