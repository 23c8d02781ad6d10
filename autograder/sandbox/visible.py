"""What a student's process may see of the machine: the Python environment, data, a few devices.

Everything else does not exist for it: not the class folder, not the home of whoever grades, not
this package. The list is made once, in the warm process, and used twice: the mount namespace shows
only these paths, and Landlock grants only these.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
SETTINGS = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/timezone", "/etc/fonts", "/etc/mime.types"),
)
KERNEL = (
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/osrelease"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
)
# Not /dev/zero: mapped, it is shared memory that no limit counts.
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
# What this package must not show, wherever it is installed: it judges, and knows the answers.
OWN = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Visible:
    """Paths by what may be done with them; all absolute, without symbolic links.

    Args:
        trees: Files and folders that may be read and run, with everything below them.
        listed: Folders whose names may be listed; of their contents only `trees` can be read.
        devices: Device files that may be read and written.
        links: Symbolic links of the system's root, such as /lib → usr/lib.
        hidden: Folders inside `trees` that must not be seen; for the mount namespace.
    """

    trees: tuple[str, ...]
    listed: tuple[str, ...] = ()
    devices: tuple[str, ...] = DEVICES
    links: tuple[tuple[str, str], ...] = ()
    hidden: tuple[str, ...] = ()
    kernel: tuple[str, ...] = field(default=KERNEL)


def environment(data: Iterable[str] = (), hidden: Iterable[str] = ()) -> Visible:
    """What the interpreter that runs this needs, and what is asked for on top.

    Args:
        data: Folders with data sets and weights.
        hidden: Folders that stay hidden even inside one of the others.

    Returns:
        The list.
    """
    package = OWN.parent / "bert_keras"
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, *SYSTEM, *SETTINGS, str(package), *data]
    paths += [p for p in sys.path if (p and "site-packages" in p) or p.endswith(".zip")]
    paths += [p for p in site.getsitepackages() if os.path.isdir(p)]
    links = []
    for path in SYSTEM:
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
    wanted = _outermost(os.path.realpath(path) for path in paths if os.path.exists(path))
    concealed = _outermost([str(OWN), *(os.path.realpath(path) for path in hidden)])
    trees: list[str] = []
    listed: list[str] = []
    inside: list[str] = []
    for tree in wanted:
        within = [path for path in concealed if _below(path, tree)]
        inside += [path for path in within if os.path.isdir(path)]
        _without(tree, within, trees, listed)
    return Visible(tuple(trees), tuple(listed), links=tuple(links), hidden=tuple(inside))


def _without(tree: str, hidden: list[str], trees: list[str], listed: list[str]) -> None:
    """Adds a tree, or where something in it is hidden, everything around that."""
    if any(_below(tree, path) for path in hidden):
        return
    within = [path for path in hidden if _below(path, tree)]
    if not within:
        trees.append(tree)
        return
    listed.append(tree)
    with os.scandir(tree) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.is_symlink():  # where it leads to is granted there, or not at all
                _without(entry.path, within, trees, listed)


def _below(path: str, tree: str) -> bool:
    """Whether `path` is `tree` or lies in it."""
    return path == tree or path.startswith(tree.rstrip("/") + "/")


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths that lie in no other of them."""
    found: list[str] = []
    for path in sorted(set(paths), key=len):
        if not any(_below(path, other) for other in found):
            found.append(path)
    return sorted(found)
