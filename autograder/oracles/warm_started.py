"""What a decoder's weights hold once it has started from an encoder, with switches.

Numbers don't matter here: every weight has a name, and what is predicted is whose numbers it holds.
"""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of

_DENSE, _NORM = ("kernel", "bias"), ("gamma", "beta")
_ATTENTION = tuple(
    f"{name}/{what}" for name in ("query", "key", "value", "output") for what in _DENSE
)
_NETWORK = tuple(f"{name}/{what}" for name in ("intermediate", "output") for what in _DENSE)
# What each part of a block has, in the order of Keras.
PARTS = {
    "self_attention": _ATTENTION,
    "self_attention_layer_norm": _NORM,
    "cross_attention": _ATTENTION,
    "cross_attention_layer_norm": _NORM,
    "feed_forward": _NETWORK,
    "feed_forward_layer_norm": _NORM,
}
CROSS = ("cross_attention", "cross_attention_layer_norm")
NO_TEXT = "…"


def block_paths(kind, block):
    """Paths of one block's weights: kind is `decoder` or `encoder`, block its number."""
    return [
        f"{kind}_block_{block}/{part}/{inside}"
        for part, names in PARTS.items()
        for inside in names
        if kind == "decoder" or part not in CROSS
    ]


def all_paths(decoders, encoders):
    """Paths of all weights, the decoder's first, block by block."""
    return [
        path
        for kind, number in (("decoder", decoders), ("encoder", encoders))
        for block in range(number)
        for path in block_paths(kind, block)
    ]


def _block_of(block, decoders, encoders, blocks):
    """The encoder block that a decoder block takes from, or None."""
    return {
        "same": block,
        "last": encoders - decoders + block,
        "spread": block * encoders // decoders,
        "first_for_all": 0,
        "final_for_all": encoders - 1,
        "upside_down": decoders - 1 - block,
        "from_the_top": encoders - 1 - block,
        "first_only": 0 if block == 0 else None,
        "final_only": block if block == decoders - 1 else None,
    }[blocks]


def _source(part, inside, norms, attention, network, kinds, cross):
    """Where in an encoder block the numbers of a weight come from: a part, or None."""
    own = {
        "self_attention": {"left": None}.get(attention, part),
        "feed_forward": {"left": None}.get(network, part),
        "self_attention_layer_norm": {
            "left": None,
            "first_left": None,
            "exchanged": "feed_forward_layer_norm",
            "second_for_both": "feed_forward_layer_norm",
        }.get(norms, part),
        "feed_forward_layer_norm": {
            "left": None,
            "second_left": None,
            "exchanged": "self_attention_layer_norm",
            "first_for_both": "self_attention_layer_norm",
        }.get(norms, part),
        "cross_attention": {
            "attention_from_self": "self_attention",
            "both_from_self": "self_attention",
        }.get(cross),
        "cross_attention_layer_norm": {
            "both_from_self": "self_attention_layer_norm",
            "norm_from_self": "self_attention_layer_norm",
            "norm_from_network": "feed_forward_layer_norm",
        }.get(cross),
    }[part]
    first = PARTS[part][0]
    skipped = {
        "kernels": inside.endswith(("bias", "beta")),
        "first_of_part": inside != first,
    }.get(kinds, False)
    return None if skipped else own


def taken(
    decoders,
    encoders,
    *,
    copies="done",
    blocks="same",
    norms="copied",
    attention="copied",
    network="copied",
    kinds="all",
    cross="kept",
):
    """For every weight of the decoder, the path of the weight of the encoder it took, or None."""
    found = {}
    for block in range(decoders):
        start = _block_of(block, decoders, encoders, blocks)
        for part, names in PARTS.items():
            for inside in names:
                own = _source(part, inside, norms, attention, network, kinds, cross)
                nothing = own is None or start is None or copies != "done"
                path = f"decoder_block_{block}/{part}/{inside}"
                found[path] = None if nothing else f"encoder_block_{start}/{own}/{inside}"
    return found


