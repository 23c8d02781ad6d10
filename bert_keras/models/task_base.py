"""What all tasks on top of BERT share: an encoder, a head, and a loss of their own."""

import keras

from bert_keras.layers.heads import ClassifierHead
from bert_keras.models.base import CompiledModel
from bert_keras.models.losses import labelled_loss


class TaskModel(CompiledModel):
    """An encoder with the head of a task.

    `compile(optimizer=...)` and `fit` work without a loss: every task knows its own. A loss that is
    given to `compile` takes its place.

    Attributes:
        uses_pooler: bool, of the class; a task without the pooler doesn't train it.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the encoder's output dropped in training, before the head.
        **kwargs: of `keras.Model`; the dtype is the backbone's unless told otherwise.
    """

    uses_pooler = True

    def __init__(self, backbone, dropout=0.1, **kwargs):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(**kwargs)
        self.backbone = backbone
        self.dropout = dropout
        if not self.uses_pooler:
            backbone.pooler.trainable = False  # no gradient would ever reach it

    def make_head(self, num_classes, name):
        """A head that scores so many classes; `build` creates its weights.

        Args:
            num_classes: int, the number of classes C.
            name: str.

        Returns:
            `ClassifierHead`; (..., D) to (..., C).
        """
        return ClassifierHead(
            num_classes,
            dropout=self.dropout,
            initializer_stddev=self.backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name=name,
        )

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        for layer in self.layers:
            if isinstance(layer, ClassifierHead):
                layer.build((None, self.backbone.hidden_dim))
        self.built = True

    def task_loss(self, y, y_pred):
        """The mean cross-entropy over everything that has a label.

        Args:
            y: int tensor of shape (...), the targets; -1 where there is none.
            y_pred: float tensor of shape (..., C), what `call` returned.

        Returns:
            float32 tensor of shape (), in nats.
        """
        return labelled_loss(y_pred, y)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use."""
        if self.loss is not None:
            return super().compute_loss(x, y, y_pred, sample_weight, training)
        return self.task_loss(y, y_pred)

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
            "dropout": self.dropout,
        }

    @classmethod
    def from_config(cls, config):
        backbone = keras.saving.deserialize_keras_object(config["backbone"])
        return cls(**{**config, "backbone": backbone})
