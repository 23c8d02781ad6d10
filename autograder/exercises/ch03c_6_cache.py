"""Notebook ch03c, exercise 6: one step of attention that keeps keys and values."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03c_cache_mistakes import CACHE
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import kv_cache

NOTEBOOK = "ch03c_transformer"
CLOSE = {"atol": 2e-5, "rtol": 2e-5}

kv_cache_step = Exercise(
    "kv_cache_step",
    notebook=NOTEBOOK,
    points=5,
    stretch=True,
    forbids=(
        "bert_keras.layers.kv_cache.cached_attention",
        "bert_keras.layers.kv_cache.kept_attention",
        "bert_keras.layers.kv_cache.cached_block",
        "bert_keras.layers.decoder_cache.cached_decoder_block",
    ),
)


def some_weights(rng, dim):
    """Weights of the four projections, all different and of order one in effect."""
    weights = {}
    for name in kv_cache.PROJECTIONS:
        weights[f"{name}.kernel"] = 1.4 * normal(rng, dim, dim) / np.float32(np.sqrt(dim))
        weights[f"{name}.bias"] = normal(rng, dim) / 2
    return weights


def stepped(student, weights, num_heads, x, keys, values):
    """One step of the student's, compared with the oracle; returns the student's triple."""
    attention = fixture("plain_attention", num_heads, *weights.values())
    found = student(attention, x, keys, values)
    expect(found).equals(kv_cache.kv_cache_step(x, keys, values, weights, num_heads), **CLOSE)
    return found


@kv_cache_step.case(points=2, zh="一个新词元，前面有几个", en="one new token, with some before it")
def one_step(student, rng):
    """All sizes differ, and then as many items, heads and tokens."""
    for batch, heads, before, size in ((2, 3, 5, 4), (3, 3, 3, 3)):
        weights = some_weights(rng, heads * size)
        keys, values = (normal(rng, batch, heads, before, size) for _ in range(2))
        stepped(student, weights, heads, normal(rng, batch, 1, heads * size), keys, values)


@kv_cache_step.case(
    points=1, zh="最前面的词元：缓存还是空的", en="the first token: nothing is kept yet"
)
def empty_cache(student, rng):
    """It looks at itself alone."""
    weights = some_weights(rng, 8)
    nothing = np.zeros((3, 2, 0, 4), np.float32)
    stepped(student, weights, 2, normal(rng, 3, 1, 8), nothing, nothing)


@kv_cache_step.case(
    points=2,
    zh="一步一步走完一句，和一次算完相同",
    en="step by step through a sentence: the same as all at once",
)
def cached_is_uncached(student, rng):
    """Each step is given the caches that the last one returned."""
    heads, size, length = 2, 3, 6
    weights = some_weights(rng, heads * size)
    x = normal(rng, 2, length, heads * size)
    keys = values = np.zeros((2, heads, 0, size), np.float32)
    outputs = []
    for now in range(length):
        found = stepped(student, weights, heads, x[:, now : now + 1], keys, values)
        output, keys, values = (np.asarray(part) for part in found)
        outputs.append(output)
    at_once, *_ = kv_cache.causal_attention(x.astype(np.float64), _precise(weights), heads)
    together = derived(found, lambda _: np.concatenate(outputs, axis=1))
    expect(together).equals(at_once, atol=1e-4, rtol=1e-4)


def _precise(weights):
    return {name: array.astype(np.float64) for name, array in weights.items()}


for _name, (_switch, _zh, _en, _hints) in CACHE.items():
    kv_cache_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _triple(seen):
    """Output, keys and values, where all have the shapes that they should.

    Raises:
        LookupError: they don't.
    """
    if seen.prediction is None or not isinstance(seen.actual, tuple) or len(seen.actual) != 3:
        raise LookupError("no triple")
    return tuple(np.asarray(part) for part in seen.actual)


@kv_cache_step.property(
    "three_things_come_back",
    zh="应当返回三样：output、keys、values。",
    en="Three things should come back: output, keys, values.",
)
def no_triple(seen):
    return seen.prediction is not None and not (
        isinstance(seen.actual, tuple) and len(seen.actual) == 3
    )


@kv_cache_step.property(
    "cache_grows_by_one",
    zh="返回的缓存形状不对：应当比给你的多一个词元，(B, N, t + 1, H)。",
    en="The caches that come back have another shape: they should have one token more than those "
    "that were given, (B, N, t + 1, H).",
)
def cache_has_another_shape(seen):
    return any(
        got.shape != want.shape
        for got, want in zip(_triple(seen)[1:], seen.expected[1:], strict=True)
    )


@kv_cache_step.property(
    "old_tokens_stay",
    zh="缓存里旧词元的键或值变了。",
    en="Keys or values of the old tokens have changed in the cache.",
)
def old_tokens_changed(seen):
    old = zip(_triple(seen)[1:], seen.args[1:3], strict=True)
    return any(not np.allclose(got[:, :, :-1], before, **CLOSE) for got, before in old)


@kv_cache_step.property(
    "new_token_is_right",
    zh="缓存的最后一个不是新词元的键和值：看接在哪一头，再看投影和分头。",
    en="The cache's last entry isn't the new token's key and value: see at which end it was put, "
    "then look at projections and heads.",
)
def new_token_is_wrong(seen):
    pairs = zip(_triple(seen)[1:], seen.expected[1:], strict=True)
    return any(not np.allclose(got[:, :, -1], want[:, :, -1], **CLOSE) for got, want in pairs)


@kv_cache_step.property(
    "output_is_right",
    zh="缓存对，输出不对：看新词元看了谁，输出过了什么。",
    en="The caches are right and the output is wrong: see whom the new token looks at, and what "
    "the output passes.",
)
def output_is_wrong(seen):
    output, *caches = _triple(seen)
    pairs = zip(caches, seen.expected[1:], strict=True)
    right = all(got.shape == want.shape and np.allclose(got, want, **CLOSE) for got, want in pairs)
    wrong = output.shape != seen.expected[0].shape or not np.allclose(
        output, seen.expected[0], **CLOSE
    )
    return right and wrong
