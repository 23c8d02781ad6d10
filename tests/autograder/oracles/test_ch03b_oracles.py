"""Positions, layer normalisation and blocks in NumPy against Keras, by hand and by their laws."""

import numpy as np
import pytest

from autograder.oracles import Crash, blocks, feed_forward, normalisation, positions, residual
from autograder.oracles.multi_head import PROJECTIONS
from autograder.oracles.stages import EPSILON
from autograder.stand_ins.ch03b_blocks import BUILDERS

HIDDEN, MIDDLE, HEADS = 8, 5, 2
PARTS = ("self_attention", "cross_attention", "feed_forward")


@pytest.fixture
def weights():
    rng = np.random.default_rng(5)
    found = {}
    for part in PARTS[:2]:
        for name in PROJECTIONS:
            found[f"{part}.{name}.kernel"] = rng.normal(size=(HIDDEN, HIDDEN)) / 2
            found[f"{part}.{name}.bias"] = rng.normal(size=HIDDEN)
    for name, shape in (("intermediate", (HIDDEN, MIDDLE)), ("output", (MIDDLE, HIDDEN))):
        found[f"feed_forward.{name}_dense.kernel"] = rng.normal(size=shape) / 2
        found[f"feed_forward.{name}_dense.bias"] = rng.normal(size=shape[1])
    for part in PARTS:
        found[f"{part}_layer_norm.gamma"] = rng.uniform(0.5, 2, HIDDEN)
        found[f"{part}_layer_norm.beta"] = rng.normal(size=HIDDEN)
    return {name: array.astype("float32") for name, array in found.items()}


def silent(weights):
    """The same weights, but every branch gives zeros."""
    return {
        name: 0 * array if ".output_dense." in name else array for name, array in weights.items()
    }


def tokens(*shape, seed=6):
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def test_waves_by_hand():
    table = positions.sinusoidal_positions.raw(2, 4)
    np.testing.assert_allclose(table[0], [0, 1, 0, 1])
    np.testing.assert_allclose(table[1], [0.8415, 0.5403, 0.0100, 1.0000], atol=1e-4)


@pytest.mark.parametrize(
    ("switch", "row"),
    [
        ({"exponent": "two_columns"}, [0.8415, 1.0000, 0.0001, 1.0000]),
        ({"exponent": "next_for_cosine"}, [0.8415, 0.99995, 0.0100, 1.0000]),
        ({"base": 1000}, [0.8415, 0.5403, 0.0316, 0.9995]),
        ({"layout": "halves"}, [0.8415, 0.0100, 0.5403, 1.0000]),
    ],
)
def test_waves_gone_wrong(switch, row):
    np.testing.assert_allclose(positions.sinusoids(2, 4, **switch)[1], row, atol=1e-4)


def test_a_step_turns_every_pair():
    table = positions.sinusoidal_positions.raw(9, 6).reshape(9, 3, 2)
    turned = np.einsum("tpi,tpi->tp", table[1:], table[:-1])  # cosine of the angle in between
    np.testing.assert_allclose(turned, np.broadcast_to(turned[0], turned.shape))


def test_rows_of_a_table():
    x, table = tokens(3, 4, 2), tokens(6, 2, seed=7)
    added = positions.learned_positions.raw(x, table) - x
    np.testing.assert_allclose(added[1], table[:4], rtol=1e-5)
    assert positions.refuses.raw(6, 6) == "accepted"
    assert positions.refuses.raw(7, 6) == "ValueError"
    assert isinstance(positions.learned_positions(x, table).predict({"rows": "by_batch"}), Crash)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda rng: rng.normal(size=(400, 24)) * 0.3, "as asked"),
        (lambda rng: np.clip(rng.normal(size=(400, 24)) * 0.3, -0.6, 0.6), "as asked"),
        (lambda rng: np.zeros((400, 24)), "zeros"),
        (lambda rng: rng.uniform(-1, 1, (400, 24)) * (6 / 424) ** 0.5, "Keras's default"),
        (lambda rng: rng.uniform(0, 1, (400, 24)), "another spread"),
    ],
)
def test_the_spread_of_a_table(make, word):
    for seed in range(5):
        assert positions.spread_in_words(make(np.random.default_rng(seed)), 0.3) == word


@pytest.mark.parametrize(
    ("switch", "first"),
    [
        ({}, 1.7320),
        ({"spread": "sample"}, 1.5),
        ({"spread": "variance"}, 4.0),
        ({"spread": "root_of_deviation"}, 1.1397),
    ],
)
def test_a_token_by_hand(switch, first):
    x = np.array([[1.0, 0, 0, 0]])
    found = normalisation.normalised(x, np.ones(4), np.zeros(4), 0.0, **switch)
    assert found[0, 0] == pytest.approx(first, abs=1e-4)


