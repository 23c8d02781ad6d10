"""`bert-keras train` with model.kind = "transformer"."""

from pathlib import Path

import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.models.transformer import Transformer
from bert_keras.training import checkpoints, seq2seq, sequence_data, sequence_scores, sequence_steps
from bert_keras.training.config import ConfigError, dump, load
from bert_keras.training.sequence_sections import Seq2SeqConfig

CONFIGS = Path(__file__).resolve().parents[3] / "configs"


@pytest.fixture
def make(empty_config, tmp_path):
    def make(name, *more):
        changes = [
            f"run.directory={tmp_path / name}",
            "data.kind=copy",
            "data.count=300",
            "data.longest=7",
            "data.test_rows=20",
            "model.kind=transformer",
            "model.num_encoder_layers=1",
            "model.num_decoder_layers=1",
            "model.num_heads=2",
            "model.hidden_dim=12",
            "model.intermediate_dim=16",
            "model.max_sequence_length=16",
            "model.dropout=0.1",
            "training.batch_size=16",
            "training.steps=8",
            "training.log_every=4",
            "training.checkpoint_every=4",
            "training.evaluate_every=8",
            "training.dev_rows=9",
            *more,
        ]
        return load(Seq2SeqConfig, empty_config, changes)

    return make


@pytest.mark.slow
def test_a_stopped_run_goes_on_as_if_it_had_not(make, monkeypatch):
    whole = seq2seq.train(make("whole"))
    save = checkpoints.save

    def dying(*arguments, **options):
        save(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "save", dying)
    with pytest.raises(KeyboardInterrupt):
        seq2seq.train(make("stopped"))
    monkeypatch.setattr(checkpoints, "save", save)
    resumed = seq2seq.train(make("stopped"), resume=True)
    assert resumed["scores"] == whole["scores"]
    assert resumed["runs"][0]["history"] == whole["runs"][0]["history"]
    folders = [Path(make(name).run.directory) for name in ("whole", "stopped")]
    one, two = (seq2seq.load_run(folder)[0] for folder in folders)
    for a, b in zip(one.get_weights(), two.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_configuration_reaches_the_model_and_the_beam(make, monkeypatch):
    changes = ["model.norm_first=true", "model.positions=learned", "model.tie_output=false"]
    changes += ["model.label_smoothing=0.3", "model.beam_width=3", "model.length_penalty=0.9"]
    config = make("run", *changes)
    data = sequence_data.load(config.data)
    model = sequence_steps.build_model(config, data, 1)
    found = model.get_config()
    for name in ("norm_first", "positions", "tie_output", "label_smoothing", "hidden_dim"):
        assert found[name] == getattr(config.model, name)
    assert (model.num_encoder_layers, model.num_heads, model.dropout) == (1, 2, 0.1)
    pairs = data.splits["test"][:4]
    options = sequence_steps.decoding_options(config)
    assert options == {"beam_width": 3, "length_penalty": 0.9}
    data.splits["test"][:] = pairs
    seen = []
    generate = Transformer.generate
    monkeypatch.setattr(
        Transformer, "generate", lambda *a, **o: seen.append(o) or generate(*a, **o)
    )
    assert set(sequence_steps.scores(model, data, **options)) == {"exact", "error_rate", "token"}
    assert seen[0]["beam_width"] == 3 and seen[0]["length_penalty"] == 0.9
    assert seen[0]["max_length"] == sequence_scores.most_said(data)


def test_the_dev_loss_is_not_smoothed(make):
    """So that runs with and without smoothing, and recurrent ones, can be compared."""
    config = make("run", "model.label_smoothing=0.5")
    data = sequence_data.load(config.data)
    model = sequence_steps.build_model(config, data, 1)
    batches, pairs = sequence_steps.batches_of(config, data, 1), data.splits["dev"][:5]
    inputs, labels = batches.encode(pairs)
    logits = np.asarray(model(inputs)).astype("float64")
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    of_labels = np.take_along_axis(logs, labels["label_ids"][..., None], -1)[..., 0]
    right = -of_labels[labels["label_mask"]].mean()
    assert sequence_steps.held_out_loss(model, batches, pairs) == pytest.approx(right, abs=1e-5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["model.num_heads=5"], "model.hidden_dim (12) must be a multiple of model.num_heads (5)"),
        (["model.hidden_dim=9", "model.num_heads=3"], "must be even for sinusoidal positions"),
        (["model.positions=rotary"], "model.positions must be sinusoidal or learned"),
        (["model.label_smoothing=1.0"], "model.label_smoothing must be below 1"),
        (["model.beam_width=0"], "model.beam_width must be at least 1"),
        (["model.num_decoder_layers=0"], "must be above 0"),
        (["model.kind=gru", "model.beam_width=2"], "for model.kind = transformer only"),
    ],
)
def test_sizes_that_do_not_fit_cost_one_line(make, changes, message):
    with pytest.raises(ConfigError) as error:
        make("run", *changes)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_sequences_without_positions_are_refused_before_anything_is_written(make, tmp_path):
    config = make("run", "model.max_sequence_length=11")
    with pytest.raises(ConfigError, match="max_sequence_length is 11; these data need 16"):
        seq2seq.train(config)
    assert not Path(config.run.directory).exists()


def test_the_command_takes_a_recurrent_configuration(make, capsys, tmp_path):
    """What only the other kind of model needs is left alone; and the run can be read again."""
    file = tmp_path / "run.toml"
    file.write_text(dump(make("run", "model.kind=gru", "training.evaluate_every=0")), "utf-8")
    options = ["--set", "model.kind=transformer", "--set", "training.steps=2"]
    assert main(["train", str(file), *options]) == 0
    out = capsys.readouterr().out
    assert "test split" in out and "exact" in out and "s of training a seed" in out
    model, source, target = seq2seq.load_run(tmp_path / "run")
    assert isinstance(model, Transformer) and model.source_vocabulary_size == len(source)
    assert (source["[BOS]"], target["[EOS]"]) == (2, 3)
    config = load(Seq2SeqConfig, CONFIGS / "seq2seq_letters.toml", ["model.kind=transformer"])
    assert config.model.kind == "transformer"
