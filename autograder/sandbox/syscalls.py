"""Numbers of the system calls that a student's process may make, on x86-64 and on aarch64.

Each table maps a name to its numbers on the two machines; a call that a machine does not have is
left out there. What is in no table does not exist for a student's process. Reference: the kernel's
`arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
"""

from __future__ import annotations

MACHINES = ("x86_64", "aarch64")


def _table(text: str) -> dict[str, tuple[int | None, int | None]]:
    rows = (entry.split() for entry in text.replace("\n", " ").split(","))
    return {name: tuple(None if n == "-" else int(n) for n in numbers) for name, *numbers in rows}


# Reading, writing and copying between files that are open already.
DATA = _table("""
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69,
pwritev 296 70, preadv2 327 286, pwritev2 328 287, lseek 8 62, close 3 57, close_range 436 436,
dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, sendfile 40 71, splice 275 76,
tee 276 77, copy_file_range 326 285, fadvise64 221 223, readahead 187 213, fsync 74 82,
fdatasync 75 83, sync_file_range 277 84, fallocate 285 47, ftruncate 77 46, flock 73 32
""")
# Files by name; which ones is for Landlock and the mount namespace to say.
FILES = _table("""
access 21 -, faccessat 269 48, faccessat2 439 439, stat 4 -, fstat 5 80, lstat 6 -,
newfstatat 262 79, statx 332 291, statfs 137 43, fstatfs 138 44, getdents 78 -,
getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50, readlink 89 -, readlinkat 267 78,
creat 85 -, mkdir 83 -, mkdirat 258 34, rmdir 84 -, rename 82 -, renameat 264 38,
renameat2 316 276, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, unlink 87 -,
unlinkat 263 35, umask 95 166
""")
# Memory.
MEMORY = _table("""
brk 12 214, munmap 11 215, mremap 25 216, mprotect 10 226, madvise 28 233,
mincore 27 232, msync 26 227, mlock 149 228, mlock2 325 284, munlock 150 229,
membarrier 324 283, rseq 334 293, pkey_alloc 330 289, pkey_free 331 290, pkey_mprotect 329 288,
get_mempolicy 239 236, set_mempolicy 238 237, mbind 237 235
""")
# Processes and threads of its own.
PROCESSES = _table("""
fork 57 -, vfork 58 -, execve 59 221, exit 60 93, exit_group 231 94, wait4 61 260,
waitid 247 95, set_tid_address 218 96, set_robust_list 273 99, futex 202 98,
futex_waitv 449 449, getpid 39 172, gettid 186 178, getppid 110 173, getpgid 121 155,
getpgrp 111 -, getsid 124 156, setsid 112 157, setpgid 109 154, getuid 102 174,
geteuid 107 175, getgid 104 176, getegid 108 177, getresuid 118 148, getresgid 120 150,
getgroups 115 158, capget 125 90, prctl 157 167, arch_prctl 158 -, getrlimit 97 163,
setrlimit 160 164, getrusage 98 165, times 100 153, uname 63 160, sysinfo 99 179,
sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121,
sched_getscheduler 145 120, sched_get_priority_max 146 125, sched_get_priority_min 147 126,
getpriority 140 141, getcpu 309 168, restart_syscall 219 128
""")
# Signals that it handles or sends to itself.
SIGNALS = _table("""
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
rt_sigsuspend 130 133, rt_sigtimedwait 128 137, sigaltstack 131 132, pause 34 -, alarm 37 -,
getitimer 36 102, setitimer 38 103, signalfd 282 -, signalfd4 289 74
""")
# Waiting and time.
WAITING = _table("""
poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20,
epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -,
eventfd2 290 19, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113,
clock_getres 229 114, gettimeofday 96 169, time 201 -, timer_create 222 107,
timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111,
timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87, getrandom 318 278
""")
# Pairs of connected sockets, which lead nowhere outside.
PAIRS = _table("""
recvfrom 45 207, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209,
setsockopt 54 208
""")
# Calls whose arguments decide; see seccomp.py.
RULED = _table("""
open 2 -, openat 257 56, clone 56 220, kill 62 129, tgkill 234 131, tkill 200 130,
socketpair 53 199, sendto 44 206, prlimit64 302 261, ioctl 16 29, fcntl 72 25,
sched_setaffinity 203 122, mmap 9 222
""")
# Calls that seem to succeed and do nothing: libraries make them on the way to harmless ends, and
# Landlock says nothing about them.
PRETENDED = _table("""
chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, utime 132 -, utimes 235 -,
futimesat 261 -, utimensat 280 88
""")
ALLOWED = DATA | FILES | MEMORY | PROCESSES | SIGNALS | WAITING | PAIRS
# Named only to give a clearer answer than "no such call".
SOCKET = _table("socket 41 198")
REFUSED = _table("ptrace 101 117, mount 165 40, chroot 161 51, unshare 272 97, setns 308 268")


def numbers(table: dict[str, tuple[int | None, int | None]], machine: str) -> dict[str, int]:
    """The table for one machine.

    Raises:
        ValueError: for a machine that no filter is written for.
    """
    if machine not in MACHINES:
        raise ValueError(f"there is no filter for {machine}, only for {' and '.join(MACHINES)}")
    column = MACHINES.index(machine)
    found = {name: row[column] for name, row in table.items()}
    return {name: number for name, number in found.items() if number is not None}
