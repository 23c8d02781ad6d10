"""GPT with one linear layer on top, fine-tuned on a task and on its texts at the same time."""

import keras
from keras import ops

from bert_keras.errors import InputError
from bert_keras.layers.heads import ClassifierHead
from bert_keras.models.base import CompiledModel
from bert_keras.models.gpt_pieces import causal_lm_loss, last_real
from bert_keras.models.language_inputs import check_language_inputs
from bert_keras.models.losses import sparse_cross_entropy

KINDS = ("single", "both_orders", "choices")


@keras.saving.register_keras_serializable(package="bert_keras")
class GPTClassifier(CompiledModel):
    """Fine-tune GPT: read the state at the last token, [EXTRACT], and score classes or answers.

    The inputs are those that `bert_keras.text.task_inputs` makes. Three kinds:

    - "single", for classification and entailment: one sequence a row, C scores.
    - "both_orders", for similarity: two sequences a row, whose states are added; C scores.
    - "choices", for multiple choice: K sequences a row, each with one score of its own.

    `compile(optimizer=...)` and `fit` work without a loss: targets are int labels of shape (B,).
    In training the loss is that of the task plus `lm_weight` times that of the language model on
    the same sequences, which keeps GPT from forgetting; `evaluate` takes the task alone.

    Args:
        backbone: GPTBackbone, usually pretrained.
        num_classes: int, the number of classes C; 1 for "choices", where answers compete.
        kind: "single", "both_orders" or "choices".
        lm_weight: float, the λ of the paper; 0 switches the language model's loss off.
        dropout: float, the share of the state at [EXTRACT] dropped in training.
        name: str.
        **kwargs: of `keras.Model`.

    Raises:
        ValueError: an unknown kind, or several classes for "choices".

    Example:
        >>> rows = [classification_input(text, marks) for text in texts]
        >>> model = GPTClassifier(backbone, num_classes=2)
        >>> model.compile(optimizer="adam", metrics=["accuracy"])
        >>> model.fit(pad_task_inputs(rows), labels)

    Reference:
        Radford et al., Improving Language Understanding by Generative Pre-Training (2018),
        sections 3.2 and 3.3.
    """

    def __init__(
        self,
        backbone,
        num_classes,
        kind="single",
        lm_weight=0.5,
        dropout=0.1,
        name="gpt_classifier",
        **kwargs,
    ):
        kwargs.setdefault("dtype", backbone.dtype_policy)
        super().__init__(name=name, **kwargs)
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}, not one of {', '.join(KINDS)}")
        if kind == "choices" and num_classes != 1:
            raise ValueError(
                f"num_classes must be 1 for choices, one score an answer, not {num_classes}"
            )
        self.backbone = backbone
        self.num_classes = num_classes
        self.kind = kind
        self.lm_weight = lm_weight
        self.dropout = dropout
        self.classifier = ClassifierHead(
            num_classes,
            dropout=dropout,
            initializer_stddev=backbone.initializer_stddev,
            dtype=self.dtype_policy,
            name="classifier",
        )
        self.task_loss = keras.metrics.Mean(name="task_loss")
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        self.classifier.build((None, self.backbone.hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        """Score every class, or every answer.

        Args:
            inputs: dict of token_ids (int) and padding_mask (bool, True = a real token), of shape
                (B, T) each, or (B, K, T) with several sequences a row; [EXTRACT] is the last real
                token of every sequence.
            training: optional bool, whether to drop, and to reckon with the language model's loss.

        Returns:
            float tensor of shape (B, C), logits; (B, K) for "choices".

        Raises:
            InputError: an input is missing, or one that the model would misread.
        """
        self._check(inputs)
        token_ids, padding_mask = inputs["token_ids"], inputs["padding_mask"]
        several = None
        if self.kind != "single":  # every sequence is read on its own: one line of the batch each
            several, length = ops.shape(token_ids)[1:]
            token_ids = ops.reshape(token_ids, (-1, length))  # (B K, T)
            padding_mask = ops.reshape(padding_mask, (-1, length))  # (B K, T)
        output = self.backbone({"token_ids": token_ids, "padding_mask": padding_mask})
        if training and self.lm_weight:
            lm_logits = self.backbone.score_tokens(output)  # (B K, T, V)
            self.add_loss(self.lm_weight * causal_lm_loss(lm_logits, token_ids, padding_mask))
        state = last_real(output, padding_mask)  # (B K, D)
        if self.kind == "both_orders":
            state = ops.sum(ops.reshape(state, (-1, 2, self.backbone.hidden_dim)), axis=1)  # (B, D)
        scores = self.classifier(state)  # (B, C), for choices (B K, 1)
        return scores if self.kind != "choices" else ops.reshape(scores, (-1, several))  # (B, K)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use: the task's and what `call` has added."""
        scores = ops.cast(y_pred, "float32")
        loss = ops.mean(sparse_cross_entropy(scores, ops.cast(y, "int32")))
        self.task_loss.update_state(loss, sample_weight=ops.shape(y)[0])
        return sum(self.losses, start=loss)

    def _check_arrays(self, x):
        if isinstance(x, dict):
            self._check(x)

    def _check(self, inputs):
        sizes = self.backbone.vocabulary_size, self.backbone.max_sequence_length
        check_language_inputs(inputs, *sizes, "(B, T)" if self.kind == "single" else "(B, K, T)")
        if self.kind == "both_orders" and inputs["token_ids"].shape[1] not in (2, None):
            count = inputs["token_ids"].shape[1]
            raise InputError(f"both orders are 2 sequences a row, not {count}")

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
            "num_classes": self.num_classes,
            "kind": self.kind,
            "lm_weight": self.lm_weight,
            "dropout": self.dropout,
        }

    @classmethod
    def from_config(cls, config):
        backbone = keras.saving.deserialize_keras_object(config["backbone"])
        return cls(**{**config, "backbone": backbone})
