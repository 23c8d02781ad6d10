"""What chosen positions look like: their form, and laws for the sets that come up, with switches.

A case gives some kinds of rows in turn, so that rows that borrow from each other show too.
"""

from __future__ import annotations

import numpy as np

from autograder.laws import Share, Statistical
from autograder.messages import Text
from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.mask_positions import candidates_of, chances

FINE = "fine"
FAULTS = (
    "pair",
    "arrays",
    "shapes",
    "positions",
    "weights",
    "ones",
    "front",
    "inside",
    "different",
    "ascending",
    "zeros",
)
SAME_SEED = Text("同一个种子调用两次，结果相同", "two calls with the same seed that give the same")
OTHER_SEED = Text("两个种子不同，结果却相同", "two different seeds that give the same")


def share(p, what, dependent=1):
    """A law; an exact 0 or 1 stays one, since what can't happen must not happen once."""
    p = 0.0 if p < 1e-12 else 1.0 if p > 1 - 1e-12 else float(p)
    return Share(p, what, dependent=dependent)


def _rows_text(kind, kinds):
    numbers = [kind + kinds * step for step in range(3)]
    return "、".join(map(str, numbers)), ", ".join(map(str, numbers))


@oracle(parts=("sets",))
@with_switches_of(chances)
def choices(
    kinds, special_ids, rate, slots, rows, calls=1, *, rows_share="nothing", seed_use="right",
    **switches
):  # fmt: skip
    """The laws of `outcomes`.

    Args:
        kinds, special_ids, rate, slots: as for `chances`.
        rows: int, how many rows of each kind there are in one call.
        calls: how many calls there are, each with a seed of its own.
        rows_share: "one_draw" where all rows of a call share their draw, "only_the_first" where
            the others are left empty.
        seed_use: "fixed" where every call draws the same.
        **switches: of `chances`.

    Returns:
        A `Statistical`.
    """
    wanted = chances(kinds, special_ids, rate, slots)
    found = chances(kinds, special_ids, rate, slots, **switches)
    alike = [sum(p**2 for p in made.values()) for made in found]
    if rows_share == "only_the_first":  # the first row is of the first kind
        nothing = found[0].get((), 0.0)
        alike = [1 - 2 / rows * (1 - nothing), *[1.0] * (len(kinds) - 1)]
        first = {places: p / rows for places, p in found[0].items()}
        found = [{**first, (): 1 - (1 - nothing) / rows}, *[{(): 1.0}] * (len(kinds) - 1)]
    again = calls if seed_use == "fixed" else 1
    together = again * (rows if rows_share == "one_draw" else 1)
    laws = {}
    for kind, (right, made) in enumerate(zip(wanted, found, strict=True)):
        zh, en = _rows_text(kind, len(kinds))
        for number in range(slots + 1):
            laws[f"row{kind}_count{number}"] = share(
                sum(p for places, p in made.items() if len(places) == number),
                Text(
                    f"第 {zh}…行（同样的一句）正好挑中 {number} 个",
                    f"rows {en}, … (all alike) in which exactly {number} are picked",
                ),
                together,
            )
        for place in range(len(kinds[kind])):
            laws[f"row{kind}_place{place}"] = share(
                sum(p for places, p in made.items() if place in places),
                Text(
                    f"第 {zh}…行（同样的一句）挑中位置 {place}",
                    f"rows {en}, … (all alike) in which position {place} is picked",
                ),
                together,
            )
        for places in sorted(right):
            laws[f"row{kind}_set{places}"] = share(
                made.get(places, 0.0),
                Text(
                    f"第 {zh}…行（同样的一句）挑中的正好是位置 {list(places)}",
                    f"rows {en}, … (all alike) in which just the positions {list(places)} are "
                    "chosen",
                ),
                together,
            )
        agree = 1.0 if rows_share == "one_draw" else alike[kind]
        laws[f"row{kind}_twice"] = share(
            agree,
            Text("同样的两行挑中同样的位置", "pairs of equal rows in which the same are picked"),
            again,
        )
    return Statistical(**laws)


def outcomes(found, kinds, special_ids, rate, slots):
    """What was chosen, as one array of outcomes for each law of `choices`.

    Args:
        found: list of pairs (positions, weights), one for each call, whose form is fine.
        kinds, special_ids, rate, slots: as for `chances`.
    """
    wanted = chances(kinds, special_ids, rate, slots)
    chosen = [
        tuple(int(p) for p, w in zip(positions, weights, strict=True) if w > 0.5)
        for pair in found
        for positions, weights in zip(*map(np.asarray, pair), strict=True)
    ]
    arrays = []
    for kind, right in enumerate(wanted):
        mine = chosen[kind :: len(kinds)]
        counts = np.array([len(places) for places in mine])
        arrays += [counts == number for number in range(slots + 1)]
        for place in range(len(kinds[kind])):
            arrays.append(np.array([place in places for places in mine]))
        arrays += [np.array([places == one for places in mine]) for one in sorted(right)]
        pairs = zip(mine[::2], mine[1::2], strict=False)
        arrays.append(np.array([one == other for one, other in pairs]))
    return tuple(np.asarray(each, float) for each in arrays)


