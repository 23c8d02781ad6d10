"""Notebook ch03b, exercise 8: the decoder block."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.block_mistakes import shared
from autograder.exercises.block_parts import (
    EVERYTHING,
    LENT,
    add_block_properties,
    block_weights,
    built,
    call,
    output_of,
)
from autograder.exercises.ch03b_1a_waves import NOTEBOOK
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens, some_open
from autograder.exercises.decoder_mistakes import DECODER
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.oracles import blocks

PARTS = ("self_attention", "cross_attention", "feed_forward")
HIDDEN, MIDDLE, HEADS = 8, 11, 2
SIZES = {"num_heads": HEADS, "hidden_dim": HIDDEN, "intermediate_dim": MIDDLE}
RETURNED = ("output", "self_weights", "cross_weights")

DecoderBlock = Exercise(
    "DecoderBlock",
    notebook=NOTEBOOK,
    points=9,
    kind="layer",
    forbids=(
        "bert_keras.layers.decoder.DecoderBlock",
        "bert_keras.layers.transformer.EncoderBlock",
        "keras_hub.layers.TransformerDecoder",
        "keras_nlp.layers.TransformerDecoder",
    ),
    needs=LENT,
)


def _made(student, rng, x, source, norm_first, dropout=0.0):
    weights = block_weights(rng, PARTS, HIDDEN, MIDDLE, source.shape[-1])
    config = {"norm_first": norm_first, "dropout": dropout}
    return built(student, (x, source), weights, **SIZES, **config), weights


def _expect(layer, weights, x, source, norm_first, mask=None, source_mask=None):
    masks = {"attention_mask": mask, "source_mask": source_mask}
    given = {name: array for name, array in masks.items() if array is not None}
    expect(call(layer, x, source, **given)).equals(
        blocks.decoder_block(x, source, mask, source_mask, weights, HEADS, "relu", norm_first),
        atol=5e-5,
        rtol=1e-4,
    )


def _pair(rng, batch, length, source_length, source_dim=HIDDEN):
    """A target and a source, both far from normalised."""
    x = 2 * normal(rng, batch, length, HIDDEN) + 1
    return x, 2 * normal(rng, batch, source_length, source_dim) - 1


def causal(batch, length):
    """The causal mask for every item, (B, T, T)."""
    return np.repeat(np.tri(length, dtype=bool)[None], batch, axis=0)


def _without_masks(student, rng, norm_first):
    """First equal lengths, where a mix-up runs and shows in the numbers; then others."""
    x, source = _pair(rng, 2, 4, 4)
    layer, weights = _made(student, rng, x, source, norm_first)
    _expect(layer, weights, x, source, norm_first)
    x, source = _pair(rng, 3, 3, 5)
    _expect(layer, weights, x, source, norm_first)


@DecoderBlock.case(points=2, zh="后归一化，不带掩码", en="post-LN, without masks")
def post_ln(student, rng):
    """See `_without_masks`."""
    _without_masks(student, rng, norm_first=False)


@DecoderBlock.case(points=2, zh="前归一化，不带掩码", en="pre-LN, without masks")
def pre_ln(student, rng):
    """See `_without_masks`."""
    _without_masks(student, rng, norm_first=True)


@DecoderBlock.case(
    points=2,
    zh="自注意力用因果掩码，交叉注意力用源句的填充掩码",
    en="a causal mask for self-attention, the source's padding for cross-attention",
)
def causal_and_padding(student, rng):
    """As a decoder is used; source and target as long as each other, where a mix-up runs."""
    x, source = _pair(rng, 3, 4, 4)
    layer, weights = _made(student, rng, x, source, norm_first=False)
    padding = real_tokens([4, 2, 3], 4)[:, None]
    _expect(layer, weights, x, source, False, causal(3, 4), padding)
    x, source = _pair(rng, 3, 5, 4)
    _expect(layer, weights, x, source, False, causal(3, 5), padding)


@DecoderBlock.case(
    points=2,
    zh="别的掩码，也可以只给一个；前归一化",
    en="other masks, or one of them alone; pre-LN",
)
def other_masks(student, rng):
    """No triangle: what a block adds of its own accord shows."""
    x, source = _pair(rng, 3, 4, 4)
    layer, weights = _made(student, rng, x, source, norm_first=True)
    mask, source_mask = some_open(rng, 3, 4, 4), some_open(rng, 3, 4, 4)
    _expect(layer, weights, x, source, True, mask, source_mask)
    _expect(layer, weights, x, source, True, mask=mask)
    _expect(layer, weights, x, source, True, source_mask=source_mask)


@DecoderBlock.case(
    points=1,
    zh="dropout：训练时作用在三条支路的输出上，推理时关着",
    en="dropout: in training on what the branches give, and off in inference",
)
def dropout_while_training(student, rng):
    """At a rate at which everything is dropped the result is known without statistics."""
    for norm_first in (True, False):
        x, source = _pair(rng, 2, 4, 3)
        layer, weights = _made(student, rng, x, source, norm_first, dropout=EVERYTHING)
        given = (x, source, None, None, weights, HEADS, "relu", norm_first)
        for mode in ("training", "inference"):
            actual = call(layer, x, source, training=mode == "training")
            expect(derived(actual, output_of)).equals(
                blocks.decoder_dropping(*given, mode), atol=5e-5, rtol=1e-4
            )


@DecoderBlock.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def block_in_training(student, rng):
    """No number of sentences is known."""
    x, source = _pair(rng, 3, 4, 5)
    layer, weights = _made(student, rng, x, source, norm_first=False)
    how = {"args": [x, source], "kwargs": {}, "unknown": [0, 1]}
    actual = layer if isinstance(layer, Failed) else layer.request("call", **how)
    expect(actual).equals(
        blocks.decoder_block(x, source, None, None, weights, HEADS, "relu", False),
        atol=5e-5,
        rtol=1e-4,
    )


for _name, _data in (shared(("self", "cross", "ffn")) | DECODER).items():
    DecoderBlock.misconception(_name, **_data)
add_block_properties(DecoderBlock, RETURNED)
