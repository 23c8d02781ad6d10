"""Pieces of a sequence-to-sequence model: its inputs and labels, the whole model, its loss."""

from keras import ops

from bert_keras.layers.recurrent import lstm_step, masked_unroll


def shift_right(token_ids, padding_mask):
    """Make a decoder's inputs and labels from sequences that begin with [BOS].

    Where the decoder is to say a token, it has been given the one before: as input, the labels are
    shifted right by one place.

    Args:
        token_ids: int tensor of shape (B, T + 1): [BOS], tokens, [EOS], then [PAD].
        padding_mask: bool tensor of shape (B, T + 1), True at all but [PAD].

    Returns:
        The triple (input_ids, label_ids, label_mask) of shape (B, T) each: int, int, and bool,
        True where the label is not [PAD].

    Reference:
        Williams and Zipser, A Learning Algorithm for Continually Running Fully Recurrent Neural
        Networks (1989), for teacher forcing.
    """
    input_ids = token_ids[:, :-1]  # (B, T)
    label_ids = token_ids[:, 1:]  # (B, T)
    label_mask = padding_mask[:, 1:]  # (B, T)
    return input_ids, label_ids, label_mask


def encoder_decoder(source_ids, source_mask, input_ids, weights):
    """Read a source, keep one pair of vectors of it, and score every next token of the target.

    All that the decoder learns about the source is the LSTM's last state and carry, of fixed
    size whatever the length of the source.

    Args:
        source_ids: int tensor of shape (B, S).
        source_mask: bool tensor of shape (B, S), True at real tokens.
        input_ids: int tensor of shape (B, T), the target shifted right.
        weights: dict of float tensors: "source_embedding" of shape (V_s, E), "target_embedding"
            of shape (V_t, F), "output_kernel" of shape (H, V_t), "output_bias" of shape (V_t,);
            and of triples (kernel, recurrent kernel, bias) for `lstm_step`: "encoder", "decoder".

    Returns:
        float tensor of shape (B, T, V_t), the logits.

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014); Cho et al.,
        Learning Phrase Representations using RNN Encoder–Decoder (2014).
    """

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    hidden_dim = weights["output_kernel"].shape[0]
    zeros = ops.zeros((ops.shape(source_ids)[0], hidden_dim))  # (B, H)
    _, context = masked_unroll(encode, source, (zeros, zeros), source_mask)  # two of (B, H)
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    every_token = ops.ones(ops.shape(input_ids), dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, context, every_token)  # (B, T, H)
    return ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]  # (B, T, V_t)


def sequence_loss(logits, label_ids, label_mask):
    """Average the cross-entropy over the real tokens of the whole batch.

    Args:
        logits: float tensor of shape (B, T, V).
        label_ids: int tensor of shape (B, T).
        label_mask: bool tensor of shape (B, T), True where the label is a real token; it has at
            least one True.

    Returns:
        float tensor of shape (), in nats.

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014), section 3.2.
    """
    log_probabilities = ops.log_softmax(logits, axis=-1)  # (B, T, V)
    index = ops.expand_dims(label_ids, axis=-1)  # (B, T, 1)
    of_labels = ops.squeeze(ops.take_along_axis(log_probabilities, index, axis=-1), -1)  # (B, T)
    is_real = ops.cast(label_mask, logits.dtype)  # (B, T)
    return -ops.sum(of_labels * is_real) / ops.sum(is_real)
