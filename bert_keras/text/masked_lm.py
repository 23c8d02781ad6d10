"""Dynamic masking for masked language modelling.

Of the ordinary tokens of a row 15 % are chosen, at least one. Of the chosen ones 80 % become
[MASK], 10 % a random ordinary token, 10 % stay as they are; the model has to predict the original
token at all of them. A new choice is made every time a batch is built.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bert_keras.text.vocabulary import Vocabulary

# What happened to a chosen position.
UNUSED, MASKED, RANDOM, KEPT = -1, 0, 1, 2


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
) -> MaskedBatch:
    """Choose positions, corrupt a copy of the input, keep the original tokens as targets.

    Special tokens, [UNK] and padding are never chosen, and a random replacement is never one of
    them. A row without ordinary tokens has no predictions.

    Args:
        token_ids: int (B, T).
        vocabulary: says which ids are special.
        rng: source of the draws.
        max_predictions: number P of slots; a row never has more predictions.
        mask_rate: share of the ordinary tokens to predict.

    Returns:
        The masked batch; `token_ids` itself is left alone.

    Reference:
        Devlin et al. 2019, section 3.1, task 1.
    """
    token_ids = np.asarray(token_ids, np.int32)
    rows, length = token_ids.shape
    slots = min(max_predictions, length)
    candidates = ~np.isin(token_ids, vocabulary.special_ids)  # (B, T)
    available = candidates.sum(axis=1)  # (B,)
    wanted = np.maximum(1, np.round(mask_rate * available)).astype(int)
    wanted = np.minimum(np.minimum(wanted, available), slots)  # (B,)

    # Shuffle each row by sorting random keys: candidates have keys below 1, so they come first.
    keys = np.where(candidates, rng.random((rows, length)), 2.0)
    chosen = np.argsort(keys, axis=1)[:, :slots]  # (B, P)
    used = np.arange(slots) < wanted[:, None]  # (B, P)
    chosen = np.sort(np.where(used, chosen, length), axis=1)  # unused slots go to the end
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
