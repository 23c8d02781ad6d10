import pytest

from bert_keras.text.decoding import decode
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary, VocabularyError
from bert_keras.text.wordpiece import WordPieceTokenizer

WORDS = ["un", "##aff", "##able", "cat", "cats", "天", "地", *".,!?()\"'。，", "##s", "3", "$"]
VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *WORDS])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unaffable cats, 3 cats!", "unaffable cats, 3 cats!"),
        ("天地,cat天 cat", "天地, cat天cat"),
        ("天地。地,天", "天地。地,天"),
        ("cat (cat) $3?", "cat (cat) $ 3?"),
        ("cat dog [MASK] 天[MASK]", "cat [UNK] [MASK]天[MASK]"),
        ("", ""),
    ],
)
def test_text_comes_back_for_reading(text, expected):
    assert decode(WordPieceTokenizer(VOCABULARY).encode(text), VOCABULARY) == expected


def test_frame_and_padding_are_left_out():
    ids = VOCABULARY.ids(["[CLS]", "cat", "##s", "[SEP]", "##s", "天", "[SEP]", "[PAD]"])
    assert decode(ids, VOCABULARY) == "catss天"
    assert decode([], VOCABULARY) == "" and decode([0, 2, 3], VOCABULARY) == ""


def test_ids_out_of_range_are_refused():
    with pytest.raises(VocabularyError, match=r"id 99 is not in the vocabulary of \d+ tokens"):
        decode([5, 99], VOCABULARY)
    with pytest.raises(VocabularyError, match="id -1"):
        VOCABULARY.words([-1])
