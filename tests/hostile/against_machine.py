"""Against the machine: files of others, the network, other processes, what comes later."""

from catalogue import attack, call

READING = [
    attack(
        "read-class",
        "reads the class's seed, gradebook, results and other work",
        """
root = T["class"]
read("seed", root + "/.autograder/course.json")
read("gradebook", root + "/gradebook.db")
read("other work", T["victim_notebook"])
read("results", T["victim_result"])
read("release", root + "/release/hostile_notebook/hostile_notebook.ipynb")
read("config", root + "/nbgrader_config.py")
attempt("list class", os.listdir, root)
attempt("list submissions", os.listdir, root + "/submitted")
""",
        harmless=True,
    ),
    attack(
        "read-sources",
        "reads the judge's sources: oracles, exercises, the answers",
        """
for name in ("autograder/oracles/attention.py", "autograder/exercises/common.py",
             "autograder/judge.py", "autograder/sandbox/protocol.py", "solutions", "tests",
             "course", ".git/HEAD", "pyproject.toml", "README.md"):
    path = T["repository"] + "/" + name
    read(name, path)
    attempt("list " + name, os.listdir, path)
import linecache
autograder = sys.modules["autograder"]
if linecache.getlines(autograder.__file__): FOUND.append("linecache")
""",
        harmless=True,
    ),
    attack(
        "read-home",
        "reads keys, settings and histories of whoever grades",
        """
home = T["home"]
for name in (".ssh/id_rsa", ".netrc", ".bash_history", ".config/token"):
    read(name, home + "/" + name)
attempt("list home", os.listdir, home)
for name in ("/etc/shadow", "/etc/passwd", "/etc/hostname", "/root/.profile", "/var/log/dpkg.log"):
    read(name, name)
""",
        harmless=True,
    ),
    attack(
        "read-processes",
        "reads environment, memory, command line and descriptors of the grader and others",
        """
for who in ("grader", "bystander"):
    base = "/proc/%d/" % T[who]
    for name in ("environ", "mem", "cmdline", "maps", "stack", "status", "auxv"):
        read(who + " " + name, base + name)
    attempt(who + " fd", os.listdir, base + "fd")
    attempt(who + " root", os.listdir, base + "root/")
    attempt(who + " cwd", os.listdir, base + "cwd/")
for parent in (os.getppid(), 1):
    read("parent environ", "/proc/%d/environ" % parent)
    read("parent mem", "/proc/%d/mem" % parent)
    attempt("parent fd", os.listdir, "/proc/%d/fd" % parent)
for name in ("/proc/kcore", "/proc/1/environ", "/dev/mem"):
    read(name, name)
""",
        harmless=True,
    ),
    attack(
        "read-own-environment",
        "looks for secrets in its own environment, arguments and open files",
        """
text = repr(dict(os.environ)) + repr(sys.argv)
for name in ("environ", "cmdline"):
    with open("/proc/self/" + name, "rb") as file: text += repr(file.read())
FOUND.extend(re.findall("SECRET-[0-9a-f]+", text))
FOUND.extend(name for name in os.environ if "HOSTILE" in name)
for number in os.listdir("/proc/self/fd"):
    target = attempt("", os.readlink, "/proc/self/fd/" + number) or ""
    if target.startswith("/") and not target.startswith(("/dev/", "/proc/")):
        FOUND.append(target)
FOUND[:] = [f for f in FOUND if f]
""",
        harmless=True,
    ),
    attack(
        "read-by-link",
        "reads through links, /proc/self/root, relative paths and handles",
        """
seed = T["class"] + "/.autograder/course.json"
for number, target in enumerate([seed, T["victim_notebook"], T["home"] + "/.ssh/id_rsa"]):
    for make in (os.symlink, os.link):
        attempt("", make, target, "link%d" % number)
        read(make.__name__, "link%d" % number)
        attempt("", os.unlink, "link%d" % number)
    read("root", "/proc/self/root" + target)
    read("cwd", "/proc/self/cwd/" + "../" * 12 + target.lstrip("/"))
    read("task", "/proc/thread-self/root" + target)
attempt("chroot", os.chroot, "/")
attempt("", os.chdir, T["class"])
attempt("list where it went", os.listdir, ".") if os.getcwd() == T["class"] else None
FOUND[:] = [f for f in FOUND if f]
""",
        harmless=True,
    ),
    attack(
        "read-shared",
        "reads shared memory of others, System V segments and queues",
        """
import ctypes
read("shm", T["shared"])
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
if T["segment"] >= 0:
    where = libc.shmat(T["segment"], None, 0o10000)
    if where not in (None, ctypes.c_void_p(-1).value):
        FOUND.append(ctypes.string_at(where, 64))
for folder in ("/dev/shm", "/dev/mqueue", "/tmp", "/var/tmp", "/run"):
    try:
        names = os.listdir(folder)
    except OSError:
        continue
    FOUND.extend(folder for name in names if "hostile" in name)
""",
        harmless=True,
    ),
]

