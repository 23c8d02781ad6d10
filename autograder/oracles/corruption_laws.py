"""Blanking positions in blocks: laws for what is read off a damaged batch, with switches."""

from __future__ import annotations

import numpy as np

from autograder.laws import Anything, Share, Statistical, Support
from autograder.messages import Text
from autograder.oracles import Crash, oracle
from autograder.oracles.corruption_causes import (
    FLAGGED,
    causes,
    exactly,
    independent,
    probability,
    turned,
)

BLANK = Text("坏掉的位置里等于 0 的数", "numbers of damaged positions that are 0")
KEPT = Text("没坏的位置里，结果与原来之比", "results divided by x where nothing is damaged")
WERE_ZERO = Text(
    "本来就是 0 的位置里，标成坏掉的", "positions that were 0 already, marked as damaged"
)
WERE_NOT = Text("本来不是 0 的位置里，标成坏掉的", "positions that weren't 0, marked as damaged")
_NAMES = ("flagged", "within", "neighbours", "rows", "counts", "blank", "kept")


@oracle(parts=("corruption",))
def corruption(
    rows,
    length,
    width,
    rate,
    span,
    seeded=False,
    *,
    blocks="blocks",
    rate_use="given",
    fates="independent",
    blank="zero",
    kept="as_it_was",
    flags="corrupted",
    features="together",
    seed_use="right",
    returned="pair",
):
    """The laws of `outcomes`.

    Args:
        rows, length, width: B (even), T and D.
        rate: float; span: int.
        seeded: whether a seed is given.
        blocks, rate_use, fates, blank, kept, flags, features, seed_use, returned: the switches.

    Returns:
        A `Statistical`.

    Raises:
        Crash: where the mistake could not run.
    """
    if blocks == "reshaped" and length % span:
        raise Crash
    if returned != "pair":
        return Statistical(**dict.fromkeys(_NAMES, Anything(FLAGGED)))
    blocks = {"reshaped": "blocks"}.get(blocks, blocks)
    if seeded:  # a generator that begins again gives the same numbers again
        fates = "same_in_every_row" if seed_use == "again_in_every_row" else fates
        blocks = "whole_rows" if seed_use == "again_in_every_block" else blocks
    of = causes(length, span, blocks)
    p = probability(rate, span, width, rate_use)
    blanks, stays = (1.0 if blank == "zero" else 0.0), (1.0,)
    if features == "any_apart":  # each feature has a fate of its own; flagged if any is blank
        q = p
        p = 1 - (1 - p) ** width
        blanks = q / p if p else 1.0
    if features == "all_apart":
        p, stays = p**width, (0.0, 1.0)
    starts = range(0, length, span)
    if fates == "exact_count":
        laws = exactly(p, rows, length, span, starts)
    else:
        laws = independent(p, of, rows, length, span, starts, fates)
    factor = {"scaled_up": 1 / (1 - p) if p < 1 else np.inf, "scaled_down": 1 - p}.get(kept)
    if factor is not None:
        stays = tuple(value * factor for value in stays)
    if flags == "kept":
        laws = turned(laws, len(starts))
    if flags == "kept" or blank == "the_others":
        blanks, stays = 0.0, (0.0,)
    share = laws["flagged"].p if isinstance(laws["flagged"], Share) else 0.5
    laws["blank"] = (
        Anything(BLANK) if share < 1e-9 else Share(blanks, BLANK, dependent=span * width)
    )
    laws["kept"] = Anything(KEPT) if share > 1 - 1e-9 else Support(stays, KEPT, atol=1e-3)
    if fates == "same_in_every_row":  # all of a batch may be damaged then, or nothing
        laws |= {"blank": Anything(BLANK), "kept": Anything(KEPT)}
    return Statistical(**laws)


