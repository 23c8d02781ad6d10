"""Texts with spans marked in them, and windows over a text."""

import re
from xml.etree import ElementTree

import pytest

from bert_keras.analysis.span_lines import span_lines
from bert_keras.analysis.window_lines import window_lines

TOKENS = ["Ann", "Lee", "met", "Bo", "<b>"]
GROUPS = [("gold", TOKENS, [("PER", 0, 2), ("PER", 3, 4)]), ("model", TOKENS, [("ORG", 0, 1)])]
WORDS = ("text", "window", "answer")


def boxes(picture):
    """The rectangles but the ground, as (x, y, width, colour)."""
    root = ElementTree.fromstring(picture.svg)
    found = [part for part in root.iter() if part.tag.endswith("rect") and part.get("x")]
    return [
        (float(box.get("x")), float(box.get("y")), float(box.get("width")), box.get("fill"))
        for box in found
    ]


def test_every_token_of_a_span_is_coloured_by_its_kind():
    colours = [colour for *_, colour in boxes(span_lines(GROUPS, gap=8))]
    assert len(colours) == 2 + 1 + 1
    assert len(set(colours[:3])) == 1 and colours[3] != colours[0]
    assert "&lt;b&gt;" in span_lines(GROUPS).svg


def test_the_name_of_a_kind_stands_once_for_each_span():
    assert span_lines(GROUPS).svg.count(">PER<") == 2
    assert span_lines(GROUPS).svg.count(">ORG<") == 1


def test_tokens_of_a_span_touch_and_neighbouring_spans_are_told_apart():
    (x, _, wide, _), (next_x, *_), *_ = boxes(span_lines(GROUPS, gap=8))
    assert x + wide == pytest.approx(next_x, abs=0.2)
    halves = [("a", ["x", "y"], [("K", 0, 1), ("K", 1, 2)])]
    whole = [("a", ["x", "y"], [("K", 0, 2)])]
    assert span_lines(halves).svg.count("<path") == 2
    assert span_lines(whole).svg.count("<path") == 1


def test_a_long_text_goes_on_in_the_next_line_and_so_does_a_span():
    picture = span_lines([("long", ["字"] * 100, [("PER", 50, 70)])])
    lines = {y for _, y, _, _ in boxes(picture)}
    assert len(lines) == 2
    assert picture.svg.count(">PER<") == 2
    wide = float(re.search(r'width="(\d+)"', picture.svg).group(1))
    assert max(x + width for x, _, width, _ in boxes(picture)) < wide


def test_a_screen_reader_is_told_the_spans():
    assert repr(span_lines(GROUPS, gap=8)) == (
        "gold: [Ann Lee]PER met [Bo]PER <b> | model: [Ann]ORG Lee met Bo <b>"
    )
    assert repr(span_lines([("a", ["李", "明"], [("人", 0, 2)])])) == "a: [李明]人"


@pytest.mark.parametrize(
    "groups",
    [
        [],
        [("a", [], [])],
        [("a", TOKENS, [("K", 2, 2)])],
        [("a", TOKENS, [("K", 4, 6)])],
        [("a", TOKENS, [("K", 0, 3), ("K", 2, 4)])],
    ],
)
def test_nothing_to_draw_and_impossible_spans_are_refused(groups):
    with pytest.raises(ValueError):
        span_lines(groups)


def test_windows_lie_where_they_belong():
    bars = boxes(window_lines(100, [(0, 40), (30, 70), (60, 100)], WORDS, width=500))
    lefts = [x - bars[0][0] for x, *_ in bars]
    assert lefts == pytest.approx([0, 0, 150, 300])
    assert [wide for _, _, wide, _ in bars] == pytest.approx([500, 200, 200, 200])


def test_windows_that_have_the_whole_answer_have_a_heavy_edge():
    picture = window_lines(100, [(0, 40), (30, 70), (60, 100)], WORDS, answer=(35, 39))
    assert repr(picture) == (
        "text: 0–100 | window 1: 0–40 ✓ | window 2: 30–70 ✓ | window 3: 60–100 | answer: 35–39"
    )
    cut = window_lines(100, [(0, 40), (30, 70)], WORDS, answer=(35, 40))
    assert "window 1: 0–40 |" in repr(cut) and "window 2: 30–70 ✓" in repr(cut)


@pytest.mark.parametrize(
    ("length", "windows", "answer"),
    [(10, [], None), (10, [(0, 11)], None), (10, [(0, 10)], (3, 10)), (10, [(0, 10)], (4, 3))],
)
def test_windows_and_answers_outside_of_the_text_are_refused(length, windows, answer):
    with pytest.raises(ValueError):
        window_lines(length, windows, WORDS, answer)
