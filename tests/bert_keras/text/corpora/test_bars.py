from itertools import pairwise

import pytest

from bert_keras.text.corpora import bars
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import (
    Choice,
    Command,
    LabelledText,
    Pair,
    Question,
    TaggedTokens,
)


def test_majority_comes_from_training():
    splits = {
        "train": [LabelledText("a", 1)] * 3 + [LabelledText("b", 0)] * 2,
        "test": [LabelledText("c", 0)] * 3 + [LabelledText("d", 1)],
    }
    assert bars.majority(splits) == 0.25
    commands = {name: [Command("x", "Go", ("O",))] for name in ("train", "test")}
    assert bars.majority(commands, lambda row: row.intent) == 1.0


def test_word_counts_solve_what_words_tell():
    pytest.importorskip("sklearn")
    train = [
        LabelledText(f"{w} thing {n}", int(w == "good")) for n in range(20) for w in ("good", "bad")
    ]
    test = [LabelledText("good day", 1), LabelledText("bad day", 0), LabelledText("good bad", 0)]
    assert bars.tfidf_logistic({"train": train, "test": test[:2]}) == 1.0
    commands = [Command(row.text, str(row.label), ("O",) * 3) for row in train]
    assert bars.intent_logistic({"train": commands, "test": commands}) == 1.0
    chinese = [LabelledText("很好" if n % 2 else "很差", n % 2) for n in range(20)]
    splits = {"train": chinese, "test": chinese}
    assert bars.tfidf_logistic(splits, analyzer="char") == 1.0


def test_overlap_solves_pairs_that_overlap():
    pytest.importorskip("sklearn")
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    same = [Pair(f"{a} {b} x", f"{b} {a} y", 1) for a, b in pairwise(words)]
    other = [Pair(f"{a} x", f"{b} y", 0) for a, b in pairwise(words)]
    splits = {"train": same + other, "test": other[:3] + same[:3]}
    assert bars.overlap_logistic(splits) == 1.0
    flipped = [row._replace(label=1 - row.label) for row in splits["test"]]
    assert bars.overlap_logistic({**splits, "test": flipped}) == 0.0


def test_the_choice_with_the_rarest_common_words():
    pytest.importorskip("sklearn")
    row = Choice("the ship sank", ("the tree grew", "a ship is lost", "the end"), 1)
    assert bars.tfidf_choice({"train": [row], "test": [row, row._replace(label=0)]}) == 0.5


def test_longest_match_and_exact_matches():
    train = [TaggedTokens(("New", "York", "is"), ("B-LOC", "I-LOC", "O"))]
    test = [TaggedTokens(("in", "New", "York"), ("O", "B-LOC", "I-LOC")),
            TaggedTokens(("Ann", "Lee"), ("B-PER", "I-PER"))]  # fmt: skip
    # One of two names is found, nothing else: precision 1, recall 1/2.
    assert bars.longest_match({"train": train, "test": test}) == pytest.approx(2 / 3)
    questions = [Question("ab", "?", "a", 0), Question("cd", "?", "d", 1)]
    assert bars.exact_matches({"test": questions}, lambda row: row.context[0]) == 0.5


def test_without_scikit_learn_it_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(CorpusError, match="pip install scikit-learn"):
        bars.tfidf_logistic({"train": [], "test": []})
