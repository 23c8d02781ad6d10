"""The vocabulary that lies beside the weights, and whether its texts are lowercased."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bert_keras.checkpoints.contents import ConversionError
from bert_keras.checkpoints.settings import load_json
from bert_keras.text.vocabulary import Vocabulary, VocabularyError


def read(
    folder: Path, size: int, sources: tuple[str, ...] = ("vocab.txt",)
) -> tuple[Vocabulary, str]:
    """Read the first vocabulary file that is there.

    Args:
        folder: where to look.
        size: the number of rows in the token table.
        sources: file names; one that ends in .json is a `tokenizer.json`.

    Returns:
        The vocabulary and the name of its file.

    Raises:
        ConversionError: there is none, or it has another size.
    """
    for name in sources:
        path = folder / name
        if path.is_file():
            vocabulary = _from_json(path) if name.endswith(".json") else load(path)
            check(path, vocabulary, size)
            return vocabulary, name
    raise ConversionError(
        f"{folder} has no {' or '.join(sources)}; --vocabulary FILE names one that lies elsewhere"
    )


def load(path: Path) -> Vocabulary:
    """Read a file with one token a line.

    Args:
        path: the file.

    Returns:
        The vocabulary.

    Raises:
        ConversionError: it is not a vocabulary.
    """
    try:
        return Vocabulary.load(path)
    except VocabularyError as error:
        raise ConversionError(str(error)) from None


def check(path: Any, vocabulary: Vocabulary, size: int) -> None:
    """Compare the number of tokens with the rows of the token table.

    Args:
        path: the file, for the message.
        vocabulary: that was read from it.
        size: the number of rows.

    Raises:
        ConversionError: they differ.
    """
    if len(vocabulary) != size:
        raise ConversionError(
            f"{path} has {len(vocabulary):,} tokens, but the model has {size:,}: "
            "it belongs to another model"
        )


def is_lowercase(vocabulary: Vocabulary) -> bool:
    """Whether no token has an uppercase letter, so that texts must be lowercased to be known.

    Args:
        vocabulary: of any language. Names in brackets, such as [CLS], do not count.

    Returns:
        True for an uncased vocabulary; also for one without any Latin letters.
    """
    return not any(
        token != token.lower()
        for token in vocabulary.tokens
        if not (token.startswith("[") and token.endswith("]"))
    )


def _from_json(path: Path) -> Vocabulary:
    """The vocabulary in a `tokenizer.json`."""
    content = load_json(path)
    model = content.get("model")
    if not isinstance(model, dict) or model.get("type", "WordPiece") != "WordPiece":
        raise ConversionError(f"{path} is not a WordPiece tokenizer")
    table = model.get("vocab")
    if not isinstance(table, dict):
        raise ConversionError(f"{path} has no vocabulary")
    table = dict(table)
    added = content.get("added_tokens")
    for token in added if isinstance(added, list) else []:
        if not isinstance(token, dict):
            raise ConversionError(f"{path}: its added_tokens are damaged")
        table.setdefault(str(token.get("content")), token.get("id"))
    ranked = sorted(table, key=lambda token: (type(table[token]) is not int, str(token)))
    ranked.sort(key=lambda token: table[token] if type(table[token]) is int else -1)
    if [table[token] for token in ranked] != list(range(len(ranked))):
        raise ConversionError(f"{path}: the ids of its vocabulary are not 0, 1, 2 and so on")
    try:
        return Vocabulary(ranked)
    except VocabularyError as error:
        raise ConversionError(f"{path}: {error}") from None
