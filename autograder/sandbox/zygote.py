"""The warm process: imports Keras once and forks a jailed child for every request.

Process tree: grader → zygote → keeper → child (student code) → whatever the student starts. The
zygote stays single-threaded and creates no tensor, since TensorFlow and JAX hang in a child forked
after either. A keeper is a tiny fork that runs no student code: it adopts everything its child
leaves behind (it is a subreaper), watches memory and process count, and kills the whole tree when
the grader says so, when a limit is passed, or when the grader is gone.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time

from autograder.sandbox import jail
from autograder.sandbox.processes import descendants, kill_tree, memory_bytes

WATCH_SECONDS = 0.25


def main(argv: list[str]) -> int:
    """Serves fork requests on the inherited socket until the grader closes it."""
    control = socket.socket(fileno=int(argv[0]))
    control.set_inheritable(False)
    jail.prctl(jail.PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started = time.perf_counter()
    required, optional = json.loads(argv[1])
    try:
        for module in required:
            importlib.import_module(module)
        for module in optional:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
        assert_fresh()
    except Exception as error:
        _send(control, {"ready": False, "error": f"{type(error).__name__}: {error}"})
        return 1
    gc.collect()
    gc.freeze()
    _send(control, {"ready": True, "pid": os.getpid(), "seconds": time.perf_counter() - started})
    keepers: dict[int, str] = {}
    while True:
        readable, _, _ = select.select([control], [], [], 0.2 if keepers else 60.0)
        _reap(keepers)
        if not readable:
            continue
        request, descriptors = _receive(control)
        if request is None:
            break
        try:
            assert_fresh()
            folder = tempfile.mkdtemp(prefix="submission-", dir=request["scratch"])
            keepers[_fork_keeper(request, folder, descriptors, control)] = folder
            answer = {"ok": True}
        except Exception as error:
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        for descriptor in descriptors:
            os.close(descriptor)
        _send(control, answer)
    # Every keeper's own line to the grader is closed too by now, so each cleans up after itself;
    # wait a moment for their temporary folders to go before the last resort.
    deadline = time.monotonic() + 5
    while keepers and time.monotonic() < deadline:
        _reap(keepers)
        time.sleep(0.01)
    kill_tree(os.getpid())
    return 0


def assert_fresh() -> None:
    """Raises unless this process is safe to fork: one thread, no device, nothing created.

    Raises:
        RuntimeError: naming what stands in the way.
    """
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"the warm process has {threads} threads; forking it would hang")
    context = sys.modules.get("tensorflow.python.eager.context")
    handle = context and context.context_safe()
    if handle is not None and handle._context_handle is not None:
        raise RuntimeError("TensorFlow has started a runtime in the warm process")
    bridge = sys.modules.get("jax._src.xla_bridge")
    if bridge is not None and getattr(bridge, "_backends", None):
        raise RuntimeError("JAX has started a backend in the warm process")


def _fork_keeper(request: dict, folder: str, descriptors: list[int], control) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        control.close()
        _keep(request, folder, descriptors)
        code = 0
    except BaseException as error:
        print(f"keeper: {type(error).__name__}: {error}", file=sys.stderr)
    finally:
        os._exit(code)


def _keep(request: dict, folder: str, descriptors: list[int]) -> None:
    """The keeper: forks the child, watches it, and leaves nothing behind.

    Args:
        request: `limits` and `tier`.
        folder: The child's private folder.
        descriptors: [keeper's line to the grader, child's socket, stdout, stderr].
    """
    jail.prctl(jail.PR_SET_CHILD_SUBREAPER, 1)
    os.setsid()
    line, channel, out, err = descriptors
    limits = request["limits"]
    # What a fresh fork already has in common with the warm process is not the student's doing.
    limits["memory_base"] = memory_bytes(os.getpid())
    child = os.fork()
    if child == 0:
        _become_child(request, folder, channel, out, err)
    for descriptor in (channel, out, err):
        os.close(descriptor)
    grader = socket.socket(fileno=line)
    why, status, usage = "", None, None
    try:
        while status is None and not why:
            why, status, usage = _watch_once(grader, child, limits)
    finally:
        status, usage = _end(child, status, usage)
        _remove(folder)
    report = {
        "why": why,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        "max_rss": usage.ru_maxrss * 1024 if usage else 0,
        "cpu_seconds": usage.ru_utime + usage.ru_stime if usage else 0.0,
    }
    with contextlib.suppress(OSError):  # Where the grader is gone there is nobody to tell.
        _send(grader, report)


def _watch_once(grader: socket.socket, child: int, limits: dict):
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
    if readable:
        return "", None, None
    family = descendants(os.getpid())
    if len(family) > limits["processes_total"]:
        return "processes", None, None
    grown = (max(0, memory_bytes(pid) - limits["memory_base"]) for pid in family)
    if sum(grown) > limits["memory_total"]:
        return "memory", None, None
    return "", None, None


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


def _become_child(request: dict, folder: str, channel: int, out: int, err: int) -> None:
    """Turns a fresh fork into a student's process; never returns."""
    try:
        jail.prctl(jail.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        # Move what is needed out of the way first, then to its place, then close all else.
        channel, out, err, null = (_high(fd) for fd in (channel, out, err, null))
        for source, target in ((null, 0), (out, 1), (err, 2), (channel, 3)):
            os.dup2(source, target, inheritable=target < 3)
        os.closerange(4, 1 << 16)
        for number in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.default_int_handler if number == 2 else signal.SIG_IGN)
        os.chdir(folder)
        os.environ.update({"HOME": folder, "TMPDIR": folder, "MPLCONFIGDIR": folder})
        tempfile.tempdir = None
        jail.enter(request["tier"], request["limits"])
        from autograder.sandbox import child

        child.serve_socket(socket.socket(fileno=3))
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(0)


def _high(descriptor: int) -> int:
    """A copy of the descriptor with a number that cannot collide with 0 to 3."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)


def _remove(folder: str) -> None:
    """Removes a scratch folder even where the student took its permissions away."""

    def unlock(function, path, _):
        try:
            os.chmod(os.path.dirname(path), 0o700)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
            function(path)
        except OSError:
            pass

    shutil.rmtree(folder, onerror=unlock)


def _reap(keepers: dict[int, str]) -> None:
    """Collects ended keepers; kills and removes what a killed keeper left to this process."""
    folders = []
    try:
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            folders.append(keepers.pop(pid, ""))
    except ChildProcessError:
        pass
    if folders:
        for pid in descendants(os.getpid(), direct=True) - set(keepers):
            kill_tree(pid, itself=True)
    for folder in folders:
        if folder and os.path.exists(folder):
            _remove(folder)


def _send(control: socket.socket, message: dict) -> None:
    data = json.dumps(message).encode()
    control.sendall(struct.pack(">I", len(data)) + data)


def _receive(control: socket.socket) -> tuple[dict | None, list[int]]:
    """Reads one request and the descriptors that came with it; None at the end."""
    descriptors = array.array("i")
    space = socket.CMSG_SPACE(4 * descriptors.itemsize)
    data, ancillary, _, _ = control.recvmsg(4, space, socket.MSG_WAITALL)
    if len(data) < 4:
        return None, []
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[: len(content) // 4 * 4])
    size = struct.unpack(">I", data)[0]
    body = control.recv(size, socket.MSG_WAITALL)
    return json.loads(body), list(descriptors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
