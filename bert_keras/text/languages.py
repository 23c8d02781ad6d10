"""Several languages in one pretraining: how often each is drawn."""

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
