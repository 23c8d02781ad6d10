"""The tasks that BERT is fine-tuned on. Each says how its rows become arrays, and how it is judged.

::

    classification   a text, one of several classes
    pairs            two texts, one of several relations
    choices          a context and several texts, one of which is right
    tagging          a tag for every word, such as names
    spans            a question and a context with the answer in it
    intents          a command: what is wanted, and a tag for every word
    relations        two marked names in a sentence, and how they are related
    coreference      a sentence with a pronoun: which noun it means
    claims           a claim and a store of statements: supported, refuted, or not to be told
    writing          a text, and what is to be said for it
"""

from __future__ import annotations

import importlib

from bert_keras.text import corpora
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.training.tasks.base import Task

_HOMES = {
    "classification": ("texts", "Classification"),
    "pairs": ("texts", "Pairs"),
    "choices": ("choices", "Choices"),
    "tagging": ("tagging", "Tagging"),
    "spans": ("spans", "Spans"),
    "intents": ("tagging", "Intents"),
    "relations": ("texts", "Relations"),
    "coreference": ("coreference", "Coreference"),
    "claims": ("claims", "Claims"),
    "writing": ("writing", "Writing"),
}
__all__ = ["Task", "kind_of", "load"]


def kind_of(section) -> type[Task]:
    """The kind of task that a configuration names.

    Args:
        section: the `[data]` section.

    Returns:
        A class.
    """
    module, name = _HOMES[section.task]
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def load(section) -> tuple[Task, dict[str, list]]:
    """The task that a configuration names, and its rows.

    Args:
        section: the `[data]` section.

    Returns:
        `Task`, and the rows of "train", "dev" and "test".

    Raises:
        CorpusError: the set cannot be had, has no such language, or no rows for a split.
        ConfigError: a set from which nothing can be learned.
    """
    kind = kind_of(section)
    corpus = section.corpus or kind.corpus
    options = {}
    if section.language:
        options["language"] = section.language
    if "seed" in corpora.options(corpus):
        options["seed"] = section.split_seed
    splits = corpora.load(corpus, section.path or None, **options)
    if section.rows:
        splits = {name: rows[: section.rows] for name, rows in splits.items()}
    for part, rows in splits.items():
        if not rows:
            raise CorpusError(f"the {part} split of {corpus} is empty: take another set")
    return kind(section, splits), splits
