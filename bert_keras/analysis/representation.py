"""How alike two representations of the same examples are, and how far a task carries over."""

import numpy as np


def linear_cka(x, y):
    """How alike two representations are, whatever their axes are called.

    The features of each are centred. Turning a representation, or making all of it larger, changes
    nothing; stretching some directions does.

    Args:
        x: float array of shape (n, D1), a row for each example.
        y: float array of shape (n, D2), of the same examples.

    Returns:
        float from 0 to 1: ‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖), with Frobenius norms.

    Reference:
        Kornblith et al., Similarity of Neural Network Representations Revisited (2019).
    """
    x, y = (np.asarray(a, "float64") - np.mean(a, axis=0, dtype="float64") for a in (x, y))
    norms = np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)
    return float(np.linalg.norm(y.T @ x) ** 2 / norms)


def transfer_table(sets, fit, accuracy):
    """Train on each language, test on all.

    Args:
        sets: list of K pairs (train, test), one for each language.
        fit: called with a train split, once for each; returns a model.
        accuracy: called with a model and a test split; returns a float.

    Returns:
        float64 array of shape (K, K): row = trained on, column = tested on.
    """
    models = [fit(train) for train, _ in sets]
    return np.array([[accuracy(model, test) for _, test in sets] for model in models])
