"""Stand-ins of notebook ch06a: heads, packers and encoders of which every number is known."""

import numpy as np

from autograder.messages import for_reader
from autograder.stand_ins.ch01b_words_and_windows import Lent

INPUTS = ("token_ids", "segment_ids", "padding_mask")


def _bending_dropout():
    """Stands in for dropout without its randomness: loses every third feature, bends the others.

    Since it bends, it can be told from the result whether it came before a mean or after it, and
    how often.
    """

    def bend(x):
        kept = (np.arange(x.shape[-1]) % 3 != 1).astype("float32")
        return kept * (1.5 * x + 0.4 * x * x)

    return bend


def _planted_dense(kernel, bias):
    """A dense layer with these weights: (…, D) to (…, C)."""
    from keras import ops

    def dense(x):
        return ops.matmul(x, kernel) + bias

    return dense


def _lent_pairs(pairs):
    """Pairs of texts in a list; neither the list nor a text can be changed."""
    return Lent(tuple(Lent(int(token) for token in text) for text in pair) for pair in pairs)


def _planted_pack(length, marks, manner):
    """Packs two texts into a row, in BERT's manner or in another; see `oracles.text_pairs.row_of`.

    The grader's own oracles can't be reached from where answers run, so this stands here once more.
    """
    begin, end, pad = marks

    def pack(first, second=None):
        if any(isinstance(text, (int, float)) for text in (first, second)):
            raise TypeError(
                for_reader(
                    "pack 要两段文字，每段是整数的列表",
                    "pack wants two texts, each of them a list of ints",
                )
            )
        if any(isinstance(token, (list, tuple)) for token in (*first, *(second or ()))):
            raise TypeError(
                for_reader(
                    "pack 一次收一对：两段文字，每段是整数的列表；这里交给它的是许多段",
                    "pack takes one pair at a time, two texts, each of them a list of ints; here "
                    "it is given many texts",
                )
            )
        head = [begin, *first, end]
        tail = [] if second is None else [*second, end]
        used = len(head) + len(tail)
        if used > length:
            raise ValueError(
                for_reader(
                    f"这一行放不下 {used} 个词元", f"there is no room for {used} tokens in a row"
                )
            )
        ids = np.full(length, pad, "int32")
        ids[:used] = head + tail
        places = np.arange(length)
        segments = ((places >= len(head)) & (places < used)).astype("int32")
        real = places < used
        if manner == "other":
            segments = np.where(real, 1 - segments, 1).astype("int32")
            real = real & (places != len(head) - 1)
        return {"token_ids": ids, "segment_ids": segments, "padding_mask": real}

    return pack


def _sentence_encoder(token_table, segment_table, kernel, pooled):
    """An encoder of (B, T) inputs in a dict; see `oracles.text_pairs.encode`.

    It may be called once. Inputs that are missing are made as some libraries would make them.

    Args:
        token_table, segment_table, kernel: float arrays (V, D), (2, D) and (D, D).
        pooled: bool, whether the first token's states come back, (B, D), and not all of them.
    """
    calls = []

    def encode(inputs, **others):
        if others or not isinstance(inputs, dict):
            raise TypeError(
                for_reader(
                    "encode 只收一个参数：三样输入的字典",
                    "encode takes one argument, a dict of the three inputs",
                )
            )
        if calls:
            raise RuntimeError(
                for_reader(
                    "encode 被调用了不止一次：整批应当一次交给它",
                    "encode is called more than once; the whole batch should go in at once",
                )
            )
        calls.append(1)
        ids, segments, mask = _checked(inputs)
        states = _states(ids, segments, mask, token_table, segment_table, kernel)
        return states[:, 0] if pooled else states

    return encode


def _checked(inputs):
    """The three inputs as tensors of two axes.

    Raises:
        ValueError: their form isn't that of a batch, for the student to read.
    """
    from keras import backend, ops

    foreign = sorted(set(map(str, inputs)) - set(INPUTS))
    if foreign or "token_ids" not in inputs:
        raise ValueError(
            for_reader(
                f"encode 的输入应当叫 {'、'.join(INPUTS)}，"
                f"这里有的是：{'、'.join(map(str, inputs))}",
                f"encode wants {', '.join(INPUTS)}, and got {', '.join(map(str, inputs))}",
            )
        )
    given = {name: ops.convert_to_tensor(array) for name, array in inputs.items()}
    for name, array in given.items():
        if len(array.shape) != 2:
            raise ValueError(
                for_reader(
                    f"encode 的 {name} 应当有两个轴（行，位置），这里有 {len(array.shape)} 个",
                    f"encode wants {name} with two axes (rows, positions), "
                    f"and got {len(array.shape)}",
                )
            )
    ids = given["token_ids"]
    kinds = {name: backend.standardize_dtype(array.dtype) for name, array in given.items()}
    if "int" not in kinds["token_ids"]:
        raise ValueError(
            for_reader(
                f"encode 的 token_ids 应当是整数，这里是 {kinds['token_ids']}",
                f"encode wants ints for token_ids, not {kinds['token_ids']}",
            )
        )
    segments = given.get("segment_ids", ops.zeros_like(ids))
    mask = given.get("padding_mask", ops.ones_like(ids, dtype="bool"))
    # Where the two have changed places, that is to be seen in the numbers.
    if kinds.get("padding_mask", "bool") != "bool" and kinds.get("segment_ids") != "bool":
        raise ValueError(
            for_reader(
                f"padding_mask 应当是布尔（True = 真词元），这里是 {kinds['padding_mask']}",
                f"padding_mask should be bool (True = a real token), not {kinds['padding_mask']}",
            )
        )
    return ids, segments, mask


def _states(ids, segments, mask, token_table, segment_table, kernel):
    """What `oracles.text_pairs.encode` computes, with Keras."""
    from keras import ops

    real = ops.cast(ops.cast(mask, "bool"), "float32")  # (B, T)
    x = ops.take(token_table, ops.cast(ids, "int32"), axis=0)
    x = x + ops.take(segment_table, ops.cast(segments, "int32"), axis=0)  # (B, T, D)
    places = 1.0 + 0.25 * np.arange(ids.shape[1], dtype="float32")
    weights = real * places  # (B, T): words count for more the later they stand
    total = ops.maximum(ops.sum(weights, axis=1, keepdims=True), 1e-3)
    context = ops.sum(weights[..., None] * x, axis=1) / total  # (B, D)
    return x + ops.tanh(ops.matmul(context, kernel))[:, None]


def _weighted_encoder():
    """The drill's encoder, whose weights are an argument."""
    from keras import ops

    def encode(weights, token_ids, segment_ids, padding_mask):
        for name, array in (
            ("token_ids", token_ids),
            ("segment_ids", segment_ids),
            ("padding_mask", padding_mask),
        ):
            if len(ops.convert_to_tensor(array).shape) != 2:
                raise ValueError(
                    for_reader(f"encode 的 {name} 应当是 (B, T)", f"encode wants {name} as (B, T)")
                )
        tables = (weights[name] for name in ("token_table", "segment_table", "block/kernel"))
        ids, segments, mask = map(ops.convert_to_tensor, (token_ids, segment_ids, padding_mask))
        return _states(ids, segments, mask, *tables)

    return encode


BUILDERS = {
    "bending_dropout": _bending_dropout,
    "planted_dense": _planted_dense,
    "lent_pairs": _lent_pairs,
    "planted_pack": _planted_pack,
    "sentence_encoder": _sentence_encoder,
    "weighted_encoder": _weighted_encoder,
}
