"""Notebook ch00, exercise 2: the mean of the real words."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, normal, real_tokens
from autograder.expectations import expect
from autograder.oracles import pooling

NOTEBOOK = "ch00_start"

masked_mean = Exercise(
    "masked_mean",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.pooling:masked_mean",
    forbids=("bert_keras.layers.masked_mean", "keras.layers.GlobalAveragePooling1D"),
)


@masked_mean.case(points=1, zh="只平均真词", en="the mean of the real words")
def real_words_only(student, rng):
    """What stands at pads isn't zero, and what stands at a word may well be."""
    x, mask = normal(rng, 4, 6, 3), real_tokens([6, 2, 5, 1], 6)
    x[0, 1] = x[1, 4] = 0  # a word and a pad
    x[2, 3, 2] = -x[2, 3, 0] - x[2, 3, 1]
    x[2, 3, 2] -= x[2, 3].sum()  # a word whose numbers add up to 0 in float32, too
    expect(student(x, mask)).equals(pooling.masked_mean(x, mask))


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


SUM_HINTS = (
    (
        "拿一句两个词加三个填充的话，手算一遍。",
        "Take a sentence of two words and three pads and do it by hand.",
    ),
    (
        "把填充处的数换掉，看结果动不动。",
        "Change the numbers at the pads and see whether the result moves.",
    ),
)
COUNT_HINTS = (
    (
        "每一句该除以几？写下来，和你除的数对照。",
        "Write down what each sentence should be divided by.",
    ),
    (
        "真词有几个，每一句都不一样；和句长、批次大小都无关。",
        "How many words are real differs from sentence to sentence, and has nothing to do with the "
        "length or the size of the batch.",
    ),
)
AXIS_HINTS = (
    (
        "在纸上写：(B, T, D) 进去，(B, D) 出来，是哪根轴消失了？",
        "On paper: (B, T, D) goes in and (B, D) comes out. Which axis is gone?",
    ),
    ("消失的是词，句子和特征都留着。", "It is the words; sentences and features stay."),
)
EMPTY_HINTS = (
    ("0 除以 0 得到什么？", "What is 0 divided by 0?"),
    (
        "分母最小该是几，这一句的结果才会是 0？",
        "What is the smallest divisor for which such a sentence gives 0?",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "padding_counted": (
        {"summed": "all", "divisor": "length"},
        "填充也算进去了：求的是所有位置的平均，掩码没有起作用。",
        "Pads count too: it is the mean over all positions, and the mask does nothing.",
        SUM_HINTS,
    ),
    "divided_by_length": (
        {"divisor": "length"},
        "和是对的，除错了：除以了句长 T，应当除以真词的个数。",
        "The sum is right, the divisor isn't: it is the length T and should be the number of real "
        "words.",
        COUNT_HINTS,
    ),
    "pads_in_the_sum": (
        {"summed": "all"},
        "除数是对的，和不对：填充处的数也加了进去。",
        "The divisor is right, the sum isn't: what stands at pads is added in.",
        SUM_HINTS,
    ),
    "mask_inverted": (
        ({"summed": "pads", "divisor": "pads"}, {"summed": "pads"}),
        "掩码反了：平均的是填充，不是真词。",
        "The mask is used the wrong way round: pads are averaged, not words.",
        SUM_HINTS,
    ),
    "sum_not_mean": (
        {"divisor": "one"},
        "只求了和，没有除以真词的个数：句子越长，结果越大。",
        "It is the sum, not divided by the number of words: longer sentences give larger results.",
        COUNT_HINTS,
    ),
    "one_count_for_all": (
        (
            {"divisor": "all_in_the_batch"},
            {"divisor": "mean_of_the_batch"},
            {"divisor": "batch_size"},
        ),
        "所有句子除以了同一个数：每一句要除以它自己的真词个数。",
        "All sentences are divided by one number: each has a number of words of its own.",
        COUNT_HINTS,
    ),
    "count_off": (
        ({"divisor": "one_more"}, {"divisor": "times_features"}, {"divisor": "root"}),
        "除数不对：不正好是真词的个数。",
        "The divisor is off: it isn't just the number of real words.",
        COUNT_HINTS,
    ),
    "nan_without_words": (
        {"empty": "nan"},
        "一个真词也没有时，0 除以 0 得到 NaN，而 NaN 会一路传下去。",
        "Where there is no real word 0 is divided by 0, and the NaN that comes out spreads.",
        EMPTY_HINTS,
    ),
    "wrong_axis": (
        ({"averaged": "features"}, {"averaged": "batch"}),
        "平均的方向错了：应当沿着词的方向，每个特征、每一句各算各的。",
        "The mean runs along the wrong axis: it should run over the words, for every feature and "
        "every sentence by itself.",
        AXIS_HINTS,
    ),
    "token_axis_kept": (
        {"kept": "token_axis"},
        "词的轴还留着，长度是 1：约定的形状是 (B, D)。",
        "The axis of the words is still there, with size 1: the shape agreed on is (B, D).",
        AXIS_HINTS,
    ),
    "mask_from_values": (
        ({"mask_from": "vectors"}, {"mask_from": "sums"}),
        "没有用 padding_mask，而是看向量是不是 0 来认填充：填充的向量不一定是 0。",
        "Pads are recognised by their vectors being 0, and padding_mask isn't used: a pad's vector "
        "need not be 0.",
        SUM_HINTS,
    ),
    "one_token_picked": (
        ({"reduced": "first"}, {"reduced": "last"}, {"reduced": "last_real"}),
        "只取了一个词的向量，别的词都没有用上。",
        "One word's vector is picked and the others aren't used.",
        SUM_HINTS,
    ),
    "largest_not_mean": (
        ({"reduced": "largest"}, {"reduced": "largest_with_zeros"}),
        "取的是最大值，不是平均。",
        "It takes the largest value, not the mean.",
        SUM_HINTS,
    ),
}.items():
    masked_mean.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@masked_mean.property(
    "one_vector_per_sentence",
    zh="形状应当是 (B, D)：每句一个向量。",
    en="The shape should be (B, D): one vector for each sentence.",
)
def no_vector_per_sentence(seen):
    return np.shape(seen.actual) != seen.expected.shape


@masked_mean.property(
    "empty_sentences_are_zero",
    zh="没有真词的句子应当得到 0。",
    en="A sentence without a real word should give 0.",
)
def empty_is_not_zero(seen):
    empty = (seen.expected == 0).all(axis=-1)
    return bool(empty.any() and not np.allclose(np.asarray(seen.actual)[empty], 0, atol=1e-6))


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
