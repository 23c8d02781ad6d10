"""Several answers to a question, each in a line of its own, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax
from autograder.oracles.text_pairs import encode


def _folded(x, fold):
    """(B, K, T) as lines (B K, T), or as what is mistaken for it."""
    batch, choices, length = x.shape
    return {
        "lines": lambda: x.reshape(-1, length),
        "answers_first": lambda: np.swapaxes(x, 0, 1).reshape(-1, length),
        "tokens_first": lambda: np.swapaxes(x, 1, 2).reshape(-1, length),
        "one_long_row": lambda: x.reshape(batch, -1),
        "rows_of_answers": lambda: x.reshape(-1, choices),
        "first_answer": lambda: x[:, 0],
        "last_answer": lambda: x[:, -1],
        "first_question": lambda: x[0],
        "first_answer_again": lambda: np.repeat(x[:, :1], choices, axis=1).reshape(-1, length),
    }[fold]()


def _unfolded(scores, batch, choices, unfold):
    """Scores (B K, 1) as (B, K), or as what is mistaken for it."""
    return {
        "back": lambda: scores.reshape(-1, choices),
        "turned": lambda: scores.reshape(choices, -1).T,
        "answers_first": lambda: scores.reshape(choices, -1),
        "left_as_lines": lambda: scores,
        "flat": lambda: scores.reshape(-1),
        "axis_kept": lambda: scores.reshape(-1, choices, 1),
        "question_axis_kept": lambda: scores.reshape(-1, 1, choices),
        "in_one_row": lambda: scores.reshape(1, -1),
        "batch_twice": lambda: scores.reshape(batch, batch),
    }[unfold]()


@oracle(parts=("logits",))
def multiple_choice_forward(
    token_ids,
    segment_ids,
    padding_mask,
    tables,
    kernel,
    bias,
    *,
    fold="lines",
    unfold="back",
    segments="given",
    mask="given",
    bent="nowhere",
    returned="logits",
):
    """Scores of every answer to every question.

    Args:
        token_ids, segment_ids: int (B, K, T).
        padding_mask: bool (B, K, T).
        tables: tuple of the encoder's two tables and its kernel.
        kernel, bias: float (D, 1) and (1,) of the scorer.
        fold, unfold, segments, mask, bent, returned: the switches.

    Returns:
        float (B, K), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    batch, choices, _ = token_ids.shape
    shown = {
        "zeros": lambda: np.zeros_like(segment_ids),
        "ones": lambda: np.ones_like(segment_ids),
        "first_answer": lambda: np.repeat(segment_ids[:, :1], choices, axis=1),
        "inverted": lambda: 1 - segment_ids,
    }.get(segments, lambda: segment_ids)()
    seen = {
        "ones": lambda: np.ones_like(padding_mask),
        "first_answer": lambda: np.repeat(padding_mask[:, :1], choices, axis=1),
        "inverted": lambda: ~padding_mask,
        "nonzero": lambda: token_ids != 0,
    }.get(mask, lambda: padding_mask)()
    try:
        lines = [_folded(x, fold) for x in (token_ids, shown, seen)]
        pooled = encode(*lines, *tables)[:, 0]
        if bent == "pooled":
            pooled = np.tanh(pooled)
        scores = pooled @ kernel + bias  # (B K, 1)
        logits = _unfolded(scores, batch, choices, unfold)
    except ValueError as error:
        raise shapes_clash() from error
    if returned in ("softmax_over_questions", "log_softmax", "softmax") and logits.ndim != 2:
        raise Crash
    return {
        "softmax": lambda: softmax(logits, -1),
        "log_softmax": lambda: np.log(softmax(logits, -1)),
        "softmax_over_questions": lambda: softmax(logits, 0),
        "softmax_of_one": lambda: _unfolded(softmax(scores, -1), batch, choices, unfold),
        "softmax_of_all": lambda: _unfolded(softmax(scores, 0), batch, choices, unfold),
        "sigmoid": lambda: 1 / (1 + np.exp(-logits)),
        "answers": lambda: logits.argmax(axis=-1),
        "best_scores": lambda: logits.max(axis=-1),
        "centred": lambda: logits - logits.mean(axis=-1, keepdims=True),
    }.get(returned, lambda: logits)()
