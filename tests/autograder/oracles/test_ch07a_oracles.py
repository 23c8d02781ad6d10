"""The oracles of chapter 7a against arithmetic by hand, and against their stand-ins."""

import math
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch07a_4_relations import some_relation
from autograder.exercises.ch07a_8_drill import DRILL_BUGS, some_model, telling
from autograder.exercises.ch07a_drill_mistakes import ILLS
from autograder.exercises.ch07a_kit import one_hot_attention, padding, some_attention
from autograder.oracles import (
    Crash,
    head_distance,
    head_entropy,
    head_importance,
    head_likeness,
    head_queries,
    head_relations,
    path_gradients,
    special_mass,
    switched_heads,
)
from autograder.stand_ins import ch07a_heads as stand_ins

ROOT = Path(__file__).parents[3]
LN_2 = math.log(2)
# Two rows of two tokens, of which the second has padding behind; one head. The padding query looks
# at one key only.
MASK = np.array([[True, True], [True, False]])
WEIGHTS = np.array([[[[0.5, 0.5], [1.0, 0.0]]], [[[1.0, 0.0], [0.0, 1.0]]]])


def approx(*numbers):
    return pytest.approx(list(numbers))


# ------------------------------------------------------------------ the mean


def test_means_by_hand():
    """Queries with the numbers 2, 2, 2 and 8; at padding stands 100."""
    numbers = np.array([[[2.0, 2.0, 2.0]], [[8.0, 100.0, 100.0]]])
    counted = np.array([[True, True, True], [True, False, False]])

    def mean(average="queries"):
        return head_queries.averaged(numbers, counted, average).tolist()

    assert mean() == [3.5]
    assert mean("rows") == [5.0] and mean("by_row") == [[2.0], [8.0]]
    assert mean("all_queries") == approx(214 / 6) and mean("divided_by_all") == approx(14 / 6)
    assert mean("divided_by_rows") == [7.0] and mean("not_divided") == [14.0]
    assert mean("padding") == [100.0] and mean("first_row") == [2.0]
    assert mean("one_number") == 3.5


def test_a_mask_on_the_axes_of_rows_and_heads():
    """It only fits where there are as many heads as queries."""
    square = np.arange(8.0).reshape(2, 2, 2)  # [row, head, query]
    mask = np.array([[True, True], [True, False]])
    assert head_queries.averaged(square, mask, "heads_masked") == approx(2, 3)
    with pytest.raises(Crash):
        head_queries.averaged(square[:, :1], mask, "heads_masked")


def test_padding_on_the_left_and_axes_that_are_run_together():
    numbers = np.arange(12.0).reshape(2, 2, 3)  # [row, head, query]
    counted = np.array([[False, True, True], [True, True, True]])
    assert head_queries.averaged(numbers, counted, "queries") == approx(24 / 5, 39 / 5)
    wrong = head_queries.averaged(numbers, counted, "assumed_on_the_right")
    assert wrong == approx((0 + 1 + 6 + 7 + 8) / 5, (3 + 4 + 9 + 10 + 11) / 5)
    wrong = head_queries.averaged(numbers, counted, "reshaped")
    assert wrong == approx((2 + 4 + 6 + 8 + 10) / 5, (3 + 5 + 7 + 9 + 11) / 5)


# ------------------------------------------------------------------ entropy and distance


def test_entropy_by_hand():
    def entropy(**switches):
        with np.errstate(all="ignore"):
            return head_entropy.attention_entropy.raw(WEIGHTS, MASK, **switches)

    assert entropy() == approx(LN_2 / 3)
    assert entropy(log="bits") == approx(1 / 3)
    assert entropy(sign="plus") == approx(-LN_2 / 3)
    assert np.isnan(entropy(zero="not_a_number")).all()
    assert entropy(zero="row_skipped") == approx(LN_2)
    assert entropy(zero="row_lost") == approx(LN_2 / 3)
    assert entropy(measure="squares") == approx(0.5 / 3)
    assert entropy(measure="perplexity") == approx((2 + 1 + 1) / 3)
    # The mean of the rows is [5/6, 1/6].
    assert entropy(first="mean_row") == approx(-5 / 6 * math.log(5 / 6) - math.log(1 / 6) / 6)
    # Column 0 of the first row: 0.5 and 1; column 1: 0.5 and 0.
    assert entropy(axis="queries") == approx(LN_2 / 3)
    small = entropy(zero="added_0.001")
    assert small == approx((-math.log(0.501) - 2 * math.log(1.001)) / 3)


