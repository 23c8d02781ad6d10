"""Heads in plain NumPy: cutting features into heads and joining them, with switches."""

from __future__ import annotations

import itertools

import numpy as np

from autograder.oracles import oracle

ORDERS = tuple("".join(order) for order in itertools.permutations("0123"))


def split_array(x, num_heads, *, split="by_head"):
    """(B, T, D) cut into (B, N, T, D/N); ``split`` is the switch."""
    batch, length, width = x.shape
    size = width // num_heads
    cut = x.reshape(batch, length, num_heads, size)
    if split == "by_head":
        return cut.transpose(0, 2, 1, 3)
    if split == "bare_reshape":
        return x.reshape(batch, num_heads, length, size)
    if split == "not_transposed":
        return cut
    if split == "interleaved":
        return x.reshape(batch, length, size, num_heads).transpose(0, 3, 1, 2)
    if split == "sizes_swapped":
        return x.reshape(batch, length, size, num_heads).transpose(0, 2, 1, 3)
    if split == "features_before_tokens":
        return cut.transpose(0, 2, 3, 1)
    if split == "heads_first":
        return cut.transpose(2, 0, 1, 3)
    if split.startswith("order_"):  # the four axes in some other order
        return cut.transpose([int(axis) for axis in split.removeprefix("order_")])
    if split == "bare_reshape_moved":
        return x.reshape(batch, num_heads, length, size).transpose(0, 2, 1, 3)
    if split == "bare_reshape_of_columns":
        return np.swapaxes(x, 1, 2).reshape(batch, num_heads, length, size)
    if split == "by_token":
        return x.reshape(batch, num_heads, length // num_heads, width)
    if split == "folded_by_head":
        return cut.transpose(2, 0, 1, 3).reshape(batch * num_heads, length, size)
    if split == "list_of_heads":
        return tuple(cut.transpose(2, 0, 1, 3))
    if split == "first_block":
        return np.repeat(cut[:, :, :1], num_heads, axis=2).transpose(0, 2, 1, 3)
    if split == "folded":
        return cut.transpose(0, 2, 1, 3).reshape(batch * num_heads, length, size)
    if split == "everything":
        return np.repeat(x[:, None], num_heads, axis=1)
    if split == "reversed":
        return cut[:, :, ::-1].transpose(0, 2, 1, 3)
    assert split == "single", split
    return x[:, None]


def merge_array(x, *, merge="side_by_side"):
    """(B, N, T, H) joined to (B, T, N*H); ``merge`` is the switch."""
    batch, heads, length, size = x.shape
    reduced = {"mean": np.mean, "sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod}
    if merge == "side_by_side":
        return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
    if merge == "bare_reshape":
        return x.reshape(batch, length, heads * size)
    if merge == "interleaved":
        return x.transpose(0, 2, 3, 1).reshape(batch, length, heads * size)
    if merge.startswith("order_"):  # the axes moved in some other way, then joined
        order = [int(axis) for axis in merge.removeprefix("order_")]
        return x.transpose(order).reshape(batch, length, heads * size)
    if merge == "bare_reshape_of_columns":
        return np.swapaxes(x.reshape(batch, heads * size, length), 1, 2)
    if merge == "flat":  # of heads that never left their place behind the tokens
        return x.reshape(batch, heads, length * size)
    if merge == "batch_second":
        return x.transpose(2, 0, 1, 3).reshape(length, batch, heads * size)
    if merge == "tokens_flattened":
        return x.transpose(0, 2, 1, 3).reshape(batch * length, heads * size)
    if merge == "along_batch":
        return x.transpose(1, 0, 2, 3).reshape(heads * batch, length, size)
    if merge == "list_of_heads":
        return tuple(x.transpose(1, 0, 2, 3))
    if merge == "unchanged":
        return x
    if merge == "last_head":
        return x[:, -1]
    if merge == "not_joined":
        return x.transpose(0, 2, 1, 3)
    if merge == "first_head":
        return x[:, 0]
    if merge == "along_tokens":
        return x.reshape(batch, heads * length, size)
    if merge == "reversed":
        return x[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
    how, _, repeated = merge.partition("_")
    joined = reduced[how](x, axis=1)
    if repeated == "repeated":
        return np.repeat(joined, heads, axis=-1)
    return np.tile(joined, (1, 1, heads)) if repeated else joined


split_heads = oracle()(split_array)
merge_heads = oracle()(merge_array)
