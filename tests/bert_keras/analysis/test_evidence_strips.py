"""Claims above their evidence: shared words stand out, bars follow scores and probabilities."""

from xml.etree import ElementTree

import pytest

from bert_keras.analysis.evidence_strips import evidence_strips

CLAIM = ["osk", "is", "the", "capital"]
ROWS = [
    (["the", "capital", "is", "a<b"], 4.0, (0.1, 0.7, 0.2), True),
    (["wool", "sells"], 1.0, (0.0, 0.0, 1.0), False),
]
NAMES = ("score", "supported", "refuted", "unknown")


def rectangles(picture, **wanted):
    root = ElementTree.fromstring(picture.svg)
    found = [p for p in root.iter() if p.tag.endswith("rect") and p.get("x")]
    return [p for p in found if all(p.get(k) == v for k, v in wanted.items())]


def test_words_of_the_claim_stand_out_in_statements():
    picture = evidence_strips(CLAIM, ROWS, NAMES)
    assert len(rectangles(picture, fill="#a9cce8")) == 4 + 3
    assert ">a&lt;b</text>" in picture.svg


def test_bars_are_as_long_as_scores_and_probabilities():
    picture = evidence_strips(CLAIM, ROWS, NAMES)
    long, short = (float(p.get("width")) for p in rectangles(picture, fill="#8a8a8a"))
    assert long == pytest.approx(4 * short)
    refuted = rectangles(picture, fill="#d55e00", height="16")
    assert float(refuted[0].get("width")) == pytest.approx(105)
    assert not rectangles(
        evidence_strips(CLAIM, [(*row[:2], None, False) for row in ROWS], NAMES), fill="#d55e00"
    )


def test_the_one_that_decided_has_a_frame_and_a_star():
    picture = evidence_strips(CLAIM, ROWS, NAMES)
    assert len(rectangles(picture, fill="none")) == 1
    assert repr(picture) == (
        "osk is the capital | 4.0 the capital is a<b supported 0.10 refuted 0.70 unknown 0.20 * | "
        "1.0 wool sells supported 0.00 refuted 0.00 unknown 1.00"
    )


def test_scores_of_nothing_but_zero_can_be_drawn():
    assert "0.0" in evidence_strips(CLAIM, [(["x"], 0.0, None, False)], NAMES).svg


@pytest.mark.parametrize(
    ("claim", "rows"), [([], ROWS), (CLAIM, []), (CLAIM, [(["x"], 1.0, (0.5, 0.5), False)])]
)
def test_what_does_not_fit_is_refused(claim, rows):
    with pytest.raises(ValueError):
        evidence_strips(claim, rows, NAMES)
