"""Bare matrix products in a process of their own, so that their memory is nobody's."""

from __future__ import annotations

import time

import numpy as np

from bert_keras.bench.work import Work


class KerasProducts:
    """Products by the Keras backend, and by NumPy where it knows the type.

    Args:
        work: not used; workers are all built alike.
        dtype: type or policy.
    """

    parameters = 0

    def __init__(self, work: Work | None, dtype: str):
        import keras

        self.dtype, self.about = dtype, f"Keras on {keras.backend.backend()}"

    def run(self, steps: int) -> float:
        """Measure.

        Args:
            steps: int, seconds.

        Returns:
            float: operations per second.
        """
        from bert_keras.bench.gemm import matmul_peak

        best = matmul_peak(self.dtype, steps)
        if self.dtype == "float32":
            array = np.random.default_rng(1).random((2048, 2048), dtype=np.float32)
            best = max(best, _best(lambda: array @ array, steps / 2))
        return best


class TorchProducts:
    """Products by PyTorch.

    Args:
        work: not used; workers are all built alike.
        dtype: type or policy.
    """

    parameters = 0

    def __init__(self, work: Work | None, dtype: str):
        import torch

        self.about = f"PyTorch {torch.__version__}"
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.kind = getattr(torch, dtype.removeprefix("mixed_"))

    def run(self, steps: int) -> float:
        """Measure.

        Args:
            steps: int, seconds.

        Returns:
            float: operations per second.
        """
        import torch

        array = torch.rand(2048, 2048, device=self.device).to(self.kind)  # (n, n)
        return _best(lambda: float((array @ array)[0, 0]), steps)


def _best(product, seconds: float) -> float:
    """Operations per second of the quickest of many products of two (2048, 2048) matrices."""
    product()
    fastest, until = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.perf_counter()
        product()
        fastest = min(fastest, time.perf_counter() - start)
    return 2 * 2048**3 / fastest
