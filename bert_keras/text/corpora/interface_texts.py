"""Running text in many languages: all strings of a user interface, in the order of its screens.

The same screens in every language, translated by people for Home Assistant. A paragraph is one part
of one integration (a dialogue, a group of sensors), a document is an integration, and an
integration is in the same split in all languages: what is held out in one is held out in all.
"""

from __future__ import annotations

import json
import unicodedata
import zipfile
from collections.abc import Iterator

from bert_keras.text.corpora import archives
from bert_keras.text.corpora.interface_strings import HOME_ASSISTANT, MARKUP, strings
from bert_keras.text.corpora.running_text import Paragraph, split_of_key

_UNSPACED = ("zh", "ja", "th")


def load(
    *, language: str = "en", minimum_characters: int = 20, seed: int = 13
) -> dict[str, list[Paragraph]]:
    """The strings of the interface as running text.

    Strings with markup or places to fill in are left out, and in other languages than English also
    those that nobody has translated yet. A string that repeats the one before it counts once.

    Args:
        language: str, a code of the packaged set, such as "en", "zh-Hans", "de" or "fr".
        minimum_characters: int, shorter paragraphs are left out.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`. A `document` has the same
        number in every language.

    Raises:
        CorpusError: the data cannot be had, or has nothing in that language.
    """
    parts: dict[str, list[Paragraph]] = {"train": [], "dev": [], "test": []}
    separator = "" if language.startswith(_UNSPACED) else " "
    position, seen = 0, set()
    for number, (folder, texts) in enumerate(_integrations(language)):
        split = split_of_key(f"{seed}/{folder}")
        for sentences in texts:
            paragraph = Paragraph(position, sentences, number, separator)
            if len(paragraph.text) >= minimum_characters and sentences not in seen:
                seen.add(sentences)
                parts[split].append(paragraph)
            position += 1
    return parts


def _integrations(language: str) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Every integration that English has, with its groups of strings in the language."""
    with zipfile.ZipFile(archives.fetch(HOME_ASSISTANT)) as wheel:
        names = set(wheel.namelist())
        suffix = f"/translations/{language}.json"
        if not any(name.endswith(suffix) for name in names):
            raise archives.CorpusError(f"the interface has no texts in {language!r}")
        for english in sorted(name for name in names if name.endswith("/translations/en.json")):
            folder = english.removesuffix("/translations/en.json")
            name = folder + suffix
            if name not in names:
                yield folder, []
                continue
            ours = strings(json.loads(wheel.read(name)))
            theirs = {} if language == "en" else dict(strings(json.loads(wheel.read(english))))
            groups: dict[tuple[str, ...], list[str]] = {}
            for path, text in ours:
                # Where nobody has translated yet, a file may hold English.
                if text and text != theirs.get(path) and not MARKUP.search(text):
                    group = groups.setdefault(tuple(path.split("/")[1:3]), [])
                    text = " ".join(unicodedata.normalize("NFKC", text).split())
                    if group[-1:] != [text]:
                        group.append(text)
            yield folder, [tuple(group) for group in groups.values()]
