"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered


def lost(exercise, rows):
    """Answers from rows (name, properties, old text, new text)."""
    return [
        uncovered(exercise, name, patch=(old, new), properties=properties)
        for name, properties, old, new in rows
    ]


_BUGS = {bug.key: bug.fixed for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_DRILL = "drill_ch07a_heads"
_FLOAT = 'weights = np.asarray(weights, dtype="float64")'
_HALF = 'weights = np.asarray(weights, dtype="float16")'
_MEAN = "return of_real_queries.mean(axis=0)  # (N,)"

UNCOVERED = [
    *lost(
        "attention_entropy",
        [
            ("half_precision", ("right_without_padding",), _FLOAT, _HALF),
            ("median", ("right_without_padding",), _MEAN, "return np.median(of_real_queries, 0)"),
            (
                "at_most_one",
                ("right_without_padding",),
                "of_real_queries = np.swapaxes(entropy, 1, 2)",
                "of_real_queries = np.swapaxes(np.minimum(entropy, 1.0), 1, 2)",
            ),
            (
                "last_real_query_missing",
                ("right_without_padding", "right_with_padding"),
                _MEAN,
                "return of_real_queries[:-1].mean(axis=0)",
            ),
        ],
    ),
    *lost(
        "attention_distance",
        [
            (
                "round_a_circle",
                ("right_without_padding",),
                "steps = np.abs(places[:, None] - places[None, :])  # (T, T)",
                "steps = np.abs(places[:, None] - places[None, :])\n"
                "    steps = np.minimum(steps, len(places) - steps)",
            ),
            (
                "at_most_three",
                ("right_without_padding",),
                "weights * steps",
                "weights * np.minimum(steps, 3)",
            ),
            (
                "heads_backwards",
                ("right_without_padding",),
                _MEAN,
                "return of_real_queries.mean(axis=0)[::-1]",
            ),
        ],
    ),
    *lost(
        "mass_on_special",
        [
            (
                "squares_of_weights",
                ("right_without_padding",),
                "np.sum(weights * special",
                "np.sum(weights**2 * special",
            ),
            (
                "first_query_missing",
                ("right_without_padding",),
                "[words].mean(axis=0)",
                "[words][1:].mean(axis=0)",
            ),
            (
                "above_a_half_only",
                ("right_without_padding", "right_with_padding"),
                "return np.swapaxes(to_special, 1, 2)[words]",
                "to_special = to_special * (to_special > 0.5)\n"
                "    return np.swapaxes(to_special, 1, 2)[words]",
            ),
        ],
    ),
    *lost(
        "head_relation_accuracy",
        [
            (
                "one_of_the_two_best",
                ("right_where_all_keys_may_be_chosen",),
                "right = chosen == targets[:, None, :]",
                "best = open_weights.argsort(axis=-1)[..., -2:]\n"
                "    right = (best == targets[:, None, :, None]).any(axis=-1)",
            ),
            (
                "earlier_keys_only",
                ("right_where_all_keys_may_be_chosen",),
                "chosen = open_weights.argmax(axis=-1)",
                "chosen = np.tril(open_weights).argmax(axis=-1)",
            ),
            (
                "five_queries_at_most",
                (
                    "right_where_all_keys_may_be_chosen",
                    "right_where_all_have_targets",
                    "only_queries_with_a_target_count",
                ),
                "[asked].mean(axis=0)",
                "[asked][:5].mean(axis=0)",
            ),
        ],
    ),
    *lost(
        "head_similarity",
        [
            (
                "most_different_query",
                ("right_without_padding", "right_with_padding"),
                "divergence.mean(axis=0)",
                "divergence.max(axis=0)",
            ),
            (
                "one_decimal",
                ("right_without_padding",),
                "return np.stack(similarity)",
                "return np.round(similarity, 1)",
            ),
            (
                "a_third_of_the_other",
                ("symmetric", "diagonal_is_1"),
                "/ 2  # (Q, N, T)",
                "/ 3  # (Q, N, T)",
            ),
        ],
    ),
    *lost(
        "head_ablation",
        [
            (
                "squashed",
                ("right_with_all_heads_on",),
                "return ops.einsum",
                "return 0.5 * ops.einsum",
            ),
            (
                "first_head_always_on",
                ("bias_alone_with_all_heads_off", "right_with_some_off"),
                "ops.reshape(head_mask, (-1, 1))",
                "ops.concatenate([ops.ones((1, 1)), ops.reshape(head_mask, (-1, 1))[1:]])",
            ),
            (
                "bias_doubled",
                ("right_with_all_heads_on", "bias_alone_with_all_heads_off"),
                "+ output_bias",
                "+ 2.5 * output_bias",
            ),
        ],
    ),
    *lost(
        "integrated_gradients",
        [
            (
                "clipped_gradients",
                ("right_from_zero", "right_from_a_baseline"),
                "total += np.asarray(gradient(point)",
                "total += np.asarray(np.clip(gradient(point), -0.5, 0.5)",
            ),
            (
                "four_steps_at_most",
                ("right_from_zero",),
                "for step in range(steps):",
                "for step in range(min(steps, 2)):",
            ),
            (
                "a_third_of_a_part",
                ("right_for_one_step", "right_from_zero"),
                "(step + 0.5)",
                "(step + 0.3)",
            ),
        ],
    ),
    *[
        uncovered(
            _DRILL,
            name,
            key="padding_counts",
            properties=properties,
            source='suspect = "padding_counts"\n\n' + _BUGS["padding_counts"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "first_layer_is_spared",
                ("the_right_ones_go", "as_many_go_as_should"),
                "if left > 0 and",
                "if layer > 0 and left > 0 and",
            ),
            (
                "order_before_the_norm",
                ("the_right_ones_go",),
                "np.argsort(importance, axis=None)",
                "np.argsort(np.abs(slopes).mean(axis=1), axis=None)",
            ),
            (
                "half_of_the_importance",
                ("importance_is_right",),
                "np.abs(slopes).mean(axis=1)",
                "np.sqrt(np.abs(slopes)).mean(axis=1)",
            ),
            (
                "a_number_for_kept",
                ("two_arrays_come_back",),
                "return importance, kept",
                "return importance, kept.sum()",
            ),
        ]
    ],
]
