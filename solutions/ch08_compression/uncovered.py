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
_DRILL = "drill_ch08_compression"

UNCOVERED = [
    *lost(
        "magnitude_prune",
        [
            (
                "odd_places_first",
                ("nothing_larger_goes",),
                "np.abs(np.asarray(kernel)).ravel()",
                "np.abs(np.asarray(kernel)).ravel() + np.arange(np.size(kernel)) % 2",
            ),
            (
                "whole_rows",
                ("as_many_go_as_should", "nothing_larger_goes"),
                "parts = np.split(stays, ends[:-1])",
                "stays = stays | np.roll(stays, 1)\n    parts = np.split(stays, ends[:-1])",
            ),
            (
                "the_last_kernel_is_spared",
                ("as_many_go_as_should",),
                "parts = np.split(stays, ends[:-1])",
                "parts = np.split(stays, ends[:-1])\n    parts[-1][:] = True",
            ),
            (
                "a_number_for_each_kernel",
                ("a_bool_mask_for_each_kernel",),
                "return [part.reshape(np.shape(kernel)) for",
                "return [part.sum() for",
            ),
        ],
    ),
    *lost(
        "prune_heads",
        [
            (
                "order_turned",
                ("projections_are_right", "output_kernel_is_right"),
                '["output_kernel"][stays]',
                '["output_kernel"][stays][::-1]',
            ),
            (
                "biases_doubled",
                ("biases_are_right",),
                '_bias"][stays]',
                '_bias"][stays] * 2',
            ),
            (
                "half_a_head",
                ("projections_are_right", "output_kernel_is_right"),
                "for head in range(num_heads)], head_dim)",
                "for head in range(num_heads)], head_dim)\n    stays[-1:] = False",
            ),
        ],
    ),
    *lost(
        "quantize_int8",
        [
            (
                "a_fifth_less",
                ("scale_is_right",),
                "largest / 127",
                "0.8 * largest / 127",
            ),
            (
                "even_numbers_only",
                ("numbers_are_rounded",),
                "np.round(x / scale)",
                "2 * np.round(x / scale / 2)",
            ),
            (
                "at_most_a_hundred",
                ("numbers_are_rounded",),
                "-127, 127)",
                "-100, 100)",
            ),
        ],
    ),
    *lost(
        "dequantize",
        [
            (
                "half_precision",
                ("right_with_one_scale",),
                'np.asarray(scale, "float32")',
                'np.asarray(scale, "float16").astype("float32")',
            ),
            (
                "a_tenth_more",
                ("right_with_one_scale",),
                'astype("float32") *',
                'astype("float32") * 1.1 *',
            ),
        ],
    ),
    *lost(
        "distillation_loss",
        [
            (
                "cube",
                ("teacher_alone_is_right",),
                "temperature**2",
                "temperature**3",
            ),
            (
                "labels_smoothed",
                ("labels_alone_are_right",),
                "labels, student_logits, from_logits=True)",
                "labels, student_logits, from_logits=True)\n"
                "    hard = 0.9 * hard - 0.1 * ops.mean(ops.log_softmax(student_logits), axis=-1)",
            ),
            (
                "largest_example",
                ("teacher_alone_is_right_at_1", "labels_alone_are_right"),
                "return ops.mean(",
                "return ops.max(",
            ),
        ],
    ),
    *lost(
        "layer_mapping",
        [
            (
                "squared_steps",
                ("middle_is_right",),
                "layer * teacher_layers // student_layers for",
                "layer**2 * teacher_layers // student_layers**2 for",
            ),
            (
                "backwards",
                ("ends_meet",),
                "for layer in range(student_layers + 1)]",
                "for layer in range(student_layers, -1, -1)]",
            ),
        ],
    ),
    *lost(
        "low_rank",
        [
            (
                "equal_values",
                ("nothing_comes_closer",),
                "np.sqrt(values[:rank])",
                "np.sqrt(np.full(rank, values[:rank].mean()))",
            ),
            (
                "half_precision",
                ("nothing_comes_closer",),
                "return first.astype(kernel.dtype),",
                'return first.astype("float16").astype(kernel.dtype),',
            ),
        ],
    ),
    *lost(
        "share_layers",
        [
            (
                "halved",
                ("first_pass_is_right",),
                "states.append(x)",
                "x = x / 2\n            states.append(x)",
            ),
            (
                "mask_in_the_second_half",
                ("first_pass_is_right",),
                "for _ in range(self.num_layers):",
                "for number in range(self.num_layers):\n"
                "            if attention_mask is not None and number % 2 == 0:\n"
                "                attention_mask = keras.ops.logical_not(attention_mask)",
            ),
        ],
    ),
    *[
        uncovered(
            _DRILL,
            name,
            key="truncated",
            properties=properties,
            source='suspect = "truncated"\n\n' + _BUGS["truncated"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "four_bits",
                ("right_without_pruning",),
                "largest / 127, 1)",
                "largest / 7, 1)",
            ),
            (
                "relu",
                ("right_without_pruning",),
                '(whole * x_scale * kernel_scale + bias).astype("float32")',
                'np.maximum(whole * x_scale * kernel_scale + bias, 0).astype("float32")',
            ),
            (
                "small_ones_halved",
                ("right_with_pruning",),
                "[smallest] = 0.0",
                "[smallest] *= 0.5",
            ),
        ]
    ],
]
