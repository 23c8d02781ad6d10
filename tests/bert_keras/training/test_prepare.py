import dataclasses
import random

import numpy as np
import pytest
from prepare_kit import CHARACTERS, paragraph_of

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.corpora.running_text import Paragraph
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training import prepare, sources, survey


def test_what_is_read_is_what_was_written(prepared, text_file):
    corpus = prepare.load(prepared)
    tokenizer = WordPieceTokenizer(corpus.vocabulary)
    lines = text_file.read_text(encoding="utf-8").splitlines()
    found = {}
    for name, split in corpus.splits.items():
        assert len(split.sentences) == len(split.paragraph)
        for ids, line in zip(split.sentences, split.paragraph.tolist(), strict=True):
            found.setdefault(line, (name, []))[1].append(ids.tolist())
        assert not split.marked.any() and split.starts is None
    assert sorted(found) == list(range(len(lines)))
    for line, (_, sentences) in found.items():
        expected = [tokenizer.encode(part + "。") for part in lines[line].split("。") if part]
        assert sentences == expected
    # Neighbours share a split, and 45 neighbourhoods are enough for all three.
    splits = [found[line][0] for line in range(len(lines))]
    assert all(len(set(splits[n : n + 20])) == 1 for n in range(0, len(lines), 20))
    assert set(splits) == {"train", "dev", "test"}


def test_ids_take_as_few_bytes_as_they_can(prepared):
    corpus = prepare.load(prepared)
    assert len(corpus.vocabulary) < 256
    assert corpus.splits["train"].sentences[0].dtype == np.uint8
    assert np.load(prepared + "/train-00000.ids.npy").dtype == np.uint8
    assert prepare.load(prepared).splits["dev"].sentences.lengths.min() > 0


def test_documents_stay_whole(run_prepare, documents):
    folder, result = run_prepare("d")
    corpus = prepare.load(folder)
    tokenizer = WordPieceTokenizer(corpus.vocabulary)
    first = np.cumsum([0, *(len(rows) for rows in documents)])  # paragraph that begins each
    seen = []
    for split in corpus.splits.values():
        assert split.marked.all()
        for number in np.unique(split.document):
            rows = np.flatnonzero(split.document == number)
            wanted = tokenizer.encode("".join(documents[number]))
            assert np.concatenate([split.sentences[n] for n in rows]).tolist() == wanted
            paragraphs = np.unique(split.paragraph[rows]).tolist()
            assert paragraphs == list(range(first[number], first[number + 1]))
            seen.append(number)
    assert sorted(seen) == list(range(len(documents)))
    assert result["splits"]["train"]["paragraphs"] == len(
        np.unique(corpus.splits["train"].paragraph)
    )


