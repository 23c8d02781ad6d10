"""Pieces of GPT: the whole model as one function, its loss, and the loss of fine-tuning."""

from keras import ops

from bert_keras.layers.masks import causal_mask, combine_masks
from bert_keras.models.losses import sparse_cross_entropy


def gpt_logits(token_ids, padding_mask, token_table, position_table, blocks):
    """Score every next token with a causal stack.

    The blocks are those of an encoder: there is no other sequence to look at, so what makes the
    stack a decoder is its mask alone. The output is tied: the last states are compared with the
    rows of the very table that the tokens came from.

    Args:
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        token_table: float tensor of shape (V, D).
        position_table: float tensor of shape (P, D), P at least T.
        blocks: list of callables such as `EncoderBlock`; `block(x, attention_mask=mask)` returns
            the pair of its output, of the shape of x, and its attention weights.

    Returns:
        float tensor of shape (B, T, V); position t scores token t + 1.

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
        section 3.1.
    """
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    return ops.matmul(x, ops.transpose(token_table))  # (B, T, V)


def causal_lm_loss(logits, token_ids, padding_mask):
    """Average the cross-entropy of every real token but the first, given those before it.

    Here, and nowhere else, the labels are shifted: the logits at position t are compared with
    token t + 1. What counts is the mask, not the id: where [EOS] also serves as padding, the real
    one is still predicted. A batch in which nothing is left to predict gives 0.

    Args:
        logits: float tensor of shape (B, T, V).
        token_ids: int tensor of shape (B, T), what the logits were computed from.
        padding_mask: bool tensor of shape (B, T), True at real tokens.

    Returns:
        float32 tensor of shape (), in nats; e to its power is the perplexity.

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
        equation 1.
    """
    token_ids = ops.convert_to_tensor(token_ids)
    scores = ops.cast(logits[:, :-1], "float32")  # (B, T - 1, V)
    per_token = sparse_cross_entropy(scores, token_ids[:, 1:])  # (B, T - 1)
    is_real = ops.cast(padding_mask[:, 1:], "float32")  # (B, T - 1)
    return ops.sum(per_token * is_real) / ops.maximum(ops.sum(is_real), 1.0)


def gpt_finetune_loss(class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight=0.5):
    """Add the loss of a task and a share of the language model's loss on the same texts.

    Args:
        class_logits: float tensor of shape (B, C).
        labels: int tensor of shape (B,), the right classes.
        lm_logits: float tensor of shape (B, T, V).
        token_ids: int tensor of shape (B, T).
        padding_mask: bool tensor of shape (B, T), True at real tokens.
        lm_weight: float, the λ of the paper, 0.5 there.

    Returns:
        float32 tensor of shape (), in nats.

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
        equation 5.
    """
    scores = ops.cast(class_logits, "float32")
    task_loss = ops.mean(sparse_cross_entropy(scores, ops.convert_to_tensor(labels)))
    return task_loss + lm_weight * causal_lm_loss(lm_logits, token_ids, padding_mask)


def last_real(x, padding_mask):
    """Pick the vector of the last real token of every sequence.

    Args:
        x: float tensor of shape (B, T, D).
        padding_mask: bool tensor of shape (B, T), True at real tokens, which stand on the left.

    Returns:
        float tensor of shape (B, D).
    """
    count = ops.sum(ops.cast(padding_mask, "int32"), axis=1)  # (B,)
    index = ops.maximum(count - 1, 0)[:, None, None]  # (B, 1, 1)
    return ops.squeeze(ops.take_along_axis(x, index, axis=1), axis=1)  # (B, D)
