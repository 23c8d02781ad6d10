"""One token drawn for every row: the distribution it has, with a switch for every mistake.

What is drawn can't be predicted; how often each token is drawn can. A case gives two kinds of rows
in turn, so that rows that borrow from each other show too.
"""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash
from autograder.oracles.attention import softmax


def distribution(
    logits,
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    rows=1,
    *,
    heat="divided",
    top="k",
    top_fill="removed",
    top_off="zero",
    nucleus="crossing_kept",
    nucleus_of="what_is_left",
    nucleus_fill="removed",
    drawn="by_probability",
    leftover="shared_out",
):
    """Probabilities of every token for rows of logits.

    Args:
        logits: float (KINDS, V).
        temperature, top_k, top_p: as the exercise has them.
        rows: int, how many of each kind stand in a batch.
        heat, top, top_fill, top_off, nucleus, nucleus_of, nucleus_fill, drawn, leftover: the
            switches.

    Returns:
        float (KINDS, V).

    Raises:
        Crash: where the mistake asked for could not run.
    """
    logits = np.asarray(logits, np.float64)
    hot = {
        "multiplied": logits * temperature,
        "ignored": logits,
        "twice": logits / temperature**2,
        "root": logits / np.sqrt(temperature),
        "on_probabilities": softmax(logits, -1) / temperature,
        "after_nucleus": logits,
    }.get(heat, logits / temperature)
    kept = _top(hot, top_k, top, top_off)
    scores = softened = _filled(hot, kept, top_fill)
    if top_p < 1 and nucleus != "ignored":
        basis = hot if nucleus_of == "everything" else scores
        shares = softmax(basis, -1)
        if nucleus_of == "shares_over_the_batch":
            shares = softmax(np.where(np.isfinite(scores), scores, -1e9), 0) / rows
        kept = _nucleus(shares, basis, top_p, nucleus)
        if nucleus == "of_the_first_row":
            kept = np.repeat(kept[:1], len(kept), axis=0)
        scores = _filled(scores, kept, nucleus_fill)
    if heat in ("after_nucleus", "again_at_the_end"):
        scores = scores / temperature
    if drawn.startswith("softmax_of_"):
        acted = top_p < 1 and nucleus != "ignored"
        return _softmax_of_shares(hot, softened, scores, drawn, acted)
    return _drawn(scores, hot, drawn, leftover)


def _softmax_of_shares(hot, softened, scores, drawn, nucleus_acted):
    """Where tokens are taken out of probabilities, and these go through a softmax again."""
    first = hot if drawn == "softmax_of_early_shares" else softened
    shares, gone = softmax(first, -1), -np.inf if drawn == "softmax_of_open_shares" else 0.0
    # What top-k took out has a share of 0, and the nucleus, if there is one, takes it out again.
    inside = np.isfinite(scores) if nucleus_acted else np.ones(scores.shape, bool)
    return softmax(np.where(inside, shares, gone), -1)


def shown(shares, logits, returned):
    """The probabilities of the numbers that come back, where these aren't the tokens' own."""
    if returned == "rank":  # its place among the row's tokens, the likeliest first
        return np.take_along_axis(shares, np.argsort(-logits, axis=1), axis=1)
    if returned == "rank_from_below":
        return np.take_along_axis(shares, np.argsort(logits, axis=1), axis=1)
    if returned == "one_more":  # V itself is no token, and is counted nowhere
        return np.pad(shares[:, :-1], ((0, 0), (1, 0)))
    return shares


def _top(scores, top_k, top, top_off):
    """Which tokens top-k leaves, bool."""
    size = scores.shape[1]
    everything = np.ones(scores.shape, bool)
    if not top_k:
        if top_off in ("crash", "both_crash"):
            raise Crash
        return np.zeros(scores.shape, bool) if top_off == "removes_all" else everything
    if top_k > size and top_off in ("large_crash", "both_crash"):
        raise Crash
    if top_k >= size:
        return everything
    if top == "ignored":
        return everything
    if top == "of_the_first_row":
        first = scores[:1] >= np.sort(scores[0])[::-1][top_k - 1]
        return np.repeat(first, len(scores), axis=0)
    if top == "threshold_of_the_first_row":
        return scores >= np.sort(scores[0])[::-1][top_k - 1]
    if top == "smallest":
        return scores <= np.sort(scores, axis=1)[:, top_k - 1 : top_k]
    if top == "first_ids":
        return everything & (np.arange(size) < top_k)
    number = {"one_more": top_k + 1, "one_less": top_k - 1}.get(top, top_k)
    if number == 0:
        raise Crash
    return scores >= np.sort(scores, axis=1)[:, ::-1][:, number - 1 : number]


