"""Questions whose answer is a stretch of a given text, Chinese and English.

The default sets are constructed from real paragraphs (`chinese_cloze`, `english_cloze`). With a
path, the same function reads SQuAD 1.1 and 2.0, CMRC 2018, DRCD and parquet files with answers.

Reference:
    Rajpurkar et al. (2016), SQuAD, https://arxiv.org/abs/1606.05250
    Cui et al. (2019), CMRC 2018, https://arxiv.org/abs/1810.07366
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bert_keras.text.corpora import chinese_cloze, english_cloze, published, tables
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Question, split_groups, unique, without_overlap

LANGUAGES = ("zh", "en")

_SUFFIXES = (".json", ".jsonl", ".parquet")
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_]+")
_ARTICLES = frozenset(("a", "an", "the"))


def load(
    path: str | Path | None = None, *, language: str = "zh", seed: int = 13
) -> dict[str, list[Question]]:
    """Questions with the answer's offset in the context, split into train, dev and test.

    Args:
        path: None for the constructed set; otherwise a JSON file in the layout of SQuAD or
            CMRC 2018, a table with the columns `context`, `question` and `answers` (.parquet,
            .jsonl), or a folder with one for each part. SQuAD's test part is secret: without one
            the dev part is the test, and a tenth of the training contexts takes its place.
        language: "zh" or "en"; which constructed set.
        seed: which questions are made, or which split of a single file.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Question`. No context is in two
        parts, unless published parts share some.

    Raises:
        CorpusError: unknown language; a file that cannot be read or is laid out differently; an
            answer that is not in its context.
    """
    if path is None:
        if language not in LANGUAGES:
            raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
        return (chinese_cloze if language == "zh" else english_cloze).load(seed=seed)
    parts = published.load_parts(
        path, read, _SUFFIXES, hidden_test=True, group=lambda row: row.context, seed=seed
    )
    if isinstance(parts, dict):
        return without_overlap(parts, lambda row: row[:2])
    groups: dict[str, list[Question]] = {}
    for row in unique(parts, lambda row: row[:2]):
        groups.setdefault(row.context, []).append(row)
    return split_groups(groups, seed)


def read(path: Path) -> list[Question]:
    """Read a file of questions.

    Args:
        path: a .json file as SQuAD's or CMRC 2018's, or a table with `context`, `question` and
            `answers`.

    Returns:
        The questions in the order of the file.

    Raises:
        CorpusError: the file cannot be read; the message names the row, counted in questions.
    """
    if path.suffix == ".json":
        items = tables.read_json(path)
        documents = items.get("data") if isinstance(items, dict) else items
        if isinstance(documents, list) and documents and _is_document(documents[0]):
            rows = _nested(path, documents)
            return [_question(path, n, *row) for n, row in enumerate(rows, 1)]
    table = tables.read(path)
    found = table.columns_for(context=("context",), question=("question",), answers=("answers",))
    names = (found["context"], found["question"], found["answers"])
    return [
        _question(path, n, *(row.get(name) for name in names))
        for n, row in enumerate(table.rows, 1)
    ]


def exact_match(predicted: str, question: Question) -> float:
    """1.0 if an answer is right up to case, punctuation and articles, else 0.0.

    Args:
        predicted: the answer to judge; empty says that there is none.
        question: with its right answers.

    Returns:
        Float.
    """
    words = _words(predicted)
    return float(any(words == _words(gold) for gold in (question.answer, *question.also)))


def overlap(predicted: str, question: Question) -> float:
    """F1 of the words (in Chinese: characters) that an answer shares with the best right one.

    Args:
        predicted: the answer to judge.
        question: with its right answers.

    Returns:
        Float in 0..1.
    """
    return max(_f1(_words(predicted), _words(g)) for g in (question.answer, *question.also))


def match_question(question: Question) -> str:
    """The baseline: look the question up in the context, with anything for its question word.

    Args:
        question: `Question` of a constructed set.

    Returns:
        Str, empty if the rest of the question does not stand in the context as it is.
    """
    for word in (*chinese_cloze.QUESTION_WORDS.values(), "how much", "who or what", "when"):
        left, asked, right = question.question.rstrip("?").partition(word)
        if asked:
            pattern = re.escape(left.strip()) + r"\s*(.+?)\s*" + re.escape(right.strip())
            # Without words after the gap, it ends where the clause does.
            found = re.search(
                pattern + ("" if right.strip() else r"(?=[,.。;!?:]|$)"), question.context
            )
            if found:
                return found.group(1)
    return ""


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    return [word for word in _TOKEN.findall(folded) if word not in _ARTICLES]


def _f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    if not predicted or not gold:
        return float(predicted == gold)
    shared = (Counter(predicted) & Counter(gold)).total()
    return 2 * shared / (len(predicted) + len(gold))


def _is_document(item: Any) -> bool:
    return isinstance(item, dict) and ("paragraphs" in item or "qas" in item)


def _nested(path: Path, documents: Iterable[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """(context, question, answers) in the order of a file like SQuAD's or CMRC's."""
    for number, document in enumerate(documents, 1):
        # CMRC 2018 has no level of documents, and calls its fields otherwise.
        try:
            paragraphs = document.get("paragraphs", [document])
            for paragraph in paragraphs:
                context = paragraph.get("context", paragraph.get("context_text"))
                for item in paragraph["qas"]:
                    question = item.get("question", item.get("query_text"))
                    yield context, question, item.get("answers")
        except (AttributeError, KeyError, TypeError):
            raise CorpusError(
                f"{path}, document {number}: expected paragraphs with a context and qas, as in "
                "SQuAD, or context_text and qas, as in CMRC 2018"
            ) from None


def _question(path: Path, number: int, context: Any, question: Any, answers: Any) -> Question:
    for name, value in (("context", context), ("question", question)):
        if not isinstance(value, str):
            raise CorpusError(f"{path}, row {number}: {name} {value!r} is not a text")
    found: list[tuple[str, int]] = []
    for text, stated in _answers(path, number, answers):
        exact = stated >= 0 and context.startswith(text, stated)
        start = stated if exact else _nearest(context, text, stated)
        if start < 0:
            raise CorpusError(
                f"{path}, row {number}: answer {text[:40]!r} does not stand in its context"
            )
        found.append((text, start))
    if not found:
        return Question(context, question, "", -1)
    (text, start), *rest = found
    also = tuple(dict.fromkeys(other for other, _ in rest if other != text))
    return Question(context, question, text, start, also)


def _answers(path: Path, number: int, answers: Any) -> Iterator[tuple[str, int]]:
    """(text, stated offset or -1), from [{text, answer_start}], {text: […], …} or [text, …]."""
    if isinstance(answers, dict):
        texts = answers.get("text")
        starts = answers.get("answer_start") or [-1] * len(texts or ())
        items = list(zip(texts, starts, strict=False)) if texts is not None else [None]
    elif isinstance(answers, list):
        items = [
            (item.get("text"), item.get("answer_start", -1))
            if isinstance(item, dict)
            else (item, -1)
            for item in answers
        ]
    else:
        items = [None]
    for item in items:
        if not item or not isinstance(item[0], str) or not isinstance(item[1], int):
            raise CorpusError(
                f"{path}, row {number}: answers {str(answers)[:40]!r} is not a list of text and "
                "answer_start"
            )
        if item[0]:
            yield item


def _nearest(context: str, text: str, stated: int) -> int:
    """Offset of the occurrence nearest to the stated one; some published ones are a little off."""
    starts = [found.start() for found in re.finditer(re.escape(text), context)]
    return min(starts, key=lambda start: abs(start - stated), default=-1)
