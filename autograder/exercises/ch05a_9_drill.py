"""Notebook ch05a, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05a_drill_mistakes import OWN, STILL
from autograder.exercises.ch05a_embeddings_mistakes import EMBEDDINGS
from autograder.exercises.ch05a_pack_mistakes import PACK
from autograder.exercises.ch05a_wordpiece_mistakes import WORDPIECE
from autograder.exercises.common import derived, normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.oracles.bert_step import SPECIALS, bert_step, real_tokens, shown

NOTEBOOK = "ch05a_inputs"
STAND_INS = "autograder.stand_ins.ch05a_inputs"

# The keys of solutions/ch05a_inputs/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "segments_from_one",
    "separator_cut_off",
    "room_for_two",
    "mask_split",
    "pieces_kept",
    "prefix_on_first",
    "positions_backwards",
    "scaled_by_root",
)
WORDS = ("the", "river", "run", "moon", "old", "town", "light", "sea")
# Words are known inside others too: what looks them up with ## in front finds another piece.
PIECES = (
    *(f"##{word}" for word in WORDS),
    *("##s", "##ning", "##er", "##ly", "天", "地", "水", ",", ".", "!", "[", "]", "mask"),
)

drill = Exercise(
    "drill_ch05a_inputs",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={
        "basic_tokenize": "bert_keras.text.wordpiece:basic_tokenize",
        "wordpiece_tokenize": f"{STAND_INS}:wordpiece_tokenize",
        "pack_pair": f"{STAND_INS}:pack_pair",
    },
    tensors=False,
    variants=DRILL_BUGS,
)


def some_vocabulary(rng):
    """Every piece with a number of the seed's; [PAD] isn't 0."""
    pieces = [*SPECIALS, *WORDS, *PIECES]
    numbers = rng.permutation(len(pieces))
    if numbers[0] == 0:
        numbers = np.roll(numbers, 1)
    return {piece: int(number) for piece, number in zip(pieces, numbers, strict=True)}


def _judge(student, rng, first, second, length):
    vocabulary = some_vocabulary(rng)
    width = 5
    # More rows than there is use for, so that what goes wrong is wrong numbers and no error.
    tables = [normal(rng, rows, width) for rows in (len(vocabulary), length + 4, 4)]
    given = (first, second, vocabulary, length, *tables)
    real = real_tokens(*given[:4])
    found = student.named("repaired")(*given)
    expect(derived(found, lambda it: _shown(it, real))).equals(bert_step(*given), atol=1e-4)


def _shown(found, real):
    """What counts of a triple; anything else as it is."""
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        return found
    arrays = [_array(part) for part in found]
    return shown(*arrays, real)


def _array(part):
    """A list of whole numbers as an array; anything else as it is."""
    if isinstance(part, (tuple, list)) and all(np.ndim(each) == 0 for each in part):
        return np.array(part)
    return part


def _words(rng, number):
    return [WORDS[i] for i in rng.permutation(len(WORDS))[:number]]


ask_for_the_name(drill)


@drill.case(points=1, zh="修好之后：短的一对，有填充", en="repaired: a short pair with padding")
def repaired_short(student, rng):
    """Words of one piece and of several; Chinese."""
    a, b, c = _words(rng, 3)
    _judge(student, rng, f"{a} {b}s", f"{c} 天.", 14)
    _judge(student, rng, f"{c.upper()}er 水地", f"{a}, {b}ly!", 16)


@drill.case(points=2, zh="修好之后：长得要裁的一对", en="repaired: a pair that has to be cut")
def repaired_cut(student, rng):
    """The first is longer, the second is, both are."""
    words = _words(rng, 8)
    for sizes, length in (((6, 2), 9), ((2, 7), 8), ((6, 6), 10)):
        texts = (" ".join(words[: sizes[0]]), " ".join(words[::-1][: sizes[1]]))
        _judge(student, rng, *texts, length)


@drill.case(
    points=2,
    zh="修好之后：文字里有 [MASK] 和生词",
    en="repaired: [MASK] and unknown words in the texts",
)
def repaired_special(student, rng):
    """Of a word whose beginning is known and its end isn't; [MASK] in both; other specials."""
    a, b, c, d = _words(rng, 4)
    _judge(student, rng, f"{a} [MASK] {b}s", f"{c}[MASK].", 15)
    _judge(student, rng, f"{a}zz {b}", f"{c} qq{d} {a}", 13)
    _judge(student, rng, f"{b}szz [MASK] {c}", f"{d} 地 {a}erq", 16)
    _judge(student, rng, f"{d} [UNK] {a}", f"{b}s [SEP] {c}", 14)


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：换回文字的编号、片段、嵌入，哪一样先不对？",
            "Don't read yet, experiment: of the ids turned back into text, the segments and the "
            "embeddings, which is wrong first?",
        ),
        (
            "短的一对也不对，还是只有长的、带 [MASK] 的、有生词的才不对？",
            "Is a short pair wrong, or only one that is cut, has [MASK] or an unknown word?",
        ),
    ),
)
ILLS = (
    "segments_from_one",
    "separator_cut_off",
    "room_for_specials_miscounted",
    "mask_split",
    "pieces_kept",
    "prefix_on_the_first_piece",
    "other_rows_of_positions",
    "scaled_by_root",
)
_SWITCHES = bert_step.switches
# So many mistakes can be made here that these are left out, or pairs of them would take too long.
_RARE = (
    *("another_prefix", "letters_only", "shortest_piece", "pieces_reversed", "begin_again"),
    *("too_many_separators", "row_too_long", "not_padded", "shorter_text_cut", "half_for_each"),
    *("looked_up_without_prefix", "nothing_is_found", "start_stays"),
)


