"""What every exercise of every notebook must have, and a fast sample of what its checks can do.

By default each exercise judges four answers: the reference, the blank, one other right answer and
one wrong one, on one seed and in this process. All answers on many seeds are `slow`, and
`autograder variants` runs them in the sandbox.
"""

import ast
import functools
import importlib
import json
import pkgutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from autograder import answers, fixtures, oracles, variants
from autograder.chapters import find
from autograder.drill_sources import read_bugs
from autograder.exercise import all_exercises, load
from autograder.judge import PUBLIC_SEED
from autograder.variant_table import InProcess, exercise_table, healthy

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(find(ROOT / "solutions"))
EXERCISES = [e for e in all_exercises().values() if e.notebook in NOTEBOOKS]
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
every_notebook = pytest.mark.parametrize("notebook", NOTEBOOKS)


@functools.cache
def variants_of(notebook):
    return variants.load_variants(notebook)


def mine(exercise):
    return [v for v in variants_of(exercise.notebook) if v.exercise == exercise.id]


# ------------------------------------------------------------------ the exercises as data


@every_notebook
def test_ids_points_and_order_are_those_that_are_released(notebook):
    """Once submissions exist nbgrader refuses other ones."""
    path = ROOT / "course" / "en" / notebook / f"{notebook}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    released = {m["grade_id"].removeprefix("check_"): m["points"] for m in marks if m.get("locked")}
    assert list(released.items()) == [(e.id, e.points) for e in load(notebook)]


@every_exercise
def test_every_mistake_speaks_both_languages_and_has_two_hints(exercise):
    exercise.validate()
    for text in [c.title for c in exercise.cases] + [p.text for p in exercise.properties]:
        assert text.zh and text.en
    for mistake in exercise.misconceptions.values():
        texts = [mistake.text, *mistake.hints]
        assert len(mistake.hints) == 2, mistake.name
        for text in texts:
            assert any("一" <= sign <= "鿿" for sign in text.zh), mistake.name
            assert not any("一" <= sign <= "鿿" for sign in text.en), mistake.name
            # A call that could be pasted would be the answer.
            assert not any(word in text.en for word in ("ops.where(", "axis=", "sqrt("))


@functools.cache
def known_switches():
    found = set()
    for module in pkgutil.iter_modules(oracles.__path__):
        values = vars(importlib.import_module(f"autograder.oracles.{module.name}")).values()
        found |= {switch for value in values for switch in getattr(value, "switches", ())}
    return found


@every_exercise
def test_every_switch_belongs_to_an_oracle(exercise):
    for mistake in exercise.misconceptions.values():
        for switch in mistake.switches:
            assert set(switch) <= known_switches(), mistake.name


def test_fixtures_are_known_and_used():
    asked = set()
    for path in sorted((ROOT / "autograder" / "exercises").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fixture":
                asked.add(node.args[0].value)
    assert asked <= set(fixtures.BUILDERS), "no such fixture"
    # `scale_by` is for the tests of the machinery.
    assert set(fixtures.BUILDERS) - {"scale_by"} <= asked, "nobody asks for it"


@every_notebook
def test_the_drill_and_its_exercise_know_the_same_bugs(notebook):
    (drill,) = [e for e in load(notebook) if e.kind == "drill"]
    bugs = read_bugs(ROOT / "solutions" / notebook / "drill.py")
    assert tuple(bug.key for bug in bugs) == drill.variants
    assert len({bug.source for bug in bugs}) == len(bugs)


@every_exercise
def test_there_are_enough_variants_and_they_fit_the_reference(exercise):
    found = mine(exercise)
    assert sum(v.right for v in found) >= 3 and sum(not v.right for v in found) >= 8
    base = answers.reference(exercise)
    texts = [(v.key, v.text(base)) for v in found]
    assert len(set(texts)) == len(texts)
    known = set(exercise.misconceptions)
    for v in found:
        assert v.right or (v.names and set(v.names) <= known), v.name


# ------------------------------------------------------------------ what the checks can do


def table(exercise, chosen, seeds):
    """The exercise's line in the table of variants, and what wasn't as it should be."""
    found = []
    row = exercise_table(
        exercise, load(exercise.notebook), chosen, InProcess, seeds=seeds, report=found.append
    )
    return row, found


def sample(exercise, key=None):
    """One right and one wrong answer, always the same ones, spread over the lists."""
    found = [v for v in mine(exercise) if key is None or v.key == key]
    number = zlib.crc32(exercise.id.encode())
    kinds = [[v for v in found if v.right is right] for right in (True, False)]
    return [kind[number % len(kind)] for kind in kinds]


@every_exercise
def test_the_checks_tell_right_from_wrong(exercise):
    key = exercise.variants[-1] if exercise.variants else None
    row, found = table(exercise, sample(exercise, key), [PUBLIC_SEED])
    assert not found and healthy([row])
    assert row["right"]["total"] == row["wrong"]["total"] == 1


@pytest.mark.slow
@every_exercise
def test_every_variant(exercise):
    row, found = table(exercise, mine(exercise), [PUBLIC_SEED, 1, 2])
    assert not found and healthy([row])


@pytest.mark.slow
@every_exercise
def test_right_answers_keep_full_marks_on_fifty_seeds(exercise):
    row, found = table(exercise, [v for v in mine(exercise) if v.right], range(50))
    assert not found and healthy([row])


def test_order_does_not_depend_on_what_was_imported_first():
    code = (
        "import autograder.exercises.ch01b_6_drill, autograder.exercises.ch01a_4_gru\n"
        "from autograder.exercise import all_exercises, load\n"
        "print([e.id for e in load('ch01b_words_and_windows')], list(all_exercises())[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = [e.id for e in load("ch01b_words_and_windows")]
    assert done.stdout.strip() == f"{expected} {next(iter(all_exercises()))}"
    assert expected[0] == "ngram_lm" and expected[-1].startswith("drill_")
