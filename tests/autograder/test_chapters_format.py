"""The percent format: what is read, and that everything else is refused with its place."""

import chapter_kit as kit
import pytest

from autograder import chapters
from autograder.chapters import ChapterError


@pytest.fixture
def source(tmp_path):
    return kit.write_project(tmp_path)


def refused(path):
    with pytest.raises(ChapterError) as caught:
        chapters.parse(path)
    error = caught.value
    assert str(error) == f"{path}:{error.line}: {error.message}"
    return error.line, error.message


def test_cells_in_order_with_keys_and_places(source):
    chapter = chapters.parse(source)
    assert chapter.notebook == "ch09_small"
    assert chapter.exercises == ["double", "Scale", "drill_ch09_small", "capstone_small"]
    assert [cell.lang for cell in chapter.cells[:4]] == ["zh", "en", None, "zh"]
    layer = chapter.answers[1]
    assert layer.blank == ("call",) and layer.kind == "code"
    assert layer.source == "from smalllib.maths import Scale"
    assert layer.first == kit.line_of(source, "import Scale")
    experiment = next(cell for cell in chapter.cells if cell.tags == ("experiment",))
    assert not experiment.is_plain and experiment.source.startswith("if ready(")
    assert [c.source for c in chapter.cells if c.is_plain] == [
        "import math\n\nfrom autograder import check, ready"
    ]
    english = chapter.cells[4]
    assert english.source.startswith("## 9.1 Doubling")
    assert english.first == kit.line_of(source, "## 9.1 Doubling")


def test_tags_as_json_list_and_markdown_after_blank_lines(tmp_path):
    path = tmp_path / "n.py"
    path.write_text('# %% tags=["experiment"]\n\n\nx = 1\n# %% [markdown] lang="zh"\n'
                    'r"""\n\n\n甲\n"""\n# %% [markdown] lang="en"\nr"""\nA\n"""\n')  # fmt: skip
    cells = chapters.parse(path).cells
    assert [(cell.source, cell.first) for cell in cells] == [("x = 1", 4), ("甲", 9), ("A", 13)]
    assert cells[0].tags == ("experiment",)


def test_find_wants_a_folder_of_the_same_name(source):
    root = source.parent.parent
    (root / "other").mkdir()
    (root / "other" / "variants.py").write_text("")
    assert chapters.find(root) == {"ch09_small": source}


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        ("# %%\nimport math", '# %% lang="zh"\nimport math', 'lang="zh"\nimport', "no lang here"),
        ("# %%\nimport math", "# %% set-up\nimport math", "# %% set-up", "found 'set-up'"),
        ("# %%\nimport math", '# %% name="a"\nimport math', 'name="a"', "unknown key 'name'"),
        ("# %%\nimport math", '# %% tags="slow"\nimport math', 'tags="slow"', "unknown tag"),
        ("# %%\nimport math", '# %% blank="call"\nimport math', 'blank="call"\n', "with exercise"),
        ("import math\n", "import (\n", "import (", "not valid Python"),
        ('exercise="Scale" blank', 'exercise="Scale" check="x" blank', 'check="x"', "not both"),
        ('exercise="Scale" blank', 'exercise="double" blank', '"double" blank', "twice"),
        ('exercise="Scale" blank', 'exercise="a-b" blank', '"a-b"', "isn't an exercise id"),
        ('# %% check="Scale"', '# %% check="scale"', 'check="scale"', 'must be check="Scale"'),
        ('# %% check="Scale"\ncheck("Scale", Scale)\n', "", '"drill_ch09_small"', "must be check"),
        ("# A made-up notebook.", "A = 1", "A = 1", "only comments"),
        ('r"""\n为什么', '"""\n为什么', '"""\n为什么', "quotes on own lines"),
        ("为什么？", '为"""什么？', '为"""什么？', 'no """'),
        ('"zh" tags="instructor"', '"zh"', "Rubric", "same keys"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_its_line(source, old, new, at, says):
    kit.change(source, old, new)
    line, message = refused(source)
    text = source.read_text(encoding="utf-8")
    expected = text[: text.index(at)].count("\n") + 1
    if at == "Rubric":
        expected -= 2  # the marker of that cell
    assert says in message
    assert line == expected


def test_siblings_are_wanted_both_ways(source):
    source.write_text('# %% [markdown] lang="en"\nr"""\nA\n"""\n')
    assert refused(source) == (1, "the Chinese sibling must stand before this cell")
    source.write_text('# %% [markdown] lang="zh"\nr"""\n甲\n"""\n')
    assert refused(source) == (1, "the English sibling must follow this cell")


def test_empty_files_and_cells(source):
    source.write_text("# nothing\n")
    assert "no cell" in refused(source)[1]
    source.write_text("# %%\n\n# %%\nx = 1\n")
    assert refused(source) == (1, "this cell is empty")


def test_exercise_without_check_at_the_end(source):
    source.write_text('# %% exercise="f"\nfrom m import f\n')
    assert refused(source) == (1, "exercise 'f' has no check cell")


def test_windows_line_ends_make_no_difference(source):
    cells = chapters.parse(source).cells
    source.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    assert chapters.parse(source).cells == cells


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (["ch01a_one"], ["ch01a_one"]),
        (["ch01"], ["ch01a_one", "ch01b_two"]),
        (["ch01", "ch01a_one"], ["ch01a_one", "ch01b_two"]),
        (["ch02", "ch01"], ["ch02_three", "ch01a_one", "ch01b_two"]),
        (["ch0"], ["ch0"]),
        (["ch01a"], ["ch01a"]),
        ([], []),
    ],
)
def test_a_chapter_means_all_its_notebooks(names, meant):
    assert chapters.named(names, ["ch01a_one", "ch01b_two", "ch02_three"]) == meant
