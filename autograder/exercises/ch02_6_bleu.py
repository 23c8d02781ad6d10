"""Notebook ch02, exercise 9: how good is a translation?"""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.bleu_mistakes import BLEU_MISTAKES
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import bleu as oracles

NOTEBOOK = "ch02_attention"

bleu = Exercise(
    "bleu",
    notebook=NOTEBOOK,
    points=5,
    library="bert_keras.text.bleu:bleu",
    forbids=(
        "bert_keras.text.corpora.sequences.bleu",
        "bert_keras.text.corpora.sequences.character_bleu",
    ),
    tensors=False,
)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "dog", "ran", "to", "it", "in", "rain"]
CLOSE = {"atol": 1e-3, "rtol": 1e-5}
NOT_REFUSED = Text(
    "译文和参考译文的句数不同，应当报 ValueError。",
    "There aren't as many references as predictions, which should raise a ValueError.",
)


def spoiled(rng, reference, alphabet, change, length):
    """The reference with some tokens changed, cut or filled up to a length, with echoes."""
    kept = [
        t if rng.random() > change else alphabet[rng.integers(len(alphabet))] for t in reference
    ]
    while len(kept) < length:
        kept.append(kept[-1 - rng.integers(min(2, len(kept)))])
    return kept[:length]


def corpus(rng, alphabet, lengths):
    """Lists of predictions and references, whose runs of four match here and there.

    Args:
        rng: generator.
        alphabet: list of tokens.
        lengths: pairs (length of the prediction, length of the reference).
    """
    while True:
        references = [
            [alphabet[i] for i in rng.integers(len(alphabet), size=n)] for _, n in lengths
        ]
        predictions = [
            spoiled(rng, reference, alphabet, 0.2, n)
            for reference, (n, _) in zip(references, lengths, strict=True)
        ]
        score = oracles.bleu(predictions, references, 4, False).value
        if 5 < score < 85:
            return predictions, references


def scored(student, predictions, references, *rest, **named):
    """Ask for one score; a whole number, such as 0 without its point, is a score too."""
    given = dict(zip(("max_order", "smooth"), rest, strict=False)) | named
    order, smooth = given.get("max_order", 4), given.get("smooth", False)

    def as_float(found):
        plain = np.asarray(found)
        whole = plain.ndim == 0 and plain.dtype.kind in "iu"
        return float(plain) if whole else found

    found = derived(student(predictions, references, *rest, **named), as_float)
    expect(found).equals(oracles.bleu(predictions, references, order, smooth), **CLOSE)


@bleu.case(points=2, zh="整个语料：字和词", en="a whole corpus, of characters and of words")
def over_a_corpus(student, rng):
    """Lengths differ widely, so that a mean over sentences is another number.

    Characters come first: what goes wrong with lists alone shows against them.
    """
    sides = corpus(rng, [*"天地人 你我他"], [(8, 9), (12, 14), (6, 6)])
    scored(student, *(["".join(each) for each in side] for side in sides))
    scored(student, *corpus(rng, WORDS[:7], [(9, 12), (5, 6), (16, 15), (7, 10)]))
    # Two runs that are the same once their words are written together.
    predictions = [["they", "are", "now", "here", "to", "stay"], ["a", "cat", "ran"]]
    references = [["they", "are", "no", "where", "to", "stay"], ["a", "cat", "sat"]]
    scored(student, predictions, references, max_order=2)


@bleu.case(
    points=1,
    zh="译文总体偏长：没有惩罚；重复的词不多算",
    en="longer overall: no penalty, no echoes",
)
def longer_than_the_reference(student, rng):
    """Some predictions are shorter than their reference, all together are longer."""
    scored(student, *corpus(rng, WORDS[:5], [(14, 9), (6, 8), (13, 10)]))


@bleu.case(
    points=1, zh="一个也不匹配的长度：0 分，或平滑", en="a length without a match: 0, or smoothed"
)
def without_long_matches(student, rng):
    """No run of three or four matches; there is a sentence too short to have any."""
    a, b, c, d, e = (WORDS[i] for i in rng.permutation(len(WORDS))[:5])
    predictions, references = [[a, b, c, a, b], [d, e]], [[a, b, d, c, a, e], [d, e]]
    for smooth in (False, True):
        scored(student, predictions, references, smooth=smooth)
    predictions, references = corpus(rng, WORDS[:6], [(8, 10), (11, 12)])
    scored(student, predictions, references, 4, True)


@bleu.case(
    points=1,
    zh="max_order；一字不差；一片空白；句数不同",
    en="max_order; the very same; nothing at all; one side longer",
)
def orders_and_limits(student, rng):
    """Runs of one and two only, a perfect prediction, and an empty one beside another."""
    predictions, references = corpus(rng, WORDS[:8], [(7, 9), (10, 11), (5, 5)])
    for order in (1, 2):
        scored(student, predictions, references, max_order=order)
    scored(student, references, references)
    scored(student, [predictions[0], [], references[2]], references)
    scored(student, [[]], [references[0]])
    for sides in ((predictions[:2], references), (predictions, references[:2])):
        found = student(*sides)
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        expect(np.asarray(told)).equals(oracles.refused(*sides), otherwise=NOT_REFUSED)


for _name, _data in BLEU_MISTAKES.items():
    bleu.misconception(_name, **_data)


def _score(seen):
    """The score of an observation.

    Raises:
        LookupError: it is about something else.
    """
    if seen.prediction.parts[0] != "score":
        raise LookupError("no score here")
    return float(seen.actual)


@bleu.property(
    "between_0_and_100", zh="得分应当在 0 到 100 之间。", en="A score lies between 0 and 100."
)
def outside_0_to_100(seen):
    return not 0 <= _score(seen) <= 100.001


@bleu.property(
    "perfect_is_100", zh="一字不差的译文没有得 100 分。", en="A perfect prediction doesn't get 100."
)
def perfect_is_less(seen):
    return seen.args[0] == seen.args[1] and abs(_score(seen) - 100) > 1e-3


@bleu.property(
    "zero_without_a_match",
    zh="有一种长度一个也不匹配，没有平滑，得分应当是 0。",
    en="Some length has no match and nothing is smoothed: the score should be 0.",
)
def more_than_zero(seen):
    return float(seen.expected) == 0 and abs(_score(seen)) > 1e-6


@bleu.property(
    "score_is_higher_than_right",
    alone=True,
    zh="得分偏高：多算了匹配，或少了惩罚。",
    en="The score is too high: too many matches, or a penalty left out.",
)
def too_high(seen):
    return _score(seen) > float(seen.expected) + 1e-3


@bleu.property(
    "score_is_lower_than_right",
    alone=True,
    zh="得分偏低：漏算了匹配，或惩罚过重。",
    en="The score is too low: matches left out, or too heavy a penalty.",
)
def too_low(seen):
    return _score(seen) < float(seen.expected) - 1e-3
