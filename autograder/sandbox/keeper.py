"""The keeper: a small process between the warm one and a student's, which runs no student code.

It starts the student's process, watches what limits per process cannot (memory, processes and disk
of all descendants together), and kills the whole tree when the grader says so, when a limit is
passed, or when the grader is gone. In the tier "namespaces" it is the first process of its own
process namespace, so that the kernel ends everything with it; elsewhere it adopts whatever its
child leaves behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
import tempfile
import time

from autograder.sandbox import jail, kernel, namespaces
from autograder.sandbox.own_line import send_json
from autograder.sandbox.processes import descendants, disk_bytes, kill_tree, memory_bytes
from autograder.sandbox.removal import remove

WATCH_SECONDS = 0.25
CONFINED = "ok"  # what the child says before it does anything else
TRIAL_LIMITS = {
    "memory_bytes": 2**31,
    "file_bytes": 2**20,
    "cpu_seconds": 30,
    "descriptors": 64,
    "processes": 4096,
    "scratch_bytes": 2**20,
}


def keep(plan: jail.Plan, limits: dict, folder: str, descriptors: list[int]) -> None:
    """Forks the child, watches it, and leaves nothing behind.

    Args:
        plan: How the child is confined.
        limits: From `Limits.to_wire`.
        folder: An empty folder: the child's own, or where its root is built.
        descriptors: [keeper's line to the grader, child's socket, stdout, stderr].
    """
    line, channel, out, err = descriptors
    grader = socket.socket(fileno=line)
    try:
        scratch = _settle(plan, limits, folder)
    except OSError as error:
        _report(grader, {"why": "jail", "error": str(error)})
        return
    # What a fresh fork already has in common with the warm process is not the student's doing.
    base = memory_bytes(os.getpid())
    entered, entering = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(entered)
        _become_child(plan, limits, scratch, (channel, out, err, entering))
    for descriptor in (channel, out, err, entering):
        os.close(descriptor)
    # All that is left to do is to watch and to kill, and that takes no more than being the same
    # user. Not even root sees deleted files that another user has open, where a container takes
    # that right away.
    jail.lay_down_rights(plan)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    why, status, usage = "", None, None
    with open(entered, "rb") as source:
        trouble = source.read().decode("utf-8", "replace")
    if trouble == CONFINED:
        trouble = ""
    elif trouble:
        why = "jail"
    else:  # It ended without a word: killed from outside, or by what should have confined it.
        _, status, usage = os.wait4(child, 0)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            why, trouble = "jail", f"the process ended before it was confined (status {status})"
    watch = _Watch(limits, base, scratch if plan.tier == "landlock" else "")
    try:
        while status is None and not why:
            why, status, usage = watch.once(grader, child)
    finally:
        status, usage = _end(child, status, usage)
        if plan.tier != "namespaces":
            remove(folder)
    _report(
        grader,
        {
            "why": why,
            "error": trouble,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
            "max_rss": usage.ru_maxrss * 1024 if usage else 0,
            "cpu_seconds": usage.ru_utime + usage.ru_stime if usage else 0.0,
        },
    )


def trial(plan: jail.Plan, folder: str) -> str:
    """Puts a process of our own through all of it, to see whether it works on this system.

    Returns:
        What went wrong, or "".
    """
    read, write = os.pipe()

    def run() -> None:
        os.close(read)
        try:
            scratch = _settle(plan, TRIAL_LIMITS, folder)
        except OSError as error:
            os.write(write, str(error).encode()[:1000])
            return
        # As for a student: a child of the process that settled, since it ends with its parent.
        child = os.fork()
        if child == 0:
            namespaces.run_and_exit(lambda: live(scratch))
        os.waitpid(child, 0)

    def live(scratch: str) -> None:
        try:
            jail.enter(plan, TRIAL_LIMITS, scratch)
            with open(os.path.join(scratch, "trial"), "w") as file:
                file.write("x")
            os.listdir(os.path.dirname(os.__file__))
            os.write(write, b"ok")
        except OSError as error:
            os.write(write, str(error).encode()[:1000])

    try:
        if plan.tier == "namespaces":
            pid = namespaces.fork(run)
        else:
            pid = os.fork()
            if pid == 0:
                namespaces.run_and_exit(run)
    except OSError as error:
        os.close(read)
        os.close(write)
        return str(error)
    os.close(write)
    with open(read, "rb") as source:
        answer = source.read().decode()
    os.waitpid(pid, 0)
    return "" if answer == "ok" else answer or "the trial process ended without a word"


def _settle(plan: jail.Plan, limits: dict, folder: str) -> str:
    """Prepares the place where the child will live; returns its scratch folder."""
    user = os.geteuid() if plan.user is None else plan.user
    os.setsid()
    if plan.tier == "namespaces":
        namespaces.build_root(folder, plan.visible, limits["scratch_bytes"], user)
        return namespaces.SCRATCH
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    if plan.user is not None:
        os.chown(folder, user, user)
    return folder


class _Watch:
    """Looks at the child now and then."""

    def __init__(self, limits: dict, memory_base: int, folder: str):
        self.limits, self.memory_base, self.folder = limits, memory_base, folder

    def once(self, grader: socket.socket, child: int):
        """Waits a moment, then says why to stop (or ""), and the child's status once it is over."""
        descriptor = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
        watched = [grader] if descriptor is None else [grader, descriptor]
        wait = 0.02 if descriptor is None else WATCH_SECONDS
        try:
            readable, _, _ = select.select(watched, [], [], wait)
        finally:
            if descriptor is not None:
                os.close(descriptor)
        if grader in readable:
            return "asked", None, None
        while True:  # Adopted orphans that ended must be reaped too.
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return "lost", None, None
            if pid == child:
                return "", status, usage
            if pid == 0:
                break
        return ("" if readable else self._exceeded()), None, None

    def _exceeded(self) -> str:
        family = descendants(os.getpid())
        if len(family) > self.limits["processes_total"]:
            return "processes"
        grown = (max(0, memory_bytes(pid) - self.memory_base) for pid in family)
        if sum(grown) > self.limits["memory_total"]:
            return "memory"
        if self.folder:
            most = namespaces.SCRATCH_FILES
            used = disk_bytes(self.folder, family, most, self.limits["file_bytes"])
            if used is None or used > self.limits["scratch_bytes"]:
                return "disk"
        return ""


