"""Stand-ins of notebook ch04b: blocks of which every weight is known, marks, lent lists, seeds."""

from collections import namedtuple

from autograder.messages import for_reader
from autograder.stand_ins.ch01b_words_and_windows import Lent

Marks = namedtuple("Marks", "begin delimiter extract")
_GENERATORS = {}


def _planted_block(query_kernel, value_kernel):
    """Makes a block as an `EncoderBlock` is one: it returns the pair of output and weights.

    One head, no norm: x + tanh(weights · x · value_kernel).

    Args:
        query_kernel, value_kernel: float arrays (D, D).
    """
    from keras import backend, ops

    def block(x, attention_mask=None):
        if isinstance(x, (tuple, list)):  # what a block returned, not taken apart
            raise TypeError(
                for_reader(
                    "块返回的是一对（输出，权重），要先拆开，再交给下一个块",
                    "a block returns the pair of output and weights; take it apart before the "
                    "next block gets it",
                )
            )
        scores = ops.matmul(ops.matmul(x, query_kernel), ops.swapaxes(x, 1, 2))
        if attention_mask is not None:
            attention_mask = ops.convert_to_tensor(attention_mask)
            dtype = backend.standardize_dtype(attention_mask.dtype)
            if dtype != "bool":
                # As the course's own blocks.
                raise ValueError(
                    for_reader(
                        f"attention_mask 的类型是 {dtype}，应当是 bool（True = 可以看）",
                        f"attention_mask has dtype {dtype}, not bool (True = may attend)",
                    )
                )
            scores = ops.where(attention_mask, scores, -3e4)
        weights = ops.softmax(scores, axis=-1)  # (B, T, T)
        mixed = ops.matmul(ops.matmul(weights, x), value_kernel)
        return x + ops.tanh(mixed), ops.expand_dims(weights, 1)

    return block


def _task_marks(begin, delimiter, extract):
    """Ids of the marks, reached by name."""
    return Marks(begin, delimiter, extract)


def _lent_ids(ids):
    """One text as a list of ints that can't be changed."""
    return Lent(int(token) for token in ids)


def _seed_generator(number, fresh):
    """A generator of seeds; with `fresh` false it is the one of the last call, as it was left."""
    import keras

    if fresh or number not in _GENERATORS:
        _GENERATORS.clear()
        _GENERATORS[number] = keras.random.SeedGenerator(number)
    return _GENERATORS[number]


BUILDERS = {
    "planted_block": _planted_block,
    "task_marks": _task_marks,
    "lent_ids": _lent_ids,
    "seed_generator": _seed_generator,
}
