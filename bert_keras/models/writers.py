"""Generators started from BERT: one encoder with a prefix mask, or an encoder and a decoder."""

import keras
from keras import ops

from bert_keras.layers.decoder import DecoderBlock
from bert_keras.layers.heads import MaskedLMHead
from bert_keras.layers.masks import causal_mask, prefix_mask
from bert_keras.models.language_inputs import check_ids
from bert_keras.models.prefix_writing import write
from bert_keras.models.task_base import TaskModel
from bert_keras.models.transformer_generation import generate


class _Writer(TaskModel):
    """What both have in common: tokens are scored by BERT's own table, as in its pretraining."""

    uses_pooler = False

    def make_output(self):
        backbone = self.backbone
        return MaskedLMHead(
            activation=backbone.activation,
            layer_norm_epsilon=backbone.layer_norm_epsilon,
            initializer_stddev=backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name="masked_lm_head",
        )

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        backbone = self.backbone
        table_shape = (backbone.vocabulary_size, backbone.hidden_dim)
        self.masked_lm_head.build((None, None, backbone.hidden_dim), (None, None), table_shape)
        self.built = True

    def score(self, x):
        """Score every token of the vocabulary.

        Args:
            x: float tensor of shape (..., D), the output of the last block.

        Returns:
            float tensor of shape (..., V), logits.
        """
        table = ops.convert_to_tensor(self.backbone.embeddings.token_embedding.embeddings)
        return self.masked_lm_head.score(x, ops.cast(table, x.dtype))


