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


_FIXED = next(iter(read_bugs(Path(__file__).with_name("drill.py")))).fixed.strip()


def drilled(old, new):
    return f'suspect = "reversal_ignores_lengths"\n\n\n{_FIXED.replace(old, new)}\n'


UNCOVERED = [
    *lost(
        "forward_lm",
        [
            (
                "squashed",
                ("first_layer_is_right",),
                "states.append(x)",
                "states.append(ops.tanh(x))",
            ),
            (
                "faint_above",
                ("layers_above_are_right",),
                "states.append(x)",
                "states.append(x)\n        x = 0.5 * x",
            ),
            (
                "rows_mixed",
                ("first_layer_is_right",),
                "x = layer(x)",
                "x = layer(ops.roll(x, 1, axis=0))",
            ),
        ],
    ),
    *lost(
        "backward_lm",
        [
            (
                "last_token_skipped",
                ("last_token_is_read_first", "full_rows_are_right"),
                "length - 1 - place, place)",
                "ops.maximum(length - 2 - place, 0), place)",
            ),
            (
                "input_halved",
                ("last_token_is_read_first", "full_rows_are_right"),
                "states = forward_lm(mirrored, layers)",
                "states = forward_lm(0.5 * mirrored, layers)",
            ),
            (
                "length_leaks",
                ("full_rows_are_right", "padded_rows_are_right"),
                "for state in states]",
                "for state in [s / ops.cast(length, s.dtype)[..., None] for s in states]]",
            ),
        ],
    ),
    *lost(
        "bilm_loss",
        [
            (
                "cooler",
                ("one_direction_is_right",),
                'logits = ops.cast(score(states), "float32")',
                'logits = ops.cast(score(states), "float32") / 2',
            ),
            (
                "smoothed",
                ("one_direction_is_right",),
                "return ops.sum(losses * counts) / ops.sum(counts)",
                "return 0.9 * ops.sum(losses * counts) / ops.sum(counts) + 0.1",
            ),
            (
                "forward_counts_double",
                ("loss_is_the_mean_of_both",),
                "(forward_loss + backward_loss) / 2",
                "(2 * forward_loss + backward_loss) / 3",
            ),
            (
                "divided_by_a_number_that_may_be_zero",
                ("nothing_is_divided_by_zero",),
                "return ops.sum(losses * counts) / ops.sum(counts)",
                "number = ops.sum(counts)\n"
                "        return ops.sum(losses * counts) / number"
                " + 0 * ops.sum(1 / ops.sum(counts, axis=1))",
            ),
            (
                "states_squashed_on_one_side",
                ("backward_is_right",),
                "backward_states[-1][:, 1:]",
                "ops.tanh(backward_states[-1][:, 1:])",
            ),
        ],
    ),
    *lost(
        "ScalarMix",
        [
            (
                "scores_squared",
                ("mix_is_right",),
                "ops.softmax(ops.convert_to_tensor(self.scores))",
                "ops.softmax(ops.square(self.scores))",
            ),
            (
                "starts_at_two",
                ("starts_rightly",),
                'initializer="ones"',
                "initializer=keras.initializers.Constant(2.0)",
            ),
            ("layers_squashed", ("average_at_first",), "* layer for", "* ops.tanh(layer) for"),
        ],
    ),
    *lost(
        "elmo_features",
        [
            (
                "embedding_doubled",
                ("embedding_comes_first",),
                "(x, x)",
                "(x, 2 * x)",
            ),
            (
                "backward_negative",
                ("layers_follow",),
                "zip(forward_states, backward_states, strict=True)",
                "zip(forward_states, [-state for state in backward_states], strict=True)",
            ),
            (
                "three_parts",
                ("twice_as_wide", "a_list_of_one_more"),
                "(x, x)",
                "(x, x, x)",
            ),
        ],
    ),
    *lost(
        "freeze_backbone",
        [
            (
                "the_neighbour_too",
                ("the_rest_learns",),
                "for layer in frozen:",
                "model.get_layer('adapter').trainable = False\n    for layer in frozen:",
            ),
            (
                "stem_thaws",
                ("what_was_frozen_stays_so",),
                "for layer in frozen:",
                "model.layers[1].trainable = model.layers[-1].trainable = True\n"
                "    model.layers[-1].bias.trainable = False\n    for layer in frozen:",
            ),
            (
                "nothing_listed",
                ("paths_are_listed",),
                "return sorted(variable.path for variable in model.trainable_variables)",
                "return []",
            ),
            (
                "only_lists_of_paths",
                ("paths_are_listed",),
                "return sorted(variable.path for variable in model.trainable_variables)",
                "return sorted(variable.path for variable in model.trainable_variables)[1:]",
            ),
        ],
    ),
    *lost(
        "gradual_unfreeze",
        [
            (
                "every_second_layer",
                ("layers_join_in_time",),
                "layer.trainable = number >= first",
                "layer.trainable = number >= first and (len(layers) - number) % 2 == 1",
            ),
            (
                "two_at_a_time",
                ("lower_layers_wait",),
                "len(layers) - 1 - epoch",
                "len(layers) - 1 - 2 * epoch",
            ),
            (
                "a_name_twice",
                ("names_are_listed",),
                "return [layer.name for layer in layers[first:]]",
                "return [layer.name for layer in [*layers[first:], layers[-1]]]",
            ),
            (
                "head_never",
                ("top_layer_learns",),
                "layer.trainable = number >= first",
                "layer.trainable = number >= first and layer is not layers[-1]",
            ),
        ],
    ),
    *lost(
        "CharCNN",
        [
            (
                "vectors_halved",
                ("full_words_are_right",),
                "ops.where(is_real, self.character_embedding(ids), 0)",
                "ops.where(is_real, 0.5 * self.character_embedding(ids), 0)",
            ),
            (
                "bounded",
                ("full_words_are_right",),
                "x = ops.concatenate(best, axis=-1)",
                "x = ops.tanh(ops.concatenate(best, axis=-1))",
            ),
            (
                "letters_backwards",
                ("full_words_are_right",),
                "ids = ops.reshape(character_ids, (-1, longest))",
                "ids = ops.flip(ops.reshape(character_ids, (-1, longest)), axis=1)",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch04a_elmo",
            name,
            key="reversal_ignores_lengths",
            source=drilled(old, new),
            properties=properties,
        )
        for name, old, new, properties in [
            (
                "smoothed",
                "loss = total / 2",
                "loss = 0.9 * total / 2 + 0.1",
                ("loss_is_right",),
            ),
            (
                "mixed_is_bounded",
                "return loss, scale * mixed",
                "return loss, ops.tanh(scale * mixed)",
                ("mixed_is_right",),
            ),
        ]
    ],
]
