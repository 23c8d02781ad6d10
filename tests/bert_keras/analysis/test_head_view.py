import base64
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.head_view import head_view

TOKENS = ["[CLS]", "<script>alert(1)</script>", 'a"b', "&amp;", "[SEP]", "它", "[SEP]"]
SEGMENTS = [0] * 5 + [1] * 2


def weights(layers=2, heads=3, length=7):
    return np.random.default_rng(0).dirichlet(np.ones(length), size=(layers, heads, length))


class Page(HTMLParser):
    """The tags of a page, with whether each was closed, and what stands in scripts."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.scripts = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_html_parses_and_hostile_tokens_stay_text(language):
    html = head_view(TOKENS, weights(), SEGMENTS, language, layer=2, head=3)._repr_html_()
    page = Page(html)
    assert page.open == []
    assert [tag for tag, _ in page.tags] == ["div", "img", "small", "script"]
    assert html.count("<script>") == 1 and html.count("</script>") == 1
    assert not re.search(r"https?:", html) and "src=" in html
    image = page.tags[1][1]
    assert TOKENS[1] in image["alt"] and "2-3" in image["alt"]
    kind, encoded = image["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    root = ElementTree.fromstring(base64.b64decode(encoded))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert all(texts.count(token) >= 2 for token in TOKENS)  # left and right
    assert texts.count("A") == 10 and texts.count("B") == 4
    assert ("查询" in "".join(texts)) == (language == "zh")


def test_the_weights_are_those_that_were_given():
    given = weights()
    html = head_view(TOKENS, given)._repr_html_()
    encoded = re.search(r'"weights": "([^"]+)"', html)[1]
    found = np.frombuffer(base64.b64decode(encoded), "uint8").reshape(given.shape) / 255
    np.testing.assert_allclose(found, given, atol=0.5 / 255 + 1e-12)


def test_the_picture_draws_what_weighs_something():
    given = np.zeros((1, 1, 3, 3))
    given[0, 0] = [[1, 0, 0], [0, 0.01, 0.99], [0.5, 0.5, 0]]
    svg = head_view(["a", "b", "c"], given).picture.svg
    assert svg.count("<line") == 4  # 0.01 is too faint
    assert "a → a 1.00; b → c 0.99; c → a 0.50" in repr(head_view(["a", "b", "c"], given))


def test_two_views_have_two_names_and_so_has_one_shown_twice(tmp_path):
    view = head_view(TOKENS, weights())
    names = {re.search(r'id="([^"]+)"', view._repr_html_())[1] for _ in range(3)}
    assert len(names) == 3
    view.save(tmp_path / "view.html")
    page = Page((tmp_path / "view.html").read_text(encoding="utf-8"))
    assert page.open == []


def test_a_large_model_on_a_long_text_is_not_too_large():
    tokens = [f"word{n}" for n in range(64)]
    assert len(head_view(tokens, weights(12, 12, 64))._repr_html_()) <= 3_000_000


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="must have shape"):
        head_view(TOKENS, weights()[0])
    with pytest.raises(ValueError, match="no head 3-1"):
        head_view(TOKENS, weights(), layer=3)
    with pytest.raises(ValueError, match="segment ids"):
        head_view(TOKENS, weights(), [0])
    with pytest.raises(ValueError, match="language"):
        head_view(TOKENS, weights(), language="fr")
