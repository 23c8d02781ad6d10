"""The referent corpus: sentences whose last adjective decides which noun the pronoun means.

"The animal didn't cross the street because it was too tired": *it* is the animal. Put *wide* for
*tired* and it is the street. The corpus generates many such sentences in English and Chinese, so
the right answer is known for each of them.

Nothing but reading the sentence helps. Every draw of nouns, verb and adjectives gives four
sentences: either noun first, and an adjective for either noun. So each word of the language
stands equally often in sentences whose pronoun means the first and the second noun: neither a
position nor a weight per word is better than a coin.

The pairs of a noun and an adjective that describe the answer in the test split never do so in
the training split: a model has to learn what *kind* of thing each adjective fits.
"""

import dataclasses
import random

import numpy as np

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.referent_scenes import PRONOUNS, SCENES

PAD = "[PAD]"
_HELD_OUT = 5  # one pair of noun and adjective in this many belongs to the test split


@dataclasses.dataclass(frozen=True)
class Sentence:
    """One sentence with its planted truth.

    Attributes:
        tokens: tuple of str, the words (in Chinese the comma is one of them).
        nouns: pair of int, the positions of the two nouns in `tokens`.
        pronoun: int, the position of the pronoun.
        adjective: int, the position of the last adjective.
        label: int, 0 if the pronoun means the first noun, 1 if it means the second.
    """

    tokens: tuple
    nouns: tuple
    pronoun: int
    adjective: int
    label: int

    @property
    def referent(self):
        """int, the position of the noun that the pronoun means."""
        return self.nouns[self.label]

    def text(self) -> str:
        """The sentence as one writes it."""
        if any("\u4e00" <= character <= "\u9fff" for character in self.tokens[0]):
            return "".join(self.tokens) + "。"
        return " ".join(self.tokens).capitalize() + "."


LANGUAGES = tuple(SCENES)


def _scenes(language):
    if language not in SCENES:
        raise ValueError(f"language is {language!r}; the corpus has {', '.join(LANGUAGES)}")
    return SCENES[language]


def _tell(language, scene, order, noun_a, noun_b, verb, adjective, means_a):
    """Fill one pattern and find the positions of its parts."""
    parts = {"{a}": noun_a, "{b}": noun_b, "{v}": (verb[order],), "{j}": (adjective,)}
    tokens, ends = [], {}
    for piece in scene.patterns[order].split():
        tokens.extend(parts.get(piece, (piece,)))
        ends[piece] = len(tokens) - 1
    label = int((order == 0) != means_a)
    nouns = tuple(sorted((ends["{a}"], ends["{b}"])))
    return Sentence(tuple(tokens), nouns, ends[PRONOUNS[language]], ends["{j}"], label)


def _in_test(noun_index, adjective_index):
    return (noun_index + adjective_index) % _HELD_OUT == 0


def example(language):
    """Return the course's running example: one sentence with each of two last adjectives.

    Both belong to the test split: no training sentence has these answers.

    Args:
        language: "en" or "zh".

    Returns:
        The pair of `Sentence` (the animal was too tired, the street was too wide).
    """
    scene = _scenes(language)[0]
    start = (language, scene, 0, scene.nouns_a[0], scene.nouns_b[0], scene.verbs[0])
    return (
        _tell(*start, scene.adjectives_a[0], means_a=True),
        _tell(*start, scene.adjectives_b[0], means_a=False),
    )