def test_what_is_added_shows_where_the_course_says():
    """1e-6 inside the logarithm of 200 keys is too much, 1e-8 isn't."""
    rng = np.random.default_rng(0)
    mask = padding([200], 200)
    weights = some_attention(rng, mask, 2).astype(float)
    right = head_entropy.attention_entropy.raw(weights, mask)
    off = head_entropy.attention_entropy.raw(weights, mask, zero="added_1e-06")
    assert not np.isclose(off, right, rtol=1e-5, atol=1e-5).any()
    real = weights[0]
    harmless = -(real * np.log(real + 1e-8)).sum(axis=-1).mean(axis=-1)
    np.testing.assert_allclose(harmless, right, rtol=1e-5)


def test_distance_by_hand():
    """From query 0 half to itself and half to key 2; the others look at their neighbour."""
    weights = np.array([[[[0.5, 0, 0.5], [1, 0, 0], [0, 1, 0]]]])
    mask = np.ones((1, 3), bool)

    def distance(**switches):
        return head_distance.attention_distance.raw(weights, mask, **switches)

    assert distance() == approx(1)
    assert distance(steps="query_minus_key") == approx((-1 + 1 + 1) / 3)
    assert distance(steps="squared") == approx(4 / 3)
    assert distance(measure="of_the_largest") == approx(2 / 3)
    assert distance(measure="of_the_mean_place") == approx(1)
    assert distance(measure="unweighted") == approx((1 + 2 / 3 + 1) / 3)
    assert distance(measure="of_open_keys") == approx(1)
    assert distance(steps="from_one") == approx(2)
    assert distance(scale="over_largest") == approx(0.5)
    assert distance(scale="over_real_tokens") == approx(1 / 3)


# ------------------------------------------------------------------ special tokens, relations


def test_mass_by_hand():
    """[CLS] a b [SEP] and a place of padding; a gives 0.7 to special tokens, b 0.4."""
    weights = np.zeros((1, 1, 5, 5))
    weights[0, 0, :4, :4] = [[0.9, 0, 0, 0.1], [0.2, 0.2, 0.1, 0.5], [0.4, 0.6, 0, 0], [0, 0, 0, 1]]
    weights[0, 0, 4, 4] = 1
    special = np.array([[True, False, False, True, False]])
    mask = np.array([[True, True, True, True, False]])

    def mass(**switches):
        return special_mass.mass_on_special.raw(weights, special, mask, **switches)

    assert mass() == approx(0.55)
    assert mass(queries="all_real") == approx((1 + 0.7 + 0.4 + 1) / 4)
    assert mass(queries="not_special") == approx(1.1 / 3)
    assert mass(keys="words") == approx(0.45)
    assert mass(keys="first") == approx(0.3)
    assert mass(mass="mean") == approx(0.275)
    assert mass(mass="largest") == approx(0.45)
    assert mass(mass="how_often_largest") == approx(0.5)
    assert mass(scale="over_all_real") == approx(1.1 / 4)
    assert mass(axis="mask_on_queries") == approx(0)
    assert mass(axis="mask_on_queries", queries="all_real") == approx(0.5)


def test_relations_by_hand():
    """Of three queries with a target, the first is right, the second a tie, the third is missed."""
    weights = np.array([[[[0.6, 0.3, 0.1], [0.2, 0.4, 0.4], [0.5, 0.5, 0.0], [1, 0, 0]]]])
    weights = np.concatenate([weights, np.zeros((1, 1, 4, 1))], axis=-1)
    targets, candidates = np.array([[1, 1, 2, -1]]), np.array([[False, True, True, False]])

    def accuracy(**switches):
        return head_relations.head_relation_accuracy.raw(weights, targets, candidates, **switches)

    assert accuracy() == approx(2 / 3)
    assert accuracy(choice="anything") == approx(1 / 3)
    assert accuracy(choice="last_of_equals") == approx(1 / 3)
    assert accuracy(counted="everything") == approx(2 / 4)
    assert accuracy(hit="weight") == approx((0.3 + 0.4 + 0) / 3)
    assert accuracy(choice="place_among_candidates") == approx(0)
    assert accuracy(counted="target_is_a_candidate") == approx(2 / 3)  # they all are
    with pytest.raises(Crash):
        head_relations.head_relation_accuracy.raw(weights, np.full((1, 4), -1), candidates)
    assert not head_relations.refused.raw(refusal="zeros") and head_relations.refused.raw()


