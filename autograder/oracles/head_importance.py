"""Which heads matter, by gradients, and which are switched off: in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle


def _of_texts(found, gradients, real, product):
    """What every head contributes to every text, (L, B, N)."""
    inside = real[None, :, :, None, None]
    both = np.where(inside, found * gradients, 0)
    return {
        "with_gradients": lambda: both.sum(axis=(2, 4)),
        "gradients_alone": lambda: np.where(inside, gradients, 0).sum(axis=(2, 4)),
        "outputs_alone": lambda: np.where(inside, found, 0).sum(axis=(2, 4)),
        "plus": lambda: np.where(inside, found + gradients, 0).sum(axis=(2, 4)),
        "mean_of_tokens": lambda: (
            both.sum(axis=(2, 4)) / real.sum(axis=1)[None, :, None].astype(found.dtype)
        ),
        "first_token": lambda: both[:, :, 0].sum(axis=-1),
    }[product]()


def importances(found, gradients, padding_mask, size, product, padding, texts, normalised):
    """The importance of every head, (L, N)."""
    real = {
        "closed": lambda: padding_mask,
        "counts": lambda: np.ones_like(padding_mask),
        "inverted": lambda: ~padding_mask,
    }[padding]()
    both = np.where(real[None, :, :, None, None], found * gradients, 0)
    if size == "of_every_number":
        each = np.abs(both).sum(axis=(2, 4))
    elif size == "of_every_token":
        each = np.abs(both.sum(axis=4)).sum(axis=2)
    elif size == "of_every_feature":
        each = np.abs(both.sum(axis=2)).sum(axis=-1)
    else:
        each = _of_texts(found, gradients, real, product)  # (L, B, N)
        if size == "of_every_text":
            each = np.abs(each)
        elif size == "squared":
            each = each**2
    scores = {
        "mean": lambda: each.mean(axis=1),
        "sum": lambda: each.sum(axis=1),
        "largest": lambda: each.max(axis=1),
        "first": lambda: each[:, 0],
        "by_length": lambda: each.sum(axis=1) / found.dtype.type(padding_mask.sum()),
    }[texts]()
    if size == "of_the_mean":
        scores = np.abs(scores)
    with np.errstate(all="ignore"):
        return {
            "layers": lambda: scores / np.sqrt((scores**2).sum(axis=1, keepdims=True)),
            "not": lambda: scores,
            "over_layers": lambda: scores / np.sqrt((scores**2).sum(axis=0, keepdims=True)),
            "all_together": lambda: scores / np.sqrt((scores**2).sum()),
            "by_sum": lambda: scores / np.abs(scores).sum(axis=1, keepdims=True),
            "by_largest": lambda: scores / np.abs(scores).max(axis=1, keepdims=True),
            "by_square": lambda: scores / (scores**2).sum(axis=1, keepdims=True),
            "by_mean_square": lambda: scores / np.sqrt((scores**2).mean(axis=1, keepdims=True)),
        }[normalised]()


def switched_off(importance, removed, order, last_of_a_layer, places, number):
    """Heads that stay, bool (L, N)."""
    layers, heads = importance.shape
    number_off = {
        "given": removed,
        "one_more": min(removed + 1, layers * heads),
        "one_less": max(removed - 1, 0),
    }.get(number, removed)
    kept = np.ones((layers, heads), bool)
    sign = -1 if order == "largest_first" else 1
    if number == "in_every_layer":
        for layer in range(layers):
            kept[layer, np.argsort(sign * importance[layer])[:removed]] = False
        return kept
    off = 0
    if number == "kept":
        number_off = layers * heads - removed
    for place in np.argsort(sign * importance, axis=None):
        if off >= number_off:
            break
        layer, head = {
            "by_heads": lambda: divmod(int(place), heads),  # noqa: B023
            "by_layers": lambda: (int(place) % layers, int(place) // layers),  # noqa: B023
        }[places]()
        if last_of_a_layer == "stays" and kept[layer].sum() == 1:
            continue
        if last_of_a_layer == "stays_and_counts" and kept[layer].sum() == 1:
            off += 1
            continue
        if last_of_a_layer == "ends_it" and kept[layer].sum() == 1:
            break
        if last_of_a_layer == "two_stay" and kept[layer].sum() == 2:
            continue
        kept[layer, head] = False
        off += 1
    return kept


@oracle(parts=("importance", "kept"))
def heads_to_keep(
    head_outputs,
    gradients,
    padding_mask,
    removed,
    *,
    size="of_every_text",
    product="with_gradients",
    padding="closed",
    texts="mean",
    normalised="layers",
    order="smallest_first",
    last_of_a_layer="stays",
    places="by_heads",
    number="given",
    returned="both",
    meaning="kept",
):
    """The importance of every head, and which heads stay.

    Args:
        head_outputs, gradients: float (L, B, T, N, H).
        padding_mask: bool (B, T).
        removed: int.
        size, product, padding, texts, normalised, order, last_of_a_layer, places, number, returned,
            meaning: the switches.

    Returns:
        float (L, N) and bool (L, N), unless a switch says otherwise.
    """
    importance = importances(
        head_outputs, gradients, padding_mask, size, product, padding, texts, normalised
    )
    kept = switched_off(importance, removed, order, last_of_a_layer, places, number)
    if returned == "before_the_norm":
        importance = importances(
            head_outputs, gradients, padding_mask, size, product, padding, texts, "not"
        )
    if meaning == "off":
        kept = ~kept
    return {
        "both": lambda: (importance, kept),
        "turned": lambda: (kept, importance),
        "kept_alone": lambda: kept,
    }.get(returned, lambda: (importance, kept))()
