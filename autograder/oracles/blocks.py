"""The Transformer's blocks in plain NumPy from given weights, with a switch for every mistake."""

from __future__ import annotations

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.stages import Scene, run_stages

ENCODER, DECODER = ("self", "ffn"), ("self", "cross", "ffn")


def _mode(mode, when):
    """Whether what branches give is dropped, and whether attention weights are."""
    training = mode == "training" and when != "never"
    if mode == "inference":
        return when in ("always", "always_everywhere"), when == "always_everywhere"
    return training, mode == "training"


@with_switches_of(run_stages)
def encoder(x, mask, weights, num_heads, activation, norm_first, mode="plain", *,
            returned="pair", when="training", **switches):  # fmt: skip
    """An encoder block.

    Args:
        x: float (B, T, D).
        mask: None or bool (B, T, T) or (B, 1, T).
        weights: dict of arrays by attribute path.
        num_heads: int; activation: name; norm_first: bool.
        mode: `plain` without dropout; `training` or `inference` at a dropout of nearly one, by
            which everything is lost.

    Returns:
        The pair (output (B, T, D), weights (B, N, T, T)), unless ``returned`` says otherwise.
    """
    scene = Scene(weights, num_heads, activation, norm_first, {"self": mask}, x, None,
                  *_mode(mode, when))  # fmt: skip
    output, shown = run_stages(scene, ENCODER, **switches)
    if "self" not in shown:
        raise Crash()
    found = shown["self"]
    return {
        "output_only": output,
        "weights_first": (found, output),
        "averaged": (output, found.mean(axis=1)),
    }.get(returned, (output, found))


@with_switches_of(run_stages)
def decoder(x, source, mask, source_mask, weights, num_heads, activation, norm_first,
            mode="plain", *, returned="triple", when="training", **switches):  # fmt: skip
    """A decoder block.

    Args:
        x: float (B, T, D).
        source: float (B, S, any).
        mask: None or bool (B, T, T) or (1, T, T); source_mask: None or bool (B, T, S) or (B, 1, S).
        weights: dict of arrays by attribute path.
        num_heads: int; activation: name; norm_first: bool.
        mode: see `encoder`.

    Returns:
        The triple (output (B, T, D), self_weights (B, N, T, T), cross_weights (B, N, T, S)), unless
        ``returned`` says otherwise.
    """
    masks = {"self": mask, "cross": source_mask}
    scene = Scene(weights, num_heads, activation, norm_first, masks, x, source,
                  *_mode(mode, when))  # fmt: skip
    output, shown = run_stages(scene, DECODER, **switches)
    if "self" not in shown:
        raise Crash()
    first = shown["self"]
    second = shown.get("cross", first)  # of an encoder block something has to be returned twice
    return {
        "output_only": output,
        "weights_exchanged": (output, second, first),
        "cross_only": (output, second),
        "self_only": (output, first),
        "weights_first": (first, second, output),
        "self_twice": (output, first, first),
        "cross_twice": (output, second, second),
        "nested": (output, (first, second)),
    }.get(returned, (output, first, second))


@with_switches_of(encoder)
def encoder_output(*args, **switches):
    """The first of what comes back, or all there is."""
    answer = encoder(*args, **switches)
    return answer[0] if isinstance(answer, tuple) else answer


@with_switches_of(decoder)
def decoder_output(*args, **switches):
    """The first of what comes back, or all there is."""
    answer = decoder(*args, **switches)
    return answer[0] if isinstance(answer, tuple) else answer


encoder_block = oracle(parts=("output", "weights"))(encoder)
decoder_block = oracle(parts=("output", "self_weights", "cross_weights"))(decoder)
encoder_dropping = oracle(parts=("output",))(encoder_output)
decoder_dropping = oracle(parts=("output",))(decoder_output)
