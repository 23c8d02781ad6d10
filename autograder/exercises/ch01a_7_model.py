"""Notebook ch01a, exercise 7: encoder and decoder with one context in between."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import RECURRENT_LAYERS, works_in_training
from autograder.exercises.ch01a_model_mistakes import MODEL
from autograder.exercises.common import normal, real_tokens
from autograder.expectations import expect
from autograder.oracles.seq2seq import encoder_decoder as oracle

NOTEBOOK = "ch01a_seq2seq"

encoder_decoder = Exercise(
    "encoder_decoder",
    notebook=NOTEBOOK,
    points=5,
    library="bert_keras.models.sequence_pieces:encoder_decoder",
    needs={
        "lstm_step": "bert_keras.layers.recurrent:lstm_step",
        "masked_unroll": "bert_keras.layers.recurrent:masked_unroll",
    },
    forbids=RECURRENT_LAYERS,
)


def model_weights(rng, source_size, target_size, source_dim, target_dim, hidden_dim):
    """All weights of an encoder and a decoder; nothing is zero and no two blocks are alike."""

    def cell(input_dim):
        width = 4 * hidden_dim
        return (
            0.5 * normal(rng, input_dim, width),
            0.5 * normal(rng, hidden_dim, width),
            0.5 * normal(rng, width),
        )

    return {
        "source_embedding": normal(rng, source_size, source_dim),
        "target_embedding": normal(rng, target_size, target_dim),
        "encoder": cell(source_dim),
        "decoder": cell(target_dim),
        "output_kernel": normal(rng, hidden_dim, target_size),
        "output_bias": normal(rng, target_size),
    }


def some_ids(rng, size, *shape):
    """Ids of any tokens, 0 among them: it is a token like others."""
    ids = rng.integers(0, size, shape).astype(np.int32)
    ids[-1, -1] = 0
    return ids


def a_batch(rng, lengths, width, target_length, source_size, target_size):
    """Source ids and mask, and target ids."""
    return (
        some_ids(rng, source_size, len(lengths), width),
        real_tokens(lengths, width),
        some_ids(rng, target_size, len(lengths), target_length),
    )


@encoder_decoder.case(points=1, zh="没有填充的一批", en="a batch without padding")
def no_padding(student, rng):
    """All sizes differ."""
    weights = model_weights(rng, 7, 6, 5, 3, 4)
    batch = a_batch(rng, (6, 6), 6, 5, 7, 6)
    expect(student(*batch, weights)).equals(oracle(*batch, weights), atol=2e-5)


@encoder_decoder.case(
    points=1,
    zh="源句有填充：多补几个也不改变结果",
    en="padded sources: more padding changes nothing",
)
def padded_sources(student, rng):
    """The same sentences twice, the second time with other tokens and more of them as padding."""
    weights = model_weights(rng, 8, 5, 3, 4, 6)
    source_ids, mask, input_ids = a_batch(rng, (4, 1, 3), 4, 3, 8, 5)
    expect(student(source_ids, mask, input_ids, weights)).equals(
        oracle(source_ids, mask, input_ids, weights), atol=2e-5
    )
    more = np.concatenate([source_ids, some_ids(rng, 8, 3, 2)], axis=1)
    mask = real_tokens((4, 1, 3), 6)
    expect(student(more, mask, input_ids, weights)).equals(
        oracle(more, mask, input_ids, weights), atol=2e-5
    )


@encoder_decoder.case(
    points=1,
    zh="编码器和解码器一样大：参数也不许拿混",
    en="encoder and decoder of one size: weights still mustn't be mixed up",
)
def equal_sizes(student, rng):
    """Exchanged weights run here."""
    weights = model_weights(rng, 6, 6, 5, 5, 5)
    batch = a_batch(rng, (3, 5, 2, 4), 5, 4, 6, 6)
    expect(student(*batch, weights)).equals(oracle(*batch, weights), atol=2e-5)


@encoder_decoder.case(
    points=1,
    zh="改动第 t 个以后的输入，前面的 logits 不动",
    en="a change of later inputs leaves earlier logits alone",
)
def later_inputs(student, rng):
    """Two targets that agree at first: so must their logits."""
    weights = model_weights(rng, 11, 9, 4, 2, 3)
    source_ids, mask, input_ids = a_batch(rng, (2, 4), 4, 6, 11, 9)
    changed = input_ids.copy()
    changed[:, 3:] = (changed[:, 3:] + 1 + rng.integers(0, 7, changed[:, 3:].shape)) % 9
    for ids in (input_ids, changed):
        expect(student(source_ids, mask, ids, weights)).equals(
            oracle(source_ids, mask, ids, weights), atol=2e-5
        )


@encoder_decoder.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """The last of the cases, and no evidence of a mistake; see `works_in_training`."""
    weights = model_weights(rng, 7, 6, 5, 3, 4)
    batch = a_batch(rng, (3, 2, 4), 4, 3, 7, 6)
    works_in_training(student, (*batch, weights), oracle(*batch, weights), unknown=(0, 1, 2))


for _name, (_switch, _zh, _en, _hints) in MODEL.items():
    encoder_decoder.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def logits_seen(seen):
    """The logits, in the shape they should have.

    Raises:
        LookupError: they have another.
    """
    actual = np.asarray(seen.actual)
    if actual.shape != seen.expected.shape:
        raise LookupError("another shape")
    return actual


@encoder_decoder.property(
    "shape_is_right",
    zh="形状不对：每个位置一行 logits，(B, T, V)。",
    en="The shape is wrong: a row of logits for every position, (B, T, V).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@encoder_decoder.property(
    "first_logits_are_right",
    zh="第一步的 logits 已经不对：毛病在编码器、交接、解码器的第一步（它的表、参数、掩码）或输出。",
    en="The logits of the first step are wrong already: look at the encoder, the hand-over, the "
    "decoder's first step (its table, weights and mask) or the output.",
)
def first_logits_are_wrong(seen):
    return not np.allclose(logits_seen(seen)[:, 0], seen.expected[:, 0], atol=2e-5)


@encoder_decoder.property(
    "later_logits_are_right",
    zh="第一步对，后面不对：看解码器的循环和它的输入。",
    en="The first step is right and later ones wrong: look at the decoder's loop and its inputs.",
)
def later_logits_are_wrong(seen):
    right = np.isclose(logits_seen(seen), seen.expected, atol=2e-5).all(axis=(0, 2))
    return bool(right[0] and not right.all())


@encoder_decoder.property(
    "short_sources_are_right",
    zh="没有填充的源句对，有填充的不对：看 source_mask 用在了哪里，没用在哪里。",
    en="Sources without padding are right, those with padding wrong: see where source_mask is "
    "used and where it isn't.",
)
def short_sources_are_wrong(seen):
    right = np.isclose(logits_seen(seen), seen.expected, atol=2e-5).all(axis=(1, 2))
    whole = seen.args[1].all(axis=1)
    return bool(whole.any() and right[whole].all() and not right[~whole].all())
