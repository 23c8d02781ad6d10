"""Notebook ch00, exercise 5: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import normal, real_tokens
from autograder.exercises.drill_parts import (
    STILL_ILL,
    ask_for_the_name,
    released_bug,
    tell_a_wrong_name,
)
from autograder.exercises.mean_mistakes import COUNT_HINTS, EMPTY_HINTS, SUM_HINTS
from autograder.expectations import expect
from autograder.oracles import pooling

NOTEBOOK = "ch00_start"

# The keys of solutions/ch00_start/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "pads_in_the_sum",
    "divided_by_length",
    "mask_inverted",
    "pad_id_fixed_to_zero",
    "one_count_for_all",
    "mask_from_vectors",
)

drill = Exercise(
    "drill_ch00_start",
    notebook=NOTEBOOK,
    points=3,
    kind="drill",
    defines=("suspect", "repaired"),
    variants=DRILL_BUGS,
)

ILL_HINTS = (
    (
        "拿一句话，分别补 0 个、1 个、5 个填充，看向量怎样变。",
        "Take one sentence with 0, 1 and 5 pads behind it and watch its vector.",
    ),
    (
        "换一个填充编号，换一批长短不同的句子，一次只换一样。",
        "Use another id for pads, then other sentences in the batch; change one thing at a time.",
    ),
)


def sentences_and_table(rng, lengths, size, pad_id):
    """Ids (B, T), pads behind the words, and a table: a word's row may be zero, the pad's isn't."""
    token_ids = rng.integers(0, 12, (len(lengths), size))
    token_ids[token_ids == pad_id] = 12
    token_ids[0, 0] = 3
    token_ids = np.where(real_tokens(lengths, size), token_ids, pad_id).astype("int32")
    table = normal(rng, 13, 4)
    table[3] = 0
    return token_ids, table


ask_for_the_name(drill)


@drill.case(points=1, zh="修好之后：填充编号是 0", en="repaired: pads have id 0")
def repaired_with_usual_pads(student, rng):
    """Sentences of several lengths; one has no word at all."""
    token_ids, table = sentences_and_table(rng, [6, 3, 0, 4, 1], 6, 0)
    actual = student.named("repaired")(token_ids, table)
    patient = released_bug(drill, student)
    expect(actual).equals(pooling.sentence_vectors(token_ids, table, patient=patient))


@drill.case(points=1, zh="修好之后：填充编号是别的数", en="repaired: pads have another id")
def repaired_with_other_pads(student, rng):
    """Where 0 is a word, and pads stand in front too."""
    token_ids, table = sentences_and_table(rng, [5, 2, 4], 5, 7)
    token_ids[0, 1], token_ids[2, 0] = 0, 7
    actual = student.named("repaired")(token_ids, table, pad_id=7)
    patient = released_bug(drill, student)
    expect(actual).equals(pooling.sentence_vectors(token_ids, table, 7, patient=patient))


tell_a_wrong_name(drill, ILL_HINTS)
# Each as the bug that is still there, which stays untold, and as one that the repair brought in.
_ILL = {
    "pads_in_the_sum": (
        ({"summed": "all"},),
        "填充也加进了和里",
        "pads are added to the sum",
    ),
    "divided_by_length": (
        ({"divisor": "length"},),
        "除以了整行的长度",
        "it divides by the length of the row",
    ),
    "mask_inverted": (
        ({"polarity": "true_is_pad"},),
        "掩码反了",
        "the mask is inverted",
    ),
    "pad_id_fixed_to_zero": (
        ({"pad": "zero"},),
        "填充的编号写死成了 0",
        "the id of pads is fixed to 0",
    ),
    "one_count_for_all": (
        (
            {"divisor": "all_in_the_batch"},
            {"divisor": "mean_of_the_batch"},
            {"divisor": "batch_size"},
        ),
        "整批句子用了同一个个数",
        "one count is used for the whole batch",
    ),
    "mask_from_vectors": (
        ({"mask_from": "vectors"},),
        "靠向量是不是 0 来认填充",
        "pads are recognised by their vectors being 0",
    ),
}
for _name, (_forms, _zh, _en) in _ILL.items():
    drill.misconception(
        _name,
        switch=tuple({**form, "left": _name} for form in _forms),
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
    drill.misconception(
        f"new_{_name}",
        switch=tuple({**form, "new": _name} for form in _forms),
        zh=f"改的时候带进了一个新的错误：{_zh}。",
        en=f"The repair brought in a new bug: {_en}.",
        hints=ILL_HINTS,
    )
for _name, (_switch, _zh, _en, _hints) in {
    "padding_counted": (
        {"summed": "all", "divisor": "length"},
        "填充也算进去了：求的是所有位置的平均。",
        "Pads count too: it is the mean over all positions.",
        SUM_HINTS,
    ),
    "sum_not_mean": (
        {"divisor": "one"},
        "只求了和，没有除以真词的个数。",
        "It is the sum, not divided by the number of words.",
        COUNT_HINTS,
    ),
    "nan_without_words": (
        {"empty": "nan"},
        "一个真词也没有时，得到了 NaN；约定是 0。",
        "Where there is no real word it gives NaN; zeros were agreed on.",
        EMPTY_HINTS,
    ),
    "count_off": (
        ({"divisor": "one_more"}, {"divisor": "root"}, {"divisor": "times_features"}),
        "除数不对：不正好是真词的个数。",
        "The divisor is off: it isn't just the number of real words.",
        COUNT_HINTS,
    ),
    "word_lost": (
        ({"tokens": "without_the_last"}, {"tokens": "without_the_first"}),
        "每句丢了一个位置。",
        "One position of every sentence is lost.",
        SUM_HINTS,
    ),
    "compared_by_size": (
        ({"found": "larger"}, {"found": "smaller"}),
        "把编号当作大小来比了；不相等才说明是真词。",
        "Ids are compared by size; being another id than the pad's is what counts.",
        SUM_HINTS,
    ),
}.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def of_the_repair(seen):
    """Whether this is a result of `repaired`; the other observations are about the name."""
    return isinstance(seen.expected, np.ndarray)


@drill.property(
    "one_vector_per_sentence",
    zh="形状应当是 (B, D)：每句一个向量。",
    en="The shape should be (B, D): one vector for each sentence.",
)
def no_vector_per_sentence(seen):
    return of_the_repair(seen) and np.shape(seen.actual) != seen.expected.shape


@drill.property(
    "vectors_are_finite", zh="结果里有 NaN 或无穷大。", en="The result holds NaN or infinities."
)
def vectors_are_not_finite(seen):
    finite = np.isfinite(np.asarray(seen.actual, "float64")).all()
    return of_the_repair(seen) and not finite


@drill.property(
    "some_vector_is_wrong",
    zh="有的句子向量不对：逐句对照，看错的是哪一种句子。",
    en="Some sentence vectors are wrong: go through them and see what kind of sentence they are.",
    alone=True,
)
def some_vector_is_wrong(seen):
    return of_the_repair(seen)
