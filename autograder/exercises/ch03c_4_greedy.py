"""Notebook ch03c, exercise 4: greedy decoding, decoding all that was said again at every step."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03c_greedy_mistakes import GREEDY
from autograder.exercises.common import normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.translating import greedy_decode_transformer as oracle

NOTEBOOK = "ch03c_transformer"

greedy_decode_transformer = Exercise(
    "greedy_decode_transformer",
    notebook=NOTEBOOK,
    points=5,
    forbids=(
        "bert_keras.generation.greedy_decode",
        "bert_keras.generation.beam_search",
        "bert_keras.models.transformer_generation.generate",
    ),
)


def a_script(rng, plans, size, begin_id, end_id, length, dim=5):
    """A translator of `size` source and target tokens.

    Args:
        rng: generator.
        plans: for the first few source tokens, how many tokens a source is translated to that
            begins with them; more than `length` is never ending.
        size: V.
        begin_id, end_id: int.
        length: how many places have scores of their own.
        dim: D.
    """
    echo = 2 * normal(rng, size, size)
    echo[:, [begin_id, end_id]] = 0.0
    ends = np.full(size, 1, np.float32)
    ends[: len(plans)] = plans
    return {
        "table": 1.5 * normal(rng, size, dim),
        "plans": ends,
        "kernel": normal(rng, dim, size),
        "scripts": normal(rng, length, size),
        "echo": echo,
        "begin_id": begin_id,
        "end_id": end_id,
        "tires": 1.0,
    }


def sources(rng, plans, lengths, width, size):
    """Sources of which row b begins with token b, so that its plan is `plans[b]`."""
    token_ids = rng.integers(0, size, (len(plans), width)).astype(np.int32)
    token_ids[:, 0] = np.arange(len(plans))
    return token_ids, real_tokens(lengths, width)


def translator(script):
    """The model that goes with a script."""
    return fixture("scripted_translator", *script.values())


def listened(student, script, token_ids, padding_mask, max_length):
    """What the student's loop hears, and what the oracle does."""
    begin_id, end_id = script["begin_id"], script["end_id"]
    found = student(translator(script), token_ids, padding_mask, begin_id, end_id, max_length)
    expect(found).equals(oracle(script, token_ids, padding_mask, end_id, max_length))


@greedy_decode_transformer.case(
    points=1, zh="一句话，说到结束为止", en="one sentence, until it ends"
)
def one_row(student, rng):
    """It ends long before the limit."""
    script = a_script(rng, (5,), 9, 7, 3, 9)
    listened(student, script, *sources(rng, (5,), (4,), 4, 9), 8)


@greedy_decode_transformer.case(
    points=2,
    zh="几句一批，各在不同的时候结束，源句有填充",
    en="a batch whose rows end at different times, with padded sources",
)
def several_rows(student, rng):
    """The first row ends neither first nor last."""
    plans = (4, 1, 6, 2)
    script = a_script(rng, plans, 11, 8, 5, 9)
    listened(student, script, *sources(rng, plans, (3, 5, 1, 2), 5, 11), 9)


@greedy_decode_transformer.case(
    points=1, zh="多补几个填充，什么也不变", en="more padding changes nothing"
)
def more_padding(student, rng):
    """The same sources twice, the second time with other tokens as padding, and more of them."""
    plans = (4, 6, 5)
    script = a_script(rng, plans, 10, 6, 9, 7)
    token_ids, _ = sources(rng, plans, (2, 3, 1), 3, 10)
    listened(student, script, token_ids, real_tokens((2, 3, 1), 3), 7)
    more = np.concatenate([token_ids, rng.integers(0, 10, (3, 4)).astype(np.int32)], axis=1)
    listened(student, script, more, real_tokens((2, 3, 1), 7), 7)


@greedy_decode_transformer.case(points=1, zh="有一句一直不结束", en="a row that never ends")
def never_ends(student, rng):
    """The limit stops it; and a limit of one token is a limit too."""
    plans = (2, 99, 4)
    script = a_script(rng, plans, 8, 0, 6, 5)
    listened(student, script, *sources(rng, plans, (3, 4, 2), 4, 8), 5)
    plans = (99, 1)
    script = a_script(rng, plans, 7, 2, 4, 3)
    listened(student, script, *sources(rng, plans, (3, 1), 3, 7), 1)


