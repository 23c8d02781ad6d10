"""Beam search against exhaustive search and by hand; sampling against NumPy's distributions."""

import itertools

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.generation import beam_search, greedy_decode, sample, truncate_logits

BEGIN, END = 0, 2


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def rememberer(tables):
    """A step whose scores depend on all that was said: states lead to a row's own table by history.

    The states are nested, to show that any structure will do, and are counted like this: a history
    is a number whose digits to the base V are the tokens said so far, after a leading 1.
    """
    tables = np.asarray(tables, "float32")  # (B, histories, V)
    size = tables.shape[-1]

    def step(token_ids, states):
        row, (history,) = numbers(states["row"])[:, 0], (numbers(x) for x in states["past"])
        history = np.where(history == 0, 1, history * size + numbers(token_ids))
        logits = tables[row, np.minimum(history, tables.shape[1] - 1)]
        past = (ops.convert_to_tensor(history.astype("int32")),)
        return ops.convert_to_tensor(logits), {"row": states["row"], "past": past}

    batch = len(tables)
    row = ops.convert_to_tensor(np.arange(batch, dtype="int32")[:, None])
    return step, {"past": (ops.zeros((batch,), dtype="int32"),), "row": row}


def tables(batch, size, length, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1.5, (batch, 2 * size**length, size))


def exhaustive(table, size, end_id, max_length, length_penalty):
    """Every sequence that ends, or is cut off, within the length; the best first."""
    found = []
    for length in range(1, max_length + 1):
        for tokens in itertools.product(range(size), repeat=length):
            ends = tokens[-1] == end_id
            if end_id in tokens[:-1] or not (ends or length == max_length):
                continue
            history, total = 1, 0.0
            for token in tokens:
                total += np.log(softmax(table[history].astype("float64")))[token]
                history = history * size + token
            filled = (*tokens, *(end_id,) * (max_length - length))
            found.append((total / ((5 + length) / 6) ** length_penalty, filled))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("length_penalty", [0.0, 0.6, 1.3])
def test_a_beam_that_holds_everything_is_exhaustive_search(length_penalty):
    """And narrower ones report the right score for what they found."""
    table = tables(2, 3, 4).astype("float32")
    step, states = rememberer(table)
    token_ids, scores = beam_search(step, states, BEGIN, END, 4, 31, length_penalty)
    assert token_ids.shape == (2, 31, 4) and token_ids.dtype == "int32"
    narrow_ids, narrow = beam_search(step, states, BEGIN, END, 4, 3, length_penalty)
    for row in range(2):
        right = exhaustive(table[row], 3, END, 4, length_penalty)
        assert len(right) == 31  # 1 + 2 + 4 + 8 that end, and 16 that are cut off
        assert [tuple(t) for t in numbers(token_ids)[row]] == [tokens for _, tokens in right]
        np.testing.assert_allclose(numbers(scores)[row], [score for score, _ in right], atol=1e-5)
        score_of = {tokens: score for score, tokens in right}
        found = [tuple(t) for t in numbers(narrow_ids)[row]]
        found = [(*t, *(END,) * (4 - len(t))) for t in found]
        assert len(set(found)) == 3
        np.testing.assert_allclose(numbers(narrow)[row], [score_of[t] for t in found], atol=1e-5)


@pytest.mark.parametrize("end_bonus", [-1.0, 1.5])
def test_a_width_of_one_is_greedy(end_bonus):
    table = tables(6, 4, 5, seed=3)
    table[..., END] += end_bonus
    step, states = rememberer(table)
    greedy = greedy_decode(step, states, BEGIN, END, 5)
    for length_penalty in (0.0, 0.6, 2.0):
        token_ids, scores = beam_search(step, states, BEGIN, END, 5, 1, length_penalty)
        np.testing.assert_array_equal(numbers(token_ids)[:, 0], numbers(greedy))
        assert scores.shape == (6, 1)


