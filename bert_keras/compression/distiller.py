"""A student and its teacher as one model that `fit` can train."""

import keras
from keras import ops

from bert_keras.compression.distill import distillation_loss, layer_mapping
from bert_keras.models.base import CompiledModel


def without_dropout(model):
    """The same model with the same weights, which never drops.

    Args:
        model: `TaskModel`.

    Returns:
        A new `TaskModel` with weights of its own.
    """
    config = model.get_config()
    config["dropout"] = config["backbone"]["config"]["dropout"] = 0.0
    copy = type(model).from_config(config)
    copy.set_weights(model.get_weights())
    return copy


@keras.saving.register_keras_serializable(package="bert_keras")
class Distiller(CompiledModel):
    """A student beside its teacher, trained on a task's own rows.

    `fit` takes what the student's task takes. Only the student learns, and a matrix for each pair
    of layers of different sizes. The teacher never drops.

    Args:
        student: `TextClassifier` or another task on the pooled output.
        teacher: of the same kind, trained; its dropout is switched off.
        temperature: float T of the softened probabilities.
        alpha: float, weight of the teacher's probabilities against the labels.
        hidden: float, weight of the mean squared distance between hidden states, mapped evenly.
        attention: float, weight of the mean squared distance between the attention of mapped
            layers; both must have as many heads.
        name: str.
        **kwargs: of `keras.Model`.

    Raises:
        ValueError: attention of different numbers of heads cannot be compared.

    Reference:
        Hinton et al., Distilling the Knowledge in a Neural Network (2015).
        Jiao et al., TinyBERT (2020).
    """

    def __init__(
        self,
        student,
        teacher,
        temperature=2.0,
        alpha=0.9,
        hidden=0.0,
        attention=0.0,
        name="distiller",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        heads = (student.backbone.num_heads, teacher.backbone.num_heads)
        if attention and heads[0] != heads[1]:
            raise ValueError(
                f"a student of {heads[0]} heads can't learn the attention of {heads[1]}: take "
                "attention=0, or as many heads"
            )
        self.student = student
        self.teacher = without_dropout(teacher)
        self.teacher.trainable = False
        self.temperature, self.alpha = temperature, alpha
        self.hidden, self.attention = hidden, attention
        self.layers_of_teacher = layer_mapping(
            student.backbone.num_layers, teacher.backbone.num_layers
        )
        sizes = (student.backbone.hidden_dim, teacher.backbone.hidden_dim)
        self.widen = [
            keras.layers.Dense(sizes[1], use_bias=False, name=f"widen_{layer}")
            for layer in range(
                len(self.layers_of_teacher) if hidden and sizes[0] != sizes[1] else 0
            )
        ]
        for dense in self.widen:
            dense.build((None, None, sizes[0]))
        self.built = True

    def call(self, inputs, training=None):
        """What both say, and how far apart they are on the way.

        Args:
            inputs: dict as for `BertBackbone.call`.
            training: optional bool, whether the student drops.

        Returns:
            dict of student and teacher, float tensors of shape (B, C), logits; and distance, a
            float tensor of shape (), of hidden states and attention, weighted.
        """
        student = self.student.backbone.all_states(inputs)
        teacher = self.teacher.backbone.all_states(inputs)
        real = ops.cast(inputs["padding_mask"], "float32")  # (B, T)
        distance = ops.zeros(())
        if self.hidden:
            for layer, above in enumerate(self.layers_of_teacher):
                mine = student["hidden_states"][layer]
                mine = self.widen[layer](mine) if self.widen else mine  # (B, T, D of the teacher)
                squares = ops.mean(ops.square(mine - teacher["hidden_states"][above]), axis=-1)
                distance += self.hidden * ops.sum(squares * real) / ops.sum(real)
        if self.attention:
            for layer, above in enumerate(self.layers_of_teacher[1:]):
                mine, its = (
                    states["attention_weights"][number]
                    for states, number in ((student, layer), (teacher, above - 1))
                )  # (B, N, T, T)
                squares = ops.mean(ops.sum(ops.square(mine - its), axis=-1), axis=1)  # (B, T)
                distance += self.attention * ops.sum(squares * real) / ops.sum(real)
        return {
            "student": self.student.classifier(student["pooled_output"]),
            "teacher": self.teacher.classifier(teacher["pooled_output"]),
            "distance": distance,
        }

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """`distillation_loss` and the distance of the layers."""
        soft_and_hard = distillation_loss(
            y_pred["student"], y_pred["teacher"], y, self.temperature, self.alpha
        )
        return soft_and_hard + y_pred["distance"]