def _nucleus(shares, scores, top_p, nucleus):
    """Which tokens are in the nucleus, bool."""
    rows = np.arange(len(shares))[:, None]
    order = np.argsort(-shares, axis=1, kind="stable")
    falling = shares[rows, order]
    together = np.cumsum(falling, axis=1)
    before = together - falling
    if nucleus == "unsorted":
        return np.cumsum(shares, axis=1) - shares < top_p
    if nucleus == "least_likely":
        rising = shares[rows, order[:, ::-1]]
        inside = np.cumsum(rising, axis=1) - rising < top_p
        return _put_back(inside, order[:, ::-1])
    if nucleus == "least_likely_removed":  # as much as p of the tail, not of the rest
        rising = shares[rows, order[:, ::-1]]
        inside = np.cumsum(rising, axis=1) > top_p
        return _put_back(inside, order[:, ::-1])
    if nucleus == "above_p":
        return (shares >= top_p) | (shares == shares.max(axis=1, keepdims=True))
    if nucleus == "above_the_rest":
        return (shares >= 1 - top_p) | (shares == shares.max(axis=1, keepdims=True))
    if nucleus == "share_of_the_largest":
        return shares >= top_p * shares.max(axis=1, keepdims=True)
    inside = {
        "crossing_dropped": together <= top_p,
        "crossing_dropped_but_one": (together <= top_p) | (before == 0),
        "one_more": np.pad(before[:, :-1], ((0, 0), (1, 0))) < top_p,
        "of_the_scores": _before(scores, order) < top_p,
    }.get(nucleus, before < top_p)
    if nucleus == "not_put_back":
        return inside
    if nucleus == "put_back_by_the_order":  # as if the order were its own inverse
        return np.take_along_axis(inside, order, axis=1)
    return _put_back(inside, order)


def _before(scores, order):
    """What the scores of all likelier tokens add up to."""
    falling = np.take_along_axis(np.where(np.isfinite(scores), scores, 0), order, axis=1)
    return np.cumsum(falling, axis=1) - falling


def _put_back(inside, order):
    kept = np.zeros(inside.shape, bool)
    np.put_along_axis(kept, order, inside, axis=1)
    return kept


def _filled(scores, kept, fill):
    return np.where(kept, scores, {"zero": 0.0, "one": 1.0}.get(fill, -np.inf))


def _drawn(scores, hot, drawn, leftover):
    """Probabilities of being drawn."""
    size = scores.shape[1]
    open_ = np.isfinite(scores)
    # Of a row of which nothing is left, Keras draws V, which is no token.
    shares = np.nan_to_num(softmax(scores, -1)) * open_
    if drawn == "largest":
        return np.eye(size)[scores.argmax(axis=1)]
    if drawn == "smallest":
        return np.eye(size)[np.where(open_, scores, np.inf).argmin(axis=1)]
    if drawn == "evenly":
        return open_ / np.maximum(open_.sum(axis=1, keepdims=True), 1)
    if drawn == "softmax_twice":
        return softmax(shares, -1)
    if drawn == "softmax_over_rows":
        columns = softmax(np.where(open_, scores, -1e30), 0) * open_
        return columns / np.maximum(columns.sum(axis=1, keepdims=True), 1e-30)
    if drawn in ("first_row_for_all", "one_for_all"):
        return np.repeat(shares[:1], len(shares), axis=0)
    if leftover != "shared_out":
        # Probabilities of before the cut, drawn from by running sums: what is missing goes to one.
        shares = softmax(hot, -1) * open_
        place = 0 if leftover == "to_the_first" else size - 1
        shares[:, place] += 1 - shares.sum(axis=1)
    return shares
