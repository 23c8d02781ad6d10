"""Stand-ins of notebook ch05a: sizes of a BERT, lent lists, and pieces of the text's way in."""

from dataclasses import dataclass

from autograder.messages import for_reader
from autograder.oracles import packing, wordpieces
from autograder.stand_ins.ch01b_words_and_windows import Lent

MOST_QUESTIONS = 100_000


@dataclass(frozen=True)
class BertConfig:
    """The sizes of one BERT encoder; called as the library's own is, for errors name it."""

    vocabulary_size: int
    num_layers: int
    num_heads: int
    hidden_dim: int
    intermediate_dim: int
    max_sequence_length: int
    num_segments: int
    dropout: float = 0.1


class NeverEnds(RuntimeError):
    """A vocabulary was asked so often for one word that there must be a loop without end."""


class _Asked:
    """A vocabulary that can be looked up, but not for ever.

    The longest word of a check takes some five thousand questions; a loop that never moves on is
    stopped here within a second rather than by the clock.
    """

    asked = 0

    def __contains__(self, piece):
        self.asked += 1
        if self.asked > MOST_QUESTIONS:
            raise NeverEnds(
                for_reader(
                    f"切一个词，词表查了 {MOST_QUESTIONS} 次还没有完：循环停得下来吗？",
                    f"for one word the vocabulary was asked {MOST_QUESTIONS} times: does the "
                    "loop ever end?",
                )
            )
        return super().__contains__(piece)


class PieceSet(_Asked, set):
    """Pieces in a set."""


class PieceNumbers(_Asked, dict):
    """Pieces and their numbers in a dict."""


def _numbered(pieces):
    return PieceNumbers((piece, number) for number, piece in enumerate(pieces))


def _lent_row(ids):
    """One text as a list of ints that can't be changed."""
    return Lent(int(token) for token in ids)


def _lent_array(x, *rest):
    """The arguments of one call."""
    return [x.copy(), *rest]


def _array_afterwards():
    """A function of the same arguments that says what has become of the first."""
    return lambda x, *rest, **named: x


def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100):
    """As the notebook's: pieces and their offsets."""
    return wordpieces.pieces_of(word, vocabulary, unknown, max_word_length)


def pack_pair(first, second, max_sequence_length, cls_id, sep_id, pad_id=0):
    """As the notebook's: a dict of arrays."""
    row = packing.packed(first, second, max_sequence_length, cls_id, sep_id, pad_id)
    return dict(zip(("token_ids", "segment_ids", "padding_mask"), row, strict=True))


BUILDERS = {
    "set_of_pieces": PieceSet,
    "numbered_pieces": _numbered,
    "bert_sizes": BertConfig,
    "lent_row": _lent_row,
    "lent_array": _lent_array,
    "array_afterwards": _array_afterwards,
}
