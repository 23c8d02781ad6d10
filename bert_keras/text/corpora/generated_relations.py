"""Generated sentences in which somebody did something to somebody: who, to whom, and what.

Relation extraction asks how two marked names of a sentence are related. Every sentence here tells
of two deeds among three people, in the active or in the passive, and any two of the people may be
marked, in either order. So the words alone tell next to nothing: the same sentence has six answers.
With a path, the same function reads SemEval-2010 Task 8.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import NamedTuple

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_entities import FAMILY, GIVEN
from bert_keras.text.corpora.labelled import deal, generate

LANGUAGES = ("en", "zh")
# For models that count words and throw away punctuation, as scikit-learn's do.
WORDS_AS_MARKS = {"head": "headmark", "tail": "tailmark"}
NONE = "none"

# The deed in the active and in the passive; {a} did it, to {b}.
_DEEDS = {
    "en": {
        "taught": ("{a} taught {b}", "{b} was taught by {a}"),
        "hired": ("{a} hired {b}", "{b} was hired by {a}"),
        "rescued": ("{a} rescued {b}", "{b} was rescued by {a}"),
        "succeeded": ("{a} succeeded {b}", "{b} was succeeded by {a}"),
    },
    "zh": {
        "taught": ("{a}教过{b}", "{b}由{a}教过"),
        "hired": ("{a}雇用了{b}", "{b}被{a}雇用了"),
        "rescued": ("{a}救过{b}", "{b}被{a}救过"),
        "succeeded": ("{a}接替了{b}", "{b}被{a}接替了"),
    },
}
_JOINED = {
    "en": ("{0}, and {1}.", "{0} before {1}.", "After {0}, {1}.", "It is known that {0} and {1}."),
    "zh": ("{0},{1}。", "{0},后来{1}。", "据说{0},{1}。", "先是{0},然后{1}。"),
}


_MARKED = re.compile(r"(?P<sign>[@#])(?P<name>[^@#]+)(?P=sign)")


class Relation(NamedTuple):
    """Two marked names of a sentence and how the first is related to the second.

    Attributes:
        text: str.
        head: pair of int, where the first name stands: `text[head[0] : head[1]]`.
        tail: pair of int, where the second name stands; it may stand before the first.
        label: str, such as "taught", "taught_by" or "none".
        number: str, of a published sentence; empty for a generated one.
    """

    text: str
    head: tuple[int, int]
    tail: tuple[int, int]
    label: str
    number: str = ""


def load(
    path: str | Path | None = None, *, language: str = "en", size: int = 4000, seed: int = 13
) -> dict[str, list[Relation]]:
    """Generated sentences with two marked names.

    Args:
        path: None for the generated set; otherwise as for `semeval_relations.load`.
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Relation`, every label about equally
        often; no family name is in two parts.

    Raises:
        CorpusError: unknown language, or a file cannot be read.
    """
    if path is not None:
        from bert_keras.text.corpora import semeval_relations

        return semeval_relations.load(path, seed=seed)
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    rng = random.Random(seed)
    family, given = deal(FAMILY[language].split(), rng), GIVEN[language].split()
    deeds, frames = _DEEDS[language], _JOINED[language]
    labels = [NONE, *deeds, *(f"{deed}_by" for deed in deeds)]

    def person(split: str) -> str:
        first, last = rng.choice(given), rng.choice(family[split])
        return f"{first} {last}" if language == "en" else last + first

    def make(split: str) -> Relation | None:
        label = rng.choice(labels)
        people = [person(split) for _ in range(3)]
        if any(a in b for a in people for b in people if a is not b):
            return None
        told = rng.sample(list(deeds), 2)
        if label != NONE and label.removesuffix("_by") not in told:
            told[rng.randrange(2)] = label.removesuffix("_by")
        # One of the three has a part in both deeds; the other two have nothing to do with each
        # other. Who does and who suffers is drawn for each deed.
        shared, *others = people
        pairs = [rng.sample((shared, other), 2) for other in others]
        clauses = [
            rng.choice(deeds[deed]).format(a=a, b=b)
            for deed, (a, b) in zip(told, pairs, strict=True)
        ]
        text = rng.choice(frames).format(*clauses)
        text = text[0].upper() + text[1:]
        if label == NONE:
            marked = rng.sample(others, 2)
        else:
            marked = pairs[told.index(label.removesuffix("_by"))]
            marked = marked[::-1] if label.endswith("_by") else marked
        clause = 0 if label == NONE else told.index(label.removesuffix("_by"))
        spans = [_place(text, name, clauses[clause]) for name in marked]
        return Relation(text, *spans, label)

    return generate(make, size, lambda row: row)


def mark(row: Relation, head: str = "@", tail: str = "#") -> str:
    """The sentence with both names between marks, so that a model sees which they are.

    Marks are punctuation rather than new tokens: every vocabulary has them.

    Args:
        row: `Relation`.
        head: str, before and after the first name.
        tail: str, before and after the second.

    Returns:
        Str.

    Reference:
        Baldini Soares et al., Matching the Blanks (2019), section 3, entity markers; Zhou and Chen,
        An Improved Baseline for Sentence-level Relation Extraction (2022), for punctuation.
    """
    text = row.text
    for (start, end), sign in sorted(((row.head, head), (row.tail, tail)), reverse=True):
        text = f"{text[:start]}{sign} {text[start:end]} {sign}{text[end:]}"
    return text


def unmark(text: str) -> Relation:
    """Undo `mark`: a sentence in which somebody marked two names.

    Args:
        text: str with `@ first name @` and `# second name #`, in either order.

    Returns:
        `Relation` with an empty label.

    Raises:
        ValueError: one of the two is missing, or there are several.
    """
    places, plain, read = {}, "", 0
    for found in _MARKED.finditer(text):
        plain += text[read : found.start()]
        name = found["name"].strip()
        sign, place = found["sign"], (len(plain), len(plain) + len(name))
        if sign in places:
            raise ValueError(f"two names stand between {sign}: {text!r}")
        places[sign] = place
        plain, read = plain + name, found.end()
    if len(places) < 2:
        raise ValueError(f"mark two names, like @ Ann Lee @ and # Bo Day #, in {text!r}")
    return Relation(plain + text[read:], places["@"], places["#"], "")


def _place(text: str, name: str, clause: str) -> tuple[int, int]:
    """Where the name stands, in the clause if it is there: one of the three is named twice."""
    begin = text.lower().find(clause.lower())
    inside = clause.find(name)
    start = begin + inside if inside >= 0 else text.find(name)
    return start, start + len(name)
