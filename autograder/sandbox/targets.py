"""Targets for the self-test: files, a process, sockets and shared memory made for the purpose."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

VARIABLE = "AUTOGRADER_SELF_TEST"
SHARED = Path("/dev/shm")
MARK = "AUTOGRADER_ACT"  # in the environment of what an act leaves behind
# Holds signal 10 back, so that the kernel shows at once whether one was sent; takes it in when it
# is told to. Says where in its memory the secret lies.
VICTIM = """
import ctypes, os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [10])
secret = ctypes.create_string_buffer(os.environ["AUTOGRADER_SELF_TEST"].encode())
os.write(1, b"%d\\n" % ctypes.addressof(secret))
while os.read(0, 1):
    while signal.sigtimedwait([10], 0):
        pass
    os.write(1, b"taken\\n")
"""


class Targets:
    """What the acts aim at. Use it as a context manager; nothing of it stays behind."""

    def __init__(self):
        self.token = secrets.token_hex(12)
        self._stack = contextlib.ExitStack()
        self._state: Any = None

    def __enter__(self) -> Targets:
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._stack.close()

    @property
    def names(self) -> dict[str, Any]:
        """The targets by name, as an act sees them."""
        return self._names

    def reset(self) -> None:
        """Undoes what an act has done to the files, and forgets signals and connections."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        for name, content in ((self.token, ""), ("secret", self.token), ("file", "unchanged")):
            (self.folder / name).write_text(content)
            (self.folder / name).chmod(0o600)
        self._state = self._look()
        if self.victim_was_signalled() and self._victim.poll() is None:
            self._victim.stdin.write(b"x")
            self._victim.stdout.readline()
        self.reached()

    def changed(self) -> bool:
        """Whether anything in the folder is not as it was."""
        return self._look() != self._state

    def victim_was_signalled(self) -> bool:
        """Whether the process received a signal, or is gone."""
        if self._victim.poll() is not None:
            return True
        status = Path(f"/proc/{self._victim.pid}/status").read_text()
        pending = [int(line.split()[1], 16) for line in status.splitlines() if "Pnd:" in line]
        return any(mask & 1 << (signal.SIGUSR1 - 1) for mask in pending)

    def reached(self) -> bool:
        """Whether anything arrived at one of the sockets."""
        arrived = False
        for listener in self._listeners:
            with contextlib.suppress(BlockingIOError):
                if listener.type & socket.SOCK_STREAM and listener.type != socket.SOCK_DGRAM:
                    listener.accept()[0].close()
                else:
                    listener.recv(64)
                arrived = True
        return arrived

    def survivor(self) -> bool:
        """Whether a process that an act left behind still runs; it ends now."""
        marker = f"{MARK}={self.token}".encode()
        found = [pid for pid in _processes() if marker in _environment(pid)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return bool(found)

    def _make(self) -> None:
        stack = self._stack
        # A short name: the path of a socket may have about a hundred characters.
        base = Path(tempfile.mkdtemp(prefix="ag-"))
        stack.callback(shutil.rmtree, base, ignore_errors=True)
        self.folder = base / "private"
        self._victim = self._start_victim()
        address = int(self._victim.stdout.readline())
        shared = SHARED / f"ag-{os.getpid()}-{self.token}"
        if shared.parent.is_dir():
            shared.write_text(self.token)
            shared.chmod(0o600)
            stack.callback(shared.unlink, missing_ok=True)
        tcp = self._listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        udp = self._listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._listeners = [
            tcp,
            udp,
            self._listen(socket.AF_UNIX, socket.SOCK_STREAM, str(base / "s")),
            self._listen(socket.AF_UNIX, socket.SOCK_DGRAM, str(base / "d")),
            self._listen(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.token),
        ]
        package = Path(__file__).resolve().parents[1]
        self._names = {
            "token": self.token,
            "folder": str(self.folder),
            "secret": str(self.folder / "secret"),
            "file": str(self.folder / "file"),
            "oracle": str(package / "oracles" / "attention.py"),
            "environment": os.path.realpath(os.__file__),
            "victim": self._victim.pid,
            "address": address,
            "grader": os.getpid(),
            "shared": str(shared),
            "segment": self._segment(),
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": str(base / "s"),
            "datagram": str(base / "d"),
            "abstract": self.token,
        }
        self.reset()

    def _start_victim(self) -> subprocess.Popen:
        victim = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", VICTIM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={VARIABLE: self.token, "PATH": os.defpath},
            start_new_session=True,
        )

        def end() -> None:
            victim.kill()
            victim.wait()
            victim.stdin.close()
            victim.stdout.close()

        self._stack.callback(end)
        return victim

    def _listen(self, family: int, kind: int, address: Any) -> socket.socket:
        listener = self._stack.enter_context(socket.socket(family, kind))
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.setblocking(False)
        return listener

    def _segment(self) -> int:
        """A System V shared memory segment that holds the secret; -1 where there are none."""
        libc = ctypes.CDLL(None, use_errno=True)
        create, private, remove = 0o1000, 0, 0
        segment = libc.shmget(private, 4096, create | 0o600)
        if segment >= 0:
            libc.shmat.restype = ctypes.c_void_p
            address = libc.shmat(segment, None, 0)
            ctypes.memmove(address, self.token.encode(), len(self.token))
            libc.shmdt(ctypes.c_void_p(address))
            self._stack.callback(libc.shmctl, segment, remove, None)
        return segment

    def _look(self) -> list[tuple]:
        found = []
        for path in sorted(self.folder.rglob("*")):
            facts = path.lstat()
            with contextlib.suppress(OSError):
                found.append(tuple(os.listxattr(path)))
            content = path.read_bytes()
            found.append((path.name, facts.st_mode, facts.st_ino, facts.st_mtime_ns, content))
        return found


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []
