"""Generating sequences, token by token, over any step function."""

from keras import ops


def greedy_decode(step, states, begin_id, end_id, max_length):
    """Say the likeliest next token again and again, until every row of the batch has ended.

    Args:
        step: callable; `step(token_ids, states)` with token_ids an int tensor of shape (B,) returns
            the pair (logits, states): a float tensor of shape (B, V), and the new states.
        states: tuple of tensors of shape (B, any) to begin with.
        begin_id: int, what every row is given first.
        end_id: int, the token after which a row has ended.
        max_length: int, at least 1; more tokens than this are never said.

    Returns:
        int32 tensor of shape (B, L), L at most `max_length`: the tokens that were said, without
        `begin_id`. A row that has ended is filled up with `end_id`. L is the number of tokens,
        `end_id` included, that the longest row needed.

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014), section 3.2,
        with a beam of one.
    """
    batch_size = states[0].shape[0]
    token_ids = ops.full((batch_size,), begin_id, dtype="int32")  # (B,)
    has_ended = ops.zeros((batch_size,), dtype="bool")  # (B,)
    said = []
    while len(said) < max_length and not ops.all(has_ended):
        logits, states = step(token_ids, states)  # (B, V)
        likeliest = ops.cast(ops.argmax(logits, axis=-1), "int32")  # (B,)
        token_ids = ops.where(has_ended, end_id, likeliest)
        has_ended = ops.logical_or(has_ended, ops.equal(token_ids, end_id))
        said.append(token_ids)
    return ops.stack(said, axis=1)  # (B, L)
