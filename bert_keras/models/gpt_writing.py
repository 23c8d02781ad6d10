"""GPT writes: a step for `bert_keras.generation`, with and without remembering keys and values."""

import numpy as np
from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import greedy_decode
from bert_keras.layers.kv_cache import cached_block, keys_and_values
from bert_keras.models.compiled_step import compiled_step
from bert_keras.models.gpt_pieces import last_real
from bert_keras.models.language_inputs import check_language_inputs


def write(
    backbone,
    token_ids,
    padding_mask,
    max_length,
    end_id=-1,
    decode=None,
    use_cache=True,
    **options,
):
    """Write on after some beginnings.

    Rows may begin with different numbers of tokens; what is added to a row follows its last real
    token, as if the row stood alone.

    Args:
        backbone: `GPTBackbone`.
        token_ids: int array of shape (B, T), the beginnings, at least one token each.
        padding_mask: bool array of shape (B, T), True at real tokens, which stand on the left.
        max_length: int, more tokens than this are never added.
        end_id: int, the token after which a row has ended; -1 if there is none.
        decode: `greedy_decode`, `sample` or `beam_search` of `bert_keras.generation`, or one like
            them; None means `greedy_decode`.
        use_cache: bool, whether to keep keys and values, so that only the new token passes through
            the blocks; the result is the same.
        **options: of `decode`, such as top_k.

    Returns:
        What `decode` returns, such as an int32 tensor of shape (B, L).

    Raises:
        InputError: arrays that do not fit the model, or no room for `max_length` more tokens.
    """
    token_ids, padding_mask = (np.asarray(x) for x in (token_ids, padding_mask))
    inputs = {"token_ids": token_ids, "padding_mask": padding_mask}
    check_language_inputs(inputs, backbone.vocabulary_size, backbone.max_sequence_length)
    if not padding_mask[:, :1].all():
        raise InputError("every row must begin with a real token")
    longest = int(padding_mask.sum(axis=1).max())
    if longest + max_length > backbone.max_sequence_length:
        raise InputError(
            f"{longest} tokens and {max_length} more are too many for this model: it takes "
            f"{backbone.max_sequence_length} at most (max_sequence_length)"
        )
    token_ids = np.where(padding_mask, token_ids, 0).astype("int32")[:, :longest]
    padding_mask = padding_mask[:, :longest]
    # The last real token is what the first step is given; its place is reckoned with again.
    position = padding_mask.sum(axis=1, dtype="int32") - 1  # (B,)
    begin_ids = np.take_along_axis(token_ids, position[:, None], axis=1)[:, 0]  # (B,)
    begin = cached_states if use_cache else uncached_states
    states = begin(backbone, token_ids, padding_mask, longest + max_length)
    step = compiled_step(backbone, cached_step if use_cache else uncached_step)
    begin_ids = ops.convert_to_tensor(begin_ids)
    return (decode or greedy_decode)(step, states, begin_ids, end_id, max_length, **options)


def cached_states(backbone, token_ids, padding_mask, size):
    """Read the beginnings at once and keep the keys and values of all blocks.

    Args:
        backbone: `GPTBackbone`.
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.
        size: int, the number S of tokens that there will be at most.

    Returns:
        The pair (position, caches): an int tensor of shape (B,), where the next token to be given
        stands, which is the last real one; and for every block a pair of float tensors of shape
        (B, N, S, H).
    """
    mask = ops.convert_to_tensor(padding_mask)
    position = ops.sum(ops.cast(mask, "int32"), axis=1) - 1  # (B,)
    inputs = {"token_ids": ops.convert_to_tensor(token_ids), "padding_mask": mask}
    hidden_states = backbone.all_states(inputs)["hidden_states"]
    caches = tuple(
        keys_and_values(block, x, size)
        for block, x in zip(backbone.blocks, hidden_states[:-1], strict=True)
    )
    return position, caches


def cached_step(backbone, token_ids, states):
    """Take in one more token of every row and score what may follow it.

    Args:
        backbone: `GPTBackbone`.
        token_ids: int tensor of shape (B,), the tokens that stand at `position`.
        states: the pair (position, caches) as from `cached_states`.

    Returns:
        The pair (logits, states): a float tensor of shape (B, V), and the states one token later.
    """
    position, caches = states
    places = ops.take(backbone.position_embedding.table, position, axis=0)  # (B, D)
    x = backbone.token_embedding(token_ids)  # (B, D)
    x = ops.expand_dims(x + ops.cast(places, x.dtype), axis=1)  # (B, 1, D)
    later = []
    for block, (keys, values) in zip(backbone.blocks, caches, strict=True):
        x, keys, values = cached_block(block, x, keys, values, position)  # (B, 1, D)
        later.append((keys, values))
    if backbone.layer_norm is not None:
        x = backbone.layer_norm(x)
    return backbone.score_tokens(x[:, 0]), (position + 1, tuple(later))


def uncached_states(backbone, token_ids, padding_mask, size):
    """Keep the tokens alone: what there is to remember without a cache.

    Args:
        backbone: `GPTBackbone`.
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.
        size: int, the number S of tokens that there will be at most.

    Returns:
        The pair (position, said): an int tensor of shape (B,) as from `cached_states`, and an int
        tensor of shape (B, S).
    """
    mask = ops.convert_to_tensor(padding_mask)
    position = ops.sum(ops.cast(mask, "int32"), axis=1) - 1  # (B,)
    unused = [[0, 0], [0, size - token_ids.shape[1]]]
    return position, ops.pad(ops.convert_to_tensor(token_ids), unused)


def uncached_step(backbone, token_ids, states):
    """Read everything from the beginning again, and score what may follow the last token.

    Args:
        backbone: `GPTBackbone`.
        token_ids: int tensor of shape (B,), the tokens that stand at `position`.
        states: the pair (position, said) as from `uncached_states`.

    Returns:
        The pair (logits, states) as from `cached_step`.
    """
    position, said = states
    slot = ops.arange(said.shape[1], dtype="int32")  # (S,)
    said = ops.where(ops.equal(slot, position[:, None]), token_ids[:, None], said)  # (B, S)
    padding_mask = ops.less_equal(slot, position[:, None])  # (B, S)
    output = backbone({"token_ids": said, "padding_mask": padding_mask})  # (B, S, D)
    return backbone.score_tokens(last_real(output, padding_mask)), (position + 1, said)
