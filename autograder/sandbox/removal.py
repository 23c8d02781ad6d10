"""Removes a folder that somebody may have made hard to remove: deep, locked, with odd names.

`shutil.rmtree` calls itself for every level and fails beyond a thousand; a path may not be longer
than 4096 bytes either. So what lies two levels down is moved up until nothing does.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat

FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def remove(folder: str) -> None:
    """Removes a folder with everything in it; what the system refuses stays, and nothing raises.

    Args:
        folder: Nothing in it may be in use by a process that is not trusted.
    """
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            os.chmod(folder, 0o700)
            root = os.open(folder, FOLDER)
            try:
                _empty(root)
            finally:
                os.close(root)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _empty(root: int) -> None:
    """Removes all that is in an open folder."""
    stuck: set[str] = set()
    while names := [name for name in os.listdir(root) if name not in stuck]:
        for name in names:
            try:
                if _is_folder(name, root):
                    _raise_up(name, root)
                    os.rmdir(name, dir_fd=root)
                else:
                    os.unlink(name, dir_fd=root)
            except OSError:
                stuck.add(name)


def _raise_up(name: str, root: int) -> None:
    """Moves the folders in a folder beside it and removes its files."""
    os.chmod(name, 0o700, dir_fd=root)
    inner = os.open(name, FOLDER, dir_fd=root)
    try:
        for part in os.listdir(inner):
            with contextlib.suppress(OSError):
                if not _is_folder(part, inner):
                    os.unlink(part, dir_fd=inner)
                    continue
                # To move a folder somewhere else its own entry `..` must be written.
                os.chmod(part, 0o700, dir_fd=inner)
                os.rename(part, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=root)
    finally:
        os.close(inner)


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
