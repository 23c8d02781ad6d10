"""Guessing without neighbours: by hand, as chances that add up, and against all outcomes."""

import numpy as np
import pytest

from bert_keras.analysis.blind_guess import blind_loss

MASK = 0
SHARES = np.array([0.0, 0.5, 0.3, 0.2])  # [MASK] is never an answer


def test_at_mask_it_is_the_frequency():
    loss = blind_loss(SHARES, np.array([MASK, MASK]), np.array([1, 3]), MASK)
    assert loss == pytest.approx(-np.log([0.5, 0.2]))


def test_one_token_by_hand():
    # Token 1 stands there. Kept: 0.1 · 0.5. Put there at random: 0.1 / 3, whatever it was before.
    kept, put = 0.05, 0.1 / 3
    loss = blind_loss(SHARES, np.array([1, 1]), np.array([1, 2]), MASK)
    by_hand = [(kept + put * 0.5) / (kept + put), put * 0.3 / (kept + put)]
    assert loss == pytest.approx(-np.log(by_hand))


@pytest.mark.parametrize("rates", [(0.8, 0.1, 0.1), (0.5, 0.4, 0.1), (0.0, 0.2, 0.8)])
def test_chances_of_all_answers_add_up_to_one(rates):
    for shown in range(4):
        chances = np.exp(-blind_loss(SHARES, np.full(3, shown), np.arange(1, 4), MASK, rates))
        assert chances.sum() == pytest.approx(1.0)


def test_no_model_of_the_position_alone_does_better_and_it_beats_frequencies():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(6))
    shares = np.concatenate([[0.0], shares])
    # All outcomes with their chances: what was there, what happened, what stands there now.
    rows = []
    for was, share in enumerate(shares):
        rows.append((was, MASK, 0.8 * share))
        rows.append((was, was, 0.1 * share))
        rows += [(was, now, 0.1 * share / 6) for now in range(1, 7)]
    was, now, chance = (np.array(column) for column in zip(*rows, strict=True))
    was, now, chance = was[chance > 0], now[chance > 0], chance[chance > 0]
    mean = float((chance * blind_loss(shares, now, was, MASK)).sum())
    joint = np.zeros((7, 7))
    np.add.at(joint, (was, now), chance)
    known = joint / joint.sum(axis=0, keepdims=True)
    conditional_entropy = -float((joint[joint > 0] * np.log(known[joint > 0])).sum())
    assert mean == pytest.approx(conditional_entropy)
    entropy = -float((shares[1:] * np.log(shares[1:])).sum())
    assert mean < entropy
