"""Answers in the wrong cell, in several cells, in none: found, put together, or reported."""

import copy
import json

import pytest
from tiny_course import DOUBLE, PAIR_SUM, SCALE, TINY, cell, filled, grade, released, to_bytes

from autograder.matching import Submission, TrustedNotebook, assemble

TRUSTED = TrustedNotebook.from_bytes(to_bytes(released()))
DEFINES = {"double": ["double"], "pair_sum": ["pair_sum"], "Scale": ["Scale"]}
BLANK = {part["id"]: part["source"] for part in released()["cells"]}
IDS = ("answer-double", "answer-pair", "answer-scale")


def _assemble(notebook, defines=DEFINES):
    found = assemble(to_bytes(notebook), TRUSTED, defines)
    return Submission.from_json(json.loads(json.dumps(found.to_json())), TRUSTED)


def _codes(submission):
    return {note.code for note in submission.repairs}


def _defined(submission):
    """What running all cells in order defines, by the text that made it."""
    made = {}
    for part in submission.plan:
        if part.runs and part.role != "setup":
            for name in ("double", "pair_sum", "Scale"):
                if f"def {name}(" in part.source or f"class {name}(" in part.source:
                    made[name] = part.source
    return made


def _at(notebook, cell_id):
    return next(n for n, part in enumerate(notebook["cells"]) if part["id"] == cell_id)


def _set(notebook, **texts):
    for part in notebook["cells"]:
        part["source"] = texts.get(part["id"].replace("-", "_"), part["source"])
    return notebook


# --- pasted into another cell ----------------------------------------------------------------


def _swapped(notebook):
    _set(notebook, answer_double=PAIR_SUM, answer_pair=DOUBLE)


def _rotated(notebook):
    _set(notebook, answer_double=PAIR_SUM, answer_pair=SCALE, answer_scale=DOUBLE)


def _all_in_the_first(notebook):
    text = "\n".join([DOUBLE, PAIR_SUM, SCALE])
    blank = {"answer_pair": BLANK["answer-pair"], "answer_scale": BLANK["answer-scale"]}
    _set(notebook, answer_double=text, **blank)


def _all_in_the_last(notebook):
    text = "\n".join([DOUBLE, PAIR_SUM, SCALE])
    blank = {"answer_double": BLANK["answer-double"], "answer_pair": ""}
    _set(notebook, answer_scale=text, **blank)


def _all_in_a_new_cell(notebook):
    notebook["cells"] = [part for part in notebook["cells"] if part["id"] not in IDS]
    notebook["cells"].append(cell("code", "\n".join([DOUBLE, PAIR_SUM, SCALE]), "new"))


def _later_one_into_an_earlier_cell(notebook):
    """The answer comes first and the empty form of it later; that one must not win."""
    _set(notebook, answer_double=DOUBLE + "\n" + PAIR_SUM, answer_pair=BLANK["answer-pair"])


def _into_a_check_cell(notebook):
    _set(notebook, check_pair=PAIR_SUM + 'check("pair_sum", pair_sum)', answer_pair="")


def _into_the_setup(notebook):
    notebook["cells"][1]["source"] += "\n" + DOUBLE
    _set(notebook, answer_double=BLANK["answer-double"])


def _into_the_experiment(notebook):
    notebook["cells"][4]["source"] = PAIR_SUM
    _set(notebook, answer_pair=BLANK["answer-pair"])


def _into_text(notebook):
    notebook["cells"].insert(4, cell("markdown", DOUBLE, "new"))
    _set(notebook, answer_double=BLANK["answer-double"])


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (_swapped, "wrong_cell"),
        (_rotated, "wrong_cell"),
        (_all_in_the_first, "wrong_cell"),
        (_all_in_the_last, "wrong_cell"),
        (_all_in_a_new_cell, "lost_metadata"),
        (_later_one_into_an_earlier_cell, "wrong_cell"),
        (_into_a_check_cell, "lost_metadata"),
        (_into_the_setup, "lost_metadata"),
        (_into_the_experiment, "lost_metadata"),
        (_into_text, "lost_metadata"),
    ],
)
def test_answers_in_the_wrong_place(damage, code):
    notebook = filled()
    damage(notebook)
    submission = _assemble(notebook)
    made = _defined(submission)
    for name, text in (("double", DOUBLE), ("pair_sum", PAIR_SUM), ("Scale", SCALE)):
        assert text.strip() in made[name], name
        assert text.strip() in submission.answer(name), name
    assert code in _codes(submission)
    running = [part.source for part in submission.plan if part.runs and part.role != "setup"]
    assert len(running) == len(set(running)), "something runs twice"


# --- split -----------------------------------------------------------------------------------

LONG = "def double(x):\n    y = x\n    return y + x\n"
CLASS = SCALE.splitlines()


@pytest.mark.parametrize("labels", ["both", "first", "second", "none"])
@pytest.mark.parametrize("at", [1, 2])
def test_a_function_split_in_two(labels, at):
    lines = LONG.splitlines()
    notebook = filled(double="\n".join(lines[:at]))
    place = _at(notebook, "answer-double")
    first = notebook["cells"][place]
    second = cell("code", "\n".join(lines[at:]), "new")
    if labels in ("both", "second"):
        second["metadata"] = copy.deepcopy(first["metadata"])
    if labels in ("second", "none"):
        first["metadata"], first["id"] = {}, "old"
    notebook["cells"].insert(place + 1, second)
    submission = _assemble(notebook)
    assert submission.answer("double") == LONG.strip()
    assert "split_cell" in _codes(submission)
    assert _defined(submission)["double"] == LONG.strip()


