"""Choosing, hiding and guessing tokens, and pairs of sentences, in NumPy, against arithmetic."""

import itertools
import math

import numpy as np
import pytest

from autograder.exercises import ch05b_2_apply as apply
from autograder.exercises import ch05b_3_whole_words as whole
from autograder.exercises import ch05b_6_pairs as pairs
from autograder.exercises.ch05b_1_choose import in_turn, kind_of, some_ids
from autograder.oracles import (
    mask_fates,
    mask_forms,
    mask_position_laws,
    mask_positions,
    mlm_head,
    pretraining_losses,
    pretraining_step,
    sentence_draws,
    sentence_heads,
    sentence_pairs,
    whole_word_habits,
    whole_words,
)
from autograder.stand_ins import ch05b_masked_lm as stand_ins

# ------------------------------------------------------------------ choosing positions

SPECIAL = [5, 6, 7, 8]
ROW = np.array([7, 0, 2, 3, 4, 1, 8, 5])  # [CLS], five ordinary tokens, [SEP], padding


def chances(**switches):
    (found,) = mask_positions.chances([ROW], SPECIAL, 0.35, 4, **switches)
    return found


def test_two_of_five_positions_by_hand():
    found = chances()
    assert set(found) == set(itertools.combinations(range(1, 6), 2))
    assert all(p == pytest.approx(0.1) for p in found.values())
    assert chances(drawing="run") == {(i, i + 1): 0.25 for i in range(1, 5)}
    assert chances(count="floor") == {(i,): pytest.approx(0.2) for i in range(1, 6)}
    # Of 28 pairs of places 10 are both ordinary, 15 half, 3 not at all.
    filtered = chances(drawing="filtered")
    assert filtered[()] == pytest.approx(3 / 28)
    assert sum(p for s, p in filtered.items() if len(s) == 1) == pytest.approx(15 / 28)


@pytest.mark.parametrize("drawing", ["independent", "independent_at_least_one", "replaced_once"])
@pytest.mark.parametrize("candidates", ["ordinary", "all", "nonzero", "inverted"])
def test_probabilities_add_up_to_one(drawing, candidates):
    found = chances(drawing=drawing, candidates=candidates)
    assert sum(found.values()) == pytest.approx(1)


def test_what_is_left_of_too_many_by_hand():
    """Three of five are drawn, and the first two kept; then a position 0 that isn't counted."""
    (cut,) = mask_positions.chances([ROW], SPECIAL, 0.6, 2, drawing="cut_after_sorting")
    # Of ten sets of three, (1, 2) begins three, (1, 3) two, (1, 4) one.
    assert cut[(1, 2)] == pytest.approx(0.3)
    assert cut[(1, 3)] == cut[(2, 3)] == pytest.approx(0.2)
    assert cut[(1, 4)] == cut[(2, 4)] == cut[(3, 4)] == pytest.approx(0.1)
    front = np.array([3, 7, 4, 8, 5])
    (found,) = mask_positions.chances([front], SPECIAL, 0.6, 4, drawing="place_zero_unseen")
    assert found == {(): pytest.approx(0.5), (2,): pytest.approx(0.5)}


def test_only_the_first_row_of_many():
    """Of three rows of each kind the first alone has picks: one pair in two has nothing twice."""
    rng = np.random.default_rng(19)
    given = ([ROW, ROW], SPECIAL, 0.35, 4)
    found = []
    for _ in range(200):
        positions, weights = drawn_sets(*given, 4, rng, {})
        positions[1:], weights[1:] = 0, 0
        found.append((positions, weights))
    seen = mask_position_laws.outcomes(found, *given)
    laws = mask_position_laws.choices.raw(*given, 4, 200, rows_share="only_the_first")
    assert laws.fits(seen)
    assert laws.laws["row0_count2"].p == pytest.approx(1 / 4)
    assert laws.laws["row0_twice"].p == pytest.approx(1 / 2)
    assert laws.laws["row1_count0"].p == 1
    assert not mask_position_laws.choices.raw(*given, 4, 200).fits(seen)


