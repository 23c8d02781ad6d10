"""The continuous bag of words in NumPy, with a switch for every known mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _hidden(context_ids, embedding, combine, padding, empty, ids):
    """The vector that stands for the words around each target."""
    real = (context_ids != 0)[..., None]  # (B, C, 1)
    rows = {"right": context_ids, "one_less": context_ids - 1, "one_more": context_ids + 1}[ids]
    if ids == "one_more" and rows.max() >= len(embedding):
        raise Crash
    if ids == "one_less":
        rows = np.where(real[..., 0], rows, 0)
    vectors = embedding[rows]  # (B, C, D)
    if padding in ("left_out", "counted"):
        vectors = vectors * real  # else the row of word 0 is among them
    count = real.sum(axis=1)  # (B, 1)
    if padding in ("taken_along", "counted"):
        count = np.full_like(count, context_ids.shape[1])
    count = count.astype(embedding.dtype)
    safe = np.maximum(count, 1)
    if combine == "mean":
        hidden = vectors.sum(axis=1) / (count if empty == "nan" else safe)
    elif combine == "sum":
        hidden = vectors.sum(axis=1)
    elif combine == "root":
        hidden = vectors.sum(axis=1) / np.sqrt(safe)
    elif combine == "count_and_one":
        hidden = vectors.sum(axis=1) / (count + 1)
    elif combine.startswith("count_and_1e-"):
        small = float(combine.removeprefix("count_and_"))
        hidden = vectors.sum(axis=1) / (count + np.asarray(small, count.dtype))
    elif combine == "max":
        hidden = vectors.max(axis=1)
    elif combine == "first":
        hidden = vectors[:, 0]
    elif combine == "last":
        hidden = vectors[:, -1]
    elif combine == "distinct":
        kinds = np.zeros((len(context_ids), len(embedding)), embedding.dtype)
        for row, words in zip(kinds, context_ids, strict=True):
            row[words[words != 0]] = 1
        hidden = kinds @ embedding / np.maximum(kinds.sum(axis=1, keepdims=True), 1)
    elif combine == "unit_vectors":
        size = np.linalg.norm(vectors, axis=-1, keepdims=True)
        hidden = (vectors / np.maximum(size, 1e-12)).sum(axis=1) / safe
    elif combine == "batch_mean":
        hidden = np.broadcast_to(
            vectors.sum(axis=(0, 1)) / max(count.sum(), 1), (len(context_ids), embedding.shape[1])
        ).copy()
    else:
        raise ValueError(combine)
    return {"zeros": hidden, "nan": hidden}[empty]


def forward(
    context_ids,
    embedding,
    output_embedding,
    combine="mean",
    padding="left_out",
    empty="zeros",
    ids="right",
    tables="two",
    squash="none",
):
    """Hidden vectors and logits; the arguments after the tables are switches."""
    if tables == "swapped":
        embedding, output_embedding = output_embedding, embedding
    elif tables == "tied":
        output_embedding = embedding
    elif tables == "tied_output":
        embedding = output_embedding
    hidden = _hidden(context_ids, embedding, combine, padding, empty, ids)
    if squash == "tanh":
        hidden = np.tanh(hidden)
    elif squash == "relu":
        hidden = np.maximum(hidden, 0)
    elif squash == "unit":
        hidden = hidden / np.maximum(np.linalg.norm(hidden, axis=-1, keepdims=True), 1e-12)
    logits = hidden @ output_embedding.T
    if squash == "scaled":
        logits = logits / np.sqrt(embedding.shape[1]).astype(logits.dtype)
    elif squash == "cosine":
        sizes = np.linalg.norm(hidden, axis=-1)[:, None] * np.linalg.norm(output_embedding, axis=-1)
        logits = logits / np.maximum(sizes, 1e-12)
    return hidden, logits


def log_softmax(logits, axis=-1):
    """The logarithm of a softmax, without a detour through numbers that become 0."""
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def softmax(logits, axis=-1):
    """Shares that sum to one along an axis."""
    return np.exp(log_softmax(logits, axis))


@oracle(parts=("hidden", "logits"))
def cbow_forward(
    context_ids,
    embedding,
    output_embedding,
    *,
    combine="mean",
    padding="left_out",
    empty="zeros",
    ids="right",
    tables="two",
    squash="none",
    inside="tensors",
    traced=False,
    returned="pair",
):
    """Mean of the context's vectors, and its dot products with all output vectors.

    Args:
        context_ids: int (B, C), 0 = nobody.
        embedding: float (V, D).
        output_embedding: float (V, D).
        traced: bool, whether there are only tensors without numbers, as while a graph is made.
        combine, padding, empty, ids, tables, squash, inside, returned: the switches.

    Returns:
        float (B, D) and (B, V).
    """
    if traced and inside == "numbers":
        raise Crash
    hidden, logits = forward(
        context_ids, embedding, output_embedding, combine, padding, empty, ids, tables, squash
    )
    if returned == "probabilities":
        return hidden, softmax(logits)
    if returned == "log_probabilities":
        return hidden, log_softmax(logits)
    if returned == "sigmoid":
        return hidden, 1 / (1 + np.exp(-logits))
    if returned == "swapped":
        return logits, hidden
    if returned == "logits_only":
        return logits
    if returned == "hidden_only":
        return hidden
    return hidden, logits


def finite(pair):
    """One bool for each row of a result (hidden, logits): is everything in it finite?"""
    hidden, logits = (np.asarray(part, float) for part in pair)
    return np.isfinite(hidden).all(axis=-1) & np.isfinite(logits).all(axis=-1)


@oracle(parts=("rows are finite",))
def finite_rows(
    context_ids, embedding, output_embedding, *, combine="mean", padding="left_out", empty="zeros"
):
    """Which examples get finite numbers: all of them, if nothing divides by zero.

    Args:
        context_ids, embedding, output_embedding, combine, padding, empty: as for `cbow_forward`.

    Returns:
        bool (B,).
    """
    return finite(forward(context_ids, embedding, output_embedding, combine, padding, empty))
