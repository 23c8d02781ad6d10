"""What a student's process may not do: the one place where limits and containment are put on.

Two tiers contain a submission completely. "namespaces" gives it a machine of its own (see
`namespaces`), with Landlock where the kernel has it, and the seccomp filter; "landlock" makes do
with Landlock and the filter, for containers and systems that forbid user namespaces. "limits" sets
resource limits only and is no containment: it is for code that one trusts. Root first becomes
nobody. `enter` runs in the freshly forked child before it reads a single byte of student code, and
none of it can be undone.

`RLIMIT_AS` is no use for TensorFlow, which reserves far more address space than it touches; the
limit on private writable memory (`RLIMIT_DATA`) is the one that binds.
"""

from __future__ import annotations

import os
import resource
import signal
import stat
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import kernel, landlock, seccomp
from autograder.sandbox.visible import Visible

TIERS = ("namespaces", "landlock", "limits")
CONTAINED = TIERS[:2]
NOBODY = 65534


@dataclass(frozen=True)
class Plan:
    """How the children of one warm process are confined.

    Args:
        tier: One of `TIERS`.
        visible: What they may see.
        user: The user and group they become; None to stay who they are.
        reads_all: Whether that user must be let past file permissions to read the environment,
            which lies in a folder such as /root; Landlock still decides what it may open.
    """

    tier: str
    visible: Visible
    user: int | None = None
    reads_all: bool = False


def plan(tier: str, visible: Visible) -> Plan:
    """Works out once how to confine children.

    Raises:
        ValueError: for a tier that does not exist.
        OSError: when the system cannot provide the tier; it says what is missing.
    """
    if tier not in TIERS:
        raise ValueError(f"unknown jail tier {tier!r}; there are {', '.join(TIERS)}")
    if tier == "limits":
        return Plan(tier, visible)
    seccomp.program(os.uname().machine, None)  # is there a filter for this machine at all?
    kernel.prctl(kernel.PR_GET_SECCOMP)
    if tier == "landlock" and landlock.version() < 1:
        raise OSError("this kernel has no Landlock, or it is switched off")
    if os.geteuid() != 0:
        return Plan(tier, visible)
    return Plan(tier, visible, NOBODY, not _readable_by_all(tier, visible))


def enter(plan: Plan, limits: dict, scratch: str) -> None:
    """Confines the calling process.

    Args:
        plan: From `plan`.
        limits: `memory_bytes`, `file_bytes`, `cpu_seconds`, `descriptors`, `processes`.
        scratch: The one folder that may be written.

    Raises:
        OSError: when the system refuses any of it: the process must then not run anything.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_DATA, limits["memory_bytes"])
    _limit(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, limits["descriptors"])
    _limit(resource.RLIMIT_CPU, limits["cpu_seconds"])
    # Counts threads of all processes of this user, and does not bind root: the keeper counts too.
    _limit(resource.RLIMIT_NPROC, limits["processes"])
    lay_down_rights(plan)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    # A change of user clears this one.
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if plan.tier not in CONTAINED:
        return
    if landlock.version():
        landlock.restrict(_rules(plan.visible, scratch))
    elif plan.tier == "landlock":
        raise OSError("Landlock is gone")
    own = None if plan.tier == "namespaces" else os.getpid()
    seccomp.install(own)


def lay_down_rights(plan: Plan) -> None:
    """Becomes the plan's user and gives up all privileges.

    Raises:
        OSError: when the system refuses.
    """
    if plan.tier not in CONTAINED:
        return
    kernel.bound_capabilities()
    if plan.user is not None:
        _become(plan.user, plan.reads_all)
    kernel.keep_capabilities(*((kernel.CAP_DAC_READ_SEARCH,) if plan.reads_all else ()))


def _become(user: int, reads_all: bool) -> None:
    if reads_all:
        kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    # Else /proc/self would belong to root, and TensorFlow aborts when it cannot read that.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def _rules(visible: Visible, scratch: str) -> list[landlock.Rule]:
    read = landlock.READ_FILE | landlock.READ_DIR
    everything = landlock.rights(landlock.version())
    own = everything & ~(landlock.MAKE_DEVICES | landlock.EXECUTE | landlock.IOCTL_DEVICE)
    return [
        *(landlock.Rule(path, read | landlock.EXECUTE) for path in visible.trees),
        *(landlock.Rule(path, landlock.READ_DIR) for path in visible.listed),
        *(landlock.Rule(path, read) for path in visible.kernel),
        *(landlock.Rule(path, read | landlock.WRITE_FILE) for path in visible.devices),
        landlock.Rule(scratch, own),
    ]


def _readable_by_all(tier: str, visible: Visible) -> bool:
    """Whether any user can read the environment, as far as a few samples tell."""
    import numpy

    samples = [Path(numpy.__file__), Path(os.__file__), *map(Path, visible.trees)]
    for path in samples:
        mode = path.stat().st_mode
        needed = 0o005 if stat.S_ISDIR(mode) else 0o004
        if mode & needed != needed:
            return False
        # The mount namespace makes the folders on the way anew.
        if tier == "landlock" and not all(p.stat().st_mode & 0o001 for p in path.parents):
            return False
    return True


def _limit(which: int, value: int) -> None:
    """Lowers soft and hard limit to `value`, never raising an existing hard limit."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
