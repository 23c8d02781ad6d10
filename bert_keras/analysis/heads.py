"""What an attention head looks at, as numbers: how wide, how far, at what, like which other.

Everything takes NumPy arrays and computes in float64. `weights` are attention weights after the
softmax, [row, head, query, key]; `padding_mask` is True at real tokens. Padding queries never
count, and a mean runs over all queries of all rows at once, so a long row counts more. In words,
heads are called layer-head from 1: head 3-1 is the first of the third layer.
"""

import numpy as np


def attention_of(backbone, inputs, batch_size=32):
    """The attention weights of every layer, as an array.

    Args:
        backbone: `BertBackbone`.
        inputs: dict of arrays of B rows, what the backbone is called with.
        batch_size: int, rows at a time.

    Returns:
        float32 array of shape (L, B, N, T, T).
    """
    count, parts = len(inputs["token_ids"]), []
    for start in range(0, count, batch_size):
        some = {name: array[start : start + batch_size] for name, array in inputs.items()}
        layers = backbone.all_states(some)["attention_weights"]
        parts.append(np.stack([np.asarray(weights, "float32") for weights in layers]))
    return np.concatenate(parts, axis=1)


def attention_entropy(weights, padding_mask):
    """How widely each head looks: the mean entropy of its rows.

    Args:
        weights: float array of shape (B, N, T, T), attention weights, [row, head, query, key].
        padding_mask: bool array of shape (B, T), True = a real token.

    Returns:
        float64 array of shape (N,), in nats: the mean over all real queries.
    """
    weights = np.asarray(weights, dtype="float64")
    logarithms = np.log(np.where(weights > 0, weights, 1.0))  # 0 where the weight is 0
    entropy = -np.sum(weights * logarithms, axis=-1)  # (B, N, T)
    of_real_queries = np.swapaxes(entropy, 1, 2)[padding_mask]  # (Q, N)
    return of_real_queries.mean(axis=0)  # (N,)


def attention_distance(weights, padding_mask):
    """How far each head looks: the mean number of tokens between query and key, by weight.

    Args:
        weights: float array of shape (B, N, T, T), attention weights, [row, head, query, key].
        padding_mask: bool array of shape (B, T), True = a real token.

    Returns:
        float64 array of shape (N,), in tokens: the mean over all real queries.
    """
    weights = np.asarray(weights, dtype="float64")
    places = np.arange(weights.shape[-1])
    steps = np.abs(places[:, None] - places[None, :])  # (T, T)
    distance = np.sum(weights * steps, axis=-1)  # (B, N, T)
    of_real_queries = np.swapaxes(distance, 1, 2)[padding_mask]  # (Q, N)
    return of_real_queries.mean(axis=0)  # (N,)


def mass_on_special(weights, special_mask, padding_mask):
    """How much of their attention words give to special tokens, for each head.

    Args:
        weights: float array of shape (B, N, T, T), attention weights, [row, head, query, key].
        special_mask: bool array of shape (B, T), True = a special token.
        padding_mask: bool array of shape (B, T), True = a real token.

    Returns:
        float64 array of shape (N,), shares from 0 to 1: the mean over all real queries that are
        no special tokens themselves.
    """
    weights = np.asarray(weights, dtype="float64")
    to_special = np.sum(weights * special_mask[:, None, None, :], axis=-1)  # (B, N, T)
    words = padding_mask & ~special_mask  # (B, T)
    return np.swapaxes(to_special, 1, 2)[words].mean(axis=0)  # (N,)


def head_relation_accuracy(weights, targets, candidates):
    """How often each head looks at the right token, if it may choose among candidates only.

    Args:
        weights: float array of shape (B, N, T, T), attention weights, [row, head, query, key].
        targets: int array of shape (B, T), the key that is right for each query; -1 = none.
        candidates: bool array of shape (B, T), True = this key may be chosen.

    Returns:
        float64 array of shape (N,), shares from 0 to 1 of all queries that have a target.

    Raises:
        ValueError: no query has a target.
    """
    asked = targets >= 0  # (B, T)
    if not asked.any():
        raise ValueError("no query has a target")
    open_weights = np.where(candidates[:, None, None, :], weights, -1.0)  # below every weight
    chosen = open_weights.argmax(axis=-1)  # (B, N, T), of equals the first
    right = chosen == targets[:, None, :]
    return np.swapaxes(right, 1, 2)[asked].mean(axis=0)  # (N,)


def head_similarity(weights, padding_mask):
    """How alike heads are: 1 - JSD / ln 2 of their rows, the divergence averaged over queries.

    Args:
        weights: float array of shape (B, N, T, T), attention weights, [row, head, query, key];
            heads of several layers may stand side by side along N.
        padding_mask: bool array of shape (B, T), True = a real token.

    Returns:
        float64 array of shape (N, N), symmetric, from 0 (nothing in common) to 1 (the same rows).
    """
    weights = np.asarray(weights, dtype="float64")
    rows = np.swapaxes(weights, 1, 2)[padding_mask]  # (Q, N, T)

    def entropy(p):
        return -np.sum(p * np.log(np.where(p > 0, p, 1.0)), axis=-1)

    own = entropy(rows)  # (Q, N)
    similarity = []
    for head in range(rows.shape[1]):  # against all at once: (Q, N, N, T) would be too large
        mixed = (rows + rows[:, head : head + 1]) / 2  # (Q, N, T)
        divergence = entropy(mixed) - (own + own[:, head : head + 1]) / 2  # (Q, N)
        similarity.append(1 - divergence.mean(axis=0) / np.log(2))
    return np.stack(similarity)


def map_of_heads(similarity):
    """Put heads on a plane so that those that are alike stand together: classical scaling.

    Args:
        similarity: float array of shape (N, N), from `head_similarity`.

    Returns:
        float64 array of shape (N, 2): the plane in which as much of the squared distances as
        possible is kept, where a distance is 1 minus the similarity.
    """
    squares = (1.0 - np.asarray(similarity, dtype="float64")) ** 2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)  # ascending
    plane = np.zeros((len(squares), 2))  # a single head has no second axis
    longest = slice(None, -3, -1)  # the longest axis first
    plane[:, : len(values[longest])] = vectors[:, longest] * np.sqrt(np.maximum(values[longest], 0))
    # An axis may point either way; this end is the one with the largest number.
    signs = np.sign(plane[np.abs(plane).argmax(axis=0), np.arange(2)])
    return plane * np.where(signs == 0, 1.0, signs)
