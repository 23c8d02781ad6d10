"""What the hostile suite's submissions aim at, and whether it is as it was afterwards."""

import ctypes
import hashlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from hostile_course import NOTEBOOK

BYSTANDER = "import os, time, ctypes\ns = ctypes.create_string_buffer(os.environ['HOSTILE_SECRET']"
BYSTANDER += ".encode())\nprint(ctypes.addressof(s), flush=True)\ntime.sleep(3600)"


class Ground:
    """Files, a process, listeners and shared memory; all made here and taken away again.

    Args:
        home: A folder to work in.
        course: The class folder, made already.
    """

    def __init__(self, home: Path, course: Path):
        self.home, self.course = home, course
        self.secret = "SECRET-" + secrets.token_hex(12)
        self.mark = "hostile-" + secrets.token_hex(6)
        os.environ["HOSTILE_SECRET"] = self.secret
        for name in (".ssh/id_rsa", ".netrc", ".bash_history", ".config/token"):
            path = home / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.secret)
            path.chmod(0o600)
        self.bystander = subprocess.Popen(
            [sys.executable, "-c", BYSTANDER], stdout=subprocess.PIPE, start_new_session=True
        )
        address = int(self.bystander.stdout.readline())
        self.listeners = []
        tcp = self._listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        udp = self._listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self.unix = home / "s"
        self._listen(socket.AF_UNIX, socket.SOCK_STREAM, str(self.unix))
        self.abstract = "listener-" + secrets.token_hex(6)
        self._listen(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract)
        self.shared = Path("/dev/shm", "listener-" + secrets.token_hex(6))
        self.shared.write_text(self.secret)
        self.shared.chmod(0o600)
        self.targets = json.dumps(
            {
                "class": str(course),
                "home": str(home),
                "repository": str(Path(__file__).resolve().parents[2]),
                "victim_notebook": str(
                    course / "submitted" / "neighbour" / NOTEBOOK / f"{NOTEBOOK}.ipynb"
                ),
                "victim_result": str(course / "results" / "neighbour" / f"{NOTEBOOK}.json"),
                "grader": os.getpid(),
                "bystander": self.bystander.pid,
                "address": address,
                "mark": self.mark,
                "shared": str(self.shared),
                "segment": self._segment(),
                "temporary": os.environ["TMPDIR"],
                "tcp": tcp.getsockname()[1],
                "udp": udp.getsockname()[1],
                "unix": str(self.unix),
                "abstract": self.abstract,
            }
        )

    def _listen(self, family, kind, address):
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.setblocking(False)
        self.listeners.append(listener)
        return listener

    def _segment(self) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        self.segment = libc.shmget(0, 4096, 0o1000 | 0o600)
        if self.segment >= 0:
            libc.shmat.restype = ctypes.c_void_p
            where = libc.shmat(self.segment, None, 0)
            ctypes.memmove(where, self.secret.encode(), len(self.secret))
            libc.shmdt(ctypes.c_void_p(where))
        return self.segment

    def picture(self) -> dict[str, object]:
        """All that must not change, as plain data."""
        status = Path(f"/proc/{self.bystander.pid}/status").read_text().splitlines()
        pending = [line for line in status if line.startswith(("State", "SigPnd", "ShdPnd"))]
        return {
            "home": _tree(self.home, skip=(self.course, Path(os.environ["TMPDIR"]))),
            "bystander": pending,
            "limits": Path(f"/proc/{self.bystander.pid}/limits").read_text(),
            "priority": os.getpriority(os.PRIO_PROCESS, self.bystander.pid),
            "shared": self.shared.read_text(),
            "temporary": sorted(os.listdir(os.environ["TMPDIR"])),
            "submitted": _tree(self.course / "submitted"),
            "source": _tree(self.course / "source"),
            "release": _tree(self.course / "release"),
            "settings": {
                name: _digest(self.course / name)
                for name in ("nbgrader_config.py", ".autograder/course.json")
            },
        }

    def traces(self) -> list[str]:
        """What the submissions left behind on the machine or reached; it should be empty."""
        found = []
        for listener in self.listeners:
            try:
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()
                else:
                    listener.recv(16)
                found.append(f"reached {listener.getsockname()}")
            except BlockingIOError:
                pass
        places = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/var/lock", str(self.home)]
        for place in places:
            if os.access(place, os.R_OK):
                found += [f"{place}/{n}" for n in os.listdir(place) if self.mark in n]
        for name in ("net/unix", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg"):
            text = Path("/proc", name).read_text() if os.path.exists(f"/proc/{name}") else ""
            found += [line for line in text.splitlines() if self.mark in line]
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                text = Path("/proc", pid, "environ").read_bytes()
                text += Path("/proc", pid, "cmdline").read_bytes()
            except OSError:
                continue
            if self.mark.encode() in text and int(pid) != os.getpid():
                found.append(f"process {pid}")
        return found

    def close(self) -> None:
        """Takes all of it away."""
        self.bystander.kill()
        self.bystander.wait()
        self.bystander.stdout.close()
        for listener in self.listeners:
            listener.close()
        self.unix.unlink(missing_ok=True)
        self.shared.unlink(missing_ok=True)
        if self.segment >= 0:
            ctypes.CDLL(None).shmctl(self.segment, 0, None)
        shutil.rmtree(self.home / ".ssh", ignore_errors=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _tree(root: Path, skip=()) -> dict[str, tuple]:
    """Every name below a folder with its mode, times, links and content."""
    found = {}
    for folder, names, files in os.walk(root):
        names[:] = [n for n in names if Path(folder, n) not in skip]
        for name in (*names, *files):
            path = Path(folder, name)
            about = path.lstat()
            facts = [about.st_mode, about.st_uid, about.st_nlink, about.st_mtime_ns]
            if path.is_symlink():
                facts.append(os.readlink(path))
            elif path.is_file() and about.st_size < 2**26:
                facts.append(_digest(path))
            found[os.fsencode(path.relative_to(root)).hex()] = tuple(facts)
    return found
