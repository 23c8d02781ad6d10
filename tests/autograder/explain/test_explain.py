"""`explain` shows what went in, what came out and where it differs, and nothing can act on it."""

import argparse
import json

import numpy as np
import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, TINY

from autograder import exercise as registry
from autograder.errors import CommandError
from autograder.expectations import Observation, expect
from autograder.explain import cli
from autograder.explain.replay import nearly, replay
from autograder.explain.shown import FULL, as_lines, differing, shown
from autograder.oracles import oracle
from autograder.running import How
from autograder.submissions import open_assignment


@oracle()
def doubled(x, *, factor=2):
    return factor * np.asarray(x)


@pytest.fixture
def course(tmp_path, tiny):
    """The tiny class, with an oracle and a named mistake for `double`."""
    double = registry.get("double")
    double.misconception("tripled", switch={"factor": 3}, zh="乘了三。", en="Three times.")
    double.misconception("halved", switch={"factor": 0.5}, zh="减半。", en="Half of it.")
    double.cases.clear()

    @double.case(points=1, zh="一个数", en="one number")
    def one(student, rng):
        x = rng.normal(size=5)
        expect(student(x)).equals(doubled(x))

    @double.case(points=2, zh="很多数", en="many numbers")
    def many(student, rng):
        x = rng.normal(size=(9, 11))
        expect(student(x[0])).equals(doubled(x[0]))
        expect(student(x)).equals(doubled(x))

    return make_class(tmp_path / "class")


def told(course, warm, exercise="double", **answers):
    submit(course, "anna", **answers)
    (handed,) = course.handed_in(TINY)
    assignment = open_assignment(TINY, course.released(TINY), course.seed)
    return replay(handed, assignment, exercise, How(limits=LIMITS, spawner=warm))


def test_a_named_mistake_is_shown_with_its_values(course, warm):
    found = told(course, warm, double="def double(x):\n    return 3 * x\n")
    assert (found["score"], found["named"], found["certainty"]) == (0, ["tripled"], "exact")
    first, second = found["cases"]
    x = np.array(first["inputs"]["x"]["values"])
    np.testing.assert_allclose(first["answer"]["values"], 3 * x, rtol=1e-4)
    np.testing.assert_allclose(first["expected"]["values"], 2 * x, rtol=1e-4)
    worst = int(np.argmax(np.abs(x)))
    assert first["differ"][0]["at"] == [worst] and first["differ"][0]["part"] == "result"
    assert second["inputs"]["x"]["shape"] == [11]  # it ended at the first of its two comparisons
    assert found["nearly"] == []


def test_a_mistake_that_almost_fits_is_told(course, warm):
    source = "def double(x):\n    y = 3.0 * x\n    y[..., 0] = 7.0\n    return y\n"
    found = told(course, warm, double=source)
    assert found["named"] == []
    (one,) = found["nearly"]
    # 4 of 5 values and 10 of 11 are three times the input.
    assert one["name"] == "tripled" and one["share"] == pytest.approx(
        (4 / 5 + 10 / 11) / 2, abs=1e-3
    )
    text = "\n".join(cli.describe(found, "en"))
    assert "Three times." in text and "86% of the values fit" in text


def test_the_registry_and_other_exercises_are_left_alone(course, warm):
    before = [(e.id, list(e.cases)) for e in registry._REGISTRY.values()]
    found = told(course, warm)
    assert found["score"] == found["max_score"] == 3
    assert [(e.id, list(e.cases)) for e in registry._REGISTRY.values()] == before
    assert cli.describe(found, "zh")[-1] == cli.ALL_PASSED["zh"]
    shown_anyway = "\n".join(cli.describe(found, "zh", every=True))
    assert "✓ one (1/1)" in shown_anyway