def load(language, count=4000, split="train", seed=0):
    """Generate sentences of one split.

    Args:
        language: "en" or "zh".
        count: int, how many sentences, a multiple of 4: they come in balanced fours.
        split: "train" or "test". No pair of answer noun and adjective is in both.
        seed: int or str; the same seed gives the same sentences.

    Returns:
        list of `Sentence`, shuffled. Within it every word stands in as many sentences with
        label 0 as with label 1.

    Raises:
        ValueError: for an unknown language or split, or a count that isn't a multiple of 4.
    """
    scenes = _scenes(language)
    if split not in ("train", "test"):
        raise ValueError(f"split is {split!r}; it must be 'train' or 'test'")
    if count % 4:
        raise ValueError(f"count is {count}; it must be a multiple of 4")
    rng = random.Random(f"{language}/{split}/{seed}")
    sentences = []
    while len(sentences) < count:
        scene = rng.choice(scenes)
        pick = [
            rng.randrange(len(choices))
            for choices in (scene.nouns_a, scene.nouns_b, scene.adjectives_a, scene.adjectives_b)
        ]
        held_out = {_in_test(pick[0], pick[2]), _in_test(pick[1], pick[3])}
        if held_out != {split == "test"}:
            continue
        noun_a, noun_b = scene.nouns_a[pick[0]], scene.nouns_b[pick[1]]
        verb = rng.choice(scene.verbs)
        for order in (0, 1):
            for adjective, means_a in (
                (scene.adjectives_a[pick[2]], True),
                (scene.adjectives_b[pick[3]], False),
            ):
                sentences.append(
                    _tell(language, scene, order, noun_a, noun_b, verb, adjective, means_a)
                )
    rng.shuffle(sentences)
    return sentences


def load_splits(*, language="en", size=4000, seed=13):
    """Generate all three parts, as the other sets of the course have them.

    Args:
        language: "en" or "zh".
        size: int, sentences of train, a multiple of 32; dev and test get an eighth of it each.
        seed: int; the same seed gives the same sentences.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Sentence`. No pair of answer noun and
        adjective of train is in dev or test, and no sentence is in two parts or twice in one.

    Raises:
        CorpusError: an unknown language.
        ValueError: a size that isn't a multiple of 32.
    """
    if language not in SCENES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    if size % 32:
        raise ValueError(f"size is {size}; it must be a multiple of 32")
    parts, seen = {}, set()
    for name, split, count in (
        ("train", "train", size),
        ("test", "test", size // 8),
        ("dev", "test", size // 8),
    ):
        found, draw = [], 0
        while len(found) < count:
            drawn = load(language, count, split, seed=f"{seed}/{name}/{draw}")
            # Four sentences of one draw belong together; a repetition brings all four again.
            found += [s for s in dict.fromkeys(drawn) if s not in seen][: count - len(found)]
            seen.update(found)
            draw += 1
        parts[name] = found
    return {name: parts[name] for name in ("train", "dev", "test")}


def vocabulary(language):
    """Return every word of the language's sentences, the padding token first.

    Args:
        language: "en" or "zh".

    Returns:
        list of str; the index of a word is its id. Id 0 is "[PAD]".
    """
    words = set()
    for scene in _scenes(language):
        for pattern in scene.patterns:
            words.update(piece for piece in pattern.split() if not piece.startswith("{"))
        for noun in (*scene.nouns_a, *scene.nouns_b):
            words.update(noun)
        for verb in scene.verbs:
            words.update(verb)
        words.update(scene.adjectives_a, scene.adjectives_b)
    return [PAD, *sorted(words)]


def encode(sentences, language, length=None):
    """Turn sentences into the arrays that a model trains on.

    Args:
        sentences: list of `Sentence`.
        language: "en" or "zh".
        length: int, the padded length; by default that of the longest sentence.

    Returns:
        The triple (token_ids, pronoun, label): int32 arrays of shapes (B, T), (B,) and (B,).
        Pads have id 0; pronoun holds the position of the pronoun in its sentence.

    Raises:
        ValueError: if a sentence is longer than length.
    """
    longest = max((len(sentence.tokens) for sentence in sentences), default=0)
    length = longest if length is None else length
    if longest > length:
        raise ValueError(f"the longest sentence has {longest} words; length is {length}")
    ids = {word: index for index, word in enumerate(vocabulary(language))}
    token_ids = np.zeros((len(sentences), length), dtype="int32")
    for row, sentence in enumerate(sentences):
        token_ids[row, : len(sentence.tokens)] = [ids[word] for word in sentence.tokens]
    pronoun = np.array([sentence.pronoun for sentence in sentences], dtype="int32")
    label = np.array([sentence.label for sentence in sentences], dtype="int32")
    return token_ids, pronoun, label
