"""One step of a causal stack that remembers the keys and values of the tokens before.

Under a causal mask a token never changes what was computed for those before it. So while a text is
made token by token, only the new token has to pass through the blocks: what later tokens need of
the earlier ones are their keys and values, and these are kept.
"""

from keras import ops

from bert_keras.layers.attention import merge_heads, scaled_dot_product, split_heads


def write_at(cache, new, position):
    """Put one vector a head into every row's own slot.

    Args:
        cache: float tensor of shape (B, N, S, H).
        new: float tensor of shape (B, N, 1, H).
        position: int tensor of shape (B,), each smaller than S.

    Returns:
        float tensor of shape (B, N, S, H), the cache with one slot of each row replaced.
    """
    slot = ops.arange(cache.shape[2], dtype="int32")  # (S,)
    is_here = ops.equal(slot, ops.expand_dims(position, 1))  # (B, S)
    return ops.where(is_here[:, None, :, None], new, cache)


def project(attention, x):
    """What an attention keeps of some tokens, whoever looks at them.

    Args:
        attention: `MultiHeadAttention`, built.
        x: float tensor of shape (B, S, any), the tokens that are looked at.

    Returns:
        The pair (keys, values), float tensors of shape (B, N, S, H).
    """
    return tuple(
        split_heads(dense(x), attention.num_heads)  # (B, N, S, H)
        for dense in (attention.key_dense, attention.value_dense)
    )


def kept_attention(attention, x, keys, values, mask):
    """Attend to keys and values that were projected before.

    Args:
        attention: `MultiHeadAttention`, built.
        x: float tensor of shape (B, T, D), the queries before their projection.
        keys: float tensor of shape (B, N, S, H).
        values: float tensor of shape (B, N, S, H).
        mask: bool tensor of shape (B, T, S) or (B, 1, S), True = may attend.

    Returns:
        float tensor of shape (B, T, D).
    """
    query = split_heads(attention.query_dense(x), attention.num_heads)  # (B, N, T, H)
    output, _ = scaled_dot_product(query, keys, values, mask=mask[:, None])  # (B, N, T, H)
    return attention.output_dense(merge_heads(output))  # (B, T, D)


def cached_attention(attention, x, keys, values, position):
    """Let one new token of every row look at itself and at the tokens before it.

    Args:
        attention: `MultiHeadAttention`, the self-attention of a block, built.
        x: float tensor of shape (B, 1, D), the new token.
        keys: float tensor of shape (B, N, S, H), those of the tokens before; what the slots from
            `position` on hold doesn't matter.
        values: float tensor of shape (B, N, S, H).
        position: int tensor of shape (B,), where in its row the new token stands.

    Returns:
        The triple (output, keys, values): of shape (B, 1, D), and the caches with the new token.
    """
    key, value = project(attention, x)  # (B, N, 1, H)
    keys, values = write_at(keys, key, position), write_at(values, value, position)
    slot = ops.arange(keys.shape[2], dtype="int32")  # (S,)
    mask = ops.less_equal(slot, ops.expand_dims(position, 1))[:, None]  # (B, 1, S)
    return kept_attention(attention, x, keys, values, mask), keys, values


def cached_block(block, x, keys, values, position):
    """Pass one new token of every row through an encoder block, as if it stood after the others.

    Args:
        block: `EncoderBlock`, built.
        x: float tensor of shape (B, 1, D).
        keys: float tensor of shape (B, N, S, H), of the tokens before.
        values: float tensor of shape (B, N, S, H).
        position: int tensor of shape (B,).

    Returns:
        The triple (output, keys, values) as from `cached_attention`.
    """
    seen = block.self_attention_layer_norm(x) if block.norm_first else x  # (B, 1, D)
    attended, keys, values = cached_attention(block.self_attention, seen, keys, values, position)
    x = x + attended
    if not block.norm_first:
        x = block.self_attention_layer_norm(x)
    seen = block.feed_forward_layer_norm(x) if block.norm_first else x
    x = x + block.feed_forward(seen)
    if not block.norm_first:
        x = block.feed_forward_layer_norm(x)
    return x, keys, values


def keys_and_values(block, x, size):
    """The cache of a block after it has read some tokens at once.

    Args:
        block: `EncoderBlock`, built.
        x: float tensor of shape (B, T, D), what went into the block.
        size: int, the number S of slots, at least T.

    Returns:
        The pair (keys, values), float tensors of shape (B, N, S, H), zeros in the unused slots.
    """
    seen = block.self_attention_layer_norm(x) if block.norm_first else x  # (B, T, D)
    unused = [[0, 0], [0, 0], [0, size - x.shape[1]], [0, 0]]
    return tuple(ops.pad(kept, unused) for kept in project(block.self_attention, seen))
