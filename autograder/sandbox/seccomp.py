"""The filter on system calls: what is not listed in `syscalls` does not exist for the process.

A classic BPF program, checked by the kernel at every call. Calls of another architecture end the
process. Calls whose arguments matter get a rule here; the filter sees arguments as numbers and
cannot follow pointers, which is why connecting, binding and `openat2` are not offered at all.
"""

from __future__ import annotations

import errno
import os
import struct

from autograder.sandbox import kernel, syscalls

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
KILL, ALLOW, ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
PRETEND = ERRNO  # error number 0: the call returns 0 and nothing has happened

# Instructions of classic BPF: load a word, jump if equal / greater or equal / any bit, return.
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, MASK = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

NAMESPACES = (
    *(kernel.CLONE_NEWNS, kernel.CLONE_NEWUTS, kernel.CLONE_NEWIPC, kernel.CLONE_NEWUSER),
    *(kernel.CLONE_NEWPID, kernel.CLONE_NEWNET, kernel.CLONE_NEWCGROUP),
)
AF_UNIX, SOCK_STREAM = 1, 1
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
# isatty, window size, close-on-exec, non-blocking, bytes waiting
IOCTLS = (0x5401, 0x5413, 0x5450, 0x5451, 0x5421, 0x541B)
# Who is told about input, and with which signal, could be another process; leases and notices
# tell about other people's files.
FCNTL_OWNERS = (8, 10, 15, 1024, 1026)

_Instruction = tuple[int, int, int, int]


def program(machine: str, own_pid: int | None) -> bytes:
    """The filter as the kernel takes it.

    Args:
        machine: "x86_64" or "aarch64".
        own_pid: The only process that may be signalled; None where a pid namespace sees to it.

    Returns:
        An array of `struct sock_filter`.

    Raises:
        ValueError: for another machine.
    """
    allowed = syscalls.numbers(syscalls.ALLOWED, machine)
    lines: list[_Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        lines += [(AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    for first, last in _runs(sorted(allowed.values())):
        lines += [(AT_LEAST, 0, 2, first), (AT_LEAST, 1, 0, last + 1), (RETURN, 0, 0, ALLOW)]
    for number in syscalls.numbers(syscalls.PRETENDED, machine).values():
        lines += _returning(number, PRETEND)
    for number in syscalls.numbers(syscalls.SOCKET, machine).values():
        lines += _returning(number, ERRNO | errno.ENETUNREACH)
    for number in syscalls.numbers(syscalls.REFUSED, machine).values():
        lines += _returning(number, ERRNO | errno.EPERM)
    for name, number in syscalls.numbers(syscalls.RULED, machine).items():
        body = _rule(name, own_pid)
        lines += [(EQUAL, 0, len(body), number), *body]
    # As on a kernel that is too old for the call: libraries then fall back to what there is.
    lines.append((RETURN, 0, 0, ERRNO | errno.ENOSYS))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def install(own_pid: int | None) -> None:
    """Puts the filter on this process and all that it starts.

    Raises:
        OSError: when the kernel refuses.
        ValueError: on a machine that no filter is written for.
    """
    kernel.install_filter(program(os.uname().machine, own_pid))


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _returning(number: int, answer: int) -> list[_Instruction]:
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, answer)]


def _argument(index: int, high: bool = False) -> _Instruction:
    # Both machines are little-endian: the low half of an argument comes first.
    return (LOAD, 0, 0, ARGUMENTS + 8 * index + 4 * high)


def _one_of(index: int, values: tuple[int, ...], yes: int, no: int) -> list[_Instruction]:
    """Returns `yes` where the low half of an argument is one of the values, else `no`."""
    tests = [(EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [_argument(index), *tests, (RETURN, 0, 0, no), (RETURN, 0, 0, yes)]


def _rule(name: str, own_pid: int | None) -> list[_Instruction]:
    """The part of the filter that decides about one call by its arguments."""
    denied = ERRNO | errno.EPERM
    if name in ("open", "openat"):
        # Landlock before kernel 6.2 does not notice a read-only open that empties the file.
        return [
            _argument(1 if name == "open" else 2),
            (ANY_BIT, 0, 3, os.O_TRUNC),
            (MASK, 0, 0, os.O_ACCMODE),
            (EQUAL, 0, 1, os.O_RDONLY),
            (RETURN, 0, 0, ERRNO | errno.EACCES),
            (RETURN, 0, 0, ALLOW),
        ]
    if name == "clone":
        flags = 0
        for flag in NAMESPACES:
            flags |= flag
        return [_argument(0), (ANY_BIT, 0, 1, flags), (RETURN, 0, 0, denied), (RETURN, 0, 0, ALLOW)]
    if name in ("kill", "tgkill", "tkill"):
        if own_pid is None:
            return [(RETURN, 0, 0, ALLOW)]
        # 0 is the own process group, which is the submission's own session.
        targets = {"kill": (own_pid, 0), "tgkill": (own_pid,), "tkill": (own_pid,)}[name]
        return _one_of(0, targets, ALLOW, denied)
    if name == "socketpair":
        # Datagram pairs could still be pointed at a name; connected streams cannot.
        return [
            _argument(0),
            (EQUAL, 0, 3, AF_UNIX),
            _argument(1),
            (MASK, 0, 0, 0xFF),
            (EQUAL, 1, 0, SOCK_STREAM),
            (RETURN, 0, 0, denied),
            (RETURN, 0, 0, ALLOW),
        ]
    if name == "sendto":
        return [
            _argument(4),
            (EQUAL, 0, 2, 0),
            _argument(4, high=True),
            (EQUAL, 1, 0, 0),
            (RETURN, 0, 0, denied),
            (RETURN, 0, 0, ALLOW),
        ]
    if name in ("prlimit64", "sched_setaffinity"):
        own = (0,) if own_pid is None else (0, own_pid)
        return _one_of(0, own, ALLOW, denied)
    if name == "ioctl":
        return _one_of(1, IOCTLS, ALLOW, ERRNO | errno.ENOTTY)
    if name == "fcntl":
        return _one_of(1, FCNTL_OWNERS, denied, ALLOW)
    if name == "mmap":
        # Shared memory without a file counts for nobody once its pages are let go of, or most of
        # it is unmapped, and lives on.
        return [
            _argument(3),
            (ANY_BIT, 0, 2, MAP_ANONYMOUS),
            (ANY_BIT, 0, 1, MAP_SHARED),
            (RETURN, 0, 0, denied),
            (RETURN, 0, 0, ALLOW),
        ]
    raise ValueError(f"there is no rule for {name}")
