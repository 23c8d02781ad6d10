"""Which of some mentions does a pronoun mean? BERT with a score for every pair."""

import keras
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models.task_base import TaskModel


def pair_features(sequence_output, mention_mask):
    """What there is to know of the first mention beside each of the others.

    A mention is the mean of its tokens' vectors. A pair has both, and their product feature by
    feature, which is large where they agree.

    Args:
        sequence_output: float tensor of shape (B, T, D).
        mention_mask: bool tensor of shape (B, M, T), True at the tokens of each of M mentions, of
            which every one has a token; the first is the one to be resolved.

    Returns:
        float tensor of shape (B, M - 1, 3 D).

    Reference:
        Lee et al., End-to-end Neural Coreference Resolution (2017), section 3; Joshi et al., BERT
        for Coreference Resolution (2019).
    """
    share = ops.cast(mention_mask, sequence_output.dtype)  # (B, M, T)
    share = share / ops.maximum(ops.sum(share, axis=-1, keepdims=True), 1)
    mentions = ops.matmul(share, sequence_output)  # (B, M, D)
    others = mentions[:, 1:]  # (B, M - 1, D)
    first = ops.broadcast_to(mentions[:, :1], ops.shape(others))
    return ops.concatenate([first, others, first * others], axis=-1)  # (B, M - 1, 3 D)


@keras.saving.register_keras_serializable(package="bert_keras")
class CoreferenceRanker(TaskModel):
    """Score every candidate for what a pronoun means; one of them it does mean.

    Targets are int of shape (B,), the places of the right candidates, from 0. The backbone's
    pooler, which has no part in this, is not trained.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the hidden layer dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Lee et al., End-to-end Neural Coreference Resolution (2017), section 3.
    """

    uses_pooler = False

    def __init__(self, backbone, dropout=0.1, name="coreference_ranker", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.hidden_dense = keras.layers.Dense(
            backbone.hidden_dim,
            activation="relu",
            kernel_initializer=keras.initializers.TruncatedNormal(
                stddev=backbone.initializer_stddev
            ),
            dtype=self.dtype_policy,
            name="hidden",
        )
        self.scorer = self.make_head(1, "scorer")
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        self.hidden_dense.build((None, None, 3 * self.backbone.hidden_dim))
        super().build(input_shape)

    def call(self, inputs, training=None):
        """Score every candidate.

        Args:
            inputs: dict as for `BertBackbone.call`, and mention_mask, a bool tensor of shape
                (B, M, T) as for `pair_features`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, M - 1), logits.

        Raises:
            InputError: an input is missing, or one that the encoder would misread.
        """
        if "mention_mask" not in inputs:
            raise InputError("the inputs lack mention_mask, bool (B, M, T): where the mentions are")
        output = self.backbone(inputs)["sequence_output"]  # (B, T, D)
        pairs = self.hidden_dense(pair_features(output, inputs["mention_mask"]))  # (B, M - 1, D)
        return ops.squeeze(self.scorer(pairs), axis=-1)  # (B, M - 1)
