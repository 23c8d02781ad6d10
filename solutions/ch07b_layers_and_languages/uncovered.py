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
_DRILL = "drill_ch07b_layers_and_languages"
_TABLE = "return np.array([[accuracy(model, test) for _, test in sets] for model in models])"
_DRAW = "rng.integers(num_classes, size=len(distinct))"

UNCOVERED = [
    *lost(
        "probe_layer",
        [
            (
                "ridge_grows_with_features",
                ("right_for_many_examples", "ridge_does_what_it_should"),
                "ridge * np.eye(x.shape[1])",
                "ridge * np.diag(np.arange(1, x.shape[1] + 1))",
            ),
            (
                "first_half_only",
                ("right_for_many_examples", "shares_are_left_by_a_huge_ridge"),
                "y = np.eye(num_classes)[labels]  # (n, C)",
                "labels, x = labels[: len(x) // 2 + 1], x[: len(x) // 2 + 1]\n"
                "    y = np.eye(num_classes)[labels]",
            ),
            (
                "one_decimal",
                (
                    "right_for_many_examples",
                    "rows_add_up_to_one",
                    "shares_are_left_by_a_huge_ridge",
                ),
                'return (np.asarray(test_features, "float64") - mean_x) @ slopes + mean_y',
                "return np.round((test_features - mean_x) @ slopes + mean_y, 1)",
            ),
            (
                "never_negative",
                ("right_for_many_examples", "rows_add_up_to_one"),
                'return (np.asarray(test_features, "float64") - mean_x) @ slopes + mean_y',
                "return np.maximum((test_features - mean_x) @ slopes + mean_y, 0)",
            ),
        ],
    ),
    *lost(
        "control_task",
        [
            (
                "smaller_of_two_lots",
                ("every_class_has_its_chance",),
                _DRAW,
                "rng.integers(num_classes, size=(2, len(distinct))).min(axis=0)",
            ),
            (
                "by_the_first_letter",
                ("words_are_independent", "every_class_has_its_chance"),
                _DRAW,
                "(rng.integers(num_classes, size=128)[[ord(w[0]) for w in distinct]])",
            ),
            (
                "in_pairs",
                ("words_are_independent",),
                _DRAW,
                "np.repeat(rng.integers(num_classes, size=len(distinct)), 2)[: len(distinct)]",
            ),
        ],
    ),
    *lost(
        "selectivity",
        [
            (
                "control_with_twice_the_ridge",
                ("control_is_right",),
                "scores = probe_layer(features[train], wanted[train], features[~train], "
                "num_classes, ridge)",
                "scores = probe_layer(features[train], wanted[train], features[~train], "
                "num_classes, ridge)\n"
                "        ridge = ridge * 50 + 40",
            ),
            (
                "half_of_the_train_part",
                ("task_is_right",),
                "scores = probe_layer(features[train], wanted[train]",
                "half = np.flatnonzero(train)[: max(int(train.sum()) // 2, 2)]\n"
                "        scores = probe_layer(features[half], wanted[half]",
            ),
            (
                "two_decimals",
                ("task_is_right", "control_is_right", "difference_is_right"),
                "accuracies.append(float(np.mean(scores.argmax(axis=-1) == wanted[~train])))",
                "right = scores.argmax(axis=-1) == wanted[~train]\n"
                "        accuracies.append(float(np.round(np.mean(right), 1)))",
            ),
        ],
    ),
    *lost(
        "scalar_mix_probe",
        [
            (
                "layers_to_unit_length",
                ("mixed_is_right",),
                'np.asarray(layers, "float64")',
                "layers / np.linalg.norm(layers, axis=-1, keepdims=True)",
            ),
            (
                "logits_halved",
                ("mixed_is_right", "all_is_finite"),
                "np.exp(logits - logits.max())",
                "np.exp((logits - logits.max()) / 2)",
            ),
            (
                "clipped_logits",
                ("mixed_is_right", "centre_is_right"),
                "np.exp(logits - logits.max())",
                "np.exp(np.clip(logits, -1, 1))",
            ),
            (
                "shifted_by_the_mean",
                ("all_is_finite",),
                "np.exp(logits - logits.max())",
                "np.exp(logits - logits.mean())",
            ),
            (
                "centre_rounded",
                ("centre_is_right",),
                "float(weights @ np.arange(len(weights)))",
                "float(round(weights @ np.arange(len(weights)), 1))",
            ),
        ],
    ),
    *lost(
        "expected_layer",
        [
            (
                "every_second_layer",
                ("right_where_all_add", "from_1_to_the_top", "bad_input_is_refused"),
                'gains = np.diff(np.asarray(scores, "float64"))  # (L,)',
                'gains = np.diff(np.asarray(scores, "float64"))\n    gains[1::2] = gains[1::2] / 2',
            ),
            (
                "median_layer",
                ("right_where_all_add", "a_single_layer_is_1"),
                "return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())",
                "return float(1 + np.searchsorted(np.cumsum(gains), gains.sum() / 2))",
            ),
            (
                "whole_layers",
                ("right_where_all_add",),
                "return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())",
                "return float(np.round(gains @ np.arange(1, len(gains) + 1) / gains.sum()))",
            ),
            (
                "never_below_one",
                ("right_with_losses",),
                "return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())",
                "return float(np.clip(gains @ np.arange(1, len(gains) + 1) / gains.sum(), 1, "
                "len(gains)))",
            ),
        ],
    ),
    *lost(
        "linear_cka",
        [
            (
                "gaussian_kernel",
                ("right_for_many_examples", "turning_changes_nothing"),
                "return float(np.linalg.norm(y.T @ x) ** 2 / norms)",
                "k, l = (np.exp(-np.square(a[:, None] - a).sum(-1) / a.shape[1]) for a in (x, y))\n"
                "    k, l = (m - m.mean(0) - m.mean(1)[:, None] + m.mean() for m in (k, l))\n"
                "    return float((k * l).sum() / np.sqrt((k * k).sum() * (l * l).sum()))",
            ),
            (
                "without_the_last_example",
                ("right_for_many_examples", "stretching_shows"),
                "for a in (x, y))",
                "for a in (x[:-1], y[:-1]))",
            ),
            (
                "two_decimals",
                ("right_for_many_examples", "stretching_shows"),
                "return float(np.linalg.norm(y.T @ x) ** 2 / norms)",
                "return float(round(np.linalg.norm(y.T @ x) ** 2 / norms, 2))",
            ),
        ],
    ),
    *lost(
        "smoothed_language_weights",
        [
            (
                "smallest_share",
                ("size_decides_at_1", "power_is_right"),
                "return shares / shares.sum()",
                "shares = np.where(shares > 0, np.maximum(shares / shares.sum(), 0.1), 0)\n"
                "    return shares / shares.sum()",
            ),
            (
                "in_order_of_size",
                ("size_decides_at_1", "power_is_right", "nothing_stays_nothing"),
                "return shares / shares.sum()",
                "return np.sort(shares / shares.sum())",
            ),
            (
                "power_twice",
                ("power_is_right", "shares_add_up_to_one"),
                "return shares / shares.sum()",
                "return np.where(shares > 0, (shares / shares.sum()) ** exponent, 0) / "
                "np.where(shares > 0, (shares / shares.sum()) ** exponent, 0).sum()",
            ),
        ],
    ),
    *lost(
        "transfer_table",
        [
            (
                "next_language",
                ("diagonal_is_right",),
                "models = [fit(train) for train, _ in sets]",
                "models = [fit(train) for train, _ in sets]\n    models = models[1:] + models[:1]",
            ),
            (
                "three_at_most",
                ("shape_is_right", "diagonal_is_right", "other_cells_are_right"),
                "for model in models])",
                "for model in models[:3]])",
            ),
            (
                "rank_in_its_row",
                ("diagonal_is_right", "other_cells_are_right"),
                _TABLE,
                "table = np.array([[accuracy(m, test) for _, test in sets] for m in models])\n"
                "    return table.argsort(axis=1).argsort(axis=1) + 0.0",
            ),
        ],
    ),
    *[
        uncovered(
            _DRILL,
            name,
            key="scaled_by_all",
            properties=properties,
            source='suspect = "scaled_by_all"\n\n' + _BUGS["scaled_by_all"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "mean_with_the_embeddings",
                ("accuracy_is_right",),
                "on_judge[chosen],",
                "(2 * on_judge[chosen] + on_judge[0]) / 3,",
            ),
            (
                "half_of_what_judges",
                ("accuracy_is_right",),
                "right[judge].mean()))",
                "right[judge][::2].mean()))",
            ),
            (
                "baseline_of_half_the_part",
                ("baseline_is_right",),
                "np.mean(labels[judge] == commonest)",
                "np.mean(labels[judge][1::2] == commonest)",
            ),
            (
                "a_text_for_chosen",
                ("three_numbers_come_back",),
                "return chosen,",
                'return f"layer {chosen}",',
            ),
        ]
    ],
]
