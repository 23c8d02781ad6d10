"""Which wheels of the lock a system and a Python need, and how to fetch them for another system.

pip evaluates the markers of a lock for the machine that it runs on, also where it is told to
download for another one, so markers are evaluated here and pip gets exact names and versions.
"""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

PYTHONS = ("3.11", "3.12", "3.13")
# What environment.yml installs as well: notebooks, checking, tests, the packages that notebooks
# compare with. Grading on a cluster and other backends need a network anyway.
EXTRAS = ("lab", "dev", "kerashub")


class BundleError(Exception):
    """The bundle cannot be made or is not whole; the message is one line saying what to do."""


@dataclass(frozen=True)
class Target:
    """A system and a Python that a bundle is for.

    Args:
        system: "linux", "macos" or "windows".
        machine: "x86_64" or "arm64"; for Linux on ARM "aarch64".
        python: such as "3.12".
    """

    system: str
    machine: str
    python: str

    @property
    def name(self) -> str:
        return f"{self.system}-{self.machine}-py{self.python}"

    @property
    def is_here(self) -> bool:
        return self == here()

    def environments(self) -> list[dict[str, str]]:
        """What markers are evaluated against: the first patch release of this Python and the last.

        Some packages ask for "3.11.5 or newer", and Debian 12 has 3.11.2: a bundle serves both.
        """
        names = {
            "linux": ("posix", "linux", "Linux"),
            "macos": ("posix", "darwin", "Darwin"),
            "windows": ("nt", "win32", "Windows"),
        }[self.system]
        machine = {"windows": "AMD64"}.get(self.system, self.machine)
        common = dict(default_environment()) | {
            "os_name": names[0],
            "sys_platform": names[1],
            "platform_system": names[2],
            "platform_machine": machine,
            "python_version": self.python,
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "extra": "",
        }
        patches = (f"{self.python}.0", f"{self.python}.99")
        return [
            common | {"python_full_version": full, "implementation_version": full}
            for full in patches
        ]

    def pip_arguments(self) -> list[str]:
        """What tells `pip download` to fetch for this target; nothing where it is this machine."""
        if self.is_here:
            return []
        arguments = ["--python-version", self.python, "--implementation", "cp"]
        for tag in _PLATFORMS[self.system, self.machine]:
            arguments += ["--platform", tag]
        return arguments


def _manylinux(machine: str) -> list[str]:
    """Tags for a C library of 2.34 (Ubuntu 22.04, Debian 12) or newer; pip derives none from it."""
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(34, 16, -1)]
    return [*tags, f"manylinux2014_{machine}", f"manylinux2010_{machine}", f"manylinux1_{machine}"]


# The oldest system that TensorFlow's wheels run on; pip adds older macOS by itself.
_PLATFORMS = {
    ("linux", "x86_64"): _manylinux("x86_64"),
    ("linux", "aarch64"): _manylinux("aarch64"),
    ("macos", "arm64"): ["macosx_14_0_arm64"],
    ("windows", "x86_64"): ["win_amd64"],
}
_NO_TENSORFLOW = (
    "TensorFlow 2.21 has no wheel for {}: use Colab, Kaggle or Binder, or the container of "
    "tools/container (docs/getting-started.md)"
)


