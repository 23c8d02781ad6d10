"""Generating sequences, token by token, over any step function.

A step takes the token that was said last and the states before it, and returns the scores of the
next token and the states after it. The states may be any nested structure of tensors whose first
axis is the batch: a tuple of two for an LSTM, keys and values of every block for a Transformer.
"""

import math

import keras
from keras import ops


def greedy_decode(step, states, begin_id, end_id, max_length):
    """Say the likeliest next token again and again, until every row of the batch has ended.

    Args:
        step: callable; `step(token_ids, states)` with token_ids an int tensor of shape (B,) returns
            the pair (logits, states): a float tensor of shape (B, V), and the new states.
        states: the states to begin with, a tuple or any nested structure of tensors of shape
            (B, ...).
        begin_id: int, what every row is given first; or an int tensor of shape (B,), one for each.
        end_id: int, the token after which a row has ended; -1 if there is none.
        max_length: int, at least 1; more tokens than this are never said.

    Returns:
        int32 tensor of shape (B, L), L at most `max_length`: the tokens that were said, without
        `begin_id`. A row that has ended is filled up with `end_id`. L is the number of tokens,
        `end_id` included, that the longest row needed.

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014), section 3.2,
        with a beam of one.
    """
    batch_size = keras.tree.flatten(states)[0].shape[0]
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


def beam_search(step, states, begin_id, end_id, max_length, beam_width=4, length_penalty=0.6):
    """Follow the best few beginnings of every row at once, not only the best one.

    At every step all hypotheses are continued by every token, and the best `beam_width` of all
    continuations of a row are kept. A hypothesis Y of |Y| tokens, its `end_id` included, has the
    score

        log P(Y) / ((5 + |Y|) / 6) ** length_penalty.

    Longer hypotheses have smaller probabilities; the divisor makes up for some of that, and with a
    `length_penalty` of 0 for nothing. A hypothesis that has ended keeps its score and its place as
    long as nothing better takes it. The search is over when all kept hypotheses have ended.

    With a width of 1 this is `greedy_decode`. With a width that holds every possible sequence it
    finds the best one for sure.

    Args:
        step: callable, as for `greedy_decode`; it is given B * K lines, with hypothesis k of row b
            in line b * K + k, where K is `beam_width`.
        states: the states to begin with, any nested structure of tensors of shape (B, ...).
        begin_id: int, what every row is given first; or an int tensor of shape (B,), one for each.
        end_id: int, the token after which a hypothesis has ended.
        max_length: int, at least 1; more tokens than this are never said.
        beam_width: int, the number of hypotheses K.
        length_penalty: float, the exponent, usually from 0 to 1.

    Returns:
        The pair (token_ids, scores), best hypotheses first: an int32 tensor of shape (B, K, L),
        without `begin_id` and filled up with `end_id`, where L is what the longest hypothesis
        needed; and a float32 tensor of shape (B, K). Where there are fewer than K different
        sequences, the places that are left have a score of minus infinity.

    Raises:
        ValueError: `beam_width` is below 1.

    Reference:
        Wu et al., Google's Neural Machine Translation System: Bridging the Gap between Human and
        Machine Translation (2016), section 7, whose length penalty this is (alpha).
    """
    if beam_width < 1:
        raise ValueError(f"beam_width must be at least 1, not {beam_width}")
    batch_size = keras.tree.flatten(states)[0].shape[0]
    states = keras.tree.map_structure(lambda x: ops.repeat(x, beam_width, axis=0), states)
    token_ids = ops.repeat(ops.full((batch_size,), begin_id, dtype="int32"), beam_width)  # (B * K,)
    first_line = ops.arange(batch_size, dtype="int32")[:, None] * beam_width  # (B, 1)
    # All hypotheses of a row begin alike. The first one alone is possible: only it goes on.
    first_alone = ops.convert_to_tensor([[0.0] + [-math.inf] * (beam_width - 1)])  # (1, K)
    totals = ops.tile(first_alone, (batch_size, 1))  # (B, K)
    has_ended = ops.less(totals, 0)  # (B, K)
    lengths = ops.zeros((batch_size, beam_width))  # (B, K)
    said = ops.zeros((batch_size * beam_width, 0), dtype="int32")  # (B * K, L)
    while said.shape[1] < max_length and not ops.all(has_ended):
        logits, states = step(token_ids, states)  # (B * K, V)
        size = logits.shape[-1]
        gains = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
        gains = ops.reshape(gains, (batch_size, beam_width, size))  # (B, K, V)
        # What has ended can only say end_id again, which costs nothing and counts for nothing.
        stays = ops.where(ops.equal(ops.arange(size), end_id), 0.0, -math.inf)  # (V,)
        gains = ops.where(has_ended[:, :, None], stays, gains)
        lengths = lengths + ops.cast(ops.logical_not(has_ended), "float32")
        totals = ops.reshape(totals[:, :, None] + gains, (batch_size, beam_width * size))
        penalties = ((5 + lengths) / 6) ** length_penalty  # (B, K)
        scores, best = ops.top_k(totals / ops.repeat(penalties, size, axis=1), beam_width)
        best = ops.cast(best, "int32")  # (B, K), numbers of continuations, from 0 to K * V - 1
        parents, tokens = best // size, best % size  # (B, K)
        totals = ops.take_along_axis(totals, best, axis=1)  # (B, K)
        lengths = ops.take_along_axis(lengths, parents, axis=1)
        has_ended = ops.take_along_axis(has_ended, parents, axis=1)
        tokens = ops.where(has_ended, end_id, tokens)
        has_ended = ops.logical_or(has_ended, ops.equal(tokens, end_id))
        # Everything that is kept of a line moves to where its continuation now stands.
        lines = ops.reshape(first_line + parents, (-1,))  # (B * K,)
        states = keras.tree.map_structure(lambda x, lines=lines: ops.take(x, lines, axis=0), states)
        token_ids = ops.reshape(tokens, (-1,))
        said = ops.concatenate([ops.take(said, lines, axis=0), token_ids[:, None]], axis=1)
    return ops.reshape(said, (batch_size, beam_width, said.shape[1])), scores  # (B, K, L), (B, K)


