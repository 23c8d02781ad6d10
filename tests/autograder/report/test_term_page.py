"""The term page's figures, worked out by hand; alikeness on classes whose truth is known."""

import math
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from term_simulation import PLANTED, planted_rank, simulated

from autograder.classroom.term import Entry, Term, TermNotebook
from autograder.messages import Text
from autograder.report.data import ClassResults, ExerciseInfo, Outcome, Student
from autograder.report.term_alike import Alike, alike, pair_weights
from autograder.report.term_figures import items, lasting, weeks
from autograder.report.term_page import density, render
from autograder.report.term_traits import RIGHT, Trait, mistake_of, structure
from autograder.results import CaseResult, ExerciseResult

SLIP = Text("把 <b> 写反了", "has <b> the wrong way round")


def outcome(exercise, share, named=(), status="value"):
    """One answer with this share of ten points."""
    ok = share == 1
    case = CaseResult("c", Text("一", "one"), 10 * share, 10.0, "passed" if ok else status)
    certainty = "exact" if named else ""
    return Outcome(ExerciseResult(exercise, [case], named=list(named), certainty=certainty))


def term_of(shares, named=None, entries=None):
    """A term from {notebook: {student: {exercise: share}}}."""
    notebooks, rows = [], {}
    people = sorted({who for given in shares.values() for who in given})
    for name, given in shares.items():
        ids = sorted({e for row in given.values() for e in row})
        infos = tuple(ExerciseInfo(e, 10.0, misconceptions={"slip": SLIP}) for e in ids)
        students = []
        for who, row in given.items():
            told = (named or {}).get((who, name), ())
            found = {e: outcome(e, s, told if s < 1 else ()) for e, s in row.items()}
            points = sum(10 * s for s in row.values())
            students.append(Student(who, points, 10.0 * len(ids), found))
            pairs = tuple((e, (n,)) for e, s in row.items() if s < 1 for n in told)
            rows[who, name] = Entry(
                "graded", final=points, raw=points, core=points, share=points / (10 * len(ids)),
                named=pairs, **(entries or {}).get((who, name), {}),
            )  # fmt: skip
        results = ClassResults(name, infos, tuple(students))
        notebooks.append(TermNotebook(name, 10.0 * len(ids), 0, None, results, infos))
    for who in people:
        for one in notebooks:
            rows.setdefault((who, one.id), Entry("missing"))
    from datetime import datetime

    return Term(tuple(notebooks), dict.fromkeys(people, ""), rows, now=datetime(2026, 1, 1))


def test_discrimination_is_with_the_rest_of_the_whole_term():
    # 24 students: "good" is right where the second notebook is, "odd" where it is not.
    first, second = {}, {}
    for i in range(24):
        strong = float(i < 12)
        first[f"s{i:02d}"] = {"good": strong, "odd": 1 - strong}
        second[f"s{i:02d}"] = {"x": strong, "y": strong}
    rows = {one.exercise.id: one for one in items(term_of({"nb1": first, "nb2": second}))}
    # The rest of "good" is odd, x, y: 2/3 where strong, 1/3 where not. Perfectly in step.
    assert rows["good"].discrimination == pytest.approx(1)
    assert rows["odd"].discrimination == pytest.approx(-1)
    assert rows["odd"].doubtful and not rows["good"].doubtful
    assert (rows["good"].count, rows["good"].mean) == (24, 0.5)


def test_too_few_for_a_discrimination():
    shares = {"nb1": {f"s{i}": {"a": i % 2, "b": 1.0} for i in range(19)}}
    assert all(one.discrimination is None for one in items(term_of(shares)))


def test_weeks_count_lateness_and_who_is_missing():
    term = term_of(
        {"nb1": {"a": {"x": 1.0}, "b": {"x": 0.5}}, "nb2": {"a": {"x": 1.0}}},
        entries={("a", "nb1"): {"days_late": 1}, ("b", "nb1"): {"days_late": 2, "penalty": 1.5}},
    )
    first, second = weeks(term)
    assert (first.late, first.penalised, first.taken, first.missing) == (2, 1, 1.5, 0)
    assert first.shares.median == 75
    assert second.missing == 1


def test_cured_and_lasting():
    wrong, right = {"x": 0.0}, {"x": 1.0}
    term = term_of(
        {
            "nb1": {"cured": wrong, "lasts": wrong, "new": right, "gone": wrong},
            "nb2": {"cured": right, "lasts": wrong, "new": wrong},
        },
        named={
            (w, n): ("slip",) for w in ("cured", "lasts", "new", "gone") for n in ("nb1", "nb2")
        },
    )
    (one,) = lasting(term)
    # "gone" and "new" made it once, in the last notebook that could show it: neither.
    assert (one.made, one.cured, one.lasting) == (4, 1, 1)
    assert one.by_notebook == {"nb1": 3, "nb2": 2}


