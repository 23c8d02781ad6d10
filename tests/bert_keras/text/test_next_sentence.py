import numpy as np
import pytest

from bert_keras.text.next_sentence import (
    IS_NEXT,
    NOT_NEXT,
    PairingError,
    adjacent_pairs,
    draw_pairs,
    wordings,
)


def text(paragraphs):
    sentences, positions = [], []
    for position, rows in paragraphs:
        sentences += rows
        positions += [position] * len(rows)
    return sentences, positions


def test_neighbours_stay_in_their_paragraph_and_are_distinct():
    sentences, positions = text([(3, ["a", "b", "c"]), (4, ["d"]), (9, ["a", "b"]), (9, [])])
    pairs = adjacent_pairs(sentences, positions)
    found = [(sentences[i], sentences[j]) for i, j in zip(pairs.first, pairs.second, strict=True)]
    assert found == [("a", "b"), ("b", "c")]  # the second a-b is a repetition
    assert pairs.paragraph.tolist() == [3, 3]


def test_negatives_are_far_away_and_uniform():
    paragraphs = [(2 * n, [f"{n}a", f"{n}b", f"{n}c"]) for n in range(30)]
    sentences, positions = text(paragraphs)
    pairs = adjacent_pairs(sentences, positions)
    positions = np.array(positions)
    drawn, negatives, hits = 400, 0, np.zeros(len(sentences), int)
    rng = np.random.default_rng(4)
    for _ in range(drawn):
        first, second, label = draw_pairs(pairs, rng, distance=11)
        apart = abs(positions[first] - positions[second])
        assert (apart[label == NOT_NEXT] >= 11).all()
        assert (second[label == IS_NEXT] == first[label == IS_NEXT] + 1).all()
        negatives += (label == NOT_NEXT).sum()
        hits += np.bincount(second[(label == NOT_NEXT) & (first == 0)], minlength=len(sentences))
    total = drawn * len(pairs.first)
    assert abs(negatives / total - 0.5) < 6 * np.sqrt(0.25 / total)
    # From the first paragraph, exactly the second sentences of far pairs can be drawn.
    allowed = [n for n in range(len(sentences)) if n % 3 and positions[n] >= 11]
    assert set(np.flatnonzero(hits)) <= set(allowed)
    assert len(set(np.flatnonzero(hits))) > len(allowed) * 0.9


def test_both_ends_of_the_text_have_partners():
    sentences, positions = text([(0, ["a", "b"]), (5, ["c", "d"])])
    pairs = adjacent_pairs(sentences, positions)
    for seed in range(20):
        first, second, label = draw_pairs(
            pairs, np.random.default_rng(seed), distance=5, negative_rate=1.0
        )
        assert first.tolist() == [0, 2] and second.tolist() == [3, 1] and label.tolist() == [1, 1]


def test_a_wrong_sentence_that_reads_like_the_right_one_counts_as_right():
    sentences, positions = text([(0, ["a", "same"]), (300, ["b", "same"])])
    pairs = adjacent_pairs(sentences, positions)
    _, _, label = draw_pairs(pairs, np.random.default_rng(0), negative_rate=1.0)
    assert label.tolist() == [IS_NEXT, IS_NEXT]


def test_too_short_a_text_is_refused():
    sentences, positions = text([(0, ["a", "b"]), (5, ["c", "d"])])
    pairs = adjacent_pairs(sentences, positions)
    with pytest.raises(ValueError, match="200 paragraphs"):
        draw_pairs(pairs, np.random.default_rng(0), negative_rate=1.0)


def test_negatives_come_from_another_document_where_documents_are_marked():
    paragraphs = [(n, [f"{n}a", f"{n}b", f"{n}c"]) for n in range(30)]
    sentences, positions = text(paragraphs)
    document = np.array(positions) // 7 * 10  # neighbouring documents, numbers with gaps
    pairs = adjacent_pairs(sentences, positions, document)
    rng, partners = np.random.default_rng(1), set()
    for _ in range(300):
        first, second, label = draw_pairs(pairs, rng, distance=1000)
        assert (document[first] != document[second])[label == NOT_NEXT].all()
        assert (second == first + 1)[label == IS_NEXT].all()
        partners |= set(second[(first == 0) & (label == NOT_NEXT)].tolist())
    # All second sentences of other documents turn up, and those of the next paragraph among them:
    # 23 · 2 candidates in about 150 draws, missing more than 10 has probability below 1e-5.
    allowed = {n for n in range(len(sentences)) if n % 3 and document[n] != document[0]}
    assert partners <= allowed and len(partners) > len(allowed) - 11
    assert 22 in partners or 23 in partners or len(partners) > 30


def test_numbers_that_make_no_sense_are_refused():
    with pytest.raises(PairingError, match="paragraph numbers must never decrease"):
        adjacent_pairs(["a", "b"], [1, 0])
    with pytest.raises(PairingError, match="document must be 2 whole numbers"):
        adjacent_pairs(["a", "b"], [0, 0], [0])
    with pytest.raises(PairingError, match="document must be 2 whole numbers"):
        adjacent_pairs(["a", "b"], [0, 0], [0.0, 1.0])
    one = adjacent_pairs(["a", "b", "c"], [0, 0, 0], [4, 4, 4])
    with pytest.raises(PairingError, match="single document"):
        draw_pairs(one, np.random.default_rng(0), negative_rate=1.0)


def test_no_sentences_no_pairs():
    pairs = adjacent_pairs([], [], [])
    assert [len(a) for a in draw_pairs(pairs, np.random.default_rng(0))] == [0, 0, 0]


def test_wordings():
    assert wordings(["a", "b", "a"]).tolist() == [0, 1, 0]
    ids = [np.array([1, 2]), [1, 2], np.array([1])]
    assert wordings(ids).tolist() == [0, 0, 1]
