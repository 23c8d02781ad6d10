"""Counting operations and naming bugs, with a switch for every way of getting it wrong."""

from __future__ import annotations

from autograder.oracles import oracle


@oracle(parts=("projections", "attention"))
def attention_flops(
    query_length,
    key_length,
    hidden_dim,
    num_heads,
    *,
    mac="two",
    heads="cancel",
    keys="key_length",
    projected="all_four",
    products="both",
    extras="none",
    order="projections_first",
    returned="pair",
):
    """Operations of one multi-head attention call on one sequence.

    Args:
        query_length: T, int.
        key_length: S, int.
        hidden_dim: D, int.
        num_heads: N, int; it cancels in the right answer.
        mac, heads, keys, projected, products, extras, order, returned: the switches.

    Returns:
        ints (projections, attention).
    """
    per_mac = 1 if mac == "one" else 2
    queries, hidden = query_length, hidden_dim
    key_count = query_length if keys == "query_length" else key_length
    head_dim = hidden // num_heads
    rows = {
        "all_four": 2 * queries + 2 * key_count,
        "no_output": queries + 2 * key_count,
        "output_over_keys": queries + 3 * key_count,
        "one_of_each": queries + key_count,
        "queries_only": 4 * queries,
        "keys_only": 4 * key_count,
        "three_of_queries": 3 * queries,
        "key_and_value_once": 2 * queries + key_count,
    }[projected]
    width = {"per_head_projection": head_dim}.get(heads, hidden)
    depth = hidden
    if heads == "per_head_square":
        width = depth = head_dim
    projections = per_mac * rows * depth * width
    if heads in ("times_projection", "times_both"):
        projections *= num_heads
    attention = per_mac * {"both": 2, "scores_only": 1}[products] * queries * key_count * hidden
    if heads in ("times_attention", "times_both"):
        attention *= num_heads
    if heads == "one_head":
        attention = attention // num_heads
    if keys == "queries_squared":
        attention = attention // key_count * queries
    if keys == "keys_squared":
        attention = attention // queries * key_count
    if mac.startswith("exact"):  # n products need only n - 1 additions
        split = num_heads if mac == "exact" else 1
        projections = rows * hidden * (2 * hidden - 1)
        attention = queries * key_count * split * (2 * hidden // split - 1)
        attention += queries * hidden * (2 * key_count - 1)
    if extras == "biases":
        projections += rows * hidden
    elif extras != "none":  # so many operations for every pair, in every head or just once
        how_many, _, where = extras.partition("_per_")
        attention += int(how_many) * queries * key_count * (num_heads if where == "head" else 1)
    pair = (projections, attention)
    if order == "attention_first":
        pair = (attention, projections)
    if returned == "floats":
        return tuple(float(count) for count in pair)
    if returned == "first_is_float":
        return float(pair[0]), pair[1]
    if returned == "second_is_float":
        return pair[0], float(pair[1])
    return sum(pair) if returned == "total" else pair


@oracle(parts=("suspect",))
def drill_answer(bug, bugs, *, suspect="found"):
    """The name of a drill's bug, or the one that ``suspect`` names in its place."""
    return bug if suspect == "found" else suspect
