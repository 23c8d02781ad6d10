"""The picture of a search: what it shows of what was kept and dropped."""

import math
import xml.etree.ElementTree as ET

import pytest

from bert_keras.analysis.search_tree import search_tree

WORDS = ["[BOS]", "[EOS]", "the", "a", "<b>", "c"]
NEXT = {(): [0, 0, 0.6, 0.4, 0, 0], (2,): [0, 0, 0, 0, 0.7, 0.3], (3,): [0, 0, 0, 0, 0, 1]}


def next_log_probs(prefix):
    chances = NEXT.get(tuple(prefix[1:]), [0, 1, 0, 0, 0, 0])
    return [math.log(p) if p else -math.inf for p in chances]


def tree(asked, found, **options):
    return ET.fromstring(search_tree(next_log_probs, asked, found, WORDS, "kept", **options).svg)


def texts(svg):
    return [(node.text, node.get("font-weight")) for node in svg.iter() if node.tag[-4:] == "text"]


def test_kept_beginnings_are_bold_and_sentences_framed():
    asked = [[0], [0, 2], [0, 2, 4]]
    svg = tree(asked, [([2, 4, 1], math.log(0.42))])
    bold = [text for text, weight in texts(svg) if weight == "700"]
    assert set(bold) == {"[BOS]", "the", "<b>", "[EOS]"}
    frames = [node for node in svg.iter() if node.get("stroke-width") == "1.8"]
    assert len(frames) == 1
    lines = [node.get("stroke-width") for node in svg.iter() if node.tag[-4:] == "line"]
    assert sorted(lines) == ["0.9", "0.9", "2.6", "2.6", "2.6"]  # a and c were dropped


def test_probabilities_are_those_from_the_beginning():
    svg = tree([[0], [0, 2]], [([2, 4], 0.0)])
    numbers = {text for text, weight in texts(svg) if weight is None}
    assert {"1.00", "0.60", "0.40", "0.42", "0.18"} <= numbers


def test_children_beyond_the_limit_are_left_out_unless_kept():
    shown = [text for text, _ in texts(tree([[0]], [], children=1))]
    assert "the" in shown and "a" not in shown
    shown = [text for text, _ in texts(tree([[0], [0, 3]], [], children=1))]
    assert "a" in shown


def test_summary_stands_for_the_picture_and_nothing_asked_is_refused():
    assert repr(search_tree(next_log_probs, [[0]], [], WORDS, "two words")) == "two words"
    with pytest.raises(ValueError, match="asked about nothing"):
        search_tree(next_log_probs, [], [], WORDS, "")
