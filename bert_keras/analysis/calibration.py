"""Whether a model is as sure as it is right."""

import numpy as np


def calibration_error(probabilities, labels, num_bins):
    """How far confidence and accuracy are apart, on average: the expected calibration error.

    Args:
        probabilities: float array of shape (n, C); rows sum to one.
        labels: int array of shape (n,).
        num_bins: int, bins of equal width: bin b holds confidences above b / num_bins up to and
            including (b + 1) / num_bins; the first one holds 0 as well.

    Returns:
        float: the mean over bins of the distance of accuracy and mean confidence, each bin weighted
        by its share of the rows. Empty bins count nothing.

    Reference:
        Guo et al., On Calibration of Modern Neural Networks (2017).
    """
    probabilities = np.asarray(probabilities, "float64")
    confidence = probabilities.max(axis=-1)  # (n,)
    right = probabilities.argmax(axis=-1) == np.asarray(labels)
    edges = np.arange(1, num_bins) / num_bins
    bins = np.searchsorted(edges, confidence, side="left")  # an edge belongs to the bin below
    error = 0.0
    for number in np.unique(bins):
        members = bins == number
        error += members.mean() * abs(right[members].mean() - confidence[members].mean())
    return float(error)


def temperature_scale(logits, labels, temperatures):
    """Choose one temperature that makes probabilities say how sure one may be.

    The order of the classes stays, and so does the accuracy.

    Args:
        logits: float array of shape (n, C).
        labels: int array of shape (n,).
        temperatures: floats above 0 to choose from.

    Returns:
        The pair (temperature, probabilities): the one with the smallest mean negative log
        likelihood of the labels, of equals the first; and softmax(logits / temperature), float64 of
        shape (n, C).

    Reference:
        Guo et al., On Calibration of Modern Neural Networks (2017), section 4.2.
    """
    logits, labels = np.asarray(logits, "float64"), np.asarray(labels)
    logits = logits - logits.max(axis=-1, keepdims=True)

    def log_probabilities(temperature):
        scaled = logits / temperature
        return scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))

    losses = [-log_probabilities(t)[range(len(labels)), labels].mean() for t in temperatures]
    best = temperatures[int(np.argmin(losses))]
    return best, np.exp(log_probabilities(best))
