import numpy as np
import pytest

from bert_keras.text.corpora import peoples_daily
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import prepare


def test_what_is_read_is_what_was_written(prepared, text_file):
    corpus = prepare.load(prepared)
    paragraphs = peoples_daily.load(text_file)
    tokenizer = WordPieceTokenizer(corpus.vocabulary)
    for name, rows in paragraphs.items():
        expected = [tokenizer.encode(s) for p in rows for s in p.sentences]
        assert [s.tolist() for s in corpus.splits[name].sentences] == expected
        positions = [p.position for p in rows for _ in p.sentences]
        assert corpus.splits[name].paragraph.tolist() == positions


def test_vocabulary_comes_from_the_train_split_only(make_config, tmp_path, text_file):
    lines = text_file.read_text(encoding="utf-8").splitlines()
    split = peoples_daily.split_of
    held_out = next(n for n in range(len(lines)) if split(n) == "test")
    lines[held_out] = lines[held_out].replace("。", "龘。", 1)
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    config = make_config(tmp_path / "run", f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    prepare.prepare(config)
    corpus = prepare.load(tmp_path / "d")
    assert "龘" not in corpus.vocabulary
    test_ids = np.concatenate(corpus.splits["test"].sentences)
    assert (test_ids == corpus.vocabulary.unk_id).sum() == 1


def test_done_once_and_again_when_something_changed(make_config, tmp_path):
    directory = f"data.directory={tmp_path / 'd'}"
    first = prepare.prepare(make_config(tmp_path, directory))
    assert not first["already_prepared"]
    second = prepare.prepare(make_config(tmp_path, directory))
    assert second["already_prepared"] and second["checksum"] == first["checksum"]
    third = prepare.prepare(make_config(tmp_path, directory, "data.paragraphs=40"))
    assert not third["already_prepared"] and third["splits"]["train"]["paragraphs"] == 40


def test_a_folder_with_other_files_is_left_alone(make_config, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(CorpusError, match="holds other files"):
        prepare.prepare(make_config(tmp_path, f"data.directory={tmp_path}"))
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_damage_is_noticed(make_config, tmp_path):
    folder = tmp_path / "d"
    prepare.prepare(make_config(tmp_path, f"data.directory={folder}"))
    with pytest.raises(CorpusError, match="run bert-keras prepare"):
        prepare.load(tmp_path / "none")
    with np.load(folder / "corpus.npz") as file:
        arrays = dict(file)
    arrays["train_ids"] = arrays["train_ids"][::-1]
    np.savez(folder / "corpus.npz", **arrays)
    with pytest.raises(CorpusError, match="damaged"):
        prepare.load(folder)
    (folder / "corpus.npz").write_bytes(b"not a zip")
    with pytest.raises(CorpusError, match="cannot read"):
        prepare.load(folder)


def test_too_short_a_text(make_config, tmp_path):
    path = tmp_path / "short.txt"
    path.write_text("只有一段话,不够用来训练任何东西的。", encoding="utf-8")
    config = make_config(tmp_path, f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    with pytest.raises(CorpusError, match="has no paragraphs for"):
        prepare.prepare(config)
    assert not (tmp_path / "d").exists()
