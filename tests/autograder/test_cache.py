"""The cache: equal cells are judged once, and nothing in it is believed without need."""

import json
import os
import stat

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, POINTS, TINY, filled, to_bytes

from autograder import cache as caching
from autograder import running
from autograder.cache import Cache
from autograder.errors import CommandError
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class

TOTAL = sum(POINTS.values())
WRONG = "def double(x):\n    return 3 * x\n"
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path):
    return make_class(tmp_path / "class")


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def judged(monkeypatch):
    """Whose submissions were really run and judged."""
    seen, real = [], running.grade_submission

    def grade(handed, *rest):
        seen.append(handed.student)
        return real(handed, *rest)

    monkeypatch.setattr(running, "grade_submission", grade)
    return seen


def _grade(course, warm, cache, **options):
    options = {"gradebook": False, "fresh": True, **options}
    return grade_class(course, TINY, limits=LIMITS, spawner=warm, cache=cache, **options)


def _result(course, student):
    return json.loads(course.result_path(student, TINY).read_text())


def _bare(result):
    """A result without what time, key and cache put into it."""
    own = ("student", "key", "seconds", "cpu_seconds", "cached")
    return {key: value for key, value in result.items() if key not in own}


def test_equal_work_is_judged_once_and_gets_the_same(course, warm, cache, judged):
    submit(course, "anna", double=WRONG)
    submit(course, "ben", double=WRONG)
    _grade(course, warm, cache)
    assert judged == ["anna"]
    anna, ben = _result(course, "anna"), _result(course, "ben")
    assert _bare(anna) == _bare(ben) and ben["score"] == TOTAL - 3
    assert ben["student"] == "ben" and ben["cached"] and "cached" not in anna
    _grade(course, warm, cache)
    assert judged == ["anna"]


def test_outputs_ids_and_written_answers_do_not_matter_but_are_kept(course, warm, cache, judged):
    submit(course, "anna", written="first thought")
    second = filled(written="second thought")
    for cell in second["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = 7
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "hello\n"}]
    submit(course, "ben", second)
    submit(course, "cara", b"\xef\xbb\xbf" + to_bytes(filled()))
    _grade(course, warm, cache, gradebook=True)
    assert judged == ["anna"]
    for student, text in (("anna", "first thought"), ("ben", "second thought")):
        written = [c["source"] for c in _result(course, student)["plan"] if c["role"] == "written"]
        assert written == [text]
    cara = _result(course, "cara")
    assert [note["code"] for note in cara["repairs"]] == ["encoding"] and cara["score"] == TOTAL


def test_dumps_are_equal_with_and_without(course, warm, cache, tmp_path):
    for student, text in (("anna", WRONG), ("ben", WRONG), ("cara", "x = 1"), ("dan", "1 +")):
        submit(course, student, double=text)
    submit(course, "eve", b"{")
    _grade(course, warm, None, gradebook=True)
    plain = {name: _bare(_result(course, name)) for name in ("anna", "ben", "cara", "dan", "eve")}
    before = normalised_dump(course.root)
    for _ in range(2):
        _grade(course, warm, cache, gradebook=True)
        assert normalised_dump(course.root) == before
        assert plain == {name: _bare(_result(course, name)) for name in plain}


@pytest.mark.parametrize(
    "answers",
    [
        {"double": "def double(x):\n    import os\n    os._exit(1)\n"},
        {"scale": "import os\nos._exit(0)"},
        {"double": "def double(x):\n    while True: pass\n"},
    ],
    ids=["died in a call", "died in a cell", "timeout"],
)
def test_incidents_are_never_kept(course, warm, cache, judged, answers):
    submit(course, "anna", **answers)
    submit(course, "ben", b"{ no notebook")
    for _ in range(2):
        _grade(course, warm, cache)
    assert judged.count("anna") == 2 and list(cache.iterdir()) == []


def test_another_tier_seed_or_limit_finds_nothing(course, warm, cache, judged):
    submit(course, "anna")
    _grade(course, warm, cache)
    assignment = None
    for grader, tier in (("g", "landlock"), ("g", "namespaces"), ("h", "landlock")):
        opened = Cache.open(cache, assignment, grader, tier)
        assert Cache.open(cache, assignment, grader, tier).circumstances == opened.circumstances
        judged.append(opened.circumstances)
    assert len(set(judged)) == 4
    object.__setattr__(course, "seed", course.seed + 1)
    _grade(course, warm, cache)
    assert judged.count("anna") == 2


