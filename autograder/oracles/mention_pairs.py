"""A pronoun beside each of its candidates, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash


def _mentions(x, mask, mean):
    """A vector for every mention, (B, M, D)."""
    inside = mask.astype(x.dtype)  # (B, M, T)
    number = inside.sum(axis=-1, keepdims=True)  # (B, M, 1)
    states = x[:, None]  # (B, 1, T, D)
    length = mask.shape[-1]
    first = mask.argmax(axis=-1)
    last = length - 1 - mask[..., ::-1].argmax(axis=-1)

    def at(places):
        return np.take_along_axis(x, places[..., None], axis=1)

    def over_mentions(divisor):
        """(B, T, D): the mentions are added up, and tokens are taken for mentions."""
        return np.where(mask[..., None], states, 0).sum(axis=1) / divisor

    def soft():
        grown = np.exp(inside)
        return grown / grown.sum(axis=-1, keepdims=True) @ x

    return {
        "sum": lambda: inside @ x,
        "divided_by_length": lambda: inside @ x / length,
        "all_tokens": lambda: np.broadcast_to(
            x.mean(axis=1, keepdims=True), (*mask.shape[:2], x.shape[-1])
        ),
        "inverted": lambda: (1 - inside) @ x / np.maximum((1 - inside).sum(-1, keepdims=True), 1),
        "first_token": lambda: at(first),
        "last_token": lambda: at(last),
        "both_ends": lambda: (at(first) + at(last)) / 2,
        "largest": lambda: np.where(mask[..., None], states, -np.inf).max(axis=2),
        "largest_of_zeros": lambda: np.where(mask[..., None], states, 0).max(axis=2),
        "number_of_all_mentions": lambda: inside @ x / inside.sum(axis=(1, 2))[:, None, None],
        "number_of_the_first": lambda: inside @ x / number[:, :1],
        "number_in_the_batch": lambda: inside @ x / inside.sum(),
        "divided_twice": lambda: inside @ x / number**2,
        "root_of_the_number": lambda: inside @ x / np.sqrt(number),
        "one_more": lambda: inside @ x / (number + 1),
        "softmax_of_the_mask": soft,
        "over_mentions": lambda: over_mentions(number),
        "mean_over_mentions": lambda: over_mentions(mask.shape[1]),
    }.get(mean, lambda: inside @ x / number)()


@oracle(parts=("features",))
def coreference_pair_features(
    sequence_output,
    mention_mask,
    *,
    mean="inside",
    pronoun="first",
    others="rest",
    third="product",
    order="pronoun_first",
    axis="features",
):
    """Features of every pair.

    Args:
        sequence_output: float (B, T, D).
        mention_mask: bool (B, M, T).
        mean, pronoun, others, third, order, axis: the switches.

    Returns:
        float (B, M - 1, 3 D), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    try:
        mentions = _mentions(sequence_output, mention_mask, mean)
    except ValueError as error:
        raise shapes_clash() from error
    candidates = {
        "all": mentions,
        "all_but_the_last": mentions[:, :-1],
        "first_two_left_out": mentions[:, 2:],
        "reversed": mentions[:, :0:-1],
    }.get(others, mentions[:, 1:])
    one = {
        "last": mentions[:, -1:],
        "second": mentions[:, 1:2],
        "mean": mentions.mean(axis=1, keepdims=True),
        "first_of_the_batch": np.repeat(mentions[:1, :1], len(mentions), axis=0),
        "previous": mentions[:, : candidates.shape[1]],
        "state_of_the_first_token": sequence_output[:, :1],
    }.get(pronoun, mentions[:, :1])
    if candidates.shape[1] == 0:
        raise Crash
    first = np.broadcast_to(one, candidates.shape)
    product = {
        "difference": lambda: first - candidates,
        "difference_turned": lambda: candidates - first,
        "distance": lambda: np.abs(first - candidates),
        "sum": lambda: first + candidates,
        "dot": lambda: (first * candidates).sum(axis=-1, keepdims=True),
        "dot_everywhere": lambda: np.broadcast_to(
            (first * candidates).sum(axis=-1, keepdims=True), candidates.shape
        ),
        "square_of_the_candidate": lambda: candidates * candidates,
        "square_of_the_pronoun": lambda: first * first,
        "cosine": lambda: (
            first
            * candidates
            / np.maximum(
                np.linalg.norm(first, axis=-1, keepdims=True)
                * np.linalg.norm(candidates, axis=-1, keepdims=True),
                1e-9,
            )
        ),
    }.get(third, lambda: first * candidates)()
    parts = {
        "candidate_first": [candidates, first, product],
        "product_first": [product, first, candidates],
        "product_between": [first, product, candidates],
        "pronoun_missing": [candidates, product],
        "candidate_missing": [first, product],
        "product_only": [product],
        "product_missing": [first, candidates],
    }.get(order, [first, candidates, product])
    if axis == "features":
        return np.concatenate(parts, axis=-1)
    if any(part.shape != parts[0].shape for part in parts):
        raise shapes_clash()
    return {
        "mentions": lambda: np.concatenate(parts, axis=1),
        "batch": lambda: np.concatenate(parts, axis=0),
        "stacked": lambda: np.stack(parts, axis=-1),
        "stacked_before": lambda: np.stack(parts, axis=2),
        "interleaved": lambda: np.stack(parts, axis=-1).reshape(*parts[0].shape[:2], -1),
        "added": lambda: sum(parts),
    }[axis]()
