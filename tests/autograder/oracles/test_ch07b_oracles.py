"""The oracles of chapter 7b against arithmetic by hand, and against their stand-ins."""

import math
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch07b_1_probe import some_examples
from autograder.exercises.ch07b_2_control import some_words, with_repeats
from autograder.exercises.ch07b_3_selectivity import some_task
from autograder.exercises.ch07b_6_cka import some_pair, turned
from autograder.exercises.ch07b_9_drill import DRILL_BUGS, some_states
from autograder.exercises.ch07b_drill_mistakes import ILLS
from autograder.laws import outcomes_needed
from autograder.oracles import (
    Crash,
    control_laws,
    languages,
    layer_choice,
    layer_mixes,
    representation_likeness,
    ridge_probe,
    selectivities,
)
from autograder.stand_ins import ch07b_layers_and_languages as stand_ins

ROOT = Path(__file__).parents[3]


def approx(*numbers):
    return pytest.approx(list(numbers))


# ------------------------------------------------------------------ the probe


def test_a_probe_by_hand():
    """Features 1 and 3 of classes 0 and 1: centred −1 and 1, XᵀX is 2, XᵀY is (−1, 1)."""
    given = np.array([[1.0], [3.0]]), np.array([0, 1]), np.array([[4.0]])

    def scores(ridge=2.0, **switches):
        return ridge_probe.probe_layer.raw(*given, 2, ridge, **switches)[0]

    assert scores() == approx(0.5 - 2 * 0.25, 0.5 + 2 * 0.25)
    assert scores(penalty="none") == approx(-0.5, 1.5)
    assert scores(penalty="times_n") == approx(0.5 - 2 / 6, 0.5 + 2 / 6)
    assert scores(penalty="always_1") == approx(0.5 - 2 / 3, 0.5 + 2 / 3)
    assert scores(ridge=4.0, penalty="halved") == approx(*scores())
    assert scores(centring="not_put_back") == approx(-0.5, 0.5)
    assert scores(centring="test_left_alone") == approx(0.5 - 1, 0.5 + 1)
    assert scores(centring="test_by_itself") == approx(0.5, 0.5)
    # Raw: XᵀX is 10, XᵀY is (1, 3).
    assert scores(centring="none") == approx(4 / 12, 12 / 12)
    assert scores(targets="plus_and_minus_one") == approx(-1, 1)
    assert scores(targets="counted_from_one") == approx(1, 0)
    assert scores(result="classes") == 1
    assert scores(result="softmax").sum() == pytest.approx(1)


def test_a_constant_that_is_penalised():
    """Features of 0: a column of ones is left, whose slopes are counts / (n + ridge)."""
    given = np.zeros((4, 1)), np.array([0, 0, 0, 1]), np.zeros((1, 1))
    found = ridge_probe.probe_layer.raw(*given, 2, 4.0, constant="penalised")
    assert found[0] == approx(3 / 8, 1 / 8)
    assert ridge_probe.probe_layer.raw(*given, 2, 4.0)[0] == approx(3 / 4, 1 / 4)


def test_classes_that_do_not_occur():
    given = np.array([[0.0], [1.0], [2.0]]), np.array([0, 2, 2]), np.array([[1.0]])
    assert ridge_probe.probe_layer.raw(*given, 4)[0] == approx(1 / 3, 0, 2 / 3, 0)
    shapes = {
        targets: ridge_probe.probe_layer.raw(*given, 4, targets=targets).shape
        for targets in ("up_to_the_largest", "those_that_occur", "the_numbers")
    }
    assert list(shapes.values()) == [(1, 3), (1, 2), (1, 1)]
    with pytest.raises(Crash):
        ridge_probe.probe_layer.raw(*given, 4, missing="refused")
    assert ridge_probe.refused.raw().all() and not ridge_probe.refused.raw(refusal="none").any()