def test_numbers_of_picks_by_hand():
    def number(ordinary, rate, slots, **how):
        return mask_positions.budget(ordinary, rate, slots, **how)

    assert [number(n, 0.15, 20) for n in (0, 1, 2, 7, 13, 100)] == [0, 1, 1, 1, 2, 15]
    assert number(100, 0.15, 4) == 4
    assert number(13, 0.15, 20, count="floor") == 1
    assert number(2, 0.15, 20, count="no_minimum") == 0
    assert number(5, 0.35, 4, count="of_the_length", length=8) == 3


SET_SWITCHES = (
    {},
    {"candidates": "all"},
    {"candidates": "ordinary_but_zero"},
    {"count": "floor"},
    {"drawing": "independent"},
    {"drawing": "replaced_once"},
    {"drawing": "run"},
    {"drawing": "filtered"},
    {"drawing": "numbers_of_candidates"},
)


def drawn_sets(kinds, special, rate, slots, rows, rng, switches):
    """Pairs of positions and weights, drawn from the probabilities of a mistake."""
    tables = mask_positions.chances(kinds, special, rate, slots, **switches)
    positions = np.zeros((rows * len(kinds), slots), int)
    weights = np.zeros(positions.shape)
    for row in range(len(positions)):
        table = tables[row % len(kinds)]
        places = list(table)[rng.choice(len(table), p=list(table.values()))]
        positions[row, : len(places)] = places
        weights[row, : len(places)] = 1
    return positions, weights


@pytest.mark.parametrize("switches", SET_SWITCHES, ids=str)
def test_what_a_mistake_chooses_follows_its_law_and_no_other(switches):
    rng = np.random.default_rng(5)
    ids = some_ids(rng)
    kinds = [kind_of(ids, "c10234sp"), kind_of(ids, "c5u6s07s")]
    given = (kinds, ids[0], 0.35, 4)
    found = drawn_sets(*given, 600, rng, switches)
    seen = mask_position_laws.outcomes([found], *given)
    fitting = [
        other
        for other in SET_SWITCHES
        if mask_position_laws.choices.raw(*given, 600, **other).fits(seen)
    ]
    assert fitting == [switches]


def test_forms_of_chosen_positions_by_hand():
    def form(positions, weights):
        weights = np.array(weights)
        if weights.dtype == np.float64:
            weights = weights.astype("float32")
        return mask_position_laws.form_of((np.array(positions), weights), 1, 6, 3)

    assert form([[1, 4, 0]], [[1.0, 1.0, 0.0]]) == "fine"
    assert form([[4, 1, 0]], [[1.0, 1.0, 0.0]]) == "ascending"
    assert form([[0, 1, 4]], [[1.0, 1.0, 0.0]]) == "zeros"
    assert form([[0, 1, 4]], [[0.0, 1.0, 1.0]]) == "front"
    assert form([[1, 1, 0]], [[1.0, 1.0, 0.0]]) == "different"
    assert form([[1, 9, 0]], [[1.0, 1.0, 0.0]]) == "inside"
    assert form([[1, 4, 0]], [[1, 1, 0]]) == "weights"
    assert form([[1, 4, 0]], [[0.7, 0.7, 0.0]]) == "ones"
    assert form([[1, 4]], [[1.0, 1.0]]) == "shapes"
    assert mask_position_laws.form_of(np.zeros(3), 1, 6, 3) == "pair"
    double = np.array([[1, 4, 0]]), np.array([[1.0, 1.0, 0.0]])
    assert mask_position_laws.form_of(double, 1, 6, 3) == "weights"
    lists = [[1, 4, 0]], [[1.0, 1.0, 0.0]]
    assert mask_position_laws.form_of(lists, 1, 6, 3) == "arrays"


def test_forms_of_mistakes_with_types_are_told():
    def form(**switches):
        return mask_position_laws.form.raw([ROW], SPECIAL, 0.35, 4, **switches)

    assert form() == "fine"
    assert form(weights="double") == form(weights="ints") == "weights"
    assert form(returned="lists") == "arrays"


