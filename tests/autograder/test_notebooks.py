"""Damaged notebooks: repaired or reported, never an exception; answers found where they are."""

import codecs
import copy
import json
import os

import pytest
from tiny_course import (
    DOUBLE,
    PAIR_SUM,
    SCALE,
    TINY,
    cell,
    filled,
    grade,
    released,
    to_bytes,
)

from autograder.matching import Submission, TrustedError, TrustedNotebook, assemble
from autograder.notebooks import (
    MAX_CELLS,
    MAX_FILE,
    MAX_SOURCE,
    decode,
    defined_names,
    parse,
    read_bytes,
    strip_magics,
)

TRUSTED = TrustedNotebook.from_bytes(to_bytes(released()))
DEFINES = {"double": ["double"], "pair_sum": ["pair_sum"], "Scale": ["Scale"]}


def _assemble(notebook):
    data = notebook if isinstance(notebook, bytes) else to_bytes(notebook)
    return assemble(data, TRUSTED, DEFINES)


def _answers(submission):
    return [submission.answer(name) for name in DEFINES]


def _codes(submission):
    return [note.code for note in submission.repairs]


RIGHT = [DOUBLE, PAIR_SUM, SCALE]


# --- files -----------------------------------------------------------------------------------


def test_a_link_is_never_followed(tmp_path):
    (tmp_path / "secret").write_text("seed")
    (tmp_path / "n.ipynb").symlink_to(tmp_path / "secret")
    data, notes = read_bytes(tmp_path / "n.ipynb")
    assert data is None and notes[0].code == "not_a_file"


def test_what_is_no_file_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder", "missing"):
        data, notes = read_bytes(tmp_path / name)
        assert data is None and len(notes) == 1


def test_the_size_is_limited(tmp_path):
    with open(tmp_path / "big", "wb") as file:
        file.truncate(MAX_FILE + 1)
    assert read_bytes(tmp_path / "big")[1][0].code == "too_large"


@pytest.mark.parametrize(
    ("text", "encoding", "bom", "name"),
    [
        ('{"a": "注意力"}', "utf-8", b"", "UTF-8"),
        ('{"a": "注意力"}', "utf-8", codecs.BOM_UTF8, "UTF-8 (BOM)"),
        ('{"a": "注意力"}', "utf-16-le", codecs.BOM_UTF16_LE, "UTF-16-LE (BOM)"),
        ('{"a": "注意力"}', "utf-16-be", codecs.BOM_UTF16_BE, "UTF-16-BE (BOM)"),
        ('{"a": "plain text", "b": 1}', "utf-16-le", b"", "UTF-16-LE"),
        ('{"a": "plain text", "b": 1}', "utf-16-be", b"", "UTF-16-BE"),
        ('{"a": "带掩码的注意力，查询与键"}', "gb18030", b"", "GB18030"),
        ('{"a": "café, naïve, Zoë"}', "latin-1", b"", "Latin-1"),
    ],
)
def test_encodings(text, encoding, bom, name):
    assert decode(bom + text.encode(encoding)) == (text, name)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b'{"cells": 3}',
        b'{"worksheets": [null, 3]}',
        b'{"cells": [null, 3, {"cell_type": 1, "source": [1]}]}',
        b'{"cells": ' + b"[" * 50_000,
        b'{"nbformat": 4, "cells": [{"metadata": [], "source": "x"}]}',
        b'{"nbformat": 4, "cells": [{"metadata": {"nbgrader": 3, "tags": 3}, "source": "x"}]}',
        b'{"nbformat": 4, "cells": [{"id": 3, "metadata": {"nbgrader": {"grade_id": []}}}]}',
        os.urandom(5000),
    ],
)
def test_anything_can_be_parsed(data):
    notebook = parse(data)
    assert all(isinstance(part.source, str) for part in notebook.cells)
    _assemble(data)


def test_truncated_files_give_what_is_whole():
    text = to_bytes(filled()).decode()
    for cut in (text.index("check-pair"), text.index('"Why?'), len(text) - 1):
        submission = _assemble(text[:cut].encode())
        assert submission.answer("double") == DOUBLE
        assert "truncated" in _codes(submission)


def test_the_old_format_with_worksheets():
    cells = [
        {"cell_type": "code", "input": [DOUBLE], "outputs": [], "metadata": {}},
        {"cell_type": "heading", "source": "x"},
    ]
    submission = _assemble(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode())
    assert submission.answer("double") == DOUBLE
    assert {"old_format", "lost_metadata"} <= set(_codes(submission))


