"""A small invented language, and reversal and copying, with the alignment known.

Sentences have 5 to 40 words, evenly, so the set shows what happens to a fixed-size bottleneck as
sentences grow. The grammar needs what real translation needs: another word order (the verb goes
to the end, adjectives behind their noun, the article behind them) and agreement (adjectives and
articles take the gender and number of the noun, verbs the number of the subject).
"""

from __future__ import annotations

import random

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.running_text import SPLITS, split_of_key
from bert_keras.text.corpora.sequences import AlignedPair

KINDS = ("grammar", "reversal", "copy")
SHORTEST, LONGEST = 5, 40

# Each English word with its word of the invented language; nouns also have a gender.
_NOUNS = {
    "dog": ("kelu", "o"),
    "cat": ("mipa", "a"),
    "horse": ("torvu", "o"),
    "bird": ("siri", "a"),
    "king": ("draku", "o"),
    "queen": ("elana", "a"),
    "farmer": ("gomu", "o"),
    "teacher": ("lesia", "a"),
    "river": ("vundu", "o"),
    "house": ("kasia", "a"),
    "tree": ("arbu", "o"),
    "road": ("tiria", "a"),
    "boat": ("naku", "o"),
    "garden": ("fila", "a"),
    "tower": ("pirku", "o"),
    "bridge": ("ponia", "a"),
}
_ADJECTIVES = {
    "small": "pik",
    "big": "gran",
    "old": "vet",
    "young": "jun",
    "red": "rud",
    "green": "zel",
    "slow": "len",
    "quick": "rap",
    "happy": "fel",
    "strange": "mir",
}
_VERBS = {
    "see": "vid",
    "find": "trov",
    "follow": "sek",
    "love": "lub",
    "fear": "tem",
    "watch": "gard",
    "help": "pom",
    "draw": "ris",
    "visit": "gost",
    "miss": "sop",
}
_PREPOSITIONS = {"near": "blis", "behind": "zad", "under": "sub", "above": "nad"}
_CONJUNCTIONS = {"and": "ke", "but": "mas"}
_ARTICLES = {"the": "l", "a": "un"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def load(
    *,
    kind: str = "grammar",
    count: int = 10_000,
    shortest: int = SHORTEST,
    longest: int = LONGEST,
    seed: int = 13,
) -> dict[str, list[AlignedPair]]:
    """Distinct sentences with their translations.

    Args:
        kind: "grammar"; or for tests "reversal" and "copy" of random letters.
        count: int, how many in all splits together.
        shortest: int, symbols in the shortest source, at least 5.
        longest: int, symbols in the longest source. Every length is equally frequent.
        seed: int; the same seed gives the same sentences.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `AlignedPair`; no source twice.

    Raises:
        CorpusError: another kind, or bounds that cannot be met.
    """
    if kind not in KINDS:
        raise CorpusError(f"kind is {kind!r}; it must be one of {', '.join(KINDS)}")
    if not 5 <= shortest <= longest:
        raise CorpusError(
            f"lengths are {shortest}…{longest}; the shortest must be 5 or more, and no longer "
            "than the longest"
        )
    rng = random.Random(f"toy/{kind}/{seed}")
    parts: dict[str, list[AlignedPair]] = {name: [] for name in SPLITS}
    seen: set[tuple[str, ...]] = set()
    while len(seen) < count:
        length = shortest + len(seen) % (longest - shortest + 1)
        pair = _sentence(rng, length) if kind == "grammar" else _letters(rng, length, kind)
        if pair.source not in seen:
            seen.add(pair.source)
            parts[split_of_key(f"{seed}/{' '.join(pair.source)}")].append(pair)
    return parts


def _letters(rng: random.Random, length: int, kind: str) -> AlignedPair:
    source = tuple(rng.choices(_LETTERS, k=length))
    order = range(length)[::-1] if kind == "reversal" else range(length)
    return AlignedPair(source, tuple(source[i] for i in order), tuple((i,) for i in order))


def _sentence(rng: random.Random, length: int) -> AlignedPair:
    """Clauses joined by conjunctions, exactly as long as wanted."""
    while True:  # a clause has 5 words, a further one 6, a place 3, an adjective 1
        extra = length - 5
        further = rng.randint(0, extra // 6)
        places = rng.randint(0, min((extra - 6 * further) // 3, further + 1))
        adjectives = extra - 6 * further - 3 * places
        phrases = 2 * (further + 1) + places
        if adjectives <= 2 * phrases:
            break
    per_phrase = [0] * phrases
    for phrase in rng.sample([*range(phrases)] * 2, adjectives):
        per_phrase[phrase] += 1
    with_place = set(rng.sample(range(further + 1), places))
    source: list[str] = []
    target: list[tuple[str, tuple[int, ...]]] = []
    for clause in range(further + 1):
        if clause:
            word = rng.choice(list(_CONJUNCTIONS))
            target.append((_CONJUNCTIONS[word], (len(source),)))
            source.append(word)
        subject, plural = _phrase(rng, source, per_phrase.pop())
        verb = rng.choice(list(_VERBS))
        verb_place = len(source)
        source.append(verb if plural else f"{verb}s" if verb != "miss" else "misses")
        thing, _ = _phrase(rng, source, per_phrase.pop())
        target += subject + thing
        if clause in with_place:
            word = rng.choice(list(_PREPOSITIONS))
            target.append((_PREPOSITIONS[word], (len(source),)))
            source.append(word)
            target += _phrase(rng, source, per_phrase.pop())[0]
        target.append((_VERBS[verb] + ("en" if plural else "e"), (verb_place,)))
    words, alignment = zip(*target, strict=True)
    return AlignedPair(tuple(source), words, alignment)


def _phrase(rng: random.Random, source: list[str], adjectives: int):
    """Append a noun phrase to the source; give its translation and whether it is plural."""
    plural, article = rng.random() < 0.3, rng.choice(list(_ARTICLES))
    if plural:
        article = "the"
    noun = rng.choice(list(_NOUNS))
    chosen = rng.sample(list(_ADJECTIVES), adjectives)
    start = len(source)
    source += [article, *chosen, f"{noun}s" if plural else noun]
    stem, gender = _NOUNS[noun]
    ending = gender + ("n" if plural else "")
    noun_place = len(source) - 1
    # Adjectives and articles take their ending from the noun, so it decides them as well.
    translated = [(stem + ("n" if plural else ""), (noun_place,))]
    for offset, adjective in enumerate(chosen, 1):
        translated.append((_ADJECTIVES[adjective] + ending, (start + offset, noun_place)))
    translated.append((_ARTICLES[article] + ending, (start, noun_place)))
    return translated, plural
