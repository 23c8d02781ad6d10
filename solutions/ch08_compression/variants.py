"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


# ------------------------------------------------------------------ magnitude_prune

_SIZES = "np.concatenate([np.abs(np.asarray(kernel)).ravel() for kernel in kernels])"
_CUT = 'stays[np.argsort(sizes, kind="stable")[: round(share * len(sizes))]] = False'
_PRUNED = (
    "return [part.reshape(np.shape(kernel)) for part, kernel in zip(parts, kernels, strict=True)]"
)
_SHARE = "if not 0 <= share <= 1:"

PRUNE = [
    right(
        "magnitude_prune",
        "a_list_that_is_sorted",
        source="""
def magnitude_prune(kernels, share):
    if share < 0 or share > 1:
        raise ValueError("share is from 0 to 1")
    everything = []
    for k, kernel in enumerate(kernels):
        for place in np.ndindex(kernel.shape):
            everything.append((abs(float(kernel[place])), k, place))
    everything.sort()
    masks = [np.full(kernel.shape, True) for kernel in kernels]
    for _, k, place in everything[: round(share * len(everything))]:
        masks[k][place] = False
    return masks
""",
    ),
    right(
        "magnitude_prune",
        "ranks",
        source="""
def magnitude_prune(kernels, share):
    if not (0 <= share <= 1):
        raise ValueError(share)
    flat = np.concatenate([k.flatten() for k in kernels]).astype("float64") ** 2
    order = np.lexsort((np.arange(flat.size), flat))
    ranks = np.empty_like(order)
    ranks[order] = np.arange(flat.size)
    keep = ranks >= int(np.rint(share * flat.size))
    masks, start = [], 0
    for k in kernels:
        masks.append(keep[start : start + k.size].reshape(k.shape))
        start += k.size
    return masks
""",
    ),
    right(
        "magnitude_prune",
        "threshold_and_the_ties_one_by_one",
        source="""
def magnitude_prune(kernels, share):
    if share > 1 or share < 0:
        raise ValueError("no such share")
    sizes = np.abs(np.concatenate([k.reshape(-1) for k in kernels]))
    number = round(share * sizes.size)
    masks = tuple(np.ones(k.shape, dtype=bool) for k in kernels)
    if number == 0:
        return masks
    edge = np.partition(sizes, number - 1)[number - 1]
    left = number - int((sizes < edge).sum())
    for kernel, mask in zip(kernels, masks):
        flat, keep = np.abs(kernel).reshape(-1), mask.reshape(-1)
        keep[flat < edge] = False
        for place in np.flatnonzero(flat == edge):
            if left > 0:
                keep[place] = False
                left -= 1
    return masks
""",
    ),
    right("magnitude_prune", "mergesort", patch=('kind="stable"', 'kind="mergesort"')),
    *wrongs(
        "magnitude_prune",
        [
            (
                "signed",
                "signed_ranking",
                _SIZES,
                "np.concatenate([np.asarray(kernel).ravel() for kernel in kernels])",
            ),
            ("largest_first", "largest_removed", "argsort(sizes,", "argsort(-sizes,"),
            (
                "inverted",
                "mask_inverted",
                "np.ones(len(sizes), bool)",
                "np.zeros(len(sizes), bool)",
                "] = False",
                "] = True",
            ),
            (
                "kept_share",
                "share_that_stays",
                "round(share * len(sizes))",
                "round((1 - share) * len(sizes))",
            ),
            (
                "kept_number",
                "share_that_stays",
                "round(share * len(sizes))",
                "len(sizes) - round(share * len(sizes))",
            ),
            (
                "cut_off",
                "another_number_goes",
                "round(share * len(sizes))",
                "int(share * len(sizes))",
            ),
            (
                "rounded_up",
                "another_number_goes",
                "round(share * len(sizes))",
                "int(np.ceil(share * len(sizes)))",
            ),
            (
                "half_up",
                "another_number_goes",
                "round(share * len(sizes))",
                "int(share * len(sizes) + 0.5)",
            ),
            ("quantile", "another_number_goes", _CUT, "stays = sizes > np.quantile(sizes, share)"),
            (
                "quantile_stays",
                "another_number_goes",
                _CUT,
                "stays = sizes >= np.quantile(sizes, share)",
            ),
            (
                "all_ties_go",
                "ties_go_or_stay_together",
                _CUT,
                "number = round(share * len(sizes))\n"
                "    if number:\n"
                "        stays = sizes > np.sort(sizes)[number - 1]",
            ),
            (
                "all_ties_stay",
                "ties_go_or_stay_together",
                _CUT,
                "number = round(share * len(sizes))\n"
                "    edge = np.sort(sizes)[number] if number < len(sizes) else np.inf\n"
                "    stays = sizes >= edge",
            ),
            (
                "later_first",
                "later_ties_go_first",
                _CUT,
                "order = np.lexsort((-np.arange(len(sizes)), sizes))\n"
                "    stays[order[: round(share * len(sizes))]] = False",
            ),
            (
                "below_the_share",
                "share_taken_for_a_size",
                _CUT,
                "stays = sizes >= share",
            ),
            (
                "part_of_the_largest",
                "share_taken_for_a_size",
                _CUT,
                "stays = sizes >= share * sizes.max()",
            ),
            (
                "of_those_left",
                "zeros_left_out",
                "round(share * len(sizes))",
                "(sizes == 0).sum() + round(share * np.count_nonzero(sizes))",
            ),
            (
                "columns_back_in_rows",
                "mask_in_another_order",
                "np.abs(np.asarray(kernel)).ravel() for",
                'np.abs(np.asarray(kernel)).ravel(order="F") for',
            ),
            (
                "pruned_arrays",
                "not_bool_masks",
                _PRUNED,
                "masks = [part.reshape(np.shape(k)) for part, k in zip(parts, kernels)]\n"
                "    return [k * mask for k, mask in zip(kernels, masks)]",
            ),
            ("flat_masks", "not_bool_masks", _PRUNED, "return parts"),
            (
                "ones_and_zeros",
                "not_bool_masks",
                "np.ones(len(sizes), bool)",
                "np.ones(len(sizes), int)",
            ),
            ("float_masks", "not_bool_masks", "np.ones(len(sizes), bool)", "np.ones(len(sizes))"),
            ("not_checked", "share_not_checked", _SHARE, "if False:"),
            ("large_only", "share_not_checked", _SHARE, "if share > 1:"),
            ("ends_too", "ends_refused", _SHARE, "if not 0 < share < 1:"),
        ],
    ),
    wrong(
        "magnitude_prune",
        "kernel_by_kernel",
        names=("each_kernel_by_itself",),
        source="""
def magnitude_prune(kernels, share):
    if not 0 <= share <= 1:
        raise ValueError("share")
    masks = []
    for kernel in kernels:
        order = np.argsort(np.abs(kernel), axis=None, kind="stable")
        mask = np.ones(kernel.size, bool)
        mask[order[: round(share * kernel.size)]] = False
        masks.append(mask.reshape(kernel.shape))
    return masks
""",
    ),
    wrong(
        "magnitude_prune",
        "over_the_largest",
        names=("sizes_made_comparable",),
        patch=(
            _SIZES,
            "np.concatenate([np.abs(kernel / np.abs(kernel).max()).ravel() for kernel in kernels])",
        ),
    ),
    wrong(
        "magnitude_prune",
        "written_into_the_kernels",
        names=("kernels_changed",),
        patch=(
            _PRUNED,
            "masks = [part.reshape(k.shape) for part, k in zip(parts, kernels)]\n"
            "    for k, mask in zip(kernels, masks):\n"
            "        k *= mask\n"
            "    return masks",
        ),
    ),
]

