"""How much better a probe does at a task than at its control, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.ridge_probe import probe_layer


def _accuracy(features, taught, asked, fitting, judging, num_classes, ridge, tie):
    """How many are right, how many wrong, of those that are judged."""
    kind = features.dtype
    scores = probe_layer.raw(
        features[fitting].astype(np.float64),
        taught[fitting],
        features[judging].astype(np.float64),
        num_classes,
        float(ridge),
    )
    guesses = scores.argmax(axis=-1)
    if tie == "last":
        guesses = scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=-1)
    elif tie == "worst":
        guesses = scores.argmin(axis=-1)
    return (guesses == asked[judging]).astype(kind)


@oracle(parts=("accuracy", "control_accuracy", "difference"))
def selectivity(
    features,
    labels,
    controls,
    train,
    num_classes,
    ridge=1.0,
    *,
    fitting="train",
    judging="rest",
    control="its_own",
    classes="given",
    penalty="ridge",
    tie="first",
    scale="share",
    difference="task_less_control",
    returned="three",
):
    """Accuracy of the task, of the control, and the difference.

    Args:
        features: float (n, D).
        labels, controls: int (n,).
        train: bool (n,).
        num_classes: int.
        ridge: float.
        fitting, judging, control, classes, penalty, tie, scale, difference, returned: the switches.

    Returns:
        Three numbers, unless a switch says otherwise.

    Raises:
        Crash: where the mistake would raise.
    """
    kind = features.dtype.type
    everything = np.ones_like(train)
    parts = {"train": train, "rest": ~train, "all": everything}
    if classes == "of_the_labels":
        num_classes = int(labels.max()) + 1
        if controls.max() >= num_classes:
            raise Crash("ValueError")
    ridge = 1.0 if penalty == "always_1" else ridge
    pairs = {
        "its_own": ((labels, labels), (controls, controls)),
        "labels_again": ((labels, labels), (labels, labels)),
        "judged_by_labels": ((labels, labels), (controls, labels)),
        "taught_labels": ((labels, labels), (labels, controls)),
        "exchanged": ((controls, controls), (labels, labels)),
    }[control]
    rights = []
    for taught, asked in pairs:
        given = (features, taught, asked, parts[fitting], parts[judging], num_classes, ridge, tie)
        rights.append(_accuracy(*given))
    first, second = (
        {
            "share": right.mean(),
            "percent": 100 * right.mean(),
            "count": right.sum(),
            "errors": 1 - right.mean(),
            "over_all": right.sum() / kind(len(train)),
        }[scale]
        for right in rights
    )
    third = {
        "task_less_control": lambda: first - second,
        "control_less_task": lambda: second - first,
        "size": lambda: abs(first - second),
        "ratio": lambda: first / second,
        "not_below_0": lambda: max(first - second, kind(0)),
        "over_task": lambda: (first - second) / first,
        "less_chance": lambda: first - kind(1 / num_classes),
    }[difference]()
    found = tuple(np.asarray(each, kind) for each in (first, second, third))
    return {
        "three": found,
        "two": found[:2],
        "difference_alone": found[2],
        "difference_first": (found[2], found[0], found[1]),
        "control_first": (found[1], found[0], found[2]),
    }[returned]
