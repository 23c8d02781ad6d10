"""The self-test: contained in both tiers, as root and as an ordinary user; and able to fail."""

import json
import os
import signal
import subprocess
import sys

import ordinary_user
import pytest

from autograder import doctor
from autograder.__main__ import main
from autograder.errors import CommandError
from autograder.sandbox import Sandbox, SandboxError, jail
from autograder.sandbox.probes import PROBES
from autograder.sandbox.targets import Targets

# What an ordinary process may do depends on the system: a kernel may be built without some of it.
MAY_NOT_WORK_OUTSIDE = {
    "change an attribute",
    "trace the kernel",
    "use the kernel's keyring",
    "open a ring for input and output",
    "enter a new user namespace",
    "enter a process's namespaces",
    "read a process's memory",
    "attach to a process as a debugger",
    "lower a process's priority",
    "write into the Python environment",  # it may belong to somebody else
}


def _examined(output):
    content = json.loads(output)
    return content, {finding["name"]: finding for finding in content["findings"]}


def _command(tier, *options):
    return [sys.executable, "-m", "autograder", "doctor", "--tier", tier, "--json", *options]


@pytest.mark.parametrize("tier", jail.CONTAINED)
@pytest.mark.parametrize("user", ["as we are", "ordinary"])
def test_nothing_gets_out(tier, user):
    command, env = _command(tier), None
    if user == "ordinary":
        if ordinary_user.why_not():
            pytest.skip(ordinary_user.why_not())
        with ordinary_user.home_of_ordinary_user() as home:
            command, env = (
                ordinary_user.command_as_ordinary_user(command),
                ordinary_user.environment(home),
            )
            done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120)
    else:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode == 2 and "cannot be contained" in done.stderr:
        pytest.skip(done.stderr.strip())
    content, findings = _examined(done.stdout)
    assert content["tier"] == tier
    assert [name for name, found in findings.items() if not found["contained"]] == []
    assert done.returncode == 0
    # An act that works nowhere shows nothing.
    idle = {name for name, found in findings.items() if not found["works"]}
    assert idle <= MAY_NOT_WORK_OUTSIDE
    assert len(findings) == len(PROBES) >= 50


def test_without_containment_the_acts_succeed():
    done = subprocess.run(_command("limits"), capture_output=True, text=True, timeout=120)
    content, findings = _examined(done.stdout)
    assert done.returncode == 1 and content["contained"] is False
    through = {name for name, found in findings.items() if not found["contained"]}
    assert {
        "read a private file",
        "write to a file",
        "signal a process",
        "connect over TCP",
    } <= through
    # Limits hold without a jail too.
    assert not {"take private memory", "write one large file", "open many files"} & through


def test_grading_refuses_to_start_where_an_act_succeeds():
    light = ("numpy", "autograder.sandbox.child")
    refused = pytest.raises(CommandError, match=r"read a private file.*autograder doctor")
    with Sandbox(preload=light, tier="limits") as sandbox, refused:
        doctor.require_containment(sandbox)


def test_a_contained_sandbox_may_grade(warm):
    doctor.require_containment(warm)


def test_targets_leave_nothing_behind_and_are_as_new_after_a_reset():
    with Targets() as targets:
        folder, victim = targets.folder, targets.names["victim"]
        assert not targets.changed()
        (folder / "file").chmod(0o644)
        assert targets.changed()
        targets.reset()
        assert not targets.changed()
        os.kill(victim, signal.SIGUSR1)
        assert targets.victim_was_signalled()
        targets.reset()
        assert not targets.victim_was_signalled()
    assert not folder.parent.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(victim, 0)


def test_elsewhere_it_says_where_to_go(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["doctor"]) == 2
    assert "container" in capsys.readouterr().err


def test_a_system_that_cannot_contain_anything_is_refused(monkeypatch):
    """The reasons of both tiers are told; nothing falls back to no containment by itself."""
    with pytest.raises(SandboxError, match="unknown jail tier"):
        Sandbox(preload=("numpy", "autograder.sandbox.child"), tier="none")


# What a container engine's default settings leave to root, and the calls that they take away.
CONTAINER = """
import os, struct, sys
from autograder.sandbox import kernel, seccomp, syscalls
refused = {
    "x86_64": (272, 308, 165, 166, 155, 298, 321, 248, 249, 250, 310, 311, 312, 323, 425, 428, 442),
    "aarch64": (97, 268, 40, 39, 41, 241, 280, 217, 218, 219, 270, 271, 272, 282, 425, 428, 442),
}[os.uname().machine]
clone = syscalls.numbers(syscalls.RULED, os.uname().machine)["clone"]
lines = [(0x20, 0, 0, 0), *((0x15, 0, 1, clone), (0x05, 0, 0, 2 * len(refused) + 3))]
for number in refused:
    lines += [(0x15, 0, 1, number), (0x06, 0, 0, 0x50001)]
lines += [(0x15, 0, 1, 435), (0x06, 0, 0, 0x50026), (0x06, 0, 0, 0x7FFF0000)]
lines += [(0x20, 0, 0, 16), (0x45, 0, 1, 0x7E020000)]
lines += [(0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)]
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.install_filter(b"".join(struct.pack("=HBBI", *line) for line in lines))
left = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
kernel.bound_capabilities(*left)
if os.geteuid() == 0:
    kernel.keep_capabilities(*left)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def test_a_containers_default_settings_are_enough():
    """No namespaces may be made there: Landlock and the filter on system calls do it alone."""
    command = [sys.executable, "-c", CONTAINER, *_command("auto")[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout, done.stderr
    content, findings = _examined(done.stdout)
    assert content["tier"] == "landlock"
    assert content["declined"] and content["declined"][0].startswith("namespaces")
    assert [name for name, found in findings.items() if not found["contained"]] == []
