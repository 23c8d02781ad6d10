"""How often a head looks at the right token: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.head_queries import averaged, turned


def _chosen(weights, candidates, choice):
    """The key that every query of every head chooses, int (B, N, T)."""
    allowed = np.broadcast_to(candidates[:, None, None, :], weights.shape)
    if choice == "inverted":
        allowed = ~allowed
    elif choice == "candidates_are_queries":
        allowed = np.broadcast_to(candidates[:, None, :, None], weights.shape)
    elif choice == "candidates_of_the_first_row":
        allowed = np.broadcast_to(candidates[:1, None, None, :], weights.shape)
    elif choice == "not_itself":
        allowed = allowed & ~np.eye(weights.shape[-1], dtype=bool)
    elif choice == "not_the_first":
        allowed = allowed & (np.arange(weights.shape[-1]) > 0)
    elif choice in ("anything", "anything_then_checked"):
        return weights.argmax(axis=-1)
    if choice in ("zeros_elsewhere", "candidates_are_queries"):
        return np.where(allowed, weights, 0).argmax(axis=-1)
    if choice == "smallest":
        return np.where(allowed, weights, 2).argmin(axis=-1)
    kept = np.where(allowed, weights, -1)
    if choice == "last_of_equals":
        return weights.shape[-1] - 1 - kept[..., ::-1].argmax(axis=-1)
    if choice == "place_among_candidates":
        before = candidates.cumsum(axis=1) - 1  # (B, T)
        places = np.broadcast_to(before[:, None, :], kept.shape[:2] + before.shape[1:])
        return np.take_along_axis(places, kept.argmax(axis=-1), axis=-1)
    return kept.argmax(axis=-1)


@oracle(parts=("accuracy",))
def head_relation_accuracy(
    weights,
    targets,
    candidates,
    *,
    choice="largest",
    axis="keys",
    counted="with_target",
    hit="chosen",
    average="queries",
    scale="share",
    refusal="raised",
):
    """The share of queries whose target is chosen, for every head.

    Args:
        weights: float (B, N, T, T).
        targets: int (B, T), -1 = none.
        candidates: bool (B, T).
        choice, axis, counted, hit, average, scale, refusal: the switches.

    Returns:
        float (N,), unless a switch says otherwise.

    Raises:
        Crash: no query has a target, as it should be; or where the mistake would raise.
    """
    weights = turned(weights, axis)
    kind = weights.dtype.type
    _, heads, length, _ = weights.shape
    asked = {
        "with_target": targets >= 0,
        "everything": np.ones_like(candidates),
        "candidates": candidates,
        "zero_is_none": targets > 0,
        "with_target_and_candidate": (targets >= 0) & candidates,
        "target_is_a_candidate": (
            (targets >= 0) & np.take_along_axis(candidates, targets % length, axis=1)
        ),
        "all_but_the_last": (targets >= 0) & (targets != length - 1),
    }[counted]
    if not asked.any():
        if refusal == "raised":
            raise Crash("ValueError")
        if refusal == "another_error":
            raise Crash
        return np.full(heads, {"zeros": 0.0, "nan": np.nan}[refusal], weights.dtype)
    choices = _chosen(weights, candidates, choice)
    aimed = np.broadcast_to(targets[:, None, :], choices.shape)
    at_target = np.take_along_axis(weights, aimed[..., None] % length, axis=-1)[..., 0]
    kept = np.where(candidates[:, None, None, :], weights, -1)
    hits = {
        "chosen": lambda: choices == aimed,
        "minus_one_is_the_last": lambda: choices == aimed % length,
        "weight": lambda: at_target,
        "share_of_candidates": lambda: at_target / np.maximum(kept, 0).sum(axis=-1),
        "as_large_as_any": lambda: at_target >= kept.max(axis=-1),
        "equal_to_the_largest": lambda: at_target == kept.max(axis=-1),
        "one_beside": lambda: np.abs(choices - aimed) <= 1,
        "above_half": lambda: at_target > 0.5,
        "misses": lambda: choices != aimed,
        "relative": lambda: choices - np.arange(length) == aimed,
        "query_chosen": lambda: np.arange(length) == aimed,
    }[hit]()
    if choice == "anything_then_checked":  # chosen freely, a hit if that is a candidate, too
        hits = hits & np.take_along_axis(
            np.broadcast_to(candidates[:, None, :], choices.shape), choices, axis=-1
        )
    found = averaged(hits.astype(kind), asked, average)
    if scale == "percent":
        return found * kind(100)
    if scale == "count":
        return found * kind(asked.sum())
    return found


@oracle(parts=("refused",))
def refused(*, refusal="raised"):
    """Whether a ValueError is raised where no query has a target."""
    if refusal not in ("raised", "zeros", "nan", "another_error"):
        raise Crash
    return np.asarray(refusal == "raised")
