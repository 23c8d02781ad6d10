"""The oracles of chapter 6a against arithmetic by hand, and against their stand-ins."""

from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch06a_6_frames import some_commands as some_frames
from autograder.exercises.ch06a_8_drill import DRILL_BUGS, some_sentences, some_weights
from autograder.oracles import (
    Crash,
    answer_choices,
    finetune_step,
    frames,
    joint_loss,
    layer_rates,
    relation_marks,
    sentence_classifier,
    text_pairs,
)
from autograder.stand_ins import ch06a_sentences as stand_ins

ROOT = Path(__file__).parents[3]
PLAN = (9, (7, 8, 9), "plain")


# ------------------------------------------------------------------ pooling


def test_pooling_by_hand():
    """Two real tokens of 2 and 4, and a pad of 9."""
    x = np.array([[[2.0], [4.0], [9.0]]])
    mask = np.array([[True, True, False]])

    def mean(which):
        return float(sentence_classifier.mean_of(x, mask, which)[0, 0])

    assert mean("real") == 3 and mean("all") == 5 and mean("divided_by_length") == 2
    assert mean("pads_in_the_sum") == 7.5 and mean("inverted") == 9
    assert mean("without_the_first") == 4 and mean("largest") == 4
    tokens = ("first", "second", "last", "last_real")
    found = [float(sentence_classifier.one_token(x, mask, which)[0, 0]) for which in tokens]
    assert found == [2, 4, 9, 4]


def test_a_mask_without_its_axis_by_hand():
    """With B = T = D = 2 the mask is matched to features, and the counts too."""
    x = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    mask = np.array([[True, True], [True, False]])
    both = sentence_classifier.mean_of(x, mask, "both_axes_missing")
    np.testing.assert_allclose(both, [[4 / 2, 2 / 1], [12 / 2, 6 / 1]])


def test_dropout_can_be_told_from_the_result():
    """It bends, so that neither its place nor its number is lost in a mean."""
    rng = np.random.default_rng(0)
    x, mask = rng.normal(size=(2, 4, 5)), np.ones((2, 4), bool)
    kernel, bias = rng.normal(size=(5, 3)), np.zeros(3)

    def logits(pooling="mean", **switches):
        return sentence_classifier.classifier_head.raw(x, mask, pooling, kernel, bias, **switches)

    for switches in ({"order": "drop_pool_dense"}, {"dropped": "twice"}, {"dropped": "never"}):
        assert np.abs(logits(**switches) - logits()).max() > 1e-2
    # Of one token it makes no difference whether the others lose something, too.
    np.testing.assert_allclose(logits("cls", order="drop_pool_dense"), logits("cls"))
    np.testing.assert_allclose(stand_ins._bending_dropout()(x), sentence_classifier.bend(x))


# ------------------------------------------------------------------ rows and encoders


def test_a_row_by_hand():
    row = text_pairs.row_of([1, 2], [3], *PLAN)
    assert row["token_ids"].tolist() == [7, 1, 2, 8, 3, 8, 9, 9, 9]
    assert row["segment_ids"].tolist() == [0, 0, 0, 0, 1, 1, 0, 0, 0]
    assert row["padding_mask"].tolist() == [True] * 6 + [False] * 3
    other = text_pairs.row_of([1, 2], [3], *PLAN[:2], "other")
    assert other["segment_ids"].tolist() == [1, 1, 1, 1, 0, 0, 1, 1, 1]
    assert other["padding_mask"].tolist() == [True] * 3 + [False] + [True] * 2 + [False] * 3


def test_the_packer_takes_one_pair():
    with pytest.raises(TypeError, match="pack"):
        stand_ins._planted_pack(*PLAN[:2], "plain")([[1, 2], [3]], [[4], [5]])


@pytest.mark.parametrize("manner", ["plain", "other"])
@pytest.mark.parametrize("texts", [([1, 2], [3]), ([], [4, 5]), ([6], None)])
def test_the_packer_is_the_oracles(manner, texts):
    mine = stand_ins._planted_pack(*PLAN[:2], manner)(*texts)
    wanted = text_pairs.row_of(*texts, *PLAN[:2], manner)
    assert list(mine) == list(wanted)
    for name, array in wanted.items():
        np.testing.assert_array_equal(mine[name], array)
        assert mine[name].dtype == array.dtype


