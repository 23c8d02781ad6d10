"""Pruning: single weights by their size, and whole heads."""

import keras
import numpy as np
from keras import ops


def magnitude_prune(kernels, share):
    """Which weights stay when the smallest ones of all kernels together are removed.

    The ranking is global: a kernel whose weights are small loses more than its share. A weight's
    sign doesn't matter. Zeros are the smallest weights there are, so pruning what was pruned before
    to the same share changes nothing.

    Args:
        kernels: list of float arrays of any shapes.
        share: float from 0 to 1, the share of all weights to remove; their number is rounded to the
            nearest, a half to the even one. Of equal sizes those that stand earlier go first.

    Returns:
        List of bool arrays of the shapes of the kernels; True = stays.

    Raises:
        ValueError: unless share is in [0, 1].

    Reference:
        Han et al., Learning both Weights and Connections for Efficient Neural Networks (2015).
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must be from 0 to 1, not {share}")
    sizes = np.concatenate([np.abs(np.asarray(kernel)).ravel() for kernel in kernels])
    stays = np.ones(len(sizes), bool)
    stays[np.argsort(sizes, kind="stable")[: round(share * len(sizes))]] = False
    ends = np.cumsum([np.asarray(kernel).size for kernel in kernels])
    parts = np.split(stays, ends[:-1])
    return [part.reshape(np.shape(kernel)) for part, kernel in zip(parts, kernels, strict=True)]


def prune_heads(weights, heads, num_heads):
    """Cut heads out of an attention layer's weights; what stays computes what the others did.

    A head owns a block of H = D/N columns in the kernels of query, key and value, and in their
    biases. In the output kernel it owns the *rows* that its result is multiplied with. The output's
    bias belongs to no head.

    Args:
        weights: dict of float arrays: query_kernel, key_kernel and value_kernel of shape (any,
            N*H), query_bias, key_bias and value_bias of shape (N*H,), output_kernel of shape
            (N*H, D), and output_bias of shape (D,).
        heads: list of int, the heads to remove, counted from 0; the same one twice counts once. All
            of them is possible: what stays then is the output's bias.
        num_heads: int, the number of heads N.

    Returns:
        dict of the same names; new arrays, with n*H where there was N*H. The order of the heads
        that stay is kept.

    Raises:
        ValueError: a head that there isn't.

    Reference:
        Michel et al., Are Sixteen Heads Really Better than One? (2019).
    """
    for head in heads:
        if not 0 <= head < num_heads:
            raise ValueError(f"there is no head {head}: heads are 0 to {num_heads - 1}")
    head_dim = weights["output_kernel"].shape[0] // num_heads
    stays = np.repeat([head not in heads for head in range(num_heads)], head_dim)  # (N*H,)
    pruned = {"output_bias": np.array(weights["output_bias"])}
    for part in ("query", "key", "value"):
        pruned[f"{part}_kernel"] = weights[f"{part}_kernel"][:, stays]  # (any, n*H)
        pruned[f"{part}_bias"] = weights[f"{part}_bias"][stays]
    pruned["output_kernel"] = weights["output_kernel"][stays]  # (n*H, D)
    return pruned


def head_strength(weights, num_heads):
    """How much each head can say at most: the size of its way from value to output.

    It needs no data, and so knows nothing of what a task needs.

    Args:
        weights: as for `prune_heads`.
        num_heads: int, the number of heads N.

    Returns:
        float64 array of shape (N,): Frobenius norms of W_V W_O, head by head.
    """
    value, output = (np.asarray(weights[f"{p}_kernel"], "float64") for p in ("value", "output"))
    value = value.reshape(value.shape[0], num_heads, -1)  # (any, N, H)
    output = output.reshape(num_heads, value.shape[-1], -1)  # (N, H, D)
    return np.array([np.linalg.norm(value[:, n] @ output[n]) for n in range(num_heads)])


@keras.saving.register_keras_serializable(package="bert_keras")
class KeepZeros(keras.constraints.Constraint):
    """Put zeros back after every update: an optimizer would revive what was pruned.

    Args:
        mask: bool array of the shape of the kernel; True = stays.
    """

    def __init__(self, mask):
        self.mask = np.asarray(mask, bool)

    def __call__(self, w):
        """The weights with zeros where the mask is False.

        Args:
            w: float tensor of the shape of the mask.

        Returns:
            float tensor of that shape.
        """
        return w * ops.cast(self.mask, w.dtype)

    def get_config(self):
        return {"mask": self.mask.tolist()}


def keep_zeros(model):
    """Let a pruned model be trained on without losing its zeros.

    Args:
        model: a built model, not compiled yet; kernels that have zeros get `KeepZeros`.

    Returns:
        int, the number of those kernels.
    """
    found = 0
    for variable in model.trainable_variables:
        if variable.path.endswith("/kernel"):
            mask = ops.convert_to_numpy(variable.value) != 0
            if not mask.all():
                variable.constraint = KeepZeros(mask)
                found += 1
    return found
