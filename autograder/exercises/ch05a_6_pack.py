"""Notebook ch05a, exercise 6: two texts in one row."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05a_pack_mistakes import PACK
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import packing as oracles

NOTEBOOK = "ch05a_inputs"
NOT_REFUSED = Text(
    "长度连特殊词元都放不下，应当抛出 ValueError。",
    "A length that has no room for the special tokens should raise a ValueError.",
)

pack_pair = Exercise(
    "pack_pair",
    notebook=NOTEBOOK,
    points=6,
    forbids=("bert_keras.text.packing.pack", "bert_keras.text.packing.pack_batch"),
    tensors=False,
)


def some_texts(rng, *lengths):
    """Texts of these lengths, None where one is missing; no token occurs twice, none is special."""
    tokens = [int(token) for token in rng.permutation(np.arange(20, 200))]
    found = []
    for length in lengths:
        found.append(None if length is None else tokens[:length])
        tokens = tokens[length or 0 :]
    return found


def some_specials(rng, pad=None):
    """Ids of [CLS], [SEP] and, unless it is given, [PAD]; none of them is 0."""
    ids = [int(each) for each in rng.permutation(np.arange(1, 20))[:3]]
    return (*ids[:2], ids[2] if pad is None else pad)


def _lent(text):
    """A text as the answer is given it: a list that can't be changed."""
    return None if text is None else fixture("lent_row", text)


def _another_form(got):
    """What came back where one dict of three keys should."""
    keys = ", ".join(oracles.KEYS)
    return Text(
        f"应当返回一个字典，键是 {keys}；实际得到的是：{got}。",
        f"It should return one dict with the keys {keys}; what came back: {got}.",
    )


def _judge(student, texts, length, specials):
    given = (*texts, length, *specials)
    real = oracles.packed(*given)[2]
    found = student(*map(_lent, texts), length, *specials)
    kind = None if found is None or isinstance(found, Failed) else oracles.form_of(found)
    if kind is not None and str(kind) != "row":
        expect(kind).equals(oracles.form(), otherwise=_another_form)
    expect(derived(found, lambda it: oracles.as_row(it, real))).equals(oracles.pack_pair(*given))


@pack_pair.case(points=1, zh="两段文字，放得下", en="two texts, with room to spare")
def room_to_spare(student, rng):
    """First the pad id isn't said; first, second and padding have lengths of their own."""
    _judge(student, some_texts(rng, 2, 3), 10, some_specials(rng)[:2])
    _judge(student, some_texts(rng, 4, 2), 12, some_specials(rng))
    _judge(student, some_texts(rng, 1, 3), 9, some_specials(rng))


@pack_pair.case(points=1, zh="只有一段；空的一段", en="a single text; an empty one")
def single_and_empty(student, rng):
    """An empty second text is a text all the same, with its own [SEP]."""
    _judge(student, some_texts(rng, 4, None), 9, some_specials(rng))
    _judge(student, some_texts(rng, 0, None), 5, some_specials(rng))
    _judge(student, some_texts(rng, 3, 0), 8, some_specials(rng))
    _judge(student, some_texts(rng, 0, 2), 7, some_specials(rng))


@pack_pair.case(
    points=2,
    zh="放不下：从长的那段末尾裁，特殊词元都在",
    en="too long: the longer text loses its end, and no special token goes",
)
def too_long(student, rng):
    """The first is longer, the second is; both are cut; an odd one comes off the second."""
    for lengths, length in (
        ((3, 8), 10),
        ((9, 3), 11),
        ((7, 5), 9),
        ((5, 5), 10),
        ((6, 6), 8),
        ((2, 9), 6),
    ):
        _judge(student, some_texts(rng, *lengths), length, some_specials(rng))


@pack_pair.case(
    points=1,
    zh="正好放下；只有一段而放不下",
    en="just fitting; a single text that is too long",
)
def just_fitting(student, rng):
    """A pair needs three special tokens and a single text two."""
    _judge(student, some_texts(rng, 4, 3), 10, some_specials(rng))
    _judge(student, some_texts(rng, 5, None), 7, some_specials(rng))
    _judge(student, some_texts(rng, 8, None), 6, some_specials(rng))
    _judge(student, some_texts(rng, 4, 4), 10, some_specials(rng))


@pack_pair.case(
    points=1,
    zh="长度只够特殊词元，和连它们都不够",
    en="room for the special tokens alone, and not even that",
)
def no_room(student, rng):
    """A pair at 3 and 2, a single text at 2 and 1."""
    _judge(student, some_texts(rng, 4, 2), 3, some_specials(rng))
    _judge(student, some_texts(rng, 4, None), 2, some_specials(rng))
    for second, length, specials in ((None, 1, 2), (2, 2, 3), (0, 2, 3)):
        texts = some_texts(rng, 3, second)
        found = student(*map(_lent, texts), length, *some_specials(rng))
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        wanted = oracles.refused(specials, length, second == 0)
        expect(np.asarray(told)).equals(wanted, otherwise=NOT_REFUSED)


