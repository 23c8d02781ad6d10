"""A Transformer speaks: a step for `bert_keras.generation`, with and without a cache."""

from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import beam_search, greedy_decode
from bert_keras.layers.decoder_cache import cached_decoder_block
from bert_keras.layers.kv_cache import project


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
    make = cached_step if use_cache else uncached_step
    step, states = make(model, source, padding_mask, max_length, beam_width)
    if beam_width == 1:
        return greedy_decode(step, states, begin_id, end_id, max_length)
    said, _ = beam_search(step, states, begin_id, end_id, max_length, beam_width, length_penalty)
    return said[:, 0]  # (B, K, L) -> (B, L)


def cached_step(model, source, padding_mask, max_length, beam_width=1):
    """A step that keeps the keys and values of what was said: one token passes through the blocks.

    What it needs of the source is computed once, here, and never moves: all hypotheses of a row
    look at the same source.

    Args:
        model: `Transformer`.
        source: float tensor of shape (B, S, D), from `model.encode`.
        padding_mask: bool tensor of shape (B, S), True at real source tokens.
        max_length: int, the number of slots L of the cache; steps after that many are wrong.
        beam_width: int, the number K of lines that `beam_search` makes of every row.

    Returns:
        The pair (step, states), as `greedy_decode`, `beam_search` and `sample` take them. The
        states are a dict: position, an int32 tensor of shape (B,), how many tokens were given; and
        blocks, for every decoder block a pair of float tensors of shape (B, N, L, H).
    """

    def lines(x):
        return ops.repeat(x, beam_width, axis=0) if beam_width > 1 else x

    mask = lines(ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1))  # (B * K, 1, S)
    looked_at = [
        tuple(map(lines, project(block.cross_attention, source))) for block in model.decoder_blocks
    ]  # pairs of (B * K, N, S, H)
    shape = (source.shape[0], model.num_heads, max_length, model.hidden_dim // model.num_heads)
    empty = ops.zeros(shape, dtype=model.compute_dtype)  # (B, N, L, H)
    states = {
        "position": ops.zeros((source.shape[0],), dtype="int32"),
        "blocks": [(empty, empty) for _ in model.decoder_blocks],
    }

    def step(token_ids, states):
        position = states["position"]  # (B * K,)
        x = model.target_embeddings(token_ids[:, None], position=position)  # (B * K, 1, D)
        kept = []
        for block, caches, source in zip(
            model.decoder_blocks, states["blocks"], looked_at, strict=True
        ):
            x, *caches = cached_decoder_block(block, x, *caches, position, source, mask)
            kept.append(tuple(caches))
        logits = model.score(x)[:, 0]  # (B * K, V)
        return logits, {"position": position + 1, "blocks": kept}

    return step, states


def uncached_step(model, source, padding_mask, max_length, beam_width=1):
    """A step that decodes all that was said again, as in training: what `cached_step` must equal.

    Args:
        model: `Transformer`.
        source: float tensor of shape (B, S, D), from `model.encode`.
        padding_mask: bool tensor of shape (B, S), True at real source tokens.
        max_length: int, not needed.
        beam_width: int, the number K of lines that `beam_search` makes of every row.

    Returns:
        The pair (step, states) as from `cached_step`; the states are what was said, an int32
        tensor of shape (B, T).
    """
    source = ops.repeat(source, beam_width, axis=0)  # (B * K, S, D)
    padding_mask = ops.repeat(padding_mask, beam_width, axis=0)  # (B * K, S)

    def step(token_ids, said):
        said = ops.concatenate([said, token_ids[:, None]], axis=1)  # (B * K, T + 1)
        logits, _, _ = model.decode(said, source, padding_mask)
        return logits[:, -1], said

    return step, ops.zeros((source.shape[0] // beam_width, 0), dtype="int32")
