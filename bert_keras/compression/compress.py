"""From an encoder to a smaller one with what it can keep of its weights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import keras
import numpy as np

from bert_keras.compression.backbone import CompressedBackbone
from bert_keras.compression.distill import layer_mapping
from bert_keras.compression.low_rank import low_rank
from bert_keras.compression.prune import head_strength, magnitude_prune, prune_heads
from bert_keras.errors import UserError
from bert_keras.models.bert import BertBackbone

_PARTS = ("query", "key", "value", "output")
_BLOCK = r"encoder_block_(\d+)/(.*)"
_THIN = ("intermediate", "output")


class CompressionError(UserError):
    """What is wanted does not fit the encoder; the message is one line."""


def compress(
    backbone: BertBackbone,
    *,
    layers: int = 0,
    heads: Iterable[tuple[int, int]] = (),
    shared: bool = False,
    share: float = 0.0,
    rank: int = 0,
    int8: bool = False,
) -> BertBackbone:
    """A smaller encoder; steps that are left out change nothing, the others come in this order.

    Args:
        backbone: what to start from; it stays as it is.
        layers: int, keep so many layers, evenly spread with the last among them; 0 keeps all.
        heads: pairs (layer, head), both counted from 1 and in the layers that are kept, to remove.
        shared: make one block of all layers, from the mean of their weights. What comes out has to
            be trained before it is of any use.
        share: float, of the kernels of the blocks, what `magnitude_prune` sets to 0.
        rank: int, of the feed-forward kernels; 0 leaves them whole.
        int8: whether to store and run kernels and tables as int8.

    Returns:
        `CompressedBackbone`; a `BertBackbone` where nothing but numbers and layers changed.

    Raises:
        CompressionError: a layer or head that there isn't, or an encoder that was compressed so
            before.
    """
    before = getattr(backbone, "compression", {"rank": 0, "shared": False, "int8": False})
    if before["int8"] or (before["rank"] and rank) or (before["shared"] and (layers or heads)):
        raise CompressionError(
            f"this encoder is compressed already ({_told(before)}): start from the one before"
        )
    sizes = {name: value for name, value in backbone.get_config().items() if name not in before}
    sizes.pop("heads_left", None)
    others, blocks = _weights(backbone)
    left = list(getattr(backbone, "heads_left", [backbone.num_heads] * backbone.num_layers))
    if layers:
        try:
            kept = layer_mapping(layers, backbone.num_layers)[1:]
        except ValueError as error:
            raise CompressionError(str(error)) from None
        blocks, left = [blocks[i - 1] for i in kept], [left[i - 1] for i in kept]
        sizes["num_layers"] = layers
    for layer, gone in _by_layer(heads, left).items():
        blocks[layer] = _without_heads(blocks[layer], gone, left[layer])
        left[layer] -= len(gone)
    if shared and not before["shared"]:
        if len(set(left)) > 1:
            raise CompressionError(f"layers of different heads ({left}) can't become one block")
        blocks = [{name: np.mean([b[name] for b in blocks], axis=0) for name in blocks[0]}]
    if share:
        blocks = _pruned(blocks, share)
    if rank:
        blocks = [_thin(block, rank) for block in blocks]
    new = {
        "heads_left": left,
        "rank": rank or before["rank"],
        "shared": shared or before["shared"],
        "int8": False,
    }
    whole = left == [backbone.num_heads] * len(left) and not any((new["rank"], new["shared"], int8))
    smaller = BertBackbone(**sizes) if whole else CompressedBackbone(**sizes, **new)
    for variable in smaller.weights:
        name = variable.path.split("/", 1)[1]
        found = re.fullmatch(_BLOCK, name)
        variable.assign(blocks[int(found[1])][found[2]] if found else others[name])
    if int8:
        smaller.to_int8()
    return smaller


def weakest_heads(backbone: BertBackbone, share: float) -> list[tuple[int, int]]:
    """The heads that can say least, by `head_strength`; every layer keeps its strongest.

    Args:
        backbone: the encoder.
        share: float, of all heads, how many to remove; rounded to the nearest number.

    Returns:
        Pairs (layer, head), counted from 1.

    Raises:
        CompressionError: a share below 0 or of 1 and more, or more than one head a layer would
            leave.
    """
    if not 0 <= share < 1:
        raise CompressionError(f"the share of heads must be from 0 to below 1, not {share}")
    _, blocks = _weights(backbone)
    left = getattr(backbone, "heads_left", [backbone.num_heads] * backbone.num_layers)
    strengths = []
    for layer, (block, heads) in enumerate(zip(blocks, left, strict=True), 1):
        if not heads:
            continue
        found = head_strength(_attention(block), heads)
        strongest = int(np.argmax(found))
        strengths += [(found[h], layer, h + 1) for h in range(heads) if h != strongest]
    wanted = round(share * sum(left))
    if wanted > len(strengths):
        raise CompressionError(
            f"{wanted} of {sum(left)} heads would leave a layer without any: at most "
            f"{len(strengths)} can go so; name them to remove more"
        )
    return [(layer, head) for _, layer, head in sorted(strengths)[:wanted]]


def _weights(backbone):
    """Arrays outside of the blocks by their path, and those of each block."""
    others, blocks = {}, {}
    for variable in backbone.weights:
        name, array = variable.path.split("/", 1)[1], keras.ops.convert_to_numpy(variable.value)
        if found := re.fullmatch(_BLOCK, name):
            blocks.setdefault(int(found[1]), {})[found[2]] = array
        else:
            others[name] = array
    return others, [blocks[number] for number in sorted(blocks)]


def _attention(block):
    return {
        f"{part}_{kind}": block[f"self_attention/{part}/{kind}"]
        for part in _PARTS
        for kind in ("kernel", "bias")
    }


def _by_layer(heads, left: Sequence[int]) -> dict[int, set[int]]:
    gone: dict[int, set[int]] = {}
    for layer, head in heads:
        if not 1 <= layer <= len(left):
            raise CompressionError(f"there is no layer {layer}: layers are 1 to {len(left)}")
        if not 1 <= head <= left[layer - 1]:
            raise CompressionError(
                f"there is no head {layer}-{head}: heads of layer {layer} are 1 to "
                f"{left[layer - 1]}"
            )
        gone.setdefault(layer - 1, set()).add(head - 1)
    return gone


def _without_heads(block, gone, num_heads: int):
    pruned = prune_heads(_attention(block), sorted(gone), num_heads)
    block = {name: a for name, a in block.items() if not name.startswith("self_attention/")}
    if len(gone) == num_heads:
        return block | {"self_attention/output_bias": pruned["output_bias"]}
    names = {name: f"self_attention/{'/'.join(name.rsplit('_', 1))}" for name in pruned}
    return block | {names[name]: array for name, array in pruned.items()}


def _pruned(blocks, share: float):
    places = [(b, name) for b in blocks for name in b if name.endswith("/kernel")]
    stays = magnitude_prune([block[name] for block, name in places], share)
    pruned = [dict(block) for block in blocks]
    numbers = {id(block): number for number, block in enumerate(blocks)}
    for (block, name), mask in zip(places, stays, strict=True):
        pruned[numbers[id(block)]][name] = block[name] * mask
    return pruned


def _thin(block, rank: int):
    block = dict(block)
    for part in _THIN:
        name = f"feed_forward/{part}/kernel"
        try:
            first, second = low_rank(block[name], rank)
        except ValueError as error:
            raise CompressionError(str(error)) from None
        block |= {f"feed_forward/{part}_thin/kernel": first, name: second}
    return block


def _told(before) -> str:
    done = {name: value for name, value in before.items() if value and name != "heads_left"}
    return ", ".join(name if value is True else f"{name} {value}" for name, value in done.items())
