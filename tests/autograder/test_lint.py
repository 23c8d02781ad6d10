"""Every rule of lint: broken once on the made-up chapter, found with its place."""

# ruff: noqa: E501  (a table of rules reads best with one rule a line)

import argparse
import json
import os
import subprocess
import sys

import chapter_kit as kit
import pytest

from autograder import lint, notebook_status, release
from autograder.prose import Prose, differences


@pytest.fixture
def source(tmp_path, monkeypatch):
    path = kit.write_project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


def findings(source, registry=kit.POINTS, course=None):
    return lint.lint_notebook(
        kit.NOTEBOOK, solutions=source.parents[1], registry=registry, course=course
    )


def test_the_chapter_is_clean(source):
    assert findings(source) == []


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        ("## 9.1 Doubling", "### 9.1 Doubling", "### 9.1 Doubling", "headings differ"),
        ("## 9.1 Doubling", "## 9.2 Doubling", "## 9.2 Doubling", "headings differ"),
        ("returns $2^{t} x$", "returns $2^{t}$", "## 9.1 Doubling", "en lacks the formula"),
        ("returns $2^{t} x$", "returns $2^{t} x$ = $$y$$", "$$y$$", "zh lacks the formula 'y'"),
        ("Constructor argument `factor`", "Factor `factor`, `k`", "Factor `", "zh lacks the code span 'k'"),
        ("Why?", "Why? [here](a.html)", "Why? [here]", "zh lacks the link 'a.html'"),
        ("Why?", "Why?\n```python\nx\n```", "```python", "code blocks differ"),
        ("| `capstone_small` | 1 | 5 |\n\"\"\"\n\n# %%\n", '"""\n\n# %%\n', "| exercise |", "tables differ"),
        ("调用参数 `x`。", "调用。", "call argument `x`", "zh lacks the code span 'x'"),
        ("调用参数 `x`。", "调用。", "## 9.2 层", "the contract of 'Scale' lacks `x`"),
        ("、`offset`、", "、", "函数 `patient", "the contract of 'drill_ch09_small' lacks `offset`"),
        ("import math\n", "import math  # " + "x" * 90 + "\n", "import math", "columns, at most 100"),
        ("import math\n", "import math, sys\nsys.stderr.write('')\n", "sys.stderr", "write to stderr"),
        ("import math\n", "import math\nimport autograder.oracles\n", ".oracles", "what judges it"),
        ("import math\n", "import math\n### END SOLUTION\n", "### END", "outside an exercise"),
        ('if ready("double")', 'if ready("Scale")', "if ready", "ready('Scale') names no exercise above"),
        ("    print(double(3, 2))", "    open('results/depth.json')", "depth", "no results/depth.json"),
        ("| `double` | 3 | 5 |\n| `Scale` | 2 | 5 |\n| `drill_ch09_small` | 4 | 5 |\n| `capstone_small` | 1 | 5 |\n\"\"\"\n\n# %%\n",
         "| `double` | 4 | 5 |\n| `Scale` | 2 | 5 |\n| `drill_ch09_small` | 4 | 5 |\n| `capstone_small` | 1 | 5 |\n\"\"\"\n\n# %%\n",
         "| `double` | 4", "'double' is worth 3 points"),
        ("小例子\n", "小例子\n\n这是**“重点”**吗\n", "重点", "stays two asterisks"),
        ("import math\n", "import maths\n", None, "'math', which no earlier cell"),
        ("check(\"double\", double)", "check(\"double\", Scale)\nprint()", "check(\"double\", Scale)", "one call"),
    ],
)  # fmt: skip
def test_rules(source, old, new, at, says):
    kit.change(source, old, new)
    found = [finding for finding in findings(source) if says in finding.message]
    assert len(found) == 1, findings(source)
    if at is not None:
        assert found[0].path == str(source)
        assert found[0].line == kit.line_of(source, at)
    assert str(found[0]) == f"{found[0].path}:{found[0].line}: {found[0].message}"


def test_table_order_and_completeness(source):
    text = source.read_text(encoding="utf-8")
    row = "| `Scale` | 2 | 5 |\n"
    source.write_text(text.replace(row, ""), encoding="utf-8")
    messages = [finding.message for finding in findings(source)]
    assert messages == ["the table has 'drill_ch09_small' where 'Scale' belongs"] * 2
    source.write_text(text.replace("| `capstone_small` | 1 | 5 |\n", ""), encoding="utf-8")
    assert [f.message for f in findings(source)] == ["the table lacks 'capstone_small'"] * 2
    source.write_text(text.replace("|---|---|---|\n", ""), encoding="utf-8")
    assert [f.message for f in findings(source)] == ["no table of the exercises at the top"]