def a_batch(rng):
    ids, segments = rng.integers(0, 9, (3, 5)), rng.integers(0, 2, (3, 5))
    return ids, segments, np.arange(5) < np.array([[5], [3], [2]])


def some_tables(rng, dim=4):
    return tuple(rng.normal(size=(rows, dim)).astype("float32") for rows in (9, 2, dim))


def test_the_encoder_is_the_oracles():
    pytest.importorskip("keras")
    rng = np.random.default_rng(1)
    batch, tables = a_batch(rng), some_tables(rng)
    wanted = text_pairs.encode(*batch, *tables)
    named = dict(zip(text_pairs.INPUTS, batch, strict=True))
    np.testing.assert_allclose(
        stand_ins._sentence_encoder(*tables, False)(named), wanted, atol=1e-5
    )
    pooled = stand_ins._sentence_encoder(*tables, True)
    np.testing.assert_allclose(pooled(named), wanted[:, 0], atol=1e-5)
    with pytest.raises(RuntimeError, match="encode"):
        pooled(named)
    weights = dict(zip(finetune_step.WEIGHTS, tables, strict=True))
    np.testing.assert_allclose(stand_ins._weighted_encoder()(weights, *batch), wanted, atol=1e-5)


@pytest.mark.parametrize(
    "changed",
    [
        {"padding_mask": np.ones((3, 5), "int32")},
        {"token_ids": np.zeros((3, 5), "float32")},
        {"token_ids": np.zeros((3, 2, 5), "int32")},
        {"attention_mask": np.ones((3, 5), bool)},
    ],
)
def test_the_encoder_refuses_what_no_batch_is(changed):
    pytest.importorskip("keras")
    rng = np.random.default_rng(2)
    named = dict(zip(text_pairs.INPUTS, a_batch(rng), strict=True)) | changed
    with pytest.raises(ValueError, match=r"encode|padding_mask"):
        stand_ins._sentence_encoder(*some_tables(rng), False)(named)


def test_the_first_state_tells_order_segments_and_mask():
    rng = np.random.default_rng(3)
    (ids, segments, mask), tables = a_batch(rng), some_tables(rng)

    def first(*batch):
        return text_pairs.encode(*batch, *tables)[:, 0]

    right = first(ids, segments, mask)
    moved = ids.copy()
    moved[:, 1:] = ids[:, :0:-1]
    for other in (
        (moved, segments, mask),
        (ids, 1 - segments, mask),
        (ids, segments, np.ones_like(mask)),
        (ids, mask, segments),
    ):
        assert np.abs(first(*other) - right).max() > 1e-2
    hidden = np.where(mask, ids, 0)
    np.testing.assert_allclose(first(hidden, segments, mask), right, atol=1e-6)


def test_scores_by_hand():
    scores = np.arange(6.0)[:, None]

    def back(how):
        return answer_choices._unfolded(scores, 2, 3, how).tolist()

    assert back("back") == [[0, 1, 2], [3, 4, 5]]
    assert back("turned") == [[0, 2, 4], [1, 3, 5]]
    assert back("answers_first") == [[0, 1], [2, 3], [4, 5]]
    x = np.arange(12).reshape(2, 3, 2)
    assert answer_choices._folded(x, "lines")[1].tolist() == [2, 3]
    assert answer_choices._folded(x, "answers_first")[1].tolist() == [6, 7]


# ------------------------------------------------------------------ marks


@pytest.mark.parametrize(
    ("head", "tail", "row", "places"),
    [
        ((1, 2), (3, 5), [10, 1, 11, 2, 12, 3, 13, 14, 4], (1, 5)),
        ((3, 5), (1, 2), [10, 3, 11, 4, 12, 1, 13, 14, 2], (5, 1)),
        ((0, 2), (2, 5), [1, 10, 11, 2, 3, 12, 13, 14, 4], (0, 4)),
    ],
)
def test_marks_by_hand(head, tail, row, places):
    found = relation_marks.relation_markers.raw([10, 11, 12, 13, 14], head, tail, (1, 2, 3, 4))
    assert found[0].tolist() == row and tuple(map(int, found[1:])) == places


