"""Notebook ch03b, exercise 7: the encoder block."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.block_hints import RETURN_HINTS, STAGE_HINTS
from autograder.exercises.block_mistakes import mask_not_passed, shared
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
from autograder.exercises.common import IN_TRAINING, derived, normal, some_open
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.oracles import blocks

PARTS = ("self_attention", "feed_forward")
HIDDEN, MIDDLE, HEADS = 12, 7, 3
SIZES = {"num_heads": HEADS, "hidden_dim": HIDDEN, "intermediate_dim": MIDDLE}
ORDERS = {False: "post", True: "pre"}

EncoderBlock = Exercise(
    "EncoderBlock",
    notebook=NOTEBOOK,
    points=7,
    kind="layer",
    forbids=(
        "bert_keras.layers.transformer.EncoderBlock",
        "bert_keras.layers.decoder.DecoderBlock",
        "keras_hub.layers.TransformerEncoder",
        "keras_nlp.layers.TransformerEncoder",
    ),
    needs=LENT,
)


def _made(student, rng, x, norm_first, dropout=0.0):
    weights = block_weights(rng, PARTS, HIDDEN, MIDDLE)
    return built(student, (x,), weights, **SIZES, norm_first=norm_first, dropout=dropout), weights


def _expect(layer, weights, x, mask, norm_first):
    actual = call(layer, x) if mask is None else call(layer, x, attention_mask=mask)
    expect(actual).equals(
        blocks.encoder_block(x, mask, weights, HEADS, "relu", norm_first), atol=5e-5, rtol=1e-4
    )


def _tokens(rng, *shape):
    """Tokens that are far from normalised."""
    return (2 * normal(rng, *shape) + rng.uniform(-1, 1, (*shape[:2], 1))).astype(np.float32)


@EncoderBlock.case(points=1, zh="后归一化，不带掩码", en="post-LN, without a mask")
def post_ln(student, rng):
    """Then another length through the same block."""
    x = _tokens(rng, 2, 5, HIDDEN)
    layer, weights = _made(student, rng, x, norm_first=False)
    _expect(layer, weights, x, None, False)
    _expect(layer, weights, _tokens(rng, 3, 4, HIDDEN), None, False)


@EncoderBlock.case(points=2, zh="前归一化，不带掩码", en="pre-LN, without a mask")
def pre_ln(student, rng):
    """Then another length through the same block."""
    x = _tokens(rng, 2, 5, HIDDEN)
    layer, weights = _made(student, rng, x, norm_first=True)
    _expect(layer, weights, x, None, True)
    _expect(layer, weights, _tokens(rng, 3, 4, HIDDEN), None, True)


def _with_masks(student, rng, norm_first):
    """One for each item and query, and one that all queries of an item share."""
    x = _tokens(rng, 3, 5, HIDDEN)
    layer, weights = _made(student, rng, x, norm_first)
    _expect(layer, weights, x, some_open(rng, 3, 5, 5), norm_first)
    _expect(layer, weights, x, some_open(rng, 3, 1, 5), norm_first)


@EncoderBlock.case(points=1, zh="后归一化，带掩码", en="post-LN, with masks")
def masks_in_post_ln(student, rng):
    """See `_with_masks`."""
    _with_masks(student, rng, norm_first=False)


@EncoderBlock.case(points=1, zh="前归一化，带掩码", en="pre-LN, with masks")
def masks_in_pre_ln(student, rng):
    """See `_with_masks`."""
    _with_masks(student, rng, norm_first=True)


@EncoderBlock.case(
    points=1,
    zh="dropout：训练时作用在支路的输出上，推理时关着",
    en="dropout: in training on what branches give, and off in inference",
)
def dropout_while_training(student, rng):
    """At a rate at which everything is dropped the result is known without statistics."""
    for norm_first in (True, False):
        x = _tokens(rng, 2, 4, HIDDEN)
        layer, weights = _made(student, rng, x, norm_first, dropout=EVERYTHING)
        given = (x, None, weights, HEADS, "relu", norm_first)
        for mode in ("training", "inference"):
            actual = call(layer, x, training=mode == "training")
            expect(derived(actual, output_of)).equals(
                blocks.encoder_dropping(*given, mode), atol=5e-5, rtol=1e-4
            )


@EncoderBlock.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def block_in_training(student, rng):
    """The notebook trains a model on this block: no number of sentences is known then."""
    x = _tokens(rng, 3, 5, HIDDEN)
    layer, weights = _made(student, rng, x, norm_first=False)
    how = {"args": [x], "kwargs": {}, "unknown": [0]}
    actual = layer if isinstance(layer, Failed) else layer.request("call", **how)
    expect(actual).equals(
        blocks.encoder_block(x, None, weights, HEADS, "relu", False), atol=5e-5, rtol=1e-4
    )


OWN = {
    **mask_not_passed(
        "mask_not_passed", "missing", "掩码没有交给注意力", "The mask doesn't reach the attention"
    ),
    "wrong_order_of_stages": dict(
        switch={"sequence": "ffn_first"},
        zh="次序反了：先是自注意力，再是前馈网络。",
        en="The order is reversed: self-attention comes first, the feed-forward network second.",
        hints=STAGE_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple({"returned": form} for form in ("output_only", "weights_first", "averaged")),
        zh="返回的不是（输出，每个头的权重）。",
        en="What is returned isn't the pair (output, weights of every head).",
        hints=RETURN_HINTS,
    ),
}
for _name, _data in (shared(("self", "ffn")) | OWN).items():
    EncoderBlock.misconception(_name, **_data)
add_block_properties(EncoderBlock, ("output", "weights"))
