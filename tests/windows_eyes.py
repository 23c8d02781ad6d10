"""Shows our own packages what Windows shows them, on any system.

Put into a folder that is first on PYTHONPATH as `sitecustomize.py`, it changes what `import` gives
to modules of `autograder` and `bert_keras`, in every process that is started: modules which only
POSIX has cannot be imported, `os`, `signal`, `select`, `socket` and `time` lack what Windows lacks,
and `os.name` and `sys.platform` say Windows. The standard library and other packages see what is
there, since theirs is the code that really differs on Windows.
"""

import builtins
import sys

OURS = ("autograder", "bert_keras", "__main__")
# Python's documentation: "Availability: Unix", or "not Windows", of 3.11.
NO_MODULES = {
    *("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix", "curses"),
    *("readline", "crypt", "spwd", "nis", "_posixsubprocess"),
}
NO_ATTRIBUTES = {
    "os": {
        *("fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getgroups", "getpgid"),
        *("getpgrp", "getsid", "setsid", "setuid", "setgid", "seteuid", "setegid", "setreuid"),
        *("setregid", "setresuid", "setresgid", "getresuid", "getresgid", "setgroups", "setpgid"),
        *("initgroups", "killpg", "nice", "getpriority", "setpriority", "sched_getaffinity"),
        *("sched_setaffinity", "sched_yield", "wait", "wait3", "wait4", "waitid", "WNOHANG"),
        *("WIFEXITED", "WIFSIGNALED", "WEXITSTATUS", "WTERMSIG", "WCOREDUMP", "WSTOPSIG"),
        *("mkfifo", "mknod", "makedev", "major", "minor", "chown", "lchown", "fchown", "fchmod"),
        *("chroot", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_DIRECTORY", "O_SYNC"),
        *("O_PATH", "O_TMPFILE", "pipe2", "openpty", "ttyname", "uname", "sysconf", "confstr"),
        *("getloadavg", "statvfs", "fstatvfs", "fdatasync", "posix_spawn", "posix_spawnp"),
        *("posix_fadvise", "posix_fallocate", "pread", "pwrite", "preadv", "pwritev", "sendfile"),
        *("readv", "writev", "set_blocking", "get_blocking", "memfd_create", "pidfd_open", "sync"),
        *("splice", "lockf", "getxattr", "setxattr", "listxattr", "removexattr", "ctermid"),
        *("register_at_fork", "tcgetpgrp", "tcsetpgrp", "pathconf", "fpathconf", "environb"),
        *("getenvb", "fchdir", "eventfd", "login_tty", "unshare", "setns", "copy_file_range"),
    },
    "signal": {
        *("SIGALRM", "SIGKILL", "SIGHUP", "SIGCHLD", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT"),
        *("SIGPIPE", "SIGQUIT", "SIGTSTP", "SIGXCPU", "SIGXFSZ", "alarm", "setitimer", "getitimer"),
        *("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF", "pthread_kill", "pthread_sigmask"),
        *("sigpending", "sigwait", "sigwaitinfo", "sigtimedwait", "siginterrupt", "pause"),
        *("pidfd_send_signal", "SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK"),
    },
    "select": {"poll", "epoll", "kqueue"},
    "socket": {"AF_UNIX", "socketpair_unix", "send_fds", "recv_fds", "SCM_RIGHTS"},
    "time": {"tzset", "pthread_getcpuclockid", "clock_gettime", "CLOCK_MONOTONIC"},
    "sys": set(),
}
OTHER_VALUES = {
    "os": {"name": "nt", "O_BINARY": 0},
    "sys": {"platform": "win32"},
}
missing = []  # what was asked for in vain, for a test to see


class Eyes:
    """A module as it looks on Windows; everything else is passed on, assignments too."""

    def __init__(self, module):
        object.__setattr__(self, "_module", module)

    def __getattr__(self, name):
        module = object.__getattribute__(self, "_module")
        if name in NO_ATTRIBUTES[module.__name__]:
            missing.append(f"{module.__name__}.{name}")
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} (Windows)")
        others = OTHER_VALUES.get(module.__name__, {})
        return others[name] if name in others else getattr(module, name)

    def __setattr__(self, name, value):
        setattr(object.__getattribute__(self, "_module"), name, value)

    def __dir__(self):
        module = object.__getattribute__(self, "_module")
        return [name for name in dir(module) if name not in NO_ATTRIBUTES[module.__name__]]


_import = builtins.__import__


def _look(name, globals=None, locals=None, fromlist=(), level=0):
    asking = (globals or {}).get("__name__", "").split(".")[0]
    if asking not in OURS or level:
        return _import(name, globals, locals, fromlist, level)
    if name in NO_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} (Windows)", name=name)
    module = _import(name, globals, locals, fromlist, level)
    return Eyes(module) if name in NO_ATTRIBUTES else module


builtins.__import__ = _look
sys.windows_eyes = missing