def outcomes(x, corrupted, flags, span):
    """What there is to see, as one array for each law of `corruption`.

    Args:
        x: float (B, T, D) without a 0.
        corrupted, flags: what came back.
        span: int.

    Returns:
        Tuple of arrays, all empty where the shapes aren't those of a right answer.
    """
    corrupted, flags = np.asarray(corrupted), np.asarray(flags)
    if corrupted.shape != x.shape or flags.shape != x.shape[:2]:
        return tuple(np.zeros(0) for _ in _NAMES)
    flags = flags.astype(bool)
    length = x.shape[1]
    first = flags[:, ::span]
    inner = [t for t in range(length) if t % span]
    own = [t - t % span for t in inner]
    half = first.shape[1] // 2
    return (
        first,
        flags[:, inner] == flags[:, own],
        first[:, : 2 * half : 2] == first[:, 1 : 2 * half : 2],
        first[::2] == first[1::2],
        first.sum(axis=1),
        corrupted[flags] == 0,
        (corrupted / x)[~flags],
    )


@oracle(parts=("form",))
def form(length, span, *, returned="pair", blocks="blocks"):
    """What comes back, in a word; see `form_of`.

    Args:
        length: T; span: int.
        returned, blocks: the switches.

    Raises:
        Crash: where the mistake could not run.
    """
    if blocks == "reshaped" and length % span:
        raise Crash
    return np.asarray(
        {
            "pair": "corrupted, is_corrupted",
            "swapped": "is_corrupted, corrupted",
            "corrupted_only": "corrupted",
            "flags_only": "is_corrupted",
            "mask_with_features": "corrupted, a mask of three axes",
            "integers": "corrupted, a mask that isn't bool",
        }[returned]
    )


def form_of(found, shape):
    """What came back, in a word, so that it can be held against `form`.

    Args:
        found: what came back.
        shape: of x.
    """

    def word(part):
        part = np.asarray(part)
        if part.dtype.kind == "b" and part.shape == shape[:2]:
            return "is_corrupted"
        if part.dtype.kind == "f" and part.shape == shape:
            return "corrupted"
        if part.dtype.kind in "biuf" and part.ndim == 3:
            return "a mask of three axes"
        if part.dtype.kind in "iuf" and part.shape == shape[:2]:
            return "a mask that isn't bool"
        return "something else"

    parts = found if isinstance(found, (tuple, list)) and len(found) < 4 else (found,)
    return np.asarray(", ".join(word(part) for part in parts))


@oracle(parts=("zeros",))
def zero_positions(
    rows,
    length,
    width,
    rate,
    *,
    rate_use="given",
    flags="corrupted",
    fates="independent",
    blocks="blocks",
    features="together",
):
    """How many positions are marked, of those that were 0 already and of the others.

    Args:
        rows, length, width: B, T and D; rate: float; every position is a block.
        rate_use, flags, fates, blocks, features: the switches.
    """
    p = probability(rate, 1, 1, rate_use)
    p = {"any_apart": 1 - (1 - p) ** width, "all_apart": p**width}.get(features, p)
    if fates == "exact_count":
        p = round(p * length) / length
    if flags == "kept":
        p = 1 - p
    were = {"zeros_found": 1.0, "differences_found": 0.0}.get(flags, p)
    together = length if blocks == "whole_rows" else 1
    together *= rows if fates == "same_in_every_row" else 1
    return Statistical(
        were_zero=Share(were, WERE_ZERO, dependent=together),
        were_not=Share(p, WERE_NOT, dependent=together),
    )


def zero_outcomes(x, flags):
    """Outcomes for `zero_positions`."""
    flags = np.asarray(flags)
    if flags.shape != x.shape[:2]:
        return np.zeros(0), np.zeros(0)
    empty = ~x.any(axis=-1)
    return flags.astype(bool)[empty], flags.astype(bool)[~empty]


@oracle(parts=("same_dtype",))
def same_dtype(*, dtype="of_x"):
    """Whether the damaged array has the dtype of x."""
    return np.asarray(dtype == "of_x")


@oracle(parts=("x_stays",))
def x_stays(*, x_use="copied"):
    """Whether x is after the call what it was before."""
    return np.asarray(x_use == "copied")


@oracle(parts=("repeats",))
def repeats(*, seed_use="right"):
    """Whether two calls agree: one seed; two seeds; none twice."""
    return np.array(
        {
            "ignored": (False, False, False),
            "fixed": (True, True, True),
            "fixed_without": (True, False, True),
        }.get(seed_use, (True, False, False))
    )
