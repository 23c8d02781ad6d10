"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


# ------------------------------------------------------------------ label_smoothing

_LABELS = "return (1 - smoothing) * right + smoothing / num_tokens"

LABEL_SMOOTHING = [
    right(
        "label_smoothing",
        "chosen_by_where",
        source="""
def label_smoothing(label_ids, num_tokens, smoothing=0.1):
    everyone = smoothing / num_tokens
    is_right = ops.equal(ops.expand_dims(label_ids, -1), ops.arange(num_tokens))
    return ops.where(is_right, 1 - smoothing + everyone, everyone)
""",
    ),
    right(
        "label_smoothing",
        "rows_of_a_table",
        source="""
def label_smoothing(label_ids, num_tokens, smoothing=0.1):
    table = (1 - smoothing) * ops.eye(num_tokens) + smoothing / num_tokens
    return ops.take(table, label_ids, axis=0)
""",
    ),
    right(
        "label_smoothing",
        "what_is_taken_is_given_back",
        source="""
def label_smoothing(label_ids, num_tokens, smoothing=0.1):
    hot = ops.one_hot(label_ids, num_tokens)
    taken = smoothing * hot
    return hot - taken + ops.mean(taken, axis=-1, keepdims=True)
""",
    ),
    right(
        "label_smoothing",
        "mixed_with_the_uniform",
        source="""
def label_smoothing(label_ids, num_tokens, smoothing=0.1):
    import tensorflow as tf

    hot = tf.one_hot(label_ids, num_tokens)
    uniform = tf.ones_like(hot) / num_tokens
    return hot + smoothing * (uniform - hot)
""",
    ),
    *wrongs(
        "label_smoothing",
        [
            (
                "others_only",
                "right_token_left_out",
                _LABELS,
                "return (1 - smoothing) * right + smoothing / (num_tokens - 1) * (1 - right)",
            ),
            (
                "others_only_divided_by_all",
                "another_divisor",
                _LABELS,
                "return (1 - smoothing) * right + smoothing / num_tokens * (1 - right)",
            ),
            ("one_less", "another_divisor", "/ num_tokens", "/ (num_tokens - 1)"),
            (
                "two_less",
                "another_divisor",
                _LABELS,
                "return (1 - smoothing) * right + smoothing / (num_tokens - 2) * (1 - right)",
            ),
            (
                "not_taken_away",
                "nothing_taken_from_the_right_token",
                "(1 - smoothing) * right",
                "right",
            ),
            (
                "not_given",
                "nothing_given_to_the_others",
                " + smoothing / num_tokens",
                "",
            ),
            (
                "whole_share",
                "every_token_gets_all_of_it",
                _LABELS,
                "return ops.where(right == 1, 1 - smoothing, smoothing)",
            ),
            (
                "whole_share_and_one",
                "every_token_gets_all_of_it",
                _LABELS,
                "return ops.where(right == 1, 1.0, smoothing)",
            ),
            (
                "exchanged",
                "shares_exchanged",
                _LABELS,
                "return smoothing * right + (1 - smoothing) / num_tokens",
            ),
            (
                "exchanged_others_only",
                "shares_exchanged",
                _LABELS,
                "return smoothing * right + (1 - smoothing) / (num_tokens - 1) * (1 - right)",
            ),
            ("plain", "not_smoothed", _LABELS, "return right"),
            (
                "half",
                "half_of_it",
                "(1 - smoothing) * right + smoothing / num_tokens",
                "(1 - smoothing / 2) * right + smoothing / 2 / num_tokens",
            ),
            (
                "ids_from_one",
                "wrong_token_is_right",
                "ops.one_hot(label_ids, num_tokens",
                "ops.one_hot((label_ids + 1) % num_tokens, num_tokens",
            ),
            (
                "padding_column",
                "padding_set_to_zero",
                _LABELS,
                "labels = (1 - smoothing) * right + smoothing / num_tokens\n"
                "    return labels * ops.cast(ops.arange(num_tokens) > 0, 'float32')",
            ),
            (
                "padding_rows",
                "padding_set_to_zero",
                _LABELS,
                "labels = (1 - smoothing) * right + smoothing / num_tokens\n"
                "    return labels * ops.cast(ops.not_equal(label_ids, 0), 'float32')[..., None]",
            ),
            ("fixed", "share_is_fixed", _LABELS, "return 0.9 * right + 0.1 / num_tokens"),
            (
                "flat",
                "another_form_returned",
                _LABELS,
                "return ops.reshape((1 - smoothing) * right + smoothing / num_tokens, "
                "(-1, num_tokens))",
            ),
            (
                "classes_first",
                "another_form_returned",
                _LABELS,
                "return ops.moveaxis((1 - smoothing) * right + smoothing / num_tokens, -1, 0)",
            ),
            (
                "logarithms",
                "another_form_returned",
                _LABELS,
                "return ops.log((1 - smoothing) * right + smoothing / num_tokens)",
            ),
            (
                "of_the_label",
                "another_form_returned",
                _LABELS,
                "return ops.max((1 - smoothing) * right + smoothing / num_tokens, axis=-1)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ warmup_schedule

_CAST = 'step = ops.cast(step, "float32")'
_MINIMUM = "ops.minimum(step**-0.5, step * warmup_steps**-1.5)"
_RISE = "step * warmup_steps**-1.5"
_FALL = "minimum(step**-0.5"

WARMUP_SCHEDULE = [
    right(
        "warmup_schedule",
        "where_it_still_rises",
        source="""
def warmup_schedule(step, hidden_dim, warmup_steps):
    step = ops.cast(step, "float32")
    rising = step / warmup_steps**1.5
    falling = 1 / ops.sqrt(step)
    return ops.where(step < warmup_steps, rising, falling) / math.sqrt(hidden_dim)
""",
    ),
    right(
        "warmup_schedule",
        "peak_times_shape",
        source="""
def warmup_schedule(step, hidden_dim, warmup_steps):
    peak = (hidden_dim * warmup_steps) ** -0.5
    share = ops.cast(step, "float32") / warmup_steps
    return peak * ops.minimum(share, ops.rsqrt(share))
""",
    ),
    right(
        "warmup_schedule",
        "smallest_of_a_stack",
        source="""
def warmup_schedule(step, hidden_dim, warmup_steps):
    step = ops.convert_to_tensor(step, dtype="float32")
    both = ops.stack([step**-0.5, step * float(warmup_steps) ** -1.5])
    return ops.min(both, axis=0) * float(hidden_dim) ** -0.5
""",
    ),
    right(
        "warmup_schedule",
        "one_times_the_step",
        source="""
def warmup_schedule(step, hidden_dim, warmup_steps):
    step = 1.0 * ops.cast(step, keras.config.floatx())
    return ops.exp(
        -0.5 * math.log(hidden_dim)
        + ops.minimum(-0.5 * ops.log(step), ops.log(step) - 1.5 * math.log(warmup_steps))
    )
""",
    ),
    *wrongs(
        "warmup_schedule",
        [
            ("width_512", "numbers_of_the_paper", "hidden_dim**-0.5", "512**-0.5"),
            ("warmup_4000", "numbers_of_the_paper", "warmup_steps**-1.5", "4000**-1.5"),
            ("made_a_float", "minimum_of_single_numbers", _CAST, "step = float(step)"),
            ("larger", "larger_of_the_two", "ops.minimum", "ops.maximum"),
            ("rising_only", "no_fall", _MINIMUM, _RISE),
            ("falling_only", "no_warm_up", _MINIMUM, "step**-0.5"),
            ("added", "terms_joined_otherwise", _MINIMUM, f"(step**-0.5 + {_RISE})"),
            ("multiplied", "terms_joined_otherwise", _MINIMUM, f"(step**-0.5 * {_RISE})"),
            ("rise_by_root", "rise_has_another_power", "**-1.5", "**-0.5"),
            ("rise_as_share", "rise_has_another_power", _RISE, "step / warmup_steps"),
            (
                "rise_by_root_of_share",
                "rise_has_another_power",
                _RISE,
                "(step / warmup_steps) ** 0.5",
            ),
            (
                "rise_of_warmup_alone",
                "rise_has_another_power",
                _RISE,
                "warmup_steps**-1.5",
            ),
            ("fall_inverse", "fall_has_another_power", _FALL, "minimum(1 / step"),
            ("fall_steep", "fall_has_another_power", _FALL, "minimum(step**-1.5"),
            ("fall_flat", "fall_has_another_power", _FALL, "minimum(warmup_steps**-0.5"),
            (
                "fall_counted_from_the_peak",
                "fall_has_another_power",
                _FALL,
                "minimum(ops.maximum(step - warmup_steps, 1) ** -0.5",
            ),
            ("no_width", "width_left_out", "hidden_dim**-0.5 * ", ""),
            ("width_grows", "width_has_another_power", "hidden_dim**-0.5", "hidden_dim**0.5"),
            ("width_inverse", "width_has_another_power", "hidden_dim**-0.5", "1 / hidden_dim"),
            (
                "exchanged",
                "width_and_warmup_exchanged",
                "hidden_dim**-0.5 *",
                "warmup_steps**-0.5 *",
                "warmup_steps**-1.5",
                "hidden_dim**-1.5",
            ),
            ("from_zero", "step_counted_otherwise", _CAST, 'step = ops.cast(step, "float32") + 1'),
            (
                "one_before",
                "step_counted_otherwise",
                _CAST,
                'step = ops.cast(step, "float32") - 1',
            ),
            ("pythons_min", "minimum_of_single_numbers", "ops.minimum(", "min("),
            ("not_cast", "whole_numbers_not_cast", _CAST, ""),
        ],
    ),
]

# ------------------------------------------------------------------ transformer_logits

_SOURCE_MASK = "source_mask = ops.expand_dims(padding_mask, axis=1)  # (B, 1, S)"
_SOURCE = "source = source_embeddings(token_ids)  # (B, S, D)"
_READ = "source, _ = block(source, attention_mask=source_mask)"
_ENCODER = "for block in encoder_blocks:"
_DECODER = "for block in decoder_blocks:"
_TRIANGLE = "causal_mask(target_ids.shape[1])"
_TARGET_MASK = f"target_mask = ops.expand_dims({_TRIANGLE}, axis=0)  # (1, T, T)"
_X = "x = target_embeddings(target_ids)  # (B, T, D)"
_SAY = "x, _, _ = block(x, source, attention_mask=target_mask, source_mask=source_mask)"
_SCORE = "return score(x)  # (B, T, V)"


def _said(**other):
    """The decoder's line with other arguments."""
    given = {"x": "x", "source": "source", "mask": "target_mask", "source_mask": "source_mask"}
    given |= other
    return (
        f"x, _, _ = block({given['x']}, {given['source']}, attention_mask={given['mask']}, "
        f"source_mask={given['source_mask']})"
    )


TRANSFORMER_LOGITS = [
    right(
        "transformer_logits",
        "masks_of_full_size",
        source="""
def transformer_logits(
    token_ids,
    padding_mask,
    target_ids,
    source_embeddings,
    target_embeddings,
    encoder_blocks,
    decoder_blocks,
    score,
):
    length, width = target_ids.shape[1], token_ids.shape[1]
    real = ops.cast(padding_mask, "int32")[:, None, :]
    everywhere = ops.ones((1, width, 1), dtype="int32")
    among_source = ops.cast(real * everywhere, "bool")
    from_target = ops.cast(real * ops.ones((1, length, 1), dtype="int32"), "bool")
    place = ops.arange(length)
    before = (place[:, None] >= place[None, :])[None]
    memory = source_embeddings(token_ids)
    for encode in encoder_blocks:
        memory = encode(memory, among_source)[0]
    hidden = target_embeddings(target_ids)
    for decode in decoder_blocks:
        hidden = decode(hidden, memory, before, from_target)[0]
    return score(hidden)
""",
    ),
    right(
        "transformer_logits",
        "folded",
        source="""
import functools


def transformer_logits(
    token_ids,
    padding_mask,
    target_ids,
    source_embeddings,
    target_embeddings,
    encoder_blocks,
    decoder_blocks,
    score,
):
    seen = padding_mask[:, None]
    source = functools.reduce(
        lambda x, block: block(x, attention_mask=seen)[0],
        encoder_blocks,
        source_embeddings(token_ids),
    )
    own = ops.tril(ops.ones((1, target_ids.shape[1], target_ids.shape[1]), dtype="bool"))
    return score(
        functools.reduce(
            lambda x, block: block(x, source, source_mask=seen, attention_mask=own)[0],
            decoder_blocks,
            target_embeddings(target_ids),
        )
    )
""",
    ),
    right(
        "transformer_logits",
        "target_mask_for_every_row",
        source="""
def transformer_logits(
    token_ids,
    padding_mask,
    target_ids,
    source_embeddings,
    target_embeddings,
    encoder_blocks,
    decoder_blocks,
    score,
):
    source_mask = ops.reshape(padding_mask, (-1, 1, padding_mask.shape[-1]))
    x, y = source_embeddings(token_ids), target_embeddings(target_ids)
    size = target_ids.shape[-1]
    triangle = ops.logical_not(ops.triu(ops.ones((size, size), dtype="bool"), k=1))
    every_row = ops.ones_like(ops.expand_dims(target_ids, -1), dtype="bool")
    target_mask = ops.logical_and(triangle, every_row)
    for i in range(len(encoder_blocks)):
        x, weights = encoder_blocks[i](x, attention_mask=source_mask)
    for i in range(len(decoder_blocks)):
        y, *weights = decoder_blocks[i](
            y, x, attention_mask=target_mask, source_mask=source_mask
        )
    return score(y)
""",
    ),
    *wrongs(
        "transformer_logits",
        [
            (
                "padding_along_the_queries",
                "padding_mask_on_the_wrong_axis",
                _SOURCE_MASK,
                "source_mask = padding_mask[:, :, None]",
            ),
            (
                "triangle_as_large_as_the_source",
                "triangle_of_the_source",
                _TRIANGLE,
                "causal_mask(token_ids.shape[1])",
            ),
            ("no_causal_mask", "future_visible", "attention_mask=target_mask, ", ""),
            (
                "upper_triangle",
                "wrong_triangle",
                _TRIANGLE,
                "ops.transpose(causal_mask(target_ids.shape[1]))",
            ),
            (
                "triangle_negated",
                "wrong_triangle",
                _TRIANGLE,
                "ops.logical_not(causal_mask(target_ids.shape[1]))",
            ),
            (
                "diagonal_closed",
                "edge_of_the_triangle_is_off",
                _TRIANGLE,
                "ops.tril(ops.ones((target_ids.shape[1], target_ids.shape[1]), 'bool'), k=-1)",
            ),
            (
                "one_ahead",
                "edge_of_the_triangle_is_off",
                _TRIANGLE,
                "ops.tril(ops.ones((target_ids.shape[1], target_ids.shape[1]), 'bool'), k=1)",
            ),
            (
                "diagonal_alone",
                "own_position_only",
                _TRIANGLE,
                "ops.eye(target_ids.shape[1], dtype='bool')",
            ),
            (
                "masks_exchanged",
                "source_mask_on_the_target",
                _SAY,
                _said(mask="source_mask", source_mask="target_mask"),
            ),
            (
                "source_mask_twice",
                "source_mask_on_the_target",
                _SAY,
                _said(mask="source_mask"),
            ),
            (
                "both_masks_on_the_target",
                "source_mask_on_the_target",
                _SAY,
                _said(mask="ops.logical_and(target_mask, source_mask)"),
            ),
            (
                "target_padding",
                "target_padding_guessed",
                _SAY,
                _said(mask="ops.logical_and(target_mask, ops.not_equal(target_ids, 0)[:, None])"),
            ),
            (
                "target_padding_alone",
                "target_padding_guessed",
                _SAY,
                _said(mask="ops.not_equal(target_ids, 0)[:, None]"),
            ),
            (
                "encoder_without_mask",
                "encoder_sees_padding",
                _READ,
                "source, _ = block(source)",
            ),
            ("cross_without_mask", "decoder_sees_padding", ", source_mask=source_mask", ""),
            (
                "no_source_mask_at_all",
                "padding_visible_everywhere",
                _READ,
                "source, _ = block(source)",
                ", source_mask=source_mask",
                "",
            ),
            (
                "mask_inverted",
                "padding_mask_inverted",
                "ops.expand_dims(padding_mask, axis=1)",
                "ops.expand_dims(ops.logical_not(padding_mask), axis=1)",
            ),
            (
                "mask_inverted_for_cross",
                "padding_mask_inverted",
                _SAY,
                _said(source_mask="ops.logical_not(source_mask)"),
            ),
            (
                "mask_from_ids",
                "padding_guessed_from_the_ids",
                "ops.expand_dims(padding_mask, axis=1)",
                "ops.expand_dims(ops.not_equal(token_ids, 0), axis=1)",
            ),
            (
                "causal_encoder",
                "encoder_is_causal",
                _READ,
                "source, _ = block(source, attention_mask=ops.logical_and(source_mask, "
                "causal_mask(token_ids.shape[1])[None]))",
            ),
            (
                "causal_cross",
                "source_hidden_by_a_triangle",
                _SAY,
                _said(source_mask="target_mask"),
            ),
            (
                "encoder_result_lost",
                "encoder_not_used",
                _READ,
                "encoded, _ = block(source, attention_mask=source_mask)",
            ),
            (
                "level_by_level",
                "level_by_level",
                _SOURCE,
                "source, levels = source_embeddings(token_ids), []",
                _READ,
                f"{_READ}\n        levels.append(source)",
                _DECODER,
                "for number, block in enumerate(decoder_blocks):",
                _SAY,
                _said(source="levels[min(number, len(levels) - 1)]"),
            ),
            (
                "levels_added",
                "another_level_of_the_encoder",
                _SOURCE,
                "source, levels = source_embeddings(token_ids), []",
                _READ,
                f"{_READ}\n        levels.append(source)",
                _SAY,
                _said(source="sum(levels)"),
            ),
            (
                "read_again",
                "source_read_again",
                _SAY,
                f"{_SAY}\n        for again in encoder_blocks:\n"
                "            source, _ = again(source, attention_mask=source_mask)",
            ),
            (
                "cross_on_itself",
                "decoder_looks_at_itself",
                _SAY,
                _said(source="x", source_mask="target_mask"),
            ),
            (
                "tables_exchanged",
                "embeddings_exchanged",
                "source_embeddings(token_ids)",
                "target_embeddings(token_ids)",
                "target_embeddings(target_ids)",
                "source_embeddings(target_ids)",
            ),
            (
                "source_table_twice",
                "embeddings_exchanged",
                "target_embeddings(target_ids)",
                "source_embeddings(target_ids)",
            ),
            (
                "target_not_read",
                "target_not_read",
                "target_embeddings(target_ids)",
                "target_embeddings(token_ids)",
                _TRIANGLE,
                "causal_mask(token_ids.shape[1])",
            ),
            (
                "shifted_again",
                "target_shifted_again",
                _TARGET_MASK,
                f"target_ids = target_ids[:, :-1]\n    {_TARGET_MASK}",
            ),
            (
                "decoder_unchained",
                "blocks_not_chained",
                "x = target_embeddings(target_ids)",
                "embedded = target_embeddings(target_ids)",
                _SAY,
                _said(x="embedded"),
            ),
            (
                "encoder_unchained",
                "blocks_not_chained",
                _SOURCE,
                "embedded = source_embeddings(token_ids)",
                _READ,
                "source, _ = block(embedded, attention_mask=source_mask)",
            ),
            ("one_decoder_block", "blocks_left_out", _DECODER, "for block in decoder_blocks[:1]:"),
            ("one_encoder_block", "blocks_left_out", _ENCODER, "for block in encoder_blocks[:1]:"),
            (
                "last_block_forgotten",
                "blocks_left_out",
                _DECODER,
                "for block in decoder_blocks[:-1]:",
            ),
            (
                "first_block_repeated",
                "one_block_again_and_again",
                _READ,
                "source, _ = encoder_blocks[0](source, attention_mask=source_mask)",
                "x, _, _ = block(",
                "x, _, _ = decoder_blocks[0](",
            ),
            (
                "decoder_reversed",
                "blocks_in_another_order",
                _DECODER,
                "for block in reversed(decoder_blocks):",
            ),
            (
                "encoder_twice",
                "blocks_used_twice",
                _ENCODER,
                "for block in encoder_blocks + encoder_blocks:",
            ),
            (
                "scaled_again",
                "scaled_again",
                _SOURCE,
                "source = source_embeddings(token_ids)\n"
                "    source = source * source.shape[-1] ** 0.5",
                _X,
                "x = target_embeddings(target_ids)\n    x = x * x.shape[-1] ** 0.5",
            ),
            ("softmax", "softmax_returned", "return score(x)", "return ops.softmax(score(x))"),
            (
                "log_softmax",
                "softmax_returned",
                "return score(x)",
                "return ops.log_softmax(score(x))",
            ),
            ("not_scored", "not_scored", "return score(x)", "return x"),
            ("last_position", "last_position_only", "return score(x)", "return score(x)[:, -1]"),
            (
                "last_position_kept",
                "last_position_only",
                "return score(x)",
                "return score(x[:, -1:])",
            ),
            (
                "likeliest_ids",
                "another_form_returned",
                "return score(x)",
                "return ops.argmax(score(x), axis=-1)",
            ),
            (
                "source_too",
                "another_form_returned",
                "return score(x)",
                "return score(x), source",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ greedy_decode_transformer

_GREEDY = "greedy_decode_transformer"
_WHILE = "while said.shape[1] <= max_length and not ops.all(has_ended):"
_ENCODE = "source = model.encode(token_ids, padding_mask)  # (B, S, D)"
_LOGITS = "logits = model.decode(said, source, padding_mask)[:, -1]  # (B, V)"
_NOW = "now = ops.where(has_ended, end_id, likeliest)  # (B,)"
_ENDED = "has_ended = ops.logical_or(has_ended, ops.equal(now, end_id))"
_SAID = "said = ops.concatenate([said, now[:, None]], axis=1)  # (B, T + 1)"
_BACK = "return said[:, 1:]  # (B, L)"
_LIKELIEST = "ops.argmax(logits, axis=-1)"
_BEGIN = 'said = ops.full((batch_size, 1), begin_id, dtype="int32")  # (B, T)'

GREEDY_DECODE = [
    right(
        _GREEDY,
        "numpy_and_a_break",
        source="""
def greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length):
    memory = model.encode(token_ids, padding_mask)
    given = np.full((len(token_ids), 1), begin_id)
    done = np.zeros(len(token_ids), dtype=bool)
    for _ in range(max_length):
        logits = np.asarray(model.decode(ops.convert_to_tensor(given), memory, padding_mask))
        token = logits[:, -1, :].argmax(axis=-1)
        token[done] = end_id
        done |= token == end_id
        given = np.hstack([given, token[:, None]])
        if done.all():
            break
    return given[:, 1:]
""",
    ),
    right(
        _GREEDY,
        "one_sentence_after_another",
        source="""
def greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length):
    rows = []
    for b in range(token_ids.shape[0]):
        mask = padding_mask[b : b + 1]
        source = model.encode(token_ids[b : b + 1], mask)
        row = [begin_id]
        while len(row) <= max_length and (len(row) == 1 or row[-1] != end_id):
            logits = model.decode(ops.convert_to_tensor([row]), source, mask)
            row.append(int(ops.argmax(logits[0, -1])))
        rows.append(row[1:])
    width = max(len(row) for row in rows)
    return ops.convert_to_tensor([row + [end_id] * (width - len(row)) for row in rows])
""",
    ),
    right(
        _GREEDY,
        "a_page_filled_in",
        source="""
def greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length):
    source = model.encode(token_ids, padding_mask)
    page = np.full((token_ids.shape[0], max_length + 1), end_id)
    page[:, 0] = begin_id
    done = np.zeros(len(page), bool)
    for t in range(max_length):
        logits = model.decode(ops.convert_to_tensor(page), source, padding_mask)
        page[:, t + 1] = np.where(done, end_id, np.argmax(np.asarray(logits)[:, t], axis=-1))
        done |= page[:, t + 1] == end_id
        if done.all():
            return page[:, 1 : t + 2]
    return page[:, 1:]
""",
    ),
    right(
        _GREEDY,
        "everything_said_anew",
        source="""
def greedy_decode_transformer(model, token_ids, padding_mask, begin_id, end_id, max_length):
    source = model.encode(token_ids, padding_mask)
    begin = ops.full((token_ids.shape[0], 1), begin_id, dtype="int32")
    said = begin
    for _ in range(max_length):
        logits = model.decode(said, source, padding_mask)
        answer = ops.cast(ops.argmax(logits, axis=-1), "int32")  # of every position
        said = ops.concatenate([begin, answer], axis=1)
        ended = ops.cumsum(ops.cast(ops.equal(answer, end_id), "int32"), axis=1)
        if bool(ops.all(ended[:, -1] > 0)):
            break
    return ops.where(ended > 0, end_id, answer)
""",
    ),
    *wrongs(
        _GREEDY,
        [
            (
                "end_of_the_notebook",
                "ids_of_the_notebook",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, 3, likeliest)",
                "ops.equal(now, end_id)",
                "ops.equal(now, 3)",
            ),
            (
                "both_of_the_notebook",
                "ids_of_the_notebook",
                "ops.full((batch_size, 1), begin_id",
                "ops.full((batch_size, 1), 2",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, 3, likeliest)",
                "ops.equal(now, end_id)",
                "ops.equal(now, 3)",
            ),
            ("no_stop", "never_stops_early", " and not ops.all(has_ended)", ""),
            (
                "stops_with_any",
                "stops_with_the_first_row_to_end",
                "ops.all(has_ended)",
                "ops.any(has_ended)",
            ),
            ("watches_first", "only_one_row_is_watched", "ops.all(has_ended)", "has_ended[0]"),
            ("watches_last", "only_one_row_is_watched", "ops.all(has_ended)", "has_ended[-1]"),
            (
                "all_at_once",
                "all_must_end_at_once",
                _NOW,
                "now = likeliest",
                _ENDED,
                "has_ended = ops.equal(now, end_id)",
            ),
            ("speaks_on", "ended_rows_speak_on", _NOW, "now = likeliest"),
            (
                "filled_with_zero",
                "filled_with_another_token",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, 0, likeliest)",
            ),
            (
                "filled_with_begin",
                "filled_with_another_token",
                "ops.where(has_ended, end_id, likeliest)",
                "ops.where(has_ended, begin_id, likeliest)",
            ),
            ("begins_with_end", "begins_with_another_token", "begin_id, dtype", "end_id, dtype"),
            ("begins_with_zero", "begins_with_another_token", "begin_id, dtype", "0, dtype"),
            ("smallest", "not_the_likeliest", "ops.argmax", "ops.argmin"),
            (
                "one_choice",
                "one_choice_for_all_rows",
                _LIKELIEST,
                "ops.repeat(ops.argmax(logits) % logits.shape[-1], batch_size)",
            ),
            (
                "end_forbidden",
                "never_says_the_end",
                _LIKELIEST,
                "ops.argmax(logits - 1e9 * ops.one_hot(end_id, logits.shape[-1]), axis=-1)",
            ),
            ("one_more", "one_token_off", "<= max_length", "<= max_length + 1"),
            ("one_less", "one_token_off", "<= max_length", "< max_length"),
            ("begin_kept", "begin_returned_too", _BACK, "return said"),
            ("begin_kept_last_lost", "begin_returned_too", _BACK, "return said[:, :-1]"),
            ("end_cut", "end_cut_off", "said[:, 1:]", "said[:, 1:-1]"),
            (
                "left_before_the_last_end",
                "end_cut_off",
                _SAID,
                f"if ops.all(has_ended):\n            break\n        {_SAID}",
            ),
            (
                "time_first",
                "time_comes_first",
                "said[:, 1:]",
                "ops.transpose(said[:, 1:])",
            ),
            ("last_only", "something_else_returned", _BACK, "return said[:, -1]"),
            (
                "floats",
                "something_else_returned",
                _BACK,
                'return ops.cast(said[:, 1:], "float32")',
            ),
            (
                "last_token_decoded",
                "only_the_last_token_decoded",
                "model.decode(said, ",
                "model.decode(said[:, -1:], ",
            ),
            (
                "last_two_decoded",
                "only_the_last_token_decoded",
                "model.decode(said, ",
                "model.decode(said[:, -2:], ",
            ),
            (
                "always_begin",
                "always_given_the_first_token",
                "model.decode(said, ",
                "model.decode(ops.full(said.shape, begin_id, dtype='int32'), ",
            ),
            (
                "begin_lost",
                "begin_lost_on_the_way",
                "model.decode(said, ",
                "model.decode(said[:, 1:] if said.shape[1] > 1 else said, ",
            ),
            (
                "newest_first",
                "newest_token_in_front",
                "= model.decode(said, ",
                "= model.decode(ops.concatenate([ops.flip(said[:, 1:], axis=1), said[:, :1]], 1), ",
            ),
            (
                "appended_twice",
                "token_appended_twice",
                "= model.decode(said, ",
                "= model.decode(ops.concatenate([said[:, :1], "
                "ops.repeat(said[:, 1:], 2, axis=1)], axis=1), ",
            ),
            (
                "first_row_heard",
                "all_rows_hear_the_first",
                "= model.decode(said, ",
                "= model.decode(ops.repeat(said[:1], batch_size, axis=0), ",
            ),
            ("first_position", "always_given_the_first_token", "[:, -1]", "[:, 0]"),
            (
                "mean_of_positions",
                "another_position_read",
                "model.decode(said, source, padding_mask)[:, -1]",
                "ops.mean(model.decode(said, source, padding_mask), axis=1)",
            ),
            (
                "read_at_every_step",
                "source_read_at_every_step",
                _ENCODE,
                "",
                _LOGITS,
                f"{_ENCODE}\n        {_LOGITS}",
            ),
            (
                "read_before_and_at_every_step",
                "source_read_at_every_step",
                _LOGITS,
                f"{_ENCODE}\n        {_LOGITS}",
            ),
            (
                "padding_encoded",
                "source_padding_is_seen",
                "model.encode(token_ids, padding_mask)",
                "model.encode(token_ids, ops.ones_like(padding_mask))",
            ),
            (
                "padding_looked_at",
                "source_padding_is_seen",
                "model.decode(said, source, padding_mask)",
                "model.decode(said, source, ops.ones_like(padding_mask))",
            ),
            (
                "padding_seen",
                "source_padding_is_seen",
                _ENCODE,
                f"padding_mask = ops.ones_like(padding_mask)\n    {_ENCODE}",
            ),
            (
                "mask_inverted",
                "source_mask_inverted",
                _ENCODE,
                f"padding_mask = ops.logical_not(padding_mask)\n    {_ENCODE}",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ beam_search

_SCORE_OF = "return total / ((5 + len(tokens)) / 6) ** length_penalty"
_START = "kept = [([], 0.0)]  # hypotheses: what was said, and its log P"
_STEPS = "for _ in range(max_length):"
_EACH = "for tokens, total in kept:"
_STAYS = "candidates.append((tokens, total))"
_GO_ON = "for token, gain in enumerate(next_log_probs([begin_id, *tokens])):"
_LONGER = "candidates.append(([*tokens, token], total + float(gain)))"
_BEST = "kept = sorted(candidates, key=lambda pair: score(*pair), reverse=True)[:beam_width]"
_OVER = "if all(tokens[-1] == end_id for tokens, _ in kept):"
_PAIRS = "return [(tokens, score(tokens, total)) for tokens, total in kept]"

BEAM_SEARCH = [
    right(
        "beam_search",
        "best_of_each_then_merged",
        source="""
def beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    def value(h):
        return h["logp"] / ((5.0 + len(h["said"])) / 6.0) ** length_penalty

    beam = [{"said": [], "logp": 0.0, "done": False}]
    for step in range(max_length):
        pool = []
        for h in beam:
            if h["done"]:
                pool.append(h)
                continue
            logps = np.asarray(next_log_probs([begin_id] + h["said"]), dtype=float)
            for v in np.argsort(-logps, kind="stable")[:beam_width]:
                if not np.isfinite(logps[v]):
                    break
                pool.append(
                    {
                        "said": h["said"] + [int(v)],
                        "logp": h["logp"] + logps[v],
                        "done": int(v) == end_id,
                    }
                )
        pool.sort(key=value, reverse=True)
        beam = pool[:beam_width]
        if all(h["done"] for h in beam):
            break
    return [(h["said"], value(h)) for h in beam]
""",
    ),
    right(
        "beam_search",
        "flattened_table",
        source="""
def beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    tokens, totals = [[]], np.zeros(1)
    while len(max(tokens, key=len)) < max_length:
        over = np.array([bool(t) and t[-1] == end_id for t in tokens])
        if over.all():
            break
        rows = []
        for said, total, done in zip(tokens, totals, over):
            if done:
                rows.append(total)
            else:
                rows.append(total + np.asarray(next_log_probs([begin_id, *said]), np.float64))
        size = next(row.shape[0] for row in rows if np.ndim(row))
        table = np.full((len(tokens), size), -np.inf)
        for k, row in enumerate(rows):
            if over[k]:
                table[k, end_id] = row
            else:
                table[k] = row
        lengths = np.array([len(t) + (not done) for t, done in zip(tokens, over)])
        values = table / ((5 + lengths[:, None]) / 6) ** length_penalty
        best = np.argsort(-values, axis=None, kind="stable")[:beam_width]
        best = [b for b in best if np.isfinite(values.flat[b])]
        totals = table.flat[best]
        tokens = [
            tokens[b // size] if over[b // size] else tokens[b // size] + [int(b % size)]
            for b in best
        ]
    lengths = np.array([len(t) for t in tokens])
    scores = totals / ((5 + lengths) / 6) ** length_penalty
    return list(zip(tokens, scores.tolist()))
""",
    ),
    right(
        "beam_search",
        "runs_to_the_limit_with_a_heap",
        source="""
import heapq


def beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    def penalised(logp, n):
        return logp * (6 / (5 + n)) ** length_penalty

    kept = [(0.0, 0.0, ())]
    for _ in range(max_length):
        grown = []
        for entry in kept:
            _, logp, said = entry
            if said and said[-1] == end_id:
                grown.append(entry)
            else:
                gains = next_log_probs((begin_id,) + said)
                n = len(said) + 1
                for v in range(len(gains)):
                    total = logp + gains[v]
                    if math.isinf(total):
                        continue
                    grown.append((penalised(total, n), total, said + (v,)))
        kept = heapq.nlargest(beam_width, grown, key=lambda entry: entry[0])
    return [(list(said), float(value)) for value, _, said in kept]
""",
    ),
    right(
        "beam_search",
        "tensors_in_the_pairs",
        source="""
def beam_search(next_log_probs, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    beams = [(np.zeros(0, dtype=int), 0.0)]
    finished = lambda beam: beam[0].size > 0 and beam[0][-1] == end_id
    score = lambda beam: beam[1] / (5 / 6 + beam[0].size / 6) ** length_penalty
    steps = 0
    while steps < max_length and not all(map(finished, beams)):
        steps += 1
        following = [beam for beam in beams if finished(beam)]
        for said, logp in (beam for beam in beams if not finished(beam)):
            following += [
                (np.append(said, v), logp + step)
                for v, step in enumerate(next_log_probs(np.append(begin_id, said)))
                if step > -1e9
            ]
        beams = sorted(following, key=score, reverse=True)[:beam_width]
    return [(said, ops.convert_to_tensor(score((said, logp)))) for said, logp in beams]
""",
    ),
    *wrongs(
        "beam_search",
        [
            (
                "alike",
                "all_beams_start_alike",
                "kept = [([], 0.0)]  #",
                "kept = [([], 0.0)] * beam_width  #",
            ),
            ("one_kept", "greedy_after_all", "[:beam_width]", "[:1]"),
            ("first_alone_continued", "greedy_after_all", _EACH, "for tokens, total in kept[:1]:"),
            (
                "split_once",
                "split_once_then_greedy",
                _GO_ON,
                "gains = next_log_probs([begin_id, *tokens])\n"
                "            chosen = [int(np.argmax(gains))] if tokens else range(len(gains))\n"
                "            for token in chosen:\n                gain = gains[token]",
            ),
            ("one_too_many", "width_is_another", "[:beam_width]", "[: beam_width + 1]"),
            ("always_four", "width_is_another", "[:beam_width]", "[:4]"),
            ("worst", "worst_kept", ", reverse=True", ""),
            (
                "sorted_by_tokens",
                "worst_kept",
                _BEST,
                "kept = sorted(candidates)[:beam_width]",
            ),
            (
                "sorted_up_and_turned_round",
                "equal_scores_turned_round",
                _BEST,
                "kept = sorted(candidates, key=lambda pair: score(*pair))[::-1][:beam_width]",
            ),
            (
                "likeliest_first_by_argsort",
                "equal_scores_turned_round",
                _GO_ON,
                "gains = next_log_probs([begin_id, *tokens])\n"
                "            for token in np.argsort(gains, kind='stable')[::-1]:\n"
                "                token, gain = int(token), gains[token]",
            ),
            (
                "everything_appended",
                "impossible_tokens_said",
                "if gain > -math.inf:",
                "if True:",
            ),
            (
                "token_appended_to_the_list",
                "one_list_for_all",
                _LONGER,
                "tokens.append(token)\n"
                "                    candidates.append((tokens, total + float(gain)))",
            ),
            (
                "twice_as_many_kept",
                "width_is_another",
                "[:beam_width]",
                "[: 2 * beam_width]",
            ),
            (
                "multiplied_from_zero",
                "not_a_sum_of_logarithms",
                "total + float(gain)",
                "total * float(gain)",
            ),
            (
                "scores_stored_and_ranked_by",
                "penalised_again_and_again",
                _LONGER,
                "longer = [*tokens, token]\n                    "
                "candidates.append((longer, score(longer, total + float(gain))))",
                "key=lambda pair: score(*pair), reverse",
                "key=lambda pair: pair[1], reverse",
            ),
            (
                "scores_stored",
                "penalised_again_and_again",
                _LONGER,
                "longer = [*tokens, token]\n                    "
                "candidates.append((longer, score(longer, total + float(gain))))",
            ),
            (
                "begin_of_the_notebook",
                "ids_of_the_notebook",
                "next_log_probs([begin_id, *tokens])",
                "next_log_probs([2, *tokens])",
            ),
            (
                "end_of_the_notebook",
                "ids_of_the_notebook",
                "if tokens and tokens[-1] == end_id:",
                "if tokens and tokens[-1] == 3:",
                "if all(tokens[-1] == end_id",
                "if all(tokens[-1] == 3",
            ),
            (
                "last_token_counts",
                "only_the_last_token_counts",
                "total + float(gain)",
                "float(gain)",
            ),
            (
                "probabilities_added",
                "not_a_sum_of_logarithms",
                "total + float(gain)",
                "total + math.exp(gain)",
            ),
            (
                "logarithms_multiplied",
                "not_a_sum_of_logarithms",
                "total + float(gain)",
                "total * float(gain) if tokens else float(gain)",
            ),
            (
                "sign_changed",
                "not_a_sum_of_logarithms",
                "total + float(gain)",
                "total - float(gain)",
            ),
            (
                "averaged",
                "not_a_sum_of_logarithms",
                "total + float(gain)",
                "(total * len(tokens) + float(gain)) / (len(tokens) + 1)",
            ),
            (
                "penalised_totals_stored",
                "penalised_again_and_again",
                "total + float(gain)",
                "score(tokens, total) + float(gain)",
            ),
            (
                "penalised_twice_in_the_end",
                "penalised_again_and_again",
                _PAIRS,
                "return [(tokens, score(tokens, score(tokens, total))) for tokens, total in kept]",
            ),
            ("no_penalty", "no_length_penalty", _SCORE_OF, "return total"),
            (
                "length_of_the_step",
                "length_of_the_step",
                _STEPS,
                "for step in range(1, max_length + 1):",
                "(5 + len(tokens))",
                "(5 + step)",
            ),
            (
                "length_of_the_limit",
                "length_of_the_step",
                "(5 + len(tokens))",
                "(5 + max_length)",
            ),
            (
                "kept_by_log_p",
                "penalty_only_at_the_end",
                "key=lambda pair: score(*pair), reverse",
                "key=lambda pair: pair[1], reverse",
            ),
            (
                "kept_by_log_p_then_sorted",
                "penalty_only_at_the_end",
                "key=lambda pair: score(*pair), reverse",
                "key=lambda pair: pair[1], reverse",
                _PAIRS,
                "pairs = [(tokens, score(tokens, total)) for tokens, total in kept]\n"
                "    return sorted(pairs, key=lambda pair: -pair[1])",
            ),
            (
                "plain_length",
                "another_length_penalty",
                _SCORE_OF,
                "return total / max(len(tokens), 1) ** length_penalty",
            ),
            (
                "mean_log_p",
                "another_length_penalty",
                _SCORE_OF,
                "return total / max(len(tokens), 1)",
            ),
            (
                "not_over_six",
                "another_length_penalty",
                "((5 + len(tokens)) / 6)",
                "(5 + len(tokens))",
            ),
            (
                "exponent_before_the_six",
                "another_length_penalty",
                "((5 + len(tokens)) / 6) ** length_penalty",
                "((5 + len(tokens)) ** length_penalty / 6)",
            ),
            (
                "brackets_forgotten",
                "another_length_penalty",
                "((5 + len(tokens)) / 6)",
                "(5 + len(tokens) / 6)",
            ),
            ("no_exponent", "another_length_penalty", " ** length_penalty\n", "\n"),
            (
                "multiplied",
                "multiplied_by_the_penalty",
                "total / ((5",
                "total * ((5",
            ),
            (
                "begin_counted",
                "another_length_counted",
                "(5 + len(tokens))",
                "(5 + len([begin_id, *tokens]))",
            ),
            (
                "end_not_counted",
                "another_length_counted",
                "(5 + len(tokens))",
                "(5 + len([t for t in tokens if t != end_id]))",
            ),
            (
                "one_taken_off",
                "one_too_few_counted",
                "(5 + len(tokens))",
                "(5 + len(tokens) - 1)",
            ),
            (
                "everything_stored_as_scores",
                "penalised_again_and_again",
                _LONGER,
                "longer = [*tokens, token]\n                    "
                "candidates.append((longer, score(longer, total + float(gain))))",
                _STAYS,
                "candidates.append((tokens, score(tokens, total)))",
            ),
            ("exponent_fixed", "exponent_is_fixed", "** length_penalty\n", "** 0.6\n"),
            ("dropped", "ended_ones_dropped", f"{_STAYS}\n                continue", "continue"),
            (
                "continued",
                "ended_ones_go_on",
                f"{_STAYS}\n                continue",
                "pass",
            ),
            (
                "end_again_for_free",
                "ended_ones_go_on",
                _STAYS,
                "candidates.append(([*tokens, end_id], total))",
            ),
            (
                "end_again_at_its_price",
                "ended_ones_go_on",
                _STAYS,
                "gains = next_log_probs([begin_id, *tokens])\n                "
                "candidates.append(([*tokens, end_id], total + float(gains[end_id])))",
            ),
            (
                "set_aside",
                "ended_ones_set_aside",
                _START,
                "kept, aside = [([], 0.0)], []",
                _BEST,
                f"{_BEST}\n"
                "        aside += [pair for pair in kept if pair[0][-1] == end_id]\n"
                "        kept = [pair for pair in kept if pair[0][-1] != end_id]",
                _PAIRS,
                "kept = sorted(aside + kept, key=lambda pair: -score(*pair))[:beam_width]\n"
                f"    {_PAIRS}",
            ),
            ("best_has_ended", "stops_too_early", _OVER, "if kept[0][0][-1] == end_id:"),
            ("any_has_ended", "stops_too_early", "if all(tokens[-1]", "if any(tokens[-1]"),
            ("one_more", "one_token_off", "range(max_length)", "range(max_length + 1)"),
            ("one_less", "one_token_off", "range(max_length)", "range(max_length - 1)"),
            (
                "last_token_given",
                "another_prefix_given",
                "next_log_probs([begin_id, *tokens])",
                "next_log_probs([begin_id, *tokens][-1:])",
            ),
            (
                "begin_alone_given",
                "another_prefix_given",
                "next_log_probs([begin_id, *tokens])",
                "next_log_probs([begin_id])",
            ),
            (
                "begin_kept",
                "begin_returned_too",
                _PAIRS,
                "return [([begin_id, *tokens], score(tokens, total)) for tokens, total in kept]",
            ),
            (
                "end_cut",
                "end_changed_in_the_result",
                _PAIRS,
                "return [\n        ([t for t in tokens if t != end_id], score(tokens, total)) "
                "for tokens, total in kept\n    ]",
            ),
            (
                "filled_up",
                "end_changed_in_the_result",
                _PAIRS,
                "longest = max(len(tokens) for tokens, _ in kept)\n    return [\n        "
                "(tokens + [end_id] * (longest - len(tokens)), score(tokens, total))\n        "
                "for tokens, total in kept\n    ]",
            ),
            ("log_p", "log_p_returned", _PAIRS, "return kept"),
            (
                "probabilities",
                "log_p_returned",
                _PAIRS,
                "return [(tokens, math.exp(score(tokens, total))) for tokens, total in kept]",
            ),
            (
                "worst_first",
                "worst_comes_first",
                "for tokens, total in kept]",
                "for tokens, total in reversed(kept)]",
            ),
            (
                "best_alone",
                "another_form_returned",
                _PAIRS,
                "return kept[0][0], score(*kept[0])",
            ),
            ("best_tokens", "another_form_returned", _PAIRS, "return kept[0][0]"),
            (
                "best_in_a_list",
                "another_form_returned",
                "for tokens, total in kept]",
                "for tokens, total in kept[:1]]",
            ),
            (
                "tokens_alone",
                "another_form_returned",
                _PAIRS,
                "return [tokens for tokens, _ in kept]",
            ),
            (
                "score_first",
                "another_form_returned",
                _PAIRS,
                "return [(score(tokens, total), tokens) for tokens, total in kept]",
            ),
            (
                "two_lists",
                "another_form_returned",
                _PAIRS,
                "return [pair[0] for pair in kept], [score(*pair) for pair in kept]",
            ),
            (
                "ended_alone",
                "another_form_returned",
                "for tokens, total in kept]",
                "for tokens, total in kept if tokens[-1] == end_id]",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ kv_cache_step

_KEYS = "keys = ops.concatenate([keys, key], axis=2)  # (B, N, t + 1, H)"
_VALUES = "values = ops.concatenate([values, value], axis=2)"
_ATTEND = "scaled_dot_product(query, keys, values)"
_TRIPLE = "return attention.output_dense(merge_heads(output)), keys, values"
_DENSES = "(attention.query_dense, attention.key_dense, attention.value_dense)"

KV_CACHE_STEP = [
    right(
        "kv_cache_step",
        "by_hand",
        source="""
def kv_cache_step(attention, x, keys, values):
    batch, heads, _, size = keys.shape

    def one(dense):
        return ops.reshape(dense(x), (batch, heads, 1, size))

    keys = ops.concatenate([keys, one(attention.key_dense)], axis=-2)
    values = ops.concatenate([values, one(attention.value_dense)], axis=-2)
    scores = ops.einsum("bnqh,bnkh->bnqk", one(attention.query_dense), keys) / size**0.5
    mixed = ops.einsum("bnqk,bnkh->bqnh", ops.softmax(scores), values)
    return attention.output_dense(ops.reshape(mixed, (batch, 1, heads * size))), keys, values
""",
    ),
    right(
        "kv_cache_step",
        "padded_then_written",
        source="""
def kv_cache_step(attention, x, keys, values):
    room = ((0, 0), (0, 0), (0, 1), (0, 0))
    before = keys.shape[2]
    is_new = ops.arange(before + 1)[None, None, :, None] == before
    key = split_heads(attention.key_dense(x), attention.num_heads)
    value = split_heads(attention.value_dense(x), attention.num_heads)
    keys = ops.where(is_new, key, ops.pad(keys, room))
    values = ops.where(is_new, value, ops.pad(values, room))
    query = split_heads(attention.query_dense(x), attention.num_heads)
    everything = ops.ones((1, 1, 1, before + 1), dtype="bool")
    mixed = scaled_dot_product(query, keys, values, mask=everything)[0]
    return attention.output_dense(merge_heads(mixed)), keys, values
""",
    ),
    right(
        "kv_cache_step",
        "one_token_has_no_order",
        source="""
def kv_cache_step(attention, x, keys, values):
    split = lambda dense: split_heads(dense(x), attention.num_heads)
    query = split(attention.query_dense)
    longer_keys = ops.concatenate((keys, split(attention.key_dense)), axis=2)
    longer_values = ops.concatenate((values, split(attention.value_dense)), axis=2)
    mixed, _ = scaled_dot_product(query, longer_keys, longer_values)
    mixed = ops.reshape(mixed, x.shape)
    return [attention.output_dense(mixed), longer_keys, longer_values]
""",
    ),
    *wrongs(
        "kv_cache_step",
        [
            (
                "keys_alone_in_front",
                "new_token_in_front",
                _KEYS,
                "keys = ops.concatenate([key, keys], axis=2)",
            ),
            (
                "in_front",
                "new_token_in_front",
                "[keys, key]",
                "[key, keys]",
                "[values, value]",
                "[value, values]",
            ),
            (
                "old_caches_returned",
                "cache_does_not_grow",
                _KEYS,
                "before = keys, values\n    " + _KEYS,
                "merge_heads(output)), keys, values",
                "merge_heads(output)), *before",
            ),
            (
                "last_replaced",
                "cache_does_not_grow",
                "[keys, key]",
                "[keys[:, :, :-1], key]",
                "[values, value]",
                "[values[:, :, :-1], value]",
            ),
            (
                "oldest_dropped",
                "cache_does_not_grow",
                "[keys, key]",
                "[keys[:, :, 1:], key]",
                "[values, value]",
                "[values[:, :, 1:], value]",
            ),
            (
                "new_only_returned",
                "only_the_new_one_kept",
                "merge_heads(output)), keys, values",
                "merge_heads(output)), key, value",
            ),
            (
                "returned_exchanged",
                "keys_and_values_exchanged",
                "merge_heads(output)), keys, values",
                "merge_heads(output)), values, keys",
            ),
            (
                "dense_exchanged",
                "keys_and_values_exchanged",
                _DENSES,
                "(attention.query_dense, attention.value_dense, attention.key_dense)",
            ),
            (
                "roles_exchanged",
                "keys_and_values_exchanged",
                _ATTEND,
                "scaled_dot_product(query, values, keys)",
            ),
            (
                "looks_before_it_is_there",
                "does_not_see_itself",
                _ATTEND,
                "scaled_dot_product(query, keys[:, :, :-1], values[:, :, :-1])",
            ),
            (
                "itself_alone",
                "sees_only_itself",
                _ATTEND,
                "scaled_dot_product(query, key, value)",
            ),
            (
                "triangle",
                "triangle_for_one_query",
                _ATTEND,
                "scaled_dot_product(\n        query, keys, values,\n        "
                "mask=ops.tril(ops.ones((1, keys.shape[2]), dtype='bool')),\n    )",
            ),
            (
                "keys_as_values",
                "one_cache_for_both",
                _ATTEND,
                "scaled_dot_product(query, keys, keys)",
            ),
            (
                "query_by_key_dense",
                "another_projection",
                "(attention.query_dense, attention.key_dense",
                "(attention.key_dense, attention.key_dense",
            ),
            (
                "value_by_key_dense",
                "another_projection",
                "attention.value_dense)",
                "attention.key_dense)",
            ),
            (
                "one_dense_for_all",
                "another_projection",
                _DENSES,
                "(attention.query_dense, attention.query_dense, attention.query_dense)",
            ),
            (
                "output_not_projected",
                "output_not_projected",
                "attention.output_dense(merge_heads(output))",
                "merge_heads(output)",
            ),
            (
                "residual",
                "residual_added",
                "return attention.output_dense(merge_heads(output))",
                "return x + attention.output_dense(merge_heads(output))",
            ),
            (
                "scaled_twice",
                "scaled_otherwise",
                _ATTEND,
                "scaled_dot_product(query / query.shape[-1] ** 0.5, keys, values)",
            ),
            (
                "heads_interleaved",
                "heads_cut_otherwise",
                "split_heads(dense(x), attention.num_heads)",
                "ops.transpose(ops.reshape(dense(x), (x.shape[0], 1, -1, attention.num_heads)), "
                "(0, 3, 1, 2))",
            ),
            (
                "output_only",
                "another_form_returned",
                "merge_heads(output)), keys, values",
                "merge_heads(output))",
            ),
            (
                "cache_first",
                "another_form_returned",
                _TRIPLE,
                "return keys, values, attention.output_dense(merge_heads(output))",
            ),
            (
                "nested",
                "another_form_returned",
                "merge_heads(output)), keys, values",
                "merge_heads(output)), (keys, values)",
            ),
            (
                "weights_too",
                "another_form_returned",
                "output, _ = ",
                "output, weights = ",
                "merge_heads(output)), keys, values",
                "merge_heads(output)), keys, values, weights",
            ),
            (
                "token_axis_lost",
                "another_form_returned",
                "merge_heads(output)), keys, values",
                "merge_heads(output))[:, 0], keys, values",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch03c_transformer"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_ILL = {
    "targets_not_shifted": "labels_handed_in",
    "smoothing_divisor": "another_divisor",
    "source_mask_dropped": "source_padding_is_seen",
    "beams_start_alike": "all_beams_start_alike",
    "penalty_by_step": "length_of_the_step",
    "ended_ones_dropped": "ended_ones_dropped",
}


def _drilled(key, suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


def _unrepaired(key):
    return _BUGS[key].source.replace("patient", "repaired")


_SHORT = """
def repaired(
    model, token_ids, padding_mask, target_ids, target_mask, begin_id, end_id, max_length
):
    width, penalty, smoothing = 3, 0.6, 0.1
    source = model.encode(token_ids, padding_mask)
    logits = model.decode(target_ids[:, :-1], source, padding_mask)
    logs = logits - ops.logsumexp(logits, axis=-1, keepdims=True)
    picked = ops.take_along_axis(logs, target_ids[:, 1:, None], axis=-1)[..., 0]
    losses = -(1 - smoothing) * picked - smoothing * ops.mean(logs, axis=-1)
    weight = ops.cast(target_mask[:, 1:], losses.dtype)
    loss = ops.sum(losses * weight) / ops.sum(weight)

    def next_logs(prefix):
        scores = model.decode(ops.convert_to_tensor([prefix]), source[:1], padding_mask[:1])
        return np.asarray(ops.log_softmax(scores[0, -1]))

    beams = [(0.0, 0.0, [])]
    for _ in range(max_length):
        pool = [beam for beam in beams if beam[2][-1:] == [end_id]]
        for _, log_p, said in beams:
            if said[-1:] != [end_id]:
                for token, more in enumerate(next_logs([begin_id, *said])):
                    total = log_p + float(more)
                    value = total / ((5 + len(said) + 1) / 6) ** penalty
                    pool.append((value, total, [*said, token]))
        beams = sorted(pool, key=lambda beam: beam[0])[::-1][:width]
    score, _, tokens = beams[0]
    return loss, tokens, score
"""
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}

DRILL = [
    *[
        right(_DRILL, f"{key}_from_own_pieces", key=key, source=_drilled(key, key, _SHORT))
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(_ILL[key],),
            source=_drilled(key, key, _unrepaired(key)),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(key, _OTHER[key], _BUGS[key].fixed),
        )
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key="targets_not_shifted",
            names=(named,),
            source=_drilled("", "targets_not_shifted", _SHORT.replace(old, new)),
        )
        for name, named, old, new in [
            (
                "mask_of_inputs",
                "shifted_otherwise",
                "ops.cast(target_mask[:, 1:]",
                "ops.cast(target_mask[:, :-1]",
            ),
            (
                "padding_counted",
                "target_padding_counts",
                "ops.sum(losses * weight) / ops.sum(weight)",
                "ops.mean(losses)",
            ),
            (
                "all_positions_below",
                "divided_by_something_else",
                "ops.sum(losses * weight) / ops.sum(weight)",
                "ops.mean(losses * weight)",
            ),
            ("plain_labels", "not_smoothed", "smoothing = 3, 0.6, 0.1", "smoothing = 3, 0.6, 0.0"),
            ("no_penalty", "no_length_penalty", "smoothing = 3, 0.6", "smoothing = 3, 0.0"),
            ("one_less", "one_token_off", "range(max_length)", "range(max_length - 1)"),
            (
                "brackets_forgotten",
                "another_length_penalty",
                "((5 + len(said) + 1) / 6)",
                "(5 + (len(said) + 1) / 6)",
            ),
            (
                "mask_inverted",
                "source_mask_inverted",
                "    source = ",
                "    padding_mask = ops.logical_not(padding_mask)\n    source = ",
            ),
            (
                "last_sentence",
                "another_sentence_translated",
                "source[:1], padding_mask[:1]",
                "source[-1:], padding_mask[-1:]",
            ),
            (
                "begin_kept",
                "something_else_shown",
                "return loss, tokens,",
                "return loss, [begin_id, *tokens],",
            ),
        ]
    ],
]

# Repairs of the search that deal with ended hypotheses in another way.
_REPAIR = _BUGS["ended_ones_dropped"].fixed
_CLOSED = "        gains[has_ended] = -np.inf\n"
_FREE = "        gains[has_ended, end_id] = 0  # it stays as it is\n"

DRILL += [
    wrong(
        _DRILL,
        f"ended_{name}",
        key="ended_ones_dropped",
        names=(named,),
        source=_drilled("", "ended_ones_dropped", _REPAIR.replace(old, new)),
    )
    for name, named, old, new in [
        (
            "row_of_zeros",
            "ended_ones_copied",
            _CLOSED + _FREE,
            "        gains[has_ended] = 0.0\n",
        ),
        ("line_taken_out", "ended_ones_go_on", _CLOSED + _FREE, ""),
        ("row_left_open", "ended_ones_go_on", _CLOSED, ""),
        ("length_grows", "ended_length_grows", "length + ~has_ended", "length + 1"),
    ]
]

VARIANTS = [
    *LABEL_SMOOTHING,
    *WARMUP_SCHEDULE,
    *TRANSFORMER_LOGITS,
    *GREEDY_DECODE,
    *BEAM_SEARCH,
    *KV_CACHE_STEP,
    *DRILL,
]
