"""The warm process: imports Keras once and forks a jailed child for every request.

Process tree: grader → zygote → keeper → child (student code) → whatever the student starts. The
zygote stays single-threaded and creates no tensor, since TensorFlow and JAX hang in a child forked
after either. What a keeper does is in `keeper`.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import time

from autograder.sandbox import jail, keeper, kernel, namespaces, removal, visible
from autograder.sandbox.own_line import send_json
from autograder.sandbox.processes import descendants, kill_tree


def main(argv: list[str]) -> int:
    """Serves fork requests on the inherited socket until the grader closes it."""
    control = socket.socket(fileno=int(argv[0]))
    control.set_inheritable(False)
    grader = os.getppid()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Not on the command line, which students' code can read: they name the class's folder.
    settings, _ = _receive(control)
    if settings is None:
        return 1
    try:
        for module in settings["preload"]:
            importlib.import_module(module)
        for module in settings["optional"]:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
        assert_fresh()
        data = [_cache(settings["home"])] if settings["data"] is None else settings["data"]
        seen = visible.environment(data, settings["hidden"])
        plan, declined = _choose(settings["tier"], seen, settings["scratch"])
    except Exception as error:
        send_json(control, {"ready": False, "error": f"{type(error).__name__}: {error}"})
        return 1
    gc.collect()
    gc.freeze()
    send_json(control, {"ready": True, "tier": plan.tier, "declined": declined})
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
            keepers[_fork_keeper(plan, request["limits"], folder, descriptors, control)] = folder
            answer = {"ok": True}
        except Exception as error:
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        for descriptor in descriptors:
            os.close(descriptor)
        send_json(control, answer)
    # Every keeper's own line to the grader is closed too by now, so each cleans up after itself;
    # wait a moment for their temporary folders to go before the last resort.
    deadline = time.monotonic() + 5
    while keepers and time.monotonic() < deadline:
        _reap(keepers)
        time.sleep(0.01)
    kill_tree(os.getpid())
    if os.getppid() != grader:  # killed, and with it whoever would have cleaned up
        removal.remove(settings["scratch"])
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


def _cache(home: dict[str, str]) -> str:
    """The folder in which the user who grades keeps data sets; students' code reads it too."""
    own = {name: os.environ.get(name) for name in home}
    os.environ.update(home)
    try:
        folder = importlib.import_module("bert_keras.text.corpora.archives").cache_directory()
    finally:
        for name, value in own.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    os.environ["BERT_COURSE_CACHE"] = str(folder)
    return str(folder)


def _choose(wanted: str, seen: visible.Visible, scratch: str) -> tuple[jail.Plan, list[str]]:
    """The plan for the wanted tier; for "auto", for the best one that works here.

    "any" is the same, but does without containment where none works.

    Returns:
        The plan, and for each better tier why it was declined.

    Raises:
        OSError: when no tier works; it says why each did not.
    """
    declined = []
    choices = {"auto": jail.CONTAINED, "any": jail.TIERS}
    for tier in choices.get(wanted, (wanted,)):
        folder = tempfile.mkdtemp(prefix="trial-", dir=scratch)
        try:
            plan = jail.plan(tier, seen)
            trouble = keeper.trial(plan, folder)
        except OSError as error:
            trouble = str(error)
        finally:
            removal.remove(folder)
        if not trouble:
            return plan, declined
        declined.append(f"{tier}: {trouble}")
    raise OSError("student code cannot be contained here; " + "; ".join(declined))


def _fork_keeper(plan, limits: dict, folder: str, descriptors: list[int], control) -> int:
    """Starts a keeper; in namespaces of its own where the tier says so.

    Returns:
        Its process id.

    Raises:
        OSError: when the system refuses the namespaces.
    """

    def run() -> None:
        control.close()
        keeper.keep(plan, limits, folder, descriptors)

    if plan.tier == "namespaces":
        return namespaces.fork(run)
    pid = os.fork()
    if pid == 0:
        namespaces.run_and_exit(run)
    return pid


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
            removal.remove(folder)


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
