"""Exports keep what a learning management system knows, and put our points where it looks."""

import csv
import io
import json

import pytest
from conftest_report import EXERCISES, NOTEBOOK, right, with_standings, write

from autograder.errors import CommandError
from autograder.report import export_cli
from autograder.report.clean import disarmed
from autograder.report.data import load_class
from autograder.report.lms import comment, with_roster, without_roster
from autograder.report.lms_columns import Wanted
from autograder.report.roster import match, read_roster

# As Canvas writes it: a row on posting policies, the maxima, people, and a student of its own.
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework (11),Self-attention (22),Current Score
,,,,,,Manual Posting,(read only)
    Points Possible,,,,,10,{possible},(read only)
"Lovelace, Ada",1001,U1,ada,A,9,1,90
"Bo, Bo",1002,U2,bo@uni.edu,A,9,,90
"Nobody, No",1003,U3,nobody,A,9,5,90
"Student, Test",1099,,0f3c,A,,,
"""
# As Moodle writes its offline grading worksheet (byte order mark, dashes for no date).
WORKSHEET = """\
\ufeffIdentifier,"Full name","ID number","Email address",Status,Grade,"Maximum Grade",\
"Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 51","Ada L",ada,a@uni.edu,"Submitted for grading - ",,{possible},Yes,\
"Wednesday, 10 June 2026, 2:14 PM",-,
"Participant 52",Bo,,bo@uni.edu,"Submitted for grading - ",3,{possible},No,-,-,seen
"Participant 53",王小明,,w@uni.edu,"No submission - ",,{possible},Yes,-,-,
"""


def rows_of(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.fixture
def roster(tmp_path):
    def make(text, encoding="utf-8"):
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode(encoding))
        return read_roster(path)

    return make


def filled(roster, results, **wanted):
    wanted = Wanted(**{"assignment": "Self-attention", **wanted})
    found = match(roster, {one.id: [] for one in results.students})
    content, notes = with_roster(roster, found, results, wanted)
    return rows_of(content), notes, found


def test_canvas_gets_its_own_rows_back_with_one_column(small_class, roster):
    people = roster(CANVAS.format(possible=11))
    rows, notes, found = filled(people, with_standings(small_class))
    assert rows[0] == [
        *("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Self-attention (22)")
    ]
    assert rows[1][-1] == "Manual Posting"
    assert rows[2] == ["    Points Possible", "", "", "", "", "11"]
    # ada has 11 + 1.5 - 0.5 (see with_standings); bo is found by what stands before the @.
    assert rows[3] == ["Lovelace, Ada", "1001", "U1", "ada", "A", "12"]
    assert rows[4] == ["Bo, Bo", "1002", "U2", "bo@uni.edu", "A", "6"]
    assert [row[-1] for row in rows[5:]] == ["5", ""]  # nobody of ours: left as they were
    assert notes == [] and sorted(found.unknown) == ["cy", "di", "ed", "fay"]


def test_a_new_assignment_is_a_new_column_with_its_maximum(small_class, roster):
    rows, *_ = filled(roster(CANVAS.format(possible=11)), small_class, assignment="New one")
    assert [row[-1] for row in rows] == ["New one", "", "11", "11", "6", "", ""]


def test_a_column_an_exercise(small_class, roster):
    people = roster(CANVAS.format(possible=11))
    rows, *_ = filled(people, small_class, per_exercise=True)
    assert rows[0][5:] == ["Self-attention (22)", *(f"Self-attention: {e.id}" for e in EXERCISES)]
    assert rows[2][5:] == ["11", "6", "3", "2"]
    assert rows[4][5:] == ["6", "1", "3", "2"]


@pytest.mark.parametrize(
    ("possible", "scale", "grade"),
    [("11", False, "6"), ("9", False, "6"), ("90", True, "60"), ("90", False, None)],
)
def test_another_maximum_is_converted_only_when_asked(small_class, roster, possible, scale, grade):
    """The core has 9 points, all together 11; a full core is a full grade."""
    people = roster(CANVAS.format(possible=possible))
    if grade is None:
        with pytest.raises(CommandError, match="out of 90 there and out of 11 or 9 here"):
            filled(people, small_class)
        return
    rows, *_ = filled(people, small_class, scale=scale)
    assert rows[4][-1] == grade and rows[2][-1] == possible


def test_the_moodle_worksheet_comes_back_as_it_was(small_class, roster):
    people = roster(WORKSHEET.format(possible="9.00"))
    rows, notes, _ = filled(people, small_class, comments=True)
    source = list(csv.reader(io.StringIO(WORKSHEET.format(possible="9.00").lstrip("\ufeff"))))
    assert rows[0] == source[0]
    changed = [(r, i) for r in (1, 2, 3) for i in range(11) if rows[r][i] != source[r][i]]
    assert changed == [(1, 5), (1, 10)]
    assert rows[1][5] == "9"  # 11 points, more than Moodle takes
    assert any("cut to it: ada" in note for note in notes)
    assert any("locked the grades of: bo" in note for note in notes)


def test_the_worksheet_keeps_its_byte_order_mark_and_cannot_be_invented(small_class, roster):
    people = roster(WORKSHEET.format(possible="11"))
    found = match(people, {"ada": []})
    content, _ = with_roster(people, found, small_class, Wanted("x"))
    assert content.startswith(b"\xef\xbb\xbf")
    with pytest.raises(CommandError, match="download it in Moodle"):
        without_roster("worksheet", small_class, Wanted("x"))


def test_a_moodle_grade_export_gets_our_column_and_loses_the_others(small_class, roster):
    text = (
        "First name;Last name;ID number;Email address;Assignment: Other (Real);"
        "Assignment: Self-attention (Real);Course total (Real);Last downloaded from this course\n"
        "Ada;L;ada;a@uni.edu;5;-;5;1780000000\n"
    )
    people = roster(text)
    content, _ = with_roster(
        people, match(people, {"ada": []}), small_class, Wanted("Self-attention")
    )
    rows = list(csv.reader(io.StringIO(content.decode()), delimiter=";"))
    assert rows[0] == [
        *("First name", "Last name", "ID number", "Email address"),
        "Assignment: Self-attention (Real)",
    ]
    assert rows[1] == ["Ada", "L", "ada", "a@uni.edu", "11"]


def test_any_other_table_takes_a_named_column(small_class, roster):
    people = roster("学号,姓名,分数,备注\nada,甲,,好\nbo,乙,,\n", encoding="gb18030")
    with pytest.raises(CommandError, match="--match"):
        match(people, {"ada": []})
    found = match(people, {"ada": [], "bo": []}, "学号")
    with pytest.raises(CommandError, match="--grade-column"):
        with_roster(people, found, small_class, Wanted("x"))
    content, _ = with_roster(people, found, small_class, Wanted("x"), "分数")
    assert rows_of(content)[1:] == [["ada", "甲", "11", "好"], ["bo", "乙", "6", ""]]


def test_nobody_is_guessed_at(roster):
    people = roster(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        "One,7,a,same@x,S\nTwo,8,b,same@y,S\nThree,9,8,c,S\nFour,10,d,alias,S\n"
    )
    found = match(
        people, {"same": [], "8": [], "A": [], "gone": [], "anna": ["ALIAS"], "Three": []}
    )
    # "same" is two addresses, "8" the id of one and the SIS id of another; case is ignored, and
    # what the gradebook knows counts.
    assert sorted(found.unclear) == ["8", "same"] and found.unknown == ["gone"]
    assert found.rows == {0: "A", 3: "anna", 2: "Three"}
    both = match(people, {"a": [], "7": []})
    assert both.rows == {} and sorted(both.unclear) == ["7", "a"]


def test_layouts_without_a_roster(small_class):
    canvas = rows_of(without_roster("canvas", small_class, Wanted("Self-attention")))
    assert canvas[0][:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "11"]
    assert canvas[2] == ["ada", "", "", "ada", "", "11"]
    content = without_roster("moodle", small_class, Wanted("SA", comments=True, lang="zh"))
    assert content.startswith(b"\xef\xbb\xbf")
    moodle = rows_of(content)
    assert moodle[0][2:5] == ["ID number", "Email address", "Assignment: SA (Real)"]
    assert moodle[2][2:5] == ["bo", "", "6"] and "模型维度" in moodle[2][5]


def test_comments_hold_our_words_only(small_class):
    by_name = {one.id: one for one in small_class.students}
    assert comment(by_name["ada"], small_class, "en") == "11/11"
    assert "model's width" in comment(by_name["bo"], small_class, "en")
    # fay's detail holds HTML; only the property's sentence is told.
    told = comment(by_name["fay"], small_class, "en")
    assert "rows of weights" in told and "<b>" not in told


ATTACKS = [
    "=1+1",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "|x",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "－1",
    "﹦1",
    "﹢1",
]
ATTACKS += ["\ufeff=1", "\u200b=1", "\x00=1", "+86 138 0000", "-a"]


@pytest.mark.parametrize("cell", ATTACKS)
def test_cells_of_others_cannot_run(cell, roster, small_class):
    assert disarmed(cell) == "'" + cell
    text = cell.replace("\x00", "")  # CSV has no such character
    people = roster(f'Student,ID,SIS Login ID,Section\n"{text}",1,ada,S\n')
    rows, *_ = filled(people, small_class)
    shown = [row[0].lstrip("\ufeff\u200b\t\r ") for row in rows]
    assert not any(cell.startswith(tuple("=+-@|＝－﹦﹢")) for cell in shown)


HARMLESS = ["-", "-3.5", "+2", "12", "", "    Points Possible", "李=雷", "a-b"]


@pytest.mark.parametrize("cell", HARMLESS)
def test_ids_and_numbers_stay_as_they_are(cell):
    assert disarmed(cell) == cell


@pytest.mark.parametrize("text", ["", "just words", "a\n1\n2\n"])
def test_what_is_no_table_is_refused(text, roster):
    with pytest.raises(CommandError, match="no table"):
        roster(text)


def test_utf16_and_tabs_are_read(roster):
    people = roster("Student\tID\tSIS Login ID\tSection\nAda\t1\tada\tS\n", encoding="utf-16")
    assert (people.kind, people.delimiter, people.mark) == ("canvas", "\t", True)


def command(*argv):
    import argparse

    parser = argparse.ArgumentParser()
    export_cli.add_parser(parser.add_subparsers())
    return export_cli.run(parser.parse_args(["export", *map(str, argv)]))


def test_the_command_names_who_is_missing(course, small_class, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(export_cli, "load", lambda notebook: EXERCISES)
    monkeypatch.setattr(export_cli.ExerciseInfo, "of", classmethod(lambda cls, exercise: exercise))
    (course / "submitted" / "hal" / NOTEBOOK).mkdir(parents=True)
    path = tmp_path / "canvas.csv"
    path.write_text(CANVAS.format(possible=11) + '"Hal, H",1200,,hal,A,,,\n', "utf-8")
    assert command(NOTEBOOK, "--course", course, "--roster", path, "--json") == 1
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["format"] == "canvas" and told["file"].endswith(f"reports/{NOTEBOOK}-canvas.csv")
    assert told["without_submission"] == ["Nobody, No", "Student, Test"]
    assert told["ungraded"] == ["hal"] and told["unknown"] == ["cy", "di", "ed", "fay"]
    assert "handed nothing in (2): Nobody, No; Student, Test" in said.err
    with pytest.raises(CommandError, match="is a canvas file"):
        command(NOTEBOOK, "--course", course, "--roster", path, "--format", "moodle")
    assert command(NOTEBOOK, "--course", course) == 0
    file = course / "reports" / f"{NOTEBOOK}-plain.csv"
    assert rows_of(file.read_bytes())[0][:3] == ["student", "final", "max"]
    assert file.stat().st_mode & 0o777 == 0o600
    write(course, "=cmd", right())
    assert load_class(course, NOTEBOOK, EXERCISES).students[0].id == "=cmd"
