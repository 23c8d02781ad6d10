"""The class page says what it should, in both languages, and nothing a student wrote can act."""

import re
from html.parser import HTMLParser

import pytest
from conftest_report import EXERCISES, NOTEBOOK, answer, right, write

from autograder.messages import Text
from autograder.report.data import load_class
from autograder.report.page import histogram, render
from autograder.report.summary import distribution
from autograder.report.words import WORDS, words

VOID = {"meta"}


class Page(HTMLParser):
    """Checks that tags nest and gathers text, tags and attributes."""

    def __init__(self, html):
        super().__init__()
        self.stack, self.seen, self.attributes, self.words = [], [], [], []
        self.feed(html)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack and self.stack[-1] != "style":
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_page_is_whole_and_loads_nothing(small_class, lang):
    html = render(small_class, lang, "自注意力" if lang == "zh" else "Self-attention")
    page = Page(html)
    assert html.startswith("<!doctype html>")
    assert f'<html lang="{"zh-Hans" if lang == "zh" else "en"}">' in html
    assert not {"script", "img", "link", "iframe", "object"} & set(page.seen)
    assert not [a for a in page.attributes if a[0].startswith("on") or a[0] == "src"]
    links = [value for name, value in page.attributes if name == "href"]
    assert links and all(link.startswith("#") for link in links)
    ids = {value for name, value in page.attributes if name == "id"}
    assert {link[1:] for link in links} == ids
    assert "http" not in re.sub(r"http-equiv|http://www\.w3\.org", "", html)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_page_tells_what_was_misunderstood(small_class, lang):
    text = Page(render(small_class, lang)).text
    for exercise in EXERCISES[:1]:
        for misconception in exercise.misconceptions.values():
            assert misconception[lang] in text
    assert {"zh": "运行超时，已终止", "en": "ran out of time and was stopped"}[lang] in text
    assert {"zh": "恢复了被删的检查格", "en": "a deleted check cell was restored"}[lang] in text
    assert {"zh": "权重每行之和不为 1", "en": "rows of weights don't sum to 1"}[lang] in text
    other = {"zh": "Students", "en": "学生"}[lang]
    assert other not in text


def test_nothing_a_student_wrote_acts(course):
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x1b[2J{{7*7}}"
    failing = answer(EXERCISES[0], ("plain",), status="error", detail=Text(evil, evil))
    name = "<b>&amp;=cmd|' \u202e"
    write(course, name, right(scaled_dot_product=failing), repairs=[evil, {"cell": evil}])
    results = load_class(course, NOTEBOOK, EXERCISES)
    for lang in ("zh", "en"):
        html = render(results, lang, title=evil)
        page = Page(html)
        assert not {"script", "img"} & set(page.seen)
        assert "<script" not in html and "<img" not in html and "<b>&" not in html
        assert "\u202e" not in html and "\x1b" not in html
        assert "{{7*7}}" in html
        assert "<script>alert(1)</script>" in page.text  # shown, as text


def test_300_students_fold_away_and_stay_small(large_class):
    html = render(large_class, "en")
    page = Page(html)
    assert len(html) < 400_000
    assert all(f"s{number:03d}" in page.text for number in range(300))
    assert "more" in page.text


def test_class_without_mistakes(course):
    write(course, "ada", right())
    text = Page(render(load_class(course, NOTEBOOK, EXERCISES), "en")).text
    assert words("en")["first_none"] in text
    assert words("en")["trouble_none"] in text
    assert words("en")["unnamed_none"] in text


def test_unreadable_and_ungraded_are_listed(course, small_class):
    (course / "results" / "gil").mkdir()
    (course / "results" / "gil" / f"{NOTEBOOK}.json").write_text('{"exercises": [{"id": 3')
    (course / "submitted" / "hal" / NOTEBOOK).mkdir(parents=True)
    results = load_class(course, NOTEBOOK, EXERCISES)
    assert results.unreadable == ("gil",)
    assert results.ungraded == ("hal",)
    text = Page(render(results, "en")).text
    assert words("en")["unreadable"] in text and words("en")["ungraded"] in text


def test_histogram_fits_its_picture():
    picture = histogram(distribution([0, 1, 1, 38, 38, 38, 17], 38), words("en"))
    assert sum(bar["count"] for bar in picture["bars"]) == 7
    tallest = max(picture["bars"], key=lambda bar: bar["height"])
    assert tallest["count"] == 3
    for bar in picture["bars"]:
        assert picture["left"] <= bar["x"] and bar["x"] + bar["width"] <= picture["right"]
        assert bar["y"] + bar["height"] == pytest.approx(picture["base"], abs=0.2)


def test_every_word_is_there_in_both_languages():
    fields = re.compile(r"{(\w+)}")
    for key, (zh, en) in WORDS.items():
        assert sorted(fields.findall(zh)) == sorted(fields.findall(en)), key
        assert en.isascii() or set(en) <= set(map(chr, range(128))) | set("–“”⚠—"), key
        assert not set("<>&") & set(zh + en), key  # they are printed as trusted markup
