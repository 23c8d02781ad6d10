"""The pieces of the jail, each against something independent: a BPF machine, a tree of files."""

import errno
import os
import struct
import subprocess
import sys

import pytest

from autograder.sandbox import (
    Limits,
    Sandbox,
    SandboxError,
    jail,
    landlock,
    seccomp,
    syscalls,
    visible,
)
from autograder.sandbox.visible import Visible

ALLOW, KILL = seccomp.ALLOW, seccomp.KILL
TABLES = (
    *(syscalls.ALLOWED, syscalls.RULED, syscalls.PRETENDED, syscalls.SOCKET, syscalls.REFUSED),
)
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(program, machine, number, *args, arch=None):
    """Runs a filter as the kernel does: a classic BPF machine on `struct seccomp_data`."""
    arguments = [value & (2**64 - 1) for value in args] + [0] * (6 - len(args))
    data = struct.pack("=iIQ6Q", number, arch or ARCH[machine], 0, *arguments)
    code = list(struct.iter_unpack("=HBBI", program))
    at = accumulator = 0
    for _ in range(10_000):
        operation, true, false, value = code[at]
        at += 1
        if operation == 0x20:  # load a word at an offset
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            return value
        else:
            test = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: accumulator & value,
            }
            at += true if test[operation] else false
    raise AssertionError("the filter does not end")


def refused(code):
    return 0x00050000 | code


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request):
    return request.param


@pytest.fixture
def ask(machine):
    """Asks the filter of a process with the pid 4242 about a call by name."""
    program = seccomp.program(machine, 4242)
    everything = {name: row for table in TABLES for name, row in table.items()}
    numbers = syscalls.numbers(everything, machine)

    def ask(name, *args, **options):
        number = name if isinstance(name, int) else numbers[name]
        return verdict(program, machine, number, *args, **options)

    ask.numbers = numbers
    return ask


def test_every_listed_call_gets_the_verdict_of_its_table(ask, machine):
    for table, expected in (
        (syscalls.ALLOWED, ALLOW),
        (syscalls.PRETENDED, refused(0)),
        (syscalls.SOCKET, refused(errno.ENETUNREACH)),
        (syscalls.REFUSED, refused(errno.EPERM)),
    ):
        for name in syscalls.numbers(table, machine):
            assert ask(name) == expected, name


def test_no_number_is_listed_twice(machine):
    tables = (
        syscalls.ALLOWED,
        syscalls.RULED,
        syscalls.PRETENDED,
        syscalls.SOCKET,
        syscalls.REFUSED,
    )
    numbers = [n for table in tables for n in syscalls.numbers(table, machine).values()]
    assert len(numbers) == len(set(numbers))


def test_what_is_not_listed_does_not_exist(ask):
    unlisted = set(range(600)) - set(ask.numbers.values())
    assert {ask(number) for number in unlisted} == {refused(errno.ENOSYS)}
    # rings, process descriptors and signals by them, the calls whose arguments lie in memory
    assert {425, 434, 424, 435, 437} <= unlisted


def test_the_other_machine_and_the_other_calling_convention_end_the_process(machine):
    program = seccomp.program(machine, None)
    other = ARCH["aarch64" if machine == "x86_64" else "x86_64"]
    assert verdict(program, machine, 63, arch=other) == KILL
    assert verdict(program, machine, 0, arch=0x40000003) == KILL  # 32-bit x86
    if machine == "x86_64":
        assert verdict(program, machine, 0x40000000) == KILL


def test_a_read_only_open_may_not_empty_the_file(ask):
    trunc, write = os.O_TRUNC, os.O_WRONLY
    assert ask("openat", -100, 0, os.O_RDONLY) == ALLOW
    assert ask("openat", -100, 0, write | trunc | os.O_CREAT) == ALLOW  # Landlock sees this one
    assert ask("openat", -100, 0, os.O_RDONLY | trunc) == refused(errno.EACCES)


