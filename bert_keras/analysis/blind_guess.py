"""How well masked tokens can be guessed without reading a single neighbour."""

import numpy as np


def blind_loss(probabilities, shown, original, mask_id, rates=(0.8, 0.1, 0.1)):
    """The least loss that a model can have if it sees nothing but the picked position itself.

    It knows how frequent tokens are, and how masking works. Where [MASK] stands, frequencies are
    all there is to say. Where an ordinary token stands, either it was kept, and is the answer, or
    it was put there at random; Bayes' rule tells how likely each is. So such a model does better
    than frequencies alone, by copying, without ever having read a sentence.

    Args:
        probabilities: float (V,), how frequent tokens are; 0 for those that are never picked.
        shown: int (...), what stands at picked positions after masking.
        original: int (...), what stood there before.
        mask_id: int, of [MASK].
        rates: shares of the picked tokens that become [MASK], a random token, or stay.

    Returns:
        float (...), nats.
    """
    probabilities = np.asarray(probabilities, np.float64)
    shown, original = np.asarray(shown), np.asarray(original)
    _, random_rate, kept_rate = rates
    at_random = random_rate / np.count_nonzero(probabilities)  # for each token that may come
    kept = kept_rate * probabilities[shown]
    right = at_random * probabilities[original] + np.where(shown == original, kept, 0.0)
    either = np.where(shown == mask_id, 1.0, at_random + kept)  # 1: divides by nothing
    chance = np.where(shown == mask_id, probabilities[original], right / either)
    return -np.log(chance)
