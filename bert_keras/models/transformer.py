"""The Transformer: an encoder and a decoder made of attention alone."""

import keras
from keras import ops

from bert_keras.layers.decoder import DecoderBlock
from bert_keras.layers.masks import causal_mask
from bert_keras.layers.transformer import EncoderBlock
from bert_keras.layers.transformer_embeddings import TransformerEmbeddings
from bert_keras.models.base import CompiledModel
from bert_keras.models.sequence_inputs import check_sequence_inputs
from bert_keras.models.transformer_generation import generate
from bert_keras.models.transformer_pieces import smoothed_sequence_loss


@keras.saving.register_keras_serializable(package="bert_keras")
class Transformer(CompiledModel):
    """Read a source all at once, then say the target token by token, looking back at both.

    The encoder's blocks let all source tokens look at each other. The decoder's blocks let every
    target token look at itself, at the target tokens before it, and at the whole source; so while
    the target is known, as in training, all of its tokens are scored at once. Token embeddings are
    multiplied by sqrt(D) before positions are added.

    `compile(optimizer=...)` and `fit` work without a loss: the model knows its own. Targets are
    then a dict of label_ids and label_mask, as `shift_right` makes them.

    Args:
        source_vocabulary_size: int.
        target_vocabulary_size: int, the number of tokens V.
        num_encoder_layers: int, the number of encoder blocks.
        num_decoder_layers: int, the number of decoder blocks.
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward networks.
        max_sequence_length: int, the number of positions, of the source and of the target.
        positions: "sinusoidal", which need no training, or "learned".
        norm_first: bool, whether blocks normalise what goes into a branch rather than the sum
            after it; each of the two stacks then ends with one more norm.
        tie_embeddings: bool, whether source and target share one table, for one vocabulary.
        tie_output: bool, whether the scores of the next token come from the target's table rather
            than from a kernel of their own. Neither has a bias.
        dropout: float, the share dropped in training, of embedded tokens and in the blocks.
        label_smoothing: float, the share of a label's probability that training spreads over all
            tokens; `evaluate` spreads none.
        activation: name or callable, of the feed-forward networks.
        layer_norm_epsilon: float, added to the variance inside the root.
        name: str.
        **kwargs: of `keras.Model`, such as dtype.

    Raises:
        ValueError: for unknown positions, vocabularies of two sizes that should share a table, or
            unless hidden_dim is a multiple of num_heads.

    Example:
        >>> model = Transformer(30, 40, num_heads=2, hidden_dim=32, intermediate_dim=64)
        >>> token_ids, padding_mask = encode_batch([["c", "a", "t"]], letters)
        >>> model.generate(
        ...     token_ids, padding_mask, begin_id=2, end_id=3, max_length=9, beam_width=4
        ... )

    Reference:
        Vaswani et al., Attention Is All You Need (2017); Xiong et al., On Layer Normalization in
        the Transformer Architecture (2020), for `norm_first`.
    """

    def __init__(
        self,
        source_vocabulary_size,
        target_vocabulary_size,
        num_encoder_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        hidden_dim=128,
        intermediate_dim=512,
        max_sequence_length=512,
        positions="sinusoidal",
        norm_first=False,
        tie_embeddings=False,
        tie_output=True,
        dropout=0.1,
        label_smoothing=0.1,
        activation="relu",
        layer_norm_epsilon=1e-6,
        name="transformer",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        if tie_embeddings and source_vocabulary_size != target_vocabulary_size:
            raise ValueError(
                f"tie_embeddings is for one vocabulary; the source has {source_vocabulary_size} "
                f"tokens and the target {target_vocabulary_size}"
            )
        self.source_vocabulary_size = source_vocabulary_size
        self.target_vocabulary_size = target_vocabulary_size
        self.num_encoder_layers = num_encoder_layers
        self.num_decoder_layers = num_decoder_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.max_sequence_length = max_sequence_length
        self.positions = positions
        self.norm_first = norm_first
        self.tie_embeddings = tie_embeddings
        self.tie_output = tie_output
        self.dropout = dropout
        self.label_smoothing = label_smoothing
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon = layer_norm_epsilon
        policy = self.dtype_policy

        def embeddings(name, size):
            return TransformerEmbeddings(
                size,
                hidden_dim,
                max_sequence_length=max_sequence_length,
                positions=positions,
                dropout=dropout,
                dtype=policy,
                name=name,
            )

        def stack(block, name, count):
            return [
                block(
                    num_heads,
                    hidden_dim,
                    intermediate_dim,
                    dropout=dropout,
                    activation=self.activation,
                    norm_first=norm_first,
                    layer_norm_epsilon=layer_norm_epsilon,
                    dtype=policy,
                    name=f"{name}_{layer}",
                )
                for layer in range(count)
            ]

        def last_norm(name):
            if not norm_first:
                return None  # the last block has normalised
            return keras.layers.LayerNormalization(
                epsilon=layer_norm_epsilon, dtype=policy, name=name
            )

        self.source_embeddings = embeddings("source_embeddings", source_vocabulary_size)
        self.target_embeddings = (
            self.source_embeddings
            if tie_embeddings
            else embeddings("target_embeddings", target_vocabulary_size)
        )
        self.encoder_blocks = stack(EncoderBlock, "encoder_block", num_encoder_layers)
        self.encoder_layer_norm = last_norm("encoder_layer_norm")
        self.decoder_blocks = stack(DecoderBlock, "decoder_block", num_decoder_layers)
        self.decoder_layer_norm = last_norm("decoder_layer_norm")
        self.output_dense = None
        if not tie_output:
            self.output_dense = keras.layers.Dense(
                target_vocabulary_size, use_bias=False, dtype=policy, name="output"
            )
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        shape = (None, None, self.hidden_dim)
        self.source_embeddings.build((None, None))
        if not self.tie_embeddings:
            self.target_embeddings.build((None, None))
        for block in self.encoder_blocks:
            block.build(shape)
        for block in self.decoder_blocks:
            block.build(shape, shape)
        for layer in (self.encoder_layer_norm, self.decoder_layer_norm, self.output_dense):
            if layer is not None:
                layer.build(shape)
        self.built = True

    def call(self, inputs, training=None):
        """Score every next token of targets that are known: teacher forcing.

        Args:
            inputs: dict of token_ids, an int tensor of shape (B, S), the source; padding_mask, a
                bool tensor of shape (B, S), True at its real tokens; target_ids, an int tensor of
                shape (B, T), the target shifted right, which begins with [BOS].
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, V), the logits.
        """
        # Keras hands `training` on to the dropout layers by itself; it only has to be named.
        source, _ = self.encode(inputs["token_ids"], inputs["padding_mask"])
        return self.decode(inputs["target_ids"], source, inputs["padding_mask"])[0]

    def encode(self, token_ids, padding_mask):
        """Read the source. Called directly, this never drops.

        Args:
            token_ids: int tensor of shape (B, S).
            padding_mask: bool tensor of shape (B, S), True at real tokens.

        Returns:
            The pair (source, weights): a float tensor of shape (B, S, D), and the list of every
            block's attention weights of shape (B, N, S, S).
        """
        mask = ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1)  # (B, 1, S)
        x, weights = self.source_embeddings(token_ids), []  # (B, S, D)
        for block in self.encoder_blocks:
            x, looked = block(x, attention_mask=mask)  # (B, S, D), (B, N, S, S)
            weights.append(looked)
        if self.norm_first:
            x = self.encoder_layer_norm(x)
        return x, weights

    def decode(self, target_ids, source, padding_mask):
        """Score the next token after each of some target tokens. Called directly, it never drops.

        Args:
            target_ids: int tensor of shape (B, T), what has been said, from [BOS] on.
            source: float tensor of shape (B, S, D), from `encode`.
            padding_mask: bool tensor of shape (B, S), True at real source tokens.

        Returns:
            The triple (logits, self_weights, cross_weights): logits of shape (B, T, V), and lists
            of every block's attention weights, of shape (B, N, T, T) and (B, N, T, S).
        """
        source_mask = ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1)  # (B, 1, S)
        # What stands after the end of a target needs no mask: nothing real may look ahead.
        mask = ops.expand_dims(causal_mask(ops.shape(target_ids)[1]), axis=0)  # (1, T, T)
        x, self_weights, cross_weights = self.target_embeddings(target_ids), [], []  # (B, T, D)
        for block in self.decoder_blocks:
            x, looked, looked_back = block(
                x, source, attention_mask=mask, source_mask=source_mask
            )  # (B, T, D), (B, N, T, T), (B, N, T, S)
            self_weights.append(looked)
            cross_weights.append(looked_back)
        return self.score(x), self_weights, cross_weights

    def score(self, x):
        """Score every token of the target's vocabulary.

        Args:
            x: float tensor of shape (B, T, D), the output of the last decoder block.

        Returns:
            float tensor of shape (B, T, V), the logits.
        """
        if self.norm_first:
            x = self.decoder_layer_norm(x)
        if not self.tie_output:
            return self.output_dense(x)
        table = ops.convert_to_tensor(self.target_embeddings.token_embedding.embeddings)  # (V, D)
        return ops.matmul(x, ops.transpose(ops.cast(table, x.dtype)))

    def generate(self, token_ids, padding_mask, **options):
        """Say a target for every source; see `transformer_generation.generate`.

        Args:
            token_ids: int tensor or array of shape (B, S).
            padding_mask: bool tensor or array of shape (B, S), True at real tokens.
            **options: begin_id, end_id and max_length, all int; beam_width, 1 unless told
                otherwise, which is greedy decoding; length_penalty; use_cache.

        Returns:
            int32 tensor of shape (B, L): without [BOS], ended rows filled up with [EOS].
        """
        self._check_arrays({"token_ids": token_ids, "padding_mask": padding_mask})
        return generate(self, token_ids, padding_mask, **options)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss of `fit`, with smoothed labels, and of `evaluate`, without."""
        smoothing = self.label_smoothing if training else 0.0
        return smoothed_sequence_loss(y_pred, y["label_ids"], y["label_mask"], smoothing)

    def _check_arrays(self, x):
        """Refuse what a gather would misread, before a device sees it."""
        if isinstance(x, dict):
            sizes = {
                "token_ids": self.source_vocabulary_size,
                "target_ids": self.target_vocabulary_size,
            }
            check_sequence_inputs(x, sizes, self.max_sequence_length)

    def get_config(self):
        names = (
            "source_vocabulary_size target_vocabulary_size num_encoder_layers num_decoder_layers "
            "num_heads hidden_dim intermediate_dim max_sequence_length positions norm_first "
            "tie_embeddings tie_output dropout label_smoothing layer_norm_epsilon"
        )
        return {
            **super().get_config(),
            **{name: getattr(self, name) for name in names.split()},
            "activation": keras.activations.serialize(self.activation),
        }
