"""Two processes train; one is killed. The other says so, and one process alone can go on."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from test_distribution import free_port

pytestmark = pytest.mark.slow
STEPS, EVERY = 60, 6


def command(config, overrides, folder, *more):
    settings = [*overrides, f"run.directory={folder}", f"training.steps={STEPS}"]
    settings += [f"training.checkpoint_every={EVERY}", "training.log_every=1"]
    settings += ["training.jit_compile=true", "model.dropout=0.0", "training.widths=1"]
    arguments = [part for setting in [*settings, *more] for part in ("--set", setting)]
    return [sys.executable, "-m", "bert_keras", "pretrain", str(config), *arguments]


ON_JAX = {"KERAS_BACKEND": "jax", "TF_CPP_MIN_LOG_LEVEL": "3"}


@pytest.mark.parametrize("victim", [1, 0])
def test_a_lost_process(prepared, overrides, empty_config, tmp_path, victim):
    pytest.importorskip("jax")
    folder, checkpoint = tmp_path / "broken", tmp_path / "broken" / "checkpoint.npz"
    together = ["distribution.strategy=data", "distribution.processes=2"]
    together.append(f"distribution.coordinator=127.0.0.1:{free_port()}")
    running = []
    try:
        for number in range(2):
            argv = command(
                empty_config, overrides, folder, *together, f"distribution.process={number}"
            )
            pipe = subprocess.PIPE
            running.append(
                subprocess.Popen(argv, env=os.environ | ON_JAX, stdout=pipe, stderr=pipe, text=True)
            )
        deadline = time.monotonic() + 300
        while not checkpoint.exists():
            ended = [process for process in running if process.poll() is not None]
            assert not ended, ended[0].communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        running[victim].send_signal(signal.SIGKILL)
        killed = time.monotonic()
        survivor = running[1 - victim]
        _, errors = survivor.communicate(timeout=60)
        assert time.monotonic() - killed < 60
    finally:
        for process in running:
            process.kill()
            process.communicate()
    assert survivor.returncode == 2
    last = errors.strip().splitlines()[-1]
    assert last.startswith(f"bert-keras: process {victim} of 2 is gone") and "--resume" in last
    assert "Traceback" not in errors and not (folder / "run.json").exists()

    records = []
    for place, more in ((tmp_path / "whole", []), (folder, ["--resume"])):
        argv = [*command(empty_config, overrides, place), *more, "--json"]
        done = subprocess.run(argv, env=os.environ | ON_JAX, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        records.append(json.loads(done.stdout))
    resumed = records[1]
    assert EVERY <= resumed["resumed_at_step"] < STEPS
    losses = [[row["loss"] for row in record["history"]] for record in records]
    assert len(losses[0]) == STEPS
    # Two processes add the parts of a batch up in another order than one does.
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)
