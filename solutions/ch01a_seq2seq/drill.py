"""The debugging drill: six broken versions of one training step, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "inputs_not_shifted": Bug(
        name="the decoder is given the labels themselves / 解码器拿到的就是标签",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, context = masked_unroll(encode, source, (zeros, zeros), source_mask)
    input_ids, label_ids, label_mask = token_ids[:, 1:], token_ids[:, 1:], token_mask[:, 1:]
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, context, everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, context = masked_unroll(encode, source, (zeros, zeros), source_mask)
    input_ids, label_ids, label_mask = token_ids[:, :-1], token_ids[:, 1:], token_mask[:, 1:]
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, context, everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
    ),
    "source_padding_read": Bug(
        name="the encoder reads the padding / 编码器把填充也读了",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, context = masked_unroll(encode, source, (zeros, zeros), ops.ones_like(source_mask))
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, context, everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, context = masked_unroll(encode, source, (zeros, zeros), source_mask)
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, context, everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
    ),
    "carry_not_handed_over": Bug(
        name="the decoder gets the state twice / 解码器拿到了两份状态",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, (state, carry) = masked_unroll(encode, source, (zeros, zeros), source_mask)
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, (state, state), everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""

    def encode(x, state, carry):
        return lstm_step(x, state, carry, *weights["encoder"])

    def decode(x, state, carry):
        return lstm_step(x, state, carry, *weights["decoder"])

    source = ops.take(weights["source_embedding"], source_ids, axis=0)  # (B, S, E)
    zeros = ops.zeros((source_ids.shape[0], weights["output_kernel"].shape[0]))  # (B, H)
    _, (state, carry) = masked_unroll(encode, source, (zeros, zeros), source_mask)
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    target = ops.take(weights["target_embedding"], input_ids, axis=0)  # (B, T, F)
    everywhere = ops.ones(input_ids.shape, dtype="bool")  # (B, T)
    outputs, _ = masked_unroll(decode, target, (state, carry), everywhere)  # (B, T, H)
    logits = ops.matmul(outputs, weights["output_kernel"]) + weights["output_bias"]
    return logits, sequence_loss(logits, label_ids, label_mask)
''',
    ),
    "target_padding_counted": Bug(
        name="padding counts in the loss / 填充算进了损失",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    chances = ops.take_along_axis(ops.log_softmax(logits), label_ids[..., None], axis=-1)[..., 0]
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    return logits, -ops.sum(chances) / ops.sum(is_real)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    chances = ops.take_along_axis(ops.log_softmax(logits), label_ids[..., None], axis=-1)[..., 0]
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    return logits, -ops.sum(chances * is_real) / ops.sum(is_real)
''',
    ),
    "mask_after_the_mean": Bug(
        name="the mask is used when only a mean is left / 只剩平均数了才用掩码",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    chances = ops.take_along_axis(ops.log_softmax(logits), label_ids[..., None], axis=-1)[..., 0]
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = -ops.mean(chances)
    return logits, ops.sum(loss * is_real) / ops.sum(is_real)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    chances = ops.take_along_axis(ops.log_softmax(logits), label_ids[..., None], axis=-1)[..., 0]
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    loss = -chances
    return logits, ops.sum(loss * is_real) / ops.sum(is_real)
''',
    ),
    "softmax_twice": Bug(
        name="a softmax before the loss's own / 损失之前已经做过一次 softmax",
        source='''
def patient(source_ids, source_mask, token_ids, token_mask, weights):
    """One training step's logits and loss; it runs, and it has one bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    scores = ops.exp(logits - ops.max(logits, axis=-1, keepdims=True))  # (B, T, V)
    scores = scores / ops.sum(scores, axis=-1, keepdims=True)
    wanted = ops.one_hot(label_ids, logits.shape[-1])  # (B, T, V)
    each = ops.logsumexp(scores, axis=-1) - ops.sum(scores * wanted, axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    return logits, ops.sum(each * is_real) / ops.sum(is_real)
''',
        fixed='''
def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    """The same training step without its bug."""
    input_ids, label_ids, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, input_ids, weights)  # (B, T, V)
    scores = logits - ops.max(logits, axis=-1, keepdims=True)  # (B, T, V)
    wanted = ops.one_hot(label_ids, logits.shape[-1])  # (B, T, V)
    each = ops.logsumexp(scores, axis=-1) - ops.sum(scores * wanted, axis=-1)  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    return logits, ops.sum(each * is_real) / ops.sum(is_real)
''',
    ),
}