WRITING = [
    attack(
        "write-class",
        "changes other work, results, the gradebook and the class's settings",
        """
root = T["class"]
for name in ("gradebook.db", ".autograder/course.json", "nbgrader_config.py", "new-file"):
    attempt(name, lambda: os.close(os.open(root + "/" + name, os.O_RDWR | os.O_CREAT)))
for path in (T["victim_notebook"], T["victim_result"]):
    attempt("append", lambda: open(path, "ab").write(b" "))
    attempt("truncate", os.truncate, path, 1)
    attempt("", os.chmod, path, 0o777)
    attempt("", os.chown, path, os.getuid(), os.getgid())
    attempt("", os.utime, path, (1, 1))
    attempt("rename", os.rename, path, path + ".old")
    attempt("remove", os.unlink, path)
    attempt("attribute", os.setxattr, path, "user.hostile", b"1")
    attempt("link over", os.symlink, "/dev/null", path + ".link")
attempt("remove folder", os.rmdir, root + "/results")
# To change modes and times may be pretended to work; whether it did is looked at from outside.
FOUND[:] = [f for f in FOUND if f]
attempt("empty", lambda: os.open(T["victim_notebook"], os.O_RDONLY | os.O_TRUNC))
""",
    ),
    attack(
        "write-later-runs",
        "leaves code that later runs of Python would execute",
        """
import bert_keras, site
places = [os.path.dirname(np.__file__), os.path.dirname(bert_keras.__file__), T["repository"],
          *site.getsitepackages(), T["home"], os.path.dirname(os.__file__), "/usr/lib", "/etc"]
for place in places:
    for name in ("sitecustomize.py", "usercustomize.py", T["mark"] + ".pth", "ld.so.preload",
                 "__pycache__/" + T["mark"] + ".pyc", ".bashrc"):
        path = os.path.join(place, name)
        if os.path.exists(path): continue
        def leave():
            with open(path, "x") as file: file.write("# " + T["mark"])
            os.unlink(path)
        attempt(path, leave)
    attempt("", lambda: os.chmod(place, os.stat(place).st_mode))
FOUND[:] = [f for f in FOUND if f]
os.environ.update(LD_PRELOAD="/tmp/x.so", PYTHONSTARTUP="/tmp/x.py", PYTHONPATH="/tmp")
""",
    ),
    attack(
        "write-temporary",
        "leaves files in every folder that everybody may write to",
        """
for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/var/lock", T["temporary"], T["home"]):
    attempt(folder, lambda: open(folder + "/" + T["mark"], "w").close())
    attempt("folder in " + folder, os.mkdir, folder + "/" + T["mark"] + "-folder")
    attempt("pipe in " + folder, os.mkfifo, folder + "/" + T["mark"] + "-pipe")
attempt("device", os.mknod, "device", 0o600 | 0o20000, os.makedev(1, 1))
attempt("memory device", lambda: read("mem", "device"))
FOUND[:] = [f for f in FOUND if f != "memory device"]
""",
    ),
    attack(
        "write-processes",
        "changes limits, priorities and memory of other processes",
        """
import resource
for who in ("grader", "bystander"):
    attempt(who + " mem", lambda: os.open("/proc/%d/mem" % T[who], os.O_RDWR))
    attempt(who + " oom", lambda: open("/proc/%d/oom_score_adj" % T[who], "w").write("900"))
    attempt(who + " limit", resource.prlimit, T[who], resource.RLIMIT_NOFILE, (8, 8))
    attempt(who + " priority", os.setpriority, os.PRIO_PROCESS, T[who], 19)
    attempt(who + " cores", os.sched_setaffinity, T[who], {0})
attempt("hard limit", resource.setrlimit, resource.RLIMIT_NOFILE, (10**6, 10**6))
attempt("host name", lambda: __import__("socket").sethostname("hostile"))
""",
    ),
]

NETWORK = [
    attack(
        "network-tcp",
        "connects over TCP and sends what it knows",
        """
import socket
def send():
    with socket.create_connection(("127.0.0.1", T["tcp"]), 1) as line: line.sendall(b"SECRET")
attempt("tcp", send)
def listen():
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0)); line.listen()
attempt("listen", listen)
attempt("ipv6", lambda: socket.create_connection(("::1", T["tcp"]), 1).close())
""",
    ),
    attack(
        "network-others",
        "sends datagrams, looks names up, opens raw sockets",
        """
import socket
def datagram():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", T["udp"]))
attempt("udp", datagram)
attempt("dns", socket.getaddrinfo, "example.invalid", 80)
for family in range(1, 46):
    for kind in (1, 2, 3, 5):
        if attempt("", socket.socket, family, kind): FOUND.append((family, kind))
FOUND[:] = [f for f in FOUND if f and f != (1, 1)]
""",
    ),
    attack(
        "network-unix",
        "reaches services on this machine through paths and abstract names",
        """
import socket
for address in (T["unix"], "\\0" + T["abstract"]):
    def send():
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1); line.connect(address); line.sendall(b"SECRET")
    attempt(address, send)
def pair():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.sendto(b"x", T["unix"])
attempt("datagram pair", pair)
attempt("bind", lambda: socket.socket(socket.AF_UNIX).bind("\\0hostile-" + T["mark"]))
""",
    ),
]

