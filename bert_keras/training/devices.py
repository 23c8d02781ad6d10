"""What a run computes on, and in which precision."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Any

import keras

from bert_keras.errors import UserError

PRECISIONS = ("float32", "mixed_bfloat16", "mixed_float16")


class DeviceError(UserError):
    """This machine or backend cannot do what was asked; the message is one line."""


def describe() -> dict[str, Any]:
    """Backend, its version, devices and processor count, for the run record."""
    backend = keras.backend.backend()
    return {
        "backend": backend,
        "backend_version": _backend_version(backend),
        "devices": [str(name) for name in _devices(backend)],
        "processors": usable_processors(),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def usable_processors() -> int:
    """Processors this process may use, which in a container can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Parameters of glibc's mallopt, from its malloc.h.
_TRIM_THRESHOLD, _MMAP_MAX = -1, -4


def tune_process() -> bool:
    """Let the process keep what it frees instead of returning it to the system at once.

    A training step allocates and frees its temporary arrays anew; without this every one of them
    comes back as pages of zeros that the system has to find and clear, thousands in a step.
    It makes a difference for the C library of Linux only; elsewhere nothing happens.

    Returns:
        Whether it was done.
    """
    if platform.system() != "Linux" or platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_MMAP_MAX, 0) and mallopt(_TRIM_THRESHOLD, 2**31 - 1))


def set_precision(name: str) -> None:
    """Choose the dtype policy for layers created from here on.

    Args:
        name: "float32", "mixed_bfloat16" or "mixed_float16".

    Raises:
        DeviceError: another name.
    """
    if name not in PRECISIONS:
        raise DeviceError(f"precision must be one of {', '.join(PRECISIONS)}, not {name!r}")
    keras.config.set_dtype_policy(name)


def _backend_version(backend: str) -> str:
    if backend == "tensorflow":
        import tensorflow

        return tensorflow.__version__
    if backend == "jax":
        import jax

        return jax.__version__
    return "unknown"


def _devices(backend: str) -> list[Any]:
    if backend == "tensorflow":
        import tensorflow

        return [device.name for device in tensorflow.config.list_logical_devices()]
    if backend == "jax":
        import jax

        return list(jax.devices())
    return []
