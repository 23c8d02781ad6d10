"""Landlock: which files a process may open, decided by the kernel, without any privilege.

A ruleset names folders and files with what may be done below them; everything else is refused. It
binds the process and all that it starts, and cannot be undone. Older kernels know fewer rights;
what they cannot refuse is refused by the seccomp filter. Reference: the kernel's
`Documentation/userspace-api/landlock.rst`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from dataclasses import dataclass

from autograder.sandbox import kernel

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
RULE_PATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
ALL_FIRST = (1 << 13) - 1  # what the first version could refuse
MAKE_DEVICES = 1 << 6 | 1 << 9 | 1 << 11  # character device, socket, block device
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
NETWORK = 0b11  # TCP: bind, connect
SCOPES = 0b11  # abstract UNIX sockets and signals stay inside


@dataclass(frozen=True)
class Rule:
    """What may be done with a file, or with everything below a folder.

    Args:
        path: Which.
        rights: Bits such as `READ_FILE`.
    """

    path: str
    rights: int


def version() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    try:
        return kernel.syscall(CREATE_RULESET, ctypes.c_void_p(None), 0, 1)
    except OSError:
        return 0


def rights(abi: int) -> int:
    """All rights on files that this version can refuse."""
    newer = ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEVICE))
    return ALL_FIRST | sum(bit for needed, bit in newer if abi >= needed)


def restrict(rules: list[Rule]) -> None:
    """Refuses this process, from here on, everything that the rules do not grant.

    Rules for paths that do not exist are left out: what is not there cannot be opened.

    Raises:
        OSError: when the kernel refuses, or has no Landlock.
    """
    abi = version()
    handled = rights(abi)
    parts = [handled]
    if abi >= 4:
        parts.append(NETWORK)
    if abi >= 6:
        parts.append(SCOPES)
    attributes = struct.pack(f"={len(parts)}Q", *parts)
    ruleset = kernel.syscall(
        CREATE_RULESET, ctypes.c_char_p(attributes), len(attributes), 0, what="landlock"
    )
    try:
        for rule in rules:
            _add(ruleset, rule, handled)
        kernel.syscall(RESTRICT_SELF, ruleset, 0, what="landlock")
    finally:
        os.close(ruleset)


def _add(ruleset: int, rule: Rule, handled: int) -> None:
    try:
        descriptor = os.open(rule.path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        granted = rule.rights & handled
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            granted &= FILE_RIGHTS
        content = struct.pack("=Qi", granted, descriptor)
        kernel.syscall(
            ADD_RULE, ruleset, RULE_PATH, ctypes.c_char_p(content), 0, what=f"landlock {rule.path}"
        )
    finally:
        os.close(descriptor)
