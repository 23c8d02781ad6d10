"""Files that are damaged in every way we could think of: what is whole is found, nothing raises."""

import codecs
import json
import random
import re
import time

import pytest
from tiny_course import DOUBLE, PAIR_SUM, SCALE, cell, filled, grade, released, to_bytes

from autograder.handed_files import MAX_FILE, read_bytes
from autograder.matching import Submission, TrustedNotebook, assemble
from autograder.notebooks import MAX_CELLS, MAX_TOTAL, parse, without_outputs
from autograder.repairs import SENTENCES

TRUSTED = TrustedNotebook.from_bytes(to_bytes(released()))
DEFINES = {"double": ["double"], "pair_sum": ["pair_sum"], "Scale": ["Scale"]}
RIGHT = [DOUBLE, PAIR_SUM, SCALE]


def _assemble(data):
    """The submission, after the journey that it makes between two processes."""
    found = assemble(data if isinstance(data, bytes) else to_bytes(data), TRUSTED, DEFINES)
    return Submission.from_json(json.loads(json.dumps(found.to_json())), TRUSTED)


def _answers(submission):
    return [submission.answer(name) for name in DEFINES]


def _codes(submission):
    return [note.code for note in submission.repairs]


def _chinese():
    """A submission with Chinese in every kind of cell, and pictures, as nbformat writes it."""
    notebook = filled(
        double=DOUBLE + "# 两倍：把 x 与自己相加\n", written="因为 softmax 饱和，梯度消失。"
    )
    for number, part in enumerate(notebook["cells"]):
        part["metadata"] = dict(sorted(part["metadata"].items()))
        if part["cell_type"] == "code":
            text = {"image/png": "iVBORw0KGgo=" * 9, "text/plain": "图 “一”\n[{\\"}
            part["outputs"] = [{"data": text, "output_type": "display_data", "metadata": {}}]
            part["execution_count"] = number
    return notebook


def _written(notebook, encoding):
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    mark = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else b""
    return mark + text.encode(encoding)


# --- cut and torn ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "gb18030"])
def test_whatever_is_cut_off_what_is_before_it_is_found(encoding):
    """Cut at seeded places, and at each of the last bytes: the cells are those of the beginning."""
    data = _written(_chinese(), encoding)
    whole = [(c.kind, c.source) for c in parse(data).cells]
    assert len(whole) == len(_chinese()["cells"])
    cuts = random.Random(3).sample(range(len(data)), 200) + list(range(len(data) - 20, len(data)))
    counts = set()
    for cut in cuts:
        found = parse(data[:cut])
        assert [(c.kind, c.source) for c in found.cells] == whole[: len(found.cells)], cut
        assert found.repairs or cut > len(data) - 3, cut
        counts.add(len(found.cells))
    assert counts == set(range(len(whole) + 1))


def test_broken_bytes_anywhere_stop_nothing():
    data, rng = _written(_chinese(), "utf-8"), random.Random(5)
    for _ in range(300):
        broken = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            broken[rng.randrange(len(data))] = rng.randrange(256)
        _assemble(bytes(broken))


def test_one_broken_byte_of_chinese_costs_one_character():
    data = _written(_chinese(), "utf-8")
    place = data.index("饱和".encode()) + 1
    notebook = parse(data[:place] + b"\xff" + data[place + 1 :])
    assert {note.code for note in notebook.repairs} == {"bad_characters"}
    assert "因为 softmax" in notebook.cells[-1].source and "梯度消失" in notebook.cells[-1].source


def test_a_cell_that_is_torn_costs_itself():
    text = to_bytes(filled()).decode()
    torn = text.replace('"id": "check-double"', '"id": "check-dou')
    submission = _assemble(torn.encode())
    assert _answers(submission) == RIGHT and "truncated" in _codes(submission)


def test_marks_of_a_merge_conflict():
    """Git leaves both versions of a cell, with lines between that are no JSON."""
    text = json.dumps(filled(), indent=1)
    mine = json.dumps(cell("code", DOUBLE, "answer-double", grade("answer_double", solution=True)))
    start = text.index(' {\n   "cell_type": "code",\n   "id": "check-double"')
    both = f"<<<<<<< HEAD\n{mine},\n=======\n{mine}\n>>>>>>> theirs\n"
    submission = _assemble((text[:start] + both + text[start:]).encode())
    assert _answers(submission) == RIGHT
    assert {"truncated", "duplicate_cell"} <= set(_codes(submission))


