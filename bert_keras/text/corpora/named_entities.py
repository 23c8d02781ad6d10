"""Chinese sentences with their persons, places and organisations marked, one tag a character.

The default set is People's Daily of January 1998, whose part-of-speech tags tell names from other
words. It shares the split of `peoples_daily`. With a path, the same function reads the column
files of CoNLL-2003, MSRA, Weibo and others, in any language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bert_keras.text.corpora import peoples_daily, published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import (
    SPLITS,
    TaggedTokens,
    entities,
    split_rows,
    unique,
    without_overlap,
)

# What People's Daily calls names, and what the public sets call them.
TYPES = {"nr": "PER", "ns": "LOC", "nt": "ORG"}
# The order of the numbered tags in the public parquet files of CoNLL-2003, MSRA and WikiANN.
TAG_NAMES = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC", "B-MISC", "I-MISC")

_SUFFIXES = (".parquet", ".txt", ".conll", ".bio", ".iob2", ".bmes", ".tsv", ".jsonl", ".json")
_SUFFIXES += (".train", ".dev", ".test", ".testa", ".testb")
_LONG_SURNAMES = frozenset(["欧阳", "诸葛", "司马", "上官", "司徒", "东方", "慕容", "令狐"])
_STOPS = "。!?;"


def load(
    path: str | Path | None = None,
    *,
    minimum: int = 4,
    maximum: int = 126,
    distinct: bool = True,
    tag_names: Sequence[str] = TAG_NAMES,
    seed: int = 13,
) -> dict[str, list[TaggedTokens]]:
    """Sentences with the tags of their names, split into train, dev and test.

    Args:
        path: None for People's Daily; otherwise a column file (a token and, last on its line, a
            tag; an empty line between sentences), a table with the columns `tokens` and
            `ner_tags`, or a folder with one for each of train, dev and test. Tags may be BIO,
            IOB1, BIOES or BMES; all become BIO.
        minimum: shorter sentences of the newspaper, in characters, are left out.
        maximum: and longer ones.
        distinct: keep one copy of each sentence, so that none is in two parts. False keeps all
            copies, as published counts do.
        tag_names: the meaning of numbered tags in a table.
        seed: which split, for a single file; the newspaper has one split for all tasks.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `TaggedTokens`.

    Raises:
        CorpusError: the archive or a file cannot be read, or is laid out differently.
    """
    if path is None:
        parts: dict[str, list[TaggedTokens]] = {name: [] for name in SPLITS}
        seen = set()
        for position, sentence in _sentences():
            row = _tagged(sentence)
            if minimum <= len(row.tokens) <= maximum and not (distinct and row.tokens in seen):
                seen.add(row.tokens)
                parts[peoples_daily.split_of(position)].append(row)
        return parts
    read = published.load_parts(path, lambda file: read_columns(file, tag_names), _SUFFIXES)
    if isinstance(read, list):
        return split_rows(unique(read, lambda row: row.tokens), seed)
    return without_overlap(read, lambda row: row.tokens) if distinct else read


def lines_with_whole_names() -> Iterator[list[tuple[str, str]]]:
    """Lines of People's Daily as (word, tag) pairs, surname and given name in one word.

    Yields:
        One list a line, in the order of the paper.

    Raises:
        CorpusError: the archive cannot be had.
    """
    for line in peoples_daily.tagged_lines():
        merged: list[tuple[str, str]] = []
        surname = None  # the word just read, if a given name may follow
        for word, tag in line:
            if surname and tag == "nr" and len(word) <= 2:
                merged[-1] = (surname + word, "nr")
                surname = None
                continue
            merged.append((word, tag))
            is_surname = tag == "nr" and (len(word) == 1 or word in _LONG_SURNAMES)
            surname = word if is_surname else None
        yield merged


def read_columns(path: Path, tag_names: Sequence[str] = TAG_NAMES) -> list[TaggedTokens]:
    """Read a column file or a table of tagged sentences.

    Args:
        path: the file.
        tag_names: the meaning of numbered tags in a table.

    Returns:
        The sentences in the order of the file, tags as BIO.

    Raises:
        CorpusError: the file cannot be read; the message names the row.
    """
    if path.suffix in (".parquet", ".jsonl", ".json"):
        return _read_table(path, tag_names)
    rows, tokens, tags = [], [], []
    for number, line in enumerate([*tables.read_text(path).split("\n"), ""], 1):
        cells = line.split()
        if cells and cells[0] != "-DOCSTART-":
            if len(cells) < 2 or not _is_tag(cells[-1]):
                raise CorpusError(
                    f"{path}, row {number}: expected a token and a tag like O or B-PER, "
                    f"found {line.strip()[:40]!r}"
                )
            tokens.append(cells[0])
            tags.append(cells[-1])
        elif tokens:
            rows.append(TaggedTokens(tuple(tokens), as_bio(tags)))
            tokens, tags = [], []
    if not rows:
        raise CorpusError(f"{path} has no sentences: expected a token and a tag on each line")
    return rows


def as_bio(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags in BIO, whichever of IOB1, BIO, BIOES and BMES they came in.

    Args:
        tags: the tags of one sentence.

    Returns:
        Tuple of str of the same length.
    """
    result, previous = [], ""
    for tag in tags:
        prefix, _, kind = tag.partition("-")
        if kind:
            begins = prefix in ("B", "S", "U") or kind != previous
            tag = ("B-" if begins else "I-") + kind
        result.append(tag)
        # After the last tag of a BIOES name the next one begins anew.
        previous = "" if prefix in ("S", "U") else kind
    return tuple(result)


