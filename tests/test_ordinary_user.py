"""The tests' own helper: what it starts has no privilege, and the machine is as it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ordinary_user import (
    command_as_ordinary_user,
    environment,
    home_of_ordinary_user,
    why_not,
)

LOOK = """
import os, sys
import numpy, autograder.grading
print(os.geteuid(), os.getegid(), os.getgroups() in ([], [os.getegid()]))
print(open("/proc/self/status").read().split("CapEff:")[1].split()[0])
open(os.path.expanduser("~/mine"), "w")
try:
    open(sys.argv[1], "w")
except OSError as error:
    print("refused")
"""


def test_an_ordinary_user_runs_this_python_and_nothing_else_changes(tmp_path):
    if why_not():
        pytest.skip(why_not())
    mounts = Path("/proc/self/mountinfo").read_text()
    with home_of_ordinary_user() as home:
        command = command_as_ordinary_user([sys.executable, "-c", LOOK, "/etc/never"])
        done = subprocess.run(
            command, env=environment(home), cwd=home, capture_output=True, text=True, timeout=60
        )
        assert (home / "mine").is_file()
    assert done.stderr == ""
    user, group, groups, capabilities, refused = done.stdout.split()
    assert "0" not in (user, group) and groups == "True"
    assert set(capabilities) == {"0"}
    if os.geteuid() == 0:
        assert refused == "refused"
    assert Path("/proc/self/mountinfo").read_text() == mounts
    assert not home.exists()
