"""What becomes of tokens that are to be guessed: laws for their fates, with the known mistakes.

A case reads fates off the slots in use: hidden, as it was, or one of the ordinary tokens. All
originals are ordinary tokens, so that a random one may happen to be the original.
"""

from __future__ import annotations

import numpy as np

from autograder.laws import Anything, Statistical
from autograder.messages import Text
from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.mask_position_laws import share

# Shares of hidden, random and untouched tokens.
MIXTURES = {
    "80_10_10": (0.8, 0.1, 0.1),
    "80_2_18": (0.8, 0.02, 0.18),
    "80_18_2": (0.8, 0.18, 0.02),
    "80_0_20": (0.8, 0.0, 0.2),
    "80_20_0": (0.8, 0.2, 0.0),
    "90_0_10": (0.9, 0.0, 0.1),
    "90_10_0": (0.9, 0.1, 0.0),
    "100_0_0": (1.0, 0.0, 0.0),
    "0_100_0": (0.0, 1.0, 0.0),
    "0_10_90": (0.0, 0.1, 0.9),
    "0_90_10": (0.0, 0.9, 0.1),
    "0_0_100": (0.0, 0.0, 1.0),
    "10_10_80": (0.1, 0.1, 0.8),
    "10_80_10": (0.1, 0.8, 0.1),
    "15_0_85": (0.15, 0.0, 0.85),
    "12_2_86": (0.12, 0.015, 0.865),
    "thirds": (1 / 3, 1 / 3, 1 / 3),
}
FOUR = 4  # the id of [MASK] in the vocabularies of this notebook
HIDDEN = Text("用上的槽位里，换成 [MASK] 的", "slots in use that became [MASK]")
KEPT = Text("用上的槽位里，还是原来词元的", "slots in use that hold their original token")
FOREIGN = Text(
    "用上的槽位里，既不是 [MASK]、也不是普通词元的",
    "slots in use that hold neither [MASK] nor an ordinary token",
)
OTHERS = Text(
    "用上的槽位里，换成了别的普通词元的", "slots in use that became another ordinary token"
)
WHOLE = Text(
    "槽位全用上、且全是 [MASK] 的行", "rows that use all their slots and became all [MASK]"
)
ALIKE = Text(
    "相邻两行的第一个槽位，一个是 [MASK]、另一个不是的",
    "neighbouring rows of which one has [MASK] in its first slot and the other hasn't",
)
SAME_TOKEN = Text(
    "一行里有两个换成了随机词元的：两个词元相同的",
    "two random tokens in one row that are the same",
)
A_FOUR = Text(f"用上的槽位里，变成编号 {FOUR} 的", f"slots in use that became the id {FOUR}")


def random_token(ordinary_ids, *, source="ordinary"):
    """How probable every id is as a random token.

    Args:
        ordinary_ids: list of int, ascending.
        source: the switch.

    Returns:
        dict, id → probability.
    """
    ids = list(ordinary_ids)
    drawn = {
        "up_to_the_largest": range(max(ids) + 1),
        "below_the_largest": range(max(ids)),
        "number_of_ordinary": range(len(ids)),
        "first_to_last": range(min(ids), max(ids) + 1),
        "last_never": ids[:-1],
        "first_never": ids[1:],
        "always_the_first": ids[:1],
    }.get(source, ids)
    drawn = list(drawn)
    return {token: drawn.count(token) / len(drawn) for token in set(drawn)}


