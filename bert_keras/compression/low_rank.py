"""A kernel as the product of two thin ones."""

import numpy as np


def low_rank(kernel, rank):
    """The two thin matrices whose product comes closest to a kernel.

    The singular value decomposition gives the best approximation of a rank in the sum of squared
    errors (Eckart and Young, 1936). Each factor takes the root of every singular value, so both are
    of one size. It pays if rank < in·out / (in + out).

    Args:
        kernel: float array of shape (in, out).
        rank: int from 1 to min(in, out).

    Returns:
        The pair (first, second) of shapes (in, rank) and (rank, out), of the dtype of the kernel.

    Raises:
        ValueError: a rank that there isn't.
    """
    kernel = np.asarray(kernel)
    if not 1 <= rank <= min(kernel.shape):
        raise ValueError(f"rank must be from 1 to {min(kernel.shape)}, not {rank}")
    left, values, right = np.linalg.svd(kernel.astype("float64"), full_matrices=False)
    roots = np.sqrt(values[:rank])
    first, second = left[:, :rank] * roots, roots[:, None] * right[:rank]
    return first.astype(kernel.dtype), second.astype(kernel.dtype)
