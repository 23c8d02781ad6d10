"""The loss of a language model that reads from both sides, in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient


def log_shares(logits, scores):
    """log softmax, or what a mistake makes of it; see `direction`."""
    kind = logits.dtype.type
    if scores == "softmax_twice":
        logits = softmax(logits, -1)
    shifted = logits - logits.max(axis=-1, keepdims=True)
    stable = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    shares = np.exp(stable)
    if scores in ("stable", "softmax_twice"):
        return stable
    if scores == "not_normalised":
        return logits
    if scores == "no_logarithm":
        return shares
    if scores == "over_positions":
        return np.log(softmax(logits, 1))
    if scores == "taken_for_probabilities":  # as Keras does unless it is told otherwise
        clipped = np.clip(logits, kind(1e-7), kind(1) - kind(1e-7))
        return np.log(clipped / clipped.sum(axis=-1, keepdims=True))
    if scores == "logarithm_late":
        return np.log(shares)
    if scores == "overflows":
        grown = np.exp(logits)
        return np.log(grown / grown.sum(axis=-1, keepdims=True))
    how, _, size = scores.partition("_1e-")
    small = kind(float(f"1e-{size}"))
    if how == "added":
        return np.log(shares + small)
    assert how == "clipped", scores
    return np.log(np.clip(shares, small, kind(1) - small))


def quotient(total, number):
    """NaN for 0 / 0, without NumPy's warning."""
    with np.errstate(all="ignore"):
        return total / number


# Of each direction: which positions of the states are scored, and which tokens they are to predict.
# The third is where the mask is read: at the label, or at the state that predicts.
REST, FRONT, ALL = slice(1, None), slice(None, -1), slice(None)
FORWARD = {
    "next": (FRONT, REST, REST),
    "mask_of_the_state": (FRONT, REST, FRONT),
    "own": (FRONT, FRONT, REST),
    "own_everywhere": (ALL, ALL, ALL),
    "previous": (REST, FRONT, REST),
    "previous_state": (REST, FRONT, FRONT),
    "two_on": (slice(None, -2), slice(2, None), slice(2, None)),
}
BACKWARD = {
    "previous": (REST, FRONT, REST),
    "mask_of_the_label": (REST, FRONT, FRONT),
    "own": (REST, REST, REST),
    "own_everywhere": (ALL, ALL, ALL),
    "next": (FRONT, REST, REST),
    "next_state": (FRONT, REST, FRONT),
    "two_back": (slice(2, None), slice(None, -2), slice(2, None)),
}


