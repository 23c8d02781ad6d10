"""Bars of guesses: as long as they are likely, one scale, the answer set apart."""

from xml.etree import ElementTree

import pytest

from bert_keras.analysis.guess_bars import guess_bars

GROUPS = [
    ("a [MASK] c", [("b", 0.5), ("<d>", 0.25)], "b"),
    ("[MASK]", [("x", 1.0), ("y", 0.0)], None),
    ("third", [("z", 0.1)], "not there"),
]


def bars(picture):
    """The rectangles but the ground, as (x, y, width, fill, edge)."""
    root = ElementTree.fromstring(picture.svg)
    found = [part for part in root.iter() if part.tag.endswith("rect") and part.get("x")]
    return [
        (
            float(b.get("x")),
            float(b.get("y")),
            float(b.get("width")),
            b.get("fill"),
            b.get("stroke"),
        )
        for b in found
    ]


def test_bars_are_as_long_as_guesses_are_likely():
    found = [width for _, _, width, _, _ in bars(guess_bars(GROUPS))]
    half, quarter, whole, nothing, tenth = found
    assert half == pytest.approx(2 * quarter) and whole == pytest.approx(2 * half)
    assert tenth == pytest.approx(whole / 10) and 0 < nothing <= 1


def test_only_the_answer_is_set_apart():
    edges = [edge for _, _, _, _, edge in bars(guess_bars(GROUPS))]
    fills = [fill for _, _, _, fill, _ in bars(guess_bars(GROUPS))]
    assert [edge is not None for edge in edges] == [True, False, False, False, False]
    assert fills[0] != fills[1] and len(set(fills[1:])) == 1


def test_panels_stand_side_by_side_and_then_below():
    one, _, two, _, three = bars(guess_bars(GROUPS, columns=2))
    assert one[1] == two[1] and one[0] < two[0]
    assert three[0] == one[0] and three[1] > one[1]


def test_everything_is_inside_the_picture():
    picture = guess_bars([("a very long sentence indeed " * 3, [("token", 1.0)], None)], columns=1)
    root = ElementTree.fromstring(picture.svg)
    width, height = float(root.get("width")), float(root.get("height"))
    assert all(x + w < width and y < height for x, y, w, _, _ in bars(picture))


def test_a_screen_reader_is_told_the_guesses():
    said = repr(guess_bars(GROUPS[:2]))
    assert said == "a [MASK] c: b 50%, <d> 25% | [MASK]: x 100%, y 0%"


@pytest.mark.parametrize("groups", [[], [("a", [], None)]])
def test_nothing_to_draw_is_refused(groups):
    with pytest.raises(ValueError):
        guess_bars(groups)
