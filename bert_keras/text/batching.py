"""From lists of tokens to one rectangular batch of numbers, and back."""

import numpy as np


def encode_batch(sequences, vocabulary):
    """Number the tokens of several sequences and pad them to one length.

    Args:
        sequences: list of B lists of str, of any lengths.
        vocabulary: dict of str to int; beside the tokens it holds "[PAD]", "[UNK]", "[BOS]" and
            "[EOS]".

    Returns:
        The pair (token_ids, padding_mask) of NumPy arrays of shape (B, T), int32 and bool, where T
        is the length of the longest sequence plus two. The mask is True at all but [PAD].

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014), section 2, for
        the token that ends a sequence.
    """
    length = max(len(sequence) for sequence in sequences) + 2
    token_ids = np.full((len(sequences), length), vocabulary["[PAD]"], dtype="int32")  # (B, T)
    padding_mask = np.zeros((len(sequences), length), dtype="bool")  # (B, T)
    for row, sequence in enumerate(sequences):
        tokens = ["[BOS]", *sequence, "[EOS]"]
        ids = [vocabulary.get(token, vocabulary["[UNK]"]) for token in tokens]
        token_ids[row, : len(ids)] = ids
        padding_mask[row, : len(ids)] = True
    return token_ids, padding_mask


def decode_batch(token_ids, vocabulary):
    """Turn numbers back into tokens: each row up to its first [EOS], special tokens left out.

    Args:
        token_ids: int array of shape (B, T).
        vocabulary: dict of str to int, as for `encode_batch`.

    Returns:
        List of B lists of str; a token that was not in the vocabulary comes back as "[UNK]".
    """
    token_of = {number: token for token, number in vocabulary.items()}
    sequences = []
    for row in np.asarray(token_ids):
        tokens = [token_of[int(number)] for number in row]
        if "[EOS]" in tokens:
            tokens = tokens[: tokens.index("[EOS]")]
        sequences.append([token for token in tokens if token not in ("[PAD]", "[BOS]")])
    return sequences
