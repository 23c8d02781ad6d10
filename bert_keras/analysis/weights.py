"""What attention weights don't determine: other weights with the same output."""

import numpy as np

_ZERO = 1e-10


def _null_space(rows):
    """Return the directions (as rows) that every row of the matrix maps to 0."""
    _, singular, directions = np.linalg.svd(rows)
    rank = int(np.sum(singular > _ZERO * max(rows.shape) * singular[0]))
    return directions[rank:]


def equivalent_weights(weights, values, trials=200, seed=0):
    """Find very different attention weights that give the same output.

    The output of one query is the sum of S values of size V, weighted. If S > V + 1, some changes
    of the weights leave both that sum and the sum of the weights alone. From the given weights
    this walks along random such changes until no weight can fall any further, and keeps the
    farthest point it meets.

    Args:
        weights: float array of shape (S,), non-negative with sum 1.
        values: float array of shape (S, V).
        trials: int, how many walks.
        seed: int, of the random directions.

    Returns:
        float64 array of shape (S,): non-negative, sum 1, the same weighted sum of the values up
        to rounding. Equal to weights if there is nothing else, as for S <= V + 1 values in
        general position.

    Reference:
        Brunner et al., On Identifiability in Transformers (2020).
    """
    start = np.asarray(weights, dtype="float64")
    fixed = np.vstack([np.asarray(values, dtype="float64").T, np.ones(len(start))])  # (V + 1, S)
    rng = np.random.default_rng(seed)
    best, farthest = start, 0.0
    for _ in range(trials):
        point, closed = start, np.zeros(len(start), dtype=bool)
        towards = rng.normal(size=len(start))
        while True:
            free = _null_space(np.vstack([fixed, np.eye(len(start))[closed]]))
            step = towards @ free.T @ free
            step[closed] = 0.0
            falling = step < -_ZERO
            if not falling.any():
                break
            reach = np.where(falling, point / np.where(falling, -step, 1.0), np.inf)
            blocking = int(reach.argmin())
            point = np.maximum(point + reach[blocking] * step, 0.0)
            point[blocking] = 0.0
            closed[blocking] = True
        distance = np.abs(point - start).sum()
        if distance > farthest:
            best, farthest = point, distance
    return best
