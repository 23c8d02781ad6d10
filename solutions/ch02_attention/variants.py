"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer; `method` replaces one method of a class.
`names` are the misconceptions that the grader must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def patched(exercise, table):
    """Wrong answers from rows (name, patch, the misconception it must be told)."""
    return [wrong(exercise, name, patch=patch, names=(told,)) for name, patch, told in table]


def written(exercise, table):
    """Wrong answers from rows (name, whole source, the misconception it must be told)."""
    return [wrong(exercise, name, source=source, names=(told,)) for name, source, told in table]


# ------------------------------------------------------------------ mask_to_additive

_WHERE = "ops.where(mask, 0.0, -3e4)"
_DONE = f"return ops.cast({_WHERE}, dtype)"

MASK_TO_ADDITIVE = [
    right(
        "mask_to_additive",
        "one_minus_mask",
        source="""
def mask_to_additive(mask, dtype="float32"):
    return (1.0 - ops.cast(mask, dtype)) * -1e4
""",
    ),
    right(
        "mask_to_additive",
        "numpy_where",
        source="""
def mask_to_additive(mask, dtype="float32"):
    closed = np.where(ops.convert_to_numpy(mask), 0.0, -6e4)
    return ops.convert_to_tensor(closed.astype(dtype))
""",
    ),
    right(
        "mask_to_additive",
        "smallest_number_of_the_type",
        source="""
def mask_to_additive(mask, dtype="float32"):
    lowest = float(np.finfo(dtype).min)
    open_places = ops.zeros(ops.shape(mask), dtype=dtype)
    return ops.where(mask, open_places, ops.full(ops.shape(mask), lowest, dtype=dtype))
""",
    ),
    right(
        "mask_to_additive",
        "logical_not",
        source="""
def mask_to_additive(mask, dtype="float32"):
    return ops.cast(ops.logical_not(mask), dtype) * ops.cast(-3e4, dtype)
""",
    ),
    *patched(
        "mask_to_additive",
        [
            ("inverted", (_WHERE, "ops.where(mask, -3e4, 0.0)"), "mask_inverted"),
            ("times_the_mask", (_WHERE, "ops.cast(mask, 'float32') * -1e4"), "mask_inverted"),
            ("zeros_and_ones", (_DONE, "return ops.cast(mask, dtype)"), "zeros_and_ones"),
            ("boolean", (_DONE, "return mask"), "zeros_and_ones"),
            ("ones_where_closed", (_WHERE, "1.0 - ops.cast(mask, 'float32')"), "zeros_and_ones"),
            ("tiny_negative", (_WHERE, "ops.where(mask, 0.0, -1e-9)"), "fill_too_weak"),
            ("minus_hundred", (_WHERE, "ops.where(mask, 0.0, -100.0)"), "fill_too_weak"),
            ("large_positive", (_WHERE, "ops.where(mask, 0.0, 1e9)"), "fill_positive"),
            ("minus_infinity", (_WHERE, "ops.where(mask, 0.0, -float('inf'))"), "fill_infinite"),
            (
                "infinity_times_zero",
                (_WHERE, "(1.0 - ops.cast(mask, 'float32')) * -float('inf')"),
                "infinity_times_zero",
            ),
            ("minus_1e9", (_WHERE, "ops.where(mask, 0.0, -1e9)"), "overflows_in_half_precision"),
            (
                "minus_1e9_times_zero",
                (_DONE, "return (1.0 - ops.cast(mask, dtype)) * -1e9"),
                "overflows_in_half_precision",
            ),
            ("open_is_one", (_WHERE, "ops.where(mask, 1.0, -3e4)"), "open_entries_not_zero"),
            ("dtype_ignored", (_DONE, f"return {_WHERE}"), "dtype_ignored"),
            (
                "numpy_doubles",
                (_DONE, "return np.where(ops.convert_to_numpy(mask), 0.0, -3e4)"),
                "dtype_ignored",
            ),
            ("extra_axis", (_DONE, f"return ops.cast({_WHERE}, dtype)[:, None]"), "extra_axis"),
        ],
    ),
]

# ------------------------------------------------------------------ masked_softmax

_CLOSE = "ops.where(mask, scores, -3e4)"
_SOFTMAX = "return ops.softmax(scores, axis=-1)"

