"""Autoencoders, corruption, words, pieces, rows and sizes in NumPy, against values known elsewhere.

Elsewhere is arithmetic by hand, Keras and this course's own library, which the oracles never use.
"""

from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercise import load
from autograder.exercises import ch05a_3_corrupt as corrupt
from autograder.exercises.ch05a_9_drill import DRILL_BUGS
from autograder.oracles import (
    autoencoders,
    bert_embeddings,
    bert_step,
    corruption_laws,
    packing,
    parameters,
    text_words,
    wordpieces,
)
from autograder.stand_ins import ch05a_inputs as stand_ins

# ------------------------------------------------------------------ autoencoders


def test_an_autoencoder_by_hand():
    x, kernel = np.array([[1.0, 2.0]]), np.array([[0.5], [-0.25]])
    inputs = (x, kernel, np.array([1.0]), np.array([[2.0, -1.0]]), np.array([0.5, 0.0]))
    hidden, rebuilt = autoencoders.autoencoder_forward.raw(*inputs)
    np.testing.assert_allclose(hidden, [[np.tanh(1.0)]])
    np.testing.assert_allclose(rebuilt, [[2 * np.tanh(1.0) + 0.5, -np.tanh(1.0)]])


def test_a_denoising_loss_by_hand():
    """Differences of 2 everywhere, of 4 at the one corrupted position."""
    x = np.zeros((2, 3, 2))
    rebuilt, flags = np.full(x.shape, 2.0), np.zeros((2, 3), bool)
    flags[1, 2] = True
    rebuilt[1, 2] = 4.0

    def loss(only, flags=flags, **switches):
        return float(autoencoders.dae_loss.raw(rebuilt, x, flags, only, **switches))

    assert loss(False) == pytest.approx((10 * 4 + 2 * 16) / 12)
    assert loss(True) == 16
    assert loss(True, divisor="everything") == pytest.approx(2 * 16 / 12)
    assert loss(True, divisor="positions_if_only") == 32
    assert loss(True, np.zeros((2, 3), bool)) == 0
    assert np.isnan(loss(True, np.zeros((2, 3), bool), empty="nan"))


# ------------------------------------------------------------------ corruption


def corrupted(rng, shape, rate, span, fates="independent"):
    """A right answer, or one that draws once for all rows or takes a fixed number."""
    x = corrupt.some_x(rng, *shape)
    blocks = -(-shape[1] // span)
    draws = rng.random((1 if fates == "same_in_every_row" else shape[0], blocks))
    hit = draws < rate
    if fates == "exact_count":
        hit = draws.argsort(axis=1).argsort(axis=1) < round(rate * blocks)
    flags = np.repeat(np.broadcast_to(hit, (shape[0], blocks)), span, axis=1)[:, : shape[1]]
    return x, np.where(flags[..., None], 0, x), flags


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("shape", "rate", "span"),
    [((3000, 7, 3), 0.3, 1), ((3000, 11, 2), 0.3, 4), ((60, 7, 2), 1.0, 3)],
)
def test_right_answers_follow_the_laws(seed, shape, rate, span):
    x, *found = corrupted(np.random.default_rng(seed), shape, rate, span)
    laws = corruption_laws.corruption(*shape, rate, span).value
    assert laws.misfit(corruption_laws.outcomes(x, *found, span)) is None


@pytest.mark.parametrize("fates", ["same_in_every_row", "exact_count"])
def test_draws_that_hang_together_are_told_apart(fates):
    shape, rate, span = (3000, 7, 3), 0.3, 1
    x, *found = corrupted(np.random.default_rng(3), shape, rate, span, fates)
    outcomes = corruption_laws.outcomes(x, *found, span)
    assert not corruption_laws.corruption(*shape, rate, span).value.fits(outcomes)
    switch = {"fates": fates}
    assert corruption_laws.corruption(*shape, rate, span).predict(switch).fits(outcomes)


