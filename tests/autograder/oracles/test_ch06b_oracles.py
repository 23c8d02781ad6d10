"""The oracles of chapter 6b against arithmetic by hand, and against their stand-ins."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch06b_4_viterbi import some_scores, with_laws
from autograder.exercises.ch06b_8_drill import DRILL_BUGS, some_question
from autograder.exercises.ch06b_drill_mistakes import ILLS
from autograder.oracles import (
    Crash,
    answer_spans,
    label_rows,
    long_answers,
    mention_pairs,
    span_scores,
    tag_paths,
    tag_spans,
    text_windows,
)
from autograder.stand_ins import ch06b_spans as stand_ins

ROOT = Path(__file__).parents[3]


# ------------------------------------------------------------------ labels


@pytest.mark.parametrize("text", ["abcdefg", "ab", "", "\u200b", "a\x00b", "abc de", "人"])
def test_the_tokenizer_is_the_oracles(text):
    assert stand_ins._piece_cutter(3)(text) == label_rows.pieces_of(text, 3)


def aligned(words, labels, length, **switches):
    found = label_rows.align_labels.raw(words, labels, 3, length, **switches)
    return json.loads(str(found[0])), found[1].tolist()


def test_labels_by_hand():
    words, labels = ["abcd", "\x00", "ef"], [5, 0, 7]
    assert aligned(words, labels, 8) == (
        ["[CLS]", "abc", "##d", "[UNK]", "ef", "[SEP]"],
        [-1, 5, -1, 0, 7, -1, -1, -1],
    )
    assert aligned(words, labels, 4) == (["[CLS]", "abc", "##d", "[SEP]"], [-1, 5, -1, -1])
    assert aligned(words, labels, 3) == (["[CLS]", "abc", "[SEP]"], [-1, 5, -1])
    assert aligned(words, labels, 2) == (["[CLS]", "[SEP]"], [-1, -1])


def test_slips_with_labels_by_hand():
    words, labels = ["abcd", "\x00", "ef"], [5, 0, 7]

    def row(**switches):
        return aligned(words, labels, 8, **switches)[1]

    assert row(label_on="all") == [-1, 5, 5, 0, 7, -1, -1, -1]
    assert row(empty="label_alone") == row()  # one label too many, and one piece too few
    assert row(empty="skipped") == [-1, 5, -1, 7, -1, -1, -1, -1]
    assert row(zero="missing") == [-1, 5, -1, -1, 7, -1, -1, -1]
    assert row(ignored_at="marks_and_pads") == [0, 5, -1, 0, 7, 0, 0, 0]
    assert aligned(words, labels, 4, cut="label_of_the_end")[1] == [-1, 5, -1, 0]
    assert aligned(words, labels, 3, whole="words") == (["[CLS]", "[SEP]"], [-1, -1, -1])


# ------------------------------------------------------------------ spans


def spans(tags, **switches):
    return [tuple(span) for span in json.loads(str(tag_spans.bio_spans.raw(tags, **switches)))]


def test_spans_by_hand():
    tags = ["B-x", "I-x", "I-y", "O", "I-x", "B-x", "B-x"]
    assert spans(tags) == [("x", 0, 2), ("y", 2, 3), ("x", 4, 5), ("x", 5, 6), ("x", 6, 7)]
    assert spans(tags, others="go_on")[0] == ("x", 0, 3)
    assert spans(tags, others="rename")[0] == ("y", 0, 3)
    assert spans(tags, others="drop", orphans="dropped") == [
        ("x", 0, 2), ("x", 5, 6), ("x", 6, 7),
    ]  # fmt: skip
    assert spans(tags, again="merged")[-1] == ("x", 4, 7)
    assert spans(tags, last="lost")[-1] == ("x", 5, 6)
    assert spans(["B-x", "O", "I-x", "O"], outside="open") == [("x", 0, 3)]
    assert spans(["B-a-b", "I-a-c"]) == [("a-b", 0, 1), ("a-c", 1, 2)]
    assert spans(["B-a-b", "I-a-c"], naming="between_dashes") == [("a", 0, 2)]


def scores(gold, said, **switches):
    return [float(x) for x in span_scores.span_f1.raw(gold, said, **switches)]


def test_scores_by_hand():
    """Four should be there, two are said, one is right."""
    gold = [[("x", 0, 2), ("y", 3, 4)], [("x", 0, 1), ("y", 5, 6)]]
    said = [[("x", 0, 2)], [("y", 0, 1)]]
    assert scores(gold, said) == pytest.approx([0.5, 0.25, 1 / 3])
    assert scores(gold, said, matched="ends") == pytest.approx([1.0, 0.5, 2 / 3])
    assert scores(gold, said, averaged="sentences") == pytest.approx([0.5, 0.25, 1 / 3])
    assert scores(gold, said, mean="arithmetic")[2] == pytest.approx(0.375)
    assert scores([[], []], [[], []]) == [0, 0, 0]
    assert scores([[("x", 0, 1)]], [[("x", 0, 1)] * 2]) == [1, 1, 1]
    assert scores([[("x", 0, 1)]], [[("x", 0, 1)] * 2], twice="spent")[0] == 0.5
    with pytest.raises(Crash):
        scores([[]], [[]], zero="crash")


# ------------------------------------------------------------------ paths


@pytest.mark.parametrize("make", [lambda rng: some_scores(rng, 5, 3), lambda r: with_laws(r, 4, 1)])
def test_the_best_path_is_the_best_of_all(make):
    for seed in range(8):
        given = make(np.random.default_rng(seed))
        length, tags = given[0].shape
        sums = {
            path: tag_paths._sum_of(path, *given)
            for path in itertools.product(range(tags), repeat=length)
        }
        first, second = sorted(sums.values())[::-1][:2]
        found = tag_paths.viterbi_decode.raw(*given)
        assert sums[tuple(found.tolist())] == pytest.approx(first)
        assert tag_paths.lead(*given) == pytest.approx(first - second, abs=1e-4)


def test_slips_with_paths_by_hand():
    """Tag 0 is better by itself and leads nowhere."""
    row, moves = np.array([[3.0, 2.0], [1.0, 1.0]]), np.array([[-5.0, -5.0], [-1.0, 0.0]])
    given = row, moves, np.zeros(2)

    def path(**switches):
        return tag_paths.viterbi_decode.raw(*given, **switches).tolist()

    assert path() == [1, 1]
    assert path(search="each_alone") == [0, 0] == path(moves="missing")
    assert path(search="step_by_step") == [0, 0]
    assert path(returned="without_the_first") == [1]


def test_slips_of_the_search_by_hand():
    def path(scores, moves=((0, 0), (0, 0)), **switches):
        given = np.array(scores, float), np.array(moves, float), np.zeros(2)
        return tag_paths.viterbi_decode.raw(*given, **switches).tolist()

    # Tag 1 reads the 10 that tag 0 has just got at this place.
    late = [[0, 0], [10, 0]], [[0, 1], [0, 0]]
    assert path(*late) == [0, 0] and path(*late, kept="in_place") == [0, 1]
    # No sum is above the 0 that the search begins with.
    assert path([[-3, -1], [-1, -1]]) == [1, 0]
    assert path([[-3, -1], [-1, -1]], best="at_least_zero") == [0, 0]
    # Both tags of place 1 come from tag 0, both of place 2 from tag 1.
    there = [[1, 0], [0, 5], [3, 0]]
    assert path(there) == [0, 1, 0] and path(there, traced="in_order") == [1, 0, 0]
    assert path(there, traced="origins_of_the_best") == [0, 0, 1]


# ------------------------------------------------------------------ windows and answers


def windows(*sizes, **switches):
    return text_windows.windows_of(*sizes, **switches)


def test_windows_by_hand():
    """A room of 10 - 3 - 3 = 4."""
    assert windows(10, 3, 10, 3) == [(0, 4), (3, 7), (6, 10)]
    assert windows(11, 3, 10, 3) == [(0, 4), (3, 7), (6, 10), (9, 11)]
    assert windows(9, 3, 10, 7) == [(0, 4), (4, 8), (8, 9)] == windows(9, 3, 10, 4)
    assert windows(0, 3, 10, 3) == [(0, 0)] and windows(4, 3, 10, 1) == [(0, 4)]
    assert windows(10, 3, 10, 3, step="overlap")[:3] == [(0, 4), (1, 5), (2, 6)]
    assert windows(10, 3, 10, 3, until="starts")[-1] == (9, 10)
    assert windows(11, 3, 10, 3, until="full_only")[-1] == (6, 10)
    assert windows(11, 3, 10, 3, tail="moved_back")[-1] == (7, 11)
    assert windows(9, 3, 10, 7, too_large="not_looked_at") == [(0, 4), (7, 9)]
    for sizes in ((5, 3, 6, 2), (5, 3, 10, 0)):
        with pytest.raises(Crash):
            windows(*sizes)
    with pytest.raises(text_windows.Endless):
        windows(10, 3, 10, 4, step="overlap", too_large="not_looked_at")


def test_answers_by_hand():
    """The best start is behind the best end."""
    starts, ends = np.array([9.0, 0, 8, 0, 1, 5, 0]), np.array([9.0, 0, 8, 4, 1, 0, 9])

    def found(most=3, **switches):
        given = starts, ends, 3, 10, 3, most
        return [x.item() for x in answer_spans.best_span.raw(*given, **switches)]

    assert found() == [5, 12, 12, 18]
    assert found(search="each_alone") == [9, 12, 10, 18]
    assert found(area="row")[0] == 18 and found(area="one_more")[:3] == [14, 12, 13]
    assert found(most=1, limit="one_more") == [5, 12, 12, 18]
    assert found(places="in_the_row")[1:3] == [5, 5]
    assert found(null="first_of_the_window")[3] == 4


def test_answers_of_a_search_from_zero_by_hand():
    """A search from 0 on that never finds anything has begun at place 0 of the row or the text."""
    low = np.full(7, -2.0)

    def found(least):
        return [x.item() for x in answer_spans.best_span.raw(low, low, 3, 10, 3, 2, least=least)]

    assert found("nothing") == [-4, 10, 10, -4]
    assert found("zeros") == [0, 0, 0, -4] and found("row") == [0, 7, 7, -4]
    assert answer_spans.with_a_float((0, 7, 7, -4.0)) == (0.0, 7, 7, -4.0)
    assert type(answer_spans.with_a_float((0, 7, 7, -4.0))[0]) is float
    assert answer_spans.with_a_float(None) is None


def test_the_reader_is_the_oracles():
    rng = np.random.default_rng(0)
    tables = rng.normal(size=(2, 2, 22))
    row = [3, 5, 4, 7, 8, 4], [0, 0, 0, 1, 1, 1]
    for mine, wanted in zip(
        stand_ins._row_reader(tables)(*row), long_answers.read(tables, *row), strict=True
    ):
        np.testing.assert_allclose(mine, wanted, atol=1e-9)
    with pytest.raises(ValueError, match="score"):
        stand_ins._row_reader(tables)(row[0], row[1][:-1])


def test_every_bug_of_the_drill_shows():
    rng = np.random.default_rng(1)
    plans = [(int(rng.integers(20, 32)), 3, 9, 4, 4) for _ in range(20)]
    asked = [some_question(rng, *plan, ("last", None)[n % 2]) for n, plan in enumerate(plans)]
    right = long_answers.long_answers.raw(asked)
    for name, forms in ILLS.items():
        for switch in (forms,) if isinstance(forms, dict) else forms:
            assert not np.array_equal(long_answers.long_answers.raw(asked, **switch), right), name


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch06b_spans/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS


# ------------------------------------------------------------------ mentions


def test_pairs_by_hand():
    """A pronoun of 2, a candidate of (4 + 6) / 2, and a token of 9 that is in neither."""
    x = np.array([[[2.0], [4.0], [9.0], [6.0]]])
    mask = np.array([[[True, False, False, False], [False, True, False, True]]])

    def features(**switches):
        return mention_pairs.coreference_pair_features.raw(x, mask, **switches).tolist()

    assert features() == [[[2, 5, 10]]]
    assert features(mean="sum") == [[[2, 10, 20]]]
    assert features(mean="first_token") == [[[2, 4, 8]]]
    assert features(mean="mean_over_mentions") == [[[1, 2, 2], [1, 0, 0], [1, 3, 3]]]
    with pytest.raises(Crash):
        features(mean="over_mentions")
    assert features(others="all") == [[[2, 2, 4], [2, 5, 10]]]
    assert features(order="candidate_first") == [[[5, 2, 10]]]
    assert features(third="distance") == [[[2, 5, 3]]]
