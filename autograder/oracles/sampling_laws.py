"""What one draw for every row looks like: laws for the tokens, with the switches of `sampling`.

A case gives two kinds of rows in turn, so that rows that borrow from each other show too.
"""

from __future__ import annotations

import numpy as np

from autograder.laws import Anything, Share, Statistical
from autograder.messages import Text
from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.sampling import distribution, shown

KINDS = 2  # rows 0, 2, 4, … are of one kind, rows 1, 3, 5, … of the other
SAME = Text("分布相同的两行抽到同一个词元", "Two rows with one distribution drawing the same token")
ACROSS = Text(
    "分布不同的两行抽到同一个词元", "Two rows with different distributions drawing the same token"
)
REPEATED = (
    Text("同一个整数用两次，抽到的完全相同", "Two calls with the same int drawing alike"),
    Text("两个不同的整数，抽到的完全相同", "Two calls with different ints drawing alike"),
    Text("两次都不给种子，抽到的完全相同", "Two calls without a seed drawing alike"),
    Text(
        "同一个 SeedGenerator 接着用两次，抽到的完全相同",
        "Two calls with one SeedGenerator, one after the other, drawing alike",
    ),
)
READABLE = Text("抽到的词元", "Tokens drawn")


def share_text(kind, token) -> Text:
    """What is counted by a law, for messages."""
    places = ("0、2、4", "1、3、5")[kind]
    return Text(
        f"第 {places}…行（分布相同）抽到词元 {token}",
        f"Token {token} drawn in rows {places.replace('、', ', ')}, … (one distribution)",
    )


@oracle(parts=("draws",))
@with_switches_of(distribution)
def draws(
    logits,
    rows,
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    seeded=False,
    calls=1,
    *,
    rows_share="nothing",
    seed_use="right",
    returned="tokens",
    **switches,
):
    """The laws of `outcomes`.

    Args:
        logits: float (KINDS, V), the two kinds of rows.
        rows: int, how many of each kind are drawn in one call.
        temperature, top_k, top_p: as for `distribution`.
        seeded: whether the call gets an int as its seed.
        calls: how many calls there are; with the same seed in all of them, each draw counts once.
        seed_use: what is done with the seed.
        rows_share: whether all rows of a call share their draw.
        returned: what comes back.
        **switches: of `distribution`.

    Returns:
        A `Statistical`.

    Raises:
        Crash: where the mistake asked for could not run.
    """
    base = distribution(logits, temperature, top_k, top_p, rows, **switches)
    # An exact 0 or 1 stays one: what can't happen must not happen once.
    base = np.where(base < 1e-9, 0.0, np.where(base > 1 - 1e-9, 1.0, base))
    cut = {"rank_with_top_k": bool(top_k), "rank_with_top_p": top_p < 1}.get(returned)
    if cut is not None:  # the way that sorts is taken only then
        returned = "rank" if cut else "tokens"
    told = shown(base, np.asarray(logits), returned)
    if returned not in ("tokens", "rank", "rank_from_below", "one_more", "squeezed"):
        return Statistical(**dict.fromkeys(_names(base), Anything(READABLE)))
    one_token = switches.get("drawn") == "one_for_all"
    one_draw = rows_share == "one_draw" or (rows_share == "one_draw_if_seeded" and seeded)
    again = calls if seed_use in ("fixed", "fixed_without") else 1
    laws = {}
    for kind, row in enumerate(told):
        for token, share in enumerate(row):
            laws[f"row{kind}_token{token}"] = Share(
                float(share),
                share_text(kind, token),
                dependent=again * rows if one_draw or one_token else again,
            )
    for kind, row in enumerate(told):
        agree = 1.0 if one_draw or one_token else _agreement(row, row)
        laws[f"row{kind}_twice"] = Share(agree, SAME, dependent=again)
    across = 1.0 if one_token else _agreement(*told)
    laws["across"] = Anything(ACROSS) if one_draw else Share(across, ACROSS, dependent=again)
    return Statistical(**laws)


def _agreement(one, other):
    """How probable two draws are the same; what is missing in a row's sum is V, no token."""
    missing = max(1 - one.sum(), 0) * max(1 - other.sum(), 0)
    found = float(min((one * other).sum() + missing, 1.0))
    return 1.0 if found > 1 - 1e-9 else 0.0 if found < 1e-9 else found


