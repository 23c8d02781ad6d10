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


# ------------------------------------------------------------------ autoencoder_forward

_HIDDEN = "hidden = ops.tanh(ops.matmul(x, encoder_kernel) + encoder_bias)"
_BACK = "return hidden, ops.matmul(hidden, decoder_kernel) + decoder_bias"

AUTOENCODER = [
    right(
        "autoencoder_forward",
        "operators_and_names",
        source="""
def autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias):
    code = keras.activations.tanh(x @ encoder_kernel + encoder_bias)
    rebuilt = code @ decoder_kernel + decoder_bias
    return (code, rebuilt)
""",
    ),
    right(
        "autoencoder_forward",
        "einsum_and_sigmoid",
        source="""
def autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias):
    scores = ops.einsum("bd,dh->bh", x, encoder_kernel) + ops.reshape(encoder_bias, (1, -1))
    hidden = 2.0 * ops.sigmoid(2.0 * scores) - 1.0
    return hidden, ops.einsum("bh,hd->bd", hidden, decoder_kernel) + decoder_bias[None]
""",
    ),
    right(
        "autoencoder_forward",
        "bias_as_one_more_row",
        source="""
def autoencoder_forward(x, encoder_kernel, encoder_bias, decoder_kernel, decoder_bias):
    def dense(x, kernel, bias):
        ones = ops.ones_like(x[:, :1])
        both = ops.concatenate([kernel, ops.expand_dims(bias, 0)], axis=0)
        return ops.dot(ops.concatenate([x, ones], axis=1), both)

    hidden = ops.tanh(dense(x, encoder_kernel, encoder_bias))
    return [hidden, dense(hidden, decoder_kernel, decoder_bias)]
""",
    ),
    *wrongs(
        "autoencoder_forward",
        [
            (
                "no_tanh",
                "activation_missing",
                _HIDDEN,
                "hidden = ops.matmul(x, encoder_kernel) + encoder_bias",
            ),
            (
                "tanh_twice",
                "activation_on_the_reconstruction",
                _BACK,
                "return hidden, ops.tanh(ops.matmul(hidden, decoder_kernel) + decoder_bias)",
            ),
            (
                "tanh_at_the_end_only",
                "activation_on_the_reconstruction",
                _HIDDEN,
                "hidden = ops.matmul(x, encoder_kernel) + encoder_bias",
                _BACK,
                "return hidden, ops.tanh(ops.matmul(hidden, decoder_kernel) + decoder_bias)",
            ),
            ("relu", "another_activation", "ops.tanh", "ops.relu"),
            ("sigmoid", "another_activation", "ops.tanh", "ops.sigmoid"),
            ("softmax", "another_activation", "ops.tanh", "ops.softmax"),
            ("no_encoder_bias", "biases_missing", " + encoder_bias)", ")"),
            ("no_decoder_bias", "biases_missing", " + decoder_bias", ""),
            (
                "no_bias_at_all",
                "biases_missing",
                " + encoder_bias)",
                ")",
                " + decoder_bias",
                "",
            ),
            (
                "bias_outside",
                "bias_after_the_activation",
                " + encoder_bias)",
                ") + encoder_bias",
            ),
            (
                "minus_the_biases",
                "biases_subtracted",
                "+ encoder_bias",
                "- encoder_bias",
                "+ decoder_bias",
                "- decoder_bias",
            ),
            (
                "kernels_exchanged",
                "kernels_exchanged",
                "ops.matmul(x, encoder_kernel)",
                "ops.matmul(x, decoder_kernel)",
                "ops.matmul(hidden, decoder_kernel)",
                "ops.matmul(hidden, encoder_kernel)",
            ),
            (
                "biases_exchanged",
                "biases_exchanged",
                "+ encoder_bias)",
                "+ decoder_bias)",
                "decoder_kernel) + decoder_bias",
                "decoder_kernel) + encoder_bias",
            ),
            (
                "kernels_transposed",
                "kernels_transposed",
                "ops.matmul(x, encoder_kernel)",
                "ops.matmul(x, ops.transpose(encoder_kernel))",
                "ops.matmul(hidden, decoder_kernel)",
                "ops.matmul(hidden, ops.transpose(decoder_kernel))",
            ),
            (
                "tied_to_the_encoder",
                "decoder_kernel_unused",
                "ops.matmul(hidden, decoder_kernel)",
                "ops.matmul(hidden, ops.transpose(encoder_kernel))",
            ),
            (
                "decoded_from_scores",
                "decoded_before_the_activation",
                _HIDDEN,
                "scores = ops.matmul(x, encoder_kernel) + encoder_bias\n"
                "    hidden = ops.tanh(scores)",
                "ops.matmul(hidden, decoder_kernel)",
                "ops.matmul(scores, decoder_kernel)",
            ),
            (
                "scores_returned",
                "hidden_returned_before_the_activation",
                _HIDDEN,
                "scores = ops.matmul(x, encoder_kernel) + encoder_bias\n"
                "    hidden = ops.tanh(scores)",
                "return hidden,",
                "return scores,",
            ),
            ("residual", "input_added_again", _BACK, _BACK + " + x"),
            ("what_is_missing", "input_added_again", _BACK, _BACK + " - x"),
            (
                "swapped",
                "pair_swapped",
                _BACK,
                "return ops.matmul(hidden, decoder_kernel) + decoder_bias, hidden",
            ),
            (
                "reconstruction_alone",
                "something_else_returned",
                _BACK,
                "return ops.matmul(hidden, decoder_kernel) + decoder_bias",
            ),
            ("hidden_alone", "something_else_returned", _BACK, "return hidden"),
            (
                "input_and_reconstruction",
                "something_else_returned",
                "return hidden,",
                "return x,",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ dae_loss

_SQUARED = 'squared = ops.square(ops.cast(reconstruction, "float32") - ops.cast(x, "float32"))'
_FEATURES = "per_position = ops.mean(squared, axis=-1)"
_COUNTS = 'counts = ops.cast(is_corrupted, "float32")'
_IF = "if not only_corrupted:"
_ALL = "return ops.mean(squared)"
_LOSS = "return ops.sum(per_position * counts) / ops.maximum(ops.sum(counts), 1.0)"

DAE_LOSS = [
    right(
        "dae_loss",
        "one_weight_for_both",
        source="""
def dae_loss(reconstruction, x, is_corrupted, only_corrupted=False):
    weight = ops.cast(is_corrupted, "float32") if only_corrupted else 1.0
    weight = weight * ops.ones_like(x[..., 0])
    total = ops.sum(weight[..., None] * (x - reconstruction) ** 2)
    count = ops.sum(weight) * x.shape[-1]
    return total / ops.maximum(count, 1.0)
""",
    ),
    right(
        "dae_loss",
        "where_and_a_guarded_quotient",
        source="""
def dae_loss(reconstruction, x, is_corrupted, only_corrupted=False):
    error = reconstruction - x
    if only_corrupted:
        error = ops.where(is_corrupted[:, :, None], error, 0.0)
        number = ops.sum(ops.cast(is_corrupted, "float32")) * ops.cast(ops.shape(x)[2], "float32")
        return ops.where(number > 0, ops.sum(error * error) / ops.maximum(number, 1e-6), 0.0)
    return ops.mean(ops.reshape(error * error, (-1,)))
""",
    ),
    right(
        "dae_loss",
        "mean_of_the_picked_with_kerass_loss",
        source="""
def dae_loss(reconstruction, x, is_corrupted, only_corrupted=False):
    each = keras.losses.mean_squared_error(x, reconstruction)
    if only_corrupted:
        flags = ops.cast(is_corrupted, each.dtype)
        return ops.sum(each * flags) / (ops.sum(flags) + 1e-9)
    return ops.mean(each)
""",
    ),
    *wrongs(
        "dae_loss",
        [
            (
                "blanked_target",
                "corrupted_input_as_target",
                _SQUARED,
                "x = ops.where(is_corrupted[..., None], 0.0, x)\n    " + _SQUARED,
            ),
            (
                "blanked_reconstruction",
                "corrupted_input_as_target",
                _SQUARED,
                "reconstruction = ops.where(is_corrupted[..., None], 0.0, reconstruction)\n    "
                + _SQUARED,
            ),
            (
                "without_x",
                "target_missing",
                _SQUARED,
                "squared = ops.square(reconstruction)",
            ),
            ("absolute", "not_squared", "ops.square(", "ops.abs("),
            ("signed", "not_squared", _SQUARED, "squared = reconstruction - x"),
            (
                "root",
                "root_taken",
                _ALL,
                "return ops.sqrt(ops.mean(squared))",
                _LOSS,
                _LOSS.replace("return ", "return ops.sqrt(") + ")",
            ),
            ("half", "halved", "squared = ops", "squared = 0.5 * ops"),
            ("minus", "negated", "squared = ops", "squared = -ops"),
            (
                "sums",
                "summed_not_averaged",
                _ALL,
                "return ops.sum(squared)",
                _LOSS,
                "return ops.sum(squared * counts[..., None])",
            ),
            (
                "only_corrupted_by_positions",
                "divided_by_positions",
                _FEATURES,
                "per_position = ops.sum(squared, axis=-1)",
            ),
            (
                "all_by_positions",
                "divided_by_positions",
                _FEATURES,
                "per_position = ops.sum(squared, axis=-1)",
                _ALL,
                "return ops.mean(ops.sum(squared, axis=-1))",
            ),
            (
                "zeros_in_the_mean",
                "divided_by_everything",
                _LOSS,
                "return ops.mean(per_position * counts)",
            ),
            (
                "rows_first",
                "rows_averaged_first",
                _LOSS,
                "return ops.mean(ops.sum(per_position * counts, axis=1) / "
                "ops.maximum(ops.sum(counts, axis=1), 1.0))",
            ),
            (
                "rows_first_nan",
                "rows_averaged_first",
                _LOSS,
                "return ops.mean(ops.sum(per_position * counts, axis=1) / ops.sum(counts, axis=1))",
            ),
            ("flag_ignored", "flag_ignored", _IF, "if True:"),
            ("always_corrupted", "flag_ignored", _IF, "if False:"),
            ("flag_inverted", "flag_ignored", _IF, "if only_corrupted:"),
            (
                "clean_ones",
                "clean_positions_counted",
                _COUNTS,
                'counts = 1.0 - ops.cast(is_corrupted, "float32")',
            ),
            ("nan", "nothing_corrupted", "ops.maximum(ops.sum(counts), 1.0)", "ops.sum(counts)"),
            (
                "all_if_none",
                "nothing_corrupted",
                _LOSS,
                "loss = ops.sum(per_position * counts) / ops.maximum(ops.sum(counts), 1.0)\n"
                "    return ops.where(ops.any(is_corrupted), loss, ops.mean(squared))",
            ),
            (
                "plus_one",
                "one_too_many_counted",
                "ops.maximum(ops.sum(counts), 1.0)",
                "(ops.sum(counts) + 1.0 / x.shape[-1])",
            ),
            (
                "per_position",
                "not_one_number",
                _ALL,
                "return ops.mean(squared, axis=-1)",
                _LOSS,
                "return per_position * counts",
            ),
            (
                "one_in_a_row",
                "not_one_number",
                _ALL,
                "return ops.reshape(ops.mean(squared), (1,))",
                _LOSS,
                _LOSS.replace("return ", "return ops.reshape(") + ", (1,))",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ denoise_corrupt

_BLOCKS = "num_blocks = -(-length // span)"
_DRAW = "is_blanked = np.random.default_rng(seed).random((num_rows, num_blocks)) < rate"
_SPREAD = "is_corrupted = np.repeat(is_blanked, span, axis=1)[:, :length]"
_PAIR = "return np.where(is_corrupted[..., None], np.zeros_like(x), x), is_corrupted"

DENOISE_CORRUPT = [
    right(
        "denoise_corrupt",
        "loops_and_a_copy",
        source="""
def denoise_corrupt(x, rate=0.15, span=1, seed=None):
    rng = np.random.default_rng(seed)
    corrupted = np.array(x)
    hit = np.zeros(x.shape[:2], dtype=bool)
    for start in range(0, x.shape[1], span):
        rows = rng.random(len(x)) < rate
        hit[rows, start : start + span] = True
    corrupted[hit] = 0.0
    return corrupted, hit
""",
    ),
    right(
        "denoise_corrupt",
        "index_of_the_block",
        source="""
def denoise_corrupt(x, rate=0.15, span=1, seed=None):
    rng = np.random.RandomState(seed)
    which = np.arange(x.shape[1]) // span
    fate = rng.binomial(1, rate, (x.shape[0], which.max() + 1)).astype(bool)
    mask = fate[:, which]
    return (x * ~mask[:, :, None]).astype(x.dtype), mask
""",
    ),
    right(
        "denoise_corrupt",
        "kerass_generator",
        source="""
def denoise_corrupt(x, rate=0.15, span=1, seed=None):
    generator = keras.random.SeedGenerator(seed)
    batch, length, _ = x.shape
    shape = (batch, (length + span - 1) // span)
    kept = ops.convert_to_numpy(keras.random.uniform(shape, seed=generator)) >= rate
    kept = np.repeat(kept, span, axis=1)[:, :length]
    return np.where(kept[:, :, None], x, 0).astype("float32"), np.logical_not(kept)
""",
    ),
    *wrongs(
        "denoise_corrupt",
        [
            ("kept_marked", "mask_inverted", _PAIR, _PAIR.replace("x), is", "x), ~is")),
            (
                "times_ints",
                "another_dtype",
                "np.where(is_corrupted[..., None], np.zeros_like(x), x)",
                "x * (1 - is_corrupted[..., None])",
            ),
            (
                "half_precision",
                "another_dtype",
                "np.zeros_like(x), x)",
                'np.zeros_like(x), x).astype("float16")',
            ),
            ("larger_than_rate", "rate_is_what_stays", "< rate", "> rate"),
            ("default_rate", "rate_not_used", "< rate", "< 0.15"),
            ("half", "rate_not_used", "< rate", "< 0.5"),
            ("rate_by_span", "rate_changed_by_span", "< rate", "< rate / span"),
            ("rate_times_span", "rate_changed_by_span", "< rate", "< rate * span"),
            ("no_span", "span_ignored", _BLOCKS, "num_blocks, span = length, 1"),
            (
                "starts_anywhere",
                "spans_start_anywhere",
                _BLOCKS,
                "num_blocks = length",
                _SPREAD,
                "is_corrupted = np.zeros((num_rows, length), bool)\n"
                "    for t in range(length):\n"
                "        is_corrupted[:, t : t + span] |= is_blanked[:, t : t + 1]",
            ),
            (
                "from_the_end",
                "blocks_laid_out_wrongly",
                "[:, :length]",
                "[:, -length:]",
            ),
            (
                "tiled",
                "blocks_laid_out_wrongly",
                "np.repeat(is_blanked, span, axis=1)",
                "np.tile(is_blanked, (1, span))",
            ),
            (
                "so_many_blocks",
                "blocks_laid_out_wrongly",
                _BLOCKS,
                "num_blocks = span",
                _SPREAD,
                "is_corrupted = is_blanked[:, np.arange(length) * span // length]",
            ),
            (
                "short_block_clean",
                "short_block_left_out",
                _BLOCKS,
                "num_blocks = length // span",
                _SPREAD,
                "is_corrupted = np.zeros((num_rows, length), bool)\n"
                "    is_corrupted[:, : num_blocks * span] = np.repeat(is_blanked, span, axis=1)",
            ),
            (
                "reshaped",
                "length_must_divide",
                _BLOCKS,
                "num_blocks = length // span",
                _SPREAD,
                "is_corrupted = np.broadcast_to(is_blanked[..., None], (num_rows, num_blocks, "
                "span)).reshape(num_rows, length)",
            ),
            (
                "first_of_block",
                "first_of_each_block_only",
                _SPREAD,
                "is_corrupted = np.zeros((num_rows, length), bool)\n"
                "    is_corrupted[:, ::span] = is_blanked",
            ),
            (
                "one_draw_for_all_rows",
                "rows_share_a_draw",
                "random((num_rows, num_blocks)) < rate",
                "random((1, num_blocks)) < np.full((num_rows, 1), rate)",
            ),
            (
                "whole_rows",
                "whole_rows_corrupted",
                "random((num_rows, num_blocks)) < rate",
                "random((num_rows, 1)) < np.full((1, num_blocks), rate)",
            ),
            (
                "exact_number",
                "same_number_in_every_row",
                _DRAW,
                "scores = np.random.default_rng(seed).random((num_rows, num_blocks))\n"
                "    number = round(rate * num_blocks)\n"
                "    is_blanked = scores.argsort(axis=1).argsort(axis=1) < number",
            ),
            (
                "features_apart",
                "features_drawn_apart",
                _PAIR,
                "apart = np.random.default_rng(seed).random(x.shape) < rate\n"
                "    return np.where(apart, np.zeros_like(x), x), apart.any(axis=-1)",
            ),
            (
                "noise",
                "not_blanked",
                "np.zeros_like(x), x)",
                "np.random.default_rng(seed).normal(size=x.shape).astype(x.dtype), x)",
            ),
            ("ones", "not_blanked", "np.zeros_like(x)", "np.ones_like(x)"),
            (
                "others_blanked",
                "the_others_blanked",
                "np.zeros_like(x), x)",
                "x, np.zeros_like(x))",
            ),
            (
                "times_the_mask",
                "the_others_blanked",
                _PAIR,
                "return x * is_corrupted[..., None].astype(x.dtype), is_corrupted",
            ),
            (
                "generator_in_the_loop_of_rows",
                "generator_made_again",
                _DRAW,
                "is_blanked = np.zeros((num_rows, num_blocks), bool)\n"
                "    for b in range(num_rows):\n"
                "        rng = np.random.default_rng(seed)\n"
                "        is_blanked[b] = rng.random(num_blocks) < rate",
            ),
            (
                "generator_in_the_loop_of_blocks",
                "generator_made_again",
                _DRAW,
                "is_blanked = np.zeros((num_rows, num_blocks), bool)\n"
                "    for k in range(num_blocks):\n"
                "        rng = np.random.default_rng(seed)\n"
                "        is_blanked[:, k] = rng.random(num_rows) < rate",
            ),
            ("mean", "not_blanked", "np.zeros_like(x), x)", "x.mean(axis=1, keepdims=True), x)"),
            (
                "scaled_up",
                "rest_scaled",
                "np.zeros_like(x), x)",
                "np.zeros_like(x), x / np.float32(max(1 - rate, 1e-6)))",
            ),
            (
                "zeros_found",
                "mask_read_off_the_result",
                _PAIR,
                "x = np.where(is_corrupted[..., None], np.zeros_like(x), x)\n"
                "    return x, (x == 0).all(axis=-1)",
            ),
            (
                "differences_found",
                "mask_read_off_the_result",
                _PAIR,
                "y = np.where(is_corrupted[..., None], np.zeros_like(x), x)\n"
                "    return y, (x != y).any(axis=-1)",
            ),
            (
                "in_place",
                "x_changed",
                _PAIR,
                "x[is_corrupted] = 0\n    return x, is_corrupted",
            ),
            ("without_seed", "seed_not_used", "default_rng(seed)", "default_rng()"),
            ("fixed_seed", "seed_is_fixed", "default_rng(seed)", "default_rng(0)"),
            ("zero_for_none", "seed_is_fixed", "default_rng(seed)", "default_rng(seed or 0)"),
            (
                "mask_of_three_axes",
                "mask_has_features",
                _PAIR,
                _PAIR.replace("x), is_corrupted", "x), is_corrupted[..., None]"),
            ),
            (
                "integers",
                "mask_is_not_boolean",
                _PAIR,
                _PAIR.replace("x), is_corrupted", "x), is_corrupted.astype('int32')"),
            ),
            (
                "swapped",
                "wrong_things_returned",
                _PAIR,
                "return is_corrupted, np.where(is_corrupted[..., None], np.zeros_like(x), x)",
            ),
            (
                "corrupted_alone",
                "wrong_things_returned",
                _PAIR,
                _PAIR.replace("x), is_corrupted", "x)"),
            ),
        ],
    ),
]


# ------------------------------------------------------------------ basic_tokenize

_SPACE = 'if character in "\\t\\n\\r":'
_DROP = 'elif character == "\\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co"):'
_ALONE = "stands_alone = is_chinese(character)"
_LOWER = "if lowercase:"
_NFD = 'parts = unicodedata.normalize("NFD", character)'
_STRIP = 'character = "".join(c for c in parts if unicodedata.category(c) != "Mn").lower()'
_WORDS = 'pieces += [f" {c} " if stands_alone or is_punctuation(c) else c for c in character]'
_SPLIT = 'return "".join(pieces).split()'

BASIC_TOKENIZE = [
    right(
        "basic_tokenize",
        "a_word_in_the_hands",
        source="""
def basic_tokenize(text, lowercase=True):
    words, word = [], ""
    for char in text:
        kind = unicodedata.category(char)
        if char in "\\t\\n\\r" or (char.isspace() and kind not in ("Cc", "Cf", "Co")):
            if word:
                words.append(word)
            word = ""
            continue
        if kind in ("Cc", "Cf", "Co") or char == "\\ufffd":
            continue
        chinese = is_chinese(char)
        if lowercase:
            parts = unicodedata.normalize("NFD", char)
            char = "".join(part for part in parts if unicodedata.category(part) != "Mn").lower()
        for part in char:
            if chinese or is_punctuation(part):
                if word:
                    words.append(word)
                words.append(part)
                word = ""
            else:
                word += part
    if word:
        words.append(word)
    return words
""",
    ),
    right(
        "basic_tokenize",
        "in_stages_as_googles_code_does_it",
        source="""
def basic_tokenize(text, lowercase=True):
    clean = []
    for char in text:
        if char in "\\t\\n\\r":
            clean.append(" ")
        elif ord(char) == 0xFFFD or unicodedata.category(char) in ("Cc", "Cf", "Co"):
            continue
        elif is_chinese(char):
            clean += [" ", char, " "]
        else:
            clean.append(char)
    result = []
    for token in "".join(clean).split():
        if lowercase:
            token = token.lower()
            token = "".join(
                c for c in unicodedata.normalize("NFD", token) if unicodedata.category(c) != "Mn"
            )
        current = []
        start_new = True
        for char in token:
            if is_punctuation(char):
                current.append([char])
                start_new = True
            else:
                if start_new:
                    current.append([])
                start_new = False
                current[-1].append(char)
        result += ["".join(chars) for chars in current]
    return [word for word in result if word]
""",
    ),
    right(
        "basic_tokenize",
        "text_rewritten_and_split",
        source="""
def basic_tokenize(text, lowercase=True):
    text = text.translate({ord(c): " " for c in "\\t\\n\\r"})
    text = "".join(
        c for c in text if c != "\\ufffd" and unicodedata.category(c)[:2] not in {"Cc", "Cf", "Co"}
    )
    text = "".join(f" {c} " if is_chinese(c) else c for c in text)
    if lowercase:
        text = unicodedata.normalize("NFD", text.lower())
        text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    return "".join(f" {c} " if is_punctuation(c) else c for c in text).split()
""",
    ),
    *[
        wrong(
            "basic_tokenize",
            name,
            names=("parted_at_white_space_alone",),
            source=f"""
def basic_tokenize(text, lowercase=True):
    return {words}
""",
        )
        for name, words in (
            ("split_alone", "text.split()"),
            ("small_letters_and_split", "text.lower().split()"),
            ("small_letters_if_asked", "(text.lower() if lowercase else text).split()"),
        )
    ],
    *wrongs(
        "basic_tokenize",
        [
            ("no_small_letters", "case_kept", ".lower()", ""),
            (
                "nothing_folded",
                "case_kept",
                _LOWER,
                "if False:",
            ),
            ("casefold", "case_folded_too_far", ".lower()", ".casefold()"),
            (
                "cut_then_folded",
                "folded_after_cutting",
                _LOWER,
                "if False:",
                _SPLIT,
                'words = "".join(pieces).split()\n'
                "    if lowercase:\n"
                '        words = [unicodedata.normalize("NFD", word) for word in words]\n'
                '        words = ["".join(c for c in word if unicodedata.category(c) != "Mn")'
                ".lower() for word in words]\n"
                "    return words",
            ),
            (
                "cut_then_folded_without_empty_words",
                "folded_after_cutting",
                _LOWER,
                "if False:",
                _SPLIT,
                'words = "".join(pieces).split()\n'
                "    if lowercase:\n"
                '        words = [unicodedata.normalize("NFD", word) for word in words]\n'
                '        words = ["".join(c for c in word if unicodedata.category(c) != "Mn")'
                ".lower() for word in words]\n"
                "    return [word for word in words if word]",
            ),
            (
                "nothing_is_in_every_string",
                "words_part_where_an_accent_vanishes",
                _SPACE,
                "if lowercase:\n"
                '            parts = unicodedata.normalize("NFD", character)\n'
                '            character = "".join(c for c in parts if unicodedata.category(c) '
                '!= "Mn").lower()\n'
                "        " + _SPACE,
                _ALONE,
                'stands_alone = character != " " and is_chinese(character)',
            ),
            (
                "white_space_first",
                "white_space_before_control_characters",
                _SPACE,
                "if character.isspace():",
            ),
            ("always_folded", "lowercase_not_asked", _LOWER, "if True:"),
            ("the_other_way_round", "lowercase_not_asked", _LOWER, "if not lowercase:"),
            (
                "small_letters_anyway",
                "lowercase_not_asked",
                _ALONE,
                _ALONE + "\n        character = character.lower()",
            ),
            ("composed", "accents_kept", '"NFD"', '"NFC"'),
            (
                "accents_not_taken_away",
                "accents_kept",
                ' if unicodedata.category(c) != "Mn"',
                "",
            ),
            (
                "accents_go_anyway",
                "accents_not_asked",
                _LOWER,
                'parts = unicodedata.normalize("NFD", character)\n'
                '        character = "".join(c for c in parts if unicodedata.category(c) != "Mn")\n'
                "        " + _LOWER,
            ),
            (
                "always_taken_apart",
                "taken_apart_anyway",
                _LOWER,
                'character = unicodedata.normalize("NFD", character)\n        ' + _LOWER,
            ),
            ("nfkd", "another_normal_form", '"NFD"', '"NFKD"'),
            (
                "controls_kept",
                "control_characters_kept",
                _DROP,
                "elif False:",
            ),
            (
                "only_cc",
                "control_characters_kept",
                'in ("Cc", "Cf", "Co")',
                'in ("Cc",)',
            ),
            ("private_kept", "control_characters_kept", '("Cc", "Cf", "Co")', '("Cc", "Cf")'),
            ("replacement_kept", "control_characters_kept", 'character == "\\ufffd" or ', ""),
            (
                "controls_part_words",
                "words_part_at_control_characters",
                "continue",
                'character = " "',
            ),
            (
                "tabs_dropped",
                "tabs_and_newlines_lost",
                _SPACE,
                "if False:",
            ),
            (
                "split_at_blanks_with_filter",
                "only_blanks_part_words",
                _SPLIT,
                'return [word for word in "".join(pieces).split(" ") if word]',
            ),
            ("chinese_together", "chinese_stays_together", "stands_alone or ", ""),
            (
                "border_in_front_only",
                "chinese_stays_together",
                _WORDS,
                'pieces += [f" {c}" if stands_alone else f" {c} " if is_punctuation(c) else c '
                "for c in character]",
            ),
            (
                "all_letters_without_case",
                "other_scripts_parted",
                _ALONE,
                'stands_alone = unicodedata.category(character) == "Lo"',
            ),
            (
                "everything_beyond_ascii",
                "other_scripts_parted",
                _ALONE,
                "stands_alone = ord(character) > 127 and not character.isspace()",
            ),
            ("marks_attached", "punctuation_stays_attached", " or is_punctuation(c)", ""),
            (
                "border_behind_a_mark",
                "punctuation_stays_attached",
                _WORDS,
                'pieces += [f" {c} " if stands_alone else f"{c} " if is_punctuation(c) else c '
                "for c in character]",
            ),
            (
                "marks_dropped",
                "punctuation_dropped",
                _WORDS,
                'pieces += [f" {c} " if stands_alone else " " if is_punctuation(c) else c '
                "for c in character]",
            ),
            (
                "ascii_marks_only",
                "some_punctuation_missed",
                "is_punctuation(c)",
                "c in '!\"#$%&\\'()*+,-./:;<=>?@[\\\\]^_`{|}~'",
            ),
            (
                "category_only",
                "some_punctuation_missed",
                "is_punctuation(c)",
                'unicodedata.category(c).startswith("P")',
            ),
            (
                "symbols_too",
                "other_signs_parted",
                "is_punctuation(c)",
                'is_punctuation(c) or unicodedata.category(c).startswith("S")',
            ),
            (
                "last_word_lost",
                "last_word_lost",
                _SPLIT,
                'found = "".join(pieces).replace("\\u3000", " ").replace("\\u00a0", " ")\n'
                '    return [word for word in found.split(" ")[:-1] if word]',
            ),
            (
                "empty_words",
                "empty_words_kept",
                _SPLIT,
                'found = "".join(pieces).replace("\\u3000", " ").replace("\\u00a0", " ")\n'
                '    return found.split(" ")',
            ),
            ("joined", "wrong_things_returned", _SPLIT, 'return " ".join("".join(pieces).split())'),
            (
                "each_once",
                "wrong_things_returned",
                _SPLIT,
                'return list(dict.fromkeys("".join(pieces).split()))',
            ),
        ],
    ),
]

# ------------------------------------------------------------------ wordpiece_tokenize

_LONG = "if len(word) > max_word_length:"
_FOR = "for end in range(len(word), start, -1):"
_PIECE = 'piece = word[start:end] if start == 0 else "##" + word[start:end]'
_NONE = "else:\n            return not_known"
_KEEP = "pieces.append(piece)"
_PLACE = "offsets.append((start, end))"
_RESULT = "return pieces, offsets"

WORDPIECE_TOKENIZE = [
    right(
        "wordpiece_tokenize",
        "end_moves_back_in_a_while_loop",
        source="""
def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100):
    length = len(word)
    if length > max_word_length:
        return [unknown], [(0, length)]
    pieces, places = [], []
    start = 0
    while start < length:
        end = length
        found = None
        while end > start and found is None:
            candidate = word[start:end]
            if start > 0:
                candidate = "##" + candidate
            if candidate in vocabulary:
                found = candidate
            else:
                end -= 1
        if found is None:
            return [unknown], [(0, length)]
        pieces.append(found)
        places.append([start, end])
        start = end
    return pieces, places
""",
    ),
    right(
        "wordpiece_tokenize",
        "recursive_with_an_array_of_offsets",
        source="""
def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100):
    def cut(start):
        if start == len(word):
            return []
        prefix = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if prefix + word[start:e] in vocabulary]
        if not ends:
            return None
        rest = cut(ends[-1])
        return None if rest is None else [(start, ends[-1]), *rest]

    places = cut(0) if len(word) <= max_word_length else None
    if places is None:
        return [unknown], np.array([[0, len(word)]])
    return ["##" * (s > 0) + word[s:e] for s, e in places], np.array(places)
""",
    ),
    right(
        "wordpiece_tokenize",
        "next_with_a_default",
        source="""
def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100):
    pieces, offsets, start = [], [], 0
    known = len(word) <= max_word_length
    while known and start < len(word):
        named = (("" if start == 0 else "##") + word[start:e] for e in range(len(word), start, -1))
        piece = next((p for p in named if p in vocabulary), None)
        known = piece is not None
        if known:
            end = start + len(piece) - 2 * (start > 0)
            pieces, offsets, start = pieces + [piece], offsets + [(start, end)], end
    return (pieces, offsets) if known else ([unknown], [(0, len(word))])
""",
    ),
    *wrongs(
        "wordpiece_tokenize",
        [
            (
                "shortest",
                "shortest_piece",
                "range(len(word), start, -1)",
                "range(start + 1, len(word) + 1)",
            ),
            (
                "whole_or_letters",
                "letters_only",
                "range(len(word), start, -1)",
                "((len(word), 1) if start == 0 else (start + 1,))",
            ),
            (
                "one_short",
                "nothing_is_found",
                "range(len(word), start, -1)",
                "range(len(word) - 1, start, -1)",
            ),
            (
                "never_whole",
                "last_character_never_included",
                "range(len(word), start, -1)",
                "range(len(word) - (start == 0), start, -1)",
            ),
            ("start_stays", "start_stays", "start = end", "pass"),
            (
                "backtracking",
                "other_cuts_tried",
                _LONG,
                "def cut(start):\n"
                "        if start == len(word):\n"
                "            return []\n"
                "        for end in range(len(word), start, -1):\n"
                "            named = word[start:end] if start == 0 else '##' + word[start:end]\n"
                "            rest = cut(end) if named in vocabulary else None\n"
                "            if rest is not None:\n"
                "                return [(named, (start, end)), *rest]\n"
                "        return None\n\n"
                "    if len(word) <= max_word_length:\n"
                "        found = cut(0)\n"
                "        if found:\n"
                "            return [p for p, _ in found], [o for _, o in found]\n"
                "        return not_known\n"
                "    " + _LONG,
            ),
            ("no_prefix", "prefix_missing", _PIECE, "piece = word[start:end]"),
            (
                "prefix_not_shown",
                "prefix_missing",
                _KEEP,
                "pieces.append(word[start:end])",
            ),
            (
                "prefix_added_afterwards",
                "looked_up_without_prefix",
                _PIECE,
                "piece = word[start:end]",
                _KEEP,
                'pieces.append(piece if start == 0 else "##" + piece)',
            ),
            ("inclusive_but_unknown", "end_is_inclusive", _PLACE,
             "offsets.append((start, end - 1))"),
            ("signs_counted_as_they_add_up", "prefix_counted_in_offsets", _PLACE,
             "shown = sum(map(len, pieces[:-1]))\n"
             "        offsets.append((shown, shown + len(piece)))"),
            ("signs_counted_in_the_end", "prefix_counted_in_offsets", _PLACE,
             "offsets.append((start, start + len(piece)))"),
            (
                "prefix_everywhere",
                "prefix_on_the_first_piece",
                _PIECE,
                'piece = "##" + word[start:end]',
            ),
            (
                "prefix_shown_on_all",
                "prefix_on_the_first_piece",
                _KEEP,
                'pieces.append("##" + word[start:end])',
            ),
            (
                "prefix_on_the_first_only",
                "prefix_on_the_first_piece",
                "if start == 0",
                "if start > 0",
            ),
            ("single_sign", "another_prefix", '"##" + ', '"#" + '),
            (
                "signs_behind",
                "another_prefix",
                '"##" + word[start:end]',
                'word[start:end] + "##"',
            ),
            (
                "pieces_and_unknown",
                "pieces_kept",
                _NONE,
                "else:\n            piece, end = unknown, len(word)",
            ),
            (
                "pieces_and_stop",
                "pieces_kept",
                _NONE,
                "else:\n            break",
            ),
            (
                "letter_unknown",
                "character_skipped",
                _NONE,
                "else:\n            piece, end = unknown, start + 1",
            ),
            (
                "letter_skipped",
                "character_skipped",
                _NONE,
                "else:\n            start += 1\n            continue",
            ),
            (
                "letter_kept",
                "character_skipped",
                _NONE,
                "else:\n            end = start + 1",
            ),
            (
                "raises",
                "unknown_raises",
                _NONE,
                "else:\n            raise KeyError(word)",
            ),
            (
                "written_in",
                "unknown_token_written_in",
                "not_known = [unknown]",
                'not_known = ["[UNK]"]',
            ),
            (
                "word_for_unknown",
                "word_itself_for_unknown",
                "not_known = [unknown]",
                "not_known = [word]",
            ),
            ("never_too_long", "long_word_cut", _LONG, "if False:"),
            ("hundred_written_in", "long_word_cut", "> max_word_length", "> 100"),
            (
                "cut_short",
                "long_word_cut",
                _LONG + "\n        return not_known",
                "word = word[:max_word_length]",
            ),
            (
                "empty_for_long",
                "long_word_cut",
                _LONG + "\n        return not_known",
                _LONG + "\n        return [], []",
            ),
            ("limit_at", "limit_off_by_one", "> max_word_length", ">= max_word_length"),
            ("inclusive", "end_is_inclusive", _PLACE, "offsets.append((start, end - 1))",
             "[(0, len(word))]", "[(0, len(word) - 1)]"),
            (
                "signs_counted",
                "prefix_counted_in_offsets",
                _PLACE,
                "shown = sum(map(len, pieces[:-1]))\n"
                "        offsets.append((shown, shown + len(piece)))",
                "not_known = [unknown], [(0, len(word))]",
                "not_known = [unknown], [(0, len(unknown))]",
            ),
            ("lengths", "other_offsets", _PLACE, "offsets.append((start, end - start))"),
            ("from_one", "other_offsets", _PLACE, "offsets.append((start + 1, end + 1))",
             "[(0, len(word))]", "[(1, len(word) + 1)]"),
            ("searched", "other_offsets", _PLACE,
             "place = word.find(word[start:end])\n"
             "        offsets.append((place, place + end - start))"),
            ("empty_place", "offsets_of_unknown", "[(0, len(word))]", "[(0, 0)]"),
            ("no_place", "offsets_of_unknown", "[(0, len(word))]", "[]"),
            ("length_of_the_token", "offsets_of_unknown", "[(0, len(word))]",
             "[(0, len(unknown))]"),
            ("reversed", "pieces_reversed", _RESULT, "return pieces[::-1], offsets[::-1]"),
            ("pieces_alone", "wrong_things_returned", _RESULT, "return pieces",
             "not_known = [unknown], [(0, len(word))]", "not_known = [unknown]"),
            ("swapped", "wrong_things_returned", _RESULT, "return offsets, pieces",
             "not_known = [unknown], [(0, len(word))]", "not_known = [(0, len(word))], [unknown]"),
            (
                "zipped",
                "wrong_things_returned",
                _RESULT,
                "return list(zip(pieces, offsets))",
                "not_known = [unknown], [(0, len(word))]",
                "not_known = [(unknown, (0, len(word)))]",
            ),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ pack_pair

_SPECIALS = "num_specials = 2 if second is None else 3"
_CHECK = "if max_sequence_length < num_specials:"
_TEXTS = "texts = [list(first), list(second or ())]"
_ROOM = "> max_sequence_length - num_specials:"
_LONGER = "longer = 0 if len(texts[0]) > len(texts[1]) else 1"
_POP = "texts[longer].pop()"
_HEAD = "token_ids = [cls_id, *texts[0], sep_id]"
_ZEROS = "segment_ids = [0] * len(token_ids)"
_SECOND = "if second is not None:"
_TAIL = "token_ids += [*texts[1], sep_id]"
_ONES = "segment_ids += [1] * (len(texts[1]) + 1)"
_IDS = '"token_ids": token_ids + [pad_id] * num_pads,'
_SEGMENTS = '"segment_ids": segment_ids + [0] * num_pads,'
_MASK = '"padding_mask": [True] * num_real + [False] * num_pads,'
_LOOP = (
    "while len(texts[0]) + len(texts[1]) > max_sequence_length - num_specials:\n"
    "        longer = 0 if len(texts[0]) > len(texts[1]) else 1\n"
    "        texts[longer].pop()"
)
_BUDGET = "room = max_sequence_length - num_specials\n    a, b = texts\n    "


def cut(how):
    """The reference with another way of shortening both texts, given room, a and b."""
    return _LOOP, f"{_BUDGET}if len(a) + len(b) > room:\n        texts = {how}"


PACK_PAIR = [
    right(
        "pack_pair",
        "arrays_filled_in",
        source="""
def pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0):
    specials = 3 if second is not None else 2
    room = max_sequence_length - specials
    if room < 0:
        raise ValueError("too short")
    a, b = len(first), 0 if second is None else len(second)
    while a + b > room:
        if a > b:
            a -= 1
        else:
            b -= 1
    ids = np.full(max_sequence_length, pad_id)
    segments = np.ones(max_sequence_length, "int32")
    ids[0] = cls_id
    ids[1 : a + 1] = first[:a]
    ids[a + 1] = sep_id
    segments[: a + 2] = 0
    end = a + 2
    if second is not None:
        ids[end : end + b] = second[:b]
        ids[end + b] = sep_id
        end += b + 1
    return {
        "token_ids": ids,
        "segment_ids": segments,
        "padding_mask": np.arange(max_sequence_length) < end,
    }
""",
    ),
    right(
        "pack_pair",
        "levelled_in_one_step",
        source="""
def pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0):
    parts = [first] if second is None else [first, second]
    room = max_sequence_length - 1 - len(parts)
    if room < 0:
        raise ValueError(f"{max_sequence_length} < {1 + len(parts)}")
    if len(parts) == 1:
        parts = [first[:room]]
    elif len(first) + len(second) > room:
        shorter = min(len(first), len(second))
        if 2 * shorter <= room:
            keep = room - shorter
            sizes = (keep, shorter) if len(first) > len(second) else (shorter, keep)
        else:
            sizes = (room - room // 2, room // 2)
        parts = [first[: sizes[0]], second[: sizes[1]]]
    row, kinds = [cls_id], [0]
    for number, part in enumerate(parts):
        row = row + list(part) + [sep_id]
        kinds = kinds + [number] * (len(part) + 1)
    real = [True] * len(row)
    gap = max_sequence_length - len(row)
    return dict(
        token_ids=row + gap * [pad_id],
        segment_ids=kinds + gap * [kinds[-1]],
        padding_mask=real + gap * [False],
    )
""",
    ),
    right(
        "pack_pair",
        "padded_after_a_recursive_cut",
        source="""
def pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0):
    def shorten(a, b, room):
        if len(a) + len(b) <= room:
            return a, b
        return shorten(a[:-1], b, room) if len(a) > len(b) else shorten(a, b[:-1], room)

    pair = second is not None
    if max_sequence_length < 2 + pair:
        raise ValueError("no room for the special tokens")
    a, b = shorten(tuple(first), tuple(second) if pair else (), max_sequence_length - 2 - pair)
    token_ids = [cls_id, *a, sep_id] + ([*b, sep_id] if pair else [])
    padding_mask = np.zeros(max_sequence_length, dtype=bool)
    padding_mask[: len(token_ids)] = True
    segment_ids = np.where(np.arange(max_sequence_length) >= len(a) + 2, 1, 0) * padding_mask
    while len(token_ids) < max_sequence_length:
        token_ids.append(pad_id)
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}
""",
    ),
    *wrongs(
        "pack_pair",
        [
            ("no_cls", "begin_missing", _HEAD, "token_ids = [*texts[0], sep_id]"),
            ("no_last_sep", "separator_missing", _TAIL, "token_ids += [*texts[1]]", _ONES,
             "segment_ids += [1] * len(texts[1])", _HEAD,
             "token_ids = [cls_id, *texts[0]] + [sep_id] * (second is not None)"),
            ("no_middle_sep", "separator_missing", _HEAD,
             "token_ids = [cls_id, *texts[0]] + [sep_id] * (second is None)"),
            ("cls_again", "begin_again", _TAIL, "token_ids += [cls_id, *texts[1], sep_id]", _ONES,
             "segment_ids += [1] * (len(texts[1]) + 2)"),
            ("cls_and_sep_exchanged", "marks_exchanged", _SPECIALS,
             _SPECIALS + "\n    cls_id, sep_id = sep_id, cls_id"),
            ("sep_in_front", "marks_exchanged", _SPECIALS, _SPECIALS + "\n    cls_id = sep_id"),
            ("two_in_the_middle", "too_many_separators", _TAIL,
             "token_ids += [sep_id, *texts[1], sep_id]", _ZEROS,
             "segment_ids = [0] * (len(token_ids) + (second is not None))"),
            ("sep_even_alone", "too_many_separators", _SECOND, "if True:"),
            ("assembled_then_cut", "separator_cut_off", _LOOP, "pass",
             "num_real, num_pads",
             "token_ids = token_ids[:max_sequence_length]\n"
             "    segment_ids = segment_ids[:max_sequence_length]\n    num_real, num_pads"),
            ("sep_put_back", "separator_cut_off", _LOOP, "pass",
             "num_real, num_pads",
             "if len(token_ids) > max_sequence_length:\n"
             "        token_ids = token_ids[: max_sequence_length - 1] + [sep_id]\n"
             "        segment_ids = segment_ids[:max_sequence_length]\n    num_real, num_pads"),
            ("not_cut", "nothing_cut", _LOOP, "pass"),
            ("two_always", "room_for_specials_miscounted", _ROOM, "> max_sequence_length - 2:"),
            ("three_always", "room_for_specials_miscounted", _ROOM,
             "> max(max_sequence_length - 3, 0):"),
            ("no_room_kept", "room_for_specials_miscounted", _ROOM, "> max_sequence_length:"),
            ("one_less", "one_token_less", _ROOM,
             "> max(max_sequence_length - num_specials - 1, 0):"),
            ("from_the_start", "cut_from_the_start", _POP, "texts[longer].pop(0)"),
            ("first_only", "one_text_cut",
             *cut("[a[:room], b] if second is None else [a[: max(room - len(b), 0)], b[:room]]")),
            ("second_only", "one_text_cut", *cut("[a[:room], b[: max(room - len(a), 0)]]")),
            ("shorter", "shorter_text_cut", _LONGER,
             "a, b = map(len, texts)\n        longer = 0 if (a < b and a) or not b else 1"),
            ("half_each", "half_for_each",
             *cut("[a[:room], b] if second is None else [a[: room // 2], b[: room // 2]]")),
            ("half_each_odd_first", "half_for_each",
             *cut("[a[:room], b] if second is None else [a[: room - room // 2], b[: room // 2]]")),
            ("ties_first", "tie_cuts_the_first", "len(texts[0]) > len(texts[1]) else",
             "len(texts[0]) >= len(texts[1]) else"),
            ("from_one", "segments_from_one", _ZEROS, "segment_ids = [1] * len(token_ids)", _ONES,
             "segment_ids += [2] * (len(texts[1]) + 1)"),
            ("all_zero", "segments_all_alike", "[1] * (len", "[0] * (len"),
            ("inverted", "segments_inverted", _ZEROS, "segment_ids = [1] * len(token_ids)", _ONES,
             "segment_ids += [0] * (len(texts[1]) + 1)"),
            ("first_sep_is_1", "separator_in_the_other_segment", _ZEROS,
             "segment_ids = [0] * (len(token_ids) - 1) + [1]"),
            ("first_sep_is_1_in_pairs", "separator_in_the_other_segment", _ZEROS,
             "segment_ids = [0] * (len(token_ids) - 1) + [int(second is not None)]"),
            ("last_sep_is_0", "separator_in_the_other_segment", _ONES,
             "segment_ids += [1] * len(texts[1]) + [0]"),
            ("pads_are_2", "more_than_two_segments", "segment_ids + [0] *", "segment_ids + [2] *"),
            ("left", "padded_on_the_left", _IDS, '"token_ids": [pad_id] * num_pads + token_ids,',
             _SEGMENTS, '"segment_ids": [0] * num_pads + segment_ids,', _MASK,
             '"padding_mask": [False] * num_pads + [True] * num_real,'),
            ("left_but_segments", "padded_on_the_left", _IDS,
             '"token_ids": [pad_id] * num_pads + token_ids,', _MASK,
             '"padding_mask": [False] * num_pads + [True] * num_real,'),
            ("no_padding", "not_padded", "num_real, num_pads = len(token_ids), max_sequence_length "
             "- len(token_ids)", "num_real, num_pads = len(token_ids), 0"),
            ("segments_not_padded", "not_padded", "segment_ids + [0] * num_pads", "segment_ids"),
            ("one_pad_more", "row_too_long", "max_sequence_length - len(token_ids)",
             "max_sequence_length - len(token_ids) + 1"),
            ("zero_for_pad", "padded_with_another_id", "[pad_id] *", "[0] *"),
            ("last_token_again", "padded_with_another_id", "[pad_id] *", "[token_ids[-1]] *"),
            ("mask_inverted", "mask_inverted", "[True] * num_real + [False] * num_pads",
             "[False] * num_real + [True] * num_pads"),
            ("mask_open", "mask_open_at_padding", "[False] * num_pads", "[True] * num_pads"),
            ("mask_nonzero", "mask_open_at_padding", "[True] * num_real + [False] * num_pads",
             "[i != 0 for i in token_ids + [pad_id] * num_pads]"),
            ("specials_closed", "specials_masked_out", "[True] * num_real",
             "[False] + [True] * (num_real - 2) + [False]"),
            ("mask_of_ints", "mask_is_not_boolean", "[True] * num_real + [False] * num_pads",
             "[1] * num_real + [0] * num_pads"),
            ("turned", "texts_exchanged", _TEXTS,
             _TEXTS + "\n    if second is not None:\n        texts = texts[::-1]"),
            ("empty_is_none", "empty_second_forgotten", _SPECIALS,
             "second = second or None\n    " + _SPECIALS),
            ("empty_is_false", "empty_second_forgotten", "if second is not None:", "if second:"),
            ("empty_is_counted_as_none", "empty_second_forgotten", _SPECIALS,
             "num_specials = 3 if second else 2",
             "len(texts[0]) + len(texts[1]) > max_sequence_length",
             "any(texts) and len(texts[0]) + len(texts[1]) > max_sequence_length"),
            ("not_refused", "room_not_checked", _CHECK, "if False:",
             "len(texts[0]) + len(texts[1]) > max_sequence_length",
             "any(texts) and len(texts[0]) + len(texts[1]) > max_sequence_length"),
            ("refused_below_two", "room_not_checked", _CHECK, "if max_sequence_length < 2:",
             "len(texts[0]) + len(texts[1]) > max_sequence_length",
             "any(texts) and len(texts[0]) + len(texts[1]) > max_sequence_length"),
            ("refused_at_exact", "refused_too_early", _CHECK,
             "if max_sequence_length <= num_specials:"),
            ("refused_below_three", "refused_too_early", _CHECK, "if max_sequence_length < 3:"),
            ("triple", "wrong_things_returned", "return {", "return tuple({",
             _MASK + "\n    }", _MASK + "\n    }.values())"),
            ("without_mask", "wrong_things_returned", _MASK, ""),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ BertEmbeddings

_LENGTH = "length = token_ids.shape[1]"
_LIMIT = "if length > self.max_sequence_length:"
_RAISE = 'raise ValueError(f"{length} tokens, but positions for {self.max_sequence_length}")'
_REFUSE = f"{_LIMIT}\n            {_RAISE}"
_TOKENS = "tokens = self.token_embedding(token_ids)"
_POSITIONS = "positions = self.position_embedding(ops.arange(length))"
_KINDS = "segments = self.segment_embedding(segment_ids)"
_SUM = "tokens + positions + segments"
_OUT = f"return self.embeddings_dropout(self.layer_norm({_SUM}))"

BERT_EMBEDDINGS = [
    right(
        "BertEmbeddings",
        "positions_for_every_row",
        method="""
def call(self, token_ids, segment_ids):
    shape = ops.shape(token_ids)
    if token_ids.shape[1] > self.max_sequence_length:
        raise ValueError("too long")
    where = ops.broadcast_to(ops.arange(shape[1]), shape)
    x = self.token_embedding(token_ids)
    x = x + self.position_embedding(where)
    x = x + self.segment_embedding(segment_ids)
    x = self.layer_norm(x)
    return self.embeddings_dropout(x)
""",
    ),
    right(
        "BertEmbeddings",
        "rows_of_the_table_sliced",
        method="""
def call(self, token_ids, segment_ids):
    length = token_ids.shape[-1]
    if not length <= self.max_sequence_length:
        raise ValueError(f"at most {self.max_sequence_length} tokens")
    places = self.position_embedding.embeddings[:length]
    kinds = ops.one_hot(segment_ids, self.num_segments) @ self.segment_embedding.embeddings
    words = ops.take(self.token_embedding.embeddings, token_ids, axis=0)
    return self.embeddings_dropout(self.layer_norm(words + kinds + places[None, :, :]))
""",
    ),
    right(
        "BertEmbeddings",
        "summed_by_ops_and_training_by_hand",
        method="""
def call(self, token_ids, segment_ids, training=None):
    token_ids = ops.convert_to_tensor(token_ids)
    length = token_ids.shape[1]
    if length > self.max_sequence_length:
        raise ValueError("more tokens than positions")
    order = ops.expand_dims(ops.arange(length), 0)
    three = [self.segment_embedding(segment_ids), self.token_embedding(token_ids)]
    three.append(self.position_embedding(order) + ops.zeros_like(three[0]))
    total = ops.sum(ops.stack(three), axis=0)
    return self.embeddings_dropout(self.layer_norm(total), training=training)
""",
    ),
    *wrongs(
        "BertEmbeddings",
        [
            ("no_positions", "positions_missing", _SUM, "tokens + segments"),
            ("no_segments", "segments_missing", _SUM, "tokens + positions"),
            ("no_tokens", "tokens_missing", _SUM, "positions + segments"),
            ("tokens_alone", "tokens_alone", _SUM, "tokens"),
            ("positions_twice", "added_twice", _SUM, f"{_SUM} + positions"),
            ("segments_twice", "added_twice", _SUM, f"{_SUM} + segments"),
            ("averaged", "not_a_sum", _SUM, f"({_SUM}) / 3"),
            ("multiplied", "not_a_sum", _SUM, "tokens * positions * segments"),
            ("positions_subtracted", "not_a_sum", _SUM, "tokens - positions + segments"),
            ("from_one", "positions_from_one", "ops.arange(length)", "ops.arange(1, length + 1)"),
            (
                "backwards",
                "other_rows_of_positions",
                "ops.arange(length)",
                "ops.flip(ops.arange(length))",
            ),
            (
                "last_rows",
                "other_rows_of_positions",
                "ops.arange(length)",
                "ops.arange(self.max_sequence_length - length, self.max_sequence_length)",
            ),
            (
                "first_row",
                "other_rows_of_positions",
                "ops.arange(length)",
                "ops.zeros((length,), dtype='int32')",
            ),
            ("by_segment", "positions_by_something_else", "(ops.arange(length))", "(segment_ids)"),
            ("by_token", "positions_by_something_else", "(ops.arange(length))", "(token_ids)"),
            (
                "by_item",
                "positions_by_something_else",
                "ops.arange(length)",
                "ops.arange(token_ids.shape[0])[:, None]",
            ),
            (
                "whole_table",
                "whole_position_table",
                "self.position_embedding(ops.arange(length))",
                "self.position_embedding.embeddings",
            ),
            (
                "segment_zero",
                "segment_ids_not_used",
                "self.segment_embedding(segment_ids)",
                "self.segment_embedding(ops.zeros_like(segment_ids))",
            ),
            (
                "segments_turned",
                "segments_changed",
                "self.segment_embedding(segment_ids)",
                "self.segment_embedding(1 - segment_ids)",
            ),
            (
                "segments_from_one",
                "segments_changed",
                "self.segment_embedding(segment_ids)",
                "self.segment_embedding(segment_ids + 1)",
            ),
            (
                "root_of_d",
                "scaled_by_root",
                _TOKENS,
                _TOKENS + " * math.sqrt(self.hidden_dim)",
            ),
            (
                "sum_times_root",
                "scaled_by_root",
                f"self.layer_norm({_SUM})",
                f"self.layer_norm(({_SUM}) * self.hidden_dim**0.5)",
            ),
            ("no_norm", "norm_missing", f"self.layer_norm({_SUM})", _SUM),
            (
                "each_normed",
                "norm_elsewhere",
                f"self.layer_norm({_SUM})",
                "self.layer_norm(tokens) + self.layer_norm(positions) + self.layer_norm(segments)",
            ),
            (
                "tokens_normed",
                "norm_elsewhere",
                f"self.layer_norm({_SUM})",
                "self.layer_norm(tokens) + positions + segments",
            ),
            (
                "segments_after_the_norm",
                "norm_elsewhere",
                f"self.layer_norm({_SUM})",
                "self.layer_norm(tokens + positions) + segments",
            ),
            (
                "new_norm_in_every_call",
                "norm_made_in_the_call",
                "self.layer_norm(",
                "keras.layers.LayerNormalization()(",
            ),
            (
                "norm_by_hand",
                "norm_made_in_the_call",
                _OUT,
                f"x = {_SUM}\n"
                "        x = x - ops.mean(x, axis=-1, keepdims=True)\n"
                "        variance = ops.mean(x * x, axis=-1, keepdims=True)\n"
                "        x = x / ops.sqrt(variance + self.layer_norm_epsilon)\n"
                "        return self.embeddings_dropout(x)",
            ),
            (
                "norm_twice",
                "norm_twice",
                f"self.layer_norm({_SUM})",
                f"self.layer_norm(self.layer_norm({_SUM}))",
            ),
            ("no_dropout", "dropout_missing", _OUT, f"return self.layer_norm({_SUM})"),
            (
                "dropout_on",
                "dropout_in_inference",
                _OUT,
                f"return self.embeddings_dropout(self.layer_norm({_SUM}), training=True)",
            ),
            (
                "dropout_first",
                "dropout_too_early",
                _OUT,
                f"return self.layer_norm(self.embeddings_dropout({_SUM}))",
            ),
            (
                "dropout_of_tokens",
                "dropout_too_early",
                _OUT,
                f"return self.layer_norm({_SUM})",
                _TOKENS,
                "tokens = self.embeddings_dropout(self.token_embedding(token_ids))",
            ),
            ("not_checked", "length_not_checked", _REFUSE, "pass"),
            (
                "cut_to_fit",
                "length_not_checked",
                _REFUSE,
                "token_ids = token_ids[:, : self.max_sequence_length]\n"
                "        segment_ids = segment_ids[:, : self.max_sequence_length]\n"
                "        length = token_ids.shape[1]",
            ),
            (
                "assertion",
                "error_not_raised",
                _REFUSE,
                "assert length <= self.max_sequence_length",
            ),
            ("returned", "error_not_raised", "raise ValueError", "return ValueError"),
            ("one_too_early", "checked_off_by_one", "length > self", "length >= self"),
            ("one_late", "checked_off_by_one", "length > self", "length - 1 > self"),
        ],
    ),
]

# ------------------------------------------------------------------ count_parameters

_NORM = "layer_norm = 2 * hidden"
_TABLES = "tables = config.vocabulary_size + config.max_sequence_length + config.num_segments"
_EMBEDDED = "embeddings = tables * hidden + layer_norm"
_ATTENTION = "attention = 4 * (hidden * hidden + hidden)"
_FFN = "feed_forward = (hidden * intermediate + intermediate) + (intermediate * hidden + hidden)"
_BLOCK = "block = attention + layer_norm + feed_forward + layer_norm"
_POOLER = "pooler = hidden * hidden + hidden"
_TOTAL = "return embeddings + config.num_layers * block + pooler"

COUNT_PARAMETERS = [
    right(
        "count_parameters",
        "a_list_of_shapes",
        source="""
def count_parameters(config):
    d, f = config.hidden_dim, config.intermediate_dim
    shapes = [(config.vocabulary_size, d), (config.max_sequence_length, d)]
    shapes += [(config.num_segments, d), (d,), (d,)]
    for _ in range(config.num_layers):
        shapes += 4 * [(d, d), (d,)] + [(d,), (d,)]
        shapes += [(d, f), (f,), (f, d), (d,), (d,), (d,)]
    shapes += [(d, d), (d,)]
    return sum(math.prod(shape) for shape in shapes)
""",
    ),
    right(
        "count_parameters",
        "by_hand_in_one_formula",
        source="""
def count_parameters(config):
    V, P, S = config.vocabulary_size, config.max_sequence_length, config.num_segments
    L, D, F = config.num_layers, config.hidden_dim, config.intermediate_dim
    return (V + P + S + 2) * D + L * (4 * D * D + 9 * D + 2 * D * F + F) + D * (D + 1)
""",
    ),
    right(
        "count_parameters",
        "a_dense_layer_as_a_function",
        source="""
def count_parameters(config):
    def dense(inputs, outputs):
        return (inputs + 1) * outputs

    D, heads = config.hidden_dim, config.num_heads
    attention = 3 * heads * dense(D, D // heads) + dense(D, D)
    middle = dense(D, config.intermediate_dim) + dense(config.intermediate_dim, D)
    rows = config.vocabulary_size + config.max_sequence_length + config.num_segments
    total = np.int64(rows) * D + 2 * D
    for _ in range(config.num_layers):
        total = total + attention + middle + 4 * D
    return int(total + dense(D, D))
""",
    ),
    *wrongs(
        "count_parameters",
        [
            ("no_positions", "positions_not_counted", " + config.max_sequence_length", ""),
            ("usual_positions", "positions_not_counted", "config.max_sequence_length", "512"),
            ("no_segments", "segments_not_counted", " + config.num_segments", ""),
            ("two_segments", "segments_not_counted", "config.num_segments", "2"),
            ("tokens_only", "token_table_only", _TABLES, "tables = config.vocabulary_size"),
            (
                "no_norm_of_embeddings",
                "norm_of_embeddings_not_counted",
                " * hidden + layer_norm",
                " * hidden",
            ),
            ("no_norms", "norms_not_counted", _NORM, "layer_norm = 0"),
            ("gamma_only", "norm_miscounted", _NORM, "layer_norm = hidden"),
            (
                "one_norm_in_a_block_and_none_outside",
                "one_norm_a_block_and_no_other",
                "feed_forward + layer_norm",
                "feed_forward",
                " * hidden + layer_norm",
                " * hidden",
            ),
            ("one_norm_in_a_block", "number_of_norms", "feed_forward + layer_norm", "feed_forward"),
            (
                "three_norms_in_a_block",
                "number_of_norms",
                "feed_forward + layer_norm",
                "feed_forward + 2 * layer_norm",
            ),
            (
                "no_biases",
                "biases_not_counted",
                _ATTENTION,
                "attention = 4 * hidden * hidden",
                _FFN,
                "feed_forward = 2 * hidden * intermediate",
                _POOLER,
                "pooler = hidden * hidden",
            ),
            (
                "no_biases_in_attention",
                "biases_not_counted",
                _ATTENTION,
                "attention = 4 * hidden * hidden",
            ),
            (
                "no_biases_in_the_middle",
                "biases_not_counted",
                _FFN,
                "feed_forward = 2 * hidden * intermediate",
            ),
            (
                "both_biases_of_d",
                "bias_miscounted",
                "intermediate + intermediate)",
                "intermediate + hidden)",
            ),
            (
                "both_biases_of_f",
                "bias_miscounted",
                "(intermediate * hidden + hidden)",
                "(intermediate * hidden + intermediate)",
            ),
            (
                "first_bias_only",
                "bias_miscounted",
                "(intermediate * hidden + hidden)",
                "intermediate * hidden",
            ),
            ("three_projections", "number_of_projections", "4 * (", "3 * ("),
            ("one_projection", "number_of_projections", "4 * (", "1 * ("),
            ("times_heads", "heads_counted", "4 * (", "4 * config.num_heads * ("),
            (
                "heads_for_three",
                "heads_counted",
                "4 * (",
                "(3 * config.num_heads + 1) * (",
            ),
            (
                "width_of_a_head",
                "heads_counted",
                _ATTENTION,
                "head = hidden // config.num_heads\n"
                "    attention = 3 * (hidden * head + head) + hidden * hidden + hidden",
            ),
            (
                "one_matrix",
                "feed_forward_miscounted",
                _FFN,
                "feed_forward = hidden * intermediate + intermediate",
            ),
            (
                "four_times",
                "middle_written_in",
                "config.hidden_dim, config.intermediate_dim",
                "config.hidden_dim, 4 * config.hidden_dim",
            ),
            ("no_pooler", "pooler_not_counted", " * block + pooler", " * block"),
            ("pooler_without_bias", "pooler_miscounted", _POOLER, "pooler = hidden * hidden"),
            (
                "pooler_in_every_block",
                "pooler_miscounted",
                _TOTAL,
                "return embeddings + config.num_layers * (block + pooler)",
            ),
            ("one_block", "blocks_miscounted", "config.num_layers * block", "block"),
            (
                "everything_times_layers",
                "blocks_miscounted",
                _TOTAL,
                "return config.num_layers * (embeddings + block) + pooler",
            ),
            (
                "one_block_more",
                "blocks_miscounted",
                "config.num_layers * block",
                "(config.num_layers + 1) * block",
            ),
            ("no_embeddings", "embeddings_not_counted", "return embeddings + ", "return "),
            (
                "output_table",
                "heads_of_pretraining_counted",
                _TOTAL,
                _TOTAL + " + config.vocabulary_size * hidden",
            ),
            (
                "masked_lm_head",
                "heads_of_pretraining_counted",
                _TOTAL,
                _TOTAL + " + hidden * hidden + 3 * hidden + config.vocabulary_size",
            ),
            (
                "next_sentence_head",
                "heads_of_pretraining_counted",
                _TOTAL,
                _TOTAL + " + 2 * hidden + 2",
            ),
            ("float", "not_a_whole_number", _TOTAL, _TOTAL.replace("return ", "return 1.0 * (")
             + ")"),
            ("millions", "not_a_whole_number", _TOTAL, _TOTAL.replace("return ", "return (")
             + ") / 1e6"),
            ("bytes", "bytes_counted", _TOTAL, _TOTAL.replace("return ", "return 4 * (") + ")"),
        ],
    ),
]  # fmt: skip

# ------------------------------------------------------------------ drill_ch05a_inputs

_DRILL = "drill_ch05a_inputs"
_BUGS = read_bugs(Path(__file__).parent / "drill.py")
_ILLS = dict(
    zip(
        (bug.key for bug in _BUGS),
        (
            "segments_from_one",
            "separator_cut_off",
            "room_for_specials_miscounted",
            "mask_split",
            "pieces_kept",
            "prefix_on_the_first_piece",
            "other_rows_of_positions",
            "scaled_by_root",
        ),
        strict=True,
    )
)
_FIXED = {bug.key: bug.fixed for bug in _BUGS}
_PLAIN = _FIXED["mask_split"]


def _drilled(suspect, body, *pairs):
    """An answer: the bug's name, and a repaired function with pieces of text replaced."""
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        if body.count(old) != 1:
            raise ValueError(f"{old!r} stands {body.count(old)} times in the repaired drill")
        body = body.replace(old, new)
    return f'suspect = "{suspect}"\n\n{body}'


DRILL = [
    *[
        right(_DRILL, f"repaired_{bug.key}", key=bug.key, source=_drilled(bug.key, bug.fixed))
        for bug in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"still_{bug.key}",
            key=bug.key,
            names=(_ILLS[bug.key],),
            source=_drilled(bug.key, bug.source.replace("def patient", "def repaired")),
        )
        for bug in _BUGS
    ],
    wrong(
        _DRILL,
        "another_name",
        key="mask_split",
        names=("another_bug_named",),
        source=_drilled("pieces_kept", _PLAIN),
    ),
    wrong(
        _DRILL,
        "another_name_again",
        key="scaled_by_root",
        names=("another_bug_named",),
        source=_drilled("positions_backwards", _PLAIN),
    ),
    *[
        wrong(
            _DRILL,
            name,
            key="mask_split",
            names=(named,),
            source=_drilled("mask_split", _PLAIN, *pairs),
        )
        for name, named, *pairs in [
            ("no_positions", "positions_missing",
             "token_table[token_ids] + position_table[: len(token_ids)]",
             "token_table[token_ids]"),
            ("no_segments", "segments_missing", "x + segment_table[segment_ids]", "x"),
            ("from_one", "positions_from_one", "position_table[: len(token_ids)]",
             "position_table[1 : len(token_ids) + 1]"),
            ("segments_inverted", "segments_inverted", 'np.array(row["segment_ids"])',
             '1 - np.array(row["segment_ids"])'),
            ("segments_zero", "segments_all_alike", 'np.array(row["segment_ids"])',
             'np.zeros(len(token_ids), int)',
             "token_ids, segment_ids = np.array(row[\"token_ids\"]),",
             "token_ids = np.array(row[\"token_ids\"])\n    segment_ids ="),
            ("turned", "texts_exchanged", "pack_pair(*texts,", "pack_pair(*texts[::-1],"),
            ("padded_with_zero", "padded_with_another_id", "sep_id, pad_id)", "sep_id, 0)"),
            ("case_kept", "case_kept", "basic_tokenize(part)", "basic_tokenize(part, False)"),
            ("mask_dropped", "mask_split", "words = [part] if part in SPECIAL_TOKENS else",
             "words = [] if part in SPECIAL_TOKENS else"),
            ("only_mask_kept", "only_mask_kept_whole", "split_at_specials(text)",
             '__import__("re").split(r"(\\[MASK\\])", text)',
             "words = [part] if part in SPECIAL_TOKENS else",
             'words = [part] if part == "[MASK]" else',
             "special = word in SPECIAL_TOKENS", 'special = word == "[MASK]"'),
            ("parts_by_spaces", "special_tokens_between_spaces_only", "split_at_specials(text)",
             "text.split()"),
            ("reversed", "results_in_another_order",
             "return token_ids, segment_ids, x + segment_table[segment_ids]",
             "return x + segment_table[segment_ids], segment_ids, token_ids"),
        ]
    ],
    wrong(
        _DRILL,
        "two_ills",
        key="mask_split",
        names=("mask_split", "scaled_by_root"),
        source=_drilled(
            "mask_split",
            _BUGS[3].source.replace("def patient", "def repaired"),
            "x = token_table[token_ids]",
            "x = token_table.shape[1] ** 0.5 * token_table[token_ids]",
        ),
    ),
]  # fmt: skip

VARIANTS = [
    *AUTOENCODER,
    *DAE_LOSS,
    *DENOISE_CORRUPT,
    *BASIC_TOKENIZE,
    *WORDPIECE_TOKENIZE,
    *PACK_PAIR,
    *BERT_EMBEDDINGS,
    *COUNT_PARAMETERS,
    *DRILL,
]
