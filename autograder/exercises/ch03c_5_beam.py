"""Notebook ch03c, exercise 5: beam search for one sentence."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03c_beam_kit import CLOSE, a_language, in_words, with_twins
from autograder.exercises.ch03c_beam_mistakes import BEAM
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.beam import as_arrays, as_pairs
from autograder.oracles.beam import beam_search as oracle

NOTEBOOK = "ch03c_transformer"
TRIES = 200
TURNED = ("turned_round", "siblings_turned_round")

beam_search = Exercise(
    "beam_search",
    notebook=NOTEBOOK,
    points=8,
    forbids=("bert_keras.generation.beam_search", "bert_keras.generation.greedy_decode"),
    tensors=False,
)


def telling(rng, make, given, *mistakes):
    """A language in which each of these mistakes finds something else, if one is drawn soon.

    Args:
        rng: generator.
        make: function of nothing that draws a language.
        given: the search's arguments after the language.
        *mistakes: switches of the oracle.
    """
    for _ in range(TRIES):
        language = make()
        asked = oracle(*language, *given)
        tokens, _ = asked.value
        others = [as_arrays(asked.predict(switch, np.float64)) for switch in mistakes]
        if all(not np.array_equal(tokens, other[0]) for other in others):
            break
    return language


def searched(student, language, *given):
    """Compare what the student's search finds with the oracle."""
    found = derived(student(fixture("scripted_language", *language), *given), as_arrays)
    asked = oracle(*language, *given)
    expect(found).equals(asked, otherwise=lambda got: in_words(got, asked.value), **CLOSE)


@beam_search.case(points=1, zh="宽度 1：就是贪心", en="a width of 1: greedy decoding")
def one_hypothesis(student, rng):
    """The best token of every step, and in the end one hypothesis."""
    language = a_language(rng, 7, 6, 2, 6)
    searched(student, language, 6, 2, 6, 1, 0.0)


GREEDY = {"width": "one"}


@beam_search.case(
    points=2,
    zh="贪心会上当的句子：开头最好的，后来不好",
    en="sentences that fool the greedy: what begins best ends worse",
)
def a_trap(student, rng):
    """Without a length penalty; the best beginning isn't among the best sentences."""
    given = 5, 1, 5, 3, 0.0

    def make():
        return a_language(rng, 6, 5, 1, 5, 0.5)

    searched(student, telling(rng, make, given, GREEDY, {"width": "split_once"}), *given)
    given = 0, 7, 6, 5, 0.0

    def longer():
        return a_language(rng, 8, 0, 7, 6, 0.7)

    searched(student, telling(rng, longer, given, GREEDY, {"ended": "set_aside"}), *given)


@beam_search.case(
    points=2,
    zh="长度惩罚：长短不一的句子",
    en="length penalty: sentences of different lengths",
)
def lengths_differ(student, rng):
    """Who is kept depends on it; large exponents make much of little differences."""
    given = 0, 3, 7, 4, 1.0
    mistakes = [
        {"penalty": form} for form in ("none", "at_the_end_only", "step", "end_not_counted")
    ]

    def make():
        return a_language(rng, 5, 0, 3, 7, 0.3)

    searched(student, telling(rng, make, given, *mistakes), *given)
    given = 4, 0, 6, 3, 1.4
    searched(student, telling(rng, lambda: a_language(rng, 6, 4, 0, 6), given, *mistakes), *given)


@beam_search.case(
    points=1,
    zh="说不完的句子：到 max_length 为止",
    en="sentences without an end: max_length is the limit",
)
def the_limit(student, rng):
    """Some have ended by then, some not; and a limit of one token is a limit too."""
    given = 4, 2, 4, 3, 0.6

    def make():
        return a_language(rng, 5, 4, 2, 5, -0.5)

    searched(student, telling(rng, make, given, {"returned": "ended_only"}), *given)
    searched(student, a_language(rng, 6, 1, 5, 3), 1, 5, 1, 4, 0.8)


@beam_search.case(
    points=1,
    zh="边角：宽得装得下所有句子，有的词元说不得，得分一样",
    en="corner cases: room for every sentence, tokens that can't be said, equal scores",
)
def corner_cases(student, rng):
    """Of three tokens and at most three of them there are 15 sentences, but not all can be said."""
    searched(student, a_language(rng, 3, 2, 1, 4), 2, 1, 3, 16, 0.9)
    scripts, echo = a_language(rng, 4, 0, 3, 4)
    scripts[:, 0] = scripts[1, 2] = -np.inf
    searched(student, (scripts, echo), 0, 3, 3, 12, 0.6)
    given = 1, 4, 5, 3, 0.6

    def make():
        return with_twins(rng, 6, 1, 4, 5, 0.3)

    searched(student, telling(rng, make, given, *({"ties": form} for form in TURNED)), *given)