PROCESSES = [
    attack(
        "daemon",
        "leaves a process behind that has detached itself twice",
        """
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.environ["HOSTILE_MARK"] = T["mark"]
        for name in (T["mark"], "/tmp/" + T["mark"], "/dev/shm/" + T["mark"]):
            attempt("", lambda: open(name, "w").close())
        time.sleep(120)
    os._exit(0)
""",
    ),
    attack(
        "daemon-exec",
        "leaves another program running",
        """
import subprocess
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120) # " + T["mark"]],
                 start_new_session=True)
""",
        spoils=(),
    ),
    attack(
        "fork-storm",
        "starts processes until no more can be started",
        """
import time
for _ in range(60):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(2)
""",
        incidents=("died",),
    ),
    attack(
        "thread-storm",
        "starts hundreds of threads",
        """
import threading, time
for _ in range(300):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError:
        break
""",
        incidents=("died", "memory"),
    ),
    attack(
        "kill-all",
        "kills every process that it may kill",
        """
import signal
for who in ("grader", "bystander"):
    attempt(who, os.kill, T[who], 0)
if not FOUND:  # only where what does not belong to it is out of reach
    for target in (os.getppid(), -os.getppid(), 1, -1):
        for number in (signal.SIGUSR1, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            attempt("", os.kill, target, number)
    FOUND.clear()
""",
        incidents=("died", "timeout"),
    ),
    call(
        "kill-group",
        "ends its own process group, its threads and itself while it is called",
        """
import signal
os.killpg(0, signal.SIGKILL)
os.abort()
""",
        incidents=("died",),
    ),
    attack(
        "trace",
        "attaches to other processes as a debugger, reads and writes their memory",
        """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for who in (T["grader"], T["bystander"], os.getppid()):
    for request in (16, 0x4206):
        if libc.ptrace(request, who, 0, 0) == 0: FOUND.append(("ptrace", request, who))
    buffer = ctypes.create_string_buffer(64)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 64)
    remote = (ctypes.c_size_t * 2)(T["address"], 64)
    if libc.process_vm_readv(who, vector, 1, remote, 1, 0) > 0: FOUND.append(buffer.value)
    if libc.syscall(438, libc.syscall(434, who, 0), 0, 0) >= 0: FOUND.append("pidfd_getfd")
""",
    ),
    attack(
        "namespaces",
        "makes namespaces, mounts and new privileges for itself",
        """
import ctypes, subprocess
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x08000000, 0x04000000):
    if libc.unshare(flag) == 0: FOUND.append(hex(flag))
if libc.mount(b"none", b"/", b"tmpfs", 0, None) == 0: FOUND.append("mount")
if libc.pivot_root(b".", b".") == 0 if hasattr(libc, "pivot_root") else False: FOUND.append("pivot")
for name in ("setuid", "setgid"):
    if getattr(libc, name)(0) == 0 and os.getuid() == 0: FOUND.append(name)
if libc.personality(0x0040000) not in (-1, 0): pass
for program in ("su", "sudo", "mount", "ping"):
    try:
        done = subprocess.run([program, "-c", "id"], capture_output=True, timeout=1)
        if b"uid=0" in done.stdout: FOUND.append(program)
    except Exception:
        pass
with open("/proc/self/status") as file:
    for line in file:
        if line.startswith(("CapEff", "CapAmb")) and int(line.split()[1], 16) & ~4:
            FOUND.append(line)
""",
    ),
    call(
        "exit-while-called",
        "ends its process without a word",
        "os._exit(0)",
        incidents=("died",),
    ),
    attack("exit-in-cell", "ends its process in a cell", "os._exit(3)", incidents=("died",)),
    attack("sys-exit", "raises SystemExit with a code that claims success", "sys.exit(0)"),
    attack(
        "segfault",
        "reads where there is no memory",
        "import ctypes\nctypes.string_at(0)",
        incidents=("died",),
    ),
    call(
        "segfault-while-called",
        "overwrites its own interpreter",
        "import ctypes\nctypes.memset(id(None), 0, 64)",
        incidents=("died", "bad_reply", "timeout"),
    ),
    attack(
        "crash-handlers",
        "ends by a signal that is handled strangely",
        """
import faulthandler, resource, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGSEGV, signal.SIG_IGN)
attempt("", resource.setrlimit, resource.RLIMIT_CORE, (-1, -1))
FOUND.clear()
os.kill(os.getpid(), signal.SIGQUIT)
""",
        incidents=("died",),
    ),
]

ENTRIES = [*READING, *WRITING, *NETWORK, *PROCESSES]