for _name, (_switch, _zh, _en, _hints) in GREEDY.items():
    greedy_decode_transformer.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _tokens(seen):
    actual = np.asarray(seen.actual)
    if actual.ndim != 2 or len(actual) != len(seen.expected):
        raise LookupError("no ids of shape (B, L)")
    return actual


@greedy_decode_transformer.property(
    "ids_of_every_row",
    zh="应当返回整数，形状 (B, L)：每行一句。",
    en="Whole numbers of shape (B, L) should come back: one row for each sentence.",
)
def form_is_wrong(seen):
    actual = np.asarray(seen.actual)
    return actual.ndim != 2 or len(actual) != len(seen.expected) or actual.dtype.kind not in "iu"


@greedy_decode_transformer.property(
    "first_token_is_right",
    zh="有的行第一个词元就不对：看源句怎么读、掩码给了谁、最先给 decode 的是什么。",
    en="Some rows are wrong from the very first token: see how the source is read, who gets the "
    "mask, and what decode is given first.",
)
def first_token_is_wrong(seen):
    tokens = _tokens(seen)
    if (tokens[:, 0] == seen.args[0]["begin_id"]).all():  # nobody has said that; see below
        return False
    return bool((tokens[:, 0] != seen.expected[:, 0]).any())


@greedy_decode_transformer.property(
    "begin_is_not_returned",
    zh="每一行都从 begin_id 开始：那不是说出来的。",
    en="All rows begin with begin_id, which wasn't said.",
)
def begin_is_returned(seen):
    return bool((_tokens(seen)[:, 0] == seen.args[0]["begin_id"]).all())


@greedy_decode_transformer.property(
    "second_token_is_right",
    zh="有的行第一个词元对，还没结束，第二个就不对了：看第二步交给 decode 的是什么，"
    "读的是哪个位置。",
    en="Some rows are right at their first token, haven't ended, and are wrong at their second: "
    "see what decode is given in the second step, and which position is read.",
)
def second_token_is_wrong(seen):
    tokens, end = _tokens(seen), seen.args[3]
    if tokens.shape[1] < 2 <= seen.expected.shape[1]:  # it stopped; that is another matter, too
        return False
    wrong = tokens[:, :2] != seen.expected[:, :2]
    goes_on = seen.expected[:, 0] != end  # what follows an end is another matter
    return bool(not wrong[:, 0].any() and wrong[goes_on, 1].any())


@greedy_decode_transformer.property(
    "later_tokens_are_right",
    zh="头两个词元都对，后面有不对的，而那一行还没有结束：看第三步和以后交给 decode 的是什么。",
    en="The first two tokens are right and later ones wrong in rows that haven't ended: see what "
    "decode is given from the third step on.",
)
def later_tokens_are_wrong(seen):
    tokens, end = _tokens(seen), seen.args[3]
    both = min(tokens.shape[1], seen.expected.shape[1])
    expected = seen.expected[:, :both]
    before = np.cumsum(expected == end, axis=1) - (expected == end) == 0
    wrong = (tokens[:, :both] != expected) & before
    return bool(not wrong[:, :2].any() and wrong.any())


@greedy_decode_transformer.property(
    "length_is_right",
    zh="长度不对：在最后一行结束时停，最多 max_length 个。",
    en="The length is wrong: it stops when the last row ends, and after max_length at most.",
)
def length_is_wrong(seen):
    return _tokens(seen).shape[1] != seen.expected.shape[1]


@greedy_decode_transformer.property(
    "rows_end_properly",
    zh="结束以前都对，结束以后不对：结束了的行一直填 end_id。",
    en="All is right up to the end of a row and wrong after it: an ended row is filled with "
    "end_id.",
)
def after_the_end_is_wrong(seen):
    tokens, end = _tokens(seen), seen.args[3]
    both = min(tokens.shape[1], seen.expected.shape[1])
    expected = seen.expected[:, :both]
    after = np.cumsum(expected == end, axis=1) > 1
    wrong = tokens[:, :both] != expected
    return bool(wrong[after].any() and not wrong[~after].any())