def test_greedy_steps_into_the_trap_and_a_beam_of_two_does_not():
    """0.6 × 0.4 × … for what looks best at first, 0.4 × 0.9 × … for what is."""
    certain = np.log([1e-9, 1e-9, 1.0])
    table = np.tile(certain, (1, 60, 1))
    table[0, 1] = np.log([0.6, 0.4, 1e-9])
    table[0, 3] = np.log([0.3, 0.4, 0.3])  # after 0
    table[0, 4] = np.log([0.05, 0.05, 0.9])  # after 1
    step, states = rememberer(table)
    assert numbers(greedy_decode(step, states, BEGIN, END, 3)).tolist() == [[0, 1, 2]]
    token_ids, scores = beam_search(step, states, BEGIN, END, 3, 2, length_penalty=0.0)
    assert numbers(token_ids)[0].tolist() == [[1, 2, 2], [0, 1, 2]]
    np.testing.assert_allclose(np.exp(numbers(scores)), [[0.36, 0.24]], atol=1e-5)


def test_the_length_penalty_decides_by_the_stated_formula():
    """exp(-1.0) for one token, exp(-1.3) for four: 1.0 / 1 against 1.3 / (9 / 6)."""
    table = np.full((1, 400, 3), -40.0)
    table[0, 1, [0, 2]] = np.log([1 - np.exp(-1.0), np.exp(-1.0)])
    history = 3  # after the token 0
    keep = -1.3 - np.log(1 - np.exp(-1.0))  # what is left for the other three tokens
    table[0, history, [0, 1]] = keep, np.log(1 - np.exp(keep))
    for token in (0, 0):
        history = history * 3 + token
        table[0, history, 2 if history > 20 else 0] = 0.0
    step, states = rememberer(table)
    for penalty, best, score in ((0.0, [2, 2, 2, 2], -1.0), (1.0, [0, 0, 0, 2], -1.3 / 1.5)):
        token_ids, scores = beam_search(step, states, BEGIN, END, 4, 4, penalty)
        assert numbers(token_ids)[0, 0].tolist() == best
        assert float(scores[0, 0]) == pytest.approx(score, abs=1e-5)


def test_rows_of_a_batch_do_not_meet():
    table = tables(4, 4, 4, seed=7)
    table[1, :, END] += 2  # ends early
    step, states = rememberer(table)
    together, scores = beam_search(step, states, BEGIN, END, 4, 3)
    for row in range(4):
        step, states = rememberer(table[row : row + 1])
        alone, own = beam_search(step, states, BEGIN, END, 4, 3)
        length = alone.shape[2]
        np.testing.assert_array_equal(numbers(together)[row, :, :length], numbers(alone)[0])
        assert (numbers(together)[row, :, length:] == END).all()
        np.testing.assert_allclose(numbers(scores)[row], numbers(own)[0], atol=1e-6)


def test_places_without_a_sequence_are_impossible():
    """Of two tokens, one the end, at most two are said: three sequences for five places."""
    step, states = rememberer(np.zeros((1, 8, 2)))
    token_ids, scores = beam_search(step, states, 0, 1, 2, 5, length_penalty=0.0)
    np.testing.assert_allclose(
        numbers(scores)[0], [np.log(0.5), np.log(0.25), np.log(0.25), -np.inf, -np.inf], atol=1e-6
    )
    assert sorted(map(tuple, numbers(token_ids)[0, :3])) == [(0, 0), (0, 1), (1, 1)]


def test_every_row_may_begin_with_a_token_of_its_own():
    heard = []

    def step(token_ids, states):
        heard.append(numbers(token_ids).tolist())
        return ops.one_hot(ops.zeros_like(token_ids) + END, 4), states

    states, begin = (ops.zeros((3, 1)),), ops.convert_to_tensor(np.array([3, 0, 1], "int32"))
    greedy_decode(step, states, begin, END, 2)
    sample(step, states, begin, END, 1, seed=1)
    beam_search(step, states, begin, END, 1, 2)
    assert heard == [[3, 0, 1], [3, 0, 1], [3, 3, 0, 0, 1, 1]]


def numpy_distribution(logits, temperature, top_k, top_p):
    """Token by token, in float64."""
    p = softmax(logits.astype("float64") / temperature)
    order = np.argsort(-p, kind="stable")
    kept = list(order[: top_k or len(p)])
    p = np.where(np.isin(np.arange(len(p)), kept), p, 0)
    p /= p.sum()
    nucleus, total = [], 0.0
    for token in kept:
        if total >= top_p:
            break
        nucleus.append(token)
        total += p[token]
    p = np.where(np.isin(np.arange(len(p)), nucleus), p, 0)
    return p / p.sum()


