"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them. An empty tuple admits that no property shows it.
"""

from autograder.variants import uncovered

_MASK = "return ops.not_equal(token_ids, pad_id)  # (B, T)"
_MEAN = "return total / ops.maximum(count, 1)  # (B, D)"
_CALL = "return x * self.scale + self.shift  # (..., D)"
_FORWARD = "return loss_of(y, model(x, training=True))"
_UPDATE = "optimizer.apply(gradients, model.trainable_variables)"

UNCOVERED = [
    *[
        uncovered("padding_mask_from_ids", name, patch=(_MASK, text), properties=properties)
        for name, text, properties in [
            (
                "small_ids_lost",
                "return ops.logical_and(token_ids != pad_id, token_ids > 3)",
                ("real_words_are_true",),
            ),
            (
                "neighbours_too",
                "real = token_ids != pad_id\n"
                "    return ops.logical_and(real, ops.roll(real, 1, axis=1))",
                ("real_words_are_true", "pads_are_false"),
            ),
            (
                "every_other_position",
                "even = ops.arange(token_ids.shape[1]) % 2 == 0\n"
                "    return ops.logical_and(token_ids != pad_id, even)",
                ("real_words_are_true",),
            ),
        ]
    ],
    *[
        uncovered("masked_mean", name, patch=(_MEAN, text), properties=properties)
        for name, text, properties in [
            (
                "length_one",
                "mean = total / ops.maximum(count, 1)\n"
                "    return mean / (1e-6 + ops.norm(mean, axis=-1, keepdims=True))",
                ("full_sentences_are_right", "padded_sentences_are_right"),
            ),
            (
                "ones_for_nothing",
                "return ops.where(count > 0, total / ops.maximum(count, 1), 1.0)",
                ("empty_sentences_are_zero",),
            ),
            (
                "at_least_three_words",
                "return total / ops.maximum(count, 3)",
                ("padded_sentences_are_right",),
            ),
        ]
    ],
    *[
        uncovered("ScaleShift", name, patch=patch, properties=properties)
        for name, patch, properties in [
            (
                "squared",
                (_CALL, "return ops.square(x) * self.scale + self.shift"),
                ("output_is_right",),
            ),
            (
                "cut_off_at_zero",
                (_CALL, "return ops.relu(x * self.scale + self.shift)"),
                ("output_is_right",),
            ),
            (
                "shift_starts_anywhere",
                (
                    'shape=size, initializer="zeros")',
                    'shape=size, initializer="random_normal")',
                ),
                ("shift_starts_rightly",),
            ),
            (
                "three_weights",
                (
                    "size = (input_shape[-1],)  # (D,)",
                    "size = (input_shape[-1],)\n"
                    '        self.add_weight(name="third", shape=size, initializer="zeros")',
                ),
                ("two_named_weights",),
            ),
        ]
    ],
    *[
        uncovered("train_to_overfit", name, patch=patch, properties=properties)
        for name, patch, properties in [
            (
                "loss_halved_in_the_report",
                ("losses.append(float(loss))", "losses.append(float(loss) / 2)"),
                ("first_loss_is_right",),
            ),
            (
                "gradients_cut_to_tiny",
                (
                    _UPDATE,
                    "gradients = [ops.sign(g) * ops.minimum(ops.abs(g), 1e-8) for g in gradients]\n"
                    f"        {_UPDATE}",
                ),
                ("update_is_right",),
            ),
            (
                "smoothed",
                (
                    _FORWARD,
                    "logits = model(x, training=True)\n"
                    "        return loss_of(y, logits) - 0.1 * ops.mean(logits)",
                ),
                ("first_loss_is_right",),
            ),
        ]
    ],
    *[
        uncovered(
            "drill_ch00_start",
            name,
            key="mask_from_vectors",
            source=f"""
suspect = "mask_from_vectors"

def repaired(token_ids, table, pad_id=0):
    weight = ops.cast(token_ids != pad_id, "float32")[:, :, None]
    mean = ops.sum(ops.take(table, token_ids, axis=0) * weight, axis=1)
    mean = mean / ops.maximum(ops.sum(weight, axis=1), 1)
    return {text}
""",
            properties=properties,
        )
        for name, text, properties in [
            ("doubled", "2 * mean", ("some_vector_is_wrong",)),
            ("centred", "mean - ops.mean(mean, axis=0)", ("some_vector_is_wrong",)),
        ]
    ],
]
