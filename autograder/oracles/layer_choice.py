"""Choosing the layer that a task is read off best, in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle


def by_direction(features, labels, test_features):
    """Scores (M, C): how far an example lies in the direction of a class's mean.

    −inf for a class that has no example. It sees where 0 is and how features are scaled. The
    stand-in `direction_probe` is this once more.
    """
    scores = np.full((len(test_features), int(labels.max()) + 1), -np.inf)
    for number in np.unique(labels):
        mean = features[labels == number].mean(axis=0)
        scores[:, number] = test_features @ mean / max(np.sqrt((mean**2).sum()), 1e-9)
    return scores


def _spread(states, spread):
    """What features are divided by, (D,)."""
    if spread == "variance":
        found = states.var(axis=0)
    elif spread == "over_n_less_1":
        found = states.std(axis=0, ddof=1)
    else:
        found = states.std(axis=0)
    return np.where(found > 0, found, 1)


def _scaled(states, parts, scaling, spread):
    """Features (n, D) with the mean and the standard deviation of some part taken out."""
    if scaling == "not":
        return states
    by = {
        "by_all": parts >= 0,
        "by_two_parts": parts <= 1,
        "by_judged": parts == 2,
        "by_chosen": parts == 1,
    }.get(scaling, parts == 0)
    if scaling in ("each_by_itself", "fitted_and_rest"):
        groups = parts if scaling == "each_by_itself" else np.minimum(parts, 1)
        found = np.empty_like(states)
        for part in np.unique(groups):
            inside = states[groups == part]
            found[groups == part] = (inside - inside.mean(axis=0)) / _spread(inside, spread)
        return found
    mean, width = states[by].mean(axis=0), _spread(states[by], spread)
    if scaling == "mean_alone":
        return states - mean
    if scaling == "spread_alone":
        return states / width
    if scaling == "one_number":
        return (states - states[by].mean()) / states[by].std()
    return (states - mean) / width


def choice(
    layers,
    labels,
    parts,
    *,
    scaling="by_fitted",
    spread="over_n",
    fitting="part_0",
    chosen_on="part_1",
    embeddings="count",
    equals="lowest",
    judged="chosen",
    judged_on="part_2",
    baseline="commonest_of_the_fitted",
    baseline_on="part_2",
    returned="three",
):
    """The layer, its accuracy, and that of the commonest class.

    Args:
        layers: float (L + 1, n, D).
        labels: int (n,).
        parts: int (n,), 0 = to fit, 1 = to choose the layer, 2 = to judge.
        scaling, spread, fitting, chosen_on, embeddings, equals, judged, judged_on, baseline,
            baseline_on, returned: the switches.

    Returns:
        int, float and float, unless a switch says otherwise.
    """
    kind = layers.dtype.type
    layers = layers.astype(np.float64)  # guesses by a hair should be the same in both precisions
    inside = {
        "part_0": parts == 0,
        "part_1": parts == 1,
        "part_2": parts == 2,
        "parts_0_1": parts <= 1,
        "parts_1_2": parts >= 1,
        "all": parts >= 0,
    }
    fit = inside[fitting]
    right = []
    for states in layers:
        states = _scaled(states, parts, scaling, spread)
        right.append(by_direction(states[fit], labels[fit], states).argmax(axis=1) == labels)
    right = np.array(right)  # (L + 1, n)
    scores = right[:, inside[chosen_on]].mean(axis=1)
    first = 1 if embeddings.startswith("left_out") else 0
    looked = scores[first:] if equals != "highest" else scores[first:][::-1]
    place = int(looked.argmin() if equals == "worst" else looked.argmax())
    place = first + (len(looked) - 1 - place if equals == "highest" else place)
    last = len(layers) - 1
    judging = {"chosen": place, "last": last, "first": 0, "one_below": max(place - 1, 0)}
    judge = inside[judged_on]
    accuracy = right[:, judge].mean(axis=1)
    found = accuracy.max() if judged == "best" else accuracy[judging.get(judged, place)]
    if judged == "mean":
        found = accuracy.mean()
    counted = {
        "commonest_of_the_fitted": inside["part_0"],
        "commonest_of_the_judged": inside["part_2"],
        "commonest_of_two_parts": inside["parts_0_1"],
        "commonest_of_the_chosen": inside["part_1"],
        "commonest_of_all": inside["all"],
        "largest_of_equals": inside["part_0"],
    }
    counts = np.bincount(labels[counted.get(baseline, inside["part_0"])])
    commonest = int(counts.argmax())
    if baseline == "class_0":
        commonest = 0
    if baseline == "largest_of_equals":
        commonest = len(counts) - 1 - int(counts[::-1].argmax())
    guessed = np.mean(labels[inside[baseline_on]] == commonest)
    if baseline == "share_where_it_was_fitted":
        guessed = np.mean(labels[inside["part_0"]] == commonest)
    elif baseline == "chance":
        guessed = 1 / len(np.unique(labels))
    named = place
    if embeddings == "left_out_and_shifted":
        named = place - 1
    elif embeddings == "counted_from_one":
        named = place + 1
    named = np.asarray(named)
    accuracy, guessed = np.asarray(found, kind), np.asarray(guessed, kind)
    return {
        "three": (named, accuracy, guessed),
        "two": (named, accuracy),
        "baseline_before": (named, guessed, accuracy),
        "gain": (named, accuracy - guessed, guessed),
    }[returned]


@oracle(parts=("chosen", "accuracy", "baseline"))
def choices(
    sets,
    *,
    scaling="by_fitted",
    spread="over_n",
    fitting="part_0",
    chosen_on="part_1",
    embeddings="count",
    equals="lowest",
    judged="chosen",
    judged_on="part_2",
    baseline="commonest_of_the_fitted",
    baseline_on="part_2",
    returned="three",
):
    """The same for several sets at once, which say more than one of a mistake that was made.

    Args:
        sets: list of S triples (layers, labels, parts).
        scaling, spread, fitting, chosen_on, embeddings, equals, judged, judged_on, baseline,
            baseline_on, returned: the switches of `choice`.

    Returns:
        int (S,), float (S,) and float (S,), unless a switch says otherwise.
    """
    found = [
        choice(
            *given,
            scaling=scaling,
            spread=spread,
            fitting=fitting,
            chosen_on=chosen_on,
            embeddings=embeddings,
            equals=equals,
            judged=judged,
            judged_on=judged_on,
            baseline=baseline,
            baseline_on=baseline_on,
            returned=returned,
        )
        for given in sets
    ]
    return tuple(np.stack(column) for column in zip(*found, strict=True))
