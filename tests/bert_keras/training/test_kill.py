"""A run killed by the system, with no chance to clean up, goes on as if it had not been."""

import json
import signal
import subprocess
import sys
import time

import numpy as np

STEPS, EVERY = 150, 15


def command(config, overrides, folder, *more):
    settings = [*overrides, f"run.directory={folder}", f"training.steps={STEPS}"]
    settings += [f"training.checkpoint_every={EVERY}", "training.log_every=1"]
    arguments = [part for setting in settings for part in ("--set", setting)]
    return [sys.executable, "-m", "bert_keras", "pretrain", str(config), *arguments, *more]


def killed_after_first_checkpoint(argv, folder):
    """Start the run and send it SIGKILL at some moment after its first checkpoint."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while not (folder / "checkpoint.npz").exists() and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        assert process.poll() is None, "it ended before it could be killed: give it more steps"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (folder / "run.json").exists()


def test_sigkill_and_resume_give_the_identical_losses_and_weights(
    prepared, overrides, empty_config, tmp_path
):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    killed_after_first_checkpoint(command(empty_config, overrides, broken), broken)
    records = []
    for folder, more in ((whole, ()), (broken, ("--resume",))):
        argv = command(empty_config, overrides, folder, *more, "--json")
        done = subprocess.run(argv, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr[-500:]
        records.append(json.loads(done.stdout))
    resumed_at = records[1]["resumed_at_step"]
    assert EVERY <= resumed_at < STEPS and records[0]["resumed_at_step"] is None
    losses = [[row["loss"] for row in record["history"]] for record in records]
    assert len(losses[0]) == STEPS
    assert losses[0][resumed_at] == losses[1][resumed_at], "the next loss"
    assert losses[0] == losses[1]
    with np.load(whole / "checkpoint.npz") as a, np.load(broken / "checkpoint.npz") as b:
        assert a.files == b.files
        assert [name for name in a.files if not np.array_equal(a[name], b[name])] == []
