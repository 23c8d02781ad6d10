"""The whole of a pretraining on JAX, where the loop does not wait for the device."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
import numpy as np
from bert_keras.training import checkpoints, config, loop, pretrain, sections

loop.on_processor = lambda: False  # as on an accelerator
folder, empty, *changes = sys.argv[1:]


def run(name, *more, resume=False):
    chosen = [*changes, f"run.directory={folder}/{name}", *more]
    settings = config.load(sections.PretrainConfig, empty, chosen)
    return pretrain.pretrain(settings, resume=resume)


class Killed(Exception):
    pass


def killed(*arguments, **options):
    for stretch in whole(*arguments, **options):
        yield stretch
        if stretch.step == 8:
            raise Killed


first = run("whole")
whole, loop.stretches = loop.stretches, killed
try:
    run("broken")
except Killed:
    loop.stretches = whole
second = run("broken", resume=True)
assert second["resumed_at_step"] == 6, second["resumed_at_step"]
assert first["history"] == second["history"], (first["history"], second["history"])
paths = [f"{folder}/{name}/checkpoint.npz" for name in ("whole", "broken")]
with np.load(paths[0]) as a, np.load(paths[1]) as b:
    assert a.files == b.files
    different = [n for n in a.files if n != "progress" and not np.array_equal(a[n], b[n])]
    assert different == [], different
    scales = [a[n] for n in a.files if n.endswith("dynamic_scale")]
assert len(scales) == 1 and first["history"][-1]["loss_scale"] == float(scales[0])
try:
    run("bad", "optimizer.learning_rate=1e30", "optimizer.clip_norm=0", "training.log_every=12")
except loop.NonFiniteLossError as error:
    print("stopped:", error)
"""


@pytest.mark.slow
def test_kill_resume_and_a_bad_loss_without_waiting_for_the_device(
    prepared, overrides, empty_config, tmp_path
):
    pytest.importorskip("jax")
    changes = [
        *overrides,
        "optimizer.name=lamb",
        "training.steps=12",
        "training.gradient_accumulation=2",
        "training.precision=mixed_float16",
        "training.checkpoint_every=6",
        "training.log_every=4",
        "training.jit_compile=true",
    ]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), str(empty_config), *changes],
        capture_output=True,
        text=True,
        env={**os.environ, "KERAS_BACKEND": "jax"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "stopped: the loss is not finite at step" in done.stdout
    assert not (tmp_path / "bad" / "checkpoint.npz").exists()
