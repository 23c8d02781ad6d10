"""Every task trains, is judged and leaves its predictions behind, from the command line on."""

import itertools
import json
import random
from pathlib import Path

import pytest

from bert_keras.text.corpora.generated_relations import mark
from bert_keras.text.corpora.labelled import entities
from bert_keras.training import finetune, tasks
from bert_keras.training.config import ConfigError, load
from bert_keras.training.finetune_sections import FinetuneConfig, TaskSection
from bert_keras.training.predictor import Predictor

TABLE = """startphrase,ending0,ending1,label
红 山,天 地,人 人,0
黑 山,天 地,人 人,1
红 水,天 人,人 地,0
黑 水,天 人,人 地,1
红 火,地 天,地 人,0
黑 火,地 天,地 人,1
"""
SETS = {
    "pairs": ["data.corpus=inference", "data.language=zh"],
    "choices": [],
    "tagging": ["data.corpus=generated_entities", "data.language=en"],
    "spans": ["data.corpus=generated_facts", "data.language=en", "data.stride=9"],
    "intents": ["data.corpus=generated_commands", "data.language=zh"],
    "relations": ["data.language=en"],
    "coreference": ["data.language=zh"],
    "claims": ["data.language=en"],
    "writing": ["data.max_target=6"],
}


@pytest.fixture
def config(tmp_path):
    def make(task, *more):
        changes = [
            f"run.directory={tmp_path / 'run'}",
            f"data.task={task}",
            "data.rows=60",
            "data.max_sequence_length=32",
            "training.checkpoint=",
            "training.seeds=1",
            "training.epochs=1",
            "training.batch_size=8",
            "training.bucket_width=32",
            "training.jit_compile=false",
            "model.num_layers=1",
            "model.hidden_dim=8",
            "model.intermediate_dim=6",
            "model.max_sequence_length=32",
            *SETS[task],
            *more,
        ]
        file = tmp_path / "config.toml"
        file.write_text("", encoding="utf-8")
        return load(FinetuneConfig, file, changes)

    return make


def test_a_task_that_there_is_not(config):
    with pytest.raises(ConfigError, match=r"data\.task must be classification, .* not 'tags'"):
        config("pairs", "data.task=tags")
    with pytest.raises(ConfigError, match=r"data\.decoder must be legal, crf or best, not 'Crf'"):
        config("tagging", "data.decoder=Crf")
    with pytest.raises(ConfigError, match=r"data\.measure must be accuracy, .* not 'F1'"):
        config("pairs", "data.measure=F1")
    with pytest.raises(ConfigError, match="for classification and pairs; tagging has its own"):
        config("tagging", "data.measure=f1")


# The two with most of their own: windows, and targets of two kinds.
SLOW = [
    pytest.param(name, marks=pytest.mark.slow) for name in SETS if name not in ("spans", "intents")
]


@pytest.mark.parametrize("task", ["spans", "intents", *SLOW])
def test_trains_and_is_judged(config, task, tmp_path):
    more = []
    if task == "choices":
        path = tmp_path / "choices.csv"
        path.write_text(TABLE, encoding="utf-8")
        lines = TABLE.splitlines()
        rows = [f"{line[:1]}{number}{line[1:]}" for number in range(20) for line in lines[1:]]
        path.write_text("\n".join([lines[0], *rows]) + "\n", encoding="utf-8")
        more = [f"data.path={path}"]
    elif task == "writing":
        path = tmp_path / "headlines.csv"
        rows = [f"{a} {b} {c},{a} {c}" for a in "天地人" for b in "山水火风" for c in "红黑白青"]
        path.write_text("document,summary\n" + "\n".join(rows) + "\n", encoding="utf-8")
        more = [f"data.path={path}"]
    record = finetune.finetune(config(task, *more))
    assert record["task"] == task and record["measure"] in record["scores"]
    assert all(0 <= score["mean"] <= 1 for score in record["scores"].values())
    (run,) = record["runs"]
    assert run["history"][0].keys() == {"epoch", "train_loss", f"dev_{record['measure']}"}
    (file,) = Path(record["config"]["run"]["directory"]).glob("predictions_13.*")
    text = file.read_text(encoding="utf-8")
    count = record["data"]["rows"]["test"]
    if task == "spans":
        assert len(json.loads(text)) == count
    elif task == "tagging":
        assert text.count("\n\n") == count
    elif task == "writing":
        assert len(text.split("\n")) == count + 1
    else:
        assert len(text.splitlines()) == count + 1
    answers_again(record, task, text)


