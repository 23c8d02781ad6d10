"""Stand-ins of notebook ch08: lent copies, and a block that watches how it is built and called."""

import copy

import numpy as np

from autograder.messages import for_reader


def _lent_copies(first, *rest):
    """The arguments of one call; the first, an array, a list or a dict of them, in copies."""
    return [copy.deepcopy(first), *rest]


class BlockNotBuilt(Exception):
    """The block of `_watched_block` is called before it was built."""


class BlockBuiltTwice(Exception):
    """The block of `_watched_block` is built although it was."""


class MaskNotBool(TypeError):
    """The block is given a mask that isn't bool."""


def _watched_block(kernel, ready):
    """A layer, called as block(x, attention_mask=...), that returns the pair (x, weights).

    Every token takes the mean of those that it may see, through a kernel and a tanh, and adds it to
    itself; see `oracles.shared_encoder`.

    Args:
        kernel: float (D, D).
        ready: bool, whether the block comes built.
    """
    import keras
    from keras import ops

    class WatchedBlock(keras.layers.Layer):
        """Says at once when it is used in the wrong order."""

        def __init__(self, values, **kwargs):
            super().__init__(**kwargs)
            self.values = np.asarray(values, "float32")

        def build(self, x_shape):
            if self.built:
                raise BlockBuiltTwice(
                    for_reader(
                        "block 已经建好了，又建了一遍",
                        "block has been built before, and is built once more",
                    )
                )
            if len(x_shape) != 3 or x_shape[-1] != len(self.values):
                raise ValueError(
                    for_reader(
                        f"block.build 要的是 x 的形状 (B, T, {len(self.values)})，这里是 {x_shape}",
                        f"block.build wants the shape of x, (B, T, {len(self.values)}), and got "
                        f"{x_shape}",
                    )
                )
            self.kernel = self.add_weight(name="kernel", shape=self.values.shape)
            self.kernel.assign(self.values)
            self.built = True

        def __call__(self, x, *args, **kwargs):
            if not self.built:
                raise BlockNotBuilt(
                    for_reader(
                        "block 还没有建（build）就被调用了",
                        "block is called before it was built",
                    )
                )
            return super().__call__(x, *args, **kwargs)

        def call(self, x, attention_mask=None):
            allowed = ops.ones_like(ops.matmul(x, ops.swapaxes(x, 1, 2)))  # (B, T, T)
            if attention_mask is not None:
                if "bool" not in str(attention_mask.dtype):
                    raise MaskNotBool(
                        for_reader(
                            f"attention_mask 的类型是 {attention_mask.dtype}，应当是 bool",
                            f"attention_mask has dtype {attention_mask.dtype}, not bool",
                        )
                    )
                allowed = allowed * ops.cast(attention_mask, allowed.dtype)
            weights = allowed / ops.maximum(ops.sum(allowed, axis=-1, keepdims=True), 1.0)
            return x + ops.tanh(ops.matmul(ops.matmul(weights, x), self.kernel)), weights

        def get_config(self):
            return {**super().get_config(), "values": self.values.tolist()}

    block = WatchedBlock(kernel)
    if ready:
        block.build((None, None, len(kernel)))
    return block


BUILDERS = {"lent_copies": _lent_copies, "watched_block": _watched_block}
