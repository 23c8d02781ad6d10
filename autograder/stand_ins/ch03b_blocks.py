"""What the cases of ch03b_blocks hand over: branches, norms, and the six parts of a block."""

import types

EPSILON = 0.1  # of every norm, added to the variance inside the root


def branch(kernel, mixing):
    """A branch whose tokens look at each other.

    Args:
        kernel: float (D, D).
        mixing: float (T, T), how much each token takes of each.

    Returns:
        A function of a tensor (B, T, D): tanh(mixing x kernel) + mixing x.
    """

    def run(x):
        from keras import ops

        mixed = ops.matmul(ops.convert_to_tensor(mixing), x)
        return ops.tanh(ops.matmul(mixed, kernel)) + mixed

    return run


def norm(gamma, beta):
    """A layer normalisation with these weights.

    Args:
        gamma, beta: float (D,).

    Returns:
        A function of a tensor (..., D).
    """

    def run(x):
        from keras import ops

        centred = x - ops.mean(x, axis=-1, keepdims=True)
        variance = ops.mean(ops.square(centred), axis=-1, keepdims=True)
        return gamma * centred / ops.sqrt(variance + EPSILON) + beta

    return run


def residual_post_ln(x, branch, norm):
    """The exercise of that name, lent to blocks that are built on it."""
    return norm(x + branch(x))


def residual_pre_ln(x, branch, norm):
    """The exercise of that name, lent to blocks that are built on it."""
    return x + branch(norm(x))


def attention(num_heads, weights):
    """Multi-head attention with these weights.

    Args:
        num_heads: int N.
        weights: dict of "query_dense.kernel" and so on.

    Returns:
        A function like `MultiHeadAttention`, of query, key, value and attention_mask.
    """

    def run(query, key, value, attention_mask=None):
        from keras import ops

        def heads(x, name):
            x = ops.matmul(x, weights[f"{name}.kernel"]) + weights[f"{name}.bias"]
            size = x.shape[-1] // num_heads
            return ops.reshape(x, (*ops.shape(x)[:-1], num_heads, size))  # (B, T, N, H)

        asked, answered = heads(query, "query_dense"), heads(key, "key_dense")
        scores = ops.einsum("btnh,bsnh->bnts", asked, answered) / asked.shape[-1] ** 0.5
        if attention_mask is not None:
            scores = ops.where(ops.expand_dims(attention_mask, 1), scores, -3e4)
        shown = ops.softmax(scores, axis=-1)
        mixed = ops.einsum("bnts,bsnh->btnh", shown, heads(value, "value_dense"))
        mixed = ops.reshape(mixed, (*ops.shape(mixed)[:2], -1))
        output = ops.matmul(mixed, weights["output_dense.kernel"]) + weights["output_dense.bias"]
        return output, shown

    return run


def feed_forward(weights):
    """Two dense layers with a ReLU between them.

    Args:
        weights: dict of "intermediate_dense.kernel" and so on.

    Returns:
        A function of a tensor (..., D).
    """

    def run(x):
        from keras import ops

        kernel, bias = weights["intermediate_dense.kernel"], weights["intermediate_dense.bias"]
        middle = ops.relu(ops.matmul(x, kernel) + bias)
        return ops.matmul(middle, weights["output_dense.kernel"]) + weights["output_dense.bias"]

    return run


def parts_of_a_decoder_block(num_heads, names, *arrays):
    """The six parts of a decoder block under the names that they have in one.

    Args:
        num_heads: int N.
        names: list of attribute paths, "self_attention.query_dense.kernel" and so on.
        *arrays: the weights in the same order.

    Returns:
        An object with `self_attention`, `cross_attention`, `feed_forward`, and a norm for each.
    """
    parts = {}
    for path, array in zip(names, arrays, strict=True):
        part, _, rest = path.partition(".")
        parts.setdefault(part, {})[rest] = array
    made = {
        "self_attention": attention(num_heads, parts["self_attention"]),
        "cross_attention": attention(num_heads, parts["cross_attention"]),
        "feed_forward": feed_forward(parts["feed_forward"]),
    }
    for part in list(made):
        own = parts[f"{part}_layer_norm"]
        made[f"{part}_layer_norm"] = norm(own["gamma"], own["beta"])
    return types.SimpleNamespace(**made)


BUILDERS = {
    "branch": branch,
    "norm": norm,
    "parts_of_a_decoder_block": parts_of_a_decoder_block,
}
