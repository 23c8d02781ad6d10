"""Heads cut out of an attention layer's weights: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle

PARTS = ("query", "key", "value")
NAMES = (
    *(f"{part}_{kind}" for part in PARTS for kind in ("kernel", "bias")),
    "output_kernel",
    "output_bias",
)


def _wrong_index():
    return Crash("IndexError", "ValueError")


def _removed(heads, num_heads, which, repeated):
    """Numbers of the heads that go, in ascending order."""
    numbers = list(range(num_heads))
    if which == "listed_stay":
        return [n for n in numbers if n not in heads]
    if which == "first_ones":
        return numbers[: len(set(heads))]
    if which == "last_ones":
        return numbers[num_heads - len(set(heads)) :]
    if which == "counted_from_one":
        return [n for n in numbers if n + 1 in heads]
    if which == "from_the_end":
        return [n for n in numbers if num_heads - 1 - n in heads]
    if which == "first_listed_only":
        return [n for n in numbers if n in heads[:1]]
    if which in ("one_after_the_other", "one_after_the_other_once"):
        # Each is deleted where it stands by then: those behind a deleted one have moved.
        if which.endswith("once"):
            heads = sorted(set(heads))
        left = list(numbers)
        for head in heads:
            if head >= len(left):
                raise _wrong_index()
            del left[head]
        return [n for n in numbers if n not in left]
    if repeated == "counts_again" and len(heads) > len(set(heads)):
        raise Crash("ValueError", "IndexError")
    return [n for n in numbers if n in heads]


def _stays(width, gone, num_heads, layout, head_dim):
    """Which of N*H places stay, bool.

    Args:
        width: int, N*H.
        gone: numbers of the heads that go.
        num_heads, layout: as above; head_dim: int, H or what is taken for it.
    """
    stays = np.ones(width, bool)
    for head in gone:
        if layout == "interleaved":
            stays[head::num_heads] = False
        else:
            stays[head * head_dim : (head + 1) * head_dim] = False
    return stays


def _cut(array, stays, axis):
    """An array without places along an axis.

    Raises:
        Crash: it has another number of places there.
    """
    if array.shape[axis] != len(stays):
        raise _wrong_index()
    return np.compress(stays, array, axis=axis)


@oracle(parts=NAMES)
def prune_heads(
    weights,
    heads,
    num_heads,
    *,
    which="listed",
    repeated="once",
    layout="blocks",
    head_dim="of_the_rows",
    projections="columns",
    biases="cut",
    output_axis="rows",
    output_bias="stays",
    values="as_they_were",
    last="may_go",
    returned="all",
):
    """The weights of the heads that stay.

    Args:
        weights: dict of float arrays, as in the exercise.
        heads: list of int; num_heads: int.
        which, repeated, layout, head_dim, projections, biases, output_axis, output_bias, values,
            last, returned: the switches.

    Returns:
        The arrays in the order of `NAMES`, unless a switch says otherwise.

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    gone = _removed(heads, num_heads, which, repeated)
    if len(gone) == num_heads:
        if last == "refused":
            raise Crash()
        if last == "first_stays":
            gone = gone[1:]
        elif last == "last_stays":
            gone = gone[:-1]
        elif last == "all_stay":
            gone = []
    width, dim = weights["output_kernel"].shape
    size = {
        "of_the_rows": width,
        "of_the_output": dim,
        "of_the_input": weights["query_kernel"].shape[0],
    }[head_dim.removesuffix("_repeated")]
    if head_dim.endswith("_repeated") and size // num_heads * num_heads != width:
        raise _wrong_index()  # a mask of another length
    stays = _stays(width, gone, num_heads, layout, size // num_heads)
    found = {}
    for part in PARTS:
        kernel, bias = weights[f"{part}_kernel"], weights[f"{part}_bias"]
        if projections == "rows":
            found[f"{part}_kernel"] = _cut(kernel, stays, 0)
        elif projections == f"without_{part}" or projections == "none":
            found[f"{part}_kernel"] = kernel
        elif projections == f"{part}_by_rows":
            found[f"{part}_kernel"] = _cut(kernel, stays, 0)
        else:
            found[f"{part}_kernel"] = _cut(kernel, stays, 1)
        kept = biases == "kept" or projections == f"without_{part}"
        found[f"{part}_bias"] = bias if kept else _cut(bias, stays, 0)
        if values == "query_for_all":
            found[f"{part}_kernel"] = _cut(weights["query_kernel"], stays, 1)
            found[f"{part}_bias"] = _cut(weights["query_bias"], stays, 0)
    output = weights["output_kernel"]
    if output_axis == "columns":
        found["output_kernel"] = _cut(output, stays, 1)
    else:
        found["output_kernel"] = output if output_axis == "none" else _cut(output, stays, 0)
    bias = weights["output_bias"]
    share = bias.dtype.type((num_heads - len(gone)) / num_heads)
    found["output_bias"] = {
        "stays": lambda: bias,
        "cut": lambda: _cut(bias, stays, 0),
        "scaled": lambda: bias * share,
        "zeros": lambda: 0 * bias,
        "gone": lambda: bias[:0],
    }[output_bias]()
    if values == "zeros":  # nothing is cut out, it is blanked
        for part in PARTS:
            found[f"{part}_kernel"] = weights[f"{part}_kernel"] * stays
            found[f"{part}_bias"] = weights[f"{part}_bias"] * stays
        found["output_kernel"] = output * stays[:, None]
    elif values == "rescaled" and stays.any():
        found["output_kernel"] = found["output_kernel"] / share
    names = {
        "all": NAMES,
        "without_output_bias": NAMES[:-1],
        "kernels_only": tuple(name for name in NAMES if name.endswith("kernel")),
    }[returned]
    return tuple(found[name] for name in names)


@oracle(parts=("refused",))
def refused(lists, num_heads, *, refusal="not_there"):
    """Which of these lists of heads are refused."""
    too_large = np.array([max(heads) >= num_heads for heads in lists])
    negative = np.array([min(heads) < 0 for heads in lists])
    return {
        "not_there": too_large | negative,
        "never": np.zeros(len(lists), bool),
        "too_large_only": too_large,
        "negative_only": negative,
        "one_too_late": negative | np.array([max(heads) > num_heads for heads in lists]),
    }[refusal]
