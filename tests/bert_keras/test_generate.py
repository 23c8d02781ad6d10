"""`bert-keras generate` against a BERT written out in NumPy."""

import json

import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints, filling
from bert_keras.__main__ import main

WEIGHTS = numpy_bert.random_weights()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return numpy_bert.write_folder(tmp_path_factory.mktemp("generate") / "model", WEIGHTS)


@pytest.fixture(scope="module")
def filler(folder):
    return filling.load(folder)


def ids_of(words):
    return [numpy_bert.TOKENS.index(word) for word in words]


def right(words, segments=None):
    """Probabilities at every place without the special tokens, and of both sentence classes."""
    ids = np.array([ids_of(words)])
    batch = {
        "token_ids": ids,
        "segment_ids": np.array([segments or [0] * len(words)]),
        "padding_mask": np.ones_like(ids, bool),
    }
    found = numpy_bert.forward(WEIGHTS, numpy_bert.CONFIG, batch)
    logits = found["mlm_logits"][0].copy()
    logits[:, :5] = -np.inf
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    nsp = np.exp(found["nsp_logits"][0])
    return powers / powers.sum(-1, keepdims=True), nsp / nsp.sum()


def test_the_most_certain_gap_comes_first_and_is_read_by_the_next(filler):
    words = ["[CLS]", "a", "[MASK]", "c", "[MASK]", "e", "[MASK]", "[SEP]"]
    found = filler.fill("a [MASK] c [MASK] e [MASK]", top=3)
    turns = {}
    for turn in (1, 2, 3):
        open_places = [n for n, word in enumerate(words) if word == "[MASK]"]
        probability = right(words)[0]
        place = max(open_places, key=lambda n: probability[n].max())
        best = np.argsort(-probability[place])[:3]
        words[place] = numpy_bert.TOKENS[best[0]]
        turns[place] = (turn, [(numpy_bert.TOKENS[n], probability[place, n]) for n in best])
    assert found.text == " ".join(words[1:-1]) and found.second is None and found.is_next is None
    assert sorted(gap.turn for gap in found.gaps) == [1, 2, 3]
    for gap, place in zip(found.gaps, sorted(turns), strict=True):
        turn, expected = turns[place]
        assert gap.turn == turn and gap.token == gap.candidates[0][0]
        assert [token for token, _ in gap.candidates] == [token for token, _ in expected]
        for (_, probability), (_, wanted) in zip(gap.candidates, expected, strict=True):
            assert probability == pytest.approx(wanted, abs=1e-5)


def test_draws_follow_the_probabilities_and_the_seed(filler):
    probability = right(["[CLS]", "a", "[MASK]", "[SEP]"])[0][2]
    drawn = [filler.fill("a [MASK]", temperature=1.0, seed=n).gaps[0].token for n in range(60)]
    again = [filler.fill("a [MASK]", temperature=1.0, seed=n).gaps[0].token for n in range(5)]
    assert drawn[:5] == again
    best = int(probability.argmax())
    share = drawn.count(numpy_bert.TOKENS[best]) / 60
    # Four standard deviations of a share of 200 draws.
    assert (
        abs(share - probability[best])
        < 4 * (probability[best] * (1 - probability[best]) / 60) ** 0.5
    )
    cold = {filler.fill("a [MASK]", temperature=0.01, seed=n).gaps[0].token for n in range(5)}
    assert cold == {numpy_bert.TOKENS[best]}


def test_pairs(folder, capsys):
    words = ["[CLS]", "a", "b", "[SEP]", "c", "[MASK]", "[SEP]"]
    probability, is_next = right(words, [0, 0, 0, 0, 1, 1, 1])
    assert main(["generate", str(folder), "--pair", "a b", "c [MASK]", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert found["is_next"] == pytest.approx(is_next[0], abs=1e-5)
    token = numpy_bert.TOKENS[int(probability[5].argmax())]
    assert found["text"] == "a b" and found["second"] == f"c {token}"


def test_lines_of_standard_input_and_what_is_printed(folder, capsys, monkeypatch):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("a [MASK]\n\nb[MASK]c\td e\n"))
    assert main(["generate", str(folder), "--top", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 and lines[0][:2] == "a " and lines[2][0] == "b" and lines[2][-1] == "c"
    assert lines[3] == "d e" and lines[4].startswith("  is next: 0.")
    assert lines[1].startswith("  gap 1 (turn 1): ") and lines[1].count("0.") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a b"], "there is no [MASK] in 'a b'"),
        (["[MASK] " * 12], "has 14 tokens with the special ones; this model reads at most 11"),
        (["[MASK]", "--top", "0"], "--top must be at least 1"),
        (["[MASK]", "--temperature", "0"], "--temperature must be above 0"),
    ],
)
def test_mistakes_are_one_line(folder, capsys, words, message):
    assert main(["generate", str(folder), *words]) == 2
    out, errors = capsys.readouterr()
    assert out == "" and message in errors and errors.count("\n") == 1


def test_checkpoints_without_heads(tmp_path, capsys):
    weights = numpy_bert.random_weights(heads=False)
    bare = numpy_bert.write_folder(tmp_path / "bare", weights)
    assert main(["generate", str(bare), "a [MASK]"]) == 2
    errors = capsys.readouterr().err
    assert "no trained masked_lm head" in errors and "bert-keras pretrain" in errors
    assert errors.count("\n") == 1


def test_one_of_our_folders_keeps_the_heads(folder, filler, tmp_path):
    checkpoints.write(checkpoints.read(folder), tmp_path / "ours", "keras")
    found = filling.load(tmp_path / "ours").fill("a [MASK] c")
    assert found == filler.fill("a [MASK] c")


def test_pieces_join_the_word_before_them():
    assert filling._put("The dog [MASK] and [MASK].", ["##s", "ran"]) == "The dogs and ran."
    assert filling._put("今天天[MASK]很好", ["气"]) == "今天天气很好"