def test_sliding_spans_agree_with_a_simulation():
    rng, rate, span, length = np.random.default_rng(4), 0.2, 3, 7
    starts = rng.random((40000, length)) < rate
    flags = np.zeros_like(starts)
    for t in range(length):
        flags[:, t : t + span] |= starts[:, t : t + 1]
    x = corrupt.some_x(rng, *flags.shape, 2)
    outcomes = corruption_laws.outcomes(x, np.where(flags[..., None], 0, x), flags, span)
    laws = corruption_laws.corruption(*x.shape, rate, span)
    assert laws.predict({"blocks": "sliding"}).fits(outcomes)
    assert not laws.value.fits(outcomes)


# ------------------------------------------------------------------ words and pieces

LETTERS = "abAéÉ ñß≠在楼，。!$\t\n\x00\x0b\x85\u0301\u200b\u3000\u00a0ーさ€\ufffd1_'"


def test_words_are_the_librarys():
    wordpiece = pytest.importorskip("bert_keras.text.wordpiece")
    rng = np.random.default_rng(5)
    for _ in range(500):
        text = "".join(rng.choice(list(LETTERS), rng.integers(0, 12)))
        for lowercase in (True, False):
            found = text_words.words_of(text, lowercase)
            assert found == wordpiece.basic_tokenize(text, lowercase), repr(text)


def test_folding_may_leave_a_mark_or_nothing():
    text = "a≠b \u0301 Straße e\u0301te\u0301"
    assert text_words.words_of(text) == ["a", "=", "b", "straße", "ete"]
    assert text_words.words_of(text, fold="last") == ["a=b", "", "straße", "ete"]
    assert text_words.words_of(text, case="casefold")[3] == "strasse"
    parted = text_words.words_of(text, spaces="split_where_nothing_is_left")
    assert parted[-2:] == ["e", "te"]
    assert parted[:4] == ["a", "=", "b", "straße"]


def test_a_form_feed_is_dropped_before_it_is_white_space():
    assert text_words.words_of("a\x0cb c") == ["ab", "c"]
    assert text_words.words_of("a\x0cb c", controls="white_space_first") == ["a", "b", "c"]


def test_pieces_are_the_librarys():
    wordpiece = pytest.importorskip("bert_keras.text.wordpiece")
    rng = np.random.default_rng(6)
    pieces = {"a", "ab", "abc", "b", "##b", "##c", "##bc", "##a", "##cab"}
    for _ in range(500):
        word = "".join(rng.choice(list("abcd"), rng.integers(1, 9), p=[0.3, 0.3, 0.3, 0.1]))
        found, places = wordpieces.pieces_of(word, pieces)
        assert found == wordpiece.wordpiece_tokenize(word, pieces)
        assert "".join(word[a:b] for a, b in places) == word


def test_an_unknown_end_makes_the_word_unknown():
    pieces = {"un", "##aff", "##able"}
    assert wordpieces.pieces_of("unaffable", pieces)[1] == [(0, 2), (2, 5), (5, 9)]
    assert wordpieces.pieces_of("unaffxyz", pieces) == (["[UNK]"], [(0, 8)])
    kept = wordpieces.pieces_of("unaffxyz", pieces, failure="pieces_kept")
    assert kept == (["un", "##aff", "[UNK]"], [(0, 2), (2, 5), (5, 8)])


def test_a_vocabulary_that_is_asked_for_ever_stops_it():
    for vocabulary in (stand_ins.BUILDERS[kind](["a", "##b"]) for kind in
                       ("set_of_pieces", "numbered_pieces")):  # fmt: skip
        assert "a" in vocabulary
        assert "b" not in vocabulary
        assert sorted(vocabulary) == ["##b", "a"]
        with pytest.raises(stand_ins.NeverEnds):
            while "a" in vocabulary:
                pass


# ------------------------------------------------------------------ rows