@pytest.mark.parametrize("rest", [b"\x00" * 4096, b"\n\x1a", b"}", b"null", b" <html>"])
def test_something_after_the_end(rest):
    submission = _assemble(to_bytes(filled()) + rest)
    assert _answers(submission) == RIGHT
    assert _codes(submission) in ([], ["trailing"])


# --- encodings and line ends -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", codecs.BOM_UTF8),
        ("utf-8", codecs.BOM_UTF8 * 2),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-32-be", b""),
        ("gb18030", b""),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding, mark, ends):
    text = json.dumps(_chinese(), ensure_ascii=False, indent=1).replace("\n", ends)
    submission = _assemble(mark + text.encode(encoding))
    assert submission.answer("double") == DOUBLE + "# 两倍：把 x 与自己相加\n"
    assert submission.plan[-1].source == "因为 softmax 饱和，梯度消失。"
    assert _codes(submission) == ([] if (encoding, mark) == ("utf-8", b"") else ["encoding"])


def test_latin_1():
    notebook = filled(double=DOUBLE + "# doppelt heißt: das Zweifache, naïvement, à peu près\n")
    data = json.dumps(notebook, ensure_ascii=False).encode("latin-1")
    submission = _assemble(data)
    assert submission.answer("double").endswith("heißt: das Zweifache, naïvement, à peu près\n")
    assert _codes(submission) == ["encoding"]


def test_line_ends_inside_cells():
    for ends in ("\r\n", "\r"):
        notebook = filled(double=DOUBLE.replace("\n", ends))
        assert _answers(_assemble(notebook)) == RIGHT


# --- formats ---------------------------------------------------------------------------------


def _version_3(notebook):
    cells = []
    for part in notebook["cells"]:
        old = {"cell_type": part["cell_type"], "metadata": part["metadata"]}
        if part["cell_type"] == "code":
            lines = part["source"].splitlines(keepends=True)
            old |= {"input": lines, "language": "python", "outputs": [], "prompt_number": 1}
        else:
            old["source"] = [part["source"]]
        cells.append(old)
    heading = {"cell_type": "heading", "level": 1, "metadata": {}, "source": "x"}
    sheets = [{"cells": [heading, *cells[:5]], "metadata": {}}, {"cells": cells[5:]}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}


def _version_2(notebook):
    old = _version_3(notebook)
    for part in (part for sheet in old["worksheets"] for part in sheet["cells"]):
        part.pop("metadata", None)
        if "input" in part:
            part["input"] = "".join(part["input"])
    return old | {"nbformat": 2}


def _version_1(notebook):
    cells = [
        {"cell_type": "code", "code": part["source"], "prompt_number": 1}
        if part["cell_type"] == "code"
        else {"cell_type": "text", "text": part["source"]}
        for part in notebook["cells"]
    ]
    return {"nbformat": 1, "cells": cells}


@pytest.mark.parametrize("old", [_version_3, _version_2, _version_1])
def test_old_formats(old):
    submission = _assemble(old(filled(written="because")))
    assert _answers(submission) == RIGHT and submission.plan[-1].source == "because"
    assert "old_format" in _codes(submission)


@pytest.mark.parametrize("between", ["", "\n", "\n\n", ",", "\ufeff", "\x00\n"])
def test_two_notebooks_in_one_file(between):
    first = filled(double=released()["cells"][2]["source"])
    second = filled(pair_sum=released()["cells"][5]["source"])
    data = json.dumps(first) + between + json.dumps(second)
    submission = _assemble(data.encode())
    assert _answers(submission) == RIGHT and "joined" in _codes(submission)
    cut = _assemble(data[: len(json.dumps(first)) + len(between) + 900].encode())
    assert cut.answer("pair_sum") == PAIR_SUM and "truncated" in _codes(cut)


def test_the_cells_of_another_notebook_pasted_in():
    notebook = filled()
    foreign = [
        cell("code", "def other(x):\n    return x\n", "z1", grade("answer_other", solution=True)),
        cell("code", 'check("other", other)', "z2", grade("check_other", 9)),
        cell("markdown", "*your answer*", "z3", grade("written_other", 3, solution=True)),
    ]
    notebook["cells"] = [*foreign, *notebook["cells"], *foreign]
    submission = _assemble(notebook)
    assert _answers(submission) == RIGHT
    assert [p.grade_id for p in submission.plan if p.grade_id] == [
        c.grade_id for c in TRUSTED.cells if c.grade_id
    ]


