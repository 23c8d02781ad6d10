"""The laws of dropout, against a simulation that draws and counts."""

import itertools

import numpy as np
import pytest

from autograder.oracles import dropout, multi_head
from autograder.oracles.attention import output_of

SHAPE = (6, 12, 2, 3)  # items, queries, heads, keys
RATE = 0.3
# Each way of getting it wrong, and how a simulated layer does it.
PLACES = ("on_weights", "ignored", "returned", "on_scores", "on_output", "on_values", "twice")
SWITCHES = [
    *({"dropout_use": place} for place in PLACES),
    *({"dropout_rate": rate} for rate in ("kept", "0.1", "0.5")),
    {"dropout_scaling": "none"},
    {"dropout_when": "always"},
]


def layer_inputs(seed):
    rng = np.random.default_rng(seed)
    batch, length, heads, keys = SHAPE
    width = heads * keys * dropout.TWINS
    weights = {}
    for name in multi_head.PROJECTIONS:
        weights[f"{name}.kernel"] = rng.normal(size=(width, width)) / np.sqrt(width)
        weights[f"{name}.bias"] = np.zeros(width)
    weights["query_dense.kernel"] *= 0.3
    shown = np.tile(np.repeat(np.eye(keys), dropout.TWINS, axis=1), (1, heads))
    weights["value_dense.kernel"] = np.vstack([shown, np.zeros((width - keys, width))])
    weights["output_dense.kernel"] = np.eye(width)
    value = np.zeros((batch, keys, width))
    value[:, np.arange(keys), np.arange(keys)] = 1
    query, key = rng.normal(size=(batch, length, width)), rng.normal(size=(batch, keys, width))
    return (query, key, value), weights


def outcomes(switch, seed):
    """What a layer with this mistake shows; drawn here, not by the laws."""
    inputs, weights = layer_inputs(seed)
    rng = np.random.default_rng(seed + 1)
    rate = {"kept": 1 - RATE}.get(switch.get("dropout_rate"))
    rate = float(switch.get("dropout_rate", RATE)) if rate is None else rate
    grow = 1.0 if switch.get("dropout_scaling") else 1 / (1 - rate)

    def drop(x):
        return x * (rng.random(x.shape) >= rate) * grow

    def call(training):
        active = drop if training or switch.get("dropout_when") == "always" else None
        use = switch.get("dropout_use", "on_weights")
        return multi_head.multi_head(*inputs, None, weights, 2, active, dropout_use=use)

    before, again, after = call(False), call(False), call(True)
    return dropout.fates(after, before, again, SHAPE)


def laws(switch, seed):
    inputs, weights = layer_inputs(seed)
    return dropout.dropout_laws.raw(*inputs, weights, 2, RATE, **switch)


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda s: "-".join(map(str, s.values())))
def test_what_a_mistake_gives_follows_its_law_and_no_other(switch):
    for seed in range(12):
        seen = outcomes(switch, seed)
        fitting = [other for other in SWITCHES if laws(other, seed).fits(seen)]
        assert fitting == [switch]


def test_the_right_layer_is_refused_less_often_than_stated():
    """At a level that a simulation can reach; the bound itself is proved in test_laws."""
    alpha, refused = 0.2, 0
    for seed in range(150):
        refused += not laws({}, seed).fits(outcomes({}, seed), alpha)
    assert refused <= 150 * alpha


def test_two_mistakes_that_draw_never_look_like_the_right_layer():
    for a, b in itertools.combinations(SWITCHES[1:], 2):
        joined = {**a, **b}
        if len(joined) == 2 and joined.get("dropout_use") != "ignored":
            assert not laws({}, 3).fits(outcomes(joined, 3)), joined
            assert laws(joined, 3).fits(outcomes(joined, 3)), joined


def test_outputs_of_another_shape_are_no_evidence_of_anything():
    inputs, weights = layer_inputs(0)
    answer = multi_head.multi_head(*inputs, None, weights, 2)
    short = output_of(answer)[:, :3]
    assert all(part.size == 0 for part in dropout.fates(short, short, short, SHAPE))
    assert not laws({}, 0).fits(dropout.fates(short, short, short, SHAPE))
