"""A made-up text in which the middle of a phrase follows from its two neighbours."""

import os
import random

import pytest
from prepare_kit import paragraph_of

from bert_keras.training import config as configuration
from bert_keras.training import prepare as prepare_module
from bert_keras.training import sections, sources
from bert_keras.training.prepare import prepare

HEADS = "天地人山水火风云"
TAILS = "红黄蓝白黑青紫绿"


def made_up_text(lines=900, seed=0):
    rng = random.Random(seed)
    rows = []
    for _ in range(lines):
        topic = rng.randrange(8)
        sentences = []
        for _ in range(3):
            words = []
            for _ in range(rng.randrange(3, 6)):
                head, tail = rng.randrange(8), rng.randrange(8)
                # The character in the middle is a function of both of its neighbours.
                words.append(HEADS[head] + "甲乙丙丁戊己庚辛"[(head + tail) % 8] + TAILS[tail])
            sentences.append(f"{'子丑寅卯辰巳午未'[topic]}{''.join(words)}。")
        rows.append("".join(sentences))
    return "\n".join(rows)


@pytest.fixture(scope="session")
def text_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(made_up_text(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def overrides(text_file, tmp_path_factory):
    """Settings of a run small enough for a test, without XLA's compile time."""
    data = tmp_path_factory.mktemp("data") / "prepared"
    return [
        f"data.path={text_file}",
        f"data.directory={data}",
        "data.minimum_count=1",
        "model.num_layers=1",
        "model.hidden_dim=24",
        "model.num_heads=3",
        "model.intermediate_dim=20",
        "model.max_sequence_length=29",
        "training.batch_size=14",
        "training.steps=9",
        "training.short_length=11",
        "training.short_share=0.45",
        "training.log_every=2",
        "training.checkpoint_every=3",
        "training.evaluation_pairs=50",
        "training.jit_compile=false",
        "training.mfu=false",
    ]


@pytest.fixture(scope="session")
def empty_config(tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "run.toml"
    path.write_text("", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def make_config(empty_config, overrides):
    def make(directory, *more):
        changes = [*overrides, f"run.directory={directory}", *more]
        return configuration.load(sections.PretrainConfig, empty_config, changes)

    return make


@pytest.fixture(scope="session")
def prepared(make_config, tmp_path_factory):
    config = make_config(tmp_path_factory.mktemp("unused"))
    prepare(config)
    return config.data.directory


@pytest.fixture(scope="session")
def documents():
    """120 documents of one to five paragraphs."""
    rng = random.Random(3)
    return [[paragraph_of(rng) for _ in range(rng.randrange(1, 6))] for _ in range(120)]


@pytest.fixture(scope="session")
def marked_file(documents, tmp_path_factory):
    """The documents as a text in which empty lines end them."""
    path = tmp_path_factory.mktemp("marked") / "text.txt"
    path.write_text("\n\n".join("\n".join(rows) for rows in documents), encoding="utf-8")
    return path


@pytest.fixture
def small_pieces(monkeypatch):
    """So that a text of a test has several pieces and shards."""
    monkeypatch.setattr(sources, "SMALLEST", 8000)


@pytest.fixture
def run_prepare(make_config, marked_file, tmp_path, monkeypatch):
    """Prepare the documents in a folder of `tmp_path`, without waiting for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)

    def run(name, *more, **how):
        settings = [f"data.path={marked_file}", f"data.directory={tmp_path / name}", *more]
        result = prepare_module.prepare(make_config(tmp_path / "run", *settings), **how)
        return tmp_path / name, result

    return run