def test_headings_end_documents_where_nothing_marks_them(make_config, tmp_path):
    rng = random.Random(5)
    lines = []
    for number in range(300):
        lines += [f"第{number}章"] if number % 3 == 0 else []  # too short to be kept
        lines.append(paragraph_of(rng))
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    config = make_config(tmp_path, f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    prepare.prepare(config)
    train = prepare.load(tmp_path / "d").splits["train"]
    for document in np.unique(train.document):
        paragraphs = np.unique(train.paragraph[train.document == document])
        assert (np.diff(paragraphs) == 1).all() and len(paragraphs) <= 3
        assert document == paragraphs[0]


def test_repeated_texts_are_kept_once_across_pieces(
    make_config, documents, tmp_path, small_pieces, monkeypatch
):
    later = [["前言" + rows[0], rows[0]] for rows in documents[10:40]]
    every = [*documents, *later]
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join("\n".join(rows) for rows in every), encoding="utf-8")
    config = make_config(tmp_path, f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    result = prepare.prepare(config)
    assert result["repeated"] == 30
    corpus = prepare.load(tmp_path / "d")
    kept = np.concatenate([np.unique(split.paragraph) for split in corpus.splits.values()])
    lines = [text for rows in every for text in rows]
    assert sorted(kept.tolist()) == [n for n, text in enumerate(lines) if text not in lines[:n]]
    # Compared a few at a time, as signatures of a text larger than memory are.
    monkeypatch.setattr(survey, "IN_MEMORY", 37)
    again = dataclasses.replace(
        config, data=dataclasses.replace(config.data, directory=str(tmp_path / "e"))
    )
    assert prepare.prepare(again)["checksum"] == result["checksum"]


def test_nearly_equal_texts_are_left_out_if_asked(run_prepare, documents, make_config, tmp_path):
    rng = random.Random(4)
    originals = [text for rows in documents for text in rows if len(text) > 40][:12]
    # One character of each is changed: more than 80 % of its runs of four stay.
    near = []
    for text in originals:
        place = rng.randrange(3, 6)
        near.append([text[:place] + "卯" + text[place + 1 :]])
    path = tmp_path / "text.txt"
    every = [*documents, *near]
    path.write_text("\n\n".join("\n".join(rows) for rows in every), encoding="utf-8")
    assert run_prepare("exact", f"data.path={path}")[1]["repeated"] == 0
    folder, result = run_prepare("near", f"data.path={path}", "data.near_duplicates=0.7")
    assert result["repeated"] >= 9
    corpus = prepare.load(folder)
    kept = np.concatenate([np.unique(split.paragraph) for split in corpus.splits.values()])
    first = sum(len(rows) for rows in documents)
    assert (kept < first).sum() == first  # the originals stay
    assert (kept >= first).sum() == len(near) - result["repeated"]


def test_added_sets_give_their_train_split_and_keep_the_rest_clean(
    make_config, marked_file, documents, tmp_path, monkeypatch
):
    rng = random.Random(9)
    reviews = {name: [LabelledText(paragraph_of(rng), 1) for _ in range(30)] for name in ("train",)}
    reviews["dev"] = [LabelledText(documents[5][0], 0)]  # also in the main text
    reviews["test"] = [LabelledText(paragraph_of(rng), 0) for _ in range(30)]
    reviews["train"][7] = LabelledText(documents[6][0], 1)  # also in the main text
    monkeypatch.setattr(sources.corpora, "load", lambda name: {"reviews": reviews}[name])
    more = [f"data.path={marked_file}", f"data.directory={tmp_path / 'd'}"]
    config = make_config(tmp_path, *more, 'data.add=["reviews"]')
    assert prepare.prepare(config)["repeated"] == 2
    corpus = prepare.load(tmp_path / "d")
    tokenizer = WordPieceTokenizer(corpus.vocabulary)

    def texts(*splits):
        found = []
        for name in splits:
            split = corpus.splits[name]
            for number in np.unique(split.paragraph):
                rows = np.flatnonzero(split.paragraph == number)
                found.append(np.concatenate([split.sentences[n] for n in rows]).tolist())
        return found

    everywhere = texts("train", "dev", "test")
    for row in [*reviews["dev"], *reviews["test"]]:
        assert tokenizer.encode(row.text) not in everywhere
    assert everywhere.count(tokenizer.encode(documents[6][0])) == 1
    held_out = texts("dev", "test")
    for number, row in enumerate(reviews["train"]):
        ids = tokenizer.encode(row.text)
        assert ids in everywhere and (number == 7 or ids not in held_out)
    lengths = [len(rows) for rows in documents]
    assert corpus.splits["train"].paragraph.max() == sum(lengths) + 29
    assert len(np.unique(corpus.splits["train"].document[-40:])) > 5


def test_segmentation_is_kept(make_config, tmp_path, monkeypatch):
    rng = random.Random(2)
    rows = []
    for position in range(300):
        words = tuple(
            "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(1, 4))) for _ in range(12)
        )
        words = (*words, "AB", "12", "。")  # letters and digits are tokenized as one word
        rows.append(Paragraph(position, ("".join(words),), words=(words,)))
    splits = {"train": rows[:240], "dev": rows[240:270], "test": rows[270:]}
    monkeypatch.setattr(sources.corpora, "load", lambda name: splits)
    directory = f"data.directory={tmp_path / 'd'}"
    prepare.prepare(make_config(tmp_path, "data.path=", "data.corpus=made_up", directory))
    corpus = prepare.load(tmp_path / "d")
    split = corpus.splits["dev"]
    place = 0
    for number, row in enumerate(splits["dev"]):
        ids = split.sentences[number]
        starts = split.starts[slice(place, place + len(ids))]
        place += len(ids)
        expected = []
        for word in row.words[0][:-3]:
            expected += [1] + [0] * (len(word) - 1)
        pieces = corpus.vocabulary.words(ids[len(expected) :])
        expected += [0 if piece.startswith("##") else 1 for piece in pieces]
        assert starts.tolist() == expected and pieces[0] in ("ab", "a", "[UNK]")
    assert place == len(split.starts)


def test_vocabulary_comes_from_the_train_split_only(make_config, tmp_path, text_file, prepared):
    split = prepare.load(prepared).splits["test"]
    held_out = int(split.paragraph[0])
    lines = text_file.read_text(encoding="utf-8").splitlines()
    lines[held_out] = lines[held_out].replace("。", "龘。", 1)
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    config = make_config(tmp_path / "run", f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    prepare.prepare(config)
    corpus = prepare.load(tmp_path / "d")
    assert "龘" not in corpus.vocabulary
    test_ids = np.concatenate(corpus.splits["test"].sentences)
    assert (test_ids == corpus.vocabulary.unk_id).sum() == 1


def test_vocabulary_of_a_sample(run_prepare, documents):
    """A third of the text, drawn evenly, has nearly the frequencies of all of it."""
    whole, _ = run_prepare("whole", "data.minimum_count=1")
    characters = sum(len(text) for rows in documents for text in rows)
    part, _ = run_prepare(
        "part", "data.minimum_count=30", f"data.vocabulary_sample={characters // 3}"
    )
    assert set(Vocabulary.load(part / "vocab.txt").tokens) <= set(
        Vocabulary.load(whole / "vocab.txt").tokens
    )
    few, _ = run_prepare("few", "data.minimum_count=30", "data.vocabulary_sample=200")
    assert len(Vocabulary.load(few / "vocab.txt")) < len(Vocabulary.load(part / "vocab.txt")) > 20


def test_done_once_and_again_when_something_changed(
    run_prepare, marked_file, make_config, tmp_path
):
    _, first = run_prepare("d")
    assert not first["already_prepared"] and first["mb_per_second_per_core"] > 0
    _, second = run_prepare("d")
    assert second["already_prepared"] and second["checksum"] == first["checksum"]
    assert second["mb_per_second_per_core"] is None
    _, third = run_prepare("d", "data.paragraphs=9")
    assert not third["already_prepared"] and third["splits"]["train"]["paragraphs"] == 9
    changed = tmp_path / "changed.txt"
    changed.write_text(marked_file.read_text(encoding="utf-8")[:-30], encoding="utf-8")
    fourth = run_prepare("d", "data.paragraphs=9", f"data.path={changed}")[1]
    assert not fourth["already_prepared"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_with_other_files_is_left_alone(make_config, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(CorpusError, match="holds other files"):
        prepare.prepare(make_config(tmp_path, f"data.directory={tmp_path}"))
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_what_an_older_version_wrote_is_replaced(run_prepare, tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/corpus.npz").write_bytes(b"old")
    (tmp_path / "d/summary.json").write_text('{"settings": {"lowercase": true}}')
    with pytest.raises(CorpusError, match="another version; run bert-keras prepare again"):
        prepare.load(tmp_path / "d")
    run_prepare("d")
    assert prepare.load(tmp_path / "d") and not (tmp_path / "d/corpus.npz").exists()


def test_too_short_a_text(make_config, tmp_path):
    path = tmp_path / "short.txt"
    path.write_text("只有一段话,不够用来训练任何东西的。", encoding="utf-8")
    config = make_config(tmp_path, f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    with pytest.raises(CorpusError, match="has no paragraphs for"):
        prepare.prepare(config)
    assert [p.name for p in tmp_path.iterdir()] == ["short.txt"]


def test_a_text_that_is_not_utf8_is_named(make_config, tmp_path, documents):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(documents[0] * 100), encoding="gb18030")
    config = make_config(tmp_path, f"data.path={path}", f"data.directory={tmp_path / 'd'}")
    with pytest.raises(CorpusError, match=r"text.txt, line 1: .* not UTF-8"):
        prepare.prepare(config)
    assert [p.name for p in tmp_path.iterdir()] == ["text.txt"]


def test_a_set_without_running_text_is_refused(make_config, tmp_path, monkeypatch):
    rows = {name: [("a", "b")] for name in ("train", "dev", "test")}
    monkeypatch.setattr(sources.corpora, "load", lambda name: rows)
    config = make_config(tmp_path, "data.path=", "data.corpus=pairs")
    with pytest.raises(CorpusError, match="the set pairs has no running text"):
        prepare.prepare(config)
