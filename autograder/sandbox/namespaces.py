"""Tier "namespaces": a machine of its own, with nothing on it but what the submission needs.

New user (for an ordinary user), process, mount, network, IPC and host-name namespaces. The first
process in there, the keeper, builds a root directory of read-only mounts and a scratch folder of
limited size, and makes it the root; when it ends, the kernel ends everything in the namespace.
Reference: namespaces(7), pivot_root(2).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from autograder.sandbox import kernel
from autograder.sandbox.visible import Visible

SCRATCH = "/scratch"
SCRATCH_FILES = 20_000
KINDS = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)
# Flags that a mount was given and that a user namespace may not take away again.
KEPT = {
    os.ST_NOSUID: kernel.MS_NOSUID,
    os.ST_NODEV: kernel.MS_NODEV,
    os.ST_NOEXEC: kernel.MS_NOEXEC,
    os.ST_NOATIME: 1 << 10,
    os.ST_NODIRATIME: 1 << 11,
    os.ST_RELATIME: 1 << 21,
}


def unshare() -> None:
    """Leaves the machine's namespaces; the next process that this one forks is in all new ones.

    Root needs no user namespace for it, and does without: fewer parts of the kernel are reachable.

    Raises:
        OSError: when the system does not allow it.
    """
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        kernel.unshare(KINDS)
        return
    kernel.unshare(KINDS | kernel.CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def fork(run: Callable[[], None]) -> int:
    """Runs a function in a new process that is the first in all new namespaces.

    Returns:
        Its process id here.

    Raises:
        OSError: when the system does not allow it.
    """
    read, write = os.pipe()
    # Only a process's next child enters a new process namespace, so one in between makes it.
    middle = os.fork()
    if middle == 0:
        os.close(read)
        try:
            unshare()
            pid = os.fork()
            if pid == 0:
                os.close(write)
                run_and_exit(run)
            os.write(write, str(pid).encode())
        except BaseException as error:
            os.write(write, f"!{error}".encode()[:1000])
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as source:
        answer = source.read().decode()
    os.waitpid(middle, 0)
    if not answer.isdigit():
        raise OSError(answer.lstrip("!") or "the process for the namespaces ended")
    return int(answer)


def run_and_exit(run: Callable[[], None]) -> None:
    """Runs a function in a fresh fork and ends the process, whatever happens."""
    code = 1
    try:
        run()
        code = 0
    except BaseException as error:
        print(f"sandbox: {type(error).__name__}: {error}", file=sys.stderr)
    finally:
        os._exit(code)


def build_root(staging: str, visible: Visible, scratch_bytes: int, owner: int) -> None:
    """Makes a root directory that holds only what is visible, and moves into it.

    Args:
        staging: An empty folder to build in.
        visible: What to show.
        scratch_bytes: Size of the scratch folder.
        owner: User and group id that the scratch folder belongs to.

    Raises:
        OSError: when the system does not allow it; the process must then not run anything.
    """
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    quiet = kernel.MS_NOSUID | kernel.MS_NODEV
    kernel.mount("tmpfs", staging, "tmpfs", quiet, "size=4m,nr_inodes=20000,mode=755")
    mounted: list[str] = []
    for tree in sorted(_roots(visible)):
        if not any(tree.startswith(other + "/") for other in mounted):
            _show(staging, tree)
            mounted.append(tree)
    for path in visible.hidden:
        flags = quiet | kernel.MS_NOEXEC | kernel.MS_RDONLY
        kernel.mount("tmpfs", staging + path, "tmpfs", flags, "size=4k,nr_inodes=4,mode=000")
    for path, target in visible.links:
        if not os.path.lexists(staging + path):
            os.symlink(target, staging + path)
    for device in visible.devices:
        _show(staging, device, writable=True)
    for path in ("/sys/devices/system/cpu", "/sys/devices/system/node"):
        if os.path.isdir(path):
            _show(staging, path)
    os.makedirs(f"{staging}/proc")
    kernel.mount("proc", f"{staging}/proc", "proc", quiet | kernel.MS_NOEXEC)
    os.makedirs(staging + SCRATCH)
    options = f"size={scratch_bytes},nr_inodes={SCRATCH_FILES},mode=700,uid={owner},gid={owner}"
    kernel.mount("tmpfs", staging + SCRATCH, "tmpfs", quiet, options)
    # The empty root itself is closed last: nothing can be added to it any more.
    kernel.mount("none", staging, None, kernel.MS_REMOUNT | kernel.MS_RDONLY | quiet)
    kernel.change_root(staging)


def _roots(visible: Visible) -> list[str]:
    """What to mount: whole folders, hidden parts being covered afterwards."""
    return [*visible.trees, *visible.listed]


def _show(staging: str, path: str, writable: bool = False) -> None:
    """Mounts a file or folder at its own place under the new root."""
    target = staging + path
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.lexists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(path, target, None, kernel.MS_BIND | kernel.MS_REC)
    flags = kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_NOSUID
    flags |= 0 if writable else kernel.MS_RDONLY | kernel.MS_NODEV
    found = os.statvfs(target).f_flag
    for bit, flag in KEPT.items():
        if found & bit and not (writable and flag == kernel.MS_NODEV):
            flags |= flag
    kernel.mount("none", target, None, flags)