MASKED_SOFTMAX = [
    right(
        "masked_softmax",
        "by_hand",
        source="""
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    exponentials = ops.exp(scores - ops.max(scores, axis=-1, keepdims=True))
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
""",
    ),
    right(
        "masked_softmax",
        "so_low_that_the_scores_drown",
        source="""
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores + (1.0 - ops.cast(mask, scores.dtype)) * -1e9
    return ops.softmax(scores)
""",
    ),
    right(
        "masked_softmax",
        "multiplied_with_a_way_out",
        source="""
def masked_softmax(scores, mask=None):
    weights = ops.softmax(scores, axis=-1)
    if mask is None:
        return weights
    weights = weights * ops.cast(mask, weights.dtype)
    total = ops.sum(weights, axis=-1, keepdims=True)
    return ops.where(total > 0, weights / ops.where(total > 0, total, 1.0), 1 / scores.shape[-1])
""",
    ),
    right(
        "masked_softmax",
        "infinity_with_a_way_out",
        source="""
def masked_softmax(scores, mask=None):
    if mask is not None:
        anything = ops.any(mask, axis=-1, keepdims=True)
        scores = ops.where(mask, scores, -float("inf"))
        scores = ops.where(anything, scores, 0.0)
    return ops.softmax(scores, axis=-1)
""",
    ),
    right(
        "masked_softmax",
        "tensorflow",
        source="""
import tensorflow as tf

def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = tf.where(mask, scores, tf.constant(-1e8))
    return tf.nn.softmax(scores)
""",
    ),
    *patched(
        "masked_softmax",
        [
            ("over_queries", (_SOFTMAX, _SOFTMAX.replace("-1", "-2")), "softmax_axis"),
            ("over_the_batch", (_SOFTMAX, _SOFTMAX.replace("-1", "0")), "softmax_axis"),
            ("no_softmax", (_SOFTMAX, "return scores"), "softmax_missing"),
            (
                "only_divided",
                (_SOFTMAX, "return scores / ops.sum(scores, axis=-1, keepdims=True)"),
                "softmax_incomplete",
            ),
            ("only_exponentials", (_SOFTMAX, "return ops.exp(scores)"), "softmax_incomplete"),
            (
                "twice",
                (_SOFTMAX, "return ops.softmax(ops.softmax(scores, axis=-1), axis=-1)"),
                "softmax_twice",
            ),
            ("sigmoid", (_SOFTMAX, "return ops.sigmoid(scores)"), "sigmoid_for_softmax"),
            ("logarithm", (_SOFTMAX, "return ops.log_softmax(scores)"), "logarithm_of_softmax"),
            (
                "mask_multiplied",
                (_CLOSE, "scores * ops.cast(mask, scores.dtype)"),
                "closed_keys_score_zero",
            ),
            ("minus_one_fill", (_CLOSE, "ops.where(mask, scores, -1.0)"), "mask_fill_too_weak"),
            ("large_positive", (_CLOSE, "ops.where(mask, scores, 1e9)"), "mask_fill_positive"),
            ("inverted", (_CLOSE, "ops.where(mask, -3e4, scores)"), "mask_inverted"),
            ("mask_added", (_CLOSE, "scores + ops.cast(mask, scores.dtype)"), "mask_added"),
            ("result_discarded", ("scores = " + _CLOSE, _CLOSE), "mask_without_effect"),
            (
                "minus_infinity",
                (_CLOSE, 'ops.where(mask, scores, -float("inf"))'),
                "nan_without_open_key",
            ),
            (
                "infinity_times_zero",
                (_CLOSE, 'scores + (1 - ops.cast(mask, scores.dtype)) * -float("inf")'),
                "infinity_times_zero",
            ),
            ("none_used", ("if mask is not None:", "if True:"), "none_used_as_a_mask"),
            (
                "largest_of_everything",
                (
                    _SOFTMAX,
                    "powers = ops.exp(scores - ops.max(scores))\n"
                    "    return powers / ops.sum(powers, axis=-1, keepdims=True)",
                ),
                "largest_of_everything",
            ),
            ("added_penalty", (_CLOSE, "scores + mask_to_additive(mask)"), "empty_row_as_if_open"),
            (
                "smaller_penalty",
                (_CLOSE, "scores - 1e4 * ops.cast(ops.logical_not(mask), scores.dtype)"),
                "empty_row_as_if_open",
            ),
        ],
    ),
    *written(
        "masked_softmax",
        [
            (
                "mask_after_softmax",
                """
def masked_softmax(scores, mask=None):
    weights = ops.softmax(scores, axis=-1)
    return weights if mask is None else ops.where(mask, weights, 0.0)
""",
                "mask_after_softmax",
            ),
            (
                "renormalised_with_a_crumb",
                """
def masked_softmax(scores, mask=None):
    weights = ops.softmax(scores, axis=-1)
    if mask is not None:
        weights = weights * ops.cast(mask, weights.dtype)
        weights = weights / (ops.sum(weights, axis=-1, keepdims=True) + 1e-9)
    return weights
""",
                "empty_row_gets_nothing",
            ),
            (
                "numpy_from_end_to_end",
                """
def masked_softmax(scores, mask=None):
    scores = np.array(scores)
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-3e4))
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
""",
                "gradient_lost",
            ),
            (
                "exponentials_as_they_are",
                """
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    exponentials = ops.exp(scores)
    return exponentials / ops.sum(exponentials, axis=-1, keepdims=True)
""",
                "exponentials_overflow",
            ),
        ],
    ),
]

MASKED_SOFTMAX.append(
    wrong(
        "masked_softmax",
        "none_used_and_added",
        source="""
def masked_softmax(scores, mask=None):
    return ops.softmax(scores + mask_to_additive(mask), axis=-1)
""",
        names=("none_used_as_a_mask", "empty_row_as_if_open"),
    )
)

# ------------------------------------------------------------------ dot_score

_DOT = "return ops.matmul(query, ops.swapaxes(key, 1, 2))"