def test_only_the_process_itself_can_be_signalled(ask):
    denied = refused(errno.EPERM)
    assert ask("kill", 4242, 9) == ask("kill", 0, 9) == ALLOW
    assert ask("tgkill", 4242, 4243, 6) == ALLOW
    for target in (1, 4241, -1, -4242):
        assert ask("kill", target, 9) == denied
        assert ask("tgkill", target, target, 9) == denied
    assert ask("tgkill", 0, 5, 9) == denied


def test_no_new_namespaces_threads_and_forks_as_ever(ask):
    thread = 0x3D0F00  # what a C library asks for when it starts a thread
    assert ask("clone", thread) == ask("clone", 0x11) == ALLOW
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert ask("clone", 0x11 | flag) == refused(errno.EPERM)


def test_sockets_come_in_connected_pairs_only(ask):
    denied = refused(errno.EPERM)
    assert ask("socketpair", 1, 1 | 0x80000) == ALLOW
    assert ask("socketpair", 1, 2) == ask("socketpair", 2, 1) == ask("socketpair", 1, 5) == denied
    assert ask("sendto", 3, 4096, 10, 0, 0) == ALLOW
    assert ask("sendto", 3, 4096, 10, 0, 0x7F00) == denied
    assert ask("sendto", 3, 4096, 10, 0, 1 << 40) == denied  # the low half alone is zero


def test_other_processes_limits_and_file_owners_stay_alone(ask):
    denied = refused(errno.EPERM)
    assert ask("prlimit64", 0) == ask("prlimit64", 4242) == ALLOW
    assert ask("prlimit64", 4241) == ask("sched_setaffinity", 1) == denied
    assert ask("fcntl", 3, 1) == ask("fcntl", 3, 4) == ALLOW
    assert {ask("fcntl", 3, command) for command in (8, 10, 15, 1024, 1026)} == {denied}
    assert ask("ioctl", 3, 0x5401) == ALLOW
    for request in (0x5412, 0x8901, 0x541C):  # type into a terminal, change the owner, console
        assert ask("ioctl", 3, request) == refused(errno.ENOTTY)


def test_numbers_are_those_of_this_machines_headers():
    """On a machine with kernel headers, each number is compared with theirs."""
    folder = "/usr/include"
    found = [
        os.path.join(root, "unistd_64.h")
        for root, _, files in os.walk(folder)
        if "unistd_64.h" in files and root.endswith("asm")
    ]
    if os.uname().machine != "x86_64" or not found:
        pytest.skip("no kernel headers")
    with open(found[0]) as file:
        words = [line.split() for line in file if line.startswith("#define __NR_")]
    real = {name.removeprefix("__NR_"): int(number) for _, name, number in words}
    tables = (
        syscalls.ALLOWED,
        syscalls.RULED,
        syscalls.PRETENDED,
        syscalls.SOCKET,
        syscalls.REFUSED,
    )
    ours = {k: v for table in tables for k, v in syscalls.numbers(table, "x86_64").items()}
    known = {name: number for name, number in ours.items() if name in real}
    assert len(known) > 0.95 * len(ours)
    assert known == {name: real[name] for name in known}


def test_a_machine_without_a_filter_is_refused():
    with pytest.raises(ValueError, match="riscv64"):
        seccomp.program("riscv64", None)


# --- Landlock --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("abi", "bits"), [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (6, 16), (7, 16)]
)
def test_rights_grow_with_the_kernel(abi, bits):
    assert landlock.rights(abi) == 2**bits - 1


