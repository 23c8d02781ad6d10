"""Notebook ch07c, exercise 1: the label guessed without the first text."""

import itertools

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_hypothesis_mistakes import HYPOTHESIS
from autograder.exercises.ch07c_kit import FAILURE, NOTEBOOK, WORDS, shortened
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import hypothesis_only as oracles

DRAWN = 70  # texts to choose the telling ones from
MARGIN = 1e-4  # by how much the best class leads: rounding plays no part
HAN = "天地人山水火木金日月星云"
NEW = ("zebra", "quartz", "violin")

hypothesis_only_baseline = Exercise(
    "hypothesis_only_baseline",
    notebook=NOTEBOOK,
    points=6,
    library=f"{FAILURE}:hypothesis_only_baseline",
    forbids=("sklearn.naive_bayes.MultinomialNB",),
    tensors=False,
)


def forms(*names):
    """All forms of these mistakes, those about words and classes of every text."""
    rows = (HYPOTHESIS[name][0] for name in names)
    return [form for row in rows for form in ((row,) if isinstance(row, dict) else row)]


def a_text(rng, odds, known, length):
    return " ".join(str(word) for word in rng.choice(known, length, p=odds))


def some_training(rng, sizes, known, lengths=(2, 7)):
    """Texts and labels: `sizes` of each class, whose words differ in how frequent they are.

    Texts of later classes are shorter, and each class has words that it never uses.
    """
    texts, labels, all_odds = [], [], []
    for label, size in enumerate(sizes):
        odds = rng.permutation(0.75 ** np.arange(len(known)))
        odds[rng.permutation(len(known))[: len(known) // 3]] = 0
        odds /= odds.sum()
        all_odds.append(odds)
        for _ in range(size):
            length = int(rng.integers(*lengths)) + max(0, len(sizes) - label)
            texts.append(a_text(rng, odds, known, length))
            labels.append(label)
    order = rng.permutation(len(texts))
    return [texts[i] for i in order], [labels[i] for i in order], np.mean(all_odds, axis=0)


def chosen(rng, texts, labels, drawn, num_classes, mistakes, number):
    """Those of the drawn texts whose guesses tell these mistakes apart, in a random order."""
    given = (texts, labels, drawn, num_classes)
    scores = oracles.scores_of(*given)
    best = np.sort(scores, axis=1)
    sure = best[:, -1] - best[:, -2] > MARGIN
    guesses = [scores.argmax(axis=1)]
    for switch in mistakes:
        found = oracles.hypothesis_only_baseline.raw(*given, **switch)
        guesses.append(found if found.ndim == 1 else found[:, 0])
    apart = set(itertools.combinations(range(len(guesses)), 2))
    kept = []
    for place in rng.permutation(np.flatnonzero(sure)):
        split = {(a, b) for a, b in apart if guesses[a][place] != guesses[b][place]}
        if split:
            apart -= split
            kept.append(int(place))
    rest = [int(place) for place in np.flatnonzero(sure) if place not in kept]
    kept += rest[: max(0, number - len(kept))]
    return [drawn[place] for place in rng.permutation(kept)]


def judge(student, texts, labels, test_texts, num_classes, as_array=False):
    """Ask for all guesses at once."""
    wanted = oracles.hypothesis_only_baseline(texts, labels, test_texts, num_classes)

    def as_array_of_ints(found):
        plain = (
            [np.asarray(each) for each in found] if isinstance(found, (tuple, list)) else [found]
        )
        one_each = all(
            isinstance(e, np.ndarray) and e.ndim == 0 and e.dtype.kind in "iu" for e in plain
        )
        return np.array(plain).astype(np.int64) if one_each else found

    def said(got):
        place = int(np.argmax(np.asarray(got) != wanted.value))
        right, mine = int(wanted.value[place]), np.asarray(got)[place]
        text = shortened(test_texts[place].split())
        return Text(
            f"第 {place} 句（从 0 数起）“{text}”应当猜 {right}，实际猜了 {mine}。",
            f"Text {place}, counted from 0, “{text}”: the guess should be {right}, not {mine}.",
        )

    lent = np.array(labels) if as_array else fixture("lent_row", labels)
    found = student(
        fixture("lent_texts", texts), lent, fixture("lent_texts", test_texts), num_classes
    )
    expect(derived(found, as_array_of_ints)).equals(wanted, otherwise=said)


LIKELIHOOD = forms(
    "not_smoothed",
    "another_constant_added",
    "smoothed_above_only",
    "another_vocabulary",
    "not_divided_by_the_class",
)
PRIOR = forms("no_prior", "another_prior", "prior_for_every_word")
SEVERAL = forms("repeated_words_once", "unknown_words_count", "too_much_is_skipped")


def asked(rng, sizes, known, mistakes, number, lengths=(1, 5), new=0.0):
    """Training texts and telling texts to guess."""
    texts, labels, odds = some_training(rng, sizes, known)
    odds = (odds + 1 / len(known)) / 2
    heard = {word for text in texts for word in text.split()}
    drawn = []
    while len(drawn) < DRAWN:
        words = a_text(rng, odds, known, int(rng.integers(*lengths))).split()
        words = [word for word in words if word in heard]
        while new and rng.random() < new:
            words.insert(int(rng.integers(len(words) + 1)), str(rng.choice(NEW)))
        drawn.append(" ".join(words))
    kept = chosen(rng, texts, labels, drawn, len(sizes), mistakes, number)
    return texts, labels, kept, len(sizes)


@hypothesis_only_baseline.case(
    points=1,
    zh="各类句数一样，都是见过的词",
    en="as many texts of every class, known words only",
)
def likelihoods(student, rng):
    """The classes differ in how many words they have; single words first."""
    for sizes, lengths in (((4, 4), (1, 3)), ((5, 5, 5), (2, 6))):
        judge(student, *asked(rng, sizes, WORDS[:12], LIKELIHOOD, 10, lengths))


@hypothesis_only_baseline.case(
    points=2,
    zh="各类句数不一样：先验",
    en="more texts of one class than of another: priors",
)
def priors(student, rng):
    """Texts of one word and of several, so that a prior for every word shows."""
    for sizes in ((9, 3), (2, 11, 5), (3, 6, 2, 8)):
        judge(student, *asked(rng, sizes, WORDS[:14], [*LIKELIHOOD, *PRIOR], 12), as_array=True)


@hypothesis_only_baseline.case(
    points=1,
    zh="没见过的词、重复的词、一个词也不认识的句子；分数一样",
    en="unknown words, repeated words, texts without a known word; equal scores",
)
def unknown_and_repeated(student, rng):
    """A few words many times over; then classes that have the same texts, which are equal."""
    given = asked(rng, (7, 3), WORDS[:7], [*PRIOR, *SEVERAL], 14, (1, 8), new=0.4)
    judge(student, given[0], given[1], ["", *given[2], "Quartz violin"], given[3])
    given = asked(rng, (3, 8, 5), WORDS[:9], [*PRIOR, *SEVERAL], 14, (1, 8), new=0.4)
    judge(student, *given)
    texts, _, _ = some_training(rng, (4,), WORDS[:8])
    heard = sorted({word for text in texts for word in text.split()})
    words = [str(word) for word in rng.permutation(heard)[:3]]
    twice = [*texts, *texts, *texts]
    judge(student, twice, [0] * 4 + [1] * 4 + [2] * 4, ["zebra", *words, ""], 3)


def in_other_letters(rng, text):
    """The same words with capitals, marks and white space of several kinds here and there."""
    found = []
    for word in text.split():
        word = {0: word.upper(), 1: word.capitalize()}.get(int(rng.integers(4)), word)
        found.append(word + str(rng.choice(["", "", ".", "!", ","])))
    return "".join(word + str(rng.choice([" ", " ", "  ", "\t", "\n"])) for word in found)


@hypothesis_only_baseline.case(
    points=1,
    zh="词怎么切：大小写、标点、空白；隔开的汉字",
    en="how words are cut: capitals, marks, white space; Chinese characters with spaces",
)
def words_as_they_are_cut(student, rng):
    """ "cat." is another word than "cat", "CAT" isn't."""
    mistakes = forms("case_kept", "cut_otherwise")
    for sizes in ((6, 6), (4, 7, 5)):
        texts, labels, odds = some_training(rng, sizes, WORDS[:9])
        texts = [in_other_letters(rng, text) for text in texts]
        drawn = [
            in_other_letters(rng, a_text(rng, odds, WORDS[:9], int(rng.integers(1, 5))))
            for _ in range(DRAWN)
        ]
        kept = chosen(rng, texts, labels, drawn, len(sizes), mistakes, 12)
        judge(student, texts, labels, kept, len(sizes))
    judge(student, *asked(rng, (5, 8), tuple(HAN), [], 10))


@hypothesis_only_baseline.case(
    points=1,
    zh="很长的句子：概率连乘会变成 0",
    en="very long texts, for which a product of probabilities comes to 0",
)
def long_texts(student, rng):
    """Half of them are of the last class, which products that are 0 never choose."""
    texts, labels, _ = some_training(rng, (4, 5, 6), WORDS)
    of_class = [
        [
            word
            for text, label in zip(texts, labels, strict=True)
            if label == c
            for word in text.split()
        ]
        for c in range(3)
    ]
    drawn = [
        " ".join(str(word) for word in rng.choice(of_class[c], 900)) for c in (2, 1, 2, 0, 2, 1)
    ]
    mistakes = [{"product": "probabilities"}]
    judge(student, texts, labels, chosen(rng, texts, labels, drawn, 3, mistakes, 6), 3)


name_mistakes(hypothesis_only_baseline, HYPOTHESIS)


def _guesses(seen):
    """The guesses that came back.

    Raises:
        LookupError: the shape or the kind is another.
    """
    got = np.asarray(seen.actual)
    if got.shape != seen.expected.shape or got.dtype.kind not in "iu":
        raise LookupError("no guesses")
    return got


@hypothesis_only_baseline.property(
    "a_class_for_each_text",
    zh="应当返回 (M,) 的整数数组：每个要猜的句子一个类，0 到 C − 1。",
    en="An int array of shape (M,) should come back: for each text a class from 0 to C − 1.",
)
def no_classes(seen):
    try:
        got = _guesses(seen)
    except LookupError:
        return True
    return bool((got < 0).any() or (got >= seen.args[3]).any())


@hypothesis_only_baseline.property(
    "right_without_a_known_word",
    zh="一个认识的词也没有的句子猜错了：这时只看先验，一样大取编号小的。",
    en="A text without a known word is guessed wrongly: that is left to the priors, and of equals "
    "the smaller class is taken.",
)
def wrong_without_words(seen):
    got = _guesses(seen)
    known = {word for text in seen.args[0] for word in oracles.cut(text)}
    return any(
        mine != right and not known & set(oracles.cut(text))
        for text, mine, right in zip(seen.args[2], got, seen.expected, strict=True)
    )


@hypothesis_only_baseline.property(
    "right_for_single_known_words",
    zh="只有一个认识的词的句子也猜错了：先看一个词的概率和先验，别的先不管。",
    en="Even a text of one known word is guessed wrongly: look at the probability of a single "
    "word and at the prior first.",
)
def wrong_for_one_word(seen):
    got = _guesses(seen)
    known = {word for text in seen.args[0] for word in oracles.cut(text)}
    return any(
        mine != right and len(words) == 1 and words[0] in known
        for words, mine, right in zip(
            map(oracles.cut, seen.args[2]), got, seen.expected, strict=True
        )
    )


@hypothesis_only_baseline.property(
    "right_for_several_words",
    zh="有好几个词的句子猜错了：各词的对数怎么合起来，重复的、没见过的怎么算？",
    en="Texts of several words are guessed wrongly: how are the logarithms put together, and what "
    "of repeated and unknown words?",
    alone=True,
)
def wrong_for_several(seen):
    return not np.array_equal(_guesses(seen), seen.expected)
