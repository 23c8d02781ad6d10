"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer; `method` replaces one method of a class.
`names` are the misconceptions that the grader must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong

# ------------------------------------------------------------------ scaled_dot_product

_SCALE = "/ math.sqrt(head_dim)"
_WHERE = "ops.where(mask, scores, -3e4)"
_SOFTMAX = "weights = ops.softmax(scores, axis=-1)"

SCALED_DOT_PRODUCT = [
    right(
        "scaled_dot_product",
        "einsum",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.einsum("...th,...sh->...ts", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    used = dropout(weights) if dropout is not None else weights
    return ops.einsum("...ts,...sv->...tv", used, value), weights
""",
    ),
    right(
        "scaled_dot_product",
        "query_scaled_first_additive_penalty",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    query = query / query.shape[-1] ** 0.5
    scores = ops.matmul(query, ops.swapaxes(key, -1, -2))
    if mask is not None:
        scores = scores + (1.0 - ops.cast(mask, scores.dtype)) * -1e9
    weights = ops.softmax(scores, axis=-1)
    used = weights
    if dropout:
        used = dropout(used)
    return ops.matmul(used, value), weights
""",
    ),
    right(
        "scaled_dot_product",
        "small_penalty_for_half_precision",
        patch=(_WHERE, "scores - 1e4 * ops.cast(ops.logical_not(mask), scores.dtype)"),
    ),
    right(
        "scaled_dot_product",
        "softmax_times_mask_renormalised",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = query @ ops.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]).astype("float32")
    weights = ops.softmax(scores, axis=-1)
    if mask is not None:
        weights = weights * ops.cast(mask, weights.dtype)
        weights = weights / (ops.sum(weights, axis=-1, keepdims=True) + 1e-9)
    used = weights if dropout is None else dropout(weights)
    return used @ value, weights
""",
    ),
    right(
        "scaled_dot_product",
        "minus_infinity_guarded",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scale = query.shape[-1] ** -0.25
    scores = ops.matmul(query * scale, ops.swapaxes(key * scale, -1, -2))
    if mask is not None:
        scores = ops.where(mask, scores, -float("inf"))
        scores = ops.where(ops.any(mask, axis=-1, keepdims=True), scores, 0.0)
    weights = ops.softmax(scores, axis=-1)
    used = weights if dropout is None else dropout(weights)
    return ops.matmul(used, value), weights
""",
    ),
    right(
        "scaled_dot_product",
        "tensorflow_ops",
        source="""
import tensorflow as tf

def scaled_dot_product(query, key, value, mask=None, dropout=None):
    depth = tf.cast(tf.shape(key)[-1], tf.float32)
    logits = tf.matmul(query, key, transpose_b=True) / tf.math.sqrt(depth)
    if mask is not None:
        logits += tf.cast(~mask, tf.float32) * -1e9
    attention = tf.nn.softmax(logits, axis=-1)
    mixed = tf.matmul(attention if dropout is None else dropout(attention), value)
    return mixed, attention
""",
    ),
    right(
        "scaled_dot_product",
        "one_query_at_a_time",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    if mask is not None:
        shape = ops.shape(query)[:-1] + (ops.shape(key)[-2],)
        mask = ops.broadcast_to(mask, shape)
    rows = []
    for t in range(query.shape[-2]):
        one = query[..., t : t + 1, :]
        scores = ops.sum(one * key, axis=-1) / query.shape[-1] ** 0.5
        if mask is not None:
            scores = ops.where(mask[..., t, :], scores, -1e9)
        scores = scores - ops.max(scores, axis=-1, keepdims=True)
        exp = ops.exp(scores)
        rows.append(exp / ops.sum(exp, axis=-1, keepdims=True))
    weights = ops.stack(rows, axis=-2)
    used = weights if dropout is None else dropout(weights)
    return ops.sum(used[..., None] * value[..., None, :, :], axis=-2), weights
""",
    ),
    *[
        wrong("scaled_dot_product", name, patch=patch, names=(named,))
        for name, patch, named in [
            ("no_scale", (" " + _SCALE, ""), "unscaled_scores"),
            ("divided_by_head_dim", (_SCALE, "/ head_dim"), "scaled_without_root"),
            ("multiplied_by_root", (_SCALE, "* math.sqrt(head_dim)"), "scaled_the_wrong_way"),
            (
                "scaled_by_model_dim",
                (_SCALE, "/ math.sqrt(head_dim * (query.shape[1] if query.ndim == 4 else 1))"),
                "scaled_by_model_dim",
            ),
            (
                "scaled_by_key_length",
                (_SCALE, "/ math.sqrt(key.shape[-2])"),
                "scaled_by_sequence_length",
            ),
            (
                "scaled_by_query_length",
                (_SCALE, "/ math.sqrt(query.shape[-2])"),
                "scaled_by_sequence_length",
            ),
            (
                "scaled_by_value_dim",
                (_SCALE, "/ math.sqrt(value.shape[-1])"),
                "scaled_by_value_dim",
            ),
            (
                "fourth_root_once",
                (_SCALE, "/ head_dim ** 0.25"),
                "scaled_with_fourth_root",
            ),
            ("softmax_over_queries", (_SOFTMAX, _SOFTMAX.replace("-1", "-2")), "softmax_axis"),
            ("softmax_over_axis_1", (_SOFTMAX, _SOFTMAX.replace("-1", "1")), "softmax_axis"),
            ("softmax_over_batch", (_SOFTMAX, _SOFTMAX.replace("-1", "0")), "softmax_axis"),
            (
                "softmax_over_all_pairs",
                (
                    _SOFTMAX,
                    "weights = ops.exp(scores)\n"
                    "    weights = weights / ops.sum(weights, axis=(-2, -1), keepdims=True)",
                ),
                "softmax_axis",
            ),
            ("no_softmax", (_SOFTMAX, "weights = scores"), "softmax_missing"),
            ("sigmoid", (_SOFTMAX, "weights = ops.sigmoid(scores)"), "sigmoid_for_softmax"),
            (
                "multiplied_mask",
                (_WHERE, "scores * ops.cast(mask, scores.dtype)"),
                "closed_keys_score_zero",
            ),
            ("minus_one_fill", (_WHERE, "ops.where(mask, scores, -1.0)"), "mask_fill_too_weak"),
            (
                "plus_infinity",
                (_WHERE, 'ops.where(mask, scores, float("inf"))'),
                "mask_fill_positive",
            ),
            ("large_positive", (_WHERE, "ops.where(mask, scores, 1e9)"), "mask_fill_positive"),
            ("inverted", (_WHERE, "ops.where(mask, -3e4, scores)"), "mask_inverted"),
            ("mask_added", (_WHERE, "scores + ops.cast(mask, scores.dtype)"), "mask_added"),
            ("result_discarded", ("scores = " + _WHERE, _WHERE), "mask_without_effect"),
            (
                "minus_infinity",
                (_WHERE, 'ops.where(mask, scores, -float("inf"))'),
                "nan_without_open_key",
            ),
            (
                "dropout_ignored",
                ("weights if dropout is None else dropout(weights)", "weights"),
                "dropout_ignored",
            ),
            (
                "dropped_weights_returned",
                ("return output, weights", "return output, kept_weights"),
                "dropped_weights_returned",
            ),
            (
                "scores_returned",
                ("return output, weights", "return output, scores"),
                "scores_returned",
            ),
            ("weights_first", ("return output, weights", "return weights, output"), "pair_swapped"),
            ("output_only", ("return output, weights", "return output"), "output_only"),
            (
                "mixes_keys",
                ("ops.matmul(kept_weights, value)", "ops.matmul(kept_weights, key)"),
                "mixes_keys_not_values",
            ),
        ]
    ],
    wrong(
        "scaled_dot_product",
        "scaled_after_softmax",
        patch=[(" " + _SCALE, ""), (_SOFTMAX, _SOFTMAX + " / math.sqrt(head_dim)")],
        names=("scaled_after_softmax",),
    ),
    wrong(
        "scaled_dot_product",
        "mask_after_softmax",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / math.sqrt(query.shape[-1])
    weights = ops.softmax(scores, axis=-1)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    kept_weights = weights if dropout is None else dropout(weights)
    return ops.matmul(kept_weights, value), weights
""",
        names=("mask_after_softmax",),
    ),
    wrong(
        "scaled_dot_product",
        "dropout_on_scores",
        patch=[
            (_SOFTMAX, "scores = scores if dropout is None else dropout(scores)\n    " + _SOFTMAX),
            ("weights if dropout is None else dropout(weights)", "weights"),
        ],
        names=("dropout_on_scores",),
    ),
    wrong(
        "scaled_dot_product",
        "dropout_on_output",
        patch=[
            ("weights if dropout is None else dropout(weights)", "weights"),
            (
                "    return output, weights",
                "    output = output if dropout is None else dropout(output)\n"
                "    return output, weights",
            ),
        ],
        names=("dropout_on_output",),
    ),
    wrong(
        "scaled_dot_product",
        "keys_ask_queries",
        patch=(
            "ops.matmul(query, ops.swapaxes(key, -2, -1))",
            "ops.matmul(key, ops.swapaxes(query, -2, -1))",
        ),
        names=("keys_ask_queries",),
    ),
    wrong(
        "scaled_dot_product",
        "numpy_inside",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    q, k = np.array(query), np.array(key)
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.array(mask), scores, -1e9)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = ops.convert_to_tensor(scores / scores.sum(axis=-1, keepdims=True), dtype="float32")
    used = weights if dropout is None else dropout(weights)
    return ops.matmul(used, value), weights
