"""Stand-ins of notebook ch03c: blocks without norms, a translator, and a language, all scripted."""

import math

import numpy as np

from autograder.messages import for_reader


class NotUnpacked(TypeError):
    """A block's whole result was handed on where one tensor is wanted."""


def _one(x, name):
    """Refuse a whole result of a block."""
    if isinstance(x, (tuple, list)):
        raise NotUnpacked(
            for_reader(
                f"{name} 是一块的全部返回值（{len(x)} 项：输出和注意力的权重），应当只是输出",
                f"{name} is all that a block returned ({len(x)} things: its output and attention "
                "weights); it should be the output alone",
            )
        )


def _closing(mask, scores, name):
    """Scores with closed keys taken out, for a mask as the course's blocks want it."""
    from keras import ops

    if mask is None:
        return scores
    mask = ops.convert_to_tensor(mask)
    if "bool" not in str(mask.dtype):
        raise TypeError(
            for_reader(
                f"{name} 的类型是 {mask.dtype}，应当是 bool（True = 可以看）",
                f"{name} has dtype {mask.dtype}, not bool (True = may attend)",
            )
        )
    # None stands for a size that isn't known yet.
    sizes, wanted = tuple(mask.shape), tuple(scores.shape)
    fits = len(sizes) == 3 and all(
        size in (1, want) or size is None or want is None
        for size, want in zip(sizes, wanted, strict=False)
    )
    if len(sizes) < 3:
        raise ValueError(
            for_reader(
                f"{name} 要有三个轴，能广播成 (B, T, S)；这里是 {sizes}，有 {len(sizes)} 个轴。"
                "因果掩码在前面加一个轴，成 (1, T, T)；填充掩码在中间加一个轴，成 (B, 1, S)",
                f"{name} should have three axes, which broadcast to (B, T, S); here it has "
                f"{len(sizes)}, {sizes}. A causal mask gets one more in front, (1, T, T), and a "
                "padding mask one in the middle, (B, 1, S)",
            )
        )
    if not fits:
        raise ValueError(
            for_reader(
                f"{name} 的形状 {sizes} 不能广播成 (B, T, S) = {wanted}",
                f"{name} has shape {sizes}, which doesn't broadcast to (B, T, S) = {wanted}",
            )
        )
    return ops.where(mask, scores, -3e4)


def _attend(x, source, kernels, mask, name):
    """One head of attention from x to a source, squashed; and its weights (B, 1, T, S)."""
    from keras import ops

    query, key, value = kernels
    asked, answers = ops.matmul(x, query), ops.matmul(source, key)
    scores = ops.matmul(asked, ops.swapaxes(answers, -2, -1)) / math.sqrt(query.shape[-1])
    weights = ops.softmax(_closing(mask, scores, name), axis=-1)
    return ops.tanh(ops.matmul(weights, ops.matmul(source, value))), weights[:, None]


def plain_encoder_block(kernels):
    """Makes `block(x, attention_mask=None)`, which returns the pair (x, weights).

    Args:
        kernels: float (3, D, D), for query, key and value.
    """

    def block(x, attention_mask=None):
        _one(x, "x")
        seen, weights = _attend(x, x, kernels, attention_mask, "attention_mask")
        return x + seen, weights

    return block


def plain_decoder_block(own, cross):
    """Makes `block(x, source, attention_mask=None, source_mask=None)`, with three results.

    Args:
        own, cross: float (3, D, D), for query, key and value of the two attentions.
    """

    def block(x, source, attention_mask=None, source_mask=None):
        _one(x, "x")
        _one(source, "source")
        seen, self_weights = _attend(x, x, own, attention_mask, "attention_mask")
        x = x + seen
        seen, cross_weights = _attend(x, source, cross, source_mask, "source_mask")
        return x + seen, self_weights, cross_weights

    return block


def plain_embeddings(table, positions):
    """Makes a function from ids (B, T) to vectors (B, T, D), positions included."""

    def embed(token_ids):
        from keras import ops

        if len(token_ids.shape) != 2:
            raise ValueError(f"{tuple(token_ids.shape)} ≠ (B, T)")
        return ops.take(table, token_ids, axis=0) + positions[: token_ids.shape[1]]

    return embed


def plain_score(kernel):
    """Makes a function from states (B, T, D) to logits (B, T, V)."""

    def score(x):
        from keras import ops

        _one(x, "x")
        return ops.matmul(x, kernel)

    return score


def _plain(x):
    from keras import ops

    return np.asarray(ops.convert_to_numpy(x))


def _real_mean(x, padding_mask):
    """The mean (B, D) of x (B, S, D) over the real tokens."""
    real = padding_mask.astype(x.dtype)[..., None]
    return (x * real).sum(axis=1) / np.maximum(real.sum(axis=1), 1)