def test_registry_both_ways(source):
    less = {name: worth for name, worth in kit.POINTS.items() if name != "Scale"}
    messages = [finding.message for finding in findings(source, {**less, "halve": 2})]
    assert messages == [
        "the checks know 'halve' but the notebook lacks it",
        "no exercise 'Scale' in the checks",
    ]


def test_contract_must_stand_directly_above(source):
    kit.change(source, '# %% exercise="Scale"', '# %%\nheight = 3\n\n# %% exercise="Scale"')
    assert [(f.line, f.message) for f in findings(source)] == [
        (kit.line_of(source, "import Scale"), "no contract cell directly above 'Scale'")
    ]


def test_at_most_ten_exercises(source):
    cell = '# %% exercise="f{0}"\nfrom smalllib.maths import double\n\n# %% check="f{0}"\n1\n\n'
    more = "".join(cell.format(n) for n in range(7))
    kit.change(source, '# %% tags="experiment"', more + '# %% tags="experiment"')
    assert "more than 10 exercises" in [finding.message for finding in findings(source)]


def test_a_file_out_of_format_is_one_finding(source):
    kit.change(source, "# %%\nimport math", "# %% x\nimport math")
    (found,) = findings(source)
    assert found.line == kit.line_of(source, "# %% x") and "expected key" in found.message


def test_released_notebooks_hold_no_answer(source, tmp_path):
    course = tmp_path / "course"
    assert [f.message for f in findings(source, course=course)] == [
        "not released: run make course"
    ] * 2
    made = release.release(kit.NOTEBOOK, solutions=source.parents[1], points=kit.POINTS.__getitem__)
    for lang, files in made.items():
        release.write_folder(course / lang / kit.NOTEBOOK, files)
    assert findings(source, course=course) == []
    path = course / "en" / kit.NOTEBOOK / f"{kit.NOTEBOOK}.ipynb"
    text = path.read_text(encoding="utf-8")
    for inserted, says in (
        ("        return self.factor * x", "the answer of Scale is released"),
        ("Rubric: one point for the reason.", "an instructor's cell is released"),
        ("### BEGIN SOLUTION", "a solution marker would be released"),
    ):
        path.write_text(text.replace("Why?", inserted), encoding="utf-8")
        (found,) = findings(source, course=course)
        assert says in found.message and found.path == str(path)


def test_arguments_of_functions_and_classes():
    text = "def f(a, /, b, c=1, *rest, d, **kwargs):\n    pass\n"
    assert lint.arguments(text) == ["a", "b", "c", "d"]
    text = (
        "class L:\n"
        "    def __init__(self, size, **kwargs): pass\n"
        "    def helper(self, z): pass\n"
        "    def call(self, x, size, mask=None): pass\n"
    )
    assert lint.arguments(text) == ["size", "x", "mask"]


def test_prose_is_read_as_markdown():
    prose = Prose(
        "# 3a. T\n```python\n# not a heading `a` $b$\nname = 1\n```\n"
        "``x`y`` and `cost $5` and $a\\text{宽}$, \\$7; [z](u.md 'title') <https://e.org/a>"
    )
    assert prose.headings == [(1, "3a.", 1)]
    assert prose.spans == ["x`y", "cost $5"]
    assert prose.inline == [r"a\text{}"]
    assert prose.links == ["u.md", "https://e.org/a"]
    assert {"name", "x", "y", "cost"} <= prose.words and "T" not in prose.words


@pytest.mark.parametrize(
    ("line", "dead"),
    [
        ("这是**重点**吗", False),
        ("这是**“重点”**吗", True),
        ("这是**重点。**下一句", True),
        ("这是**重点**。下一句", False),
        ("，**“重点”**。", False),
        ("用**`x`**来", True),
        ("用 **`x`** 来", False),
        ("a** b**", True),
        ("`2**(x)**y` $a**(b)$ 2 \\\\** 3", False),
    ],
)
def test_bold_that_markdown_would_not_open(line, dead):
    assert Prose(f"一\n{line}").dead_bold == ([2] if dead else [])


def test_repetition_and_words_in_formulas_may_differ():
    zh = "`a` `a` $n_{\\text{头}}$\n\n```text\n甲 → 乙\n```"
    en = "`a` $n_{\\text{heads}}$ $n_{\\text{heads}}$\n\n```text\nA → B\n```"
    assert list(differences(zh, en)) == []


