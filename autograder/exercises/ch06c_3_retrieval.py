"""Notebook ch06c, exercise 3: the statements that a claim is about."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06c_1_prefix import NOTEBOOK
from autograder.exercises.ch06c_retrieval_mistakes import RETRIEVAL
from autograder.exercises.ch06c_retrieval_texts import (
    HAN,
    LONGER,
    WORDS,
    a_sentence,
    about,
    drawn,
    some_texts,
    some_words,
)
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import retrieval as oracles
from autograder.oracles.text_words import told

retrieve_evidence = Exercise(
    "retrieve_evidence",
    notebook=NOTEBOOK,
    points=7,
    needs={"basic_tokenize": "bert_keras.text.wordpiece:basic_tokenize"},
    forbids=(
        "bert_keras.text.retrieval.BM25",
        "bert_keras.text.BM25",
    ),
    tensors=False,
)


def as_numbers(found):
    """The list of numbers as an array; anything else written out."""
    if isinstance(found, np.ndarray) and found.ndim == 1 and found.dtype.kind in "iu":
        return found.astype(np.int64)
    if not isinstance(found, (tuple, list)):
        return found
    plain = [each.item() if isinstance(each, np.generic) else each for each in found]
    plain = [
        each.item() if isinstance(each, np.ndarray) and each.ndim == 0 else each for each in plain
    ]
    if all(isinstance(each, int) and not isinstance(each, bool) for each in plain):
        return np.array(plain, np.int64)
    if all(isinstance(each, float) for each in plain):
        return np.array(plain)
    if all(isinstance(each, str) for each in plain):
        return told(plain)
    return told("pairs")


def judge(student, claim, texts, count, *rest):
    """Ask once, for these texts and parameters."""
    wanted = oracles.retrieve_evidence(claim, texts, count, *rest)

    def said(got):
        right, got = wanted.value, np.asarray(got)
        place = int(np.argmax(right != got)) if got.shape == right.shape else 0
        return Text(
            f"断言“{claim[:60]}”：第 {place + 1} 名应当是 {right[place]}，实际是 {got[place]}。",
            f"For the claim “{claim[:60]}” place {place + 1} should be {right[place]}, and is "
            f"{got[place]}.",
        )

    found = student(claim, fixture("lent_texts", texts), count, *rest)
    expect(derived(found, as_numbers)).equals(wanted, otherwise=said)


@retrieve_evidence.case(
    points=2,
    zh="整个名单：少见的词、重复的词、长的资料",
    en="the whole list: rare words, repeated words, long statements",
)
def whole_ranking(student, rng):
    """Twelve statements; a rare word outweighs a common one, a short statement a long one."""
    telling = [
        {"rarity": how} for how in ("none", "plain", "without_one", "smoothed", "occurrences")
    ]
    telling += [{"counted": how} for how in ("once", "plain", "numerator_once", "no_damping")]
    telling += [{"share": "none"}, {"length": "characters"}, {"length": "distinct"}]
    telling += [{"rarity": "no_halves"}, {"counted": "log"}, {"bracket": "share_outside"}]
    telling += [{"length": "distinct_over_mean"}, {"share": "turned"}]
    for number in (12, 14):
        judge(student, *drawn(about(rng, number), telling, (number,)), number)


@retrieve_evidence.case(
    points=1,
    zh="saturation 和 length_share 换成别的",
    en="other values of saturation and length_share",
)
def other_parameters(student, rng):
    """Hardly damped and fully; length doesn't count, or counts in full."""
    for rest in ((10, 0.2, 0.9), (11, 3.0, 0.25), (9, 1.6, 0.0), (9, 0.6, 1.0)):
        telling = [{"share": "default"}, {"damping": "default"}, {"bracket": "plus_instead"}]
        telling = telling[: 1 if rest[2] in (0.0, 1.0) else 3]
        judge(student, *drawn(about(rng, rest[0]), telling, rest), *rest)


@retrieve_evidence.case(
    points=1,
    zh="词怎么切：大小写、标点、中文、词的一部分",
    en="how words are cut: capitals, marks, Chinese, parts of words",
)
def words_as_they_are_cut(student, rng):
    """Longer words that have the claim's in them; then texts in Chinese."""

    def english():
        asked = [str(word) for word in rng.permutation(len(WORDS))[:4]]
        words = [WORDS[int(number)] for number in asked]
        texts = some_texts(rng, 9, words + [LONGER[int(number)] for number in asked], 0.7)
        return a_sentence(rng, words).upper(), texts

    def chinese():
        signs = rng.permutation(list(HAN))
        lengths = rng.permutation(np.arange(3, 12))
        texts = [
            "".join(rng.choice(signs[: 5 + number % 9], length)) + "。"
            for number, length in enumerate(lengths)
        ]
        return "".join(signs[:4]) + "。", texts

    telling = [{"words": how} for how in ("split", "lower_split", "case_kept", "characters")]
    telling += [{"matched": "letters"}, {"matched": "holding"}, {"matched": "holding_lower"}]
    apart = [({"matched": "letters"}, {"matched": "holding_lower"})]
    judge(student, *drawn(english, telling, (9,), apart), 9)
    judge(student, *drawn(chinese, [{"words": "split"}], (9,)), 9)


