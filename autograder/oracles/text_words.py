"""Text to words in plain Python, with a switch for every known mistake."""

from __future__ import annotations

import json
import unicodedata

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of

# Where Unicode keeps the characters that Chinese is written in.
HAN = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
ASCII_SIGNS = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def is_han(character):
    """Whether a character is written without spaces around it."""
    return any(low <= ord(character) <= high for low, high in HAN)


def is_mark(character, which="all"):
    """Whether a character is punctuation, or an ASCII sign that counts as such."""
    category = unicodedata.category(character)
    return {
        "all": category[0] == "P" or character in ASCII_SIGNS,
        "ascii_only": character in ASCII_SIGNS,
        "category_only": category[0] == "P",
        "symbols_too": category[0] in "PS" or character in ASCII_SIGNS,
        "none": False,
    }[which]


def _is_space(character, spaces):
    if character in "\t\n\r":
        return spaces not in ("blank_only", "tabs_joined")
    return character == " " if spaces in ("blank_only", "ascii_only") else character.isspace()


def _is_dropped(character, controls):
    kind = unicodedata.category(character)
    if character in "\t\n\r":
        return controls == "dropped_with_tabs"
    if controls == "white_space_first" and character.isspace():
        return False
    return {
        "kept": False,
        "format_kept": character == "\ufffd" or kind == "Cc",
        "category_cc_only": kind == "Cc",
        "private_kept": character == "\ufffd" or kind in ("Cc", "Cf"),
        "replacement_kept": kind in ("Cc", "Cf", "Co"),
    }.get(controls, character == "\ufffd" or kind in ("Cc", "Cf", "Co"))


def _folded(character, folding, stripping, form):
    """What becomes of one character: accents and case."""
    if form == "NFC":
        character = unicodedata.normalize("NFC", character)
    elif stripping or form == "NFD_always":
        how = "NFKD" if form == "NFKD" else "NFD"
        character = unicodedata.normalize(how, character)
    if stripping and form not in ("NFC", "decomposed"):
        character = "".join(c for c in character if unicodedata.category(c) != "Mn")
    if folding == "casefold":
        return character.casefold()
    return character.lower() if folding else character


def words_of(
    text,
    lowercase=True,
    *,
    case="asked",
    accents="asked",
    form="NFD",
    fold="first",
    controls="dropped",
    spaces="split",
    chinese="alone",
    marks="all",
    marks_stay="as_words",
    returned="words",
):
    """Words of a text.

    Args:
        text: str; lowercase: bool.
        case, accents, form, fold, controls, spaces, chinese, marks, marks_stay, returned: the
            switches.

    Returns:
        list of str, unless ``returned`` says otherwise.
    """
    asked = {"always": True, "never": False, "inverted": not lowercase}
    folding = asked.get(case, lowercase)
    stripping = asked.get(accents, folding if accents == "with_case" else lowercase)
    if case == "casefold" and folding:
        folding = "casefold"

    def folded(text):
        return "".join(_folded(c, folding, stripping, form) for c in text)

    stream = []  # characters; None parts words
    for original in text:
        if _is_dropped(original, controls):
            if controls == "split_there":
                stream.append(None)
            continue
        if _is_space(original, spaces):
            stream.append(None)
            continue
        if spaces == "tabs_joined" and original in "\t\n\r":
            continue
        alone = {
            "alone": is_han(original),
            "letters_too": unicodedata.category(original) == "Lo",
            "not_ascii": ord(original) > 127,
            "before_only": is_han(original),
        }.get(chinese, False)
        characters = folded(original) if fold == "first" else original
        if spaces == "split_where_nothing_is_left" and not characters:
            stream.append(None)
        for character in characters:
            if alone and chinese == "before_only":
                stream += [None, character]
            elif alone:
                stream += [None, character, None]
            elif is_mark(character, marks):
                stream += {
                    "as_words": [None, character, None],
                    "dropped": [None],
                    "vanishes": [],
                    "at_the_end": [character, None],
                    "at_the_start": [None, character],
                }[marks_stay]
            else:
                stream.append(character)
    words = [""]
    for each in stream:
        if each is None:
            words.append("")
        else:
            words[-1] += each
    if returned == "last_word_lost":
        words.pop()
    if returned != "with_empty_ones":
        words = [each for each in words if each]
    if fold != "first":
        words = [folded(each) for each in words]
    if fold == "last_without_empty_ones":
        words = [each for each in words if each]
    return {
        "joined": " ".join(words),
        "once": list(dict.fromkeys(words)),
        "characters": [c for each in words for c in each],
        "reversed": words[::-1],
    }.get(returned, words)


def told(found):
    """What came back, written out, as a text in an array; None and failures as they are."""
    if found is None:
        return None
    try:
        return np.asarray(json.dumps(found, ensure_ascii=False, default=str))
    except (TypeError, ValueError):
        return np.asarray("?")


@oracle(parts=("words",))
@with_switches_of(words_of)
def basic_tokenize(text, lowercase=True, **switches):
    """Words of a text, written out; see `words_of` and `told`."""
    return told(words_of(text, lowercase, **switches))
