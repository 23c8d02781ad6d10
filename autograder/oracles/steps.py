"""Steps and operations of recurrent, convolutional and attention layers, right and wrong."""

from __future__ import annotations

import math

from autograder.oracles import oracle


@oracle(parts=("steps", "flops"))
def sequential_steps(
    kind,
    length,
    hidden_dim,
    kernel_size=3,
    *,
    recurrence="every_word",
    matrices="both",
    reach="one_side",
    rounding="up",
    layer_work="all_layers",
    window="counted",
    parallel="layer",
    projections="four",
    pair_products="both",
    mac="two",
    order="steps_first",
    returned="pair",
):
    """What it takes until the last word can know the first.

    Args:
        kind: "recurrent", "convolution" or "attention".
        length: T, int.
        hidden_dim: D, int.
        kernel_size: K, odd int.
        recurrence, matrices: switches of the recurrent network.
        reach, rounding, layer_work, window: of the convolution.
        parallel, projections, pair_products: of attention.
        mac, order, returned: of all.

    Returns:
        ints (steps, flops).
    """
    per_mac = 1 if mac == "one" else 2
    one = per_mac * length * hidden_dim * hidden_dim
    if kind == "recurrent":
        counts = {"every_word": length, "one_less": length - 1, "at_once": 1}
        steps = {**counts, "matrices_apart": 2 * length}[recurrence]
        products = {"both": 2, "one": 1, "lstm": 8, "gru": 6, "squared_length": 2 * length}
        products["both_directions"] = 4
        flops = products[matrices] * one
    elif kind == "convolution":
        steps = _layers(length, kernel_size, reach, rounding)
        flops = kernel_size * one * (steps if layer_work == "all_layers" else 1)
        if window == "left_out":
            flops = flops // kernel_size
        elif window == "one_side":
            flops = flops // kernel_size * (kernel_size // 2)
        elif window == "one_channel":
            flops = flops // hidden_dim
        if parallel == "word":
            steps = steps * length
    else:
        steps = {"layer": 1, "word": length, "pair": length * length}[parallel]
        looked_at = {
            "without_order": length * (length - 1) // 2,
            "without_order_and_itself": length * (length + 1) // 2,
            "without_itself": length * (length - 1),
        }
        pairs = per_mac * looked_at.get(pair_products, length * length) * hidden_dim
        flops = {"four": 4, "three": 3, "none": 0, "one": 1}[projections] * one
        flops += {"one": 1, "none": 0}.get(pair_products, 2) * pairs
    if order in ("flops_first", f"flops_first_{kind}"):
        return flops, steps
    if returned == "floats":
        return float(steps), float(flops)
    if returned == "steps_are_floats":
        return float(steps), flops
    if returned in ("flops_are_floats", f"flops_are_floats_{kind}"):
        return steps, float(flops)
    if returned == "steps_only":
        return steps
    if returned == "flops_only":
        return flops
    return steps, flops


def _layers(length, kernel_size, reach, rounding):
    """How many convolutions; how far one reaches, and how to round, may be wrong."""
    if reach == "logarithm":
        return max(1, math.ceil(math.log(length, kernel_size) - 1e-9))
    if reach == "one_layer":
        return 1
    if reach == "one_word":
        distance, each = length - 1, 1
    else:
        distance, each = {
            "one_side": (length - 1, kernel_size // 2),
            "both_sides": (length - 1, kernel_size - 1),
            "whole_window": (length, kernel_size),
            "window_from_next": (length - 1, kernel_size),
            "whole_length": (length, kernel_size // 2),
        }[reach]
    layers = {
        "up": -(-distance // each),
        "down": distance // each,
        "down_and_one": distance // each + 1,
        "nearest": round(distance / each),
        "none": distance / each,
    }[rounding]
    return max(layers, 1) if rounding not in ("down", "none") else layers
