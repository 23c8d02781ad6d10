"""What an answer returned, as plain values and arrays that can travel."""

import numpy as np

NUMBERS = "biuf"  # kinds of dtypes that travel


class Unusable(TypeError):
    """The answer returned something that is neither an array nor made of arrays."""


class Nothing(TypeError):
    """The answer returned None where something should have come back."""


def to_arrays(value):
    """Turn tensors into NumPy arrays, inside tuples, lists and dicts too.

    Raises:
        Unusable: there is something in it that is no array, number or text.
    """
    if isinstance(value, str):  # NumPy's own kind of text, too
        return str(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return to_arrays(value.tolist())
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, np.generic):
        return np.asarray(value)
    if isinstance(value, (list, tuple)):
        return tuple(to_arrays(item) for item in value)
    if isinstance(value, dict):
        return {str(key): to_arrays(item) for key, item in value.items()}
    from keras import ops

    try:
        array = np.asarray(ops.convert_to_numpy(value))
    except Exception:
        array = np.asarray(None)
    if array.dtype.kind not in NUMBERS:
        raise Unusable(f"returned a {type(value).__name__}, which is no array of numbers")
    return array


def something(value):
    """The value, which must not be None: whatever is read off it would be told as a mistake too."""
    if value is None:
        raise Nothing("returned nothing (None)")
    return value
