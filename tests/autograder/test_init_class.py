"""A class folder appears whole or not at all, and nothing in it is ever overwritten."""

import json
import stat

import pytest

from autograder import init_class
from autograder.class_dir import ClassDir
from autograder.errors import CommandError


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(CommandError, match="not empty"):
        init_class.create(tmp_path, "zh")
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_a_missing_parent_and_an_unknown_language_are_told(tmp_path):
    with pytest.raises(CommandError, match="does not exist"):
        init_class.create(tmp_path / "a" / "b", "zh")
    with pytest.raises(CommandError, match="zh or en"):
        init_class.create(tmp_path / "a", "fr")


def test_a_failure_leaves_nothing(tmp_path):
    solutions = tmp_path / "solutions"
    (solutions / "ch09_broken").mkdir(parents=True)
    (solutions / "ch09_broken" / "ch09_broken.py").write_text("# %% [markdown]\nno quotes\n")
    for notebooks in (["ch09_broken"], ["no_such"], []):
        with pytest.raises(CommandError):
            init_class.create(tmp_path / "class", "zh", notebooks, solutions=solutions)
    assert [path.name for path in tmp_path.iterdir()] == ["solutions"]


def test_the_private_part_is_private_and_seeds_differ(tmp_path, monkeypatch):
    released = []
    monkeypatch.setattr(
        "autograder.release.release_to_class", lambda root, name, **_: released.append(name)
    )
    seeds = set()
    for name in ("one", "two"):
        init_class.create(tmp_path / name, "zh", ["ch09_small"])
        private = tmp_path / name / ".autograder"
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert stat.S_IMODE((private / "course.json").stat().st_mode) == 0o600
        content = json.loads((private / "course.json").read_text())
        assert content["lang"] == "zh"
        seeds.add(content["seed"])
        assert ClassDir.open(tmp_path / name).seed == content["seed"]
        config = (tmp_path / name / "nbgrader_config.py").read_text()
        compile(config, "nbgrader_config.py", "exec")
        assert str(content["seed"]) not in config
    assert len(seeds) == 2 and released == ["ch09_small"] * 2
