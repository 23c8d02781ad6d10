"""A student's page: what it says, what it hides, and that nothing in it can act."""

import dataclasses
import json
import re
from html.parser import HTMLParser

import pytest

from autograder.feedback.page import MAX_BYTES, of_record, render
from autograder.feedback.words import WORDS, words
from autograder.gradebook import Manual, Standing
from autograder.messages import Text
from autograder.report.clean import block
from autograder.report.data import ExerciseInfo, student_from_json
from autograder.results import CaseResult, ExerciseResult

EXERCISES = (
    ExerciseInfo("masks", 3, cases={}),
    ExerciseInfo("heads", 2, stretch=True, cases={}),
)
HINTS = [Text("先想一想", "think first"), Text("看看轴", "look at the axes")]


class Page(HTMLParser):
    """Checks that tags nest and gathers tags, attributes and text."""

    def __init__(self, content):
        super().__init__()
        self.html = content.decode("utf-8")
        self.stack, self.tags, self.attributes, self.words, self.hidden = [], [], [], [], []
        self.feed(self.html)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if "style" in self.stack:
            return
        self.words.append(data)
        # What shows only after a click: in <details>, but not its <summary>.
        if "details" in self.stack and "summary" not in self.stack:
            self.hidden.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def wrong(detail=None, **fields):
    """`masks` with one of two cases lost."""
    title, other = Text("下三角", "lower triangle"), Text("长度 1", "length 1")
    detail = detail or Text("应为 1，实际为 0", "should be 1, but is 0")
    cases = [
        CaseResult("square", title, 0.0, 2.0, "value", detail),
        CaseResult("one", other, 1.0, 1.0, "passed"),
    ]
    return ExerciseResult("masks", cases, **fields)


def right(name="heads", points=2.0):
    case = CaseResult("all", Text("全部", "everything"), points, points, "passed")
    return ExerciseResult(name, [case])


def page(results=None, plan=(), standing=None, repairs=(), student="anna"):
    results = results or [wrong(), right()]
    record = {
        "assignment": "nb",
        "score": sum(r.score for r in results),
        "max_score": sum(r.max_score for r in results),
        "exercises": [r.to_json() for r in results],
        "repairs": list(repairs),
        "plan": list(plan),
    }
    record = json.loads(json.dumps(record))
    read = student_from_json(record, student)
    if standing:
        read = dataclasses.replace(read, standing=standing)
    return of_record(record, read, EXERCISES, "Title")


def cell(text, exercise="masks", role="answer", **rest):
    return {"role": role, "exercise": exercise, "source": text, "original": text, **rest}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_tells_points_the_mistake_and_the_way_on(lang):
    said = Text("对角线也关上了。", "The diagonal is closed too.")
    told = wrong(named=["x"], certainty="exact", diagnosis=[said], hints=HINTS)
    made = Page(render(page([told, right()], [cell("def masks(): pass")]), lang))
    t = words(lang)
    for text in (said, *HINTS, Text("应为 1，实际为 0", "should be 1, but is 0")):
        assert text[lang] in made.text
    assert said["en" if lang == "zh" else "zh"] not in made.text
    assert t["core_part"].format(score="1", max="3") in made.text
    assert t["stretch_part"].format(score="2", max="2") in made.text
    # Hints wait for a click, the second inside the first; the mistake does not.
    hidden = " ".join(made.hidden)
    assert all(hint[lang] in hidden for hint in HINTS) and said[lang] not in hidden
    first, second = (made.html.index(hint[lang]) for hint in HINTS)
    assert "</details>" not in made.html[first:second]


def test_everything_right_is_praised():
    made = Page(render(page([right("masks", 3.0), right()]), "en"))
    assert words("en")["todo_all"] in made.text and words("en")["todo_title"] not in made.text


