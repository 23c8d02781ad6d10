"""Wrong answers whose mistake has no name: they test that the grader doesn't invent one.

None of them may be told a misconception; `properties` are the places where a student should be
told to look, at least one of them.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import uncovered

_FIXED = read_bugs(Path(__file__).with_name("drill.py"))[0].fixed


def lost(exercise, rows):
    """Answers from rows (name, properties, old text, new text)."""
    return [
        uncovered(exercise, name, patch=(old, new), properties=properties)
        for name, properties, old, new in rows
    ]


UNCOVERED = [
    *lost(
        "label_smoothing",
        [
            (
                "share_squared",
                ("amounts_are_right",),
                "return (1 - smoothing) * right + smoothing / num_tokens",
                "share = smoothing**2\n    return (1 - share) * right + share / num_tokens",
            ),
            (
                "more_for_later_tokens",
                ("others_are_alike",),
                "smoothing / num_tokens",
                "smoothing * ops.softmax(ops.arange(num_tokens, dtype='float32'))",
            ),
            (
                "softmax_of_it_all",
                ("amounts_are_right",),
                "return (1 - smoothing) * right + smoothing / num_tokens",
                "return ops.softmax((1 - smoothing) * right + smoothing / num_tokens)",
            ),
        ],
    ),
    *lost(
        "warmup_schedule",
        [
            (
                "twice_as_high",
                ("warm_up_is_right", "afterwards_is_right"),
                "return hidden_dim",
                "return 2 * hidden_dim",
            ),
            (
                "falls_by_cosine",
                ("afterwards_is_right",),
                "step**-0.5,",
                "warmup_steps**-0.5 * ops.cos(step / warmup_steps - 1) ** 2,",
            ),
            (
                "warms_up_half_as_long",
                ("warm_up_is_right",),
                "step * warmup_steps**-1.5",
                "step * (warmup_steps / 2) ** -1.5",
            ),
        ],
    ),
    *lost(
        "transformer_logits",
        [
            (
                "decoder_sees_two_back",
                ("first_position_is_right",),
                "causal_mask(target_ids.shape[1])",
                "ops.logical_and(causal_mask(target_ids.shape[1]), ops.triu(ops.ones("
                "(target_ids.shape[1], target_ids.shape[1]), dtype='bool'), k=-1))",
            ),
            (
                "source_halved",
                ("right_without_padding",),
                "block(x, source, attention_mask=t",
                "block(x, 0.5 * source, attention_mask=t",
            ),
            (
                "first_source_token_hidden",
                ("right_without_padding",),
                "ops.expand_dims(padding_mask, axis=1)",
                "ops.expand_dims(ops.logical_and(padding_mask, "
                "ops.arange(padding_mask.shape[1]) > 0), axis=1)",
            ),
        ],
    ),
    *lost(
        "greedy_decode_transformer",
        [
            (
                "steps_skipped",
                ("first_token_is_right", "second_token_is_right", "length_is_right"),
                "said = ops.concatenate([said, now[:, None]], axis=1)",
                "said = ops.concatenate([said, now[:, None] if said.shape[1] % 2 "
                "else said[:, -1:]], axis=1)",
            ),
            (
                "every_token_is_the_next_one",
                ("first_token_is_right",),
                "ops.argmax(logits, axis=-1)",
                "(ops.argmax(logits, axis=-1) + 1) % logits.shape[-1]",
            ),
            (
                "five_tokens_are_enough",
                ("later_tokens_are_right", "length_is_right"),
                "model.decode(said, ",
                "model.decode(said[:, -3:], ",
            ),
        ],
    ),
    *lost(
        "beam_search",
        [
            (
                "lengths_squared",
                ("scores_fit_the_tokens", "best_sentence_is_found", "all_kept_are_right"),
                "(5 + len(tokens))",
                "(5 + len(tokens) ** 2)",
            ),
            (
                "ended_ones_pay",
                ("scores_fit_the_tokens", "best_sentence_is_found"),
                "candidates.append((tokens, total))",
                "candidates.append((tokens, total - 0.5))",
            ),
            (
                "logarithms_stretched",
                ("scores_fit_the_tokens", "best_sentence_is_found"),
                "total + float(gain)",
                "total + 1.1 * float(gain)",
            ),
        ],
    ),
    *lost(
        "kv_cache_step",
        [
            (
                "cache_fades",
                ("old_tokens_stay",),
                "[keys, key]",
                "[0.9 * keys, key]",
            ),
            (
                "new_value_doubled",
                ("new_token_is_right",),
                "[values, value]",
                "[values, 2 * value]",
            ),
            (
                "output_halved",
                ("output_is_right",),
                "return attention.output_dense(merge_heads(output))",
                "return 0.5 * attention.output_dense(merge_heads(output))",
            ),
        ],
    ),
    *[
        uncovered(
            "drill_ch03c_transformer",
            name,
            key="targets_not_shifted",
            source='suspect = "targets_not_shifted"\n' + _FIXED.replace(old, new),
            properties=properties,
        )
        for name, properties, old, new in [
            (
                "square_of_the_loss",
                ("loss_is_right",),
                "loss = ops.sum(per_token * is_real)",
                "loss = ops.sum(per_token**2 * is_real)",
            ),
            (
                "score_doubled",
                ("score_is_right",),
                "float(scores.flat[best[0]])",
                "2 * float(scores.flat[best[0]])",
            ),
        ]
    ],
]
