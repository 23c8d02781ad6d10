"""What a command leaves behind: processes that outlive it, files that should be gone."""

import contextlib
import ctypes
import os
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def family():
    """Parent of every running process, zombies left out."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text(errors="replace")
        except OSError:  # it ended while we were looking
            continue
        state, parent = text.rpartition(")")[2].split()[:2]
        if state not in "ZX":
            parents[int(stat.parent.name)] = int(parent)
    return parents


def below(root):
    """All processes that descend from one, in the order of their ids."""
    parents, found = family(), {root}
    grown = True
    while grown:
        new = {pid for pid, parent in parents.items() if parent in found} - found
        found |= new
        grown = bool(new)
    return sorted(found - {root})


def orphans():
    """Processes whose parent is this one: with a subreaper, whatever outlived its own parent."""
    return {pid for pid, parent in family().items() if parent == os.getpid()}


def orphans_after(before, seconds):
    """The orphans that are still there when they have had some time to end."""
    deadline = time.monotonic() + seconds
    while (left := orphans() - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@contextlib.contextmanager
def adopting():
    """Become the parent of every descendant that outlives its own, instead of init."""
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
