"""Every file in configs/ can be read, says how it is run, and fits what it starts from."""

import importlib
import re
from pathlib import Path

import pytest

from bert_keras.text import corpora
from bert_keras.training.config import dump, load
from bert_keras.training.finetune_sections import TASKS, FinetuneConfig
from bert_keras.training.language_sections import LanguageConfig
from bert_keras.training.sections import PretrainConfig
from bert_keras.training.sequence_sections import Seq2SeqConfig

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
# First word of a name → what reads it, and the command that runs it.
KINDS = {
    "finetune": (FinetuneConfig, "finetune"),
    "language": (LanguageConfig, "train"),
    "pretrain": (PretrainConfig, "pretrain"),
    "seq2seq": (Seq2SeqConfig, "train"),
}
MINILM = "build/bert"
EVERY = sorted(CONFIGS.glob("*.toml"))
every_file = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
finetunings = pytest.mark.parametrize(
    "path", [p for p in EVERY if p.stem.startswith("finetune")], ids=lambda path: path.stem
)


@every_file
def test_can_be_read_and_says_how_it_is_run(path, tmp_path):
    kind, command = KINDS[path.stem.partition("_")[0]]
    config = load(kind, path)
    assert config.run.directory == f"build/runs/{path.stem}"
    again = tmp_path / "run.toml"
    again.write_text(dump(config), encoding="utf-8")
    assert load(kind, again) == config
    comment = path.read_text(encoding="utf-8").partition("\n[")[0]
    assert re.search(rf"^#   bert-keras {command} +configs/{path.name}( |$)", comment, re.M)


@finetunings
def test_finetunings_name_a_set_and_an_encoder_that_there_are(path):
    config = load(FinetuneConfig, path)
    takes = corpora.options(config.data.corpus)
    assert "language" in takes or not config.data.language
    assert config.training.seeds == 3 and not config.data.path
    if config.training.checkpoint == MINILM:
        comment = path.read_text(encoding="utf-8").partition("\n[")[0]
        assert f"bert-keras convert build/minilm {MINILM} --to keras" in comment
        longest = 512
    else:
        encoder = CONFIGS / f"{Path(config.training.checkpoint).name}.toml"
        pretraining = load(PretrainConfig, encoder)
        assert pretraining.run.directory == config.training.checkpoint
        longest = pretraining.model.max_sequence_length
    assert config.data.max_sequence_length <= longest


def test_every_task_has_a_configuration_and_its_set_is_of_its_kind():
    found = {}
    for path in EVERY:
        if path.stem.startswith("finetune"):
            data = load(FinetuneConfig, path).data
            found.setdefault(data.task, set()).add((data.corpus, data.writer))
    assert sorted(found) == sorted(TASKS)
    homes = importlib.import_module("bert_keras.training.tasks")._HOMES
    for task in TASKS:
        module, name = homes[task]
        kind = getattr(importlib.import_module(f"bert_keras.training.tasks.{module}"), name)
        if task != "classification":  # two languages, two sets
            assert {corpus for corpus, _ in found[task]} == {kind.corpus}
    assert {writer for _, writer in found["writing"]} == {"prefix", "encoder_decoder"}