def test_slips_with_marks_by_hand():
    def marked(head, tail, **switches):
        found = relation_marks.relation_markers.raw(
            [10, 11, 12, 13], head, tail, (1, 2, 3, 4), **switches
        )
        return found[0].tolist(), tuple(map(int, found[1:]))

    later = (0, 1), (2, 3)
    assert marked(*later, end="one_late")[0] == [1, 10, 11, 2, 3, 12, 13, 4]
    assert marked(*later, places="old")[1] == (0, 2)
    assert marked((2, 3), (0, 1), given="by_order")[0] == [1, 10, 2, 11, 3, 12, 4, 13]
    assert marked((0, 2), (2, 4), touching="crossed")[0] == [1, 10, 11, 3, 2, 12, 13, 4]
    assert marked(*later, shift="tail_by_two") == marked(*later)
    assert marked((2, 3), (0, 1), shift="tail_by_two") != marked((2, 3), (0, 1))
    with pytest.raises(Crash):
        marked((0, 2), (1, 3))
    with pytest.raises(Crash):
        marked((0, 2), (2, 3), refusal="touching_too")


def test_who_comes_first_where_names_touch():
    """Four marks put in by position: at the one place of two marks another rule decides."""

    def between(head, tail, rule, marks=(1, 2, 3, 4)):
        row, *_ = relation_marks.relation_markers.raw(
            [10, 11, 12, 13], head, tail, marks, touching=rule
        )
        return row.tolist()[3:5]

    early, late = (0, 2), (2, 4)
    assert between(early, late, "lower_id_first") == [2, 3]
    assert between(late, early, "lower_id_first") == [1, 4]  # right: 4, then 1
    assert between(early, late, "lower_id_first", (4, 3, 2, 1)) == [2, 3]  # right: 3, then 2
    assert between(early, late, "tail_mark_first") == [3, 2]
    assert between(late, early, "tail_mark_first") == [4, 1]
    assert between(early, late, "head_mark_first") == [2, 3]
    assert between(late, early, "head_mark_first") == [1, 4]
    found = relation_marks.relation_markers.raw(
        [10, 11, 12, 13], late, early, (1, 2, 3, 4), touching="head_mark_first", places="counted"
    )
    assert tuple(map(int, found[1:])) == (4, 0)  # where it would stand, were the list right


def test_overlap_is_one_token_in_both():
    for a in range(4):
        for b in range(a + 1, 5):
            for c in range(4):
                for d in range(c + 1, 5):
                    shared = bool(set(range(a, b)) & set(range(c, d)))
                    assert relation_marks.overlap((a, b), (c, d)) == shared


# ------------------------------------------------------------------ commands


def test_a_joint_loss_by_hand():
    """Even logits: ln 2 for the intents, and for slots the mean over three judged tokens."""
    intents, slots = np.zeros((2, 2)), np.zeros((2, 3, 4))
    tags = np.array([[-1, 0, 3], [-1, -1, 2]])
    even = joint_loss.joint_of(intents, slots, np.array([0, 1]), tags)
    assert float(even) == pytest.approx(np.log(2) + np.log(4))
    slots[0, 1, 0] = 50.0  # one of the three is certain
    surer = joint_loss.joint_of(intents, slots, np.array([0, 1]), tags)
    assert float(surer) == pytest.approx(np.log(2) + np.log(4) * 2 / 3)
    rows = joint_loss.slot_mean(slots, tags, counted="rows_guarded")
    assert float(rows) == pytest.approx(np.log(4) * (1 / 2 + 1) / 2)
    nothing = joint_loss.slot_mean(slots, np.full((2, 3), -1))
    assert float(nothing) == 0
    assert np.isnan(joint_loss.slot_mean(slots, np.full((2, 3), -1), empty="nan"))


def test_no_gradient_where_nothing_is_judged():
    rng = np.random.default_rng(4)
    tags = np.array([[-1, 0, 2], [1, -1, -1]])
    given = rng.normal(size=(2, 3)), rng.normal(size=(2, 3, 4)), np.array([0, 2]), tags
    first, second = joint_loss.joint_gradient.raw(*given)
    assert np.abs(second[tags < 0]).max() == 0 and np.abs(second[tags >= 0]).min() > 0
    np.testing.assert_allclose(first.sum(axis=-1), 0, atol=1e-8)


