"""An encoder with a prefix mask writes: a step for `bert_keras.generation` that keeps what it read.

The source is read at once, all of it by all of it. What is said afterwards sees the source and
itself only, so nothing that was computed before ever changes, and keys and values can be kept.
"""

import numpy as np
from keras import ops

from bert_keras.errors import InputError
from bert_keras.generation import greedy_decode
from bert_keras.layers.kv_cache import cached_block, keys_and_values
from bert_keras.models.compiled_step import compiled_step
from bert_keras.models.inputs import check_inputs


def write(model, token_ids, padding_mask, end_id, max_length, decode=None, **options):
    """Say a target for every source.

    Args:
        model: `PrefixWriter`.
        token_ids: int array of shape (B, T), packed sources, [CLS] first, [SEP] last.
        padding_mask: bool array of shape (B, T), True at real tokens, which stand on the left.
        end_id: int, the token after which a target has ended, [SEP].
        max_length: int, more tokens than this are never said.
        decode: `greedy_decode`, `sample` or `beam_search` of `bert_keras.generation`; None means
            `greedy_decode`.
        **options: of `decode`.

    Returns:
        What `decode` returns, such as an int32 tensor of shape (B, L).

    Raises:
        InputError: arrays that do not fit the model, or no room for `max_length` more tokens.
    """
    token_ids, padding_mask = np.asarray(token_ids), np.asarray(padding_mask)
    inputs = {"token_ids": token_ids, "padding_mask": padding_mask}
    inputs["segment_ids"] = np.zeros_like(token_ids)
    check_inputs(inputs, model.backbone)
    longest = int(padding_mask.sum(axis=1).max())
    room = model.backbone.max_sequence_length
    if longest + max_length > room:
        raise InputError(
            f"{longest} tokens and {max_length} more are too many for this model: it takes {room} "
            "at most (max_sequence_length)"
        )
    inputs = {name: x[:, :longest] for name, x in inputs.items()}
    # The source's last token, [SEP], is what the first step is given; it is reckoned with again.
    last = inputs["padding_mask"].sum(axis=1, dtype="int32") - 1  # (B,)
    begin_ids = np.take_along_axis(inputs["token_ids"], last[:, None], axis=1)[:, 0]  # (B,)
    states = prefix_states(model, inputs, longest + max_length)
    step = compiled_step(model, prefix_step)
    begin_ids = ops.convert_to_tensor(begin_ids.astype("int32"))
    return (decode or greedy_decode)(step, states, begin_ids, end_id, max_length, **options)


def prefix_states(model, inputs, size):
    """Read the sources and keep the keys and values of all blocks.

    Args:
        model: `PrefixWriter`.
        inputs: dict of token_ids, segment_ids and padding_mask of shape (B, T) each.
        size: int, the number S of tokens that there will be at most.

    Returns:
        dict of position, an int32 tensor of shape (B,), where the next token to be given stands,
        which is the source's last one; segment, an int32 tensor of shape (B,), that token's; and
        caches, for every block a pair of float tensors of shape (B, N, S, H).
    """
    inputs = {name: ops.convert_to_tensor(x) for name, x in inputs.items()}
    position = ops.sum(ops.cast(inputs["padding_mask"], "int32"), axis=1) - 1  # (B,)
    hidden_states = model.backbone.all_states(inputs)["hidden_states"]
    caches = [
        keys_and_values(block, x, size)
        for block, x in zip(model.backbone.encoder_blocks, hidden_states[:-1], strict=True)
    ]
    return {"position": position, "segment": ops.zeros_like(position), "caches": caches}


def prefix_step(model, token_ids, states):
    """Take in one more token of every row and score what may follow it.

    Args:
        model: `PrefixWriter`.
        token_ids: int tensor of shape (B,), the tokens that stand at `position`.
        states: dict as from `prefix_states`.

    Returns:
        The pair (logits, states): a float tensor of shape (B, V), and the states one token later.
    """
    position, segment = states["position"], states["segment"]
    x = model.backbone.embeddings(
        token_ids[:, None], segment[:, None], position=position
    )  # (B, 1, D)
    kept = []
    for block, (keys, values) in zip(model.backbone.encoder_blocks, states["caches"], strict=True):
        x, keys, values = cached_block(block, x, keys, values, position)  # (B, 1, D)
        kept.append((keys, values))
    # All that comes after the source belongs to the target.
    later = {"position": position + 1, "segment": ops.ones_like(segment), "caches": kept}
    return model.score(x[:, 0]), later