def test_curves_lose_nobody_at_the_edges():
    # Everybody has 100%: all the mass is at the right end, folded back: the same as in the middle.
    assert density((100.0,))[-1] == pytest.approx(2 * density((50.0,))[25], rel=1e-6)


def test_structure_stays_when_names_strings_and_layout_change():
    one = "def f(x, y):\n    'Says hello.'\n    total = x * 2 + y\n    return print('a', total)\n"
    two = 'def g(aa, b) :\n    # mine\n    zz = (aa*2+b)\n    return print("b", zz)\n'
    assert structure(one) == structure(two) != ""
    assert structure(one) != structure(one.replace("* 2", "* 3"))
    assert structure(one) != structure(one.replace("print", "max").replace("+ y", "- y"))
    assert structure("x = 1") == structure("def f(:") == structure("") == ""
    assert structure(
        "def f(x: int) -> int:\n    y: int = x + x * 2 - x\n    return y"
    ) == structure("def h(x):\n    y = x + x * 2 - x\n    return y")


def test_which_mistakes_can_be_compared():
    assert mistake_of(outcome("e", 1)) == RIGHT
    assert mistake_of(outcome("e", 0, ["b"])) == "named:b"
    assert mistake_of(outcome("e", 0)).startswith("unnamed:")
    assert mistake_of(outcome("e", 0, status="blank")) is None
    assert mistake_of(outcome("e", 0, status="error")) is None


def test_the_weight_is_minus_log_of_how_rare():
    rows = {f"s{i:02d}": Trait(RIGHT) for i in range(20)}
    rows["s00"] = rows["s01"] = Trait("unnamed:a")
    weights = pair_weights({"nb/e": rows})
    assert weights["s00", "s01"] == pytest.approx(math.log(20))
    assert weights["s02", "s03"] == 0
    # Three of 20 are more than a tenth: not unusual any more.
    rows["s02"] = Trait("unnamed:a")
    assert not any(pair_weights({"nb/e": rows}).values())


def test_a_mistake_that_returns_counts_once():
    rows = {f"s{i:02d}": Trait(RIGHT) for i in range(20)}
    rows["s00"] = rows["s01"] = Trait("named:slip")
    once = pair_weights({"nb/e": rows})["s00", "s01"]
    assert pair_weights({"nb/e": rows, "nb2/f": dict(rows)})["s00", "s01"] == pytest.approx(once)


@pytest.mark.parametrize("seed", range(5))
def test_planted_copies_weigh_more_than_every_other_pair(seed):
    assert planted_rank(seed, students=40, exercises=40) == 0


def test_a_small_class_is_not_judged():
    found, _ = simulated(1, students=6, exercises=8)
    assert alike(found, classes=20).classes == 0


def test_copies_are_shown_in_the_order_of_the_ids_and_repeatably():
    found, _ = simulated(3, students=30, exercises=40, copies=True)
    result = alike(found, classes=100)
    assert [pair.students for pair in result.pairs] == list(PLANTED)
    assert all(pair.chance <= 2 / 101 for pair in result.pairs)
    assert result == alike(found, classes=100)
    for pair in result.pairs:
        # What is said to be shared adds up to the weight.
        said = sum(math.log(one.of / (one.holders - 1)) for one in pair.shared)
        assert said == pytest.approx(pair.weight, rel=1e-4)


@pytest.mark.release
def test_a_class_without_copying_is_rarely_accused():
    shown = 0
    for seed in range(100, 200):
        found, _ = simulated(seed, students=40, exercises=40)
        shown += bool(alike(found, seed, 200).pairs)
    assert shown <= 5


class Closed(HTMLParser):
    """Fails on tags that are closed wrongly, and on anything that runs or loads."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "img", "link", "iframe")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in ("line", "polygon")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_page(lang):
    names = ["<script>alert(1)</script>", *(f"s{i:02d}" for i in range(24))]
    shares = {
        nb: {who: {"x": float(i % 3 > 0), "y": 1.0} for i, who in enumerate(names)}
        for nb in ("nb1", "nb2")
    }
    term = term_of(shares, named={(names[0], nb): ("slip",) for nb in shares})
    found, _ = simulated(3, students=30, exercises=40, copies=True)
    page = render(term, alike(found, classes=60), lang, {"nb1": "A", "nb2": "B"}, "class", "now")
    parser = Closed()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert "&lt;b&gt;" in page and "alert(1)</script>" not in page
    assert ("相似不等于抄袭" if lang == "zh" else "Alike isn't copied") in page
    assert page.count("<polygon") == 2
    few = render(term, Alike(students=6), lang, {"nb1": "A", "nb2": "B"}, "class", "now")
    assert ("只有 6 人" if lang == "zh" else "Only 6 students") in few