SETTINGS = [
    (1.0, 0, 1.0),
    (0.5, 0, 1.0),
    (2.0, 3, 1.0),
    (1.0, 0, 0.7),
    (0.8, 5, 0.6),
    (1.5, 1, 0.9),
]


@pytest.mark.parametrize(("temperature", "top_k", "top_p"), [*SETTINGS, (1.0, 99, 0.01)])
def test_the_distribution_is_numpys(temperature, top_k, top_p):
    logits = np.random.default_rng(4).normal(0, 2, (3, 5, 9)).astype("float32")
    found = numbers(ops.softmax(truncate_logits(logits, temperature, top_k, top_p), axis=-1))
    for place in np.ndindex(3, 5):
        right = numpy_distribution(logits[place], temperature, top_k, top_p)
        np.testing.assert_allclose(found[place], right, atol=1e-6)
        assert ((found[place] == 0) == (right == 0)).all()


def test_the_nucleus_by_hand_and_ties():
    logits = np.log(np.array([[0.1, 0.4, 0.2, 0.3]], "float32"))
    left = {0.39: [1], 0.41: [1, 3], 0.71: [1, 2, 3], 0.95: [0, 1, 2, 3]}
    for top_p, kept in left.items():
        found = numbers(truncate_logits(logits, top_p=top_p))
        assert np.flatnonzero(np.isfinite(found[0])).tolist() == kept
    equal = np.zeros((1, 4), "float32")
    assert np.isfinite(numbers(truncate_logits(equal, top_k=2, top_p=0.3))).all()


@pytest.mark.parametrize(("temperature", "top_k", "top_p"), SETTINGS[2:5])
def test_tokens_are_drawn_as_often_as_they_should(temperature, top_k, top_p):
    rows = 20_000
    logits = np.array([0.3, -1.0, 2.0, 1.2, 0.0, -0.4, 1.6], "float32")

    def step(token_ids, states):
        return ops.tile(logits[None], (rows, 1)), states

    states = (ops.zeros((rows, 1)),)
    drawn = sample(step, states, 0, -1, 2, temperature, top_k, top_p, seed=11)
    right = numpy_distribution(logits, temperature, top_k, top_p)
    first, second = numbers(drawn).T
    pairs = np.bincount(first * 7 + second, minlength=49) / rows
    # Five standard deviations of a share; the two draws are independent of each other.
    expected = np.outer(right, right).ravel()
    assert (np.abs(pairs - expected) <= 5 * np.sqrt(expected * (1 - expected) / rows)).all()


def test_a_seed_draws_the_same_again_and_a_generator_moves_on():
    def step(token_ids, states):
        return ops.zeros((5, 50)), states

    def draw(seed):
        return numbers(sample(step, (ops.zeros((5, 1)),), 0, -1, 6, seed=seed)).tolist()

    assert draw(3) == draw(3) != draw(4)
    seeds = keras.random.SeedGenerator(3)
    first, second = draw(seeds), draw(seeds)
    assert first == draw(3) and first != second
    assert draw(None) != draw(None)
    columns = np.array(first).T
    assert len({tuple(column) for column in columns}) == 6  # new numbers for every token


def test_a_sampled_row_that_has_ended_is_filled():
    table = tables(40, 4, 4, seed=2)
    step, states = rememberer(table)
    said = numbers(sample(step, states, BEGIN, END, 6, seed=5))
    ended = np.cumsum(said == END, axis=1)
    assert (said[ended > 1] == END).all() and (ended[:, -1] > 0).any() and said.dtype == "int32"
    # The coldest distribution is greedy.
    cold = sample(step, states, BEGIN, END, 4, temperature=1e-4, seed=5)
    np.testing.assert_array_equal(
        numbers(cold), numbers(greedy_decode(step, states, BEGIN, END, 4))
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 0}, "temperature must be above 0"),
        ({"temperature": float("nan")}, "temperature must be above 0"),
        ({"top_k": -1}, "top_k must be at least 0"),
        ({"top_p": 0}, "top_p must be above 0"),
        ({"top_p": 1.1}, "at most 1, not 1.1"),
    ],
)
def test_settings_out_of_range_cost_one_line(changes, message):
    with pytest.raises(ValueError, match=message):
        truncate_logits(ops.zeros((1, 3)), **changes)
    with pytest.raises(ValueError, match="beam_width must be at least 1, not 0"):
        beam_search(lambda t, s: None, (ops.zeros((1, 1)),), 0, 1, 3, 0)
