"""What the measuring notebook's answers must give, in NumPy, with the mistakes as switches."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import oracle


@oracle()
def positions(length, width, *, halves="sines_first", rate="features"):
    """Position codes (length, width)."""
    half = width // 2
    steps = half if rate == "features" else width
    rates = np.exp(-math.log(10000.0) * np.arange(half) / steps)
    angles = np.arange(length)[:, None] * rates
    parts = [np.sin(angles), np.cos(angles)]
    if halves == "interleaved":
        return np.stack(parts, axis=-1).reshape(length, width)
    return np.concatenate(parts if halves == "sines_first" else parts[::-1], axis=-1)


@oracle()
def masked_mean(x, mask, *, counted="real_words"):
    """Mean over real words, (B, D)."""
    if counted == "padding_too":
        return x.mean(axis=1)
    kept = mask[:, :, None].astype(x.dtype)
    total = (x * kept).sum(axis=1)
    count = x.shape[1] if counted == "all_positions" else kept.sum(axis=1)
    return total / count


@oracle()
def attend(query, key, value, mask, *, scale="root", masking="before"):
    """Masked attention, (B, T, V)."""
    scores = query @ np.swapaxes(key, -1, -2)
    width = query.shape[-1]
    scores = scores / {"root": math.sqrt(width), "none": 1.0, "width": float(width)}[scale]
    if masking == "before":
        scores = np.where(mask, scores, scores.dtype.type(-1e4))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if masking == "after":
        weights = weights * mask
    return weights @ value


@oracle()
def normalise(x, scale, shift, epsilon, *, root="of_variance", spread="population"):
    """Layer normalisation of the last axis."""
    centred = x - x.mean(axis=-1, keepdims=True)
    freedom = x.shape[-1] - (spread == "sample")
    variance = (centred**2).sum(axis=-1, keepdims=True) / freedom
    divisor = variance + epsilon if root == "forgotten" else np.sqrt(variance + epsilon)
    return centred / divisor * scale + shift


@oracle()
def feed_forward(x, weights, *, residual="added", activation="relu"):
    """x + narrow(relu(widen(x)))."""
    hidden = x @ weights["widen.kernel"] + weights["widen.bias"]
    if activation == "relu":
        hidden = np.maximum(hidden, 0)
    out = hidden @ weights["narrow.kernel"] + weights["narrow.bias"]
    return x + out if residual == "added" else out


def feed_forward_gradient(x, weights, cotangent):
    """d sum(feed_forward(x) * cotangent) / dx, by hand."""
    hidden = x @ weights["widen.kernel"] + weights["widen.bias"]
    back = (cotangent @ weights["narrow.kernel"].T) * (hidden > 0)
    return cotangent + back @ weights["widen.kernel"].T


@oracle()
def scores(ids, table, kernel):
    """NextWord's scores."""
    return table[ids] @ kernel


@oracle()
def loss(ids, given, *, mean="over_real", shift="next"):
    """next_word_loss."""
    return _loss_and_slope(ids, given, mean, shift)[0]


@oracle(parts=("losses", "table", "kernel"))
def training(
    ids,
    table,
    kernel,
    steps,
    rate,
    *,
    mean="over_real",
    shift="next",
    direction="down",
    still="nothing",
):
    """Losses of single steps and the weights after them; the gradient is written out by hand."""
    losses = []
    sign = 1 if direction == "down" else -1
    if direction == "without_rate":
        rate = 1.0
    for _ in range(steps):
        rows = table[ids]
        value, slope = _loss_and_slope(ids, rows @ kernel, mean, shift)
        losses.append(value)
        to_kernel = np.einsum("btd,btv->dv", rows, slope)
        to_table = np.zeros_like(table)
        np.add.at(to_table, ids, slope @ kernel.T)
        if still != "kernel":
            kernel = kernel - sign * rate * to_kernel
        if still != "table":
            table = table - sign * rate * to_table
    return np.array(losses, table.dtype), table, kernel


def _loss_and_slope(ids, given, mean, shift):
    """The loss and its derivative by the scores, (B, T, V): softmax minus one-hot, by weight."""
    batch, length, vocabulary = given.shape
    places = {"next": slice(0, length - 1), "same": slice(0, length), "last": slice(1, length)}
    words = {"next": slice(1, length), "same": slice(0, length), "last": slice(0, length - 1)}
    wanted, guesses = ids[:, words[shift]], given[:, places[shift]]
    top = guesses.max(axis=-1, keepdims=True)
    logs = guesses - top - np.log(np.exp(guesses - top).sum(axis=-1, keepdims=True))
    chosen = np.eye(vocabulary, dtype=given.dtype)[wanted]
    real = (wanted != 0).astype(given.dtype)
    share = {
        "over_real": real / real.sum(),
        "over_all": real / real.size,
        "of_rows": real / real.sum(axis=1, keepdims=True) / batch,
        "no_mean": real,
    }[mean]
    slope = np.zeros_like(given)
    slope[:, places[shift]] = (np.exp(logs) - chosen) * share[..., None]
    return -(chosen * logs).sum(axis=-1).ravel() @ share.ravel(), slope