def _names(shares):
    kinds, size = shares.shape
    names = [f"row{kind}_token{token}" for kind in range(kinds) for token in range(size)]
    return [*names, *(f"row{kind}_twice" for kind in range(kinds)), "across"]


def outcomes(calls, rows, size):
    """What was drawn, as one array of outcomes for each law of `draws`.

    Args:
        calls: list of what came back from calls with `rows` rows of each kind.
        rows: int, even.
        size: V.

    Returns:
        Tuple of arrays; all empty where something unreadable came back.
    """
    found = [as_row(tokens) for tokens in calls]
    if any(row.shape != (KINDS * rows,) or row.dtype.kind not in "iu" for row in found):
        return tuple(np.zeros(0) for _ in range(KINDS * size + KINDS + 1))
    tokens = np.concatenate(found)
    by_kind = [tokens[kind::KINDS] for kind in range(KINDS)]
    counts = tuple(drawn == token for drawn in by_kind for token in range(size))
    twice = tuple(drawn[::2] == drawn[1::2] for drawn in by_kind)
    return (*counts, *twice, by_kind[0] == by_kind[1])


@oracle(parts=("form",))
def form(batch, size, top_k=0, *, returned="tokens", top_off="zero"):
    """Number of axes, of values, and whether they are integers: the form of a right answer."""
    if (not top_k and top_off in ("crash", "both_crash")) or (
        top_k > size and top_off in ("large_crash", "both_crash")
    ):
        raise Crash
    return np.array(
        {
            "column": (2, batch, 1),
            "floats": (1, batch, 0),
            "column_of_floats": (2, batch, 0),
            "one_row": (2, batch, 1),
            "table_of_integers": (2, batch * size, 1),
            "table_of_floats": (2, batch * size, 0),
            "single": (0, 1, 1),
            "squeezed": (min(batch - 1, 1), batch, 1),
            "single_in_a_list": (1, 1, 1),
        }.get(returned, (1, batch, 1))
    )


def as_row(tokens):
    """What came back as an array; a list of numbers is one too."""
    if isinstance(tokens, (tuple, list)):
        flat = tokens and all(np.ndim(each) == 0 for each in tokens)
        return np.array(tokens) if flat else np.zeros(0)
    return np.asarray(tokens)


def form_of(tokens):
    """The form of what came back; see `form`."""
    tokens = as_row(tokens)
    return np.array((tokens.ndim, tokens.size, tokens.dtype.kind in "iu"), int)


def agreements(pairs):
    """Whether both results of every pair are the same, as outcomes for `repeats`."""
    return tuple(np.array([float(np.array_equal(as_row(a), as_row(b)))]) for a, b in pairs)


@oracle(parts=("repeats",))
@with_switches_of(distribution)
def repeats(logits, *, seed_use="right", rows_share="nothing", **switches):
    """Whether two calls draw the same: one int; two ints; None twice; a generator twice.

    Args:
        logits: float (KINDS, V).
        seed_use: what is done with the seed.
        rows_share: as for `draws`: one draw for all may agree with another by chance.
        **switches: of `distribution`.

    Returns:
        A `Statistical`; one outcome each.

    Raises:
        Crash: where the mistake refuses a generator.
    """
    shares = distribution(logits, **switches)
    if seed_use == "int_only":
        raise Crash
    surely = bool((shares.max(axis=1) > 1 - 1e-9).all())
    flags = {
        "ignored": (0, 0, 0, 0),
        "fixed": (1, 1, 1, 1),
        "fixed_without": (1, 0, 1, 0),
        "generator_reset": (1, 0, 0, 1),
        "given_once": (1, 0, 0, 0),
    }.get(seed_use, (1, 0, 0, 0))
    if surely:
        flags = (1, 1, 1, 1)
    if rows_share != "nothing" or switches.get("drawn") == "one_for_all":
        laws = [
            Share(1.0, what) if flag else Anything(what)
            for flag, what in zip(flags, REPEATED, strict=True)
        ]
    else:
        laws = [Share(float(flag), what) for flag, what in zip(flags, REPEATED, strict=True)]
    return Statistical(**dict(zip(("same", "other", "none", "generator"), laws, strict=True)))


@oracle(parts=("refused",))
def refused(temperature, *, refusal="strict"):
    """Whether a ValueError says that a temperature isn't above 0."""
    return np.asarray(
        {"missing": False, "zero_only": temperature == 0, "below_zero_only": temperature < 0}.get(
            refusal, temperature <= 0
        )
    )
