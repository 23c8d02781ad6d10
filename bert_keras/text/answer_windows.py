"""Questions about texts that are longer than a sequence: windows, and the answer read off them.

Reference: Devlin et al., BERT (2019), section 4.2; the windows are those of the released
run_squad.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Window(NamedTuple):
    """A stretch of the context that fits into a sequence with the question.

    Attributes:
        start: int, its first token in the context.
        end: int, the token after its last.
        offset: int, where its first token stands in the packed sequence.
    """

    start: int
    end: int
    offset: int


def windows(context: int, question: int, length: int, stride: int) -> Iterator[Window]:
    """Cut a context so that every window goes into [CLS] question [SEP] window [SEP].

    Neighbouring windows overlap; the last one ends with the context.

    Args:
        context: int, tokens of the context.
        question: int, tokens of the question.
        length: int, the length T of a sequence.
        stride: int, how far the next window begins after the last one, at least 1.

    Yields:
        `Window`, one at least.

    Raises:
        ValueError: the question leaves no room for the context, or the stride is below 1.
    """
    room = length - question - 3
    if room < 1 or stride < 1:
        raise ValueError(
            f"a question of {question} tokens leaves {room} of {length} for the context, "
            f"and the stride is {stride}; both must be at least 1"
        )
    start = 0
    while True:
        yield Window(start, min(start + room, context), question + 2)
        if start + room >= context:
            return
        # A stride beyond the room would skip tokens.
        start += min(stride, room)


def span_in_window(window: Window, first: int, last: int) -> tuple[int, int]:
    """Where an answer stands in a packed sequence.

    Args:
        window: `Window`.
        first: int, the answer's first token in the context; -1 if there is no answer.
        last: int, its last token.

    Returns:
        Places of both in the sequence; (0, 0), which is [CLS], unless all of it is in the window.
    """
    if first < window.start or last >= window.end or first < 0:
        return 0, 0
    return first - window.start + window.offset, last - window.start + window.offset


def best_span(
    start_scores: np.ndarray, end_scores: np.ndarray, window: Window, max_answer: int
) -> tuple[float, int, int]:
    """The best answer in a window: it ends where it begins or later, and lies in the context.

    Args:
        start_scores: float array of shape (T,).
        end_scores: float array of shape (T,).
        window: `Window`.
        max_answer: int, tokens of an answer at most, at least 1.

    Returns:
        Its score, the sum of both ends', and its first and last token in the context.
    """
    here = slice(window.offset, window.offset + window.end - window.start)
    total = start_scores[here, None] + end_scores[None, here]  # (n, n), from first to last
    size = len(total)
    distance = np.arange(size)[None, :] - np.arange(size)[:, None]
    total = np.where((distance >= 0) & (distance < max_answer), total, -np.inf)
    first, last = divmod(int(total.argmax()), size)
    return float(total[first, last]), first + window.start, last + window.start


def tokens_of_answer(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The tokens that an answer in characters covers.

    Args:
        offsets: (start, end) of each token in the context, as from `encode_with_offsets`.
        start: int, the answer's first character; -1 if there is none.
        end: int, the character after its last.

    Returns:
        Its first and last token; (-1, -1) if no token belongs to it.
    """
    inside = [n for n, (begin, stop) in enumerate(offsets) if begin < end and stop > start]
    return (inside[0], inside[-1]) if start >= 0 and inside else (-1, -1)
