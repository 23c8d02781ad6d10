"""Notebook ch05a, exercise 5: a word to pieces."""

import json

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05a_wordpiece_mistakes import WORDPIECE
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import wordpieces as oracles

NOTEBOOK = "ch05a_inputs"
LIBRARY = "bert_keras.text.wordpiece"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Written in the first letters of the alphabet, which the seed replaces by others.
PIECES = (
    *("a", "ab", "abc", "b", "c", "de", "dead", "f"),
    *("##b", "##c", "##d", "##e", "##cd", "##de", "##cde", "##dea", "##ef", "##f"),
)

wordpiece_tokenize = Exercise(
    "wordpiece_tokenize",
    notebook=NOTEBOOK,
    points=6,
    forbids=(
        f"{LIBRARY}.wordpiece_tokenize",
        f"{LIBRARY}.WordPieceTokenizer",
        "bert_keras.text.offsets.encode_with_offsets",
    ),
    tensors=False,
)


def spelled(rng):
    """A function that writes a text of the letters a to h in letters of the seed's."""
    letters = [LETTERS[i] for i in rng.permutation(len(LETTERS))[:8]]
    return lambda text: text.translate(str.maketrans("abcdefgh", "".join(letters)))


def vocabulary_of(write, pieces=PIECES, kind=set):
    """The pieces in the seed's letters, as a set, or as a dict with their numbers."""
    written = [write(piece) for piece in pieces]
    return kind(written) if kind is set else {piece: i for i, piece in enumerate(written)}


def _first_offset(word, places, mine):
    """The first offset that is wrong; a long word has a hundred of them."""
    if len(places) != len(mine):
        return Text(
            f"“{word}”有 {len(places)} 个子词，位置却有 {len(mine)} 个。",
            f"“{word}” has {len(places)} pieces and {len(mine)} offsets.",
        )
    i = next(i for i, pair in enumerate(zip(places, mine, strict=True)) if pair[0] != pair[1])
    wanted, found = tuple(places[i]), tuple(mine[i])
    return Text(
        f"“{word}”的第 {i + 1} 个子词，位置应为 {wanted}，实际为 {found}。",
        f"The offset of piece {i + 1} in “{word}” should be {wanted}, not {found}.",
    )


def _shortened(written):
    text = str(written)
    return text if len(text) < 120 else f"{text[:120]}…"


def _judge(student, word, vocabulary, **settings):
    wanted = oracles.wordpiece_tokenize(word, vocabulary, **settings)
    shown = word if len(word) < 30 else f"{word[:12]}…"
    told = _shortened(wanted.value[0])

    def what_came(got):
        if isinstance(got, tuple) and str(got[0]) == str(wanted.value[0]):
            return _first_offset(
                shown, *(np.asarray(each).tolist() for each in (wanted.value[1], got[1]))
            )
        mine = _shortened(got[0] if isinstance(got, tuple) else got)
        long = len(word) >= 30
        return Text(
            f"“{shown}”{f'（{len(word)} 个字符）' if long else ''}应切成 {told}，实际为 {mine}。",
            f"“{shown}”{f' ({len(word)} characters)' if long else ''} should give {told}, "
            f"not {mine}.",
        )

    if isinstance(vocabulary, dict):
        lent = fixture("numbered_pieces", [*vocabulary])
    else:
        lent = fixture("set_of_pieces", [*vocabulary])
    found = derived(student(word, lent, **settings), oracles.as_parts)
    expect(found).equals(wanted, otherwise=what_came)


@wordpiece_tokenize.case(
    points=1,
    zh="每次取最长的那个子词",
    en="the longest piece first, every time",
)
def longest(student, rng):
    """Words in which shorter pieces would do as well, and give another result."""
    write = spelled(rng)
    vocabulary = vocabulary_of(write)
    for word in ("abcde", "abd", "abcdef", "acdef", "abb"):
        _judge(student, write(word), vocabulary)


@wordpiece_tokenize.case(
    points=1,
    zh="不在词首的子词带 ##，词首的不带",
    en="## on pieces that continue a word, none on the first",
)
def prefixes(student, rng):
    """Words that are one piece; pieces that are known in one of both forms only; a dict.

    Some pieces are written as a misunderstanding of ## would have it.
    """
    write = spelled(rng)
    vocabulary = vocabulary_of(write, (*PIECES, "#b", "#ef", "b##", "ef##"), kind=dict)
    for word in ("abc", "de", "b", "f", "bbef", "ffef"):
        _judge(student, write(word), vocabulary)


@wordpiece_tokenize.case(
    points=2,
    zh="有一部分没有子词能盖住：整个词是未知词",
    en="a part that no piece covers makes the whole word unknown",
)
def unknown_as_a_whole(student, rng):
    """At its end, beginning and in the middle; where another cut would have covered it."""
    write = spelled(rng)
    vocabulary = vocabulary_of(write)
    # One whose beginning is unknown comes first: a loop that never moves on gets that right.
    for word in ("gab", "agb", "abg", "g", "hgh", "eab"):
        _judge(student, write(word), vocabulary)
    # The longest beginning leads nowhere, and a shorter one would have.
    _judge(student, write("deadf"), vocabulary_of(write, ("de", "dead", "##a", "##df")))
    _judge(student, write("abg"), vocabulary, unknown="<unk>")