def run(command, module, source, *words):
    parser = argparse.ArgumentParser()
    module.add_parser(parser.add_subparsers())
    root = source.parents[2]
    words = [command, *words, "--solutions", str(root / "solutions"), "--course", str(root / "c")]
    args = parser.parse_args(words)
    return args.run(args)


def test_commands_say_what_is_missing_next(source, monkeypatch, capsys):
    monkeypatch.setattr(lint, "points_of", lambda notebook: kit.POINTS)
    monkeypatch.setattr(release, "registered_points", kit.POINTS.__getitem__)
    monkeypatch.chdir(source.parents[2])
    assert run("lint", lint, source) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"c/{lang}/ch09_small/ch09_small.ipynb:1: not released: run make course"
        for lang in ("zh", "en")
    ]
    kit.change(source, "Why?", "Why `x`?")
    assert run("notebook", notebook_status, source, kit.NOTEBOOK) == 1
    place = f"solutions/ch09_small/ch09_small.py:{kit.line_of(source, 'Why `x`?')}"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{place}: zh lacks the code span 'x'"
    assert (
        lines[1] == "solutions/ch09_small/variants.py:1: there are no right and wrong answers yet"
    )
    assert lines[2] == "next: " + lines[0]
    kit.change(source, "Why `x`?", "Why?")
    assert run("notebook", notebook_status, source, kit.NOTEBOOK, "--no-variants") == 0
    assert run("lint", lint, source, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == []
    orphan = source.parents[2] / "c" / "zh" / "ch08_gone" / "ch08_gone.ipynb"
    orphan.parent.mkdir()
    orphan.write_text("{}")
    assert run("lint", lint, source) == 1
    assert capsys.readouterr().out == (
        "c/zh/ch08_gone/ch08_gone.ipynb:1: no source makes this notebook; delete its folder\n"
    )
    (source.parent.parent / "ch10_new").mkdir()
    assert run("notebook", notebook_status, source, "ch10_new") == 1
    assert "next: solutions/ch10_new/ch10_new.py:1: this notebook has no source" in (
        capsys.readouterr().out
    )
    with pytest.raises(release.ReleaseError, match="known: ch09_small"):
        run("notebook", notebook_status, source, "ch11")


def test_an_experiment_that_nobody_ran_is_said_by_notebook_alone(source, capsys, monkeypatch):
    """The text is no worse for it, but the notebook isn't complete."""
    monkeypatch.setattr(lint, "points_of", lambda notebook: kit.POINTS)
    monkeypatch.setattr(release, "registered_points", kit.POINTS.__getitem__)
    monkeypatch.chdir(source.parents[2])
    kit.change(source, "    print(double(3, 2))", '    stored("depth")')
    assert findings(source) == []
    assert run("notebook", notebook_status, source, kit.NOTEBOOK, "--no-variants") == 1
    line = kit.line_of(source, 'stored("depth")')
    assert f"ch09_small.py:{line}: there is no results/depth.json" in capsys.readouterr().out
    (source.parent / "results").mkdir(exist_ok=True)
    (source.parent / "results" / "depth.json").write_text("{}")
    assert run("notebook", notebook_status, source, kit.NOTEBOOK, "--no-variants") == 0


def test_what_the_table_of_variants_says():
    row = {
        "reference": 1.0, "blank": 0.0, "right": {"total": 3, "full": 3},
        "wrong": {"total": 9, "killed": 9, "named": 9}, "indistinguishable": [],
    }  # fmt: skip
    assert notebook_status.judged(row) == []
    bad = {
        "reference": 0.5, "blank": 0.25, "right": {"total": 2, "full": 1},
        "wrong": {"total": 9, "killed": 7, "named": 6}, "indistinguishable": [["a", "b"]],
    }  # fmt: skip
    assert notebook_status.judged(bad) == [
        "the reference gets 50%, not full marks",
        "a blank answer gets 25%, not 0",
        "1 right answer(s) lose marks",
        "2 wrong answer(s) get full marks",
        "3 wrong answer(s) aren't named",
        "no case tells a from b",
        "2 right answer(s), at least 3 are needed",
    ]


def test_lint_needs_no_keras(source):
    code = (
        "import sys; from pathlib import Path; from autograder import lint;"
        "lint.lint_notebook('ch09_small', solutions=Path(sys.argv[1]), registry={});"
        "print([m for m in ('keras', 'tensorflow', 'nbgrader') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source.parents[2]), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", code, source.parents[1]], env=env, capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr
