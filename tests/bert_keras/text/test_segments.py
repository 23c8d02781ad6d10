import numpy as np
import pytest

from bert_keras.text.next_sentence import IS_NEXT, NOT_NEXT, PairingError
from bert_keras.text.packing import truncate_pair
from bert_keras.text.segments import draw_segments, segment_rows


def a_text(documents, seed=0, longest=30):
    """Lengths of sentences, their paragraphs and documents; documents of very different sizes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 25, documents)
    lengths = rng.integers(1, longest, sizes.sum())
    document = np.repeat(np.arange(documents), sizes)
    paragraph = np.arange(len(lengths)) // 3 + document * 5  # new paragraphs at new documents
    return lengths, np.sort(paragraph), document


def document_of(tokens, lengths, document):
    """Document of each place in the stream of all tokens."""
    return np.repeat(document, lengths)[tokens]


def test_runs_fill_their_target_and_stay_in_their_document():
    lengths, paragraph, document = a_text(200)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=61, document=document)
    assert (rows.stop - rows.start >= 2).all()
    assert (document[rows.start] == document[rows.stop - 1]).all() and rows.marked
    tokens = rows.offsets[rows.stop] - rows.offsets[rows.start]
    ends = np.append(document[1:] != document[:-1], True)[rows.stop - 1]
    assert (ends | (tokens >= rows.target)).all()
    # Without its last sentence a run has not reached its target, or would be a single sentence.
    shorter = tokens - lengths[rows.stop - 1]
    assert ((shorter < rows.target) | (rows.stop - rows.start == 2)).all()
    # No sentence twice, and the ones left out are single ones at the end of a document.
    covered = np.zeros(len(lengths), int)
    for start, stop in zip(rows.start, rows.stop, strict=True):
        covered[start:stop] += 1
    assert covered.max() == 1
    last = np.append(document[1:] != document[:-1], True)
    assert last[covered == 0].all()


def test_without_documents_runs_stay_in_their_paragraph():
    lengths, paragraph, _ = a_text(50)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=61)
    assert (paragraph[rows.start] == paragraph[rows.stop - 1]).all()
    pairs = draw_segments(rows, np.random.default_rng(0), distance=20)
    a, b = (np.repeat(paragraph, lengths)[places[:, 0]] for places in pairs[:2])
    wrong = pairs.next_sentence_label == NOT_NEXT
    assert wrong.any() and (abs(a - b)[wrong] >= 20).all() and (a == b)[~wrong].all()


def test_a_tenth_of_the_targets_is_drawn_evenly():
    lengths = np.ones(80_000, int)
    rows = segment_rows(lengths, np.zeros(80_000, int), np.random.default_rng(2), budget=9)
    counts = np.bincount(rows.target, minlength=10)
    total = counts.sum()
    assert counts[:2].sum() == 0
    for target in range(2, 10):
        share = 0.1 / 8 + 0.9 * (target == 9)
        sigma = np.sqrt(total * share * (1 - share))
        assert abs(counts[target] - total * share) < 6 * sigma
    never = segment_rows(
        lengths[:99], np.zeros(99, int), np.random.default_rng(2), budget=9, short_rate=0
    )
    assert (never.target == 9).all() and len(never.start) == 11


def test_segments_meet_at_a_sentence_boundary_and_are_cut_like_any_pair():
    lengths, paragraph, document = a_text(2000, seed=3)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=40, document=document)
    pairs = draw_segments(rows, np.random.default_rng(2), negative_rate=0)
    assert (pairs.next_sentence_label == IS_NEXT).all()
    assert (pairs.first[:, 1] == pairs.second[:, 0]).all()
    boundaries = np.cumsum(lengths)
    assert np.isin(pairs.first[:, 1], boundaries).all()
    lost = 0
    for row in range(len(rows.start)):
        middle, start, stop = pairs.first[row, 1], *rows.offsets[[rows.start[row], rows.stop[row]]]
        a, b = truncate_pair(range(middle - start), range(stop - middle), int(rows.target[row]))
        assert middle - pairs.first[row, 0] == len(a)
        lost += len(b) - (pairs.second[row, 1] - middle)
        assert 0 < pairs.second[row, 1] - middle <= len(b)
    # What second segments lose to be equally long in a group is next to nothing.
    assert lost < 0.01 * (pairs.second[:, 1] - pairs.second[:, 0]).sum()


def test_wrong_segments_are_of_another_document_and_begin_with_a_sentence():
    lengths, paragraph, document = a_text(300, seed=4)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=40, document=document)
    pairs = draw_segments(rows, np.random.default_rng(2))
    wrong = pairs.next_sentence_label == NOT_NEXT
    a = document_of(pairs.first[:, 0], lengths, document)
    b = document_of(pairs.second[:, 0], lengths, document)
    assert (a != b)[wrong].all() and (a == b)[~wrong].all()
    assert (document_of(pairs.second[:, 1] - 1, lengths, document) == b).all()
    assert np.isin(pairs.second[:, 0], np.cumsum(lengths)).all()
    total = len(wrong)
    assert abs(wrong.sum() - total / 2) < 6 * np.sqrt(total / 4)
    assert (np.diff(pairs.first) > 0).all() and (np.diff(pairs.second) > 0).all()


def test_lengths_say_nothing_about_the_label():
    """A classifier that knows the label of every pair of lengths stays at chance on new draws."""
    lengths, paragraph, document = a_text(3000, seed=5, longest=12)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=29, document=document)
    votes = np.zeros((30, 30))
    seen = np.zeros((30, 30), int)

    def draw(seed):
        pairs = draw_segments(rows, np.random.default_rng(seed))
        a, b = np.diff(pairs.first)[:, 0], np.diff(pairs.second)[:, 0]
        return a, b, pairs.next_sentence_label

    for seed in range(8):
        a, b, label = draw(seed)
        np.add.at(votes, (a, b), label - 0.5)
        np.add.at(seen, (a, b), 1)
    right = total = 0
    for seed in range(100, 108):
        a, b, label = draw(seed)
        right += ((votes[a, b] > 0) == label).sum()
        total += len(label)
    # At most 6 sigma from one half: a right implementation fails with probability below 2e-9.
    assert abs(right / total - 0.5) < 6 * np.sqrt(0.25 / total), right / total
    assert (seen > 20).sum() > 100


def test_neither_segment_alone_says_anything():
    """A second segment stands in its own row as often as, exchanged, in another."""
    lengths, paragraph, document = a_text(150, seed=6)
    rows = segment_rows(lengths, paragraph, np.random.default_rng(1), budget=40, document=document)
    draws = 400
    counts = np.zeros((2, len(lengths) + 1))
    offsets = rows.offsets
    for seed in range(draws):
        pairs = draw_segments(rows, np.random.default_rng(seed))
        begin = np.searchsorted(
            offsets, pairs.second[:, 0]
        )  # sentence that segment two begins with
        np.add.at(counts, (pairs.next_sentence_label, begin), 1)
    often = counts.sum(axis=0) > 100
    share = counts[1, often] / counts.sum(axis=0)[often]
    sigma = np.sqrt(0.25 / counts.sum(axis=0)[often])
    # A sentence of a large document has fewer partners in its group; that moves its share by a
    # few percent and no further.
    assert often.sum() > 200
    assert (abs(share - 0.5) < 6 * sigma + 0.05).all()
    assert abs(share.mean() - 0.5) < 0.01


def test_a_wrong_segment_that_begins_like_the_true_one_is_not_taken():
    lengths, paragraph, document = a_text(40)
    rows = segment_rows(
        lengths,
        paragraph,
        np.random.default_rng(0),
        budget=20,
        document=document,
        wording=np.zeros(len(lengths), np.int32),
    )
    pairs = draw_segments(rows, np.random.default_rng(0), negative_rate=1.0)
    assert (pairs.next_sentence_label == IS_NEXT).all()
    assert (pairs.first[:, 1] == pairs.second[:, 0]).all()


def test_same_seed_same_segments():
    lengths, paragraph, document = a_text(40)
    made = [
        draw_segments(
            segment_rows(
                lengths, paragraph, np.random.default_rng(1), budget=20, document=document
            ),
            np.random.default_rng(seed),
        )
        for seed in (3, 3, 4)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(made[0], made[1], strict=True))
    assert not np.array_equal(made[0].second, made[2].second)
    assert made[0].next_sentence_label.dtype == np.int32


def test_what_cannot_be_paired_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(PairingError, match="budget of 2"):
        segment_rows([3, 3], [0, 0], rng, budget=1)
    with pytest.raises(PairingError, match="sentence 1 has no tokens"):
        segment_rows([3, 0], [0, 0], rng, budget=9)
    rows = segment_rows([3, 3, 3, 3], [0, 0, 1, 1], rng, budget=9)
    with pytest.raises(PairingError, match="200 paragraphs apart"):
        draw_segments(rows, rng, negative_rate=1.0)
    rows = segment_rows([3, 3, 3, 3], [0, 0, 1, 1], rng, budget=9, document=[0, 0, 0, 0])
    with pytest.raises(PairingError, match="single document"):
        draw_segments(rows, rng, negative_rate=1.0)
    empty = segment_rows([5], [0], rng, budget=9)
    assert draw_segments(empty, rng).first.shape == (0, 2)