@wordpiece_tokenize.case(
    points=1,
    zh="太长的词也是未知词",
    en="a word that is too long is unknown",
)
def too_long(student, rng):
    """The usual limit of a hundred, just reached and passed; then limits of the call's."""
    write = spelled(rng)
    vocabulary = vocabulary_of(write)
    for size in (100, 101):
        _judge(student, write("f" * size), vocabulary)
    limit = int(rng.integers(6, 9))
    for size in (limit, limit + 1):
        _judge(student, write("b" * size), vocabulary, max_word_length=limit)
    _judge(student, write("f" * 103), vocabulary, max_word_length=103)


@wordpiece_tokenize.case(
    points=1,
    zh="位置：每个子词是词里的哪几个字符",
    en="offsets: which characters of the word every piece stands for",
)
def offsets(student, rng):
    """Long pieces, signs of more than one byte, a word that begins with # itself."""
    write = spelled(rng)
    vocabulary = vocabulary_of(write, (*PIECES, "é", "##é", "##学a", "数", "#", "##"))
    for word in ("abcdeab"[:5], "abcdea", "éé", "数学a", "#"):
        _judge(student, write(word), vocabulary)


for _name, _data in WORDPIECE.items():
    wordpiece_tokenize.misconception(_name, **_data)


def _parts(seen):
    """Pieces and offsets, as they came back and as they should have.

    Raises:
        LookupError: they have another form.
    """
    if not isinstance(seen.actual, tuple) or len(seen.actual) != 2:
        raise LookupError("no pair")
    pieces = json.loads(str(seen.actual[0]))
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise LookupError("no list of pieces")
    return pieces, seen.actual[1], json.loads(str(seen.expected[0])), seen.expected[1]


@wordpiece_tokenize.property(
    "pieces_and_offsets_come_back",
    zh="应当返回一对：字符串的列表，和同样长的、(开始, 结束) 的列表。",
    en="A pair should come back: a list of strings, and one as long of pairs (start, end).",
)
def no_pair(seen):
    try:
        pieces, places, *_ = _parts(seen)
    except LookupError:
        return True
    return len(pieces) != len(places)


@wordpiece_tokenize.property(
    "pieces_are_in_the_vocabulary",
    zh="有的子词不在词表里，也不是未知词的词元。",
    en="Some piece is neither in the vocabulary nor the token for unknown words.",
)
def piece_is_not_known(seen):
    pieces, *_ = _parts(seen)
    unknown = seen.kwargs.get("unknown", "[UNK]")
    return any(piece not in seen.args[1] and piece != unknown for piece in pieces)


@wordpiece_tokenize.property(
    "unknown_stands_alone",
    zh="未知词的词元旁边还有别的子词：一个词要么整个认得，要么整个不认得。",
    en="The token for unknown words has other pieces beside it: a word is known as a whole or "
    "not at all.",
)
def unknown_has_company(seen):
    pieces, *_ = _parts(seen)
    return len(pieces) > 1 and seen.kwargs.get("unknown", "[UNK]") in pieces


@wordpiece_tokenize.property(
    "known_words_are_cut",
    zh="词表盖得住的词，却成了未知词。",
    en="A word that the vocabulary covers comes out as unknown.",
)
def known_is_unknown(seen):
    pieces, _, wanted, _ = _parts(seen)
    unknown = seen.kwargs.get("unknown", "[UNK]")
    return pieces == [unknown] and wanted != [unknown]


@wordpiece_tokenize.property(
    "unknown_words_are_unknown",
    zh="该是未知词的，却切成了子词。",
    en="A word that should be unknown is cut into pieces.",
)
def unknown_is_cut(seen):
    pieces, _, wanted, _ = _parts(seen)
    return wanted == [seen.kwargs.get("unknown", "[UNK]")] and pieces != wanted


@wordpiece_tokenize.property(
    "pieces_give_the_word",
    zh="把子词接起来（去掉 ##），不是原来的词。",
    en="Put together, without ##, the pieces don't give the word.",
)
def pieces_do_not_add_up(seen):
    pieces, _, wanted, _ = _parts(seen)
    if [seen.kwargs.get("unknown", "[UNK]")] in (pieces, wanted):
        return False
    return "".join(map(_bare, pieces)) != "".join(map(_bare, wanted))


@wordpiece_tokenize.property(
    "longest_pieces",
    zh="切得不对：不是每次取最长的子词。",
    en="The cuts are wrong: it isn't the longest piece every time.",
)
def not_the_longest(seen):
    pieces, _, wanted, _ = _parts(seen)
    same_word = "".join(map(_bare, pieces)) == "".join(map(_bare, wanted))
    return same_word and len(pieces) != len(wanted)


@wordpiece_tokenize.property(
    "offsets_are_right",
    zh="子词都对，位置不对。",
    en="The pieces are right, their offsets aren't.",
)
def offsets_are_wrong(seen):
    pieces, places, wanted, right = _parts(seen)
    return pieces == wanted and not np.array_equal(places, right)


def _bare(piece):
    return piece.removeprefix("##")