""",
        names=("gradient_lost",),
    ),
    wrong(
        "scaled_dot_product",
        "no_scale_and_mask_after_softmax",
        source="""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    weights = ops.softmax(ops.matmul(query, ops.swapaxes(key, -2, -1)), axis=-1)
    if mask is not None:
        weights = weights * ops.cast(mask, weights.dtype)
    kept_weights = weights if dropout is None else dropout(weights)
    return ops.matmul(kept_weights, value), weights
""",
        names=("unscaled_scores", "mask_after_softmax"),
    ),
    wrong(
        "scaled_dot_product",
        "over_queries_and_inverted",
        patch=[(_SOFTMAX, _SOFTMAX.replace("-1", "-2")), (_WHERE, "ops.where(mask, -1e9, scores)")],
        names=("softmax_axis", "mask_inverted"),
    ),
]

# ------------------------------------------------------------------ selective_mask

_CLOSE = "mask[query_position, :] = False"
_OPEN = "mask[query_position, key_position] = True"
_DONE = "return ops.convert_to_tensor(mask)"

SELECTIVE_MASK = [
    right(
        "selective_mask",
        "dictionary",
        source="""
def selective_mask(links, query_length, key_length):
    allowed = {}
    for q, k in links:
        allowed.setdefault(int(q), set()).add(int(k))
    rows = [
        [q not in allowed or k in allowed[q] for k in range(key_length)]
        for q in range(query_length)
    ]
    return ops.convert_to_tensor(np.array(rows, dtype=bool).reshape(query_length, key_length))
""",
    ),
    right(
        "selective_mask",
        "numpy_indexing",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.full((query_length, key_length), True)
    if len(links):
        queries, keys = np.array(links).T
        mask[queries] = False
        mask[queries, keys] = True
    return mask
""",
    ),
    right(
        "selective_mask",
        "one_hot_sums",
        source="""
def selective_mask(links, query_length, key_length):
    linked = np.zeros((query_length, key_length), dtype="int32")
    for q, k in links:
        linked[q, k] += 1
    linked = ops.convert_to_tensor(linked)
    free = ops.sum(linked, axis=-1, keepdims=True) == 0
    return ops.logical_or(linked > 0, free)
""",
    ),
    right(
        "selective_mask",
        "tensorflow_scatter",
        source="""
import tensorflow as tf

def selective_mask(links, query_length, key_length):
    pairs = tf.reshape(tf.constant(list(links), dtype=tf.int32), (-1, 2))
    ones = tf.ones((tf.shape(pairs)[0],), tf.int32)
    counts = tf.scatter_nd(pairs, ones, (query_length, key_length))
    return (counts > 0) | (tf.reduce_sum(counts, axis=1, keepdims=True) == 0)
""",
    ),
    *[
        wrong("selective_mask", name, patch=patch, names=(named,))
        for name, patch, named in [
            ("others_see_nothing", ("np.ones", "np.zeros"), "unlinked_queries_see_nothing"),
            ("row_never_closed", (_CLOSE, "pass"), "linked_row_not_closed"),
            (
                "links_forbidden",
                [(_CLOSE, "pass"), (_OPEN, _OPEN.replace("True", "False"))],
                "link_read_as_forbidden",
            ),
            ("inverted", (_DONE, "return ops.convert_to_tensor(~mask)"), "mask_polarity"),
            (
                "additive",
                (_DONE, "return ops.convert_to_tensor(np.where(mask, 0.0, -1e9))"),
                "mask_not_boolean",
            ),
            (
                "numbers",
                (_DONE, 'return ops.convert_to_tensor(mask.astype("float32"))'),
                "mask_not_boolean",
            ),
            ("transposed", (_DONE, "return ops.convert_to_tensor(mask.T)"), "rows_are_keys"),
            (
                "from_one",
                (
                    "for query_position, _ in links:",
                    "links = [(q - 1, k - 1) for q, k in links]\n"
                    "    for query_position, _ in links:",
                ),
                "positions_from_one",
            ),
            (
                "self_too",
                (_OPEN, _OPEN + "\n        mask[query_position, query_position] = True"),
                "query_sees_itself_too",
            ),
        ]
    ],
    wrong(
        "selective_mask",
        "last_link_wins",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.ones((query_length, key_length), dtype=bool)
    for q, k in links:
        mask[q, :] = False
        mask[q, k] = True
    return ops.convert_to_tensor(mask)
""",
        names=("last_link_wins",),
    ),
    wrong(
        "selective_mask",
        "first_link_wins",
        source="""
def selective_mask(links, query_length, key_length):
    chosen = {}
    for q, k in links:
        chosen.setdefault(q, k)
    mask = np.ones((query_length, key_length), dtype=bool)
    for q, k in chosen.items():
        mask[q] = np.arange(key_length) == k
    return ops.convert_to_tensor(mask)
""",
        names=("first_link_wins",),
    ),
    wrong(
        "selective_mask",
        "links_intersect",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.ones((query_length, key_length), dtype=bool)
    for q, k in links:
        mask[q] = mask[q] & (np.arange(key_length) == k)
    return ops.convert_to_tensor(mask)
""",
        names=("links_exclude_each_other",),
    ),
    wrong(
        "selective_mask",
        "pair_read_backwards",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.ones((query_length, key_length), dtype=bool)
    for key_position, query_position in links:
        mask[query_position] = False
    for key_position, query_position in links:
        mask[query_position, key_position] = True
    return ops.convert_to_tensor(mask)
""",
        names=("pair_read_backwards",),
    ),
    wrong(
        "selective_mask",
        "key_reserved",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.ones((query_length, key_length), dtype=bool)
    for q, k in links:
        mask[q, :] = False
        mask[:, k] = False
    for q, k in links:
        mask[q, k] = True
    return ops.convert_to_tensor(mask)
""",
        names=("linked_key_hidden_from_others",),
    ),
    wrong(
        "selective_mask",
        "both_ways",
        source="""
def selective_mask(links, query_length, key_length):
    mask = np.ones((query_length, key_length), dtype=bool)
    both = list(links) + [(k, q) for q, k in links]
    for q, k in both:
        mask[q] = False
    for q, k in both:
        mask[q, k] = True
    return ops.convert_to_tensor(mask)
""",
        names=("link_goes_both_ways",),
    ),
]