# ------------------------------------------------------------------ prune_heads

_CHECK = "if not 0 <= head < num_heads:"
_DIM = 'head_dim = weights["output_kernel"].shape[0] // num_heads'
_STAYS = "np.repeat([head not in heads for head in range(num_heads)], head_dim)"
_KERNEL = 'pruned[f"{part}_kernel"] = weights[f"{part}_kernel"][:, stays]  # (any, n*H)'
_BIAS = 'pruned[f"{part}_bias"] = weights[f"{part}_bias"][stays]'
_OUTPUT = 'pruned["output_kernel"] = weights["output_kernel"][stays]  # (n*H, D)'
_OUT_BIAS = 'pruned = {"output_bias": np.array(weights["output_bias"])}'
_LOOP = "for head in heads:"

HEADS = [
    right(
        "prune_heads",
        "cut_by_reshaping",
        source="""
def prune_heads(weights, heads, num_heads):
    if any(head < 0 or head >= num_heads for head in heads):
        raise ValueError("no such head")
    keep = sorted(set(range(num_heads)) - set(heads))
    found = {}
    for name, array in weights.items():
        if name == "output_bias":
            found[name] = array.copy()
        elif name == "output_kernel":
            size = len(array) // num_heads
            parts = array.reshape(num_heads, size, array.shape[1])
            found[name] = parts[keep].reshape(len(keep) * size, array.shape[1])
        else:
            size = array.shape[-1] // num_heads
            parts = array.reshape(*array.shape[:-1], num_heads, size)
            cut = parts[..., keep, :]
            found[name] = cut.reshape(*array.shape[:-1], len(keep) * size)
    return found
""",
    ),
    right(
        "prune_heads",
        "np_delete_at_once",
        source="""
def prune_heads(weights, heads, num_heads):
    gone = set(heads)
    if gone and (min(gone) < 0 or max(gone) > num_heads - 1):
        raise ValueError(f"heads are 0 to {num_heads - 1}")
    H = weights["query_bias"].shape[0] // num_heads
    places = [h * H + i for h in sorted(gone) for i in range(H)]
    new = {"output_bias": weights["output_bias"] + 0}
    new["output_kernel"] = np.delete(weights["output_kernel"], places, axis=0)
    for name in ("query", "key", "value"):
        new[name + "_kernel"] = np.delete(weights[name + "_kernel"], places, axis=1)
        new[name + "_bias"] = np.delete(weights[name + "_bias"], places, axis=0)
    return new
""",
    ),
    right(
        "prune_heads",
        "from_the_last_to_the_first",
        source="""
def prune_heads(weights, heads, num_heads):
    for head in heads:
        if head not in range(num_heads):
            raise ValueError(head)
    new = {name: np.array(array) for name, array in weights.items()}
    H = new["output_kernel"].shape[0] // num_heads
    for head in sorted(set(heads), reverse=True):
        a, b = head * H, (head + 1) * H
        for part in ("query", "key", "value"):
            k = new[part + "_kernel"]
            new[part + "_kernel"] = np.concatenate([k[:, :a], k[:, b:]], axis=1)
            v = new[part + "_bias"]
            new[part + "_bias"] = np.concatenate([v[:a], v[b:]])
        o = new["output_kernel"]
        new["output_kernel"] = np.concatenate([o[:a], o[b:]], axis=0)
    return new
""",
    ),
    *wrongs(
        "prune_heads",
        [
            (
                "output_columns",
                "output_cut_along_columns",
                _OUTPUT,
                'pruned["output_kernel"] = weights["output_kernel"][:, stays]',
            ),
            (
                "output_whole",
                "output_not_cut",
                _OUTPUT,
                'pruned["output_kernel"] = weights["output_kernel"].copy()',
            ),
            (
                "rows_of_projections",
                "projections_cut_along_rows",
                _KERNEL,
                'pruned[f"{part}_kernel"] = weights[f"{part}_kernel"][stays]',
            ),
            (
                "value_forgotten",
                "a_projection_is_left_out",
                _KERNEL,
                'cut = stays if part != "value" else slice(None)\n'
                '        pruned[f"{part}_kernel"] = weights[f"{part}_kernel"][:, cut]',
                _BIAS,
                'pruned[f"{part}_bias"] = weights[f"{part}_bias"][cut]',
            ),
            (
                "biases_whole",
                "biases_not_cut",
                _BIAS,
                'pruned[f"{part}_bias"] = weights[f"{part}_bias"].copy()',
            ),
            (
                "output_bias_cut",
                "output_bias_changed",
                _OUT_BIAS,
                "pruned = {}",
                _OUTPUT,
                _OUTPUT + '\n    pruned["output_bias"] = weights["output_bias"][stays]',
            ),
            (
                "output_bias_scaled",
                "output_bias_changed",
                _OUT_BIAS,
                "share = 1 - len(set(heads)) / num_heads\n"
                '    pruned = {"output_bias": weights["output_bias"] * share}',
            ),
            (
                "output_bias_zero",
                "output_bias_changed",
                'np.array(weights["output_bias"])',
                'np.zeros_like(weights["output_bias"])',
            ),
            (
                "interleaved",
                "heads_interleaved",
                _STAYS,
                "np.tile([head not in heads for head in range(num_heads)], head_dim)",
            ),
            (
                "size_of_the_output",
                "another_head_size",
                _DIM,
                'head_dim = weights["output_kernel"].shape[1] // num_heads',
            ),
            (
                "size_of_the_input",
                "another_head_size",
                _DIM,
                'head_dim = weights["query_kernel"].shape[0] // num_heads',
            ),
            ("listed_stay", "listed_heads_stay", "head not in heads for", "head in heads for"),
            ("from_one", "other_heads_go", "head not in heads for", "head + 1 not in heads for"),
            (
                "first_ones",
                "other_heads_go",
                "head not in heads for",
                "head >= len(set(heads)) for",
            ),
            (
                "blanked",
                "zeros_instead_of_a_cut",
                _KERNEL,
                'pruned[f"{part}_kernel"] = weights[f"{part}_kernel"] * stays',
                _BIAS,
                'pruned[f"{part}_bias"] = weights[f"{part}_bias"] * stays',
                _OUTPUT,
                'pruned["output_kernel"] = weights["output_kernel"] * stays[:, None]',
            ),
            (
                "rescaled",
                "other_values",
                _OUTPUT,
                _OUTPUT + '\n    if stays.any():\n        pruned["output_kernel"] /= stays.mean()',
            ),
            (
                "one_kernel",
                "other_values",
                _KERNEL,
                'pruned[f"{part}_kernel"] = weights["query_kernel"][:, stays]',
                _BIAS,
                'pruned[f"{part}_bias"] = weights["query_bias"][stays]',
            ),
            (
                "one_has_to_stay",
                "the_last_head_may_not_go",
                _LOOP,
                "if len(set(heads)) == num_heads:\n"
                '        raise ValueError("one head has to stay")\n    for head in heads:',
            ),
            (
                "first_one_stays",
                "the_last_head_may_not_go",
                _LOOP,
                "if len(set(heads)) == num_heads:\n"
                "        heads = [h for h in heads if h]\n    for head in heads:",
            ),
            ("no_output_bias", "names_missing", _OUT_BIAS, "pruned = {}"),
            ("not_checked", "heads_not_checked", _CHECK, "if False:"),
            ("negative_ones_pass", "heads_not_checked", _CHECK, "if head >= num_heads:"),
            ("one_too_late", "heads_not_checked", _CHECK, "if not 0 <= head <= num_heads:"),
            (
                "names_taken_out",
                "weights_changed",
                _OUTPUT,
                'pruned["output_kernel"] = weights.pop("output_kernel")[stays]',
            ),
        ],
    ),
    wrong(
        "prune_heads",
        "deleted_in_turn",
        names=("one_after_the_other",),
        source="""
def prune_heads(weights, heads, num_heads):
    for head in heads:
        if not 0 <= head < num_heads:
            raise ValueError(head)
    new = {name: np.array(array) for name, array in weights.items()}
    H = new["output_kernel"].shape[0] // num_heads
    for head in sorted(set(heads)):
        places = np.arange(head * H, (head + 1) * H)
        for part in ("query", "key", "value"):
            new[part + "_kernel"] = np.delete(new[part + "_kernel"], places, axis=1)
            new[part + "_bias"] = np.delete(new[part + "_bias"], places)
        new["output_kernel"] = np.delete(new["output_kernel"], places, axis=0)
    return new
""",
    ),
    wrong(
        "prune_heads",
        "n_from_the_length_of_the_list",
        names=("repeated_heads_count_again",),
        source="""
def prune_heads(weights, heads, num_heads):
    for head in heads:
        if not 0 <= head < num_heads:
            raise ValueError(head)
    n = num_heads - len(heads)
    keep = [head for head in range(num_heads) if head not in heads]
    D = weights["output_kernel"].shape[1]
    H = len(weights["output_kernel"]) // num_heads
    new = {"output_bias": weights["output_bias"].copy()}
    parts = weights["output_kernel"].reshape(num_heads, H, D)[keep]
    new["output_kernel"] = parts.reshape(n * H, D)
    for part in ("query", "key", "value"):
        kernel = weights[part + "_kernel"]
        cut = kernel.reshape(len(kernel), num_heads, H)[:, keep]
        new[part + "_kernel"] = cut.reshape(len(kernel), n * H)
        new[part + "_bias"] = weights[part + "_bias"].reshape(num_heads, H)[keep].reshape(n * H)
    return new
""",
    ),
]

