"""Probes: what can be read off a layer by something that learns next to nothing itself.

Everything takes NumPy arrays and computes in float64. Probes are fitted in closed form, so there is
no seed and no step to choose.
"""

import numpy as np


def probe_layer(features, labels, test_features, num_classes, ridge=1.0):
    """Score classes by a linear map, fitted by ridge regression onto one-hot labels.

    Features and one-hot labels are centred by their training means first, so no weight has to
    stand for a constant and the penalty falls on slopes alone:
    W = (XᵀX + ridge I)⁻¹ XᵀY.

    Args:
        features: float array of shape (n, D), to fit on.
        labels: int array of shape (n,), from 0 to C - 1.
        test_features: float array of shape (M, D).
        num_classes: int, the number of classes C.
        ridge: float above 0, the penalty on the squared slopes.

    Returns:
        float64 array of shape (M, C), scores; the largest is the guess.

    Raises:
        ValueError: a label outside of 0 to C - 1.

    Reference:
        Alain and Bengio, Understanding Intermediate Layers Using Linear Classifier Probes (2016).
    """
    x, labels = np.asarray(features, "float64"), np.asarray(labels)
    if labels.min() < 0 or labels.max() >= num_classes:
        raise ValueError(
            f"labels must be from 0 to {num_classes - 1}, not {labels.min()} to {labels.max()}"
        )
    y = np.eye(num_classes)[labels]  # (n, C)
    mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)
    x, y = x - mean_x, y - mean_y
    slopes = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)  # (D, C)
    return (np.asarray(test_features, "float64") - mean_x) @ slopes + mean_y  # (M, C)


def control_task(words, num_classes, rng):
    """A task that a layer can know nothing about: every word gets a class by lot.

    Whatever a probe reaches on it, it has learned by heart, word by word.

    Args:
        words: list of n str.
        num_classes: int, the number of classes C.
        rng: `numpy.random.Generator`.

    Returns:
        int array of shape (n,), from 0 to C - 1; the same for the same word, wherever it stands.

    Reference:
        Hewitt and Liang, Designing and Interpreting Probes with Control Tasks (2019).
    """
    distinct = list(dict.fromkeys(words))
    lots = dict(zip(distinct, rng.integers(num_classes, size=len(distinct)), strict=True))
    return np.array([lots[word] for word in words], dtype="int64")


def selectivity(features, labels, controls, train, num_classes, ridge=1.0):
    """How much better a probe does at a task than at its control.

    Args:
        features: float array of shape (n, D).
        labels: int array of shape (n,), of the task.
        controls: int array of shape (n,), of the control task, with as many classes.
        train: bool array of shape (n,); True = to fit on, False = to judge by.
        num_classes: int, the number of classes C.
        ridge: float, as for `probe_layer`.

    Returns:
        Three floats: the accuracy of the task, that of the control, and the first minus the second.
        Of equal scores the smaller class is the guess.
    """
    train = np.asarray(train, bool)
    features = np.asarray(features)
    accuracies = []
    for wanted in (np.asarray(labels), np.asarray(controls)):
        scores = probe_layer(features[train], wanted[train], features[~train], num_classes, ridge)
        accuracies.append(float(np.mean(scores.argmax(axis=-1) == wanted[~train])))
    return accuracies[0], accuracies[1], accuracies[0] - accuracies[1]


def scalar_mix_probe(layers, logits):
    """Mix the layers by weights that sum to one, and say where the weights lie.

    Args:
        layers: float array of shape (L + 1, n, D), the embeddings first.
        logits: float array of shape (L + 1,); the weights are their softmax.

    Returns:
        The pair (mixed, centre): float64 of shape (n, D), the weighted sum; and the centre of
        gravity, float, the mean number of a layer by weight, counted from 0, the embeddings.

    Reference:
        Tenney et al., BERT Rediscovers the Classical NLP Pipeline (2019), section 2.
    """
    logits = np.asarray(logits, "float64")
    weights = np.exp(logits - logits.max())
    weights = weights / weights.sum()  # (L + 1,)
    mixed = np.tensordot(weights, np.asarray(layers, "float64"), axes=1)  # (n, D)
    return mixed, float(weights @ np.arange(len(weights)))


def expected_layer(scores):
    """The layer at which a task is solved, on average, by what each layer adds.

    Args:
        scores: float array of shape (L + 1,); entry l is the score of a probe that sees the layers
            0 to l.

    Returns:
        float: the mean number of a layer from 1 to L, each weighted by how much the score rose with
        it. A fall counts as a negative weight.

    Raises:
        ValueError: the last score equals the first, so there is nothing to weight by.

    Reference:
        Tenney et al., BERT Rediscovers the Classical NLP Pipeline (2019), section 2.
    """
    gains = np.diff(np.asarray(scores, "float64"))  # (L,)
    if gains.sum() == 0:
        raise ValueError("the layers add nothing in all: the last score equals the first")
    return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())
