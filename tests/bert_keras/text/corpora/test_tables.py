import json

import pytest

from bert_keras.text.corpora import tables
from bert_keras.text.corpora.archives import CorpusError

ROWS = [{"text": 'a "b', "label": "1"}, {"text": "c,d", "label": "0"}]


def write(path, rows=ROWS):
    if path.suffix == ".csv":
        path.write_text('text,label\n"a ""b",1\n"c,d",0\n', encoding="utf-8-sig")
    elif path.suffix in (".tsv", ".txt"):
        path.write_text("text\tlabel\n" + "".join(f"{r['text']}\t{r['label']}\n" for r in rows))
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    else:
        path.write_text(json.dumps({"data": rows} if "data" in path.name else rows))
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a.jsonl", "a.json", "data.json"])
def test_every_format_gives_the_same_rows(tmp_path, name):
    table = tables.read(write(tmp_path / name))
    assert table.columns == ["text", "label"] and table.rows == ROWS
    assert table.text(1, "text") == 'a "b'
    assert [table.choice(n, "label", {"0": 5, "1": 6}) for n in (1, 2)] == [6, 5]


def test_json_lines_that_are_called_json(tmp_path):
    path = tmp_path / "clue.json"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    assert tables.read(path).rows == ROWS


def test_numbers(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"x": {x}}}\n' for x in ('"2.5"', 3, "true", '"nan"', "null")))
    table = tables.read(path)
    assert [table.number(row, "x") for row in (1, 2)] == [2.5, 3.0]
    for row in (3, 4, 5):
        with pytest.raises(CorpusError, match=rf"a\.jsonl, row {row}: x .* is not a number"):
            table.number(row, "x")


def test_labels_may_be_whole_floats(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"label": 1.0}\n{"label": 0}\n{"label": 0.5}\n')
    table = tables.read(path)
    assert [table.choice(n, "label", {"0": 0, "1": 1}) for n in (1, 2)] == [1, 0]
    with pytest.raises(CorpusError, match=r"a.jsonl, row 3: label 0.5 is not 0 or 1"):
        table.choice(3, "label", {"0": 0, "1": 1})


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"text": ["x"], "label": [1]}), tmp_path / "a.parquet")
    assert tables.read(tmp_path / "a.parquet").rows == [{"text": "x", "label": 1}]
    (tmp_path / "b.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(CorpusError, match=r"cannot read .*b\.parquet"):
        tables.read(tmp_path / "b.parquet")


def test_without_pyarrow_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"")
    with pytest.raises(CorpusError, match="pip install pyarrow"):
        tables.read(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"text,label\nx,1,2\n", r"row 1: more cells than the header's 2"),
        ("a.csv", b"\xff\xfe\x00", r"cannot read .*a\.csv"),
        ("a.jsonl", b'{"a": 1}\n{"a": \n', r"row 2: expected one JSON object a line"),
        ("a.json", b"[1, 2]", r"expected a list of JSON objects"),
        ("a.json", b'{"data": 1}', r"expected a list of JSON objects"),
        ("a.json", b"\xff", r"byte 0 is not UTF-8"),
        ("a.doc", b"x", r"expected one of \.parquet"),
        ("a.csv", None, r"there is no file or folder"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message) as caught:
        tables.read(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_missing_columns_and_cells_are_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": null, "label": 1}\n')
    table = tables.read(path)
    with pytest.raises(CorpusError, match="needs the columns sentence and label, has text, label"):
        table.columns_for(sentence=("sentence", "review"), label=("label",))
    assert table.columns_for(sentence=("sentence", "text")) == {"sentence": "text"}
    with pytest.raises(CorpusError, match="row 1: text None is not a text"):
        table.text(1, "text")
    with pytest.raises(CorpusError) as caught:
        table.refuse(1, "text", "x" * 500, "short")
    assert len(str(caught.value)) < len(str(path)) + 120
