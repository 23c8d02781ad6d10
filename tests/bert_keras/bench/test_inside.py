import json
import random

import pytest

from bert_keras.__main__ import main
from bert_keras.bench import inside


def test_a_bill_adds_up_by_arithmetic():
    seconds = {
        "step": 0.100,
        "step without dropout": 0.090,
        "fit alone": 0.002,
        "attention": 0.042,
        "AdamW": 0.012,
    }
    bill = inside.account(seconds, {"attention": 2 * 10**9}, 5 * 10**9, peak=1e11)
    assert bill["step_ms"] == 100 and bill["mfu"] == 0.5
    parts = {row["part"]: row for row in bill["parts"]}
    assert parts["attention"] == {
        "part": "attention",
        "ms": 40.0,
        "share": 0.4,
        "gflop": 2.0,
        "of_peak": 0.5,
    }
    assert parts["AdamW"]["ms"] == 10 and parts["AdamW"]["of_peak"] is None
    assert parts["dropout"]["ms"] == 10 and parts["fit and its data"]["ms"] == 2
    assert parts["rest, or saved by fusion"]["ms"] == pytest.approx(38)
    assert sum(row["ms"] for row in bill["parts"]) == pytest.approx(100)
    lines = inside.profile_lines(
        {"size": "tiny", "setting": "2 rows", "gemm_gflops": 100.0, **bill}
    )
    assert "50.0%" in lines[0] and any("attention" in line and "40.0%" in line for line in lines)


def test_verdict_on_the_pipeline():
    result = {"real_ms": 10.3, "cached_ms": 10.0, "ratio": 1.03, "cpu_ratio": 1.1}
    result |= {"padding_share": 0.042, "widths": [16, 64]}
    assert "never waits" in inside.pipeline_lines(result)[0]
    assert "4.2%" in inside.pipeline_lines(result)[2]
    assert "waits for its data" in inside.pipeline_lines({**result, "ratio": 1.031})[0]


@pytest.mark.slow
def test_profile_of_a_miniature(capsys):
    sizes = "--batch-size 2 --sequence-length 16 --predictions 3 --rounds 1 --json"
    assert main(["bench", "--profile", "nano", *sizes.split()]) == 0
    result = json.loads(capsys.readouterr().out)
    names = [row["part"] for row in result["parts"]]
    assert {"attention", "feed-forward", "vocabulary head", "dropout", "AdamW"} <= set(names)
    total = sum(row["ms"] for row in result["parts"])
    assert total == pytest.approx(result["step_ms"], rel=1e-2)
    by_name = {row["part"]: row for row in result["parts"]}
    # 6 picked positions · (64² + 64 · 30,522) · 6
    assert by_name["vocabulary head"]["gflop"] == pytest.approx(0.070, abs=0.001)


@pytest.mark.slow
def test_pipeline_of_a_prepared_text(tmp_path, capsys):
    rng = random.Random(0)
    lines = [
        "".join(rng.choice("天地人山水火风云") for _ in range(rng.randrange(3, 9)))
        + "。"
        + "红黄蓝。"
        for _ in range(300)
    ]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    config = tmp_path / "run.toml"
    config.write_text(
        f"""
[data]
path = '{tmp_path / "text.txt"}'
directory = '{tmp_path / "prepared"}'
minimum_count = 1
minimum_characters = 1
[model]
num_layers = 1
hidden_dim = 8
intermediate_dim = 12
max_sequence_length = 23
[training]
batch_size = 5
steps = 9
""",
        encoding="utf-8",
    )
    assert main(["prepare", str(config)]) == 0
    capsys.readouterr()
    arguments = ["--rounds", "2", "--steps", "4", "--json"]
    assert main(["bench", "--pipeline", str(config), *arguments]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["ratio"] == pytest.approx(result["real_ms"] / result["cached_ms"], rel=1e-2)
    # Rows are short sentences: much padding at a length of 23.
    assert 0 <= result["padding_share"] < 1 and max(result["widths"]) <= 23
