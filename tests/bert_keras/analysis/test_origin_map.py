"""Where the weights of a decoder block came from, as the two lists say it."""

import pytest

from bert_keras.analysis.origin_map import origin_map
from bert_keras.layers.decoder import DecoderBlock

LISTED = ("self_attention", "self_attention_layer_norm", "feed_forward", "feed_forward_layer_norm")
STAYED = ("cross_attention", "cross_attention_layer_norm")


@pytest.fixture(scope="module")
def block():
    block = DecoderBlock(2, 4, 8, name="decoder_block_0")
    block.build((None, None, 4), (None, None, 4))
    return block


def paths(block, names):
    return [weight.path for name in names for weight in getattr(block, name).weights]


def test_every_sublayer_is_told_with_its_numbers(block):
    said = repr(origin_map(block, paths(block, LISTED), paths(block, STAYED)))
    assert said.startswith("self_attention: copied (80 numbers)")  # 4 (4 · 4 + 4)
    assert "cross_attention: as it was (80 numbers)" in said
    assert said.endswith("copied 172, as it was 88")  # 80 + 8 + 36 + 40 + 8, and 80 + 8
    svg = origin_map(block, paths(block, LISTED), paths(block, STAYED)).svg
    assert svg.count("marker-end") == 4


@pytest.mark.parametrize("names", [LISTED[:3], LISTED + STAYED])
def test_what_is_on_neither_list_or_on_both_is_not_drawn_as_if_it_were(block, names):
    said = repr(origin_map(block, paths(block, names), paths(block, STAYED)))
    assert "in neither list" in said


def test_chinese_has_its_own_words(block):
    said = repr(origin_map(block, paths(block, LISTED), paths(block, STAYED), "zh"))
    assert "cross_attention: 保持原样" in said and "self_attention: 抄过来" in said
