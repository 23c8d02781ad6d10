import subprocess
import sys

import numpy as np
import pytest

from bert_keras.bench import gemm


def test_operations_a_second_by_arithmetic(monkeypatch):
    shapes = ((8, 8, 8), (64, 32, 16))
    monkeypatch.setattr(gemm, "_ON_PROCESSORS", shapes)
    monkeypatch.setattr(gemm, "_has_accelerator", lambda: False)
    monkeypatch.setattr(gemm, "_compilers", lambda backend: [lambda f: f, lambda f: f])
    seen = []

    def fastest(product, seconds):
        seen.append((product().shape, seconds))
        return 0.5

    monkeypatch.setattr(gemm, "_fastest", fastest)
    assert gemm.matmul_peak("mixed_bfloat16", seconds=2.0) == 2 * 64 * 32 * 16 / 0.5
    assert seen == [((8, 8), 0.5), ((8, 8), 0.5), ((64, 16), 0.5), ((64, 16), 0.5)]


def test_the_quickest_run_counts_and_the_first_one_only_compiles(monkeypatch):
    calls, clock = [], [0.0]
    # Compiling takes 9 s; then products take 2, 1, 3, 2, … s.
    times = [9.0, 2.0, 1.0, 3.0, 2.0, 2.0, 2.0]
    monkeypatch.setattr(gemm.time, "perf_counter", lambda: clock[0])

    def product():
        clock[0] += times[len(calls)]
        calls.append(1)
        return np.ones((1, 1), "float32")

    assert gemm._fastest(product, seconds=5.0) == 1.0
    assert len(calls) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dtype": "int8"}, "float32, bfloat16, float16, not in 'int8'"),
        ({"seconds": 0}, "in 0 seconds"),
        ({"seconds": float("nan")}, "in nan seconds"),
    ],
)
def test_what_cannot_be_timed(arguments, message):
    with pytest.raises(gemm.GemmError, match=message):
        gemm.matmul_peak(**arguments)


def test_a_real_product_is_neither_free_nor_endless():
    # One core of any machine of this century does a billion a second; none does 10^16.
    assert 1e9 < gemm.matmul_peak(seconds=0.05) < 1e16


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_on_the_other_backends(backend):
    pytest.importorskip(backend)
    code = "from bert_keras.bench.gemm import matmul_peak; print(matmul_peak(seconds=0.1))"
    command = ["env", f"KERAS_BACKEND={backend}", sys.executable, "-c", code]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 1e9 < float(out.split()[-1]) < 1e16
