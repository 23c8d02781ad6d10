"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them.
"""

from autograder.variants import uncovered


def lost(exercise, rows):
    """Answers from rows (name, properties, old text, new text)."""
    return [
        uncovered(exercise, name, patch=(old, new), properties=properties)
        for name, properties, old, new in rows
    ]


_REPAIRED = """
suspect = "labels_not_shifted"


def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    logits = gpt_logits(token_ids, padding_mask, token_table, position_table, blocks)
    return LOGITS, LOSS
"""

UNCOVERED = [
    *lost(
        "gpt_logits",
        [
            (
                "window_of_two",
                ("right_without_padding",),
                "causal_mask(length))",
                "ops.logical_and(causal_mask(length), ops.arange(length)[:, None] - "
                "ops.arange(length) < 2))",
            ),
            (
                "positions_halved",
                ("right_without_blocks",),
                "position_table[:length]",
                "0.5 * position_table[:length]",
            ),
            (
                "sine_of_the_states",
                ("right_without_blocks",),
                "return ops.matmul(x, ",
                "return ops.matmul(ops.sin(x), ",
            ),
            (
                "bias_of_one",
                ("right_without_blocks",),
                "return ops.matmul(x, ops.transpose(token_table))",
                "return ops.matmul(x, ops.transpose(token_table)) + 1.0",
            ),
        ],
    ),
    *lost(
        "causal_lm_loss",
        [
            (
                "power_of_surprise",
                ("right_without_padding",),
                "ops.sum(surprise * is_real)",
                "ops.sum(surprise**1.5 * is_real)",
            ),
            (
                "second_token_left_out",
                ("right_without_padding", "padding_does_not_count"),
                'ops.cast(padding_mask[:, 1:], "float32")',
                'ops.cast(padding_mask[:, 1:], "float32") * ops.cast(ops.arange('
                'padding_mask.shape[1] - 1) != 1, "float32")',
            ),
            (
                "scores_halved",
                ("right_without_padding",),
                'ops.cast(logits[:, :-1], "float32")',
                '0.5 * ops.cast(logits[:, :-1], "float32")',
            ),
        ],
    ),
    *lost(
        "sample",
        [
            (
                "temperature_plus_half",
                ("right_without_settings", "temperature_alone_is_right"),
                '"float32") / temperature',
                '"float32") / (temperature + 0.5)',
            ),
            (
                "two_more_than_k",
                ("top_k_alone_is_right", "no_token_that_was_removed"),
                "(logits, top_k)",
                "(logits, min(top_k + 2, 6))",
            ),
            (
                "half_the_nucleus",
                ("top_p_alone_is_right",),
                "before < top_p",
                "before < 0.5 * top_p",
            ),
            (
                "every_third_row_greedy",
                ("right_without_settings",),
                "return keras.random.categorical(logits, 1, seed=seed)[:, 0]",
                "drawn = keras.random.categorical(logits, 1, seed=seed)[:, 0]\n"
                "    greedy = ops.cast(ops.argmax(logits, axis=-1), drawn.dtype)\n"
                "    return ops.where(ops.arange(drawn.shape[0]) % 3 == 0, greedy, drawn)",
            ),
        ],
    ),
    *lost(
        "classification_input",
        [
            (
                "every_second_token",
                ("texts_are_right",),
                "*text[:room]",
                "*text[:room][::2]",
            ),
            (
                "marks_plus_one",
                ("marks_in_their_places", "texts_are_right"),
                "[marks.begin,",
                "[marks.begin + 100,",
            ),
            (
                "text_as_a_whole",
                ("no_list_among_the_ids",),
                "*text[:room]",
                "text[:room]",
            ),
            (
                "marks_of_the_notebook",
                ("ids_come_from_the_arguments",),
                "[marks.begin, *text[:room], marks.extract]",
                "[1001, *text[:room], 1003]",
            ),
        ],
    ),
    *lost(
        "entailment_input",
        [
            (
                "premise_backwards",
                ("texts_are_right",),
                "*premise, marks",
                "*premise[::-1], marks",
            ),
            (
                "four_off_the_longer",
                ("texts_are_right",),
                "hypothesis, room)",
                "hypothesis, max(room - 4, 0) if max_length else room)",
            ),
        ],
    ),
    *lost(
        "similarity_input",
        [
            (
                "first_cut_by_two",
                ("texts_are_right",),
                "first[:most], second",
                "first[: max(most - 2, 0)], second",
            ),
            (
                "three_rows",
                ("as_many_lines_as_asked_for",),
                "entailment_input(second, first, marks)]",
                "entailment_input(second, first, marks), entailment_input(first, first, marks)]",
            ),
        ],
    ),
    *lost(
        "multiple_choice_input",
        [
            (
                "answers_sorted",
                ("texts_are_right",),
                "for answer in answers]",
                "for answer in sorted(answers, key=len)]",
            ),
            (
                "answers_of_the_notebook",
                ("as_many_lines_as_asked_for",),
                "for answer in answers]",
                "for answer in ([4, 5], [6])]",
            ),
            (
                "context_halved",
                ("texts_are_right",),
                "(context, answer,",
                "(context[: len(context) // 2], answer,",
            ),
            (
                "answer_as_a_whole",
                ("no_list_among_the_ids",),
                "entailment_input(context, answer, marks, max_length)",
                "[marks.begin, *context, marks.delimiter, answer, marks.extract]",
            ),
            (
                "rows_of_earlier_calls",
                ("rows_of_this_call_only",),
                "return [entailment_input(context, answer, marks, max_length) for answer in "
                "answers]",
                "rows = globals().setdefault('_rows', [])\n"
                "    rows += [entailment_input(context, answer, marks, max_length) for answer in "
                "answers]\n"
                "    return list(rows)",
            ),
        ],
    ),
    *lost(
        "gpt_finetune_loss",
        [
            (
                "root_of_the_weight",
                ("right_without_padding", "padding_does_not_count"),
                "lm_weight * causal",
                "lm_weight**0.5 * causal",
            ),
            (
                "task_doubled",
                ("task_alone_is_right",),
                "ops.mean(per_text) +",
                "2 * ops.mean(per_text) +",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch04b_gpt",
            name,
            key="labels_not_shifted",
            properties=properties,
            source=_REPAIRED.replace("LOGITS", logits).replace("LOSS", loss),
        )
        for name, properties, logits, loss in [
            (
                "logits_doubled",
                ("logits_are_right",),
                "2 * logits",
                "causal_lm_loss(2 * logits, token_ids, padding_mask)",
            ),
            (
                "loss_doubled",
                ("loss_follows_from_logits",),
                "logits",
                "2 * causal_lm_loss(logits, token_ids, padding_mask)",
            ),
            (
                "loss_only",
                ("logits_and_loss_come_back",),
                "(causal_lm_loss(logits, token_ids, padding_mask)",
                "0)[0]",
            ),
        ]
    ],
]
