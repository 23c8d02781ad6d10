"""The yardstick of every speed: how many operations a second a bare matrix product reaches here."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

from bert_keras.errors import UserError

DTYPES = ("float32", "bfloat16", "float16")

# (rows, inner, columns): square, and one as tall as a batch of tokens against a wide kernel.
_ON_PROCESSORS = ((1024, 1024, 1024), (2048, 2048, 2048), (2048, 768, 3072))
_ON_ACCELERATORS = ((4096, 4096, 4096), (8192, 8192, 8192), (16384, 4096, 4096))
_RUN = 0.02  # seconds


class GemmError(UserError):
    """The product cannot be measured as asked; the message is one line."""


def matmul_peak(dtype: str = "float32", seconds: float = 1.0) -> float:
    """Measure the fastest matrix product of the current Keras backend on its default device.

    Several shapes are compiled, warmed up and repeated; the best repetition of the best shape
    counts, because everything else that a machine does can only make a product slower. On
    TensorFlow both its own kernels and XLA's are tried.

    Args:
        dtype: "float32", "bfloat16" or "float16"; a policy such as "mixed_bfloat16" means the
            type that it computes in.
        seconds: about how long to measure in all, without compilation.

    Returns:
        float: operations per second, one multiplication or one addition being one operation.

    Raises:
        GemmError: another dtype, or a time that is not positive.
    """
    kind = dtype.removeprefix("mixed_")
    if kind not in DTYPES:
        raise GemmError(f"a matrix product can be timed in {', '.join(DTYPES)}, not in {dtype!r}")
    if not seconds > 0:
        raise GemmError(f"a matrix product cannot be timed in {seconds} seconds")
    import keras

    shapes = _ON_ACCELERATORS if _has_accelerator() else _ON_PROCESSORS
    variants = _compilers(keras.backend.backend())
    share = seconds / (len(shapes) * len(variants))
    best = 0.0
    for rows, inner, columns in shapes:
        left, right = _random((rows, inner), kind), _random((inner, columns), kind)
        operations = 2 * rows * inner * columns
        for compiled in variants:
            product = compiled(keras.ops.matmul)
            best = max(best, operations / _fastest(functools.partial(product, left, right), share))
    return best


def _random(shape: tuple[int, int], dtype: str):
    import keras

    return keras.ops.cast(keras.random.uniform(shape, -1, 1, seed=1), dtype)


def _fastest(product: Callable, seconds: float) -> float:
    """Seconds of one product in the quickest of many short runs.

    Short, so that some of them find the machine undisturbed; not so short that starting the
    work on an accelerator would count.
    """
    _force(product())  # compiles
    best = _timed(product, 1)
    repeats = max(1, round(_RUN / best))
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        best = min(best, _timed(product, repeats) / repeats)
    return best


def _timed(product: Callable, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        result = product()
    _force(result)  # accelerators work in order, so the last result comes after all others
    return time.perf_counter() - start


def _force(result) -> float:
    """Wait for a result by reading one number of it."""
    import keras

    return float(keras.ops.convert_to_numpy(keras.ops.cast(result[0, 0], "float32")))


def _compilers(backend: str) -> list[Callable]:
    """What turns a function into a compiled one; several where it is not known which is best."""
    if backend == "tensorflow":
        import tensorflow as tf

        def traced(function, jit):
            compiled = tf.function(function, jit_compile=jit)
            # A concrete function: calls of the other kind are counted as retracing, and warned of.
            return lambda left, right: compiled.get_concrete_function(left, right)(left, right)

        return [functools.partial(traced, jit=jit) for jit in (False, True)]
    if backend == "jax":
        import jax

        return [jax.jit]
    return [lambda function: function]  # PyTorch and NumPy call their library right away


def _has_accelerator() -> bool:
    import keras

    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        return any(device.device_type != "CPU" for device in tf.config.list_logical_devices())
    if backend == "jax":
        import jax

        return jax.default_backend() != "cpu"
    if backend == "torch":
        import torch

        return torch.cuda.is_available()
    return False
