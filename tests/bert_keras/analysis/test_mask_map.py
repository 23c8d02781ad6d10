"""Maps of masks: an open cell for every True, in the colour of its column's part."""

from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.mask_map import mask_map

WORDS, PARTS = ["[CLS]", "a<b", "said"], [0, 0, 1]
MASK = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1]], bool)
LEGEND = ("source", "target")


def cells(picture):
    """Rows of colours, map after map."""
    root = ElementTree.fromstring(picture.svg)
    found = [p for p in root.iter() if p.tag.endswith("rect") and p.get("width") == "24"]
    return [cell.get("fill") for cell in found]


def test_open_cells_have_the_colour_of_their_column_and_closed_ones_none():
    found = np.array(cells(mask_map(WORDS, PARTS, [("one", MASK)], LEGEND))).reshape(3, 3)
    assert ((found != "#ffffff") == MASK).all()
    source, target = found[0, 0], found[2, 2]
    assert source != target
    assert set(found[:, :2][MASK[:, :2]]) == {source}


def test_several_masks_stand_side_by_side_inside_the_picture():
    picture = mask_map(WORDS, PARTS, [("one", MASK), ("two", ~MASK)], LEGEND)
    found = np.array(cells(picture)).reshape(2, 3, 3)
    assert ((found[1] != "#ffffff") == ~MASK).all()
    root = ElementTree.fromstring(picture.svg)
    right = max(float(p.get("x", 0)) + 24 for p in root.iter() if p.get("width") == "24")
    assert right < float(root.get("width"))


def test_a_screen_reader_is_told_who_looks_at_whom():
    said = repr(mask_map(WORDS, PARTS, [("one", MASK)], LEGEND))
    assert said == "one. [CLS]: [CLS] a<b; a<b: [CLS]; said: [CLS] a<b said"


@pytest.mark.parametrize(
    "change",
    [
        {"words": []},
        {"parts": [0, 1]},
        {"parts": [0, 1, 2]},
        {"masks": []},
        {"masks": [("one", MASK[:2])]},
        {"masks": [("one", MASK.astype(int))]},
    ],
)
def test_what_does_not_fit_is_refused(change):
    with pytest.raises(ValueError):
        mask_map(**{"words": WORDS, "parts": PARTS, "masks": [("a", MASK)]} | change, legend=LEGEND)
