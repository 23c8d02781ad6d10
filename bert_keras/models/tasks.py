"""BERT with the head of a task, ready to be fine-tuned."""

import keras

from bert_keras.layers.heads import ClassifierHead
from bert_keras.models.base import CompiledModel


@keras.saving.register_keras_serializable(package="bert_keras")
class TextClassifier(CompiledModel):
    """Put a text, or a pair of texts, into one of several classes.

    Args:
        backbone: BertBackbone, usually pretrained.
        num_classes: int, the number of classes C.
        dropout: float, the share of the pooled output dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Devlin et al., BERT (2019), section 4.1.
    """

    def __init__(self, backbone, num_classes, dropout=0.1, name="text_classifier", **kwargs):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(name=name, **kwargs)
        self.backbone = backbone
        self.num_classes = num_classes
        self.dropout = dropout
        self.classifier = ClassifierHead(
            num_classes,
            dropout=dropout,
            initializer_stddev=backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name="classifier",
        )
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        self.classifier.build((None, self.backbone.hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        """Score every class for every text.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, C), logits.
        """
        return self.classifier(self.backbone(inputs)["pooled_output"])

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
            "num_classes": self.num_classes,
            "dropout": self.dropout,
        }

    @classmethod
    def from_config(cls, config):
        backbone = keras.saving.deserialize_keras_object(config["backbone"])
        return cls(**{**config, "backbone": backbone})
