"""A word from its characters, by convolutions and highways, in NumPy with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash


def _affine(x, weights, path):
    return x @ weights[f"{path}.kernel"] + weights[f"{path}.bias"]


def highway(x, weights, number):
    """One highway layer: a gate chooses between a relu layer and the input itself."""
    path = f"highways.{number}"
    gate = 1 / (1 + np.exp(-_affine(x, weights, f"{path}.gate_dense")))
    moved = np.maximum(_affine(x, weights, f"{path}.transform_dense"), 0)
    return gate * moved + (1 - gate) * x


def windows(x, width, sides):
    """The padded rows (B T, C', E), so that a window of that width begins at every place."""
    before, after = {
        "right": (0, width - 1),
        "left": (width - 1, 0),
        "both": ((width - 1) // 2, width - 1 - (width - 1) // 2),
        "both_more_on_the_left": (width // 2, width - 1 - width // 2),
        "none": (0, 0),
    }[sides]
    padded = np.pad(x, ((0, 0), (before, after), (0, 0)))
    count = padded.shape[1] - width + 1
    if count < 1:
        raise Crash
    return np.stack([padded[:, at : at + width] for at in range(count)], axis=1)


EMPTY = {
    "zero": 0.0,
    "vector_of_zeros": 0.0,
    "minus_1e9": -1e9,
    "minus_infinity": -np.inf,
    "minus_1e4": -1e4,
}


def widest(found, is_real, width, *, counted, pooled, empty):
    """One number for each filter out of all places.

    Args:
        found: float (B T, places, filters).
        is_real: bool (B T, C).
        width: int, of the window.
        counted: which places count: `real_begin`, `all` or `whole_windows`.
        pooled: `max`, `sum`, `mean_of_all`, `mean_of_real`, `first` or `last`.
        empty: the maximum of a word without characters, a key of `EMPTY`; with `vector_of_zeros`
            its vector is set to zeros in the end.
    """
    places = found.shape[1]
    length = is_real.sum(axis=1, keepdims=True)
    place = np.arange(places)
    open_ = {
        "real_begin": place < length,
        "all": np.ones((len(found), places), bool),
        "whole_windows": place < length - width + 1,
    }[counted][..., None]
    if pooled == "max":
        nothing = found.dtype.type(EMPTY[empty])
        return np.where(open_, found, nothing).max(axis=1)
    kept = np.where(open_, found, found.dtype.type(0))
    if pooled == "sum":
        return kept.sum(axis=1)
    if pooled == "mean_of_all":
        return kept.mean(axis=1)
    if pooled == "mean_of_real":
        return kept.sum(axis=1) / np.maximum(open_.sum(axis=1), 1).astype(found.dtype)
    if pooled == "first":
        return kept[:, 0]
    last = np.maximum(length - 1, 0)[..., None]
    assert pooled == "last", pooled
    return np.take_along_axis(kept, last, axis=1)[:, 0]


@oracle(parts=("words",))
def char_cnn(
    character_ids,
    weights,
    filters,
    num_highways,
    *,
    blank="zero",
    sides="right",
    counted="real_begin",
    pooled="max",
    empty="zero",
    order="as_given",
    roads="one_after_another",
    projection="last",
    folded="by_words",
):
    """A vector for every word.

    Args:
        character_ids: int (B, T, C), 0 after the end of a word.
        weights: dict of arrays by attribute path.
        filters: list of [width, count].
        num_highways: int.
        blank: what stands for character 0: `zero`, or `table` for row 0 of the table.
        sides: where zeros are added before the convolution; see `windows`.
        counted, pooled, empty: see `widest`.
        order: of the widths: `as_given` or `backwards`.
        roads: the highways: `one_after_another`, `none`, `first_only`, `last_only`, `backwards`,
            `added` (the input of each, once more) or `first_repeated`.
        projection: `last`, `none`, `before_highways` or `twice`.
        folded: `by_words`, `letters_first` where words change places, or `flat` (B T, D).

    Returns:
        float (B, T, D).

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    batch, length, longest = character_ids.shape
    ids = character_ids.reshape(-1, longest)
    if folded == "letters_first":
        ids = np.swapaxes(character_ids, 0, 1).reshape(-1, longest)
    is_real = ids != 0
    x = weights["character_embedding.embeddings"][ids]
    if blank == "zero":
        x = np.where(is_real[..., None], x, x.dtype.type(0))
    best = []
    for number, (width, _) in enumerate(filters):
        kernel = weights[f"convolutions.{number}.kernel"]
        seen = windows(x, width, sides)
        found = np.einsum("npwe,wef->npf", seen, kernel) + weights[f"convolutions.{number}.bias"]
        found = np.maximum(found, 0)
        real = is_real
        if sides == "none":
            real = is_real[:, : found.shape[1]]
        best.append(widest(found, real, width, counted=counted, pooled=pooled, empty=empty))
    x = np.concatenate(best if order == "as_given" else best[::-1], axis=-1)
    try:
        if projection == "before_highways":
            x = _affine(x, weights, "output_dense")
        for number in {
            "one_after_another": range(num_highways),
            "none": (),
            "first_only": range(min(num_highways, 1)),
            "last_only": range(num_highways - 1, num_highways) if num_highways else (),
            "backwards": range(num_highways)[::-1],
            "added": range(num_highways),
            "first_repeated": [0] * num_highways,
        }[roads]:
            moved = highway(x, weights, number)
            x = x + moved if roads == "added" else moved
        for _ in range({"last": 1, "none": 0, "before_highways": 0, "twice": 2}[projection]):
            x = _affine(x, weights, "output_dense")
    except ValueError as error:
        raise shapes_clash() from error
    if empty == "vector_of_zeros":
        x = np.where(is_real.any(axis=1, keepdims=True), x, x.dtype.type(0))
    if folded == "flat":
        return x
    return x.reshape(batch, length, -1)