def test_rows_come_in_turn():
    kinds = [np.array([1, 2]), np.array([3, 4])]
    np.testing.assert_array_equal(in_turn(kinds, 2), [[1, 2], [3, 4], [1, 2], [3, 4]])


# ------------------------------------------------------------------ fates

FATES = (
    {},
    {"mixture": "80_2_18"},
    {"mixture": "80_18_2"},
    {"mixture": "80_0_20"},
    {"mixture": "80_20_0"},
    {"mixture": "100_0_0"},
    {"mixture": "10_10_80"},
    {"lots": "row"},
    {"tokens": "row"},
    {"source": "last_never"},
    {"source": "up_to_the_largest"},
    {"source": "number_of_ordinary"},
)


def corrupted(ids, places, original, mask_id, ordinary, calls, rng, switches):
    """Batches as a mistake would leave them."""
    hidden, changed, _ = mask_fates.MIXTURES[switches.get("mixture", "80_10_10")]
    source = {"source": switches["source"]} if "source" in switches else {}
    table = mask_fates.random_token(ordinary, **source)
    found = []
    for _ in range(calls):
        now = ids.copy()
        lots = rng.random(places.shape)
        if switches.get("lots") == "row":
            lots[:] = lots[:, :1]
        tokens = rng.choice(list(table), places.shape, p=list(table.values()))
        if switches.get("tokens") == "row":
            tokens[:] = tokens[:, :1]
        new = np.where(lots < hidden, mask_id, np.where(lots < hidden + changed, tokens, original))
        np.put_along_axis(now, places, new.astype(now.dtype), axis=1)
        found.append(now)
    return found


@pytest.mark.parametrize("switches", FATES, ids=str)
def test_what_a_mistake_makes_of_tokens_follows_its_law_and_no_other(switches):
    rng = np.random.default_rng(6)
    special, ordinary = apply.some_vocabulary(rng, 8)
    original, ids, places, _ = apply.some_batch(rng, special, ordinary, 20, 10)
    found = corrupted(ids, places, original, special[3], ordinary, 40, rng, switches)
    seen = mask_fates.outcomes(found, original, special[3], ordinary, places)
    fitting = [
        other
        for other in FATES
        if mask_fates.fates.raw(original, special[3], ordinary, 20, 10, 40, **other).fits(seen)
    ]
    assert fitting == [switches]


def test_leaving_out_the_original_shows_with_two_tokens():
    rng = np.random.default_rng(7)
    special, ordinary = apply.some_vocabulary(rng, 2)
    original, ids, places, _ = apply.some_batch(rng, special, ordinary, 25, 10)
    found = corrupted(ids, places, original, special[3], ordinary, 36, rng, {})
    seen = mask_fates.outcomes(found, original, special[3], ordinary, places)
    given = (original, special[3], ordinary, 25, 10, 36, False)
    assert mask_fates.fates.raw(*given).fits(seen)
    assert not mask_fates.fates.raw(*given, source="never_the_original").fits(seen)


def test_forms_of_hidden_tokens_by_hand():
    ids, places = np.array([[9, 3, 4, 5]]), np.array([[1, 3, 0]])
    weights = np.array([[1.0, 1.0, 0.0]])

    def form(now, answers):
        return mask_forms.corruption_form((np.array(now), np.array(answers)), ids, places, weights)

    assert form([[9, 1, 4, 5]], [[3, 5, 0]]) == "fine"
    assert form([[1, 1, 4, 5]], [[3, 5, 0]]) == "start"
    assert form([[9, 1, 1, 5]], [[3, 5, 0]]) == "elsewhere"
    assert form([[9, 1, 4, 5]], [[1, 5, 0]]) == "new_ids"
    assert form([[9, 1, 4, 5]], [[1, 3, 0]]) == "positions"
    assert form([[9, 1, 4, 5]], [[3, 5, 9]]) == "zeros"
    assert form([[9, 1, 4, 5]], [[3, 5]]) == "shapes"
    lists = ids.tolist(), [[3, 5, 0]]
    assert mask_forms.corruption_form(lists, ids, places, weights) == "arrays"
    given = np.array([[7, 3, 4, 5]]), np.array([[0, 2, 0]]), weights, 1
    assert mask_forms.form.raw(*given) == "fine"
    assert mask_forms.form.raw(*given, used_by="positions") == "labels"


