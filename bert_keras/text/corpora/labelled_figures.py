"""Sizes and bars of the labelled sets, measured anew.

    python -m bert_keras.text.corpora.labelled_figures intents paraphrases

prints what `docs/data.md` tells about these sets, and all of them without a name. The bars need
scikit-learn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from bert_keras.text import corpora
from bert_keras.text.corpora import bars, english_cloze, question_answering
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_relations import WORDS_AS_MARKS, mark
from bert_keras.text.corpora.labelled import LabelledText

# Chinese is counted in characters.
_CHINESE = {"analyzer": "char"}


def _by_intent(splits):
    return bars.majority(splits, lambda row: row.intent)


def _slots(splits):
    return bars.longest_match({name: [r.tagged for r in rows] for name, rows in splits.items()})


def _second_alone(splits):
    """A test of the set itself: the hypothesis without its premise should tell little."""
    return bars.tfidf_logistic(
        {name: [LabelledText(row.b, row.label) for row in rows] for name, rows in splits.items()}
    )


def _first_candidate(splits):
    return bars.exact_matches(splits, english_cloze.first_candidate)


def _match(splits):
    return bars.exact_matches(splits, question_answering.match_question)


def _marked(splits):
    return bars.tfidf_logistic(
        {
            name: [LabelledText(mark(r, **WORDS_AS_MARKS), r.label) for r in rows]
            for name, rows in splits.items()
        }
    )


def _claim_alone(splits):
    return bars.tfidf_logistic(
        {name: [LabelledText(r.claim, r.label) for r in rows] for name, rows in splits.items()}
    )


def _chinese(bar: Callable[..., float], **options) -> Callable[[dict], float]:
    return lambda splits: bar(splits, **_CHINESE, **options)


_ACCURACY = {"majority": bars.majority, "word TF-IDF, logistic regression": bars.tfidf_logistic}
_CHARACTERS = {
    "majority": bars.majority,
    "character 1-grams": _chinese(bars.tfidf_logistic, ngrams=(1, 1)),
    "character 1-2-grams": _chinese(bars.tfidf_logistic),
}
_OVERLAP = {"majority": bars.majority, "overlap": bars.overlap_logistic}

# Name and options of a set → its bars. A set may stand here several times.
_SETS: list[tuple[str, dict, dict[str, Callable[[dict], float]]]] = [
    ("chinese_reviews", {}, _CHARACTERS),
    *(
        ("english_sentiment", {"domain": domain}, _ACCURACY)
        for domain in ("movies", "products", "editorials", "tweets", "all")
    ),
    ("english_sentiment", {"kind": "three"}, _ACCURACY),
    ("named_entities", {}, {"longest match, F1": bars.longest_match}),
    ("question_answering", {"language": "zh"}, {"question looked up, exact": _match}),
    (
        "question_answering",
        {"language": "en"},
        {"question looked up, exact": _match, "first of its kind, exact": _first_candidate},
    ),
    (
        "intents",
        {"language": "en"},
        {"majority": _by_intent, "intent": bars.intent_logistic, "slots, longest match F1": _slots},
    ),
    (
        "intents",
        {"language": "zh-CN"},
        {
            "majority": _by_intent,
            "intent": _chinese(bars.intent_logistic, ngrams=(1, 3)),
            "slots, longest match F1": _slots,
        },
    ),
    (
        "paraphrases",
        {"language": "zh-CN"},
        {"majority": bars.majority, "overlap": _chinese(bars.overlap_logistic)},
    ),
    ("paraphrases", {"language": "en"}, _OVERLAP),
    ("verse_pairs", {}, _OVERLAP),
    ("multiple_choice", {}, {"nearest TF-IDF": bars.tfidf_choice}),
    ("multiple_choice", {"same_article": True}, {"nearest TF-IDF": bars.tfidf_choice}),
    ("inference", {}, {**_OVERLAP, "hypothesis alone": _second_alone}),
    (
        "generated_sentiment",
        {},
        {
            "majority": bars.majority,
            "single words": lambda splits: bars.tfidf_logistic(splits, ngrams=(1, 1)),
            "with pairs of words": bars.tfidf_logistic,
        },
    ),
    ("generated_entities", {}, {"longest match, F1": bars.longest_match}),
    ("generated_facts", {}, {"question looked up, exact": _match}),
    ("generated_commands", {}, {"majority": _by_intent, "intent": bars.intent_logistic}),
    ("generated_relations", {}, {"majority": bars.majority, "words": _marked}),
    ("generated_claims", {}, {"majority": bars.majority, "the claim alone": _claim_alone}),
    ("generated_readings", {}, {"nearest TF-IDF": bars.tfidf_choice}),
]
NAMES = tuple(dict.fromkeys(name for name, _, _ in _SETS))


def report(names: list[str]) -> Iterator[str]:
    """Lines that tell the sizes and bars of sets.

    Args:
        names: names out of `NAMES`; all of them if empty.

    Yields:
        Str, one line at a time.

    Raises:
        CorpusError: a name is unknown, a set cannot be had, or scikit-learn is not installed.
    """
    for name in names:
        if name not in NAMES:
            raise CorpusError(f"no figures for {name!r}; there are {', '.join(NAMES)}")
    for name, options, measures in _SETS:
        if names and name not in names:
            continue
        splits = corpora.load(name, **options)
        sizes = ", ".join(f"{part} {len(rows)}" for part, rows in splits.items())
        chosen = "".join(f" {key}={value}" for key, value in options.items())
        yield f"{name}{chosen}: {sizes}"
        for label, measure in measures.items():
            yield f"  {label}: {measure(splits):.3f}"


if __name__ == "__main__":
    try:
        for line in report(sys.argv[1:]):
            print(line, flush=True)
    except CorpusError as error:
        sys.exit(str(error))
