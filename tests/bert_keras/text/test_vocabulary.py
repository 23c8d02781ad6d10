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
