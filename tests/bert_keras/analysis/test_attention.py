import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from bert_keras.analysis.attention import attention_map, query_rows
from bert_keras.analysis.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [
        "".join(node.itertext()) for node in ElementTree.fromstring(picture.svg).iter(SVG + "text")
    ]


def shades(picture):
    return [node.get("fill") for node in ElementTree.fromstring(picture.svg).iter(SVG + "rect")]


def rows(*heads):
    """Rows of shape (L, N, T) with one layer."""
    return np.array([heads], dtype="float32")


def test_a_row_shows_every_head_word_and_weight():
    picture = query_rows([["那只", "动物", "它"]], [rows([0.25, 0.75, 0], [0.04, 0, 0.96])], 2)
    found = texts(picture)
    assert {"那只", "动物", "它", "1-1", "1-2", "25", "75", "96"} <= set(found)
    assert "4" not in found  # weights below .05 are left to the shade
    assert picture.summary == "它 → 1-1 : 动物 0.75; 1-2 : 它 0.96"


def test_versions_are_named_by_the_words_that_differ():
    sentences = [["it", "was", "tired"], ["it", "was", "wide"]]
    weights = [rows([0.2, 0.3, 0.5]), rows([0.1, 0.1, 0.8])]
    found = texts(query_rows(sentences, weights, 0, answers=[2, 1]))
    assert found.count("tired") == found.count("wide") == 2  # column head and line name
    assert found.count("was") == 1


def test_answers_are_framed_in_place():
    sentences, weights = [["a", "b", "c"]], [rows([0.2, 0.3, 0.5])]
    tree = ElementTree.fromstring(query_rows(sentences, weights, 0, answers=[1]).svg)
    rects = list(tree.iter(SVG + "rect"))
    (frame,) = [node for node in rects if node.get("fill") == "none"]
    cells = [node for node in rects if node.get("height") == "21.0"]
    assert float(frame.get("x")) == pytest.approx(float(cells[1].get("x")) + 1)


def test_shades_run_from_white_to_dark_and_only_darker():
    picture = attention_map(["q"], [[0, 0.25, 0.5, 1]], key_tokens=list("abcd"))
    cells = shades(picture)[1:5]
    assert cells[0] == "#ffffff"
    light = [sum(int(cell[i : i + 2], 16) for i in (1, 3, 5)) for cell in cells]
    assert light == sorted(light, reverse=True)
    assert len(set(light)) == 4


def test_map_crosses_out_what_is_closed():
    mask = np.tril(np.ones((3, 3), dtype=bool))
    weights = mask / mask.sum(axis=1, keepdims=True)
    picture = attention_map(list("abc"), weights, mask=mask)
    tree = ElementTree.fromstring(picture.svg)
    assert len(list(tree.iter(SVG + "line"))) == 2 * 3 + 2  # and one cross beside what it means
    assert "mask = False" in texts(picture)
    assert "mask = False" not in texts(attention_map(list("abc"), weights))


def test_the_scale_shows_what_nothing_looks_like():
    found = texts(attention_map(["q"], [[0.3]], key_tokens=["k"]))
    assert [word for word in found if word.isdecimal()] == ["30", "25", "50", "75", "100", "0"]


def test_several_maps_carry_their_titles():
    picture = attention_map(
        ["x", "y"], np.full((3, 2, 2), 0.5), titles=["1-1", "1-2", "1-3"], columns=2
    )
    assert {"1-1", "1-2", "1-3"} <= set(texts(picture))


def test_words_are_escaped():
    picture = attention_map(["<script>", "a&b"], np.eye(2))
    assert {"<script>", "a&b"} <= set(texts(picture))
    assert "<script>" not in picture.svg


def test_nothing_is_loaded_from_elsewhere(tmp_path):
    picture = attention_map(["a"], np.eye(1))
    svg = picture.svg.replace("http://www.w3.org/2000/svg", "")
    assert "http" not in svg and "url(" not in svg and "<script" not in svg
    picture.save(tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == picture._repr_svg_()


def test_everything_is_inside_the_picture():
    words = ["because", "internationalisation", "那只动物"]
    picture = attention_map(words, np.eye(3))
    tree = ElementTree.fromstring(picture.svg)
    width = float(tree.get("width"))
    for node in tree.iter(SVG + "rect"):
        if node.get("width") != "100%":
            assert float(node.get("x")) + float(node.get("width")) <= width


def test_chinese_is_wider():
    assert text_width("动物", 10) == 20
    assert text_width("ab", 10) < 20


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"\(L, N, 3\)"):
        query_rows([["a", "b", "c"]], [np.ones((2, 3))], 0)
    with pytest.raises(ValueError, match="same number of tokens"):
        query_rows([["a"], ["a", "b"]], [rows([1.0]), rows([1.0])], 0)
    with pytest.raises(ValueError, match="2 queries and 2 keys"):
        attention_map(["a", "b"], np.eye(3))


def test_an_empty_row_is_not_told_and_figures_stand_out_from_their_shade():
    picture = attention_map(["p", "q"], [[0.0, 0.0, 0.0], [0.3, 0.6, 0.8]], key_tokens=list("abc"))
    assert picture.summary == "q: c 0.80"

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    # WCAG 2.1: at least 4.5 to 1 for small text.
    for weight in np.arange(0.05, 1.001, 0.05):
        tree = ElementTree.fromstring(attention_map(["q"], [[weight]], key_tokens=["k"]).svg)
        cell = next(n for n in tree.iter(SVG + "rect") if n.get("stroke") == "#c8c8c8")
        figure = next(
            n for n in tree.iter(SVG + "text") if "".join(n.itertext()) == f"{100 * weight:.0f}"
        )
        light, dark = sorted(
            (luminance(cell.get("fill")), luminance(figure.get("fill"))), reverse=True
        )
        assert (light + 0.05) / (dark + 0.05) >= 4.5
