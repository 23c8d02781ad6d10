"""Notebook ch07c, exercise 3: words put in beside an answer."""

import json

from autograder.exercise import Exercise
from autograder.exercises.ch07c_distractor_mistakes import DISTRACTORS
from autograder.exercises.ch07c_kit import FAILURE, NOTEBOOK, WORDS
from autograder.exercises.ch08_kit import judge_refusals
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import distractors as oracles
from autograder.oracles.tag_spans import written

MIDDLE = Text(
    "插进答案中间，或者 position 超出范围：应当抛出 ValueError。",
    "A position inside the answer or out of range should raise a ValueError.",
)
SECOND = Text(
    "干扰句里连着出现了答案的词：应当抛出 ValueError。",
    "A distractor with the answer's words in a row should raise a ValueError.",
)

add_distractor = Exercise(
    "add_distractor",
    notebook=NOTEBOOK,
    points=5,
    library=f"{FAILURE}:add_distractor",
    tensors=False,
)


def parts_of(rng, *sizes):
    """Different words in parts of these sizes."""
    words = [str(word) for word in rng.permutation(WORDS)]
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [words[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def asked_of(student, words, answer, distractor, position):
    lent = fixture("lent_words", words), tuple(answer), fixture("lent_words", distractor)
    return student(*lent, position)


def judge(student, words, answer, distractor, position):
    wanted = oracles.add_distractor(words, answer, distractor, position)

    def said(got):
        shown = f"{words}, {tuple(answer)}, {distractor}, {position}"
        right, mine = json.loads(str(wanted.value)), json.loads(str(got))
        pair = isinstance(mine, list) and len(mine) == 2
        if pair and mine[0] == right[0]:
            return Text(
                f"({shown})：词对了，答案的位置应为 {tuple(right[1])}，实际为 {mine[1]}。",
                f"({shown}): the words are right; the answer should be at {tuple(right[1])}, not "
                f"{mine[1]}.",
            )
        mine = str(mine[0] if pair else mine)[:300]
        return Text(
            f"({shown})：词应为 {right[0]}，实际为 {mine}。",
            f"({shown}): the words should be {right[0]}, not {mine}.",
        )

    found = asked_of(student, words, answer, distractor, position)
    expect(derived(found, written)).equals(wanted, otherwise=said)


@add_distractor.case(
    points=1,
    zh="插在答案后面，插在答案前面",
    en="behind the answer, and before it",
)
def on_both_sides(student, rng):
    """Not next to it and not at the ends of the text; answers of three words, two and one."""
    for answer, positions in (((3, 5), (8, 7, 1)), ((5, 6), (2, 9, 3)), ((4, 4), (7, 2))):
        words, distractor = parts_of(rng, 10, 3)
        for position in positions:
            judge(student, words, answer, distractor, position)


@add_distractor.case(
    points=1,
    zh="紧挨着答案，文章的开头和末尾",
    en="right beside the answer, at the start and at the end of the text",
)
def at_the_edges(student, rng):
    """Answers at both ends of the text, too; the whole text as an answer."""
    plans = (
        (8, (3, 5), (0, 6, 8, 3)),
        (7, (0, 2), (3, 7, 0)),
        (6, (4, 5), (6, 4, 0)),
        (3, (0, 2), (3, 0)),
        (1, (0, 0), (1, 0)),
    )
    for length, answer, positions in plans:
        words, distractor = parts_of(rng, length, int(rng.integers(2, 5)))
        for position in positions:
            judge(student, words, answer, distractor, position)


@add_distractor.case(
    points=1,
    zh="答案中间和范围以外：ValueError",
    en="inside the answer and out of range: a ValueError",
)
def inside_and_outside(student, rng):
    """Every position from before the text to behind it."""
    asked = []
    for length, answer in ((9, (3, 6)), (5, (1, 2)), (4, (2, 2))):
        words, distractor = parts_of(rng, length, 2)
        places = range(-2, length + 3) if length == 9 else range(-1, length + 2)
        asked += [(words, answer, distractor, position) for position in places]
    # First those that are all refused: whoever does nothing else before has these right.
    for only in (True, False):
        part = [given for given in asked if oracles.is_refused(*given) or not only]
        found = [asked_of(student, *given) for given in part]
        judge_refusals(found, oracles.refusals(part), MIDDLE)


@add_distractor.case(
    points=1,
    zh="干扰句里有答案：连着不行，散着可以",
    en="the answer in the distractor: not in a row, but scattered it may be",
)
def second_answers(student, rng):
    """At the start, in the middle and at the end; turned round, with a gap, within longer words."""
    words, extra = parts_of(rng, 9, 6)
    long, end = extra[:3], 9
    one, two, three = words[3:6]
    of_three, of_one = (3, 5), (4, 4)
    plans = [
        (of_three, [one, two, three]),
        (of_three, [*long, one, two, three]),
        (of_three, [one, two, three, *long]),
        (of_three, [long[0], one, one, two, three, long[1]]),
        (of_three, [one, long[0], two, three]),
        (of_three, [three, two, one]),
        (of_three, [long[0], one, two]),
        (of_three, [two]),
        (of_three, [long[1] + one, two, three]),
        (of_three, [one, two, three + "s", long[2]]),
        (of_three, [one + two, three, long[2]]),
        (of_three, [one.capitalize(), two, three]),
        (of_three, [words[0], words[1]]),
        (of_one, [two]),
        (of_one, [*long, two]),
        (of_one, [long[0], two, long[2]]),
        (of_one, [two + "s", long[0]]),
        (of_one, [long[0], "s" + two]),
        (of_one, [one, three]),
        (of_one, [two.upper()]),
    ]
    asked = [(words, answer, distractor, end) for answer, distractor in plans]
    found = [asked_of(student, *given) for given in asked]
    judge_refusals(found, oracles.refusals(asked), SECOND)


@add_distractor.case(
    points=1,
    zh="同样的词在文章里有好几处；干扰句很长",
    en="words that stand in the text several times; a long distractor",
)
def repeated_words(student, rng):
    """The answer's words stand before it, too; the distractor has some of them, scattered."""
    for answer, positions in (((4, 5), (8, 2, 4)), ((6, 6), (9, 3, 6, 0))):
        words, distractor = parts_of(rng, 9, 8)
        words[1 : 2 + answer[1] - answer[0]] = words[answer[0] : answer[1] + 1]
        if answer[0] != answer[1]:
            distractor[2] = words[answer[0]]
            distractor[5] = words[answer[1]]
        for position in positions:
            judge(student, words, answer, distractor, position)


name_mistakes(add_distractor, DISTRACTORS)


def _pairs(seen):
    """The pair that came back, (words, answer), and the one that should have.

    Raises:
        LookupError: it is no such pair.
    """
    if seen.prediction.parts != ("changed",):
        raise LookupError("about something else")
    got, wanted = (json.loads(str(each)) for each in (seen.actual, seen.expected))
    if not isinstance(got, list) or len(got) != 2:
        raise LookupError("no pair")
    words, answer = got
    texts = isinstance(words, list) and all(isinstance(word, str) for word in words)
    places = isinstance(answer, list) and [type(place) for place in answer] == [int, int]
    if not texts or not places:
        raise LookupError("no words and places")
    return got, wanted


@add_distractor.property(
    "words_and_places_come_back",
    zh="应当返回一对 (words, answer)：字符串的列表，和一对整数。",
    en="A pair (words, answer) should come back: a list of str, and a pair of ints.",
)
def no_pair(seen):
    if seen.prediction.parts != ("changed",):
        return False
    try:
        _pairs(seen)
    except LookupError:
        return True
    return False


@add_distractor.property(
    "words_are_right",
    zh="新的词的列表不对：原来的词和干扰句的词，次序应当怎样？",
    en="The new list of words is wrong: in which order should the old words and those of the "
    "distractor come?",
)
def words_are_wrong(seen):
    (words, _), wanted = _pairs(seen)
    return words != wanted[0]


@add_distractor.property(
    "answer_is_where_it_was_put",
    zh="词对了，答案的位置不对：新文章里那两个位置上，应当还是原来的词。",
    en="The words are right, the answer's places aren't: in the new text the same words as before "
    "should stand there.",
)
def answer_is_lost(seen):
    (words, answer), wanted = _pairs(seen)
    return words == wanted[0] and answer != wanted[1]


@add_distractor.property(
    "refuses_what_it_should",
    zh="该抛出 ValueError 的地方没有抛，或者不该抛的地方抛了。",
    en="A ValueError isn't raised where it should be, or is where it shouldn't.",
)
def refuses_otherwise(seen):
    return seen.prediction.parts == ("refused",)
