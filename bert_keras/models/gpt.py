"""GPT: a causal stack of blocks, and the language model that pretrains it and writes with it."""

import keras
from keras import ops

from bert_keras.layers.dropout import Dropout
from bert_keras.layers.masks import causal_mask, combine_masks
from bert_keras.layers.positions import LearnedPositions
from bert_keras.layers.transformer import EncoderBlock
from bert_keras.models.base import CompiledModel
from bert_keras.models.gpt_pieces import causal_lm_loss
from bert_keras.models.gpt_writing import write
from bert_keras.models.language_inputs import check_language_inputs


@keras.saving.register_keras_serializable(package="bert_keras")
class GPTBackbone(CompiledModel):
    """The stack that reads from left to right: embeddings, then blocks under a causal mask.

    The blocks are BERT's. No token looks ahead, so every position can be trained to predict the
    next token at once. As in the first GPT, token and position are added without a norm, and a
    norm follows every branch; with `norm_first` it comes before each branch and once more at the
    end, as in GPT-2. Padding must stand on the right.

    All weights exist as soon as the model does. Call `keras.utils.set_random_seed` first to get
    the same weights, and the same dropout, again.

    Args:
        vocabulary_size: int, the number of tokens V.
        num_layers: int, the number of blocks L.
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward networks.
        max_sequence_length: int, the number of positions.
        dropout: float, the share dropped in training, everywhere.
        activation: name or callable, of the feed-forward networks; "gelu" is the exact form.
        norm_first: bool, whether to normalise what goes into a branch, not the sum after it.
        layer_norm_epsilon: float, added to the variance inside the root.
        initializer_stddev: float, the spread of the truncated normal that fills the kernels.
        name: str.
        **kwargs: of `keras.Model`, such as dtype.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018); Radford
        et al., Language Models are Unsupervised Multitask Learners (2019), for `norm_first`.
    """

    def __init__(
        self,
        vocabulary_size,
        num_layers,
        num_heads,
        hidden_dim,
        intermediate_dim,
        max_sequence_length=512,
        dropout=0.1,
        activation="gelu",
        norm_first=False,
        layer_norm_epsilon=1e-5,
        initializer_stddev=0.02,
        name="gpt_backbone",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.max_sequence_length = max_sequence_length
        self.dropout = dropout
        self.activation = keras.activations.get(activation)
        self.norm_first = norm_first
        self.layer_norm_epsilon = layer_norm_epsilon
        self.initializer_stddev = initializer_stddev

        def part(layer, name, *args, **more):
            return layer(*args, **more, dtype=self.dtype_policy, name=name)

        def normal():
            return keras.initializers.TruncatedNormal(stddev=initializer_stddev)

        self.token_embedding = part(
            keras.layers.Embedding,
            "token_embedding",
            vocabulary_size,
            hidden_dim,
            embeddings_initializer=normal(),
        )
        self.position_embedding = part(
            LearnedPositions, "position_embedding", max_sequence_length, initializer_stddev
        )
        self.embeddings_dropout = part(Dropout, "embeddings_dropout", dropout)
        self.blocks = [
            part(
                EncoderBlock,
                f"block_{layer}",
                num_heads,
                hidden_dim,
                intermediate_dim,
                dropout=dropout,
                activation=self.activation,
                norm_first=norm_first,
                layer_norm_epsilon=layer_norm_epsilon,
                kernel_initializer=normal(),
            )
            for layer in range(num_layers)
        ]
        self.layer_norm = None  # post-LN: what leaves the last block is normalised already
        if norm_first:
            self.layer_norm = part(
                keras.layers.LayerNormalization, "layer_norm", epsilon=layer_norm_epsilon
            )
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        states = (None, None, self.hidden_dim)
        self.token_embedding.build((None, None))
        for layer in (self.position_embedding, *self.blocks, self.layer_norm):
            if layer is not None:
                layer.build(states)
        self.built = True

    def call(self, inputs, training=None):
        """Read a batch of sequences from left to right.

        Args:
            inputs: dict of token_ids (int) and padding_mask (bool, True = a real token), each of
                shape (B, T).
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, D); what stands at position t has seen tokens 0 to t.
        """
        # Keras hands `training` on to the dropout layers by itself; it only has to be named.
        return self.all_states(inputs)["sequence_output"]

    def all_states(self, inputs):
        """Read, and keep everything on the way: for pictures, probes and parity tests.

        Called directly, this never drops.

        Args:
            inputs: as for `call`.

        Returns:
            dict of sequence_output as from `call`; hidden_states, a list of L + 1 float tensors of
            shape (B, T, D), what goes into the first block first; and attention_weights, a list of
            L float tensors of shape (B, N, T, T).

        Raises:
            InputError: an input is missing, or one that the model would misread.
        """
        check_language_inputs(inputs, self.vocabulary_size, self.max_sequence_length)
        mask = combine_masks(
            inputs["padding_mask"], causal_mask(ops.shape(inputs["token_ids"])[1])
        )  # (B, T, T)
        x = self.position_embedding(self.token_embedding(inputs["token_ids"]))  # (B, T, D)
        x = self.embeddings_dropout(x)
        hidden_states, attention_weights = [x], []
        for block in self.blocks:
            x, weights = block(x, attention_mask=mask)  # (B, T, D), (B, N, T, T)
            hidden_states.append(x)
            attention_weights.append(weights)
        return {
            "sequence_output": x if self.layer_norm is None else self.layer_norm(x),
            "hidden_states": hidden_states,
            "attention_weights": attention_weights,
        }

    def score_tokens(self, states):
        """Compare states with every row of the token table: the output is tied to the input.

        Args:
            states: float tensor of shape (..., D).

        Returns:
            float tensor of shape (..., V), the logits.
        """
        table = ops.convert_to_tensor(self.token_embedding.embeddings)  # (V, D)
        return ops.matmul(states, ops.transpose(ops.cast(table, states.dtype)))

    def _check_arrays(self, x):
        if isinstance(x, dict):
            check_language_inputs(x, self.vocabulary_size, self.max_sequence_length)

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "num_layers": self.num_layers,
            "num_heads": self.num_heads,
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "max_sequence_length": self.max_sequence_length,
            "dropout": self.dropout,
            "activation": keras.activations.serialize(self.activation),
            "norm_first": self.norm_first,
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "initializer_stddev": self.initializer_stddev,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class GPTLanguageModel(CompiledModel):
    """GPT as it is pretrained: every token is to be predicted from those before it.

    `compile(optimizer=...)` and `fit` work without a loss and without targets: the inputs are the
    targets. The progress bar's `lm_loss` is the mean over all predicted tokens of the epoch, so e
    to its power is the perplexity.

    Args:
        backbone: GPTBackbone.
        name: str.
        **kwargs: of `keras.Model`.

    Example:
        >>> model = GPTLanguageModel(GPTBackbone(5000, 4, 4, 128, 512))
        >>> model.compile(optimizer="adam")
        >>> model.fit({"token_ids": token_ids, "padding_mask": padding_mask})
        >>> model.generate(prompt_ids, prompt_mask, max_length=20, decode=sample, top_p=0.9)

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
        section 3.1.
    """

    def __init__(self, backbone, name="gpt_language_model", **kwargs):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(name=name, **kwargs)
        self.backbone = backbone
        self.lm_loss = keras.metrics.Mean(name="lm_loss")
        self.built = True

    def call(self, inputs, training=None):
        """Score every next token.

        Args:
            inputs: dict as for `GPTBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, V), logits; position t scores token t + 1.
        """
        return self.backbone.score_tokens(self.backbone(inputs))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use, of the inputs themselves; `y` is not needed."""
        loss = causal_lm_loss(y_pred, x["token_ids"], x["padding_mask"])
        count = ops.sum(ops.cast(x["padding_mask"][:, 1:], "float32"))
        self.lm_loss.update_state(loss, sample_weight=count)  # batches differ in real tokens
        return loss

    def _check_arrays(self, x):
        self.backbone._check_arrays(x)

    def generate(self, token_ids, padding_mask, *, max_length, end_id=-1, decode=None, **options):
        """Write on after some beginnings; see `bert_keras.models.gpt_writing.write`.

        Args:
            token_ids: int array of shape (B, T), the beginnings, at least one token each.
            padding_mask: bool array of shape (B, T), True at real tokens, which stand on the left.
            max_length: int, more tokens than this are never added.
            end_id: int, the token after which a row has ended; -1 if there is none.
            decode: `greedy_decode`, `sample` or `beam_search` of `bert_keras.generation`, or one
                like them; None means `greedy_decode`.
            **options: of `decode`, and use_cache, a bool: whether to keep keys and values.

        Returns:
            What `decode` returns, for `greedy_decode` an int32 tensor of shape (B, L): what was
            added, rows that have ended filled up with `end_id`.

        Raises:
            InputError: arrays that do not fit the model, or no room for `max_length` more tokens.
        """
        return write(self.backbone, token_ids, padding_mask, max_length, end_id, decode, **options)

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
        }

    @classmethod
    def from_config(cls, config):
        backbone = keras.saving.deserialize_keras_object(config["backbone"])
        return cls(**{**config, "backbone": backbone})
