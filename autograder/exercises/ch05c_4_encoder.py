"""Notebook ch05c, exercise 4: BERT's encoder out of given pieces."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_encoder_mistakes import ENCODER
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles.encoder_output import bert_encoder_output as oracle
from autograder.oracles.encoder_output import in_parts, real_only

CLOSE = {"atol": 5e-5, "rtol": 2e-5}
STATES = "hidden_states"
A_PAIR = Text(
    "应当返回一对：{states} 个隐藏状态，和一个 pooled_output。一个一个地数，应当有 {wanted} 个"
    "数组，这里有 {arrays} 个。",
    "It should return a pair: {states} hidden states, and the pooled output. Counted one by one, "
    "arrays that should come back: {wanted}; that did: {arrays}.",
)

bert_encoder_output = Exercise(
    "bert_encoder_output",
    notebook=NOTEBOOK,
    points=6,
    forbids=("bert_keras.models.bert.BertBackbone",),
)


def some_pieces(rng, size, dim, count, length):
    """Three tables, so many blocks and a pooler; no two weights are alike."""
    tables = normal(rng, size, dim), 0.5 * normal(rng, length, dim), normal(rng, 2, dim)

    def kernels():
        return normal(rng, 3, dim, dim) / np.float32(np.sqrt(dim) / 1.6)

    return {
        "tables": tables,
        "blocks": [kernels() for _ in range(count)],
        "pooler": (normal(rng, dim, dim) / np.float32(np.sqrt(dim)), 0.3 * normal(rng, dim)),
    }


def given(pieces):
    """The layers that go with these weights, as the exercise's last three arguments."""
    return (
        fixture("embeddings_of", *pieces["tables"]),
        [fixture("plain_encoder_block", kernels) for kernels in pieces["blocks"]],
        fixture("pooler_of", *pieces["pooler"]),
    )


def a_batch(rng, lengths, width, size):
    """Ids, segments and a mask: sentences of two segments, with anything as padding."""
    ids = rng.integers(0, size, (len(lengths), width)).astype(np.int32)
    ids[0, 1] = ids[-1, 0] = 0  # a token like others
    mask = real_tokens(lengths, width)
    borders = np.array([rng.integers(1, max(2, length)) for length in lengths])
    segments = (np.arange(width) >= borders[:, None]).astype(np.int32)
    segments[~mask] = rng.integers(0, 2, int((~mask).sum()))
    return ids, segments, mask


def flat(found, mask):
    """All hidden states, with zeros at padding, and the pooled output in one tuple."""

    def flattened(pair):
        if not isinstance(pair, (tuple, list)):
            return pair
        if len(pair) != 2:
            return tuple(real_only(state, mask) for state in pair)
        first, second = pair
        if isinstance(second, (tuple, list)) and not isinstance(first, (tuple, list)):
            return (first, *(real_only(state, mask) for state in second))
        if not isinstance(first, (tuple, list)):
            if np.ndim(first) == 4:
                first = np.stack([real_only(state, mask) for state in first])
            return real_only(first, mask), real_only(second, mask)
        return (*(real_only(state, mask) for state in first), real_only(second, mask))

    return derived(found, flattened)


def asked(student, batch, pieces):
    """Compare every layer with the oracle's."""
    compared(student(*batch, *given(pieces)), batch, pieces)


def compared(found, batch, pieces, evidence=True):
    """Compare what came back with the oracle's layers, each under its name."""
    count = len(pieces["blocks"]) + 1

    def a_pair(got):
        arrays = len(got) if isinstance(got, (tuple, list)) else 1
        return A_PAIR.format(states=count, wanted=count + 1, arrays=arrays)

    wanted = in_parts(oracle(*batch, pieces), count)
    how = {"of_form": a_pair, "evidence": evidence, **CLOSE}
    expect(flat(found, batch[2])).equals(wanted, **how)


@bert_encoder_output.case(points=1, zh="两块，没有填充", en="two blocks, no padding")
def without_padding(student, rng):
    """All sizes differ."""
    asked(student, a_batch(rng, (5, 5, 5), 5, 9), some_pieces(rng, 9, 6, 2, 7))