@keras.saving.register_keras_serializable(package="bert_keras")
class PrefixWriter(_Writer):
    """BERT writes: the source is segment 0, the target segment 1, and the mask does the rest.

    Source tokens see each other, target tokens see the source and what was said before; see
    `prefix_mask`. No weight is new but those of the output's dense layer. Targets of training are
    int of shape (B, T): at every place the token that follows, where it is one of the target.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, not used by this model, which has no head of its own.
        name: str.
        **kwargs: of `keras.Model`.

    Example:
        >>> model = PrefixWriter(backbone)
        >>> model.generate(token_ids, padding_mask, end_id=sep_id, max_length=20)

    Reference:
        Dong et al., Unified Language Model Pre-training for Natural Language Understanding and
        Generation (2019); trained to continue, as in Raffel et al., Exploring the Limits of
        Transfer Learning (2020), section 3.2.1, rather than on masked target tokens.
    """

    def __init__(self, backbone, dropout=0.1, name="prefix_writer", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.masked_lm_head = self.make_output()
        self.build()

    def call(self, inputs, training=None):
        """Score the token after every token.

        Args:
            inputs: dict as for `BertBackbone.call`, sources and targets packed as two segments.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, V), logits.
        """
        mask = prefix_mask(inputs["segment_ids"])  # (B, T, T)
        output = self.backbone({**inputs, "attention_mask": mask})["sequence_output"]
        return self.score(output)

    def generate(self, token_ids, padding_mask, *, end_id, max_length, decode=None, **options):
        """Say a target for every source; see `bert_keras.models.prefix_writing.write`.

        Args:
            token_ids: int array of shape (B, T), packed sources, [CLS] first, [SEP] last.
            padding_mask: bool array of shape (B, T), True at real tokens, which stand on the left.
            end_id: int, [SEP].
            max_length: int, more tokens than this are never said.
            decode: `greedy_decode`, `sample` or `beam_search` of `bert_keras.generation`; None
                means `greedy_decode`.
            **options: of `decode`.

        Returns:
            What `decode` returns, for `greedy_decode` an int32 tensor of shape (B, L).
        """
        return write(self, token_ids, padding_mask, end_id, max_length, decode, **options)


def warm_start(decoder_blocks, encoder_blocks):
    """Give the blocks of a decoder the weights of an encoder's, where both have the same part.

    Self-attention, feed-forward network and their norms are copied, block by block. Attention to
    the source and its norm have nothing in BERT to start from and stay as they are.

    Args:
        decoder_blocks: list of `DecoderBlock`, built.
        encoder_blocks: list of `EncoderBlock` of the same sizes, at least as many; the first ones
            are taken.

    Returns:
        The pair (copied, fresh): lists of the paths of variables of the decoder.

    Reference:
        Rothe et al., Leveraging Pre-trained Checkpoints for Sequence Generation Tasks (2020).
    """
    copied, fresh = [], []
    for decoder, encoder in zip(decoder_blocks, encoder_blocks, strict=False):
        for part in ("self_attention", "cross_attention", "feed_forward"):
            for name in (part, f"{part}_layer_norm"):
                layer = getattr(decoder, name)
                if part == "cross_attention":
                    fresh += [variable.path for variable in layer.weights]
                else:
                    layer.set_weights(getattr(encoder, name).get_weights())
                    copied += [variable.path for variable in layer.weights]
    return copied, fresh


@keras.saving.register_keras_serializable(package="bert_keras")
class BertSeq2Seq(_Writer):
    """An encoder and a decoder that both start from BERT.

    The decoder's blocks have BERT's weights where BERT has the part, see `warm_start`; it shares
    BERT's embeddings, with segment 1. Targets of training are int of shape (B, L), the tokens to
    be said; -1 where there is none.

    Args:
        backbone: BertBackbone, usually pretrained.
        num_decoder_layers: int, how many of BERT's first blocks the decoder takes; 0 means all.
        dropout: float, the share dropped in training in the decoder's blocks.
        name: str.
        **kwargs: of `keras.Model`.

    Raises:
        ValueError: more decoder blocks than the backbone has.

    Reference:
        Rothe et al., Leveraging Pre-trained Checkpoints for Sequence Generation Tasks (2020),
        BERT2BERT.
    """

    def __init__(self, backbone, num_decoder_layers=0, dropout=0.1, name="bert_seq2seq", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        if num_decoder_layers > backbone.num_layers:
            raise ValueError(
                f"num_decoder_layers is {num_decoder_layers}; the backbone has "
                f"{backbone.num_layers} blocks to start from"
            )
        self.num_decoder_layers = num_decoder_layers or backbone.num_layers
        self.num_heads, self.hidden_dim = backbone.num_heads, backbone.hidden_dim
        self.max_sequence_length = backbone.max_sequence_length
        self.decoder_blocks = [
            DecoderBlock(
                backbone.num_heads,
                backbone.hidden_dim,
                backbone.intermediate_dim,
                dropout=dropout,
                activation=backbone.activation,
                layer_norm_epsilon=backbone.layer_norm_epsilon,
                kernel_initializer=keras.initializers.TruncatedNormal(
                    stddev=backbone.initializer_stddev
                ),
                dtype=self.dtype_policy,
                name=f"decoder_block_{layer}",
            )
            for layer in range(self.num_decoder_layers)
        ]
        self.masked_lm_head = self.make_output()
        self.build()
        self.copied, self.fresh = warm_start(self.decoder_blocks, backbone.encoder_blocks)

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        shape = (None, None, self.hidden_dim)
        for block in self.decoder_blocks:
            block.build(shape, shape)
        super().build(input_shape)

    def call(self, inputs, training=None):
        """Score every next token of targets that are known: teacher forcing.

        Args:
            inputs: dict as for `BertBackbone.call`, the sources, and target_ids, an int tensor of
                shape (B, L), the targets shifted right, which begin with [CLS].
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, L, V), logits.
        """
        sources = {name: inputs[name] for name in ("token_ids", "segment_ids", "padding_mask")}
        source = self.backbone(sources)["sequence_output"]  # (B, T, D)
        return self.decode(inputs["target_ids"], source, inputs["padding_mask"])[0]

    def encode(self, token_ids, padding_mask):
        """Read the source.

        Args:
            token_ids: int tensor of shape (B, T).
            padding_mask: bool tensor of shape (B, T), True at real tokens.

        Returns:
            The pair (source, weights): a float tensor of shape (B, T, D), and the list of every
            block's attention weights of shape (B, N, T, T).
        """
        inputs = {"token_ids": token_ids, "padding_mask": padding_mask}
        states = self.backbone.all_states({**inputs, "segment_ids": ops.zeros_like(token_ids)})
        return states["sequence_output"], states["attention_weights"]

    def target_embeddings(self, target_ids, position=None):
        """Embed target tokens; BERT's table, with segment 1.

        Args:
            target_ids: int tensor of shape (B, L).
            position: as for `BertEmbeddings.call`.

        Returns:
            float tensor of shape (B, L, D).
        """
        segment_ids = ops.ones_like(target_ids)
        return self.backbone.embeddings(target_ids, segment_ids, position=position)

    def decode(self, target_ids, source, padding_mask):
        """Score the next token after each of some target tokens.

        Args:
            target_ids: int tensor of shape (B, L), what has been said, from [CLS] on.
            source: float tensor of shape (B, T, D), from `encode`.
            padding_mask: bool tensor of shape (B, T), True at real source tokens.

        Returns:
            The triple (logits, self_weights, cross_weights) as from `Transformer.decode`.
        """
        source_mask = ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1)  # (B, 1, T)
        mask = ops.expand_dims(causal_mask(ops.shape(target_ids)[1]), axis=0)  # (1, L, L)
        x, self_weights, cross_weights = self.target_embeddings(target_ids), [], []
        for block in self.decoder_blocks:
            x, looked, looked_back = block(x, source, attention_mask=mask, source_mask=source_mask)
            self_weights.append(looked)
            cross_weights.append(looked_back)
        return self.score(x), self_weights, cross_weights

    def generate(self, token_ids, padding_mask, *, begin_id, end_id, max_length, **options):
        """Say a target for every source; see `bert_keras.models.transformer_generation.generate`.

        Args:
            token_ids: int tensor or array of shape (B, T), packed sources.
            padding_mask: bool tensor or array of shape (B, T), True at real tokens.
            begin_id: int, [CLS].
            end_id: int, [SEP].
            max_length: int, more tokens than this are never said.
            **options: beam_width, length_penalty, use_cache.

        Returns:
            int32 tensor of shape (B, L): without [CLS], ended rows filled up with [SEP].
        """
        options |= {"begin_id": begin_id, "end_id": end_id, "max_length": max_length}
        return generate(self, token_ids, padding_mask, **options)

    def _check_arrays(self, x):
        super()._check_arrays(x)
        if isinstance(x, dict) and "target_ids" in x:
            check_ids("target_ids", x["target_ids"], self.backbone.vocabulary_size, "(B, L)")

    def get_config(self):
        return {**super().get_config(), "num_decoder_layers": self.num_decoder_layers}
