"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them. An empty tuple admits that no property shows it.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_WHERE = "ops.where(mask, scores, -3e4)"
_SOFTMAX = "weights = ops.softmax(scores, axis=-1)"
_OUTPUT = "output = ops.matmul(kept_weights, value)"
_SCALE = "/ math.sqrt(head_dim)"
_ATTEND = "query, key, value, mask=attention_mask, dropout=self.attention_dropout"
_RETURN = "return self.output_dense(merge_heads(output)), weights"

FORMULA = [
    uncovered("scaled_dot_product", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "fill_of_an_odd_size",
            (_WHERE, "ops.where(mask, scores, -3.7)"),
            ("closed_keys_get_nothing",),
        ),
        ("cube_root", (_SCALE, "/ head_dim ** (1 / 3)"), ("scores_have_the_right_size",)),
        (
            "two_best_keys_only",
            (
                _SOFTMAX,
                "second = ops.top_k(scores, 2)[0][..., 1:]\n"
                "    scores = ops.where(scores >= second, scores, -3e4)\n    " + _SOFTMAX,
            ),
            ("open_keys_get_something",),
        ),
        (
            "rows_of_length_one",
            (
                _SOFTMAX,
                _SOFTMAX
                + "\n    weights = weights / ops.sqrt(ops.sum(weights**2, -1, keepdims=True))",
            ),
            ("rows_sum_to_one",),
        ),
        (
            "mask_for_the_first_item_only",
            (
                "scores = " + _WHERE,
                "closed = ops.concatenate([scores[:1] * 0 - 3e4, scores[1:]], axis=0)\n"
                "        scores = ops.where(mask, scores, closed)",
            ),
            ("closed_keys_get_nothing",),
        ),
        (
            "relu_on_scores",
            (_SOFTMAX, _SOFTMAX.replace("(scores", "(ops.relu(scores)")),
            ("weights_come_out_right", "closed_keys_get_nothing"),
        ),
        (
            "values_of_the_key_before",
            (_OUTPUT, "output = ops.matmul(kept_weights, ops.roll(value, 1, axis=-2))"),
            ("weights_are_right", "output_follows_from_weights"),
        ),
        (
            "sine_at_the_end",
            (_OUTPUT, "output = ops.sin(ops.matmul(kept_weights, value))"),
            ("weights_are_right",),
        ),
        (
            "scores_clipped",
            (_SOFTMAX, "scores = ops.clip(scores, -3e4, 0.7)\n    " + _SOFTMAX),
            ("weights_come_out_right",),
        ),
        (
            "half_of_the_output_dropped_by_hand",
            (
                "weights if dropout is None else dropout(weights)",
                "weights if dropout is None else weights * 0.5",
            ),
            ("weights_are_right",),
        ),
        (
            "softmax_in_half_precision",
            (
                _SOFTMAX,
                'weights = ops.cast(ops.softmax(ops.cast(scores, "float16"), axis=-1), "float32")',
            ),
            ("rows_sum_to_one", "weights_come_out_right", "weights_are_right"),
        ),
    ]
]

_OPEN = "mask[query_position, key_position] = True"
MASKS = [
    uncovered(
        "selective_mask",
        "neighbour_of_the_key_too",
        patch=(_OPEN, "mask[query_position, key_position - 1 : key_position + 1] = True"),
        properties=("linked_rows_are_closed_otherwise",),
    ),
    uncovered(
        "selective_mask",
        "every_query_after_a_linked_one_is_closed",
        patch=("mask[query_position, :] = False", "mask[query_position:, :] = False"),
        properties=("other_rows_are_open",),
    ),
    uncovered(
        "causal_mask",
        "three_ahead",
        source="def causal_mask(length):\n    return np.tri(length, k=3) > 0\n",
        properties=("future_is_closed",),
    ),
    uncovered(
        "causal_mask",
        "window_of_three",
        source="""
def causal_mask(length):
    t, s = np.arange(length)[:, None], np.arange(length)[None]
    return (s <= t) & (s > t - 3)
""",
        properties=("past_is_open",),
    ),
    uncovered(
        "combine_masks",
        "last_key_taken_for_padding",
        source="""
def combine_masks(padding_mask, attention_mask):
    keys = np.arange(padding_mask.shape[1]) < padding_mask.shape[1] - 1
    mask = ops.logical_and(ops.ones_like(padding_mask)[:, None, :], attention_mask)
    return ops.logical_and(mask, ops.convert_to_tensor(keys))
""",
        properties=("padded_keys_are_closed",),
    ),
    uncovered(
        "combine_masks",
        "padding_one_place_off",
        patch=(
            "ops.expand_dims(padding_mask, axis=1)",
            "ops.expand_dims(ops.roll(padding_mask, 1, axis=1), axis=1)",
        ),
        properties=("padded_keys_are_closed", "allowed_real_keys_are_open"),
    ),
]