@oracle(parts=("fates",))
@with_switches_of(random_token)
def fates(
    original,
    mask_id,
    ordinary_ids,
    rows,
    slots,
    calls,
    pairs=True,
    *,
    mixture="80_10_10",
    lots="each_slot",
    tokens="each_slot",
    seed_use="right",
    mask_use="given",
    **switches,
):
    """The laws of `outcomes`.

    Args:
        original: int, the token in all slots in use.
        mask_id: int.
        ordinary_ids: list of int, ascending.
        rows, slots: how many rows with all slots in use there are in a call, and P.
        calls: how many calls there are, each with a seed of its own.
        pairs: whether there are enough pairs of random tokens to say something about them.
        mixture: shares of the three fates, a key of `MIXTURES`.
        lots: who shares a lot.
        tokens: who shares a random token.
        seed_use: "fixed" where every call draws the same.
        mask_use: "four" where the notebook's own id of [MASK] is put in.
        **switches: of `random_token`.

    Returns:
        A `Statistical`.

    Raises:
        ValueError: of these mistakes together nothing is known.
    """
    if lots.startswith("exactly") and tokens != "each_slot":
        raise ValueError("nothing is known of both together")
    hidden, changed, kept = MIXTURES[mixture]
    again = calls if seed_use == "fixed" else 1
    sharing = {"row": slots, "batch": rows * slots}
    by_lot = again * sharing.get(lots, 1)
    together = max(by_lot, again * sharing.get(tokens, 1))
    drawn = random_token(ordinary_ids, **switches)
    if switches.get("source") == "never_the_original":
        others = [token for token in ordinary_ids if token != original]
        drawn = {token: 1 / len(others) for token in others}
    becomes = {token: changed * chance for token, chance in drawn.items()}
    put = FOUR if mask_use == "four" else mask_id
    becomes[put] = becomes.get(put, 0.0) + hidden
    becomes.setdefault(mask_id, 0.0)
    becomes[original] = becomes.get(original, 0.0) + kept
    known = {mask_id, *ordinary_ids}
    laws = {
        "hidden": share(becomes[mask_id], HIDDEN, by_lot),
        "kept": share(becomes[original], KEPT, together),
        "foreign": share(sum(p for t, p in becomes.items() if t not in known), FOREIGN, together),
        "others": share(
            sum(becomes.get(token, 0.0) for token in ordinary_ids if token != original),
            OTHERS,
            together,
        ),
    }
    for token in ordinary_ids:
        if token != original:
            laws[f"token{token}"] = share(
                becomes.get(token, 0.0),
                Text(
                    f"用上的槽位里，换成了普通词元 {token} 的",
                    f"slots in use that became the ordinary token {token}",
                ),
                together,
            )
    masked = becomes[mask_id]
    all_hidden = masked if lots in ("row", "batch") else masked**slots
    # How often so many of a large call are all hidden hardly differs from independent lots.
    if lots == "exactly_in_a_row" or (lots == "exactly_in_a_call" and rows == 1):
        all_hidden = 0.0
    if lots == "by_slot":  # some slots of a row are never hidden
        all_hidden = float(masked > 1 - 1e-9)
    laws["whole"] = share(all_hidden, WHOLE, again * (rows if lots == "batch" else 1))
    same = lots == "by_slot" or (lots == "batch" and rows > 1)
    unlike = 0.0 if same else 2 * masked * (1 - masked)
    laws["unlike"] = share(unlike, ALIKE, again)
    visible = {t: p for t, p in becomes.items() if t not in (original, mask_id)}
    total = sum(visible.values())
    alike = sum((p / total) ** 2 for p in visible.values()) if total else 0.0
    # A right answer must never be refused for want of pairs; a mistake may be missed for once.
    some = total and changed > 0 and again == 1 and lots in ("each_slot", "row")
    if some and tokens != "each_slot":
        laws["same_token"] = share(1.0, SAME_TOKEN)
    elif some and pairs and changed >= 0.1:
        laws["same_token"] = share(alike, SAME_TOKEN)
    else:
        laws["same_token"] = Anything(SAME_TOKEN)
    # Tells the notebook's own id of [MASK] from other foreign ones.
    laws["four"] = share(becomes.get(FOUR, 0.0), A_FOUR, together)
    return Statistical(**laws)


def outcomes(found, original, mask_id, ordinary_ids, places):
    """What became of the slots in use, as one array of outcomes for each law of `fates`.

    Args:
        found: list of the corrupted batches (B, T), one for each call.
        original, mask_id, ordinary_ids: as for `fates`.
        places: int (B, P), the positions, all in use.
    """
    corrupted = [np.take_along_axis(np.asarray(each), places, axis=1) for each in found]
    now = np.concatenate(corrupted)  # (calls · B, P)
    known = np.isin(now, ordinary_ids)
    arrays = [now == mask_id, now == original, ~known & (now != mask_id)]
    arrays.append(known & (now != original))
    arrays += [now == token for token in ordinary_ids if token != original]
    hidden = now == mask_id
    arrays.append(hidden.all(axis=1))
    first = hidden[:, 0]
    arrays.append(first[: len(first) // 2 * 2 : 2] != first[1::2])
    changed = ~hidden & (now != original)
    alike = []
    for left in range(0, now.shape[1] - 1, 2):
        both = changed[:, left] & changed[:, left + 1]
        alike.append(now[both, left] == now[both, left + 1])
    arrays.append(np.concatenate(alike))
    arrays.append(now == FOUR)
    return tuple(np.asarray(each, float).ravel() for each in arrays)