def answers_again(record, task, text):
    """The model that was kept, given the test rows as somebody would write them."""
    config = record["config"]
    rows = tasks.load(TaskSection(**config["data"]))[1]["test"]
    predictor = Predictor.load(config["run"]["directory"])
    answers = predictor([WRITTEN[task](row) for row in rows])
    said = [answer.said for answer in answers]
    if task == "spans":
        assert said == list(json.loads(text).values())
    elif task == "tagging":
        blocks = [block.split("\n") for block in text.strip("\n").split("\n\n")]
        guesses = [[line.split(" ")[2] for line in block] for block in blocks]
        assert [len(names) for names in said] == [len(entities(tags)) for tags in guesses]
    elif task == "writing":
        assert said == text.split("\n")[:-1]
    elif task == "intents":
        assert [found["intent"] for found in said] == [
            line.split("\t")[0] for line in text.splitlines()[1:]
        ]
    else:
        there = [line.split("\t")[1] for line in text.splitlines()[1:]]
        if task == "choices":
            said = [row.choices.index(text) for text, row in zip(said, rows, strict=True)]
        assert [str(answer) for answer in said] == there
    certain = [answer.probabilities for answer in answers]
    if task in ("spans", "tagging", "writing"):
        assert certain == [None] * len(rows)
    else:
        assert all(sum(found.values()) == pytest.approx(1) for found in certain)


def _named(row):
    words = list(row.tokens)
    for noun in row.nouns:
        words[noun] = f"[{words[noun]}]"
    words[row.pronoun] = f"<{words[row.pronoun]}>"
    return [" ".join(words)]


# How a person writes the rows of a task down, without what is to be found out.
WRITTEN = {
    "pairs": lambda row: [row.a, row.b],
    "choices": lambda row: [row.context, *row.choices],
    "tagging": lambda row: [" ".join(row.tokens)],
    "spans": lambda row: [row.question, row.context],
    "intents": lambda row: [row.text],
    "relations": lambda row: [mark(row)],
    "coreference": _named,
    "claims": lambda row: [row.claim, *row.store],
    "writing": lambda row: [row.source],
}


def test_moves_between_tags_are_learned_and_used(config, tmp_path):
    """Names of two kinds take turns, whatever the words are."""
    rng, sentences = random.Random(2), set()
    while len(sentences) < 100:
        sentences.add("".join(rng.choices("天地人山水火", k=rng.randrange(3, 8))))
    path = tmp_path / "names.txt"
    rows = (
        "".join(f"{word} B-{'CA'[place % 2]}\n" for place, word in enumerate(sentence))
        for sentence in sorted(sentences)
    )
    path.write_text("\n".join(rows), encoding="utf-8")
    changes = [
        "data.corpus=named_entities",
        "data.language=",
        f"data.path={path}",
        "data.rows=0",
        "data.decoder=crf",
        "training.epochs=8",
        "optimizer.learning_rate=0.01",
    ]
    record = finetune.finetune(config("tagging", *changes))
    assert record["scores"]["word_accuracy"]["mean"] > 0.9
    assert record["baseline_measures"] == {"longest_match": "f1"}


def test_numbers_and_published_files(config, tmp_path):
    """A regression, and predictions in the form that SemEval-2010 Task 8 is judged in."""
    path = tmp_path / "alike.tsv"
    words = itertools.product(("red", "old", "wet"), ("sun", "sea", "sky"), ("sun", "sea", "ice"))
    rows = [f"{a} {b}\t{a} {c}\t{5.0 * (b == c)}" for a, b, c in words] * 2
    rows = [f"{number} {row}" for number, row in enumerate(rows)]
    path.write_text("sentence1\tsentence2\tscore\n" + "\n".join(rows) + "\n", encoding="utf-8")
    made = config("pairs", "data.corpus=similarity", "data.language=", f"data.path={path}")
    record = finetune.finetune(made)
    assert record["measure"] == "pearson" and set(record["scores"]) == {"pearson", "spearman"}
    assert list(record["baselines"]) == ["overlap_linear_regression"]
    path = tmp_path / "relations.txt"
    path.write_text(
        "".join(
            f'{n}\t"{a} <e1>{b}</e1> <e2>{c}</e2>"\n{label}\nComment:\n\n'
            for n, (a, b, c) in enumerate(itertools.product("abcd", "efg", "hijk"))
            for label in [("Other", "Cause-Effect(e2,e1)")[n % 2]]
        ),
        encoding="utf-8",
    )
    made = config("relations", "data.language=", f"data.path={path}")
    record = finetune.finetune(made, force=True)
    (file,) = Path(record["config"]["run"]["directory"]).glob("predictions_13.tsv")
    answers = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(answers) == record["data"]["rows"]["test"] == 4
    assert all(number.isdecimal() for number, _ in answers)
    assert {label for _, label in answers} <= {"Other", "Cause-Effect(e2,e1)"}
