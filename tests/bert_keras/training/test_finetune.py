import io
import json
import random
import shutil
from pathlib import Path

import keras
import numpy as np
import pytest

from bert_keras.__main__ import main
from bert_keras.errors import UserError
from bert_keras.text.corpora.chinese_reviews import Review
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import finetune, pretrain
from bert_keras.training.checkpoints import load_backbone
from bert_keras.training.config import ConfigError, load
from bert_keras.training.encoders import EncoderSource
from bert_keras.training.finetune_sections import FinetuneConfig, TaskSection
from bert_keras.training.predictor import Predictor
from bert_keras.training.tasks.batches import TaskBatches
from bert_keras.training.tasks.texts import Classification
from bert_keras.training.tensorboard import read_scalars

HEADS = "天地人山水火风云"


@pytest.fixture(scope="module")
def checkpoint(prepared, make_config, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pretrained")
    pretrain.pretrain(make_config(folder, "training.steps=2", "training.evaluation_pairs=14"))
    return folder


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = random.Random(1)
    rows = {}
    while len(rows) < 400:
        characters = rng.choices(HEADS, k=rng.randrange(3, 25))
        label = rng.randrange(2)
        characters.insert(rng.randrange(len(characters)), "红" if label else "黑")
        rows["".join(characters)] = label
    path = tmp_path_factory.mktemp("reviews") / "reviews.csv"
    lines = [f"{text},{label}" for text, label in rows.items()]
    path.write_text("text,label\n" + "\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def make_finetuning(empty_config, checkpoint, table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("finetuning") / "run"

    def make(*more):
        changes = [
            f"run.directory={folder}",
            f"data.path={table}",
            "data.max_sequence_length=23",
            f"training.checkpoint={checkpoint}",
            "training.jit_compile=false",
            "training.batch_size=16",
            "training.bucket_width=23",
            "training.seeds=2",
            "training.epochs=6",
            "training.log_every=7",
            "training.checkpoint_every=33",
            "optimizer.learning_rate=5e-3",
            *more,
        ]
        return load(FinetuneConfig, empty_config, changes)

    return make


@pytest.fixture(scope="module")
def record(make_finetuning):
    return finetune.finetune(make_finetuning())


def test_learns_a_keyword_and_records_the_run(record, make_finetuning):
    score, bars = record["scores"]["accuracy"], record["baselines"]
    assert score["mean"] > 0.9 > bars["majority"] and record["measure"] == "accuracy"
    assert bars["tfidf_logistic_regression"] > 0.9
    runs = [run["test"]["accuracy"] for run in record["runs"]]
    assert score["mean"] == pytest.approx(np.mean(runs), abs=1e-3)
    assert score["standard_deviation"] == pytest.approx(np.std(runs, ddof=1), abs=1e-3)
    assert [run["seed"] for run in record["runs"]] == [13, 14]
    assert record["data"]["rows"] == {"train": 320, "dev": 40, "test": 40}
    file = Path(make_finetuning().run.directory) / "run.json"
    assert json.loads(file.read_text(encoding="utf-8")) == record


def test_a_seed_gives_the_same_run_alone_or_after_another(record, make_finetuning, tmp_path):
    alone = make_finetuning("training.seeds=1", "run.seed=14", f"run.directory={tmp_path / 'run'}")
    assert finetune.finetune(alone)["runs"][0]["history"] == record["runs"][1]["history"]
    assert record["runs"][0]["history"] != record["runs"][1]["history"]


def test_starts_from_the_pretrained_encoder(make_finetuning, checkpoint):
    config = make_finetuning()
    task, _ = finetune.tasks.load(config.data)
    seeded = finetune.SeededModel(config, task, EncoderSource(config, list), 320)
    model = seeded.model
    for variable in model.trainable_variables:
        variable.assign(variable + 1)
    seeded.start(4)
    pretrained, _, _ = load_backbone(checkpoint)
    both = zip(model.backbone.trainable_variables, pretrained.trainable_variables, strict=True)
    for pair in both:
        assert np.array_equal(*map(keras.ops.convert_to_numpy, pair))


def test_batches_have_one_width_and_use_every_row():
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *HEADS])
    rng = np.random.default_rng(0)
    reviews = [
        Review("".join(rng.choice(list(HEADS), size=n)), n % 2) for n in rng.integers(1, 40, 203)
    ]
    task = Classification(TaskSection(), {"train": reviews})
    data = TaskBatches(task.encode(reviews, WordPieceTokenizer(vocabulary), 30), 7)
    seen = []
    for rows, width in data.epoch(9, np.random.default_rng(1)):
        inputs, labels = data.inputs(rows, width), data.targets(rows, width)
        assert inputs["token_ids"].shape == (9, width) and (width % 7 == 0 or width == 30)
        lengths = inputs["padding_mask"].sum(axis=1)
        assert (inputs["token_ids"][np.arange(9), lengths - 1] == vocabulary.sep_id).all()
        seen += [
            (tuple(ids[: int(n)]), label)
            for ids, n, label in zip(inputs["token_ids"], lengths, labels, strict=True)
        ]
    assert len(seen) == 203 // 9 * 9


