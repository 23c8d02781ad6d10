"""BERT: the encoder, and the encoder with the two heads that pretrain it."""

import keras
from keras import ops

from bert_keras.layers.embeddings import BertEmbeddings
from bert_keras.layers.heads import MaskedLMHead, NextSentenceHead, Pooler
from bert_keras.layers.transformer import EncoderBlock
from bert_keras.models.base import CompiledModel
from bert_keras.models.inputs import check_inputs
from bert_keras.models.losses import masked_lm_loss, next_sentence_loss


@keras.saving.register_keras_serializable(package="bert_keras")
class BertBackbone(CompiledModel):
    """The bidirectional encoder: embeddings, a stack of blocks, and a pooler.

    All weights exist as soon as the model does. Call `keras.utils.set_random_seed` first to get
    the same weights, and the same dropout, again.

    Args:
        vocabulary_size: int, the number of tokens V.
        num_layers: int, the number of encoder blocks L.
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward networks.
        max_sequence_length: int, the number of positions.
        num_segments: int, the number of segments.
        dropout: float, the share dropped in training, everywhere.
        activation: name or callable, of the feed-forward networks; "gelu" is the exact form.
        layer_norm_epsilon: float, added to the variance inside the root.
        initializer_stddev: float, the spread of the truncated normal that fills the kernels.
        name: str.
        **kwargs: of `keras.Model`, such as dtype.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.

    Reference:
        Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers for Language
        Understanding (2019).
    """

    def __init__(
        self,
        vocabulary_size,
        num_layers,
        num_heads,
        hidden_dim,
        intermediate_dim,
        max_sequence_length=512,
        num_segments=2,
        dropout=0.1,
        activation="gelu",
        layer_norm_epsilon=1e-12,
        initializer_stddev=0.02,
        name="bert_backbone",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.max_sequence_length = max_sequence_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon = layer_norm_epsilon
        self.initializer_stddev = initializer_stddev

        self.embeddings = BertEmbeddings(
            vocabulary_size,
            hidden_dim,
            max_sequence_length=max_sequence_length,
            num_segments=num_segments,
            dropout=dropout,
            layer_norm_epsilon=layer_norm_epsilon,
            initializer_stddev=initializer_stddev,
            dtype=self.dtype_policy,
            name="embeddings",
        )
        self.encoder_blocks = []
        for layer in range(num_layers):
            self.encoder_blocks.append(self.make_block(layer))
        self.pooler = Pooler(
            hidden_dim,
            initializer_stddev=initializer_stddev,
            dtype=self.dtype_policy,
            name="pooler",
        )
        self.build()

    def make_block(self, layer, kind=EncoderBlock):
        """The block of one layer; a compressed model makes other ones.

        Args:
            layer: int, counted from 0.
            kind: what to call with the sizes of an `EncoderBlock`.

        Returns:
            `EncoderBlock`, not built.
        """
        stddev = self.initializer_stddev
        return kind(
            self.num_heads,
            self.hidden_dim,
            self.intermediate_dim,
            dropout=self.dropout,
            activation=self.activation,
            layer_norm_epsilon=self.layer_norm_epsilon,
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=stddev),
            dtype=self.dtype_policy,
            name=f"encoder_block_{layer}",
        )

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        self.embeddings.build((None, None), (None, None))
        for block in self.encoder_blocks:
            if not block.built:
                block.build((None, None, self.hidden_dim))
        self.pooler.build((None, None, self.hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        """Encode a batch of packed sequences.

        Args:
            inputs: dict of token_ids (int), segment_ids (int) and padding_mask (bool, True = a
                real token), each of shape (B, T); and optionally attention_mask (bool, True = may
                attend) of shape (B, T, T), where not every token may look at every other.
            training: optional bool, whether to drop.

        Returns:
            dict of sequence_output, a float tensor of shape (B, T, D), and pooled_output, a
            float tensor of shape (B, D).
        """
        # Keras hands `training` on to the dropout layers by itself; it only has to be named.
        states = self.all_states(inputs)
        return {name: states[name] for name in ("sequence_output", "pooled_output")}

    def all_states(self, inputs):
        """Encode, and keep everything on the way: for pictures, probes and parity tests.

        Called directly, this never drops. To compile it, make it a model of its own:
        `keras.Model(symbolic_inputs, backbone.all_states(symbolic_inputs))`.

        Args:
            inputs: as for `call`.

        Returns:
            dict of sequence_output and pooled_output as from `call`; hidden_states, a list of
            L + 1 float tensors of shape (B, T, D), the output of the embeddings first; and
            attention_weights, a list of L float tensors of shape (B, N, T, T).

        Raises:
            InputError: an input is missing, or one that the encoder would misread.
        """
        check_inputs(inputs, self)
        # Every query may look at every real token, so one row of the mask serves all queries.
        attention_mask = ops.expand_dims(ops.cast(inputs["padding_mask"], "bool"), 1)  # (B, 1, T)
        if "attention_mask" in inputs:
            attention_mask = ops.logical_and(attention_mask, inputs["attention_mask"])  # (B, T, T)
        x = self.embeddings(inputs["token_ids"], inputs["segment_ids"])  # (B, T, D)
        hidden_states, attention_weights = [x], []
        for block in self.encoder_blocks:
            x, weights = block(x, attention_mask=attention_mask)  # (B, T, D), (B, N, T, T)
            hidden_states.append(x)
            attention_weights.append(weights)
        return {
            "sequence_output": x,
            "pooled_output": self.pooler(x),  # (B, D)
            "hidden_states": hidden_states,
            "attention_weights": attention_weights,
        }

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "num_layers": self.num_layers,
            "num_heads": self.num_heads,
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "max_sequence_length": self.max_sequence_length,
            "num_segments": self.num_segments,
            "dropout": self.dropout,
            "activation": keras.activations.serialize(self.activation),
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "initializer_stddev": self.initializer_stddev,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class BertPretrainer(CompiledModel):
    """BERT with both of its pretraining tasks: masked words and next sentences.

    `compile(optimizer=...)` and `fit` work without a loss: the model knows its own. The targets
    are then a dict of mask_ids, mask_weights and next_sentence_label.

    Args:
        backbone: BertBackbone, the encoder to pretrain.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Devlin et al., BERT (2019), section 3.1.
    """

    def __init__(self, backbone, name="bert_pretrainer", **kwargs):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(name=name, **kwargs)
        self.backbone = backbone
        self.masked_lm_head = MaskedLMHead(
            activation=backbone.activation,
            layer_norm_epsilon=backbone.layer_norm_epsilon,
            initializer_stddev=backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name="masked_lm_head",
        )
        self.next_sentence_head = NextSentenceHead(
            initializer_stddev=backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name="next_sentence_head",
        )
        # Progress: averages since the start of the epoch, shown by `fit` beside the total.
        self.mlm_loss = keras.metrics.Mean(name="mlm_loss")
        self.nsp_loss = keras.metrics.Mean(name="nsp_loss")
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        hidden_dim = self.backbone.hidden_dim
        table_shape = (self.backbone.vocabulary_size, hidden_dim)
        self.masked_lm_head.build((None, None, hidden_dim), (None, None), table_shape)
        self.next_sentence_head.build((None, hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        """Encode, then guess the masked tokens and whether the segments belong together.

        Args:
            inputs: dict as for `BertBackbone.call`, and mask_positions, an int tensor of shape
                (B, P).
            training: optional bool, whether to drop.

        Returns:
            dict of mlm_logits, a float tensor of shape (B, P, V), and nsp_logits, a float
            tensor of shape (B, 2): is next, is not next.
        """
        outputs = self.backbone(inputs)
        token_table = ops.convert_to_tensor(self.backbone.embeddings.token_embedding.embeddings)
        return {
            "mlm_logits": self.masked_lm_head(
                outputs["sequence_output"], inputs["mask_positions"], token_table
            ),
            "nsp_logits": self.next_sentence_head(outputs["pooled_output"]),
        }

    def losses_of(self, targets, outputs):
        """Both losses and their sum, which is what BERT minimises.

        Args:
            targets: dict of mask_ids (int) and mask_weights (float), both of shape (B, P), and
                next_sentence_label (int, 0 = is next) of shape (B,).
            outputs: dict, the output of `call`.

        Returns:
            dict of loss, mlm_loss and nsp_loss, float32 tensors of shape ().
        """
        mlm_loss = masked_lm_loss(
            outputs["mlm_logits"], targets["mask_ids"], targets["mask_weights"]
        )
        nsp_loss = next_sentence_loss(outputs["nsp_logits"], targets["next_sentence_label"])
        return {"loss": mlm_loss + nsp_loss, "mlm_loss": mlm_loss, "nsp_loss": nsp_loss}

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use; also updates the two averages."""
        losses = self.losses_of(y, y_pred)
        # Batches differ in masked tokens: weighted so, the average is one over all tokens.
        self.mlm_loss.update_state(losses["mlm_loss"], sample_weight=ops.sum(y["mask_weights"]))
        self.nsp_loss.update_state(
            losses["nsp_loss"], sample_weight=ops.shape(y["next_sentence_label"])[0]
        )
        return losses["loss"]

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
        }

    @classmethod
    def from_config(cls, config):
        backbone = keras.saving.deserialize_keras_object(config["backbone"])
        return cls(**{**config, "backbone": backbone})