def test_rows_are_the_librarys():
    library = pytest.importorskip("bert_keras.text.packing")
    vocabulary = pytest.importorskip("bert_keras.text.vocabulary")
    specials = vocabulary.Vocabulary(vocabulary.SPECIAL_TOKENS)
    marks = (specials.cls_id, specials.sep_id, specials.pad_id)
    for a in range(7):
        for b in (None, *range(7)):
            for length in range(2 if b is None else 3, 13):
                texts = list(range(10, 10 + a)), None if b is None else list(range(30, 30 + b))
                row = packing.packed(*texts, length, *marks)
                wanted = library.pack(*texts, specials, length)
                for mine, other in zip(row, wanted.values(), strict=True):
                    np.testing.assert_array_equal(mine, other)


def test_other_forms_than_a_row_are_named():
    assert str(packing.form_of(([1], [0], [True]))) == "tuple"
    assert str(packing.form_of({"token_ids": [1], "mask": [True]})) == "token_ids, mask"
    assert str(packing.form_of({key: [1] for key in packing.KEYS})) == str(packing.form.raw())


def test_segments_at_padding_are_free_and_others_are_not():
    real = np.array([True, True, False])
    for free in (0, 1):
        row = packing.judged((np.arange(3), np.array([0, 1, free]), real), real)
        np.testing.assert_array_equal(row[1], [0, 1, 0])
    row = packing.judged((np.arange(3), np.array([0, 1, 2]), real), real)
    np.testing.assert_array_equal(row[1], [0, 1, 2])


def test_the_drills_step_by_hand():
    vocabulary = {piece: i for i, piece in enumerate((*bert_step.SPECIALS, "sea", "##s", "[", "]"))}
    tables = [np.arange(n)[:, None] * float(size) for n, size in ((9, 1), (9, 100), (3, 1000))]
    ids, kinds, x = bert_step.bert_step.raw("Seas [MASK]", "seaz", vocabulary, 8, *tables)
    np.testing.assert_array_equal(ids, [2, 5, 6, 4, 3, 1, 3, 0])
    np.testing.assert_array_equal(kinds, [0, 0, 0, 0, 0, 1, 1, 0])
    np.testing.assert_array_equal(x[:, 0], [2, 105, 206, 304, 403, 1501, 1603, 0])


def test_stand_ins_are_the_notebooks():
    assert stand_ins.wordpiece_tokenize("ab", {"a", "##b"}) == (["a", "##b"], [(0, 1), (1, 2)])
    row = stand_ins.pack_pair([7], None, 4, 1, 2)
    assert list(row) == list(packing.KEYS)
    np.testing.assert_array_equal(row["token_ids"], [1, 7, 2, 0])


# ------------------------------------------------------------------ embeddings and sizes


def test_embeddings_are_the_librarys():
    pytest.importorskip("keras")
    from bert_keras.layers.embeddings import BertEmbeddings

    rng = np.random.default_rng(7)
    layer = BertEmbeddings(11, 4, max_sequence_length=8, dropout=0.0, layer_norm_epsilon=0.01)
    ids, kinds = rng.integers(0, 11, (2, 5)), rng.integers(0, 2, (2, 5))
    layer(ids, kinds)
    sizes = zip(bert_embeddings.TABLES, (11, 8, 2), strict=True)
    weights = {f"{name}.embeddings": rng.normal(size=(rows, 4)) for name, rows in sizes}
    weights |= {f"layer_norm.{name}": rng.normal(size=4) for name in ("gamma", "beta")}
    for path, value in weights.items():
        part, name = path.split(".")
        getattr(getattr(layer, part), name).assign(value)
    wanted = bert_embeddings.bert_embeddings.raw(ids, kinds, weights, 0.01)
    np.testing.assert_allclose(layer(ids, kinds), wanted, atol=1e-5)


