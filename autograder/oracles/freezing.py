"""Which weights of the stand-in networks move in a step of training, with a switch per mistake."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.oracles import Crash, oracle

DENSE = ("kernel", "bias")
NORMAL = ("gamma", "beta", "moving_mean", "moving_variance")


@dataclass(frozen=True)
class Part:
    """A layer of a stand-in network.

    Args:
        path: of the layer.
        inside: which entry of the backbone it belongs to, or None.
        frozen: whether it was frozen before.
        variables: names of its variables.
    """

    path: str
    inside: int | None = None
    frozen: bool = False
    variables: tuple[str, ...] = DENSE


NETWORKS = {
    "nested": (
        Part("stem", frozen=True),
        Part("body", 0, variables=("strength",)),  # its own, beside those of its layers
        Part("body/lower", 0),
        Part("body/norm", 0, variables=NORMAL),
        Part("body/inside/inner", 0),
        Part("body/inside/inner_norm", 0, variables=NORMAL),
        Part("body/upper", 0),
        Part("adapter"),
        Part("outer_norm", variables=NORMAL),
        Part("head"),
    ),
    "listed": (
        Part("stem", frozen=True),
        Part("lower", 0),
        Part("middle", 1, frozen=True),
        Part("upper", 2),
        Part("adapter"),
        Part("head"),
    ),
    "single": (Part("stem", frozen=True), Part("lower", 0), Part("adapter"), Part("head")),
}


def paths_of(kind):
    """The paths of all variables of a network, in the order of its layers."""
    return tuple(f"{part.path}/{name}" for part in NETWORKS[kind] for name in part.variables)


def is_statistic(path):
    return "/moving_" in path


def trains(part, parts, kind, frozen, outside):
    """Whether a layer is trainable afterwards; the switches say what went wrong.

    Raises:
        Crash: where the mistake doesn't run on this kind of backbone.
    """
    runs_on = {
        "as_one": ("nested", "single"),
        "as_many": ("listed",),
        "as_model": ("nested",),
        "children_of_a_model": ("nested",),
    }
    if kind not in runs_on.get(frozen, NETWORKS):
        raise Crash("AttributeError", "TypeError", "ValueError")
    last = max(one.inside for one in parts if one.inside is not None)
    inside = [one for one in parts if one.inside is not None and one.path != "body"]
    child = part.inside is not None and part.path != "body"
    stays = {
        "nothing": False,
        "backbone": part.inside is not None,
        "as_one": part.inside is not None,
        "as_many": part.inside is not None,
        "as_model": part.inside is not None,
        "children": child,
        "children_of_a_model": child,
        "everything": True,
        "outside": part.inside is None,
        "all_but_the_head": part.path != "head",
        "first": part is inside[0] if kind == "nested" else part.inside == 0,
        "last": part is inside[-1] if kind == "nested" else part.inside == last,
        "outer_layers": part.inside is not None and part.path.count("/") < 2,
    }[frozen]
    before = part.frozen and outside == "as_it_was"
    return not (stays or before)


@oracle(parts=("moved",))
def moved(kind, *, frozen="backbone", outside="as_it_was", statistics="still", only="all"):
    """Whether each variable moves in a step of training.

    Args:
        kind: key of `NETWORKS`.
        frozen: what was frozen.
        outside: `as_it_was`, or `thawed` where what was frozen before trains now.
        statistics: `still`, or `moving`: averages move where only the variables were frozen.
        only: `all`, `kernels` or `biases` of the backbone.

    Returns:
        bool array, one for each variable.
    """
    parts, found = NETWORKS[kind], []
    for part in parts:
        free = trains(part, parts, kind, frozen, outside)
        for name in part.variables:
            moves = free
            if statistics == "moving" and name.startswith("moving_"):
                moves = True
            if only != "all" and part.inside is not None and not part.frozen:
                left = {"kernels": name != "kernel", "biases": name == "kernel"}[only]
                moves = moves or left
            found.append(moves)
    return np.array(found)


@oracle(parts=("paths",))
def paths(kind, *, frozen="backbone", outside="as_it_was", returned="trainable", listed="sorted"):
    """What comes back, as a text with one entry to a line.

    Args:
        kind: key of `NETWORKS`.
        frozen, outside: as for `moved`.
        returned: `trainable`, `frozen`, `all`, `names`, `layers`, `outside`, `backbone`, or
            `objects` where no texts come back.
        listed: `sorted` or `as_in_the_model`.

    Returns:
        str.
    """
    if returned == "objects":
        return "…"
    parts = NETWORKS[kind]
    kept = {
        "trainable": lambda part, path: _free(part, parts, kind, frozen, outside, path),
        "names": lambda part, path: _free(part, parts, kind, frozen, outside, path),
        "layers": lambda part, path: _free(part, parts, kind, frozen, outside, path),
        "frozen": lambda part, path: not _free(part, parts, kind, frozen, outside, path),
        "all": lambda part, path: True,
        "all_weights": lambda part, path: not is_statistic(path),
        "with_statistics": lambda part, path: trains(part, parts, kind, frozen, outside),
        "outside": lambda part, path: part.inside is None and not is_statistic(path),
        "backbone": lambda part, path: part.inside is not None and not is_statistic(path),
    }[returned]
    found = [
        (part, f"{part.path}/{name}")
        for part in parts
        for name in part.variables
        if kept(part, f"{part.path}/{name}")
    ]
    entries = [path for _, path in found]
    if returned == "names":
        entries = [path.rpartition("/")[2] for path in entries]
    if returned == "layers":
        entries = list(dict.fromkeys(part.path for part, _ in found))
    return "\n".join(sorted(entries) if listed == "sorted" else entries)


@oracle(parts=("values are kept",))
def values_kept(*, values="kept"):
    """Whether all variables have the values that they had before.

    Args:
        values: `kept` or `changed`.
    """
    return values == "kept"


def _free(part, parts, kind, frozen, outside, path):
    return trains(part, parts, kind, frozen, outside) and not is_statistic(path)


# ------------------------------------------------------------------ one layer more each epoch


def thawed(flags, epoch, *, which="from_the_top", count="one_more", late="all", sets="both"):
    """Which layers train in an epoch.

    Args:
        flags: for each layer whether it was trainable.
        epoch: int.
        which: `from_the_top`, `from_the_bottom`, `only_that_one` or `only_from_the_bottom`.
        count: `one_more`, `epoch` (sliced with −0 in epoch 0), `none_at_first` or `two_more`.
        late: what happens after the last layer: `all`, `wraps`, `modulo`, `raises`, or `indexed`,
            where a range runs on to negative places.
        sets: `both`, `thaws_only`, `freezes_only`, `nothing` or `inverted`; `frozen_at_first` and
            `newest_on_top` count on having been called in every epoch before.

    Returns:
        list of int, 1 or 0.

    Raises:
        Crash: where the mistake runs beyond the list.
    """
    size = len(flags)
    if late == "modulo":
        epoch = epoch % size
    number = {"one_more": epoch + 1, "epoch": epoch, "none_at_first": epoch, "two_more": epoch + 2}
    number = number[count]
    if number > size * {"raises": 1, "indexed": 2}.get(late, number):
        raise Crash("IndexError")
    if sets == "newest_on_top" and number > size:
        raise Crash("IndexError")
    first = size - number
    if count == "epoch" and number == 0:
        first = 0
    if first < 0:
        first = first % size if late == "wraps" else 0
        if late == "wraps" and size - number < -size:
            first = 0
    places = range(first, size)
    if which == "from_the_bottom":
        places = range(min(number, size))
    if which == "only_that_one":
        places = [max(size - number, 0)] if number else []
    if which == "only_from_the_bottom":
        places = [min(number, size) - 1] if number else []
    found = []
    for place, before in enumerate(flags):
        wanted = place in places
        now = {
            "both": wanted,
            "thaws_only": wanted or before,
            "freezes_only": wanted and before,
            "nothing": before,
            "inverted": not wanted,
            "frozen_at_first": wanted or (before and epoch > 0),
            "newest_on_top": place == size - number or (before and epoch > 0),
        }[sets]
        found.append(int(now))
    return found


@oracle(parts=("which layers train",))
def layers_that_train(
    flags,
    epoch,
    averages=None,
    *,
    which="from_the_top",
    count="one_more",
    late="all",
    sets="both",
    by="layers",
):
    """See `thawed`.

    Args:
        flags, epoch, which, count, late, sets: as there.
        averages: number of the layer that has moving averages, if there is one.
        by: `layers`, or `variables` where the layers themselves stay as they were: one that has
            moving averages then moves by half, for these go by the layer.

    Returns:
        int array; −1 for a layer of which only a part moves.
    """
    found = thawed(flags, epoch, which=which, count=count, late=late, sets=sets)
    if by == "variables" and averages is not None and found[averages] != int(flags[averages]):
        found[averages] = -1
    return np.array(found)


@oracle(parts=("names",))
def names_that_train(
    names,
    flags,
    epoch,
    *,
    which="from_the_top",
    count="one_more",
    late="all",
    listed="upwards",
    returned="training",
):
    """The names that come back, as a text with one name to a line.

    Args:
        names: tuple of str, of all layers.
        flags, epoch, which, count, late: as for `thawed`.
        listed: `upwards`, `downwards` or `sorted`.
        returned: `training`, `resting`, `all`, `newest`, or `objects` where no texts come back.

    Returns:
        str.
    """
    on = thawed(flags, epoch, which=which, count=count, late=late)
    if returned == "objects":
        return "…"
    kept = {
        "training": [name for name, now in zip(names, on, strict=True) if now == 1],
        "resting": [name for name, now in zip(names, on, strict=True) if now != 1],
        "all": list(names),
    }
    kept["newest"] = kept["training"][:1]
    found = kept[returned]
    first = len(names) - 1 - epoch
    if late == "indexed" and returned == "training" and first < 0:
        found = [*names[first:], *names]
    found = {"upwards": found, "downwards": found[::-1], "sorted": sorted(found)}[listed]
    return "\n".join(found)


@oracle(parts=("order",))
def order_left(names, *, changed="no"):
    """The layers' names in the order that the list has afterwards, one to a line.

    Args:
        names: tuple of str.
        changed: `no` or `reversed`.
    """
    return "\n".join(names if changed == "no" else names[::-1])