def test_layer_norm_equals_keras():
    keras = pytest.importorskip("keras")
    x, gamma, beta = 3 * tokens(2, 3, 5) + 1, tokens(5, seed=8), tokens(5, seed=9)
    layer = keras.layers.LayerNormalization(epsilon=0.1)
    layer.build(x.shape)
    layer.set_weights([gamma, beta])
    mine = normalisation.layer_norm.raw(x, gamma, beta, 0.1)
    np.testing.assert_allclose(mine, layer(x), atol=1e-5)
    np.testing.assert_allclose(BUILDERS["norm"](gamma, beta)(x), mine, atol=1e-5)
    assert EPSILON == 0.1


@pytest.mark.parametrize("activation", ["relu", "tanh", "gelu", "sigmoid", "silu"])
def test_feed_forward_equals_keras(activation, weights):
    keras = pytest.importorskip("keras")
    part = {k[13:]: v for k, v in weights.items() if k.startswith("feed_forward.")}
    x = tokens(2, 3, HIDDEN)
    middle = keras.layers.Dense(MIDDLE, activation=activation)
    end = keras.layers.Dense(HIDDEN)
    middle.build(x.shape)
    end.build((2, 3, MIDDLE))
    middle.set_weights([part["intermediate_dense.kernel"], part["intermediate_dense.bias"]])
    end.set_weights([part["output_dense.kernel"], part["output_dense.bias"]])
    mine = feed_forward.widen_and_narrow(x, part, activation)
    np.testing.assert_allclose(mine, end(middle(x)), atol=1e-5)


@pytest.mark.parametrize("way", ["post", "pre"])
def test_a_silent_branch(way):
    x, gamma, beta = tokens(2, 3, 4), tokens(4, seed=8), tokens(4, seed=9)
    nothing = np.zeros((4, 4)), np.zeros((3, 3))
    found = residual.residual.raw(x, *nothing, gamma, beta, way)
    wanted = x if way == "pre" else residual.norm_of(gamma, beta)(x)
    np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("norm_first", [False, True])
def test_silent_branches_in_a_block(norm_first, weights):
    x, quiet = tokens(2, 3, HIDDEN), silent(weights)
    output, shown = blocks.encoder_block.raw(x, None, quiet, HEADS, "relu", norm_first)
    wanted = x
    if not norm_first:
        for part in ("self_attention", "feed_forward"):
            gamma, beta = (quiet[f"{part}_layer_norm.{name}"] for name in ("gamma", "beta"))
            wanted = residual.norm_of(gamma, beta)(wanted)
    np.testing.assert_allclose(output, wanted, atol=1e-5)
    np.testing.assert_allclose(shown.sum(axis=-1), 1, atol=1e-5)


def test_a_decoder_block_equals_its_parts_wired_by_hand(weights):
    pytest.importorskip("keras")
    x, source = tokens(2, 4, HIDDEN), tokens(2, 3, HIDDEN, seed=7)
    causal = np.broadcast_to(np.tri(4, dtype=bool), (2, 4, 4))
    padding = np.array([[[True, True, False]], [[True, True, True]]])
    block = BUILDERS["parts_of_a_decoder_block"](HEADS, list(weights), *weights.values())
    looked, own = block.self_attention(x, x, x, attention_mask=causal)
    h = block.self_attention_layer_norm(x + looked)
    looked, other = block.cross_attention(h, source, source, attention_mask=padding)
    h = block.cross_attention_layer_norm(h + looked)
    h = block.feed_forward_layer_norm(h + block.feed_forward(h))
    mine = blocks.decoder_block.raw(x, source, causal, padding, weights, HEADS, "relu", False)
    for got, want in zip(mine, (h, own, other), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-4)


def test_what_a_block_may_not_see(weights):
    x, source = tokens(2, 4, HIDDEN), tokens(2, 3, HIDDEN, seed=7)
    causal = np.broadcast_to(np.tri(4, dtype=bool), (2, 4, 4))
    padding = np.broadcast_to(np.array([True, True, False]), (2, 1, 3))

    def run(x, source, **switches):
        given = (x, source, causal, padding, weights, HEADS, "relu", True)
        return blocks.decoder_block.raw(*given, **switches)[0]

    later, unseen = x.copy(), source.copy()
    later[:, 3] += 1
    unseen[:, 2] += 1
    before = run(x, source)
    np.testing.assert_allclose(run(later, source)[:, :3], before[:, :3], atol=1e-6)
    np.testing.assert_allclose(run(x, unseen), before, atol=1e-6)
    assert not np.allclose(run(x, unseen, masking="missing/cross"), before, atol=1e-3)


