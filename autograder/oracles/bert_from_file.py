"""A whole BERT encoder, filled from tensors with Hugging Face's names, in NumPy with switches."""

from __future__ import annotations

import functools
import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import MASKED, softmax, with_switches_of
from autograder.oracles.encoder_output import assembled
from autograder.oracles.tensor_names import REFUSED, placed

_erf = np.vectorize(math.erf, otypes=[np.float64])
EPSILONS = {"own": 1e-12, "of_keras": 1e-3, "of_torch": 1e-5, "small": 1e-6}
NAMING = (
    "prefix", "old", "norms", "mixed", "layer", "transpose", "path", "skipped", "unknown",
    "endings", "pooler", "longer",
)  # fmt: skip


def loaded(tensors, **naming):
    """Our paths and the arrays that belong there.

    Args:
        tensors: dict of arrays by the names of a file.
        **naming: switches of `placed`.

    Raises:
        Crash: a name is refused.
    """
    found = {}
    for name, array in tensors.items():
        place = placed(name, **naming)
        if place == REFUSED:
            raise Crash("ValueError")
        if place is not None:
            path, turned = place
            found[path] = array.T if turned else array
    return found


def _normalised(x, weights, path, epsilon):
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + x.dtype.type(epsilon))
    return centred / spread * weights[f"{path}/gamma"] + weights[f"{path}/beta"]


def _dense(x, weights, path):
    return x @ weights[f"{path}/kernel"] + weights[f"{path}/bias"]


def _bent(x, kind):
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "tanh_form":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return (0.5 * x * (1 + np.tanh(inner))).astype(x.dtype)
    return (x * (1 + _erf(x / math.sqrt(2.0))) / 2).astype(x.dtype)


def _attended(x, weights, path, num_heads, mask):
    batch, length, dim = x.shape
    size = dim // num_heads

    def heads(name):
        projected = _dense(x, weights, f"{path}/{name}")
        return projected.reshape(batch, length, num_heads, size).swapaxes(1, 2)

    query, key, value = heads("query"), heads("key"), heads("value")
    scores = query @ key.swapaxes(-1, -2) / x.dtype.type(math.sqrt(size))
    if mask is not None:
        scores = np.where(mask[:, None], scores, np.asarray(MASKED, scores.dtype))
    seen = (softmax(scores, -1) @ value).swapaxes(1, 2).reshape(batch, length, dim)
    return _dense(seen, weights, f"{path}/output")


def _block(weights, number, num_heads, epsilon, gelu, order, x, mask):
    """One encoder block."""
    at = f"encoder_block_{number}"
    first, second = (f"{at}/{name}_layer_norm" for name in ("self_attention", "feed_forward"))

    def think(y):
        middle = _bent(_dense(y, weights, f"{at}/feed_forward/intermediate"), gelu)
        return _dense(middle, weights, f"{at}/feed_forward/output")

    if order == "norm_first":
        seen = _normalised(x, weights, first, epsilon)
        x = x + _attended(seen, weights, f"{at}/self_attention", num_heads, mask)
        return x + think(_normalised(x, weights, second, epsilon))
    attended = _attended(x, weights, f"{at}/self_attention", num_heads, mask)
    x = _normalised(x + attended, weights, first, epsilon)
    return _normalised(x + think(x), weights, second, epsilon)


@oracle(parts=("hidden_states", "pooled_output"))
@with_switches_of(assembled, placed)
def bert_from_file(
    tensors,
    token_ids,
    segment_ids,
    padding_mask,
    num_heads,
    *,
    epsilon="own",
    gelu="exact",
    order="norm_last",
    heads="given",
    stack="by_number",
    called="as_agreed",
    highest="of_numbers",
    **switches,
):
    """The L + 1 hidden states, with zeros at padding, and the pooled output.

    Args:
        tensors: dict of float arrays by Hugging Face's names.
        token_ids, segment_ids, padding_mask: (B, T), int, int and bool.
        num_heads: int.
        epsilon: key of `EPSILONS`.
        gelu, order, heads, stack, called: the switches.
        highest: `of_numbers`, or `as_text`, where no number has two digits.
        **switches: of `assembled` and of `placed`.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    if called == "unnamed":  # some variable doesn't find its own
        raise Crash("ValueError", "KeyError")
    naming = {name: switches.pop(name) for name in NAMING if name in switches}
    weights = loaded(tensors, **naming)
    small = EPSILONS[epsilon]
    count = {"given": num_heads, "one": 1, "two": 2}[heads]
    numbers = sorted(
        {int(path.split("/")[0][14:]) for path in weights if path[:14] == "encoder_block_"}
    )
    if highest == "as_text":
        numbers = [number for number in numbers if number < 10]
    size = max(numbers, default=-1) + 1
    order_of = {
        "by_number": list(range(size)),
        "as_text": sorted(range(size), key=str),
    }[stack]

    def embed(ids, segments):
        tables = [
            weights[f"embeddings/{name}_embedding/embeddings"]
            for name in ("token", "position", "segment")
        ]
        x = tables[0][ids] + tables[1][: ids.shape[1]] + tables[2][segments]
        return _normalised(x, weights, "embeddings/layer_norm", small)

    blocks = [
        functools.partial(_block, weights, number, count, small, gelu, order) for number in order_of
    ]
    try:
        return assembled(
            token_ids,
            segment_ids,
            padding_mask,
            embed,
            blocks,
            lambda x: np.tanh(_dense(x[:, 0], weights, "pooler/dense")),
            **switches,
        )
    except KeyError as error:  # a weight that went elsewhere is missing here
        raise Crash("ValueError", "KeyError") from error
    except ValueError as error:
        raise Crash("ValueError", "InvalidArgumentError") from error


# What sizes are read off, before any weight is put in.
OF_SIZES = ("word_embeddings", "position_embeddings", "token_type_embeddings", "intermediate")


@oracle(parts=("what happens",))
def of_a_gap(lacking, *, gap="told"):
    """What happens where a tensor is missing.

    Args:
        lacking: str, its name.
        gap: `told`, with its name; `unnamed`; `another_error`; `returned`; `unnoticed`; or
            `another_error_from_sizes`, where only those are read without a look.

    Returns:
        str.
    """
    if gap == "another_error_from_sizes":
        return "another_error" if any(word in lacking for word in OF_SIZES) else "told"
    return gap


@oracle(parts=("two calls",))
def of_two_calls(*, filled="all"):
    """Whether two calls with the same file agree: `all` weights are filled, or `not_all`."""
    return "agree" if filled == "all" else "differ"


@oracle(parts=("names of the layers",))
def of_the_layers(*, called="as_agreed"):
    """Whether the layers have their names: `as_agreed`, or `unnamed`."""
    return called
