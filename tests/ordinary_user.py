"""Runs a command as an ordinary user, also where the tests run as root with a private Python.

Root's Python often lies in a folder that nobody else may enter. Then the command gets a mount
namespace of its own, in which that folder holds nothing but the Python; the machine itself does not
change, and the namespace is gone when the command ends.
"""

import contextlib
import functools
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.sandbox.removal import remove

# No account and no other process has it, so a limit per user counts this command alone.
USER = 60001
ROOT = Path(__file__).resolve().parents[1]

# "$@": the user, how many pairs follow, pairs of a closed folder and a tree to show in it, then the
# command. All trees are held open first and bound from their descriptors, since mounting on the
# folder hides them.
_SCRIPT = """
set -eu
umask 022
user=$1 pairs=$2; shift 2
first=$((10 - pairs)) last=9 number=$first seen=
for argument; do
  [ "$number" -le "$last" ] || break
  if [ -z "$seen" ]; then seen=folder; continue; fi
  eval "exec $number<\\"\\$argument\\""
  seen= number=$((number + 1))
done
number=$first covered=:
while [ "$number" -le "$last" ]; do
  closed=$1 tree=$2; shift 2
  case "$covered" in
    *":$closed:"*) ;;
    *) mount -t tmpfs -o mode=755,size=1m tmpfs "$closed"; covered="$covered$closed:" ;;
  esac
  mkdir -p "$tree"
  mount -c --bind "/proc/self/fd/$number" "$tree"
  eval "exec $number<&-"
  number=$((number + 1))
done
exec setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all -- "$@"
"""
MOST_TREES = 7  # a shell names descriptors with one digit


def command_as_ordinary_user(argv: list[str]) -> list[str]:
    """The command that runs `argv` without any privilege; `argv` itself where we have none.

    Args:
        argv: A command; a Python of this environment and files of this repository can be read.

    Returns:
        The longer command. Ask `why_not` first. Its environment is the caller's: see
        `environment`.
    """
    if os.geteuid() != 0:
        return list(argv)
    pairs = [str(part) for pair in _hidden_trees() for part in pair]
    command = ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", _SCRIPT, "sh"]
    return [*command, str(USER), str(len(pairs) // 2), *pairs, *argv]


def environment(home: Path) -> dict[str, str]:
    """This process's environment as that user would have it, with a home of its own."""
    own = {"HOME": str(home), "USER": "student", "LOGNAME": "student", "TMPDIR": str(home)}
    return {**os.environ, **own, "PYTHONDONTWRITEBYTECODE": "1"}


@contextlib.contextmanager
def home_of_ordinary_user(given: bool = True):
    """A new folder that goes when the block ends.

    Args:
        given: Whether it belongs to that user, and not to the one who runs the tests.
    """
    folder = Path(tempfile.mkdtemp(prefix="ordinary-user-"))
    try:
        if given and os.geteuid() == 0:
            os.chown(folder, USER, USER)
        yield folder
    finally:
        remove(str(folder))


@functools.cache
def why_not() -> str:
    """Why no command can be run as an ordinary user here; "" where it can."""
    if sys.platform != "linux":
        return "only on Linux"
    if os.geteuid() != 0:
        return ""
    missing = [name for name in ("unshare", "setpriv", "mount", "sh") if not shutil.which(name)]
    if missing:
        return f"running as root without {', '.join(missing)}"
    if len(_hidden_trees()) > MOST_TREES:
        return "too many folders that only root may enter"
    check = "import os, autograder.messages; print(os.geteuid(), open('/proc/self/status').read())"
    command = command_as_ordinary_user([sys.executable, "-c", check])
    try:
        done = subprocess.run(
            command, cwd="/", env=environment(Path("/")), capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{type(error).__name__}: {error}"
    if done.returncode or not done.stdout.startswith(f"{USER} "):
        return (done.stderr.strip().splitlines() or ["the command did not run"])[-1]
    return "" if "CapEff:\t0000000000000000" in done.stdout else "privileges were left"


def _hidden_trees() -> list[tuple[Path, Path]]:
    """Pairs of a folder that only root may enter and a tree below it that Python needs."""
    prefixes = {Path(sys.base_prefix), Path(sys.prefix), Path(sys.executable).resolve().parents[1]}
    needed = {path.resolve() for path in (*prefixes, ROOT)}
    pairs = []
    for tree in sorted(needed):
        if any(tree != other and tree.is_relative_to(other) for other in needed):
            continue
        closed = [p for p in reversed(tree.parents) if not p.stat().st_mode & stat.S_IXOTH]
        if closed:
            pairs.append((closed[0], tree))
    return pairs
