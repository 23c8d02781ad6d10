"""Finding and ending whole process trees through /proc."""

from __future__ import annotations

import contextlib
import os
import signal
import time


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
    """Resident memory of a process that is not that of files, with the tables that the kernel keeps
    of its addresses; 0 once it is gone."""
    total = 0
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            for line in file:
                # Memory that processes share counts for each of them: better twice than never.
                if line.startswith((b"RssAnon:", b"RssShmem:", b"VmPTE:")):
                    total += int(line.split()[1]) * 1024
    except (OSError, ValueError):
        return 0
    return total


def disk_bytes(folder: str, pids: set[int], most_files: int, largest: int) -> int | None:
    """What a folder holds on disk, with deleted files that the processes still hold.

    Args:
        folder: Where the processes may write.
        pids: The processes.
        most_files: How many files and folders there may be.
        largest: How large one file may be: so much a deleted file counts that is only mapped,
            since its size cannot be seen any more.

    Returns:
        Bytes; None where there are too many files, or folders that cannot be looked into.
    """
    total, seen, queue, device = 0, 0, [folder], os.stat(folder).st_dev
    while queue:
        try:
            with os.scandir(queue.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most_files:
                        return None
                    with contextlib.suppress(FileNotFoundError):  # gone in the meantime
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                        if entry.is_dir(follow_symlinks=False):
                            queue.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:  # locked away, or so deep that it has no path
            return None
    held: set[int] = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    found = os.stat(f"/proc/{pid}/fd/{name}")
                    if found.st_nlink == 0 and found.st_dev == device and found.st_ino not in held:
                        held.add(found.st_ino)
                        total += found.st_blocks * 512
    mapped = set().union(*(_deleted_but_mapped(pid, folder) for pid in pids)) - held
    return total + largest * len(mapped)


def _deleted_but_mapped(pid: int, folder: str) -> set[int]:
    """Inodes of deleted files of a folder that a process has mapped."""
    start, found = os.fsencode(os.path.realpath(folder)) + b"/", set()
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps", "rb") as file:
        for line in file:
            fields = line.rstrip(b"\n").split(None, 5)
            path = fields[5] if len(fields) == 6 else b""
            if path.startswith(start) and path.endswith(b" (deleted)"):
                found.add(int(fields[4]))
    return found


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
