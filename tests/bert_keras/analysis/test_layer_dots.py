from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.layer_dots import layer_dots

VALUES = np.array([[0.5, 2.0, 1.0], [3.0, 0.25, 1.0]])


def places(picture):
    root = ElementTree.fromstring(picture.svg)
    circles = [part for part in root.iter() if part.tag.endswith("circle")]
    return [(float(one.get("cx")), float(one.get("cy"))) for one in circles]


def test_every_head_has_a_dot_and_the_higher_the_value_the_higher_it_is():
    found = places(layer_dots([("wide", VALUES, None)]))
    assert len(found) == 6
    heights = np.array([y for _, y in found])
    gaps = np.diff(heights) / np.diff(VALUES.ravel())
    np.testing.assert_allclose(gaps, gaps[0], rtol=0.05)  # one scale, written with one decimal
    assert gaps[0] < 0  # y grows downwards
    assert [x for x, _ in found] == sorted(x for x, _ in found)


def test_the_outermost_heads_are_named_and_a_line_is_drawn():
    picture = layer_dots([("wide", VALUES, (3.5, "ln n")), ("far", VALUES * 0, None)], "layer")
    texts = [part.text for part in ElementTree.fromstring(picture.svg).iter() if part.text]
    assert "2-1" in texts and "2-2" in texts and "ln n" in texts
    assert picture.svg.count("stroke-dasharray") == 1
    assert repr(picture).startswith("wide: layer 1: 1.17, 2: 1.42; 2-2 0.25 … 2-1 3 | far:")
    width = float(ElementTree.fromstring(picture.svg).get("width"))
    assert max(x for x, _ in places(picture)) < width


def test_the_name_of_the_line_stands_beside_the_dots_and_inside_the_picture():
    for name in ("no choice", "不挑"):
        picture = layer_dots([("wide", VALUES, (3.5, name))])
        root = ElementTree.fromstring(picture.svg)
        (label,) = (part for part in root.iter() if part.text == name)
        assert max(x for x, _ in places(picture)) < float(label.get("x"))
        assert float(label.get("x")) + 5 * len(name) < float(root.get("width"))


@pytest.mark.parametrize(
    "panels", [[], [("a", np.zeros(3), None)], [("a", np.zeros((0, 2)), None)]]
)
def test_what_can_not_be_drawn(panels):
    with pytest.raises(ValueError, match="shape"):
        layer_dots(panels)
