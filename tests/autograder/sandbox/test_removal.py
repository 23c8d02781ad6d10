"""Folders that are hard to remove, and what cannot be seen on disk."""

import mmap
import os
import subprocess
import sys

import pytest
from ordinary_user import (
    command_as_ordinary_user,
    environment,
    home_of_ordinary_user,
    why_not,
)

from autograder.sandbox.processes import disk_bytes
from autograder.sandbox.removal import remove


def _deep(folder, levels, name="d" * 200, mode=0o700):
    """Folders in folders, deeper than a path can say; returns where we were."""
    back = os.open(".", os.O_RDONLY)
    os.chdir(folder)
    for _ in range(levels):
        os.mkdir(name)
        os.chdir(name)
        open("file", "w").close()
    os.fchdir(back)
    os.close(back)


def test_a_folder_deeper_than_any_path(tmp_path):
    """Twice as deep as Python calls may go, each level with a name of 200 characters."""
    _deep(tmp_path, 2000)
    (tmp_path / "beside").write_text("x")
    remove(str(tmp_path))
    assert not tmp_path.exists()


def test_odd_names_links_and_locks(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("-rf", "a\nb", "\udcff", "*", " ", "n" * 255):
        (folder / name).mkdir()
        (folder / name / "same").mkdir()
        (folder / name / "same" / "file").touch(0o000)
        (folder / name).chmod(0o000)
    (folder / "to-folder").symlink_to(outside)
    (folder / "to-file").symlink_to(outside / "kept")
    (folder / "nowhere").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    remove(str(folder))
    assert not folder.exists() and (outside / "kept").read_text() == "x"


def test_what_is_no_folder_is_left_alone(tmp_path):
    (tmp_path / "kept").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    for name in ("kept", "link", "missing"):
        remove(str(tmp_path / name))
    assert (tmp_path / "kept").read_text() == "x"


LOCKED = """
import os, sys
from autograder.sandbox.processes import disk_bytes
from autograder.sandbox.removal import remove
os.makedirs("locked/in/side")
open("locked/in/file", "w").write("x" * 10**6)
for path in ("locked/in/side", "locked/in", "locked"):
    os.chmod(path, int(sys.argv[1], 8))
print(disk_bytes("locked", set(), 100, 1))
remove("locked")
print(os.path.lexists("locked"))
"""


@pytest.mark.parametrize("mode", ["0", "300", "100"])
def test_without_privileges_locked_folders_are_noticed_and_go_too(mode):
    if why_not():
        pytest.skip(why_not())
    with home_of_ordinary_user() as home:
        command = command_as_ordinary_user([sys.executable, "-c", LOCKED, mode])
        done = subprocess.run(
            command, env=environment(home), cwd=home, capture_output=True, text=True, timeout=60
        )
    assert done.stderr == "" and done.stdout.split() == ["None", "False"]


def test_what_has_no_path_counts_as_too_much(tmp_path):
    assert disk_bytes(str(tmp_path), set(), 100, 1) == 0
    _deep(tmp_path, 40)
    assert disk_bytes(str(tmp_path), set(), 1000, 1) is None
    remove(str(tmp_path))


def test_deleted_files_count_as_long_as_they_are_held(tmp_path):
    """Open ones with their size; mapped ones, whose size nobody can see, as the largest."""
    largest = 5_000_000
    with open(tmp_path / "file", "w+b") as file:
        file.write(b"x" * 100_000)
        file.flush()
        held = (
            mmap.mmap(file.fileno(), 4096, trackfd=False) if sys.version_info >= (3, 13) else None
        )
        os.unlink(tmp_path / "file")
        open_now = disk_bytes(str(tmp_path), {os.getpid()}, 100, largest)
        assert 100_000 <= open_now < 200_000
    if held is not None:
        assert disk_bytes(str(tmp_path), {os.getpid()}, 100, largest) == largest
        held.close()
    assert disk_bytes(str(tmp_path), {os.getpid()}, 100, largest) == 0