# ------------------------------------------------------------------ quantize_int8, dequantize

_CAST = 'x = np.asarray(x, "float32")'
_ONE = "largest = np.max(np.abs(x))\n"
_MANY = "largest = np.max(np.abs(x), axis=others, keepdims=True)"
_OTHERS = "others = tuple(i for i in range(x.ndim) if i != axis % x.ndim)"
_SCALE = 'scale = np.where(largest > 0, largest / 127, 1).astype("float32")'
_Q = 'q = np.clip(np.round(x / scale), -127, 127).astype("int8")'

QUANTIZE = [
    right(
        "quantize_int8",
        "slice_by_slice",
        source="""
def quantize_int8(x, axis=None):
    if axis is None:
        top = float(np.abs(x).max())
        scale = np.float32(top / 127 if top else 1.0)
        return np.rint(x / scale).astype(np.int8), scale
    moved = np.moveaxis(np.array(x, "float64"), axis, 0)
    q = np.zeros(moved.shape, np.int8)
    scales = np.ones(len(moved))
    for i, part in enumerate(moved):
        if part.any():
            scales[i] = np.abs(part).max() / 127.0
        q[i] = np.rint(part / scales[i])
    shape = [1] * x.ndim
    shape[axis] = -1
    return np.moveaxis(q, 0, axis), scales.astype(np.float32).reshape(shape)
""",
    ),
    right(
        "quantize_int8",
        "in_double_precision",
        source="""
def quantize_int8(x, axis=None):
    wide = x.astype(np.float64)
    if axis is None:
        amax = np.maximum(wide.max(), -wide.min())
    else:
        axes = list(range(wide.ndim))
        axes.pop(axis)
        amax = np.abs(wide).max(axis=tuple(axes), keepdims=True)
    step = np.asarray(amax / 127)
    step[step == 0] = 1
    return np.around(wide / step).astype("int8"), step.astype("float32")
""",
    ),
    right(
        "quantize_int8",
        "by_the_inverse",
        patch=(_Q, 'q = np.clip(np.round(x * (1 / scale)), -127, 127).astype("int8")'),
    ),
    right("quantize_int8", "not_clipped", patch=(_Q, 'q = np.round(x / scale).astype("int8")')),
    *wrongs(
        "quantize_int8",
        [
            (
                "over_128",
                "divided_by_128",
                "largest / 127",
                "largest / 128",
                _Q,
                'q = np.clip(np.round(x / scale), -128, 127).astype("int8")',
            ),
            ("over_128_clipped", "divided_by_128", "largest / 127", "largest / 128"),
            (
                "over_128_wrapped",
                "divided_by_128",
                "largest / 127",
                "largest / 128",
                _Q,
                'q = np.round(x / scale).astype("int32").astype("int8")',
            ),
            ("over_255", "another_divisor", "largest / 127", "largest / 255"),
            ("over_127_and_a_half", "another_divisor", "largest / 127", "largest / 127.5"),
            ("cut_off", "truncated", "np.round(x / scale)", "(x / scale)"),
            ("floor", "truncated", "np.round(x / scale)", "np.floor(x / scale)"),
            (
                "half_up",
                "half_not_to_the_even_one",
                "np.round(x / scale)",
                "np.floor(x / scale + 0.5)",
            ),
            (
                "half_away",
                "half_not_to_the_even_one",
                "np.round(x / scale)",
                "np.trunc(x / scale + 0.5 * np.sign(x))",
            ),
            (
                "no_absolute_value",
                "sign_counts_in_the_size",
                _ONE,
                "largest = np.max(x)\n",
                _MANY,
                "largest = np.max(x, axis=others, keepdims=True)",
            ),
            (
                "half_the_range",
                "another_size",
                _ONE,
                "largest = (x.max() - x.min()) / 2\n",
                _MANY,
                "low = x.min(axis=others, keepdims=True)\n"
                "        largest = (x.max(axis=others, keepdims=True) - low) / 2",
            ),
            (
                "deviation",
                "another_size",
                _ONE,
                "largest = np.std(x)\n",
                _MANY,
                "largest = np.std(x, axis=others, keepdims=True)",
            ),
            (
                "that_axis",
                "scale_along_the_wrong_axis",
                _MANY,
                "largest = np.max(np.abs(x), axis=axis, keepdims=True)",
            ),
            ("axis_unused", "axis_ignored", "if axis is None:", "if True:"),
            ("negative_axis", "negative_axis_not_found", "i != axis % x.ndim", "i != axis"),
            ("no_keepdims", "axes_lost", "keepdims=True", "keepdims=False"),
            ("always_keepdims", "axes_lost", _ONE, "largest = np.max(np.abs(x), keepdims=True)\n"),
            (
                "zero_scales",
                "zeros_not_looked_after",
                _SCALE,
                'scale = (np.asarray(largest) / 127).astype("float32")',
                "x / scale",
                "np.nan_to_num(x / scale)",
            ),
            (
                "one_over_127",
                "zeros_not_looked_after",
                "np.where(largest > 0, largest / 127, 1)",
                "(np.where(largest > 0, largest, 1) / 127)",
            ),
            ("times_the_scale", "scale_multiplied", "x / scale", "x * scale"),
            ("turned", "another_pair", "return q, scale", "return scale, q"),
            ("q_alone", "another_pair", "return q, scale", "return q"),
            (
                "inverse",
                "another_pair",
                "return q, scale",
                'return q, (1 / scale).astype("float32")',
            ),
            ("back_again", "another_pair", "return q, scale", "return q * scale, scale"),
            ("float_q", "another_pair", '-127, 127).astype("int8")', "-127, 127)"),
            (
                "zero_point",
                "zero_point_used",
                _SCALE,
                'how = {} if axis is None else {"axis": others, "keepdims": True}\n'
                "    low = np.min(x, **how)\n"
                "    scale = np.asarray((np.max(x, **how) - low) / 255)\n"
                '    scale = np.where(scale > 0, scale, 1).astype("float32")',
                _Q,
                "zero = -128 - np.round(low / scale)\n"
                '    q = np.clip(np.round(x / scale) + zero, -128, 127).astype("int8")',
            ),
            (
                "double_scale",
                "scale_of_another_type",
                _CAST,
                'x = np.asarray(x, "float64")',
                _SCALE,
                "scale = np.where(largest > 0, largest / 127, 1)",
            ),
            (
                "long_q",
                "q_of_another_type",
                '-127, 127).astype("int8")',
                '-127, 127).astype("int64")',
            ),
            (
                "divided_in_place",
                "x_changed",
                _Q,
                'x /= scale\n    q = np.clip(np.round(x), -127, 127).astype("int8")',
            ),
        ],
    ),
    right(
        "dequantize",
        "product_alone",
        patch=('np.asarray(q).astype("float32") * np.asarray(scale, "float32")', "q * scale"),
    ),
    right(
        "dequantize",
        "in_double_precision",
        source="""
def dequantize(q, scale):
    return (np.float64(1) * q * scale).astype(np.float32)
""",
    ),
    right(
        "dequantize",
        "multiply_into_a_new_array",
        source="""
def dequantize(q, scale):
    x = np.empty(q.shape, dtype=np.float32)
    x[...] = q
    x *= scale
    return x
""",
    ),
    *wrongs(
        "dequantize",
        [
            ("divided", "another_operation", '"float32") * np', '"float32") / np'),
            ("not_scaled", "another_operation", ' * np.asarray(scale, "float32")', ""),
            (
                "back_in_int8",
                "overflow_in_int8",
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float32").astype("int8")',
            ),
            (
                "whole_results",
                "overflow_in_int8",
                'return np.asarray(q).astype("float32") * np.asarray(scale, "float32")',
                'return (np.asarray(q).astype("float32") * scale).astype("int32")',
            ),
            (
                "rounded",
                "overflow_in_int8",
                'return np.asarray(q).astype("float32") * np.asarray(scale, "float32")',
                "return np.round(q * scale)",
            ),
            (
                "first_scale",
                "one_scale_for_all",
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float32").flat[0]',
            ),
            (
                "mean_scale",
                "one_scale_for_all",
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float32").mean()',
            ),
            (
                "flattened",
                "scales_along_another_axis",
                'np.asarray(scale, "float32")',
                "np.squeeze(scale)",
            ),
            (
                "transposed",
                "scales_along_another_axis",
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float32").T',
            ),
            (
                "zero_point",
                "zero_point_added",
                'astype("float32") *',
                'astype("float32") + 128) *',
                "return np",
                "return (np",
            ),
            ("unsigned", "sign_lost", "np.asarray(q)", 'np.asarray(q).view("uint8")'),
            (
                "scale_twice",
                "scale_used_otherwise",
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float32") ** 2',
            ),
            (
                "double_result",
                "another_type",
                'np.asarray(q).astype("float32")',
                'np.asarray(q).astype("float64")',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ distillation_loss

_T = "ops.log_softmax(ops.stop_gradient(teacher_logits) / temperature)"
_S = "ops.log_softmax(student_logits / temperature)"
_KL = "divergence = ops.sum(ops.exp(teacher) * (teacher - student), axis=-1)  # (B,)"
_CE = "hard = ops.sparse_categorical_crossentropy(labels, student_logits, from_logits=True)"
_SUM = "return ops.mean(alpha * temperature**2 * divergence + (1 - alpha) * hard)"
_STOP = "ops.stop_gradient(teacher_logits)"

DISTILL = [
    right(
        "distillation_loss",
        "cross_entropy_less_entropy",
        source="""
def distillation_loss(student_logits, teacher_logits, labels, temperature, alpha):
    t = ops.stop_gradient(teacher_logits) / temperature
    s = student_logits / temperature
    p = ops.softmax(t, axis=-1)
    cross = ops.logsumexp(s, axis=-1) - ops.sum(p * s, axis=-1)
    own = ops.logsumexp(t, axis=-1) - ops.sum(p * t, axis=-1)
    soft = ops.mean(cross - own)
    hot = ops.one_hot(labels, student_logits.shape[-1])
    hard = -ops.mean(ops.sum(hot * ops.log_softmax(student_logits, axis=-1), axis=-1))
    return alpha * (temperature * temperature) * soft + (1 - alpha) * hard
""",
    ),
    right(
        "distillation_loss",
        "kerass_own_losses",
        source="""
def distillation_loss(student_logits, teacher_logits, labels, temperature, alpha):
    teacher_logits = ops.stop_gradient(teacher_logits)
    p = ops.softmax(teacher_logits / temperature)
    soft = keras.losses.CategoricalCrossentropy(from_logits=True)
    kl = soft(p, student_logits / temperature) - soft(p, teacher_logits / temperature)
    hard = keras.losses.SparseCategoricalCrossentropy(from_logits=True)(labels, student_logits)
    return alpha * temperature**2 * kl + (1.0 - alpha) * hard
""",
    ),
    right(
        "distillation_loss",
        "step_by_step",
        source="""
def distillation_loss(student_logits, teacher_logits, labels, temperature, alpha):
    def logs(x):
        x = x - ops.max(x, axis=1, keepdims=True)
        return x - ops.log(ops.sum(ops.exp(x), axis=1, keepdims=True))

    t = ops.stop_gradient(logs(teacher_logits / temperature))
    s = logs(student_logits / temperature)
    per_example = ops.sum(ops.exp(t) * t, axis=1) - ops.sum(ops.exp(t) * s, axis=1)
    places = ops.expand_dims(labels, 1)
    right = ops.take_along_axis(logs(student_logits), places, axis=1)[:, 0]
    return (alpha * temperature**2) * ops.mean(per_example) - (1 - alpha) * ops.mean(right)
""",
    ),
    *wrongs(
        "distillation_loss",
        [
            ("no_square", "square_of_t_missing", "alpha * temperature**2 *", "alpha *"),
            ("t_alone", "square_of_t_missing", "temperature**2", "temperature"),
            (
                "square_of_all",
                "square_of_t_missing",
                _SUM,
                "return ops.mean(temperature**2 * (alpha * divergence + (1 - alpha) * hard))",
            ),
            (
                "classes_too",
                "mean_over_classes_too",
                "divergence = ops.sum",
                "divergence = ops.mean",
            ),
            ("summed", "not_a_mean_over_the_batch", "return ops.mean(", "return ops.sum("),
            ("each_example", "not_a_mean_over_the_batch", "return ops.mean(", "return ("),
            (
                "turned",
                "divergence_turned",
                _KL,
                "divergence = ops.sum(ops.exp(student) * (student - teacher), axis=-1)",
            ),
            (
                "cross_entropy",
                "cross_entropy_instead",
                _KL,
                "divergence = -ops.sum(ops.exp(teacher) * student, axis=-1)",
            ),
            ("negative", "another_divergence", "(teacher - student)", "(student - teacher)"),
            ("logs_for_shares", "another_divergence", "ops.exp(teacher) *", "teacher *"),
            (
                "squared_logits",
                "another_divergence",
                _KL,
                "gap = (ops.stop_gradient(teacher_logits) - student_logits) / temperature\n"
                "    divergence = ops.sum(gap**2, axis=-1)",
            ),
            (
                "favourite",
                "teacher_taken_for_labels",
                _KL,
                "best = ops.argmax(teacher_logits, axis=-1)\n"
                "    divergence = ops.sparse_categorical_crossentropy(\n"
                "        best, student_logits / temperature, from_logits=True)",
            ),
            ("student_cold", "temperature_on_one_side", _S, "ops.log_softmax(student_logits)"),
            (
                "teacher_cold",
                "temperature_on_one_side",
                _T,
                "ops.log_softmax(ops.stop_gradient(teacher_logits))",
            ),
            (
                "no_temperature",
                "temperature_used_otherwise",
                _T,
                "ops.log_softmax(ops.stop_gradient(teacher_logits))",
                _S,
                "ops.log_softmax(student_logits)",
            ),
            (
                "times_t",
                "temperature_used_otherwise",
                "(teacher_logits) / temperature",
                "(teacher_logits) * temperature",
                "student_logits / temperature",
                "student_logits * temperature",
            ),
            (
                "warm_labels",
                "labels_at_the_temperature",
                "labels, student_logits, from",
                "labels, student_logits / temperature, from",
            ),
            (
                "teachers_answers",
                "another_hard_part",
                "labels, student_logits, from",
                "labels, ops.stop_gradient(teacher_logits), from",
            ),
            ("not_logits", "another_hard_part", ", from_logits=True", ""),
            (
                "softmax_twice",
                "another_hard_part",
                "labels, student_logits, from",
                "labels, 1.0 * ops.softmax(student_logits), from",
            ),
            (
                "weights_turned",
                "weights_turned",
                _SUM,
                "return ops.mean((1 - alpha) * temperature**2 * divergence + alpha * hard)",
            ),
            ("labels_in_full", "other_weights", "(1 - alpha) * hard", "hard"),
            (
                "no_alpha",
                "other_weights",
                _SUM,
                "return ops.mean(temperature**2 * divergence + hard)",
            ),
            ("teacher_only", "other_weights", " + (1 - alpha) * hard", ""),
            (
                "log_of_softmax",
                "logarithm_of_a_softmax",
                _T,
                "ops.log(ops.softmax(ops.stop_gradient(teacher_logits) / temperature))",
                _S,
                "ops.log(ops.softmax(student_logits / temperature))",
            ),
            (
                "kerass_divergence",
                "logarithm_of_a_softmax",
                _KL,
                "divergence = keras.losses.kl_divergence(ops.exp(teacher), ops.exp(student))",
            ),
            ("teacher_learns", "teacher_learns", _STOP, "teacher_logits"),
            (
                "student_stopped",
                "student_learns_nothing",
                _S,
                "ops.log_softmax(ops.stop_gradient(student_logits) / temperature)",
                _CE,
                "hard = ops.sparse_categorical_crossentropy(\n"
                "        labels, ops.stop_gradient(student_logits), from_logits=True)",
            ),
            (
                "both_losses",
                "not_the_loss",
                _SUM,
                "return temperature**2 * ops.mean(divergence), ops.mean(hard)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ layer_mapping

_ENTRY = "layer * teacher_layers // student_layers for"
_RANGE = "range(student_layers + 1)"
_LIMITS = "if not 1 <= student_layers <= teacher_layers:"

MAPPING = [
    right(
        "layer_mapping",
        "a_loop",
        source="""
def layer_mapping(student_layers, teacher_layers):
    if student_layers < 1 or student_layers > teacher_layers:
        raise ValueError("layers")
    found = [0]
    for m in range(1, student_layers + 1):
        found.append(int(m * teacher_layers / student_layers))
    return found
""",
    ),
    right(
        "layer_mapping",
        "an_array",
        source="""
def layer_mapping(student_layers, teacher_layers):
    if student_layers > teacher_layers or student_layers < 1:
        raise ValueError(student_layers)
    return list(np.arange(student_layers + 1) * teacher_layers // student_layers)
""",
    ),
    right(
        "layer_mapping",
        "divmod",
        patch=(_ENTRY, "divmod(layer * teacher_layers, student_layers)[0] for"),
    ),
    *wrongs(
        "layer_mapping",
        [
            (
                "nearest",
                "rounded_otherwise",
                _ENTRY,
                "round(layer * teacher_layers / student_layers) for",
            ),
            ("up", "rounded_otherwise", _ENTRY, "-(-layer * teacher_layers // student_layers) for"),
            (
                "step_first",
                "step_rounded_first",
                _ENTRY,
                "layer * (teacher_layers // student_layers) for",
            ),
            (
                "step_nearest",
                "step_rounded_first",
                _ENTRY,
                "layer * round(teacher_layers / student_layers) for",
            ),
            ("first_layers", "not_spread_evenly", _ENTRY, "layer for"),
            (
                "last_layers",
                "not_spread_evenly",
                _ENTRY,
                "(layer and teacher_layers - student_layers + layer) for",
            ),
            (
                "exchanged",
                "not_spread_evenly",
                _ENTRY,
                "layer * student_layers // teacher_layers for",
            ),
            (
                "one_less",
                "ends_do_not_meet",
                _ENTRY,
                "max(layer * teacher_layers // student_layers - 1, 0) for",
            ),
            (
                "to_the_last_but_one",
                "ends_do_not_meet",
                _ENTRY,
                "layer * (teacher_layers - 1) // student_layers for",
            ),
            ("no_embeddings", "another_number_of_entries", _RANGE, "range(1, student_layers + 1)"),
            ("no_last", "another_number_of_entries", _RANGE, "range(student_layers)"),
            ("floats", "no_whole_numbers", _ENTRY, "layer * teacher_layers / student_layers for"),
            (
                "never_refused",
                "numbers_not_checked",
                _LIMITS,
                "if student_layers == 0:\n        return [0]\n    if False:",
            ),
            (
                "more_only",
                "numbers_not_checked",
                _LIMITS,
                "if student_layers == 0:\n        return [0]\n"
                "    if student_layers > teacher_layers:",
            ),
            ("none_only", "numbers_not_checked", _LIMITS, "if student_layers < 1:"),
            (
                "equal_refused",
                "too_much_refused",
                _LIMITS,
                "if not 1 <= student_layers < teacher_layers:",
            ),
            (
                "uneven_refused",
                "too_much_refused",
                _LIMITS,
                "if student_layers < 1 or teacher_layers % student_layers:",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ low_rank

_SVD = 'left, values, right = np.linalg.svd(kernel.astype("float64"), full_matrices=False)'
_ROOTS = "roots = np.sqrt(values[:rank])"
_BOTH = "first, second = left[:, :rank] * roots, roots[:, None] * right[:rank]"
_BACK = "return first.astype(kernel.dtype), second.astype(kernel.dtype)"
_LIMIT = "if not 1 <= rank <= min(kernel.shape):"

LOW_RANK = [
    right(
        "low_rank",
        "all_to_the_left",
        source="""
def low_rank(kernel, rank):
    if rank < 1 or rank > min(kernel.shape):
        raise ValueError("rank")
    u, s, vh = np.linalg.svd(kernel)
    return u[:, :rank] @ np.diag(s[:rank]), vh[:rank, :]
""",
    ),
    right(
        "low_rank",
        "all_to_the_right",
        source="""
def low_rank(kernel, rank):
    if not 0 < rank <= min(kernel.shape):
        raise ValueError("rank")
    u, s, vh = np.linalg.svd(kernel, full_matrices=False)
    return u[:, :rank], s[:rank, None] * vh[:rank]
""",
    ),
    right(
        "low_rank",
        "by_eigenvectors",
        source="""
def low_rank(kernel, rank):
    if rank not in range(1, min(kernel.shape) + 1):
        raise ValueError(rank)
    wide = kernel.astype("float64")
    _, vectors = np.linalg.eigh(wide.T @ wide)
    top = vectors[:, ::-1][:, :rank]
    return (wide @ top).astype(kernel.dtype), top.T.astype(kernel.dtype)
""",
    ),
    *wrongs(
        "low_rank",
        [
            (
                "smallest",
                "smallest_values_kept",
                _ROOTS,
                "roots = np.sqrt(values[-rank:])",
                _BOTH,
                "first, second = left[:, -rank:] * roots, roots[:, None] * right[-rank:]",
            ),
            (
                "no_values",
                "singular_values_missing",
                _BOTH,
                "first, second = left[:, :rank], right[:rank]",
            ),
            ("twice", "singular_values_counted_wrongly", _ROOTS, "roots = values[:rank]"),
            (
                "one_root",
                "singular_values_counted_wrongly",
                _BOTH,
                "first, second = left[:, :rank] * roots, right[:rank]",
            ),
            (
                "columns_of_the_right",
                "right_vectors_in_columns",
                "right[:rank]",
                "right[:, :rank].T",
                _SVD,
                'left, values, right = np.linalg.svd(kernel.astype("float64"))',
            ),
            (
                "columns_of_a_short_right",
                "right_vectors_in_columns",
                "right[:rank]",
                "right[:, :rank].T",
            ),
            (
                "cut_columns",
                "kernel_cut_off",
                _BOTH,
                "first, second = kernel[:, :rank], np.eye(rank, kernel.shape[1])",
            ),
            (
                "centred",
                "centred",
                'svd(kernel.astype("float64")',
                "svd(kernel - kernel.mean(axis=0)",
            ),
            (
                "one_more",
                "another_rank",
                _ROOTS,
                "rank = min(rank + 1, len(values))\n    roots = np.sqrt(values[:rank])",
            ),
            (
                "all_of_them",
                "another_rank",
                _ROOTS,
                "rank = len(values)\n    roots = np.sqrt(values[:rank])",
            ),
            (
                "three_things",
                "other_factors",
                _BACK,
                "found = left[:, :rank], values[:rank], right[:rank]\n"
                "    return tuple(part.astype(kernel.dtype) for part in found)",
            ),
            ("the_product", "other_factors", _BACK, "return (first @ second).astype(kernel.dtype)"),
            (
                "upright",
                "other_factors",
                _BACK,
                "return first.astype(kernel.dtype), second.T.astype(kernel.dtype)",
            ),
            ("double_precision", "another_type", _BACK, "return first, second"),
            ("never_refused", "rank_not_checked", _LIMIT, "if False:"),
            ("rows_only", "rank_not_checked", _LIMIT, "if not 1 <= rank <= kernel.shape[0]:"),
            (
                "zero_accepted",
                "rank_not_checked",
                _LIMIT,
                "if rank < 0 or rank > min(kernel.shape):",
            ),
            ("full_refused", "full_rank_refused", _LIMIT, "if not 1 <= rank < min(kernel.shape):"),
            ("written_over", "kernel_changed", _BACK, "kernel[...] = first @ second\n    " + _BACK),
        ],
    ),
]

# ------------------------------------------------------------------ share_layers

_PASS = "x, _ = self.block(x, attention_mask=attention_mask)  # (B, T, D)"
_ADD = "states.append(x)"
_TIMES = "for _ in range(self.num_layers):"
_STATES = "states = [x]"
_BUILT = "if not self.block.built:\n            self.block.build(x_shape)"

SHARE = [
    right(
        "share_layers",
        "states_of_states",
        method="""
def call(self, x, attention_mask=None):
    states = [x]
    while len(states) <= self.num_layers:
        states.append(self.block(states[-1], attention_mask=attention_mask)[0])
    return states
""",
    ),
    right(
        "share_layers",
        "positional_mask_and_a_tuple",
        method="""
def call(self, x, attention_mask=None):
    found = (x,)
    for number in range(self.num_layers):
        found = found + (self.block(found[number], attention_mask)[0],)
    return found
""",
    ),
    right(
        "share_layers",
        "super_build",
        method="""
def build(self, x_shape):
    super().build(x_shape)
    if self.block.built:
        return
    self.block.build(tuple(x_shape))
""",
    ),
    *wrongs(
        "share_layers",
        [
            (
                "one_more",
                "another_number_of_passes",
                "range(self.num_layers)",
                "range(self.num_layers + 1)",
            ),
            (
                "one_less",
                "another_number_of_passes",
                "range(self.num_layers)",
                "range(self.num_layers - 1)",
            ),
            (
                "from_the_input",
                "always_from_the_input",
                _PASS,
                "y, _ = self.block(x, attention_mask=attention_mask)",
                _ADD,
                "states.append(y)",
            ),
            ("no_input", "input_not_in_front", _STATES, "states = []"),
            (
                "before_the_pass",
                "input_not_in_front",
                f"{_PASS}\n            {_ADD}",
                f"{_ADD}\n            {_PASS}",
            ),
            ("no_mask", "mask_not_in_every_pass", _PASS, "x, _ = self.block(x)"),
            (
                "first_mask",
                "mask_not_in_every_pass",
                _ADD,
                "states.append(x)\n            attention_mask = None",
            ),
            (
                "residual",
                "residual_added_again",
                _PASS,
                "x = x + self.block(x, attention_mask=attention_mask)[0]",
            ),
            ("last_alone", "not_a_list_of_states", "return states", "return states[-1]"),
            ("stacked", "not_a_list_of_states", "return states", "return keras.ops.stack(states)"),
            ("not_built", "block_not_built", _BUILT, "pass"),
            ("always_built", "block_built_again", "if not self.block.built:", "if True:"),
        ],
    ),
    wrong(
        "share_layers",
        "copies",
        names=("a_block_for_every_layer",),
        source="""
class SharedEncoder(keras.layers.Layer):
    def __init__(self, block, num_layers, **kwargs):
        super().__init__(**kwargs)
        self.block = block
        self.num_layers = num_layers

    def build(self, x_shape):
        config = self.block.get_config()
        self.blocks = [type(self.block).from_config(config) for _ in range(self.num_layers)]
        for block in self.blocks:
            block.build(x_shape)
        if not self.block.built:
            self.block.build(x_shape)
        self.built = True

    def call(self, x, attention_mask=None):
        states = [x]
        for block in self.blocks:
            x, _ = block(x, attention_mask=attention_mask)
            states.append(x)
        return states
""",
    ),
]

# ------------------------------------------------------------------ the drill

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_FIXED = _BUGS["truncated"].fixed
_DRILL = "drill_ch08_compression"
_LARGEST = "largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)"


def repairs(rows):
    """Wrong repairs of one bug from rows (name, misconception, old text, new text, …)."""
    answers = []
    for name, named, *pairs in rows:
        text = _FIXED
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            if text.count(old) != 1:
                raise ValueError(f"{name}: {old!r} stands {text.count(old)} times in the repair")
            text = text.replace(old, new)
        answers.append(
            wrong(
                _DRILL,
                name,
                key="truncated",
                names=(named,),
                source=f'suspect = "truncated"\n\n{text}',
            )
        )
    return answers


DRILL = [
    *[
        right(_DRILL, f"repaired_{key}", key=key, source=f'suspect = "{key}"\n\n{bug.fixed}')
        for key, bug in _BUGS.items()
    ],
    right(
        _DRILL,
        "written_anew",
        key="sum_in_int16",
        source="""
suspect = "sum_in_int16"


def repaired(x, kernel, bias, share):
    flat = kernel.reshape(-1).astype("float64")
    order = sorted(range(flat.size), key=lambda place: abs(flat[place]))
    for place in order[: round(share * flat.size)]:
        flat[place] = 0
    kernel = flat.reshape(kernel.shape)
    output = np.zeros((len(x), len(bias)))
    for column in range(len(bias)):
        b = max(abs(kernel[:, column])) / 127 or 1.0
        weights = np.rint(kernel[:, column] / b)
        for row in range(len(x)):
            a = float(np.abs(x[row]).max()) / 127 or 1.0
            output[row, column] = a * b * (np.rint(x[row] / a) @ weights) + bias[column]
    return output.astype(np.float32)
""",
    ),
    *[
        wrong(
            _DRILL,
            f"unrepaired_{key}",
            key=key,
            names=(key,),
            source=f'suspect = "{key}"\n\n' + bug.source.replace("def patient", "def repaired"),
        )
        for key, bug in _BUGS.items()
    ],
    wrong(
        _DRILL,
        "another_name",
        key="truncated",
        names=("another_bug_named",),
        source=f'suspect = "signed_ranking"\n\n{_FIXED}',
    ),
    *repairs(
        [
            ("nothing_goes", "another_part_is_pruned", "[: round(share * kernel.size)]", "[:0]"),
            (
                "largest_go",
                "another_part_is_pruned",
                "np.argsort(np.abs(kernel)",
                "np.argsort(-np.abs(kernel)",
            ),
            (
                "cut_off_number",
                "another_part_is_pruned",
                "round(share * kernel.size)",
                "int(share * kernel.size)",
            ),
            (
                "scale_by_the_columns_of_x",
                "scales_along_the_other_axis",
                "np.abs(x).max(axis=1, keepdims=True)",
                "np.abs(x).max(axis=0, keepdims=True)",
            ),
            (
                "no_kernel_scale",
                "scales_used_otherwise",
                "whole * x_scale * kernel_scale",
                "whole * x_scale",
            ),
            ("no_scales", "scales_used_otherwise", "whole * x_scale * kernel_scale", "whole"),
            ("half_repaired", "truncated", "np.round(x / x_scale)", "(x / x_scale)"),
            (
                "floor",
                "other_rounding",
                "np.round(x / x_scale)",
                "np.floor(x / x_scale)",
                "np.round(pruned / kernel_scale)",
                "np.floor(pruned / kernel_scale)",
            ),
            (
                "products_in_int8",
                "narrow_sums",
                'x_q.astype("int32") @ kernel_q.astype("int32")',
                "x_q @ kernel_q",
            ),
            ("bias_lost", "bias_used_otherwise", " + bias)", ")"),
            ("bias_by_the_kernels", "bias_used_otherwise", " + bias)", " + bias * kernel_scale)"),
            (
                "whole_numbers",
                "another_form",
                '(whole * x_scale * kernel_scale + bias).astype("float32")',
                "whole",
            ),
            ("double", "another_type", '+ bias).astype("float32")', '+ bias).astype("float64")'),
        ]
    ),
]

VARIANTS = [*PRUNE, *HEADS, *QUANTIZE, *DISTILL, *MAPPING, *LOW_RANK, *SHARE, *DRILL]