def test_landlock_grants_what_it_names_and_nothing_else(tmp_path):
    if not landlock.version():
        pytest.skip("this kernel has no Landlock")
    for name in ("open", "closed", "own"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("text")
    script = """
import os, sys
from autograder.sandbox import kernel, landlock
base = sys.argv[1]
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
read = landlock.READ_FILE | landlock.READ_DIR
landlock.restrict([
    landlock.Rule(base + "/open", read),
    landlock.Rule(base + "/own", landlock.rights(landlock.version())),
    landlock.Rule(base + "/missing", read),
])
def tried(act):
    try:
        act()
        return "y"
    except PermissionError:
        return "n"
print(
    tried(lambda: open(base + "/open/file").read()),
    tried(lambda: os.listdir(base + "/open")),
    tried(lambda: open(base + "/open/file", "a")),
    tried(lambda: open(base + "/closed/file")),
    tried(lambda: os.listdir(base)),
    tried(lambda: open(base + "/own/file", "a")),
    tried(lambda: os.remove(base + "/own/file")),
)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == list("yynnnyy")


# --- what is visible -------------------------------------------------------------------------


def test_hidden_folders_are_cut_out_of_visible_ones(tmp_path):
    for name in ("site/numpy", "site/autograder/oracles", "site/deep/class/a", "site/deep/other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "site" / "module.py").touch()
    (tmp_path / "site" / "link").symlink_to(tmp_path / "site" / "autograder")
    trees, listed = [], []
    hidden = [str(tmp_path / "site" / "autograder"), str(tmp_path / "site" / "deep" / "class")]
    visible._without(str(tmp_path / "site"), hidden, trees, listed)
    names = [os.path.relpath(tree, tmp_path / "site") for tree in trees]
    assert sorted(names) == ["deep/other", "module.py", "numpy"]
    assert [os.path.relpath(path, tmp_path / "site") for path in listed] == [".", "deep"]


def test_this_package_its_answers_and_a_class_are_never_visible(tmp_path):
    seen = visible.environment(hidden=[str(tmp_path)])
    package = str(visible.OWN)
    for private in (
        package,
        f"{package}/oracles",
        str(tmp_path),
        str(visible.OWN.parent / "course"),
    ):
        assert not any(private == tree or private.startswith(tree + "/") for tree in seen.trees)
    assert any(os.path.realpath(os.__file__).startswith(tree) for tree in seen.trees)


def test_an_environment_inside_a_hidden_folder_still_works(tmp_path):
    """A class folder may hold the environment; of the folder, only that is shown."""
    (tmp_path / "class" / "env").mkdir(parents=True)
    seen = visible.environment([str(tmp_path / "class" / "env")], [str(tmp_path / "class")])
    assert str(tmp_path / "class" / "env") in seen.trees
    assert str(tmp_path / "class") not in (*seen.trees, *seen.listed)


def test_an_unknown_tier_is_refused():
    with pytest.raises(ValueError, match="no_such"):
        jail.plan("no_such", Visible(()))


# --- both tiers ------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=jail.CONTAINED)
def contained(request, tmp_path_factory):
    """A light sandbox with a data folder and a class inside it that must stay hidden."""
    data = tmp_path_factory.mktemp("data")
    (data / "corpus.txt").write_text("words")
    (data / "class").mkdir()
    (data / "class" / "seed").write_text("secret")
    for path in (data, data / "class"):
        path.chmod(0o755)
    limits = Limits(scratch_mb=16, file_mb=32, memory_mb=400, cell_seconds=20)
    options = {"data": (data,), "hidden": (data / "class",)}
    light = ("numpy", "bert_keras", "autograder.sandbox.child")
    try:
        with Sandbox(limits, preload=light, tier=request.param, **options) as sandbox:
            sandbox.data = data
            yield sandbox
    except SandboxError as error:
        pytest.skip(str(error))


def _status(sandbox, source):
    with sandbox.spawn() as child:
        outcome = child.run_cell(source, "cell")
        return outcome.status, outcome.stdout.strip() or (outcome.error or {}).get("type", "")


def test_data_can_be_read_and_a_class_in_it_cannot(contained):
    data = contained.data
    assert _status(contained, f"print(open('{data}/corpus.txt').read())") == ("ok", "words")
    for act in (f"open('{data}/class/seed')", f"open('{data}/corpus.txt', 'a')"):
        status, kind = _status(contained, act)
        assert status == "error" and kind in ("PermissionError", "FileNotFoundError", "OSError")
    assert (data / "class" / "seed").read_text() == "secret"


def test_modules_that_were_not_loaded_yet_can_be_imported(contained):
    source = "import sqlite3, xml.dom.minidom, matplotlib.pyplot, nbformat; print('ok')"
    assert _status(contained, source) == ("ok", "ok")


def test_root_becomes_nobody_and_keeps_no_privilege(contained):
    source = "import os\nprint(os.getresuid(), os.getgroups())"
    user = jail.NOBODY if os.geteuid() == 0 else os.geteuid()
    status, said = _status(contained, source)
    assert status == "ok" and said.startswith(f"({user}, {user}, {user})")
    status, said = _status(contained, "print(open('/proc/self/status').read())")
    lines = dict(line.split(":\t") for line in said.splitlines() if ":\t" in line)
    assert lines["NoNewPrivs"] == "1" and lines["Seccomp"] == "2"
    # The right to read an environment in root's home is the only one that can be left.
    assert int(lines["CapEff"], 16) & ~(1 << 2) == 0 and int(lines["CapBnd"], 16) == 0


def test_scratch_space_is_there_private_and_bounded(contained):
    good = "open('a', 'wb').write(bytes(10**6))\nimport os, tempfile\nprint(os.listdir('.'))"
    assert _status(contained, good) == ("ok", "['a']")
    assert _status(contained, "import os\nprint(os.listdir('.'))") == ("ok", "[]")
    filling = """
import os, time
for number in range(100):
    with open(f"part{number}", "wb") as file:
        file.write(os.urandom(2**20))
time.sleep(5)
"""
    status, kind = _status(contained, filling)
    assert (status, kind) in (("error", "OSError"), ("died", "disk"))
    many = """
import os, time
for number in range(30_000):
    open(f"f{number}", "w").close()
time.sleep(5)
"""
    status, kind = _status(contained, many)
    assert (status, kind) in (("error", "OSError"), ("died", "disk"))


def test_threads_and_programs_of_the_systems_work(contained):
    source = """
import subprocess, threading
thread = threading.Thread(target=print, args=("thread",))
thread.start()
thread.join()
print(subprocess.run(["/bin/echo", "program"], capture_output=True, text=True).stdout)
"""
    assert _status(contained, source) == ("ok", "thread\nprogram")


def test_a_jail_that_fails_is_the_machines_fault_and_nobody_scores_0(contained, monkeypatch):
    """The warm process is told to confine with a limit that the kernel cannot accept."""
    monkeypatch.setattr(contained, "limits", Limits(memory_mb=2**60))
    with contained.spawn() as child, pytest.raises(SandboxError, match="could not be confined"):
        child.run_cell("x = 1", "cell")


def test_a_students_process_learns_nothing_about_the_class(contained):
    source = "print(open('/proc/self/cmdline').read(), open('/proc/self/environ').read())"
    status, said = _status(contained, source)
    assert status == "ok" and "zygote" in said
    for private in (
        str(contained.data),
        str(contained.scratch / "warm.log"),
        os.getcwd() + "/tests",
    ):
        assert private not in said


def test_a_slow_machine_does_not_cost_the_better_tier(tmp_path):
    """The process that made the namespaces may end while the trial in them is still busy."""
    script = """
import os, sys, time
from autograder.sandbox import jail, keeper, kernel, landlock, visible
kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # as the warm process is
leave, restrict = os._exit, landlock.restrict
def late(code):
    time.sleep(0.2)
    leave(code)
def slow(rules):
    time.sleep(0.6)
    restrict(rules)
os._exit, landlock.restrict = late, slow
print(keeper.trial(jail.plan("namespaces", visible.environment()), sys.argv[1]) or "works")
"""
    tmp_path.chmod(0o711)
    (tmp_path / "root").mkdir()
    command = [sys.executable, "-c", script, str(tmp_path / "root")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    if "not permitted" in done.stdout:
        pytest.skip(done.stdout)
    assert done.stdout == "works\n"