def test_what_every_probe_has():
    """Rows add up to one, and moving all features changes nothing."""
    rng = np.random.default_rng(0)
    features, labels, tests = (np.asarray(x) for x in some_examples(rng, 8, 12, 4, 3))
    features, tests = features.astype(float), tests.astype(float)
    found = ridge_probe.probe_layer.raw(features, labels, tests, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    moved = ridge_probe.probe_layer.raw(features + 7, labels, tests + 7, 3)
    np.testing.assert_allclose(moved, found, atol=1e-9)


# ------------------------------------------------------------------ control task


def _drawn(rng, words, num_classes, **how):
    """Classes as somebody draws them."""
    distinct = list(dict.fromkeys(w.lower() if how.get("lower") else w for w in words))
    if how.get("places"):
        return rng.integers(num_classes, size=len(words))
    lots = rng.integers(num_classes - how.get("too_few", 0), size=len(distinct))
    if how.get("in_turn"):
        lots = np.arange(len(distinct)) % num_classes
    table = dict(zip(distinct, lots.tolist(), strict=True))
    return np.array([table[w.lower() if how.get("lower") else w] for w in words])


@pytest.mark.parametrize(
    ("how", "switches"),
    [
        ({}, {}),
        ({"places": True}, {"places": "of_places"}),
        ({"too_few": 1}, {"lots": "last_never"}),
        ({"in_turn": True}, {"order": "in_turn"}),
        ({"lower": True}, {"spelling": "ignored"}),
    ],
)
def test_each_way_to_draw_fits_its_own_law(how, switches):
    rng = np.random.default_rng(1)
    words = with_repeats(rng, some_words(rng, 3000, 300))
    got = control_laws.outcomes(words, _drawn(rng, words, 4, **how), 4)
    every = [{}, {"places": "of_places"}, {"lots": "last_never"}, {"order": "in_turn"}]
    every.append({"spelling": "ignored"})
    fitting = [one for one in every if control_laws.spread.raw(4, **one).fits(got, 1e-9)]
    assert fitting == [switches]


def test_there_are_words_enough():
    """A class that never comes up, words that differ in capitals, and two words that may meet."""
    assert outcomes_needed(1 / 4, 0.0) < 300 and outcomes_needed(1 / 4, 1.0) <= 300
    assert outcomes_needed(1 / 2, 0.0) <= 60
    half = control_laws.few.raw()
    assert half.fits((np.arange(60) % 2 == 0,), 1e-9)
    assert not half.fits((np.zeros(60, bool),), 1e-9)
    assert control_laws.few.raw(order="equal_numbers").fits((np.zeros(60, bool),), 1e-9)


def test_forms_in_a_word():
    def word(found):
        return str(control_laws.form_of(found, 4, 3, 2))

    assert word(np.array([0, 1, 1, 0])) == "fine"
    assert word(np.array([0, 1, 2, 0])) == "outside" and word([0, 1, 1, 0]) == "list"
    assert word(np.array([0, 1, 1])) == "for_distinct_words" and word({}) == "dict"
    assert word(np.zeros(4)) == "floats" and word(np.zeros((4, 2))) == "one_hot"


def test_words_of_another_run():
    """They are the words they were; sets of them are in another order."""
    words = [f"word{n}" for n in range(40)]
    one, other = (stand_ins._words_of_another_run(words, salt) for salt in (1, 2))
    assert one == words == other and list(dict.fromkeys(one)) == list(dict.fromkeys(other))
    assert sorted(set(one)) == sorted(words) and len({*one, *one}) == 40
    assert list(map(str, set(one))) != list(map(str, set(other)))
    assert np.unique(np.array(one)).tolist() == sorted(words)


# ------------------------------------------------------------------ selectivity


def test_selectivity_by_hand():
    """One feature tells the task, and nothing tells the control."""
    features = np.array([[0.0], [1], [0], [1], [0], [1], [0], [1]])
    labels = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    controls = np.array([0, 0, 1, 1, 1, 0, 1, 0])
    train = np.arange(8) < 4

    def found(**switches):
        given = features, labels, controls, train, 2
        return [float(x) for x in selectivities.selectivity.raw(*given, **switches)]

    # The control's classes are as common in either half: a tie, so class 0.
    assert found() == approx(1, 0.5, 0.5)
    assert found(tie="last") == approx(1, 0.5, 0.5)
    assert found(control="labels_again") == approx(1, 1, 0)
    assert found(control="exchanged") == approx(0.5, 1, -0.5)
    assert found(difference="ratio") == approx(1, 0.5, 2)
    assert found(scale="percent") == approx(100, 50, 50)
    assert found(scale="over_all") == approx(0.5, 0.25, 0.25)
    assert found(fitting="rest", judging="rest")[:2] == approx(1, 1)
    with pytest.raises(Crash):
        given = features, labels, controls + 1, train, 3
        selectivities.selectivity.raw(*given, classes="of_the_labels")
    drawn = some_task(np.random.default_rng(0), 30, 4, 3, 8)
    assert drawn[3].any() and not drawn[3].all() and drawn[1].max() < 3


# ------------------------------------------------------------------ layers


def test_a_mix_by_hand():
    """Logits of ln 1, ln 1 and ln 2: weights 1/4, 1/4 and 1/2."""
    layers = np.array([[[4.0]], [[8.0]], [[2.0]]])
    logits = np.log([1.0, 1.0, 2.0])

    def mix(**switches):
        mixed, centre = layer_mixes.scalar_mix_probe.raw(layers, logits, **switches)
        return [float(mixed.item()), float(centre)]

    assert mix() == approx(4, 1.25)
    assert mix(counted="from_one") == approx(4, 2.25)
    assert mix(counted="from_the_top") == approx(4, 0.75)
    assert mix(counted="largest") == approx(4, 2)
    assert mix(weighing="equal") == approx(14 / 3, 1)
    assert mix(weighing="not_divided") == approx(16, 5)
    assert mix(embeddings="left_out") == approx(4, 5 / 3)
    assert mix(embeddings="weighed_and_dropped") == approx(3, 1.25)
    assert mix(mean="mean") == approx(4 / 3, 1.25)
    far = layer_mixes.scalar_mix_probe.raw
    with np.errstate(all="ignore"):
        assert np.isnan(far(layers, logits + 1500, stable="not")[0]).all()
        assert np.isnan(far(layers, logits - 1500, stable="not")[0]).all()
    assert far(layers, logits + 1500)[0].item() == pytest.approx(4)
    with pytest.raises(Crash):
        far(layers, logits, axis="examples")


def test_the_expected_layer_by_hand():
    """0, 0.8, 0.6: gains of 0.8 and −0.2."""
    scores = np.array([0.0, 0.8, 0.6])

    def layer(**switches):
        return float(layer_mixes.expected_layer(scores, **switches))

    assert layer() == pytest.approx((0.8 - 0.4) / 0.6)
    assert layer(losses="left_out") == pytest.approx(1)
    assert layer(losses="absolute") == pytest.approx(1.2)
    assert layer(counted="from_zero") == pytest.approx(-0.2 / 0.6)
    assert layer(gains="scores") == pytest.approx(2 / 1.4)
    assert layer(divisor="layers") == pytest.approx(0.2)
    assert layer(gains="the_last_missing", divisor="gains_of_all") == pytest.approx(0.8 / 0.6)
    assert layer(returned="best_layer") == 1
    with pytest.raises(Crash):
        layer_mixes.expected_layer(scores[::-1].copy(), refusal="not_above_zero")
    assert layer_mixes.refused.raw().tolist() == [True, True]
    assert layer_mixes.refused.raw(refusal="own_sum").tolist() == [False, True]


# ------------------------------------------------------------------ likeness


def test_likeness_by_hand():
    """One feature each: CKA is the squared correlation."""
    x, y = np.array([[0.0], [1], [2]]), np.array([[1.0], [0], [5]])

    def likeness(**switches):
        return float(representation_likeness.linear_cka.raw(x, y, **switches))

    correlation = np.corrcoef(x[:, 0], y[:, 0])[0, 1]
    assert likeness() == pytest.approx(correlation**2)
    assert likeness(measure="canonical") == pytest.approx(correlation**2)
    assert likeness(measure="flat") == pytest.approx(correlation)
    assert likeness(scale="root") == pytest.approx(abs(correlation))
    assert likeness(centring="neither") == pytest.approx(100 / (5 * 26))
    assert likeness(below="examples") == pytest.approx(16 / 4)
    assert likeness(below="of_x") == pytest.approx(16 / 4)
    with pytest.raises(Crash):
        representation_likeness.linear_cka.raw(x, np.ones((3, 2)), axes="turned")


def test_what_every_likeness_has():
    rng = np.random.default_rng(2)
    x, y = (each.astype(float) for each in some_pair(rng, 15, 4, 6))
    cka = representation_likeness.linear_cka.raw
    assert cka(x, turned(rng, x, 3.0).astype(float)) == pytest.approx(1, abs=1e-5)
    assert cka(x, y) == pytest.approx(float(cka(y, x)))
    stretched = x * [1, 1, 1, 6]
    assert cka(x, stretched) < 0.99
    assert cka(x, stretched, measure="canonical") == pytest.approx(1)
    assert cka(x, stretched, centring="unit_spread") == pytest.approx(1)


# ------------------------------------------------------------------ languages


def test_shares_by_hand():
    counts = np.array([900.0, 100.0, 0.0])

    def shares(exponent, **switches):
        return languages.smoothed_language_weights.raw(counts, exponent, **switches)

    assert shares(1) == approx(0.9, 0.1, 0) and shares(0) == approx(0.5, 0.5, 0)
    assert shares(0.5) == approx(0.75, 0.25, 0)
    assert shares(0.5, shared="not") == approx(math.sqrt(0.9), math.sqrt(0.1), 0)
    assert shares(0.5, shared="by_counts", smoothing="of_counts") == approx(0.03, 0.01, 0)
    assert shares(0, nothing="one_of_it") == approx(1 / 3, 1 / 3, 1 / 3)
    assert shares(0.5, nothing="left_out") == approx(0.75, 0.25)
    assert shares(0.5, power="inverse") == approx(0.81 / 0.82, 0.01 / 0.82, 0)
    assert shares(0.5, smoothing="of_counts") == approx(0.75, 0.25, 0)
    refused = languages.refused.raw
    assert refused().all() and refused(refusal="sum_only").tolist() == [False, True, True]


def test_a_table_by_hand():
    """Two languages; train splits are right more often by 0.5."""
    planted = np.zeros((2, 2, 2, 2))
    planted[0, :, 1] = [[0.4, 0.3], [0.1, 0.2]]
    planted[0, :, 0] = planted[0, :, 1] + 0.5

    def table(**switches):
        return languages.transfer_table.raw(planted, **switches).tolist()

    assert table() == [[0.4, 0.3], [0.1, 0.2]]
    assert table(turned="rows_are_tested") == [[0.4, 0.1], [0.3, 0.2]]
    assert table(tested="train") == [[0.9, 0.8], [0.6, 0.7]]
    assert table(model="last") == [[0.1, 0.2], [0.1, 0.2]]
    assert table(cells="mirrored") == [[0.4, 0.3], [0.3, 0.2]]
    assert table(cells="own") == [0.4, 0.2]
    assert str(languages.fits.raw(2)) == "train 0, train 1"
    assert str(languages.fits.raw(2, taught="test")) == "test 0, test 1"
    assert str(languages.fits.raw(3, fitting="for_every_cell")).endswith("… (9)")


def test_planted_languages_say_what_is_planted():
    planted = np.arange(16.0).reshape(2, 2, 2, 2)
    sets, fit, accuracy = stand_ins._planted_languages(planted)
    model = fit(sets[1][0])
    assert accuracy(model, sets[0][1]) == planted[0, 1, 1, 0]
    fit(sets[0][1])
    assert stand_ins._fits_afterwards()(sets, fit, accuracy).tolist() == [1, 2]
    with pytest.raises(stand_ins.NotASplit):
        fit(sets[0])
    with pytest.raises(stand_ins.NotAModel):
        accuracy(sets[0][0], sets[0][1])


# ------------------------------------------------------------------ the drill


def test_choosing_a_layer_by_hand():
    """Layer 0 says nothing, layer 1 all of it in part 1 and half in part 2, layer 2 the reverse."""
    labels = np.array([0, 1, 1, 0, 1, 0, 1])
    parts = np.array([0, 0, 0, 1, 1, 2, 2])
    fitted = [-1.0, 1.0, 1.0]
    layers = np.array(
        [[*fitted, 1.0, 1.0, 1.0, 1.0], [*fitted, -1, 1, 1, 1], [*fitted, 1, 1, -1, 1]]
    )[..., None]

    def choice(**switches):
        return [float(x) for x in layer_choice.choice(layers, labels, parts, **switches)]

    assert choice() == approx(1, 0.5, 0.5)
    assert choice(chosen_on="part_2") == approx(2, 1, 0.5)
    assert choice(judged="last") == approx(1, 1, 0.5)
    assert choice(embeddings="left_out_and_shifted") == approx(0, 0.5, 0.5)
    assert choice(embeddings="counted_from_one") == approx(2, 0.5, 0.5)
    assert choice(equals="worst") == approx(0, 0.5, 0.5)
    assert choice(equals="highest") == approx(1, 0.5, 0.5)
    assert choice(baseline="share_where_it_was_fitted") == approx(1, 0.5, 2 / 3)
    twice = np.concatenate([layers, layers[1:2]])
    assert layer_choice.choice(twice, labels, parts)[0] == 1
    assert layer_choice.choice(twice, labels, parts, equals="highest")[0] == 3


def test_the_lent_probe_is_the_oracles():
    rng = np.random.default_rng(3)
    features, labels = rng.standard_normal((9, 3)), np.arange(9) % 2 * 2
    given = features, labels, rng.standard_normal((4, 3))
    found = stand_ins._direction_probe()(*given)
    np.testing.assert_array_equal(found, layer_choice.by_direction(*given))
    assert np.isneginf(found[:, 1]).all()


def test_bugs_are_the_oracles():
    """Every patient of the drill is what its switches say, and every repair is right."""
    path = ROOT / "solutions/ch07b_layers_and_languages/drill.py"
    bugs = read_bugs(path)
    assert tuple(bug.key for bug in bugs) == tuple(ILLS) == DRILL_BUGS
    given = some_states(np.random.default_rng(4), 5, (24, 15, 18), 4, 3)
    given = given[0].astype(float), *given[1:]
    probe = stand_ins._direction_probe()
    for bug in bugs:
        names = {"np": np}
        exec(f"{bug.source}\n\n{bug.fixed}", names)
        switch = ILLS[bug.key]
        switch = switch if isinstance(switch, dict) else switch[0]
        said = layer_choice.choice(*given, **switch)
        assert np.allclose(names["patient"](*given, probe), said), bug.key
        assert np.allclose(names["repaired"](*given, probe), layer_choice.choice(*given))
