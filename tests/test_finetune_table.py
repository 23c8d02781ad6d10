"""The table of docs/finetuning.md, printed from made records of runs."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import finetune_table

from bert_keras.training.config import load, to_dict
from bert_keras.training.finetune_sections import FinetuneConfig

CONFIG = """[run]
directory = "runs/one"
[data]
task = "intents"
corpus = "intents"
language = "en"
rows = 500
[training]
epochs = 2
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "finetune_one.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


@pytest.fixture
def record(config, tmp_path):
    def write(**changes):
        folder = tmp_path / "runs" / "one"
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "measure": "frame_accuracy",
            "scores": {
                "frame_accuracy": {"mean": 0.81, "standard_deviation": 0.0123, "seeds": 3},
                "intent_accuracy": {"mean": 0.95, "standard_deviation": 0.02, "seeds": 3},
            },
            "baselines": {"majority_intent": 0.1, "regression": 0.94, "tagger": 0.9, "none": None},
            "baseline_measures": {
                "majority_intent": "intent_accuracy",
                "regression": "intent_accuracy",
                "tagger": "frame_accuracy",
                "none": "frame_accuracy",
            },
            "data": {"rows": {"train": 500, "dev": 10, "test": 20}},
            "seconds": 61.6,
            "config": to_dict(load(FinetuneConfig, config)),
            **changes,
        }
        (folder / "run.json").write_text(json.dumps(content), encoding="utf-8")

    return write


def cells(config, tmp_path):
    *header, row = finetune_table.table([config], tmp_path).split("\n")
    assert len(header) == 2 and header[0].count("|") == row.count("|") == 8
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_a_run_beside_its_simple_models(config, record, tmp_path):
    record()
    assert cells(config, tmp_path) == [
        "intents",
        "intents, en, 500 training rows",
        "frame accuracy 0.810 ± 0.012 (3 seeds)",
        "majority intent 0.100; regression 0.940; tagger 0.900; none not measured",
        "yes (intent accuracy 0.950 ± 0.020 (3 seeds)); "
        "yes, by less than ± (intent accuracy 0.950 ± 0.020 (3 seeds)); no; –",
        "62",
        "`bert-keras finetune configs/finetune_one.toml`",
    ]


def test_one_seed_and_a_record_that_does_not_say_by_what_bars_are_judged(config, record, tmp_path):
    score = {"mean": 0.5, "standard_deviation": None, "seeds": 1}
    record(scores={"frame_accuracy": score}, baselines={"majority": 0.5}, baseline_measures={})
    row = cells(config, tmp_path)
    assert row[2:5] == ["frame accuracy 0.500", "majority 0.500", "no, by less than ±"]


def test_a_run_with_other_settings_is_marked(config, record, tmp_path):
    other = to_dict(load(FinetuneConfig, config, ["training.epochs=9", "run.seed=2"]))
    del other["data"]["measure"]  # of before there was such a setting
    record(config=other)
    assert cells(config, tmp_path)[6].endswith("with other settings: training.epochs = 9")


def test_what_was_not_run_is_listed(config, tmp_path):
    row = cells(config, tmp_path)
    assert row[:3] == ["intents", "intents, en", "not run"] and row[3:6] == ["", "", ""]


def test_all_shipped_configurations_have_a_row(capsys):
    finetune_table.main([])
    lines = capsys.readouterr().out.splitlines()
    shipped = sorted(finetune_table.ROOT.glob("configs/finetune_*.toml"))
    assert len(lines) == 2 + len(shipped) and len(shipped) > 10
    assert all(path.name in line for path, line in zip(shipped, lines[2:], strict=True))