def test_a_class_in_three_pieces():
    pieces = ["\n".join(CLASS[:1]), "\n".join(CLASS[1:4]), "\n".join(CLASS[4:])]
    notebook = filled(scale=pieces[0])
    place = _at(notebook, "answer-scale") + 1
    notebook["cells"][place:place] = [cell("code", p, f"n{i}") for i, p in enumerate(pieces[1:])]
    submission = _assemble(notebook)
    assert submission.answer("Scale") == "\n".join(pieces)
    split = next(note for note in submission.repairs if note.code == "split_cell")
    assert "3" in split.zh and "3" in split.en


@pytest.mark.parametrize("labelled", [True, False])
def test_two_names_of_one_exercise_in_two_cells(labelled):
    defines = {**DEFINES, "double": ["double", "half"]}
    half = "def half(x):\n    return x / 2\n"
    notebook = filled()
    place = _at(notebook, "answer-double")
    mark = grade("answer_double", solution=True) if labelled else {}
    notebook["cells"].insert(place + 1, cell("code", "between = 1", "own"))
    notebook["cells"].insert(place + 2, cell("code", half, "new", mark))
    submission = _assemble(notebook, defines)
    assert submission.answer("double") == DOUBLE + "\n" + half
    assert "split_cell" in _codes(submission)


def test_a_helper_in_a_cell_of_its_own_stays_there():
    notebook = filled(double="def double(x):\n    return helper(x)\n")
    place = _at(notebook, "answer-double")
    helper = "def helper(x):\n    return x + x\n"
    notebook["cells"].insert(place, cell("code", helper, "own"))
    submission = _assemble(notebook)
    assert submission.repairs == []
    running = [part.source for part in submission.plan if part.runs]
    assert helper in running


def test_a_broken_cell_of_ones_own_is_not_drawn_into_an_answer():
    notebook = filled()
    notebook["cells"].insert(_at(notebook, "answer-double") + 1, cell("code", "print(", "own"))
    submission = _assemble(notebook)
    assert submission.answer("double") == DOUBLE and submission.repairs == []


# --- as Jupyter reads them -------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "    " + text.replace("\n", "\n    ").rstrip(),
        lambda text: ">>> " + text.strip().replace("\n", "\n... "),
        lambda text: "get_ipython().run_line_magic('matplotlib', 'inline')\n" + text,
        lambda text: "!pip install a \\\n   b \\\n   c\n" + text,
        lambda text: "%%time\n" + text,
        lambda text: "%time import math\n" + text,
        lambda text: text + "?double\n",
    ],
)
def test_what_runs_in_jupyter_runs(change):
    handed = change(DOUBLE)
    submission = _assemble(filled(double=handed))
    part = next(part for part in submission.plan if part.exercise == "double")
    space = {}
    exec(part.source, space)
    assert space["double"](4) == 8 and part.original == handed


# --- written answers -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["markdown", "code", "raw"])
def test_a_written_answer_in_a_cell_of_another_kind(kind):
    notebook = filled(written="because")
    notebook["cells"][-1]["cell_type"] = kind
    submission = _assemble(notebook)
    assert submission.plan[-1].source == "because" and not submission.plan[-1].runs
    assert all("because" not in part.source for part in submission.plan if part.runs)


@pytest.mark.parametrize("where", ["question", "new cell", "new cell before the label"])
def test_a_written_answer_beside_its_cell(where):
    notebook = filled()
    if where == "question":
        notebook["cells"][-2]["source"] += "\n\nBecause the softmax saturates."
    else:
        place = len(notebook["cells"]) - (where != "new cell")
        notebook["cells"].insert(place, cell("markdown", "Because the softmax saturates.", "n"))
    submission = _assemble(notebook)
    assert submission.plan[-1].source.endswith("Because the softmax saturates.")
    assert _codes(submission) == {"wrong_cell"}


def test_no_written_answer_is_made_up():
    submission = _assemble(filled())
    assert submission.plan[-1].source == BLANK["written"] and submission.repairs == []


# --- what comes from the other process -------------------------------------------------------


def _tampered():
    """Changes to a plan, each of which must be refused."""
    yield lambda plan: plan[0].update(source="import forged")
    yield lambda plan: plan[1].update(elsewhere=1)
    yield lambda plan: plan[1].update(source=3)
    yield lambda plan: plan[1].update(role="setup")
    yield lambda plan: plan[1].update(exercise="Scale")
    yield lambda plan: plan[1].update(grade_id="check_double")
    yield lambda plan: plan[1].update(index=-8)
    yield lambda plan: plan[1].update(index=True)
    yield lambda plan: plan[1].update(index=1000)
    yield lambda plan: plan[1].update(name=plan[0]["name"])
    yield lambda plan: plan[1].update(extra=1)
    yield lambda plan: plan.append(dict(plan[1], name="again"))
    yield lambda plan: plan.reverse()
    yield lambda plan: plan.pop()
    yield lambda plan: plan.clear()
    yield lambda plan: plan[2].update(elsewhere=True)


@pytest.mark.parametrize("change", list(_tampered()))
def test_a_forged_plan_is_refused(change):
    content = json.loads(json.dumps(assemble(to_bytes(filled()), TRUSTED, DEFINES).to_json()))
    change(content["plan"])
    with pytest.raises(ValueError, match=r"."):
        Submission.from_json(content, TRUSTED)


def test_the_notebook_of_these_tests_is_what_they_think():
    assert TRUSTED.exercises == list(DEFINES) and TRUSTED.cells[-1].grade_id == f"written_{TINY}"
