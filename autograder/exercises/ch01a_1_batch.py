"""Notebook ch01a, exercise 1: from lists of tokens to a batch of ids and its padding mask."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_batch_mistakes import BATCH
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import sequences

NOTEBOOK = "ch01a_seq2seq"
SPECIALS = ("[PAD]", "[UNK]", "[BOS]", "[EOS]")
WORDS = ("ka", "lo", "mi", "nu", "pe", "ra", "si", "tu", "vo", "xa", "yo", "ze")

encode_batch = Exercise(
    "encode_batch",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.text.batching:encode_batch",
    tensors=False,
)


def a_vocabulary(rng, zero, words=WORDS):
    """Tokens in an order of the seed's; ``zero`` has the number that others expect of [PAD]."""
    tokens = [token for token in (*SPECIALS, *words) if token != zero]
    numbers = rng.permutation(len(tokens)) + 1
    found = {token: int(number) for token, number in zip(tokens, numbers, strict=True)}
    return {**found, zero: 0}


def some_sequences(rng, lengths, words=WORDS):
    """Lists of tokens of these lengths."""
    return [[str(word) for word in rng.choice(words, size)] for size in lengths]


@encode_batch.case(
    points=1, zh="几句长短不一：编号、填充和掩码", en="several lengths: ids, padding and mask"
)
def several_lengths(student, rng):
    """The longest comes neither first nor last, and one sequence has no token at all."""
    vocabulary = a_vocabulary(rng, "[EOS]")
    rows = some_sequences(rng, (2, 5, 3, 0))
    expect(student(rows, vocabulary)).equals(sequences.encode_batch(rows, vocabulary))


@encode_batch.case(points=1, zh="词表里没有的词元", en="tokens that the vocabulary lacks")
def unknown_tokens(student, rng):
    """One row begins with an unknown token, one is made of nothing else."""
    known, unknown = WORDS[:7], WORDS[7:]
    vocabulary = a_vocabulary(rng, "[BOS]", known)
    rows = some_sequences(rng, (4, 2, 3), known)
    rows[0][0] = unknown[0]
    rows[0][3] = unknown[1]
    rows[1] = [unknown[2], unknown[3]]
    expect(student(rows, vocabulary)).equals(sequences.encode_batch(rows, vocabulary))


@encode_batch.case(
    points=1,
    zh="一批只有一句，同一句来两遍，一样长的几句：没有填充",
    en="a batch of one, the same sequence twice, rows of one length: no padding",
)
def nothing_to_pad(student, rng):
    """Here the width decides: the longest sequence plus two."""
    vocabulary = a_vocabulary(rng, "[BOS]")
    for lengths in ((6,), (4, 4)):
        rows = some_sequences(rng, lengths)
        expect(student(rows, vocabulary)).equals(sequences.encode_batch(rows, vocabulary))
    (row,) = some_sequences(rng, (3,))
    found = student(fixture("one_list_twice", row), vocabulary)
    expect(found).equals(sequences.encode_batch([row, row], vocabulary))


for _name, (_switch, _zh, _en, _hints) in BATCH.items():
    encode_batch.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _pair(seen):
    ids, mask = (np.asarray(part) for part in seen.actual)
    return ids, mask, seen.expected


@encode_batch.property(
    "shape_is_right",
    zh="形状不对：一句一行，宽度是最长的一句加 2。",
    en="The shape is wrong: one row for each sequence, as wide as the longest plus two.",
)
def shape_is_wrong(seen):
    ids, mask, (wanted, _) = _pair(seen)
    return ids.shape != wanted.shape or mask.shape != wanted.shape


@encode_batch.property(
    "tokens_come_back",
    zh="真词元那些格子里的编号不对：换不回原来的词元。",
    en="Ids of real tokens are wrong: turned back, they don't give the tokens that went in.",
)
def tokens_are_lost(seen):
    ids, _, (wanted, is_real) = _pair(seen)
    return bool((ids != wanted)[is_real].any())


@encode_batch.property(
    "padding_is_pad",
    zh="填充的格子里不是 [PAD] 的编号。",
    en="Cells of padding hold something else than the number of [PAD].",
)
def padding_is_something_else(seen):
    ids, _, (wanted, is_real) = _pair(seen)
    return bool((ids != wanted)[~is_real].any())


@encode_batch.property(
    "mask_tells_padding",
    zh="掩码和填充对不上：除了 [PAD] 处处是 True。",
    en="Mask and padding don't agree: it should be True at all but [PAD].",
)
def mask_is_wrong(seen):
    """Held against the answer's own ids: where these are misplaced, the mask is right to follow."""
    ids, mask, (_, is_real) = _pair(seen)
    mask, own = mask.astype(bool), ids != seen.args[1]["[PAD]"]
    agrees = any(mask.shape == one.shape and (mask == one).all() for one in (is_real, own))
    return not agrees


@encode_batch.property(
    "two_arrays_come_back",
    zh="应当返回两个数组：编号和掩码。",
    en="Two arrays should come back: ids and mask.",
)
def no_two_arrays(seen):
    return not (isinstance(seen.actual, (tuple, list)) and len(seen.actual) == 2)
