"""What a contained process must not be able to do: each act as a piece of Python, with its proof.

An act runs twice: outside, as an ordinary process, to show that it would work on this machine; and
inside, where it must not. It acts on targets that the self-test has just made (see `targets`) and
on nothing else. In an act, `T` holds their names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograder.sandbox.targets import Targets


def _says_token(targets: Targets, output: str) -> bool:
    return targets.token in output


@dataclass(frozen=True)
class Probe:
    """Something that student code must not manage to do.

    Args:
        name: Short and stable.
        act: Python source; `T` is a dict of the targets.
        proof: Whether it worked, from the targets and from what the act printed. By default: it
            printed the secret.
        alone: Whether it needs a process of its own, and limits that it can reach quickly.
    """

    name: str
    act: str
    proof: Callable[[Targets, str], bool] = _says_token
    alone: bool = False


CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *args):
    long = ctypes.c_long
    args = [long(arg) if isinstance(arg, int) else arg for arg in args]
    return libc.syscall(long(number), *args)
import os
ARM = os.uname().machine == "aarch64"
"""


def _changed(targets: Targets, output: str) -> bool:
    return targets.changed()


def _signalled(targets: Targets, output: str) -> bool:
    return targets.victim_was_signalled()


def _reached(targets: Targets, output: str) -> bool:
    return targets.reached()


def _done(targets: Targets, output: str) -> bool:
    return "DONE" in output


READING = (
    Probe("read a private file", "print(open(T['secret']).read())"),
    Probe(
        "read it through a link", "import os\nos.symlink(T['secret'], 'l')\nprint(open('l').read())"
    ),
    Probe("read it through /proc/self/root", "print(open('/proc/self/root' + T['secret']).read())"),
    Probe(
        "read it through a hard link",
        "import os\nos.link(T['secret'], 'h')\nprint(open('h').read())",
    ),
    Probe("list a private folder", "import os\nprint(os.listdir(T['folder']))"),
    Probe(
        "copy it with another program",
        "import subprocess\nsubprocess.run(['/bin/cat', T['secret']])",
    ),
    Probe("read the checks", "print(open(T['oracle']).read())\nprint('DONE')", _done),
    Probe("read a process's environment", "print(open(f\"/proc/{T['victim']}/environ\").read())"),
    Probe(
        "read the grader's environment",
        "assert open(f\"/proc/{T['grader']}/environ\", 'rb').read()\nprint('DONE')",
        _done,
    ),
    Probe(
        "find a secret in the environment",
        "import os\nprint(dict(os.environ), open('/proc/self/environ').read())",
    ),
    Probe(
        "read an inherited descriptor",
        """
import os
for descriptor in range(5, 64):
    try:
        print(os.pread(descriptor, 99, 0))
    except OSError:
        pass
""",
    ),
    Probe(
        "read a process's memory",
        CALL
        + """
found = ctypes.create_string_buffer(len(T['token']))
class Part(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
here = Part(ctypes.cast(found, ctypes.c_void_p), len(T['token']))
there = Part(T['address'], len(T['token']))
call(270 if ARM else 310, T['victim'], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
print(found.raw.decode('latin-1'))
""",
    ),
    Probe(
        "attach to a process as a debugger",
        CALL
        + "seize = call(117 if ARM else 101, 0x4206, T['victim'], None, None)\n"
        + "print('DONE' if seize == 0 else ctypes.get_errno())",
        _done,
    ),
    Probe(
        "watch a folder",
        CALL
        + """
watch = libc.inotify_init1(0)
assert watch >= 0 and libc.inotify_add_watch(watch, T['folder'].encode(), 0x100) >= 0
print('DONE')
""",
        _done,
    ),
    Probe("read shared memory by name", "print(open(T['shared']).read())"),
    Probe(
        "attach System V shared memory",
        CALL
        + """
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat(T['segment'], None, 0)
assert address != ctypes.c_void_p(-1).value
print(ctypes.string_at(address, len(T['token'])).decode())
""",
    ),
)

WRITING = (
    Probe("write to a file", "open(T['file'], 'a').write('x')", _changed),
    Probe("empty a file", "import os\nos.truncate(T['file'], 0)", _changed),
    Probe(
        "empty a file by opening it",
        "import os\nos.open(T['file'], os.O_RDONLY | os.O_TRUNC)",
        _changed,
    ),
    Probe("delete a file", "import os\nos.remove(T['file'])", _changed),
    Probe("rename a file", "import os\nos.rename(T['file'], T['file'] + '2')", _changed),
    Probe(
        "replace a file", "import os\nopen('n', 'w').close()\nos.replace('n', T['file'])", _changed
    ),
    Probe("add a file", "open(T['folder'] + '/new', 'w').close()", _changed),
    Probe("change permissions", "import os\nos.chmod(T['file'], 0o777)", _changed),
    Probe("change a date", "import os\nos.utime(T['file'], (1, 1))", _changed),
    Probe("change an attribute", "import os\nos.setxattr(T['file'], 'user.x', b'y')", _changed),
    Probe(
        "write into the Python environment",
        "open(T['environment'], 'r+b').close()\nprint('DONE')",
        _done,
    ),
)