def _end(child: int, status, usage):
    """Kills everything below this keeper and reaps it."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        kill_tree(os.getpid())
        try:
            while True:
                pid, found, used = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    break
                if pid == child:
                    status, usage = found, used
        except ChildProcessError:
            break
        time.sleep(0.001)
    return status or 0, usage


def _become_child(plan, limits: dict, scratch: str, descriptors: tuple[int, ...]) -> None:
    """Turns a fresh fork into a student's process; never returns."""
    entering = descriptors[3]
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        # Move what is needed out of the way first, then to its place, then close all else.
        channel, out, err, entering, null = (_high(fd) for fd in (*descriptors, null))
        places = ((null, 0), (out, 1), (err, 2), (channel, 3), (entering, 4))
        for source, target in places:
            os.dup2(source, target, inheritable=target < 3)
        entering = 4
        os.closerange(5, 1 << 16)
        for number in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.default_int_handler if number == 2 else signal.SIG_IGN)
        os.chdir(scratch)
        os.environ.update({"HOME": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": scratch})
        tempfile.tempdir = None
        jail.enter(plan, limits, scratch)
        os.write(entering, CONFINED.encode())
        os.close(entering)
        from autograder.sandbox import child

        child.serve_socket(socket.socket(fileno=3))
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.write(entering, f"{type(error).__name__}: {error}".encode()[:1000])
    finally:
        os._exit(0)


def _high(descriptor: int) -> int:
    """A copy of the descriptor with a number that cannot collide with those in use below."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)


def _report(grader: socket.socket, message: dict) -> None:
    with contextlib.suppress(OSError):  # Where the grader is gone there is nobody to tell.
        send_json(grader, message)
