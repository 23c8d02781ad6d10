"""Where among the layers something lies: mixes and expected layers, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _weights(logits, weighing, stable):
    """Weights of the layers, (L + 1,)."""
    kind = logits.dtype.type
    if weighing == "logits":
        return logits
    if weighing == "shares_of_logits":
        return logits / logits.sum()
    if weighing == "sigmoid":
        return 1 / (1 + np.exp(-logits))
    if weighing == "equal":
        return np.full_like(logits, 1 / len(logits))
    if weighing == "largest_only":
        return np.eye(len(logits), dtype=kind)[logits.argmax()]
    if weighing == "base_2":
        grown = np.exp2(logits - logits.max())
        return grown / grown.sum()
    if weighing == "length_one":
        grown = np.exp(logits - logits.max())
        return grown / np.sqrt((grown**2).sum())
    if weighing == "turned":
        logits = -logits
    if weighing == "not_divided":
        return np.exp(logits)
    if weighing == "not_divided_but_shifted":
        return np.exp(logits - logits.max())
    grown = np.exp(logits if stable == "not" else logits - logits.max())
    weights = grown / grown.sum()
    return np.log(weights) if weighing == "logarithms" else weights


@oracle(parts=("mixed", "centre"))
def scalar_mix_probe(
    layers,
    logits,
    *,
    weighing="softmax",
    stable="yes",
    embeddings="mixed",
    mean="sum",
    counted="from_zero",
    axis="layers",
    returned="both",
):
    """The mix of all layers and where its weights lie.

    Args:
        layers: float (L + 1, n, D).
        logits: float (L + 1,).
        weighing, stable, embeddings, mean, counted, axis, returned: the switches.

    Returns:
        float (n, D) and a number, unless a switch says otherwise.

    Raises:
        Crash: where the mistake would raise.
    """
    # Single precision overflows sooner; what is told apart here is what double precision does.
    kind, logits = layers.dtype.type, logits.astype(np.float64)
    numbers = np.arange(len(logits), dtype=np.float64)
    if embeddings == "left_out":
        weights = np.concatenate([[0.0], _weights(logits[1:], weighing, stable)])
    else:
        weights = _weights(logits, weighing, stable)
    if axis == "examples":
        if layers.shape[1] != len(weights):
            raise Crash("ValueError")
        mixed = np.einsum("lnd,n->ld", layers, weights.astype(kind))
    elif axis == "features":
        if layers.shape[2] != len(weights):
            raise Crash("ValueError")
        mixed = layers @ weights.astype(kind)
    else:
        used = weights.copy()
        if embeddings == "weighed_and_dropped":
            used[0] = 0
        mixed = np.einsum("lnd,l->nd", layers, used.astype(kind))
    if mean == "mean":
        mixed = mixed / kind(len(weights))
    elif mean == "summed_over_examples":
        mixed = mixed.sum(axis=0)
    centre = {
        "from_zero": lambda: weights @ numbers,
        "from_one": lambda: weights @ (numbers + 1),
        "over_depth": lambda: weights @ numbers / max(len(weights) - 1, 1),
        "over_layers": lambda: weights @ numbers / len(weights),
        "largest": lambda: weights.argmax(),
        "by_logits": lambda: logits @ numbers,
        "from_the_top": lambda: weights @ numbers[::-1],
    }[counted]()
    if counted == "largest":
        centre = np.float64(centre)
    centre = np.asarray(centre)
    if returned == "turned":
        return centre, mixed
    return mixed if returned == "mixed_alone" else (mixed, centre)


def expected_layer(
    scores,
    *,
    gains="of_neighbours",
    losses="negative",
    counted="from_one",
    divisor="gains",
    returned="mean",
    refusal="raised",
):
    """The layer that solves a task, on average.

    Args:
        scores: float (L + 1,).
        gains, losses, counted, divisor, returned, refusal: the switches.

    Returns:
        A number.

    Raises:
        Crash: as it should be, or where the mistake would raise.
    """
    kind = scores.dtype.type
    steps = np.diff(scores)
    if refusal == "not_above_zero" and steps.sum() <= 0:
        raise Crash("ValueError")
    if refusal.startswith("any_loss") and (steps < 0).any():
        raise Crash("ValueError")
    gained = {
        "of_neighbours": lambda: steps,
        "scores": lambda: scores[1:],
        "over_the_embeddings": lambda: scores[1:] - scores[0],
        "the_last_missing": lambda: np.append(steps[:-1], kind(0)),
        "the_first_missing": lambda: np.append(kind(0), steps[1:]),
        "relative": lambda: steps / scores[:-1],
        "to_the_top": lambda: scores[-1] - scores[:-1],
    }[gains]()
    if losses == "left_out":
        gained = np.maximum(gained, 0)
    elif losses == "absolute":
        gained = np.abs(gained)
    elif losses == "squared":
        gained = gained**2
    numbers = np.arange(len(gained)).astype(scores.dtype) + kind(counted == "from_one")
    below = {
        "gains": lambda: gained.sum(),
        "not_divided": lambda: kind(1),
        "layers": lambda: kind(len(gained)),
        "all_layers": lambda: kind(len(scores)),
        "last_score": lambda: scores[-1],
        "scores": lambda: scores.sum(),
        "best_gain": lambda: scores.max() - scores[0],
        "numbers": lambda: numbers.sum(),
        "absolute_gains": lambda: np.abs(gained).sum(),
        "gains_of_all": lambda: steps.sum(),
    }[divisor]()
    return np.asarray(
        {
            "mean": lambda: (gained * numbers).sum() / below,
            "best_layer": lambda: kind(scores.argmax()),
            "best_gain": lambda: numbers[gained.argmax()],
            "share_of_depth": lambda: (gained * numbers).sum() / below / kind(len(gained)),
        }[returned]()
    )


@oracle(parts=("layers",))
def expected_layers(
    sets,
    *,
    gains="of_neighbours",
    losses="negative",
    counted="from_one",
    divisor="gains",
    returned="mean",
    refusal="raised",
):
    """The same for several lists of scores, which say more than one of a mistake that was made.

    Args:
        sets: list of S float arrays.
        gains, losses, counted, divisor, returned, refusal: the switches of `expected_layer`.

    Returns:
        float (S,).

    Raises:
        Crash: where the mistake would raise for one of them.
    """
    found = [
        expected_layer(
            scores,
            gains=gains,
            losses=losses,
            counted=counted,
            divisor=divisor,
            returned=returned,
            refusal=refusal,
        )
        for scores in sets
    ]
    return np.stack(found)


@oracle(parts=("refused",))
def refused(*, refusal="raised"):
    """Whether a ValueError is raised where nothing is gained in all: by ups and downs, by nothing.

    Who takes losses to be 0, or to be gains, finds something gained in the first of the two, if it
    is that sum that is looked at.
    """
    told = {
        "raised": (True, True),
        "not_above_zero": (True, True),
        "any_loss": (True, False),
        "any_loss_or_no_gain": (True, True),
        "own_sum": (False, True),
    }
    return np.array(told.get(refusal, (False, False)))
