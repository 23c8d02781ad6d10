import unicodedata

import pytest
from tokenizers import BertWordPieceTokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer, basic_tokenize, wordpiece_tokenize

PROBES = [
    "Café  naïve\tÅngström — “quoted” text…",
    "中文和English混排,价格¥3.50(约$0.49)!",
    "İstanbul ΣΊΣΥΦΟΣ straße ǅ",
    "a\u200bb\x00c\ufffdd\x85e\u2028f",
    "ひらがな カタカナ 한국어 漢字 𠀀 﨎",
    "don't stop_now #tag @you 100% <b>x</b> `~^|",
    "",
    " \n\t ",
]


@pytest.mark.parametrize("lowercase", [True, False])
def test_equal_to_the_tokenizers_library_on_odd_text(lowercase, tmp_path):
    vocabulary = train_wordpiece_vocabulary(PROBES * 3, size=150, lowercase=lowercase)
    vocabulary.save(tmp_path / "vocab.txt")
    theirs = BertWordPieceTokenizer(str(tmp_path / "vocab.txt"), lowercase=lowercase)
    ours = WordPieceTokenizer(vocabulary, lowercase)
    for text in [*PROBES, "x" * 100 + " " + "x" * 101 + " text", "unseen 鬱 [mask] [MASK]x"]:
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False).ids, text


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_character_is_treated_as_in_the_tokenizers_library(lowercase):
    # Left out are characters that newer versions of Unicode added or put into another class: there
    # the two sides differ only by the age of their tables.
    old, new = unicodedata.ucd_3_2_0, unicodedata
    normalizer, splitter = BertNormalizer(lowercase=lowercase), BertPreTokenizer()
    for start in range(0, 0x30000, 16):
        characters = [chr(c) for c in range(start, start + 16)]
        stable = [c for c in characters if old.category(c) == new.category(c) not in ("Cn", "Cs")]
        text = " ".join(f"a{c}b" for c in stable)
        theirs = [w for w, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]
        assert basic_tokenize(text, lowercase) == theirs, hex(start)


def test_equal_to_the_tokenizers_library_on_the_corpora(corpus_sample, tmp_path):
    vocabulary = train_wordpiece_vocabulary(corpus_sample[::2], size=3000)
    vocabulary.save(tmp_path / "vocab.txt")
    theirs = BertWordPieceTokenizer(str(tmp_path / "vocab.txt"))
    expected = [e.ids for e in theirs.encode_batch(corpus_sample, add_special_tokens=False)]
    ours = WordPieceTokenizer(vocabulary)
    assert [ours.encode(text) for text in corpus_sample] == expected


def test_longest_match_and_no_partial_pieces():
    vocabulary = {"a", "ab", "##b", "##c", "##bc", "un", "##aff", "##able"}
    assert wordpiece_tokenize("abc", vocabulary) == ["ab", "##c"]
    assert wordpiece_tokenize("unaffable", vocabulary) == ["un", "##aff", "##able"]
    assert wordpiece_tokenize("unaffxyz", vocabulary) == ["[UNK]"]
    assert wordpiece_tokenize("a" * 101, {"a", "##a"}) == ["[UNK]"]
    assert wordpiece_tokenize("a" * 100, {"a", "##a"}) == ["a"] + ["##a"] * 99


def test_special_tokens_in_the_text_stay_whole():
    tokenizer = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, "a", "b", "[", "]", "mask"]))
    assert tokenizer.tokenize("a [MASK]b[SEP]") == ["a", "[MASK]", "b", "[SEP]"]
    assert tokenizer.tokenize("[mask]") == ["[", "mask", "]"]
