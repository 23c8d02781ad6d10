"""Strips of BERT's input: packed rows, and embeddings that add up."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.input_strips import embedding_sum, packed_strips

NAMES = ("segments", "mask")
ROW = ("pair", ["[CLS]", "a<b", "[SEP]", "c", "[SEP]", "[PAD]"], [0, 0, 0, 1, 1, 0], [1] * 5 + [0])


def parts(picture, tag):
    """All elements of one kind, but the ground."""
    root = ElementTree.fromstring(picture.svg)
    return [part for part in root.iter() if part.tag.endswith(tag) and part.get("x")]


def test_a_packed_row_has_a_box_a_segment_and_a_mark_for_every_token():
    picture = packed_strips([ROW], NAMES)
    boxes = parts(picture, "rect")
    assert len(boxes) == 6
    assert len(parts(picture, "text")) == 3 + 3 * 6
    assert "a&lt;b" in picture.svg


def test_segments_and_padding_have_different_colours():
    colours = [box.get("fill") for box in parts(packed_strips([ROW], NAMES), "rect")]
    assert colours[0] == colours[1] == colours[2] and colours[3] == colours[4]
    assert len({colours[0], colours[3], colours[5]}) == 3


def test_a_pad_of_segment_1_looks_like_any_pad():
    row = ("x", ["a", "[PAD]", "[PAD]"], [0, 0, 1], [True, False, False])
    colours = [box.get("fill") for box in parts(packed_strips([row], NAMES), "rect")]
    assert colours[1] == colours[2] != colours[0]


def test_everything_is_inside_the_picture():
    picture = packed_strips([ROW, ("n", ["a very long token"] * 9, [0] * 9, [1] * 9)], NAMES)
    wide = float(re.search(r'width="(\d+)"', picture.svg).group(1))
    ends = [float(b.get("x")) + float(b.get("width")) for b in parts(picture, "rect")]
    assert max(ends) < wide


def test_a_screen_reader_is_told_tokens_with_their_segments():
    assert repr(packed_strips([ROW], NAMES)) == "pair: [CLS]/0 a<b/0 [SEP]/0 c/1 [SEP]/1 -"


@pytest.mark.parametrize(
    "rows",
    [[], [("a", [], [], [])], [("a", ["x"], [0, 1], [1])], [("a", ["x"], [2], [1])]],
)
def test_rows_that_make_no_picture_are_refused(rows):
    with pytest.raises(ValueError):
        packed_strips(rows, NAMES)


def test_every_number_is_printed_and_the_total_is_marked():
    rows = np.array([[1.0, -2.0], [0.0, 0.25], [0.5, 3.0]])
    picture = embedding_sum(["a", "b", "c"], [("one", rows), ("two", rows), ("sum", 2 * rows)])
    assert len(parts(picture, "rect")) == 3 * 3 * 2
    texts = [part.text for part in parts(picture, "text")]
    assert texts.count("+") == 1 and texts.count("=") == 1
    assert "-4.0" in texts and "6.0" in texts
    assert repr(picture) == "one (a): 1.0, -2.0 | two (a): 1.0, -2.0 | sum (a): 2.0, -4.0"


def test_below_and_above_zero_are_shades_of_two_colours_and_zero_is_white():
    rows = np.array([[1.0, 0.0, -1.0]])
    boxes = parts(embedding_sum(["a"], [("one", rows), ("sum", rows)]), "rect")
    above, zero, below = [box.get("fill") for box in boxes[:3]]
    assert zero == "#ffffff" and len({above, zero, below}) == 3


@pytest.mark.parametrize(
    ("tokens", "strips"),
    [
        (["a"], [("one", np.zeros((1, 2)))]),
        (["a"], [("one", np.zeros((1, 2))), ("sum", np.zeros((1, 3)))]),
        (["a", "b"], [("one", np.zeros((1, 2))), ("sum", np.zeros((1, 2)))]),
        (["a"], [("one", np.zeros((1, 0))), ("sum", np.zeros((1, 0)))]),
    ],
)
def test_strips_that_cannot_add_up_are_refused(tokens, strips):
    with pytest.raises(ValueError):
        embedding_sum(tokens, strips)


def test_all_zeros_can_be_drawn_and_have_no_sign():
    for rows in (np.zeros((1, 2)), np.full((1, 2), -0.01)):
        drawn = embedding_sum(["a"], [("one", rows), ("sum", rows)])
        assert [part.text for part in parts(drawn, "text")].count("0.0") == 4
