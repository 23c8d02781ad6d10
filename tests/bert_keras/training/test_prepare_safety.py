"""The same bytes however it is done: in processes, on a cluster, killed, damaged, disk full."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from prepare_kit import contents, paragraph_of

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.training import files, prepare, survey


@pytest.mark.parametrize("jobs", [2])
def test_any_number_of_processes_writes_the_same(run_prepare, small_pieces, jobs):
    one, first = run_prepare("one")
    many, second = run_prepare("many", jobs=jobs)
    assert len(first["shards"]) > 3 and first["checksum"] == second["checksum"]
    assert contents(one) == contents(many)
    assert second["jobs"] == jobs and second["megabytes"] == first["megabytes"] > 0


@pytest.mark.parametrize("processes", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_cluster_writes_the_same(run_prepare, small_pieces, tmp_path, processes):
    distributed = pytest.importorskip("distributed")
    from bert_keras.training.workers import Cluster

    one, _ = run_prepare("one")
    security = distributed.Security.temporary()
    paths = tmp_path / "cert.pem", tmp_path / "key.pem"
    for path, text in zip(
        paths, (security.tls_scheduler_cert, security.tls_scheduler_key), strict=True
    ):
        path.write_text(text)
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=processes,
        dashboard_address=None,
        security=security,
    ) as workers:
        assert workers.scheduler_address.startswith("tls://")
        cluster = Cluster(workers.scheduler_address, *paths, paths[0])
        many, result = run_prepare("many", cluster=cluster)
        assert result["jobs"] == 2 and contents(one) == contents(many)

        # What a worker cannot read is said in one line.
        def moved(piece, near):
            raise CorpusError("text.txt is not here")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(survey, "survey_piece", moved)
            if not processes:
                with pytest.raises(CorpusError, match=r"a worker of the cluster says: text.txt is"):
                    run_prepare("other", cluster=cluster)


def test_a_cluster_is_encrypted_or_here(tmp_path):
    from bert_keras.training.workers import Cluster

    with pytest.raises(CorpusError, match="takes tls://host:port"):
        Cluster("tcp://10.0.0.7:8786")
    with pytest.raises(CorpusError, match="takes tls://host:port"):
        Cluster("tcp://127.0.0.1.example.org:8786")
    with pytest.raises(CorpusError, match="--cluster-cert FILE too"):
        Cluster("tls://10.0.0.7:8786")
    with pytest.raises(CorpusError, match=r"--cluster-cert .*none.pem: there is no such file"):
        Cluster("tls://10.0.0.7:8786", tmp_path / "none.pem")
    assert Cluster("tcp://127.0.0.1:8786").ca is None


KINDS = (
    "vocab.txt",
    "dev-00001.ids.npy",
    "train-00003.lengths.npy",
    "train-00000.paragraph.npy",
    "test-00002.document.npy",
)


@pytest.mark.parametrize(
    ("name", "damage"),
    [(name, "changed") for name in KINDS] + [(KINDS[0], "missing"), (KINDS[1], "cut")],
)
def test_damage_is_named_and_mended(run_prepare, small_pieces, name, damage):
    folder, _ = run_prepare("d")
    before = contents(folder)
    prepare.load(folder)
    path = folder / name
    whole = path.read_bytes()
    stamps = {p.name: p.stat().st_mtime_ns for p in folder.iterdir()}
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(whole[:-1] if damage == "cut" else whole[:-1] + bytes([whole[-1] ^ 64]))
    reason = "is missing" if damage == "missing" else "is damaged"
    with pytest.raises(CorpusError, match=rf"{name} {reason}; run bert-keras prepare") as caught:
        prepare.load(folder)
    assert "\n" not in str(caught.value)
    _, result = run_prepare("d")
    assert not result["already_prepared"] and contents(folder) == before
    prepare.load(folder)
    # Only the damaged shard was made again.
    same = [p.name for p in folder.iterdir() if stamps.get(p.name) == p.stat().st_mtime_ns]
    number = name.split(".")[0].split("-")[-1]
    remade = {n for n in before if n not in same} - {"summary.json"}
    assert remade == ({"vocab.txt"} if name == "vocab.txt" else {n for n in before if number in n})


def test_a_damaged_summary_is_noticed_and_mended(run_prepare):
    folder, _ = run_prepare("d")
    before = contents(folder)
    text = (folder / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(text)
    summary["splits"]["train"]["tokens"] += 1
    for damaged, message in (
        (json.dumps(summary), r"summary.json is damaged; run bert-keras prepare again"),
        (text[:-20], "no prepared text"),
        ("[1]", "no prepared text"),
        ('{"format": 2, "settings": 7}', "summary.json is damaged"),
    ):
        (folder / "summary.json").write_text(damaged, encoding="utf-8")
        with pytest.raises(CorpusError, match=message):
            prepare.load(folder)
        run_prepare("d")
        assert prepare.load(folder) and contents(folder) == before
    with pytest.raises(CorpusError, match="no prepared text"):
        prepare.load(folder / "none")


def test_checksums_are_compared_once(run_prepare, monkeypatch):
    folder, _ = run_prepare("d")
    prepare.load(folder)

    def hashing(*_):
        raise AssertionError("read again")

    with monkeypatch.context() as patch:
        patch.setattr(files.hashlib, "file_digest", hashing)
        prepare.load(folder)
        os.utime(folder / "train-00000.ids.npy")
        with pytest.raises(AssertionError):
            prepare.load(folder)
    prepare.load(folder)


class Killed(BaseException):
    pass


def stop_at(monkeypatch, count, error):
    """Let the operation that makes a written file visible fail at its `count`th use."""
    left = [count]
    fsync = os.fsync

    def failing(descriptor):
        left[0] -= 1
        if left[0] == 0:
            raise error
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", failing)
    return left


@pytest.fixture
def writes(run_prepare, small_pieces, monkeypatch):
    """How many files an undisturbed preparation writes, and what it leaves."""
    with monkeypatch.context() as patch:
        left = stop_at(patch, 10**9, Killed())
        folder, _ = run_prepare("whole")
        return 10**9 - left[0], contents(folder)


def test_stopped_anywhere_it_goes_on(run_prepare, writes, monkeypatch, tmp_path):
    count, whole = writes
    assert count > 50
    kept = 0
    for stop in range(3, count, count // 6):
        folder = tmp_path / f"d{stop}"
        with monkeypatch.context() as patch:
            stop_at(patch, stop, Killed())
            with pytest.raises(Killed):
                run_prepare(folder.name)
        assert not folder.exists()
        work = tmp_path / f".{folder.name}.partial"
        shards = {p: p.stat().st_mtime_ns for p in work.glob("*-0000?.*.npy")}
        _, result = run_prepare(folder.name)
        assert contents(folder) == whole and not work.exists()
        journal_kept = [p for p, t in shards.items() if (folder / p.name).stat().st_mtime_ns == t]
        kept = max(kept, len(journal_kept))
        assert not result["already_prepared"]
    assert kept >= 24


def test_no_space_left_is_one_line_and_leaves_nothing_half_written(
    run_prepare, writes, monkeypatch, tmp_path
):
    count, whole = writes
    for stop in (1, count // 2, count - 1):
        with monkeypatch.context() as patch:
            stop_at(patch, stop, OSError(errno.ENOSPC, "No space left on device"))
            with pytest.raises(
                CorpusError, match=r"no space left for .*run the same command again"
            ):
                run_prepare(f"d{stop}")
        assert not (tmp_path / f"d{stop}").exists()
        assert list(tmp_path.glob(".*/.*.part")) == []
        assert contents(run_prepare(f"d{stop}")[0]) == whole


def test_two_at_once_do_not_mix(run_prepare, tmp_path):
    with (
        files.locked(tmp_path / "d"),
        pytest.raises(CorpusError, match="another process is preparing"),
    ):
        run_prepare("d")
    run_prepare("d")
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("times", [3, pytest.param(25, marks=pytest.mark.release)])
def test_sigkill_at_any_moment_and_the_rest_is_made(empty_config, tmp_path, times):
    rng = random.Random(times)
    lines = [paragraph_of(rng) for _ in range(24_000)]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines), encoding="utf-8")

    def command(name):
        settings = [f"data.path={path}", f"data.directory={tmp_path / name}"]
        words = [word for setting in settings for word in ("--set", setting)]
        program = [sys.executable, "-m", "bert_keras", "prepare", str(empty_config)]
        return [*program, *words, "--jobs", "2", "--json"]

    start = time.monotonic()
    done = subprocess.run(command("whole"), capture_output=True, text=True, timeout=300)
    duration = time.monotonic() - start
    assert done.returncode == 0, done.stderr[-500:]
    assert json.loads(done.stdout)["shards"] > 2
    for _ in range(times):
        process = subprocess.Popen(
            command("broken"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(rng.uniform(0.2, 0.9) * duration)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        if (tmp_path / "broken").exists():  # it is there as a whole or not at all
            prepare.load(tmp_path / "broken")
    done = subprocess.run(command("broken"), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-500:]
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    hidden = [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")]
    assert hidden == []
