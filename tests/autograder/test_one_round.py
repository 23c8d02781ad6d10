"""A loop that is left in its first round is asked about, and only where something is wrong."""

import linecache

import pytest

from autograder import exercise as registry
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.handle import Handle, LocalTransport
from autograder.judge import judge
from autograder.one_round import loops_of_one_round
from autograder.oracles import oracle

ONCE = [
    ("for a in x:\n        t += a\n        return t", (3, 5, "return")),
    ("for a in x:\n        t += a\n        break\n    return t", (3, 5, "break")),
    ("while x:\n        t += x[0]\n        return t", (3, 5, "return")),
    (
        "for a in x:\n        if a:\n            return 1\n        else:\n            return 0",
        (3, 7, "return"),
    ),
    ("for a in x:\n        with y:\n            return a", (3, 5, "return")),
    (
        "for a in x:\n        for b in a:\n            continue\n        return t",
        (3, 6, "return"),
    ),
    ("def g():\n        for a in x:\n            return a\n    return g()", (4, 5, "return")),
]
OFTEN = [
    "for a in x:\n        t += a\n    return t",
    "for a in x:\n        if a:\n            return a",
    "for a in x:\n        if a > 2:\n            continue\n        return a",
    "for a in x:\n        if a:\n            return 1\n        elif t:\n            return 0",
    "for a in x:\n        def g():\n            return a",
    "for a in x:\n        while a:\n            a -= 1",
    "return [a for a in x]",
]


def defined(body, name="f"):
    source = f"def {name}(x, y=0, t=0):\n    y = y\n    {body}\n"
    filename = f"<cell {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope = {}
    exec(compile(source, filename, "exec"), scope)
    return scope


@pytest.mark.parametrize(("body", "found"), ONCE)
def test_a_first_round_that_is_always_the_last_is_found(body, found):
    assert loops_of_one_round([defined(body)["f"]]) == [found]


@pytest.mark.parametrize("body", OFTEN)
def test_a_loop_that_may_go_on_is_left_alone(body):
    assert loops_of_one_round([defined(body)["f"]]) == []


def test_methods_are_looked_at_and_all_else_is_passed_over():
    made = type("Layer", (), {"call": defined(ONCE[0][0])["f"], "size": 3})
    assert loops_of_one_round([made, None, 3, len, print]) == [ONCE[0][1]]
    assert loops_of_one_round([eval("lambda x: x")]) == [], "whose text is nowhere"


@oracle(parts=("total",))
def total(x, *, rows="all"):
    return float(sum(x) if rows == "all" else x[0])


@pytest.fixture
def toy():
    exercise = Exercise("toy", notebook="toy_notebook", points=1, tensors=False)

    @exercise.case(points=1, zh="总和", en="the sum")
    def summed(student, rng):
        x = [1.0, 2.0, 3.0]
        expect(student(x)).equals(total(x))

    yield exercise
    registry._REGISTRY.pop("toy")


def said(exercise, body):
    transport = LocalTransport(defined(body, "toy"))
    return judge(exercise, Handle(transport, exercise), seed=1)


def test_it_is_a_question_below_what_went_wrong(toy):
    result = said(toy, ONCE[0][0])
    told = "The loop in line 3 goes round once at most: its first round already comes to the return"
    assert told in result.message("en") and "in line 5. Is that what you want?" in result.message(
        "en"
    )
    assert (
        "第 3 行的循环最多走一遍：第一遍就会走到第 5 行的 return。是想这样吗？"
        in result.message("zh")
    )
    assert not result.named


def test_nothing_is_asked_of_what_is_right_or_has_a_name(toy):
    right = "while True:\n        return float(sum(x))"
    assert said(toy, right).passed and not said(toy, right).diagnosis
    toy.misconception("first", switch={"rows": "first"}, zh="只看第一个", en="only the first")
    result = said(toy, ONCE[0][0])
    assert result.named == ["first"] and "once at most" not in result.message("en")


@pytest.mark.parametrize("junk", [5, [1], [["a", "b", "return"]], [[1, 2, "<script>"]], {"a": 1}])
def test_whatever_the_other_side_sends_is_no_exception(toy, junk):
    class Junk(LocalTransport):
        def request(self, op):
            reply = super().request(op)
            if op["op"] == "describe":
                reply["value"]["one_round"] = junk
            return reply

    transport = Junk(defined("return 0.0", "toy"))
    result = judge(toy, Handle(transport, toy), seed=1)
    assert result.score == 0 and result.diagnosis == []
