"""Stand-ins of notebook ch05a: sizes of a BERT, lent lists, and pieces of the text's way in."""

from dataclasses import dataclass

from autograder.oracles import packing, wordpieces
from autograder.stand_ins.ch01b_words_and_windows import Lent


@dataclass(frozen=True)
class Sizes:
    """The sizes of one BERT encoder, under the names of the library's own."""

    vocabulary_size: int
    num_layers: int
    num_heads: int
    hidden_dim: int
    intermediate_dim: int
    max_sequence_length: int
    num_segments: int
    dropout: float = 0.1


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
    "set_of_pieces": set,
    "bert_sizes": Sizes,
    "lent_row": _lent_row,
    "lent_array": _lent_array,
    "array_afterwards": _array_afterwards,
}
