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


UNCOVERED = [
    *lost(
        "encode_batch",
        [
            (
                "every_second_token",
                ("shape_is_right", "tokens_come_back"),
                '["[BOS]", *sequence, "[EOS]"]',
                '["[BOS]", *sequence[::2], "[EOS]"]',
            ),
            (
                "mask_begins_late",
                ("mask_tells_padding",),
                "padding_mask[row, : len(ids)] = True",
                "padding_mask[row, 2 : len(ids)] = True",
            ),
            (
                "negative_padding",
                ("padding_is_pad",),
                'vocabulary["[PAD]"]',
                "-7",
            ),
        ],
    ),
    *lost(
        "rnn_step",
        [
            ("sine", ("new_state_is_right",), "ops.tanh", "ops.sin"),
            ("half_the_input", ("new_state_is_right",), "ops.matmul(x, ", "0.5 * ops.matmul(x, "),
            (
                "rows_mixed",
                ("rows_keep_to_themselves", "new_state_is_right"),
                "ops.matmul(state, recurrent_kernel)",
                "ops.matmul(ops.roll(state, 1, axis=0), recurrent_kernel)",
            ),
        ],
    ),
    *lost(
        "lstm_step",
        [
            (
                "carry_clipped",
                ("carry_is_right",),
                "ops.tanh(candidate)\n",
                "ops.tanh(candidate)\n    carry = ops.clip(carry, -0.8, 0.8)\n",
            ),
            (
                "state_doubled",
                ("state_follows_from_carry",),
                "return ops.sigmoid(output_gate)",
                "return 2 * ops.sigmoid(output_gate)",
            ),
            (
                "forget_gate_squared",
                ("carry_is_right",),
                "ops.sigmoid(forget_gate)",
                "ops.sigmoid(forget_gate) ** 2",
            ),
        ],
    ),
    *lost(
        "gru_step",
        [
            ("candidate_sine", ("new_state_is_right",), "ops.tanh(", "ops.sin("),
            (
                "update_squared",
                ("new_state_is_right",),
                "ops.sigmoid(input_update + state_update)",
                "ops.sigmoid(input_update + state_update) ** 2",
            ),
        ],
    ),
    *lost(
        "masked_unroll",
        [
            (
                "half_a_step_at_padding",
                ("stands_still_at_padding", "outputs_are_right"),
                "ops.where(is_real, new, old)",
                "ops.where(is_real, new, 0.5 * old)",
            ),
            (
                "outputs_halved",
                ("first_step_is_right", "outputs_are_right"),
                "outputs.append(states[0])",
                "outputs.append(0.5 * states[0])",
            ),
        ],
    ),
    *lost(
        "shift_right",
        [
            (
                "labels_plus_one",
                ("labels_are_right",),
                "label_ids = token_ids[:, 1:]",
                "label_ids = token_ids[:, 1:] + 1",
            ),
            (
                "inputs_backwards",
                ("inputs_are_right",),
                "token_ids[:, :-1]",
                "token_ids[:, :-1][:, ::-1]",
            ),
        ],
    ),
    *lost(
        "encoder_decoder",
        [
            (
                "source_embedding_halved",
                ("first_logits_are_right",),
                "target = ops.take(",
                "source = 0.5 * source\n    _, context = masked_unroll(encode, source, "
                "(zeros, zeros), source_mask)\n    target = ops.take(",
            ),
            (
                "inputs_grow",
                ("later_logits_are_right", "first_logits_are_right"),
                "every_token = ",
                "target = target * ops.reshape(1.0 + ops.arange(target.shape[1], "
                'dtype="float32"), (1, -1, 1))\n    every_token = ',
            ),
        ],
    ),
    *lost(
        "sequence_loss",
        [
            (
                "smoothed_labels",
                ("right_without_padding",),
                "of_labels * is_real",
                "(0.9 * of_labels + 0.1 * ops.mean(log_probabilities, -1)) * is_real",
            ),
            (
                "longer_rows_count_more",
                ("padding_does_not_count",),
                "/ ops.sum(is_real)",
                "/ ops.sum(is_real) * ops.sum(ops.max(is_real, axis=1)) "
                "/ ops.sum(is_real) * ops.sum(ops.max(is_real, axis=0))",
            ),
        ],
    ),
    *lost(
        "greedy_decode",
        [
            (
                "next_id",
                ("first_token_is_right",),
                "ops.argmax(logits, axis=-1)",
                "(ops.argmax(logits, axis=-1) + 1) % logits.shape[-1]",
            ),
            (
                "drawn_at_random",
                ("first_token_is_right", "second_token_is_right"),
                "ops.argmax(logits, axis=-1)",
                "keras.random.categorical(0.02 * logits, 1, seed=7)[:, 0]",
            ),
            (
                "forgets_after_two",
                ("second_token_is_right", "length_is_right", "rows_end_properly"),
                "logits, states = step(token_ids, states)",
                "logits, states = step(token_ids * 0 + len(said), states)",
            ),
        ],
    ),
]
