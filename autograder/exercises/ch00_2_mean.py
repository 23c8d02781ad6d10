"""Notebook ch00, exercise 2: the mean of the real words."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens
from autograder.exercises.mean_mistakes import MISTAKES
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import pooling

NOTEBOOK = "ch00_start"

masked_mean = Exercise(
    "masked_mean",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.pooling:masked_mean",
    forbids=("bert_keras.layers.masked_mean", "keras.layers.GlobalAveragePooling1D"),
)


WIDER = Text(
    "x 是 float32，结果却不是：类型应当和 x 的一样。",
    "x is float32 and the result isn't: it should have the dtype of x.",
)


@masked_mean.case(points=1, zh="只平均真词", en="the mean of the real words")
def real_words_only(student, rng):
    """What stands at pads isn't zero, and what stands at a word may well be.

    B, T and D are one number: where an axis is missing nothing raises, and the numbers show it.
    """
    x, mask = normal(rng, 5, 5, 5), real_tokens([5, 2, 4, 1, 3], 5)
    x[0, 1] = x[1, 4] = 0  # a word and a pad
    x[2, 3] = 1.5, -1.5, 0.75, -1.25, 0.5  # a word whose numbers add up to 0
    mean = student(x, mask)
    expect(mean).equals(pooling.masked_mean(x, mask))
    # Wider numbers come of arrays that NumPy made on the way.
    kind = derived(mean, lambda array: str(np.asarray(array).dtype))
    expect(kind).equals(pooling.mean_dtype("float32"), otherwise=WIDER)


@masked_mean.case(
    points=1,
    zh="再补几个填充，填充不论在哪里、是什么：结果不变",
    en="more pads, wherever they are and whatever they hold: nothing moves",
)
def more_pads(student, rng):
    """The same real words with more pads behind and in front of them."""
    x, mask = normal(rng, 3, 5, 4), real_tokens([5, 3, 4], 5)
    behind, front = normal(rng, 3, 4, 4) * 3, normal(rng, 3, 2, 4) * 3
    for parts, closed in (((x, behind), (0, 4)), ((front, x, behind), (2, 4))):
        longer = np.concatenate(parts, axis=1)
        longer_mask = np.pad(mask, ((0, 0), closed))
        expect(student(longer, longer_mask)).equals(pooling.masked_mean(longer, longer_mask))


@masked_mean.case(
    points=1,
    zh="一个真词也没有的句子：得到 0，而不是 NaN",
    en="a sentence without a single word: zeros, not NaN",
)
def without_a_word(student, rng):
    """The other sentences have their means as ever."""
    x, mask = normal(rng, 4, 5, 3), real_tokens([3, 0, 5, 2], 5)
    expect(student(x, mask)).equals(pooling.masked_mean(x, mask))


@masked_mean.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def mean_in_training(student, rng):
    """No number of sentences is known."""
    x, mask = normal(rng, 2, 5, 3), real_tokens([5, 2], 5)
    actual = student.in_training(x, mask, unknown=(0, 1))
    expect(actual).equals(pooling.masked_mean(x, mask))


for _name, (_switch, _zh, _en, _hints) in MISTAKES.items():
    masked_mean.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@masked_mean.property(
    "one_vector_per_sentence",
    zh="形状应当是 (B, D)：每句一个向量。",
    en="The shape should be (B, D): one vector for each sentence.",
)
def no_vector_per_sentence(seen):
    return np.shape(seen.actual) != seen.expected.shape


@masked_mean.property(
    "full_sentences_are_right",
    zh="连没有填充的句子都算得不对。",
    en="Even sentences without a pad come out wrong.",
)
def full_is_wrong(seen):
    mask = seen.prediction.args[1]
    full = np.asarray(mask).all(axis=1)
    got = np.asarray(seen.actual)[full]
    return bool(full.any() and not np.allclose(got, seen.expected[full], atol=1e-4))


@masked_mean.property(
    "padded_sentences_are_right",
    zh="有填充的句子算得不对。",
    en="Sentences with pads come out wrong.",
)
def padded_is_wrong(seen):
    mask = seen.prediction.args[1]
    padded = np.asarray(mask).any(axis=1) & ~np.asarray(mask).all(axis=1)
    got = np.asarray(seen.actual)[padded]
    return bool(padded.any() and not np.allclose(got, seen.expected[padded], atol=1e-4))


@masked_mean.property(
    "empty_sentences_are_zero",
    zh="没有真词的句子应当得到 0。",
    en="A sentence without a real word should give 0.",
    alone=True,
)
def empty_is_not_zero(seen):
    empty = (seen.expected == 0).all(axis=-1)
    return bool(empty.any() and not np.allclose(np.asarray(seen.actual)[empty], 0, atol=1e-6))