def test_work_that_ends_after_the_first_row():
    ids = np.array([[9, 3, 4, 5], [9, 5, 4, 3]])
    places, weights = np.array([[1, 3], [2, 0]]), np.array([[1.0, 1.0], [1.0, 0.0]])
    given = ids, places, weights
    now = np.array([[9, 1, 4, 5], [9, 5, 4, 3]]), np.array([[3, 5], [0, 0]])
    assert mask_forms.form_of_all([now, now], *given) == "first_row_only"
    assert mask_forms.form.raw(*given, 1, rows="only_the_first") == "first_row_only"
    other = np.array([[9, 1, 4, 5], [9, 5, 4, 3]]), np.array([[3, 5], [4, 0]])
    assert mask_forms.form_of_all([now, other], *given) != "first_row_only"
    one = [each[:1] for each in given]
    assert mask_forms.form.raw(*one, 1, rows="only_the_first") == "fine"


def test_fates_that_slots_decide():
    """Eight slots of ten are always hidden, one is random, one stays; and never a whole row."""
    rng = np.random.default_rng(16)
    special, ordinary = apply.some_vocabulary(rng, 8)
    original, ids, places, _ = apply.some_batch(rng, special, ordinary, 20, 10)
    found = []
    for _ in range(40):
        now = ids.copy()
        new = np.full(places.shape, special[3])
        new[:, 8], new[:, 9] = rng.choice(ordinary, len(new)), original
        np.put_along_axis(now, places, new.astype(now.dtype), axis=1)
        found.append(now)
    seen = mask_fates.outcomes(found, original, special[3], ordinary, places)
    given = (original, special[3], ordinary, 20, 10, 40)
    others = ({}, {"lots": "exactly_in_a_row"}, {"lots": "row"}, {"lots": "by_slot"})
    fitting = [one for one in others if mask_fates.fates.raw(*given, **one).fits(seen)]
    assert fitting == [{"lots": "by_slot"}]


def test_another_id_of_the_mask():
    rng = np.random.default_rng(17)
    given = (9, 3, [0, 5, 9, 11], 20, 10, 40)
    ids, places = np.full((20, 10), 9), np.tile(np.arange(10), (20, 1))
    found = corrupted(ids, places, 9, mask_fates.FOUR, given[2], 40, rng, {})
    seen = mask_fates.outcomes(found, 9, 3, given[2], places)
    assert mask_fates.fates.raw(*given, mask_use="four").fits(seen)
    assert not mask_fates.fates.raw(*given).fits(seen)


# ------------------------------------------------------------------ whole words


def test_words_that_fit_by_hand():
    """Words of 2, 1 and 3 tokens and a budget of 3: the long one alone, or the two others."""
    word_ids = np.array([-1, 4, 4, 9, 2, 2, 2, -1])
    found = whole_words.chances(word_ids, 0.5, 8)
    assert found == {(4, 5, 6): pytest.approx(1 / 3), (1, 2, 3): pytest.approx(2 / 3)}
    stops = whole_words.chances(word_ids, 0.5, 8, fit="stops")
    # After 2 or 1 the word of 3 doesn't fit: in half of those orders it comes next.
    assert stops[(1, 2)] == stops[(3,)] == pytest.approx(1 / 6)
    # With a budget of 2 the word of 3 ends it all where it comes first.
    first = whole_words.chances(word_ids, 0.3, 8, fit="first_word_only")
    assert first == {p: pytest.approx(1 / 3) for p in ((), (1, 2), (3,))}
    longest = whole_words.chances(word_ids, 0.5, 8, order="longest_first")
    assert longest == {(4, 5, 6): pytest.approx(1)}
    by_tokens = whole_words.chances(word_ids, 0.5, 8, order="by_tokens")
    assert by_tokens[(4, 5, 6)] == pytest.approx(1 / 2)
    assert whole_words.chances(np.full(3, -1), 0.5, 8) == {(): 1.0}