def test_gradebook_comments_points_and_lateness():
    standing = Standing(
        raw=4.5,
        penalty=0.5,
        seconds_late=93_700,  # a day, two hours and 1.7 minutes
        timestamp="2026-03-02 14:01:40",
        due="2026-03-01 12:00:00",
        needs=True,
        cells={
            "written_nb": Manual(1.5, by_hand=1.5, max_score=2, comment="<i>Nice</i>\nline 2"),
            "check_masks": Manual(score=1.0, auto=1.0),
            "answer_masks": Manual(comment="look at row 0"),
        },
    )
    plan = [cell("Because.", "written_nb", "written", grade_id="written_nb")]
    made = Page(render(page(plan=plan, standing=standing), "en"))
    t = words("en")
    assert "4 of 5" in made.text  # 4.5 - 0.5, of 3 + 2
    assert t["penalty_part"].format(points="0.5") in made.text
    assert t["by_hand_part"].format(points="+1.5") in made.text
    assert t["late_by"].format(time="1 d 2 h") in made.text
    assert "<i>Nice</i>" in made.text and "look at row 0" in made.text and "Because." in made.text
    assert t["pending"] in made.text


def test_an_untouched_written_answer_is_told_as_missing():
    standing = Standing(raw=3, cells={"written_nb": Manual(comment="No response.")})
    plan = [cell("(Write here.)", "written_nb", "written", grade_id="written_nb")]
    made = Page(render(page(plan=plan, standing=standing), "en"))
    assert words("en")["written_none"] in made.text and "No response." not in made.text


EVIL = "</pre></code><script>alert(1)</script>{{7*7}}\x1b[31m\u202e<img src=x onerror=alert(1)>"


def test_nothing_a_student_writes_can_act():
    told = wrong(Text(EVIL, EVIL), incidents=["died", EVIL])
    cells = [
        cell(EVIL),
        cell(EVIL, "written_nb", "written", grade_id="written_nb"),
        cell(EVIL, EVIL),
    ]
    repairs = [{"cell": EVIL, "zh": EVIL, "en": EVIL, "code": "x"}]
    made = Page(render(page([told, right()], cells, repairs=repairs, student=EVIL), "zh"))
    assert not {"script", "img", "link", "iframe"} & set(made.tags)
    assert not [a for a in made.attributes if a[0].startswith("on") or a[0] == "src"]
    assert "\x1b" not in made.html and "\u202e" not in made.html
    assert "{{7*7}}" in made.text and "49" not in made.text
    policy = [value for name, value in made.attributes if value and "default-src" in value]
    assert policy and "default-src 'none'" in policy[0]
    links = [value for name, value in made.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    assert "http" not in re.sub(r"http-equiv", "", made.html)


@pytest.mark.parametrize("char", ["a", '"', "中", "\u202e", "\x00", "\n", "e\u0301"])
def test_a_page_stays_small_whatever_is_handed_in(char):
    huge = char * 400_000
    cells = [cell(huge), cell(huge, "heads"), cell(huge, "w", "written", grade_id="w")]
    repairs = [{"cell": huge[:5000], "zh": f"{i}{huge[:5000]}", "en": f"{i}"} for i in range(300)]
    standing = Standing(raw=1, cells={"w": Manual(comment=huge, by_hand=1.0)})
    told = wrong(Text(huge, huge), diagnosis=[Text(huge, huge)] * 3, hints=[Text(huge, huge)] * 3)
    content = render(page([told, right()], cells, standing, repairs), "zh")
    assert len(content) <= MAX_BYTES
    Page(content)


@pytest.mark.parametrize(
    ("text", "room", "shown", "cut"),
    [
        ("def f():\n\treturn 1\n", 100, "def f():\n    return 1", False),
        ("a\r\nb\rc", 100, "a\nb\nc", False),
        ("\x1b[31mred\x1b[0m\x07", 100, "red", False),
        ("<&>", 15, "<&>", False),
        ("<&>", 14, "<&", True),
        ("中中", 5, "中", True),
        ("a\u202eb", 100, "a⟨U+202E⟩b", False),
        ("lone \ud800", 100, "lone \ufffd", False),
        ("x" * 1000, 10, "x" * 10, True),
        ("", 0, "", False),
    ],
)
def test_block_keeps_lines_and_counts_bytes(text, room, shown, cut):
    assert block(text, room) == (shown, cut)


def test_every_word_is_there_in_both_languages():
    fields = re.compile(r"{(\w+)}")
    for key, (zh, en) in WORDS.items():
        assert sorted(fields.findall(zh)) == sorted(fields.findall(en)), key
        assert not set("<>&") & set(zh + en), key
