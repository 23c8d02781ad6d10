"""Notebook ch07b, exercise 2: a control task."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_control_mistakes import CONTROL
from autograder.exercises.ch07b_kit import NOTEBOOK, PROBING
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.laws import ALPHA
from autograder.messages import Text
from autograder.oracles import control_laws as laws

WORDS, CAPITALS, CALLS = 3000, 300, 60
FORM = Text(
    "应当返回 NumPy 的整数数组，形状 (n,)，里面是 0 到 C − 1。",
    "A NumPy array of ints should come back, of shape (n,), holding 0 to C − 1.",
)
REPEATS = Text(
    "运气应当全由 rng 决定：同一个种子的 rng，结果相同（重启 Python 以后也一样）；换一个种子，"
    "结果不同。",
    "All luck should come from rng: rngs of one seed give one result (after a restart of Python, "
    "too), those of different seeds different ones.",
)
CHANGED = Text(
    "传进来的 words 被改动了。",
    "words, which was handed in, is changed.",
)

control_task = Exercise(
    "control_task",
    notebook=NOTEBOOK,
    points=4,
    library=f"{PROBING}:control_task",
    tensors=False,
)


def some_words(rng, count, capitals=0):
    """Different words in lower case, in no order; with capitals, so many occur as both spellings.

    Returns:
        List of str, every one different.
    """
    numbers = rng.choice(26**4, size=count, replace=False)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(letters[n // 26**k % 26] for k in range(4)) for n in numbers.tolist()]
    words += [word.capitalize() for word in words[:capitals]]
    return [words[i] for i in rng.permutation(len(words))]


def with_repeats(rng, words):
    """Every word, and most of them once or twice more elsewhere."""
    more = [words[i] for i in rng.integers(len(words), size=len(words))]
    return words + [more[i] for i in rng.permutation(len(more))]


def some_seeds(rng, count):
    """Different ints, as ints of Python's."""
    return [int(number) for number in rng.choice(1_000_000, count, replace=False)]


def _called(student, rng, words, num_classes):
    """One call; its form is judged at once."""
    found = student(list(words), num_classes, fixture("number_generator", *some_seeds(rng, 1)))
    size = len(words), len(set(words)), num_classes
    form = derived(found, lambda got: laws.form_of(got, *size))
    expect(form).equals(laws.form(len(words) > len(set(words))), otherwise=FORM)
    return found


@control_task.case(
    points=2,
    zh="同一个词同一类；每一类的机会相同",
    en="one class a word, and the same chance for every class",
)
def by_lot(student, rng):
    """Thousands of words, most of which occur again elsewhere; some differ in capitals only."""
    for num_classes in (4, 3):
        words = with_repeats(rng, some_words(rng, WORDS, CAPITALS))
        found = _called(student, rng, words, num_classes)
        outcomes = derived(found, lambda got, w=words, c=num_classes: laws.outcomes(w, got, c))
        expect(outcomes).follows(laws.spread(num_classes))


@control_task.case(
    points=1,
    zh="各词互不相干：两个词、两个类，抽很多次",
    en="words are independent: two words and two classes, many times",
)
def few_words(student, rng):
    """Half of the time both get the same class; also a single class, and a single word."""
    _called(student, rng, some_words(rng, 3), 1)
    _called(student, rng, [*some_words(rng, 1)] * 4, 6)
    meet = []
    for _ in range(CALLS):
        first, second = some_words(rng, 2)
        found = _called(student, rng, [first, second, first], 2)
        meet.append(found[0] == found[1])
    expect((np.array(meet),)).follows(laws.few())


@control_task.case(
    points=1,
    zh="运气全由 rng 决定；words 不改动",
    en="all luck comes from rng; words is left alone",
)
def seeds(student, rng):
    """Forty words: not even half of them agree in two different draws."""
    words = with_repeats(rng, some_words(rng, 40))
    one, other = some_seeds(rng, 2)
    runs = [fixture("words_of_another_run", words, salt) for salt in some_seeds(rng, 2)]
    calls = ((runs[0], one), (runs[0], one), (runs[1], one), (runs[0], other))
    found = [student(given, 5, fixture("number_generator", seed)) for given, seed in calls]
    failed = [each for each in found if isinstance(each, Failed)]
    agree = failed[0] if failed else np.array([_same(found[0], each) for each in found[1:]])
    expect(agree).equals(laws.repeats(), otherwise=REPEATS)
    told = student.followed_by(
        fixture("words_afterwards"), fixture("words_and_lots", words, 5, one)
    )
    stays = derived(told, lambda pair: np.asarray(list(pair[1]) == words))
    expect(stays).equals(laws.unchanged(), otherwise=CHANGED)


def _same(one, other):
    return bool(np.array_equal(np.asarray(one), np.asarray(other)))


name_mistakes(control_task, CONTROL)


def _unmet(seen):
    """Names of the laws that the outcomes don't follow.

    Raises:
        LookupError: the observation isn't about laws.
    """
    known = getattr(seen.expected, "laws", None)
    if known is None:
        raise LookupError("no laws here")
    pairs = zip(known.items(), seen.actual, strict=True)
    return [name for (name, law), got in pairs if law.surprise(got) <= ALPHA / len(known)]


@control_task.property("form_is_right", zh=FORM.zh, en=FORM.en)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


@control_task.property(
    "one_class_a_word",
    zh="同一个词在不同的地方得到了不同的类。",
    en="One and the same word gets different classes in different places.",
)
def several_classes(seen):
    return "again" in _unmet(seen)


@control_task.property(
    "every_class_has_its_chance",
    zh="有的类太多，有的太少。",
    en="Some classes come up too often, others too rarely.",
)
def some_are_preferred(seen):
    return any(name.startswith("class_") for name in _unmet(seen))


@control_task.property(
    "words_are_independent",
    zh="不同的词之间有牵连：抽到同一类的时候太多或太少。",
    en="Different words hang together: they share a class too often or too rarely.",
)
def words_depend(seen):
    unmet = _unmet(seen)
    return bool({"beside", "spelled", "meet"} & set(unmet)) and not some_are_preferred(seen)


@control_task.property("rng_decides", zh=REPEATS.zh, en=REPEATS.en)
def something_else_decides(seen):
    return seen.prediction.parts == ("repeats",)


@control_task.property("words_stay_as_they_are", zh=CHANGED.zh, en=CHANGED.en)
def words_change(seen):
    return seen.prediction.parts == ("unchanged",)
