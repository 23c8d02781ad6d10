"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them. An empty tuple admits that no property shows it.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}

POSITIONS = [
    uncovered("sinusoidal_positions", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "integers",
            ('.astype("float32"))', '.astype("int32"))'),
            ("numbers_are_floats",),
        ),
        (
            "half_as_high",
            ("np.stack([np.sin(angle)", "0.5 * np.stack([np.sin(angle)"),
            ("pairs_lie_on_a_circle",),
        ),
        (
            "exponent_squared",
            ("(2 * pair / hidden_dim)", "(2 * pair / hidden_dim) ** 2"),
            ("later_pairs_turn_more_slowly",),
        ),
        (
            "positions_go_round",
            ("np.arange(length)", "(np.arange(length) % 3)"),
            ("first_pair_turns_by_one",),
        ),
        (
            "a_list_of_lists",
            ('.astype("float32"))', '.astype("float32")).numpy().tolist()'),
            ("one_array",),
        ),
        (
            "turned_by_a_quarter",
            ("angle = position", "angle = 0.5 + position"),
            ("first_row_is_known",),
        ),
    ]
]

_START = "keras.initializers.TruncatedNormal(stddev=self.initializer_stddev)"
_ADDED = "return x + self.table[: ops.shape(x)[1]]"

TABLE = [
    uncovered("LearnedPositions", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "uniform_start",
            (
                _START,
                "keras.initializers.RandomUniform(-self.initializer_stddev, "
                "self.initializer_stddev)",
            ),
            ("table_starts_rightly",),
        ),
        (
            "start_above_zero",
            (
                _START,
                "keras.initializers.RandomNormal(mean=1.0, stddev=self.initializer_stddev)",
            ),
            ("table_starts_rightly",),
        ),
        (
            "half_of_it",
            (_ADDED, _ADDED.replace("+ ", "+ 0.5 * ")),
            ("rows_of_the_table_are_added",),
        ),
        (
            "every_other_item",
            (
                _ADDED,
                "odd = ops.cast(ops.arange(ops.shape(x)[0]) % 2, x.dtype)\n"
                "        return x + odd[:, None, None] * self.table[: ops.shape(x)[1]]",
            ),
            ("every_item_gets_the_same",),
        ),
    ]
]

_AFFINE = "return self.gamma * normalised + self.beta"
_NORMAL = "normalised = (x - mean) / ops.sqrt(variance + self.epsilon)"

NORM = [
    uncovered("LayerNorm", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "clipped",
            (_AFFINE, "normalised = ops.clip(normalised, -1.0, 1.0)\n        " + _AFFINE),
            ("mean_is_zero", "spread_is_right"),
        ),
        (
            "median",
            ("mean = ops.mean(x, axis=-1", "mean = ops.median(x, axis=-1"),
            ("mean_is_zero",),
        ),
        ("doubled", (_AFFINE, "return 2 * self.gamma * normalised + self.beta"),
         ("mean_is_zero", "spread_is_right")),
        (
            "half_precision",
            (_NORMAL, _NORMAL + '\n        normalised = ops.cast(ops.cast(normalised, "float16"), '
             "x.dtype)"),
            ("output_is_right", "mean_is_zero"),
        ),
        (
            "three_weights",
            (
                'self.beta = self.add_weight(name="beta", shape=size, initializer="zeros")',
                'self.beta = self.add_weight(name="beta", shape=size, initializer="zeros")\n'
                '        self.extra = self.add_weight(name="extra", shape=size)',
            ),
            ("two_named_weights",),
        ),
    ]
]  # fmt: skip

RESIDUAL = [
    uncovered(
        "residual_post_ln",
        "half_the_branch",
        patch=("x + branch(x)", "x + 0.5 * branch(x)"),
        properties=("sum_is_right",),
    ),
    uncovered(
        "residual_post_ln",
        "not_for_the_first_token",
        patch=("norm(x + branch(x))", "ops.concatenate([x[:, :1], norm(x + branch(x))[:, 1:]], 1)"),
        properties=("output_is_normalised",),
    ),
    uncovered(
        "residual_pre_ln",
        "half_the_branch",
        patch=("x + branch(norm(x))", "x + 0.5 * branch(norm(x))"),
        properties=("sum_is_right",),
    ),
    uncovered(
        "residual_pre_ln",
        "bypass_fades",
        patch=("x + branch(norm(x))", "0.9 * x + branch(norm(x))"),
        properties=("a_silent_branch_changes_nothing",),
    ),
]

_BOTH = "return self.output_dense(self.intermediate_dense(x))"

