import numpy as np

from bert_keras.text.batching import decode_batch, encode_batch

VOCABULARY = {"b": 0, "[EOS]": 1, "[PAD]": 2, "a": 3, "[UNK]": 4, "[BOS]": 5}


def test_a_batch_by_hand():
    token_ids, padding_mask = encode_batch([["a", "b", "x"], [], ["b"]], VOCABULARY)
    assert token_ids.dtype == "int32" and padding_mask.dtype == "bool"
    assert token_ids.tolist() == [[5, 3, 0, 4, 1], [5, 1, 2, 2, 2], [5, 0, 1, 2, 2]]
    assert padding_mask.sum(axis=1).tolist() == [5, 2, 3]
    assert (padding_mask == (token_ids != 2)).all()


def test_there_and_back():
    rng = np.random.default_rng(0)
    rows = [[str(token) for token in rng.choice(["a", "b"], size)] for size in (4, 0, 7, 1)]
    token_ids, _ = encode_batch(rows, VOCABULARY)
    assert decode_batch(token_ids, VOCABULARY) == rows


def test_decoding_stops_at_the_first_end_and_keeps_unknown_tokens():
    ids = np.array([[5, 3, 4, 1, 0, 1], [0, 0, 0, 0, 0, 0]])
    assert decode_batch(ids, VOCABULARY) == [["a", "[UNK]"], ["b"] * 6]