class Killed(Exception):
    pass


def test_killed_and_resumed_equals_uninterrupted(record, make_finetuning, tmp_path, monkeypatch):
    """Killed in the second seed, three steps after a checkpoint; the first is not repeated."""
    config = make_finetuning(f"run.directory={tmp_path / 'run'}")
    whole, seen = finetune.loop.stretches, []

    def broken(*arguments, **options):
        for stretch in whole(*arguments, **options):
            yield stretch
            seen.append(stretch.step)
            if seen.count(70) == 2:
                raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(finetune.loop, "stretches", broken)
        finetune.finetune(config)
    keras.utils.set_random_seed(999)
    resumed = finetune.finetune(config, resume=True)

    def figures(runs):
        return [{key: run[key] for key in run if key != "seconds"} for run in runs]

    assert figures(resumed["runs"]) == figures(record["runs"])
    assert resumed["scores"] == record["scores"]
    with pytest.raises(UserError, match=r"already holds a run: .*--resume, .*--force"):
        finetune.finetune(config)
    other = make_finetuning(f"run.directory={tmp_path / 'run'}", "optimizer.learning_rate=1e-3")
    with pytest.raises(UserError, match=r"was made with optimizer\.learning_rate = 0\.005, not"):
        finetune.finetune(other, resume=True)


def test_stops_early_with_the_weights_of_the_best_epoch(make_finetuning, tmp_path, monkeypatch):
    # Dev accuracies of the epochs, then the test accuracy.
    accuracies, tables = iter([0.5, 0.7, 0.7, 0.6, 0.9]), []

    def judge(run, model, split):
        tables.append(keras.ops.convert_to_numpy(model.classifier.weights[0]).copy())
        return {"accuracy": next(accuracies)}, []

    monkeypatch.setattr(finetune, "_judge", judge)
    config = make_finetuning(
        f"run.directory={tmp_path / 'run'}", "training.seeds=1", "training.patience=2"
    )
    (run,) = finetune.finetune(config)["runs"]
    assert run["steps"] == 4 * 20 and len(run["history"]) == 4
    assert np.array_equal(tables[4], tables[1]) and not np.array_equal(tables[4], tables[3])


def test_from_scratch_with_characters_of_the_training_rows(make_finetuning, tmp_path):
    config = make_finetuning(
        f"run.directory={tmp_path / 'run'}",
        "training.checkpoint=",
        "training.seeds=1",
        "training.epochs=1",
        "training.tensorboard=true",
        "model.num_layers=1",
        "model.hidden_dim=6",
        "model.intermediate_dim=5",
        "model.max_sequence_length=23",
        "model.position_scale=0.25",
    )
    result = finetune.finetune(config)
    assert result["encoder"] == "sizes of [model]" and result["checkpoint"] == ""
    assert result["runs"][0]["steps"] == 20
    assert set(read_scalars(tmp_path / "run")) == {"seed_13/train_loss", "seed_13/dev_accuracy"}
    with np.load(tmp_path / "run" / "checkpoint.npz") as file:
        table = next(file[n] for n in file.files if n.endswith("token_embedding/embeddings"))
    assert table.shape == (len(SPECIAL_TOKENS) + len(HEADS) + 2, 6)
    with pytest.raises(UserError, match="exceeds what the encoder"):
        finetune.finetune(
            make_finetuning("training.checkpoint=", "data.max_sequence_length=65"), force=True
        )


