"""What a pretraining run will take, worked out from its configuration alone: no model is built.

Parameters and floating-point operations are exact counts. Memory is an estimate: what must be kept
at once during a step, without what a compiler saves by fusing and without its own workspace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bert_keras.training.config import ConfigError
from bert_keras.training.sections import PretrainConfig

SEGMENTS = 2
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


def step_flops(s: Sizes) -> int:
    """Floating-point operations of one training step: forward once, backward twice as much.

    One multiplication or addition is one operation. Counted are the matrix products of the
    encoder, of both heads and of the pooler; norms, softmax and the optimizer are small change.
    """
    per_token = 2 * (4 * s.D * s.D + 2 * s.D * s.F)
    encoder = s.L * s.B * s.T * (per_token + 4 * s.T * s.D)
    masked_lm = 2 * s.B * s.P * (s.D * s.D + s.D * s.V)
    pair = 2 * s.B * (s.D * s.D + 2 * s.D)
    return 3 * (encoder + masked_lm + pair)


def memory(s: Sizes, precision: str = "float32", accumulating: bool = False) -> dict[str, int]:
    """Bytes that a step holds at once on one device, by what they are for.

    Args:
        s: the sizes.
        precision: Keras dtype policy.
        accumulating: whether gradients of several batches are added up before an update.

    Returns:
        dict of bytes.

    Raises:
        ConfigError: for a policy that is not in `COMPUTE_BYTES`.
    """
    if precision not in COMPUTE_BYTES:
        known = ", ".join(COMPUTE_BYTES)
        raise ConfigError(f"training.precision is {precision!r}; a plan knows {known}")
    width = COMPUTE_BYTES[precision]
    weights = 4 * sum(parameters(s).values())
    # A block keeps for its way back: input, query, key, value, scores, weights, mixture,
    # projection, sum and norm, both sides of the activation, projection, sum and norm.
    per_token = 10 * s.D + 2 * s.F + 2 * s.N * s.T
    activations = width * s.B * s.T * (s.L * per_token + 4 * s.D)
    return {
        "weights": weights,
        "gradients": weights * (2 if accumulating else 1),
        "optimizer": 2 * weights,  # both moments of Adam
        "activations": activations,
        # Logits, their softmax and the gradient of the logits.
        "vocabulary": 3 * 4 * s.B * s.P * s.V,
    }


def plan(config: PretrainConfig) -> dict[str, Any]:
    """Everything above for one run.

    Args:
        config: the run.

    Returns:
        dict of parameters (by part, and in all), tokens and FLOPs of a step and of the run, and
        bytes by purpose and in all.
    """
    s, training = sizes(config), config.training
    counts = parameters(s)
    needed = memory(s, training.precision, training.gradient_accumulation > 1)
    flops = step_flops(s)
    return {
        "parameters": {**counts, "all": sum(counts.values())},
        "step": {"tokens": s.B * s.T, "flops": flops},
        "run": {"tokens": s.B * s.T * training.steps, "flops": flops * training.steps},
        "bytes": {**needed, "all": sum(needed.values())},
    }


def lines(result: dict[str, Any]) -> list[str]:
    """A plan for people."""
    found = [f"parameters        {result['parameters']['all']:>16,}"]
    for name, count in result["parameters"].items():
        if name != "all":
            found.append(f"  {name:<16}{count:>16,}")
    found.append(f"memory of a step  {result['bytes']['all'] / 2**20:>12,.0f} MiB, estimated")
    for name, count in result["bytes"].items():
        if name != "all":
            found.append(f"  {name:<16}{count / 2**20:>12,.0f} MiB")
    for name, unit, scale in (("step", "G", 1e9), ("run", "T", 1e12)):
        one = result[name]
        flops = f"{one['flops'] / scale:,.1f} {unit}FLOP"
        found.append(f"{name:<18}{one['tokens']:>16,} tokens  {flops}")
    return found
