"""The first code cell of a released notebook: it gets the course where there is none yet."""

import json
import os
import runpy
import subprocess
import sys
import types
from pathlib import Path

import chapter_kit as kit
import pytest

from autograder import assemble, chapters, start_cell
from autograder.trusted import TrustedNotebook

ROOT = Path(__file__).resolve().parents[2]
MARKS = ("COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE", "BINDER_SERVICE_HOST")
ADDRESS = "https://example.org/course/bert"
OTHER_ADDRESS = "https://example.org/somebody/fork"


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A kernel that has nothing of the course, in an empty folder, on none of the services."""
    for name in (*MARKS, "BERT_COURSE_REPOSITORY", "BERT_COURSE_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.fixture
def commands(monkeypatch):
    """Every command that would have been started; `git clone` leaves the files that it would."""
    seen = []

    def run(command, **options):
        seen.append(list(map(str, command)))
        if command[0] == "git":
            folder = Path(command[-1])
            (folder / "tools").mkdir(parents=True)
            text = (ROOT / "tools" / "start_here.py").read_text(encoding="utf-8")
            (folder / "tools" / "start_here.py").write_text(text, encoding="utf-8")
            for lang in ("zh", "en"):
                (folder / "course" / lang / "ch00_start").mkdir(parents=True)
        return types.SimpleNamespace(returncode=0, stderr="", stdout="")

    monkeypatch.setattr(subprocess, "run", run)
    return seen


def run_cell(address=ADDRESS):
    exec(compile(start_cell.source("ch00_start", address, "main"), "cell", "exec"), {})


def test_where_the_course_is_installed_it_does_nothing(monkeypatch, tmp_path, commands, capsys):
    monkeypatch.chdir(tmp_path)
    for mark in (None, *MARKS):
        if mark:
            monkeypatch.setenv(mark, "1")
        run_cell()
    assert commands == [] and list(tmp_path.iterdir()) == [] and os.getcwd() == str(tmp_path)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("mark", "value", "said"),
    [
        ("COLAB_RELEASE_TAG", "release-colab_20261101", "on Colab"),
        ("KAGGLE_KERNEL_RUN_TYPE", "Interactive", "on Kaggle"),
        ("BINDER_SERVICE_HOST", "10.0.0.1", "on Binder"),
    ],
)
def test_on_a_service_it_fetches_and_installs(
    elsewhere, commands, capsys, monkeypatch, mark, value, said
):
    monkeypatch.setenv(mark, value)
    run_cell()
    folder = elsewhere / "bert-from-scratch"
    clone, pip = commands
    assert clone == [
        *("git", "clone", "--quiet", "--depth", "1", "--branch", "main"),
        *("--", ADDRESS, str(folder)),
    ]
    assert pip[:4] == [sys.executable, "-m", "pip", "install"]
    assert pip[-2:] == ["--editable", str(folder)]
    assert sys.path[0] == str(folder)
    # Stored results and the notebook's own language are looked for where the kernel runs.
    assert Path.cwd() == folder / "course" / "en" / "ch00_start"
    out = capsys.readouterr().out
    assert said in out and "bert-from-scratch" in out and "Go on with the next cell" in out


def test_after_a_restart_it_does_not_fetch_again(elsewhere, commands, monkeypatch):
    monkeypatch.setenv(MARKS[0], "1")
    run_cell()
    monkeypatch.chdir(elsewhere)
    run_cell(address="")
    assert [command[0] for command in commands] == ["git", sys.executable, sys.executable]
    assert Path.cwd().name == "ch00_start"


def test_without_an_address_it_says_what_to_do(elsewhere, commands, capsys, monkeypatch):
    monkeypatch.setenv(MARKS[1], "Interactive")
    run_cell(address="")
    out = capsys.readouterr().out
    assert commands == [] and "%env BERT_COURSE_REPOSITORY=" in out
    assert "Ask" not in out and "ask your teacher" in out and "向老师要仓库的地址" in out
    monkeypatch.setenv("BERT_COURSE_REPOSITORY", OTHER_ADDRESS)
    run_cell(address="")
    assert OTHER_ADDRESS in commands[0]


def test_a_kernel_without_the_course_on_ones_own_computer(elsewhere, commands, capsys):
    run_cell()
    out = capsys.readouterr().out
    assert commands == [] and "choose the kernel" in out and "换成装了课程的内核" in out


def test_what_could_not_be_fetched_is_told(elsewhere, capsys, monkeypatch):
    failed = types.SimpleNamespace(returncode=128, stderr="ERROR: no route", stdout="")
    monkeypatch.setattr(subprocess, "run", lambda command, **options: failed)
    monkeypatch.setenv(MARKS[1], "Interactive")
    run_cell()
    out = capsys.readouterr().out
    assert f"Could not fetch {ADDRESS}" in out and "turn on Internet" in out


class TestInstaller:
    """tools/start_here.py, which the cell calls."""

    @pytest.fixture
    def here(self, elsewhere):
        return runpy.run_path(str(ROOT / "tools" / "start_here.py"))

    def test_a_failed_installation_is_told(self, here, tmp_path, capsys, monkeypatch):
        monkeypatch.setenv("BERT_COURSE_LANG", "zh")
        failed = types.SimpleNamespace(returncode=1, stderr="x\nERROR: No matching\n", stdout="")
        assert not here["start"](str(tmp_path), "ch00_start", run=lambda *a, **k: failed)
        out = capsys.readouterr().out
        assert "ERROR: No matching" in out and "安装没有成功" in out and "failed" not in out

    def test_a_package_that_changed_under_the_kernel(self, here, tmp_path, capsys, monkeypatch):
        import numpy

        monkeypatch.setattr(numpy, "__version__", "1.0")
        fine = types.SimpleNamespace(returncode=0, stderr="", stdout="")
        assert not here["start"](str(tmp_path), "ch00_start", run=lambda *a, **k: fine)
        assert "numpy changed its version: restart the session" in capsys.readouterr().out

    def test_colab_tells_which_edition_runs(self, here, tmp_path, monkeypatch, capsys):
        notebook = {"ipynb": {"metadata": {"course": {"lang": "zh"}}}}
        message = types.SimpleNamespace(blocking_request=lambda *a, **k: notebook)
        colab = types.ModuleType("google.colab")
        colab._message = message
        monkeypatch.setitem(sys.modules, "google.colab", colab)
        (tmp_path / "course" / "zh" / "ch00_start").mkdir(parents=True)
        fine = types.SimpleNamespace(returncode=0, stderr="", stdout="")
        assert here["start"](str(tmp_path), "ch00_start", run=lambda *a, **k: fine)
        assert os.environ.pop("BERT_COURSE_LANG") == "zh" and Path.cwd().parent.name == "zh"
        assert "Installed" not in capsys.readouterr().out


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    path = kit.write_project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return chapters.parse(path)


def built(chapter, lang="en"):
    return assemble.build(chapter, lang, seed=1, points=kit.POINTS.__getitem__)


def test_release_puts_it_after_the_title_and_changes_nothing_else(chapter, monkeypatch):
    notebook = built(chapter)
    monkeypatch.setattr(start_cell, "insert", lambda *a: None)
    without = built(chapter)
    cells = list(notebook["cells"])
    assert cells.pop(1)["id"] == start_cell.CELL_ID
    assert cells == without["cells"] and notebook["metadata"] == without["metadata"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_when_grading_it_never_runs(chapter, lang):
    data = assemble.to_bytes(built(chapter, lang))
    cell = next(c for c in json.loads(data)["cells"] if c["id"] == start_cell.CELL_ID)
    assert "nbgrader" not in cell["metadata"] and cell["outputs"] == []
    role = {c.id: c.role for c in TrustedNotebook.from_bytes(data).cells}
    assert role[start_cell.CELL_ID] == "experiment"


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_the_address_comes_from_pyproject(tmp_path):
    assert start_cell.settings() == ("", "main"), "release with an address only when there is one"
    assert start_cell.settings(tmp_path / "none.toml") == ("", "main")
    path = write(tmp_path / "p.toml", f'[tool.bert-course]\nrepository = "{ADDRESS}/"\n')
    assert start_cell.settings(path) == (ADDRESS, "main")
    for wrong in ("git@example.org:a/b", "https://", "http://example.org/a", "https://a.org/b c"):
        write(path, f'[tool.bert-course]\nrepository = "{wrong}"\n')
        with pytest.raises(start_cell.StartCellError, match="or leave it empty"):
            start_cell.settings(path)


def test_links_only_where_the_services_find_the_notebook(tmp_path):
    assert start_cell.links("ch00_start", "en", "", "main") == ""
    assert start_cell.links("ch00_start", "en", ADDRESS, "main") == ""
    line = start_cell.links("ch00_start", "zh", "https://github.com/someone/bert.git", "main")
    assert line.startswith(
        "在线打开：[Colab](https://colab.research.google.com/github/someone/bert/"
    )
    assert "blob/main/course/zh/ch00_start/ch00_start.ipynb" in line
    assert "gh/someone/bert/main?urlpath=lab/tree/course%2Fzh%2Fch00_start%2F" in line
    path = write(
        tmp_path / "p.toml", '[tool.bert-course]\nrepository = "https://github.com/someone/bert"\n'
    )
    cells = [{"cell_type": "markdown", "source": "# Title", "metadata": {}}]
    start_cell.insert(cells, "ch00_start", "en", path)
    assert cells[0]["source"].startswith("# Title\n\nOpen online: [Colab](")
    assert '"https://github.com/someone/bert"' in cells[1]["source"]