DOT_SCORE = [
    right(
        "dot_score",
        "einsum",
        source='def dot_score(query, key):\n    return ops.einsum("bth,bsh->bts", query, key)\n',
    ),
    right(
        "dot_score",
        "broadcast",
        source="""
def dot_score(query, key):
    return ops.sum(ops.expand_dims(query, 2) * ops.expand_dims(key, 1), axis=-1)
""",
    ),
    right(
        "dot_score",
        "key_at_a_time",
        source="""
def dot_score(query, key):
    columns = [ops.sum(query * key[:, s : s + 1], axis=-1) for s in range(key.shape[1])]
    return ops.stack(columns, axis=2)
""",
    ),
    right(
        "dot_score",
        "tensorflow",
        source="""
import tensorflow as tf

def dot_score(query, key):
    return tf.matmul(query, key, transpose_b=True)
""",
    ),
    *patched(
        "dot_score",
        [
            (
                "keys_ask",
                (_DOT, "return ops.matmul(key, ops.swapaxes(query, 1, 2))"),
                "keys_ask_queries",
            ),
            ("not_turned", (_DOT, "return ops.matmul(query, key)"), "key_not_turned"),
            (
                "reshaped",
                (
                    _DOT,
                    "turned = ops.reshape(key, (key.shape[0], key.shape[2], key.shape[1]))\n"
                    "    return ops.matmul(query, turned)",
                ),
                "reshaped_not_transposed",
            ),
            ("scaled", (_DOT, _DOT + " / query.shape[-1] ** 0.5"), "scores_scaled"),
            (
                "averaged",
                (_DOT, 'return ops.einsum("bth,bsh->bts", query, key) / key.shape[-1]'),
                "scores_scaled",
            ),
            (
                "cosine",
                (
                    _DOT,
                    "query = query / ops.norm(query, axis=-1, keepdims=True)\n"
                    "    key = key / ops.norm(key, axis=-1, keepdims=True)\n    " + _DOT,
                ),
                "vectors_normalised",
            ),
            ("softmax", (_DOT, f"return ops.softmax({_DOT[7:]}, axis=-1)"), "softmax_too_early"),
            ("negative", (_DOT, _DOT.replace("return ", "return -")), "negative_scores"),
            (
                "distance",
                (
                    _DOT,
                    "gaps = ops.expand_dims(query, 2) - ops.expand_dims(key, 1)\n"
                    "    return -ops.sqrt(ops.sum(gaps**2, axis=-1))",
                ),
                "distance_not_product",
            ),
            (
                "key_with_itself",
                (_DOT, _DOT.replace("query", "key")),
                "one_side_compared_with_itself",
            ),
            (
                "batch_mixed",
                (_DOT, 'return ops.einsum("bth,csh->bts", query, key)'),
                "items_of_the_batch_mixed",
            ),
            (
                "not_summed",
                (_DOT, "return ops.expand_dims(query, 2) * ops.expand_dims(key, 1)"),
                "products_not_summed",
            ),
            (
                "numpy_inside",
                (_DOT, "return np.einsum('bth,bsh->bts', query, key)"),
                "gradient_lost",
            ),
            (
                "numpy_turns_the_keys",
                (_DOT, "return ops.matmul(query, np.swapaxes(np.array(key), 1, 2))"),
                "gradient_lost",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ general_score

_GENERAL = "return ops.matmul(ops.matmul(query, kernel), ops.swapaxes(key, 1, 2))"

GENERAL_SCORE = [
    right(
        "general_score",
        "einsum",
        source="""
def general_score(query, key, kernel):
    return ops.einsum("btq,qk,bsk->bts", query, kernel, key)
""",
    ),
    right(
        "general_score",
        "matrix_on_the_other_side",
        source="""
def general_score(query, key, kernel):
    prepared = ops.matmul(key, ops.transpose(kernel))
    return ops.matmul(query, ops.transpose(prepared, (0, 2, 1)))
""",
    ),
    right(
        "general_score",
        "with_the_dot_score",
        source="""
def general_score(query, key, kernel):
    return dot_score(query @ kernel, key)
""",
    ),
    *patched(
        "general_score",
        [
            (
                "kernel_turned",
                (_GENERAL, _GENERAL.replace("kernel", "ops.transpose(kernel)")),
                "kernel_turned",
            ),
            ("no_kernel", (_GENERAL, _DOT), "kernel_not_used"),
            (
                "keys_ask",
                (_GENERAL, 'return ops.einsum("btq,qk,bsk->bst", query, kernel, key)'),
                "keys_ask_queries",
            ),
            (
                "key_not_turned",
                (_GENERAL, "return ops.matmul(ops.matmul(query, kernel), key)"),
                "key_not_turned",
            ),
            (
                "reshaped",
                (
                    _GENERAL,
                    "turned = ops.reshape(key, (key.shape[0], key.shape[2], key.shape[1]))\n"
                    "    return ops.matmul(ops.matmul(query, kernel), turned)",
                ),
                "reshaped_not_transposed",
            ),
            (
                "tanh",
                (
                    _GENERAL,
                    _GENERAL.replace("ops.matmul(query, kernel)", "ops.tanh(query @ kernel)"),
                ),
                "activation_added",
            ),
            (
                "tanh_of_the_score",
                (_GENERAL, f"return ops.tanh({_GENERAL[7:]})"),
                "activation_added",
            ),
            ("scaled", (_GENERAL, _GENERAL + " / key.shape[-1] ** 0.5"), "scores_scaled"),
            (
                "scaled_by_the_query",
                (_GENERAL, _GENERAL + " / query.shape[-1] ** 0.5"),
                "scores_scaled",
            ),
            (
                "numpy_inside",
                (_GENERAL, "return np.einsum('btq,qk,bsk->bts', query, kernel, key)"),
                "gradient_lost",
            ),
            (
                "softmax",
                (_GENERAL, f"return ops.softmax({_GENERAL[7:]}, axis=-1)"),
                "softmax_too_early",
            ),
            ("negative", (_GENERAL, _GENERAL.replace("return ", "return -")), "negative_scores"),
            (
                "batch_mixed",
                (_GENERAL, 'return ops.einsum("btq,qk,csk->bts", query, kernel, key)'),
                "items_of_the_batch_mixed",
            ),
            (
                "not_summed",
                (
                    _GENERAL,
                    "return ops.expand_dims(query @ kernel, 2) * ops.expand_dims(key, 1)",
                ),
                "products_not_summed",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ additive_score

_FROM_QUERY = "ops.expand_dims(ops.matmul(query, query_kernel), axis=2)"
_FROM_KEY = "ops.expand_dims(ops.matmul(key, key_kernel), axis=1)"
_TANH = "ops.tanh(from_query + from_key)"
_ADDITIVE = f"return ops.sum(scale * {_TANH}, axis=-1)"

ADDITIVE_SCORE = [
    right(
        "additive_score",
        "concatenated",
        source="""
def additive_score(query, key, query_kernel, key_kernel, scale):
    queries, keys = query.shape[1], key.shape[1]
    each_query = ops.repeat(ops.expand_dims(query, 2), keys, axis=2)
    each_key = ops.repeat(ops.expand_dims(key, 1), queries, axis=1)
    pairs = ops.concatenate([each_query, each_key], axis=-1)
    kernel = ops.concatenate([query_kernel, key_kernel], axis=0)
    return ops.einsum("btsh,h->bts", ops.tanh(ops.matmul(pairs, kernel)), scale)
""",
    ),
    right(
        "additive_score",
        "matrix_product_at_the_end",
        source="""
def additive_score(query, key, query_kernel, key_kernel, scale):
    hidden = ops.tanh((query @ query_kernel)[:, :, None] + (key @ key_kernel)[:, None])
    return ops.squeeze(ops.matmul(hidden, ops.expand_dims(scale, 1)), axis=-1)
""",
    ),
    right(
        "additive_score",
        "one_query_at_a_time",
        source="""
def additive_score(query, key, query_kernel, key_kernel, scale):
    prepared = ops.matmul(key, key_kernel)
    rows = []
    for t in range(query.shape[1]):
        asked = ops.matmul(query[:, t : t + 1], query_kernel)
        rows.append(ops.sum(ops.tanh(prepared + asked) * scale, axis=-1))
    return ops.stack(rows, axis=1)
""",
    ),
    *patched(
        "additive_score",
        [
            ("no_tanh", (_TANH, "(from_query + from_key)"), "no_activation"),
            ("relu", (_TANH, _TANH.replace("tanh", "relu")), "another_activation"),
            ("sigmoid", (_TANH, _TANH.replace("tanh", "sigmoid")), "another_activation"),
            (
                "tanh_on_each_side",
                (_TANH, "(ops.tanh(from_query) + ops.tanh(from_key))"),
                "activation_before_the_sum",
            ),
            (
                "tanh_at_the_end",
                (_ADDITIVE, "return ops.tanh(ops.sum(scale * (from_query + from_key), axis=-1))"),
                "activation_at_the_end",
            ),
            (
                "scale_inside",
                (f"scale * {_TANH}", "ops.tanh(scale * (from_query + from_key))"),
                "scale_inside_the_activation",
            ),
            (
                "axis_left",
                (_ADDITIVE, f"return ops.matmul({_TANH}, scale[:, None])"),
                "last_axis_left",
            ),
            (
                "squeezed",
                (_ADDITIVE, f"return ops.squeeze(ops.matmul({_TANH}, scale[:, None]))"),
                "other_axes_squeezed",
            ),
            ("no_scale", (f"scale * {_TANH}", _TANH), "last_weights_not_used"),
            ("not_summed", (_ADDITIVE, f"return scale * {_TANH}"), "hidden_units_not_summed"),
            ("averaged", ("ops.sum(", "ops.mean("), "hidden_units_averaged"),
            ("product", ("from_query + from_key", "from_query * from_key"), "sides_multiplied"),
            ("difference", ("from_query + from_key", "from_query - from_key"), "sides_subtracted"),
            (
                "position_by_position",
                [
                    (_FROM_QUERY, "ops.matmul(query, query_kernel)"),
                    (_FROM_KEY, "ops.matmul(key, key_kernel)"),
                ],
                "position_by_position",
            ),
            (
                "axes_exchanged",
                [
                    (_FROM_QUERY, _FROM_QUERY.replace("axis=2", "axis=1")),
                    (_FROM_KEY, _FROM_KEY.replace("axis=1", "axis=2")),
                ],
                "keys_ask_queries",
            ),
            (
                "kernels_exchanged",
                [
                    ("query, query_kernel), axis", "query, key_kernel), axis"),
                    ("key, key_kernel), axis", "key, query_kernel), axis"),
                ],
                "kernels_exchanged",
            ),
            (
                "one_kernel",
                ("key, key_kernel), axis", "key, query_kernel), axis"),
                "one_kernel_for_both",
            ),
            ("softmax", (_ADDITIVE, f"return ops.softmax({_ADDITIVE[7:]})"), "softmax_too_early"),
            ("negative", (_ADDITIVE, _ADDITIVE.replace("return ", "return -")), "negative_scores"),
            (
                "numpy_inside",
                (
                    _ADDITIVE,
                    "hidden = np.tanh(np.array(from_query) + np.array(from_key))\n"
                    "    return ops.convert_to_tensor(hidden @ np.array(scale))",
                ),
                "gradient_lost",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ context_vector

_MIX = "return ops.matmul(weights, value)"

CONTEXT_VECTOR = [
    right(
        "context_vector",
        "einsum",
        source='def context_vector(w, v):\n    return ops.einsum("bts,bsv->btv", w, v)\n',
    ),
    right(
        "context_vector",
        "broadcast",
        source="""
def context_vector(weights, value):
    return ops.sum(weights[..., None] * value[:, None], axis=2)
""",
    ),
    right(
        "context_vector",
        "key_after_key",
        source="""
def context_vector(weights, value):
    total = 0.0
    for s in range(value.shape[1]):
        total = total + weights[:, :, s : s + 1] * value[:, s : s + 1]
    return total
""",
    ),
    *patched(
        "context_vector",
        [
            (
                "weights_turned",
                (_MIX, "return ops.matmul(ops.swapaxes(weights, 1, 2), value)"),
                "weights_turned",
            ),
            ("averaged", (_MIX, _MIX + " / value.shape[1]"), "sum_divided_by_keys"),
            (
                "plain_mean",
                (
                    _MIX,
                    "evenly = ops.ones_like(weights) / value.shape[1]\n"
                    "    return ops.matmul(evenly, value)",
                ),
                "weights_not_used",
            ),
            (
                "softmax_again",
                (_MIX, "return ops.matmul(ops.softmax(weights, axis=-1), value)"),
                "softmax_again",
            ),
            (
                "over_queries",
                (
                    _MIX,
                    "return ops.matmul(weights / ops.sum(weights, axis=1, keepdims=True), value)",
                ),
                "normalised_over_queries",
            ),
            (
                "best_only",
                (
                    _MIX,
                    "best = ops.one_hot(ops.argmax(weights, axis=-1), weights.shape[-1])\n"
                    "    return ops.matmul(best, value)",
                ),
                "best_key_only",
            ),
            (
                "not_summed",
                (_MIX, "return weights[..., None] * value[:, None]"),
                "products_not_summed",
            ),
            (
                "queries_added",
                (_MIX, 'return ops.einsum("bts,bsv->bv", weights, value)'),
                "summed_over_queries",
            ),
            (
                "batch_mixed",
                (_MIX, 'return ops.einsum("bts,csv->btv", weights, value)'),
                "items_of_the_batch_mixed",
            ),
            (
                "turned",
                (_MIX, 'return ops.einsum("bts,bsv->bvt", weights, value)'),
                "output_turned",
            ),
            (
                "squeezed",
                (_MIX, "return ops.squeeze(ops.matmul(weights, value))"),
                "query_axis_lost",
            ),
            ("numpy_inside", (_MIX, "return np.matmul(weights, value)"), "gradient_lost"),
        ],
    ),
]

# ------------------------------------------------------------------ AttentionDecoderCell

_SCORES = "scores = general_score(state, source, self.score_kernel)"
_ONE_MASK = "ops.expand_dims(padding_mask, 1)"
_WEIGHTS = "weights = masked_softmax(scores, mask)"
_CONTEXT = "context = context_vector(weights, source)"
_JOINED = "joined = ops.concatenate([context, state], axis=-1)"
_SAID = "return self.output_dense(joined), weights"
_MOVE = "state, states = self.cell(x, states)"
_LOOK = "self.look_back(ops.expand_dims(state, 1), source, padding_mask)"
_STEP = "return output[:, 0], states, weights[:, 0]"

CELL = [
    right(
        "AttentionDecoderCell",
        "all_in_call",
        method="""
def call(self, x, states, source, padding_mask=None):
    state, states = self.cell(x, states)
    scores = ops.einsum("bh,hk,bsk->bs", state, self.score_kernel, source)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -1e9)
    weights = ops.softmax(scores, axis=-1)
    context = ops.einsum("bs,bsk->bk", weights, source)
    return self.output_dense(ops.concatenate([context, state], axis=-1)), states, weights
""",
    ),
    right(
        "AttentionDecoderCell",
        "matrix_on_the_source",
        method="""
def look_back(self, state, source, padding_mask=None):
    prepared = ops.matmul(source, ops.transpose(self.score_kernel))
    scores = dot_score(state, prepared)
    if padding_mask is not None:
        scores = scores + ops.cast(ops.logical_not(padding_mask), "float32")[:, None] * -1e9
    weights = masked_softmax(scores)
    return self.output_dense(ops.concatenate([weights @ source, state], axis=-1)), weights
""",
    ),
    right(
        "AttentionDecoderCell",
        "last_layer_by_hand",
        patch=(_SAID, "return ops.tanh(ops.matmul(joined, self.output_dense.kernel)), weights"),
    ),
    right(
        "AttentionDecoderCell",
        "squeezed",
        patch=(_STEP, "return ops.squeeze(output, 1), states, ops.squeeze(weights, 1)"),
    ),
    *patched(
        "AttentionDecoderCell",
        [
            (
                "old_state_asks",
                [
                    (_MOVE, "old = states[0]\n        " + _MOVE),
                    (_LOOK, "self.look_back(ops.expand_dims(old, 1), source, padding_mask, state)"),
                    ("def look_back(self, state, source, padding_mask=None):",
                     "def look_back(self, state, source, padding_mask=None, new=None):"),
                    (_JOINED, _JOINED.replace("state]", "new[:, None]]")),
                ],
                "old_state_asks",
            ),
            (
                "old_state_all_along",
                [(_MOVE, "old = states[0]\n        " + _MOVE),
                 (_LOOK, _LOOK.replace("(state,", "(old,"))],
                "old_state_asks",
            ),
            ("carry_all_along", (_LOOK, _LOOK.replace("(state,", "(states[-1],")), "carry_asks"),
            ("none_used", ("None if padding_mask is None else ", ""), "none_used_as_a_mask"),
            ("tanh_again", (_SAID, "return ops.tanh(self.output_dense(joined)), weights"),
             "second_tanh"),
            ("scaled_by_the_state", (_SCORES, _SCORES + " / self.hidden_dim ** 0.5"),
             "scores_scaled"),
            ("pair_swapped", (_SAID, "return weights, self.output_dense(joined)"), "pair_swapped"),
            ("squeezed_without_an_axis",
             (_STEP, "return ops.squeeze(output), states, ops.squeeze(weights)"),
             "batch_axis_lost"),
            ("weights_squeezed_without_an_axis",
             (_STEP, "return output[:, 0], states, ops.squeeze(weights)"), "batch_axis_lost"),
            ("output_fed_back", (_STEP, "return output[:, 0], [output[:, 0], *states[1:]], "
                                 "weights[:, 0]"), "output_fed_back"),
            ("carry_forgotten", (_STEP, "return output[:, 0], [state], weights[:, 0]"),
             "carry_not_returned"),
            (
                "joined_with_old_state",
                [
                    (_MOVE, "old = states[0]\n        " + _MOVE),
                    (_LOOK, "self.look_back(ops.expand_dims(state, 1), source, padding_mask, old)"),
                    ("def look_back(self, state, source, padding_mask=None):",
                     "def look_back(self, state, source, padding_mask=None, old=None):"),
                    (_JOINED, _JOINED.replace("state]", "old[:, None]]")),
                ],
                "joined_with_old_state",
            ),
            (
                "carry_asks",
                [
                    (_LOOK, "self.look_back(ops.expand_dims(states[-1], 1), source, padding_mask, "
                     "state)"),
                    ("def look_back(self, state, source, padding_mask=None):",
                     "def look_back(self, state, source, padding_mask=None, new=None):"),
                    (_JOINED, _JOINED.replace("state]", "new[:, None]]")),
                ],
                "carry_asks",
            ),
            (
                "state_first",
                (_JOINED, _JOINED.replace("[context, state]", "[state, context]")),
                "state_joined_first",
            ),
            ("no_score_kernel", (_SCORES, "scores = dot_score(state, source)"),
             "score_kernel_not_used"),
            (
                "score_kernel_turned",
                (_SCORES, _SCORES.replace("self.score_kernel",
                                          "ops.transpose(self.score_kernel)")),
                "score_kernel_turned",
            ),
            ("scaled", (_SCORES, _SCORES + " / source.shape[-1] ** 0.5"), "scores_scaled"),
            (
                "projected_values",
                (_CONTEXT, "context = context_vector(weights, ops.matmul(source, "
                 "ops.transpose(self.score_kernel)))"),
                "mixes_projected_source",
            ),
            (
                "plain_mean",
                (_CONTEXT, "context = ops.mean(source, axis=1, keepdims=True) + 0 * "
                 "context_vector(weights, source)"),
                "context_without_weights",
            ),
            ("softmax_over_queries",
             (_WEIGHTS, "if mask is not None:\n            scores = ops.where(mask, scores, -3e4)\n"
              "        weights = ops.softmax(scores, axis=1)"), "softmax_axis"),
            ("mask_not_passed_on", (_LOOK, _LOOK.replace(", padding_mask", "")),
             "mask_without_effect"),
            ("inverted", (_ONE_MASK, "ops.expand_dims(ops.logical_not(padding_mask), 1)"),
             "mask_inverted"),
            (
                "mask_after_softmax",
                (_WEIGHTS, "weights = masked_softmax(scores)\n        if mask is not None:\n"
                 "            weights = weights * ops.cast(mask, weights.dtype)"),
                "mask_after_softmax",
            ),
            ("mask_without_axis", (_ONE_MASK, "padding_mask"), "mask_without_query_axis"),
            ("moves_twice", (_MOVE, _MOVE + "\n        " + _MOVE), "moves_twice"),
            ("never_moves", (_MOVE, "state = states[0]"), "never_moves"),
            ("old_states_returned", (_MOVE, "state, _ = self.cell(x, states)"),
             "old_states_returned"),
            ("joined_is_the_output", (_SAID, "return joined, weights"), "output_not_transformed"),
            ("context_is_the_output", (_SAID, "return context, weights"), "output_not_transformed"),
            ("scores_returned", (_SAID, "return self.output_dense(joined), scores"),
             "scores_returned"),
            ("axis_kept", (_STEP, "return output, states, weights"), "query_axis_kept"),
            ("weights_second", (_STEP, "return output[:, 0], weights[:, 0], states"),
             "triple_in_another_order"),
            ("bare_state", (_STEP, "return output[:, 0], state, weights[:, 0]"),
             "state_not_in_a_list"),
            (
                "numpy_inside",
                (_CONTEXT, "context = ops.convert_to_tensor(np.array(weights) @ np.array(source))"),
                "gradient_lost",
            ),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ alignment_matrix

_WALK = "_, states, weights = step(inputs[:, now], states, source, padding_mask)"
_RANGE = "range(inputs.shape[1])"
_STACK = "return ops.stack(rows, axis=1)"

ALIGNMENT_MATRIX = [
    right(
        "alignment_matrix",
        "concatenated",
        source="""
def alignment_matrix(step, inputs, states, source, padding_mask=None):
    rows = []
    for t in range(inputs.shape[1]):
        output, states, weights = step(inputs[:, t, :], states, source, padding_mask=padding_mask)
        rows.append(ops.expand_dims(weights, 1))
    return ops.concatenate(rows, axis=1)
""",
    ),
    right(
        "alignment_matrix",
        "stacked_and_turned",
        patch=(_STACK, "return ops.transpose(ops.stack(rows), (1, 0, 2))"),
    ),
    right(
        "alignment_matrix",
        "unstacked_inputs",
        source="""
def alignment_matrix(step, inputs, states, source, padding_mask=None):
    looks = []
    for x in ops.unstack(inputs, axis=1):
        result = step(x, states, source, padding_mask)
        states = result[1]
        looks.append(result[2])
    return ops.stack(looks, 1)
""",
    ),
    *patched(
        "alignment_matrix",
        [
            ("state_not_carried", (_WALK, _WALK.replace("_, states,", "_, _,")),
             "state_not_carried"),
            ("rows_are_source", (_STACK, "return ops.stack(rows, axis=2)"), "rows_are_source"),
            ("time_first", (_STACK, "return ops.stack(rows, axis=0)"), "time_comes_first"),
            ("end_to_end", (_STACK, "return ops.concatenate(rows, axis=-1)"), "rows_end_to_end"),
            ("list", (_STACK, "return rows"), "list_of_rows"),
            ("outputs", (_WALK, _WALK.replace("_, states, weights", "weights, states, _")),
             "outputs_collected"),
            ("states", ("rows.append(weights)", "rows.append(states[0])"), "outputs_collected"),
            ("last_row", (_STACK, "return rows[-1]"), "last_row_only"),
            ("emptied_in_the_loop", (_WALK, "rows = []\n        " + _WALK), "last_row_only"),
            ("returns_in_the_loop", (_STACK, "    " + _STACK), "stops_after_the_first_step"),
            (
                "best_only",
                (_STACK, "weights = ops.stack(rows, axis=1)\n"
                 "    return ops.one_hot(ops.argmax(weights, axis=-1), weights.shape[-1])"),
                "best_place_only",
            ),
            ("places", (_STACK, "return ops.argmax(ops.stack(rows, axis=1), axis=-1)"),
             "best_place_only"),
            ("mask_forgotten", (_WALK, _WALK.replace(", padding_mask", "")), "mask_not_passed_on"),
            ("from_one", (_RANGE, "range(1, inputs.shape[1])"), "first_step_left_out"),
            ("one_short", (_RANGE, "range(inputs.shape[1] - 1)"), "last_step_left_out"),
            ("along_the_source", (_RANGE, "range(source.shape[1])"), "walks_along_the_source"),
            ("backwards", (_RANGE, "reversed(range(inputs.shape[1]))"), "walks_backwards"),
            ("first_input", (_WALK, _WALK.replace("[:, now]", "[:, 0]")), "same_input_every_step"),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ bleu

_RUNS = "Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))"
_MATCH = "(predicted & runs(reference, n)).total()"
_TOTAL = "predicted.total()"
_ZERO = "    if 0 in matches:\n        return 0.0\n"
_LOG = "sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / max_order"
_BREVITY = "min(0.0, 1 - reference_length / predicted_length)"
_RETURN = "return 100 * math.exp(brevity + log_precision)"
_ORDERS = "for n in range(1, max_order + 1):"
_SMOOTH = "    if smooth:\n"
_PAIRS = "for prediction, reference in zip(predictions, references, strict=True):"
_START = "    def runs(tokens, n):"

BLEU = [
    right(
        "bleu",
        "order_after_order",
        source="""
def bleu(predictions, references, max_order=4, smooth=False):
    c = sum(len(p) for p in predictions)
    r = sum(len(q) for q in references)
    product = 1.0
    for n in range(1, max_order + 1):
        hits = tries = 0
        for p, q in zip(predictions, references, strict=True):
            seen = Counter(tuple(q[i : i + n]) for i in range(len(q) - n + 1))
            for i in range(len(p) - n + 1):
                gram = tuple(p[i : i + n])
                tries += 1
                if seen[gram] > 0:
                    seen[gram] -= 1
                    hits += 1
        if smooth and n > 1:
            hits, tries = hits + 1, tries + 1
        if hits == 0:
            return 0.0
        product *= (hits / tries) ** (1 / max_order)
    return 100 * product * (1.0 if c > r else math.exp(1 - r / c))
""",
    ),
    right(
        "bleu",
        "with_numpy",
        source="""
def bleu(predictions, references, max_order=4, smooth=False):
    table = np.zeros((max_order, 2))
    sizes = np.zeros(2)
    if len(predictions) != len(references):
        raise ValueError("as many references as predictions")
    for p, r in zip(predictions, references):
        sizes += len(p), len(r)
        for n in range(max_order):
            cut = lambda s: [" ".join(map(repr, s[i : i + n + 1])) for i in range(len(s) - n)]
            grams = [cut(p), cut(r)]
            for gram in set(grams[0]):
                table[n, 0] += min(grams[0].count(gram), grams[1].count(gram))
            table[n, 1] += len(grams[0])
    if smooth:
        table[1:] += 1
    if np.any(table[:, 0] == 0):
        return 0.0
    mean = np.exp(np.mean(np.log(table[:, 0] / table[:, 1])))
    return float(100 * mean * min(1.0, np.exp(1 - sizes[1] / sizes[0])))
""",
    ),
    right("bleu", "zero_without_a_point", patch=("return 0.0", "return 0")),
    right("bleu", "runs_of_characters_as_strings", source="""
def bleu(predictions, references, max_order=4, smooth=False):
    def runs(tokens, n):
        return Counter("|".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    if len(predictions) != len(references):
        raise ValueError("one reference for each prediction")
    c, r = (sum(map(len, side)) for side in (predictions, references))
    total = 0.0
    for n in range(1, max_order + 1):
        both = [(runs(p, n), runs(q, n)) for p, q in zip(predictions, references)]
        hits = sum((ours & theirs).total() for ours, theirs in both)
        tries = sum(ours.total() for ours, _ in both)
        hits, tries = hits + (smooth and n > 1), tries + (smooth and n > 1)
        if not hits:
            return np.int64(0)
        total += math.log(hits / tries)
    return min(1, math.exp(1 - r / c)) * 100 * math.exp(total / max_order)
"""),
    right("bleu", "minimum_by_hand", patch=(
        _MATCH, "sum(min(k, runs(reference, n)[run]) for run, k in predicted.items())")),
    *patched(
        "bleu",
        [
            ("not_clipped", (_MATCH, "sum(k for run, k in predicted.items() "
                             "if run in runs(reference, n))"), "echoes_count"),
            ("every_pair", (_MATCH, "sum(k * runs(reference, n)[run] for run, k in "
                            "predicted.items())"), "echoes_count"),
            ("sets", (_RUNS, f"Counter(set({_RUNS[8:-1]}))"), "runs_counted_once"),
            ("unordered", (_RUNS, _RUNS.replace("tuple(tokens[i : i + n])",
                                                "tuple(sorted(tokens[i : i + n]))")),
             "order_inside_runs_ignored"),
            ("last_run_missing", (_RUNS, _RUNS.replace(" + 1)", ")")), "last_run_left_out"),
            ("sets_for_the_matches", (_MATCH, "len({*predicted} & {*runs(reference, n)})"),
             "runs_counted_once"),
            ("run_together", (_RUNS, _RUNS.replace("tuple(", "\"\".join(")), "tokens_run_together"),
            ("lists_as_keys", (_RUNS, _RUNS.replace("tuple(tokens[i : i + n])",
                                                    "tokens[i : i + n]")), "runs_are_lists"),
            ("not_strict", (_PAIRS, _PAIRS.replace(", strict=True", "")), "pairs_cut_short"),
            ("recall", (f"+= {_TOTAL}", "+= runs(reference, n).total()"), "recall_not_precision"),
            ("exchanged", (_PAIRS, _PAIRS.replace("prediction, reference in",
                                                  "reference, prediction in")), "sides_exchanged"),
            ("joined", (_START, "    join = lambda side: [[t for each in side for t in each]]\n"
                        "    predictions, references = join(predictions), join(references)\n\n"
                        + _START), "runs_across_sentences"),
            ("no_penalty", (_BREVITY, "0.0"), "no_penalty"),
            ("penalty_for_long", (_BREVITY,
                                  "min(0.0, 1 - predicted_length / reference_length)"),
             "penalty_on_the_wrong_side"),
            ("penalty_both_ways", (_BREVITY, "1 - reference_length / predicted_length"),
             "penalty_on_the_wrong_side"),
            ("penalty_turned", (_BREVITY, "max(0.0, 1 - predicted_length / reference_length)"),
             "penalty_turned"),
            ("penalty_of_each", (_BREVITY, "math.log(sum(math.exp(min(0.0, 1 - len(r) / len(p)))"
                                 " for p, r in zip(predictions, references)) / len(predictions))"),
             "penalty_of_each_sentence"),
            ("penalties_multiplied", (_BREVITY, "sum(min(0.0, 1 - len(r) / max(len(p), 1e-9))"
                                      " for p, r in zip(predictions, references))"),
             "penalty_of_each_sentence"),
            ("penalty_of_each_too_short", (
                "reference_length += len(reference)",
                "reference_length += max(len(prediction), len(reference))"),
             "penalty_of_each_sentence"),
            ("ratio", (_BREVITY, "min(0.0, math.log(predicted_length / reference_length))"),
             "another_penalty"),
            ("other_ratio", (_BREVITY, "min(0.0, predicted_length / reference_length - 1)"),
             "another_penalty"),
            ("arithmetic", [(_ZERO, ""), (
                _LOG, "sum(m / max(t, 1) for m, t in zip(matches, totals)) / max_order"),
                (_BREVITY, "min(0.0, 1 - reference_length / max(predicted_length, 1e-9))"),
                (_RETURN, "return 100 * math.exp(brevity) * log_precision")], "arithmetic_mean"),
            ("arithmetic_unless_zero", [
                (_LOG, "sum(m / t for m, t in zip(matches, totals)) / max_order"),
                (_RETURN, "return 100 * math.exp(brevity) * log_precision")], "arithmetic_mean"),
            ("always_the_fourth_root", (_LOG, _LOG.replace("max_order", "4")),
             "root_always_the_fourth"),
            ("one_short_of_all", [("    if 0 in matches:", "    matches.pop()\n    totals.pop()\n"
                                   "    if 0 in matches:")], "longest_left_out"),
            ("longest_never_counted", (_ORDERS, "for n in range(1, max_order):"),
             "longest_left_out"),
            ("no_root", (_LOG, _LOG.replace(" / max_order", "")), "product_without_root"),
            ("one_short", [("[0] * max_order, [0] * max_order",
                            "[0] * (max_order - 1), [0] * (max_order - 1)"),
                           (_ORDERS, "for n in range(1, max_order):"),
                           (_LOG, _LOG.replace("max_order", "(max_order - 1)"))],
             "longest_left_out"),
            ("always_four", (_START, "    max_order = 4\n\n" + _START), "max_order_ignored"),
            ("from_two", [(_ORDERS, "for n in range(2, max_order + 1):"),
                          (_ZERO, "    matches, totals = matches[1:], totals[1:]\n"
                           "    if 0 in matches or not matches:\n        return 0.0\n"),
                          (_LOG, _LOG.replace("max_order", "len(matches)"))],
             "single_tokens_left_out"),
            ("longest_only", (_LOG, "math.log(matches[-1] / totals[-1])"), "longest_only"),
            ("out_of_one", (_RETURN, _RETURN.replace("100 * ", "")), "out_of_one"),
            ("split_strings", (_PAIRS, _PAIRS + "\n        if isinstance(prediction, str):\n"
                               "            prediction, reference = prediction.split(), "
                               "reference.split()"), "strings_cut_at_spaces"),
            ("characters", (_PAIRS, _PAIRS + "\n        prediction, reference = "
                            "''.join(prediction), ''.join(reference)"),
             "words_cut_into_characters"),
            ("no_zero", (_ZERO, ""), "zero_not_handled"),
            ("zeros_skipped", [(_ZERO, "    kept = [(m, t) for m, t in zip(matches, totals) if m]\n"
                                "    if not kept:\n        return 0.0\n"),
                               (_LOG, "sum(math.log(m / t) for m, t in kept) / len(kept)")],
             "zero_precisions_skipped"),
            ("smooth_everything", [("matches[1:] = [count + 1 for count in matches[1:]]",
                                    "matches = [count + 1 for count in matches]"),
                                   ("totals[1:] = [count + 1 for count in totals[1:]]",
                                    "totals = [count + 1 for count in totals]")],
             "smoothing_of_single_tokens"),
            ("smooth_ignored", (_SMOOTH, "    if False:\n"), "smoothing_ignored"),
            ("always_smooth", (_SMOOTH, "    if True:\n"), "always_smoothed"),
            ("matches_only", ("totals[1:] = [count + 1 for count in totals[1:]]", "pass"),
             "smoothing_of_matches_only"),
        ],
    ),
    wrong("bleu", "sentence_by_sentence", source="""
def bleu(predictions, references, max_order=4, smooth=False):
    scores = []
    for p, q in zip(predictions, references, strict=True):
        logs = []
        for n in range(1, max_order + 1):
            ours = Counter(tuple(p[i : i + n]) for i in range(len(p) - n + 1))
            theirs = Counter(tuple(q[i : i + n]) for i in range(len(q) - n + 1))
            hits, tries = (ours & theirs).total(), ours.total()
            if smooth and n > 1:
                hits, tries = hits + 1, tries + 1
            logs.append(math.log(hits / tries) if hits else -float("inf"))
        brevity = min(0.0, 1 - len(q) / len(p)) if p else 0.0
        scores.append(100 * math.exp(brevity + sum(logs) / max_order))
    return sum(scores) / len(scores)
""", names=("mean_over_sentences",)),
]  # fmt: skip

# ------------------------------------------------------------------ drill

_TOLD = {
    "softmax_over_one_number": "softmax_axis",
    "softmax_over_the_batch": "softmax_axis",
    "mask_after_softmax": "mask_after_softmax",
    "mask_multiplied": "closed_keys_score_zero",
    "context_from_scores": "mixes_with_scores",
    "context_divided_by_length": "sum_divided_by_keys",
}
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_FIRST, *_, _LAST = _BUGS


def _answer(suspect, repaired):
    return f'suspect = "{suspect}"\n\n{repaired}\n'


DRILL = [
    *[
        right("drill_ch02_attention", f"found_{key}", source=_answer(key, bug.fixed), key=key)
        for key, bug in _BUGS.items()
    ],
    right(
        "drill_ch02_attention",
        "repaired_with_einsum",
        key=_LAST,
        source=_answer(
            _LAST,
            '''
def repaired(state, source, padding_mask=None):
    """Rewritten from scratch."""
    scores = ops.einsum("bh,bsh->bs", state, source)
    if padding_mask is not None:
        scores = scores + (1.0 - ops.cast(padding_mask, "float32")) * -1e9
    weights = ops.softmax(scores)
    return ops.einsum("bs,bsh->bh", weights, source), weights
''',
        ),
    ),
    *[
        wrong(
            "drill_ch02_attention",
            f"not_repaired_{key}",
            source=_answer(key, bug.source.replace("def patient", "def repaired")),
            key=key,
            names=(_TOLD[key],),
        )
        for key, bug in _BUGS.items()
    ],
    wrong(
        "drill_ch02_attention",
        "another_name",
        source=_answer(_LAST, _BUGS[_FIRST].fixed),
        key=_FIRST,
        names=("another_bug_named",),
    ),
    wrong(
        "drill_ch02_attention",
        "mask_turned_round",
        source=_answer(
            _FIRST,
            _BUGS[_FIRST].fixed.replace("scores, -3e4)", "-3e4, scores)"),
        ),
        key=_FIRST,
        names=("mask_inverted",),
    ),
    wrong(
        "drill_ch02_attention",
        "mask_thrown_away",
        source=_answer(
            "mask_multiplied",
            _BUGS["mask_multiplied"].fixed.replace(
                "scores = ops.where(padding_mask, scores, -3e4)",
                "closed = ops.where(padding_mask, scores, -3e4)",
            ),
        ),
        key="mask_multiplied",
        names=("mask_without_effect",),
    ),
]

VARIANTS = [
    *MASK_TO_ADDITIVE,
    *MASKED_SOFTMAX,
    *DOT_SCORE,
    *GENERAL_SCORE,
    *ADDITIVE_SCORE,
    *CONTEXT_VECTOR,
    *CELL,
    *ALIGNMENT_MATRIX,
    *BLEU,
    *DRILL,
]