def test_where_a_mistake_is_made(weights):
    """An ending restricts a switch to a stage, to an order, or to both."""
    x = tokens(2, 3, HIDDEN)

    def run(norm_first, **switches):
        given = (x, None, weights, HEADS, "relu", norm_first)
        return blocks.encoder_block.raw(*given, **switches)[0]

    for norm_first, order, other in ((False, "post", "pre"), (True, "pre", "post")):
        right = run(norm_first)
        np.testing.assert_array_equal(run(norm_first, skip=f"missing/{other}"), right)
        np.testing.assert_array_equal(run(norm_first, skip="missing/cross"), right)
        assert not np.allclose(run(norm_first, skip=f"missing/{order}"), right, atol=1e-2)
        assert not np.allclose(run(norm_first, skip=f"missing/ffn/{order}"), right, atol=1e-2)


def test_when_everything_is_dropped(weights):
    x = tokens(2, 3, HIDDEN)
    given = (x, None, weights, HEADS, "relu", True)
    np.testing.assert_allclose(blocks.encoder_dropping.raw(*given, "training"), x)
    right = blocks.encoder_block.raw(*given)[0]
    np.testing.assert_allclose(blocks.encoder_dropping.raw(*given, "inference"), right)
    always = blocks.encoder_dropping.raw(*given, "inference", when="always")
    np.testing.assert_allclose(always, x)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_branch_that_overwrote_x_is_dropped_once_only(norm_first, weights):
    x = tokens(2, 3, HIDDEN)
    given = (x, None, weights, HEADS, "relu", norm_first)
    both, kept = {"skip": "branch_doubled/ffn"}, {"skip": "branch_and_dropped/ffn"}
    results = [blocks.encoder_block.raw(*given, **switch) for switch in (both, kept)]
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
    doubled, once = (blocks.encoder_dropping.raw(*given, "training", **s) for s in (both, kept))
    wanted = np.zeros_like(x)  # with post-LN a norm of zeros
    if not norm_first:
        wanted = wanted + weights["feed_forward_layer_norm.beta"]
    np.testing.assert_allclose(doubled, wanted, atol=1e-6)
    assert np.abs(once - doubled).max() > 0.1


def test_the_norm_of_the_branch_before(weights):
    """With a silent self-attention x stays, and what is stale is the other norm of the same x."""
    x = tokens(2, 3, HIDDEN)
    quiet = {k: 0 * v if k.startswith("self_attention.output") else v for k, v in weights.items()}
    given = (x, None, quiet, HEADS, "relu", True)
    stale, _ = blocks.encoder_block.raw(*given, enters="seen_before/ffn")
    other, _ = blocks.encoder_block.raw(*given, norms="ffn_uses_self")
    np.testing.assert_allclose(stale, other, atol=1e-6)


def test_a_decoder_block_without_cross_attention(weights):
    x = tokens(2, 4, HIDDEN)
    rest = (None, None, weights, HEADS, "relu", False)
    one, other = (
        blocks.decoder_block.raw(x, tokens(2, 3, HIDDEN, seed=s), *rest, sequence="no_cross")
        for s in (7, 8)
    )
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_array_equal(one[1], one[2])


@pytest.mark.parametrize("norm_first", [False, True])
def test_two_attentions_in_one_sum(norm_first, weights):
    """With a silent cross-attention and with pre-LN it is the block without cross-attention."""
    x, source = tokens(2, 4, HIDDEN), tokens(2, 3, HIDDEN, seed=7)
    quiet = {k: 0 * v if k.startswith("cross_attention.output") else v for k, v in weights.items()}
    given = (x, source, None, None, quiet, HEADS, "relu", norm_first)
    joined, alone = (
        blocks.decoder_block.raw(*given, sequence=sequence)[0]
        for sequence in ("one_sum", "no_cross")
    )
    np.testing.assert_allclose(joined, alone, atol=1e-6)
    last = blocks.decoder_block.raw(*given, sequence="one_sum_last_norm")[0]
    assert np.allclose(last, alone, atol=1e-6) == norm_first


def test_how_weights_start_and_whether_they_move():
    ones, zeros, drawn = np.ones(3), np.zeros(3), tokens(3)
    assert normalisation.starts_in_words(ones, zeros) == normalisation.norm_starts.raw()
    assert normalisation.starts_in_words(drawn, 2 * ones) == "random, another number"
    swapped = normalisation.norm_starts.raw(named="exchanged")
    assert normalisation.starts_in_words(zeros, ones) == swapped
    assert positions.moved_in_words(drawn, drawn) == positions.table_learns.raw(learns="no")
    assert positions.moved_in_words(drawn, drawn + 1) == positions.table_learns.raw()
