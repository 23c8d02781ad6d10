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


_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_FIXED = _BUGS["kernels_not_transposed"].fixed.strip()

UNCOVERED = [
    *lost(
        "warmup_linear_decay",
        [
            (
                "rise_squared",
                ("rise_is_right",),
                "(step + 1) / max(1, warmup_steps)",
                "((step + 1) / max(1, warmup_steps)) ** 2",
            ),
            (
                "never_below_a_tenth",
                ("end_is_right", "fall_is_right"),
                "ops.maximum(0.0, fall)",
                "ops.maximum(0.1, fall)",
            ),
            (
                "one_rate_for_all",
                ("one_rate_for_each_update", "fall_is_right", "rise_is_right"),
                "return peak * ops.minimum(",
                "return peak * ops.min(1.0 * step) * ops.minimum(",
            ),
        ],
    ),
    *lost(
        "no_decay_variables",
        [
            (
                "pooler_too",
                ("the_rest_decays",),
                "if v.path",
                'if "pooler" in v.path or v.path',
            ),
            (
                "every_second",
                ("exempt_ones_are_found",),
                ".endswith(exempt)]",
                ".endswith(exempt)][::2]",
            ),
        ],
    ),
    *lost(
        "adamw_step",
        [
            (
                "largest_velocity",
                ("velocity_is_right",),
                "velocity = beta_2 * velocity + (1 - beta_2) * ops.square(gradient)",
                "velocity = ops.maximum(velocity, beta_2 * velocity + (1 - beta_2) * "
                "ops.square(gradient))",
            ),
            (
                "looking_ahead",
                ("weight_follows_from_moments",),
                "corrected_momentum = momentum / (1 - beta_1**step)",
                "corrected_momentum = (beta_1 * momentum + (1 - beta_1) * gradient) / "
                "(1 - beta_1**step)",
            ),
            (
                "one_percent_more",
                ("weight_follows_from_moments",),
                "return weight - learning_rate",
                "return 1.01 * weight - learning_rate",
            ),
        ],
    ),
    *lost(
        "bert_encoder_output",
        [
            (
                "a_little_more",
                ("blocks_follow",),
                "hidden_states.append(x)",
                "hidden_states.append(1.01 * x)",
            ),
            (
                "pooled_second_token",
                ("pooled_output_is_right",),
                "pooler(x)",
                "pooler(x[:, 1:])",
            ),
            (
                "embeddings_doubled",
                ("embeddings_come_first",),
                "x = embeddings(token_ids, segment_ids)",
                "x = 2.0 * embeddings(token_ids, segment_ids)",
            ),
        ],
    ),
    *lost(
        "pretrain_step",
        [
            (
                "loss_doubled",
                ("loss_is_right",),
                "return loss, norm",
                "return 2.0 * loss, norm",
            ),
            (
                "decay_added",
                ("update_is_right",),
                "[g * scale for g in gradients]",
                "[g * scale + 0.01 * v for g, v in zip(gradients, variables)]",
            ),
            (
                "norm_of_the_first_two",
                ("norm_is_right",),
                "ops.square(g)) for g in gradients)",
                "ops.square(g)) for g in gradients[:2])",
            ),
        ],
    ),
    *lost(
        "convert_name",
        [
            (
                "pooler_without_its_layer",
                ("paths_are_right",),
                '"pooler.dense": "pooler/dense"',
                '"pooler.dense": "pooler"',
            ),
            (
                "two_digits_always",
                ("paths_are_right",),
                "place.replace('#', number)",
                "place.replace('#', number.zfill(2))",
            ),
            (
                "even_blocks_only",
                ("known_names_are_known",),
                "layer[2].isdecimal()",
                "layer[2].isdecimal() and int(layer[2]) % 2 == 0",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch05c_pretraining",
            name,
            key="kernels_not_transposed",
            properties=properties,
            source=f'suspect = "kernels_not_transposed"\n\n\n{_FIXED.replace(old, new)}\n',
        )
        for name, properties, old, new in [
            (
                "norm_doubled",
                ("norm_is_right",),
                "return moved, norm",
                "return moved, 2 * norm",
            ),
            (
                "weights_alone",
                ("weights_and_norm_come_back",),
                "return moved, norm",
                "return moved",
            ),
            (
                "biases_at_rest",
                ("vectors_are_right",),
                "    return moved, norm",
                "    for path in moved:\n"
                '        if path.endswith("bias"):\n'
                "            moved[path] = weights[path]\n"
                "    return moved, norm",
            ),
        ]
    ],
    *lost(
        "capstone_bert",
        [
            (
                "everything_larger",
                ("embeddings_are_right",),
                "variable.assign(tensor_of(variable.path))",
                "variable.assign(1.1 * tensor_of(variable.path))",
            ),
            (
                "pooler_without_bias",
                ("pooled_output_is_right",),
                "    return bert_encoder_output(",
                "    pooler.dense.bias.assign(0.0 * pooler.dense.bias)\n"
                "    return bert_encoder_output(",
            ),
        ],
    ),
]