def truncate_logits(logits, temperature=1.0, top_k=0, top_p=1.0):
    """Make a distribution sharper or flatter, and cut off its unlikely tokens.

    First the scores are divided by the temperature, then all but the `top_k` likeliest tokens are
    taken out, then, of the distribution over what is left, all but the nucleus: the fewest
    likeliest tokens that have a probability of at least `top_p` together. Tokens that are exactly
    as likely as the last one kept are kept, too.

    Args:
        logits: float tensor of shape (..., V).
        temperature: float, above 0; below 1 the likely become likelier, above 1 less so.
        top_k: int, how many tokens are left; 0 leaves all.
        top_p: float, above 0 and at most 1; 1 leaves all.

    Returns:
        float32 tensor of shape (..., V), minus infinity at tokens that were taken out.

    Raises:
        ValueError: an argument is out of its range.

    Reference:
        Fan et al., Hierarchical Neural Story Generation (2018), section 5.1, for top-k; Holtzman et
        al., The Curious Case of Neural Text Degeneration (2020), section 3.1, for the nucleus.
    """
    if not temperature > 0:
        raise ValueError(
            f"temperature must be above 0, not {temperature}; greedy_decode is what 0 would mean"
        )
    if top_k < 0:
        raise ValueError(f"top_k must be at least 0, which leaves all tokens; not {top_k}")
    if not 0 < top_p <= 1:
        raise ValueError(f"top_p must be above 0 and at most 1, not {top_p}")
    logits = ops.cast(logits, "float32") / temperature  # (..., V)
    if 0 < top_k < logits.shape[-1]:
        lowest = ops.top_k(logits, top_k)[0][..., -1:]  # (..., 1)
        logits = ops.where(logits >= lowest, logits, -math.inf)
    if top_p < 1:
        probabilities = ops.softmax(logits, axis=-1)  # (..., V)
        falling = ops.flip(ops.sort(probabilities, axis=-1), axis=-1)  # (..., V)
        likelier = ops.cumsum(falling, axis=-1) - falling  # what all tokens before it have together
        in_nucleus = ops.less(likelier, top_p)  # (..., V), True up to the last one needed
        lowest = ops.min(ops.where(in_nucleus, falling, 1.0), axis=-1, keepdims=True)  # (..., 1)
        logits = ops.where(probabilities >= lowest, logits, -math.inf)
    return logits


def sample(
    step, states, begin_id, end_id, max_length, temperature=1.0, top_k=0, top_p=1.0, seed=None
):
    """Draw the next token by its probability again and again, until every row has ended.

    Args:
        step: callable, as for `greedy_decode`.
        states: the states to begin with, any nested structure of tensors of shape (B, ...).
        begin_id: int, what every row is given first; or an int tensor of shape (B,), one for each.
        end_id: int, the token after which a row has ended; -1 if there is none.
        max_length: int, at least 1; more tokens than this are never said.
        temperature: float, as for `truncate_logits`.
        top_k: int, as for `truncate_logits`.
        top_p: float, as for `truncate_logits`.
        seed: int, or `keras.random.SeedGenerator`, which moves on with every token. The same int
            draws the same tokens again; None draws others every time.

    Returns:
        int32 tensor of shape (B, L), as from `greedy_decode`.

    Raises:
        ValueError: temperature, top_k or top_p are out of their range.

    Example:
        >>> scores = ops.log([[0.5, 0.3, 0.2]])
        >>> step = lambda token_ids, states: (scores, states)
        >>> sample(step, (ops.zeros((1, 1)),), 0, -1, max_length=4, top_k=2, seed=7)
    """
    is_generator = isinstance(seed, keras.random.SeedGenerator)
    seeds = seed if is_generator else keras.random.SeedGenerator(seed)
    batch_size = keras.tree.flatten(states)[0].shape[0]
    token_ids = ops.full((batch_size,), begin_id, dtype="int32")  # (B,)
    has_ended = ops.zeros((batch_size,), dtype="bool")  # (B,)
    said = []
    while len(said) < max_length and not ops.all(has_ended):
        logits, states = step(token_ids, states)  # (B, V)
        logits = truncate_logits(logits, temperature, top_k, top_p)
        drawn = keras.random.categorical(logits, 1, dtype="int32", seed=seeds)[:, 0]  # (B,)
        token_ids = ops.where(has_ended, end_id, drawn)
        has_ended = ops.logical_or(has_ended, ops.equal(token_ids, end_id))
        said.append(token_ids)
    return ops.stack(said, axis=1)  # (B, L)
