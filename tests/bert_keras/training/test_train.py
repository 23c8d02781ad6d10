"""Training from one sequence to another: it learns, resumes exactly, and scores as it should."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.text.corpora.sequence_bars import NearestCopy
from bert_keras.text.corpora.sequences import AlignedPair, SequencePair, Translation
from bert_keras.training import checkpoints, seq2seq, sequence_data, sequence_scores
from bert_keras.training.config import ConfigError, dump, load
from bert_keras.training.sequence_sections import Seq2SeqConfig, SequencesSection

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
            "model.embedding_dim=8",
            "model.hidden_dim=12",
            "model.kind=rnn",
            "model.attention=none",
            "model.dropout=0.1",
            "training.batch_size=16",
            "training.steps=12",
            "training.seeds=1",
            "training.log_every=3",
            "training.checkpoint_every=4",
            "training.evaluate_every=6",
            "training.dev_rows=9",
            "optimizer.learning_rate=2e-2",
            *more,
        ]
        return load(Seq2SeqConfig, empty_config, changes)

    return make


def without_times(record):
    runs = [{k: v for k, v in run.items() if k != "train_seconds"} for run in record["runs"]]
    return runs, record["scores"], record["data"]


# The seed to stop in, after 8 of its 12 steps; a checkpoint follows every 4 and every seed.
@pytest.mark.parametrize(
    ("seeds", "stop_at", "model"),
    [
        (1, 2, ()),
        pytest.param(
            2, 6, ("model.kind=gru", "model.attention=multiplicative"), marks=pytest.mark.slow
        ),
    ],
)
def test_a_stopped_run_goes_on_as_if_it_had_not(make, monkeypatch, seeds, stop_at, model):
    changes = (f"training.seeds={seeds}", *model)
    whole = seq2seq.train(make("whole", *changes))
    save, saved = checkpoints.save, []

    def dying(*arguments, **options):
        save(*arguments, **options)
        saved.append(1)
        if len(saved) == stop_at:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "save", dying)
    stopped = make("stopped", *changes)
    with pytest.raises(KeyboardInterrupt):
        seq2seq.train(stopped)
    resumed = seq2seq.train(stopped, resume=True)
    assert without_times(resumed) == without_times(whole)
    runs = whole["runs"]
    assert [run["seed"] for run in runs] == [13, 14][:seeds]
    assert [row["step"] for row in runs[0]["history"]] == [3, 6, 9, 12]
    assert [row["step"] for row in runs[0]["history"] if "dev_loss" in row] == [6, 12]
    assert seeds == 1 or runs[0]["history"] != runs[1]["history"]
    one, two = (seq2seq.load_run(make(name).run.directory)[0] for name in ("whole", "stopped"))
    for a, b in zip(one.get_weights(), two.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    file = Path(stopped.run.directory).parent / "whole" / "run.json"
    assert json.loads(file.read_text(encoding="utf-8")) == whole
    with pytest.raises(ConfigError, match="already holds a run"):
        seq2seq.train(make("whole", *changes))
    other = make("stopped", *changes, "model.hidden_dim=14")
    with pytest.raises(checkpoints.CheckpointError, match=r"made with model\.hidden_dim = 12"):
        seq2seq.train(other, resume=True)


@pytest.mark.slow
def test_it_learns_to_copy(make):
    record = seq2seq.train(
        make("run", "training.steps=260", "training.evaluate_every=0",
             "training.checkpoint_every=0", "training.log_every=130", "data.count=2000",
             "model.hidden_dim=32", "model.embedding_dim=16", "model.dropout=0.0",
             "model.kind=gru", "model.attention=multiplicative")
    )  # fmt: skip
    losses = [row["train_loss"] for row in record["runs"][0]["history"]]
    assert losses[-1] < 0.6 * losses[0]
    assert record["scores"]["token"]["mean"] > 0.5  # one letter in 26 by chance
    assert record["scores"]["token"]["standard_deviation"] is None and record["baseline"] is None


def test_batches_are_all_pairs_by_length_and_a_function_of_their_number():
    section = SequencesSection(kind="reversal", count=400, longest=20)
    data = sequence_data.load(section)
    train = data.splits["train"]
    batches = sequence_data.SequenceBatches(train, data, 16, 6, seed=3)
    again = sequence_data.SequenceBatches(train, data, 16, 6, seed=3)
    rows = {tuple(pair.source) for pair in train}
    letter = {number: token for token, number in data.source_vocabulary.items()}
    seen, widths = [], set()
    for number in range(batches.per_epoch):
        inputs, labels = batches.batch(number)
        widths.add(inputs["token_ids"].shape[1])
        assert inputs["target_ids"].shape == labels["label_ids"].shape
        for ids, mask, fed, said, real in zip(*inputs.values(), *labels.values(), strict=True):
            source = tuple(letter[i] for i in ids[mask])
            assert source[0] == "[BOS]" and source[-1] == "[EOS]" and source[1:-1] in rows
            seen.append(source)
            np.testing.assert_array_equal(fed[1 : real.sum()], said[: real.sum() - 1])
            assert said[real.sum() - 1] == data.target_vocabulary["[EOS]"] and fed[0] == 2
    assert len(set(seen)) == len(seen) == len(train) // 16 * 16
    assert widths == {12, 18, 24} and all(width % 6 == 0 for width in widths)
    late = batches.per_epoch + 2
    for found, right in zip(again.batch(late), batches.batch(late), strict=True):
        for name in right:
            np.testing.assert_array_equal(found[name], right[name])


def test_translations_are_words_and_characters():
    rows = [Translation("Turn the light on.", "打开 灯。")] * 2
    section = SequencesSection(corpus="interface_strings", minimum_count=2)
    data = sequence_data.prepare({"train": rows, "dev": rows, "test": rows}, section)
    pair = data.splits["train"][0]
    assert pair.source == ("turn", "the", "light", "on", ".")
    assert pair.targets == (("打", "开", " ", "灯", "。"),)
    assert list(data.target_vocabulary)[:4] == ["[PAD]", "[UNK]", "[BOS]", "[EOS]"]
    found = sequence_scores.score([("打", "开", "灯", "。")], data.splits["test"][:1])
    assert found == {"exact": 0.0, "character_bleu": pytest.approx(100.0)}
    assert NearestCopy(rows).predict("the light") == "打开 灯。"


def test_scores_take_the_nearest_reading_and_buckets_take_their_lengths():
    pairs = [
        sequence_data.tokens_of(row)
        for row in (
            SequencePair(tuple("read"), (("R", "IY", "D"), ("R", "EH", "D"))),
            SequencePair(tuple("cat"), (("K", "AE", "T"),)),
        )
    ]
    found = sequence_scores.score([("R", "EH", "D"), ("K", "T")], pairs)
    assert found == {"exact": 0.5, "error_rate": pytest.approx(1 / 6)}
    generated = [
        sequence_data.tokens_of(AlignedPair(tuple("abcde"[:n]), tuple("vwxyz"[:n]), ((0,),) * n))
        for n in (2, 5)
    ]
    said = [("v", "w"), ("v", "x", "x")]
    found = sequence_scores.by_length(said, generated, ((1, 3), (4, 6)))
    assert found == {"1-3": {"token": 1.0, "exact": 1.0}, "4-6": {"token": 0.4, "exact": 0.0}}
    assert sequence_scores.token_accuracy(said, generated) == pytest.approx(4 / 7)


def test_alignment_is_counted_at_the_planted_places(make):
    config = make("none", "model.attention=multiplicative")
    data = sequence_data.load(config.data)
    model = seq2seq.build_model(config, data, 1)
    pairs = data.splits["test"]
    share = sequence_scores.aligned(model, data, pairs)
    batches = sequence_data.SequenceBatches(pairs, data, 1, 1, 0)
    hits = total = 0
    for pair in pairs:  # each alone and without padding
        inputs, _ = batches.encode([pair])
        states, source = model.encode(inputs["token_ids"], inputs["padding_mask"])
        looked = model.decode(inputs["target_ids"], states, source, inputs["padding_mask"])[2]
        best = np.asarray(looked)[0].argmax(axis=-1)
        hits += sum(best[n] - 1 == place for n, (place,) in enumerate(pair.row.alignment))
        total += len(pair.targets[0])
    assert share == pytest.approx(hits / total)


def test_the_bar_is_on_the_same_split():
    rng = random.Random(2)
    rows = [
        SequencePair(word := tuple(rng.choices("abcd", k=5)), (tuple(c.upper() for c in word),))
        for _ in range(60)
    ]
    parts = {"train": rows[:40], "dev": rows[40:50], "test": rows[50:]}
    section = SequencesSection(corpus="pronunciations")
    name, scores = sequence_scores.baseline("pronunciations", sequence_data.prepare(parts, section))
    assert name == "context_lookup" and scores == {"exact": 1.0, "error_rate": 0.0}
    assert sequence_scores.baseline("toy_translation", None) is None


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("seq2seq_*.toml")), ids=lambda p: p.stem)
def test_the_configurations_are_whole(path):
    config = load(Seq2SeqConfig, path)
    assert config.training.seeds >= 3 and config.run.directory == f"build/runs/{path.stem}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["data.corpus=pronuncations"], "data.corpus must be pronunciations, interface_strings"),
        (["model.attention=dot"], "model.attention must be none, additive or multiplicative"),
        (["model.hiden_dim=3"], "did you mean model.hidden_dim"),
        (["data.corpus=pronunciations", "data.kind=copy"], "toy_translation only"),
        (["data.count=40", "training.batch_size=64"], "fewer than training.batch_size (64)"),
        (["data.kind=grammer"], "kind is 'grammer'"),
        (["data.count=40", "data.max_length=2"], "nothing is left of the train split"),
        (["data.corpus=pronunciations", "data.path=none.dict"], "none.dict"),
    ],
)
def test_mistakes_cost_one_line_and_write_nothing(
    tmp_path, monkeypatch, capsys, empty_config, changes, message
):
    monkeypatch.chdir(tmp_path)
    sets = [part for change in changes for part in ("--set", change)]
    assert main(["train", str(empty_config), *sets]) == 2
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert captured.out == "" and len(lines) == 1 and message in lines[0]
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_scores(make, capsys, tmp_path):
    config = make("run", "training.steps=3", "training.evaluate_every=0")
    file = tmp_path / "run.toml"
    file.write_text(dump(config), encoding="utf-8")
    assert main(["train", str(file)]) == 0
    out = capsys.readouterr().out
    assert "test split" in out and "exact" in out and "s of training a seed" in out
    with pytest.raises(checkpoints.CheckpointError, match="run bert-keras train first"):
        seq2seq.load_run(tmp_path)