@oracle(parts=("holds",))
@with_switches_of(taken)
def holds(decoders, encoders, *, cross="kept", **switches):
    """For every weight of the decoder, the number of the weight whose numbers it has now.

    Numbers are places in `all_paths`; -1 is what no weight had before.
    """
    places = {path: place for place, path in enumerate(all_paths(decoders, encoders))}
    found = taken(decoders, encoders, cross=cross, **switches)
    numbers = [places[path if start is None else start] for path, start in found.items()]
    if cross == "other_numbers":
        numbers = [
            -1 if path.split("/")[1] in CROSS else number
            for path, number in zip(found, numbers, strict=True)
        ]
    return np.array(numbers, np.int64)


@oracle(parts=("way",))
def way_of_copying(decoders, encoders, *, way="by_parts"):
    """How it is gone about, as a text: asked where Keras refuses."""
    return np.asarray(way)


@oracle(parts=("kept",))
def kept(decoders, encoders, *, copies="done"):
    """Whether each weight of the encoder has its own numbers still."""
    mine = [path for path in all_paths(decoders, encoders) if path.startswith("encoder")]
    overwritten = {f"encoder_block_{block}" for block in range(decoders)}
    return np.array(
        [copies != "backwards" or path.split("/")[0] not in overwritten for path in mine]
    )


@oracle(parts=("refused",))
def refused(decoders, encoders, *, longer="refused"):
    """Whether a ValueError says that there are too few encoder blocks."""
    return np.asarray(longer in ("refused", "too_late") and decoders > encoders)


@oracle(parts=("untouched",))
def untouched(decoders, encoders, *, longer="refused", copies="done"):
    """Whether no weight is written, asked where the decoder has more blocks."""
    moves = copies != "none" and longer in ("accepted", "too_late")
    return np.asarray(not (moves and decoders > encoders))


def told(copied, fresh):
    """Two lists of texts, whatever their order, as one text in an array."""
    lines = ["\n".join(sorted(map(str, each))) for each in (copied, fresh)]
    return np.asarray("\n\n".join(lines))


def _named(path, named):
    """What stands in a list for a weight of the decoder."""
    block, part, *inside = path.split("/")
    return {
        "name": inside[-1],
        "without_the_block": "/".join([part, *inside]),
        "part": part,
        "block_and_part": f"{block}/{part}",
    }.get(named, path)


@oracle(parts=("lists",))
@with_switches_of(taken)
def paths(
    decoders,
    encoders,
    *,
    lists="pair",
    left="nowhere",
    cross_listed="fresh",
    named="path",
    reset="no",
    copies="done",
    **switches,
):
    """The two lists of paths, written out; see `told`.

    Args:
        decoders, encoders: how many blocks.
        lists, left, cross_listed, named, reset, copies: the switches; those of `taken` count, too,
            since what isn't copied may be listed in either place or not at all.
    """
    found = taken(decoders, encoders, **switches)
    copied, fresh = [], []
    for path, start in found.items():
        block, part, *_ = path.split("/")
        if part in CROSS:
            norm = part == CROSS[1]
            where = {
                "fresh": fresh,
                "copied": copied,
                "norm_copied": copied if norm else fresh,
                "norm_nowhere": None if norm else fresh,
                "attention_nowhere": fresh if norm else None,
            }.get(cross_listed)
        elif start is None:
            where = {"fresh": fresh, "copied": copied}.get(left)
        else:
            where = copied
        last = block == f"decoder_block_{decoders - 1}"
        first = block == "decoder_block_0"
        listed = {"each_block": last, "first_block": first}.get(reset, True)
        if where is not None and listed:
            where.append(start if named == "encoder_path" and start else _named(path, named))
    if named in ("part", "block_and_part"):
        copied, fresh = (list(dict.fromkeys(each)) for each in (copied, fresh))
    return {
        "exchanged": lambda: told(fresh, copied),
        "copied_only": lambda: np.asarray(f"{NO_TEXT}{len(copied)}"),
        "all_fresh": lambda: told(copied, copied + fresh),
        "all_copied": lambda: told(copied + fresh, fresh),
        "empty": lambda: told([], []),
        "no_texts": lambda: np.asarray(NO_TEXT),
    }.get(lists, lambda: told(copied, fresh))()
