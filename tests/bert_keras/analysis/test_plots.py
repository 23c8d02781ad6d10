import matplotlib
import pytest

from bert_keras.analysis import plots


@pytest.fixture(autouse=True)
def restored_settings():
    with matplotlib.rc_context():
        matplotlib.use("agg")
        yield


def test_english_needs_no_font(monkeypatch):
    monkeypatch.setattr(plots, "cjk_font", lambda: pytest.fail("looked for a font"))
    assert plots.chart_words("en")("方差", "variance") == "variance"


def test_chinese_where_it_can_be_drawn(monkeypatch):
    monkeypatch.setattr(plots, "cjk_font", lambda: "Some CJK")
    notes = []
    assert plots.chart_words("zh", notes.append)("方差", "variance") == "方差"
    assert matplotlib.rcParams["font.sans-serif"][0] == "Some CJK"
    assert not notes


def test_without_a_font_labels_are_english_and_one_line_says_so(monkeypatch):
    monkeypatch.setattr(plots, "cjk_font", lambda: None)
    notes = []
    assert plots.chart_words("zh", notes.append)("方差", "variance") == "variance"
    assert len(notes) == 1 and "\n" not in notes[0]


def test_found_font_is_installed_and_has_the_glyphs():
    family = plots.cjk_font()
    if family is None:
        pytest.skip("no Chinese font here")
    from matplotlib import font_manager, ft2font

    path = font_manager.findfont(family, fallback_to_default=False)
    assert ord("权") in ft2font.FT2Font(path).get_charmap()


def test_chart_shows_and_closes():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    with plots.chart(3) as axes:
        assert len(axes) == 3
        axes[0].plot([1, 2])
    assert plt.get_fignums() == before


def test_series_differ_in_more_than_colour():
    assert len(set(plots.COLOURS)) == len(plots.COLOURS)
    assert len(set(plots.MARKERS)) == len(plots.MARKERS)
