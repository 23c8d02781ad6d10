"""What a student's process may not do: the one place where limits and containment are set.

`enter` runs in the freshly forked child, after its descriptors are closed and before it reads a
single byte of student code. Here it sets resource limits. Namespaces, Landlock and seccomp belong
in the same function, chosen by `tier`, and a watchdog in the keeper covers what limits per process
cannot: the memory and the number of all descendants together.

`RLIMIT_AS` is no use for TensorFlow, which reserves far more address space than it touches; the
limit on private writable memory (`RLIMIT_DATA`) is the one that binds.
"""

from __future__ import annotations

import ctypes
import os
import resource

TIERS = ("limits",)
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def enter(tier: str, limits: dict) -> None:
    """Confines the calling process; it cannot undo what is set here.

    Args:
        tier: One of `TIERS`.
        limits: `memory_bytes`, `file_bytes`, `cpu_seconds`, `descriptors`, `processes`.

    Raises:
        ValueError: for a tier that does not exist.
        OSError: when the system refuses a limit: the child must then not run anything.
    """
    if tier not in TIERS:
        raise ValueError(f"unknown jail tier {tier!r}")
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_DATA, limits["memory_bytes"])
    _limit(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, limits["descriptors"])
    _limit(resource.RLIMIT_CPU, limits["cpu_seconds"])
    # Counts threads of all processes of this user, and does not bind root: the keeper counts too.
    _limit(resource.RLIMIT_NPROC, limits["processes"])
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _limit(which: int, value: int) -> None:
    """Lowers soft and hard limit to `value`, never raising an existing hard limit."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def prctl(option: int, value: int) -> None:
    """Calls prctl(2).

    Raises:
        OSError: when the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
