from xml.etree import ElementTree

import pytest

from bert_keras.analysis.block_flow import block_flow

BRANCHES = ("self_attention", "cross_attention", "feed_forward")


def words_of(picture):
    return [e.text for e in ElementTree.fromstring(picture.svg).iter() if e.text]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("kind", "branches"), [("encoder", 2), ("decoder", 3)])
def test_every_branch_has_a_sum_and_a_norm_in_both_orders(kind, branches, language):
    found = words_of(block_flow(kind, language))
    named = [f"{name}_layer_norm" for name in found if name in BRANCHES]  # each in two panels
    assert sorted(text for text in found if text.endswith("_layer_norm")) == sorted(named)
    assert len(named) == found.count("+") == found.count("dropout") == 2 * branches
    assert found.count("self_attention") == found.count("feed_forward") == 2
    assert found.count("source") == found.count("cross_attention") == 2 * (kind == "decoder")
    assert "weights: (B, N, T, T)" in found


def test_shapes_of_cross_attention_are_those_of_two_sequences():
    found = words_of(block_flow("decoder"))
    assert {"(B, S, D)", "weights: (B, N, T, S)"} <= set(found)


def test_the_summary_says_what_the_picture_shows_in_the_readers_language():
    assert "self_attention, cross_attention, feed_forward" in repr(block_flow("decoder"))
    assert repr(block_flow("encoder", "zh")).startswith("编码器块")


@pytest.mark.parametrize(("language", "bypass"), [("zh", "旁路"), ("en", "bypass")])
def test_each_order_names_its_argument_its_formula_and_the_bypass(language, bypass):
    found = words_of(block_flow("encoder", language))
    assert {"norm(x + branch(x))", "x + branch(norm(x))"} <= set(found)
    for switch in ("(norm_first=False)", "(norm_first=True)"):
        assert sum(text.endswith(switch) for text in found) == 1
    assert found.count(bypass) == 2


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_every_arrow_is_long_enough_to_show_its_shaft(kind):
    root = ElementTree.fromstring(block_flow(kind).svg)
    for line in root.iter("{http://www.w3.org/2000/svg}polyline"):
        points = [[float(n) for n in p.split(",")] for p in line.get("points").split()]
        (x, y), (end_x, end_y) = points[-2:]
        assert line.get("marker-end") is None or abs(end_x - x) + abs(end_y - y) >= 16


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_an_arrow_has_a_head_of_its_own_colour(kind):
    root = ElementTree.fromstring(block_flow(kind).svg)
    space = "{http://www.w3.org/2000/svg}"
    heads = {m.get("id"): m[0].get("fill") for m in root.iter(f"{space}marker")}
    for line in root.iter(f"{space}polyline"):
        if line.get("marker-end"):
            assert heads[line.get("marker-end")[5:-1]] == line.get("stroke")


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be one of encoder, decoder, not 'both'"):
        block_flow("both")
