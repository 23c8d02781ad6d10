import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from bert_keras.analysis.words import nearest_words, neighbour_lists, stack_of_windows


def test_nearest_is_by_angle_and_leaves_out_the_word_and_the_padding():
    vectors = np.array([[5.0, 5], [1, 1], [9, 8], [-1, -1], [0, 1]])
    ids, cosines = nearest_words(vectors, 1, 2)
    assert ids.tolist() == [2, 4]
    assert cosines[0] == pytest.approx(17 / (2**0.5 * 145**0.5))
    ids, cosines = nearest_words(vectors, [0.0, 2.0], 1, leave_out=())
    assert ids.tolist() == [4] and cosines[0] == pytest.approx(1)


def test_neighbours_as_a_picture():
    picture = neighbour_lists([("a<b", [("word", 0.8), ("词", 0.5)]), ("c", [("d", -0.1)])])
    assert picture.summary == "a<b: word, 词; c: d"
    assert len(ElementTree.fromstring(picture.svg).findall(".//{*}rect")) == 4


def test_a_stack_of_windows_lights_up_what_is_seen():
    lit = [[True, True, True, False], [False, True, False, False]]
    picture = stack_of_windows(list("abcd"), lit, [3])
    assert picture.summary == "1 layers, 3 words: a b c"
    root = ElementTree.fromstring(picture.svg)
    filled = [c.get("fill") for c in root.findall(".//{*}circle")]
    assert filled.count("#d55e00") == 4 and len(filled) == 8
    assert sum(line.get("stroke") == "#d55e00" for line in root.findall(".//{*}line")) == 3
    with pytest.raises(ValueError, match="take 2 rows"):
        stack_of_windows(list("abcd"), lit[:1], [3])
