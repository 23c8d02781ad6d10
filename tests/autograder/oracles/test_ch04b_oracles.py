"""A small GPT, its losses, drawing and inputs in NumPy, against Keras and arithmetic by hand."""

import itertools
import math

import numpy as np
import pytest

from autograder.exercises.ch04b_3_sample import ROWS, SHARES, two_kinds
from autograder.oracles import gpt, gpt_finetuning, gpt_losses, gpt_step, sampling, sampling_laws
from autograder.oracles import task_input_sets as sets
from autograder.oracles import task_inputs as inputs
from autograder.stand_ins import ch04b_gpt as stand_ins

MARKS = (1, 2, 3)


# ------------------------------------------------------------------ the model and its losses


def a_model(seed):
    rng = np.random.default_rng(seed)
    kernels = [(rng.normal(size=(4, 4)) / 2, rng.normal(size=(4, 4)) / 2) for _ in range(2)]
    mask = np.array(
        [[True] * 5, [True, True, True, False, False], [False, True, True, False, True]]
    )
    ids = rng.integers(0, 7, mask.shape)
    return ids, mask, rng.normal(size=(7, 4)), rng.normal(size=(6, 4)), kernels


def test_a_model_without_blocks_by_hand():
    tokens, places = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    found = gpt.gpt_logits.raw(np.array([[0, 1]]), np.ones((1, 2), bool), tokens, places, [])
    np.testing.assert_array_equal(found, [[[1, 2], [1, 4]]])


def test_no_token_sees_what_follows_or_padding():
    ids, mask, tokens, places, kernels = a_model(1)
    before = gpt.gpt_logits.raw(ids, mask, tokens, places, kernels)
    changed = ids.copy()
    changed[:, 4] = (ids[:, 4] + 1) % 7
    changed[~mask] = (ids[~mask] + 3) % 7
    after = gpt.gpt_logits.raw(changed, mask, tokens, places, kernels)
    np.testing.assert_allclose(after[:, :4], before[:, :4], atol=1e-12)
    assert not np.allclose(after[0, 4], before[0, 4])


def test_the_planted_block_is_the_oracles():
    pytest.importorskip("keras")
    rng = np.random.default_rng(2)
    x, kernels = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4, 4))
    mask = np.tril(np.ones((1, 3, 3), bool))
    floats = [kernel.astype("float32") for kernel in kernels]
    block = stand_ins.BUILDERS["planted_block"](*floats)
    output, weights = block(x.astype("float32"), attention_mask=mask)
    np.testing.assert_allclose(output, gpt.block(x, mask, *kernels), atol=1e-5)
    assert tuple(weights.shape) == (2, 1, 3, 3)
    with pytest.raises(ValueError, match="bool"):
        block(x.astype("float32"), mask.astype("float32"))


def test_a_tied_table_has_the_gradients_of_both_its_uses():
    ids, mask, tokens, places, kernels = a_model(3)
    cotangent = np.random.default_rng(4).normal(size=(3, 5, 7)) * mask[..., None]
    inputs_of = (ids, mask, tokens, places, kernels, cotangent)

    def gradient(**switches):
        return gpt.gpt_logits_gradient.raw(*inputs_of, **switches)[0]

    np.testing.assert_allclose(
        gradient(), gradient(tying="output_cut") + gradient(tying="lookup_cut"), atol=1e-9
    )


def test_losses_by_hand():
    """Perfect scores for the next of five tokens, as they are and shifted in other ways."""
    ids = np.array([[1, 4, 2, 3], [0, 2, 1, 4]])
    logits = 10 * np.eye(5)[np.roll(ids, -1, axis=1)]

    def loss(mask, **switches):
        return float(gpt_losses.causal_lm_loss.raw(logits, ids, mask, **switches))

    whole = np.ones((2, 4), bool)
    rest = math.log(1 + 4 * math.exp(-10))
    assert loss(whole) == pytest.approx(rest)
    assert loss(whole, shift="none") == pytest.approx(10 + rest)
    assert loss(whole, shift="twice") == pytest.approx(10 + rest)
    # Seven predictions instead of six; the one too many, 3 → 0, is the wrong one.
    assert loss(whole, shift="flattened") == pytest.approx(rest + 10 / 7)
    assert loss(np.arange(4) < np.ones((2, 1))) == 0
    assert np.isnan(loss(np.arange(4) < np.ones((2, 1)), empty="nan"))


