"""A Transformer speaks: a step for `bert_keras.generation`, with and without a cache.

The source goes along among the states: beams and compiled steps then need to know nothing of it.
"""

from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import beam_search, greedy_decode
from bert_keras.layers.decoder_cache import cached_decoder_block
from bert_keras.layers.kv_cache import project
from bert_keras.models.compiled_step import compiled_step


def generate(
    model,
    token_ids,
    padding_mask,
    *,
    begin_id,
    end_id,
    max_length,
    beam_width=1,
    length_penalty=0.6,
    use_cache=True,
):
    """Say the best target of every source that greedy decoding or a beam search finds.

    Args:
        model: `Transformer`.
        token_ids: int tensor or array of shape (B, S).
        padding_mask: bool tensor or array of shape (B, S), True at real tokens.
        begin_id: int, [BOS].
        end_id: int, [EOS].
        max_length: int, more tokens than this are never said; max_sequence_length at most.
        beam_width: int, hypotheses of a row; 1 is greedy decoding.
        length_penalty: float, as for `beam_search`.
        use_cache: bool, whether keys and values of what was said are kept rather than computed
            again at every step. The result is the same.

    Returns:
        int32 tensor of shape (B, L), L at most `max_length`: without [BOS], rows that have ended
        filled up with [EOS].

    Raises:
        InputError: a `max_length` that the model has no positions for.
    """
    if max_length > model.max_sequence_length:
        raise InputError(
            f"max_length is {max_length}; this model has positions for "
            f"{model.max_sequence_length} tokens (max_sequence_length)"
        )
    padding_mask = ops.convert_to_tensor(padding_mask)
    source, _ = model.encode(ops.convert_to_tensor(token_ids), padding_mask)  # (B, S, D)
    begin = cached_states if use_cache else uncached_states
    states = begin(model, source, padding_mask, max_length)
    step = compiled_step(model, cached_step if use_cache else uncached_step)
    if beam_width == 1:
        return greedy_decode(step, states, begin_id, end_id, max_length)
    said, _ = beam_search(step, states, begin_id, end_id, max_length, beam_width, length_penalty)
    return said[:, 0]  # (B, K, L) -> (B, L)


def cached_states(model, source, padding_mask, size):
    """What to remember before the first token: keys and values of the source, none of the target.

    Args:
        model: `Transformer`.
        source: float tensor of shape (B, S, D), from `model.encode`.
        padding_mask: bool tensor of shape (B, S), True at real source tokens.
        size: int, the number L of tokens that are given at most; steps after that many are wrong.

    Returns:
        dict of position, an int32 tensor of shape (B,), how many tokens were given; blocks, for
        every decoder block a pair of float tensors of shape (B, N, L, H), the target's keys and
        values; source, for every decoder block a pair of shape (B, N, S, H), which never changes;
        and source_mask, a bool tensor of shape (B, 1, S).
    """
    shape = (source.shape[0], model.num_heads, size, model.hidden_dim // model.num_heads)
    empty = ops.zeros(shape, dtype=model.compute_dtype)  # (B, N, L, H)
    return {
        "position": ops.zeros((source.shape[0],), dtype="int32"),
        "blocks": [(empty, empty) for _ in model.decoder_blocks],
        "source": [project(block.cross_attention, source) for block in model.decoder_blocks],
        "source_mask": ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1),
    }


def cached_step(model, token_ids, states):
    """Take in one more target token of every row; it alone passes through the blocks.

    Args:
        model: `Transformer`.
        token_ids: int tensor of shape (B,).
        states: dict as from `cached_states`.

    Returns:
        The pair (logits, states): a float tensor of shape (B, V), and the states one token later.
    """
    position, mask = states["position"], states["source_mask"]
    x = model.target_embeddings(token_ids[:, None], position=position)  # (B, 1, D)
    kept = []
    for block, caches, source in zip(
        model.decoder_blocks, states["blocks"], states["source"], strict=True
    ):
        x, *caches = cached_decoder_block(block, x, *caches, position, source, mask)
        kept.append(tuple(caches))
    return model.score(x)[:, 0], {**states, "position": position + 1, "blocks": kept}


def uncached_states(model, source, padding_mask, size):
    """What there is to remember without a cache: the source, and the tokens that were said.

    Args:
        model: `Transformer`.
        source: float tensor of shape (B, S, D), from `model.encode`.
        padding_mask: bool tensor of shape (B, S), True at real source tokens.
        size: int, the number L of tokens that are given at most.

    Returns:
        dict of position, an int32 tensor of shape (B,); said, an int32 tensor of shape (B, L);
        source and padding_mask.
    """
    return {
        "position": ops.zeros((source.shape[0],), dtype="int32"),
        "said": ops.zeros((source.shape[0], size), dtype="int32"),
        "source": source,
        "padding_mask": padding_mask,
    }


def uncached_step(model, token_ids, states):
    """Decode all that was said again, as in training: what `cached_step` must equal.

    Args:
        model: `Transformer`.
        token_ids: int tensor of shape (B,).
        states: dict as from `uncached_states`.

    Returns:
        The pair (logits, states) as from `cached_step`.
    """
    position = states["position"]  # (B,)
    slot = ops.arange(states["said"].shape[1], dtype="int32")  # (L,)
    is_now = ops.equal(slot, position[:, None])  # (B, L)
    said = ops.where(is_now, token_ids[:, None], states["said"])
    # What stands after the new token is not looked at: the decoder is causal.
    logits, _, _ = model.decode(said, states["source"], states["padding_mask"])  # (B, L, V)
    now = ops.sum(ops.where(is_now[:, :, None], logits, 0), axis=1)  # (B, V)
    return now, {**states, "position": position + 1, "said": said}
