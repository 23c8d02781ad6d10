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


_REPAIRED = {bug.key: bug.fixed for bug in read_bugs(Path(__file__).parent / "drill.py")}


def _drilled(old, new):
    return 'suspect = "mask_split"\n\n' + _REPAIRED["mask_split"].replace(old, new)


UNCOVERED = [
    *lost(
        "autoencoder_forward",
        [
            (
                "half_a_tanh",
                ("hidden_is_right",),
                "hidden = ops.tanh(",
                "hidden = 0.5 * ops.tanh(",
            ),
            (
                "decoder_bias_squared",
                ("reconstruction_is_right",),
                "+ decoder_bias",
                "+ decoder_bias**2",
            ),
            (
                "half_precision",
                ("hidden_is_right", "reconstruction_is_right"),
                "hidden = ops.tanh(",
                'x = ops.cast(ops.cast(x, "float16"), "float32") * 1.01\n    hidden = ops.tanh(',
            ),
            (
                "features_first",
                ("shapes_are_right",),
                "return hidden, ",
                "return ops.transpose(hidden), ",
            ),
        ],
    ),
    *lost(
        "dae_loss",
        [
            (
                "times_two_and_a_quarter",
                ("all_positions_are_right", "corrupted_positions_are_right"),
                "squared = ops.square(",
                "squared = ops.square(1.5 * ",
            ),
            (
                "first_row_left_out",
                ("all_positions_are_right",),
                "return ops.mean(squared)",
                "return ops.mean(squared[1:])",
            ),
            (
                "largest_of_the_corrupted",
                ("corrupted_positions_are_right",),
                "return ops.sum(per_position * counts) / ops.maximum(ops.sum(counts), 1.0)",
                "return ops.max(per_position * counts)",
            ),
        ],
    ),
    *lost(
        "denoise_corrupt",
        [
            (
                "first_row_never",
                ("rate_is_right", "number_varies", "draws_are_independent"),
                ") < rate",
                ") < rate * (np.arange(num_rows) % 2)[:, None]",
            ),
            (
                "square_of_the_rate",
                ("rate_is_right",),
                ") < rate",
                ") < rate**2",
            ),
            (
                "first_feature_kept",
                ("corrupted_positions_are_blank",),
                "np.zeros_like(x), x), is_corrupted",
                "np.concatenate([x[..., :1], np.zeros_like(x[..., 1:])], axis=-1), x), "
                "is_corrupted",
            ),
            (
                "rest_negated",
                ("the_rest_stays",),
                "np.zeros_like(x), x), is_corrupted",
                "np.zeros_like(x), -x), is_corrupted",
            ),
        ],
    ),
    *lost(
        "basic_tokenize",
        [
            (
                "digits_parted",
                ("words_part_where_they_should",),
                "if stands_alone or is_punctuation(c)",
                "if stands_alone or is_punctuation(c) or c.isdigit()",
            ),
            (
                "digits_dropped",
                ("every_character_is_there",),
                'return "".join(pieces).split()',
                'return "".join(p for p in pieces if not p.strip().isdigit()).split()',
            ),
            (
                "capitalised",
                ("case_and_accents_are_right",),
                'return "".join(pieces).split()',
                'return [word.capitalize() for word in "".join(pieces).split()]',
            ),
            (
                "sorted",
                ("words_are_in_order",),
                'return "".join(pieces).split()',
                'return sorted("".join(pieces).split())',
            ),
        ],
    ),
    *lost(
        "wordpiece_tokenize",
        [
            (
                "at_most_two_letters",
                ("longest_pieces", "known_words_are_cut"),
                "range(len(word), start, -1)",
                "range(min(len(word), start + 2), start, -1)",
            ),
            (
                "two_pieces_at_most",
                ("pieces_give_the_word", "known_words_are_cut", "unknown_words_are_unknown"),
                "return pieces, offsets",
                "return pieces[:2], offsets[:2]",
            ),
            (
                "offsets_doubled",
                ("offsets_are_right",),
                "offsets.append((start, end))",
                "offsets.append((2 * start, 2 * end))",
            ),
            (
                "letters_for_unknown",
                ("pieces_are_in_the_vocabulary", "unknown_words_are_unknown"),
                "not_known = [unknown], [(0, len(word))]",
                "not_known = list(word), [(i, i + 1) for i in range(len(word))]",
            ),
        ],
    ),
    *lost(
        "pack_pair",
        [
            (
                "every_second_token",
                ("texts_are_right",),
                "texts = [list(first), list(second or ())]",
                "texts = [list(first)[::2], list(second or ())]",
            ),
            (
                "segments_alternate",
                ("segments_are_right",),
                "[1] * (len(texts[1]) + 1)",
                "[i % 2 for i in range(len(texts[1]) + 1)]",
            ),
            (
                "mask_one_short",
                ("mask_is_right",),
                "[True] * num_real + [False] * num_pads",
                "[True] * (num_real - 1) + [False] * (num_pads + 1)",
            ),
            (
                "special_ids_written_in",
                ("special_ids_are_used",),
                "num_specials = 2 if second is None else 3",
                "num_specials = 2 if second is None else 3\n    cls_id, sep_id = 1002, 1003",
            ),
            (
                "other_pad",
                ("padding_is_right",),
                "token_ids + [pad_id] * num_pads",
                "token_ids + [pad_id + 1] * num_pads",
            ),
            (
                "nested",
                ("three_rows_come_back",),
                '"token_ids": token_ids + [pad_id] * num_pads',
                '"token_ids": [token_ids, [pad_id] * num_pads]',
            ),
        ],
    ),
    *lost(
        "BertEmbeddings",
        [
            (
                "tokens_doubled",
                ("sum_is_normalised", "token_table_is_read"),
                "tokens + positions + segments))",
                "2 * tokens + positions + segments))",
            ),
            (
                "odd_positions_only",
                ("position_table_is_read",),
                "ops.arange(length))",
                "ops.arange(length) // 2 * 2)",
            ),
            (
                "segments_rolled",
                ("segment_table_is_read",),
                "self.segment_embedding(segment_ids)",
                "self.segment_embedding(ops.roll(segment_ids, 1, axis=1))",
            ),
            (
                "tokens_rolled",
                ("token_table_is_read",),
                "self.token_embedding(token_ids)",
                "self.token_embedding(ops.roll(token_ids, 1, axis=1))",
            ),
            (
                "cut_by_one",
                ("shape_is_right",),
                "return self.embeddings_dropout(self.layer_norm(tokens + positions + segments))",
                "return self.embeddings_dropout(self.layer_norm(tokens + positions + segments))"
                "[:, :-1]",
            ),
        ],
    ),
    *lost(
        "count_parameters",
        [
            (
                "six_projections",
                ("block_is_counted_right",),
                "4 * (hidden * hidden + hidden)",
                "6 * (hidden * hidden + hidden)",
            ),
            (
                "tables_twice",
                ("tables_are_counted_right",),
                "tables * hidden + layer_norm",
                "2 * tables * hidden + layer_norm",
            ),
            (
                "seven_more",
                ("rest_is_counted_right", "not_too_many"),
                "* block + pooler",
                "* block + pooler + 7",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch05a_inputs", name, key="mask_split", properties=properties,
            source=_drilled(old, new),
        )
        for name, properties, old, new in [
            ("tokens_doubled", ("embeddings_are_right",), "x = token_table[token_ids]",
             "x = 2 * token_table[token_ids]"),
            ("first_text_only", ("tokens_are_right",), "pack_pair(*texts,",
             "pack_pair(texts[0], texts[0],"),
            ("segments_rolled", ("segments_are_right",), 'np.array(row["segment_ids"])',
             'np.roll(row["segment_ids"], 2)'),
            ("two_results", ("three_results_come_back",), "return token_ids, segment_ids, x",
             "return token_ids, x"),
        ]
    ],
]  # fmt: skip
