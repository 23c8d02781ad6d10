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

UNCOVERED = [
    *lost(
        "classifier_head",
        [
            (
                "first_token_doubled",
                ("cls_is_right",),
                "sequence_output[:, 0]",
                "2 * sequence_output[:, 0]",
            ),
            (
                "mean_of_squares",
                ("mean_is_right",),
                "ops.sum(sequence_output * is_real, axis=1)",
                "ops.sum(sequence_output**2 * is_real, axis=1)",
            ),
            (
                "logits_halved",
                ("cls_is_right", "mean_is_right"),
                "return dense(dropout(pooled))",
                "return dense(dropout(pooled)) / 2",
            ),
        ],
    ),
    *lost(
        "pair_logits",
        [
            (
                "second_text_backwards",
                ("logits_are_right",),
                "pack(first, second)",
                "pack(first, second[::-1])",
            ),
            (
                "last_token_of_the_first_text_lost",
                ("logits_are_right",),
                "pack(first, second)",
                "pack(first[:-1], second)",
            ),
            (
                "first_two_tokens",
                ("logits_are_right",),
                "encode(inputs)[:, 0]",
                "ops.mean(encode(inputs)[:, :2], axis=1)",
            ),
        ],
    ),
    *lost(
        "relation_markers",
        [
            (
                "sentence_backwards",
                ("tokens_are_kept",),
                "marked = list(token_ids)",
                "marked = list(token_ids)[::-1]",
            ),
            (
                "three_marks_after_each",
                ("every_mark_once",),
                "[before, *marked[start:end], after]",
                "[before, *marked[start:end], after, after, after]",
            ),
            (
                "places_too_late",
                ("places_are_right",),
                "return marked, head[0] + 2",
                "return marked, 7 + head[0] + 2",
            ),
        ],
    ),
    *lost(
        "multiple_choice_forward",
        [
            (
                "scores_doubled",
                ("scores_are_right",),
                "scorer(encode(rows))",
                "2 * scorer(encode(rows))",
            ),
            (
                "tokens_backwards",
                ("scores_are_right",),
                "ops.reshape(x, (-1, length))",
                "ops.flip(ops.reshape(x, (-1, length)), axis=1)",
            ),
            (
                "answers_backwards",
                ("every_score_in_its_cell",),
                "return ops.reshape(scorer(encode(rows)), (-1, choices))",
                "return ops.flip(ops.reshape(scorer(encode(rows)), (-1, choices)), axis=1)",
            ),
        ],
    ),
    *lost(
        "joint_intent_slot_loss",
        [
            (
                "tokens_squared",
                ("right_where_all_is_judged",),
                "ops.sum(is_judged * per_token)",
                "ops.sum(is_judged * per_token**2)",
            ),
            (
                "last_place_left_out",
                ("right_where_all_is_judged",),
                'is_judged = ops.cast(slots >= 0, "float32")',
                'is_judged = ops.cast(slots >= 0, "float32") * np.arange(slots.shape[1])',
            ),
            (
                "one_added",
                ("right_where_all_is_judged",),
                "return ops.mean(per_sentence) + slot_loss",
                "return ops.mean(per_sentence) + slot_loss + 1.0",
            ),
        ],
    ),
    *lost(
        "frame_accuracy",
        [
            (
                "a_right_one_added",
                ("counts_sentences", "not_too_lenient"),
                "return float(whole.mean())",
                "return float(np.append(whole, True).mean())",
            ),
            (
                "squared",
                ("counts_sentences", "not_too_strict"),
                "return float(whole.mean())",
                "return float(whole.mean() ** 2)",
            ),
            (
                "divided_by_one_more",
                ("counts_sentences", "not_too_strict"),
                "return float(whole.mean())",
                "return float(whole.sum() / (len(whole) + 1))",
            ),
        ],
    ),
    *lost(
        "layerwise_decay",
        [
            (
                "heads_doubled",
                ("heads_are_right",),
                "depth = 0\n",
                "depth = -2\n",
            ),
            (
                "block_zero_twice",
                ("blocks_are_right",),
                "depth = num_layers - layer",
                "depth = (num_layers - layer) * (1 + (layer == 0))",
            ),
            (
                "embeddings_three_further",
                ("embeddings_are_right",),
                "depth = num_layers + 1",
                "depth = num_layers + 4",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch06a_sentences",
            name,
            key="dropout_at_prediction",
            properties=properties,
            source='suspect = "dropout_at_prediction"\n\n'
            + _BUGS["dropout_at_prediction"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "logits_doubled",
                ("logits_are_right",),
                "return logits, ",
                "return 2 * logits, ",
            ),
            (
                "loss_squared",
                ("loss_follows_from_logits",),
                "ops.mean(per_sentence)",
                "ops.mean(per_sentence**2)",
            ),
            (
                "checkpoint_halved",
                ("logits_are_right",),
                'checkpoint[f"bert.{name}"] for',
                'checkpoint[f"bert.{name}"] / 2 for',
            ),
        ]
    ],
]