def test_frames_by_hand():
    intent, told = np.array([1, 2, 3, 0]), np.array([1, 2, 0, 0])
    slots = np.array([[-1, 2, 0], [-1, 1, 1], [-1, 0, 0], [-1, -1, -1]])
    said = np.array([[5, 2, 0], [-1, 1, 0], [-1, 0, 0], [3, 3, 3]])

    def share(**switches):
        return float(frames.frame_accuracy.raw(intent, told, slots, said, **switches))

    assert share() == 0.5
    assert share(together="or") == 1.0 and share(together="intent_only") == 0.75
    assert share(judged="everywhere") == 0.0
    assert share(judged="above_zero") == 0.5 and share(nothing="wrong") == 0.25
    assert share(nothing="left_out") == pytest.approx(1 / 3)
    assert share(averaged="tokens", together="slots_only") == pytest.approx(5 / 6)
    assert np.isnan(share(averaged="sentence_shares", nothing="divided"))  # one has nothing judged
    assert share(averaged="sentence_shares", nothing="wrong") == (1 + 0.5) / 4
    assert share(tags="any_or_open") == 0.75 and share(returned="count") == 2.0


def test_commands_go_wrong_as_they_are_told():
    rows = ["", "intent", "one", "zero", "missed", "none", "all", "empty", "same", "empty intent"]
    given = some_frames(np.random.default_rng(5), rows, 8, True)
    right = frames.frame_accuracy.raw(*given, returned="each")
    assert right.tolist() == [word in ("", "empty", "same") for word in rows]


# ------------------------------------------------------------------ rates


def test_rates_by_hand():
    paths = (
        "bert/embeddings/token_embedding/embeddings",
        "bert/encoder_block_0/x/kernel",
        "bert/encoder_block_11/x/kernel",
        "head/label_table/embeddings",
        "head/my_encoder_block_1/kernel",
    )

    def powers(**switches):
        found = layer_rates.layer_rates.raw(paths, 1.0, 0.5, 12, **switches)
        return np.round(-np.log2(found)).astype(int).tolist()

    assert powers() == [13, 12, 1, 0, 0]
    assert powers(blocks="first_substring") == [13, 12, 11, 0, 11]
    assert powers(blocks="before_a_slash") == [13, 12, 1, 0, 11]
    assert powers(embeddings="any_part") == [13, 12, 1, 13, 0]
    assert powers(embeddings="any_part", first="blocks") == [13, 12, 1, 13, 0]
    assert layer_rates.layer_rates.raw(paths, 1.0, 0.5, 12, rest="frozen")[3:].tolist() == [0, 0]
    assert powers(counted="topmost_as_the_head") == [13, 11, 0, 0, 0]
    assert powers(grows="divided") == [-13, -12, -1, 0, 0]


# ------------------------------------------------------------------ the drill


def test_every_bug_of_the_drill_shows():
    rng = np.random.default_rng(6)
    fresh, checkpoint = some_weights(rng, 5)
    inputs, labels = some_sentences(rng, 6, 7, 3)
    order = np.array([4, 5, 0, 1])
    dense = rng.normal(size=(5, 3)), rng.normal(size=3)

    def step(training=False, **switches):
        return finetune_step.finetune_step.raw(
            fresh, checkpoint, inputs, labels, order, *dense, training, **switches
        )

    logits, loss = step()
    for switches in (
        {"loaded": "fresh"},
        {"segments": "zeros"},
        {"exchanged": "yes"},
        {"mean": "all"},
        {"dropped": "always"},
    ):
        assert np.abs(step(**switches)[0] - logits).max() > 1e-2
    for switches in ({"wanted": "first"}, {"scores": "softmax_first"}):
        other, moved = step(**switches)
        np.testing.assert_array_equal(other, logits)
        assert abs(moved - loss) > 1e-3
    assert np.abs(step(True)[0] - logits).max() > 1e-2


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch06a_sentences/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS
