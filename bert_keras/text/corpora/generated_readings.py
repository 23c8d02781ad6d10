"""Generated multiple-choice reading: a text on two invented places, a question, four answers.

One of the wrong answers is true of the other place of the text: whoever looks for an answer that
occurs in the text is right half of the time. The other two occur nowhere in it.
"""

from __future__ import annotations

import random

from bert_keras.text.corpora import generated_facts
from bert_keras.text.corpora.labelled import SPLITS, Choice

LANGUAGES = generated_facts.LANGUAGES


def load(*, language: str = "en", size: int = 3000, seed: int = 13) -> dict[str, list[Choice]]:
    """Generated texts with a question and four answers.

    Args:
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Choice`; the question stands at the end
        of the context. Texts and questions are those of `generated_facts`.

    Raises:
        CorpusError: unknown language.
    """
    splits = generated_facts.load(language=language, size=size, seed=seed)
    rng = random.Random(seed)
    joint = " " if language == "en" else ""
    values = [fact.values.split("|") for fact in generated_facts.FACTS[language]]
    parts: dict[str, list[Choice]] = {}
    for part in SPLITS:
        parts[part] = []
        for row in splits[part]:
            (alike,) = (list_ for list_ in values if row.answer in list_)
            inside = [v for v in alike if v != row.answer and v in row.context]
            outside = [v for v in alike if v not in row.context]
            choices = [row.answer, inside[0], *rng.sample(outside, 2)]
            rng.shuffle(choices)
            parts[part].append(
                Choice(
                    row.context + joint + row.question, tuple(choices), choices.index(row.answer)
                )
            )
    return parts
