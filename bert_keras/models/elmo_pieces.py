"""Pieces of ELMo: two language models of one text, their loss, and what they offer to a task.

Both directions are stacks of recurrent layers of their own. They share what the tokens enter by and
what the predictions leave by, and nothing between: a layer that saw both sides would see the very
word that is to be predicted.
"""

from keras import ops

from bert_keras.models.gpt_pieces import causal_lm_loss


def reverse_real(x, padding_mask):
    """Turn the real part of every sequence around; padding stays where it is, on the right.

    Twice is back to the start. Turning the whole row around would put the padding first, and a
    recurrent network would read it before the text.

    Args:
        x: tensor of any dtype, of shape (B, T) or (B, T, D).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.

    Returns:
        tensor of the shape and dtype of x.
    """
    place = ops.arange(ops.shape(x)[1], dtype="int32")  # (T,)
    length = ops.sum(ops.cast(padding_mask, "int32"), axis=1, keepdims=True)  # (B, 1)
    source = ops.where(ops.less(place, length), length - 1 - place, place)  # (B, T)
    if len(x.shape) == 3:
        source = ops.expand_dims(source, axis=-1)  # (B, T, 1)
    return ops.take_along_axis(x, source, axis=1)


def forward_lm(x, layers):
    """Read from left to right.

    Args:
        x: float tensor of shape (B, T, D), embedded tokens, padding on the right.
        layers: list of callables, float (B, T, any) to float (B, T, any), each of which lets a
            position see itself and those before it, such as `keras.layers.LSTM`.

    Returns:
        list of float tensors of shape (B, T, any), one for each layer: at position t, what was
        read up to token t, from which token t + 1 can be predicted.

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), section 3.1.
    """
    states = []
    for layer in layers:
        x = layer(x)
        states.append(x)
    return states


def backward_lm(x, padding_mask, layers):
    """Read from right to left, beginning at the last real token.

    Args:
        x: float tensor of shape (B, T, D), embedded tokens, padding on the right.
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        layers: list of callables as for `forward_lm`.

    Returns:
        list of float tensors of shape (B, T, any), one for each layer, in the order of the text:
        at position t, what was read from the end down to token t, from which token t - 1 can be
        predicted. It has seen nothing to the left of t.

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), section 3.1.
    """
    states = forward_lm(reverse_real(x, padding_mask), layers)
    return [reverse_real(state, padding_mask) for state in states]


def bilm_loss(forward_logits, backward_logits, token_ids, padding_mask):
    """Average the losses of both directions, each over all tokens that it has to predict.

    From left to right that is every real token but the first, from right to left every real token
    but the last. With [BOS] and [EOS] around a text both have as many.

    Args:
        forward_logits: float tensor of shape (B, T, V); position t scores token t + 1.
        backward_logits: float tensor of shape (B, T, V); position t scores token t - 1.
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.

    Returns:
        The triple (loss, forward_loss, backward_loss) of float32 tensors of shape (), in nats; the
        first is the mean of the others. The paper adds them, which is twice that.

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), section 3.1.
    """
    forward_loss = causal_lm_loss(forward_logits, token_ids, padding_mask)
    # Seen in a mirror, a token is predicted from those before it here, too.
    mirrored = (reverse_real(x, padding_mask) for x in (backward_logits, token_ids))
    backward_loss = causal_lm_loss(*mirrored, padding_mask)
    return (forward_loss + backward_loss) / 2, forward_loss, backward_loss


def elmo_features(x, forward_states, backward_states):
    """What ELMo offers of every token: its embedding, and both directions' states of every layer.

    Args:
        x: float tensor of shape (B, T, D), the embedded tokens.
        forward_states: list of L float tensors of shape (B, T, D), from `forward_lm`.
        backward_states: list of L float tensors of shape (B, T, D), from `backward_lm`.

    Returns:
        list of L + 1 float tensors of shape (B, T, 2 D): the embedding, which has no direction,
        twice; then of each layer the forward state and the backward state. All are of one size, so
        that `ScalarMix` can average them.

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), section 3.2.
    """
    pairs = [(x, x), *zip(forward_states, backward_states, strict=True)]
    return [ops.concatenate(pair, axis=-1) for pair in pairs]
