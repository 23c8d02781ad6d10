"""The pooler and the head for next sentences, in plain NumPy from given weights, with switches."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax
from autograder.oracles.feed_forward import activated

_TOKENS = {
    "first": lambda x: x[:, 0],
    "last": lambda x: x[:, -1],
    "second": lambda x: x[:, 1],
    "mean": lambda x: x.mean(axis=1),
    "largest": lambda x: x.max(axis=1),
    "total": lambda x: x.sum(axis=1),
    "mean_without_the_first": lambda x: x[:, 1:].mean(axis=1),
    "first_sentence": lambda x: x[0],
    "first_feature": lambda x: x[:, :, 0],
    "all": lambda x: x,
    "first_kept_as_an_axis": lambda x: x[:, :1],
}


@oracle(parts=("pooled",))
def pooler(
    sequence_output,
    kernel,
    bias,
    *,
    token="first",
    bend="after",
    which="tanh",
    dense="once",
    order="token_first",
    returned="pooled",
):
    """tanh of a dense layer on the first token's output.

    Args:
        sequence_output: float (B, T, any).
        kernel, bias: float (any, D) and (D,).
        token, bend, which, dense, order, returned: the switches.

    Returns:
        float (B, D).

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    if sequence_output.shape[1] == 1 and token in ("second", "mean_without_the_first"):
        raise Crash
    x = sequence_output if order == "token_last" else _TOKENS[token](sequence_output)
    try:
        if bend == "before":
            x = activated(x, which)
        for _ in range({"once": 1, "never": 0, "twice": 2}[dense]):
            x = x @ kernel + bias
    except ValueError as error:
        raise shapes_clash() from error
    for _ in range({"after": 1, "twice": 2}.get(bend, 0)):
        x = activated(x, which)
    if order == "token_last":
        x = _TOKENS[token](x)
    if returned == "with_states":
        return x, sequence_output
    if returned == "normalised":
        return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))
    if returned == "softmax":
        return softmax(x, -1)
    return x


@oracle(parts=("logits",))
def next_sentence_head(pooled_output, kernel, bias, *, bend="nothing", returned="logits"):
    """Two scores from a vector.

    Args:
        pooled_output: float (B, D).
        kernel, bias: float (D, 2) and (2,).
        bend, returned: the switches.

    Returns:
        float (B, 2), unless a switch says otherwise.
    """
    x = pooled_output
    if bend == "tanh_before":
        x = np.tanh(x)
    if bend == "divided_by_root":
        x = x / math.sqrt(x.shape[-1])
    logits = x @ kernel + bias
    if bend in ("tanh", "sigmoid", "relu", "gelu"):
        logits = activated(logits, bend)
    if bend == "softmax":
        return softmax(logits, -1)
    if bend == "log_softmax":
        return np.log(softmax(logits, -1))
    if bend == "softmax_over_the_batch":
        return softmax(logits, 0)
    return {
        "exchanged": logits[:, ::-1],
        "first": logits[:, 0],
        "second": logits[:, 1],
        "first_as_a_column": logits[:, :1],
        "second_as_a_column": logits[:, 1:],
        "difference": logits[:, 1] - logits[:, 0],
        "ids": logits.argmax(axis=-1).astype(np.int32),
        "input": pooled_output,
        "negative": -logits,
    }.get(returned, logits)