class DictionaryTagger:
    """The baseline: names seen in training, found again by the longest match.

    Args:
        rows: training sentences, `TaggedTokens`.
        minimum: shorter names, in tokens, are not looked up.
    """

    def __init__(self, rows: Iterable[TaggedTokens], minimum: int = 2):
        kinds: dict[tuple[str, ...], Counter] = {}
        for row in rows:
            for start, end, kind in entities(row.tags):
                if end - start >= minimum:
                    kinds.setdefault(row.tokens[start:end], Counter())[kind] += 1
        self.names = {name: found.most_common(1)[0][0] for name, found in kinds.items()}
        self.longest = max(map(len, self.names), default=0)

    def tag(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Tags of one sentence.

        Args:
            tokens: tuple of str.

        Returns:
            Tuple of str of the same length, BIO.
        """
        tokens, tags, start = tuple(tokens), [], 0
        while start < len(tokens):
            for end in range(min(len(tokens), start + self.longest), start, -1):
                if kind := self.names.get(tokens[start:end]):
                    tags += [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
                    start = end
                    break
            else:
                tags.append("O")
                start += 1
        return tuple(tags)


def _sentences() -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """(line number, words of one sentence) over the whole paper."""
    for position, line in enumerate(lines_with_whole_names()):
        sentence: list[tuple[str, str]] = []
        for word, tag in line:
            sentence.append((word, tag))
            if tag == "w" and word in _STOPS:
                yield position, sentence
                sentence = []
        if sentence:
            yield position, sentence


def _tagged(words: Iterable[tuple[str, str]]) -> TaggedTokens:
    tokens, tags = [], []
    for word, tag in words:
        kind = TYPES.get(tag)
        tokens += word
        tags += [f"B-{kind}"] + [f"I-{kind}"] * (len(word) - 1) if kind else ["O"] * len(word)
    return TaggedTokens(tuple(tokens), tuple(tags))


def _is_tag(text: str) -> bool:
    prefix, dash, kind = text.partition("-")
    return text == "O" or bool(prefix in ("B", "I", "E", "S", "M", "L", "U") and dash and kind)


def _read_table(path: Path, tag_names: Sequence[str]) -> list[TaggedTokens]:
    table = tables.read(path)
    found = table.columns_for(
        tokens=("tokens", "text", "words"), ner_tags=("ner_tags", "tags", "labels", "label")
    )
    result = []
    for number, row in enumerate(table.rows, 1):
        tokens, tags = row[found["tokens"]], row[found["ner_tags"]]
        if isinstance(tokens, str):
            tokens = list(tokens)
        if not isinstance(tags, list) or len(tags) != len(tokens or ()):
            table.refuse(number, found["ner_tags"], tags, f"a list of {len(tokens or ())} tags")
        names = []
        for tag in tags:
            if isinstance(tag, int) and 0 <= tag < len(tag_names):
                tag = tag_names[tag]
            if not isinstance(tag, str) or not _is_tag(tag):
                table.refuse(number, found["ner_tags"], tag, f"a tag, or below {len(tag_names)}")
            names.append(tag)
        if tokens:
            result.append(TaggedTokens(tuple(map(str, tokens)), as_bio(names)))
    return result