def test_another_machine_or_other_data_find_nothing(cache, monkeypatch, tmp_path):
    def circumstances():
        return Cache.open(cache, None, "g", "landlock").circumstances

    monkeypatch.setenv("BERT_COURSE_CACHE", str(tmp_path / "data"))
    seen = [circumstances()]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corpus.txt").write_text("one")
    seen.append(circumstances())
    (tmp_path / "data" / "corpus.txt").write_text("other")
    seen.append(circumstances())
    real = caching._machine()
    for number in range(3):  # system, processor, packages
        other = [[*part] if part is not real[number] else "other" for part in real]
        monkeypatch.setattr(caching, "_machine", lambda other=other: other)
        seen.append(circumstances())
    assert len(set(seen)) == len(seen)
    assert any(name.startswith("numpy ") for name in real[2])


def test_entries_are_private(course, warm, cache):
    submit(course, "anna")
    _grade(course, warm, cache)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    (entry,) = cache.iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert "anna" not in entry.name and "anna" not in entry.read_text()
    assert f'"seed": {course.seed}' not in entry.read_text()


def _change(entry, **changes):
    content = json.loads(entry.read_text())
    content["judged"].update(changes)
    entry.write_text(json.dumps(content))


def _link(entry):
    other = entry.with_name("other")
    entry.rename(other)
    entry.symlink_to(other)


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: entry.write_text(""),
        lambda entry: entry.write_text(entry.read_text()[:-40]),
        lambda entry: entry.write_bytes(b"\xff\xfe[]"),
        lambda entry: entry.write_text("[" * 100_000),
        lambda entry: entry.write_text("[]"),
        lambda entry: _change(entry, score=1e9),
        lambda entry: _change(entry, exercises=[]),
        lambda entry: entry.chmod(0o666),
        _link,
    ],
    ids=["empty", "cut", "binary", "deep", "list", "points", "fewer", "writable", "link"],
)
def test_a_damaged_entry_is_ignored_and_written_again(course, warm, cache, judged, damage):
    submit(course, "anna")
    _grade(course, warm, cache)
    (entry,) = cache.iterdir()
    good = entry.read_text()
    damage(entry)
    assert _grade(course, warm, cache)["students"][0]["score"] == TOTAL
    assert judged == ["anna", "anna"]
    assert json.loads(entry.read_text())["judged"] == json.loads(good)["judged"]
    assert not entry.is_symlink()


def test_an_entry_that_was_moved_is_ignored(course, warm, cache, judged):
    submit(course, "anna", double=WRONG)
    _grade(course, warm, cache)
    (bad,) = cache.iterdir()
    content = bad.read_text()
    submit(course, "anna")
    _grade(course, warm, cache)
    (good,) = [path for path in cache.iterdir() if path != bad]
    good.write_text(content)
    assert _grade(course, warm, cache)["students"][0]["score"] == TOTAL


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720])
def test_a_folder_that_others_may_write_is_refused(course, warm, cache, mode):
    submit(course, "anna")
    cache.mkdir()
    cache.chmod(mode)
    with pytest.raises(CommandError, match="chmod 700"):
        _grade(course, warm, cache)


def test_a_folder_that_others_may_replace_is_refused(course, warm, cache):
    submit(course, "anna")
    cache.mkdir(mode=0o700)
    cache.chmod(0o700)
    cache.parent.chmod(0o777)
    with pytest.raises(CommandError, match="replace it"):
        _grade(course, warm, cache)
    cache.parent.chmod(0o1777)  # as /tmp is: nobody can take away what is ours
    _grade(course, warm, cache)


def test_links_files_and_others_folders_are_refused(course, warm, cache, tmp_path, monkeypatch):
    submit(course, "anna")
    (tmp_path / "real").mkdir(mode=0o700)
    cache.symlink_to(tmp_path / "real")
    with pytest.raises(CommandError, match="no folder"):
        _grade(course, warm, cache)
    cache.unlink()
    cache.write_text("")
    with pytest.raises(CommandError, match="cache"):
        _grade(course, warm, cache)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(CommandError, match="somebody else"):
        _grade(course, warm, tmp_path / "real")


def test_a_cache_that_cannot_be_written_costs_nothing(course, warm, cache, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    submit(course, "anna")
    monkeypatch.setattr("autograder.cache.private.write_json", full)
    assert _grade(course, warm, cache)["students"][0]["score"] == TOTAL