@beam_search.case(
    points=1,
    zh="不给宽度和惩罚：默认 4 和 0.6",
    en="width and penalty aren't given: 4 and 0.6",
)
def by_default(student, rng):
    """A larger vocabulary."""
    given = 10, 3, 8

    def make():
        return a_language(rng, 11, 10, 3, 8, 1.0)

    searched(student, telling(rng, make, given, GREEDY), *given)


for _name, (_switch, _zh, _en, _hints) in BEAM.items():
    beam_search.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _found(seen):
    """Lists of tokens, and their scores.

    Raises:
        LookupError: the result has another form.
    """
    actual = seen.actual
    usable = isinstance(actual, tuple) and len(actual) == 2
    if not usable or np.ndim(actual[0]) != 2 or np.ndim(actual[1]) != 1:
        raise LookupError("no list of pairs")
    return as_pairs(*actual)


@beam_search.property(
    "list_of_pairs",
    zh="应当返回一个列表，每一项是一对：说过的词元（整数的列表）和得分（一个数）。",
    en="A list should come back, each entry a pair: the tokens that were said (a list of whole "
    "numbers), and a score (one number).",
)
def no_list_of_pairs(seen):
    try:
        _found(seen)
    except (LookupError, ValueError):
        return True
    return False


@beam_search.property(
    "hypotheses_differ",
    zh="有两个假设一模一样。",
    en="Two hypotheses are one and the same.",
)
def some_are_alike(seen):
    tokens, _ = _found(seen)
    return len({tuple(row) for row in tokens}) < len(tokens)


@beam_search.property(
    "number_is_right",
    zh="假设的个数不对：留 beam_width 个，候选不够时才少。",
    en="The number of hypotheses is wrong: beam_width of them, and fewer only where there aren't "
    "as many candidates.",
)
def another_number(seen):
    return len(_found(seen)[0]) != len(as_pairs(*seen.expected)[0])


@beam_search.property(
    "best_comes_first", zh="得分没有从高到低排。", en="Scores don't fall from first to last."
)
def scores_rise(seen):
    return bool((np.diff(_found(seen)[1]) > 1e-4).any())


@beam_search.property(
    "nobody_speaks_on",
    zh="有的假设在 end_id 以后还有词元。",
    en="Some hypotheses have tokens after end_id.",
)
def somebody_speaks_on(seen):
    return any(seen.args[3] in row[:-1] for row in _found(seen)[0])


@beam_search.property(
    "limit_is_kept",
    zh="有的假设说得比 max_length 多，或者没有结束就停了，长度还不到 max_length。",
    en="Some hypotheses say more than max_length, or stop before that without having ended.",
)
def lengths_are_wrong(seen):
    end_id, max_length = seen.args[3:5]
    tokens, _ = _found(seen)
    return any(
        len(row) > max_length or (end_id not in row and len(row) < max_length) for row in tokens
    )


def _scores_alone_are_wrong(seen):
    (tokens, scores), (right, right_scores) = _found(seen), as_pairs(*seen.expected)
    return tokens == right and not np.allclose(scores, right_scores, **CLOSE)


def _penalty(seen):
    return seen.args[6] if len(seen.args) > 6 else 0.6


@beam_search.property(
    "log_p_is_right",
    zh="length_penalty 是 0 时得分就不对：看 log P 怎么加。",
    en="Scores are wrong even where length_penalty is 0: see how log P is added up.",
)
def log_p_is_wrong(seen):
    return _penalty(seen) == 0 and _scores_alone_are_wrong(seen)


@beam_search.property(
    "scores_fit_the_tokens",
    zh="有长度惩罚时，有的句子词元都对，得分不对：看 n 怎么数，式子怎么写，除的是不是 log P。",
    en="With a length penalty some sentences have the right tokens and wrong scores: see how n is "
    "counted, how the formula is written, and whether it is log P that is divided.",
)
def scores_do_not_fit(seen):
    return _penalty(seen) != 0 and _scores_alone_are_wrong(seen)


@beam_search.property(
    "best_sentence_is_found",
    zh="最好的那一句没有找到：看每一步从哪些候选里留，按什么留。",
    en="The best sentence isn't found: see among which candidates a step chooses, and by what.",
)
def best_is_not_found(seen):
    return _found(seen)[0][0] != as_pairs(*seen.expected)[0][0]


@beam_search.property(
    "all_kept_are_right",
    alone=True,
    zh="最好的一句对，后面的不对：看谁该留，谁该让位。",
    en="The best sentence is right and later ones wrong: see who should stay and who should go.",
)
def others_are_wrong(seen):
    return _found(seen)[0] != as_pairs(*seen.expected)[0]
