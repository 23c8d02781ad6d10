import importlib.util
import json
import math

import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.bench import results, run
from bert_keras.bench.race import Measured
from bert_keras.bench.run import bench, work_of
from bert_keras.bench.work import Work, parameters

MINIATURE = "--size nano --batch-size 2 --sequence-length 16 --predictions 3 --rounds 1 --steps 2"


def test_contract_of_the_json(capsys):
    assert main(["bench", *MINIATURE.split(), "--only", "ours", "--json"]) == 0
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert result["gemm_gflops"] > 1
    assert result["ratios"] == {"train": {}, "infer": {}}
    assert [(row["implementation"], row["op"]) for row in result["rows"]] == [
        ("ours", "train"),
        ("ours", "infer"),
    ]
    for row in result["rows"]:
        names = ("tokens_per_second", "mfu", "peak_rss_mb", "compile_seconds", "cpu_ms")
        assert all(math.isfinite(row[name]) and row[name] > 0 for name in names)
        assert row["mfu"] < 1 and row["peak_rss_mb"] > 50
        assert row["tokens_per_second"] == pytest.approx(32 / row["step_ms"] * 1e3, rel=1e-2)
    # Two losses at the start: one of 30,522 tokens, one of two classes.
    assert result["rows"][0]["first_loss"] == pytest.approx(math.log(30522) + math.log(2), abs=0.5)
    assert not any("weights instead of" in note for note in result["notes"])
    assert "train nano: round 1 of 1" in captured.err


def test_what_is_timed_as_training_trains(monkeypatch):
    from bert_keras.bench import ours

    monkeypatch.setattr(ours.devices, "tune_process", lambda *_: None, raising=False)
    sizes = Work("n", "train", 3, 12, 4, 60, 1, 2, 16, 24, 12, learning_rate=1e-2)
    losses = ours.Ours(sizes).learns(steps=15)
    assert len(losses) == 15 and np.isfinite(losses).all()
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--size tiy", "did you mean 'tiny'"),
        ("--op train,sleep", "--op sleep"),
        ("--dtype int8", "--dtype int8"),
        ("--size nano --sequence-length 129", "positions for 4 to 128"),
        ("--sequence-length 16 --predictions 16", "1 to 15 to predict"),
        ("--batch-size -1", "--batch-size -1"),
        ("--only ours,nobody", "--only nobody"),
        ("--rounds 0", "--rounds 0"),
        ("--profile tiny --rounds 0", "--rounds 0"),
        ("--profile huge", "no BERT of size 'huge'"),
        ("--pipeline none.toml", "cannot read none.toml"),
        ("--torch-python none/python", "--torch-python none/python"),
    ],
)
def test_mistakes_cost_one_line(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["bench", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1 and message in captured.err


def test_several_sizes_hold_one_result_each(monkeypatch):
    def race(work, contestants, **_):
        loaded = {"import_seconds": 1, "compile_seconds": 2, "about": "x", "peak_rss_mb": 1}
        loaded |= {"first_loss": 2.0, "parameters": parameters(work) + (work.size == "mini")}
        answer = {"seconds": 1.0, "cpu_seconds": 1.0, "loss": 1.0, "peak_rss_mb": 2.0}
        return {c.name: Measured(loaded, 4, [answer], 250.0, 250.0) for c in contestants}

    monkeypatch.setattr(run, "race", race)
    monkeypatch.setattr(run, "gemm_peak", lambda *_: 2e11)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
    works = [work_of(size, "train") for size in ("tiny", "mini")]
    result = bench(works, only=["ours", "ours_jax"])
    assert list(result["sizes"]) == ["tiny", "mini"]
    assert result["sizes"]["tiny"]["ratios"] == {"train": {"ours_jax": 1.0}}
    weights = parameters(works[1])
    assert f"ours has {weights + 1:,} weights instead of {weights:,}" in result["notes"]
    assert not any("tiny" in note for note in result["notes"])
    text = "\n".join(results.lines(result))
    assert "training step, mini, 16 rows of 128 tokens, 20 predicted" in text
    assert "1.00 x, as fast" in text


def test_the_table_says_who_is_faster():
    row = {"op": "train", "step_ms": 107.0, "tokens_per_second": 19140.0, "mfu": 0.4}
    row |= {"cpu_ms": 200.0, "peak_rss_mb": 900.0, "compile_seconds": 5.0}
    names = ["ours", "kerashub_tf_default", "hf_tuned"]
    result = {
        "gemm_gflops": 312.0,
        "dtype": "float32",
        "size": "tiny",
        "setting": "16 rows",
        "rows": [{**row, "implementation": name} for name in names],
        "ratios": {"train": {"kerashub_tf_default": 2.1402, "hf_tuned": 0.93}},
        "notes": ["hf_stock left out: no torch here"],
    }
    lines = results.lines(result)
    assert lines[0] == "bare matrix product: 312 GFLOP/s, float32"
    assert lines[4].startswith("ours") and "40.0%" in lines[4] and "19,140" in lines[4]
    assert lines[5].endswith("2.14 x, faster") and lines[6].endswith("0.93 x, slower")
    assert lines[-1] == "note: hf_stock left out: no torch here"


@pytest.mark.slow
def test_with_kerashub(capsys):
    pytest.importorskip("keras_hub")
    names = ["kerashub_tf_default", "kerashub_tf_nostall", "kerashub_tf_xla"]
    only = ",".join(["ours", *names])
    assert main(["bench", *MINIATURE.split(), "--only", only, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["ratios"]["train"]) == set(result["ratios"]["infer"]) == set(names)
    for op, ratios in result["ratios"].items():
        rows = {row["implementation"]: row for row in result["rows"] if row["op"] == op}
        for name, ratio in ratios.items():
            expected = rows["ours"]["tokens_per_second"] / rows[name]["tokens_per_second"]
            assert ratio == pytest.approx(expected, rel=1e-2)
        assert len({row["parameters"] for row in rows.values()}) == 1
    losses = [row["first_loss"] for row in result["rows"] if row["op"] == "train"]
    assert max(losses) - min(losses) < 0.5


@pytest.mark.slow
def test_with_pytorch(capsys):
    if not (importlib.util.find_spec("torch") and importlib.util.find_spec("transformers")):
        pytest.skip("no torch and transformers here")
    names = ["hf_stock", "hf_gather", "hf_tuned"]
    assert main(["bench", *MINIATURE.split(), "--only", ",".join(names), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert not any("weights instead of" in note for note in result["notes"])
    losses = [row["first_loss"] for row in result["rows"] if row["op"] == "train"]
    assert len(losses) == 3 and max(losses) - min(losses) < 0.5