@retrieve_evidence.case(
    points=1,
    zh="断言里重复的词只算一次",
    en="a word that the claim repeats counts once",
)
def repeated_in_the_claim(student, rng):
    """The common words are those that are repeated."""

    def make():
        claim, texts = about(rng, 10, 4)()
        words = claim[:-1].lower().split()
        return a_sentence(rng, [*words, *words[:2], words[0], words[0]]), texts

    for _ in range(2):
        judge(student, *drawn(make, [{"repeated": "each_time"}], (10,)), 10)


@retrieve_evidence.case(
    points=1,
    zh="只要前几条；同分时编号小的在前",
    en="only the best few; of equals the smaller number first",
)
def few_and_equal(student, rng):
    """Statements that stand there twice; some that share nothing with the claim."""

    def make():
        claim, texts = about(rng, 6, 4, 0.5)()
        other = [a_sentence(rng, some_words(rng, WORDS[:1], 5, 0)) for _ in range(3)]
        texts = [*texts, *other, texts[1], texts[4], texts[1]]
        return claim, [texts[int(place)] for place in rng.permutation(len(texts))]

    telling = [{"equals": "later"}, {"order": "by_number"}]
    judge(student, *drawn(make, telling, (12,)), 12)
    judge(student, *drawn(make, telling[1:], (4,)), 4)
    judge(student, *drawn(make, telling[1:], (7,)), 7)
    judge(student, *drawn(about(rng, 8), [], (1,)), 1)


@retrieve_evidence.case(
    points=1,
    zh="没有资料、只有一条、要得太多、一个词也不沾边",
    en="no statements, a single one, more wanted than there are, no word shared",
)
def edges(student, rng):
    """What scores 0 keeps its place."""
    claim, texts = drawn(about(rng, 5), [], (9,))
    judge(student, claim, texts, 9)
    judge(student, claim, [], 3)
    judge(student, claim, texts[:1], 2)
    judge(student, "Moss, fern!", [text.rstrip("!?.") for text in texts], 3)
    judge(student, *drawn(about(rng, 6, 3, 0.15), [{"unrelated": "dropped"}], (6,)), 6)


for _name, (_switch, _zh, _en, _hints) in RETRIEVAL.items():
    retrieve_evidence.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _numbers(seen):
    """The list of numbers that came back.

    Raises:
        LookupError: something else did.
    """
    got = np.asarray(seen.actual)
    if got.ndim != 1 or got.dtype.kind not in "iu":
        raise LookupError("no numbers")
    return got


@retrieve_evidence.property(
    "numbers_of_texts",
    zh="应当返回一个列表，里面是资料的编号，从 0 到 N − 1，每个至多一次。",
    en="A list of numbers of statements should come back, from 0 to N − 1, each at most once.",
)
def no_numbers(seen):
    try:
        got = _numbers(seen)
    except LookupError:
        return True
    outside = len(got) > 0 and not (got.min() >= 0 and got.max() < len(seen.args[1]))
    return bool(outside) or len(set(got.tolist())) < len(got)


@retrieve_evidence.property(
    "as_many_as_asked",
    zh="返回的个数不对。",
    en="The wrong number of them comes back.",
)
def too_few_or_many(seen):
    return len(_numbers(seen)) != len(seen.expected)


@retrieve_evidence.property(
    "equals_in_order",
    zh="同分的资料次序不对。",
    en="Statements of one score are in the wrong order.",
)
def equals_are_turned(seen):
    got = _numbers(seen)
    scores = np.asarray(oracles.scores_of(*seen.args[:2], *(seen.args[3:] or (1.2, 0.75))))
    return (
        len(got) == len(seen.expected)
        and np.allclose(scores[got], scores[seen.expected])
        and not np.array_equal(got, seen.expected)
    )


@retrieve_evidence.property(
    "best_comes_first",
    zh="照公式的分数，名单不是从高到低：不是分数算错了，就是排错了。",
    en="By the formula's scores the list doesn't go from high to low: either the scores are wrong, "
    "or the sorting is.",
)
def order_is_wrong(seen):
    got = _numbers(seen)
    scores = np.asarray(oracles.scores_of(*seen.args[:2], *(seen.args[3:] or (1.2, 0.75))))
    return bool((np.diff(scores[got]) > 1e-6).any())


@retrieve_evidence.property(
    "best_are_chosen",
    zh="选出来的不是分数最高的那几条。",
    en="Those that are chosen don't have the highest scores.",
)
def others_are_chosen(seen):
    got = _numbers(seen)
    scores = np.asarray(oracles.scores_of(*seen.args[:2], *(seen.args[3:] or (1.2, 0.75))))
    return len(got) == len(seen.expected) and not np.allclose(
        np.sort(scores[got]), np.sort(scores[seen.expected])
    )