def form_of(found, rows, length, slots):
    """What is wrong with the form of what came back, as words from `FAULTS`, or `FINE`.

    Args:
        found: what the answer returned.
        rows, length, slots: B, T and P.
    """
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return "pair"
    if any(isinstance(part, (tuple, list)) for part in found):
        return "arrays"
    try:
        positions, weights = (np.asarray(part) for part in found)
    except ValueError:  # rows of different lengths
        return "shapes"
    if positions.shape != (rows, slots) or weights.shape != (rows, slots):
        return "shapes"
    kinds = {"positions": positions.dtype.kind in "iu", "weights": weights.dtype == np.float32}
    if not all(kinds.values()):
        return " ".join(name for name, right in kinds.items() if not right)
    used = weights > 0.5
    faults = []
    if not np.isin(weights, (0, 1)).all():
        faults.append("ones")
    elif (np.diff(weights, axis=1) > 0).any():
        faults.append("front")
    if (used & ((positions < 0) | (positions >= length))).any():
        faults.append("inside")
    both = used[:, 1:] & used[:, :-1]
    chosen = [row[mask] for row, mask in zip(positions, used, strict=True)]
    if any(len(set(row.tolist())) < len(row) for row in chosen):
        faults.append("different")
    if (both & (np.diff(positions, axis=1) < 0)).any():
        faults.append("ascending")
    if positions[~used].any():
        faults.append("zeros")
    return " ".join(faults) or FINE


@oracle(parts=("form",))
@with_switches_of(chances)
def form(
    kinds,
    special_ids,
    rate,
    slots,
    *,
    order="ascending",
    fill="zeros",
    weights="ones_and_zeros",
    width="slots",
    returned="pair",
    **switches,
):
    """What `form_of` says, read off the last outcome of every kind that a mistake may give.

    Args:
        kinds, special_ids, rate, slots: as for `chances`.
        order, fill, weights, width, returned: the switches.
        **switches: of `chances`.

    Returns:
        Words from `FAULTS`, or `FINE`.
    """
    drawing, count = switches.get("drawing"), switches.get("count", "")
    wider = count == "uncapped_wider"
    if wider:
        switches["count"] = "rounded"
        slots_made = max(len(kinds[0]), slots)
        sets = [max(c) for c in chances(kinds, special_ids, rate, slots_made, **switches)]
        if max(map(len, sets)) > slots:
            return "shapes"
    sets = [max(one, key=lambda s: (len(s), s)) for one in
            chances(kinds, special_ids, rate, slots, **switches)]  # fmt: skip
    if drawing == "replaced":  # one place in all slots: among many rows there is such a one
        sets = [places[:1] * len(places) for places in sets]
    rows, length = len(kinds), len(kinds[0])
    position_rows = np.zeros((rows, slots), int)
    weight_rows = np.zeros((rows, slots), np.float32)
    for row, places in enumerate(sets):
        used = len(places)
        weight_rows[row, :used] = 1
        position_rows[row, :used] = places[::-1] if order == "as_drawn" else places
        rest = {"minus_one": -1, "length": length, "others": length - 1}.get(fill)
        if rest is not None:
            position_rows[row, used:] = rest
    if order == "sorted_with_empty_slots":
        position_rows = np.sort(position_rows, axis=1)
    if order == "at_the_end":
        position_rows, weight_rows = position_rows[:, ::-1], weight_rows[:, ::-1]
    if weights == "all_ones":
        weight_rows = np.ones_like(weight_rows)
    elif weights == "where_position":
        weight_rows = (position_rows > 0).astype(np.float32)
    elif weights in ("ints", "bools", "double"):
        kinds_of = {"ints": int, "bools": bool, "double": np.float64}
        weight_rows = weight_rows.astype(kinds_of[weights])
    elif weights == "shares":
        weight_rows = weight_rows / np.maximum(weight_rows.sum(axis=1, keepdims=True), 1)
    if returned == "token_ids":
        position_rows = np.take_along_axis(np.stack(kinds), position_rows, 1)
    if returned == "floats":
        position_rows = position_rows.astype(float)
    most = max(map(len, sets))
    columns = {"as_needed": most, "length": length, "no_more_than_length": min(slots, length)}
    columns = columns.get(width, slots)
    if columns < slots:
        position_rows, weight_rows = position_rows[:, :columns], weight_rows[:, :columns]
    elif columns > slots:
        return "shapes"
    pair = (position_rows, weight_rows)
    if returned == "lists":
        pair = tuple(part.tolist() for part in pair)
    if returned == "exchanged":
        pair = pair[::-1]
    if returned in ("positions_only", "list_of_rows"):
        return "pair"
    if returned == "mask":
        return "pair"
    return form_of(pair, rows, length, slots)


@oracle(parts=("repeats",))
def repeats(*, seed_use="right", drawing="sets", count="rounded"):
    """Bool (2,): whether two calls with one seed agree, and two with different seeds.

    There are more slots than tokens here: who fills them all has nothing to draw.
    """
    if seed_use == "fixed" or drawing in ("first", "last") or count == "all_slots":
        return np.array([True, True])
    return np.array([seed_use != "ignored", False])


@oracle(parts=("untouched",))
def untouched(*, argument="left_alone"):
    """Bool (): whether the ids that were handed in are what they were."""
    if argument not in ("left_alone", "written"):
        raise Crash
    return np.asarray(argument == "left_alone")


def ordinary_of(kind, special_ids):
    """Bool (T,): which places of a row are ordinary."""
    return candidates_of(kind, special_ids)
