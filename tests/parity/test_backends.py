"""TensorFlow, JAX and PyTorch compute the same: outputs, losses, and every gradient."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).with_name("backend_run.py")


BACKENDS = [b for b in ("tensorflow", "jax", "torch") if importlib.util.find_spec(b)]


def compute(folder, which):
    """Backend → what it computed; the processes run at the same time."""
    running, found = {}, {}
    try:
        for backend in BACKENDS:
            path = folder / f"{backend}.npz"
            quiet = {"KERAS_BACKEND": backend, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
            quiet["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"  # compiling is most of the work
            process = subprocess.Popen(
                [sys.executable, str(SCRIPT), str(path), which],
                env={**os.environ, **quiet},
                stderr=subprocess.PIPE,
                text=True,
            )
            running[backend] = (process, path)
        for backend, (process, path) in running.items():
            errors = process.communicate(timeout=1200)[1]
            assert process.returncode == 0, f"{backend}: {errors[-2000:]}"
            with np.load(path) as content:
                found[backend] = {name: content[name] for name in content.files}
            assert found[backend].pop("backend") == backend
    finally:
        for process, _ in running.values():
            process.kill()
    return found


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return compute(tmp_path_factory.mktemp("few"), "few")


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    return compute(tmp_path_factory.mktemp("all"), "all")


def assert_close(computed, other, gradients):
    first, second = computed["tensorflow"], computed[other]
    assert first.keys() == second.keys()
    kinds = {name.split("/")[1] for name in first}
    assert {"output", "loss", "gradient", "hidden_states", "attention_weights"} <= kinds
    assert sum("gradient" in name for name in first) > gradients
    furthest = {}
    for name, right in first.items():
        assert right.shape == second[name].shape, name
        # Absolute up to 1, relative above: a float32 of some hundreds has no digits left at 1e-5.
        difference = np.abs(right - second[name]) / np.maximum(1, np.abs(right))
        furthest[name] = difference.max()
    worst = max(furthest, key=furthest.get)
    print(f"tensorflow - {other}: {furthest[worst]:.1e} at most, in {worst}")
    assert furthest[worst] <= 1e-5, worst


@pytest.mark.parametrize("other", ["jax", "torch"])
def test_models_and_one_layer_of_each_kind(few, other):
    if not {"tensorflow", other} <= set(BACKENDS):
        pytest.skip(f"needs TensorFlow and {other}")
    assert_close(few, other, 60)


@pytest.mark.slow
@pytest.mark.parametrize("other", ["jax", "torch"])
def test_every_layer(everything, other):
    if not {"tensorflow", other} <= set(BACKENDS):
        pytest.skip(f"needs TensorFlow and {other}")
    assert_close(everything, other, 150)