for _name, _data in PACK.items():
    pack_pair.misconception(_name, **_data)


def _rows(seen):
    """The three arrays by name, as they came back, and as they should have.

    Raises:
        LookupError: they have another form.
    """
    if seen.prediction.parts != oracles.KEYS:
        raise LookupError("no row here")
    if not isinstance(seen.actual, tuple) or len(seen.actual) != 3:
        raise LookupError("not these three")
    found = [np.asarray(part) for part in seen.actual]
    if any(part.ndim != 1 or part.dtype.kind not in "biuf" for part in found):
        raise LookupError("no rows of numbers")
    return found, seen.expected


@pack_pair.property(
    "three_rows_come_back",
    zh="应当返回一个字典：token_ids、segment_ids、padding_mask，各是一行 T 个数。",
    en="A dict should come back: token_ids, segment_ids and padding_mask, each a row of T numbers.",
)
def no_three_rows(seen):
    if seen.prediction.parts == ("form",):
        return True
    if seen.prediction.parts != oracles.KEYS:
        return False
    try:
        _rows(seen)
    except (LookupError, ValueError):  # of other names or forms, or rows within rows
        return True
    return False


@pack_pair.property(
    "length_is_right",
    zh="有一行的长度不是 max_sequence_length。",
    en="The length of a row isn't max_sequence_length.",
)
def length_is_wrong(seen):
    found, _ = _rows(seen)
    return any(len(part) != seen.args[2] for part in found)


@pack_pair.property(
    "special_ids_are_used",
    zh="整行里既没有 cls_id 也没有 sep_id：特殊词元的编号是从参数来的吗？",
    en="Neither cls_id nor sep_id is in the row: do the ids of the special tokens come from the "
    "arguments?",
)
def other_special_ids(seen):
    return not _has_specials(seen)


def _has_specials(seen):
    (ids, *_), _ = _rows(seen)
    return bool(np.isin(ids, seen.args[3:5]).any())


@pack_pair.property(
    "special_tokens_in_their_places",
    zh="[CLS] 或 [SEP] 少了、多了，或者不在该在的地方。",
    en="A [CLS] or [SEP] is missing, too many or out of place.",
)
def specials_are_misplaced(seen):
    """Which there are, in what order; their places say nothing where texts are cut wrongly."""
    (ids, *_), (wanted, *_) = _rows(seen)
    marks = list(seen.args[3:5])
    if not _has_specials(seen):
        return False
    if not np.array_equal(*(row[np.isin(row, marks)] for row in (ids, wanted))):
        return True
    return _texts(ids) == _texts(wanted) and not np.array_equal(
        np.isin(ids, marks) * ids, np.isin(wanted, marks) * wanted
    )


@pack_pair.property(
    "texts_are_right",
    zh="文字不对：少了、多了，或者次序不对。",
    en="The texts aren't right: tokens are missing, too many or in another order.",
)
def texts_are_wrong(seen):
    (ids, *_), (wanted, *_) = _rows(seen)
    return _texts(ids) != _texts(wanted)


def _texts(row):
    """The tokens of a row that are neither special nor padding."""
    return [int(token) for token in row if token >= 20]


@pack_pair.property(
    "padding_is_right",
    zh="填充的格子里不是 pad_id，或者填充不在末尾。",
    en="Padding holds something else than pad_id, or isn't at the end.",
)
def padding_is_wrong(seen):
    (ids, *_), (wanted, _, real) = _rows(seen)
    return len(ids) == len(wanted) and bool((ids != wanted)[~real].any())


@pack_pair.property(
    "segments_are_right",
    zh="词元都对，片段不对。",
    en="The tokens are right, the segments aren't.",
)
def segments_are_wrong(seen):
    (ids, segments, _), (wanted, right, _) = _rows(seen)
    return np.array_equal(ids, wanted) and not np.array_equal(segments, right)


@pack_pair.property(
    "mask_is_right",
    zh="词元都对，掩码不对：真词元（特殊词元也是）是 True，填充是 False。",
    en="The tokens are right, the mask isn't: True at real tokens, special ones too, and False at "
    "padding.",
)
def mask_is_wrong(seen):
    (ids, _, mask), (wanted, _, real) = _rows(seen)
    differs = mask.shape != real.shape or mask.dtype.kind != "b" or bool((mask != real).any())
    return np.array_equal(ids, wanted) and differs


@pack_pair.property("room_is_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def room_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)
