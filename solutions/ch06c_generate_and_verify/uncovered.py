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

UNCOVERED = [
    *lost(
        "prefix_mask",
        [
            (
                "window_of_three",
                ("past_is_open",),
                "is_behind = place[:, None] >= place[None]",
                "is_behind = ops.abs(2 * place[:, None] - 2 * place[None] - 2) <= 3",
            ),
            (
                "second_token_hidden",
                ("source_is_open",),
                "ops.equal(segment_ids, 0)[:, None]",
                "ops.logical_and(ops.equal(segment_ids, 0), place != 1)[:, None]",
            ),
            (
                "last_pad_open",
                ("padding_is_closed",),
                "padding_mask[:, None])",
                "ops.logical_or(padding_mask, place == place[-1])[:, None])",
            ),
        ],
    ),
    *lost(
        "warm_start_seq2seq",
        [
            (
                "halved",
                ("values_are_copied",),
                "layer.set_weights(getattr(encoder, name).get_weights())",
                "layer.set_weights([0.5 * w for w in getattr(encoder, name).get_weights()])",
            ),
            (
                "upper_case",
                ("lists_are_right",),
                "weight.path for",
                "weight.path.upper() for",
            ),
            (
                "as_many_refused",
                ("enough_blocks_are_fine",),
                "len(decoder_blocks) > len(encoder_blocks)",
                "len(decoder_blocks) >= len(encoder_blocks)",
            ),
            (
                "another_number_refused",
                ("enough_blocks_are_fine",),
                "len(decoder_blocks) > len(encoder_blocks)",
                "len(decoder_blocks) != len(encoder_blocks)",
            ),
        ],
    ),
    *lost(
        "retrieve_evidence",
        [
            (
                "early_ones_preferred",
                ("best_comes_first", "best_are_chosen"),
                "-scores[number])[:count]",
                "-scores[number] + 0.4 * number)[:count]",
            ),
            (
                "squared_rarity",
                ("best_comes_first", "best_are_chosen"),
                "(len(texts) - holding + 0.5) / (holding + 0.5))",
                "(len(texts) - holding + 0.5) / (holding + 0.5)) ** 3",
            ),
            (
                "every_number_twice",
                ("numbers_of_texts", "as_many_as_asked"),
                "return sorted(range(len(texts)),",
                "return sorted([*range(len(texts))] * 2,",
            ),
        ],
    ),
    *lost(
        "verify_claim",
        [
            (
                "squared_refutal",
                ("evidence_is_right", "enough_or_not"),
                "sure = max(supported, refuted)",
                "sure = max(supported, refuted**3)",
            ),
            (
                "early_ones_preferred",
                ("evidence_is_right", "enough_or_not"),
                "if sure > surest:",
                "if sure > surest + 0.1:",
            ),
            (
                "far_larger",
                ("enough_or_not",),
                "unknown > sure",
                "unknown > sure + 0.04",
            ),
        ],
    ),
    *lost(
        "rouge_l",
        [
            (
                "squared",
                ("score_is_right",),
                "return 2 * precision * recall / (precision + recall)",
                "return (2 * precision * recall / (precision + recall)) ** 2",
            ),
            (
                "first_letters",
                ("score_is_right",),
                "word == other",
                "word[:1] == other[:1]",
            ),
            (
                "double_weight_of_precision",
                ("score_is_right",),
                "return 2 * precision * recall / (precision + recall)",
                "return 3 * precision * recall / (2 * precision + recall)",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch06c_generate_and_verify",
            name,
            key="goes_on_after_end",
            properties=properties,
            source='suspect = "goes_on_after_end"\n\n'
            + _BUGS["goes_on_after_end"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "scores_doubled",
                ("scores_are_right",),
                "return said, scores",
                "return said, 2 * scores",
            ),
            (
                "second_best",
                ("what_is_said_is_right",),
                "np.argmax(here)",
                "np.argsort(here)[-2]",
            ),
            (
                "backwards",
                ("what_is_said_is_right",),
                "return said, scores",
                "return [words[::-1] for words in said], scores",
            ),
        ]
    ],
]