WORD_SWITCHES = (
    {},
    {"fit": "never_less"},
    {"unit": "share_of_words"},
    {"fit": "stops"},
    {"fit": "cut"},
    {"fit": "overshoots"},
    {"fit": "strictly_less"},
    {"fit": "one_word"},
    {"fit": "less_by_one"},
    {"unit": "words"},
    {"level": "tokens"},
    {"order": "by_tokens"},
    {"order": "longest_first"},
    {"specials": "as_a_word"},
    {"specials": "zero_left_out"},
)


@pytest.mark.parametrize("switches", WORD_SWITCHES, ids=str)
def test_what_a_mistake_picks_follows_its_law_and_no_other(switches):
    rng = np.random.default_rng(8)
    rows = [
        (whole.a_row(rng, (2, 1, 3, 1)), 0.45, 9),
        (whole.a_row(rng, (1, 2, 4, 2), before=2, after=1), 0.62, 9),
    ]
    fitting = list(WORD_SWITCHES)
    for given in rows:
        table = whole_words.chances(*given, **switches)
        numbers = rng.choice(len(table), whole.CALLS, p=list(table.values()))
        seen = whole_words.outcomes([list(table)[number] for number in numbers], *given)
        fitting = [
            other
            for other in fitting
            if whole_words.choices.raw(*given, whole.CALLS, **other).fits(seen)
        ]
    assert fitting == [switches]


def test_habits_of_two_budgets():
    """A budget that never goes down takes all that fits; one of a token, the shortest words."""
    rng = np.random.default_rng(18)
    rows = [whole.a_row(rng, rng.permutation((1, 2, 3, 4)).tolist()) for _ in range(60)]
    for switches in ({"fit": "never_less"}, {"unit": "share_of_words"}):
        tables = [whole_words.chances(row, 0.31, 9, **switches) for row in rows]
        assert all(len(table) == 1 for table in tables)
        habits = whole_word_habits.habits_of([next(iter(t)) for t in tables], rows, 3)
        np.testing.assert_array_equal(whole_word_habits.repeats.raw(**switches)[2:], habits)


def test_words_that_cost_one_token_each():
    """Of words of 1 to 4 tokens and a budget of three, the shortest is taken in every order."""
    rng = np.random.default_rng(20)
    rows = [whole.a_row(rng, rng.permutation((1, 2, 3, 4)).tolist()) for _ in range(60)]
    found = []
    for row in rows:
        table = whole_words.chances(row, 0.31, 9, fit="less_by_one")
        found.append(list(table)[rng.choice(len(table), p=list(table.values()))])
    habits = whole_word_habits.habits_of(found, rows, 3)
    np.testing.assert_array_equal(whole_word_habits.repeats.raw(fit="less_by_one")[2:], habits)


def test_habits_by_hand():
    rows = [np.array([5, 5, 1, 0, 0, 0, -1]), np.array([7, 2, 2, -1, 3, 3, 3])]
    always_first = [[0, 1, 2], [0, 1, 2]]
    np.testing.assert_array_equal(
        whole_word_habits.habits_of(always_first, rows, 3), [True, False, False, True]
    )


# ------------------------------------------------------------------ the head


def test_the_head_by_hand():
    """One feature is 1, the other 0: after dense and relu the norm makes them 1 and -1."""
    output = np.zeros((1, 3, 2))
    output[0, 2] = [1.0, 0.0]
    weights = {
        "dense.kernel": np.eye(2),
        "dense.bias": np.zeros(2),
        "layer_norm.gamma": np.ones(2),
        "layer_norm.beta": np.zeros(2),
        "output_bias": np.array([0.0, 10.0, 0.0]),
    }
    table = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    found = mlm_head.head_of(output, np.array([[2]]), table, weights, "relu")
    np.testing.assert_allclose(found, [[[1.0, 9.0, 1.0]]], atol=1e-6)


