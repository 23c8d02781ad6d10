"""Questions whose flaws are known because they were planted: cues, and sentences that distract.

A tool that looks for flaws has to find these, as large as they are, and no others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from bert_keras.analysis.failure import add_distractor, cue_productivity
from bert_keras.text.corpora.generated_facts import FACTS, places
from bert_keras.text.corpora.labelled import Pair, Question

_ENDS = ".?!。？！"
# What stands at the end of a sentence is a word of its own, so that no answer sticks to it.
_WORD = re.compile(rf"[^\s{_ENDS}]+|[{_ENDS}]")


def words_of(text: str, language: str = "en") -> list[str]:
    """Cut a text into words (English) or characters (Chinese); what ends a sentence is one, too.

    Args:
        text: str.
        language: "en" or "zh".

    Returns:
        list of str.
    """
    return _WORD.findall(text) if language == "en" else [one for one in text if not one.isspace()]


def text_of(words, language: str = "en") -> str:
    """Put words together again; undoes `words_of` for plain sentences.

    Args:
        words: list of str.
        language: "en" or "zh".

    Returns:
        str.
    """
    if language == "zh":
        return "".join(words)
    return re.sub(rf" ([{_ENDS}])", r"\1", " ".join(words))


# --- cues -------------------------------------------------------------------------------------


def plant_cue(rows, cue: str, productivity: float, coverage: float, rng, language: str = "en"):
    """Put a word in front of one choice of some of the questions.

    How many rows get it, and for how many of these it is the right choice, is rounded to whole
    rows and not left to luck: what `cue_productivity` has to find is known to the last digit.

    Args:
        rows: list of `Choice`, in none of whose choices the word occurs.
        cue: str, a single word.
        productivity: float, share of the rows with the cue in which the right choice has it.
        coverage: float, share of the rows that get it.
        rng: NumPy generator.
        language: "en" or "zh".

    Returns:
        list of `Choice`.
    """
    order = rng.permutation(len(rows))
    count = round(coverage * len(rows))
    honest = round(productivity * count)
    joint = " " if language == "en" else ""
    planted = list(rows)
    for rank, number in enumerate(order[:count]):
        row = rows[number]
        others = [n for n in range(len(row.choices)) if n != row.label]
        place = row.label if rank < honest else int(rng.choice(others))
        choices = list(row.choices)
        choices[place] = cue + joint + choices[place]
        planted[number] = row._replace(choices=tuple(choices))
    return planted


def plant_word(pairs, word: str, label: int, share: float, elsewhere: float, rng, language="en"):
    """Begin the second text of some pairs with a word that has nothing to do with the question.

    Args:
        pairs: list of `Pair`.
        word: str.
        label: int, the class that it gives away.
        share: float, how many of the pairs of that class get it.
        elsewhere: float, how many of all others do.
        rng: NumPy generator.
        language: "en" or "zh".

    Returns:
        list of `Pair`.
    """
    planted = list(pairs)
    joint = " " if language == "en" else ""
    for is_label, part in ((True, share), (False, elsewhere)):
        members = [n for n, row in enumerate(pairs) if (row.label == label) == is_label]
        for number in rng.permutation(members)[: round(part * len(members))]:
            a, b, right = pairs[number]
            planted[number] = Pair(a, word[:1].upper() + word[1:] + joint + _small(b), right)
    return planted


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


class Cue(NamedTuple):
    """What a word tells about the right choice.

    Attributes:
        word: str.
        productivity: float, as `cue_productivity` defines it.
        coverage: float.
        chance: float, what productivity would be on average if the right choice were drawn by lot.
        luck: float, at most 1: a bound for the probability that, with right choices drawn by lot,
            any of all the words strays so far from its chance, on either side.
    """

    word: str
    productivity: float
    coverage: float
    chance: float
    luck: float


def cue_table(choices, labels, measure=cue_productivity) -> list[Cue]:
    """Every word of a multiple-choice set as a cue, none left out.

    With thousands of words, many that stand in two or three questions are always right by luck.
    So each is compared with what lots would give, and the bound counts how many words were tried.

    Args:
        choices: list of lists of sets of words.
        labels: list of int.
        measure: function as `cue_productivity`.

    Returns:
        list of `Cue`, the least likely by luck first.
    """
    where: dict[str, list[int]] = {}
    chances: dict[str, list[float]] = {}
    for number, sets in enumerate(choices):
        for word in set().union(*sets):
            holders = sum(word in one for one in sets)
            if holders < len(sets):
                where.setdefault(word, []).append(number)
                chances.setdefault(word, []).append((holders == 1) / len(sets))
    table = []
    for word, rows in where.items():
        # Rows in which it doesn't apply change nothing but the coverage.
        found, _ = measure([choices[n] for n in rows], [labels[n] for n in rows], word)
        chance = float(np.mean(chances[word]))
        # Chernoff's bound, which holds for unequal chances, too (Hoeffding 1956); twice for two
        # sides, and once for every word.
        bound = 2 * len(where) * np.exp(-len(rows) * _divergence(found, chance))
        luck = float(min(1.0, bound))
        table.append(Cue(word, found, len(rows) / len(choices), chance, luck))
    return sorted(table, key=lambda cue: (cue.luck, -cue.coverage, cue.word))


def _divergence(q: float, p: float) -> float:
    """KL divergence of two coins, in nats."""
    if p in (0.0, 1.0):
        return 0.0
    parts = ((q, p), (1 - q, 1 - p))
    return sum(a * float(np.log(a / b)) for a, b in parts if a > 0)


# --- distractors ------------------------------------------------------------------------------


# A sentence about another place that has the name of the asked one in it, and is no answer.
_MEAN = {"en": "Not to be confused with {n}: {s}", "zh": "别和{n}弄混:{s}"}


def with_distractors(
    rows, count: int, rng, language: str = "en", mean: bool = False, put_in=add_distractor
):
    """Add sentences about places that nobody asked for, the same fact of each.

    Of the fact sheets (`generated_facts`) and what is made from them (`generated_readings`). The
    new sentences stand between others, anywhere; their places come from the rows that are handed
    in, so that no part of a set learns names of another. Of a question with choices they name the
    wrong ones first.

    Args:
        rows: list of `Question`, or of `Choice`.
        count: int, sentences for each row.
        rng: NumPy generator.
        language: "en" or "zh".
        mean: bool, whether each sentence has the name of the asked place in it as well.
        put_in: function as `add_distractor`.

    Returns:
        The list of rows, of the kind that came in. The answer stays the only right one.

    Raises:
        ValueError: there are fewer than two more places than sentences to add.
    """
    every = places(language)
    texts = [row.context + " " + getattr(row, "question", "") for row in rows]
    names = sorted({name for text in texts for name in every if name in text})
    if len(names) < count + 2:
        raise ValueError(f"{count} more places are needed, and these rows have {len(names)} in all")
    return [_distracted(row, count, names, rng, language, mean, put_in) for row in rows]


def sentences_of(words) -> list[range]:
    """Where the sentences of a text are.

    Args:
        words: list of str, from `words_of`.

    Returns:
        list of ranges of places; each ends with what ends the sentence.
    """
    stops = [place + 1 for place, word in enumerate(words) if word in set(_ENDS)]
    return [range(a, b) for a, b in zip([0, *stops[:-1]], stops, strict=True)]


def answer_place(row: Question, language: str = "en") -> tuple[int, int]:
    """The first and the last word of an answer, both included.

    Args:
        row: `Question`, with an answer.
        language: "en" or "zh".

    Returns:
        The pair of ints.
    """
    first = len(words_of(row.context[: row.start], language))
    return first, first + len(words_of(row.answer, language)) - 1


def _distracted(row, count, names, rng, language, mean, put_in):
    asked, choices = _as_question(row, language)
    words, answer = words_of(asked.context, language), answer_place(asked, language)
    (fact,) = (one for one in FACTS[language] if asked.answer in one.values.split("|"))
    known = asked.context + asked.question
    # A name with the answer in it (the mark, 马克, in 埃德马克) would be a second answer.
    fresh = [name for name in names if name not in known and asked.answer not in name]
    # The wrong choices first: they are what a distractor is for.
    values = [value for value in choices if value != asked.answer and value not in asked.context]
    others = [v for v in fact.values.split("|") if v not in asked.context and v not in values]
    values += [others[n] for n in rng.permutation(len(others))]
    values = [value for value in values if asked.answer not in value]
    for number, name in enumerate(rng.permutation(fresh)[:count]):
        value = values[number % len(values)]
        said = fact.statement.format(n=name, v=value)
        if mean:
            (about,) = (one for one in names if one in asked.question)
            said = _MEAN[language].format(n=about, s=_small(said) if said[:3] == "The" else said)
        sentence = words_of(said, language)
        ends = [0, *(one.stop for one in sentences_of(words))]
        words, answer = put_in(words, answer, sentence, int(rng.choice(ends)))
    first, _ = answer
    before = text_of(words[:first], language)
    context = text_of(words, language)
    start = len(before) + (language == "en" and first > 0)
    if choices:
        joint = " " if language == "en" else ""
        return row._replace(context=context + joint + asked.question)
    return row._replace(context=context, start=start)


def _as_question(row, language: str) -> tuple[Question, tuple[str, ...]]:
    """A row with choices has its question at the end of the text, and no place of the answer."""
    if isinstance(row, Question):
        return row, ()
    words = words_of(row.context, language)
    last = sentences_of(words)[-1]
    context = text_of(words[: last.start], language)
    question = text_of(words[last.start :], language)
    answer = row.choices[row.label]
    return Question(context, question, answer, context.index(answer)), row.choices
