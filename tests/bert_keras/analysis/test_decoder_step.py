from xml.etree import ElementTree

from bert_keras.analysis.decoder_step import decoder_step


def test_the_picture_names_everything_and_fits_its_words():
    words = ["a < b", "猫", "了"]
    picture = decoder_step(words, [1.0, -0.5, 0.0], [0.61, 0.14, 0.25], "a summary & more")
    root = ElementTree.fromstring(picture.svg)
    found = [element.text for element in root.iter() if element.text]
    for name in ("state", "cell", "context", "joined", "output", "scores", "weights", "source"):
        assert name in found
    assert {"(B, S)", "(B, K + H)", "-0.50", "0.61", *words} <= set(found)
    assert repr(picture) == "a summary & more"
    wider = decoder_step([*words, "x"], [0.0] * 4, [0.25] * 4, "")
    assert int(ElementTree.fromstring(wider.svg).get("width")) > int(root.get("width"))