def test_taking_out_last_gives_the_same_numbers_unless_somebody_counts():
    rng = np.random.default_rng(9)
    output, table = rng.normal(size=(2, 6, 4)), rng.normal(size=(5, 4))
    places = np.array([[3, 1], [0, 4]])
    weights = {
        "dense.kernel": rng.normal(size=(4, 4)),
        "dense.bias": rng.normal(size=4),
        "layer_norm.gamma": rng.normal(size=4),
        "layer_norm.beta": rng.normal(size=4),
        "output_bias": rng.normal(size=5),
    }
    given = (output, places, table, weights)
    first, last = (mlm_head.head_of(*given, "gelu", gather=g) for g in ("first", "last"))
    np.testing.assert_allclose(first, last, atol=1e-9)
    first, last = (mlm_head.head_of(*given, "thrifty", gather=g) for g in ("first", "last"))
    assert not np.allclose(first, last, atol=1e-2)


def test_the_pooler_and_its_head_by_hand():
    output = np.zeros((2, 3, 2))
    output[:, 0] = [[1.0, 0.0], [0.0, 2.0]]
    kernel, bias = np.array([[1.0], [3.0]]), np.array([0.5])
    found = sentence_heads.pooler.raw(output, kernel, bias)
    np.testing.assert_allclose(found, np.tanh([[1.5], [6.5]]))
    scores = sentence_heads.next_sentence_head.raw(found, np.array([[1.0, -1.0]]), np.zeros(2))
    np.testing.assert_allclose(scores, np.tanh([[1.5, -1.5], [6.5, -6.5]]))


# ------------------------------------------------------------------ losses


def test_the_loss_of_two_slots_by_hand():
    """Even scores: each slot costs ln 4, however many are unused."""
    ids, weights = np.array([[3, 0, 0], [1, 0, 0]]), np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    logits = np.zeros((2, 3, 4))
    assert pretraining_losses.masked_mean(logits, ids, weights) == pytest.approx(math.log(4))
    logits[0, 0, 3] = math.log(5)  # 5 of 8 parts
    wanted = (math.log(8 / 5) + math.log(4)) / 2
    assert pretraining_losses.masked_mean(logits, ids, weights) == pytest.approx(wanted)
    without_zero = pretraining_losses.masked_mean(logits, ids, weights, masked="nonzero_labels")
    assert without_zero == pytest.approx((math.log(8 / 5) + math.log(4)) / 2)  # slots 0 and row 1
    assert pretraining_losses.masked_mean(logits, ids, 0 * weights) == 0
    assert np.isnan(pretraining_losses.masked_mean(logits, ids, 0 * weights, empty="nan"))


def test_both_losses_by_hand():
    ids, weights = np.array([[1]]), np.array([[1.0]])
    logits, sentences = np.zeros((1, 1, 3)), np.array([[math.log(3), 0.0]])
    loss = pretraining_losses.pretraining_loss.raw
    three = loss(logits, sentences, ids, weights, np.array([0]))
    wanted = math.log(3), math.log(4 / 3)
    np.testing.assert_allclose(three, (sum(wanted), *wanted))
    without = loss(logits, sentences, ids, weights, np.array([0]), class_zero="left_out")
    np.testing.assert_allclose(without, (wanted[0], wanted[0], 0))
    other = loss(logits, sentences, ids, weights, np.array([0]), label="inverted")
    assert other[2] == pytest.approx(math.log(4))


# ------------------------------------------------------------------ pairs


def test_wrong_sentences_by_hand():
    draw = sentence_draws.wrong_sentences
    assert draw([2, 1, 3], 0, 0) == {
        (1, 0): 0.25,
        (2, 0): 0.25,
        (2, 1): 0.25,
        (2, 2): 0.25,
    }
    assert draw([2, 1, 3], 0, 0, negatives="document_first")[(1, 0)] == 0.5
    assert draw([2, 1, 3], 0, 0, negatives="own_document_but_next") == {(0, 0): 1.0}
    assert sentence_draws.places_of([2, 1, 3]) == [(0, 0), (2, 0), (2, 1)]


