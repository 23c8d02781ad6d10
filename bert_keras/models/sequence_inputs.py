"""Look at a source and a target before a device does; see `bert_keras.models.inputs`."""

import keras

from bert_keras.errors import InputError
from bert_keras.models.language_inputs import check_range


def check_sequence_inputs(inputs, sizes, max_sequence_length=None):
    """Refuse sources and targets that a model would misread.

    Args:
        inputs: dict of token_ids (int), padding_mask (bool, True = a real token) and, in training,
            target_ids (int), tensors or arrays of shape (B, S), (B, S) and (B, T).
        sizes: dict of the sizes of both vocabularies, by "token_ids" and "target_ids".
        max_sequence_length: int, or None where there is no limit.

    Raises:
        InputError: something is missing, of another dtype or shape, too long or out of range.
    """
    if missing := sorted({"token_ids", "padding_mask"} - set(inputs)):
        raise InputError(f"the inputs lack {', '.join(missing)}")
    for name, size in sizes.items():
        x = inputs.get(name)
        if not hasattr(x, "dtype"):
            continue
        dtype = keras.backend.standardize_dtype(x.dtype)
        if not dtype.startswith(("int", "uint")) or len(x.shape) != 2:
            raise InputError(f"{name} must be int (B, T), not {dtype} {tuple(x.shape)}")
        if None not in (x.shape[1], max_sequence_length) and x.shape[1] > max_sequence_length:
            raise InputError(
                f"{name} has {x.shape[1]} tokens a row; this model takes {max_sequence_length} at "
                "most (max_sequence_length)"
            )
        check_range(name, x, size)
    mask, ids = inputs["padding_mask"], inputs["token_ids"]
    if hasattr(mask, "dtype") and keras.backend.standardize_dtype(mask.dtype) != "bool":
        raise InputError("padding_mask must be bool, True = a real token")
    if tuple(mask.shape) != tuple(ids.shape):
        raise InputError(
            f"padding_mask must have the shape of token_ids, {tuple(ids.shape)}, not "
            f"{tuple(mask.shape)}"
        )