def here() -> Target:
    """The target that this Python runs on."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower().replace("amd64", "x86_64")
    return Target(system, machine, f"{sys.version_info[0]}.{sys.version_info[1]}")


def target(system: str | None, machine: str | None = None, python: str | None = None) -> Target:
    """The target that the words of a command line mean.

    Args:
        system: "linux", "macos" or "windows"; None is this one.
        machine: its processor; None is this one's, for another system the usual one.
        python: "3.11", "3.12" or "3.13"; None is this one.

    Raises:
        BundleError: TensorFlow has no wheels for it, or nothing of that name exists.
    """
    own = here()
    system = system or own.system
    usual = {"linux": "x86_64", "macos": "arm64", "windows": "x86_64"}
    if system not in usual:
        raise BundleError(f"no system {system!r}; there are {', '.join(sorted(usual))}")
    machine = machine or (own.machine if system == own.system else usual[system])
    if (system, machine) not in _PLATFORMS:
        raise BundleError(_NO_TENSORFLOW.format(f"{system} on {machine}"))
    python = python or own.python
    if python not in PYTHONS:
        raise BundleError(f"no Python {python!r} in this course; there are {', '.join(PYTHONS)}")
    return Target(system, machine, python)


@dataclass(frozen=True, order=True)
class Pin:
    """One package of the lock.

    Args:
        name: as package indexes write it.
        version: exact.
        marker: where it does not hold for every patch release of the target's Python.
    """

    name: str
    version: str
    marker: str = ""

    @property
    def line(self) -> str:
        """What pip is told."""
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")


def _holds(requirement: Requirement, environments: list[dict], extra: str = "") -> list[bool]:
    marker = requirement.marker
    return [marker is None or marker.evaluate(one | {"extra": extra}) for one in environments]


def locked(lock: str, for_target: Target) -> dict[str, list[Pin]]:
    """The lines of a lock that hold for a target, by package.

    Args:
        lock: text of requirements.lock.
        for_target: Target.

    Raises:
        BundleError: a line pins no version.
    """
    found: dict[str, list[Pin]] = {}
    for line in lock.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        requirement = Requirement(line)
        versions = [one.version for one in requirement.specifier if one.operator == "=="]
        if len(versions) != 1:
            raise BundleError(f"requirements.lock pins no version in {line!r}: run make lock")
        holds = _holds(requirement, for_target.environments())
        if any(holds):
            name = canonicalize_name(requirement.name)
            marker = "" if all(holds) else str(requirement.marker)
            found.setdefault(name, []).append(Pin(name, versions[0], marker))
    return found


def needed(
    pyproject: Path, lock: str, for_target: Target, extras: tuple[str, ...] = EXTRAS
) -> list[Pin]:
    """What the project and some of its extras need on a target.

    Follows the requirements of what is installed here. A package that only the target has, such as
    `pywinpty`, brings nothing along that the lock would not name anyway.

    Args:
        pyproject: path of pyproject.toml.
        lock: text of requirements.lock.
        for_target: Target.
        extras: names of extras in pyproject.toml.

    Returns:
        list of Pin, in order.

    Raises:
        BundleError: no such extra, or something that is needed is missing from the lock.
    """
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    known = project["optional-dependencies"]
    for extra in extras:
        if extra not in known:
            raise BundleError(f"no extra {extra!r} in pyproject.toml; there are {', '.join(known)}")
    pins, environments = locked(lock, for_target), for_target.environments()
    waiting = [Requirement(r) for r in project["dependencies"]]
    waiting += [Requirement(r) for extra in extras for r in known[extra]]
    # The project itself is installed from its folder, which takes a build backend.
    waiting += [Requirement("setuptools"), Requirement("wheel")]
    found, seen = set(), set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            if name not in pins:
                raise BundleError(f"requirements.lock lacks {name}, which is needed: run make lock")
            found.update(pins[name])
            waiting += [one for one in _requirements(name) if any(_holds(one, environments, extra))]
    return sorted(found)


def _requirements(name: str) -> list[Requirement]:
    try:
        return [Requirement(r) for r in importlib.metadata.requires(name) or ()]
    except importlib.metadata.PackageNotFoundError:
        return []


def download(pins: list[Pin], for_target: Target, folder: Path) -> None:
    """Put the wheels of exact versions into a folder; those that lie there are kept.

    Args:
        pins: which.
        for_target: Target.
        folder: where; made if it is not there. For one target only.

    Raises:
        BundleError: pip could not have one of them; its own last line says why.
    """
    folder.mkdir(parents=True, exist_ok=True)
    there = {parse_wheel_filename(path.name)[:2] for path in folder.glob("*.whl")}
    wanted = [pin for pin in pins if (pin.name, Version(pin.version)) not in there]
    while wanted:
        # pip takes one version of a package at a time.
        now = list({pin.name: pin for pin in wanted}.values())
        wanted = [pin for pin in wanted if pin not in now]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--ignore-requires-python"]
        command += ["--only-binary", ":all:", *for_target.pip_arguments(), "--dest", str(folder)]
        command += [f"{pin.name}=={pin.version}" for pin in now]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            reason = (lines or done.stderr.splitlines() or ["pip gave no reason"])[-1]
            raise BundleError(f"the wheels for {for_target.name} could not be fetched: {reason}")
