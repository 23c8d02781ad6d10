"""What dropout does to an attention layer: a distribution, with a switch for every mistake.

The case feeds one-hot values, every feature twice, so that each output is one attention weight and
shows what became of it. What a layer draws can't be predicted; how often, how large and how much
alike can.
"""

from __future__ import annotations

import itertools

import numpy as np

from autograder.laws import Anything, Share, Statistical, Support
from autograder.messages import Text
from autograder.oracles import Crash, oracle
from autograder.oracles.attention import output_of, with_switches_of
from autograder.oracles.multi_head import multi_head

TWINS = 2  # features that show the same weight
PARTS = ("repeats", "ratios", "dropped", "twins", "neighbours", "returned")
REPEATS = Text("推理时两次调用相同的输出", "outputs that two calls in inference agree on")
RATIOS = Text("训练时的权重与推理时之比", "weights in training divided by those in inference")
DROPPED = Text("训练时被丢掉的注意力权重", "attention weights dropped in training")
TOGETHER = Text("一个权重用到的特征，一起丢、一起留", "features of one weight that share its fate")
APART = Text("相邻两个查询的同一个键，命运相同", "neighbouring queries that treat a key alike")
RETURNED = Text("训练时返回的权重与推理时相同", "returned weights that training leaves alone")
_ANY = {
    "ratios": Anything(RATIOS),
    "dropped": Anything(DROPPED),
    "twins": Anything(TOGETHER),
    "neighbours": Anything(APART),
    "returned": Anything(RETURNED),
}


@oracle(parts=PARTS)
@with_switches_of(multi_head)
def dropout_laws(
    query,
    key,
    value,
    weights,
    num_heads,
    rate,
    *,
    dropout_use="on_weights",
    dropout_when="training",
    dropout_rate="given",
    dropout_scaling="kept_grow",
    **switches,
):
    """The laws that `fates` of a layer follow.

    Args:
        query, key, value, weights, num_heads: as for `multi_head`.
        rate: the share of weights that training drops.
        dropout_use, dropout_when, dropout_rate, dropout_scaling: the switches.

    Returns:
        A `Statistical` of the parts in `PARTS`.

    Raises:
        Crash: where another mistake could not run on these sizes.
    """

    def layer(drop=None, use="on_weights"):
        made = multi_head(
            query, key, value, None, weights, num_heads, drop, dropout_use=use, **switches
        )
        return output_of(made)

    base = layer()
    if switches.get("layers", "own") != "own":  # drawn anew: hardly two numbers are ever equal
        return Statistical(repeats=Share(1e-3, REPEATS), **_ANY)
    r = {"given": rate, "kept": 1 - rate}.get(dropout_rate)
    r = float(dropout_rate) if r is None else r
    up = 1 / (1 - r) if dropout_scaling == "kept_grow" else 1.0
    always = dropout_when == "always"
    batch, length = query.shape[:2]
    readable = base.shape == (batch, length, num_heads * key.shape[1] * TWINS)
    if not readable or not _shows_weights(layer, base, (batch, num_heads, length, key.shape[1])):
        calm = Share(1.0, REPEATS) if readable and not always else Anything(REPEATS)
        return Statistical(repeats=calm, **_ANY)
    if always:
        return _when_always(r, dropout_use, length, key.shape[1])
    known = Share(1.0, REPEATS)
    if dropout_use == "on_scores":
        return Statistical(repeats=known, **_on_scores(layer, base, key.shape[1], r, up))
    return Statistical(repeats=known, **_dropping(r, up, dropout_use, length, key.shape[1]))


def _shows_weights(layer, base, shape) -> bool:
    """Whether each output still is one weight times what dropout did to it."""
    fate = np.random.default_rng(0).integers(0, 2, shape)
    try:
        dropped = layer(lambda x: x * fate.astype(x.dtype))
    except (Crash, ValueError):
        return False
    spread = np.repeat(fate.transpose(0, 2, 1, 3), TWINS, axis=-1).reshape(base.shape)
    return dropped.shape == base.shape and np.allclose(dropped, base * spread, atol=1e-5)


def _agree(r: float) -> float:
    return r * r + (1 - r) * (1 - r)


