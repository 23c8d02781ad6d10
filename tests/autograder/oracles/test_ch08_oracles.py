"""The oracles of chapter 8 against arithmetic by hand, and against their stand-ins."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch08_1_prune import magnitude_prune
from autograder.exercises.ch08_2_heads import prune_heads, some_attention_weights
from autograder.exercises.ch08_3_quantize import quantize_int8, some_numbers
from autograder.exercises.ch08_4_dequantize import dequantize
from autograder.exercises.ch08_5_distill import distillation_loss
from autograder.exercises.ch08_6_mapping import layer_mapping
from autograder.exercises.ch08_7_low_rank import low_rank, some_kernel
from autograder.exercises.ch08_8_share import share_layers
from autograder.exercises.ch08_9_drill import DRILL_BUGS, drill, some_layer
from autograder.exercises.ch08_drill_mistakes import ILLS
from autograder.exercises.ch08_kit import in_parts
from autograder.hypotheses import singles
from autograder.oracles import (
    Crash,
    distillation,
    head_pruning,
    int8,
    int8_layer,
    low_ranks,
    shared_encoder,
    weight_pruning,
)

ROOT = Path(__file__).parents[3]
EXERCISES = (
    *(magnitude_prune, prune_heads, quantize_int8, dequantize, distillation_loss),
    *(layer_mapping, low_rank, share_layers, drill),
)


# ------------------------------------------------------------------ pruning


def masks_of(kernels, share, **switches):
    kernels = [np.array(kernel, float) for kernel in kernels]
    found = weight_pruning.magnitude_prune.raw(kernels, share, **switches)
    return [mask.tolist() for mask in found]


def test_pruning_by_hand():
    yes, no = True, False
    kernel = [[-3, 1, 2, 0.5]]
    assert masks_of(kernel, 0.5) == [[yes, no, yes, no]]
    assert masks_of(kernel, 0.5, size="signed") == [[no, yes, yes, no]]
    assert masks_of(kernel, 0.5, order="largest") == [[no, yes, no, yes]]
    both = [[1, 2], [10, 20]]
    assert masks_of(both, 0.5) == [[no, no], [yes, yes]]
    assert masks_of(both, 0.5, scope="each") == [[no, yes], [no, yes]]
    assert masks_of(both, 0.5, scope="over_the_largest") == [[no, yes], [no, yes]]
    equal = [[1, -1, 1, 2]]
    assert masks_of(equal, 0.5) == [[no, no, yes, yes]]
    assert masks_of(equal, 0.5, ties="all_go") == [[no, no, no, yes]]
    assert masks_of(equal, 0.5, ties="all_stay") == [[yes, yes, yes, yes]]
    assert masks_of(equal, 0.5, ties="later") == [[yes, no, no, yes]]


def test_how_many_go():
    def gone(count, share, **switches):
        return masks_of([np.arange(1, count + 1)], share, **switches)[0].count(False)

    assert gone(10, 0.25) == 2 and gone(14, 0.25) == 4  # 2.5 and 3.5
    assert gone(10, 0.25, number="half_up") == 3 and gone(10, 0.25, number="ceil") == 3
    assert gone(14, 0.25, number="floor") == 3
    assert gone(10, 0.2, number="what_stays") == 8
    zeros = [[0, 0, 3, 4]]
    assert masks_of(zeros, 0.5) == [[False, False, True, True]]
    assert masks_of(zeros, 0.5, number="of_those_left") == [[False, False, False, True]]


# ------------------------------------------------------------------ heads


def test_cut_heads_compute_what_masked_ones_do():
    """A head that is gone is one whose result is 0."""
    rng = np.random.default_rng(0)
    heads, size, wide, dim = 3, 2, 5, 4
    weights = some_attention_weights(rng, heads, size, wide, dim)
    x = rng.standard_normal((4, wide))

    def output(given, number, factors):
        shape = (len(x), number, size)
        query, key, value = (
            (x @ given[f"{p}_kernel"] + given[f"{p}_bias"]).reshape(shape).transpose(1, 0, 2)
            for p in head_pruning.PARTS
        )
        shares = np.exp(query @ key.transpose(0, 2, 1))
        found = shares / shares.sum(axis=-1, keepdims=True) @ value * factors[:, None, None]
        merged = found.transpose(1, 0, 2).reshape(len(x), number * size)
        return merged @ given["output_kernel"] + given["output_bias"]

    def cut(gone, **switches):
        found = head_pruning.prune_heads.raw(weights, gone, heads, **switches)
        return dict(zip(head_pruning.NAMES, found, strict=True))

    masked = output(weights, heads, np.array([1, 0, 1]))
    np.testing.assert_allclose(output(cut([1]), 2, np.ones(2)), masked, rtol=1e-5)
    other = cut([1], layout="interleaved")
    assert not np.allclose(output(other, 2, np.ones(2)), masked)
    assert cut([0, 1, 2])["query_kernel"].shape == (wide, 0)
    with pytest.raises(Crash):
        cut([1], output_axis="columns")  # D isn't N·H
    gone = head_pruning._removed([1, 2], 4, "one_after_the_other", "once")
    assert gone == [1, 3]


# ------------------------------------------------------------------ eight bits


def test_int8_by_hand():
    x = np.array([-2, 0.5, 1.27])

    def quantized(**switches):
        q, scale = int8.quantize_int8.raw(x, **switches)
        return q.tolist(), float(scale)

    assert quantized() == ([-127, 32, 81], pytest.approx(2 / 127))
    assert quantized(divisor=128)[0] == [-127, 32, 81]
    assert quantized(divisor=128, overflow="at_128")[0][0] == -128
    assert quantized(rounding="truncated")[0][1:] == [31, 80]
    assert quantized(size="largest_signed", overflow="wraps")[0][0] == 56  # -200 + 256
    halves = np.array([2.5, 3.5, -2.5, 127])
    assert int8.quantize_int8.raw(halves)[0].tolist() == [2, 4, -2, 127]
    assert int8.quantize_int8.raw(halves, rounding="half_up")[0].tolist() == [3, 4, -2, 127]
    assert int8.quantize_int8.raw(halves, rounding="half_away")[0].tolist() == [3, 4, -3, 127]


def test_scales_of_an_axis():
    kernel = np.array([[1.0, 0, -254], [-127, 0, 10]])
    q, scale = int8.quantize_int8.raw(kernel, 1)
    assert scale.tolist() == [[1, 1, 2]] and q.tolist() == [[1, 0, -127], [-127, 0, 5]]
    assert int8.quantize_int8.raw(kernel, 1, zeros="zero")[1].tolist() == [[1, 0, 2]]
    assert int8.quantize_int8.raw(kernel, -1)[1].tolist() == [[1, 1, 2]]
    assert int8.quantize_int8.raw(kernel, 0)[1].shape == (2, 1)
    assert int8.quantize_int8.raw(kernel, -1, along="never_found")[1].shape == (1, 1)
    with pytest.raises(Crash):
        int8.quantize_int8.raw(kernel, 0, keepdims="lost")
    back = int8.dequantize.raw(q, scale.astype(np.float32))
    assert (np.abs(back - kernel) <= scale / 2).all()


def test_drawn_numbers_round_surely():
    rng = np.random.default_rng(1)
    x = some_numbers(rng, (5, 4), 1, lean=-1)
    wide = int8.quantize_int8.raw(x.astype(np.float64), 1)[0]
    assert (wide == int8.quantize_int8.raw(x, 1)[0]).all()


# ------------------------------------------------------------------ distillation


def test_distillation_by_hand():
    """At T = 2 the teacher says 3/4 and 1/4, the student a half each."""
    given = np.zeros((1, 2)), np.array([[2 * math.log(3), 0.0]]), np.array([1])
    divergence = 0.75 * math.log(1.5) + 0.25 * math.log(0.5)

    def loss(alpha, temperature=2.0, **switches):
        return float(distillation.loss_of(*given, temperature, alpha, **switches))

    assert divergence == pytest.approx(0.1308, abs=1e-4)
    assert loss(1) == pytest.approx(4 * divergence)
    assert loss(1, factor="missing") == pytest.approx(divergence)
    assert loss(1, reduction="classes_too") == pytest.approx(2 * divergence)
    turned = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    assert loss(1, direction="student_first") == pytest.approx(4 * turned)
    assert loss(1, soft="cross_entropy") == pytest.approx(4 * math.log(2))
    assert loss(0) == pytest.approx(math.log(2))
    assert loss(0.3) == pytest.approx(1.2 * divergence + 0.7 * math.log(2))
    assert loss(0.3, weights="turned") == pytest.approx(2.8 * divergence + 0.3 * math.log(2))
    mine, theirs = distillation.distillation_gradient.raw(*given, 2.0, 1.0)
    # T² · (student − teacher) / T at temperature T
    np.testing.assert_allclose(mine, [[-0.5, 0.5]], rtol=1e-6)
    assert not theirs.any()


def test_logits_far_apart():
    given = np.array([[400.0, 0]]), np.array([[0.0, 400]]), np.array([0]), 1.0, 1.0
    assert float(distillation.loss_of(*given)) == pytest.approx(400)
    single = [x.astype(np.float32) if x.dtype.kind == "f" else x for x in given[:3]]
    with np.errstate(all="ignore"):
        assert not np.isfinite(distillation.loss_of(*single, 1.0, 1.0, logs="of_the_softmax"))
    clipped = distillation.loss_of(*single, 1.0, 1.0, logs="clipped")
    assert clipped == pytest.approx(-math.log(1e-7), rel=1e-3)


def test_mapping_by_hand():
    def layers(size, whole, **switches):
        return distillation.layer_mapping.raw(size, whole, **switches).tolist()

    assert layers(2, 3) == [0, 1, 3] and layers(2, 6) == [0, 3, 6]
    assert layers(5, 12) == [0, 2, 4, 7, 9, 12]
    assert layers(5, 12, entry="step_down") == [0, 2, 4, 6, 8, 10]
    assert layers(2, 3, entry="nearest") == [0, 2, 3]
    assert layers(2, 6, first="left_out") == [3, 6]
    with pytest.raises(Crash):
        layers(4, 4, refusal="equal_too")
    # Python's division is exact enough for all that is asked.
    for size, whole in itertools.product(range(1, 13), repeat=2):
        if size <= whole:
            assert [int(m * whole / size) for m in range(size + 1)] == layers(size, whole)


# ------------------------------------------------------------------ low ranks, one block


def test_nothing_of_this_rank_is_closer():
    rng = np.random.default_rng(2)
    kernel = some_kernel(rng, 6, 4).astype(float)
    values = np.linalg.svd(kernel, compute_uv=False)
    for rank in (1, 2, 3):
        product = low_ranks.low_rank.raw(kernel, rank)
        error = np.linalg.norm(kernel - product)
        assert error == pytest.approx(np.linalg.norm(values[rank:]))
    np.testing.assert_allclose(low_ranks.low_rank.raw(kernel, 4), kernel, atol=1e-12)
    diagonal = np.diag([4.0, 1.0])
    assert low_ranks.low_rank.raw(diagonal, 1).round(9).tolist() == [[4, 0], [0, 0]]
    assert low_ranks.low_rank.raw(diagonal, 1, weighed="twice")[0, 0] == pytest.approx(16)
    with pytest.raises(Crash):
        low_ranks.low_rank.raw(kernel, 4, refusal="full_too")


def test_one_block_by_hand():
    """A kernel of zeros adds tanh(0): all states are the input."""
    x = np.arange(6.0).reshape(1, 3, 2)
    states = shared_encoder.shared_states.raw(x, np.zeros((2, 2)), 2)
    assert len(states) == 3 and all((state == x).all() for state in states)
    kernel = np.eye(2)
    mask = np.eye(3, dtype=bool)[None]
    first, second, third = shared_encoder.shared_states.raw(x, kernel, 2, mask)
    np.testing.assert_allclose(second, first + np.tanh(first))
    np.testing.assert_allclose(third, second + np.tanh(second))
    with pytest.raises(Crash):
        shared_encoder.shared_states.raw(x, kernel, 2, built=False, building="never")


# ------------------------------------------------------------------ the drill


def test_int8_layer_by_hand():
    """x is 2 and -1.2, in steps of 2/127; the column is 1 and 0.4, in steps of 1/127."""
    given = np.array([[2.0, -1.2]]), np.array([[1.0], [0.4]]), np.array([10.0])

    def output(share=0.0, **switches):
        return int8_layer.int8_layer.raw(*given, share, **switches).item()

    whole = 127 * 127 - 76 * 51  # 76.2 and 50.8
    assert output() == pytest.approx(10 + whole * 2 / 127**2)
    assert output(0.5) == pytest.approx(12)
    assert output(0.5, ranking="signed") == pytest.approx(12)
    assert output(bias_added="inside") == pytest.approx((whole + 10) * 2 / 127**2)
    assert output(row_scale="forgotten") == pytest.approx(10 + whole / 127)
    assert output(1.0) == 10


def test_every_bug_of_the_drill_shows():
    rng = np.random.default_rng(3)
    sets = [some_layer(rng, 3, 6, 4, 0.5), some_layer(rng, 2, 30, 3, 0.3, shift=2.0)]
    for name, forms in ILLS.items():
        for switch in (forms,) if isinstance(forms, dict) else forms:
            differs = [
                not np.allclose(
                    int8_layer.int8_layer.raw(*given),
                    int8_layer.int8_layer.raw(*given, **switch),
                    atol=2e-4,
                    rtol=1e-4,
                )
                for given in sets
            ]
            assert any(differs), (name, switch)


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch08_compression/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS == tuple(ILLS)


# ------------------------------------------------------------------ all of them


def some_predictions(rng):
    """For every exercise predictions on which its mistakes can be acted out."""
    kernels = [rng.standard_normal((3, 4)), np.array([0.0, 1, -1, 1])]
    weights = some_attention_weights(rng, 4, 2, 8, 8)
    logits = rng.standard_normal((2, 3, 4))
    labels = np.array([1, 0, 3])
    x = rng.standard_normal((3, 4))
    q = rng.integers(-127, 128, (4, 4)).astype(np.int8)
    tokens, kernel = rng.standard_normal((2, 3, 4)), rng.standard_normal((4, 4))
    mask = np.eye(3, dtype=bool)[None]
    return {
        "magnitude_prune": [in_parts(weight_pruning.magnitude_prune(kernels, 0.4), "masks")],
        "prune_heads": [head_pruning.prune_heads(weights, [1, 1, 2], 4)],
        "quantize_int8": [int8.quantize_int8(x), int8.quantize_int8(x, -1)],
        "dequantize": [int8.dequantize(q, np.ones((1, 4)))],
        "distillation_loss": [distillation.distillation_loss(*logits, labels, 2.0, 0.3)],
        "layer_mapping": [distillation.layer_mapping(4, 6)],
        "low_rank": [low_ranks.low_rank(x, 2), low_ranks.low_rank_shapes((3, 4), 2)],
        "share_layers": [shared_encoder.shared_states(tokens, kernel, 2, mask)],
        "drill_ch08_compression": [int8_layer.int8_layer(*some_layer(rng, 3, 4, 4, 0.5))],
    }


def test_every_mistake_and_many_pairs_can_be_acted_out():
    """What is impossible together is a `Crash` or one of the errors that mean it, never another."""
    rng = np.random.default_rng(4)
    found = some_predictions(rng)
    for exercise in EXERCISES:
        known = singles(exercise.misconceptions.values())
        pairs = [a.with_another(b) for a, b in itertools.combinations(known, 2)]
        pairs = [pair for pair in pairs if pair]
        some = rng.permutation(len(pairs))[:250]
        for hypothesis in (*known, *(pairs[place] for place in some)):
            for prediction in found[exercise.id]:
                try:
                    prediction.predict(hypothesis.switch)
                except (ValueError, IndexError, TypeError):
                    pass
                except Exception as error:
                    raise AssertionError(f"{exercise.id}: {hypothesis.switch}") from error
