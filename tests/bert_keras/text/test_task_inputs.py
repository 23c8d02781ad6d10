"""The four inputs of GPT's tasks, token by token, and their arrays."""

import numpy as np
import pytest

from bert_keras.text.task_inputs import (
    Marks,
    classification_input,
    entailment_input,
    multiple_choice_input,
    pad_task_inputs,
    room_for_texts,
    similarity_input,
)

MARKS = Marks(begin=97, delimiter=98, extract=99)


def test_each_kind_by_hand():
    assert classification_input([1, 2], MARKS) == [97, 1, 2, 99]
    assert entailment_input([1, 2], [3], MARKS) == [97, 1, 2, 98, 3, 99]
    assert similarity_input([1, 2], [3], MARKS) == [[97, 1, 2, 98, 3, 99], [97, 3, 98, 1, 2, 99]]
    assert multiple_choice_input([1, 2], [[3], [4, 5], []], MARKS) == [
        [97, 1, 2, 98, 3, 99],
        [97, 1, 2, 98, 4, 5, 99],
        [97, 1, 2, 98, 99],
    ]
    assert similarity_input([1, 2], [3], MARKS) == similarity_input([3], [1, 2], MARKS)[::-1]


def test_texts_are_cut_and_marks_are_not():
    assert classification_input([1, 2, 3], MARKS, 4) == [97, 1, 2, 99]
    assert classification_input([1, 2, 3], MARKS, 2) == [97, 99]
    assert entailment_input([1, 2, 3, 4], [5, 6], MARKS, 7) == [97, 1, 2, 98, 5, 6, 99]
    for first, second, right in (
        ([1, 2, 3], [4], [[97, 1, 2, 98, 4, 99], [97, 4, 98, 1, 2, 99]]),
        ([1, 2], [3, 4], [[97, 1, 98, 3, 99], [97, 3, 98, 1, 99]]),  # neither gets the odd one
    ):
        assert similarity_input(first, second, MARKS, 6) == right
        assert similarity_input(second, first, MARKS, 6) == right[::-1]
    assert multiple_choice_input([1, 2, 3], [[4], [5, 6]], MARKS, 6) == [
        [97, 1, 2, 98, 4, 99],
        [97, 1, 2, 98, 5, 99],
    ]
    for call in (
        lambda: classification_input([1], MARKS, 1),
        lambda: entailment_input([1], [2], MARKS, 2),
        lambda: multiple_choice_input([1], [[2]], MARKS, 2),
    ):
        with pytest.raises(ValueError, match=r"leaves no room for [23] marks"):
            call()


def test_room_beside_the_marks():
    assert room_for_texts(max_length=7, num_marks=3, wanted=9) == 4
    assert room_for_texts(max_length=3, num_marks=3, wanted=9) == 0
    assert room_for_texts(max_length=0, num_marks=3, wanted=9) == 9  # no limit
    with pytest.raises(ValueError, match="leaves no room for 3 marks"):
        room_for_texts(max_length=2, num_marks=3, wanted=0)


def test_what_was_given_stays_as_it_was():
    text, other = [1, 2, 3], [4]
    for made in (
        [classification_input(text, MARKS)],
        similarity_input(text, other, MARKS),
        multiple_choice_input(text, [other], MARKS),
    ):
        made[0][0] = -1
    assert text == [1, 2, 3] and other == [4]


def test_arrays_are_padded_on_the_right():
    found = pad_task_inputs([[97, 1, 99], [97, 99]], pad_id=7)
    np.testing.assert_array_equal(found["token_ids"], [[97, 1, 99], [97, 99, 7]])
    np.testing.assert_array_equal(found["padding_mask"], [[True] * 3, [True, True, False]])
    assert found["token_ids"].dtype == np.int32 and found["padding_mask"].dtype == bool
    several = pad_task_inputs([multiple_choice_input([1], [[2], [3, 4]], MARKS)] * 2, length=8)
    assert several["token_ids"].shape == several["padding_mask"].shape == (2, 2, 8)
    assert several["padding_mask"].sum(axis=-1).tolist() == [[5, 6], [5, 6]]
    arrays = pad_task_inputs([np.array([97, 1, 99])])
    np.testing.assert_array_equal(arrays["token_ids"], [[97, 1, 99]])


def test_rows_that_fit_no_rectangle_are_refused():
    with pytest.raises(ValueError, match="same number of sequences"):
        pad_task_inputs([[[97, 99]], [[97, 99], [97, 99]]])
    with pytest.raises(ValueError, match="has 3 tokens, more than 2"):
        pad_task_inputs([[97, 1, 99]], length=2)
