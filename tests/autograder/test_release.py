"""From the made-up chapter to what students open."""

import argparse
import json
import os
import sqlite3
import subprocess
import sys

import chapter_kit as kit
import nbformat
import pytest

from autograder import assemble, chapters, drills, errors, release, start_cell

NAME = f"{kit.NOTEBOOK}.ipynb"
points = kit.POINTS.__getitem__


@pytest.fixture
def source(tmp_path, monkeypatch):
    path = kit.write_project(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


@pytest.fixture
def project(source):
    return source.parents[2]


def made(project, **more):
    return release.release(kit.NOTEBOOK, solutions=project / "solutions", points=points, **more)


@pytest.fixture(scope="module")
def editions(tmp_path_factory):
    """Both editions of the chapter as it stands, made once."""
    root = tmp_path_factory.mktemp("project")
    kit.write_project(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        return made(root)


def cells(content):
    return {cell["id"]: cell for cell in json.loads(content)["cells"]}


def text(cell):
    return "".join(cell["source"])


def test_both_editions(editions):
    zh, en = (json.loads(editions[lang][NAME]) for lang in ("zh", "en"))
    for lang, notebook in (("zh", zh), ("en", en)):
        nbformat.validate(nbformat.from_dict(notebook))
        assert notebook["metadata"]["course"]["lang"] == lang
        assert notebook["metadata"]["kernelspec"]["name"] == "python3"
        assert editions[lang]["results/width.json"] == b'{"seeds": [1, 2, 3]}\n'
    code = [[text(c) for c in n["cells"] if c["cell_type"] == "code"] for n in (zh, en)]
    assert code[0] == code[1] and len(code[0]) == 11
    assert [c["id"] for c in zh["cells"]] == [c["id"] for c in en["cells"]]
    assert zh["metadata"]["course"]["version"] == en["metadata"]["course"]["version"]
    prose = [[text(c) for c in n["cells"] if c["cell_type"] == "markdown"] for n in (zh, en)]
    assert len(prose[0]) == len(prose[1]) and not set(prose[0]) & set(prose[1])
    assert any("小例子" in part for part in prose[0])


def test_graded_cells_carry_the_contract(editions):
    found = cells(editions["en"][NAME])
    marks = {
        cell["metadata"]["nbgrader"]["grade_id"]: cell
        for cell in found.values()
        if "nbgrader" in cell["metadata"]
    }
    assert list(marks) == [
        *(f"{kind}_{name}" for name in kit.POINTS for kind in ("answer", "check")),
        "written_ch09_small",
    ]
    for name, worth in kit.POINTS.items():
        answer, check = marks[f"answer_{name}"]["metadata"], marks[f"check_{name}"]["metadata"]
        assert answer["course"] == check["course"] == {"exercise": name}
        assert (answer["nbgrader"]["solution"], answer["nbgrader"]["grade"]) == (True, False)
        assert (check["nbgrader"]["grade"], check["nbgrader"]["points"]) == (True, worth)
        assert check["nbgrader"]["locked"] and check["editable"] is False
    written = marks["written_ch09_small"]
    assert written["metadata"]["nbgrader"]["points"] == 0
    assert written["metadata"]["nbgrader"]["grade"] and written["metadata"]["nbgrader"]["solution"]
    assert text(written) == assemble.TEXT_STUB["en"]
    tagged = [cell for cell in found.values() if cell["metadata"].get("tags")]
    own = [(text(c)[:8], c["metadata"]["tags"]) for c in tagged if c["id"] != start_cell.CELL_ID]
    assert own == [("if ready", ["experiment"])]


def test_no_answer_is_released_and_blanks_raise_only_when_called(editions):
    for lang, files in editions.items():
        content = files[NAME].decode()
        for secret in ("SOLUTION", "factor * x", "self.factor * x", "Scale(3)", "Rubric", "评分"):
            assert secret not in content, (lang, secret)
        found = cells(content)
        namespace = {}
        for name in ("double", "Scale", "drill-ch09-small", "capstone-small"):
            exec(text(found[f"answer-{name}"]), namespace)
        assert namespace["suspect"] is None
        assert namespace["Scale"](4).factor == 4
        for call in (lambda n=namespace: n["double"](1, 2), lambda n=namespace: n["repaired"](1)):
            with pytest.raises(NotImplementedError):
                call()


def test_solved_edition_runs(source):
    chapter = chapters.parse(source)
    notebook = assemble.build(chapter, "zh", seed=2, points=points, solved=True)
    namespace = {"math": __import__("math")}
    for cell in notebook["cells"]:
        if cell["id"].startswith("answer-"):
            exec(cell["source"], namespace)
    assert namespace["capstone"](5) == 30  # 2 · (3 · 5)
    assert namespace["suspect"] == "twice" and namespace["repaired"](7) == 15


def test_seed_chooses_the_bug_and_nothing_else(source):
    chapter = chapters.parse(source)
    first, second = (
        cells(release.edition(chapter, "zh", seed=seed, points=points)[NAME]) for seed in (8, 9)
    )
    changed = {name for name in first if first[name] != second[name]}
    assert changed == {"answer-drill-ch09-small", "check-drill-ch09-small"}
    for found, key, line in ((first, "sign", "-2 * x + 1"), (second, "offset", "return 2 * x\n")):
        assert line in text(found["answer-drill-ch09-small"])
        code = drills.code("drill_ch09_small", key)
        assert text(found["check-drill-ch09-small"]) == (
            f'check("drill_ch09_small", (suspect, repaired), variant="{code}")'
        )


def arguments(project, *notebooks, **more):
    parser = argparse.ArgumentParser()
    release.add_parser(parser.add_subparsers())
    words = ["release", *notebooks, "--solutions", str(project / "solutions")]
    for name, value in more.items():
        words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    return parser.parse_args(words)


def test_command_twice_gives_the_same_bytes_and_touches_nothing(project, monkeypatch, capsys):
    monkeypatch.setattr(release, "registered_points", points)
    course = project / "course"
    assert release.run(arguments(project, course=course, json=True)) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["notebooks"] == ["ch09_small"] and len(told["changed"]) == 4
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in course.rglob("*") if p.is_file()}
    content = (course / "zh" / kit.NOTEBOOK / NAME).read_bytes()
    assert content.endswith(b"}\n") and b"\r" not in content and "小例子".encode() in content
    assert release.run(arguments(project, "ch09_small", course=course)) == 0
    after = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in course.rglob("*") if p.is_file()}
    assert before == after and len(after) == 4
    assert release.run(arguments(project, course=course, check=True)) == 0
    (course / "en" / kit.NOTEBOOK / NAME).write_text("{}")
    (course / "zh" / kit.NOTEBOOK / "results" / "old.json").write_text("{}")
    assert release.run(arguments(project, course=course, check=True)) == 1
    err = capsys.readouterr().err
    assert f"en/ch09_small/{NAME}" in err and "zh/ch09_small/results/old.json" in err
    assert release.run(arguments(project, course=course)) == 0
    assert {p: p.read_bytes() for p in course.rglob("*") if p.is_file()} == {
        p: content for p, (content, _) in before.items()
    }


