"""Several languages in one pretraining: how often each is drawn."""

from __future__ import annotations

import numpy as np


def smoothed_language_weights(counts, exponent=0.7):
    """Shares by which languages are drawn, so that small ones are seen more than by their size.

    Args:
        counts: K numbers, how much text each language has.
        exponent: float; 1 draws by size, 0 draws all that have any text equally.

    Returns:
        float64 array of shape (K,), the shares; they sum to one. A language without text is never
        drawn.

    Raises:
        ValueError: a negative count, or no text at all.

    Reference:
        Devlin et al., Multilingual BERT (2018), the notes of the release; Conneau and Lample,
        Cross-lingual Language Model Pretraining (2019), section 3.1.
    """
    counts = np.asarray(counts, "float64")
    if (counts < 0).any() or not counts.sum():
        raise ValueError(f"counts must be 0 or more and not all 0, not {counts.tolist()}")
    shares = np.where(counts > 0, (counts / counts.sum()) ** exponent, 0.0)
    return shares / shares.sum()


def draw_by_language(counts, shares, rng: np.random.Generator) -> list[np.ndarray]:
    """One pass over the rows of several languages, as many rows in all as there are.

    A language that gives fewer rows than it has leaves some out, another lot in each pass; one that
    gives more begins again when all of its rows were drawn, so no row is drawn twice more often
    than another. Where the shares are those of the counts, every row is drawn once.

    Args:
        counts: K ints, rows of each language.
        shares: float array of shape (K,) that sums to one.
        rng: `numpy.random.Generator`.

    Returns:
        K int arrays, the numbers of the rows that are drawn from each language, in their order.
    """
    counts = np.asarray(counts)
    exact = np.asarray(shares, "float64") * counts.sum()
    wanted = np.floor(exact + 1e-9).astype(int)
    most_missed = np.argsort(wanted - exact, kind="stable")[: counts.sum() - wanted.sum()]
    wanted[most_missed] += 1
    drawn = []
    for count, number in zip(counts, wanted, strict=True):
        passes, more = divmod(int(number), int(count)) if count else (0, 0)
        whole = np.repeat(np.arange(count), passes)
        part = rng.permutation(count)[:more] if more else np.zeros(0, int)
        drawn.append(np.sort(np.concatenate([whole, part])))
    return drawn
