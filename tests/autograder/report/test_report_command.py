"""`autograder report` as a person meets it, and the CSV that it writes."""

import csv
import io
import json
import stat
import subprocess
import sys

import pytest
from conftest_report import EXERCISES, NOTEBOOK, right, with_standings, write

from autograder.report import cli
from autograder.report.data import load_class
from autograder.report.table import grades_csv


def table(results):
    content = grades_csv(results)
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_one_row_a_student(small_class):
    header, *rows = table(small_class)
    assert header[:6] == ["student", "final", "max", "total", "by_hand", "late_penalty"]
    assert header[6:10] == ["core", "core_max", "stretch", "stretch_max"]
    assert header[10:] == [e.id for e in EXERCISES]
    assert rows[0] == ["ada", "11", "11", "11", "0", "0", "9", "9", "2", "2", "6", "3", "2"]
    assert rows[4] == ["ed", "7", "11", "7", "0", "0", "7", "9", "0", "2", "6", "1", "0"]
    assert len(rows) == 6


def test_points_by_hand_and_penalties_are_columns_that_add_up(small_class):
    header, *rows = table(with_standings(small_class))
    found = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    # ada: 11 automatic, 1.5 more by hand, 0.5 off for an hour's delay.
    assert (found["ada"]["final"], found["ada"]["by_hand"]) == ("12", "1.5")
    assert found["ada"]["late_penalty"] == "0.5" and found["bo"]["late_penalty"] == "0"
    for row in found.values():
        parts = float(row["total"]) + float(row["by_hand"]) - float(row["late_penalty"])
        assert float(row["final"]) == pytest.approx(parts)


def test_csv_keeps_chinese_and_disarms_formulas(course):
    for name in ["王小明", "=HYPERLINK(1)", 'comma, "quote"']:
        write(course, name, right())
    names = {row[0] for row in table(load_class(course, NOTEBOOK, EXERCISES))[1:]}
    assert names == {"王小明", "'=HYPERLINK(1)", 'comma, "quote"'}


@pytest.fixture
def registered(monkeypatch):
    """Let the command find the made-up exercises."""
    monkeypatch.setattr(cli, "load", lambda notebook: EXERCISES)
    monkeypatch.setattr(cli.ExerciseInfo, "of", classmethod(lambda cls, exercise: exercise))


def command(*argv):
    import argparse

    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers())
    return cli.run(parser.parse_args(["report", *map(str, argv)]))


def test_writes_private_files_and_says_where(course, small_class, registered, capsys):
    (course / ".autograder").mkdir()
    (course / ".autograder" / "course.json").write_text('{"lang": "zh", "seed": 5}')
    assert command(NOTEBOOK, "--course", course, "--json") == 0
    written = json.loads(capsys.readouterr().out)
    page = course / "reports" / f"{NOTEBOOK}.html"
    assert written["page"] == str(page)
    assert 'lang="zh-Hans"' in page.read_text("utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    first = page.read_bytes()
    assert command(NOTEBOOK, "--course", course) == 0
    assert page.read_bytes() == first
    assert sorted(p.name for p in page.parent.iterdir()) == [page.name, "grades.csv"]


def test_language_and_place_can_be_chosen(course, small_class, registered, tmp_path):
    out = tmp_path / "new folder" / "page.html"
    assert command(NOTEBOOK, "--course", course, "--lang", "en", "--out", out) == 0
    assert 'lang="en"' in out.read_text("utf-8")
    assert (out.parent / "grades.csv").exists()


def test_title_comes_from_the_class_notebook(course, small_class, registered):
    # The English page of a Chinese class takes the title of the English edition.
    for lang, title in [("zh", "自注意力"), ("en", "3a Self-attention")]:
        folder = course / "source" / NOTEBOOK
        folder.mkdir(parents=True, exist_ok=True)
        cells = [{"cell_type": "markdown", "source": ["# 自注意力\n", "text"]}]
        notebook = {"metadata": {"course": {"lang": "zh"}}, "cells": cells}
        (folder / f"{NOTEBOOK}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        from autograder.report.page import notebook_title

        assert notebook_title(course, NOTEBOOK, lang) == title


@pytest.mark.parametrize("missing", ["course", "results"])
def test_missing_things_are_one_clear_line(missing, course, tmp_path):
    if missing == "results":
        course.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "report", NOTEBOOK, "--course", str(course)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "autograder init-class" in done.stderr or "autograder grade" in done.stderr
    assert not list(tmp_path.rglob("*.html"))