def test_the_mask_says_where_and_not_how_many():
    """All alike but one token, whose surprise shows where it counts."""
    ids, logits = np.array([[2, 1, 1, 1]]), np.zeros((1, 4, 3))
    logits[0, 1, 1] = -5  # token 2 comes as a surprise
    mask = np.array([[False, False, True, True]])
    surprise = math.log(2 * math.exp(5) + 1)

    def loss(**switches):
        return float(gpt_losses.causal_lm_loss.raw(logits, ids, mask, **switches))

    assert loss() == pytest.approx((surprise + math.log(3)) / 2)
    assert loss(mask_of="lengths") == pytest.approx(math.log(3))
    assert loss(mask_of="both") == pytest.approx(math.log(3))


def test_a_tiny_number_under_the_logarithm_hides_what_is_tinier():
    logits, ids = np.array([[[0.0, -300.0], [0.0, 0.0]]]), np.array([[0, 1]])
    whole = np.ones((1, 2), bool)
    assert float(gpt_losses.causal_lm_loss.raw(logits, ids, whole)) == pytest.approx(300)
    found = gpt_losses.causal_lm_loss.raw(logits, ids, whole, fed="1e-9")
    assert float(found) == pytest.approx(-math.log(1e-9))


def test_logarithms_taken_for_probabilities_are_all_clipped_to_one_number():
    rng = np.random.default_rng(3)
    logits, ids = rng.normal(size=(2, 4, 5)), rng.integers(0, 5, (2, 4))
    switches = {"fed": "log_softmax", "scores": "taken_for_probabilities"}
    found = gpt_losses.causal_lm_loss.raw(logits, ids, np.ones((2, 4), bool), **switches)
    assert float(found) == pytest.approx(math.log(5))


def test_the_end_counts_although_it_also_pads():
    ids, mask = np.array([[2, 1, 0, 0]]), np.array([[True, True, True, False]])
    logits = np.zeros((1, 4, 3))
    logits[0, 1, 0] = -5  # the end comes as a surprise
    surprise = math.log(2 * math.exp(5) + 1)
    wanted = (math.log(3) + surprise) / 2
    assert float(gpt_losses.causal_lm_loss.raw(logits, ids, mask)) == pytest.approx(wanted)
    left_out = gpt_losses.causal_lm_loss.raw(logits, ids, mask, masked="nonzero_labels")
    assert float(left_out) == pytest.approx(math.log(3))


def test_fine_tuning_adds_a_share_of_the_language_models_loss():
    rng = np.random.default_rng(5)
    scores, labels = rng.normal(size=(3, 4)), np.array([0, 3, 1])
    logits, ids = rng.normal(size=(3, 5, 6)), rng.integers(0, 6, (3, 5))
    mask = np.arange(5) < np.array([[5], [2], [4]])
    task = np.mean(
        [np.log(np.exp(row).sum()) - row[y] for row, y in zip(scores, labels, strict=True)]
    )
    lm = gpt_losses.causal_lm_loss.raw(logits, ids, mask)
    for weight in (0.0, 0.5, 2.0):
        found = gpt_finetuning.finetune_of(scores, labels, logits, ids, mask, weight)
        assert float(found) == pytest.approx(task + weight * lm)


def test_a_step_is_the_model_and_its_loss():
    ids, mask, tokens, places, kernels = a_model(6)
    mask[2] = [True, True, False, False, False]
    logits, loss = gpt_step.gpt_step.raw(ids, mask, tokens, places, kernels)
    alone = gpt.gpt_logits.raw(ids, mask, tokens, places, kernels)
    np.testing.assert_array_equal(logits, alone)
    assert loss == pytest.approx(gpt_losses.causal_lm_loss.raw(alone, ids, mask))


