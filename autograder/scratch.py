"""Removes the temporary folders of graders that were killed before they could do it themselves."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

# Folders of ours, each with what is made first in it; other programs' folders have none. The second
# kind is the self-test's, whose sockets lie in it.
MARKS = {"autograder-*": "warm.log", "ag-*": "s"}


def sweep() -> list[Path]:
    """Removes every sandbox's folder that no process uses any more.

    A grader holds its log open, its warm process works in the folder and a self-test listens in
    its own, so one that is alive is always seen. This is how the folder of one that was killed with
    all its processes goes.

    Returns:
        What was removed.
    """
    from autograder.sandbox.removal import remove

    _sweep_shared()
    base = Path(tempfile.gettempdir())
    found = [path for name in MARKS for path in base.glob(name) if _ours(path, MARKS[name])]
    if not found:
        return []
    used = _used_paths()
    gone = []
    for path in found:
        inside = f"{path}{os.sep}"
        if not any(name.startswith(inside) or name == str(path) for name in used):
            remove(str(path))
            gone.append(path)
    return gone


def _sweep_shared() -> None:
    """Removes shared memory of self-tests whose process, named in it, is gone."""
    for path in Path("/dev/shm").glob("ag-*-*"):
        process = path.name.split("-")[1]
        with contextlib.suppress(OSError):
            ours = os.lstat(path).st_uid == os.geteuid()
            if ours and process.isdigit() and not os.path.exists(f"/proc/{process}"):
                path.unlink()


def _ours(path: Path, mark: str) -> bool:
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        return ours and os.path.lexists(path / mark)
    return False


def _used_paths() -> set[str]:
    """Working folders, open files and sockets of all of this user's processes."""
    used = set()
    with contextlib.suppress(OSError):
        lines = Path("/proc/net/unix").read_text("utf-8", "replace").splitlines()
        used |= {fields[7] for line in lines if len(fields := line.split(None, 7)) == 8}
    for process in os.listdir("/proc"):
        if not process.isdigit():
            continue
        links = [f"/proc/{process}/cwd"]
        with contextlib.suppress(OSError):
            links += [f"/proc/{process}/fd/{name}" for name in os.listdir(f"/proc/{process}/fd")]
        for link in links:
            with contextlib.suppress(OSError):
                used.add(os.readlink(link))
    return used
