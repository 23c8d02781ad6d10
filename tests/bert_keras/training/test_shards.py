import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.training import files, survey
from bert_keras.training.shards import FlatArray, Sentences


def test_flat_arrays_across_files():
    parts = [np.arange(5), np.arange(0), np.arange(5, 12), np.arange(12, 13)]
    small = FlatArray([p.astype(np.uint16) for p in parts])
    assert len(small.parts) == 1
    large = FlatArray([])
    large.parts = [p for p in parts if len(p)]
    large.begin = np.array([0, 5, 12, 13])
    for flat in (small, large):
        assert len(flat) == 13
        for start in range(13):
            for stop in range(start, 14):
                assert flat[start:stop].tolist() == list(range(start, min(stop, 13)))
        places = np.array([[12, 0, 4], [5, 11, 3]])
        assert np.array_equal(flat[places], places)
    sentences = Sentences(large, np.array([3, 1, 9]))
    assert [s.tolist() for s in sentences] == [[0, 1, 2], [3], list(range(4, 13))]
    assert sentences[-1].tolist() == list(range(4, 13))
    with pytest.raises(IndexError):
        sentences[3]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.int64])
@pytest.mark.parametrize("pieces", [(), (0,), (3, 0, 5)])
def test_a_growing_array_is_an_ordinary_file(tmp_path, dtype, pieces):
    array = files.GrowingArray(tmp_path / "a.npy", dtype)
    parts = [np.arange(n, dtype=dtype) for n in pieces]
    for part in parts:
        array.append(part)
    assert list(tmp_path.glob("a.npy")) == []
    entry = array.finish()
    found = np.load(tmp_path / "a.npy")
    assert found.dtype == dtype and found.tolist() == [n for part in parts for n in part]
    content = (tmp_path / "a.npy").read_bytes()
    assert entry == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    other = files.GrowingArray(tmp_path / "b.npy", dtype)
    other.discard()
    assert [p.name for p in tmp_path.iterdir()] == ["a.npy"]


def test_a_failing_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    files.write_file(path, b"old")

    def full(descriptor):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CorpusError, match="no space left for"):
        files.write_file(path, b"new")
    assert path.read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == ["file"]


def test_splits_are_drawn_evenly_and_depend_on_the_number_alone():
    units = np.arange(20_000)
    drawn = survey.draw_split(units, 13)
    shares = np.bincount(drawn, minlength=3) / len(units)
    # Five standard errors of 20,000 draws.
    assert np.abs(shares - [0.8, 0.1, 0.1]).max() < 5 * np.sqrt(0.16 / len(units))
    assert np.array_equal(drawn[[7, 3, 999]], survey.draw_split(np.array([7, 3, 999]), 13))
    assert (drawn != survey.draw_split(units, 14)).mean() > 0.3


@pytest.mark.slow
def test_memory_does_not_grow_with_the_text(tmp_path):
    """Eight times the text, and at most a few pieces' worth more of memory."""
    code = (
        "import resource, sys\n"
        "from bert_keras.training import prepare, sections\n"
        "data = sections.CorpusSection(directory=sys.argv[1], path=sys.argv[2],\n"
        "    vocabulary_sample=100_000)\n"
        "prepare.prepare(sections.PretrainConfig(data=data))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    rng = np.random.default_rng(0)
    characters = np.array(list("天地人山水火风云红黄蓝白黑青紫绿甲乙丙丁戊己庚辛。"))
    peaks = []
    for lines in (20_000, 160_000):  # 3 and 24 MB
        path = tmp_path / f"{lines}.txt"
        with path.open("w", encoding="utf-8") as file:
            for _ in range(lines):
                file.write("".join(rng.choice(characters, 50)) + "\n")
        arguments = [sys.executable, "-c", code, str(tmp_path / f"d{lines}"), str(path)]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-500:]
        peaks.append(int(done.stdout) / 1024)  # MB
    assert peaks[1] < peaks[0] + 30, peaks
