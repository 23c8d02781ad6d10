"""Cutting exercises out of a library, as text."""

import ast
import sys

import chapter_kit as kit
import pytest

from autograder import chapters, drill_sources, drills, sources
from autograder.chapters import ChapterError
from autograder.sources import Scope


@pytest.fixture
def source(tmp_path, monkeypatch):
    path = kit.write_project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


@pytest.fixture
def library(source):
    return source.parents[2] / "smalllib" / "maths.py"


SETUP = Scope().after("import math\nfrom autograder import check")


def cell(chapter, number):
    return chapter.answers[number]


def test_function_text_and_place_without_importing(source, library):
    found = sources.library_source("smalllib.maths:double")
    assert found.text.startswith("def double(x, times):") and found.text.endswith("factor * x")
    assert found.path == library and found.line == kit.line_of(library, "def double")
    assert "smalllib" not in sys.modules


def test_markers_come_after_the_docstring_and_around_the_whole_body(source):
    text = sources.insert_markers(sources.library_source("smalllib.maths:double"))
    tail = text.split('"""')[-1].split("\n")[1:]
    assert tail == [
        "    ### BEGIN SOLUTION",
        "    # the power first",
        "    factor = math.pow(2, times)",
        "",
        "    return factor * x",
        "    ### END SOLUTION",
    ]


def test_class_loses_its_serialisation_decorator_and_blanks_the_named_methods(source, library):
    found = sources.library_source("smalllib.maths:Scale")
    assert found.text.startswith("class Scale:") and "serializable" not in found.text
    assert found.line == kit.line_of(library, "class Scale")
    lines = sources.insert_markers(found, ("call",)).split("\n")
    assert lines[-4:] == [
        '        """Return x, scaled."""',
        "        ### BEGIN SOLUTION",
        "        return self.factor * x",
        "        ### END SOLUTION",
    ]
    ast.parse("\n".join(lines))
    kit.change(
        library, "        self.factor = factor", '        """Keep it."""\n        self.factor = 1'
    )
    both = sources.insert_markers(
        sources.library_source("smalllib.maths:Scale"), ("__init__", "call")
    )
    assert both.count("BEGIN SOLUTION") == 2 == both.count("END SOLUTION")
    for blank, says in (((), "say which methods"), (("build",), "no method 'build'")):
        with pytest.raises(ChapterError, match=says):
            sources.insert_markers(found, blank)
    with pytest.raises(ChapterError, match="blank is for a class"):
        sources.insert_markers(sources.library_source("smalllib.maths:double"), ("call",))


def test_kept_decorators_and_a_serialisation_decorator_below_them(source, library):
    kit.change(library, "@register_keras_serializable\nclass", "@final\nclass")
    assert sources.library_source("smalllib.maths:Scale").text.startswith("@final\nclass Scale")
    kit.change(library, "@final\nclass", "@final\n@register_keras_serializable\nclass")
    with pytest.raises(ChapterError, match="put the serialisation decorator first"):
        sources.library_source("smalllib.maths:Scale")


def test_what_the_library_lacks(source, library):
    for spec, says in (
        ("nowhere_at_all.maths:f", "no package 'nowhere_at_all'"),
        ("smalllib.other:f", "no module 'smalllib.other'"),
        ("smalllib.maths:check", "no function or class 'check'"),
    ):
        with pytest.raises(LookupError, match=says):
            sources.library_source(spec)
    kit.change(library, "    # the power first", "    from . import other")
    with pytest.raises(ChapterError) as caught:
        sources.library_source("smalllib.maths:double")
    assert (caught.value.path, caught.value.line) == (
        library,
        kit.line_of(library, "from . import"),
    )


def test_bodies_that_cannot_be_blanked(source, library):
    kit.change(
        library,
        'double(x, times):\n    """Double several times.\n\n    Args:\n        x: float.\n    """',
        "double(x, times):",
    )
    with pytest.raises(ChapterError, match="needs a docstring"):
        sources.insert_markers(sources.library_source("smalllib.maths:double"))
    kit.change(library, "        return self.factor * x\n", "")
    with pytest.raises(ChapterError, match="call has no body"):
        sources.insert_markers(sources.library_source("smalllib.maths:Scale"), ("call",))


def test_global_names_see_nested_scopes_but_not_locals():
    text = (
        "def f(x, size=DEFAULT):\n"
        "    y = [helper(i) for i in x]\n"
        "    def inner():\n"
        "        return y, math.pi, len(x)\n"
        "    return inner\n"
        "class A(Base):\n"
        "    def call(self):\n"
        "        return super().call() + f(1)\n"
    )
    assert sources.global_names(text) == {"DEFAULT": 1, "helper": 2, "math": 4, "Base": 6}


