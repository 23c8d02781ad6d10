import json

import pytest
from made_archives import disjoint

from bert_keras.text import corpora
from bert_keras.text.corpora import inference, pair_files, paraphrases
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Pair


def test_lcqmc_with_and_without_a_header(tmp_path):
    rows = "".join(f"问题{n}\t疑问{n}\t{n % 2}\n" for n in range(20))
    (tmp_path / "a.tsv").write_text("text_a\ttext_b\tlabel\n" + rows, encoding="utf-8")
    (tmp_path / "b.txt").write_text(rows, encoding="utf-8")
    parts = [paraphrases.load(tmp_path / name) for name in ("a.tsv", "b.txt")]
    assert parts[0] == parts[1]
    assert sum(map(len, parts[0].values())) == 20
    assert Pair("问题3", "疑问3", 1) in [row for rows in parts[0].values() for row in rows]


def test_afqmc_and_mrpc_columns(tmp_path):
    (tmp_path / "train.json").write_text(
        "\n".join(
            json.dumps({"sentence1": f"a{n}", "sentence2": "b", "label": "0"}) for n in range(20)
        )
    )
    (tmp_path / "dev.json").write_text('{"sentence1": "c", "sentence2": "d", "label": "1"}')
    (tmp_path / "test.json").write_text('{"id": 1, "sentence1": "c", "sentence2": "d"}')
    assert pair_files.load(tmp_path)["test"] == [Pair("c", "d", 1)]
    mrpc = tmp_path / "mrpc.tsv"
    mrpc.write_text('Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t7\t8\tHe said "no\tNo .\n')
    assert pair_files.load(mrpc)["train"] == [Pair('He said "no', "No .", 1)]


def test_similarity_is_a_number(tmp_path):
    """As GLUE has STS-B: ten columns, the number last; the test part is secret."""
    header = "index\tgenre\tfile\tyear\told\tsource1\tsource2\tsentence1\tsentence2"
    row = "{n}\tnews\tf\t2012\t1\tx\ty\ta {n} {part}\tb\t{score}\n"
    for part in ("train", "dev"):
        rows = (row.format(n=n, part=part, score=n / 4) for n in range(20))
        (tmp_path / f"{part}.tsv").write_text(f"{header}\tscore\n" + "".join(rows))
    (tmp_path / "test.tsv").write_text(f"{header}\n1\tnews\tf\t2012\t1\tx\ty\tc\td\n")
    parts = corpora.load("similarity", tmp_path)
    assert {name: len(rows) for name, rows in parts.items()} == {"train": 18, "dev": 2, "test": 20}
    assert parts["test"][3] == Pair("a 3 dev", "b", 0.75)
    assert all(type(row.label) is float for rows in parts.values() for row in rows)
    (tmp_path / "dev.tsv").write_text("sentence1\tsentence2\tscore\na\tb\tmuch\n")
    with pytest.raises(CorpusError, match=r"dev\.tsv, row 1: score 'much' is not a number"):
        corpora.load("similarity", tmp_path)


def test_mnli_and_snli_labels(tmp_path):
    header = "index\tsentence1\tsentence2\tlabel1\tgold_label\n"
    for name in ("train", "dev_matched"):
        (tmp_path / f"{name}.tsv").write_text(
            header
            + "".join(
                f"{n}\tp{n} {name}\th\tneutral\t{label}\n"
                for n, label in enumerate(["entailment", "neutral", "contradiction", "-"] * 5)
            )
        )
    (tmp_path / "test_matched.tsv").write_text("index\tsentence1\tsentence2\n0\tx\ty\n")
    parts = inference.load(tmp_path)
    assert [row.label for row in parts["test"]] == [0, 1, 2] * 5
    assert len(parts["train"]) + len(parts["dev"]) == 15


def test_pairs_repeat_in_either_order(tmp_path):
    for name, row in (("train", "a\tb\t1\nc\td\t0"), ("dev", "b\ta\t1"), ("test", "e\tf\t0")):
        (tmp_path / f"{name}.tsv").write_text(f"text1\ttext2\tlabel\n{row}\n")
    parts = paraphrases.load(tmp_path)
    assert parts["train"] == [Pair("c", "d", 0)] and parts["dev"] == [Pair("b", "a", 1)]
    assert disjoint(parts, pair_files.unordered)


def test_one_premise_stays_in_one_part(tmp_path):
    path = tmp_path / "a.tsv"
    rows = "".join(f"p{n // 4}\th{n}\t{n % 3}\n" for n in range(200))
    path.write_text("premise\thypothesis\tlabel\n" + rows)
    assert disjoint(inference.load(path), lambda row: row.a)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sentence1\tsentence2\tlabel\na\tb\t2\n", r"row 1: label '2' is not 0 or 1"),
        ("sentence1\tsentence2\tlabel\na\t\t1\n", r"row 1: expected two sentences, one is empty"),
        ("sentence1\tlabel\na\t1\n", r"needs the columns sentence1 and sentence2 and label"),
    ],
)
def test_bad_rows_are_named(tmp_path, content, message):
    (tmp_path / "a.tsv").write_text(content)
    with pytest.raises(CorpusError, match=message):
        paraphrases.load(tmp_path / "a.tsv")