def test_errors_hangs_and_hostile_answers_are_told_harmlessly(course, warm):
    source = "def double(x):\n    raise ValueError('\\x1b[31m\\u202e' + 'y' * 9999)\n"
    text = "\n".join(cli.describe(told(course, warm, double=source), "en"))
    assert "ValueError" in text and "\x1b" not in text and "\u202e" not in text
    assert max(map(len, text.split("\n"))) < 1500
    text = "\n".join(cli.describe(told(course, warm, double="def double(x: oops"), "en"))
    assert cli.CELL["en"].split("{")[0] in text and "SyntaxError" in text
    hang = "def double(x):\n    while True: pass\n"
    text = "\n".join(cli.describe(told(course, warm, double=hang), "en"))
    assert "timeout" in text and cli.NO_VALUES["en"] in text
    strange = (
        "import numpy as np\ndef double(x):\n    return np.array(['\\x1b]0;t\\x07', '\\u202ez'])\n"
    )
    text = "\n".join(cli.describe(told(course, warm, double=strange), "en"))
    assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text


def command(*argv):
    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers(dest="command"))
    return cli.run(parser.parse_args(["explain", *map(str, argv)]))


def test_the_command_names_what_it_does_not_find(course):
    submit(course, "anna")
    place = ("--course", course.root)
    with pytest.raises(CommandError, match=r"student .*'anne'.*Did you mean 'anna'"):
        command("anne", "double", *place)
    with pytest.raises(CommandError, match=r"exercise 'doubel'.*Did you mean 'double'"):
        command("anna", "doubel", *place)
    with pytest.raises(CommandError, match=r"case of double 'onee'.*Did you mean 'one'"):
        command("anna", "double", *place, "--case", "onee")


def test_the_command_replays_in_a_sandbox_of_its_own(course, capsys):
    submit(course, "anna", double="def double(x):\n    return 3 * x\n")
    argv = ("anna", "double", "--course", course.root, "--notebook", TINY, "--case", "one")
    assert command(*argv, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [case["name"] for case in found["cases"]] == ["one"] and found["named"] == ["tripled"]


def test_short_values_are_whole_and_long_ones_a_line():
    assert shown(np.arange(6).reshape(2, 3))["values"] == [[0, 1, 2], [3, 4, 5]]
    long = np.linspace(-1, 3, FULL + 1)
    about = shown(long)
    assert "values" not in about and (about["least"], about["most"]) == (-1, 3)
    assert about["mean"] == pytest.approx(1) and len(about["first"]) == 6
    assert len(as_lines(about)) == 1
    assert shown(np.float32(2.5)) in (2.5, {"shape": [], "dtype": "float32", "values": 2.5})


@pytest.mark.parametrize(
    "value",
    [
        *(float("nan"), float("-inf"), 10**400, None, True, "text\x1b[31m", b"\xff"),
        np.array([np.nan, np.inf]),
        np.array(["\x1b]0;x\x07"] * 3),
        np.zeros((0, 4)),
        np.array(5, "uint8"),
        np.full(200, np.nan),
        [[[[[[1]]]]]],
        {"a\x1b": [np.ones(3)] * 100},
        np.array([object()], dtype=object),
    ],
)
def test_everything_becomes_plain_json_and_plain_lines(value):
    about = shown(value)
    text = json.dumps(about, allow_nan=False)
    assert len(text) < 20_000
    lines = "\n".join(as_lines(about))
    assert "\x1b" not in lines and "\x07" not in lines


def test_differences_come_worst_first_and_are_few():
    want = np.zeros((4, 5))
    got = want.copy()
    got[1, 2], got[3, 0], got[0, 0] = 0.5, -2.0, np.nan
    places = differing(got, want, 1e-6, 1e-6)
    assert [place["at"] for place in places] == [[0, 0], [3, 0], [1, 2]]
    assert len(differing(want + 1, want, 1e-6, 1e-6)) == 8
    parts = differing((want, got), (want, want), 1e-6, 1e-6)
    assert {place["part"] for place in parts} == {1}
    # Another form has no places; the case's own sentence says what differs.
    for other in (np.zeros((5, 4)), None, np.array(["a"]), [1, 2]):
        assert differing(other, want, 1e-6, 1e-6) == []


def test_nearly_needs_more_than_the_right_answer_gives(course):
    x = np.array([0.0, 0.0, 0.0, 1.0])
    close = Observation(np.array([0.0, 0.0, 0.0, 9.0]), doubled(x), difference="it differs")
    # Three zeros of four fit every factor, the right one too: no reason to suspect any.
    assert nearly(registry.get("double"), [close], {"named": []}) == []