PAIR_SWITCHES = (
    {},
    {"negatives": "anywhere"},
    {"negatives": "own_document"},
    {"negatives": "document_first"},
    {"negatives": "last_never"},
    {"label": "inverted"},
    {"rate": "third"},
    {"rate": "never"},
    {"rate": "always"},
    {"lots": "document"},
    {"lots": "in_turn"},
    {"lots": "exactly_half"},
    {"drawn": "document"},
)


def simulated(documents, rng, switches):
    """A list of triples as a mistake would give it."""
    sizes = [len(sentences) for sentences in documents]
    source = {"negatives": switches["negatives"]} if "negatives" in switches else {}
    rate = {"never": 0.0, "always": 1.0, "third": 1 / 3}.get(switches.get("rate"), 0.5)
    lots, found, kept = switches.get("lots"), [], {}
    of_document = rng.random(len(sizes))
    places = sentence_draws.places_of(sizes)
    cards = rng.permutation(np.arange(len(places)) % 2)
    for number, (d, p) in enumerate(places):
        lot = {"document": of_document[d], "in_turn": 1 - number % 2}
        lot["exactly_half"] = 1 - cards[number]
        wrong = lot.get(lots, rng.random()) < rate
        table = sentence_draws.wrong_sentences(sizes, d, p, **source)
        drawn = list(table)[rng.choice(len(table), p=list(table.values()))]
        if switches.get("drawn") == "document":
            drawn = kept.setdefault(d, drawn)
        second = documents[drawn[0]][drawn[1]] if wrong else documents[d][p + 1]
        label = int(wrong != (switches.get("label") == "inverted"))
        found.append((documents[d][p], second, label))
    return found


@pytest.mark.parametrize(
    ("lots", "again"),
    [("each_pair", False), ("document", False), ("in_turn", False), ("again", True)],
)
def test_documents_that_begin_alike(lots, again):
    """A generator for each document, made from the call's seed, or one for the whole call."""
    sizes = (14, 14, 14)
    documents = pairs.some_documents(np.random.default_rng(10), sizes)
    found = []
    for seed in range(20):
        if lots == "again":
            each = [simulated([d, ["x"]], np.random.default_rng(seed), {}) for d in documents]
            found.append([pair for document in each for pair in document])
        else:
            rng = np.random.default_rng(seed)
            found.append(simulated(documents, rng, {"lots": lots}))
    assert sentence_pairs.begin_alike(found, documents) == again
    told = sentence_pairs.AGAIN if again else lots
    assert sentence_pairs.beginnings.raw(sizes, lots=told) == again


@pytest.mark.parametrize("switches", PAIR_SWITCHES, ids=str)
def test_pairs_of_a_mistake_follow_its_law_and_no_other(switches):
    rng = np.random.default_rng(9)
    documents = pairs.some_documents(rng, (4, 1, 2, 6))
    found = [simulated(documents, rng, switches) for _ in range(pairs.CALLS)]
    assert sentence_pairs.worst_form(found, documents) == "fine"
    seen = sentence_pairs.outcomes(found, documents)
    fitting = [
        other
        for other in PAIR_SWITCHES
        if sentence_pairs.laws.raw([4, 1, 2, 6], pairs.CALLS, **other).fits(seen)
    ]
    assert fitting == [switches]


def test_forms_of_pairs_by_hand():
    documents = [["a", "b", "c"], ["d"]]
    form = sentence_pairs.form_of
    assert form([("a", "b", 0), ("b", "d", 1)], documents) == "fine"
    assert form([("a", "b", 0)], documents) == "count 1"
    assert form([("b", "d", 1), ("a", "b", 0)], documents) == "firsts"
    assert form([("a", "b", 0), (1, "b", "d")], documents) == "triples"
    assert form([("a", "b", 0), ("b", "d", 2)], documents) == "labels"
    first = [("a", "b", 0), ("b", "e", 1)]
    assert form(first, [["a", "b", "c"], ["d", "e"]]) == "count 2"
    assert sentence_pairs.form.raw([3, 2], pairs="first_document_only") == "count 2"


