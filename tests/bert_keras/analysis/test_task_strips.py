"""Strips of task inputs: every token in its colour, an arrow at the last of each line."""

import re
from xml.etree import ElementTree

import pytest

from bert_keras.analysis.task_strips import task_strips

GROUPS = [
    ("one", [[("[B]", 0), ("a<b", 1), ("[E]", 0)]]),
    ("two", [[("[B]", 0), ("x", 1), ("|", 0), ("y", 2), ("[E]", 0)], [("[B]", 0), ("y", 2)]]),
]


def boxes(picture):
    """The rectangles but the ground, as (x, y, colour)."""
    root = ElementTree.fromstring(picture.svg)
    found = [part for part in root.iter() if part.tag.endswith("rect") and part.get("x")]
    return [(float(box.get("x")), float(box.get("y")), box.get("fill")) for box in found]


def test_a_box_for_every_token_and_an_arrow_for_every_line():
    picture = task_strips(GROUPS)
    assert len(boxes(picture)) == 3 + 5 + 2
    assert picture.svg.count("<path") == 3
    assert "a&lt;b" in picture.svg


def test_colours_tell_marks_and_texts_apart():
    colours = [colour for _, _, colour in boxes(task_strips(GROUPS[1:]))]
    mark, first, _, second, _ = colours[:5]
    assert len({mark, first, second}) == 3
    assert colours[2] == colours[4] == mark and colours[6] == second


def test_lines_of_a_group_begin_under_each_other():
    lefts = {}
    for x, y, _ in boxes(task_strips(GROUPS)):
        lefts.setdefault(y, x)
    assert len(lefts) == 3 and len(set(lefts.values())) == 1


def test_everything_is_inside_the_picture():
    picture = task_strips([("name", [[("a very long token indeed", 1)] * 9])])
    wide = float(re.search(r'width="(\d+)"', picture.svg).group(1))
    root = ElementTree.fromstring(picture.svg)
    ends = [
        float(box.get("x")) + float(box.get("width"))
        for box in root.iter()
        if box.tag.endswith("rect") and box.get("x")
    ]
    assert max(ends) < wide


def test_a_screen_reader_is_told_the_tokens():
    assert repr(task_strips(GROUPS)) == "one: [B] a<b [E] | two: [B] x | y [E]; [B] y"


@pytest.mark.parametrize("groups", [[], [("a", [])], [("a", [[]])], [("a", [[("x", 3)]])]])
def test_nothing_to_draw_and_unknown_parts_are_refused(groups):
    with pytest.raises(ValueError):
        task_strips(groups)


def test_arrows_stand_where_the_answer_is_read():
    last, first = task_strips(GROUPS[:1]), task_strips(GROUPS[:1], [[[0, 1]]])
    assert last.svg.count("<path") == 1 and first.svg.count("<path") == 2
    arrows = [float(x) for x in re.findall(r'<path d="M([\d.]+) ', first.svg)]
    lefts = [x for x, _, _ in boxes(first)]
    assert lefts[0] < arrows[0] < lefts[1] < arrows[1] < lefts[2]
    assert task_strips(GROUPS, [[[]], [[], []]]).svg.count("<path") == 0


@pytest.mark.parametrize("places", [[[[3]], [[0], [0]]], [[[0]], [[0]]], [[[0]]]])
def test_places_that_do_not_fit_the_lines_are_refused(places):
    with pytest.raises(ValueError):
        task_strips(GROUPS, places)
