"""Data sets of the course. None of them is shipped; each is fetched once and then works offline.

Every set has a name. `load` reads it, and with a path the same name reads files of the public set
in its place, or a text of your own:

    from bert_keras.text import corpora
    corpora.NAMES
    splits = corpora.load("pronunciations")
    splits["train"][0]

What each set holds, where it comes from and what its simple bars score: docs/data.md.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Name of a set: module here and function in it. Modules are imported when a set is asked for.
_LOADERS = {
    # Running text.
    "bbc_news": ("bbc_news", "load"),
    "bible": ("bible", "load"),
    "interface_texts": ("interface_texts", "load"),
    "peoples_daily": ("peoples_daily", "load"),
    "plain_text": ("plain_text", "load"),
    "python_topics": ("python_topics", "load"),
    "wikitext": ("wikitext", "load"),
    # From one sequence to another.
    "bbc_headlines": ("bbc_news", "load_headlines"),
    "bible_pairs": ("bible", "load_pairs"),
    "dates": ("dates", "load"),
    "interface_strings": ("interface_strings", "load"),
    "pinyin": ("pinyin", "load"),
    "pronunciations": ("pronunciations", "load"),
    "toy_translation": ("toy_translation", "load"),
    # Labelled.
    "bbc_topics": ("bbc_news", "load_topics"),
    "chinese_reviews": ("chinese_reviews", "load"),
    "english_sentiment": ("english_sentiment", "load"),
    "inference": ("inference", "load"),
    "intents": ("intents", "load"),
    "multiple_choice": ("multiple_choice", "load"),
    "named_entities": ("named_entities", "load"),
    "paraphrases": ("paraphrases", "load"),
    "question_answering": ("question_answering", "load"),
    "referent": ("referent", "load_splits"),
    "similarity": ("pair_files", "load_similarity"),
    "verse_pairs": ("verse_pairs", "load"),
    # Labelled and generated: for when nothing can be fetched.
    "generated_claims": ("generated_claims", "load"),
    "generated_commands": ("generated_commands", "load"),
    "generated_entities": ("generated_entities", "load"),
    "generated_facts": ("generated_facts", "load"),
    "generated_readings": ("generated_readings", "load"),
    "generated_relations": ("generated_relations", "load"),
    "generated_sentiment": ("generated_sentiment", "load"),
}
NAMES = tuple(sorted(_LOADERS))


def load(name: str, path: str | Path | None = None, **options: Any) -> Any:
    """Read a set by its name.

    Args:
        name: one of `NAMES`.
        path: None for the packaged or generated set; otherwise your own files or the public set's,
            as the loader of that name describes. "hf:OWNER/NAME/FOLDER" is fetched from the hub.
        **options: what else that loader takes, such as `seed`.

    Returns:
        What the loader returns, `{"train": […], "dev": […], "test": […]}`.

    Raises:
        CorpusError: no set has that name, the set takes no path or not that option, or the data
            cannot be had.
    """
    from bert_keras.text.corpora.archives import CorpusError

    loader = _loader(name)
    parameters = inspect.signature(loader).parameters
    if path is not None and str(path).startswith("hf:"):
        from bert_keras.text.corpora import hub

        path = hub.download(str(path))
    given = dict(options) if path is None else {"path": path, **options}
    for option in given:
        if option not in parameters:
            takes = ", ".join(parameters) or "no options"
            raise CorpusError(f"the set {name} does not take {option!r}; it takes {takes}")
    for option, parameter in parameters.items():
        if parameter.default is parameter.empty and option not in given:
            raise CorpusError(f"the set {name} needs {option!r}")
    return loader(**given)


def options(name: str) -> tuple[str, ...]:
    """What the loader of a set takes, such as `language` and `seed`.

    Args:
        name: one of `NAMES`.

    Returns:
        Names of options for `load`; `path` among them where the set takes one.

    Raises:
        CorpusError: no set has that name.
    """
    return tuple(inspect.signature(_loader(name)).parameters)


def _loader(name: str) -> Callable:
    if name not in _LOADERS:
        from bert_keras.text.corpora.archives import CorpusError

        near = difflib.get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise CorpusError(f"no data set is called {name!r}: {hint}")
    module, function = _LOADERS[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), function)