HEADS = [
    uncovered(
        "split_heads",
        "heads_one_further",
        patch=(
            "return ops.transpose(x, (0, 2, 1, 3))",
            "return ops.roll(ops.transpose(x, (0, 2, 1, 3)), 1, axis=1)",
        ),
        properties=("numbers_are_in_place",),
    ),
    uncovered(
        "split_heads",
        "twice_the_numbers",
        patch=(
            "return ops.transpose(x, (0, 2, 1, 3))",
            "return 2 * ops.transpose(x, (0, 2, 1, 3))",
        ),
        properties=("numbers_only_move",),
    ),
    uncovered(
        "merge_heads",
        "tokens_backwards",
        patch=(
            "x = ops.transpose(x, (0, 2, 1, 3))",
            "x = ops.flip(ops.transpose(x, (0, 2, 1, 3)), axis=1)",
        ),
        properties=("tokens_keep_their_numbers",),
    ),
    *[
        uncovered("MultiHeadAttention", name, patch=patch, properties=properties)
        for name, patch, properties in [
            (
                "twice_the_output",
                (_RETURN, _RETURN.replace("return ", "return 2 * ")),
                ("weights_are_right",),
            ),
            (
                "noise_in_every_call",
                (
                    _RETURN,
                    "output = output + 0.1 * keras.random.normal(ops.shape(output))\n        "
                    + _RETURN,
                ),
                ("calls_agree",),
            ),
            (
                "fixed_dropout_of_the_output_in_every_call",
                (_RETURN, "output = keras.random.dropout(output, 0.2)\n        " + _RETURN),
                ("calls_agree",),
            ),
            (
                "whole_keys_dropped",
                (
                    _ATTEND,
                    _ATTEND.replace(
                        "self.attention_dropout",
                        "lambda w: w * self.attention_dropout(ops.ones_like(w[:, :, :1]))",
                    ),
                ),
                ("dropped_weights_vanish_alone",),
            ),
            (
                "mask_for_the_first_head_only",
                (
                    "attention_mask = ops.expand_dims(attention_mask, axis=1)",
                    "first = ops.reshape(ops.arange(self.num_heads) < 1, (1, -1, 1, 1))\n"
                    "            attention_mask = ops.logical_or(attention_mask[:, None], ~first)",
                ),
                ("closed_keys_get_nothing",),
            ),
            (
                "leaky_relu_on_queries",
                (
                    "split_heads(self.query_dense(query), self.num_heads)",
                    "split_heads(ops.leaky_relu(self.query_dense(query)), self.num_heads)",
                ),
                ("weights_come_out_right",),
            ),
        ]
    ],
]

COSTS = [
    uncovered(
        "attention_flops",
        "width_squared_in_attention",
        source="""
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    projections = 4 * hidden_dim**2 * (query_length + key_length)
    return projections, 4 * query_length * key_length * hidden_dim**2
""",
        properties=("attention_is_counted_right",),
    ),
    uncovered(
        "attention_flops",
        "a_fifth_projection",
        source="""
def attention_flops(query_length, key_length, hidden_dim, num_heads):
    projections = 2 * hidden_dim**2 * (3 * query_length + 2 * key_length)
    return projections, 4 * query_length * key_length * hidden_dim
""",
        properties=("projections_are_counted_right",),
    ),
]

_KEY = "mask_multiplied"
_FIXED = _BUGS[_KEY].fixed
DRILL = [
    uncovered(
        "drill_ch03a_self_attention",
        name,
        source=f"{_BUGS[_KEY].source}\n\n\nsuspect = {_KEY!r}\n\n\n{_FIXED.replace(old, new)}",
        key=_KEY,
        properties=properties,
    )
    for name, old, new, properties in [
        (
            "repaired_with_a_cube_root",
            "/ math.sqrt(query.shape[-1])",
            "/ query.shape[-1] ** (1 / 3)",
            ("scores_have_the_right_size",),
        ),
        ("repaired_with_a_weak_fill", "-3e4", "-3.7", ("closed_keys_get_nothing",)),
    ]
]

_CAPSTONE = """
class CausalSelfAttention(keras.layers.Layer):
    def __init__(self, num_heads, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.attention = MultiHeadAttention(num_heads, hidden_dim)

    def call(self, x, padding_mask):
        t, s = ops.arange(x.shape[1])[:, None], ops.arange(x.shape[1])[None]
        real = ops.cast(padding_mask, x.dtype)[..., None]
        mask = combine_masks(padding_mask, s <= t)
        return self.attention(x, x, x, attention_mask=mask)
"""
CAPSTONE = [
    uncovered(
        "capstone_self_attention",
        name,
        source=_CAPSTONE.replace(old, new),
        properties=properties,
    )
    for name, old, new, properties in [
        ("neighbour_only", "s <= t)", "(s <= t) & (s >= t - 1))", ("past_is_seen",)),
        (
            "mirrored_triangle",
            "s <= t)",
            "s + t < x.shape[1])",
            ("future_gets_nothing", "past_is_seen"),
        ),
        (
            "padding_zeroed_not_masked",
            "mask = combine_masks(padding_mask, s <= t)",
            "x, mask = x * real, ops.repeat((s <= t)[None], x.shape[0], axis=0)",
            ("padding_gets_nothing",),
        ),
        ("three_ahead", "s <= t)", "s <= t + 3)", ("future_gets_nothing",)),
        (
            "mask_built_from_lengths_one_short",
            "mask = combine_masks(padding_mask, s <= t)",
            "count = ops.sum(ops.cast(padding_mask, 'int32'), axis=1)[:, None, None] - 1\n"
            "        mask = ops.logical_or(s[None] < count, s[None] == 0)\n"
            "        mask = ops.logical_and((s <= t)[None], mask)",
            ("past_is_seen",),
        ),
        (
            "doubled_output",
            "return self.attention(x, x, x, attention_mask=mask)",
            "output, weights = self.attention(x, x, x, attention_mask=mask)\n"
            "        return 2 * output, weights",
            ("weights_are_right",),
        ),
    ]
]

UNCOVERED = [*FORMULA, *MASKS, *HEADS, *COSTS, *DRILL, *CAPSTONE]
