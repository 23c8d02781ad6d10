"""Training language models on running text: it learns, resumes exactly, and measures right."""

import math
from pathlib import Path

import keras
import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.text.corpora.running_text import Paragraph
from bert_keras.text.ngram_lm import ngram_lm
from bert_keras.training import checkpoints, language, language_data
from bert_keras.training.config import ConfigError, dump, load
from bert_keras.training.language_data import LanguageBatches, pieces
from bert_keras.training.language_sections import LanguageConfig, TextSection

CONFIGS = Path(__file__).resolve().parents[3] / "configs"


@pytest.fixture
def make(empty_config, tmp_path):
    def make(name, *more):
        changes = [
            f"run.directory={tmp_path / name}",
            "text.corpus=python_topics",
            "text.rows=60",
            "text.test_rows=12",
            "model.num_layers=1",
            "model.num_heads=2",
            "model.hidden_dim=8",
            "model.intermediate_dim=8",
            "model.max_sequence_length=32",
            "training.batch_size=16",
            "training.steps=8",
            "training.log_every=2",
            "training.checkpoint_every=3",
            "training.evaluate_every=4",
            "training.bucket_width=32",
            "training.jit_compile=false",
            "optimizer.learning_rate=2e-2",
            *more,
        ]
        return load(LanguageConfig, empty_config, changes)

    return make


def paragraphs():
    rows = [
        Paragraph(0, ("A cat.", "B, c."), 0, " "),
        Paragraph(1, ("甲乙丙。", "丁。"), words=(("甲", "乙丙", "。"), ("丁", "。"))),
    ]
    return {"train": rows, "dev": rows[:1], "test": rows[1:]}


def test_characters_or_words_of_sentences_or_paragraphs():
    def tokens(**section):
        data = language_data.prepare(paragraphs(), TextSection(**section))
        names = list(data.vocabulary)
        assert names[:4] == ["[PAD]", "[UNK]", "[BOS]", "[EOS]"]
        return [[names[i] for i in ids[1:-1]] for ids in data.splits["train"]]

    assert tokens() == [list("A cat."), list("B, c."), list("甲乙丙。"), list("丁。")]
    assert tokens(parts="paragraphs") == [list("A cat. B, c."), list("甲乙丙。丁。")]
    assert tokens(unit="word") == [
        ["a", "cat", "."], ["b", ",", "c", "."], ["甲", "乙丙", "。"], ["丁", "。"]
    ]  # fmt: skip
    assert tokens(unit="word", parts="paragraphs", rows=1) == [
        ["a", "cat", ".", "b", ",", "c", "."]
    ]
    rare = tokens(unit="word", minimum_count=2)
    assert rare[0] == ["[UNK]", "[UNK]", "."]


def test_every_token_of_a_long_sequence_is_predicted_once():
    ids = np.arange(10, dtype="int32")
    for longest in (2, 3, 4, 9, 10, 11):
        cut = pieces(ids, longest)
        assert all(2 <= len(piece) <= longest for piece in cut)
        np.testing.assert_array_equal(np.concatenate([piece[1:] for piece in cut]), ids[1:])
        np.testing.assert_array_equal(np.concatenate([piece[:-1] for piece in cut]), ids[:-1])


def test_batches_are_all_sequences_by_length_and_a_function_of_their_number():
    rng = np.random.default_rng(1)
    sequences = [np.full(rng.integers(3, 30), n + 1, "int32") for n in range(100)]
    batches = LanguageBatches(sequences, 8, 6, 25, seed=3)
    again = LanguageBatches(sequences, 8, 6, 25, seed=3)
    seen, widths = [], set()
    for number in range(batches.per_epoch):
        (inputs,) = batches.batch(number)
        widths.add(inputs["token_ids"].shape[1])
        for ids, mask in zip(*inputs.values(), strict=True):
            assert len(set(ids[mask])) == 1 and not ids[~mask].any()
            seen.append((ids[0], mask.sum()))
    assert len(seen) == len(batches.pieces) // 8 * 8
    assert widths <= {6, 12, 18, 24, 25}
    late = batches.per_epoch + 2
    np.testing.assert_array_equal(
        again.batch(late)[0]["token_ids"], batches.batch(late)[0]["token_ids"]
    )
    with pytest.raises(ValueError, match=r"3 sequences, fewer than training.batch_size \(8\)"):
        LanguageBatches([ids[:5] for ids in sequences[:3]], 8, 6, 25, seed=3)


