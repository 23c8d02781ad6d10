import pytest

from bert_keras.text.corpora import published, tables
from bert_keras.text.corpora.archives import CorpusError


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("train-00000-of-00001.parquet", "train"),
        ("cmrc2018_dev.json", "dev"),
        ("validation-v1.1.json", "dev"),
        ("dev_matched.tsv", "dev"),
        ("eng.testa", "dev"),
        ("eng.testb", "test"),
        ("valid", "dev"),
        ("test", "test"),
        ("readme.txt", None),
        ("latest.json", None),  # "test" inside another word does not count
    ],
)
def test_part_by_name(name, part):
    assert published.part_of(name) == part


def lines(path):
    return path.read_text().split()


def test_a_file_is_left_to_the_caller_and_a_folder_is_split(tmp_path):
    for name in ("train.txt", "dev.txt", "test.txt", "train-2.txt", "notes.md"):
        (tmp_path / name).write_text(f"{name}/1 {name}/2")
    assert published.load_parts(tmp_path / "dev.txt", lines) == ["dev.txt/1", "dev.txt/2"]
    parts = published.load_parts(tmp_path, lines, (".txt",))
    assert sorted(parts["train"]) == [
        "train-2.txt/1",
        "train-2.txt/2",
        "train.txt/1",
        "train.txt/2",
    ]
    assert parts["test"] == ["test.txt/1", "test.txt/2"]


def test_secret_test_labels_make_dev_the_test(tmp_path):
    (tmp_path / "train.txt").write_text(" ".join(f"{n // 4}/{n}" for n in range(200)))
    (tmp_path / "dev.txt").write_text("x y")
    with pytest.raises(CorpusError, match="no rows for test"):
        published.load_parts(tmp_path, lines, (".txt",))
    parts = published.load_parts(
        tmp_path, lines, (".txt",), hidden_test=True, group=lambda row: row.split("/")[0]
    )
    assert parts["test"] == ["x", "y"]
    assert len(parts["train"]) == 180 and len(parts["dev"]) == 20
    groups = [{row.split("/")[0] for row in parts[name]} for name in ("train", "dev")]
    assert not groups[0] & groups[1]


def test_missing_things_are_named(tmp_path):
    (tmp_path / "test.tsv").write_text("sentence\n")
    with pytest.raises(CorpusError, match=r"test\.tsv has no rows with labels"):
        published.load_parts(tmp_path / "test.tsv", lambda path: [])
    with pytest.raises(CorpusError, match="there is no file or folder"):
        published.load_parts(tmp_path / "none", lines)
    (tmp_path / "train").mkdir()
    with pytest.raises(CorpusError, match="no rows for train: expected folders named train"):
        published.load_parts(tmp_path, lambda path: [], folders=True)


@pytest.mark.parametrize(
    ("name", "rows", "hidden"),
    [
        ("test.tsv", "index\tsentence\n0\tx\n", True),
        ("test.tsv", "sentence\tlabel\nx\t-1\n", True),
        ("test.tsv", "sentence\tlabel\nx\t1\n", False),
        ("train.tsv", "index\tsentence\n0\tx\n", False),  # there it is a mistake
    ],
)
def test_hidden_labels(tmp_path, name, rows, hidden):
    (tmp_path / name).write_text(rows)
    assert published.labels_are_hidden(tables.read(tmp_path / name)) is hidden