# ------------------------------------------------------------------ drawing

# Each setting with the switches that can be told apart there, and how a simulation draws them.
SETTINGS = (
    (1.0, 0, 1.0),
    (0.4, 0, 1.0),
    (1.0, 3, 1.0),
    (1.0, 0, 0.3),
    (1.0, 0, 0.7),
    (2.0, 4, 0.7),
)
SWITCHES = (
    {},
    {"heat": "multiplied"},
    {"heat": "ignored"},
    {"heat": "after_nucleus"},
    {"top": "ignored"},
    {"top": "one_more"},
    {"top_fill": "zero"},
    {"nucleus": "crossing_dropped"},
    {"nucleus": "one_more"},
    {"nucleus_of": "everything"},
    {"nucleus": "unsorted"},
    {"nucleus": "not_put_back"},
    {"nucleus": "put_back_by_the_order"},
    {"drawn": "largest"},
    {"drawn": "evenly"},
    {"drawn": "softmax_twice"},
    {"drawn": "one_for_all"},
    {"returned": "rank"},
    {"returned": "rank_with_top_k"},
)


def simulated(row, temperature, top_k, top_p, switch, rng, times):
    """Tokens drawn from one row by an answer with this mistake; written without the oracle."""
    heat, nucleus = switch.get("heat"), switch.get("nucleus")
    scores = {token: float(score) for token, score in enumerate(row)}
    factor = {"multiplied": temperature, "ignored": 1.0, "after_nucleus": 1.0}.get(heat)
    scores = {t: s * (1 / temperature if factor is None else factor) for t, s in scores.items()}
    everything = dict(scores)
    ranked = sorted(scores, key=scores.get, reverse=True)
    if top_k and switch.get("top") != "ignored":
        for token in ranked[top_k + (switch.get("top") == "one_more") :]:
            scores[token] = 0.0 if switch.get("top_fill") == "zero" else -math.inf
    if top_p < 1:
        basis = everything if switch.get("nucleus_of") == "everything" else scores
        total = sum(math.exp(s) for s in basis.values())
        order = list(scores) if nucleus == "unsorted" else sorted(basis, key=basis.get)[::-1]
        shares = [math.exp(basis[token]) / total for token in order]
        number = next(n for n in range(1, len(order) + 1) if sum(shares[:n]) >= top_p)
        number += {"crossing_dropped": -1, "one_more": 1}.get(nucleus, 0)
        kept = order[:number]
        if nucleus == "not_put_back":
            kept = list(range(len(kept)))
        if nucleus == "put_back_by_the_order":
            kept = [token for token in scores if order[token] < len(kept)]
        scores = {t: s if t in kept else -math.inf for t, s in scores.items()}
    if heat == "after_nucleus":
        scores = {t: s / temperature for t, s in scores.items()}
    size = len(row)
    left = [t for t, s in scores.items() if s > -math.inf]
    if not left:
        return np.full(times, size)
    shares = np.array([math.exp(scores[t]) if t in left else 0.0 for t in range(size)])
    shares = shares / shares.sum()
    drawn = switch.get("drawn")
    if drawn == "largest":
        return np.full(times, int(shares.argmax()))
    if drawn == "evenly":
        shares = (shares > 0) / (shares > 0).sum()
    if drawn == "softmax_twice":
        shares = np.exp(shares) / np.exp(shares).sum()
    tokens = rng.choice(size, times, p=shares)
    told = switch.get("returned")
    if told == "rank" or (told == "rank_with_top_k" and top_k):
        tokens = np.array([ranked.index(token) for token in tokens])
    return tokens