def test_names_must_come_from_earlier_cells(source, library):
    chapter = chapters.parse(source)
    assert "BEGIN SOLUTION" in sources.exercise_source(chapter, cell(chapter, 0), SETUP)
    with pytest.raises(ChapterError) as caught:
        sources.exercise_source(chapter, cell(chapter, 0), Scope())
    assert (caught.value.path, caught.value.line) == (library, kit.line_of(library, "math.pow"))
    assert "'math', which no earlier cell" in caught.value.message


def test_an_import_must_mean_the_same_thing(source, library):
    chapter = chapters.parse(source)
    other = Scope().after("import numpy as math")
    with pytest.raises(ChapterError, match="'math' is math here but numpy in the notebook"):
        sources.exercise_source(chapter, cell(chapter, 0), other)


def test_exercise_cells_that_are_refused(source):
    original = source.read_text(encoding="utf-8")
    old = "from smalllib.maths import Scale"
    for new, says in (
        ("from .maths import Scale", "import absolutely"),
        ("from smalllib.maths import Scale, double", "imports one name"),
        ("from smalllib.maths import Scale as S", "under its own name"),
        ("from smalllib.maths import Nothing", "defines no function or class 'Nothing'"),
        ("class Scale:\n    pass", "on lines of their own"),
        ("### BEGIN SOLUTION\nScale = 1\n### END SOLUTION", "blank is for an imported class"),
    ):
        source.write_text(original.replace(old, new), encoding="utf-8")
        chapter = chapters.parse(source)
        with pytest.raises(ChapterError, match=says) as caught:
            sources.exercise_source(chapter, cell(chapter, 1), SETUP)
        assert caught.value.line == kit.line_of(source, new.split("\n")[0])


def test_inline_answers_keep_their_markers_and_run_when_blank(source):
    chapter = chapters.parse(source)
    scope = SETUP.after("double = Scale = 1")
    assert sources.exercise_source(chapter, cell(chapter, 3), scope) == cell(chapter, 3).source
    with pytest.raises(ChapterError, match="capstone_small uses 'double'"):
        sources.exercise_source(chapter, cell(chapter, 3), SETUP)
    kit.change(source, "    ### BEGIN SOLUTION", "    1\n### BEGIN SOLUTION\n#")
    chapter = chapters.parse(source)
    with pytest.raises(ChapterError, match="blank inside a function"):
        sources.exercise_source(chapter, cell(chapter, 3), scope)


def test_bugs_are_read_not_run_and_chosen_by_the_seed(source):
    chapter = chapters.parse(source)
    bugs = drill_sources.read_bugs(source.parent / "drill.py")
    assert [bug.key for bug in bugs] == ["sign", "offset", "twice", "zero"]
    assert bugs[1].source.startswith("def patient") and bugs[1].fixed.endswith("2 * x + 1")
    assert [drill_sources.chosen_bug(chapter, seed).key for seed in (0, 1, 6, 7)] == [
        "sign", "offset", "twice", "zero",
    ]  # fmt: skip
    codes = {drills.code("drill_ch09_small", bug.key): bug.key for bug in bugs}
    assert len(codes) == 4 and not set(codes) & set(codes.values())
    for code, key in codes.items():
        assert drills.resolve("drill_ch09_small", code, codes.values()) == key
        assert drills.resolve("drill_ch09_small", key, codes.values()) == key
    with pytest.raises(ValueError, match="no variant 'offst'"):
        drills.resolve("drill_ch09_small", "offst", codes.values())


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("BUGS = {", "OTHERS = {", "expected BUGS"),
        ('name="no offset"', "name=who()", "plain strings"),
        ("return 0 * x", "return 0 *", "not valid Python"),
        ("def patient(x):\n    \"Return two times x plus one.\"\n    return 0 * x",
         "def other(x):\n    \"One.\"\n    return 0", "expected one function 'patient'"),
        ('    "zero": Bug(', '    # "zero": Bug(', "not valid Python"),
    ],
)  # fmt: skip
def test_drills_that_are_refused(source, old, new, says):
    kit.change(source.parent / "drill.py", old, new)
    with pytest.raises(ChapterError, match=says):
        drill_sources.read_bugs(source.parent / "drill.py")


def test_a_drill_needs_four_bugs_and_its_file(source):
    path = source.parent / "drill.py"
    text = path.read_text()
    path.write_text(text[: text.index('    "zero"')] + "}\n")
    with pytest.raises(ChapterError, match="at least four bugs, not 3"):
        drill_sources.read_bugs(path)
    path.unlink()
    with pytest.raises(ChapterError, match="this file must exist"):
        drill_sources.read_bugs(path)
