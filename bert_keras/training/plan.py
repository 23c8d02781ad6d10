"""What a pretraining run will take, worked out from its configuration alone: no model is built.

Parameters and floating-point operations are exact counts. Memory is an estimate: what must be kept
at once during a step on one device, times a factor for what XLA adds to it. docs/scaling.md says
how far it is from measurements.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from bert_keras.training.config import ConfigError
from bert_keras.training.sections import PretrainConfig

SEGMENTS = 2
# What a step compiled by XLA was seen to hold for every byte that the way back needs: gradients of
# activations, other layouts, room lost between buffers. Measured on processors; docs/scaling.md.
HELD = 2.3
# Bytes of a number while it travels through the model; weights themselves stay in float32.
COMPUTE_BYTES = {"float32": 4, "mixed_float16": 2, "mixed_bfloat16": 2}


@dataclass(frozen=True)
class Sizes:
    """The sizes that everything follows from, by their letters.

    Attributes:
        V, D, N, F, L: vocabulary, model, heads, middle of the feed-forward network, blocks.
        S: positions there are embeddings for.
        B, T, P: rows of a batch, tokens of a row, tokens to predict in it.
    """

    V: int
    D: int
    N: int
    F: int
    L: int
    S: int
    B: int
    T: int
    P: int


def sizes(config: PretrainConfig) -> Sizes:
    """The sizes of a run.

    Args:
        config: the run; `data.vocabulary_size` is taken as it stands there, though a text may
            have fewer tokens.

    Returns:
        The sizes; B and T are those of a batch of full rows.
    """
    model, training, task = config.model, config.training, config.pretraining
    length = model.max_sequence_length
    predictions = task.max_predictions or max(1, round(task.mask_rate * (length - 3)))
    return Sizes(
        V=config.data.vocabulary_size,
        D=model.hidden_dim,
        N=model.num_heads,
        F=model.intermediate_dim,
        L=model.num_layers,
        S=length,
        B=training.batch_size,
        T=length,
        P=predictions,
    )


def parameters(s: Sizes) -> dict[str, int]:
    """How many weights each part has. The decoder of the masked-LM head is the token table.

    Args:
        s: the sizes.

    Returns:
        dict of counts; their sum is the model's.
    """
    norm = 2 * s.D
    attention = 4 * (s.D * s.D + s.D)
    feed_forward = s.D * s.F + s.F + s.F * s.D + s.D
    return {
        "embeddings": (s.V + s.S + SEGMENTS) * s.D + norm,
        "encoder": s.L * (attention + feed_forward + 2 * norm),
        "pooler": s.D * s.D + s.D,
        "masked_lm_head": s.D * s.D + s.D + norm + s.V,
        "next_sentence_head": 2 * s.D + 2,
    }


def parameters_of_device(s: Sizes, shared: int) -> int:
    """How many weights one device holds when several share one copy of the model.

    Args:
        s: the sizes.
        shared: devices that share a copy, as in `bert_keras.training.layouts`.

    Returns:
        The count; with shared = 1, all.
    """
    block = 4 * s.D * s.D + 3 * s.D + 2 * s.D * s.F + s.F  # kernels, and biases of their columns
    divided = s.L * block + s.V * s.D + (s.V if s.V % shared == 0 else 0)
    return sum(parameters(s).values()) - divided + divided // shared


def step_flops(s: Sizes) -> int:
    """Floating-point operations of one training step: forward once, backward twice as much.

    One multiplication or addition is one operation. Counted are the matrix products of the
    encoder, of both heads and of the pooler; norms, softmax and the optimizer are small change.

    Args:
        s: the sizes.

    Returns:
        The count, of the whole batch.
    """
    per_token = 2 * (4 * s.D * s.D + 2 * s.D * s.F)
    encoder = s.L * s.B * s.T * (per_token + 4 * s.T * s.D)
    masked_lm = 2 * s.B * s.P * (s.D * s.D + s.D * s.V)
    pair = 2 * s.B * (s.D * s.D + 2 * s.D)
    return 3 * (encoder + masked_lm + pair)


def memory(
    s: Sizes,
    precision: str = "float32",
    accumulating: bool = False,
    *,
    dropout: float = 0.0,
    replicas: int = 1,
    shared: int = 1,
) -> dict[str, int]:
    """Bytes that a step holds at once on one device, by what they are for.

    Args:
        s: the sizes.
        precision: Keras dtype policy.
        accumulating: whether gradients of several batches are added up before an update.
        dropout: share dropped; its random bits are kept for the way back.
        replicas: copies of the model that share a batch.
        shared: devices that share a copy.

    Returns:
        dict of bytes.

    Raises:
        ConfigError: for a policy that is not in `COMPUTE_BYTES`.
    """
    if precision not in COMPUTE_BYTES:
        known = ", ".join(COMPUTE_BYTES)
        raise ConfigError(f"training.precision is {precision!r}; a plan knows {known}")
    width, rows = COMPUTE_BYTES[precision], math.ceil(s.B / replicas)
    count = parameters_of_device(s, shared)
    weights = 4 * count
    # A block keeps for its way back: its input, what comes out of both projections, both sums and
    # one norm in full; query, key, value and mixture, both sides of the activation, and scores and
    # weights of its heads in part.
    whole, divided = 6 * s.D, (4 * s.D + 2 * s.F) / shared
    squares = s.N * s.T / shared
    per_token = width * (whole + divided + 2 * squares)
    if dropout:  # Random bits of three layers, and the attention weights once more, thinned out.
        per_token += 4 * (2 * s.D + squares) + width * squares
    activations = HELD * rows * s.T * (s.L * per_token + width * 4 * s.D)
    tokens = s.V / (shared if s.V % shared == 0 else 1)
    return {
        "weights": weights + (width * count if width < 4 else 0),  # and a narrower copy to use
        "gradients": weights * (2 if accumulating else 1),
        "optimizer": 2 * weights,  # both moments of Adam
        "activations": round(activations),
        # Logits, their softmax and the gradient of the logits.
        "vocabulary": round(3 * 4 * rows * s.P * tokens),
    }


def plan(config: PretrainConfig, flops_per_second: float = 0.0) -> dict[str, Any]:
    """Everything above for one run.

    Args:
        config: the run. With `distribution.devices = 0`, which means all there are, the plan is
            made for one group of `distribution.model_parallel` devices.
        flops_per_second: what each device does in a training step, for an expected time; 0: none.

    Returns:
        dict of parameters (by part, and in all), devices, tokens and FLOPs of a step and of the
        run, bytes of one device by purpose and in all, and seconds if they can be told.
    """
    s, training, section = sizes(config), config.training, config.distribution
    counts = parameters(s)
    shared = section.model_parallel
    devices = max(section.devices, shared) if section.strategy != "none" else 1
    needed = memory(
        s,
        training.precision,
        training.gradient_accumulation > 1,
        dropout=config.model.dropout,
        replicas=devices // shared,
        shared=shared,
    )
    flops = step_flops(s)
    result: dict[str, Any] = {
        "parameters": {**counts, "all": sum(counts.values())},
        "devices": {"count": devices, "copies": devices // shared, "share_a_copy": shared},
        "step": {"tokens": s.B * s.T, "flops": flops},
        "run": {"tokens": s.B * s.T * training.steps, "flops": _run_flops(config, s)},
        "bytes": {**needed, "all": sum(needed.values())},
    }
    if flops_per_second:
        together = flops_per_second * devices
        result["flops_per_second"] = flops_per_second
        for part in ("step", "run"):
            result[part]["seconds"] = result[part]["flops"] / together
    return result


def _run_flops(config: PretrainConfig, s: Sizes) -> int:
    """Of all steps; short rows, of which more go into a batch, cost less in attention."""
    training, task = config.training, config.pretraining
    short = training.short_length
    count = round(training.short_share * training.steps) if short else 0
    flops = (training.steps - count) * step_flops(s)
    if count:
        places = task.max_predictions or max(1, round(task.mask_rate * (short - 3)))
        flops += count * step_flops(replace(s, B=s.B * s.T // short, T=short, P=places))
    return flops


def lines(result: dict[str, Any]) -> list[str]:
    """A plan for people.

    Args:
        result: from `plan`.

    Returns:
        Lines of text.
    """
    found = [f"parameters        {result['parameters']['all']:>16,}"]
    for name, count in result["parameters"].items():
        if name != "all":
            found.append(f"  {name:<16}{count:>16,}")
    devices = result["devices"]
    if devices["count"] > 1:
        found.append(
            f"devices           {devices['count']:>16,} ({devices['copies']} copies of the model, "
            f"each on {devices['share_a_copy']})"
        )
    found.append(f"memory per device {result['bytes']['all'] / 2**20:>12,.0f} MiB, estimated")
    for name, count in result["bytes"].items():
        if name != "all":
            found.append(f"  {name:<16}{count / 2**20:>12,.0f} MiB")
    for name, unit, scale in (("step", "G", 1e9), ("run", "T", 1e12)):
        one = result[name]
        flops = f"{one['flops'] / scale:,.1f} {unit}FLOP"
        expected = f"  {_duration(one['seconds'])}" if "seconds" in one else ""
        found.append(f"{name:<18}{one['tokens']:>16,} tokens  {flops}{expected}")
    return found


def _duration(seconds: float) -> str:
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds * 1000:,.1f} ms"
