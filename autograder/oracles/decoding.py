"""Greedy decoding in plain NumPy, with a switch for every way in which the loop goes wrong."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def speak(token_ids, where, memory, scripts, echo):
    """One step of the scripted speaker: scores, and the states after it.

    Args:
        token_ids: int (B,).
        where: float (B, 2), row and time.
        memory: float (B, V).
        scripts: float (B, L, V).
        echo: float (V, V).

    Returns:
        scores (B, V), where, memory.
    """
    row, time = where.astype(int).T
    memory = memory.dtype.type(0.5) * memory + echo[token_ids]
    scores = scripts[row, np.minimum(time, scripts.shape[1] - 1)] + memory
    return scores, where + np.array([0, 1], where.dtype), memory


@oracle(parts=("token_ids",))
def greedy_decode(
    scripts,
    echo,
    where,
    memory,
    begin_id,
    end_id,
    max_length,
    *,
    pick="largest",
    fed="own",
    threaded="states",
    ended="filled",
    stops="all_ended",
    first="begin",
    limit="max_length",
    returned="tokens",
):
    """The tokens that a scripted speaker says.

    Args:
        scripts, echo: of the speaker.
        where, memory: its states to begin with.
        begin_id, end_id, max_length: int.
        pick, fed, threaded, ended, stops, first, limit, returned: the switches.

    Returns:
        int32 (B, L), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for raises.
    """
    batch = len(where)
    begin = {"begin": begin_id, "end": end_id, "zero": 0, "one": 1, "two": 2}[first]
    token_ids = np.full(batch, begin, np.int32)
    given = token_ids
    has_ended = np.zeros(batch, bool)
    start, said, all_scores = (where, memory), [], []
    most = max_length + {"one_more": 1, "one_less": -1}.get(limit, 0)
    while len(said) < most:
        if over(stops, has_ended, said, end_id):
            break
        scores, where, memory = speak(given, where, memory, scripts, echo)
        if threaded == "start":
            where, memory = start
        if threaded == "where_only":
            memory = start[1]
        likeliest = pick_token(scores, pick, end_id)
        fill = {"filled": end_id, "zero": 0, "minus_one": -1, "begin": begin_id}
        token_ids = likeliest
        if ended in fill:
            token_ids = np.where(has_ended, fill[ended], likeliest).astype(np.int32)
        has_ended = has_ended | (token_ids == end_id)
        if ended == "end_left_out":
            token_ids = np.where(has_ended, 0, likeliest).astype(np.int32)
        given = {
            "own": token_ids,
            "begin": np.full(batch, begin, np.int32),
            "unfilled": likeliest,
            "first_row": np.repeat(token_ids[:1], batch),
            "one_late": given if not said else said[-1],
        }[fed]
        said.append(token_ids)
        all_scores.append(scores)
    if not said:
        raise Crash("ValueError", "InvalidArgumentError")
    return handed_back(returned, said, all_scores, has_ended, begin, end_id, max_length)


def pick_token(scores, pick, end_id):
    """The token of every row, int32 (B,), that `pick` takes by the scores (B, V)."""
    return {
        "largest": scores.argmax(axis=-1),
        "smallest": scores.argmin(axis=-1),
        "second": np.argsort(scores, axis=-1)[:, -2],
        "largest_size": np.abs(scores).argmax(axis=-1),
        "over_batch": np.repeat(scores.argmax() % scores.shape[-1], len(scores)),
        "not_the_end": np.where(np.arange(scores.shape[-1]) == end_id, -np.inf, scores).argmax(
            axis=-1
        ),
    }[pick].astype(np.int32)


def handed_back(returned, said, all_scores, has_ended, begin, end_id, max_length):
    """What comes back of a decoding, in the form that `returned` asks for.

    Args:
        returned: the switch.
        said: list of int32 (B,), one for every step.
        all_scores: list of float (B, V), one for every step.
        has_ended: bool (B,).
        begin, end_id, max_length: int.
    """
    found = np.stack(said, axis=1)
    started = np.concatenate([np.full((len(found), 1), begin, np.int32), found], axis=1)
    return {
        "begin_kept": started,
        "begin_kept_last_lost": started[:, :-1],
        "end_cut": found[:, :-1],
        "last_end_cut": found[:, :-1] if has_ended.all() else found,
        "time_first": found.T,
        "last_only": found[:, -1],
        "scores": np.stack(all_scores, axis=1),
        "floats": found.astype(np.float32),
        "list": tuple(said),
        "lists_to_end": tuple(up_to(row, end_id) for row in found),
        "padded": np.concatenate(
            [found, np.full((len(found), max_length - found.shape[1]), end_id, np.int32)], axis=1
        )
        if found.shape[1] <= max_length
        else found,
    }.get(returned, found)


def over(stops, has_ended, said, end_id) -> bool:
    """Whether the loop ends before another token is said."""
    if stops == "all_say_end_at_once":
        return bool(said) and bool((said[-1] == end_id).all())
    return {
        "all_ended": has_ended.all(),
        "any_ended": has_ended.any(),
        "first_ended": has_ended[0],
        "last_ended": has_ended[-1],
        "never": False,
    }[stops]


def up_to(row, end_id):
    """The tokens of a row before its end."""
    found = [int(token) for token in row]
    return tuple(found[: found.index(end_id)] if end_id in found else found)
