"""Questions about Chinese newspaper paragraphs, made by leaving something out.

The paragraphs and the answers are real; the questions are constructed: a clause in which a name or
a time is replaced by a question word, with a quarter of its other words dropped. So they measure
whether a model finds the place in the text, not whether it understands it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from bert_keras.text.corpora import peoples_daily
from bert_keras.text.corpora.labelled import SPLITS, Question
from bert_keras.text.corpora.named_entities import lines_with_whole_names

# Part-of-speech tag → question word.
QUESTION_WORDS = {"nr": "谁", "ns": "哪里", "nt": "哪个机构", "t": "什么时候"}

_CLAUSE_ENDS = frozenset(",。;!?:")
_CONTEXT = (60, 300)  # characters
_CLAUSE = (6, 30)
_AROUND = 10  # characters kept before and after the question word


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    tag: str


def load(
    *, questions: int = 2, drop: float = 0.25, distinct: bool = True, seed: int = 13
) -> dict[str, list[Question]]:
    """Cloze questions on People's Daily, in the split that all tasks share.

    Args:
        questions: at most so many for a paragraph.
        drop: share of the words of a clause that its question leaves out.
        distinct: use each paragraph once, so that none is in two parts. False keeps repeated
            paragraphs.
        seed: which answers and words are drawn.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Question`; every answer occurs once in
        its context.

    Raises:
        CorpusError: the archive cannot be had.
    """
    parts: dict[str, list[Question]] = {name: [] for name in SPLITS}
    seen = set()
    for position, line in enumerate(lines_with_whole_names()):
        context = "".join(word for word, _ in line)
        if not _CONTEXT[0] <= len(context) <= _CONTEXT[1] or (distinct and context in seen):
            continue
        seen.add(context)
        rng = random.Random(seed * 7919 + position)
        candidates = list(_candidates(context, line))
        rng.shuffle(candidates)
        for clause, answer in candidates[:questions]:
            question = _question(clause, answer, drop, rng)
            if question:
                row = Question(context, question, answer.text, answer.start)
                parts[peoples_daily.split_of(position)].append(row)
    return parts


def _clauses(line: list[tuple[str, str]]) -> Iterator[list[_Word]]:
    position, clause = 0, []
    for word, tag in line:
        end = position + len(word)
        if word in _CLAUSE_ENDS:
            yield clause
            clause = []
        else:
            clause.append(_Word(position, end, word, tag))
        position = end
    yield clause


def _candidates(context: str, line: list[tuple[str, str]]) -> Iterator[tuple[list[_Word], _Word]]:
    """Clauses of a fitting length with a word in them that can be asked for."""
    for clause in _clauses(line):
        if not clause or not _CLAUSE[0] <= clause[-1].end - clause[0].start <= _CLAUSE[1]:
            continue
        for word in clause:
            # Once in the context, or the right span would be ambiguous.
            if word.tag in QUESTION_WORDS and len(word.text) >= 2 and context.count(word.text) == 1:
                yield clause, word


def _question(clause: list[_Word], answer: _Word, drop: float, rng: random.Random) -> str | None:
    before = [w.text for w in clause if w.end <= answer.start and rng.random() > drop]
    after = [w.text for w in clause if w.start >= answer.end and rng.random() > drop]
    left, right = "".join(before), "".join(after)
    if len(left) + len(right) < 4:
        return None
    text = left[-_AROUND:] + QUESTION_WORDS[answer.tag] + right[:_AROUND]
    return text.strip('“”"、') + "?"
