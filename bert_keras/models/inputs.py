"""Look at BERT's inputs before a device does: what is wrong there is often no error at all.

A gather past the end of a table fails on one device, takes the last row on the next and gives zeros
on a third; a mask of zeros and large negative numbers, as other libraries have it, means the
opposite here.
"""

import keras
import numpy as np

from bert_keras.errors import InputError
from bert_keras.layers.masks import require_bool

NAMES = ("token_ids", "segment_ids", "padding_mask")


def check_inputs(inputs, backbone):
    """Refuse inputs that the encoder would misread.

    Names, dtypes and shapes are checked always, which costs nothing in a compiled graph. Values
    are checked where they can be seen without waiting for a device: in NumPy arrays.

    Args:
        inputs: dict of token_ids (int), segment_ids (int) and padding_mask (bool, or int 0 and 1),
            tensors or arrays of shape (B, T), and optionally mask_positions (int) of shape (B, P)
            and attention_mask (bool) of shape (B, T, T).
        backbone: `BertBackbone`, for its sizes.

    Raises:
        InputError: something is missing, of another dtype or shape, too long or out of range.
        ValueError: an attention_mask that is not bool.
    """
    if not isinstance(inputs, dict):
        raise InputError(f"BERT's inputs are a dict of {', '.join(NAMES)}, not {type(inputs)}")
    if missing := sorted(set(NAMES) - set(inputs)):
        raise InputError(f"BERT's inputs lack {', '.join(missing)}")
    for name in NAMES:
        if not hasattr(inputs[name], "dtype"):
            raise InputError(f"{name} must be an array or a tensor, not {type(inputs[name])}")
        dtype = keras.backend.standardize_dtype(inputs[name].dtype)
        if name == "padding_mask" and not dtype.startswith(("bool", "int", "uint")):
            raise InputError(f"padding_mask must be bool, True = a real token; it is {dtype}")
        if name != "padding_mask" and not dtype.startswith(("int", "uint")):
            raise InputError(f"{name} must be int; it is {dtype}")
    shape = tuple(inputs["token_ids"].shape)
    if len(shape) != 2:
        raise InputError(f"token_ids must have the shape (B, T), not {shape}")
    for name in NAMES[1:]:
        found = tuple(inputs[name].shape)
        # Sizes that aren't known yet, while a graph is traced, may still fit.
        if len(found) != 2 or any(
            None not in (mine, other) and mine != other
            for mine, other in zip(found, shape, strict=True)
        ):
            raise InputError(f"{name} must have the shape of token_ids, {shape}, not {found}")
    if "attention_mask" in inputs:
        require_bool(inputs["attention_mask"], "attention_mask")
    if shape[1] is not None and shape[1] > backbone.max_sequence_length:
        raise InputError(
            f"the sequences have {shape[1]} tokens; this model takes "
            f"{backbone.max_sequence_length} at most (max_sequence_length)"
        )
    _check_range(inputs["token_ids"], backbone.vocabulary_size, "token_ids", "vocabulary_size")
    _check_range(inputs["segment_ids"], backbone.num_segments, "segment_ids", "num_segments")
    _check_range(inputs["padding_mask"], 2, "padding_mask", "0 and 1")
    if "mask_positions" in inputs and shape[1] is not None:
        _check_range(inputs["mask_positions"], shape[1], "mask_positions", "the length")


def in_batches(inputs, batch_size):
    """Rows of arrays as batches for TensorFlow, in order, the last one with what is left.

    The autotuner of tf.data stays off: for rows that are in memory already it gains nothing, and
    stopping it stalls the end of every pass, which `predict` on a few batches feels.

    Args:
        inputs: dict of arrays with the same number of rows.
        batch_size: int, rows of a batch.

    Returns:
        `tf.data.Dataset` of dicts of tensors.
    """
    import tensorflow as tf

    options = tf.data.Options()
    options.autotune.enabled = False
    options.threading.private_threadpool_size = 1
    batches = tf.data.Dataset.from_tensor_slices(inputs).batch(batch_size)
    return batches.prefetch(2).with_options(options)


def _check_range(values, end, name, size):
    """Refuse values below 0 or from `end` on, in arrays; tensors may lie on a device."""
    if isinstance(values, np.ndarray) and values.size:
        wrong = np.argwhere((values < 0) | (values >= end))
        if len(wrong):
            place = tuple(int(n) for n in wrong[0])
            raise InputError(
                f"{name} has {int(values[place])} at {place}; they go from 0 to {end - 1} ({size})"
            )
