"""BERT with the head of a task, ready to be fine-tuned: whole texts, and choices between texts."""

import keras
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models.inputs import NAMES, check_inputs
from bert_keras.models.task_base import TaskModel


@keras.saving.register_keras_serializable(package="bert_keras")
class TextClassifier(TaskModel):
    """Put a text, or a pair of texts, into one of several classes.

    Targets are int labels of shape (B,).

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
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.num_classes = num_classes
        self.classifier = self.make_head(num_classes, "classifier")
        self.build()

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
        return {**super().get_config(), "num_classes": self.num_classes}


@keras.saving.register_keras_serializable(package="bert_keras")
class TextRegressor(TaskModel):
    """Give a text, or a pair of texts, a number, such as how alike two sentences are.

    Targets are float of shape (B,).

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the pooled output dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Reference:
        Devlin et al., BERT (2019), section 4.1 (STS-B); Cer et al., SemEval-2017 Task 1 (2017), for
        the scale of similarity.
    """

    def __init__(self, backbone, dropout=0.1, name="text_regressor", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.regressor = self.make_head(1, "regressor")
        self.build()

    def call(self, inputs, training=None):
        """Give every text a number.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B,).
        """
        return self.regressor(self.backbone(inputs)["pooled_output"])[:, 0]

    def task_loss(self, y, y_pred):
        """The mean squared error.

        Args:
            y: float tensor of shape (B,).
            y_pred: float tensor of shape (B,), what `call` returned.

        Returns:
            float32 tensor of shape ().
        """
        return ops.mean(ops.square(ops.cast(y_pred, "float32") - ops.cast(y, "float32")))


@keras.saving.register_keras_serializable(package="bert_keras")
class MultipleChoice(TaskModel):
    """Say which of several texts goes on from a context, or answers it.

    Every choice is packed with the context into a sequence of its own and gets one score; the
    softmax is over the choices of a row. So choices may come in any order, and in any number.
    Targets are int of shape (B,), the places of the right choices.

    Args:
        backbone: BertBackbone, usually pretrained.
        dropout: float, the share of the pooled output dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Example:
        >>> model = MultipleChoice(backbone)
        >>> model(inputs)  # K sequences a row: arrays of shape (B, K, T) give (B, K)

    Reference:
        Devlin et al., BERT (2019), section 4.4 (SWAG).
    """

    def __init__(self, backbone, dropout=0.1, name="multiple_choice", **kwargs):
        super().__init__(backbone, dropout, name=name, **kwargs)
        self.scorer = self.make_head(1, "scorer")
        self.build()

    def call(self, inputs, training=None):
        """Score every choice.

        Args:
            inputs: dict of token_ids (int), segment_ids (int) and padding_mask (bool, True = a
                real token), tensors of shape (B, K, T).
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, K), logits.

        Raises:
            InputError: an input is missing, or one that the encoder would misread.
        """
        lines = _lines(inputs)  # (B K, T) each
        choices = ops.shape(inputs["token_ids"])[1]
        scores = self.scorer(self.backbone(lines)["pooled_output"])  # (B K, 1)
        return ops.reshape(scores, (-1, choices))  # (B, K)

    def _check_arrays(self, x):
        if isinstance(x, dict):
            check_inputs(_lines(x), self.backbone)


def _lines(inputs):
    """Every sequence of every row as a line of its own."""
    if missing := sorted(set(NAMES) - set(inputs)):
        raise InputError(f"BERT's inputs lack {', '.join(missing)}")
    shape = tuple(inputs["token_ids"].shape)
    if len(shape) != 3:
        raise InputError(f"token_ids must have the shape (B, K, T), K choices a row, not {shape}")
    # Whoever calls with arrays may check their values; a graph has tensors.
    lines = {}
    for name in NAMES:
        x = inputs[name]
        new = (-1, ops.shape(x)[-1])
        lines[name] = ops.reshape(x, new) if keras.ops.is_tensor(x) else x.reshape(new)
    return lines
