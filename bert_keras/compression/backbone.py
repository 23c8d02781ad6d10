"""A BERT that has been made smaller, as an encoder like any other."""

import functools
import gc
import warnings

import keras

from bert_keras.compression.blocks import CompressedBlock
from bert_keras.models.bert import BertBackbone


@keras.saving.register_keras_serializable(package="bert_keras")
class CompressedBackbone(BertBackbone):
    """`BertBackbone` with fewer heads, thin kernels, one block for all layers, or int8 weights.

    Everything that takes a `BertBackbone` takes it: tasks, fine-tuning, analysis. With int8 weights
    it can't be trained any more.

    Args:
        heads_left: list of L ints, the heads that are left in each layer; None leaves all. The
            sizes of the model count the heads that there were.
        rank: int, of the kernels of the feed-forward networks; 0 leaves them whole.
        shared: whether all layers are one block.
        int8: whether kernels and tables are int8, run by Keras's own quantized layers.
        **sizes: of `BertBackbone`.

    Raises:
        ValueError: heads_left doesn't fit the layers, or shared layers have different heads.
    """

    def __init__(self, *, heads_left=None, rank=0, shared=False, int8=False, **sizes):
        layers, heads = sizes["num_layers"], sizes["num_heads"]
        left = [heads] * layers if heads_left is None else list(heads_left)
        if len(left) != layers or not all(0 <= n <= heads for n in left):
            raise ValueError(
                f"heads_left must have {layers} numbers from 0 to {heads}, one a layer, not {left}"
            )
        if shared and len(set(left)) > 1:
            raise ValueError(f"layers that are one block can't have different heads: {left}")
        # `make_block`, which the constructor above calls, needs them.
        self.heads_left, self.rank, self.shared = left, rank, shared
        super().__init__(**sizes)
        self.int8 = False
        if int8:
            self.to_int8()

    def to_int8(self):
        """Make kernels and tables int8, with Keras's own quantization; it can't be taken back."""
        # Keras looks for garbage after every variable that it replaces; what is set aside here it
        # doesn't look through, which makes four small layers take 0.3 s rather than 8.
        gc.freeze()
        try:
            with warnings.catch_warnings():  # norms and dropout stay, and Keras says so
                warnings.filterwarnings("ignore", "Layer .* does not have a `quantize`")
                self.quantize("int8")
        finally:
            gc.unfreeze()
        self.int8 = True

    def make_block(self, layer):
        """The block of a layer with what is left of it, or the first one again.

        Args:
            layer: int, counted from 0.

        Returns:
            `CompressedBlock`.
        """
        if self.shared and layer:
            return self.encoder_blocks[0]
        return super().make_block(
            layer, functools.partial(CompressedBlock, self.heads_left[layer], self.rank)
        )

    @property
    def compression(self):
        """dict of what makes it differ from a `BertBackbone` of its sizes."""
        return {
            "heads_left": list(self.heads_left),
            "rank": self.rank,
            "shared": self.shared,
            "int8": self.int8,
        }

    def get_config(self):
        return {**super().get_config(), **self.compression}
