"""Boolean masks: who may look at whom.

Everywhere in this library a mask is boolean and says what is *allowed*: True = "this token is
real" or "this query may attend to this key". Padding masks have shape (B, S), one row per
sequence. Attention masks have shape (T, S) or (B, T, S): rows are queries, columns are keys.
"""

import keras
import numpy as np
from keras import ops


def require_bool(mask, name="mask"):
    """Refuse a mask that is not boolean: elsewhere 0 often stands for open, and it would invert.

    Args:
        mask: bool tensor of any shape.
        name: str, what to call it in the message.

    Raises:
        ValueError: it has another dtype.
    """
    dtype = keras.backend.standardize_dtype(mask.dtype)
    if dtype != "bool":
        raise ValueError(f"{name} must be bool, True = may be looked at; it is {dtype}")


def padding_mask_from_ids(token_ids, pad_id=0):
    """Tell real tokens from padding.

    Padding is recognised by its id, never by its embedding: a real token may well have an
    embedding that sums to zero, and a padded position has a position embedding.

    Args:
        token_ids: int tensor of shape (B, T).
        pad_id: int, the id of the padding token.

    Returns:
        bool tensor of shape (B, T): True at real tokens, False at padding.
    """
    return ops.not_equal(token_ids, pad_id)  # (B, T)


def causal_mask(length):
    """Let every token look at itself and at the tokens before it, never ahead.

    Row t is True at columns 0..t, so the mask is a lower triangle that includes the diagonal.
    With it a language model can be trained on all positions at once without seeing the token
    that it has to predict.

    Args:
        length: int, the number of tokens T.

    Returns:
        bool tensor of shape (T, T).

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.2.3.
    """
    position = ops.arange(length)  # (T,)
    query_position = ops.expand_dims(position, 1)  # (T, 1)
    key_position = ops.expand_dims(position, 0)  # (1, T)
    return ops.greater_equal(query_position, key_position)  # (T, T)


def prefix_mask(segment_ids):
    """Let a source be read as a whole and a target be written token by token, in one sequence.

    Tokens of segment 0, the source, see each other and nothing of the target. Tokens of segment 1,
    the target, see the source, themselves and the target tokens before them. So one encoder is a
    sequence-to-sequence model.

    Args:
        segment_ids: int tensor of shape (B, T), 0 for the source, which comes first, and 1 for the
            target. Padding may have either.

    Returns:
        bool tensor of shape (B, T, T).

    Reference:
        Dong et al., Unified Language Model Pre-training (2019), section 2.2.
    """
    is_source = ops.equal(segment_ids, 0)[:, None]  # (B, 1, T), keys
    # A source token comes before the target, so what is behind it and no source is closed to it.
    return ops.logical_or(is_source, causal_mask(ops.shape(segment_ids)[1]))  # (B, T, T)


def selective_mask(links, query_length, key_length):
    """Let chosen queries look at chosen keys only ("let b1 look at a1 only").

    A query that is named in `links` may look at the keys it is linked to and at no others;
    several links for one query add up. A query that is not named may look at every key.

    Args:
        links: sequence of (query_position, key_position) pairs of ints, counted from 0, each
            smaller than its length.
        query_length: int, the number of queries T.
        key_length: int, the number of keys S.

    Returns:
        bool tensor of shape (T, S).
    """
    mask = np.ones((query_length, key_length), dtype=bool)
    for query_position, _ in links:
        mask[query_position, :] = False  # close the whole row first, ...
    for query_position, key_position in links:
        mask[query_position, key_position] = True  # ... then open what is linked
    return ops.convert_to_tensor(mask)  # (T, S)


def combine_masks(padding_mask, attention_mask):
    """Allow a key only if it is real and the query may look at it.

    The padding mask talks about keys: it closes the *columns* of padded tokens. It leaves the
    rows of padded queries alone; nobody reads their results.

    Args:
        padding_mask: bool tensor of shape (B, S), True at real keys.
        attention_mask: bool tensor of shape (T, S), the same for every sequence, or (B, T, S).

    Returns:
        bool tensor of shape (B, T, S).
    """
    key_is_real = ops.expand_dims(padding_mask, axis=1)  # (B, 1, S)
    return ops.logical_and(key_is_real, attention_mask)  # (B, T, S)
