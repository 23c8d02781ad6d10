"""The class page says what it should, in both languages, and nothing a student wrote can act."""

import dataclasses
import re
from html.parser import HTMLParser

import pytest
from conftest_report import EXERCISES, NOTEBOOK, answer, right, with_standings, write

from autograder.messages import Text
from autograder.report.data import load_class
from autograder.report.figures import distribution
from autograder.report.page import histogram, render, rubric_of
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


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("count", [0, 1])
def test_a_class_of_nobody_and_of_one(course, count, lang):
    for number in range(count):
        write(course, f"s{number}", right())
    (course / "results" / "lost").mkdir(parents=True)
    (course / "results" / "lost" / f"{NOTEBOOK}.json").write_text("{")
    results = load_class(course, NOTEBOOK, EXERCISES)
    assert (len(results.students), results.unreadable) == (count, ("lost",))
    text = Page(render(results, lang)).text
    assert "lost" in text and words(lang)["students_title"] in text


def test_corrections_of_the_gradebook_are_told(small_class):
    plain, corrected = (
        Page(render(each, "en")).text for each in (small_class, with_standings(small_class))
    )
    for word in ("col_by_hand", "col_penalty", "students_penalty"):
        assert words("en")[word] in corrected and words("en")[word] not in plain
    assert "+1.5" in corrected and "−0.5" in corrected
    assert "1 came late; 1 of them" in corrected
    assert words("en")["written_waiting"] + "bo" in corrected
    with_problem = dataclasses.replace(small_class, gradebook_problem="<i>locked</i>")
    assert "<i>locked</i>" in Page(render(with_problem, "en")).text


def test_a_teacher_finds_the_question_to_ask_and_the_rubric(small_class):
    names = ("scaled_by_model_dim", "no_scaling")
    asked = {name: Text(f"问 {name}？", f"What of {name}?") for name in names}
    infos = (dataclasses.replace(EXERCISES[0], questions=asked), *EXERCISES[1:])
    results = dataclasses.replace(small_class, exercises=infos)
    text = Page(render(results, "en", rubric="**Rubric**\n\n1. <script>two</script> numbers")).text
    assert "What of scaled_by_model_dim?" in text
    assert "What of no_scaling?" not in text  # a tie: nobody knows which it was
    assert "Rubric" in text and "**" not in text and "1. <script>two</script> numbers" in text


@pytest.mark.parametrize(("lang", "word"), [("zh", "评分标准"), ("en", "Rubric")])
def test_the_rubric_comes_from_the_source_in_the_pages_language(lang, word):
    assert word in rubric_of(NOTEBOOK, lang)
    assert rubric_of("no_such_notebook", lang) is None


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_outcomes_differ_without_colour_and_can_be_read(small_class, scheme):
    style = render(small_class, "en").split("</style>")[0]
    block = re.findall(r":root {(.*?)}", style, flags=re.DOTALL)[scheme]
    color = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    kinds = ("full", "part", "zero", "blank")
    for kind in kinds:
        assert contrast(color[kind], color[f"{kind}-ink"]) >= 4.5, kind
    # "blank" is hatched; the other three lie side by side in a bar and differ in lightness.
    for one, other in (("full", "part"), ("part", "zero"), ("full", "zero")):
        assert contrast(color[one], color[other]) >= 1.5, (one, other)


def contrast(one, other):
    """WCAG's contrast ratio of two colours."""

    def luminance(code):
        parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


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
        assert en.isascii() or set(en) <= set(map(chr, range(128))) | set("–“”⚠—▾"), key
        assert not set("<>&") & set(zh + en), key  # they are printed as trusted markup
