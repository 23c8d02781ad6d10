"""Python's own help texts: English prose that needs no download, enough to try a pipeline out."""

from __future__ import annotations

import re

from bert_keras.text.corpora.running_text import Paragraph, paragraphs_in, split_documents

# Indented blocks are examples and tables; a line of marks underlines a heading.
_NO_PROSE = re.compile(r"^   |^>>>|^([*=~^+-])\1+$", re.MULTILINE)


def load(*, seed: int = 13, minimum_characters: int = 20) -> dict[str, list[Paragraph]]:
    """What `help()` shows about keywords and topics, each topic a document.

    The texts belong to the running Python, so they differ a little between its versions.
    Headings, examples and tables are left out.

    Args:
        seed: int, which split.
        minimum_characters: int, shorter paragraphs are left out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`.
    """
    from pydoc_data.topics import topics

    documents = [
        [block for block in re.split(r"\n\s*\n", text) if not _NO_PROSE.search(block)]
        for _, text in sorted(topics.items())
    ]
    return split_documents(paragraphs_in(documents, minimum_characters), seed)