# ------------------------------------------------------------------ causal_mask

_GREATER = "ops.greater_equal(query_position, key_position)"

CAUSAL_MASK = [
    right(
        "causal_mask",
        "tril",
        source="""
def causal_mask(length):
    return ops.tril(ops.ones((length, length), dtype="bool"))
""",
    ),
    right(
        "causal_mask",
        "not_triu",
        source="""
def causal_mask(length):
    return ~np.triu(np.ones((length, length), dtype=bool), k=1)
""",
    ),
    right(
        "causal_mask",
        "band_part",
        source="""
import tensorflow as tf

def causal_mask(length):
    return tf.cast(tf.linalg.band_part(tf.ones((length, length)), -1, 0), tf.bool)
""",
    ),
    right(
        "causal_mask",
        "running_sum",
        source="""
def causal_mask(length):
    return ops.cumsum(ops.eye(length), axis=0) > 0.5
""",
    ),
    right(
        "causal_mask",
        "loops",
        source="""
def causal_mask(length):
    rows = []
    for t in range(length):
        rows.append([True] * (t + 1) + [False] * (length - t - 1))
    return ops.convert_to_tensor(rows)
""",
    ),
    *[
        wrong("causal_mask", name, patch=(_GREATER, new), names=(named,))
        for name, new, named in [
            ("upper_triangle", "ops.less_equal(query_position, key_position)", "wrong_triangle"),
            ("diagonal_masked", "ops.greater(query_position, key_position)", "diagonal_masked"),
            ("inverted", "ops.less(query_position, key_position)", "causal_inverted"),
            ("one_ahead", "ops.greater_equal(query_position + 1, key_position)", "sees_one_ahead"),
            ("diagonal_only", "ops.equal(query_position, key_position)", "diagonal_only"),
            ("everything", 'ops.ones((length, length), dtype="bool")', "nothing_hidden"),
            ("numbers", f'ops.cast({_GREATER}, "float32")', "mask_not_boolean"),
            ("integers", f'ops.cast({_GREATER}, "int32")', "mask_not_boolean"),
            ("additive", f"ops.where({_GREATER}, 0.0, -1e9)", "mask_not_boolean"),
            ("batch_axis", f"{_GREATER}[None]", "extra_axis"),
            ("anti_diagonal", "query_position + key_position < length", "mirrored_triangle"),
            (
                "neighbour_only",
                "(query_position >= key_position) & (query_position <= key_position + 1)",
                "only_one_step_back",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ combine_masks

_KEYS = "ops.expand_dims(padding_mask, axis=1)"
_AND = "ops.logical_and(key_is_real, attention_mask)"

COMBINE_MASKS = [
    right(
        "combine_masks",
        "operators",
        source="""
def combine_masks(padding_mask, attention_mask):
    return padding_mask[:, None, :] & attention_mask
""",
    ),
    right(
        "combine_masks",
        "product_of_numbers",
        source="""
def combine_masks(padding_mask, attention_mask):
    padding = ops.cast(padding_mask[:, None], "int32")
    return padding * ops.cast(attention_mask, "int32") > 0
""",
    ),
    right(
        "combine_masks",
        "where",
        source="""
def combine_masks(padding_mask, attention_mask):
    if len(attention_mask.shape) == 2:
        attention_mask = ops.expand_dims(attention_mask, 0)
    return ops.where(ops.expand_dims(padding_mask, 1), attention_mask, False)
""",
    ),
    right(
        "combine_masks",
        "not_closed_anywhere",
        source="""
def combine_masks(padding_mask, attention_mask):
    closed = ops.logical_or(~padding_mask[:, None, :], ~attention_mask)
    return ops.logical_not(closed)
""",
    ),
    right(
        "combine_masks",
        "item_by_item",
        source="""
def combine_masks(padding_mask, attention_mask):
    items = []
    for b in range(padding_mask.shape[0]):
        one = attention_mask if len(attention_mask.shape) == 2 else attention_mask[b]
        items.append(ops.logical_and(one, padding_mask[b]))
    return ops.stack(items)
""",
    ),
    *[
        wrong("combine_masks", name, patch=patch, names=(named,))
        for name, patch, named in [
            ("or", (_AND, _AND.replace("and(", "or(")), "masks_joined_with_or"),
            ("xor", (_AND, _AND.replace("and(", "xor(")), "masks_joined_with_xor"),
            (
                "padding_only",
                (_AND, "ops.logical_and(key_is_real, ops.ones_like(attention_mask))"),
                "attention_mask_ignored",
            ),
            (
                "attention_only",
                (_AND, "ops.logical_and(ops.ones_like(key_is_real), attention_mask)"),
                "padding_mask_ignored",
            ),
            (
                "query_rows",
                (_KEYS, "ops.expand_dims(padding_mask, axis=2)"),
                "padding_on_query_rows",
            ),
            (
                "rows_and_columns",
                (_KEYS, "ops.logical_and(padding_mask[:, None, :], padding_mask[:, :, None])"),
                "padding_on_rows_and_columns",
            ),
            ("no_axis", (_KEYS, "padding_mask"), "padding_without_query_axis"),
            (
                "padding_inverted",
                (_KEYS, "ops.logical_not(ops.expand_dims(padding_mask, axis=1))"),
                "padding_inverted",
            ),
            ("inverted", (_AND, f"ops.logical_not({_AND})"), "mask_polarity"),
            ("numbers", (_AND, f'ops.cast({_AND}, "float32")'), "mask_not_boolean"),
            ("additive", (_AND, f"ops.where({_AND}, 0.0, -1e9)"), "mask_not_boolean"),
            (
                "summed",
                (_AND, 'ops.cast(key_is_real, "float32") + ops.cast(attention_mask, "float32")'),
                "masks_added",
            ),
            (
                "first_item",
                (_KEYS, "ops.repeat(padding_mask[:1][:, None], len(padding_mask), 0)"),
                "first_item_for_all",
            ),
            (
                "always_an_axis",
                (_AND, "ops.logical_and(key_is_real, attention_mask[None])"),
                "axis_added_to_three",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ split_heads, merge_heads

_CUT = "(batch_size, length, num_heads, hidden_dim // num_heads)"
_TO_FRONT = "return ops.transpose(x, (0, 2, 1, 3))"

SPLIT_HEADS = [
    right(
        "split_heads",
        "one_block_per_head",
        source="""
def split_heads(x, num_heads):
    size = x.shape[-1] // num_heads
    return ops.stack([x[:, :, n * size : (n + 1) * size] for n in range(num_heads)], axis=1)
""",
    ),
    right(
        "split_heads",
        "split_and_stack",
        source="""
def split_heads(x, num_heads):
    return ops.stack(ops.split(x, num_heads, axis=-1), axis=1)
""",
    ),
    right(
        "split_heads",
        "tensorflow",
        source="""
import tensorflow as tf

def split_heads(x, num_heads):
    shape = tf.shape(x)
    x = tf.reshape(x, (shape[0], shape[1], num_heads, -1))
    return tf.einsum("btnh->bnth", x)
""",
    ),
    right(
        "split_heads",
        "features_first",
        source="""
def split_heads(x, num_heads):
    batch, length, width = x.shape
    x = ops.swapaxes(x, 1, 2)
    x = ops.reshape(x, (batch, num_heads, width // num_heads, length))
    return ops.swapaxes(x, -1, -2)
""",
    ),
    *[
        wrong("split_heads", name, patch=patch, names=(named,))
        for name, patch, named in [
            (
                "bare_reshape",
                [
                    (_CUT, "(batch_size, num_heads, length, hidden_dim // num_heads)"),
                    (_TO_FRONT, "return x"),
                ],
                "bare_reshape",
            ),
            ("no_transpose", (_TO_FRONT, "return x"), "heads_left_behind_tokens"),
            (
                "interleaved",
                [
                    (_CUT, "(batch_size, length, hidden_dim // num_heads, num_heads)"),
                    ("(0, 2, 1, 3)", "(0, 3, 1, 2)"),
                ],
                "features_interleaved",
            ),
            (
                "sizes_swapped",
                (_CUT, "(batch_size, length, hidden_dim // num_heads, num_heads)"),
                "head_count_and_size_swapped",
            ),
            ("features_before_tokens", ("(0, 2, 1, 3)", "(0, 2, 3, 1)"), "features_before_tokens"),
            ("heads_first", ("(0, 2, 1, 3)", "(2, 0, 1, 3)"), "heads_before_batch"),
            (
                "folded_into_batch",
                (
                    _TO_FRONT,
                    _TO_FRONT.replace("return ", "x = ") + "\n    return ops.reshape("
                    "x, (batch_size * num_heads, length, hidden_dim // num_heads))",
                ),
                "heads_folded_into_batch",
            ),
            (
                "every_head_everything",
                (
                    _TO_FRONT,
                    "return ops.repeat(ops.reshape(x, (batch_size, 1, length, hidden_dim)),"
                    " num_heads, axis=1)",
                ),
                "every_head_gets_everything",
            ),
            (
                "heads_reversed",
                (_TO_FRONT, "return ops.flip(ops.transpose(x, (0, 2, 1, 3)), 1)"),
                "heads_in_reverse",
            ),
        ]
    ],
]

_BACK = "ops.transpose(x, (0, 2, 1, 3))"
_JOIN = "return ops.reshape(x, (batch_size, length, num_heads * head_dim))"

MERGE_HEADS = [
    right(
        "merge_heads",
        "concatenate",
        source="""
def merge_heads(x):
    return ops.concatenate([x[:, n] for n in range(x.shape[1])], axis=-1)
""",
    ),
    right(
        "merge_heads",
        "unstack",
        source="""
def merge_heads(x):
    return ops.concatenate(ops.unstack(x, axis=1), axis=2)
""",
    ),
    right(
        "merge_heads",
        "tensorflow",
        source="""
import tensorflow as tf

def merge_heads(x):
    x = tf.transpose(x, [0, 2, 1, 3])
    return tf.reshape(x, tf.concat([tf.shape(x)[:2], [-1]], axis=0))
""",
    ),
    right(
        "merge_heads",
        "features_first",
        source="""
def merge_heads(x):
    batch, heads, length, size = x.shape
    x = ops.reshape(ops.swapaxes(x, 2, 3), (batch, heads * size, length))
    return ops.swapaxes(x, 1, 2)
""",
    ),
    *[
        wrong("merge_heads", name, patch=patch, names=(named,))
        for name, patch, named in [
            ("bare_reshape", (_BACK, "x"), "bare_reshape"),
            ("interleaved", (_BACK, "ops.transpose(x, (0, 2, 3, 1))"), "features_interleaved"),
            ("mean", (_JOIN, "return ops.mean(x, axis=2)"), "heads_reduced"),
            ("sum", (_JOIN, "return ops.sum(x, axis=2)"), "heads_reduced"),
            ("max", (_JOIN, "return ops.max(x, axis=2)"), "heads_reduced"),
            ("not_joined", (_JOIN, "return x"), "heads_not_joined"),
            ("first_head", (_JOIN, "return x[:, :, 0]"), "one_head_kept"),
            (
                "mean_repeated",
                (_JOIN, "return ops.tile(ops.mean(x, axis=2), (1, 1, num_heads))"),
                "heads_reduced",
            ),
            (
                "joined_along_tokens",
                (
                    _JOIN,
                    "return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), "
                    "(batch_size, num_heads * length, head_dim))",
                ),
                "joined_along_tokens",
            ),
            (
                "heads_reversed",
                (
                    _JOIN,
                    "return ops.reshape(ops.flip(x, 2), "
                    "(batch_size, length, num_heads * head_dim))",
                ),
                "heads_in_reverse",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ MultiHeadAttention

_Q = "split_heads(self.query_dense(query), self.num_heads)"
_K = "split_heads(self.key_dense(key), self.num_heads)"
_V = "split_heads(self.value_dense(value), self.num_heads)"
_HEAD_AXIS = "attention_mask = ops.expand_dims(attention_mask, axis=1)"
_ATTEND = "query, key, value, mask=attention_mask, dropout=self.attention_dropout"
_RETURN = "return self.output_dense(merge_heads(output)), weights"

_BARE = [
    (
        f"split_heads(self.{x}_dense({x}), self.num_heads)",
        f"ops.reshape(self.{x}_dense({x}), ({x}.shape[0], self.num_heads, {x}.shape[1], -1))",
    )
    for x in ("query", "key", "value")
]
_BARE_BACK = (
    "merge_heads(output)",
    "ops.reshape(output, (output.shape[0], output.shape[2], self.hidden_dim))",
)


def _layer(name, patch, *names):
    return wrong("MultiHeadAttention", name, patch=patch, names=names)


MULTI_HEAD_ATTENTION = [
    right(
        "MultiHeadAttention",
        "all_in_one_einsum",
        method="""
    def call(self, query, key, value, attention_mask=None):
        size = self.hidden_dim // self.num_heads

        def cut(x):
            return ops.reshape(x, (x.shape[0], x.shape[1], self.num_heads, size))

        q, k = cut(self.query_dense(query)), cut(self.key_dense(key))
        v = cut(self.value_dense(value))
        scores = ops.einsum("btnh,bsnh->bnts", q, k) / size**0.5
        if attention_mask is not None:
            scores = scores + ops.where(attention_mask[:, None], 0.0, -1e9)
        weights = ops.softmax(scores)
        mixed = ops.einsum("bnts,bsnh->btnh", self.attention_dropout(weights), v)
        flat = ops.reshape(mixed, (mixed.shape[0], mixed.shape[1], self.hidden_dim))
        return self.output_dense(flat), weights
""",
    ),
    right(
        "MultiHeadAttention",
        "heads_folded_into_the_batch",
        method="""
    def call(self, query, key, value, attention_mask=None):
        batch, heads = ops.shape(query)[0], self.num_heads

        def fold(x):
            x = split_heads(x, heads)
            return ops.reshape(x, (batch * heads, x.shape[2], x.shape[3]))

        if attention_mask is not None:
            attention_mask = ops.repeat(attention_mask, heads, axis=0)
        output, weights = scaled_dot_product(
            fold(self.query_dense(query)),
            fold(self.key_dense(key)),
            fold(self.value_dense(value)),
            attention_mask,
            self.attention_dropout,
        )
        output = ops.reshape(output, (batch, heads, output.shape[1], output.shape[2]))
        weights = ops.reshape(weights, (batch, heads, weights.shape[1], weights.shape[2]))
        return self.output_dense(merge_heads(output)), weights
""",
    ),
    right(
        "MultiHeadAttention",
        "head_by_head",
        method="""
    def call(self, query, key, value, attention_mask=None):
        q, k, v = self.query_dense(query), self.key_dense(key), self.value_dense(value)
        size = self.hidden_dim // self.num_heads
        outputs, weights = [], []
        for n in range(self.num_heads):
            block = slice(n * size, (n + 1) * size)
            out, w = scaled_dot_product(
                q[..., block], k[..., block], v[..., block],
                mask=attention_mask, dropout=self.attention_dropout,
            )
            outputs.append(out)
            weights.append(w)
        return self.output_dense(ops.concatenate(outputs, axis=-1)), ops.stack(weights, axis=1)
""",
    ),
    right(
        "MultiHeadAttention",
        "sum_over_heads_of_output_blocks",
        method="""
    def call(self, query, key, value, attention_mask=None):
        if attention_mask is not None:
            attention_mask = ops.expand_dims(attention_mask, 1)
        o, weights = scaled_dot_product(
            split_heads(self.query_dense(query), self.num_heads),
            split_heads(self.key_dense(key), self.num_heads),
            split_heads(self.value_dense(value), self.num_heads),
            mask=attention_mask,
            dropout=self.attention_dropout,
        )
        kernel = ops.reshape(self.output_dense.kernel, (self.num_heads, -1, self.hidden_dim))
        return ops.einsum("bnth,nhd->btd", o, kernel) + self.output_dense.bias, weights
""",
    ),
    right(
        "MultiHeadAttention",
        "fused_projection_kernels",
        method="""
    def call(self, query, key, value, attention_mask=None):
        kernel = ops.concatenate([self.key_dense.kernel, self.value_dense.kernel], axis=1)
        bias = ops.concatenate([self.key_dense.bias, self.value_dense.bias], axis=0)
        if key is value:
            both = ops.matmul(key, kernel) + bias
            k, v = both[..., : self.hidden_dim], both[..., self.hidden_dim :]
        else:
            k, v = self.key_dense(key), self.value_dense(value)
        mask = None if attention_mask is None else attention_mask[:, None]
        q = split_heads(self.query_dense(query), self.num_heads)
        output, weights = scaled_dot_product(
            q, split_heads(k, self.num_heads), split_heads(v, self.num_heads),
            mask, self.attention_dropout,
        )
        return self.output_dense(merge_heads(output)), weights
""",
    ),
    _layer("query_from_key", (_Q, _Q.replace("(query)", "(key)")), "query_projects_keys"),
    wrong(
        "MultiHeadAttention",
        "key_from_query",
        patch=[
            (_Q, "query\n        original = query\n        query = " + _Q),
            (_K, _K.replace("(key)", "(original)")),
        ],
        names=("key_projects_queries",),
    ),
    wrong(
        "MultiHeadAttention",
        "value_from_key",
        patch=[
            (_K, "key\n        original = key\n        key = " + _K),
            (_V, _V.replace("(value)", "(original)")),
        ],
        names=("value_projects_keys",),
    ),
    wrong(
        "MultiHeadAttention",
        "value_from_query",
        patch=[
            (_Q, "query\n        original = query\n        query = " + _Q),
            (_V, _V.replace("(value)", "(original)")),
        ],
        names=("value_projects_queries",),
    ),
    wrong(
        "MultiHeadAttention",
        "everything_from_query",
        patch=[
            (_Q, "query\n        original = query\n        query = " + _Q),
            (_K, _K.replace("(key)", "(original)")),
            (_V, _V.replace("(value)", "(original)")),
        ],
        names=("everything_projects_queries",),
    ),
    _layer(
        "keras_argument_order",
        (_ATTEND, _ATTEND.replace("query, key, value", "query, value, key")),
        "key_and_value_swapped",
    ),
    _layer(
        "one_projection_for_all",
        [
            ("self.key_dense(key)", "self.query_dense(key)"),
            ("self.value_dense(value)", "self.query_dense(value)"),
        ],
        "one_shared_projection",
    ),
    _layer(
        "key_projected_by_value_dense",
        [
            ("self.key_dense(key)", "self.value_dense(key)"),
            ("self.value_dense(value)", "self.key_dense(value)"),
        ],
        "projections_mixed_up",
    ),
    _layer(
        "relu_on_projections",
        [
            (_Q, _Q.replace("self.query_dense(query)", "ops.relu(self.query_dense(query))")),
            (_K, _K.replace("self.key_dense(key)", "ops.relu(self.key_dense(key))")),
            (_V, _V.replace("self.value_dense(value)", "ops.relu(self.value_dense(value))")),
        ],
        "activation_on_projections",
    ),
    _layer("no_query_projection", ("self.query_dense(query)", "query"), "projection_missing"),
    _layer("no_value_projection", ("self.value_dense(value)", "value"), "projection_missing"),
    _layer("bare_reshape_into_heads", _BARE, "bare_reshape"),
    _layer("bare_reshape_into_heads_and_back", [*_BARE, _BARE_BACK], "bare_reshape"),
    _layer("bare_reshape_back", _BARE_BACK, "merged_by_bare_reshape"),
    _layer(
        "heads_averaged",
        ("merge_heads(output)", "ops.tile(ops.mean(output, axis=1), (1, 1, self.num_heads))"),
        "heads_reduced",
    ),
    _layer(
        "heads_summed",
        ("merge_heads(output)", "ops.tile(ops.sum(output, axis=1), (1, 1, self.num_heads))"),
        "heads_reduced",
    ),
    _layer(
        "no_split",
        [
            (_Q, "self.query_dense(query)[:, None]"),
            (_K, "self.key_dense(key)[:, None]"),
            (_V, "self.value_dense(value)[:, None]"),
        ],
        "single_head",
    ),
    _layer(
        "no_output_projection",
        (_RETURN, "return merge_heads(output), weights"),
        "output_projection_missing",
    ),
    _layer(
        "output_only", (_RETURN, "return self.output_dense(merge_heads(output))"), "output_only"
    ),
    _layer(
        "weights_averaged",
        (_RETURN, _RETURN.replace("weights", "ops.mean(weights, axis=1)")),
        "weights_averaged_over_heads",
    ),
    _layer("mask_without_head_axis", (_HEAD_AXIS, "pass"), "mask_without_head_axis"),
    _layer(
        "mask_axis_at_the_end",
        (_HEAD_AXIS, "attention_mask = ops.expand_dims(attention_mask, axis=2)"),
        "mask_axis_misplaced",
    ),
    _layer(
        "mask_ignored",
        (_ATTEND, _ATTEND.replace("mask=attention_mask, ", "")),
        "mask_without_effect",
    ),
    _layer(
        "mask_inverted",
        (_HEAD_AXIS, "attention_mask = ops.expand_dims(~attention_mask, axis=1)"),
        "mask_inverted",
    ),
    _layer(
        "first_mask_for_all",
        (_HEAD_AXIS, "attention_mask = ops.expand_dims(attention_mask[:1], axis=1)"),
        "first_mask_for_all",
    ),
    _layer(
        "dropout_forgotten",
        (_ATTEND, _ATTEND.replace(", dropout=self.attention_dropout", "")),
        "dropout_ignored",
    ),
    _layer(
        "dropout_on_output",
        [
            (_ATTEND, _ATTEND.replace(", dropout=self.attention_dropout", "")),
            ("merge_heads(output)", "merge_heads(self.attention_dropout(output))"),
        ],
        "dropout_on_output",
    ),
    wrong(
        "MultiHeadAttention",
        "dropped_weights_returned",
        patch=[
            (_ATTEND, _ATTEND.replace(", dropout=self.attention_dropout", "")),
            (
                _RETURN,
                "weights = self.attention_dropout(weights)\n        "
                "return self.output_dense(merge_heads(ops.matmul(weights, value))), weights",
            ),
        ],
        names=("dropped_weights_returned",),
    ),
    _layer(
        "scaled_twice",
        (_Q, _Q + " / math.sqrt(self.hidden_dim // self.num_heads)"),
        "scaled_without_root",
    ),
    _layer(
        "scaled_by_model_dim",
        (_Q, _Q + " / math.sqrt(self.num_heads)"),
        "scaled_by_model_dim",
    ),
    _layer(
        "attention_over_the_batch",
        [
            (_Q, "split_heads(ops.swapaxes(self.query_dense(query), 0, 1), self.num_heads)"),
            (_K, "split_heads(ops.swapaxes(self.key_dense(key), 0, 1), self.num_heads)"),
            (_V, "split_heads(ops.swapaxes(self.value_dense(value), 0, 1), self.num_heads)"),
            ("merge_heads(output)", "ops.swapaxes(merge_heads(output), 0, 1)"),
        ],
        "attention_over_the_batch",
    ),
    _layer(
        "layers_made_in_call",
        [
            ("self.query_dense(query)", "keras.layers.Dense(self.hidden_dim)(query)"),
            ("self.key_dense(key)", "keras.layers.Dense(self.hidden_dim)(key)"),
            ("self.value_dense(value)", "keras.layers.Dense(self.hidden_dim)(value)"),
        ],
        "layers_made_in_call",
    ),
    _layer(
        "output_layer_made_in_call",
        ("self.output_dense(merge", "keras.layers.Dense(self.hidden_dim)(merge"),
        "layers_made_in_call",
    ),
    _layer(
        "numpy_in_call",
        (_Q, "ops.convert_to_tensor(np.array(" + _Q + '), dtype="float32")'),
        "gradient_lost",
    ),
    _layer(
        "residual_inside",
        [
            (_Q, "query\n        before = query\n        query = " + _Q),
            (_RETURN, _RETURN.replace("return ", "return before + ")),
        ],
        "residual_added",
    ),
    _layer(
        "dropout_always_on",
        (
            _ATTEND,
            _ATTEND.replace(
                "self.attention_dropout", "lambda w: self.attention_dropout(w, training=True)"
            ),
        ),
        "dropout_always_on",
    ),
    _layer(
        "causal_inside",
        [
            (
                "output, weights = scaled_dot_product(",
                "triangle = ops.tril(ops.ones((query.shape[2], key.shape[2]))) > 0\n"
                "        if attention_mask is not None:\n"
                "            triangle = triangle & attention_mask\n"
                "        output, weights = scaled_dot_product(",
            ),
            (_ATTEND, _ATTEND.replace("=attention_mask", "=triangle")),
        ],
        "causal_inside",
    ),
    _layer(
        "biases_missing",
        [
            (f"self.{x}_dense({x})", f"ops.matmul({x}, self.{x}_dense.kernel)")
            for x in ("query", "key", "value")
        ]
        + [
            (
                "self.output_dense(merge_heads(output))",
                "ops.matmul(merge_heads(output), self.output_dense.kernel)",
            )
        ],
        "biases_missing",
    ),
    _layer(
        "one_shared_projection_and_no_output",
        [
            ("self.key_dense(key)", "self.query_dense(key)"),
            ("self.value_dense(value)", "self.query_dense(value)"),
            (_RETURN, "return merge_heads(output), weights"),
        ],
        "one_shared_projection",
        "output_projection_missing",
    ),
]

# ------------------------------------------------------------------ attention_flops

# The wrong counts are patches of this one: it says each factor once, the reference does not.
_FLOPS = """
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    head_dim = hidden_dim // num_heads
    one_kernel = 2 * hidden_dim * hidden_dim
    projections = one_kernel * (2 * query_length + 2 * key_length)
    scores = num_heads * 2 * query_length * head_dim * key_length
    weighted_sum = num_heads * 2 * query_length * key_length * head_dim
    return projections, scores + weighted_sum
"""
_ONE = "one_kernel = 2 * hidden_dim * hidden_dim"
_ROWS = "(2 * query_length + 2 * key_length)"
_SCORES = "scores = num_heads * 2 * query_length * head_dim * key_length"
_SUM = "weighted_sum = num_heads * 2 * query_length * key_length * head_dim"
_BOTH = "return projections, scores + weighted_sum"


def _miscounted(patch):
    text = _FLOPS
    for old, new in [patch] if isinstance(patch[0], str) else patch:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


ATTENTION_FLOPS = [
    right(
        "attention_flops",
        "closed_form",
        source="""
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    return (
        4 * hidden_dim**2 * (query_length + key_length),
        4 * query_length * key_length * hidden_dim,
    )
""",
    ),
    right(
        "attention_flops",
        "matrix_products_listed",
        source="""
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    def product(a, b, c):
        return 2 * a * b * c

    T, S, D, N = query_length, key_length, hidden_dim, num_heads
    projections = product(T, D, D) + product(S, D, D) * 2 + product(T, D, D)
    per_head = product(T, D // N, S) + product(T, S, D // N)
    return projections, N * per_head
""",
    ),
    right(
        "attention_flops",
        "counted_in_a_loop",
        source="""
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    macs = 0
    for rows in (query_length, key_length, key_length, query_length):
        macs += rows * hidden_dim * hidden_dim
    attention = 0
    for _ in range(num_heads):
        attention += 2 * query_length * key_length * (hidden_dim // num_heads)
    return [int(2 * macs), int(2 * attention)]
""",
    ),
    *[
        wrong("attention_flops", name, source=_miscounted(patch), names=(named,))
        for name, patch, named in [
            (
                "mac_counted_once",
                [
                    (_ONE, _ONE.replace("2 * ", "", 1)),
                    (_SCORES, _SCORES.replace("2 * ", "")),
                    (_SUM, _SUM.replace("2 * ", "")),
                ],
                "mac_counted_once",
            ),
            (
                "attention_times_heads",
                ("head_dim = hidden_dim // num_heads", "head_dim = hidden_dim"),
                "attention_times_heads",
            ),
            (
                "projections_times_heads",
                ("projections = one_kernel", "projections = num_heads * one_kernel"),
                "projections_times_heads",
            ),
            (
                "everything_times_heads",
                [
                    ("head_dim = hidden_dim // num_heads", "head_dim = hidden_dim"),
                    ("projections = one_kernel", "projections = num_heads * one_kernel"),
                ],
                "everything_times_heads",
            ),
            (
                "one_head_only",
                [
                    (_SCORES, _SCORES.replace("num_heads * ", "")),
                    (_SUM, _SUM.replace("num_heads * ", "")),
                ],
                "one_head_counted",
            ),
            (
                "narrow_kernels",
                (_ONE, "one_kernel = 2 * hidden_dim * head_dim"),
                "one_head_projected",
            ),
            (
                "key_length_forgotten",
                (
                    "head_dim = hidden_dim // num_heads",
                    "head_dim = hidden_dim // num_heads\n    key_length = query_length",
                ),
                "key_length_forgotten",
            ),
            (
                "no_output_projection",
                (_ROWS, "(query_length + 2 * key_length)"),
                "output_projection_not_counted",
            ),
            (
                "output_over_keys",
                (_ROWS, "(query_length + 3 * key_length)"),
                "output_projected_per_key",
            ),
            ("two_projections", (_ROWS, "(query_length + key_length)"), "projections_undercounted"),
            ("all_over_queries", (_ROWS, "4 * query_length"), "keys_projected_per_query"),
            ("scores_only", (_BOTH, "return projections, scores"), "one_product_counted"),
            (
                "softmax_counted",
                (_BOTH, _BOTH + " + 3 * num_heads * query_length * key_length"),
                "extras_counted",
            ),
            (
                "scaling_counted",
                (_BOTH, _BOTH + " + num_heads * query_length * key_length"),
                "extras_counted",
            ),
            (
                "biases_counted",
                (_ROWS, _ROWS + " + hidden_dim * (2 * query_length + 2 * key_length)"),
                "extras_counted",
            ),
            ("swapped", (_BOTH, "return scores + weighted_sum, projections"), "flops_swapped"),
            ("total", (_BOTH, "return projections + scores + weighted_sum"), "flops_added_up"),
            (
                "floats",
                (_BOTH, "return float(projections), float(scores + weighted_sum)"),
                "flops_are_floats",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ the drill

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_EFFECT = {
    "mask_after_softmax": "mask_after_softmax",
    "softmax_over_queries": "softmax_axis",
    "scaled_by_key_length": "scaled_by_sequence_length",
    "mask_fill_too_weak": "mask_fill_too_weak",
    "mask_discarded": "mask_without_effect",
    "mask_multiplied": "closed_keys_score_zero",
}


def _drilled(key, suspect, repaired):
    return f"{_BUGS[key].source}\n\n\nsuspect = {suspect!r}\n\n\n{repaired}"


def _unrepaired(key):
    return _BUGS[key].source.replace("def patient", "def repaired")


_MINE = """
def repaired(query, key, value, mask=None):
    scores = ops.einsum("...th,...sh->...ts", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores - 1e9 * ops.cast(ops.logical_not(mask), scores.dtype)
    weights = ops.softmax(scores)
    return ops.einsum("...ts,...sv->...tv", weights, value), weights
"""
_DRILL = "drill_ch03a_self_attention"

DRILL = [
    *[
        right(_DRILL, f"rewritten_{key}", source=_drilled(key, key, _MINE), key=key)
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"unrepaired_{key}",
            source=_drilled(key, key, _unrepaired(key)),
            key=key,
            names=(_EFFECT[key],),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"misnamed_{key}",
            source=_drilled(key, next(k for k in _BUGS if k != key), _BUGS[key].fixed),
            key=key,
            names=("another_bug_named",),
        )
        for key in _BUGS
    ],
    wrong(
        _DRILL,
        "misnamed_and_unrepaired",
        source=_drilled("mask_multiplied", "mask_discarded", _unrepaired("mask_multiplied")),
        key="mask_multiplied",
        names=("another_bug_named", "closed_keys_score_zero"),
    ),
    wrong(
        _DRILL,
        "another_bug_put_in",
        source=_drilled(
            "mask_discarded",
            "mask_discarded",
            _BUGS["mask_discarded"].fixed.replace("-3e4", '-float("inf")'),
        ),
        key="mask_discarded",
        names=("nan_without_open_key",),
    ),
    wrong(
        _DRILL,
        "scale_lost_in_the_repair",
        source=_drilled(
            "mask_after_softmax",
            "mask_after_softmax",
            _BUGS["mask_after_softmax"].fixed.replace("/ math.sqrt(query.shape[-1])", "* 1.0"),
        ),
        key="mask_after_softmax",
        names=("unscaled_scores",),
    ),
]

# ------------------------------------------------------------------ the capstone

_CAPSTONE = """
class CausalSelfAttention(keras.layers.Layer):
    def __init__(self, num_heads, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.attention = MultiHeadAttention(num_heads, hidden_dim)

    def call(self, x, padding_mask):
        triangle = causal_mask(x.shape[1])  # (T, T)
        mask = combine_masks(padding_mask, triangle)  # (B, T, T)
        return self.attention(x, x, x, attention_mask=mask)
"""
_MASK = "mask = combine_masks(padding_mask, triangle)"
_TRIANGLE = "triangle = causal_mask(x.shape[1])"
_CAP = "capstone_self_attention"


def _capstone(old, new):
    assert _CAPSTONE.count(old) == 1, old
    return _CAPSTONE.replace(old, new)


def _with_piece(text):
    """The capstone on top of a piece of the student's own that is wrong."""
    return text.strip("\n") + "\n\n" + _CAPSTONE


_OWN_ATTENTION = """
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)
    used = weights if dropout is None else dropout(weights)
    return ops.matmul(used, value), weights
"""

CAPSTONE = [
    right(
        _CAP,
        "one_line",
        source=_capstone(
            "return self.attention(x, x, x, attention_mask=mask)",
            "return self.attention(x, x, x, mask)",
        ),
    ),
    right(
        _CAP,
        "masks_written_out",
        source="""
class CausalSelfAttention(keras.layers.Layer):
    def __init__(self, num_heads, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.attention = MultiHeadAttention(num_heads=num_heads, hidden_dim=hidden_dim)

    def call(self, x, padding_mask):
        length = ops.shape(x)[1]
        triangle = ops.tril(ops.ones((length, length), dtype="bool"))
        return self.attention(x, x, x, triangle[None] & padding_mask[:, None, :])
""",
    ),
    right(
        _CAP,
        "padded_rows_closed_too",
        source=_capstone(_MASK, _MASK + " & padding_mask[:, :, None]"),
    ),
    right(
        _CAP,
        "attention_made_in_build",
        source="""
class CausalSelfAttention(keras.layers.Layer):
    def __init__(self, num_heads, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.sizes = num_heads, hidden_dim

    def build(self, x_shape, *rest):
        self.attention = MultiHeadAttention(*self.sizes)
        self.attention.build(x_shape, x_shape, x_shape)
        self.built = True

    def call(self, x, padding_mask):
        mask = combine_masks(padding_mask, causal_mask(ops.shape(x)[1]))
        output, weights = self.attention(x, x, x, mask)
        return output, weights
""",
    ),
    right(
        _CAP,
        "own_attention_with_einsum",
        source=_with_piece("""
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.einsum("bnth,bnsh->bnts", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.where(mask, scores, -1e9)
    weights = ops.softmax(scores)
    used = weights if dropout is None else dropout(weights)
    return ops.einsum("bnts,bnsv->bntv", used, value), weights
"""),
    ),
    *[
        wrong(_CAP, name, source=_capstone(*patch), names=(named,))
        for name, patch, named in [
            (
                "no_causal_mask",
                (_TRIANGLE, 'triangle = ops.ones((x.shape[1],) * 2, dtype="bool")'),
                "future_visible",
            ),
            (
                "no_padding",
                (_MASK, "mask = combine_masks(ops.ones_like(padding_mask), triangle)"),
                "padding_visible",
            ),
            ("no_mask_at_all", ("x, x, x, attention_mask=mask", "x, x, x"), "mask_without_effect"),
            (
                "upper_triangle",
                (_TRIANGLE, _TRIANGLE.replace("causal", "ops.transpose(causal") + ")"),
                "wrong_triangle",
            ),
            (
                "diagonal_closed",
                (_TRIANGLE, _TRIANGLE + ' & ~ops.eye(x.shape[1], dtype="bool")'),
                "diagonal_masked",
            ),
            ("or", (_MASK, "mask = padding_mask[:, None, :] | triangle"), "masks_joined_with_or"),
            (
                "padding_on_rows",
                (_MASK, "mask = padding_mask[:, :, None] & triangle"),
                "padding_visible",
            ),
            (
                "padding_inverted",
                (_MASK, _MASK.replace("(padding", "(~padding")),
                "padding_inverted",
            ),
            ("mask_inverted", ("attention_mask=mask", "attention_mask=~mask"), "mask_inverted"),
            (
                "one_ahead",
                (_TRIANGLE, "triangle = ops.tril(ops.ones((x.shape[1],) * 2), k=1) > 0"),
                "sees_one_ahead",
            ),
            ("output_only", ("attention_mask=mask)", "attention_mask=mask)[0]"), "output_only"),
        ]
    ],
    *[
        wrong(
            _CAP, f"own_{name}", source=_with_piece(_OWN_ATTENTION.replace(*patch)), names=(named,)
        )
        for name, patch, named in [
            ("attention_unscaled", (" / math.sqrt(query.shape[-1])", ""), "unscaled_scores"),
            ("softmax_over_queries", ("axis=-1", "axis=-2"), "softmax_axis"),
            (
                "mask_multiplied",
                ("ops.where(mask, scores, -3e4)", "scores * ops.cast(mask, scores.dtype)"),
                "closed_keys_score_zero",
            ),
        ]
    ],
    wrong(
        _CAP,
        "own_heads_by_bare_reshape",
        source=_with_piece("""
def split_heads(x, num_heads):
    return ops.reshape(x, (x.shape[0], num_heads, x.shape[1], x.shape[2] // num_heads))
"""),
        names=("bare_reshape",),
    ),
]

# ------------------------------------------------------------------ more kinds, in other words


def _line(exercise, header, name, expression, named):
    """A wrong answer that is one expression."""
    return wrong(exercise, name, source=f"{header}\n    return {expression}\n", names=(named,))


_MORE_ATTENTION = [
    wrong("scaled_dot_product", name, patch=patch, names=(named,))
    for name, patch, named in [
        (
            "softmax_twice",
            (_SOFTMAX, "weights = ops.softmax(ops.softmax(scores))"),
            "softmax_twice",
        ),
        ("exponentials_only", (_SOFTMAX, "weights = ops.exp(scores)"), "softmax_incomplete"),
        (
            "first_row_of_mask",
            (_WHERE, _WHERE.replace("mask", "mask[..., :1, :]")),
            "mask_read_in_part",
        ),
        (
            "dropout_twice",
            ("else dropout(weights)", "else dropout(dropout(weights))"),
            "dropout_twice",
        ),
        (
            "transposed_weights_returned",
            ("return output, weights", "return output, ops.swapaxes(weights, -1, -2)"),
            "weights_transposed",
        ),
        (
            "scaled_at_the_very_end",
            [(" " + _SCALE, ""), ("return output,", "return output / math.sqrt(head_dim),")],
            "scaled_after_softmax",
        ),
    ]
]
_MORE_MASKS = [
    wrong(
        "selective_mask",
        "aliased_rows",
        source="""
def selective_mask(links, query_length, key_length):
    mask = [[True] * key_length] * query_length
    for q, _ in links:
        mask[q][:] = [False] * key_length
    for q, k in links:
        mask[q][k] = True
    return np.array(mask)
""",
        names=("rows_are_one_list",),
    ),
    wrong(
        "selective_mask",
        "nested_lists",
        patch=(_DONE, "return mask.tolist()"),
        names=("mask_is_a_list",),
    ),
    wrong(
        "selective_mask",
        "only_the_first_link",
        patch=(
            "for query_position, _ in links:",
            "links = links[:1]\n    for query_position, _ in links:",
        ),
        names=("one_link_used",),
    ),
    _line(
        "causal_mask",
        "def causal_mask(length):",
        "one_longer",
        "np.tri(length + 1, dtype=bool)",
        "length_off_by_one",
    ),
    _line(
        "causal_mask",
        "def causal_mask(length):",
        "nested_lists",
        "np.tri(length, dtype=bool).tolist()",
        "mask_is_a_list",
    ),
    *[
        wrong("combine_masks", name, patch=(_AND, new), names=(named,))
        for name, new, named in [
            ("compared", "ops.equal(key_is_real, attention_mask)", "masks_compared"),
            (
                "attention_inverted",
                "ops.logical_and(key_is_real, ~attention_mask)",
                "attention_mask_inverted",
            ),
            (
                "merged_over_the_batch",
                "ops.logical_and(ops.any(padding_mask, axis=0), attention_mask)",
                "padding_merged_over_batch",
            ),
        ]
    ],
]
_MORE_HEADS = [
    _line(
        "split_heads",
        "def split_heads(x, num_heads):",
        "list_of_heads",
        "ops.split(x, num_heads, axis=-1)",
        "heads_left_in_a_list",
    ),
    _line(
        "split_heads",
        "def split_heads(x, num_heads):",
        "stacked_at_the_end",
        "ops.stack(ops.split(x, num_heads, axis=-1), axis=-1)",
        "axes_in_wrong_order",
    ),
    wrong(
        "merge_heads",
        "wrong_axes_exchanged",
        patch=(_BACK, "ops.transpose(x, (0, 1, 3, 2))"),
        names=("axes_in_wrong_order",),
    ),
    *[
        wrong("attention_flops", name, source=_miscounted(patch), names=(named,))
        for name, patch, named in [
            (
                "queries_squared",
                [
                    (_SCORES, _SCORES.replace("key_length", "query_length")),
                    (_SUM, _SUM.replace("key_length", "query_length")),
                ],
                "one_length_squared",
            ),
            (
                "value_not_projected",
                (_ROWS, "(2 * query_length + key_length)"),
                "key_or_value_not_counted",
            ),
        ]
    ],
]

VARIANTS = [
    *SCALED_DOT_PRODUCT,
    *SELECTIVE_MASK,
    *CAUSAL_MASK,
    *COMBINE_MASKS,
    *SPLIT_HEADS,
    *MERGE_HEADS,
    *MULTI_HEAD_ATTENTION,
    *ATTENTION_FLOPS,
    *DRILL,
    *CAPSTONE,
    *_MORE_ATTENTION,
    *_MORE_MASKS,
    *_MORE_HEADS,
]
