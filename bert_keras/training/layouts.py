"""Which axis of which weight is divided among the devices that share one copy of the model.

Attention is divided by heads and the feed-forward network by its middle: the first kernel of such
a pair by columns, the second by rows, so that one sum over the devices, after the second, is all
they have to exchange. The token table is divided by tokens, or, when the number of tokens can't be
divided, by the dimension of the model.
"""

from __future__ import annotations

import re

import keras

from bert_keras.training.roll_call import DistributionError

MODEL = "model"
_COLUMNS = re.compile(r".*/(self_attention/(query|key|value|qkv)|feed_forward/intermediate)/(\w+)")
_ROWS = re.compile(r".*/(self_attention|feed_forward)/output/kernel")
_TOKENS = re.compile(r".*/token_embedding/embeddings")
_TOKEN_BIAS = re.compile(r".*/masked_lm_head/output_bias")


def layout_of(path: str, shape: tuple[int, ...], shared: int) -> tuple[str | None, ...]:
    """The axes of one variable.

    Args:
        path: `variable.path`.
        shape: of the variable.
        shared: devices that share one copy of the model.

    Returns:
        For each axis "model" if it is divided among these devices, None if it is not.

    Raises:
        DistributionError: the heads or the middle of the feed-forward network can't be divided.

    Reference:
        Shoeybi et al., Megatron-LM: Training Multi-Billion Parameter Language Models Using Model
        Parallelism (2019), section 3.
    """
    whole = (None,) * len(shape)
    if _COLUMNS.fullmatch(path):
        axis = len(shape) - 1  # of a kernel (D, N*H) or (D, F), and of its bias
    elif _ROWS.fullmatch(path):
        axis = 0
    elif _TOKENS.fullmatch(path):
        axis = 0 if shape[0] % shared == 0 else 1
    elif _TOKEN_BIAS.fullmatch(path) and shape[0] % shared == 0:
        axis = 0
    else:
        return whole
    if shape[axis] % shared:
        raise DistributionError(
            f"distribution.model_parallel ({shared}) must divide {shape[axis]}, an axis of {path}"
        )
    return (*whole[:axis], MODEL, *whole[axis + 1 :])


class ModelParallel(keras.distribution.ModelParallel):
    """Model parallelism with layouts that follow from the path and the shape of a variable.

    A `keras.distribution.LayoutMap` sees the path alone, and whether the tokens can be divided
    depends on how many there are.

    Args:
        layout_map: an empty `keras.distribution.LayoutMap` with a mesh of the axes "batch" and
            "model".
        **kwargs: of `keras.distribution.ModelParallel`.
    """

    def get_variable_layout(self, variable):
        """The layout of a variable that is about to be created.

        Args:
            variable: Keras variable; its path and shape are known.

        Returns:
            `keras.distribution.TensorLayout`.

        Raises:
            DistributionError: its heads or its middle can't be divided.
        """
        if getattr(variable, "_layout", None) is not None:
            return variable._layout  # An optimizer's moments lie where their weights do.
        mesh = self.device_mesh
        axes = layout_of(variable.path, tuple(variable.shape), mesh.shape[1])
        return keras.distribution.TensorLayout(axes, mesh)