def test_scratch_takes_the_sizes_of_the_checkpoint_but_not_its_weights(make_finetuning, checkpoint):
    pretrained, vocabulary, _ = load_backbone(checkpoint)
    source = EncoderSource(make_finetuning("training.scratch=true"), list)
    keras.utils.set_random_seed(3)
    fresh = source.build()
    keras.utils.set_random_seed(3)
    again = source.build()
    assert source.vocabulary.tokens == vocabulary.tokens
    shapes = [v.shape for v in fresh.variables]
    assert shapes == [v.shape for v in pretrained.variables]
    kernels = [
        [keras.ops.convert_to_numpy(v) for v in b.trainable_variables if "kernel" in v.path]
        for b in (pretrained, fresh, again)
    ]
    for old, new, same in zip(*kernels, strict=True):
        assert not np.array_equal(old, new) and np.array_equal(new, same)


def test_a_vocabulary_of_another_size_is_refused(checkpoint, tmp_path):
    folder = tmp_path / "encoder"
    shutil.copytree(checkpoint, folder)
    with (folder / "vocab.txt").open("a", encoding="utf-8") as file:
        file.write("鑫\n")
    with pytest.raises(UserError, match=r"vocab\.txt has \d+ tokens, the weights \d+") as caught:
        load_backbone(folder)
    assert "\n" not in str(caught.value)


def test_mistakes(make_finetuning, tmp_path):
    folder = f"run.directory={tmp_path / 'run'}"
    with pytest.raises(UserError, match="run bert-keras pretrain first"):
        finetune.finetune(make_finetuning(f"training.checkpoint={tmp_path / 'none'}", folder))
    with pytest.raises(UserError, match="exceeds what the encoder"):
        finetune.finetune(make_finetuning("data.max_sequence_length=400", folder))
    with pytest.raises(UserError, match="there is no file"):
        finetune.finetune(make_finetuning("data.path=none.csv", folder))
    assert not (tmp_path / "run").exists()


def test_the_best_seed_is_kept_and_answers_about_new_texts(record, make_finetuning, tmp_path):
    folder = Path(make_finetuning().run.directory)
    best = max(record["runs"], key=lambda run: run["dev"])
    assert best["dev"] == best["history"][-1]["dev_accuracy"]
    rows = finetune.tasks.load(make_finetuning().data)[1]["test"]
    predictor = Predictor.load(folder)
    answers = predictor([[row.text] for row in rows])
    file = folder / f"predictions_{best['seed']}.tsv"
    there = [line.split("\t")[1] for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    assert [str(answer.said) for answer in answers] == there
    for answer in answers:
        assert max(answer.probabilities, key=answer.probabilities.get) == answer.said
        assert sum(answer.probabilities.values()) == pytest.approx(1)
    with pytest.raises(ConfigError, match=r"classification needs a text, .*not \['天', '地'\]"):
        predictor([["天", "地"]])
    with pytest.raises(ConfigError, match="needs a text"):
        predictor([["  "]])
    assert predictor([]) == []
    # The encoder is one like any other, and what is compressed answers still.
    assert load_backbone(folder)[0].count_params() == predictor.model.backbone.count_params()
    words = ["compress", str(folder), str(tmp_path / "small"), "--zeros", "0.01", "--json"]
    assert main(words) == 0
    assert len(Predictor.load(tmp_path / "small")([["天红地"]])) == 1


def test_answers_on_the_command_line(record, make_finetuning, tmp_path, capsys, monkeypatch):
    folder = make_finetuning().run.directory
    assert main(["predict", folder, "天红地", "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert answer["said"] == 1 and answer["texts"] == ["天红地"]
    monkeypatch.setattr("sys.stdin", io.StringIO("天红地\n\n水黑火\n"))
    assert main(["predict", folder]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(line[0], line[2]) for line in lines] == [("1", "天红地"), ("0", "水黑火")]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["predict", folder]) == 2 and "there is no text" in capsys.readouterr().err
    assert main(["predict", str(tmp_path), "天"]) == 2
    assert "no fine-tuned model" in capsys.readouterr().err
    damaged = shutil.copytree(folder, tmp_path / "damaged")
    (damaged / "head.npz").write_bytes(b"")
    assert main(["predict", str(damaged), "天"]) == 2
    assert "can't be read" in capsys.readouterr().err
