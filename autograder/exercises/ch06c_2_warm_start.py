"""Notebook ch06c, exercise 2: an encoder and a decoder that start from BERT."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_4_freezing import in_a_row
from autograder.exercises.ch06c_1_prefix import NOTEBOOK
from autograder.exercises.ch06c_warm_mistakes import WARM
from autograder.exercises.ch06c_warm_texts import (
    ENCODER_CHANGED,
    KERAS_REFUSES,
    MOVED_FIRST,
    refusal,
    refused_by_keras,
)
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import warm_started as oracles

warm_start_seq2seq = Exercise(
    "warm_start_seq2seq",
    notebook=NOTEBOOK,
    points=7,
    forbids=("bert_keras.models.writers.warm_start",),
)


def _says_value_error(found):
    return isinstance(found, Failed) and _is_a_refusal(found.error)


def _is_a_refusal(error):
    """Whether it is a ValueError, and none of those that Keras raises when values don't fit."""
    fits = not any(word in error.message for word in ("set_weights", "shape"))
    return error.type == "ValueError" and fits and not refused_by_keras(error)


def started(student, rng, decoders, encoders):
    """What the answer returns, and whose numbers every weight holds then."""
    seed = int(rng.integers(10_000))
    found = student.followed_by(
        fixture("whose_numbers", seed), fixture("blocks_to_start", decoders, encoders, seed)
    )
    way = refused_by_keras(found.error) if isinstance(found, Failed) else ""
    if way:
        wanted = oracles.way_of_copying(decoders, encoders)
        expect(np.asarray(way)).equals(wanted, otherwise=KERAS_REFUSES[way])
    return found


def _whose(decoders, encoders):
    """Says of the first weight that holds other numbers whose these are."""
    paths = oracles.all_paths(decoders, encoders)
    wanted = oracles.holds(decoders, encoders).value

    def said(got):
        place = int(np.argmax(np.asarray(got) != wanted))
        names = [paths[number] if number >= 0 else "?" for number in (wanted[place], got[place])]
        if wanted[place] == place:
            return Text(
                f"{paths[place]} 应当保持原样，现在是 {names[1]} 的值。",
                f"{paths[place]} should be as it was, and has the values of {names[1]}.",
            )
        return Text(
            f"{paths[place]} 应当是 {names[0]} 的值，现在是 {names[1]} 的。",
            f"{paths[place]} should have the values of {names[0]}, and has those of {names[1]}.",
        )

    return said


def _judge_values(student, rng, decoders, encoders):
    found = started(student, rng, decoders, encoders)
    held = derived(found, lambda pair: np.asarray(pair[1]["holds"], np.int64))
    expect(held).equals(oracles.holds(decoders, encoders), otherwise=_whose(decoders, encoders))
    return found


def as_text(found):
    """Both lists as one text; `NO_TEXT` stands for anything else; see `oracles.told`."""
    returned = found[0]
    if returned is None:
        return None
    if not isinstance(returned, (tuple, list)):
        kind = returned if isinstance(returned, str) else type(returned).__name__
        # Lists of what can't travel come back as the name of their type.
        return np.asarray(oracles.NO_TEXT if kind in ("tuple", "list") else oracles.NO_TEXT + kind)
    if all(isinstance(each, str) for each in returned) and returned:
        return np.asarray(f"{oracles.NO_TEXT}{len(returned)}")
    if len(returned) != 2 or not all(isinstance(each, (tuple, list)) for each in returned):
        return np.asarray(oracles.NO_TEXT)
    if not all(isinstance(text, str) for each in returned for text in each):
        return np.asarray(oracles.NO_TEXT)
    return oracles.told(*returned)


def _two_lists(text):
    """What `oracles.told` wrote, as two lists of texts.

    Raises:
        LookupError: it is something else.
    """
    text = str(np.asarray(text))
    if text.startswith(oracles.NO_TEXT):
        raise LookupError("no lists of texts")
    return [[line for line in part.split("\n") if line] for part in text.split("\n\n", 1)]


def _wrong_lists(wanted):
    """Says how the lists differ from the wanted ones."""

    def said(got):
        try:
            mine, right = _two_lists(got), _two_lists(wanted.value)
        except LookupError:
            return Text(
                "应当返回两个列表，里面直接是字符串（不是列表套列表，也不是集合）。",
                "Two lists should come back, with strings in them: no sets, no lists of lists.",
            )
        zh, en = [], []
        for name, have, want in zip(("copied", "fresh"), mine, right, strict=True):
            for names, said_zh, said_en in (
                (set(want) - set(have), "缺", "lacks"),
                (set(have) - set(want), "多了", "shouldn't have"),
                ({each for each in have if have.count(each) > 1}, "重复的有", "has twice"),
            ):
                if names:
                    zh.append(f"{name} {said_zh} {in_a_row(names, '、')}")
                    en.append(f"{name} {said_en} {in_a_row(names, ', ')}")
        return Text(f"列表不对：{'；'.join(zh)}。", f"The lists are wrong: {'; '.join(en)}.")

    return said


def _judge_lists(student, rng, decoders, encoders):
    found = started(student, rng, decoders, encoders)
    wanted = oracles.paths(decoders, encoders)
    expect(derived(found, as_text)).equals(wanted, otherwise=_wrong_lists(wanted))


