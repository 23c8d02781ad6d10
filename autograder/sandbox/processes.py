"""Finding and ending whole process trees through /proc."""

from __future__ import annotations

import contextlib
import os
import signal
import time

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def descendants(root: int, direct: bool = False) -> set[int]:
    """Pids of all processes below `root` (zombies left out); with `direct`, of its children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The name in parentheses may hold anything; fields follow the last ')'.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state not in b"ZX":
            children.setdefault(int(parent), []).append(int(name))
    if direct:
        return set(children.get(root, ()))
    found: set[int] = set()
    queue = list(children.get(root, ()))
    while queue:
        pid = queue.pop()
        if pid not in found:
            found.add(pid)
            queue += children.get(pid, ())
    return found


def kill_tree(root: int, itself: bool = False) -> None:
    """Kills everything below `root`, stopping it all first so that nothing can fork away.

    Args:
        root: The process whose tree ends.
        itself: Whether `root` ends too.
    """
    if itself:
        send_signal(root, signal.SIGSTOP)
    stopped: set[int] = set()
    for _ in range(200):
        new = descendants(root) - stopped
        if not new:
            break
        for pid in new:
            send_signal(pid, signal.SIGSTOP)
        stopped |= new
    for pid in stopped:
        send_signal(pid, signal.SIGKILL)
    if itself:
        send_signal(root, signal.SIGKILL)


def send_signal(pid: int, number: int) -> None:
    """Signals a process that may be gone already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def memory_bytes(pid: int) -> int:
    """Resident memory of a process that is not shared with files; 0 once it is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            _, resident, shared = file.read().split()[:3]
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * PAGE


def wait_gone(pids: set[int], seconds: float) -> set[int]:
    """Waits until none of the processes runs any more; returns those that still do."""
    deadline = time.monotonic() + seconds
    while True:
        left = {pid for pid in pids if os.path.exists(f"/proc/{pid}") and not _zombie(pid)}
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.01)


def _zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        return True
