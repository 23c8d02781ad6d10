"""Switching attention heads off, and what that does to a model."""

import contextlib

import numpy as np
from keras import ops

from bert_keras.layers.attention import scaled_dot_product, split_heads


def head_ablation(head_outputs, output_kernel, output_bias, head_mask):
    """The output of multi-head attention with some heads switched off or turned down.

    Args:
        head_outputs: float tensor of shape (B, T, N, H), what each head found for each token.
        output_kernel: float tensor of shape (N, H, D), the last projection, by heads.
        output_bias: float tensor of shape (D,), its bias, which stays.
        head_mask: float tensor of shape (N,), 1 = as it is, 0 = off, between = turned down.

    Returns:
        float tensor of shape (B, T, D). Nothing is rescaled.
    """
    kept = head_outputs * ops.reshape(head_mask, (-1, 1))  # (B, T, N, H)
    return ops.einsum("btnh,nhd->btd", kept, output_kernel) + output_bias  # (B, T, D)


def masked_states(backbone, x, padding_mask, head_masks, first=0, combine=head_ablation):
    """The encoder's last states with masks on its heads; a gradient can be taken by the masks.

    Args:
        backbone: `BertBackbone`, which drops nothing here.
        x: float tensor of shape (B, T, D), what goes into the block `first`.
        padding_mask: bool array of shape (B, T), True = a real token.
        head_masks: list of tensors, one for each block: None for heads that stay as they are, of
            shape (N,), or of shape (B, N) for a mask of its own in every row.
        first: int, the block to begin with, from 0.
        combine: callable that puts the heads together, like `head_ablation`.

    Returns:
        float tensor of shape (B, T, D).
    """
    mask = ops.convert_to_tensor(padding_mask)[:, None, None, :]  # (B, 1, 1, T)
    for block, head_mask in zip(backbone.encoder_blocks[first:], head_masks, strict=True):
        attention = block.self_attention
        query, key, value = (
            split_heads(dense(x), attention.num_heads)
            for dense in (attention.query_dense, attention.key_dense, attention.value_dense)
        )  # (B, N, T, H)
        found, _ = scaled_dot_product(query, key, value, mask=mask)
        found = ops.transpose(found, (0, 2, 1, 3))  # (B, T, N, H)
        ones = ops.ones((attention.num_heads,), dtype=x.dtype)
        if head_mask is not None and len(head_mask.shape) == 2:
            found, head_mask = found * head_mask[:, None, :, None], None
        dense = attention.output_dense
        kernel = ops.reshape(dense.kernel, (attention.num_heads, -1, attention.hidden_dim))
        mixed = combine(found, kernel, dense.bias, ones if head_mask is None else head_mask)
        x = block.self_attention_layer_norm(x + mixed)
        x = block.feed_forward_layer_norm(x + block.feed_forward(x))
    return x


@contextlib.contextmanager
def heads_off(backbone, heads):
    """Switch heads of a model off for a while: their rows of the last projection are 0.

    Args:
        backbone: `BertBackbone`.
        heads: iterable of pairs of ints (layer, head), both from 1: (3, 1) is head 3-1.

    Yields:
        Nothing. Afterwards the model is what it was, whatever happened inside.

    Raises:
        ValueError: there is no such head.
    """
    off: dict[int, set[int]] = {}
    for layer, head in heads:
        if not (1 <= layer <= backbone.num_layers and 1 <= head <= backbone.num_heads):
            raise ValueError(
                f"there is no head {layer}-{head}: the model has {backbone.num_layers} layers of "
                f"{backbone.num_heads} heads"
            )
        off.setdefault(layer - 1, set()).add(head - 1)
    size = backbone.hidden_dim // backbone.num_heads
    kernels = {n: backbone.encoder_blocks[n].self_attention.output_dense.kernel for n in off}
    before = {n: ops.convert_to_numpy(kernel) for n, kernel in kernels.items()}
    try:
        for n, kernel in kernels.items():
            changed = np.array(before[n])  # (N * H, D)
            for head in off[n]:
                changed[head * size : (head + 1) * size] = 0.0
            kernel.assign(changed)
        yield
    finally:
        for n, kernel in kernels.items():
            kernel.assign(before[n])