def seen(logits, setting, switch, seed, rows=ROWS):
    rng = np.random.default_rng(seed)
    calls = 60 if setting == (1.0, 0, 1.0) else 1
    each = rows // calls
    batches = []
    for _ in range(calls):
        batch = np.zeros(2 * each, int)
        for kind, row in enumerate(logits):
            batch[kind::2] = simulated(row, *setting, switch, rng, each)
        if switch.get("drawn") == "one_for_all":
            batch[:] = batch[0]
        batches.append(batch)
    return sampling_laws.outcomes(batches, each, len(SHARES)), each


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda s: "-".join(s.values()) or "right")
def test_what_a_mistake_draws_follows_its_law_and_no_other(switch):
    for seed in range(3):
        logits = two_kinds(np.random.default_rng(seed))
        fitting = list(SWITCHES)
        for number, setting in enumerate(SETTINGS):
            outcomes, rows = seen(logits, setting, switch, 10 * seed + number)
            fitting = [
                other
                for other in fitting
                if sampling_laws.draws.raw(logits, rows, *setting, **other).fits(outcomes)
            ]
        assert fitting == [switch]


def test_a_right_draw_is_refused_less_often_than_stated():
    """At a level that a simulation can reach; the bound itself is proved in test_laws."""
    alpha, refused = 0.2, 0
    logits = two_kinds(np.random.default_rng(7))
    for seed in range(100):
        outcomes, rows = seen(logits, (2.0, 4, 0.7), {}, seed, rows=300)
        law = sampling_laws.draws.raw(logits, rows, 2.0, 4, 0.7)
        refused += not law.fits(outcomes, alpha)
    assert refused <= 100 * alpha


def test_both_kinds_of_rows_differ_where_a_mistake_could_look():
    for seed in range(30):
        logits = two_kinds(np.random.default_rng(seed))
        shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        np.testing.assert_allclose(np.sort(shares, axis=1)[:, ::-1], [SHARES] * 2, rtol=1e-5)
        assert len(set(shares.argmax(axis=1))) == 2
        assert not {0, len(SHARES) - 1} & set(shares.argmax(axis=1))
        gone = np.argsort(shares, axis=1)[:, :2]
        assert not set(gone[0]) & set(gone[1])
        assert len(set((shares[0] / shares[1]).round(4))) == len(SHARES)


def test_draws_of_another_form_are_no_evidence():
    logits = two_kinds(np.random.default_rng(8))
    right = sampling_laws.draws.raw(logits, 4)
    for tokens in (np.zeros((8, 1), int), np.zeros(8), np.zeros(7, int), ()):
        outcomes = sampling_laws.outcomes([tokens], 4, len(SHARES))
        assert all(part.size == 0 for part in outcomes) and not right.fits(outcomes)
    assert sampling_laws.form_of([1, 2, 3]).tolist() == [1, 3, 1]
    one_row = sampling_laws.form.raw(1, 6), sampling_laws.form.raw(1, 6, returned="squeezed")
    assert [form.tolist() for form in one_row] == [[1, 1, 1], [0, 1, 1]]


def test_probabilities_drawn_from_as_logits_by_hand():
    """Two of three tokens are in the nucleus; the third is worth 0, or nothing."""
    logits = np.log([[0.5, 0.3, 0.2]] * 2)

    def drawn(how, **switches):
        return sampling.distribution(logits, top_p=0.7, drawn=how, **switches)[0]

    cut, early = np.exp([0.5, 0.3, 0]), drawn("softmax_of_early_shares", nucleus_of="everything")
    np.testing.assert_allclose(drawn("softmax_of_cut_shares"), cut / cut.sum())
    np.testing.assert_allclose(early, cut / cut.sum())
    cut[2] = 0
    np.testing.assert_allclose(drawn("softmax_of_open_shares"), cut / cut.sum())
    # What top-k took out is worth 0 as long as no nucleus takes it out again.
    after_k = sampling.distribution(logits, top_k=2, drawn="softmax_of_open_shares")[0]
    after_both = sampling.distribution(logits, 1.0, 2, 0.9, drawn="softmax_of_open_shares")[0]
    two = np.exp([0.625, 0.375, 0])
    np.testing.assert_allclose(after_k, two / two.sum())
    np.testing.assert_allclose(after_both, two * [1, 1, 0] / two[:2].sum())
    # Shares along a batch of four rows that are alike are 1/4 each, and three of them reach 0.7.
    everything = sampling.distribution(logits, 1.0, 0, 0.7, 2, nucleus_of="shares_over_the_batch")
    np.testing.assert_allclose(everything[0], [0.5, 0.3, 0.2])