FEED_FORWARD = [
    uncovered("FeedForward", name, patch=patch, properties=properties)
    for name, patch, properties in [
        ("another_default", ('activation="gelu"', 'activation="relu"'), ("gelu_is_the_default",)),
        ("scaled", (_BOTH, _BOTH.replace("return ", "return 0.5 * ")), ("output_is_right",)),
        (
            "first_token_for_all",
            (_BOTH, _BOTH.replace("dense(x)", "dense(0 * x + x[:, :1])")),
            ("output_is_right",),
        ),
        (
            "dropout_that_stays",
            (_BOTH, "x = keras.random.dropout(self.intermediate_dense(x), 0.5)\n"
             "        return self.output_dense(x)"),
            ("calls_agree",),
        ),
        (
            "flattened",
            (_BOTH, _BOTH.replace("dense(x)", "dense(ops.reshape(x, (-1, x.shape[-1])))")),
            ("shape_is_right",),
        ),
    ]
]  # fmt: skip

_ATTEND = "attended, weights = self.self_attention(seen, seen, seen, attention_mask=attention_mask)"
_FED = "self.feed_forward_dropout(self.feed_forward(seen))"

ENCODER = [
    uncovered("EncoderBlock", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "weaker_bypass",
            ("x = x + self.self_attention_dropout", "x = 0.7 * x + self.self_attention_dropout"),
            ("the_rest_is_right",),
        ),
        (
            "first_mask_for_all",
            (
                _ATTEND,
                "if attention_mask is not None:\n            attention_mask = attention_mask[:1]\n"
                "        " + _ATTEND,
            ),
            ("closed_keys_get_nothing", "attention_reads_the_right_thing"),
        ),
        ("unit_length", (_ATTEND, "seen = seen / ops.norm(seen, axis=-1, keepdims=True)\n        "
                         + _ATTEND), ("attention_reads_the_right_thing",)),
        (
            "thinks_about_tokens_in_reverse",
            (_FED, _FED.replace("(seen)", "(ops.flip(seen, 1))")),
            ("the_rest_is_right",),
        ),
        ("noise", ("return x, weights", "return x + 0.01 * keras.random.normal(ops.shape(x)), "
                   "weights"), ("the_rest_is_right",)),
    ]
]  # fmt: skip

_CROSS = "seen, source, source, attention_mask=source_mask"

DECODER = [
    uncovered("DecoderBlock", name, patch=patch, properties=properties)
    for name, patch, properties in [
        (
            "source_backwards",
            (_CROSS, "seen, ops.flip(source, 1), ops.flip(source, 1), attention_mask=source_mask"),
            ("attention_reads_the_right_thing", "closed_keys_get_nothing"),
        ),
        (
            "looks_at_both",
            (
                _CROSS,
                "seen, ops.concatenate([source, seen], 1), ops.concatenate([source, seen], 1)",
            ),
            ("shapes_are_right",),
        ),
        (
            "source_mask_for_the_first_query",
            (
                _CROSS,
                "seen, source, source, attention_mask=None if source_mask is None "
                "else source_mask[:, :1]",
            ),
            ("closed_keys_get_nothing",),
        ),
        (
            "cross_attention_halved",
            (
                "self.cross_attention_dropout(attended)",
                "0.5 * self.cross_attention_dropout(attended)",
            ),
            ("the_rest_is_right",),
        ),
        (
            "pairs_in_a_pair",
            (
                "return x, self_weights, cross_weights",
                "return {'x': x, 'self': self_weights, 'cross': cross_weights}",
            ),
            ("all_parts_returned",),
        ),
    ]
]

DRILL = [
    uncovered(
        "drill_ch03b_blocks",
        name,
        source=f"{_BUGS['wrong_norm'].source}\n\n\nsuspect = 'wrong_norm'\n\n\n"
        + _BUGS["wrong_norm"].fixed.replace(*patch),
        key="wrong_norm",
        properties=properties,
    )
    for name, patch, properties in [
        (
            "half_the_thinking",
            ("x + block.feed_forward(x)", "x + 0.5 * block.feed_forward(x)"),
            ("the_rest_is_right",),
        ),
        (
            "tokens_backwards_in_between",
            ("x = norms[0](x + branch)", "x = ops.flip(norms[0](x + branch), 1)"),
            ("attention_reads_the_right_thing",),
        ),
    ]
]

UNCOVERED = [
    *POSITIONS,
    *TABLE,
    *NORM,
    *RESIDUAL,
    *FEED_FORWARD,
    *ENCODER,
    *DECODER,
    *DRILL,
]
