"""Look at a language model's inputs before a device does; see `bert_keras.models.inputs`."""

import keras
import numpy as np

from bert_keras.errors import InputError


def check_language_inputs(inputs, vocabulary_size, max_sequence_length=None, shape="(B, T)"):
    """Refuse tokens and masks that a language model would misread.

    Names, dtypes and shapes are checked always, which costs nothing in a compiled graph. Values
    are checked where they can be seen without waiting for a device: in NumPy arrays.

    Args:
        inputs: dict of token_ids (int) and padding_mask (bool, True = a real token), tensors or
            arrays of the same shape, (B, T) or, for several sequences a row, (B, K, T).
        vocabulary_size: int, ids go from 0 to one less.
        max_sequence_length: int, or None where there is no limit.
        shape: str, "(B, T)" or "(B, K, T)".

    Raises:
        InputError: something is missing, of another dtype or shape, too long or out of range, or
            a row has padding before a real token.
    """
    if not isinstance(inputs, dict):
        raise InputError(f"the inputs are a dict of token_ids and padding_mask, not {type(inputs)}")
    if missing := sorted({"token_ids", "padding_mask"} - set(inputs)):
        raise InputError(f"the inputs lack {', '.join(missing)}")
    check_ids("token_ids", inputs["token_ids"], vocabulary_size, shape)
    mask, right = inputs["padding_mask"], tuple(inputs["token_ids"].shape)
    dtype = keras.backend.standardize_dtype(mask.dtype) if hasattr(mask, "dtype") else type(mask)
    if dtype != "bool":
        raise InputError(f"padding_mask must be bool, True = a real token; it is {dtype}")
    found = tuple(mask.shape)
    # Sizes that aren't known yet, while a graph is traced, may still fit.
    if len(found) != len(right) or any(
        None not in (mine, other) and mine != other
        for mine, other in zip(found, right, strict=True)
    ):
        raise InputError(f"padding_mask must have the shape of token_ids, {right}, not {found}")
    length = right[-1]
    if None not in (length, max_sequence_length) and length > max_sequence_length:
        raise InputError(
            f"the sequences have {length} tokens; this model takes {max_sequence_length} at most "
            "(max_sequence_length)"
        )
    if isinstance(mask, np.ndarray) and (mask[..., 1:] & ~mask[..., :-1]).any():
        raise InputError("padding must stand on the right; some row has it before a real token")


def check_ids(name, ids, size, shape):
    """Refuse ids of another dtype or shape, and, in arrays, ids that no table has.

    Args:
        name: str, what to call them.
        ids: what should be an int tensor or array of the shape.
        size: int, ids go from 0 to one less.
        shape: str, letters for all axes, such as "(B, T)".

    Raises:
        InputError: they are something else.
    """
    if not hasattr(ids, "dtype"):
        raise InputError(f"{name} must be an array or a tensor, not {type(ids)}")
    dtype = keras.backend.standardize_dtype(ids.dtype)
    if not dtype.startswith(("int", "uint")):
        raise InputError(f"{name} must be int; it is {dtype}")
    if len(ids.shape) != shape.count(",") + 1:
        raise InputError(f"{name} must have the shape {shape}, not {tuple(ids.shape)}")
    check_range(name, ids, size)


def check_range(name, ids, size):
    """Refuse ids that no table has, where they can be seen: in arrays.

    Args:
        name: str, what to call them.
        ids: int tensor or array of any shape.
        size: int, ids go from 0 to one less.

    Raises:
        InputError: one is out of range.
    """
    if isinstance(ids, np.ndarray) and ids.size:  # looking costs nothing
        low, high = int(ids.min()), int(ids.max())
        if low < 0 or high >= size:
            wrong = low if low < 0 else high
            raise InputError(f"{name} has {wrong}; the ids go from 0 to {size - 1}")
