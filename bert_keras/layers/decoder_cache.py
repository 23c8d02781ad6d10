"""One step of a decoder block that remembers: its own past in a cache, the source for good.

The past grows by one token a step; see `bert_keras.layers.kv_cache`. The source never changes
while a target is said, so what its tokens are as keys and values is computed once.
"""

from bert_keras.layers.kv_cache import cached_attention, kept_attention


def cached_decoder_block(block, x, keys, values, position, source, source_mask):
    """Pass one new token of every row through a decoder block, as if it stood after the others.

    Args:
        block: `DecoderBlock`, built.
        x: float tensor of shape (B, 1, D), the new token.
        keys: float tensor of shape (B, N, L, H), self-attention's keys of the tokens before; what
            the slots from `position` on hold doesn't matter.
        values: float tensor of shape (B, N, L, H).
        position: int tensor of shape (B,), where in its row the new token stands.
        source: pair of float tensors of shape (B, N, S, H), the source as `kv_cache.project` makes
            it for the block's cross-attention.
        source_mask: bool tensor of shape (B, 1, S), True at real source tokens.

    Returns:
        The triple (output, keys, values): of shape (B, 1, D), and the caches with the new token.
    """
    seen = block.self_attention_layer_norm(x) if block.norm_first else x  # (B, 1, D)
    attended, keys, values = cached_attention(block.self_attention, seen, keys, values, position)
    x = x + attended
    if not block.norm_first:
        x = block.self_attention_layer_norm(x)
    seen = block.cross_attention_layer_norm(x) if block.norm_first else x
    x = x + kept_attention(block.cross_attention, seen, *source, source_mask)
    if not block.norm_first:
        x = block.cross_attention_layer_norm(x)
    seen = block.feed_forward_layer_norm(x) if block.norm_first else x
    x = x + block.feed_forward(seen)
    if not block.norm_first:
        x = block.feed_forward_layer_norm(x)
    return x, keys, values
