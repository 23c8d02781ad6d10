import json
import random
from pathlib import Path

import numpy as np
import pytest

from bert_keras.errors import UserError
from bert_keras.text.corpora.chinese_reviews import Review
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import baselines, finetune, pretrain
from bert_keras.training.config import load
from bert_keras.training.sections import FinetuneConfig

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
            "optimizer.learning_rate=5e-3",
            *more,
        ]
        return load(FinetuneConfig, empty_config, changes)

    return make


@pytest.fixture(scope="module")
def record(make_finetuning):
    return finetune.finetune(make_finetuning())


def test_learns_a_keyword_and_records_the_run(record, make_finetuning):
    score = record["accuracy"]
    assert score["mean"] > 0.9 > score["majority"]
    assert score["tfidf_logistic_regression"] > 0.9
    runs = [run["test_accuracy"] for run in record["runs"]]
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
    import keras

    from bert_keras.training.checkpoints import load_backbone

    model = finetune._fresh_model(make_finetuning(), None, 3, 320)
    again = finetune._fresh_model(make_finetuning(), model, 4, 320)
    pretrained, _, _ = load_backbone(checkpoint)
    assert again is model
    both = zip(model.backbone.trainable_variables, pretrained.trainable_variables, strict=True)
    for pair in both:
        assert np.array_equal(*map(keras.ops.convert_to_numpy, pair))


def test_batches_have_one_width_and_use_every_row():
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *HEADS])
    rng = np.random.default_rng(0)
    reviews = [
        Review("".join(rng.choice(list(HEADS), size=n)), n % 2) for n in rng.integers(1, 40, 203)
    ]
    data = finetune.ReviewBatches(reviews, WordPieceTokenizer(vocabulary), 30, 7)
    seen = []
    for inputs, labels in data.epoch(9, np.random.default_rng(1)):
        width = inputs["token_ids"].shape[1]
        assert inputs["token_ids"].shape == (9, width) and (width % 7 == 0 or width == 30)
        lengths = inputs["padding_mask"].sum(axis=1)
        assert (inputs["token_ids"][np.arange(9), lengths - 1] == vocabulary.sep_id).all()
        seen += [
            (tuple(ids[: int(n)]), label)
            for ids, n, label in zip(inputs["token_ids"], lengths, labels, strict=True)
        ]
    assert len(seen) == 203 // 9 * 9


def test_baselines_by_hand():
    rows = [("好", 1), ("好好", 1), ("坏", 0)] * 10
    splits = {"train": rows, "test": [("好", 1), ("坏", 0), ("坏坏", 0), ("坏", 0)]}
    bars = baselines.classification_baselines(splits)
    assert bars == {"majority": 0.25, "tfidf_logistic_regression": 1.0}


def test_mistakes(make_finetuning, tmp_path):
    folder = f"run.directory={tmp_path / 'run'}"
    with pytest.raises(UserError, match="run bert-keras pretrain first"):
        finetune.finetune(make_finetuning(f"training.checkpoint={tmp_path / 'none'}", folder))
    with pytest.raises(UserError, match="exceeds what the encoder"):
        finetune.finetune(make_finetuning("data.max_sequence_length=400", folder))
    with pytest.raises(UserError, match="there is no file"):
        finetune.finetune(make_finetuning("data.path=none.csv", folder))
    assert not (tmp_path / "run").exists()
