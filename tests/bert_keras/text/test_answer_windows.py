import numpy as np
import pytest

from bert_keras.text.answer_windows import (
    Window,
    best_span,
    span_in_window,
    tokens_of_answer,
    windows,
)


def test_windows_cover_the_context_and_fit():
    # [CLS] q q [SEP] and [SEP] leave 5 of 10.
    found = list(windows(12, 2, 10, 3))
    assert found == [Window(0, 5, 4), Window(3, 8, 4), Window(6, 11, 4), Window(9, 12, 4)]
    assert list(windows(5, 2, 10, 3)) == [Window(0, 5, 4)]
    assert list(windows(0, 2, 10, 3)) == [Window(0, 0, 4)]
    for context, stride in ((12, 9), (31, 4), (6, 1)):
        found = list(windows(context, 2, 10, stride))
        assert {n for w in found for n in range(w.start, w.end)} == set(range(context))
        assert found[-1].end == context and all(w.end - w.start <= 5 for w in found)
    with pytest.raises(ValueError, match="leaves 0 of 10"):
        list(windows(5, 7, 10, 3))


def test_an_answer_counts_where_all_of_it_is():
    window = Window(3, 8, 4)
    assert span_in_window(window, 3, 7) == (4, 8)
    assert span_in_window(window, 5, 5) == (6, 6)
    for first, last in ((2, 4), (7, 8), (-1, -1), (0, 1)):
        assert span_in_window(window, first, last) == (0, 0)


def test_the_best_legal_span():
    start, end = np.full(12, -9.0), np.full(12, -9.0)
    window = Window(3, 8, 4)  # places 4 to 8 of the sequence
    start[0], end[0] = 50, 50  # [CLS] and the question are no answers,
    start[2], end[10] = 40, 40  # nor is what comes after the context
    start[7], end[5] = 30, 30  # and it may not end before it begins
    start[6], end[6], end[8] = 5, 1, 4
    assert best_span(start, end, window, 9) == (34.0, 6, 7)  # 30 + 4: first 7 - 4 + 3
    assert best_span(start, end, window, 1) == (21.0, 4, 4)  # -9 + 30 at place 5 beats 30 - 9 later
    with_tie = best_span(np.zeros(12), np.zeros(12), window, 9)
    assert with_tie == (0.0, 3, 3)  # of equals, the first and shortest


def test_characters_to_tokens():
    offsets = [(0, 2), (2, 3), (4, 9)]
    assert tokens_of_answer(offsets, 2, 9) == (1, 2)
    assert tokens_of_answer(offsets, 5, 6) == (2, 2)  # a token that holds more counts too
    assert tokens_of_answer(offsets, 3, 4) == (-1, -1)
    assert tokens_of_answer(offsets, -1, 0) == (-1, -1)
