import subprocess
import sys

import pytest

from bert_keras.text.vocabulary import (
    SPECIAL_TOKENS,
    Vocabulary,
    VocabularyError,
    build_character_vocabulary,
    train_wordpiece_vocabulary,
)


def test_ids_and_words_are_inverse_and_unknown_is_unk():
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "天", "地", "##s"])
    assert vocabulary.ids(["地", "天", "人", "##s"]) == [6, 5, 1, 7]
    assert vocabulary.words([6, 5, 7]) == ["地", "天", "##s"]
    assert len(vocabulary) == 8
    assert "天" in vocabulary and "人" not in vocabulary


def test_special_tokens_may_stand_anywhere():
    vocabulary = Vocabulary(["[UNK]", "天", "[MASK]", "[SEP]", "[PAD]", "[CLS]", "地"])
    ids = (vocabulary.pad_id, vocabulary.unk_id, vocabulary.cls_id)
    assert (*ids, vocabulary.sep_id, vocabulary.mask_id) == (4, 0, 5, 3, 2)
    assert vocabulary.ordinary_ids.tolist() == [1, 6]


def test_characters_are_ranked_by_count_and_continuations_counted_apart():
    words = ["天", "天", "地", "ab", "a", "ab", "地", "天"]
    vocabulary = build_character_vocabulary(words, minimum_count=2)
    assert vocabulary.tokens[5:] == ("a", "天", "##b", "地")
    assert build_character_vocabulary(words, size=7).tokens[5:] == ("a", "天")


def test_file_round_trip_keeps_odd_line_separators(tmp_path):
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "天", "\u2028", "\x85", "ü"])
    vocabulary.save(tmp_path / "vocab.txt")
    assert Vocabulary.load(tmp_path / "vocab.txt").tokens == vocabulary.tokens
    windows = (tmp_path / "vocab.txt").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "windows.txt").write_bytes(windows)
    assert Vocabulary.load(tmp_path / "windows.txt").tokens == vocabulary.tokens


def test_trained_wordpiece_vocabulary_learns_a_frequent_word():
    texts = ["transformer transformer 天 地"] * 9 + ["form"] * 5
    vocabulary = train_wordpiece_vocabulary(texts, size=60)
    assert vocabulary.tokens[:5] == SPECIAL_TOKENS
    assert {"天", "地", "transformer"} <= set(vocabulary.tokens)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n", r"lacks \[MASK\]"),
        ("\n".join([*SPECIAL_TOKENS, "天", "天"]).encode(), "'天' twice"),
        (
            "\n".join([*SPECIAL_TOKENS, "天", "", "地"]).encode(),
            "token 6 of the vocabulary is empty",
        ),
        (b"", r"lacks \[PAD\], \[UNK\]"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (None, "No such file"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "vocab.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VocabularyError, match=message) as caught:
        Vocabulary.load(path)
    assert "\n" not in str(caught.value) and "vocab.txt" in str(caught.value)


TRAINING = [
    "the cat sat on the mat",
    "on the mat sat the cat",
    "天地玄黄 宇宙洪荒",
    "ab ba ab ba xy yx",
]


def test_the_same_text_gives_the_same_vocabulary_in_every_process():
    # The library's hash tables are seeded anew in every process and for every table.
    code = (
        "from bert_keras.text.vocabulary import train_wordpiece_vocabulary as train; "
        f"print(train({TRAINING * 3!r}, size=70).tokens)"
    )
    made = {subprocess.check_output([sys.executable, "-c", code], text=True)}
    made |= {f"{train_wordpiece_vocabulary(TRAINING * 3, size=70).tokens}\n" for _ in range(9)}
    assert len(made) == 1


def test_sizes_are_kept():
    characters = {w for t in TRAINING for w in t.replace(" ", "")}
    for size in range(6, 50):
        made = train_wordpiece_vocabulary(TRAINING * 9, size=size)
        assert len(made) == size if size < 25 else len(made) <= size
    # The text runs out of pairs that are frequent enough: only characters are left.
    rare = train_wordpiece_vocabulary(TRAINING, size=999, minimum_count=100)
    assert characters < set(rare.tokens) and max(map(len, rare.tokens[5:])) == 3
    assert len(train_wordpiece_vocabulary(TRAINING, size=999, minimum_count=1)) > len(rare)


def test_sizes_without_room_are_refused():
    for size in (-1, 0, 5):
        with pytest.raises(VocabularyError, match=f"vocabulary of {size} tokens has no room"):
            train_wordpiece_vocabulary(TRAINING, size=size)
        with pytest.raises(VocabularyError, match="no room"):
            build_character_vocabulary(["a"], size=size)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "天"])
    path = tmp_path / "vocab.txt"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(VocabularyError, match="cannot write the vocabulary"):
        vocabulary.save(tmp_path / "nowhere" / "vocab.txt")
    broken = Vocabulary([*SPECIAL_TOKENS, "\ud800"])  # cannot be written as UTF-8
    with pytest.raises(VocabularyError, match=r"cannot write .*vocab\.txt"):
        broken.save(path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["vocab.txt"]
    vocabulary.save(path)
    assert Vocabulary.load(path).tokens == vocabulary.tokens
    assert [p.name for p in tmp_path.iterdir()] == ["vocab.txt"]
