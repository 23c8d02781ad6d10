"""Word vectors trained in seconds: a continuous bag of words over a small vocabulary."""

from __future__ import annotations

from collections.abc import Callable

import keras
import numpy as np

from bert_keras.layers.word_vectors import cbow_loss


class _Bag(keras.Model):
    """Two tables of vectors; all else is the loss."""

    def __init__(self, vocabulary_size, hidden_dim, loss_of, seed):
        super().__init__(name="bag_of_words")
        self.loss_of = loss_of
        for number, name in enumerate(("embedding", "output_embedding")):
            start = keras.initializers.RandomNormal(stddev=0.1, seed=2 * seed + number)
            table = self.add_weight(
                shape=(vocabulary_size, hidden_dim), initializer=start, name=name
            )
            setattr(self, name, table)

    def call(self, context_ids):
        return context_ids

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return self.loss_of(x, y, self.embedding, self.output_embedding)


def train_word_vectors(
    context_ids: np.ndarray,
    target_ids: np.ndarray,
    vocabulary_size: int,
    hidden_dim: int = 50,
    *,
    loss: Callable = cbow_loss,
    epochs: int = 3,
    batch_size: int = 1024,
    learning_rate: float = 5e-3,
    seed: int = 0,
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Train the two tables of a continuous bag of words with Adam and the full softmax.

    Args:
        context_ids: int array (N, C), the words around each target, 0 = no word there.
        target_ids: int array (N,).
        vocabulary_size: int, V, id 0 included.
        hidden_dim: int, D, the size of a vector.
        loss: function of context ids, target ids and the two tables, such as `cbow_loss`.
        epochs: int, passes over the examples.
        batch_size: int, examples in a step.
        learning_rate: float, at the start; it falls to a tenth along a straight line.
        seed: int, decides the first vectors and the order of the examples.

    Returns:
        The tables as float32 arrays (V, D), the neighbours' and the targets', and the loss by
        epoch, a list of float.
    """
    keras.utils.set_random_seed(seed)
    model = _Bag(vocabulary_size, hidden_dim, loss, seed)
    steps = epochs * -(-len(target_ids) // batch_size)
    rate = keras.optimizers.schedules.PolynomialDecay(
        learning_rate, max(steps, 1), learning_rate / 10
    )
    model.compile(optimizer=keras.optimizers.Adam(rate))
    history = model.fit(
        np.asarray(context_ids, np.int32),
        np.asarray(target_ids, np.int32),
        batch_size=batch_size,
        epochs=epochs,
        verbose=0,
    )
    tables = [keras.ops.convert_to_numpy(t) for t in (model.embedding, model.output_embedding)]
    return tables[0], tables[1], [float(value) for value in history.history["loss"]]
