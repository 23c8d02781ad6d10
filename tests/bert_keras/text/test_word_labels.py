import itertools

import numpy as np
import pytest

from bert_keras.text import word_labels
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer

TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


@pytest.fixture
def tokenizer():
    return WordPieceTokenizer(Vocabulary([*SPECIAL_TOKENS, "an", "##na", "in", "oslo", "!"]))


def test_every_word_has_a_first_piece(tokenizer):
    ids, firsts = word_labels.encode_words(["Anna", "in", "\x00", "Oslo!"], tokenizer)
    assert tokenizer.vocabulary.words(ids) == ["an", "##na", "in", "[UNK]", "oslo", "!"]
    assert firsts == [0, 2, 3, 4]


def test_labels_stand_at_first_pieces_and_nowhere_else():
    row = word_labels.label_row([1, 0, 3], [0, 2, 3], 7)
    assert row.tolist() == [-1, 1, -1, 0, 3, -1, -1] and row.dtype == np.int32
    cut = word_labels.label_row([1, 0, 3], [0, 2, 3], 5)  # [CLS] x x x [SEP]
    assert cut.tolist() == [-1, 1, -1, 0, -1]


def test_a_name_goes_on_only_where_it_began():
    starts, follows = word_labels.legal_transitions(TAGS)
    assert starts.tolist() == [True, True, False, True, False]
    for before, after in itertools.product(TAGS, TAGS):
        legal = after[0] != "I" or before[2:] == after[2:]
        assert follows[TAGS.index(before), TAGS.index(after)] == legal


def test_viterbi_finds_the_best_of_all_sequences():
    rng = np.random.default_rng(4)
    for length in (1, 2, 4):
        scores = rng.normal(size=(length, 3))
        transitions, starts = rng.normal(size=(3, 3)), rng.normal(size=3)
        transitions[1, 2] = -np.inf

        def total(path, scores=scores, transitions=transitions, starts=starts):
            steps = sum(transitions[pair] for pair in itertools.pairwise(path))
            return starts[path[0]] + steps + sum(scores[n, tag] for n, tag in enumerate(path))

        best = max(itertools.product(range(3), repeat=len(scores)), key=total)
        assert word_labels.viterbi(scores, transitions, starts) == list(best)