def test_sizes_inside_are_limited():
    many = {"nbformat": 4, "cells": [cell("code", "1", "x")] * (MAX_CELLS + 5)}
    notebook = parse(to_bytes(many))
    assert len(notebook.cells) == MAX_CELLS and notebook.repairs[-1].code == "too_many_cells"
    long = {"nbformat": 4, "cells": [cell("code", "#" * (MAX_SOURCE + 1), "x")]}
    assert parse(to_bytes(long)).cells == []


def test_windows_line_ends_nulls_and_surrogates():
    part = {"cell_type": "code", "source": "a = 1\r\nb\x00 = '\ud800'\rc = 2"}
    notebook = parse(json.dumps({"nbformat": 4, "cells": [part]}).encode())
    assert notebook.cells[0].source == "a = 1\nb = '?'\nc = 2"


# --- IPython's commands ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("!pip install x\na = 1", "pass\na = 1"),
        ("%matplotlib inline\na = 1", "pass\na = 1"),
        ("if True:\n    !ls\n    a = 1", "if True:\n    pass\n    a = 1"),
        ("%%time\na = 1", "pass\na = 1"),
        ("%%bash\nls -l", "# %%bash\n# ls -l"),
        ("files = !ls\na = 1", "files = None\na = 1"),
        ("keras.layers.Dense?\na = 1", "pass\na = 1"),
        ("a = '''\n!pip stays\n'''\n%time a", "a = '''\n!pip stays\n'''\na"),
        ("a = (5\n%3)\n!ls", "a = (5\n%3)\npass"),
        ("a = \"it's\" # '''\n!ls", "a = \"it's\" # '''\npass"),
        ("def f(:\n    !ls", "def f(:\n    !ls"),  # inside the open bracket
    ],
)
def test_commands_are_taken_out_and_lines_keep_their_numbers(source, expected):
    cleaned, removed = strip_magics(source)
    assert cleaned == expected
    assert cleaned.count("\n") == source.count("\n")
    assert bool(removed) == (cleaned != source)


@pytest.mark.parametrize("source", ["a = 5\n%3\n", 's = """\n%run\n"""', "x = 7 % 3", "a != 3"])
def test_python_is_left_alone(source):
    if source.startswith("a = 5"):
        source = "a = (5\n%3)\n"
    assert strip_magics(source) == (source, [])


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (
            "def f():\n    inner = 1\nclass C: pass\na, (b, c) = 1, (2, 3)\nd: int = 4",
            "f C a b c d",
        ),
        ("def f(:\n  pass\nclass K(x:\ny = 3\nz == 4", "f K y"),
        ("import numpy as np", "np"),
    ],
)
def test_defined_names(source, names):
    assert defined_names(source) == set(names.split())


# --- matching --------------------------------------------------------------------------------


def test_roles_of_the_trusted_notebook():
    roles = [part.role for part in TRUSTED.cells]
    named = "- setup answer check experiment answer check answer check - written"
    assert roles == named.replace("-", "").split(" ")
    assert TRUSTED.exercises == list(DEFINES)
    assert TRUSTED.find("check", "Scale").variant == "v1"
    assert TRUSTED.find("check", "double").points == 3


@pytest.mark.parametrize("data", [b"", b"{}", b'{"cells": []}', b'{"cells": [{}]}', b"\xff"])
def test_a_trusted_notebook_must_be_one(data):
    with pytest.raises(TrustedError):
        TrustedNotebook.from_bytes(data)


def test_an_intact_submission_needs_no_repair():
    submission = _assemble(filled())
    assert _answers(submission) == RIGHT and submission.repairs == []
    assert [part.role for part in submission.plan] == [r.role for r in TRUSTED.cells if r.role]


def _without_metadata(notebook):
    for part in notebook["cells"]:
        part["metadata"] = {}
        part.pop("id")


def _reordered(notebook):
    notebook["cells"].reverse()


def _checks_deleted(notebook):
    notebook["cells"] = [c for c in notebook["cells"] if not c["id"].startswith("check")]


def _duplicated(notebook):
    copied = copy.deepcopy(notebook["cells"][2])
    copied["source"] = "def double(x):\n    return 0\n"
    notebook["cells"].insert(2, copied)


def _duplicated_blank_last(notebook):
    copied = copy.deepcopy(notebook["cells"][2])
    copied["source"] = released()["cells"][2]["source"]
    notebook["cells"].append(copied)


def _pasted_elsewhere(notebook):
    notebook["cells"].insert(4, cell("code", DOUBLE, "new"))
    notebook["cells"][2]["source"] = released()["cells"][2]["source"]


