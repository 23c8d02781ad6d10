"""Class lists: what Canvas, Moodle and people write, and the mistakes that stand in them."""

import json

import pytest
from nbgrader.api import Gradebook
from tiny_course import TINY

from autograder.classroom.people import Person, read_people
from autograder.errors import CommandError
from autograder.gradebook import read_standings
from autograder.report.roster import match, read_roster

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework (11)
,,,,,Manual Posting
    Points Possible,,,,,10
"Lovelace, Ada",1001,U1,anna@uni.edu,A,9
"Bo, Ben",1002,U2,ben@uni.edu,A,9
王小明,1003,U3,cai@uni.edu,A,9
"Student, Test",1099,,0f3c,A,
"""
MOODLE = """\
First name;Last name;ID number;Email address;Course total (Real)
Ada;Lovelace;anna;a@uni.edu;-
小明;王;cai;c@uni.edu;-
"""
TABLE = "学号,姓名,邮箱\nanna,Ada Lovelace,a@x.cn\ncai,王小明,c@x.cn\n"


@pytest.fixture
def listed(tmp_path, spoken):
    def make(text, encoding="utf-8"):
        path = tmp_path / "roster.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return make


def test_canvas(listed):
    found = read_people(listed(CANVAS))
    assert found.persons == (
        Person("anna", "Ada", "Lovelace", "anna@uni.edu", "1001"),
        Person("ben", "Ben", "Bo", "ben@uni.edu", "1002"),
        Person("cai", "王小明", "", "cai@uni.edu", "1003"),
    )
    assert found.column == "SIS Login ID"
    assert [note for note in found.notes if "test student" in note] and len(found.notes) == 1
    assert read_people(listed(CANVAS), by="sis user id").persons[2].id == "U3"


def test_moodle_and_a_plain_table(listed):
    (ada, ming) = read_people(listed(MOODLE)).persons
    assert ada == Person("anna", "Ada", "Lovelace", "a@uni.edu", "anna")
    assert (ming.first_name, ming.last_name) == ("小明", "王")
    (ada, ming) = read_people(listed(TABLE)).persons
    assert ada == Person("anna", "Ada", "Lovelace", "a@x.cn")
    assert ming == Person("cai", "王小明", "", "c@x.cn")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings(listed, encoding):
    found = read_people(listed(TABLE, encoding))
    assert found.persons[1].first_name == "王小明"
    assert bool(found.notes) == (encoding == "gb18030")  # the one that is guessed is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE + "anna,Ann,b@x.cn\n", "stand twice in '学号': anna"),
        (TABLE + "ANNA,Ann,b@x.cn\n", "stand twice"),
        (TABLE + ",Nobody,n@x.cn\n", "1 people have nothing in '学号'"),
        ("name,mail\nAda,a@x\n", "--id COLUMN. It has: 'name', 'mail'"),
        ("id,name\n../anna,Ada\n", "cannot be the name"),
        ("id,name\na/b,Ada\n", "cannot be the name"),
        ("id,name\n", "no table"),
        (TABLE.encode("utf-16-le"), "UTF-16 without a mark"),
        (b"\x00\x01\x02\xff\xfe", "no table"),
    ],
)
def test_mistakes_are_refused_with_a_clear_word(listed, text, said):
    with pytest.raises(CommandError) as error:
        read_people(listed(text))
    assert said in str(error.value), str(error.value)


def test_ids_that_export_could_not_tell_apart_are_told(listed):
    """Ben's login is Ada's number in another column."""
    text = CANVAS.replace("1001,U1,anna@uni.edu", "1001,ben,anna@uni.edu")
    (note, *_) = [n for n in read_people(listed(text)).notes if "export" in n]
    assert "ben" in note


# ---------------------------------------------------------------- in the gradebook


def people_of(root):
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        return {
            s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in gradebook.students
        }


def test_a_newer_roster_adds_and_never_deletes(late_class, listed, cli):
    root = late_class.root
    code, _, said = cli("init-class", root, "--roster", listed(CANVAS))
    assert code == 0 and "0 added" in said and "3 brought up to date" in said
    first = people_of(root)
    assert first["anna"] == ("Ada", "Lovelace", "anna@uni.edu", "1001")
    # ben left the course, dora came, anna has another name, cai's address is missing.
    newer = CANVAS.replace('"Bo, Ben",1002,U2,ben@uni.edu', '"Ro, Dora",1004,U4,dora@uni.edu')
    newer = newer.replace("Lovelace, Ada", "King, Ada")
    _, _, said = cli("init-class", root, "--roster", listed(newer))
    assert "1 added: dora" in said and "date: anna" in said and "kept: ben" in said
    second = people_of(root)
    assert set(second) == {"anna", "ben", "cai", "dora"} and second["ben"] == first["ben"]
    assert second["anna"][1] == "King" and second["cai"] == first["cai"]
    cli("init-class", root, "--roster", listed("id,name\ncai,\n"))
    assert people_of(root) == second  # empty cells take nothing away
    # Graded work is still theirs, and export finds every row by what was kept.
    standings = read_standings(root, TINY)
    assert standings["anna"].raw == 7 and standings["cai"].name == "王小明"
    roster = read_roster(listed(newer))
    found = match(roster, {who: [s.lms_id, s.email] for who, s in standings.items()})
    assert set(found.rows.values()) == {"anna", "cai"} and found.unknown == ["ben"]


def test_the_same_person_under_another_id_is_refused(late_class, listed, cli):
    cli("init-class", late_class.root, "--roster", listed(CANVAS))
    before = people_of(late_class.root)
    code, _, said = cli("init-class", late_class.root, "--roster", listed(CANVAS), "--id", "ID")
    assert code == 2 and "is 'anna' in the gradebook" in said
    assert people_of(late_class.root) == before


def test_a_new_class_has_its_people_or_is_not_made(tmp_path, listed, cli, monkeypatch):
    monkeypatch.setattr("autograder.release.release_to_class", lambda *args, **more: None)
    code, _, said = cli("init-class", tmp_path / "new", "--roster", listed(TABLE))
    assert code == 0 and "2 students" in said
    assert set(people_of(tmp_path / "new")) == {"anna", "cai"}
    assert (tmp_path / "new" / "gradebook.db").stat().st_mode & 0o077 == 0
    content = json.loads((tmp_path / "new" / ".autograder" / "course.json").read_text())
    assert content["lang"] == "zh"
    code, _, _ = cli("init-class", tmp_path / "other", "--roster", listed("a,b\n1,2\n"))
    assert code == 2 and not (tmp_path / "other").exists()