@bert_encoder_output.case(
    points=2, zh="长短不一的批，块数也不一", en="padded batches, and other numbers of blocks"
)
def with_padding(student, rng):
    """Three blocks, one, and four; as many sentences as tokens in the last."""
    asked(student, a_batch(rng, (6, 2, 4, 3), 6, 8), some_pieces(rng, 8, 4, 3, 6))
    asked(student, a_batch(rng, (2, 5), 5, 7), some_pieces(rng, 7, 5, 1, 9))
    asked(student, a_batch(rng, (3, 4, 2, 3), 4, 8), some_pieces(rng, 8, 4, 4, 4))


@bert_encoder_output.case(
    points=1,
    zh="两个片段：换一种分法，结果也换",
    en="two segments: another border gives other states",
)
def other_segments(student, rng):
    """The same tokens in one segment, in the other, and in both."""
    pieces = some_pieces(rng, 8, 6, 2, 6)
    ids, segments, mask = a_batch(rng, (5, 3, 5), 5, 8)
    for each in (np.zeros_like(segments), np.ones_like(segments), segments):
        asked(student, (ids, each, mask), pieces)


@bert_encoder_output.case(
    points=1, zh="多补几个填充，真词元什么也不变", en="more padding changes nothing at real tokens"
)
def more_padding(student, rng):
    """The same sentences twice, with other tokens and more of them as padding."""
    pieces = some_pieces(rng, 7, 4, 2, 8)
    ids, segments, mask = a_batch(rng, (4, 2, 3), 4, 7)
    asked(student, (ids, segments, mask), pieces)
    ids = np.concatenate([ids, rng.integers(0, 7, (3, 3), dtype=np.int32)], axis=1)
    segments = np.concatenate([segments, np.ones((3, 3), np.int32)], axis=1)
    asked(student, (ids, segments, real_tokens((4, 2, 3), 7)), pieces)


@bert_encoder_output.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The last of the cases; an error here is no evidence of a mistake."""
    pieces, batch = some_pieces(rng, 7, 4, 2, 6), a_batch(rng, (5, 2, 3), 5, 7)
    found = student.in_training(*batch, *given(pieces), unknown=(0, 1, 2))
    compared(found, batch, pieces, evidence=False)


for _name, (_switch, _zh, _en, _hints) in ENCODER.items():
    bert_encoder_output.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _places(seen):
    """Which of the parts are right, hidden states first.

    Raises:
        LookupError: there are more of them, or fewer, or of other shapes.
    """
    found, wanted = seen.actual, seen.expected
    if not isinstance(found, (tuple, list)) or len(found) != len(wanted):
        raise LookupError("another number of parts")
    if [np.shape(part) for part in found] != [np.shape(part) for part in wanted]:
        raise LookupError("other shapes")
    return [np.allclose(a, b, **CLOSE) for a, b in zip(found, wanted, strict=True)]


@bert_encoder_output.property(
    "list_and_pooled_output",
    zh="应当返回一对：L + 1 个 (B, T, D) 的列表，和 (B, D) 的 pooled_output。",
    en="A pair should come back: a list of L + 1 tensors (B, T, D), and the pooled output (B, D).",
)
def form_is_wrong(seen):
    try:
        _places(seen)
    except LookupError:
        return True
    return False


@bert_encoder_output.property(
    "embeddings_come_first",
    zh="第 0 个隐状态就不对：它应当是嵌入的输出。",
    en="Hidden state 0 is wrong already: it should be the output of the embeddings.",
)
def embeddings_are_wrong(seen):
    return not _places(seen)[0]


@bert_encoder_output.property(
    "blocks_follow",
    zh="嵌入的输出对，后面有的隐状态不对。",
    en="The output of the embeddings is right, and some hidden state after it isn't.",
)
def block_is_wrong(seen):
    right = _places(seen)
    return right[0] and not all(right[:-1])


@bert_encoder_output.property(
    "pooled_output_is_right",
    zh="隐状态都对，pooled_output 不对。",
    en="All hidden states are right, and the pooled output isn't.",
)
def pooled_output_is_wrong(seen):
    right = _places(seen)
    return all(right[:-1]) and not right[-1]
