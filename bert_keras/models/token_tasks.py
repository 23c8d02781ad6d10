"""BERT with a head on every token: tags, the ends of an answer, an intent with its details."""

import keras
from keras import ops

from bert_keras.layers.crf import LinearChainCRF
from bert_keras.models.losses import labelled_loss
from bert_keras.models.task_base import TaskModel


def tags_loss(logits, labels, crf=None):
    """How unlikely the right tags are, for each word that has one.

    Args:
        logits: float tensor of shape (B, T, C).
        labels: int tensor of shape (B, T); -1 where a token has no tag of its own.
        crf: `LinearChainCRF`, which judges whole sequences; None judges every word by itself. As
            long as its moves are worth nothing, both are the same number.

    Returns:
        float32 tensor of shape (), in nats.
    """
    if crf is None:
        return labelled_loss(logits, labels)
    has_label = ops.greater_equal(labels, 0)  # (B, T)
    likelihood = ops.sum(crf(logits, labels, has_label))
    return -likelihood / ops.maximum(ops.sum(ops.cast(has_label, "float32")), 1.0)


class _TagModel(TaskModel):
    """What the models with tags share: the moves from tag to tag that they may have learned.

    Args:
        backbone: BertBackbone.
        dropout: float.
        crf: `LinearChainCRF`, or its configuration, or None.
        **kwargs: of `keras.Model`.
    """

    def __init__(self, backbone, dropout, crf, **kwargs):
        super().__init__(backbone, dropout, **kwargs)
        # From its configuration alone it comes without weights: `build` gives them their paths.
        self.crf = LinearChainCRF.from_config(crf) if isinstance(crf, dict) else crf

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        super().build(input_shape)
        if self.crf is not None and not self.crf.built:
            self.crf.build()

    def get_config(self):
        return {**super().get_config(), "crf": self.crf and self.crf.get_config()}


@keras.saving.register_keras_serializable(package="bert_keras")
class TokenClassifier(_TagModel):
    """Give every token a tag.

    Targets are int of shape (B, T); -1 where a token has no tag of its own, such as [CLS], padding
    and the later pieces of a word: it is not judged. The backbone's pooler, which has no part in
    this, is not trained.

    Args:
        backbone: BertBackbone, usually pretrained.
        num_classes: int, the number of tags C.
        dropout: float, the share of the sequence output dropped in training.
        crf: `LinearChainCRF` of as many tags, for a loss over whole sequences; None for one over
            words.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Devlin et al., BERT (2019), section 5.3 (named entities); Lample et al., Neural
        Architectures for Named Entity Recognition (2016), section 2.2, for the CRF.
    """

    uses_pooler = False

    def __init__(
        self, backbone, num_classes, dropout=0.1, crf=None, name="token_classifier", **kwargs
    ):
        super().__init__(backbone, dropout, crf, name=name, **kwargs)
        self.num_classes = num_classes
        self.classifier = self.make_head(num_classes, "classifier")
        self.build()

    def call(self, inputs, training=None):
        """Score every tag for every token.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, C), logits.
        """
        return self.classifier(self.backbone(inputs)["sequence_output"])

    def task_loss(self, y, y_pred):
        """`tags_loss`.

        Args:
            y: int tensor of shape (B, T).
            y_pred: float tensor of shape (B, T, C), logits.

        Returns:
            float32 tensor of shape ().
        """
        return tags_loss(y_pred, y, self.crf)

    def get_config(self):
        return {**super().get_config(), "num_classes": self.num_classes}


@keras.saving.register_keras_serializable(package="bert_keras")
class SpanPredictor(TaskModel):
    """Find the answer to a question in a text: score every token as its first and as its last.

    The question is the first text of a sequence and the context the second. Targets are int of
    shape (B, 2): the places of the answer's first and last token; both 0, [CLS], where the sequence
    has no answer. Padding can be neither. The backbone's pooler, which has no part in this, is not
    trained.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the sequence output dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Devlin et al., BERT (2019), sections 4.2 and 4.3 (SQuAD 1.1 and 2.0).
    """

    uses_pooler = False

    def __init__(self, backbone, dropout=0.1, name="span_predictor", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.ends = self.make_head(2, "ends")
        self.build()

    def call(self, inputs, training=None):
        """Score every token twice.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, 2, T), logits of the first and of the last token.
        """
        scores = self.ends(self.backbone(inputs)["sequence_output"])  # (B, T, 2)
        is_real = ops.cast(inputs["padding_mask"], "bool")[:, None]  # (B, 1, T)
        return ops.where(is_real, ops.transpose(scores, (0, 2, 1)), -3e4)  # (B, 2, T)


@keras.saving.register_keras_serializable(package="bert_keras")
class JointIntentSlot(_TagModel):
    """Understand a command: what is wanted, from [CLS], and with which details, from every token.

    Targets are a dict of intent, int of shape (B,), and slots, int of shape (B, T), -1 where a
    token has no tag of its own.

    Args:
        backbone: BertBackbone, usually pretrained.
        num_intents: int, the number of intents C.
        num_slots: int, the number of tags.
        dropout: float, the share of both outputs dropped in training.
        crf: `LinearChainCRF` of as many tags, for a loss over the whole sequence of slots; None for
            one over words.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Chen et al., BERT for Joint Intent Classification and Slot Filling (2019).
    """

    def __init__(
        self,
        backbone,
        num_intents,
        num_slots,
        dropout=0.1,
        crf=None,
        name="joint_intent_slot",
        **kwargs,
    ):
        super().__init__(backbone, dropout, crf, name=name, **kwargs)
        self.num_intents = num_intents
        self.num_slots = num_slots
        self.intent_classifier = self.make_head(num_intents, "intent_classifier")
        self.slot_classifier = self.make_head(num_slots, "slot_classifier")
        self.build()

    def call(self, inputs, training=None):
        """Score every intent for every command, and every tag for every token.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            dict of float tensors: intent of shape (B, C) and slots of shape (B, T, tags), logits.
        """
        output = self.backbone(inputs)
        return {
            "intent": self.intent_classifier(output["pooled_output"]),
            "slots": self.slot_classifier(output["sequence_output"]),
        }

    def task_loss(self, y, y_pred):
        """The sum of the intent's mean cross-entropy and of `tags_loss`.

        Args:
            y: dict of int tensors: intent (B,) and slots (B, T).
            y_pred: dict of float tensors as from `call`.

        Returns:
            float32 tensor of shape ().
        """
        slots = tags_loss(y_pred["slots"], y["slots"], self.crf)
        return labelled_loss(y_pred["intent"], y["intent"]) + slots

    def get_config(self):
        return {
            **super().get_config(),
            "num_intents": self.num_intents,
            "num_slots": self.num_slots,
        }
