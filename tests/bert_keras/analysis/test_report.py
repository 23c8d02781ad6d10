"""`bert-keras analyze`, from a folder and a file to a page."""

import json
import re

import numpy as np
import numpy_bert
import pytest

from bert_keras.__main__ import main

TEXTS = "a b c d\n\ne <f> g h i\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("analyze")
    numpy_bert.write_folder(where / "model", numpy_bert.random_weights())
    (where / "texts.txt").write_text(TEXTS, encoding="utf-8")
    return where


def analyze(folder, *more):
    return main(["analyze", str(folder / "model"), "--text", str(folder / "texts.txt"), *more])


def attention(weights, states, layer):
    """What the heads of a layer make of one row without padding, (N, T, T)."""
    start = f"bert.encoder.layer.{layer}.attention.self."
    query, key = (
        (states @ weights[f"{start}{n}.weight"].T + weights[f"{start}{n}.bias"])
        .reshape(len(states), numpy_bert.N, -1)
        .swapaxes(0, 1)
        for n in ("query", "key")
    )
    powers = np.exp(query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1]))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_the_numbers_are_those_of_the_model(folder, capsys):
    assert analyze(folder, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["texts"], found["layers"], found["heads"]) == (2, 2, 3)
    assert found["cut"] == 0 and set(found["roles"]) == {
        f"{a}-{b}" for a in (1, 2) for b in (1, 2, 3)
    }
    # The first text again, by hand: [CLS] a b c d [SEP], and the other by its own.
    weights = numpy_bert.random_weights()
    totals, count = np.zeros((2, 3)), 0
    for words in (list("abcd"), ["e", "[UNK]", "f", "[UNK]", "g", "h", "i"]):
        ids = [[numpy_bert.TOKENS.index(w) for w in ("[CLS]", *words, "[SEP]")]]
        batch = {
            "token_ids": np.array(ids),
            "segment_ids": np.zeros_like(ids),
            "padding_mask": np.ones_like(ids, bool),
        }
        hidden = numpy_bert.forward(weights, numpy_bert.CONFIG, batch)["hidden_states"]
        for layer in range(2):
            one = attention(weights, hidden[layer][0], layer)
            totals[layer] += -(one * np.log(one)).sum(axis=(-2, -1))
        count += len(ids[0])
    assert found["tokens"] == count
    np.testing.assert_allclose(found["table"]["entropy"], totals / count, atol=2e-4)


def test_the_page_has_every_head_and_asks_for_nothing(folder, capsys):
    out = folder / "report.html"
    assert analyze(folder, "--out", str(out), "--language", "zh") == 0
    said = capsys.readouterr().out
    assert "2 layers of 3 heads, 2 texts" in said and str(out) in said
    page = out.read_text(encoding="utf-8")
    assert page.count("<tr><th>") == 1 + 6 and "<th>2-3</th>" in page and "查询" in page
    assert not re.findall(r'(?:src|href)="?https?:', page)
    assert "url(" not in page and "@import" not in page


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("missing", "can't be read"),
        ("empty", "there is no text"),
        ("bytes", "not UTF-8"),
        ("model", "there is no"),
        ("out", "folder of"),
    ],
)
def test_bad_input_gets_one_line(folder, tmp_path, capsys, change, message):
    model, text, more = str(folder / "model"), tmp_path / "texts.txt", []
    if change != "missing":
        text.write_bytes({"empty": b"\n \n", "bytes": b"\xff\xfe\xfa"}.get(change, b"a b\n"))
    if change == "model":
        model = str(tmp_path / "nothing")
    if change == "out":
        more = ["--out", str(tmp_path / "no" / "report.html")]
    assert main(["analyze", model, "--text", str(text), *more]) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.err.count("\n") == 1 and not captured.out
