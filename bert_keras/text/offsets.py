"""Where in the text each token comes from, for answers that are spans and for names of things.

Kept apart from the tokenizer, which is fast because it forgets where its words stood.
"""

from __future__ import annotations

from collections.abc import Iterator

from bert_keras.text.vocabulary import SPECIAL_TOKENS
from bert_keras.text.wordpiece import (
    WordPieceTokenizer,
    normalize_character,
    split_at_specials,
    wordpiece_tokenize,
)


def encode_with_offsets(
    text: str, tokenizer: WordPieceTokenizer
) -> tuple[list[int], list[tuple[int, int]]]:
    """Ids of a text and where each token stands in it. Slower than `tokenizer.encode`.

    A stripped accent or a dropped control character belongs to a token only where it stands inside
    one. An unknown word is one token.

    Args:
        text: any string; special tokens written in it are kept whole.
        tokenizer: says how to cut it.

    Returns:
        The ids, as from `tokenizer.encode`, and for each of them `(start, end)`: the token was
        made from `text[start:end]`.

    Example:
        >>> tokenizer = WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, "caf", "##e", "!"]))
        >>> encode_with_offsets("Café!", tokenizer)
        ([5, 6, 7], [(0, 3), (3, 4), (4, 5)])
    """
    vocabulary = tokenizer.vocabulary
    ids: list[int] = []
    offsets: list[tuple[int, int]] = []
    begin = 0
    for part in split_at_specials(text):
        if part in SPECIAL_TOKENS:
            ids += vocabulary.ids([part])
            offsets.append((begin, begin + len(part)))
        else:
            for word, places in _words_with_places(part, tokenizer.lowercase):
                pieces = wordpiece_tokenize(word, vocabulary)
                ids += vocabulary.ids(pieces)
                first = 0
                for number, piece in enumerate(pieces):
                    # "##" is not part of the text, and [UNK] stands for all of the word.
                    length = len(piece) - 2 if number else len(piece)
                    last = len(word) if number == len(pieces) - 1 else first + length
                    offsets.append((begin + places[first], begin + places[last - 1] + 1))
                    first = last
        begin += len(part)
    return ids, offsets


def _words_with_places(text: str, lowercase: bool) -> Iterator[tuple[str, list[int]]]:
    """The words of `basic_tokenize`, each with the places its characters come from."""
    word, places = "", []
    for place, character in enumerate(text + " "):
        for new in normalize_character(character, lowercase):
            if not new.isspace():
                word += new
                places.append(place)
            elif word:
                yield word, places
                word, places = "", []
