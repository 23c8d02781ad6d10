"""Laws of random results: their error rate is proved by summing tails, and tried by drawing."""

import math

import numpy as np
import pytest

from autograder.laws import (
    ALPHA,
    Anything,
    Mean,
    Share,
    Statistical,
    Support,
    Variance,
    divergence,
    outcomes_needed,
)


def log_binomial(n, k, p):
    choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return choose + k * math.log(p) + (n - k) * math.log1p(-p)


@pytest.mark.parametrize("alpha", [ALPHA, 1e-3, 0.05])
@pytest.mark.parametrize("p", [0.01, 0.1, 0.15, 0.5, 0.8, 0.97])
@pytest.mark.parametrize("n", [7, 300, 3000])
def test_a_true_share_is_refused_at_most_as_often_as_stated(n, p, alpha):
    """Exactly: the probabilities of all counts that the law refuses are added up."""
    law = Share(p)
    refused = 0.0
    for k in range(n + 1):
        found = np.repeat([1.0, 0.0], [k, n - k])
        if law.surprise(found) <= alpha:
            refused += math.exp(log_binomial(n, k, p))
    assert refused <= alpha


def test_shares_of_nothing_and_of_everything_admit_no_exception():
    assert Share(0.0).surprise(np.zeros(5000)) == 1 and Share(1.0).surprise(np.ones(3)) == 1
    assert Share(0.0).surprise(np.eye(70)[0]) == 0 and Share(1.0).surprise(1 - np.eye(70)[0]) == 0


@pytest.mark.parametrize(
    ("law", "draw"),
    [
        (Share(0.15), lambda rng: rng.random(400) < 0.15),
        # Ten at a time share one fate.
        (Share(0.3, dependent=10), lambda rng: np.repeat(rng.random(60) < 0.3, 10)),
        (Mean(0.5, 1 / 12, 0, 1), lambda rng: rng.random(300)),
        (Mean(2.0, 2.0, 0, 4), lambda rng: rng.choice([0.0, 2.0, 4.0], 200, p=[0.25, 0.5, 0.25])),
        (Variance(1 / 12, 0.5, 0, 1), lambda rng: rng.random(300)),
    ],
)
def test_simulated_true_results_are_refused_at_most_as_often_as_stated(law, draw):
    rng = np.random.default_rng(5)
    trials, alpha = 2000, 0.1
    refused = sum(law.surprise(draw(rng)) <= alpha for _ in range(trials))
    # Four standard deviations of room for the simulation itself.
    assert refused <= trials * alpha + 4 * math.sqrt(trials * alpha * (1 - alpha))


@pytest.mark.parametrize(
    ("law", "false"),
    [
        (Share(0.15), lambda rng: rng.random(20000) < 0.10),
        (Share(0.8), lambda rng: rng.random(3000) < 1.0),
        (Mean(0.5, 1 / 12, 0, 1), lambda rng: rng.random(2000) * 0.8),
        (Mean(0.5, 1 / 12, 0, 1), lambda rng: rng.random(20) + 0.7),
        (Variance(1 / 12, 0.5, 0, 1), lambda rng: 0.5 + (rng.random(2000) - 0.5) / 2),
        (Support((0.0, 2.0)), lambda rng: rng.choice([0.0, 1.0, 2.0], 50)),
        (Share(0.5, least=10), lambda rng: np.array([1.0, 0.0])),
        (Share(0.5), lambda rng: np.array([np.nan, 1.0])),
        (Share(0.5), lambda rng: np.array([0.0, 7.0])),
        (Mean(0.5, 1 / 12, 0, 1), lambda rng: np.zeros(0)),
    ],
)
def test_false_results_are_refused_always(law, false):
    rng = np.random.default_rng(6)
    assert all(law.surprise(false(rng)) <= ALPHA for _ in range(100))
    assert law.told(false(rng)).en and law.told(false(rng)).zh


def test_a_law_draws_outcomes_that_follow_it():
    rng = np.random.default_rng(7)
    support = Support((np.zeros((4, 5)), np.ones((4, 5))))
    for law in (Share(0.3), Mean(1.0, 0.5, -9, 9), Variance(0.5, 1.0, -9, 9), support, Anything()):
        assert all(law.surprise(law.draw(rng, (4, 5))) > 1e-3 for _ in range(20))


def test_outcomes_needed_is_where_two_rates_part():
    for p, q in ((0.15, 0.1), (0.8, 0.9), (0.3, 0.5)):
        n = outcomes_needed(p, q)
        shares = np.linspace(0, 1, 2001)

        def fits(rate, count, shares=shares):
            return {x for x in shares if 2 * math.exp(-count * divergence(x, rate)) > ALPHA}

        assert not fits(p, n) & fits(q, n) and fits(p, n // 2) & fits(q, n // 2)


def test_the_first_part_that_does_not_fit_is_told():
    law = Statistical(a=Share(1.0), b=Support((1.0,)))
    assert law.fits((np.ones(5), np.ones(2)))
    assert "such as 3" in law.misfit((np.ones(5), np.array([1.0, 3.0]))).en
    assert law.misfit((np.ones(5),)) and law.misfit(None) and law.misfit(np.ones(5))
    assert law.misfit((np.array(["x"]), np.ones(2)))


def test_what_should_always_or_never_be_so_is_told_in_counts():
    outcomes = np.array([1.0, 0.0, 0.0, 1.0, 1.0])
    assert "every time, but is so 3 times of 5" in Share(1.0).told(outcomes).en
    assert "应当一次也没有，5 次里却有 3 次" in Share(0.0).told(outcomes).zh
    assert "about 0.5" in Share(0.5).told(np.ones(200)).en


def test_laws_are_compared_by_what_they_say():
    one = Statistical(a=Support((0.0, np.ones(3))))
    assert one == Statistical(a=Support((0.0, np.ones(3))))
    assert one != Statistical(a=Support((0.0, np.zeros(3))))
    assert one != Statistical(a=Share(0.5)) and one != Statistical(b=Support((0.0, np.ones(3))))
    assert one != 3