def test_command_writes_the_solved_editions_elsewhere(project, monkeypatch):
    monkeypatch.setattr(release, "registered_points", points)
    course = project / "course"
    where = {"course": course, "solved": project / "solved"}
    assert release.run(arguments(project, **where, seed=3)) == 0
    assert not course.exists()
    found = cells((project / "solved" / "en" / kit.NOTEBOOK / NAME).read_bytes())
    assert text(found["answer-Scale"]).endswith("        return self.factor * x")
    assert 'suspect = "zero"' in text(found["answer-drill-ch09-small"])
    assert (project / "solved" / "zh" / kit.NOTEBOOK / "results" / "width.json").is_file()


def test_stale_folders_go_and_checkpoints_stay(tmp_path):
    folder = tmp_path / "nb"
    (folder / "results").mkdir(parents=True)
    (folder / "results" / "old.json").write_text("1")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "a.ipynb").write_text("1")
    assert release.write_folder(folder, {"a.ipynb": b"1"}) == ["a.ipynb", "results/old.json"]
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*"))
    assert names == [".ipynb_checkpoints", ".ipynb_checkpoints/a.ipynb", "a.ipynb"]


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        release.write_whole(path, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.ipynb"] and path.read_bytes() == b"old"


def test_unknown_notebook_lists_the_known(project):
    with pytest.raises(errors.CommandError) as caught:
        release.open_chapter("ch03", project / "solutions")
    assert str(caught.value) == "there is no notebook 'ch03'; known: ch09_small"
    with pytest.raises(errors.CommandError, match="no notebook 'ch03'; known: none in"):
        release.open_chapter("ch03", project)


def test_unknown_exercise_is_one_line(project):
    with pytest.raises(errors.CommandError) as caught:
        release.registered_points("no_such_exercise")
    assert "no_such_exercise" in str(caught.value) and "\n" not in str(caught.value)


def test_check_cells_that_are_refused(source):
    original = source.read_text(encoding="utf-8")
    for new in ('check("Scale", double)', 'check("Scale", Scale, 1)', "print(1)", "x = 1\nx"):
        source.write_text(
            original.replace('check("double", double)', new.replace("Scale", "Scala")),
            encoding="utf-8",
        )
        chapter = chapters.parse(source)
        with pytest.raises(chapters.ChapterError, match='one call: check\\("double", answer\\)'):
            assemble.build(chapter, "zh", seed=0, points=points)


def test_an_answer_left_in_prose_is_refused(project, source):
    kit.change(source, 'r"""\nWhy?', 'r"""\n```text\n    return self.factor * x\n```\nWhy?')
    with pytest.raises(release.ReleaseError, match="the answer of Scale is released"):
        made(project)


def test_nbgrader_failures_become_one_line(project, source, monkeypatch):
    from autograder import gradebook

    files = {NAME: b"not a notebook"}
    with pytest.raises(gradebook.BridgeError) as caught:
        gradebook.generate_assignment(files, "ch09_small", text_stub="")
    assert "\n" not in str(caught.value) and "JSON" in str(caught.value)


def test_class_gets_its_language_its_bug_and_its_gradebook(project, source):
    folder = project / "class"
    with pytest.raises(release.ReleaseError, match="isn't a class yet"):
        release.release_to_class(folder, kit.NOTEBOOK, points=points)
    (folder / ".autograder").mkdir(parents=True)
    (folder / ".autograder" / "course.json").write_text('{"lang": "en", "seed": 5}')
    where = {"solutions": project / "solutions", "points": points}
    changed = release.release_to_class(folder, kit.NOTEBOOK, **where)
    assert sorted(changed) == [
        f"{place}/ch09_small/{name}"
        for place in ("release", "source")
        for name in (NAME, "results/width.json")
    ]
    released = (folder / "release" / kit.NOTEBOOK / NAME).read_bytes()
    alone = release.edition(chapters.parse(source), "en", seed=5, points=points)
    assert released == alone[NAME]
    assert "### BEGIN SOLUTION" in (folder / "source" / kit.NOTEBOOK / NAME).read_text()
    with sqlite3.connect(folder / "gradebook.db") as database:
        rows = database.execute(
            "select name, max_score from grade_cells join base_cell using (id) order by name"
        ).fetchall()
    assert rows == [
        *sorted((f"check_{name}", worth) for name, worth in kit.POINTS.items()),
        ("written_ch09_small", 0),
    ]
    assert release.release_to_class(folder, kit.NOTEBOOK, **where) == []


def test_release_needs_no_keras(project):
    code = (
        "import sys; from autograder import release, lint;"
        "from autograder.chapters import parse; from autograder.assemble import build;"
        "build(parse(sys.argv[1]), 'zh', seed=0, points=lambda name: 1);"
        "print([m for m in ('keras', 'tensorflow', 'nbgrader', 'bert_keras') if m in sys.modules])"
    )
    path = project / "solutions" / kit.NOTEBOOK / f"{kit.NOTEBOOK}.py"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(project), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", code, path], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
