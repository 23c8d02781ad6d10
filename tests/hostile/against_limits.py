"""Against the limits: time, memory, disk, output, depth."""

from catalogue import REST, Entry, attack, call

TIME = [
    attack(
        "endless-in-c",
        "runs a loop that never returns to Python",
        "import itertools\nsum(itertools.repeat(0))",
        incidents=("timeout",),
        slow=True,
    ),
    call(
        "endless-regex",
        "matches a pattern that takes ages",
        "re.match('(a+)+$', 'a' * 60 + 'b')",
        incidents=("timeout",),
        slow=True,
    ),
    call(
        "endless-power",
        "computes a number with too many digits",
        "pow(3, 10**9)",
        incidents=("timeout", "memory"),
        slow=True,
    ),
    call(
        "swallower",
        "swallows every exception and signal, and goes on for ever",
        """
import signal
for number in set(range(1, 64)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
        incidents=("timeout",),
        slow=True,
    ),
    attack(
        "sleeper",
        "sleeps in a cell, and in a thread that keeps the process alive",
        """
import threading, time
threading.Thread(target=time.sleep, args=(900,)).start()
time.sleep(900)
""",
        incidents=("timeout",),
        slow=True,
    ),
    Entry(
        "hangs-everywhere",
        "hangs in every call of every exercise",
        {
            name: f"def {name}(*a, **k):\n    while True: pass\n"
            for name in ("double", "pair_sum", "length", "ends", "both_ends")
        },
        incidents=("timeout",),
        slow=True,
    ),
    Entry(
        "respawns-without-end",
        "makes every request kill the process, so that cells run again and again",
        {"double": "import os\ndef double(x):\n    os._exit(1)\n"},
        own=tuple(f"import time\ntime.sleep(0.05)\na{n} = {n}" for n in range(4)),
        incidents=("died",),
    ),
    call(
        "recursion",
        "calls itself without end, with the limit taken away",
        """
sys.setrecursionlimit(10**9)
def deeper(n): return deeper(n + 1)
deeper(0)
""",
        incidents=("died", "memory", "timeout"),
    ),
]

MEMORY = [
    call(
        "one-large-array",
        "takes four gigabytes in one array",
        "y = np.ones(2**29)",
        incidents=("memory",),
    ),
    attack(
        "small-pieces",
        "takes memory in small pieces for ever, catching every error",
        """
held = []
while True:
    try:
        held.append(bytearray(10**6))
    except MemoryError:
        held.append(held[:10])
""",
        incidents=("memory", "timeout", "died"),
        slow=True,
    ),
    attack(
        "memory-of-many",
        "takes memory in several processes, each within its limit",
        """
import time
for _ in range(6):
    if os.fork() == 0:
        held = b"x" * (400 * 2**20)
        time.sleep(30)
        os._exit(0)
time.sleep(3)
""",
        incidents=("memory", "died", "timeout"),
        slow=True,
    ),
    attack(
        "shared-memory",
        "takes shared memory, which no limit of a process counts",
        """
import mmap, time
held = mmap.mmap(-1, 3000 * 2**20)
block = b"x" * 2**26
for _ in range(46):
    held.write(block)
time.sleep(3)
""",
        incidents=("memory", "died"),
    ),
    attack(
        "nameless-files",
        "takes memory by files without a name",
        """
import time
held = [os.memfd_create("hostile%d" % n) for n in range(8)]
for number in range(400):
    os.write(held[number % 8], bytes(8 * 2**20))
time.sleep(3)
""",
        incidents=("memory", "died", "disk"),
        slow=True,
    ),
    attack(
        "unseen-shared-memory",
        "takes shared memory and lets go of its pages, so that they count for nobody",
        """
import mmap, time
held, block = [], b"x" * (64 * 2**20)
for _ in range(40):
    held.append(mmap.mmap(-1, len(block)))
    held[-1][:] = block
    held[-1].madvise(mmap.MADV_DONTNEED)
time.sleep(1)
FOUND.append("held")
""",
        incidents=("memory", "died"),
    ),
    attack(
        "unseen-zeros",
        "takes shared memory through the device of zeros",
        """
import mmap, time
held, block = [], b"x" * (64 * 2**20)
with open("/dev/zero", "r+b", buffering=0) as device:
    for _ in range(40):
        held.append(mmap.mmap(device.fileno(), len(block)))
        held[-1][:] = block
        held[-1].madvise(mmap.MADV_DONTNEED)
time.sleep(1)
FOUND.append("held")
""",
        incidents=("memory", "died"),
    ),
    attack(
        "page-tables",
        "makes the kernel keep tables for a terabyte of addresses, and uses no memory itself",
        """
import mmap, time
held = mmap.mmap(-1, 2**40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=1)
for start in range(0, len(held), 2**21):
    held[start]
time.sleep(1)
with open("/proc/self/status") as file:
    FOUND += [line for line in file if line.startswith("VmPTE")]
""",
        incidents=("memory", "died", "timeout"),
        slow=True,
    ),
    attack(
        "shared-folder",
        "fills /dev/shm",
        """
with open("/dev/shm/" + T["mark"], "wb") as file:
    for _ in range(100): file.write(bytes(10**6))
FOUND.append("written")
""",
        incidents=("memory", "died", "disk"),
    ),
]

DISK = [
    attack(
        "large-file",
        "writes one file over the limit",
        """
with open("large", "wb") as file:
    for _ in range(64): file.write(bytes(10**6))
FOUND.append("written")
""",
        incidents=("died", "disk"),
    ),
    attack(
        "many-files",
        "fills the disk with files below the limit",
        """
import time
for number in range(60):
    with open("part%d" % number, "wb") as file: file.write(os.urandom(4 * 10**6))
time.sleep(1)
FOUND.append("written")
""",
        incidents=("died", "disk"),
        slow=True,
    ),
    attack(
        "unreadable-folders",
        "fills the disk in folders that can be written but not listed",
        """
import time
for folder in range(3):
    os.mkdir("d%d" % folder, 0o300)
    for number in range(12):
        with open("d%d/part%d" % (folder, number), "wb") as file: file.write(os.urandom(2 * 10**6))
time.sleep(1)
FOUND.append("written")
""",
        incidents=("died", "disk"),
    ),
    attack(
        "files-far-down",
        "fills the disk in folders too deep for a path",
        """
import time
for number in range(40):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
for number in range(36):
    with open("part%d" % number, "wb") as file: file.write(os.urandom(2 * 10**6))
time.sleep(1)
FOUND.append("written")
""",
        incidents=("died", "disk"),
    ),
    attack(
        "mapped-and-deleted",
        "fills the disk with files that are deleted, closed and still mapped",
        """
import ctypes, time
libc = ctypes.CDLL(None)
for number in range(36):
    with open("part", "w+b") as file:
        file.write(os.urandom(2 * 10**6))
        file.flush()
        libc.mmap(None, 4096, 1, 1, file.fileno(), 0)
    os.unlink("part")
time.sleep(1)
FOUND.append("written")
""",
        incidents=("died", "disk"),
    ),
    attack(
        "many-names",
        "makes tens of thousands of empty files, folders and links",
        """
import time
for number in range(25_000):
    os.mkdir("d%d" % number) if number % 2 else os.symlink("x", "l%d" % number)
time.sleep(1)
FOUND.append("made")
""",
        spoils=REST,  # to clear all that away takes time, and it is taken from this submission
        incidents=("died", "disk", "timeout"),
        slow=True,
    ),
    attack(
        "deep-folders",
        "makes folders so deep that they are hard to remove, and takes their permissions away",
        """
for number in range(3000):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
open("file", "w").close()
for path in ("file", "."):
    os.chmod(path, 0)
""",
        incidents=("died", "disk", "timeout"),
    ),
    attack(
        "odd-names",
        "makes files with names that break tools, and holds them locked",
        """
import fcntl
for name in ("-rf", "a\\nb", "\\udcff\\udcfe", "*", "$(touch x)", " ", "a" * 255, "..."):
    descriptor = os.open(name, os.O_CREAT | os.O_RDWR, 0)
    attempt("", fcntl.flock, descriptor, fcntl.LOCK_EX)
FOUND.clear()
""",
    ),
]

OUTPUT = [
    Entry(
        "fifty-megabytes",
        "prints fifty megabytes and answers rightly",
        {
            "double": """
import sys
for _ in range(50): sys.stdout.write("x" * 10**6 + "\\n")
def double(x):
    sys.stderr.write("y" * 10**6)
    return x + x
"""
        },
        scores={"double": 3},
    ),
    attack(
        "endless-output",
        "prints for ever",
        "while True: os.write(1, b'y' * 65536)",
        incidents=("timeout",),
        slow=True,
    ),
    Entry(
        "loud-cells",
        "prints a megabyte in each of hundreds of cells, so that all of it adds up",
        own=tuple(f"import os\nos.write(1, b'\\xff' * 10**6)\na{n} = 1" for n in range(250)),
    ),
    Entry(
        "closed-output",
        "closes its output and answers rightly",
        {
            "double": """
import os, sys
os.close(1); os.close(2)
sys.stdout = sys.stderr = open(os.devnull, "w")
def double(x):
    return x + x
"""
        },
        scores={"double": 3},
    ),
    Entry(
        "many-descriptors",
        "opens files until no more can be opened, and answers rightly",
        {
            "double": """
held = []
try:
    while True: held.append(open("/dev/null"))
except OSError:
    pass
def double(x):
    return x + x
"""
        },
        scores={"double": 3},
    ),
    Entry(
        "namespace-flood",
        "defines a hundred thousand names and a very long cell",
        {"double": "for n in range(100_000): globals()[f'name{n}'] = n\n" + "a = 1\n" * 5_000},
        spoils=REST[:0],
    ),
]

ENTRIES = [*TIME, *MEMORY, *DISK, *OUTPUT]