@warm_start_seq2seq.case(
    points=2,
    zh="同名的子层：值抄过来；交叉注意力保持原样",
    en="sublayers of one name: values are copied; cross-attention stays as it is",
)
def as_many_blocks(student, rng):
    """Three blocks on either side, and no two weights alike."""
    _judge_values(student, rng, 3, 3)


@warm_start_seq2seq.case(
    points=1,
    zh="编码器的块更多：用前几块",
    en="the encoder has more blocks: its first ones are used",
)
def more_encoder_blocks(student, rng):
    """Two of four, and one of two."""
    _judge_values(student, rng, 2, 4)
    _judge_values(student, rng, 1, 2)


@warm_start_seq2seq.case(
    points=1,
    zh="编码器的参数不动",
    en="the encoder's weights stay",
)
def encoder_is_kept(student, rng):
    """All of them, those of blocks that aren't used as well."""
    for decoders, encoders in ((2, 2), (1, 3)):
        found = started(student, rng, decoders, encoders)
        still = derived(found, lambda pair: np.asarray(pair[1]["kept"], bool))
        expect(still).equals(oracles.kept(decoders, encoders), otherwise=ENCODER_CHANGED)


@warm_start_seq2seq.case(
    points=2,
    zh="返回两个列表：一个参数也不漏，也不重复",
    en="two lists come back: every weight is in them, and just once",
)
def paths_come_back(student, rng):
    """Of one block, then of several."""
    _judge_lists(student, rng, 1, 1)
    _judge_lists(student, rng, 2, 3)
    _judge_lists(student, rng, 3, 3)


@warm_start_seq2seq.case(
    points=1,
    zh="解码器的块更多：抛出 ValueError",
    en="the decoder has more blocks: a ValueError",
)
def more_decoder_blocks(student, rng):
    """By one and by two; as many is fine. Then with weights that say when they are written."""
    for decoders, encoders in ((2, 2), (1, 3), (2, 1), (3, 1)):
        found = started(student, rng, decoders, encoders)
        told = _says_value_error(found)
        if isinstance(found, Failed) and not told and decoders <= encoders:
            expect(found).equals(oracles.refused(decoders, encoders))  # it just doesn't run
            return
        expect(np.asarray(told)).equals(
            oracles.refused(decoders, encoders), otherwise=refusal(found, decoders, encoders)
        )
    for decoders, encoders in ((2, 1), (3, 2)):
        blocks = fixture("locked_blocks", decoders, encoders, int(rng.integers(10_000)))
        found = student.followed_by(fixture("whose_numbers", 0), blocks)
        moved = isinstance(found, Failed) and found.error.type == "WeightsMoved"
        expect(np.asarray(not moved)).equals(
            oracles.untouched(decoders, encoders), otherwise=MOVED_FIRST
        )


for _name, (_switch, _zh, _en, _hints) in WARM.items():
    warm_start_seq2seq.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _wrong_weights(seen):
    """Paths of the decoder's weights that hold other numbers than they should.

    Raises:
        LookupError: the observation is about something else.
    """
    if seen.prediction.parts != ("holds",):
        raise LookupError("no values here")
    wrong = np.asarray(seen.actual) != seen.expected
    paths = oracles.all_paths(*seen.args[:2])[: len(seen.expected)]
    return [path for path, bad in zip(paths, wrong, strict=True) if bad]


@warm_start_seq2seq.property("encoder_stays", zh=ENCODER_CHANGED.zh, en=ENCODER_CHANGED.en)
def encoder_changes(seen):
    return seen.prediction.parts == ("kept",)


@warm_start_seq2seq.property(
    "cross_attention_stays",
    zh="交叉注意力或它的归一化被改了。",
    en="Cross-attention or its norm was changed.",
)
def cross_attention_changes(seen):
    return any(path.split("/")[1] in oracles.CROSS for path in _wrong_weights(seen))


@warm_start_seq2seq.property(
    "values_are_copied",
    zh="有的参数没有抄，或者抄错了。",
    en="Some weights aren't copied, or not from where they should be.",
)
def values_are_wrong(seen):
    return any(path.split("/")[1] not in oracles.CROSS for path in _wrong_weights(seen))


@warm_start_seq2seq.property(
    "lists_are_right",
    zh="返回的列表不对。",
    en="The lists that come back are wrong.",
)
def lists_are_wrong(seen):
    return seen.prediction.parts == ("lists",)


@warm_start_seq2seq.property(
    "more_decoder_blocks_are_refused",
    zh="解码器的块更多，应当抛出 ValueError。",
    en="A ValueError should be raised where the decoder has more blocks than the encoder.",
)
def not_refused(seen):
    return seen.prediction.parts == ("refused",) and seen.error is None and bool(seen.expected)


@warm_start_seq2seq.property(
    "enough_blocks_are_fine",
    zh="编码器的块够用（一样多，或者更多）时，不该抛出 ValueError。",
    en="Where the encoder has enough blocks, as many or more, no ValueError should be raised.",
)
def refused_in_vain(seen):
    return seen.prediction.parts == ("refused",) and not seen.expected


@warm_start_seq2seq.property("nothing_moves_first", zh=MOVED_FIRST.zh, en=MOVED_FIRST.en)
def moved_first(seen):
    return seen.prediction.parts == ("untouched",)