def _forms(switch):
    """The forms of a mistake that can be made here."""
    forms = (switch,) if isinstance(switch, dict) else switch
    return tuple(form for form in forms if set(form) <= set(_SWITCHES) and "returned" not in form)


for _name, _data in (WORDPIECE | PACK | EMBEDDINGS).items():
    # What the words are asked about alone, and what only shows where nothing is judged here.
    _known = tuple(
        form
        for form in _forms(_data["switch"])
        if form.get("match") != "backtracks" and form.get("order") not in ("turned",)
        and form.get("summed") in (None, "no_positions", "no_segments", "averaged")
        and form.get("places") in (None, "backwards", "from_one", "last", "by_token")
        and form.get("scale") in (None, "tokens", "sum")
        and form.get("segments") != "first_separator_is_1_in_a_pair"  # all are pairs
    )  # fmt: skip
    if not _known or _name in _RARE:
        continue
    _told = {key: value for key, value in _data.items() if key != "switch"}
    _told = STILL if _name in ILLS else _told
    drill.misconception(_name, switch=_known, **_told)
for _name, _data in OWN.items():
    drill.misconception(_name, **_data)


def _triple(seen):
    """The three results and what they should be.

    Raises:
        LookupError: the observation is about the name of the bug, or has another form.
    """
    if len(seen.prediction.parts) != 3:
        raise LookupError("no row here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        raise LookupError("not these three")
    return [np.asarray(part) for part in seen.actual], seen.expected


@drill.property(
    "three_results_come_back",
    zh="repaired 应当返回三样：编号、片段、嵌入，各有 T 行。",
    en="repaired should return three things: ids, segments and embeddings, T of each.",
)
def form_is_wrong(seen):
    if len(seen.prediction.parts) != 3:
        return False
    try:
        found, wanted = _triple(seen)
    except LookupError:
        return True
    return [part.shape for part in found] != [np.shape(part) for part in wanted]


@drill.property(
    "tokens_are_right",
    zh="词元编号已经不对：片段和嵌入还在其次。",
    en="Token ids are wrong already; segments and embeddings come after them.",
)
def tokens_are_wrong(seen):
    (ids, *_), (wanted, *_) = _triple(seen)
    return not np.array_equal(ids, wanted)


@drill.property(
    "segments_are_right",
    zh="编号对，片段不对。",
    en="The ids are right and the segments are wrong.",
)
def segments_are_wrong(seen):
    (ids, kinds, _), (wanted, right, _) = _triple(seen)
    return np.array_equal(ids, wanted) and not np.array_equal(kinds, right)


@drill.property(
    "embeddings_are_right",
    zh="编号和片段都对，嵌入不对。",
    en="Ids and segments are right and the embeddings are wrong.",
)
def embeddings_are_wrong(seen):
    (ids, kinds, x), (wanted, right, total) = _triple(seen)
    agree = np.array_equal(ids, wanted) and np.array_equal(kinds, right)
    return agree and not np.allclose(x, total, atol=1e-3)