# --- odd JSON --------------------------------------------------------------------------------


def test_deep_json_in_one_cell_costs_nothing_else():
    text = to_bytes(filled()).decode()
    deep = "[" * 100_000 + "]" * 100_000
    broken = text.replace('"id": "check-double"', f'"id": "check-double", "x": {deep}')
    submission = _assemble(broken.encode())
    assert _answers(submission) == RIGHT
    assert {"truncated", "missing_check"} <= set(_codes(submission))


def test_a_key_that_occurs_twice():
    """The later one counts, as everywhere; but an empty one does not hide a full one."""
    text = to_bytes(filled()).decode()
    for extra in ('"cells": [], ', '"cells": null, '):
        for twice in (text.replace('"metadata": {"course"', extra + '"metadata": {"course"'),):
            submission = _assemble(twice.encode())
            assert _answers(submission) == RIGHT and _codes(submission) == ["duplicate_keys"]
    other = text.replace(
        '"source": "def double', '"source": "def wrong(): pass", "source": "def double'
    )
    assert _answers(_assemble(other.encode())) == RIGHT


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999", "7" * 5000, "-0.0", "true"])
@pytest.mark.parametrize("key", ["execution_count", "x"])
def test_numbers_that_are_none(value, key):
    text = to_bytes(filled()).decode().replace('"execution_count": null', f'"{key}": {value}')
    submission = _assemble(text.encode())
    assert _answers(submission) == RIGHT and submission.repairs == []


@pytest.mark.parametrize("source", [None, 3, True, {"a": 1}, 1.5, [[]], [None, 3]])
def test_sources_that_are_no_text(source):
    notebook = filled()
    notebook["cells"].insert(3, cell("code", source, "own"))
    submission = _assemble(notebook)
    assert _answers(submission) == RIGHT
    assert _codes(submission)[0] in ("broken_cell", "broken_lines")


def test_lines_that_are_no_text_are_taken_out():
    notebook = filled()
    notebook["cells"][2]["source"] = [*DOUBLE.splitlines(keepends=True), None, 7]
    submission = _assemble(notebook)
    assert _answers(submission) == RIGHT and _codes(submission) == ["broken_lines"]


@pytest.mark.parametrize("kind", [None, 3, "", "CODE", [], {}])
def test_cells_of_no_known_kind(kind):
    notebook = filled()
    notebook["cells"][2]["cell_type"] = kind
    assert _answers(_assemble(notebook)) == RIGHT


def test_surrogates_and_marks_inside_texts():
    text = to_bytes(filled(double="\ufeff" + DOUBLE)).decode()
    text = text.replace("# Tiny", "\\ud800 # Tiny \\udc00")
    assert _answers(_assemble(text.encode())) == RIGHT


# --- size ------------------------------------------------------------------------------------


def test_a_hundred_thousand_cells():
    notebook = filled()
    flood = [cell("code", f"a{n} = {n}", f"f{n}") for n in range(100_000)]
    empty = [cell("code", "", f"e{n}") for n in range(5000)]
    notebook["cells"] = empty + notebook["cells"][:2] + flood + notebook["cells"][2:]
    started = time.perf_counter()
    submission = _assemble(notebook)
    assert time.perf_counter() - started < 20
    assert _answers(submission) == RIGHT and "too_many_cells" in _codes(submission)
    assert len(submission.plan) <= 2 * MAX_CELLS


def test_a_hundred_thousand_broken_cells_give_a_short_list():
    cells = [3, None, [], {}, {"cell_type": "code", "source": 3}] * 20_000
    submission = _assemble({"nbformat": 4, "cells": [*cells, *filled()["cells"]]})
    assert _answers(submission) == RIGHT
    assert len(submission.repairs) < 50 and "more" in _codes(submission)


def test_a_large_text_still_fits_into_a_reply():
    cells = [cell("code", f"a{n} = '" + "\U0001f600" * 40_000 + "'", f"f{n}") for n in range(50)]
    found = parse(to_bytes({"nbformat": 4, "cells": cells}))
    assert found.cells and found.repairs[-1].code == "more"
    assert sum(len(json.dumps(part.source)) for part in found.cells) <= MAX_TOTAL


