"""What all tasks on top of BERT share: an encoder, a head, and a loss of their own."""

import keras

from bert_keras.layers.heads import ClassifierHead
from bert_keras.models.base import CompiledModel


class TaskModel(CompiledModel):
    """An encoder with the head of a task.

    `compile(optimizer=...)` and `fit` work without a loss: every task knows its own. A loss that is
    given to `compile` takes its place.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the encoder's output dropped in training, before the head.
        **kwargs: of `keras.Model`; the dtype is the backbone's unless told otherwise.
    """

    def __init__(self, backbone, dropout=0.1, **kwargs):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(**kwargs)
        self.backbone = backbone
        self.dropout = dropout

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
        """The loss of the task.

        Args:
            y: the targets, as the model describes them.
            y_pred: what `call` returned.

        Returns:
            float32 tensor of shape (), in nats.
        """
        raise NotImplementedError

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
