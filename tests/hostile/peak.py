"""The most memory that this process has had at once.

`getrusage` will not do: a program that was started by a large one inherits its record.
"""

from pathlib import Path


def peak_megabytes() -> int:
    """The record since the process began, or since `forget`."""
    return _status("VmHWM") // 1024


def now_megabytes() -> int:
    """What it has right now."""
    return _status("VmRSS") // 1024


def forget() -> None:
    """Starts a new record."""
    Path("/proc/self/clear_refs").write_text("5")


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
