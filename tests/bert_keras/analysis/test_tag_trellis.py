"""Paths through tags, and the scores of all spans."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.span_triangle import span_triangle
from bert_keras.analysis.tag_trellis import tag_trellis

TOKENS, TAGS = ["Ann", "Lee", "left"], ["O", "B", "I"]
SCORES = np.arange(9).reshape(3, 3) / 2
NO = -math.inf
TRANSITIONS = [[0, 0, NO], [0, 0, 0], [0, 0, 0]]
STARTS = [0, 0, NO]


def drawn(paths):
    return tag_trellis(TOKENS, TAGS, SCORES, TRANSITIONS, STARTS, paths, ("best", "greedy"))


def lines(picture, colour):
    return len(re.findall(f'<line [^>]*stroke="{colour}"', picture.svg))


def test_allowed_steps_have_lines_and_forbidden_ones_have_none():
    picture = drawn(([1, 2, 0], [1, 2, 0]))
    assert lines(picture, "#c4c4c4") == 2 * 8
    assert "<path" not in picture.svg


def test_both_paths_are_drawn_and_told():
    picture = drawn(([1, 2, 0], [0, 0, 1]))
    assert lines(picture, "#0072b2") == lines(picture, "#d55e00") == 2 + 1  # one in the legend
    assert picture.svg.count("stroke-dasharray") == 2 + 1
    assert repr(picture) == "best: Ann/B Lee/I left/O | greedy: Ann/O Lee/O left/B"


def test_a_step_that_is_not_allowed_has_a_cross():
    assert drawn(([1, 2, 0], [0, 2, 0])).svg.count("<path") == 1
    assert drawn(([1, 2, 0], [2, 0, 2])).svg.count("<path") == 2  # the beginning, too


def test_every_node_shows_its_score():
    numbers = re.findall(r">(\d\.\d)<", drawn(([0, 0, 0], [0, 0, 0])).svg)
    assert sorted(map(float, numbers)) == sorted(SCORES.ravel().round(1))


@pytest.mark.parametrize("paths", [([1, 2], [1, 2, 0]), ([1, 2, 0], [1, 2, 0, 0])])
def test_paths_of_another_length_are_refused(paths):
    with pytest.raises(ValueError):
        drawn(paths)


def squares(picture):
    root = ElementTree.fromstring(picture.svg)
    found = [part for part in root.iter() if part.tag.endswith("rect") and part.get("x")]
    return [(float(box.get("x")), float(box.get("y")), box.get("fill")) for box in found]


def test_a_square_for_every_span_and_a_frame_for_the_best():
    totals = np.array([[1.0, 5.0, 2.0], [9.0, 3.0, 4.0], [9.0, 9.0, 0.0]])
    legal = np.triu(np.ones((3, 3), bool))
    picture = span_triangle(["a", "b", "c<"], totals, legal, (0, 1), ("first", "last"))
    cells = squares(picture)
    assert len(cells) == 9 + 1
    assert [colour == "#ffffff" for *_, colour in cells[:9]] == [not one for one in legal.ravel()]
    frame = cells[-1]
    assert frame[2] == "none" and frame[:2] == cells[1][:2]
    # Not legal ones don't stretch the scale: the darkest is the best legal one.
    assert cells[1][2] == "#08306b" and cells[8][2] == "#f7fbff"
    assert repr(picture) == "first 0, last 1: a b, 5.00; 6 / 9"
    assert "c&lt;" in picture.svg


@pytest.mark.parametrize(
    ("shape", "legal"), [((2, 3), np.ones((2, 3), bool)), ((3, 3), np.zeros((3, 3), bool))]
)
def test_shapes_that_do_not_fit_and_no_legal_span_are_refused(shape, legal):
    with pytest.raises(ValueError):
        span_triangle(["a", "b", "c"], np.zeros(shape), legal, (0, 0), ("first", "last"))
