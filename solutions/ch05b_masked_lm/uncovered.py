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


_FIXED = {bug.key: bug.fixed for bug in read_bugs(Path(__file__).with_name("drill.py"))}

UNCOVERED = [
    *lost(
        "choose_mask_positions",
        [
            (
                "three_more",
                ("number_is_right",),
                "count = max(1, round(mask_rate * len(ordinary)))",
                "count = max(1, round(mask_rate * len(ordinary))) + 3",
            ),
            (
                "later_ones_preferred",
                ("every_place_has_its_chance",),
                "rng.choice(ordinary, count, replace=False)",
                "rng.choice(ordinary, count, replace=False, p=(ordinary + 1.0) ** 4 / "
                "np.sum((ordinary + 1.0) ** 4)) if count else ordinary",
            ),
            (
                "sometimes_one_less",
                ("number_is_right",),
                "count = min(count, len(ordinary), max_predictions)",
                "count = min(count, len(ordinary), max_predictions)\n"
                "        count -= int(count > 1 and rng.random() < 0.5)",
            ),
            (
                "weights_of_two",
                ("form_is_right",),
                "mask_weights[row, :count] = 1.0",
                "mask_weights[row, :count] = 2.0",
            ),
        ],
    ),
    *lost(
        "apply_mlm_mask",
        [
            ("half_hidden", ("shares_are_right",), "draw < 0.8", "draw < 0.5"),
            (
                "next_id_as_mask",
                ("only_tokens_that_may_come", "shares_are_right"),
                "corrupted[row, place] = mask_id",
                "corrupted[row, place] = mask_id + 1000",
            ),
            (
                "some_tokens_preferred",
                ("random_tokens_are_spread",),
                "= rng.choice(ordinary_ids)",
                "= sorted(ordinary_ids)[int(len(ordinary_ids) * rng.random() ** 3)]",
            ),
            (
                "token_to_the_left_too",
                ("form_is_right",),
                "corrupted[row, place] = mask_id",
                "corrupted[row, place - 1 : place + 1] = mask_id",
            ),
            (
                "answers_plus_one",
                ("form_is_right",),
                "mask_ids[row, slot] = token_ids[row, place]",
                "mask_ids[row, slot] = token_ids[row, place] + 1",
            ),
        ],
    ),
    *lost(
        "whole_word_positions",
        [
            (
                "one_more_token",
                ("budget_is_kept",),
                "rng = np.random.default_rng(seed)",
                "rng = np.random.default_rng(seed)\n    mask_rate = mask_rate + 0.2",
            ),
            (
                "two_words_at_most",
                ("budget_is_kept",),
                "if len(places) <= left:",
                "if len(places) <= left and len(set(word_ids[picked].tolist())) < 2:",
            ),
            (
                "last_token_dropped",
                ("words_stay_whole", "budget_is_kept"),
                "picked += places",
                "picked += places[:-1] if len(places) > 2 else places",
            ),
        ],
    ),
    *lost(
        "MaskedLMHead",
        [
            (
                "slots_turned_round",
                ("slots_take_their_positions",),
                "axis=1)  # (B, P, D)",
                "axis=1)[:, ::-1]  # (B, P, D)",
            ),
            (
                "bias_plus_one",
                ("differences_of_scores_are_right",),
                "+ self.output_bias",
                "+ self.output_bias + 1.0",
            ),
            (
                "sine_of_the_states",
                ("scores_are_right",),
                "ops.matmul(x, ops",
                "ops.matmul(ops.sin(x), ops",
            ),
            (
                "table_halved",
                ("scores_are_right",),
                "ops.transpose(token_table)",
                "0.5 * ops.transpose(token_table)",
            ),
        ],
    ),
    *lost(
        "mlm_loss",
        [
            (
                "power_of_surprise",
                ("right_without_padding",),
                "ops.sum(surprise * mask_weights)",
                "ops.sum(surprise**1.5 * mask_weights)",
            ),
            (
                "scores_halved",
                ("right_without_padding",),
                'ops.cast(logits, "float32")',
                '0.5 * ops.cast(logits, "float32")',
            ),
            (
                "half_a_slot_more",
                ("right_without_padding", "padding_does_not_count"),
                "(ops.sum(mask_weights) + 1e-5)",
                "(ops.sum(mask_weights) + 0.5)",
            ),
        ],
    ),
    *lost(
        "nsp_pairs",
        [
            (
                "three_of_ten_real",
                ("half_are_real",),
                "if rng.random() < 0.5:",
                "if rng.random() < 0.3:",
            ),
            (
                "wrong_ones_joined",
                ("wrong_ones_come_from_elsewhere",),
                "others[rng.integers(len(others))], 1",
                "others[rng.integers(len(others))] + others[0], 1",
            ),
            (
                "one_further",
                ("label_zero_is_the_next",),
                "pairs.append((first, following, 0))",
                "pairs.append((first, sentences[min(sentences.index(first) + 2, "
                "len(sentences) - 1)], 0))",
            ),
            (
                "early_ones_preferred",
                ("wrong_ones_are_spread",),
                "others[rng.integers(len(others))]",
                "others[int(len(others) * rng.random() ** 3)]",
            ),
        ],
    ),
    *lost(
        "Pooler",
        [
            (
                "two_tokens_mixed",
                ("vector_is_right",),
                "sequence_output[:, 0]",
                "0.7 * sequence_output[:, 0] + 0.3 * sequence_output[:, -1] ** 2",
            ),
            ("doubled", ("between_minus_one_and_one",), "ops.tanh(", "2.0 * ops.tanh("),
            (
                "fresh_layer",
                ("vector_is_right",),
                "self.dense(",
                "keras.layers.Dense(self.hidden_dim)(",
            ),
        ],
    ),
    *lost(
        "NextSentenceHead",
        [
            (
                "doubled",
                ("scores_are_right",),
                "return self.dense(pooled_output)",
                "return 2.0 * self.dense(pooled_output)",
            ),
            (
                "squared",
                ("scores_are_right",),
                "return self.dense(pooled_output)",
                "return self.dense(pooled_output**2)",
            ),
        ],
    ),
    *lost(
        "pretraining_loss",
        [
            (
                "tokens_doubled",
                ("tokens_are_right",),
                "mlm = mlm_loss(mlm_logits",
                "mlm = 2 * mlm_loss(mlm_logits",
            ),
            (
                "sentences_squared",
                ("sentences_are_right",),
                "nsp = ops.mean(per_pair)",
                "nsp = ops.mean(per_pair**2)",
            ),
            ("two_sentences", ("sum_is_right",), "return mlm + nsp", "return mlm + 2 * nsp"),
        ],
    ),
    *[
        uncovered(
            "drill_ch05b_masked_lm",
            name,
            key="bias_twice",
            properties=properties,
            source='suspect = "bias_twice"\n\n' + _FIXED["bias_twice"].replace(old, new),
        )
        for name, properties, old, new in [
            (
                "loss_doubled",
                ("loss_follows_from_ids",),
                "return corrupted, mlm + nsp",
                "return corrupted, 2 * (mlm + nsp)",
            ),
            (
                "ids_moved",
                ("ids_are_right",),
                "return corrupted, ",
                "return np.roll(corrupted, 1, axis=1), ",
            ),
            (
                "mask_of_another_id",
                ("ids_are_right",),
                "np.where(draws < 0.8, mask_id,",
                "np.where(draws < 0.8, mask_id + 1,",
            ),
        ]
    ],
]
