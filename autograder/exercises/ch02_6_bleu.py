"""Notebook ch02, exercise 9: how good is a translation?"""

from autograder.exercise import Exercise
from autograder.exercises.bleu_mistakes import BLEU_MISTAKES
from autograder.expectations import expect
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


@bleu.case(points=2, zh="整个语料：词和字", en="a whole corpus, of words and of characters")
def over_a_corpus(student, rng):
    """Lengths differ widely, so that a mean over sentences is another number."""
    lengths = [(9, 12), (5, 6), (16, 15), (7, 10)]
    predictions, references = corpus(rng, WORDS[:7], lengths)
    expect(student(predictions, references)).equals(
        oracles.bleu(predictions, references, 4, False), **CLOSE
    )
    predictions, references = corpus(rng, [*"天地人 你我他"], [(8, 9), (12, 14), (6, 6)])
    predictions, references = (
        ["".join(each) for each in side] for side in (predictions, references)
    )
    expect(student(predictions, references)).equals(
        oracles.bleu(predictions, references, 4, False), **CLOSE
    )


@bleu.case(
    points=1,
    zh="译文总体偏长：没有惩罚；重复的词不多算",
    en="longer overall: no penalty, no echoes",
)
def longer_than_the_reference(student, rng):
    """Some predictions are shorter than their reference, all together are longer."""
    predictions, references = corpus(rng, WORDS[:5], [(14, 9), (6, 8), (13, 10)])
    expect(student(predictions, references)).equals(
        oracles.bleu(predictions, references, 4, False), **CLOSE
    )


@bleu.case(
    points=1, zh="一个也不匹配的长度：0 分，或平滑", en="a length without a match: 0, or smoothed"
)
def without_long_matches(student, rng):
    """No run of three or four matches; there is a sentence too short to have any."""
    a, b, c, d, e = (WORDS[i] for i in rng.permutation(len(WORDS))[:5])
    predictions, references = [[a, b, c, a, b], [d, e]], [[a, b, d, c, a, e], [d, e]]
    for smooth in (False, True):
        expect(student(predictions, references, smooth=smooth)).equals(
            oracles.bleu(predictions, references, 4, smooth), **CLOSE
        )
    predictions, references = corpus(rng, WORDS[:6], [(8, 10), (11, 12)])
    expect(student(predictions, references, 4, True)).equals(
        oracles.bleu(predictions, references, 4, True), **CLOSE
    )


@bleu.case(points=1, zh="max_order；一字不差；一片空白", en="max_order; all right; nothing at all")
def orders_and_limits(student, rng):
    """Runs of one and two only, a perfect prediction, and an empty one beside another."""
    predictions, references = corpus(rng, WORDS[:8], [(7, 9), (10, 11), (5, 5)])
    for order in (1, 2):
        expect(student(predictions, references, max_order=order)).equals(
            oracles.bleu(predictions, references, order, False), **CLOSE
        )
    expect(student(references, references)).equals(
        oracles.bleu(references, references, 4, False), **CLOSE
    )
    predictions = [predictions[0], [], references[2]]
    expect(student(predictions, references)).equals(
        oracles.bleu(predictions, references, 4, False), **CLOSE
    )
    expect(student([[]], [references[0]])).equals(
        oracles.bleu([[]], [references[0]], 4, False), **CLOSE
    )


for _name, _data in BLEU_MISTAKES.items():
    bleu.misconception(_name, **_data)


@bleu.property(
    "between_0_and_100", zh="得分应当在 0 到 100 之间。", en="A score lies between 0 and 100."
)
def outside_0_to_100(seen):
    return not 0 <= float(seen.actual) <= 100.001


@bleu.property(
    "perfect_is_100", zh="一字不差的译文没有得 100 分。", en="A perfect prediction doesn't get 100."
)
def perfect_is_less(seen):
    return seen.args[0] == seen.args[1] and abs(float(seen.actual) - 100) > 1e-3


@bleu.property(
    "zero_without_a_match",
    zh="有一种长度一个也不匹配，没有平滑，得分应当是 0。",
    en="Some length has no match and nothing is smoothed: the score should be 0.",
)
def more_than_zero(seen):
    return float(seen.expected) == 0 and abs(float(seen.actual)) > 1e-6


@bleu.property(
    "score_is_higher_than_right",
    alone=True,
    zh="得分偏高：多算了匹配，或少了惩罚。",
    en="The score is too high: too many matches, or a penalty left out.",
)
def too_high(seen):
    return float(seen.actual) > float(seen.expected) + 1e-3


@bleu.property(
    "score_is_lower_than_right",
    alone=True,
    zh="得分偏低：漏算了匹配，或惩罚过重。",
    en="The score is too low: matches left out, or too heavy a penalty.",
)
def too_low(seen):
    return float(seen.actual) < float(seen.expected) - 1e-3
