"""Boolean masks in plain NumPy (True = may attend), with a switch for every mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import attend, shapes_clash, with_switches_of


def as_kind(mask: np.ndarray, output: str) -> np.ndarray:
    """The mask as it was asked for, or in one of the forms students return in its place."""
    if output == "inverted":
        return ~mask
    if output == "zeros_and_ones":
        return mask.astype(np.float32)
    if output == "integers":
        return mask.astype(np.int32)
    closed = {"additive": -1e9, "additive_small": -1e4, "additive_infinite": -np.inf}
    if output in closed:
        return np.where(mask, np.float32(0), np.float32(closed[output]))
    if output == "ones_close":
        return 1 - mask.astype(np.float32)
    if output == "integers_close":
        return 1 - mask.astype(np.int32)
    if output == "lists":
        return tuple(tuple(row) if row.ndim == 1 else tuple(map(tuple, row)) for row in mask)
    axes = {"extra_axis": 0, "axis_at_1": 1, "axis_at_end": -1, "two_axes": (0, 1)}
    if output in axes:
        return np.expand_dims(mask, axes[output])
    return mask


def selective_mask_array(
    links,
    query_length,
    key_length,
    *,
    unlinked="see_all",
    several="add_up",
    pair="query_key",
    link="allowed_only",
    positions="from_zero",
    linked_key="stays_visible",
    rows="separate",
    output="boolean",
):
    """A mask that restricts the queries named in ``links`` to the keys linked to them.

    Args:
        links: sequence of (query position, key position).
        query_length: T.
        key_length: S.
        unlinked, several, pair, link, positions, linked_key, rows, output: the switches.

    Returns:
        bool (T, S).

    Raises:
        Crash: where the mistake would index outside the mask.
    """
    mask = np.full((query_length, key_length), unlinked == "see_all")
    pairs = [tuple(int(p) for p in each) for each in links]
    if pair == "key_query":
        pairs = [(query, key) for key, query in pairs]
    if positions == "from_one":
        pairs = [(query - 1, key - 1) for query, key in pairs]
    if positions == "keys_from_one":
        pairs = [(query, key - 1) for query, key in pairs]
    if positions == "keys_one_further":
        pairs = [(query, key + 1) for query, key in pairs]
    if several == "only_the_first":
        pairs = pairs[:1]
    if several == "only_the_last":
        pairs = pairs[-1:]
    if several == "shared":
        pairs = [(query, key) for query, _ in pairs for _, key in pairs]
    seen = set()
    try:
        for query, key in pairs:
            if several == "first_wins" and query in seen:
                continue
            if link == "forbidden":
                mask[query, key] = False
                continue
            if link == "opens_only":  # sets True in a mask that is True there already
                mask[query, key] = True
                continue
            if several == "all_at_once" and query in seen:
                mask[query] &= np.arange(key_length) == key
            else:
                if query not in seen or several == "last_wins":
                    mask[query] = False
                mask[query, key] = True
            seen.add(query)
            if link == "both_ways":
                mask[key] = False
                mask[key, query] = True
            if link == "self_too":
                mask[query, query] = True
        if rows == "aliased":  # one list, held query_length times
            mask[:] = unlinked == "see_all" and not pairs
            for _, key in pairs:
                mask[:, key] = True
        if linked_key == "hidden_from_others":
            for key in {key for _, key in pairs}:
                friends = {query for query, other in pairs if other == key}
                for query in range(query_length):
                    if query not in friends:
                        mask[query, key] = False
    except IndexError as error:
        raise Crash("IndexError", "ValueError", "InvalidArgumentError") from error
    return as_kind(mask.T if output == "transposed" else mask, output)


def causal_mask_array(length, *, triangle="lower", output="boolean"):
    """The lower triangle, diagonal included: bool (length, length)."""
    query, key = np.arange(length)[:, None], np.arange(length)[None, :]
    mask = {
        "lower": key <= query,
        "upper": key >= query,
        "strict_lower": key < query,
        "strict_upper": key > query,
        "one_ahead": key <= query + 1,
        "two_ahead": key <= query + 2,
        "everything": np.ones((length, length), bool),
        "diagonal": key == query,
        "previous_only": (key == query) | (key == query - 1),
        "anti_diagonal": key + query <= length - 1,
        "anti_diagonal_below": key + query >= length - 1,
        "one_shorter": (key <= query)[: length - 1, : length - 1],
        "one_longer": np.tri(length + 1, dtype=bool),
    }[triangle]
    return as_kind(mask, output)


def combine_masks_array(
    padding_mask,
    attention_mask,
    *,
    combine="and",
    padding_axis="keys",
    padding_polarity="real",
    batch="each_item",
    attention_axes="either",
    attention_polarity="allowed",
    inside="nothing",
    output="boolean",
):
    """Padding (B, S) and attention mask (T, S) or (B, T, S) joined into bool (B, T, S).

    Raises:
        Crash: where the mistake does not broadcast on these sizes.
    """
    padding = ~padding_mask if padding_polarity == "inverted" else padding_mask
    if batch == "first_item":
        padding = np.repeat(padding[:1], len(padding), axis=0)
    if batch == "any_item":
        padding = np.repeat(padding.any(axis=0, keepdims=True), len(padding), axis=0)
    if batch == "every_item":
        padding = np.repeat(padding.all(axis=0, keepdims=True), len(padding), axis=0)
    if attention_axes == "three_only" and attention_mask.ndim == 2:
        raise Crash()
    if attention_polarity == "inverted":
        attention_mask = ~attention_mask
    if attention_axes == "transposed":
        attention_mask = np.swapaxes(attention_mask, -1, -2)
    if inside == "triangle":
        attention_mask = attention_mask & np.tri(*attention_mask.shape[-2:], dtype=bool)
    alone = {
        "first_item_alone": padding[:1, None],
        "any_item_alone": padding.any(axis=0),
        "every_item_alone": padding.all(axis=0),
    }
    if batch in alone:
        return as_kind(alone[batch] & attention_mask, output)
    rows = attention_mask.shape[-2]
    try:
        if attention_axes == "always_added":
            attention_mask = attention_mask[None]
        if padding_axis == "keys":
            padding = padding[:, None, :]
        elif padding_axis in ("queries", "both"):
            padding = padding[:, :, None] & (
                padding[:, None, :] if padding_axis == "both" else np.bool_(True)
            )
        # "missing": (B, S) goes in as it is, and B is read as the query axis
        joined = {
            "and": lambda: padding & attention_mask,
            "or": lambda: padding | attention_mask,
            "xor": lambda: padding ^ attention_mask,
            "equal": lambda: padding == attention_mask,
            "neither": lambda: ~(padding | attention_mask),
            "padding_only": lambda: np.repeat(padding, rows, axis=1),
            "padding_row": lambda: padding,
            "attention_only": lambda: attention_mask & np.ones_like(padding),
            "attention_as_given": lambda: attention_mask,
            "sum": lambda: padding.astype(np.float32) + attention_mask.astype(np.float32),
        }[combine]()
    except ValueError as error:
        raise shapes_clash() from error
    if batch == "last_returned":
        joined = joined[-1]
    return joined if combine == "sum" else as_kind(joined, output)


selective_mask = oracle()(selective_mask_array)
causal_mask = oracle()(causal_mask_array)
combine_masks = oracle()(combine_masks_array)


def weights_under(mask, query, key):
    """Attention weights (..., T, S) that a mask leads to, whatever kind of numbers it holds."""
    return attend(query, key, key, np.asarray(mask).astype(bool))[1]


@oracle()
@with_switches_of(selective_mask_array)
def selective_weights(links, query, key, **switches):
    """Attention weights (T, S) under a selective mask: what is left still sums to one."""
    mask = selective_mask_array(links, query.shape[-2], key.shape[-2], **switches)
    return _weights(mask, query, key)


@oracle()
@with_switches_of(causal_mask_array)
def causal_weights(query, key, **switches):
    """Attention weights (T, T) under a causal mask."""
    return _weights(causal_mask_array(query.shape[-2], **switches), query, key)


@oracle()
@with_switches_of(combine_masks_array)
def combined_weights(padding_mask, attention_mask, query, key, **switches):
    """Attention weights (B, T, S) under a padding and an attention mask."""
    return _weights(combine_masks_array(padding_mask, attention_mask, **switches), query, key)


def _weights(mask, query, key):
    try:
        return weights_under(mask, query, key)
    except ValueError as error:
        raise shapes_clash() from error
