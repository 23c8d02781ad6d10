"""A run killed by the system, with no chance to clean up, goes on as if it had not been."""

import json
import multiprocessing
import os
import random
import signal
import time

import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.training import checkpoints, record

# A process that has imported everything once and is copied for every run: that saves seconds each.
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["bert_keras.training.pretrain"])
STEPS, EVERY = 60, 4


def arguments(config, overrides, folder):
    settings = [
        *overrides,
        f"run.directory={folder}",
        f"training.steps={STEPS}",
        f"training.checkpoint_every={EVERY}",
        "training.log_every=3",
        "training.short_length=0",
        "training.evaluate_every=10",
        "training.dev_pairs=14",
        "training.patience=99",
    ]
    changes = [part for setting in settings for part in ("--set", setting)]
    return ["pretrain", str(config), "--json", *changes]


def quietly(argv):
    """The command, in a process of its own."""
    for descriptor in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    raise SystemExit(main(argv))


def started(argv):
    process = SERVER.Process(target=quietly, args=(argv,))
    process.start()
    return process


def finished(argv):
    process = started(argv)
    process.join(300)
    assert process.exitcode == 0
    return process


def seconds_of(folder):
    """How long the run took from its first file to its last."""
    times = [(folder / name).stat().st_mtime for name in ("config.toml", "run.json")]
    return times[1] - times[0]


@pytest.fixture(scope="module")
def whole(prepared, overrides, empty_config, tmp_path_factory):
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("kill") / "whole"
    finished(arguments(empty_config, overrides, folder))
    return folder


def killed(argv, folder, delay):
    """Start a run and kill it `delay` seconds after it has begun to write; False if it was done."""
    process = started(argv)
    mark = time.time()
    while process.is_alive():
        # A resumed run writes this file anew.
        if (folder / "config.toml").exists() and (folder / "config.toml").stat().st_mtime >= mark:
            break
        time.sleep(0.002)
    process.join(delay)
    alive = process.is_alive()
    if alive:
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert process.exitcode == -signal.SIGKILL
    return alive


def killed_often(whole, argv, folder, times, seed):
    rng, span, kills, more = random.Random(seed), seconds_of(whole), 0, []
    for _ in range(4 * times):
        if killed([*argv, *more], folder, rng.uniform(0, span)):
            kills += 1
            more = ["--resume"]
            if kills == times:
                return
        else:  # It was done already: from the start again, and sooner.
            more, span = ["--force"], span * 0.7
    raise AssertionError(f"only {kills} kills")


def same(whole, folder):
    records = [json.loads((f / "run.json").read_text(encoding="utf-8")) for f in (whole, folder)]
    assert records[0]["history"] == records[1]["history"]
    assert records[0]["held_out"] == records[1]["held_out"]
    assert records[0]["resumed_at_step"] is None and records[1]["resumed_at_step"] is not None
    with np.load(whole / "checkpoint.npz") as a, np.load(folder / "checkpoint.npz") as b:
        assert a.files == b.files
        names = [name for name in a.files if name != "progress"]
        assert [name for name in names if not np.array_equal(a[name], b[name])] == []
        states = [json.loads(bytes(file["progress"])) for file in (a, b)]
    for state in states:
        del state["speed"]
    assert states[0] == states[1] and states[0]["step"] == STEPS
    for name in ("backbone.json", "vocab.txt"):
        assert (whole / name).read_bytes() == (folder / name).read_bytes()
    assert not list(folder.glob(".*")), "half-written files were left"


@pytest.mark.parametrize(
    "times", [3, pytest.param(25, marks=[pytest.mark.release, pytest.mark.slow])]
)
def test_random_kills_leave_no_trace(whole, overrides, empty_config, tmp_path, times):
    folder = tmp_path / "run"
    argv = arguments(empty_config, overrides, folder)
    killed_often(whole, argv, folder, times, seed=times)
    finished([*argv, "--resume"])
    same(whole, folder)


def test_killed_in_the_middle_of_a_write(tmp_path):
    path = tmp_path / record.CHECKPOINT
    path.write_bytes(b"old")

    def half(file):
        file.write(b"ne")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        checkpoints.write_atomically(path, half)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir() if p != path] == [f".checkpoint.npz.{child}.tmp"]
