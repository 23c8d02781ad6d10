"""One training step of a language model from both sides, with the mix of its layers, in NumPy."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash, with_switches_of
from autograder.oracles.bilm_loss import losses
from autograder.oracles.elmo import backward_states, mirrored, read, stack_states
from autograder.oracles.elmo_features import elmo_features
from autograder.oracles.scalar_mix import mixture

READING = ("reversal", "turned_back", "between", "aligned")
MIXING = ("shares", "scaled", "combined")


@oracle(parts=("loss", "mixed"))
@with_switches_of(backward_states, losses, mixture)
def training_step(
    token_ids,
    padding_mask,
    table,
    forward_kernels,
    backward_kernels,
    kernel,
    bias,
    mixing,
    scale,
    *,
    source="own",
    feature_sides="forward_first",
    feature_embedding="twice",
    feature_joined="features",
    **switches,
):
    """Loss and mixed features, as the drill has them.

    Args:
        token_ids, padding_mask: (B, T).
        table: float (V, D).
        forward_kernels, backward_kernels: lists of float (D, D).
        kernel, bias: float (D, V) and (V,), of the layer that scores.
        mixing, scale: float (L + 1,) and (), of the mix.
        source: what the backward stack's upper layers read: `own`, or `forward`, the other stack.
        feature_sides, feature_embedding, feature_joined, **switches: of the pieces.

    Returns:
        float () and float (B, T, 2 D), zeros at padding.
    """

    def of(names):
        return {name: switches[name] for name in names if name in switches}

    x = table[token_ids]
    order = of(("stacked", "order"))
    forward = stack_states(x, forward_kernels, **order)
    backward = backward_states(x, padding_mask, backward_kernels, **of(READING), **order)
    if source == "forward":
        there, back = switches.get("reversal", "real"), switches.get("turned_back", "real")
        for above in range(1, len(backward)):
            state = read(mirrored(forward[above - 1], padding_mask, there), backward_kernels[above])
            backward[above] = mirrored(state, padding_mask, back)
    told = {n: v for n, v in switches.items() if n not in (*READING, *MIXING, "stacked", "order")}
    try:
        loss = losses(forward, backward, token_ids, padding_mask, kernel, bias, **told)[0]
    except ValueError as error:
        raise shapes_clash() from error
    laid = {"sides": feature_sides, "embedding": feature_embedding, "joined": feature_joined}
    layers = elmo_features.raw(x, forward, backward, **laid)
    try:
        mixed = mixture(list(layers), mixing, scale, **of(MIXING))
        if np.shape(mixed)[:2] == padding_mask.shape and np.ndim(mixed) == 3:
            mixed = np.where(padding_mask[..., None], mixed, np.zeros_like(mixed))
    except ValueError as error:
        raise shapes_clash() from error
    return loss, mixed