@pytest.mark.parametrize("kind", ["gpt", "elmo"])
def test_perplexity_is_that_of_every_token_one_by_one(make, kind):
    config = make("run", f"model.kind={kind}", "model.max_sequence_length=9")
    data = language_data.load(config.text)
    model = language.build_model(config, data)
    test = data.splits["test"][:3]
    found = language.perplexities(model, language.batches_of(config, data), test)
    totals, count = {}, 0
    for ids in test:
        for piece in pieces(ids, 9):
            inputs = {"token_ids": piece[None], "padding_mask": np.ones((1, len(piece)), bool)}
            outputs = model(inputs)
            ways = {"perplexity": (outputs, piece)}
            if kind == "elmo":
                ways["perplexity"] = outputs["forward_logits"], piece
                ways["backward_perplexity"] = outputs["backward_logits"][:, ::-1], piece[::-1]
            for name, (logits, read) in ways.items():
                log = keras.ops.convert_to_numpy(keras.ops.log_softmax(logits, axis=-1))[0]
                said = sum(log[t, read[t + 1]] for t in range(len(read) - 1))
                totals[name] = totals.get(name, 0) - said
            count += len(piece) - 1
    assert count == sum(len(ids) - 1 for ids in test) and set(found) == set(totals)
    for name, total in totals.items():
        assert found[name] == pytest.approx(math.exp(total / count), rel=1e-5)


def test_the_bar_counts_the_same_tokens():
    data = language_data.prepare(paragraphs(), TextSection(minimum_count=2))
    test = [ids[1:-1].tolist() for ids in data.splits["test"]]
    train = [ids[1:-1].tolist() for ids in data.splits["train"]]
    size = len(data.vocabulary) - 2
    probabilities, right = ngram_lm(train, test, size, data.vocabulary["[EOS]"])
    assert language_data.ngram_perplexity(data) == right
    assert len(probabilities) == sum(len(ids) - 1 for ids in data.splits["test"])


@pytest.mark.parametrize("kind", ["gpt", pytest.param("elmo", marks=pytest.mark.slow)])
def test_a_stopped_run_goes_on_as_if_it_had_not(make, monkeypatch, kind):
    whole = language.train(make("whole", f"model.kind={kind}"))
    save = checkpoints.save

    def dying(*arguments, **options):
        save(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "save", dying)
    stopped = make("stopped", f"model.kind={kind}")
    with pytest.raises(KeyboardInterrupt):
        language.train(stopped)
    monkeypatch.setattr(checkpoints, "save", save)
    resumed = language.train(stopped, resume=True)
    for name in ("history", "scores", "data", "baseline"):
        assert resumed[name] == whole[name]
    assert [row["step"] for row in whole["history"]] == [2, 4, 6, 8]
    assert [row["step"] for row in whole["history"] if "dev_perplexity" in row] == [4, 8]
    losses = [row["train_loss"] for row in whole["history"]]
    assert losses[-1] < losses[0] - 0.2
    assert whole["baseline"]["name"] == "n-grams" and 3 < whole["baseline"]["perplexity"] < 60
    restored = keras.saving.load_model(Path(stopped.run.directory) / "model.keras", compile=False)
    assert restored.count_params() == whole["parameters"]
    with pytest.raises(ConfigError, match="already holds a run"):
        language.train(stopped)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("language_*.toml")), ids=lambda p: p.stem)
def test_the_configurations_are_whole(path):
    config = load(LanguageConfig, path)
    assert config.run.directory == f"build/runs/{path.stem}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["text.corpus=people_daily"], "text.corpus must be peoples_daily, bbc_news"),
        (["text.unit=letter"], "text.unit must be character or word"),
        (["model.kind=bert"], "model.kind must be gpt or elmo"),
        (["model.hiden_dim=3"], "did you mean model.hidden_dim"),
        (["model.num_heads=3"], "must be a multiple of model.num_heads (3)"),
        (["text.corpus=python_topics", "text.rows=4"], "fewer than training.batch_size (32)"),
        (["text.corpus=plain_text", "text.path=none.txt"], "none.txt"),
    ],
)
def test_mistakes_cost_one_line_and_write_nothing(
    tmp_path, monkeypatch, capsys, empty_config, changes, message
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "run.toml"
    file.write_text("[text]\n", encoding="utf-8")
    sets = [part for change in changes for part in ("--set", change)]
    assert main(["train", str(file), *sets]) == 2
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert captured.out == "" and len(lines) == 1 and message in lines[0]
    assert list(tmp_path.iterdir()) == [file]


def test_the_command_says_perplexities(make, capsys, tmp_path):
    config = make("run", "training.steps=2", "training.evaluate_every=0")
    file = tmp_path / "run.toml"
    file.write_text(dump(config), encoding="utf-8")
    assert main(["train", str(file)]) == 0
    out = capsys.readouterr().out
    assert "test split" in out and "perplexity" in out and "n-grams" in out