def test_released_sizes():
    """Google's base and large have 110 and 340 million weights; these are the exact numbers."""
    names = stand_ins.BertConfig.__dataclass_fields__
    base, large = (
        dict(zip(names, sizes, strict=False))
        for sizes in ((30522, 12, 12, 768, 3072, 512, 2), (30522, 24, 16, 1024, 4096, 512, 2))
    )
    assert parameters.weights_of(base) == 109_482_240
    assert parameters.weights_of(large) == 335_141_888
    fewer = parameters.weights_of(base, norms="one_in_a_block_alone")
    assert fewer == 109_482_240 - 13 * 2 * 768  # one of two in each of 12 blocks, and one outside
    block = parameters.one_more.raw(base, "num_layers")
    assert block == 12 * 768 * 768 + 13 * 768  # 12 D² + 13 D where F = 4 D


def test_a_built_model_has_as_many():
    pytest.importorskip("keras")
    from bert_keras.models.bert import BertBackbone

    sizes = {
        "vocabulary_size": 37, "num_layers": 3, "num_heads": 2, "hidden_dim": 10,
        "intermediate_dim": 23, "max_sequence_length": 11, "num_segments": 3,
    }  # fmt: skip
    model = BertBackbone(**sizes)
    ids = np.zeros((1, 4), int)
    model({"token_ids": ids, "segment_ids": ids, "padding_mask": np.ones((1, 4), bool)})
    assert model.count_params() == parameters.weights_of(sizes)


# ------------------------------------------------------------------ the exercises


def test_the_drills_bugs_are_the_exercises():
    root = Path(__file__).resolve().parents[3]
    bugs = read_bugs(root / "solutions/ch05a_inputs/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS


def test_every_mistake_has_two_hints():
    for exercise in load("ch05a_inputs"):
        for mistake in exercise.misconceptions.values():
            assert len(mistake.hints) == 2, (exercise.id, mistake.name)


@pytest.mark.parametrize("again", ["again_in_every_row", "again_in_every_block"])
def test_a_generator_made_again_shows_where_there_is_a_seed(again):
    shape, rate, span, rows = (600, 6, 2), 0.3, 2, 600
    x = np.ones(shape)
    if again == "again_in_every_row":
        blanked = np.array([np.random.default_rng(5).random(3) < rate for _ in range(rows)])
    else:
        blanked = np.stack([np.random.default_rng(5).random(rows) < rate for _ in range(3)], axis=1)
    flags = np.repeat(blanked, span, axis=1)
    outcomes = corruption_laws.outcomes(x, np.where(flags[..., None], 0, x), flags, span)
    laws = corruption_laws.corruption(*shape, rate, span, True)
    assert not laws.value.fits(outcomes)
    assert laws.predict({"seed_use": again}).fits(outcomes)
    assert (
        not corruption_laws.corruption(*shape, rate, span)
        .predict({"seed_use": again})
        .fits(outcomes)
    )


def test_a_slip_in_offsets_may_leave_unknown_words_alone():
    vocabulary = {"un", "##able"}
    for word, everywhere, known in (("unable", [(0, 1), (2, 5)], [(0, 1), (2, 5)]),
                                    ("xy", [(0, 1)], [(0, 2)])):  # fmt: skip
        assert wordpieces.pieces_of(word, vocabulary, offsets="end_inclusive")[1] == everywhere
        assert wordpieces.pieces_of(word, vocabulary, offsets="known_end_inclusive")[1] == known


def test_the_others_are_blanked():
    shape = (400, 5, 2)
    x, flags = np.ones(shape), np.random.default_rng(3).random(shape[:2]) < 0.3
    outcomes = corruption_laws.outcomes(x, np.where(flags[..., None], x, 0), flags, 1)
    laws = corruption_laws.corruption(*shape, 0.3, 1)
    assert not laws.value.fits(outcomes)
    assert laws.predict({"blank": "the_others"}).fits(outcomes)
