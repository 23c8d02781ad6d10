"""Calls to the Linux kernel that Python's standard library does not offer."""

from __future__ import annotations

import ctypes
import errno
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_GET_SECCOMP = 21
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
CLONE_NEWCGROUP = 0x02000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

CAP_DAC_READ_SEARCH = 2
LAST_CAPABILITY = 63
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilitySets(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(number: int, *args: object, what: str = "syscall") -> int:
    """Makes a system call by number; integers are passed as 64-bit values.

    Raises:
        OSError: when the kernel refuses.
    """
    values = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return _check(_libc.syscall(ctypes.c_long(number), *values), what)


def prctl(option: int, value: int = 0, third: int = 0) -> int:
    """Calls prctl(2).

    Raises:
        OSError: when the kernel refuses.
    """
    long = ctypes.c_ulong
    return _check(_libc.prctl(option, long(value), long(third), long(0), long(0)), "prctl")


def install_filter(program: bytes) -> None:
    """Installs a seccomp filter; `program` is an array of `struct sock_filter`.

    Raises:
        OSError: when the kernel refuses.
    """
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    described = Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    mode_filter = 2
    zero = ctypes.c_ulong(0)
    result = _libc.prctl(
        PR_SET_SECCOMP, ctypes.c_ulong(mode_filter), ctypes.byref(described), zero, zero
    )
    _check(result, "seccomp")


def unshare(flags: int) -> None:
    """Moves this process, or its next child, into new namespaces.

    Raises:
        OSError: when the kernel refuses.
    """
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mounts a file system.

    Raises:
        OSError: when the kernel refuses; it names the target.
    """
    parts = [part.encode() if part is not None else None for part in (source, target, kind, data)]
    result = _libc.mount(parts[0], parts[1], parts[2], ctypes.c_ulong(flags), parts[3])
    _check(result, f"mount {target}")


def change_root(new: str) -> None:
    """Makes `new`, a mount point, the root; the old root is gone afterwards.

    Raises:
        OSError: when the kernel refuses.
    """
    numbers = {"x86_64": 155, "aarch64": 41}
    os.chdir(new)
    # Both at one place: the old root lies on top of the new one until it is let go.
    syscall(numbers[os.uname().machine], ctypes.c_char_p(b"."), ctypes.c_char_p(b"."), what="root")
    _check(_libc.umount2(b".", MNT_DETACH), "umount")
    os.chdir("/")


def bound_capabilities(*kept: int) -> None:
    """Sees to it that no program that is run later can gain other capabilities than these.

    Raises:
        OSError: when the kernel refuses; a process without privileges has nothing to bound.
    """
    for number in range(LAST_CAPABILITY + 1):
        if number not in kept:
            try:
                prctl(PR_CAPBSET_DROP, number)
            except OSError as error:
                if error.errno == errno.EINVAL:  # this kernel knows fewer
                    break
                if error.errno != errno.EPERM:  # without CAP_SETPCAP nothing is there to drop
                    raise
                break


def keep_capabilities(*kept: int) -> None:
    """Gives up all capabilities but these.

    Raises:
        OSError: when the kernel refuses.
    """
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    mask = sum(1 << number for number in kept)
    sets = (_CapabilitySets * 2)()
    for half in range(2):
        part = (mask >> (32 * half)) & 0xFFFFFFFF
        sets[half].effective = sets[half].permitted = part
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    _check(_libc.capset(ctypes.byref(header), ctypes.byref(sets)), "capset")