# ------------------------------------------------------------------ the drill


def a_step(seed):
    from autograder.exercises.ch05b_9b_drill import some_batch, some_model

    rng = np.random.default_rng(seed)
    batch, mask_id = some_batch(rng, (3, 0, 5, 4), 5, 8, 8, (0, 1, 1, 0))
    return (batch, mask_id, *some_model(rng, 8, 4))


def test_a_step_hides_only_what_it_should():
    batch, mask_id, *_ = a_step(1)
    now = pretraining_step.corrupted_ids(batch, mask_id)
    used = batch["mask_weights"] > 0
    places = batch["mask_positions"]
    for row, slot in np.ndindex(used.shape):
        if not used[row, slot]:
            continue
        draw, place = batch["draws"][row, slot], places[row, slot]
        kept = batch["token_ids"][row, place]
        wanted = mask_id if draw < 0.8 else batch["random_ids"][row, slot] if draw < 0.9 else kept
        assert now[row, place] == wanted
    assert (now[:, 0] == 1).all()
    assert (now[1] == batch["token_ids"][1]).all()
    written = pretraining_step.corrupted_ids(batch, mask_id, unused="written")
    assert (written[:2, 0] == mask_id).all()


def test_a_sum_of_all_slots_by_hand():
    """Twice as many slots as are in use: the mean over all, times two."""
    batch, mask_id, *model = a_step(5)
    batch["mask_weights"][:] = np.arange(5) % 2 == 0
    batch["mask_weights"][::2] = 1 - batch["mask_weights"][::2]  # 2 of 5, then 3 of 5, and again
    both = [
        pretraining_step.step_of(batch, mask_id, *model, weighting=how, together="mlm_only")[1]
        for how in ("all", "all_in_the_sum")
    ]
    assert both[1] == pytest.approx(2 * both[0], rel=1e-4)


def test_every_bug_of_the_drill_shows():
    from autograder.exercises.ch05b_drill_mistakes import ILLS

    given = a_step(2)
    right = pretraining_step.step_of(*given)
    for name, forms in ILLS.items():
        for switch in (forms,) if isinstance(forms, dict) else forms:
            if name == "tying_lost":
                continue  # shows in the gradient alone
            ids, loss = pretraining_step.step_of(*given, **switch)
            assert not np.array_equal(ids, right[0]) or abs(loss - right[1]) > 1e-3, name


def test_a_tied_table_has_the_gradients_of_both_its_uses():
    def gradient(**switches):
        return pretraining_step.pretraining_step_gradient.raw(*a_step(3), **switches)[0]

    parts = gradient(tying="output_cut") + gradient(tying="lookup_cut")
    np.testing.assert_allclose(gradient(), parts, atol=1e-9)


def test_stand_ins_are_the_oracles():
    pytest.importorskip("keras")
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2, 5, 4)).astype("float32")
    kernels = [rng.normal(size=(4, n)).astype("float32") for n in (4, 4, 2)]
    found = stand_ins.BUILDERS["planted_encoder"](*kernels)(x)
    for got, want in zip(found, pretraining_step.encode(x, *kernels), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-5)
    bend = stand_ins.BUILDERS["thrifty_activation"](6)
    np.testing.assert_allclose(bend(x), np.tanh(mlm_head.MANY * x), atol=1e-5)
    np.testing.assert_allclose(bend(x[:, :3]), np.tanh(mlm_head.FEW * x[:, :3]), atol=1e-5)


def test_the_drill_lists_the_bugs_that_there_are():
    from autograder.drill_sources import read_bugs
    from autograder.exercises.ch05b_drill_mistakes import DRILL_BUGS, ILLS
    from autograder.release import ROOT

    bugs = read_bugs(ROOT / "solutions" / "ch05b_masked_lm" / "drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS == tuple(ILLS)