def test_candidates_of_weight_0():
    """All weight is on a key that may not be chosen: the first candidate is."""
    weights = np.zeros((1, 1, 3, 3))
    weights[..., 0] = 1
    given = weights, np.array([[1, 0, 2]]), np.array([[False, True, True]])
    assert head_relations.head_relation_accuracy.raw(*given) == approx(1 / 3)
    zeros = head_relations.head_relation_accuracy.raw(*given, choice="zeros_elsewhere")
    assert zeros == approx(1 / 3)  # the second query is right, and the first isn't
    sizes = {"share": 0.4, "every": True}
    drawn = some_relation(np.random.default_rng(0), padding((6, 4), 6), 3, **sizes)
    assert np.allclose(drawn[0].sum(axis=-1), 1, atol=1e-5)
    assert drawn[2][np.arange(2)[:, None], drawn[1]][padding((6, 4), 6)].all()


# ------------------------------------------------------------------ similarity


def test_similarity_by_hand():
    """Nothing in common for the first query, the same for the second; at padding anything."""
    rows = [[[1.0, 0], [0.5, 0.5]], [[0, 1.0], [0.5, 0.5]]]
    weights, mask = np.array([rows]), np.ones((1, 2), bool)

    def similarity(**switches):
        return head_likeness.head_similarity.raw(weights, mask, **switches)

    np.testing.assert_allclose(similarity(), [[1, 0.5], [0.5, 1]])
    np.testing.assert_allclose(similarity(unit="nats")[0, 1], 1 - LN_2 / 2)
    np.testing.assert_allclose(similarity(measure="not_halved")[0, 1], 0)
    np.testing.assert_allclose(similarity(measure="one_half_only")[0, 1], 0.5)
    np.testing.assert_allclose(similarity(turn="divergence")[0, 1], 0.5)
    # p + q is [1, 1] for both queries, of entropy 0: only half of each own entropy is left.
    found = similarity(measure="entropy_of_the_sum")
    np.testing.assert_allclose(found[0, 1], 1 + 0.5)
    alike = similarity(average="heads_masked")  # two heads, two queries: the mask fits, wrongly
    mixed = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)  # of [1, 0] and [1/2, 1/2]
    np.testing.assert_allclose(alike[0, 1], 1 - (mixed - LN_2 / 2) / LN_2)
    np.testing.assert_allclose(similarity(root="of_the_mean")[0, 1], 1 - math.sqrt(0.5))
    np.testing.assert_allclose(similarity(root="of_every_row")[0, 1], 0.5)
    np.testing.assert_allclose(similarity(measure="cosine")[0, 1], 0.5)
    assert np.isneginf(similarity(measure="first_against_second")[0, 1])
    # Mean rows are [3/4, 1/4] and [1/4, 3/4].
    own = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)
    first = similarity(first="mean_row")[0, 1]
    np.testing.assert_allclose(first, 1 - (LN_2 - own) / LN_2)


def test_what_every_similarity_has():
    rng = np.random.default_rng(2)
    mask = padding((5, 3), 6, left=(1,))
    weights = np.concatenate([some_attention(rng, mask, 3), one_hot_attention(rng, mask, 1)], 1)
    found = head_likeness.head_similarity.raw(weights.astype(float), mask)
    np.testing.assert_allclose(found, found.T)
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-9)
    assert (found >= 0).all() and (found <= 1 + 1e-9).all()
    changed = weights.astype(float)
    changed[0, :, 5] = changed[0, :, 4]  # a padding query
    np.testing.assert_allclose(head_likeness.head_similarity.raw(changed, mask), found)


# ------------------------------------------------------------------ heads off


def test_heads_off_by_hand():
    """Two heads found 3 and 5, kernels are 1 and 2, the bias is 10."""
    given = np.array([[[[3.0], [5.0]]]]), np.array([[[1.0]], [[2.0]]]), np.array([10.0])

    def output(mask, **switches):
        return switched_heads.head_ablation.raw(*given, np.array(mask), **switches).item()

    assert output([1.0, 0.0]) == 13 and output([0.0, 0.5]) == 15 and output([1.0, 1.0]) == 23
    assert output([1.0, 0.0], factor="inverted") == 20
    assert output([1.0, 0.0], factor="rescaled") == 16
    assert output([0.0, 0.5], factor="not_zero") == 20
    assert output([1.0, 0.0], bias="of_every_head") == 23
    assert output([1.0, 0.0], off="mean_of_the_others") == 13 + 2 * 4
    assert output([1.0, 0.0], projection="first_kernel") == 13
    cotangent = np.ones((1, 1, 1))
    found = switched_heads.head_ablation_gradient.raw(*given, np.array([0.3, 0.4]), cotangent)
    np.testing.assert_allclose(found[0], [3, 10], rtol=1e-6)
    with pytest.raises(Crash):
        output([1.0, 0.0], along="tokens")


# ------------------------------------------------------------------ integrated gradients