def _answer_in_the_check_cell(notebook):
    notebook["cells"][3]["source"] = DOUBLE + 'check("double", double)'
    del notebook["cells"][2]


def _setup_edited(notebook):
    notebook["cells"][1]["source"] += "\nimport math"


def _as_markdown(notebook):
    notebook["cells"][2]["cell_type"] = "markdown"


def _foreign_points(notebook):
    notebook["cells"][3]["metadata"] = grade("check_double", points=1000)


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        (_without_metadata, {"lost_metadata"}),
        (_reordered, set()),
        (_checks_deleted, {"missing_check"}),
        (_duplicated, {"duplicate_cell"}),
        (_duplicated_blank_last, {"duplicate_cell"}),
        (_pasted_elsewhere, {"lost_metadata"}),
        (_answer_in_the_check_cell, {"lost_metadata", "missing_check"}),
        (_setup_edited, set()),
        (_as_markdown, set()),
        (_foreign_points, set()),
    ],
)
def test_answers_are_found(damage, codes):
    notebook = filled()
    damage(notebook)
    submission = _assemble(notebook)
    found = [text.replace('check("double", double)', "") for text in _answers(submission)]
    assert found == RIGHT
    assert codes <= set(_codes(submission)) <= codes | {"missing_check", "lost_metadata"}
    trusted = [part for part in submission.plan if part.trusted]
    assert [part.source for part in trusted] == [
        part.source for part in TRUSTED.cells if part.role in ("setup", "check", "experiment")
    ]


def test_a_deleted_answer_is_reported_and_costs_only_itself():
    notebook = filled()
    del notebook["cells"][2]
    submission = _assemble(notebook)
    assert _answers(submission) == ["", PAIR_SUM, SCALE]
    assert _codes(submission) == ["missing_cell"]


def test_spare_copies_run_before_the_answer_that_counts():
    notebook = filled()
    _duplicated(notebook)
    running = [part for part in _assemble(notebook).plan if part.runs]
    texts = [part.source for part in running]
    assert texts.index(DOUBLE) > texts.index("def double(x):\n    return 0\n")


def test_own_cells_run_where_they_stand():
    notebook = filled()
    notebook["cells"].insert(0, cell("code", "first = 0", "own-1"))
    notebook["cells"].insert(4, cell("code", "after_double = 1", "own-2"))
    notebook["cells"].append(cell("code", 'check("double", double)', "own-3"))
    plan = [part.source for part in _assemble(notebook).plan if part.runs]
    assert plan[0] == "first = 0" and plan[2:4] == [DOUBLE, "after_double = 1"]
    assert 'check("double", double)' not in plan


def test_written_answers_are_kept_even_without_their_label():
    notebook = filled(written="因为 softmax 饱和。")
    plan = {part.grade_id: part.source for part in _assemble(notebook).plan}
    assert plan[f"written_{TINY}"] == "因为 softmax 饱和。"
    _without_metadata(notebook)
    plan = {part.grade_id: part.source for part in _assemble(notebook).plan}
    assert plan[f"written_{TINY}"] == "因为 softmax 饱和。"


def test_commands_in_an_answer_are_reported_and_the_original_is_kept():
    notebook = filled(double="!pip install cheat\n" + DOUBLE)
    submission = _assemble(notebook)
    answer = next(part for part in submission.plan if part.exercise == "double")
    assert answer.source == "pass\n" + DOUBLE and answer.original.startswith("!pip")
    assert _codes(submission) == ["magic"]


def test_reports_carry_no_control_characters():
    submission = _assemble(filled(double="!echo \x1b[31m\u202e\n" + DOUBLE))
    assert all(text.isprintable() for note in submission.repairs for text in (note.zh, note.en))


def test_a_submission_survives_its_journey():
    submission = _assemble(filled())
    back = Submission.from_json(submission.to_json(), TRUSTED)
    assert back == submission


def test_trusted_cells_are_not_taken_from_another_process():
    content = _assemble(filled()).to_json()
    content["plan"][0]["source"] = "import forged"
    with pytest.raises(ValueError, match="trusted"):
        Submission.from_json(content, TRUSTED)


@pytest.mark.parametrize(
    "content",
    [None, {}, {"plan": 3, "repairs": []}, {"plan": [{"role": "x"}], "repairs": []}, {"plan": []}],
)
def test_forged_submissions_are_refused(content):
    with pytest.raises(ValueError, match=r"."):
        Submission.from_json(content, TRUSTED)