def direction(states, token_ids, padding_mask, score, where, scores, counted, denominator):
    """One direction's mean cross-entropy.

    Args:
        states: float (B, T, D).
        token_ids, padding_mask: (B, T).
        score: float (B, any, D) to float (B, any, V).
        where: the positions of states, labels and mask; or `rolled_left`, `rolled_right`, where
            labels are rolled and nothing is cut.
        scores, counted, denominator: the switches.

    Returns:
        float ().

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    if isinstance(where, str):
        shift = -1 if where == "rolled_left" else 1
        labels, mask = np.roll(token_ids, shift, axis=1), padding_mask
    else:
        states, labels, mask = (
            states[:, where[0]],
            token_ids[:, where[1]],
            padding_mask[:, where[2]],
        )
    logits = score(states)
    kind = logits.dtype.type
    try:
        each = -np.take_along_axis(log_shares(logits, scores), labels[..., None], axis=-1)[..., 0]
        real = mask.astype(logits.dtype)
        weight = {
            "real": real,
            "nonzero_ids": real,
            "nonzero_and_real": real,
            "nonzero_pairs": ((token_ids[:, 1:] != 0) & (token_ids[:, :-1] != 0)),
            "all": np.ones_like(real),
            "inverted": 1 - real,
            "nonzero_labels": (labels != 0).astype(logits.dtype),
            "mean_times_share": np.ones_like(real),
            "logits_zeroed": np.ones_like(real),
        }[counted]
        kept = each * weight
        if counted == "logits_zeroed":
            kept = np.where(mask, each, kind(np.log(logits.shape[-1])))
    except ValueError as error:
        raise shapes_clash() from error
    if counted == "mean_times_share":
        return each.mean() * real.mean()
    return {
        "predicted": lambda: quotient(kept.sum(), weight.sum()),
        "real_at_labels": lambda: kept.sum() / real.sum(),
        "real_tokens": lambda: kept.sum() / padding_mask.sum().astype(kind),
        "positions": lambda: kept.mean(),
        "all_positions": lambda: kept.sum() / kind(token_ids.size),
        "batch": lambda: kept.sum() / kind(len(kept)),
        "length": lambda: kept.sum() / kind(kept.shape[1]),
        "none": lambda: kept.sum(),
        "plus_one": lambda: kept.sum() / (weight.sum() + kind(1)),
        "rows": lambda: (kept.sum(1) / np.maximum(weight.sum(1), 1)).mean(),
        "columns": lambda: (kept.sum(0) / np.maximum(weight.sum(0), 1)).mean(),
        # A row with nothing to guess is 0 / 0 unless one takes care.
        "bare_rows": lambda: quotient(kept.sum(1), weight.sum(1)).mean(),
        "bare_columns": lambda: quotient(kept.sum(0), weight.sum(0)).mean(),
    }[denominator]()


def losses(
    forward_states,
    backward_states,
    token_ids,
    padding_mask,
    kernel,
    bias,
    *,
    forward_labels="next",
    backward_labels="previous",
    counted="real",
    denominator="predicted",
    scores="stable",
    layer="top",
    sides="own",
    joined="mean",
    unit="nats",
    sign="positive",
):
    """Loss of both directions together and of each; the switches say what went wrong."""

    def score(states):
        return states @ kernel + bias

    at = {
        "top": lambda states: states[-1],
        "bottom": lambda states: states[0],
        "summed": lambda states: sum(states),
        "averaged": lambda states: sum(states) / len(states),
    }[layer]
    forward, backward = at(forward_states), at(backward_states)
    guessed, known = token_ids != 0, padding_mask
    padding_mask = {"nonzero_ids": guessed, "nonzero_and_real": guessed & known}.get(counted, known)
    forward, backward = {
        "own": (forward, backward),
        "exchanged": (backward, forward),
        "forward_twice": (forward, forward),
        "backward_twice": (backward, backward),
        "summed": (forward + backward, forward + backward),
        "averaged": ((forward + backward) / 2, (forward + backward) / 2),
    }[sides]
    places = (
        FORWARD.get(forward_labels, forward_labels),
        BACKWARD.get(backward_labels, backward_labels),
    )
    given = token_ids, padding_mask, score
    first = direction(forward, *given, places[0], scores, counted, denominator)
    second = direction(backward, *given, places[1], scores, counted, denominator)
    kind = first.dtype.type
    factor = {"nats": kind(1), "bits": kind(1 / np.log(2))}[unit]
    factor = -factor if sign == "negative" else factor
    first, second = first * factor, second * factor
    whole = {
        "mean": lambda: (first + second) / 2,
        "sum": lambda: first + second,
        "forward_only": lambda: first,
        "backward_only": lambda: second,
        "product": lambda: first * second,
        "difference": lambda: first - second,
    }[joined]()
    return whole, first, second


@oracle(parts=("loss", "forward_loss", "backward_loss"))
@with_switches_of(losses)
def bilm_loss(
    forward_states,
    backward_states,
    token_ids,
    padding_mask,
    kernel,
    bias,
    *,
    returned="triple",
    **switches,
):
    """Loss of both directions together and of each.

    Args:
        forward_states, backward_states: lists of float (B, T, D), bottom layer first.
        token_ids: int (B, T).
        padding_mask: bool (B, T).
        kernel, bias: float (D, V) and (V,), of the layer that scores.
        returned, **switches: the switches.

    Returns:
        Three float (), unless ``returned`` says otherwise.
    """
    given = forward_states, backward_states, token_ids, padding_mask, kernel, bias
    whole, first, second = losses(*given, **switches)
    return {
        "triple": (whole, first, second),
        "loss": whole,
        "pair": (first, second),
        "loss_last": (first, second, whole),
        "sides_exchanged": (whole, second, first),
        "perplexities": (np.exp(whole), np.exp(first), np.exp(second)),
    }[returned]


@oracle(parts=("d_forward", "d_backward"), slow=True)
def bilm_loss_gradient(
    forward_states, backward_states, token_ids, padding_mask, kernel, bias, *, gradient="flows"
):
    """The loss's derivatives by both top layers, by finite differences.

    Args:
        forward_states, backward_states, token_ids, padding_mask, kernel, bias: as for `bilm_loss`.
        gradient: `flows`, `lost`, or `stopped_forward` or `stopped_backward` for one of the two.

    Returns:
        Two float (B, T, D).
    """
    tops = [forward_states[-1], backward_states[-1]]

    def loss(forward, backward):
        states = [*forward_states[:-1], forward], [*backward_states[:-1], backward]
        return losses(*states, token_ids, padding_mask, kernel, bias)[0]

    found = numeric_gradient(loss, tops, np.float64(1))
    open_ = {"flows": (1, 1), "lost": (0, 0), "stopped_forward": (0, 1), "stopped_backward": (1, 0)}
    return tuple(slope * each for slope, each in zip(found, open_[gradient], strict=True))
