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
_DRILL = "drill_ch07c_failure"
_ANYWHERE = (
    "right_without_a_known_word",
    "right_for_single_known_words",
    "right_for_several_words",
)

UNCOVERED = [
    *lost(
        "hypothesis_only_baseline",
        [
            (
                "first_two_words",
                _ANYWHERE,
                "words = [word for word in text.lower().split() if word in vocabulary]",
                "words = [word for word in text.lower().split() if word in vocabulary][:2]",
            ),
            (
                "half_of_the_texts",
                _ANYWHERE,
                "zip(texts, labels, strict=True)",
                "list(zip(texts, labels, strict=True))[::2]",
            ),
            (
                "prior_three_times",
                _ANYWHERE,
                "prior + sum(",
                "3 * prior + sum(",
            ),
        ],
    ),
    *lost(
        "cue_productivity",
        [
            (
                "last_question_left_out",
                ("coverage_is_right", "productivity_is_right"),
                "zip(choices, labels, strict=True)",
                "list(zip(choices, labels, strict=True))[:-1]",
            ),
            (
                "one_added_to_both",
                ("productivity_is_right",),
                "productive / applies if applies",
                "(productive + 1) / (applies + 2) if applies",
            ),
            (
                "never_for_three_choices",
                ("coverage_is_right", "productivity_is_right"),
                "any(has_cue) and not all(has_cue)",
                "any(has_cue) and not all(has_cue) and len(sets) != 3",
            ),
        ],
    ),
    *lost(
        "add_distractor",
        [
            (
                "moved_twice_as_far",
                ("answer_is_where_it_was_put",),
                "shift = len(distractor)",
                "shift = 2 * len(distractor)",
            ),
            (
                "two_words_at_most",
                ("words_are_right", "answer_is_where_it_was_put"),
                "changed = [*words[:position], *distractor,",
                "changed = [*words[:position], *distractor[:2],",
            ),
            (
                "every_other_start",
                ("refuses_what_it_should",),
                "range(len(distractor) - len(right) + 1)",
                "range(0, len(distractor) - len(right) + 1, 2)",
            ),
        ],
    ),
    uncovered(
        "contrast_edit",
        "two_copies_at_most",
        source="""
def contrast_edit(words, opposites):
    both = dict(opposites)
    both.update({value: key for key, value in opposites.items()})
    found = []
    for at, word in enumerate(words):
        if word in both and len(found) < 2:
            found.append((words[:at] + [both[word]] + words[at + 1 :], at))
    return found
""",
        properties=("a_copy_for_each_place",),
    ),
    uncovered(
        "contrast_edit",
        "neighbour_too",
        source="""
def contrast_edit(words, opposites):
    both = dict(opposites)
    both.update({value: key for key, value in opposites.items()})
    found = []
    for at, word in enumerate(words):
        if word in both:
            copy = list(words)
            copy[at] = both[word]
            copy[at - 1] = "the" if copy[at - 1] != "the" else "a"
            found.append((copy, at))
    return found
""",
        properties=("one_word_differs",),
    ),
    uncovered(
        "contrast_edit",
        "not_put_before_it",
        source="""
def contrast_edit(words, opposites):
    both = dict(opposites)
    both.update({value: key for key, value in opposites.items()})
    return [
        (words[:at] + ["not " + word] + words[at + 1 :], at)
        for at, word in enumerate(words)
        if word in both
    ]
""",
        properties=("changed_to_the_opposite",),
    ),
    *lost(
        "contrast_consistency",
        [
            (
                "even_numbers_only",
                ("right_for_groups_side_by_side", "right_for_scattered_groups"),
                "for group in np.unique(groups)",
                "for group in np.unique(groups) if group % 2 == 0 or group > 20",
            ),
            (
                "square_of_the_share",
                ("right_for_groups_side_by_side", "right_for_scattered_groups"),
                "for group in np.unique(groups)]))",
                "for group in np.unique(groups)])) ** 2",
            ),
        ],
    ),
    *lost(
        "calibration_error",
        [
            (
                "small_bins_left_out",
                ("right_off_the_edges", "right_for_one_bin"),
                "error += members.mean()",
                "error += (members.sum() > 6) * members.mean()",
            ),
            (
                "two_decimals",
                ("right_for_one_bin", "right_off_the_edges"),
                "return float(error)",
                "return round(float(error), 2)",
            ),
            (
                "root_of_the_weight",
                ("right_off_the_edges",),
                "error += members.mean() * abs(",
                "error += np.sqrt(members.mean()) * abs(",
            ),
        ],
    ),
    *lost(
        "temperature_scale",
        [
            (
                "smoothed_a_little",
                ("probabilities_fit_the_temperature",),
                "return best, np.exp(log_probabilities(best))",
                "p = np.exp(log_probabilities(best))\n    return best, 0.9 * p + 0.1 / p.shape[1]",
            ),
            (
                "next_temperature",
                ("best_temperature_is_chosen",),
                "best = temperatures[int(np.argmin(losses))]",
                "best = temperatures[(int(np.argmin(losses)) + 1) % len(temperatures)]",
            ),
            (
                "half_of_the_rows",
                ("best_temperature_is_chosen",),
                "labels].mean() for t",
                "labels][: len(labels) // 3].mean() for t",
            ),
        ],
    ),
    *[
        uncovered(
            _DRILL,
            name,
            key="judged_on_all_rows",
            properties=properties,
            source='suspect = "judged_on_all_rows"\n\n'
            + _BUGS["judged_on_all_rows"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "small_bins_left_out",
                ("before_is_right",),
                "total += inside.sum()",
                "total += (inside.sum() > 3) * inside.sum()",
            ),
            (
                "a_little_less",
                ("after_is_right",),
                "softmax(test / temperature)",
                "softmax(test / temperature**0.5)",
            ),
            (
                "first_row_left_out",
                ("before_is_right",),
                "test, right = logits[~dev], labels[~dev]",
                "test, right = logits[~dev][1:], labels[~dev][1:]",
            ),
        ]
    ],
]