def test_seeds_by_hand():
    logits = two_kinds(np.random.default_rng(9))

    def fits(*flags, **switches):
        law = sampling_laws.repeats.raw(logits, **switches)
        return law.fits(tuple(np.array([float(flag)]) for flag in flags))

    assert fits(1, 0, 0, 0) and not fits(0, 0, 0, 0)
    assert fits(0, 0, 0, 0, seed_use="ignored") and fits(1, 1, 1, 1, drawn="largest")
    assert [sampling_laws.refused.raw(t).item() for t in (-1.0, 0.0, 0.1)] == [True, True, False]


# ------------------------------------------------------------------ inputs


def test_rows_by_hand():
    assert inputs.classification_input.raw([7, 8, 9], MARKS, 4).tolist() == [1, 7, 8, 3]
    found = inputs.entailment_input.raw([7, 8, 9], [4, 5], MARKS, 7)
    assert found.tolist() == [1, 7, 8, 2, 4, 5, 3]
    one, other = sets.similarity_input.raw([4, 5, 6], [7, 8, 9], MARKS, 8)
    assert one.tolist() == [1, 4, 5, 2, 7, 8, 3] and other.tolist() == [1, 7, 8, 2, 4, 5, 3]
    rows = sets.multiple_choice_input.raw([4, 5, 6], [[7], [8, 9]], MARKS, 6)
    assert [row.tolist() for row in rows] == [[1, 4, 5, 2, 7, 3], [1, 4, 5, 2, 8, 3]]


def test_slips_in_cutting_by_hand():
    def one(text, most, cut):
        return inputs.classification_input.raw(text, MARKS, most, cut=cut).tolist()

    assert one([7, 8], 0, "with_marks_even_of_0") == []
    assert one([7, 8], 4, "negative_slice") == [1, 3]
    assert one([7, 8], 5, "negative_slice") == [1, 7, 3]

    def two(most, **switches):
        return inputs.entailment_input.raw([7, 8], [4, 5], MARKS, most, **switches).tolist()

    assert two(0, cut="half_always") == [1, 7, 8, 2, 4, 5, 3]
    assert two(6, cut="half_always") == two(6, cut="half_if_too_long") == [1, 7, 2, 4, 3]
    assert two(6, cut="half_if_too_long_odd_second") == [1, 7, 2, 4, 5, 3]
    assert two(6, order="turned_before_the_cut") == [1, 4, 5, 2, 7, 3]


def test_similar_texts_are_cut_alike_in_both_orders():
    texts = [list(range(10, 10 + length)) for length in range(7)]
    for first, second, max_length in itertools.product(texts, texts, range(3, 18)):
        one, other = sets.similarity_input.raw(first, second, MARKS, max_length)
        turned = sets.similarity_input.raw(second, first, MARKS, max_length)
        assert one.tolist() == turned[1].tolist() and other.tolist() == turned[0].tolist()
        wanted = min(len(first) + len(second) + 3, max_length)
        assert wanted - 1 <= len(one) <= wanted


def test_forms_that_count_as_lists():
    assert inputs.rows_of([1, np.int32(2)]).tolist() == [1, 2]
    assert [row.tolist() for row in inputs.rows_of(np.array([[1, 2], [3, 4]]))] == [[1, 2], [3, 4]]
    assert inputs.rows_of([]).tolist() == []  # everything was cut off
    assert inputs.rows_of([1.5, 2.0]) == (1.5, 2.0)
