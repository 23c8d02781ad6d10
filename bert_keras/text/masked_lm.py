"""Dynamic masking for masked language modelling.

Of the ordinary tokens of a row 15 % are chosen, at least one. Of the chosen ones 80 % become
[MASK], 10 % a random ordinary token, 10 % stay as they are; the model has to predict the original
token at all of them. A new choice is made every time a batch is built.

**Whole words.** A hidden piece is easy to guess from the other pieces of its word, so whole words
can be chosen instead. Where words begin is told by an array beside the token ids, of the same
shape, bool or uint8: `word_starts`, 1 where a token is the first of its word, 0 where it goes on
with the word of the token before it. `bert_keras.text.words` makes such arrays, from "##" for
languages written with spaces and from a segmentation for Chinese; one byte a token, they can be
stored beside the ids and cut wherever the ids are cut: the first token after [CLS], [SEP] or the
beginning of a row counts as a start whatever the array says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bert_keras.errors import UserError
from bert_keras.text.vocabulary import Vocabulary

# What happened to a chosen position.
UNUSED, MASKED, RANDOM, KEPT = -1, 0, 1, 2


class MaskingError(UserError):
    """The arrays to mask do not fit together; the message is one line."""


class MaskedBatch(NamedTuple):
    """A masked batch with P prediction slots a row.

    Attributes:
        token_ids: int32 (B, T), the corrupted input.
        mask_positions: int32 (B, P), where the chosen tokens are, ascending; 0 in unused slots.
        mask_ids: int32 (B, P), the original tokens; 0 in unused slots.
        mask_weights: float32 (B, P), 1 in used slots, 0 in unused ones.
        treatment: int8 (B, P): MASKED, RANDOM, KEPT or UNUSED.
    """

    token_ids: np.ndarray
    mask_positions: np.ndarray
    mask_ids: np.ndarray
    mask_weights: np.ndarray
    treatment: np.ndarray


def mask_tokens(
    token_ids: np.ndarray,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    max_predictions: int,
    mask_rate: float = 0.15,
    word_starts: np.ndarray | None = None,
) -> MaskedBatch:
    """Choose positions, corrupt a copy of the input, keep the original tokens as targets.

    Special tokens, [UNK] and padding are never chosen, and a random replacement is never one of
    them. A row without ordinary tokens has no predictions.

    With `word_starts`, words are chosen instead of tokens, each with all its tokens or not at all.
    The budget is still counted in tokens: words are tried in random order, and one that is longer
    than what is left of the budget is passed over, so a row can have fewer predictions than the
    budget and none if all its words are longer. A word with an [UNK] in it is never chosen. What
    happens to a chosen token is drawn for each token on its own, as in Google's whole-word code.

    Args:
        token_ids: int (B, T).
        vocabulary: says which ids are special.
        rng: source of the draws.
        max_predictions: number P of slots; a row never has more predictions.
        mask_rate: share of the ordinary tokens to predict.
        word_starts: bool or uint8 (B, T), true where a word begins; None chooses single tokens.

    Returns:
        The masked batch; `token_ids` itself is left alone.

    Raises:
        MaskingError: `word_starts` has another shape than `token_ids`, or another dtype.

    Reference:
        Devlin et al. 2019, section 3.1, task 1. Whole words: google-research/bert, May 2019;
        Cui et al., Pre-Training with Whole Word Masking for Chinese BERT (2019).
    """
    token_ids = np.asarray(token_ids, np.int32)
    rows, length = token_ids.shape
    slots = min(max_predictions, length)
    candidates = ~np.isin(token_ids, vocabulary.special_ids)  # (B, T)
    available = candidates.sum(axis=1)  # (B,)
    wanted = np.maximum(1, np.round(mask_rate * available)).astype(int)
    wanted = np.minimum(np.minimum(wanted, available), slots)  # (B,)
    if word_starts is None:
        chosen = _choose_tokens(candidates, wanted, slots, rng)  # (B, P)
    else:
        starts = _checked_starts(word_starts, token_ids, vocabulary)
        chosen = _choose_words(candidates, starts, wanted, slots, rng)  # (B, P)
    used = chosen < length
    positions = np.where(used, chosen, 0)

    row = np.arange(rows)[:, None]
    originals = token_ids[row, positions]  # (B, P)
    # One draw decides: below 0.8 [MASK], below 0.9 a random token, else unchanged.
    draw = rng.random((rows, slots))
    treatment = np.where(draw < 0.8, MASKED, np.where(draw < 0.9, RANDOM, KEPT))
    treatment = np.where(used, treatment, UNUSED).astype(np.int8)
    random_ids = rng.choice(vocabulary.ordinary_ids, size=(rows, slots))
    replacements = np.where(
        treatment == MASKED,
        vocabulary.mask_id,
        np.where(treatment == RANDOM, random_ids, originals),
    )
    corrupted = token_ids.copy()
    corrupted[np.broadcast_to(row, used.shape)[used], positions[used]] = replacements[used]

    missing = max_predictions - slots  # P is what the caller asked for, even on short rows

    def padded(values, dtype, fill=0):
        values = np.where(used, values, fill).astype(dtype)
        return np.pad(values, ((0, 0), (0, missing)), constant_values=fill)

    return MaskedBatch(
        token_ids=corrupted,
        mask_positions=padded(positions, np.int32),
        mask_ids=padded(originals, np.int32),
        mask_weights=padded(1.0, np.float32),
        treatment=padded(treatment, np.int8, fill=UNUSED),
    )


def _choose_tokens(candidates, wanted, slots, rng):
    """Positions (B, P) of `wanted` tokens a row, ascending; T in the slots that stay unused."""
    length = candidates.shape[1]
    # Shuffle each row by sorting random keys: candidates have keys below 1, so they come first.
    keys = np.where(candidates, rng.random(candidates.shape), 2.0)
    chosen = np.argsort(keys, axis=1)[:, :slots]  # (B, P)
    used = np.arange(slots) < wanted[:, None]  # (B, P)
    return np.sort(np.where(used, chosen, length), axis=1)  # unused slots go to the end


def _choose_words(candidates, starts, wanted, slots, rng):
    """As `_choose_tokens`, but whole words: in random order, each taken if it still fits."""
    rows, length = candidates.shape
    word = np.cumsum(starts, axis=1) - 1 + np.arange(rows)[:, None] * length  # (B, T) number
    sizes = np.bincount(word.ravel(), minlength=rows * length)
    known = np.bincount(word.ravel(), weights=candidates.ravel(), minlength=rows * length)
    sizes = np.where(known == sizes, sizes, 0).reshape(rows, length)  # 0: may not be chosen

    order = np.argsort(rng.random(sizes.shape), axis=1)
    sizes = np.take_along_axis(sizes, order, axis=1)  # (B, T) words in random order
    taken = np.zeros(sizes.shape, bool)
    left = wanted
    # One at a time this would be: take a word if it fits. The same in a few passes over all rows:
    # drop what no longer fits, take the longest run that fits as a whole, go on with the rest.
    while True:
        sizes = np.where(taken | (sizes > left[:, None]), 0, sizes)
        fits = (sizes > 0) & (np.cumsum(sizes, axis=1) <= left[:, None])
        if not fits.any():
            break
        taken |= fits
        left = left - (sizes * fits).sum(axis=1)

    of_word = np.zeros((rows, length), bool)
    np.put_along_axis(of_word, order, taken, axis=1)  # back to the order of the text
    chosen = np.where(of_word.ravel()[word], np.arange(length), length)  # (B, T)
    return np.sort(chosen, axis=1)[:, :slots]  # (B, P)


def _checked_starts(word_starts, token_ids, vocabulary):
    """Starts (B, T) in which [CLS], [SEP], padding and what follows them stand apart."""
    word_starts = np.asarray(word_starts)
    if word_starts.shape != token_ids.shape or word_starts.dtype not in (bool, np.uint8):
        raise MaskingError(
            f"word_starts must be bool or uint8 {token_ids.shape} like token_ids, not "
            f"{word_starts.dtype} {word_starts.shape}"
        )
    apart = np.isin(token_ids, vocabulary.special_ids) & (token_ids != vocabulary.unk_id)
    starts = word_starts.astype(bool) | apart
    starts[:, :1] = True
    starts[:, 1:] |= apart[:, :-1]
    return starts
