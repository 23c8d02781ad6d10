"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them. An empty tuple admits that no property shows it.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}


def patched(exercise, table):
    """Answers from rows (name, patch, properties of which one must be told)."""
    return [uncovered(exercise, name, patch=patch, properties=told) for name, patch, told in table]


UNCOVERED = [
    *patched(
        "mask_to_additive",
        [
            (
                "odd_fill",
                ("ops.where(mask, 0.0, -3e4)", "ops.where(mask, 0.0, -37.0)"),
                ("closed_places_are_low",),
            ),
            (
                "last_place_always_open",
                (
                    "ops.where(mask, 0.0, -3e4)",
                    "ops.where(ops.logical_or(mask, ops.arange(mask.shape[-1]) == "
                    "mask.shape[-1] - 1), 0.0, -3e4)",
                ),
                ("closed_places_are_low",),
            ),
        ],
    ),
    *patched(
        "masked_softmax",
        [
            (
                "half_as_steep",
                ("ops.softmax(scores, axis=-1)", "ops.softmax(scores / 2, axis=-1)"),
                ("open_rows_are_right",),
            ),
            (
                "odd_fill",
                ("ops.where(mask, scores, -3e4)", "ops.where(mask, scores, -3.7)"),
                ("closed_keys_get_nothing",),
            ),
            (
                "rows_of_length_one",
                (
                    "return ops.softmax(scores, axis=-1)",
                    "weights = ops.softmax(scores, axis=-1)\n"
                    "    return weights / ops.sqrt(ops.sum(weights**2, -1, keepdims=True))",
                ),
                ("rows_sum_to_one",),
            ),
        ],
    ),
    *patched(
        "dot_score",
        [
            (
                "absolute_values",
                ("return ops.matmul(query", "return ops.matmul(ops.abs(query)"),
                ("scores_come_out_right",),
            ),
            (
                "three_times_too_large",
                ("return ops.matmul(query", "return 3.0 * ops.matmul(query"),
                ("scores_differ_by_a_factor",),
            ),
            (
                "first_item_for_all",
                ("ops.swapaxes(key, 1, 2)", "ops.swapaxes(key[:1], 1, 2)"),
                ("items_do_not_mix",),
            ),
        ],
    ),
    *patched(
        "general_score",
        [
            (
                "sigmoid_at_the_end",
                (
                    "return ops.matmul(ops.matmul(query, kernel), ops.swapaxes(key, 1, 2))",
                    "scores = ops.matmul(ops.matmul(query, kernel), ops.swapaxes(key, 1, 2))\n"
                    "    return ops.sigmoid(scores)",
                ),
                ("scores_come_out_right",),
            ),
            (
                "kernel_and_a_half",
                ("ops.matmul(query, kernel)", "ops.matmul(query, 1.5 * kernel)"),
                ("scores_differ_by_a_factor",),
            ),
        ],
    ),
    *patched(
        "additive_score",
        [
            (
                "sine_for_tanh",
                ("ops.tanh(", "ops.sin("),
                ("scores_come_out_right",),
            ),
            (
                "one_added_inside",
                ("ops.tanh(from_query + from_key)", "ops.tanh(from_query + from_key + 1.0)"),
                ("scores_come_out_right",),
            ),
            (
                "gradient_of_the_query_stopped",
                (
                    "from_query = ops.expand_dims(",
                    "query = ops.stop_gradient(query)\n    from_query = ops.expand_dims(",
                ),
                ("gradient_reaches_every_input",),
            ),
        ],
    ),
    *patched(
        "context_vector",
        [
            (
                "values_of_the_neighbour",
                ("ops.matmul(weights, value)", "ops.matmul(weights, ops.roll(value, 1, axis=1))"),
                ("context_comes_out_right",),
            ),
            (
                "twice_as_large",
                ("ops.matmul(weights, value)", "ops.matmul(weights, value) * 2.0"),
                ("within_the_values",),
            ),
        ],
    ),
    *patched(
        "AttentionDecoderCell",
        [
            (
                "sine_in_the_output",
                (
                    "self.output_dense(joined), weights",
                    "ops.sin(self.output_dense(joined)), weights",
                ),
                ("only_the_output_is_wrong",),
            ),
            (
                "state_doubled_for_the_question",
                ("general_score(state, source", "general_score(2.0 * state, source"),
                ("weights_come_out_right",),
            ),
            (
                "state_scaled_down",
                ("self.cell(x, states)", "self.cell(x, [0.5 * s for s in states])"),
                ("state_is_right",),
            ),
            (
                "first_pad_open",
                (
                    "ops.expand_dims(padding_mask, 1)",
                    "ops.expand_dims(padding_mask | ops.roll(padding_mask, 1, -1), 1)",
                ),
                ("pads_get_nothing",),
            ),
        ],
    ),
    *patched(
        "alignment_matrix",
        [
            (
                "every_other_state_lost",
                (
                    "rows.append(weights)",
                    "rows.append(weights)\n        states = [s * (now % 2) for s in states]",
                ),
                ("later_rows_follow",),
            ),
            (
                "rows_of_length_one",
                (
                    "rows.append(weights)",
                    "rows.append(weights / ops.sqrt(ops.sum(weights**2, -1, keepdims=True)))",
                ),
                ("rows_sum_to_one",),
            ),
        ],
    ),
    *patched(
        "bleu",
        [
            (
                "longer_runs_weigh_more",
                (
                    "sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / "
                    "max_order",
                    "sum((n + 1) * math.log(matches[n] / totals[n]) for n in range(max_order)) / "
                    "(max_order * (max_order + 1) / 2)",
                ),
                ("score_is_lower_than_right",),
            ),
            (
                "penalty_twice",
                ("math.exp(brevity + log_precision)", "math.exp(2 * brevity + log_precision)"),
                ("score_is_lower_than_right",),
            ),
            (
                "one_tenth_for_nothing",
                ("return 0.0", "return 0.1"),
                ("zero_without_a_match",),
            ),
        ],
    ),
    uncovered(
        "drill_ch02_attention",
        "source_of_the_neighbour",
        source='suspect = "softmax_over_one_number"\n\n'
        + _BUGS["softmax_over_one_number"].fixed.replace(
            "weights * source", "weights * ops.roll(source, 1, axis=1)"
        ),
        key="softmax_over_one_number",
        properties=("context_follows_from_weights",),
    ),
    uncovered(
        "drill_ch02_attention",
        "state_doubled",
        source='suspect = "softmax_over_the_batch"\n\n'
        + _BUGS["softmax_over_the_batch"].fixed.replace("state, source)", "2.0 * state, source)"),
        key="softmax_over_the_batch",
        properties=("weights_come_out_right",),
    ),
]