PROCESSES = (
    Probe("signal a process", "import os\nos.kill(T['victim'], 10)", _signalled),
    Probe("signal a process group", "import os\nos.kill(-T['victim'], 10)", _signalled),
    Probe(
        "signal a thread",
        CALL + "call(131 if ARM else 234, T['victim'], T['victim'], 10)",
        _signalled,
    ),
    Probe(
        "signal by a process descriptor",
        CALL
        + """
descriptor = call(434, T['victim'], 0)
call(424, descriptor, 10, None, 0)
""",
        _signalled,
    ),
    Probe(
        "signal by way of a pipe",
        """
import fcntl, os
read, write = os.pipe()
fcntl.fcntl(read, 10, 10)
fcntl.fcntl(read, fcntl.F_SETOWN, T['victim'])
fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
os.write(write, b'x')
""",
        _signalled,
    ),
    Probe(
        "lower a process's limits",
        """
import resource
resource.prlimit(T['victim'], resource.RLIMIT_CORE, (0, 0))
print('DONE')
""",
        _done,
    ),
    Probe(
        "lower a process's priority",
        "import os\nos.setpriority(os.PRIO_PROCESS, T['victim'], 19)\nprint('DONE')",
        _done,
    ),
    Probe(
        "enter a new user namespace",
        CALL + "assert libc.unshare(0x10000000) == 0\nprint('DONE')",
        _done,
    ),
    Probe(
        "enter a process's namespaces",
        "import os\nCLONE = 0\n"
        + CALL
        + """
fd = os.open(f"/proc/{T['victim']}/ns/uts", os.O_RDONLY)
assert libc.setns(fd, 0) == 0
print('DONE')
""",
        _done,
    ),
    Probe(
        "trace the kernel",
        CALL
        + """
import struct
flags = 1 << 5 | 1 << 6
attributes = struct.pack('=IIQ', 1, 64, 0) + bytes(24) + struct.pack('=Q', flags) + bytes(16)
assert call(241 if ARM else 298, ctypes.c_char_p(attributes), 0, -1, -1, 0) >= 0
print('DONE')
""",
        _done,
    ),
    Probe(
        "use the kernel's keyring",
        CALL
        + """
text = ctypes.c_char_p
key = call(217 if ARM else 248, text(b'user'), text(b'probe'), text(b'x'), 1, -2)
assert key >= 0
print('DONE')
""",
        _done,
    ),
    Probe(
        "open a ring for input and output",
        CALL
        + """
assert call(425, 4, ctypes.create_string_buffer(256)) >= 0
print('DONE')
""",
        _done,
    ),
)

NETWORK = (
    Probe(
        "connect over TCP",
        "import socket\nsocket.create_connection(('127.0.0.1', T['tcp']), 1)",
        _reached,
    ),
    Probe(
        "send over UDP",
        "import socket\nsocket.socket(2, 2).sendto(b'x', ('127.0.0.1', T['udp']))",
        _reached,
    ),
    Probe(
        "connect to a socket file",
        "import socket\nsocket.socket(1, 1).connect(T['unix'])",
        _reached,
    ),
    Probe(
        "connect to an abstract socket",
        "import socket\nsocket.socket(1, 1).connect('\\0' + T['abstract'])",
        _reached,
    ),
    Probe(
        "send from one of a pair",
        "import socket\nsocket.socketpair(1, 2)[0].sendto(b'x', T['datagram'])",
        _reached,
    ),
    Probe(
        "wait for connections",
        "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nprint('DONE')",
        _done,
    ),
)

# Bounded acts that stop by themselves: what they take is far above `LIMITS`, far below any harm.
EXCESSES = (
    Probe(
        "outlive its run",
        """
import os
# Closed when the last process has become another program: only then is it there to be found.
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.close(1)
        os.close(2)
        os.execve("/bin/sleep", ["sleep", "20"], {"AUTOGRADER_ACT": T["token"]})
    os._exit(0)
os.close(told)
os.read(ready, 1)
""",
        lambda targets, output: targets.survivor(),
        alone=True,
    ),
    Probe(
        "start many processes",
        """
import os, time
for _ in range(40):
    if os.fork() == 0:
        time.sleep(2)
        os._exit(0)
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "take private memory",
        """
import time
held = [bytearray(b"x") * 2**20 for _ in range(600)]
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "take shared memory",
        """
import mmap, time
held = mmap.mmap(-1, 600 * 2**20)
for start in range(0, len(held), 4096):
    held[start] = 1
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "take memory by a nameless file",
        """
import os, time
held = os.memfd_create("probe")
for _ in range(600):
    os.write(held, bytes(2**20))
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "write one large file",
        """
with open("large", "wb") as file:
    for _ in range(20):
        file.write(bytes(2**20))
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "write many files",
        """
import os, time
for number in range(20):
    with open(f"part{number}", "wb") as file:
        file.write(os.urandom(4 * 2**20))
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "write deleted files",
        """
import os, time
held = []
for number in range(20):
    held.append(open(f"part{number}", "wb"))
    held[-1].write(os.urandom(4 * 2**20))
    held[-1].flush()
    os.remove(f"part{number}")
time.sleep(1)
print("DONE")
""",
        _done,
        alone=True,
    ),
    Probe(
        "open many files",
        """
held = [open("/dev/null") for _ in range(200)]
print("DONE")
""",
        _done,
        alone=True,
    ),
)

PROBES = (*READING, *WRITING, *PROCESSES, *NETWORK, *EXCESSES)
