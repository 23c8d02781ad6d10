from pathlib import Path

import pytest

from bert_keras.training.config import ConfigError, dump, load, to_dict
from bert_keras.training.finetune_sections import FinetuneConfig
from bert_keras.training.sections import PretrainConfig

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "run.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_file_and_overrides(file):
    path = file('[training]\nsteps = 7\n[optimizer]\nlearning_rate = 1\n[data]\npath = "文.txt"\n')
    config = load(
        PretrainConfig, path, ["training.steps=9", "run.directory=build/x y", "run.seed=2"]
    )
    assert config.training.steps == 9
    assert config.optimizer.learning_rate == 1.0 and type(config.optimizer.learning_rate) is float
    assert config.data.path == "文.txt" and config.run.directory == "build/x y"
    assert config.run.seed == 2 and config.training.batch_size == 32


def test_the_resolved_configuration_can_be_run_again(file):
    config = load(
        PretrainConfig, file(""), ['data.path=C:\\新 文\\"a".txt', "training.jit_compile=false"]
    )
    assert load(PretrainConfig, file(dump(config))) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[training]\nstep = 3\n", "unknown key training.step; did you mean training.steps?"),
        ("[trainig]\nsteps = 3\n", "unknown key trainig; did you mean training?"),
        ("[training]\nsteps = 3.5\n", "training.steps must be a whole number, not 3.5"),
        ("[training]\njit_compile = 1\n", "training.jit_compile must be true or false, not 1"),
        ("[training]\nsteps = true\n", "training.steps must be a whole number, not True"),
        ("training = 3\n", "training is a section"),
        ("[training]\nsteps = 0\n", "training.steps must be above 0"),
        ("[model]\ndropout = 1.5\n", "model.dropout must be between 0 and 1"),
        ("[optimizer]\nclip_norm = -1\n", "optimizer.clip_norm must not be negative"),
        ("[model]\nhidden_dim = 10\nnum_heads = 4\n", "multiple of model.num_heads"),
        ("[training]\nshort_length = 65\n", "training.short_length must be 0 or from 5 to"),
        ('[data]\nvocabulary = "words"\n', "character or wordpiece"),
        ("[training\n", "not valid TOML"),
    ],
)
def test_mistakes_are_named_in_one_line(file, text, message):
    with pytest.raises(ConfigError) as caught:
        load(PretrainConfig, file(text))
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_mistakes_in_overrides(file):
    with pytest.raises(ConfigError, match=r"--set training.stps=3: .* did you mean training.steps"):
        load(PretrainConfig, file(""), ["training.stps=3"])
    with pytest.raises(ConfigError, match=r"expected section.key=value"):
        load(PretrainConfig, file(""), ["training.steps"])
    with pytest.raises(ConfigError, match="cannot read"):
        load(PretrainConfig, "no/such/file.toml")


def test_the_shipped_configurations_fit_each_other():
    pretraining = load(PretrainConfig, ROOT / "configs/pretrain_nano_zh.toml")
    finetuning = load(FinetuneConfig, ROOT / "configs/finetune_sentiment_zh.toml")
    assert finetuning.training.checkpoint == pretraining.run.directory
    assert finetuning.data.max_sequence_length <= pretraining.model.max_sequence_length
    assert finetuning.training.seeds >= 3
    assert pretraining.pretraining.mask_rate == 0.15
    assert pretraining.pretraining.negative_distance >= 200
    assert to_dict(pretraining)["training"]["steps"] == pretraining.training.steps
