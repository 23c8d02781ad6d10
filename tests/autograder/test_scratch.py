"""Temporary folders of killed graders go; those of running ones and of others stay."""

import os
import socket
import subprocess
import sys
import tempfile

import pytest

from autograder import scratch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def _folder(temporary, name="autograder-abc"):
    folder = temporary / name
    (folder / "home").mkdir(parents=True)
    (folder / "warm.log").touch()
    return folder


def test_an_abandoned_folder_goes_even_where_its_rights_were_taken(temporary):
    folder = _folder(temporary)
    inner = folder / "submission-x" / "deep"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    inner.chmod(0)
    assert scratch.sweep() == [folder] and not folder.exists()


def test_a_folder_in_use_stays(temporary):
    by_log, by_place = _folder(temporary), _folder(temporary, "autograder-def")
    sleeper = subprocess.Popen(["sleep", "60"], cwd=by_place / "home")
    try:
        with open(by_log / "warm.log"):
            assert scratch.sweep() == []
        assert scratch.sweep() == [by_log]
    finally:
        sleeper.kill()
        sleeper.wait()
    assert scratch.sweep() == [by_place]


def test_a_self_test_that_listens_keeps_its_folder(temporary):
    folder = temporary / "ag-abc"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s"))
        assert scratch.sweep() == []
    assert scratch.sweep() == [folder]


def test_what_is_not_a_sandboxes_folder_stays(temporary, tmp_path):
    (temporary / "autograder-notes").mkdir()
    (temporary / "autograder-file").touch()
    (temporary / "autograder-link").symlink_to(_folder(temporary, "mine"))
    assert scratch.sweep() == []
    assert {"autograder-notes", "autograder-file", "autograder-link"} < set(os.listdir(temporary))


def test_other_users_folders_stay(temporary, monkeypatch):
    _folder(temporary)
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert scratch.sweep() == []


def test_a_running_sandbox_is_left_alone(warm, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(warm.scratch.parent))
    scratch.sweep()
    assert warm.scratch.exists()
    child = warm.spawn()
    assert child.run_cell("x = 1", "c").status == "ok"
    child.close()
