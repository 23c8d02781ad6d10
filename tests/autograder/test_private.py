"""What only the grader's user may read stays so, whatever the umask says."""

import json
import os
import stat

import pytest
from class_kit import make_class

from autograder import private


@pytest.fixture(autouse=True)
def usual_umask():
    old = os.umask(0o022)
    yield
    os.umask(old)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_new_folders_and_files_are_private_and_old_ones_keep_their_modes(tmp_path):
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    private.write(open_folder / "a" / "b" / "x.json", b"1")
    assert mode(open_folder) == 0o755
    assert mode(open_folder / "a") == mode(open_folder / "a" / "b") == 0o700
    assert mode(open_folder / "a" / "b" / "x.json") == 0o600


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("old")
    os.chmod(path, 0o644)
    private.write_json(path, {"名": "\ud800"})
    assert mode(path) == 0o600 and "名" in path.read_text("utf-8", "surrogatepass")
    before = path.read_bytes()
    with pytest.raises(TypeError):
        private.write_json(path, {"a": object()})
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x.json"]


def test_a_long_name_fits(tmp_path):
    private.write(tmp_path / ("n" * 240), b"")
    assert os.listdir(tmp_path) == ["n" * 240]


def test_closing_a_tree_follows_no_link(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("x")
    os.chmod(outside, 0o644)
    tree = tmp_path / "tree"
    (tree / "in").mkdir(parents=True)
    (tree / "in" / "file").write_text("x")
    (tree / "link").symlink_to(outside)
    private.close(tree)
    assert mode(tree) == mode(tree / "in") == 0o700 and mode(tree / "in" / "file") == 0o600
    assert mode(outside) == 0o644
    private.close(tmp_path / "nothing there")


def test_a_new_class_has_a_private_gradebook(tmp_path):
    course = make_class(tmp_path / "class")
    assert mode(course.root / "gradebook.db") == 0o600
    assert json.loads((course.root / ".autograder" / "course.json").read_bytes())["seed"]
