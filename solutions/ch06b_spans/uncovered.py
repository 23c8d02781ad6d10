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
_DRILL = "drill_ch06b_spans"

UNCOVERED = [
    *lost(
        "align_labels",
        [
            (
                "pieces_turned_round",
                ("pieces_are_right",),
                'cut = tokenize(word) or ["[UNK]"]',
                'cut = tokenize(word)[::-1] or ["[UNK]"]',
            ),
            (
                "labels_are_floats",
                ("labels_are_ints",),
                "row += [label] +",
                "row += [float(label)] +",
            ),
            (
                "labels_plus_one",
                ("labels_are_their_words",),
                "row += [label] +",
                "row += [label + 100] +",
            ),
            (
                "sep_after_every_word",
                ("pieces_stand_between_marks",),
                'cut = tokenize(word) or ["[UNK]"]',
                'cut = (tokenize(word) or ["[UNK]"]) + ["[SEP]"]',
            ),
        ],
    ),
    *lost(
        "bio_spans",
        [
            (
                "two_words_at_most",
                ("every_named_word_is_covered",),
                "return spans",
                "return [(kind, a, min(b, a + 2)) for kind, a, b in spans]",
            ),
            (
                "every_span_twice",
                ("spans_part_where_they_should",),
                "return spans",
                "return [span for span in spans for _ in range(2)]",
            ),
            (
                "kinds_backwards",
                ("kinds_are_those_of_the_tags",),
                "return spans",
                "return [(kind[::-1], a, b) for kind, a, b in spans]",
            ),
        ],
    ),
    *lost(
        "span_f1",
        [
            (
                "a_hit_for_free",
                ("precision_is_right", "recall_is_right"),
                "right = said = wanted = 0",
                "said = wanted = 0\n    right = 1",
            ),
            (
                "recall_of_all_that_is_there",
                ("recall_is_right",),
                "recall = right / wanted if wanted else 0.0",
                "recall = right / (wanted + said) if wanted else 0.0",
            ),
            (
                "f1_squared",
                ("f1_follows_from_both",),
                "return precision, recall, f1",
                "return precision, recall, f1**2",
            ),
        ],
    ),
    *lost(
        "viterbi_decode",
        [
            (
                "scores_squared",
                ("best_path_is_found", "path_is_allowed", "single_places_are_right"),
                "best = scores[0] + starts",
                "scores = scores**2\n    best = scores[0] + starts",
            ),
            (
                "second_best",
                ("best_path_is_found", "single_places_are_right"),
                "path = [int(best.argmax())]",
                "path = [int(best.argsort()[-2])]",
            ),
            (
                "tags_one_late",
                ("best_path_is_found", "path_is_allowed"),
                "return path[::-1]",
                "return path[:0:-1] + path[-1:]",
            ),
        ],
    ),
    *lost(
        "qa_windows",
        [
            (
                "windows_twice",
                ("number_is_right",),
                "windows.append((start, end))",
                "windows += [(start, end)] * 2",
            ),
            (
                "two_exchanged",
                ("windows_are_in_order",),
                "return windows",
                "return windows[1:2] + windows[:1] + windows[2:]",
            ),
            (
                "two_tokens_less",
                ("steps_are_right", "every_token_is_read", "number_is_right", "windows_are_right"),
                "windows.append((start, end))",
                "windows.append((start, max(end - 2, start)))",
            ),
            (
                "begins_at_two",
                ("every_token_is_read",),
                "windows, start = [], 0",
                "windows, start = [], min(2, len(context))",
            ),
        ],
    ),
    *lost(
        "best_span",
        [
            (
                "begins_at_null_elsewhere",
                ("score_is_not_too_high",),
                "return float(total[first, last]), first + window_start,",
                "null = float(start_scores[0] + end_scores[0])\n"
                "    if total.max() < null:\n"
                "        return null, window_start, window_start + window_length - 1, null\n"
                "    return float(total[first, last]), first + window_start,",
            ),
            (
                "score_doubled",
                ("score_fits_the_answer",),
                "return float(total[first, last])",
                "return 2 * float(total[first, last])",
            ),
            (
                "shorter_ones_preferred",
                ("best_one_is_found", "score_fits_the_answer"),
                "total = np.where(",
                "total = total - 1.5 * longer\n    total = np.where(",
            ),
            (
                "null_plus_one",
                ("null_score_is_right",),
                "float(start_scores[0] + end_scores[0])",
                "float(start_scores[0] + end_scores[0]) + 1.0",
            ),
        ],
    ),
    *lost(
        "coreference_pair_features",
        [
            (
                "pronoun_doubled",
                ("first_third_is_the_pronoun",),
                "[pronoun, candidates, pronoun * candidates]",
                "[2 * pronoun, candidates, pronoun * candidates]",
            ),
            (
                "half_precision",
                ("precision_is_kept",),
                "[pronoun, candidates, pronoun * candidates], axis=-1",
                '[ops.cast(x, "float16") for x in (pronoun, candidates, pronoun * candidates)], -1',
            ),
            (
                "candidates_squashed",
                ("second_third_is_the_candidate",),
                "[pronoun, candidates, pronoun * candidates]",
                "[pronoun, ops.tanh(candidates), pronoun * candidates]",
            ),
            (
                "product_halved",
                ("last_third_is_the_product",),
                "[pronoun, candidates, pronoun * candidates]",
                "[pronoun, candidates, pronoun * candidates / 2]",
            ),
        ],
    ),
    *[
        uncovered(
            _DRILL,
            name,
            key="place_in_window",
            properties=properties,
            source='suspect = "place_in_window"\n\n' + _BUGS["place_in_window"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "ends_half_as_much",
                ("best_answers_are_found", "there_is_an_answer_or_not"),
                "total = starts[first] + ends[last]",
                "total = starts[first] + ends[last] / 2",
            ),
            (
                "one_place_on",
                ("best_answers_are_found",),
                "return found[1], found[2]",
                "return found[1] + 1, found[2] + 1",
            ),
        ]
    ],
]
