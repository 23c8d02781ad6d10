"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered


def _uncovered(exercise, rows):
    return [
        uncovered(exercise, name, patch=patch, properties=properties)
        for name, patch, properties in rows
    ]


_SHARE = "share = counts.get((context, padded[t]), 0) / totals[context]"
NGRAMS = _uncovered(
    "ngram_lm",
    [
        (
            "square_root_of_the_share",
            (_SHARE, _SHARE.replace("share = ", "share = (") + ") ** 0.5"),
            ("adds_up_to_one", "probabilities"),
        ),
        (
            "half_a_count_taken_away",
            (_SHARE, "share = max(counts.get((context, padded[t]), 0) - 0.5, 0) / totals[context]"),
            ("adds_up_to_one", "first_words"),
        ),
        (
            "first_word_twice",
            ("for sequence in test:\n", "for sequence in [s[:1] + s for s in test]:\n"),
            ("one_probability_per_token",),
        ),
        (
            "counters_outside_the_function",
            (
                "counts, totals = {}, {}\n",
                "store = globals().setdefault('_store', ({}, {}))\n    counts, totals = store\n",
            ),
            # The first check of a process says what it is; a later one finds older counts, too.
            ("an_earlier_text_is_remembered", "words_without_a_known_context"),
        ),
        (
            "perplexity_rounded",
            (
                "math.exp(sum(surprise) / len(surprise))",
                "round(math.exp(sum(surprise) / len(surprise)))",
            ),
            ("perplexity_follows",),
        ),
    ],
)

_HIDDEN = "hidden = total / count  # (B, D)"
FORWARD = _uncovered(
    "cbow_forward",
    [
        (
            "nearer_places_weigh_more",
            (
                "real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)",
                "real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)\n"
                "    real = real * (1.0 + ops.arange(context_ids.shape[1], dtype='float32'))",
            ),
            ("full_rows",),
        ),
        (
            "last_feature_dropped",
            (
                _HIDDEN,
                "kept = [1.0] * (embedding.shape[1] - 1) + [0.0]\n"
                "    hidden = total / count * kept",
            ),
            ("full_rows",),
        ),
        (
            "logits_of_the_cube",
            ("ops.matmul(hidden, ops", "ops.matmul(hidden**3, ops"),
            ("logits_follow_from_hidden",),
        ),
        (
            "padding_as_word_one",
            (
                "vectors = ops.take(embedding, context_ids, axis=0)  # (B, C, D)",
                "context_ids = ops.maximum(context_ids, 1)\n"
                "    vectors = ops.take(embedding, context_ids, axis=0)\n"
                "    real = ops.ones_like(real)",
            ),
            ("padded_rows",),
        ),
    ],
)
LOSS = _uncovered(
    "cbow_loss",
    [
        (
            "smoothed_targets",
            (
                "return -ops.mean(chosen)",
                "return -0.9 * ops.mean(chosen) - 0.1 * ops.mean(log_probabilities)",
            ),
            ("loss_is_right",),
        ),
        (
            "focal",
            ("return -ops.mean(chosen)", "return -ops.mean((1 - ops.exp(chosen)) * chosen)"),
            ("loss_is_right",),
        ),
        (
            "first_half_of_the_batch",
            ("return -ops.mean(chosen)", "return -ops.mean(chosen[: (chosen.shape[0] + 1) // 2])"),
            ("loss_is_right",),
        ),
    ],
)

_ADD = "output = output + ops.matmul(seen, kernel[row])  # (B, T, F)"
CONVOLUTION = _uncovered(
    "conv1d_same",
    [
        (
            "triangular_window",
            (
                _ADD,
                "closeness = 1 + kernel_size // 2 - abs(row - kernel_size // 2)\n"
                "        output = output + closeness * ops.matmul(seen, kernel[row])",
            ),
            ("middle_is_right",),
        ),
        (
            "ends_are_ones",
            (
                "padded = ops.pad(x, [[0, 0], [reach, reach], [0, 0]])",
                "padded = ops.pad(x, [[0, 0], [reach, reach], [0, 0]], constant_values=1.0)",
            ),
            ("ends_are_right",),
        ),
        (
            "first_feature_twice",
            (
                _ADD,
                _ADD.replace(
                    "matmul(seen,",
                    "matmul(ops.concatenate([seen[..., :1] * 2, seen[..., 1:]], -1),",
                ),
            ),
            ("middle_is_right",),
        ),
    ],
)
_FIELD = "return 1 + sum(grown)"
FIELD = _uncovered(
    "receptive_field",
    [
        ("three_too_many", (_FIELD, "return 4 + sum(grown)"), ("plain_stacks",)),
        (
            "as_if_every_layer_had_a_stride_of_two",
            (
                "sum(grown)",
                "sum(each * 2**layer for layer, each in enumerate(grown))",
            ),
            ("plain_stacks", "stacks_with_gaps"),
        ),
    ],
)
STEPS = _uncovered(
    "sequential_steps",
    [
        (
            "softmax_counted",
            (
                "return 1, 4 * one_kernel + 2 * pairs",
                "return 1, 4 * one_kernel + 2 * pairs + 3 * length**2",
            ),
            ("attention_work",),
        ),
        (
            "five_layers_more",
            ("layers = -(-(length - 1) // reach)", "layers = 5 + -(-(length - 1) // reach)"),
            ("convolution_steps",),
        ),
    ],
)

_DRILL = "drill_ch01b_words_and_windows"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_KEY = "full_gradient_to_every_word"


def _drill(name, old, new, properties):
    fixed = _BUGS[_KEY].fixed
    assert fixed.count(old) == 1, old
    source = f'suspect = "{_KEY}"\n\n\n{fixed.replace(old, new).strip()}\n'
    return uncovered(_DRILL, name, key=_KEY, source=source, properties=properties)


DRILL = [
    _drill(
        "gradient_clipped",
        "return loss, embedding_gradient,",
        "return loss, ops.clip(embedding_gradient, -0.01, 0.01),",
        ("first_gradient_is_right",),
    ),
    _drill(
        "squared_error_in_the_loss",
        "loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))",
        "loss = ops.mean((probabilities - target) ** 2)",
        ("loss_is_right",),
    ),
]

UNCOVERED = [*NGRAMS, *FORWARD, *LOSS, *CONVOLUTION, *FIELD, *STEPS, *DRILL]
