"""Questions about English news paragraphs, made by leaving something out.

The paragraphs and the answers are real; the questions are constructed: the words around a name, an
amount or a date, with some dropped and a question word in its place. So they measure whether a
model finds the place in the text, not whether it understands it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bert_keras.text.corpora import bbc_news
from bert_keras.text.corpora.labelled import Question

AMOUNT, TIME, NAME = "how much", "when", "who or what"

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# Amounts of money, percentages, names of two to four capitalised words, months of a year.
_SPAN = re.compile(
    r"[$£€]\d[\d.,]*(?:bn|m|tn|k)?\b"
    r"|\b\d[\d.,]*%"
    r"|(?<=[a-z,] )(?:[A-Z][a-z]+ ){1,3}[A-Z][a-z]+\b"
    rf"|\b(?:{_MONTHS}) \d{{4}}\b"
)
_CONTEXT = (40, 160)  # words
_AROUND = 9  # words taken from either side of the answer


def load(*, questions: int = 2, drop: float = 0.2, seed: int = 13) -> dict[str, list[Question]]:
    """Cloze questions on BBC articles, in the split that all tasks share.

    Args:
        questions: at most so many for a paragraph.
        drop: share of the words around an answer that its question leaves out.
        seed: which answers and words are drawn.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Question`; every answer occurs once in
        its context, every context in one part.

    Raises:
        CorpusError: the archive cannot be had.
    """
    seen: set[str] = set()  # articles that ran twice share paragraphs

    def make(article: bbc_news.Article) -> list[Question]:
        rng = random.Random(seed * 7919 + article.number)
        return [
            question
            for context in _contexts(article.paragraphs)
            if context not in seen and not seen.add(context)
            for question in _ask(context, questions, drop, rng)
        ]

    return bbc_news.by_split(bbc_news.articles(), make)


def kind_of(text: str) -> str:
    """The question word of an answer, or of a question that contains one.

    Args:
        text: an answer that `candidates` found, or a question.

    Returns:
        `AMOUNT`, `TIME` or `NAME`.
    """
    for kind in (AMOUNT, NAME, TIME):
        if re.search(rf"\b{kind}\b", text):
            return kind
    if text[:1] in "$£€" or text.endswith("%"):
        return AMOUNT
    return TIME if re.search(r"\d{4}$", text) else NAME


def candidates(context: str) -> list[tuple[int, str]]:
    """Everything in a context that could be asked for.

    Args:
        context: str.

    Returns:
        (offset, text) in the order of the context.
    """
    return [(found.start(), found.group()) for found in _SPAN.finditer(context)]


def first_candidate(question: Question) -> str:
    """The baseline: the first name, amount or date, whichever the question asks for.

    Args:
        question: `Question`.

    Returns:
        Str, empty if the context has none.
    """
    kind = kind_of(question.question)
    return next((text for _, text in candidates(question.context) if kind_of(text) == kind), "")


def _contexts(paragraphs: tuple[str, ...]) -> Iterator[str]:
    """Consecutive paragraphs joined until they are long enough."""
    context = ""
    for paragraph in paragraphs:
        context = f"{context} {paragraph}".strip()
        length = len(context.split())
        if length >= _CONTEXT[0]:
            if length <= _CONTEXT[1]:
                yield context
            context = ""


def _ask(context: str, questions: int, drop: float, rng: random.Random) -> Iterator[Question]:
    # Once in the context, or the right span would be ambiguous.
    found = [item for item in candidates(context) if context.count(item[1]) == 1]
    rng.shuffle(found)
    for start, answer in found[:questions]:
        end = start + len(answer)
        sentence_start = context.rfind(". ", 0, start) + 2 if ". " in context[:start] else 0
        sentence_end = context.find(". ", end)
        right = context[end : sentence_end if sentence_end >= 0 else len(context)]
        before = context[sentence_start:start].split()[-_AROUND:]
        words = [word for word in before if rng.random() > drop]
        words.append(kind_of(answer))
        words += [word for word in right.split()[:_AROUND] if rng.random() > drop]
        if len(words) > 4:
            yield Question(context, " ".join(words).rstrip(".") + "?", answer, start)
