"""What is said of warm starts where a value differs, and how Keras's own refusals are told."""

from autograder.handle import Failed
from autograder.messages import Text

ENCODER_CHANGED = Text(
    "编码器的参数变了；它只是给人抄的。",
    "The encoder's weights have changed; they are only there to be copied.",
)
MOVED_FIRST = Text(
    "解码器的块更多时，已经动了参数：要先比长短，再动手。",
    "Where the decoder has more blocks, weights are written all the same: compare the lengths "
    "before anything else.",
)
NOT_REFUSED = Text(
    "解码器的块比编码器的多，应当抛出 ValueError；不多就不应当。",
    "A ValueError should be raised where the decoder has more blocks than the encoder, and nowhere "
    "else.",
)


def refusal(found, decoders, encoders):
    """What to say where an error is missing, another one, or out of place."""
    if decoders <= encoders:
        return Text(
            f"{decoders} 个解码器块，{encoders} 个编码器块：够用，不该抛出 ValueError。",
            f"{decoders} decoder and {encoders} encoder blocks: these are enough, and no "
            "ValueError should be raised.",
        )
    if isinstance(found, Failed):
        return Text(
            f"应当抛出 ValueError，抛出的是 {found.error.type}。",
            f"A ValueError should be raised, and it is {found.error.type}.",
        )
    if isinstance(found[0], str) and found[0].endswith("Error"):
        return Text(
            f"{found[0]} 是返回的，没有抛出：用 raise。",
            f"A {found[0]} is returned, not raised: write raise.",
        )
    return NOT_REFUSED


KERAS_REFUSES = {
    "whole_blocks": Text(
        "整块抄不过去：解码器块的参数比 BERT 的块多。",
        "A whole block can't be copied at once: a decoder block has more weights than BERT's.",
    ),
    "layers_put_in": Text(
        "编码器的子层换不进来：块已经建好，Keras 不让换。",
        "The encoder's sublayer can't be put in: the block is built, and Keras refuses.",
    ),
}


def refused_by_keras(error):
    """Which way of copying it is that Keras doesn't let pass; empty if it is another error."""
    if "with a weight list of length" in error.message:
        return "whole_blocks"
    return "layers_put_in" if "elements of state" in error.message else ""