def _dropping(r, up, use, length, keys) -> dict:
    """The laws where whatever is dropped shows as zeros, and the rest keeps its size times `up`."""
    if use == "ignored":
        r, up = 0.0, 1.0
    if use == "twice":
        r, up = 1 - (1 - r) ** 2, up * up
    apart = use in ("on_output", "on_values")  # every feature has a fate of its own
    over_queries = length if use == "on_values" else 1  # but shared by all queries
    unchanged = 1.0
    if use == "returned":  # a row survives unchanged if nothing is dropped and nothing grows
        unchanged = (1 - r) ** keys if up == 1.0 else 0.0
    return {
        "ratios": Support((up,) if r == 0 else (0.0, up), RATIOS),
        "dropped": Share(r, DROPPED, dependent=TWINS * over_queries),
        "twins": Share(_agree(r) if apart else 1.0, TOGETHER, dependent=over_queries),
        "neighbours": Share(1.0 if use == "on_values" else _agree(r), APART),
        "returned": Share(unchanged, RETURNED),
    }


def _on_scores(layer, base, keys, r, up) -> dict:
    """Dropped scores are zeros among the scores: every pattern of a row gives other weights."""
    patterns = itertools.product((0.0, up), repeat=keys)
    ratios = tuple(
        layer(lambda x, p=p: x * np.asarray(p, x.dtype), "on_scores") / base for p in patterns
    )
    return {
        "ratios": Support(ratios, RATIOS),
        "dropped": Share(0.0, DROPPED),
        "twins": Share(1.0, TOGETHER),
        "neighbours": Share(1.0, APART),
        "returned": Share((1 - r) ** keys if up == 1.0 else 0.0, RETURNED),
    }


def _when_always(r, use, length, keys) -> Statistical:
    """Dropout in inference too; `fates` then takes the largest of three calls as undropped."""
    if use == "ignored":
        return Statistical(repeats=Share(1.0, REPEATS), **_dropping(r, 1.0, use, length, keys))
    if use == "twice":
        r = 1 - (1 - r) ** 2
    again = _agree(r)
    if use == "on_scores":  # a weight repeats itself if nothing in its row has changed
        again **= keys
    together = TWINS * (length if use == "on_values" else keys)
    laws = {"repeats": Share(again, REPEATS, dependent=together), **_ANY}
    if use == "on_weights":
        lost = r * (1 - r**2) / (1 - r**3)  # given that one of three calls kept it
        laws["ratios"] = Support((0.0, 1.0), RATIOS)
        laws["dropped"] = Share(lost, DROPPED, dependent=TWINS)
        laws["twins"] = Share(1.0, TOGETHER)
        laws["returned"] = Share(1.0, RETURNED)
    return Statistical(**laws)


def fates(training, inference, again, shape):
    """Read off what became of every weight in one call in training and two in inference.

    Args:
        training, inference, again: the answers: pairs, or outputs alone.
        shape: (B, T, N, S), how the features of an output are to be read.

    Returns:
        One array of outcomes for each of `PARTS`; empty where the outputs have another shape.
    """
    batch, length, heads, keys = shape
    wanted = (batch, length, heads * keys * TWINS)
    after, before, second = (np.asarray(output_of(x)) for x in (training, inference, again))
    if any(x.shape != wanted or x.dtype.kind != "f" for x in (after, before, second)):
        return tuple(np.zeros(0) for _ in PARTS)
    repeats = np.isclose(before, second, atol=1e-5)
    base = before if repeats.all() else np.maximum(np.maximum(before, second), after)
    known = base > 1e-4
    ratios = after / base if known.all() else after[known] / base[known]
    lost = np.abs(after) < 1e-4
    twins = lost.reshape(batch, length, heads, keys, TWINS)
    alike = after.reshape(batch, length, heads, keys, TWINS)
    even = 2 * (length // 2)
    same = twins[:, 0:even:2, ..., 0] == twins[:, 1:even:2, ..., 0]
    returned = np.ones(1)
    if isinstance(training, tuple) and isinstance(inference, tuple):
        mine, calm = np.asarray(training[1]), np.asarray(inference[1])
        fits = mine.shape == calm.shape and mine.ndim > 0
        returned = np.isclose(mine, calm, atol=1e-5).all(axis=-1) if fits else np.zeros(1)
    return (
        repeats,
        ratios,
        np.abs(ratios) < 1e-3,
        np.isclose(alike[..., 0], alike[..., 1], atol=1e-4),
        same,
        returned,
    )