class ScriptedTranslator:
    """A model that is scripted, and may get worse when it has to read the same source again.

    Args:
        table: float (V, D), the source's tokens.
        plans: float (V,), how many tokens a source that begins with this one is translated to, the
            end included; all 0 if the end is a token like others.
        kernel: float (D, V), from what was read to scores.
        scripts: float (L, V), scores for every place.
        echo: float (V, V), what a token that was said adds to later scores, faded.
        begin_id, end_id: int.
        tires: how much worse it gets with every time.
    """

    def __init__(self, table, plans, kernel, scripts, echo, begin_id, end_id, tires):
        self.table, self.plans, self.kernel, self.scripts, self.echo = (
            np.asarray(array, np.float32) for array in (table, plans, kernel, scripts, echo)
        )
        self.begin_id, self.end_id, self.tires = begin_id, end_id, tires
        self._times_read = {}

    def encode(self, token_ids, padding_mask):
        """Read sources: int (B, S) and bool (B, S) to float (B, S, D + 1)."""
        from keras import ops

        token_ids, padding_mask = _plain(token_ids), _plain(padding_mask)
        _alike("encode", token_ids=token_ids.shape, padding_mask=padding_mask.shape)
        read = self.table[token_ids]
        read = read + np.float32(0.5) * _real_mean(read, padding_mask)[:, None]
        first = token_ids[:, 0]
        times = np.array([self._times_read.get(int(token), 0) for token in first])
        for token in set(first.tolist()):
            self._times_read[token] = self._times_read.get(token, 0) + 1
        read = read + self.tires * times[:, None, None] * np.cos(np.arange(read.shape[-1]))
        plan = np.broadcast_to(self.plans[first][:, None, None], (*token_ids.shape, 1))
        return ops.convert_to_tensor(np.concatenate([read, plan], axis=-1).astype("float32"))

    def decode(self, target_ids, source, padding_mask):
        """Scores of the token after each: int (B, T), float (B, S, D + 1) to float (B, T, V)."""
        from keras import ops

        target_ids, source, padding_mask = map(_plain, (target_ids, source, padding_mask))
        _alike("decode", source=source.shape[:2], padding_mask=padding_mask.shape)
        if target_ids.ndim != 2 or len(target_ids) != len(source) or not target_ids.shape[1]:
            raise ValueError(
                for_reader(
                    f"decode: target_ids 的形状是 {target_ids.shape}，source 的是 {source.shape}，"
                    "应当是 (B, T) 和 (B, S, D)，T ≥ 1",
                    f"decode: target_ids has shape {target_ids.shape} and source {source.shape}, "
                    "not (B, T) and (B, S, D) with T ≥ 1",
                )
            )
        memory = _real_mean(np.tanh(source[..., :-1]), padding_mask) @ self.kernel
        places, heard = [], np.zeros_like(memory)
        for place in range(target_ids.shape[1]):
            heard = np.float32(0.5) * heard + self.echo[target_ids[:, place]]
            scores = self.scripts[min(place, len(self.scripts) - 1)] + memory + heard
            if self.plans.any():
                now = place == np.rint(source[:, 0, -1]) - 1
                scores[:, self.end_id] = np.where(now, 60, -40)
            scores[:, self.begin_id] = -40
            places.append(scores)
        return ops.convert_to_tensor(np.stack(places, axis=1).astype("float32"))


def _alike(what, **shapes):
    """Refuse shapes that are not the same."""
    if len(set(shapes.values())) > 1:
        told = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(
            for_reader(f"{what}: {told}，(B, S) 对不上", f"{what}: {told}: (B, S) differ")
        )


def scripted_language(scripts, echo):
    """Makes `next_log_probs(prefix)`, whose answer depends on place and on all that was said.

    Args:
        scripts: float (L, V), scores for every place.
        echo: float (V, V), what a token of the prefix adds to later scores, faded.
    """

    def next_log_probs(prefix):
        prefix = [int(token) for token in prefix]
        if not prefix:
            raise ValueError(
                for_reader(
                    "next_log_probs([])：前缀里至少有 begin_id",
                    "next_log_probs([]): a prefix has begin_id at least",
                )
            )
        heard = np.zeros_like(scripts[0])
        for token in prefix:
            heard = np.float32(0.6) * heard + echo[token]
        scores = scripts[min(len(prefix), len(scripts)) - 1] + heard
        shifted = scores - scores.max()
        return (shifted - np.log(np.exp(shifted).sum())).astype("float32")

    return next_log_probs


class PlainAttention:
    """The parts of a self-attention layer: four projections and a number of heads.

    Args:
        num_heads: int, N.
        *weights: kernel (D, D) and bias (D,) for query, key, value and output.
    """

    def __init__(self, num_heads, *weights):
        self.num_heads = num_heads
        self.hidden_dim = weights[0].shape[1]
        pairs = zip(weights[::2], weights[1::2], strict=True)
        self.query_dense, self.key_dense, self.value_dense, self.output_dense = (
            _dense(*pair) for pair in pairs
        )


def _dense(kernel, bias):
    def dense(x):
        from keras import ops

        return ops.matmul(x, kernel) + bias

    return dense


BUILDERS = {
    "plain_encoder_block": plain_encoder_block,
    "plain_decoder_block": plain_decoder_block,
    "plain_embeddings": plain_embeddings,
    "plain_score": plain_score,
    "scripted_translator": ScriptedTranslator,
    "scripted_language": scripted_language,
    "plain_attention": PlainAttention,
}
