"""Convolutions over sequences, how far they see and what layers cost, right and wrong."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle


def convolve(
    x,
    kernel,
    bias,
    dilation_rate=1,
    rows="in_order",
    ends="zeros",
    place="middle",
    dilation="used",
    bias_use="once",
    sum_use="sum",
    after="nothing",
):
    """The plain function behind the oracle; see there."""
    size = len(kernel)
    if ends == "too_few_zeros" and size > 1 and dilation_rate > 1:
        raise Crash  # rows further out see a piece that is shorter than the sequence
    rate = {"used": dilation_rate, "ignored": 1, "one_more": dilation_rate + 1}.get(dilation)
    if dilation == "doubled":
        rate = 2 * dilation_rate if dilation_rate > 1 else 1
    elif dilation == "in_the_zeros_only":
        rate = dilation_rate
    between = 1 if dilation == "in_the_zeros_only" else rate  # places that one row lies apart
    if rows == "reversed":
        kernel = kernel[::-1]
    elif rows == "last_left_out":
        kernel = np.concatenate([kernel[:-1], 0 * kernel[-1:]])
    elif rows == "first_left_out":
        kernel = np.concatenate([0 * kernel[:1], kernel[1:]])
    elif rows == "middle_only":
        kernel = kernel * (np.arange(size) == size // 2)[:, None, None]
    elif rows == "middle_left_out":
        kernel = kernel * (np.arange(size) != size // 2)[:, None, None]
    elif rows == "first_only":
        kernel = kernel * (np.arange(size) == 0)[:, None, None]
    elif rows == "first_for_all":
        kernel = np.repeat(kernel[:1], size, axis=0)
    elif rows == "averaged":
        kernel = np.repeat(kernel.mean(axis=0, keepdims=True), size, axis=0)
    length, reach = x.shape[1], rate * (size // 2)
    shift = {
        "middle": 0,
        "past": -reach,
        "future": reach,
        "one_early": -1,
        "one_late": 1,
    }[place]
    output = np.zeros((x.shape[0], length, kernel.shape[2]), x.dtype)
    for t in range(length):
        for row in range(size):
            s = t + row * between - reach + shift
            if ends == "nearest":
                s = min(max(s, 0), length - 1)
            elif ends == "around":
                s %= length
            elif ends == "mirrored":
                period = max(2 * (length - 1), 1)
                s = abs(s) % period
                s = min(s, period - s) if length > 1 else 0
            elif ends in ("negative_wraps", "negative_wraps_else_nearest"):
                if s < -length:
                    raise Crash
                s = s + length if s < 0 else s
                if ends == "negative_wraps_else_nearest":
                    s = min(s, length - 1)
            if 0 <= s < length:
                output[:, t] += x[:, s] @ kernel[row]
    if ends == "cut":
        output = output[:, reach : length - reach]
    if sum_use == "mean":
        output = output / np.asarray(size, x.dtype)
    times = {"once": 1, "left_out": 0, "every_row": size, "subtracted": -1}[bias_use]
    output = output + np.asarray(times, x.dtype) * bias
    if ends == "moved_to_front":  # what fits comes first, and zeros make it as long as the input
        kept = output[:, reach : max(length - reach, reach)]
        output = np.zeros_like(output)
        output[:, : kept.shape[1]] = kept
    if after == "relu":
        return np.maximum(output, 0)
    if after == "tanh":
        return np.tanh(output)
    if after == "max_over_time":
        return output.max(axis=1)
    if after == "transposed":
        return np.swapaxes(output, 1, 2)
    return output


@oracle()
def conv1d_same(
    x,
    kernel,
    bias,
    dilation_rate=1,
    *,
    rows="in_order",
    ends="zeros",
    place="middle",
    dilation="used",
    bias_use="once",
    sum_use="sum",
    after="nothing",
    inside="tensors",
    traced=False,
):
    """A window over every sequence, the output as long as the input.

    Args:
        x: float (B, T, D).
        kernel: float (K, D, F), K odd.
        bias: float (F,).
        dilation_rate: int.
        traced: bool, whether there are only tensors without numbers, as while a graph is made.
        rows, ends, place, dilation, bias_use, sum_use, after, inside: the switches.

    Returns:
        float (B, T, F).
    """
    if traced and inside == "numbers":
        raise Crash
    return convolve(
        x, kernel, bias, dilation_rate, rows, ends, place, dilation, bias_use, sum_use, after
    )


@oracle(parts=("gradient of x", "gradient of kernel", "gradient of bias"))
def conv1d_same_gradient(
    x,
    kernel,
    bias,
    dilation_rate,
    cotangent,
    *,
    flow="open",
    rows="in_order",
    ends="zeros",
    place="middle",
    dilation="used",
    bias_use="once",
    sum_use="sum",
    after="nothing",
):
    """Gradients of sum(output * cotangent); a convolution is linear in each argument alone.

    Args:
        x, kernel, bias, dilation_rate: as for `conv1d_same`.
        cotangent: float (B, T, F).
        flow: "open", or "none" where no gradient gets through.
        rows, ends, place, dilation, bias_use, sum_use, after: the switches of `conv1d_same`.

    Returns:
        float arrays like x, kernel and bias.
    """
    switches = (rows, ends, place, dilation, bias_use, sum_use, after)
    arguments = (x, kernel, bias)
    if flow == "none":
        return tuple(0 * each for each in arguments)
    step = 1e-5
    found = []
    for which, point in enumerate(arguments):
        point = np.array(point, np.float64)
        gradient = np.zeros_like(point)
        for index in np.ndindex(point.shape):
            sides = []
            for move in (step, -step):
                moved = point.copy()
                moved[index] += move
                given = [*(np.asarray(a, np.float64) for a in arguments)]
                given[which] = moved
                sides.append(np.sum(convolve(*given, dilation_rate, *switches) * cotangent))
            gradient[index] = (sides[0] - sides[1]) / (2 * step)
        found.append(gradient)
    return tuple(found)


@oracle()
def receptive_field(
    kernel_sizes,
    dilation_rates=None,
    *,
    formula="right",
    dilation="used",
    missing="ones",
    returned="int",
):
    """How many positions one output of a stack depends on.

    Args:
        kernel_sizes: sequence of ints.
        dilation_rates: sequence of ints, or None for all 1.
        formula, dilation, missing, returned: the switches.

    Returns:
        int.
    """
    given = dilation_rates is not None
    if not given and missing == "raises":
        raise Crash("TypeError")
    rates = list(dilation_rates or [1] * len(kernel_sizes))
    if dilation == "ignored":
        rates = [1] * len(rates)
    elif dilation == "of_the_last":
        rates = rates[-1:] * len(rates)
    elif dilation == "of_the_first":
        rates = rates[:1] * len(rates)
    elif dilation == "largest":
        rates = [max(rates, default=1)] * len(rates)
    elif dilation == "powers" or (dilation == "powers_if_given" and given):
        rates = [2**layer for layer in range(len(rates))]
    elif dilation == "of_the_layer_below":
        rates = [1, *rates[:-1]][: len(rates)]
    elif dilation == "multiplied_up":
        rates = [math.prod(rates[: i + 1]) for i in range(len(rates))]
    elif dilation == "less_one":
        rates = [max(rate - 1, 0) for rate in rates]
    elif dilation == "plus_one":
        rates = [rate + 1 for rate in rates]
    pairs = list(zip(kernel_sizes, rates, strict=True))
    grown = [(size - 1) * rate for size, rate in pairs]
    seen = {
        "right": lambda: 1 + sum(grown),
        "no_own_place": lambda: sum(grown),
        "two_too_many": lambda: 2 + sum(grown),
        "sum_of_windows": lambda: sum(size * rate for size, rate in pairs),
        "sum_of_windows_and_one": lambda: 1 + sum(size * rate for size, rate in pairs),
        "product_of_windows": lambda: math.prod(size for size, _ in pairs),
        "product_of_spans": lambda: math.prod(1 + each for each in grown),
        "product_with_rates": lambda: math.prod(size * rate for size, rate in pairs),
        "sum_of_spans": lambda: sum(1 + each for each in grown),
        "last_layer": lambda: 1 + grown[-1] if grown else 1,
        "first_layer": lambda: 1 + grown[0] if grown else 1,
        "widest_layer": lambda: 1 + max(grown, default=0),
        "one_side": lambda: sum(size // 2 * rate for size, rate in pairs),
        "one_side_and_itself": lambda: 1 + sum(size // 2 * rate for size, rate in pairs),
        "both_sides_doubled": lambda: 1 + 2 * sum(grown),
        "window_times_rate": lambda: 1 + sum(size * rate - 1 for size, rate in pairs),
        "gaps_alone": lambda: 1 + sum(size - 1 + rate - 1 for size, rate in pairs),
        "layers_times_first": lambda: 1 + len(grown) * grown[0] if grown else 1,
        "layers_times_last": lambda: 1 + len(grown) * grown[-1] if grown else 1,
    }[formula]()
    return float(seen) if returned == "float" else seen
