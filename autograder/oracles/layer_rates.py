"""A learning rate for every layer, read off paths of variables, with switches."""

from __future__ import annotations

import re

import numpy as np

from autograder.oracles import Crash, oracle

_BLOCK = re.compile(r"encoder_block_(\d+)")


def _block_of(path, parts, num_layers, blocks):
    """The number of the block that a path is taken to be in, or None."""
    exact = [part for part in parts if _BLOCK.fullmatch(part)]
    number = int(exact[0].rpartition("_")[2]) if exact else None
    if number is not None and number >= num_layers and blocks != "any_number":
        number = None
    if blocks == "first_substring":  # 1 is found in 11
        return next((n for n in range(num_layers) if f"encoder_block_{n}" in path), None)
    if blocks == "last_substring":
        found = [n for n in range(num_layers) if f"encoder_block_{n}" in path]
        return found[-1] if found else None
    if blocks == "one_digit":
        return None if number is None else int(str(number)[0])
    if blocks == "last_digit":
        return None if number is None else number % 10
    if blocks == "anywhere":
        found = _BLOCK.search(path)
        return None if found is None else int(found.group(1))
    if blocks == "one_digit_anywhere":
        found = _BLOCK.search(path)
        return None if found is None else int(found.group(1)[0])
    if blocks == "ends_a_part":  # my_encoder_block_1
        found = [part for part in parts if re.search(r"encoder_block_\d+$", part)]
        return int(found[0].rpartition("_")[2]) if found else None
    if blocks == "begins_a_part":  # encoder_block_1x
        found = [_BLOCK.match(part) for part in parts if _BLOCK.match(part)]
        return int(found[0].group(1)) if found else None
    if blocks == "before_a_slash":  # of my_encoder_block_1, too, but not of encoder_block_1x
        found = re.search(r"encoder_block_(\d+)/", path)
        return None if found is None else int(found.group(1))
    if blocks == "behind_a_slash":
        found = re.search(r"/encoder_block_(\d+)/", path)
        return None if found is None else int(found.group(1))
    if blocks == "second_part":
        return number if exact and parts[1:2] == exact[:1] else None
    if blocks == "first_part":
        return number if exact and parts[:1] == exact[:1] else None
    if blocks == "none":
        return None
    return number


def _is_embedding(path, parts, embeddings):
    return {
        "a_part_not_the_last": "embeddings" in parts[:-1],
        "any_part": "embeddings" in parts,
        "anywhere": "embeddings" in path,
        "anywhere_not_the_last": "embeddings" in "/".join(parts[:-1]),
        "singular_anywhere": "embedding" in path,
        "last_part": parts[-1] == "embeddings",
        "first_part": parts[0] == "embeddings",
        "second_part": parts[1:2] == ["embeddings"],
        "behind_a_slash": "/embeddings/" in path,
        "ends_a_part": any(part.endswith("embeddings") for part in parts[:-1]),
        "begins_a_part": any(part.startswith("embeddings") for part in parts[:-1]),
        "never": False,
    }[embeddings]


def _rate(path, learning_rate, decay, num_layers, how):
    parts = path.split("/")
    block = _block_of(path, parts, num_layers, how["blocks"])
    embedded = _is_embedding(path, parts, how["embeddings"])
    if embedded and (how["first"] == "embeddings" or block is None):
        if how["lowest"] == "frozen":
            return 0.0
        depth = {
            "below_all": num_layers + 1,
            "as_block_zero": num_layers,
            "one_further": num_layers + 2,
            "as_the_head": 0,
        }[how["lowest"]]
    elif block is not None:
        depth = {
            "from_the_top": num_layers - block,
            "topmost_as_the_head": num_layers - block - 1,
            "one_too_many": num_layers - block + 1,
            "from_the_bottom": block,
            "from_the_bottom_plus_one": block + 1,
            "all_alike": 1,
        }[how["counted"]]
    else:
        if how["rest"] == "frozen":
            return 0.0
        depth = {"as_it_is": 0, "once": 1, "as_the_lowest": num_layers + 1}[how["rest"]]
    factor = {
        "power": lambda: decay**depth,
        "times": lambda: decay * depth if depth else 1.0,
        "divided": lambda: decay**-depth,
        "once": lambda: decay if depth else 1.0,
        "one_less_each": lambda: 1 - (1 - decay) * depth,
        "root": lambda: decay ** (depth / num_layers),
        "exponential": lambda: float(np.exp(-decay * depth)),
    }[how["grows"]]()
    return {
        "rate": learning_rate * factor,
        "factor": factor,
        "depth": float(depth),
        "to_the_power": learning_rate**depth if depth else learning_rate,
    }[how["returned"]]


@oracle(parts=("rates",))
def layer_rates(
    paths,
    learning_rate,
    decay,
    num_layers,
    *,
    blocks="a_part",
    embeddings="a_part_not_the_last",
    first="embeddings",
    lowest="below_all",
    counted="from_the_top",
    rest="as_it_is",
    grows="power",
    returned="rate",
):
    """The learning rates of variables with these paths.

    Args:
        paths: tuple of str.
        learning_rate, decay: float.
        num_layers: int.
        blocks, embeddings, first, lowest, counted, rest, grows, returned: the switches.

    Returns:
        float (number of paths,).

    Raises:
        Crash: where the mistake asked for could not run.
    """
    how = {
        "blocks": blocks,
        "embeddings": embeddings,
        "first": first,
        "lowest": lowest,
        "counted": counted,
        "rest": rest,
        "grows": grows,
        "returned": returned,
    }
    found = [_rate(path, learning_rate, decay, num_layers, how) for path in paths]
    if not found:
        raise Crash
    return np.asarray(found, float)
