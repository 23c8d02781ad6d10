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


# ------------------------------------------------------------------ gpt_logits

_LENGTH = "length = token_ids.shape[1]"
_MASK = "combine_masks(padding_mask, causal_mask(length))"
_PLACES = "position_table[:length]"
_LOOKUP = "ops.take(token_table, token_ids, axis=0)"
_LOOP = "for block in blocks:"
_BLOCK = "x, _ = block(x, attention_mask=mask)"
_OUT = "return ops.matmul(x, ops.transpose(token_table))"

GPT_LOGITS = [
    right(
        "gpt_logits",
        "mask_by_hand_and_einsum",
        source="""
def gpt_logits(token_ids, padding_mask, token_table, position_table, blocks):
    T = token_ids.shape[1]
    i = ops.arange(T)
    allowed = ops.logical_and(padding_mask[:, None, :], i[None, :, None] >= i[None, None, :])
    h = ops.take(token_table, token_ids, axis=0)
    h = h + ops.take(position_table, i, axis=0)[None]
    for layer in blocks:
        h = layer(h, attention_mask=allowed)[0]
    return ops.einsum("btd,vd->btv", h, token_table)
""",
    ),
    right(
        "gpt_logits",
        "one_hot_lookup",
        source="""
def gpt_logits(token_ids, padding_mask, token_table, position_table, blocks):
    length = ops.shape(token_ids)[1]
    ones = ops.ones((length, length), dtype="bool")
    mask = ops.tril(ops.cast(ones, "int32")) > 0
    mask = ops.logical_and(mask, ops.expand_dims(padding_mask, 1))
    x = ops.matmul(ops.one_hot(token_ids, token_table.shape[0], dtype="float32"), token_table)
    x = x + position_table[None, :length, :]
    for i in range(len(blocks)):
        x, weights = blocks[i](x, mask)
    return ops.tensordot(x, token_table, axes=[[-1], [-1]])
""",
    ),
    right(
        "gpt_logits",
        "query_rows_of_pads_closed_too",
        source="""
def gpt_logits(token_ids, padding_mask, token_table, position_table, blocks):
    causal = causal_mask(token_ids.shape[1])
    real = ops.logical_and(padding_mask[:, :, None], padding_mask[:, None, :])
    x = ops.take(token_table, token_ids, axis=0) + position_table[: token_ids.shape[1]]
    mask = ops.logical_and(real, causal)
    for block in blocks:
        output = block(x, attention_mask=mask)
        x = output[0]
    return x @ ops.transpose(token_table)
""",
    ),
    right(
        "gpt_logits",
        "flattened_and_back",
        source="""
def gpt_logits(token_ids, padding_mask, token_table, position_table, blocks):
    length = token_ids.shape[1]
    size, dim = token_table.shape
    flat = ops.take(token_table, ops.reshape(token_ids, (-1,)), axis=0)
    states = ops.reshape(flat, (-1, length, dim)) + position_table[:length]
    mask = combine_masks(padding_mask, causal_mask(length))
    for block in blocks:
        states, _ = block(states, attention_mask=mask)
    scores = ops.matmul(ops.reshape(states, (-1, dim)), ops.transpose(token_table))
    return ops.reshape(scores, (-1, length, size))
""",
    ),
    *wrongs(
        "gpt_logits",
        [
            (
                "table_copied",
                "table_copied",
                _LENGTH,
                "token_table = keras.Variable(token_table)\n    " + _LENGTH,
            ),
            ("mask_of_two_axes", "mask_of_two_axes", _MASK, "padding_mask"),
            (
                "blocks_not_chained",
                "blocks_not_in_turn",
                _BLOCK,
                "h, _ = block(x, attention_mask=mask)",
                "(x, ops",
                "(h, ops",
            ),
            (
                "returned_inside_the_loop",
                "blocks_left_out",
                _OUT,
                "    return ops.matmul(x, ops.transpose(token_table))",
            ),
            ("no_mask", "future_visible", _BLOCK, _BLOCK.replace("=mask", "=None")),
            ("only_padding", "future_visible", _MASK, "padding_mask[:, None, :]"),
            ("only_causal", "padding_visible", _MASK, "causal_mask(length)"),
            (
                "padded_queries_closed_only",
                "padding_visible",
                _MASK,
                "ops.logical_and(padding_mask[:, :, None], causal_mask(length))",
            ),
            (
                "transposed",
                "wrong_triangle",
                "causal_mask(length)",
                "ops.transpose(causal_mask(length))",
            ),
            (
                "strictly_before",
                "own_token_hidden",
                "causal_mask(length)",
                "ops.arange(length)[:, None] > ops.arange(length)",
            ),
            (
                "one_ahead",
                "sees_one_ahead",
                "causal_mask(length)",
                "ops.arange(length)[:, None] + 1 >= ops.arange(length)",
            ),
            (
                "diagonal",
                "own_position_only",
                "causal_mask(length)",
                "ops.equal(ops.arange(length)[:, None], ops.arange(length))",
            ),
            (
                "or",
                "masks_joined_wrongly",
                _MASK,
                "ops.logical_or(padding_mask[:, None, :], causal_mask(length))",
            ),
            ("all_inverted", "attention_mask_inverted", _MASK, f"ops.logical_not({_MASK})"),
            (
                "padding_inverted",
                "attention_mask_inverted",
                "combine_masks(padding_mask,",
                "combine_masks(ops.logical_not(padding_mask),",
            ),
            ("no_positions", "positions_missing", f" + {_PLACES}", ""),
            (
                "positions_in_each_block",
                "positions_added_again",
                _LOOKUP + f" + {_PLACES}",
                _LOOKUP,
                "= block(x,",
                f"= block(x + {_PLACES},",
            ),
            (
                "positions_twice",
                "positions_added_again",
                f" + {_PLACES}",
                f" + {_PLACES} + {_PLACES}",
            ),
            ("from_one", "other_rows_of_positions", _PLACES, "position_table[1 : length + 1]"),
            ("last_rows", "other_rows_of_positions", _PLACES, "position_table[-length:]"),
            (
                "reversed_positions",
                "other_rows_of_positions",
                _PLACES,
                f"ops.flip({_PLACES}, axis=0)",
            ),
            ("first_row", "other_rows_of_positions", _PLACES, "position_table[0]"),
            ("row_length", "other_rows_of_positions", _PLACES, "position_table[length]"),
            (
                "by_batch",
                "positions_by_row_of_the_batch",
                _PLACES,
                "position_table[: token_ids.shape[0], None]",
            ),
            (
                "by_token",
                "positions_by_token",
                _PLACES,
                "ops.take(position_table, token_ids, axis=0)",
            ),
            (
                "counted",
                "positions_skip_padding",
                _PLACES,
                "ops.take(position_table, ops.maximum(ops.cumsum(ops.cast(padding_mask, 'int32'), "
                "axis=1) - 1, 0), axis=0)",
            ),
            (
                "times_root",
                "embeddings_scaled",
                _LOOKUP,
                f"math.sqrt(token_table.shape[1]) * {_LOOKUP}",
            ),
            ("backwards", "blocks_reversed", _LOOP, "for block in blocks[::-1]:"),
            ("last_left_out", "blocks_left_out", _LOOP, "for block in blocks[:-1]:"),
            ("first_only", "blocks_left_out", _LOOP, "for block in blocks[:1]:"),
            ("last_block_only", "blocks_not_in_turn", _LOOP, "for block in blocks[-1:]:"),
            (
                "result_thrown_away",
                "blocks_left_out",
                _BLOCK,
                "y, _ = block(x, attention_mask=mask)",
            ),
            ("first_again", "one_block_again_and_again", "= block(x", "= blocks[0](x"),
            (
                "pair_handed_on",
                "pair_not_taken_apart",
                _BLOCK,
                "x = block(x, attention_mask=mask)",
            ),
            (
                "residual",
                "residual_added_again",
                _BLOCK,
                _BLOCK + "\n        x = x + last",
                _LOOP,
                _LOOP + "\n        last = x",
            ),
            ("gelu", "activation_before_the_output", _OUT, _OUT.replace("(x,", "(ops.gelu(x),")),
            (
                "gelu_exact",
                "activation_before_the_output",
                _OUT,
                _OUT.replace("(x,", "(ops.gelu(x, approximate=False),"),
            ),
            ("relu", "activation_before_the_output", _OUT, _OUT.replace("(x,", "(ops.relu(x),")),
            ("tanh", "activation_before_the_output", _OUT, _OUT.replace("(x,", "(ops.tanh(x),")),
            (
                "softmax",
                "probabilities_returned",
                _OUT,
                "return ops.softmax(ops.matmul(x, ops.transpose(token_table)))",
            ),
            (
                "log_softmax",
                "probabilities_returned",
                _OUT,
                "return ops.log_softmax(ops.matmul(x, ops.transpose(token_table)))",
            ),
            (
                "divided",
                "states_rescaled",
                _OUT,
                _OUT + " / math.sqrt(token_table.shape[1])",
            ),
            (
                "normalised",
                "states_rescaled",
                _OUT,
                "x = x - ops.mean(x, axis=-1, keepdims=True)\n"
                "    x = x / ops.sqrt(ops.mean(x * x, axis=-1, keepdims=True) + 1e-6)\n    " + _OUT,
            ),
            (
                "embeddings_again",
                "embeddings_added_at_the_end",
                _LOOP,
                "embedded = x\n    " + _LOOP,
                _OUT,
                _OUT.replace("(x,", "(x + embedded,"),
            ),
            (
                "position_table",
                "compared_with_positions",
                _OUT,
                _OUT.replace("token_table", "position_table"),
            ),
            ("cut_last", "shifted_here", _OUT, _OUT + "[:, :-1]"),
            ("cut_first", "shifted_here", _OUT, _OUT + "[:, 1:]"),
            ("last_only", "last_position_only", _OUT, _OUT + "[:, -1]"),
            ("states", "something_else_returned", _OUT, "return x"),
            (
                "ids",
                "something_else_returned",
                _OUT,
                "return ops.argmax(ops.matmul(x, ops.transpose(token_table)), axis=-1)",
            ),
            (
                "time_first",
                "something_else_returned",
                _OUT,
                "return ops.swapaxes(ops.matmul(x, ops.transpose(token_table)), 0, 1)",
            ),
            (
                "stopped_at_the_output",
                "tying_lost",
                _OUT,
                _OUT.replace("(token_table)", "(ops.stop_gradient(token_table))"),
            ),
            (
                "stopped_at_the_lookup",
                "lookup_cut_off",
                _LOOKUP,
                f"ops.stop_gradient({_LOOKUP})",
            ),
            (
                "positions_stopped",
                "positions_cut_off",
                _PLACES,
                f"ops.stop_gradient({_PLACES})",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ causal_lm_loss

_IDS = "token_ids = ops.convert_to_tensor(token_ids)\n"
_SCORES = "logits[:, :-1]"
_LABELS = "token_ids[:, 1:]"
_REAL = "padding_mask[:, 1:]"
_SUM = "ops.sum(surprise * is_real)"
_COUNT = "ops.maximum(ops.sum(is_real), 1.0)"
_RESULT = f"return {_SUM} / {_COUNT}"
_LOG = 'ops.log_softmax(ops.cast(logits[:, :-1], "float32"), axis=-1)'
_PICK = "-ops.take_along_axis(log_shares, right, axis=-1)[..., 0]"
_PICKED = f"surprise = {_PICK}  # (B, T - 1)\n"

CAUSAL_LM_LOSS = [
    right(
        "causal_lm_loss",
        "kerass_cross_entropy",
        source="""
def causal_lm_loss(logits, token_ids, padding_mask):
    labels, keep = token_ids[:, 1:], ops.cast(padding_mask[:, 1:], logits.dtype)
    each = keras.losses.sparse_categorical_crossentropy(labels, logits[:, :-1], from_logits=True)
    return ops.sum(each * keep) / ops.maximum(ops.sum(keep), 1)
""",
    ),
    right(
        "causal_lm_loss",
        "one_hot_and_logsumexp",
        source="""
def causal_lm_loss(logits, token_ids, padding_mask):
    scores = logits[:, :-1]
    hot = ops.one_hot(token_ids[:, 1:], logits.shape[-1], dtype="float32")
    each = ops.logsumexp(scores, axis=-1) - ops.sum(scores * hot, axis=-1)
    real = padding_mask[:, 1:]
    total = ops.sum(ops.where(real, each, 0.0))
    count = ops.sum(ops.cast(real, "float32"))
    return ops.where(count > 0, total / ops.maximum(count, 1.0), 0.0)
""",
    ),
    right(
        "causal_lm_loss",
        "labels_rolled_and_the_last_masked",
        source="""
def causal_lm_loss(logits, token_ids, padding_mask):
    length = token_ids.shape[1]
    labels = ops.roll(token_ids, -1, axis=1)
    real = ops.logical_and(ops.roll(padding_mask, -1, axis=1), ops.arange(length) < length - 1)
    weight = ops.cast(real, "float32")
    logs = ops.log_softmax(ops.log_softmax(logits))
    each = -ops.take_along_axis(logs, labels[..., None], axis=-1)[..., 0]
    return ops.sum(weight * each) / (ops.sum(weight) + 1e-9)
""",
    ),
    right(
        "causal_lm_loss",
        "shifted_then_flattened",
        source="""
def causal_lm_loss(logits, token_ids, padding_mask):
    scores = ops.reshape(logits[:, :-1], (-1, logits.shape[-1]))
    labels = ops.reshape(token_ids[:, 1:], (-1,))
    real = ops.cast(ops.reshape(padding_mask[:, 1:], (-1,)), "float32")
    each = ops.sparse_categorical_crossentropy(labels, scores, from_logits=True)
    return ops.dot(each, real) / ops.maximum(ops.sum(real), 1.0)
""",
    ),
    *wrongs(
        "causal_lm_loss",
        [
            (
                "log_shares_without_from_logits",
                "logarithms_taken_for_probabilities",
                _RESULT,
                "logs = keras.ops.log_softmax(logits[:, :-1])\n"
                "    surprise = keras.ops.sparse_categorical_crossentropy(token_ids[:, 1:], logs)\n"
                "    " + _RESULT,
            ),
            (
                "not_shifted",
                "not_shifted",
                _SCORES,
                "logits",
                _LABELS,
                "token_ids",
                _REAL,
                "padding_mask",
            ),
            (
                "cut_without_shift",
                "not_shifted",
                _LABELS,
                "token_ids[:, :-1]",
                _REAL,
                "padding_mask[:, :-1]",
            ),
            ("cut_in_front", "not_shifted", _SCORES, "logits[:, 1:]"),
            (
                "twice",
                "shifted_twice",
                _SCORES,
                "logits[:, :-2]",
                _LABELS,
                "token_ids[:, 2:]",
                _REAL,
                "padding_mask[:, 2:]",
            ),
            (
                "wrong_way",
                "shifted_the_wrong_way",
                _SCORES,
                "logits[:, 1:]",
                _LABELS,
                "token_ids[:, :-1]",
                _REAL,
                "padding_mask[:, :-1]",
            ),
            (
                "rolled",
                "rolled",
                _SCORES,
                "logits",
                _LABELS,
                "ops.roll(token_ids, -1, axis=1)",
                _REAL,
                "ops.roll(padding_mask, -1, axis=1)",
            ),
            (
                "rolled_ids",
                "rolled",
                _SCORES,
                "logits",
                _LABELS,
                "ops.roll(token_ids, -1, axis=1)",
                _REAL,
                "padding_mask",
            ),
            (
                "flattened",
                "flattened_before_the_shift",
                _IDS,
                "logits = ops.reshape(logits, (1, -1, logits.shape[-1]))\n"
                "    token_ids = ops.reshape(token_ids, (1, -1))\n"
                "    padding_mask = ops.reshape(padding_mask, (1, -1))\n",
            ),
            (
                "along_the_batch",
                "shifted_along_the_batch",
                _SCORES,
                "logits[:-1]",
                _LABELS,
                "token_ids[1:]",
                _REAL,
                "padding_mask[1:]",
            ),
            ("mask_of_inputs", "mask_not_shifted", _REAL, "padding_mask[:, :-1]"),
            (
                "mask_shifted_once_more",
                "mask_not_shifted",
                _REAL,
                "ops.logical_and(padding_mask[:, 1:], ops.pad(padding_mask[:, 2:], "
                "((0, 0), (0, 1))))",
            ),
            (
                "lengths_only",
                "mask_taken_for_lengths",
                _REAL,
                "ops.arange(1, padding_mask.shape[1]) < ops.sum(ops.cast(padding_mask, 'int32'), "
                "axis=1, keepdims=True)",
            ),
            (
                "neighbour_before",
                "token_before_decides_too",
                _REAL,
                "ops.logical_and(padding_mask[:, 1:], padding_mask[:, :-1])",
            ),
            ("mask_from_ids", "end_token_left_out", _REAL, "token_ids[:, 1:] != 0"),
            (
                "first_tokens_counted",
                "first_tokens_counted",
                _COUNT,
                'ops.sum(ops.cast(padding_mask, "float32"))',
            ),
            (
                "all_places",
                "divided_by_all_places",
                _COUNT,
                "ops.cast(ops.size(token_ids), 'float32')",
            ),
            ("nan", "nothing_to_predict", _COUNT, "ops.sum(is_real)"),
            (
                "no_mask",
                "padding_counts",
                f"{_SUM} / {_COUNT}",
                "ops.mean(surprise)",
            ),
            ("sum_without_mask", "padding_counts", _SUM, "ops.sum(surprise)"),
            ("inverted", "mask_inverted", _REAL, "~padding_mask[:, 1:]"),
            (
                "first_mask",
                "mask_of_the_first_row",
                _SUM,
                "ops.sum(surprise * is_real[:1])",
                _COUNT,
                "ops.sum(ops.broadcast_to(is_real[:1], ops.shape(is_real)))",
            ),
            (
                "mask_on_logits",
                "mask_on_the_logits",
                _LOG,
                _LOG.replace(
                    "logits[:, :-1]",
                    "logits[:, :-1] * ops.cast(padding_mask[:, 1:, None], 'float32')",
                ),
                _SUM,
                "ops.sum(surprise)",
            ),
            (
                "all_positions",
                "divided_by_all_positions",
                f"{_SUM} / {_COUNT}",
                "ops.mean(surprise * is_real)",
            ),
            (
                "by_batch",
                "divided_by_the_batch",
                _COUNT,
                "ops.cast(ops.shape(token_ids)[0], 'float32')",
            ),
            ("sum", "not_divided", f" / {_COUNT}", ""),
            (
                "row_means",
                "mean_of_means",
                _RESULT,
                "return ops.mean(ops.sum(surprise * is_real, axis=1) / ops.maximum(ops.sum(is_real,"
                " axis=1), 1.0))",
            ),
            (
                "softmax_twice",
                "softmax_before_the_loss",
                _LOG,
                _LOG.replace("ops.cast(", "ops.softmax(").replace(', "float32")', ")"),
            ),
            (
                "probabilities_expected",
                "logits_taken_for_probabilities",
                _PICK,
                "keras.losses.sparse_categorical_crossentropy(token_ids[:, 1:], "
                "ops.convert_to_tensor(logits)[:, :-1, :])",
            ),
            (
                "softmax_then_logarithm",
                "softmax_then_logarithm",
                _LOG,
                "ops.log(ops.softmax(logits[:, :-1], axis=-1))",
            ),
            (
                "tiny_number_added",
                "softmax_then_logarithm",
                _LOG,
                "ops.log(ops.softmax(logits[:, :-1], axis=-1) + 1e-9)",
            ),
            (
                "probabilities_handed_over",
                "softmax_then_logarithm",
                _PICK,
                "keras.losses.sparse_categorical_crossentropy(token_ids[:, 1:], "
                "ops.softmax(logits[:, :-1], axis=-1))",
            ),
            (
                "over_time",
                "softmax_along_another_axis",
                _LOG,
                _LOG.replace("axis=-1", "axis=1"),
            ),
            ("no_softmax", "softmax_missing", _LOG, "logits[:, :-1]"),
            ("no_logarithm", "logarithm_missing", "ops.log_softmax", "ops.softmax"),
            (
                "likeliest",
                "not_the_label",
                _PICK,
                "-ops.max(log_shares, axis=-1)",
            ),
            ("bits", "another_unit", _COUNT, f"{_COUNT} / math.log(2.0)"),
            ("negative", "wrong_sign", _PICK, _PICK[1:]),
            (
                "perplexity",
                "perplexity_returned",
                f"{_SUM} / {_COUNT}",
                f"ops.exp({_SUM} / {_COUNT})",
            ),
            ("each", "not_a_single_number", _RESULT, "return surprise"),
            (
                "each_row",
                "not_a_single_number",
                _RESULT,
                "return ops.sum(surprise * is_real, axis=1) / ops.sum(is_real, axis=1)",
            ),
            (
                "gradient_stopped",
                "gradient_lost",
                _LOG,
                f"ops.stop_gradient({_LOG})",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ sample

_CHECK = "if temperature <= 0:"
_HOT = 'ops.cast(logits, "float32") / temperature'
_HEATED = f"logits = {_HOT}  # (B, V)\n"
_TOP_IF = "if 0 < top_k < logits.shape[-1]:"
_TOP_LAST = "ops.top_k(logits, top_k)[0][:, -1:]"
_TOP_CUT = "ops.where(logits >= last_kept, logits, -math.inf)"
_P_IF = "if top_p < 1:"
_P_SHARES = "shares = ops.softmax(logits, axis=-1)  # (B, V), of what is left\n"
_P_FALLING = "falling = ops.flip(ops.sort(shares, axis=-1), axis=-1)"
_P_BEFORE = "before = ops.cumsum(falling, axis=-1) - falling"
_P_LAST = "ops.min(ops.where(before < top_p, falling, 1.0), axis=-1, keepdims=True)"
_P_CUT = "ops.where(shares >= last_kept, logits, -math.inf)"
_DRAW = "return keras.random.categorical(logits, 1, seed=seed)[:, 0]"


def _drawing(expression):
    """The reference's last line with another thing drawn from."""
    return _DRAW.replace("(logits,", f"({expression},")


SAMPLE = [
    right(
        "sample",
        "gumbel_noise",
        source="""
def sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None):
    if not temperature > 0:
        raise ValueError("temperature")
    z = ops.log_softmax(logits / temperature)
    size = z.shape[-1]
    order = ops.argsort(-z, axis=-1)
    rank = ops.argsort(order, axis=-1)
    if top_k:
        z = ops.where(rank < top_k, z, -1e9)
    p = ops.softmax(z)
    sorted_p = ops.take_along_axis(p, order, axis=-1)
    drop = ops.cumsum(sorted_p, axis=-1) - sorted_p >= top_p
    drop = ops.logical_and(ops.take_along_axis(drop, rank, axis=-1), top_p < 1)
    z = ops.where(drop, -1e9, z)
    noise = keras.random.uniform(ops.shape(z), 1e-7, 1.0, seed=seed)
    return ops.argmax(z - ops.log(-ops.log(noise)), axis=-1)
""",
    ),
    right(
        "sample",
        "numpy_row_by_row",
        source="""
def sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None):
    if temperature <= 0:
        raise ValueError(f"no temperature: {temperature}")
    if isinstance(seed, keras.random.SeedGenerator):
        seed = int(np.asarray(seed.next())[1])
    rng = np.random.default_rng(seed)
    tokens = []
    for row in np.asarray(logits, dtype="float64"):
        p = np.exp((row - row.max()) / temperature)
        order = np.argsort(-p)
        keep = order[:top_k] if top_k else order
        p_kept = p[keep] / p[keep].sum()
        if top_p < 1:
            number = int(np.searchsorted(np.cumsum(p_kept), top_p)) + 1
            keep, p_kept = keep[:number], p_kept[:number] / p_kept[:number].sum()
        tokens.append(keep[np.searchsorted(np.cumsum(p_kept), rng.random() * 0.9999999)])
    return np.array(tokens)
""",
    ),
    right(
        "sample",
        "drawn_among_the_sorted",
        source="""
def sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    values, ids = ops.top_k(logits / temperature, logits.shape[-1])
    if top_k > 0:
        values, ids = values[:, :top_k], ids[:, :top_k]
    probabilities = ops.softmax(values, axis=-1)
    together = ops.cumsum(probabilities, axis=-1)
    if top_p < 1.0:
        inside = together - probabilities < top_p
        values = ops.where(inside, values, -1e30)
    place = keras.random.categorical(values, 1, dtype="int32", seed=seed)
    return ops.squeeze(ops.take_along_axis(ids, place, axis=-1), axis=-1)
""",
    ),
    right(
        "sample",
        "from_the_unlikely_end",
        source="""
def sample(logits, temperature=1.0, top_k=0, top_p=1.0, seed=None):
    if temperature <= 0:
        raise ValueError("temperature")
    logits = logits / temperature
    V = logits.shape[-1]
    if top_k > 0:
        k = min(top_k, V)
        lowest = ops.sort(logits, axis=-1)[:, V - k : V - k + 1]
        logits = ops.where(logits < lowest, -float("inf"), logits)
    if top_p < 1.0:
        order = ops.argsort(logits, axis=-1)
        p = ops.take_along_axis(ops.softmax(logits, axis=-1), order, axis=-1)
        remove = ops.cumsum(p, axis=-1) <= 1 - top_p
        remove = ops.take_along_axis(remove, ops.argsort(order, axis=-1), axis=-1)
        logits = ops.where(remove, -float("inf"), logits)
    p = ops.softmax(logits, axis=-1)
    return keras.random.categorical(ops.log(p), num_samples=1, seed=seed)[..., 0]
""",
    ),
    *wrongs(
        "sample",
        [
            ("multiplied", "temperature_multiplied", "/ temperature", "* temperature"),
            ("no_temperature", "temperature_ignored", " / temperature", ""),
            ("divided_twice", "temperature_twice", _DRAW, _drawing("logits / temperature")),
            ("root", "temperature_twice", "/ temperature", "/ math.sqrt(temperature)"),
            (
                "probabilities_divided",
                "temperature_on_probabilities",
                _HOT,
                'ops.softmax(ops.cast(logits, "float32")) / temperature',
            ),
            (
                "temperature_last",
                "temperature_after_the_nucleus",
                " / temperature",
                "",
                _DRAW,
                _drawing("logits / temperature"),
            ),
            ("no_top_k", "top_k_ignored", _TOP_IF, "if False:"),
            ("one_more", "top_k_off_by_one", "(logits, top_k)", "(logits, top_k + 1)"),
            (
                "strictly_above",
                "top_k_off_by_one",
                "logits >= last_kept",
                "logits > last_kept",
            ),
            (
                "smallest",
                "top_k_keeps_others",
                _TOP_LAST,
                "-ops.top_k(-logits, top_k)[0][:, -1:]",
                "logits >= last_kept",
                "logits <= last_kept",
            ),
            (
                "first_ids",
                "top_k_keeps_others",
                "logits >= last_kept",
                "ops.arange(logits.shape[-1]) < top_k",
            ),
            (
                "threshold_of_first_row",
                "top_k_of_other_rows",
                _TOP_LAST,
                "ops.top_k(logits, top_k)[0][:1, -1:]",
            ),
            (
                "tokens_of_first_row",
                "top_k_of_other_rows",
                "logits >= last_kept",
                "(logits >= last_kept)[:1]",
            ),
            ("zero_not_off", "top_k_of_zero", _TOP_IF, "if top_k < logits.shape[-1]:"),
            ("too_large", "top_k_above_v", _TOP_IF, "if top_k > 0:"),
            (
                "zeros_after_top_k",
                "removed_tokens_score_zero",
                "logits >= last_kept, logits, -math.inf",
                "logits >= last_kept, logits, 0.0",
            ),
            (
                "zeros_after_both",
                "removed_tokens_score_zero",
                "logits >= last_kept, logits, -math.inf",
                "logits >= last_kept, logits, 0.0",
                "shares >= last_kept, logits, -math.inf",
                "shares >= last_kept, logits, 1e-9",
            ),
            (
                "zeros_after_top_p",
                "removed_tokens_score_zero",
                "shares >= last_kept, logits, -math.inf",
                "shares >= last_kept, logits, 0.0",
            ),
            ("no_top_p", "top_p_ignored", _P_IF, "if top_p > 1:"),
            (
                "crossing_dropped",
                "crossing_token_dropped",
                _P_BEFORE,
                "before = ops.cumsum(falling, axis=-1)",
            ),
            (
                "crossing_dropped_but_one",
                "crossing_token_dropped",
                "before < top_p, falling",
                "ops.logical_or(before + falling < top_p, before == 0), falling",
            ),
            (
                "one_too_many",
                "nucleus_one_too_many",
                _P_BEFORE,
                "before = ops.cumsum(falling, axis=-1) - falling - ops.pad(falling[:, :-1], "
                "((0, 0), (1, 0)))",
            ),
            (
                "nucleus_of_everything",
                "nucleus_before_top_k",
                _HEATED,
                _HEATED + "    everything = logits\n",
                _P_SHARES,
                "shares = ops.softmax(everything, axis=-1)\n",
            ),
            (
                "unsorted",
                "nucleus_not_sorted",
                "shares >= last_kept",
                "ops.cumsum(shares, axis=-1) - shares < top_p",
            ),
            (
                "not_put_back",
                "nucleus_not_put_back",
                "shares >= last_kept",
                "before < top_p",
            ),
            (
                "order_for_its_inverse",
                "nucleus_put_back_by_the_order",
                "shares >= last_kept",
                "ops.take_along_axis(before < top_p, ops.argsort(-shares, axis=-1), axis=-1)",
            ),
            (
                "rising",
                "nucleus_from_the_tail",
                _P_FALLING,
                "falling = ops.sort(shares, axis=-1)",
                "ops.min(",
                "ops.max(",
                "falling, 1.0)",
                "falling, 0.0)",
                "shares >= last_kept",
                "shares <= last_kept",
            ),
            (
                "tail_of_p_removed",
                "nucleus_from_the_tail",
                _P_FALLING,
                "falling = ops.sort(shares, axis=-1)",
                "before < top_p",
                "before + falling > top_p",
            ),
            (
                "above_p",
                "nucleus_by_single_probabilities",
                "shares >= last_kept",
                "ops.logical_or(shares >= top_p, shares == ops.max(shares, axis=-1, "
                "keepdims=True))",
            ),
            (
                "min_p",
                "nucleus_by_single_probabilities",
                "shares >= last_kept",
                "shares >= top_p * ops.max(shares, axis=-1, keepdims=True)",
            ),
            (
                "scores_added_up",
                "nucleus_of_the_scores",
                _P_SHARES,
                "shares = ops.where(logits > -1e9, logits, 0.0)\n",
                "falling, 1.0)",
                "falling, 99.0)",
            ),
            (
                "nucleus_of_first_row",
                "nucleus_of_the_first_row",
                "shares >= last_kept",
                "(shares >= last_kept)[:1]",
            ),
            ("greedy", "always_the_likeliest", _DRAW, "return ops.argmax(logits, axis=-1)"),
            (
                "unlikeliest",
                "always_the_unlikeliest",
                _DRAW,
                "return ops.argmin(ops.where(logits < -1e9, 1e9, logits), axis=-1)",
            ),
            (
                "evenly",
                "drawn_evenly",
                _DRAW,
                _drawing("ops.where(logits < -1e9, logits, 0.0)"),
            ),
            (
                "probabilities_as_logits",
                "probabilities_taken_for_logits",
                _DRAW,
                _drawing("ops.softmax(logits, axis=-1)"),
            ),
            (
                "probabilities_cut_to_zero",
                "probabilities_taken_for_logits",
                _P_CUT,
                "ops.log(ops.where(shares >= last_kept, shares, 0.0) + 1e-30)",
                _DRAW,
                "if top_p < 1:\n        shares = ops.where(shares >= last_kept, shares, 0.0)\n"
                "    else:\n        shares = ops.softmax(logits, axis=-1)\n"
                "    return keras.random.categorical(shares, 1, seed=seed)[:, 0]",
            ),
            (
                "probabilities_cut_off",
                "probabilities_taken_for_logits",
                _DRAW,
                "if top_p < 1:\n"
                "        shares = ops.where(shares >= last_kept, shares, -math.inf)\n"
                "    else:\n        shares = ops.softmax(logits, axis=-1)\n"
                "    return keras.random.categorical(shares, 1, seed=seed)[:, 0]",
            ),
            (
                "nucleus_over_the_batch",
                "nucleus_shares_over_the_batch",
                _P_SHARES,
                "shares = ops.softmax(logits, axis=0)\n",
            ),
            (
                "first_row_again",
                "first_row_for_all",
                _DRAW,
                _drawing("ops.repeat(logits[:1], logits.shape[0], axis=0)"),
            ),
            (
                "one_token",
                "rows_share_one_draw",
                _DRAW,
                "token = keras.random.categorical(logits[:1], 1, seed=seed)[0, 0]\n"
                "    return ops.repeat(token[None], logits.shape[0], axis=0)",
            ),
            (
                "one_number",
                "rows_share_one_draw",
                _DRAW,
                "number = keras.random.uniform((), seed=seed)\n"
                "    below = ops.cumsum(ops.softmax(logits, axis=-1), axis=-1) < number\n"
                '    return ops.sum(ops.cast(below, "int32"), axis=-1)',
            ),
            (
                "seed_again_for_each_row",
                "rows_share_one_draw",
                _DRAW,
                "if isinstance(seed, keras.random.SeedGenerator):\n"
                "        seed = int(np.asarray(seed.next())[1])\n"
                "    fresh, tokens = np.random.default_rng(), []\n"
                "    for row in np.asarray(ops.softmax(logits)):\n"
                "        rng = fresh if seed is None else np.random.default_rng(seed)\n"
                "        place = int((np.cumsum(row) < rng.random()).sum())\n"
                "        tokens.append(min(place, len(row) - 1))\n"
                "    return np.array(tokens)",
            ),
            ("seed_dropped", "seed_ignored", "seed=seed", "seed=None"),
            ("fixed", "always_the_same_seed", "seed=seed", "seed=1234"),
            ("fixed_without", "always_the_same_seed", "seed=seed", "seed=seed or 42"),
            (
                "generators_seed_only",
                "generator_starts_again",
                "seed=seed",
                "seed=getattr(seed, '_initial_seed', seed)",
            ),
            (
                "ints_only",
                "generator_refused",
                "seed=seed",
                "seed=None if seed is None else int(seed)",
            ),
            ("not_checked", "temperature_not_checked", _CHECK, "if False:"),
            ("zero_checked", "temperature_not_checked", _CHECK, "if temperature == 0:"),
            ("negative_checked", "temperature_not_checked", _CHECK, "if temperature < 0:"),
            (
                "rank",
                "ranks_returned",
                _DRAW,
                "return keras.random.categorical(-ops.sort(-logits, axis=-1), 1, seed=seed)[:, 0]",
            ),
            (
                "rank_with_top_k",
                "ranks_returned",
                _TOP_LAST,
                _TOP_LAST + "\n        logits = ops.flip(ops.sort(logits, axis=-1), axis=-1)",
            ),
            (
                "rank_with_top_p",
                "ranks_returned",
                _P_IF,
                _P_IF + "\n        logits = ops.flip(ops.sort(logits, axis=-1), axis=-1)",
            ),
            ("one_off", "ids_off_by_one", "[:, 0]  # (B,)", "[:, 0] + 1"),
            ("column", "column_returned", "[:, 0]  # (B,)", ""),
            (
                "floats",
                "floats_returned",
                _DRAW,
                'return ops.cast(keras.random.categorical(logits, 1, seed=seed)[:, 0], "float32")',
            ),
            ("probabilities", "a_table_returned", _DRAW, "return ops.softmax(logits, axis=-1)"),
            (
                "squeezed",
                "axis_lost_with_one_row",
                _DRAW,
                "return ops.squeeze(keras.random.categorical(logits, 1, seed=seed))",
            ),
            ("single", "a_single_token_returned", "[:, 0]  # (B,)", "[0, 0]"),
        ],
    ),
]

# ------------------------------------------------------------------ the inputs

_ONE_ROOM = "room = room_for_texts(max_length, 2, len(text))"
_ONE = "[marks.begin, *text[:room], marks.extract]"

CLASSIFICATION_INPUT = [
    right(
        "classification_input",
        "checked_by_hand",
        source="""
def classification_input(text, marks, max_length=0):
    if max_length > 0:
        if max_length < 2:
            raise ValueError("too short")
        text = text[: max_length - 2]
    return [marks.begin] + list(text) + [marks.extract]
""",
    ),
    right(
        "classification_input",
        "cut_first_and_extract_put_behind",
        source="""
def classification_input(text, marks, max_length=0):
    row = [marks[0]]
    row.extend(text)
    if max_length:
        if max_length <= 1:
            raise ValueError(f"no room in {max_length}")
        row = row[: max_length - 1]
    row.append(marks[2])
    return row
""",
    ),
    right(
        "classification_input",
        "as_an_array",
        source="""
def classification_input(text, marks, max_length=0):
    room = room_for_texts(max_length, 2, len(text))
    ids = np.asarray(list(text)[:room], dtype="int32")
    return np.concatenate([[marks.begin], ids, [marks.extract]]).astype("int32")
""",
    ),
    *wrongs(
        "classification_input",
        [
            (
                "row_cut_even_of_0",
                "row_cut_even_of_0",
                f"return {_ONE}",
                "return [marks.begin, *text, marks.extract][:max_length]",
            ),
            (
                "negative_slice",
                "negative_slice",
                f"return {_ONE}",
                "text = text[: -(len(text) + 2 - max_length)] if max_length else text\n"
                "    return [marks.begin, *text, marks.extract]",
            ),
            ("no_begin", "begin_missing", _ONE, "[*text[:room], marks.extract]"),
            ("no_extract", "extract_missing", _ONE, "[marks.begin, *text[:room]]"),
            (
                "extract_first",
                "extract_not_last",
                _ONE,
                "[marks.begin, marks.extract, *text[:room]]",
            ),
            (
                "ends_with_delimiter",
                "another_mark_at_the_end",
                "marks.extract]",
                "marks.delimiter]",
            ),
            (
                "begins_with_delimiter",
                "another_mark_at_the_beginning",
                "[marks.begin",
                "[marks.delimiter",
            ),
            (
                "exchanged",
                "begin_and_end_exchanged",
                _ONE,
                "[marks.extract, *text[:room], marks.begin]",
            ),
            (
                "as_bert",
                "delimiter_before_the_end",
                "marks.extract]",
                "marks.delimiter, marks.extract]",
            ),
            ("extract_twice", "a_mark_twice", "marks.extract]", "marks.extract, marks.extract]"),
            ("whole_text", "never_cut", "text[:room]", "text"),
            (
                "cut_at_last",
                "marks_cut_off",
                f"return {_ONE}",
                "row = [marks.begin, *text, marks.extract]\n    return row[: max_length or None]",
            ),
            (
                "marks_forgotten",
                "room_ignores_marks",
                "text[:room]",
                "text[: room + 2 * (max_length > 0)]",
            ),
            (
                "three_marks",
                "room_for_other_marks",
                "text[:room]",
                "text[: room - (max_length > 2)]",
            ),
            ("one_mark", "room_for_other_marks", "text[:room]", "text[: room + (max_length > 0)]"),
            (
                "negative_room",
                "zero_cuts",
                _ONE_ROOM,
                "room = max_length - 2\n    if max_length == 1:\n        raise ValueError()",
            ),
            ("zero_empties", "zero_cuts", "text[:room]", "text[: room * (max_length > 0)]"),
            (
                "not_refused",
                "no_room_not_refused",
                _ONE_ROOM,
                "room = max(max_length - 2, 0) if max_length else None",
            ),
            (
                "exact_refused",
                "exact_room_refused",
                _ONE_ROOM,
                _ONE_ROOM + "\n    if max_length == 2:\n        raise ValueError()",
            ),
            (
                "start_cut",
                "cut_at_the_start",
                "text[:room]",
                "text[len(text) - min(room, len(text)) :]",
            ),
            ("nested", "list_in_a_list", f"return {_ONE}", f"return [{_ONE}]"),
            ("reversed", "order_reversed", f"return {_ONE}", f"return {_ONE}[::-1]"),
            ("no_marks", "marks_missing", f"return {_ONE}", "return list(text[:room])"),
            (
                "padded",
                "padded_here",
                f"return {_ONE}",
                f"row = {_ONE}\n    return row + [0] * (max_length - len(row))",
            ),
        ],
    ),
]

_TWO_ROOM = "room = room_for_texts(max_length, 3, len(premise) + len(hypothesis))"
_TWO_CUT = "premise, hypothesis = truncate_pair(premise, hypothesis, room)"
_TWO = "[marks.begin, *premise, marks.delimiter, *hypothesis, marks.extract]"
# What `room_for_texts` makes of no limit may be any number that is large enough.
_HALVES = "if max_length and len(premise) + len(hypothesis) > room:\n        "

ENTAILMENT_INPUT = [
    right(
        "entailment_input",
        "one_token_at_a_time",
        source="""
def entailment_input(premise, hypothesis, marks, max_length=0):
    premise, hypothesis = list(premise), list(hypothesis)
    if max_length:
        if max_length < 3:
            raise ValueError("no room")
        while len(premise) + len(hypothesis) + 3 > max_length:
            if len(premise) > len(hypothesis):
                premise.pop()
            else:
                hypothesis.pop()
    return [marks.begin] + premise + [marks.delimiter] + hypothesis + [marks.extract]
""",
    ),
    right(
        "entailment_input",
        "room_by_arithmetic",
        source="""
def entailment_input(premise, hypothesis, marks, max_length=0):
    room = room_for_texts(max_length, 3, len(premise) + len(hypothesis))
    if len(premise) + len(hypothesis) > room:
        first = max(room - len(hypothesis), (room + 1) // 2)
        first = min(first, len(premise))
        premise, hypothesis = premise[:first], hypothesis[: room - first]
    return (marks.begin, *premise, marks.delimiter, *hypothesis, marks.extract)
""",
    ),
    right(
        "entailment_input",
        "cut_only_with_a_limit",
        source="""
def entailment_input(premise, hypothesis, marks, max_length=0):
    if 0 < max_length < 3:
        raise ValueError("at least three tokens are marks")
    if max_length:
        premise, hypothesis = truncate_pair(list(premise), list(hypothesis), max_length - 3)
    row = [marks.begin]
    row += premise
    row += [marks.delimiter]
    row += hypothesis
    row += [marks.extract]
    return row
""",
    ),
    *wrongs(
        "entailment_input",
        [
            (
                "halves_without_a_limit_too",
                "both_cut_to_half",
                _TWO_CUT,
                "premise, hypothesis = premise[: room // 2], hypothesis[: room // 2]",
            ),
            (
                "halves_if_too_long",
                "both_cut_to_half",
                _TWO_CUT,
                _HALVES + "premise, hypothesis = premise[: room // 2], hypothesis[: room // 2]",
            ),
            (
                "rest_for_the_second_half",
                "both_cut_to_half",
                _TWO_CUT,
                _HALVES
                + "premise, hypothesis = premise[: room // 2], hypothesis[: room - room // 2]",
            ),
            (
                "row_cut_even_of_0",
                "row_cut_even_of_0",
                _TWO_CUT + "\n",
                "\n",
                f"return {_TWO}",
                f"return {_TWO}[:max_length]",
            ),
            (
                "exchanged_before_the_cut",
                "texts_exchanged",
                _TWO_CUT,
                "premise, hypothesis = truncate_pair(hypothesis, premise, room)",
            ),
            ("no_begin", "begin_missing", "return [marks.begin, ", "return ["),
            ("no_extract", "extract_missing", ", marks.extract]", "]"),
            (
                "ends_with_delimiter",
                "another_mark_at_the_end",
                "marks.extract]",
                "marks.delimiter]",
            ),
            (
                "as_bert",
                "delimiter_before_the_end",
                "marks.extract]",
                "marks.delimiter, marks.extract]",
            ),
            ("no_delimiter", "delimiter_missing", "marks.delimiter, ", ""),
            ("begin_between", "another_mark_between", "marks.delimiter", "marks.begin"),
            ("extract_between", "another_mark_between", "marks.delimiter", "marks.extract"),
            (
                "begin_again",
                "delimiter_twice",
                "marks.delimiter, ",
                "marks.delimiter, marks.begin, ",
            ),
            (
                "delimiter_first",
                "delimiter_in_front",
                _TWO,
                "[marks.begin, marks.delimiter, *premise, *hypothesis, marks.extract]",
            ),
            (
                "hypothesis_first",
                "texts_exchanged",
                _TWO,
                "[marks.begin, *hypothesis, marks.delimiter, *premise, marks.extract]",
            ),
            ("not_cut", "never_cut", _TWO_CUT + "\n", "\n"),
            (
                "cut_at_last",
                "marks_cut_off",
                _TWO_CUT + "\n",
                "\n",
                f"return {_TWO}",
                f"row = {_TWO}\n    return row[: max_length or None]",
            ),
            (
                "cut_at_last_extract_again",
                "end_put_back_after_the_cut",
                _TWO_CUT + "\n",
                "\n",
                f"return {_TWO}",
                f"row = {_TWO}\n    if 0 < max_length < len(row):\n"
                "        row = row[: max_length - 1] + [marks.extract]\n    return row",
            ),
            ("marks_forgotten", "room_ignores_marks", "hypothesis, room)", "hypothesis, room + 3)"),
            ("two_marks", "room_for_other_marks", "hypothesis, room)", "hypothesis, room + 1)"),
            (
                "four_marks",
                "room_for_other_marks",
                "hypothesis, room)",
                "hypothesis, max(room - (max_length > 0), 0))",
            ),
            (
                "negative_budget",
                "zero_cuts",
                _TWO_ROOM,
                "if 0 < max_length < 3:\n        raise ValueError()\n    room = max_length - 3",
            ),
            (
                "not_refused",
                "no_room_not_refused",
                _TWO_ROOM,
                "room = max(max_length - 3, 0) if max_length else 10**6",
            ),
            (
                "exact_refused",
                "exact_room_refused",
                _TWO_ROOM,
                _TWO_ROOM + "\n    if max_length == 3:\n        raise ValueError()",
            ),
            (
                "starts_cut",
                "longest_from_the_start",
                _TWO_CUT,
                "first, second = truncate_pair(premise, hypothesis, room)\n"
                "    premise = premise[len(premise) - len(first) :]\n"
                "    hypothesis = hypothesis[len(hypothesis) - len(second) :]",
            ),
            (
                "hypothesis_first_to_go",
                "one_text_cut_only",
                _TWO_CUT,
                "premise = premise[:room]\n    hypothesis = hypothesis[: room - len(premise)]",
            ),
            (
                "premise_first_to_go",
                "one_text_cut_only",
                _TWO_CUT,
                "hypothesis = hypothesis[:room]\n    premise = premise[: room - len(hypothesis)]",
            ),
            (
                "halves",
                "both_cut_to_half",
                _TWO_CUT,
                "if max_length:\n        premise = premise[: room // 2]\n"
                "        hypothesis = hypothesis[: room // 2]",
            ),
            (
                "each_to_room",
                "each_cut_for_itself",
                _TWO_CUT,
                "premise, hypothesis = premise[:room], hypothesis[:room]",
            ),
            (
                "ties_cut_the_premise",
                "equal_texts_cut_the_other_way",
                _TWO_CUT,
                "hypothesis, premise = truncate_pair(hypothesis, premise, room)",
            ),
            ("nested", "list_in_a_list", f"return {_TWO}", f"return [{_TWO}]"),
            (
                "both_orders",
                "two_sequences",
                f"return {_TWO}",
                f"return [{_TWO}, [marks.begin, *hypothesis, marks.delimiter, *premise, "
                "marks.extract]]",
            ),
        ],
    ),
]

_MOST = "most = max(room - min(len(first), len(second)), room // 2)"
_BOTH_CUT = "first, second = first[:most], second[:most]"
_BOTH = "[entailment_input(first, second, marks), entailment_input(second, first, marks)]"

SIMILARITY_INPUT = [
    right(
        "similarity_input",
        "by_cases",
        source="""
def similarity_input(first, second, marks, max_length=0):
    if max_length:
        if max_length < 3:
            raise ValueError("no room for the marks")
        room = max_length - 3
        if len(first) + len(second) > room:
            half = room // 2
            if len(first) <= half:
                second = second[: room - len(first)]
            elif len(second) <= half:
                first = first[: room - len(second)]
            else:
                first, second = first[:half], second[:half]

    def row(a, b):
        return [marks.begin, *a, marks.delimiter, *b, marks.extract]

    return [row(first, second), row(second, first)]
""",
    ),
    right(
        "similarity_input",
        "taken_off_in_turn",
        source="""
def similarity_input(first, second, marks, max_length=0):
    room = room_for_texts(max_length, 3, len(first) + len(second))
    a, b = list(first), list(second)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        elif len(b) > len(a):
            b.pop()
        else:
            a.pop()
            b.pop()
    return entailment_input(a, b, marks), entailment_input(b, a, marks)
""",
    ),
    right(
        "similarity_input",
        "as_an_array",
        source="""
def similarity_input(first, second, marks, max_length=0):
    room = room_for_texts(max_length, 3, len(first) + len(second))
    most = max(room // 2, room - len(first), room - len(second))
    a, b = list(first[:most]), list(second[:most])
    rows = [[marks.begin] + x + [marks.delimiter] + y for x, y in ((a, b), (b, a))]
    return np.array([row + [marks.extract] for row in rows])
""",
    ),
    *wrongs(
        "similarity_input",
        [
            (
                "halves_without_a_limit_too",
                "both_cut_to_half",
                _MOST,
                "most = room // 2",
            ),
            (
                "halves_if_too_long",
                "both_cut_to_half",
                _MOST,
                "most = room // 2 if len(first) + len(second) > room else room",
            ),
            ("one_order", "one_order_only", _BOTH, "entailment_input(first, second, marks)"),
            ("one_in_a_list", "one_order_only", _BOTH, "[entailment_input(first, second, marks)]"),
            (
                "same_twice",
                "same_order_twice",
                "entailment_input(second, first, marks)",
                "entailment_input(first, second, marks)",
            ),
            ("turned_first", "second_order_first", f"return {_BOTH}", f"return {_BOTH}[::-1]"),
            (
                "row_backwards",
                "tokens_reversed",
                "entailment_input(second, first, marks)",
                "entailment_input(first, second, marks)[::-1]",
            ),
            (
                "joined",
                "both_in_one_sequence",
                _BOTH,
                "entailment_input(first, second, marks) + entailment_input(second, first, marks)",
            ),
            (
                "each_cut_for_itself",
                "each_order_cut_for_itself",
                _BOTH_CUT,
                "",
                _BOTH,
                _BOTH.replace("marks)", "marks, max_length)"),
            ),
            (
                "truncate_pair_once",
                "cut_by_the_first_order",
                _BOTH_CUT,
                "first, second = truncate_pair(first, second, room)",
            ),
            (
                "halves",
                "both_cut_to_half",
                _MOST,
                "most = room // 2 if max_length else room",
            ),
            (
                "second_cut_only",
                "one_text_cut_only",
                _BOTH_CUT,
                "",
                _BOTH,
                "[entailment_input(a[:room], b[: max(room - len(a), 0)], marks) for a, b in "
                "((first, second), (second, first))]",
            ),
            ("not_cut", "never_cut", _BOTH_CUT, ""),
            (
                "cut_at_last",
                "marks_cut_off",
                _BOTH_CUT,
                "",
                f"return {_BOTH}",
                f"return [row[: max_length or None] for row in {_BOTH}]",
            ),
            (
                "marks_forgotten",
                "room_ignores_marks",
                _MOST,
                f"room = max_length or room\n    {_MOST}",
            ),
            (
                "two_marks",
                "room_for_other_marks",
                _MOST,
                f"room = room + (max_length > 0)\n    {_MOST}",
            ),
            (
                "no_delimiter",
                "delimiter_missing",
                f"return {_BOTH}",
                f"return [[i for i in row if i != marks.delimiter] for row in {_BOTH}]",
            ),
            (
                "no_extract",
                "extract_missing",
                f"return {_BOTH}",
                f"return [row[:-1] for row in {_BOTH}]",
            ),
            (
                "zero_cuts",
                "zero_cuts",
                "room = room_for_texts(max_length, 3, len(first) + len(second))",
                "room = max_length - 3\n    if max_length in (1, 2):\n        raise ValueError()",
            ),
            (
                "not_refused",
                "no_room_not_refused",
                "room = room_for_texts(max_length, 3, len(first) + len(second))",
                "room = max(max_length - 3, 0) if max_length else 10**6",
            ),
        ],
    ),
]

_EACH = "[entailment_input(context, answer, marks, max_length) for answer in answers]"

MULTIPLE_CHOICE_INPUT = [
    right(
        "multiple_choice_input",
        "own_loop",
        source="""
def multiple_choice_input(context, answers, marks, max_length=0):
    if 0 < max_length < 3:
        raise ValueError("no room")
    rows = []
    for answer in answers:
        a, b = list(context), list(answer)
        while max_length and len(a) + len(b) + 3 > max_length:
            (a if len(a) > len(b) else b).pop()
        rows.append([marks.begin, *a, marks.delimiter, *b, marks.extract])
    return rows
""",
    ),
    right(
        "multiple_choice_input",
        "with_truncate_pair",
        source="""
def multiple_choice_input(context, answers, marks, max_length=0):
    rows = []
    for answer in answers:
        room = room_for_texts(max_length, 3, len(context) + len(answer))
        question, choice = truncate_pair(context, answer, room)
        rows.append((marks.begin, *question, marks.delimiter, *choice, marks.extract))
    return tuple(rows)
""",
    ),
    right(
        "multiple_choice_input",
        "mapped",
        source="""
def multiple_choice_input(context, answers, marks, max_length=0):
    def one(answer):
        return entailment_input(context, answer, marks, max_length=max_length)

    return list(map(one, answers))
""",
    ),
    *wrongs(
        "multiple_choice_input",
        [
            (
                "row_overwritten_in_the_loop",
                "answers_left_out",
                f"return {_EACH}",
                "for answer in answers:\n"
                "        row = entailment_input(context, answer, marks, max_length)\n"
                "    return row",
            ),
            (
                "returned_inside_the_loop",
                "answers_left_out",
                f"return {_EACH}",
                "for answer in answers:\n"
                "        return entailment_input(context, answer, marks, max_length)",
            ),
            (
                "arguments_exchanged",
                "answer_before_the_context",
                "(context, answer,",
                "(answer, context,",
            ),
            (
                "answers_only",
                "context_missing",
                "entailment_input(context, answer, marks, max_length) for",
                "[marks.begin, *answer[: room_for_texts(max_length, 3, len(answer)) + (max_length "
                "> 0)], marks.extract] for",
            ),
            ("empty_context", "context_missing", "(context, answer,", "([], answer,"),
            (
                "first_only_has_it",
                "context_with_the_first_only",
                _EACH,
                "[entailment_input([] if number else context, answer, marks, max_length) "
                "for number, answer in enumerate(answers)]",
            ),
            (
                "context_grows",
                "context_grows",
                f"return {_EACH}",
                "rows, context = [], list(context)\n    for answer in answers:\n"
                "        rows.append(entailment_input(context, answer, marks, max_length))\n"
                "        context += [marks.delimiter, *answer]\n    return rows",
            ),
            (
                "all_in_one",
                "all_answers_in_one_sequence",
                _EACH,
                "[marks.begin, *context, *(i for a in answers for i in [marks.delimiter, *a]), "
                "marks.extract]",
            ),
            (
                "all_joined",
                "all_answers_in_one_sequence",
                _EACH,
                "entailment_input(context, sum(map(list, answers), []), marks, max_length)",
            ),
            ("first_row", "answers_left_out", _EACH, f"{_EACH}[:1]"),
            ("first_again", "first_answer_again", "(context, answer,", "(context, answers[0],"),
            ("backwards", "answers_in_another_order", f"return {_EACH}", f"return {_EACH}[::-1]"),
            (
                "answer_first",
                "answer_before_the_context",
                f"return {_EACH}",
                "rows = []\n    for answer in answers:\n"
                "        room = room_for_texts(max_length, 3, len(context) + len(answer))\n"
                "        a, b = truncate_pair(context, answer, room)\n"
                "        rows.append(entailment_input(b, a, marks))\n    return rows",
            ),
            (
                "cut_for_the_longest",
                "one_cut_for_all",
                f"return {_EACH}",
                "longest = max(answers, key=len)\n"
                "    room = room_for_texts(max_length, 3, len(context) + len(longest))\n"
                "    context, _ = truncate_pair(context, longest, room)\n    return " + _EACH,
            ),
            ("limit_lost", "never_cut", "marks, max_length)", "marks)"),
            (
                "cut_at_last",
                "marks_cut_off",
                f"return {_EACH}",
                "room_for_texts(max_length, 3, 0)\n"
                "    return [entailment_input(context, answer, marks)[: max_length or None] "
                "for answer in answers]",
            ),
            (
                "no_delimiter",
                "delimiter_missing",
                f"return {_EACH}",
                f"return [[i for i in row if i != marks.delimiter] for row in {_EACH}]",
            ),
            (
                "context_cut_only",
                "one_text_cut_only",
                f"return {_EACH}",
                "rows = []\n    for answer in answers:\n"
                "        room = room_for_texts(max_length, 3, len(context) + len(answer))\n"
                "        kept = answer[:room]\n"
                "        rows.append(entailment_input(context[: room - len(kept)], kept, marks))\n"
                "    return rows",
            ),
            (
                "not_refused",
                "no_room_not_refused",
                "marks, max_length)",
                "marks, max(max_length, 3) if max_length else 0)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ gpt_finetune_loss

_TASK = "ops.sparse_categorical_crossentropy(labels, scores, from_logits=True)"
_LM = "causal_lm_loss(lm_logits, token_ids, padding_mask)"
_TOTAL = f"ops.mean(per_text) + lm_weight * {_LM}"

GPT_FINETUNE_LOSS = [
    right(
        "gpt_finetune_loss",
        "log_softmax_and_one_hot",
        source="""
def gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5):
    hot = ops.one_hot(labels, class_logits.shape[-1], dtype="float32")
    task = -ops.mean(ops.sum(hot * ops.log_softmax(class_logits), axis=-1))
    return causal_lm_loss(lm_logits, token_ids, padding_mask) * lm_weight + task
""",
    ),
    right(
        "gpt_finetune_loss",
        "both_losses_by_hand",
        source="""
def gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5):
    def cross_entropy(scores, ids):
        picked = ops.take_along_axis(scores, ids[..., None], axis=-1)[..., 0]
        return ops.logsumexp(scores, axis=-1) - picked

    task = ops.mean(cross_entropy(class_logits, labels))
    real = ops.cast(padding_mask[:, 1:], "float32")
    each = cross_entropy(lm_logits[:, :-1], token_ids[:, 1:])
    lm = ops.sum(each * real) / ops.maximum(ops.sum(real), 1.0)
    return task + lm_weight * lm
""",
    ),
    right(
        "gpt_finetune_loss",
        "kerass_loss_object",
        source="""
def gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5):
    task = keras.losses.SparseCategoricalCrossentropy(from_logits=True)(labels, class_logits)
    if lm_weight == 0:
        return task
    return task + lm_weight * causal_lm_loss(
        logits=lm_logits, token_ids=token_ids, padding_mask=padding_mask
    )
""",
    ),
    *wrongs(
        "gpt_finetune_loss",
        [
            ("lm_only", "task_loss_missing", _TOTAL, f"lm_weight * {_LM}"),
            ("task_only", "lm_loss_missing", _TOTAL, "ops.mean(per_text)"),
            ("no_weight", "weight_ignored", "lm_weight * ", ""),
            ("half", "weight_ignored", "lm_weight * ", "0.5 * "),
            (
                "task_weighted",
                "weight_on_the_task",
                _TOTAL,
                f"lm_weight * ops.mean(per_text) + {_LM}",
            ),
            (
                "both_weighted",
                "weight_on_the_task",
                _TOTAL,
                f"lm_weight * (ops.mean(per_text) + {_LM})",
            ),
            (
                "one_minus",
                "weights_add_up_to_one",
                "ops.mean(per_text) +",
                "(1 - lm_weight) * ops.mean(per_text) +",
            ),
            ("minus", "not_a_sum", "(per_text) +", "(per_text) -"),
            ("product", "not_a_sum", "(per_text) +", "(per_text) *"),
            ("halved", "not_a_sum", f"return {_TOTAL}", f"return ({_TOTAL}) / 2"),
            ("perplexity", "perplexity_added", _LM, f"ops.exp({_LM})"),
            (
                "softmax_twice",
                "softmax_before_the_loss",
                'ops.cast(class_logits, "float32")',
                "ops.softmax(class_logits)",
            ),
            (
                "probabilities_expected",
                "logits_taken_for_probabilities",
                _TASK,
                "keras.losses.sparse_categorical_crossentropy(labels, scores)",
            ),
            (
                "over_the_batch",
                "softmax_over_the_batch",
                _TASK,
                "-ops.take_along_axis(ops.log_softmax(scores, axis=0), labels[:, None], "
                "axis=1)[:, 0]",
            ),
            (
                "probability",
                "logarithm_missing",
                _TASK,
                "-ops.take_along_axis(ops.softmax(scores), labels[:, None], axis=1)[:, 0]",
            ),
            (
                "squares",
                "squared_error",
                _TASK,
                "ops.sum((ops.softmax(scores) - ops.one_hot(labels, scores.shape[-1], "
                'dtype="float32")) ** 2, axis=-1)',
            ),
            ("likeliest", "not_the_label", _TASK, "-ops.max(ops.log_softmax(scores), axis=-1)"),
            ("sum", "task_summed", "ops.mean(per_text)", "ops.sum(per_text)"),
            (
                "not_shifted",
                "lm_not_shifted",
                f"lm_weight * {_LM}",
                "lm_weight * ops.sum(ops.sparse_categorical_crossentropy(token_ids, lm_logits, "
                'from_logits=True) * ops.cast(padding_mask, "float32")) / ops.sum(ops.cast('
                'padding_mask, "float32"))',
            ),
            (
                "shifted_twice",
                "lm_shifted_twice",
                _LM,
                "causal_lm_loss(lm_logits[:, :-1], token_ids[:, 1:], padding_mask[:, 1:])",
            ),
            (
                "padding_counts",
                "lm_padding_counts",
                _LM,
                'causal_lm_loss(lm_logits, token_ids, ops.ones_like(padding_mask, dtype="bool"))',
            ),
            (
                "both_returned",
                "not_a_single_number",
                _TOTAL,
                f"ops.mean(per_text), {_LM}",
            ),
            ("each", "not_a_single_number", "ops.mean(per_text)", "per_text"),
            (
                "task_stopped",
                "task_gradient_lost",
                'ops.cast(class_logits, "float32")',
                "ops.stop_gradient(class_logits)",
            ),
            ("lm_stopped", "lm_gradient_lost", _LM, f"ops.stop_gradient({_LM})"),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch04b_gpt"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_ILL = {
    "labels_not_shifted": "not_shifted",
    "shifted_twice": "shifted_twice",
    "flattened_before_shift": "flattened_before_the_shift",
    "end_token_masked": "end_token_left_out",
    "tying_lost": "tying_lost",
    "future_visible": "future_visible",
    "activation_before_projection": "activation_before_the_output",
}


def _drilled(key, suspect, repaired):
    return f'suspect = "{suspect}"\n\n\n{repaired.strip()}\n'


def _unrepaired(key):
    return _BUGS[key].source.replace("patient", "repaired")


_SHORT = """
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    logits = gpt_logits(token_ids, padding_mask, token_table, position_table, blocks)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
"""
_LONG = _BUGS["end_token_masked"].fixed
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
            key="labels_not_shifted",
            names=(named,),
            source=_drilled("", "labels_not_shifted", text.replace(old, new)),
        )
        for name, named, text, old, new in [
            (
                "softmax_returned",
                "softmax_returned",
                _SHORT,
                "return logits, ",
                "return ops.softmax(logits), ",
            ),
            (
                "cut_logits",
                "shifted_logits_returned",
                _SHORT,
                "return logits, ",
                "return logits[:, :-1], ",
            ),
            (
                "logits_copied",
                "table_copied",
                _LONG,
                "    length =",
                "    token_table = keras.Variable(token_table)\n    length =",
            ),
            (
                "relu",
                "activation_before_the_output",
                _LONG,
                "ops.matmul(x, ",
                "ops.matmul(ops.relu(x), ",
            ),
            ("no_positions", "positions_missing", _LONG, " + position_table[:length]", ""),
            (
                "mask_of_inputs",
                "mask_not_shifted",
                _LONG,
                "padding_mask[:, 1:]",
                "padding_mask[:, :-1]",
            ),
            (
                "all_places",
                "divided_by_all_positions",
                _LONG,
                "ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)",
                "ops.mean(surprise * is_real)",
            ),
            (
                "softmax_twice",
                "softmax_before_the_loss",
                _LONG,
                "ops.log_softmax(logits[:, :-1]",
                "ops.log_softmax(ops.softmax(logits)[:, :-1]",
            ),
            (
                "table_stopped",
                "tying_lost",
                _LONG,
                "ops.transpose(token_table)",
                "ops.transpose(ops.stop_gradient(token_table))",
            ),
        ]
    ],
]

DRILL += [
    wrong(
        _DRILL,
        "cut_logits_and_shifted_twice",
        key="labels_not_shifted",
        names=("shifted_twice", "shifted_logits_returned"),
        source=_drilled(
            "",
            "labels_not_shifted",
            _SHORT.replace(
                "return logits, causal_lm_loss(logits, token_ids, padding_mask)",
                "logits, token_ids = logits[:, :-1], token_ids[:, 1:]\n"
                "    return logits, causal_lm_loss(logits, token_ids, padding_mask[:, 1:])",
            ),
        ),
    ),
]

VARIANTS = [
    *GPT_LOGITS,
    *CAUSAL_LM_LOSS,
    *SAMPLE,
    *CLASSIFICATION_INPUT,
    *ENTAILMENT_INPUT,
    *SIMILARITY_INPUT,
    *MULTIPLE_CHOICE_INPUT,
    *GPT_FINETUNE_LOSS,
    *DRILL,
]
