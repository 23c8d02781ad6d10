"""Strips of masked sentences: a box for every token, the one to guess under each picked one."""

import re
from xml.etree import ElementTree

import pytest

from bert_keras.analysis.mask_strips import KEPT, MASKED, RANDOM, UNTOUCHED, mask_strips

LEGEND = ("hidden", "random", "kept")
WORDS = [
    [("the", "the", UNTOUCHED)],
    [("play", "[MASK]", MASKED), ("##ing", "cat", RANDOM)],
    [("a<b", "a<b", KEPT)],
]


def boxes(picture):
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


def test_a_box_for_every_token_and_one_for_each_fate_in_the_legend():
    picture = mask_strips([("one", WORDS)], LEGEND)
    assert len(boxes(picture)) == 4 + 3
    for word in LEGEND:
        assert f">{word}</text>" in picture.svg


def test_fates_look_different_and_the_legend_looks_alike():
    looks = [box[3:] for box in boxes(mask_strips([("one", WORDS)], LEGEND))]
    untouched, masked, random, kept = looks[:4]
    assert len({untouched, masked, random, kept}) == 4
    assert looks[4:] == [masked, random, kept]


def test_the_token_to_guess_stands_under_picked_ones_only():
    svg = mask_strips([("one", WORDS)], LEGEND).svg
    assert svg.count(">the</text>") == 1
    assert svg.count(">play</text>") == 1 and svg.count(">##ing</text>") == 1
    assert svg.count(">a&lt;b</text>") == 2  # shown, and to guess


def test_tokens_of_a_word_touch_and_words_do_not():
    one, two, three, four = boxes(mask_strips([("one", WORDS)], LEGEND))[:4]
    gaps = [after[0] - (before[0] + before[2]) for before, after in ((one, two), (two, three))]
    assert gaps[1] == pytest.approx(2, abs=0.2) and gaps[0] > gaps[1] + 3
    assert four[1] == one[1]


def test_a_long_sentence_goes_on_in_the_next_line_inside_the_picture():
    picture = mask_strips([("name", [[("something", "something", UNTOUCHED)]] * 40)], LEGEND)
    found = boxes(picture)[:-3]
    assert len({box[1] for box in found}) > 1
    assert len({min(b[0] for b in found if b[1] == y) for y in {box[1] for box in found}}) == 1
    wide = float(re.search(r'width="(\d+)"', picture.svg).group(1))
    assert max(x + w for x, _, w, _, _ in found) < wide


def test_a_screen_reader_is_told_what_is_seen_and_what_was_there():
    said = repr(mask_strips([("one", WORDS), ("two", [[("x", "x", 0)]])], LEGEND))
    assert said == "one: the [MASK]←play cat←##ing a<b←a<b | two: x"


@pytest.mark.parametrize("groups", [[], [("a", [])], [("a", [[]])], [("a", [[("x", "x", 4)]])]])
def test_nothing_to_draw_and_unknown_fates_are_refused(groups):
    with pytest.raises(ValueError):
        mask_strips(groups, LEGEND)