def test_outputs_are_left_out_of_a_large_file_and_nothing_else():
    trap = 'x = {"outputs": [1, {"a": "]"}]}\n# "outputs": [ \\" [ {\n'
    notebook = filled(double=trap + DOUBLE)
    expected = json.loads(json.dumps(notebook))
    for part in notebook["cells"]:
        if part["cell_type"] == "code":
            part["outputs"] = [{"text": ['"', "\\", '\\"]', trap]}, [[], {"outputs": [[1]]}]]
    text = without_outputs(json.dumps(notebook, indent=1))
    assert json.loads(text) == expected
    cut = json.dumps(notebook)[:900]
    assert json.loads(json.dumps(without_outputs(cut)))


def _with_outputs(megabytes):
    notebook = filled()
    picture = {"data": {"image/png": "iVBORw0K" * 2**17}, "output_type": "display_data"}
    notebook["cells"][2]["outputs"] = [picture] * megabytes
    return to_bytes(notebook)


def test_outputs_of_many_megabytes(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_bytes(_with_outputs(30))
    started = time.perf_counter()
    data, notes = read_bytes(path)
    submission = _assemble(data)
    assert notes == [] and _answers(submission) == RIGHT and submission.repairs == []
    assert time.perf_counter() - started < 10


def test_outputs_of_a_hundred_megabytes_are_too_much_and_said_to_be(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_bytes(_with_outputs(100))
    data, notes = read_bytes(path)
    assert data is None and [note.code for note in notes] == ["too_large"]
    submission = _assemble(_with_outputs(MAX_FILE // 2**20 - 2))
    assert _answers(submission) == RIGHT


# --- texts made to be slow -------------------------------------------------------------------

SLOW = {
    "spaces": "a = 1" + " " * 190_000 + "b",
    "empty lines": "\n" * 190_000 + "(",
    "spaces before a command": " " * 190_000 + "x",
    "question marks": "? " * 95_000,
    "equals": "a = " * 47_000,
    "quotes": "'\"" * 95_000,
    "colons": "a:" * 95_000,
    "brackets": "(" * 190_000,
    "closing brackets": "get_ipython().x(" + ")" * 190_000 + "x",
    "attributes": "a" + ".b" * 95_000,
    "import": "import a" + ".b" * 95_000,
    "import over lines": "import a" + ".\\\nb" * 45_000,
    "calls": "f" + "()" * 95_000,
    "sum": "+".join(["1"] * 95_000),
    "not": "not " * 47_000 + "1",
    "power": "**".join(["1"] * 60_000),
    "statements": "a;" * 95_000,
    "decorators": "@a\n" * 60_000 + "def f(): pass",
    "elif": "if a: pass\n" + "elif a: pass\n" * 14_000,
    "lambda": "lambda:" * 27_000 + "1",
    "digits": "1" * 190_000,
    "escapes": "'" + "\\\\" * 95_000,
    "prompts": ">>> " * 47_000,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_no_text_takes_long_to_read(text):
    notebook = filled(pair_sum=text)
    notebook["cells"].append(cell("code", text, "own"))
    started = time.perf_counter()
    submission = _assemble(notebook)
    assert time.perf_counter() - started < 12
    assert [submission.answer(name) for name in ("double", "Scale")] == [DOUBLE, SCALE]


@pytest.mark.parametrize(
    "data",
    [
        b'{"cells": [' + b'{"id":' * 200_000,
        b'{"id": ' * 200_000,
        b'{"cells": [' + b'{"id": "' * 200_000,
        b'"cells": [' * 200_000,
        b"[" * 1_000_000,
        b'{"a": ' * 100_000 + b"1" + b"}" * 100_000,
        b"{} " * 300_000,
        b'"outputs": [' * 200_000,
        b'"\\' * 1_000_000,
        b"\xff" * 3_000_000,
        b"\xb0\xa1" * 1_500_000,
        b"," * 3_000_000 + b"x",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_no_file_takes_long_to_read(data):
    started = time.perf_counter()
    assert _codes(_assemble(data))
    assert time.perf_counter() - started < 10


# --- words -----------------------------------------------------------------------------------


def test_every_sentence_is_there_in_both_languages():
    for code, text in SENTENCES.items():
        assert re.search("[\u4e00-\u9fff]", text.zh), code
        assert not re.search("[\u4e00-\u9fff]", text.en), code
        assert set(re.findall(r"{\w+}", text.zh)) == set(re.findall(r"{\w+}", text.en))