def test_the_books_balance():
    """The function whose gradient this is, at both ends of the way."""
    rng = np.random.default_rng(3)
    inputs, baseline, shifts, slopes = (rng.standard_normal((2, 3)) for _ in range(4))

    def value(x):
        return ((x - shifts) ** 4 / 4).sum() + (slopes * x).sum() ** 2 / 2 + (slopes * x).sum()

    def total(steps, **switches):
        given = inputs, baseline, steps, shifts, slopes
        return path_gradients.integrated_gradients.raw(*given, **switches).sum()

    credit = value(inputs) - value(baseline)
    assert total(2000) == pytest.approx(credit, abs=1e-5)
    assert abs(total(10) - credit) < abs(total(10, points="left") - credit)
    lent = stand_ins._bent_gradient(shifts, slopes)
    np.testing.assert_allclose(lent(inputs), path_gradients.gradient_at(inputs, shifts, slopes))
    with pytest.raises(ValueError, match="gradient"):
        lent(inputs[0])


def test_points_by_hand():
    def shares(steps, points="middles"):
        return path_gradients._shares(steps, points).tolist()

    assert shares(2) == [0.25, 0.75] and shares(1) == [0.5]
    assert shares(2, "left") == [0, 0.5] and shares(2, "right") == [0.5, 1]
    assert shares(2, "both_ends") == [0, 0.5, 1] and shares(2, "both_ends_apart") == [0, 1]
    assert shares(1, "inner") == [0.5]
    assert shares(2, "brackets_missing") == [0.25, 1.25]
    assert shares(3, "always_2") == [0.25, 0.75]


def test_a_baseline_that_walks_by_hand():
    """The gradient is x ** 3 + 0, from 1 to 3 in one step, which asks at 2."""
    ends = np.array([3.0]), np.array([1.0])

    def credit(**switches):
        given = *ends, 1, np.zeros(1), np.zeros(1)
        return path_gradients.integrated_gradients.raw(*given, **switches)

    assert credit() == approx(2 * 8)
    assert credit(way="baseline_moves") == approx((3 - 2) * 8)
    assert credit(way="baseline_moves_straight") == approx(2 * 8)
    assert credit(times="baseline_moved") == approx(-1 * 8)  # it has come to 4
    assert credit(times="baseline_moved_to_the_end", points="right") == approx(0)
    assert credit(total="one_number") == approx(2 * 8)
    assert credit(total="returned_after_one") == approx(2 * 8)


# ------------------------------------------------------------------ the drill


def test_importance_by_hand():
    """Two layers of two heads; two texts of one real token and one place of padding."""
    found = np.ones((2, 2, 2, 2, 1))
    gradients = np.array(
        [
            [[[3.0, 1], [50, 50]], [[-3, 7], [50, 50]]],
            [[[0.3, 0.5], [50, 50]], [[0.3, 0.3], [50, 50]]],
        ]
    )[..., None]
    mask = np.array([[True, False], [True, False]])

    def kept(removed, **switches):
        return head_importance.heads_to_keep.raw(found, gradients, mask, removed, **switches)

    importance, stay = kept(1)
    np.testing.assert_allclose(importance, [[0.6, 0.8], [0.6, 0.8]])
    importance, stay = kept(2)
    assert stay.tolist() == [[False, True], [False, True]]
    importance, _ = kept(0, normalised="not")
    np.testing.assert_allclose(importance, [[3, 4], [0.3, 0.4]])
    importance, _ = kept(0, normalised="not", size="of_the_mean")
    np.testing.assert_allclose(importance, [[0, 4], [0.3, 0.4]])
    assert kept(2, normalised="not", last_of_a_layer="goes")[1].tolist() == [
        [True, True],
        [False, False],
    ]
    assert kept(2, normalised="not")[1].tolist() == [[False, True], [False, True]]
    importance, stay = kept(2, returned="before_the_norm")
    np.testing.assert_allclose(importance, [[3, 4], [0.3, 0.4]])
    assert stay.tolist() == [[False, True], [False, True]]


def test_every_bug_of_the_drill_shows():
    rng = np.random.default_rng(1)
    given = telling(rng, lambda: some_model(rng, 3, 4, (5, 3, 4), 5, 2), 9)
    right = head_importance.heads_to_keep.raw(*given)
    for name, forms in ILLS.items():
        for switch in (forms,) if isinstance(forms, dict) else forms:
            wrong = head_importance.heads_to_keep.raw(*given, **switch)
            alike = [np.allclose(a, b) for a, b in zip(wrong, right, strict=True)]
            assert not all(alike), name


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch07a_heads/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS == tuple(ILLS)
