import itertools

import numpy as np
import pytest

from bert_keras.text.corpora import peoples_daily
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary, build_character_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize, is_chinese
from bert_keras.text.words import SegmentationError, encode_words, word_starts

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *"我爱北京天a", "un", "##aff", "##able", "##b", "##"])
TOKENIZER = WordPieceTokenizer(VOCABULARY)


def test_latin_words_begin_where_no_hashes_are():
    ids = np.array([VOCABULARY.ids(["[CLS]", "un", "##aff", "##able", "a", "我", "##", "[SEP]"])])
    starts = word_starts(ids, VOCABULARY)
    assert starts.tolist() == [[1, 1, 0, 0, 1, 1, 0, 1]]
    assert starts.dtype == np.uint8 and starts.shape == (1, 8)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("我爱北京天", ["我", "爱", "北京", "天"], [1, 1, 1, 0, 1]),
        ("我爱 北京\n天", ["我爱", "北京", "天"], [1, 0, 1, 0, 1]),
        ("unaffable北京", ["un", "affable北京"], [1, 0, 0, 0, 0]),  # ## goes with its word
        ("北京人a", ["北京人", "a"], [1, 0, 0, 1]),  # [UNK] inside a word
        (" 北京 ", [" ", "北京"], [1, 0]),
        ("北\u200b京", ["北\u200b京"], [1, 0]),
        ("", [], []),
    ],
)
def test_segmented_text(text, words, expected):
    ids, starts = encode_words(text, words, TOKENIZER)
    assert ids.tolist() == TOKENIZER.encode(text) and ids.dtype == np.int32
    assert starts.tolist() == expected and starts.dtype == np.uint8


def test_a_function_may_cut_the_words():
    ids, starts = encode_words("我爱北京", lambda text: [text[:2], text[2:]], TOKENIZER)
    assert starts.tolist() == [1, 0, 1, 0] and len(ids) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["我", "北京"], "'北京' expected at character 1"),
        (["我爱"], "ends at character 2"),
        (["我爱", "京北"], "'京北'"),
    ],
)
def test_words_of_another_text_are_refused(words, message):
    with pytest.raises(SegmentationError, match=message) as caught:
        encode_words("我爱北京", words, TOKENIZER)
    assert "\n" not in str(caught.value)


def test_the_newspapers_own_segmentation():
    try:
        lines = list(itertools.islice(peoples_daily.tagged_lines(), 300))
    except CorpusError as error:
        pytest.skip(str(error))
    texts = ["".join(word for word, _ in line) for line in lines]
    vocabulary = build_character_vocabulary(w for t in texts for w in basic_tokenize(t))
    tokenizer = WordPieceTokenizer(vocabulary)
    compared = 0
    for line, text in zip(lines, texts, strict=True):
        words = [word for word, _ in line]
        ids, starts = encode_words(text, words, tokenizer)
        assert ids.tolist() == tokenizer.encode(text)
        # A Chinese word starts with its first character and goes on with the others.
        marks = [
            start
            for token, start in zip(vocabulary.words(ids), starts.tolist(), strict=True)
            if is_chinese(token[0])
        ]
        expected = [
            int(place == 0)
            for word in words
            for place, character in enumerate(word)
            if is_chinese(character)
        ]
        if not any(is_chinese(c) and not is_chinese(w[0]) for w in words for c in w):
            assert marks == expected
            compared += len(marks)
    assert compared > 5000
